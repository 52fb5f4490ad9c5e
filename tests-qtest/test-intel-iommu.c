/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behind intel-iommu: a test's own tables decide what the device reaches.
 * Everything that the device is given (rings, signals, code, buffers) has bus
 * addresses that are no memory without translation.
 */
#include "migrate.h"
#include "rig.h"
#include "vtd.h"
#include <glib/gstdio.h>

/* The ways in which a guest can be told to use the IOMMU. */
typedef struct Mode {
    const char *name, *options;
    bool queued;
} Mode;

static const Mode modes[] = {
    { "registers", "caching-mode=off", false },
    { "queue", "caching-mode=off", true },
    { "caching-registers", "caching-mode=on", false },
    { "caching-queue", "caching-mode=on", true },
};

typedef struct Setup {
    Rig rig;
    TqVtd vtd;
    TqDomain domain;
} Setup;

static TqGpu *start_gpus(const Mode *mode, const char *more)
{
    g_autofree char *args = g_strdup_printf("-device intel-iommu,%s",
                                            mode->options);

    return rig_start_gpu(args, more);
}

/* What a driver does after it has changed the tables at large. */
static void invalidate_all(Setup *s)
{
    tq_vtd_invalidate_context(&s->vtd, NULL);
    tq_vtd_invalidate(&s->vtd, VTD_INV_GLOBAL, &s->domain, 0);
}

static void map_page(Rig *rig, uint64_t iova, uint64_t to, unsigned rights)
{
    Setup *s = rig->iommu;

    tq_vtd_map(&s->vtd, &s->domain, iova, to, RIG_PAGE, rights);
    /* Only caching mode asks for that. */
    tq_vtd_invalidate(&s->vtd, VTD_INV_PAGE, &s->domain, iova);
}

/* @gpu sees RAM at its offset; further devices are attached by the test. */
static void start_on(Setup *s, TqGpu *gpu, bool queued)
{
    *s = (Setup) { .rig = { .gpu = gpu, .iommu = s, .map = map_page } };
    tq_vtd_init(&s->vtd, gpu->qts, queued);
    s->domain = tq_vtd_domain(&s->vtd, 7);
    tq_vtd_map(&s->vtd, &s->domain, RIG_OFFSET + RIG_RAM, RIG_RAM,
               TQ_RAM_SIZE - RIG_RAM, VTD_RW);
    tq_vtd_attach(&s->vtd, gpu, &s->domain);
    tq_vtd_enable(&s->vtd, true);
    invalidate_all(s);
    gpu->dma_offset = RIG_OFFSET;
}

static void start(Setup *s, const Mode *mode)
{
    start_on(s, start_gpus(mode, ""), mode->queued);
}

static void end(Setup *s)
{
    tq_end(s->rig.gpu);
}

/* ---- translations ---- */

static void test_translated(const void *data)
{
    Setup s;

    start(&s, data);
    rig_run_vadd(&s.rig, 0);
    rig_run_vadd(&s.rig, 1);
    g_assert_false(tq_vtd_fault(&s.vtd).there);
    end(&s);
}

/* More translations than the device remembers; each lane has its own. */
static void test_many(void)
{
    const unsigned tables = 66, items = tables * 512;
    const uint64_t iova = RIG_SPARE + (1ull << 30);
    uint64_t args[3] = { iova, 0, RIG_PAGE }, page;
    TqQueue q;
    AqlDispatch p;
    Setup s;

    start(&s, &modes[0]);
    page = rig_page(&s.rig);
    tq_put32(s.rig.gpu, page, 0x600d600d);
    tq_vtd_alias(&s.vtd, &s.domain, iova, page, tables, VTD_READ);
    args[1] = tq_alloc(s.rig.gpu, items * 4);
    q = tq_queue(s.rig.gpu, 0);
    p = rig_dispatch(&s.rig, "peek", args, 3, items);
    tq_run(&q, &p);
    for (unsigned i = 0; i < items; i += 61) {
        g_assert_cmphex(tq_get32(s.rig.gpu, args[1] + i * 4), ==, 0x600d600d);
    }
    end(&s);
}

