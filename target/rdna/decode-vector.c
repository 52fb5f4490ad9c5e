/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector ALU instructions of gfx11 and gfx12, in all their forms but pairs.
 */
#include "target/amdgpu/fields-vector.h"
#include "vector.h"

enum {
    SRC0_DPP8 = 233,
    SRC0_DPP8_FI = 234,
    SRC0_DPP16 = 250,
    SGPR_VCC = 106,
    SGPR_EXEC = 126,
    VOP3_NATIVE = 512, /* opcodes below are those of the short encodings */
};

/* ---- operands ---- */

static bool is_float(unsigned type)
{
    return type == T_f16 || type == T_f32 || type == T_f64 ||
           type == T_pk16f;
}

/* A scalar result, of one register or a pair. */
static bool mask_destination(Decode *d, unsigned code)
{
    d->inst->sdst = code;
    return code < 128 &&
           rdna_operand(&d->inst->sdst, rdna_dwords(d, T_mask), OPND_SGPR);
}

static bool vector_destination(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned dwords = amd_operand_dwords(d->inst, d->insn->dst);

    if (d->insn->flags & INSN_SDST) {
        t->dst -= OPERAND_VGPR;
        return t->dst < 128 && rdna_operand(&t->dst, dwords, OPND_SGPR);
    }
    if (dwords == 0) {
        t->dst = OPERAND_NONE;
        return true;
    }
    return amd_vgprs(t->dst, dwords);
}

/* The kinds that source @i may be, where the encoding leaves it open. */
static unsigned source_kinds(const Decode *d, int i)
{
    switch (d->inst->op) {
    case AMD_v_readfirstlane_b32:
        return OPND_VGPR | OPND_LDS;
    case AMD_v_readlane_b32:
        return i == 0 ? OPND_VGPR | OPND_LDS : OPND_SCALAR_SRC;
    case AMD_v_permlane16_b32:
    case AMD_v_permlanex16_b32:
        return i == 0 ? OPND_VGPR : OPND_SCALAR_SRC;
    case AMD_v_permlane16_var_b32:
    case AMD_v_permlanex16_var_b32:
    case AMD_v_permlane64_b32:
        return OPND_VGPR;
    case AMD_v_writelane_b32:
        return OPND_SCALAR_SRC;
    case AMD_v_swap_b32:
    case AMD_v_swaprel_b32:
    case AMD_v_movrels_b32:
    case AMD_v_movrelsd_b32:
    case AMD_v_movrelsd_2_b32:
        return OPND_VGPR;
    case AMD_v_mqsad_u32_u8:
        return i == 2 ? OPND_VGPR : OPND_ANY;
    default:
        if (d->insn->flags & INSN_SDST) {
            return OPND_SCALAR_SRC;
        }
        return amd_is_matrix(d->inst->op) ?
               (i == 2 ? OPND_VGPR | OPND_CONST : OPND_VGPR) : OPND_ANY;
    }
}

static bool vector_source(Decode *d, int i, unsigned kinds)
{
    AmdInst *t = d->inst;

    if (d->insn->src[i] == T_none) {
        t->src[i] = OPERAND_NONE;
        return true;
    }
    t->nsrc = i + 1;
    if (d->insn->src[i] == T_mask) {
        kinds = t->src[i] == SGPR_EXEC ? 0 : OPND_SGPR;
    }
    return rdna_operand(&t->src[i], amd_operand_dwords(t, d->insn->src[i]),
                        kinds);
}

/* Modifiers of what takes none are ignored; they must not be carried out. */
static void drop_modifiers(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned keep = 0;

    for (int i = 0; i < t->nsrc; i++) {
        if (is_float(d->insn->src[i]) ||
            (d->insn->flags & INSN_FMODS && i < 2) ||
            rdna_is_dot2(t->op) ||
            (t->op == AMD_v_ldexp_f16 && t->family == FAM_VOP3)) {
            keep |= 1u << i;
        }
    }
    t->neg &= keep;
    t->abs &= keep;
}

