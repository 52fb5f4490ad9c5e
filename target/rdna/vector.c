/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vector.h"

static bool is_float(unsigned type)
{
    return type == T_f16 || type == T_f32 || type == T_f64 ||
           type == T_pk16f;
}

bool rdna_takes_opsel(const AmdInsn *insn)
{
    return insn->flags & INSN_OPSEL || rdna_is_half(insn->dst) || rdna_is_half(insn->src[0]) ||
           rdna_is_half(insn->src[1]) || rdna_is_half(insn->src[2]);
}

uint64_t rdna_byte_zero_bits(AmdOp op, bool dpp)
{
    enum { OP_SEL = 11, CLAMP = 15, OMOD = 59 };

    switch (op) {
    case AMD_v_cvt_f32_fp8: case AMD_v_cvt_f32_bf8: /* op_sel[1:0]: byte */
        return BITS(OP_SEL + 2, 2) | BITS(CLAMP, 1) | BITS(OMOD, 2);
    case AMD_v_cvt_pk_f32_fp8: case AMD_v_cvt_pk_f32_bf8: /* [0]: half */
        return BITS(OP_SEL + 1, 2);
    case AMD_v_cvt_sr_fp8_f32: case AMD_v_cvt_sr_bf8_f32: /* [3:2]: byte */
        return (dpp ? 0 : BITS(OP_SEL, 2)) | BITS(CLAMP, 1);
    default:
        return 0;
    }
}

bool rdna_has_modifiers(const AmdInsn *insn)
{
    return is_float(insn->src[0]) || is_float(insn->src[1]) ||
           is_float(insn->src[2]) ||
           insn->flags & (INSN_FMODS | INSN_OPSEL);
}

/* gfx11: op_sel says which halves a 16-bit result goes to. */
static bool old_matrix_modifiers(AmdInst *t)
{
    if (t->op == AMD_v_wmma_f16_16x16x16_f16 ||
        t->op == AMD_v_wmma_bf16_16x16x16_bf16) {
        return true;
    }
    t->opsel_hi = 7;
    return t->opsel == 0;
}

/*
 * gfx12: factors of 16 bits may be negated, integers be signed, sums of floats
 * negated.  op_sel of sparse ones says which part of a register has a lane's
 * indices, each of 2 bits for each of its elements of A: one of two parts, or
 * of four in waves of 64 lanes.
 */
static bool new_matrix_modifiers(const AmdInst *t)
{
    const char *name = amd_insns[t->op].name;
    bool sparse = t->op >= AMD_v_swmmac_f32_16x16x32_f16;
    unsigned sum = sparse ? 0 : 4;
    unsigned neg = 3 | sum, neg_hi = neg;
    unsigned opsel = !sparse ? 0 : t->wave32 ? 1 : 3;

    if (strstr(name, "_iu")) {
        neg = 3;
        neg_hi = 0;
        opsel = t->op == AMD_v_swmmac_i32_16x16x32_iu8 ? opsel :
                sparse && (t->op == AMD_v_swmmac_i32_16x16x32_iu4 ||
                           !t->wave32);
    } else if (strstr(name, "f8")) {
        neg = neg_hi = sum;
    }
    return t->opsel_hi == 7 && !(t->neg & ~neg) && !(t->neg_hi & ~neg_hi) &&
           !(t->opsel & ~opsel);
}

bool rdna_matrix_modifiers(Decode *d)
{
    AmdInst *t = d->inst;
    bool dot = t->op >= AMD_v_dot4_f32_fp8_bf8 &&
               t->op <= AMD_v_dot4_f32_bf8_bf8;

    if (!dot && !amd_is_matrix(t->op)) {
        return true;
    }
    if (t->clamp && !(d->insn->flags & INSN_CLAMP)) {
        return false;
    }
    return d->target->gen == GEN_12 ? new_matrix_modifiers(t) :
                                      old_matrix_modifiers(t);
}

/* Operations on the whole wave, or with too many operands. */
static bool lacks_dpp(AmdOp op)
{
    switch (op) {
    case AMD_v_nop: case AMD_v_pipeflush:
    case AMD_v_readfirstlane_b32: case AMD_v_readlane_b32:
    case AMD_v_writelane_b32:
    case AMD_v_swap_b32: case AMD_v_swaprel_b32:
    case AMD_v_permlane64_b32:
    case AMD_v_permlane16_b32: case AMD_v_permlanex16_b32:
    case AMD_v_permlane16_var_b32: case AMD_v_permlanex16_var_b32:
    case AMD_v_fmac_dx9_zero_f32: case AMD_v_fma_dx9_zero_f32:
    case AMD_v_div_fixup_f32: case AMD_v_div_fmas_f32:
    case AMD_v_div_scale_f32:
    case AMD_v_mul_lo_u32: case AMD_v_mul_hi_u32: case AMD_v_mul_hi_i32:
        return true;
    default:
        return false;
    }
}

/* Packed arithmetic has none but the mixed ones and this dot product. */
static bool packed_has_dpp(const Decode *d)
{
    return d->inst->op == AMD_v_dot2_f32_f16 || amd_is_mixed(d->insn);
}

bool rdna_has_dpp(const Decode *d)
{
    const AmdInsn *insn = d->insn;

    if (insn->flags & (INSN_LITERAL_K | INSN_SDST) || lacks_dpp(d->inst->op)) {
        return false;
    }
    if (d->inst->family == FAM_VOP3P) {
        return packed_has_dpp(d);
    }
    for (int i = 0; i < 3; i++) {
        if (rdna_dwords(d, insn->src[i]) > 1 && insn->src[i] != T_mask) {
            return false;
        }
    }
    return insn->class == CLASS_VC || amd_type_sizes[insn->dst] <= 1;
}

void rdna_place_constant(AmdOp op, uint16_t *src)
{
    if (op == AMD_v_fmamk_f32 || op == AMD_v_fmamk_f16) {
        src[2] = src[1];
        src[1] = OPERAND_LITERAL;
    } else {
        src[2] = OPERAND_LITERAL;
    }
}
