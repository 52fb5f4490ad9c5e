/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering: operands become offsets and immediates, modifiers are packed, and
 * the handler is chosen, so that nothing of it is left for execution.
 */
#include "lower.h"
#include "exec/dual.h"
#include "mods.h"

static const uint32_t *inline_floats(AmdType type)
{
    /* 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi): operand codes 240 to 248. */
    static const uint32_t f16[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                    0xc000, 0x4400, 0xc400, 0x3118 };
    static const uint32_t f32[] = { 0x3f000000, 0xbf000000, 0x3f800000,
                                    0xbf800000, 0x40000000, 0xc0000000,
                                    0x40800000, 0xc0800000, 0x3e22f983 };
    /* Upper halves; 1/(2 pi) has a place in the wave. */
    static const uint32_t f64[] = { 0x3fe00000, 0xbfe00000, 0x3ff00000,
                                    0xbff00000, 0x40000000, 0xc0000000,
                                    0x40100000, 0xc0100000, 0 };

    switch (type) {
    case T_b16: case T_u16: case T_i16: case T_f16: case T_pk16f:
        return f16;
    case T_b64: case T_u64: case T_i64: case T_f64:
        return f64;
    default:
        return f32;
    }
}

static bool is_64bit(AmdType type)
{
    return type >= T_b64 && type <= T_f64;
}

uint32_t amd_register_offset(unsigned code)
{
    if (code >= OPERAND_VGPR) {
        return offsetof(AmdWave, v) + (code - OPERAND_VGPR) % AMD_VGPRS *
                                          (uint32_t)sizeof(Vreg);
    }
    if (code == OPERAND_NULL) {
        return offsetof(AmdWave, null_source);
    }
    return offsetof(AmdWave, s) + code % SGPR_COUNT * 4;
}

uint32_t amd_result_offset(unsigned code)
{
    return code == OPERAND_NULL ? offsetof(AmdWave, null_sink)
                                : amd_register_offset(code);
}

/* Where a source that reads like a register is kept (gfx-facts section 2). */
static uint32_t special_offset(unsigned code)
{
    switch (code) {
    case 235:
        return offsetof(AmdWave, shared_base);
    case 236:
        return offsetof(AmdWave, shared_limit);
    case 237:
        return offsetof(AmdWave, private_base);
    case 238:
        return offsetof(AmdWave, private_limit);
    case 248:
        return offsetof(AmdWave, one_by_two_pi);
    case 251:
        return offsetof(AmdWave, vccz);
    case 252:
        return offsetof(AmdWave, execz);
    case 253:
        return offsetof(AmdWave, scc);
    default:
        return offsetof(AmdWave, zero);
    }
}

/* A 32-bit literal in a 64-bit operand (gfx-facts section 2). */
static OperandKind literal_kind(AmdType type)
{
    switch (type) {
    case T_f64:
        return KIND_IMM_HI;
    case T_b64: case T_u64:
        return KIND_IMM_ZX;
    default:
        return KIND_IMM;
    }
}

/* Pairs are even-aligned. */
static unsigned aligned(const AmdInst *inst, unsigned code, AmdType type)
{
    bool pair = is_64bit(type) || (type == T_mask && !inst->wave32);

    return pair && code < SGPR_COUNT ? code & ~1u : code;
}

/* The place of a lane mask, for MOD_SDST. */
static uint32_t mask_place(const AmdInst *inst)
{
    unsigned code = inst->sdst == OPERAND_NONE ? SGPR_VCC : inst->sdst;

    return code == OPERAND_NULL ? 0
                                : SGPR_SINK + aligned(inst, code, T_mask);
}

void amd_lower_source(const AmdInst *inst, Uop *uop, int i, unsigned code,
                      AmdType type)
{
    uop->kind[i] = KIND_IMM;
    if (code >= OPERAND_VGPR) {
        uop->kind[i] = KIND_VGPR;
        uop->src[i] = amd_register_offset(code);
    } else if (code < SGPR_COUNT || code == OPERAND_NULL) {
        code = aligned(inst, code, type);
        uop->kind[i] = KIND_SGPR;
        uop->src[i] = amd_register_offset(code);
    } else if (code <= 192) {
        uop->src[i] = code - 128;
    } else if (code <= 208) {
        uop->src[i] = 192 - code;
    } else if (code == 248 && is_64bit(type)) {
        uop->kind[i] = KIND_SGPR;
        uop->src[i] = special_offset(code);
    } else if (code >= 240 && code <= 248) {
        uop->kind[i] = is_64bit(type) ? KIND_IMM_HI : KIND_IMM;
        uop->src[i] = inline_floats(type)[code - 240];
    } else if (code == OPERAND_LITERAL) {
        uop->kind[i] = literal_kind(type);
        uop->src[i] = inst->literal;
    } else {
        uop->kind[i] = KIND_SGPR;
        uop->src[i] = special_offset(code);
    }
}

