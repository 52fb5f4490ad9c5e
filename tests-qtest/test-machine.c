/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same plugin in other machines than a PC: what is where comes from the
 * device tree, VRAM and doorbells lie above 4 GiB, and interrupts go to the
 * machine's own controller.  Run once for each QEMU, which QTEST_QEMU_BINARY
 * names.
 */
#include "machine.h"

#define GPU "-device tessera,id=gpu0,vram-size=64M"
#define ITEMS 1000

typedef struct Arch {
    const char *name, *machine, *options;
    void (*interrupt)(const TqMachine *m);
    const char *without_msi; /* a machine that has no MSI, or NULL */
} Arch;

static TqMachine machine;

static TqGpu *start(void)
{
    return tq_machine_start(&machine, GPU);
}

/* ---- bring-up ---- */

static bool inside(uint64_t at, uint64_t size, const PciWindow *window)
{
    return at >= window->next && at + size <= window->end && at % size == 0;
}

static void test_windows(void)
{
    TqGpu *gpu = start();

    g_assert_true(inside(gpu->regs, TESSERA_REGS_SIZE, &machine.low));
    g_assert_true(inside(gpu->msix, 4096, &machine.low));
    g_assert_true(inside(gpu->vram, TQ_VRAM_SIZE, &machine.high));
    g_assert_cmphex(gpu->vram, >=, 4ull << 30);
    g_assert_cmphex(tq_config_read(gpu, 0, 4), ==, 0x7e551234);
    tq_end(gpu);
}

static void test_bring_up(void)
{
    TqGpu *gpu = start();
    uint64_t ring;
    TesseraIhEntry e;

    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, TESSERA_MAGIC);
    g_assert_cmpuint(tq_read64(gpu, TESSERA_REG_VRAM_SIZE), ==, TQ_VRAM_SIZE);
    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0xc0ffee);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_TEST_SCRATCH), ==, 0xc0ffee);
    qtest_writeq(gpu->qts, gpu->vram + TQ_VRAM_SIZE - 8, 0x0123456789abcdef);
    g_assert_cmphex(qtest_readq(gpu->qts, gpu->vram + TQ_VRAM_SIZE - 8), ==,
                    0x0123456789abcdef);
    /* Little-endian by definition, whatever the target. */
    g_assert_cmphex(qtest_readb(gpu->qts, gpu->regs + TESSERA_REG_ID), ==, 0);
    ring = tq_ring_enable(gpu, 4);
    g_assert_cmphex(ring, >=, machine.ram);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 0x1234);
    g_assert_true(tq_ring_wait(gpu, ring, 4, 0, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_TEST);
    g_assert_cmphex(e.data, ==, 0x1234);
    tq_end(gpu);
}

/* ---- dispatch ---- */

static uint64_t alloc_in(TqGpu *gpu, bool vram, size_t size)
{
    return vram ? tq_alloc_vram(gpu, size) : tq_alloc(gpu, size);
}

static void run_vadd(TqGpu *gpu, bool code_in_vram, bool data_in_vram)
{
    TqQueue q = tq_queue(gpu, 0);
    uint64_t kernel = tq_shader(gpu, "vadd", code_in_vram);
    uint64_t kernarg = tq_alloc(gpu, 24);
    uint64_t buf[3];
    uint32_t a[ITEMS], b[ITEMS], c[ITEMS];
    AqlDispatch p;

    for (unsigned i = 0; i < ITEMS; i++) {
        a[i] = i * 2654435761u;
        b[i] = ~i * 40503u;
    }
    for (int i = 0; i < 3; i++) {
        buf[i] = alloc_in(gpu, data_in_vram, sizeof(c));
    }
    tq_put(gpu, buf[0], a, sizeof(a));
    tq_put(gpu, buf[1], b, sizeof(b));
    tq_put(gpu, kernarg, buf, sizeof(buf));
    p = tq_dispatch(gpu, kernel, kernarg, ITEMS, 64);
    tq_run(&q, &p);
    tq_get(gpu, buf[2], c, sizeof(c));
    for (unsigned i = 0; i < ITEMS; i++) {
        g_assert_cmphex(c[i], ==, a[i] + b[i]);
    }
}

static void test_dispatch(const void *data)
{
    unsigned where = GPOINTER_TO_UINT(data);
    TqGpu *gpu = start();

    run_vadd(gpu, where & 1, where & 2);
    tq_end(gpu);
}

/* A buffer named by the bus address of the VRAM BAR, above 4 GiB. */
static void test_own_bar(void)
{
    TqGpu *gpu = start();
    TqQueue q = tq_queue(gpu, 0);
    uint64_t window = tq_alloc_vram(gpu, 256);
    uint64_t kernarg = tq_alloc(gpu, 8);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg,
                                64, 64);

    tq_put64(gpu, kernarg, gpu->vram + (window - TESSERA_VRAM_WINDOW));
    tq_run(&q, &p);
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(tq_get32(gpu, window + 4 * i), ==, i);
    }
    tq_end(gpu);
}

