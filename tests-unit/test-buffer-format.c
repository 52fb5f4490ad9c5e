/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formatted buffer accesses against a model of gfx-facts sections 6 to 9: every
 * data and number format that there is, with all kinds of addresses, ranges
 * and selectors.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "format-model.h"
#include "wave-harness.h"

#define BASE 0x500100020000ull
#define SIZE 0x4000u
enum { ADDR = 2, DATA = 8, REGS = 6, SRSRC = 8 };

static GRand *rng;
static uint8_t *mem;

static unsigned below(unsigned n)
{
    return g_rand_int_range(rng, 0, n);
}

/* ---- formats ---- */

#define INTEGERS (1 << UINT | 1 << SINT)
#define SMALL (1 << UNORM | 1 << SNORM | 1 << USCALED | 1 << SSCALED | INTEGERS)
#define WIDE (INTEGERS | 1 << FLOAT)

/* Fields from the lowest bits up, which is where the names end. */
static const struct {
    const char *name;
    unsigned fields[4], numbers;
} formats[] = {
    [1] = { "8", { 8 }, SMALL },
    [2] = { "16", { 16 }, SMALL | 1 << FLOAT },
    [3] = { "8_8", { 8, 8 }, SMALL },
    [4] = { "32", { 32 }, WIDE },
    [5] = { "16_16", { 16, 16 }, SMALL | 1 << FLOAT },
    [6] = { "10_11_11", { 11, 11, 10 }, SMALL | 1 << FLOAT },
    [7] = { "11_11_10", { 10, 11, 11 }, SMALL | 1 << FLOAT },
    [8] = { "10_10_10_2", { 2, 10, 10, 10 }, SMALL },
    [9] = { "2_10_10_10", { 10, 10, 10, 2 }, SMALL },
    [10] = { "8_8_8_8", { 8, 8, 8, 8 }, SMALL },
    [11] = { "32_32", { 32, 32 }, WIDE },
    [12] = { "16_16_16_16", { 16, 16, 16, 16 }, SMALL | 1 << FLOAT },
    [13] = { "32_32_32", { 32, 32, 32 }, WIDE },
    [14] = { "32_32_32_32", { 32, 32, 32, 32 }, WIDE },
};

static unsigned format_bytes(unsigned dfmt)
{
    unsigned bits = 0;

    for (int c = 0; c < 4; c++) {
        bits += formats[dfmt].fields[c];
    }
    return bits / 8;
}

static bool is_integer(unsigned nfmt)
{
    return nfmt == UINT || nfmt == SINT;
}

/* ---- a buffer and an instruction ---- */

typedef struct Buffer {
    unsigned stride, records, index_stride;
    bool swizzle, add_tid;
    unsigned dfmt, nfmt, sel[4];
} Buffer;

typedef struct Op {
    bool typed, store, offen, idxen, tfe;
    unsigned comps;
    char half; /* 0, 'l' for d16, 'h' for d16_hi */
    unsigned offset;
    char *text;
} Op;

static GArray *ops;

static void add_op(bool typed, bool store, unsigned comps, char half,
                   unsigned form)
{
    static const char *const names[] = { "x", "xy", "xyz", "xyzw" };
    Op op = { typed, store, form & 1, form >> 1 & 1,
              form == 2 && !typed && !store,
              comps, half, 4 * form, NULL };
    unsigned words = half ? (comps + 1) / 2 : comps;

    op.text = g_strdup_printf(
        "%s_%s_format_%s%s v[%u:%u], %s, s[8:11], %s 16%s%s offset:%u%s",
        typed ? "tbuffer" : "buffer", store ? "store" : "load",
        half == 'h' ? "d16_hi_" : half ? "d16_" : "", names[comps - 1], DATA,
        DATA + words - 1 + op.tfe,
        form == 0 ? "off" : form == 3 ? "v[2:3]" : "v2",
        typed ? "dfmt:1, nfmt:0," : "", op.idxen ? " idxen" : "",
        op.offen ? " offen" : "", op.offset, op.tfe ? " tfe" : "");
    g_array_append_val(ops, op);
}

