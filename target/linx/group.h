/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A group while its body runs. */
#ifndef LINX_GROUP_H
#define LINX_GROUP_H

#include "target/linx/exec.h"
#include "target/linx/float.h"
#include "target/linx/inst.h"

enum { LINX_DEPTH = 4 }; /* entries of a T, U, VT... queue */

typedef struct LinxEntry {
    /* T and U: only the first */
    uint64_t lane[LINX_LANES] __attribute__((aligned(64)));
    uint8_t width;             /* log2 of bytes; what it was written with */
    uint8_t bridge;            /* T, U: a handle of a bridge move, from 1 on */
    bool valid, released;
} LinxEntry;

typedef struct LinxQueue {
    LinxEntry entry[LINX_DEPTH];
    unsigned pushes;
} LinxQueue;

enum { LINX_Q_VT, LINX_Q_VU, LINX_Q_VM, LINX_Q_VN, LINX_Q_T, LINX_Q_U,
       LINX_QUEUES };

enum {
    LINX_BRIDGES = 8, /* as many handles as T and U can hold */
    LINX_BRIDGE_USED = LINX_BRIDGES + 1,
};

/* What a bridge load has recorded until its store comes (section 9.3). */
typedef struct LinxBridge {
    uint64_t address[LINX_LANES], lanes; /* of active lanes */
    uint8_t size;                        /* log2 of bytes */
    bool is_local, pending;
} LinxBridge;

/* Memory whose pages lay one behind the other on the host as well. */
typedef struct LinxReach {
    uint64_t first, size; /* address and bytes */
} LinxReach;

enum { LINX_REACHES = 4 };

typedef struct LinxAccessPlan LinxAccessPlan;
typedef struct LinxComputePlan LinxComputePlan;
typedef struct Wave Wave;

typedef struct LinxContext {
    LinxState *state;
    Wave *wave;             /* of the engine; NULL: memory is state->memory */
    const LinxBlock *block; /* NULL: scalar code outside memory blocks */
    const LinxBound *bound;
    uint64_t *ro;           /* RO0 to RO3 */
    LinxRecord *record;
    uint64_t group, live, p;
    uint64_t pc, next_pc;
    bool ended;
    bool waiting;           /* what it needs is asked for: it comes again */
    unsigned resume;        /* lanes of the access at hand that are through */
    uint64_t partial[LINX_LANES]; /* what they have loaded */
    uint32_t cause;         /* TesseraFaultCause of a trap; 0: none */
    LinxPlace place;        /* loop counters */
    uint16_t lc[3][LINX_LANES]; /* the same if the block is flat */
    LinxQueue queue[LINX_QUEUES];
    const LinxInst *inst;
    const LinxAccessPlan *plan; /* of it, if it is an access and cached */
    const LinxComputePlan *compute; /* if it computes and is cached */
    struct LinxLog *log;    /* of reductions, or NULL: they go to RO at once */
    unsigned lanes;         /* 1, or LINX_LANES if it is a vector one */
    LinxEntry *release[3];  /* sources to be released behind it */
    unsigned releases;
    uint8_t fflags;         /* of CSTATE: what the group's floats raised */
    uint8_t raised;         /* the same of groups before it */
    bool taken;             /* of BARG: what SETC found */
    unsigned bridges;       /* of them that are pending */
    LinxReach reach[LINX_REACHES]; /* a guess where gathers go, by their pc */
    LinxBridge bridge[LINX_BRIDGES];
} LinxContext;

/* Stop with a trap; the first one counts.  Returns false. */
bool linx_raise(LinxContext *x, LinxTrapNumber number, uint32_t cause,
                uint64_t arg);
bool linx_illegal(LinxContext *x);

/* How floats of x->inst are rounded; linx_raised() takes what they raise. */
LinxFp linx_float_state(const LinxContext *x);
void linx_raised(LinxContext *x, const LinxFp *e);

/* Read source @field to @out, one value a lane, extended by its type. */
bool linx_source(LinxContext *x, LinxField field, uint64_t *out);

/*
 * What a source holds: lane[i], or if that is NULL, first + i * step.
 */
typedef struct LinxValue {
    const uint64_t *lane;
    uint64_t first, step;
    uint64_t room[LINX_LANES]; /* where lane may point */
} LinxValue;

/* The same as linx_source(), without copying what need not be copied. */
bool linx_read(LinxContext *x, LinxField field, LinxValue *value);

/* Lanes' loop counters LC0 to LC2, for @x->lanes lanes. */
void linx_lane_counts(const LinxContext *x, unsigned loop, uint64_t *out);

/* Be at the beginning of the body, as group @group; as the next one. */
void linx_group_start(LinxContext *x, uint64_t group);
void linx_group_next(LinxContext *x);

/* Write the result, truncated to the destination's width. */
bool linx_result(LinxContext *x, const uint64_t *value);

/* Release the sources of the instruction; linx_result() does it as well. */
void linx_release(LinxContext *x);

/* Lanes that the instruction is for. */
uint64_t linx_active(const LinxContext *x);

/*
 * Fold lanes @lanes of @value into @sum, in increasing order, as the reduction
 * @op with source type @type does.  @e has the format and the rounding mode of
 * floats, and takes the flags that they raise.
 */
uint64_t linx_fold(LinxOp op, unsigned type, LinxFp *e, uint64_t sum,
                   const uint64_t *value, uint64_t lanes);

/*
 * Fold the active lanes of @value into RO @output, as the reduction at hand
 * says: at once, or when the block commits, in the order of groups.
 */
bool linx_reduce_output(LinxContext *x, unsigned output,
                        const uint64_t *value);

/* Loads, stores and atomics. */
bool linx_access(LinxContext *x);

/* Tile space that a group may reach around an address: all of one tile. */
typedef struct LinxTileWindow {
    LinxTile *tile;
    uint64_t first, size; /* address and bytes; of scratch only the group's */
    bool is_output;
} LinxTileWindow;

/* False if @address is in none that is bound; stores reach outputs alone. */
bool linx_tile_window(const LinxContext *x, uint64_t address, bool is_store,
                      LinxTileWindow *w);

/*
 * Where the @bytes bytes at tile address @address are, NULL if a bound tile has
 * not all of them; those that may be stored to if @is_store.  @fill: each of
 * them will be.
 */
uint8_t *linx_tile_bytes(LinxContext *x, uint64_t address, uint64_t bytes,
                         bool is_store, bool fill);

/* Bytes that its operands' type says, as log2. */
static inline unsigned linx_type_size(unsigned type, bool is_float)
{
    static const uint8_t floats[8] = { 3, 2, 1, 0, 0, 0, 1, 0 };

    return is_float ? floats[type & 7] : 3 - (type & 3);
}

static inline uint64_t linx_extend(uint64_t value, unsigned size,
                                   bool is_signed)
{
    unsigned above = 64 - (8u << size);

    value <<= above;
    return is_signed ? (uint64_t)((int64_t)value >> above) : value >> above;
}

#endif
