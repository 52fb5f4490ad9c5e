/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved state: all of it comes back in another device, work goes on there,
 * and a stream that means harm is refused.
 */
#include <inttypes.h>
#include <string.h>
#include "tests-unit/gpu-fixture.h"

/* Where things lie in a stream: hw/gpu/state.c, versions from 1 on. */
#define AT_VERSION 8
#define AT_BYTES 12
#define AT_IDENT 20 /* behind the header and the section's count */
#define IDENTS 6
#define AT_REGS (AT_IDENT + IDENTS * 8) /* its count */
/* From a queue's descriptor. */
#define QUEUE_SLOT (-16)
#define QUEUE_VMID (-14)
#define QUEUE_STATE (-12)
#define QUEUE_STALL (-4)
#define QUEUE_DOORBELL 12
#define QUEUE_AMD 128
#define QUEUE_READ 136
#define QUEUE_FETCH 144
#define QUEUE_DONE 152
#define QUEUE_HAVE_PACKET 160
#define QUEUE_DEPS 233

typedef enum Access { RO, RW, WO, W1C } Access;

typedef struct RegRow {
    const char *name;
    uint32_t offset;
    unsigned size, count, stride;
    Access access;
} RegRow;

#define NOTHING(...)
#define REG_ROW(n, off, size, count, stride, acc, reset, doc)                  \
    { #n, off, size, count, stride, acc },
static const RegRow reg_rows[] = { TESSERA_REGISTERS(REG_ROW, NOTHING) };


static GArray *read_registers(Fixture *f)
{
    GArray *values = g_array_new(false, false, sizeof(uint64_t));

    for (unsigned i = 0; i < G_N_ELEMENTS(reg_rows); i++) {
        const RegRow *row = &reg_rows[i];

        for (unsigned n = 0; n < row->count; n++) {
            uint32_t at = row->offset + n * row->stride;
            uint64_t value = row->size == 8 ? reg64(f, at) : reg32(f, at);

            g_array_append_val(values, value);
        }
    }
    return values;
}

static void check_registers(Fixture *f, const GArray *expected)
{
    g_autoptr(GArray) values = read_registers(f);
    unsigned at = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(reg_rows); i++) {
        for (unsigned n = 0; n < reg_rows[i].count; n++, at++) {
            if (g_array_index(values, uint64_t, at) !=
                g_array_index(expected, uint64_t, at)) {
                g_error("register %s[%u] is 0x%" PRIx64 " and not 0x%" PRIx64,
                        reg_rows[i].name, n,
                        g_array_index(values, uint64_t, at),
                        g_array_index(expected, uint64_t, at));
            }
        }
    }
}

static GByteArray *save(Fixture *f)
{
    GByteArray *out = g_byte_array_new();
    g_autoptr(GError) error = NULL;

    g_assert_true(tessera_gpu_save(f->gpu, out, &error));
    g_assert_no_error(error);
    return out;
}

static bool load(Fixture *f, const GByteArray *in, char **reason)
{
    g_autoptr(GError) error = NULL;
    bool ok = tessera_gpu_load(f->gpu, in->data, in->len, &error);

    g_assert_true(ok == !error);
    if (reason) {
        *reason = error ? g_strdup(error->message) : NULL;
    }
    return ok;
}

/* Another device, with the same memory and the state of @f, paused as it is. */
static Fixture *migrate(Fixture *f)
{
    g_autoptr(GByteArray) state = save(f);
    g_autofree uint8_t *ram = g_memdup2(f->mock->ram, MOCK_RAM_SIZE);
    Fixture old = *f, *new;
    char *reason;

    fixture_free(f);
    new = fixture_new(0);
    memcpy(new->mock->ram, ram, MOCK_RAM_SIZE);
    old.mock = new->mock;
    old.gpu = new->gpu;
    old.vram = new->vram;
    *new = old;
    tessera_gpu_pause(new->gpu);
    if (!load(new, state, &reason)) {
        g_error("not loaded: %s", reason);
    }
    return new;
}

