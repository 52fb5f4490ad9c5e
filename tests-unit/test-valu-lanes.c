/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector instructions that are no function of one lane's operands, and whole
 * sequences of them as compilers emit them.
 */
#include <math.h>
#include <string.h>
#include "exact.h"
#include "wave-harness.h"

enum {
    LANES = 64,
    MODE_DEFAULT = 0x3f0,
};

/* Assemble and run one snippet. */
static void run(WaveHarness *h, const char *text)
{
    WaveCode *code = wave_assemble(&text, 1);

    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    wave_code_free(code);
}

static uint32_t junk(unsigned n)
{
    return (n + 1) * 0x9e3779b9u ^ n << 7;
}

static void fill(WaveHarness *h, unsigned first, unsigned count)
{
    for (unsigned r = first; r < first + count; r++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            wave_vgpr(h, r)[lane] = junk(r * LANES + lane);
        }
    }
}

/* ---- single lanes ---- */

static void test_readfirstlane(WaveHarness *h)
{
    static const char text[] = "v_readfirstlane_b32 s5, v2\n";

    fill(h, 2, 1);
    wave_set_exec(h, 0xfff0000000000000);
    run(h, text);
    g_assert_cmphex(h->w->s[5], ==, wave_vgpr(h, 2)[52]);
    wave_set_exec(h, 1ull << 63);
    run(h, text);
    g_assert_cmphex(h->w->s[5], ==, wave_vgpr(h, 2)[63]);
    wave_set_exec(h, 0); /* lane 0 then */
    run(h, text);
    g_assert_cmphex(h->w->s[5], ==, wave_vgpr(h, 2)[0]);
}

static void test_readlane(WaveHarness *h)
{
    fill(h, 2, 1);
    h->w->s[7] = 64 + 17; /* counts modulo 64 */
    wave_set_exec(h, 0);
    run(h, "v_readlane_b32 s5, v2, 33\n"
           "v_readlane_b32 s6, v2, s7\n"
           "v_readlane_b32 vcc_hi, v2, 0\n"
           "v_readlane_b32 m0, v2, 63\n");
    g_assert_cmphex(h->w->s[5], ==, wave_vgpr(h, 2)[33]);
    g_assert_cmphex(h->w->s[6], ==, wave_vgpr(h, 2)[17]);
    g_assert_cmphex(h->w->s[SGPR_VCC + 1], ==, wave_vgpr(h, 2)[0]);
    g_assert_cmphex(h->w->s[SGPR_M0], ==, wave_vgpr(h, 2)[63]);
    g_assert_cmpuint(h->w->vccz, ==, 0);
}

static void test_writelane(WaveHarness *h)
{
    fill(h, 2, 1);
    h->w->s[7] = 0xdeadbeef;
    h->w->s[SGPR_M0] = 40;
    wave_set_exec(h, 1); /* is not asked */
    run(h, "v_writelane_b32 v2, s7, 62\n"
           "v_writelane_b32 v2, 17, m0\n");
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmphex(wave_vgpr(h, 2)[lane], ==,
                        lane == 62 ? 0xdeadbeef : lane == 40 ? 17 :
                        junk(2 * LANES + lane));
    }
}

/* Lanes that exist and that @exec has. */
static uint64_t set_exec_of(WaveHarness *h, uint64_t exec)
{
    exec &= h->w->full;
    wave_set_exec(h, exec);
    return exec;
}

static void test_swap(WaveHarness *h)
{
    uint64_t exec = set_exec_of(h, 0xf0f0f0f012345678);

    fill(h, 2, 2);
    run(h, "v_swap_b32 v2, v3\n");
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned a = exec >> lane & 1 ? 3 : 2;

        g_assert_cmphex(wave_vgpr(h, 2)[lane], ==, junk(a * LANES + lane));
        g_assert_cmphex(wave_vgpr(h, 3)[lane], ==,
                        junk((5 - a) * LANES + lane));
    }
}

static void test_nop(WaveHarness *h)
{
    AmdWave *before;

    fill(h, 0, 256);
    before = g_memdup2(h->w, sizeof(AmdWave));
    run(h, "v_nop\nv_clrexcp\nv_nop\n");
    g_assert_cmpmem(h->w->v, sizeof(h->w->v), before->v, sizeof(before->v));
    g_assert_cmpmem(h->w->s, sizeof(h->w->s), before->s, sizeof(before->s));
    g_free(before);
}

/* ---- masks in special registers ---- */

