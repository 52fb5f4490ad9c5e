/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>
#include "valu-models.h"

enum {
    IEEE = 1 << 9,
};

/* ---- MODE ---- */

Rounding mode_rounding(const Format *f, uint32_t mode)
{
    return f->bits == 32 ? mode & 3 : mode >> 2 & 3;
}

bool mode_keeps_in(const Format *f, uint32_t mode)
{
    return mode >> (f->bits == 32 ? 4 : 6) & 1;
}

bool mode_keeps_out(const Format *f, uint32_t mode)
{
    return mode >> (f->bits == 32 ? 5 : 7) & 1;
}

static uint64_t in(const Format *f, const Lane *l, uint64_t x)
{
    return mode_keeps_in(f, l->mode) ? x : float_flush(f, x);
}

static uint64_t out(const Format *f, const Lane *l, uint64_t x)
{
    return mode_keeps_out(f, l->mode) ? x : float_flush(f, x);
}

/*
 * Would @x be less than the least normal number if there were no limit to
 * exponents, rounded to the format's precision?
 */
static bool is_tiny(const Format *f, const Lane *l, const Exact *x)
{
    Exact up = exact_scale(x, f->bits == 64 ? 200 : 20);
    uint64_t least = 1ull << f->mant;
    uint64_t r = exact_round(f, &up, mode_rounding(f, l->mode), false);

    least += (f->bits == 64 ? 200ull : 20ull) << f->mant;
    return (r & ~(1ull << (f->bits - 1))) < least;
}

/*
 * Round, with the sign of an exact zero if rounding does not decide it.  Halves
 * are flushed if they have become denormal, others if they were tiny.
 */
static uint64_t rounded(const Format *f, const Lane *l, const Exact *x,
                        bool zero)
{
    uint64_t r = exact_round(f, x, mode_rounding(f, l->mode), zero);

    if (f->bits > 16 && !mode_keeps_out(f, l->mode) && is_tiny(f, l, x)) {
        return r & 1ull << (f->bits - 1);
    }
    return out(f, l, r);
}

uint64_t model_rounded(const Format *f, uint32_t mode, const Exact *x)
{
    Lane l = { .mode = mode };

    return rounded(f, &l, x, false);
}

static uint64_t no_value(const Format *f)
{
    return float_quiet(f, float_inf(f, true));
}

/* ---- sums and products ---- */

static uint64_t negated(const Format *f, uint64_t x)
{
    return x ^ 1ull << (f->bits - 1);
}

/* Sign of a sum that is exactly zero. */
static bool zero_sign(const Format *f, const Lane *l, bool a, bool b)
{
    return a == b ? a : mode_rounding(f, l->mode) == TO_MINUS;
}

static uint64_t add(const Format *f, const Lane *l, uint64_t a, uint64_t b)
{
    Exact x, y;

    a = in(f, l, a);
    b = in(f, l, b);
    if (float_is_nan(f, a)) {
        return float_quiet(f, a);
    }
    if (float_is_nan(f, b)) {
        return float_quiet(f, b);
    }
    if (float_is_inf(f, a)) {
        return float_is_inf(f, b) && a != b ? no_value(f) : a;
    }
    if (float_is_inf(f, b)) {
        return b;
    }
    x = exact_of(f, a);
    y = exact_of(f, b);
    x = exact_add(&x, &y);
    return rounded(f, l, &x, zero_sign(f, l, float_sign(f, a),
                                       float_sign(f, b)));
}

static uint64_t sub(const Format *f, const Lane *l, uint64_t a, uint64_t b)
{
    return add(f, l, a, float_is_nan(f, b) ? b : negated(f, b));
}

