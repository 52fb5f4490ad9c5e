/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a device may cost its host: no CPU time without work, and memory of its
 * own for a large dispatch.
 *
 * Code objects are found in the folder that TESSERA_BENCH_OBJECTS names.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "tools/bench-run.h"

#define IDLE_US 2000000
/* Of CPU time in that: threads may look for work a little, then they sleep. */
#define IDLE_COST_US 20000
#define IDLE_TRIES 10 /* one must do: a busy host counts other things as well */
#define OWN_BYTES (64u << 20)

static void start(BenchRun *run, const char *name, WlSize size,
                  unsigned workers)
{
    g_autofree char *path = g_strdup_printf("%s/%s.co",
        g_getenv("TESSERA_BENCH_OBJECTS"), name);
    g_autoptr(GError) error = NULL;

    bench_run_load(run, path, name, size, &error);
    g_assert_no_error(error);
    bench_run_power_on(run, (DriverConfig) { .workers = workers }, DRIVER_RAM,
                       600, &error);
    g_assert_no_error(error);
}

static void launch(BenchRun *run)
{
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    bench_run_launch(run, &outcome, &error);
    g_assert_no_error(error);
    g_assert_cmpint(outcome.status, ==, DRIVER_DONE);
    g_assert_cmpstr(bench_run_check(run), ==, NULL);
}

/* Of all threads of this process, in microseconds. */
static int64_t cpu_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

static int64_t idle_cost(void)
{
    int64_t before = cpu_time();

    g_usleep(IDLE_US);
    return cpu_time() - before;
}

static void test_idle(gconstpointer with_work_before)
{
    BenchRun run = { 0 };
    int64_t cost = INT64_MAX;

    start(&run, "vadd", WL_TINY, 4);
    if (GPOINTER_TO_INT(with_work_before)) {
        launch(&run);
    }
    g_usleep(10000); /* threads may still be on their way to sleep */
    for (int i = 0; i < IDLE_TRIES && cost >= IDLE_COST_US; i++) {
        cost = idle_cost();
    }
    g_assert_cmpint(cost, <, IDLE_COST_US);
    launch(&run); /* it is alive */
    bench_run_clear(&run);
}

/* A number of kilobytes out of /proc/self/status, in bytes. */
static uint64_t status_bytes(const char *name)
{
    g_autofree char *text = NULL;
    const char *line;

    g_assert_true(g_file_get_contents("/proc/self/status", &text, NULL, NULL));
    line = strstr(text, name);
    g_assert_nonnull(line);
    return g_ascii_strtoull(line + strlen(name), NULL, 10) << 10;
}

/*
 * intmix at full size is 4,096 groups of 256.  Buffers are the guest's, the
 * rest of what the process grows by is the device's or, less, the tool's.
 * Runs before what may have loaded LLVM.
 */
static void test_memory(void)
{
    BenchRun run = { 0 };
    g_autofree char *jit = g_strdup(g_getenv("TESSERA_JIT"));
    uint64_t before = status_bytes("VmRSS:"), buffers = 0;

    g_unsetenv("TESSERA_JIT"); /* the bound is without LLVM */
    start(&run, "intmix", WL_FULL, 8);
    g_assert_cmpuint(run.w.groups[0], ==, 4096);
    g_assert_cmpuint(run.w.local[0], ==, 256);
    for (int i = 0; i < run.w.nbuf; i++) {
        buffers += 2 * run.w.bytes[i]; /* and its first contents */
    }
    launch(&run);
    g_test_message("%.1f MiB", (status_bytes("VmHWM:") - before - buffers) /
                               1048576.0);
    g_assert_cmpuint(status_bytes("VmHWM:"), <, before + buffers + OWN_BYTES);
    bench_run_clear(&run);
    if (jit) {
        g_setenv("TESSERA_JIT", jit, true);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#ifndef TEST_SANITIZED
    g_test_add_func("/bounds/memory", test_memory);
#endif
    g_test_add_data_func("/bounds/idle/new", GINT_TO_POINTER(0), test_idle);
    g_test_add_data_func("/bounds/idle/after-work", GINT_TO_POINTER(1),
                         test_idle);
    return g_test_run();
}
