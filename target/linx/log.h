/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reductions into RO of groups that run at the same time: each unit logs its
 * own, and they are folded in the order of units, which is that of groups.  So
 * the result is that of groups one after the other, floats included.
 *
 * A unit whose log is full waits until all before it have been folded; then it
 * folds as it goes.  No unit begins that is more than LINX_WINDOW ahead of what
 * has been folded.  So logs have a bound.
 */
#ifndef LINX_LOG_H
#define LINX_LOG_H

#include "target/linx/group.h"

enum {
    LINX_LOG_WORDS = 4096,
    LINX_LOG_ENTRY = 66, /* words of an entry at most: two, and lanes */
    LINX_LOG_ROOM = 4 * LINX_LOG_ENTRY, /* for any one instruction */
    LINX_WINDOW = 256,   /* units */
};

typedef struct LinxLog {
    uint64_t *words;
    unsigned count;
    unsigned last[LINX_GPR_OUTPUTS]; /* entry of each RO, from 1; 0: none */
} LinxLog;

/* The reductions of a block's units. */
typedef struct LinxFolding {
    uint64_t folded; /* atomic: units whose reductions are in RO */
    unsigned held;   /* atomic: units that wait for that */
    LinxLog ahead[LINX_WINDOW]; /* of units that have ended before their turn */
    bool ended[LINX_WINDOW];
} LinxFolding;

void linx_log_clear(LinxLog *log);
void linx_log_free(LinxLog *log);

static inline bool linx_log_has_room(const LinxLog *log)
{
    return log->count + LINX_LOG_ROOM <= LINX_LOG_WORDS;
}

/* Log what the reduction at hand adds to RO @output; there is room. */
void linx_log_add(LinxContext *x, LinxLog *log, unsigned output,
                  const uint64_t *value);

/* Fold it into @ro; float flags that this raises are ored into *@raised. */
void linx_log_fold(const LinxLog *log, uint64_t *ro, uint8_t *raised);

#endif
