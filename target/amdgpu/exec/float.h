/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Float arithmetic of 32 and 64 bits, with the choices that hosts and
 * compilers leave open written out: which NaN results, what min and max do
 * with zeros and NaNs, when denormals are flushed.
 *
 * The first operand that is a NaN is the result, made quiet; what else has no
 * value gives the host's NaN, which is AMD's as well (sign set).
 */
#ifndef AMDGPU_EXEC_FLOAT_H
#define AMDGPU_EXEC_FLOAT_H

#include "operand.h"

/* The sign, exponent and quiet bits. */
#define SIGN_32 0x80000000u
#define SIGN_64 (1ull << 63)
#define EXP_32 0x7f800000u
#define EXP_64 0x7ff0000000000000ull
#define QUIET_32 0x00400000u
#define QUIET_64 0x0008000000000000ull

#define FLOAT_WIDTH(W, V, U, I)                                               \
    INL U isnan##W(V x)                                                       \
    {                                                                         \
        return (U)(I)(x != x);                                                \
    }                                                                         \
    INL U issnan##W(V x)                                                      \
    {                                                                         \
        return isnan##W(x) & (U)(I)(((U)x & QUIET_##W) == 0);                 \
    }                                                                         \
    INL V quiet##W(V x)                                                       \
    {                                                                         \
        return (V)((U)x | QUIET_##W);                                         \
    }                                                                         \
    INL V choose##W(U m, V a, V b)                                            \
    {                                                                         \
        return (V)select##W(m, (U)a, (U)b);                                   \
    }                                                                         \
    INL V abs##W(V x)                                                         \
    {                                                                         \
        return (V)((U)x & ~SIGN_##W);                                         \
    }                                                                         \
    INL V negate##W(V x)                                                      \
    {                                                                         \
        return (V)((U)x ^ SIGN_##W);                                          \
    }                                                                         \
    /* @x with the sign of @s. */                                             \
    INL V with_sign##W(V x, U s)                                              \
    {                                                                         \
        return (V)(((U)x & ~SIGN_##W) | (s & SIGN_##W));                      \
    }                                                                         \
    /* Denormals become zeros of the same sign. */                            \
    INL V flush##W(V x)                                                       \
    {                                                                         \
        U normal = (U)(I)(((U)x & EXP_##W) != 0);                             \
                                                                              \
        return (V)((U)x & (normal | SIGN_##W));                               \
    }                                                                         \
    /* An operand and a result as MODE wants them. */                         \
    INL V input##W(const AmdWave *w, V x)                                     \
    {                                                                         \
        return likely(w->mode & MODE_DENORM_IN_##W) ? x : flush##W(x);        \
    }                                                                         \
    INL V result##W(const AmdWave *w, V x)                                    \
    {                                                                         \
        return likely(w->mode & MODE_DENORM_OUT_##W) ? x : flush##W(x);       \
    }                                                                         \
    /* @r, but the first NaN of the operands where there is one. */           \
    INL V or_nan2_##W(V r, V a, V b)                                          \
    {                                                                         \
        r = choose##W(isnan##W(b), quiet##W(b), r);                           \
        return choose##W(isnan##W(a), quiet##W(a), r);                        \
    }                                                                         \
    INL V add##W(V a, V b)                                                    \
    {                                                                         \
        V r = a + b;                                                          \
                                                                              \
        return unlikely(any_nan##W(r)) ? or_nan2_##W(r, a, b) : r;            \
    }                                                                         \
    INL V sub##W(V a, V b)                                                    \
    {                                                                         \
        V r = a - b;                                                          \
                                                                              \
        return unlikely(any_nan##W(r)) ? or_nan2_##W(r, a, b) : r;            \
    }                                                                         \
    INL V mul##W(V a, V b)                                                    \
    {                                                                         \
        V r = a * b;                                                          \
                                                                              \
        return unlikely(any_nan##W(r)) ? or_nan2_##W(r, a, b) : r;            \
    }                                                                         \
    /* a * b + c, rounded once. */                                            \
    INL V fused##W(V a, V b, V c)                                             \
    {                                                                         \
        V r = fma##W(a, b, c);                                                \
                                                                              \
        if (unlikely(any_nan##W(r))) {                                        \
            r = choose##W(isnan##W(c), quiet##W(c), r);                       \
            r = or_nan2_##W(r, a, b);                                         \
        }                                                                     \
        return r;                                                             \
    }                                                                         \
    /*
     * What min and max give where an operand is a NaN: by MODE, up to gfx11;
     * the other operand; a NaN, a signalling one first.
     */                                                                       \
    INL V minmax_nan##W(const AmdWave *w, V r, V a, V b)                      \
    {                                                                         \
        r = choose##W(isnan##W(b), a, r);                                     \
        r = choose##W(isnan##W(a), b, r);                                     \
        if (w->mode & MODE_IEEE) {                                            \
            r = choose##W(issnan##W(b), quiet##W(b), r);                      \
            r = choose##W(issnan##W(a), quiet##W(a), r);                      \
        }                                                                     \
        return r;                                                             \
    }                                                                         \
    INL V number_nan##W(const AmdWave *w, V r, V a, V b)                      \
    {                                                                         \
        r = choose##W(isnan##W(b), a, r);                                     \
        r = choose##W(isnan##W(a), b, r);                                     \
        return choose##W(isnan##W(a) & isnan##W(b), quiet##W(a), r);          \
    }                                                                         \
    INL V either_nan##W(const AmdWave *w, V r, V a, V b)                      \
    {                                                                         \
        r = or_nan2_##W(r, a, b);                                             \
        return choose##W(issnan##W(b) & ~issnan##W(a), quiet##W(b), r);       \
    }

FLOAT_WIDTH(32, f32x16, u32x16, i32x16)
FLOAT_WIDTH(64, f64x16, u64x16, i64x16)

/* Least and most, by a rule for NaNs; -0 is less than +0. */
#define MIN_MAX(W, V, U, I, min, max, nan_rule)                               \
    INL V min##W(const AmdWave *w, V a, V b)                                  \
    {                                                                         \
        V r;                                                                  \
                                                                              \
        a = input##W(w, a);                                                   \
        b = input##W(w, b);                                                   \
        r = choose##W((U)(I)(a < b), a, b);                                   \
        r = (V)((U)r | ((U)a & (U)(I)(a == b)));                              \
        if (unlikely(any_nan##W(a) || any_nan##W(b))) {                       \
            r = nan_rule##W(w, r, a, b);                                      \
        }                                                                     \
        return result##W(w, r);                                               \
    }                                                                         \
    INL V max##W(const AmdWave *w, V a, V b)                                  \
    {                                                                         \
        V r;                                                                  \
                                                                              \
        a = input##W(w, a);                                                   \
        b = input##W(w, b);                                                   \
        r = choose##W((U)(I)(a > b), a, b);                                   \
        r = (V)((U)r & ((U)a | ~(U)(I)(a == b)));                             \
        if (unlikely(any_nan##W(a) || any_nan##W(b))) {                       \
            r = nan_rule##W(w, r, a, b);                                      \
        }                                                                     \
        return result##W(w, r);                                               \
    }
MIN_MAX(32, f32x16, u32x16, i32x16, min, max, minmax_nan)
MIN_MAX(64, f64x16, u64x16, i64x16, min, max, minmax_nan)
MIN_MAX(32, f32x16, u32x16, i32x16, min_num, max_num, number_nan)
MIN_MAX(64, f64x16, u64x16, i64x16, min_num, max_num, number_nan)
MIN_MAX(32, f32x16, u32x16, i32x16, minimum, maximum, either_nan)
MIN_MAX(64, f64x16, u64x16, i64x16, minimum, maximum, either_nan)

/* To [0, 1]; NaN becomes 0 if @nan, see clamps_nan(). */
#define CLAMP_FLOAT(W, V, U, I)                                               \
    INL V clamp##W(bool nan, V x)                                             \
    {                                                                         \
        U one = (U)((V){} + 1), low = (U)(I)(x <= 0);                         \
        U high = (U)(I)(x >= 1);                                              \
                                                                              \
        low |= nan ? isnan##W(x) : (U){};                                     \
        return (V)(((U)x & ~low & ~high) | (one & high));                     \
    }
CLAMP_FLOAT(32, f32x16, u32x16, i32x16)
CLAMP_FLOAT(64, f64x16, u64x16, i64x16)

/* The middle one; a NaN among them makes it the least of the others. */
#define MEDIAN32(med, min, max)                                               \
    INL f32x16 med(const AmdWave *w, f32x16 a, f32x16 b, f32x16 c)            \
    {                                                                         \
        f32x16 most = max(w, max(w, a, b), c), r = max(w, a, b);              \
                                                                              \
        r = choose32((u32x16)(most == b), max(w, a, c), r);                   \
        r = choose32((u32x16)(most == a), max(w, b, c), r);                   \
        return choose32(isnan32(a) | isnan32(b) | isnan32(c),                 \
                        min(w, min(w, a, b), c), r);                          \
    }
MEDIAN32(med32, min32, max32)
MEDIAN32(med_num32, min_num32, max_num32)

/* By the rules of DirectX 9: zero times anything is +0. */
INL f32x16 mul_legacy32(const AmdWave *w, f32x16 a, f32x16 b)
{
    u32x16 zero = (u32x16)(input32(w, a) == 0) |
                  (u32x16)(input32(w, b) == 0);

    return choose32(zero, (f32x16){}, mul32(a, b));
}

/* A product of zero leaves c as it is. */
INL f32x16 fused_legacy32(const AmdWave *w, f32x16 a, f32x16 b, f32x16 c)
{
    u32x16 zero = (u32x16)(input32(w, a) == 0) |
                  (u32x16)(input32(w, b) == 0);

    return choose32(zero, input32(w, c), fused32(a, b, c));
}

/* The specular part of lighting: no light without b and c above zero. */
INL f32x16 mul_lit32(const AmdWave *w, f32x16 a, f32x16 b, f32x16 c)
{
    f32x16 least = (f32x16)splat32(0xff7fffff);
    u32x16 dark = (u32x16)(b <= least) | isnan32(b) |
                  (u32x16)(input32(w, c) <= 0) | isnan32(c);

    return choose32(dark, least, mul32(a, b));
}

/*
 * The unfused multiply-add of f32: the product is rounded before the sum, and
 * denormals are flushed everywhere whatever MODE says.
 */
INL f32x16 mad32(const AmdWave *w, f32x16 a, f32x16 b, f32x16 c)
{
    f32x16 product;

    if (!(w->mode & MODE_DENORM_32)) {
        return add32(mul32(a, b), c); /* the host flushes */
    }
    product = flush32(mul32(flush32(a), flush32(b)));

    return flush32(add32(product, flush32(c)));
}

INL f32x16 mad_legacy32(f32x16 a, f32x16 b, f32x16 c)
{
    f32x16 x = flush32(a), y = flush32(b);
    u32x16 zero = (u32x16)(x == 0) | (u32x16)(y == 0);
    f32x16 product = choose32(zero, (f32x16){}, flush32(mul32(x, y)));

    return flush32(add32(product, flush32(c)));
}

/*
 * v_cmp_class: the bit of @mask that says what x is.  From bit 0: signalling
 * NaN, quiet NaN, -infinity, -normal, -denormal, -0, then +0 up to +infinity.
 * @exp and @mantissa are the fields of x, @top the exponent of infinity.
 */
INL u32x16 class_bits(u32x16 negative, u32x16 exp, u32x16 mantissa,
                      uint32_t top, u32x16 quiet, u32x16 mask)
{
    u32x16 n = splat32(5);
    u32x16 infinite = (u32x16)(exp == top);

    n = select32((u32x16)(mantissa != 0), splat32(4), n);
    n = select32((u32x16)(exp != 0), splat32(3), n);
    n = select32(infinite, splat32(2), n);
    n = select32(negative, n, 11 - n);
    n = select32(infinite & (u32x16)(mantissa != 0), quiet & 1, n);
    return -(mask >> n & 1);
}

INL u32x16 class32(f32x16 a, u32x16 mask)
{
    u32x16 x = (u32x16)a;

    return class_bits((u32x16)((i32x16)x < 0), x >> 23 & 0xff, x & 0x7fffff,
                      0xff, (u32x16)((x & QUIET_32) != 0), mask);
}

INL u64x16 class64(f64x16 a, u32x16 mask)
{
    u32x16 lo = zip_low32((u64x16)a), hi = zip_high32((u64x16)a);

    return zip_mask(class_bits((u32x16)((i32x16)hi < 0), hi >> 20 & 0x7ff,
                                 (hi & 0xfffff) | lo, 0x7ff,
                                 (u32x16)((hi & 0x80000) != 0), mask));
}

/* Bits of a lane mask, for operands of each type; sign bits will do. */
#define lane_bits_u32(m) bits_of_lanes((u32x16)(m))
#define lane_bits_b16 lane_bits_u32
#define lane_bits_u16 lane_bits_u32
#define lane_bits_i16 lane_bits_u32
#define lane_bits_f16 lane_bits_u32
#define lane_bits_b32 lane_bits_u32
#define lane_bits_i32 lane_bits_u32
#define lane_bits_f32 lane_bits_u32
#define lane_bits_u64(m) bits_of_lanes(zip_high32((u64x16)(m)))
#define lane_bits_b64 lane_bits_u64
#define lane_bits_i64 lane_bits_u64
#define lane_bits_f64 lane_bits_u64

/* Compares that do not look: no lane, every lane. */
#define NEVER(a) ((a) < (a))
#define ALWAYS(a) (~NEVER(a))

/* Compares that are true with a NaN, and those that ask for one. */
#define UNORDERED(a, b) (((a) != (a)) | ((b) != (b)))
#define ORDERED(a, b) (~UNORDERED(a, b))
#define LESS_OR_GREATER(a, b) (((a) < (b)) | ((a) > (b)))

/* What the lane mask of a carry is, by type of the result. */
typedef u32x16 u32_mask_v, f32_mask_v;
typedef u64x16 u64_mask_v, i64_mask_v, f64_mask_v;
#define u32_sign_lanes(k) ((u32x16)((i32x16)(k) >> 31))
#define u64_sign_lanes(k) ((u64x16)((i64x16)(k) >> 63))
#define f32_sign_lanes u32_sign_lanes
#define i64_sign_lanes u64_sign_lanes
#define f64_sign_lanes u64_sign_lanes

/* The carry of r = a + b + carry and the borrow of a - b - borrow, masks. */
#define carry_of(a, r, c) ((u32x16)((r) < (a)) | ((u32x16)((r) == (a)) & (c)))
#define borrow_of(a, b, c) ((u32x16)((a) < (b)) | ((u32x16)((a) == (b)) & (c)))

#endif
