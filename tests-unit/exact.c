/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "exact.h"

enum { BITS = EXACT_WORDS * 32, POINT = EXACT_POINT * 32 };

const Format format16 = { 16, 10 }, format32 = { 32, 23 },
             format64 = { 64, 52 };

/* ---- the fields of a float ---- */

static unsigned exp_bits(const Format *f)
{
    return f->bits - 1 - f->mant;
}

static uint64_t mant_mask(const Format *f)
{
    return (1ull << f->mant) - 1;
}

static unsigned exp_top(const Format *f)
{
    return (1u << exp_bits(f)) - 1;
}

static int bias(const Format *f)
{
    return exp_top(f) / 2;
}

static unsigned exponent(const Format *f, uint64_t x)
{
    return x >> f->mant & exp_top(f);
}

bool float_is_nan(const Format *f, uint64_t x)
{
    return exponent(f, x) == exp_top(f) && (x & mant_mask(f));
}

bool float_is_snan(const Format *f, uint64_t x)
{
    return float_is_nan(f, x) && !(x >> (f->mant - 1) & 1);
}

bool float_is_inf(const Format *f, uint64_t x)
{
    return exponent(f, x) == exp_top(f) && !(x & mant_mask(f));
}

bool float_is_zero(const Format *f, uint64_t x)
{
    return exponent(f, x) == 0 && !(x & mant_mask(f));
}

bool float_is_denormal(const Format *f, uint64_t x)
{
    return exponent(f, x) == 0 && (x & mant_mask(f));
}

bool float_sign(const Format *f, uint64_t x)
{
    return x >> (f->bits - 1) & 1;
}

static uint64_t sign_bit(const Format *f, bool neg)
{
    return (uint64_t)neg << (f->bits - 1);
}

uint64_t float_inf(const Format *f, bool neg)
{
    return sign_bit(f, neg) | (uint64_t)exp_top(f) << f->mant;
}

uint64_t float_quiet(const Format *f, uint64_t x)
{
    return x | 1ull << (f->mant - 1);
}

uint64_t float_flush(const Format *f, uint64_t x)
{
    return float_is_denormal(f, x) ? sign_bit(f, float_sign(f, x)) : x;
}

/* ---- magnitudes ---- */

static bool get_bit(const Exact *x, int i)
{
    return i >= 0 && i < BITS && (x->w[i / 32] >> i % 32 & 1);
}

static int top_bit(const Exact *x)
{
    for (int i = EXACT_WORDS - 1; i >= 0; i--) {
        if (x->w[i]) {
            return i * 32 + 31 - __builtin_clz(x->w[i]);
        }
    }
    return -1;
}

/* Add @value at bit @at. */
static void add_at(Exact *x, int at, uint64_t value)
{
    uint64_t carry = 0;

    for (int i = at / 32; i < EXACT_WORDS; i++) {
        int shift = i * 32 - at;
        uint64_t part = shift < 0 ? value << -shift :
                        shift < 64 ? value >> shift : 0;

        carry += (uint64_t)x->w[i] + (uint32_t)part;
        x->w[i] = (uint32_t)carry;
        carry >>= 32;
        if (shift >= 64 && !carry) {
            return;
        }
    }
}

static int compare_magnitude(const Exact *a, const Exact *b)
{
    for (int i = EXACT_WORDS - 1; i >= 0; i--) {
        if (a->w[i] != b->w[i]) {
            return a->w[i] < b->w[i] ? -1 : 1;
        }
    }
    return 0;
}

/* ---- numbers ---- */

Exact exact_of(const Format *f, uint64_t x)
{
    Exact r = { .neg = float_sign(f, x) };
    unsigned exp = exponent(f, x);
    uint64_t mant = x & mant_mask(f);

    if (exp) {
        mant |= 1ull << f->mant;
    } else {
        exp = 1;
    }
    add_at(&r, POINT + (int)exp - bias(f) - (int)f->mant, mant);
    return r;
}

Exact exact_of_uint(uint64_t x)
{
    Exact r = {};

    add_at(&r, POINT, x);
    return r;
}

Exact exact_of_int(int64_t x)
{
    Exact r = exact_of_uint(x < 0 ? -(uint64_t)x : (uint64_t)x);

    r.neg = x < 0;
    return r;
}

bool exact_is_zero(const Exact *x)
{
    return top_bit(x) < 0;
}

