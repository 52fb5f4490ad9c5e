/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector ALU instructions of gfx900, in all their forms.
 */
#include "decode-int.h"

/*
 * Which bits of a form must be zero follows from an operation's operands:
 * absent sources, negation of what is no float, and so on.  The compiler works
 * it out, row by row, from the tables.
 */
typedef struct VectorRules {
    uint64_t vop3, sdwa, dpp; /* bits that must be zero */
} VectorRules;

#define IS_FLOAT(t) ((t) == T_f16 || (t) == T_f32 || (t) == T_f64)

/* If any source takes modifiers, the bits of all that there are pass. */
#define HAS_MODS(A, B, C, flags)                        \
    (IS_FLOAT(A) || IS_FLOAT(B) || IS_FLOAT(C) ||       \
     ((flags) & (INSN_FMODS | INSN_OPSEL)))

#define ZERO_UNLESS(allowed, bits) ((allowed) ? 0 : (bits))

#define ZERO_SOURCE(n, type, mods)                                        \
    (ZERO_UNLESS((type) != T_none, BITS(32 + 9 * (n), 9)) |               \
     ZERO_UNLESS((type) != T_none && (mods),                              \
                 BITS(8 + (n), 1) | BITS(61 + (n), 1)))

/* VOP3b has sdst in [14:8]; op_sel of an absent source must be zero. */
#define VOP3_RULE(D, A, B, C, flags, mods0, mods1, mods2, clamp)          \
    ((ZERO_SOURCE(0, A, mods0) | ZERO_SOURCE(1, B, mods1) |               \
      ZERO_SOURCE(2, C, mods2) |                                          \
      ZERO_UNLESS((D) != T_none, BITS(0, 8)) |                            \
      ZERO_UNLESS(!((flags) & INSN_OPSEL) || (C) != T_none, BITS(13, 1)) | \
      ZERO_UNLESS((clamp) || (flags) & INSN_CLAMP, BITS(15, 1)) |         \
      ZERO_UNLESS(IS_FLOAT(D) || (flags) & INSN_OMOD, BITS(59, 2))) &     \
     ~((flags) & INSN_CARRY_OUT ? BITS(8, 7) : 0))

/* A source in SDWA: floats have abs and neg, others sext. */
#define SDWA_SOURCE(low, type, flags)                                      \
    ((type) == T_none ? BITS(low, 6) | BITS((low) + 7, 1) :                \
     IS_FLOAT(type) || (flags) & INSN_FMODS ? BITS((low) + 3, 1) :         \
     BITS((low) + 4, 2))

#define SDWA_RULE(D, A, B, flags)                                          \
    (SDWA_SOURCE(48, A, flags) | SDWA_SOURCE(56, B, flags) |               \
     ZERO_UNLESS(IS_FLOAT(D) || (D) == T_mask, BITS(46, 2)))

#define DPP_RULE(A, B, mods)                                               \
    (ZERO_UNLESS(mods, BITS(52, 2)) |                                      \
     ZERO_UNLESS((mods) && (B) != T_none, BITS(54, 2)))

#define RULES(name, D, A, B, C, flags, mods)                               \
    [AMD_##name] = {                                                       \
        VOP3_RULE(D, A, B, C, flags, mods, mods, (mods) && (C) != T_mask,  \
                  IS_FLOAT(D) || ((mods) && !((flags) & INSN_FMODS))),     \
        SDWA_RULE(D, A, B, flags), DPP_RULE(A, B, mods) },
#define VECTOR(name, D, A, B, C, flags)                                    \
    RULES(name, D, A, B, C, flags, HAS_MODS(A, B, C, flags))

