/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of stretches of the bus that do not overlap, sorted by address.  The
 * list takes over the reference on each stretch's memory region.
 */
#ifndef TESSERA_QEMU_STRETCHES_H
#define TESSERA_QEMU_STRETCHES_H

#include "compat.h"
#include "tessera/host.h"

typedef struct Stretch {
    uint64_t bus, last; /* the last byte belongs to it */
    TesseraMapKind kind;
    uint8_t *host;    /* RAM: where @bus is */
    MemoryRegion *mr; /* what lies there */
    bool readable, writable;
} Stretch;

GArray *stretches_new(void);
/* The list must be empty. */
void stretches_free(GArray *list);

static inline Stretch *stretch_at(GArray *list, guint i)
{
    return &g_array_index(list, Stretch, i);
}

/* The index of the first stretch that ends at or above @bus. */
guint stretches_first(GArray *list, uint64_t bus);

/* The stretch that @bus lies in, or NULL. */
Stretch *stretches_find(GArray *list, uint64_t bus);

/* Whether any stretch has a byte in [@bus, @last]. */
bool stretches_overlap(GArray *list, uint64_t bus, uint64_t last);

/* @new must not overlap another. */
void stretches_insert(GArray *list, const Stretch *new);

/*
 * Take out stretch @i; the caller gets its reference, to be given up without
 * locks held, since that may free a device.
 */
MemoryRegion *stretches_take(GArray *list, guint i);

#endif
