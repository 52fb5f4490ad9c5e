/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A group while its body runs. */
#ifndef LINX_GROUP_H
#define LINX_GROUP_H

#include "target/linx/exec.h"
#include "target/linx/float.h"
#include "target/linx/inst.h"

enum { LINX_DEPTH = 4 }; /* entries of a T, U, VT... queue */

typedef struct LinxEntry {
    uint64_t lane[LINX_LANES]; /* T and U: only the first */
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

typedef struct LinxContext {
    LinxState *state;
    const LinxBlock *block; /* NULL: scalar code outside memory blocks */
    const LinxBound *bound;
    uint64_t *ro;           /* RO0 to RO3 */
    LinxRecord *record;
    uint64_t group, live, p;
    uint64_t pc, next_pc;
    bool ended;
    uint16_t lc[LINX_LANES][3];
    LinxQueue queue[LINX_QUEUES];
    const LinxInst *inst;
    unsigned lanes;         /* 1, or LINX_LANES if it is a vector one */
    LinxEntry *release[3];  /* sources to be released behind it */
    unsigned releases;
    uint8_t fflags;         /* of CSTATE: what the group's floats raised */
    bool taken;             /* of BARG: what SETC found */
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
