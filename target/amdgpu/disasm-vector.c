/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: vector ALU.
 */
#include "disasm-int.h"

/*
 * v_ldexp_f16 and v_cmp_class_f16 have a 16-bit integer beside the float; LLVM
 * prints constants there as if it was one, too.
 */
static AmdType printed_type(const AmdInst *inst, const AmdInsn *insn, int i)
{
    if (inst->family == FAM_VOP3P && amd_is_mixed(insn) &&
        inst->gen != GEN_9) {
        return T_f16;
    }
    if (inst->op == AMD_v_dot2_bf16_bf16 && i == 2) {
        return T_f16;
    }
    if (inst->gen != GEN_9 && insn->class == CLASS_VC &&
        insn->src[i] == T_b16) {
        return T_b32;
    }
    return i == 1 && insn->src[0] == T_f16 ? T_f16 : (AmdType)insn->src[i];
}

/*
 * Which half of a register a 16-bit operand of gfx11 or gfx12 is.  LLVM 19 says
 * so for v_mov_b16; of others in the short encodings it does not know high
 * halves, so that those alone show what they are.
 */
static void text_half(Text *text, const AmdInst *inst, unsigned code,
                      AmdType type, bool high)
{
    bool shown = inst->op == AMD_v_mov_b16;

    if (inst->gen == GEN_9 || inst->family == FAM_VOP3P ||
        code < OPERAND_VGPR || code == OPERAND_NONE ||
        (type != T_b16 && type != T_u16 && type != T_i16 && type != T_f16)) {
        return;
    }
    if (inst->family != FAM_VOP3) {
        shown |= inst->opsel != 0;
    } else {
        high = false; /* op_sel says so */
    }
    if (shown) {
        amd_text(text, high ? ".h" : ".l");
    }
}

static void text_source(Text *text, const AmdInst *inst, int i)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    unsigned code = inst->src[i];
    bool neg = inst->neg >> i & 1 && inst->family != FAM_VOP3P;
    bool abs = inst->abs >> i & 1;
    bool sext = inst->form == FORM_SDWA && inst->src_sext >> i & 1;
    /* -4 is a constant of its own. */
    bool call = neg && !abs && amd_is_constant(code);

    if (inst->family == FAM_VOP3P && amd_is_mixed(insn)) {
        neg = inst->neg >> i & 1;
        call = neg && !abs && amd_is_constant(code);
    }
    amd_text(text, "%s%s%s", call ? "neg(" : neg ? "-" : "",
             abs ? "|" : "", sext ? "sext(" : "");
    if (i > 0 && insn->flags & INSN_LITERAL_K && code == OPERAND_LITERAL) {
        amd_text(text, "0x%x", inst->literal);
    } else {
        amd_text_operand(text, inst, code, printed_type(inst, insn, i));
        text_half(text, inst, code, insn->src[i], inst->opsel >> i & 1);
    }
    amd_text(text, "%s%s%s", sext ? ")" : "", abs ? "|" : "",
             call ? ")" : "");
}

static void text_bits(Text *text, const char *name, unsigned bits,
                      unsigned count)
{
    amd_text(text, " %s:[", name);
    for (unsigned i = 0; i < count; i++) {
        amd_text(text, "%s%u", i ? "," : "", bits >> i & 1);
    }
    amd_text(text, "]");
}

/* Packed arithmetic: op_sel_hi is all ones, of the mixed kind all zeros. */
static void text_packed(Text *text, const AmdInst *inst)
{
    bool mixed = amd_is_mixed(&amd_insns[inst->op]);
    unsigned all = (1u << inst->nsrc) - 1;

    if (inst->op >= AMD_v_swmmac_f32_16x16x32_f16 &&
        inst->op <= AMD_v_swmmac_f32_16x16x32_bf8_bf8) {
        if (inst->opsel) {
            amd_text(text, " index_key:%u", inst->opsel);
        }
    } else if (inst->opsel) {
        text_bits(text, "op_sel", inst->opsel, inst->nsrc);
    }
    if (inst->opsel_hi != (mixed ? 0 : all)) {
        text_bits(text, "op_sel_hi", inst->opsel_hi, inst->nsrc);
    }
    if (!mixed && inst->neg) {
        text_bits(text, "neg_lo", inst->neg, inst->nsrc);
    }
    if (!mixed && inst->neg_hi) {
        text_bits(text, "neg_hi", inst->neg_hi, inst->nsrc);
    }
}

