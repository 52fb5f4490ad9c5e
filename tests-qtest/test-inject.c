/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test registers: the copy, and what x-inject=on has go wrong. */
#include "tessera-qtest.h"

#define NOWHERE 0x8000000000ull
#define INJECT ",x-inject=on"

static void arm(TqGpu *gpu, unsigned kind, unsigned queue, unsigned skip)
{
    tq_write(gpu, TESSERA_REG_INJECT_QUEUE, queue);
    tq_write(gpu, TESSERA_REG_INJECT_SKIP, skip);
    tq_write(gpu, TESSERA_REG_INJECT_COUNT, 1);
    tq_write(gpu, TESSERA_REG_INJECT_ARM, kind);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_INJECT_ARMED), ==, 1u << kind);
}

static AqlDispatch store_packet(TqGpu *gpu)
{
    uint64_t kernarg = tq_alloc(gpu, 64);

    tq_put64(gpu, kernarg, tq_alloc(gpu, 4096));
    return tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg, 256, 64);
}

static int resume(TqQueue *q)
{
    return tq_command(q->gpu, tq_command_init(TESSERA_CMD_RESUME, q->slot));
}

/* ---- test copy ---- */

static uint32_t test_dma(TqGpu *gpu, uint64_t target, uint64_t source,
                         uint32_t size)
{
    tq_write64(gpu, TESSERA_REG_TEST_DMA_SOURCE, source);
    tq_write64(gpu, TESSERA_REG_TEST_DMA_TARGET, target);
    tq_write(gpu, TESSERA_REG_TEST_DMA_SIZE, size);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_TEST_DMA_STATUS, 1, 1));
    return tq_read(gpu, TESSERA_REG_TEST_DMA_STATUS);
}

static void test_dma_copy(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, 6);
    uint64_t from = tq_alloc(gpu, 8192), to = tq_alloc_vram(gpu, 8192);
    uint8_t bytes[5001], got[5001];
    TesseraIhEntry e;

    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = i * 3 + (i >> 8);
    }
    tq_put(gpu, from, bytes, sizeof(bytes));
    g_assert_cmphex(test_dma(gpu, to + 1, from, sizeof(bytes)), ==, 1);
    tq_get(gpu, to + 1, got, sizeof(got));
    g_assert_cmpmem(got, sizeof(got), bytes, sizeof(bytes));
    g_assert_true(tq_ring_wait(gpu, ring, 6, 0, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_TEST);
    g_assert_cmphex(e.data, ==, (1ull << 32) + sizeof(bytes));
    tq_write(gpu, TESSERA_REG_TEST_DMA_STATUS, 1);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_TEST_DMA_STATUS), ==, 0);
    tq_end(gpu);
}

static void test_dma_error(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t at = tq_alloc(gpu, 64);

    g_assert_cmphex(test_dma(gpu, at, at, 65537), ==,
                    3 | TESSERA_FAULT_PACKET << 8);
    tq_write(gpu, TESSERA_REG_TEST_DMA_STATUS, 3);
    g_assert_cmphex(test_dma(gpu, NOWHERE, at, 8), ==,
                    3 | TESSERA_FAULT_UNMAPPED << 8);
    tq_write(gpu, TESSERA_REG_TEST_DMA_STATUS, 3);
    /* Its own registers are no memory. */
    g_assert_cmphex(test_dma(gpu, gpu->regs, at, 8), ==,
                    3 | TESSERA_FAULT_DEVICE_BAR << 8);
    tq_end(gpu);
}

/* ---- injector ---- */

static void test_hidden(void)
{
    TqGpu *gpu = tq_start("");

    g_assert_cmphex(tq_read(gpu, TESSERA_REG_FEATURES) &
                    TESSERA_FEATURES_INJECT_MASK, ==, 0);
    tq_write(gpu, TESSERA_REG_INJECT_QUEUE, 3);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_INJECT_QUEUE), ==, 0);
    tq_end(gpu);
    gpu = tq_start(INJECT);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_FEATURES) &
                    TESSERA_FEATURES_INJECT_MASK, !=, 0);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_INJECT_QUEUE), ==, 0xffff);
    tq_end(gpu);
}

static uint32_t queue_reg(TqQueue *q, uint32_t reg)
{
    tq_write(q->gpu, TESSERA_REG_QUEUE_SELECT, q->slot);
    return tq_read(q->gpu, reg);
}

static bool has_stopped(TqQueue *q)
{
    return queue_reg(q, TESSERA_REG_QUEUE_STATE) == 2;
}

