/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels of a real library: rocRAND as Debian built it for gfx900.  They must
 * give the numbers that the algorithms have by their publications:
 *
 *   Philox4x32-10  Salmon, Moraes, Dror, Shaw: Parallel random numbers: as
 *                  easy as 1, 2, 3 (2011)
 *   XORWOW         Marsaglia: Xorshift RNGs (2003)
 *   MRG32k3a       L'Ecuyer: Good parameters and implementations for combined
 *                  multiple recursive random number generators (1999)
 *
 *   test-rocrand CODE_OBJECT
 *
 * How rocRAND makes a state of a seed, and how far apart engines are, is its
 * own convention; steps and jumps are computed here from the definitions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tools/driver.h"

#define SEED 0x123456789abcdefull
#define MRG_SEED 0x12345678ull /* its products are exact below 2^32 only */
#define THREADS 256u
#define BLOCKS 4u
#define ENGINES (THREADS * BLOCKS)
#define NUMBERS (ENGINES * 5 + 17)

static const char *path;

/* ---- Philox ---- */

static void philox(const uint32_t counter[4], const uint32_t key[2],
                   uint32_t out[4])
{
    uint32_t k0 = key[0], k1 = key[1];

    memcpy(out, counter, 16);
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)out[0] * 0xd2511f53;
        uint64_t b = (uint64_t)out[2] * 0xcd9e8d57;
        uint32_t next[4] = { (uint32_t)(b >> 32) ^ out[1] ^ k0, (uint32_t)b,
                             (uint32_t)(a >> 32) ^ out[3] ^ k1, (uint32_t)a };

        memcpy(out, next, 16);
        k0 += 0x9e3779b9;
        k1 += 0xbb67ae85;
    }
}

/* ---- XORWOW: five words of a xorshift, and a Weyl sequence ---- */

typedef struct Xorwow {
    uint32_t d, x[5]; /* as rocRAND has it in memory */
} Xorwow;

static uint32_t xorwow_next(Xorwow *s)
{
    uint32_t t = s->x[0] ^ s->x[0] >> 2;

    memmove(s->x, s->x + 1, 16);
    s->x[4] = (s->x[4] ^ s->x[4] << 4) ^ (t ^ t << 1);
    s->d += 362437;
    return s->x[4] + s->d;
}

static Xorwow xorwow_seed(uint64_t seed)
{
    uint32_t s0 = (uint32_t)seed ^ 0x2c7f967f;
    uint32_t s1 = (uint32_t)(seed >> 32) ^ 0xa03697cb;
    uint32_t t0 = 1228688033 * s0, t1 = 2073658381 * s1;
    Xorwow s = { 6615241, { 123456789, 362436069, 521288629, 88675123,
                            5783321 } };

    s.x[0] += t0;
    s.x[1] ^= t0;
    s.x[2] += t1;
    s.x[3] ^= t1;
    s.x[4] += t0;
    s.d += t1 + t0;
    return s;
}

/* A step of the xorshift is linear: columns are images of single bits. */
typedef struct Linear {
    uint32_t column[160][5];
} Linear;

static void linear_apply(const Linear *m, uint32_t x[5])
{
    uint32_t r[5] = { 0 };

    for (int i = 0; i < 160; i++) {
        if (x[i / 32] >> i % 32 & 1) {
            for (int j = 0; j < 5; j++) {
                r[j] ^= m->column[i][j];
            }
        }
    }
    memcpy(x, r, sizeof(r));
}

/* What 2^67 steps do. */
static void xorwow_jump(Linear *m)
{
    for (int i = 0; i < 160; i++) {
        Xorwow s = { 0 };

        s.x[i / 32] = 1u << i % 32;
        xorwow_next(&s);
        memcpy(m->column[i], s.x, sizeof(s.x));
    }
    for (int n = 0; n < 67; n++) {
        Linear old = *m;

        for (int i = 0; i < 160; i++) {
            linear_apply(&old, m->column[i]);
        }
    }
}

/* ---- MRG32k3a ---- */

#define M1 4294967087ull
#define M2 4294944443ull

typedef struct Mrg {
    uint32_t g1[3], g2[3];
} Mrg;

static const uint64_t mrg_step[2][3][3] = {
    { { 0, 1, 0 }, { 0, 0, 1 }, { M1 - 810728, 1403580, 0 } },
    { { 0, 1, 0 }, { 0, 0, 1 }, { M2 - 1370589, 0, 527612 } },
};

static void mrg_apply(const uint64_t a[3][3], uint64_t m, uint32_t s[3])
{
    uint32_t r[3];

    for (int i = 0; i < 3; i++) {
        unsigned __int128 sum = 0;

        for (int j = 0; j < 3; j++) {
            sum += (unsigned __int128)a[i][j] * s[j];
        }
        r[i] = (uint32_t)(sum % m);
    }
    memcpy(s, r, sizeof(r));
}

