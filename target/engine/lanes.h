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

/*
 * 64-bit lanes for arithmetic are "zipped": in an order in which joining and
 * splitting halves is one instruction each that does not cross the host's
 * 128-bit lanes.  The order is the host level's own.  Whatever goes between
 * them and 32-bit lanes has to use these functions.
 */
#if defined(__AVX512F__)
#define ZIP_ORDER(E)                                                          \
    E(0), E(1), E(4), E(5), E(8), E(9), E(12), E(13), E(2), E(3), E(6), E(7), \
    E(10), E(11), E(14), E(15)
#define UNZIP_ORDER(E)                                                        \
    E(0), E(1), E(8), E(9), E(2), E(3), E(10), E(11), E(4), E(5), E(12),      \
    E(13), E(6), E(7), E(14), E(15)
#elif defined(__AVX__)
#define ZIP_ORDER(E)                                                          \
    E(0), E(1), E(4), E(5), E(2), E(3), E(6), E(7), E(8), E(9), E(12), E(13), \
    E(10), E(11), E(14), E(15)
#define UNZIP_ORDER(E)                                                        \
    E(0), E(1), E(4), E(5), E(2), E(3), E(6), E(7), E(8), E(9), E(12), E(13), \
    E(10), E(11), E(14), E(15)
#else
#define ZIP_ORDER(E)                                                          \
    E(0), E(1), E(2), E(3), E(4), E(5), E(6), E(7), E(8), E(9), E(10), E(11), \
    E(12), E(13), E(14), E(15)
#define UNZIP_ORDER ZIP_ORDER
#endif
#define ZIP_BOTH(n) n, 16 + n
#define ZIP_ONE(n) n
#define UNZIP_EVEN(n) 2 * n
#define UNZIP_ODD(n) 2 * n + 1

/* 32-bit lanes in that order, and back. */
INL u32x16 zip_order(u32x16 x)
{
    return __builtin_shufflevector(x, x, ZIP_ORDER(ZIP_ONE));
}

INL u32x16 unzip_order(u32x16 x)
{
    return __builtin_shufflevector(x, x, UNZIP_ORDER(ZIP_ONE));
}

INL u64x16 zip64(u32x16 lo, u32x16 hi)
{
    return (u64x16)__builtin_shufflevector(lo, hi, ZIP_ORDER(ZIP_BOTH));
}

/* (In two steps the first one would become a truncation, which is slow.) */
INL u32x16 zip_low32(u64x16 x)
{
    u32x32 h = (u32x32)x;

    return __builtin_shufflevector(h, h, UNZIP_ORDER(UNZIP_EVEN));
}

INL u32x16 zip_high32(u64x16 x)
{
    u32x32 h = (u32x32)x;

    return __builtin_shufflevector(h, h, UNZIP_ORDER(UNZIP_ODD));
}

/* A lane mask, both ways. */
INL u64x16 zip_mask(u32x16 m)
{
    return zip64(m, m);
}

INL u32x16 unzip_mask(u64x16 m)
{
    return zip_low32(m);
}

#ifdef ENGINE_BITCODE
/* Said in such a way that one after the other is seen to be nothing. */
typedef bool bits16 __attribute__((ext_vector_type(16)));

/* All-ones lanes where the bit is set. */
INL u32x16 lanes_of_bits(uint32_t x)
{
    return -__builtin_convertvector(
        __builtin_bit_cast(bits16, (uint16_t)x), u32x16);
}

/* The sign bits of 16 lanes, lane 0 lowest. */
INL uint32_t bits_of_lanes(u32x16 m)
{
    return __builtin_bit_cast(
        uint16_t, __builtin_convertvector((i32x16)m < 0, bits16));
}
#else
INL u32x16 lanes_of_bits(uint32_t bits16)
{
    u32x16 bit = splat32(1) << iota16();

    return (u32x16)((splat32(bits16) & bit) != 0);
}

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
#endif

/*
 * Shifts of 32-bit lanes by any number of bits: nothing is left of a lane that
 * is shifted by 32 and more.
 */
#ifdef ENGINE_BITCODE
/* Constant counts fold, others become the host's instruction. */
typedef uint32_t lanes16 __attribute__((ext_vector_type(16)));

