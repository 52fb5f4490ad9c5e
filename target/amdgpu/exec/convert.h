/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conversions.  Floats to integers saturate, and NaN gives 0.
 */
#ifndef AMDGPU_EXEC_CONVERT_H
#define AMDGPU_EXEC_CONVERT_H

#include "half.h"

/* ---- floats to integers, toward zero ---- */

/* Without saturating: for what fits. */
INL i32x16 cut64(f64x16 x)
{
    return (i32x16)unzip_order((u32x16)integer64(x));
}

INL i32x16 i32_of_f32(f32x16 x)
{
    i32x16 r = integer32(x);

    r ^= x >= 0x1p31f;              /* 0x80000000 becomes 0x7fffffff */
    return r & ~(i32x16)isnan32(x);
}

INL u32x16 u32_of_f32(f32x16 x)
{
    u32x16 r = unsigned32(x) | (u32x16)(x >= 0x1p32f);

    return r & (u32x16)(x > 0);
}

INL i32x16 i32_of_f64(f64x16 x)
{
    i32x16 r = cut64(x);

    r ^= (i32x16)unzip_mask((u64x16)(x >= 0x1p31));
    return r & ~(i32x16)unzip_mask((u64x16)isnan64(x));
}

INL u32x16 u32_of_f64(f64x16 x)
{
    i64x16 big = x >= 0x1p31;
    f64x16 half = (f64x16)((u64x16)big & (u64x16)((f64x16){} + 0x1p31));
    u32x16 r = (u32x16)cut64(trunc64(x) - half) +
               (unzip_mask((u64x16)big) & 0x80000000u);

    r |= unzip_mask((u64x16)(x >= 0x1p32));
    return r & unzip_mask((u64x16)(x > 0));
}

/* 16 bits, of what has been widened. */
INL u32x16 clamp_u32(i32x16 x, int32_t least, int32_t most)
{
    x = (i32x16)select32((u32x16)(x < least), (u32x16)((i32x16){} + least),
                         (u32x16)x);
    return select32((u32x16)(x > most), (u32x16)((i32x16){} + most),
                    (u32x16)x);
}

INL u32x16 u16_of_f16(const AmdWave *w, u32x16 x)
{
    return clamp_u32(i32_of_f32(widen16(w, x)), 0, 0xffff);
}

INL i32x16 i16_of_f16(const AmdWave *w, u32x16 x)
{
    return (i32x16)clamp_u32(i32_of_f32(widen16(w, x)), -0x8000, 0x7fff);
}

/* ---- integers to floats, rounded as MXCSR says ---- */

INL f32x16 f32_of_i32(i32x16 x)
{
    return __builtin_convertvector(x, f32x16);
}

INL f64x16 f64_of_i32(i32x16 x)
{
    x = (i32x16)zip_order((u32x16)x);
    return __builtin_convertvector(x, f64x16);
}

INL f64x16 f64_of_u32(u32x16 x)
{
    f64x16 r = f64_of_i32((i32x16)(x ^ SIGN_32)) + 0x1p31;

    return abs64(r); /* 0 is +0 in every rounding mode */
}

/* ---- between floats; NaNs become quiet and keep their upper bits ---- */

INL f32x16 f32_of_f64(f64x16 x)
{
    return (f32x16)unzip_order((u32x16)__builtin_convertvector(x, f32x16));
}

INL f64x16 f64_of_f32(f32x16 x)
{
    x = (f32x16)zip_order((u32x16)x);
    return __builtin_convertvector(x, f64x16);
}

/* ---- normalised integers ---- */

/* [-1, 1] to [-32767, 32767], and [0, 1] to [0, 65535]; NaN gives 0. */
INL u32x16 snorm16(f32x16 x)
{
    x = choose32((u32x16)(x > 1), (f32x16){} + 1, x);
    x = choose32((u32x16)(x < -1), (f32x16){} - 1, x);
    return (u32x16)i32_of_f32(nearest32(x * 32767)) & 0xffff;
}

INL u32x16 unorm16(f32x16 x)
{
    x = choose32((u32x16)(x > 1), (f32x16){} + 1, x);
    return u32_of_f32(nearest32(x * 65535));
}

/* ---- packing two results ---- */

INL u32x16 pack16(u32x16 lo, u32x16 hi)
{
    return (lo & 0xffff) | hi << 16;
}

INL u32x16 sat_pk_u8_i16(u32x16 x)
{
    return clamp_u32((i32x16)(x << 16) >> 16, 0, 255) |
           clamp_u32((i32x16)x >> 16, 0, 255) << 8;
}

/* Byte number @place (its low 2 bits) of @into replaced by @x as a byte. */
INL u32x16 pack_u8(f32x16 x, u32x16 place, u32x16 into)
{
    u32x16 shift = (place & 3) * 8;
    u32x16 byte = clamp_u32(i32_of_f32(x), 0, 255);

    return (into & ~(255u << shift)) | byte << shift;
}

/* Four bits as a signed number of sixteenths. */
INL f32x16 offset_of_i4(u32x16 x)
{
    return f32_of_i32((i32x16)(x << 28) >> 28) * 0x1p-4f;
}

/* ---- mantissa and exponent ---- */

/*
 * Denormals made normal by a factor of 2^24 and 2^53.  The sign comes last:
 * LLVM 19 has vpternlog put in the wrong bits where lanes are chosen from @x
 * and from something with x's sign, which is a constant in memory.
 */
INL f32x16 normalised32(f32x16 x, u32x16 *denormal)
{
    u32x16 mant = (u32x16)x & 0x7fffff;
    f32x16 r = f32_of_i32((i32x16)mant) * 0x1p-125f;

    *denormal = (u32x16)(((u32x16)x & EXP_32) == 0);
    return with_sign32(choose32(*denormal, r, x), (u32x16)x);
}

