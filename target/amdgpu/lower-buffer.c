/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering of buffer instructions.
 */
#include "buffer.h"
#include "lower.h"
#include "mem-lanes.h"

/* What moves between registers and memory, by operation. */
#define NOSEM MEM_none
#define MB(name, D, flags, ...) [AMD_##name] = __VA_ARGS__,
static const uint8_t mem_op_of[AMD_OP_COUNT] = {
#include "rows/buffer.inc"
};

static unsigned layout_of(const AmdInst *t)
{
    return t->gen == GEN_12 ? BUFFER_GFX12 :
           t->gen == GEN_11 ? BUFFER_GFX11 : BUFFER_GFX9;
}

static unsigned flags_of(const AmdInst *t)
{
    return (t->dst != OPERAND_NONE ? MEM_RESULT : 0) |
           (t->lds ? MEM_TO_LDS : 0) | (t->offen ? MEM_OFFEN : 0) |
           (t->idxen ? MEM_IDXEN : 0) | (t->tfe ? MEM_TFE : 0) |
           (t->family == FAM_MTBUF || t->typed ? MEM_TYPED : 0) | layout_of(t) << MEM_LAYOUT;
}

void amd_lower_buffer(const AmdInst *inst, Uop *uop)
{
    uint8_t dfmt = inst->dfmt, nfmt = inst->nfmt;

    if (inst->saddr == OPERAND_NONE) { /* orders memory, has no operands */
        return;
    }
    uop->kind[0] = flags_of(inst);
    uop->kind[2] = mem_op_of[inst->op];
    amd_lower_source(inst, uop, 1, inst->soffset, T_b32);
    uop->src[2] = amd_register_offset(inst->saddr);
    if (inst->addr != OPERAND_NONE) {
        uop->src[0] = amd_register_offset(inst->addr);
    }
    if (inst->data != OPERAND_NONE) {
        uop->dst = amd_register_offset(inst->data);
    }
    if (inst->gen != GEN_9) {
        amd_unified_format(inst->dfmt, &dfmt, &nfmt);
    }
    uop->mods = ((uint32_t)inst->offset & 0xffffff) << BUF_OFFSET |
                (uint32_t)dfmt << BUF_DFMT | (uint32_t)nfmt << BUF_NFMT;
}
