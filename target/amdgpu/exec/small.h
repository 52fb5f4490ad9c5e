/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floats of 8 and of 16 bits beside IEEE's half: fp8 is OCP's E4M3, which has
 * no infinity and one NaN a sign; bf8 is its E5M2, the upper byte of a half;
 * bf16 is the upper half of an f32.
 */
#ifndef AMDGPU_EXEC_SMALL_H
#define AMDGPU_EXEC_SMALL_H

#include "convert.h"

/* ---- widening: exact; NaNs become quiet ---- */

INL f32x16 f32_of_fp8(u32x16 x)
{
    u32x16 a = x & 0x7f, r;
    f32x16 small = f32_of_i32((i32x16)(x & 7)) * 0x1p-9f;

    r = (a << 20) + (120 << 23); /* exponents are 7 too large, not 127 */
    r = select32((u32x16)(a < 8), (u32x16)small, r);
    r = select32((u32x16)(a == 0x7f), splat32(0x7fc00000), r);
    return (f32x16)(r | (x & 0x80) << 24);
}

INL f32x16 f32_of_bf8(u32x16 x)
{
    return half_to_float((x & 0xff) << 8);
}

INL f32x16 f32_of_bf16(u32x16 x)
{
    f32x16 r = (f32x16)(x << 16);

    return choose32(isnan32(r), quiet32(r), r);
}

/* ---- narrowing ---- */

/* What an f32 is to become. */
typedef struct SmallFormat {
    int mantissa;       /* bits */
    uint32_t least;     /* f32's exponent field of the least normal number */
    uint32_t most;      /* largest finite one */
    uint32_t infinity;  /* in place of one in fp8: NaN */
} SmallFormat;

static const SmallFormat format_fp8 = { 3, 121, 0x7e, 0x7f };
static const SmallFormat format_bf8 = { 2, 113, 0x7b, 0x7c };

/*
 * To nearest even whatever MODE says, or, with @random, up if the part that is
 * cut off and as many upper bits of a random number make up a whole.  With
 * FP16_OVFL what is too large, infinity too, gives the largest number.
 */
INL u32x16 narrow_small(const AmdWave *w, const SmallFormat *f, f32x16 x,
                        const u32x16 *random)
{
    u32x16 a = (u32x16)x & ~SIGN_32, exp = a >> 23;
    u32x16 mant = (a & 0x7fffff) | ((u32x16)(exp != 0) & 0x800000);
    u32x16 low = (u32x16)(exp < f->least) & (f->least - exp);
    u32x16 shift = low + (uint32_t)(23 - f->mantissa), r, cut, half, up;

    mant &= (u32x16)(shift < 32); /* else nothing at all is left */
    shift = select32((u32x16)(shift > 31), splat32(31), shift);
    r = mant >> shift;
    cut = mant & ((splat32(1) << shift) - 1);
    if (random) {
        up = (cut + (*random >> (32 - shift))) >> shift;
    } else {
        half = splat32(1) << (shift - 1);
        up = ((u32x16)(cut > half) | ((u32x16)(cut == half) & r)) & 1;
    }
    r += up + ((exp + low - f->least) << (uint32_t)f->mantissa);
    r = select32((u32x16)(r > f->most),
                 splat32(w->mode & MODE_FP16_OVFL ? f->most : f->infinity),
                 r);
    r = select32((u32x16)(a > EXP_32), splat32(0x7f), r);
    return r | ((u32x16)x >> 24 & 0x80);
}

INL u32x16 narrow_pair(const AmdWave *w, const SmallFormat *f, f32x16 a,
                       f32x16 b)
{
    return narrow_small(w, f, a, NULL) | narrow_small(w, f, b, NULL) << 8;
}

/* To nearest even; there is no MODE for it. */
INL u32x16 narrow_bf16(f32x16 x)
{
    u32x16 a = (u32x16)x, r = (a + 0x7fff + (a >> 16 & 1)) >> 16;

    return select32(isnan32(x), a >> 16 | 0x40, r);
}

/* ---- bytes of registers, picked by op_sel ---- */

/* v_cvt_f32_fp8, v_cvt_f32_bf8: the two bits count in reverse. */
INL u32x16 source_byte(const Uop *u, u32x16 x)
{
    unsigned sel = MOD(u, OPSEL, 2);

    return x >> (sel >> 1 | (sel & 1) << 1) * 8 & 0xff;
}

/* v_cvt_pk_f32_fp8, v_cvt_pk_f32_bf8: a half. */
INL u32x16 source_half(const Uop *u, u32x16 x)
{
    return MOD(u, OPSEL, 1) ? x >> 16 : x & 0xffff;
}

/* v_cvt_sr_fp8_f32, v_cvt_sr_bf8_f32: the others stay. */
INL u32x16 result_byte(const Uop *u, u32x16 x, u32x16 old)
{
    unsigned shift = (MOD(u, OPSEL, 4) >> 2) * 8;

    return (old & ~(0xffu << shift)) | x << shift;
}

#endif
