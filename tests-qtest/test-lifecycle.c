/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plugging, unplugging, stopping an idle device; interrupts. */
#include "tessera-qtest.h"

#define RP_DEVFN (3 << 3)
#define RP_WINDOW 0xe0000000u

/* A root port that leads to bus 1 and passes the window on. */
static QTestState *start_with_root_port(const char *device)
{
    g_autofree char *args = g_strdup_printf(TQ_ROOT_PORT " %s", device);
    QTestState *qts = tq_start_qemu(args);

    tq_open_root_port(qts, RP_DEVFN, RP_WINDOW);
    return qts;
}

static void check_alive(TqGpu *gpu)
{
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, TESSERA_MAGIC);
    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0x5a5a);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_TEST_SCRATCH), ==, 0x5a5a);
}

/* Behind a root port it is a plain endpoint. */
static void test_root_port(void)
{
    QTestState *qts = start_with_root_port(
        "-device tessera,bus=rp,vram-size=64M");
    TqGpu *gpu = tq_attach(qts, 1, 0, RP_WINDOW);

    g_assert_cmphex(tq_config_read(gpu, gpu->pcie_cap + 2, 2) & 0xff,
                    ==, 0x02);
    check_alive(gpu);
    tq_end(gpu);
    qtest_quit(qts);
}

/* In and out, several times over, also with another GPU beside it. */
static void test_hotplug(void)
{
    QTestState *qts = start_with_root_port(
        "-device tessera,addr=4,vram-size=64M,id=other");
    TqGpu *other = tq_attach(qts, 0, 4 << 3, 0xe8000000);

    for (int i = 0; i < 3; i++) {
        TqGpu *gpu;

        qtest_qmp_device_add(qts, "tessera", "hot",
                             "{'bus': 'rp', 'vram-size': 67108864}");
        tq_power_slot(qts, RP_DEVFN);
        gpu = tq_attach(qts, 1, 0, RP_WINDOW);
        check_alive(gpu);
        tq_end(gpu);
        tq_unplug(qts, RP_DEVFN, "hot");
        g_assert_cmphex(tq_pci_read(qts, 1, 0, 0, 4), ==, 0xffffffff);
        check_alive(other);
    }
    tq_end(other);
    qtest_quit(qts);
}

/* A device that cannot be realized leaves nothing behind. */
static void test_failed_hotplug(void)
{
    QTestState *qts = start_with_root_port("");
    TqGpu *gpu;

    for (int i = 0; i < 2; i++) {
        QDict *r = qtest_qmp(qts,
            "{'execute': 'device_add', 'arguments': {'driver': 'tessera',"
            " 'id': 'hot', 'bus': 'rp', 'vram-size': 67108864,"
            " 'host-level': 'v9'}}");

        g_assert_true(qdict_haskey(r, "error"));
        qobject_unref(r);
    }
    qtest_qmp_device_add(qts, "tessera", "hot",
                         "{'bus': 'rp', 'vram-size': 67108864}");
    tq_power_slot(qts, RP_DEVFN);
    gpu = tq_attach(qts, 1, 0, RP_WINDOW);
    check_alive(gpu);
    tq_end(gpu);
    qtest_quit(qts);
}

static void test_stop_and_continue(void)
{
    TqGpu *gpu = tq_start("");

    for (int i = 0; i < 3; i++) {
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    }
    check_alive(gpu);
    tq_end(gpu);
}

/* ---- interrupt ring ---- */

#define LOG2 4

static void test_irq(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    uint64_t wptr = tq_alloc(gpu, 4);
    TesseraIhEntry e;

    tq_write64(gpu, TESSERA_REG_IH_WPTR_ADDR, wptr);
    tq_write(gpu, TESSERA_REG_VM_PASID, 42);
    for (unsigned i = 0; i < 3 << LOG2; i++) {
        tq_put32(gpu, msi, 0);
        tq_write(gpu, TESSERA_REG_TEST_IRQ, 1000 + i);
        g_assert_true(tq_ring_wait(gpu, ring, LOG2, i, &e));
        g_assert_cmpuint(e.source, ==, TESSERA_IH_TEST);
        g_assert_cmpuint(e.data, ==, 1000 + i);
        g_assert_true(tq_wait32(gpu, wptr, i + 1));
        g_assert_true(tq_wait32(gpu, msi, 0xabcd));
        tq_write(gpu, TESSERA_REG_IH_RPTR, i + 1);
    }
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_STATUS), ==, 0);
    tq_end(gpu);
}

/* A masked source writes its entry and raises nothing. */
static void test_irq_masked(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    TesseraIhEntry e;

    tq_write(gpu, TESSERA_REG_IH_MASK, ~(1u << TESSERA_IH_TEST));
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    g_assert_true(tq_ring_wait(gpu, ring, LOG2, 0, &e));
    tq_settle(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    tq_end(gpu);
}

/* Pending while the vector is masked (PCI Local Bus 3.0, 6.8.3.5). */
static void test_irq_vector_masked(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    TesseraIhEntry e;

    qtest_writel(gpu->qts, gpu->msix + 12, 1);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    g_assert_true(tq_ring_wait(gpu, ring, LOG2, 0, &e));
    tq_settle(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    qtest_writel(gpu->qts, gpu->msix + 12, 0);
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));
    tq_end(gpu);
}

/* A full ring drops what comes, says so, and goes on once there is room. */
static void test_irq_overflow(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    const unsigned room = 1 << LOG2;
    TesseraIhEntry e;

    for (unsigned i = 0; i < 2 * room; i++) {
        tq_write(gpu, TESSERA_REG_TEST_IRQ, i);
    }
    /* Not before the last is dropped: making room lets later ones in. */
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_IH_DROPPED, UINT32_MAX, room));
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_IH_WPTR), ==, room);
    tq_get(gpu, ring, &e, sizeof(e));
    g_assert_cmpuint(e.data, ==, 0); /* the oldest is not overwritten */

    tq_write(gpu, TESSERA_REG_IH_RPTR, room);
    tq_write(gpu, TESSERA_REG_IH_STATUS, TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_STATUS), ==, 0);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 99);
    g_assert_true(tq_ring_wait(gpu, ring, LOG2, room, &e));
    g_assert_cmpuint(e.data, ==, 99);
    tq_end(gpu);
}

/* A ring that is not in memory is flagged. */
static void test_irq_bad_ring(void)
{
    TqGpu *gpu = tq_start("");

    tq_write64(gpu, TESSERA_REG_IH_BASE, 0x8000000000);
    tq_write(gpu, TESSERA_REG_IH_CONTROL,
             TESSERA_IH_CONTROL_ENABLE_MASK |
             LOG2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_IH_STATUS,
                              TESSERA_IH_STATUS_FAULT_MASK,
                              TESSERA_IH_STATUS_FAULT_MASK));
    check_alive(gpu);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plug/root-port", test_root_port);
    g_test_add_func("/plug/in-and-out", test_hotplug);
    g_test_add_func("/plug/failed", test_failed_hotplug);
    g_test_add_func("/stop-and-continue", test_stop_and_continue);
    g_test_add_func("/irq/ring", test_irq);
    g_test_add_func("/irq/source-masked", test_irq_masked);
    g_test_add_func("/irq/vector-masked", test_irq_vector_masked);
    g_test_add_func("/irq/overflow", test_irq_overflow);
    g_test_add_func("/irq/bad-ring", test_irq_bad_ring);
    return g_test_run();
}
