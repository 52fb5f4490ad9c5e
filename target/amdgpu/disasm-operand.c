/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: registers, inline constants and literals (gfx-facts
 * section 2).
 */
#include <string.h>
#include "disasm-int.h"

unsigned amd_type_dwords(AmdType type)
{
    switch (type) {
    case T_none:
        return 0;
    case T_b64: case T_u64: case T_i64: case T_f64: case T_mask:
        return 2;
    case T_b96:
        return 3;
    case T_b128:
        return 4;
    case T_b256:
        return 8;
    case T_b512:
        return 16;
    case T_b1024:
        return 32;
    default:
        return 1;
    }
}

bool amd_is_matrix(AmdOp op)
{
    return op >= AMD_v_wmma_f32_16x16x16_f16 &&
           op <= AMD_v_swmmac_f32_16x16x32_bf8_bf8;
}

/*
 * In a wave of 64 lanes a matrix takes half as many registers, but no less
 * than one.  gfx11 has all of the factors in each half of the wave.
 */
static bool is_halved(const AmdInst *inst, AmdType type)
{
    const AmdInsn *row = &amd_insns[inst->op];

    return !inst->wave32 &&
           (row->flags & INSN_TRANSPOSE ||
            (amd_is_matrix(inst->op) &&
             (inst->gen != GEN_11 || type == (AmdType)row->dst)));
}

unsigned amd_operand_dwords(const AmdInst *inst, AmdType type)
{
    unsigned dwords = amd_type_dwords(type);

    if (type == T_mask) {
        return inst->wave32 ? 1 : dwords;
    }
    return dwords > 1 && is_halved(inst, type) ? dwords / 2 : dwords;
}

/* Names of scalar registers that are neither s nor ttmp. */
static const char *const special_names[256] = {
    [102] = "flat_scratch_lo", [103] = "flat_scratch_hi",
    [104] = "xnack_mask_lo", [105] = "xnack_mask_hi",
    [106] = "vcc_lo", [107] = "vcc_hi",
    [124] = "m0", [126] = "exec_lo", [127] = "exec_hi",
    [235] = "src_shared_base", [236] = "src_shared_limit",
    [237] = "src_private_base", [238] = "src_private_limit",
    [239] = "src_pops_exiting_wave_id",
    [251] = "src_vccz", [252] = "src_execz", [253] = "src_scc",
    [254] = "src_lds_direct",
};

static const char *scalar_name(unsigned code)
{
    if (code == OPERAND_NULL) {
        return "null";
    }
    return special_names[code] ? special_names[code] : "?";
}

static void text_range(Text *text, const char *prefix, unsigned first,
                       unsigned dwords)
{
    if (dwords == 1) {
        amd_text(text, "%s%u", prefix, first);
    } else {
        amd_text(text, "%s[%u:%u]", prefix, first, first + dwords - 1);
    }
}

void amd_text_register(Text *text, unsigned code, unsigned dwords)
{
    if (code >= OPERAND_VGPR) {
        text_range(text, "v", code - OPERAND_VGPR, dwords);
    } else if (code <= (text->gen == GEN_9 ? 101 : 105)) {
        text_range(text, "s", code, dwords);
    } else if (code >= 108 && code <= 123) {
        text_range(text, "ttmp", code - 108, dwords);
    } else {
        const char *name = scalar_name(code);
        size_t len = strlen(name);

        /* A pair is named like its low half, without the _lo. */
        if (dwords > 1 && len > 3 && strcmp(name + len - 3, "_lo") == 0) {
            len -= 3;
        }
        amd_text(text, "%.*s", (int)len, name);
    }
}

bool amd_is_constant(unsigned code)
{
    return (code >= 128 && code <= 208) || (code >= 240 && code <= 248) ||
           code == OPERAND_LITERAL;
}

static const char *const inline_floats[] = {
    "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0",
};

enum { INLINE_FLOATS = 8 };

static bool is_half(AmdType type)
{
    return type == T_b16 || type == T_u16 || type == T_i16;
}

static bool is_inline_integer(int64_t value)
{
    return value >= -16 && value <= 64;
}

