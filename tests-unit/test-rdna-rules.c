/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of gfx11 and gfx12, rule by rule: the type case of formatted loads
 * (rules VB1 to VB5), what other emulators get wrong, and operations that one
 * of the generations alone has.
 */
#include <string.h>
#include "buffer-model.h"
#include "format-model.h"
#include "rdna-model.h"
#include "target/amdgpu/buffer.h"

#define BASE 0x500100020000ull
#define SIZE 0x4000u
enum { SRSRC = 8 };

static bool is_gfx12(const WaveHarness *h)
{
    return h->w->isa->gen == GEN_12;
}

/* Run one snippet, which must not fault. */
static void run(WaveHarness *h, const char *text)
{
    WaveCode *code = wave_assemble(&text, 1);

    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    wave_code_free(code);
}

static void set_lanes(WaveHarness *h, unsigned reg, uint32_t first,
                      uint32_t step)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, reg)[lane] = first + lane * step;
    }
}

static void set_buffer(WaveHarness *h, unsigned format, uint32_t records,
                       unsigned oob)
{
    BufModel b = {
        .gfx12 = is_gfx12(h), .base = BASE, .scale = 1, .records = records,
        .sel = { 4, 5, 6, 7 }, .format = format, .index_stride = 8,
        .oob = oob,
    };

    buf_model_words(&b, &h->w->s[SRSRC]);
}

/* The number of a format, by name. */
static unsigned format_number(const char *name)
{
    for (unsigned n = 0; n < BUF_FORMATS; n++) {
        if (strcmp(buf_format(n)->name, name) == 0) {
            return n;
        }
    }
    g_assert_not_reached();
}

/* ---- VB1 to VB5: BUFFER_LOAD_D16_HI_FORMAT_X ---- */

#define TYPE_CASE "buffer_load_d16_hi_format_x v5, off, s[8:11], s3"

/* One component, in the surface's format, as 16 bits in the high half. */
static void test_vb1(WaveHarness *h, const void *data)
{
    static const struct {
        const char *format;
        uint32_t memory;
        uint16_t want;
    } cases[] = {
        { "8_UNORM", 0xff, 0x3c00 },        /* 1 */
        { "8_SNORM", 0x81, 0xbc00 },        /* -1 */
        { "16_FLOAT", 0xc200, 0xc200 },     /* -3 */
        { "32_FLOAT", 0x40600000, 0x4300 }, /* 3.5 */
        { "32_UINT", 0x12345678, 0x5678 },
        { "8_SINT", 0x80, 0xff80 },
        { "16_USCALED", 1000, 0x63d0 },     /* 1000 */
        { "2_10_10_10_UNORM", 0x3ff, 0x3c00 },
        { "10_11_11_FLOAT", 0x3c0, 0x3c00 }, /* 1 in 11 bits */
        { "8_8_8_8_UINT", 0xaabbccdd, 0xdd },
    };
    uint8_t *mem = wave_map(h, BASE, SIZE, true);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        memcpy(mem + 0x20, &cases[i].memory, 4);
        set_buffer(h, format_number(cases[i].format), SIZE, 3);
        h->w->s[3] = 0x20;
        set_lanes(h, 5, 0xdead0000, 1);
        run(h, TYPE_CASE);
        for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
            g_assert_cmphex(wave_vgpr(h, 5)[lane], ==,
                            (uint32_t)cases[i].want << 16 | lane);
        }
    }
    /* The other spelling is the same instruction. */
    set_lanes(h, 5, 0xdead0000, 1);
    run(h, "buffer_load_format_d16_hi_x v5, off, s[8:11], s3");
    g_assert_cmphex(wave_vgpr(h, 5)[3], ==, 0xdd0003);
}

static uint32_t bits(const uint32_t *words, unsigned first, unsigned last)
{
    uint32_t x = 0;

    for (unsigned bit = last + 1; bit-- > first;) {
        x = x << 1 | (words[bit / 32] >> bit % 32 & 1);
    }
    return x;
}

