/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ten bench kernels on the device, results checked against the host.
 *
 *   test-bench [tiny|medium|full] [O2|O0|.SUFFIX] [ram|vram] [strict] [NAME...]
 *
 * .SUFFIX is what stands before .co in the names of code objects for another
 * target, such as .gfx1200.w64.O0.
 *
 * Kernels are found in the folder that TESSERA_BENCH_OBJECTS names.
 */
#include <inttypes.h>
#include <string.h>
#include "bench/common/workload.h"
#include "tools/driver.h"

#define BENCH_TIMEOUT 900.0 /* seconds a kernel, under a sanitizer */

typedef struct BenchOptions {
    WlSize size;
    const char *suffix; /* of the code object's name */
    DriverPlace place;
    bool strict; /* a compiler waits for what it loads */
} BenchOptions;

static BenchOptions bench_options = { WL_TINY, ".co", DRIVER_RAM };

typedef struct BenchRun {
    Workload w;
    CodeObject *co;
    Driver *driver;
    void *in[WL_MAX_BUF];  /* as filled */
    void *out[WL_MAX_BUF]; /* as the device leaves them */
    uint64_t address[WL_MAX_BUF];
    uint8_t *kernarg;
} BenchRun;

static void bench_load(BenchRun *run, const char *name, uint64_t *base)
{
    g_autofree char *file = g_strconcat(name, bench_options.suffix, NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("TESSERA_BENCH_OBJECTS"), file, NULL);
    DriverConfig config = {
        .vram_bytes = 1 << 20, .stats = true, .strict = bench_options.strict,
    };
    g_autoptr(GError) error = NULL;

    run->co = codeobj_load(path, NULL, &error);
    g_assert_no_error(error);
    for (int i = 0; i < run->w.nbuf; i++) {
        config.vram_bytes += run->w.bytes[i] + CODEOBJ_IMAGE_ALIGN;
    }
    config.isa = codeobj_isa(run->co);
    run->driver = driver_new(&config, &error);
    g_assert_no_error(error);
    driver_load(run->driver, run->co, base, &error);
    g_assert_no_error(error);
}

static void bench_fill(BenchRun *run)
{
    g_autoptr(GError) error = NULL;

    for (int i = 0; i < run->w.nbuf; i++) {
        run->in[i] = g_malloc(run->w.bytes[i]);
        run->out[i] = driver_alloc(run->driver, bench_options.place,
                                   run->w.bytes[i], &run->address[i], &error);
        g_assert_no_error(error);
    }
    wl_init(&run->w, run->in);
    for (int i = 0; i < run->w.nbuf; i++) {
        memcpy(run->out[i], run->in[i], run->w.bytes[i]);
    }
}

/* Arguments go where the metadata says. */
static void bench_fill_kernarg(BenchRun *run, const CodeKernel *kernel)
{
    run->kernarg = g_malloc0(kernel->kernarg_size);
    for (int i = 0; i < run->w.nargs; i++) {
        const WlArg *arg = &run->w.arg[i];
        const CodeArg *wanted = &kernel->args[i];
        bool buffer = arg->kind == WL_ARG_BUF;

        g_assert_cmpint(i, <, kernel->n_args);
        g_assert_cmpint(wanted->kind, ==,
                        buffer ? CODE_GLOBAL_BUFFER : CODE_BY_VALUE);
        g_assert_cmpuint(wanted->size, ==,
                         buffer || arg->kind == WL_ARG_F64 ? 8 : 4);
        memcpy(run->kernarg + wanted->offset,
               buffer ? (const void *)&run->address[arg->buf] : &arg->u32,
               wanted->size);
    }
}

static void bench_report(const BenchRun *run, const DriverOutcome *outcome)
{
    g_test_message("%s%s: %.3f ms, %" PRIu64 " waves, %" PRIu64
                   " instructions, %.2f G lane-instructions a second",
                   run->w.name, bench_options.suffix, outcome->seconds * 1e3,
                   outcome->stats.waves, outcome->stats.instructions,
                   outcome->stats.lane_instructions / outcome->seconds * 1e-9);
    if (outcome->status != DRIVER_DONE) {
        g_autofree char *log = driver_take_log(run->driver);

        g_test_message("%s: status %d: %s", run->w.name, outcome->status, log);
    }
}

static void bench_check(BenchRun *run)
{
    const char *why = wl_check(&run->w, run->in, run->out);

    if (why) {
        g_test_message("%s: %s", run->w.name, why);
        g_test_fail();
    }
}

static void bench_check_hazards(BenchRun *run)
{
    TesseraHazardInfo h;

    for (unsigned i = 0; driver_hazard(run->driver, i, &h); i++) {
        g_test_message("%s: %s %s: %s at 0x%" PRIx64 ", since 0x%" PRIx64,
                       run->w.name, h.name, h.what, h.text, h.pc, h.since);
        g_test_fail();
    }
}

static void bench_clear(BenchRun *run)
{
    driver_free(run->driver);
    codeobj_free(run->co);
    for (int i = 0; i < run->w.nbuf; i++) {
        g_free(run->in[i]);
    }
    g_free(run->kernarg);
}

static void test_kernel(gconstpointer name)
{
    BenchRun run = { 0 };
    DriverLaunch launch = { .dims = 2, .timeout = BENCH_TIMEOUT };
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    g_assert_cmpint(wl_get(&run.w, name, bench_options.size), ==, 0);
    bench_load(&run, name, &launch.base);
    bench_fill(&run);
    launch.kernel = codeobj_find_kernel(run.co, name);
    g_assert_nonnull(launch.kernel);
    bench_fill_kernarg(&run, launch.kernel);
    launch.kernarg = run.kernarg;
    launch.grid[2] = launch.group[2] = 1;
    for (unsigned i = 0; i < 2; i++) {
        launch.group[i] = run.w.local[i];
        launch.grid[i] = run.w.local[i] * run.w.groups[i];
    }
    driver_run(run.driver, &launch, &outcome, &error);
    g_assert_no_error(error);
    bench_report(&run, &outcome);
    if (outcome.status == DRIVER_DONE) {
        bench_check(&run);
        bench_check_hazards(&run);
    } else {
        g_test_fail();
    }
    bench_clear(&run);
}

static bool bench_option(const char *word)
{
    if (g_str_equal(word, "tiny")) {
        bench_options.size = WL_TINY;
    } else if (g_str_equal(word, "medium")) {
        bench_options.size = WL_MEDIUM;
    } else if (g_str_equal(word, "full")) {
        bench_options.size = WL_FULL;
    } else if (g_str_equal(word, "O2")) {
        bench_options.suffix = ".co";
    } else if (g_str_equal(word, "O0")) {
        bench_options.suffix = ".O0.co";
    } else if (word[0] == '.') {
        bench_options.suffix = g_strconcat(word, ".co", NULL);
    } else if (g_str_equal(word, "ram")) {
        bench_options.place = DRIVER_RAM;
    } else if (g_str_equal(word, "vram")) {
        bench_options.place = DRIVER_VRAM;
    } else if (g_str_equal(word, "strict")) {
        bench_options.strict = true;
    } else {
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const char *const *names = wl_names;
    int at = 1;

    g_test_init(&argc, &argv, NULL);
    while (at < argc && bench_option(argv[at])) {
        at++;
    }
    if (at < argc) {
        names = (const char *const *)argv + at;
    }
    for (; *names; names++) {
        g_autofree char *path = g_strconcat("/bench/", *names, NULL);

        g_test_add_data_func(path, *names, test_kernel);
    }
    return g_test_run();
}
