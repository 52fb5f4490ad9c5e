/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which dispatches the engine runs.
 *
 * At most ENGINE_DISPATCHES run at a time; they share the workers, so that
 * none of them starves another.  If there are more, they take turns: each runs
 * for a slice of host time, longer with its queue's priority, then its waves
 * are stopped at an instruction boundary and it goes to the end of the line.
 * VMIDs are served evenly: a place goes to the dispatch in line whose VMID has
 * the fewest, and is taken from one whose VMID has the most.  While there are
 * more than fit, a queue has one dispatch in flight, so what the engine keeps
 * has a bound.
 */
#include "hw/gpu/internal.h"

static int64_t guest_ns(TesseraGpu *gpu)
{
    return gpu->host.ops->guest_ns(gpu->host.opaque);
}

static void unlink_dispatch(GpuDispatch *d)
{
    if (d->list) {
        g_queue_unlink(d->list, &d->link);
        d->list = NULL;
    }
}

static void link_dispatch(GpuDispatch *d, GQueue *list, DispatchRun run)
{
    unlink_dispatch(d);
    d->link.data = d;
    g_queue_push_tail_link(list, &d->link);
    d->list = list;
    d->run = run;
}

bool turns_have_room(TesseraGpu *gpu, const GpuQueue *queue)
{
    const GpuCp *cp = &gpu->cp;

    return queue->inflight == 0 ||
           (queue->inflight < QUEUE_DISPATCHES &&
            cp->running < ENGINE_DISPATCHES && !cp->waiting.length);
}

/* ---- into the engine ---- */

static void activate(TesseraGpu *gpu, GpuDispatch *d)
{
    GpuCp *cp = &gpu->cp;

    link_dispatch(d, &cp->active, RUN_ACTIVE);
    cp->running++;
    cp->running_of[d->engine.vmid]++;
    d->slice_end = g_get_monotonic_time() +
                   SLICE_US * (int64_t)(1 + d->engine.priority);
    d->deadline_ns = guest_ns(gpu) + d->left_ns;
    if (d->submitted) {
        engine_continue(gpu->engine, &d->engine);
        return;
    }
    d->submitted = true;
    gpu_lock(gpu);
    gpu->inbox.outstanding++;
    gpu_unlock(gpu);
    engine_submit(gpu->engine, &d->engine);
}

static GpuDispatch *next_in_line(const GpuCp *cp)
{
    GpuDispatch *best = NULL;

    for (GList *link = cp->waiting.head; link; link = link->next) {
        GpuDispatch *d = link->data;

        if (!best || cp->running_of[d->engine.vmid] <
                     cp->running_of[best->engine.vmid]) {
            best = d;
        }
    }
    return best;
}

static void fill_places(TesseraGpu *gpu)
{
    GpuCp *cp = &gpu->cp;

    while (cp->running < ENGINE_DISPATCHES && cp->waiting.length) {
        activate(gpu, next_in_line(cp));
    }
}

static void wait_in_line(TesseraGpu *gpu, GpuDispatch *d)
{
    link_dispatch(d, &gpu->cp.waiting, RUN_WAITING);
    fill_places(gpu);
}

void turns_start(TesseraGpu *gpu, GpuDispatch *d)
{
    d->left_ns = gpu->hang_timeout_ns;
    if (d->hung) {
        d->run = RUN_IDLE;
        gpu->cp.hung++;
        d->deadline_ns = guest_ns(gpu) + d->left_ns;
    } else {
        wait_in_line(gpu, d);
    }
}

/* ---- out of the engine ---- */

static void stop(TesseraGpu *gpu, GpuDispatch *d)
{
    d->run = RUN_STOPPING;
    d->left_ns = MAX(d->deadline_ns - guest_ns(gpu), 0);
    gpu->cp.running_of[d->engine.vmid]--;
    engine_suspend(gpu->engine, &d->engine);
}

bool turns_hold(TesseraGpu *gpu, GpuDispatch *d)
{
    if (d->hung && !d->held) {
        d->left_ns = MAX(d->deadline_ns - guest_ns(gpu), 0);
    }
    d->held = true;
    if (d->run == RUN_ACTIVE) {
        stop(gpu, d);
    } else if (d->run == RUN_WAITING) {
        unlink_dispatch(d);
        d->run = RUN_IDLE;
    }
    return d->run == RUN_STOPPING;
}

/* One that is still stopping gets in line when it has stopped. */
void turns_release(TesseraGpu *gpu, GpuDispatch *d)
{
    if (d->hung && d->held) {
        d->deadline_ns = guest_ns(gpu) + d->left_ns;
    }
    d->held = false;
    if (d->run == RUN_IDLE && !d->hung && !d->dying) {
        wait_in_line(gpu, d);
    }
}

