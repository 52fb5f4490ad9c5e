/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector instructions of gfx11 and gfx12 that are no function of one lane's
 * operands, or have operands of their own: permutations, registers relative to
 * M0, 8-bit floats, dot products, pairs, functions of scalars.
 */
#include <math.h>
#include <string.h>
#include "rdna-harness.h"

/* ---- single lanes ---- */

static void test_lanes(WaveHarness *h, const void *data)
{
    unsigned n = rdna_lanes(h);

    rdna_fill(h, 2, 1);
    h->w->s[7] = n + 17; /* counts modulo the lanes of a wave */
    h->w->s[8] = 0xdeadbeef;
    wave_set_exec(h, 0);
    rdna_run(h, "v_readlane_b32 s5, v2, s7\n"
                "v_writelane_b32 v2, s8, s7\n"
                "v_readfirstlane_b32 s6, v2\n");
    g_assert_cmphex(h->w->s[5], ==, rdna_junk(2, 17));
    g_assert_cmphex(h->w->s[6], ==, rdna_junk(2, 0));
    for (unsigned lane = 0; lane < 64; lane++) {
        g_assert_cmphex(wave_vgpr(h, 2)[lane], ==,
                        lane == 17 ? 0xdeadbeef : rdna_junk(2, lane));
    }
}

/* ---- permutations ---- */

static const uint64_t picks = 0x0123456789abcdef;

/* Lane that lane @lane of @text's instruction reads. */
static unsigned picked(unsigned lane, bool other, bool var)
{
    unsigned row = lane / 16 * 16, n = lane % 16;
    unsigned from = var ? rdna_junk(3, lane) % 16 : picks >> 4 * n & 15;

    return (other ? row ^ 16 : row) + from;
}

static void check_rows(WaveHarness *h, const char *text, bool other, bool var,
                       bool fetch, bool bound)
{
    uint64_t exec = 0x5a5aff00123400f1 & rdna_full(h);

    rdna_fill(h, 2, 3);
    h->w->s[6] = (uint32_t)picks;
    h->w->s[7] = picks >> 32;
    wave_set_exec(h, exec);
    rdna_run(h, text);
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned from = picked(lane, other, var);
        bool read = fetch || exec >> from & 1;
        uint32_t want = rdna_junk(4, lane);

        if (exec >> lane & 1 && (read || bound)) {
            want = read ? rdna_junk(2, from) : 0;
        }
        g_assert_cmphex(wave_vgpr(h, 4)[lane], ==, want);
    }
}

static void test_permlane(WaveHarness *h, const void *data)
{
    check_rows(h, "v_permlane16_b32 v4, v2, s6, s7", false, false, false,
               false);
    check_rows(h, "v_permlane16_b32 v4, v2, s6, s7 op_sel:[1,0]", false,
               false, true, false);
    check_rows(h, "v_permlanex16_b32 v4, v2, s6, s7 op_sel:[0,1]", true,
               false, false, true);
    check_rows(h, "v_permlanex16_b32 v4, v2, s6, s7 op_sel:[1,1]", true,
               false, true, true);
    if (h->w->isa->gen < GEN_12) {
        return;
    }
    check_rows(h, "v_permlane16_var_b32 v4, v2, v3", false, true, false,
               false);
    check_rows(h, "v_permlanex16_var_b32 v4, v2, v3 op_sel:[1,0]", true, true,
               true, false);
    check_rows(h, "v_permlanex16_var_b32 v4, v2, v3 op_sel:[0,1]", true, true,
               false, true);
}

/* In place, and only in waves of 64 lanes. */
static void test_permlane64(WaveHarness *h, const void *data)
{
    uint64_t exec = 0xfffffffe7fffffff;

    rdna_fill(h, 2, 1);
    wave_set_exec(h, exec);
    rdna_run(h, "v_permlane64_b32 v2, v2");
    for (unsigned lane = 0; lane < 64; lane++) {
        bool moves = rdna_lanes(h) == 64 && exec >> lane & 1;

        g_assert_cmphex(wave_vgpr(h, 2)[lane], ==,
                        rdna_junk(2, moves ? lane ^ 32 : lane));
    }
}

/* ---- registers relative to M0 ---- */

static void check_moved(WaveHarness *h, unsigned dst, unsigned src)
{
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        g_assert_cmphex(wave_vgpr(h, dst)[lane], ==, rdna_junk(src, lane));
    }
}