static uint32_t mrg_next(Mrg *s)
{
    mrg_apply(mrg_step[0], M1, s->g1);
    mrg_apply(mrg_step[1], M2, s->g2);
    return (uint32_t)(s->g1[2] > s->g2[2] ? s->g1[2] - s->g2[2] :
                      s->g1[2] + M1 - s->g2[2]);
}

static void mrg_square(uint64_t a[3][3], uint64_t m)
{
    uint64_t r[3][3];

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            unsigned __int128 sum = 0;

            for (int k = 0; k < 3; k++) {
                sum += (unsigned __int128)a[i][k] * a[k][j];
            }
            r[i][j] = (uint64_t)(sum % m);
        }
    }
    memcpy(a, r, sizeof(r));
}

/* What 2^76 steps do, as L'Ecuyer's streams have it. */
static void mrg_jump(uint64_t jump[2][3][3])
{
    memcpy(jump, mrg_step, sizeof(mrg_step));
    for (int n = 0; n < 76; n++) {
        mrg_square(jump[0], M1);
        mrg_square(jump[1], M2);
    }
}

static Mrg mrg_seed(uint64_t seed)
{
    uint32_t x = (uint32_t)seed ^ 0x55555555;
    uint32_t y = (uint32_t)(seed >> 32) ^ 0xaaaaaaaa;
    uint64_t m1 = seed % M1, m2 = seed % M2;

    return (Mrg) {
        { (uint32_t)(x * m1 % M1), (uint32_t)(y * m1 % M1),
          (uint32_t)(x * m1 % M1) },
        { (uint32_t)(y * m2 % M2), (uint32_t)(x * m2 % M2),
          (uint32_t)(y * m2 % M2) },
    };
}

/* ---- the device ---- */

typedef struct Device {
    CodeObject *co;
    Driver *driver;
    uint64_t base;
    uint32_t *data;
    uint64_t data_address;
    void *engines;
    uint64_t engines_address;
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
    d->data = driver_alloc(d->driver, DRIVER_RAM, NUMBERS * 4,
                           &d->data_address, &error);
    g_assert_no_error(error);
    d->engines = driver_alloc(d->driver, DRIVER_VRAM, ENGINES * 64,
                              &d->engines_address, &error);
    g_assert_no_error(error);
}

static void device_close(Device *d)
{
    driver_free(d->driver);
    codeobj_free(d->co);
}

/* The kernel whose mangled name has all of @parts. */
static const CodeKernel *find_kernel(const Device *d, const char *const *parts)
{
    for (unsigned i = 0; i < codeobj_n_kernels(d->co); i++) {
        const CodeKernel *kernel = codeobj_kernel(d->co, i);
        bool all = true;

        for (int p = 0; parts[p]; p++) {
            all = all && strstr(kernel->name, parts[p]);
        }
        if (all) {
            return kernel;
        }
    }
    g_error("%s has no kernel %s ... %s", path, parts[0], parts[1]);
}

/* Arguments lie where the metadata says. */
static void put(uint8_t *kernarg, const CodeKernel *kernel, unsigned index,
                const void *value, uint32_t size)
{
    g_assert_cmpuint(index, <, kernel->n_args);
    g_assert_cmpuint(kernel->args[index].size, ==, size);
    memcpy(kernarg + kernel->args[index].offset, value, size);
}

static void run(Device *d, const CodeKernel *kernel, const uint8_t *kernarg)
{
    DriverLaunch launch = {
        .kernel = kernel, .base = d->base, .dims = 1,
        .grid = { ENGINES, 1, 1 }, .group = { THREADS, 1, 1 },
        .kernarg = kernarg, .timeout = 300,
    };
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    driver_run(d->driver, &launch, &outcome, &error);
    g_assert_no_error(error);
    g_assert_cmpint(outcome.status, ==, DRIVER_DONE);
}

/* ---- tests ---- */

static void test_philox(void)
{
    static const char *const parts[] = {
        "generate_kernelIj20uniform_distribution", "philox", NULL
    };
    /* counter, the numbers made of it, key, how many of them are used */
    uint32_t engine[12] = { [8] = (uint32_t)SEED, [9] = SEED >> 32 };
    uint64_t n = NUMBERS;
    Device d = { 0 };
    const CodeKernel *kernel;
    g_autofree uint8_t *kernarg = NULL;

    device_open(&d);
    kernel = find_kernel(&d, parts);
    philox(engine, engine + 8, engine + 4);
    kernarg = g_malloc0(kernel->kernarg_size);
    put(kernarg, kernel, 0, engine, sizeof(engine));
    put(kernarg, kernel, 1, &d.data_address, 8);
    put(kernarg, kernel, 2, &n, 8);
    run(&d, kernel, kernarg);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        uint32_t counter[4] = { i / 4 }, want[4];

        philox(counter, engine + 8, want);
        g_assert_cmphex(d.data[i], ==, want[i % 4]);
    }
    device_close(&d);
}

