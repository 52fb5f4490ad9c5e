/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pause, reset, kill, unmapping and freeing, whatever the guest is doing. */
#include <string.h>
#include <time.h>
#include "tests-unit/gpu-fixture.h"

/* Ways of being busy; each leaves the device with work it cannot finish. */

static void busy_shader(Fixture *f)
{
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
}

static void busy_barrier(Fixture *f)
{
    Ring r = ring_map(f, 1, 16);
    uint64_t dep = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0, &dep, 1);

    ring_push(f, &r, &packet);
}

static void busy_barrier_bit(Fixture *f)
{
    Ring r = ring_map(f, 2, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    packet.header |= AQL_HEADER_BARRIER;
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
}

static void busy_full_ih(Fixture *f)
{
    for (unsigned i = 0; i < 600; i++) {
        set32(f, TESSERA_REG_TEST_IRQ, i);
    }
}

static void busy_unmapping(Fixture *f)
{
    Ring r = ring_map(f, 3, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    unsigned n = fake_engine_submitted();

    ring_push(f, &r, &packet);
    fake_engine_dispatch(n);
    submit_command(f, TESSERA_CMD_UNMAP, 3, 0);
}

static void busy_scratch(Fixture *f)
{
    Ring r = ring_map(f, 4, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    packet.private_size = 64;
    ring_push(f, &r, &packet);
}

static void busy_full_ring(Fixture *f)
{
    Ring r = ring_map(f, 5, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    for (unsigned i = 0; i < 16; i++) {
        ring_push(f, &r, &packet);
    }
}

static void busy_commands(Fixture *f)
{
    for (unsigned i = 0; i < 70; i++) {
        set64(f, TESSERA_REG_CMD_ADDR, 0x40);
    }
}

/* Every bit in the barrier's ring is a packet: it never runs dry. */
static void busy_ring(Fixture *f)
{
    Ring r = ring_map(f, 6, 4096);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_OR, 0, NULL, 0);

    for (unsigned i = 0; i < 4096; i++) {
        ring_put(f, &r, &packet);
    }
    ring_bell(f, &r);
}

static void idle(Fixture *f)
{
}

static void (*const ways[])(Fixture *) = {
    idle, busy_shader, busy_barrier, busy_barrier_bit, busy_full_ih,
    busy_unmapping, busy_scratch, busy_full_ring, busy_ring, busy_commands,
};

static void busy_all(Fixture *f)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(ways); i++) {
        ways[i](f);
    }
}

static void for_each_way(void (*check)(Fixture *f))
{
    for (unsigned i = 0; i <= G_N_ELEMENTS(ways); i++) {
        for (unsigned settled = 0; settled < 2; settled++) {
            Fixture *f = fixture_new(0);

            if (i < G_N_ELEMENTS(ways)) {
                ways[i](f);
            } else {
                busy_all(f);
            }
            if (settled) {
                let_it_settle();
            }
            check(f);
            fixture_free(f);
        }
    }
}

static uint64_t ram_sum(Fixture *f)
{
    const uint64_t *words = (const uint64_t *)f->mock->ram;
    uint64_t sum = 0;

    for (unsigned i = 0; i < MOCK_RAM_SIZE / 8; i++) {
        sum = sum * 31 + words[i];
    }
    return sum;
}

/* While paused not a byte changes, and no time is lost waiting. */
static void check_pause(Fixture *f)
{
    unsigned irqs, maps;
    uint64_t sum;

    tessera_gpu_pause(f->gpu);
    tessera_gpu_pause(f->gpu); /* does not nest */
    sum = ram_sum(f);
    irqs = load32(&f->mock->irqs);
    maps = load32(&f->mock->maps);
    fake_engine_auto(true);
    let_it_settle();
    g_assert_cmphex(ram_sum(f), ==, sum);
    g_assert_cmpuint(load32(&f->mock->irqs), ==, irqs);
    g_assert_cmpuint(load32(&f->mock->maps), ==, maps);
    tessera_gpu_resume(f->gpu);
    tessera_gpu_resume(f->gpu);
    WAIT_FOR(fake_engine_running() == 0);
}

static void test_pause(void)
{
    for_each_way(check_pause);
}

static void check_reset(Fixture *f)
{
    Ring r;
    AqlDispatch packet;
    uint64_t signal, sum;

    tessera_gpu_reset(f->gpu);
    g_assert_cmpuint(fake_engine_running(), ==, 0);
    sum = ram_sum(f);
    let_it_settle();
    g_assert_cmphex(ram_sum(f), ==, sum);
    for (unsigned slot = 0; slot < TESSERA_QUEUES; slot++) {
        set32(f, TESSERA_REG_QUEUE_SELECT, slot);
        g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_STATE), ==, 0);
        g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_INFLIGHT), ==, 0);
    }
    set32(f, TESSERA_REG_QUEUE_SELECT, 0);
    g_assert_cmpuint(reg32(f, TESSERA_REG_CMD_DONE), ==, 0);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_WPTR), ==, 0);

    /* It works as if nothing had been. */
    fake_engine_auto(true);
    r = ring_map(f, 0, 16);
    signal = signal_new(f, 1);
    packet = dispatch_packet(f, signal);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 0);
}

