/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shaders that do not end or go wrong: stopping, killing and resetting them,
 * and what a driver can read about a fault.
 */
#include "tessera-qtest.h"

#define NOWHERE 0x8000000000ull
#define LANE63_STORE 0x1c /* offset of the store in shaders/lane63.s */

/* ---- shaders that do not end ---- */

/* An endless shader's buffer: word 0 says started, word 1 counts. */
typedef struct Endless {
    TqQueue q;
    AqlDispatch packet;
    uint64_t buf;
} Endless;

static Endless start_endless(TqGpu *gpu, unsigned slot, bool vram)
{
    Endless e = {
        .q = tq_queue(gpu, slot),
        .buf = vram ? tq_alloc_vram(gpu, 64) : tq_alloc(gpu, 64),
    };
    uint64_t kernarg = tq_alloc(gpu, 64);

    tq_put64(gpu, kernarg, e.buf);
    e.packet = tq_dispatch(gpu, tq_shader(gpu, "endless", vram), kernarg,
                           64, 64);
    tq_push(&e.q, &e.packet);
    g_assert_true(tq_wait32(gpu, e.buf, 1));
    return e;
}

static uint32_t counter(TqGpu *gpu, const Endless *e)
{
    return tq_get32(gpu, e->buf + 4);
}

static bool counts(TqGpu *gpu, const Endless *e)
{
    uint32_t before = counter(gpu, e);

    return TQ_POLL(counter(gpu, e) != before);
}

static bool stands_still(TqGpu *gpu, const Endless *e)
{
    uint32_t before = counter(gpu, e);

    tq_settle(gpu);
    tq_settle(gpu);
    return counter(gpu, e) == before;
}

/* Another queue's dispatch gets its turn and ends. */
static void check_store(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    uint64_t buf = tq_alloc(gpu, 256), kernarg = tq_alloc(gpu, 64);
    AqlDispatch p;

    tq_put64(gpu, kernarg, buf);
    p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg, 64, 64);
    tq_run(&q, &p);
    g_assert_cmpuint(tq_get32(gpu, buf + 63 * 4), ==, 63);
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
}

static void test_stop(void)
{
    TqGpu *gpu = tq_start("");
    Endless e = start_endless(gpu, 0, false);

    for (int i = 0; i < 3; i++) {
        g_assert_true(counts(gpu, &e));
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        g_assert_true(stands_still(gpu, &e));
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    }
    g_assert_true(counts(gpu, &e));
    tq_end(gpu);
}

static void test_kill(void)
{
    TqGpu *gpu = tq_start("");

    for (int i = 0; i < 3; i++) {
        Endless e = start_endless(gpu, 4, i & 1);

        g_assert_true(counts(gpu, &e));
        g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
        g_assert_true(stands_still(gpu, &e));
        g_assert_cmpint(tq_get64(gpu, e.packet.completion_signal +
                                 TQ_SIGNAL_VALUE), ==, 1);
    }
    check_store(gpu, 4);
    tq_end(gpu);
}

/* Unmapping waits for the dispatch; the kill that follows ends both. */
static void test_unmap_then_kill(void)
{
    TqGpu *gpu = tq_start("");
    Endless e = start_endless(gpu, 0, false);
    uint64_t at = tq_alloc(gpu, sizeof(TesseraCommand));
    TesseraCommand unmap = tq_command_init(TESSERA_CMD_UNMAP, 0);

    unmap.fence_addr = tq_alloc(gpu, 8);
    unmap.fence_value = 55;
    tq_put(gpu, at, &unmap, sizeof(unmap));
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    tq_settle(gpu);
    g_assert_cmpint(tq_get64(gpu, unmap.fence_addr), ==, 0);
    g_assert_true(counts(gpu, &e));
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    g_assert_true(tq_wait64(gpu, unmap.fence_addr, 55));
    g_assert_true(stands_still(gpu, &e));
    tq_end(gpu);
}