#define SHIFT_32(name, op, intrinsic)                               \
    INL u32x16 name(u32x16 x, u32x16 n)                             \
    {                                                               \
        lanes16 v = (lanes16)x, by = (lanes16)n;                    \
                                                                    \
        return (u32x16)(by < 32 ? v op by : 0);                     \
    }
#elif defined(__AVX512F__)
#define SHIFT_32(name, op, intrinsic)                               \
    INL u32x16 name(u32x16 x, u32x16 n)                             \
    {                                                               \
        return (u32x16)_mm512_##intrinsic((__m512i)x, (__m512i)n);  \
    }
#elif defined(__AVX2__)
#define SHIFT_32(name, op, intrinsic)                               \
    INL u32x16 name(u32x16 x, u32x16 n)                             \
    {                                                               \
        __m256i v[2], by[2];                                        \
                                                                    \
        memcpy(v, &x, sizeof(x));                                   \
        memcpy(by, &n, sizeof(n));                                  \
        v[0] = _mm256_##intrinsic(v[0], by[0]);                     \
        v[1] = _mm256_##intrinsic(v[1], by[1]);                     \
        memcpy(&x, v, sizeof(x));                                   \
        return x;                                                   \
    }
#else
#define SHIFT_32(name, op, intrinsic)                               \
    INL u32x16 name(u32x16 x, u32x16 n)                             \
    {                                                               \
        return (x op (n & 31)) & (u32x16)(n < 32);                  \
    }
#endif
SHIFT_32(shift_left32, <<, sllv_epi32)
SHIFT_32(shift_right32, >>, srlv_epi32)

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
 * Fused multiply-add, rounded once.  Without host FMA (x86-64-v2) that of f32
 * is done in 64 bits: the product is exact, and the sum is made odd if it is
 * not, so that rounding it again cannot take it for a tie.  (With directed
 * rounding twice is as good as once.)  For f64 the C library has to do it, a
 * lane at a time.
 */
#if !defined(__FMA__)
INL f32x16 fma32_by_64(f32x16 a, f32x16 b, f32x16 c)
{
    f64x16 p = __builtin_convertvector(a, f64x16) *
               __builtin_convertvector(b, f64x16);
    f64x16 z = __builtin_convertvector(c, f64x16);
    f64x16 s = p + z, t = s - p, error = (p - (s - t)) + (z - t);
    i64x16 inexact = (error < 0) | (error > 0);
    i64x16 outward = ((i64x16)error ^ (i64x16)s) >= 0;
    i64x16 even = ((i64x16)s & 1) == 0;

    if ((_mm_getcsr() & _MM_ROUND_MASK) == _MM_ROUND_NEAREST) {
        s = (f64x16)((i64x16)s + (inexact & even & ((outward & 2) - 1)));
    }
    return __builtin_convertvector(s, f32x16);
}
#endif

INL f32x16 fma32(f32x16 a, f32x16 b, f32x16 c)
{
    f32x16 r;

#if defined(ENGINE_BITCODE) && defined(__FMA__)
    r = __builtin_elementwise_fma(a, b, c);
#elif defined(__AVX512F__)
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
    r = fma32_by_64(a, b, c);
#endif
    return r;
}

INL f64x16 fma64(f64x16 a, f64x16 b, f64x16 c)
{
    f64x16 r;

#if defined(ENGINE_BITCODE) && defined(__FMA__)
    r = __builtin_elementwise_fma(a, b, c);
#elif defined(__AVX512F__)
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

/* Is any lane a NaN?  Compiled code asks once for several instructions. */
#ifdef ENGINE_BITCODE
INL bool any_nan32(f32x16 x)
{
    return __builtin_reduce_or((u32x16)(x != x)) != 0;
}

INL bool any_nan64(f64x16 x)
{
    return __builtin_reduce_or((u64x16)(x != x)) != 0;
}
#else
INL bool any_nan32(f32x16 x)
{
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q) != 0;
#else
    return any32((u32x16)(x != x));
#endif
}

INL bool any_nan64(f64x16 x)
{
#if defined(__AVX512F__)
    __m512d h[2];

    memcpy(h, &x, sizeof(x));
    return (_mm512_cmp_pd_mask(h[0], h[0], _CMP_UNORD_Q) |
            _mm512_cmp_pd_mask(h[1], h[1], _CMP_UNORD_Q)) != 0;
#else
    return any64((u64x16)(x != x));
#endif
}
#endif

