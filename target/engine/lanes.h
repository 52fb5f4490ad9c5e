/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lane arithmetic on compiler vectors.
 *
 * A vector register holds 64 lanes of 32 bits.  Handlers work on slices of 16
 * lanes: u32x16 fills one 512-bit register, or two of 256 bits; a slice of a
 * 64-bit operand is twice as long.  The compiler splits what the host cannot
 * do at once, so no source is written for one host level, except the helpers
 * between #if lines in this file.
 */
#ifndef ENGINE_LANES_H
#define ENGINE_LANES_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#include "uop.h"

#define VEC(type, bytes) type __attribute__((vector_size(bytes)))
typedef VEC(uint8_t, 16) u8x16;
typedef VEC(uint16_t, 32) u16x16;
typedef VEC(int16_t, 32) i16x16;
typedef VEC(uint32_t, 64) u32x16;
typedef VEC(int32_t, 64) i32x16;
typedef VEC(float, 64) f32x16;
typedef VEC(uint32_t, 128) u32x32;
typedef VEC(uint64_t, 128) u64x16;
typedef VEC(int64_t, 128) i64x16;
typedef VEC(double, 128) f64x16;

#define SLICES 4 /* of 16 lanes in a register */

/* One vector register. */
typedef struct Vreg {
    u32x16 q[SLICES];
} Vreg;

INL u32x16 splat32(uint32_t x)
{
    return (u32x16){} + x;
}

INL u64x16 splat64(uint64_t x)
{
    return (u64x16){} + x;
}

/* 0, 1, 2 ... 15 */
INL u32x16 iota16(void)
{
    return (u32x16){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
}

/* Join the low and high halves of 64-bit lanes. */
INL u64x16 join64(u32x16 lo, u32x16 hi)
{
    return (u64x16)__builtin_shufflevector(
        lo, hi, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24,
        9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

INL u32x16 low32(u64x16 x)
{
    return __builtin_convertvector(x, u32x16);
}

INL u32x16 high32(u64x16 x)
{
    return __builtin_convertvector(x >> 32, u32x16);
}

/* All-ones lanes where the bit is set. */
INL u32x16 lanes_of_bits(uint32_t bits16)
{
    u32x16 bit = splat32(1) << iota16();

    return (u32x16)((splat32(bits16) & bit) != 0);
}

/* The sign bits of 16 lanes, lane 0 lowest. */
INL uint32_t bits_of_lanes(u32x16 m)
{
#if defined(__AVX512DQ__)
    __m512i x;

    memcpy(&x, &m, sizeof(x));
    return _mm512_movepi32_mask(x);
#elif defined(__AVX__)
    __m256 x[2];

    memcpy(x, &m, sizeof(x));
    return (uint32_t)_mm256_movemask_ps(x[0]) |
           (uint32_t)_mm256_movemask_ps(x[1]) << 8;
#else
    __m128 x[4];
    uint32_t bits = 0;

    memcpy(x, &m, sizeof(x));
    for (int i = 0; i < 4; i++) {
        bits |= (uint32_t)_mm_movemask_ps(x[i]) << 4 * i;
    }
    return bits;
#endif
}

/* Is any bit set? */
INL bool any32(u32x16 x)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) != 0;
#elif defined(__AVX__)
    __m256i h[2], y;

    memcpy(h, &x, sizeof(x));
    y = (__m256i)_mm256_or_ps((__m256)h[0], (__m256)h[1]);
    return !_mm256_testz_si256(y, y);
#else
    __m128i h[4], y;

    memcpy(h, &x, sizeof(x));
    y = (h[0] | h[1]) | (h[2] | h[3]);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(y, (__m128i){})) != 0xffff;
#endif
}

INL bool any64(u64x16 x)
{
    u32x16 h[2];

    memcpy(h, &x, sizeof(x));
    return any32(h[0] | h[1]);
}

