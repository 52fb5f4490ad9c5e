/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of DS instructions.
 */
#include "lower.h"

void amd_lower_ds(const AmdInst *inst, Uop *uop)
{
}
