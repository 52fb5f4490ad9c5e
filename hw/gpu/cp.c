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
    __atomic_add_fetch(&gpu->kicks, 1, __ATOMIC_RELEASE);
    pthread_cond_signal(&gpu->wake);
}

void cp_reset(TesseraGpu *gpu)
{
    g_queue_init(&gpu->cp.run);
    g_queue_init(&gpu->cp.poll);
    g_queue_init(&gpu->cp.waiting);
    g_queue_init(&gpu->cp.active);
    g_queue_init(&gpu->cp.slow);
    gpu->cp.running = gpu->cp.hung = 0;
    memset(gpu->cp.running_of, 0, sizeof(gpu->cp.running_of));
    gpu->cp.current = NULL;
    gpu->cp.poll_us = POLL_US_MIN;
    gpu->cp.poll_at = INT64_MAX;
    gpu->cp.time_at = INT64_MAX;
    gpu->inbox.ended_tail = &gpu->inbox.ended;
}

/* ---- packets ---- */

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

    if (!queue_may_step(queue)) {
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
        queue->read_index != queue->index) {
        return CP_BUSY;
    }
    return packet_fn(queue->packet.header)(gpu, queue);
}

/*
 * The same; if it stops the queue, whether the packet at hand did, or one
 * whose turn was over already.
 */
static CpResult queue_try(TesseraGpu *gpu, GpuQueue *queue)
{
    uint64_t fetch_index = queue->fetch_index, redo = queue->redo;
    CpResult result;

    gpu->cp.current = queue;
    result = queue_step(gpu, queue);
    gpu->cp.current = NULL;
    if (result == CP_STOP && queue->state == QUEUE_STOPPED &&
        queue->fetch_index == fetch_index && queue->redo == redo &&
        queue->stall != STALL_RECLAIM_DRAIN && queue->stall != STALL_RECLAIM) {
        queue->bad_packet = true;
    }
    return result;
}

/* More of them in a turn for queues of higher priority. */
static unsigned turn_packets(const GpuQueue *queue)
{
    return QUEUE_TURN + queue->priority * QUEUE_TURN / 4;
}

static void queue_turn(TesseraGpu *gpu, GpuQueue *queue)
{
    static const QueueWait waits[] = {
        [CP_NEXT] = WAIT_TURN,
        [CP_EMPTY] = WAIT_DOORBELL,
        [CP_BUSY] = WAIT_DISPATCH,
        [CP_POLL] = WAIT_POLL,
        [CP_MORE] = WAIT_TURN,
        [CP_STOP] = WAIT_DOORBELL,
    };
    unsigned packets = turn_packets(queue);
    CpResult result = CP_NEXT;
    bool polled = queue->wait == WAIT_POLL;

    for (unsigned i = 0; i < packets && result == CP_NEXT; i++) {
        result = queue_try(gpu, queue);
    }
    queue_wait(gpu, queue, waits[result]);
    if (queue_closing(queue)) {
        queue_settled(gpu, queue); /* it may have waited for a copy */
    }
    if (!polled || result != CP_POLL) {
        gpu->cp.poll_us = POLL_US_MIN; /* things are moving */
    }
}

/* ---- one round ---- */

