/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodings of an operation with random fields.
 *
 * Uniform fields rarely make a valid instruction: most operand codes of VOP3
 * are reserved, absent operands must be zero.  So fields are drawn from what
 * is interesting more often than from all that there is.
 */
#include "decode-words.h"

/* ---- families ---- */

typedef enum Style { STYLE_GFX9, STYLE_RDNA, STYLES } Style;

/*
 * Bits of the first dword that make a family and an operation of it, in gfx9
 * and in gfx11 and gfx12 together; 0 where it does not exist.
 */
static const struct {
    const char *family;
    uint32_t mask[STYLES];
} families[] = {
    { "SOP1", { 0xff80ff00, 0xff80ff00 } },
    { "SOP2", { 0xff800000, 0xff800000 } },
    { "SOPC", { 0xffff0000, 0xffff0000 } },
    { "SOPK", { 0xff800000, 0xff800000 } },
    { "SOPP", { 0xffff0000, 0xffff0000 } },
    { "SMEM", { 0xfffc0000, 0xffffe000 } },
    { "VOP1", { 0xfe01fe00, 0xfe01fe00 } },
    { "VOP2", { 0xfe000000, 0xfe000000 } },
    { "VOPC", { 0xfffe0000, 0xfffe0000 } },
    { "VOP3", { 0xffff0000, 0xffff0000 } },
    { "VOP3P", { 0xffff0000, 0xffff0000 } },
    { "VOPD_X", { 0, 0xffc00000 } },
    { "VOPD_Y", { 0, 0xfc3e0000 } },
    { "VINTRP", { 0xfc030000, 0 } },
    { "VINTERP", { 0, 0xffff0000 } },
    { "LDSDIR", { 0, 0xff300000 } },
    { "EXP", { 0xfc000000, 0xfc000000 } },
    { "DS", { 0xfffe0000, 0xfffc0000 } },
    { "FLAT", { 0xfdfcc000, 0xffff0000 } },
    { "FLAT_SCRATCH", { 0xfdfcc000, 0 } },
    { "FLAT_GLOBAL", { 0xfdfcc000, 0 } },
    { "SCRATCH", { 0, 0xffff0000 } },
    { "GLOBAL", { 0, 0xffff0000 } },
    { "MUBUF", { 0xfdfc0000, 0xfffc0000 } },
    { "MTBUF", { 0xfc078000, 0xfc078000 } },
    { "MIMG", { 0xfdfc0000, 0xfffc0000 } },
    { "VFLAT", { 0, 0xff3fc000 } },
    { "VSCRATCH", { 0, 0xff3fc000 } },
    { "VGLOBAL", { 0, 0xff3fc000 } },
    { "VBUFFER", { 0, 0xfc3fc000 } },
    { "VIMAGE", { 0, 0xfc3fc000 } },
    { "VSAMPLE", { 0, 0xfc3fc000 } },
};

static uint32_t operation_mask(const char *family, Style style)
{
    for (size_t i = 0; i < G_N_ELEMENTS(families); i++) {
        if (strcmp(families[i].family, family) == 0 &&
            families[i].mask[style]) {
            return families[i].mask[style];
        }
    }
    g_error("unknown family %s", family);
}

/* ---- operands ---- */

/* Source codes at the borders of their ranges. */
static unsigned random_code(Random *r, Style style)
{
    static const uint8_t both[] = {
        0, 1, 4, 5, 8, 101, 102, 104, 106, 107, 108, 109, 122, 123, 124, 126,
        127, 128, 129, 192, 193, 208, 235, 236, 239, 240, 242, 247, 248, 251,
        252, 253, 255,
    };
    static const uint8_t own[STYLES][2] = { { 103, 254 }, { 105, 125 } };
    unsigned n = random_below(r, sizeof(both) + sizeof(own[0]));

    return n < sizeof(both) ? both[n] : own[style][n - sizeof(both)];
}

static unsigned random_source(Random *r, Style style)
{
    return random_chance(r, 40) ? random_code(r, style)
                                : 256 + random_below(r, 256);
}

enum { DPP8 = 233, DPP8_FI = 234, DPP16 = 250 };

/* The dword of DPP16 or DPP8, by the code in src0. */
static uint32_t dpp_dword(Random *r, unsigned code)
{
    static const uint16_t controls[] = {
        0x101, 0x10f, 0x111, 0x121, 0x12f, 0x140, 0x141, 0x150, 0x15f, 0x160,
        0x16f,
    };
    unsigned control = random_chance(r, 30) ? random_below(r, 256) :
                       controls[random_below(r, G_N_ELEMENTS(controls))];
    uint32_t word;

    if (code != DPP16) {
        return random_u32(r);
    }
    word = random_below(r, 256) | control << 8 | random_below(r, 256) << 24;
    return random_chance(r, 40) ? word | (random_bits(r) & 0x00fc0000) : word;
}

static unsigned random_dpp(Random *r)
{
    static const uint8_t codes[] = { DPP8, DPP8_FI, DPP16, DPP16 };

    return codes[random_below(r, sizeof(codes))];
}

/* ---- vector ALU ---- */

static void encode_vop3(Random *r, Style style, uint32_t *w, uint32_t fixed)
{
    unsigned first = random_source(r, style);

    if (style == STYLE_RDNA && random_chance(r, 30)) {
        first = random_dpp(r);
        w[2] = dpp_dword(r, first);
    }
    w[0] = fixed | random_below(r, 256);
    w[1] = first | random_source(r, style) << 9;
    if (random_chance(r, 40)) {
        w[0] |= random_bits(r) & 0xff00;
    }
    if (random_chance(r, 50)) {
        w[1] |= random_source(r, style) << 18;
    }
    if (random_chance(r, 50)) {
        w[1] |= random_bits(r) & 0xf8000000;
    }
}

