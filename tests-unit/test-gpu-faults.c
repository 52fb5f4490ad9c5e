/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults: a record for each queue, going on behind one, and errors that wait
 * for room in the interrupt ring.
 */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

static uint32_t resume(Fixture *f, unsigned slot, bool skip)
{
    f->flags = skip ? TESSERA_RESUME_SKIP : 0;
    return run_command(f, TESSERA_CMD_RESUME, slot, 0);
}

static void select_queue(Fixture *f, unsigned slot)
{
    set32(f, TESSERA_REG_QUEUE_SELECT, slot);
}

static void fault_dispatch(Fixture *f, Ring *r, unsigned n, unsigned cause,
                           uint64_t address)
{
    EngineFault fault = {
        .cause = cause,
        .access = ENGINE_WRITE,
        .address = address,
        .pc = address + 1,
        .lanes = address + 2,
    };

    fake_engine_fault(n, &fault);
    ring_wait_error(f, r);
}

/* ---- records ---- */

/* Two faults at once: FAULT_ has the first, each queue has its own. */
static void test_records(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 3, 16), b = ring_map(f, 900, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    AqlBarrier first = barrier_packet(AQL_TYPE_BARRIER_AND, 0, NULL, 0);

    ring_push(f, &b, &first);
    ring_push(f, &a, &packet);
    fake_engine_dispatch(0);
    ring_push(f, &b, &packet);
    fake_engine_dispatch(1);
    fault_dispatch(f, &a, 0, TESSERA_FAULT_UNMAPPED, 0x111000);
    fault_dispatch(f, &b, 1, TESSERA_FAULT_TRAP, 0x222000);

    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_ADDR), ==, 0x111000);
    select_queue(f, 3);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS), ==,
                    3 | TESSERA_FAULT_UNMAPPED << 8);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, 0x111000);
    g_assert_cmpuint(reg64(f, TESSERA_REG_QUEUE_FAULT_INDEX), ==, 0);
    select_queue(f, 900);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS), ==,
                    3 | TESSERA_FAULT_TRAP << 8);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, 0x222000);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_PC), ==, 0x222001);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_LANES), ==, 0x222002);
    g_assert_cmpuint(reg64(f, TESSERA_REG_QUEUE_FAULT_INDEX), ==, 1);

    /* Every stopped queue can be found. */
    select_queue(f, 0);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_NEXT_STOPPED), ==, 3);
    select_queue(f, 4);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_NEXT_STOPPED), ==, 900);
    select_queue(f, 901);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_NEXT_STOPPED), ==, 0xffff);

    /* Clearing FAULT_ leaves the queues' records alone; the slot ends them. */
    set32(f, TESSERA_REG_FAULT_STATUS, 1);
    select_queue(f, 900);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, 0x222000);
    run_command(f, TESSERA_CMD_KILL, 900, 0);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS), ==, 0);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, 0);
    fixture_free(f);
}

/* Several dispatches of one queue: the first is kept, MORE says so. */
static void test_more(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
    fault_dispatch(f, &r, 1, TESSERA_FAULT_UNMAPPED, 0x1000);
    fault_dispatch(f, &r, 0, TESSERA_FAULT_TRAP, 0x2000);
    select_queue(f, 0);
    WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) & 8);
    g_assert_cmpuint(reg64(f, TESSERA_REG_QUEUE_FAULT_INDEX), ==, 1);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_ERROR), ==, 0xa0000000);
    fixture_free(f);
}

/* ---- resume ---- */

