/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of FLAT, GLOBAL and SCRATCH instructions.
 */
#include "lower.h"

void amd_lower_flat(const AmdInst *inst, Uop *uop)
{
}
