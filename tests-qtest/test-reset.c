/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every reset leads to the power-on state, whatever the device was doing; what
 * D3hot and a cleared bus master bit do.
 */
#include "view.h"

#define WINDOW 0xe0000000u
#define LOG2 4
#define NOWHERE 0x8000000000ull
#define D3HOT 3

/* ---- making it dirty ---- */

/*
 * What an 8-byte register gets: all ones.  VMID 0 stays without page tables,
 * since what runs in it would fault at its next miss.
 */
static uint64_t dirt64(uint32_t at)
{
    return at == TESSERA_REG_VM_ROOT ? ~(uint64_t)TESSERA_VM_ROOT_VALID_MASK
                                     : UINT64_MAX;
}

/* All ones, nearly, to every register that takes anything. */
static void dirty_registers(TqGpu *gpu)
{
    enum { RO, RW, WO, W1C };

#define WRITE(name, at, size, count, stride, access, reset, doc)              \
    for (unsigned i = 0; i < (count) && (access) == RW &&                     \
                         (at) != TESSERA_REG_CONTROL; i++) {                  \
        if ((size) == 8) {                                                    \
            tq_write64(gpu, (at) + i * (stride),                              \
                       dirt64((at) + i * (stride)));                          \
        } else {                                                              \
            tq_write(gpu, (at) + i * (stride), UINT32_MAX);                   \
        }                                                                     \
    }
#define SKIP(...)
    TESSERA_REGISTERS(WRITE, SKIP)
}

/*
 * All ones to the configuration space, but not so that it resets or sleeps, or
 * can no longer be reached.
 */
static void dirty_config(TqGpu *gpu)
{
    unsigned devctl = gpu->pcie_cap + 8;

    tq_config_write(gpu, 0x0c, 0xff, 1);
    tq_config_write(gpu, 0x3c, 0xff, 1);
    for (unsigned at = 0x40; at < 256; at += 2) {
        tq_config_write(gpu, at, at == devctl ? 0x7fff :
                        at == gpu->pm_cap + 4 ? 0xfffc : 0xffff, 2);
    }
}

static void dirty_msix(TqGpu *gpu)
{
    tq_msix_enable(gpu, 0, 0xabcd);
    for (unsigned i = 1; i < TESSERA_MSIX_VECTORS; i++) {
        qtest_writel(gpu->qts, gpu->msix + i * 16, 0x100000 * i);
        qtest_writel(gpu->qts, gpu->msix + i * 16 + 8, i);
    }
    qtest_writel(gpu->qts, gpu->msix + 12, 1); /* so that one is pending */
}

static void dirty_doorbells(TqGpu *gpu)
{
    qtest_memset(gpu->qts, gpu->vram, 0x5a, 64);
    for (unsigned vmid = 0; vmid < TESSERA_VMIDS; vmid++) {
        qtest_writeq(gpu->qts, gpu->doorbells + vmid * TESSERA_SLICE_SIZE +
                     vmid * 16, UINT64_MAX);
    }
}

/* A queue that waits for a signal, which never comes. */
static void add_barrier(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    const AqlBarrier p = {
        .header = TQ_HEADER(AQL_TYPE_BARRIER_AND),
        .dep_signal = { tq_signal(gpu, 1) },
    };

    tq_push(&q, &p);
}

/* One that has stopped, with a fault of a shader. */
static void add_fault(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    uint64_t kernarg = tq_alloc(gpu, 64);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg,
                                64, 64);

    tq_put64(gpu, kernarg, NOWHERE);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), !=, 0);
}

/* One that asks for scratch memory. */
static void add_scratch(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false), 0, 64, 64);

    p.private_size = 4096;
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_SCRATCH_NEEDED);
}

/* One that is being unmapped and cannot end. */
static TqEndless add_unmapping(TqGpu *gpu, unsigned slot)
{
    TqEndless e = tq_endless(gpu, slot, false);
    TesseraCommand c = tq_command_init(TESSERA_CMD_UNMAP, slot);
    uint64_t at = tq_alloc(gpu, sizeof(c));

    tq_put(gpu, at, &c, sizeof(c));
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    return e;
}

