/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Doorbells: an array of 64-bit values, one slice a VMID.  The value is of no
 * interest, a write has the packet processor look at the ring: several
 * producers may ring out of order (rocm-kfd, "Doorbell").
 */
#include <string.h>
#include "hw/gpu/internal.h"

void doorbell_reset(TesseraGpu *gpu)
{
    memset(gpu->doorbells, 0, DOORBELL_BYTES);
    for (unsigned i = 0; i < DOORBELLS; i++) {
        gpu->doorbell_slots[i] = NO_QUEUE;
    }
}

bool doorbell_claim(TesseraGpu *gpu, unsigned doorbell, uint16_t slot)
{
    bool free;

    gpu_lock(gpu);
    free = gpu->doorbell_slots[doorbell] == NO_QUEUE;
    if (free) {
        gpu->doorbell_slots[doorbell] = slot;
    }
    gpu_unlock(gpu);
    return free;
}

void doorbell_release(TesseraGpu *gpu, unsigned doorbell)
{
    gpu_lock(gpu);
    gpu->doorbell_slots[doorbell] = NO_QUEUE;
    gpu_unlock(gpu);
}

/* With the lock held. */
static void kick(TesseraGpu *gpu, unsigned doorbell)
{
    uint16_t slot = gpu->doorbell_slots[doorbell];

    if (slot != NO_QUEUE) {
        gpu->inbox.kicks[slot / 64] |= 1ull << (slot % 64);
        gpu->inbox.any_kick = true;
        cp_kick(gpu);
    }
}

void doorbell_written(TesseraGpu *gpu, uint64_t offset, uint64_t len)
{
    uint64_t end = MIN(offset + len, DOORBELL_BYTES);

    gpu_lock(gpu);
    for (uint64_t i = offset / 8; i * 8 < end; i++) {
        kick(gpu, i);
    }
    gpu_unlock(gpu);
}

void doorbell_scan(TesseraGpu *gpu)
{
    for (unsigned slot = 0; slot < TESSERA_QUEUES; slot++) {
        GpuQueue *queue = &gpu->queues[slot];
        uint64_t value;

        if (queue->state != QUEUE_MAPPED) {
            continue;
        }
        value = __atomic_load_n(&gpu->doorbells[queue_doorbell(queue)],
                                __ATOMIC_ACQUIRE);
        if (value != queue->doorbell_seen) {
            queue->doorbell_seen = value;
            queue_wake(gpu, queue);
        }
    }
}

void doorbell_kick_all(TesseraGpu *gpu)
{
    gpu_lock(gpu);
    for (unsigned slot = 0; slot < TESSERA_QUEUES; slot++) {
        if (gpu->queues[slot].state == QUEUE_MAPPED) {
            kick(gpu, queue_doorbell(&gpu->queues[slot]));
        }
    }
    gpu_unlock(gpu);
}

static bool bad_access(TesseraGpu *gpu, uint32_t offset, unsigned size)
{
    if ((size == 4 || size == 8) && offset % size == 0 &&
        offset < DOORBELL_BYTES) {
        return false;
    }
    gpu_log(gpu, TESSERA_LOG_GUEST_ERROR,
            "no doorbell for a %u-byte access at offset 0x%x", size, offset);
    return true;
}

uint64_t tessera_gpu_doorbell_read(TesseraGpu *gpu, uint32_t offset,
                                   unsigned size)
{
    uint8_t *at = (uint8_t *)gpu->doorbells + offset;

    if (bad_access(gpu, offset, size)) {
        return 0;
    }
    return size == 8 ? __atomic_load_n((uint64_t *)at, __ATOMIC_RELAXED)
                     : __atomic_load_n((uint32_t *)at, __ATOMIC_RELAXED);
}

void tessera_gpu_doorbell_write(TesseraGpu *gpu, uint32_t offset,
                                uint64_t value, unsigned size)
{
    uint8_t *at = (uint8_t *)gpu->doorbells + offset;

    if (bad_access(gpu, offset, size)) {
        return;
    }
    if (size == 8) {
        __atomic_store_n((uint64_t *)at, value, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n((uint32_t *)at, value, __ATOMIC_RELEASE);
    }
    gpu_lock(gpu);
    kick(gpu, offset / 8);
    gpu_unlock(gpu);
}
