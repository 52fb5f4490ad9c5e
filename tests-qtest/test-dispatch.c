/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that run to their end, over guest RAM and VRAM; barriers; completion
 * signals.  Expected results are computed here.
 */
#include "tessera-qtest.h"

#define ITEMS 1000 /* no multiple of the wave or work-group size */

/* Where code and data lie. */
typedef struct Places {
    const char *name;
    bool code_in_vram, data_in_vram;
} Places;

static const Places places[] = {
    { "ram-ram", false, false },
    { "ram-vram", false, true },
    { "vram-ram", true, false },
    { "vram-vram", true, true },
};

static uint64_t alloc_in(TqGpu *gpu, bool vram, size_t size)
{
    return vram ? tq_alloc_vram(gpu, size) : tq_alloc(gpu, size);
}

/* Kernel arguments: @n 64-bit words. */
static uint64_t kernargs(TqGpu *gpu, const uint64_t *args, unsigned n)
{
    uint64_t at = tq_alloc(gpu, n * 8);

    tq_put(gpu, at, args, n * 8);
    return at;
}

static void test_vadd(const void *data)
{
    const Places *place = data;
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t kernel = tq_shader(gpu, "vadd", place->code_in_vram);
    uint64_t buf[3];
    uint32_t a[ITEMS], b[ITEMS], c[ITEMS + 1];
    AqlDispatch p;

    for (unsigned i = 0; i < ITEMS; i++) {
        a[i] = i * 2654435761u;
        b[i] = ~i * 40503u;
    }
    for (int i = 0; i < 3; i++) {
        buf[i] = alloc_in(gpu, place->data_in_vram, sizeof(c));
    }
    tq_put(gpu, buf[0], a, sizeof(a));
    tq_put(gpu, buf[1], b, sizeof(b));
    tq_put32(gpu, buf[2] + ITEMS * 4, 0xabad1dea); /* must survive */
    p = tq_dispatch(gpu, kernel, kernargs(gpu, buf, 3), ITEMS, 64);
    tq_run(&q, &p);
    tq_get(gpu, buf[2], c, sizeof(c));
    for (unsigned i = 0; i < ITEMS; i++) {
        g_assert_cmphex(c[i], ==, a[i] + b[i]);
    }
    g_assert_cmphex(c[ITEMS], ==, 0xabad1dea);
    tq_end(gpu);
}

/* Many waves on all workers, one counter. */
static void test_atomic(const void *data)
{
    const Places *place = data;
    TqGpu *gpu = tq_start(",workers=2");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t counter = alloc_in(gpu, place->data_in_vram, 64);
    uint64_t kernel = tq_shader(gpu, "increment", place->code_in_vram);
    AqlDispatch p = tq_dispatch(gpu, kernel, kernargs(gpu, &counter, 1),
                                10007, 256);

    tq_put32(gpu, counter, 5);
    tq_run(&q, &p);
    g_assert_cmpuint(tq_get32(gpu, counter), ==, 5 + 10007);
    tq_end(gpu);
}

/* A buffer that is named by the bus address of the VRAM BAR. */
static void test_own_bar(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t window = tq_alloc_vram(gpu, 256);
    uint64_t bus = gpu->vram + (window - TESSERA_VRAM_WINDOW);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false),
                                kernargs(gpu, &bus, 1), 64, 64);

    tq_run(&q, &p);
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(tq_get32(gpu, window + 4 * i), ==, i);
    }
    tq_end(gpu);
}

/* One GPU stores to the other's VRAM; both run at once. */
static void test_two_devices(void)
{
    QTestState *qts = tq_start_qemu(
        "-device tessera,addr=4,vram-size=64M,id=a "
        "-device tessera,addr=5,vram-size=64M,id=b");
    TqGpu *gpu[2] = {
        tq_attach(qts, 0, 4 << 3, 0xe0000000),
        tq_attach(qts, 0, 5 << 3, 0xe8000000),
    };
    AqlDispatch p[2];

    for (int i = 0; i < 2; i++) {
        TqQueue q = tq_queue(gpu[i], 7);
        uint64_t target = gpu[!i]->vram + 0x10000;

        p[i] = tq_dispatch(gpu[i], tq_shader(gpu[i], "store", false),
                           kernargs(gpu[i], &target, 1), 64 * (i + 1), 64);
        tq_push(&q, &p[i]);
    }
    for (int i = 0; i < 2; i++) {
        g_assert_true(tq_wait64(gpu[i],
                                p[i].completion_signal + TQ_SIGNAL_VALUE, 0));
        g_assert_cmpuint(qtest_readl(qts, gpu[!i]->vram + 0x10000 + 63 * 4),
                         ==, 63);
    }
    g_assert_cmpuint(qtest_readl(qts, gpu[1]->vram + 0x10000 + 64 * 4), ==, 0);
    tq_end(gpu[0]);
    tq_end(gpu[1]);
    qtest_quit(qts);
}

