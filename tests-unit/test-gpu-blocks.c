/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block dispatch packets: what the engine gets, and what the guest gets. */
#include <string.h>
#include "tests-unit/gpu-space.h"

enum { ENTRY = 0x123456 };

static AqlBlocks blocks_packet(Fixture *f, uint64_t gprs, uint64_t result,
                               uint64_t signal)
{
    return (AqlBlocks){
        .header = AQL_TYPE_VENDOR,
        .format = 0x90,
        .version = 1,
        .entry = ENTRY,
        .gprs = gprs,
        .result = result,
        .completion_signal = signal,
    };
}

/* Registers R1 to R23 that hold 100 + their number. */
static uint64_t gprs_new(Fixture *f)
{
    uint64_t at = fixture_alloc(f, sizeof(TesseraBlockGprs));
    TesseraBlockGprs *gprs = fixture_at(f, at);

    gprs->size = 208;
    gprs->version = 1;
    for (unsigned i = 1; i < 24; i++) {
        gprs->gpr[i] = 100 + i;
    }
    return at;
}

/* The result is there when the signal says so. */
static void test_done(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1), at = fixture_alloc(f, 4096);
    const TesseraBlockResult *result = fixture_at(f, at);
    AqlBlocks packet = blocks_packet(f, gprs_new(f), at, signal);
    EngineDispatch d;

    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(0);
    g_assert_true(d.stream);
    g_assert_cmphex(d.launch.entry, ==, ENTRY);
    for (unsigned i = 0; i < 24; i++) {
        g_assert_cmpuint(d.launch.blocks->gpr[i], ==, i ? 100 + i : 0);
    }
    d.launch.blocks->gpr[23] = 5;
    d.launch.blocks->committed = 77;
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 0);
    g_assert_cmpuint(result->size, ==, 280);
    g_assert_cmpuint(result->version, ==, 1);
    g_assert_cmpuint(result->status, ==, 1);
    g_assert_cmpuint(result->committed, ==, 77);
    g_assert_cmpuint(result->trapno, ==, 0);
    g_assert_cmpuint(result->gpr[1], ==, 101);
    g_assert_cmpuint(result->gpr[23], ==, 5);
    fixture_free(f);
}

/* Without registers and without a result. */
static void test_bare(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1);
    AqlBlocks packet = blocks_packet(f, 0, 0, signal);
    EngineDispatch d;

    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(0);
    for (unsigned i = 0; i < 24; i++) {
        g_assert_cmpuint(d.launch.blocks->gpr[i], ==, 0);
    }
    fake_engine_finish(0);
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

static void test_trap(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 1), at = fixture_alloc(f, 4096);
    const TesseraBlockResult *result = fixture_at(f, at);
    AqlBlocks packet = blocks_packet(f, gprs_new(f), at, signal);
    EngineFault fault = { .cause = TESSERA_FAULT_BLOCK, .pc = 0x77 };
    TesseraBlocks *blocks;

    ring_push(f, &r, &packet);
    blocks = fake_engine_dispatch(0).launch.blocks;
    blocks->trapped = true;
    blocks->trapno = 1;
    blocks->traparg0 = 2;
    blocks->ecstate = 3;
    blocks->ebpc = 4;
    blocks->ebpcn = 5;
    blocks->ebarg = 6;
    blocks->etpc = 7;
    fake_engine_fault(0, &fault);
    g_assert_cmphex(ring_wait_error(f, &r), ==,
                    TESSERA_QERR_ILLEGAL_INSTRUCTION);
    g_assert_cmpuint(result->status, ==, 2);
    g_assert_cmpuint(result->trapno, ==, 1);
    g_assert_cmpuint(result->traparg0, ==, 2);
    g_assert_cmpuint(result->ecstate, ==, 3);
    g_assert_cmpuint(result->ebpc, ==, 4);
    g_assert_cmpuint(result->ebpcn, ==, 5);
    g_assert_cmpuint(result->ebarg, ==, 6);
    g_assert_cmpuint(result->etpc, ==, 7);
    g_assert_cmpuint(result->gpr[2], ==, 102);
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_PC), ==, 0x77);
    fixture_free(f);
}

