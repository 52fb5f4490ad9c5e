/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dispatches that are a stream of grids.
 *
 * The stream's own group is the first that is taken, by the worker that is the
 * stream's home from then on.  While its wave waits (WAVE_GRID), all workers,
 * the home among them, take units of the grid.  `taken` and `total` start anew
 * with each grid, so they are counted under grid_lock: whoever comes late takes
 * a unit of the new grid or none, and that is all right.
 */
#include "sched.h"

bool stream_take(Worker *w, EngineDispatchState *s, EngineGroup *group)
{
    bool took;

    pthread_mutex_lock(&s->grid_lock);
    took = s->taken < s->total;
    group->own = took && !s->home;
    if (took) {
        group->unit = s->taken;
        __atomic_store_n(&s->taken, s->taken + 1, __ATOMIC_SEQ_CST);
    }
    if (group->own) {
        __atomic_store_n(&s->home, w, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&s->grid_lock);
    return took;
}

/* Have the other workers come. */
static void call_others(Worker *w)
{
    Engine *e = w->engine;

    pthread_mutex_lock(&e->lock);
    __atomic_add_fetch(&e->generation, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < e->worker_count; i++) {
        if (e->workers[i] != w) {
            __atomic_store_n(&e->workers[i]->attention, true,
                             __ATOMIC_SEQ_CST);
        }
    }
    pthread_cond_broadcast(&e->wake);
    pthread_mutex_unlock(&e->lock);
}

void stream_grid(Worker *w, EngineDispatchState *s, Wave *wave)
{
    uint64_t units = s->exec->next_grid(wave);

    pthread_mutex_lock(&s->grid_lock);
    s->ended = 0;
    __atomic_store_n(&s->total, units, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s->taken, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&s->grid_lock);
    if (units > 1 && w->engine->worker_count > 1) {
        call_others(w);
    }
}

void stream_group_ended(Worker *w, EngineDispatchState *s,
                        const EngineGroup *group)
{
    if (!group->own &&
        __atomic_add_fetch(&s->ended, 1, __ATOMIC_SEQ_CST) ==
            __atomic_load_n(&s->total, __ATOMIC_SEQ_CST) &&
        s->home != w) {
        worker_poke(s->home);
    }
}

bool stream_ready(const EngineDispatchState *s, const Wave *wave)
{
    return wave->state == WAVE_GRID ?
           __atomic_load_n(&s->ended, __ATOMIC_SEQ_CST) ==
               __atomic_load_n(&s->total, __ATOMIC_SEQ_CST) :
           s->exec->may_run(wave);
}

void wave_cut_grid(Wave *wave)
{
    EngineDispatchState *s = wave->group->dispatch->state;

    pthread_mutex_lock(&s->grid_lock);
    __atomic_store_n(&s->total, s->taken, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&s->grid_lock);
}

unsigned wave_workers(const Wave *wave)
{
    return wave->worker->engine->worker_count;
}

void wave_let_go(Wave *wave)
{
    workers_poke(wave->worker->engine);
}
