/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions of LinxISA compute: rows of ops.inc as functions. */
#ifndef LINX_ALU_H
#define LINX_ALU_H

#include "target/linx/block.h"
#include "target/linx/float.h"
#include "target/linx/inst.h"

/*
 * The operands of all lanes of an instruction, or of one if it is scalar:
 * sources after type, modifier and shift; immediates as b.
 */
typedef struct LinxOperands {
    uint64_t a[LINX_LANES], b[LINX_LANES], c[LINX_LANES];
    uint64_t result[LINX_LANES];
    unsigned lanes;      /* 1 or LINX_LANES */
    uint64_t active;     /* floats: lanes that may raise flags */
    unsigned width;      /* bits of the left source */
    unsigned at, bits;   /* M and N of the bit instructions */
    LinxFp fp;
} LinxOperands;

/* Fill x->result; of floats, only in active lanes. */
typedef void LinxOpFn(LinxOperands *x);

/* Flags of rows in ops.inc. */
enum {
    LINX_SATURATES = 1,
    LINX_SAME_SIGN = 2,
    LINX_RING = 4,
    LINX_SIZES = 8,
    LINX_ANY_WIDTH = 16,
    LINX_MASKED = 32,
};

/* INT, SIGNED and FLOAT rows: LinxOpFn linx_do_OP, linx_do_unsigned_OP. */
#define INT(op, flags, ...) LinxOpFn linx_do_##op;
#define SIGNED(op, flags, result, other) \
    LinxOpFn linx_do_##op, linx_do_unsigned_##op;
#define FLOAT(op, flags, told, ...) LinxOpFn linx_do_##op;
#include "target/linx/ops-rows.h"

/*
 * Do the FLOAT row @op in all lanes of @x with the host's arithmetic, if that
 * has its format and rounding.  False, and nothing done, if it has not.
 */
bool linx_host_float(LinxOp op, LinxOperands *x);

#endif