/* A ring's pointers into memory that has moved. */
static void ring_moved(Fixture *f, Ring *r)
{
    r->desc = fixture_at(f, r->desc_at);
    r->amd = fixture_at(f, r->amd_at);
    r->ring = fixture_at(f, r->ring_at);
    r->inactive = fixture_at(f, r->inactive_at);
}

/* ---- everything comes back ---- */

/* Write something else to each register that takes it. */
static void dirty_registers(Fixture *f)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(reg_rows); i++) {
        const RegRow *row = &reg_rows[i];

        if (row->access == W1C || row->offset == TESSERA_REG_CONTROL ||
            row->offset == TESSERA_REG_CMD_ADDR ||
            (row->offset >= TESSERA_REG_IH_BASE &&
             row->offset <= TESSERA_REG_IH_WPTR_ADDR)) {
            continue; /* these do something that the tests need */
        }
        for (unsigned n = 0; n < row->count; n++) {
            uint64_t value = 0x5a00000000a5ull * (i + 1) + n * 0x10001;

            tessera_gpu_reg_write(f->gpu, row->offset + n * row->stride, value,
                                  row->size);
        }
    }
    for (unsigned i = 0; i < 64; i++) {
        tessera_gpu_reg_write(f->gpu, TESSERA_FLUSH_PAGE + i * 52, i * i, 4);
    }
}

static void dirty_doorbells(Fixture *f)
{
    for (unsigned i = 0; i < 1000; i++) {
        tessera_gpu_doorbell_write(f->gpu, (i * 65 + 7) * 8, i * 0x100000001,
                                   8);
    }
}

static void check_doorbells(Fixture *f)
{
    for (unsigned i = 0; i < 1000; i++) {
        g_assert_cmphex(tessera_gpu_doorbell_read(f->gpu, (i * 65 + 7) * 8, 8),
                        ==, i * 0x100000001);
    }
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(tessera_gpu_reg_read(f->gpu, TESSERA_FLUSH_PAGE +
                                              i * 52, 4), ==, i * i);
    }
}

/* A queue that has stopped, so that the fault record is full. */
static Ring stopped_queue(Fixture *f, unsigned slot)
{
    Ring r = ring_map(f, slot, 16);
    const AqlDispatch packet = { .header = AQL_TYPE_AGENT };

    ring_push(f, &r, &packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_BAD_PACKET);
    return r;
}

static void test_round_trip(void)
{
    Fixture *f = fixture_new(0);
    Ring r = stopped_queue(f, 1023);
    g_autoptr(GArray) before = NULL;
    g_autoptr(GByteArray) first = NULL, second = NULL;

    dirty_doorbells(f);
    dirty_registers(f);
    let_it_settle();
    tessera_gpu_pause(f->gpu);
    set32(f, TESSERA_REG_QUEUE_SELECT, r.slot);
    before = read_registers(f);
    first = save(f);
    check_registers(f, before); /* saving changes nothing */

    f = migrate(f);
    check_registers(f, before);
    check_doorbells(f);
    second = save(f);
    g_assert_cmpmem(first->data, first->len, second->data, second->len);
    fixture_free(f);
}

/* An unread high half is part of what the guest sees. */
static void test_latch(void)
{
    Fixture *f = fixture_new(0);
    uint64_t clock;
    uint32_t low;

    mock_host_advance(f->mock, 0x1234567890abcdef);
    clock = f->mock->guest_ns / 10; /* 100 MHz */
    low = reg32(f, TESSERA_REG_CLOCK);
    f = migrate(f); /* where the clock is another one */
    g_assert_cmphex(reg32(f, TESSERA_REG_CLOCK + 4), ==, clock >> 32);
    g_assert_cmphex(low, ==, (uint32_t)clock);
    fixture_free(f);
}

/* ---- work goes on ---- */

static void check_works(Fixture *f, Ring *r)
{
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);

    fake_engine_auto(true);
    ring_push(f, r, &packet);
    WAIT_FOR(signal_value(f, signal) == 0);
    fake_engine_auto(false);
}

static void test_idle_queue(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 5, 16);

    for (unsigned i = 0; i < 20; i++) {
        check_works(f, &r);
        WAIT_FOR(ring_state(f, &r) == 1);
        f = migrate(f);
        ring_moved(f, &r);
        tessera_gpu_resume(f->gpu);
    }
    check_works(f, &r);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 21);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 5, 0), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