/* Known answers of the authors (kat_vectors of Random123). */
static void test_philox_known(void)
{
    static const uint32_t in[2][6] = {
        { 0 },
        { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822,
          0x299f31d0 },
    };
    static const uint32_t want[2][4] = {
        { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
        { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
    };

    for (int i = 0; i < 2; i++) {
        uint32_t out[4];

        philox(in[i], in[i] + 4, out);
        g_assert_cmpmem(out, 16, want[i], 16);
    }
}

static void init_engines(Device *d, const char *name, uint64_t seed)
{
    const char *const parts[] = { "init_engines_kernel", name, NULL };
    const CodeKernel *kernel = find_kernel(d, parts);
    g_autofree uint8_t *kernarg = g_malloc0(kernel->kernarg_size);
    uint32_t start = 0;
    uint64_t offset = 0;

    put(kernarg, kernel, 0, &d->engines_address, 8);
    put(kernarg, kernel, 1, &start, 4);
    put(kernarg, kernel, 2, &seed, 8);
    put(kernarg, kernel, 3, &offset, 8);
    run(d, kernel, kernarg);
}

static void generate(Device *d, const char *const *parts)
{
    const CodeKernel *kernel = find_kernel(d, parts);
    g_autofree uint8_t *kernarg = g_malloc0(kernel->kernarg_size);
    uint32_t start = 0;
    uint64_t n = NUMBERS;

    put(kernarg, kernel, 0, &d->engines_address, 8);
    put(kernarg, kernel, 1, &start, 4);
    put(kernarg, kernel, 2, &d->data_address, 8);
    put(kernarg, kernel, 3, &n, 8);
    run(d, kernel, kernarg);
}

static void test_xorwow(void)
{
    static const char *const parts[] = {
        "generate_kernelIj20uniform_distribution", "xorwow", NULL
    };
    static Linear jump;
    static Xorwow engines[ENGINES];
    Device d = { 0 };

    xorwow_jump(&jump);
    engines[0] = xorwow_seed(SEED);
    for (unsigned i = 1; i < ENGINES; i++) {
        engines[i] = engines[i - 1]; /* 2^67 * 362437 is 0 in 32 bits */
        linear_apply(&jump, engines[i].x);
    }
    device_open(&d);
    init_engines(&d, "xorwow", SEED);
    g_assert_cmpmem(d.engines, sizeof(engines), engines, sizeof(engines));
    generate(&d, parts);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        g_assert_cmphex(d.data[i], ==, xorwow_next(&engines[i % ENGINES]));
    }
    device_close(&d);
}

static void test_mrg32k3a(void)
{
    static const char *const parts[] = {
        "generate_kernelIj24mrg_uniform_distribution", "mrg32k3a", NULL
    };
    static uint64_t jump[2][3][3];
    static Mrg engines[ENGINES];
    Device d = { 0 };

    mrg_jump(jump);
    engines[0] = mrg_seed(MRG_SEED);
    for (unsigned i = 1; i < ENGINES; i++) {
        engines[i] = engines[i - 1];
        mrg_apply(jump[0], M1, engines[i].g1);
        mrg_apply(jump[1], M2, engines[i].g2);
    }
    device_open(&d);
    init_engines(&d, "mrg32k3a", MRG_SEED);
    g_assert_cmpmem(d.engines, sizeof(engines), engines, sizeof(engines));
    generate(&d, parts);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        /* [1, M1] is stretched to 32 bits. */
        double v = mrg_next(&engines[i % ENGINES]) - 1;

        g_assert_cmphex(d.data[i], ==, (uint32_t)(v * 1.000000048661606966));
    }
    device_close(&d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (argc < 2 || !g_file_test(argv[1], G_FILE_TEST_EXISTS)) {
        printf("1..0 # SKIP librocrand1 is not there: scripts/setup fetches "
               "it when Debian's archive can be reached\n");
        return 0;
    }
    path = argv[1];
    g_test_add_func("/rocrand/philox/known-answers", test_philox_known);
    g_test_add_func("/rocrand/philox", test_philox);
    g_test_add_func("/rocrand/xorwow", test_xorwow);
    g_test_add_func("/rocrand/mrg32k3a", test_mrg32k3a);
    return g_test_run();
}
