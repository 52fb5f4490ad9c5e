/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vtd.h"

#define REGS 0xfed90000u /* where QEMU's q35 has them */
#define TABLES (8u << 20)
#define TABLES_END (14u << 20)

/* Offsets, 11.4; the two offsets that ECAP and CAP give are checked. */
#define CAP 0x08
#define ECAP 0x10
#define GCMD 0x18
#define GSTS 0x1c
#define RTADDR 0x20
#define CCMD 0x28
#define FSTS 0x34
#define IQT 0x88
#define IQA 0x90
#define IVA 0xf0
#define IOTLB 0xf8
#define FRCD 0x220

#define GCMD_TE (1u << 31)
#define GCMD_SRTP (1u << 30)
#define GCMD_QIE (1u << 26)

#define QUEUE_ENTRIES 256 /* one page */

static uint64_t new_page(TqVtd *vtd)
{
    uint64_t at = vtd->next;

    vtd->next += 4096;
    g_assert_cmpuint(vtd->next, <=, TABLES_END);
    qtest_memset(vtd->qts, at, 0, 4096);
    return at;
}

/* One-shot bits go together with all that stays on. */
static void command(TqVtd *vtd, uint32_t bit, bool on)
{
    qtest_writel(vtd->qts, REGS + GCMD,
                 on ? vtd->commands | bit : vtd->commands & ~bit);
    g_assert_cmphex(qtest_readl(vtd->qts, REGS + GSTS) & bit, ==,
                    on ? bit : 0);
}

static void keep(TqVtd *vtd, uint32_t bit, bool on)
{
    command(vtd, bit, on);
    vtd->commands = on ? vtd->commands | bit : vtd->commands & ~bit;
}

void tq_vtd_init(TqVtd *vtd, QTestState *qts, bool queued)
{
    *vtd = (TqVtd) { .qts = qts, .queued = queued, .next = TABLES };
    g_assert_cmphex(qtest_readq(qts, REGS + ECAP) >> 8 & 0x3ff, ==,
                    IVA / 16); /* IRO */
    g_assert_cmphex(qtest_readq(qts, REGS + CAP) >> 24 & 0x3ff, ==,
                    FRCD / 16); /* FRO */
    vtd->root = new_page(vtd);
    vtd->queue = new_page(vtd);
    qtest_writeq(qts, REGS + RTADDR, vtd->root);
    command(vtd, GCMD_SRTP, true);
    if (queued) {
        qtest_writeq(qts, REGS + IQA, vtd->queue);
        keep(vtd, GCMD_QIE, true);
    }
}

void tq_vtd_enable(TqVtd *vtd, bool on)
{
    keep(vtd, GCMD_TE, on);
}

/* ---- tables ---- */

TqDomain tq_vtd_domain(TqVtd *vtd, uint16_t id)
{
    return (TqDomain) { .id = id, .table = new_page(vtd) };
}

/* The address of @gpu's context entry, 9.3. */
static uint64_t context_entry(TqVtd *vtd, TqGpu *gpu)
{
    uint64_t at = vtd->root + gpu->bus * 16;
    uint64_t entry = qtest_readq(vtd->qts, at);

    if (!(entry & 1)) {
        entry = new_page(vtd) | 1;
        qtest_writeq(vtd->qts, at, entry);
    }
    return (entry & ~0xfffull) + gpu->devfn * 16;
}

void tq_vtd_attach(TqVtd *vtd, TqGpu *gpu, const TqDomain *domain)
{
    const uint64_t width39 = 1, pass_through = 2 << 2, present = 1;
    const uint16_t pass_id = 0xfff0;
    uint64_t at = context_entry(vtd, gpu);

    qtest_writeq(vtd->qts, at + 8,
                 width39 | (uint64_t)(domain ? domain->id : pass_id) << 8);
    qtest_writeq(vtd->qts, at,
                 present | (domain ? domain->table : pass_through));
}

void tq_vtd_detach(TqVtd *vtd, TqGpu *gpu)
{
    qtest_writeq(vtd->qts, context_entry(vtd, gpu), 0);
}

void tq_vtd_forget_bus(TqVtd *vtd, TqGpu *gpu)
{
    qtest_writeq(vtd->qts, vtd->root + gpu->bus * 16, 0);
}

/* The entry for @iova in a table of @level (1: pages); makes the ones above. */
static uint64_t page_entry(TqVtd *vtd, const TqDomain *domain, uint64_t iova,
                           unsigned level)
{
    uint64_t table = domain->table;

    for (unsigned l = 3;; l--) {
        uint64_t at = table + (iova >> (12 + 9 * (l - 1)) & 511) * 8;
        uint64_t entry;

        if (l == level) {
            return at;
        }
        entry = qtest_readq(vtd->qts, at);
        if (!(entry & VTD_RW)) {
            entry = new_page(vtd) | VTD_RW;
            qtest_writeq(vtd->qts, at, entry);
        }
        table = entry & ~0xfffull;
    }
}