/* Packets that were written, or announced, and not taken. */
static void test_packets_waiting(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 5, 16);
    uint64_t signal = signal_new(f, 3);
    AqlDispatch packet = dispatch_packet(f, signal);

    tessera_gpu_pause(f->gpu);
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    ring_put(f, &r, &packet);
    f = migrate(f);
    ring_moved(f, &r);
    fake_engine_auto(true);
    tessera_gpu_resume(f->gpu);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/*
 * Two of three signals have been seen 0, and are something else now: they
 * count.
 */
static void test_barrier(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 7, 16);
    uint64_t done = signal_new(f, 1);
    uint64_t deps[3] = { signal_new(f, 0), signal_new(f, 1),
                         signal_new(f, 0) };
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, done, deps, 3);

    ring_push(f, &r, &packet);
    /* Until it has looked at them all, and waits for a value. */
    WAIT_FOR(ring_state(f, &r) == 1 && reg32(f, TESSERA_REG_QUEUE_WAITS) == 3);
    tessera_gpu_pause(f->gpu);
    store64(&signal_at(f, deps[0])->value, 9);
    store64(&signal_at(f, deps[2])->value, 9);
    f = migrate(f);
    ring_moved(f, &r);
    tessera_gpu_resume(f->gpu);
    let_it_settle();
    g_assert_cmpint(signal_value(f, done), ==, 1);
    store64(&signal_at(f, deps[1])->value, 0);
    WAIT_FOR(signal_value(f, done) == 0);
    check_works(f, &r);
    fixture_free(f);
}

/* A queue that has asked for scratch waits on. */
static void test_scratch(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 2, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    packet.private_size = 64;
    ring_push(f, &r, &packet);
    WAIT_FOR(load64(&r.inactive->value) == TESSERA_QERR_SCRATCH_NEEDED);
    tessera_gpu_pause(f->gpu);
    f = migrate(f);
    ring_moved(f, &r);
    tessera_gpu_resume(f->gpu);
    let_it_settle();
    g_assert_cmphex(load64(&r.inactive->value), ==,
                    TESSERA_QERR_SCRATCH_NEEDED);
    store64(&r.inactive->value, 0); /* and there still is too little */
    WAIT_FOR(load64(&r.inactive->value) == TESSERA_QERR_SCRATCH_NEEDED);
    fixture_free(f);
}

/* Scratch that was lent for one dispatch is still to be taken back. */
static void test_scratch_once(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 2, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    r.amd->compute_tmpring_size = 32 | 4 << 12; /* waves of 4 KiB */
    r.amd->scratch_backing_memory_location = 0x7000000000;
    r.amd->scratch_backing_memory_byte_size = 32 * 4096;
    r.amd->scratch_wave64_lane_byte_size = 64;
    r.amd->queue_properties = AMD_QUEUE_PROP_SCRATCH_ONCE;
    packet.private_size = 64;
    ring_push(f, &r, &packet);
    fake_engine_finish(0);
    WAIT_FOR(load64(&r.inactive->value) == 512);
    tessera_gpu_pause(f->gpu);
    f = migrate(f);
    ring_moved(f, &r);
    tessera_gpu_resume(f->gpu);
    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    store64(&r.inactive->value, 0);
    __atomic_store_n(&r.amd->queue_properties, 0, __ATOMIC_RELEASE);
    fake_engine_finish(0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 2);
    fixture_free(f);
}

/* Commands and events that nobody has looked at. */
static void test_inbox(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 3, 16);

    tessera_gpu_pause(f->gpu);
    submit_command(f, TESSERA_CMD_MAP, 3, r.desc_at);
    submit_command(f, TESSERA_CMD_MAP, 3, r.desc_at); /* slot in use */
    for (unsigned i = 0; i < 3; i++) {
        set32(f, TESSERA_REG_TEST_IRQ, 100 + i);
    }
    f = migrate(f);
    ring_moved(f, &r);
    tessera_gpu_resume(f->gpu);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(next_entry_from(f, TESSERA_IH_TEST).data, ==,
                         100 + i);
    }
    WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == 2);
    check_works(f, &r);
    fixture_free(f);
}

