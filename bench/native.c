/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bench workloads as plain C: what the host's CPU does with the same work
 * when no GPU code is involved.
 *
 * Each kernel works on a share of the outermost dimension; histogram has its
 * own bins a thread, which are added up at the end.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/native.h"

enum { THREADS_MAX = 64, BINS = 256 };

typedef struct Share {
    const Workload *w;
    void *const *buf;
    uint32_t from, to;
    uint32_t bins[BINS];
} Share;

static void vadd(Share *s)
{
    const float *restrict a = s->buf[0], *restrict b = s->buf[1];
    float *restrict c = s->buf[2];

    for (uint32_t i = s->from; i < s->to; i++) {
        c[i] = a[i] + b[i];
    }
}

static void saxpy(Share *s)
{
    float *restrict y = s->buf[0];
    const float *restrict x = s->buf[1];

    for (uint32_t i = s->from; i < s->to; i++) {
        y[i] = fmaf(s->w->arg[2].f32, x[i], y[i]);
    }
}

/* Rows of C, by rows of B, which vectorises. */
static void sgemm(Share *s)
{
    uint32_t n = s->w->n;
    const float *a = s->buf[0], *b = s->buf[1];

    for (uint32_t row = s->from; row < s->to; row++) {
        float *restrict c = (float *)s->buf[2] + (size_t)row * n;

        memset(c, 0, n * sizeof(*c));
        for (uint32_t k = 0; k < n; k++) {
            const float *restrict line = b + (size_t)k * n;
            float f = a[(size_t)row * n + k];

            for (uint32_t col = 0; col < n; col++) {
                c[col] = fmaf(f, line[col], c[col]);
            }
        }
    }
}

static uint32_t escape(float cx, float cy, uint32_t most)
{
    float x = 0, y = 0;
    uint32_t i;

    for (i = 0; i < most; i++) {
        float xx = x * x, yy = y * y;

        if (xx + yy > 4) {
            break;
        }
        y = fmaf(x + x, y, cy);
        x = xx - yy + cx;
    }
    return i;
}

static void mandelbrot(Share *s)
{
    uint32_t n = s->w->n, *out = s->buf[0];

    for (uint32_t row = s->from; row < s->to; row++) {
        for (uint32_t col = 0; col < n; col++) {
            out[(size_t)row * n + col] =
                escape(fmaf(col, 3.0f / 1024, -2.0f),
                       fmaf(row, 3.0f / 1024, -1.5f), s->w->m);
        }
    }
}

/* A block of numbers goes through each round together. */
static void intmix(Share *s)
{
    enum { BLOCK = 64 };
    uint32_t *out = s->buf[0], v[BLOCK];

    for (uint32_t i = s->from; i < s->to; i += BLOCK) {
        uint32_t count = s->to - i < BLOCK ? s->to - i : BLOCK;

        for (uint32_t k = 0; k < BLOCK; k++) {
            v[k] = i + k + 0x9e3779b9u;
        }
        for (uint32_t r = 0; r < s->w->m; r++) {
            for (uint32_t k = 0; k < BLOCK; k++) {
                v[k] ^= v[k] >> 15;
                v[k] *= 0x85ebca6bu;
                v[k] ^= v[k] >> 13;
                v[k] += r;
            }
        }
        memcpy(out + i, v, count * sizeof(*v));
    }
}

/* One sum for 2,048 numbers, in 64 partial ones. */
static void reduce(Share *s)
{
    enum { PARTS = 64, GROUP = 2048 };
    const float *in = s->buf[0];
    float *out = s->buf[1];

    for (uint32_t group = s->from; group < s->to; group++) {
        const float *block = in + (size_t)group * GROUP;
        float part[PARTS] = { 0 }, sum = 0;

        for (uint32_t i = 0; i < GROUP; i += PARTS) {
            for (uint32_t k = 0; k < PARTS; k++) {
                part[k] += block[i + k];
            }
        }
        for (uint32_t k = 0; k < PARTS; k++) {
            sum += part[k];
        }
        out[group] = sum;
    }
}

