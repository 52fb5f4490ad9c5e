/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals (amd_signal_t): a 64-bit value that is waited for, and optionally a
 * mailbox that takes the event id before an interrupt is raised.
 */
#include <stddef.h>
#include "hw/gpu/internal.h"

static bool read_field(TesseraGpu *gpu, GpuQueue *queue, uint64_t at,
                       void *value, size_t size, EngineFault *fault)
{
    return gpu_vm_read(gpu, queue->vmid, at, value, size, fault);
}

/* The value has changed: wake who sleeps on the signal's event. */
static bool notify(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
                   EngineFault *fault)
{
    uint64_t mailbox, id = 0;
    uint32_t event;

    if (!read_field(gpu, queue,
                    signal + offsetof(AmdSignal, event_mailbox_ptr), &mailbox,
                    sizeof(mailbox), fault)) {
        return false;
    }
    if (!mailbox) {
        return true;
    }
    if (!read_field(gpu, queue, signal + offsetof(AmdSignal, event_id),
                    &event, sizeof(event), fault)) {
        return false;
    }
    id = event;
    if (!gpu_vm_atomic(gpu, queue->vmid, mailbox, 8, VM_STORE, &id, fault)) {
        return false;
    }
    ih_post_queue(gpu, TESSERA_IH_SIGNAL, queue, event);
    return true;
}

static bool change(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
                   VmAtomic op, uint64_t operand, EngineFault *fault)
{
    uint64_t at = signal + offsetof(AmdSignal, value);

    return gpu_vm_atomic(gpu, queue->vmid, at, 8, op, &operand, fault) &&
           notify(gpu, queue, signal, fault);
}

bool signal_or(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
               uint64_t bits, EngineFault *fault)
{
    return change(gpu, queue, signal, VM_OR, bits, fault);
}

bool signal_store(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
                  uint64_t value, EngineFault *fault)
{
    return change(gpu, queue, signal, VM_STORE, value, fault);
}

bool signal_load(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
                 int64_t *value, EngineFault *fault)
{
    uint64_t loaded = 0;
    bool ok = gpu_vm_atomic(gpu, queue->vmid,
                            signal + offsetof(AmdSignal, value), 8, VM_LOAD,
                            &loaded, fault);

    *value = loaded;
    return ok;
}

/*
 * The timestamps are stored whether or not the queue profiles: they cost
 * nothing here, and a driver without an AmdQueue has no other way to ask.
 */
bool signal_complete(TesseraGpu *gpu, GpuQueue *queue, GpuCompletion *c,
                     EngineFault *fault)
{
    const uint64_t stamps[2] = { c->start, c->end };
    uint64_t minus_one = UINT64_MAX;

    gpu_trace(gpu, "signal_complete", queue->slot, c->signal,
              c->end - c->start);
    if (!c->signal) {
        return true;
    }
    if (!c->counted) {
        if (!gpu_vm_write(gpu, queue->vmid,
                          c->signal + offsetof(AmdSignal, start_ts), stamps,
                          sizeof(stamps), fault) ||
            !gpu_vm_atomic(gpu, queue->vmid,
                           c->signal + offsetof(AmdSignal, value), 8, VM_ADD,
                           &minus_one, fault)) {
            return false;
        }
        c->counted = true;
    }
    return notify(gpu, queue, c->signal, fault);
}