/* Store the lanes of @mask at @p; the others' bytes are not touched. */
INL void mask_store32(void *p, u32x16 x, u32x16 mask)
{
#if defined(__AVX512DQ__)
    _mm512_mask_storeu_epi32(p, _mm512_movepi32_mask((__m512i)mask),
                             (__m512i)x);
#elif defined(__AVX2__)
    __m256i v[2], m[2];

    memcpy(v, &x, sizeof(x));
    memcpy(m, &mask, sizeof(mask));
    _mm256_maskstore_epi32(p, m[0], v[0]);
    _mm256_maskstore_epi32((int *)p + 8, m[1], v[1]);
#else
    for (int i = 0; i < 16; i++) {
        if (mask[i]) {
            memcpy((uint32_t *)p + i, &(uint32_t){ x[i] }, 4);
        }
    }
#endif
}

/* Lanes of a where m is all ones, of b where it is zero. */
INL u32x16 select32(u32x16 m, u32x16 a, u32x16 b)
{
    return (a & m) | (b & ~m);
}

/* A 32-bit lane mask for lanes of 64 bits, and back. */
INL u64x16 widen_mask(u32x16 m)
{
    return (u64x16)__builtin_convertvector((i32x16)m, i64x16);
}

INL u32x16 narrow_mask(i64x16 m)
{
    return (u32x16)__builtin_convertvector(m, i32x16);
}

INL u64x16 select64(u64x16 m, u64x16 a, u64x16 b)
{
    return (a & m) | (b & ~m);
}

/*
 * Fused multiply-add, rounded once.  Without host FMA (x86-64-v2) the C
 * library does it, a lane at a time.
 */
INL f32x16 fma32(f32x16 a, f32x16 b, f32x16 c)
{
    f32x16 r;

#if defined(__AVX512F__)
    r = (f32x16)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    __m256 x[2], y[2], z[2];

    memcpy(x, &a, 64);
    memcpy(y, &b, 64);
    memcpy(z, &c, 64);
    x[0] = _mm256_fmadd_ps(x[0], y[0], z[0]);
    x[1] = _mm256_fmadd_ps(x[1], y[1], z[1]);
    memcpy(&r, x, 64);
#else
    for (int i = 0; i < 16; i++) {
        r[i] = __builtin_fmaf(a[i], b[i], c[i]);
    }
#endif
    return r;
}

INL f64x16 fma64(f64x16 a, f64x16 b, f64x16 c)
{
    f64x16 r;

#if defined(__AVX512F__)
    __m512d x[2], y[2], z[2];

    memcpy(x, &a, 128);
    memcpy(y, &b, 128);
    memcpy(z, &c, 128);
    for (int i = 0; i < 2; i++) {
        x[i] = _mm512_fmadd_pd(x[i], y[i], z[i]);
    }
    memcpy(&r, x, 128);
#elif defined(__FMA__)
    __m256d x[4], y[4], z[4];

    memcpy(x, &a, 128);
    memcpy(y, &b, 128);
    memcpy(z, &c, 128);
    for (int i = 0; i < 4; i++) {
        x[i] = _mm256_fmadd_pd(x[i], y[i], z[i]);
    }
    memcpy(&r, x, 128);
#else
    for (int i = 0; i < 16; i++) {
        r[i] = __builtin_fma(a[i], b[i], c[i]);
    }
#endif
    return r;
}

/* Square roots, correctly rounded. */
INL f32x16 sqrt32(f32x16 a)
{
    __m128 x[4];

    memcpy(x, &a, 64);
    for (int i = 0; i < 4; i++) {
        x[i] = _mm_sqrt_ps(x[i]);
    }
    memcpy(&a, x, 64);
    return a;
}

INL f64x16 sqrt64(f64x16 a)
{
    __m128d x[8];

    memcpy(x, &a, 128);
    for (int i = 0; i < 8; i++) {
        x[i] = _mm_sqrt_pd(x[i]);
    }
    memcpy(&a, x, 128);
    return a;
}

#endif
