/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A worker: takes work-groups of every active dispatch and runs their waves
 * in turn.
 *
 * Every dispatch with work holds at least one group on each worker, so none
 * starves another.  A worker takes a further group of a dispatch only when
 * those that it has cannot go on or have used up their quantum, so that a
 * group may wait for another one that has not started.
 */
#include <string.h>
#include "sched.h"

/* ---- memory for waves and groups ---- */

static Wave *take_wave(Worker *w)
{
    Wave *wave = w->queue->free_waves;

    if (wave) {
        w->queue->free_waves = (Wave *)wave->group;
    } else {
        wave = g_aligned_alloc0(1, w->exec->wave_bytes, 64);
        wave->last_vmid = UINT32_MAX;
    }
    return wave;
}

static EngineGroup *take_group(Worker *w, uint32_t lds_size)
{
    EngineGroup *group = w->queue->free_groups;

    if (group) {
        w->queue->free_groups = group->next;
    } else {
        group = g_new0(EngineGroup, 1);
        group->lds = g_malloc(w->engine->config.isa->max_lds);
    }
    group->lds_size = MIN(lds_size, w->engine->config.isa->max_lds);
    memset(group->lds, 0, group->lds_size);
    return group;
}

/* ---- scratch slots ---- */

/* Give each wave of a group its part of the backing memory, or none at all. */
static bool take_scratch(EngineDispatchState *s, unsigned count,
                         uint32_t *slot)
{
    unsigned found = 0;

    if (!s->scratch_used) {
        memset(slot, 0, count * sizeof(*slot));
        return true;
    }
    pthread_mutex_lock(&s->scratch_lock);
    for (uint32_t i = 0; i < s->scratch_slots && found < count; i++) {
        if (!(s->scratch_used[i / 32] >> i % 32 & 1)) {
            slot[found++] = i;
        }
    }
    for (unsigned i = 0; found == count && i < count; i++) {
        s->scratch_used[slot[i] / 32] |= 1u << slot[i] % 32;
    }
    pthread_mutex_unlock(&s->scratch_lock);
    return found == count;
}

static void return_slots(EngineDispatchState *s, const uint32_t *slot,
                         unsigned count)
{
    if (!s->scratch_used) {
        return;
    }
    pthread_mutex_lock(&s->scratch_lock);
    for (unsigned i = 0; i < count; i++) {
        s->scratch_used[slot[i] / 32] &= ~(1u << slot[i] % 32);
    }
    pthread_mutex_unlock(&s->scratch_lock);
}

static void release_scratch(EngineDispatchState *s, const EngineGroup *group)
{
    uint32_t slot[GROUP_MAX_WAVES];

    for (unsigned i = 0; i < group->waves; i++) {
        slot[i] = group->wave[i]->scratch_slot;
    }
    return_slots(s, slot, group->waves);
}

/* ---- groups ---- */

/* The first fault of a dispatch is kept; it ends all its waves. */
static void dispatch_fault(Worker *w, EngineDispatchState *s, Wave *wave)
{
    Engine *e = w->engine;
    EngineDispatch *d = s->dispatch;

    pthread_mutex_lock(&e->lock);
    if (d->status == ENGINE_PENDING) {
        d->status = ENGINE_FAULTED;
        d->fault = w->fault;
        memcpy(d->fault.group, wave->group->id, sizeof(d->fault.group));
        d->fault.wave = wave->index;
        __atomic_store_n(&s->cancel, true, __ATOMIC_RELAXED);
        __atomic_add_fetch(&e->generation, 1, __ATOMIC_SEQ_CST);
        for (unsigned i = 0; i < e->worker_count; i++) {
            __atomic_store_n(&e->workers[i]->attention, true,
                             __ATOMIC_SEQ_CST);
        }
    }
    pthread_mutex_unlock(&e->lock);
}


static void place_group(EngineGroup *group, const EngineDispatchState *s,
                        uint64_t index)
{
    const EngineDispatch *d = s->dispatch;

    group->id[0] = index % s->groups[0];
    group->id[1] = index / s->groups[0] % s->groups[1];
    group->id[2] = index / s->groups[0] / s->groups[1];
    for (int i = 0; i < 3; i++) {
        group->size[i] = MIN(d->group_size[i],
                             d->grid[i] - group->id[i] * d->group_size[i]);
    }
}

