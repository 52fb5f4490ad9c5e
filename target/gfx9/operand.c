/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operand codes of gfx900 (gfx-facts section 2).
 */
#include "decode-int.h"

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
        return amd_vgprs(*code, dwords);
    case OPND_SGPR:
        return sgpr_range(code, dwords);
    case OPND_LDS:
        return false;
    default:
        return true;
    }
}
