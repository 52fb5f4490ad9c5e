/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar ALU instructions of gfx11 and gfx12.
 */
#include "decode-int.h"
#include "target/amdgpu/fields-scalar.h"

/* These name registers, and take no constant for one. */
static bool takes_register_only(AmdOp op)
{
    switch (op) {
    case AMD_s_setpc_b64:
    case AMD_s_rfe_b64:
    case AMD_s_movrels_b32:
    case AMD_s_movrels_b64:
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
            continue;
        }
        t->nsrc = i + 1;
        if (!rdna_operand(&t->src[i], amd_type_sizes[type], allowed)) {
            return false;
        }
    }
    return true;
}

static bool scalar_destination(Decode *d)
{
    if (d->insn->dst == T_none) {
        d->inst->dst = OPERAND_NONE;
        return true;
    }
    return rdna_operand(&d->inst->dst, amd_type_sizes[d->insn->dst],
                        OPND_SGPR);
}

/* The constant of s_fmamk is between the sources, of s_fmaak behind them. */
static void place_constant(AmdInst *t)
{
    if (t->op == AMD_s_fmamk_f32) {
        t->src[2] = t->src[1];
        t->src[1] = OPERAND_LITERAL;
    } else {
        t->src[2] = OPERAND_LITERAL;
    }
    t->nsrc = 3;
}

static bool finish_sop(Decode *d)
{
    if (!scalar_destination(d) || !scalar_sources(d)) {
        return false;
    }
    if (d->insn->flags & INSN_LITERAL_K) {
        place_constant(d->inst);
    }
    return amd_take_literal(d, 1);
}

/* The source of s_sendmsg_rtn is a number. */
static bool finish_sop1(Decode *d)
{
    if (d->inst->op == AMD_s_sendmsg_rtn_b32 ||
        d->inst->op == AMD_s_sendmsg_rtn_b64) {
        d->inst->simm16 = d->inst->src[0];
    }
    return finish_sop(d);
}

static bool finish_sopc(Decode *d)
{
    return scalar_sources(d) && amd_take_literal(d, 1);
}

static bool finish_sopk(Decode *d)
{
    return scalar_destination(d) && amd_take_literal(d, 1);
}

/* Instructions without an operand have zero there, in LLVM at least. */
static bool finish_sopp(Decode *d)
{
    switch (d->inst->op) {
    case AMD_s_wakeup:
    case AMD_s_barrier:
    case AMD_s_barrier_leave:
    case AMD_s_icache_inv:
    case AMD_s_ttracedata:
    case AMD_s_endpgm_saved:
    case AMD_s_wait_idle:
    case AMD_s_code_end:
        return d->inst->simm16 == 0;
    default:
        return true;
    }
}

const RdnaEncoding rdna_sop1 = { OPCODES(SOP1), 1, 8, 8, sop1_extract,
                                 finish_sop1 };
const RdnaEncoding rdna_sop2 = { OPCODES(SOP2), 1, 23, 7, sop2_extract,
                                 finish_sop };
const RdnaEncoding rdna_sopc = { OPCODES(SOPC), 1, 16, 7, sopc_extract,
                                 finish_sopc };
const RdnaEncoding rdna_sopk = { OPCODES(SOPK), 1, 23, 5, sopk_extract,
                                 finish_sopk };
const RdnaEncoding rdna_sopp = { OPCODES(SOPP), 1, 16, 7, sopp_extract,
                                 finish_sopp };
