/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoder, disassembler and assembler of LinxISA, against the bit layouts of
 * its manual and against what another decoder makes of random instructions.
 */
#include <string.h>
#include "linx-data.h"
#include "target/linx/decode.h"

enum { TRIES = 400 }; /* random words a row */

static bool decode_word(uint64_t word, unsigned size, LinxInst *inst)
{
    uint8_t bytes[8];

    linx_put_word(word, bytes);
    return linx_decode(bytes, size, inst);
}

/* ---- the tables ---- */

/* A field's bits in the instruction, and the same where they are in it. */
static void check_slice(const LinxFormat *format, const char *text)
{
    g_autofree char *name = g_strdup(text);
    unsigned low = g_ascii_strtoull(strrchr(name, ':') + 1, NULL, 10), high;
    unsigned to = 0;
    char *bracket;

    *strrchr(name, ':') = '\0';
    high = g_ascii_strtoull(strrchr(name, ':') + 1, NULL, 10);
    *strrchr(name, ':') = '\0';
    bracket = strchr(name, '[');
    if (bracket) {
        to = g_ascii_strtoull(strchr(bracket, ':') + 1, NULL, 10);
        *bracket = '\0';
    }
    g_strdelimit(name, "/", '\0'); /* L/UL, B/E: only that they are there */
    for (unsigned i = 0; i < LINX_SLICES && format->slices[i].bits; i++) {
        const LinxSlice *slice = &format->slices[i];

        if (slice->at == low && slice->bits == high - low + 1 &&
            slice->to == to) {
            const char *ours = linx_field_names[slice->field];

            g_assert_true(strstr(ours, name) || strstr(name, "L") ||
                          strstr(name, "B"));
            return;
        }
    }
    g_test_message("no slice %s", text);
    g_test_fail();
}

/* linx-encodings.tsv says the same in another form. */
static void test_encodings(void)
{
    g_autoptr(GPtrArray) lines = linx_data("linx-encodings.tsv");

    g_assert_cmpuint(lines->len, ==, LINX_OPS);
    for (unsigned op = 0; op < lines->len; op++) {
        char **line = g_ptr_array_index(lines, op);
        const LinxRow *row = &linx_rows[op];
        const LinxFormat *format = &linx_formats[row->format];
        g_auto(GStrv) slices = g_strsplit(line[4], ",", -1);
        g_autofree char *name = g_ascii_strdown(line[0], -1);
        unsigned count = 0;

        g_assert_true(g_str_has_prefix(name, row->name));
        g_assert_cmpuint(row->bits, ==, g_ascii_strtoull(line[1], NULL, 10));
        g_assert_cmphex(row->match, ==, g_ascii_strtoull(line[2], NULL, 16));
        g_assert_cmphex(row->mask, ==, g_ascii_strtoull(line[3], NULL, 16));
        for (unsigned i = 0; slices[i] && *slices[i]; i++) {
            check_slice(format, slices[i]);
        }
        while (count < LINX_SLICES && format->slices[count].bits) {
            count++;
        }
        g_assert_cmpuint(count, ==, *line[4] ? g_strv_length(slices) : 0);
        for (unsigned field = 0; field < LINX_FIELDS; field++) {
            LinxInst inst = { .op = op };

            g_assert_cmpint(linx_inst_has(&inst, field), ==,
                            linx_field_bits(format, field) != 0);
        }
    }
}

static void test_length(void)
{
    /* First parcels of a 16-, 32-, 48- and 64-bit instruction. */
    g_assert_cmpuint(linx_length(0x08c0), ==, 2);
    g_assert_cmpuint(linx_length(0x1181), ==, 4);
    g_assert_cmpuint(linx_length(0x000e), ==, 6);
    g_assert_cmpuint(linx_length(0x027f), ==, 8);
    g_assert_cmpuint(linx_length(0x000f), ==, 8);
    for (unsigned parcel = 0; parcel < 0x10000; parcel++) {
        bool is_long = (parcel & 0xe) == 0xe;

        g_assert_cmpuint(linx_length(parcel), ==,
                         parcel & 1 ? (is_long ? 8 : 4) : (is_long ? 6 : 2));
    }
}

/* ---- the other decoder's answers ---- */

static char *operand_text(const LinxInst *inst, LinxField field)
{
    int64_t value = inst->field[field];
    bool is_float = linx_rows[inst->op].flags & LINX_FLOAT;

    if (linx_field_kinds[field] == LINX_DEST) {
        return g_strdup_printf("%s.%s", linx_dest_name(linx_number(value)),
                               linx_width_names[linx_type(value)]);
    }
    return g_strdup_printf("%s.%s", linx_source_name(linx_number(value)),
                           linx_type_name(linx_type(value), is_float));
}

