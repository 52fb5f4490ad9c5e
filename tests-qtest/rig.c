/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#define ITEMS (2 * RIG_PAGE / 4) /* two pages of words */

TqGpu *rig_start_gpu(const char *args, const char *more)
{
    g_autofree char *all = g_strdup_printf(
        "%s -device tessera,id=gpu0,addr=4,vram-size=%uM %s", args,
        TQ_VRAM_SIZE >> 20, more);
    TqGpu *gpu = tq_attach(tq_start_qemu(all), 0, 4 << 3, RIG_WINDOW);

    gpu->owns_qemu = true;
    return gpu;
}

uint64_t rig_page(Rig *rig)
{
    uint64_t at = tq_alloc(rig->gpu, 2 * RIG_PAGE) - rig->gpu->dma_offset;

    return (at + RIG_PAGE - 1) & ~(RIG_PAGE - 1ull);
}

uint64_t rig_iova(Rig *rig)
{
    return RIG_SPARE + rig->pages++ * RIG_PAGE;
}

AqlDispatch rig_dispatch(Rig *rig, const char *name, const uint64_t *args,
                         unsigned n, uint32_t grid)
{
    uint64_t kernarg = tq_alloc(rig->gpu, n * 8);

    tq_put(rig->gpu, kernarg, args, n * 8);
    return tq_dispatch(rig->gpu, tq_shader(rig->gpu, name, false), kernarg,
                       grid, 64);
}

/* Map a buffer of two pages; its bus address. */
static uint64_t scattered(Rig *rig, uint64_t page[2], unsigned rights)
{
    uint64_t iova = rig_iova(rig);

    rig_iova(rig);
    for (int i = 1; i >= 0; i--) {
        page[i] = rig_page(rig);
        rig->map(rig, iova + i * RIG_PAGE, page[i], rights);
    }
    g_assert_cmphex(page[0], >, page[1]);
    return iova;
}

void rig_run_vadd(Rig *rig, unsigned slot)
{
    uint64_t page[3][2], args[3];
    uint32_t words[ITEMS];
    TqQueue q = tq_queue(rig->gpu, slot);
    AqlDispatch p;

    for (int b = 0; b < 3; b++) {
        args[b] = scattered(rig, page[b], b == 2 ? RIG_RW : RIG_READ);
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
        words[i] = i * 2654435761u;
    }
    for (int i = 0; i < 2; i++) {
        tq_put(rig->gpu, page[0][i], words + i * ITEMS / 2, RIG_PAGE);
        tq_put(rig->gpu, page[1][i], words + i * ITEMS / 2, RIG_PAGE);
    }
    p = rig_dispatch(rig, "vadd", args, 3, ITEMS);
    tq_run(&q, &p);
    for (int i = 0; i < 2; i++) {
        tq_get(rig->gpu, page[2][i], words + i * ITEMS / 2, RIG_PAGE);
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
        g_assert_cmphex(words[i], ==, 2 * i * 2654435761u);
    }
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
}

void rig_run_plain(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    uint64_t buf = tq_alloc(gpu, 256), kernarg = tq_alloc(gpu, 8);
    AqlDispatch p;

    g_assert_cmphex(gpu->dma_offset, ==, 0);
    tq_put64(gpu, kernarg, buf);
    p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg, 64, 64);
    tq_run(&q, &p);
    g_assert_cmpuint(tq_get32(gpu, buf + 63 * 4), ==, 63);
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
}

void rig_check_fault(Rig *rig, TqQueue *q, uint64_t address,
                     TesseraFaultCause cause, bool write)
{
    uint32_t status;

    g_assert_cmphex(tq_wait_error(q), ==, TESSERA_QERR_MEMORY_FAULT);
    status = tq_read(rig->gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==, cause);
    g_assert_cmpuint(TQ_FIELD(status, FAULT_STATUS, WRITE), ==, write);
    g_assert_cmphex(tq_read64(rig->gpu, TESSERA_REG_FAULT_ADDR) &
                    ~(RIG_PAGE - 1ull), ==, address);
    tq_write(rig->gpu, TESSERA_REG_FAULT_STATUS, 1);
}

Endless rig_start_endless(Rig *rig, unsigned slot)
{
    Endless e = {
        .q = tq_queue(rig->gpu, slot),
        .iova = rig_iova(rig),
        .page = rig_page(rig),
    };
    AqlDispatch p = rig_dispatch(rig, "endless", &e.iova, 1, 64);

    rig->map(rig, e.iova, e.page, RIG_RW);
    tq_push(&e.q, &p);
    g_assert_true(tq_wait32(rig->gpu, e.page, 1));
    g_assert_true(rig_counts(rig, e.page));
    return e;
}

bool rig_counts(Rig *rig, uint64_t page)
{
    uint32_t before = tq_get32(rig->gpu, page + 4);

    return TQ_POLL(tq_get32(rig->gpu, page + 4) != before);
}

bool rig_stands_still(Rig *rig, uint64_t page)
{
    uint32_t before = tq_get32(rig->gpu, page + 4);

    tq_settle(rig->gpu);
    tq_settle(rig->gpu);
    return tq_get32(rig->gpu, page + 4) == before;
}
