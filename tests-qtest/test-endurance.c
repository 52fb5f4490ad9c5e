/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life cycle over and over, with shaders running: results stay right, and
 * QEMU has as many threads and as little memory as before.
 */
#include "tessera-qtest.h"
#include <glib/gstdio.h>

#define RP_DEVFN (3 << 3)
#define RP_WINDOW 0xe0000000u
#define ITEMS 2048
#define GROWTH_MAX_KB 6144

static char *pid_file;

/* ---- what QEMU uses of the host ---- */

/* Sanitizers keep freed memory for a while: its size says nothing then. */
static bool memory_counts(void)
{
    return !strstr(g_getenv("QTEST_QEMU_BINARY"), "LD_PRELOAD");
}

typedef struct Usage {
    unsigned long threads, kb;
} Usage;

static Usage usage(void)
{
    return (Usage) { tq_process_fact(pid_file, "Threads"),
                     tq_process_fact(pid_file, "VmRSS") };
}

/* Threads that have been joined may be in /proc for a moment yet. */
static void check_usage(const Usage *before)
{
    Usage now = usage();

    g_assert_true(TQ_POLL((now = usage()).threads <= before->threads));
    g_test_message("%lu KiB, then %lu", before->kb, now.kb);
    if (memory_counts()) {
        g_assert_cmpuint(now.kb, <=, before->kb + GROWTH_MAX_KB);
    }
}

/*
 * Rounds after which memory must not grow any more; @compiled if shader code is
 * compiled (TESSERA_JIT).  Here data lie in the pages of code, which is compiled
 * anew when they change, so there must have been as many pages as are kept.
 */
static unsigned warm_up(unsigned interpreted, unsigned compiled)
{
    return g_getenv("TESSERA_JIT") ? compiled : interpreted;
}

static QTestState *start(const char *args)
{
    g_autofree char *all = g_strdup_printf("-pidfile %s %s", pid_file, args);

    return tq_start_qemu(all);
}

static TqGpu *start_gpu(void)
{
    TqGpu *gpu = tq_attach(start("-device tessera,id=gpu0,addr=4,"
                                 "vram-size=64M,workers=4"),
                           0, 4 << 3, RP_WINDOW);

    gpu->owns_qemu = true;
    return gpu;
}

/* ---- results that depend on every dispatch before ---- */

/*
 * Dispatch k stores to buffer k % 3 the sum of the other two, element by
 * element; each waits for the one before it.
 */
typedef struct Chain {
    TqQueue q;
    uint64_t buf[3], kernarg[3], kernel;
    unsigned done;     /* dispatches pushed */
    uint64_t last;     /* signal of the last one */
    uint32_t model[3][ITEMS];
} Chain;

static Chain *chain_new(TqGpu *gpu, unsigned slot)
{
    Chain *c = g_new0(Chain, 1);

    c->q = tq_queue(gpu, slot);
    c->kernel = tq_shader(gpu, "vadd", false);
    for (unsigned b = 0; b < 3; b++) {
        c->buf[b] = b == 1 ? tq_alloc_vram(gpu, sizeof(c->model[b]))
                           : tq_alloc(gpu, sizeof(c->model[b]));
        for (unsigned i = 0; i < ITEMS; i++) {
            c->model[b][i] = i * 2654435761u + b * 40503u;
        }
        tq_put(gpu, c->buf[b], c->model[b], sizeof(c->model[b]));
    }
    for (unsigned b = 0; b < 3; b++) {
        const uint64_t args[3] = { c->buf[(b + 1) % 3], c->buf[(b + 2) % 3],
                                   c->buf[b] };

        c->kernarg[b] = tq_alloc(gpu, sizeof(args));
        tq_put(gpu, c->kernarg[b], args, sizeof(args));
    }
    return c;
}

static void chain_push(Chain *c)
{
    unsigned b = c->done++ % 3;
    TqGpu *gpu = c->q.gpu;
    uint64_t read_index = c->q.amd_queue +
                          offsetof(AmdQueue, read_dispatch_id);
    AqlDispatch p = tq_dispatch(gpu, c->kernel, c->kernarg[b], ITEMS, 64);

    p.header |= AQL_HEADER_BARRIER;
    c->last = p.completion_signal;
    g_assert_true(TQ_POLL(c->q.write_index - tq_get64(gpu, read_index) <
                          c->q.packets));
    tq_push(&c->q, &p);
    for (unsigned i = 0; i < ITEMS; i++) {
        c->model[b][i] = c->model[(b + 1) % 3][i] + c->model[(b + 2) % 3][i];
    }
}

static void chain_check(Chain *c)
{
    uint32_t result[ITEMS];

    g_assert_true(tq_wait64(c->q.gpu, c->last + TQ_SIGNAL_VALUE, 0));
    for (unsigned b = 0; b < 3; b++) {
        tq_get(c->q.gpu, c->buf[b], result, sizeof(result));
        g_assert_cmpmem(result, sizeof(result), c->model[b],
                        sizeof(c->model[b]));
    }
}

