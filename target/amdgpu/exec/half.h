/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic of 16-bit floats.  They travel as bits in lanes of 32 and are
 * computed as 32-bit floats: for one addition, multiplication, division or
 * square root of halves, rounding twice gives what rounding once does.
 */
#ifndef AMDGPU_EXEC_HALF_H
#define AMDGPU_EXEC_HALF_H

#include "float.h"

/* ---- widening: exact; NaNs become quiet ---- */

#if defined(__F16C__)
INL f32x16 half_to_float(u32x16 h)
{
    u16x16 x = __builtin_convertvector(h, u16x16);
    __m128i part[2];
    __m256 out[2];
    f32x16 r;

    memcpy(part, &x, sizeof(x));
    out[0] = _mm256_cvtph_ps(part[0]);
    out[1] = _mm256_cvtph_ps(part[1]);
    memcpy(&r, out, sizeof(r));
    return r;
}
#else
INL f32x16 half_to_float(u32x16 h)
{
    u32x16 sign = (h & 0x8000) << 16, exp = h & 0x7c00, mant = h & 0x3ff;
    u32x16 normal = ((h & 0x7fff) << 13) + 0x38000000;
    u32x16 special = (h & 0x7fff) << 13 | EXP_32;
    f32x16 small = __builtin_convertvector((i32x16)mant, f32x16) *
                   0x1p-24f;
    u32x16 r;

    special |= (u32x16)(mant != 0) & QUIET_32;
    r = select32((u32x16)(exp == 0), (u32x16)small, normal);
    r = select32((u32x16)(exp == 0x7c00), special, r);
    return (f32x16)(r | sign);
}
#endif

/* ---- narrowing ---- */

