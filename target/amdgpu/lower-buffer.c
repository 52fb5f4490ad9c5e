/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of buffer instructions.
 */
#include "lower.h"

void amd_lower_buffer(const AmdInst *inst, Uop *uop)
{
}
