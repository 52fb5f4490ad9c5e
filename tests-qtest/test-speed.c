/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Launches take no longer in QEMU than in a process of the device's own: the
 * same kernels of bench/ in turns on both, one worker each, by the worker's
 * CPU time.  Prints the ratios; of at most ROUNDS medians the best counts: a
 * busy host makes launches longer and not shorter.  Both workers are kept on one
 * CPU: others may be slower for as long as the test takes.
 */
#include <sched.h>
#include "tessera-qtest.h"
#include "tools/bench-run.h"

#define SAMPLES 5
#define ROUNDS 12 /* until one is good enough */
#define LAUNCH_NS 50000000ull /* what is shorter is not looked at */
#define MOST 1.10
#define POLL_US 10000

/* The same kernel, in QEMU. */
typedef struct Remote {
    TqGpu *gpu;
    TqQueue queue;
    AqlDispatch packet;
    uint64_t buffer[WL_MAX_BUF];
} Remote;

static const char *const kernels[] = { "intmix", "sgemm_tiled", "mandelbrot" };

/* ---- CPU time ---- */

/* The thread that is the worker of process @pid. */
static int worker_thread(int pid)
{
    g_autofree char *tasks = g_strdup_printf("/proc/%d/task", pid);
    g_autoptr(GDir) dir = g_dir_open(tasks, 0, NULL);
    const char *task;

    g_assert_nonnull(dir);
    while ((task = g_dir_read_name(dir))) {
        g_autofree char *comm = g_build_filename(tasks, task, "comm", NULL);
        g_autofree char *name = NULL;

        if (g_file_get_contents(comm, &name, NULL, NULL) &&
            g_str_equal(g_strstrip(name), "tessera-0")) {
            return atoi(task);
        }
    }
    g_assert_not_reached();
}

/* Nanoseconds for which it has run. */
static uint64_t worker_ns(int pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/task/%d/schedstat", pid,
                                            worker_thread(pid));
    g_autofree char *times = NULL;

    g_assert_true(g_file_get_contents(path, &times, NULL, NULL));
    return g_ascii_strtoull(times, NULL, 10);
}

/* Keep it on the first CPU that there is. */
static void keep_worker(int pid)
{
    cpu_set_t may, one;
    int cpu = 0;

    g_assert_cmpint(sched_getaffinity(0, sizeof(may), &may), ==, 0);
    while (!CPU_ISSET(cpu, &may)) {
        cpu++;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    g_assert_cmpint(sched_setaffinity(worker_thread(pid), sizeof(one), &one),
                    ==, 0);
}

/* The one child of this process. */
static int qemu_pid(void)
{
    g_autofree char *parent = g_strdup_printf("\nPPid:\t%d\n", getpid());
    g_autoptr(GDir) dir = g_dir_open("/proc", 0, NULL);
    const char *name;

    g_assert_nonnull(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename("/proc", name, "status", NULL);
        g_autofree char *status = NULL;

        if (atoi(name) && g_file_get_contents(path, &status, NULL, NULL) &&
            strstr(status, parent)) {
            return atoi(name);
        }
    }
    g_assert_not_reached();
}

/* ---- here and there ---- */

static uint64_t launch_here(BenchRun *run)
{
    uint64_t before = worker_ns(getpid());
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    driver_run(run->driver, &run->launch, &outcome, &error);
    g_assert_no_error(error);
    g_assert_cmpint(outcome.status, ==, DRIVER_DONE);
    g_usleep(POLL_US); /* to be asleep, and accounted for */
    return worker_ns(getpid()) - before;
}

static uint64_t launch_there(Remote *remote)
{
    int pid = qemu_pid();
    uint64_t before = worker_ns(pid);
    uint64_t value = remote->packet.completion_signal + TQ_SIGNAL_VALUE;

    tq_put64(remote->gpu, value, 1);
    tq_push(&remote->queue, &remote->packet);
    while (tq_get64(remote->gpu, value)) {
        g_assert_cmpuint(tq_get64(remote->gpu, remote->queue.inactive +
                                  TQ_SIGNAL_VALUE), ==, 0);
        g_usleep(POLL_US);
    }
    g_usleep(POLL_US);
    return worker_ns(pid) - before;
}

static uint64_t put_image(TqGpu *gpu, const BenchRun *run)
{
    uint64_t size = codeobj_image_size(run->co);
    uint64_t base = tq_alloc_vram(gpu, size + CODEOBJ_IMAGE_ALIGN);
    g_autofree uint8_t *image = g_malloc0(size);
    g_autoptr(GError) error = NULL;

    base = (base + CODEOBJ_IMAGE_ALIGN - 1) & -(uint64_t)CODEOBJ_IMAGE_ALIGN;
    codeobj_place(run->co, base, image, &error);
    g_assert_no_error(error);
    tq_put(gpu, base, image, size);
    return base;
}

static uint64_t put_kernarg(TqGpu *gpu, const BenchRun *run,
                            uint64_t buffers[])
{
    uint64_t kernarg = tq_alloc(gpu, run->kernel->kernarg_size);

    tq_put(gpu, kernarg, run->kernarg, run->kernel->kernarg_size);
    for (int i = 0; i < run->w.nargs; i++) {
        if (run->w.arg[i].kind == WL_ARG_BUF) {
            unsigned n = run->w.arg[i].buf;
            uint64_t buffer = tq_alloc(gpu, run->w.bytes[n]);

            tq_put(gpu, buffer, run->in[n], run->w.bytes[n]);
            tq_put64(gpu, kernarg + run->kernel->args[i].offset, buffer);
            buffers[n] = buffer;
        }
    }
    return kernarg;
}

static Remote start_there(const BenchRun *run)
{
    Remote remote = { .gpu = tq_start(",workers=1 "
                                     "-name debug-threads=on") };
    const DriverLaunch *launch = &run->launch;

    remote.queue = tq_queue(remote.gpu, 0);
    remote.packet = tq_dispatch(remote.gpu, put_image(remote.gpu, run) +
                                run->kernel->descriptor,
                                put_kernarg(remote.gpu, run, remote.buffer),
                                launch->grid[0], launch->group[0]);
    remote.packet.setup = launch->dims;
    remote.packet.grid_y = launch->grid[1];
    remote.packet.group_y = launch->group[1];
    remote.packet.group_size = run->kernel->lds_size;
    return remote;
}

static void start_here(BenchRun *run, const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/%s.co",
        g_getenv("TESSERA_BENCH_OBJECTS"), name);
    g_autoptr(GError) error = NULL;

    bench_run_load(run, path, name, WL_FULL, &error);
    g_assert_no_error(error);
    bench_run_power_on(run, (DriverConfig) { .workers = 1 }, DRIVER_RAM, 900,
                       &error);
    g_assert_no_error(error);
}