/* a * b + c if @fused, else a * b. */
static uint64_t mul_add(const Format *f, const Lane *l, uint64_t a,
                        uint64_t b, uint64_t c, bool fused)
{
    bool sign, inf;
    Exact x, y;

    a = in(f, l, a);
    b = in(f, l, b);
    c = in(f, l, c);
    if (float_is_nan(f, a)) {
        return float_quiet(f, a);
    }
    if (float_is_nan(f, b)) {
        return float_quiet(f, b);
    }
    if (fused && float_is_nan(f, c)) {
        return float_quiet(f, c);
    }
    sign = float_sign(f, a) != float_sign(f, b);
    inf = float_is_inf(f, a) || float_is_inf(f, b);
    if (inf && (float_is_zero(f, a) || float_is_zero(f, b))) {
        return no_value(f);
    }
    if (fused && float_is_inf(f, c)) {
        return inf && sign != float_sign(f, c) ? no_value(f) : c;
    }
    if (inf) {
        return float_inf(f, sign);
    }
    x = exact_of(f, a);
    y = exact_of(f, b);
    x = exact_mul(&x, &y);
    if (fused) {
        y = exact_of(f, c);
        x = exact_add(&x, &y);
        sign = zero_sign(f, l, sign, float_sign(f, c));
    }
    return rounded(f, l, &x, sign);
}

static uint64_t mul(const Format *f, const Lane *l, uint64_t a, uint64_t b)
{
    return mul_add(f, l, a, b, 0, false);
}

static uint64_t fused(const Format *f, const Lane *l, uint64_t a, uint64_t b,
                      uint64_t c)
{
    return mul_add(f, l, a, b, c, true);
}

/* Not fused, denormals flushed whatever MODE says. */
static uint64_t mad(const Format *f, const Lane *l, uint64_t a, uint64_t b,
                    uint64_t c)
{
    a = float_flush(f, mul(f, l, float_flush(f, a), float_flush(f, b)));
    return float_flush(f, add(f, l, a, float_flush(f, c)));
}

static uint64_t mul_legacy(const Lane *l, uint64_t a, uint64_t b)
{
    return float_is_zero(&format32, in(&format32, l, a)) ||
           float_is_zero(&format32, in(&format32, l, b)) ?
           0 : mul(&format32, l, a, b);
}

static uint64_t mad_legacy(const Lane *l, uint64_t a, uint64_t b, uint64_t c)
{
    const Format *f = &format32;

    a = float_flush(f, a);
    b = float_flush(f, b);
    a = float_flush(f, mul_legacy(l, a, b));
    return float_flush(f, add(f, l, a, float_flush(f, c)));
}

/* ---- comparing ---- */

/* -1, 0, 1; 2 if unordered. */
static int order(const Format *f, const Lane *l, uint64_t a, uint64_t b)
{
    Exact x, y;

    a = in(f, l, a);
    b = in(f, l, b);
    if (float_is_nan(f, a) || float_is_nan(f, b)) {
        return 2;
    }
    if (float_is_inf(f, a) || float_is_inf(f, b)) {
        int m = float_is_inf(f, a) ? 1 - 2 * float_sign(f, a) : 0;
        int n = float_is_inf(f, b) ? 1 - 2 * float_sign(f, b) : 0;

        return (m > n) - (m < n);
    }
    x = exact_of(f, a);
    y = exact_of(f, b);
    return exact_compare(&x, &y);
}

static uint64_t least(const Format *f, const Lane *l, uint64_t a, uint64_t b,
                      bool most)
{
    int o;

    a = in(f, l, a);
    b = in(f, l, b);
    if (l->mode & IEEE && float_is_snan(f, a)) {
        return float_quiet(f, a);
    }
    if (l->mode & IEEE && float_is_snan(f, b)) {
        return float_quiet(f, b);
    }
    if (float_is_nan(f, a)) {
        return out(f, l, b);
    }
    if (float_is_nan(f, b)) {
        return out(f, l, a);
    }
    o = order(f, l, a, b);
    if (o == 0) {
        o = float_sign(f, a) ? -1 : 1;
    }
    return out(f, l, (o < 0) != most ? a : b);
}

static uint64_t fmin_(const Format *f, const Lane *l, uint64_t a, uint64_t b)
{
    return least(f, l, a, b, false);
}

static uint64_t fmax_(const Format *f, const Lane *l, uint64_t a, uint64_t b)
{
    return least(f, l, a, b, true);
}

/*
 * IEEE 754-2019's minimumNumber and minimum, and so on.  A number wins over
 * NaNs, or a NaN over numbers; of two of those a signalling one, or the first.
 */