/* Something of everything; what runs on is returned. */
static TqEndless make_dirty(TqGpu *gpu)
{
    TqEndless e = tq_endless(gpu, 5, false);

    tq_ring_enable(gpu, LOG2);
    dirty_msix(gpu);
    tq_endless(gpu, 6, true);
    tq_queue(gpu, 0);
    add_barrier(gpu, 1023);
    add_fault(gpu, 7);
    add_scratch(gpu, 8);
    add_unmapping(gpu, 9);
    for (unsigned i = 0; i < 3 << LOG2; i++) { /* more than fit */
        tq_write(gpu, TESSERA_REG_TEST_IRQ, i);
    }
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, NOWHERE);
    tq_settle(gpu);
    dirty_doorbells(gpu);
    dirty_registers(gpu);
    dirty_config(gpu);
    return e;
}

/* ---- kinds of reset ---- */

static void reset_by_register(TqGpu *gpu)
{
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
}

static void reset_by_function(TqGpu *gpu)
{
    unsigned devctl = gpu->pcie_cap + 8;

    tq_config_write(gpu, devctl,
                    tq_config_read(gpu, devctl, 2) | 1 << 15, 2);
}

static void sleep_and_reset(TqGpu *gpu)
{
    tq_config_write(gpu, gpu->pm_cap + 4, D3HOT, 2);
    reset_by_function(gpu);
}

static void reset_system(TqGpu *gpu)
{
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'system_reset'}");
    qtest_qmp_eventwait(gpu->qts, "RESET");
}

static void reset_stopped(TqGpu *gpu)
{
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    reset_by_register(gpu);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
}

typedef struct Reset {
    const char *name;
    void (*reset)(TqGpu *gpu);
    bool of_function; /* PCI's part is reset too */
} Reset;

static const Reset resets[] = {
    { "register", reset_by_register, false },
    { "register-while-stopped", reset_stopped, false },
    { "function-level", reset_by_function, true },
    { "function-level-in-d3hot", sleep_and_reset, true },
    { "system", reset_system, true },
};

/* What a dispatch does on a device that is as new. */
static void check_works(TqGpu *gpu)
{
    TqQueue q = tq_queue(gpu, 3);
    uint64_t buf = tq_alloc(gpu, 256), kernarg = tq_alloc(gpu, 64);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg,
                                64, 64);

    tq_put64(gpu, kernarg, buf);
    tq_run(&q, &p);
    g_assert_cmpuint(tq_get32(gpu, buf + 63 * 4), ==, 63);
}

/* A device that nobody has touched; also its configuration space. */
static TqGpu *start_and_look(TqView **config)
{
    QTestState *qts = tq_start_qemu(
        "-device tessera,id=gpu0,addr=4,vram-size=64M,x-inject=on");
    TqGpu untouched = { .qts = qts, .devfn = 4 << 3 };
    TqGpu *gpu;

    *config = tq_look(&untouched, TQ_VIEW_CONFIG | TQ_VIEW_PLACES);
    gpu = tq_attach(qts, 0, 4 << 3, WINDOW);
    gpu->owns_qemu = true;
    return gpu;
}

/*
 * The device's own register leaves to PCI what belongs to it: configuration
 * space and MSI-X table.  VRAM is left alone by all.
 */
