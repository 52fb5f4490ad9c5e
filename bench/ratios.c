/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast the device is beside plain C in the same process, against a table:
 *
 *   ratios [--write] TABLE OBJECTS
 *
 * The table's lines are "ISA JIT KERNEL RATIO", RATIO being how many times as
 * fast as C (bench/native.c) one worker is.  Both take turns, SAMPLES times,
 * and their CPU time counts, so that neither other programs nor the speed of
 * the host matter much; of their ratios the median counts, and of ROUNDS such
 * medians the best.  Fails if the geometric mean over the kernels of an
 * instruction set is less than two thirds of the table's, or a kernel's ratio
 * less than half: one kernel alone depends more on what CPU the host has.
 * OBJECTS is the folder of the kernels' code objects.  --write prints the table
 * anew, with what was measured.  Rows with the JIT "on" are left alone where
 * there is none (TESSERA_JIT_OBJECT names it).
 *
 * Both are built for x86-64-v3; exit status 77 where the host has it not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "bench/native.h"
#include "tessera/isa.h"
#include "tools/bench-run.h"

#define LEVEL "v3"
#define SAMPLES 7
#define ROUNDS 8
#define SAMPLE_SECONDS 4e-3 /* at least, of either */
#define LEAST_MEAN (2.0 / 3)
#define LEAST_ONE 0.5
#define SKIPPED 77

typedef struct Row {
    char isa[16], jit[4], kernel[16];
    double ratio;
} Row;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "ratios: %s: %s\n", what, why);
    exit(2);
}

static void check_error(const char *what, const GError *error)
{
    if (error) {
        fail(what, error->message);
    }
}

static double cpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* ---- the contestants ---- */

typedef void Contestant(BenchRun *run, void **buf);

static void run_native(BenchRun *run, void **buf)
{
    native_run(&run->w, buf, 1);
}

static void run_device(BenchRun *run, void **buf)
{
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    driver_run(run->driver, &run->launch, &outcome, &error);
    check_error(run->w.name, error);
    if (outcome.status != DRIVER_DONE) {
        fail(run->w.name, "the kernel did not end well");
    }
}

/* Seconds of CPU time of one run, out of as many as a sample takes. */
static double sample(Contestant *contestant, BenchRun *run, void **buf,
                     unsigned count)
{
    double begin = cpu_now();

    for (unsigned i = 0; i < count; i++) {
        contestant(run, buf);
    }
    return (cpu_now() - begin) / count;
}