static uint32_t pack_mods(const AmdInst *t)
{
    uint32_t m = (uint32_t)t->neg << MOD_NEG | (uint32_t)t->abs << MOD_ABS |
                 (uint32_t)t->omod << MOD_OMOD |
                 (uint32_t)t->clamp << MOD_CLAMP |
                 (uint32_t)t->form << MOD_FORM |
                 (uint32_t)t->gen << MOD_GEN |
                 (uint32_t)t->size / 4 << MOD_DWORDS;

    if (t->form == FORM_SDWA) {
        return m | (uint32_t)t->dst_sel << MOD_DST_SEL |
               (uint32_t)t->dst_unused << MOD_DST_UNUSED |
               (uint32_t)t->src_sel[0] << MOD_SEL0 |
               (uint32_t)t->src_sel[1] << MOD_SEL1 |
               (uint32_t)t->src_sext << MOD_SEXT;
    }
    m |= (uint32_t)t->opsel << MOD_OPSEL | (uint32_t)t->fi << MOD_FI;
    if (t->family == FAM_VOP3P) {
        return m | (uint32_t)t->opsel_hi << MOD_OPSEL_HI |
               (uint32_t)t->neg_hi << MOD_NEG_HI;
    }
    return m | mask_place(t) << MOD_SDST;
}

static bool is_dpp(const AmdInst *t)
{
    return t->form >= FORM_DPP;
}

/* In place of source 0's offset, see mods.h. */
static uint32_t dpp_source(const AmdInst *t)
{
    uint32_t number = (t->src[0] - OPERAND_VGPR) % AMD_VGPRS;

    if (t->form == FORM_DPP8) {
        return number << DPP_VGPR | t->dpp8 << DPP_LANES;
    }
    return number << DPP_VGPR | (uint32_t)t->dpp_ctrl << DPP_CTRL |
           (uint32_t)t->row_mask << DPP_ROW_MASK |
           (uint32_t)t->bank_mask << DPP_BANK_MASK |
           (uint32_t)t->bound_ctrl << DPP_BOUND_CTRL;
}

static bool is_modified(const AmdInst *t)
{
    return t->form == FORM_SDWA || is_dpp(t) || t->neg || t->abs || t->omod ||
           t->clamp || t->opsel;
}

/* Is source @i one or two bf16, for which there is no type? */
static bool is_bf16(const AmdInst *t, int i)
{
    return t->op == AMD_v_dot2_bf16_bf16 ||
           (t->op == AMD_v_dot2_f32_bf16 && i < 2);
}

static void lower_alu(const AmdInst *t, const AmdInsn *row, Uop *uop)
{
    for (int i = 0; i < t->nsrc && i < 3; i++) {
        if (is_bf16(t, i) && t->src[i] >= 240 && t->src[i] <= 248) {
            amd_lower_source(t, uop, i, t->src[i], T_f32);
            uop->src[i] >>= 16; /* a bf16 is the upper half */
        } else {
            amd_lower_source(t, uop, i, t->src[i], row->src[i]);
        }
    }
    if (t->dst != OPERAND_NONE) {
        AmdType type = row->class == CLASS_VC ? T_mask : row->dst;

        uop->dst = amd_result_offset(aligned(t, t->dst, type));
    } else if (row->class == CLASS_VC) { /* EXEC alone is written */
        uop->dst = amd_result_offset(OPERAND_NULL);
    }
    uop->mods = pack_mods(t);
    if (is_dpp(t)) {
        uop->src[0] = dpp_source(t);
    }
}

/* ---- pairs of vector operations ---- */

