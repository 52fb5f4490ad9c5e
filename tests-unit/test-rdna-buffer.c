/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formatted buffer accesses of gfx11 and gfx12 against buffer-model.c: every
 * format, with every instruction that has one, linear and swizzled, within the
 * buffer and out of its range by each rule.
 *
 * The matrix is what docs/buffers.md shows; --table prints that part.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "buffer-model.h"
#include "format-model.h"
#include "wave-harness.h"

#define BASE 0x500100020000ull
#define SIZE 0x6000u
enum { ADDR = 2, DATA = 8, REGS = 6, SRSRC = 8, SOFFSET = 0x40, ROW = 64 };

static GRand *rng;
static uint8_t *mem;

static unsigned below(unsigned n)
{
    return g_rand_int_range(rng, 0, n);
}

/* ---- instructions ---- */

typedef struct Op {
    const char *name; /* behind buffer_ */
    bool store;
    unsigned comps;
    char half; /* 0, 'l' for D16, 'h' for D16_HI */
} Op;

static const Op ops[] = {
    { "load_format_x", false, 1, 0 },
    { "load_format_xy", false, 2, 0 },
    { "load_format_xyz", false, 3, 0 },
    { "load_format_xyzw", false, 4, 0 },
    { "store_format_x", true, 1, 0 },
    { "store_format_xy", true, 2, 0 },
    { "store_format_xyz", true, 3, 0 },
    { "store_format_xyzw", true, 4, 0 },
    { "load_d16_format_x", false, 1, 'l' },
    { "load_d16_format_xy", false, 2, 'l' },
    { "load_d16_format_xyz", false, 3, 'l' },
    { "load_d16_format_xyzw", false, 4, 'l' },
    { "store_d16_format_x", true, 1, 'l' },
    { "store_d16_format_xy", true, 2, 'l' },
    { "store_d16_format_xyz", true, 3, 'l' },
    { "store_d16_format_xyzw", true, 4, 'l' },
    { "load_d16_hi_format_x", false, 1, 'h' },
    { "store_d16_hi_format_x", true, 1, 'h' },
};

enum { OPS = G_N_ELEMENTS(ops), TYPED_OPS = 16 };

/* Groups of them, as the table has them. */
static const struct {
    const char *title;
    unsigned first, count;
} groups[] = {
    { "load", 0, 4 }, { "store", 4, 4 }, { "D16 load", 8, 4 },
    { "D16 store", 12, 4 }, { "D16_HI load", 16, 1 },
    { "D16_HI store", 17, 1 },
};

static unsigned data_words(const Op *op)
{
    return op->half ? (op->comps + 1) / 2 : op->comps;
}

/* How lanes come to be out of range. */
static const struct {
    const char *name;
    unsigned oob;
    bool all_in;
} situations[] = {
    { "in range", 0, true },
    { "OOB_SELECT 0", 0, false },
    { "OOB_SELECT 1", 1, false },
    { "OOB_SELECT 2", 2, false },
    { "OOB_SELECT 3", 3, false },
};

enum { SITUATIONS = G_N_ELEMENTS(situations) };

/* ---- cases ---- */

typedef struct Case {
    const Op *op;
    const BufFormat *format;
    BufModel buffer;
    bool typed, tfe;
    uint32_t words[3];
} Case;

static void choose_selectors(BufModel *b, unsigned seed)
{
    for (unsigned c = 0; c < 4; c++) {
        b->sel[c] = below(8) ? 4 + (c + seed) % 4 : below(2);
    }
}

static BufModel make_buffer(WaveHarness *h, unsigned format, unsigned element,
                            unsigned situation)
{
    static const unsigned scales[] = { 1, 4, 8, 32 };
    bool gfx12 = h->w->isa->gen == GEN_12;
    unsigned lanes = wave_width(h->w), oob = situations[situation].oob;
    unsigned scale = gfx12 ? scales[below(4)] : 1;
    BufModel b = {
        .gfx12 = gfx12, .base = BASE, .stride = ROW / scale, .scale = scale,
        .records = lanes * 5 / 8, .format = format,
        .index_stride = 8u << below(4), .element = element,
        .add_tid = below(4) == 0, .oob = oob,
    };

    if (situations[situation].all_in) {
        b.records = 0x10000;
        b.oob = format % 4;
    } else if (oob == 2) {
        b.records = below(2);
    } else if (oob == 3 && !element) {
        b.records = ROW / 2; /* bytes */
    }
    choose_selectors(&b, format + situation);
    return b;
}

