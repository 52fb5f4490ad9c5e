/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a queue beyond map and unmap: freeze and resume, preemption,
 * update, and more dispatches than the engine runs at a time.
 */
#include <string.h>
#include "tests-unit/gpu-fixture.h"
#include "tests-unit/gpu-space.h"

#define ENGINE_DISPATCHES 32 /* as docs/programming-guide.md says */

static uint32_t command_result(Fixture *f, uint64_t at)
{
    return load32(&((TesseraCommand *)fixture_at(f, at))->result);
}

static uint32_t ring_reg(Fixture *f, Ring *r, uint32_t reg)
{
    set32(f, TESSERA_REG_QUEUE_SELECT, r->slot);
    return reg32(f, reg);
}

/* A ring with @count dispatches that run until the test lets them end. */
static Ring busy_ring(Fixture *f, unsigned slot, unsigned count,
                      uint64_t signal)
{
    Ring r = ring_map(f, slot, 16);
    AqlDispatch packet = dispatch_packet(f, signal);
    unsigned first = fake_engine_submitted();

    for (unsigned i = 0; i < count; i++) {
        ring_push(f, &r, &packet);
    }
    fake_engine_dispatch(first + count - 1);
    return r;
}

/* ---- freeze ---- */

static void test_freeze(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 3);
    Ring r = busy_ring(f, 7, 2, signal);
    AqlDispatch packet = dispatch_packet(f, signal);

    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 7, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    /* The fence has come: not a wave of it runs. */
    g_assert_cmpuint(fake_engine_active(), ==, 0);
    ring_push(f, &r, &packet);
    fake_engine_finish(0);
    let_it_settle();
    g_assert_cmpint(signal_value(f, signal), ==, 3);
    g_assert_cmpuint(fake_engine_submitted(), ==, 2);

    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 7, 0), ==,
                     TESSERA_RESULT_BAD_STATE);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 7, 0), ==,
                     TESSERA_RESULT_BAD_STATE);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 7, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    fake_engine_auto(true);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 3);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 7, 0), ==,
                     TESSERA_RESULT_BAD_STATE);
    fixture_free(f);
}

/* An idle queue, and one that waits for a signal, freeze as well. */
static void test_freeze_idle(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16), idle = ring_map(f, 1, 16);
    uint64_t dep = signal_new(f, 1), done = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, &dep, 1);

    ring_push(f, &r, &packet);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 1, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 0, 0), ==,
                     TESSERA_RESULT_OK);
    store64(&signal_at(f, dep)->value, 0);
    let_it_settle();
    g_assert_cmpint(signal_value(f, done), ==, 1);
    run_command(f, TESSERA_CMD_RESUME, 0, 0);
    WAIT_FOR(signal_value(f, done) == 0);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 1, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_state(f, &idle), ==, 0);
    fixture_free(f);
}

static void test_kill_frozen(void)
{
    Fixture *f = fixture_new(0);
    Ring r = busy_ring(f, 0, 8, 0);

    run_command(f, TESSERA_CMD_FREEZE, 0, 0);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(fake_engine_running(), ==, 0);
    g_assert_cmpuint(ring_state(f, &r), ==, 0);
    fixture_free(f);
}