static void test_root_port(void)
{
    TqGpu *gpu = tq_machine_start(&machine,
                                  "-device pcie-root-port,id=rp,chassis=1 "
                                  "-device tessera,bus=rp,vram-size=64M");

    g_assert_cmpuint(gpu->bus, ==, 1);
    run_vadd(gpu, true, true);
    tq_end(gpu);
}

/* ---- fault ---- */

/* A store to where no RAM is stops the queue, and only that. */
static void test_fault(void)
{
    const uint64_t nowhere = 0x123456789000;
    TqGpu *gpu = start();
    uint64_t ring = tq_ring_enable(gpu, 6);
    TqQueue q = tq_queue(gpu, 5);
    uint64_t kernarg = tq_alloc(gpu, 8);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", true), kernarg,
                                64, 64);
    uint32_t status;
    TesseraIhEntry e;

    tq_put64(gpu, kernarg, nowhere);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), !=, 0);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, VALID), ==, 1);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, WRITE), ==, 1);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                     TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_ADDR), ==, nowhere);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_FAULT_QUEUE), ==, 5);
    /* Behind that of the command, which comes after the queue is mapped. */
    g_assert_true(tq_ring_wait(gpu, ring, 6, 1, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_FAULT);
    g_assert_cmphex(e.data, ==, nowhere);
    run_vadd(gpu, false, false);
    tq_end(gpu);
}

/* ---- interrupts ---- */

/* Aim MSI-X vector 0 at @address. */
static void aim_msix(TqGpu *gpu, uint64_t address, uint32_t data)
{
    tq_msix_enable(gpu, 0, data);
    qtest_writel(gpu->qts, gpu->msix, address);
    qtest_writel(gpu->qts, gpu->msix + 4, address >> 32);
}

static uint32_t pending(TqGpu *gpu)
{
    uint32_t where = tq_config_read(gpu, gpu->msix_cap + 8, 4);

    return qtest_readl(gpu->qts, gpu->msix + (where & ~7u));
}

/* The message is a store of the device's; masked it is pending. */
static void test_message(void)
{
    TqGpu *gpu = start();
    uint64_t msi;

    g_assert_cmpuint(gpu->msix_cap, !=, 0);
    msi = tq_msix_enable(gpu, 0, 0xabcd);
    qtest_writel(gpu->qts, gpu->msix + 12, 1);
    tq_ring_enable(gpu, 4);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    g_assert_true(TQ_POLL(pending(gpu) & 1));
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    qtest_writel(gpu->qts, gpu->msix + 12, 0);
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));
    g_assert_cmphex(pending(gpu) & 1, ==, 0);
    tq_end(gpu);
}

/*
 * GICv2m turns the message into a shared interrupt of the GIC, which a CPU
 * acknowledges (ARM SBSA, appendix E; GIC architecture 2.0, chapter 4).
 */
static void gic_interrupt(const TqMachine *m)
{
    enum { GICD_CTLR = 0, GICD_ISENABLER = 0x100, GICD_IPRIORITYR = 0x400,
           GICD_ITARGETSR = 0x800, GICD_ICFGR = 0xc00,
           GICC_CTLR = 0, GICC_PMR = 4, GICC_IAR = 0xc, GICC_EOIR = 0x10,
           MSI_TYPER = 8, MSI_SETSPI = 0x40, SPURIOUS = 1023 };
    uint64_t dist = tq_machine_reg(m, "arm,cortex-a15-gic", 0, NULL, 0, 0);
    uint64_t cpu = tq_machine_reg(m, "arm,cortex-a15-gic", 1, NULL, 0, 0);
    uint64_t frame = tq_machine_reg(m, "arm,gic-v2m-frame", 0, NULL, 0, 0);
    TqGpu *gpu = start();
    QTestState *qts = gpu->qts;
    unsigned spi = (qtest_readl(qts, frame + MSI_TYPER) >> 16 & 0x3ff) + 3;

    qtest_writel(qts, dist + GICD_ICFGR + spi / 16 * 4, 2u << spi % 16 * 2);
    qtest_writeb(qts, dist + GICD_IPRIORITYR + spi, 0);
    qtest_writeb(qts, dist + GICD_ITARGETSR + spi, 1);
    qtest_writel(qts, dist + GICD_ISENABLER + spi / 32 * 4, 1u << spi % 32);
    qtest_writel(qts, dist + GICD_CTLR, 1);
    qtest_writel(qts, cpu + GICC_PMR, 0xff);
    qtest_writel(qts, cpu + GICC_CTLR, 1);
    aim_msix(gpu, frame + MSI_SETSPI, spi);
    tq_ring_enable(gpu, 4);
    for (int i = 0; i < 3; i++) {
        uint32_t id = qtest_readl(qts, cpu + GICC_IAR);

        g_assert_cmpuint(id, ==, SPURIOUS);
        tq_write(gpu, TESSERA_REG_TEST_IRQ, i);
        TQ_POLL((id = qtest_readl(qts, cpu + GICC_IAR)) != SPURIOUS);
        g_assert_cmpuint(id, ==, spi);
        qtest_writel(qts, cpu + GICC_EOIR, spi);
        tq_write(gpu, TESSERA_REG_IH_RPTR, i + 1);
    }
    tq_end(gpu);
}