static void test_reset(void)
{
    for_each_way(check_reset);
}

static void check_reset_paused(Fixture *f)
{
    uint64_t sum;

    tessera_gpu_pause(f->gpu);
    sum = ram_sum(f);
    set32(f, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    set32(f, TESSERA_REG_TEST_IRQ, 5);
    let_it_settle();
    g_assert_cmphex(ram_sum(f), ==, sum);
    tessera_gpu_resume(f->gpu);
    check_reset(f);
}

static void test_reset_paused(void)
{
    for_each_way(check_reset_paused);
}

static void check_free(Fixture *f)
{
}

static void check_free_paused(Fixture *f)
{
    tessera_gpu_pause(f->gpu);
}

static void test_free(void)
{
    for_each_way(check_free);
    for_each_way(check_free_paused);
}

/* The host's pointers are forgotten and asked for again. */
static void check_remap(Fixture *f)
{
    unsigned forgotten = fake_engine_forgotten();

    tessera_gpu_unmap_all(f->gpu);
    g_assert_cmpuint(fake_engine_forgotten(), ==, forgotten + 1);
    mock_host_move_ram(f->mock);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    fake_engine_auto(true);
    WAIT_FOR(fake_engine_running() == 0);
    check_reset(f);
}

static void test_remap(void)
{
    for_each_way(check_remap);
}

/* Bus master off: everything faults, nothing breaks. */
static void check_offline(Fixture *f)
{
    tessera_gpu_unmap_all(f->gpu);
    f->mock->offline = true;
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    fake_engine_auto(true);
    set64(f, TESSERA_REG_CMD_ADDR, f->heap - 4096);
    set32(f, TESSERA_REG_TEST_IRQ, 1);
    for (unsigned i = 0; i < 16; i++) {
        tessera_gpu_doorbell_write(f->gpu, i * 8, 0, 8);
    }
    let_it_settle();
    tessera_gpu_unmap_all(f->gpu);
    f->mock->offline = false;
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    check_reset(f);
}

static void test_offline(void)
{
    for_each_way(check_offline);
}

/* Pausing while unmapped, and the other way round. */
static void test_nested_holds(void)
{
    Fixture *f = fixture_new(0);
    const TesseraBars none = { 0 };

    tessera_gpu_unmap_all(f->gpu);
    tessera_gpu_pause(f->gpu);
    tessera_gpu_unmap_end(f->gpu, &none);
    set32(f, TESSERA_REG_TEST_IRQ, 1);
    let_it_settle();
    g_assert_false(has_entry(f));
    tessera_gpu_unmap_all(f->gpu);
    tessera_gpu_resume(f->gpu);
    let_it_settle();
    g_assert_false(has_entry(f));
    tessera_gpu_unmap_end(f->gpu, &none);
    next_entry(f);
    fixture_free(f);
}

/* ---- unmap and kill ---- */

static void test_unmap_drains(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 2), at;
    AqlDispatch packet = dispatch_packet(f, signal);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    ring_wait_idle(f, &r); /* it is not looking for a packet any more */
    at = submit_command(f, TESSERA_CMD_UNMAP, 0, 0);
    ring_push(f, &r, &packet); /* too late, stays in the ring */
    let_it_settle();
    g_assert_cmpuint(load32(&((TesseraCommand *)fixture_at(f, at))->result),
                     ==, TESSERA_RESULT_PENDING);
    g_assert_cmpuint(fake_engine_submitted(), ==, 1);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 0, 0), ==,
                     TESSERA_RESULT_BUSY);
    fake_engine_finish(0);
    WAIT_FOR(load32(&((TesseraCommand *)fixture_at(f, at))->result) ==
             TESSERA_RESULT_OK);
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    g_assert_cmpuint(ring_state(f, &r), ==, 0);

    /* Mapped again it goes on with that packet, without a doorbell. */
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* A barrier that is never satisfied does not keep a queue mapped. */
static void test_unmap_barrier(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t dep = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0, &dep, 1);

    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);
    g_assert_cmpuint(r.ring[0].header, ==, AQL_TYPE_BARRIER_AND);
    fixture_free(f);
}