/* A record a lane; some offsets beyond it where that is out of range. */
static void set_places(WaveHarness *h, const Case *c, bool all_in)
{
    const BufModel *b = &c->buffer;
    unsigned lanes = wave_width(h->w), bytes = MAX(c->format->bytes, 1);
    /* Misaligned, an element may lie across the end. */
    unsigned align = below(2) ? MIN(bytes, 4) : 1;
    bool strides = !all_in && (b->oob == 0 || (b->oob == 3 && b->element));

    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned offset = below((ROW - bytes) / align + 1) * align;

        if (strides && below(3) == 0) {
            offset = (ROW - bytes) / align * align + align * below(8);
        }
        wave_vgpr(h, ADDR)[lane] = b->add_tid ? 0 : lane * 37 % lanes;
        wave_vgpr(h, ADDR + 1)[lane] = offset;
    }
}

static bool is_integer(const BufFormat *f)
{
    return f->number == UINT || f->number == SINT;
}

/* Values that matter to conversions, and any others. */
static uint32_t random_component(const Case *c)
{
    static const float floats[] = {
        0, -0.f, 1, -1, 0.5f, 1.5f / 255, 2, -2, 300, 65504, 65520, 70000,
        0x1p-24f, 0x1.8p-24f, 0x1p-14f, 0x1p-20f, 1e30f, -1e30f,
        __builtin_inff(), -__builtin_inff(), 1 / 3.f, 511.5f, 512.5f,
    };
    uint32_t x = g_rand_int(rng);

    if (!is_integer(c->format)) {
        float f = below(2) ? floats[below(G_N_ELEMENTS(floats))]
                           : (float)g_rand_double_range(rng, -1.2, 1.2);

        memcpy(&x, &f, 4);
        if (c->op->half) {
            x = format_half_of(x) | format_half_of(format_bits_of(f / 3))
                << 16;
        }
    }
    return x;
}

/* ---- the model ---- */

typedef uint32_t Registers[REGS][64];

static void put(Registers v, const Case *c, unsigned lane, unsigned comp,
                uint32_t x)
{
    char half = c->op->half;
    uint32_t *reg = &v[half == 'l' ? comp / 2 : half ? 0 : comp][lane];
    bool high = half == 'h' || (half && comp % 2);

    if (!half) {
        *reg = x;
        return;
    }
    x = is_integer(c->format) ? x & 0xffff : format_half_of(x);
    *reg = high ? (*reg & 0xffff) | x << 16 : (*reg & 0xffff0000) | x;
}

static uint32_t get(Registers v, const Case *c, unsigned lane, unsigned comp)
{
    char half = c->op->half;
    uint32_t reg = v[half == 'l' ? comp / 2 : half ? 0 : comp][lane];

    if (!half) {
        return reg;
    }
    reg = half == 'h' || comp % 2 ? reg >> 16 : reg & 0xffff;
    return c->format->number == SINT
               ? (uint32_t)format_sign_extended(reg, 16) :
           c->format->number == UINT ? reg : format_of_half(reg);
}

static unsigned selector(const Case *c, unsigned comp)
{
    return c->typed ? 4 + comp : c->buffer.sel[comp];
}

static uint8_t *byte_of(uint8_t *m, const Case *c, const BufAccess *a,
                        unsigned i)
{
    uint64_t at = SOFFSET + buf_model_place(&c->buffer, a, i);

    g_assert_cmpuint(at, <, SIZE);
    return &m[at];
}

static void model_load(Registers v, const Case *c, const BufAccess *a)
{
    const BufFormat *f = c->format;
    uint32_t one = is_integer(f) ? 1 : format_bits_of(1);
    uint32_t comps[4] = { 0, 0, 0, one };
    unsigned bit = 0;

    if (!f->bytes || !buf_model_in_range(&c->buffer, a, 0, f->bytes)) {
        comps[3] = 0;
    } else {
        for (unsigned i = 0; i < f->count; i++) {
            uint32_t x = 0;

            for (unsigned k = 0; k < f->fields[i]; k++, bit++) {
                x |= (uint32_t)(*byte_of(mem, c, a, bit / 8) >> bit % 8 & 1)
                     << k;
            }
            comps[i] = format_decode(f->number, x, f->fields[i]);
        }
    }
    for (unsigned i = 0; i < c->op->comps; i++) {
        unsigned sel = selector(c, i);

        put(v, c, a->lane, i,
            sel == 0 ? 0 : sel == 1 ? one : comps[sel - 4]);
    }
}