static uint64_t ieee(const Format *f, const Lane *l, uint64_t a, uint64_t b,
                     bool most, bool number)
{
    bool nan_a = float_is_nan(f, a), nan_b = float_is_nan(f, b);

    if (nan_a && nan_b) {
        bool second = !number && float_is_snan(f, b) && !float_is_snan(f, a);

        return float_quiet(f, second ? b : a);
    }
    if (nan_a || nan_b) {
        return number ? out(f, l, in(f, l, nan_a ? b : a))
                      : float_quiet(f, nan_a ? a : b);
    }
    return least(f, l, a, b, most);
}

static uint64_t min_num(const Format *f, const Lane *l, uint64_t a,
                        uint64_t b)
{
    return ieee(f, l, a, b, false, true);
}

static uint64_t max_num(const Format *f, const Lane *l, uint64_t a,
                        uint64_t b)
{
    return ieee(f, l, a, b, true, true);
}

static uint64_t minimum(const Format *f, const Lane *l, uint64_t a,
                        uint64_t b)
{
    return ieee(f, l, a, b, false, false);
}

static uint64_t maximum(const Format *f, const Lane *l, uint64_t a,
                        uint64_t b)
{
    return ieee(f, l, a, b, true, false);
}

static uint64_t med_num(const Format *f, const Lane *l, uint64_t a, uint64_t b,
                        uint64_t c)
{
    uint64_t most = max_num(f, l, max_num(f, l, a, b), c);

    if (float_is_nan(f, a) || float_is_nan(f, b) || float_is_nan(f, c)) {
        return min_num(f, l, min_num(f, l, a, b), c);
    }
    return order(f, l, most, a) == 0 ? max_num(f, l, b, c) :
           order(f, l, most, b) == 0 ? max_num(f, l, a, c) :
           max_num(f, l, a, b);
}

/* Zero times anything adds nothing. */
static uint64_t fused_legacy(const Lane *l, uint64_t a, uint64_t b,
                             uint64_t c)
{
    const Format *f = &format32;

    if (float_is_zero(f, in(f, l, a)) || float_is_zero(f, in(f, l, b))) {
        return in(f, l, c);
    }
    return fused(f, l, a, b, c);
}

static uint64_t mul_lit(const Lane *l, uint64_t a, uint64_t b, uint64_t c)
{
    const Format *f = &format32;

    if (float_is_nan(f, b) || float_is_nan(f, c) || b >= 0xff7fffff ||
        float_sign(f, c) || float_is_zero(f, in(f, l, c))) {
        return 0xff7fffff;
    }
    return mul(f, l, a, b);
}

static uint64_t fmed_(const Format *f, const Lane *l, uint64_t a, uint64_t b,
                      uint64_t c)
{
    uint64_t most = fmax_(f, l, fmax_(f, l, a, b), c);

    if (float_is_nan(f, a) || float_is_nan(f, b) || float_is_nan(f, c)) {
        return fmin_(f, l, fmin_(f, l, a, b), c);
    }
    if (order(f, l, most, a) == 0) {
        return fmax_(f, l, b, c);
    }
    if (order(f, l, most, b) == 0) {
        return fmax_(f, l, a, c);
    }
    return fmax_(f, l, a, b);
}

/* The sixteen float compares by the bits of their opcode: <, =, >, unordered
 * give the bits of @which. */
static uint64_t fcompare(const Format *f, Lane *l, unsigned which)
{
    int o = order(f, l, l->a, l->b);

    l->out = which >> (o == 2 ? 3 : o + 1) & 1;
    return 0;
}

static uint64_t fclass(const Format *f, Lane *l)
{
    uint64_t x = l->a;
    int n = float_is_snan(f, x) ? 0 : float_is_nan(f, x) ? 1 :
            float_is_inf(f, x) ? 2 : float_is_zero(f, x) ? 5 :
            float_is_denormal(f, x) ? 4 : 3;

    if (n > 1 && !float_sign(f, x)) {
        n = 11 - n;
    }
    l->out = l->b >> n & 1;
    return 0;
}

/* ---- conversions ---- */

static int64_t to_int(const Format *f, const Lane *l, uint64_t x,
                      Rounding how, int64_t low, int64_t high)
{
    Exact e;

    x = in(f, l, x);
    if (float_is_nan(f, x)) {
        return 0;
    }
    if (float_is_inf(f, x)) {
        return float_sign(f, x) ? low : high;
    }
    e = exact_of(f, x);
    e = exact_round_int(&e, how);
    return exact_to_int(&e, low, high);
}

