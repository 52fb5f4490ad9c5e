/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queue slots: loading from a descriptor, taking packets from the ring,
 * releasing them, unmapping.
 */
#include <stddef.h>
#include <string.h>
#include "hw/gpu/internal.h"

#define RING_PACKETS_MIN 4u
#define RING_PACKETS_MAX (1u << 20)
#define PRIORITY_MAX 15

void queue_init_all(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        gpu->queues[i].slot = i;
    }
}

static void set_state(GpuQueue *queue, QueueState state)
{
    __atomic_store_n(&queue->state, state, __ATOMIC_RELEASE);
}

static void unlink_queue(GpuQueue *queue)
{
    if (queue->list) {
        g_queue_unlink(queue->list, &queue->link);
        queue->list = NULL;
    }
}

static void link_queue(GpuQueue *queue, GQueue *list)
{
    unlink_queue(queue);
    queue->link.data = queue;
    g_queue_push_tail_link(list, &queue->link);
    queue->list = list;
}

/* Back to a free slot.  Registers may be looking: no memset. */
static void free_slot(GpuQueue *queue)
{
    unlink_queue(queue);
    set_state(queue, QUEUE_FREE);
    __atomic_store_n(&queue->error, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->inflight, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->read_index, 0, __ATOMIC_RELAXED);
    queue->stall = STALL_NONE;
    queue->have_packet = false;
    queue->unmap.addr = 0;
    queue->kill.addr = 0;
}

void queue_reset_all(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        GpuQueue *queue = &gpu->queues[i];

        for (unsigned d = 0; d < QUEUE_DISPATCHES; d++) {
            g_free(queue->dispatch[d]);
            queue->dispatch[d] = NULL;
        }
        free_slot(queue);
    }
}

unsigned queue_doorbell(const GpuQueue *queue)
{
    return queue->vmid * TESSERA_SLICE_DOORBELLS + queue->desc.doorbell;
}

uint64_t queue_packet_addr(const GpuQueue *queue, uint64_t index)
{
    return queue->desc.ring +
           (index & (queue->desc.ring_packets - 1)) * AQL_PACKET_SIZE;
}

/* ---- map ---- */

static bool is_zero(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i]) {
            return false;
        }
    }
    return true;
}

uint32_t queue_check_descriptor(const TesseraQueue *desc)
{
    uint64_t bytes = (uint64_t)desc->ring_packets * AQL_PACKET_SIZE;

    if (desc->size != sizeof(*desc) || desc->version != TESSERA_ABI_VERSION ||
        !is_zero(desc->reserved, G_N_ELEMENTS(desc->reserved)) ||
        desc->vmid >= TESSERA_VMIDS || desc->priority > PRIORITY_MAX ||
        !desc->read_index_addr || desc->read_index_addr % 8 ||
        desc->write_index_addr % 8 ||
        (desc->cu_mask && !(desc->cu_mask & ((1u << TESSERA_CUS) - 1)))) {
        return TESSERA_RESULT_BAD_DESCRIPTOR;
    }
    if (desc->ring_packets < RING_PACKETS_MIN ||
        desc->ring_packets > RING_PACKETS_MAX ||
        (desc->ring_packets & (desc->ring_packets - 1)) ||
        desc->ring % AQL_PACKET_SIZE || desc->ring + bytes < desc->ring) {
        return TESSERA_RESULT_BAD_RING;
    }
    if (desc->doorbell >= TESSERA_SLICE_DOORBELLS) {
        return TESSERA_RESULT_BAD_DOORBELL;
    }
    return TESSERA_RESULT_OK;
}

/*
 * The runtime passes only the addresses of the two indices: the AmdQueue lies
 * a stored number of bytes below read_dispatch_id.  A number that is not the
 * one of this structure means that there is none: no scratch, no inactive
 * signal.
 */
