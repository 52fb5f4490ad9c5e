/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bench workloads. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "bench/common/workload.h"

/* One workload: how it is shaped, filled and checked. */
typedef struct WlDef {
    const char *name;
    uint32_t n[3]; /* problem size, by WlSize */
    void (*setup)(Workload *w);
    void (*init)(const Workload *w, int index, void *buf);
    const char *(*check)(const Workload *w, void *const in[],
                         void *const out[]);
} WlDef;

static char wl_message[128];

#define WL_FAIL(...)                                                           \
    do {                                                                       \
        snprintf(wl_message, sizeof(wl_message), __VA_ARGS__);                 \
        return wl_message;                                                     \
    } while (0)

/* ---- shape ---- */

static void add_buf(Workload *w, size_t bytes)
{
    w->bytes[w->nbuf] = bytes;
    w->arg[w->nargs].kind = WL_ARG_BUF;
    w->arg[w->nargs++].buf = w->nbuf++;
}

static void add_u32(Workload *w, uint32_t value)
{
    w->arg[w->nargs].kind = WL_ARG_U32;
    w->arg[w->nargs++].u32 = value;
}

static void shape(Workload *w, uint32_t groups_x, uint32_t groups_y,
                  uint32_t local_x, uint32_t local_y)
{
    w->groups[0] = groups_x;
    w->groups[1] = groups_y;
    w->local[0] = local_x;
    w->local[1] = local_y;
}

static void vadd_setup(Workload *w)
{
    for (int i = 0; i < 3; i++) {
        add_buf(w, 4ull * w->n);
    }
    add_u32(w, w->n);
    shape(w, w->n / 256, 1, 256, 1);
    w->moved = 12ull * w->n;
}

static void saxpy_setup(Workload *w)
{
    add_buf(w, 4ull * w->n);
    add_buf(w, 4ull * w->n);
    w->arg[w->nargs].kind = WL_ARG_F32;
    w->arg[w->nargs++].f32 = 0.75f;
    add_u32(w, w->n);
    shape(w, w->n / 256, 1, 256, 1);
    w->moved = 12ull * w->n;
}

static void sgemm_setup(Workload *w)
{
    for (int i = 0; i < 3; i++) {
        add_buf(w, 4ull * w->n * w->n);
    }
    add_u32(w, w->n);
    shape(w, w->n / 16, w->n / 16, 16, 16);
    w->moved = 12ull * w->n * w->n;
}

static void mandelbrot_setup(Workload *w)
{
    w->m = 256;
    add_buf(w, 4ull * w->n * w->n);
    add_u32(w, w->n);
    add_u32(w, w->n);
    add_u32(w, w->m);
    shape(w, w->n / 64, w->n, 64, 1);
    w->moved = 4ull * w->n * w->n;
}

static void intmix_setup(Workload *w)
{
    w->m = 256;
    add_buf(w, 4ull * w->n);
    add_u32(w, w->m);
    shape(w, w->n / 256, 1, 256, 1);
    w->moved = 4ull * w->n;
}

static void reduce_setup(Workload *w)
{
    add_buf(w, 4ull * w->n);
    add_buf(w, 4ull * (w->n / 2048));
    add_u32(w, w->n);
    shape(w, w->n / 2048, 1, 256, 1);
    w->moved = 4ull * w->n;
}

static void histogram_setup(Workload *w)
{
    add_buf(w, 4ull * w->n);
    add_buf(w, 4ull * 256);
    add_u32(w, w->n);
    shape(w, w->n / 256, 1, 256, 1);
    w->moved = 4ull * w->n;
}

static void nbody64_setup(Workload *w)
{
    add_buf(w, 32ull * w->n);
    add_buf(w, 32ull * w->n);
    w->arg[w->nargs].kind = WL_ARG_F64;
    w->arg[w->nargs++].f64 = 0.01;
    add_u32(w, w->n);
    shape(w, w->n / 64, 1, 64, 1);
    w->moved = 64ull * w->n;
}

static void byteperm_setup(Workload *w)
{
    add_buf(w, 16ull * w->n);
    add_buf(w, 16ull * w->n);
    add_u32(w, w->n);
    shape(w, w->n / 256, 1, 256, 1);
    w->moved = 32ull * w->n;
}

/* ---- data ---- */

static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

/* Small dyadic values, so that sums are exact in any order. */
static void floats_init(const Workload *w, int index, void *buf)
{
    float *f = buf;

    for (size_t i = 0; i < w->bytes[index] / 4; i++) {
        f[i] = (float)((int)(hash((uint32_t)i + 77u * index) % 33u) - 16) *
               0.125f;
    }
}

