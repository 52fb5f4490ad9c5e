/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar memory instructions that name registers which do not exist.  The
 * assembler and disassembler refuse them, the hardware executes them in its
 * way (rules SM8 and SM9).
 */
#include "decode.h"
#include "decode-int.h"

#define SMEM_ID 0x30u /* bits 31:26 */
#define SMEM_SBASE BITS(0, 6)
#define SMEM_SDATA BITS(6, 7)

bool gfx9_decode_exec(const uint32_t *words, unsigned count, AmdInst *out)
{
    static const uint32_t s_nop = 0xbf800000;
    uint32_t patched[2];

    if (gfx9_decode(words, count, out)) {
        return true;
    }
    if (count < 2 || words[0] >> 26 != SMEM_ID) {
        return false;
    }
    /* A base out of range: s0 is used in its place. */
    patched[0] = words[0] & ~SMEM_SBASE;
    patched[1] = words[1];
    if (gfx9_decode(patched, 2, out)) {
        return true;
    }
    /* Data out of range: not executed, if nothing else is wrong. */
    patched[0] &= ~SMEM_SDATA;
    if (!gfx9_decode(patched, 2, out) || !gfx9_decode(&s_nop, 1, out)) {
        return false;
    }
    out->size = 8;
    return true;
}