/* Events and interrupts go through the IOMMU as well. */
static void test_events(void)
{
    Setup s;
    uint64_t ring, message;
    TesseraIhEntry entry;
    TqQueue q;
    AqlDispatch p;
    uint64_t nowhere = RIG_SPARE;

    start(&s, &modes[0]);
    ring = tq_ring_enable(s.rig.gpu, 4);
    message = tq_msix_enable(s.rig.gpu, 0, 0x1234);
    q = tq_queue(s.rig.gpu, 0);
    p = rig_dispatch(&s.rig, "store", &nowhere, 1, 64);
    tq_push(&q, &p);
    g_assert_true(tq_ring_wait(s.rig.gpu, ring, 4, 0, &entry));
    g_assert_true(tq_wait32(s.rig.gpu, message, 0x1234));
    end(&s);
}

/* ---- faults ---- */

/* ... and the IOMMU has recorded it. */
static void check_vtd_fault(Setup *s, uint64_t address, uint8_t reason,
                            bool write)
{
    VtdFault fault = tq_vtd_fault(&s->vtd);

    g_assert_true(fault.there);
    g_assert_cmphex(fault.page, ==, address);
    g_assert_cmphex(fault.source, ==, s->rig.gpu->devfn);
    g_assert_cmpuint(fault.reason, ==, reason);
    g_assert_cmpint(fault.write, ==, write);
}

static void test_fault_write(const void *data)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t nowhere, page;

    start(&s, data);
    q = tq_queue(s.rig.gpu, 3);
    nowhere = rig_iova(&s.rig);
    p = rig_dispatch(&s.rig, "store", &nowhere, 1, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, nowhere, TESSERA_FAULT_IOMMU, true);
    check_vtd_fault(&s, nowhere, VTD_REASON_WRITE, true);
    rig_run_vadd(&s.rig, 4); /* others are not touched by it */

    /* The refusal is not remembered: mapping the page is enough. */
    page = rig_page(&s.rig);
    tq_vtd_map(&s.vtd, &s.domain, nowhere, page, RIG_PAGE, VTD_RW);
    q = tq_queue(s.rig.gpu, 5);
    p = rig_dispatch(&s.rig, "store", &nowhere, 1, 64);
    tq_run(&q, &p);
    g_assert_cmpuint(tq_get32(s.rig.gpu, page + 4), ==, 1);
    end(&s);
}

/* The device decodes its own BARs itself: the IOMMU is not asked. */
static void test_own_bar(void)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t at;

    start(&s, &modes[0]);
    at = s.rig.gpu->vram + (4u << 20);
    q = tq_queue(s.rig.gpu, 0);
    p = rig_dispatch(&s.rig, "store", &at, 1, 64);
    tq_run(&q, &p);
    g_assert_cmpuint(qtest_readl(s.rig.gpu->qts, at + 63 * 4), ==, 63);
    g_assert_false(tq_vtd_fault(&s.vtd).there);
    end(&s);
}

/* A mapping that leads to nothing, or to the device's own BARs. */
static void test_nothing(void)
{
    static const uint64_t targets[] = {
        8ull << 30, RIG_WINDOW, RIG_WINDOW + TQ_VRAM_SIZE,
        RIG_WINDOW + TQ_VRAM_SIZE + TESSERA_VMIDS * TESSERA_SLICE_SIZE,
    };
    Setup s;

    start(&s, &modes[0]);
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        uint64_t iova = rig_iova(&s.rig);
        TqQueue q = tq_queue(s.rig.gpu, i);
        AqlDispatch p = rig_dispatch(&s.rig, "store", &iova, 1, 64);

        map_page(&s.rig, iova, targets[i], RIG_RW);
        tq_push(&q, &p);
        rig_check_fault(&s.rig, &q, iova, TESSERA_FAULT_UNMAPPED, true);
        g_assert_false(tq_vtd_fault(&s.vtd).there);
    }
    end(&s);
}

