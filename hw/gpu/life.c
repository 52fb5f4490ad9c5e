/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How queues are frozen, unmapped, preempted and killed.
 *
 * Each begins with a command and ends, with that command, when the queue's
 * dispatches have stopped or ended: queue_settled() is called whenever one of
 * them does.  A preempted queue leaves its slot; what it leaves behind
 * (dispatches whose waves the engine keeps, packets taken and not complete)
 * moves to gpu->saved until a queue with the same ring is mapped in the same
 * VMID.
 */
#include <string.h>
#include "hw/gpu/internal.h"

bool queue_closing(const GpuQueue *queue)
{
    return queue->unmap.addr || queue->kill.addr;
}

/* ---- the dispatches of a queue ---- */

static bool at_work(const GpuQueue *queue)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        const GpuDispatch *d = queue->dispatch[i];

        if (d && (d->run == RUN_ACTIVE || d->run == RUN_STOPPING)) {
            return true;
        }
    }
    return false;
}

static void hold_all(TesseraGpu *gpu, GpuQueue *queue)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i]) {
            turns_hold(gpu, queue->dispatch[i]);
        }
    }
}

static void release_all(TesseraGpu *gpu, GpuQueue *queue)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i]) {
            turns_release(gpu, queue->dispatch[i]);
        }
    }
}

/* They belong to @queue now. */
static void adopt_dispatches(GpuQueue *queue)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i]) {
            queue->dispatch[i]->queue = queue;
        }
    }
}

/* ---- freeze and thaw ---- */

void queue_freeze(TesseraGpu *gpu, GpuQueue *queue, unsigned why,
                  const GpuCommand *command)
{
    queue->frozen |= why;
    queue->freeze = *command;
    queue_set_state(queue);
    queue_wait(gpu, queue, WAIT_DOORBELL);
    hold_all(gpu, queue);
    gpu_trace(gpu, "queue_freeze", queue->slot, queue->frozen,
              queue->inflight);
    queue_settled(gpu, queue);
}

void queue_thaw(TesseraGpu *gpu, GpuQueue *queue, unsigned why)
{
    queue->frozen &= ~why;
    queue_set_state(queue);
    if (!queue->frozen) {
        gpu_trace(gpu, "queue_thaw", queue->slot, queue->state,
                  queue->inflight);
        release_all(gpu, queue);
        queue_wake(gpu, queue);
    }
}

/* ---- what preempted queues leave behind ---- */

/* Would a queue that is mapped anew from memory be the same? */
static bool has_remains(const GpuQueue *queue)
{
    return queue->inflight || queue->error || queue->owed_count ||
           queue->frozen & FROZEN_COMMAND || queue->stall != STALL_NONE ||
           queue->read_index != queue->fetch_index ||
           (queue->have_packet && (queue->deps_seen || queue->copied));
}

static GpuQueue **saved_place(TesseraGpu *gpu, const GpuQueue *queue)
{
    for (unsigned i = 0; i < TESSERA_SAVED_QUEUES; i++) {
        if (gpu->saved[i] == queue) {
            return &gpu->saved[i];
        }
    }
    return NULL;
}

GpuQueue *queue_find_saved(TesseraGpu *gpu, const TesseraQueue *desc)
{
    for (unsigned i = 0; i < TESSERA_SAVED_QUEUES; i++) {
        GpuQueue *saved = gpu->saved[i];

        if (saved && saved->vmid == desc->vmid &&
            saved->desc.ring == desc->ring &&
            saved->desc.read_index_addr == desc->read_index_addr) {
            return saved;
        }
    }
    return NULL;
}

static void forget_saved(TesseraGpu *gpu, GpuQueue *saved)
{
    *saved_place(gpu, saved) = NULL;
    g_free(saved);
}

