/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One kernel of bench/ on a device of its own: what all who run them share. */
#ifndef TOOLS_BENCH_RUN_H
#define TOOLS_BENCH_RUN_H

#include "bench/common/workload.h"
#include "tools/driver.h"

/* Begins as all zeros. */
typedef struct BenchRun {
    Workload w;
    CodeObject *co;
    const CodeKernel *kernel;
    Driver *driver;
    void *in[WL_MAX_BUF];  /* as filled */
    void *out[WL_MAX_BUF]; /* as the device leaves them */
    uint64_t address[WL_MAX_BUF];
    uint8_t *kernarg;
    DriverLaunch launch;
} BenchRun;

/*
 * Load kernel @name of the code object at @path, and fill buffers for @size.
 * False and @error if it is none.
 */
bool bench_run_load(BenchRun *run, const char *path, const char *name,
                    WlSize size, GError **error);

/*
 * Power on a device with buffers at @place; a launch is given up after
 * @timeout seconds.  Of @config, isa and vram_bytes are filled in.  False and
 * @error if it cannot be had, or if the kernel takes other arguments.
 */
bool bench_run_power_on(BenchRun *run, DriverConfig config, DriverPlace place,
                        double timeout, GError **error);

/* Launch once, on fresh data.  False and @error if it could not be started. */
bool bench_run_launch(BenchRun *run, DriverOutcome *outcome, GError **error);

/* What is wrong with the result of exactly one launch, or NULL. */
const char *bench_run_check(const BenchRun *run);

void bench_run_power_off(BenchRun *run);

/* Free everything. */
void bench_run_clear(BenchRun *run);

#endif
