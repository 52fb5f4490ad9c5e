/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of memory instructions.
 */
#include "lower.h"

void amd_lower_memory(const AmdInst *inst, Uop *uop)
{
}
