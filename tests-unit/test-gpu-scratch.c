/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scratch memory, and asking the runtime for it. */
#include "tests-unit/gpu-fixture.h"

#define SCRATCH_AT 0x7000000000ull
#define SCRATCH_BYTES (64 * 4096ull)

/* As ROCm's runtime fills it in: waves of 4 KiB, 64 bytes a lane. */
static void give_scratch(Ring *r, unsigned waves)
{
    r->amd->compute_tmpring_size = waves | 4 << 12;
    r->amd->scratch_resource_descriptor[0] = (uint32_t)SCRATCH_AT;
    r->amd->scratch_resource_descriptor[1] = SCRATCH_AT >> 32 | 1u << 31;
    r->amd->scratch_resource_descriptor[2] = SCRATCH_BYTES;
    r->amd->scratch_resource_descriptor[3] = 0x00ea4fac;
    r->amd->scratch_backing_memory_location = SCRATCH_AT;
    r->amd->scratch_backing_memory_byte_size = SCRATCH_BYTES;
    r->amd->scratch_wave64_lane_byte_size = 64;
}

static AqlDispatch scratch_packet(Fixture *f, uint64_t signal, uint32_t size)
{
    AqlDispatch packet = dispatch_packet(f, signal);

    packet.private_size = size;
    return packet;
}

static void test_fields(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = scratch_packet(f, 0, 64);
    EngineDispatch d;

    give_scratch(&r, 32);
    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(0);
    g_assert_cmphex(d.launch.scratch_base, ==, SCRATCH_AT);
    g_assert_cmpuint(d.launch.scratch_wave_size, ==, 4096);
    g_assert_cmpuint(d.launch.scratch_waves, ==, 32);
    g_assert_cmpuint(d.launch.private_size, ==, 64);
    g_assert_cmphex(d.launch.scratch_desc[1], ==, 0x80000070);
    g_assert_cmphex(d.launch.scratch_desc[3], ==, 0x00ea4fac);
    fixture_free(f);
}

/* No more waves than the backing memory holds, whatever TMPRING says. */
static void test_clamp(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = scratch_packet(f, 0, 64);

    give_scratch(&r, 0xfff);
    ring_push(f, &r, &packet);
    g_assert_cmpuint(fake_engine_dispatch(0).launch.scratch_waves, ==, 64);
    fixture_free(f);
}

/* Waves share the queue's scratch by number: one such dispatch at a time. */
static void test_exclusive(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch with = scratch_packet(f, 0, 64);
    AqlDispatch without = dispatch_packet(f, 0);

    give_scratch(&r, 32);
    ring_push(f, &r, &with);
    ring_push(f, &r, &without);
    ring_push(f, &r, &with);
    fake_engine_dispatch(1);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 2);
    fake_engine_finish(0);
    fake_engine_dispatch(2);
    fixture_free(f);
}

/* What makes it too little: lane size, wave size, waves of a group. */
static void take_away(Ring *r, unsigned what)
{
    switch (what) {
    case 0:
        r->amd->scratch_wave64_lane_byte_size = 60;
        break;
    case 1:
        r->amd->compute_tmpring_size = 32 | 3 << 12;
        break;
    case 2:
        r->amd->compute_tmpring_size = 32;
        break;
    case 3:
        r->amd->compute_tmpring_size = 0 | 4 << 12;
        break;
    case 4:
        r->amd->scratch_backing_memory_byte_size = 4095;
        break;
    case 5:
        r->amd->scratch_backing_memory_byte_size = 0;
        break;
    }
}

