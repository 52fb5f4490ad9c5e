/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "jit-words.h"

static uint32_t rnd(GRand *rand, uint32_t n)
{
    return (uint32_t)g_rand_int_range(rand, 0, (gint32)n);
}

uint32_t jit_number(GRand *rand, uint32_t n)
{
    return rnd(rand, n);
}

/* ---- words ---- */

/* A 9-bit source, mostly a vector register that is in use. */
static uint32_t source(GRand *rand)
{
    switch (rnd(rand, 8)) {
    case 0:
        return rnd(rand, 16); /* s0 to s15 */
    case 1:
        return 106 + rnd(rand, 2); /* VCC */
    case 2:
        return 128 + rnd(rand, 81); /* integers from -16 to 64 */
    case 3:
        return 240 + rnd(rand, 9); /* floats */
    default:
        return 256 + rnd(rand, JIT_VGPRS);
    }
}

static uint32_t scalar(GRand *rand)
{
    uint32_t code = source(rand);

    return code < 256 ? code : rnd(rand, 16);
}

/* A mask that is mostly zero: modifiers are rare, and then any. */
static uint32_t rarely(GRand *rand, uint32_t bits)
{
    return rnd(rand, 4) ? 0 : g_rand_int(rand) & bits;
}

/* The encodings that all generations have alike, but for VOP3's prefix. */
static void random_words(GRand *rand, bool gfx9, uint32_t words[3])
{
    uint32_t dst = rnd(rand, JIT_VGPRS), vsrc1 = rnd(rand, JIT_VGPRS);

    words[1] = g_rand_int(rand);
    words[2] = g_rand_int(rand);
    switch (rnd(rand, 8)) {
    case 0: /* VOP1 */
        words[0] = 0x7e000000 | dst << 17 | rnd(rand, 256) << 9 | source(rand);
        break;
    case 1: /* VOPC */
        words[0] = 0x7c000000 | rnd(rand, 256) << 17 | vsrc1 << 9 |
                   source(rand);
        break;
    case 2: case 3: /* VOP2 */
        words[0] = rnd(rand, 62) << 25 | dst << 17 | vsrc1 << 9 | source(rand);
        break;
    case 4: /* SOP2 */
        words[0] = 0x80000000 | rnd(rand, 125) << 23 | rnd(rand, 16) << 16 |
                   scalar(rand) << 8 | scalar(rand);
        break;
    case 5: /* SOP1, SOPC */
        words[0] = rnd(rand, 2) ? 0xbe800000 | rnd(rand, 16) << 16 |
                                  rnd(rand, 256) << 8 | scalar(rand)
                                : 0xbf000000 | rnd(rand, 128) << 16 |
                                  scalar(rand) << 8 | scalar(rand);
        break;
    default: /* VOP3 */
        words[0] = (gfx9 ? 0xd0000000u : 0xd4000000u) |
                   rnd(rand, 1024) << 16 | rarely(rand, 0xff00) | dst;
        words[1] = rarely(rand, 0xf8000000) | source(rand) << 18 |
                   source(rand) << 9 | source(rand);
        break;
    }
}

/* Has it a meaning that is all about registers? */
static bool is_fit(const AmdInst *inst)
{
    static const char *const unfit[] = {
        "pc_b64", "call", "rfe", "cbranch", "vskip", "gpr_idx", "msg", "time",
        "barrier", "sleep", "alloc", "trap", "sethalt", "getreg", "setreg",
        "code_end", "rel", "mode", "priority", "swapto",
    };
    const AmdInsn *insn = &amd_insns[inst->op];

    if (insn->class < CLASS_S1 || insn->class > CLASS_VPK ||
        insn->class == CLASS_SP || insn->class == CLASS_SK) {
        return false;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(unfit); i++) {
        if (strstr(insn->name, unfit[i])) {
            return false;
        }
    }
    return true;
}

void jit_words(GRand *rand, const AmdIsa *isa, unsigned lanes, unsigned count,
               GArray *words)
{
    for (unsigned n = 0; n < count;) {
        uint32_t word[3];
        unsigned length;
        AmdInst inst;

        random_words(rand, isa->gen == GEN_9, word);
        length = amd_isa_decode(isa, lanes)(word, 3, &inst);
        if (length && is_fit(&inst)) {
            g_array_append_vals(words, word, length);
            n++;
        }
    }
}

/* ---- registers ---- */

uint32_t jit_bits(GRand *rand)
{
    static const uint32_t special[] = {
        0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x807fffff, 0x7ff00000,
        0x7ff80000, 0xfff00001, 0x3ff00000, 0x7c007e00, 0xffffffff, 0x7fffffff,
    };

    switch (rnd(rand, 8)) {
    case 0:
        return special[rnd(rand, G_N_ELEMENTS(special))];
    case 1:
        return rnd(rand, 64);
    default:
        return 0x3c000000 + (g_rand_int(rand) & 0x83ffffff);
    }
}
