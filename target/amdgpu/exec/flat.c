/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the FLAT, GLOBAL and SCRATCH instructions. */
#include "handlers.h"
#include "operand.h"
