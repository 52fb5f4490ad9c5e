/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffer instructions against the model of mem-model.c, with addresses and
 * ranges as gfx-facts section 9 gives them, byte by byte.  Each case runs with
 * an empty and with a full TLB.
 */
#include <inttypes.h>
#include <string.h>
#include "mem-model.h"

/* No two pages of these share an entry of the TLB, or none would stay warm. */
#define BASE 0x500100020000ull /* three pages, then nothing */
#define SCRATCH (WAVE_SCRATCH_VA + 0x40000)

enum { ADDR = 2, DATA = 8, DST = 16, SGPR_V = 8, SGPR_SOFFSET = 3 };

static GRand *rng;

/* ---- descriptors ---- */

enum { ADD_TID = 1 << 23, FORMAT_32 = 4 << 15 };

typedef struct Desc {
    const char *name;
    uint64_t base;
    uint32_t stride; /* 14 bits, or 18 with add_tid */
    bool swizzle;
    uint32_t records;
    uint32_t word3;
} Desc;

static const Desc descs[] = {
    { "raw", BASE + 0x400, 0, false, 0x900, FORMAT_32 },
    { "raw, large", BASE + 0x400, 0, false, UINT32_MAX, FORMAT_32 },
    { "raw, odd", BASE + 0x403, 0, false, 0x107, FORMAT_32 },
    { "structured", BASE, 20, false, 40, FORMAT_32 },
    { "scratch", SCRATCH, 0, true, 0x4000, 0x00ea4fac },
    { "swizzled by 8", BASE, 16, true, 100, FORMAT_32 },
    { "swizzled by 32", BASE + 0x10, 24, true, 60, FORMAT_32 | 2 << 21 },
    { "unbound", BASE, 0, false, 0x1000, 0 },
    { "add_tid", BASE + 0x20, 12, false, 50, ADD_TID },
};

static void set_desc(WaveHarness *h, const Desc *d)
{
    h->w->s[SGPR_V] = d->base;
    h->w->s[SGPR_V + 1] = (d->base >> 32 & 0xffff) |
                          (d->stride & 0x3fff) << 16 |
                          (d->swizzle ? 1u << 31 : 0);
    h->w->s[SGPR_V + 2] = d->records;
    h->w->s[SGPR_V + 3] = d->word3;
}

/* ---- cases ---- */

typedef struct Case {
    const ModelOp *op;
    bool offen, idxen, glc;
    int dst;
    unsigned offset;
    int soffset; /* 0: s3; 1: 4; 2: m0 */
    char *text;
} Case;

static GArray *cases;

static void add_case(const ModelOp *op, unsigned form, unsigned offset,
                     int soffset, int dst, bool glc)
{
    static const char *const soffsets[] = { "s3", "4", "m0" };
    Case c = { op, form & 1, form >> 1 & 1, glc, dst, offset, soffset, NULL };
    unsigned data = op->kind == 'l' ? (op->bytes + 3) / 4 : op->data;
    const char *addr = form == 0 ? "off" : form == 3 ? "v[2:3]" : "v2";

    c.text = g_strdup_printf(
        "buffer_%s v[%d:%d], %s, s[8:11], %s%s%s offset:%u%s", op->name, dst,
        dst + data - 1, addr, soffsets[soffset], c.idxen ? " idxen" : "",
        c.offen ? " offen" : "", offset, glc ? " glc" : "");
    g_array_append_val(cases, c);
}

static void add_cases(void)
{
    for (unsigned i = 0; i < model_op_count; i++) {
        const ModelOp *op = &model_ops[i];
        int dst = op->kind == 'l' ? DST : DATA;

        for (unsigned form = 0; form < 4; form++) {
            add_case(op, form, 0, 0, dst, op->kind == 'a');
            add_case(op, form, 4 * form + 12, 1 + form % 2, dst, false);
        }
        if (op->kind == 'l') { /* over its own addresses */
            add_case(op, 3, 16, 0, ADDR, false);
            add_case(op, 1, 4095, 0, ADDR, false);
        }
    }
}

