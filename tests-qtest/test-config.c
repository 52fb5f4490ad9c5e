/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the device is on the bus: configuration space, BARs, register reset
 * values.  Expected values are those of the PCI Local Bus and PCI Express Base
 * specifications, and of the register map.
 */
#include "tessera-qtest.h"

static void test_identity(void)
{
    TqGpu *gpu = tq_start("");

    g_assert_cmphex(tq_config_read(gpu, 0x00, 4), ==, 0x7e551234);
    g_assert_cmphex(tq_config_read(gpu, 0x08, 4) >> 8, ==, 0x038000);
    g_assert_cmphex(tq_config_read(gpu, 0x0e, 1), ==, 0); /* header type */
    g_assert_cmphex(tq_config_read(gpu, 0x2c, 4), ==, 0x7e551234);
    g_assert_cmphex(tq_config_read(gpu, 0x06, 2) & 0x10, ==, 0x10);
    tq_end(gpu);
}

static void test_capabilities(void)
{
    TqGpu *gpu = tq_start("");

    g_assert_cmpuint(gpu->pcie_cap, !=, 0);
    g_assert_cmpuint(gpu->pm_cap, !=, 0);
    g_assert_cmpuint(gpu->msix_cap, !=, 0);
    /* On the root bus: a root complex integrated endpoint, version 2. */
    g_assert_cmphex(tq_config_read(gpu, gpu->pcie_cap + 2, 2) & 0xff,
                    ==, 0x92);
    /* Function level reset capable. */
    g_assert_cmphex(tq_config_read(gpu, gpu->pcie_cap + 4, 4) & 1 << 28,
                    ==, 1 << 28);
    /* PM version 3, no D1, no D2, in D0, no soft reset. */
    g_assert_cmphex(tq_config_read(gpu, gpu->pm_cap + 2, 2), ==, 3);
    g_assert_cmphex(tq_config_read(gpu, gpu->pm_cap + 4, 2), ==, 8);
    /* MSI-X: vectors less one; table and pending bits in BAR 1. */
    g_assert_cmphex(tq_config_read(gpu, gpu->msix_cap + 2, 2), ==,
                    TESSERA_MSIX_VECTORS - 1);
    g_assert_cmphex(tq_config_read(gpu, gpu->msix_cap + 4, 4) & 7, ==, 1);
    g_assert_cmphex(tq_config_read(gpu, gpu->msix_cap + 8, 4) & 7, ==, 1);
    tq_end(gpu);
}

/* Size and kind of each BAR, by writing ones to it. */
static void test_bars(void)
{
    static const struct {
        unsigned at;
        uint32_t kind;
        uint64_t size;
    } bars[] = {
        { 0x10, 0x0, 64 << 10 },
        { 0x14, 0x0, 4 << 10 },
        { 0x18, 0xc, TQ_VRAM_SIZE }, /* 64-bit, prefetchable */
        { 0x20, 0x4, 512 << 10 },    /* 64-bit */
    };
    TqGpu *gpu = tq_start("");

    tq_config_write(gpu, 0x04, 0, 2);
    for (size_t i = 0; i < G_N_ELEMENTS(bars); i++) {
        uint64_t value;

        tq_config_write(gpu, bars[i].at, 0xffffffff, 4);
        value = tq_config_read(gpu, bars[i].at, 4);
        if (bars[i].kind & 4) {
            tq_config_write(gpu, bars[i].at + 4, 0xffffffff, 4);
            value |= (uint64_t)tq_config_read(gpu, bars[i].at + 4, 4) << 32;
        } else {
            value |= 0xffffffffull << 32;
        }
        g_assert_cmphex(value & 0xf, ==, bars[i].kind);
        g_assert_cmphex(~(value & ~0xfull) + 1, ==, bars[i].size);
    }
    tq_end(gpu);
}

/* Registers whose value depends on the configuration. */
static bool made_at_run_time(uint32_t reg)
{
    static const uint32_t regs[] = {
        TESSERA_REG_FEATURES, TESSERA_REG_ISA, TESSERA_REG_CU_COUNT,
        TESSERA_REG_WAVE_SIZE, TESSERA_REG_VRAM_SIZE, TESSERA_REG_CLOCK,
    };

    for (size_t i = 0; i < G_N_ELEMENTS(regs); i++) {
        if (regs[i] == reg) {
            return true;
        }
    }
    return false;
}

static void check_reset_value(TqGpu *gpu, const char *name, uint32_t at,
                              unsigned size, uint64_t reset)
{
    uint64_t value = size == 8 ? tq_read64(gpu, at) : tq_read(gpu, at);

    if (value != reset) {
        g_error("%s at 0x%x reads 0x%" PRIx64 ", not 0x%" PRIx64, name, at,
                value, reset);
    }
    if (size == 8) {
        g_assert_cmphex(tq_read(gpu, at), ==, (uint32_t)reset);
        g_assert_cmphex(tq_read(gpu, at + 4), ==, reset >> 32);
    }
}

