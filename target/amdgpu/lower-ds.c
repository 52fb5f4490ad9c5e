/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of DS instructions: see exec/lds.h for what goes where.
 */
#include <stdlib.h>
#include "lower.h"
#include "mem-lanes.h"

static uint32_t register_or_none(uint16_t code)
{
    return code == OPERAND_NONE ? 0 : amd_register_offset(code);
}

/*
 * Bytes of an element in the LDS at an address in a VGPR, from the mnemonic's
 * type; 0 if the instruction has none.
 */
static unsigned element_bytes(const AmdInst *inst)
{
    const AmdInsn *row = &amd_insns[inst->op];

    switch (inst->op) {
    case AMD_ds_swizzle_b32:
    case AMD_ds_permute_b32:
    case AMD_ds_bpermute_b32:
        return 0;
    default:
        break;
    }
    if (row->flags & (INSN_SRC2 | INSN_NO_ADDR)) {
        return 0;
    }
    if (row->src[0] == T_pk16f) {
        return 4;
    }
    for (const char *p = strchr(row->name, '_'); p; p = strchr(p + 1, '_')) {
        if (strchr("biuf", p[1]) && g_ascii_isdigit(p[2])) {
            return strtoul(p + 2, NULL, 10) / 8;
        }
    }
    return 0;
}

void amd_lower_ds(const AmdInst *inst, Uop *uop)
{
    uint32_t flags = amd_insns[inst->op].flags;

    uop->src[0] = register_or_none(inst->addr);
    uop->src[1] = register_or_none(inst->data);
    uop->src[2] = register_or_none(inst->data1);
    uop->dst = register_or_none(inst->dst);
    uop->mods = (uint32_t)inst->offset | (uint32_t)inst->offset1 << 8;
    uop->kind[0] = element_bytes(inst);
    uop->kind[1] = (flags & INSN_TWO ? DS_TWO : 0) |
                   (flags & (INSN_STORE | INSN_ATOMIC) ? 0 : DS_LOADS);
    if (inst->gds) {
        uop->fn = amd_no_gds;
    }
}