static void start_group(Worker *w, Attachment *a, uint64_t index,
                        const uint32_t *slot)
{
    EngineDispatchState *s = a->state;
    EngineDispatch *d = s->dispatch;
    EngineGroup *group = take_group(w, d->launch.lds_size);
    uint32_t items;

    group->dispatch = d;
    place_group(group, s, index);
    items = group->size[0] * group->size[1] * group->size[2];
    group->waves = (items + s->lanes - 1) / s->lanes;
    group->live = group->waves;
    group->waiting = 0;
    /* A group at the grid's edge may need fewer than were taken. */
    return_slots(s, slot + group->waves, s->waves - group->waves);
    for (unsigned i = 0; i < group->waves; i++) {
        Wave *wave = take_wave(w);

        group->wave[i] = wave;
        wave->worker = w;
        wave->group = group;
        wave->asid = d->vmid | TLB_VALID;
        wave->state = WAVE_RUN;
        wave->budget = QUANTUM;
        wave->index = i;
        wave->scratch_slot = slot[i];
        wave->instructions = wave->lane_instructions = 0;
        wave->page = NULL;
        w->exec->wave_start(wave, group, i);
        wave->last_vmid = d->vmid;
        if (!wave_goto(wave, d->launch.entry)) {
            dispatch_fault(w, s, wave);
        }
    }
    group->next = a->groups;
    a->groups = group;
    a->resident += group->waves;
}

/* Take one more group, if there is one and it finds room. */
static bool admit_group(Worker *w, Attachment *a)
{
    EngineDispatchState *s = a->state;
    uint32_t slot[GROUP_MAX_WAVES];
    uint64_t index;

    if (a->groups && a->resident + s->waves > RESIDENT_WAVES) {
        return false;
    }
    if (__atomic_load_n(&s->taken, __ATOMIC_RELAXED) >= s->total) {
        return false;
    }
    if (!take_scratch(s, s->waves, slot)) {
        a->starved = !a->groups;
        return false;
    }
    index = __atomic_fetch_add(&s->taken, 1, __ATOMIC_RELAXED);
    if (index < s->total) {
        start_group(w, a, index, slot);
        return true;
    }
    return_slots(s, slot, s->waves); /* somebody else took the last group */
    return false;
}

static void end_group(Worker *w, Attachment *a, EngineGroup *group)
{
    release_scratch(a->state, group);
    for (unsigned i = 0; i < group->waves; i++) {
        Wave *wave = group->wave[i];

        a->counts.instructions += wave->instructions;
        a->counts.lane_instructions += wave->lane_instructions;
        a->counts.waves++;
        wave_leave_page(wave);
        wave->group = (EngineGroup *)w->queue->free_waves;
        w->queue->free_waves = wave;
    }
    a->resident -= group->waves;
    group->next = w->queue->free_groups;
    w->queue->free_groups = group;
}

/* ---- running ---- */

static void open_barrier(EngineGroup *group)
{
    if (group->waiting == 0 || group->waiting < group->live) {
        return;
    }
    group->waiting = 0;
    for (unsigned i = 0; i < group->waves; i++) {
        if (group->wave[i]->state == WAVE_BARRIER) {
            group->wave[i]->state = WAVE_RUN;
        }
    }
}

/* Run one wave for a quantum. */
static void run_wave(Worker *w, Attachment *a, EngineGroup *group, Wave *wave)
{
    wave->budget = QUANTUM;
    w->exec->run(wave);
    switch (wave->state) {
    case WAVE_BARRIER:
        group->waiting++;
        break;
    case WAVE_END:
        group->live--;
        break;
    case WAVE_FAULT:
        dispatch_fault(w, a->state, wave);
        break;
    default:
        return;
    }
    open_barrier(group);
}

/* Run each wave of a group until all have ended or used up a quantum. */
static void run_group(Worker *w, Attachment *a, EngineGroup *group)
{
    for (unsigned i = 0; i < group->waves; i++) {
        Wave *wave = group->wave[i];

        if (wave->state == WAVE_RUN) {
            run_wave(w, a, group, wave);
        }
        if (unlikely(worker_wanted(w))) {
            return;
        }
    }
}

static void run_attachment(Worker *w, Attachment *a)
{
    EngineGroup **link;
    bool ended = false;

    if (!a->groups && !admit_group(w, a)) {
        return;
    }
    for (link = &a->groups; *link;) {
        EngineGroup *group = *link;

        run_group(w, a, group);
        if (group->live == 0) {
            *link = group->next;
            end_group(w, a, group);
            ended = true;
        } else {
            link = &group->next;
        }
        if (unlikely(worker_wanted(w))) {
            return;
        }
    }
    if (!ended) {
        admit_group(w, a);
    }
}

/* ---- attaching and detaching ---- */

static bool is_attached(const WorkerQueue *q, const EngineDispatchState *s)
{
    for (Attachment *a = q->attached; a; a = a->next) {
        if (a->state == s) {
            return true;
        }
    }
    return false;
}