/* What the round takes out of the inbox. */
typedef struct CpRound {
    bool ring_read, test_dma;
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

    *round = (CpRound){
        .ring_read = inbox->ring_read,
        .test_dma = inbox->test_dma,
        .any_kick = inbox->any_kick,
    };
    inbox->ring_read = inbox->test_dma = false;
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

/*
 * The next dispatch that has stopped or ended; NULL: none.  That one has
 * stopped is heard before that it has ended.
 */
static GpuDispatch *take_report(TesseraGpu *gpu, bool *ended)
{
    GpuInbox *inbox = &gpu->inbox;
    GpuDispatch *dispatch;

    gpu_lock(gpu);
    dispatch = inbox->suspended;
    *ended = !dispatch;
    if (dispatch) {
        inbox->suspended = dispatch->next_suspended;
    } else if (inbox->ended) {
        dispatch = inbox->ended;
        inbox->ended = dispatch->next;
        if (!inbox->ended) {
            inbox->ended_tail = &inbox->ended;
        }
    }
    gpu_unlock(gpu);
    return dispatch;
}

static void take_reports(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < REPORTS_MAX; i++) {
        bool ended;
        GpuDispatch *dispatch = take_report(gpu, &ended);

        if (!dispatch) {
            break;
        }
        if (ended) {
            dispatch_complete(gpu, dispatch);
        } else {
            turns_suspended(gpu, dispatch);
            queue_settled(gpu, dispatch->queue);
        }
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

static void check_times_if_due(TesseraGpu *gpu, int64_t now)
{
    if (now >= gpu->cp.time_at) {
        gpu->cp.time_at = INT64_MAX;
        dispatch_check_times(gpu);
    }
    if (now >= turns_next(gpu)) {
        turns_rotate(gpu);
    }
}

/* One bounded round of work, without the lock. */
static void do_round(TesseraGpu *gpu, CpRound *round)
{
    int64_t now = g_get_monotonic_time();
    GpuQueue *queue;

    take_reports(gpu);
    if (round->any_kick) {
        wake_kicked(gpu, round->kicks);
    }
    if (round->has_command) {
        command_run(gpu, round->command);
    }
    if (round->has_event) {
        ih_post(gpu, &round->event);
    }
    if (round->ring_read) {
        ih_post_owed(gpu);
    }
    if (round->test_dma) {
        test_dma_run(gpu);
    }
    poll_if_due(gpu, now);
    check_times_if_due(gpu, now);
    queue = g_queue_peek_head(&gpu->cp.run);
    if (queue) {
        queue_turn(gpu, queue);
    }
}

/* ---- the thread ---- */

static bool guest_time_matters(TesseraGpu *gpu)
{
    return !g_queue_is_empty(&gpu->cp.slow) ||
           (gpu->hang_timeout_ns &&
            (gpu->inbox.outstanding || gpu->cp.hung));
}

/* Set when to look at memory and at guest time; with the lock held. */
static int64_t next_deadline(TesseraGpu *gpu)
{
    GpuCp *cp = &gpu->cp;
    int64_t now = g_get_monotonic_time();

    if (cp->poll_at == INT64_MAX &&
        (!g_queue_is_empty(&cp->poll) || doorbells_may_change(gpu))) {
        cp->poll_at = now + cp->poll_us;
    }
    if (cp->time_at == INT64_MAX && guest_time_matters(gpu)) {
        cp->time_at = now + HANG_POLL_US;
    }
    return MIN(MIN(cp->poll_at, cp->time_at), turns_next(gpu));
}

static bool has_work(TesseraGpu *gpu, int64_t deadline)
{
    const GpuInbox *inbox = &gpu->inbox;

    return inbox->ended || inbox->suspended || inbox->any_kick ||
           inbox->ring_read || inbox->test_dma || inbox->command_count ||
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

/*
 * Out of work, with the lock held: one packet often follows another, and to be
 * woken takes longer than many of them, so that the thread looks for the next
 * one a little before it falls asleep.  True: it may have come.
 */
static bool linger(TesseraGpu *gpu)
{
    int64_t end = g_get_monotonic_time() + ENGINE_LINGER_US;
    uint64_t kicks = __atomic_load_n(&gpu->kicks, __ATOMIC_RELAXED);
    bool kicked = false;

    gpu_unlock(gpu);
    while (!kicked && g_get_monotonic_time() < end) {
        engine_relax();
        kicked = __atomic_load_n(&gpu->kicks, __ATOMIC_RELAXED) != kicks;
    }
    gpu_lock(gpu);
    return kicked || kicks != gpu->kicks;
}

void *cp_thread(void *opaque)
{
    TesseraGpu *gpu = opaque;
    bool lingered = true;

    gpu_lock(gpu);
    while (!gpu->quit) {
        int64_t deadline = gpu->hold ? INT64_MAX : next_deadline(gpu);
        CpRound round;

        if (gpu->hold || !has_work(gpu, deadline)) {
            if (lingered || gpu->hold || !linger(gpu)) {
                wait_until(gpu, deadline);
            }
            lingered = true;
            continue;
        }
        lingered = false;
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
