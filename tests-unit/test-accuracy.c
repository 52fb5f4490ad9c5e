/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How near the transcendental instructions come to the true value, over dense
 * samples: f32 within one unit in the last place and exact where the result is
 * a float, f16 correctly rounded for all 65,536 operands, f64's rcp and rsq
 * within 2^-24 and sqrt too, as the manual has them (they start an iteration).
 *
 * True values are the host's, in long double: 2^-63 off at most.
 */
#include <math.h>
#include <string.h>
#include "wave-harness.h"

enum {
    REGISTERS = 128,         /* that one snippet works on */
    BATCH = REGISTERS * 64,
    ROUNDS = 64,             /* snippets of an f32 or f64 function */
};

#define TWO_PI 6.28318530717958647692528676655900577L
#define MODE_KEEP 0x2f0u /* round to nearest, denormals kept, IEEE */

/* ---- functions ---- */

typedef long double Function(long double x);

static long double f_exp(long double x)
{
    return exp2l(x);
}

static long double f_log(long double x)
{
    return x == 0 ? -INFINITY : log2l(x);
}

static long double f_rcp(long double x)
{
    return 1 / x;
}

static long double f_rsq(long double x)
{
    return 1 / sqrtl(x);
}

static long double f_sqrt(long double x)
{
    return sqrtl(x);
}

/* Operands count turns; beyond 256 of them the hardware says 0 (sin) or 1. */
static long double f_sin(long double x)
{
    long double r = x - rintl(x);

    if (isinf(x)) {
        return NAN;
    }
    if (fabsl(x) > 256 || r == 0) {
        return copysignl(0, x);
    }
    if (fabsl(r) == 0.5L) {
        return 0;
    }
    r = r > 0.25L ? 0.5L - r : r < -0.25L ? -0.5L - r : r;
    return sinl(TWO_PI * r);
}

static long double f_cos(long double x)
{
    long double r = fabsl(x - rintl(x));

    if (isinf(x)) {
        return NAN;
    }
    if (fabsl(x) > 256) {
        return 1;
    }
    return r == 0.25L ? 0 : r < 0.125L ? cosl(TWO_PI * r) :
           r > 0.375L ? -cosl(TWO_PI * (0.5L - r)) :
                        sinl(TWO_PI * (0.25L - r));
}

typedef struct Row {
    const char *name;
    Function *fn;
} Row;

static const Row rows[] = {
    { "exp", f_exp }, { "log", f_log }, { "rcp", f_rcp }, { "rsq", f_rsq },
    { "sqrt", f_sqrt }, { "sin", f_sin }, { "cos", f_cos },
};

/* ---- running many operands ---- */

static char *text_of(const char *name, unsigned width)
{
    GString *s = g_string_new(NULL);

    for (unsigned i = 0; i < REGISTERS; i++) {
        if (width == 64) {
            if (i % 2 == 0) {
                g_string_append_printf(s, "v_%s_f64 v[%u:%u], v[%u:%u]\n",
                                       name, i, i + 1, i, i + 1);
            }
        } else {
            g_string_append_printf(s, "v_%s_f%u v%u, v%u\n", name, width, i,
                                   i);
        }
    }
    return g_string_free(s, FALSE);
}

static WaveCode *assemble(const char *name, unsigned width)
{
    g_autofree char *text = text_of(name, width);
    const char *texts[] = { text };

    return wave_assemble(texts, 1);
}

static void run_batch(WaveHarness *h, const WaveCode *code,
                      const uint32_t *in, uint32_t *out)
{
    wave_reset(h);
    wave_set_mode(h, MODE_KEEP);
    for (unsigned i = 0; i < REGISTERS; i++) {
        memcpy(wave_vgpr(h, i), in + 64 * i, 256);
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned i = 0; i < REGISTERS; i++) {
        memcpy(out + 64 * i, wave_vgpr(h, i), 256);
    }
}

static uint64_t seed;

static uint64_t random64(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* ---- f32 ---- */

static float float_of(uint32_t x)
{
    float f;

    memcpy(&f, &x, 4);
    return f;
}

/* Any bits; near 1; small numbers, where exp and sin are interesting. */
static uint32_t sample32(unsigned i)
{
    uint32_t x = (uint32_t)random64();

    switch (i % 4) {
    case 0:
        return x;
    case 1:
        return (x & 0x807fffff) | (126 + (x >> 24 & 1)) << 23;
    case 2:
        return (x & 0x807fffff) | (112 + x % 24) << 23;
    default: /* whole numbers, and quarters */
        return (union { float f; uint32_t u; }){
            .f = (int)(x % 2048 - 1024) / 4.0f }.u;
    }
}

/* Denormals are flushed, operands and results (LLVM's lowering relies on it). */
static bool near32(uint32_t in, uint32_t got, Function *fn)
{
    float x = float_of(in), y = float_of(got);
    long double want = fn(fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x);
    int e;

    if (isnan(x)) {
        return isnan(y);
    }
    if (isnan(want) || isnan(y)) {
        return isnan(want) && isnan(y);
    }
    if (fabsl(want) < 0x1p-126L) {
        return fabsf(y) <= 0x1.000002p-126f;
    }
    if (isinf(y) || isinf((float)want)) {
        return fabsl(want) >= 0x1.fffffep127L && signbit(want) == signbit(y);
    }
    if ((float)want == want) {
        return y == want;
    }
    e = ilogbl(want) - 23;
    return fabsl(y - want) <= ldexpl(1, e);
}

static void test_f32(WaveHarness *h)
{
    static uint32_t in[BATCH], out[BATCH];

    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        WaveCode *code = assemble(rows[r].name, 32);
        unsigned wrong = 0;

        seed = r;
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned i = 0; i < BATCH; i++) {
                in[i] = sample32(i);
            }
            run_batch(h, code, in, out);
            for (unsigned i = 0; i < BATCH; i++) {
                if (!near32(in[i], out[i], rows[r].fn) && wrong++ < 5) {
                    g_test_message("v_%s_f32 of %a: got %a, not %La",
                                   rows[r].name, float_of(in[i]),
                                   float_of(out[i]),
                                   rows[r].fn(float_of(in[i])));
                }
            }
        }
        if (wrong) {
            g_test_message("%s: %u wrong", rows[r].name, wrong);
            g_test_fail();
        }
        wave_code_free(code);
    }
}

