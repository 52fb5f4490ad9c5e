/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dot products.  Floats are multiplied and added in 32 bits, one product after
 * the other, beginning with the accumulator; rounding is to nearest even
 * whatever MODE says, and denormals are kept, but for gfx11's of 32 bits and
 * of bf16, which are flushed.
 */
#ifndef AMDGPU_EXEC_DOT_H
#define AMDGPU_EXEC_DOT_H

#include "integer.h"
#include "modify.h"
#include "small.h"

INL void dot_enter(AmdWave *w, const Uop *u)
{
    float_enter(w, gen_of(u) == GEN_11 ? FLOAT_DOT_FLUSH : FLOAT_DOT);
}

INL f32x16 f32_of_f16(u32x16 x)
{
    return half_to_float(x);
}

/* @c and the products of @n elements of @bits bits of @a and @b. */
#define DOT_FLOAT(name, n, bits, widen_a, widen_b)                            \
    INL f32x16 name(AmdWave *w, const Uop *u, u32x16 a, u32x16 b, f32x16 c)   \
    {                                                                         \
        dot_enter(w, u);                                                      \
        for (int i = 0; i < n * bits; i += bits) {                            \
            u32x16 x = a >> i & ((1u << bits) - 1);                           \
            u32x16 y = b >> i & ((1u << bits) - 1);                           \
                                                                              \
            c = add32(c, mul32(widen_a(x), widen_b(y)));                      \
        }                                                                     \
        return c;                                                             \
    }
DOT_FLOAT(dot2_f16, 2, 16, f32_of_f16, f32_of_f16)
DOT_FLOAT(dot2_bf16, 2, 16, f32_of_bf16, f32_of_bf16)
DOT_FLOAT(dot4_fp8_fp8, 4, 8, f32_of_fp8, f32_of_fp8)
DOT_FLOAT(dot4_fp8_bf8, 4, 8, f32_of_fp8, f32_of_bf8)
DOT_FLOAT(dot4_bf8_fp8, 4, 8, f32_of_bf8, f32_of_fp8)
DOT_FLOAT(dot4_bf8_bf8, 4, 8, f32_of_bf8, f32_of_bf8)

/* Those with a result of 16 bits, which is rounded to them at the end. */
INL u32x16 dot2_to_f16(AmdWave *w, const Uop *u, u32x16 a, u32x16 b, u32x16 c)
{
    return narrow_with(w, dot2_f16(w, u, a, b, half_to_float(c)),
                       ROUND_NEAREST);
}

INL u32x16 dot2_to_bf16(AmdWave *w, const Uop *u, u32x16 a, u32x16 b,
                        u32x16 c)
{
    return narrow_bf16(dot2_bf16(w, u, a, b, f32_of_bf16(c)));
}

/* Sum of products of integers of @bits bits, each side signed or not. */
INL i32x16 dot_integer(u32x16 a, u32x16 b, int bits, bool signed_a,
                       bool signed_b)
{
    int cut = 32 - bits;
    i32x16 sum = {};

    for (int i = 0; i < 32; i += bits) {
        u32x16 x = a << (cut - i), y = b << (cut - i);

        sum += (signed_a ? (i32x16)x >> cut : (i32x16)(x >> cut)) *
               (signed_b ? (i32x16)y >> cut : (i32x16)(y >> cut));
    }
    return sum;
}

/* neg says which side is signed. */
INL i32x16 dot_iu(const Uop *u, u32x16 a, u32x16 b, int bits)
{
    return dot_integer(a, b, bits, mod_neg(u, 0), mod_neg(u, 1));
}

INL u32x16 dot_u(u32x16 a, u32x16 b, int bits)
{
    return (u32x16)dot_integer(a, b, bits, false, false);
}

#endif
