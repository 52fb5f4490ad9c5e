/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hazards=strict looks for in LinxISA blocks: accesses whose order the
 * memory block chapter leaves open, rules TB20 to TB25.
 *
 *   - Groups of one parallel block touch the same bytes, in tiles or in memory,
 *     and at least one of them stores.  Atomics of several groups may meet.
 *   - A block and scalar code touch the same bytes of memory, one of them
 *     stores, and nothing is in between that orders them: a system block, or
 *     the block's own aq (what comes later) or rl (what came before).
 *   - A group loads bytes of an output tile that it has not stored, before the
 *     block has committed; in a serial block, that no group has stored.
 *
 * Bytes are remembered in records of 8 bytes each, as many as LINX_OVERLAP_MAX;
 * if there is no more room, the block is reported as not checked.
 */
#ifndef LINX_OVERLAP_H
#define LINX_OVERLAP_H

#include <stdbool.h>
#include "tessera/regs.h"
#include "target/linx/tiles.h"

enum {
    LINX_OVERLAP_MAX = 1 << 20, /* records, for tiles and for memory each */
};

typedef enum LinxTouchKind {
    LINX_TOUCH_LOAD, LINX_TOUCH_STORE, LINX_TOUCH_ATOMIC,
} LinxTouchKind;

/* What an instruction is about to access. */
typedef struct LinxTouch {
    LinxTouchKind kind;
    bool is_local;    /* tiles */
    bool is_scalar;   /* of scalar code outside memory blocks */
    unsigned bytes;   /* of each lane, 1 to 8 */
    uint64_t lanes;   /* that access something */
    const uint64_t *address; /* by lane */
    uint64_t group;
    uint64_t pc;
} LinxTouch;

/* What is wrong with it. */
typedef struct LinxClash {
    TesseraHazard kind;
    uint64_t block;       /* address of the block's header */
    uint64_t address;     /* of the first byte */
    uint64_t lanes;       /* of the instruction, that meet others */
    uint64_t other_pc;    /* whom the first byte meets; 0: nobody */
    uint64_t other_group;
    unsigned other_lane;
} LinxClash;

typedef struct LinxOverlap LinxOverlap;

LinxOverlap *linx_overlap_new(void);
void linx_overlap_free(LinxOverlap *overlap);

/* A memory block begins; its outputs are those of @bound. */
void linx_overlap_begin(LinxOverlap *overlap, const LinxBlock *block,
                        const LinxBound *bound);

/* It has committed. */
void linx_overlap_commit(LinxOverlap *overlap);

/* A system block: what came before it is over for whatever follows. */
void linx_overlap_order(LinxOverlap *overlap);

/* Any thread.  True, and @clash, if there is something to report. */
bool linx_overlap_touch(LinxOverlap *overlap, const LinxTouch *touch,
                        LinxClash *clash);

#endif
