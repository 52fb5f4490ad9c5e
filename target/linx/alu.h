/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What integer instructions of LinxISA compute. */
#ifndef LINX_ALU_H
#define LINX_ALU_H

#include "target/linx/inst.h"

/* The operands: sources after type, modifier and shift; immediates as b. */
typedef struct LinxOperands {
    uint64_t a, b, c;
    unsigned width;       /* bits of the left source */
    unsigned at, bits;    /* M and N of the bit instructions */
} LinxOperands;

typedef uint64_t LinxAluFn(const LinxOperands *x);

/*
 * The meaning of @op with a signed or an unsigned left source; NULL if it is no
 * integer computation.
 */
LinxAluFn *linx_alu(LinxOp op, bool is_signed);

/* Must both sources be signed, or both be unsigned?  (9.2, OURS-19) */
bool linx_alu_same_sign(LinxOp op);

/* Does it work on 32 bits and extend the result's sign?  (section 10) */
bool linx_alu_is_word(LinxOp op);

#endif