/* RDNA 4: ENC_VBUFFER; each field where the chapter has it. */
static void test_vb2(WaveHarness *h, const void *data)
{
    static const char *const text =
        "buffer_load_d16_hi_format_x v5, v[6:7], s[8:11], s3 idxen offen "
        "offset:-2 th:TH_LOAD_HT scope:SCOPE_SYS";
    WaveCode *code = wave_assemble(&text, 1);
    const uint32_t *w = code->words;

    g_assert_cmpuint(code->count, ==, 3);
    g_assert_cmphex(bits(w, 26, 31), ==, 0x31);
    g_assert_cmpuint(bits(w, 14, 21), ==, 38);
    g_assert_cmpuint(bits(w, 0, 6), ==, 3);      /* SOFFSET */
    g_assert_cmpuint(bits(w, 22, 22), ==, 0);    /* TFE */
    g_assert_cmpuint(bits(w, 32, 39), ==, 5);    /* VDATA */
    g_assert_cmpuint(bits(w, 41, 49), ==, 8);    /* RSRC */
    g_assert_cmpuint(bits(w, 50, 51), ==, 3);    /* SCOPE */
    g_assert_cmpuint(bits(w, 52, 54), ==, 2);    /* TH */
    g_assert_cmpuint(bits(w, 62, 63), ==, 3);    /* OFFEN, IDXEN */
    g_assert_cmpuint(bits(w, 64, 71), ==, 6);    /* VADDR */
    g_assert_cmphex(bits(w, 72, 95), ==, 0xfffffe); /* IOFFSET */
    wave_map(h, BASE, SIZE, true);
    wave_host(h, BASE)[0x40 + 16 * 3 + 5 - 2] = 0xff;
    set_buffer(h, format_number("8_UNORM"), SIZE, 2);
    h->w->s[SRSRC + 1] |= 16 << 16; /* stride */
    h->w->s[3] = 0x40;
    wave_vgpr(h, 6)[0] = 3;
    wave_vgpr(h, 7)[0] = 5;
    wave_set_exec(h, 1);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 5)[0], ==, 0x3c000000);
    wave_code_free(code);
}

/* RDNA 3 and 3.5: ENC_MUBUF, two dwords. */
static void test_vb3(WaveHarness *h, const void *data)
{
    static const char *const text = TYPE_CASE;
    static const uint8_t encoding[] = { 0x00, 0x00, 0x98, 0xe0,
                                        0x00, 0x05, 0x02, 0x03 };
    WaveCode *code = wave_assemble(&text, 1);

    g_assert_cmpmem(code->words, code->count * 4, encoding, 8);
    wave_code_free(code);
    test_vb1(h, NULL);
}

/* Run @text with NULL for its descriptor, which LLVM 19 does not assemble. */
static void run_unbound(WaveHarness *h, const char *text)
{
    WaveCode *code = wave_assemble(&text, 1);
    uint32_t words[3] = { code->words[0], code->words[1] };
    WaveCode patched = { words, code->count };

    if (is_gfx12(h)) {
        words[1] = (words[1] & ~(0x1ffu << 9)) | 124 << 9;
        words[2] = code->words[2];
    } else {
        words[1] = (words[1] & ~(0x1fu << 16)) | 31 << 16;
    }
    g_assert_cmpint(wave_run(h, &patched), ==, TESSERA_FAULT_NONE);
    wave_code_free(code);
}

/* RSRC may be NULL: an unbound buffer.  SOFFSET may be M0 or NULL. */
static void test_vb4(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, BASE, SIZE, true);

    mem[0] = 1;
    mem[8] = 2;
    set_buffer(h, format_number("8_UINT"), SIZE, 3);
    h->w->s[SGPR_M0] = 8;
    set_lanes(h, 5, 0x77777777, 0);
    run(h, "buffer_load_d16_hi_format_x v5, off, s[8:11], m0");
    g_assert_cmphex(wave_vgpr(h, 5)[1], ==, 0x00027777);
    run(h, "buffer_load_d16_hi_format_x v5, off, s[8:11], null");
    g_assert_cmphex(wave_vgpr(h, 5)[1], ==, 0x00017777);
    run_unbound(h, "buffer_load_d16_hi_format_x v5, off, s[8:11], m0");
    g_assert_cmphex(wave_vgpr(h, 5)[1], ==, 0x00007777);
    run_unbound(h, "buffer_store_d16_hi_format_x v5, off, s[8:11], m0");
    g_assert_cmphex(mem[8], ==, 2);
}

/* The chapter's example: assembles, prints and runs as it stands. */
static void test_vb5(WaveHarness *h, const void *data)
{
    static const char *const text = TYPE_CASE;
    WaveCode *code = wave_assemble(&text, 1);
    char printed[100];

    g_assert_cmpuint(h->engine.config.isa->disassemble(
                         code->words, code->count, wave_width(h->w), 0,
                         printed, sizeof(printed)), ==, code->count * 4);
    g_assert_cmpstr(printed, ==, text);
    wave_code_free(code);
    test_vb1(h, NULL);
}

/* ---- atomics: bit 0 of TH returns, the others are hints ---- */