/* A shader's fault: the dispatch is made again from its packet. */
static void test_resume_dispatch(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal[3] = { signal_new(f, 1), signal_new(f, 1),
                           signal_new(f, 1) };

    for (unsigned i = 0; i < 3; i++) {
        AqlDispatch packet = dispatch_packet(f, signal[i]);

        packet.grid_x = 64 * (i + 1);
        ring_push(f, &r, &packet);
    }
    fake_engine_dispatch(2);
    fault_dispatch(f, &r, 1, TESSERA_FAULT_UNMAPPED, 0x1000);
    fake_engine_finish(2);
    WAIT_FOR(signal_value(f, signal[2]) == 0);
    g_assert_cmpuint(resume(f, 0, false), ==, TESSERA_RESULT_OK);
    g_assert_cmpuint(fake_engine_dispatch(3).grid[0], ==, 128);
    g_assert_cmphex(fake_engine_dispatch(3).launch.dispatch_ptr, ==,
                    r.ring_at + 64);
    g_assert_cmpuint(fake_engine_dispatch(3).launch.dispatch_id, ==, 1);
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    g_assert_cmphex(ring_error(f, &r), ==, 0);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS), ==, 0);
    fake_engine_auto(true);
    WAIT_FOR(signal_value(f, signal[1]) == 0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 3);
    g_assert_cmpint(signal_value(f, signal[0]), ==, 0);
    g_assert_cmpuint(fake_engine_submitted(), ==, 4);
    fixture_free(f);
}

/* Left out: its slot is free, its signal is the driver's business. */
static void test_skip_dispatch(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 5);
    AqlDispatch packet = dispatch_packet(f, signal);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    fault_dispatch(f, &r, 0, TESSERA_FAULT_UNMAPPED, 0x1000);
    ring_push(f, &r, &packet);
    g_assert_cmpuint(resume(f, 0, true), ==, TESSERA_RESULT_OK);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 1);
    g_assert_cmpint(signal_value(f, signal), ==, 5);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 4);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 2);
    fixture_free(f);
}

/* A bad packet that the driver mends, or leaves out. */
static void test_resume_packet(void)
{
    Fixture *f = fixture_new(0);

    for (unsigned skip = 0; skip < 2; skip++) {
        Ring r = ring_map(f, skip, 16);
        uint64_t signal = signal_new(f, 2);
        AqlDispatch packet = dispatch_packet(f, signal);
        unsigned first = fake_engine_submitted();

        packet.setup = 0;
        ring_push(f, &r, &packet);
        packet.setup = 1;
        ring_push(f, &r, &packet);
        ring_wait_error(f, &r);
        if (!skip) { /* unmended it stops again */
            resume(f, skip, false);
            g_assert_cmphex(ring_wait_error(f, &r), ==,
                            TESSERA_QERR_BAD_DIMENSIONS);
            store_words(&r.ring[0], &packet, 1);
        }
        g_assert_cmpuint(resume(f, skip, skip), ==, TESSERA_RESULT_OK);
        for (unsigned i = 0; i < 2 - skip; i++) {
            fake_engine_finish(first + i);
        }
        WAIT_FOR(signal_value(f, signal) == (int)skip);
        WAIT_FOR(load64(&r.amd->read_dispatch_id) == 2);
    }
    fixture_free(f);
}

/*
 * The signal's memory is not there when the dispatch ends.  After it has been
 * mended the completion is made up for; the kernel does not run twice.
 */
static void test_resume_completion(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 9), mailbox = fixture_alloc(f, 8);
    AmdSignal *s = signal_at(f, signal);
    AqlDispatch packet = dispatch_packet(f, signal);

    s->event_mailbox_ptr = 0x40; /* nothing there */
    s->event_id = 77;
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
    fake_engine_finish(0);
    ring_wait_error(f, &r);
    g_assert_cmpint(signal_value(f, signal), ==, 8);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 7);
    resume(f, 0, false);
    ring_wait_error(f, &r); /* still not */
    s->event_mailbox_ptr = mailbox;
    g_assert_cmpuint(resume(f, 0, false), ==, TESSERA_RESULT_OK);
    g_assert_cmpuint(next_entry_from(f, TESSERA_IH_SIGNAL).data, ==, 77);
    g_assert_cmpuint(next_entry_from(f, TESSERA_IH_SIGNAL).data, ==, 77);
    g_assert_cmpuint(load64(fixture_at(f, mailbox)), ==, 77);
    g_assert_cmpint(signal_value(f, signal), ==, 7); /* not once more */
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    g_assert_cmpuint(fake_engine_submitted(), ==, 2);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 2);
    fixture_free(f);
}