/* A frozen queue stays frozen, and takes its packets when it is resumed. */
static void test_frozen(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 6, 16);
    uint64_t signal = signal_new(f, 2);
    AqlDispatch packet = dispatch_packet(f, signal);

    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 6, 0), ==,
                     TESSERA_RESULT_OK);
    ring_push(f, &r, &packet);
    f = migrate(f);
    ring_moved(f, &r);
    fake_engine_auto(true);
    tessera_gpu_resume(f->gpu);
    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    g_assert_cmpint(signal_value(f, signal), ==, 2);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 6, 0), ==,
                     TESSERA_RESULT_OK);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/*
 * Eight packets are a turn.  FREEZE comes before the next one: nothing has
 * been looked at since the last packet was given back.
 */
static void test_between_packets(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 6, 16);
    uint64_t signal = signal_new(f, 9), freeze;
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, signal, NULL, 0);

    tessera_gpu_pause(f->gpu);
    for (unsigned i = 0; i < 8; i++) {
        ring_push(f, &r, &packet);
    }
    submit_command(f, TESSERA_CMD_INVALIDATE, 0, 0); /* taken with the turn */
    freeze = submit_command(f, TESSERA_CMD_FREEZE, 6, 0);
    tessera_gpu_resume(f->gpu);
    WAIT_FOR(load32(fixture_at(f, freeze + offsetof(TesseraCommand, result))) ==
             TESSERA_RESULT_OK);
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 8);

    tessera_gpu_pause(f->gpu);
    f = migrate(f);
    ring_moved(f, &r);
    tessera_gpu_resume(f->gpu);
    ring_push(f, &r, &packet);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 6, 0), ==,
                     TESSERA_RESULT_OK);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 9);
    fixture_free(f);
}

/* One that has stopped can be mended on the other side. */
static void test_resume_stopped(void)
{
    Fixture *f = fixture_new(0);
    Ring r = stopped_queue(f, 6);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);

    tessera_gpu_pause(f->gpu);
    f = migrate(f);
    ring_moved(f, &r);
    fake_engine_auto(true);
    tessera_gpu_resume(f->gpu);
    g_assert_cmphex(ring_error(f, &r), ==, TESSERA_QERR_BAD_PACKET);
    store_words(&r.ring[0], &packet, 8);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 6, 0), ==,
                     TESSERA_RESULT_OK);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* ---- what runs is not saved ---- */

/* Waves that stand still are in flight as well. */
static void test_frozen_in_flight(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 6, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autoptr(GError) error = NULL;

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_FREEZE, 6, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_false(tessera_gpu_save(f->gpu, out, &error));
    g_assert_cmpstr(error->message, ==, "queue 6 has 1 dispatch in flight");
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 6, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_true(tessera_gpu_save(f->gpu, out, NULL));
    fixture_free(f);
}

static void test_in_flight(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 3, 16);
    uint64_t signal = signal_new(f, 2);
    AqlDispatch packet = dispatch_packet(f, signal);
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autoptr(GError) error = NULL;

    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    fake_engine_dispatch(1);
    tessera_gpu_pause(f->gpu);
    g_assert_false(tessera_gpu_save(f->gpu, out, &error));
    g_assert_cmpstr(error->message, ==, "queue 3 has 2 dispatches in flight");
    g_assert_cmpuint(out->len, ==, 0);

    tessera_gpu_resume(f->gpu);
    fake_engine_finish(0);
    fake_engine_finish(1);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_true(tessera_gpu_save(f->gpu, out, NULL));
    fixture_free(f);
}

static void test_unmapping(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 4, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    g_autoptr(GByteArray) out = g_byte_array_new();

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    submit_command(f, TESSERA_CMD_UNMAP, 4, 0);
    let_it_settle();
    g_assert_false(tessera_gpu_save(f->gpu, out, NULL));
    fixture_free(f);
}