int exact_compare(const Exact *a, const Exact *b)
{
    if (exact_is_zero(a) && exact_is_zero(b)) {
        return 0;
    }
    if (a->neg != b->neg) {
        return a->neg ? -1 : 1;
    }
    return a->neg ? -compare_magnitude(a, b) : compare_magnitude(a, b);
}

Exact exact_add(const Exact *a, const Exact *b)
{
    Exact r = *a;
    int64_t carry = 0;
    bool subtract = a->neg != b->neg;

    if (subtract && compare_magnitude(a, b) < 0) {
        const Exact *t = a;

        a = b;
        b = t;
        r = *a;
    }
    for (int i = 0; i < EXACT_WORDS; i++) {
        carry += (int64_t)a->w[i] + (subtract ? -(int64_t)b->w[i]
                                              : (int64_t)b->w[i]);
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return r;
}

Exact exact_mul(const Exact *a, const Exact *b)
{
    Exact r = { .neg = a->neg != b->neg };

    for (int i = 0; i < EXACT_WORDS; i++) {
        if (!a->w[i]) {
            continue;
        }
        for (int j = 0; j < EXACT_WORDS; j++) {
            int at = i + j - EXACT_POINT;

            if (b->w[j] && at >= 0 && at < EXACT_WORDS) {
                add_at(&r, at * 32, (uint64_t)a->w[i] * b->w[j]);
            }
        }
    }
    return r;
}

Exact exact_scale(const Exact *a, int power_of_2)
{
    Exact r = { .neg = a->neg };

    for (int i = 0; i < EXACT_WORDS; i++) {
        int at = i * 32 + power_of_2;

        if (a->w[i] && at >= 0 && at < BITS) {
            add_at(&r, at, a->w[i]);
        }
    }
    return r;
}

/* Does cutting off the bits below @at ask for the magnitude to grow? */
static bool rounds_away(const Exact *x, int at, Rounding how)
{
    bool half = get_bit(x, at - 1), rest = false;

    for (int i = 0; i < at - 1 && !rest; i++) {
        rest = get_bit(x, i);
    }
    switch (how) {
    case TO_PLUS:
        return (half || rest) && !x->neg;
    case TO_MINUS:
        return (half || rest) && x->neg;
    case TO_ZERO:
        return false;
    default:
        return half && (rest || get_bit(x, at));
    }
}

/* Cut off the bits below @at, rounding. */
static Exact round_at(const Exact *x, int at, Rounding how)
{
    Exact r = *x;

    for (int i = 0; i < at && i < BITS; i++) {
        r.w[i / 32] &= ~(1u << i % 32);
    }
    if (rounds_away(x, at, how)) {
        add_at(&r, at, 1);
    }
    return r;
}

Exact exact_round_int(const Exact *a, Rounding how)
{
    return round_at(a, POINT, how);
}

int64_t exact_to_int(const Exact *a, int64_t least, int64_t most)
{
    Exact low = exact_of_int(least), high = exact_of_int(most);
    uint64_t n;

    if (exact_compare(a, &low) <= 0) {
        return least;
    }
    if (exact_compare(a, &high) >= 0) {
        return most;
    }
    n = a->w[EXACT_POINT] | (uint64_t)a->w[EXACT_POINT + 1] << 32;
    return a->neg ? -(int64_t)n : (int64_t)n;
}

uint64_t exact_round(const Format *f, const Exact *x, Rounding how, bool zero)
{
    int least = POINT + 1 - bias(f) - (int)f->mant; /* of a denormal */
    int at = top_bit(x) - (int)f->mant, exp;
    uint64_t mant = 0;
    Exact r;

    if (exact_is_zero(x)) {
        return sign_bit(f, zero);
    }
    if (at < least) {
        at = least;
    }
    r = round_at(x, at, how);
    exp = top_bit(&r) - POINT + bias(f);
    if (exp >= (int)exp_top(f)) {
        bool inf = how == TO_NEAREST || how == (x->neg ? TO_MINUS : TO_PLUS);

        return float_inf(f, x->neg) - !inf;
    }
    at = exp > 0 ? top_bit(&r) - (int)f->mant : least;
    for (unsigned i = 0; i < f->mant; i++) {
        mant |= (uint64_t)get_bit(&r, at + (int)i) << i;
    }
    return sign_bit(f, x->neg) | (uint64_t)(exp > 0 ? exp : 0) << f->mant |
           mant;
}