static void test_th(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "global_atomic_add_u32 v4, v[2:3], v5, off th:TH_ATOMIC_RETURN",
        "buffer_atomic_add_u32 v5, v2, s[8:11], null offen "
        "th:TH_ATOMIC_RETURN",
    };
    uint8_t *mem = wave_map(h, BASE, SIZE, true);
    WaveCode *code = wave_assemble(texts, 2);

    for (unsigned n = 0; n < 2 * 8 * 4; n++) {
        uint32_t words[3], old = 100 + n, now;
        unsigned th = n / 2 % 8, scope = n / 16, reg = n % 2 ? 5 : 4;
        WaveCode patched = { words, 3 };

        memcpy(words, code[n % 2].words, sizeof(words));
        words[1] = (words[1] & ~(0x1fu << 18)) | scope << 18 | th << 20;
        set_buffer(h, 20, SIZE, 3);
        memcpy(mem + 0x100, &old, 4);
        set_lanes(h, 4, 77, 0);
        set_lanes(h, 5, 7, 0);
        set_lanes(h, 2, n % 2 ? 0x100 : (uint32_t)(BASE + 0x100), 0);
        set_lanes(h, 3, BASE >> 32, 0);
        wave_set_exec(h, 1);
        g_assert_cmpint(wave_run(h, &patched), ==, TESSERA_FAULT_NONE);
        memcpy(&now, mem + 0x100, 4);
        g_assert_cmpuint(now, ==, old + 7);
        g_assert_cmpuint(wave_vgpr(h, reg)[0], ==,
                         th & 1 ? old : n % 2 ? 7 : 77);
    }
    wave_code_free(code);
}

/* All lanes at one address: each adds, whatever the order. */
static void test_contended(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, BASE, SIZE, true);
    g_autofree char *text = g_strdup_printf(
        "global_atomic_add_f32 v4, v2, v5, s[4:5]%s", rdna_return(h));
    unsigned lanes = wave_width(h->w), seen = 0;
    float sum;

    wave_set_sgpr64(h, 4, BASE);
    set_lanes(h, 2, 0x40, 0);
    set_lanes(h, 5, format_bits_of(1), 0);
    run(h, text);
    memcpy(&sum, mem + 0x40, 4);
    g_assert_cmpfloat(sum, ==, lanes);
    for (unsigned lane = 0; lane < lanes; lane++) {
        float old = format_float_of(wave_vgpr(h, 4)[lane]);

        g_assert_cmpfloat(old, >=, 0);
        g_assert_cmpfloat(old, <, lanes);
        seen += (unsigned)old;
    }
    g_assert_cmpuint(seen, ==, lanes * (lanes - 1) / 2);
}

/* What the minimum and the maximum make of NaNs and zeroes. */
static void test_min_num(WaveHarness *h, const void *data)
{
    static const struct {
        uint32_t memory, data, min, max;
    } cases[] = {
        { 0x7fc00001, 0x3f800000, 0x3f800000, 0x3f800000 },
        { 0x3f800000, 0x7fa00001, 0x3f800000, 0x3f800000 },
        { 0x7fa00001, 0x7fa00002, 0x7fe00002, 0x7fe00002 },
        { 0x00000000, 0x80000000, 0x80000000, 0x00000000 },
        { 0x80000000, 0x00000000, 0x80000000, 0x00000000 },
        { 0x7f800000, 0xff800000, 0xff800000, 0x7f800000 },
        { 0x00000001, 0x00000002, 0x00000001, 0x00000002 },
    };
    uint8_t *mem = wave_map(h, BASE, SIZE, true);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint32_t have[4];

        for (unsigned k = 0; k < 2; k++) {
            memcpy(mem + 4 * k, &cases[i].memory, 4);
            memcpy(h->group.lds + 4 * k, &cases[i].memory, 4);
        }
        wave_set_sgpr64(h, 4, BASE);
        set_lanes(h, 2, 0, 0);
        set_lanes(h, 5, cases[i].data, 0);
        wave_set_exec(h, 1);
        run(h, "global_atomic_min_num_f32 v2, v5, s[4:5]\n"
               "global_atomic_max_num_f32 v2, v5, s[4:5] offset:4\n"
               "ds_min_num_f32 v2, v5\n"
               "ds_max_num_f32 v2, v5 offset:4\n");
        memcpy(have, mem, 8);
        memcpy(have + 2, h->group.lds, 8);
        g_assert_cmphex(have[0], ==, cases[i].min);
        g_assert_cmphex(have[1], ==, cases[i].max);
        g_assert_cmphex(have[2], ==, cases[i].min);
        g_assert_cmphex(have[3], ==, cases[i].max);
    }
}

/* ---- scratch: parts of an address ---- */