void queue_restore(TesseraGpu *gpu, GpuQueue *queue, GpuQueue *saved)
{
    const TesseraQueue desc = queue->desc;
    uint16_t slot = queue->slot;

    gpu_lock(gpu); /* registers may be looking */
    *queue = *saved;
    queue->slot = slot;
    queue->desc = desc;
    queue->saved = false;
    gpu_unlock(gpu);
    adopt_dispatches(queue);
    gpu_trace(gpu, "queue_restore", slot, queue->inflight, queue->read_index);
    forget_saved(gpu, saved);
}

static bool save(TesseraGpu *gpu, GpuQueue *queue)
{
    GpuQueue **place = saved_place(gpu, NULL);
    GpuQueue *saved;

    if (!place) {
        return false;
    }
    saved = *place = g_new0(GpuQueue, 1);
    gpu_lock(gpu);
    *saved = *queue;
    gpu_unlock(gpu);
    saved->saved = true;
    saved->preempt = false;
    saved->unmap.addr = 0;
    adopt_dispatches(saved);
    memset(queue->dispatch, 0, sizeof(queue->dispatch));
    gpu_trace(gpu, "queue_save", queue->slot, queue->inflight,
              queue->read_index);
    return true;
}

/* ---- unmap and kill ---- */

void queue_unmap(TesseraGpu *gpu, GpuQueue *queue, const GpuCommand *command,
                 bool preempt)
{
    queue->unmap = *command;
    queue->preempt = preempt;
    if (preempt) {
        hold_all(gpu, queue);
    }
    if (preempt || !queue->copying || queue->state != QUEUE_MAPPED) {
        queue_wait(gpu, queue, WAIT_DOORBELL);
    }
    queue_settled(gpu, queue);
}

void queue_kill(TesseraGpu *gpu, GpuQueue *queue, const GpuCommand *command)
{
    queue->kill = *command;
    queue->copying = false;
    queue_wait(gpu, queue, WAIT_DOORBELL);
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        if (queue->dispatch[i]) {
            turns_kill(gpu, queue->dispatch[i], TESSERA_FAULT_NONE);
        }
    }
    queue_settled(gpu, queue);
}

static void finish(TesseraGpu *gpu, GpuCommand *command, uint32_t result)
{
    if (command->addr) {
        command_finish(gpu, command, result);
    }
}

static void close_queue(TesseraGpu *gpu, GpuQueue *queue)
{
    GpuCommand unmap = queue->unmap, kill = queue->kill;
    GpuCommand freeze = queue->freeze;

    gpu_trace(gpu, "queue_unmap", queue->slot, unmap.addr, kill.addr);
    if (queue->saved) {
        forget_saved(gpu, queue);
    } else {
        queue_free_slot(gpu, queue);
    }
    finish(gpu, &freeze, TESSERA_RESULT_CANCELLED);
    finish(gpu, &unmap, TESSERA_RESULT_OK);
    finish(gpu, &kill, TESSERA_RESULT_OK);
}

/* All of its waves stand still. */
static void preempted(TesseraGpu *gpu, GpuQueue *queue)
{
    GpuCommand unmap = queue->unmap;

    if (!has_remains(queue) || save(gpu, queue)) {
        close_queue(gpu, queue);
        return;
    }
    queue->unmap.addr = 0;
    queue->preempt = false;
    if (!queue->frozen) {
        release_all(gpu, queue);
        queue_wake(gpu, queue);
    }
    command_finish(gpu, &unmap, TESSERA_RESULT_NO_ROOM);
}

void queue_settled(TesseraGpu *gpu, GpuQueue *queue)
{
    if (queue->freeze.addr && !queue_closing(queue) && !at_work(queue)) {
        GpuCommand freeze = queue->freeze;

        queue->freeze.addr = 0;
        command_finish(gpu, &freeze, TESSERA_RESULT_OK);
    }
    if (queue->kill.addr || (queue->unmap.addr && !queue->preempt)) {
        if (!queue->inflight &&
            !(queue->copying && queue->state == QUEUE_MAPPED)) {
            close_queue(gpu, queue);
        }
    } else if (queue->unmap.addr && !at_work(queue)) {
        preempted(gpu, queue);
    }
}