/* ---- DPP ---- */

static bool is_dpp(unsigned src0)
{
    return src0 == SRC0_DPP8 || src0 == SRC0_DPP8_FI || src0 == SRC0_DPP16;
}

static bool is_dpp16_ctrl(unsigned ctrl)
{
    if (ctrl <= 0xff) {
        return true; /* quad_perm */
    }
    if (ctrl > 0x100 && ctrl < 0x130) {
        return ctrl & 0xf; /* row_shl, row_shr, row_ror */
    }
    return ctrl == 0x140 || ctrl == 0x141 || /* row_mirror, row_half_mirror */
           (ctrl >= 0x150 && ctrl <= 0x16f); /* row_share, row_xmask */
}

static const Field dpp16_fields[] = {
    { FIELD_VGPR, 0, 8, MEMBER(src[0]) },
    { FIELD_U16, 8, 9, MEMBER(dpp_ctrl) },
    { FIELD_U8, 18, 1, MEMBER(fi) },
    { FIELD_U8, 19, 1, MEMBER(bound_ctrl) },
    { FIELD_U8, 24, 4, MEMBER(bank_mask) },
    { FIELD_U8, 28, 4, MEMBER(row_mask) },
};

EXTRACTOR(dpp16)

/* Bits of the dword that negate sources, of short encodings only. */
static bool dpp16_modifiers(Decode *d, uint32_t word)
{
    const AmdInsn *insn = d->insn;
    AmdInst *t = d->inst;
    bool mods = rdna_has_modifiers(insn) || t->op == AMD_v_mov_b16;

    t->neg = bits_at(word, 20, 1) | bits_at(word, 22, 1) << 1;
    t->abs = bits_at(word, 21, 1) | bits_at(word, 23, 1) << 1;
    if (insn->class == CLASS_VC) {
        unsigned allowed = is_float(insn->src[0]) |
                           is_float(insn->src[1]) << 1;

        return !((t->neg | t->abs) & ~allowed);
    }
    return !((t->neg | t->abs) & ~(mods ? insn->src[1] ? 3 : 1 : 0));
}

/* The dword that src0 asks for; it lies behind @dwords dwords. */
static bool take_dpp(Decode *d, unsigned dwords)
{
    AmdInst *t = d->inst;
    unsigned form = t->src[0];
    uint32_t word;

    if (!is_dpp(form)) {
        return true;
    }
    if (d->count <= dwords || !rdna_has_dpp(d)) {
        return false;
    }
    word = d->words[dwords];
    t->size += 4;
    if (form == SRC0_DPP16) {
        t->form = FORM_DPP16;
        dpp16_extract(word, t);
        return is_dpp16_ctrl(t->dpp_ctrl) &&
               (dwords > 1 || dpp16_modifiers(d, word));
    }
    t->form = FORM_DPP8;
    t->src[0] = (word & 0xff) + OPERAND_VGPR;
    t->dpp8 = word >> 8;
    t->fi = form == SRC0_DPP8_FI;
    return true;
}

/* ---- short encodings ---- */

/*
 * A 16-bit VGPR of the short encodings is half of one of v0 to v127, bit 7 says
 * which.
 */
static void take_half(AmdInst *t, uint16_t *code, unsigned type, unsigned bit)
{
    enum { HIGH = 1 << 7 };

    if (rdna_is_half(type) && *code != OPERAND_NONE &&
        *code >= OPERAND_VGPR && (*code - OPERAND_VGPR) & HIGH) {
        *code -= HIGH;
        t->opsel |= 1u << bit;
    }
}

static void take_halves(Decode *d)
{
    AmdInst *t = d->inst;

    for (int i = 0; i < t->nsrc; i++) {
        take_half(t, &t->src[i], d->insn->src[i], i);
    }
    if (d->insn->class != CLASS_VC) {
        take_half(t, &t->dst, d->insn->dst, 3);
    }
}

