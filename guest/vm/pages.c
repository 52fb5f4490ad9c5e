/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/vm/pages.h"

#define NO_TABLE UINT64_MAX

static unsigned index_at(uint64_t va, unsigned level)
{
    return (va >> (12 + level * TESSERA_PT_INDEX_BITS)) % TESSERA_PT_ENTRIES;
}

static uint64_t table_of(uint64_t entry)
{
    return entry & (TESSERA_PT_ADDRESS | TESSERA_PT_SYSTEM);
}

/*
 * The table of @level that @va goes through, or NO_TABLE.  @make: add those
 * that are missing.
 */
static uint64_t find_table(PageSpace *space, uint64_t va, unsigned level,
                           bool make)
{
    uint64_t table;

    if (!space->root && make) {
        space->root = space->new_table(space->opaque);
    }
    if (!space->root) {
        return NO_TABLE;
    }
    table = table_of(space->root);
    for (unsigned at = TESSERA_PT_LEVELS - 1; at > level; at--) {
        unsigned index = index_at(va, at);
        uint64_t entry = space->load(space->opaque, table, index);

        if (!(entry & TESSERA_PT_VALID)) {
            entry = make ? space->new_table(space->opaque) : 0;
            if (!entry) {
                return NO_TABLE;
            }
            space->store(space->opaque, table, index, entry);
        }
        table = table_of(entry);
    }
    return table;
}

static bool fits_huge(uint64_t va, uint64_t size, uint64_t leaf)
{
    return size >= TESSERA_PT_HUGE_PAGE && !(leaf & TESSERA_PT_DOORBELL) &&
           (va | (leaf & TESSERA_PT_ADDRESS)) % TESSERA_PT_HUGE_PAGE == 0;
}

bool pages_map(PageSpace *space, uint64_t va, uint64_t size, uint64_t leaf)
{
    while (size) {
        bool huge = fits_huge(va, size, leaf);
        unsigned level = huge ? 1 : 0;
        uint64_t page = huge ? TESSERA_PT_HUGE_PAGE : TESSERA_PT_PAGE;
        uint64_t table = find_table(space, va, level, true);

        if (table == NO_TABLE) {
            return false;
        }
        space->store(space->opaque, table, index_at(va, level),
                     leaf | TESSERA_PT_VALID | (huge ? TESSERA_PT_LEAF : 0));
        va += page;
        leaf += page;
        size -= page;
    }
    return true;
}

void pages_unmap(PageSpace *space, uint64_t va, uint64_t size)
{
    const uint64_t end = va + size, huge_mask = TESSERA_PT_HUGE_PAGE - 1;

    while (va < end) {
        uint64_t table = find_table(space, va, 1, false);
        uint64_t entry = table == NO_TABLE
            ? 0 : space->load(space->opaque, table, index_at(va, 1));
        bool huge = entry & TESSERA_PT_LEAF;

        if (entry & TESSERA_PT_VALID) {
            space->store(space->opaque, huge ? table : table_of(entry),
                         index_at(va, huge ? 1 : 0), 0);
        }
        va = huge || !entry ? (va | huge_mask) + 1 : va + TESSERA_PT_PAGE;
    }
}
