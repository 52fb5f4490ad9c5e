/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces in QEMU: shaders and packets behind page tables that a driver
 * builds in RAM and in VRAM.
 */
#include "rig.h"
#include "vtd.h"
#include "guest/vm/pages.h"

#define PAGE 4096ull
#define DATA 0x7654321ff000ull /* each process has something else there */
#define BELL 0x100000000000ull /* and its doorbells here */
#define S_ENDPGM 0xbf810000
#define RW (TESSERA_PT_READ | TESSERA_PT_WRITE)
#define RAM_RW (TESSERA_PT_SYSTEM | RW)
#define RAM_RWX (RAM_RW | TESSERA_PT_EXECUTE)

/* A driver's idea of one address space and the queue in it. */
typedef struct Process {
    TqGpu *gpu;
    unsigned vmid;
    bool vram_tables;
    PageSpace pages;
    TqQueue q, other; /* other is not mapped to its slot yet */
    uint64_t kernarg;
    uint64_t data; /* VMID 0 address of the page at DATA */
    AqlDispatch packet;
} Process;

/* ---- page tables ---- */

static uint64_t table_address(uint64_t table)
{
    uint64_t address = table & TESSERA_PT_ADDRESS;

    return table & TESSERA_PT_SYSTEM ? address
                                     : TESSERA_VRAM_WINDOW + address;
}

static void align(uint64_t *next)
{
    *next = (*next + PAGE - 1) & ~(PAGE - 1);
}

static uint64_t ram_page(TqGpu *gpu)
{
    align(&gpu->ram_next);
    return tq_alloc(gpu, PAGE);
}

static uint64_t new_table(void *opaque)
{
    Process *p = opaque;

    if (!p->vram_tables) {
        return ram_page(p->gpu) | TESSERA_PT_SYSTEM | TESSERA_PT_VALID;
    }
    align(&p->gpu->vram_next);
    return (tq_alloc_vram(p->gpu, PAGE) - TESSERA_VRAM_WINDOW) |
           TESSERA_PT_VALID;
}

static uint64_t load(void *opaque, uint64_t table, unsigned index)
{
    return tq_get64(((Process *)opaque)->gpu,
                    table_address(table) + index * 8);
}

static void store(void *opaque, uint64_t table, unsigned index,
                  uint64_t entry)
{
    tq_put64(((Process *)opaque)->gpu, table_address(table) + index * 8,
             entry);
}

static void map(Process *p, uint64_t va, uint64_t size, uint64_t leaf)
{
    g_assert_true(pages_map(&p->pages, va, size, leaf));
}

/* Name a table of level 0 for the 2 MiB at @va, which has one already. */
static void store_level1(Process *p, uint64_t va, uint64_t table)
{
    uint64_t at = p->pages.root;

    for (unsigned level = 3; level > 1; level--) {
        at = load(p, at & ~TESSERA_PT_VALID,
                  (va >> (12 + 9 * level)) % TESSERA_PT_ENTRIES);
    }
    store(p, at & ~TESSERA_PT_VALID, (va >> 21) % TESSERA_PT_ENTRIES,
          table | TESSERA_PT_VALID);
}

static void invalidate(Process *p)
{
    uint64_t bit = 1ull << p->vmid;

    tq_write64(p->gpu, TESSERA_REG_VM_INVALIDATE, bit);
    g_assert_cmphex(tq_read64(p->gpu, TESSERA_REG_VM_INVALIDATE_ACK) & bit,
                    ==, bit);
}

static void set_root(Process *p, uint64_t root)
{
    tq_write64(p->gpu, TESSERA_REG_VM_ROOT + p->vmid * TESSERA_VM_STRIDE,
               root);
}

static void open_pages(Process *p)
{
    p->pages = (PageSpace) {
        .new_table = new_table, .load = load, .store = store, .opaque = p,
    };
}

/* ---- processes ---- */

static Process processes[TESSERA_VMIDS];