static void test_movrel(WaveHarness *h, const void *data)
{
    rdna_fill(h, 0, 256);
    h->w->s[SGPR_M0] = 7;
    rdna_run(h, "v_movreld_b32 v10, v2\nv_movrels_b32 v11, v3\n"
                "v_movrelsd_b32 v12, v5\nv_movreld_b32_e64 v20, v4\n"
                "v_movrels_b32_e64 v21, v23\nv_movrelsd_b32_e64 v22, v25\n");
    check_moved(h, 17, 2);
    check_moved(h, 11, 10);
    check_moved(h, 19, 12);
    check_moved(h, 27, 4);
    check_moved(h, 21, 30);
    check_moved(h, 29, 32);
    h->w->s[SGPR_M0] = 5 << 16 | 9;
    rdna_run(h, "v_movrelsd_2_b32 v30, v40\nv_swaprel_b32 v50, v60\n"
                "v_movrelsd_2_b32_e64 v80, v90\n");
    check_moved(h, 35, 49);
    check_moved(h, 85, 99);
    check_moved(h, 55, 69);
    check_moved(h, 69, 55);
}

/* Beyond v255: v0 is read, and nothing is written. */
static void test_movrel_beyond(WaveHarness *h, const void *data)
{
    rdna_fill(h, 0, 256);
    h->w->s[SGPR_M0] = 250;
    rdna_run(h, "v_movrels_b32 v11, v6\nv_movreld_b32 v6, v2\n");
    check_moved(h, 11, 0);
    h->w->s[SGPR_M0] = -1u;
    rdna_run(h, "v_movrels_b32 v12, v6\nv_movreld_b32 v0, v2\n");
    check_moved(h, 12, 5);
    for (unsigned r = 0; r < 256; r++) {
        if (r != 11 && r != 12) {
            check_moved(h, r, r);
        }
    }
}

/* ---- source 0 from another lane ---- */

typedef struct Move {
    const char *text;
    unsigned share, flip; /* lane: lane & ~15 | share, or lane ^ flip */
} Move;

static const Move moves[] = {
    { "row_share:2", 2, 0 },
    { "dpp8:[7,6,5,4,3,2,1,0]", 0, 7 },
};

static unsigned moved_from(const Move *m, unsigned lane)
{
    return m->flip ? lane ^ m->flip : (lane & ~15u) | m->share;
}

static void check_moved_by(WaveHarness *h, const Move *m, unsigned dst,
                           unsigned src)
{
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        g_assert_cmphex(wave_vgpr(h, dst)[lane], ==,
                        rdna_junk(src, moved_from(m, lane)));
    }
}

/* In the short encoding and in VOP3. */
static void test_movrel_dpp(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(moves); i++) {
        const Move *m = &moves[i / 2];
        const char *form = i % 2 ? "_e64_dpp" : "_dpp";
        g_autofree char *one = g_strdup_printf(
            "v_movreld_b32%s v10, v2 %s\nv_movrels_b32%s v11, v3 %s\n"
            "v_movrelsd_b32%s v12, v5 %s\n", form, m->text, form, m->text,
            form, m->text);
        g_autofree char *two = g_strdup_printf(
            "v_movrelsd_2_b32%s v30, v40 %s\n", form, m->text);

        rdna_fill(h, 0, 64);
        h->w->s[SGPR_M0] = 7;
        rdna_run(h, one);
        check_moved_by(h, m, 17, 2);
        check_moved_by(h, m, 11, 10);
        check_moved_by(h, m, 19, 12);
        h->w->s[SGPR_M0] = 5 << 16 | 9;
        rdna_run(h, two);
        check_moved_by(h, m, 35, 49);
    }
}

static void test_mov_b16_dpp(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(moves); i++) {
        g_autofree char *text = g_strdup_printf(
            "v_mov_b16_dpp v3.l, v2.h %s\nv_mov_b16_dpp v4.h, v2.l %s\n",
            moves[i].text, moves[i].text);

        rdna_fill(h, 2, 3);
        rdna_run(h, text);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            uint32_t from = rdna_junk(2, moved_from(&moves[i], lane));

            g_assert_cmphex(wave_vgpr(h, 3)[lane], ==,
                            (rdna_junk(3, lane) & 0xffff0000) | from >> 16);
            g_assert_cmphex(wave_vgpr(h, 4)[lane], ==,
                            (rdna_junk(4, lane) & 0xffff) | from << 16);
        }
    }
}

/*
 * What has a test of its own without a move: with one it does what it does
 * with registers that were moved before.
 */
static void check_as_moved(WaveHarness *h, const char *name, const char *rest)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(moves); i++) {
        const Move *m = &moves[i];
        g_autofree char *text = g_strdup_printf(
            "%s_dpp v10, v2%s %s\n%s v11, v5%s\n", name, rest, m->text, name,
            rest);
        unsigned changed = 0;

        rdna_fill(h, 2, 12);
        memcpy(wave_vgpr(h, 11), wave_vgpr(h, 10), 64 * 4);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            wave_vgpr(h, 5)[lane] = rdna_junk(2, moved_from(m, lane));
        }
        rdna_run(h, text);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            g_assert_cmphex(wave_vgpr(h, 10)[lane], ==,
                            wave_vgpr(h, 11)[lane]);
            changed += wave_vgpr(h, 10)[lane] != rdna_junk(10, lane);
        }
        g_assert_cmpuint(changed, >, rdna_lanes(h) / 2);
    }
}

