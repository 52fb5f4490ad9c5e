/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands: the driver's way to load, unmap and kill queues.
 */
#include <stddef.h>
#include "hw/gpu/internal.h"

void command_submit(TesseraGpu *gpu, uint64_t addr)
{
    GpuInbox *inbox = &gpu->inbox;

    if (inbox->command_count == COMMANDS_MAX) {
        gpu->regs[TESSERA_REG_CMD_STATUS / 4] |=
            TESSERA_CMD_STATUS_DROPPED_MASK;
        return;
    }
    inbox->commands[(inbox->command_head + inbox->command_count++) %
                    COMMANDS_MAX] = addr;
    cp_kick(gpu);
}

static void count_done(TesseraGpu *gpu, uint32_t status)
{
    gpu_lock(gpu);
    gpu->regs[TESSERA_REG_CMD_STATUS / 4] |= status;
    gpu->regs[TESSERA_REG_CMD_DONE / 4]++;
    gpu_unlock(gpu);
}

/* Result before fence before event, as abi.h promises. */
void command_finish(TesseraGpu *gpu, GpuCommand *command, uint32_t result)
{
    uint64_t value = result;
    EngineFault fault;
    bool ok = gpu_vm_atomic(gpu, 0,
                            command->addr + offsetof(TesseraCommand, result),
                            4, VM_STORE, &value, &fault);

    value = command->fence_value;
    if (ok && command->fence_addr) {
        ok = gpu_vm_atomic(gpu, 0, command->fence_addr, 8, VM_STORE, &value,
                           &fault);
    }
    if (!ok) {
        gpu_log(gpu, TESSERA_LOG_GUEST_ERROR,
                "command at 0x%" PRIx64 ": result or fence is not writable",
                command->addr);
    }
    gpu_trace(gpu, result == TESSERA_RESULT_OK ? "command" : "command_err",
              command->addr, command->slot, result);
    count_done(gpu, ok ? 0 : TESSERA_CMD_STATUS_REFUSED_MASK);
    ih_post(gpu, &(GpuEvent){
        .source = TESSERA_IH_COMMAND,
        .queue = MIN(command->slot, NO_QUEUE),
        .data = command->fence_value,
    });
}

/* A command's part in what it does; PENDING if it finishes later. */
typedef uint32_t CommandFn(TesseraGpu *gpu, const TesseraCommand *request,
                           const GpuCommand *command);

static uint32_t run_map(TesseraGpu *gpu, const TesseraCommand *request,
                        const GpuCommand *command)
{
    return queue_map(gpu, request->slot, request->descriptor);
}

static GpuQueue *queue_in_use(TesseraGpu *gpu, uint32_t slot)
{
    if (slot >= TESSERA_QUEUES || gpu->queues[slot].state == QUEUE_FREE) {
        return NULL;
    }
    return &gpu->queues[slot];
}

static uint32_t run_unmap(TesseraGpu *gpu, const TesseraCommand *request,
                          const GpuCommand *command)
{
    GpuQueue *queue = queue_in_use(gpu, request->slot);

    if (!queue || queue_closing(queue)) {
        return TESSERA_RESULT_BAD_SLOT;
    }
    queue_unmap(gpu, queue, command);
    return TESSERA_RESULT_PENDING;
}

/* A queue that never drains can be killed while it is being unmapped. */
static uint32_t run_kill(TesseraGpu *gpu, const TesseraCommand *request,
                         const GpuCommand *command)
{
    GpuQueue *queue = queue_in_use(gpu, request->slot);

    if (!queue || queue->kill.addr) {
        return TESSERA_RESULT_BAD_SLOT;
    }
    queue_kill(gpu, queue, command);
    return TESSERA_RESULT_PENDING;
}

static uint32_t run_invalidate(TesseraGpu *gpu, const TesseraCommand *request,
                               const GpuCommand *command)
{
    vm_invalidate_cp(gpu);
    return TESSERA_RESULT_OK;
}

static CommandFn *const command_table[] = {
    [TESSERA_CMD_MAP] = run_map,
    [TESSERA_CMD_UNMAP] = run_unmap,
    [TESSERA_CMD_KILL] = run_kill,
    [TESSERA_CMD_INVALIDATE] = run_invalidate,
};

static bool well_formed(const TesseraCommand *request)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(request->reserved); i++) {
        if (request->reserved[i]) {
            return false;
        }
    }
    return request->size == sizeof(*request) &&
           request->version == TESSERA_ABI_VERSION &&
           request->op < G_N_ELEMENTS(command_table) &&
           command_table[request->op] &&
           request->fence_addr % 8 == 0 &&
           (request->op == TESSERA_CMD_MAP ||
            request->op == TESSERA_CMD_INVALIDATE || !request->descriptor);
}

void command_run(TesseraGpu *gpu, uint64_t addr)
{
    TesseraCommand request;
    GpuCommand command;
    EngineFault fault;
    uint32_t result;

    if (!addr || addr % sizeof(request) ||
        !gpu_vm_read(gpu, 0, addr, &request, sizeof(request), &fault)) {
        gpu_log(gpu, TESSERA_LOG_GUEST_ERROR,
                "command at 0x%" PRIx64 " is misaligned or unreadable", addr);
        count_done(gpu, TESSERA_CMD_STATUS_REFUSED_MASK);
        return;
    }
    command = (GpuCommand){
        .addr = addr,
        .fence_addr = request.fence_addr,
        .fence_value = request.fence_value,
        .slot = request.slot,
    };
    if (!well_formed(&request)) {
        /* A misaligned fence cannot be written. */
        command.fence_addr = request.fence_addr % 8 ? 0 : request.fence_addr;
        command_finish(gpu, &command, TESSERA_RESULT_BAD_COMMAND);
        return;
    }
    result = command_table[request.op](gpu, &request, &command);
    if (result != TESSERA_RESULT_PENDING) {
        command_finish(gpu, &command, result);
    }
}
