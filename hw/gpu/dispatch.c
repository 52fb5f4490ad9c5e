/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel dispatch packets: validation, the kernel object, launch, completion.
 */
#include <stddef.h>
#include <string.h>
#include "hw/gpu/internal.h"

#define GROUP_ITEMS_MAX 1024
#define CODE_ALIGN 256
#define KERNEL_OBJECT_ALIGN 64

/* ---- the packet ---- */

static uint32_t check_sizes(const AqlDispatch *packet)
{
    const uint32_t grid[3] = { packet->grid_x, packet->grid_y,
                               packet->grid_z };
    const uint32_t group[3] = { packet->group_x, packet->group_y,
                                packet->group_z };
    unsigned dims = packet->setup & 3;
    uint64_t items = 1, work = 1;

    if (!dims) {
        return TESSERA_QERR_BAD_DIMENSIONS;
    }
    for (unsigned d = 0; d < 3; d++) {
        if (!grid[d] || !group[d] ||
            (d >= dims && (grid[d] != 1 || group[d] != 1)) ||
            __builtin_mul_overflow(work, grid[d], &work)) {
            return TESSERA_QERR_BAD_DIMENSIONS;
        }
        items *= group[d];
    }
    return items > GROUP_ITEMS_MAX ? TESSERA_QERR_GROUP_TOO_LARGE : 0;
}

/*
 * reserved2 is not checked: ROCm's HIP runtime stores a correlation number of
 * its profiler there.
 */
static uint32_t check_packet(TesseraGpu *gpu, const AqlDispatch *packet)
{
    if (packet->setup & ~3u || packet->reserved0 ||
        packet->completion_signal % 8) {
        return TESSERA_QERR_BAD_PACKET;
    }
    if (packet->group_size > gpu->isa->max_lds) {
        return TESSERA_QERR_BAD_LDS_SIZE;
    }
    return check_sizes(packet);
}

/* ---- the kernel object ---- */

static uint32_t bad_code(EngineFault *fault, TesseraFaultCause cause,
                         EngineAccess access, uint64_t address)
{
    *fault = (EngineFault){
        .cause = cause,
        .access = access,
        .address = address,
    };
    return TESSERA_QERR_BAD_CODE;
}

/*
 * Two formats arrive, a 64-byte kernel descriptor and a 256-byte
 * amd_kernel_code_t.  They agree from byte 16 on; LDS and scratch sizes, which
 * lie before that in one of them, are taken from the packet.
 */
static uint32_t read_kernel(TesseraGpu *gpu, GpuQueue *queue, uint64_t object,
                            TesseraLaunch *launch, EngineFault *fault)
{
    AmdKernelDescriptor kernel;
    TesseraFaultCause cause;
    EnginePage page;

    if (!object || object % KERNEL_OBJECT_ALIGN) {
        return bad_code(fault, object ? TESSERA_FAULT_MISALIGNED
                                      : TESSERA_FAULT_UNMAPPED,
                        ENGINE_READ, object);
    }
    if (!gpu_vm_read(gpu, queue->vmid, object, &kernel, sizeof(kernel),
                     fault)) {
        return TESSERA_QERR_BAD_CODE;
    }
    launch->entry = object + (uint64_t)kernel.kernel_code_entry_byte_offset;
    launch->rsrc1 = kernel.compute_pgm_rsrc1;
    launch->rsrc2 = kernel.compute_pgm_rsrc2;
    launch->rsrc3 = kernel.compute_pgm_rsrc3;
    launch->properties = kernel.kernel_code_properties;
    if (launch->entry % CODE_ALIGN) {
        return bad_code(fault, TESSERA_FAULT_MISALIGNED, ENGINE_FETCH,
                        launch->entry);
    }
    cause = gpu_vm_find(gpu, queue->vmid, launch->entry, ENGINE_FETCH, &page);
    if (cause != TESSERA_FAULT_NONE) {
        return bad_code(fault, cause, ENGINE_FETCH, launch->entry);
    }
    if (gpu->isa->wave_vgprs(launch) > gpu->isa->max_vgprs) {
        bad_code(fault, TESSERA_FAULT_PACKET, ENGINE_READ, object);
        return TESSERA_QERR_TOO_MANY_VGPRS;
    }
    return 0;
}

/* ---- launch ---- */

