/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Barrier-AND and barrier-OR packets (HSA 2.9.8, 2.9.9): no further packet of
 * the queue is taken until all, or one, of up to five signals are 0.
 */
#include "hw/gpu/internal.h"

/*
 * A signal that has been seen 0 counts for good, even if it changes while
 * others are waited for: they need not be 0 at the same time.
 */
static bool look_at_deps(TesseraGpu *gpu, GpuQueue *queue, uint32_t *wanted,
                         EngineFault *fault)
{
    const AqlBarrier *packet = &queue->packet.barrier;

    *wanted = 0;
    for (unsigned i = 0; i < BARRIER_DEPS; i++) {
        int64_t value;

        if (!packet->dep_signal[i]) {
            continue;
        }
        *wanted |= 1u << i;
        if (queue->deps_seen & (1u << i)) {
            continue;
        }
        if (!signal_load(gpu, queue, packet->dep_signal[i], &value, fault)) {
            return false;
        }
        if (value == 0) {
            queue->deps_seen |= 1u << i;
        }
    }
    return true;
}

static bool satisfied(const GpuQueue *queue, uint32_t wanted)
{
    if (AQL_HEADER_TYPE(queue->packet.header) == AQL_TYPE_BARRIER_OR) {
        return !wanted || queue->deps_seen;
    }
    return queue->deps_seen == wanted;
}

CpResult barrier_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlBarrier *packet = &queue->packet.barrier;
    uint64_t index = queue->index;
    EngineFault fault;
    uint32_t wanted;

    if (packet->reserved0 || packet->reserved1) {
        fault_stop(gpu, queue, TESSERA_QERR_BAD_PACKET, NULL);
        return CP_STOP;
    }
    if (!look_at_deps(gpu, queue, &wanted, &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    if (!satisfied(queue, wanted)) {
        return CP_POLL;
    }
    queue_advance(queue);
    return queue_complete(gpu, queue, index, packet->completion_signal,
                          queue->packet_start, gpu_clock(gpu));
}
