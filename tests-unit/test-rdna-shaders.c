/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compute shaders as graphics drivers compile them, written by hand: resources
 * are descriptors in a table that scalar loads read; structured, raw and texel
 * buffers, constants, robust access.  Results are compared with plain C.
 */
#include <string.h>
#include "buffer-model.h"
#include "format-model.h"
#include "wave-harness.h"

#define TABLE 0x500000010000ull /* of descriptors; s[4:5] point to it */
#define INPUT 0x500100020000ull
#define OUTPUT 0x500200030000ull
#define SIZE 0x2000u

static GRand *rng;

typedef struct Shader {
    uint8_t *table, *input, *output;
    unsigned threads;
} Shader;

static Shader start(WaveHarness *h)
{
    Shader s = {
        wave_map(h, TABLE, 0x1000, true), wave_map(h, INPUT, SIZE, true),
        wave_map(h, OUTPUT, SIZE, true), wave_width(h->w),
    };

    rng = g_rand_new_with_seed(77);
    wave_set_sgpr64(h, 4, TABLE);
    for (unsigned lane = 0; lane < s.threads; lane++) {
        wave_vgpr(h, 0)[lane] = lane; /* the work-item's id */
    }
    memset(s.output, 0xee, SIZE);
    return s;
}

static unsigned format_number(const char *name)
{
    for (unsigned n = 0; n < BUF_FORMATS; n++) {
        if (strcmp(buf_format(n)->name, name) == 0) {
            return n;
        }
    }
    g_assert_not_reached();
}

/* Descriptor @n of the table; those of drivers are not swizzled. */
static void bind(WaveHarness *h, const Shader *s, unsigned n, uint64_t base,
                 const char *format, unsigned stride, uint32_t records,
                 unsigned oob)
{
    BufModel b = {
        .gfx12 = h->w->isa->gen == GEN_12, .base = base, .stride = stride,
        .scale = 1, .records = records, .sel = { 4, 5, 6, 7 },
        .format = format_number(format), .index_stride = 8, .oob = oob,
    };
    uint32_t words[4];

    buf_model_words(&b, words);
    memcpy(s->table + 16 * n, words, 16);
}

/* Two descriptors to s[8:15]; KM and VM wait for scalar and vector loads. */
#define RESOURCES                            \
    "s_load_b128 s[8:11], s[4:5], 0x0\n"     \
    "s_load_b128 s[12:15], s[4:5], 0x10\nKM\n"

static void run(WaveHarness *h, const char *text)
{
    bool gfx12 = h->w->isa->gen == GEN_12;
    g_autoptr(GString) s = g_string_new(text);
    const char *code_text;
    WaveCode *code;

    g_string_replace(s, "KM", gfx12 ? "s_wait_kmcnt 0x0"
                                    : "s_waitcnt lgkmcnt(0)", 0);
    g_string_replace(s, "VM", gfx12 ? "s_wait_loadcnt 0x0"
                                    : "s_waitcnt vmcnt(0)", 0);
    code_text = s->str;
    code = wave_assemble(&code_text, 1);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    wave_code_free(code);
    g_rand_free(rng);
}

static float random_float(void)
{
    return (float)g_rand_double_range(rng, -100, 100);
}

static float float_at(const uint8_t *p)
{
    float x;

    memcpy(&x, p, 4);
    return x;
}

/* ---- structured: position += velocity, for as many as there are ---- */

static void test_structured(WaveHarness *h, const void *data)
{
    Shader s = start(h);
    unsigned records = s.threads - 5;

    for (unsigned i = 0; i < SIZE / 4; i++) {
        memcpy(s.input + 4 * i, &(float){ random_float() }, 4);
    }
    bind(h, &s, 0, INPUT, "32_FLOAT", 32, records, 1);
    bind(h, &s, 1, OUTPUT, "32_FLOAT", 16, records - 2, 1);
    run(h, RESOURCES
        "buffer_load_b128 v[4:7], v0, s[8:11], null idxen\n"
        "buffer_load_b128 v[8:11], v0, s[8:11], null idxen offset:16\n"
        "VM\n"
        "v_add_f32 v4, v4, v8\nv_add_f32 v5, v5, v9\n"
        "v_add_f32 v6, v6, v10\nv_add_f32 v7, v7, v11\n"
        "buffer_store_b128 v[4:7], v0, s[12:15], null idxen\n");
    for (unsigned i = 0; i < s.threads; i++) {
        for (unsigned k = 0; k < 4; k++) {
            uint32_t have;
            float want = float_at(s.input + i * 32 + k * 4) +
                         float_at(s.input + i * 32 + 16 + k * 4);

            memcpy(&have, s.output + i * 16 + k * 4, 4);
            g_assert_cmphex(have, ==, i < records - 2 ? format_bits_of(want)
                                                      : 0xeeeeeeee);
            /* Beyond the input, there is nothing to add. */
            g_assert_true(i < records || wave_vgpr(h, 4 + k)[i] == 0);
        }
    }
}