/* Every row of the register map that has a fixed value and can be read. */
static void check_reset_values(TqGpu *gpu)
{
    enum { RO, RW, WO, W1C };

#define CHECK(name, at, size, count, stride, access, reset, doc)            \
    for (unsigned i = 0; i < (count) && !made_at_run_time(at); i++) {       \
        check_reset_value(gpu, #name, (at) + i * (stride), size,            \
                          (access) == WO ? 0 : (reset));                    \
    }
#define SKIP(reg, name, shift, len, doc)
    TESSERA_REGISTERS(CHECK, SKIP)
}

static void test_reset_values(void)
{
    TqGpu *gpu = tq_start(",x-inject=on");

    check_reset_values(gpu);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_ISA), ==, 90000);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_WAVE_SIZE), ==, 64);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_CU_COUNT), >, 0);
    g_assert_cmpuint(tq_read64(gpu, TESSERA_REG_VRAM_SIZE), ==, TQ_VRAM_SIZE);
    tq_end(gpu);
}

/* What may be written reads back; what may not does not change. */
static void test_register_access(void)
{
    TqGpu *gpu = tq_start("");

    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0xdeadbeef);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_TEST_SCRATCH), ==, 0xdeadbeef);
    tq_write(gpu, TESSERA_REG_ID, 0);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, TESSERA_MAGIC);

    tq_write64(gpu, TESSERA_REG_IH_BASE, 0x123456789abcde00);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_BASE), ==, 0x9abcde00);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_BASE + 4), ==, 0x12345678);
    tq_write(gpu, TESSERA_REG_IH_BASE, 0x1000);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_IH_BASE), ==,
                    0x1234567800001000);

    /* Reserved bits read 0. */
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0xffffffff);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_QUEUE_SELECT), ==, 0x3ff);

    tq_write(gpu, TESSERA_REG_VM_PASID + 63 * 0x40, 77);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_VM_PASID + 63 * 0x40), ==, 77);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_VM_PASID + 62 * 0x40), ==, 0);
    tq_end(gpu);
}

/* Accesses that no register answers: harmless, and the device lives on. */
static void test_odd_accesses(void)
{
    TqGpu *gpu = tq_start("");

    g_assert_cmphex(tq_read(gpu, 0x0ff8), ==, 0);
    tq_write(gpu, 0x0ff8, 1);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_TEST_SCRATCH + 8), ==, 0);
    tq_write64(gpu, TESSERA_REG_TEST_SCRATCH + 8, ~0ull);
    qtest_writeb(gpu->qts, gpu->regs + TESSERA_REG_TEST_SCRATCH, 1);
    qtest_writew(gpu->qts, gpu->regs + TESSERA_REG_TEST_SCRATCH + 2, 1);
    qtest_readb(gpu->qts, gpu->regs + TESSERA_REG_ID);
    qtest_readl(gpu->qts, gpu->regs + TESSERA_REG_ID + 2);
    qtest_readq(gpu->qts, gpu->regs + TESSERA_FLUSH_PAGE - 4);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, TESSERA_MAGIC);
    tq_end(gpu);
}

static void test_flush_page(void)
{
    TqGpu *gpu = tq_start(",x-inject=on");

    for (unsigned at = TESSERA_FLUSH_PAGE; at < TESSERA_REGS_SIZE; at += 1020) {
        tq_write(gpu, at, 0xffffffff);
    }
    qtest_writeb(gpu->qts, gpu->regs + TESSERA_REGS_SIZE - 1, 0x55);
    check_reset_values(gpu);
    tq_end(gpu);
}

static void test_vram(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t last = gpu->vram + TQ_VRAM_SIZE - 8;

    qtest_writeq(gpu->qts, gpu->vram, 0x1122334455667788);
    qtest_writeq(gpu->qts, last, 0x99aabbccddeeff00);
    g_assert_cmphex(qtest_readq(gpu->qts, gpu->vram), ==, 0x1122334455667788);
    g_assert_cmphex(qtest_readq(gpu->qts, last), ==, 0x99aabbccddeeff00);
    tq_end(gpu);
}

/* The last value written is read back; no queue is there to be kicked. */
static void test_doorbells(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t last = gpu->doorbells + TESSERA_VMIDS * TESSERA_SLICE_SIZE - 8;

    qtest_writeq(gpu->qts, gpu->doorbells, 5);
    qtest_writeq(gpu->qts, last, 0x123456789);
    g_assert_cmphex(qtest_readq(gpu->qts, gpu->doorbells), ==, 5);
    g_assert_cmphex(qtest_readq(gpu->qts, last), ==, 0x123456789);
    tq_end(gpu);
}