/* Slots and flags that the new commands refuse. */
static void test_refused(void)
{
    static const struct {
        uint32_t op, slot, flags, result;
    } cases[] = {
        { TESSERA_CMD_FREEZE, 5, 0, TESSERA_RESULT_BAD_SLOT },
        { TESSERA_CMD_FREEZE, 1024, 0, TESSERA_RESULT_BAD_SLOT },
        { TESSERA_CMD_RESUME, 5, 0, TESSERA_RESULT_BAD_SLOT },
        { TESSERA_CMD_RESUME, 0, 0, TESSERA_RESULT_BAD_STATE },
        { TESSERA_CMD_RESUME, 0, 2, TESSERA_RESULT_BAD_COMMAND },
        { TESSERA_CMD_FREEZE, 0, 1, TESSERA_RESULT_BAD_COMMAND },
        { TESSERA_CMD_KILL, 0, 1, TESSERA_RESULT_BAD_COMMAND },
        { TESSERA_CMD_UNMAP, 0, 2, TESSERA_RESULT_BAD_COMMAND },
        { TESSERA_CMD_UPDATE, 0, 0, TESSERA_RESULT_BAD_DESCRIPTOR },
        { TESSERA_CMD_UPDATE, 5, 0, TESSERA_RESULT_BAD_SLOT },
        { TESSERA_CMD_DISCARD, 0, 0, TESSERA_RESULT_BAD_DESCRIPTOR },
        { TESSERA_CMD_DISCARD, 1, 0, TESSERA_RESULT_BAD_SLOT },
    };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t at = fixture_alloc(f, sizeof(TesseraCommand));
        TesseraCommand *command = fixture_at(f, at);

        *command = (TesseraCommand){
            .size = sizeof(*command),
            .version = TESSERA_ABI_VERSION,
            .op = cases[i].op,
            .slot = cases[i].slot,
            .flags = cases[i].flags,
        };
        set64(f, TESSERA_REG_CMD_ADDR, at);
        WAIT_FOR(load32(&command->result));
        g_assert_cmpuint(load32(&command->result), ==, cases[i].result);
    }
    g_assert_cmpuint(run_command(f, TESSERA_CMD_DISCARD, 0, r.desc_at), ==,
                     TESSERA_RESULT_BAD_STATE); /* nothing is kept */
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    fixture_free(f);
}

/* ---- preemption ---- */

static uint32_t preempt(Fixture *f, unsigned slot)
{
    f->flags = TESSERA_UNMAP_PREEMPT;
    return run_command(f, TESSERA_CMD_UNMAP, slot, 0);
}

/* An endless dispatch leaves its slot and goes on in another one. */
static void test_preempt(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 4);
    Ring r = busy_ring(f, 3, 2, signal);
    AqlDispatch packet = dispatch_packet(f, signal);

    g_assert_cmpuint(preempt(f, 3), ==, TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_state(f, &r), ==, 0);
    g_assert_cmpuint(fake_engine_active(), ==, 0);
    g_assert_cmpuint(fake_engine_running(), ==, 2);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);

    /* Slot and doorbell are free for others, who do not disturb it. */
    busy_ring(f, 3, 1, 0);
    run_command(f, TESSERA_CMD_KILL, 3, 0);

    ring_put(f, &r, &packet); /* written meanwhile; needs no doorbell */
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 9, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    r.slot = 9;
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_INFLIGHT), >=, 2);
    fake_engine_dispatch(3);
    /* Those that were kept go on; they are not started again. */
    g_assert_cmpuint(fake_engine_active(), ==, 3);
    g_assert_cmphex(fake_engine_dispatch(3).launch.dispatch_ptr, ==,
                    r.ring_at + 2 * 64);
    fake_engine_finish(1);
    fake_engine_finish(3);
    WAIT_FOR(signal_value(f, signal) == 2);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 1);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 3);
    fixture_free(f);
}

/* What a preempted queue has left behind cannot be saved, until it is gone. */
static void test_preempt_save(void)
{
    Fixture *f = fixture_new(0);
    Ring r = busy_ring(f, 3, 1, 0);
    g_autoptr(GByteArray) state = g_byte_array_new();
    g_autoptr(GError) error = NULL;

    g_assert_cmpuint(preempt(f, 3), ==, TESSERA_RESULT_OK);
    g_assert_false(tessera_gpu_save(f->gpu, state, &error));
    g_assert_cmpstr(error->message, ==, "the queue preempted from slot 3 is "
                    "kept; map or discard it");
    g_assert_cmpuint(run_command(f, TESSERA_CMD_DISCARD, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    g_assert_true(tessera_gpu_save(f->gpu, state, NULL));
    fixture_free(f);
}

/* With nothing to keep it is an unmap, as often as one likes. */
static void test_preempt_idle(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    uint64_t dep = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0, &dep, 1);

    ring_put(f, &r, &packet);
    for (unsigned i = 0; i < 2 * TESSERA_SAVED_QUEUES; i++) {
        g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r.desc_at), ==,
                         TESSERA_RESULT_OK);
        g_assert_cmpuint(preempt(f, 0), ==, TESSERA_RESULT_OK);
    }
    g_assert_cmpuint(run_command(f, TESSERA_CMD_DISCARD, 0, r.desc_at), ==,
                     TESSERA_RESULT_BAD_STATE);
    fixture_free(f);
}