/* ---- texels: 8_8_8_8_UNORM to luminance in 16_FLOAT ---- */

static void test_texels(WaveHarness *h, const void *data)
{
    Shader s = start(h);

    for (unsigned i = 0; i < SIZE; i++) {
        s.input[i] = g_rand_int(rng);
    }
    bind(h, &s, 0, INPUT, "8_8_8_8_UNORM", 4, s.threads, 0);
    bind(h, &s, 1, OUTPUT, "16_FLOAT", 2, s.threads - 1, 0);
    run(h, RESOURCES
        "buffer_load_format_xyzw v[4:7], v0, s[8:11], null idxen\n"
        "VM\n"
        "v_mul_f32 v4, 0.5, v4\nv_mul_f32 v5, 0.5, v5\n"
        "v_add_f32 v4, v4, v5\n"
        "buffer_store_format_x v4, v0, s[12:15], null idxen\n");
    for (unsigned i = 0; i < s.threads; i++) {
        float red = format_float_of(format_decode(UNORM, s.input[4 * i], 8));
        float green = format_float_of(format_decode(UNORM,
                                                    s.input[4 * i + 1], 8));
        uint32_t want = format_half_of(format_bits_of(0.5f * red +
                                                      0.5f * green));
        uint16_t have;

        memcpy(&have, s.output + 2 * i, 2);
        g_assert_cmphex(have, ==, i < s.threads - 1 ? want : 0xeeee);
    }
}

/* ---- halves: two texels a register, packed arithmetic ---- */

static void test_halves(WaveHarness *h, const void *data)
{
    Shader s = start(h);

    for (unsigned i = 0; i < SIZE / 2; i++) {
        uint16_t x = format_half_of(format_bits_of((int)(i % 31) - 15));

        memcpy(s.input + 2 * i, &x, 2);
    }
    bind(h, &s, 0, INPUT, "16_16_FLOAT", 4, s.threads, 0);
    bind(h, &s, 1, OUTPUT, "8_SINT", 1, 2 * s.threads, 0);
    run(h, RESOURCES
        "v_mov_b32 v4, 0\n"
        "buffer_load_d16_format_x v4, v0, s[8:11], null idxen\n"
        "v_mov_b32 v5, 0\n"
        "VM\n"
        /* the neighbour's goes to the high half */
        "v_xor_b32 v1, 1, v0\n"
        "buffer_load_d16_hi_format_x v4, v1, s[8:11], null idxen\n"
        "VM\n"
        "v_pk_add_f16 v4, v4, v4\n"
        "v_lshlrev_b32 v2, 1, v0\n"
        "v_cvt_f32_f16 v5, v4\n"
        "v_cvt_i32_f32 v5, v5\n"
        "v_lshrrev_b32 v6, 16, v4\n"
        "v_cvt_f32_f16 v6, v6\n"
        "v_cvt_i32_f32 v6, v6\n"
        "buffer_store_format_x v5, v2, s[12:15], null idxen\n"
        "v_add_nc_u32 v2, 1, v2\n"
        "buffer_store_format_x v6, v2, s[12:15], null idxen\n");
    for (unsigned i = 0; i < s.threads; i++) {
        int low = (int)(2 * i % 31) - 15, high = (int)(2 * (i ^ 1) % 31) - 15;

        g_assert_cmpint((int8_t)s.output[2 * i], ==, 2 * low);
        g_assert_cmpint((int8_t)s.output[2 * i + 1], ==, 2 * high);
    }
}

