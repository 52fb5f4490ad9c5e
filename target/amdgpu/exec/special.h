/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reciprocals, roots, exponentials, sines, and the helpers of division.
 *
 * The functions of 32 bits are computed in 64 without fused operations, so
 * that the bits do not depend on the host; they are within 1 ULP, and exact
 * where the result is.  Those of f32 flush denormals whatever MODE says.
 */
#ifndef AMDGPU_EXEC_SPECIAL_H
#define AMDGPU_EXEC_SPECIAL_H

#include "convert.h"

INL f32x16 rcp32(f32x16 x)
{
    return flush32(1.0f / flush32(x));
}

INL f32x16 root32(f32x16 x)
{
    return sqrt32(flush32(x));
}

INL f32x16 rsq32(f32x16 x)
{
    return flush32(f32_of_f64(1.0 / sqrt64(f64_of_f32(flush32(x)))));
}

INL f64x16 rcp64(f64x16 x)
{
    f64x16 r = 1.0 / x;

    /* LLVM makes 1 / -x a -1 / x: a NaN would have the other sign. */
    return unlikely(any_nan64(r)) ? choose64(isnan64(x), quiet64(x), r) : r;
}

INL f64x16 rsq64(f64x16 x)
{
    return 1.0 / sqrt64(x);
}

/* c[0] + c[1] x + ... */
INL f64x16 polynomial(f64x16 x, const double *c, int terms)
{
    f64x16 r = (f64x16){} + c[terms - 1];

    for (int i = terms - 2; i >= 0; i--) {
        r = r * x + c[i];
    }
    return r;
}

/* 2 to the x: of the fraction by the series of exp(x ln 2). */
INL f64x16 exp2_64(f32x16 a)
{
    static const double c[] = {
        1.0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58fp-3,
        0x1.c6b08d704a0c0p-5, 0x1.3b2ab6fba4e77p-7, 0x1.5d87fe78a6731p-10,
        0x1.430912f86c787p-13, 0x1.ffcbfc588b0c7p-17, 0x1.62c0223a5c824p-20,
        0x1.b5253d395e7c4p-24, 0x1.e4cf5158b8ecap-28, 0x1.e8cac7351bb25p-32,
    };
    f64x16 x = f64_of_f32(flush32(a)), whole, bounded;

    /* Where the result is 0 or infinite anyway the number must stay small. */
    bounded = choose64((u64x16)(x > 200), (f64x16){} + 200, x);
    bounded = choose64((u64x16)(x < -200), (f64x16){} - 200, bounded);
    bounded = choose64(isnan64(x), (f64x16){}, bounded);
    whole = nearest64(bounded);
    return polynomial(bounded - whole, c, 12) * power_of_2(cut64(whole));
}

INL f32x16 exp2_32(f32x16 a)
{
    return choose32(isnan32(a), quiet32(a), flush32(f32_of_f64(exp2_64(a))));
}

/*
 * Logarithm to base 2: the exponent, and of the mantissa m, between 1/sqrt(2)
 * and sqrt(2), the series of atanh((m - 1) / (m + 1)).
 */
INL f32x16 log2_32(f32x16 a)
{
    /* 2 / ((2 k + 1) ln 2) */
    static const double c[] = {
        0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1,
        0x1.a61762a7aded9p-2, 0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2,
        0x1.c68f568d31760p-3, 0x1.89f3b1694cffep-3, 0x1.5b9ac9b743f0dp-3,
        0x1.3703c1f4d0ffep-3,
    };
    u64x16 x = (u64x16)f64_of_f32(flush32(a));
    u64x16 rise = x - 0x3fe6a09e667f3bcdull; /* sqrt(1/2) has exponent 0 */
    i64x16 exp = (i64x16)rise >> 52;
    f64x16 m = (f64x16)(x - (u64x16)(exp << 52));
    f64x16 s = (m - 1) / (m + 1);
    f64x16 r = s * polynomial(s * s, c, 10) +
               f64_of_i32((i32x16)zip_low32((u64x16)exp));
    f32x16 y = f32_of_f64(r);

    y = choose32((u32x16)(a == 1), (f32x16){}, y);
    y = choose32((u32x16)(flush32(a) == 0), (f32x16){} - __builtin_inff(), y);
    y = choose32((u32x16)((i32x16)a == EXP_32), a, y);
    y = choose32((u32x16)(flush32(a) < 0), (f32x16)splat32(0xffc00000), y);
    return choose32(isnan32(a), quiet32(a), y);
}