/* The same when the ring itself cannot be written. */
static void test_resume_ring(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    uint64_t signal = signal_new(f, 2);
    AqlDispatch packet = dispatch_packet(f, signal);
    AqlDispatch *rom = (AqlDispatch *)f->mock->rom;

    for (unsigned i = 0; i < 16; i++) {
        rom[i].header = AQL_TYPE_INVALID;
    }
    r.desc->ring = MOCK_ROM_BASE;
    r.ring = rom;
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    ring_push(f, &r, &packet);
    fake_engine_finish(0);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmpint(signal_value(f, signal), ==, 2);
    resume(f, 0, false);
    ring_wait_error(f, &r);
    g_assert_cmpuint(fake_engine_submitted(), ==, 1);
    fixture_free(f);
}

/* A queue with an error can be preempted, and resumed elsewhere. */
static void test_preempt_stopped(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 2);
    AqlDispatch packet = dispatch_packet(f, signal);

    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
    fault_dispatch(f, &r, 0, TESSERA_FAULT_UNMAPPED, 0x5000);
    f->flags = TESSERA_UNMAP_PREEMPT;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 8, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    r.slot = 8;
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, 0x5000);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 1);
    resume(f, 8, false);
    fake_engine_finish(2);
    WAIT_FOR(signal_value(f, signal) == 0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 2);
    fixture_free(f);
}

/* hang-timeout's fault is one like others. */
static void test_resume_hang(void)
{
    Fixture *f = fixture_new(1000000);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    mock_host_advance(f->mock, 1000001);
    g_assert_cmphex(ring_wait_error(f, &r), ==, 0x80000000);
    resume(f, 0, false);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* ---- causes ---- */

/* Every cause that there is stops its queue with a bit that tells its kind. */
static void test_every_cause(void)
{
    static const struct {
        TesseraFaultCause cause;
        const char *name;
    } causes[] = {
#define CAUSE(n, v, doc) { v, #n },
        TESSERA_FAULTS(CAUSE)
    };
    Fixture *f = fixture_new(0);
    AqlDispatch packet = dispatch_packet(f, 0);

    for (unsigned i = 1; i < G_N_ELEMENTS(causes); i++) {
        uint64_t heap = f->heap;
        Ring r = ring_map(f, i, 16);
        unsigned n = fake_engine_submitted();
        uint32_t bits;

        ring_push(f, &r, &packet);
        fake_engine_dispatch(n);
        fault_dispatch(f, &r, n, causes[i].cause, 0x1000);
        bits = ring_error(f, &r);
        g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) >> 8 & 0xff,
                         ==, causes[i].cause);
        if (bits != 0x20000000 && bits != 0x40000000 && bits != 0x80000000 &&
            bits != 0x100 && bits != 0x20) {
            g_error("%s: error bits %#x", causes[i].name, bits);
        }
        run_command(f, TESSERA_CMD_KILL, i, 0);
        memset(fixture_at(f, heap), 0, f->heap - heap);
        f->heap = heap;
    }
    fixture_free(f);
}

/* ---- a full interrupt ring ---- */

static void fill_ring(Fixture *f)
{
    set32(f, TESSERA_REG_IH_CONTROL,
          4 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT |
          TESSERA_IH_CONTROL_ENABLE_MASK);
    for (unsigned i = 0; i < 16; i++) {
        set32(f, TESSERA_REG_TEST_IRQ, 0);
    }
    WAIT_FOR(reg32(f, TESSERA_REG_IH_WPTR) - f->ih_read == 16);
}

