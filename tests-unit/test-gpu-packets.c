/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets: dispatch, barriers, completion signals, every kind of bad packet. */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

/* ---- dispatch ---- */

/* HSA 2.9.6 and the amdhsa kernel descriptor, field by field. */
static void test_dispatch_fields(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 3, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    EngineDispatch d;

    set32(f, TESSERA_REG_VM_SH_MEM_BASES, 0x00030004);
    set32(f, TESSERA_REG_VM_SH_MEM_CONFIG, 0xffffffff);
    packet.setup = 3;
    packet.group_x = 8;
    packet.group_y = 4;
    packet.group_z = 2;
    packet.grid_x = 100;
    packet.grid_y = 200;
    packet.grid_z = 300;
    packet.group_size = 65536;
    packet.reserved2 = 1; /* HIP's profiler uses it */
    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(0);
    g_assert_cmpuint(d.vmid, ==, 0);
    g_assert_cmpuint(d.grid[0], ==, 100);
    g_assert_cmpuint(d.grid[1], ==, 200);
    g_assert_cmpuint(d.grid[2], ==, 300);
    g_assert_cmpuint(d.group_size[0], ==, 8);
    g_assert_cmpuint(d.group_size[1], ==, 4);
    g_assert_cmpuint(d.group_size[2], ==, 2);
    g_assert_cmphex(d.launch.entry, ==, f->kernel_at + 256);
    g_assert_cmphex(d.launch.rsrc1, ==, 0x00af0081);
    g_assert_cmphex(d.launch.rsrc2, ==, 0x00000991);
    g_assert_cmphex(d.launch.rsrc3, ==, 0x5);
    g_assert_cmphex(d.launch.properties, ==, 0x29);
    g_assert_cmphex(d.launch.dispatch_ptr, ==, r.ring_at);
    g_assert_cmphex(d.launch.queue_ptr, ==, r.amd_at);
    g_assert_cmphex(d.launch.kernarg_ptr, ==, 0x123450);
    g_assert_cmpuint(d.launch.dispatch_id, ==, 0);
    g_assert_cmpuint(d.launch.private_size, ==, 0);
    g_assert_cmpuint(d.launch.lds_size, ==, 65536);
    g_assert_cmphex(d.launch.private_base_hi, ==, 4);
    g_assert_cmphex(d.launch.shared_base_hi, ==, 3);
    g_assert_cmphex(d.launch.mem_config, ==, 0x80000019); /* its fields */

    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(1);
    g_assert_cmphex(d.launch.dispatch_ptr, ==, r.ring_at + 64);
    g_assert_cmpuint(d.launch.dispatch_id, ==, 1);
    fixture_free(f);
}

/* An amd_kernel_code_t: versions at 0 and 4, the rest agrees from 16 on. */
static void test_old_kernel_object(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    uint64_t at = fixture_alloc(f, 8192);
    uint32_t *code = fixture_at(f, at);
    EngineDispatch d;

    code[0] = 1;      /* amd_kernel_code_version_major */
    code[1] = 2;      /* minor */
    code[4] = 0x1000; /* kernel_code_entry_byte_offset */
    code[12] = 0xac0041; /* compute_pgm_resource_registers */
    code[13] = 0x90;
    code[14] = 0x8;
    code[16] = 999;   /* workgroup_group_segment_byte_size */
    packet.kernel_object = at;
    packet.group_size = 512;
    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(0);
    g_assert_cmphex(d.launch.entry, ==, at + 0x1000);
    g_assert_cmphex(d.launch.rsrc1, ==, 0xac0041);
    g_assert_cmphex(d.launch.rsrc2, ==, 0x90);
    g_assert_cmphex(d.launch.properties, ==, 0x8);
    g_assert_cmpuint(d.launch.lds_size, ==, 512);
    g_assert_cmpuint(d.launch.private_size, ==, 0);
    fixture_free(f);
}

/* Code may lie below its descriptor. */
static void test_negative_entry(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    uint64_t at = fixture_alloc(f, 8192) + 4096;
    AmdKernelDescriptor *kernel = fixture_at(f, at);

    kernel->kernel_code_entry_byte_offset = -0x1000;
    packet.kernel_object = at;
    ring_push(f, &r, &packet);
    g_assert_cmphex(fake_engine_dispatch(0).launch.entry, ==, at - 0x1000);
    fixture_free(f);
}