static bool short_sources(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned kinds;

    for (int i = 0; i < 3; i++) {
        kinds = source_kinds(d, i);
        if (t->form == FORM_PLAIN && kinds == OPND_ANY) {
            kinds |= OPND_LITERAL;
        }
        if (!vector_source(d, i, kinds)) {
            return false;
        }
    }
    drop_modifiers(d);
    take_halves(d);
    return t->form != FORM_PLAIN || amd_take_literal(d, 1);
}

/* vcc is written by compares and carries, and read by the latter. */
static void implied_vcc(Decode *d)
{
    if (d->insn->flags & INSN_CARRY_OUT) {
        d->inst->sdst = SGPR_VCC;
    }
    if (d->insn->flags & INSN_CARRY_IN) {
        d->inst->src[2] = SGPR_VCC;
    }
}

static bool finish_vop1(Decode *d)
{
    AmdInst *t = d->inst;

    if (d->insn->src[0] == T_none) { /* v_nop, v_pipeflush: no operands */
        t->src[0] = OPERAND_NONE;
        return t->dst == OPERAND_VGPR && vector_destination(d);
    }
    return take_dpp(d, 1) && vector_destination(d) && short_sources(d);
}

static bool finish_vop2(Decode *d)
{
    if (d->insn->flags & INSN_LITERAL_K) {
        rdna_place_constant(d->inst->op, d->inst->src);
    }
    implied_vcc(d);
    return take_dpp(d, 1) && vector_destination(d) && short_sources(d);
}

/* A compare's result: none but EXEC for v_cmpx. */
static bool compare_destination(Decode *d, unsigned code)
{
    AmdInst *t = d->inst;

    if (d->insn->flags & INSN_CMPX) {
        t->sdst = OPERAND_NULL;
    } else if (!mask_destination(d, code)) {
        return false;
    }
    t->dst = t->sdst;
    return true;
}

static bool finish_vopc(Decode *d)
{
    return take_dpp(d, 1) && compare_destination(d, SGPR_VCC) &&
           short_sources(d);
}

/* ---- VOP3 ---- */

/*
 * Which bits must be zero follows from an operation's operands: absent sources,
 * negation of what is no float, and so on.
 */
static uint64_t vop3_zero_bits(const Decode *d)
{
    const AmdInsn *insn = d->insn;
    bool compare = insn->class == CLASS_VC;
    bool mods = rdna_has_modifiers(insn);
    bool pair = d->inst->op == AMD_v_cvt_pk_f32_fp8 ||
                d->inst->op == AMD_v_cvt_pk_f32_bf8;
    bool clamp = compare ? is_float(insn->src[1]) : pair ||
                 is_float(insn->dst) || insn->flags & INSN_CLAMP ||
                 (mods && !(insn->flags & INSN_FMODS));
    bool omod = (is_float(insn->dst) && !rdna_is_dot2(d->inst->op)) ||
                insn->flags & INSN_OMOD || pair;
    bool halves = insn->flags & INSN_OPSEL || d->inst->op == AMD_v_fmac_f16;
    uint64_t zero = halves && insn->src[2] == T_none ? BITS(13, 1) : 0;

    if (rdna_is_dot2(d->inst->op) || d->inst->op == AMD_v_cvt_pk_fp8_f32 ||
        d->inst->op == AMD_v_cvt_pk_bf8_f32 ||
        (insn->dst == T_b32 && insn->src[0] == T_b32)) {
        clamp = false;
    }

    for (int i = 0; i < 3; i++) {
        unsigned type = insn->src[i];
        bool negated = compare ? is_float(type) : mods && type != T_mask;

        zero |= type == T_none ? BITS(32 + 9 * i, 9) : 0;
        zero |= type == T_none || !negated ? BITS(8 + i, 1) | BITS(61 + i, 1) :
                0;
    }
    zero |= insn->dst == T_none ? BITS(0, 8) : 0;
    zero |= clamp ? 0 : BITS(15, 1);
    zero |= omod ? 0 : BITS(59, 2);
    zero |= rdna_byte_zero_bits(d->inst->op, is_dpp(d->inst->src[0]));
    return insn->flags & INSN_CARRY_OUT ? zero & ~BITS(8, 7) : zero;
}