/* The bound on what is kept; the one too many goes on as if nothing were. */
static void test_preempt_no_room(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 1);
    Ring rings[TESSERA_SAVED_QUEUES + 1];
    uint64_t heap;

    for (unsigned i = 0; i < G_N_ELEMENTS(rings); i++) {
        rings[i] = busy_ring(f, i, 1,
                             i == TESSERA_SAVED_QUEUES ? signal : 0);
        if (i < TESSERA_SAVED_QUEUES) {
            g_assert_cmpuint(preempt(f, i), ==, TESSERA_RESULT_OK);
        }
    }
    g_assert_cmpuint(preempt(f, TESSERA_SAVED_QUEUES), ==,
                     TESSERA_RESULT_NO_ROOM);
    g_assert_cmpuint(ring_state(f, &rings[TESSERA_SAVED_QUEUES]), ==, 1);
    fake_engine_finish(TESSERA_SAVED_QUEUES);
    WAIT_FOR(signal_value(f, signal) == 0);

    heap = f->heap;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_DISCARD, 0,
                                 rings[5].desc_at), ==, TESSERA_RESULT_OK);
    g_assert_cmpuint(fake_engine_running(), ==, TESSERA_SAVED_QUEUES - 1);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_DISCARD, 0,
                                 rings[5].desc_at), ==,
                     TESSERA_RESULT_BAD_STATE);
    f->heap = heap;
    busy_ring(f, 99, 1, 0);
    g_assert_cmpuint(preempt(f, 99), ==, TESSERA_RESULT_OK);
    tessera_gpu_reset(f->gpu);
    g_assert_cmpuint(fake_engine_running(), ==, 0);
    fixture_free(f);
}

/* What is kept must fit what the driver says of the ring. */
static void test_preempt_changed(void)
{
    Fixture *f = fixture_new(0);
    Ring r = busy_ring(f, 0, 1, 0);

    g_assert_cmpuint(preempt(f, 0), ==, TESSERA_RESULT_OK);
    store64(&r.amd->read_dispatch_id, 1);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r.desc_at), ==,
                     TESSERA_RESULT_BAD_STATE);
    store64(&r.amd->read_dispatch_id, 0);
    r.desc->ring_packets = 8;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r.desc_at), ==,
                     TESSERA_RESULT_BAD_STATE);
    r.desc->ring_packets = 16;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

/* Signals that a barrier has seen count after preemption, too. */
static void test_preempt_barrier(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t dep[2] = { signal_new(f, 0), signal_new(f, 1) };
    uint64_t done = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, dep, 2);

    ring_push(f, &r, &packet);
    WAIT_FOR(ring_reg(f, &r, TESSERA_REG_QUEUE_WAITS) == 3);
    g_assert_cmpuint(preempt(f, 0), ==, TESSERA_RESULT_OK);
    store64(&signal_at(f, dep[0])->value, 1);
    store64(&signal_at(f, dep[1])->value, 0);
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    let_it_settle();
    /* The packet is read anew with its queue, what it saw is not lost. */
    WAIT_FOR(signal_value(f, done) == 0);
    fixture_free(f);
}