static void test_reset(const void *data)
{
    const Reset *reset = data;
    g_autoptr(TqView) config_new = NULL;
    TqGpu *gpu = start_and_look(&config_new);
    unsigned parts = reset->of_function ? TQ_VIEW_BARS
                                        : TQ_VIEW_BARS & ~TQ_VIEW_MSIX;
    g_autoptr(TqView) power_on = tq_look(gpu, parts);

    for (int round = 0; round < 2; round++) {
        g_autoptr(TqView) config = NULL, dirty = NULL, now = NULL;
        TqEndless e = make_dirty(gpu);

        dirty = tq_look(gpu, TQ_VIEW_CONFIG | TQ_VIEW_PLACES);
        g_assert_true(tq_differs(dirty, config_new));
        g_assert_true(tq_counts(&e));
        reset->reset(gpu);
        config = tq_look(gpu, TQ_VIEW_CONFIG | TQ_VIEW_PLACES);
        tq_check_same(config, reset->of_function ? config_new : dirty);
        tq_place_bars(gpu, WINDOW);
        now = tq_look(gpu, parts);
        tq_check_same(now, power_on);
        g_assert_true(tq_stands_still(&e));
        g_assert_cmphex(qtest_readl(gpu->qts, gpu->vram), ==, 0x5a5a5a5a);
        check_works(gpu);
    }
    tq_end(gpu);
}

/* A device that is dirty in each way reads differently: or nothing is tested. */
static void test_dirt_shows(void)
{
    static const unsigned parts[] = {
        TQ_VIEW_CONFIG, TQ_VIEW_PLACES, TQ_VIEW_REGISTERS, TQ_VIEW_QUEUES,
        TQ_VIEW_DOORBELLS, TQ_VIEW_MSIX,
    };
    TqGpu *gpu = tq_start("");
    TqView *before[G_N_ELEMENTS(parts)];

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        before[i] = tq_look(gpu, parts[i]);
    }
    make_dirty(gpu);
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autoptr(TqView) after = tq_look(gpu, parts[i]);

        g_assert_true(tq_differs(after, before[i]));
        tq_view_free(before[i]);
    }
    tq_end(gpu);
}

/* 50 times, in all ways, with shaders running; each time it works again. */
static void test_many_resets(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ram = gpu->ram_next, vram = gpu->vram_next;

    for (unsigned i = 0; i < 50; i++) {
        TqEndless e;

        gpu->ram_next = ram; /* the same memory each time */
        gpu->vram_next = vram;
        e = tq_endless(gpu, 4 + i, i & 1);
        tq_endless(gpu, 1023 - i, !(i & 1));
        resets[i % G_N_ELEMENTS(resets)].reset(gpu);
        tq_place_bars(gpu, WINDOW);
        g_assert_cmpuint(tq_read(gpu, TESSERA_REG_CMD_DONE), ==, 0);
        check_works(gpu);
        if (i % 10 == 0) {
            g_assert_true(tq_stands_still(&e));
        }
    }
    tq_end(gpu);
}

/* An interrupt raised before a reset is not delivered after it. */
static void test_interrupt_forgotten(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    TesseraIhEntry e;

    tq_config_write(gpu, 0x04, 0x02, 2); /* it waits for bus mastering */
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    tq_settle(gpu);
    reset_by_register(gpu);
    tq_config_write(gpu, 0x04, 0x06, 2);
    tq_settle(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    ring = tq_ring_enable(gpu, LOG2);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 2);
    g_assert_true(tq_ring_wait(gpu, ring, LOG2, 0, &e));
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));
    tq_end(gpu);
}

/* ---- D3hot ---- */

/*
 * Asleep, waves stand still, registers and doorbells do not answer and take
 * nothing.  Awake again, everything is as it was and waves run on.
 */
static void test_d3hot(void)
{
    TqGpu *gpu = tq_start("");
    g_autoptr(TqView) before = NULL, after = NULL;
    TqEndless e = tq_endless(gpu, 5, false);

    add_barrier(gpu, 17);
    add_fault(gpu, 8);
    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0xdeadbeef);
    before = tq_look(gpu, TQ_VIEW_ALL);
    for (int i = 0; i < 5; i++) {
        tq_config_write(gpu, gpu->pm_cap + 4, D3HOT, 2);
        g_assert_true(tq_stands_still(&e));
        g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, 0xffffffff);
        tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0);
        tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
        qtest_writeq(gpu->qts, gpu->doorbells, 77);
        g_assert_cmphex(qtest_readq(gpu->qts, gpu->doorbells), ==,
                        UINT64_MAX);
        tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
        g_assert_true(tq_counts(&e));
    }
    after = tq_look(gpu, TQ_VIEW_ALL);
    tq_check_same(after, before);
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    check_works(gpu);
    tq_end(gpu);
}