/*
 * A negative register leads out of the allocation before gfx12, and is taken
 * with its sign from there on.
 */
static void test_scratch_sign(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "scratch_load_b32 v4, v2, off offset:64",
        "scratch_load_b32 v4, off, s4 offset:64",
        "scratch_load_b32 v4, v3, s4 offset:64",
    };
    WaveCode *code = wave_assemble(texts, 3);
    uint8_t *mem = wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);
    unsigned row = wave_width(h->w) * 4;

    for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
        uint32_t x = 1000 + lane;

        memcpy(mem + 32 / 4 * row + lane * 4, &x, 4);
    }
    for (unsigned i = 0; i < 3; i++) {
        set_lanes(h, 2, (uint32_t)-32, 0);
        set_lanes(h, 3, 0x1000, 0);
        h->w->s[4] = (uint32_t)(i == 2 ? -0x1020 : -32);
        set_lanes(h, 4, 7, 0);
        if (is_gfx12(h)) {
            g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
            g_assert_cmpuint(wave_vgpr(h, 4)[5], ==, 1005);
        } else {
            g_assert_cmpint(wave_run(h, &code[i]), ==,
                            TESSERA_FAULT_SCRATCH_BOUNDS);
            g_assert_cmpuint(wave_vgpr(h, 4)[5], ==, 0);
            wave_reset(h);
        }
    }
    wave_code_free(code);
}

/* A negative immediate is subtracted, in all generations. */
static void test_scratch_immediate(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);

    set_lanes(h, 2, 0x1000, 0);
    set_lanes(h, 5, 500, 1);
    run(h, "scratch_store_b32 v2, v5, off offset:-4096\n"
           "scratch_load_b32 v6, off, off");
    for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
        uint32_t x;

        memcpy(&x, mem + lane * 4, 4);
        g_assert_cmpuint(x, ==, 500 + lane);
        g_assert_cmpuint(wave_vgpr(h, 6)[lane], ==, 500 + lane);
    }
}

/* ---- LDS ---- */

/*
 * An access that is not wholly inside the allocation reads 0 and stores
 * nothing, not even the part that would fit.
 */
static void test_lds_end(WaveHarness *h, const void *data)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } stores[] = {
        { "b16", 2 }, { "b32", 4 }, { "b64", 8 }, { "b96", 12 },
        { "b128", 16 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(stores); i++) {
        unsigned bytes = stores[i].bytes, words = (bytes + 3) / 4;
        g_autofree char *text = g_strdup_printf(
            "ds_store_%s v2, v[8:%u]\nds_load_%s%s v[16:%u], v2",
            stores[i].name, 7 + words, bytes == 2 ? "u" : "",
            bytes == 2 ? "16" : stores[i].name, 15 + words);

        h->group.lds_size = 0x200;
        memset(h->group.lds, 0x5a, 0x400);
        set_lanes(h, 2, 0x200 - bytes - 5, 1);
        for (unsigned k = 0; k < 4; k++) {
            set_lanes(h, 8 + k, 0x01010101 * (k + 1), 0);
            set_lanes(h, 16 + k, 99, 0);
        }
        wave_set_exec(h, 0x7e0); /* offsets -bytes to -bytes + 5 */
        run(h, text);
        for (unsigned at = 0x200 - bytes; at < 0x400; at++) {
            g_assert_cmphex(h->group.lds[at], ==,
                            at < 0x200 ? (at - (0x200 - bytes)) / 4 + 1
                                       : 0x5a);
        }
        g_assert_cmphex(wave_vgpr(h, 16)[5], ==,
                        bytes == 2 ? 0x0101 : 0x01010101);
        for (unsigned lane = 6; lane <= 10; lane++) {
            for (unsigned k = 0; k < words; k++) {
                g_assert_cmphex(wave_vgpr(h, 16 + k)[lane], ==, 0);
            }
        }
    }
    h->group.lds_size = 0x10000;
}

/* From gfx11 on the new value comes first, then what is compared. */
static void test_cmpstore(WaveHarness *h, const void *data)
{
    uint32_t x[2] = { 10, 20 };

    memcpy(h->group.lds, x, 8);
    set_lanes(h, 2, 0, 4);
    set_lanes(h, 8, 5, 0);
    set_lanes(h, 9, 20, 0);
    wave_set_exec(h, 3);
    run(h, "ds_cmpstore_rtn_b32 v4, v2, v8, v9");
    memcpy(x, h->group.lds, 8);
    g_assert_cmpuint(x[0], ==, 10);
    g_assert_cmpuint(x[1], ==, 5);
    g_assert_cmpuint(wave_vgpr(h, 4)[0], ==, 10);
    g_assert_cmpuint(wave_vgpr(h, 4)[1], ==, 20);
}

