/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodings of gfx11 and gfx12 with random fields.
 */
#include "decode-words.h"

/* Source codes at the borders of their ranges. */
static unsigned random_code(Random *r)
{
    static const uint8_t codes[] = {
        0, 1, 4, 5, 8, 101, 102, 104, 105, 106, 107, 108, 109, 122, 123, 124,
        125, 126, 127, 128, 129, 192, 193, 208, 235, 236, 239, 240, 242, 247,
        248, 251, 252, 253, 255,
    };

    return codes[random_below(r, sizeof(codes))];
}

static unsigned random_source(Random *r)
{
    return random_chance(r, 40) ? random_code(r) : 256 + random_below(r, 256);
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

static void encode_vop3(Random *r, uint32_t *w, uint32_t fixed)
{
    unsigned first = random_source(r);

    if (random_chance(r, 30)) {
        first = random_dpp(r);
        w[2] = dpp_dword(r, first);
    }
    w[0] = fixed | random_below(r, 256);
    w[1] = first | random_source(r) << 9;
    if (random_chance(r, 40)) {
        w[0] |= random_bits(r) & 0xff00;
    }
    if (random_chance(r, 50)) {
        w[1] |= random_source(r) << 18;
    }
    if (random_chance(r, 50)) {
        w[1] |= random_bits(r) & 0xf8000000;
    }
}

static void encode_short_vop(Random *r, uint32_t *w)
{
    unsigned code;

    switch (random_below(r, 4)) {
    case 0: case 1:
        code = random_dpp(r);
        w[0] = (w[0] & ~0x1ffu) | code;
        w[1] = dpp_dword(r, code);
        break;
    case 2:
        w[0] = (w[0] & ~0x1ffu) | random_code(r);
        break;
    default:
        break;
    }
}

/* Operands in bytes, each absent now and then; the last dword likewise. */
static void encode_memory(Random *r, uint32_t *w)
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

/* Bits of the first dword that make a family and an operation of it. */
static uint32_t operation_mask(const char *family)
{
    static const struct {
        const char *family;
        uint32_t mask;
    } masks[] = {
        { "SOP1", 0xff80ff00 }, { "SOP2", 0xff800000 },
        { "SOPC", 0xffff0000 }, { "SOPK", 0xff800000 },
        { "SOPP", 0xffff0000 }, { "VOP1", 0xfe01fe00 },
        { "VOP2", 0xfe000000 }, { "VOPC", 0xfffe0000 },
        { "VOP3", 0xffff0000 }, { "VOP3P", 0xffff0000 },
        { "VOPD_X", 0xffc00000 }, { "VOPD_Y", 0xfc3e0000 },
        { "VINTERP", 0xffff0000 }, { "LDSDIR", 0xff300000 },
        { "EXP", 0xfc000000 }, { "DS", 0xfffc0000 },
        { "FLAT", 0xffff0000 }, { "SCRATCH", 0xffff0000 },
        { "GLOBAL", 0xffff0000 }, { "MUBUF", 0xfffc0000 },
        { "MTBUF", 0xfc078000 }, { "MIMG", 0xfffc0000 },
        { "VFLAT", 0xff3fc000 }, { "VSCRATCH", 0xff3fc000 },
        { "VGLOBAL", 0xff3fc000 }, { "VBUFFER", 0xfc3fc000 },
        { "VIMAGE", 0xfc3fc000 }, { "VSAMPLE", 0xfc3fc000 },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(masks); i++) {
        if (strcmp(masks[i].family, family) == 0) {
            return masks[i].mask;
        }
    }
    g_error("unknown family %s", family);
}

void random_rdna_encoding(Random *r, const OpcodeRow *row, Candidate *c)
{
    /* SMEM's opcodes are elsewhere in each generation. */
    bool smem = strcmp(row->family, "SMEM") == 0;
    uint32_t mask = smem ? 0xffffe000 : operation_mask(row->family);
    uint32_t fixed = row->words[0] & mask;
    uint32_t *w = c->words;

    w[0] = fixed | (random_bits(r) & ~mask);
    w[1] = random_bits(r);
    w[2] = random_bits(r);
    if (g_str_has_prefix(row->family, "VOP3")) {
        if (random_chance(r, 80)) {
            encode_vop3(r, w, fixed);
        }
    } else if (g_str_has_prefix(row->family, "VOPD")) {
        w[1] = (w[1] & ~0x1ffu) | random_source(r);
    } else if (g_str_has_prefix(row->family, "VOP")) {
        encode_short_vop(r, w);
    } else if (row->count >= 2 && row->family[0] != 'S' &&
               random_chance(r, 70)) {
        encode_memory(r, w);
    }
}