/* Stop and continue while asleep do not wake it. */
static void test_d3hot_stopped(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless e = tq_endless(gpu, 5, true);

    tq_config_write(gpu, gpu->pm_cap + 4, D3HOT, 2);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    g_assert_true(tq_stands_still(&e));
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
    g_assert_true(tq_stands_still(&e));
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    g_assert_true(tq_counts(&e));
    tq_end(gpu);
}

/* ---- bus master ---- */

/* Accesses to guest RAM fault; VRAM is the device's own and goes on. */
static void test_bus_master_off(void)
{
    TqGpu *gpu = tq_start("");
    TqEndless in_ram = tq_endless(gpu, 1, false);
    TqEndless in_vram = tq_endless(gpu, 2, true);
    uint32_t status;

    for (int i = 0; i < 3; i++) {
        tq_config_write(gpu, 0x04, 0x02, 2);
        g_assert_true(tq_wait_reg(gpu, TESSERA_REG_FAULT_STATUS,
                                  TESSERA_FAULT_STATUS_VALID_MASK,
                                  TESSERA_FAULT_STATUS_VALID_MASK));
        status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
        g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                         TESSERA_FAULT_UNMAPPED);
        g_assert_cmpuint(tq_read(gpu, TESSERA_REG_FAULT_QUEUE), ==, 1);
        g_assert_true(tq_counts(&in_vram));
        tq_write(gpu, TESSERA_REG_FAULT_STATUS,
                 TESSERA_FAULT_STATUS_VALID_MASK);
        tq_write64(gpu, TESSERA_REG_CMD_ADDR, 0x1000000);
        g_assert_true(tq_wait_reg(gpu, TESSERA_REG_CMD_STATUS,
                                  TESSERA_CMD_STATUS_REFUSED_MASK,
                                  TESSERA_CMD_STATUS_REFUSED_MASK));
        tq_write(gpu, TESSERA_REG_CMD_STATUS, UINT32_MAX);

        tq_config_write(gpu, 0x04, 0x06, 2);
        g_assert_true(tq_stands_still(&in_ram)); /* it has faulted */
        g_assert_cmpint(tq_queue_kill(&in_ram.q), ==, TESSERA_RESULT_OK);
        in_ram = tq_endless(gpu, 1, false);
    }
    tq_end(gpu);
}

/* A message that cannot be sent is sent when bus mastering is on again. */
static void test_bus_master_interrupt(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    uint64_t ring = tq_alloc_vram(gpu, 32 << LOG2);

    tq_write64(gpu, TESSERA_REG_IH_BASE, ring);
    tq_write(gpu, TESSERA_REG_IH_CONTROL,
             TESSERA_IH_CONTROL_ENABLE_MASK |
             LOG2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT);
    tq_config_write(gpu, 0x04, 0x02, 2);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 5);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_IH_WPTR, UINT32_MAX, 1));
    tq_settle(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    tq_config_write(gpu, 0x04, 0x06, 2);
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(resets); i++) {
        g_autofree char *path = g_strconcat("/reset/", resets[i].name, NULL);

        g_test_add_data_func(path, &resets[i], test_reset);
    }
    g_test_add_func("/reset/dirt-shows", test_dirt_shows);
    g_test_add_func("/reset/50-times", test_many_resets);
    g_test_add_func("/reset/interrupt-forgotten", test_interrupt_forgotten);
    g_test_add_func("/d3hot/keeps-state", test_d3hot);
    g_test_add_func("/d3hot/stopped", test_d3hot_stopped);
    g_test_add_func("/bus-master/off-and-on", test_bus_master_off);
    g_test_add_func("/bus-master/interrupt-waits", test_bus_master_interrupt);
    return g_test_run();
}