/* Which byte a conversion of 8-bit floats takes or makes: false if it is none. */
static bool text_byte_sel(Text *text, const AmdInst *inst)
{
    unsigned byte;

    switch (inst->op) {
    case AMD_v_cvt_f32_fp8: case AMD_v_cvt_f32_bf8:
        byte = (inst->opsel & 1) << 1 | (inst->opsel >> 1 & 1);
        break;
    case AMD_v_cvt_sr_fp8_f32: case AMD_v_cvt_sr_bf8_f32:
        byte = inst->opsel >> 2;
        break;
    case AMD_v_cvt_pk_f32_fp8: case AMD_v_cvt_pk_f32_bf8:
        if (inst->opsel) {
            text_bits(text, "op_sel",
                      (inst->opsel & 1) | (inst->opsel >> 2 & 2), 2);
        }
        return true;
    default:
        return false;
    }
    if (byte) {
        amd_text(text, " byte_sel:%u", byte);
    }
    return true;
}

/*
 * Of promoted operations LLVM 19 knows no halves but for two: v_mov_b16, and
 * v_fmac_f16, whose destination it counts among the sources.
 */
static void text_rdna_op_sel(Text *text, const AmdInst *inst,
                             unsigned sources)
{
    unsigned flags = amd_insns[inst->op].flags;
    unsigned nsrc = inst->nsrc + (inst->op == AMD_v_fmac_f16);
    bool lanes = inst->op == AMD_v_permlane16_b32 ||
                 inst->op == AMD_v_permlanex16_b32 ||
                 inst->op == AMD_v_permlane16_var_b32 ||
                 inst->op == AMD_v_permlanex16_var_b32;

    if (inst->family == FAM_VOP3 && text_byte_sel(text, inst)) {
        return;
    }
    if (inst->family != FAM_VOP3 || inst->opsel == 0 ||
        !(flags & INSN_OPSEL || inst->op == AMD_v_mov_b16 ||
          inst->op == AMD_v_fmac_f16)) {
        return;
    }
    if (lanes) {
        if (inst->opsel & 3) {
            text_bits(text, "op_sel", inst->opsel & 3, 2);
        }
    } else {
        text_bits(text, "op_sel",
                  sources | (inst->opsel >> 3 & 1) << nsrc, nsrc + 1);
    }
}

/* op_sel of VOP3: the sources' bits, then the destination's, bit 3. */
static void text_op_sel(Text *text, const AmdInst *inst)
{
    unsigned sources = inst->opsel & ((1u << inst->nsrc) - 1);

    if (inst->gen != GEN_9) {
        text_rdna_op_sel(text, inst, sources);
    } else if (inst->opsel) {
        text_bits(text, "op_sel",
                  sources | (inst->opsel >> 3 & 1) << inst->nsrc,
                  inst->nsrc + 1);
    }
}

static void text_sdwa(Text *text, const AmdInst *inst)
{
    static const char *const sels[] = { "BYTE_0", "BYTE_1", "BYTE_2",
                                        "BYTE_3", "WORD_0", "WORD_1",
                                        "DWORD", "?" };
    static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT",
                                          "UNUSED_PRESERVE", "?" };

    if (amd_insns[inst->op].class != CLASS_VC) {
        amd_text(text, " dst_sel:%s dst_unused:%s", sels[inst->dst_sel & 7],
                 unused[inst->dst_unused & 3]);
    }
    for (int i = 0; i < 2 && i < inst->nsrc; i++) {
        amd_text(text, " src%d_sel:%s", i, sels[inst->src_sel[i] & 7]);
    }
}

static void text_dpp_ctrl(Text *text, unsigned ctrl)
{
    static const char *const shifts[] = { "?", "row_shl", "row_shr",
                                          "row_ror" };
    static const char *const waves[] = { "wave_shl:1", "wave_rol:1",
                                         "wave_shr:1", "wave_ror:1" };
    static const char *const rows[] = { "row_mirror", "row_half_mirror",
                                        "row_bcast:15", "row_bcast:31" };

    if (ctrl <= 0xff) {
        amd_text(text, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3,
                 ctrl >> 4 & 3, ctrl >> 6 & 3);
    } else if (ctrl < 0x130) {
        amd_text(text, " %s:%u", shifts[(ctrl >> 4 & 3) + 1], ctrl & 0xf);
    } else if (ctrl < 0x140) {
        amd_text(text, " %s", waves[ctrl >> 2 & 3]);
    } else {
        amd_text(text, " %s", rows[ctrl & 3]);
    }
}

