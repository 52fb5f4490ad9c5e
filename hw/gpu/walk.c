/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables: tessera/pagetable.h says what they look like.
 *
 * The guest may rewrite a table at any time, also in the middle of a walk: each
 * entry is read once, as a whole, and judged by that copy.
 */
#include "hw/gpu/vm-int.h"

#define TABLE_BITS(n, bit, count, table, leaf, doc)                            \
    | ((table) ? TESSERA_PT_MASK(bit, count) : 0)
#define LEAF_BITS(n, bit, count, table, leaf, doc)                             \
    | ((leaf) == 1 ? TESSERA_PT_MASK(bit, count) : 0)
static const uint64_t table_bits = 0 TESSERA_PT_FIELDS(TABLE_BITS);
static const uint64_t leaf_bits = 0 TESSERA_PT_FIELDS(LEAF_BITS);

#define TOP_LEVEL (TESSERA_PT_LEVELS - 1)
#define HUGE_LEVEL 1

/* Read the entry for @va out of the table of @level that @upper names. */
static TesseraFaultCause read_entry(TesseraGpu *gpu, uint64_t upper,
                                    unsigned level, uint64_t va,
                                    uint64_t *entry, EnginePage *page)
{
    unsigned shift = 12 + level * TESSERA_PT_INDEX_BITS;
    unsigned index = (va >> shift) % TESSERA_PT_ENTRIES;
    TesseraFaultCause cause;

    if (upper & ~table_bits) {
        return TESSERA_FAULT_PAGE_TABLE;
    }
    cause = vm_route_table(gpu, upper & TESSERA_PT_SYSTEM,
                           upper & TESSERA_PT_ADDRESS, page);
    if (cause != TESSERA_FAULT_NONE) {
        return cause;
    }
    *entry = __atomic_load_n((const uint64_t *)page->host + index,
                             __ATOMIC_ACQUIRE);
    return *entry & TESSERA_PT_VALID ? TESSERA_FAULT_NONE
                                     : TESSERA_FAULT_UNMAPPED;
}

/* A doorbell page is 4 KiB of two, for data only. */
static bool bad_doorbell(uint64_t entry, unsigned level)
{
    return entry & TESSERA_PT_DOORBELL &&
           (level || entry & (TESSERA_PT_SYSTEM | TESSERA_PT_EXECUTE) ||
            (entry & TESSERA_PT_ADDRESS) >= TESSERA_SLICE_SIZE);
}

static TesseraFaultCause take_leaf(uint64_t entry, unsigned level,
                                   uint64_t va, VmLeaf *leaf)
{
    uint64_t size = level ? TESSERA_PT_HUGE_PAGE : TESSERA_PT_PAGE;
    uint64_t address = entry & TESSERA_PT_ADDRESS;
    uint64_t allowed = leaf_bits | (level ? TESSERA_PT_LEAF : 0);

    if (entry & ~allowed || address % size || bad_doorbell(entry, level) ||
        (entry & TESSERA_PT_WRITE && !(entry & TESSERA_PT_READ))) {
        return TESSERA_FAULT_PAGE_TABLE;
    }
    leaf->entry = entry;
    leaf->huge = level != 0;
    leaf->address = address + (va & (size - 1) & ~PAGE_MASK);
    return TESSERA_FAULT_NONE;
}

TesseraFaultCause vm_walk(TesseraGpu *gpu, uint64_t root, uint64_t va,
                          VmLeaf *leaf, EnginePage *page)
{
    uint64_t entry = root;

    if (va >> TESSERA_VA_BITS) {
        return TESSERA_FAULT_NON_CANONICAL;
    }
    for (unsigned level = TOP_LEVEL;; level--) {
        TesseraFaultCause cause = read_entry(gpu, entry, level, va, &entry,
                                             page);

        if (cause != TESSERA_FAULT_NONE) {
            return cause;
        }
        if (level == 0 || (level == HUGE_LEVEL && entry & TESSERA_PT_LEAF)) {
            return take_leaf(entry, level, va, leaf);
        }
    }
}
