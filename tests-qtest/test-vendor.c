/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vendor packets in stock QEMU: PM4 wrapper, barrier-value, copy, fill. */
#include "tessera-qtest.h"

#define NOWHERE 0x8000000000ull

static bool completes(TqQueue *q, const void *packet, uint64_t signal)
{
    tq_push(q, packet);
    return tq_wait64(q->gpu, signal + TQ_SIGNAL_VALUE, 0);
}

/* ---- ROCm's ---- */

static AqlPm4Ib pm4(TqGpu *gpu, const uint32_t *ib, unsigned dwords)
{
    uint64_t at = tq_alloc(gpu, dwords * 4);

    tq_put(gpu, at, ib, dwords * 4);
    return (AqlPm4Ib) {
        .header = TQ_HEADER(AQL_TYPE_VENDOR),
        .format = AQL_VENDOR_PM4_IB,
        .command = PM4_INDIRECT_BUFFER,
        .ib_low = at,
        .ib_high = at >> 32,
        .ib_size = dwords | PM4_IB_VALID,
        .remain = PM4_IB_REMAIN,
        .completion_signal = tq_signal(gpu, 1),
    };
}

static const uint32_t acquire_mem[7] = {
    0xc0055800, 0x28840000, 0xffffffff, 0xff,
};

static void test_pm4(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlPm4Ib p = pm4(gpu, acquire_mem, 7);

    g_assert_true(completes(&q, &p, p.completion_signal));
    /* Without a signal the read index tells that it is over. */
    p.completion_signal = 0;
    tq_push(&q, &p);
    g_assert_true(tq_wait64(gpu, q.amd_queue +
                            offsetof(AmdQueue, read_dispatch_id), 2));
    tq_end(gpu);
}

/* A command that is not supported stops the queue, at its address. */
static void test_pm4_refused(void)
{
    static const uint32_t write_data[5] = { 0xc0033700 };
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlPm4Ib p = pm4(gpu, write_data, 5);

    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_BAD_VENDOR_PACKET);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0);
    g_assert_cmpuint(TQ_FIELD(tq_read(gpu, TESSERA_REG_QUEUE_FAULT_STATUS),
                              QUEUE_FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_PM4);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_ADDR), ==,
                    p.ib_low);
    tq_end(gpu);
}

static void test_barrier_value(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlBarrierValue p = {
        .header = TQ_HEADER(AQL_TYPE_VENDOR),
        .format = AQL_VENDOR_BARRIER_VALUE,
        .signal = tq_signal(gpu, 0x15),
        .value = 7,
        .mask = 0xf,
        .condition = AQL_CONDITION_GTE,
        .completion_signal = tq_signal(gpu, 1),
    };

    tq_push(&q, &p);
    tq_settle(gpu);
    g_assert_cmpint(tq_get64(gpu, p.completion_signal + TQ_SIGNAL_VALUE), ==,
                    1);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_QUEUE_WAITS, ~0u, 3));
    tq_put64(gpu, p.signal + TQ_SIGNAL_VALUE, 0x18);
    g_assert_true(tq_wait64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 0));
    tq_end(gpu);
}

/* ---- copy and fill ---- */

static AqlCopy copy(TqGpu *gpu, uint64_t target, uint64_t source,
                    uint64_t size)
{
    return (AqlCopy) {
        .header = TQ_HEADER(AQL_TYPE_VENDOR) | AQL_HEADER_BARRIER,
        .format = AQL_VENDOR_COPY,
        .version = AQL_COPY_VERSION,
        .source = source,
        .target = target,
        .size = size,
        .completion_signal = tq_signal(gpu, 1),
    };
}

static AqlFill fill(TqGpu *gpu, uint64_t target, uint64_t size,
                    uint32_t value)
{
    return (AqlFill) {
        .header = TQ_HEADER(AQL_TYPE_VENDOR) | AQL_HEADER_BARRIER,
        .format = AQL_VENDOR_FILL,
        .version = AQL_COPY_VERSION,
        .value = value,
        .target = target,
        .size = size,
        .completion_signal = tq_signal(gpu, 1),
    };
}