/* Lanes are counted modulo the wave's. */
static void test_permute(WaveHarness *h, const void *data)
{
    unsigned lanes = wave_width(h->w);

    set_lanes(h, 8, 100, 1);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 2)[lane] = (lane + 5) * 4;
    }
    wave_set_exec(h, ~4ull & h->w->full);
    run(h, "ds_bpermute_b32 v4, v2, v8\nds_permute_b32 v5, v2, v8\n"
           "ds_swizzle_b32 v6, v8 offset:swizzle(SWAP,16)");
    for (unsigned lane = 0; lane < lanes; lane++) {
        unsigned from = (lane + 5) % lanes, to = (lane + lanes - 5) % lanes;

        if (lane == 2) {
            continue;
        }
        g_assert_cmpuint(wave_vgpr(h, 4)[lane], ==,
                         from == 2 ? 0 : 100 + from);
        g_assert_cmpuint(wave_vgpr(h, 5)[lane], ==, to == 2 ? 0 : 100 + to);
        g_assert_cmpuint(wave_vgpr(h, 6)[lane], ==,
                         (lane ^ 16) == 2 ? 0 : 100 + (lane ^ 16));
    }
}

/* ---- by lane, blocks, transposed ---- */

static void test_addtid(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, BASE, SIZE, true);
    unsigned lanes = wave_width(h->w);

    wave_set_sgpr64(h, 4, BASE + 0x100);
    set_lanes(h, 8, 1000, 3);
    h->w->s[SGPR_M0] = 0x40;
    wave_set_exec(h, ~2ull & h->w->full);
    memset(mem, 0, 0x400);
    run(h, "global_store_addtid_b32 v8, s[4:5] offset:-16\n"
           "global_load_addtid_b32 v9, s[4:5] offset:-16\n"
           "ds_store_addtid_b32 v8 offset:8\nds_load_addtid_b32 v10 offset:8");
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t want = lane == 1 ? 0 : 1000 + 3 * lane, have[2];

        memcpy(&have[0], mem + 0xf0 + lane * 4, 4);
        memcpy(&have[1], h->group.lds + 0x48 + lane * 4, 4);
        g_assert_cmpuint(have[0], ==, want);
        g_assert_cmpuint(have[1], ==, want);
        g_assert_cmpuint(wave_vgpr(h, 9)[lane], ==, want);
        g_assert_cmpuint(wave_vgpr(h, 10)[lane], ==, want);
    }
}

/* M0 picks the dwords; holes are left alone, in memory and in registers. */
static void test_block(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, BASE, SIZE, true);
    uint32_t mask = 0x80000105;

    wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);
    wave_set_sgpr64(h, 4, BASE);
    set_lanes(h, 2, 0, 128);
    for (unsigned k = 0; k < 32; k++) {
        set_lanes(h, 32 + k, 1000 * k, 1);
        set_lanes(h, 64 + k, 7, 0);
        set_lanes(h, 96 + k, 7, 0);
    }
    memset(mem, 0x33, SIZE);
    h->w->s[SGPR_M0] = mask;
    run(h, "global_store_block v2, v[32:63], s[4:5]\n"
           "global_load_block v[64:95], v2, s[4:5]\n"
           "scratch_store_block off, v[32:63], off offset:64\n"
           "scratch_load_block v[96:127], off, off offset:64\n");
    for (unsigned k = 0; k < 32; k++) {
        for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
            uint32_t want = mask >> k & 1 ? 1000 * k + lane : 7, x;

            memcpy(&x, mem + lane * 128 + k * 4, 4);
            g_assert_cmphex(x, ==, mask >> k & 1 ? want : 0x33333333);
            g_assert_cmpuint(wave_vgpr(h, 64 + k)[lane], ==, want);
            g_assert_cmpuint(wave_vgpr(h, 96 + k)[lane], ==, want);
        }
    }
}

/*
 * A matrix of 16 x 16 lies in memory by rows, and each of 32 lanes is given the
 * half of a row that kernels for gfx1201 give it, so that lane l has column
 * l % 16 of rows 0 to 7 or 8 to 15.  A wave of 64 lanes has half as much in each:
 * the upper lanes what is behind, and their addresses are not looked at.
 */
