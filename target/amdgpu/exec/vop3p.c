/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the packed 16-bit instructions. */
#include "handlers.h"
#include "operand.h"