/* sin(2 pi x) for x from -1/4 to 1/4. */
INL f64x16 sine_turns(f64x16 x)
{
    static const double c[] = {
        0x1.921fb54442d18p+2, -0x1.4abbce625be53p+5, 0x1.466bc6775aae2p+6,
        -0x1.32d2cce62bd86p+6, 0x1.50783487ee782p+5, -0x1.e3074fde8871fp+3,
        0x1.e8f434d018d63p+1, -0x1.6fadb9f155744p-1, 0x1.aaec32af93359p-4,
        -0x1.8a404211f9547p-7, 0x1.2877020d52cf0p-10,
    };

    return x * polynomial(x * x, c, 11);
}

/* x in turns, less whole ones: -1/2 to 1/2. */
INL f64x16 part_of_turn(f64x16 x)
{
    f64x16 whole = nearest64(x);

    return choose64((u64x16)(whole == 0), x, x - whole);
}

/* Infinities have no sine or cosine; NaNs stay. */
INL f32x16 if_finite(f32x16 a, f32x16 r)
{
    r = choose32((u32x16)(((u32x16)a & ~SIGN_32) == EXP_32),
                 (f32x16)splat32(0xffc00000), r);
    return choose32(isnan32(a), quiet32(a), r);
}

/*
 * The argument counts turns; beyond 256 the results are those of 0.  A zero of
 * another argument than zero is +0 in every rounding mode.
 */
INL f32x16 sine32(f32x16 a)
{
    f32x16 x = flush32(a);
    u32x16 far = (u32x16)(abs32(x) > 256);
    f64x16 t = part_of_turn(f64_of_f32(choose32(far, (f32x16){}, x)));
    f64x16 mirrored = with_sign64((f64x16){} + 0.5, (u64x16)t) - t;
    f32x16 r;

    t = choose64((u64x16)(abs64(t) > 0.25), mirrored, t);
    r = flush32(f32_of_f64(sine_turns(t)));
    r = choose32((u32x16)(r == 0) & (u32x16)(x != 0), (f32x16){}, r);
    return if_finite(a, r);
}

INL f32x16 cosine32(f32x16 a)
{
    f32x16 x = flush32(a);
    u32x16 far = (u32x16)(abs32(x) > 256);
    f64x16 t = part_of_turn(f64_of_f32(choose32(far, (f32x16){}, x)));
    f32x16 r = flush32(f32_of_f64(sine_turns(0.25 - abs64(t))));

    return if_finite(a, choose32((u32x16)(r == 0), (f32x16){}, r));
}

/* ---- of halves ---- */

INL u32x16 rcp16(const AmdWave *w, u32x16 x)
{
    return narrow16(w, 1.0f / widen16(w, x));
}

INL u32x16 root16(const AmdWave *w, u32x16 x)
{
    return narrow16(w, sqrt32(widen16(w, x)));
}

#define HALF_FUNCTION(name, function)                                         \
    INL u32x16 name(const AmdWave *w, u32x16 x)                               \
    {                                                                         \
        return narrow16(w, function(widen16(w, x)));                          \
    }
HALF_FUNCTION(rsq16, rsq32)
HALF_FUNCTION(log2_16, log2_32)
HALF_FUNCTION(sine16, sine32)
HALF_FUNCTION(cosine16, cosine32)

