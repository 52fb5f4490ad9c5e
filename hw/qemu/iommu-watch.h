/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at what the guest tells an IOMMU that has registers of its own.
 *
 * QEMU's notifiers do not tell everything.  Without caching mode, VT-d in 7.2
 * turns an invalidation of a domain, or of all, into a walk of the page tables
 * that reports only what an earlier walk had found: a page that was mapped and
 * unmapped in between is not reported (vtd_page_walk_one() in
 * hw/i386/intel_iommu.c).  Arm's SMMUv3 leaves out changes of a stream's table
 * entry, AMD's IOMMU everything.  But whatever it is, the guest gives the
 * command by a store to the IOMMU's registers.  So a window is laid over these,
 * through which every access passes unchanged, and which says when.
 */
#ifndef TESSERA_QEMU_IOMMU_WATCH_H
#define TESSERA_QEMU_IOMMU_WATCH_H

#include "compat.h"

typedef struct TesseraIommuWatch TesseraIommuWatch;

/* Register the QOM type; once, from the plugin's entry. */
void tessera_iommu_watch_register(void);

/*
 * Watch the registers of the IOMMU @owner, which all GPUs behind it do
 * together.  From now on @notifier is called, under the big lock, before any
 * store to them reaches the IOMMU.  Changes the memory map, so not to be used
 * in a memory listener.  NULL if @owner does not have exactly one block of
 * registers.  Big lock.
 */
TesseraIommuWatch *tessera_iommu_watch_add(Object *owner, Notifier *notifier);
void tessera_iommu_watch_remove(TesseraIommuWatch *watch, Notifier *notifier);

#endif
