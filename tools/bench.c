/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera bench`: the ten bench kernels through the device, with times. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tessera/isa.h"
#include "tools/bench-run.h"
#include "tools/files.h"
#include "tools/options.h"
#include "tools/profile.h"
#include "tools/tool.h"

#define BENCH "bench"
#define BENCH_RUNS_MAX 1000

static const char bench_help[] =
    "usage: tessera bench [OPTION...] [NAME...]\n"
    "\n"
    "Runs the bench kernels (all, or those named) through the device: a queue\n"
    "behind GPU page tables, packets, signals. Every result is checked against\n"
    "a computation on the host. Prints, for each kernel, the shortest and the\n"
    "median time of a launch, lane-instructions a second (active lanes summed\n"
    "over all executed instructions, by the shortest time) and GB/s of buffers\n"
    "read and written once.\n"
    "\n"
    "  --isa NAME[,NAME]    instruction sets (default: all that this tessera\n"
    "                       executes and has kernels for)\n"
    "  --workers N          host threads, 1 to 64 (default: one a CPU, up to 8)\n"
    "  --size SIZE          full, medium or tiny (default full)\n"
    "  --runs N             timed launches a kernel, 1 to 1000 (default 7)\n"
    "  --jit on|off         compile hot code, or interpret it all (default off);\n"
    "                       where there is no JIT, on says so and interprets\n"
    "  --host-level LEVEL   v2, v3 or v4 (default: the best that the CPU has)\n"
    "  --timeout S          give a launch up after S seconds (default 900)\n"
    "  --json               an array of objects instead of a table: name, isa,\n"
    "                       workers, size, jit, min_s, median_s,\n"
    "                       lane_instructions_per_s, check\n"
    "  --profile            after each kernel, what tessera run --profile prints;\n"
    "                       not with --json\n"
    "  --objects DIR        where the kernels' code objects lie (default: bench/\n"
    "                       beside this command); NAME.co is gfx900's,\n"
    "                       NAME.ISA.co another instruction set's\n"
    "\n"
    "Exit status: 0 all results are right; 1 one is wrong, or a kernel faulted\n"
    "or timed out; 2 bad usage or unreadable input.\n"
    "\n"
    "Examples\n"
    "\n"
    "  tessera bench\n"
    "  tessera bench --workers 1 --runs 15 intmix vadd\n"
    "  tessera bench --size tiny --json > bench.json\n";

/* ---- the command line ---- */

typedef struct Bench {
    char **isas; /* NULL: all */
    const char *objects, *host_level;
    char *own_objects;
    unsigned workers, runs;
    int size; /* WlSize */
    double timeout;
    bool json, profile;
    TesseraJit jit;
} Bench;

static const char *const bench_sizes[] = {
    [WL_FULL] = "full", [WL_MEDIUM] = "medium", [WL_TINY] = "tiny",
};

/* The place of @text in a list of @n words, or -1. */
static int bench_word(const char *const *words, unsigned n, const char *text)
{
    for (unsigned i = 0; i < n; i++) {
        if (g_str_equal(words[i], text)) {
            return i;
        }
    }
    return -1;
}

static bool bench_read_size(const char *text, void *dst)
{
    int size = bench_word(bench_sizes, G_N_ELEMENTS(bench_sizes), text);

    *(int *)dst = size;
    return size >= 0;
}

static bool bench_read_level(const char *text, void *dst)
{
    *(const char **)dst = text;
    return bench_word(tessera_level_names, TESSERA_LEVELS, text) >= 0;
}

static bool bench_read_runs(const char *text, void *dst)
{
    uint64_t runs;

    if (!tool_read_u64(text, &runs) || runs < 1 || runs > BENCH_RUNS_MAX) {
        return false;
    }
    *(unsigned *)dst = runs;
    return true;
}

static bool bench_read_isas(const char *text, void *dst)
{
    char **isas = g_strsplit(text, ",", -1);
    bool known = isas[0] != NULL;

    for (char **isa = isas; *isa; isa++) {
        known &= tessera_isa_find(*isa) != NULL;
    }
    g_strfreev(*(char ***)dst);
    *(char ***)dst = isas;
    return known;
}

/* Check the names of kernels; none stands for all. */
static bool bench_check_names(GPtrArray *names, GError **error)
{
    unsigned known = 0;

    while (wl_names[known]) {
        known++;
    }
    for (unsigned i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);

        if (bench_word(wl_names, known, name) < 0) {
            g_autofree char *all = g_strjoinv(" ", (char **)wl_names);

            g_set_error(error, TOOL_FILE_ERROR, 0, "there is no bench kernel "
                        "%s (there are: %s)", name, all);
            return false;
        }
    }
    if (names->len == 0) {
        for (unsigned i = 0; i < known; i++) {
            g_ptr_array_add(names, (char *)wl_names[i]);
        }
    }
    return true;
}

static bool bench_parse(Bench *bench, int argc, char **argv, GPtrArray *names,
                        GError **error)
{
    const ToolOption options[] = {
        { "--isa", "instruction sets of tessera info, comma-separated",
          bench_read_isas, &bench->isas },
        { "--workers", "a whole number from 1 to 64", tool_option_workers,
          &bench->workers },
        { "--size", "full, medium or tiny", bench_read_size, &bench->size },
        { "--runs", "a whole number from 1 to 1000", bench_read_runs,
          &bench->runs },
        { "--jit", "on, off or now", tool_option_jit, &bench->jit },
        { "--host-level", "v2, v3 or v4", bench_read_level,
          &bench->host_level },
        { "--timeout", "a number of seconds from above 0 to 1000000",
          tool_option_seconds, &bench->timeout },
        { "--json", NULL, NULL, &bench->json },
        { "--profile", NULL, NULL, &bench->profile },
        { "--objects", "a folder", tool_option_text, &bench->objects },
        { NULL },
    };

    return tool_parse_options(argc, argv, options, names, error) &&
           bench_check_names(names, error);
}

/* Where the build puts the code objects: bench/ beside this command. */
static bool bench_find_objects(Bench *bench, GError **error)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", error);
    g_autofree char *dir = self ? g_path_get_dirname(self) : NULL;

    if (!dir) {
        return false;
    }
    bench->own_objects = g_build_filename(dir, "bench", NULL);
    bench->objects = bench->own_objects;
    return true;
}

static char *bench_path(const Bench *bench, const char *name, const char *isa)
{
    g_autofree char *file = g_str_equal(isa, "gfx900") ?
                            g_strconcat(name, ".co", NULL) :
                            g_strconcat(name, ".", isa, ".co", NULL);

    return g_build_filename(bench->objects, file, NULL);
}

/* ---- one kernel ---- */

/* A device with a kernel, and what a launch that was checked left behind. */
typedef struct BenchKernel {
    const Bench *bench;
    BenchRun run;
    void *right[WL_MAX_BUF];
} BenchKernel;

typedef struct BenchResult {
    const char *name, *isa;
    double min, median;
    double lane_instructions; /* of a launch */
    uint64_t moved;           /* bytes */
    uint64_t compiled, compile_ns; /* TesseraStats, of the timed launches */
    char *wrong;              /* NULL: results are right */
} BenchResult;

static bool bench_load(BenchKernel *k, const char *name, const char *isa,
                       GError **error)
{
    g_autofree char *path = bench_path(k->bench, name, isa);

    if (!bench_run_load(&k->run, path, name, k->bench->size, error)) {
        return false;
    }
    if (!g_str_equal(codeobj_isa(k->run.co), isa)) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: is built for %s, wanted "
                    "is one for %s", path, codeobj_isa(k->run.co), isa);
        return false;
    }
    for (int i = 0; i < k->run.w.nbuf; i++) {
        k->right[i] = g_malloc(k->run.w.bytes[i]);
    }
    return true;
}

/* @config: what is asked for besides. */
static bool bench_power_on(BenchKernel *k, DriverConfig config, GError **error)
{
    config.workers = k->bench->workers;
    config.host_level = k->bench->host_level;
    config.jit = k->bench->jit;
    config.paged = true;
    return bench_run_power_on(&k->run, config, DRIVER_RAM, k->bench->timeout,
                              error);
}

/* Launch once on fresh data.  False and @error, or result->wrong. */
static bool bench_launch(BenchKernel *k, DriverOutcome *outcome,
                         BenchResult *result, GError **error)
{
    if (!bench_run_launch(&k->run, outcome, error)) {
        return false;
    }
    if (outcome->status == DRIVER_TIMED_OUT) {
        result->wrong = g_strdup_printf("not done after %g s",
                                        k->bench->timeout);
    } else if (outcome->status != DRIVER_DONE) {
        result->wrong = g_strdup(driver_fault_text(outcome->fault.cause));
    }
    return true;
}

/* The same launch leaves the same bits. */
static void bench_compare(const BenchKernel *k, BenchResult *result)
{
    for (int i = 0; i < k->run.w.nbuf && !result->wrong; i++) {
        if (memcmp(k->run.out[i], k->right[i], k->run.w.bytes[i])) {
            result->wrong = g_strdup("differs from launch to launch");
        }
    }
}

/* A launch that counts instructions and whose result is checked. */
static bool bench_count(BenchKernel *k, BenchResult *result, GError **error)
{
    DriverOutcome outcome;

    if (!bench_power_on(k, (DriverConfig) { .stats = true }, error) ||
        !bench_launch(k, &outcome, result, error)) {
        return false;
    }
    if (!result->wrong) {
        result->wrong = g_strdup(bench_run_check(&k->run));
        result->lane_instructions = outcome.stats.lane_instructions;
    }
    for (int i = 0; i < k->run.w.nbuf; i++) {
        memcpy(k->right[i], k->run.out[i], k->run.w.bytes[i]);
    }
    bench_run_power_off(&k->run);
    return true;
}

static int bench_compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Timed launches, after one that decodes and touches all memory. */
static bool bench_time(BenchKernel *k, BenchResult *result, GError **error)
{
    unsigned runs = k->bench->runs;
    g_autofree double *seconds = g_new0(double, runs + 1);

    if (!bench_power_on(k, (DriverConfig) { 0 }, error)) {
        return false;
    }
    for (unsigned i = 0; i < runs + 1 && !result->wrong; i++) {
        DriverOutcome outcome;

        if (!bench_launch(k, &outcome, result, error)) {
            return false;
        }
        bench_compare(k, result);
        seconds[i] = outcome.seconds;
        result->compiled = outcome.stats.compiled_instructions;
        result->compile_ns = outcome.stats.compile_ns;
    }
    qsort(seconds + 1, runs, sizeof(*seconds), bench_compare_times);
    result->min = seconds[1];
    result->median = runs % 2 ? seconds[1 + runs / 2] :
                     (seconds[runs / 2] + seconds[runs / 2 + 1]) / 2;
    bench_run_power_off(&k->run);
    return true;
}

/* A launch that is looked into, printed behind the kernel's row. */
static bool bench_profile(BenchKernel *k, BenchResult *result, GError **error)
{
    DriverOutcome outcome;

    if (!bench_power_on(k, (DriverConfig) { .profile = true }, error) ||
        !bench_launch(k, &outcome, result, error)) {
        return false;
    }
    bench_compare(k, result);
    putchar('\n');
    tool_profile_print(k->run.driver, k->run.co, k->run.launch.base);
    putchar('\n');
    fflush(stdout);
    return true;
}

static void bench_clear(BenchKernel *k)
{
    for (int i = 0; i < k->run.w.nbuf; i++) {
        g_free(k->right[i]);
    }
    bench_run_clear(&k->run);
}

static bool bench_measure(BenchKernel *k, BenchResult *result, GError **error)
{
    result->moved = k->run.w.moved;
    return bench_count(k, result, error) &&
           (result->wrong || bench_time(k, result, error));
}

/* ---- reports ---- */

static double bench_rate(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

static void bench_print_head(const Bench *bench)
{
    printf("%s size, %u worker%s, %u runs, host level %s\n\n",
           bench_sizes[bench->size], bench->workers,
           bench->workers == 1 ? "" : "s", bench->runs, bench->host_level);
    printf("%-12s %-8s %10s %10s %12s %8s  %s\n", "kernel", "isa", "min ms",
           "median ms", "G lane-ins/s", "GB/s", "check");
}

static void bench_print_row(const Bench *bench, const BenchResult *r,
                            bool first)
{
    if (first) {
        bench_print_head(bench);
    }
    printf("%-12s %-8s %10.3f %10.3f %12.3f %8.2f  %s\n", r->name, r->isa,
           r->min * 1e3, r->median * 1e3,
           bench_rate(r->lane_instructions, r->min) * 1e-9,
           bench_rate(r->moved, r->min) * 1e-9, r->wrong ?: "ok");
    fflush(stdout);
}

/* What compiling has come to, for all kernels. */
static void bench_print_compiling(uint64_t instructions, uint64_t ns)
{
    if (instructions) {
        printf("\n%" PRIu64 " instructions compiled, %.0f us of processor "
               "time each\n", instructions,
               (double)ns * 1e-3 / (double)instructions);
    }
}

static void bench_print_json(const Bench *bench, const BenchResult *r,
                             bool first)
{
    /* Messages hold no character that JSON would want escaped. */
    printf("%s\n  {\"name\": \"%s\", \"isa\": \"%s\", \"workers\": %u, "
           "\"size\": \"%s\", \"jit\": %s,\n   \"min_s\": %.9f, "
           "\"median_s\": %.9f, \"lane_instructions_per_s\": %.0f,\n   "
           "\"check\": \"%s\"}", first ? "[" : ",", r->name, r->isa,
           bench->workers, bench_sizes[bench->size],
           bench->jit ? "true" : "false", r->min, r->median,
           bench_rate(r->lane_instructions, r->min), r->wrong ?: "ok");
    fflush(stdout);
}

/* On a terminal, say what is being waited for. */
static void bench_progress(const char *name, const char *isa)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, *name ? "%s %s ...\r" : "\033[K", name, isa);
    }
}

/* ---- all of them ---- */

/* Not asked for by name, an instruction set without kernels is left out. */
static bool bench_skips(const Bench *bench, const char *name, const char *isa)
{
    g_autofree char *path = bench_path(bench, name, isa);

    return !bench->isas && !g_file_test(path, G_FILE_TEST_EXISTS);
}

static GPtrArray *bench_all_isas(const Bench *bench)
{
    GPtrArray *isas = g_ptr_array_new();

    for (unsigned i = 0; bench->isas && bench->isas[i]; i++) {
        g_ptr_array_add(isas, bench->isas[i]);
    }
    for (unsigned i = 0; !bench->isas && tessera_isas[i]; i++) {
        g_ptr_array_add(isas, (char *)tessera_isas[i]->name);
    }
    return isas;
}

/* Measure one kernel and print its row; false and @error if that fails. */
static bool bench_kernel(const Bench *bench, const char *name, const char *isa,
                         bool first, BenchResult *result, GError **error)
{
    BenchKernel k = { .bench = bench };
    bool ok;

    *result = (BenchResult) { .name = name, .isa = isa };
    ok = bench_load(&k, name, isa, error) && bench_measure(&k, result, error);
    bench_progress("", "");
    if (ok && bench->json) {
        bench_print_json(bench, result, first);
    } else if (ok) {
        bench_print_row(bench, result, first);
    }
    if (ok && bench->profile && !result->wrong) {
        ok = bench_profile(&k, result, error);
    }
    bench_clear(&k);
    return ok;
}

/* Run all; returns the exit status, or -1 and @error. */
static int bench_all(const Bench *bench, GPtrArray *names, GError **error)
{
    g_autoptr(GPtrArray) isas = bench_all_isas(bench);
    int status = TOOL_OK;
    unsigned count = 0;
    uint64_t compiled = 0, compile_ns = 0;

    for (unsigned i = 0; i < isas->len * names->len; i++) {
        const char *isa = g_ptr_array_index(isas, i / names->len);
        const char *name = g_ptr_array_index(names, i % names->len);
        BenchResult result;

        if (bench_skips(bench, name, isa)) {
            continue;
        }
        bench_progress(name, isa);
        if (!bench_kernel(bench, name, isa, count++ == 0, &result, error)) {
            return -1;
        }
        compiled += result.compiled;
        compile_ns += result.compile_ns;
        status = result.wrong ? TOOL_FAULT : status;
        g_free(result.wrong);
    }
    if (count == 0) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: holds no bench kernel "
                    "(see --objects)", bench->objects);
        return -1;
    }
    if (!bench->json) {
        bench_print_compiling(compiled, compile_ns);
    }
    return status;
}

static bool bench_prepare(Bench *bench, int argc, char **argv,
                          GPtrArray *names, GError **error)
{
    if (!bench_parse(bench, argc, argv, names, error) ||
        (!bench->objects && !bench_find_objects(bench, error))) {
        return false;
    }
    if (bench->profile && bench->json) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "--profile cannot be had with "
                    "--json");
        return false;
    }
    if (bench->jit && !driver_has_jit()) {
        fprintf(stderr, "tessera bench: there is no JIT here, code is "
                "interpreted\n");
        bench->jit = TESSERA_JIT_OFF;
    }
    if (!bench->host_level) {
        bench->host_level = tessera_level_names[tessera_host_level()];
    }
    if (!bench->workers) {
        bench->workers = CLAMP(g_get_num_processors(), 1, TESSERA_CUS);
    }
    return true;
}

static int bench_main(int argc, char **argv)
{
    Bench bench = { .runs = 7, .timeout = 900, .size = WL_FULL };
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    int status = -1;

    if (bench_prepare(&bench, argc, argv, names, &error)) {
        status = bench_all(&bench, names, &error);
        if (bench.json && status >= 0) {
            printf("\n]\n");
        }
    }
    if (status < 0) {
        status = tool_fail(BENCH, "%s", error->message);
    }
    g_strfreev(bench.isas);
    g_free(bench.own_objects);
    return status;
}

const ToolCommand tool_command_bench = {
    .name = BENCH,
    .summary = "time the ten bench kernels and check their results",
    .help = bench_help,
    .run = bench_main,
};