static WaveCode *assemble_cases(void)
{
    g_autofree const char **texts = g_new(const char *, cases->len);

    for (unsigned i = 0; i < cases->len; i++) {
        texts[i] = g_array_index(cases, Case, i).text;
    }
    return wave_assemble(texts, cases->len);
}

static void clear_case(void *c)
{
    g_free(((Case *)c)->text);
}

/* ---- the model ---- */

static uint32_t soffset_of(const WaveHarness *h, const Case *c)
{
    return c->soffset == 0   ? h->w->s[SGPR_SOFFSET]
           : c->soffset == 1 ? 4
                             : h->w->s[SGPR_M0];
}

static uint32_t stride_of(const Desc *d)
{
    return d->word3 & ADD_TID ? d->stride | (d->word3 >> 15 & 15) << 14
                              : d->stride;
}

static bool out_of_range(const Desc *d, const Case *c, uint32_t index,
                         uint64_t offset)
{
    if (!(d->word3 & ADD_TID) && (d->word3 >> 15 & 15) == 0) {
        return true;
    }
    if (d->word3 & ADD_TID && !c->idxen) {
        return false;
    }
    if (!c->idxen || stride_of(d) == 0) {
        return offset >= d->records;
    }
    return index >= d->records;
}

static uint64_t byte_address(const Desc *d, uint32_t index, uint64_t offset)
{
    uint64_t is = 8ull << (d->word3 >> 21 & 3), stride = stride_of(d);

    if (!d->swizzle) {
        return d->base + stride * index + offset;
    }
    return d->base + (index / is * stride + offset / 4 * 4) * is +
           index % is * 4 + offset % 4;
}

/* Lanes' bytes; in *@out which dwords are out of range. */
static void find_bytes(Model *m, const Desc *d, const Case *c, unsigned lane,
                       ModelByte *bytes, unsigned *out)
{
    uint32_t index = (c->idxen ? m->v[ADDR][lane] : 0) +
                     (d->word3 & ADD_TID ? lane : 0);
    uint64_t offset = c->offset, va = 0;

    if (c->offen) {
        offset += m->v[ADDR + c->idxen][lane];
    }
    *out = 0;
    for (unsigned i = 0; i < c->op->bytes; i++) {
        va = byte_address(d, index, offset + i) + soffset_of(m->h, c);
        bytes[i] = model_memory(m, va, c->op->kind != 'l');
        if (out_of_range(d, c, index, offset + i / 4 * 4)) {
            bytes[i] = (ModelByte){ NULL, TESSERA_FAULT_NONE, 0 };
            *out |= 1u << i / 4;
        }
    }
    va = byte_address(d, index, offset) + soffset_of(m->h, c);
    if (c->op->kind == 'a' && !*out &&
        (va % c->op->bytes ||
         (d->swizzle && (offset % 4 || c->op->bytes == 8)))) {
        bytes[0] = (ModelByte){ NULL, TESSERA_FAULT_MISALIGNED, va };
    }
}

static void model_buffer_lane(Model *m, const Desc *d, const Case *c,
                              unsigned lane)
{
    unsigned words = c->op->bytes / 4, out;
    int dst = c->op->kind == 'a' && !c->glc ? -1 : c->dst;
    ModelByte bytes[16];

    find_bytes(m, d, c, lane, bytes, &out);
    if (out && c->op->kind != 'a' && words > 1) {
        ModelOp one = { .kind = c->op->kind, .bytes = 4 };

        for (unsigned k = 0; k < words; k++) {
            model_lane(m, &one, lane, bytes + 4 * k, c->dst + k, c->dst + k);
        }
        return;
    }
    if (out) {
        bytes[0] = (ModelByte){ NULL, TESSERA_FAULT_NONE, 0 };
    }
    model_lane(m, c->op, lane, bytes, dst, c->dst);
}

/* ---- running ---- */

/*
 * Stores that are taken apart must not overlap those of other lanes, since
 * nothing says which comes last.
 */
