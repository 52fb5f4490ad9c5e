/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vendor packets: PM4 wrapper, barrier-value, copy and fill. */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

#define CHUNK (256u << 10) /* of a copy, between two looks at other work */

/* ---- PM4 ---- */

/* What ROCm's runtime sends after it has loaded code (rocm-kfd 1.6). */
static const uint32_t acquire_mem[] = {
    0xc0055800, 0x28840000, 0xffffffff, 0xff, 0, 0, 0,
};

static AqlPm4Ib pm4_packet(Fixture *f, uint64_t signal, const uint32_t *ib,
                           unsigned dwords)
{
    uint64_t at = fixture_alloc(f, dwords * 4 + 4);

    memcpy(fixture_at(f, at), ib, dwords * 4);
    return (AqlPm4Ib){
        .header = AQL_TYPE_VENDOR,
        .format = 1,
        .command = 0xc0023f00,
        .ib_low = at,
        .ib_high = at >> 32,
        .ib_size = dwords | 1 << 23,
        .remain = 10,
        .completion_signal = signal,
    };
}

static void test_pm4(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 3);
    AqlPm4Ib packet = pm4_packet(f, signal, acquire_mem, 7);
    uint32_t two[20] = { 0xc0021000 }; /* a NOP of four dwords */

    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 2);
    /* 5.2.3 has no signal but polls the read index. */
    packet.completion_signal = 0;
    ring_push(f, &r, &packet);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 2);

    memcpy(two + 4, acquire_mem, sizeof(acquire_mem));
    two[11] = 0xffff1000; /* NOP of one dword */
    memcpy(two + 12, acquire_mem, sizeof(acquire_mem));
    packet = pm4_packet(f, signal, two, 19);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 1);
    fixture_free(f);
}

/* It waits with the barrier bit, and not without. */
static void test_pm4_barrier_bit(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 2);
    AqlDispatch dispatch = dispatch_packet(f, 0);
    AqlPm4Ib packet = pm4_packet(f, signal, acquire_mem, 7);

    ring_push(f, &r, &dispatch);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 1);
    packet.header |= AQL_HEADER_BARRIER;
    ring_push(f, &r, &packet);
    let_it_settle();
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* A 32-bit word of a good packet, and what it must not be. */
typedef struct WordCase {
    unsigned word;
    uint32_t value;
} WordCase;

static void check_refused(Fixture *f, unsigned slot, const void *packet,
                          uint32_t bits, unsigned cause)
{
    Ring r = ring_map(f, slot, 16);

    set32(f, TESSERA_REG_FAULT_STATUS, 1);
    ring_push(f, &r, packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, bits);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) >> 8 & 0xff, ==,
                     cause);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);
    WAIT_FOR(load64(&r.inactive->value) == bits); /* all is over */
}

static void check_words(Fixture *f, const void *good, const WordCase *cases,
                        unsigned count)
{
    uint64_t heap = f->heap;

    for (unsigned i = 0; i < count; i++) {
        uint32_t words[16];

        memcpy(words, good, sizeof(words));
        words[cases[i].word] = cases[i].value;
        f->heap = heap;
        check_refused(f, i, words, TESSERA_QERR_BAD_VENDOR_PACKET,
                      TESSERA_FAULT_VENDOR);
    }
}

static void test_pm4_bad_packet(void)
{
    static const WordCase cases[] = {
        { 0, 0x03 << 16 }, { 0, 0xff << 16 }, { 0, 0 << 16 },
        { 0, 0x90 << 16 }, /* LinxISA blocks, of no version */
        { 0, 1 << 16 | 1 << 24 }, { 1, 0xc0023f01 }, { 1, 0xc0055800 },
        { 2, MOCK_RAM_BASE + 2 }, { 3, 0x10000 }, { 4, 0 }, { 4, 7 },
        { 4, 1 << 23 }, { 4, 7 | 1 << 23 | 1 << 20 },
        { 4, 1025 | 1 << 23 }, { 4, 0xfffff | 1 << 23 }, { 5, 0 }, { 5, 11 },
        { 6, 1 }, { 13, 1 },
    };
    Fixture *f = fixture_new(0);
    AqlPm4Ib good = pm4_packet(f, 0, acquire_mem, 7);

    check_words(f, &good, cases, G_N_ELEMENTS(cases));
    fixture_free(f);
}

