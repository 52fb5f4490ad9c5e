/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bench workloads as plain C, timed.  Prints what `tessera bench --json`
 * prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/native.h"
#include "bench/timing.h"

/* Time one kernel; true if its result is right. */
static bool bench(const TimingOptions *options, const char *name, bool first)
{
    void *in[WL_MAX_BUF], *out[WL_MAX_BUF];
    double seconds[TIMING_RUNS_MAX];
    const char *wrong;
    Workload w;

    if (wl_get(&w, name, options->size) < 0) {
        fprintf(stderr, "native: there is no kernel %s\n", name);
        exit(2);
    }
    for (int i = 0; i < w.nbuf; i++) {
        in[i] = timing_alloc(options, w.bytes[i]);
        out[i] = timing_alloc(options, w.bytes[i]);
    }
    wl_init(&w, in);
    for (int run = -1; run < (int)options->runs; run++) {
        double start;

        for (int i = 0; i < w.nbuf; i++) {
            memcpy(out[i], in[i], w.bytes[i]);
        }
        start = timing_now();
        native_run(&w, out, options->workers);
        if (run >= 0) {
            seconds[run] = timing_now() - start;
        }
    }
    wrong = wl_check(&w, in, out);
    timing_print(options, &w, seconds, wrong, first);
    for (int i = 0; i < w.nbuf; i++) {
        free(in[i]);
        free(out[i]);
    }
    return !wrong;
}

int main(int argc, char **argv)
{
    TimingOptions options = { .program = "native", .isa = "c" };
    bool right = true;

    timing_options(&options, argc, argv);
    for (unsigned i = 0; options.names[i]; i++) {
        right &= bench(&options, options.names[i], i == 0);
    }
    printf("\n]\n");
    return !right;
}
