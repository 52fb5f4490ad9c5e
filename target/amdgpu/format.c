/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conversion between buffer formats and registers, a lane at a time.
 *
 * Loads are as gfx-facts section 8 says.  Stores do the opposite, rounding to
 * the nearest even and clamping to what the field holds; integers that do not
 * fit lose their upper bits.
 */
#include <math.h>
#include "format.h"

enum NumFormat {
    NUM_UNORM, NUM_SNORM, NUM_USCALED, NUM_SSCALED, NUM_UINT, NUM_SINT,
    NUM_RESERVED, NUM_FLOAT,
};

/* Widths of the fields, from the least significant bit up. */
typedef struct Layout {
    uint8_t bytes, width[4];
} Layout;

static const Layout layouts[16] = {
    [1] = { 1, { 8 } },
    [2] = { 2, { 16 } },
    [3] = { 2, { 8, 8 } },
    [4] = { 4, { 32 } },
    [5] = { 4, { 16, 16 } },
    [6] = { 4, { 11, 11, 10 } },
    [7] = { 4, { 10, 11, 11 } },
    [8] = { 4, { 2, 10, 10, 10 } },
    [9] = { 4, { 10, 10, 10, 2 } },
    [10] = { 4, { 8, 8, 8, 8 } },
    [11] = { 8, { 32, 32 } },
    [12] = { 8, { 16, 16, 16, 16 } },
    [13] = { 12, { 32, 32, 32 } },
    [14] = { 16, { 32, 32, 32, 32 } },
};

unsigned amd_format_bytes(unsigned dfmt)
{
    return layouts[dfmt & 15].bytes;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, 4);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, 4);
    return x;
}

static uint32_t ones(unsigned width)
{
    return width < 32 ? (1u << width) - 1 : UINT32_MAX;
}

static int32_t sign_extended(uint32_t x, unsigned width)
{
    return (int32_t)(x << (32 - width)) >> (32 - width);
}

/* ---- small floats: five bits of exponent, @mant of mantissa ---- */

/* Value of one without sign, as bits of a float. */
static uint32_t widen_float(uint32_t x, unsigned mant)
{
    uint32_t exponent = x >> mant, fraction = x & ones(mant);

    if (exponent == 31) {
        return 0x7f800000 | fraction << (23 - mant);
    }
    if (exponent == 0) {
        return bits_of(ldexpf((float)fraction, -14 - (int)mant));
    }
    return (exponent + 112) << 23 | fraction << (23 - mant);
}

/* The nearest one to the float @x without sign. */
static uint32_t narrow_float(uint32_t x, unsigned mant)
{
    unsigned shift = 23 - mant;
    uint32_t infinity = 31u << mant, quotient, rest, half;

    if (x > 0x7f800000) {
        return infinity | 1u << (mant - 1);
    }
    if (x >> 23 < 113) { /* a denormal number, or 0 */
        return (uint32_t)lrintf(ldexpf(float_of(x), 14 + (int)mant));
    }
    x -= 112u << 23;
    quotient = x >> shift;
    rest = x & ones(shift);
    half = 1u << (shift - 1);
    quotient += rest > half || (rest == half && quotient & 1);
    return MIN(quotient, infinity);
}

uint32_t amd_half_to_float(uint32_t x)
{
    return widen_float(x & 0x7fff, 10) | (x & 0x8000) << 16;
}

uint32_t amd_float_to_half(uint32_t x)
{
    return narrow_float(x & 0x7fffffff, 10) | (x >> 16 & 0x8000);
}

/* ---- one component ---- */

static bool is_integer(const BufferFormat *f)
{
    return f->nfmt >= NUM_UINT && f->nfmt <= NUM_RESERVED;
}

static uint32_t decode_float(uint32_t x, unsigned width)
{
    switch (width) {
    case 10: case 11:
        return widen_float(x, width - 5);
    case 16:
        return amd_half_to_float(x);
    default:
        return x;
    }
}

/* A field of @width bits as a 32-bit component. */
static uint32_t decode(const BufferFormat *f, uint32_t x, unsigned width)
{
    int32_t s = sign_extended(x, width);

    switch (f->nfmt) {
    case NUM_UNORM:
        return bits_of((float)((double)x / ones(width)));
    case NUM_SNORM:
        return bits_of((float)fmax((double)s / ones(width - 1), -1));
    case NUM_USCALED:
        return bits_of((float)x);
    case NUM_SSCALED:
        return bits_of((float)s);
    case NUM_SINT:
        return (uint32_t)s;
    case NUM_FLOAT:
        return decode_float(x, width);
    default:
        return x;
    }
}

static uint32_t encode_float(uint32_t x, unsigned width)
{
    switch (width) {
    case 10: case 11: /* no sign: what is negative is 0 */
        if (x >> 31 && (x & 0x7fffffff) <= 0x7f800000) {
            return 0;
        }
        return narrow_float(x & 0x7fffffff, width - 5);
    case 16:
        return amd_float_to_half(x);
    default:
        return x;
    }
}

/* The nearest integer in [low, high] to @x times @scale; NaN gives 0. */
static uint32_t encode_integer(float x, double scale, double low, double high)
{
    double y = isnan(x) ? 0 : fmin(fmax(x * scale, low), high);

    return (uint32_t)llrint(y);
}

