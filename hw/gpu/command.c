/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands: the driver's way to load, change, stop and unload queues.
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
    if (inject_now(gpu, TESSERA_INJECT_BAD_FENCE, command->slot)) {
        value = ~value;
    }
    if (ok && command->fence_addr) {
        ok = gpu_vm_atomic(gpu, 0, command->fence_addr, 8, VM_STORE, &value,
                           &fault);
    }
    if (!ok && !vm_is_cut(gpu)) {
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

/*
 * The queue for a command that needs it in peace: OK, or why not.  Only KILL
 * comes through while another command is being carried out.
 */
static uint32_t find_queue(TesseraGpu *gpu, uint32_t slot, GpuQueue **queue)
{
    *queue = queue_in_use(gpu, slot);
    if (!*queue) {
        return TESSERA_RESULT_BAD_SLOT;
    }
    return queue_closing(*queue) || (*queue)->freeze.addr
               ? TESSERA_RESULT_BUSY : TESSERA_RESULT_OK;
}

static uint32_t run_unmap(TesseraGpu *gpu, const TesseraCommand *request,
                          const GpuCommand *command)
{
    bool preempt = request->flags & TESSERA_UNMAP_PREEMPT;
    GpuQueue *queue;
    uint32_t result = find_queue(gpu, request->slot, &queue);

    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    if (!preempt && queue->frozen && (queue->inflight || queue->copying)) {
        return TESSERA_RESULT_BAD_STATE; /* they would never end */
    }
    queue_unmap(gpu, queue, command, preempt);
    return TESSERA_RESULT_PENDING;
}

/* A queue that never drains can be killed while it is being unmapped. */
static uint32_t run_kill(TesseraGpu *gpu, const TesseraCommand *request,
                         const GpuCommand *command)
{
    GpuQueue *queue = queue_in_use(gpu, request->slot);

    if (!queue) {
        return TESSERA_RESULT_BAD_SLOT;
    }
    if (queue->kill.addr) {
        return TESSERA_RESULT_BUSY;
    }
    queue_kill(gpu, queue, command);
    return TESSERA_RESULT_PENDING;
}

static uint32_t run_freeze(TesseraGpu *gpu, const TesseraCommand *request,
                           const GpuCommand *command)
{
    GpuQueue *queue;
    uint32_t result = find_queue(gpu, request->slot, &queue);

    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    if (queue->frozen & FROZEN_COMMAND) {
        return TESSERA_RESULT_BAD_STATE;
    }
    queue_freeze(gpu, queue, FROZEN_COMMAND, command);
    return TESSERA_RESULT_PENDING;
}

static uint32_t run_resume(TesseraGpu *gpu, const TesseraCommand *request,
                           const GpuCommand *command)
{
    GpuQueue *queue;
    uint32_t result = find_queue(gpu, request->slot, &queue);

    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    if (queue->state != QUEUE_STOPPED && !(queue->frozen & FROZEN_COMMAND)) {
        return TESSERA_RESULT_BAD_STATE;
    }
    if (queue->state == QUEUE_STOPPED) {
        queue_recover(gpu, queue, request->flags & TESSERA_RESUME_SKIP);
    }
    queue_thaw(gpu, queue, FROZEN_COMMAND);
    return TESSERA_RESULT_OK;
}

static uint32_t run_update(TesseraGpu *gpu, const TesseraCommand *request,
                           const GpuCommand *command)
{
    GpuQueue *queue;
    uint32_t result = find_queue(gpu, request->slot, &queue);
    bool inactive;

    if (result == TESSERA_RESULT_OK) {
        result = queue_update(gpu, queue, request->descriptor);
    }
    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    inactive = queue->desc.flags & TESSERA_QUEUE_INACTIVE;
    if (inactive && !(queue->frozen & FROZEN_INACTIVE)) {
        queue_freeze(gpu, queue, FROZEN_INACTIVE, command);
        return TESSERA_RESULT_PENDING;
    }
    if (!inactive && queue->frozen & FROZEN_INACTIVE) {
        queue_thaw(gpu, queue, FROZEN_INACTIVE);
    }
    return TESSERA_RESULT_OK;
}

static uint32_t run_discard(TesseraGpu *gpu, const TesseraCommand *request,
                            const GpuCommand *command)
{
    TesseraQueue desc;
    uint32_t result = request->slot ? TESSERA_RESULT_BAD_SLOT
                                    : queue_read_desc(gpu, request->descriptor,
                                                      &desc);
    GpuQueue *saved;

    if (result != TESSERA_RESULT_OK) {
        return result;
    }
    saved = queue_find_saved(gpu, &desc);
    if (!saved) {
        return TESSERA_RESULT_BAD_STATE;
    }
    if (queue_closing(saved)) {
        return TESSERA_RESULT_BUSY;
    }
    queue_kill(gpu, saved, command);
    return TESSERA_RESULT_PENDING;
}

static uint32_t run_invalidate(TesseraGpu *gpu, const TesseraCommand *request,
                               const GpuCommand *command)
{
    vm_invalidate_cp(gpu);
    return TESSERA_RESULT_OK;
}

static const struct {
    CommandFn *run;
    bool descriptor; /* it has one */
    uint32_t flags;  /* that it has */
} command_table[] = {
    [TESSERA_CMD_MAP] = { run_map, true, 0 },
    [TESSERA_CMD_UNMAP] = { run_unmap, false, TESSERA_UNMAP_PREEMPT },
    [TESSERA_CMD_KILL] = { run_kill, false, 0 },
    [TESSERA_CMD_FREEZE] = { run_freeze, false, 0 },
    [TESSERA_CMD_RESUME] = { run_resume, false, TESSERA_RESUME_SKIP },
    [TESSERA_CMD_UPDATE] = { run_update, true, 0 },
    [TESSERA_CMD_DISCARD] = { run_discard, true, 0 },
    [TESSERA_CMD_INVALIDATE] = { run_invalidate, true, 0 },
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
           command_table[request->op].run &&
           !(request->flags & ~command_table[request->op].flags) &&
           request->fence_addr % 8 == 0 &&
           (command_table[request->op].descriptor || !request->descriptor);
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
    result = command_table[request.op].run(gpu, &request, &command);
    if (result != TESSERA_RESULT_PENDING) {
        command_finish(gpu, &command, result);
    }
}