static TqQueue prepare_queue(TqGpu *gpu, unsigned slot, unsigned vmid,
                             unsigned doorbell)
{
    TqQueue q = tq_queue_prepare(gpu, slot, 16);

    tq_put32(gpu, q.descriptor + offsetof(TesseraQueue, vmid), vmid);
    tq_put32(gpu, q.descriptor + offsetof(TesseraQueue, doorbell), doorbell);
    q.doorbell = vmid * TESSERA_SLICE_DOORBELLS + doorbell;
    return q;
}

/*
 * Queues, code and arguments lie at their bus addresses, in pages of their own;
 * nothing else is mapped but DATA and the doorbells.
 */
static Process *start(TqGpu *gpu, unsigned vmid, const char *shader,
                      bool vram_tables)
{
    Process *p = &processes[vmid];
    uint64_t begin, size, kernel;

    *p = (Process) { .gpu = gpu, .vmid = vmid, .vram_tables = vram_tables };
    p->data = ram_page(gpu);
    align(&gpu->ram_next);
    begin = gpu->dma_offset + gpu->ram_next;
    p->q = prepare_queue(gpu, vmid, vmid, 3);
    p->other = prepare_queue(gpu, TESSERA_VMIDS + vmid, vmid, 4);
    p->kernarg = tq_alloc(gpu, 128); /* and a signal */
    kernel = tq_shader(gpu, shader, false);
    p->packet = tq_dispatch(gpu, kernel, p->kernarg, 64, 64);
    align(&gpu->ram_next);
    tq_put64(gpu, p->kernarg, DATA);
    open_pages(p);
    size = gpu->dma_offset + gpu->ram_next - begin;
    map(p, begin, size, begin | RAM_RWX);
    map(p, DATA, PAGE, p->data | RAM_RW);
    map(p, BELL, 2 * PAGE, RW | TESSERA_PT_DOORBELL);
    set_root(p, p->pages.root);
    g_assert_cmpint(tq_queue_map(&p->q), ==, TESSERA_RESULT_OK);
    return p;
}

static void run(Process *p)
{
    tq_put64(p->gpu, p->packet.completion_signal + TQ_SIGNAL_VALUE, 1);
    tq_run(&p->q, &p->packet);
}

/* Run into a fault; checks all of its record. */
static void run_fault(Process *p, TesseraFaultCause cause, uint64_t address)
{
    uint32_t status;

    tq_push(&p->q, &p->packet);
    g_assert_cmphex(tq_wait_error(&p->q), !=, 0);
    status = tq_read(p->gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, VALID), ==, 1);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==, cause);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, VMID), ==, p->vmid);
    g_assert_cmpuint(tq_read(p->gpu, TESSERA_REG_FAULT_QUEUE), ==, p->vmid);
    g_assert_cmphex(tq_read64(p->gpu, TESSERA_REG_FAULT_ADDR), ==, address);
}

/* ---- tests ---- */

static void test_features(void)
{
    TqGpu *gpu = tq_start("");

    g_assert_cmphex(tq_read(gpu, TESSERA_REG_FEATURES) &
                    TESSERA_FEATURES_PAGE_TABLES_MASK, ==,
                    TESSERA_FEATURES_PAGE_TABLES_MASK);
    for (unsigned v = 0; v < TESSERA_VMIDS; v++) {
        g_assert_cmphex(tq_read64(gpu, TESSERA_REG_VM_ROOT +
                                  v * TESSERA_VM_STRIDE), ==, 0);
    }
    tq_end(gpu);
}

/* All VMIDs in turn, one address: each store lands in its own page only. */
static void test_isolation(void)
{
    TqGpu *gpu = tq_start("");
    Process *p[TESSERA_VMIDS];

    for (unsigned v = 1; v < TESSERA_VMIDS; v++) {
        p[v] = start(gpu, v, "store", v & 1);
    }
    for (unsigned v = 1; v < TESSERA_VMIDS; v++) {
        run(p[v]);
        for (unsigned other = 1; other < TESSERA_VMIDS; other++) {
            uint32_t last = tq_get32(gpu, p[other]->data + 63 * 4);

            g_assert_cmpuint(last, ==, other <= v ? 63 : 0);
        }
        tq_put32(gpu, p[v]->data + 63 * 4, 63);
    }
    tq_end(gpu);
}