static void test_masks(WaveHarness *h)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        wave_vgpr(h, 2)[lane] = lane;
    }
    run(h, "v_cmp_gt_u32 vcc, 0, v2\n");
    g_assert_cmphex(wave_sgpr64(h, SGPR_VCC), ==, 0);
    g_assert_cmpuint(h->w->vccz, ==, 1);
    run(h, "v_cmp_gt_u32 vcc, 9, v2\n");
    g_assert_cmphex(wave_sgpr64(h, SGPR_VCC), ==, 0x1ff);
    g_assert_cmpuint(h->w->vccz, ==, 0);
    /* EXEC as a destination: the lanes follow. */
    run(h, "v_cmp_lt_u32_e64 exec, 59, v2\n"
           "v_mov_b32 v3, 7\n");
    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, 0xf000000000000000);
    for (unsigned lane = 0; lane < LANES; lane++) {
        g_assert_cmpuint(wave_vgpr(h, 3)[lane], ==, lane > 59 ? 7 : 0);
    }
    run(h, "v_cmpx_eq_u32 vcc, 63, v2\n"
           "v_cmpx_ne_u32 vcc, 63, v2\n");
    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, 0);
    g_assert_cmpuint(h->w->execz, ==, 1);
}

/* A 64-bit addition whose destination overlaps its sources. */
static void test_overlap(WaveHarness *h)
{
    fill(h, 2, 4);
    run(h, "v_lshlrev_b64 v[3:4], 4, v[2:3]\n");
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t x = junk(2 * LANES + lane) |
                     (uint64_t)junk(3 * LANES + lane) << 32;

        x <<= 4;
        g_assert_cmphex(wave_vgpr(h, 3)[lane], ==, (uint32_t)x);
        g_assert_cmphex(wave_vgpr(h, 4)[lane], ==, x >> 32);
    }
}

/* ---- sums of absolute differences with four results ---- */

static uint32_t masked_sad(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (int i = 0; i < 32; i += 8) {
        int x = a >> i & 0xff, y = b >> i & 0xff;

        sum += y ? ABS(x - y) : 0;
    }
    return sum;
}

static void test_mqsad(WaveHarness *h)
{
    uint64_t exec = set_exec_of(h, 0xfedcba9876543210);

    fill(h, 2, 20);
    for (unsigned lane = 0; lane < LANES; lane += 3) {
        wave_vgpr(h, 4)[lane] &= 0xff00ffff;
        wave_vgpr(h, 7)[lane] = 0xfffffff0;
    }
    run(h, "v_mqsad_u32_u8 v[10:13], v[2:3], v4, v[6:9]\n"
           "v_mqsad_u32_u8 v[14:17], v[2:3], v4, v[6:9] clamp\n");
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t a = wave_vgpr(h, 2)[lane] |
                     (uint64_t)wave_vgpr(h, 3)[lane] << 32;

        for (unsigned i = 0; i < 4; i++) {
            uint64_t sum = (uint64_t)masked_sad((uint32_t)(a >> 8 * i),
                                                wave_vgpr(h, 4)[lane]) +
                           wave_vgpr(h, 6 + i)[lane];
            bool on = exec >> lane & 1;

            g_assert_cmphex(wave_vgpr(h, 10 + i)[lane], ==,
                            on ? (uint32_t)sum : junk((10 + i) * LANES + lane));
            g_assert_cmphex(wave_vgpr(h, 14 + i)[lane], ==,
                            on ? MIN(sum, UINT32_MAX) :
                            junk((14 + i) * LANES + lane));
        }
    }
}

/* ---- mixed precision ---- */

static float to_float(uint32_t x)
{
    float f;

    memcpy(&f, &x, 4);
    return f;
}

static uint32_t to_bits(float f)
{
    uint32_t x;

    memcpy(&x, &f, 4);
    return x;
}

/* A half with a small exponent. */
static float half_value(uint32_t h)
{
    h &= 0xffff;
    return ldexpf((float)((h & 0x3ff) | 0x400), (int)(h >> 10 & 31) - 25) *
           (h & 0x8000 ? -1 : 1);
}

static uint32_t half_bits(float f)
{
    Exact e = exact_of(&format32, to_bits(f));

    return (uint32_t)exact_round(&format16, &e, TO_NEAREST, signbit(f));
}

