/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OpenCL's math functions, as AMD's device library has them for gfx900,
 * against the host's libm in long double, within OpenCL's limits.
 *
 *   test-math CODE_OBJECT
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tools/driver.h"

#define SAMPLES 8192u
#define GROUP 256u
#define PI 3.14159265358979323846264338327950288L

static const char *path;

/* ---- what libm lacks ---- */

/* x is reduced exactly first. */
static long double sin_pi(long double x)
{
    long double r = x - 2 * rintl(x / 2);

    if (r == 0 || fabsl(r) == 1) {
        return copysignl(0, x);
    }
    r = r > 0.5L ? 1 - r : r < -0.5L ? -1 - r : r;
    return sinl(PI * r);
}

static long double cos_pi(long double x)
{
    long double r = fabsl(x - 2 * rintl(x / 2));

    return r == 0.5L ? 0 : r < 0.25L ? cosl(PI * r) : sin_pi(0.5L - r);
}

static long double tan_pi(long double x)
{
    long double r = x - rintl(x);

    return fabsl(r) == 0.5L ? NAN : sin_pi(r) / cos_pi(r); /* see special() */
}

static long double root(long double x, int n)
{
    return n == 0 ? NAN : powl(x, 1.0L / n);
}

/* ---- rows ---- */

typedef struct Function {
    const char *name;
    unsigned ulp32, ulp64;
    double from, to;
    unsigned arguments;
    bool integer; /* the second is an int */
    long double (*define)(long double x, long double y, int n);
} Function;

#define exact_fma 0
#define DEFINE(name, definition)                                          \
    static long double define_##name(long double x, long double y, int n) \
    {                                                                     \
        return definition;                                                \
    }
#define F1(name, u32, u64, from, to, definition) DEFINE(name, definition)
#define F2(name, u32, u64, from, to, definition) DEFINE(name, definition)
#define F3(name, u32, u64, from, to, definition) DEFINE(name, definition)
#define FI(name, u32, u64, from, to, definition) DEFINE(name, definition)
#include "math-functions.inc"
#undef F1
#undef F2
#undef F3
#undef FI