/* Join every dispatch that still has groups.  With the engine's lock held. */
static void attach_all(Worker *w)
{
    Engine *e = w->engine;
    Attachment **end = &w->queue->attached;

    w->queue->generation = __atomic_load_n(&e->generation, __ATOMIC_RELAXED);
    while (*end) {
        end = &(*end)->next;
    }
    for (EngineDispatchState *s = e->active; s; s = s->next) {
        if (is_attached(w->queue, s) || s->cancel ||
            __atomic_load_n(&s->taken, __ATOMIC_RELAXED) >= s->total) {
            continue;
        }
        *end = g_new0(Attachment, 1);
        (*end)->state = s;
        end = &(*end)->next;
        s->attached++;
        w->epoch++; /* an acquire: code may have changed */
    }
}

static bool attachment_over(const Attachment *a)
{
    EngineDispatchState *s = a->state;

    return __atomic_load_n(&s->cancel, __ATOMIC_RELAXED) || a->starved ||
           (!a->groups &&
            __atomic_load_n(&s->taken, __ATOMIC_RELAXED) >= s->total);
}

static void state_free(EngineDispatchState *s)
{
    pthread_mutex_destroy(&s->scratch_lock);
    g_free(s->scratch_used);
    g_free(s);
}

/*
 * Nobody works on the dispatch any more and nobody will: unlink it.  With the
 * lock held; the caller then calls done().
 */
static bool unlink_if_over(Engine *e, EngineDispatchState *s)
{
    if (s->attached || !(s->cancel || s->taken >= s->total)) {
        return false;
    }
    for (EngineDispatchState **p = &e->active; *p; p = &(*p)->next) {
        if (*p == s) {
            *p = s->next;
            if (s->dispatch->status == ENGINE_PENDING) {
                s->dispatch->status = s->cancel ? ENGINE_KILLED : ENGINE_DONE;
            }
            return true;
        }
    }
    return false;
}

static void finish(Engine *e, EngineDispatchState *s)
{
    EngineDispatch *d = s->dispatch;

    d->state = NULL;
    state_free(s);
    e->config.ops->done(e->config.opaque, d);
}

/* Leave a dispatch; what it has written is reported first. */
static void detach(Worker *w, Attachment *a)
{
    Engine *e = w->engine;
    EngineDispatchState *s = a->state;
    bool over;

    while (a->groups) {
        EngineGroup *group = a->groups;

        a->groups = group->next;
        end_group(w, a, group);
    }
    worker_report(w);
    pthread_mutex_lock(&e->lock);
    s->dispatch->counts.instructions += a->counts.instructions;
    s->dispatch->counts.lane_instructions += a->counts.lane_instructions;
    s->dispatch->counts.waves += a->counts.waves;
    s->attached--;
    over = unlink_if_over(e, s);
    pthread_mutex_unlock(&e->lock);
    g_free(a);
    if (over) {
        finish(e, s);
    }
}

static void detach_finished(Worker *w)
{
    for (Attachment **link = &w->queue->attached; *link;) {
        Attachment *a = *link;

        if (attachment_over(a)) {
            *link = a->next;
            detach(w, a);
        } else {
            link = &a->next;
        }
    }
}

/* Dispatches that were killed before anybody attached to them. */
static void finish_orphans(Worker *w)
{
    Engine *e = w->engine;
    bool found;

    do {
        EngineDispatchState *s;

        found = false;
        pthread_mutex_lock(&e->lock);
        for (s = e->active; s; s = s->next) {
            if (unlink_if_over(e, s)) {
                found = true;
                break;
            }
        }
        pthread_mutex_unlock(&e->lock);
        if (found) {
            finish(e, s);
        }
    } while (found);
}

/* ---- the thread ---- */

/* Park, sleep, attach; returns false when the engine closes. */
static bool look_around(Worker *w)
{
    Engine *e = w->engine;
    WorkerQueue *q = w->queue;
    bool go_on;

    __atomic_store_n(&w->attention, false, __ATOMIC_SEQ_CST);
    detach_finished(w);
    finish_orphans(w);
    worker_report(w);
    pthread_mutex_lock(&e->lock);
    while (!e->quit &&
           (e->parked ||
            (!q->attached && q->generation == e->generation))) {
        if (--e->busy == 0) {
            pthread_cond_broadcast(&e->idle);
        }
        pthread_cond_wait(&e->wake, &e->lock);
        e->busy++;
    }
    attach_all(w);
    go_on = q->attached || !e->quit || e->active;
    pthread_mutex_unlock(&e->lock);
    return go_on;
}

void *worker_main(void *opaque)
{
    Worker *w = opaque;
    WorkerQueue *q = w->queue;

    while (look_around(w)) {
        while (q->attached && !worker_wanted(w)) {
            for (Attachment *a = q->attached; a && !worker_wanted(w);
                 a = a->next) {
                run_attachment(w, a);
            }
            detach_finished(w);
        }
    }
    pthread_mutex_lock(&w->engine->lock);
    if (--w->engine->busy == 0) {
        pthread_cond_broadcast(&w->engine->idle);
    }
    pthread_mutex_unlock(&w->engine->lock);
    return NULL;
}