/* An address that only another VMID has is no address here. */
static void test_stranger(void)
{
    TqGpu *gpu = tq_start("");
    Process *a = start(gpu, 1, "store", false);
    Process *b = start(gpu, 2, "store", false);

    tq_put64(gpu, b->kernarg, a->kernarg & ~(PAGE - 1));
    run_fault(b, TESSERA_FAULT_UNMAPPED, a->kernarg & ~(PAGE - 1));
    run(a);
    tq_end(gpu);
}

/* A page is exchanged under a shader that stores to it for ever. */
static void test_invalidate(const void *command)
{
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 3, "endless", command);
    uint64_t pages[2] = { p->data, ram_page(gpu) };

    tq_push(&p->q, &p->packet);
    g_assert_true(tq_wait32(gpu, p->data, 1));
    for (unsigned i = 1; i < 10; i++) {
        uint64_t before = pages[(i - 1) % 2], after = pages[i % 2];
        uint32_t count;

        map(p, DATA, PAGE, after | RAM_RW);
        if (command) {
            TesseraCommand c = tq_command_init(TESSERA_CMD_INVALIDATE, 0);

            c.descriptor = 1ull << p->vmid;
            g_assert_cmpint(tq_command(gpu, c), ==, TESSERA_RESULT_OK);
        } else {
            invalidate(p);
        }
        count = tq_get32(gpu, before + 4);
        tq_put32(gpu, after + 4, 0);
        g_assert_true(TQ_POLL(tq_get32(gpu, after + 4)));
        g_assert_cmpuint(tq_get32(gpu, before + 4), ==, count);
    }
    tq_end(gpu);
}

/* Code is exchanged under a shader that loops in it for ever. */
static void test_invalidate_code(void)
{
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 9, "endless", false);
    uint64_t page = ram_page(gpu), code;
    uint64_t done = p->packet.completion_signal + TQ_SIGNAL_VALUE;

    code = tq_shader(gpu, "endless", false);
    map(p, code & -PAGE, PAGE, (code & -PAGE) | RAM_RWX);
    for (unsigned i = 0; i < PAGE; i += 4) {
        tq_put32(gpu, page + i, S_ENDPGM);
    }
    p->packet.kernel_object = code;
    tq_push(&p->q, &p->packet);
    g_assert_true(tq_wait32(gpu, p->data, 1));
    map(p, code & -PAGE, PAGE, page | RAM_RWX);
    invalidate(p);
    g_assert_true(tq_wait64(gpu, done, 0));
    tq_end(gpu);
}

/* Taking a right, or the page, away stops the shader at once. */
static void test_revoke(void)
{
    static const struct {
        bool unmap;
        TesseraFaultCause cause;
    } cases[] = {
        { false, TESSERA_FAULT_READ_ONLY }, { true, TESSERA_FAULT_UNMAPPED },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TqGpu *gpu = tq_start("");
        Process *p = start(gpu, 63, "endless", true);
        uint32_t status;

            tq_push(&p->q, &p->packet);
        g_assert_true(tq_wait32(gpu, p->data, 1));
        if (cases[i].unmap) {
            pages_unmap(&p->pages, DATA, PAGE);
        } else {
            map(p, DATA, PAGE, p->data | TESSERA_PT_SYSTEM | TESSERA_PT_READ);
        }
        invalidate(p);
        g_assert_cmphex(tq_wait_error(&p->q), ==,
                        TESSERA_QERR_MEMORY_FAULT);
        status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
        g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                         cases[i].cause);
        g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_ADDR), ==, DATA + 4);
        tq_end(gpu);
    }
}

/* ---- what a mapping must not be ---- */

typedef struct BadMap {
    const char *name;
    uint64_t leaf; /* at DATA; 0: DATA's page, with `bits` */
    uint64_t bits;
    TesseraFaultCause cause;
} BadMap;

