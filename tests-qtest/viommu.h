/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least driver of virtio-iommu-pci that a test can do with, from the
 * Virtio specification 1.2 (section numbers are its): modern interface only,
 * one request at a time.
 */
#ifndef TESSERA_QTEST_VIOMMU_H
#define TESSERA_QTEST_VIOMMU_H

#include "tessera-qtest.h"

typedef struct TqViommu {
    QTestState *qts;
    unsigned devfn;
    uint64_t common, notify, config; /* its three structures, 4.1.4 */
    uint32_t notify_multiplier;
    uint16_t requests, events; /* of each queue: entries made available */
    uint16_t events_seen;
} TqViommu;

enum { VIOMMU_READ = 1, VIOMMU_WRITE = 2, VIOMMU_RW = 3 }; /* 5.13.6.6 */

enum { VIOMMU_OK }; /* status of a request, 5.13.6.2 */

/* A fault report, 5.13.6.9.  One that says no more has reason NONE. */
enum {
    VIOMMU_FAULT_NONE = -1,
    VIOMMU_FAULT_UNKNOWN = 0,
    VIOMMU_FAULT_DOMAIN = 1,
    VIOMMU_FAULT_MAPPING = 2,
};
typedef struct ViommuFault {
    int reason;
    bool write; /* a write was refused; unmapped pages say nothing */
    uint32_t endpoint;
    uint64_t address;
} ViommuFault;

/* Bring the device at 0:@devfn up; its BAR is placed at @bar. */
void tq_viommu_init(TqViommu *viommu, QTestState *qts, unsigned devfn,
                    uint32_t bar);
/* Reset it, which ends all domains; tq_viommu_init() brings it up again. */
void tq_viommu_reset(TqViommu *viommu);

/* Whether endpoints without a domain reach memory untranslated. */
void tq_viommu_bypass(TqViommu *viommu, bool on);

/* Requests; the status. */
int tq_viommu_attach(TqViommu *viommu, TqGpu *gpu, uint32_t domain);
int tq_viommu_attach_bypass(TqViommu *viommu, TqGpu *gpu, uint32_t domain);
int tq_viommu_detach(TqViommu *viommu, TqGpu *gpu, uint32_t domain);
int tq_viommu_map(TqViommu *viommu, uint32_t domain, uint64_t iova,
                  uint64_t to, uint64_t size, unsigned rights);
int tq_viommu_unmap(TqViommu *viommu, uint32_t domain, uint64_t iova,
                    uint64_t size);

/* The next fault report that has come. */
ViommuFault tq_viommu_fault(TqViommu *viommu);

#endif