#define V1(name, D, A, flags, ...) \
    VECTOR(name, T_##D, T_##A, T_none, T_none, flags)
#define V2(name, D, A, B, flags, ...) \
    VECTOR(name, T_##D, T_##A, T_##B, T_none, flags)
#define V3(name, D, A, B, C, flags, ...) \
    VECTOR(name, T_##D, T_##A, T_##B, T_##C, flags)
#define VX(name, D, A, B, C, flags, ...) \
    VECTOR(name, T_##D, T_##A, T_##B, T_##C, flags)
/* v_cmp_class takes modifiers for the float alone, and no clamp. */
#define VC(name, A, B, flags, ...)                                         \
    [AMD_##name] = {                                                       \
        VOP3_RULE(T_mask, T_##A, T_##B, T_none, flags, IS_FLOAT(T_##A),    \
                  IS_FLOAT(T_##B), 0, IS_FLOAT(T_##B)),                    \
        SDWA_RULE(T_mask, T_##A, T_##B, flags),                            \
        BITS(0, 32) },

static const VectorRules rules[AMD_OP_COUNT] = {
#include "target/amdgpu/rows/valu.inc"
};

#include "target/amdgpu/rows/undef.inc"

enum {
    SRC0_SDWA = 249,
    SRC0_DPP = 250,
    SGPR_VCC = 106,
    SGPR_EXEC = 126,
};

static unsigned type_dwords(const Decode *d, int source)
{
    return amd_type_sizes[d->insn->src[source]];
}

static bool vector_destination(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned dwords = amd_type_sizes[d->insn->dst];

    if (d->insn->flags & INSN_SDST) {
        t->dst -= OPERAND_VGPR;
        return t->dst < 128 && gfx9_operand(&t->dst, dwords, OPND_SGPR);
    }
    if (dwords == 0) {
        t->dst = OPERAND_NONE;
        return true;
    }
    return amd_vgprs(t->dst, dwords);
}

/* A scalar result: an SGPR pair. */
static bool mask_destination(AmdInst *t, unsigned code)
{
    t->sdst = code;
    return code < 128 && gfx9_operand(&t->sdst, 2, OPND_SGPR);
}

/* The kinds that source @i may be, where the encoding leaves it open. */
static unsigned source_kinds(const Decode *d, int i)
{
    switch (d->inst->op) {
    case AMD_v_readfirstlane_b32:
        return OPND_VGPR | OPND_LDS;
    case AMD_v_readlane_b32:
        return i == 0 ? OPND_VGPR | OPND_LDS : OPND_SGPR | OPND_CONST |
                                               OPND_SPECIAL;
    case AMD_v_writelane_b32:
        return OPND_SCALAR_SRC;
    case AMD_v_swap_b32:
        return OPND_VGPR;
    case AMD_v_mqsad_u32_u8:
        return i == 2 ? OPND_VGPR : OPND_ANY;
    default:
        return OPND_ANY;
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
        return t->src[i] != SGPR_EXEC &&
               gfx9_operand(&t->src[i], 2, OPND_SGPR);
    }
    return gfx9_operand(&t->src[i], type_dwords(d, i), kinds);
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

static const Field sdwa_fields[] = {
    { FIELD_VGPR, 32, 8, MEMBER(src[0]) },
    { FIELD_U8, 48, 3, MEMBER(src_sel[0]) },
    { FIELD_U8, 56, 3, MEMBER(src_sel[1]) },
};

EXTRACTOR(sdwa)

static const Field sdwa_dst_fields[] = {
    { FIELD_U8, 40, 3, MEMBER(dst_sel) },
    { FIELD_U8, 43, 2, MEMBER(dst_unused) },
    { FIELD_U8, 45, 1, MEMBER(clamp) },
    { FIELD_U8, 46, 2, MEMBER(omod) },
};

EXTRACTOR(sdwa_dst)

/* Modifiers that SDWA and DPP have a pair of bits for, at @low and @low + 8. */
static unsigned pair_at(uint64_t bits, unsigned low, unsigned step)
{
    return bits_at(bits, low, 1) | bits_at(bits, low + step, 1) << 1;
}

/* The second dword of SDWA.  Selectors of 7 and unused of 3 are reserved. */
static bool take_sdwa(Decode *d, bool compare)
{
    AmdInst *t = d->inst;
    uint64_t bits = d->bits;

    if (d->count < 2 || (bits & rules[t->op].sdwa)) {
        return false;
    }
    t->form = FORM_SDWA;
    t->size = 8;
    sdwa_extract(bits, t);
    t->src_sext = pair_at(bits, 51, 8);
    t->neg = pair_at(bits, 52, 8);
    t->abs = pair_at(bits, 53, 8);
    if (bits_at(bits, 55, 1)) {
        t->src[0] -= OPERAND_VGPR;
    }
    if (d->insn->src[1] != T_none && bits_at(bits, 63, 1)) {
        t->src[1] -= OPERAND_VGPR;
    }
    if (compare) {
        return t->src_sel[0] < 7 && t->src_sel[1] < 7;
    }
    sdwa_dst_extract(bits, t);
    return t->src_sel[0] < 7 && t->src_sel[1] < 7 && t->dst_sel < 7 &&
           t->dst_unused < 3;
}

static bool is_dpp_ctrl(unsigned ctrl)
{
    if (ctrl <= 0xff) {
        return true; /* quad_perm */
    }
    if (ctrl > 0x100 && ctrl < 0x130) {
        return ctrl & 0xf; /* row_shl, row_shr, row_ror */
    }
    switch (ctrl) {
    case 0x130: case 0x134: case 0x138: case 0x13c: /* wave_... */
    case 0x140: case 0x141: /* row_mirror, row_half_mirror */
    case 0x142: case 0x143: /* row_bcast15, row_bcast31 */
        return true;
    default:
        return false;
    }
}

static const Field dpp_fields[] = {
    { FIELD_VGPR, 32, 8, MEMBER(src[0]) },
    { FIELD_U16, 40, 9, MEMBER(dpp_ctrl) },
    { FIELD_U8, 51, 1, MEMBER(bound_ctrl) },
    { FIELD_U8, 56, 4, MEMBER(bank_mask) },
    { FIELD_U8, 60, 4, MEMBER(row_mask) },
};

EXTRACTOR(dpp)

static bool take_dpp(Decode *d)
{
    AmdInst *t = d->inst;
    uint64_t bits = d->bits;

    if (d->count < 2 || (bits & rules[t->op].dpp)) {
        return false;
    }
    t->form = FORM_DPP;
    t->size = 8;
    dpp_extract(bits, t);
    t->neg = pair_at(bits, 52, 2);
    t->abs = pair_at(bits, 53, 2);
    return is_dpp_ctrl(t->dpp_ctrl);
}

/* Modifiers of what takes none are ignored; they must not be carried out. */
static void drop_modifiers(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned keep = 0;

    for (int i = 0; i < t->nsrc; i++) {
        if (IS_FLOAT(d->insn->src[i]) ||
            (d->insn->flags & INSN_FMODS && i < 2)) {
            keep |= 1u << i;
        }
    }
    t->neg &= keep;
    t->abs &= keep;
}

/* Operations that are not to be had in SDWA or DPP. */
static bool has_extra_dword_form(const Decode *d, unsigned form)
{
    const AmdInsn *insn = d->insn;
    AmdOp op = d->inst->op;

    for (int i = 0; i < 3; i++) {
        if (insn->src[i] != T_mask && type_dwords(d, i) > 1) {
            return false;
        }
    }
    if (insn->class == CLASS_VC) {
        return form == SRC0_SDWA;
    }
    if (amd_type_sizes[insn->dst] > 1 || insn->flags & INSN_LITERAL_K ||
        op == AMD_v_readfirstlane_b32 || op == AMD_v_swap_b32) {
        return false;
    }
    return form == SRC0_DPP || !(insn->flags & INSN_ACC);
}

/* Sources of the short encodings, after SDWA or DPP has been unfolded. */
static bool short_sources(Decode *d)
{
    AmdInst *t = d->inst;

    for (int i = 0; i < 3; i++) {
        unsigned kinds = source_kinds(d, i);

        if (t->form == FORM_PLAIN && kinds == OPND_ANY) {
            kinds |= OPND_LITERAL;
        }
        if (!vector_source(d, i, kinds)) {
            return false;
        }
    }
    drop_modifiers(d);
    return t->form != FORM_PLAIN || amd_take_literal(d, 1);
}

static bool unfold(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned form = t->src[0];

    if (form != SRC0_SDWA && form != SRC0_DPP) {
        return true;
    }
    if (!has_extra_dword_form(d, form)) {
        return false;
    }
    return form == SRC0_DPP ? take_dpp(d) :
           take_sdwa(d, d->insn->class == CLASS_VC);
}

bool gfx9_finish_vop1(Decode *d)
{
    AmdInst *t = d->inst;

    if (d->insn->src[0] == T_none) { /* v_nop, v_clrexcp: no operands */
        t->src[0] = OPERAND_NONE;
        return t->dst == OPERAND_VGPR && vector_destination(d);
    }
    return unfold(d) && vector_destination(d) && short_sources(d);
}

/* v_madmk has its constant between the sources, v_madak behind them. */
static void place_constant(AmdInst *t)
{
    if (t->op == AMD_v_madmk_f32 || t->op == AMD_v_madmk_f16) {
        t->src[2] = t->src[1];
        t->src[1] = OPERAND_LITERAL;
    } else {
        t->src[2] = OPERAND_LITERAL;
    }
}

bool gfx9_finish_vop2(Decode *d)
{
    if (d->insn->flags & INSN_LITERAL_K) {
        place_constant(d->inst);
    }
    implied_vcc(d);
    return unfold(d) && vector_destination(d) && short_sources(d);
}

bool gfx9_finish_vopc(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned mask = SGPR_VCC;

    if (!unfold(d)) {
        return false;
    }
    if (t->form == FORM_SDWA && bits_at(d->bits, 47, 1)) {
        mask = bits_at(d->bits, 40, 7);
    }
    if (!mask_destination(t, mask)) {
        return false;
    }
    t->dst = t->sdst;
    return short_sources(d);
}

static bool vop3_results(Decode *d)
{
    AmdInst *t = d->inst;

    if (d->insn->class == CLASS_VC) {
        if (!mask_destination(t, t->dst - OPERAND_VGPR)) {
            return false;
        }
        t->dst = t->sdst;
        return true;
    }
    if (d->insn->flags & INSN_CARRY_OUT) {
        t->abs = 0;
        if (!mask_destination(t, bits_at(d->bits, 8, 7))) {
            return false;
        }
    }
    return vector_destination(d);
}

static bool vop3_sources(Decode *d)
{
    for (int i = 0; i < 3; i++) {
        if (!vector_source(d, i, source_kinds(d, i))) {
            return false;
        }
    }
    return true;
}

bool gfx9_finish_vop3(Decode *d)
{
    AmdInst *t = d->inst;

    if (d->insn->class == CLASS_GFX) {
        return gfx9_finish_vintrp(d);
    }
    if ((d->bits & rules[t->op].vop3) || !vop3_results(d) ||
        !vop3_sources(d)) {
        return false;
    }
    if (bits_at(d->bits, 16, 10) < 448) {
        t->form = FORM_VOP3;
    }
    if (!(d->insn->flags & INSN_OPSEL)) {
        t->opsel = 0;
    }
    drop_modifiers(d);
    return true;
}

/*
 * The mixed ones have abs where the packed ones have neg_hi.  Bits of an
 * absent third source must be zero, but for op_sel_hi.
 */
bool gfx9_finish_vop3p(Decode *d)
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
    if (d->insn->class == CLASS_VX) {
        t->abs = t->neg_hi;
        t->neg_hi = 0;
    }
    return vector_destination(d) && vop3_sources(d);
}