static uint64_t find_amd_queue(TesseraGpu *gpu, const TesseraQueue *desc)
{
    const uint32_t expected = offsetof(AmdQueue, read_dispatch_id);
    uint32_t offset = 0;
    EngineFault fault;

    if (!gpu_vm_read(gpu, desc->vmid, desc->read_index_addr + 8, &offset,
                     sizeof(offset), &fault) ||
        offset != expected || desc->read_index_addr < expected) {
        return 0;
    }
    return desc->read_index_addr - expected;
}

/*
 * Packets may have been written before the queue was mapped, and their
 * doorbell rung in vain.  The ring itself does not tell: it may not be
 * initialised yet.
 */
static bool has_packets(TesseraGpu *gpu, const GpuQueue *queue)
{
    uint64_t written;
    EngineFault fault;

    return queue->desc.write_index_addr &&
           gpu_vm_atomic(gpu, queue->vmid, queue->desc.write_index_addr, 8,
                         VM_LOAD, &written, &fault) &&
           written != queue->read_index;
}

static void start_queue(TesseraGpu *gpu, GpuQueue *queue, uint64_t read_index)
{
    queue->vmid = queue->desc.vmid;
    queue->fetch_index = read_index;
    queue->done = 0;
    queue->amd_queue = find_amd_queue(gpu, &queue->desc);
    queue->doorbell_seen =
        __atomic_load_n(&gpu->doorbells[queue_doorbell(queue)],
                        __ATOMIC_RELAXED);
    __atomic_store_n(&queue->read_index, read_index, __ATOMIC_RELEASE);
    set_state(queue, QUEUE_MAPPED);
    queue->wait = WAIT_DOORBELL;
    if (has_packets(gpu, queue)) {
        queue_wake(gpu, queue);
    }
}

uint32_t queue_map(TesseraGpu *gpu, uint32_t slot, uint64_t addr)
{
    GpuQueue *queue = slot < TESSERA_QUEUES ? &gpu->queues[slot] : NULL;
    TesseraQueue desc;
    uint64_t read_index;
    EngineFault fault;
    uint32_t result;

    if (!queue || queue->state != QUEUE_FREE) {
        return TESSERA_RESULT_BAD_SLOT;
    }
    if (!gpu_vm_read(gpu, 0, addr, &desc, sizeof(desc), &fault)) {
        return TESSERA_RESULT_BAD_DESCRIPTOR;
    }
    result = queue_check_descriptor(&desc);
    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    if (!gpu_vm_atomic(gpu, desc.vmid, desc.read_index_addr, 8, VM_LOAD,
                       &read_index, &fault)) {
        return TESSERA_RESULT_BAD_DESCRIPTOR;
    }
    queue->desc = desc;
    queue->vmid = desc.vmid;
    if (!doorbell_claim(gpu, queue_doorbell(queue), slot)) {
        return TESSERA_RESULT_BAD_DOORBELL;
    }
    start_queue(gpu, queue, read_index);
    gpu_trace(gpu, "queue_map", slot, desc.ring, desc.ring_packets);
    return TESSERA_RESULT_OK;
}

/* ---- unmap ---- */

bool queue_closing(const GpuQueue *queue)
{
    return queue->unmap.addr || queue->kill.addr;
}

void queue_unmap(TesseraGpu *gpu, GpuQueue *queue, const GpuCommand *command)
{
    queue->unmap = *command;
    unlink_queue(queue);
    queue_closed(gpu, queue);
}

void queue_kill(TesseraGpu *gpu, GpuQueue *queue, const GpuCommand *command)
{
    queue->kill = *command;
    unlink_queue(queue);
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i]) {
            engine_kill(gpu->engine, &queue->dispatch[i]->engine,
                        TESSERA_FAULT_NONE);
        }
    }
    queue_closed(gpu, queue);
}

void queue_closed(TesseraGpu *gpu, GpuQueue *queue)
{
    GpuCommand unmap = queue->unmap, kill = queue->kill;

    if (!queue_closing(queue) || queue->inflight) {
        return;
    }
    doorbell_release(gpu, queue_doorbell(queue));
    free_slot(queue);
    gpu_trace(gpu, "queue_unmap", queue->slot, unmap.addr, kill.addr);
    if (unmap.addr) {
        command_finish(gpu, &unmap, TESSERA_RESULT_OK);
    }
    if (kill.addr) {
        command_finish(gpu, &kill, TESSERA_RESULT_OK);
    }
}

