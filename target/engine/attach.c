/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How workers join a dispatch and leave it, and how it ends or is suspended.
 */
#include "sched.h"

/* ---- joining ---- */

static bool is_attached(const WorkerQueue *q, const EngineDispatchState *s)
{
    for (Attachment *a = q->attached; a; a = a->next) {
        if (a->state == s) {
            return true;
        }
    }
    return false;
}

/* Has it groups for this worker? */
static bool is_open(const WorkerQueue *q, const EngineDispatchState *s)
{
    return q->cus & s->cus && !s->cancel && !s->suspend &&
           dispatch_has_more(s);
}

/* Behind those of the same priority. */
static void attach(WorkerQueue *q, EngineDispatchState *s)
{
    Attachment **link = &q->attached, *a = g_new0(Attachment, 1);

    while (*link &&
           (*link)->state->dispatch->priority >= s->dispatch->priority) {
        link = &(*link)->next;
    }
    a->state = s;
    a->next = *link;
    a->cu = TESSERA_CUS - 1; /* 0 is the next */
    *link = a;
    s->attached++;
}

void attach_all(Worker *w)
{
    Engine *e = w->engine;
    WorkerQueue *q = w->queue;

    q->generation = __atomic_load_n(&e->generation, __ATOMIC_RELAXED);
    for (EngineDispatchState *s = e->active; s; s = s->next) {
        if (is_open(q, s) && !is_attached(q, s)) {
            attach(q, s);
            w->epoch++; /* an acquire: code may have changed */
        }
    }
}

/* ---- leaving ---- */

bool attachment_over(const Attachment *a)
{
    EngineDispatchState *s = a->state;

    return __atomic_load_n(&s->cancel, __ATOMIC_RELAXED) ||
           (!a->groups && !attachment_has_more(a));
}

void attachment_leave(Worker *w, Attachment *a)
{
    Engine *e = w->engine;
    EngineDispatchState *s = a->state;

    while (a->groups) {
        EngineGroup *group = a->groups;

        a->groups = group->next;
        group_end(w, a, group);
    }
    attachment_uncount(w, a);
    worker_report(w);
    pthread_mutex_lock(&e->lock);
    s->dispatch->counts.instructions += a->counts.instructions;
    s->dispatch->counts.lane_instructions += a->counts.lane_instructions;
    s->dispatch->counts.waves += a->counts.waves;
    s->attached--;
    s->held -= a->held;
    pthread_mutex_unlock(&e->lock);
    g_free(a);
    dispatches_settle(e);
}

void attachments_hold(Worker *w)
{
    pthread_mutex_lock(&w->engine->lock);
    for (Attachment *a = w->queue->attached; a; a = a->next) {
        if (a->state->suspend && !a->held) {
            pthread_mutex_unlock(&w->engine->lock);
            attachment_cancel_asks(a);
            pthread_mutex_lock(&w->engine->lock);
        }
        if (a->held != a->state->suspend) {
            a->held = a->state->suspend;
            a->state->held += a->held ? 1 : -1;
        }
    }
    pthread_mutex_unlock(&w->engine->lock);
}

/* ---- call-backs ---- */

/* Nobody works on the dispatch any more and nobody will. */
static bool is_over(const EngineDispatchState *s)
{
    return !s->attached && !s->telling &&
           (s->cancel || !dispatch_has_more(s));
}

/* Take a dispatch that is over out of the list; with the lock held. */
static EngineDispatchState *take_over(Engine *e)
{
    for (EngineDispatchState **p = &e->active; *p; p = &(*p)->next) {
        EngineDispatchState *s = *p;

        if (is_over(s)) {
            *p = s->next;
            if (s->dispatch->status == ENGINE_PENDING) {
                s->dispatch->status = s->cancel ? ENGINE_KILLED : ENGINE_DONE;
            }
            return s;
        }
    }
    return NULL;
}

/* One that stands still as it was asked to; with the lock held. */
static EngineDispatchState *take_suspended(Engine *e)
{
    for (EngineDispatchState *s = e->active; s; s = s->next) {
        if (s->suspend && !s->told && !s->telling && !s->cancel &&
            s->held == s->attached) {
            s->told = s->telling = true;
            return s;
        }
    }
    return NULL;
}

static void state_free(EngineDispatchState *s)
{
    pthread_mutex_destroy(&s->scratch_lock);
    pthread_mutex_destroy(&s->grid_lock);
    g_free(s->scratch_used);
    g_free(s);
}

/* It is out of the list. */
static void finish(Engine *e, EngineDispatchState *s)
{
    EngineDispatch *d = s->dispatch;

    d->state = NULL;
    if (d->stream) {
        s->exec->stream_end(d);
    }
    state_free(s);
    e->config.ops->done(e->config.opaque, d);
}

void dispatches_settle(Engine *e)
{
    EngineDispatchState *over, *suspended = NULL;

    do {
        pthread_mutex_lock(&e->lock);
        if (suspended) {
            suspended->telling = false;
        }
        over = take_over(e);
        suspended = over ? NULL : take_suspended(e);
        pthread_mutex_unlock(&e->lock);
        if (over) {
            finish(e, over);
        } else if (suspended) {
            e->config.ops->suspended(e->config.opaque, suspended->dispatch);
        }
    } while (over || suspended);
}
