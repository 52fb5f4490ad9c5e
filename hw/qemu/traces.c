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

/* The device core's names, and the events they are. */
static const struct {
    const char *name;
    void (*fire)(uint64_t a, uint64_t b, uint64_t c);
} core_events[] = {
    { "gpu_pause", trace_tessera_gpu_pause },
    { "gpu_resume", trace_tessera_gpu_resume },
    { "gpu_reset", trace_tessera_gpu_reset },
    { "command", trace_tessera_command },
    { "queue_map", trace_tessera_queue_map },
    { "queue_unmap", trace_tessera_queue_unmap },
    { "queue_scratch", trace_tessera_queue_scratch },
    { "cp_packet", trace_tessera_cp_packet },
    { "dispatch_start", trace_tessera_dispatch_start },
    { "dispatch_end", trace_tessera_dispatch_end },
    { "signal_complete", trace_tessera_signal_complete },
    { "ih_post", trace_tessera_ih_post },
    { "command_err", trace_tessera_command_err },
    { "dispatch_end_err", trace_tessera_dispatch_end_err },
    { "fault_err", trace_tessera_fault_err },
    { "ih_post_err", trace_tessera_ih_post_err },
    { "hazard_report", trace_tessera_hazard_report },
};

void tessera_trace(const char *event, uint64_t a, uint64_t b, uint64_t c)
{
    if (!trace_events_enabled_count) {
        return; /* names are looked up for those who want to see them */
    }
    for (size_t i = 0; i < G_N_ELEMENTS(core_events); i++) {
        if (g_str_equal(core_events[i].name, event)) {
            core_events[i].fire(a, b, c);
            return;
        }
    }
    trace_tessera_other(event, a, b, c);
}