/* Inline constants 240 to 248.  To a 16-bit integer they are bits. */
static void text_inline_float(Text *text, unsigned n, AmdType type)
{
    static const uint16_t bits[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                     0xc000, 0x4400, 0xc400, 0x3118 };

    if (is_half(type)) {
        amd_text(text, "0x%x", bits[n]);
    } else if (n < INLINE_FLOATS) {
        amd_text(text, "%s", inline_floats[n]);
    } else {
        /* LLVM 19 takes matrices of gfx11 for 64 bits. */
        amd_text(text, "%s", amd_type_dwords(type) == 2 ||
                             (text->gen == GEN_11 &&
                              amd_type_dwords(type) > 2) ?
                             "0.15915494309189532" : "0.15915494");
    }
}

/* A literal with the bits of an inline constant is printed as that. */
static bool text_known_float(Text *text, uint32_t value,
                             const uint32_t bits[9], const char *inv_2pi)
{
    for (int i = 0; i < INLINE_FLOATS; i++) {
        if (value == bits[i]) {
            amd_text(text, "%s", inline_floats[i]);
            return true;
        }
    }
    if (inv_2pi && value == bits[8]) {
        amd_text(text, "%s", inv_2pi);
        return true;
    }
    return false;
}

static void text_literal(Text *text, uint32_t value, AmdType type)
{
    static const uint32_t f16[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                    0xc000, 0x4400, 0xc400, 0x3118 };
    static const uint32_t f32[] = { 0x3f000000, 0xbf000000, 0x3f800000,
                                    0xbf800000, 0x40000000, 0xc0000000,
                                    0x40800000, 0xc0800000, 0x3e22f983 };
    static const uint32_t f64[] = { 0x3fe00000, 0xbfe00000, 0x3ff00000,
                                    0xbff00000, 0x40000000, 0xc0000000,
                                    0x40100000, 0xc0100000, 0 };
    int64_t integer = (int32_t)value;
    bool known = false;

    if (type == T_f64) {
        /* The literal is the upper half; zero is all that an integer can be. */
        known = text_known_float(text, value, f64, NULL);
        integer = value ? INT64_MAX : 0;
    } else if (amd_type_dwords(type) == 2) {
        integer = value;
    } else if (type == T_f16) {
        value &= 0xffff;
        known = text_known_float(text, value, f16, "0.15915494");
        integer = (int16_t)value;
    } else if (type == T_pk16f) {
        known = !is_inline_integer(integer) && value <= 0xffff &&
                text_known_float(text, value, f16, "0.15915494");
    } else if (is_half(type)) {
        known = !is_inline_integer(integer) &&
                text_known_float(text, value, f32, "0.15915494");
        value &= 0xffff;
    } else {
        known = text_known_float(text, value, f32, "0.15915494");
    }
    if (known) {
        return;
    }
    if (is_inline_integer(integer)) {
        amd_text(text, "%d", (int)integer);
    } else {
        amd_text(text, "0x%x", value);
    }
}

/* Of a bf16, which no type tells from f16: its lower half, or else all of it. */
static void text_bf16_literal(Text *text, uint32_t value)
{
    static const uint32_t bf16[] = { 0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000,
                                     0xc000, 0x4080, 0xc080, 0x3e22 };

    if (is_inline_integer((int16_t)value)) {
        amd_text(text, "%d", (int16_t)value);
    } else if (!text_known_float(text, value & 0xffff, bf16, "0.15915494")) {
        amd_text(text, "0x%x", value);
    }
}

void amd_text_operand(Text *text, const AmdInst *inst, unsigned code,
                      AmdType type)
{
    if (code >= 128 && code <= 192) {
        amd_text(text, "%u", code - 128);
    } else if (code > 192 && code <= 208) {
        amd_text(text, "-%u", code - 192);
    } else if (code >= 240 && code <= 248) {
        text_inline_float(text, code - 240, type);
    } else if (code == OPERAND_LITERAL && type == T_f16 &&
               inst->op == AMD_v_dot2_bf16_bf16) {
        text_bf16_literal(text, inst->literal);
    } else if (code == OPERAND_LITERAL) {
        text_literal(text, inst->literal, type);
    } else {
        amd_text_register(text, code, amd_operand_dwords(inst, type));
    }
}

void amd_text_u16(Text *text, unsigned value)
{
    amd_text(text, value <= 64 ? "%u" : "0x%x", value);
}