/* ---- completion ---- */

/* Timestamps in GPU clocks, mailbox and its event, interrupt. */
static void test_signal(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, 6);
    uint64_t msi = tq_msix_enable(gpu, 0, 0x1234);
    TqQueue q = tq_queue(gpu, 1);
    uint64_t buf = tq_alloc(gpu, 256), mailbox = tq_alloc(gpu, 8);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false),
                                kernargs(gpu, &buf, 1), 64, 64);
    AmdSignal s;
    TesseraIhEntry e;
    uint64_t now;

    /* The command's event and interrupt come after its fence. */
    g_assert_true(tq_ring_wait(gpu, ring, 6, 0, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_COMMAND);
    g_assert_true(tq_wait32(gpu, msi, 0x1234));
    tq_put32(gpu, msi, 0);
    tq_get(gpu, p.completion_signal, &s, sizeof(s));
    s.value = 10;
    s.event_mailbox_ptr = mailbox;
    s.event_id = 321;
    tq_put(gpu, p.completion_signal, &s, sizeof(s));
    tq_write(gpu, TESSERA_REG_VM_PASID, 4711);
    tq_read(gpu, TESSERA_REG_IH_WPTR);
    qtest_clock_step(gpu->qts, 1000000);
    now = tq_read64(gpu, TESSERA_REG_CLOCK);
    tq_push(&q, &p);
    g_assert_true(tq_wait64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 9));
    g_assert_true(tq_wait64(gpu, mailbox, 321));
    tq_get(gpu, p.completion_signal, &s, sizeof(s));
    /* Guest time stands still between clock steps. */
    g_assert_cmpuint(s.start_ts, ==, now);
    g_assert_cmpuint(s.end_ts, ==, now);
    g_assert_true(tq_ring_wait(gpu, ring, 6, 1, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_SIGNAL);
    g_assert_cmpuint(e.data, ==, 321);
    g_assert_cmpuint(e.pasid, ==, 4711);
    g_assert_cmpuint(e.queue, ==, 1);
    g_assert_cmpuint(e.timestamp, ==, now);
    g_assert_true(tq_wait32(gpu, msi, 0x1234));
    tq_end(gpu);
}

/* No completion signal is allowed: the read index tells. */
static void test_no_signal(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t buf = tq_alloc(gpu, 256);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false),
                                kernargs(gpu, &buf, 1), 64, 64);

    p.completion_signal = 0;
    tq_push(&q, &p);
    g_assert_true(tq_wait64(gpu, q.amd_queue +
                            offsetof(AmdQueue, read_dispatch_id), 1));
    g_assert_true(tq_wait32(gpu, buf + 63 * 4, 63));
    tq_end(gpu);
}

/* ---- barriers ---- */

static AqlBarrier barrier(TqGpu *gpu, unsigned type)
{
    return (AqlBarrier) {
        .header = TQ_HEADER(type),
        .completion_signal = tq_signal(gpu, 1),
    };
}

static int64_t value_of(TqGpu *gpu, uint64_t signal)
{
    return tq_get64(gpu, signal + TQ_SIGNAL_VALUE);
}

static bool is_done(TqGpu *gpu, uint64_t signal)
{
    return tq_wait64(gpu, signal + TQ_SIGNAL_VALUE, 0);
}