static void test_completion(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 5);
    uint64_t mailbox = fixture_alloc(f, 8);
    AmdSignal *s = signal_at(f, signal);
    AqlDispatch packet = dispatch_packet(f, signal);
    const uint8_t *reported = f->mock->reported - MOCK_RAM_BASE;
    TesseraIhEntry entry;

    s->event_mailbox_ptr = mailbox;
    s->event_id = 42;
    *(uint64_t *)fixture_at(f, mailbox) = UINT64_MAX;
    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    g_assert_cmpint(signal_value(f, signal), ==, 5);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);
    mock_host_advance(f->mock, 5000);
    fake_engine_finish(0);
    entry = next_entry_from(f, TESSERA_IH_SIGNAL);
    g_assert_cmpuint(entry.data, ==, 42);
    g_assert_cmpuint(entry.queue, ==, 0);
    g_assert_cmpint(signal_value(f, signal), ==, 4);
    g_assert_cmpuint(load64(fixture_at(f, mailbox)), ==, 42);
    g_assert_cmpuint(s->start_ts, ==, 1000000 / 10);
    g_assert_cmpuint(s->end_ts, ==, 1005000 / 10);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 1);
    g_assert_cmpuint(r.ring[0].header, ==, AQL_TYPE_INVALID);
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    g_assert_cmpuint(reg64(f, TESSERA_REG_QUEUE_READ_INDEX), ==, 1);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_INFLIGHT), ==, 0);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_true(reported[signal + offsetof(AmdSignal, value) + i]);
        g_assert_true(reported[signal + offsetof(AmdSignal, start_ts) + i]);
        g_assert_true(reported[signal + offsetof(AmdSignal, end_ts) + i]);
        g_assert_true(reported[mailbox + i]);
        g_assert_true(reported[r.amd_at + 0x80 + i]);
    }
    g_assert_true(reported[r.ring_at] && reported[r.ring_at + 1]);
    g_assert_false(reported[signal + offsetof(AmdSignal, kind)]);
    fixture_free(f);
}

/* No mailbox, no interrupt. */
static void test_silent_signal(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 0);
    AqlDispatch packet = dispatch_packet(f, signal);

    next_entry(f); /* of the map command */
    ring_push(f, &r, &packet);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == -1);
    let_it_settle();
    g_assert_false(has_entry(f));
    fixture_free(f);
}

/* Everything in VRAM, and a ring that wraps many times. */
static void test_wrap(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 4);
    AqlDispatch packet = dispatch_packet(f, TESSERA_VRAM_WINDOW + 0x10000);
    AmdSignal *signal = fixture_at(f, TESSERA_VRAM_WINDOW + 0x10000);

    memcpy(f->vram + 0x20000, fixture_at(f, f->kernel_at), 512);
    packet.kernel_object = TESSERA_VRAM_WINDOW + 0x20000;
    r.desc->ring = r.ring_at = TESSERA_VRAM_WINDOW + 0x1000;
    r.ring = fixture_at(f, r.ring_at);
    for (unsigned i = 0; i < 4; i++) {
        r.ring[i].header = AQL_TYPE_INVALID;
    }
    signal->value = 1000;
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    fake_engine_auto(true);
    for (unsigned i = 0; i < 1000; i++) {
        ring_push(f, &r, &packet);
    }
    WAIT_FOR(load64(&signal->value) == 0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 1000);
    /* Each is reported after it has been stored. */
    WAIT_FOR(__atomic_load_n(&f->mock->vram_reports, __ATOMIC_RELAXED) >=
             3000);
    fixture_free(f);
}

/* Dispatches without the barrier bit overlap; slots are freed in order. */
static void test_overlap(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal[10];

    for (unsigned i = 0; i < 10; i++) {
        AqlDispatch packet;

        signal[i] = signal_new(f, 1);
        packet = dispatch_packet(f, signal[i]);
        ring_push(f, &r, &packet);
    }
    fake_engine_dispatch(7);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 8); /* the limit */
    ring_state(f, &r);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_INFLIGHT), ==, 8);

    fake_engine_finish(3);
    WAIT_FOR(signal_value(f, signal[3]) == 0);
    fake_engine_dispatch(8);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);
    g_assert_cmpuint(r.ring[3].header, ==, AQL_TYPE_DISPATCH);
    fake_engine_finish(1);
    fake_engine_finish(0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 2);
    fake_engine_finish(2);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 4);
    g_assert_cmpuint(r.ring[3].header, ==, AQL_TYPE_INVALID);
    fake_engine_auto(true);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 10);
    for (unsigned i = 0; i < 10; i++) {
        WAIT_FOR(signal_value(f, signal[i]) == 0);
    }
    fixture_free(f);
}

