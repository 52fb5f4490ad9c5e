/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole groups at once: the common computations, loads and stores.
 *
 * A fast handler does all of an instruction, or nothing and returns false: then
 * the instruction is performed as any other is (perform.h), which also finds
 * out what traps, waits or is to be reported.  So a handler need not know why
 * something is not as usual.  What is computed comes from the rows of ops.inc
 * in either case.
 *
 * The files of this folder and alu.c are compiled once for each host level, with
 * LINX_LEVEL naming it.
 */
#ifndef LINX_FAST_H
#define LINX_FAST_H

#include "target/linx/alu.h"
#include "target/linx/group.h"

typedef struct LinxUop LinxUop;

/* True: it is done, but for x->pc and counters. */
typedef bool LinxFastFn(LinxContext *x, const LinxUop *uop);

/* Where a source is, which is known before an instruction runs. */
typedef enum LinxFrom {
    LINX_FROM_ZERO,
    LINX_FROM_VECTOR,  /* entry `at` of a vector queue, from 1 */
    LINX_FROM_SCALAR,  /* the same of T or U */
    LINX_FROM_INPUT,   /* RI `at` */
    LINX_FROM_COUNTER, /* LC `at` */
    LINX_FROM_BOUND,   /* LB `at` */
    LINX_FROM_TILE,    /* TA and so on: input `at` */
    LINX_FROM_OUTPUT,  /* TO and so on */
    LINX_FROM_P,
} LinxFrom;

typedef struct LinxOperand {
    uint8_t from, at;
    uint8_t queue;  /* VECTOR, SCALAR */
    uint8_t size;   /* log2 of the bytes of its type */
    bool is_signed; /* it is extended so */
    bool reuse;     /* it stays readable */
} LinxOperand;

enum { LINX_TO_P = LINX_QUEUES, LINX_TO_NOWHERE };

/* What fast handlers want to know of an instruction. */
typedef struct LinxFastPlan {
    LinxFastFn *run;     /* NULL: there is none */
    LinxOpFn *fn;        /* what it computes */
    LinxOperand a, b, c; /* of an access: base, offset, data */
    uint8_t to;          /* a queue, LINX_TO_P or LINX_TO_NOWHERE */
    uint8_t width;       /* log2 of the result's bytes */
} LinxFastPlan;

/* The handlers of one host level. */
typedef struct LinxFast {
    LinxFastFn *compute, *compute_scalar, *load, *store, *end;
    LinxOpFn *const (*alu)[2]; /* by LinxOp; of an unsigned left source */
} LinxFast;

extern const LinxFast linx_fast_v2, linx_fast_v3, linx_fast_v4;

/* Fill in uop->fast, by all else that is known of @uop. */
void linx_fast_plan(const LinxFast *fast, LinxUop *uop);

#endif