static void test_fault_read(void)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t nowhere;

    start(&s, &modes[0]);
    q = tq_queue(s.rig.gpu, 3);
    nowhere = rig_iova(&s.rig);
    p = rig_dispatch(&s.rig, "spin", &nowhere, 1, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, nowhere, TESSERA_FAULT_IOMMU, false);
    check_vtd_fault(&s, nowhere, VTD_REASON_READ, false);
    end(&s);
}

/* A page that is only readable reads well, and its write is told apart. */
static void test_read_only(const void *data)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t page, args[3];

    start(&s, data);
    page = rig_page(&s.rig);
    tq_put32(s.rig.gpu, page, 55);
    args[0] = args[1] = args[2] = rig_iova(&s.rig);
    map_page(&s.rig, args[0], page, VTD_READ);
    q = tq_queue(s.rig.gpu, 0);
    p = rig_dispatch(&s.rig, "vadd", args, 3, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, args[0], TESSERA_FAULT_READ_ONLY, true);
    g_assert_cmpuint(tq_get32(s.rig.gpu, page), ==, 55);

    /*
     * Nothing has been read from the next one before: QEMU 7.2 records the
     * fault only if the page is not in its IOTLB.
     */
    args[0] = rig_iova(&s.rig);
    map_page(&s.rig, args[0], page, VTD_READ);
    q = tq_queue(s.rig.gpu, 1);
    p = rig_dispatch(&s.rig, "store", args, 1, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, args[0], TESSERA_FAULT_READ_ONLY, true);
    check_vtd_fault(&s, args[0], VTD_REASON_WRITE, true);
    g_assert_cmpuint(tq_get32(s.rig.gpu, page), ==, 55);
    end(&s);
}

/* The packet processor's own access: a ring that is not mapped. */
static void test_fault_ring(void)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t iova, buf;

    start(&s, &modes[0]);
    q = tq_queue_prepare(s.rig.gpu, 0, 64);
    iova = rig_iova(&s.rig);
    tq_put64(s.rig.gpu, q.descriptor + offsetof(TesseraQueue, ring), iova);
    g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
    buf = tq_alloc(s.rig.gpu, 256);
    p = rig_dispatch(&s.rig, "store", &buf, 1, 64);
    tq_push(&q, &p);
    g_assert_cmphex(tq_wait_error(&q), !=, 0);
    check_vtd_fault(&s, iova, VTD_REASON_READ, false);
    end(&s);
}

/* ---- invalidations ---- */

/* From the moment the guest is told, nothing more arrives at the page. */
static void test_unmap(const void *data)
{
    Setup s;

    start(&s, data);
    for (VtdInvalidate kind = 0; kind < VTD_INV_KINDS; kind++) {
        Endless e = rig_start_endless(&s.rig, kind);

        tq_vtd_map(&s.vtd, &s.domain, e.iova, 0, RIG_PAGE, 0);
        tq_vtd_invalidate(&s.vtd, kind, &s.domain, e.iova);
        g_assert_true(rig_stands_still(&s.rig, e.page));
        rig_check_fault(&s.rig, &e.q, e.iova, TESSERA_FAULT_IOMMU, true);
        check_vtd_fault(&s, e.iova, VTD_REASON_WRITE, true);
    }
    rig_run_vadd(&s.rig, 10);
    end(&s);
}

static void test_remap(const void *data)
{
    Setup s;

    start(&s, data);
    for (VtdInvalidate kind = 0; kind < VTD_INV_KINDS; kind++) {
        Endless e = rig_start_endless(&s.rig, kind);
        uint64_t other = rig_page(&s.rig);

        tq_vtd_map(&s.vtd, &s.domain, e.iova, other, RIG_PAGE, VTD_RW);
        tq_vtd_invalidate(&s.vtd, kind, &s.domain, e.iova);
        g_assert_true(rig_stands_still(&s.rig, e.page));
        g_assert_true(rig_counts(&s.rig, other));
        g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    }
    g_assert_false(tq_vtd_fault(&s.vtd).there);
    end(&s);
}

