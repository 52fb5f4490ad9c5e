/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads, stores, atomics and bridge moves: what their instructions say. */
#ifndef LINX_ACCESS_H
#define LINX_ACCESS_H

#include "target/linx/group.h"

typedef enum LinxAccessKind {
    LINX_LOAD, LINX_STORE, LINX_ATOMIC_LOAD, LINX_ATOMIC_STORE
} LinxAccessKind;

struct LinxAccessPlan {
    LinxAccessKind kind;
    uint8_t size;        /* log2 of bytes */
    uint8_t what;        /* an atomic does */
    uint8_t modifier;    /* of the offset, 32-bit forms */
    bool is_local, is_signed, is_bridge;
    bool illegal;        /* whatever the block */
    bool consecutive;    /* C: lanes follow each other; no flat blocks */
    bool has_imm, pc_relative;
    LinxField base, data;
    unsigned shift;      /* of the offset */
    uint64_t imm;        /* bytes */
};

/* What the load, store, atomic or bridge move @inst is to do. */
void linx_plan_access(const LinxInst *inst, LinxAccessPlan *plan);

/*
 * Are the lanes of x->inst's access, which is a load or store of all lanes,
 * consecutive?  Then *@first is that of lane 0.  May have trapped if not.
 */
bool linx_consecutive(LinxContext *x, uint64_t *first);

typedef struct LinxAccess {
    uint64_t address[LINX_LANES];
    uint64_t data[LINX_LANES];
    unsigned size;  /* log2 of bytes */
    bool is_store, is_local, has_imm;
} LinxAccess;

/*
 * Check the operands of x->inst and work out the address of each lane.  Sets
 * access->has_imm and address.
 */
bool linx_addresses(LinxContext *x, LinxAccess *access);

/*
 * Load to or store from @data, 1 << access->size bytes of @lane.  False if it
 * has trapped, or has to wait (x->waiting): then the instruction comes again,
 * and is to go on with this lane.
 */
bool linx_move(LinxContext *x, const LinxAccess *access, unsigned lane,
               void *data);

/*
 * hazards=strict: tell x->state->overlap what the group is about to do.  @touch
 * has `kind`, `is_local`, `bytes`, `lanes` and `address`; the rest is put in.
 */
void linx_touch(LinxContext *x, LinxTouch *touch);

/*
 * Have a dispatch of the engine checked, and what is found reported to its
 * owner.  linx_overlap_free() ends it.
 */
void linx_strict_start(LinxState *state);

#endif
