/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the scalar memory instructions. */
#include "handlers.h"
#include "operand.h"
