/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues beyond map and unmap, with shaders that really run: freeze, resume,
 * preemption, update, priorities, CU masks, turns, going on behind a fault.
 */
#include "tessera-qtest.h"

#define NOWHERE 0x8000000000ull

static int command(TqGpu *gpu, uint32_t op, unsigned slot, uint64_t desc,
                   uint32_t flags)
{
    TesseraCommand c = tq_command_init(op, slot);

    c.descriptor = desc;
    c.flags = flags;
    return tq_command(gpu, c);
}

static int freeze(TqQueue *q)
{
    return command(q->gpu, TESSERA_CMD_FREEZE, q->slot, 0, 0);
}

static int resume(TqQueue *q)
{
    return command(q->gpu, TESSERA_CMD_RESUME, q->slot, 0, 0);
}

static int preempt(TqQueue *q)
{
    return command(q->gpu, TESSERA_CMD_UNMAP, q->slot, 0,
                   TESSERA_UNMAP_PREEMPT);
}

static int update(TqQueue *q)
{
    return command(q->gpu, TESSERA_CMD_UPDATE, q->slot, q->descriptor, 0);
}

static int discard(TqQueue *q)
{
    return command(q->gpu, TESSERA_CMD_DISCARD, 0, q->descriptor, 0);
}

static uint32_t queue_reg(TqQueue *q, uint32_t reg)
{
    tq_write(q->gpu, TESSERA_REG_QUEUE_SELECT, q->slot);
    return tq_read(q->gpu, reg);
}

static AqlDispatch store_packet(TqGpu *gpu)
{
    uint64_t kernarg = tq_alloc(gpu, 64);

    tq_put64(gpu, kernarg, tq_alloc(gpu, 4096));
    return tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg, 256, 64);
}

static bool is_done(TqGpu *gpu, const AqlDispatch *p)
{
    return tq_get64(gpu, p->completion_signal + TQ_SIGNAL_VALUE) == 0;
}

static void set_descriptor(TqQueue *q, unsigned offset, uint32_t value)
{
    tq_put32(q->gpu, q->descriptor + offset, value);
}

/* ---- freeze and resume ---- */