/* Time to end, and no new packet meanwhile. */
static void test_settle(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 3, 16);
    uint64_t signal = signal_new(f, 3);
    AqlDispatch packet = dispatch_packet(f, signal);
    g_autoptr(GByteArray) out = g_byte_array_new();
    int64_t start;

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    start = g_get_monotonic_time();
    tessera_gpu_settle(f->gpu, 20);
    g_assert_cmpint(g_get_monotonic_time() - start, >=, 20000);
    g_assert_false(tessera_gpu_save(f->gpu, out, NULL));
    tessera_gpu_resume(f->gpu);

    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 2);
    fake_engine_auto(true);
    tessera_gpu_settle(f->gpu, 0);
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    f = migrate(f);
    ring_moved(f, &r);
    g_assert_cmpint(signal_value(f, signal), ==, 2);
    fake_engine_auto(true);
    tessera_gpu_resume(f->gpu);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

static gpointer finish_soon(gpointer unused)
{
    g_usleep(10000);
    fake_engine_finish(0);
    return NULL;
}

static void test_settle_in_time(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 3, 16);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);
    g_autoptr(GByteArray) out = g_byte_array_new();
    GThread *thread;

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    thread = g_thread_new("finish", finish_soon, NULL);
    tessera_gpu_settle(f->gpu, 20000);
    g_assert_cmpint(signal_value(f, signal), ==, 0);
    g_assert_true(tessera_gpu_save(f->gpu, out, NULL));
    g_thread_join(thread);
    fixture_free(f);
}

/* ---- streams that mean harm ---- */

/* A device with something in each section, in a state to be saved. */
static Fixture *full_device(void)
{
    Fixture *f = fixture_new(0);
    Ring idle = ring_map(f, 0, 16), barrier = ring_map(f, 9, 16);
    uint64_t dep = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0, &dep, 1);

    check_works(f, &idle);
    stopped_queue(f, 4);
    ring_push(f, &barrier, &packet);
    WAIT_FOR(ring_state(f, &barrier) == 1 &&
             reg32(f, TESSERA_REG_QUEUE_WAITS) == 3);
    tessera_gpu_pause(f->gpu);
    submit_command(f, TESSERA_CMD_UNMAP, 0, 0);
    set32(f, TESSERA_REG_TEST_IRQ, 77);
    return f;
}

/* Try @stream; @reason must be part of why it is refused. */
static void check_refused(Fixture *f, const GByteArray *stream,
                          const GArray *power_on, const char *reason)
{
    g_autofree char *text = NULL;

    load(f, stream, &text);
    if (!text || !strstr(text, reason)) {
        g_error("refused since '%s', not '%s'", text, reason);
    }
    check_registers(f, power_on);
}

static void patch(GByteArray *stream, ptrdiff_t at, uint64_t value,
                  unsigned size)
{
    g_assert_cmpint(at, >=, 0);
    g_assert_cmpint(at + size, <=, stream->len);
    memcpy(stream->data + at, &value, size);
}

static GByteArray *copy(const GByteArray *stream)
{
    GByteArray *new = g_byte_array_new();

    return g_byte_array_append(new, stream->data, stream->len);
}

/* Where the descriptor of the @n-th queue lies. */
static ptrdiff_t find_queue(const GByteArray *stream, unsigned n)
{
    const uint32_t start[2] = { sizeof(TesseraQueue), TESSERA_ABI_VERSION };

    for (guint at = 0; at + sizeof(TesseraQueue) < stream->len; at++) {
        if (!memcmp(stream->data + at, start, sizeof(start)) && !n--) {
            return at;
        }
    }
    g_assert_not_reached();
}

typedef struct Flaw {
    int queue; /* @at counts from its descriptor; -1: from the beginning */
    int at;
    uint64_t value;
    unsigned size;
    const char *reason;
} Flaw;