/* One worker, queues that never end, and others that must have their turn. */
static void test_no_starving(void)
{
    TqGpu *gpu = tq_start(",workers=1");
    Endless a = start_endless(gpu, 0, false);
    Endless b = start_endless(gpu, 1, true);

    for (int i = 0; i < 3; i++) {
        check_store(gpu, 2);
    }
    g_assert_true(counts(gpu, &a));
    g_assert_true(counts(gpu, &b));
    tq_end(gpu);
}

/* hang-timeout counts guest time, which qtest steps by hand. */
static void test_hang_timeout(void)
{
    TqGpu *gpu = tq_start(",hang-timeout=1000");
    Endless e = start_endless(gpu, 0, false);
    uint32_t status;

    qtest_clock_step(gpu->qts, 900 * 1000000ll);
    tq_settle(gpu);
    g_assert_true(counts(gpu, &e));
    qtest_clock_step(gpu->qts, 200 * 1000000ll);
    g_assert_cmphex(tq_wait_error(&e.q), ==, (uint32_t)TESSERA_QERR_TRAP);
    g_assert_true(stands_still(gpu, &e));
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_HANG);
    check_store(gpu, 1);
    tq_end(gpu);
}

/* ---- resetting and removing under a running shader ---- */

static void reset_by_register(TqGpu *gpu)
{
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
}

static void reset_by_flr(TqGpu *gpu)
{
    unsigned devctl = gpu->pcie_cap + 8;

    tq_config_write(gpu, devctl,
                    tq_config_read(gpu, devctl, 2) | 1 << 15, 2);
    tq_place_bars(gpu, gpu->vram);
}

static void reset_by_system(TqGpu *gpu)
{
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'system_reset'}");
    qtest_qmp_eventwait(gpu->qts, "RESET");
    tq_place_bars(gpu, gpu->vram);
}

static void test_reset(const void *data)
{
    void (*reset)(TqGpu *gpu) = (void (*)(TqGpu *gpu))data;
    TqGpu *gpu = tq_start("");

    for (int i = 0; i < 3; i++) {
        Endless e = start_endless(gpu, 0, true);

        reset(gpu);
        g_assert_true(stands_still(gpu, &e));
        tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0);
        g_assert_cmpuint(tq_read(gpu, TESSERA_REG_QUEUE_STATE), ==, 0);
    }
    check_store(gpu, 0);
    tq_end(gpu);
}

/* Reset of a device that is paused with its VM. */
static void test_reset_while_stopped(void)
{
    TqGpu *gpu = tq_start("");
    Endless e = start_endless(gpu, 0, false);

    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    reset_by_register(gpu);
    g_assert_true(stands_still(gpu, &e));
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    g_assert_true(stands_still(gpu, &e));
    check_store(gpu, 0);
    tq_end(gpu);
}

/* QEMU ends promptly with a shader running, paused or not. */
static void test_quit(void)
{
    for (int i = 0; i < 2; i++) {
        TqGpu *gpu = tq_start("");

        start_endless(gpu, 0, false);
        if (i) {
            qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        }
        tq_end(gpu);
    }
}

#define RP_DEVFN (3 << 3)

static void test_unplug(void)
{
    const uint32_t window = 0xe0000000;
    QTestState *qts = tq_start_qemu(TQ_ROOT_PORT);

    tq_open_root_port(qts, RP_DEVFN, window);
    for (int i = 0; i < 3; i++) {
        TqGpu *gpu;

        qtest_qmp_device_add(qts, "tessera", "hot",
                             "{'bus': 'rp', 'vram-size': 67108864}");
        tq_power_slot(qts, RP_DEVFN);
        gpu = tq_attach(qts, 1, 0, window);
        start_endless(gpu, 0, i & 1);
        tq_unplug(qts, RP_DEVFN, "hot");
        tq_end(gpu);
    }
    qtest_quit(qts);
}