static uint64_t from_int(const Format *f, const Lane *l, int64_t x)
{
    Exact e = exact_of_int(x);

    return rounded(f, l, &e, false);
}

static uint64_t convert(const Format *to, const Format *from, const Lane *l,
                        uint64_t x)
{
    bool sign = float_sign(from, x);
    uint64_t mant = x & ((1ull << from->mant) - 1);
    Exact e;

    x = in(from, l, x);
    if (float_is_nan(from, x)) {
        mant = to->mant > from->mant ? mant << (to->mant - from->mant)
                                     : mant >> (from->mant - to->mant);
        return float_quiet(to, float_inf(to, sign) | mant);
    }
    if (float_is_inf(from, x)) {
        return float_inf(to, sign);
    }
    e = exact_of(from, x);
    return rounded(to, l, &e, sign);
}

/*
 * f64 to f32: f64's rounding mode (LLVM's SIModeRegister sets that one for
 * v_cvt_f32_f64), f32's denormals.
 */
static uint64_t narrow(const Lane *l, uint64_t x)
{
    Lane m = { .mode = (l->mode & 0xfffffffcu) | (l->mode >> 2 & 3) };

    return convert(&format32, &format64, &m, x);
}

/*
 * The engines of the tiles from (x_min, y_min) to (x_max, y_max), pixel
 * coordinates of which 6:5 are given; the rectangle is less than 128 wide.
 */
static uint64_t screen_partition(uint64_t select)
{
    unsigned x0 = (select >> 6 & 3) * 32, y0 = (select >> 4 & 3) * 32;
    unsigned x1 = (select >> 2 & 3) * 32, y1 = (select & 3) * 32;
    uint64_t engines = 0;

    for (unsigned x = x0; x <= x1 + (x1 < x0) * 128; x += 32) {
        for (unsigned y = y0; y <= y1 + (y1 < y0) * 128; y += 32) {
            unsigned high = (x >> 5 ^ y >> 6) & 1;
            unsigned low = (y >> 5 ^ x >> 6) & 1;

            engines |= 1u << (2 * high + low);
        }
    }
    return engines;
}

static uint64_t round_float(const Format *f, const Lane *l, uint64_t x,
                            Rounding how)
{
    bool sign = float_sign(f, x);
    Exact e;

    x = in(f, l, x);
    if (float_is_nan(f, x)) {
        return float_quiet(f, x);
    }
    if (float_is_inf(f, x)) {
        return x;
    }
    e = exact_of(f, x);
    e = exact_round_int(&e, how);
    return rounded(f, l, &e, sign);
}

static uint64_t fract(const Format *f, const Lane *l, uint64_t x)
{
    Exact e, whole, one = exact_of_int(1), r;
    uint64_t bits;

    x = in(f, l, x);
    if (float_is_nan(f, x)) {
        return float_quiet(f, x);
    }
    if (float_is_inf(f, x)) {
        return no_value(f);
    }
    e = exact_of(f, x);
    whole = exact_round_int(&e, TO_MINUS);
    whole.neg = !whole.neg;
    e = exact_add(&e, &whole);
    bits = rounded(f, l, &e, mode_rounding(f, l->mode) == TO_MINUS);
    r = exact_of(f, bits);
    /* A zero minus its floor, which has its sign. */
    if (exact_is_zero(&e)) {
        return bits;
    }
    return exact_compare(&r, &one) >= 0 ?
           exact_round(f, &one, TO_NEAREST, false) - 1 : bits;
}

static bool special(const Format *f, uint64_t x)
{
    return float_is_nan(f, x) || float_is_inf(f, x) || float_is_zero(f, x);
}

/* Exponent of x as 0.1... times a power of two, and that 0.1... */
static int64_t frexp_exp(const Format *f, const Lane *l, uint64_t x)
{
    Exact e, half = exact_of_int(1), m;
    int n = 0;

    half = exact_scale(&half, -1);
    x = in(f, l, x);
    if (special(f, x)) {
        return 0;
    }
    e = exact_of(f, x);
    e.neg = false;
    for (n = -1200; n < 1200; n++) {
        m = exact_scale(&half, n + 1);
        if (exact_compare(&e, &m) < 0) {
            return n;
        }
    }
    return 0;
}