static void test_as_moved(WaveHarness *h, const void *data)
{
    check_as_moved(h, "v_pk_fmac_f16", ", v3");
    if (h->w->isa->gen == GEN_11) {
        check_as_moved(h, "v_dot2acc_f32_f16", ", v3");
    } else {
        check_as_moved(h, "v_cvt_f32_fp8", "");
        check_as_moved(h, "v_cvt_f32_bf8", "");
    }
}

/* ---- 8-bit floats (OCP's E4M3 and E5M2) ---- */

typedef struct Small {
    const char *name;
    int exp, mant, bias;
    uint8_t most, inf; /* largest number; what is beyond it */
} Small;

static const Small smalls[] = {
    { "fp8", 4, 3, 7, 0x7e, 0x7f },
    { "bf8", 5, 2, 15, 0x7b, 0x7c },
};

/* The value of a code, as the format is defined; NAN if it has none. */
static double small_value(const Small *f, uint8_t code)
{
    int exp = (code & 0x7f) >> f->mant, mant = code & ((1 << f->mant) - 1);
    double sign = code & 0x80 ? -1 : 1;

    if ((code & 0x7f) > f->most) {
        return f->inf == 0x7c && (code & 0x7f) == 0x7c ? sign * INFINITY : NAN;
    }
    return exp ? sign * ldexp((1 << f->mant) + mant, exp - f->bias - f->mant)
               : sign * ldexp(mant, 1 - f->bias - f->mant);
}

/* The code below @x, which is not negative nor too large. */
static uint8_t code_below(const Small *f, double x)
{
    uint8_t code = f->most;

    while (small_value(f, code) > x) {
        code--;
    }
    return code;
}

/* The next number, as if there were one after the largest, too. */
static double next_value(const Small *f, uint8_t code)
{
    double step = small_value(f, code) - small_value(f, code - 1);

    return code == f->most ? small_value(f, code) + step
                           : small_value(f, code + 1);
}

static uint8_t too_large(const Small *f, bool clamp)
{
    return clamp ? f->most : f->inf;
}

/* @x to nearest even, or by @seed if there is one. */
static uint8_t small_of(const Small *f, float x, bool clamp,
                        const uint32_t *seed)
{
    uint8_t sign = signbit(x) ? 0x80 : 0, code;
    double a = fabs((double)x), low, high, part;

    if (isnan(x)) {
        return sign | 0x7f;
    }
    if (isinf(x) || a >= 2 * small_value(f, f->most)) {
        return sign | too_large(f, clamp);
    }
    code = code_below(f, a);
    low = small_value(f, code);
    high = next_value(f, code);
    part = (a - low) / (high - low);
    if (seed) {
        /* As many bits of the seed as are cut off. */
        int bits = a ? ilogb(high - low) - ilogb(a) + 23 : 31;

        part += ldexp(*seed >> (32 - (bits > 31 ? 31 : bits)),
                      -(bits > 31 ? 31 : bits));
        code += part >= 1;
    } else {
        code += part > 0.5 || (part == 0.5 && code & 1);
    }
    return sign | (code > f->most ? too_large(f, clamp) : code);
}

static uint32_t float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static float bits_float(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

static void check_value(uint32_t got, double want)
{
    if (isnan(want)) {
        g_assert_true(isnan(bits_float(got)));
        g_assert_cmphex(got & 0x400000, ==, 0x400000);
    } else {
        g_assert_cmphex(got, ==, float_bits((float)want));
    }
}

/* All codes in all bytes. */
static void test_small_widen(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(smalls); i++) {
        const Small *f = &smalls[i];
        g_autofree char *text = g_strdup_printf(
            "v_cvt_f32_%s v10, v2\nv_cvt_f32_%s v11, v2 byte_sel:1\n"
            "v_cvt_f32_%s v12, v2 byte_sel:2\nv_cvt_f32_%s v13, v2 byte_sel:3\n"
            "v_cvt_pk_f32_%s v[14:15], v2\n"
            "v_cvt_pk_f32_%s v[16:17], v2 op_sel:[1,0]\n", f->name, f->name,
            f->name, f->name, f->name, f->name);

        for (unsigned base = 0; base < 256; base += rdna_lanes(h)) {
            for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
                wave_vgpr(h, 2)[lane] = (base + lane) * 0x01030507;
            }
            rdna_run(h, text);
            for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
                for (unsigned b = 0; b < 4; b++) {
                    uint8_t code = (base + lane) * 0x01030507 >> 8 * b;

                    check_value(wave_vgpr(h, 10 + b)[lane],
                                small_value(f, code));
                    check_value(wave_vgpr(h, 14 + b)[lane],
                                small_value(f, code));
                }
            }
        }
    }
}

