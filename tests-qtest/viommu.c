/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "viommu.h"

/* Guest memory: two split queues (2.7), a request, buffers for events. */
#define QUEUES (8u << 20)
#define QUEUE_SIZE 64
#define DESC(q) (QUEUES + (q) * 0x4000)
#define AVAIL(q) (DESC(q) + 0x1000)
#define USED(q) (DESC(q) + 0x2000)
#define REQUEST (QUEUES + 0x10000)
#define EVENTS (QUEUES + 0x11000)
#define EVENT_BYTES 32

enum { REQUEST_QUEUE, EVENT_QUEUE };

/* struct virtio_pci_common_cfg, 4.1.4.3 */
#define DRIVER_FEATURE_SELECT 0x08
#define DRIVER_FEATURE 0x0c
#define DEVICE_STATUS 0x14
#define QUEUE_SELECT 0x16
#define QUEUE_SIZE_REG 0x18
#define QUEUE_ENABLE 0x1c
#define QUEUE_NOTIFY_OFF 0x1e
#define QUEUE_DESC 0x20
#define QUEUE_DRIVER 0x28
#define QUEUE_DEVICE 0x30

#define CONFIG_BYPASS 36 /* struct virtio_iommu_config, 5.13.4 */

#define FEATURE_MAP_UNMAP (1u << 2)
#define FEATURE_BYPASS_CONFIG (1u << 6)
#define FEATURE_VERSION_1 (1u << 0) /* of the second word */

enum { ACKNOWLEDGE = 1, DRIVER = 2, DRIVER_OK = 4, FEATURES_OK = 8 };

/* ---- finding and starting it ---- */

/* The structures named by vendor capabilities, 4.1.4, all in BAR 4. */
static void find_structures(TqViommu *v, uint64_t bar)
{
    QTestState *qts = v->qts;
    unsigned at = tq_pci_read(qts, 0, v->devfn, 0x34, 1);

    while (at) {
        if (tq_pci_read(qts, 0, v->devfn, at, 1) == 0x09) {
            unsigned type = tq_pci_read(qts, 0, v->devfn, at + 3, 1);
            uint64_t where = bar + tq_pci_read(qts, 0, v->devfn, at + 8, 4);

            if (type == 1) {
                v->common = where;
            } else if (type == 2) {
                v->notify = where;
                v->notify_multiplier = tq_pci_read(qts, 0, v->devfn, at + 16,
                                                   4);
            } else if (type == 4) {
                v->config = where;
            }
        }
        at = tq_pci_read(qts, 0, v->devfn, at + 1, 1);
    }
    g_assert_true(v->common && v->notify && v->config);
}

static void add_status(TqViommu *v, uint8_t bit)
{
    uint8_t status = qtest_readb(v->qts, v->common + DEVICE_STATUS) | bit;

    qtest_writeb(v->qts, v->common + DEVICE_STATUS, status);
    g_assert_cmphex(qtest_readb(v->qts, v->common + DEVICE_STATUS), ==,
                    status);
}

static void set_features(TqViommu *v, uint32_t word, uint32_t features)
{
    qtest_writel(v->qts, v->common + DRIVER_FEATURE_SELECT, word);
    qtest_writel(v->qts, v->common + DRIVER_FEATURE, features);
}

static void start_queue(TqViommu *v, unsigned q)
{
    qtest_writew(v->qts, v->common + QUEUE_SELECT, q);
    qtest_writew(v->qts, v->common + QUEUE_SIZE_REG, QUEUE_SIZE);
    qtest_writeq(v->qts, v->common + QUEUE_DESC, DESC(q));
    qtest_writeq(v->qts, v->common + QUEUE_DRIVER, AVAIL(q));
    qtest_writeq(v->qts, v->common + QUEUE_DEVICE, USED(q));
    qtest_writew(v->qts, v->common + QUEUE_ENABLE, 1);
}

static void ring(TqViommu *v, unsigned q)
{
    uint16_t off;

    qtest_writew(v->qts, v->common + QUEUE_SELECT, q);
    off = qtest_readw(v->qts, v->common + QUEUE_NOTIFY_OFF);
    qtest_writew(v->qts, v->notify + off * v->notify_multiplier, q);
}

static void put_descriptor(TqViommu *v, unsigned q, unsigned i, uint64_t at,
                           uint32_t len, uint16_t flags)
{
    uint64_t desc = DESC(q) + i * 16;

    qtest_writeq(v->qts, desc, at);
    qtest_writel(v->qts, desc + 8, len);
    qtest_writew(v->qts, desc + 12, flags);
    qtest_writew(v->qts, desc + 14, i + 1);
}

/* Make descriptor @i available as entry number @n of the queue. */
static void make_available(TqViommu *v, unsigned q, uint16_t n, unsigned i)
{
    qtest_writew(v->qts, AVAIL(q) + 4 + n % QUEUE_SIZE * 2, i);
    qtest_writew(v->qts, AVAIL(q) + 2, n + 1);
}

