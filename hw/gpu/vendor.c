/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vendor packets.  Two formats are those of ROCm's runtime: PM4 commands in an
 * indirect buffer, and waiting for a signal's value.  The others are ours.
 */
#include <string.h>
#include "hw/gpu/internal.h"

static CpResult refuse(TesseraGpu *gpu, GpuQueue *queue,
                       TesseraFaultCause cause, uint64_t address,
                       const char *text)
{
    EngineFault fault = {
        .cause = cause,
        .access = ENGINE_READ,
        .address = address,
    };

    g_strlcpy(fault.text, text, sizeof(fault.text));
    return fault_stop_on(gpu, queue, &fault);
}

CpResult vendor_refuse(TesseraGpu *gpu, GpuQueue *queue, const char *text)
{
    return refuse(gpu, queue, TESSERA_FAULT_VENDOR,
                  queue_packet_addr(queue, queue->index), text);
}

static CpResult complete(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal)
{
    uint64_t index = queue->index;

    queue_advance(queue);
    return queue_complete(gpu, queue, index, signal, queue->packet_start,
                          gpu_clock(gpu));
}

/* ---- PM4 ---- */

#define PM4_NOP 0x10
#define PM4_ACQUIRE_MEM 0x58
#define PM4_NOP_ALONE 0x3fff /* count of a NOP that is its header only */
#define ACQUIRE_MEM_DWORDS 7 /* of GFX9 */

/* Those that a driver might try; for messages. */
static const struct {
    uint8_t opcode;
    const char *name;
} pm4_names[] = {
    { 0x10, "NOP" }, { 0x12, "CLEAR_STATE" }, { 0x15, "DISPATCH_DIRECT" },
    { 0x16, "DISPATCH_INDIRECT" }, { 0x1e, "ATOMIC_MEM" },
    { 0x28, "CONTEXT_CONTROL" }, { 0x37, "WRITE_DATA" },
    { 0x3c, "WAIT_REG_MEM" }, { 0x3f, "INDIRECT_BUFFER" },
    { 0x40, "COPY_DATA" }, { 0x42, "PFP_SYNC_ME" }, { 0x46, "EVENT_WRITE" },
    { 0x49, "RELEASE_MEM" }, { 0x50, "DMA_DATA" }, { 0x58, "ACQUIRE_MEM" },
    { 0x68, "SET_CONFIG_REG" }, { 0x69, "SET_CONTEXT_REG" },
    { 0x76, "SET_SH_REG" }, { 0x79, "SET_UCONFIG_REG" },
};

static const char *pm4_name(unsigned opcode)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(pm4_names); i++) {
        if (pm4_names[i].opcode == opcode) {
            return pm4_names[i].name;
        }
    }
    return "of unknown opcode";
}

/*
 * Dwords of the command at @ib, or 0 if it is not one of the two that may be
 * there.  ACQUIRE_MEM has nothing to do: memory is coherent, and every
 * dispatch looks whether its code has changed.
 */
static unsigned pm4_command(const uint32_t *ib, unsigned left)
{
    unsigned opcode = ib[0] >> 8 & 0xff;
    unsigned count = ib[0] >> 16 & 0x3fff;
    unsigned length = count + 2;

    if (ib[0] >> 30 != 3) {
        return 0;
    }
    if (opcode == PM4_NOP) {
        length = count == PM4_NOP_ALONE ? 1 : length;
        return length <= left ? length : 0;
    }
    return opcode == PM4_ACQUIRE_MEM && length == ACQUIRE_MEM_DWORDS &&
           length <= left ? length : 0;
}

static CpResult bad_pm4(TesseraGpu *gpu, GpuQueue *queue, uint64_t at,
                        uint32_t header)
{
    unsigned opcode = header >> 8 & 0xff;
    char text[64];

    if (header >> 30 == 3) {
        g_snprintf(text, sizeof(text), "PM4 %s (0x%02x)", pm4_name(opcode),
                   opcode);
    } else {
        g_snprintf(text, sizeof(text), "PM4 packet of type %u", header >> 30);
    }
    return refuse(gpu, queue, TESSERA_FAULT_PM4, at, text);
}

static bool pm4_well_formed(const AqlPm4Ib *packet)
{
    uint32_t size = packet->ib_size & PM4_IB_SIZE_MASK;

    for (unsigned i = 0; i < G_N_ELEMENTS(packet->reserved1); i++) {
        if (packet->reserved1[i]) {
            return false;
        }
    }
    return !packet->reserved0 && packet->command == PM4_INDIRECT_BUFFER &&
           packet->ib_low % 4 == 0 && packet->ib_high <= UINT16_MAX &&
           packet->ib_size == (size | PM4_IB_VALID) && size &&
           size <= PM4_IB_DWORDS_MAX && packet->remain == PM4_IB_REMAIN;
}

static CpResult pm4_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlPm4Ib *packet = &queue->packet.pm4;
    uint64_t at = packet->ib_low | (uint64_t)packet->ib_high << 32;
    unsigned count = packet->ib_size & PM4_IB_SIZE_MASK;
    uint32_t ib[PM4_IB_DWORDS_MAX];
    EngineFault fault;

    if (!pm4_well_formed(packet)) {
        return vendor_refuse(gpu, queue, "PM4 indirect buffer");
    }
    if (!gpu_vm_read(gpu, queue->vmid, at, ib, count * sizeof(ib[0]),
                     &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    for (unsigned i = 0; i < count;) {
        unsigned length = pm4_command(&ib[i], count - i);

        if (!length) {
            return bad_pm4(gpu, queue, at + i * 4, ib[i]);
        }
        i += length;
    }
    return complete(gpu, queue, packet->completion_signal);
}

/* ---- barrier-value ---- */

static bool compare(int64_t a, int64_t b, uint32_t condition)
{
    switch (condition) {
    case AQL_CONDITION_EQ:
        return a == b;
    case AQL_CONDITION_NE:
        return a != b;
    case AQL_CONDITION_LT:
        return a < b;
    default:
        return a >= b;
    }
}

static CpResult barrier_value_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlBarrierValue *packet = &queue->packet.value;
    EngineFault fault;
    int64_t value;

    if (packet->reserved0 || packet->reserved1 || packet->reserved2 ||
        packet->reserved3[0] || packet->reserved3[1] ||
        packet->condition > AQL_CONDITION_GTE) {
        return vendor_refuse(gpu, queue, "barrier-value");
    }
    if (packet->signal) {
        if (!signal_load(gpu, queue, packet->signal, &value, &fault)) {
            return fault_stop_on(gpu, queue, &fault);
        }
        if (!compare(value & packet->mask, packet->value,
                     packet->condition)) {
            return CP_POLL;
        }
    }
    return complete(gpu, queue, packet->completion_signal);
}

/* ---- ---- */

CpResult vendor_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    static const struct {
        uint8_t format;
        CpResult (*exec)(TesseraGpu *gpu, GpuQueue *queue);
    } formats[] = {
        { AQL_VENDOR_PM4_IB, pm4_exec },
        { AQL_VENDOR_BARRIER_VALUE, barrier_value_exec },
        { AQL_VENDOR_COPY, copy_exec },
        { AQL_VENDOR_FILL, fill_exec },
        { AQL_VENDOR_BLOCKS, blocks_exec },
    };
    uint8_t format = queue->packet.pm4.format;
    char text[32];

    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (formats[i].format == format) {
            return formats[i].exec(gpu, queue);
        }
    }
    g_snprintf(text, sizeof(text), "vendor format 0x%02x", format);
    return vendor_refuse(gpu, queue, text);
}