/* The ways to take the whole device out of its domain. */
typedef enum Leave { LEAVE_DEVICE, LEAVE_GLOBAL, LEAVE_BUS, LEAVES } Leave;

static void leave(Setup *s, Leave how)
{
    if (how == LEAVE_BUS) {
        tq_vtd_forget_bus(&s->vtd, s->rig.gpu);
    } else {
        tq_vtd_detach(&s->vtd, s->rig.gpu);
    }
    tq_vtd_invalidate_context(&s->vtd, how == LEAVE_DEVICE ? s->rig.gpu : NULL);
}

static void test_detach(const void *data)
{
    for (Leave how = 0; how < LEAVES; how++) {
        Setup s;
        Endless e;

        start(&s, data);
        e = rig_start_endless(&s.rig, 0);
        leave(&s, how);
        tq_vtd_invalidate(&s.vtd, VTD_INV_GLOBAL, &s.domain, 0);
        g_assert_true(rig_stands_still(&s.rig, e.page));
        g_assert_true(TQ_POLL(tq_vtd_fault(&s.vtd).there));

        tq_vtd_attach(&s.vtd, s.rig.gpu, &s.domain);
        invalidate_all(&s);
        tq_vtd_fault(&s.vtd);
        g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
        rig_run_vadd(&s.rig, 1);
        end(&s);
    }
}

/* ---- without translation ---- */

/* Off, on, passing through, off: each takes effect while a shader runs. */
static void test_modes(const void *data)
{
    Setup s;
    Endless e;

    start(&s, data);
    e = rig_start_endless(&s.rig, 0);
    tq_vtd_enable(&s.vtd, false);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    s.rig.gpu->dma_offset = 0;
    rig_run_plain(s.rig.gpu, 1);

    tq_vtd_enable(&s.vtd, true);
    s.rig.gpu->dma_offset = RIG_OFFSET;
    rig_run_vadd(&s.rig, 2);

    tq_vtd_attach(&s.vtd, s.rig.gpu, NULL);
    invalidate_all(&s);
    s.rig.gpu->dma_offset = 0;
    rig_run_plain(s.rig.gpu, 3);

    tq_vtd_attach(&s.vtd, s.rig.gpu, &s.domain);
    invalidate_all(&s);
    s.rig.gpu->dma_offset = RIG_OFFSET;
    rig_run_vadd(&s.rig, 4);
    end(&s);
}

/* One device translated, the other passing through, both at work. */
static void test_two(const void *data)
{
    const Mode *mode = data;
    TqGpu *gpu = start_gpus(mode,
                            "-device tessera,id=gpu1,addr=5,vram-size=64M");
    TqGpu *other = tq_attach(gpu->qts, 0, 5 << 3, RIG_WINDOW2);
    Setup s;
    Endless e;

    start_on(&s, gpu, mode->queued);
    tq_vtd_attach(&s.vtd, other, NULL);
    invalidate_all(&s);

    e = rig_start_endless(&s.rig, 0);
    for (int i = 0; i < 5; i++) {
        rig_run_plain(other, i);
        rig_run_vadd(&s.rig, 1 + i);
        g_assert_true(rig_counts(&s.rig, e.page));
    }
    tq_vtd_map(&s.vtd, &s.domain, e.iova, 0, RIG_PAGE, 0);
    tq_vtd_invalidate(&s.vtd, VTD_INV_DOMAIN, &s.domain, e.iova);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    rig_run_plain(other, 9);
    tq_end(other);
    end(&s);
}

/* ---- life cycle ---- */