static void test_handshake(void)
{
    for (unsigned what = 0; what < 6; what++) {
        Fixture *f = fixture_new(0);
        Ring r = ring_map(f, 0, 16);
        uint64_t signal = signal_new(f, 1);
        AqlDispatch first = dispatch_packet(f, 0);
        AqlDispatch packet = scratch_packet(f, signal, 64);

        give_scratch(&r, 32);
        take_away(&r, what);
        r.inactive->event_mailbox_ptr = fixture_alloc(f, 8);
        r.inactive->event_id = 3;
        ring_push(f, &r, &first);
        ring_push(f, &r, &packet);
        fake_engine_dispatch(0);
        let_it_settle();
        /* The runtime looks at the packet that read_dispatch_id names. */
        g_assert_cmphex(load64(&r.inactive->value), ==, 0);
        fake_engine_finish(0);
        g_assert_cmpuint(next_entry_from(f, TESSERA_IH_SIGNAL).data, ==, 3);
        g_assert_cmphex(load64(&r.inactive->value), ==, 1);
        g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 1);
        g_assert_cmpuint(r.ring[1].header, ==, AQL_TYPE_DISPATCH);
        let_it_settle();
        g_assert_cmpuint(ring_state(f, &r), ==, 1);
        g_assert_cmpuint(fake_engine_submitted(), ==, 1);

        /* Not enough yet: it asks once more. */
        store64(&r.inactive->value, 0);
        g_assert_cmpuint(next_entry_from(f, TESSERA_IH_SIGNAL).data, ==, 3);
        give_scratch(&r, 32);
        store64(&r.inactive->value, 0);
        fake_engine_finish(1);
        WAIT_FOR(signal_value(f, signal) == 0);
        fixture_free(f);
    }
}

/* A group of 16 waves needs 16 parts at once. */
static void test_group_waves(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = scratch_packet(f, 0, 64);

    packet.group_x = packet.grid_x = 1024;
    give_scratch(&r, 15);
    ring_push(f, &r, &packet);
    WAIT_FOR(load64(&r.inactive->value) == 1);
    give_scratch(&r, 16);
    store64(&r.inactive->value, 0);
    g_assert_cmpuint(fake_engine_dispatch(0).launch.scratch_waves, ==, 16);
    fixture_free(f);
}

/* Nobody to ask: an error. */
static void test_no_one_to_ask(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_new(f, 1, 16);
    AqlDispatch packet = scratch_packet(f, 0, 4);

    a.amd->queue_inactive_signal = 0;
    ring_push(f, &a, &packet);
    g_assert_cmphex(ring_wait_error(f, &a), ==, TESSERA_QERR_SCRATCH_NEEDED);

    b.amd->read_dispatch_id_field_base_byte_offset = 0;
    run_command(f, TESSERA_CMD_MAP, 1, b.desc_at);
    ring_push(f, &b, &packet);
    g_assert_cmphex(ring_wait_error(f, &b), ==, TESSERA_QERR_SCRATCH_NEEDED);
    fixture_free(f);
}

static void test_bad_inactive_signal(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = scratch_packet(f, 0, 4);

    r.amd->queue_inactive_signal = MOCK_ROM_BASE;
    ring_push(f, &r, &packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    fixture_free(f);
}

/* Scratch that is lent for one dispatch is offered back after it. */
static void test_once(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch big = scratch_packet(f, signal, 64);
    AqlDispatch next = dispatch_packet(f, 0);

    give_scratch(&r, 32);
    r.amd->queue_properties = AMD_QUEUE_PROP_SCRATCH_ONCE;
    ring_push(f, &r, &big);
    ring_push(f, &r, &next);
    fake_engine_dispatch(0);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 1);
    g_assert_cmphex(load64(&r.inactive->value), ==, 0);
    fake_engine_finish(0);
    WAIT_FOR(load64(&r.inactive->value) == 512);
    g_assert_cmpint(signal_value(f, signal), ==, 0);
    store64(&r.inactive->value, 0);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 1);
    __atomic_store_n(&r.amd->queue_properties, 0, __ATOMIC_RELEASE);
    fake_engine_dispatch(1);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/scratch/fields", test_fields);
    g_test_add_func("/gpu/scratch/clamp", test_clamp);
    g_test_add_func("/gpu/scratch/exclusive", test_exclusive);
    g_test_add_func("/gpu/scratch/handshake", test_handshake);
    g_test_add_func("/gpu/scratch/group-waves", test_group_waves);
    g_test_add_func("/gpu/scratch/no-one-to-ask", test_no_one_to_ask);
    g_test_add_func("/gpu/scratch/bad-signal", test_bad_inactive_signal);
    g_test_add_func("/gpu/scratch/once", test_once);
    return g_test_run();
}