static uint32_t narrow_input(unsigned n)
{
    /* All upper halves, with lower ones that make ties and near ones. */
    static const uint16_t low[4] = { 0, 1, 0x8000, 0xffff };

    return n << 16 | low[n * 7 / 3 % 4];
}

static void check_narrow(WaveHarness *h, const Small *f, bool clamp,
                         unsigned base)
{
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        uint32_t a = narrow_input(base + lane), old = rdna_junk(10, lane);
        uint32_t b = a ^ 0x80300000, seed = rdna_junk(4, lane);
        uint8_t x = small_of(f, bits_float(a), clamp, NULL);
        uint8_t y = small_of(f, bits_float(b), clamp, NULL);
        uint8_t r = small_of(f, bits_float(a), clamp, &seed);
        uint32_t pair = x | y << 8;

        g_assert_cmphex(wave_vgpr(h, 10)[lane], ==,
                        (old & 0xffff0000) | pair);
        g_assert_cmphex(wave_vgpr(h, 11)[lane], ==,
                        (rdna_junk(11, lane) & 0xffff) | pair << 16);
        g_assert_cmphex(wave_vgpr(h, 12)[lane], ==,
                        (rdna_junk(12, lane) & 0xff00ffff) |
                        (uint32_t)r << 16);
        g_assert_cmphex(wave_vgpr(h, 13)[lane], ==,
                        (rdna_junk(13, lane) & 0xffffff00) | r);
    }
}

/* FP16_OVFL, op_sel and byte selection; MODE's rounding is not looked at. */
static void test_small_narrow(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(smalls); i++) {
        const Small *f = &smalls[i / 2];
        g_autofree char *text = g_strdup_printf(
            "v_cvt_pk_%s_f32 v10, v2, v3\n"
            "v_cvt_pk_%s_f32 v11, v2, v3 op_sel:[0,0,1]\n"
            "v_cvt_sr_%s_f32 v12, v2, v4 byte_sel:2\n"
            "v_cvt_sr_%s_f32 v13, v2, v4\n", f->name, f->name, f->name,
            f->name);
        bool clamp = i % 2;

        wave_set_mode(h, (clamp ? MODE_FP16_OVFL : 0) | 0xf0 | i);
        for (unsigned base = 0; base < 0x10000; base += rdna_lanes(h)) {
            rdna_fill(h, 4, 1);
            rdna_fill(h, 10, 4);
            for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
                wave_vgpr(h, 2)[lane] = narrow_input(base + lane);
                wave_vgpr(h, 3)[lane] = narrow_input(base + lane) ^ 0x80300000;
            }
            rdna_run(h, text);
            check_narrow(h, f, clamp, base);
        }
    }
}

/* ---- dot products ---- */