/* Commands that are not supported are named in the fault's text. */
static void test_pm4_bad_commands(void)
{
    static const struct {
        uint32_t ib[8];
        unsigned dwords, at;
        const char *name;
    } cases[] = {
        { { 0xc0033700, 0, 0, 0, 0 }, 5, 0, "WRITE_DATA" },
        { { 0xc0064900 }, 8, 0, "RELEASE_MEM" },
        { { 0xc0011000, 0, 0, 0xc0031500 }, 8, 3, "DISPATCH_DIRECT" },
        { { 0xc0055800 }, 6, 0, "ACQUIRE_MEM" }, /* cut short */
        { { 0xc0065800 }, 8, 0, "ACQUIRE_MEM" }, /* of GFX10 */
        { { 0xc0023f00 }, 4, 0, "INDIRECT_BUFFER" },
        { { 0xc0061000 }, 7, 0, "NOP" }, /* reaches beyond the end */
        { { 0xc000ff00 }, 2, 0, "unknown" },
        { { 0x80000000 }, 1, 0, "type 2" },
        { { 0x00000000 }, 1, 0, "type 0" },
    };
    Fixture *f = fixture_new(0);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        AqlPm4Ib packet = pm4_packet(f, 0, cases[i].ib, cases[i].dwords);
        TesseraFaultInfo info;

        check_refused(f, i, &packet, TESSERA_QERR_BAD_VENDOR_PACKET,
                      TESSERA_FAULT_PM4);
        tessera_gpu_fault(f->gpu, &info);
        g_assert_nonnull(strstr(info.text, cases[i].name));
        g_assert_cmphex(info.address, ==,
                        packet.ib_low + cases[i].at * 4);
    }
    fixture_free(f);
}

static void test_pm4_unmapped(void)
{
    Fixture *f = fixture_new(0);
    AqlPm4Ib packet = pm4_packet(f, 0, acquire_mem, 7);

    packet.ib_high = 0x55;
    check_refused(f, 0, &packet, TESSERA_QERR_MEMORY_FAULT,
                  TESSERA_FAULT_UNMAPPED);
    fixture_free(f);
}

/* ---- barrier-value ---- */

static void test_barrier_value(void)
{
    static const struct {
        int64_t signal, mask, value;
        uint32_t condition;
        bool holds;
    } cases[] = {
        { 5, -1, 5, AQL_CONDITION_EQ, true },
        { 5, -1, 6, AQL_CONDITION_EQ, false },
        { 0xf5, 0xf, 5, AQL_CONDITION_EQ, true },
        { 5, -1, 5, AQL_CONDITION_NE, false },
        { 5, -1, 4, AQL_CONDITION_NE, true },
        { 5, -1, 6, AQL_CONDITION_LT, true },
        { 5, -1, 5, AQL_CONDITION_LT, false },
        { -1, -1, 0, AQL_CONDITION_LT, true }, /* signed */
        { -1, INT64_MAX, 0, AQL_CONDITION_LT, false },
        { 5, -1, 5, AQL_CONDITION_GTE, true },
        { 4, -1, 5, AQL_CONDITION_GTE, false },
        { INT64_MIN, -1, INT64_MAX, AQL_CONDITION_GTE, false },
    };
    Fixture *f = fixture_new(0);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Ring r = ring_map(f, i, 16);
        uint64_t signal = signal_new(f, cases[i].signal);
        uint64_t done = signal_new(f, 1);
        AqlBarrierValue packet = {
            .header = AQL_TYPE_VENDOR,
            .format = 2,
            .signal = signal,
            .value = cases[i].value,
            .mask = cases[i].mask,
            .condition = cases[i].condition,
            .completion_signal = done,
        };

        ring_push(f, &r, &packet);
        if (!cases[i].holds) {
            let_it_settle();
            g_assert_cmpint(signal_value(f, done), ==, 1);
            set32(f, TESSERA_REG_QUEUE_SELECT, i);
            WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_WAITS) == 3);
        } else {
            WAIT_FOR(signal_value(f, done) == 0);
        }
    }
    fixture_free(f);
}

