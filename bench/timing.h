/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the yardsticks of the bench share: options, and the report of times in
 * the form of `tessera bench --json`.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>
#include "bench/common/workload.h"

enum { TIMING_RUNS_MAX = 1000 };

typedef struct TimingOptions {
    const char *program; /* name in messages */
    const char *isa;     /* what to say where tessera names its ISA */
    unsigned workers, runs;
    WlSize size;
    const char *const *names; /* NULL ends them */
} TimingOptions;

/*
 * Read -t WORKERS, -r RUNS, -s SIZE and names of kernels from the command
 * line; exits with status 2 and one line on wrong usage.
 */
void timing_options(TimingOptions *options, int argc, char **argv);

/* Memory in whole pages; exits with status 2 and one line if there is none. */
void *timing_alloc(const TimingOptions *options, size_t bytes);

/* Seconds since some moment. */
double timing_now(void);

/* Print an element of the array; @wrong is NULL if the result is right. */
void timing_print(const TimingOptions *options, const Workload *w,
                  double *seconds, const char *wrong, bool first);

#endif