/* Apply an intrinsic to all parts of a slice, as wide as the host has them. */
#if defined(__AVX512F__)
#define PART_PS __m512
#define PART_PD __m512d
#define ROUND_PS(x, mode) _mm512_roundscale_ps(x, mode)
#define ROUND_PD(x, mode) _mm512_roundscale_pd(x, mode)
#define SQRT_PS(x) _mm512_sqrt_ps(x)
#define SQRT_PD(x) _mm512_sqrt_pd(x)
#define TRUNCATE_PS(x) (__m512)_mm512_cvttps_epi32(x)
#elif defined(__AVX2__)
#define PART_PS __m256
#define PART_PD __m256d
#define ROUND_PS(x, mode) _mm256_round_ps(x, mode)
#define ROUND_PD(x, mode) _mm256_round_pd(x, mode)
#define SQRT_PS(x) _mm256_sqrt_ps(x)
#define SQRT_PD(x) _mm256_sqrt_pd(x)
#define TRUNCATE_PS(x) (__m256)_mm256_cvttps_epi32(x)
#else
#define PART_PS __m128
#define PART_PD __m128d
#define ROUND_PS(x, mode) _mm_round_ps(x, mode)
#define ROUND_PD(x, mode) _mm_round_pd(x, mode)
#define SQRT_PS(x) _mm_sqrt_ps(x)
#define SQRT_PD(x) _mm_sqrt_pd(x)
#define TRUNCATE_PS(x) (__m128)_mm_cvttps_epi32(x)
#endif

#define PARTWISE(name, V, PART, expr)                    \
    INL V name(V a)                                      \
    {                                                    \
        PART part[sizeof(V) / sizeof(PART)];             \
                                                         \
        memcpy(part, &a, sizeof(V));                     \
        for (unsigned i = 0; i < sizeof(V) / sizeof(PART); i++) { \
            PART x = part[i];                            \
                                                         \
            part[i] = expr;                              \
        }                                                \
        memcpy(&a, part, sizeof(V));                     \
        return a;                                        \
    }

/* The bitcode is not for one width, and smaller without parts. */
#if defined(ENGINE_BITCODE) && defined(__AVX__)
#define WHOLE(name, V, PART, expr)                       \
    INL V name(V x)                                      \
    {                                                    \
        return expr;                                     \
    }
#undef ROUND_PS
#undef ROUND_PD
#undef SQRT_PS
#undef SQRT_PD
#define ROUND_8 __builtin_elementwise_roundeven
#define ROUND_9 __builtin_elementwise_floor
#define ROUND_10 __builtin_elementwise_ceil
#define ROUND_11 __builtin_elementwise_trunc
#define ROUND_PS(x, mode) ROUND_##mode(x)
#define ROUND_PD ROUND_PS
#define SQRT_PS __builtin_elementwise_sqrt
#define SQRT_PD __builtin_elementwise_sqrt
#else
#define WHOLE PARTWISE
#endif

/* Square roots, correctly rounded. */
WHOLE(sqrt32, f32x16, PART_PS, SQRT_PS(x))
WHOLE(sqrt64, f64x16, PART_PD, SQRT_PD(x))

/* To integers, as floats: to nearest even, down, up, toward zero. */
WHOLE(nearest32, f32x16, PART_PS, ROUND_PS(x, 8))
WHOLE(nearest64, f64x16, PART_PD, ROUND_PD(x, 8))
WHOLE(floor32, f32x16, PART_PS, ROUND_PS(x, 9))
WHOLE(floor64, f64x16, PART_PD, ROUND_PD(x, 9))
WHOLE(ceil32, f32x16, PART_PS, ROUND_PS(x, 10))
WHOLE(ceil64, f64x16, PART_PD, ROUND_PD(x, 10))
WHOLE(trunc32, f32x16, PART_PS, ROUND_PS(x, 11))
WHOLE(trunc64, f64x16, PART_PD, ROUND_PD(x, 11))

/* As integers, toward zero; what does not fit or is NaN gives 0x80000000. */
PARTWISE(integer32_, f32x16, PART_PS, TRUNCATE_PS(x))

INL i32x16 integer32(f32x16 x)
{
    return (i32x16)integer32_(x);
}