static void test_barrier_bit(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    packet.header |= AQL_HEADER_BARRIER;
    ring_push(f, &r, &packet);
    packet.header &= ~AQL_HEADER_BARRIER;
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
    fake_engine_finish(1);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 2);
    fake_engine_finish(0);
    /* The one behind the barrier bit may overlap it. */
    fake_engine_dispatch(3);
    fixture_free(f);
}

/* ---- barrier packets ---- */

static void test_barrier_and(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t dep[5], done = signal_new(f, 1);
    AqlDispatch dispatch = dispatch_packet(f, 0);
    AqlBarrier packet;

    for (unsigned i = 0; i < 5; i++) {
        dep[i] = signal_new(f, i + 1);
    }
    packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, dep, 5);
    ring_push(f, &r, &packet);
    ring_push(f, &r, &dispatch);
    for (unsigned i = 0; i < 5; i++) {
        let_it_settle();
        g_assert_cmpint(signal_value(f, done), ==, 1);
        g_assert_cmpuint(fake_engine_submitted(), ==, 0);
        store64(&signal_at(f, dep[4 - i])->value, 0);
    }
    WAIT_FOR(signal_value(f, done) == 0);
    fake_engine_dispatch(0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 1);
    fixture_free(f);
}

/* HSA 2.9.8: the signals need not be 0 at the same time. */
static void test_barrier_and_latches(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t dep[2] = { signal_new(f, 0), signal_new(f, 1) };
    uint64_t done = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, dep, 2);

    ring_push(f, &r, &packet);
    ring_state(f, &r);
    WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_WAITS) == 3); /* for a value */
    store64(&signal_at(f, dep[0])->value, 1);
    store64(&signal_at(f, dep[1])->value, 0);
    WAIT_FOR(signal_value(f, done) == 0);
    fixture_free(f);
}

static void test_barrier_or(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t dep[5] = { 0, signal_new(f, 1), 0, signal_new(f, -1), 0 };
    uint64_t done = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_OR, done, dep, 5);

    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpint(signal_value(f, done), ==, 1);
    store64(&signal_at(f, dep[3])->value, 0);
    WAIT_FOR(signal_value(f, done) == 0);
    fixture_free(f);
}

static void test_barrier_empty(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t done = signal_new(f, 2);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, NULL, 0);

    ring_push(f, &r, &packet);
    packet = barrier_packet(AQL_TYPE_BARRIER_OR, done, NULL, 0);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, done) == 0);
    fixture_free(f);
}

/* A barrier packet may complete while an earlier dispatch is running. */
static void test_barrier_passes(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t done = signal_new(f, 1);
    AqlDispatch dispatch = dispatch_packet(f, 0);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, NULL, 0);

    ring_push(f, &r, &dispatch);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, done) == 0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);

    packet.header |= AQL_HEADER_BARRIER;
    signal_at(f, done)->value = 1;
    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpint(signal_value(f, done), ==, 1);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, done) == 0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 3);
    fixture_free(f);
}

/* One endless dispatch and more barrier packets than the window holds. */
static void test_window(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 256);
    uint64_t done = signal_new(f, 200);
    AqlDispatch dispatch = dispatch_packet(f, 0);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, NULL, 0);

    ring_push(f, &r, &dispatch);
    for (unsigned i = 0; i < 200; i++) {
        ring_push(f, &r, &packet);
    }
    let_it_settle();
    g_assert_cmpint(signal_value(f, done), >, 100);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, done) == 0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 201);
    fixture_free(f);
}

