/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Integer operations that are more than a C operator.
 */
#ifndef AMDGPU_EXEC_INTEGER_H
#define AMDGPU_EXEC_INTEGER_H

#include "operand.h"

typedef VEC(uint64_t, 64) u64x8;
typedef VEC(uint8_t, 64) u8x64;

/* Results with clamp and without: SATURATE(plain, saturated). */
#define SATURATE(plain, saturated) (clamp ? (saturated) : (plain))

#define VMIN(a, b) ((__typeof__(a))select32((u32x16)((a) < (b)), \
                                           (u32x16)(a), (u32x16)(b)))
#define VMAX(a, b) ((__typeof__(a))select32((u32x16)((a) > (b)), \
                                           (u32x16)(a), (u32x16)(b)))
#define VMED(a, b, c) VMAX(VMIN(a, b), VMIN(VMAX(a, b), c))

/* ---- 64 bits, by halves: which are at hand, and whole lanes are not ---- */

INL u64x16 shift_left64(u64x16 x, u32x16 by)
{
    u32x16 lo = zip_low32(x), hi = zip_high32(x), n = by & 63;

    return zip64(shift_left32(lo, n),
                 shift_left32(hi, n) | shift_right32(lo, 32 - n) |
                     shift_left32(lo, n - 32));
}

INL u64x16 shift_right64(u64x16 x, u32x16 by)
{
    u32x16 lo = zip_low32(x), hi = zip_high32(x), n = by & 63;

    return zip64(shift_right32(lo, n) | shift_left32(hi, 32 - n) |
                     shift_right32(hi, n - 32),
                 shift_right32(hi, n));
}

INL i64x16 shift_right_i64(i64x16 x, u32x16 by)
{
    u32x16 lo = zip_low32((u64x16)x), far = (u32x16)((by & 32) != 0);
    i32x16 hi = (i32x16)zip_high32((u64x16)x), n = (i32x16)(by & 31);
    u32x16 less = lo >> (u32x16)n | (u32x16)hi << 1 << (u32x16)(31 - n);

    return (i64x16)zip64(select32(far, (u32x16)(hi >> n), less),
                         select32(far, (u32x16)(hi >> 31),
                                  (u32x16)(hi >> n)));
}

/* Lane masks: a == b, and a < b, whose upper halves are type T; or not so. */
#define EQUAL_64(name, V, invert)                                       \
    INL u64x16 name(V a, V b)                                           \
    {                                                                   \
        u32x16 low = (u32x16)(zip_low32((u64x16)a) ==                   \
                              zip_low32((u64x16)b));                    \
        u32x16 high = (u32x16)(zip_high32((u64x16)a) ==                 \
                               zip_high32((u64x16)b));                  \
                                                                        \
        return zip_mask((low & high) ^ (invert));                       \
    }
EQUAL_64(equal_u64, u64x16, 0)
EQUAL_64(equal_i64, i64x16, 0)
EQUAL_64(unequal_u64, u64x16, ~0u)
EQUAL_64(unequal_i64, i64x16, ~0u)

#define LESS_64(name, V, T, invert)                                     \
    INL u64x16 name(V a, V b)                                           \
    {                                                                   \
        T x = (T)zip_high32((u64x16)a), y = (T)zip_high32((u64x16)b);   \
        u32x16 low = (u32x16)(zip_low32((u64x16)a) <                    \
                              zip_low32((u64x16)b));                    \
        u32x16 less = (u32x16)(x < y) | ((u32x16)(x == y) & low);       \
                                                                        \
        return zip_mask(less ^ (invert));                               \
    }
LESS_64(less_u64, u64x16, u32x16, 0)
LESS_64(less_i64, i64x16, i32x16, 0)
LESS_64(not_less_u64, u64x16, u32x16, ~0u)
LESS_64(not_less_i64, i64x16, i32x16, ~0u)

/* ---- saturating ---- */

INL u32x16 add_sat_u32(u32x16 a, u32x16 b)
{
    u32x16 r = a + b;

    return r | (u32x16)(r < a);
}

INL u32x16 sub_sat_u32(u32x16 a, u32x16 b)
{
    return (a - b) & (u32x16)(a >= b);
}

/* INT_MAX or INT_MIN, by the sign of @a. */
INL i32x16 extreme(i32x16 a)
{
    return a >> 31 ^ 0x7fffffff;
}

INL i32x16 add_sat_i32(i32x16 a, i32x16 b)
{
    i32x16 r = a + b, over = ((a ^ r) & (b ^ r)) >> 31;

    return (i32x16)select32((u32x16)over, (u32x16)extreme(a), (u32x16)r);
}

INL i32x16 sub_sat_i32(i32x16 a, i32x16 b)
{
    i32x16 r = a - b, over = ((a ^ b) & (a ^ r)) >> 31;

    return (i32x16)select32((u32x16)over, (u32x16)extreme(a), (u32x16)r);
}

