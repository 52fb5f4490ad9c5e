/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of examples, and random words.
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
