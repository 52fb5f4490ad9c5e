/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Behind virtio-iommu-pci, which a test drives itself, to see what running
 * shaders reach.
 */
#include "rig.h"
#include "viommu.h"

#define IOMMU_DEVFN (2 << 3)
#define IOMMU_BAR 0xdc000000u
#define DOMAIN 5

typedef struct Setup {
    Rig rig;
    TqViommu viommu;
} Setup;

static void map_page(Rig *rig, uint64_t iova, uint64_t to, unsigned rights)
{
    Setup *s = rig->iommu;

    g_assert_cmpint(tq_viommu_map(&s->viommu, DOMAIN, iova, to, RIG_PAGE,
                                  rights), ==, VIOMMU_OK);
}

/* The domain in which the first device sees RAM at its offset. */
static void make_domain(Setup *s)
{
    g_assert_cmpint(tq_viommu_attach(&s->viommu, s->rig.gpu, DOMAIN), ==,
                    VIOMMU_OK);
    g_assert_cmpint(tq_viommu_map(&s->viommu, DOMAIN, RIG_OFFSET + RIG_RAM,
                                  RIG_RAM, TQ_RAM_SIZE - RIG_RAM, VIOMMU_RW),
                    ==, VIOMMU_OK);
    s->rig.gpu->dma_offset = RIG_OFFSET;
}

static void start_with(Setup *s, const char *more)
{
    *s = (Setup) {
        .rig = {
            .gpu = rig_start_gpu("-device virtio-iommu-pci,addr=2", more),
            .iommu = s,
            .map = map_page,
        },
    };
    tq_viommu_init(&s->viommu, s->rig.gpu->qts, IOMMU_DEVFN, IOMMU_BAR);
    tq_viommu_bypass(&s->viommu, false);
}

static void start(Setup *s)
{
    start_with(s, "");
    make_domain(s);
}

static void end(Setup *s)
{
    tq_end(s->rig.gpu);
}

/* ---- translations and faults ---- */

/* Before there is a driver the device reaches all memory (boot-bypass). */
static void test_boot(void)
{
    TqGpu *gpu = rig_start_gpu("-device virtio-iommu-pci,addr=2", "");

    rig_run_plain(gpu, 0);
    tq_end(gpu);
}

static void test_translated(void)
{
    Setup s;

    start(&s);
    rig_run_vadd(&s.rig, 0);
    rig_run_vadd(&s.rig, 1);
    g_assert_cmpint(tq_viommu_fault(&s.viommu).reason, ==, VIOMMU_FAULT_NONE);
    end(&s);
}

static void check_report(Setup *s, uint64_t address, int reason)
{
    ViommuFault fault = tq_viommu_fault(&s->viommu);

    g_assert_cmpint(fault.reason, ==, reason);
    g_assert_cmphex(fault.endpoint, ==, s->rig.gpu->devfn);
    g_assert_cmphex(fault.address & ~(RIG_PAGE - 1ull), ==, address);
}

static void test_fault(void)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t nowhere;

    start(&s);
    nowhere = rig_iova(&s.rig);
    q = tq_queue(s.rig.gpu, 3);
    p = rig_dispatch(&s.rig, "store", &nowhere, 1, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, nowhere, TESSERA_FAULT_IOMMU, true);
    check_report(&s, nowhere, VIOMMU_FAULT_MAPPING);

    nowhere = rig_iova(&s.rig);
    q = tq_queue(s.rig.gpu, 4);
    p = rig_dispatch(&s.rig, "spin", &nowhere, 1, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, nowhere, TESSERA_FAULT_IOMMU, false);
    rig_run_vadd(&s.rig, 5);
    end(&s);
}

static void test_read_only(void)
{
    Setup s;
    TqQueue q;
    AqlDispatch p;
    uint64_t page, iova;
    ViommuFault fault;

    start(&s);
    page = rig_page(&s.rig);
    tq_put32(s.rig.gpu, page, 55);
    iova = rig_iova(&s.rig);
    map_page(&s.rig, iova, page, VIOMMU_READ);
    q = tq_queue(s.rig.gpu, 0);
    p = rig_dispatch(&s.rig, "store", &iova, 1, 64);
    tq_push(&q, &p);
    rig_check_fault(&s.rig, &q, iova, TESSERA_FAULT_READ_ONLY, true);
    g_assert_cmpuint(tq_get32(s.rig.gpu, page), ==, 55);
    fault = tq_viommu_fault(&s.viommu);
    g_assert_cmpint(fault.reason, ==, VIOMMU_FAULT_MAPPING);
    g_assert_true(fault.write);
    g_assert_cmpint(tq_viommu_fault(&s.viommu).reason, ==, VIOMMU_FAULT_NONE);
    end(&s);
}

/* ---- changes while a shader runs ---- */