/* It holds up what comes behind it until the value changes. */
static void test_barrier_value_waits(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 0);
    AqlDispatch dispatch = dispatch_packet(f, 0);
    AqlBarrierValue packet = {
        .header = AQL_TYPE_VENDOR,
        .format = 2,
        .signal = signal,
        .value = 7,
        .mask = -1,
        .condition = AQL_CONDITION_GTE,
    };

    ring_push(f, &r, &packet);
    ring_push(f, &r, &dispatch);
    store64(&signal_at(f, signal)->value, 6);
    let_it_settle();
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    store64(&signal_at(f, signal)->value, 8);
    fake_engine_dispatch(0);

    packet.signal = 0; /* satisfied */
    ring_push(f, &r, &packet);
    fake_engine_finish(0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 3);
    fixture_free(f);
}

static void test_barrier_value_bad(void)
{
    static const WordCase cases[] = {
        { 0, 2 << 16 | 1 << 24 }, { 1, 1 }, { 8, 4 }, { 8, UINT32_MAX },
        { 9, 1 }, { 10, 1 }, { 13, 1u << 31 },
    };
    Fixture *f = fixture_new(0);
    AqlBarrierValue good = { .header = AQL_TYPE_VENDOR, .format = 2 };

    check_words(f, &good, cases, G_N_ELEMENTS(cases));
    good.signal = 0x40; /* unmapped */
    check_refused(f, 99, &good, TESSERA_QERR_MEMORY_FAULT,
                  TESSERA_FAULT_UNMAPPED);
    fixture_free(f);
}

/* ---- copy and fill ---- */

static AqlCopy copy_packet(uint64_t target, uint64_t source, uint64_t size,
                           uint64_t signal)
{
    return (AqlCopy){
        .header = AQL_TYPE_VENDOR,
        .format = 0x80,
        .version = 1,
        .source = source,
        .target = target,
        .size = size,
        .completion_signal = signal,
    };
}

static AqlFill fill_packet(uint64_t target, uint64_t size, uint32_t value,
                           uint64_t signal)
{
    return (AqlFill){
        .header = AQL_TYPE_VENDOR,
        .format = 0x81,
        .version = 1,
        .value = value,
        .target = target,
        .size = size,
        .completion_signal = signal,
    };
}

/* Run a packet to its completion. */
static void run_packet(Fixture *f, Ring *r, const void *packet,
                       uint64_t signal)
{
    int64_t before = signal_value(f, signal);

    ring_push(f, r, packet);
    WAIT_FOR(signal_value(f, signal) == before - 1);
}

static void randomize(uint8_t *bytes, size_t size, uint32_t seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = seed >> 24;
    }
}

/*
 * Sizes and alignments around pages, all overlaps: against memmove() on a copy
 * of the same bytes.
 */
static void test_copy(void)
{
    static const struct {
        uint32_t target, source, size; /* offsets in one buffer */
    } cases[] = {
        { 0, 8192, 1 }, { 1, 8195, 1 }, { 4095, 8192, 2 }, { 3, 9000, 4096 },
        { 0, 65536, 65536 }, { 7, 70001, 60000 }, { 4096, 65536 + 1, 8192 },
        { 100, 0, 5000 }, { 0, 100, 5000 }, { 1, 0, 40000 }, { 0, 1, 40000 },
        { 4096, 0, 4096 * 5 }, { 0, 4096, 4096 * 5 }, { 5000, 4999, 1 },
        { 5000, 5000, 5000 }, { 60000, 0, 60001 }, { 0, 60000, 60001 },
        { 17, 0, 0 }, { 131071, 0, 1 }, { 0, 131071, 1 },
    };
    enum { BYTES = 131072 };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 64);
    uint64_t at = fixture_alloc(f, BYTES), signal = signal_new(f, 1000);
    uint8_t *bytes = fixture_at(f, at), *expected = g_malloc(BYTES);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        AqlCopy packet = copy_packet(at + cases[i].target,
                                     at + cases[i].source, cases[i].size,
                                     signal);

        randomize(bytes, BYTES, i);
        memcpy(expected, bytes, BYTES);
        memmove(expected + cases[i].target, expected + cases[i].source,
                cases[i].size);
        run_packet(f, &r, &packet, signal);
        g_assert_cmpmem(bytes, BYTES, expected, BYTES);
    }
    g_free(expected);
    fixture_free(f);
}