static const Flaw flaws[] = {
    { -1, 0, 0, 1, "no state" },
    { -1, AT_VERSION, 0, 4, "version 0" },
    { -1, AT_VERSION, 1000, 4, "version 1000" },
    { -1, AT_BYTES, 17, 4, "instead of 17" },
    { -1, AT_IDENT - 4, 0, 4, "identity" },
    { -1, AT_IDENT - 4, UINT32_MAX, 4, "identity" },
    { -1, AT_IDENT, 120000, 8, "isa differs: 0x15f90 here, 0x1d4c0" },
    { -1, AT_IDENT + 8, 1ull << 40, 8, "vram-size differs" },
    { -1, AT_IDENT + 16, 4, 8, "scanout differs" },
    { -1, AT_IDENT + 24, 1ull << 31, 8, "register map differs" },
    { -1, AT_REGS, UINT32_MAX, 4, "registers" },
    { -1, AT_REGS + 4, TESSERA_REG_ID, 4, "no register at 0x0" },
    { -1, AT_REGS + 4, TESSERA_REG_CONTROL, 4, "no register at 0x30" },
    { -1, AT_REGS + 4, TESSERA_REG_IH_BASE + 4, 4, "no register" },
    { -1, AT_REGS + 4, TESSERA_REG_IH_BASE + 1, 4, "no register" },
    { -1, AT_REGS + 4, TESSERA_REGS_SIZE, 4, "no register" },
    { -1, AT_REGS + 4, UINT32_MAX - 3, 4, "no register" },
    { -1, AT_REGS + 4, TESSERA_REG_IH_CONTROL, 4, "at 0x108 can hold 0x1" },
    { 0, QUEUE_SLOT, 1024, 2, "no free queue slot 1024" },
    { 0, QUEUE_SLOT, 9, 2, "no free queue slot 9" },
    { 1, QUEUE_SLOT, 0, 2, "no free queue slot 0" },
    { 0, QUEUE_VMID, 1, 2, "queue 0 has a bad descriptor" },
    { 0, QUEUE_VMID, 64, 2, "queue 0 has a bad descriptor" },
    { 0, QUEUE_STATE, 0, 4, "queue 0 has a bad state" },
    { 0, QUEUE_STATE, 0x80000001, 4, "queue 0 has a bad state" },
    { 0, QUEUE_STALL, 1000, 4, "queue 0 has a bad stall" },
    { 0, QUEUE_STALL, UINT32_MAX, 4, "queue 0 has a bad stall" },
    { 1, QUEUE_DOORBELL, 0, 4, "queue 4 shares its doorbell" },
    { 0, QUEUE_DOORBELL, 1024, 4, "queue 0 has a bad descriptor" },
    { 0, QUEUE_AMD, 0x1000, 8, "queue 0 has a bad AmdQueue" },
    { 0, QUEUE_READ, 2, 8, "queue 0 has a bad index" },
    { 0, QUEUE_FETCH, 18, 8, "queue 0 has a bad index" },
    { 0, QUEUE_FETCH, 1ull << 63, 8, "queue 0 has a bad index" },
    { 0, QUEUE_DONE, 1ull << 60, 8, "queue 0 has a bad index" },
    { 0, QUEUE_HAVE_PACKET, 2, 1, "queue 0 has a bad packet" },
    { 0, QUEUE_DEPS, 32, 4, "queue 0 has a bad barrier" },
};

static void test_flaws(void)
{
    Fixture *f = full_device();
    g_autoptr(GByteArray) good = save(f);
    g_autoptr(GArray) power_on = NULL;

    tessera_gpu_reset(f->gpu);
    power_on = read_registers(f);
    for (unsigned i = 0; i < G_N_ELEMENTS(flaws); i++) {
        const Flaw *flaw = &flaws[i];
        g_autoptr(GByteArray) bad = copy(good);
        ptrdiff_t base = flaw->queue < 0 ? 0 : find_queue(good, flaw->queue);

        patch(bad, base + flaw->at, flaw->value, flaw->size);
        check_refused(f, bad, power_on, flaw->reason);
    }
    g_assert_true(load(f, good, NULL));
    fixture_free(f);
}

