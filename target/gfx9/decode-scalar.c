/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar ALU and scalar memory instructions of gfx900.
 */
#include "decode-int.h"

/* These name registers, and take no constant for one. */
static bool takes_register_only(AmdOp op)
{
    switch (op) {
    case AMD_s_setpc_b64:
    case AMD_s_rfe_b64:
    case AMD_s_movrels_b32:
    case AMD_s_movrels_b64:
    case AMD_s_cbranch_join:
        return true;
    default:
        return false;
    }
}

static bool scalar_sources(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned allowed = takes_register_only(t->op) ?
                       OPND_SGPR | OPND_SPECIAL :
                       OPND_SCALAR_SRC | OPND_LITERAL;

    for (int i = 0; i < 2; i++) {
        AmdType type = d->insn->src[i];

        if (type == T_none) {
            t->src[i] = OPERAND_NONE;
        } else {
            t->nsrc = i + 1;
            if (!gfx9_operand(&t->src[i], amd_type_sizes[type], allowed)) {
                return false;
            }
        }
    }
    return amd_take_literal(d, 1);
}

static bool scalar_destination(Decode *d)
{
    if (d->insn->dst == T_none) {
        d->inst->dst = OPERAND_NONE;
        return true;
    }
    return gfx9_operand(&d->inst->dst, amd_type_sizes[d->insn->dst],
                        OPND_SGPR);
}

bool gfx9_finish_sop(Decode *d)
{
    return scalar_destination(d) && scalar_sources(d);
}

bool gfx9_finish_sopc(Decode *d)
{
    if (d->inst->op == AMD_s_set_gpr_idx_on) {
        d->inst->simm16 = d->inst->src[1];
    }
    return scalar_sources(d);
}

bool gfx9_finish_sopk(Decode *d)
{
    return scalar_destination(d) && amd_take_literal(d, 1);
}

/* Instructions without an operand have zero there, in LLVM at least. */
bool gfx9_finish_sopp(Decode *d)
{
    switch (d->inst->op) {
    case AMD_s_wakeup:
    case AMD_s_barrier:
    case AMD_s_icache_inv:
    case AMD_s_ttracedata:
    case AMD_s_endpgm_saved:
    case AMD_s_set_gpr_idx_off:
    case AMD_s_endpgm_ordered_ps_done:
        return d->inst->simm16 == 0;
    default:
        return true;
    }
}

/* sdata is any SGPR but m0 and exec (rule SM8). */
static bool smem_data(Decode *d)
{
    AmdInst *t = d->inst;

    return t->data < 124 &&
           gfx9_operand(&t->data, amd_type_sizes[d->insn->dst], OPND_SGPR);
}

/*
 * The offset (rules SM3 and SM4): without imm and soe, the register's number
 * is in the place of the immediate.
 */
static bool smem_offset(AmdInst *t)
{
    if (!t->imm) {
        if (!t->soe) {
            t->soffset = t->offset & 0x7f;
        }
        t->offset = 0;
    } else if (!t->soe) {
        t->soffset = OPERAND_NONE;
    }
    return t->soffset == OPERAND_NONE ||
           gfx9_operand(&t->soffset, 1, OPND_SGPR);
}

/* Cache control and the clocks have no address. */
static bool smem_is_bare(AmdOp op)
{
    switch (op) {
    case AMD_s_dcache_inv: case AMD_s_dcache_inv_vol:
    case AMD_s_dcache_wb: case AMD_s_dcache_wb_vol:
    case AMD_s_memtime: case AMD_s_memrealtime:
        return true;
    default:
        return false;
    }
}

static bool smem_bare(Decode *d)
{
    AmdInst *t = d->inst;

    if (t->imm) {
        return false;
    }
    t->saddr = t->soffset = OPERAND_NONE;
    t->offset = 0;
    t->soe = t->glc = false;
    if (d->insn->dst == T_none) {
        t->data = OPERAND_NONE;
        return true;
    }
    if (!smem_data(d)) {
        return false;
    }
    t->dst = t->data;
    return true;
}

bool gfx9_finish_smem(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned flags = d->insn->flags;

    if (smem_is_bare(t->op)) {
        return smem_bare(d);
    }
    if (!gfx9_operand(&t->saddr, flags & INSN_BUFFER ? 4 : 2, OPND_SGPR) ||
        !smem_offset(t)) {
        return false;
    }
    if (d->insn->dst == T_none) {
        t->glc = false;
        if (t->op == AMD_s_atc_probe || t->op == AMD_s_atc_probe_buffer) {
            t->simm16 = t->data; /* a mask of permissions */
        }
        t->data = OPERAND_NONE;
        return true;
    }
    if (!smem_data(d)) {
        return false;
    }
    if (!(flags & INSN_STORE) && (!(flags & INSN_ATOMIC) || t->glc)) {
        t->dst = t->data;
    }
    return true;
}