static void encode_sdwa(Random *r, uint32_t *w, bool one_source)
{
    uint32_t second = one_source ? 0x00ffffff : 0xffffffff;

    w[0] = (w[0] & ~0x1ffu) | 0xf9;
    w[1] = random_below(r, 256) | random_below(r, 7) << 8 |
           random_below(r, 3) << 11 | random_below(r, 7) << 16 |
           random_below(r, 7) << 24;
    if (random_chance(r, 40)) {
        w[1] |= random_bits(r) & 0x88808000;
    }
    if (random_chance(r, 40)) {
        w[1] |= random_bits(r) & 0x3838e000;
    }
    w[1] &= second;
}

static void encode_dpp(Random *r, uint32_t *w)
{
    static const uint16_t controls[] = {
        0x101, 0x10f, 0x111, 0x121, 0x12f, 0x130, 0x134, 0x138, 0x13c,
        0x140, 0x141, 0x142, 0x143,
    };
    unsigned control = random_chance(r, 30) ? random_below(r, 256) :
                       controls[random_below(r, G_N_ELEMENTS(controls))];

    w[0] = (w[0] & ~0x1ffu) | 0xfa;
    w[1] = random_below(r, 256) | control << 8 | random_below(r, 256) << 24;
    if (random_chance(r, 40)) {
        w[1] |= random_bits(r) & 0x00f80000;
    }
}

static void encode_short_gfx9(Random *r, uint32_t *w, bool one_source)
{
    switch (random_below(r, 4)) {
    case 0:
        encode_sdwa(r, w, one_source);
        break;
    case 1:
        encode_dpp(r, w);
        break;
    case 2:
        w[0] = (w[0] & ~0x1ffu) | random_code(r, STYLE_GFX9);
        break;
    default:
        break;
    }
}

static void encode_short_rdna(Random *r, uint32_t *w)
{
    unsigned code;

    switch (random_below(r, 4)) {
    case 0: case 1:
        code = random_dpp(r);
        w[0] = (w[0] & ~0x1ffu) | code;
        w[1] = dpp_dword(r, code);
        break;
    case 2:
        w[0] = (w[0] & ~0x1ffu) | random_code(r, STYLE_RDNA);
        break;
    default:
        break;
    }
}

/* ---- memory ---- */

/* Operands in bytes, each absent now and then. */
static void encode_memory_gfx9(Random *r, uint32_t *w, const char *family,
                               uint32_t fixed)
{
    w[1] = 0;
    for (int i = 0; i < 4; i++) {
        if (random_chance(r, 60)) {
            w[1] |= random_below(r, 256) << 8 * i;
        }
    }
    if (g_str_has_prefix(family, "FLAT")) {
        unsigned saddr = random_chance(r, 40) ? 0x7f : random_below(r, 128);

        w[1] = (w[1] & ~0xff0000u) | saddr << 16;
        if (strcmp(family, "FLAT") == 0 && random_chance(r, 90)) {
            w[1] &= ~0xff0000u;
        }
    } else if (strstr(family, "BUF")) {
        w[1] &= ~0xe00000u;
    }
    if (random_chance(r, 50)) {
        w[0] = fixed | (w[0] & 0xfff);
    }
}

/* Operands in bytes, each absent now and then; the last dword likewise. */
static void encode_memory_rdna(Random *r, uint32_t *w)
{
    for (int i = 0; i < 4; i++) {
        if (random_chance(r, 40)) {
            w[1] &= ~(0xffu << 8 * i);
        }
        if (random_chance(r, 30)) {
            w[2] &= ~(0xffu << 8 * i);
        }
    }
}

/* ---- an operation ---- */

static void encode(Random *r, Style style, const OpcodeRow *row, Candidate *c)
{
    uint32_t mask = operation_mask(row->family, style);
    uint32_t fixed = row->words[0] & mask;
    uint32_t *w = c->words;

    w[0] = fixed | (random_bits(r) & ~mask);
    w[1] = random_bits(r);
    w[2] = random_bits(r);
    if (g_str_has_prefix(row->family, "VOP3")) {
        if (random_chance(r, 80)) {
            encode_vop3(r, style, w, fixed);
        }
    } else if (g_str_has_prefix(row->family, "VOPD")) {
        w[1] = (w[1] & ~0x1ffu) | random_source(r, style);
    } else if (g_str_has_prefix(row->family, "VOP")) {
        if (style == STYLE_RDNA) {
            encode_short_rdna(r, w);
        } else {
            encode_short_gfx9(r, w, strcmp(row->family, "VOP1") == 0);
        }
    } else if (row->count >= 2 && row->family[0] != 'S' &&
               random_chance(r, 70)) {
        if (style == STYLE_RDNA) {
            encode_memory_rdna(r, w);
        } else {
            encode_memory_gfx9(r, w, row->family, fixed);
        }
    }
}

void random_encoding(Random *r, const OpcodeRow *row, Candidate *c)
{
    encode(r, STYLE_GFX9, row, c);
}

void random_rdna_encoding(Random *r, const OpcodeRow *row, Candidate *c)
{
    encode(r, STYLE_RDNA, row, c);
}
