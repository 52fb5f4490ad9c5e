/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How time grows with the number of work-items, from 1 Ki to 16 Mi:
 * `build/bench/growth [OBJECTS]`, by default the code objects beside it.
 *
 * Prints, for a kernel that only computes and one that only streams, the CPU
 * time of one worker: the shortest of some launches, and beyond that of the
 * smallest launch, nanoseconds a work-item and how that compares with the
 * largest launch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tools/bench-run.h"

#define SMALLEST (1u << 10)
#define LARGEST (16u << 20)
#define RUNS 3

static void fail(const GError *error)
{
    if (error) {
        fprintf(stderr, "growth: %s\n", error->message);
        exit(2);
    }
}

static double cpu_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Let the workload be of LARGEST items, whatever its full size is. */
static void enlarge(BenchRun *run)
{
    Workload *w = &run->w;
    uint32_t n = w->n;

    for (int i = 0; i < w->nbuf; i++) {
        w->bytes[i] = w->bytes[i] / n * LARGEST;
        g_free(run->in[i]);
        run->in[i] = g_malloc0(w->bytes[i]);
    }
    for (int i = 0; i < w->nargs; i++) {
        if (w->arg[i].kind == WL_ARG_U32 && w->arg[i].u32 == n) {
            w->arg[i].u32 = LARGEST;
        }
    }
    w->n = LARGEST;
}

static double launch(BenchRun *run, uint32_t items)
{
    g_autoptr(GError) error = NULL;
    double begin = cpu_now(), best = 1e9;
    DriverOutcome outcome;

    run->launch.grid[0] = items;
    for (unsigned i = 0; i < RUNS; i++) {
        begin = cpu_now();
        driver_run(run->driver, &run->launch, &outcome, &error);
        fail(error);
        if (outcome.status != DRIVER_DONE) {
            fprintf(stderr, "growth: %s did not end well\n", run->w.name);
            exit(1);
        }
        best = MIN(best, cpu_now() - begin);
    }
    return best;
}

static void measure(const char *objects, const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/%s.co", objects, name);
    g_autoptr(GError) error = NULL;
    BenchRun run = { 0 };
    double least, most, start;

    bench_run_load(&run, path, name, WL_FULL, &error);
    fail(error);
    enlarge(&run);
    bench_run_power_on(&run, (DriverConfig) { .workers = 1, .paged = true },
                       DRIVER_RAM, 900, &error);
    fail(error);
    launch(&run, LARGEST); /* touches memory */
    most = launch(&run, LARGEST);
    least = launch(&run, SMALLEST);
    /* A launch costs so much before its first work-item. */
    start = least - most / LARGEST * SMALLEST;
    printf("%s, start %.1f us\n%12s %12s %12s %12s\n", name, start * 1e6,
           "work-items", "ms", "ns an item", "of largest");
    for (uint32_t items = SMALLEST; items <= LARGEST; items *= 4) {
        double seconds = launch(&run, items);
        double each = (seconds - start) / items;

        printf("%12u %12.3f %12.3f %12.2f\n", items, seconds * 1e3, each * 1e9,
               each / ((most - start) / LARGEST));
        fflush(stdout);
    }
    bench_run_clear(&run);
}

int main(int argc, char **argv)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *dir = self ? g_path_get_dirname(self) : NULL;
    const char *objects = argc > 1 ? argv[1] : dir;

    if (argc > 2 || !objects) {
        fprintf(stderr, "usage: growth [OBJECTS]\n");
        return 2;
    }
    measure(objects, "intmix");
    measure(objects, "vadd");
    return 0;
}