/* A frozen queue that is preempted comes back frozen. */
static void test_preempt_frozen(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 1);
    Ring r = busy_ring(f, 0, 1, signal);

    run_command(f, TESSERA_CMD_FREEZE, 0, 0);
    g_assert_cmpuint(preempt(f, 0), ==, TESSERA_RESULT_OK);
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    fake_engine_finish(0);
    let_it_settle();
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    run_command(f, TESSERA_CMD_RESUME, 0, 0);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* Commands on a queue in the middle of one, and KILL, which comes through. */
static void test_busy(void)
{
    Fixture *f = fixture_new(0);
    Ring r = busy_ring(f, 0, 1, 0);
    const unsigned ops[] = { TESSERA_CMD_UNMAP, TESSERA_CMD_FREEZE,
                             TESSERA_CMD_RESUME, TESSERA_CMD_UPDATE };
    uint64_t unmap = submit_command(f, TESSERA_CMD_UNMAP, 0, 0);

    for (unsigned i = 0; i < G_N_ELEMENTS(ops); i++) {
        g_assert_cmpuint(run_command(f, ops[i], 0,
                                     ops[i] == TESSERA_CMD_UPDATE
                                         ? r.desc_at : 0), ==,
                         TESSERA_RESULT_BUSY);
    }
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(command_result(f, unmap), ==, TESSERA_RESULT_OK);
    fixture_free(f);
}

/* ---- update ---- */

static void test_update_settings(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    r.desc->priority = 3;
    r.desc->cu_mask = 0x0f;
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    ring_push(f, &r, &packet);
    g_assert_cmpuint(fake_engine_dispatch(0).priority, ==, 3);
    g_assert_cmphex(fake_engine_dispatch(0).cu_mask, ==, 0x0f);
    r.desc->priority = 15;
    r.desc->cu_mask = 0x80;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_reg(f, &r, TESSERA_REG_QUEUE_PRIORITY), ==, 15);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_CU_MASK), ==, 0x80);
    ring_push(f, &r, &packet);
    g_assert_cmpuint(fake_engine_dispatch(1).priority, ==, 15);
    g_assert_cmphex(fake_engine_dispatch(1).cu_mask, ==, 0x80);

    r.desc->priority = 16;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_BAD_DESCRIPTOR);
    r.desc->priority = 0;
    r.desc->doorbell = 1;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_BAD_DESCRIPTOR);
    g_assert_cmpuint(ring_reg(f, &r, TESSERA_REG_QUEUE_PRIORITY), ==, 15);
    fixture_free(f);
}

/* A larger ring elsewhere, once nothing is in flight in the old one. */
static void test_update_ring(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 2);
    Ring r = busy_ring(f, 0, 1, signal);
    AqlDispatch packet = dispatch_packet(f, signal);
    uint64_t larger = fixture_alloc(f, 64 * AQL_PACKET_SIZE);
    AqlDispatch *ring = fixture_at(f, larger);

    for (unsigned i = 0; i < 64; i++) {
        ring[i].header = AQL_TYPE_INVALID;
    }
    r.desc->ring = larger;
    r.desc->ring_packets = 64;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_BUSY);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 1);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    r.ring = ring;
    r.packets = 64;
    ring_push(f, &r, &packet);
    g_assert_cmphex(fake_engine_dispatch(1).launch.dispatch_ptr, ==,
                    larger + 64);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* KFD's percentage 0. */
static void test_inactive(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 2);
    Ring r = busy_ring(f, 0, 1, signal);
    AqlDispatch packet = dispatch_packet(f, signal);

    r.desc->flags = TESSERA_QUEUE_INACTIVE;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(fake_engine_active(), ==, 0);
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 0, 0), ==,
                     TESSERA_RESULT_BAD_STATE);
    fake_engine_auto(true);
    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpint(signal_value(f, signal), ==, 2);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK); /* again: nothing changes */

    /* Frozen twice it needs both to go on. */
    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 0, 0), ==,
                     TESSERA_RESULT_OK);
    r.desc->flags = 0;
    run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at);
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    run_command(f, TESSERA_CMD_RESUME, 0, 0);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