static uint64_t frexp_mant(const Format *f, const Lane *l, uint64_t x)
{
    Exact e;

    x = in(f, l, x);
    if (special(f, x)) {
        return f->bits == 16 && float_is_nan(f, x) ? float_quiet(f, x) : x;
    }
    e = exact_of(f, x);
    e = exact_scale(&e, -(int)frexp_exp(f, l, x));
    return exact_round(f, &e, TO_NEAREST, false);
}

static uint64_t ldexp_(const Format *f, const Lane *l, uint64_t x, int64_t n)
{
    Lane keep = { .mode = 0xf0 };
    Exact e;

    x = in(f, l, x);
    if (float_is_nan(f, x)) {
        return float_quiet(f, x);
    }
    if (float_is_inf(f, x) || float_is_zero(f, x)) {
        return x;
    }
    e = exact_of(f, x);
    n += frexp_exp(f, &keep, x); /* that of the result */
    if (n < -1200 || n > 1100) { /* whatever else it is */
        e = exact_of_int(float_sign(f, x) ? -1 : 1);
        e = exact_scale(&e, n < 0 ? -1200 : 1100);
    } else {
        e = exact_scale(&e, (int)(n - frexp_exp(f, &keep, x)));
    }
    return rounded(f, l, &e, false);
}

/* [-1, 1] or [0, 1] to integers, to nearest even. */
static uint64_t norm(const Format *f, const Lane *l, uint64_t x, int low,
                     int high)
{
    Exact e, scale = exact_of_int(high);

    x = in(f, l, x);
    if (float_is_nan(f, x)) {
        return 0;
    }
    if (float_is_inf(f, x)) {
        return (uint64_t)(float_sign(f, x) ? low : high) & 0xffff;
    }
    e = exact_of(f, x);
    e = exact_mul(&e, &scale);
    /* The product is a float of 32 bits. */
    if (!exact_is_zero(&e)) {
        uint64_t p = exact_round(&format32, &e, mode_rounding(f, l->mode),
                                 false);

        if (float_is_inf(&format32, p)) {
            return (uint64_t)(float_sign(f, x) ? low : high) & 0xffff;
        }
        e = exact_of(&format32, p);
    }
    e = exact_round_int(&e, TO_NEAREST);
    return (uint64_t)exact_to_int(&e, low, high) & 0xffff;
}

static uint64_t rtz16(const Lane *l, uint64_t x)
{
    Lane m = *l;

    m.mode |= 0xc;
    return convert(&format16, &format32, &m, x);
}

static uint64_t pk_u8(const Lane *l, uint64_t x, uint64_t place,
                      uint64_t into)
{
    unsigned shift = (place & 3) * 8;

    return (into & ~(0xffull << shift)) |
           (uint64_t)to_int(&format32, l, x, TO_ZERO, 0, 255) << shift;
}

/* ---- functions, compared with the host's library ---- */

static float f32(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float r;

    memcpy(&r, &bits, 4);
    return r;
}

static uint64_t bits32(float x)
{
    uint32_t r;

    memcpy(&r, &x, 4);
    return r;
}

static double f64(uint64_t x)
{
    double r;

    memcpy(&r, &x, 8);
    return r;
}

static uint64_t bits64(double x)
{
    uint64_t r;

    memcpy(&r, &x, 8);
    return r;
}

typedef double Function(double x);

static double reciprocal(double x)
{
    return 1 / x;
}

static double reciprocal_root(double x)
{
    return 1 / sqrt(x);
}

/* Of an argument in turns; that of pi would not be exact. */
static double sine(double x)
{
    double t = isinf(x) ? NAN : fabs(x) > 256 ? 0 : x == 0 ? x :
               x - nearbyint(x);

    if (fabs(t) > 0.25) {
        t = copysign(0.5, t) - t;
    }
    return t == 0 && x != 0 ? 0 : sin(t * 2 * M_PI);
}

static double cosine(double x)
{
    double t = isinf(x) ? NAN : fabs(x) > 256 ? 0 : x - nearbyint(x);

    return fabs(t) == 0.25 ? 0 : cos(t * 2 * M_PI);
}

/* A NaN's result, or no value where the function has none. */
static uint64_t nan_of(const Format *f, uint64_t x)
{
    return float_is_nan(f, x) ? float_quiet(f, x) : no_value(f);
}