static const BadMap bad_maps[] = {
    { "read-only", 0, TESSERA_PT_SYSTEM | TESSERA_PT_READ,
      TESSERA_FAULT_READ_ONLY },
    { "no-rights", 0, TESSERA_PT_SYSTEM, TESSERA_FAULT_READ_ONLY },
    { "write-only", 0, TESSERA_PT_SYSTEM | TESSERA_PT_WRITE,
      TESSERA_FAULT_PAGE_TABLE },
    { "reserved-bit", 0, RAM_RW | 1ull << 51, TESSERA_FAULT_PAGE_TABLE },
    { "leaf-bit", 0, RAM_RW | TESSERA_PT_LEAF, TESSERA_FAULT_PAGE_TABLE },
    { "registers", 0xe4080000, RAM_RW, TESSERA_FAULT_DEVICE_BAR },
    { "flush-page", 0xe408f000, RAM_RW, TESSERA_FAULT_DEVICE_BAR },
    { "nowhere", 0x800000000000, RAM_RW, TESSERA_FAULT_UNMAPPED },
    { "past-vram", TQ_VRAM_SIZE, RW, TESSERA_FAULT_PAGE_TABLE },
    { "past-slice", TESSERA_SLICE_SIZE, RW | TESSERA_PT_DOORBELL,
      TESSERA_FAULT_PAGE_TABLE },
};

static void test_bad_map(const void *data)
{
    const BadMap *bad = data;
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 5, "store", false);
    Process *other = start(gpu, 6, "store", false);

    g_assert_cmphex(gpu->regs, ==, 0xe4080000);
    map(p, DATA, PAGE, (bad->leaf ?: p->data) | bad->bits);
    run_fault(p, bad->cause, DATA);
    run(other);
    tq_end(gpu);
}

/* Tables that go round in circles, or lie where no table can be. */
static void test_bad_root(void)
{
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 5, "store", false);
    Process *other = start(gpu, 6, "store", false);
    uint64_t loop = ram_page(gpu);
    const struct {
        uint64_t root;
        TesseraFaultCause cause;
    } cases[] = {
        { 0, TESSERA_FAULT_UNMAPPED },
        { loop | 3, TESSERA_FAULT_NO_READ },
        { gpu->regs | 3, TESSERA_FAULT_PAGE_TABLE },
        { gpu->doorbells | 3, TESSERA_FAULT_PAGE_TABLE },
        { 0xfffffffff000 | 3, TESSERA_FAULT_PAGE_TABLE },
        { TQ_VRAM_SIZE | 1, TESSERA_FAULT_PAGE_TABLE },
    };

    for (unsigned i = 0; i < TESSERA_PT_ENTRIES; i++) {
        tq_put64(gpu, loop + i * 8, loop | 3);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint32_t status;

        set_root(p, cases[i].root);
        invalidate(p);
        tq_push(&p->q, &p->packet);
        g_assert_true(tq_wait_reg(gpu, TESSERA_REG_FAULT_STATUS,
                                  TESSERA_FAULT_STATUS_VALID_MASK,
                                  TESSERA_FAULT_STATUS_VALID_MASK));
        status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
        g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                         cases[i].cause);
        g_assert_cmpint(tq_queue_kill(&p->q), ==, TESSERA_RESULT_OK);
        tq_write(gpu, TESSERA_REG_FAULT_STATUS,
                 TESSERA_FAULT_STATUS_VALID_MASK);
        set_root(p, p->pages.root);
        tq_put64(gpu, p->packet.completion_signal + TQ_SIGNAL_VALUE, 1);
        g_assert_cmpint(tq_queue_map(&p->q), ==, TESSERA_RESULT_OK);
        /* The packet that faulted is still in the ring; it runs now. */
        g_assert_true(tq_wait64(gpu, p->packet.completion_signal +
                                TQ_SIGNAL_VALUE, 0));
    }
    run(other);
    tq_end(gpu);
}

static void test_no_execute(void)
{
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 5, "store", false);
    uint64_t page = p->packet.kernel_object & ~(PAGE - 1);

    map(p, page, PAGE, page | RAM_RW);
    invalidate(p);
    run_fault(p, TESSERA_FAULT_NO_EXECUTE, p->packet.kernel_object + 256);
    tq_end(gpu);
}

static void test_non_canonical(void)
{
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 5, "store", false);
    uint64_t address = DATA | 1ull << 52;

    tq_put64(gpu, p->kernarg, address);
    run_fault(p, TESSERA_FAULT_NON_CANONICAL, address);
    tq_end(gpu);
}

