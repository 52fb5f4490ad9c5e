/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page tables of the user-space driver, in "guest RAM" of the plain host. */
#ifndef TOOLS_PAGES_H
#define TOOLS_PAGES_H

#include "guest/vm/pages.h"
#include "tools/host.h"

typedef struct ToolPages ToolPages;

/*
 * Tables that map nothing yet.  NULL and @error if the host has no memory.
 * They lie in the host's memory and live as long as it.
 */
ToolPages *tool_pages_new(ToolHost *host, GError **error);
void tool_pages_free(ToolPages *pages);

/*
 * Map @size bytes from @va on, in whole pages, to the address and rights in
 * @leaf (pages_map()).  False and @error if there is no room for the tables.
 */
bool tool_pages_map(ToolPages *pages, uint64_t va, uint64_t size,
                    uint64_t leaf, GError **error);

/* For VM_ROOT, after the first page was mapped. */
uint64_t tool_pages_root(const ToolPages *pages);

#endif