/* Errors wait for room; other events are dropped and counted. */
static void test_errors_wait(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    const TesseraIhEntry *ring = fixture_at(f, f->ih_at);
    uint32_t dropped, wptr;

    ring_push(f, &a, &packet);
    ring_push(f, &b, &packet);
    fake_engine_dispatch(1);
    f->ih_read = reg32(f, TESSERA_REG_IH_WPTR);
    set32(f, TESSERA_REG_IH_RPTR, f->ih_read);
    fill_ring(f);
    dropped = reg32(f, TESSERA_REG_IH_DROPPED);
    fault_dispatch(f, &a, 0, TESSERA_FAULT_UNMAPPED, 0x1000);
    fault_dispatch(f, &b, 1, TESSERA_FAULT_TRAP, 0x2000);
    run_command(f, TESSERA_CMD_RESUME, 77, 0); /* an event that is dropped */
    WAIT_FOR(reg32(f, TESSERA_REG_IH_DROPPED) == dropped + 1);
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);

    /* Room for three of the four: they come in order. */
    wptr = reg32(f, TESSERA_REG_IH_WPTR);
    set32(f, TESSERA_REG_IH_RPTR, f->ih_read + 3);
    WAIT_FOR(load32(fixture_at(f, f->ih_wptr_at)) == wptr + 3);
    g_assert_cmpuint(ring[wptr % 16].source, ==, TESSERA_IH_FAULT);
    g_assert_cmphex(ring[wptr % 16].data, ==, 0x1000);
    g_assert_cmpuint(ring[(wptr + 1) % 16].source, ==,
                     TESSERA_IH_QUEUE_ERROR);
    g_assert_cmphex(ring[(wptr + 1) % 16].data, ==, 0x20000000);
    g_assert_cmpuint(ring[(wptr + 2) % 16].source, ==, TESSERA_IH_FAULT);
    g_assert_cmpuint(ring[(wptr + 2) % 16].queue, ==, 1);
    set32(f, TESSERA_REG_IH_RPTR, f->ih_read + 4);
    WAIT_FOR(load32(fixture_at(f, f->ih_wptr_at)) == wptr + 4);
    g_assert_cmpuint(ring[(wptr + 3) % 16].source, ==,
                     TESSERA_IH_QUEUE_ERROR);
    g_assert_cmphex(ring[(wptr + 3) % 16].data, ==, 0x80000000);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_DROPPED), ==, dropped + 1);
    fixture_free(f);
}

/* Those of a queue that was resumed say that it is well; others are gone. */
static void test_errors_wait_too_long(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    const TesseraIhEntry *ring = fixture_at(f, f->ih_at);
    uint32_t wptr;

    ring_push(f, &a, &packet);
    ring_push(f, &b, &packet);
    fake_engine_dispatch(1);
    f->ih_read = reg32(f, TESSERA_REG_IH_WPTR);
    set32(f, TESSERA_REG_IH_RPTR, f->ih_read);
    fill_ring(f);
    fault_dispatch(f, &a, 0, TESSERA_FAULT_UNMAPPED, 0x1000);
    fault_dispatch(f, &b, 1, TESSERA_FAULT_TRAP, 0x2000);
    resume(f, 0, true);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 1, 0), ==,
                     TESSERA_RESULT_OK);
    /* Not before the events of the two commands have found no room. */
    WAIT_FOR(reg32(f, TESSERA_REG_IH_DROPPED) == 2);
    wptr = reg32(f, TESSERA_REG_IH_WPTR);
    set32(f, TESSERA_REG_IH_RPTR, wptr);
    WAIT_FOR(load32(fixture_at(f, f->ih_wptr_at)) == wptr + 2);
    for (unsigned i = 0; i < 2; i++) {
        g_assert_cmpuint(ring[(wptr + i) % 16].source, ==,
                         i ? TESSERA_IH_QUEUE_ERROR : TESSERA_IH_FAULT);
        g_assert_cmpuint(ring[(wptr + i) % 16].queue, ==, 0);
        g_assert_cmphex(ring[(wptr + i) % 16].data, ==, 0);
    }
    let_it_settle();
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_WPTR), ==, wptr + 2);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/fault/records", test_records);
    g_test_add_func("/gpu/fault/more", test_more);
    g_test_add_func("/gpu/fault/every-cause", test_every_cause);
    g_test_add_func("/gpu/resume/dispatch", test_resume_dispatch);
    g_test_add_func("/gpu/resume/skip", test_skip_dispatch);
    g_test_add_func("/gpu/resume/packet", test_resume_packet);
    g_test_add_func("/gpu/resume/completion", test_resume_completion);
    g_test_add_func("/gpu/resume/ring", test_resume_ring);
    g_test_add_func("/gpu/resume/preempted", test_preempt_stopped);
    g_test_add_func("/gpu/resume/hang", test_resume_hang);
    g_test_add_func("/gpu/ih/errors-wait", test_errors_wait);
    g_test_add_func("/gpu/ih/errors-wait-too-long", test_errors_wait_too_long);
    return g_test_run();
}