/* ---- pages of 2 MiB, in VRAM, and doorbells ---- */

static void test_huge(void)
{
    const uint64_t at = 32u << 20, va = 0x40000000000;
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 8, "store", true);

    map(p, va, 2 * TESSERA_PT_HUGE_PAGE, at | RW);
    tq_put64(gpu, p->kernarg, va + TESSERA_PT_HUGE_PAGE - 128);
    run(p);
    g_assert_cmpuint(tq_get32(gpu, TESSERA_VRAM_WINDOW + at +
                              TESSERA_PT_HUGE_PAGE - 128 + 63 * 4), ==, 63);
    tq_end(gpu);
}

/*
 * Doorbell 4 of VMIDs 1 and 2 has a packet each that nobody rang for.  A shader
 * of VMID 1 rings doorbell 4: that of its own slice.
 */
static void test_doorbell(void)
{
    TqGpu *gpu = tq_start("");
    Process *a = start(gpu, 1, "poke", false);
    Process *b = start(gpu, 2, "poke", false);
    AqlBarrier packet = { .header = TQ_HEADER(AQL_TYPE_BARRIER_AND) };
    uint64_t done[2];

    for (unsigned i = 0; i < 2; i++) {
        Process *p = i ? b : a;

        g_assert_cmpint(tq_queue_map(&p->other), ==, TESSERA_RESULT_OK);
        done[i] = p->kernarg + 64; /* there is room behind it */
        tq_put64(gpu, done[i] + TQ_SIGNAL_VALUE, 1);
        packet.completion_signal = done[i];
        tq_put_packet(&p->other, &packet);
    }
    tq_put64(gpu, a->kernarg, BELL + 4 * 8);
    tq_put32(gpu, a->kernarg + 8, 0x5a);
    run(a);
    g_assert_true(tq_wait64(gpu, done[0] + TQ_SIGNAL_VALUE, 0));
    tq_settle(gpu);
    g_assert_cmpint(tq_get64(gpu, done[1] + TQ_SIGNAL_VALUE), ==, 1);
    g_assert_cmpuint(qtest_readq(gpu->qts, gpu->doorbells +
                                 a->other.doorbell * 8), ==, 0x5a);
    g_assert_cmpuint(qtest_readq(gpu->qts, gpu->doorbells +
                                 b->other.doorbell * 8), ==, 0);
    tq_ring_doorbell(&b->other);
    g_assert_true(tq_wait64(gpu, done[1] + TQ_SIGNAL_VALUE, 0));
    tq_end(gpu);
}

/* Another slice's bus address in a leaf does not help. */
static void test_foreign_doorbell(void)
{
    TqGpu *gpu = tq_start("");
    Process *p = start(gpu, 7, "poke", false);

    map(p, DATA, PAGE, (gpu->doorbells + 6 * TESSERA_SLICE_SIZE) | RAM_RW);
    run_fault(p, TESSERA_FAULT_DEVICE_BAR, DATA);
    tq_end(gpu);
}

/* VMID 0 behind tables of its own: commands and the ring go through them. */
static void test_vmid0(void)
{
    TqGpu *gpu = tq_start("");
    Process *p = &processes[0];

    *p = (Process) { .gpu = gpu };
    open_pages(p);
    map(p, 0, TQ_RAM_SIZE, RAM_RWX);
    set_root(p, p->pages.root);
    invalidate(p);
    p->q = tq_queue(gpu, 0);
    p->kernarg = tq_alloc(gpu, 64);
    p->data = tq_alloc(gpu, 256);
    p->packet = tq_dispatch(gpu, tq_shader(gpu, "store", false), p->kernarg,
                           64, 64);
    tq_put64(gpu, p->kernarg, p->data);
    run(p);
    g_assert_cmpuint(tq_get32(gpu, p->data + 63 * 4), ==, 63);
    tq_put64(gpu, p->kernarg, TESSERA_VRAM_WINDOW);
    tq_put64(gpu, p->packet.completion_signal + TQ_SIGNAL_VALUE, 1);
    run_fault(p, TESSERA_FAULT_UNMAPPED, TESSERA_VRAM_WINDOW);
    tq_end(gpu);
}