static bool is_done(TqGpu *gpu, const AqlDispatch *p)
{
    return tq_get64(gpu, p->completion_signal + TQ_SIGNAL_VALUE) == 0;
}

/* Let guest time go by, as much as it takes, until @expr holds. */
#define STEP_UNTIL(gpu, expr) \
    g_assert_true(TQ_POLL((qtest_clock_step((gpu)->qts, 1001 * 1000000ll), \
                           (expr))))

/* The record of the stopped queue; whether a wave was at fault. */
static bool check_record(TqQueue *q)
{
    uint32_t status = tq_read(q->gpu, TESSERA_REG_QUEUE_FAULT_STATUS);

    g_assert_cmpuint(TQ_FIELD(status, QUEUE_FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_UNMAPPED);
    return TQ_FIELD(status, QUEUE_FAULT_STATUS, FETCH) ||
           tq_read64(q->gpu, TESSERA_REG_QUEUE_FAULT_PC);
}

/*
 * The queue's dispatch is over, or it has stopped, and the packet processor
 * has looked for another packet and found none.
 */
static void wait_until_idle(TqQueue *q, const AqlDispatch *p)
{
    g_assert_true(TQ_POLL(is_done(q->gpu, p) || has_stopped(q)));
    tq_catch_up(q->gpu); /* there is something to do behind the signal */
    g_assert_true(TQ_POLL(queue_reg(q, TESSERA_REG_QUEUE_WAITS) == 0));
}

/*
 * Each access of a dispatch in turn, of packet processor and waves, finds no
 * page, and each time the queue goes on when it is resumed.
 */
static void test_page_fault(void)
{
    TqGpu *gpu = tq_start(INJECT);
    TqQueue q = tq_queue(gpu, 4);
    AqlDispatch p = store_packet(gpu);
    unsigned of_waves = 0, of_processor = 0;

    /*
     * Processor and waves take turns as they like: which access is the n-th is
     * not the same each time.  So all again until enough have been met.
     */
    for (unsigned i = 0; i < 16 || of_processor < 5 || of_waves < 2; i++) {
        g_assert_cmpuint(i, <, 1600);
        tq_put64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 1);
        arm(gpu, TESSERA_INJECT_PAGE_FAULT, 4, i % 16);
        tq_push(&q, &p);
        wait_until_idle(&q, &p);
        if (has_stopped(&q)) {
            if (check_record(&q)) {
                of_waves++;
            } else {
                of_processor++;
            }
            g_assert_cmpint(resume(&q), ==, TESSERA_RESULT_OK);
        }
        wait_until_idle(&q, &p);
        g_assert_true(is_done(gpu, &p));
        g_assert_cmpuint(tq_get64(gpu, q.amd_queue +
                                  offsetof(AmdQueue, read_dispatch_id)), ==,
                         q.write_index);
    }
    g_assert_false(has_stopped(&q));
    tq_end(gpu);
}

/* The entry is there, the interrupt is not: a driver must look now and then. */
static void test_lost_irq(void)
{
    TqGpu *gpu = tq_start(INJECT);
    uint64_t ring = tq_ring_enable(gpu, 6);
    uint64_t msi = tq_msix_enable(gpu, 0, 0x33);
    TesseraIhEntry e;

    arm(gpu, TESSERA_INJECT_LOST_IRQ, 0xffff, 0);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    g_assert_true(tq_ring_wait(gpu, ring, 6, 0, &e));
    tq_settle(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 2);
    g_assert_true(tq_wait32(gpu, msi, 0x33));
    tq_end(gpu);
}

/* hang-timeout ends it, and it can be made again. */
static void test_hang(void)
{
    TqGpu *gpu = tq_start(INJECT ",hang-timeout=1000");
    TqQueue q = tq_queue(gpu, 0);
    AqlDispatch p = store_packet(gpu);

    arm(gpu, TESSERA_INJECT_HANG, 0, 0);
    tq_push(&q, &p);
    tq_settle(gpu);
    g_assert_cmpint(tq_get64(gpu, p.completion_signal + TQ_SIGNAL_VALUE), ==,
                    1);
    STEP_UNTIL(gpu, has_stopped(&q));
    g_assert_cmphex(tq_wait_error(&q), ==, 0x80000000);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0);
    g_assert_cmpuint(TQ_FIELD(tq_read(gpu, TESSERA_REG_QUEUE_FAULT_STATUS),
                              QUEUE_FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_HANG);
    g_assert_cmpint(resume(&q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_wait64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 0));
    tq_end(gpu);
}