/* A queue waits for another one's dispatch. */
static void test_two_queues(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch dispatch = dispatch_packet(f, signal);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0, &signal, 1);

    ring_push(f, &b, &packet);
    ring_push(f, &b, &dispatch);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    ring_push(f, &a, &dispatch);
    g_assert_cmphex(fake_engine_dispatch(0).launch.dispatch_ptr, ==,
                    a.ring_at);
    fake_engine_finish(0);
    g_assert_cmphex(fake_engine_dispatch(1).launch.dispatch_ptr, ==,
                    b.ring_at + 64);
    fixture_free(f);
}

/* ---- bad packets ---- */

typedef struct PacketCase {
    const char *name;
    size_t offset;
    unsigned size;
    uint64_t value;
    uint32_t error;
} PacketCase;

#define BAD(field, value, error)                                               \
    { #field " = " #value, offsetof(AqlDispatch, field),                       \
      sizeof(((AqlDispatch *)0)->field), value, TESSERA_QERR_##error }

static const PacketCase packet_cases[] = {
    BAD(header, AQL_TYPE_VENDOR, BAD_VENDOR_PACKET),
    BAD(header, AQL_TYPE_AGENT, BAD_PACKET),
    BAD(header, 6, BAD_PACKET),
    BAD(header, 255, BAD_PACKET),
    BAD(header, AQL_TYPE_DISPATCH | 1 << 13, BAD_PACKET),
    BAD(header, AQL_TYPE_DISPATCH | 1 << 15, BAD_PACKET),
    BAD(header, AQL_TYPE_DISPATCH | 3 << 9, BAD_PACKET),
    BAD(header, AQL_TYPE_DISPATCH | 3 << 11, BAD_PACKET),
    BAD(setup, 0, BAD_DIMENSIONS),
    BAD(setup, 5, BAD_PACKET),
    BAD(setup, 0x8001, BAD_PACKET),
    BAD(reserved0, 1, BAD_PACKET),
    BAD(group_x, 0, BAD_DIMENSIONS),
    BAD(group_y, 0, BAD_DIMENSIONS),
    BAD(group_y, 2, BAD_DIMENSIONS), /* of one dimension */
    BAD(grid_x, 0, BAD_DIMENSIONS),
    BAD(grid_z, 0, BAD_DIMENSIONS),
    BAD(grid_z, 2, BAD_DIMENSIONS),
    BAD(group_x, 1025, GROUP_TOO_LARGE),
    BAD(group_x, 65535, GROUP_TOO_LARGE),
    BAD(group_size, 65537, BAD_LDS_SIZE),
    BAD(group_size, UINT32_MAX, BAD_LDS_SIZE),
    BAD(kernel_object, 0, BAD_CODE),
    BAD(kernel_object, MOCK_RAM_BASE + 32, BAD_CODE),
    BAD(kernel_object, 0x1000, BAD_CODE), /* unmapped */
    BAD(kernel_object, UINT64_MAX - 63, BAD_CODE),
    BAD(completion_signal, MOCK_RAM_BASE + 4, BAD_PACKET),
};

/* Stops its queue, tells why in every place, and leaves others alone. */
static void check_bad_packet(Fixture *f, Ring *good, const PacketCase *c,
                             unsigned slot)
{
    Ring r = ring_map(f, slot, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    uint64_t signal = signal_new(f, 1);
    TesseraIhEntry entry;

    r.inactive->event_mailbox_ptr = fixture_alloc(f, 8);
    r.inactive->event_id = 7;
    r.inactive->value = 0x1000;
    memcpy((uint8_t *)&packet + c->offset, &c->value, c->size);
    set32(f, TESSERA_REG_FAULT_STATUS, TESSERA_FAULT_STATUS_VALID_MASK);
    ring_push(f, &r, &packet);
    if (ring_wait_error(f, &r) != c->error) {
        g_error("%s: error bits %#x", c->name, ring_error(f, &r));
    }
    entry = next_entry_from(f, TESSERA_IH_FAULT);
    g_assert_cmpuint(entry.queue, ==, slot);
    g_assert_cmpuint(next_entry_from(f, TESSERA_IH_SIGNAL).data, ==, 7);
    entry = next_entry_from(f, TESSERA_IH_QUEUE_ERROR);
    g_assert_cmpuint(entry.queue, ==, slot);
    g_assert_cmphex(entry.data, ==, c->error);
    g_assert_cmphex(load64(&r.inactive->value), ==, 0x1000 | c->error);
    g_assert_cmphex(reg32(f, TESSERA_REG_FAULT_STATUS) & 1, ==, 1);
    g_assert_cmpuint(reg32(f, TESSERA_REG_FAULT_QUEUE), ==, slot);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);

    packet = dispatch_packet(f, signal);
    ring_push(f, &r, &packet); /* to the stopped queue: nothing happens */
    ring_push(f, good, &packet);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_cmpuint(ring_state(f, &r), ==, 2);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, slot, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_error(f, &r), ==, 0);
}

