/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LinxISA blocks as the engine and the device see them. */
#include <string.h>
#include "target/linx/isa.h"
#include "target/linx/stream.h"

_Static_assert(TESSERA_BLOCK_GPRS == LINX_GPRS, "R0 to R23");

/* ---- dispatches ---- */

static void stream_start(EngineDispatch *dispatch)
{
    LinxStream *s = g_new0(LinxStream, 1);

    memcpy(s->state.gpr, dispatch->launch.blocks->gpr, sizeof(s->state.gpr));
    s->state.gpr[0] = 0;
    pthread_mutex_init(&s->lock, NULL);
    if (dispatch->strict) {
        linx_strict_start(&s->state);
    }
    dispatch->stream_state = s;
}

static void tell_trap(const LinxRecord *record, TesseraBlocks *blocks)
{
    blocks->trapped = record->trapped;
    blocks->trapno = linx_trapno(&record->trap);
    blocks->traparg0 = record->arg;
    blocks->ecstate = record->in_body ? LINX_ECSTATE_BI : 0;
    blocks->ebpc = record->bpc;
    blocks->ebpcn = record->next;
    blocks->ebarg = record->group;
    blocks->etpc = record->trap.pc;
}

static void stream_end(EngineDispatch *dispatch)
{
    LinxStream *s = dispatch->stream_state;
    TesseraBlocks *blocks = dispatch->launch.blocks;

    memcpy(blocks->gpr, s->state.gpr, sizeof(blocks->gpr));
    blocks->committed = s->committed;
    if (s->stop.record.trapped) {
        tell_trap(&s->stop.record, blocks);
    }
    for (unsigned i = 0; i < LINX_WINDOW; i++) {
        linx_log_free(&s->folding.ahead[i]);
    }
    linx_tiles_free(&s->state.tiles);
    linx_overlap_free(s->state.overlap);
    pthread_mutex_destroy(&s->lock);
    g_free(s);
    dispatch->stream_state = NULL;
}

static uint64_t next_grid(Wave *wave)
{
    const LinxStream *s = linx_wave(wave)->stream;

    return (s->groups + s->per_unit - 1) / s->per_unit;
}

/* ---- waves ---- */

/* All but fast handlers is the same at all host levels. */
typedef struct LinxExec {
    TesseraIsaExec exec;
    const LinxFast *fast;
} LinxExec;

static unsigned active_lanes(const Wave *wave)
{
    return __builtin_popcountll(((const LinxWave *)wave)->x.p);
}

/* The large parts are only read once they have been written. */
static void reset_context(LinxWave *w)
{
    LinxContext *x = &w->x;

    x->state = &w->stream->state;
    x->wave = &w->w;
    x->block = NULL;
    x->bound = NULL;
    x->ro = NULL;
    x->log = NULL;
    x->record = &w->record;
    x->group = 0;
    x->waiting = x->taken = x->ended = false;
    x->resume = 0;
    x->cause = TESSERA_FAULT_NONE;
    x->raised = x->fflags = 0;
    x->bridges = 0;
    for (unsigned i = 0; i < LINX_BRIDGES; i++) {
        x->bridge[i].pending = false;
    }
}

static void wave_start(Wave *wave, EngineGroup *group, unsigned index)
{
    LinxWave *w = linx_wave(wave);
    LinxStream *s = group->dispatch->stream_state;

    wave->active_lanes = active_lanes;
    wave->count = 0;
    w->stream = s;
    w->own = group->own;
    w->held = w->full = false;
    w->fetch.page = NULL;
    w->fetch.serial = s->serial;
    w->fetch.fast = ((const LinxExec *)wave->exec)->fast;
    w->record = (LinxRecord){ .bpc = s->block.bpc, .next = s->block.next };
    reset_context(w);
    if (w->own) {
        w->phase = LINX_PHASE_START;
        w->x.pc = group->dispatch->launch.entry;
    } else {
        linx_unit_start(w, group->unit);
    }
}

static void run(Wave *wave)
{
    LinxWave *w = linx_wave(wave);
    bool (*step)(LinxWave *) = w->own ? linx_own_step : linx_unit_step;

    w->fetch.page = NULL;
    if (!w->own && !linx_unit_enter(w)) {
        return;
    }
    while (!wave_quantum_over(wave) && step(w)) {
    }
}

static void wave_free(Wave *wave)
{
    linx_log_free(&linx_wave(wave)->log);
}

/* ---- host levels ---- */

#define EXEC(handlers) { \
        .exec = { \
            .wave_bytes = sizeof(LinxWave), \
            .wave_start = wave_start, \
            .run = run, \
            .wave_free = wave_free, \
            .stream_start = stream_start, \
            .stream_end = stream_end, \
            .next_grid = next_grid, \
            .may_run = linx_unit_may_run, \
            .worker_free = linx_fetch_free, \
        }, \
        .fast = handlers, \
    }

/* A level that is not built has what the one below it has. */
#ifdef TESSERA_HAVE_V2
#define FAST_V2 (&linx_fast_v2)
#else
#define FAST_V2 NULL
#endif
#ifdef TESSERA_HAVE_V3
#define FAST_V3 (&linx_fast_v3)
#else
#define FAST_V3 FAST_V2
#endif
#ifdef TESSERA_HAVE_V4
#define FAST_V4 (&linx_fast_v4)
#else
#define FAST_V4 FAST_V3
#endif

static const LinxExec execs[TESSERA_LEVELS] = {
    [TESSERA_LEVEL_V2] = EXEC(FAST_V2),
    [TESSERA_LEVEL_V3] = EXEC(FAST_V3),
    [TESSERA_LEVEL_V4] = EXEC(FAST_V4),
};

const TesseraIsa linx_isa = {
    .name = "linx",
    .lanes = LINX_LANES,
    .exec = { &execs[0].exec, &execs[1].exec, &execs[2].exec },
};
