/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units: consecutive groups of a parallel block, on any worker. */
#include <string.h>
#include "target/linx/stream.h"

static uint64_t stop_group(const LinxStream *s)
{
    return __atomic_load_n(&s->stop_group, __ATOMIC_ACQUIRE);
}

static uint64_t folded(const LinxStream *s)
{
    return __atomic_load_n(&s->folding.folded, __ATOMIC_SEQ_CST);
}

/* Those who wait for reductions look again. */
static void let_go(LinxWave *w)
{
    if (__atomic_load_n(&w->stream->folding.held, __ATOMIC_SEQ_CST)) {
        wave_let_go(&w->w);
    }
}

static void hold(LinxWave *w)
{
    w->held = true;
    __atomic_add_fetch(&w->stream->folding.held, 1, __ATOMIC_SEQ_CST);
    w->w.state = WAVE_HOLD;
}

static bool too_far_ahead(const LinxWave *w)
{
    return w->x.log && w->unit >= folded(w->stream) + LINX_WINDOW;
}

void linx_unit_start(LinxWave *w, uint64_t unit)
{
    LinxStream *s = w->stream;
    LinxContext *x = &w->x;
    uint64_t first = unit * s->per_unit;

    w->unit = unit;
    w->group_end = MIN(first + s->per_unit, s->groups);
    w->w.count = w->group_end - first;
    x->block = &s->block;
    x->bound = &s->bound;
    x->ro = s->ro;
    x->log = s->block.gpr_outputs ? &w->log : NULL;
    linx_log_clear(&w->log);
    linx_group_start(x, first);
    linx_copy_look(w);
    if (too_far_ahead(w)) {
        hold(w);
    }
}

bool linx_unit_may_run(const Wave *wave)
{
    const LinxWave *w = (const LinxWave *)wave;
    const LinxStream *s = w->stream;

    if (stop_group(s) < w->x.group) {
        return true;
    }
    return w->full ? folded(s) == w->unit : !too_far_ahead(w);
}

/*
 * Only the unit whose turn it is, which all others wait for, touches RO, so it
 * needs no lock to.
 */
bool linx_unit_drain(LinxWave *w)
{
    LinxStream *s = w->stream;
    uint8_t raised = 0;

    if (folded(s) != w->unit) {
        w->full = true;
        hold(w);
        return false;
    }
    linx_log_fold(&w->log, s->ro, &raised);
    linx_log_clear(&w->log);
    w->x.raised |= raised;
    w->x.log = NULL;
    return true;
}

/* ---- the end ---- */

/* Fold those that have ended and whose turn has come; with the lock held. */
static void fold_ahead(LinxStream *s)
{
    LinxFolding *f = &s->folding;
    uint64_t next = f->folded;

    while (f->ended[next % LINX_WINDOW]) {
        LinxLog *log = &f->ahead[next % LINX_WINDOW];

        linx_log_fold(log, s->ro, &s->raised);
        linx_log_free(log);
        f->ended[next++ % LINX_WINDOW] = false;
    }
    __atomic_store_n(&f->folded, next, __ATOMIC_SEQ_CST);
}

static void fold_unit(LinxWave *w)
{
    LinxStream *s = w->stream;
    LinxFolding *f = &s->folding;

    if (f->folded != w->unit) {
        f->ahead[w->unit % LINX_WINDOW] = w->log;
        w->log = (LinxLog){ 0 };
        f->ended[w->unit % LINX_WINDOW] = true;
        return;
    }
    linx_log_fold(&w->log, s->ro, &s->raised);
    __atomic_store_n(&f->folded, f->folded + 1, __ATOMIC_SEQ_CST);
    fold_ahead(s);
}

static bool unit_over(LinxWave *w)
{
    LinxStream *s = w->stream;
    uint8_t raised = w->x.raised | w->x.fflags;

    if (raised || s->block.gpr_outputs) {
        pthread_mutex_lock(&s->lock);
        s->raised |= raised;
        if (s->block.gpr_outputs) {
            fold_unit(w);
        }
        pthread_mutex_unlock(&s->lock);
        let_go(w);
    }
    w->w.state = WAVE_END;
    return false;
}

/*
 * Groups before this one go on to their end, and one of them may still trap:
 * the lowest counts.  Those behind it need not run.
 */
static void trap(LinxWave *w, const EngineFault *fault)
{
    LinxStream *s = w->stream;

    pthread_mutex_lock(&s->lock);
    if (w->x.group < s->stop_group) {
        s->stop = (LinxStop){ .record = w->record, .fault = *fault };
        __atomic_store_n(&s->stop_group, w->x.group, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&s->lock);
    wave_cut_grid(&w->w);
    let_go(w);
}

static bool unit_stop(LinxWave *w)
{
    EngineFault fault;

    if (linx_stopped(w, &fault)) {
        trap(w, &fault);
        w->w.state = WAVE_END;
    }
    return false;
}

bool linx_unit_enter(LinxWave *w)
{
    if (w->held) {
        __atomic_sub_fetch(&w->stream->folding.held, 1, __ATOMIC_SEQ_CST);
        w->held = w->full = false;
    }
    if (stop_group(w->stream) < w->x.group) {
        w->w.state = WAVE_END;
        return false;
    }
    return true;
}

bool linx_unit_step(LinxWave *w)
{
    if (unlikely(w->x.ended)) {
        if (w->x.group + 1 == w->group_end) {
            return unit_over(w);
        }
        linx_group_next(&w->x);
        if (stop_group(w->stream) < w->x.group) {
            w->w.state = WAVE_END;
            return false;
        }
    }
    if (w->copies && w->x.pc == w->x.block->text && linx_copy_groups(w)) {
        return true;
    }
    return likely(linx_body_step(w)) || unit_stop(w);
}