static void check_transpose(WaveHarness *h, uint64_t va, unsigned bytes,
                            const char *text)
{
    unsigned count = wave_width(h->w) == 64 ? 4 : 8;
    uint8_t *mem = wave_host(h, va);

    for (unsigned i = 0; i < 256; i++) {
        uint16_t x = bytes == 2 ? i * 257 + 3 : i;

        memcpy(mem + bytes * i, &x, bytes);
    }
    wave_set_sgpr64(h, 4, va);
    set_lanes(h, 2, 0x7ffffff0, 0);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned row = bytes == 2 ? lane / 16 * 8 + lane % 8
                                  : lane / 8 * 4 + lane % 4;
        unsigned half = lane / (bytes == 2 ? 8 : 4) % 2;

        wave_vgpr(h, 2)[lane] = (row * 16 + half * 8) * bytes;
    }
    run(h, text);
    for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
        for (unsigned n = 0; n < count; n++) {
            unsigned at = n * bytes, row = lane % 32 / 16 * 8 + n +
                                           lane / 32 * count;
            uint32_t x = wave_vgpr(h, 2 + at / 4)[lane] >> at % 4 * 8;
            unsigned i = row * 16 + lane % 16;

            g_assert_cmphex(bytes == 2 ? x & 0xffff : x & 0xff, ==,
                            bytes == 2 ? (uint16_t)(i * 257 + 3) : i);
        }
    }
}

/* Both sizes of elements, in a matrix whose middle is at @va. */
static void check_transposes(WaveHarness *h, uint64_t va)
{
    bool wide = wave_width(h->w) == 64;

    check_transpose(h, va - 256, 2,
                    wide ? "global_load_tr_b128 v[2:3], v2, s[4:5]"
                         : "global_load_tr_b128 v[2:5], v2, s[4:5]");
    check_transpose(h, va - 128, 1,
                    wide ? "global_load_tr_b64 v2, v2, s[4:5]"
                         : "global_load_tr_b64 v[2:3], v2, s[4:5]");
}

static void test_transpose(WaveHarness *h, const void *data)
{
    bool wide = wave_width(h->w) == 64;

    wave_map(h, BASE, SIZE, true);
    check_transposes(h, BASE + 256);
    /* Without active lanes it does nothing. */
    set_lanes(h, 2, 9, 0);
    wave_set_exec(h, 0);
    run(h, wide ? "global_load_tr_b64 v2, v2, s[4:5]"
                : "global_load_tr_b64 v[2:3], v2, s[4:5]");
    g_assert_cmphex(wave_vgpr(h, 2)[0], ==, 9);
}

/* An owner that has to be asked for pages from @start on, and answers late. */
typedef struct Late {
    uint64_t start, known[4];
    unsigned count, waits;
    EngineAsk *ask;
} Late;

static TesseraFaultCause late_page(WaveHarness *h, uint64_t va,
                                   EngineAccess access)
{
    const Late *late = h->opaque;

    if (va - late->start >= SIZE) {
        return TESSERA_FAULT_NONE;
    }
    for (unsigned i = 0; i < late->count; i++) {
        if (late->known[i] == va / ENGINE_PAGE) {
            return TESSERA_FAULT_NONE;
        }
    }
    return (TesseraFaultCause)ENGINE_WAIT;
}

static void late_ask(WaveHarness *h, EngineAsk *ask)
{
    Late *late = h->opaque;

    g_assert_null(late->ask);
    g_assert_cmpint(ask->op, ==, ENGINE_ASK_TRANSLATE);
    late->ask = ask;
}

static void late_wait(WaveHarness *h)
{
    Late *late = h->opaque;
    EngineAsk *ask = late->ask;

    g_assert_nonnull(ask);
    g_assert_cmpuint(late->count, <, G_N_ELEMENTS(late->known));
    late->known[late->count++] = ask->address / ENGINE_PAGE;
    late->waits++;
    late->ask = NULL;
    ask->cause = TESSERA_FAULT_NONE;
    ask->done(ask);
}

static const WaveOwner late_owner = {
    .page = late_page, .ask = late_ask, .wait = late_wait,
};

/*
 * Rows that are at hand are given to the lanes at once, over the addresses of
 * those that are not; these come from where they were when it began.
 */
static void test_transpose_late(WaveHarness *h, const void *data)
{
    static const uint64_t starts[] = { BASE + 0x1000, BASE };
    static const uint64_t middles[] = { 0, 8 }; /* 8: a row in two pages */

    wave_map(h, BASE, SIZE, true);
    h->owner = &late_owner;
    for (unsigned i = 0; i < 4; i++) {
        Late late = { .start = starts[i / 2] };

        h->opaque = &late;
        check_transposes(h, BASE + 0x1000 + middles[i % 2]);
        g_assert_cmpuint(late.waits, ==, i / 2 + 1);
    }
    h->owner = NULL;
}

/* ---- scalar memory ---- */