static unsigned runs_a_sample(Contestant *contestant, BenchRun *run,
                              void **buf)
{
    sample(contestant, run, buf, 1); /* touches memory, decodes */
    return 1 + (unsigned)(SAMPLE_SECONDS / sample(contestant, run, buf, 1));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double measure(BenchRun *run, void **buf)
{
    unsigned native = runs_a_sample(run_native, run, buf);
    unsigned device = runs_a_sample(run_device, run, buf);
    double ratios[SAMPLES];

    for (unsigned i = 0; i < SAMPLES; i++) {
        double c = sample(run_native, run, buf, native);

        ratios[i] = c / sample(run_device, run, buf, device);
    }
    qsort(ratios, SAMPLES, sizeof(ratios[0]), compare);
    return ratios[SAMPLES / 2];
}

/* ---- one row ---- */

static void power_on(BenchRun *run, const Row *row, const char *objects)
{
    g_autofree char *path = g_str_equal(row->isa, "gfx900") ?
        g_strdup_printf("%s/%s.co", objects, row->kernel) :
        g_strdup_printf("%s/%s.%s.co", objects, row->kernel, row->isa);
    DriverConfig config = {
        .workers = 1, .host_level = LEVEL, .paged = true,
        .jit = g_str_equal(row->jit, "on") ? TESSERA_JIT_NOW :
                                             TESSERA_JIT_OFF,
    };
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    bench_run_load(run, path, row->kernel, WL_MEDIUM, &error);
    check_error(path, error);
    bench_run_power_on(run, config, DRIVER_RAM, 600, &error);
    check_error(path, error);
    bench_run_launch(run, &outcome, &error);
    check_error(path, error);
    if (outcome.status != DRIVER_DONE || bench_run_check(run)) {
        fail(path, "the result is wrong");
    }
}

/* The best of some rounds, or of as many as it takes to be good @enough. */
static double best_ratio(const Row *row, const char *objects, double enough)
{
    BenchRun run = { 0 };
    void *buf[WL_MAX_BUF] = { 0 };
    double best = 0;

    power_on(&run, row, objects);
    for (int i = 0; i < run.w.nbuf; i++) {
        buf[i] = g_memdup2(run.in[i], run.w.bytes[i]);
    }
    for (unsigned i = 0; i < ROUNDS && best < enough; i++) {
        best = MAX(best, measure(&run, buf));
    }
    for (int i = 0; i < run.w.nbuf; i++) {
        g_free(buf[i]);
    }
    bench_run_clear(&run);
    return best;
}

/* Rows that are looked at together. */
typedef struct Sum {
    char isa[16], jit[4];
    double logs;
    unsigned count;
} Sum;

/* False: they have become too slow. */
static bool end_sum(Sum *sum)
{
    double mean = sum->count ? exp(sum->logs / sum->count) : 1;

    if (sum->count) {
        printf("%-8s jit %-3s %-12s %.2f of the table%s\n", sum->isa, sum->jit,
               "mean", mean, mean < LEAST_MEAN ? ": TOO SLOW" : "");
    }
    *sum = (Sum) { .count = 0 };
    return mean >= LEAST_MEAN;
}

/* Measure a row; false: it has become too slow, or those before have. */
static bool check_row(const Row *row, const char *objects, Sum *sum)
{
    double ratio = best_ratio(row, objects, row->ratio * LEAST_MEAN);
    bool good = ratio >= row->ratio * LEAST_ONE;

    if (!g_str_equal(sum->isa, row->isa) || !g_str_equal(sum->jit, row->jit)) {
        good &= end_sum(sum);
        memcpy(sum->isa, row->isa, sizeof(sum->isa));
        memcpy(sum->jit, row->jit, sizeof(sum->jit));
    }
    sum->logs += log(ratio / row->ratio);
    sum->count++;
    printf("%-8s jit %-3s %-12s %.4f times as fast as C, %.2f of the "
           "table%s\n", row->isa, row->jit, row->kernel, ratio,
           ratio / row->ratio,
           ratio < row->ratio * LEAST_ONE ? ": TOO SLOW" : "");
    fflush(stdout);
    return good;
}

/* Without @objects it stays as it is. */
static void write_row(const Row *row, const char *objects)
{
    printf("%s %s %s %.3g\n", row->isa, row->jit, row->kernel,
           objects ? best_ratio(row, objects, HUGE_VAL) : row->ratio);
    fflush(stdout);
}

static bool has_level(void)
{
    return tessera_isa_find("gfx900")->exec[TESSERA_LEVEL_V3] &&
           __builtin_cpu_supports("x86-64-v3");
}

int main(int argc, char **argv)
{
    bool write = argc > 1 && g_str_equal(argv[1], "--write"), good = true;
    const char *const *args = (const char *const *)argv + write;
    Sum sum = { .count = 0 };
    FILE *table;
    Row row;

    if (argc - write != 3) {
        fprintf(stderr, "usage: ratios [--write] TABLE OBJECTS\n");
        return 2;
    }
    if (!has_level()) {
        printf("no " LEVEL " here\n");
        return SKIPPED;
    }
    g_unsetenv("TESSERA_JIT"); /* the table says how */
    table = fopen(args[1], "r");
    if (!table) {
        fail(args[1], "cannot be opened");
    }
    while (fscanf(table, "%15s %3s %15s %lf", row.isa, row.jit, row.kernel,
                  &row.ratio) == 4) {
        bool possible = g_str_equal(row.jit, "off") || driver_has_jit();

        if (write) {
            write_row(&row, possible ? args[2] : NULL);
        } else if (possible) {
            good &= check_row(&row, args[2], &sum);
        }
    }
    good &= end_sum(&sum);
    if (!feof(table)) {
        fail(args[1], "a line is not ISA JIT KERNEL RATIO");
    }
    fclose(table);
    return !good;
}
