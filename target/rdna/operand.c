/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operand codes of gfx11 and gfx12 (gfx-facts section 2).
 */
#include "decode-int.h"

enum { CODE_NULL = 124, CODE_M0 = 125, SGPR_LAST = 105 };

/* Codes that are in no range are reserved; 233, 234 and 250 are DPP. */
static const uint8_t code_kinds[512] = {
    [0 ... 105] = OPND_SGPR,
    [106 ... 107] = OPND_SGPR, /* vcc */
    [108 ... 123] = OPND_SGPR, /* ttmp */
    [CODE_NULL ... CODE_M0] = OPND_SGPR,
    [126 ... 127] = OPND_SGPR, /* exec */
    [128 ... 208] = OPND_CONST,
    [235 ... 239] = OPND_SPECIAL,
    [240 ... 248] = OPND_CONST,
    [251 ... 253] = OPND_SPECIAL,
    [254] = OPND_LDS,
    [255] = OPND_LITERAL,
    [256 ... 511] = OPND_VGPR,
};

bool rdna_operand(uint16_t *code, unsigned dwords, unsigned allowed)
{
    unsigned kind = code_kinds[*code];

    if (!(kind & allowed)) {
        return false;
    }
    if (*code == CODE_NULL) { /* of any width */
        *code = OPERAND_NULL;
        return true;
    }
    if (*code == CODE_M0) {
        *code = OPERAND_M0;
        return dwords == 1;
    }
    if (dwords == 1) {
        return true;
    }
    switch (kind) {
    case OPND_VGPR:
        return amd_vgprs(*code, dwords);
    case OPND_SGPR:
        return amd_sgpr_range(code, dwords, SGPR_LAST, SGPR_LAST + 1);
    case OPND_LDS:
        return false;
    default:
        return true;
    }
}