/* f32: denormals are flushed always. */
static uint64_t function32(Function *fn, uint64_t x)
{
    double r = fn(f32(float_flush(&format32, x)));

    if (isnan(r)) {
        return nan_of(&format32, x);
    }
    return float_flush(&format32, bits32((float)r));
}

static uint64_t function64(Function *fn, const Lane *l, uint64_t x)
{
    double r = fn(f64(in(&format64, l, x)));

    if (isnan(r)) {
        return nan_of(&format64, x);
    }
    return out(&format64, l, bits64(r));
}

static uint64_t function16(Function *fn, const Lane *l, uint64_t x)
{
    Lane exact = { .mode = 0xf0 };
    double r;

    x = in(&format16, l, x);
    r = fn(f64(convert(&format64, &format16, &exact, x)));
    if (isnan(r)) {
        return nan_of(&format16, x);
    }
    exact.mode |= l->mode & 0xc;
    return out(&format16, l, convert(&format16, &format64, &exact,
                                     bits64(r)));
}

/* ---- the helpers of division (the manual's pseudo-code) ---- */

static int64_t biased(const Format *f, uint64_t x)
{
    return x >> f->mant & ((1u << (f->bits - 1 - f->mant)) - 1);
}

/* Is n / d denormal?  By comparing n with d times the limits. */
static bool denormal_quotient(const Format *f, uint64_t n, uint64_t d)
{
    Exact x, y, least, half;
    int low = f->bits == 32 ? -126 : -1022;

    if (special(f, n) || special(f, d)) {
        return false;
    }
    x = exact_of(f, n);
    y = exact_of(f, d);
    x.neg = y.neg = false;
    least = exact_scale(&y, low);
    half = exact_scale(&y, low - (int)f->mant - 1);
    return exact_compare(&x, &least) < 0 && exact_compare(&x, &half) > 0;
}

static uint64_t div_scale(const Format *f, Lane *l)
{
    uint64_t s0 = in(f, l, l->a), s1 = in(f, l, l->b), s2 = in(f, l, l->c);
    bool wide = f->bits == 64;
    int by = wide ? 128 : 64;
    uint64_t one = wide ? 0x3ff0000000000000 : 0x3f800000;
    bool rcp = denormal_quotient(f, one, s1);
    bool quotient = denormal_quotient(f, s2, s1);
    Lane keep = *l;

    l->out = false;
    if (float_is_zero(f, s1) || float_is_zero(f, s2)) {
        return no_value(f);
    }
    if (biased(f, s2) - biased(f, s1) >= (wide ? 768 : 96)) {
        l->out = true;
        return order(f, l, s0, s1) == 0 ? ldexp_(f, &keep, s0, by) : s0;
    }
    if (biased(f, s1) == 0) {
        return ldexp_(f, &keep, s0, by);
    }
    if (rcp && quotient) { /* not up, as the manual says: see divide32 */
        l->out = true;
        return order(f, l, s0, s1) == 0 ? ldexp_(f, &keep, s0, -by) : s0;
    }
    if (rcp) {
        return ldexp_(f, &keep, s0, -by);
    }
    if (quotient) {
        l->out = true;
        return order(f, l, s0, s2) == 0 ? ldexp_(f, &keep, s0, by) : s0;
    }
    return biased(f, s2) <= (wide ? 53 : 23) ? ldexp_(f, &keep, s0, by) : s0;
}

/* a * b + c, times a power of two where VCC is set, rounded once. */
static uint64_t div_fmas(const Format *f, const Lane *l)
{
    uint64_t a = in(f, l, l->a), b = in(f, l, l->b), c = in(f, l, l->c);
    int by = f->bits == 64 ? 128 : 64, bias = f->bits == 64 ? 1023 : 127;
    uint64_t r = fused(f, l, a, b, c);
    Exact x, y;

    if (!l->in || float_is_nan(f, r) || float_is_inf(f, r)) {
        return r;
    }
    x = exact_of(f, a);
    y = exact_of(f, b);
    x = exact_mul(&x, &y);
    y = exact_of(f, c);
    x = exact_add(&x, &y);
    by = biased(f, c) > bias ? by : -by;
    x = exact_scale(&x, by);
    y = exact_of(f, r);
    y = exact_scale(&y, by);
    /* Only what becomes denormal would be rounded a second time. */
    return rounded(f, l, biased(f, r) + by > 0 ? &y : &x, float_sign(f, r));
}