static void test_two_devices(void)
{
    QTestState *qts = tq_start_qemu(
        "-device tessera,addr=4,vram-size=64M,id=a "
        "-device tessera,addr=5,vram-size=64M,id=b");
    TqGpu *a = tq_attach(qts, 0, 4 << 3, 0xe0000000);
    TqGpu *b = tq_attach(qts, 0, 5 << 3, 0xe8000000);

    tq_write(a, TESSERA_REG_TEST_SCRATCH, 0xaaaa);
    tq_write(b, TESSERA_REG_TEST_SCRATCH, 0xbbbb);
    qtest_writel(qts, a->vram, 1);
    qtest_writel(qts, b->vram, 2);
    g_assert_cmphex(tq_read(a, TESSERA_REG_TEST_SCRATCH), ==, 0xaaaa);
    g_assert_cmphex(tq_read(b, TESSERA_REG_TEST_SCRATCH), ==, 0xbbbb);
    g_assert_cmphex(qtest_readl(qts, a->vram), ==, 1);
    g_assert_cmphex(qtest_readl(qts, b->vram), ==, 2);
    tq_write(a, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    g_assert_cmphex(tq_read(a, TESSERA_REG_TEST_SCRATCH), ==, 0);
    g_assert_cmphex(tq_read(b, TESSERA_REG_TEST_SCRATCH), ==, 0xbbbb);
    tq_end(a);
    tq_end(b);
    qtest_quit(qts);
}

/* Each way to reset leads to the same state. */
static void set_up_state(TqGpu *gpu)
{
    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0xdeadbeef);
    tq_write64(gpu, TESSERA_REG_IH_BASE, 0x1000);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 7);
    tq_write(gpu, TESSERA_REG_VM_PASID + 5 * 0x40, 9);
    qtest_writel(gpu->qts, gpu->vram, 0x600d);
}

static void reset_by_register(TqGpu *gpu)
{
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
}

static void reset_by_flr(TqGpu *gpu)
{
    unsigned devctl = gpu->pcie_cap + 8;

    tq_config_write(gpu, devctl,
                    tq_config_read(gpu, devctl, 2) | 1 << 15, 2);
    g_assert_cmphex(tq_config_read(gpu, 0x04, 2) & 6, ==, 0);
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
    TqGpu *gpu = tq_start(",x-inject=on");

    set_up_state(gpu);
    reset(gpu);
    check_reset_values(gpu);
    g_assert_cmphex(qtest_readl(gpu->qts, gpu->vram), ==, 0x600d);
    tq_end(gpu);
}

/* In D3hot the BARs do not answer; state is kept; D1 and D2 are not taken. */
static void test_power_states(void)
{
    TqGpu *gpu = tq_start("");

    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0x1234);
    tq_config_write(gpu, gpu->pm_cap + 4, 1, 2);
    g_assert_cmphex(tq_config_read(gpu, gpu->pm_cap + 4, 2) & 3, ==, 0);
    tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
    g_assert_cmphex(tq_config_read(gpu, gpu->pm_cap + 4, 2) & 3, ==, 3);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, 0xffffffff);
    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0);
    tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_TEST_SCRATCH), ==, 0x1234);
    tq_end(gpu);
}

/* The clock counts 100 MHz of guest time. */
static void test_clock(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t start = tq_read64(gpu, TESSERA_REG_CLOCK);

    qtest_clock_step(gpu->qts, 5000000);
    g_assert_cmpuint(tq_read64(gpu, TESSERA_REG_CLOCK) - start, ==, 500000);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/config/identity", test_identity);
    g_test_add_func("/config/capabilities", test_capabilities);
    g_test_add_func("/config/bars", test_bars);
    g_test_add_func("/config/power-states", test_power_states);
    g_test_add_func("/registers/reset-values", test_reset_values);
    g_test_add_func("/registers/access", test_register_access);
    g_test_add_func("/registers/odd-accesses", test_odd_accesses);
    g_test_add_func("/registers/flush-page", test_flush_page);
    g_test_add_func("/registers/clock", test_clock);
    g_test_add_func("/vram/ends", test_vram);
    g_test_add_func("/doorbells/ends", test_doorbells);
    g_test_add_func("/two-devices", test_two_devices);
    g_test_add_data_func("/reset/register", reset_by_register, test_reset);
    g_test_add_data_func("/reset/function-level", reset_by_flr, test_reset);
    g_test_add_data_func("/reset/system", reset_by_system, test_reset);
    return g_test_run();
}