static void test_bad_packets(void)
{
    Fixture *f = fixture_new(0);
    Ring good = ring_map(f, 0, 64);
    uint64_t heap = f->heap;

    fake_engine_auto(true);
    for (unsigned i = 0; i < G_N_ELEMENTS(packet_cases); i++) {
        memset(fixture_at(f, heap), 0, f->heap - heap);
        f->heap = heap;
        check_bad_packet(f, &good, &packet_cases[i], 1 + i);
    }
    g_assert_cmpuint(load64(&good.amd->read_dispatch_id), ==,
                     G_N_ELEMENTS(packet_cases));
    fixture_free(f);
}

static void test_bad_entry(void)
{
    Fixture *f = fixture_new(0);
    AqlDispatch packet = dispatch_packet(f, 0);
    AmdKernelDescriptor *kernel = fixture_at(f, f->kernel_at);
    const int64_t offsets[] = {
        1, 128, 255, -1, INT64_MAX, INT64_MIN, -(int64_t)f->kernel_at,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(offsets); i++) {
        Ring r = ring_map(f, i, 16);

        kernel->kernel_code_entry_byte_offset = offsets[i];
        ring_push(f, &r, &packet);
        g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_BAD_CODE);
        g_assert_true(reg32(f, TESSERA_REG_FAULT_STATUS) &
                      TESSERA_FAULT_STATUS_FETCH_MASK);
    }
    fixture_free(f);
}

static void test_vgprs(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    fake_isa_vgprs(257);
    ring_push(f, &r, &packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_TOO_MANY_VGPRS);
    fake_isa_vgprs(8);
    fixture_free(f);
}

static void test_bad_barrier(void)
{
    Fixture *f = fixture_new(0);
    uint64_t deps[5] = { signal_new(f, 0), 0x40, 0, 0, 0 };
    struct {
        AqlBarrier packet;
        uint32_t error;
    } cases[] = {
        { barrier_packet(AQL_TYPE_BARRIER_AND, 0, deps, 2),
          TESSERA_QERR_MEMORY_FAULT },
        { barrier_packet(AQL_TYPE_BARRIER_OR, 0, deps, 2),
          TESSERA_QERR_MEMORY_FAULT },
        { barrier_packet(AQL_TYPE_BARRIER_AND, MOCK_ROM_BASE, deps, 1),
          TESSERA_QERR_MEMORY_FAULT },
        { { .header = AQL_TYPE_BARRIER_AND, .reserved0 = 1 },
          TESSERA_QERR_BAD_PACKET },
        { { .header = AQL_TYPE_BARRIER_OR, .reserved1 = 1 },
          TESSERA_QERR_BAD_PACKET },
        { { .header = AQL_TYPE_BARRIER_AND, .dep_signal = { 4 } },
          TESSERA_QERR_MEMORY_FAULT },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Ring r = ring_map(f, i, 16);

        ring_push(f, &r, &cases[i].packet);
        g_assert_cmphex(ring_wait_error(f, &r), ==, cases[i].error);
    }
    fixture_free(f);
}

/* ---- faults ---- */

/* The completion signal cannot be written. */
static void test_bad_signal(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, MOCK_ROM_BASE);

    ring_push(f, &r, &packet);
    fake_engine_finish(0);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmphex(reg32(f, TESSERA_REG_FAULT_STATUS), ==,
                    TESSERA_FAULT_STATUS_VALID_MASK |
                    TESSERA_FAULT_STATUS_WRITE_MASK |
                    TESSERA_FAULT_READ_ONLY <<
                        TESSERA_FAULT_STATUS_CAUSE_SHIFT);
    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_ADDR), ==, MOCK_ROM_BASE + 32);
    fixture_free(f);
}

static void test_unmapped_ring(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);

    r.desc->ring = 0x40000000; /* a hole */
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    ring_bell(f, &r);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_ADDR), ==, 0x40000000);
    fixture_free(f);
}

