/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operand codes of gfx900 (gfx-facts section 2).
 */
#include "decode-int.h"

const uint8_t gfx9_type_dwords[] = {
    [T_none] = 0,
    [T_b16] = 1, [T_u16] = 1, [T_i16] = 1, [T_f16] = 1,
    [T_b32] = 1, [T_u32] = 1, [T_i32] = 1, [T_f32] = 1,
    [T_b64] = 2, [T_u64] = 2, [T_i64] = 2, [T_f64] = 2,
    [T_b96] = 3, [T_b128] = 4, [T_b256] = 8, [T_b512] = 16,
    [T_pk16u] = 1, [T_pk16i] = 1, [T_pk16f] = 1,
    [T_mask] = 2,
};

/* Codes that are in no range are reserved; 249 and 250 are SDWA and DPP. */
static const uint8_t code_kinds[512] = {
    [0 ... 101] = OPND_SGPR,
    [102 ... 107] = OPND_SGPR, /* flat_scratch, xnack_mask, vcc */
    [108 ... 123] = OPND_SGPR, /* ttmp */
    [124] = OPND_SGPR,         /* m0 */
    [126 ... 127] = OPND_SGPR, /* exec */
    [128 ... 208] = OPND_CONST,
    [235 ... 239] = OPND_SPECIAL,
    [240 ... 248] = OPND_CONST,
    [251 ... 253] = OPND_SPECIAL,
    [254] = OPND_LDS,
    [255] = OPND_LITERAL,
    [256 ... 511] = OPND_VGPR,
};

enum { SGPR_LAST = 101, SGPR_END = 104, TTMP_FIRST = 108, TTMP_LAST = 123,
       TTMP_COUNT = 16 };

/*
 * A range of scalar registers: pairs are aligned to 2, longer ones to 4.  Four
 * and more may run over s101 into flat_scratch, but begin in no special one.
 */
static bool sgpr_range(uint16_t *code, unsigned dwords)
{
    unsigned mask = dwords == 2 ? ~1u : ~3u;

    if (*code <= SGPR_LAST) {
        *code &= mask;
        return *code + dwords <= SGPR_END;
    }
    if (*code >= TTMP_FIRST && *code <= TTMP_LAST) {
        unsigned n = (*code - TTMP_FIRST) & mask;

        *code = TTMP_FIRST + n;
        return n + dwords <= TTMP_COUNT;
    }
    /* flat_scratch, xnack_mask, vcc and exec are pairs; m0 is alone. */
    return dwords == 2 && *code % 2 == 0 && *code != 124;
}

bool gfx9_operand(uint16_t *code, unsigned dwords, unsigned allowed)
{
    unsigned kind = code_kinds[*code];

    if (!(kind & allowed)) {
        return false;
    }
    if (dwords == 1) {
        return true;
    }
    switch (kind) {
    case OPND_VGPR:
        return gfx9_vgprs(*code, dwords);
    case OPND_SGPR:
        return sgpr_range(code, dwords);
    case OPND_LDS:
        return false;
    default:
        return true;
    }
}

bool gfx9_take_literal(Decode *d, unsigned dwords)
{
    const AmdInst *t = d->inst;
    bool wanted = d->insn->flags & INSN_LITERAL_K;

    for (int i = 0; i < t->nsrc; i++) {
        wanted |= t->src[i] == OPERAND_LITERAL;
    }
    if (!wanted) {
        return true;
    }
    if (d->count <= dwords) {
        return false;
    }
    d->inst->literal = d->words[dwords];
    d->inst->size += 4;
    return true;
}
