/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of DS instructions: see exec/lds.h for what goes where.
 */
#include "lower.h"

static uint32_t register_or_none(uint16_t code)
{
    return code == OPERAND_NONE ? 0 : amd_register_offset(code);
}

void amd_lower_ds(const AmdInst *inst, Uop *uop)
{
    uop->src[0] = register_or_none(inst->addr);
    uop->src[1] = register_or_none(inst->data);
    uop->src[2] = register_or_none(inst->data1);
    uop->dst = register_or_none(inst->dst);
    uop->mods = (uint32_t)inst->offset | (uint32_t)inst->offset1 << 8;
    if (inst->gds) { /* there is no global data share */
        uop->fn = amd_unimplemented;
    }
}