/* Bus mastering off and on, D3 and back, a reset, in the midst of it. */
static void test_life(void)
{
    Setup s;
    Endless e;

    start(&s, &modes[0]);
    e = rig_start_endless(&s.rig, 0);
    qtest_qmp_assert_success(s.rig.gpu->qts, "{'execute': 'stop'}");
    g_assert_true(rig_stands_still(&s.rig, e.page));
    /* What was known is forgotten: it must be asked for after the stop. */
    tq_vtd_invalidate(&s.vtd, VTD_INV_GLOBAL, &s.domain, 0);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    qtest_qmp_assert_success(s.rig.gpu->qts, "{'execute': 'cont'}");
    g_assert_true(rig_counts(&s.rig, e.page));

    tq_config_write(s.rig.gpu, s.rig.gpu->pm_cap + 4, 3, 2);
    tq_vtd_invalidate(&s.vtd, VTD_INV_GLOBAL, &s.domain, 0);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    tq_config_write(s.rig.gpu, s.rig.gpu->pm_cap + 4, 0, 2);
    g_assert_true(rig_counts(&s.rig, e.page));

    tq_config_write(s.rig.gpu, 0x04, 0x02, 2); /* no bus mastering */
    g_assert_true(rig_stands_still(&s.rig, e.page));
    g_assert_false(tq_vtd_fault(&s.vtd).there); /* nothing was sent */
    tq_config_write(s.rig.gpu, 0x04, 0x06, 2);
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);

    e = rig_start_endless(&s.rig, 1);
    qtest_qmp_assert_success(s.rig.gpu->qts, "{'execute': 'system_reset'}");
    qtest_qmp_eventwait(s.rig.gpu->qts, "RESET"); /* also of the IOMMU */
    s.rig.gpu->dma_offset = 0;
    tq_place_bars(s.rig.gpu, RIG_WINDOW);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    rig_run_plain(s.rig.gpu, 0);
    end(&s);
}

/* A device goes in the midst of its work; the one that is left still hears. */
static void test_unplug(void)
{
    TqGpu *gpu = start_gpus(&modes[0],
        TQ_ROOT_PORT
        " -device tessera,bus=rp,id=gpu1,vram-size=64M");
    TqGpu *gone;
    Setup s;
    Rig rig;
    Endless e;

    tq_open_root_port(gpu->qts, 3 << 3, RIG_WINDOW2);
    gone = tq_attach(gpu->qts, 1, 0, RIG_WINDOW2);
    start_on(&s, gpu, true);
    tq_vtd_attach(&s.vtd, gone, &s.domain);
    invalidate_all(&s);
    gone->dma_offset = RIG_OFFSET;
    rig = s.rig;
    rig.gpu = gone;
    rig.pages = 100;

    rig_run_vadd(&s.rig, 0);
    e = rig_start_endless(&rig, 0);
    tq_unplug(gpu->qts, 3 << 3, "gpu1");
    g_assert_true(rig_stands_still(&s.rig, e.page));
    tq_end(gone);

    e = rig_start_endless(&s.rig, 1);
    tq_vtd_map(&s.vtd, &s.domain, e.iova, 0, RIG_PAGE, 0);
    tq_vtd_invalidate(&s.vtd, VTD_INV_DOMAIN, &s.domain, e.iova);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    end(&s);
}

/* The only device behind the IOMMU goes, and another one comes. */
static void test_replug(void)
{
    TqVtd vtd;
    TqDomain domain;
    QTestState *qts = tq_start_qemu(
        "-device intel-iommu "
        TQ_ROOT_PORT);

    tq_vtd_init(&vtd, qts, true);
    domain = tq_vtd_domain(&vtd, 3);
    tq_vtd_map(&vtd, &domain, RIG_OFFSET + RIG_RAM, RIG_RAM,
               TQ_RAM_SIZE - RIG_RAM, VTD_RW);
    tq_vtd_enable(&vtd, true);
    for (int i = 0; i < 3; i++) {
        Setup s = { .vtd = vtd, .domain = domain };
        Endless e;

        qtest_qmp_device_add(qts, "tessera", "gpu0",
                             "{'bus': 'rp', 'vram-size': %u}", TQ_VRAM_SIZE);
        tq_power_slot(qts, 3 << 3);
        tq_open_root_port(qts, 3 << 3, RIG_WINDOW2);
        s.rig = (Rig) {
            .gpu = tq_attach(qts, 1, 0, RIG_WINDOW2),
            .iommu = &s,
            .map = map_page,
            .pages = i * 100,
        };
        s.rig.gpu->dma_offset = RIG_OFFSET;
        tq_vtd_attach(&s.vtd, s.rig.gpu, &domain);
        invalidate_all(&s);
        rig_run_vadd(&s.rig, 0);
        e = rig_start_endless(&s.rig, 1);
        tq_unplug(qts, 3 << 3, "gpu0");
        g_assert_true(rig_stands_still(&s.rig, e.page));
        /* The IOMMU's registers are as they were. */
        invalidate_all(&s);
        vtd = s.vtd;
        tq_end(s.rig.gpu);
    }
    qtest_quit(qts);
}