/* More than a chunk, RAM to VRAM and back, at odd addresses. */
static void test_copy_large(void)
{
    enum { SIZE = 5 * CHUNK / 2 + 13 };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 4);
    uint64_t from = fixture_alloc(f, SIZE + 3), to = fixture_alloc(f, SIZE);
    uint64_t vram = TESSERA_VRAM_WINDOW + 0x100001;
    uint8_t *source = (uint8_t *)fixture_at(f, from) + 3;
    AqlCopy packet = copy_packet(vram, from + 3, SIZE, signal);

    randomize(source, SIZE, 1);
    run_packet(f, &r, &packet, signal);
    g_assert_cmpmem(f->vram + 0x100001, SIZE, source, SIZE);
    packet = copy_packet(to, vram, SIZE, signal);
    run_packet(f, &r, &packet, signal);
    g_assert_cmpmem(fixture_at(f, to), SIZE, source, SIZE);
    /* Every byte that was written has been reported. */
    for (unsigned i = 0; i < SIZE; i++) {
        g_assert_true(f->mock->reported[to - MOCK_RAM_BASE + i]);
    }
    g_assert_false(f->mock->reported[to - MOCK_RAM_BASE + SIZE]);

    /* Overlapping by more than a chunk, in both directions. */
    memmove(source, source + 4, SIZE - 4);
    packet = copy_packet(vram - 1, vram + 4, SIZE - 5, signal);
    run_packet(f, &r, &packet, signal);
    g_assert_cmpmem(f->vram + 0x100000, SIZE - 5, source, SIZE - 5);
    memmove(source + 4000, source, SIZE - 4000);
    packet = copy_packet(vram - 1 + 4000, vram - 1, SIZE - 4000, signal);
    run_packet(f, &r, &packet, signal);
    g_assert_cmpmem(f->vram + 0x100000, SIZE - 5, source, SIZE - 5);
    fixture_free(f);
}

static void test_fill(void)
{
    static const struct {
        uint32_t at, size;
    } cases[] = {
        { 0, 1 }, { 1, 2 }, { 3, 5 }, { 4094, 7 }, { 0, 4096 }, { 1, 8191 },
        { 5, 0 }, { 2, 65530 }, { 65535, 1 },
    };
    enum { BYTES = 65536 };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 64);
    uint64_t at = fixture_alloc(f, BYTES), signal = signal_new(f, 1000);
    uint8_t *bytes = fixture_at(f, at), *expected = g_malloc(BYTES);
    const uint8_t value[4] = { 0x44, 0x33, 0x22, 0x11 };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        AqlFill packet = fill_packet(at + cases[i].at, cases[i].size,
                                     0x11223344, signal);

        randomize(bytes, BYTES, i);
        memcpy(expected, bytes, BYTES);
        for (unsigned n = 0; n < cases[i].size; n++) {
            expected[cases[i].at + n] = value[n % 4];
        }
        run_packet(f, &r, &packet, signal);
        g_assert_cmpmem(bytes, BYTES, expected, BYTES);
    }
    g_free(expected);
    fixture_free(f);
}

/* A pattern goes on from chunk to chunk. */
static void test_fill_large(void)
{
    enum { SIZE = 3 * CHUNK + 1001 };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlFill packet = fill_packet(TESSERA_VRAM_WINDOW + 3, SIZE, 0xdeadbeef,
                                 signal);
    const uint8_t value[4] = { 0xef, 0xbe, 0xad, 0xde };

    run_packet(f, &r, &packet, signal);
    for (unsigned i = 0; i < SIZE; i++) {
        g_assert_cmphex(f->vram[3 + i], ==, value[i % 4]);
    }
    g_assert_cmphex(f->vram[2], ==, 0);
    g_assert_cmphex(f->vram[3 + SIZE], ==, 0);
    fixture_free(f);
}

static void test_copy_bad(void)
{
    static const WordCase cases[] = {
        { 0, 0x80 << 16 }, { 0, 0x80 << 16 | 2 << 24 }, { 1, 1 }, { 8, 1 },
        { 13, 1 },
    };
    static const WordCase fill_cases[] = {
        { 0, 0x81 << 16 }, { 0, 0x81 << 16 | 2 << 24 }, { 2, 1 }, { 3, 1 },
        { 8, 1 }, { 13, 1 },
    };
    Fixture *f = fixture_new(0);
    AqlCopy copy = copy_packet(MOCK_RAM_BASE, MOCK_RAM_BASE, 1, 0);
    AqlFill fill = fill_packet(MOCK_RAM_BASE, 1, 0, 0);

    check_words(f, &copy, cases, G_N_ELEMENTS(cases));
    fixture_free(f);
    f = fixture_new(0);
    check_words(f, &fill, fill_cases, G_N_ELEMENTS(fill_cases));
    fill.target = 1;
    fill.size = UINT64_MAX; /* wraps */
    check_refused(f, 100, &fill, TESSERA_QERR_BAD_VENDOR_PACKET,
                  TESSERA_FAULT_VENDOR);
    copy.size = UINT64_MAX - MOCK_RAM_BASE + 1;
    check_refused(f, 101, &copy, TESSERA_QERR_BAD_VENDOR_PACKET,
                  TESSERA_FAULT_VENDOR);
    fixture_free(f);
}