static uint64_t div_fixup(const Format *f, const Lane *l)
{
    uint64_t q = l->a, d = in(f, l, l->b), n = in(f, l, l->c);
    bool sign = float_sign(f, d) != float_sign(f, n);
    uint64_t s = (uint64_t)sign << (f->bits - 1);
    int gone = f->bits == 32 ? -150 : -1075;
    Exact tiny = exact_of_int(sign ? -1 : 1);

    if (float_is_nan(f, n)) {
        return float_quiet(f, n);
    }
    if (float_is_nan(f, d)) {
        return float_quiet(f, d);
    }
    if ((float_is_zero(f, d) && float_is_zero(f, n)) ||
        (float_is_inf(f, d) && float_is_inf(f, n))) {
        return no_value(f);
    }
    if (float_is_zero(f, d) || float_is_inf(f, n)) {
        return float_inf(f, sign);
    }
    if (float_is_inf(f, d) || float_is_zero(f, n)) {
        return s;
    }
    if (f->bits > 16 && biased(f, n) - biased(f, d) < gone) {
        tiny = exact_scale(&tiny, -2000);
        return rounded(f, l, &tiny, sign);
    }
    if (f->bits > 16 && float_is_nan(f, q)) {
        return float_inf(f, sign);
    }
    return out(f, l, s | (q & ~(1ull << (f->bits - 1))));
}

/* ---- cube maps: the face, coordinates and axis of a direction ---- */

static uint64_t cube(const Lane *l, int what)
{
    const Format *f = &format32;
    uint64_t mag = 0x7fffffff, x = in(f, l, l->a), y = in(f, l, l->b);
    uint64_t z = in(f, l, l->c);
    bool by_z = order(f, l, z & mag, x & mag) != 2 &&
                order(f, l, z & mag, x & mag) >= 0 &&
                order(f, l, z & mag, y & mag) != 2 &&
                order(f, l, z & mag, y & mag) >= 0;
    bool by_y = !by_z && order(f, l, y & mag, x & mag) != 2 &&
                order(f, l, y & mag, x & mag) >= 0;
    uint64_t major = by_z ? z : by_y ? y : x;
    bool neg = order(f, l, major, 0) == -1;

    switch (what) {
    case 0:
        return bits32((by_z ? 4 : by_y ? 2 : 0) + neg);
    case 1:
        return by_y ? x : by_z ? (neg ? negated(f, x) : x) :
               neg ? z : negated(f, z);
    case 2:
        return by_y ? (neg ? negated(f, z) : z) : negated(f, y);
    default:
        return mul(f, l, major, bits32(2));
    }
}

/* ---- integers ---- */

static uint64_t clamp_to(const Lane *l, __int128 x, __int128 low,
                         __int128 high)
{
    if (l->clamp) {
        x = x < low ? low : x > high ? high : x;
    }
    return (uint64_t)x;
}

#define CLAMP_U32(x) clamp_to(l, (x), 0, UINT32_MAX)
#define CLAMP_I32(x) clamp_to(l, (x), INT32_MIN, INT32_MAX)
#define CLAMP_U16(x) clamp_to(l, (x), 0, UINT16_MAX)
#define CLAMP_I16(x) clamp_to(l, (x), INT16_MIN, INT16_MAX)

static uint64_t carry_out(Lane *l, bool carry, uint64_t r, uint64_t clamped)
{
    l->out = carry;
    return l->clamp && carry ? clamped : r;
}

static uint64_t result_bit(Lane *l, bool bit)
{
    l->out = bit;
    return 0;
}

static int64_t i24(uint64_t x)
{
    return (int32_t)((uint32_t)x << 8) >> 8;
}

static uint64_t u24(uint64_t x)
{
    return x & 0xffffff;
}

static uint64_t bit_count(uint64_t x)
{
    uint64_t n = 0;

    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}

static uint64_t first_bit(uint32_t x, bool from_top)
{
    for (int i = 0; i < 32; i++) {
        if (x >> (from_top ? 31 - i : i) & 1) {
            return i;
        }
    }
    return 0xffffffff;
}

static uint64_t first_not_sign(int32_t x)
{
    for (int i = 1; i < 32; i++) {
        if ((x >> (31 - i) & 1) != (x >> 31 & 1)) {
            return i;
        }
    }
    return 0xffffffff;
}