static void clear_op(void *op)
{
    g_free(((Op *)op)->text);
}

static void add_ops(void)
{
    for (unsigned n = 0; n < 2 * 2 * 4 * 2 * 4; n++) {
        add_op(n & 1, n >> 1 & 1, (n >> 2 & 3) + 1, n >> 4 & 1 ? 'l' : 0,
               n >> 5);
    }
    for (unsigned n = 0; n < 2 * 4; n++) {
        add_op(false, n & 1, 1, 'h', n >> 1);
    }
}

static Buffer random_buffer(unsigned dfmt, unsigned nfmt)
{
    static const unsigned selectors[] = { 0, 1, 4, 5, 6, 7 };
    unsigned bytes = format_bytes(dfmt), align = MIN(bytes, 4);
    Buffer b = {
        .stride = below(3) ? bytes + below(4) * align : 0,
        .records = below(4) ? 0x800 : below(80),
        .index_stride = 8u << below(4),
        .swizzle = below(3) == 0,
        .add_tid = below(4) == 0,
        .dfmt = dfmt, .nfmt = nfmt,
    };

    for (int c = 0; c < 4; c++) { /* a rotation, some replaced */
        b.sel[c] = 4 + (c + dfmt + nfmt) % 4;
        if (below(8) == 0) {
            b.sel[c] = selectors[below(2)];
        }
    }
    return b;
}

static void set_buffer(WaveHarness *h, const Buffer *b)
{
    h->w->s[SRSRC] = (uint32_t)BASE;
    h->w->s[SRSRC + 1] = (uint32_t)(BASE >> 32) | b->stride << 16 |
                         (uint32_t)b->swizzle << 31;
    h->w->s[SRSRC + 2] = b->records;
    h->w->s[SRSRC + 3] = b->sel[0] | b->sel[1] << 3 | b->sel[2] << 6 |
                         b->sel[3] << 9 | b->nfmt << 12 | b->dfmt << 15 |
                         (uint32_t)__builtin_ctz(b->index_stride / 8) << 21 |
                         (uint32_t)b->add_tid << 23;
}

/* ---- where a lane's element is ---- */

typedef struct Place {
    uint64_t index, offset;
} Place;

static Place place_of(WaveHarness *h, const Op *op, const Buffer *b,
                      unsigned lane)
{
    return (Place){
        (op->idxen ? wave_vgpr(h, ADDR)[lane] : 0) + (b->add_tid ? lane : 0),
        (op->offen ? wave_vgpr(h, ADDR + op->idxen)[lane] : 0) + op->offset,
    };
}

static bool in_range(const Op *op, const Buffer *b, const Place *p)
{
    unsigned last = (format_bytes(b->dfmt) - 1) / 4 * 4;

    if (b->add_tid && !op->idxen) {
        return true; /* scratch */
    }
    if (op->idxen && b->stride) {
        return p->index < b->records;
    }
    return p->offset + last < b->records;
}

/* 16 is the instruction's scalar offset. */
static unsigned byte_at(const Buffer *b, const Place *p, unsigned i)
{
    uint64_t o = p->offset + i, is = b->index_stride;

    if (!b->swizzle) {
        return (unsigned)(16 + b->stride * p->index + o);
    }
    return (unsigned)(16 + (p->index / is * b->stride + o / 4 * 4) * is +
                      p->index % is * 4 + o % 4);
}

/* ---- the model ---- */

static void put(uint32_t v[REGS][64], const Op *op, const Buffer *b,
                unsigned lane, unsigned c, uint32_t x)
{
    uint32_t *reg = &v[op->half == 'l' ? c / 2 : op->half ? 0 : c][lane];
    bool high = op->half == 'h' || (op->half && c % 2);

    if (!op->half) {
        *reg = x;
        return;
    }
    x = is_integer(b->nfmt) ? x & 0xffff : format_half_of(x);
    *reg = high ? (*reg & 0xffff) | x << 16 : (*reg & 0xffff0000) | x;
}

