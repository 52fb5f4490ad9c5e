/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packet processor's thread.
 *
 * Queues with packets take turns in the run list, a few packets each.  A queue
 * that waits for a value in memory goes to the poll list, which is looked at
 * at growing intervals up to POLL_US_MAX of host time.  With nothing in either
 * list the thread sleeps.
 */
#include <string.h>
#include "hw/gpu/internal.h"

void cp_kick(TesseraGpu *gpu)
{
    pthread_cond_signal(&gpu->wake);
}

void cp_reset(TesseraGpu *gpu)
{
    g_queue_init(&gpu->cp.run);
    g_queue_init(&gpu->cp.poll);
    gpu->cp.poll_us = POLL_US_MIN;
    gpu->cp.poll_at = INT64_MAX;
    gpu->cp.hang_at = INT64_MAX;
}

/* ---- packets ---- */

static CpResult vendor_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    fault_stop(gpu, queue, TESSERA_QERR_BAD_VENDOR_PACKET, NULL);
    return CP_STOP;
}

static CpResult bad_packet(TesseraGpu *gpu, GpuQueue *queue)
{
    fault_stop(gpu, queue, TESSERA_QERR_BAD_PACKET, NULL);
    return CP_STOP;
}

typedef CpResult PacketFn(TesseraGpu *gpu, GpuQueue *queue);

static PacketFn *const packet_table[] = {
    [AQL_TYPE_VENDOR] = vendor_exec,
    [AQL_TYPE_DISPATCH] = dispatch_exec,
    [AQL_TYPE_BARRIER_AND] = barrier_exec,
    [AQL_TYPE_BARRIER_OR] = barrier_exec,
};

/* Header bits: reserved ones are 0, fence scopes are not 3 (HSA 2.9.1). */
static PacketFn *packet_fn(uint16_t header)
{
    unsigned type = AQL_HEADER_TYPE(header);
    unsigned acquire = (header >> AQL_HEADER_ACQUIRE_SHIFT) & 3;
    unsigned release = (header >> AQL_HEADER_RELEASE_SHIFT) & 3;

    if (header >> 13 || acquire > AQL_SCOPE_SYSTEM ||
        release > AQL_SCOPE_SYSTEM || type >= G_N_ELEMENTS(packet_table) ||
        !packet_table[type]) {
        return bad_packet;
    }
    return packet_table[type];
}

static CpResult fetch(TesseraGpu *gpu, GpuQueue *queue)
{
    static const CpResult results[] = {
        [FETCH_OK] = CP_NEXT,
        [FETCH_EMPTY] = CP_EMPTY,
        [FETCH_FULL] = CP_BUSY,
        [FETCH_BAD] = CP_STOP,
    };

    return results[queue_fetch(gpu, queue)];
}

/* Take and carry out one packet, as far as it can be done now. */
static CpResult queue_step(TesseraGpu *gpu, GpuQueue *queue)
{
    CpResult result = CP_NEXT;

    if (queue->state != QUEUE_MAPPED || queue_closing(queue)) {
        return CP_STOP;
    }
    if (__atomic_load_n(&gpu->settling, __ATOMIC_RELAXED)) {
        return CP_EMPTY; /* kicked when it may go on */
    }
    if (queue->stall != STALL_NONE) {
        result = scratch_stalled(gpu, queue);
    }
    if (result == CP_NEXT && !queue->have_packet) {
        result = fetch(gpu, queue);
    }
    if (result != CP_NEXT) {
        return result;
    }
    if (queue->packet.header & AQL_HEADER_BARRIER &&
        queue->read_index != queue->fetch_index) {
        return CP_BUSY;
    }
    return packet_fn(queue->packet.header)(gpu, queue);
}

static void queue_turn(TesseraGpu *gpu, GpuQueue *queue)
{
    static const QueueWait waits[] = {
        [CP_NEXT] = WAIT_TURN,
        [CP_EMPTY] = WAIT_DOORBELL,
        [CP_BUSY] = WAIT_DISPATCH,
        [CP_POLL] = WAIT_POLL,
        [CP_STOP] = WAIT_DOORBELL,
    };
    CpResult result = CP_NEXT;
    bool polled = queue->wait == WAIT_POLL;

    for (unsigned i = 0; i < QUEUE_TURN && result == CP_NEXT; i++) {
        result = queue_step(gpu, queue);
    }
    queue_wait(gpu, queue, waits[result]);
    if (!polled || result != CP_POLL) {
        gpu->cp.poll_us = POLL_US_MIN; /* things are moving */
    }
}

/* ---- one round ---- */

/* What the round takes out of the inbox. */
typedef struct CpRound {
    GpuDispatch *ended;
    uint64_t kicks[TESSERA_QUEUES / 64];
    bool any_kick;
    uint64_t command;
    bool has_command;
    GpuEvent event;
    bool has_event;
} CpRound;

/* With the lock held. */
static void take_work(TesseraGpu *gpu, CpRound *round)
{
    GpuInbox *inbox = &gpu->inbox;

    *round = (CpRound){ .ended = inbox->ended, .any_kick = inbox->any_kick };
    inbox->ended = NULL;
    if (inbox->any_kick) {
        memcpy(round->kicks, inbox->kicks, sizeof(round->kicks));
        memset(inbox->kicks, 0, sizeof(inbox->kicks));
        inbox->any_kick = false;
    }
    if (inbox->command_count) {
        round->has_command = true;
        round->command = inbox->commands[inbox->command_head];
        inbox->command_head = (inbox->command_head + 1) % COMMANDS_MAX;
        inbox->command_count--;
    }
    if (inbox->event_count) {
        round->has_event = true;
        round->event = inbox->events[inbox->event_head];
        inbox->event_head = (inbox->event_head + 1) % EVENTS_MAX;
        inbox->event_count--;
    }
}