/* Cut off anywhere, with the length as it was and as it is; and too long. */
static void test_lengths(void)
{
    Fixture *f = full_device();
    g_autoptr(GByteArray) good = save(f);
    g_autoptr(GArray) power_on = NULL;
    guint len = good->len;

    tessera_gpu_reset(f->gpu);
    power_on = read_registers(f);
    for (guint i = 0; i < len; i++) {
        /* On the heap and no longer, so that ASan sees a read beyond. */
        g_autofree uint8_t *cut = g_memdup2(good->data, i);
        g_autoptr(GError) error = NULL;

        g_assert_false(tessera_gpu_load(f->gpu, cut, i, NULL));
        if (i >= AT_BYTES + 4) {
            memcpy(cut + AT_BYTES, &i, 4);
            g_assert_false(tessera_gpu_load(f->gpu, cut, i, &error));
            g_assert_nonnull(error);
        }
    }
    check_registers(f, power_on);
    g_byte_array_append(good, (const uint8_t *)"x", 1);
    patch(good, AT_BYTES, good->len, 4);
    check_refused(f, good, power_on, "1 bytes too many");
    fixture_free(f);
}

/*
 * Each byte changed in several ways.  What is accepted is let run: it must not
 * be able to do harm either.
 */
static void test_every_byte(void)
{
    static const uint8_t changes[] = { 0x01, 0x80, 0xff };
    Fixture *f = full_device();
    g_autoptr(GByteArray) good = save(f);
    g_autoptr(GArray) power_on = NULL;
    unsigned refused = 0;

    tessera_gpu_reset(f->gpu);
    power_on = read_registers(f);
    tessera_gpu_resume(f->gpu);
    fake_engine_auto(true);
    for (guint i = 0; i < good->len * G_N_ELEMENTS(changes); i++) {
        guint at = i / G_N_ELEMENTS(changes);
        uint8_t change = changes[i % G_N_ELEMENTS(changes)];

        good->data[at] ^= change;
        if (load(f, good, NULL)) {
            g_usleep(20); /* the packet processor has a look */
        } else {
            check_registers(f, power_on);
            refused++;
        }
        good->data[at] ^= change;
    }
    /* Addresses, packets and doorbell values may be anything. */
    g_assert_cmpuint(refused, >, 300);
    g_assert_true(load(f, good, NULL));
    fixture_free(f);
}

/* Random bytes behind a good beginning. */
static void test_garbage(void)
{
    Fixture *f = full_device();
    g_autoptr(GByteArray) good = save(f);
    GRand *rand = g_rand_new_with_seed(1);

    for (unsigned i = 0; i < 2000; i++) {
        g_autoptr(GByteArray) bad = copy(good);
        guint from = AT_REGS + g_rand_int_range(rand, 0, good->len - AT_REGS);

        for (guint at = from; at < bad->len; at++) {
            bad->data[at] = g_rand_int(rand) & g_rand_int(rand);
        }
        load(f, bad, NULL);
    }
    g_rand_free(rand);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/state/round-trip", test_round_trip);
    g_test_add_func("/gpu/state/latch", test_latch);
    g_test_add_func("/gpu/state/idle-queue", test_idle_queue);
    g_test_add_func("/gpu/state/packets-waiting", test_packets_waiting);
    g_test_add_func("/gpu/state/barrier", test_barrier);
    g_test_add_func("/gpu/state/scratch", test_scratch);
    g_test_add_func("/gpu/state/scratch-once", test_scratch_once);
    g_test_add_func("/gpu/state/inbox", test_inbox);
    g_test_add_func("/gpu/state/frozen", test_frozen);
    g_test_add_func("/gpu/state/between-packets", test_between_packets);
    g_test_add_func("/gpu/state/resume-stopped", test_resume_stopped);
    g_test_add_func("/gpu/state/in-flight", test_in_flight);
    g_test_add_func("/gpu/state/frozen-in-flight", test_frozen_in_flight);
    g_test_add_func("/gpu/state/unmapping", test_unmapping);
    g_test_add_func("/gpu/state/settle", test_settle);
    g_test_add_func("/gpu/state/settle-in-time", test_settle_in_time);
    g_test_add_func("/gpu/state/flaws", test_flaws);
    g_test_add_func("/gpu/state/lengths", test_lengths);
    g_test_add_func("/gpu/state/every-byte", test_every_byte);
    g_test_add_func("/gpu/state/garbage", test_garbage);
    return g_test_run();
}