static uint32_t get(uint32_t v[REGS][64], const Op *op, const Buffer *b,
                    unsigned lane, unsigned c)
{
    uint32_t reg = v[op->half == 'l' ? c / 2 : op->half ? 0 : c][lane];

    if (!op->half) {
        return reg;
    }
    reg = op->half == 'h' || c % 2 ? reg >> 16 : reg & 0xffff;
    return b->nfmt == SINT ? (uint32_t)format_sign_extended(reg, 16) :
           b->nfmt == UINT ? reg : format_of_half(reg);
}

static void model_load(uint32_t v[REGS][64], const Op *op, const Buffer *b,
                       const Place *p, unsigned lane)
{
    uint32_t one = is_integer(b->nfmt) ? 1 : format_bits_of(1);
    uint32_t comps[4] = { 0, 0, 0, one };
    unsigned bit = 0;

    if (!in_range(op, b, p)) {
        comps[3] = 0;
    } else {
        uint8_t raw[17] = { 0 };

        for (unsigned i = 0; i < format_bytes(b->dfmt); i++) {
            raw[i] = mem[byte_at(b, p, i)];
        }
        for (int c = 0; c < 4 && formats[b->dfmt].fields[c]; c++) {
            unsigned n = formats[b->dfmt].fields[c];
            uint32_t x = 0;

            for (unsigned k = 0; k < n; k++, bit++) {
                x |= (uint32_t)(raw[bit / 8] >> bit % 8 & 1) << k;
            }
            comps[c] = format_decode(b->nfmt, x, n);
        }
    }
    for (unsigned c = 0; c < op->comps; c++) {
        unsigned sel = op->typed ? 4 + c : b->sel[c];

        put(v, op, b, lane, c,
            sel == 0 ? 0 : sel == 1 ? one : comps[sel - 4]);
    }
}

static void model_store(uint8_t *m, uint32_t v[REGS][64], const Op *op,
                        const Buffer *b, const Place *p, unsigned lane)
{
    uint32_t comps[4] = { 0 };
    unsigned bit = 0;

    if (!in_range(op, b, p)) {
        return;
    }
    for (unsigned c = op->comps; c-- > 0;) {
        unsigned sel = op->typed ? 4 + c : b->sel[c];

        if (sel >= 4) {
            comps[sel - 4] = get(v, op, b, lane, c);
        }
    }
    for (int c = 0; c < 4 && formats[b->dfmt].fields[c]; c++) {
        unsigned n = formats[b->dfmt].fields[c];
        uint32_t x = format_encode(b->nfmt, comps[c], n);

        for (unsigned k = 0; k < n; k++, bit++) {
            uint8_t *byte = &m[byte_at(b, p, bit / 8)];

            *byte = (*byte & ~(1 << bit % 8)) | (x >> k & 1) << bit % 8;
        }
    }
}

/* ---- running ---- */

/* Values that matter to conversions, and any others. */
static uint32_t random_component(const Buffer *b, const Op *op)
{
    static const float floats[] = {
        0, -0.f, 1, -1, 0.5f, 1.5f / 255, 2, -2, 300, 65504, 65520, 70000,
        0x1p-24f, 0x1.8p-24f, 0x1p-14f, 0x1p-20f, 1e30f, -1e30f,
        __builtin_inff(), -__builtin_inff(), 1 / 3.f, 511.5f, 512.5f,
    };
    uint32_t x = g_rand_int(rng);

    if (!is_integer(b->nfmt)) {
        float f = below(2) ? floats[below(G_N_ELEMENTS(floats))]
                           : (float)g_rand_double_range(rng, -1.2, 1.2);

        memcpy(&x, &f, 4);
        if (op->half) {
            x = format_half_of(x) | format_half_of(format_bits_of(f / 3)) << 16;
        }
    }
    return x;
}

static void set_lanes(WaveHarness *h, const Op *op, const Buffer *b)
{
    unsigned bytes = format_bytes(b->dfmt);

    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t index = lane * 37 % 64, offset = 0;

        if (!op->idxen || !b->stride) {
            offset = (lane * 29 % 64) * MAX(bytes, 4);
        }
        if (b->add_tid) {
            index = 0;
        }
        wave_vgpr(h, ADDR)[lane] = op->idxen ? index : offset;
        wave_vgpr(h, ADDR + 1)[lane] = offset;
        for (unsigned r = 0; r < REGS; r++) {
            wave_vgpr(h, DATA + r)[lane] = random_component(b, op);
        }
    }
}

