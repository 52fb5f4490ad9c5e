/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queue slots: loading from a descriptor, changing, and whose turn it is.
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

void queue_set_state(GpuQueue *queue)
{
    set_state(queue, queue->error ? QUEUE_STOPPED
                     : queue->frozen ? QUEUE_FROZEN : QUEUE_MAPPED);
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
static void clear_slot(TesseraGpu *gpu, GpuQueue *queue)
{
    unlink_queue(queue);
    gpu_lock(gpu);
    memset(&queue->fault, 0, sizeof(queue->fault));
    queue->fault_index = 0;
    queue->fault_more = false;
    gpu_unlock(gpu);
    set_state(queue, QUEUE_FREE);
    __atomic_store_n(&queue->error, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->inflight, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->waits, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->priority, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->cu_mask, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->read_index, 0, __ATOMIC_RELAXED);
    queue->stall = STALL_NONE;
    queue->done = queue->failed = queue->redo = 0;
    queue->have_packet = queue->bad_packet = queue->copying = false;
    queue->frozen = queue->events_owed = 0;
    queue->owed_count = 0;
    queue->unmap.addr = queue->kill.addr = queue->freeze.addr = 0;
    queue->preempt = false;
    memset(queue->dispatch, 0, sizeof(queue->dispatch));
}

void queue_free_slot(TesseraGpu *gpu, GpuQueue *queue)
{
    doorbell_release(gpu, queue_doorbell(queue));
    clear_slot(gpu, queue);
}

static void free_dispatches(GpuQueue *queue)
{
    for (unsigned d = 0; d < QUEUE_DISPATCHES; d++) {
        g_free(queue->dispatch[d]);
    }
}

void queue_reset_all(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        free_dispatches(&gpu->queues[i]);
        clear_slot(gpu, &gpu->queues[i]);
    }
    for (unsigned i = 0; i < TESSERA_SAVED_QUEUES; i++) {
        if (gpu->saved[i]) {
            free_dispatches(gpu->saved[i]);
            g_clear_pointer(&gpu->saved[i], g_free);
        }
    }
}

