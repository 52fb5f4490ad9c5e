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
    const uint64_t *a, *b, *c; /* all there, even if an instruction has none */
    uint64_t *result;          /* none of them */
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
    LINX_OUTSIDE = 64,
};

/*
 * Integers are compiled for any host, and once more for each host level: then
 * LINX_LEVEL names it, and these names end with it.
 */
#ifdef LINX_LEVEL
#define LINX_PASTE2(name, level) name##_##level
#define LINX_PASTE(name, level) LINX_PASTE2(name, level)
#define LINX_AT_LEVEL(name) LINX_PASTE(name, LINX_LEVEL)
#else
#define LINX_AT_LEVEL(name) name
#endif

/* INT, SIGNED and FLOAT rows: LinxOpFn linx_do_OP, linx_do_unsigned_OP. */
#define INT(op, flags, ...) LinxOpFn LINX_AT_LEVEL(linx_do_##op);
#define SIGNED(op, flags, result, other) \
    LinxOpFn LINX_AT_LEVEL(linx_do_##op), \
             LINX_AT_LEVEL(linx_do_unsigned_##op);
#define FLOAT(op, flags, told, ...) LinxOpFn linx_do_##op;
#include "target/linx/ops-rows.h"

/*
 * The same by the host's own arithmetic, in all lanes: returns those whose
 * result is a NaN.
 */
typedef uint64_t LinxHostFn(LinxOperands *x);

/* FLOAT row @op with operands of @format, or NULL; only if linx_host_can(). */
LinxHostFn *linx_host_float(LinxOp op, unsigned format);

static inline bool linx_host_can(const LinxOperands *x)
{
    return x->fp.rounding == LINX_RNE && !x->fp.saturate && x->lanes > 1;
}

/* Run @host, and @exact where it makes NaNs. */
void linx_host_do(LinxHostFn *host, LinxOpFn *exact, LinxOperands *x);

/* MXCSR there: to nearest, all masked, no flags; and what it has raised. */
enum { LINX_HOST_MXCSR = 0x1f80 };
uint8_t linx_host_flags(unsigned mxcsr);

/*
 * Convert 64 lanes of LinxFpFormat @from to @to; less than 0 are integers, then
 * from @least to @most, to which sources are extended.  False, and @result and
 * *@flags mean nothing, if the host cannot do it, or not all of it.
 */
bool linx_host_convert(int from, int to, LinxRounding rounding,
                       uint64_t *value, uint64_t least, uint64_t most,
                       uint64_t *result, uint8_t *flags);

/*
 * Add lanes of @value to *@sum, in increasing order.  False, and nothing done,
 * if the host cannot do it, or the result is a NaN.
 */
bool linx_host_sum(LinxFp *e, uint64_t *sum, const uint64_t *value,
                   uint64_t lanes);

#endif
