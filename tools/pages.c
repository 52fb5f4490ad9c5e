/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page tables of the user-space driver, in "guest RAM" of the plain host. */
#include <inttypes.h>
#include "tools/files.h"
#include "tools/pages.h"

/*
 * Room for tables.  Addresses are mapped to themselves, so that pages of 2 MiB
 * fit but for a block's ends: a table covers 1 GiB and two of 2 MiB are needed
 * a block.
 */
#define PAGES_BYTES (16ull << 20)

struct ToolPages {
    PageSpace space;
    uint8_t *tables;
    uint64_t bus, used;
};

static uint64_t *pages_entry(ToolPages *pages, uint64_t table, unsigned index)
{
    uint64_t at = (table & TESSERA_PT_ADDRESS) - pages->bus;

    g_assert(at < PAGES_BYTES && index < TESSERA_PT_ENTRIES);
    return (uint64_t *)(pages->tables + at) + index;
}

static uint64_t pages_new_table(void *opaque)
{
    ToolPages *pages = opaque;
    uint64_t at = pages->bus + pages->used;

    if (pages->used == PAGES_BYTES) {
        return 0;
    }
    pages->used += TESSERA_PT_PAGE;
    return at | TESSERA_PT_SYSTEM | TESSERA_PT_VALID;
}

static uint64_t pages_load(void *opaque, uint64_t table, unsigned index)
{
    return *pages_entry(opaque, table, index);
}

/* The device may be walking the tables at this moment. */
static void pages_store(void *opaque, uint64_t table, unsigned index,
                        uint64_t entry)
{
    __atomic_store_n(pages_entry(opaque, table, index), entry,
                     __ATOMIC_RELEASE);
}

ToolPages *tool_pages_new(ToolHost *host, GError **error)
{
    ToolPages *pages = g_new0(ToolPages, 1);

    pages->tables = tool_host_add_ram(host, PAGES_BYTES, &pages->bus, error);
    if (!pages->tables) {
        g_free(pages);
        return NULL;
    }
    pages->space = (PageSpace) {
        .new_table = pages_new_table,
        .load = pages_load,
        .store = pages_store,
        .opaque = pages,
    };
    return pages;
}

void tool_pages_free(ToolPages *pages)
{
    g_free(pages);
}

bool tool_pages_map(ToolPages *pages, uint64_t va, uint64_t size,
                    uint64_t leaf, GError **error)
{
    uint64_t whole = (size + TESSERA_PT_PAGE - 1) & ~(TESSERA_PT_PAGE - 1);

    if (!pages_map(&pages->space, va, whole, leaf)) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "no room for the page tables "
                    "of %" PRIu64 " bytes", size);
        return false;
    }
    return true;
}

uint64_t tool_pages_root(const ToolPages *pages)
{
    return pages->space.root;
}