static void test_mix(WaveHarness *h)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        wave_vgpr(h, 2)[lane] = 0x3c004200 + lane * 0x00110007;
        wave_vgpr(h, 3)[lane] = 0xbe003800 + lane * 0x00050003;
        wave_vgpr(h, 4)[lane] = to_bits(1.5f + (float)lane / 7);
        wave_vgpr(h, 5)[lane] = wave_vgpr(h, 6)[lane] = 0x11112222;
    }
    run(h, "v_mad_mix_f32 v10, v2, v3, v4 op_sel_hi:[1,1,0]\n"
           "v_mad_mix_f32 v11, v2, -v3, |v4| op_sel:[1,0,0] "
           "op_sel_hi:[1,1,0]\n"
           "v_mad_mix_f32 v12, v4, v4, v4\n"
           "v_mad_mixlo_f16 v5, v2, v3, v4 op_sel:[1,1,0] op_sel_hi:[1,1,0]\n"
           "v_mad_mixhi_f16 v6, v2, v3, v4 op_sel_hi:[1,1,0]\n");
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t a = wave_vgpr(h, 2)[lane], b = wave_vgpr(h, 3)[lane];
        float alo = half_value(a), ahi = half_value(a >> 16);
        float blo = half_value(b), bhi = half_value(b >> 16);
        float c = to_float(wave_vgpr(h, 4)[lane]);
        volatile float p = alo * blo, q = ahi * -blo, r = c * c;
        volatile float s = ahi * bhi;

        g_assert_cmphex(wave_vgpr(h, 10)[lane], ==, to_bits(p + c));
        g_assert_cmphex(wave_vgpr(h, 11)[lane], ==, to_bits(q + c));
        g_assert_cmphex(wave_vgpr(h, 12)[lane], ==, to_bits(r + c));
        g_assert_cmphex(wave_vgpr(h, 5)[lane], ==,
                        0x11110000 | half_bits(s + c));
        g_assert_cmphex(wave_vgpr(h, 6)[lane], ==,
                        0x2222 | half_bits(p + c) << 16);
    }
}

/* ---- halves: all of them, and what rounds to them ---- */

static void check_widen(WaveHarness *h, const WaveCode *code, unsigned first)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        wave_vgpr(h, 2)[lane] = first + lane;
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t x = first + lane, want;
        bool sign = x >> 15;
        Exact e;

        if (float_is_nan(&format16, x)) {
            want = (uint32_t)sign << 31 | 0x7fc00000 | (x & 0x3ff) << 13;
        } else if (float_is_inf(&format16, x)) {
            want = (uint32_t)float_inf(&format32, sign);
        } else {
            e = exact_of(&format16, x);
            want = (uint32_t)exact_round(&format32, &e, TO_NEAREST, sign);
        }
        g_assert_cmphex(wave_vgpr(h, 10)[lane], ==, want);
    }
}

static void test_widen(WaveHarness *h)
{
    const char *text = "v_cvt_f32_f16 v10, v2\n";
    WaveCode *code = wave_assemble(&text, 1);

    for (unsigned first = 0; first < 0x10000; first += LANES) {
        check_widen(h, code, first);
    }
    wave_code_free(code);
}

/* Floats around half @n: itself, the tie above it, and their neighbours. */
static uint32_t around(unsigned n)
{
    static const int offsets[8] = { -1, 0, 1, 0x800, 0xfff, 0x1000, 0x1001,
                                    0x1fff };
    unsigned half = n / 8;
    uint32_t x = to_bits(half_value(half) / (half >> 10 & 31 ? 1 : 2));

    return x + (uint32_t)offsets[n % 8];
}

static void check_narrow(WaveHarness *h, const WaveCode *code, unsigned first,
                         Rounding how)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        wave_vgpr(h, 2)[lane] = around(first + lane);
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t x = around(first + lane);
        Exact e;

        if (float_is_nan(&format32, x) || float_is_inf(&format32, x)) {
            continue;
        }
        e = exact_of(&format32, x);
        g_assert_cmphex(wave_vgpr(h, 10)[lane], ==,
                        exact_round(&format16, &e, how, x >> 31));
    }
}

static void test_narrow(WaveHarness *h)
{
    const char *text = "v_cvt_f16_f32 v10, v2\n";
    WaveCode *code = wave_assemble(&text, 1);

    for (Rounding how = TO_NEAREST; how <= TO_ZERO; how++) {
        wave_set_mode(h, MODE_DEFAULT | how << 2);
        for (unsigned first = 0; first < 8 * 0x10000; first += LANES * 13) {
            check_narrow(h, code, first, how);
        }
    }
    wave_code_free(code);
}

