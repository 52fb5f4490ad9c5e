/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "bench/timing.h"

static const char *const size_names[] = {
    [WL_FULL] = "full", [WL_MEDIUM] = "medium", [WL_TINY] = "tiny",
};

static void usage(const TimingOptions *options)
{
    fprintf(stderr, "usage: %s [-t WORKERS (1 to 64)] [-r RUNS (1 to %d)] "
            "[-s full|medium|tiny] [KERNEL...]\n", options->program,
            TIMING_RUNS_MAX);
    exit(2);
}

static unsigned read_number(const TimingOptions *options, const char *text,
                            unsigned max)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*end || n < 1 || n > max) {
        usage(options);
    }
    return n;
}

static WlSize read_size(const TimingOptions *options, const char *text)
{
    for (int i = WL_FULL; i <= WL_TINY; i++) {
        if (!strcmp(text, size_names[i])) {
            return i;
        }
    }
    usage(options);
    return WL_FULL;
}

void timing_options(TimingOptions *options, int argc, char **argv)
{
    int letter;

    options->workers = 1;
    options->runs = 7;
    options->size = WL_FULL;
    while ((letter = getopt(argc, argv, "t:r:s:")) != -1) {
        switch (letter) {
        case 't':
            options->workers = read_number(options, optarg, 64);
            break;
        case 'r':
            options->runs = read_number(options, optarg, TIMING_RUNS_MAX);
            break;
        case 's':
            options->size = read_size(options, optarg);
            break;
        default:
            usage(options);
        }
    }
    options->names = argv[optind] ? (const char *const *)argv + optind
                                  : wl_names;
}

void *timing_alloc(const TimingOptions *options, size_t bytes)
{
    void *p = aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);

    if (!p) {
        fprintf(stderr, "%s: no memory for %zu bytes\n", options->program,
                bytes);
        exit(2);
    }
    return p;
}

double timing_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void timing_print(const TimingOptions *options, const Workload *w,
                  double *seconds, const char *wrong, bool first)
{
    unsigned n = options->runs;

    qsort(seconds, n, sizeof(*seconds), compare);
    printf("%s\n  {\"name\": \"%s\", \"isa\": \"%s\", \"workers\": %u, "
           "\"size\": \"%s\", \"jit\": false,\n   \"min_s\": %.9f, "
           "\"median_s\": %.9f, \"check\": \"%s\"}", first ? "[" : ",",
           w->name, options->isa, options->workers, size_names[options->size],
           seconds[0], (seconds[(n - 1) / 2] + seconds[n / 2]) / 2,
           wrong ? wrong : "ok");
    fflush(stdout);
}
