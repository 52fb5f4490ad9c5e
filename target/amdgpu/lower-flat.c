/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of FLAT, GLOBAL and SCRATCH instructions.
 */
#include "lower.h"
#include "mem-lanes.h"

/* What moves between registers and memory, by operation. */
#define NOSEM MEM_none
#define FG(name, D, A, flags, ...) [AMD_global_##name] = __VA_ARGS__,
#define FS(name, D, A, flags, ...) [AMD_scratch_##name] = __VA_ARGS__,
#define FA(name, D, A, flags, ...)       \
    [AMD_flat_##name] = __VA_ARGS__,     \
    [AMD_global_##name] = __VA_ARGS__,
#define FL(name, D, A, flags, ...)       \
    [AMD_flat_##name] = __VA_ARGS__,     \
    [AMD_global_##name] = __VA_ARGS__,   \
    [AMD_scratch_##name] = __VA_ARGS__,
static const uint8_t mem_op_of[AMD_OP_COUNT] = {
#include "rows/flat.inc"
};

static FlatForm form_of(const AmdInst *inst)
{
    if (amd_insns[inst->op].flags & INSN_NO_ADDR) {
        return ADDR_LANE;
    }
    if (inst->family == FAM_SCRATCH) {
        return inst->addr == OPERAND_NONE ? ADDR_SGPR : ADDR_VGPR;
    }
    return inst->saddr == OPERAND_NONE ? ADDR_VGPR : ADDR_SGPR;
}

void amd_lower_flat(const AmdInst *inst, Uop *uop)
{
    uop->kind[0] = form_of(inst);
    uop->kind[1] = mem_op_of[inst->op];
    uop->mods = (uint32_t)inst->offset;
    uop->src[2] = offsetof(AmdWave, zero);
    if (inst->addr != OPERAND_NONE) {
        uop->src[0] = amd_register_offset(inst->addr);
    }
    if (inst->data != OPERAND_NONE) {
        uop->src[1] = amd_register_offset(inst->data);
    }
    if (inst->saddr != OPERAND_NONE) {
        uop->src[2] = amd_register_offset(inst->saddr);
    }
    if (inst->dst != OPERAND_NONE) {
        uop->dst = amd_register_offset(inst->dst);
        uop->kind[2] |= MEM_RESULT;
    }
    if (inst->lds) {
        uop->kind[2] |= MEM_TO_LDS;
    }
    if (inst->family == FAM_SCRATCH && inst->gen == GEN_12) {
        uop->kind[2] |= MEM_SIGNED; /* LLVM, AMDGPUISelDAGToDAG */
    }
}