/* ---- what is refused ---- */

static void check_refused(Fixture *f, unsigned slot, const void *packet,
                          uint32_t bits, unsigned cause)
{
    Ring r = ring_map(f, slot, 16);

    set32(f, TESSERA_REG_FAULT_STATUS, 1);
    ring_push(f, &r, packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, bits);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) >> 8 & 0xff, ==,
                     cause);
    WAIT_FOR(load64(&r.inactive->value) == bits);
}

static void test_bad_packet(void)
{
    static const struct {
        unsigned word;
        uint32_t value;
    } cases[] = {
        { 0, 0x90 << 16 }, { 0, 0x90 << 16 | 2 << 24 }, { 1, 1 },
        { 2, ENTRY + 1 }, { 4, 4 }, { 6, 4 }, { 8, 1 }, { 9, 1 }, { 10, 1 },
        { 13, 1u << 31 }, { 14, 4 },
    };
    Fixture *f = fixture_new(0);
    AqlBlocks good = blocks_packet(f, 0, 0, 0);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint32_t words[16];

        memcpy(words, &good, sizeof(words));
        words[cases[i].word] = cases[i].value;
        check_refused(f, i, words, TESSERA_QERR_BAD_VENDOR_PACKET,
                      TESSERA_FAULT_VENDOR);
    }
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    fixture_free(f);
}

static void test_bad_gprs(void)
{
    static const struct {
        unsigned word;
        uint32_t value;
    } cases[] = {
        { 0, 200 }, { 1, 0 }, { 1, 2 }, { 2, 1 }, { 3, 1 }, { 4, 1 },
        { 5, 1u << 31 },
    };
    Fixture *f = fixture_new(0);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t at = gprs_new(f);
        AqlBlocks packet = blocks_packet(f, at, 0, 0);

        ((uint32_t *)fixture_at(f, at))[cases[i].word] = cases[i].value;
        check_refused(f, i, &packet, TESSERA_QERR_BAD_VENDOR_PACKET,
                      TESSERA_FAULT_VENDOR);
    }
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    fixture_free(f);
}

/* Memory that is not there. */
static void test_bad_memory(void)
{
    Fixture *f = fixture_new(0);
    uint64_t signal = signal_new(f, 1);
    AqlBlocks packet = blocks_packet(f, 0x40, 0, signal);

    check_refused(f, 0, &packet, TESSERA_QERR_MEMORY_FAULT,
                  TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(fake_engine_submitted(), ==, 0);
    fake_engine_auto(true);
    packet = blocks_packet(f, 0, 0x40, signal);
    check_refused(f, 1, &packet, TESSERA_QERR_MEMORY_FAULT,
                  TESSERA_FAULT_UNMAPPED);
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    fixture_free(f);
}

/* ---- the end that others bring ---- */

static void test_hang_timeout(void)
{
    Fixture *f = fixture_new(1000000);
    Ring r = ring_map(f, 0, 16);
    uint64_t at = fixture_alloc(f, 4096);
    const TesseraBlockResult *result = fixture_at(f, at);
    AqlBlocks packet = blocks_packet(f, gprs_new(f), at, 0);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    mock_host_advance(f->mock, 2000000);
    g_assert_cmphex(ring_wait_error(f, &r), ==, (uint32_t)TESSERA_QERR_TRAP);
    g_assert_cmpuint(result->status, ==, 3);
    g_assert_cmpuint(result->gpr[3], ==, 103);
    fixture_free(f);
}

static void test_kill(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t at = fixture_alloc(f, 4096);
    const TesseraBlockResult *result = fixture_at(f, at);
    AqlBlocks packet = blocks_packet(f, gprs_new(f), at, 0);

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(result->size, ==, 0);
    fixture_free(f);
}

/* Kernels and blocks in one queue, and in two. */
static void test_side_by_side(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16), b = ring_map(f, 1, 16);
    uint64_t signal = signal_new(f, 4), at = fixture_alloc(f, 4096);
    AqlBlocks blocks = blocks_packet(f, 0, at, signal);
    AqlDispatch kernel = dispatch_packet(f, signal);

    ring_push(f, &a, &blocks);
    ring_push(f, &a, &kernel);
    ring_push(f, &b, &kernel);
    ring_push(f, &b, &blocks);
    fake_engine_dispatch(3);
    for (unsigned i = 0; i < 4; i++) {
        fake_engine_finish(i);
    }
    WAIT_FOR(signal_value(f, signal) == 0);
    fixture_free(f);
}

