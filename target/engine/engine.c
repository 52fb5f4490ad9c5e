/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine as its owner sees it: start, submit, kill, park.
 */
#include <string.h>
#include "jit.h"
#include "profile.h"
#include "sched.h"

static void wake_workers(Engine *engine)
{
    for (unsigned i = 0; i < engine->worker_count; i++) {
        __atomic_store_n(&engine->workers[i]->attention, true,
                         __ATOMIC_SEQ_CST);
    }
    pthread_cond_broadcast(&engine->wake);
}

/* Workers are to look at the list of dispatches.  With the lock held. */
static void list_changed(Engine *engine)
{
    __atomic_add_fetch(&engine->generation, 1, __ATOMIC_SEQ_CST);
    wake_workers(engine);
}

/*
 * CU c is worker c modulo the number of workers; if there are more workers than
 * CUs, several are one CU.
 */
static uint64_t cus_of_worker(const Engine *engine, unsigned index)
{
    unsigned n = MIN(engine->config.workers, TESSERA_CUS);
    uint64_t cus = 0;

    for (unsigned cu = index % n; cu < TESSERA_CUS; cu += n) {
        cus |= 1ull << cu;
    }
    return cus;
}

static Worker *worker_new(Engine *engine, unsigned index)
{
    Worker *w = g_aligned_alloc0(1, sizeof(Worker), 64);

    w->engine = engine;
    w->exec = engine->exec;
    w->queue = g_new0(WorkerQueue, 1);
    w->queue->cus = cus_of_worker(engine, index);
    return w;
}

void engine_jit_counts(Engine *engine, EngineJitCounts *counts)
{
    *counts = (EngineJitCounts){ 0 };
    if (engine->jit) {
        jit_counts(engine->jit, counts);
    }
}

static void worker_free(Worker *w)
{
    worker_free_code(w);
    if (w->jit_left) {
        jit_leave(w);
    }
    if (w->engine->stream_exec && w->engine->stream_exec->worker_free) {
        w->engine->stream_exec->worker_free(w);
    }
    for (unsigned kind = 0; kind < 2; kind++) {
        while (w->queue->free_waves[kind]) {
            Wave *wave = w->queue->free_waves[kind];

            w->queue->free_waves[kind] = (Wave *)wave->group;
            wave_free(wave);
        }
    }
    while (w->queue->free_groups) {
        EngineGroup *group = w->queue->free_groups;

        w->queue->free_groups = group->next;
        group_free(group);
    }
    g_free(w->queue);
    g_aligned_free(w);
}

Engine *engine_new(const EngineConfig *config, GError **error)
{
    Engine *e = g_new0(Engine, 1);
    const TesseraHost *host = config->host;

    g_assert(config->workers >= 1 && config->workers <= TESSERA_WORKERS_MAX);
    e->config = *config;
    e->exec = config->isa->exec[config->level];
    g_assert(e->exec);
    e->stream_exec = config->stream_isa ?
                     config->stream_isa->exec[config->stream_level] : NULL;
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->wake, NULL);
    pthread_cond_init(&e->idle, NULL);
    e->profile = config->profile ? profile_new() : NULL;
    if (!jit_new(&e->config, &e->jit, error)) {
        engine_free(e);
        return NULL;
    }
    e->workers = g_new0(Worker *, config->workers);
    for (unsigned i = 0; i < config->workers; i++) {
        Worker *w = worker_new(e, i);
        char name[24];

        g_snprintf(name, sizeof(name), "tessera-%u", i);
        pthread_mutex_lock(&e->lock);
        e->workers[e->worker_count++] = w;
        e->busy++;
        pthread_mutex_unlock(&e->lock);
        w->queue->thread = host->ops->thread_start(host->opaque, name,
                                                   worker_main, w);
        if (!w->queue->thread) {
            pthread_mutex_lock(&e->lock);
            e->worker_count--;
            e->busy--;
            pthread_mutex_unlock(&e->lock);
            worker_free(w);
            engine_free(e);
            g_set_error(error, g_quark_from_static_string("tessera"), 0,
                        "cannot start worker thread %u of %u", i + 1,
                        config->workers);
            return NULL;
        }
    }
    return e;
}

void engine_free(Engine *engine)
{
    const TesseraHost *host = engine->config.host;

    pthread_mutex_lock(&engine->lock);
    for (EngineDispatchState *s = engine->active; s; s = s->next) {
        __atomic_store_n(&s->cancel, true, __ATOMIC_RELAXED);
    }
    engine->quit = true;
    wake_workers(engine);
    pthread_mutex_unlock(&engine->lock);
    for (unsigned i = 0; i < engine->worker_count; i++) {
        host->ops->thread_join(host->opaque,
                               engine->workers[i]->queue->thread);
        worker_free(engine->workers[i]);
    }
    g_assert(!engine->active);
    g_free(engine->workers);
    profile_free(engine->profile);
    jit_free(engine->jit);
    pthread_mutex_destroy(&engine->lock);
    pthread_cond_destroy(&engine->wake);
    pthread_cond_destroy(&engine->idle);
    g_free(engine);
}

static uint32_t div_up(uint32_t n, uint32_t d)
{
    return n / d + (n % d != 0);
}

