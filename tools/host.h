/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host of the device core without a guest: plain memory stands for guest
 * RAM, a counter for interrupts, and host time for guest time.
 */
#ifndef TOOLS_HOST_H
#define TOOLS_HOST_H

#include <glib.h>
#include "tessera/host.h"

/* Where the first block of "guest RAM" lies on the bus. */
#define TOOL_HOST_RAM_BASE (1ull << 32)
/* Nothing is mapped for at least this far behind a block: overruns fault. */
#define TOOL_HOST_GUARD (1ull << 20)

typedef struct ToolHost ToolHost;

/* @trace: print state changes and device messages to stderr as they come. */
ToolHost *tool_host_new(bool trace);

/* After the device is freed. */
void tool_host_free(ToolHost *host);

/* The table to give to tessera_gpu_new(). */
const TesseraHost *tool_host_ops(ToolHost *host);

/*
 * Add a block of @size bytes, zeroed, page aligned, at a bus address of its
 * own.  Returns where the host sees it, *@bus where the device does; NULL and
 * @error if there is no memory.
 */
void *tool_host_add_ram(ToolHost *host, uint64_t size, uint64_t *bus,
                        GError **error);

/* The same memory without a bus address, for VRAM; freed with the host. */
void *tool_host_add_vram(ToolHost *host, uint64_t size, GError **error);

/*
 * Wait until more than @seen interrupts have come or monotonic time
 * @deadline_us is reached (-1: never).  Returns how many have come in all.
 */
uint64_t tool_host_wait_irq(ToolHost *host, uint64_t seen,
                            int64_t deadline_us);

/* Interrupts so far. */
uint64_t tool_host_irqs(ToolHost *host);

/*
 * What the device had to say since the last call, a line each ("" if
 * nothing); the caller frees it.
 */
char *tool_host_take_log(ToolHost *host);

#endif