static void test_shader_fault(void)
{
    static const struct {
        TesseraFaultCause cause;
        uint32_t bits;
    } cases[] = {
        { TESSERA_FAULT_UNMAPPED, 0x20000000 },
        { TESSERA_FAULT_READ_ONLY, 0x20000000 },
        { TESSERA_FAULT_NO_EXECUTE, 0x20000000 },
        { TESSERA_FAULT_DEVICE_BAR, 0x20000000 },
        { TESSERA_FAULT_MISALIGNED, 0x20000000 },
        { TESSERA_FAULT_APERTURE, 0x20000000 },
        { TESSERA_FAULT_LDS_BOUNDS, 0x20000000 },
        { TESSERA_FAULT_SCRATCH_BOUNDS, 0x20000000 },
        { TESSERA_FAULT_SMEM_OFFSET, 0x20000000 },
        { TESSERA_FAULT_ILLEGAL_INSTRUCTION, 0x40000000 },
        { TESSERA_FAULT_UNIMPLEMENTED, 0x40000000 },
        { TESSERA_FAULT_TRAP, 0x80000000 },
    };
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);
    TesseraFaultInfo info;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Ring r = ring_map(f, i, 16);
        EngineFault fault = {
            .cause = cases[i].cause,
            .access = ENGINE_WRITE,
            .address = 0x123456789,
            .pc = 0x987654321,
            .lanes = 1ull << 63,
            .group = { 1, 2, 3 },
            .wave = 4,
            .text = "global_store_dword v[0:1], v2, off",
        };

        set32(f, TESSERA_REG_FAULT_STATUS, TESSERA_FAULT_STATUS_VALID_MASK);
        g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_PC), ==, 0);
        ring_push(f, &r, &packet);
        fake_engine_fault(i, &fault);
        g_assert_cmphex(ring_wait_error(f, &r), ==, cases[i].bits);
        g_assert_cmphex(next_entry_from(f, TESSERA_IH_FAULT).data, ==,
                        0x123456789);
        g_assert_cmphex(next_entry_from(f, TESSERA_IH_QUEUE_ERROR).data, ==,
                        cases[i].bits);
        g_assert_cmphex(load64(&r.inactive->value), ==, cases[i].bits);
        g_assert_cmphex(reg32(f, TESSERA_REG_FAULT_STATUS), ==,
                        3 | cases[i].cause << 8);
        g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_PC), ==, 0x987654321);
        g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_LANES), ==, 1ull << 63);
        tessera_gpu_fault(f->gpu, &info);
        g_assert_cmpstr(info.text, ==, fault.text);
        g_assert_cmpuint(info.group[2], ==, 3);
        g_assert_cmpuint(info.queue, ==, i);
    }
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    fixture_free(f);
}

/* The first of two faults stays, both queues and both events tell theirs. */
static void test_two_faults(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    EngineFault fault = { .cause = TESSERA_FAULT_UNMAPPED, .address = 0x1000 };

    ring_push(f, &a, &packet);
    fake_engine_dispatch(0);
    ring_push(f, &b, &packet);
    fake_engine_dispatch(1);
    fake_engine_fault(0, &fault);
    ring_wait_error(f, &a);
    fault.cause = TESSERA_FAULT_TRAP;
    fault.address = 0x2000;
    fake_engine_fault(1, &fault);
    g_assert_cmphex(ring_wait_error(f, &b), ==, 0x80000000);
    g_assert_cmphex(next_entry_from(f, TESSERA_IH_FAULT).data, ==, 0x1000);
    g_assert_cmphex(next_entry_from(f, TESSERA_IH_FAULT).data, ==, 0x2000);
    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_ADDR), ==, 0x1000);
    g_assert_cmphex(reg32(f, TESSERA_REG_FAULT_STATUS), ==,
                    TESSERA_FAULT_STATUS_VALID_MASK |
                    TESSERA_FAULT_STATUS_MORE_MASK |
                    TESSERA_FAULT_UNMAPPED << 8);
    fixture_free(f);
}

/* Dispatches that are in flight when their queue stops end as they would. */
static void test_fault_beside(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);
    EngineFault fault = { .cause = TESSERA_FAULT_TRAP };

    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
    fake_engine_fault(1, &fault);
    ring_wait_error(f, &r);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 1);
    fixture_free(f);
}