/* What lies before the page that faults has been copied. */
static void test_copy_fault(void)
{
    Fixture *f = fixture_new(0);
    uint64_t end = MOCK_RAM_BASE + MOCK_RAM_SIZE;
    uint64_t target = fixture_alloc(f, 16384);
    AqlCopy packet = copy_packet(target, end - 5000, 10000, 0);

    memset(f->mock->ram + MOCK_RAM_SIZE - 5000, 0x5a, 5000);
    check_refused(f, 0, &packet, TESSERA_QERR_MEMORY_FAULT,
                  TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, end);
    for (unsigned i = 0; i < 5000; i++) {
        g_assert_cmphex(((uint8_t *)fixture_at(f, target))[i], ==, 0x5a);
    }
    g_assert_cmphex(((uint8_t *)fixture_at(f, target))[5000], ==, 0);

    packet = copy_packet(MOCK_ROM_BASE, target, 16, 0);
    check_refused(f, 1, &packet, TESSERA_QERR_MEMORY_FAULT,
                  TESSERA_FAULT_READ_ONLY);
    g_assert_cmphex(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) & 7, ==, 3);
    fixture_free(f);
}

/*
 * A copy of nearly all of VRAM onto itself: others get their turn, a pause
 * does not wait for its end, and it can be killed.
 */
static void test_copy_endless(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 64), other = ring_map(f, 1, 64);
    uint64_t signal = signal_new(f, 1000), done = signal_new(f, 1);
    AqlCopy packet = copy_packet(TESSERA_VRAM_WINDOW + 1, TESSERA_VRAM_WINDOW,
                                 VRAM_BYTES - 1, done);
    AqlBarrier barrier = barrier_packet(AQL_TYPE_BARRIER_AND, signal, NULL, 0);

    ring_push(f, &r, &packet);
    for (unsigned i = 0; i < 5; i++) {
        run_packet(f, &other, &barrier, signal);
        tessera_gpu_pause(f->gpu);
        tessera_gpu_resume(f->gpu);
    }
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

/* Unmap brings a copy to its end; preemption takes it elsewhere. */
static void test_copy_unmap(void)
{
    enum { SIZE = 20u << 20 };
    Fixture *f = fixture_new(0);
    uint64_t done = signal_new(f, 3);
    Ring r = ring_new(f, 0, 16);
    AqlCopy packet = copy_packet(TESSERA_VRAM_WINDOW + 4097,
                                 TESSERA_VRAM_WINDOW, SIZE, done);

    randomize(f->vram, SIZE, 7);
    run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *expected = g_memdup2(f->vram, SIZE);

        ring_push(f, &r, &packet);
        g_usleep(500 * i);
        f->flags = i ? TESSERA_UNMAP_PREEMPT : 0;
        g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 0, 0), ==,
                         TESSERA_RESULT_OK);
        run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
        WAIT_FOR(signal_value(f, done) == 2 - (int)i);
        g_assert_cmpmem(f->vram + 4097, SIZE, expected, SIZE);
        g_free(expected);
    }
    fixture_free(f);
}

/*
 * A fault in the middle of an overlapping copy: what has been copied is not
 * copied again, or it would be copied onto itself.
 */