/* ---- f16 ---- */

static long double half_of(uint32_t x)
{
    int e = x >> 10 & 31, m = x & 1023;
    long double r = e == 31 ? (m ? NAN : INFINITY) :
                    e ? ldexpl(1024 + m, e - 25) : ldexpl(m, -24);

    return x & 0x8000 ? -r : r;
}

/* To nearest, ties to even. */
static uint32_t half_bits(long double x)
{
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    long double a = fabsl(x), scaled;
    int e;

    if (isinf(x)) {
        return sign | 0x7c00;
    }
    e = a < 0x1p-14L ? -24 : ilogbl(a) - 10;
    scaled = rintl(ldexpl(a, -e));
    if (ldexpl(scaled, e) >= 65536) {
        return sign | 0x7c00;
    }
    if (scaled >= 2048) {
        scaled /= 2;
        e++;
    }
    return sign | (scaled < 1024 ? (uint32_t)scaled :
                   (uint32_t)(e + 25) << 10 | ((uint32_t)scaled & 1023));
}

static void test_f16(WaveHarness *h)
{
    static uint32_t in[BATCH], out[BATCH];

    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        WaveCode *code = assemble(rows[r].name, 16);
        unsigned wrong = 0;

        for (unsigned first = 0; first < 65536; first += BATCH) {
            for (unsigned i = 0; i < BATCH; i++) {
                in[i] = first + i;
            }
            run_batch(h, code, in, out);
            for (unsigned i = 0; i < BATCH; i++) {
                long double want = rows[r].fn(half_of(in[i]));
                bool good = isnan(want) ? isnan(half_of(out[i] & 0xffff)) :
                            want == 0 ? !(out[i] & 0x7fff) :
                            (out[i] & 0xffff) == half_bits(want);

                if (!good && wrong++ < 5) {
                    g_test_message("v_%s_f16 of %04x: got %04x, not %04x",
                                   rows[r].name, in[i], out[i],
                                   half_bits(want));
                }
            }
        }
        if (wrong) {
            g_test_message("%s: %u wrong", rows[r].name, wrong);
            g_test_fail();
        }
        wave_code_free(code);
    }
}

/* ---- f64 ---- */

static bool near64(uint64_t in, uint64_t got, Function *fn)
{
    double x, y;
    long double want;

    memcpy(&x, &in, 8);
    memcpy(&y, &got, 8);
    want = fn(x);
    if (isnan(want) || isnan(y)) {
        return isnan(want) && isnan(y);
    }
    if (fabsl(want) < 0x1p-1022L) {
        return fabs(y) <= 0x1.01p-1022;
    }
    if (isinf(want) || fabsl(want) > 0x1.fp1023L) {
        return isinf(y) || fabs(y) > 0x1.ep1023;
    }
    return fabsl(y - want) <= fabsl(want) * 0x1p-24L;
}

static void test_f64(WaveHarness *h)
{
    static uint32_t in[BATCH], out[BATCH];

    for (unsigned r = 2; r < 5; r++) { /* rcp, rsq, sqrt */
        WaveCode *code = assemble(rows[r].name, 64);

        seed = 100 + r;
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned i = 0; i < BATCH; i++) {
                in[i] = (uint32_t)random64();
            }
            run_batch(h, code, in, out);
            for (unsigned i = 0; i < BATCH; i += i % 64 == 63 ? 65 : 1) {
                uint64_t x = in[i] | (uint64_t)in[i + 64] << 32;
                uint64_t y = out[i] | (uint64_t)out[i + 64] << 32;

                if (!near64(x, y, rows[r].fn)) {
                    g_test_message("v_%s_f64 of %" G_GINT64_MODIFIER "x: got %"
                                   G_GINT64_MODIFIER "x", rows[r].name, x, y);
                    g_test_fail();
                    break;
                }
            }
        }
        wave_code_free(code);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/accuracy/f32", test_f32);
    wave_test_levels("/accuracy/f16", test_f16);
    wave_test_levels("/accuracy/f64", test_f64);
    return g_test_run();
}