/* A half or bf16 that is a small number, of 9 bits with sign. */
static uint16_t small_half(unsigned n, bool bf16)
{
    int x = (int)(rdna_junk(n, n % 61) % 31) - 15;
    uint32_t bits = float_bits((float)x);

    if (bf16) {
        return bits >> 16;
    }
    return x ? (bits >> 16 & 0x8000) |
               (((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff)) : 0;
}

static float half_value(uint16_t x, bool bf16)
{
    int exp = x >> 10 & 0x1f;
    float r;

    if (bf16) {
        return bits_float((uint32_t)x << 16);
    }
    r = exp ? ldexpf(0x400 + (x & 0x3ff), exp - 25)
            : ldexpf(x & 0x3ff, -24);
    return x & 0x8000 ? -r : r;
}

typedef struct Dot {
    const char *text;
    bool bf16;
    uint8_t sel, sel_hi, neg, neg_hi; /* as op_sel, neg_lo and so on */
    bool gfx11, pair; /* only there; only in waves of 32 lanes */
} Dot;

static const Dot dots[] = {
    { "v_dot2_f32_f16 v10, v2, v3, v4", false, 0, 3, 0, 0 },
    { "v_dot2_f32_f16 v10, v2, v3, v4 op_sel:[1,0,0] op_sel_hi:[0,1,1] "
      "neg_lo:[1,0,1] neg_hi:[0,1,0]", false, 1, 2, 5, 2 },
    { "v_dot2_f32_bf16 v10, v2, v3, v4", true, 0, 3, 0, 0 },
    { "v_dot2_f32_bf16 v10, v2, v3, v4 op_sel:[0,1,0] neg_hi:[1,1,0]", true, 2,
      3, 0, 3 },
    { "v_mov_b32 v10, v4\nv_dot2acc_f32_f16 v10, v2, v3", false, 0, 3, 0, 0,
      true },
    { "v_mov_b32 v10, v4\nv_dual_dot2acc_f32_f16 v10, v2, v3 :: "
      "v_dual_mov_b32 v11, v5", false, 0, 3, 0, 0, true, true },
    { "v_mov_b32 v10, v4\nv_dual_mov_b32 v11, v5 :: "
      "v_dual_dot2acc_f32_f16 v10, v2, v3", false, 0, 3, 0, 0, true, true },
};

static float dot_source(const Dot *d, unsigned i, unsigned half, uint32_t x)
{
    unsigned sel = half ? d->sel_hi : d->sel, neg = half ? d->neg_hi : d->neg;
    uint16_t bits = sel >> i & 1 ? x >> 16 : x;

    return half_value(neg >> i & 1 ? bits ^ 0x8000 : bits, d->bf16);
}

static void test_dot2(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(dots); i++) {
        const Dot *d = &dots[i];

        if ((d->gfx11 && h->w->isa->gen != GEN_11) ||
            (d->pair && rdna_lanes(h) != 32)) {
            continue;
        }
        for (unsigned n = 0; n < 128; n++) {
            wave_vgpr(h, 2 + n / 64)[n % 64] =
                small_half(n, d->bf16) |
                (uint32_t)small_half(n + 200, d->bf16) << 16;
        }
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, 4)[lane] = float_bits(lane * 0.25f - 5);
        }
        rdna_run(h, d->text);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            uint32_t a = wave_vgpr(h, 2)[lane], b = wave_vgpr(h, 3)[lane];
            float sum = bits_float(wave_vgpr(h, 4)[lane]);

            sum = d->neg >> 2 & 1 ? -sum : sum;
            for (unsigned half = 0; half < 2; half++) {
                sum += dot_source(d, 0, half, a) * dot_source(d, 1, half, b);
            }
            g_assert_cmphex(wave_vgpr(h, 10)[lane], ==, float_bits(sum));
        }
    }
}

/* An inline constant is in the lower half, in the format of the operand. */
static void test_dot2_constant(WaveHarness *h, const void *data)
{
    wave_vgpr(h, 2)[0] = 0x42004000; /* halves: 2, 3 */
    wave_vgpr(h, 3)[0] = 0x40404000; /* bf16: 2, 3 */
    rdna_run(h, "v_dot2_f32_f16 v10, v2, 4.0, 1.0\n"
                "v_dot2_f32_bf16 v11, v3, 4.0, 1.0\n"
                "v_dot2_f32_bf16 v12, v3, 4.0, 1.0 op_sel_hi:[1,0,1]\n");
    g_assert_cmphex(wave_vgpr(h, 10)[0], ==, float_bits(9));
    g_assert_cmphex(wave_vgpr(h, 11)[0], ==, float_bits(9));
    g_assert_cmphex(wave_vgpr(h, 12)[0], ==, float_bits(21));
}

/* Results of 16 bits; the other half of the register stays. */
static void test_dot2_half(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < 4; i++) {
        bool bf16 = i & 1, high = i & 2;
        g_autofree char *text = g_strdup_printf(
            "v_dot2_%s_%s v10, v2, v3, v4%s", bf16 ? "bf16" : "f16",
            bf16 ? "bf16" : "f16", high ? " op_sel:[0,0,1,1]" : "");

        rdna_fill(h, 10, 1);
        for (unsigned n = 0; n < 192; n++) {
            wave_vgpr(h, 2 + n / 64)[n % 64] =
                small_half(n, bf16) |
                (uint32_t)small_half(n + 300, bf16) << 16;
        }
        rdna_run(h, text);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            uint32_t a = wave_vgpr(h, 2)[lane], b = wave_vgpr(h, 3)[lane];
            uint32_t c = wave_vgpr(h, 4)[lane], got = wave_vgpr(h, 10)[lane];
            uint32_t old = rdna_junk(10, lane);
            float want = half_value(high ? c >> 16 : c, bf16) +
                         half_value(a, bf16) * half_value(b, bf16) +
                         half_value(a >> 16, bf16) * half_value(b >> 16, bf16);

            /* Sums of such numbers are whole and have up to 9 bits. */
            if (!bf16 || fabsf(want) <= 256) {
                g_assert_cmpfloat(half_value(high ? got >> 16 : got, bf16), ==,
                                  want);
            }
            g_assert_cmphex(high ? got & 0xffff : got >> 16, ==,
                            high ? old & 0xffff : old >> 16);
        }
    }
}