/* Do all lanes have bytes of their own? */
static bool lanes_apart(WaveHarness *h, const Op *op, const Buffer *b)
{
    g_autofree uint8_t *used = g_malloc0(SIZE);

    for (unsigned lane = 0; lane < 64; lane++) {
        Place p = place_of(h, op, b, lane);

        for (unsigned i = 0; i < format_bytes(b->dfmt); i++) {
            unsigned at = byte_at(b, &p, i);

            if (at >= SIZE || used[at]++) {
                return false;
            }
        }
    }
    return true;
}

/* A place outside the mapping would be a fault, which is another test's. */
static bool fits(WaveHarness *h, const Op *op, const Buffer *b)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        Place p = place_of(h, op, b, lane);

        if (byte_at(b, &p, format_bytes(b->dfmt) - 1) >= SIZE) {
            return false;
        }
    }
    return true;
}

static bool same(uint32_t have, uint32_t want, const Buffer *b, const Op *op)
{
    if (have == want) {
        return true;
    }
    /* of NaNs, only that they are NaNs */
    return !is_integer(b->nfmt) && !op->half && isnan(format_float_of(have)) &&
           isnan(format_float_of(want));
}

static void compare(WaveHarness *h, const Op *op, const Buffer *b,
                    uint32_t want[REGS][64], const uint8_t *want_mem)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        for (unsigned r = 0; r < REGS; r++) {
            uint32_t have = wave_vgpr(h, DATA + r)[lane];

            if (!same(have, want[r][lane], b, op)) {
                g_error("%s, format %s %u: lane %u, v%u is %#x, not %#x",
                        op->text, formats[b->dfmt].name, b->nfmt, lane,
                        DATA + r, have, want[r][lane]);
            }
        }
    }
    for (unsigned i = 0; i < SIZE; i++) {
        if (mem[i] != want_mem[i]) {
            g_error("%s, format %s %u: byte %#x is %#x, not %#x", op->text,
                    formats[b->dfmt].name, b->nfmt, i, mem[i], want_mem[i]);
        }
    }
}

static bool run(WaveHarness *h, const Op *op, const WaveCode *code,
                const Buffer *b)
{
    uint32_t words[2] = { code->words[0], code->words[1] };
    WaveCode patched = { words, 2 };
    uint32_t want[REGS][64];
    g_autofree uint8_t *want_mem = NULL;
    uint64_t exec = below(2) ? UINT64_MAX
                             : (uint64_t)g_rand_int(rng) << 32 |
                                   g_rand_int(rng);
    unsigned words_used = op->half ? (op->comps + 1) / 2 : op->comps;

    if (op->typed) { /* the format is in the instruction */
        words[0] = (words[0] & ~(0x7fu << 19)) | b->dfmt << 19 | b->nfmt << 23;
    }
    set_buffer(h, b);
    if (op->typed) { /* and not in the descriptor, as long as it is one */
        h->w->s[SRSRC + 3] = (h->w->s[SRSRC + 3] & ~0x7ffffu) | 5 << 15;
    }
    set_lanes(h, op, b);
    if (!fits(h, op, b) || (op->store && !lanes_apart(h, op, b))) {
        return false;
    }
    wave_set_exec(h, exec);
    memcpy(want, wave_vgpr(h, DATA), sizeof(want));
    want_mem = g_memdup2(mem, SIZE);
    for (unsigned lane = 0; lane < 64; lane++) {
        Place p = place_of(h, op, b, lane);

        if (!(exec >> lane & 1)) {
            continue;
        }
        if (op->store) {
            model_store(want_mem, want, op, b, &p, lane);
        } else {
            model_load(want, op, b, &p, lane);
        }
        if (op->tfe) {
            want[words_used][lane] = 0; /* resident */
        }
    }
    g_assert_cmpint(wave_run(h, &patched), ==, TESSERA_FAULT_NONE);
    compare(h, op, b, want, want_mem);
    return true;
}