/* Its place is free. */
static void leave(TesseraGpu *gpu, GpuDispatch *d)
{
    if (d->run == RUN_ACTIVE) {
        gpu->cp.running_of[d->engine.vmid]--;
    }
    if (d->run == RUN_ACTIVE || d->run == RUN_STOPPING) {
        gpu->cp.running--;
    }
    unlink_dispatch(d);
}

void turns_suspended(TesseraGpu *gpu, GpuDispatch *d)
{
    leave(gpu, d);
    d->run = RUN_IDLE;
    if (!d->held && !d->dying) {
        link_dispatch(d, &gpu->cp.waiting, RUN_WAITING);
    }
    fill_places(gpu);
}

void turns_ended(TesseraGpu *gpu, GpuDispatch *d)
{
    leave(gpu, d);
    d->run = RUN_OVER;
    if (d->hung) {
        d->hung = false;
        gpu->cp.hung--;
    }
    fill_places(gpu);
}

/* Over without the engine: let it be completed as if it came from there. */
static void end_here(TesseraGpu *gpu, GpuDispatch *d, EngineStatus status,
                     TesseraFaultCause cause)
{
    unlink_dispatch(d);
    d->run = RUN_OVER;
    d->engine.status = status;
    d->engine.fault.cause = cause;
    dispatch_report(gpu, d);
}

void turns_kill(TesseraGpu *gpu, GpuDispatch *d, TesseraFaultCause cause)
{
    EngineStatus status = cause ? ENGINE_FAULTED : ENGINE_KILLED;

    if (d->run == RUN_OVER || d->dying) {
        return;
    }
    d->dying = true;
    if (d->run == RUN_SLOW || !d->submitted) {
        end_here(gpu, d, status, cause);
        return;
    }
    if (d->run == RUN_WAITING) {
        unlink_dispatch(d);
        d->run = RUN_IDLE;
    }
    engine_kill(gpu->engine, &d->engine, cause);
}

void turns_delay(TesseraGpu *gpu, GpuDispatch *d, int64_t due_ns)
{
    d->due_ns = due_ns;
    link_dispatch(d, &gpu->cp.slow, RUN_SLOW);
}

/* ---- taking turns ---- */

/* It does not go for one whose VMID has more places than its own. */
static bool may_go_for(const GpuCp *cp, const GpuDispatch *d,
                       const GpuDispatch *next)
{
    return d->run == RUN_ACTIVE && cp->running_of[d->engine.vmid] >=
                                   cp->running_of[next->engine.vmid];
}

/* Who is to go for @next, if anybody's time is up. */
static GpuDispatch *longest_served(const GpuCp *cp, const GpuDispatch *next,
                                   int64_t now)
{
    GpuDispatch *best = NULL;

    for (GList *link = cp->active.head; link; link = link->next) {
        GpuDispatch *d = link->data;

        if (d->slice_end <= now && may_go_for(cp, d, next) &&
            (!best || cp->running_of[d->engine.vmid] >
                      cp->running_of[best->engine.vmid])) {
            best = d;
        }
    }
    return best;
}

/* Places that will be free when those that are stopping have stopped. */
static unsigned coming_free(const GpuCp *cp)
{
    unsigned count = 0;

    for (GList *link = cp->active.head; link; link = link->next) {
        count += ((GpuDispatch *)link->data)->run == RUN_STOPPING;
    }
    return count;
}

void turns_rotate(TesseraGpu *gpu)
{
    GpuCp *cp = &gpu->cp;
    int64_t now = g_get_monotonic_time();
    GpuDispatch *next, *d;

    for (unsigned n = coming_free(cp); n < cp->waiting.length; n++) {
        next = next_in_line(cp);
        d = longest_served(cp, next, now);
        if (!d) {
            break;
        }
        stop(gpu, d);
    }
}

int64_t turns_next(TesseraGpu *gpu)
{
    const GpuCp *cp = &gpu->cp;
    const GpuDispatch *next;
    int64_t at = INT64_MAX;

    if (coming_free(cp) >= cp->waiting.length) {
        return at; /* nobody waits for a place that is not being made */
    }
    next = next_in_line(cp);
    for (GList *link = cp->active.head; link; link = link->next) {
        const GpuDispatch *d = link->data;

        if (may_go_for(cp, d, next)) {
            at = MIN(at, d->slice_end);
        }
    }
    return at;
}