static int32_t element(uint32_t x, unsigned i, unsigned bits, bool is_signed)
{
    int32_t r = x >> i * bits & ((1u << bits) - 1);

    return is_signed && r >> (bits - 1) ? r - (1 << bits) : r;
}

static uint32_t dot_int(uint32_t a, uint32_t b, uint32_t c, unsigned bits,
                        unsigned signs, bool is_signed, bool clamp)
{
    int64_t sum = is_signed ? (int64_t)(int32_t)c : (int64_t)c;

    for (unsigned i = 0; i < 32 / bits; i++) {
        sum += (int64_t)element(a, i, bits, signs & 1) *
               element(b, i, bits, signs & 2);
    }
    if (clamp && is_signed) {
        sum = CLAMP(sum, INT32_MIN, INT32_MAX);
    } else if (clamp) {
        sum = CLAMP(sum, 0, UINT32_MAX);
    }
    return (uint32_t)sum;
}

static void test_dot_int(WaveHarness *h, const void *data)
{
    static const char *const names[] = {
        "v_dot4_i32_iu8", "v_dot8_i32_iu4", "v_dot4_u32_u8", "v_dot8_u32_u4",
    };

    for (unsigned i = 0; i < 32; i++) {
        unsigned kind = i % 4, signs = kind < 2 ? i / 4 % 4 : 0;
        bool clamp = i / 16;
        g_autofree char *text = g_strdup_printf(
            "%s v10, v2, v3, v4%s%s", names[kind],
            kind >= 2 ? "" : (const char *[]){ "", " neg_lo:[1,0,0]",
            " neg_lo:[0,1,0]", " neg_lo:[1,1,0]" }[signs],
            clamp ? " clamp" : "");

        rdna_fill(h, 2, 3);
        wave_vgpr(h, 4)[0] = 0x7ffffff0;
        wave_vgpr(h, 4)[1] = 0x80000003;
        wave_vgpr(h, 4)[2] = 0xffffff00;
        rdna_run(h, text);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            g_assert_cmphex(wave_vgpr(h, 10)[lane], ==,
                dot_int(wave_vgpr(h, 2)[lane], wave_vgpr(h, 3)[lane],
                        wave_vgpr(h, 4)[lane], kind & 1 ? 4 : 8, signs,
                        kind < 2, clamp));
        }
    }
}

static void test_dot4_small(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < 4; i++) {
        const Small *f = &smalls[i & 1], *g = &smalls[i >> 1];
        g_autofree char *text = g_strdup_printf(
            "v_dot4_f32_%s_%s v10, v2, v3, v4\n"
            "v_dot4_f32_%s_%s v11, v2, v3, v4 neg_lo:[0,0,1] neg_hi:[0,0,1]\n",
            f->name, g->name, f->name, g->name);

        rdna_fill(h, 2, 2);
        for (unsigned lane = 0; lane < 64; lane++) {
            /* Not too large, so that sums are exact. */
            wave_vgpr(h, 2)[lane] &= 0xbfbfbfbf;
            wave_vgpr(h, 3)[lane] &= 0xbfbfbfbf;
            wave_vgpr(h, 4)[lane] = float_bits(lane - 20.5f);
        }
        rdna_run(h, text);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            float c = lane - 20.5f, sum[2] = { c, -fabsf(c) };

            for (unsigned b = 0; b < 8; b++) {
                sum[b / 4] += (float)small_value(f, wave_vgpr(h, 2)[lane] >>
                                                    b % 4 * 8) *
                              (float)small_value(g, wave_vgpr(h, 3)[lane] >>
                                                    b % 4 * 8);
            }
            g_assert_cmphex(wave_vgpr(h, 10)[lane], ==, float_bits(sum[0]));
            g_assert_cmphex(wave_vgpr(h, 11)[lane], ==, float_bits(sum[1]));
        }
    }
}

/* gfx11 flushes denormals of 32 bits and of bf16, gfx12 keeps them. */
static void test_dot_denormals(WaveHarness *h, const void *data)
{
    bool keeps = h->w->isa->gen >= GEN_12;

    wave_vgpr(h, 2)[0] = 0;
    wave_vgpr(h, 3)[0] = 0;
    wave_vgpr(h, 4)[0] = 0x00012345;     /* c */
    wave_vgpr(h, 2)[1] = 0x0001;         /* half: 2^-24 */
    wave_vgpr(h, 3)[1] = 0x3c00;
    wave_vgpr(h, 4)[1] = 0;
    wave_set_mode(h, 0x000); /* MODE says to flush: it is not asked */
    rdna_run(h, "v_dot2_f32_f16 v10, v2, v3, v4");
    g_assert_cmphex(wave_vgpr(h, 10)[0], ==, keeps ? 0x00012345 : 0);
    g_assert_cmphex(wave_vgpr(h, 10)[1], ==, float_bits(0x1p-24f));
    wave_vgpr(h, 2)[0] = 0x0001;         /* bf16: 2^-133 */
    wave_vgpr(h, 3)[0] = 0x4b00;         /* 2^23 */
    wave_vgpr(h, 4)[0] = 0;
    rdna_run(h, "v_dot2_f32_bf16 v10, v2, v3, v4");
    g_assert_cmphex(wave_vgpr(h, 10)[0], ==,
                    keeps ? float_bits(0x1p-110f) : 0);
}

