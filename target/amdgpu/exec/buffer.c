/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the buffer instructions. */
#include "handlers.h"
#include "operand.h"
