/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the device reaches as bus master, so that any thread can look an
 * address up without the big lock.  Two sorted lists: what lies on its bus,
 * and, where that is an IOMMU, the translations that have been asked for.
 *
 * A translation is kept until the guest may have changed it: until a store to
 * the IOMMU's registers (iommu-watch.h), or, from an IOMMU without any, until
 * its notifier reports the range; and until anything of what the translations
 * lead to leaves the system's memory.
 */
#ifndef TESSERA_QEMU_MEMMAP_H
#define TESSERA_QEMU_MEMMAP_H

#include "compat.h"
#include "tessera/host.h"

typedef struct TesseraMemMap TesseraMemMap;

/*
 * What the owner is told, under the big lock: @changing before pointers that
 * have been handed out die, @changed when that is over.  Every @changing is
 * followed by one @changed.
 */
typedef struct TesseraMemMapOps {
    void (*changing)(void *opaque);
    void (*changed)(void *opaque);
} TesseraMemMapOps;

/*
 * Follow what @pdev reaches until tessera_memmap_free().  Its own BARs are left
 * out: the device routes accesses to them on its own.
 */
TesseraMemMap *tessera_memmap_new(PCIDevice *pdev,
                                  const TesseraMemMapOps *ops, void *opaque);
void tessera_memmap_free(TesseraMemMap *map);

/*
 * What lies at bus address @bus, as TesseraHostOps.map tells it.  A pointer is
 * valid until the owner has returned from @changing.  Any thread.
 */
TesseraMapKind tessera_memmap_lookup(TesseraMemMap *map, uint64_t bus,
                                     uint64_t *len, bool write,
                                     uint8_t **host);

/* Tell QEMU that @len bytes at bus address @bus were stored to.  Any thread. */
void tessera_memmap_written(TesseraMemMap *map, uint64_t bus, uint64_t len);

/* The same for @len bytes at host address @host inside @mr. */
void tessera_report_written(MemoryRegion *mr, uint8_t *host, uint64_t len);

/*
 * Let the IOMMU translate the page at @bus and remember the answer; false if
 * it refuses (and has recorded that for the guest); then *@read_only says
 * whether it may be read.  Big lock.
 */
bool tessera_memmap_translate(TesseraMemMap *map, uint64_t bus, bool write,
                              bool *read_only);

/*
 * Read or write @size bytes (1, 2, 4, 8, aligned) at @bus, which may be
 * another device's registers.  @data is little-endian and zero-extended.
 * False if the IOMMU or the target refuses.  Big lock; may do anything that an
 * access by a guest's CPU does, but not reach this device's own registers.
 */
bool tessera_memmap_access(TesseraMemMap *map, uint64_t bus, unsigned size,
                           bool write, uint64_t *data);

#endif