static void test_hang_killed(void)
{
    TqGpu *gpu = tq_start(INJECT);
    TqQueue q = tq_queue(gpu, 0);
    AqlDispatch p = store_packet(gpu);

    arm(gpu, TESSERA_INJECT_HANG, 0, 0);
    tq_push(&q, &p);
    g_assert_true(TQ_POLL(queue_reg(&q, TESSERA_REG_QUEUE_INFLIGHT) == 1));
    tq_settle(gpu);
    g_assert_cmpuint(queue_reg(&q, TESSERA_REG_QUEUE_INFLIGHT), ==, 1);
    g_assert_cmpint(tq_queue_kill(&q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

static void test_overflow(void)
{
    TqGpu *gpu = tq_start(INJECT);
    uint64_t ring = tq_ring_enable(gpu, 6);
    TesseraIhEntry e;

    arm(gpu, TESSERA_INJECT_OVERFLOW, 0xffff, 0);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 2);
    g_assert_true(tq_ring_wait(gpu, ring, 6, 0, &e));
    g_assert_cmpuint(e.data, ==, 2);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_IH_DROPPED), ==, 1);
    tq_end(gpu);
}

/* An error that finds the ring full comes when the driver has read on. */
static void test_overflow_error(void)
{
    TqGpu *gpu = tq_start(INJECT);
    uint64_t ring = tq_ring_enable(gpu, 6);
    TqQueue q = tq_queue(gpu, 3);
    AqlDispatch p = store_packet(gpu);
    const uint32_t wptr = 1;
    TesseraIhEntry e;

    g_assert_true(tq_ring_wait(gpu, ring, 6, 0, &e)); /* of the command */
    arm(gpu, TESSERA_INJECT_OVERFLOW, 3, 0);
    p.setup = 0;
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_BAD_DIMENSIONS);
    tq_settle(gpu);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_IH_WPTR), ==, wptr);
    tq_write(gpu, TESSERA_REG_IH_RPTR, wptr);
    g_assert_true(tq_ring_wait(gpu, ring, 6, wptr, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_FAULT);
    g_assert_true(tq_ring_wait(gpu, ring, 6, wptr + 1, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_QUEUE_ERROR);
    g_assert_cmphex(e.data, ==, TESSERA_QERR_BAD_DIMENSIONS);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_IH_DROPPED), ==, 0);
    tq_end(gpu);
}

static void test_bad_fence(void)
{
    TqGpu *gpu = tq_start(INJECT);
    TqQueue q = tq_queue_prepare(gpu, 0, 16);
    TesseraCommand c = tq_command_init(TESSERA_CMD_MAP, 0);
    uint64_t at = tq_alloc(gpu, sizeof(c));

    c.descriptor = q.descriptor;
    c.fence_addr = tq_alloc(gpu, 8);
    c.fence_value = 0x1234;
    tq_put(gpu, at, &c, sizeof(c));
    arm(gpu, TESSERA_INJECT_BAD_FENCE, 0, 0);
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    g_assert_true(tq_wait64(gpu, c.fence_addr, ~0x1234ull));
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

/* Guest time goes by, and then it completes. */
static void test_slow(void)
{
    TqGpu *gpu = tq_start(INJECT);
    TqQueue q = tq_queue(gpu, 0);
    AqlDispatch p = store_packet(gpu);

    tq_write(gpu, TESSERA_REG_INJECT_DELAY, TESSERA_CLOCK_HZ / 10);
    arm(gpu, TESSERA_INJECT_SLOW, 0, 0);
    tq_push(&q, &p);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_INJECT_HITS, ~0u, 1));
    tq_settle(gpu);
    g_assert_cmpint(tq_get64(gpu, p.completion_signal + TQ_SIGNAL_VALUE), ==,
                    1);
    STEP_UNTIL(gpu, is_done(gpu, &p));
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/test-dma/copy", test_dma_copy);
    g_test_add_func("/test-dma/error", test_dma_error);
    g_test_add_func("/inject/hidden", test_hidden);
    g_test_add_func("/inject/page-fault", test_page_fault);
    g_test_add_func("/inject/lost-irq", test_lost_irq);
    g_test_add_func("/inject/hang", test_hang);
    g_test_add_func("/inject/hang-killed", test_hang_killed);
    g_test_add_func("/inject/overflow", test_overflow);
    g_test_add_func("/inject/overflow-error", test_overflow_error);
    g_test_add_func("/inject/bad-fence", test_bad_fence);
    g_test_add_func("/inject/slow", test_slow);
    return g_test_run();
}