/* Rounding as MODE counts. */
enum { ROUND_NEAREST, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

#if defined(__F16C__)
#define CVTPS_PH(how)                                    \
    (out[0] = _mm256_cvtps_ph(part[0], how),             \
     out[1] = _mm256_cvtps_ph(part[1], how))
INL u32x16 float_to_half(f32x16 x, unsigned rounding)
{
    __m256 part[2];
    __m128i out[2];
    u16x16 r;

    memcpy(part, &x, sizeof(x));
    switch (rounding) {
    case ROUND_UP:
        CVTPS_PH(2);
        break;
    case ROUND_DOWN:
        CVTPS_PH(1);
        break;
    case ROUND_ZERO:
        CVTPS_PH(3);
        break;
    default:
        CVTPS_PH(0);
        break;
    }
    memcpy(&r, out, sizeof(r));
    return __builtin_convertvector(r, u32x16);
}
#else
/* Lanes where what is cut off, @rest of 2 * @half, makes @x one larger. */
INL u32x16 rounds_up(u32x16 x, u32x16 rest, u32x16 half, u32x16 negative,
                     unsigned rounding)
{
    u32x16 some = (u32x16)(rest != 0);

    switch (rounding) {
    case ROUND_UP:
        return some & ~negative;
    case ROUND_DOWN:
        return some & negative;
    case ROUND_ZERO:
        return (u32x16){};
    default:
        return (u32x16)(rest > half) |
               ((u32x16)(rest == half) & (u32x16)((x & 1) != 0));
    }
}

INL u32x16 float_to_half(f32x16 f, unsigned rounding)
{
    u32x16 x = (u32x16)f, sign = x >> 16 & 0x8000, a = x & ~SIGN_32;
    u32x16 negative = (u32x16)((i32x16)x < 0), exp = a >> 23;
    u32x16 shift = 126 - exp, mant, r, small, half, big;

    if (_mm_getcsr() & 0x40) { /* as the host's instruction does */
        a &= (u32x16)(exp != 0);
    }
    /* Normal halves. */
    r = (a - 0x38000000) >> 13;
    r -= rounds_up(r, a & 0x1fff, splat32(0x1000), negative, rounding);
    /* Denormal ones: all that is left after a shift of 14 to 25 bits. */
    shift = select32((u32x16)(shift > 25), splat32(25), shift);
    mant = (a & 0x7fffff) | ((u32x16)(exp != 0) & 0x800000);
    small = mant >> shift;
    half = splat32(1) << (shift - 1);
    small -= rounds_up(small, mant & (half + half - 1), half, negative,
                       rounding);
    r = select32((u32x16)(a < 0x38800000), small, r);
    /* Too large; NaN. */
    big = rounding == ROUND_UP ? 0x7c00 - (negative & 1) :
          rounding == ROUND_DOWN ? 0x7bff + (negative & 1) :
          splat32(rounding == ROUND_ZERO ? 0x7bff : 0x7c00);
    r = select32((u32x16)(a >= 0x47800000), big, r);
    r = select32((u32x16)(a == EXP_32), splat32(0x7c00), r);
    r = select32((u32x16)(a > EXP_32), 0x7e00 | (a >> 13 & 0x3ff), r);
    return r | sign;
}
#endif

/* ---- operands and results as MODE wants them ---- */

INL u32x16 flush16(u32x16 x)
{
    return x & ((u32x16)((x & 0x7c00) != 0) | 0x8000);
}

INL u32x16 input16(const AmdWave *w, u32x16 x)
{
    return likely(w->mode & MODE_DENORM_IN_64) ? x : flush16(x);
}

INL u32x16 result16(const AmdWave *w, u32x16 x)
{
    return likely(w->mode & MODE_DENORM_OUT_64) ? x : flush16(x);
}

INL f32x16 widen16(const AmdWave *w, u32x16 x)
{
    return half_to_float(input16(w, x));
}

/* With FP16_OVFL, what is finite but too large gives the largest half. */
INL u32x16 narrow_with(const AmdWave *w, f32x16 x, unsigned rounding)
{
    u32x16 r = float_to_half(x, rounding);

    if (unlikely(w->mode & MODE_FP16_OVFL)) {
        r += (u32x16)((r & 0x7fff) == 0x7c00) &
             (u32x16)((i32x16)(((u32x16)x & ~SIGN_32) != EXP_32));
    }
    return result16(w, r);
}

INL u32x16 narrow16(const AmdWave *w, f32x16 x)
{
    return narrow_with(w, x, w->mode >> 2 & 3);
}

/* ---- arithmetic ---- */

INL u32x16 add16(const AmdWave *w, u32x16 a, u32x16 b)
{
    return narrow16(w, add32(widen16(w, a), widen16(w, b)));
}

INL u32x16 sub16(const AmdWave *w, u32x16 a, u32x16 b)
{
    return narrow16(w, sub32(widen16(w, a), widen16(w, b)));
}

INL u32x16 mul16(const AmdWave *w, u32x16 a, u32x16 b)
{
    return narrow16(w, mul32(widen16(w, a), widen16(w, b)));
}

/*
 * The product is exact in 32 bits, the sum is not.  To round only once it is
 * made odd where it is not exact: then the second rounding cannot take it for
 * a tie or for exact.  (With directed rounding twice is as good as once.)
 */
INL u32x16 fma16(const AmdWave *w, u32x16 a, u32x16 b, u32x16 c)
{
    f32x16 x = widen16(w, a), y = widen16(w, b), z = widen16(w, c);
    f32x16 p = x * y, s = p + z, t = s - p;
    f32x16 error = (p - (s - t)) + (z - t);
    i32x16 inexact = (error < 0) | (error > 0);
    i32x16 outward = ((i32x16)error ^ (i32x16)s) >= 0;
    i32x16 even = ((i32x16)s & 1) == 0;

    if ((w->mode & MODE_ROUND_64) == 0) {
        s = (f32x16)((i32x16)s + (inexact & even & ((outward & 2) - 1)));
    }
    if (unlikely(any_nan32(s))) {
        s = choose32(isnan32(z), quiet32(z), s);
        s = or_nan2_32(s, x, y);
    }
    return narrow16(w, s);
}

/* The product is rounded before the sum, denormals are flushed. */
INL u32x16 mad16(const AmdWave *w, u32x16 a, u32x16 b, u32x16 c)
{
    f32x16 x = half_to_float(flush16(a)), y = half_to_float(flush16(b));
    u32x16 product = flush16(narrow16(w, mul32(x, y)));

    x = half_to_float(product);
    y = half_to_float(flush16(c));
    return flush16(narrow16(w, add32(x, y)));
}

/* ---- comparing ---- */

INL u32x16 isnan16(u32x16 x)
{
    return (u32x16)((x & 0x7fff) > 0x7c00);
}

INL u32x16 minmax_nan16(const AmdWave *w, u32x16 r, u32x16 a, u32x16 b)
{
    u32x16 nan_a = isnan16(a), nan_b = isnan16(b);

    r = select32(nan_b, a, r);
    r = select32(nan_a, b, r);
    if (w->mode & MODE_IEEE) {
        nan_a &= (u32x16)((a & 0x200) == 0);
        nan_b &= (u32x16)((b & 0x200) == 0);
        r = select32(nan_b, b | 0x200, r);
        r = select32(nan_a, a | 0x200, r);
    }
    return r;
}

/* The order of halves as that of integers, -0 before +0. */
INL i32x16 order16(u32x16 x)
{
    i32x16 s = (i32x16)(x << 16) >> 16;

    return s ^ (s >> 16 & 0x7fff);
}

/* The rules of number_nan and either_nan, as for other widths. */
INL u32x16 number_nan16(const AmdWave *w, u32x16 r, u32x16 a, u32x16 b)
{
    u32x16 nan_a = isnan16(a), nan_b = isnan16(b);

    r = select32(nan_b, a, r);
    r = select32(nan_a, b, r);
    return select32(nan_a & nan_b, a | 0x200, r);
}

INL u32x16 either_nan16(const AmdWave *w, u32x16 r, u32x16 a, u32x16 b)
{
    u32x16 nan_a = isnan16(a), nan_b = isnan16(b);
    u32x16 signal_a = nan_a & (u32x16)((a & 0x200) == 0);
    u32x16 signal_b = nan_b & (u32x16)((b & 0x200) == 0);

    r = select32(nan_b, b | 0x200, r);
    r = select32(nan_a, a | 0x200, r);
    return select32(signal_b & ~signal_a, b | 0x200, r);
}

#define MIN_MAX16(min, max, nan_rule)                                         \
    INL u32x16 min(const AmdWave *w, u32x16 a, u32x16 b)                      \
    {                                                                         \
        a = input16(w, a);                                                    \
        b = input16(w, b);                                                    \
        return result16(w, nan_rule(w, select32(                              \
            (u32x16)(order16(a) < order16(b)), a, b), a, b));                 \
    }                                                                         \
    INL u32x16 max(const AmdWave *w, u32x16 a, u32x16 b)                      \
    {                                                                         \
        a = input16(w, a);                                                    \
        b = input16(w, b);                                                    \
        return result16(w, nan_rule(w, select32(                              \
            (u32x16)(order16(a) > order16(b)), a, b), a, b));                 \
    }
MIN_MAX16(min16, max16, minmax_nan16)
MIN_MAX16(min_num16, max_num16, number_nan16)
MIN_MAX16(minimum16, maximum16, either_nan16)

#define MEDIAN16(med, min, max)                                               \
    INL u32x16 med(const AmdWave *w, u32x16 a, u32x16 b, u32x16 c)            \
    {                                                                         \
        f32x16 x = widen16(w, a), y = widen16(w, b);                          \
        f32x16 most = widen16(w, max(w, max(w, a, b), c));                    \
        u32x16 r = max(w, a, b);                                              \
                                                                              \
        r = select32((u32x16)(most == y), max(w, a, c), r);                   \
        r = select32((u32x16)(most == x), max(w, b, c), r);                   \
        return select32(isnan16(a) | isnan16(b) | isnan16(c),                 \
                        min(w, min(w, a, b), c), r);                          \
    }
MEDIAN16(med16, min16, max16)
MEDIAN16(med_num16, min_num16, max_num16)

/* To [0, 1] as halves are ordered. */
INL u32x16 clamp16(bool nan_to_zero, u32x16 x)
{
    u32x16 low = (u32x16)((i32x16)(x << 16) < 0), nan = isnan16(x);

    low = nan_to_zero ? low | nan : low & ~nan;
    x = select32((u32x16)((x & 0xffff) > 0x3c00) & ~nan, splat32(0x3c00), x);
    return x & 0xffff & ~low;
}

INL u32x16 class16(u32x16 x, u32x16 mask)
{
    return class_bits((u32x16)((x & 0x8000) != 0), x >> 10 & 0x1f, x & 0x3ff,
                      0x1f, (u32x16)((x & 0x200) != 0), mask);
}

#endif