static void fill_launch(TesseraGpu *gpu, GpuQueue *queue,
                        const AqlDispatch *packet, TesseraLaunch *launch)
{
    uint32_t vm = queue->vmid * 0x40, bases;

    gpu_lock(gpu);
    bases = regs_get32(gpu, TESSERA_REG_VM_SH_MEM_BASES + vm);
    launch->mem_config = regs_get32(gpu, TESSERA_REG_VM_SH_MEM_CONFIG + vm);
    launch->tba = regs_get64(gpu, TESSERA_REG_VM_TBA + vm);
    launch->tma = regs_get64(gpu, TESSERA_REG_VM_TMA + vm);
    gpu_unlock(gpu);
    launch->dispatch_ptr = queue_packet_addr(queue, queue->index);
    launch->queue_ptr = queue->amd_queue;
    launch->kernarg_ptr = packet->kernarg_address;
    launch->dispatch_id = queue->index;
    launch->doorbell = queue->desc.doorbell;
    launch->private_size = packet->private_size;
    launch->lds_size = packet->group_size;
    launch->private_base_hi = REG_FIELD(bases, VM_SH_MEM_BASES, PRIVATE);
    launch->shared_base_hi = REG_FIELD(bases, VM_SH_MEM_BASES, SHARED);
}

GpuDispatch *dispatch_new(TesseraGpu *gpu, GpuQueue *queue)
{
    GpuDispatch *d = g_new0(GpuDispatch, 1);

    d->engine = (EngineDispatch){
        .vmid = queue->vmid,
        .priority = queue->priority,
        .cu_mask = queue->cu_mask,
        .stats = gpu->stats,
        .profile = gpu->profile,
        .strict = gpu->strict,
        .owner = d,
    };
    d->queue = queue;
    d->index = queue->index;
    d->start = gpu_clock(gpu);
    d->hung = inject_now(gpu, TESSERA_INJECT_HANG, queue->slot);
    return d;
}

static GpuDispatch *kernel_dispatch(TesseraGpu *gpu, GpuQueue *queue,
                                    const TesseraLaunch *launch)
{
    const AqlDispatch *packet = &queue->packet.dispatch;
    const uint32_t grid[3] = { packet->grid_x, packet->grid_y,
                               packet->grid_z };
    const uint32_t group[3] = { packet->group_x, packet->group_y,
                                packet->group_z };
    GpuDispatch *d = dispatch_new(gpu, queue);

    d->engine.launch = *launch;
    memcpy(d->engine.grid, grid, sizeof(grid));
    memcpy(d->engine.group_size, group, sizeof(group));
    d->signal = packet->completion_signal;
    d->uses_scratch = packet->private_size;
    return d;
}

void dispatch_launch(TesseraGpu *gpu, GpuQueue *queue, GpuDispatch *dispatch)
{
    unsigned free = 0;

    while (queue->dispatch[free]) {
        free++;
    }
    queue->dispatch[free] = dispatch;
    __atomic_store_n(&queue->inflight, queue->inflight + 1, __ATOMIC_RELEASE);
    queue_advance(queue);
    gpu_trace(gpu, "dispatch_start", queue->slot, dispatch->index,
              dispatch->engine.launch.entry);
    turns_start(gpu, dispatch);
}

CpResult dispatch_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlDispatch *packet = &queue->packet.dispatch;
    uint32_t error = check_packet(gpu, packet);
    TesseraLaunch launch = { 0 };
    EngineFault fault;
    bool once = false;
    CpResult result;

    if (error) {
        fault_stop(gpu, queue, error, NULL);
        return CP_STOP;
    }
    if (!turns_have_room(gpu, queue)) {
        return CP_BUSY;
    }
    error = read_kernel(gpu, queue, packet->kernel_object, &launch, &fault);
    if (error) {
        fault_stop(gpu, queue, error, &fault);
        return CP_STOP;
    }
    fill_launch(gpu, queue, packet, &launch);
    result = scratch_get(gpu, queue, &launch, &once);
    if (result != CP_NEXT) {
        return result;
    }
    if (once) {
        queue->stall = STALL_RECLAIM_DRAIN;
    }
    dispatch_launch(gpu, queue, kernel_dispatch(gpu, queue, &launch));
    return CP_NEXT;
}

/* ---- completion ---- */

/* With the lock held. */
static void report(TesseraGpu *gpu, GpuDispatch *dispatch)
{
    dispatch->ended = true;
    dispatch->next = NULL;
    *gpu->inbox.ended_tail = dispatch;
    gpu->inbox.ended_tail = &dispatch->next;
    cp_kick(gpu);
}

void dispatch_report(TesseraGpu *gpu, GpuDispatch *dispatch)
{
    gpu_lock(gpu);
    report(gpu, dispatch);
    gpu_unlock(gpu);
}

/* From a worker, or from whoever killed the dispatch. */
void dispatch_done(void *opaque, EngineDispatch *engine)
{
    TesseraGpu *gpu = opaque;
    GpuDispatch *dispatch = engine->owner;

    dispatch->end = gpu_clock(gpu);
    gpu_lock(gpu);
    report(gpu, dispatch);
    gpu->inbox.outstanding--;
    pthread_cond_broadcast(&gpu->idle);
    gpu_unlock(gpu);
}

