/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RAM that a PCI device reaches as bus master, kept as a sorted list so
 * that any thread can look an address up without the big lock.
 */
#ifndef TESSERA_QEMU_MEMMAP_H
#define TESSERA_QEMU_MEMMAP_H

#include "compat.h"

typedef struct TesseraMemMap TesseraMemMap;

/*
 * What the owner is told, under the big lock: @changing before the first
 * change of a transaction (every pointer handed out is about to die), @changed
 * after the last.
 */
typedef struct TesseraMemMapOps {
    void (*changing)(void *opaque);
    void (*changed)(void *opaque);
} TesseraMemMapOps;

/*
 * Follow @as until tessera_memmap_free().  RAM that belongs to @own, the
 * device itself, is left out: the device routes accesses to it on its own.
 */
TesseraMemMap *tessera_memmap_new(AddressSpace *as, Object *own,
                                  const TesseraMemMapOps *ops, void *opaque);
void tessera_memmap_free(TesseraMemMap *map);

/*
 * The host address of bus address @bus, NULL if it is no RAM or, for a
 * @write, read-only.  *@len is the length wanted and then granted, in bytes.
 * Valid until the owner has returned from @changing.  Any thread.
 */
uint8_t *tessera_memmap_lookup(TesseraMemMap *map, uint64_t bus,
                               uint64_t *len, bool write);

/* Tell QEMU that @len bytes at bus address @bus were stored to.  Any thread. */
void tessera_memmap_written(TesseraMemMap *map, uint64_t bus, uint64_t len);

/* The same for @len bytes at host address @host inside @mr. */
void tessera_report_written(MemoryRegion *mr, uint8_t *host, uint64_t len);

#endif
