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
    case T_b96:
        return 3;
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

/* What a byte, a short or dwords are aligned to. */
static uint8_t unit_of(AmdOp op)
{
    switch (op) {
    case AMD_s_load_i8: case AMD_s_load_u8:
    case AMD_s_buffer_load_i8: case AMD_s_buffer_load_u8:
        return 1;
    case AMD_s_load_i16: case AMD_s_load_u16:
    case AMD_s_buffer_load_i16: case AMD_s_buffer_load_u16:
        return 2;
    default:
        return 4;
    }
}

static bool is_signed(AmdOp op)
{
    return op == AMD_s_load_i8 || op == AMD_s_load_i16 ||
           op == AMD_s_buffer_load_i8 || op == AMD_s_buffer_load_i16;
}

static uint32_t smem_flags(const AmdInst *inst, uint32_t row)
{
    return (inst->soffset != OPERAND_NONE ? SMEM_SOFFSET : 0) |
           (row & INSN_SCRATCH ? SMEM_SCRATCH : 0) |
           (row & INSN_BUFFER ? SMEM_BUFFER : 0) |
           (row & (INSN_STORE | INSN_ATOMIC) ? SMEM_STORE : 0) |
           (inst->glc ? SMEM_GLC : 0) |
           (is_signed(inst->op) ? SMEM_SIGNED : 0) |
           (inst->gen == GEN_12 ? SMEM_SCALED : 0);
}

void amd_lower_smem(const AmdInst *inst, Uop *uop)
{
    const AmdInsn *row = &amd_insns[inst->op];

    uop->kind[0] = dwords_of(row->dst);
    uop->kind[1] = unit_of(inst->op);
    uop->mods = smem_flags(inst, row->flags);
    uop->src[1] = offsetof(AmdWave, zero);
    if (inst->saddr != OPERAND_NONE) {
        uop->src[0] = amd_register_offset(inst->saddr);
    }
    if (inst->soffset != OPERAND_NONE) {
        uop->src[1] = amd_register_offset(inst->soffset);
    }
    uop->src[2] = (uint32_t)inst->offset & -(uint32_t)uop->kind[1];
    if (inst->data != OPERAND_NONE) {
        uop->dst = amd_result_offset(inst->data);
    }
}