static void keep_apart(const Desc *d, const Case *c, unsigned pattern,
                       unsigned lane, uint32_t *index, uint32_t *offset)
{
    if (c->op->kind != 's' || (pattern != 3 && !d->swizzle)) {
        return;
    }
    *index = d->word3 & ADD_TID ? lane : lane * 37 % 64;
    *offset = lane * 20 + g_rand_int_range(rng, 0, 4);
    if (c->idxen && d->stride) {
        *offset = g_rand_int_range(rng, 0, MAX((int)(d->stride - c->op->bytes
                                                     - c->offset), 1));
    } else if (c->idxen && d->swizzle) {
        *offset %= 64;
    }
}

/* An index and an offset for a lane. */
static void place(WaveHarness *h, const Desc *d, const Case *c,
                  unsigned pattern, unsigned lane)
{
    unsigned n = c->op->bytes;
    uint32_t index = lane, offset = lane * n, *v = wave_vgpr(h, ADDR);

    switch (pattern) {
    case 0:
        break;
    case 1: /* all the same */
        index = 17;
        offset = 32;
        break;
    case 2: /* anywhere, also beyond a small buffer */
        index = g_rand_int_range(rng, 0, 70);
        offset = n * g_rand_int_range(rng, 0, 0xa00 / n);
        break;
    case 3: /* misaligned */
        index = 63 - lane;
        offset = g_rand_int_range(rng, 0, 0x100);
        break;
    case 4: /* past the end of the small buffers */
        offset = 0x900 - 40 * n + lane * n;
        break;
    default: /* into unmapped memory, wrapping */
        index = lane % 4 ? lane : 0xfffffff0;
        offset = lane % 8 ? offset : g_rand_int(rng) & ~15;
        break;
    }
    keep_apart(d, c, pattern, lane, &index, &offset);
    v[lane] = c->idxen ? index : offset;
    v[64 + lane] = offset;
}

static void run_buffer(WaveHarness *h, const Desc *d, const Case *c,
                       const WaveCode *code, unsigned pattern, uint64_t exec)
{
    g_autofree char *what = g_strdup_printf(
        "%s, %s, pattern %u, exec %#" PRIx64 "%s", c->text, d->name, pattern,
        exec, h->warm ? ", warm" : "");
    Model *m;

    for (unsigned r = 0; r < MODEL_REGS; r++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, r)[lane] = g_rand_int(rng);
        }
    }
    for (unsigned lane = 0; lane < 64; lane++) {
        place(h, d, c, pattern, lane);
    }
    h->w->s[SGPR_SOFFSET] = 0x40;
    h->w->s[SGPR_M0] = 0x100;
    set_desc(h, d);
    wave_set_exec(h, exec);
    m = model_new(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        if (exec >> lane & 1) {
            model_buffer_lane(m, d, c, lane);
        }
    }
    model_compare(m, wave_run(h, code), what);
    model_free(m);
}

static uint64_t pick_exec(unsigned i)
{
    uint64_t random = (uint64_t)g_rand_int(rng) << 32 | g_rand_int(rng);

    switch (i % 5) {
    case 0: case 1:
        return UINT64_MAX;
    case 2:
        return random;
    case 3:
        return 1ull << g_rand_int_range(rng, 0, 64);
    default:
        return i % 2 ? 0 : 0xffffffff0000ffff;
    }
}

static void map_memory(WaveHarness *h)
{
    wave_map(h, BASE, 0x1000, true);
    wave_map(h, BASE + 0x1000, 0x2000, true);
    wave_map(h, SCRATCH, 0x8000, true);
    for (unsigned i = 1; i < h->map_count; i++) {
        for (uint64_t at = 0; at < h->maps[i].size; at += 4) {
            *(uint32_t *)(h->maps[i].host + at) = g_rand_int(rng);
        }
    }
}