/* RAM to VRAM, within VRAM with overlap, and back; odd sizes and places. */
static void test_copy(void)
{
    enum { SIZE = 300001 };
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t from = tq_alloc(gpu, SIZE + 64), to = tq_alloc(gpu, SIZE + 64);
    uint64_t vram = tq_alloc_vram(gpu, SIZE + 9000);
    g_autofree uint8_t *bytes = g_malloc(SIZE), *got = g_malloc(SIZE + 1);
    AqlCopy p = copy(gpu, vram + 1, from + 3, SIZE);

    for (int i = 0; i < SIZE; i++) {
        bytes[i] = i * 13 + (i >> 9);
    }
    tq_put(gpu, from + 3, bytes, SIZE);
    g_assert_true(completes(&q, &p, p.completion_signal));
    p = copy(gpu, vram + 5001, vram + 1, SIZE - 1000); /* from the end */
    g_assert_true(completes(&q, &p, p.completion_signal));
    p = copy(gpu, vram, vram + 5001, SIZE - 1000);     /* from the start */
    g_assert_true(completes(&q, &p, p.completion_signal));
    p = copy(gpu, to + 7, vram, SIZE - 1000);
    g_assert_true(completes(&q, &p, p.completion_signal));
    tq_get(gpu, to + 7, got, SIZE - 999);
    g_assert_cmpmem(got, SIZE - 1000, bytes, SIZE - 1000);
    g_assert_cmphex(got[SIZE - 1000], ==, 0);
    tq_end(gpu);
}

static void test_fill(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t at = tq_alloc(gpu, 16384);
    uint8_t got[9000];
    AqlFill p = fill(gpu, at + 2, 8197, 0x44332211);

    g_assert_true(completes(&q, &p, p.completion_signal));
    tq_get(gpu, at, got, sizeof(got));
    g_assert_cmphex(got[1], ==, 0);
    for (int i = 0; i < 8197; i++) {
        g_assert_cmphex(got[2 + i], ==, 0x11 * (i % 4 + 1));
    }
    g_assert_cmphex(got[2 + 8197], ==, 0);
    /* Nothing to do is done. */
    p = fill(gpu, NOWHERE, 0, 1);
    g_assert_true(completes(&q, &p, p.completion_signal));
    tq_end(gpu);
}

/* A dispatch's result is copied once it is complete: the barrier bit. */
static void test_copy_behind_dispatch(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t kernarg = tq_alloc(gpu, 64), buf = tq_alloc_vram(gpu, 4096);
    uint64_t to = tq_alloc(gpu, 4096);
    AqlDispatch d = tq_dispatch(gpu, tq_shader(gpu, "store", true), kernarg,
                                1024, 64);
    AqlCopy p = copy(gpu, to, buf, 4096);

    tq_put64(gpu, kernarg, buf);
    tq_put_packet(&q, &d);
    tq_push(&q, &p);
    g_assert_true(tq_wait64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 0));
    for (int i = 0; i < 1024; i++) {
        g_assert_cmpuint(tq_get32(gpu, to + i * 4), ==, i);
    }
    tq_end(gpu);
}

static void test_copy_refused(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue a = tq_queue(gpu, 0), b = tq_queue(gpu, 1), c = tq_queue(gpu, 2);
    uint64_t at = tq_alloc(gpu, 64);
    AqlCopy p = copy(gpu, at, at, UINT64_MAX);

    tq_push(&a, &p); /* beyond 2^64 */
    g_assert_cmphex(tq_wait_error(&a), ==, TESSERA_QERR_BAD_VENDOR_PACKET);
    p = copy(gpu, at, NOWHERE, 64);
    tq_push(&b, &p);
    g_assert_cmphex(tq_wait_error(&b), ==, TESSERA_QERR_MEMORY_FAULT);
    p = copy(gpu, gpu->regs, at, 64);
    tq_push(&c, &p);
    g_assert_cmphex(tq_wait_error(&c), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_TEST_SCRATCH), ==, 0);
    tq_end(gpu);
}

/* All of VRAM: stop, cont, another queue and kill do not wait for its end. */
static void test_copy_large(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0), other = tq_queue(gpu, 1);
    AqlCopy p = copy(gpu, TESSERA_VRAM_WINDOW + 1, TESSERA_VRAM_WINDOW,
                     TQ_VRAM_SIZE - 1);
    AqlFill f = fill(gpu, tq_alloc(gpu, 64), 64, 1);

    for (int i = 0; i < 20; i++) {
        p.completion_signal = 0;
        tq_put_packet(&q, &p);
    }
    tq_ring_doorbell(&q);
    g_assert_true(completes(&other, &f, f.completion_signal));
    for (int i = 0; i < 5; i++) {
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    }
    g_assert_cmpint(tq_queue_kill(&q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pm4/acquire-mem", test_pm4);
    g_test_add_func("/pm4/refused", test_pm4_refused);
    g_test_add_func("/barrier-value", test_barrier_value);
    g_test_add_func("/copy/bytes", test_copy);
    g_test_add_func("/copy/behind-dispatch", test_copy_behind_dispatch);
    g_test_add_func("/copy/refused", test_copy_refused);
    g_test_add_func("/copy/large", test_copy_large);
    g_test_add_func("/fill", test_fill);
    return g_test_run();
}