/* VRAM moves under the shader, which goes on by its window. */
static void test_bar_moves(void)
{
    TqGpu *gpu = tq_start("");
    Endless e = start_endless(gpu, 0, true);

    for (int i = 0; i < 4; i++) {
        tq_place_bars(gpu, 0xe0000000 + ((i + 1) % 2) * 0x8000000);
        g_assert_true(counts(gpu, &e));
    }
    tq_end(gpu);
}

/* In D3hot nothing runs; back in D0 it goes on. */
static void test_d3(void)
{
    TqGpu *gpu = tq_start("");
    Endless e = start_endless(gpu, 0, false);

    tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
    g_assert_true(stands_still(gpu, &e));
    tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
    g_assert_true(counts(gpu, &e));
    tq_end(gpu);
}

/* Without bus mastering guest memory is out of reach: a fault, not a hang. */
static void test_bus_master_off(void)
{
    TqGpu *gpu = tq_start("");
    Endless e = start_endless(gpu, 0, false);
    uint32_t status;

    tq_config_write(gpu, 0x04, 0x02, 2);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_FAULT_STATUS,
                              TESSERA_FAULT_STATUS_VALID_MASK,
                              TESSERA_FAULT_STATUS_VALID_MASK));
    g_assert_true(stands_still(gpu, &e));
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_UNMAPPED);
    tq_config_write(gpu, 0x04, 0x06, 2);
    check_store(gpu, 1);
    tq_end(gpu);
}

/* ---- faults ---- */

typedef struct BadShader {
    const char *name, *shader;
    uint64_t arg; /* the kernel's argument; 0: see the test */
    uint32_t bits;
    TesseraFaultCause cause;
    bool fetch;
} BadShader;

static const BadShader bad_shaders[] = {
    { "illegal", "illegal", NOWHERE, TESSERA_QERR_ILLEGAL_INSTRUCTION,
      TESSERA_FAULT_ILLEGAL_INSTRUCTION, true },
    { "trap", "trap", NOWHERE, (uint32_t)TESSERA_QERR_TRAP,
      TESSERA_FAULT_TRAP, true },
    { "jump-nowhere", "jump", NOWHERE, TESSERA_QERR_MEMORY_FAULT,
      TESSERA_FAULT_UNMAPPED, true },
    { "jump-to-registers", "jump", 0xe4080000, TESSERA_QERR_MEMORY_FAULT,
      TESSERA_FAULT_DEVICE_BAR, true },
    { "store-nowhere", "store", NOWHERE, TESSERA_QERR_MEMORY_FAULT,
      TESSERA_FAULT_UNMAPPED },
    { "store-to-registers", "store", 0xe4080000, TESSERA_QERR_MEMORY_FAULT,
      TESSERA_FAULT_DEVICE_BAR },
    { "store-past-vram", "store", TESSERA_VRAM_WINDOW + TQ_VRAM_SIZE,
      TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_UNMAPPED },
    { "store-to-rom", "store", 0xfffff000, TESSERA_QERR_MEMORY_FAULT,
      TESSERA_FAULT_NONE /* any */ },
    { "atomic-nowhere", "increment", NOWHERE, TESSERA_QERR_MEMORY_FAULT,
      TESSERA_FAULT_UNMAPPED },
};

static void test_bad_shader(const void *data)
{
    const BadShader *bad = data;
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 11);
    uint64_t kernarg = tq_alloc(gpu, 64);
    uint64_t kernel = tq_shader(gpu, bad->shader, false);
    AqlDispatch p = tq_dispatch(gpu, kernel, kernarg, 64, 64);
    uint32_t status;

    g_assert_cmphex(gpu->regs, ==, 0xe4080000);
    tq_put64(gpu, kernarg, bad->arg);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, bad->bits);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    if (bad->cause) {
        g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                         bad->cause);
    }
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, FETCH), ==, bad->fetch);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_FAULT_QUEUE), ==, 11);
    g_assert_cmpint(tq_get64(gpu, p.completion_signal + TQ_SIGNAL_VALUE),
                    ==, 1);
    check_store(gpu, 12);
    g_assert_cmpint(tq_queue_kill(&q), ==, TESSERA_RESULT_OK);
    check_store(gpu, 11);
    tq_end(gpu);
}