/* Every operation with every kind of descriptor, so also FL4's widths. */
static void test_untyped(WaveHarness *h)
{
    WaveCode *code;
    unsigned n = 0;

    rng = g_rand_new_with_seed(90);
    cases = g_array_new(FALSE, FALSE, sizeof(Case));
    g_array_set_clear_func(cases, clear_case);
    add_cases();
    map_memory(h);
    code = assemble_cases();
    for (unsigned i = 0; i < cases->len; i++) {
        for (unsigned k = 0; k < G_N_ELEMENTS(descs) * 6; k++) {
            h->warm = g_rand_int(rng) % 4;
            run_buffer(h, &descs[k / 6], &g_array_index(cases, Case, i),
                       &code[i], k % 6, pick_exec(n++));
        }
    }
    wave_code_free(code);
    g_array_free(cases, TRUE);
    g_rand_free(rng);
}

/* What the ROCm runtime's descriptor and compiled code do with scratch. */
static void test_scratch(WaveHarness *h)
{
    static const char *const text[] = {
        "buffer_store_dword v1, off, s[8:11], s3 offset:8\n"
        "buffer_load_dword v4, off, s[8:11], s3 offset:8\n"
        "buffer_store_dwordx2 v[1:2], v3, s[8:11], s3 offen offset:12\n"
        "buffer_load_ubyte v5, off, s[8:11], s3 offset:9",
    };
    WaveCode *code = wave_assemble(text, 1);
    const uint32_t *words;

    rng = g_rand_new_with_seed(9);
    map_memory(h);
    g_rand_free(rng);
    words = (const uint32_t *)(h->maps[3].host + 0x1000);
    set_desc(h, &descs[4]);
    h->w->s[SGPR_SOFFSET] = 0x1000;
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 1)[lane] = 0x01020304 * (lane + 1);
        wave_vgpr(h, 2)[lane] = lane;
        wave_vgpr(h, 3)[lane] = 4;
    }
    for (int warm = 0; warm < 2; warm++) {
        h->warm = warm;
        memset(h->maps[3].host, 0, h->maps[3].size);
        g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
        for (unsigned lane = 0; lane < 64; lane++) {
            uint32_t x = 0x01020304 * (lane + 1);

            g_assert_cmphex(words[2 * 64 + lane], ==, x);
            g_assert_cmphex(words[4 * 64 + lane], ==, x);
            g_assert_cmphex(words[5 * 64 + lane], ==, lane);
            g_assert_cmphex(wave_vgpr(h, 4)[lane], ==, x);
            g_assert_cmphex(wave_vgpr(h, 5)[lane], ==, x >> 8 & 0xff);
        }
    }
    wave_code_free(code);
}

/* lds: to and from LDS at M0 + offset + lane * 4; tfe: a status of 0. */
static void test_lds_and_tfe(WaveHarness *h)
{
    static const char *const text[] = {
        "buffer_load_dword off, s[8:11], s3 offset:16 lds",
        "buffer_load_ushort v2, s[8:11], s3 offen lds",
        "buffer_store_lds_dword s[8:11], s3 offset:32 lds",
        "buffer_load_dwordx2 v[4:6], off, s[8:11], s3 tfe",
    };
    WaveCode *code = wave_assemble(text, G_N_ELEMENTS(text));
    uint8_t *lds = h->group.lds, *host;

    rng = g_rand_new_with_seed(1);
    map_memory(h);
    g_rand_free(rng);
    host = h->maps[1].host + 0x400;
    set_desc(h, &descs[0]);
    h->w->s[SGPR_M0] = 0xabcd0100;
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 2)[lane] = lane * 6;
        wave_vgpr(h, 6)[lane] = 7;
    }
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpmem(lds + 0x110 + 63 * 4, 4, host + 16, 4);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(*(uint32_t *)(lds + 0x100 + 9 * 4), ==,
                    host[54] | host[55] << 8);
    memset(lds + 0x120 + 63 * 4, 0x77, 4);
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(*(uint32_t *)(host + 32), ==, 0x77777777);
    wave_set_exec(h, 2);
    g_assert_cmpint(wave_run(h, &code[3]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 5)[1], ==, *(uint32_t *)(host + 4));
    g_assert_cmphex(wave_vgpr(h, 6)[1], ==, 0);
    g_assert_cmphex(wave_vgpr(h, 6)[2], ==, 7);
    wave_code_free(code);
}

/* ---- formats (gfx-facts section 8) ---- */