static void randomise(void)
{
    for (unsigned i = 0; i < SIZE; i++) {
        mem[i] = below(5) ? below(256) : below(2) * 0xff;
    }
}

static void run_all(WaveHarness *h, const WaveCode *code, unsigned dfmt,
                    unsigned nfmt)
{
    unsigned ran = 0;

    randomise();
    for (unsigned i = 0; i < ops->len; i++) {
        for (unsigned k = 0; k < 4; k++) {
            Buffer b = random_buffer(dfmt, nfmt);

            ran += run(h, &g_array_index(ops, Op, i), &code[i], &b);
        }
        if (i % 16 == 15) {
            randomise();
        }
    }
    g_assert_cmpuint(ran, >, 2 * ops->len);
}

static void test_formats(WaveHarness *h)
{
    g_autofree const char **texts = NULL;
    WaveCode *code;

    rng = g_rand_new_with_seed(904);
    ops = g_array_new(FALSE, FALSE, sizeof(Op));
    g_array_set_clear_func(ops, clear_op);
    add_ops();
    texts = g_new(const char *, ops->len);
    for (unsigned i = 0; i < ops->len; i++) {
        texts[i] = g_array_index(ops, Op, i).text;
    }
    code = wave_assemble(texts, ops->len);
    mem = wave_map(h, BASE, SIZE, true);
    for (unsigned dfmt = 1; dfmt < G_N_ELEMENTS(formats); dfmt++) {
        for (unsigned nfmt = 0; nfmt < 8; nfmt++) {
            if (formats[dfmt].numbers >> nfmt & 1) {
                run_all(h, code, dfmt, nfmt);
            }
        }
    }
    wave_code_free(code);
    g_array_free(ops, TRUE);
    g_rand_free(rng);
}

/* Every value of every field of up to 16 bits, loaded. */
static void test_every_value(WaveHarness *h)
{
    static const char *const text =
        "buffer_load_format_x v8, v2, s[8:11], 0 idxen";
    WaveCode *code = wave_assemble(&text, 1);

    mem = wave_map(h, BASE, SIZE, true);
    for (unsigned n = 0; n < 2 * 8; n++) {
        unsigned dfmt = 1 + n / 8, nfmt = n % 8, bits = dfmt * 8;
        Buffer b = { .stride = dfmt, .records = 64, .dfmt = dfmt,
                     .nfmt = nfmt, .index_stride = 8, .sel = { 4, 5, 6, 7 } };

        if (!(formats[dfmt].numbers >> nfmt & 1)) {
            continue;
        }
        set_buffer(h, &b);
        for (unsigned first = 0; first < 1u << bits; first += 64) {
            for (unsigned lane = 0; lane < 64; lane++) {
                uint16_t x = first + lane;

                memcpy(mem + lane * dfmt, &x, dfmt);
                wave_vgpr(h, 2)[lane] = lane;
            }
            g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
            for (unsigned lane = 0; lane < 64; lane++) {
                uint32_t want = format_decode(nfmt, first + lane, bits);
                uint32_t have = wave_vgpr(h, 8)[lane];

                g_assert_true(have == want || (nfmt == FLOAT &&
                                               isnan(format_float_of(have)) &&
                                               isnan(format_float_of(want))));
            }
        }
    }
    wave_code_free(code);
}

/* ---- no format ---- */

/*
 * DATA_FORMAT 0 in the descriptor, even if it is all 0 and whatever format the
 * instruction has: loads give 0, or 1 where the selector says so, stores do
 * nothing.
 */
