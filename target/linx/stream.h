/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dispatch of blocks on the engine.
 *
 * The stream's own wave runs scalar code, reads headers, commits, and runs the
 * groups of MSEQ and VSEQ blocks, and of small ones, in order.  For other blocks
 * it has the engine run units: each a wave that runs some consecutive groups.
 */
#ifndef LINX_STREAM_H
#define LINX_STREAM_H

#include <pthread.h>
#include "target/linx/fetch.h"
#include "target/linx/log.h"
#include "target/linx/step.h"

#define LINX_NO_GROUP UINT64_MAX
#define LINX_ECSTATE_BI 1u /* the trap is of an instruction in a body */

/* What has stopped a group, or the stream. */
typedef struct LinxStop {
    LinxRecord record;
    EngineFault fault;
} LinxStop;

typedef struct LinxStream {
    LinxState state; /* GPRs, tiles; changed by the stream's own wave alone */
    uint64_t committed; /* memory blocks */
    LinxStop stop;      /* under lock while units run */

    /* The block at hand. */
    LinxBlock block;
    LinxBound bound;
    uint64_t ro[LINX_GPR_OUTPUTS];
    uint64_t serial, groups, per_unit;
    uint64_t stop_group; /* atomic: the lowest that has trapped */

    pthread_mutex_t lock;
    uint8_t raised;      /* under lock: float flags */
    LinxFolding folding; /* under lock: reductions of units */
} LinxStream;

typedef enum LinxPhase {
    LINX_PHASE_START,  /* at the beginning of a block */
    LINX_PHASE_SCALAR, /* in a block of scalar code */
    LINX_PHASE_BODY,   /* runs groups itself */
    LINX_PHASE_UNITS,  /* has units run */
} LinxPhase;

typedef struct LinxWave {
    Wave w;
    LinxContext x;
    LinxRecord record;
    LinxFetch fetch;
    LinxStream *stream;
    bool own;
    uint64_t group_end;     /* groups that it runs end here */
    bool copies;            /* all that the body does is in `copy` */
    LinxUop copy[2];        /* a load and a store */

    /* The stream's own. */
    LinxPhase phase;
    LinxInst start;         /* of the scalar block at hand */
    uint64_t start_pc;

    /* A unit's. */
    uint64_t unit;
    bool held, full; /* it waits for units before it; its log is full */
    LinxLog log;
} LinxWave;

static inline LinxWave *linx_wave(Wave *wave)
{
    return (LinxWave *)wave;
}

/*
 * One instruction of the body at hand.  False if the wave is to leave: it
 * waits, or has stopped; linx_stopped() then says which.
 */
bool linx_body_step(LinxWave *w);

/*
 * The instruction at hand has not come to its end.  True if it has trapped,
 * with w->record and *@fault; false if it waits.
 */
bool linx_stopped(LinxWave *w, EngineFault *fault);

/* Look whether the body at hand only copies: sets w->copies. */
void linx_copy_look(LinxWave *w);

/*
 * Run groups of such a body, from the one that begins on: they have ended.
 * False if it has to be run like others.
 */
bool linx_copy_groups(LinxWave *w);

/* Trap for a code page that cannot be had, or wait for it. */
bool linx_fetch_failed(LinxWave *w, TesseraFaultCause cause);

/* Run one piece of the work of the stream's own wave, or of a unit. */
bool linx_own_step(LinxWave *w);
bool linx_unit_step(LinxWave *w);

/* A unit begins. */
void linx_unit_start(LinxWave *w, uint64_t unit);

/* It goes on; false if it need not, since a group before it has trapped. */
bool linx_unit_enter(LinxWave *w);

/*
 * Its log is full.  True if it folds as it goes from now on; else it waits for
 * the units before it.
 */
bool linx_unit_drain(LinxWave *w);

/* TesseraIsaExec.may_run(): may a unit that has been held go on? */
bool linx_unit_may_run(const Wave *wave);

#endif
