/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scratch memory of dispatches, and the questions that the device asks the
 * runtime through the queue's inactive signal when there is too little.
 */
#include <stddef.h>
#include <string.h>
#include "hw/gpu/internal.h"

#define SCRATCH_RECLAIM 512 /* in the inactive signal (ROCm runtime) */

/* COMPUTE_TMPRING_SIZE: waves[11:0], size of one in KiB [24:12]. */
#define TMPRING_WAVES(r) ((r) & 0xfff)
#define TMPRING_WAVE_BYTES(r) (((r) >> 12 & 0x1fff) * 1024u)

typedef enum ScratchResult { SCRATCH_OK, SCRATCH_LACKING, SCRATCH_FAULT }
    ScratchResult;

static uint64_t group_waves(TesseraGpu *gpu, const AqlDispatch *packet,
                            const TesseraLaunch *launch)
{
    unsigned items = packet->group_x * packet->group_y * packet->group_z;
    unsigned lanes = gpu->isa->wave_lanes(launch);

    return (items + lanes - 1) / lanes;
}

/*
 * The backing memory is as the runtime describes it in the AmdQueue.  It must
 * hold all waves of a work-group at least, or a barrier would never be
 * reached.
 */
static ScratchResult find_scratch(TesseraGpu *gpu, GpuQueue *queue,
                                  const AqlDispatch *packet,
                                  TesseraLaunch *launch, bool *once,
                                  EngineFault *fault)
{
    uint64_t need = (uint64_t)packet->private_size *
                    gpu->isa->wave_lanes(launch);
    AmdQueue amd;

    if (!queue->amd_queue) {
        return SCRATCH_LACKING;
    }
    if (!gpu_vm_read(gpu, queue->vmid, queue->amd_queue, &amd, sizeof(amd),
                     fault)) {
        return SCRATCH_FAULT;
    }
    launch->scratch_base = amd.scratch_backing_memory_location;
    launch->scratch_wave_size = TMPRING_WAVE_BYTES(amd.compute_tmpring_size);
    launch->scratch_waves = TMPRING_WAVES(amd.compute_tmpring_size);
    memcpy(launch->scratch_desc, amd.scratch_resource_descriptor,
           sizeof(launch->scratch_desc));
    *once = amd.queue_properties & AMD_QUEUE_PROP_SCRATCH_ONCE;
    if (packet->private_size > amd.scratch_wave64_lane_byte_size ||
        need > launch->scratch_wave_size) {
        return SCRATCH_LACKING;
    }
    launch->scratch_waves = MIN(launch->scratch_waves,
                                amd.scratch_backing_memory_byte_size /
                                    launch->scratch_wave_size);
    return launch->scratch_waves < group_waves(gpu, packet, launch)
               ? SCRATCH_LACKING : SCRATCH_OK;
}

/* 0 if the queue has none. */
static bool inactive_signal(TesseraGpu *gpu, GpuQueue *queue,
                            uint64_t *signal, EngineFault *fault)
{
    *signal = 0;
    return !queue->amd_queue ||
           gpu_vm_read(gpu, queue->vmid,
                       queue->amd_queue +
                           offsetof(AmdQueue, queue_inactive_signal),
                       signal, sizeof(*signal), fault);
}

/*
 * Ask the runtime for more scratch.  It looks at the packet that
 * read_dispatch_id names, so that must be this one.
 */
static CpResult ask_for_scratch(TesseraGpu *gpu, GpuQueue *queue)
{
    EngineFault fault;
    uint64_t signal;

    if (queue->read_index != queue->index) {
        return CP_BUSY;
    }
    if (!inactive_signal(gpu, queue, &signal, &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    if (!signal) {
        fault_stop(gpu, queue, TESSERA_QERR_SCRATCH_NEEDED, NULL);
        return CP_STOP;
    }
    queue->stall = STALL_SCRATCH;
    gpu_trace(gpu, "queue_scratch", queue->slot, queue->index,
              queue->packet.dispatch.private_size);
    if (!signal_store(gpu, queue, signal, TESSERA_QERR_SCRATCH_NEEDED,
                      &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    return CP_POLL;
}

/* Waves of one dispatch share the queue's scratch by number, so only one. */
static bool scratch_in_use(const GpuQueue *queue)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i] && queue->dispatch[i]->uses_scratch) {
            return true;
        }
    }
    return false;
}

CpResult scratch_get(TesseraGpu *gpu, GpuQueue *queue,
                     TesseraLaunch *launch, bool *once)
{
    const AqlDispatch *packet = &queue->packet.dispatch;
    EngineFault fault;

    if (!packet->private_size) {
        return CP_NEXT;
    }
    if (scratch_in_use(queue)) {
        return CP_BUSY;
    }
    switch (find_scratch(gpu, queue, packet, launch, once, &fault)) {
    case SCRATCH_LACKING:
        return ask_for_scratch(gpu, queue);
    case SCRATCH_FAULT:
        return fault_stop_on(gpu, queue, &fault);
    case SCRATCH_OK:
        break;
    }
    return CP_NEXT;
}

static CpResult stalled_scratch(TesseraGpu *gpu, GpuQueue *queue)
{
    EngineFault fault;
    uint64_t signal;
    int64_t value;

    if (!inactive_signal(gpu, queue, &signal, &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    if (!signal) { /* taken away meanwhile */
        fault_stop(gpu, queue, TESSERA_QERR_SCRATCH_NEEDED, NULL);
        return CP_STOP;
    }
    if (!signal_load(gpu, queue, signal, &value, &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    if (value) {
        return CP_POLL;
    }
    queue->stall = STALL_NONE;
    return CP_NEXT;
}

/* The dispatch for which scratch was lent has ended: offer it back. */
static CpResult stalled_drain(TesseraGpu *gpu, GpuQueue *queue)
{
    EngineFault fault;
    uint64_t signal;

    if (queue->inflight) {
        return CP_BUSY;
    }
    if (!inactive_signal(gpu, queue, &signal, &fault) ||
        (signal &&
         !signal_store(gpu, queue, signal, SCRATCH_RECLAIM, &fault))) {
        return fault_stop_on(gpu, queue, &fault);
    }
    queue->stall = STALL_RECLAIM; /* without a signal the property tells */
    return CP_POLL;
}

static CpResult stalled_reclaim(TesseraGpu *gpu, GpuQueue *queue)
{
    uint32_t properties;
    EngineFault fault;

    if (!gpu_vm_read(gpu, queue->vmid,
                     queue->amd_queue + offsetof(AmdQueue, queue_properties),
                     &properties, sizeof(properties), &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    if (properties & AMD_QUEUE_PROP_SCRATCH_ONCE) {
        return CP_POLL;
    }
    queue->stall = STALL_NONE;
    return CP_NEXT;
}

CpResult scratch_stalled(TesseraGpu *gpu, GpuQueue *queue)
{
    static CpResult (*const table[])(TesseraGpu *, GpuQueue *) = {
        [STALL_SCRATCH] = stalled_scratch,
        [STALL_RECLAIM_DRAIN] = stalled_drain,
        [STALL_RECLAIM] = stalled_reclaim,
    };

    return table[queue->stall](gpu, queue);
}