void tq_viommu_init(TqViommu *v, QTestState *qts, unsigned devfn,
                    uint32_t bar)
{
    const uint16_t device_writes = 2;

    *v = (TqViommu) { .qts = qts, .devfn = devfn };
    tq_pci_write(qts, 0, devfn, 0x20, bar, 4); /* BAR 4, 64 bits */
    tq_pci_write(qts, 0, devfn, 0x24, 0, 4);
    tq_pci_write(qts, 0, devfn, 0x04, 0x06, 2);
    find_structures(v, bar);
    qtest_memset(qts, QUEUES, 0, EVENTS + 0x1000 - QUEUES);

    add_status(v, ACKNOWLEDGE);
    add_status(v, DRIVER);
    set_features(v, 0, FEATURE_MAP_UNMAP | FEATURE_BYPASS_CONFIG);
    set_features(v, 1, FEATURE_VERSION_1);
    add_status(v, FEATURES_OK);
    start_queue(v, REQUEST_QUEUE);
    start_queue(v, EVENT_QUEUE);
    add_status(v, DRIVER_OK);
    for (unsigned i = 0; i < QUEUE_SIZE; i++) {
        put_descriptor(v, EVENT_QUEUE, i, EVENTS + i * EVENT_BYTES,
                       EVENT_BYTES, device_writes);
        make_available(v, EVENT_QUEUE, v->events++, i);
    }
    ring(v, EVENT_QUEUE);
}

void tq_viommu_reset(TqViommu *v)
{
    qtest_writeb(v->qts, v->common + DEVICE_STATUS, 0);
    g_assert_cmphex(qtest_readb(v->qts, v->common + DEVICE_STATUS), ==, 0);
}

void tq_viommu_bypass(TqViommu *v, bool on)
{
    qtest_writeb(v->qts, v->config + CONFIG_BYPASS, on);
    g_assert_cmpint(qtest_readb(v->qts, v->config + CONFIG_BYPASS), ==, on);
}

/* ---- requests ---- */

#pragma pack(push, 1)
/* The head of all of them, and the bodies, 5.13.6. */
typedef struct Request {
    uint8_t type, reserved[3];
    uint32_t domain;
    union {
        struct {
            uint32_t endpoint, flags, reserved;
        } attach;
        struct {
            uint64_t first, last, to;
            uint32_t flags;
        } map;
        struct {
            uint64_t first, last;
            uint32_t reserved;
        } unmap;
    };
} Request;
#pragma pack(pop)

enum { ATTACH = 1, DETACH, MAP, UNMAP };

/* Send the first @size bytes of @r and wait for the status. */
static int request(TqViommu *v, const Request *r, size_t size)
{
    const uint64_t tail = REQUEST + 128;
    const uint16_t next = 1, device_writes = 2;

    qtest_memwrite(v->qts, REQUEST, r, size);
    qtest_writel(v->qts, tail, ~0u);
    put_descriptor(v, REQUEST_QUEUE, 0, REQUEST, size, next);
    put_descriptor(v, REQUEST_QUEUE, 1, tail, 4, device_writes);
    make_available(v, REQUEST_QUEUE, v->requests++, 0);
    ring(v, REQUEST_QUEUE);
    if (!TQ_POLL(qtest_readw(v->qts, USED(REQUEST_QUEUE) + 2) ==
                 v->requests)) {
        g_error("virtio-iommu did not answer");
    }
    return qtest_readb(v->qts, tail);
}

/* The endpoint's number is its requester id, 5.13.2. */
static uint32_t endpoint(TqGpu *gpu)
{
    return gpu->bus << 8 | gpu->devfn;
}

static int attach(TqViommu *v, uint8_t type, TqGpu *gpu, uint32_t domain,
                  uint32_t flags)
{
    Request r = {
        .type = type,
        .domain = domain,
        .attach = { .endpoint = endpoint(gpu), .flags = flags },
    };

    return request(v, &r, 20);
}

int tq_viommu_attach(TqViommu *v, TqGpu *gpu, uint32_t domain)
{
    return attach(v, ATTACH, gpu, domain, 0);
}

int tq_viommu_attach_bypass(TqViommu *v, TqGpu *gpu, uint32_t domain)
{
    return attach(v, ATTACH, gpu, domain, 1);
}

int tq_viommu_detach(TqViommu *v, TqGpu *gpu, uint32_t domain)
{
    return attach(v, DETACH, gpu, domain, 0);
}

int tq_viommu_map(TqViommu *v, uint32_t domain, uint64_t iova, uint64_t to,
                  uint64_t size, unsigned rights)
{
    Request r = {
        .type = MAP,
        .domain = domain,
        .map = { iova, iova + size - 1, to, rights },
    };

    return request(v, &r, 36);
}

int tq_viommu_unmap(TqViommu *v, uint32_t domain, uint64_t iova,
                    uint64_t size)
{
    Request r = {
        .type = UNMAP,
        .domain = domain,
        .unmap = { iova, iova + size - 1, 0 },
    };

    return request(v, &r, 28);
}

ViommuFault tq_viommu_fault(TqViommu *v)
{
    ViommuFault fault = { .reason = VIOMMU_FAULT_NONE };
    uint32_t id;
    uint64_t at;

    if (qtest_readw(v->qts, USED(EVENT_QUEUE) + 2) == v->events_seen) {
        return fault;
    }
    id = qtest_readl(v->qts, USED(EVENT_QUEUE) + 4 +
                     v->events_seen++ % QUEUE_SIZE * 8);
    at = EVENTS + id * EVENT_BYTES;
    fault.reason = qtest_readb(v->qts, at);
    fault.write = qtest_readl(v->qts, at + 4) & 2;
    fault.endpoint = qtest_readl(v->qts, at + 8);
    fault.address = qtest_readq(v->qts, at + 16);
    make_available(v, EVENT_QUEUE, v->events++, id);
    return fault;
}
