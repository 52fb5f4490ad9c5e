/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses to the BARs of other devices: word by word, each exactly once, by
 * shaders and by the packet processor; and what is refused.
 */
#include "rig.h"
#include "vtd.h"

#define PEER_BAR 0xdc000000u
#define PEER_DEVFN (6 << 3)

/* QEMU's edu (docs/specs/edu.rst). */
#define EDU_ID 0x010000edu
#define EDU_LIVE 0x04      /* reads as the inverse of what was written */
#define EDU_DMA_SOURCE 0x80 /* 64 bits, kept */

/* QEMU's pci-testdev: what it counts (docs/specs/pci-testdev.txt). */
#define TESTDEV_SELECT 0x00
#define TESTDEV_OFFSET 0x04
#define TESTDEV_DATA 0x08
#define TESTDEV_COUNT 0x0c

/* Intel 8254x: causes of interrupts, which a read clears; and setting them. */
#define E1000_ICR 0xc0
#define E1000_ICS 0xc8

/* The GPU and a peer, whose BAR @bar is placed. */
static TqGpu *start_with(const char *iommu, const char *peer, unsigned bar)
{
    g_autofree char *more = g_strdup_printf("-device %s,addr=6", peer);
    TqGpu *gpu = rig_start_gpu(iommu, more);

    tq_pci_write(gpu->qts, 0, PEER_DEVFN, 0x10 + bar * 4, PEER_BAR, 4);
    tq_pci_write(gpu->qts, 0, PEER_DEVFN, 0x04, 0x06, 2);
    return gpu;
}

static AqlDispatch dispatch(TqGpu *gpu, const char *name, uint64_t arg0,
                            uint64_t arg1, uint64_t arg2, uint32_t items)
{
    const uint64_t args[] = { arg0, arg1, arg2 };
    Rig rig = { .gpu = gpu };

    return rig_dispatch(&rig, name, args, 3, items);
}

static void run(TqGpu *gpu, unsigned slot, const char *name, uint64_t arg0,
                uint64_t arg1, uint64_t arg2, uint32_t items)
{
    TqQueue q = tq_queue(gpu, slot);
    AqlDispatch p = dispatch(gpu, name, arg0, arg1, arg2, items);

    tq_run(&q, &p);
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
}

/* ---- shaders ---- */

/* The peer counts writes of one byte value at one offset. */
static void check_counted(TqGpu *gpu, uint64_t bus, unsigned slot)
{
    uint64_t bar = PEER_BAR;
    uint32_t offset;
    uint8_t data;

    qtest_writeb(gpu->qts, bar + TESTDEV_SELECT, 0); /* also count = 0 */
    offset = qtest_readl(gpu->qts, bar + TESTDEV_OFFSET);
    data = qtest_readb(gpu->qts, bar + TESTDEV_DATA);
    for (unsigned n = 1; n <= 3; n++) {
        run(gpu, slot, "poke", bus + offset, data, 0, 64 * n);
        g_assert_cmpuint(qtest_readl(gpu->qts, bar + TESTDEV_COUNT), ==,
                         64 * n * (n + 1) / 2);
    }
}

static void test_writes(void)
{
    TqGpu *gpu = start_with("", "pci-testdev", 0);

    check_counted(gpu, PEER_BAR, 0);
    tq_end(gpu);
}

/* A read that clears shows its bits to the first work-item, and to no other. */
static void test_reads(void)
{
    TqGpu *gpu = start_with("", "e1000,romfile=", 0);
    uint64_t out = tq_alloc(gpu, 256);

    for (unsigned round = 0; round < 3; round++) {
        qtest_writel(gpu->qts, PEER_BAR + E1000_ICS, 0x14);
        run(gpu, round, "peek", PEER_BAR + E1000_ICR, out, 0, 64);
        for (unsigned i = 0; i < 64; i++) {
            uint32_t bits = tq_get32(gpu, out + i * 4) & 0x14;

            g_assert_cmphex(bits, ==, i == 0 ? 0x14 : 0);
        }
    }
    tq_end(gpu);
}

/* From memory to a register and from registers to memory. */
static void test_words(void)
{
    TqGpu *gpu = start_with("", "edu", 0);
    uint64_t word = tq_alloc(gpu, 64), out = tq_alloc(gpu, 64);

    run(gpu, 0, "peek", PEER_BAR, out, 4, 1);
    g_assert_cmphex(tq_get32(gpu, out), ==, EDU_ID);
    tq_put32(gpu, word, 0x12345678);
    run(gpu, 1, "peek", word, PEER_BAR + EDU_LIVE, 4, 1);
    g_assert_cmphex(qtest_readl(gpu->qts, PEER_BAR + EDU_LIVE), ==,
                    ~0x12345678u);
    run(gpu, 2, "peek", PEER_BAR, out, 4, 2);
    g_assert_cmphex(tq_get32(gpu, out), ==, EDU_ID);
    g_assert_cmphex(tq_get32(gpu, out + 4), ==, ~0x12345678u);
    tq_end(gpu);
}