INL f64x16 normalised64(f64x16 x, u64x16 *denormal)
{
    u64x16 mant = (u64x16)x & 0xfffffffffffffull;
    f64x16 r = ((f64x16)(mant | 0x4330000000000000ull) - 0x1p52) * 0x1p-1021;

    *denormal = (u64x16)(((u64x16)x & EXP_64) == 0);
    return with_sign64(choose64(*denormal, r, x), (u64x16)x);
}

/* The same whatever MXCSR says of denormals, since MODE has two opinions. */
INL f64x16 f64_of_any_f32(f32x16 x)
{
    u32x16 denormal;
    f64x16 r = f64_of_f32(normalised32(x, &denormal));

    return choose64(zip_mask(denormal), r * 0x1p-24, r);
}

/* v_frexp_exp: 0 for 0, infinity and NaN; x is 0.1... times 2 to it. */
INL i32x16 frexp_exp32(f32x16 x)
{
    u32x16 denormal, exp;
    f32x16 n = normalised32(x, &denormal);
    i32x16 r;

    exp = (u32x16)n >> 23 & 0xff;
    r = (i32x16)exp - 126 - (i32x16)(denormal & 24);
    return r & (x != 0) & (i32x16)(exp != 0xff);
}

INL f32x16 frexp_mant32(f32x16 x)
{
    u32x16 denormal, b;
    f32x16 n = normalised32(x, &denormal);
    u32x16 special = (u32x16)(x == 0) |
                     (u32x16)(((u32x16)x & EXP_32) == EXP_32);

    b = ((u32x16)n & 0x807fffff) | 0x3f000000;
    return (f32x16)select32(special, (u32x16)x, b);
}

INL i32x16 frexp_exp64(f64x16 x)
{
    u64x16 denormal, exp;
    f64x16 n = normalised64(x, &denormal);
    i64x16 r;

    exp = (u64x16)n >> 52 & 0x7ff;
    r = (i64x16)exp - 1022 - (i64x16)(denormal & 53);
    r &= (x != 0) & (i64x16)(exp != 0x7ff);
    return (i32x16)zip_low32((u64x16)r);
}

INL f64x16 frexp_mant64(f64x16 x)
{
    u64x16 denormal, b;
    f64x16 n = normalised64(x, &denormal);
    u64x16 special = (u64x16)(x == 0) |
                     (u64x16)(((u64x16)x & EXP_64) == EXP_64);

    b = ((u64x16)n & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
    return (f64x16)select64(special, (u64x16)x, b);
}

/* Halves have no denormals that are denormal when widened. */
INL i32x16 frexp_exp16(const AmdWave *w, u32x16 x)
{
    return frexp_exp32(widen16(w, x));
}

INL u32x16 frexp_mant16(const AmdWave *w, u32x16 x)
{
    return float_to_half(frexp_mant32(widen16(w, x)), ROUND_NEAREST);
}

/* 2 to the @n, which is -1022 to 1023. */
INL f64x16 power_of_2(i32x16 n)
{
    u32x16 exp = (u32x16)(n + 1023) << 20;

    return (f64x16)zip64((u32x16){}, exp);
}

INL i32x16 limit(i32x16 n, int32_t least, int32_t most)
{
    return (i32x16)clamp_u32(n, least, most);
}

/* x times 2 to the n, rounded once. */
INL f32x16 ldexp32(f32x16 x, i32x16 n)
{
    return f32_of_f64(f64_of_f32(x) * power_of_2(limit(n, -500, 500)));
}

/*
 * In two steps at most before the last, each exact: those that make a number
 * smaller leave 53 bits between it and the denormals.
 */
INL f64x16 ldexp64(f64x16 x, i32x16 n)
{
    if (likely(!any32((u32x16)((n < -1022) | (n > 1023))))) {
        return x * power_of_2(n);
    }
    n = limit(n, -2200, 2200);
    for (int i = 0; i < 2; i++) {
        i32x16 large = n > 1023, small = n < -1022;
        f64x16 factor = (f64x16){} + 1;

        factor = choose64(zip_mask((u32x16)large), (f64x16){} + 0x1p1023,
                          factor);
        factor = choose64(zip_mask((u32x16)small), (f64x16){} + 0x1p-969,
                          factor);
        x = x * factor;
        n -= (large & 1023) - (small & 969);
    }
    return x * power_of_2(limit(n, -1022, 1023));
}

INL u32x16 ldexp16(const AmdWave *w, u32x16 x, i32x16 n)
{
    f32x16 factor = f32_of_f64(power_of_2(limit(n, -60, 60)));

    return narrow16(w, widen16(w, x) * factor);
}

/* ---- the fraction: x minus its floor, always less than 1 ---- */

INL f32x16 fract32(f32x16 x)
{
    f32x16 most = (f32x16){} + 0x1.fffffep-1f, r = sub32(x, floor32(x));

    return choose32((u32x16)(r > most), most, r);
}

INL f64x16 fract64(f64x16 x)
{
    f64x16 most = (f64x16){} + 0x1.fffffffffffffp-1;
    f64x16 r = sub64(x, floor64(x));

    return choose64((u64x16)(r > most), most, r);
}

INL u32x16 fract16(const AmdWave *w, u32x16 h)
{
    f32x16 x = widen16(w, h);
    u32x16 r = narrow16(w, sub32(x, floor32(x)));

    return select32((u32x16)(r == 0x3c00), splat32(0x3bff), r);
}

#endif