static unsigned dual_op(AmdOp op)
{
    static const AmdOp ops[DUAL_COUNT] = {
        [DUAL_FMAC] = AMD_v_fmac_f32, [DUAL_FMAAK] = AMD_v_fmaak_f32,
        [DUAL_FMAMK] = AMD_v_fmamk_f32, [DUAL_MUL] = AMD_v_mul_f32,
        [DUAL_ADD] = AMD_v_add_f32, [DUAL_SUB] = AMD_v_sub_f32,
        [DUAL_SUBREV] = AMD_v_subrev_f32,
        [DUAL_MUL_LEGACY] = AMD_v_mul_legacy_f32,
        [DUAL_MOV] = AMD_v_mov_b32, [DUAL_CNDMASK] = AMD_v_cndmask_b32,
        [DUAL_MAX] = AMD_v_max_f32, [DUAL_MIN] = AMD_v_min_f32,
        [DUAL_MAX_NUM] = AMD_v_max_num_f32,
        [DUAL_MIN_NUM] = AMD_v_min_num_f32,
        [DUAL_DOT2] = AMD_v_dot2c_f32_f16, [DUAL_ADD_U32] = AMD_v_add_u32,
        [DUAL_LSHLREV] = AMD_v_lshlrev_b32, [DUAL_AND] = AMD_v_and_b32,
    };
    unsigned i = 0;

    while (i < DUAL_COUNT && ops[i] != op) {
        i++;
    }
    return i;
}

/* The vector register that is the second source; any if there is none. */
static uint32_t dual_second(const uint16_t *src)
{
    unsigned code = src[1] == OPERAND_LITERAL ? src[2] : src[1];

    return (code - OPERAND_VGPR) % AMD_VGPRS;
}

static void lower_dual(const AmdInst *t, const AmdHandler *handlers, Uop *uop)
{
    unsigned x = dual_op(t->op), y = dual_op(t->y.op);

    uop->fn = handlers[AMD_DUAL].plain;
    if (x == DUAL_COUNT || y == DUAL_COUNT) {
        uop->fn = amd_unimplemented;
        return;
    }
    amd_lower_source(t, uop, 0, t->src[0], amd_insns[t->op].src[0]);
    amd_lower_source(t, uop, 1, t->y.src[0], amd_insns[t->y.op].src[0]);
    uop->src[2] = t->literal;
    uop->dst = (t->dst - OPERAND_VGPR) % AMD_VGPRS << 8 * DUAL_X_DST |
               (t->y.dst - OPERAND_VGPR) % AMD_VGPRS << 8 * DUAL_Y_DST |
               dual_second(t->src) << 8 * DUAL_X_SRC1 |
               dual_second(t->y.src) << 8 * DUAL_Y_SRC1;
    uop->mods = x << MOD_DUAL_X | y << MOD_DUAL_Y |
                (uint32_t)t->gen << MOD_GEN;
}

static void lower_simm(const AmdInst *t, Uop *uop)
{
    uop->kind[2] = KIND_IMM;
    uop->src[2] = (uint32_t)(int32_t)(int16_t)t->simm16;
}

/* The flag means other things to vector memory instructions. */
static bool is_hint(const AmdInsn *row)
{
    return (row->class == CLASS_SP || row->class == CLASS_SK) &&
           row->flags & INSN_HINT;
}

void amd_lower(const AmdInst *inst, const AmdHandler *handlers, Uop *uop)
{
    const AmdInsn *row = &amd_insns[inst->op];
    const AmdHandler *h = &handlers[inst->op];

    *uop = (Uop){ .len = inst->size / 4 };
    uop->fn = is_modified(inst) ? h->modified : h->plain;
    if (is_hint(row)) {
        uop->fn = handlers[AMD_s_nop].plain;
    }
    if (!uop->fn) {
        uop->fn = amd_unimplemented;
    }
    if (inst->family == FAM_VOPD) {
        lower_dual(inst, handlers, uop);
        return;
    }
    switch (row->class) {
    case CLASS_SMEM: case CLASS_DS: case CLASS_FLAT: case CLASS_BUF:
        amd_lower_memory(inst, uop);
        break;
    case CLASS_SK:
        lower_alu(inst, row, uop);
        lower_simm(inst, uop);
        uop->kind[1] = KIND_IMM;
        uop->src[1] = inst->literal; /* of s_setreg_imm32 */
        break;
    case CLASS_S1: case CLASS_SC: case CLASS_SP:
        lower_alu(inst, row, uop);
        lower_simm(inst, uop);
        break;
    case CLASS_GFX:
        uop->fn = amd_illegal;
        break;
    default:
        lower_alu(inst, row, uop);
        break;
    }
}