/* ---- the packet processor ---- */

/* A command's fence goes to a register of eight bytes. */
static void test_fence(void)
{
    TqGpu *gpu = start_with("", "edu", 0);
    uint64_t at = tq_alloc(gpu, sizeof(TesseraCommand));
    TqQueue q = tq_queue(gpu, 0);
    TesseraCommand unmap = tq_command_init(TESSERA_CMD_UNMAP, q.slot);

    unmap.fence_addr = PEER_BAR + EDU_DMA_SOURCE;
    unmap.fence_value = 0x0123456789abcdef;
    tq_put(gpu, at, &unmap, sizeof(unmap));
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    g_assert_true(tq_wait64(gpu, unmap.fence_addr, unmap.fence_value));
    tq_end(gpu);
}

/* A barrier waits for a "signal" whose value is a register. */
static void test_barrier(void)
{
    TqGpu *gpu = start_with("", "edu", 0);
    TqQueue q = tq_queue(gpu, 0);
    AqlBarrier barrier = {
        .header = TQ_HEADER(AQL_TYPE_BARRIER_AND),
        .dep_signal = { PEER_BAR + EDU_DMA_SOURCE - TQ_SIGNAL_VALUE },
        .completion_signal = tq_signal(gpu, 1),
    };
    uint64_t done = barrier.completion_signal + TQ_SIGNAL_VALUE;

    qtest_writeq(gpu->qts, PEER_BAR + EDU_DMA_SOURCE, 3);
    tq_push(&q, &barrier);
    tq_settle(gpu);
    g_assert_cmpuint(tq_get64(gpu, done), ==, 1);
    qtest_writeq(gpu->qts, PEER_BAR + EDU_DMA_SOURCE, 0);
    g_assert_true(tq_wait64(gpu, done, 0));
    tq_end(gpu);
}

/* ---- what is refused ---- */

typedef struct Refused {
    const char *name, *shader;
    uint64_t address; /* of the peer's BAR if small */
    TesseraFaultCause cause;
    bool write, fetch;
} Refused;

static const Refused refused[] = {
    /* edu takes no bytes. */
    { "size", "poke", EDU_LIVE, TESSERA_FAULT_BUS, true },
    { "atomic", "increment", EDU_LIVE, TESSERA_FAULT_DEVICE_ATOMIC, true },
    { "fetch", "jump", 0, TESSERA_FAULT_NO_EXECUTE, false, true },
    /* Only the BARs of devices: no HPET, interrupts, configuration space. */
    { "hpet", "poke", 0xfed00000, TESSERA_FAULT_UNMAPPED, true },
    { "apic", "poke", 0xfee00000, TESSERA_FAULT_UNMAPPED, true },
    { "config", "poke", 0xb0020004, TESSERA_FAULT_UNMAPPED, true },
};

static void test_refused(const void *data)
{
    const Refused *r = data;
    TqGpu *gpu = start_with("", "edu", 0);
    uint64_t at = r->address < 0x1000 ? PEER_BAR + r->address : r->address;
    TqQueue q = tq_queue(gpu, 0);
    uint64_t kernarg = tq_alloc(gpu, 16);
    AqlDispatch p;
    uint32_t status;

    /* Configuration space is there: PCIEXBAR of the Q35 host bridge. */
    tq_pci_write(gpu->qts, 0, 0, 0x60, 0xb0000001, 4);
    g_assert_cmphex(qtest_readl(gpu->qts, 0xb0020000), ==, 0x7e551234);

    tq_put64(gpu, kernarg, at);
    p = tq_dispatch(gpu, tq_shader(gpu, r->shader, false), kernarg, 1, 64);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), !=, 0);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==, r->cause);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, FETCH), ==, r->fetch);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, WRITE), ==, r->write);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_ADDR), ==, at);
    g_assert_cmphex(tq_pci_read(gpu->qts, 0, 4 << 3, 4, 2) & 6, ==, 6);
    tq_end(gpu);
}

/* ---- life cycle ---- */

/* Counts, in RAM, how often it has read the peer's register. */
typedef struct Poller {
    TqQueue q;
    uint64_t buf;
} Poller;