static void test_map_inactive(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, signal, NULL, 0);

    r.desc->flags = TESSERA_QUEUE_INACTIVE;
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    r.desc->flags = 0;
    run_command(f, TESSERA_CMD_UPDATE, 0, r.desc_at);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* ---- more than the engine runs at a time ---- */

/* Every one of 100 queues with an endless dispatch gets its turn. */
static void test_turns(void)
{
    enum { QUEUES = 100 };
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, 0);
    Ring ring[QUEUES], last;

    for (unsigned i = 0; i < QUEUES; i++) {
        ring[i] = ring_map(f, i, 4);
        ring_push(f, &ring[i], &packet);
    }
    WAIT_FOR(fake_engine_submitted() == QUEUES);
    g_assert_cmpuint(fake_engine_active(), <=, ENGINE_DISPATCHES);
    g_assert_cmpuint(fake_engine_running(), ==, QUEUES);

    /* The one that comes last and ends at once completes beside them. */
    last = ring_map(f, 1000, 4);
    packet = dispatch_packet(f, signal);
    ring_push(f, &last, &packet);
    fake_engine_finish(QUEUES);
    WAIT_FOR(signal_value(f, signal) == 0);

    for (unsigned i = 0; i < QUEUES; i++) {
        g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, i, 0), ==,
                         TESSERA_RESULT_OK);
    }
    g_assert_cmpuint(fake_engine_running(), ==, 0);
    fixture_free(f);
}

/* While there are more than fit, a queue has one dispatch in flight. */
static void test_turns_bound(void)
{
    Fixture *f = fixture_new(0);
    AqlDispatch packet = dispatch_packet(f, 0);
    Ring ring[8];

    for (unsigned i = 0; i < G_N_ELEMENTS(ring); i++) {
        ring[i] = ring_map(f, i, 16);
        for (unsigned n = 0; n < 8; n++) {
            ring_put(f, &ring[i], &packet);
        }
        ring_bell(f, &ring[i]);
    }
    WAIT_FOR(fake_engine_submitted() >= ENGINE_DISPATCHES);
    let_it_settle();
    g_assert_cmpuint(fake_engine_running(), <=,
                     ENGINE_DISPATCHES + G_N_ELEMENTS(ring));
    fake_engine_auto(true);
    for (unsigned i = 0; i < G_N_ELEMENTS(ring); i++) {
        WAIT_FOR(load64(&ring[i].amd->read_dispatch_id) == 8);
    }
    fixture_free(f);
}

/* A VMID with one queue is not pushed aside by one with sixty. */
static void test_turns_vmids(void)
{
    enum { QUEUES = 60 };
    Fixture *f = fixture_new(0);
    Space *s = space_new(f, 3, 8 << 20);
    Ring alone = ring_new(f, 500, 4);
    AqlDispatch packet = dispatch_packet(f, 0);
    bool turns = false;

    space_map(s, MOCK_RAM_BASE, MOCK_RAM_SIZE, MOCK_RAM_BASE | RAM_RWX);
    space_on(s);
    alone.desc->vmid = 3;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 500, alone.desc_at), ==,
                     TESSERA_RESULT_OK);
    alone.doorbell = 3 * TESSERA_SLICE_DOORBELLS + 500;
    ring_push(f, &alone, &packet);
    g_assert_cmpuint(fake_engine_dispatch(0).vmid, ==, 3);
    for (unsigned i = 0; i < QUEUES; i++) {
        Ring r = ring_map(f, i, 4);

        ring_push(f, &r, &packet);
    }
    WAIT_FOR(fake_engine_submitted() == 1 + QUEUES);
    /* For 200 ms at least, and until the others have taken turns. */
    for (unsigned i = 0; i < 40 || !turns; i++) {
        g_assert_false(fake_engine_suspended(0));
        turns |= fake_engine_suspended(1) || fake_engine_suspended(2);
        g_usleep(5000);
    }
    space_free(s);
    fixture_free(f);
}