/* Each lane stores through its own pointer; lane 63's leads nowhere. */
static void test_lane_63(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, 6), kernarg = tq_alloc(gpu, 64);
    TqQueue q = tq_queue(gpu, 0);
    uint64_t table = tq_alloc(gpu, 64 * 8), buf = tq_alloc(gpu, 64 * 8);
    uint64_t kernel = tq_shader(gpu, "lane63", false);
    AqlDispatch p = tq_dispatch(gpu, kernel, kernarg, 64, 64);
    uint32_t status;
    TesseraIhEntry e;

    for (unsigned i = 0; i < 64; i++) {
        tq_put64(gpu, table + i * 8, i < 63 ? buf + i * 8 : NOWHERE + 0x124);
        tq_put64(gpu, buf + i * 8, ~0ull);
    }
    tq_put64(gpu, kernarg, table);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_MEMORY_FAULT);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, WRITE), ==, 1);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_LANES), ==, 1ull << 63);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_ADDR), ==,
                    NOWHERE + 0x124);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_PC), ==,
                    kernel + 256 + LANE63_STORE);
    /* Behind that of the command, which comes after the queue is mapped. */
    g_assert_true(tq_ring_wait(gpu, ring, 6, 1, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_FAULT);
    g_assert_cmphex(e.data, ==, NOWHERE + 0x124);

    /* A lane's word is either whole or untouched, and nothing beside it. */
    for (unsigned i = 0; i < 64; i++) {
        uint64_t word = tq_get64(gpu, buf + i * 8);

        if (word != ~0ull) {
            g_assert_cmpuint(i, <, 63);
            g_assert_cmphex(word, ==, 0xffffffff00000000 | i);
        }
    }
    tq_end(gpu);
}

/* ---- each cause that an instruction alone can have ---- */

#define SHARED 0x0001000000000000  /* VM_SH_MEM_BASES after reset */
#define PRIVATE 0x0002000000000000
#define KERNARG_LESS_64 ~0ull /* BadAccess.address of the scalar load */

/*
 * An instruction in the place of the store in shaders/lane63.s, as llvm-mc
 * encodes it.  v[2:3] are @where in lane 63, and a good place in the others.
 */
typedef struct BadAccess {
    const char *name;
    uint32_t words[2];
    uint64_t where, address; /* 0: of the instruction */
    uint32_t bits;
    TesseraFaultCause cause;
    bool write, all; /* all: no lane is named */
} BadAccess;

static const BadAccess bad_accesses[] = {
    /* global_atomic_add v[2:3], v4, off */
    { "misaligned", { 0xdd088000, 0x007f0402 }, NOWHERE + 2, NOWHERE + 2,
      TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_MISALIGNED, true },
    /* global_load_dword v5, v[2:3], off */
    { "aperture", { 0xdc508000, 0x057f0002 }, SHARED + 16, SHARED + 16,
      TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_APERTURE },
    /* flat_load_dword v5, v[2:3] offset:4; the dispatch has no LDS */
    { "lds-bounds", { 0xdc500004, 0x05000002 }, SHARED, SHARED + 4,
      TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_LDS_BOUNDS },
    /* flat_store_dword v[2:3], v4; it has no scratch either */
    { "scratch-bounds", { 0xdc700000, 0x00000402 }, PRIVATE + 8, PRIVATE + 8,
      TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_SCRATCH_BOUNDS, true },
    /* s_load_dword s13, s[0:1], vcc_lo offset:-0x40 */
    { "smem-offset", { 0xc0024340, 0xd41fffc0 }, NOWHERE, KERNARG_LESS_64,
      TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_SMEM_OFFSET, false, true },
    /* ds_add_u32 v4, v4 gds */
    { "no-gds", { 0xd8010000, 0x00000404 }, NOWHERE, 0,
      TESSERA_QERR_ILLEGAL_INSTRUCTION, TESSERA_FAULT_NO_GDS, false, true },
};