static Poller start_poller(TqGpu *gpu, unsigned slot, uint64_t word)
{
    Poller poller = { .q = tq_queue(gpu, slot), .buf = tq_alloc(gpu, 64) };
    AqlDispatch p = dispatch(gpu, "poll", word, poller.buf, 0, 64);
    Rig rig = { .gpu = gpu };

    tq_push(&poller.q, &p);
    g_assert_true(tq_wait32(gpu, poller.buf, 1));
    g_assert_true(rig_counts(&rig, poller.buf));
    return poller;
}

/* There is nearly always a request on its way while things happen. */
static void test_life(void)
{
    TqGpu *gpu = start_with("", "edu", 0);
    Rig rig = { .gpu = gpu };
    Poller p = start_poller(gpu, 0, PEER_BAR);

    for (int i = 0; i < 5; i++) {
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        g_assert_true(rig_stands_still(&rig, p.buf));
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
        g_assert_true(rig_counts(&rig, p.buf));
        tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
        g_assert_true(rig_stands_still(&rig, p.buf));
        tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
        g_assert_true(rig_counts(&rig, p.buf));
    }
    for (int i = 0; i < 5; i++) {
        g_assert_cmpint(tq_queue_kill(&p.q), ==, TESSERA_RESULT_OK);
        g_assert_true(rig_stands_still(&rig, p.buf));
        p = start_poller(gpu, i + 1, PEER_BAR);
    }
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'system_reset'}");
    qtest_qmp_eventwait(gpu->qts, "RESET");
    g_assert_true(rig_stands_still(&rig, p.buf));
    tq_place_bars(gpu, RIG_WINDOW);
    run(gpu, 0, "store", tq_alloc(gpu, 256), 0, 0, 64);
    tq_end(gpu);
}

/* The peer's BAR goes, and comes back elsewhere. */
static void test_moved(void)
{
    TqGpu *gpu = start_with("", "edu", 0);
    Poller p = start_poller(gpu, 0, PEER_BAR);
    uint32_t status;

    tq_pci_write(gpu->qts, 0, PEER_DEVFN, 0x10, PEER_BAR + (16u << 20), 4);
    g_assert_cmphex(tq_wait_error(&p.q), ==, TESSERA_QERR_MEMORY_FAULT);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    status = TQ_FIELD(status, FAULT_STATUS, CAUSE);
    g_assert_true(status == TESSERA_FAULT_UNMAPPED ||
                  status == TESSERA_FAULT_BUS);
    start_poller(gpu, 1, PEER_BAR + (16u << 20));
    tq_end(gpu);
}

/* The peer, or the GPU itself, is removed while requests are on their way. */
static void test_unplug(const void *data)
{
    bool peer = data;
    TqGpu *gpu, *first = rig_start_gpu("",
        TQ_ROOT_PORT " -device edu,addr=6");
    Rig rig = { .gpu = first };
    uint64_t word = PEER_BAR;
    Poller p;

    if (peer) {
        gpu = first;
        qtest_qmp_device_add(gpu->qts, "edu", "gone", "{'bus': 'rp'}");
        tq_power_slot(gpu->qts, 3 << 3);
        tq_open_root_port(gpu->qts, 3 << 3, RIG_WINDOW2);
        word = RIG_WINDOW2;
        tq_pci_write(gpu->qts, 1, 0, 0x10, word, 4);
        tq_pci_write(gpu->qts, 1, 0, 0x04, 0x06, 2);
    } else {
        tq_pci_write(first->qts, 0, PEER_DEVFN, 0x10, word, 4);
        tq_pci_write(first->qts, 0, PEER_DEVFN, 0x04, 0x06, 2);
        qtest_qmp_device_add(first->qts, "tessera", "gone",
                             "{'bus': 'rp', 'vram-size': %u}", TQ_VRAM_SIZE);
        tq_power_slot(first->qts, 3 << 3);
        tq_open_root_port(first->qts, 3 << 3, RIG_WINDOW2);
        gpu = tq_attach(first->qts, 1, 0, RIG_WINDOW2);
    }
    p = start_poller(gpu, 0, word);
    tq_unplug(first->qts, 3 << 3, "gone");
    g_assert_true(rig_stands_still(&rig, p.buf));
    if (gpu != first) {
        tq_end(gpu);
    }
    run(first, 1, "store", tq_alloc(first, 256), 0, 0, 64);
    tq_end(first);
}

/* ---- memory of another device ---- */