/* FP16_OVFL: what is too large, but not infinite, gives the largest half. */
static void test_overflow16(WaveHarness *h)
{
    wave_set_mode(h, MODE_DEFAULT | MODE_FP16_OVFL);
    wave_vgpr(h, 2)[0] = to_bits(70000);
    wave_vgpr(h, 2)[1] = to_bits(-1e10f);
    wave_vgpr(h, 2)[2] = to_bits(INFINITY);
    wave_vgpr(h, 2)[3] = to_bits(-INFINITY);
    wave_vgpr(h, 2)[4] = to_bits(1);
    run(h, "v_cvt_f16_f32 v10, v2\n");
    g_assert_cmphex(wave_vgpr(h, 10)[0], ==, 0x7bff);
    g_assert_cmphex(wave_vgpr(h, 10)[1], ==, 0xfbff);
    g_assert_cmphex(wave_vgpr(h, 10)[2], ==, 0x7c00);
    g_assert_cmphex(wave_vgpr(h, 10)[3], ==, 0xfc00);
    g_assert_cmphex(wave_vgpr(h, 10)[4], ==, 0x3c00);
}

/* ---- division, as LLVM expands it ---- */

static const char divide32[] =
    "v_div_scale_f32 v10, s[30:31], v4, v4, v2\n"
    "v_div_scale_f32 v11, vcc, v2, v4, v2\n"
    "v_rcp_f32 v12, v10\n"
    "v_fma_f32 v13, -v10, v12, 1.0\n"
    "v_fma_f32 v12, v13, v12, v12\n"
    "v_mul_f32 v13, v11, v12\n"
    "v_fma_f32 v14, -v10, v13, v11\n"
    "v_fma_f32 v13, v14, v12, v13\n"
    "v_fma_f32 v14, -v10, v13, v11\n"
    "v_div_fmas_f32 v14, v14, v12, v13\n"
    "v_div_fixup_f32 v20, v14, v4, v2\n";

static const char divide64[] =
    "v_div_scale_f64 v[10:11], s[30:31], v[4:5], v[4:5], v[2:3]\n"
    "v_rcp_f64 v[12:13], v[10:11]\n"
    "v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0\n"
    "v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]\n"
    "v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0\n"
    "v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]\n"
    "v_div_scale_f64 v[14:15], vcc, v[2:3], v[4:5], v[2:3]\n"
    "v_mul_f64 v[16:17], v[14:15], v[12:13]\n"
    "v_fma_f64 v[10:11], -v[10:11], v[16:17], v[14:15]\n"
    "v_div_fmas_f64 v[10:11], v[10:11], v[12:13], v[16:17]\n"
    "v_div_fixup_f64 v[20:21], v[10:11], v[4:5], v[2:3]\n";

/* Numbers of all sizes; every eighth is special. */
static uint64_t number(unsigned n, bool wide)
{
    static const uint64_t specials[] = {
        0, 1ull << 63, 1, 0x000fffffffffffff, 0x0010000000000000,
        0x7fefffffffffffff, 0x7ff0000000000000, 0x3ff0000000000000,
    };
    static const uint32_t specials32[] = {
        0, 0x80000000, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
        0x3f800000,
    };
    uint64_t x = (uint64_t)junk(n) << 32 | junk(n * 3 + 1);

    if (n % 8 == 0) {
        n = junk(n) >> 20 & 7;
        return wide ? specials[n] : specials32[n];
    }
    return wide ? x : x >> 32;
}

static void test_divide32(WaveHarness *h)
{
    const char *text = divide32;
    WaveCode *code = wave_assemble(&text, 1);

    for (unsigned round = 0; round < 2000; round++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned n = round * LANES + lane;

            wave_vgpr(h, 2)[lane] = (uint32_t)number(n * 2, false);
            wave_vgpr(h, 4)[lane] = (uint32_t)number(n * 2 + 1 + round % 2,
                                                     false);
        }
        g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
        for (unsigned lane = 0; lane < LANES; lane++) {
            float a = to_float(wave_vgpr(h, 2)[lane]);
            float b = to_float(wave_vgpr(h, 4)[lane]), q = a / b;

            if (isnan(q)) {
                g_assert_true(isnan(to_float(wave_vgpr(h, 20)[lane])));
            } else {
                g_assert_cmphex(wave_vgpr(h, 20)[lane], ==, to_bits(q));
            }
        }
    }
    wave_code_free(code);
}

static double to_double(WaveHarness *h, unsigned r, unsigned lane)
{
    uint64_t x = wave_vgpr(h, r)[lane] |
                 (uint64_t)wave_vgpr(h, r + 1)[lane] << 32;
    double d;

    memcpy(&d, &x, 8);
    return d;
}

