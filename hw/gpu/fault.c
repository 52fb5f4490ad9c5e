/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens when a packet or a shader is wrong: the record in FAULT_*, the
 * bits in the queue's inactive signal, the events, and the end of the queue.
 */
#include <stddef.h>
#include "hw/gpu/internal.h"

static const struct {
    TesseraFaultCause cause;
    uint32_t bits;
} cause_bits[] = {
    { TESSERA_FAULT_ILLEGAL_INSTRUCTION, TESSERA_QERR_ILLEGAL_INSTRUCTION },
    { TESSERA_FAULT_UNIMPLEMENTED, TESSERA_QERR_ILLEGAL_INSTRUCTION },
    { TESSERA_FAULT_TRAP, (uint32_t)TESSERA_QERR_TRAP },
    { TESSERA_FAULT_HANG, (uint32_t)TESSERA_QERR_TRAP },
    { TESSERA_FAULT_PACKET, TESSERA_QERR_BAD_PACKET },
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

/* The first fault stays until the driver clears it; later ones set MORE. */
static void latch(TesseraGpu *gpu, const GpuQueue *queue,
                  const EngineFault *fault)
{
    uint32_t status = TESSERA_FAULT_STATUS_VALID_MASK |
                      fault->cause << TESSERA_FAULT_STATUS_CAUSE_SHIFT |
                      queue->vmid << TESSERA_FAULT_STATUS_VMID_SHIFT;

    if (fault->access == ENGINE_WRITE) {
        status |= TESSERA_FAULT_STATUS_WRITE_MASK;
    } else if (fault->access == ENGINE_FETCH) {
        status |= TESSERA_FAULT_STATUS_FETCH_MASK;
    }
    gpu_lock(gpu);
    if (regs_get32(gpu, TESSERA_REG_FAULT_STATUS) &
        TESSERA_FAULT_STATUS_VALID_MASK) {
        gpu->regs[TESSERA_REG_FAULT_STATUS / 4] |=
            TESSERA_FAULT_STATUS_MORE_MASK;
    } else {
        regs_set32(gpu, TESSERA_REG_FAULT_STATUS, status);
        regs_set32(gpu, TESSERA_REG_FAULT_QUEUE, queue->slot);
        regs_set64(gpu, TESSERA_REG_FAULT_ADDR, fault->address);
        regs_set64(gpu, TESSERA_REG_FAULT_PC, fault->pc);
        regs_set64(gpu, TESSERA_REG_FAULT_LANES, fault->lanes);
        gpu->first_fault = *fault;
    }
    gpu_unlock(gpu);
    gpu_trace(gpu, "fault_err", queue->slot, fault->cause, fault->address);
    ih_post_queue(gpu, TESSERA_IH_FAULT, queue, fault->address);
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

void fault_stop(TesseraGpu *gpu, GpuQueue *queue, uint32_t bits,
                const EngineFault *fault)
{
    const EngineFault packet = {
        .cause = TESSERA_FAULT_PACKET,
        .access = ENGINE_READ,
        .address = queue_packet_addr(queue, queue->fetch_index),
    };

    fault = fault ?: &packet;
    if (fault->cause == (unsigned)VM_CANCELLED) {
        return; /* a reset is under way, there is nobody to tell */
    }
    log_fault(gpu, queue, bits, fault);
    __atomic_store_n(&queue->error, queue->error | bits, __ATOMIC_RELEASE);
    __atomic_store_n(&queue->state, QUEUE_STOPPED, __ATOMIC_RELEASE);
    latch(gpu, queue, fault);
    tell_runtime(gpu, queue, bits);
    ih_post_queue(gpu, TESSERA_IH_QUEUE_ERROR, queue, bits);
}

CpResult fault_stop_on(TesseraGpu *gpu, GpuQueue *queue,
                       const EngineFault *fault)
{
    fault_stop(gpu, queue, fault_bits(fault->cause), fault);
    return CP_STOP;
}
