/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of memory instructions: to the class's own file.
 */
#include "lower.h"

void amd_lower_memory(const AmdInst *inst, Uop *uop)
{
    switch (amd_insns[inst->op].class) {
    case CLASS_SMEM:
        amd_lower_smem(inst, uop);
        break;
    case CLASS_DS:
        amd_lower_ds(inst, uop);
        break;
    case CLASS_FLAT:
        amd_lower_flat(inst, uop);
        break;
    default:
        amd_lower_buffer(inst, uop);
        break;
    }
}