/*
 * What the device writes through the IOMMU is sent again where it lies: a
 * counter that was sent early has its last value on the other side.
 */
static void test_migration(void)
{
    const unsigned runs = 40;
    g_autofree char *folder = g_dir_make_tmp("tessera-XXXXXX", NULL);
    g_autofree char *socket = g_build_filename(folder, "socket", NULL);
    g_autofree char *uri = g_strconcat("unix:", socket, NULL);
    g_autofree char *args = g_strdup_printf(
        "-device intel-iommu,%s -device tessera,id=gpu0,addr=4,vram-size=64M "
        "-incoming %s", modes[0].options, uri);
    g_autofree char *status = NULL;
    QTestState *target;
    uint64_t iova, page;
    Setup s;

    start(&s, &modes[0]);
    target = tq_start_qemu(args);
    iova = rig_iova(&s.rig);
    page = rig_page(&s.rig);
    map_page(&s.rig, iova, page, RIG_RW);
    tq_migration_start_slow(s.rig.gpu, uri);
    for (unsigned i = 0; i < runs; i++) {
        TqQueue q = tq_queue(s.rig.gpu, 0);
        AqlDispatch p = rig_dispatch(&s.rig, "increment", &iova, 1, 64);

        tq_run(&q, &p);
        g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
    }
    status = tq_migration_status(s.rig.gpu->qts);
    g_assert_cmpstr(status, ==, "active"); /* or nothing has been tested */
    g_clear_pointer(&status, g_free);
    tq_migration_hurry(s.rig.gpu->qts);
    status = tq_migration_end(s.rig.gpu->qts);
    g_assert_cmpstr(status, ==, "completed");
    qtest_qmp_eventwait(target, "RESUME");
    g_assert_cmpuint(qtest_readl(target, page), ==, runs * 64);

    /* The translations are there as well. */
    qtest_quit(s.rig.gpu->qts);
    s.rig.gpu->qts = s.vtd.qts = target;
    rig_run_vadd(&s.rig, 1);
    g_unlink(socket);
    g_rmdir(folder);
    end(&s);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*test)(const void *mode);
    } in_all_modes[] = {
        { "translated", test_translated }, { "fault-write", test_fault_write },
        { "read-only", test_read_only },   { "unmap", test_unmap },
        { "remap", test_remap },           { "detach", test_detach },
        { "modes", test_modes },           { "two-devices", test_two },
    };

    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(in_all_modes); i++) {
        for (size_t m = 0; m < G_N_ELEMENTS(modes); m++) {
            g_autofree char *path = g_strdup_printf(
                "iommu/intel/%s/%s", in_all_modes[i].name, modes[m].name);

            qtest_add_data_func(path, &modes[m], in_all_modes[i].test);
        }
    }
    qtest_add_func("iommu/intel/many", test_many);
    qtest_add_func("iommu/intel/events", test_events);
    qtest_add_func("iommu/intel/fault-read", test_fault_read);
    qtest_add_func("iommu/intel/own-bar", test_own_bar);
    qtest_add_func("iommu/intel/nothing", test_nothing);
    qtest_add_func("iommu/intel/fault-ring", test_fault_ring);
    qtest_add_func("iommu/intel/life", test_life);
    qtest_add_func("iommu/intel/unplug", test_unplug);
    qtest_add_func("iommu/intel/replug", test_replug);
    qtest_add_func("iommu/intel/migration", test_migration);
    return g_test_run();
}