/* When the fence has come no wave of the queue runs; others do. */
static void test_freeze(void)
{
    TqGpu *gpu = tq_start(",workers=1");
    TqEndless e = tq_endless(gpu, 1, false);
    TqQueue other = tq_queue(gpu, 2);
    AqlDispatch p = store_packet(gpu);

    for (int i = 0; i < 3; i++) {
        g_assert_true(tq_counts(&e));
        g_assert_cmpint(freeze(&e.q), ==, TESSERA_RESULT_OK);
        g_assert_true(tq_stands_still(&e));
        g_assert_cmpuint(queue_reg(&e.q, TESSERA_REG_QUEUE_STATE), ==, 3);
        g_assert_cmpuint(queue_reg(&e.q, TESSERA_REG_QUEUE_INFLIGHT), ==, 1);
        g_assert_cmpint(freeze(&e.q), ==, TESSERA_RESULT_BAD_STATE);
        tq_put64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 1);
        tq_run(&other, &p);
        g_assert_cmpint(resume(&e.q), ==, TESSERA_RESULT_OK);
        g_assert_cmpuint(queue_reg(&e.q, TESSERA_REG_QUEUE_STATE), ==, 1);
    }
    g_assert_true(tq_counts(&e));
    g_assert_cmpint(resume(&e.q), ==, TESSERA_RESULT_BAD_STATE);
    g_assert_cmpint(freeze(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_cmpint(tq_queue_unmap(&e.q), ==, TESSERA_RESULT_BAD_STATE);
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

/* A frozen queue takes no packets; resumed it needs no doorbell. */
static void test_freeze_packets(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlDispatch p = store_packet(gpu);

    g_assert_cmpint(freeze(&q), ==, TESSERA_RESULT_OK);
    tq_push(&q, &p);
    tq_settle(gpu);
    g_assert_false(is_done(gpu, &p));
    g_assert_cmpint(resume(&q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_wait64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 0));
    tq_end(gpu);
}

/* ---- preemption ---- */

/* The wave goes on with its registers in another slot. */
static void test_preempt(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless e = tq_endless(gpu, 1, true);
    uint32_t count;

    for (unsigned slot = 5; slot < 8; slot++) {
        g_assert_true(tq_counts(&e));
        g_assert_cmpint(preempt(&e.q), ==, TESSERA_RESULT_OK);
        g_assert_cmpuint(queue_reg(&e.q, TESSERA_REG_QUEUE_STATE), ==, 0);
        g_assert_true(tq_stands_still(&e));
        count = tq_get32(gpu, e.buf + 4);
        /* It does not start anew: nobody says "started" again. */
        tq_put32(gpu, e.buf, 0);
        e.q.slot = slot;
        g_assert_cmpint(tq_queue_map(&e.q), ==, TESSERA_RESULT_OK);
        g_assert_true(tq_counts(&e));
        g_assert_cmpuint(tq_get32(gpu, e.buf + 4) - count, <, 1u << 31);
        g_assert_cmpuint(tq_get32(gpu, e.buf), ==, 0);
    }
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

/* What nobody wants any more is dropped; then the ring starts anew. */
static void test_discard(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless e = tq_endless(gpu, 1, false);

    g_assert_cmpint(discard(&e.q), ==, TESSERA_RESULT_BAD_STATE);
    g_assert_cmpint(preempt(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_cmpint(discard(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_cmpint(discard(&e.q), ==, TESSERA_RESULT_BAD_STATE);
    tq_put32(gpu, e.buf, 0);
    /* The packet is still in the ring and not complete: it is run again. */
    g_assert_cmpint(tq_queue_map(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_wait32(gpu, e.buf, 1));
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

/* What is kept belongs to a ring and a read index. */
static void test_preempt_changed(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless e = tq_endless(gpu, 1, false);

    g_assert_cmpint(preempt(&e.q), ==, TESSERA_RESULT_OK);
    set_descriptor(&e.q, offsetof(TesseraQueue, ring_packets), 32);
    g_assert_cmpint(tq_queue_map(&e.q), ==, TESSERA_RESULT_BAD_STATE);
    set_descriptor(&e.q, offsetof(TesseraQueue, ring_packets), 64);
    g_assert_cmpint(tq_queue_map(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_counts(&e));
    tq_end(gpu);
}

/* 64 queues can be kept; the 65th goes on, and says so. */
static void test_preempt_no_room(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t code = tq_shader(gpu, "endless", false);
    TqQueue q[TESSERA_SAVED_QUEUES + 1];
    uint64_t buf[TESSERA_SAVED_QUEUES + 1];

    for (unsigned i = 0; i < G_N_ELEMENTS(q); i++) {
        uint64_t kernarg = tq_alloc(gpu, 64);
        AqlDispatch p = tq_dispatch(gpu, code, kernarg, 64, 64);

        q[i] = tq_queue_prepare(gpu, i, 4);
        buf[i] = tq_alloc(gpu, 64);
        tq_put64(gpu, kernarg, buf[i]);
        g_assert_cmpint(tq_queue_map(&q[i]), ==, TESSERA_RESULT_OK);
        tq_push(&q[i], &p);
        g_assert_true(tq_wait32(gpu, buf[i], 1));
        g_assert_cmpint(preempt(&q[i]), ==,
                        i < TESSERA_SAVED_QUEUES ? TESSERA_RESULT_OK
                                                 : TESSERA_RESULT_NO_ROOM);
    }
    g_assert_cmpuint(queue_reg(&q[TESSERA_SAVED_QUEUES],
                               TESSERA_REG_QUEUE_STATE), ==, 1);
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    /* Reset drops what is kept. */
    g_assert_cmpint(discard(&q[0]), ==, TESSERA_RESULT_BAD_STATE);
    tq_end(gpu);
}

/* ---- update ---- */

static void test_update(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlDispatch p = store_packet(gpu);

    set_descriptor(&q, offsetof(TesseraQueue, priority), 9);
    set_descriptor(&q, offsetof(TesseraQueue, cu_mask), 0x11);
    g_assert_cmpint(update(&q), ==, TESSERA_RESULT_OK);
    g_assert_cmpuint(queue_reg(&q, TESSERA_REG_QUEUE_PRIORITY), ==, 9);
    g_assert_cmphex(queue_reg(&q, TESSERA_REG_QUEUE_CU_MASK), ==, 0x11);
    tq_run(&q, &p);
    set_descriptor(&q, offsetof(TesseraQueue, doorbell), 1);
    g_assert_cmpint(update(&q), ==, TESSERA_RESULT_BAD_DESCRIPTOR);
    set_descriptor(&q, offsetof(TesseraQueue, doorbell), 0);
    set_descriptor(&q, offsetof(TesseraQueue, cu_mask), 0x100);
    g_assert_cmpint(update(&q), ==, TESSERA_RESULT_BAD_DESCRIPTOR);
    tq_end(gpu);
}

static void test_update_ring(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless e = tq_endless(gpu, 1, false);
    TqQueue q = tq_queue(gpu, 0);
    uint64_t ring = tq_alloc(gpu, 128 * AQL_PACKET_SIZE);
    AqlDispatch p = store_packet(gpu);

    for (unsigned i = 0; i < 128; i++) {
        tq_put32(gpu, ring + i * AQL_PACKET_SIZE, AQL_TYPE_INVALID);
    }
    set_descriptor(&e.q, offsetof(TesseraQueue, ring), ring);
    g_assert_cmpint(update(&e.q), ==, TESSERA_RESULT_BUSY);

    set_descriptor(&q, offsetof(TesseraQueue, ring), ring);
    set_descriptor(&q, offsetof(TesseraQueue, ring_packets), 128);
    g_assert_cmpint(update(&q), ==, TESSERA_RESULT_OK);
    q.ring = ring;
    q.packets = 128;
    tq_run(&q, &p);
    tq_end(gpu);
}

/* KFD's percentage 0: inactive until it is updated again. */
static void test_inactive(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless e = tq_endless(gpu, 1, false);

    set_descriptor(&e.q, offsetof(TesseraQueue, flags),
                   TESSERA_QUEUE_INACTIVE);
    g_assert_cmpint(update(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_stands_still(&e));
    g_assert_cmpuint(queue_reg(&e.q, TESSERA_REG_QUEUE_STATE), ==, 3);
    g_assert_cmpint(resume(&e.q), ==, TESSERA_RESULT_BAD_STATE);
    set_descriptor(&e.q, offsetof(TesseraQueue, flags), 0);
    g_assert_cmpint(update(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_counts(&e));
    tq_end(gpu);
}

/* ---- fairness ---- */

/* With one worker, beside a queue that never ends. */
static void test_beside_endless(void)
{
    TqGpu *gpu = tq_start(",workers=1");
    TqEndless a = tq_endless(gpu, 1, false);
    TqQueue b = tq_queue(gpu, 2);

    for (int i = 0; i < 20; i++) {
        AqlDispatch p = store_packet(gpu);

        tq_run(&b, &p);
    }
    g_assert_true(tq_counts(&a));
    tq_end(gpu);
}

/* More endless queues than run at a time: all count, and another is served. */
static void test_turns(void)
{
    enum { QUEUES = 40 };
    TqGpu *gpu = tq_start(",workers=1");
    uint64_t code = tq_shader(gpu, "endless", false);
    uint64_t buf[QUEUES];
    TqQueue last;

    for (unsigned i = 0; i < QUEUES; i++) {
        TqQueue q = tq_queue_prepare(gpu, i, 4);
        uint64_t kernarg = tq_alloc(gpu, 64);
        AqlDispatch p = tq_dispatch(gpu, code, kernarg, 64, 64);

        buf[i] = tq_alloc(gpu, 64);
        tq_put64(gpu, kernarg, buf[i]);
        g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
        tq_push(&q, &p);
    }
    for (unsigned i = 0; i < QUEUES; i++) {
        g_assert_true(tq_wait32(gpu, buf[i], 1));
    }
    last = tq_queue(gpu, 100);
    for (int i = 0; i < 3; i++) {
        AqlDispatch p = store_packet(gpu);

        tq_run(&last, &p);
    }
    tq_end(gpu);
}

/* ---- behind a fault ---- */

/* The driver mends what was wrong, and the dispatch is made again. */
static void test_resume_fault(void)
{
    TqGpu *gpu = tq_start(",workers=1"); /* so that group 0 is the first */
    TqQueue q = tq_queue(gpu, 2);
    AqlDispatch p = store_packet(gpu);
    uint64_t kernarg = p.kernarg_address, buf = tq_get64(gpu, kernarg);

    tq_put64(gpu, kernarg, NOWHERE);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmpuint(queue_reg(&q, TESSERA_REG_QUEUE_STATE), ==, 2);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_ADDR), ==,
                    NOWHERE);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_PC), !=, 0);
    tq_put64(gpu, kernarg, buf);
    g_assert_cmpint(resume(&q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_wait64(gpu, p.completion_signal + TQ_SIGNAL_VALUE, 0));
    g_assert_cmpuint(tq_get32(gpu, buf + 255 * 4), ==, 255);
    g_assert_cmphex(queue_reg(&q, TESSERA_REG_QUEUE_FAULT_STATUS), ==, 0);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_QUEUE_ERROR), ==, 0);
    tq_end(gpu);
}

/* Left out: its slot is free, its signal untouched, the next one runs. */
static void test_skip_fault(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 2);
    AqlDispatch bad = store_packet(gpu), good = store_packet(gpu);

    bad.setup = 0;
    tq_push(&q, &bad);
    tq_push(&q, &good);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_BAD_DIMENSIONS);
    g_assert_cmpint(command(gpu, TESSERA_CMD_RESUME, 2, 0,
                            TESSERA_RESUME_SKIP), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_wait64(gpu, good.completion_signal + TQ_SIGNAL_VALUE,
                            0));
    g_assert_false(is_done(gpu, &bad));
    g_assert_cmpuint(tq_get64(gpu, q.amd_queue +
                              offsetof(AmdQueue, read_dispatch_id)), ==, 2);
    tq_end(gpu);
}

/* Two queues fault; both records can be found and read. */
static void test_two_records(void)
{
    TqGpu *gpu = tq_start(",workers=1"); /* so that group 0 is the first */
    TqQueue a = tq_queue(gpu, 20), b = tq_queue(gpu, 700);
    AqlDispatch p = store_packet(gpu), r = store_packet(gpu);

    tq_put64(gpu, p.kernarg_address, NOWHERE);
    tq_put64(gpu, r.kernarg_address, NOWHERE + 0x10000);
    tq_push(&a, &p);
    g_assert_cmphex(tq_wait_error(&a), !=, 0);
    tq_push(&b, &r);
    g_assert_cmphex(tq_wait_error(&b), !=, 0);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_FAULT_STATUS,
                              TESSERA_FAULT_STATUS_MORE_MASK,
                              TESSERA_FAULT_STATUS_MORE_MASK));
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_QUEUE_NEXT_STOPPED), ==, 20);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 21);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_QUEUE_NEXT_STOPPED), ==, 700);
    g_assert_cmphex(queue_reg(&b, TESSERA_REG_QUEUE_FAULT_STATUS), !=, 0);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_ADDR), ==,
                    NOWHERE + 0x10000);
    g_assert_cmphex(queue_reg(&a, TESSERA_REG_QUEUE_FAULT_STATUS), !=, 0);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_ADDR), ==,
                    NOWHERE);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/freeze/running", test_freeze);
    g_test_add_func("/freeze/packets", test_freeze_packets);
    g_test_add_func("/preempt/running", test_preempt);
    g_test_add_func("/preempt/discard", test_discard);
    g_test_add_func("/preempt/changed", test_preempt_changed);
    g_test_add_func("/preempt/no-room", test_preempt_no_room);
    g_test_add_func("/update/settings", test_update);
    g_test_add_func("/update/ring", test_update_ring);
    g_test_add_func("/update/inactive", test_inactive);
    g_test_add_func("/fair/beside-endless", test_beside_endless);
    g_test_add_func("/fair/turns", test_turns);
    g_test_add_func("/resume/fault", test_resume_fault);
    g_test_add_func("/resume/skip", test_skip_fault);
    g_test_add_func("/resume/two-records", test_two_records);
    return g_test_run();
}