/* Time off the engine does not count for hang-timeout. */
static void test_hang_frozen(void)
{
    Fixture *f = fixture_new(1000000000);
    Ring r = busy_ring(f, 0, 1, 0);

    mock_host_advance(f->mock, 400000000);
    run_command(f, TESSERA_CMD_FREEZE, 0, 0);
    mock_host_advance(f->mock, 5000000000);
    g_usleep(20000);
    run_command(f, TESSERA_CMD_RESUME, 0, 0);
    g_usleep(20000);
    g_assert_cmpuint(fake_engine_running(), ==, 1);
    mock_host_advance(f->mock, 599999999);
    g_usleep(20000);
    g_assert_cmpuint(fake_engine_running(), ==, 1);
    mock_host_advance(f->mock, 1);
    g_assert_cmphex(ring_wait_error(f, &r), ==, 0x80000000);
    fixture_free(f);
}

/* Freeze, preempt, map, kill in every order, while dispatches end. */
static void test_churn(void)
{
    Fixture *f = fixture_new(0);
    uint64_t heap;
    GRand *rand = g_rand_new_with_seed(20251130);
    Ring r = ring_new(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    heap = f->heap;
    for (unsigned i = 0; i < 3000; i++) {
        static const unsigned ops[] = {
            TESSERA_CMD_MAP, TESSERA_CMD_MAP, TESSERA_CMD_UNMAP,
            TESSERA_CMD_FREEZE, TESSERA_CMD_RESUME, TESSERA_CMD_RESUME,
            TESSERA_CMD_UPDATE, TESSERA_CMD_KILL, TESSERA_CMD_DISCARD,
        };
        unsigned op = ops[g_rand_int_range(rand, 0, G_N_ELEMENTS(ops))];
        bool desc = op == TESSERA_CMD_MAP || op == TESSERA_CMD_UPDATE ||
                    op == TESSERA_CMD_DISCARD;

        f->heap = heap;
        if (op == TESSERA_CMD_UNMAP) {
            f->flags = TESSERA_UNMAP_PREEMPT;
        }
        g_assert_cmpuint(run_command(f, op, 0, desc ? r.desc_at : 0), !=, 0);
        if (r.wptr - load64(&r.amd->read_dispatch_id) < 16) {
            ring_push(f, &r, &packet);
        }
        fake_engine_auto(g_rand_int_range(rand, 0, 4) == 0);
    }
    g_rand_free(rand);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/freeze/running", test_freeze);
    g_test_add_func("/gpu/freeze/idle", test_freeze_idle);
    g_test_add_func("/gpu/freeze/kill", test_kill_frozen);
    g_test_add_func("/gpu/freeze/hang-timeout", test_hang_frozen);
    g_test_add_func("/gpu/commands/refused", test_refused);
    g_test_add_func("/gpu/commands/busy", test_busy);
    g_test_add_func("/gpu/preempt/running", test_preempt);
    g_test_add_func("/gpu/preempt/idle", test_preempt_idle);
    g_test_add_func("/gpu/preempt/save", test_preempt_save);
    g_test_add_func("/gpu/preempt/no-room", test_preempt_no_room);
    g_test_add_func("/gpu/preempt/changed", test_preempt_changed);
    g_test_add_func("/gpu/preempt/barrier", test_preempt_barrier);
    g_test_add_func("/gpu/preempt/frozen", test_preempt_frozen);
    g_test_add_func("/gpu/update/settings", test_update_settings);
    g_test_add_func("/gpu/update/ring", test_update_ring);
    g_test_add_func("/gpu/update/inactive", test_inactive);
    g_test_add_func("/gpu/update/map-inactive", test_map_inactive);
    g_test_add_func("/gpu/turns/all", test_turns);
    g_test_add_func("/gpu/turns/bound", test_turns_bound);
    g_test_add_func("/gpu/turns/vmids", test_turns_vmids);
    g_test_add_func("/gpu/churn", test_churn);
    return g_test_run();
}