typedef struct FormatCase {
    unsigned dfmt, nfmt;
    uint32_t raw[4];
    float f[4];    /* expected, if not an integer format */
    uint32_t i[4]; /* expected, if one */
    bool exact;    /* storing the components gives raw again */
} FormatCase;

enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7 };

static const FormatCase format_cases[] = {
    { 1, UNORM, { 0xff }, { 1, 0, 0, 1 }, {}, true },
    { 1, UNORM, { 0x33 }, { 0x33 / 255.f, 0, 0, 1 }, {}, true },
    { 1, SNORM, { 0x80 }, { -1, 0, 0, 1 }, {}, false },
    { 1, SNORM, { 0x81 }, { -1, 0, 0, 1 }, {}, true },
    { 1, UINT, { 0x80 }, {}, { 0x80, 0, 0, 1 }, true },
    { 1, SINT, { 0x80 }, {}, { 0xffffff80, 0, 0, 1 }, true },
    { 2, USCALED, { 0xfffe }, { 65534, 0, 0, 1 }, {}, true },
    { 2, SSCALED, { 0xfffe }, { -2, 0, 0, 1 }, {}, true },
    { 2, FLOAT, { 0xc000 }, { -2, 0, 0, 1 }, {}, true },
    { 2, FLOAT, { 0x0001 }, { 0x1p-24f, 0, 0, 1 }, {}, true },
    { 3, UNORM, { 0xff00 }, { 0, 1, 0, 1 }, {}, true },
    { 4, FLOAT, { 0x40490fdb }, { 3.14159274f, 0, 0, 1 }, {}, true },
    { 4, SINT, { 0x87654321 }, {}, { 0x87654321, 0, 0, 1 }, true },
    { 5, SNORM, { 0x80017fff }, { 1, -1, 0, 1 }, {}, true },
    { 5, FLOAT, { 0x3c00bc00 }, { -1, 1, 0, 1 }, {}, true },
    /* 1.0 is exponent 15: 0x3c0 of 11 bits, 0x1e0 of 10. */
    { 6, FLOAT, { 0x3c0 | 0x400 << 11 | 0x1c0u << 22 }, { 1, 2, 0.5f, 1 }, {},
      true },
    { 7, UINT, { 0x3ff | 0x555 << 10 | 0x001u << 21 }, {},
      { 0x3ff, 0x555, 1, 1 }, true },
    { 8, UINT, { 3 | 0x155 << 2 | 0x2aa << 12 | 0x3ffu << 22 }, {},
      { 3, 0x155, 0x2aa, 0x3ff }, true },
    { 9, UNORM, { 0x3ff | 0 << 10 | 0x3ff << 20 | 1u << 30 },
      { 1, 0, 1, 1 / 3.f }, {}, true },
    { 9, SINT, { 0x200 | 0x1ff << 10 | 0x3ff << 20 | 2u << 30 }, {},
      { 0xfffffe00, 0x1ff, 0xffffffff, 0xfffffffe }, true },
    { 10, UNORM, { 0xff00ff33 }, { 0.2f, 1, 0, 1 }, {}, true },
    { 10, SSCALED, { 0x7f80ff01 }, { 1, -1, -128, 127 }, {}, true },
    { 11, UINT, { 7, 0xffffffff }, {}, { 7, 0xffffffff, 0, 1 }, true },
    { 12, FLOAT, { 0x3c004000, 0x7c008000 },
      { 2, 1, -0.f, __builtin_inff() }, {}, true },
    { 13, UINT, { 1, 2, 3 }, {}, { 1, 2, 3, 1 }, true },
    { 14, FLOAT, { 0x3f800000, 0x40000000, 0x40400000, 0xbf800000 },
      { 1, 2, 3, -1 }, {}, true },
};

static uint32_t expected_comp(const FormatCase *c, unsigned k)
{
    uint32_t bits;

    if (c->nfmt == UINT || c->nfmt == SINT) {
        return c->i[k];
    }
    memcpy(&bits, &c->f[k], 4);
    return bits;
}

/* dst_sel X, Y, Z, W. */
#define IDENTITY (4 | 5 << 3 | 6 << 6 | 7 << 9)