/* Any bits in the first buffer, zeros in the others. */
static void bits_init(const Workload *w, int index, void *buf)
{
    uint32_t *u = buf;

    for (size_t i = 0; i < w->bytes[index] / 4; i++) {
        u[i] = index ? 0 : hash((uint32_t)i);
    }
}

/* x, y, z in the unit cube and a mass from 0.5; velocities are 0. */
static void bodies_init(const Workload *w, int index, void *buf)
{
    double *d = buf;

    for (uint32_t i = 0; i < w->n * 4; i++) {
        d[i] = index ? 0.0 : hash(i) * 0x1p-32 + (i % 4 == 3 ? 0.5 : 0.0);
    }
}

/* ---- checks ---- */

static const char *vadd_check(const Workload *w, void *const in[],
                              void *const out[])
{
    const float *a = in[0], *b = in[1], *c = out[2];

    for (uint32_t i = 0; i < w->n; i++) {
        if (c[i] != a[i] + b[i]) {
            WL_FAIL("c[%u] = %g, want %g", i, c[i], a[i] + b[i]);
        }
    }
    return NULL;
}

static const char *saxpy_check(const Workload *w, void *const in[],
                               void *const out[])
{
    const float *y0 = in[0], *x = in[1], *y = out[0];

    for (uint32_t i = 0; i < w->n; i++) {
        float want = fmaf(0.75f, x[i], y0[i]);

        if (y[i] != want) {
            WL_FAIL("y[%u] = %g, want %g", i, y[i], want);
        }
    }
    return NULL;
}

/* Some 64 rows are checked, whatever the size. */
static const char *sgemm_check(const Workload *w, void *const in[],
                               void *const out[])
{
    const float *a = in[0], *b = in[1], *c = out[2];
    uint32_t n = w->n;

    for (uint32_t r = 0; r < n; r += 1 + n / 64) {
        for (uint32_t j = 0; j < n; j++) {
            float s = 0;

            for (uint32_t k = 0; k < n; k++) {
                s += a[r * n + k] * b[k * n + j];
            }
            if (s != c[r * n + j]) {
                WL_FAIL("c[%u][%u] = %g, want %g", r, j, c[r * n + j], s);
            }
        }
    }
    return NULL;
}

static uint32_t mandelbrot_pixel(uint32_t px, uint32_t py, uint32_t maxiter)
{
    float cx = fmaf((float)px, 3.0f / 1024.0f, -2.0f);
    float cy = fmaf((float)py, 3.0f / 1024.0f, -1.5f);
    float x = 0, y = 0;
    uint32_t i;

    for (i = 0; i < maxiter; i++) {
        float xx = x * x, yy = y * y;

        if (xx + yy > 4.0f) {
            break;
        }
        y = fmaf(x + x, y, cy);
        x = (xx - yy) + cx;
    }
    return i;
}

static const char *mandelbrot_check(const Workload *w, void *const in[],
                                    void *const out[])
{
    const uint32_t *o = out[0];
    uint32_t n = w->n;

    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t want = mandelbrot_pixel(i % n, i / n, w->m);

        if (o[i] != want) {
            WL_FAIL("pixel %u,%u = %u, want %u", i % n, i / n, o[i], want);
        }
    }
    return NULL;
}

static const char *intmix_check(const Workload *w, void *const in[],
                                void *const out[])
{
    const uint32_t *o = out[0];

    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t v = i + 0x9e3779b9u;

        for (uint32_t r = 0; r < w->m; r++) {
            v ^= v >> 15;
            v *= 0x85ebca6bu;
            v ^= v >> 13;
            v += r;
        }
        if (o[i] != v) {
            WL_FAIL("out[%u] = %08x, want %08x", i, o[i], v);
        }
    }
    return NULL;
}

static const char *reduce_check(const Workload *w, void *const in[],
                                void *const out[])
{
    const float *a = in[0], *o = out[1];

    for (uint32_t g = 0; g < w->n / 2048; g++) {
        float s = 0;

        for (uint32_t k = 0; k < 2048; k++) {
            s += a[g * 2048 + k];
        }
        if (o[g] != s) {
            WL_FAIL("partial %u = %g, want %g", g, o[g], s);
        }
    }
    return NULL;
}

static const char *histogram_check(const Workload *w, void *const in[],
                                   void *const out[])
{
    const unsigned char *b = in[0];
    const uint32_t *o = out[1];
    uint32_t want[256] = { 0 };

    for (size_t i = 0; i < 4ull * w->n; i++) {
        want[b[i]]++;
    }
    for (int i = 0; i < 256; i++) {
        if (o[i] != want[i]) {
            WL_FAIL("bin %d = %u, want %u", i, o[i], want[i]);
        }
    }
    return NULL;
}

