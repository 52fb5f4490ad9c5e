/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's generated trace code registers itself by a constructor, on a list that
 * was worked off before any plugin is loaded: here it becomes a function.
 */
#include "device.h"
#undef trace_init
#define trace_init(function) \
    void tessera_register_trace_events(void) { function(); }
#include "trace-tessera-defs.h"

void tessera_trace(const char *event, uint64_t a, uint64_t b, uint64_t c)
{
    if (g_str_has_suffix(event, "_err")) {
        trace_tessera_event_err(event, a, b, c);
    } else {
        trace_tessera_event(event, a, b, c);
    }
}