/* The list is newest first. */
static void complete_all(TesseraGpu *gpu, GpuDispatch *ended)
{
    GpuDispatch *oldest = NULL;

    while (ended) {
        GpuDispatch *next = ended->next;

        ended->next = oldest;
        oldest = ended;
        ended = next;
    }
    while (oldest) {
        GpuDispatch *next = oldest->next;

        dispatch_complete(gpu, oldest);
        oldest = next;
    }
}

static void wake_kicked(TesseraGpu *gpu, const uint64_t *kicks)
{
    for (unsigned word = 0; word < TESSERA_QUEUES / 64; word++) {
        for (uint64_t bits = kicks[word]; bits; bits &= bits - 1) {
            GpuQueue *queue =
                &gpu->queues[word * 64 + __builtin_ctzll(bits)];

            if (queue->wait == WAIT_DOORBELL || queue->wait == WAIT_POLL) {
                queue_wake(gpu, queue);
            }
        }
    }
}

static bool doorbells_may_change(TesseraGpu *gpu)
{
    return gpu->inbox.outstanding &&
           __atomic_load_n(&gpu->vm.doorbells_shared, __ATOMIC_RELAXED);
}

/* Give everyone in the poll list a turn. */
static void poll_if_due(TesseraGpu *gpu, int64_t now)
{
    GpuCp *cp = &gpu->cp;

    if (now < cp->poll_at) {
        return;
    }
    cp->poll_at = INT64_MAX;
    cp->poll_us = MIN(cp->poll_us * 2, POLL_US_MAX);
    while (!g_queue_is_empty(&cp->poll)) {
        GpuQueue *queue = g_queue_peek_head(&cp->poll);

        queue_wait(gpu, queue, WAIT_TURN);
        queue->wait = WAIT_POLL; /* tells queue_turn() why it came */
    }
    if (__atomic_load_n(&gpu->vm.doorbells_shared, __ATOMIC_RELAXED)) {
        doorbell_scan(gpu);
    }
}

static void check_hangs_if_due(TesseraGpu *gpu, int64_t now)
{
    if (now >= gpu->cp.hang_at) {
        gpu->cp.hang_at = INT64_MAX;
        dispatch_check_hangs(gpu);
    }
}

/* One bounded round of work, without the lock. */
static void do_round(TesseraGpu *gpu, CpRound *round)
{
    int64_t now = g_get_monotonic_time();
    GpuQueue *queue;

    complete_all(gpu, round->ended);
    if (round->any_kick) {
        wake_kicked(gpu, round->kicks);
    }
    if (round->has_command) {
        command_run(gpu, round->command);
    }
    if (round->has_event) {
        ih_post(gpu, &round->event);
    }
    poll_if_due(gpu, now);
    check_hangs_if_due(gpu, now);
    queue = g_queue_peek_head(&gpu->cp.run);
    if (queue) {
        queue_turn(gpu, queue);
    }
}

/* ---- the thread ---- */

/* Set when to look at memory and at guest time; with the lock held. */
static int64_t next_deadline(TesseraGpu *gpu)
{
    GpuCp *cp = &gpu->cp;
    int64_t now = g_get_monotonic_time();

    if (cp->poll_at == INT64_MAX &&
        (!g_queue_is_empty(&cp->poll) || doorbells_may_change(gpu))) {
        cp->poll_at = now + cp->poll_us;
    }
    if (cp->hang_at == INT64_MAX && gpu->hang_timeout_ns &&
        gpu->inbox.outstanding) {
        cp->hang_at = now + HANG_POLL_US;
    }
    return MIN(cp->poll_at, cp->hang_at);
}

static bool has_work(TesseraGpu *gpu, int64_t deadline)
{
    const GpuInbox *inbox = &gpu->inbox;

    return inbox->ended || inbox->any_kick || inbox->command_count ||
           inbox->event_count || !g_queue_is_empty(&gpu->cp.run) ||
           (deadline != INT64_MAX && g_get_monotonic_time() >= deadline);
}

static void wait_until(TesseraGpu *gpu, int64_t deadline)
{
    struct timespec at;

    if (deadline == INT64_MAX) {
        pthread_cond_wait(&gpu->wake, &gpu->lock);
        return;
    }
    at.tv_sec = deadline / G_USEC_PER_SEC;
    at.tv_nsec = deadline % G_USEC_PER_SEC * 1000;
    pthread_cond_timedwait(&gpu->wake, &gpu->lock, &at);
}

void *cp_thread(void *opaque)
{
    TesseraGpu *gpu = opaque;

    gpu_lock(gpu);
    while (!gpu->quit) {
        int64_t deadline = gpu->hold ? INT64_MAX : next_deadline(gpu);
        CpRound round;

        if (gpu->hold || !has_work(gpu, deadline)) {
            wait_until(gpu, deadline);
            continue;
        }
        take_work(gpu, &round);
        gpu->active = true;
        gpu_unlock(gpu);
        do_round(gpu, &round);
        gpu_lock(gpu);
        gpu->active = false;
        if (gpu->hold) {
            pthread_cond_broadcast(&gpu->idle);
        }
    }
    gpu_unlock(gpu);
    return NULL;
}