/* Registers and result lie where the queue's VMID has them. */
static void test_vmid(void)
{
    Fixture *f = fixture_new(0);
    Space *s = space_new(f, 3, 8 << 20);
    Ring r = ring_new(f, 5, 4);
    uint64_t gprs = gprs_new(f), result = fixture_alloc(f, 4096);
    AqlBlocks packet = blocks_packet(f, 0x5000000000, 0x6000000000, 0);
    EngineDispatch d;

    space_map(s, MOCK_RAM_BASE, MOCK_RAM_SIZE, MOCK_RAM_BASE | RAM_RW);
    space_map(s, packet.gprs, 4096, gprs | RAM_RW);
    space_map(s, packet.result, 4096, result | RAM_RW);
    space_on(s);
    r.desc->vmid = 3;
    r.doorbell += 3 * TESSERA_SLICE_DOORBELLS;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 5, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    ring_push(f, &r, &packet);
    d = fake_engine_dispatch(0);
    g_assert_cmpuint(d.vmid, ==, 3);
    g_assert_cmpuint(d.launch.blocks->gpr[9], ==, 109);
    fake_engine_finish(0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 1);
    g_assert_cmpuint(load32(fixture_at(f, result + 8)), ==, 1);
    space_free(s);
    fixture_free(f);
}

static void test_registers(void)
{
    Fixture *f = fixture_new(0);

    g_assert_true(reg32(f, TESSERA_REG_FEATURES) & 4);
    /* BlockISA: 64 lanes, 8 and 4 tiles, 12 and 4 registers */
    g_assert_cmphex(reg32(f, TESSERA_REG_BLOCK_LIMITS), ==,
                    6 | 8 << 4 | 4 << 8 | 12 << 12 | 4 << 16);
    g_assert_cmpuint(reg32(f, TESSERA_REG_BLOCK_TILE_MIN), ==, 256);
    g_assert_cmpuint(reg32(f, TESSERA_REG_BLOCK_TILE_MAX), ==, 256 << 10);
    g_assert_cmpuint(reg32(f, TESSERA_REG_BLOCK_TILE_TOTAL), ==, 512 << 10);
    g_assert_cmpuint(reg32(f, TESSERA_REG_BLOCK_TILE_DEPTH), ==, 16);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/blocks/done", test_done);
    g_test_add_func("/gpu/blocks/bare", test_bare);
    g_test_add_func("/gpu/blocks/trap", test_trap);
    g_test_add_func("/gpu/blocks/bad-packet", test_bad_packet);
    g_test_add_func("/gpu/blocks/bad-gprs", test_bad_gprs);
    g_test_add_func("/gpu/blocks/bad-memory", test_bad_memory);
    g_test_add_func("/gpu/blocks/hang-timeout", test_hang_timeout);
    g_test_add_func("/gpu/blocks/kill", test_kill);
    g_test_add_func("/gpu/blocks/side-by-side", test_side_by_side);
    g_test_add_func("/gpu/blocks/vmid", test_vmid);
    g_test_add_func("/gpu/blocks/registers", test_registers);
    return g_test_run();
}
