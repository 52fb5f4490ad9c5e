/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions of LinxISA do. */
#ifndef LINX_PERFORM_H
#define LINX_PERFORM_H

#include "target/linx/alu.h"
#include "target/linx/group.h"

/* The meaning of an instruction: a row of ops.inc. */
typedef struct LinxMeaning {
    bool (*perform)(LinxContext *x); /* NULL: illegal */
    LinxOpFn *fn, *unsigned_fn;      /* INT, SIGNED, FLOAT */
    uint8_t flags;                   /* of ops.inc */
    const char *text;                /* what it does, or why it is illegal */
} LinxMeaning;

extern const LinxMeaning linx_meanings[LINX_OPS];

/* An instruction of a row INT, SIGNED or FLOAT, before it runs. */
struct LinxComputePlan {
    LinxOpFn *fn;
    LinxHostFn *host;    /* if its rounding allows, or NULL */
    uint8_t flags;       /* of ops.inc */
    bool allowed;        /* else it is illegal */
    bool is_float, has_right, saturates, modifies;
    uint8_t packed;      /* log2 of the elements of a register */
    uint8_t left, right, last, result; /* log2 of the bytes of an element */
    uint8_t third;       /* LinxField, LINX_FIELDS: none */
    uint8_t at, bits;    /* M and N of the bit instructions */
    uint64_t imm;        /* instead of a right source */
};

void linx_plan_compute(const LinxInst *inst, LinxComputePlan *plan);

/*
 * Do what x->inst does, but for what belongs to all: x->next_pc is set to what
 * follows it before, and linx_release() is called behind it.  False if it has
 * trapped.
 */
bool linx_perform(LinxContext *x);

bool linx_has_field(const LinxContext *x, LinxField field);

/* @value, the right source, changed as SrcRType and shamt say. */
uint64_t linx_modified(const LinxInst *inst, uint64_t value);
void linx_modify_lanes(const LinxInst *inst, const uint64_t *from,
                       uint64_t *to, unsigned lanes);

/*
 * Sources and results of 1 << @packed elements: a register of that many times
 * the type's or the destination's width.  Sources come as they are.
 */
bool linx_raw(LinxContext *x, LinxField field, unsigned packed,
              uint64_t *out);
bool linx_result_packed(LinxContext *x, const uint64_t *value,
                        unsigned packed);

/* Extend the lowest bits of each lane as an operand's type says. */
void linx_extend_lanes(uint64_t *value, unsigned lanes, unsigned type,
                       bool is_float);

/* 0 in lanes that are not active. */
void linx_mask_lanes(uint64_t *value, unsigned lanes, uint64_t active);

/* A source of which all 64 bits are meant, whatever its type is. */
bool linx_mask_source(LinxContext *x, LinxField field, uint64_t *out);

/* The entry with an unused handle of a bridge load, or NULL and a trap. */
LinxEntry *linx_bridge_handle(LinxContext *x, LinxField field);

/* The result just pushed is the handle of entry @bridge. */
void linx_mark_bridge(LinxContext *x, unsigned bridge);

/* By kind of row. */
bool linx_compute(LinxContext *x);       /* INT, SIGNED, FLOAT */
bool linx_reduce(LinxContext *x);
bool linx_shuffle(LinxContext *x);
bool linx_branch(LinxContext *x);
bool linx_set_condition(LinxContext *x);

/* OTHER rows. */
bool linx_select_lanes(LinxContext *x);
bool linx_copy_lanes(LinxContext *x);
bool linx_convert(LinxContext *x);
bool linx_bridge_load(LinxContext *x);
bool linx_bridge_store(LinxContext *x);
bool linx_address_of(LinxContext *x);
bool linx_set_target(LinxContext *x);
bool linx_system_register(LinxContext *x);
bool linx_local_register(LinxContext *x);
bool linx_end_body(LinxContext *x);
bool linx_fence(LinxContext *x);
bool linx_assert(LinxContext *x);
bool linx_breakpoint(LinxContext *x);

#endif