/* ---- queues without an AmdQueue, and other ways to map ---- */

static void test_no_amd_queue(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    r.amd->read_dispatch_id_field_base_byte_offset = 0x40;
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    ring_push(f, &r, &packet);
    g_assert_cmphex(fake_engine_dispatch(0).launch.queue_ptr, ==, 0);
    packet.setup = 0;
    ring_push(f, &r, &packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_BAD_DIMENSIONS);
    let_it_settle();
    g_assert_cmphex(load64(&r.inactive->value), ==, 0);
    fixture_free(f);
}

/* Packets written before the queue was mapped need no doorbell. */
static void test_map_with_packets(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    ring_put(f, &r, &packet);
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    fake_engine_dispatch(0);
    fixture_free(f);
}

/* A queue goes on where it was when it is mapped again. */
static void test_remap(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 4);
    uint64_t start = UINT64_MAX - 5; /* indices never wrap, but if */
    uint64_t signal = signal_new(f, 20);
    AqlDispatch packet = dispatch_packet(f, signal);

    r.amd->read_dispatch_id = r.amd->write_dispatch_id = r.wptr = start;
    fake_engine_auto(true);
    for (unsigned i = 0; i < 20; i++) {
        unsigned slot = i * 7;

        g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, slot, r.desc_at),
                         ==, TESSERA_RESULT_OK);
        ring_push(f, &r, &packet);
        WAIT_FOR(signal_value(f, signal) == 19 - i);
        g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, slot, 0), ==,
                         TESSERA_RESULT_OK);
        g_assert_cmphex(load64(&r.amd->read_dispatch_id), ==, start + i + 1);
    }
    fixture_free(f);
}

/* ---- shaders that talk to the device ---- */

static void test_message(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 9, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    TesseraIhEntry entry;

    ring_push(f, &r, &packet);
    fake_engine_message(0, 0xabcd);
    entry = next_entry_from(f, TESSERA_IH_SHADER);
    g_assert_cmpuint(entry.queue, ==, 9);
    g_assert_cmphex(entry.data, ==, 0xabcd);
    fixture_free(f);
}

/* A shader's flood leaves room in the ring for what others have to say. */
static void test_message_flood(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    unsigned entries = 1u << IH_LOG2;

    ring_push(f, &r, &packet);
    for (unsigned i = 0; i < 2 * entries; i++) {
        fake_engine_message(0, i);
        g_usleep(20);
    }
    WAIT_FOR(reg32(f, TESSERA_REG_IH_WPTR) == entries - entries / 4);
    packet.setup = 0;
    ring_push(f, &r, &packet);
    next_entry_from(f, TESSERA_IH_QUEUE_ERROR);
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    fixture_free(f);
}

static void set_bars(Fixture *f)
{
    tessera_gpu_unmap_all(f->gpu);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){
        .vram = 0x4000000000, .vram_size = VRAM_BYTES,
        .doorbell = 0x5000000000, .doorbell_size = 0x80000,
        .regs = 0xfe000000, .regs_size = 0x10000,
        .msix = 0xfe010000, .msix_size = 0x1000,
    });
}

/* A shader rings another queue's doorbell through BAR 4 on the bus. */
static void test_shader_doorbell(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    set_bars(f);
    ring_push(f, &a, &packet);
    fake_engine_dispatch(0);
    ring_put(f, &b, &packet);
    g_assert_cmpuint(fake_engine_store(0, 0x5000000008, 0), ==,
                     TESSERA_FAULT_NONE);
    g_assert_cmphex(fake_engine_dispatch(1).launch.dispatch_ptr, ==,
                    b.ring_at);
    fixture_free(f);
}

/*
 * Stores are reported when the dispatch ends, or later than that: one that
 * waits for what it has rung for must not wait for ever.
 */
static void test_shader_doorbell_unreported(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    set_bars(f);
    ring_push(f, &a, &packet);
    fake_engine_dispatch(0);
    ring_put(f, &b, &packet);
    let_it_settle();
    fake_engine_store_quietly(0, 0x5000000008, 1);
    g_assert_cmphex(fake_engine_dispatch(1).launch.dispatch_ptr, ==,
                    b.ring_at);
    fixture_free(f);
}

