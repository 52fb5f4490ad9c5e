#include "linx-ops.h"
