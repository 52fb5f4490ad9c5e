/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of SMEM instructions.
 */
#include "lower.h"

void amd_lower_smem(const AmdInst *inst, Uop *uop)
{
}
