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

/* Four and more may run over s101 into flat_scratch. */
enum { SGPR_LAST = 101, SGPR_END = 104 };

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
        return amd_sgpr_range(code, dwords, SGPR_LAST, SGPR_END);
    case OPND_LDS:
        return false;
    default:
        return true;
    }
}
