/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One kernel of bench/ on a device of its own. */
#include <string.h>
#include "tools/bench-run.h"
#include "tools/files.h"

bool bench_run_load(BenchRun *run, const char *path, const char *name,
                    WlSize size, GError **error)
{
    run->co = codeobj_load(path, NULL, error);
    if (!run->co) {
        return false;
    }
    run->kernel = codeobj_find_kernel(run->co, name);
    if (!run->kernel || wl_get(&run->w, name, size) < 0) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: is built for %s and has "
                    "no kernel %s", path, codeobj_isa(run->co), name);
        return false;
    }
    for (int i = 0; i < run->w.nbuf; i++) {
        run->in[i] = g_malloc(run->w.bytes[i]);
    }
    wl_init(&run->w, run->in);
    run->kernarg = g_malloc0(run->kernel->kernarg_size);
    return true;
}

static void shape_launch(BenchRun *run, double timeout)
{
    run->launch = (DriverLaunch) {
        .kernel = run->kernel,
        .dims = 2,
        .kernarg = run->kernarg,
        .timeout = timeout,
        .grid = { [2] = 1 },
        .group = { [2] = 1 },
    };
    for (unsigned i = 0; i < 2; i++) {
        run->launch.group[i] = run->w.local[i];
        run->launch.grid[i] = run->w.local[i] * run->w.groups[i];
    }
}

static bool place_buffers(BenchRun *run, DriverPlace place, GError **error)
{
    for (int i = 0; i < run->w.nbuf; i++) {
        run->out[i] = driver_alloc(run->driver, place, run->w.bytes[i],
                                   &run->address[i], error);
        if (!run->out[i]) {
            return false;
        }
    }
    return true;
}

/* Arguments go where the metadata says. */
static bool fill_kernarg(BenchRun *run, GError **error)
{
    for (int i = 0; i < run->w.nargs; i++) {
        const WlArg *arg = &run->w.arg[i];
        bool buffer = arg->kind == WL_ARG_BUF;
        unsigned size = buffer || arg->kind == WL_ARG_F64 ? 8 : 4;
        const CodeArg *wanted = &run->kernel->args[i];

        if (i >= (int)run->kernel->n_args || wanted->size != size ||
            wanted->kind != (buffer ? CODE_GLOBAL_BUFFER : CODE_BY_VALUE)) {
            g_set_error(error, TOOL_FILE_ERROR, 0, "%s: argument %d of %s is "
                        "not what the bench passes", codeobj_path(run->co),
                        i + 1, run->w.name);
            return false;
        }
        memcpy(run->kernarg + wanted->offset,
               buffer ? (const void *)&run->address[arg->buf] : &arg->u32,
               size);
    }
    return true;
}

bool bench_run_power_on(BenchRun *run, DriverConfig config, DriverPlace place,
                        double timeout, GError **error)
{
    config.isa = codeobj_isa(run->co);
    config.vram_bytes = codeobj_image_size(run->co) + (1 << 20);
    for (int i = 0; place == DRIVER_VRAM && i < run->w.nbuf; i++) {
        config.vram_bytes += run->w.bytes[i] + CODEOBJ_IMAGE_ALIGN;
    }
    shape_launch(run, timeout);
    run->driver = driver_new(&config, error);
    return run->driver &&
           driver_load(run->driver, run->co, &run->launch.base, error) &&
           place_buffers(run, place, error) && fill_kernarg(run, error);
}

bool bench_run_launch(BenchRun *run, DriverOutcome *outcome, GError **error)
{
    for (int i = 0; i < run->w.nbuf; i++) {
        memcpy(run->out[i], run->in[i], run->w.bytes[i]);
    }
    return driver_run(run->driver, &run->launch, outcome, error);
}

const char *bench_run_check(const BenchRun *run)
{
    return wl_check(&run->w, run->in, run->out);
}

void bench_run_power_off(BenchRun *run)
{
    driver_free(run->driver);
    run->driver = NULL;
}

void bench_run_clear(BenchRun *run)
{
    bench_run_power_off(run);
    codeobj_free(run->co);
    for (int i = 0; i < run->w.nbuf; i++) {
        g_free(run->in[i]);
    }
    g_free(run->kernarg);
}