/* ---- both halves at once, and mixed ones ---- */

static void test_pk_fmac(WaveHarness *h, const void *data)
{
    for (unsigned n = 0; n < 192; n++) {
        wave_vgpr(h, 2 + n / 64)[n % 64] = small_half(n, false) |
                                           (uint32_t)small_half(n + 99, false)
                                           << 16;
    }
    memcpy(wave_vgpr(h, 5), wave_vgpr(h, 4), 256);
    rdna_run(h, "v_pk_fmac_f16 v4, v2, v3");
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        for (unsigned s = 0; s < 32; s += 16) {
            g_assert_cmpfloat(half_value(wave_vgpr(h, 4)[lane] >> s, false),
                ==, half_value(wave_vgpr(h, 2)[lane] >> s, false) *
                    half_value(wave_vgpr(h, 3)[lane] >> s, false) +
                    half_value(wave_vgpr(h, 5)[lane] >> s, false));
        }
    }
}

static void test_mix(WaveHarness *h, const void *data)
{
    rdna_fill(h, 10, 4);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 2)[lane] = small_half(lane, false) |
                                (uint32_t)small_half(lane + 99, false) << 16;
        wave_vgpr(h, 3)[lane] = float_bits(lane - 9.0f);
        wave_vgpr(h, 4)[lane] = small_half(lane + 33, false);
    }
    rdna_run(h,
        "v_fma_mix_f32 v10, v2, v3, -v4 op_sel:[1,0,0] op_sel_hi:[1,0,1]\n"
        "v_fma_mixlo_f16 v11, v2, v3, v4 op_sel_hi:[1,0,1]\n"
        "v_fma_mixhi_f16 v12, v2, |v3|, v4 op_sel_hi:[1,0,1] clamp\n"
        "v_fma_mix_f32_e64_dpp v13, v2, v3, v4 op_sel_hi:[1,0,1] "
        "row_share:3 row_mask:0xf bank_mask:0xf\n");
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        uint32_t x = wave_vgpr(h, 2)[lane], lo = wave_vgpr(h, 11)[lane];
        uint32_t hi = wave_vgpr(h, 12)[lane];
        float a = half_value(x, false), b = lane - 9.0f;
        float c = half_value(wave_vgpr(h, 4)[lane], false);
        float clamped = a * fabsf(b) + c;

        clamped = clamped < 0 ? 0 : clamped > 1 ? 1 : clamped;
        g_assert_cmphex(wave_vgpr(h, 10)[lane], ==,
                        float_bits(half_value(x >> 16, false) * b - c));
        g_assert_cmpfloat(half_value(lo, false), ==, a * b + c);
        g_assert_cmphex(lo >> 16, ==, rdna_junk(11, lane) >> 16);
        g_assert_cmpfloat(half_value(hi >> 16, false), ==, clamped);
        g_assert_cmphex(hi & 0xffff, ==, rdna_junk(12, lane) & 0xffff);
        a = half_value(wave_vgpr(h, 2)[lane / 16 * 16 + 3], false);
        g_assert_cmphex(wave_vgpr(h, 13)[lane], ==, float_bits(a * b + c));
    }
}

/* ---- halves of registers in short encodings ---- */

enum { SRC0_HIGH = 1 << 7, SRC1_HIGH = 1 << 16, DST_HIGH = 1 << 24 };

/* Bit 7 of a register's number picks its upper half; LLVM 19 has no text. */
static void test_true16(WaveHarness *h, const void *data)
{
    const char *text = "v_add_f16_e32 v10, v2, v4";

    for (unsigned i = 0; i < 8; i++) {
        WaveCode *code = wave_assemble(&text, 1);
        uint32_t word = code->words[0] | (i & 1 ? SRC0_HIGH : 0) |
                        (i & 2 ? SRC1_HIGH : 0) | (i & 4 ? DST_HIGH : 0);
        WaveCode changed = { &word, 1 };

        rdna_fill(h, 10, 1);
        for (unsigned n = 0; n < 64; n++) {
            wave_vgpr(h, 2)[n] = small_half(n, false) |
                                 (uint32_t)small_half(n + 70, false) << 16;
            wave_vgpr(h, 4)[n] = small_half(n + 140, false) |
                                 (uint32_t)small_half(n + 210, false) << 16;
        }
        g_assert_cmpint(wave_run(h, &changed), ==, TESSERA_FAULT_NONE);
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            uint32_t a = wave_vgpr(h, 2)[lane] >> (i & 1 ? 16 : 0);
            uint32_t b = wave_vgpr(h, 4)[lane] >> (i & 2 ? 16 : 0);
            uint32_t got = wave_vgpr(h, 10)[lane];
            uint32_t old = rdna_junk(10, lane);

            g_assert_cmpfloat(half_value(got >> (i & 4 ? 16 : 0), false), ==,
                              half_value(a, false) + half_value(b, false));
            g_assert_cmphex(i & 4 ? got & 0xffff : got >> 16, ==,
                            i & 4 ? old & 0xffff : old >> 16);
        }
        wave_code_free(code);
    }
}