static void histogram(Share *s)
{
    const uint32_t *in = s->buf[0];

    memset(s->bins, 0, sizeof(s->bins));
    for (uint32_t i = s->from; i < s->to; i++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            s->bins[in[i] >> shift & 255]++;
        }
    }
}

static void nbody64(Share *s)
{
    const double *p = s->buf[0];
    double *v = s->buf[1], dt = s->w->arg[2].f64;

    for (uint32_t i = s->from; i < s->to; i++) {
        double a[3] = { 0 };

        for (uint32_t j = 0; j < s->w->n; j++) {
            double dx = p[4 * j] - p[4 * i], dy = p[4 * j + 1] - p[4 * i + 1];
            double dz = p[4 * j + 2] - p[4 * i + 2];
            double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, 1e-3)));
            double f = p[4 * j + 3] / (r2 * sqrt(r2));

            a[0] = fma(f, dx, a[0]);
            a[1] = fma(f, dy, a[1]);
            a[2] = fma(f, dz, a[2]);
        }
        for (unsigned k = 0; k < 3; k++) {
            v[4 * i + k] = fma(a[k], dt, v[4 * i + k]);
        }
    }
}

static void byteperm(Share *s)
{
    const uint8_t *in = s->buf[0];
    uint8_t *out = s->buf[1];

    for (size_t i = s->from; i < s->to; i++) {
        for (unsigned k = 0; k < 16; k++) {
            out[16 * i + k] = in[16 * i + 15 - k];
        }
    }
}

typedef struct Native {
    const char *name;
    void (*run)(Share *share);
    uint32_t divide; /* w->n of them make one of the outermost dimension */
} Native;

static const Native natives[] = {
    { "vadd", vadd, 1 },           { "saxpy", saxpy, 1 },
    { "sgemm_naive", sgemm, 1 },   { "sgemm_tiled", sgemm, 1 },
    { "mandelbrot", mandelbrot, 1 }, { "intmix", intmix, 1 },
    { "reduce", reduce, 2048 },    { "histogram", histogram, 1 },
    { "nbody64", nbody64, 1 },     { "byteperm", byteperm, 1 },
};

typedef struct Thread {
    pthread_t id;
    const Native *native;
    Share share;
} Thread;

static void *thread_main(void *opaque)
{
    Thread *thread = opaque;

    thread->native->run(&thread->share);
    return NULL;
}

static void add_bins(Thread *threads, unsigned count, uint32_t *bins)
{
    for (unsigned t = 0; t < count; t++) {
        for (unsigned i = 0; i < BINS; i++) {
            bins[i] += threads[t].share.bins[i];
        }
    }
}

/* All of the work; the last share is this thread's. */
static void run_all(const Native *native, const Workload *w, void *const buf[],
                    unsigned count)
{
    static Thread threads[THREADS_MAX];
    uint64_t n = w->n / native->divide;

    for (unsigned t = 0; t < count; t++) {
        threads[t].native = native;
        threads[t].share = (Share){ .w = w, .buf = buf, .from = n * t / count,
                                    .to = n * (t + 1) / count };
        if (t + 1 == count) {
            thread_main(&threads[t]);
        } else if (pthread_create(&threads[t].id, NULL, thread_main,
                                  &threads[t])) {
            fprintf(stderr, "native: cannot start a thread\n");
            exit(2);
        }
    }
    for (unsigned t = 0; t + 1 < count; t++) {
        pthread_join(threads[t].id, NULL);
    }
    if (native->run == histogram) {
        add_bins(threads, count, buf[1]);
    }
}

bool native_run(const Workload *w, void *const buf[], unsigned threads)
{
    for (unsigned i = 0; i < sizeof(natives) / sizeof(natives[0]); i++) {
        if (!strcmp(natives[i].name, w->name)) {
            run_all(&natives[i], w, buf, threads);
            return true;
        }
    }
    return false;
}