/* ---- turns ---- */

void queue_wake(TesseraGpu *gpu, GpuQueue *queue)
{
    if (queue->state == QUEUE_MAPPED && !queue_closing(queue) &&
        queue->list != &gpu->cp.run) {
        queue->wait = WAIT_TURN;
        link_queue(queue, &gpu->cp.run);
    }
}

void queue_wait(TesseraGpu *gpu, GpuQueue *queue, QueueWait wait)
{
    queue->wait = wait;
    if (wait == WAIT_TURN) {
        link_queue(queue, &gpu->cp.run);
    } else if (wait == WAIT_POLL) {
        link_queue(queue, &gpu->cp.poll);
    } else {
        unlink_queue(queue);
    }
}

/* ---- the ring ---- */

/*
 * The header is written last by the producer, with release order, and is read
 * first.  The packet is then copied once and only the copy is looked at.
 */
FetchResult queue_fetch(TesseraGpu *gpu, GpuQueue *queue)
{
    uint64_t window = MIN(QUEUE_WINDOW, queue->desc.ring_packets);
    uint64_t at = queue_packet_addr(queue, queue->fetch_index);
    uint64_t head;
    uint32_t head32;
    EngineFault fault;

    if (queue->fetch_index - queue->read_index >= window) {
        return FETCH_FULL;
    }
    if (!gpu_vm_atomic(gpu, queue->vmid, at, 4, VM_LOAD, &head, &fault)) {
        fault_stop_on(gpu, queue, &fault);
        return FETCH_BAD;
    }
    if (AQL_HEADER_TYPE(head) == AQL_TYPE_INVALID) {
        return FETCH_EMPTY;
    }
    if (!gpu_vm_read(gpu, queue->vmid, at, &queue->packet, AQL_PACKET_SIZE,
                     &fault)) {
        fault_stop_on(gpu, queue, &fault);
        return FETCH_BAD;
    }
    head32 = head;
    memcpy(&queue->packet, &head32, sizeof(head32));
    queue->have_packet = true;
    queue->deps_seen = 0;
    queue->packet_start = gpu_clock(gpu);
    gpu_trace(gpu, "cp_packet", queue->slot, queue->fetch_index,
              queue->packet.header);
    return FETCH_OK;
}

void queue_advance(GpuQueue *queue)
{
    queue->have_packet = false;
    queue->fetch_index++;
}

/*
 * A packet's slot is given back when it has completed, not when it was taken:
 * a kernel reads its own packet through the dispatch pointer.  Slots are given
 * back in order, so one that completes early waits for those before it.
 */
bool queue_retire(TesseraGpu *gpu, GpuQueue *queue, uint64_t index)
{
    uint64_t read_index = queue->read_index;
    uint64_t header = AQL_TYPE_INVALID;
    EngineFault fault;
    bool ok = true;

    queue->done |= 1ull << (index % QUEUE_WINDOW);
    while (ok && queue->done & (1ull << (read_index % QUEUE_WINDOW))) {
        ok = gpu_vm_atomic(gpu, queue->vmid,
                           queue_packet_addr(queue, read_index), 2, VM_STORE,
                           &header, &fault);
        queue->done &= ~(1ull << (read_index % QUEUE_WINDOW));
        read_index++;
    }
    if (ok && read_index != queue->read_index) {
        __atomic_store_n(&queue->read_index, read_index, __ATOMIC_RELEASE);
        ok = gpu_vm_atomic(gpu, queue->vmid, queue->desc.read_index_addr, 8,
                           VM_STORE, &read_index, &fault);
    }
    if (!ok) {
        fault_stop_on(gpu, queue, &fault);
    }
    return ok;
}
