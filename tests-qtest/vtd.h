/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least driver of QEMU's intel-iommu that a test can do with, from the
 * VT-d specification (revision 3.3; section numbers are its): legacy mode,
 * three-level tables, 39 bits of address.
 */
#ifndef TESSERA_QTEST_VTD_H
#define TESSERA_QTEST_VTD_H

#include "tessera-qtest.h"

typedef struct TqVtd {
    QTestState *qts;
    bool queued;       /* invalidations go through the queue */
    uint64_t next;     /* where the next table goes */
    uint64_t root;     /* the root table, 9.1 */
    uint64_t queue;    /* the invalidation queue, 6.5.2 */
    unsigned tail;     /* its next free entry */
    uint32_t commands; /* what GCMD keeps on, 11.4.4.1 */
} TqVtd;

/* An address space of the IOMMU. */
typedef struct TqDomain {
    uint16_t id;
    uint64_t table; /* its top level */
} TqDomain;

enum { VTD_READ = 1, VTD_WRITE = 2, VTD_RW = 3 }; /* second-level, 9.8 */

/* How the guest tells the IOMMU to forget what it has cached. */
typedef enum VtdInvalidate {
    VTD_INV_PAGE,
    VTD_INV_DOMAIN,
    VTD_INV_GLOBAL,
    VTD_INV_KINDS
} VtdInvalidate;

/* An entry of the fault recording registers, 11.4.14.1. */
typedef struct VtdFault {
    bool there, write;
    uint64_t page;
    uint16_t source;
    uint8_t reason; /* 7.1.3 */
} VtdFault;
enum {
    VTD_REASON_CONTEXT = 2,
    VTD_REASON_WRITE = 5,
    VTD_REASON_READ = 6,
};

/*
 * Empty tables; translation stays off.  Invalidations go through the queue
 * (6.5.2.3), or else through the registers (11.4.8.1).
 */
void tq_vtd_init(TqVtd *vtd, QTestState *qts, bool queued);
/* Switch translation on or off. */
void tq_vtd_enable(TqVtd *vtd, bool on);

TqDomain tq_vtd_domain(TqVtd *vtd, uint16_t id);
/*
 * Put a device into a domain; NULL: let it pass through.  Its context entry is
 * written, nothing is invalidated.
 */
void tq_vtd_attach(TqVtd *vtd, TqGpu *gpu, const TqDomain *domain);
/* Take the context entry away. */
void tq_vtd_detach(TqVtd *vtd, TqGpu *gpu);
/* Take away the root entry of the device's bus. */
void tq_vtd_forget_bus(TqVtd *vtd, TqGpu *gpu);

/*
 * Map @size bytes at @iova to @to with @rights, or with none; in 2 MiB pages
 * where all is aligned so.  Nothing is invalidated.
 */
void tq_vtd_map(TqVtd *vtd, const TqDomain *domain, uint64_t iova,
                uint64_t to, uint64_t size, unsigned rights);

/* Map @tables times 2 MiB at @iova, aligned so, page by page to one page. */
void tq_vtd_alias(TqVtd *vtd, const TqDomain *domain, uint64_t iova,
                  uint64_t to, unsigned tables, unsigned rights);

/* Invalidate, and wait until the IOMMU says that it is done. */
void tq_vtd_invalidate(TqVtd *vtd, VtdInvalidate kind,
                       const TqDomain *domain, uint64_t iova);
/* The context cache: @gpu's entry, or with NULL all. */
void tq_vtd_invalidate_context(TqVtd *vtd, TqGpu *gpu);

/* Read and clear the fault record. */
VtdFault tq_vtd_fault(TqVtd *vtd);

#endif
