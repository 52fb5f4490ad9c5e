/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the host has to find out first: translations behind an IOMMU, and
 * accesses to other devices.
 *
 * A wave that asks is parked by the engine, which goes on with others.  The
 * packet processor has one thing in hand at a time: it waits here.  Meanwhile
 * it counts as idle, so that nobody who holds the device waits for an answer.
 * Every hold cancels the question; after a reset the CP unwinds without
 * touching guest memory any more, and the reset waits for that alone.
 */
#include "hw/gpu/vm-int.h"

/* ---- the engine's questions ---- */

static void engine_answered(TesseraRequest *request)
{
    EngineAsk *ask = request->opaque;

    ask->data = request->data;
    ask->cause = TESSERA_FAULT_NONE;
    if (request->failed) {
        ask->cause = request->op != TESSERA_REQ_TRANSLATE
                         ? TESSERA_FAULT_BUS
                         : request->read_only ? TESSERA_FAULT_READ_ONLY
                                              : TESSERA_FAULT_IOMMU;
    }
    ask->done(ask);
}

/* What to ask the host; false if there is nothing to ask it any more. */
static bool make_request(TesseraGpu *gpu, EngineAsk *ask)
{
    static const TesseraRequestOp ops[] = {
        [ENGINE_ASK_TRANSLATE] = TESSERA_REQ_TRANSLATE,
        [ENGINE_ASK_READ] = TESSERA_REQ_READ,
        [ENGINE_ASK_WRITE] = TESSERA_REQ_WRITE,
    };
    EnginePage page = { 0 };

    ask->request = (TesseraRequest){
        .op = ops[ask->op],
        .bus = ask->address,
        .size = ask->size,
        .data = ask->data,
        .done = engine_answered,
        .opaque = ask,
    };
    if (ask->op != ENGINE_ASK_TRANSLATE) {
        return true;
    }
    if (gpu_vm_translate(gpu, ask->vmid, ask->address, ask->access, &page) !=
        (unsigned)ENGINE_WAIT) {
        return false; /* known by now, or a fault: the engine will see */
    }
    ask->request.bus = page.backing;
    ask->request.write = page.writable;
    return true;
}

void gpu_vm_ask(void *opaque, EngineAsk *ask)
{
    TesseraGpu *gpu = opaque;

    if (make_request(gpu, ask)) {
        gpu->host.ops->submit(gpu->host.opaque, &ask->request);
    } else {
        ask->cause = TESSERA_FAULT_NONE;
        ask->done(ask);
    }
}

bool gpu_vm_cancel(void *opaque, EngineAsk *ask)
{
    TesseraGpu *gpu = opaque;

    return gpu->host.ops->cancel(gpu->host.opaque, &ask->request);
}

/* ---- the packet processor's ---- */

static void cp_answered(TesseraRequest *request)
{
    TesseraGpu *gpu = request->opaque;

    gpu_lock(gpu);
    gpu->ask.state = ASK_DONE;
    cp_kick(gpu);
    pthread_cond_broadcast(&gpu->idle);
    gpu_unlock(gpu);
}

/* With the lock held: sleep, as one who is idle. */
static void sleep_idle(TesseraGpu *gpu)
{
    gpu->active = false;
    gpu->ask.waiting = true;
    pthread_cond_broadcast(&gpu->idle);
    pthread_cond_wait(&gpu->wake, &gpu->lock);
    gpu->ask.waiting = false;
    gpu->ask.waits++;
    gpu->active = true;
}

/* Until there is an answer and nobody holds the device; false: a reset. */
static bool wait_answer(TesseraGpu *gpu)
{
    while (!(gpu->hold & HOLD_RESET)) {
        if (gpu->ask.state != ASK_OUT && !gpu->hold) {
            return true;
        }
        sleep_idle(gpu);
    }
    gpu->ask.cut = true;
    return false;
}

VmAnswer vm_ask(TesseraGpu *gpu, TesseraRequest *request)
{
    GpuAsk *ask = &gpu->ask;
    VmAnswer answer = VM_CUT;

    request->done = cp_answered;
    request->opaque = gpu;
    gpu_lock(gpu);
    /* One that a reset came too late to cancel goes first. */
    if (wait_answer(gpu)) {
        ask->request = *request;
        ask->state = ASK_OUT;
        gpu_unlock(gpu);
        gpu->host.ops->submit(gpu->host.opaque, &ask->request);
        gpu_lock(gpu);
        if (wait_answer(gpu)) {
            *request = ask->request;
            answer = ask->state == ASK_DONE ? VM_ANSWERED : VM_AGAIN;
        }
    }
    gpu_unlock(gpu);
    return answer;
}

unsigned vm_waits(TesseraGpu *gpu)
{
    return gpu->ask.waits;
}

bool vm_is_cut(TesseraGpu *gpu)
{
    return gpu->ask.cut;
}

bool vm_is_asking(TesseraGpu *gpu)
{
    bool waiting;

    gpu_lock(gpu);
    waiting = gpu->ask.waiting;
    gpu_unlock(gpu);
    return waiting;
}

void vm_cancel_ask(TesseraGpu *gpu)
{
    bool out;

    gpu_lock(gpu);
    out = gpu->ask.state == ASK_OUT;
    gpu_unlock(gpu);
    if (out && gpu->host.ops->cancel(gpu->host.opaque, &gpu->ask.request)) {
        gpu_lock(gpu);
        gpu->ask.state = ASK_CANCELLED;
        cp_kick(gpu);
        gpu_unlock(gpu);
    }
}

void vm_end_asks(TesseraGpu *gpu)
{
    gpu_lock(gpu);
    while (gpu->ask.state == ASK_OUT) {
        pthread_cond_wait(&gpu->idle, &gpu->lock);
    }
    gpu_unlock(gpu);
}