static void check_field(const LinxInst *inst, const char *name,
                        const char *expected)
{
    LinxField field = 0;

    while (field < LINX_FIELDS && strcmp(linx_field_names[field], name)) {
        field++;
    }
    g_assert_cmpint(field, <, LINX_FIELDS);
    if (linx_field_kinds[field] == LINX_SOURCE ||
        linx_field_kinds[field] == LINX_DEST) {
        g_autofree char *text = operand_text(inst, field);

        /*
         * TS is another name of TO1.  The mask of PSEL is always read as 64
         * bits, and the other decoder tells no type of it.
         */
        if (!strchr(expected, '.') || g_str_has_suffix(expected, ".reuse")) {
            g_assert_true(g_str_has_prefix(text, expected));
        } else if (g_str_has_prefix(expected, "ts.")) {
            g_assert_cmpstr(text + 4, ==, expected + 3);
        } else {
            g_assert_cmpstr(text, ==, expected);
        }
    } else {
        g_assert_cmpint(inst->field[field], ==,
                        g_ascii_strtoll(expected, NULL, 10));
    }
}

static void test_vectors(void)
{
    g_autoptr(GPtrArray) lines = linx_data("linx-decode.tsv");

    g_assert_cmpuint(lines->len, ==, 366);
    for (unsigned i = 0; i < lines->len; i++) {
        char **line = g_ptr_array_index(lines, i);
        g_auto(GStrv) fields = g_strsplit(line[2], " ", -1);
        g_autofree char *name = g_ascii_strdown(line[0], -1);
        LinxInst inst;

        if (!decode_word(g_ascii_strtoull(line[1], NULL, 16), 8, &inst)) {
            g_test_message("%s %s is not decoded", line[0], line[1]);
            g_test_fail();
            continue;
        }
        g_assert_cmpstr(linx_rows[inst.op].name, ==, name);
        for (unsigned f = 0; fields[f]; f++) {
            g_auto(GStrv) pair = g_strsplit(fields[f], "=", 2);

            check_field(&inst, pair[0], pair[1]);
        }
    }
}

/* ---- there and back ---- */

static void check_round_trip(const LinxInst *inst, const uint8_t *bytes)
{
    char text[LINX_TEXT_MAX];
    size_t length = linx_disassemble(inst, text, sizeof(text));
    g_autoptr(GError) error = NULL;
    uint8_t back[LINX_MAX_BYTES];
    LinxInst read;

    g_assert_cmpuint(length, <, sizeof(text));
    g_assert_cmpuint(length, ==, strlen(text));
    if (!linx_assemble(text, NULL, NULL, &read, &error)) {
        g_test_message("%s: %s", text, error->message);
        g_test_fail();
        return;
    }
    g_assert_cmpuint(linx_encode(&read, back), ==, inst->size);
    if (memcmp(back, bytes, inst->size)) {
        g_test_message("%s is assembled to another instruction", text);
        g_test_fail();
    }
}

/* Random operands, of which most numbers exist. */
static uint64_t random_fields(const LinxRow *row, uint64_t *state)
{
    uint64_t word = linx_random(state);

    switch (linx_random(state) % 4) {
    case 0:
        word &= linx_random(state);
        break;
    case 1:
        word |= linx_random(state);
        break;
    }
    return row->match | (word & ~row->mask);
}

static void test_round_trip(void)
{
    uint64_t state = 1;

    for (unsigned op = 0; op < LINX_OPS; op++) {
        const LinxRow *row = &linx_rows[op];
        unsigned done = 0;

        for (unsigned i = 0; i < TRIES || (!done && i < 100 * TRIES); i++) {
            uint64_t word = random_fields(row, &state);
            uint8_t bytes[8];
            LinxInst inst;

            linx_put_word(word, bytes);
            if (linx_decode(bytes, row->bits / 8, &inst) && inst.op == op) {
                check_round_trip(&inst, bytes);
                done++;
            }
            if (row->mask == (row->bits == 64 ? ~0ull :
                              (1ull << row->bits) - 1)) {
                break;
            }
        }
        if (!done) {
            g_test_message("%s was never decoded", row->name);
            g_test_fail();
        }
    }
}

/* Any bytes at all: nothing outside @count is read, all text is complete. */
static void test_robust(void)
{
    uint64_t state = 2;

    for (unsigned i = 0; i < 100000; i++) {
        unsigned count = linx_random(&state) % 9;
        g_autofree uint8_t *bytes = g_malloc(count ? count : 1);
        LinxInst inst;

        for (unsigned b = 0; b < count; b++) {
            bytes[b] = linx_random(&state);
        }
        if (count && i % 2) {
            bytes[0] = 0x7f;
        }
        if (linx_decode(bytes, count, &inst)) {
            g_assert_cmpuint(inst.size, <=, count);
            check_round_trip(&inst, bytes);
        }
    }
}