static void test_unbound(WaveHarness *h)
{
    static const char *const texts[] = {
        "buffer_load_format_xyzw v[8:11], v2, s[8:11], 0 idxen",
        ("tbuffer_load_format_xyzw v[8:11], v2, s[8:11], dfmt:10, nfmt:4, 0 "
         "idxen"),
        "buffer_load_dword v8, v2, s[8:11], 0 offen",
        "buffer_store_format_x v8, v2, s[8:11], 0 idxen",
        "tbuffer_store_format_x v8, v2, s[8:11], dfmt:4, nfmt:4, 0 idxen",
        "buffer_store_dword v8, v2, s[8:11], 0 offen",
        "buffer_atomic_add v8, v2, s[8:11], 0 offen glc",
    };
    Buffer b = { .stride = 16, .records = 64, .nfmt = UINT,
                 .index_stride = 8, .sel = { 4, 1, 6, 7 } };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    static uint8_t old[SIZE];

    rng = g_rand_new_with_seed(907);
    mem = wave_map(h, BASE, SIZE, true);
    randomise();
    memcpy(old, mem, SIZE);
    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(texts); i++) {
        bool null = i % 2, load = i / 2 < 3 || i / 2 == 6;

        wave_reset(h);
        if (!null) {
            set_buffer(h, &b);
        }
        for (unsigned k = 0; k < 4; k++) {
            wave_vgpr(h, 8 + k)[7] = 77;
        }
        g_assert_cmpint(wave_run(h, &code[i / 2]), ==, TESSERA_FAULT_NONE);
        g_assert_cmpmem(mem, SIZE, old, SIZE);
        g_assert_cmphex(wave_vgpr(h, 8)[7], ==, load ? 0 : 77);
        if (i / 2 < 2) {
            g_assert_cmphex(wave_vgpr(h, 9)[7], ==, i == 0);
            g_assert_cmphex(wave_vgpr(h, 10)[7], ==, 0);
            g_assert_cmphex(wave_vgpr(h, 11)[7], ==, 0);
        }
    }
    wave_code_free(code);
    g_rand_free(rng);
}

/* Combinations that mean nothing: no more than the element is touched. */
static void test_reserved(WaveHarness *h)
{
    static const char *const texts[] = {
        ("tbuffer_load_format_xyzw v[8:11], v2, s[8:11], dfmt:1, nfmt:0, 0 "
         "idxen"),
        ("tbuffer_store_format_d16_xyzw v[8:9], v2, s[8:11], dfmt:1, nfmt:0, "
         "0 idxen"),
    };
    Buffer b = { .stride = 32, .records = 64, .dfmt = 5, .nfmt = UINT,
                 .index_stride = 8, .sel = { 4, 5, 6, 7 } };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    mem = wave_map(h, BASE, SIZE, true);
    for (unsigned n = 0; n < 2 * 16 * 8; n++) {
        uint32_t words[2] = { code[n % 2].words[0], code[n % 2].words[1] };
        WaveCode patched = { words, 2 };
        unsigned dfmt = n / 2 % 16;
        unsigned bytes = dfmt && dfmt < 15 ? format_bytes(dfmt) : 0;

        words[0] = (words[0] & ~(0x7fu << 19)) | dfmt << 19 | n / 32 << 23;
        wave_reset(h);
        set_buffer(h, &b);
        memset(mem, 0x5a, SIZE);
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, 2)[lane] = lane;
            for (unsigned k = 0; k < 4; k++) {
                wave_vgpr(h, 8 + k)[lane] = 0x3c00bc00 * (lane + k);
            }
        }
        g_assert_cmpint(wave_run(h, &patched), ==, TESSERA_FAULT_NONE);
        for (unsigned i = 0; i < SIZE; i++) {
            if (n % 2 == 0 || i % 32 >= bytes || i >= 64 * 32) {
                g_assert_cmphex(mem[i], ==, 0x5a);
            }
        }
        if (n % 2 == 0 && !bytes) {
            g_assert_cmphex(wave_vgpr(h, 8)[5], ==, 0);
            g_assert_cmphex(wave_vgpr(h, 11)[5], ==, 0);
        }
    }
    wave_code_free(code);
}

/* ---- LDS=1 ---- */