static void test_smem(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, BASE, SIZE, true);

    for (unsigned i = 0; i < 256; i++) {
        mem[i] = 0x80 + i;
    }
    wave_set_sgpr64(h, 4, BASE + 0x20);
    h->w->s[6] = 0x13; /* low bits do not count */
    run(h, "s_load_b32 s12, s[4:5], null\ns_load_b32 s13, s[4:5], -0x10\n"
           "s_load_b64 s[14:15], s[4:5], s6 offset:0x8\n"
           "s_load_b32 null, s[4:5], 0x0");
    g_assert_cmphex(h->w->s[12], ==, 0xa3a2a1a0);
    g_assert_cmphex(h->w->s[13], ==, 0x93929190);
    g_assert_cmphex(h->w->s[14], ==, 0xbbbab9b8);
    g_assert_cmphex(h->w->s[15], ==, 0xbfbebdbc);
    /* buffers: dwords out of range are 0 */
    set_buffer(h, 20, 0x18, 3);
    run(h, "s_buffer_load_b128 s[16:19], s[8:11], 0x10");
    g_assert_cmphex(h->w->s[16], ==, 0x93929190);
    g_assert_cmphex(h->w->s[17], ==, 0x97969594);
    g_assert_cmphex(h->w->s[18], ==, 0);
}

/* gfx12: 24-bit offsets, three dwords, bytes and shorts, prefetches. */
static void test_smem_gfx12(WaveHarness *h, const void *data)
{
    uint8_t *mem = wave_map(h, BASE, SIZE, true);

    for (unsigned i = 0; i < 256; i++) {
        mem[i] = 0x80 + i;
    }
    wave_set_sgpr64(h, 4, BASE + 0x800000);
    run(h, "s_load_b96 s[12:14], s[4:5], -0x800000\n"
           "s_load_i8 s15, s[4:5], -0x7fffff\n"
           "s_load_u8 s16, s[4:5], -0x7ffffd\n"
           "s_load_i16 s17, s[4:5], -0x7ffffe\n"
           "s_load_u16 s18, s[4:5], -0x7ffffc\n"
           "s_prefetch_data s[4:5], 0x100, null, 3\n"
           "s_prefetch_inst_pc_rel 0x100, s6, 3\n");
    g_assert_cmphex(h->w->s[12], ==, 0x83828180);
    g_assert_cmphex(h->w->s[14], ==, 0x8b8a8988);
    g_assert_cmphex(h->w->s[15], ==, 0xffffff81);
    g_assert_cmphex(h->w->s[16], ==, 0x83);
    g_assert_cmphex(h->w->s[17], ==, 0xffff8382);
    g_assert_cmphex(h->w->s[18], ==, 0x8584);
    set_buffer(h, 20, 0x11, 3);
    run(h, "s_buffer_load_i8 s12, s[8:11], 0x10\n"
           "s_buffer_load_u8 s13, s[8:11], 0x11\n"
           "s_buffer_load_b96 s[16:18], s[8:11], 0x8");
    g_assert_cmphex(h->w->s[12], ==, 0xffffff90);
    g_assert_cmphex(h->w->s[13], ==, 0);
    g_assert_cmphex(h->w->s[16], ==, 0x8b8a8988);
}

/* ---- range checks of gfx10, which no device here has ---- */

static bool gfx10_has(const uint32_t *words, uint32_t index, uint64_t offset)
{
    Buffer b = amd_buffer_describe(BUFFER_GFX10, words,
                                   (BufferUse){ .idxen = true });

    return buffer_contains(&b, index, offset, buffer_place(&b, index, offset),
                           4);
}

static void test_gfx10(void)
{
    for (unsigned n = 0; n < 4 * 2 * 64; n++) {
        unsigned oob = n % 4, swizzle = n / 4 % 2, index = n / 8;
        /* base 0, stride 8, 20 records, format 32_UINT */
        uint32_t words[4] = { 0, 8 << 16 | (uint32_t)swizzle << 31, 20,
                              20 << 12 | oob << 28 };

        for (unsigned offset = 0; offset < 32; offset++) {
            /* index stride 8 */
            uint64_t place = (index / 8 * 8 + offset / 4 * 4) * 8 +
                             index % 8 * 4 + offset % 4;
            bool want = oob == 0 ? index < 20 && offset < 8 :
                        oob == 1 ? index < 20 :
                        oob == 2 ? true :
                        swizzle ? place < 20 : offset < 20;

            g_assert_cmpint(gfx10_has(words, index, offset), ==, want);
        }
    }
}

/* ---- messages with answers ---- */