static void test_unmap(void)
{
    Setup s;
    Endless e;

    start(&s);
    e = rig_start_endless(&s.rig, 0);
    g_assert_cmpint(tq_viommu_unmap(&s.viommu, DOMAIN, e.iova, RIG_PAGE), ==,
                    VIOMMU_OK);
    g_assert_true(rig_stands_still(&s.rig, e.page));
    rig_check_fault(&s.rig, &e.q, e.iova, TESSERA_FAULT_IOMMU, true);
    rig_run_vadd(&s.rig, 1);

    /* Unmapping something else changes nothing. */
    e = rig_start_endless(&s.rig, 2);
    map_page(&s.rig, e.iova + (1 << 20), e.page, VIOMMU_RW);
    g_assert_cmpint(tq_viommu_unmap(&s.viommu, DOMAIN, e.iova + (1 << 20),
                                    RIG_PAGE), ==, VIOMMU_OK);
    g_assert_true(rig_counts(&s.rig, e.page));
    end(&s);
}

/* While the page is away the shader does not run: else it would fault. */
static void test_remap(void)
{
    Setup s;
    Endless e;
    uint64_t other;

    start(&s);
    e = rig_start_endless(&s.rig, 0);
    other = rig_page(&s.rig);
    qtest_qmp_assert_success(s.rig.gpu->qts, "{'execute': 'stop'}");
    g_assert_cmpint(tq_viommu_unmap(&s.viommu, DOMAIN, e.iova, RIG_PAGE), ==,
                    VIOMMU_OK);
    map_page(&s.rig, e.iova, other, VIOMMU_RW);
    qtest_qmp_assert_success(s.rig.gpu->qts, "{'execute': 'cont'}");
    g_assert_true(rig_stands_still(&s.rig, e.page));
    g_assert_true(rig_counts(&s.rig, other));
    end(&s);
}

/* The ways to take the whole device out of its domain. */
typedef enum Leave {
    LEAVE_DETACH, LEAVE_OTHER_DOMAIN, LEAVE_BYPASS, LEAVE_RESET, LEAVES
} Leave;

static void leave(Setup *s, Leave how)
{
    TqGpu *gpu = s->rig.gpu;
    int status = VIOMMU_OK;

    switch (how) {
    case LEAVE_DETACH:
        status = tq_viommu_detach(&s->viommu, gpu, DOMAIN);
        break;
    case LEAVE_OTHER_DOMAIN:
        status = tq_viommu_attach(&s->viommu, gpu, DOMAIN + 1);
        break;
    case LEAVE_BYPASS:
        status = tq_viommu_attach_bypass(&s->viommu, gpu, DOMAIN + 2);
        break;
    default:
        tq_viommu_reset(&s->viommu);
        tq_viommu_init(&s->viommu, gpu->qts, IOMMU_DEVFN, IOMMU_BAR);
    }
    g_assert_cmpint(status, ==, VIOMMU_OK);
}

static void test_leave(void)
{
    for (Leave how = 0; how < LEAVES; how++) {
        Setup s;
        Endless e;

        start(&s);
        e = rig_start_endless(&s.rig, 0);
        leave(&s, how);
        g_assert_true(rig_stands_still(&s.rig, e.page));
        if (how == LEAVE_BYPASS) {
            s.rig.gpu->dma_offset = 0;
            rig_run_plain(s.rig.gpu, 1);
        }
        make_domain(&s);
        g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
        rig_run_vadd(&s.rig, 2);
        end(&s);
    }
}

/* All endpoints without a domain pass through, or none. */
static void test_bypass(void)
{
    Setup s;

    start_with(&s, "");
    tq_viommu_bypass(&s.viommu, true);
    rig_run_plain(s.rig.gpu, 0);
    make_domain(&s);
    rig_run_vadd(&s.rig, 1);
    g_assert_cmpint(tq_viommu_detach(&s.viommu, s.rig.gpu, DOMAIN), ==,
                    VIOMMU_OK);
    s.rig.gpu->dma_offset = 0;
    rig_run_plain(s.rig.gpu, 2);
    end(&s);
}

/* One device translated, the other passing through, both at work. */
static void test_two(void)
{
    Setup s;
    TqGpu *other;
    Endless e;

    start_with(&s, "-device tessera,id=gpu1,addr=5,vram-size=64M");
    other = tq_attach(s.rig.gpu->qts, 0, 5 << 3, RIG_WINDOW2);
    make_domain(&s);
    g_assert_cmpint(tq_viommu_attach_bypass(&s.viommu, other, DOMAIN + 1), ==,
                    VIOMMU_OK);
    e = rig_start_endless(&s.rig, 0);
    for (int i = 0; i < 3; i++) {
        rig_run_plain(other, i);
        rig_run_vadd(&s.rig, 1 + i);
        g_assert_true(rig_counts(&s.rig, e.page));
    }
    tq_end(other);
    end(&s);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("iommu/virtio/boot", test_boot);
    qtest_add_func("iommu/virtio/translated", test_translated);
    qtest_add_func("iommu/virtio/fault", test_fault);
    qtest_add_func("iommu/virtio/read-only", test_read_only);
    qtest_add_func("iommu/virtio/unmap", test_unmap);
    qtest_add_func("iommu/virtio/remap", test_remap);
    qtest_add_func("iommu/virtio/leave", test_leave);
    qtest_add_func("iommu/virtio/bypass", test_bypass);
    qtest_add_func("iommu/virtio/two-devices", test_two);
    return g_test_run();
}
