/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Float arithmetic with the choices that hosts and compilers leave open
 * written out: which NaN results, what min and max do with zeros and NaNs.
 */
#ifndef AMDGPU_EXEC_FLOAT_H
#define AMDGPU_EXEC_FLOAT_H

#include "operand.h"

#define F32_QUIET 0x00400000u

/* Lanes where x is a NaN. */
INL u32x16 isnan32(f32x16 x)
{
    return (u32x16)((i32x16)(x != x));
}

/* A result that is NaN since an operand was: the first one, made quiet. */
INL f32x16 nan2_32(f32x16 r, f32x16 a, f32x16 b)
{
    u32x16 na = isnan32(a), nb = isnan32(b);
    u32x16 pick = select32(na, (u32x16)a, (u32x16)b) | F32_QUIET;

    return (f32x16)select32(na | nb, pick, (u32x16)r);
}

INL f32x16 add32(f32x16 a, f32x16 b)
{
    return nan2_32(a + b, a, b);
}

INL f32x16 mul32(f32x16 a, f32x16 b)
{
    return nan2_32(a * b, a, b);
}

/* Bits of a comparison's result, for operands of 32 and of 64 bits. */
#define mask_bits_b16(m) bits_of_lanes((u32x16)(m))
#define mask_bits_u16(m) bits_of_lanes((u32x16)(m))
#define mask_bits_i16(m) bits_of_lanes((u32x16)(m))
#define mask_bits_f16(m) bits_of_lanes((u32x16)(m))
#define mask_bits_b32(m) bits_of_lanes((u32x16)(m))
#define mask_bits_u32(m) bits_of_lanes((u32x16)(m))
#define mask_bits_i32(m) bits_of_lanes((u32x16)(m))
#define mask_bits_f32(m) bits_of_lanes((u32x16)(m))
#define mask_bits_b64(m) bits_of_lanes(narrow_mask((i64x16)(m)))
#define mask_bits_u64(m) bits_of_lanes(narrow_mask((i64x16)(m)))
#define mask_bits_i64(m) bits_of_lanes(narrow_mask((i64x16)(m)))
#define mask_bits_f64(m) bits_of_lanes(narrow_mask((i64x16)(m)))

#endif
