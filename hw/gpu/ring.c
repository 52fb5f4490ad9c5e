/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ring of a queue: taking packets, giving their slots back in order,
 * completing them, and going on behind one that has failed.
 */
#include <string.h>
#include "hw/gpu/internal.h"

#define WINDOW_BIT(index) (1ull << ((index) % QUEUE_WINDOW))

uint64_t queue_packet_addr(const GpuQueue *queue, uint64_t index)
{
    return queue->desc.ring +
           (index & (queue->desc.ring_packets - 1)) * AQL_PACKET_SIZE;
}

/* ---- taking ---- */

/* Packets that are to be taken again come first. */
static uint64_t next_index(const GpuQueue *queue)
{
    uint64_t index = queue->read_index;

    while (queue->redo && index != queue->fetch_index) {
        if (queue->redo & WINDOW_BIT(index)) {
            return index;
        }
        index++;
    }
    return queue->fetch_index;
}

static bool window_full(const GpuQueue *queue)
{
    return queue->fetch_index - queue->read_index >=
           MIN(QUEUE_WINDOW, queue->desc.ring_packets);
}

/* A copy that a fault has interrupted goes on if it is the same one still. */
static void begin_packet(GpuQueue *queue, const AqlPacket *packet)
{
    if (!queue->copying ||
        memcmp(&queue->packet, packet, sizeof(*packet)) != 0) {
        queue->copied = 0;
        queue->copying = false;
    }
    queue->packet = *packet;
    queue->have_packet = true;
    queue->deps_seen = 0;
}

/*
 * The header is written last by the producer, with release order, and is read
 * first.  The packet is then copied once and only the copy is looked at.
 */
FetchResult queue_fetch(TesseraGpu *gpu, GpuQueue *queue)
{
    uint64_t head, at;
    uint32_t head32;
    EngineFault fault;
    AqlPacket packet;

    queue->index = next_index(queue);
    if (queue->index == queue->fetch_index && window_full(queue)) {
        return FETCH_FULL;
    }
    at = queue_packet_addr(queue, queue->index);
    if (!gpu_vm_atomic(gpu, queue->vmid, at, 4, VM_LOAD, &head, &fault)) {
        fault_stop_on(gpu, queue, &fault);
        return FETCH_BAD;
    }
    if (AQL_HEADER_TYPE(head) == AQL_TYPE_INVALID) {
        return FETCH_EMPTY;
    }
    if (!gpu_vm_read(gpu, queue->vmid, at, &packet, sizeof(packet), &fault)) {
        fault_stop_on(gpu, queue, &fault);
        return FETCH_BAD;
    }
    head32 = head;
    memcpy(&packet, &head32, sizeof(head32));
    begin_packet(queue, &packet);
    queue->packet_start = gpu_clock(gpu);
    gpu_trace(gpu, "cp_packet", queue->slot, queue->index,
              queue->packet.header);
    return FETCH_OK;
}

void queue_advance(GpuQueue *queue)
{
    queue->have_packet = false;
    queue->copying = false;
    if (queue->index == queue->fetch_index) {
        queue->fetch_index++;
    } else {
        queue->redo &= ~WINDOW_BIT(queue->index);
    }
}

/* ---- completing ---- */

/*
 * A packet's slot is given back when it has completed, not when it was taken:
 * a kernel reads its own packet through the dispatch pointer.  Slots are given
 * back in order, so one that completes early waits for those before it.  What
 * memory does not let be done stays to be done.
 */
static bool release(TesseraGpu *gpu, GpuQueue *queue, EngineFault *fault)
{
    uint64_t index = queue->read_index;
    uint64_t header = AQL_TYPE_INVALID;

    while (queue->done & WINDOW_BIT(index) &&
           gpu_vm_atomic(gpu, queue->vmid, queue_packet_addr(queue, index), 2,
                         VM_STORE, &header, fault)) {
        queue->done &= ~WINDOW_BIT(index);
        __atomic_store_n(&queue->read_index, ++index, __ATOMIC_RELEASE);
    }
    if (index != queue->published) {
        if (!gpu_vm_atomic(gpu, queue->vmid, queue->desc.read_index_addr, 8,
                           VM_STORE, &index, fault)) {
            return false;
        }
        queue->published = index;
    }
    return !(queue->done & WINDOW_BIT(index));
}

static void owe(GpuQueue *queue, const GpuCompletion *c)
{
    if (queue->owed_count < QUEUE_OWED) {
        queue->owed[queue->owed_count++] = *c;
    }
}

CpResult queue_complete(TesseraGpu *gpu, GpuQueue *queue, uint64_t index,
                        uint64_t signal, uint64_t start, uint64_t end)
{
    GpuCompletion c = { .signal = signal, .start = start, .end = end };
    EngineFault fault;

    queue->done |= WINDOW_BIT(index);
    if (release(gpu, queue, &fault) &&
        signal_complete(gpu, queue, &c, &fault)) {
        return CP_NEXT;
    }
    owe(queue, &c);
    fault_stop_at(gpu, queue, &fault, index);
    return CP_STOP;
}

/* ---- after an error ---- */

void queue_failed(TesseraGpu *gpu, GpuQueue *queue, uint64_t index,
                  const EngineFault *fault)
{
    queue->failed |= WINDOW_BIT(index);
    fault_stop_at(gpu, queue, fault, index);
}

/* The packet at hand, and those that had been taken, count as complete. */
static void leave_out(GpuQueue *queue)
{
    queue->done |= queue->failed;
    if (queue->bad_packet) {
        queue->done |= WINDOW_BIT(queue->index);
        queue_advance(queue);
    }
    if (queue->stall != STALL_SCRATCH) {
        queue->stall = STALL_NONE;
    }
    queue->owed_count = 0;
}

void queue_recover(TesseraGpu *gpu, GpuQueue *queue, bool skip)
{
    EngineFault fault;
    bool ok;

    if (skip) {
        leave_out(queue);
    } else {
        queue->redo |= queue->failed;
    }
    if (queue->stall == STALL_SCRATCH) {
        queue->stall = STALL_NONE; /* the packet asks again */
    }
    queue->failed = 0;
    queue->bad_packet = queue->have_packet = false;
    fault_forget(gpu, queue);
    ok = release(gpu, queue, &fault);
    while (ok && queue->owed_count) {
        ok = signal_complete(gpu, queue, &queue->owed[0], &fault);
        if (ok) {
            queue->owed_count--;
            memmove(&queue->owed[0], &queue->owed[1],
                    queue->owed_count * sizeof(queue->owed[0]));
        }
    }
    if (!ok) {
        fault_stop_at(gpu, queue, &fault, queue->read_index);
    }
}