/* To 16 bits. */
INL u32x16 sat_u16(u32x16 x)
{
    return VMIN(x, splat32(0xffff));
}

INL i32x16 sat_i16(i32x16 x)
{
    return VMAX(VMIN(x, (i32x16){} + 0x7fff), (i32x16){} - 0x8000);
}

/* 64 bits to 32. */
INL u32x16 sat_u32_of_u64(u64x16 x)
{
    return zip_low32(x) | (u32x16)(zip_high32(x) != 0);
}

INL i32x16 sat_i32_of_i64(i64x16 x)
{
    i32x16 lo = (i32x16)zip_low32((u64x16)x);
    i32x16 hi = (i32x16)zip_high32((u64x16)x);

    return (i32x16)select32((u32x16)(hi == lo >> 31), (u32x16)lo,
                            (u32x16)extreme(hi));
}

/* ---- multiplying ---- */

INL u64x16 widen_u32(u32x16 x)
{
    return zip64(x, (u32x16){});
}

INL i64x16 widen_i32(i32x16 x)
{
    return (i64x16)zip64((u32x16)x, (u32x16)(x >> 31));
}

/* Upper halves of products: of even lanes and of odd ones. */
INL u32x16 mul_hi_u32(u32x16 a, u32x16 b)
{
    u64x8 x = (u64x8)a, y = (u64x8)b;
    u64x8 even = (x & 0xffffffff) * (y & 0xffffffff);
    u64x8 odd = (x >> 32) * (y >> 32);

    return (u32x16)(even >> 32 | (odd & 0xffffffff00000000ull));
}

INL i32x16 mul_hi_i32(i32x16 a, i32x16 b)
{
    u32x16 r = mul_hi_u32((u32x16)a, (u32x16)b);

    return (i32x16)r - (a & b >> 31) - (b & a >> 31);
}

INL u32x16 low24(u32x16 x)
{
    return x & 0xffffff;
}

INL i32x16 low_i24(i32x16 x)
{
    return (i32x16)((u32x16)x << 8) >> 8;
}

INL u64x16 mul24_u64(u32x16 a, u32x16 b)
{
    return widen_u32(low24(a)) * widen_u32(low24(b));
}

INL i64x16 mul24_i64(i32x16 a, i32x16 b)
{
    return widen_i32(low_i24(a)) * widen_i32(low_i24(b));
}

/* a * b + c with 65 bits: is it negative, and limited to 64 bits. */
INL i64x16 mad_overflow(i64x16 product, i64x16 c)
{
    i64x16 r = product + c;

    return ((product ^ r) & (c ^ r)) >> 63;
}

INL i64x16 mad_is_negative(i32x16 a, i32x16 b, i64x16 c)
{
    i64x16 product = widen_i32(a) * widen_i32(b);

    return (product + c) >> 63 ^ mad_overflow(product, c);
}

INL i64x16 mad_sat_i64(i32x16 a, i32x16 b, i64x16 c)
{
    i64x16 product = widen_i32(a) * widen_i32(b);
    i64x16 most = c >> 63 ^ INT64_MAX;

    return (i64x16)select64((u64x16)mad_overflow(product, c), (u64x16)most,
                            (u64x16)(product + c));
}

/* ---- bits ---- */

INL u32x16 popcount32(u32x16 x)
{
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3f;
}

/* Zeros above the first one, 32 if there is none. */
INL u32x16 leading_zeros(u32x16 x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32 - popcount32(x);
}

/* Distance of the first one from bit 31 and from bit 0; -1: there is none. */
INL u32x16 first_from_top(u32x16 x)
{
    return leading_zeros(x) | (u32x16)(x == 0);
}

INL u32x16 first_from_bottom(u32x16 x)
{
    return popcount32((x & -x) - 1) | (u32x16)(x == 0);
}

/* Of the first bit that differs from the sign. */
INL i32x16 first_not_sign(i32x16 x)
{
    return (i32x16)first_from_top((u32x16)(x ^ x >> 31));
}