/* Every load that may go to LDS: at M0 + offset + lane * 4, no VGPR. */
static void test_to_lds(WaveHarness *h)
{
    static const struct {
        const char *name;
        unsigned bytes;
        bool sign;
    } loads[] = {
        { "ubyte", 1, false }, { "sbyte", 1, true }, { "ushort", 2, false },
        { "sshort", 2, true }, { "dword", 4, false },
        { "format_x", 2, false }, /* 16_16 SSCALED, Y */
    };
    Buffer b = { .records = 200, .dfmt = 5, .nfmt = SSCALED,
                 .index_stride = 8, .sel = { 5, 0, 0, 0 } };

    rng = g_rand_new_with_seed(905);
    mem = wave_map(h, BASE, SIZE, true);
    randomise();
    set_buffer(h, &b);
    for (unsigned i = 0; i < G_N_ELEMENTS(loads); i++) {
        g_autofree char *text = g_strdup_printf(
            "buffer_load_%s v2, s[8:11], 0 offen offset:12 lds",
            loads[i].name);
        WaveCode *code = wave_assemble((const char *const *)&text, 1);

        memset(h->group.lds, 0x77, 0x1000);
        wave_set_exec(h, ~(1ull << 5));
        h->w->s[SGPR_M0] = 0xabcd0200; /* bits 15:0 count */
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, 2)[lane] = lane * 4; /* lanes 47 on are out */
            wave_vgpr(h, 0)[lane] = 77;
        }
        g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint8_t *p = mem + 12 + lane * 4;
            uint32_t have, want = 0;

            memcpy(&have, h->group.lds + 0x200 + 12 + lane * 4, 4);
            memcpy(&want, p + (i == 5 ? 2 : 0), loads[i].bytes);
            if (i == 5) {
                want = format_decode(SSCALED, want, 16);
            } else if (loads[i].sign) {
                want = format_sign_extended(want, 8 * loads[i].bytes);
            }
            want = lane == 5 ? 0x77777777 : 12 + lane * 4 < 200 ? want : 0;
            g_assert_cmphex(have, ==, want);
            g_assert_cmphex(wave_vgpr(h, 0)[lane], ==, 77);
        }
        wave_code_free(code);
    }
    g_rand_free(rng);
}

/* Beyond the LDS, behind the mapping, on a page that may only be read. */
static void test_faults(WaveHarness *h)
{
    static const char *const texts[] = {
        "buffer_load_dword off, s[8:11], 0 lds",
        "buffer_load_format_xyzw v[8:11], v2, s[8:11], 0 offen",
        "buffer_store_format_x v8, v2, s[8:11], 0 offen",
        "buffer_atomic_add v8, v2, s[8:11], 0 offen glc",
    };
    static const struct {
        unsigned code;
        uint32_t offset;
        uint64_t address;
        TesseraFaultCause cause;
        EngineAccess access;
    } cases[] = {
        { 1, SIZE + 0x1000, BASE + SIZE + 0x1000, TESSERA_FAULT_UNMAPPED,
          ENGINE_READ },
        { 1, SIZE + 0xff8, BASE + SIZE + 0x1000, TESSERA_FAULT_UNMAPPED,
          ENGINE_READ },
        { 2, SIZE + 0x10, BASE + SIZE + 0x10, TESSERA_FAULT_READ_ONLY,
          ENGINE_WRITE },
        { 3, SIZE + 0x20, BASE + SIZE + 0x20, TESSERA_FAULT_READ_ONLY,
          ENGINE_WRITE },
        { 3, 0x82, BASE + 0x82, TESSERA_FAULT_MISALIGNED, ENGINE_WRITE },
    };
    Buffer b = { .records = 0x10000, .dfmt = 14, .nfmt = UINT,
                 .index_stride = 8, .sel = { 4, 5, 6, 7 } };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    const EngineFault *f = &h->worker->fault;

    mem = wave_map(h, BASE, SIZE, true);
    wave_map(h, BASE + SIZE, 0x1000, false);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        wave_reset(h);
        set_buffer(h, &b);
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, 2)[lane] = lane == 20 || lane == 63
                                        ? cases[i].offset : 0x400 + lane * 16;
            wave_vgpr(h, 8)[lane] = 7;
        }
        memset(mem + 0x400, 9, 0x400);
        g_assert_cmpint(wave_run(h, &code[cases[i].code]), ==,
                        cases[i].cause);
        g_assert_cmphex(f->lanes, ==, 1ull << 20 | 1ull << 63);
        g_assert_cmphex(f->address, ==, cases[i].address);
        g_assert_cmpint(f->access, ==, cases[i].access);
        g_assert_cmphex(h->w->trapsts, ==, 1 << 8);
        /* the others are served */
        g_assert_cmphex(*(uint32_t *)(mem + 0x400), ==,
                        cases[i].code == 1 ? 0x09090909 :
                        cases[i].code == 2 ? 7 : 0x09090910);
        g_assert_cmphex(wave_vgpr(h, 8)[0], ==,
                        cases[i].code == 2 ? 7 : 0x09090909);
        g_assert_cmphex(wave_vgpr(h, 8)[20], ==, cases[i].code == 2 ? 7 : 0);
    }
    wave_reset(h);
    set_buffer(h, &b);
    h->group.lds_size = 0x100;
    h->w->s[SGPR_M0] = 8; /* the last two lanes are beyond */
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_LDS_BOUNDS);
    g_assert_cmphex(f->lanes, ==, 3ull << 62);
    g_assert_cmphex(f->address, ==,
                    ((uint64_t)WAVE_SHARED_HI << 48) + 0x100);
    wave_code_free(code);
}