static void test_own_bars(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    set_bars(f);
    ring_push(f, &r, &packet);
    g_assert_cmpuint(fake_engine_store(0, 0x4000001000, 0x55), ==,
                     TESSERA_FAULT_NONE);
    g_assert_cmpuint(load64(f->vram + 0x1000), ==, 0x55);
    g_assert_cmpuint(fake_engine_store(0, 0xfe000040, 0), ==,
                     TESSERA_FAULT_DEVICE_BAR);
    g_assert_cmpuint(fake_engine_store(0, 0xfe010000, 0), ==,
                     TESSERA_FAULT_DEVICE_BAR);
    g_assert_cmpuint(fake_engine_store(0, 0xfe011000, 0), ==,
                     TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(fake_engine_store(0, MOCK_ROM_BASE, 0), ==,
                     TESSERA_FAULT_READ_ONLY);
    g_assert_cmpuint(fake_engine_store(
                         0, TESSERA_VRAM_WINDOW + VRAM_BYTES - 8, 1), ==,
                     TESSERA_FAULT_NONE);
    g_assert_cmpuint(fake_engine_store(0, TESSERA_VRAM_WINDOW + VRAM_BYTES,
                                       1), ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(fake_engine_store(0, UINT64_MAX - 7, 1), ==,
                     TESSERA_FAULT_UNMAPPED);
    fixture_free(f);
}

/* A signal whose memory is the device's own registers. */
static void test_signal_in_bar(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0xfe000000, NULL,
                                       0);

    set_bars(f);
    ring_push(f, &r, &packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmpuint(reg32(f, TESSERA_REG_FAULT_STATUS) >> 8 & 0xff, ==,
                     TESSERA_FAULT_DEVICE_BAR);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/dispatch/fields", test_dispatch_fields);
    g_test_add_func("/gpu/dispatch/old-object", test_old_kernel_object);
    g_test_add_func("/gpu/dispatch/negative-entry", test_negative_entry);
    g_test_add_func("/gpu/dispatch/completion", test_completion);
    g_test_add_func("/gpu/dispatch/silent-signal", test_silent_signal);
    g_test_add_func("/gpu/dispatch/wrap", test_wrap);
    g_test_add_func("/gpu/dispatch/overlap", test_overlap);
    g_test_add_func("/gpu/dispatch/barrier-bit", test_barrier_bit);
    g_test_add_func("/gpu/dispatch/message", test_message);
    g_test_add_func("/gpu/dispatch/message-flood", test_message_flood);
    g_test_add_func("/gpu/dispatch/doorbell", test_shader_doorbell);
    g_test_add_func("/gpu/dispatch/doorbell-unreported",
                    test_shader_doorbell_unreported);
    g_test_add_func("/gpu/dispatch/own-bars", test_own_bars);
    g_test_add_func("/gpu/barrier/and", test_barrier_and);
    g_test_add_func("/gpu/barrier/and-latches", test_barrier_and_latches);
    g_test_add_func("/gpu/barrier/or", test_barrier_or);
    g_test_add_func("/gpu/barrier/empty", test_barrier_empty);
    g_test_add_func("/gpu/barrier/passes", test_barrier_passes);
    g_test_add_func("/gpu/barrier/window", test_window);
    g_test_add_func("/gpu/barrier/two-queues", test_two_queues);
    g_test_add_func("/gpu/bad/packets", test_bad_packets);
    g_test_add_func("/gpu/bad/entry", test_bad_entry);
    g_test_add_func("/gpu/bad/vgprs", test_vgprs);
    g_test_add_func("/gpu/bad/barrier", test_bad_barrier);
    g_test_add_func("/gpu/bad/signal", test_bad_signal);
    g_test_add_func("/gpu/bad/signal-in-bar", test_signal_in_bar);
    g_test_add_func("/gpu/bad/ring", test_unmapped_ring);
    g_test_add_func("/gpu/fault/shader", test_shader_fault);
    g_test_add_func("/gpu/fault/two", test_two_faults);
    g_test_add_func("/gpu/fault/beside", test_fault_beside);
    g_test_add_func("/gpu/queue/no-amd-queue", test_no_amd_queue);
    g_test_add_func("/gpu/queue/map-with-packets", test_map_with_packets);
    g_test_add_func("/gpu/queue/remap", test_remap);
    return g_test_run();
}