static bool vop3_results(Decode *d)
{
    AmdInst *t = d->inst;

    if (d->insn->class == CLASS_VC) {
        return compare_destination(d, t->dst - OPERAND_VGPR);
    }
    if (d->insn->flags & INSN_CARRY_OUT) {
        t->abs = t->opsel = 0;
        if (!mask_destination(d, bits_at(d->bits, 8, 7))) {
            return false;
        }
    }
    return vector_destination(d);
}

static bool vop3_sources(Decode *d)
{
    bool dpp = d->inst->form == FORM_DPP16 || d->inst->form == FORM_DPP8;

    for (int i = 0; i < 3; i++) {
        unsigned kinds = source_kinds(d, i);

        if (!dpp && kinds & OPND_CONST) {
            kinds |= OPND_LITERAL;
        }
        if (dpp && i == 1 && amd_is_mixed(d->insn) &&
            d->inst->family == FAM_VOP3P) {
            kinds = OPND_VGPR;
        }
        if (!vector_source(d, i, kinds)) {
            return false;
        }
    }
    return dpp || amd_take_literal(d, 2);
}

static bool finish_vop3(Decode *d)
{
    AmdInst *t = d->inst;

    t->promoted = bits_at(d->bits, 16, 10) < VOP3_NATIVE;
    t->form = t->promoted ? FORM_VOP3 : FORM_PLAIN;
    if (d->bits & vop3_zero_bits(d) || !take_dpp(d, 2) || !vop3_results(d) ||
        !vop3_sources(d)) {
        return false;
    }
    if (rdna_byte_zero_bits(t->op, false)) {
        t->opsel = bits_at(d->bits, 11, 4);
    } else if (!rdna_takes_opsel(d->insn)) {
        t->opsel = 0;
    } else if (rdna_is_dot2(t->op)) {
        t->opsel &= 0xc; /* of the packed sources both halves are used */
    }
    drop_modifiers(d);
    return true;
}

/* ---- VOP3P ---- */

static bool finish_vop3p(Decode *d)
{
    AmdInst *t = d->inst;

    t->opsel_hi |= bits_at(d->bits, 14, 1) << 2;
    if (d->insn->src[2] == T_none) {
        if (d->bits & (BITS(10, 1) | BITS(13, 1) | BITS(50, 9) |
                       BITS(63, 1))) {
            return false;
        }
        t->opsel_hi &= 3;
    }
    if (amd_is_mixed(d->insn)) {
        t->abs = t->neg_hi;
        t->neg_hi = 0;
    }
    return rdna_matrix_modifiers(d) && take_dpp(d, 2) && vector_destination(d) &&
           vop3_sources(d);
}

const RdnaEncoding rdna_vop1 = { OPCODES(VOP1), 1, 9, 8, vop1_extract,
                                 finish_vop1 };
const RdnaEncoding rdna_vop2 = { OPCODES(VOP2), 1, 25, 6, vop2_extract,
                                 finish_vop2 };
const RdnaEncoding rdna_vopc = { OPCODES(VOPC), 1, 17, 8, vopc_extract,
                                 finish_vopc };
const RdnaEncoding rdna_vop3 = { OPCODES(VOP3), 2, 16, 10, vop3_extract,
                                 finish_vop3 };
const RdnaEncoding rdna_vop3p = { OPCODES(VOP3P), 2, 16, 7, vop3p_extract,
                                  finish_vop3p };