static void test_kill(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);

    for (unsigned i = 0; i < 8; i++) {
        ring_push(f, &r, &packet);
    }
    fake_engine_dispatch(7);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(fake_engine_running(), ==, 0);
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    g_assert_cmpuint(ring_state(f, &r), ==, 0);
    g_assert_cmphex(load64(&r.inactive->value), ==, 0);
    g_assert_cmphex(reg32(f, TESSERA_REG_FAULT_STATUS), ==, 0);
    fixture_free(f);
}

/* A queue that never drains is killed while being unmapped. */
static void test_kill_unmapping(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    TesseraCommand *unmap;

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    unmap = fixture_at(f, submit_command(f, TESSERA_CMD_UNMAP, 0, 0));
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(load32(&unmap->result), ==, TESSERA_RESULT_OK);
    fixture_free(f);
}

static void test_kill_stopped(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    packet.setup = 0;
    ring_push(f, &r, &packet);
    ring_wait_error(f, &r);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_error(f, &r), ==, 0);
    fixture_free(f);
}

/* ---- time ---- */

static void test_hang(void)
{
    Fixture *f = fixture_new(1000000000);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    mock_host_advance(f->mock, 999999999);
    g_usleep(20000);
    g_assert_cmpuint(fake_engine_running(), ==, 1);
    mock_host_advance(f->mock, 1);
    g_assert_cmphex(ring_wait_error(f, &r), ==, 0x80000000);
    g_assert_cmpuint(reg32(f, TESSERA_REG_FAULT_STATUS) >> 8 & 0xff, ==,
                     TESSERA_FAULT_HANG);
    fixture_free(f);
}

static void test_no_hang(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    mock_host_advance(f->mock, INT64_MAX / 4);
    g_usleep(20000);
    g_assert_cmpuint(fake_engine_running(), ==, 1);
    fixture_free(f);
}

static int64_t cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/*
 * A tenth of a CPU at most, at least once: threads may have been on their way
 * to sleep, and a host that is busy counts other things as well.
 */
static void check_idle_cpu(void)
{
    int64_t before, used;
    unsigned tries = 0;

    do {
        before = cpu_ns();
        g_usleep(200000);
        used = cpu_ns() - before;
    } while (used >= 20000000 && ++tries < 20);
    g_assert_cmpint(used, <, 20000000);
}

/* A device with nothing to do costs no CPU; nor does a paused one. */
static void test_idle_cpu(void)
{
    Fixture *f = fixture_new(0);

    busy_shader(f);
    check_idle_cpu();

    busy_barrier(f);
    busy_scratch(f);
    tessera_gpu_pause(f->gpu);
    check_idle_cpu();
    tessera_gpu_resume(f->gpu);
    fixture_free(f);
}