#define ROW(name, u32, u64, from, to, count, integer) \
    { #name, u32, u64, from, to, count, integer, define_##name },
#define F1(name, u32, u64, from, to, d) ROW(name, u32, u64, from, to, 1, false)
#define F2(name, u32, u64, from, to, d) ROW(name, u32, u64, from, to, 2, false)
#define F3(name, u32, u64, from, to, d) ROW(name, u32, u64, from, to, 3, false)
#define FI(name, u32, u64, from, to, d) ROW(name, u32, u64, from, to, 2, true)
static const Function functions[] = {
#include "math-functions.inc"
};

/* ---- samples ---- */

static uint64_t seed;

static uint64_t random64(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static double of_bits(bool wide)
{
    uint64_t x = random64();
    uint32_t low = (uint32_t)x;
    float f;
    double d;

    memcpy(&f, &low, 4);
    memcpy(&d, &x, 8);
    return wide ? d : f;
}

/* All magnitudes, or evenly over the range if it has an end, or near 1. */
static double sample(const Function *f, bool wide, unsigned i)
{
    static const double edges[] = {
        0, -0.0, 1, -1, 0.5, -0.5, 2, INFINITY, -INFINITY, NAN, 0x1p-149,
        -0x1p-126, 0x1.fffffep127, 0x1p-1074, 0x1p-1022, 10, 100, 1.5,
    };
    double unit = (double)(random64() >> 11) * 0x1p-53, x;

    if (i < G_N_ELEMENTS(edges)) {
        return edges[i];
    }
    for (unsigned tries = 0; tries < 64; tries++) {
        if (i % 2) {
            x = of_bits(wide);
        } else if (isfinite(f->from) && isfinite(f->to)) {
            x = f->from + unit * (f->to - f->from);
        } else {
            x = ldexp(unit + 0.5, (int)(random64() % 24) - 8) *
                (random64() & 1 ? 1 : -1);
        }
        x = wide ? x : (float)x;
        if (x >= f->from && x <= f->to) {
            return x;
        }
    }
    return wide ? unit : (float)unit;
}

/* ---- the device ---- */

typedef struct Device {
    CodeObject *co;
    Driver *driver;
    uint64_t base, address[4];
    uint8_t *host[4]; /* a, b, c, out */
} Device;

static void device_open(Device *d)
{
    DriverConfig config = { .isa = "gfx900", .vram_bytes = 64 << 20 };
    g_autoptr(GError) error = NULL;

    d->co = codeobj_load(path, "gfx900", &error);
    g_assert_no_error(error);
    d->driver = driver_new(&config, &error);
    g_assert_no_error(error);
    driver_load(d->driver, d->co, &d->base, &error);
    g_assert_no_error(error);
    for (int i = 0; i < 4; i++) {
        d->host[i] = driver_alloc(d->driver, DRIVER_RAM, SAMPLES * 8,
                                  &d->address[i], &error);
        g_assert_no_error(error);
    }
}

static void device_close(Device *d)
{
    driver_free(d->driver);
    codeobj_free(d->co);
}

static void run(Device *d, const Function *f, bool wide)
{
    g_autofree char *name = g_strconcat(wide ? "double_" : "float_", f->name,
                                        NULL);
    const CodeKernel *kernel = codeobj_find_kernel(d->co, name);
    g_autofree uint8_t *kernarg = NULL;
    DriverLaunch launch = {
        .kernel = kernel, .base = d->base, .dims = 1,
        .grid = { SAMPLES, 1, 1 }, .group = { GROUP, 1, 1 }, .timeout = 300,
    };
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    g_assert_nonnull(kernel);
    kernarg = g_malloc0(kernel->kernarg_size);
    for (int i = 0; i < 4; i++) {
        memcpy(kernarg + kernel->args[i].offset, &d->address[i], 8);
    }
    launch.kernarg = kernarg;
    driver_run(d->driver, &launch, &outcome, &error);
    g_assert_no_error(error);
    g_assert_cmpint(outcome.status, ==, DRIVER_DONE);
}

/* ---- comparing ---- */

static void store(uint8_t *to, bool wide, unsigned i, double x)
{
    float f = (float)x;

    memcpy(to + i * (wide ? 8 : 4), wide ? (void *)&x : (void *)&f,
           wide ? 8 : 4);
}

static double fetch(const uint8_t *from, bool wide, unsigned i)
{
    float f;
    double d;

    memcpy(&d, from + i * (wide ? 8 : 4), wide ? 8 : 4);
    memcpy(&f, from + i * (wide ? 8 : 4), 4);
    return wide ? d : f;
}

/* The distance in units in the last place; 0 also if both are NaN. */
static long double distance(double got, long double want, bool wide)
{
    int least = wide ? -1074 : -149, mant = wide ? 52 : 23, e;
    long double most = wide ? 0x1.fffffffffffffp1023L : 0x1.fffffep127L;
    double rounded = wide ? (double)want : (float)want;

    if (isnan(want) || isnan(got)) {
        return isnan(want) && isnan(got) ? 0 : INFINITY;
    }
    if (got == rounded) {
        return 0;
    }
    if (isinf(want) || (isinf(got) && fabsl(want) < most / 2)) {
        return INFINITY;
    }
    if (isinf(got)) { /* as if the exponent went on */
        got = copysign(1, got);
        return fabsl(got * (most + ldexpl(1, wide ? 971 : 104)) - want) /
               ldexpl(1, wide ? 971 : 104);
    }
    if (want == 0) {
        return fabsl((long double)got) / ldexpl(1, least);
    }
    e = MAX(ilogbl(want) - mant, least);
    return fabsl(got - want) / ldexpl(1, e);
}

/* What no definition above says right. */
static bool special(const Function *f, double x, double y, int n,
                    double got)
{
    if (strcmp(f->name, "tanpi") == 0 && fabs(remainder(x, 1)) == 0.5) {
        return isinf(got);
    }
    if (strcmp(f->name, "powr") == 0) {
        /* powr(0 or inf, 0) and powr(1, inf) are NaN; so is a NaN's */
        return (x == 0 && y == 0) || (isinf(x) && y == 0) ||
               (x == 1 && isinf(y)) || isnan(x) || isnan(y) || x < 0 ||
               signbit(x);
    }
    if (strcmp(f->name, "rootn") == 0) {
        return x < 0 || x == 0; /* odd roots of negative numbers: not here */
    }
    if (strcmp(f->name, "tgamma") == 0) {
        return x == 0 || (x < 0 && x == floor(x)) || x == -INFINITY;
    }
    return false;
}

static int integer(unsigned i)
{
    return i < 8 ? (int)i - 4 : (int)(random64() % 64) - 32;
}

/* The definition of fma is its own: rounded once, which long double is not. */
static long double wanted(const Function *f, bool wide, const double v[3],
                          int n)
{
    if (f->arguments == 3) {
        return wide ? fma(v[0], v[1], v[2]) :
               fmaf((float)v[0], (float)v[1], (float)v[2]);
    }
    return f->define(v[0], v[1], n);
}

static void check(const Function *f, bool wide)
{
    unsigned ulp = wide ? f->ulp64 : f->ulp32, wrong = 0;
    /* Rounded once; but the reference has been rounded before. */
    long double limit = ulp ? ulp : 0.5L + 0x1p-11L, worst = 0;
    Device d = { 0 };

    device_open(&d);
    seed = g_str_hash(f->name) + wide;
    for (unsigned i = 0; i < SAMPLES; i++) {
        store(d.host[0], wide, i, sample(f, wide, i % 4096));
        store(d.host[1], wide, i, sample(f, wide, (i + i / 64) % 4096));
        store(d.host[2], wide, i, sample(f, wide, i / 3));
    }
    for (unsigned i = 0; i < SAMPLES && f->integer; i++) {
        ((int *)d.host[1])[i] = integer(i % 1024);
    }
    run(&d, f, wide);
    for (unsigned i = 0; i < SAMPLES; i++) {
        double v[3] = { fetch(d.host[0], wide, i),
                        f->integer ? 0 : fetch(d.host[1], wide, i),
                        fetch(d.host[2], wide, i) };
        int n = f->integer ? ((int *)d.host[1])[i] : 0;
        double got = fetch(d.host[3], wide, i);
        long double want = wanted(f, wide, v, n);
        long double off = special(f, v[0], v[1], n, got) ? 0 :
                          distance(got, want, wide);

        worst = fmaxl(worst, off);
        if (off > limit && wrong++ < 5) {
            g_test_message("%s(%a, %a, %d): got %a, not %La: %.2Lf ulp",
                           f->name, v[0], v[1], n, got, want, off);
        }
    }
    g_test_message("%s %s: %.2Lf ulp of %u", wide ? "f64" : "f32", f->name,
                   worst, ulp);
    if (wrong) {
        g_test_fail();
    }
    device_close(&d);
}

static void test32(gconstpointer f)
{
    check(f, false);
}

static void test64(gconstpointer f)
{
    check(f, true);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_assert_cmpint(argc, ==, 2);
    path = argv[1];
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
        g_autofree char *p32 = g_strconcat("/math/f32/", functions[i].name,
                                           NULL);
        g_autofree char *p64 = g_strconcat("/math/f64/", functions[i].name,
                                           NULL);

        g_test_add_data_func(p32, &functions[i], test32);
        g_test_add_data_func(p64, &functions[i], test64);
    }
    return g_test_run();
}