/* Not rounded twice: what f32 has no room for leaves an odd bit behind. */
INL u32x16 exp2_16(const AmdWave *w, u32x16 x)
{
    f32x16 a = widen16(w, x);
    u64x16 r = (u64x16)exp2_64(a);

    r = (r & ~0x1fffffffull) |
        ((u64x16)((r & 0x1fffffff) != 0) & 0x20000000);
    return narrow16(w, choose32(isnan32(a), quiet32(a),
                                f32_of_f64((f64x16)r)));
}

HALF_FUNCTION(floor16, floor32)
HALF_FUNCTION(ceil16, ceil32)
HALF_FUNCTION(trunc16, trunc32)
HALF_FUNCTION(nearest16, nearest32)

/* ---- division ---- */

/* Biased exponents. */
INL i32x16 exponent32(f32x16 x)
{
    return (i32x16)((u32x16)x >> 23 & 0xff);
}

INL i32x16 exponent64(f64x16 x)
{
    return (i32x16)(zip_high32((u64x16)x) >> 20 & 0x7ff);
}

/*
 * Is the quotient of @n and @d denormal, rounded to 24 or 53 bits?  It is
 * 2 to the difference of exponents times something between 1/2 and 2.
 */
#define QUOTIENT_IS_DENORMAL(W, V, least, gone)                               \
    INL u32x16 quotient_denormal##W(V n, V d)                                 \
    {                                                                         \
        V mn = abs##W(frexp_mant##W(n)), md = abs##W(frexp_mant##W(d));       \
        i32x16 exp = frexp_exp##W(n) - frexp_exp##W(d);                       \
        i32x16 less = (i32x16)MASK_##W(mn < md);                              \
        i32x16 more = (i32x16)MASK_##W(mn > md);                              \
        u32x16 finite = (u32x16)(exponent##W(n) != TOP_##W) &                 \
                        (u32x16)(exponent##W(d) != TOP_##W);                  \
                                                                              \
        return finite & (u32x16)((exp < least) | ((exp == least) & less)) &   \
               (u32x16)((exp > gone) | ((exp == gone) & more));               \
    }
#define MASK_32(m) (m)
#define MASK_64(m) unzip_mask((u64x16)(m))
#define TOP_32 0xff
#define TOP_64 0x7ff
QUOTIENT_IS_DENORMAL(32, f32x16, -126, -150)
QUOTIENT_IS_DENORMAL(64, f64x16, -1022, -1075)

/* What v_div_scale does: nothing, or scale x up or down; and whether it says
 * so to v_div_fmas. */
typedef struct DivScale {
    u32x16 up, down, nan, flag;
} DivScale;

/*
 * x is scaled for the division of @n by @d, of which it is one, so that
 * neither a reciprocal nor the quotient becomes denormal or overflows.  (Where
 * both are denormal the manual scales a large @d up, which would make it
 * infinite; down is what gives the right quotient.)
 */
#define DIV_SCALE(W, V, far, tiny, by, low, high)                             \
    /* Is it plain that nothing is scaled?  Exponents are far from all ends. */ \
    INL bool div_unscaled##W(V d, V n)                                        \
    {                                                                         \
        i32x16 ed = exponent##W(d), en = exponent##W(n), apart = en - ed;     \
                                                                              \
        return !any32((u32x16)((ed < low) | (ed > high) | (en < low) |        \
                               (en > high) | (apart <= -far / 2) |            \
                               (apart >= far / 2)));                          \
    }                                                                         \
    INL DivScale div_scaling##W(const AmdWave *w, V x, V d, V n)              \
    {                                                                         \
        DivScale s;                                                           \
        u32x16 is_d, is_n, zero, large, small_d, rcp, quotient, rest;         \
                                                                              \
        if (likely(div_unscaled##W(d, n))) {                                  \
            return (DivScale){ 0 };                                           \
        }                                                                     \
        x = input##W(w, x);                                                   \
        d = input##W(w, d);                                                   \
        n = input##W(w, n);                                                   \
        is_d = (u32x16)MASK_##W(x == d);                                      \
        is_n = (u32x16)MASK_##W(x == n);                                      \
        zero = (u32x16)(MASK_##W(d == 0) | MASK_##W(n == 0));                 \
        large = (u32x16)(exponent##W(n) - exponent##W(d) >= far) & ~zero;     \
        rest = ~(zero | large);                                               \
        small_d = (u32x16)(exponent##W(d) == 0) & rest;                       \
        rest &= ~small_d;                                                     \
        rcp = quotient_denormal##W((V){} + 1, d) & rest;                      \
        quotient = quotient_denormal##W(n, d) & rest;                         \
        rest &= ~(rcp | quotient) & (u32x16)(exponent##W(n) <= tiny);         \
        s.nan = zero;                                                         \
        s.up = (large & is_d) | small_d | (quotient & ~rcp & is_n) | rest;    \
        s.down = rcp & (~quotient | is_d);                                    \
        s.flag = large | quotient;                                            \
        return s;                                                             \
    }                                                                         \
    INL V div_scale##W(const AmdWave *w, V x, V d, V n)                       \
    {                                                                         \
        DivScale s = div_scaling##W(w, x, d, n);                              \
        i32x16 by_n = (i32x16)(s.up & by) - (i32x16)(s.down & by);            \
        V scaled;                                                             \
                                                                              \
        x = input##W(w, x);                                                   \
        if (likely(div_unscaled##W(d, n))) {                                  \
            return x;                                                         \
        }                                                                     \
        scaled = ldexp##W(x, by_n);                                           \
        scaled = choose##W(WIDE_##W(s.up | s.down), scaled, x);               \
        return choose##W(WIDE_##W(s.nan), (V)NO_VALUE_##W, scaled);           \
    }
#define WIDE_32(m) (m)
#define WIDE_64(m) zip_mask(m)
#define NO_VALUE_32 splat32(0xffc00000)
#define NO_VALUE_64 splat64(0xfff8000000000000)
DIV_SCALE(32, f32x16, 96, 23, 64, 40, 200)
DIV_SCALE(64, f64x16, 768, 53, 128, 400, 1600)

/*
 * v_div_fmas: the last step of a quotient, undoing what v_div_scale did where
 * it said so.  A large quotient had been scaled down, a small one up.  If the
 * result is denormal it must be rounded only once, so the sum is made odd if
 * inexact, as in fma16().
 */
INL f32x16 div_fmas32(const AmdWave *w, f32x16 a, f32x16 b, f32x16 c,
                      u32x16 scaled)
{
    f32x16 r = fused32(a, b, c);

    if (unlikely(any32(scaled))) {
        f64x16 p = f64_of_f32(a) * f64_of_f32(b), z = f64_of_f32(c);
        f64x16 s = p + z, t = s - p, error = (p - (s - t)) + (z - t);
        i64x16 inexact = (error < 0) | (error > 0);
        i64x16 outward = ((i64x16)error ^ (i64x16)s) >= 0;
        i64x16 even = ((i64x16)s & 1) == 0;
        u32x16 large = (u32x16)(exponent32(c) > 127);
        u32x16 denormal = (u32x16)(exponent32(r) <= 64);
        f32x16 small;

        if ((w->mode & MODE_ROUND_32) == 0) {
            s = (f64x16)((i64x16)s + (inexact & even & ((outward & 2) - 1)));
        }
        small = choose32(denormal, f32_of_f64(s * 0x1p-64), r * 0x1p-64f);
        scaled &= ~isnan32(r);
        r = choose32(scaled, choose32(large, r * 0x1p64f, small), r);
    }
    return r;
}

/*
 * The same without a wider format: where only one bit is to be cut off, an odd
 * sum would be a tie, and it is moved to the side where the exact one is.
 */
INL f64x16 div_fmas64(const AmdWave *w, f64x16 a, f64x16 b, f64x16 c,
                      u32x16 scaled)
{
    f64x16 r = fused64(a, b, c);

    if (unlikely(any32(scaled))) {
        f64x16 error = fma64(a, b, c - r), s = r;
        i64x16 inexact = (error < 0) | (error > 0);
        i64x16 outward = ((i64x16)error ^ (i64x16)r) >= 0;
        u64x16 odd = (u64x16)(((i64x16)r & 1) != 0);
        u64x16 one_bit = zip_mask((u32x16)(exponent64(r) == 128));
        u32x16 large = (u32x16)(exponent64(c) > 1023);
        u32x16 denormal = (u32x16)(exponent64(r) <= 128);

        if ((w->mode & MODE_ROUND_64) == 0) {
            inexact &= (i64x16)~(odd ^ one_bit);
            s = (f64x16)((i64x16)r + (inexact & ((outward & 2) - 1)));
        }
        s = choose64(zip_mask(denormal), s, r) * 0x1p-128;
        s = choose64(zip_mask(large), r * 0x1p128, s);
        scaled &= ~unzip_mask((u64x16)isnan64(r));
        r = choose64(zip_mask(scaled), s, r);
    }
    return r;
}

/*
 * v_div_fixup: the quotient @q of @n by @d, but the right thing where one of
 * them is special.
 */
#define DIV_FIXUP(W, V, U, gone)                                              \
    INL V div_fixup##W(const AmdWave *w, V q, V d, V n)                       \
    {                                                                         \
        V r, inf = (V)((U){} + EXP_##W), tiny;                                \
        U sign, d0, n0, d_inf, n_inf;                                         \
                                                                              \
        if (likely(div_unscaled##W(d, n) &&                                   \
                   !any32((u32x16)MASK_##W(q != q)))) {                       \
            return result##W(w, with_sign##W(q, (U)d ^ (U)n));                \
        }                                                                     \
        d = input##W(w, d);                                                   \
        n = input##W(w, n);                                                   \
        sign = (U)d ^ (U)n;                                                   \
        d0 = (U)(d == 0);                                                     \
        n0 = (U)(n == 0);                                                     \
        d_inf = (U)(abs##W(d) == inf);                                        \
        n_inf = (U)(abs##W(n) == inf);                                        \
        tiny = with_sign##W((V){} + TINY_##W, sign) * TINY_##W;               \
        r = choose##W(isnan##W(q), inf, q);                                   \
        r = with_sign##W(r, sign);                                            \
        r = choose##W(WIDE_##W((u32x16)(exponent##W(n) - exponent##W(d) <     \
                                        gone)), tiny, r);                     \
        r = choose##W(d_inf | n0, with_sign##W((V){}, sign), r);              \
        r = choose##W(d0 | n_inf, with_sign##W(inf, sign), r);                \
        r = choose##W((d0 & n0) | (d_inf & n_inf), (V)NO_VALUE_##W, r);       \
        r = choose##W(isnan##W(d), quiet##W(d), r);                           \
        r = choose##W(isnan##W(n), quiet##W(n), r);                           \
        return result##W(w, r);                                               \
    }
#define TINY_32 0x1p-100f
#define TINY_64 0x1p-1000
DIV_FIXUP(32, f32x16, u32x16, -150)
DIV_FIXUP(64, f64x16, u64x16, -1075)

/* Halves need no scaling: the quotient is computed in 32 bits. */
INL u32x16 div_fixup16(const AmdWave *w, u32x16 q, u32x16 d, u32x16 n)
{
    u32x16 r, sign, d0, n0, d_inf, n_inf;

    d = input16(w, d);
    n = input16(w, n);
    sign = (d ^ n) & 0x8000;
    d0 = (u32x16)((d & 0x7fff) == 0);
    n0 = (u32x16)((n & 0x7fff) == 0);
    d_inf = (u32x16)((d & 0x7fff) == 0x7c00);
    n_inf = (u32x16)((n & 0x7fff) == 0x7c00);
    r = (q & 0x7fff) | sign;
    r = select32(d_inf | n0, sign, r);
    r = select32(d0 | n_inf, sign | 0x7c00, r);
    r = select32((d0 & n0) | (d_inf & n_inf), splat32(0xfe00), r);
    r = select32(isnan16(d), d | 0x200, r);
    return result16(w, select32(isnan16(n), n | 0x200, r));
}

/* ---- cube maps ---- */

/* Which axis is the major one: z, else y, else x. */
INL u32x16 major_z(f32x16 x, f32x16 y, f32x16 z)
{
    return (u32x16)(abs32(z) >= abs32(x)) & (u32x16)(abs32(z) >= abs32(y));
}

INL u32x16 major_y(f32x16 x, f32x16 y, f32x16 z)
{
    return (u32x16)(abs32(y) >= abs32(x)) & ~major_z(x, y, z);
}

INL f32x16 by_axis(f32x16 x, f32x16 y, f32x16 z, f32x16 if_x, f32x16 if_y,
                   f32x16 if_z)
{
    return choose32(major_z(x, y, z), if_z,
                    choose32(major_y(x, y, z), if_y, if_x));
}

/* @a where @axis is negative, else @b. */
INL f32x16 if_negative(f32x16 axis, f32x16 a, f32x16 b)
{
    return choose32((u32x16)(axis < 0), a, b);
}

INL f32x16 cube_face(f32x16 x, f32x16 y, f32x16 z)
{
    f32x16 zero = {};

    return by_axis(x, y, z, if_negative(x, zero + 1, zero),
                   if_negative(y, zero + 3, zero + 2),
                   if_negative(z, zero + 5, zero + 4));
}

INL f32x16 cube_s(f32x16 x, f32x16 y, f32x16 z)
{
    return by_axis(x, y, z, if_negative(x, z, negate32(z)), x,
                   if_negative(z, negate32(x), x));
}

INL f32x16 cube_t(f32x16 x, f32x16 y, f32x16 z)
{
    return by_axis(x, y, z, negate32(y), if_negative(y, negate32(z), z),
                   negate32(y));
}

INL f32x16 cube_major(f32x16 x, f32x16 y, f32x16 z)
{
    return by_axis(x, y, z, x * 2, y * 2, z * 2);
}

/* ---- bits of 2/pi ---- */

/* 53 bits of 2/pi from bit @shift below the point, as a number. */
INL double two_by_pi_bits(unsigned shift)
{
    static const uint32_t words[] = {
        0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
        0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
        0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
        0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
        0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
        0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
        0x56033046, 0xfc7b6bab,
    };
    unsigned i = shift / 32, n = shift % 32;
    uint64_t bits;

    if (i + 2 >= sizeof(words) / sizeof(words[0])) {
        return 0; /* nothing is left of it */
    }
    bits = (uint64_t)words[i] << 32 | words[i + 1];
    if (n) {
        bits = bits << n | words[i + 2] >> (32 - n);
    }
    return (double)(bits >> 11);
}

/*
 * v_trig_preop: segment number @b of 2/pi for reducing @a to a part of a turn;
 * a large @a brings the segments up to where its integer part ends.
 */
INL f64x16 trig_preop(f64x16 a, u32x16 b)
{
    i32x16 exp = exponent64(a), past = exp - 1077;
    i32x16 shift = (i32x16)(b & 31) * 53 + (past & (past > 0));
    u32x16 lo, hi;

    for (int i = 0; i < 16; i++) {
        double number = two_by_pi_bits((unsigned)shift[i]);
        uint64_t bits;

        memcpy(&bits, &number, sizeof(bits));
        lo[i] = (uint32_t)bits;
        hi[i] = (uint32_t)(bits >> 32);
    }
    return ldexp64((f64x16)zip64(lo, hi),
                   -53 - shift + ((exp >= 1968) & 128));
}

#endif