/* ---- raw, robust: whatever the offset, nothing else is touched ---- */

static void test_robust(WaveHarness *h, const void *data)
{
    static const uint32_t offsets[] = {
        0, 4, 96, 100, 104, 108, 112, 0x1000, 0x7ffffffc, 0x80000000,
        0xfffffff0, 0xfffffffc, 97, 99,
    };
    Shader s = start(h);
    unsigned bytes = 110; /* not a multiple of anything */

    for (unsigned i = 0; i < SIZE; i++) {
        s.input[i] = i * 7;
    }
    for (unsigned i = 0; i < s.threads; i++) {
        wave_vgpr(h, 1)[i] = offsets[i % G_N_ELEMENTS(offsets)];
    }
    wave_set_exec(h, (1 << G_N_ELEMENTS(offsets)) - 1);
    bind(h, &s, 0, INPUT, "32_UINT", 0, bytes, 3);
    bind(h, &s, 1, OUTPUT, "32_UINT", 0, bytes, 3);
    run(h, RESOURCES
        "buffer_load_b128 v[4:7], v1, s[8:11], null offen\n"
        "VM\n"
        "v_mov_b32 v8, v0\n"
        "buffer_store_b32 v8, v1, s[12:15], null offen\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(offsets); i++) {
        for (unsigned k = 0; k < 4; k++) {
            uint64_t at = (uint64_t)offsets[i] + 4 * k;
            uint32_t want = 0;

            if (at + 4 <= bytes) {
                memcpy(&want, s.input + at, 4);
            }
            g_assert_cmphex(wave_vgpr(h, 4 + k)[i], ==, want);
        }
    }
    for (unsigned at = bytes; at < SIZE; at++) {
        g_assert_cmphex(s.output[at], ==, 0xee);
    }
    g_assert_cmphex(s.output[104], ==, 4);
    g_assert_cmphex(s.output[108], ==, 0xee); /* would not fit */
}

/* ---- constants by scalar loads, counters by atomics ---- */

static void test_constants_and_counters(WaveHarness *h, const void *data)
{
    Shader s = start(h);
    uint32_t bins[4] = { 0 }, have[4], mask = 3;

    memset(s.output, 0, 16);
    memcpy(s.input + 12, &mask, 4);
    bind(h, &s, 0, INPUT, "32_UINT", 0, 16, 3);
    bind(h, &s, 1, OUTPUT, "32_UINT", 0, 16, 3);
    run(h, RESOURCES
        "s_buffer_load_b32 s6, s[8:11], 0xc\n"
        "s_buffer_load_b32 s7, s[8:11], 0x10\n" /* beyond: 0 */
        "KM\n"
        "v_mul_u32_u24 v1, 5, v0\n"
        "v_lshrrev_b32 v1, 1, v1\n"
        "v_and_b32 v1, s6, v1\n"
        "v_or_b32 v1, s7, v1\n"
        "v_lshlrev_b32 v1, 2, v1\n"
        "v_mov_b32 v2, 1\n"
        "buffer_atomic_add_u32 v2, v1, s[12:15], null offen\n");
    for (unsigned i = 0; i < s.threads; i++) {
        bins[i * 5 / 2 & 3]++;
    }
    memcpy(have, s.output, 16);
    for (unsigned b = 0; b < 4; b++) {
        g_assert_cmpuint(have[b], ==, bins[b]);
    }
}

int main(int argc, char **argv)
{
    typedef void Test(WaveHarness *h, const void *data);
    static const struct {
        const char *path;
        Test *test;
    } tests[] = {
        { "/rdna-shaders/structured", test_structured },
        { "/rdna-shaders/texels", test_texels },
        { "/rdna-shaders/halves", test_halves },
        { "/rdna-shaders/robust", test_robust },
        { "/rdna-shaders/constants-and-counters",
          test_constants_and_counters },
    };
    static const char *const targets[] = { "gfx1100", "gfx1150", "gfx1200" };

    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(tests) * 6; i++) {
        wave_test_target(tests[i / 6].path, targets[i % 3],
                         i / 3 % 2 ? 64 : 32, tests[i / 6].test, NULL);
    }
    return g_test_run();
}
