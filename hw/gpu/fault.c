/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens when a packet or a shader is wrong: the record in FAULT_*, the
 * bits in the queue's inactive signal, the events, and the end of the queue.
 */
#include <stddef.h>
#include <string.h>
#include "hw/gpu/internal.h"

static const struct {
    TesseraFaultCause cause;
    uint32_t bits;
} cause_bits[] = {
    { TESSERA_FAULT_ILLEGAL_INSTRUCTION, TESSERA_QERR_ILLEGAL_INSTRUCTION },
    { TESSERA_FAULT_UNIMPLEMENTED, TESSERA_QERR_ILLEGAL_INSTRUCTION },
    { TESSERA_FAULT_NO_GDS, TESSERA_QERR_ILLEGAL_INSTRUCTION },
    { TESSERA_FAULT_BLOCK, TESSERA_QERR_ILLEGAL_INSTRUCTION },
    { TESSERA_FAULT_TRAP, (uint32_t)TESSERA_QERR_TRAP },
    { TESSERA_FAULT_HANG, (uint32_t)TESSERA_QERR_TRAP },
    { TESSERA_FAULT_PACKET, TESSERA_QERR_BAD_PACKET },
    { TESSERA_FAULT_VENDOR, TESSERA_QERR_BAD_VENDOR_PACKET },
    { TESSERA_FAULT_PM4, TESSERA_QERR_BAD_VENDOR_PACKET },
};

static uint32_t fault_bits(TesseraFaultCause cause)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cause_bits); i++) {
        if (cause_bits[i].cause == cause) {
            return cause_bits[i].bits;
        }
    }
    return TESSERA_QERR_MEMORY_FAULT;
}

uint32_t fault_status(const EngineFault *fault, unsigned vmid)
{
    uint32_t status = TESSERA_FAULT_STATUS_VALID_MASK |
                      fault->cause << TESSERA_FAULT_STATUS_CAUSE_SHIFT |
                      vmid << TESSERA_FAULT_STATUS_VMID_SHIFT;

    if (fault->access == ENGINE_WRITE) {
        status |= TESSERA_FAULT_STATUS_WRITE_MASK;
    } else if (fault->access == ENGINE_FETCH) {
        status |= TESSERA_FAULT_STATUS_FETCH_MASK;
    }
    return status;
}

/* The queue's own record, the first since it was resumed. */
static void latch_queue(GpuQueue *queue, const EngineFault *fault,
                        uint64_t index)
{
    if (queue->fault.cause == TESSERA_FAULT_NONE) {
        queue->fault = *fault;
        queue->fault_index = index;
    } else {
        queue->fault_more = true;
    }
}

/*
 * Registers show the records and the queue's state at once.  The first fault
 * stays until the driver clears it; later ones set MORE.
 */
static void latch(TesseraGpu *gpu, GpuQueue *queue, uint32_t bits,
                  const EngineFault *fault, uint64_t index)
{
    gpu_lock(gpu);
    latch_queue(queue, fault, index);
    __atomic_store_n(&queue->error, queue->error | bits, __ATOMIC_RELEASE);
    queue_set_state(queue);
    if (regs_get32(gpu, TESSERA_REG_FAULT_STATUS) &
        TESSERA_FAULT_STATUS_VALID_MASK) {
        gpu->regs[TESSERA_REG_FAULT_STATUS / 4] |=
            TESSERA_FAULT_STATUS_MORE_MASK;
    } else {
        regs_set32(gpu, TESSERA_REG_FAULT_STATUS,
                   fault_status(fault, queue->vmid));
        regs_set32(gpu, TESSERA_REG_FAULT_QUEUE, queue->slot);
        regs_set64(gpu, TESSERA_REG_FAULT_ADDR, fault->address);
        regs_set64(gpu, TESSERA_REG_FAULT_PC, fault->pc);
        regs_set64(gpu, TESSERA_REG_FAULT_LANES, fault->lanes);
        gpu->first_fault = *fault;
    }
    gpu_unlock(gpu);
    gpu_trace(gpu, "fault_err", queue->slot, fault->cause, fault->address);
    ih_post_error(gpu, TESSERA_IH_FAULT, queue, fault->address);
}

/*
 * Tell the runtime through the inactive signal.  A bad signal is no further
 * error: the queue has stopped already and QUEUE_ERROR says why.
 */
static void tell_runtime(TesseraGpu *gpu, GpuQueue *queue, uint32_t bits)
{
    uint64_t signal = 0;
    EngineFault fault;

    if (queue->amd_queue &&
        gpu_vm_read(gpu, queue->vmid,
                    queue->amd_queue +
                        offsetof(AmdQueue, queue_inactive_signal),
                    &signal, sizeof(signal), &fault) &&
        signal) {
        signal_or(gpu, queue, signal, bits, &fault);
    }
}

static void log_fault(TesseraGpu *gpu, const GpuQueue *queue, uint32_t bits,
                      const EngineFault *fault)
{
    static const char *const names[] = {
#define FAULT_NAME(n, v, doc) [v] = doc,
        TESSERA_FAULTS(FAULT_NAME)
    };

    gpu_log(gpu, TESSERA_LOG_GUEST_ERROR,
            "queue %u stopped, error bits 0x%x: %s, address 0x%" PRIx64
            ", PC 0x%" PRIx64 " %s",
            queue->slot, bits,
            fault->cause < G_N_ELEMENTS(names) ? names[fault->cause] : "?",
            fault->address, fault->pc, fault->text);
}

static void stop(TesseraGpu *gpu, GpuQueue *queue, uint32_t bits,
                 const EngineFault *fault, uint64_t index)
{
    if (fault->cause == (unsigned)VM_CANCELLED) {
        return; /* a reset is under way, there is nobody to tell */
    }
    log_fault(gpu, queue, bits, fault);
    latch(gpu, queue, bits, fault, index);
    tell_runtime(gpu, queue, bits);
    ih_post_error(gpu, TESSERA_IH_QUEUE_ERROR, queue, bits);
}

void fault_stop(TesseraGpu *gpu, GpuQueue *queue, uint32_t bits,
                const EngineFault *fault)
{
    const EngineFault packet = {
        .cause = TESSERA_FAULT_PACKET,
        .access = ENGINE_READ,
        .address = queue_packet_addr(queue, queue->index),
    };

    stop(gpu, queue, bits, fault ?: &packet, queue->index);
}

CpResult fault_stop_on(TesseraGpu *gpu, GpuQueue *queue,
                       const EngineFault *fault)
{
    fault_stop_at(gpu, queue, fault, queue->index);
    return CP_STOP;
}

void fault_stop_at(TesseraGpu *gpu, GpuQueue *queue, const EngineFault *fault,
                   uint64_t index)
{
    stop(gpu, queue, fault_bits(fault->cause), fault, index);
}

void fault_forget(TesseraGpu *gpu, GpuQueue *queue)
{
    gpu_lock(gpu);
    memset(&queue->fault, 0, sizeof(queue->fault));
    queue->fault_index = 0;
    queue->fault_more = false;
    gpu_unlock(gpu);
    __atomic_store_n(&queue->error, 0, __ATOMIC_RELEASE);
    queue_set_state(queue);
}
