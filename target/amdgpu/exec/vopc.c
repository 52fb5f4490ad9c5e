/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the vector compares. */
#include "vector.h"

#define VC VECTOR_C
#include "../rows/vopc.inc"