static void model_store(uint8_t *m, Registers v, const Case *c,
                        const BufAccess *a)
{
    const BufFormat *f = c->format;
    uint32_t comps[4] = { 0 };
    unsigned bit = 0;

    if (!f->bytes || !buf_model_in_range(&c->buffer, a, 0, f->bytes)) {
        return;
    }
    for (unsigned i = c->op->comps; i-- > 0;) {
        if (selector(c, i) >= 4) {
            comps[selector(c, i) - 4] = get(v, c, a->lane, i);
        }
    }
    for (unsigned i = 0; i < f->count; i++) {
        uint32_t x = format_encode(f->number, comps[i], f->fields[i]);

        for (unsigned k = 0; k < f->fields[i]; k++, bit++) {
            uint8_t *byte = byte_of(m, c, a, bit / 8);

            *byte = (*byte & ~(1 << bit % 8)) | (x >> k & 1) << bit % 8;
        }
    }
}

/* ---- running ---- */

static bool same(uint32_t have, uint32_t want, const Case *c)
{
    bool floats = !is_integer(c->format) && !c->op->half;

    /* of NaNs, only that they are NaNs */
    return have == want || (floats && isnan(format_float_of(have)) &&
                            isnan(format_float_of(want)));
}

static void compare(WaveHarness *h, const Case *c, Registers want,
                    const uint8_t *want_mem)
{
    const BufModel *b = &c->buffer;

    for (unsigned n = 0; n < REGS * 64; n++) {
        uint32_t have = wave_vgpr(h, DATA + n / 64)[n % 64];

        if (!same(have, want[n / 64][n % 64], c)) {
            g_error("%s, %s, OOB %u, elements of %u: lane %u, v%u is %#x, "
                    "not %#x", c->op->name, c->format->name, b->oob,
                    b->element, n % 64, DATA + n / 64, have,
                    want[n / 64][n % 64]);
        }
    }
    for (unsigned i = 0; i < SIZE; i++) {
        if (mem[i] != want_mem[i]) {
            g_error("%s, %s, OOB %u, elements of %u: byte %#x is %#x, not "
                    "%#x", c->op->name, c->format->name, b->oob, b->element,
                    i, mem[i], want_mem[i]);
        }
    }
}

static uint64_t random_exec(WaveHarness *h)
{
    uint64_t some = (uint64_t)g_rand_int(rng) << 32 | g_rand_int(rng);

    return (below(2) ? UINT64_MAX : some) & h->w->full;
}

static void run_case(WaveHarness *h, const Case *c, unsigned words)
{
    WaveCode code = { c->words, words };
    uint64_t exec = random_exec(h);
    g_autofree uint8_t *want_mem = NULL;
    Registers want;

    h->w->s[3] = SOFFSET;
    buf_model_words(&c->buffer, &h->w->s[SRSRC]);
    wave_set_exec(h, exec);
    for (unsigned n = 0; n < REGS * 64; n++) {
        wave_vgpr(h, DATA + n / 64)[n % 64] = random_component(c);
    }
    memcpy(want, wave_vgpr(h, DATA), sizeof(want));
    want_mem = g_memdup2(mem, SIZE);
    for (unsigned lane = 0; lane < 64; lane++) {
        BufAccess a = { true, wave_vgpr(h, ADDR)[lane],
                        wave_vgpr(h, ADDR + 1)[lane], lane };

        if (!(exec >> lane & 1)) {
            continue;
        }
        if (c->op->store) {
            model_store(want_mem, want, c, &a);
        } else {
            model_load(want, c, &a);
        }
        if (c->tfe) {
            want[data_words(c->op)][lane] = 0; /* resident */
        }
    }
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
    compare(h, c, want, want_mem);
}

static void randomise(void)
{
    for (unsigned i = 0; i < SIZE; i++) {
        mem[i] = below(5) ? below(256) : below(2) * 0xff;
    }
}

static char *op_text(const Op *op, const char *prefix, const char *format,
                     bool tfe)
{
    return g_strdup_printf("%s_%s v[%u:%u], v[2:3], s[8:11], s3%s idxen "
                           "offen%s", prefix, op->name, DATA,
                           DATA + data_words(op) - 1 + tfe, format,
                           tfe ? " tfe" : "");
}

/* The untyped instructions, plain, and again, loads with tfe. */
static WaveCode *assemble_ops(void)
{
    const char *texts[2 * OPS];
    WaveCode *code;

    for (unsigned i = 0; i < 2 * OPS; i++) {
        const Op *op = &ops[i % OPS];

        texts[i] = op_text(op, "buffer", "", i >= OPS && !op->store);
    }
    code = wave_assemble(texts, 2 * OPS);
    for (unsigned i = 0; i < 2 * OPS; i++) {
        g_free((char *)texts[i]);
    }
    return code;
}