/* ---- alignment modes ---- */

static void test_alignment(WaveHarness *h)
{
    static const struct {
        const char *text;
        unsigned bytes, strict;
    } loads[] = {
        { "buffer_load_ushort v8, v2, s[8:11], 0 offen offset:1", 2, 2 },
        { "buffer_load_dword v8, v2, s[8:11], 0 offen offset:1", 4, 4 },
        { "buffer_load_dwordx2 v[8:9], v2, s[8:11], 0 offen offset:1", 8, 8 },
        { "buffer_load_format_x v8, v2, s[8:11], 0 offen offset:1", 2, 2 },
    };
    Buffer b = { .records = 0x1000, .dfmt = 2, .nfmt = UINT,
                 .index_stride = 8, .sel = { 4, 5, 6, 7 } };

    rng = g_rand_new_with_seed(906);
    mem = wave_map(h, BASE, SIZE, true);
    randomise();
    for (unsigned n = 0; n < 4 * G_N_ELEMENTS(loads); n++) {
        unsigned i = n / 4, mode = n % 4, less = MIN(loads[i].bytes, 4);
        WaveCode *code = wave_assemble(&loads[i].text, 1);
        TesseraFaultCause cause;
        uint64_t bad = 0;

        h->dispatch.launch.mem_config = mode << 3;
        wave_reset(h);
        set_buffer(h, &b);
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, 2)[lane] = lane * 13;
        }
        cause = wave_run(h, code);
        for (unsigned lane = 0; lane < 64; lane++) {
            unsigned at = lane * 13 + 1;
            unsigned ask = mode == 2 ? loads[i].strict : less;
            bool odd = mode && mode < 3 && at % ask;
            uint32_t want[2] = { 0 };

            at -= mode ? 0 : at % less;
            bad |= (uint64_t)odd << lane;
            if (!odd) {
                memcpy(want, mem + at, loads[i].bytes);
            }
            g_assert_cmphex(wave_vgpr(h, 8)[lane], ==, want[0]);
            g_assert_cmphex(wave_vgpr(h, 9)[lane], ==, want[1]);
        }
        g_assert_cmpint(cause, ==, bad ? TESSERA_FAULT_MISALIGNED
                                       : TESSERA_FAULT_NONE);
        g_assert_cmphex(bad ? h->worker->fault.lanes : 0, ==, bad);
        wave_code_free(code);
    }
    g_rand_free(rng);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/buffer-format/all", test_formats);
    wave_test_levels("/buffer-format/every-value", test_every_value);
    wave_test_levels("/buffer-format/unbound", test_unbound);
    wave_test_levels("/buffer-format/reserved", test_reserved);
    wave_test_levels("/buffer-format/to-lds", test_to_lds);
    wave_test_levels("/buffer-format/faults", test_faults);
    wave_test_levels("/buffer-format/alignment", test_alignment);
    return g_test_run();
}