static void test_bad_access(const void *data)
{
    const BadAccess *bad = data;
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    uint64_t table = tq_alloc(gpu, 64 * 8), buf = tq_alloc(gpu, 64 * 8);
    uint64_t kernarg = tq_alloc(gpu, 64);
    uint64_t kernel = tq_shader(gpu, "lane63", false);
    uint64_t pc = kernel + 256 + LANE63_STORE;
    AqlDispatch p = tq_dispatch(gpu, kernel, kernarg, 64, 64);
    uint32_t status;

    tq_put(gpu, pc, bad->words, sizeof(bad->words));
    for (unsigned i = 0; i < 64; i++) {
        tq_put64(gpu, table + i * 8, i < 63 ? buf + i * 8 : bad->where);
    }
    tq_put64(gpu, kernarg, table);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, bad->bits);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==, bad->cause);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, WRITE), ==, bad->write);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, FETCH), ==,
                     !bad->address);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_LANES), ==,
                    bad->all ? 0 : 1ull << 63);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_PC), ==, pc);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_ADDR), ==,
                    bad->address == KERNARG_LESS_64 ? kernarg - 64 :
                    bad->address ? bad->address : pc);
    tq_end(gpu);
}

/* ---- hazards=strict ---- */

/* What one wave reads too early is counted, with the property alone. */
static void test_hazards(const void *properties)
{
    TqGpu *gpu = tq_start(properties);
    TqQueue q = tq_queue(gpu, 0);
    uint64_t kernarg = tq_alloc(gpu, 64);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "early", false), kernarg,
                                64, 64);
    bool strict = strstr(properties, "strict");

    tq_put64(gpu, kernarg, tq_alloc(gpu, 256));
    tq_run(&q, &p);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_HAZARD_COUNT), ==, strict);
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_HAZARD_COUNT), ==, 0);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/endless/stop", test_stop);
    g_test_add_func("/endless/kill", test_kill);
    g_test_add_func("/endless/unmap-then-kill", test_unmap_then_kill);
    g_test_add_func("/endless/no-starving", test_no_starving);
    g_test_add_func("/endless/hang-timeout", test_hang_timeout);
    g_test_add_func("/endless/bar-moves", test_bar_moves);
    g_test_add_func("/endless/d3hot", test_d3);
    g_test_add_func("/endless/bus-master-off", test_bus_master_off);
    g_test_add_func("/endless/quit", test_quit);
    g_test_add_func("/endless/unplug", test_unplug);
    g_test_add_func("/endless/reset-while-stopped", test_reset_while_stopped);
    g_test_add_data_func("/endless/reset/register", reset_by_register,
                         test_reset);
    g_test_add_data_func("/endless/reset/function-level", reset_by_flr,
                         test_reset);
    g_test_add_data_func("/endless/reset/system", reset_by_system,
                         test_reset);
    for (size_t i = 0; i < G_N_ELEMENTS(bad_shaders); i++) {
        g_autofree char *path = g_strdup_printf("/fault/%s",
                                                bad_shaders[i].name);
        g_test_add_data_func(path, &bad_shaders[i], test_bad_shader);
    }
    g_test_add_func("/fault/lane-63", test_lane_63);
    g_test_add_data_func("/hazards/strict", ",hazards=strict", test_hazards);
    g_test_add_data_func("/hazards/off", ",hazards=off", test_hazards);
    for (size_t i = 0; i < G_N_ELEMENTS(bad_accesses); i++) {
        g_autofree char *path = g_strdup_printf("/fault/access/%s",
                                                bad_accesses[i].name);
        g_test_add_data_func(path, &bad_accesses[i], test_bad_access);
    }
    return g_test_run();
}