static void test_copy_resume(void)
{
    enum { SIZE = 200000 };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 64);
    uint64_t signal = signal_new(f, 100);
    uint8_t *expected = g_malloc(SIZE + 5000);

    for (unsigned up = 0; up < 2; up++) {
        uint64_t low = TESSERA_VRAM_WINDOW, high = low + 4999;
        AqlCopy packet = copy_packet(up ? high : low, up ? low : high, SIZE,
                                     signal);

        randomize(f->vram, SIZE + 5000, up);
        memcpy(expected, f->vram, SIZE + 5000);
        memmove(expected + (up ? 4999 : 0), expected + (up ? 0 : 4999), SIZE);
        set32(f, TESSERA_REG_INJECT_QUEUE, 0);
        set32(f, TESSERA_REG_INJECT_SKIP, 60);
        set32(f, TESSERA_REG_INJECT_ARM, TESSERA_INJECT_PAGE_FAULT);
        ring_push(f, &r, &packet);
        g_assert_cmphex(ring_wait_error(f, &r), ==,
                        TESSERA_QERR_MEMORY_FAULT);
        g_assert_cmpint(memcmp(f->vram, expected, SIZE + 4999), !=, 0);
        g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 0, 0), ==,
                         TESSERA_RESULT_OK);
        WAIT_FOR(signal_value(f, signal) == 99 - (int)up);
        g_assert_cmpmem(f->vram, SIZE + 4999, expected, SIZE + 4999);
    }
    g_free(expected);
    fixture_free(f);
}

/*
 * Saved and loaded in the middle of a copy, with a frozen and a stopped queue
 * beside it.  The copy overlaps: made anew it would come out wrong.
 */
static void test_copy_saved(void)
{
    enum { SIZE = 400000, BY = 12345 };
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16), frozen = ring_map(f, 1, 16);
    Ring stopped = ring_map(f, 2, 16);
    uint64_t signal = signal_new(f, 1);
    AqlCopy packet = copy_packet(TESSERA_VRAM_WINDOW, TESSERA_VRAM_WINDOW + BY,
                                 SIZE, signal);
    AqlFill bad = fill_packet(0x40, 4, 0, 0);
    GByteArray *state = g_byte_array_new();
    uint8_t *expected = g_malloc(SIZE);
    GError *error = NULL;

    randomize(f->vram, SIZE + BY, 3);
    memcpy(expected, f->vram + BY, SIZE);
    run_command(f, TESSERA_CMD_FREEZE, 1, 0);
    ring_push(f, &stopped, &bad);
    ring_wait_error(f, &stopped);
    set32(f, TESSERA_REG_INJECT_QUEUE, 0); /* stops it in the middle */
    set32(f, TESSERA_REG_INJECT_SKIP, 100);
    set32(f, TESSERA_REG_INJECT_ARM, TESSERA_INJECT_PAGE_FAULT);
    ring_push(f, &r, &packet);
    ring_wait_error(f, &r);
    g_assert_cmpint(memcmp(f->vram, expected, SIZE), !=, 0);
    WAIT_FOR(load64(&r.inactive->value)); /* all is over */
    g_assert_true(tessera_gpu_save(f->gpu, state, &error));
    g_assert_no_error(error);
    g_assert_true(tessera_gpu_load(f->gpu, state->data, state->len, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_RESUME, 0, 0), ==,
                     TESSERA_RESULT_OK);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_cmpmem(f->vram, SIZE, expected, SIZE);
    g_assert_cmpuint(ring_state(f, &frozen), ==, 3);
    g_assert_cmpuint(ring_state(f, &stopped), ==, 2);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, 0x40);
    run_command(f, TESSERA_CMD_RESUME, 1, 0);
    g_assert_cmpuint(ring_state(f, &frozen), ==, 1);
    g_byte_array_free(state, true);
    g_free(expected);
    fixture_free(f);
}

/* Unmap a queue in the middle of a copy and try to save: was it refused? */
static bool save_refused(Fixture *f, Ring *r, uint64_t done, uint8_t mark,
                         uint64_t *command)
{
    AqlCopy packet = copy_packet(TESSERA_VRAM_WINDOW + 1, TESSERA_VRAM_WINDOW,
                                 VRAM_BYTES - 1, done);
    g_autoptr(GByteArray) state = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    bool ok;

    f->vram[VRAM_BYTES - 2] = mark; /* the first byte that is copied */
    ring_push(f, r, &packet);
    WAIT_FOR(__atomic_load_n(&f->vram[VRAM_BYTES - 1], __ATOMIC_RELAXED) ==
             mark);
    *command = submit_command(f, TESSERA_CMD_UNMAP, 0, 0);
    catch_up(f); /* the one before it has been taken */
    tessera_gpu_settle(f->gpu, 1);
    ok = tessera_gpu_save(f->gpu, state, &error);
    tessera_gpu_resume(f->gpu);
    return !ok && !strcmp(error->message, "queue 0 is being unmapped");
}

/*
 * A save is tried while a copy is brought to its end for UNMAP: it is refused,
 * and the copy goes on.
 */