unsigned queue_doorbell(const GpuQueue *queue)
{
    return queue->vmid * TESSERA_SLICE_DOORBELLS + queue->desc.doorbell;
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
        desc->flags & ~TESSERA_QUEUE_INACTIVE ||
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

/* What may be changed while it is mapped. */
static void take_settings(GpuQueue *queue, const TesseraQueue *desc)
{
    __atomic_store_n(&queue->priority, desc->priority, __ATOMIC_RELAXED);
    __atomic_store_n(&queue->cu_mask, desc->cu_mask, __ATOMIC_RELAXED);
    queue->desc = *desc;
}

static void start_queue(TesseraGpu *gpu, GpuQueue *queue, uint64_t read_index,
                        GpuQueue *saved)
{
    bool inactive = queue->desc.flags & TESSERA_QUEUE_INACTIVE;

    queue->fetch_index = queue->published = read_index;
    __atomic_store_n(&queue->read_index, read_index, __ATOMIC_RELEASE);
    if (saved) {
        queue_restore(gpu, queue, saved);
        queue->frozen &= ~FROZEN_INACTIVE;
    }
    take_settings(queue, &queue->desc);
    queue->amd_queue = find_amd_queue(gpu, &queue->desc);
    queue->doorbell_seen =
        __atomic_load_n(&gpu->doorbells[queue_doorbell(queue)],
                        __ATOMIC_RELAXED);
    queue->frozen |= inactive ? FROZEN_INACTIVE : 0;
    queue->wait = WAIT_DOORBELL;
    queue_set_state(queue);
    if (saved) {
        queue_thaw(gpu, queue, 0);
    } else if (has_packets(gpu, queue)) {
        queue_wake(gpu, queue);
    }
}

/* Has the ring, or what the driver says of it, changed behind its back? */
static uint32_t check_saved(const GpuQueue *saved, const TesseraQueue *desc,
                            uint64_t read_index)
{
    if (!saved) {
        return TESSERA_RESULT_OK;
    }
    if (queue_closing(saved)) {
        return TESSERA_RESULT_BUSY;
    }
    return saved->desc.ring_packets == desc->ring_packets &&
           saved->published == read_index ? TESSERA_RESULT_OK
                                          : TESSERA_RESULT_BAD_STATE;
}

uint32_t queue_read_desc(TesseraGpu *gpu, uint64_t addr, TesseraQueue *desc)
{
    EngineFault fault;

    if (!gpu_vm_read(gpu, 0, addr, desc, sizeof(*desc), &fault)) {
        return TESSERA_RESULT_BAD_DESCRIPTOR;
    }
    return queue_check_descriptor(desc);
}

uint32_t queue_map(TesseraGpu *gpu, uint32_t slot, uint64_t addr)
{
    GpuQueue *queue = slot < TESSERA_QUEUES ? &gpu->queues[slot] : NULL;
    GpuQueue *saved;
    TesseraQueue desc;
    uint64_t read_index;
    EngineFault fault;
    uint32_t result;

    if (!queue || queue->state != QUEUE_FREE) {
        return TESSERA_RESULT_BAD_SLOT;
    }
    result = queue_read_desc(gpu, addr, &desc);
    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    if (!gpu_vm_atomic(gpu, desc.vmid, desc.read_index_addr, 8, VM_LOAD,
                       &read_index, &fault)) {
        return TESSERA_RESULT_BAD_DESCRIPTOR;
    }
    saved = queue_find_saved(gpu, &desc);
    result = check_saved(saved, &desc, read_index);
    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    queue->desc = desc;
    __atomic_store_n(&queue->vmid, desc.vmid, __ATOMIC_RELAXED);
    if (!doorbell_claim(gpu, queue_doorbell(queue), slot)) {
        return TESSERA_RESULT_BAD_DOORBELL;
    }
    start_queue(gpu, queue, read_index, saved);
    gpu_trace(gpu, "queue_map", slot, desc.ring, desc.ring_packets);
    return TESSERA_RESULT_OK;
}

/* ---- update ---- */

static bool ring_changes(const GpuQueue *queue, const TesseraQueue *desc)
{
    return desc->ring != queue->desc.ring ||
           desc->ring_packets != queue->desc.ring_packets;
}

/* Nothing of the ring is in use but its place. */
static bool ring_idle(const GpuQueue *queue)
{
    return queue->read_index == queue->fetch_index && !queue->copying &&
           !queue->inflight && !queue->owed_count;
}

uint32_t queue_update(TesseraGpu *gpu, GpuQueue *queue, uint64_t addr)
{
    TesseraQueue desc;
    uint32_t result = queue_read_desc(gpu, addr, &desc);

    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    if (desc.vmid != queue->vmid || desc.doorbell != queue->desc.doorbell ||
        desc.read_index_addr != queue->desc.read_index_addr ||
        desc.write_index_addr != queue->desc.write_index_addr) {
        return TESSERA_RESULT_BAD_DESCRIPTOR;
    }
    if (ring_changes(queue, &desc)) {
        if (!ring_idle(queue)) {
            return TESSERA_RESULT_BUSY;
        }
        queue->have_packet = false;
    }
    take_settings(queue, &desc);
    gpu_trace(gpu, "queue_update", queue->slot, desc.ring, desc.flags);
    queue_wake(gpu, queue);
    return TESSERA_RESULT_OK;
}

/* ---- turns ---- */

static void show_wait(GpuQueue *queue)
{
    static const uint8_t shown[] = {
        [WAIT_DOORBELL] = 0,
        [WAIT_TURN] = 1,
        [WAIT_DISPATCH] = 2,
        [WAIT_POLL] = 3,
    };
    uint32_t waits = queue->stall != STALL_NONE ? 4 : shown[queue->wait];

    __atomic_store_n(&queue->waits, waits, __ATOMIC_RELAXED);
}

/* A copy that has begun is brought to its end before the queue is unmapped. */
bool queue_may_step(const GpuQueue *queue)
{
    return queue->state == QUEUE_MAPPED && !queue->saved &&
           (!queue_closing(queue) ||
            (queue->copying && !queue->preempt && !queue->kill.addr));
}

void queue_wake(TesseraGpu *gpu, GpuQueue *queue)
{
    if (queue_may_step(queue) && queue->list != &gpu->cp.run) {
        queue->wait = WAIT_TURN;
        link_queue(queue, &gpu->cp.run);
        show_wait(queue);
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
    show_wait(queue);
}