static void test_mov_b16(WaveHarness *h, const void *data)
{
    rdna_fill(h, 2, 2);
    rdna_run(h, "v_mov_b16_e32 v3.l, v2.h");
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        g_assert_cmphex(wave_vgpr(h, 3)[lane], ==,
                        (rdna_junk(3, lane) & 0xffff0000) |
                        rdna_junk(2, lane) >> 16);
    }
}

/* ---- functions of scalars ---- */

/* The same bits as those of vectors, whatever EXEC is. */
static void test_scalar_functions(WaveHarness *h, const void *data)
{
    static const char *const names[] = { "exp", "log", "rcp", "rsq", "sqrt" };
    static const uint32_t values[] = {
        0x3f800000, 0x40490fdb, 0xbf000000, 0x00000001, 0x7f800000,
        0x7fc12345, 0x80000000, 0x42280000,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text = g_strdup_printf(
            "v_%s_f32 v10, v2\nv_%s_f16 v11, v2\n"
            "v_%s_f32_e64 v12, |v2| clamp\ns_mov_b32 exec_lo, 0\n"
            "v_s_%s_f32 s5, s4\nv_s_%s_f16 s6, s4\n"
            "v_s_%s_f32 s7, |s4| clamp\n", names[i], names[i], names[i],
            names[i], names[i], names[i]);

        for (unsigned n = 0; n < G_N_ELEMENTS(values); n++) {
            wave_set_exec(h, 1);
            wave_vgpr(h, 2)[0] = h->w->s[4] = values[n] | values[n] >> 16;
            rdna_run(h, text);
            g_assert_cmphex(h->w->s[5], ==, wave_vgpr(h, 10)[0]);
            g_assert_cmphex(h->w->s[6], ==, wave_vgpr(h, 11)[0] & 0xffff);
            g_assert_cmphex(h->w->s[7], ==, wave_vgpr(h, 12)[0]);
        }
    }
}

static void test_pipeflush(WaveHarness *h, const void *data)
{
    rdna_fill(h, 0, 8);
    rdna_run(h, "v_pipeflush\nv_nop\n");
    for (unsigned r = 0; r < 8; r++) {
        check_moved(h, r, r);
    }
}

/* ---- the list ---- */

static const RdnaTest tests[] = {
    { "/lanes", test_lanes, ALL_RDNA },
    { "/permlane", test_permlane, ALL_RDNA },
    { "/permlane64", test_permlane64, ALL_RDNA },
    { "/movrel", test_movrel, ALL_RDNA },
    { "/movrel/beyond", test_movrel_beyond, ALL_RDNA },
    { "/movrel/dpp", test_movrel_dpp, ALL_RDNA },
    { "/mov-b16/dpp", test_mov_b16_dpp, ALL_RDNA },
    { "/as-moved", test_as_moved, ALL_RDNA },
    { "/small/widen", test_small_widen, ONLY_GFX12 },
    { "/small/narrow", test_small_narrow, ONLY_GFX12 },
    { "/dot2", test_dot2, ALL_RDNA },
    { "/dot2/constant", test_dot2_constant, ALL_RDNA },
    { "/dot2/half", test_dot2_half, ALL_RDNA },
    { "/dot/int", test_dot_int, ALL_RDNA },
    { "/dot4/small", test_dot4_small, ONLY_GFX12 },
    { "/dot/denormals", test_dot_denormals, ALL_RDNA },
    { "/pk-fmac", test_pk_fmac, ALL_RDNA },
    { "/mix", test_mix, ALL_RDNA },
    { "/true16", test_true16, ALL_RDNA },
    { "/mov-b16", test_mov_b16, ALL_RDNA },
    { "/scalar", test_scalar_functions, ONLY_GFX12 },
    { "/pipeflush", test_pipeflush, ALL_RDNA },
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rdna_add_tests(tests, G_N_ELEMENTS(tests));
    return g_test_run();
}