INL u32x16 reverse_bits(u32x16 x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

INL u32x16 bfe_u32(u32x16 x, u32x16 offset, u32x16 width)
{
    return x >> (offset & 31) & ((1u << (width & 31)) - 1);
}

INL i32x16 bfe_i32(i32x16 x, u32x16 offset, u32x16 width)
{
    i32x16 cut = (i32x16)(-width & 31);
    i32x16 r = (x >> (i32x16)(offset & 31)) << cut >> cut;

    return r & (i32x16)((width & 31) != 0);
}

/* {@hi, @lo} >> @shift, which is 0 to 31. */
INL u32x16 align(u32x16 hi, u32x16 lo, u32x16 shift)
{
    return lo >> shift | hi << 1 << (31 - shift);
}

/* The bits of lanes below this one, in each half of the wave. */
INL u32x16 lower_lanes(int q, int half)
{
    int first = 16 * q - 32 * half;

    if (first < 0) {
        return (u32x16){};
    }
    return first < 32 ? (1u << (iota16() + (uint32_t)first)) - 1 :
                        splat32(~0u);
}

/* ---- bytes ---- */

/*
 * Bytes of {@hi, @lo} picked by the low 3 bits of @sel's bytes; 0 where @zero
 * has all ones.
 */
INL u32x16 perm_bytes(u32x16 hi, u32x16 lo, u32x16 sel, u32x16 zero)
{
    u32x16 place = (iota16() & 3) * 0x04040404; /* of the lane in 16 bytes */
    u32x16 index = (sel & 0x03030303) | place | zero;
    /* Bit 2 of each selector, as a mask. */
    u32x16 upper = (sel >> 2 & 0x01010101) * 0xff;

    return shuffle_bytes(hi, index | ~upper) |
           shuffle_bytes(lo, index | upper);
}

/*
 * v_perm_b32: selectors 0 to 7 pick a byte of {@hi, @lo}, 8 to 11 the sign of
 * an odd one, 12 is 0, above it 0xff.  What depends on the selectors alone is
 * done alone: they mostly are a scalar, and compiled code does it once.
 */
INL u32x16 perm_b32(u32x16 hi, u32x16 lo, u32x16 sel)
{
    u8x64 s = (u8x64)sel;
    u32x16 special = (u32x16)(s > 7), ones = (u32x16)(s > 12);
    u32x16 signs = special & (u32x16)(s < 12);
    u32x16 r = perm_bytes(hi, lo, sel, special) | ones;

    if (unlikely(any32(signs))) {
        /* 8, 9, 10, 11: bytes 1, 3, 5, 7. */
        u32x16 odd = (sel & 0x03030303) << 1 | 0x01010101;
        u8x64 byte = (u8x64)perm_bytes(hi, lo, odd, (u32x16){});

        r |= (u32x16)(byte > 127) & signs;
    }
    return r;
}

INL u32x16 distance(u32x16 a, u32x16 b)
{
    return VMAX(a, b) - VMIN(a, b);
}

/* Sum of distances of bytes; with @masked only where b's byte is not 0. */
INL u32x16 sad_bytes(u32x16 a, u32x16 b, bool masked)
{
    u32x16 sum = {};

    for (int i = 0; i < 32; i += 8) {
        u32x16 x = a >> i & 0xff, y = b >> i & 0xff, n = distance(x, y);

        sum += masked ? n & (u32x16)(y != 0) : n;
    }
    return sum;
}

INL u32x16 sad_halves(u32x16 a, u32x16 b)
{
    return distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16);
}

/* Bytes [@n, @n + 4) of the 64-bit lanes. */
INL u32x16 bytes_at(u64x16 x, int n)
{
    return zip_low32(x >> 8 * n);
}

/* Four sums of distances at four places, as 16-bit numbers. */
INL u64x16 quad_sad(u64x16 a, u32x16 b, u64x16 c, bool masked, bool clamp)
{
    u32x16 sum[4];

    for (int i = 0; i < 4; i++) {
        u32x16 add = zip_low32(c >> 16 * i) & 0xffff;

        sum[i] = sad_bytes(bytes_at(a, i), b, masked) + add;
        sum[i] = clamp ? sat_u16(sum[i]) : sum[i] & 0xffff;
    }
    return zip64(sum[0] | sum[1] << 16, sum[2] | sum[3] << 16);
}

/* Average of bytes; the low bit of @round's byte rounds up. */
INL u32x16 lerp_bytes(u32x16 a, u32x16 b, u32x16 round)
{
    u32x16 r = {};

    for (int i = 0; i < 32; i += 8) {
        u32x16 sum = (a >> i & 0xff) + (b >> i & 0xff) + (round >> i & 1);

        r |= sum >> 1 << i;
    }
    return r;
}

/* ---- graphics ---- */

/*
 * Which of four shader engines have tiles of 32x32 pixels in a rectangle of up
 * to 3x3 tiles.  @a has bits 6:5 of x_min, y_min, x_max and y_max, from bit 7
 * down; the engine of a tile is { x[5] ^ y[6], y[5] ^ x[6] }.
 */
INL u32x16 screen_partition(u32x16 a)
{
    u32x16 x = a >> 6 & 3, y = a >> 4 & 3, engines = {};
    u32x16 columns = ((a >> 2) - x) & 3, rows = (a - y) & 3;

    for (uint32_t i = 0; i < 16; i++) {
        u32x16 tx = x + i % 4, ty = y + i / 4;
        u32x16 engine = ((tx ^ ty >> 1) & 1) << 1 | ((ty ^ tx >> 1) & 1);
        u32x16 inside = (u32x16)(columns >= i % 4) & (u32x16)(rows >= i / 4);

        engines |= (splat32(1) << engine) & inside;
    }
    return engines;
}

#endif
