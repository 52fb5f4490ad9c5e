/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dispatches of LinxISA blocks: the packet, registers, the result. */
#include <string.h>
#include "hw/gpu/internal.h"

_Static_assert(TESSERA_BLOCKS_GPRS == TESSERA_BLOCK_GPRS,
               "the guest's registers are the engine's");

static bool is_well_formed(const AqlBlocks *packet)
{
    return packet->version == AQL_BLOCKS_VERSION && !packet->reserved0 &&
           !packet->reserved1[0] && !packet->reserved1[1] &&
           !packet->reserved1[2] && packet->entry % 2 == 0 &&
           packet->gprs % 8 == 0 && packet->result % 8 == 0 &&
           packet->completion_signal % 8 == 0;
}

/* CP_NEXT and @blocks, or what has become of the queue. */
static CpResult read_gprs(TesseraGpu *gpu, GpuQueue *queue, uint64_t address,
                          TesseraBlocks *blocks)
{
    TesseraBlockGprs gprs;
    EngineFault fault;

    if (!address) {
        return CP_NEXT;
    }
    if (!gpu_vm_read(gpu, queue->vmid, address, &gprs, sizeof(gprs),
                     &fault)) {
        return fault_stop_on(gpu, queue, &fault);
    }
    if (gprs.size != sizeof(gprs) ||
        gprs.version != TESSERA_BLOCKS_VERSION || gprs.reserved ||
        gprs.gpr[0]) {
        return vendor_refuse(gpu, queue, "registers of a block dispatch");
    }
    memcpy(blocks->gpr, gprs.gpr, sizeof(blocks->gpr));
    return CP_NEXT;
}

CpResult blocks_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlBlocks *packet = &queue->packet.blocks;
    TesseraBlocks blocks = { 0 };
    GpuDispatch *dispatch;
    CpResult result;

    if (!is_well_formed(packet)) {
        return vendor_refuse(gpu, queue, "block dispatch");
    }
    if (!turns_have_room(gpu, queue)) {
        return CP_BUSY;
    }
    result = read_gprs(gpu, queue, packet->gprs, &blocks);
    if (result != CP_NEXT) {
        return result;
    }
    dispatch = dispatch_new(gpu, queue);
    dispatch->blocks = blocks;
    dispatch->result = packet->result;
    dispatch->signal = packet->completion_signal;
    dispatch->engine.stream = true;
    dispatch->engine.launch.entry = packet->entry;
    dispatch->engine.launch.blocks = &dispatch->blocks;
    dispatch_launch(gpu, queue, dispatch);
    return CP_NEXT;
}

/* ---- the end ---- */

static uint32_t status_of(const GpuDispatch *dispatch)
{
    return dispatch->engine.status == ENGINE_DONE ? TESSERA_BLOCKS_DONE :
           dispatch->blocks.trapped ? TESSERA_BLOCKS_TRAPPED :
           TESSERA_BLOCKS_STOPPED;
}

bool blocks_store_result(TesseraGpu *gpu, GpuQueue *queue,
                         const GpuDispatch *dispatch, EngineFault *fault)
{
    const TesseraBlocks *blocks = &dispatch->blocks;
    TesseraBlockResult result = {
        .size = sizeof(result),
        .version = TESSERA_BLOCKS_VERSION,
        .status = status_of(dispatch),
        .committed = blocks->committed,
    };

    if (!dispatch->result || dispatch->engine.status == ENGINE_KILLED) {
        return true;
    }
    if (result.status == TESSERA_BLOCKS_TRAPPED) {
        result.trapno = blocks->trapno;
        result.traparg0 = blocks->traparg0;
        result.ecstate = blocks->ecstate;
        result.ebpc = blocks->ebpc;
        result.ebpcn = blocks->ebpcn;
        result.ebarg = blocks->ebarg;
        result.etpc = blocks->etpc;
    }
    memcpy(result.gpr, blocks->gpr, sizeof(result.gpr));
    return gpu_vm_write(gpu, queue->vmid, dispatch->result, &result,
                        sizeof(result), fault);
}