static void test_truncated(void)
{
    for (unsigned op = 0; op < LINX_OPS; op++) {
        const LinxRow *row = &linx_rows[op];

        for (unsigned size = 0; size < row->bits / 8u; size++) {
            LinxInst inst;

            g_assert_false(decode_word(row->match, size, &inst));
        }
    }
}

/* ---- what is reserved ---- */

typedef struct ReservedForm {
    const char *what;
    uint64_t word;
} ReservedForm;

static void test_reserved(void)
{
    /* VT#1.ud and VT have number and type 0. */
    static const ReservedForm forms[] = {
        { "source number 4", 0x000200050000007f },
        { "source number 44", 0x000600050000807f },
        { "SrcRType 1", 0x020000050000007f },
        { "SrcRType 2", 0x040000050000007f },
        { "vlen 3", 0x000000050000607f },
        { "a destination with bit 9", 0x000000050000087f },
        { "destination number 4", 0x000002050000007f },
        { "RO0 as a destination of no reduction", 0x00000005000000ff },
        { "a 48-bit word", 0x000000000000000e },
        { "float type 4", 0x0000004b0008007f },
        { "float type 5", 0x0000004b000a007f },
        { "rm 8", 0x0000004b0400007f },
        { "a reduction into VT", 0x0000000d0000007f },
        { "a reduction into P", 0x00000e0d0000017f },
        { "an unlisted function", 0x0000700d0000007f },
        { "CMP.LT with SrcRType 3", 0x06004045 },
    };
    LinxInst inst;

    g_assert_true(decode_word(0x000000050000007f, 8, &inst));
    g_assert_true(decode_word(0x0000004b0000007f, 8, &inst));
    g_assert_true(decode_word(0x0000000d000000ff, 8, &inst));
    for (unsigned i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (decode_word(forms[i].word, 8, &inst)) {
            g_test_message("%s is accepted", forms[i].what);
            g_test_fail();
        }
    }
    /* Section 10: EQ and NE may negate, AND and OR may invert. */
    g_assert_true(decode_word(0x06000045, 4, &inst));
    g_assert_true(decode_word(0x06002045, 4, &inst));
}

/* ---- text ---- */

typedef struct Line {
    uint64_t word;
    const char *text;
} Line;