/* ---- tables, queue and pages behind the platform's IOMMU ---- */

typedef struct Behind {
    TqVtd vtd;
    TqDomain domain;
} Behind;

static TqGpu *start_behind(Behind *b)
{
    TqGpu *gpu = rig_start_gpu("-device intel-iommu,caching-mode=off", "");

    tq_vtd_init(&b->vtd, gpu->qts, false);
    b->domain = tq_vtd_domain(&b->vtd, 7);
    tq_vtd_map(&b->vtd, &b->domain, RIG_OFFSET + RIG_RAM, RIG_RAM,
               TQ_RAM_SIZE - RIG_RAM, VTD_RW);
    tq_vtd_attach(&b->vtd, gpu, &b->domain);
    tq_vtd_enable(&b->vtd, true);
    tq_vtd_invalidate_context(&b->vtd, NULL);
    tq_vtd_invalidate(&b->vtd, VTD_INV_GLOBAL, &b->domain, 0);
    gpu->dma_offset = RIG_OFFSET;
    return gpu;
}

/* A leaf's bus address is one of the IOMMU's; so is that of a table. */
static void test_behind_iommu(void)
{
    const uint64_t iova = RIG_SPARE, huge = DATA & -TESSERA_PT_HUGE_PAGE;
    Behind b;
    TqGpu *gpu = start_behind(&b);
    Process *p = start(gpu, 4, "store", false);
    Process *q = start(gpu, 5, "store", false);
    Process *r = start(gpu, 6, "store", true);

    run(p);
    g_assert_cmpuint(tq_get32(gpu, p->data + 63 * 4), ==, 63);
    tq_vtd_map(&b.vtd, &b.domain, iova, q->data - RIG_OFFSET, PAGE, VTD_RW);
    tq_vtd_invalidate(&b.vtd, VTD_INV_PAGE, &b.domain, iova);
    map(p, DATA, PAGE, iova | RAM_RW);
    invalidate(p);
    run(p);
    g_assert_cmpuint(tq_get32(gpu, q->data + 63 * 4), ==, 63);

    map(p, DATA, PAGE, (iova + PAGE) | RAM_RW);
    invalidate(p);
    run_fault(p, TESSERA_FAULT_IOMMU, DATA);
    g_assert_true(tq_vtd_fault(&b.vtd).there);
    tq_write(gpu, TESSERA_REG_FAULT_STATUS, TESSERA_FAULT_STATUS_VALID_MASK);

    /* the table of DATA lies where the IOMMU has no page */
    store_level1(r, huge, (iova + 2 * PAGE) | TESSERA_PT_SYSTEM);
    run_fault(r, TESSERA_FAULT_IOMMU, DATA);
    run(q);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/vm/features", test_features);
    g_test_add_func("/vm/isolation", test_isolation);
    g_test_add_func("/vm/stranger", test_stranger);
    g_test_add_data_func("/vm/invalidate/register", NULL, test_invalidate);
    g_test_add_data_func("/vm/invalidate/command", "", test_invalidate);
    g_test_add_func("/vm/invalidate/code", test_invalidate_code);
    g_test_add_func("/vm/revoke", test_revoke);
    for (size_t i = 0; i < G_N_ELEMENTS(bad_maps); i++) {
        g_autofree char *path = g_strdup_printf("/vm/bad-map/%s",
                                                bad_maps[i].name);
        g_test_add_data_func(path, &bad_maps[i], test_bad_map);
    }
    g_test_add_func("/vm/bad-root", test_bad_root);
    g_test_add_func("/vm/no-execute", test_no_execute);
    g_test_add_func("/vm/non-canonical", test_non_canonical);
    g_test_add_func("/vm/huge", test_huge);
    g_test_add_func("/vm/doorbell", test_doorbell);
    g_test_add_func("/vm/foreign-doorbell", test_foreign_doorbell);
    g_test_add_func("/vm/vmid0", test_vmid0);
    g_test_add_func("/vm/behind-iommu", test_behind_iommu);
    return g_test_run();
}