/*
 * The doorbell is in bits 9:0 for LLVM's s_trap; TMA has no low 8 bits for the
 * trap handlers of Linux.  The answer is there when it has been waited for.
 */
static void test_message(WaveHarness *h, const void *data)
{
    const char *wait = data;
    g_autofree char *early = g_strdup_printf(
        "s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_DOORBELL)\n"
        "s_sendmsg_rtn_b64 s[6:7], sendmsg(MSG_RTN_GET_TMA)\n"
        "s_mov_b32 s5, s4\n%s\ns_mov_b32 s8, s4", wait);

    h->dispatch.launch.doorbell = 0x2a5;
    h->dispatch.launch.tma = 0x7f1234567800;
    h->dispatch.strict = true;
    h->hazard_count = 0;
    run(h, early);
    g_assert_cmpuint(h->hazard_count, ==, 1);
    g_assert_cmphex(h->w->s[8], ==, 0x2a5);
    g_assert_cmphex(wave_sgpr64(h, 6), ==, 0x7f12345678);
}

/* Floats do what they do, and no exception is collected or trapped on. */
static void test_float_exceptions(WaveHarness *h, const void *data)
{
    bool gfx12 = h->w->isa->gen >= GEN_12;
    g_autofree char *text = g_strdup_printf(
        "s_setreg_imm32_b32 hwreg(%s), 0x7f\n"
        "v_rcp_f32 v1, 0\nv_sqrt_f32 v2, -1.0\n"
        "v_mul_f32 v3, 0x7f7fffff, v3\n"
        "s_getreg_b32 s4, hwreg(%s, 0, 7)",
        gfx12 ? "19, 0, 7" /* TRAP_CTRL */ : "HW_REG_MODE, 12, 7",
        gfx12 ? "18" /* EXCP_FLAG_USER */ : "HW_REG_TRAPSTS");

    h->dispatch.launch.tba = BASE; /* nothing is mapped there */
    set_lanes(h, 3, 0x7f7fffff, 0);
    h->w->s[4] = 9;
    run(h, text);
    g_assert_cmphex(wave_vgpr(h, 1)[0], ==, 0x7f800000);
    g_assert_cmphex(wave_vgpr(h, 3)[0], ==, 0x7f800000);
    g_assert_cmphex(h->w->s[4], ==, 0);
}

int main(int argc, char **argv)
{
    typedef void Test(WaveHarness *h, const void *data);
    static const struct {
        const char *path;
        Test *test;
        bool gfx11, gfx12, w64;
    } tests[] = {
        { "VB1-component-to-high-half", test_vb1, true, true, true },
        { "VB2-vbuffer-encoding", test_vb2, false, true, true },
        { "VB3-mubuf-encoding", test_vb3, true, false, true },
        { "VB4-operands", test_vb4, true, true, true },
        { "VB5-example", test_vb5, true, true, true },
        { "th", test_th, false, true, true },
        { "contended", test_contended, true, true, true },
        { "min-num", test_min_num, false, true, true },
        { "scratch-sign", test_scratch_sign, true, true, true },
        { "scratch-immediate", test_scratch_immediate, true, true, true },
        { "lds-end", test_lds_end, true, true, true },
        { "cmpstore", test_cmpstore, true, true, true },
        { "permute", test_permute, true, true, true },
        { "addtid", test_addtid, true, true, true },
        { "block", test_block, false, true, true },
        { "transpose", test_transpose, false, true, true },
        { "transpose-late", test_transpose_late, false, true, true },
        { "smem", test_smem, true, true, true },
        { "float-exceptions", test_float_exceptions, true, true, true },
        { "smem-gfx12", test_smem_gfx12, false, true, true },
    };

    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rdna-rules/gfx10-ranges", test_gfx10);
    wave_test_target("/rdna-rules/message", "gfx1100", 32, test_message,
                     "s_waitcnt lgkmcnt(0)");
    wave_test_target("/rdna-rules/message", "gfx1200", 64, test_message,
                     "s_wait_kmcnt 0x0");
    for (unsigned i = 0; i < G_N_ELEMENTS(tests) * 4; i++) {
        bool gfx12 = i % 2, w64 = i / 2 % 2;
        g_autofree char *path = g_strdup_printf("/rdna-rules/%s",
                                                tests[i / 4].path);

        if ((gfx12 ? tests[i / 4].gfx12 : tests[i / 4].gfx11) &&
            (!w64 || tests[i / 4].w64)) {
            wave_test_target(path, gfx12 ? "gfx1200" : "gfx1100",
                             w64 ? 64 : 32, tests[i / 4].test, NULL);
        }
    }
    return g_test_run();
}