/* Not a byte of the buffers changes while the VM is stopped. */
static void check_stopped(Chain *c)
{
    static uint8_t before[3][ITEMS * 4], after[3][ITEMS * 4];

    for (unsigned b = 0; b < 3; b++) {
        tq_get(c->q.gpu, c->buf[b], before[b], sizeof(before[b]));
    }
    g_usleep(5000);
    for (unsigned b = 0; b < 3; b++) {
        tq_get(c->q.gpu, c->buf[b], after[b], sizeof(after[b]));
        g_assert_cmpmem(before[b], sizeof(before[b]), after[b],
                        sizeof(after[b]));
    }
}

static void test_stop_200_times(void)
{
    TqGpu *gpu = start_gpu();
    TqEndless e = tq_endless(gpu, 1, true);
    Chain *c = chain_new(gpu, 0);
    Usage before = usage();

    for (unsigned i = 0; i < 200; i++) {
        for (unsigned n = 0; n < 6; n++) {
            chain_push(c);
        }
        g_usleep(i * 37 % 1000);
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        if (i % 16 == 0) {
            check_stopped(c);
        }
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
        if (i == warm_up(20, 100)) {
            before = usage();
        }
    }
    chain_check(c);
    g_assert_true(tq_counts(&e));
    check_usage(&before);
    g_free(c);
    tq_end(gpu);
}

/* The same chain while the device sleeps, and while its BARs move. */
static void test_remap_under_load(void)
{
    TqGpu *gpu = start_gpu();
    TqEndless e = tq_endless(gpu, 1, false);
    Chain *c = chain_new(gpu, 0);

    for (unsigned i = 0; i < 100; i++) {
        for (unsigned n = 0; n < 6; n++) {
            chain_push(c);
        }
        if (i % 4 == 3) {
            tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
            tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
        } else {
            tq_place_bars(gpu, i & 1 ? 0xe8000000 : RP_WINDOW);
        }
    }
    chain_check(c);
    g_assert_true(tq_counts(&e));
    g_free(c);
    tq_end(gpu);
}

/* ---- plugging ---- */

static void check_store(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    uint64_t buf = tq_alloc(gpu, 256), kernarg = tq_alloc(gpu, 64);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg,
                                64, 64);

    tq_put64(gpu, kernarg, buf);
    tq_run(&q, &p);
    g_assert_cmpuint(tq_get32(gpu, buf + 63 * 4), ==, 63);
}

static QTestState *start_root_port(void)
{
    QTestState *qts = start(TQ_ROOT_PORT);

    tq_open_root_port(qts, RP_DEVFN, RP_WINDOW);
    return qts;
}

/* Unplugged with shaders that run, and plugged in again. */
static void test_replug_20_times(void)
{
    QTestState *qts = start_root_port();
    Usage empty = usage(), warm = { 0 };

    for (int i = 0; i < 20; i++) {
        TqEndless ram;
        TqGpu *gpu;

        qtest_qmp_device_add(qts, "tessera", "hot",
                             "{'bus': 'rp', 'vram-size': 67108864,"
                             " 'workers': 4}");
        tq_power_slot(qts, RP_DEVFN);
        gpu = tq_attach(qts, 1, 0, RP_WINDOW);
        check_store(gpu, 9);
        ram = tq_endless(gpu, 0, false);
        tq_endless(gpu, 1, true);
        tq_unplug(qts, RP_DEVFN, "hot");
        g_assert_cmphex(tq_pci_read(qts, 1, 0, 0, 4), ==, 0xffffffff);
        g_assert_true(tq_stands_still(&ram));
        tq_end(gpu);
        if (i == 4) {
            warm = usage();
        }
    }
    warm.threads = empty.threads;
    check_usage(&warm);
    qtest_quit(qts);
}

/* A device that is asleep, or whose VM is stopped, goes as well. */
static void test_unplug_paused(void)
{
    QTestState *qts = start_root_port();
    Usage empty = usage(), warm = { 0 };
    unsigned rounds = warm_up(4, 14);

    for (unsigned i = 0; i < rounds + 3; i++) {
        TqGpu *gpu;

        qtest_qmp_device_add(qts, "tessera", "hot",
                             "{'bus': 'rp', 'vram-size': 67108864}");
        tq_power_slot(qts, RP_DEVFN);
        gpu = tq_attach(qts, 1, 0, RP_WINDOW);
        tq_endless(gpu, 0, false);
        if (i & 1) {
            tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
        } else {
            qtest_qmp_assert_success(qts, "{'execute': 'stop'}");
        }
        tq_unplug(qts, RP_DEVFN, "hot");
        if (!(i & 1)) {
            qtest_qmp_assert_success(qts, "{'execute': 'cont'}");
        }
        tq_end(gpu);
        if (i + 1 == rounds) { /* the first ones leave code, caches, LLVM */
            warm = usage();
        }
    }
    warm.threads = empty.threads;
    check_usage(&warm);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    pid_file = g_strdup_printf("%s/tessera-endurance-%d.pid", g_get_tmp_dir(),
                               getpid());
    g_test_add_func("/endurance/stop-200-times", test_stop_200_times);
    g_test_add_func("/endurance/remap-under-load", test_remap_under_load);
    g_test_add_func("/endurance/replug-20-times", test_replug_20_times);
    g_test_add_func("/endurance/unplug-paused", test_unplug_paused);
    status = g_test_run();
    g_unlink(pid_file);
    g_free(pid_file);
    return status;
}