#define ALL_CUS ((1ull << TESSERA_CUS) - 1)

static void set_grid(Engine *engine, EngineDispatch *d,
                     EngineDispatchState *s)
{
    uint32_t items = d->group_size[0] * d->group_size[1] * d->group_size[2];

    for (int i = 0; i < 3; i++) {
        s->groups[i] = div_up(d->grid[i], d->group_size[i]);
        /* 2^96 groups fit no counter; nobody will see the last of 2^63. */
        if (__builtin_mul_overflow(s->total, s->groups[i], &s->total)) {
            s->total = UINT64_MAX / 2;
        }
    }
    s->lanes = engine->config.isa->wave_lanes(&d->launch);
    s->waves = div_up(items, s->lanes);
    if (d->launch.private_size) {
        s->scratch_slots = MIN(d->launch.scratch_waves, 1u << 16);
        s->scratch_used = g_new0(uint32_t, s->scratch_slots / 32 + 1);
    }
}

/* A stream begins with one group, its own. */
static EngineDispatchState *state_new(Engine *engine, EngineDispatch *d)
{
    EngineDispatchState *s = g_new0(EngineDispatchState, 1);

    s->dispatch = d;
    s->cus = d->cu_mask & ALL_CUS ? d->cu_mask & ALL_CUS : ALL_CUS;
    s->total = 1;
    s->waves = 1;
    pthread_mutex_init(&s->scratch_lock, NULL);
    pthread_mutex_init(&s->grid_lock, NULL);
    if (d->stream) {
        s->exec = engine->stream_exec;
        g_assert(s->exec);
        s->exec->stream_start(d);
    } else {
        s->exec = engine->exec;
        set_grid(engine, d, s);
    }
    return s;
}

void engine_submit(Engine *engine, EngineDispatch *d)
{
    EngineDispatchState *s = state_new(engine, d), **end;

    d->status = ENGINE_PENDING;
    d->fault = (EngineFault){ 0 };
    d->faults = 0;
    d->counts = (EngineStats){ 0 };
    d->state = s;
    pthread_mutex_lock(&engine->lock);
    s->serial = ++engine->submitted;
    for (end = &engine->active; *end; end = &(*end)->next) {
    }
    *end = s;
    if (s->scratch_used && s->scratch_slots < s->waves) {
        d->status = ENGINE_FAULTED; /* no group will ever fit */
        d->fault.cause = TESSERA_FAULT_SCRATCH_BOUNDS;
        s->cancel = true;
    }
    list_changed(engine);
    pthread_mutex_unlock(&engine->lock);
}

/* The state of a dispatch that has not ended; with the lock held. */
static EngineDispatchState *find_pending(Engine *engine,
                                         const EngineDispatch *dispatch)
{
    for (EngineDispatchState *s = engine->active; s; s = s->next) {
        if (s->dispatch == dispatch && dispatch->status == ENGINE_PENDING) {
            return s;
        }
    }
    return NULL;
}

void engine_kill(Engine *engine, EngineDispatch *dispatch,
                 TesseraFaultCause cause)
{
    EngineDispatchState *s;

    pthread_mutex_lock(&engine->lock);
    s = find_pending(engine, dispatch);
    if (s) {
        dispatch->status = cause ? ENGINE_FAULTED : ENGINE_KILLED;
        dispatch->fault.cause = cause;
        __atomic_store_n(&s->cancel, true, __ATOMIC_RELAXED);
        list_changed(engine);
    }
    pthread_mutex_unlock(&engine->lock);
}

static void set_suspend(Engine *engine, const EngineDispatch *dispatch,
                        bool suspend)
{
    EngineDispatchState *s;

    pthread_mutex_lock(&engine->lock);
    s = find_pending(engine, dispatch);
    if (s && s->suspend != suspend) {
        s->suspend = suspend;
        s->told = false;
        list_changed(engine);
    }
    pthread_mutex_unlock(&engine->lock);
}

void engine_suspend(Engine *engine, EngineDispatch *dispatch)
{
    set_suspend(engine, dispatch, true);
}

void engine_continue(Engine *engine, EngineDispatch *dispatch)
{
    set_suspend(engine, dispatch, false);
}

void engine_park(Engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    engine->parked++;
    wake_workers(engine);
    while (engine->busy) {
        pthread_cond_wait(&engine->idle, &engine->lock);
    }
    pthread_mutex_unlock(&engine->lock);
}

void engine_unpark(Engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    g_assert(engine->parked);
    if (--engine->parked == 0) {
        pthread_cond_broadcast(&engine->wake);
    }
    pthread_mutex_unlock(&engine->lock);
}

void engine_forget(Engine *engine)
{
    g_assert(engine->parked);
    for (unsigned i = 0; i < engine->worker_count; i++) {
        worker_flush_tlb(engine->workers[i]);
        engine->workers[i]->epoch++;
    }
}

void engine_forget_vmid(Engine *engine, unsigned vmid)
{
    g_assert(engine->parked);
    for (unsigned i = 0; i < engine->worker_count; i++) {
        worker_flush_vmid(engine->workers[i], vmid);
        engine->workers[i]->epoch++;
    }
}