/* Section 17.1, and others by the layouts of the manual. */
static void test_text(void)
{
    static const Line lines[] = {
        { 0x02001181, "bstart.mpar vs16" },
        { 0x08000043, "b.dim zero, 128, ->lb0" },
        { 0x00310213, "b.ior [a0, a1], [a2]" },
        { 0x000ae013, "b.iot [], last, ->t<512B>" },
        { 0x00000403, "b.text .+16" },
        { 0x001000050055027f, "v.add lc0.uh, ri1.uw, ->vt.w" },
        { 0x0800008500a3827f, "v.add vt#1.reuse.uw, lc0.uh<<1, ->vu.w" },
        { 0x4000204938a0807f,
          "v.sw vu#1.reuse.uw, [ri0.ud, lc0.uh<<2]" },
        { 0x400c204920a1407f, "v.sw.local vu#1.uw, [to.ud, lc0.uh<<2]" },
        { 0x0000000d000200ff, "v.rdadd vt#1.uw, ->ro0.d" },
        { 0x00000001, "bstop" },
        { 0x08c0, "c.bstart.mpar" },
        { 0x103c, "c.b.dimi 64, ->lb0" },
        { 0xfe000fa7, "b.eq zero, zero, .-2" },
        { 0x00001fb7, "b.z .-262144" },
        { 0x04000023, "b.catr.dr" },
        { 0x00001f97, "lui 1, ->t" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(lines); i++) {
        uint8_t bytes[8];
        char text[LINX_TEXT_MAX];
        LinxInst inst, read;
        g_autoptr(GError) error = NULL;

        linx_put_word(lines[i].word, bytes);
        g_assert_true(linx_decode(bytes, 8, &inst));
        linx_disassemble(&inst, text, sizeof(text));
        g_assert_cmpstr(text, ==, lines[i].text);
        g_assert_true(linx_assemble(lines[i].text, NULL, NULL, &read,
                                    &error));
        g_assert_no_error(error);
        g_assert_cmpint(memcmp(&inst, &read, sizeof(inst)), ==, 0);
    }
}

/* Other ways to write the same. */
static void test_spellings(void)
{
    static const char *const pairs[][2] = {
        { "  V.ADD  LC0.uh,RI1.uw ,->VT.w", "v.add lc0.uh, ri1.uw, ->vt.w" },
        { "v.add t#1.ud, u#1.ud, ->t.d", "l.add t#1.ud, u#1.ud, ->t.d" },
        { "l.ld.local [ts.ud, zero.ud], ->t.d",
          "l.ld.local [to1.ud, zero.ud], ->t.d" },
        { "addi r2, 0x10, ->r30", "addi a0, 16, ->u" },
        { "v.fadd.sat.x2.rtz vt#1.fs, vt#1.fs, ->vt.w",
          "v.fadd.sat.x2.rtz vt#1.fs, vt#1.fs, ->vt.w" },
        { "v.xor vt#1.ud, p.ud.not<<3, ->vt.d",
          "v.xor vt#1.ud, p.ud.not<<3, ->vt.d" },
        { "B.IOT [t#1.reuse,n#16], ->s<256KB>",
          "b.iot [t#1.reuse, n#16], ->s<256KB>" },
        { "b.ior [], []", "b.ior [], []" },
        { "b.ior [zero, a0], [sp]", "b.ior [zero, a0], [sp]" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(pairs); i++) {
        char text[LINX_TEXT_MAX];
        g_autoptr(GError) error = NULL;
        LinxInst inst;

        linx_assemble(pairs[i][0], NULL, NULL, &inst, &error);
        g_assert_no_error(error);
        linx_disassemble(&inst, text, sizeof(text));
        g_assert_cmpstr(text, ==, pairs[i][1]);
    }
}

static bool one_label(void *opaque, const char *label, int64_t *distance)
{
    *distance = *(int64_t *)opaque;
    return !strcmp(label, "loop");
}

static void test_labels(void)
{
    int64_t distance = -24;
    LinxInst inst;

    g_assert_true(linx_assemble("b.ne t#1, u#1, loop", one_label, &distance,
                                &inst, NULL));
    g_assert_cmpint(inst.field[LINX_F_simm12], ==, -12);
    g_assert_false(linx_assemble("b.ne t#1, u#1, pool", one_label, &distance,
                                 &inst, NULL));
    distance = 4096; /* simm12 parcels end at 4094 */
    g_assert_false(linx_assemble("b.ne t#1, u#1, loop", one_label, &distance,
                                 &inst, NULL));
    distance = 3;
    g_assert_false(linx_assemble("b.ne t#1, u#1, loop", one_label, &distance,
                                 &inst, NULL));
}

static void test_errors(void)
{
    static const char *const texts[] = {
        "", "v.", "frob a0", "v.addx vt#1.ud, vt#1.ud, ->vt.d",
        "v.add vt#5.ud, vt#1.ud, ->vt.d", "v.add vt#1, vt#1.ud, ->vt.d",
        "v.add vt#1.fs, vt#1.ud, ->vt.d", "v.add vt#1.ud, vt#1.ud, ->ro0.d",
        "v.add vt#1.ud, vt#1.ud.not, ->vt.d",
        "v.add vt#1.ud, vt#1.ud<<32, ->vt.d",
        "v.add vt#1.ud, vt#1.ud.sw, ->vt.d",
        "v.add vt#1.ud, vt#1.ud, ->vt.d more",
        "v.add vt#1.ud, vt#1.ud, ->vt.d {nope=1}",
        "v.addi vt#1.ud, 4096, ->vt.d", "v.addi vt#1.ud, -1, ->vt.d",
        "v.lwi [ri0.ud, 3], ->vt.w", "v.sw vt#1.uw, [ri0.ud, lc0.uh<<1]",
        "v.rdadd vt#1.uw, ->vt.d", "l.add vt#1.ud, vt#1.ud, ->vt.d",
        "b.iot [t#17], last", "b.iot [t#1], last, ->t<3KB>",
        "c.b.dimi 64, ->lb3", "b.dim zero, 131072, ->lb0", "b.text .+1",
        "cmp.lt a0, a1.neg, ->t", "addi r32, 1, ->t", "b.text",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        LinxInst inst;

        if (linx_assemble(texts[i], NULL, NULL, &inst, &error)) {
            g_test_message("\"%s\" is accepted", texts[i]);
            g_test_fail();
        } else {
            g_assert_error(error, LINX_ASM_ERROR, 0);
            g_assert_null(strchr(error->message, '\n'));
            g_test_message("%s: %s", texts[i], error->message);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/decode/encodings", test_encodings);
    g_test_add_func("/linx/decode/length", test_length);
    g_test_add_func("/linx/decode/vectors", test_vectors);
    g_test_add_func("/linx/decode/round-trip", test_round_trip);
    g_test_add_func("/linx/decode/robust", test_robust);
    g_test_add_func("/linx/decode/truncated", test_truncated);
    g_test_add_func("/linx/decode/reserved", test_reserved);
    g_test_add_func("/linx/asm/text", test_text);
    g_test_add_func("/linx/asm/spellings", test_spellings);
    g_test_add_func("/linx/asm/labels", test_labels);
    g_test_add_func("/linx/asm/errors", test_errors);
    return g_test_run();
}