/* ---- the test ---- */

/* Both have computed the same. */
static void compare_buffers(const BenchRun *run, const Remote *remote)
{
    for (int i = 0; i < run->w.nbuf; i++) {
        g_autofree uint8_t *there = g_malloc(run->w.bytes[i]);

        tq_get(remote->gpu, remote->buffer[i], there, run->w.bytes[i]);
        g_assert_cmpint(memcmp(there, run->out[i], run->w.bytes[i]), ==, 0);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_ratio(BenchRun *run, Remote *remote)
{
    double ratios[SAMPLES];

    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t here = launch_here(run), there = launch_there(remote);

        ratios[i] = (double)there / here;
    }
    qsort(ratios, SAMPLES, sizeof(ratios[0]), compare);
    return ratios[SAMPLES / 2];
}

static void test_kernel(gconstpointer name)
{
    BenchRun run = { 0 };
    double best = G_MAXDOUBLE;
    DriverOutcome outcome;
    uint64_t ns;
    Remote remote;

    start_here(&run, name);
    remote = start_there(&run);
    keep_worker(getpid());
    keep_worker(qemu_pid());
    bench_run_launch(&run, &outcome, NULL);
    g_assert_cmpstr(bench_run_check(&run), ==, NULL);
    launch_there(&remote);
    compare_buffers(&run, &remote);
    ns = launch_here(&run);
    g_test_message("%s: %.0f ms", (const char *)name, ns / 1e6);
    for (unsigned i = 0; ns > LAUNCH_NS && i < ROUNDS && best > MOST; i++) {
        best = MIN(best, median_ratio(&run, &remote));
        g_test_message("%s: %.3f times as long in QEMU", (const char *)name,
                       best);
    }
    if (ns > LAUNCH_NS) {
        g_assert_cmpfloat(best, <=, MOST);
    } else {
        g_test_skip("too fast a host");
    }
    tq_end(remote.gpu);
    bench_run_clear(&run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(kernels); i++) {
        g_autofree char *path = g_strdup_printf("/speed/%s", kernels[i]);

        qtest_add_data_func(path, kernels[i], test_kernel);
    }
    return g_test_run();
}