static void text_dpp(Text *text, const AmdInst *inst)
{
    text_dpp_ctrl(text, inst->dpp_ctrl);
    amd_text(text, " row_mask:0x%x bank_mask:0x%x", inst->row_mask,
             inst->bank_mask);
    amd_text_flag(text, inst->bound_ctrl, "bound_ctrl:1");
}

/* gfx10 and later have shares of a row, and no waves. */
static void text_dpp16(Text *text, const AmdInst *inst)
{
    unsigned ctrl = inst->dpp_ctrl;

    if (ctrl >= 0x150) {
        amd_text(text, " %s:%u", ctrl < 0x160 ? "row_share" : "row_xmask",
                 ctrl & 0xf);
    } else {
        text_dpp_ctrl(text, ctrl);
    }
    amd_text(text, " row_mask:0x%x bank_mask:0x%x", inst->row_mask,
             inst->bank_mask);
    amd_text_flag(text, inst->bound_ctrl, "bound_ctrl:1");
    amd_text_flag(text, inst->fi, "fi:1");
}

static void text_dpp8(Text *text, const AmdInst *inst)
{
    amd_text(text, " dpp8:[");
    for (int i = 0; i < 8; i++) {
        amd_text(text, "%s%u", i ? "," : "", inst->dpp8 >> 3 * i & 7);
    }
    amd_text(text, "]");
    amd_text_flag(text, inst->fi, "fi:1");
}

static void text_modifiers(Text *text, const AmdInst *inst)
{
    static const char *const omods[] = { "", "mul:2", "mul:4", "div:2" };

    if (inst->family == FAM_VOP3P) {
        text_packed(text, inst);
    } else {
        text_op_sel(text, inst);
    }
    amd_text_flag(text, inst->clamp, "clamp");
    amd_text_flag(text, inst->omod & 3, omods[inst->omod & 3]);
    if (inst->form == FORM_SDWA) {
        text_sdwa(text, inst);
    } else if (inst->form == FORM_DPP) {
        text_dpp(text, inst);
    } else if (inst->form == FORM_DPP16) {
        text_dpp16(text, inst);
    } else if (inst->form == FORM_DPP8) {
        text_dpp8(text, inst);
    }
}

/* A source of one of a pair of operations, without modifiers. */
static void text_pair_source(Text *text, const AmdInst *inst,
                             const AmdInsn *insn, unsigned code, int i)
{
    if (i > 0 && insn->flags & INSN_LITERAL_K && code == OPERAND_LITERAL) {
        amd_text(text, "0x%x", inst->literal);
    } else {
        amd_text_operand(text, inst, code, insn->src[i]);
    }
}

/* One of a pair; vcc of v_dual_cndmask is not printed. */
static void text_half_pair(Text *text, const AmdInst *inst,
                           const AmdInsn *insn, unsigned dst,
                           const uint16_t *src, unsigned nsrc)
{
    amd_text(text, " ");
    amd_text_register(text, dst, 1);
    for (unsigned i = 0; i < nsrc; i++) {
        if (insn->src[i] != T_mask) {
            amd_text(text, ", ");
            text_pair_source(text, inst, insn, src[i], i);
        }
    }
}

void amd_text_pair(Text *text, const AmdInst *inst)
{
    text_half_pair(text, inst, &amd_insns[inst->op], inst->dst, inst->src,
                   inst->nsrc);
    amd_text(text, " :: %s", inst->y.name);
    text_half_pair(text, inst, &amd_insns[inst->y.op], inst->y.dst,
                   inst->y.src, inst->y.nsrc);
}

void amd_text_vector(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    const char *comma = " ";

    if (inst->dst != OPERAND_NONE &&
        (inst->gen == GEN_9 || !(insn->flags & INSN_CMPX))) {
        amd_text(text, " ");
        amd_text_register(text, inst->dst,
                          amd_operand_dwords(inst, insn->dst));
        text_half(text, inst, inst->dst, insn->dst, inst->opsel >> 3 & 1);
        comma = ", ";
    }
    if (insn->flags & INSN_CARRY_OUT) {
        amd_text(text, ", ");
        amd_text_register(text, inst->sdst, amd_operand_dwords(inst, T_mask));
    }
    for (int i = 0; i < inst->nsrc; i++) {
        amd_text(text, "%s", comma);
        text_source(text, inst, i);
        comma = ", ";
    }
    text_modifiers(text, inst);
}