static void test_copy_unmap_save(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 64), other = ring_map(f, 1, 16);
    uint64_t done = signal_new(f, 50), command;
    AqlDispatch endless = dispatch_packet(f, 0);
    bool refused = false;

    ring_push(f, &other, &endless); /* settling takes all its time */
    fake_engine_dispatch(0);
    for (int i = 1; i <= 50 && !refused; i++) {
        refused = save_refused(f, &r, done, i, &command);
        WAIT_FOR(load32((uint8_t *)fixture_at(f, command) +
                        offsetof(TesseraCommand, result)) ==
                 TESSERA_RESULT_OK);
        g_assert_cmpint(signal_value(f, done), ==, 50 - i);
        run_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    }
    g_assert_true(refused); /* else each copy was over in no time */
    fixture_free(f);
}

/* A copy that has failed does not keep its queue from being unmapped. */
static void test_copy_unmap_failed(void)
{
    Fixture *f = fixture_new(0);

    for (unsigned i = 0; i < 3; i++) {
        Ring r = ring_map(f, 0, 64);
        AqlCopy packet = copy_packet(TESSERA_VRAM_WINDOW,
                                     TESSERA_VRAM_WINDOW + VRAM_BYTES -
                                         (1 << 20), 2 << 20, 0);

        ring_push(f, &r, &packet);
        if (i) { /* else the copy fails while the queue is being unmapped */
            ring_wait_error(f, &r);
        }
        f->flags = i == 2 ? TESSERA_UNMAP_PREEMPT : 0;
        g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 0, 0), ==,
                         TESSERA_RESULT_OK);
    }
    fixture_free(f);
}

/* ---- time stamps ---- */

static void test_timestamps(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1000), dep = signal_new(f, 1);
    AmdSignal *s = signal_at(f, signal);
    AqlBarrierValue wait = {
        .header = AQL_TYPE_VENDOR,
        .format = 2,
        .signal = dep,
        .mask = -1,
        .completion_signal = signal,
    };
    AqlFill fill = fill_packet(TESSERA_VRAM_WINDOW, 100, 0, signal);

    ring_push(f, &r, &wait);
    set32(f, TESSERA_REG_QUEUE_SELECT, 0);
    WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_WAITS) == 3);
    mock_host_advance(f->mock, 770);
    store64(&signal_at(f, dep)->value, 0);
    WAIT_FOR(signal_value(f, signal) == 999);
    g_assert_cmpuint(s->start_ts, ==, 100000);
    g_assert_cmpuint(s->end_ts, ==, 100077);
    run_packet(f, &r, &fill, signal);
    g_assert_cmpuint(s->start_ts, ==, 100077);
    g_assert_cmpuint(s->end_ts, ==, 100077);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/pm4/good", test_pm4);
    g_test_add_func("/gpu/pm4/barrier-bit", test_pm4_barrier_bit);
    g_test_add_func("/gpu/pm4/bad-packet", test_pm4_bad_packet);
    g_test_add_func("/gpu/pm4/bad-commands", test_pm4_bad_commands);
    g_test_add_func("/gpu/pm4/unmapped", test_pm4_unmapped);
    g_test_add_func("/gpu/barrier-value/conditions", test_barrier_value);
    g_test_add_func("/gpu/barrier-value/waits", test_barrier_value_waits);
    g_test_add_func("/gpu/barrier-value/bad", test_barrier_value_bad);
    g_test_add_func("/gpu/copy/sizes", test_copy);
    g_test_add_func("/gpu/copy/large", test_copy_large);
    g_test_add_func("/gpu/copy/bad", test_copy_bad);
    g_test_add_func("/gpu/copy/fault", test_copy_fault);
    g_test_add_func("/gpu/copy/endless", test_copy_endless);
    g_test_add_func("/gpu/copy/unmap", test_copy_unmap);
    g_test_add_func("/gpu/copy/resume", test_copy_resume);
    g_test_add_func("/gpu/copy/unmap-save", test_copy_unmap_save);
    g_test_add_func("/gpu/copy/unmap-failed", test_copy_unmap_failed);
    g_test_add_func("/gpu/copy/saved", test_copy_saved);
    g_test_add_func("/gpu/fill/sizes", test_fill);
    g_test_add_func("/gpu/fill/large", test_fill_large);
    g_test_add_func("/gpu/timestamps", test_timestamps);
    return g_test_run();
}