static void test_divide64(WaveHarness *h)
{
    const char *text = divide64;
    WaveCode *code = wave_assemble(&text, 1);

    for (unsigned round = 0; round < 2000; round++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned n = round * LANES + lane;
            uint64_t a = number(n * 2, true);
            uint64_t b = number(n * 2 + 1 + round % 2, true);

            wave_vgpr(h, 2)[lane] = (uint32_t)a;
            wave_vgpr(h, 3)[lane] = (uint32_t)(a >> 32);
            wave_vgpr(h, 4)[lane] = (uint32_t)b;
            wave_vgpr(h, 5)[lane] = (uint32_t)(b >> 32);
        }
        g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
        for (unsigned lane = 0; lane < LANES; lane++) {
            double q = to_double(h, 2, lane) / to_double(h, 4, lane);
            double got = to_double(h, 20, lane);

            if (isnan(q)) {
                g_assert_true(isnan(got));
            } else {
                if (memcmp(&got, &q, 8)) {
                    g_test_message("%a / %a: got %a, expected %a",
                                   to_double(h, 2, lane),
                                   to_double(h, 4, lane), got, q);
                    g_test_fail();
                }
            }
        }
    }
    wave_code_free(code);
}

/* ---- 2/pi ---- */

/* The first 24-bit digits of 2/pi, as in fdlibm's e_rem_pio2.c. */
static const uint32_t two_over_pi[] = {
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c,
    0x439041, 0xfe5163, 0xabdebb, 0xc561b7, 0x246e3a, 0x424dd2, 0xe00649,
    0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5, 0x2ebb44,
};

/* @count bits from bit @from below the point. */
static uint64_t pi_bits(unsigned from, unsigned count)
{
    uint64_t r = 0;

    for (unsigned i = from; i < from + count; i++) {
        r = r << 1 | (two_over_pi[i / 24] >> (23 - i % 24) & 1);
    }
    return r;
}

static void test_trig_preop(WaveHarness *h)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        wave_vgpr(h, 3)[lane] = lane % 2 ? 0x3ff00000 : (1077 + 60) << 20;
        wave_vgpr(h, 4)[lane] = lane / 2 % 7 + 32; /* 5 bits count */
    }
    run(h, "v_trig_preop_f64 v[10:11], v[2:3], v4\n");
    for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
        unsigned shift = lane / 2 % 7 * 53 + (lane % 2 ? 0 : 60);
        double want = ldexp((double)pi_bits(shift, 53), -53 - (int)shift);
        double got = to_double(h, 10, lane);

        g_assert_cmpfloat(got, ==, want);
    }
    /* Past all the bits there are. */
    wave_vgpr(h, 3)[0] = 0x7fe00000;
    wave_vgpr(h, 4)[0] = 31;
    run(h, "v_trig_preop_f64 v[10:11], v[2:3], v4\n");
    g_assert_cmpfloat(to_double(h, 10, 0), ==, 0);
}

/* What gfx11 and gfx12 have as well. */
static void test_on_target(WaveHarness *h, const void *data)
{
    test_swap(h);
    wave_reset(h);
    test_mqsad(h);
    wave_reset(h);
    test_trig_preop(h);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/readfirstlane", test_readfirstlane);
    wave_test_levels("/readlane", test_readlane);
    wave_test_levels("/writelane", test_writelane);
    wave_test_levels("/swap", test_swap);
    wave_test_levels("/nop", test_nop);
    wave_test_levels("/masks", test_masks);
    wave_test_levels("/overlap", test_overlap);
    wave_test_levels("/mqsad", test_mqsad);
    wave_test_levels("/mix", test_mix);
    wave_test_levels("/widen", test_widen);
    wave_test_levels("/narrow", test_narrow);
    wave_test_levels("/overflow16", test_overflow16);
    wave_test_levels("/divide32", test_divide32);
    wave_test_levels("/divide64", test_divide64);
    wave_test_levels("/trig-preop", test_trig_preop);
    wave_test_target("/swap-mqsad-trig", "gfx1100", 32, test_on_target, NULL);
    wave_test_target("/swap-mqsad-trig", "gfx1150", 64, test_on_target, NULL);
    wave_test_target("/swap-mqsad-trig", "gfx1200", 32, test_on_target, NULL);
    wave_test_target("/swap-mqsad-trig", "gfx1200", 64, test_on_target, NULL);
    return g_test_run();
}