/*
 * As unsigned integers, toward zero: what is not negative and fits.  And the
 * other way, rounded as MXCSR says.
 */
#if defined(__AVX512F__)
INL u32x16 unsigned32(f32x16 x)
{
    return (u32x16)_mm512_cvttps_epu32((__m512)x);
}

INL f32x16 f32_of_u32(u32x16 x)
{
    return __builtin_convertvector(x, f32x16);
}
#else
INL u32x16 unsigned32(f32x16 x)
{
    u32x16 big = (u32x16)(x >= 0x1p31f);
    f32x16 half = (f32x16)(big & (u32x16)((f32x16){} + 0x1p31f));

    return (u32x16)integer32(x - half) + (big & 0x80000000u);
}

/* The upper half of the range is halved first, its lowest bit kept sticky. */
INL f32x16 f32_of_u32(u32x16 x)
{
    u32x16 big = (u32x16)((i32x16)x < 0);
    u32x16 y = select32(big, x >> 1 | (x & 1), x);
    f32x16 r = __builtin_convertvector((i32x16)y, f32x16);

    return (f32x16)select32(big, (u32x16)(r + r), (u32x16)r);
}
#endif

INL i32x16 integer64(f64x16 x)
{
    i32x16 r;

#if defined(__AVX512F__)
    __m512d part[2];
    __m256i out[2];

    memcpy(part, &x, sizeof(x));
    out[0] = _mm512_cvttpd_epi32(part[0]);
    out[1] = _mm512_cvttpd_epi32(part[1]);
#elif defined(__AVX__)
    __m256d part[4];
    __m128i out[4];

    memcpy(part, &x, sizeof(x));
    for (int i = 0; i < 4; i++) {
        out[i] = _mm256_cvttpd_epi32(part[i]);
    }
#else
    __m128d part[8];
    int64_t out[8];

    memcpy(part, &x, sizeof(x));
    for (int i = 0; i < 8; i++) {
        out[i] = _mm_cvtsi128_si64(_mm_cvttpd_epi32(part[i]));
    }
#endif
    memcpy(&r, out, sizeof(r));
    return r;
}

/* Lane n of the result is lane @from[n] % 16 of @x. */
INL u32x16 permute16(u32x16 x, u32x16 from)
{
#if defined(__AVX512F__)
    return (u32x16)_mm512_permutexvar_epi32((__m512i)from, (__m512i)x);
#elif defined(__AVX2__)
    __m256i v[2], n[2];

    memcpy(v, &x, sizeof(x));
    memcpy(n, &from, sizeof(from));
    for (int i = 0; i < 2; i++) {
        __m256 lo = (__m256)_mm256_permutevar8x32_epi32(v[0], n[i]);
        __m256 hi = (__m256)_mm256_permutevar8x32_epi32(v[1], n[i]);

        /* Bit 3 of the number becomes the sign that chooses. */
        n[i] = (__m256i)_mm256_blendv_ps(
            lo, hi, (__m256)_mm256_slli_epi32(n[i], 28));
    }
    memcpy(&x, n, sizeof(x));
    return x;
#else
    u32x16 r;

    for (int i = 0; i < 16; i++) {
        r[i] = x[from[i] & 15];
    }
    return r;
#endif
}

/*
 * Bytes of @x picked by the bytes of @index: the low 4 bits are the place
 * within 16 bytes; bit 7 gives 0.
 */
INL u32x16 shuffle_bytes(u32x16 x, u32x16 index)
{
#if defined(__AVX512BW__)
    return (u32x16)_mm512_shuffle_epi8((__m512i)x, (__m512i)index);
#elif defined(__AVX2__)
    __m256i a[2], b[2];

    memcpy(a, &x, sizeof(x));
    memcpy(b, &index, sizeof(x));
    a[0] = _mm256_shuffle_epi8(a[0], b[0]);
    a[1] = _mm256_shuffle_epi8(a[1], b[1]);
    memcpy(&x, a, sizeof(x));
    return x;
#else
    __m128i a[4], b[4];

    memcpy(a, &x, sizeof(x));
    memcpy(b, &index, sizeof(x));
    for (int i = 0; i < 4; i++) {
        a[i] = _mm_shuffle_epi8(a[i], b[i]);
    }
    memcpy(&x, a, sizeof(x));
    return x;
#endif
}

#endif