/* Holds the queue until all of five signals are 0, also one after another. */
static void test_barrier_and(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlBarrier b = barrier(gpu, AQL_TYPE_BARRIER_AND);
    AqlBarrier after = barrier(gpu, AQL_TYPE_BARRIER_AND);

    for (int i = 0; i < 5; i++) {
        b.dep_signal[i] = tq_signal(gpu, i + 1);
    }
    after.header |= AQL_HEADER_BARRIER;
    tq_push(&q, &b);
    tq_push(&q, &after);
    for (int i = 0; i < 5; i++) {
        tq_settle(gpu);
        g_assert_cmpint(value_of(gpu, b.completion_signal), ==, 1);
        g_assert_cmpint(value_of(gpu, after.completion_signal), ==, 1);
        tq_put64(gpu, b.dep_signal[i] + TQ_SIGNAL_VALUE, 0);
    }
    g_assert_true(is_done(gpu, b.completion_signal));
    g_assert_true(is_done(gpu, after.completion_signal));
    tq_end(gpu);
}

static void test_barrier_or(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlBarrier b = barrier(gpu, AQL_TYPE_BARRIER_OR);

    b.dep_signal[1] = tq_signal(gpu, 1);
    b.dep_signal[4] = tq_signal(gpu, -1);
    tq_push(&q, &b);
    tq_settle(gpu);
    g_assert_cmpint(value_of(gpu, b.completion_signal), ==, 1);
    tq_put64(gpu, b.dep_signal[4] + TQ_SIGNAL_VALUE, 0);
    g_assert_true(is_done(gpu, b.completion_signal));
    tq_end(gpu);
}

/* A queue that waits for another's dispatch, as streams do. */
static void test_barrier_across_queues(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue a = tq_queue(gpu, 0), b = tq_queue(gpu, 1);
    uint64_t buf = tq_alloc(gpu, 4 * ITEMS);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false),
                                kernargs(gpu, &buf, 1), ITEMS, 64);
    AqlBarrier wait = barrier(gpu, AQL_TYPE_BARRIER_AND);

    wait.dep_signal[0] = p.completion_signal;
    tq_push(&b, &wait);
    tq_settle(gpu);
    g_assert_cmpint(value_of(gpu, wait.completion_signal), ==, 1);
    tq_push(&a, &p);
    g_assert_true(is_done(gpu, wait.completion_signal));
    g_assert_cmpuint(tq_get32(gpu, buf + 4 * (ITEMS - 1)), ==, ITEMS - 1);
    tq_end(gpu);
}

/* The barrier bit holds a packet until all earlier ones are complete. */
static void test_barrier_bit(void)
{
    TqGpu *gpu = tq_start(",workers=2");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t flag = tq_alloc(gpu, 64), buf = tq_alloc(gpu, 256);
    AqlDispatch spin = tq_dispatch(gpu, tq_shader(gpu, "spin", false),
                                   kernargs(gpu, &flag, 1), 64, 64);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false),
                                kernargs(gpu, &buf, 1), 64, 64);
    AqlDispatch overlap = p;

    overlap.completion_signal = tq_signal(gpu, 1);
    p.header |= AQL_HEADER_BARRIER;
    tq_push(&q, &spin);
    tq_push(&q, &overlap);
    tq_push(&q, &p);
    g_assert_true(is_done(gpu, overlap.completion_signal));
    tq_settle(gpu);
    g_assert_cmpint(value_of(gpu, p.completion_signal), ==, 1);
    tq_put32(gpu, flag, 1);
    g_assert_true(is_done(gpu, spin.completion_signal));
    g_assert_true(is_done(gpu, p.completion_signal));
    tq_end(gpu);
}

static void add_places(const char *prefix, void (*fn)(const void *data))
{
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_strdup_printf("%s/%s", prefix,
                                                places[i].name);
        g_test_add_data_func(path, &places[i], fn);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_places("/dispatch/vadd", test_vadd);
    add_places("/dispatch/atomic", test_atomic);
    g_test_add_func("/dispatch/own-vram-bar", test_own_bar);
    g_test_add_func("/dispatch/two-devices", test_two_devices);
    g_test_add_func("/completion/signal", test_signal);
    g_test_add_func("/completion/no-signal", test_no_signal);
    g_test_add_func("/barrier/and", test_barrier_and);
    g_test_add_func("/barrier/or", test_barrier_or);
    g_test_add_func("/barrier/across-queues", test_barrier_across_queues);
    g_test_add_func("/barrier/bit", test_barrier_bit);
    return g_test_run();
}