void dispatch_suspended(void *opaque, EngineDispatch *engine)
{
    TesseraGpu *gpu = opaque;
    GpuDispatch *dispatch = engine->owner;

    gpu_lock(gpu);
    dispatch->next_suspended = gpu->inbox.suspended;
    gpu->inbox.suspended = dispatch;
    cp_kick(gpu);
    gpu_unlock(gpu);
}

void dispatch_message(void *opaque, EngineDispatch *engine, uint32_t data)
{
    TesseraGpu *gpu = opaque;
    GpuDispatch *dispatch = engine->owner;

    gpu_lock(gpu);
    ih_defer(gpu, &(GpuEvent){
        .source = TESSERA_IH_SHADER,
        .vmid = engine->vmid,
        .queue = dispatch->queue->slot,
        .data = data,
    });
    gpu_unlock(gpu);
}

static void forget_dispatch(GpuQueue *queue, GpuDispatch *dispatch)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i] == dispatch) {
            queue->dispatch[i] = NULL;
        }
    }
    __atomic_store_n(&queue->inflight, queue->inflight - 1, __ATOMIC_RELEASE);
}

static void add_stats(TesseraGpu *gpu, const EngineStats *counts)
{
    gpu_lock(gpu);
    gpu->counts.dispatches++;
    gpu->counts.instructions += counts->instructions;
    gpu->counts.lane_instructions += counts->lane_instructions;
    gpu->counts.waves += counts->waves;
    gpu_unlock(gpu);
}

/* By injection it completes some time after it has ended. */
static bool held_up(TesseraGpu *gpu, GpuDispatch *dispatch)
{
    if (dispatch->engine.status != ENGINE_DONE || dispatch->due_ns ||
        !inject_now(gpu, TESSERA_INJECT_SLOW, dispatch->queue->slot)) {
        return false;
    }
    turns_delay(gpu, dispatch, gpu->host.ops->guest_ns(gpu->host.opaque) +
                               inject_delay_ns(gpu));
    return true;
}

void dispatch_complete(TesseraGpu *gpu, GpuDispatch *dispatch)
{
    GpuQueue *queue = dispatch->queue;
    const EngineDispatch *engine = &dispatch->engine;
    EngineFault fault;

    turns_ended(gpu, dispatch);
    if (held_up(gpu, dispatch)) {
        return;
    }
    gpu_trace(gpu, engine->status == ENGINE_DONE ? "dispatch_end"
                                                 : "dispatch_end_err",
              queue->slot, dispatch->index, engine->status);
    forget_dispatch(queue, dispatch);
    /* first, so that whoever sees the completion signal sees the counts */
    add_stats(gpu, &engine->counts);
    gpu->cp.current = queue;
    if (engine->stream &&
        !blocks_store_result(gpu, queue, dispatch, &fault)) {
        queue_failed(gpu, queue, dispatch->index, &fault);
    } else if (engine->status == ENGINE_DONE) {
        queue_complete(gpu, queue, dispatch->index, dispatch->signal,
                       dispatch->start, dispatch->end);
    } else if (engine->status == ENGINE_FAULTED) {
        queue_failed(gpu, queue, dispatch->index, &engine->fault);
    }
    gpu->cp.current = NULL;
    g_free(dispatch);
    if (queue->wait == WAIT_DISPATCH) {
        queue_wake(gpu, queue);
    }
    queue_settled(gpu, queue);
}

/* ---- time ---- */

static void check_hang(TesseraGpu *gpu, GpuDispatch *dispatch, int64_t now)
{
    if ((dispatch->run == RUN_ACTIVE || (dispatch->hung && !dispatch->held)) &&
        now >= dispatch->deadline_ns) {
        turns_kill(gpu, dispatch, TESSERA_FAULT_HANG);
    }
}

static void check_hangs(TesseraGpu *gpu, int64_t now)
{
    for (unsigned slot = 0; slot < TESSERA_QUEUES; slot++) {
        GpuQueue *queue = &gpu->queues[slot];

        for (unsigned i = 0; queue->inflight && i < QUEUE_DISPATCHES; i++) {
            if (queue->dispatch[i]) {
                check_hang(gpu, queue->dispatch[i], now);
            }
        }
    }
}

static void complete_slow(TesseraGpu *gpu, int64_t now)
{
    GList *next;

    for (GList *link = gpu->cp.slow.head; link; link = next) {
        GpuDispatch *dispatch = link->data;

        next = link->next;
        if (now >= dispatch->due_ns) {
            dispatch_complete(gpu, dispatch);
        }
    }
}

void dispatch_check_times(TesseraGpu *gpu)
{
    int64_t now = gpu->host.ops->guest_ns(gpu->host.opaque);

    if (gpu->hang_timeout_ns) {
        check_hangs(gpu, now);
    }
    complete_slow(gpu, now);
}
