/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>
#include "format-model.h"

/* The float of @bits mantissa bits nearest to p / q, even in a tie. */
static double nearest(uint64_t p, uint64_t q, int mant)
{
    unsigned __int128 top = (unsigned __int128)p << 60, scaled, rest;
    int shift = 0;

    scaled = top / q;
    rest = top % q;
    while (scaled >> (shift + mant + 1)) {
        shift++;
    }
    if (shift) {
        unsigned __int128 low = scaled & (((unsigned __int128)1 << shift) - 1);
        unsigned __int128 half = (unsigned __int128)1 << (shift - 1);

        scaled >>= shift;
        scaled += low > half || (low == half && (rest || scaled & 1));
    }
    return ldexp((double)(uint64_t)scaled, shift - 60);
}

uint32_t format_bits_of(double x)
{
    float f = (float)x;
    uint32_t bits;

    memcpy(&bits, &f, 4);
    return bits;
}

float format_float_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, 4);
    return f;
}

int64_t format_sign_extended(uint32_t x, unsigned n)
{
    return x >> (n - 1) & 1 ? (int64_t)x - (1ll << n) : x;
}

/* A float of five exponent bits and @mant of mantissa, without sign. */
static double small_float(uint32_t x, unsigned mant)
{
    unsigned exponent = x >> mant & 31;
    double fraction = (double)(x & ((1u << mant) - 1)) / (1 << mant);

    if (exponent == 31) {
        return fraction == 0 ? INFINITY : NAN;
    }
    return exponent ? ldexp(1 + fraction, (int)exponent - 15)
                    : ldexp(fraction, -14);
}

/* The bits of the small float nearest to @x >= 0, found by looking. */
uint32_t format_small_of(double x, unsigned mant)
{
    uint32_t low = 0, high = 31u << mant;

    if (isnan(x)) {
        return high | 1u << (mant - 1);
    }
    while (high - low > 1) {
        uint32_t mid = (low + high) / 2;
        double value = mid == 31u << mant ? 65536 : small_float(mid, mant);

        *(value <= x ? &low : &high) = mid;
    }
    double below_x = small_float(low, mant);
    double above = high == 31u << mant ? 65536 : small_float(high, mant);

    if (x >= 65536) {
        return 31u << mant;
    }
    return x - below_x > above - x || (x - below_x == above - x && low & 1)
               ? high : low;
}

uint32_t format_half_of(uint32_t f32)
{
    return format_small_of(fabs((double)format_float_of(f32)), 10) |
           (f32 >> 16 & 0x8000);
}

uint32_t format_of_half(uint32_t h)
{
    return format_bits_of(small_float(h & 0x7fff, 10)) | (h & 0x8000) << 16;
}

/* A field of @n bits as a component of 32 bits. */
uint32_t format_decode(unsigned nfmt, uint32_t x, unsigned n)
{
    uint64_t all = (1ull << n) - 1, most = (1ull << (n - 1)) - 1;
    int64_t s = format_sign_extended(x, n);
    uint64_t size = (uint64_t)(s < 0 ? -s : s);

    switch (nfmt) {
    case UNORM:
        return format_bits_of(nearest(x, all, 23));
    case SNORM:
        size = MIN(size, most);
        return format_bits_of(copysign(nearest(size, most, 23),
                                       s < 0 ? -1 : 1));
    case USCALED:
        return format_bits_of(nearest(x, 1, 23));
    case SSCALED:
        return format_bits_of(copysign(nearest(size, 1, 23),
                                       s < 0 ? -1 : 1));
    case SINT:
        return (uint32_t)s;
    case FLOAT:
        return n == 32 ? x : n == 16 ? format_of_half(x) :
                             format_bits_of(small_float(x, n - 5));
    default:
        return x;
    }
}

/* The nearest integer, even in a tie. */
static uint32_t round_to(double x, double low, double high)
{
    double floored;

    if (isnan(x)) {
        return 0;
    }
    x = x < low ? low : x > high ? high : x;
    floored = floor(x);
    if (x - floored > 0.5 || (x - floored == 0.5 && fmod(floored, 2) != 0)) {
        floored++;
    }
    return (uint32_t)(int64_t)floored;
}

uint32_t format_encode(unsigned nfmt, uint32_t x, unsigned n)
{
    double all = ldexp(1, (int)n) - 1, most = ldexp(1, (int)n - 1) - 1;
    double f = format_float_of(x);

    switch (nfmt) {
    case UNORM:
        return round_to(f * all, 0, all);
    case SNORM:
        return round_to(f * most, -most, most);
    case USCALED:
        return round_to(f, 0, all);
    case SSCALED:
        return round_to(f, -most - 1, most);
    case FLOAT:
        return n == 32 ? x : n == 16 ? format_half_of(x) :
               f < 0 ? 0 : format_small_of(f, n - 5);
    default:
        return x; /* what does not fit is cut off */
    }
}
