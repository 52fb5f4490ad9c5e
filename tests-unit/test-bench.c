/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ten bench kernels on the device, results checked against the host.
 *
 *   test-bench [tiny|medium|full] [O2|O0|.SUFFIX] [ram|vram] [strict] [NAME...]
 *
 * .SUFFIX is what stands before .co in the names of code objects for another
 * target, such as .gfx1200.w64.O0.
 *
 * Kernels are found in the folder that TESSERA_BENCH_OBJECTS names.  With
 * TESSERA_JIT=now they are compiled; what is compiled is not counted.
 */
#include <inttypes.h>
#include <string.h>
#include "tools/bench-run.h"

#define BENCH_TIMEOUT 900.0 /* seconds a kernel, under a sanitizer */

typedef struct BenchOptions {
    WlSize size;
    const char *suffix; /* of the code object's name */
    DriverPlace place;
    bool strict; /* a compiler waits for what it loads */
} BenchOptions;

static BenchOptions bench_options = { WL_TINY, ".co", DRIVER_RAM };

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
    const char *why = bench_run_check(run);

    if (why) {
        g_test_message("%s: %s", run->w.name, why);
        g_test_fail();
    }
}

/*
 * Code that was to be compiled must have been, or this has shown nothing.  Where
 * hazards are looked for, none is.
 */
static void bench_check_compiled(const DriverOutcome *outcome)
{
    if (g_strcmp0(g_getenv("TESSERA_JIT"), "now") == 0 &&
        !bench_options.strict) {
        g_assert_cmpuint(outcome->stats.compiled, >, 0);
        g_assert_cmpuint(outcome->stats.not_compiled, ==, 0);
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

static void test_kernel(gconstpointer name)
{
    g_autofree char *file = g_strconcat(name, bench_options.suffix, NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("TESSERA_BENCH_OBJECTS"), file, NULL);
    DriverConfig config = { .stats = !g_getenv("TESSERA_JIT"),
                            .strict = bench_options.strict };
    BenchRun run = { 0 };
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    bench_run_load(&run, path, name, bench_options.size, &error);
    g_assert_no_error(error);
    bench_run_power_on(&run, config, bench_options.place, BENCH_TIMEOUT,
                       &error);
    g_assert_no_error(error);
    bench_run_launch(&run, &outcome, &error);
    g_assert_no_error(error);
    bench_report(&run, &outcome);
    bench_check_compiled(&outcome);
    if (outcome.status == DRIVER_DONE) {
        bench_check(&run);
        bench_check_hazards(&run);
    } else {
        g_test_fail();
    }
    bench_run_clear(&run);
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
