/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A driver's page tables: maps addresses of a VMID.  How tables are allocated
 * and reached is up to the driver, so this runs in a kernel, in a program and
 * in tests alike.
 */
#ifndef GUEST_VM_PAGES_H
#define GUEST_VM_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include "tessera/pagetable.h"

typedef struct PageSpace {
    uint64_t root; /* for VM_ROOT; 0 before anything is mapped */

    /*
     * A new table, zeroed, as an entry names it: its address, TESSERA_PT_VALID
     * and, if that is a bus address, TESSERA_PT_SYSTEM.  0 if there is no
     * memory left.
     */
    uint64_t (*new_table)(void *opaque);
    /* Entry @index of such a table (address and TESSERA_PT_SYSTEM). */
    uint64_t (*load)(void *opaque, uint64_t table, unsigned index);
    void (*store)(void *opaque, uint64_t table, unsigned index,
                  uint64_t entry);
    void *opaque;
} PageSpace;

/*
 * Map [@va, @va + @size), in whole pages, to what lies from the address in
 * @leaf on; its other bits (TESSERA_PT_SYSTEM, _READ and so on) are those of
 * every page.  Pages of 2 MiB are used where they fit.  False if there is no
 * memory for a table.  A page that was mapped before needs an invalidation
 * before the new mapping counts.
 */
bool pages_map(PageSpace *space, uint64_t va, uint64_t size, uint64_t leaf);

/* Take the pages out of the tables.  They may be used until invalidated. */
void pages_unmap(PageSpace *space, uint64_t va, uint64_t size);

#endif