/* One cell of the matrix: an instruction and a format. */
static void run_cell(WaveHarness *h, const WaveCode *code, unsigned op,
                     unsigned format)
{
    for (unsigned n = 0; n < 2 * SITUATIONS; n++) {
        unsigned situation = n / 2, element = n % 2 ? 4u << below(3) : 0;
        bool tfe = !ops[op].store && below(4) == 0;
        Case c = {
            .op = &ops[op], .format = buf_format(format), .tfe = tfe,
            .buffer = make_buffer(h, format, element, situation),
        };
        const WaveCode *from = &code[op + (tfe ? OPS : 0)];

        memcpy(c.words, from->words, from->count * 4);
        set_places(h, &c, situations[situation].all_in);
        run_case(h, &c, from->count);
    }
}

static void test_matrix(WaveHarness *h, const void *data)
{
    WaveCode *code = assemble_ops();

    rng = g_rand_new_with_seed(1200);
    mem = wave_map(h, BASE, SIZE, true);
    for (unsigned format = 0; format < BUF_FORMATS; format++) {
        randomise();
        for (unsigned op = 0; op < OPS; op++) {
            run_cell(h, code, op, format);
        }
    }
    wave_code_free(code);
    g_rand_free(rng);
}

/* ---- typed instructions: the format is named to the assembler ---- */

static void test_typed(WaveHarness *h, const void *data)
{
    enum { COUNT = BUF_FORMATS * TYPED_OPS };
    g_autofree const char **texts = g_new0(const char *, COUNT);
    WaveCode *code;

    rng = g_rand_new_with_seed(1201);
    mem = wave_map(h, BASE, SIZE, true);
    for (unsigned i = 0; i < COUNT; i++) {
        g_autofree char *format = g_strdup_printf(
            " format:[BUF_FMT_%s]", buf_format(i / TYPED_OPS)->name);

        texts[i] = op_text(&ops[i % TYPED_OPS], "tbuffer", format, false);
    }
    code = wave_assemble(texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        Case c = {
            .op = &ops[i % TYPED_OPS], .typed = true,
            .format = buf_format(i / TYPED_OPS),
            .buffer = make_buffer(h, 1 + i % 63, i % 2 ? 8 : 0,
                                  i % SITUATIONS),
        };

        if (i % TYPED_OPS == 0) {
            randomise();
        }
        memcpy(c.words, code[i].words, code[i].count * 4);
        set_places(h, &c, situations[i % SITUATIONS].all_in);
        run_case(h, &c, code[i].count);
        g_free((char *)texts[i]);
    }
    wave_code_free(code);
    g_rand_free(rng);
}

/* ---- the table in the docs ---- */

static void table_row(GString *s, unsigned format)
{
    const BufFormat *f = buf_format(format);

    g_string_append_printf(s, "| %u | %s | %u |", format, f->name, f->bytes);
    for (unsigned g = 0; g < G_N_ELEMENTS(groups); g++) {
        g_string_append_printf(s, " %u |",
                               groups[g].count * 2 * SITUATIONS);
    }
    g_string_append_c(s, '\n');
}

static char *table(void)
{
    GString *s = g_string_new("| FORMAT | name | bytes |");

    for (unsigned g = 0; g < G_N_ELEMENTS(groups); g++) {
        g_string_append_printf(s, " %s |", groups[g].title);
    }
    g_string_append(s, "\n|---|---|---|---|---|---|---|---|---|\n");
    for (unsigned format = 0; format < BUF_FORMATS; format++) {
        table_row(s, format);
    }
    return g_string_free(s, FALSE);
}

static void test_docs(void)
{
    g_autofree char *path = g_build_filename(TEST_DATA_DIR, "..", "..",
                                             "docs", "buffers.md", NULL);
    g_autofree char *content = NULL, *want = table();

    g_assert_true(g_file_get_contents(path, &content, NULL, NULL));
    if (!strstr(content, want)) {
        g_error("docs/buffers.md: the matrix is not what "
                "tests-unit/test-rdna-buffer --table prints");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned lanes;
    } targets[] = {
        { "gfx1100", 32 }, { "gfx1100", 64 }, { "gfx1200", 32 },
        { "gfx1200", 64 },
    };

    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        g_autofree char *text = table();

        fputs(text, stdout);
        return 0;
    }
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rdna-buffer/docs", test_docs);
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        wave_test_target("/rdna-buffer/matrix", targets[i].name,
                         targets[i].lanes, test_matrix, NULL);
        wave_test_target("/rdna-buffer/typed", targets[i].name,
                         targets[i].lanes, test_typed, NULL);
    }
    return g_test_run();
}