/*
 * The message sets a bit of the hart's interrupt file, which only the hart can
 * see: so here a CPU runs, and tells what it claims.
 */
static void imsic_interrupt(const TqMachine *m)
{
    enum { MACHINE_EXTERNAL = 11, IDENTITY = 5 };
    uint64_t file = tq_machine_reg(m, "riscv,imsics", 0,
                                   "interrupts-extended", 1, MACHINE_EXTERNAL);
    uint64_t mailbox = m->ram + 4096;
    g_autofree char *code = NULL;
    gsize size;
    TqGpu *gpu;

    g_assert_true(g_file_get_contents(g_getenv("TESSERA_GUEST_CODE"), &code,
                                      &size, NULL));
    gpu = tq_machine_start(m, GPU " -accel tcg -S -bios none "
                           "-smp 1,maxcpus=2");
    qtest_memwrite(gpu->qts, m->ram, code, size);
    qtest_writeq(gpu->qts, mailbox, 0);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    g_assert_true(tq_wait32(gpu, mailbox, 1));
    aim_msix(gpu, file, IDENTITY);
    tq_ring_enable(gpu, 4);
    g_assert_cmpuint(tq_get32(gpu, mailbox + 4), ==, 0);
    for (int i = 0; i < 3; i++) {
        tq_write(gpu, TESSERA_REG_TEST_IRQ, i);
        g_assert_true(tq_wait32(gpu, mailbox + 4, IDENTITY));
        tq_put32(gpu, mailbox + 4, 0);
        tq_write(gpu, TESSERA_REG_IH_RPTR, i + 1);
    }
    tq_end(gpu);
}

/* A machine without MSI: the device is there, and its ring tells all. */
static void test_no_msi(const void *data)
{
    const Arch *arch = data;
    TqMachine plain;
    uint64_t ring;
    TesseraIhEntry e;
    TqGpu *gpu;

    tq_machine_init(&plain, arch->without_msi, arch->options);
    gpu = tq_machine_start(&plain, GPU);
    g_assert_cmpuint(gpu->msix_cap, ==, 0);
    ring = tq_ring_enable(gpu, 4);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 77);
    g_assert_true(tq_ring_wait(gpu, ring, 4, 0, &e));
    g_assert_cmpuint(e.data, ==, 77);
    run_vadd(gpu, true, false);
    tq_end(gpu);
    tq_machine_clear(&plain);
}

/* ---- loading ---- */

/* The gate knows this QEMU, and refuses what another one was built for. */
static void test_gate(void)
{
    static const char *const wrong[] = { "version", "layout" };

    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *text = NULL;
        g_autofree char *args = g_strdup_printf(
            "%s -plugin %s/tessera-wrong-%s.so -device tessera",
            machine.options, g_getenv("TESSERA_REFUSED"), wrong[i]);

        g_assert_cmpint(tq_run_qemu(args, &text), !=, 0);
        g_assert_nonnull(strstr(text, "Tessera was built for QEMU"));
    }
}

/* ---- all of it ---- */

static const Arch archs[] = {
    { "aarch64", "virt,gic-version=2", "-cpu cortex-a57", gic_interrupt,
      "virt,gic-version=3,its=off" },
    { "riscv64", "virt,aia=aplic-imsic", "", imsic_interrupt, NULL },
};

static const Arch *this_arch(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(archs); i++) {
        if (g_str_equal(archs[i].name, qtest_get_arch())) {
            return &archs[i];
        }
    }
    g_error("no test for %s", qtest_get_arch());
}

static void test_interrupt(const void *data)
{
    ((const Arch *)data)->interrupt(&machine);
}

int main(int argc, char **argv)
{
    static const char *const places[] = {
        "ram-ram", "vram-ram", "ram-vram", "vram-vram",
    };
    const Arch *arch = this_arch();
    int status;

    g_test_init(&argc, &argv, NULL);
    tq_machine_init(&machine, arch->machine, arch->options);
    g_test_add_func("/machine/gate", test_gate);
    g_test_add_func("/machine/windows", test_windows);
    g_test_add_func("/machine/bring-up", test_bring_up);
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_strdup_printf("/machine/dispatch/%s",
                                                places[i]);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_dispatch);
    }
    g_test_add_func("/machine/own-bar", test_own_bar);
    g_test_add_func("/machine/root-port", test_root_port);
    g_test_add_func("/machine/fault", test_fault);
    g_test_add_func("/machine/message", test_message);
    g_test_add_data_func("/machine/interrupt", arch, test_interrupt);
    if (arch->without_msi) {
        g_test_add_data_func("/machine/no-msi", arch, test_no_msi);
    }
    status = g_test_run();
    tq_machine_clear(&machine);
    return status;
}
