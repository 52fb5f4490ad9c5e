/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupt ring: 32-byte entries in guest memory, written by the packet
 * processor's thread alone, and MSI-X vector 0.
 */
#include "hw/gpu/internal.h"

#define IH_SIZE_LOG2_MIN 4
#define IH_SIZE_LOG2_MAX 16

/* The ring registers as they are when an entry is posted. */
typedef struct IhRing {
    uint64_t base, wptr_addr;
    uint32_t control, wptr, rptr, mask, pasid;
} IhRing;

static IhRing ih_snapshot(TesseraGpu *gpu, unsigned vmid)
{
    IhRing ring;

    gpu_lock(gpu);
    ring = (IhRing){
        .base = regs_get64(gpu, TESSERA_REG_IH_BASE),
        .wptr_addr = regs_get64(gpu, TESSERA_REG_IH_WPTR_ADDR),
        .control = regs_get32(gpu, TESSERA_REG_IH_CONTROL),
        .wptr = regs_get32(gpu, TESSERA_REG_IH_WPTR),
        .rptr = regs_get32(gpu, TESSERA_REG_IH_RPTR),
        .mask = regs_get32(gpu, TESSERA_REG_IH_MASK),
        .pasid = regs_get32(gpu, TESSERA_REG_VM_PASID + vmid * 0x40),
    };
    gpu_unlock(gpu);
    return ring;
}

/* Write the entry into its slot; false if the ring cannot be written. */
static bool write_entry(TesseraGpu *gpu, const IhRing *ring, unsigned slot,
                        const GpuEvent *event)
{
    const TesseraIhEntry entry = {
        .source = event->source,
        .vmid = event->vmid,
        .queue = event->queue,
        .pasid = ring->pasid,
        .data = event->data,
        .timestamp = gpu_clock(gpu),
    };
    EngineFault fault;

    return ring->base % sizeof(entry) == 0 &&
           gpu_vm_write(gpu, 0, ring->base + slot * sizeof(entry), &entry,
                        sizeof(entry), &fault);
}

/* The entry is there: let the guest see the new write pointer. */
static bool publish(TesseraGpu *gpu, const IhRing *ring)
{
    uint64_t wptr = ring->wptr + 1;
    EngineFault fault;

    gpu_lock(gpu);
    regs_set32(gpu, TESSERA_REG_IH_WPTR, wptr);
    gpu_unlock(gpu);
    return !ring->wptr_addr ||
           gpu_vm_atomic(gpu, 0, ring->wptr_addr, 4, VM_STORE, &wptr, &fault);
}

/*
 * Entries that fit for this source.  A shader can post as many as it likes: it
 * must not crowd out those that tell of other queues.
 */
static uint32_t room(const GpuEvent *event, unsigned log2)
{
    uint32_t size = 1u << log2;

    return event->source == TESSERA_IH_SHADER ? size - size / 4 : size;
}

/* What the entry came to: bits of IH_STATUS, 0 if it was written. */
static uint32_t post(TesseraGpu *gpu, const GpuEvent *event)
{
    IhRing ring = ih_snapshot(gpu, event->vmid);
    unsigned log2 = REG_FIELD(ring.control, IH_CONTROL, SIZE_LOG2);
    uint32_t status = 0;

    if (!REG_FIELD(ring.control, IH_CONTROL, ENABLE)) {
        return 0;
    }
    if (log2 < IH_SIZE_LOG2_MIN || log2 > IH_SIZE_LOG2_MAX) {
        status = TESSERA_IH_STATUS_FAULT_MASK;
    } else if (ring.wptr - ring.rptr >= room(event, log2) ||
               inject_now(gpu, TESSERA_INJECT_OVERFLOW, event->queue)) {
        status = TESSERA_IH_STATUS_OVERFLOW_MASK;
    } else if (!write_entry(gpu, &ring, ring.wptr & ((1u << log2) - 1),
                            event) ||
               !publish(gpu, &ring)) {
        status = TESSERA_IH_STATUS_FAULT_MASK;
    }
    gpu_trace(gpu, status ? "ih_post_err" : "ih_post", event->source,
              event->queue, event->data);
    if (status) {
        regs_raise(gpu, TESSERA_REG_IH_STATUS, status);
    }
    if (ring.mask & (1u << event->source) &&
        !inject_now(gpu, TESSERA_INJECT_LOST_IRQ, event->queue)) {
        gpu->host.ops->irq(gpu->host.opaque, 0);
    }
    return status;
}

/* With the lock held. */
static void count_dropped(TesseraGpu *gpu)
{
    gpu->regs[TESSERA_REG_IH_DROPPED / 4]++;
}

void ih_post(TesseraGpu *gpu, const GpuEvent *event)
{
    if (post(gpu, event) & TESSERA_IH_STATUS_OVERFLOW_MASK) {
        gpu_lock(gpu);
        count_dropped(gpu);
        gpu_unlock(gpu);
    }
}

static GpuEvent queue_event(unsigned source, const GpuQueue *queue,
                            uint64_t data)
{
    return (GpuEvent){
        .source = source,
        .vmid = queue->vmid,
        .queue = queue->slot,
        .data = data,
    };
}

void ih_post_queue(TesseraGpu *gpu, unsigned source, const GpuQueue *queue,
                   uint64_t data)
{
    GpuEvent event = queue_event(source, queue, data);

    ih_post(gpu, &event);
}

/*
 * A queue's errors must not get lost.  An entry that finds no room is posted
 * when there is some, with what the queue's registers say by then.
 */
void ih_post_error(TesseraGpu *gpu, unsigned source, GpuQueue *queue,
                   uint64_t data)
{
    GpuEvent event = queue_event(source, queue, data);

    if (queue->events_owed ||
        post(gpu, &event) & TESSERA_IH_STATUS_OVERFLOW_MASK) {
        queue->events_owed |= 1u << source;
    }
}

/* False if there is no more room. */
static bool post_owed(TesseraGpu *gpu, GpuQueue *queue)
{
    const GpuEvent events[] = {
        queue_event(TESSERA_IH_FAULT, queue, queue->fault.address),
        queue_event(TESSERA_IH_QUEUE_ERROR, queue, queue->error),
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(events); i++) {
        unsigned bit = 1u << events[i].source;

        if (!(queue->events_owed & bit)) {
            continue;
        }
        if (post(gpu, &events[i]) & TESSERA_IH_STATUS_OVERFLOW_MASK) {
            return false;
        }
        queue->events_owed &= ~bit;
    }
    return true;
}

void ih_post_owed(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        if (gpu->queues[i].events_owed && !post_owed(gpu, &gpu->queues[i])) {
            return;
        }
    }
    for (unsigned i = 0; i < TESSERA_SAVED_QUEUES; i++) {
        if (gpu->saved[i] && gpu->saved[i]->events_owed &&
            !post_owed(gpu, gpu->saved[i])) {
            return;
        }
    }
}

void ih_defer(TesseraGpu *gpu, const GpuEvent *event)
{
    GpuInbox *inbox = &gpu->inbox;

    if (inbox->event_count == EVENTS_MAX) {
        gpu->regs[TESSERA_REG_IH_STATUS / 4] |=
            TESSERA_IH_STATUS_OVERFLOW_MASK;
        count_dropped(gpu);
        return;
    }
    inbox->events[(inbox->event_head + inbox->event_count++) % EVENTS_MAX] =
        *event;
    cp_kick(gpu);
}