static void run_format_case(WaveHarness *h, const FormatCase *c,
                            const WaveCode *load, const WaveCode *store)
{
    Desc d = { "", BASE, 32, false, 64,
               IDENTITY | c->nfmt << 12 | c->dfmt << 15 };
    uint8_t *host = h->maps[1].host;

    set_desc(h, &d);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 2)[lane] = lane;
        memcpy(host + 32 * lane, c->raw, 16);
    }
    g_assert_cmpint(wave_run(h, load), ==, TESSERA_FAULT_NONE);
    for (unsigned k = 0; k < 4; k++) {
        g_assert_cmphex(wave_vgpr(h, 8 + k)[37], ==, expected_comp(c, k));
    }
    memset(host, 0, 64 * 32);
    g_assert_cmpint(wave_run(h, store), ==, TESSERA_FAULT_NONE);
    if (c->exact) {
        g_assert_cmpmem(host + 37 * 32, 16, c->raw, 16);
    }
}

static void test_formats(WaveHarness *h)
{
    static const char *const text[] = {
        "buffer_load_format_xyzw v[8:11], v2, s[8:11], 0 idxen",
        "buffer_store_format_xyzw v[8:11], v2, s[8:11], 0 idxen",
    };
    WaveCode *code = wave_assemble(text, G_N_ELEMENTS(text));

    rng = g_rand_new_with_seed(8);
    map_memory(h);
    g_rand_free(rng);
    for (unsigned i = 0; i < G_N_ELEMENTS(format_cases); i++) {
        run_format_case(h, &format_cases[i], &code[0], &code[1]);
    }
    wave_code_free(code);
}

/* The instruction's format, halves, selectors, what is out of range. */
static void test_typed(WaveHarness *h)
{
    static const char *const text[] = {
        "tbuffer_load_format_xy v[8:9], off, s[8:11], dfmt:10, nfmt:0, 4",
        "buffer_load_format_d16_xyz v[8:9], off, s[8:11], 0 offset:4",
        "buffer_load_format_d16_hi_x v8, off, s[8:11], 0 offset:4",
        "buffer_store_format_d16_hi_x v8, off, s[8:11], 0 offset:8",
        "buffer_load_format_xyzw v[8:11], off, s[8:11], 0 offset:128",
    };
    WaveCode *code = wave_assemble(text, G_N_ELEMENTS(text));
    Desc d = { "", BASE, 0, false, 64, IDENTITY | 10 << 15 };
    uint32_t *host;

    rng = g_rand_new_with_seed(8);
    map_memory(h);
    g_rand_free(rng);
    host = (uint32_t *)h->maps[1].host;
    host[1] = 0x80ff00ff;
    set_desc(h, &d);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 8)[3], ==, 0x3f800000);
    g_assert_cmphex(wave_vgpr(h, 9)[3], ==, 0);
    wave_vgpr(h, 9)[3] = 0xdead0000;
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 8)[3], ==, 0x00003c00);
    g_assert_cmphex(wave_vgpr(h, 9)[3], ==, 0xdead3c00);
    d.word3 = 7 | 1 << 9 | 10 << 15 | UINT << 12; /* W, 0, 0, 1 */
    set_desc(h, &d);
    wave_vgpr(h, 8)[3] = 0x11112222;
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 8)[3], ==, 0x00802222);
    wave_set_exec(h, 8);
    g_assert_cmpint(wave_run(h, &code[3]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(host[2], ==, 0x80000000);
    g_assert_cmpint(wave_run(h, &code[4]), ==, TESSERA_FAULT_NONE);
    for (int k = 0; k < 4; k++) {
        g_assert_cmphex(wave_vgpr(h, 8 + k)[3], ==, k == 3);
    }
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/buffer/untyped", test_untyped);
    wave_test_levels("/buffer/scratch", test_scratch);
    wave_test_levels("/buffer/lds-and-tfe", test_lds_and_tfe);
    wave_test_levels("/buffer/formats", test_formats);
    wave_test_levels("/buffer/typed", test_typed);
    return g_test_run();
}