void tq_vtd_map(TqVtd *vtd, const TqDomain *domain, uint64_t iova,
                uint64_t to, uint64_t size, unsigned rights)
{
    const uint64_t large = 2u << 20, page_size = 1 << 7;

    while (size) {
        bool is_large = size >= large && !((iova | to) & (large - 1));
        uint64_t step = is_large ? large : 4096;

        qtest_writeq(vtd->qts,
                     page_entry(vtd, domain, iova, is_large ? 2 : 1),
                     rights ? to | rights | (is_large ? page_size : 0) : 0);
        iova += step;
        to += step;
        size -= step;
    }
}

void tq_vtd_alias(TqVtd *vtd, const TqDomain *domain, uint64_t iova,
                  uint64_t to, unsigned tables, unsigned rights)
{
    uint64_t entries[512];

    for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
        entries[i] = to | rights;
    }
    for (unsigned i = 0; i < tables; i++) {
        qtest_memwrite(vtd->qts, page_entry(vtd, domain, iova, 1), entries,
                       sizeof(entries));
        iova += 2u << 20;
    }
}

/* ---- invalidation ---- */

/* Put a descriptor and a wait (6.5.2.8) into the queue and ring. */
static void queue_command(TqVtd *vtd, uint64_t low, uint64_t high)
{
    const uint64_t status = vtd->queue + QUEUE_ENTRIES * 16 - 16;
    const uint64_t wait = 5 | 1 << 5 | 0x77ull << 32; /* status write */
    const uint64_t descriptors[] = { low, high, wait, status };

    g_assert_cmpuint(vtd->tail + 2, <, QUEUE_ENTRIES); /* enough for a test */
    qtest_writel(vtd->qts, status, 0);
    qtest_memwrite(vtd->qts, vtd->queue + vtd->tail * 16, descriptors,
                   sizeof(descriptors));
    vtd->tail += 2;
    qtest_writeq(vtd->qts, REGS + IQT, vtd->tail * 16);
    g_assert_cmphex(qtest_readl(vtd->qts, status), ==, 0x77);
}

/* Granularities as the commands number them: 1 global, 2 domain, 3 page. */
static uint64_t granularity(VtdInvalidate kind)
{
    return VTD_INV_KINDS - kind;
}

void tq_vtd_invalidate(TqVtd *vtd, VtdInvalidate kind,
                       const TqDomain *domain, uint64_t iova)
{
    uint64_t page = iova & ~0xfffull; /* address mask 0: one page */

    if (vtd->queued) {
        queue_command(vtd, 2 | granularity(kind) << 4 |
                      (uint64_t)domain->id << 16, page);
        return;
    }
    qtest_writeq(vtd->qts, REGS + IVA, page);
    qtest_writeq(vtd->qts, REGS + IOTLB, 1ull << 63 | granularity(kind) << 60 |
                 (uint64_t)domain->id << 32);
    g_assert_false(qtest_readq(vtd->qts, REGS + IOTLB) >> 63);
}

void tq_vtd_invalidate_context(TqVtd *vtd, TqGpu *gpu)
{
    uint64_t source = gpu ? gpu->bus << 8 | gpu->devfn : 0;
    uint64_t kind = gpu ? 3 : 1; /* device, global */

    if (vtd->queued) {
        queue_command(vtd, 1 | kind << 4 | source << 32, 0);
        return;
    }
    qtest_writeq(vtd->qts, REGS + CCMD, 1ull << 63 | kind << 61 | source << 16);
    g_assert_false(qtest_readq(vtd->qts, REGS + CCMD) >> 63);
}

VtdFault tq_vtd_fault(TqVtd *vtd)
{
    uint64_t low = qtest_readq(vtd->qts, REGS + FRCD);
    uint64_t high = qtest_readq(vtd->qts, REGS + FRCD + 8);
    VtdFault fault = {
        .there = high >> 63,
        .write = !(high >> 62 & 1),
        .reason = high >> 32,
        .source = high,
        .page = low & ~0xfffull,
    };

    g_assert_cmpint(fault.there, ==, qtest_readl(vtd->qts, REGS + FSTS) >> 1 &
                    1); /* PPF */
    qtest_writeq(vtd->qts, REGS + FRCD + 8, 1ull << 63);
    qtest_writel(vtd->qts, REGS + FSTS, 1); /* PFO */
    return fault;
}