static void nbody64_pull(const double *p, uint32_t n, uint32_t i, double a[3])
{
    for (uint32_t j = 0; j < n; j++) {
        double d[3], r2 = 1e-3, f;

        for (int c = 2; c >= 0; c--) {
            d[c] = p[4 * j + c] - p[4 * i + c];
            r2 = fma(d[c], d[c], r2);
        }
        f = p[4 * j + 3] / (r2 * sqrt(r2));
        for (int c = 0; c < 3; c++) {
            a[c] = fma(f, d[c], a[c]);
        }
    }
}

static const char *nbody64_check(const Workload *w, void *const in[],
                                 void *const out[])
{
    const double *p = in[0], *v = out[1];
    uint32_t n = w->n;

    for (uint32_t i = 0; i < n; i += 1 + n / 64) {
        double a[3] = { 0, 0, 0 };

        nbody64_pull(p, n, i, a);
        for (int c = 0; c < 3; c++) {
            double want = a[c] * 0.01;

            /* not "> bound", which a NaN would pass */
            if (!(fabs(v[4 * i + c] - want) <= 1e-10 * (1 + fabs(a[c])))) {
                WL_FAIL("v[%u].%d = %.17g, want %.17g", i, c, v[4 * i + c],
                        want);
            }
        }
    }
    return NULL;
}

static const char *byteperm_check(const Workload *w, void *const in[],
                                  void *const out[])
{
    const unsigned char *a = in[0], *o = out[1];

    for (size_t i = 0; i < 16ull * w->n; i++) {
        if (o[i] != a[i ^ 15]) {
            WL_FAIL("byte %zu = %02x, want %02x", i, o[i], a[i ^ 15]);
        }
    }
    return NULL;
}

/* ---- the table ---- */

#define WL_SIZES(full, medium, tiny) { [WL_FULL] = (full),                     \
                                       [WL_MEDIUM] = (medium),                 \
                                       [WL_TINY] = (tiny) }

static const WlDef wl_defs[] = {
    { "vadd", WL_SIZES(16u << 20, 256u << 10, 8192),
      vadd_setup, floats_init, vadd_check },
    { "saxpy", WL_SIZES(16u << 20, 256u << 10, 8192),
      saxpy_setup, floats_init, saxpy_check },
    { "sgemm_naive", WL_SIZES(512, 128, 32),
      sgemm_setup, floats_init, sgemm_check },
    { "sgemm_tiled", WL_SIZES(512, 128, 32),
      sgemm_setup, floats_init, sgemm_check },
    { "mandelbrot", WL_SIZES(1024, 256, 64),
      mandelbrot_setup, floats_init, mandelbrot_check },
    { "intmix", WL_SIZES(1u << 20, 16384, 512),
      intmix_setup, floats_init, intmix_check },
    { "reduce", WL_SIZES(16u << 20, 256u << 10, 8192),
      reduce_setup, floats_init, reduce_check },
    { "histogram", WL_SIZES(4u << 20, 64u << 10, 2048),
      histogram_setup, bits_init, histogram_check },
    { "nbody64", WL_SIZES(4096, 512, 64),
      nbody64_setup, bodies_init, nbody64_check },
    { "byteperm", WL_SIZES(4u << 20, 64u << 10, 2048),
      byteperm_setup, bits_init, byteperm_check },
};

#define WL_COUNT (sizeof(wl_defs) / sizeof(wl_defs[0]))

const char *const wl_names[] = {
    "vadd", "saxpy", "sgemm_naive", "sgemm_tiled", "mandelbrot",
    "intmix", "reduce", "histogram", "nbody64", "byteperm",
    NULL,
};

static const WlDef *wl_find(const char *name)
{
    for (unsigned i = 0; i < WL_COUNT; i++) {
        if (strcmp(wl_defs[i].name, name) == 0) {
            return &wl_defs[i];
        }
    }
    return NULL;
}

int wl_get(Workload *w, const char *name, WlSize size)
{
    const WlDef *def = wl_find(name);

    if (!def) {
        return -1;
    }
    memset(w, 0, sizeof(*w));
    w->name = def->name;
    w->n = def->n[size];
    def->setup(w);
    return 0;
}

void wl_init(const Workload *w, void *const buf[])
{
    const WlDef *def = wl_find(w->name);

    for (int i = 0; i < w->nbuf; i++) {
        def->init(w, i, buf[i]);
    }
}

const char *wl_check(const Workload *w, void *const in[], void *const out[])
{
    return wl_find(w->name)->check(w, in, out);
}