/* Shaders, code and atomics work as in the guest's own memory. */
static void check_memory(TqGpu *gpu, uint64_t at)
{
    const uint64_t words = at + 0x4000, counter = at + 0x8000;

    qtest_memset(gpu->qts, at, 0, 0x9000);
    run(gpu, 0, "store", words, 0, 0, 256);
    for (unsigned i = 0; i < 256; i++) {
        g_assert_cmpuint(qtest_readl(gpu->qts, words + i * 4), ==, i);
    }
    run(gpu, 1, "increment", counter, 0, 0, 1000);
    g_assert_cmpuint(qtest_readl(gpu->qts, counter), ==, 1000);
}

static void test_shared_memory(void)
{
    TqGpu *gpu = start_with("-object memory-backend-ram,id=m,size=1M,share=on",
                            "ivshmem-plain,memdev=m", 2);

    check_memory(gpu, PEER_BAR);
    tq_end(gpu);
}

static void test_other_vram(void)
{
    TqGpu *gpu = rig_start_gpu("", "-device tessera,addr=5,vram-size=64M");
    TqGpu *other = tq_attach(gpu->qts, 0, 5 << 3, RIG_WINDOW2);

    check_memory(gpu, other->vram + (4u << 20));
    check_memory(other, gpu->vram + (4u << 20));
    tq_end(other);
    tq_end(gpu);
}

/* One device's shader rings another one's doorbell, over the bus. */
static void test_other_doorbell(void)
{
    TqGpu *gpu = rig_start_gpu("", "-device tessera,addr=5,vram-size=64M");
    TqGpu *other = tq_attach(gpu->qts, 0, 5 << 3, RIG_WINDOW2);
    uint64_t buf = tq_alloc(other, 256), zero = tq_alloc(gpu, 64);
    TqQueue q = tq_queue(other, 1);
    AqlDispatch p = dispatch(other, "store", buf, 0, 0, 64);

    tq_put_packet(&q, &p);
    run(gpu, 0, "peek", zero, other->doorbells + q.doorbell * 8, 4, 1);
    g_assert_true(tq_wait64(other, p.completion_signal + TQ_SIGNAL_VALUE, 0));
    g_assert_cmpuint(tq_get32(other, buf + 4), ==, 1);
    tq_end(other);
    tq_end(gpu);
}

/* ---- behind an IOMMU ---- */

static void test_behind_iommu(void)
{
    TqGpu *gpu = start_with("-device intel-iommu", "pci-testdev", 0);
    const uint64_t at = RIG_SPARE, own = RIG_SPARE + RIG_PAGE;
    TqDomain domain;
    TqVtd vtd;
    TqQueue q;
    AqlDispatch p;

    tq_vtd_init(&vtd, gpu->qts, true);
    domain = tq_vtd_domain(&vtd, 1);
    tq_vtd_map(&vtd, &domain, RIG_OFFSET + RIG_RAM, RIG_RAM,
               TQ_RAM_SIZE - RIG_RAM, VTD_RW);
    tq_vtd_map(&vtd, &domain, at, PEER_BAR, RIG_PAGE, VTD_RW);
    tq_vtd_map(&vtd, &domain, own, gpu->regs, RIG_PAGE, VTD_RW);
    tq_vtd_attach(&vtd, gpu, &domain);
    tq_vtd_enable(&vtd, true);
    gpu->dma_offset = RIG_OFFSET;
    check_counted(gpu, at, 0);

    /* Its own registers are not reached by such a detour. */
    q = tq_queue(gpu, 1);
    p = dispatch(gpu, "poke", own, 0, 0, 64);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), ==, TESSERA_QERR_MEMORY_FAULT);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("peer/writes", test_writes);
    qtest_add_func("peer/reads", test_reads);
    qtest_add_func("peer/words", test_words);
    qtest_add_func("peer/fence", test_fence);
    qtest_add_func("peer/barrier", test_barrier);
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *path = g_strdup_printf("peer/refused/%s",
                                                refused[i].name);

        qtest_add_data_func(path, &refused[i], test_refused);
    }
    qtest_add_func("peer/life", test_life);
    qtest_add_func("peer/moved", test_moved);
    qtest_add_data_func("peer/unplug/peer", GINT_TO_POINTER(true),
                        test_unplug);
    qtest_add_data_func("peer/unplug/self", GINT_TO_POINTER(false),
                        test_unplug);
    qtest_add_func("peer/memory/ivshmem", test_shared_memory);
    qtest_add_func("peer/memory/vram", test_other_vram);
    qtest_add_func("peer/memory/doorbell", test_other_doorbell);
    qtest_add_func("peer/behind-iommu", test_behind_iommu);
    return g_test_run();
}