static uint64_t reversed(uint32_t x)
{
    uint64_t r = 0;

    for (int i = 0; i < 32; i++) {
        r |= (uint64_t)(x >> i & 1) << (31 - i);
    }
    return r;
}

static uint64_t bfe_signed(int32_t x, unsigned offset, unsigned width)
{
    int64_t field = (int64_t)x >> offset & ((1ll << width) - 1);

    return width ? (uint64_t)(field - ((field >> (width - 1) & 1) << width))
                 : 0;
}

static uint64_t perm(uint64_t hi, uint64_t lo, uint64_t sel)
{
    uint64_t from = hi << 32 | lo, r = 0;

    for (int i = 0; i < 32; i += 8) {
        unsigned s = sel >> i & 0xff;
        uint64_t byte = s < 8 ? from >> 8 * s & 0xff :
                        s < 12 ? (from >> (15 + 16 * (s - 8)) & 1) * 0xff :
                        s == 12 ? 0 : 0xff;

        r |= byte << i;
    }
    return r;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t sad(uint64_t a, uint64_t b, int bits, bool masked)
{
    uint64_t r = 0, mask = (1ull << bits) - 1;

    for (int i = 0; i < 32; i += bits) {
        if (!masked || (b >> i & mask)) {
            r += distance(a >> i & mask, b >> i & mask);
        }
    }
    return r;
}

static uint64_t quad_sad(const Lane *l, bool masked)
{
    uint64_t r = 0;

    for (int i = 0; i < 4; i++) {
        uint64_t sum = sad(l->a >> 8 * i & 0xffffffff, l->b, 8, masked) +
                       (l->c >> 16 * i & 0xffff);

        r |= (CLAMP_U16(sum) & 0xffff) << 16 * i;
    }
    return r;
}

static uint64_t lerp(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;

    for (int i = 0; i < 32; i += 8) {
        r |= ((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1 << i;
    }
    return r;
}

static uint64_t sat8(int16_t x)
{
    return x < 0 ? 0 : x > 255 ? 255 : (uint64_t)x;
}

static uint64_t below(uint64_t x, unsigned lane, int half)
{
    uint64_t mask = (1ull << lane) - 1;

    return bit_count(x & (mask >> 32 * half & 0xffffffff));
}

/* a * b + c in 65 bits. */
static uint64_t mad_u64(Lane *l)
{
    unsigned __int128 r = (unsigned __int128)l->a * l->b + l->c;

    return carry_out(l, r >> 64 & 1, (uint64_t)r, UINT64_MAX);
}

static uint64_t mad_i64(Lane *l)
{
    __int128 r = (__int128)(int32_t)l->a * (int32_t)l->b + (int64_t)l->c;

    l->out = r < 0;
    return clamp_to(l, r, INT64_MIN, INT64_MAX);
}

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MED(x, y, z) MAX(MIN(x, y), MIN(MAX(x, y), z))
#define PACK(lo, hi) (((lo) & 0xffff) | (uint64_t)(hi) << 16)

/* ---- the table ---- */

#define F16 (&format16)
#define F32 (&format32)
#define F64 (&format64)

#define NEAR(name, ulp, ...) MODEL(name, __VA_ARGS__)
#define MODEL(name, ...)                                                      \
    static uint64_t model_##name(Lane *l)                                     \
    {                                                                         \
        uint64_t a = l->a, b = l->b, c = l->c, d = l->d;                      \
                                                                              \
        (void)a, (void)b, (void)c, (void)d;                                   \
        return (uint64_t)(__VA_ARGS__);                                       \
    }
#include "valu-models.inc"
#undef MODEL
#undef NEAR

#define MODEL(name, ...) { #name, model_##name, 0 },
#define NEAR(name, ulp, ...) { #name, model_##name, ulp },
const Model valu_models[] = {
#include "valu-models.inc"
};

const unsigned valu_model_count =
    sizeof(valu_models) / sizeof(valu_models[0]);

const Model *valu_model(const char *name)
{
    for (unsigned i = 0; i < valu_model_count; i++) {
        if (!strcmp(valu_models[i].name, name)) {
            return &valu_models[i];
        }
    }
    return NULL;
}
