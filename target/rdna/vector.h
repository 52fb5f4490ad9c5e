/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of vector operations that decide what their encodings may hold.
 */
#ifndef RDNA_VECTOR_H
#define RDNA_VECTOR_H

#include "decode-int.h"

static inline bool rdna_is_half(unsigned type)
{
    return type == T_b16 || type == T_u16 || type == T_i16 || type == T_f16;
}

/* If any source takes neg and abs, the bits of all that there are pass. */
bool rdna_has_modifiers(const AmdInsn *insn);

/*
 * Conversions of 8-bit floats in VOP3 choose a byte or a half by op_sel; bits
 * that must be zero there, @dpp or not, or 0 if @op is none of them.
 */
uint64_t rdna_byte_zero_bits(AmdOp op, bool dpp);

/* Do operands of 16 bits choose their half by op_sel? */
bool rdna_takes_opsel(const AmdInsn *insn);

/* Is there a DPP form of the operation? */
bool rdna_has_dpp(const Decode *d);

/* Dot products of VOP3, which have neg and abs for their packed sources. */
static inline bool rdna_is_dot2(AmdOp op)
{
    return op == AMD_v_dot2_f16_f16 || op == AMD_v_dot2_bf16_bf16;
}

/*
 * The modifiers of matrices and dot products of bytes, which have but a few:
 * false if others are set.
 */
bool rdna_matrix_modifiers(Decode *d);

/*
 * Put the constant of v_fmamk between the two sources in @src, that of v_fmaak
 * behind them.
 */
void rdna_place_constant(AmdOp op, uint16_t *src);

#endif