/* Neither a long ring nor a waiting one keeps another queue from its turn. */
static void test_fairness(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 100, 16);
    uint64_t signal = signal_new(f, 200);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, signal, NULL, 0);

    busy_ring(f);
    busy_barrier(f);
    for (unsigned i = 0; i < 200; i++) {
        ring_push(f, &r, &packet);
    }
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* All 1,024 queues at once. */
static void test_all_queues(void)
{
    Fixture *f = fixture_new(0);
    uint64_t ring_at = fixture_alloc(f, TESSERA_QUEUES * 4 * 64);
    uint64_t amd_at = fixture_alloc(f, TESSERA_QUEUES * sizeof(AmdQueue));
    uint64_t signal = signal_new(f, TESSERA_QUEUES);
    AqlDispatch *ring = fixture_at(f, ring_at);
    Ring r = ring_new(f, 0, 16);

    fake_engine_auto(true);
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        AmdQueue *amd = fixture_at(f, amd_at + i * sizeof(AmdQueue));

        ring[i * 4] = dispatch_packet(f, signal);
        for (unsigned p = 1; p < 4; p++) {
            ring[i * 4 + p].header = AQL_TYPE_INVALID;
        }
        amd->read_dispatch_id_field_base_byte_offset = 0x80;
        r.desc->ring = ring_at + i * 4 * 64;
        r.desc->ring_packets = 4;
        r.desc->read_index_addr = amd_at + i * sizeof(AmdQueue) + 0x80;
        r.desc->write_index_addr = 0;
        r.desc->doorbell = i;
        g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, i, r.desc_at), ==,
                         TESSERA_RESULT_OK);
    }
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        tessera_gpu_doorbell_write(f->gpu, i * 8, 0, 8);
    }
    WAIT_FOR(signal_value(f, signal) == 0);
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, i, 0), ==,
                         TESSERA_RESULT_OK);
    }
    fixture_free(f);
}

static void test_stats(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 3);
    AqlDispatch packet = dispatch_packet(f, signal);
    TesseraStats stats;

    fake_engine_auto(true);
    for (unsigned i = 0; i < 3; i++) {
        ring_push(f, &r, &packet);
    }
    WAIT_FOR(signal_value(f, signal) == 0);
    tessera_gpu_pause(f->gpu);
    tessera_gpu_stats(f->gpu, &stats);
    g_assert_cmpuint(stats.dispatches, ==, 3);
    g_assert_cmpuint(stats.instructions, ==, 30);
    g_assert_cmpuint(stats.lane_instructions, ==, 1920);
    g_assert_cmpuint(stats.waves, ==, 3);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/life/pause", test_pause);
    g_test_add_func("/gpu/life/reset", test_reset);
    g_test_add_func("/gpu/life/reset-paused", test_reset_paused);
    g_test_add_func("/gpu/life/free", test_free);
    g_test_add_func("/gpu/life/remap", test_remap);
    g_test_add_func("/gpu/life/offline", test_offline);
    g_test_add_func("/gpu/life/nested-holds", test_nested_holds);
    g_test_add_func("/gpu/unmap/drains", test_unmap_drains);
    g_test_add_func("/gpu/unmap/barrier", test_unmap_barrier);
    g_test_add_func("/gpu/kill/running", test_kill);
    g_test_add_func("/gpu/kill/unmapping", test_kill_unmapping);
    g_test_add_func("/gpu/kill/stopped", test_kill_stopped);
    g_test_add_func("/gpu/time/hang", test_hang);
    g_test_add_func("/gpu/time/no-hang", test_no_hang);
    g_test_add_func("/gpu/time/idle-cpu", test_idle_cpu);
    g_test_add_func("/gpu/queues/fairness", test_fairness);
    g_test_add_func("/gpu/queues/all", test_all_queues);
    g_test_add_func("/gpu/stats", test_stats);
    return g_test_run();
}