static uint32_t encode(const BufferFormat *f, uint32_t x, unsigned width)
{
    double all = ones(width), most = ones(width - 1);
    float value = float_of(x);

    switch (f->nfmt) {
    case NUM_UNORM:
        return encode_integer(value, all, 0, all);
    case NUM_SNORM:
        return encode_integer(value, most, -most, most);
    case NUM_USCALED:
        return encode_integer(value, 1, 0, all);
    case NUM_SSCALED:
        return encode_integer(value, 1, -most - 1, most);
    case NUM_FLOAT:
        return encode_float(x, width);
    default:
        return x;
    }
}

/* ---- one lane ---- */

static uint32_t *word(const Vreg *r, unsigned lane, unsigned k)
{
    return (uint32_t *)(uintptr_t)&r[k] + lane;
}

/* Components of the element, with what it lacks. */
static void decode_element(const BufferFormat *f, const uint32_t *raw,
                           uint32_t *comps)
{
    const Layout *l = &layouts[f->dfmt];
    unsigned at = 0;

    for (int c = 0; c < 4; c++) {
        unsigned width = l->width[c];

        if (width) {
            uint32_t x = raw[at / 32] >> at % 32 & ones(width);

            comps[c] = decode(f, x, width);
            at += width;
        } else {
            comps[c] = c < 3 ? 0 : is_integer(f) ? 1 : bits_of(1);
        }
    }
}

static void encode_element(const BufferFormat *f, const uint32_t *comps,
                           uint32_t *raw)
{
    const Layout *l = &layouts[f->dfmt];
    unsigned at = 0;

    memset(raw, 0, 16);
    for (int c = 0; c < 4 && l->width[c]; c++) {
        uint32_t x = encode(f, comps[c], l->width[c]) & ones(l->width[c]);

        raw[at / 32] |= x << at % 32;
        at += l->width[c];
    }
}

/* Put component @c of a lane where the instruction has it. */
static void put_comp(const BufferFormat *f, Vreg *dst, unsigned lane,
                     unsigned c, uint32_t x)
{
    unsigned half = f->half == HALF_HIGH ? 1 : c;

    if (f->half == HALF_NONE) {
        *word(dst, lane, c) = x;
        return;
    }
    ((uint16_t *)word(dst, lane, half / 2))[half % 2] =
        is_integer(f) ? x : amd_float_to_half(x);
}

static uint32_t get_comp(const BufferFormat *f, const Vreg *data,
                         unsigned lane, unsigned c)
{
    unsigned half = f->half == HALF_HIGH ? 1 : c;
    uint16_t x;

    if (f->half == HALF_NONE) {
        return *word(data, lane, c);
    }
    x = ((const uint16_t *)word(data, lane, half / 2))[half % 2];
    return f->nfmt == NUM_SINT ? (uint32_t)(int16_t)x :
           is_integer(f) ? x : amd_half_to_float(x);
}

static void load_lane(const BufferFormat *f, Vreg *dst, const Vreg *raw,
                      unsigned lane, bool valid)
{
    uint32_t in[4], comps[4] = { 0 };

    if (valid) {
        for (int k = 0; k < 4; k++) {
            in[k] = *word(raw, lane, k);
        }
        decode_element(f, in, comps);
    }
    for (unsigned c = 0; c < f->comps; c++) {
        unsigned sel = f->sel[c];

        put_comp(f, dst, lane, c,
                 sel >= 4   ? comps[sel - 4]
                 : sel == 1 ? (is_integer(f) ? 1 : bits_of(1))
                            : 0);
    }
}

/* Which component goes into a field is what a load would do in reverse. */
static void store_lane(const BufferFormat *f, const Vreg *data, Vreg *raw,
                       unsigned lane)
{
    uint32_t comps[4] = { 0 }, out[4];

    for (unsigned c = f->comps; c-- > 0;) {
        if (f->sel[c] >= 4) {
            comps[f->sel[c] - 4] = get_comp(f, data, lane, c);
        }
    }
    encode_element(f, comps, out);
    for (int k = 0; k < 4; k++) {
        *word(raw, lane, k) = out[k];
    }
}

/* ---- all lanes; with the default float environment ---- */

#define DEFAULT_MXCSR 0x1f80

void amd_format_load(const BufferFormat *f, Vreg *dst, const Vreg *raw,
                     uint64_t lanes, uint64_t valid)
{
    unsigned csr = _mm_getcsr();

    _mm_setcsr(DEFAULT_MXCSR);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = __builtin_ctzll(lanes);

        load_lane(f, dst, raw, lane, valid >> lane & 1);
    }
    _mm_setcsr(csr);
}

void amd_format_store(const BufferFormat *f, const Vreg *data, Vreg *raw,
                      uint64_t lanes)
{
    unsigned csr = _mm_getcsr();

    _mm_setcsr(DEFAULT_MXCSR);
    for (; lanes; lanes &= lanes - 1) {
        store_lane(f, data, raw, __builtin_ctzll(lanes));
    }
    _mm_setcsr(csr);
}
