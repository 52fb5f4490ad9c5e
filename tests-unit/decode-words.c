/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words to try a decoder with.
 *
 * Uniform fields rarely make a valid instruction: most operand codes of VOP3
 * are reserved, absent operands must be zero.  So fields are drawn from what
 * is interesting more often than from all that there is.
 */
#include "decode-words.h"

uint32_t random_u32(Random *r)
{
    /* splitmix64 */
    uint64_t z = r->state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) >> 32;
}

unsigned random_below(Random *r, unsigned n)
{
    return random_u32(r) % n;
}

bool random_chance(Random *r, unsigned percent)
{
    return random_below(r, 100) < percent;
}

uint32_t random_bits(Random *r)
{
    switch (random_below(r, 10)) {
    case 0:
        return 0;
    case 1: case 2:
        return random_u32(r) & random_u32(r);
    case 3: case 4: case 5:
        return random_u32(r) & random_u32(r) & random_u32(r);
    default:
        return random_u32(r);
    }
}

void random_candidate(Random *r, Candidate *c)
{
    for (int i = 0; i < CANDIDATE_DWORDS; i++) {
        c->words[i] = random_u32(r);
    }
}

/* Source codes at the borders of their ranges. */
static unsigned random_code(Random *r)
{
    static const uint8_t codes[] = {
        0, 1, 4, 5, 8, 101, 102, 103, 104, 106, 107, 108, 109, 122, 123, 124,
        126, 127, 128, 129, 192, 193, 208, 235, 236, 239, 240, 242, 247, 248,
        251, 252, 253, 254, 255,
    };

    return codes[random_below(r, sizeof(codes))];
}

static unsigned random_source(Random *r)
{
    return random_chance(r, 40) ? random_code(r) : 256 + random_below(r, 256);
}

static void encode_vop3(Random *r, uint32_t *w, uint32_t fixed)
{
    w[0] = fixed | random_below(r, 256);
    w[1] = random_source(r) | random_source(r) << 9;
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

static void encode_short_vop(Random *r, uint32_t *w, bool one_source)
{
    switch (random_below(r, 4)) {
    case 0:
        encode_sdwa(r, w, one_source);
        break;
    case 1:
        encode_dpp(r, w);
        break;
    case 2:
        w[0] = (w[0] & ~0x1ffu) | random_code(r);
        break;
    default:
        break;
    }
}

/* Operands in bytes, each absent now and then. */
static void encode_memory(Random *r, uint32_t *w, const char *family,
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

/* Bits of the first dword that make a family and an operation of it. */
static uint32_t operation_mask(const char *family)
{
    static const struct {
        const char *family;
        uint32_t mask;
    } masks[] = {
        { "SOP1", 0xff80ff00 }, { "SOP2", 0xff800000 },
        { "SOPC", 0xffff0000 }, { "SOPK", 0xff800000 },
        { "SOPP", 0xffff0000 }, { "SMEM", 0xfffc0000 },
        { "VOP1", 0xfe01fe00 }, { "VOP2", 0xfe000000 },
        { "VOPC", 0xfffe0000 }, { "VOP3", 0xffff0000 },
        { "VOP3P", 0xffff0000 }, { "VINTRP", 0xfc030000 },
        { "DS", 0xfffe0000 }, { "FLAT", 0xfdfcc000 },
        { "FLAT_SCRATCH", 0xfdfcc000 }, { "FLAT_GLOBAL", 0xfdfcc000 },
        { "MUBUF", 0xfdfc0000 }, { "MTBUF", 0xfc078000 },
        { "MIMG", 0xfdfc0000 }, { "EXP", 0xfc000000 },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(masks); i++) {
        if (strcmp(masks[i].family, family) == 0) {
            return masks[i].mask;
        }
    }
    g_error("unknown family %s", family);
}

void random_encoding(Random *r, const OpcodeRow *row, Candidate *c)
{
    uint32_t mask = operation_mask(row->family);
    uint32_t fixed = row->words[0] & mask;
    uint32_t *w = c->words;

    w[0] = fixed | (random_bits(r) & ~mask);
    w[1] = random_bits(r);
    w[2] = random_bits(r);
    if (g_str_has_prefix(row->family, "VOP3")) {
        if (random_chance(r, 80)) {
            encode_vop3(r, w, fixed);
        }
    } else if (g_str_has_prefix(row->family, "VOP")) {
        encode_short_vop(r, w, strcmp(row->family, "VOP1") == 0);
    } else if (row->count == 2 && row->family[0] != 'S' && random_chance(r, 70)) {
        encode_memory(r, w, row->family, fixed);
    }
}

static void free_row(gpointer data)
{
    OpcodeRow *row = data;

    g_free(row->mnemonic);
    g_free(row->family);
    g_free(row->text);
    g_free(row);
}

static OpcodeRow *parse_row(const char *line)
{
    g_auto(GStrv) columns = g_strsplit(line, "\t", 5);
    g_auto(GStrv) bytes = NULL;
    OpcodeRow *row = g_new0(OpcodeRow, 1);
    unsigned n;

    g_assert_cmpuint(g_strv_length(columns), ==, 5);
    bytes = g_strsplit(columns[3], " ", -1);
    n = g_strv_length(bytes);
    g_assert_cmpuint(n, <=, sizeof(row->words));
    row->mnemonic = g_strdup(columns[0]);
    row->family = g_strdup(columns[1]);
    row->opcode = g_ascii_strtoull(columns[2], NULL, 10);
    row->text = g_strdup(columns[4]);
    row->count = n / 4;
    for (unsigned i = 0; i < n; i++) {
        uint32_t byte = g_ascii_strtoull(bytes[i], NULL, 16);

        row->words[i / 4] |= byte << 8 * (i % 4);
    }
    return row;
}

static void read_table(const char *name, GPtrArray *rows)
{
    g_autofree char *file = g_strconcat(name, "-opcodes.tsv", NULL);
    g_autofree char *path = g_build_filename(TEST_DATA_DIR, file, NULL);
    g_autofree char *content = NULL;
    g_auto(GStrv) lines = NULL;
    g_autoptr(GError) error = NULL;

    g_file_get_contents(path, &content, NULL, &error);
    g_assert_no_error(error);
    lines = g_strsplit(content, "\n", -1);
    for (int i = 0; lines[i]; i++) {
        if (lines[i][0] && lines[i][0] != '#') {
            g_ptr_array_add(rows, parse_row(lines[i]));
        }
    }
}

GPtrArray *decode_rows(const char *names)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    g_auto(GStrv) list = g_strsplit(names, " ", -1);

    for (int i = 0; list[i]; i++) {
        read_table(list[i], rows);
    }
    return rows;
}
