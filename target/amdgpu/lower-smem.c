/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of SMEM instructions: see smem.h for what goes where.
 */
#include "lower.h"
#include "smem.h"

static uint8_t dwords_of(AmdType type)
{
    switch (type) {
    case T_b32:
        return 1;
    case T_b64:
        return 2;
    case T_b128:
        return 4;
    case T_b256:
        return 8;
    case T_b512:
        return 16;
    default:
        return 0;
    }
}

static uint32_t smem_flags(const AmdInst *inst, uint32_t row)
{
    return (inst->soffset != OPERAND_NONE ? SMEM_SOFFSET : 0) |
           (row & INSN_SCRATCH ? SMEM_SCRATCH : 0) |
           (row & INSN_BUFFER ? SMEM_BUFFER : 0) |
           (row & (INSN_STORE | INSN_ATOMIC) ? SMEM_STORE : 0) |
           (inst->glc ? SMEM_GLC : 0);
}

void amd_lower_smem(const AmdInst *inst, Uop *uop)
{
    const AmdInsn *row = &amd_insns[inst->op];

    uop->kind[0] = dwords_of(row->dst);
    uop->mods = smem_flags(inst, row->flags);
    uop->src[1] = offsetof(AmdWave, zero);
    if (inst->saddr != OPERAND_NONE) {
        uop->src[0] = amd_register_offset(inst->saddr);
    }
    if (inst->soffset != OPERAND_NONE) {
        uop->src[1] = amd_register_offset(inst->soffset);
    }
    uop->src[2] = (uint32_t)inst->offset & ~3u;
    if (inst->data != OPERAND_NONE) {
        uop->dst = amd_result_offset(inst->data);
    }
}
