/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floats in integers (linx-blocks section 9.4). */
#include <math.h>
#include "target/linx/float.h"

typedef unsigned __int128 Wide;

typedef struct Format {
    uint8_t exponent, fraction; /* bits */
} Format;

static const Format formats[LINX_FP_FORMATS] = {
    [LINX_FP_FD] = { 11, 52 },
    [LINX_FP_FS] = { 8, 23 },
    [LINX_FP_FH] = { 5, 10 },
    [LINX_FP_FB] = { 4, 3 },
    [LINX_FP_BF] = { 8, 7 },
    [LINX_FP_FLB] = { 5, 2 },
};

typedef enum Kind { ZERO, FINITE, INFINITE, QUIET, SIGNALLING } Kind;

/* sig * 2^exp, or a NaN whose fraction is the upper bits of sig. */
typedef struct Number {
    uint8_t kind;
    bool sign;
    int exp;
    uint64_t sig; /* FINITE: bit 63 is set */
} Number;

static uint64_t ones(unsigned bits)
{
    return bits < 64 ? (1ull << bits) - 1 : ~0ull;
}

static int bias_of(const Format *f)
{
    return (1 << (f->exponent - 1)) - 1;
}

static uint64_t sign_bit(const Format *f)
{
    return 1ull << (f->exponent + f->fraction);
}

static uint64_t infinity(const Format *f)
{
    return ones(f->exponent) << f->fraction;
}

static uint64_t canonical(const Format *f)
{
    return infinity(f) | 1ull << (f->fraction - 1);
}

/* What an overflow is in @e, unrounded infinities included. */
static uint64_t infinite(const LinxFp *e, const Format *f, bool sign)
{
    return (sign ? sign_bit(f) : 0) | (infinity(f) - e->saturate);
}

static uint64_t zero(const Format *f, bool sign)
{
    return sign ? sign_bit(f) : 0;
}

static Number unpack(const Format *f, uint64_t bits)
{
    uint64_t fraction = bits & ones(f->fraction);
    unsigned exponent = bits >> f->fraction & ones(f->exponent);
    Number n = { FINITE, bits >> (f->exponent + f->fraction) & 1 };
    unsigned shift;

    if (exponent == ones(f->exponent)) {
        n.sig = fraction << (64 - f->fraction);
        n.kind = !fraction ? INFINITE : n.sig >> 63 ? QUIET : SIGNALLING;
        return n;
    }
    if (!exponent && !fraction) {
        n.kind = ZERO;
        return n;
    }
    n.sig = exponent ? fraction | 1ull << f->fraction : fraction;
    n.exp = (exponent ? (int)exponent : 1) - bias_of(f) - f->fraction;
    shift = __builtin_clzll(n.sig);
    n.sig <<= shift;
    n.exp -= shift;
    return n;
}

/* ---- rounding ---- */

static unsigned top_bit(Wide sig)
{
    return sig >> 64 ? 127 - __builtin_clzll(sig >> 64) :
           63 - __builtin_clzll(sig);
}

/* @sig without its lower @shift bits; *@inexact: they were not all 0. */
static uint64_t round_off(const LinxFp *e, bool sign, Wide sig, int shift,
                          bool *inexact)
{
    Wide kept, rest, half;

    *inexact = false;
    if (shift <= 0) {
        return (uint64_t)sig << -shift;
    }
    if (shift > 127) {
        sig = 1; /* less than half of what is kept */
        shift = 2;
    }
    kept = sig >> shift;
    rest = sig - (kept << shift);
    half = (Wide)1 << (shift - 1);
    *inexact = rest != 0;
    switch (e->rounding) {
    case LINX_RTZ:
        return kept;
    case LINX_RDN:
        return kept + (rest && sign);
    case LINX_RUP:
        return kept + (rest && !sign);
    case LINX_RNA:
        return kept + (rest >= half);
    case LINX_RTO:
        return kept | (rest != 0);
    default:
        return kept + (rest > half || (rest == half && kept & 1));
    }
}

/* Does rounding to infinity go away from 0? */
static bool overflows_to_infinity(const LinxFp *e, bool sign)
{
    switch (e->rounding) {
    case LINX_RTZ:
    case LINX_RTO:
        return false;
    case LINX_RDN:
        return sign;
    case LINX_RUP:
        return !sign;
    default:
        return true;
    }
}

/* Would it be less than the least normal number if exponents had no end? */
static bool is_tiny(const LinxFp *e, const Format *f, bool sign, Wide sig,
                    unsigned top)
{
    bool inexact;

    return !(round_off(e, sign, sig, (int)top - f->fraction, &inexact) >>
             (f->fraction + 1));
}

/* @sig with its lower @by bits gathered in the lowest that stays. */
static Wide jam(Wide sig, int by)
{
    if (by <= 0) {
        return sig;
    }
    return by > 127 ? sig != 0 :
           sig >> by | ((sig & (((Wide)1 << by) - 1)) != 0);
}

/*
 * sig * 2^exp in @f.  The lowest bit of a sig that had to be cut stands for
 * all that was cut.
 */
static uint64_t pack(LinxFp *e, const Format *f, bool sign, int exp, Wide sig)
{
    int least = 1 - bias_of(f), power, unit;
    uint64_t bits;
    bool inexact;
    unsigned top;

    if (!sig) {
        return zero(f, sign);
    }
    if (sig >> 127) { /* round_off() wants less than half of 2^128 */
        sig = jam(sig, 1);
        exp++;
    }
    top = top_bit(sig);
    power = exp + (int)top;
    unit = (power > least ? power : least) - f->fraction;
    if (power > bias_of(f)) {
        inexact = true;
        bits = infinity(f);
    } else {
        bits = round_off(e, sign, sig, unit - exp, &inexact);
        bits += (uint64_t)(unit + f->fraction - least) << f->fraction;
    }
    if (bits >= infinity(f)) {
        e->flags |= LINX_OF | LINX_NX;
        return overflows_to_infinity(e, sign) ? infinite(e, f, sign) :
               zero(f, sign) | (infinity(f) - 1);
    }
    if (inexact) {
        e->flags |= LINX_NX;
        if (power < least - 1 ||
            (power == least - 1 && is_tiny(e, f, sign, sig, top))) {
            e->flags |= LINX_UF;
        }
    }
    return zero(f, sign) | bits;
}

/* ---- NaNs ---- */

static bool is_nan(const Number *n)
{
    return n->kind >= QUIET;
}

static uint64_t invalid(LinxFp *e, const Format *f)
{
    e->flags |= LINX_NV;
    return canonical(f);
}

static uint64_t quiet(const Format *f, const Number *n)
{
    return zero(f, n->sign) | canonical(f) | n->sig >> (64 - f->fraction);
}

/* Is one a NaN?  Then *@result is the first of them. */
static bool take_nan(LinxFp *e, const Format *f, const Number *n,
                     unsigned count, uint64_t *result)
{
    bool found = false;

    *result = 0;
    for (unsigned i = 0; i < count; i++) {
        if (n[i].kind == SIGNALLING) {
            e->flags |= LINX_NV;
        }
        if (is_nan(&n[i]) && !found) {
            *result = quiet(f, &n[i]);
            found = true;
        }
    }
    return found;
}

/* ---- arithmetic ---- */

/* Bit 125 becomes the top one; products have zeros at their low end. */
static Wide align(Wide sig, int *exp)
{
    int by = 125 - (int)top_bit(sig);

    *exp -= by;
    return by >= 0 ? sig << by : sig >> -by;
}

/* The sum of two numbers that are finite and not 0. */
static uint64_t sum_of(LinxFp *e, const Format *f, bool sign_a, int exp_a,
                       Wide a, bool sign_b, int exp_b, Wide b)
{
    a = align(a, &exp_a);
    b = align(b, &exp_b);
    if (exp_a < exp_b || (exp_a == exp_b && a < b)) {
        return sum_of(e, f, sign_b, exp_b, b, sign_a, exp_a, a);
    }
    b = jam(b, exp_a - exp_b);
    if (sign_a == sign_b) {
        return pack(e, f, sign_a, exp_a, a + b);
    }
    if (a == b) {
        return zero(f, e->rounding == LINX_RDN);
    }
    return pack(e, f, sign_a, exp_a, a - b);
}

/* Of two 0 or of x and 0: what IEEE 754 says of signs. */
static uint64_t sum_with_zero(LinxFp *e, const Format *f, const Number *a,
                              const Number *b)
{
    if (a->kind == ZERO && b->kind == ZERO) {
        return zero(f, a->sign == b->sign ? a->sign :
                    e->rounding == LINX_RDN);
    }
    if (a->kind == ZERO) {
        a = b;
    }
    return pack(e, f, a->sign, a->exp, a->sig);
}

static uint64_t add_numbers(LinxFp *e, const Format *f, const Number *n)
{
    if (n[0].kind == INFINITE || n[1].kind == INFINITE) {
        if (n[0].kind == n[1].kind && n[0].sign != n[1].sign) {
            return invalid(e, f);
        }
        return infinite(e, f, n[n[0].kind != INFINITE].sign);
    }
    if (n[0].kind == ZERO || n[1].kind == ZERO) {
        return sum_with_zero(e, f, &n[0], &n[1]);
    }
    return sum_of(e, f, n[0].sign, n[0].exp, n[0].sig,
                  n[1].sign, n[1].exp, n[1].sig);
}

static uint64_t add(LinxFp *e, uint64_t a, uint64_t b, bool minus)
{
    const Format *f = &formats[e->format];
    Number n[2] = { unpack(f, a), unpack(f, b) };
    uint64_t result;

    if (take_nan(e, f, n, 2, &result)) {
        return result;
    }
    n[1].sign ^= minus;
    return add_numbers(e, f, n);
}

uint64_t linx_fp_add(LinxFp *e, uint64_t a, uint64_t b)
{
    return add(e, a, b, false);
}

uint64_t linx_fp_sub(LinxFp *e, uint64_t a, uint64_t b)
{
    return add(e, a, b, true);
}

uint64_t linx_fp_mul(LinxFp *e, uint64_t a, uint64_t b)
{
    const Format *f = &formats[e->format];
    Number n[2] = { unpack(f, a), unpack(f, b) };
    bool sign = n[0].sign ^ n[1].sign;
    uint64_t result;

    if (take_nan(e, f, n, 2, &result)) {
        return result;
    }
    if (n[0].kind == INFINITE || n[1].kind == INFINITE) {
        return n[0].kind == ZERO || n[1].kind == ZERO ? invalid(e, f) :
               infinite(e, f, sign);
    }
    if (n[0].kind == ZERO || n[1].kind == ZERO) {
        return zero(f, sign);
    }
    return pack(e, f, sign, n[0].exp + n[1].exp, (Wide)n[0].sig * n[1].sig);
}

uint64_t linx_fp_madd(LinxFp *e, uint64_t a, uint64_t b, uint64_t c,
                      unsigned minus)
{
    const Format *f = &formats[e->format];
    Number n[3] = { unpack(f, a), unpack(f, b), unpack(f, c) };
    bool sign = n[0].sign ^ n[1].sign ^ ((minus & LINX_FP_MINUS_AB) != 0);
    bool infinite_ab = n[0].kind == INFINITE || n[1].kind == INFINITE;
    bool zero_ab = n[0].kind == ZERO || n[1].kind == ZERO;
    uint64_t result;

    if (infinite_ab && zero_ab) {
        e->flags |= LINX_NV; /* even if c is a quiet NaN */
    }
    if (take_nan(e, f, n, 3, &result)) {
        return result;
    }
    n[2].sign ^= (minus & LINX_FP_MINUS_C) != 0;
    if (infinite_ab || zero_ab || n[2].kind != FINITE) {
        /* Only what is exact: 0, c, or the sign of an infinity matters. */
        Number product = {
            infinite_ab ? INFINITE : zero_ab ? ZERO : FINITE, sign
        };

        if (infinite_ab && zero_ab) {
            return canonical(f);
        }
        if (product.kind == FINITE && n[2].kind == ZERO) {
            return pack(e, f, sign, n[0].exp + n[1].exp,
                        (Wide)n[0].sig * n[1].sig);
        }
        return add_numbers(e, f, (Number[]) { product, n[2] });
    }
    return sum_of(e, f, sign, n[0].exp + n[1].exp,
                  (Wide)n[0].sig * n[1].sig, n[2].sign, n[2].exp, n[2].sig);
}

static uint64_t divide(LinxFp *e, const Format *f, const Number *n)
{
    bool sign = n[0].sign ^ n[1].sign;
    Wide over, quotient;

    if (n[0].kind == n[1].kind && n[0].kind != FINITE) {
        return invalid(e, f); /* 0/0, inf/inf */
    }
    if (n[0].kind == INFINITE) {
        return infinite(e, f, sign);
    }
    if (n[0].kind == ZERO || n[1].kind == INFINITE) {
        return zero(f, sign);
    }
    if (n[1].kind == ZERO) {
        e->flags |= LINX_DZ;
        return infinite(e, f, sign);
    }
    over = (Wide)n[0].sig << 63;
    quotient = over / n[1].sig;
    quotient = quotient << 1 | (over % n[1].sig != 0);
    return pack(e, f, sign, n[0].exp - n[1].exp - 64, quotient);
}

uint64_t linx_fp_div(LinxFp *e, uint64_t a, uint64_t b)
{
    const Format *f = &formats[e->format];
    Number n[2] = { unpack(f, a), unpack(f, b) };
    uint64_t result;

    return take_nan(e, f, n, 2, &result) ? result : divide(e, f, n);
}

uint64_t linx_fp_recip(LinxFp *e, uint64_t a)
{
    const Format *f = &formats[e->format];
    Number n[2] = { { FINITE, false, -63, 1ull << 63 }, unpack(f, a) };
    uint64_t result;

    return take_nan(e, f, n, 2, &result) ? result : divide(e, f, n);
}

/* The square root of @n, cut; *@rest: it was not one. */
static uint64_t root(Wide n, bool *rest)
{
    Wide remainder = 0;
    uint64_t r = 0;

    for (int i = 63; i >= 0; i--) {
        Wide trial = (Wide)r << 2 | 1;

        remainder = remainder << 2 | (n >> (2 * i) & 3);
        r <<= 1;
        if (remainder >= trial) {
            remainder -= trial;
            r |= 1;
        }
    }
    *rest = remainder != 0;
    return r;
}

uint64_t linx_fp_sqrt(LinxFp *e, uint64_t a)
{
    const Format *f = &formats[e->format];
    Number n = unpack(f, a);
    uint64_t result;
    Wide sig;
    bool rest;

    if (take_nan(e, f, &n, 1, &result)) {
        return result;
    }
    if (n.kind == ZERO) {
        return zero(f, n.sign);
    }
    if (n.sign) {
        return invalid(e, f);
    }
    if (n.kind == INFINITE) {
        return infinite(e, f, false);
    }
    /* sig * 2^(exp - 62 or - 63) with an even exponent: 64 bits of root. */
    sig = (Wide)n.sig << (n.exp & 1 ? 63 : 62);
    n.exp -= n.exp & 1 ? 63 : 62;
    result = root(sig, &rest);
    return pack(e, f, false, n.exp / 2 - 1, (Wide)result << 1 | rest);
}

/* ---- no arithmetic ---- */

uint64_t linx_fp_abs(LinxFp *e, uint64_t a)
{
    const Format *f = &formats[e->format];

    a &= sign_bit(f) - 1;
    return a == infinity(f) ? infinite(e, f, false) : a;
}

uint64_t linx_fp_class(LinxFp *e, uint64_t a)
{
    const Format *f = &formats[e->format];
    Number n = unpack(f, a);
    unsigned magnitude; /* 0: infinite, normal, subnormal, zero */

    if (is_nan(&n)) {
        return n.kind == QUIET ? 2 : 1;
    }
    magnitude = n.kind == INFINITE ? 0 : n.kind == ZERO ? 3 :
                a & infinity(f) ? 1 : 2;
    return 1u << (magnitude + (n.sign ? 2 : 6));
}

/* Signed integers in the order of the numbers; -0 is below +0. */
static int64_t order(const Format *f, uint64_t a)
{
    int64_t magnitude = a & (sign_bit(f) - 1);

    return a & sign_bit(f) ? -1 - magnitude : magnitude;
}

unsigned linx_fp_compare(LinxFp *e, uint64_t a, uint64_t b, bool signals)
{
    const Format *f = &formats[e->format];
    Number n[2] = { unpack(f, a), unpack(f, b) };
    uint64_t result;

    if (take_nan(e, f, n, 2, &result)) {
        e->flags |= signals ? LINX_NV : 0;
        return LINX_FP_UNORDERED;
    }
    if (n[0].kind == ZERO && n[1].kind == ZERO) {
        return LINX_FP_EQUAL;
    }
    return order(f, a) < order(f, b) ? LINX_FP_LESS :
           order(f, a) > order(f, b) ? LINX_FP_GREATER : LINX_FP_EQUAL;
}

static uint64_t extreme(LinxFp *e, uint64_t a, uint64_t b, bool least)
{
    const Format *f = &formats[e->format];
    Number n[2] = { unpack(f, a), unpack(f, b) };
    uint64_t mask = sign_bit(f) * 2 - 1, result;

    if (take_nan(e, f, n, 2, &result)) {
        return !is_nan(&n[0]) ? a & mask : !is_nan(&n[1]) ? b & mask :
               canonical(f);
    }
    return ((order(f, a) < order(f, b)) == least ? a : b) & mask;
}

uint64_t linx_fp_max(LinxFp *e, uint64_t a, uint64_t b)
{
    return extreme(e, a, b, false);
}

uint64_t linx_fp_min(LinxFp *e, uint64_t a, uint64_t b)
{
    return extreme(e, a, b, true);
}

uint64_t linx_fp_infinity(const LinxFp *e, bool negative)
{
    const Format *f = &formats[e->format];

    return zero(f, negative) | infinity(f);
}

bool linx_fp_is_nan(const LinxFp *e, uint64_t a)
{
    const Format *f = &formats[e->format];

    return (a & (sign_bit(f) - 1)) > infinity(f);
}

/* ---- converts ---- */

uint64_t linx_fp_convert(LinxFp *e, uint64_t a, LinxFpFormat to)
{
    const Format *f = &formats[to];
    Number n = unpack(&formats[e->format], a);
    uint64_t result;

    if (take_nan(e, f, &n, 1, &result)) {
        return result;
    }
    return n.kind == INFINITE ? infinite(e, f, n.sign) :
           n.kind == ZERO ? zero(f, n.sign) :
           pack(e, f, n.sign, n.exp, n.sig);
}

/* What is nearest to an integer that does not fit. */
static uint64_t integer_end(LinxFp *e, bool sign, unsigned bits,
                            bool is_signed)
{
    e->flags |= LINX_NV;
    if (!is_signed) {
        return sign ? 0 : ones(bits);
    }
    return sign ? ~ones(bits - 1) : ones(bits - 1);
}

uint64_t linx_fp_to_int(LinxFp *e, uint64_t a, unsigned bits, bool is_signed)
{
    Number n = unpack(&formats[e->format], a);
    uint64_t most, magnitude;
    bool inexact;

    if (is_nan(&n)) {
        e->flags |= LINX_NV;
        return 0;
    }
    if (n.kind == ZERO) {
        return 0;
    }
    if (n.kind == INFINITE || n.exp > 0) {
        return integer_end(e, n.sign, bits, is_signed);
    }
    magnitude = round_off(e, n.sign, n.sig, -n.exp, &inexact);
    most = !is_signed ? (n.sign ? 0 : ones(bits)) :
           ones(bits - 1) + n.sign;
    if (magnitude > most) {
        return integer_end(e, n.sign, bits, is_signed);
    }
    e->flags |= inexact ? LINX_NX : 0;
    return n.sign ? -magnitude : magnitude;
}

uint64_t linx_fp_from_int(LinxFp *e, uint64_t a, bool is_signed)
{
    bool sign = is_signed && a >> 63;

    return pack(e, &formats[e->format], sign, 0, sign ? -a : a);
}

/* ---- e^x ---- */

/* ln 2, 1/ln 2: their first bits behind the point. */
static const uint64_t ln2[3] = {
    0xb17217f7d1cf79ab, 0xc9e3b39803f2f6af, 0x40f343267298b62d
};

static Wide high_product(Wide a, Wide b)
{
    uint64_t a1 = a >> 64, a0 = a, b1 = b >> 64, b0 = b;
    Wide middle = ((Wide)a0 * b0 >> 64) + (uint64_t)((Wide)a1 * b0);
    Wide other = middle + (uint64_t)((Wide)a0 * b1);

    return (Wide)a1 * b1 + ((Wide)a1 * b0 >> 64) + ((Wide)a0 * b1 >> 64) +
           (other >> 64);
}

/* e^r with 127 bits behind the point; @r, below ln 2, has 128. */
static Wide exp_fraction(Wide r)
{
    const Wide one = (Wide)1 << 127;
    Wide sum = one;

    for (unsigned n = 33; n > 0; n--) {
        sum = one + high_product(sum, r) / n;
    }
    return sum;
}

/* count * ln 2 modulo 1, with 128 bits behind the point. */
static Wide ln2_times(int64_t count)
{
    uint64_t n = count < 0 ? -(uint64_t)count : (uint64_t)count;
    Wide low = (Wide)ln2[2] * n;
    Wide middle = (Wide)ln2[1] * n + (low >> 64);
    Wide product = ((Wide)(ln2[0] * n) << 64) + middle;

    return count < 0 ? -product : product;
}

/*
 * Split @n, of which the magnitude is 2^-64 to 2^12, into count * ln 2 + r with
 * r from 0 to ln 2: modulo 1 with 128 bits behind the point, where the integer
 * parts cancel out.
 */
static int64_t split(const Number *n, Wide *r)
{
    const Wide all = ln2_times(1);
    /* |x| / ln 2, good to 2^-40: 1.44 with 63 bits behind the point. */
    Wide often = (Wide)(n->sig >> 8) * 0xb8aa3b295c17f0bc >> 63;
    int64_t count = often >> -(n->exp + 8);
    Wide x = (Wide)n->sig << (n->exp + 128);

    if (n->sign) {
        count = -count - 1;
        x = -x;
    }
    *r = x - ln2_times(count);
    if (*r >> 124 >= 14) { /* a little below 0 */
        *r += all;
        count--;
    } else if (*r >= all) {
        *r -= all;
        count++;
    }
    return count;
}

/*
 * What rounding makes of @n's power of e, if libm is wrong by 2^-58 of it at
 * most and that says enough.
 */
static bool exp_by_libm(LinxFp *e, const Format *f, const Number *n,
                        uint64_t *result)
{
    LinxFp low = *e, high = *e;
    int exp;
    Wide sig;

    if (n->exp < -40 - 64 || n->exp > 9 - 64) {
        return false;
    }
    sig = (Wide)(uint64_t)ldexpl(frexpl(expl(ldexpl(
        n->sign ? -(long double)n->sig : n->sig, n->exp)), &exp), 64) << 32;
    exp -= 96;
    *result = pack(&low, f, false, exp, sig - ((Wide)1 << 38));
    if (pack(&high, f, false, exp, sig + ((Wide)1 << 38)) != *result ||
        low.flags != high.flags) {
        return false;
    }
    e->flags = low.flags;
    return true;
}

uint64_t linx_fp_exp(LinxFp *e, uint64_t a)
{
    const Format *f = &formats[e->format];
    Number n = unpack(f, a);
    uint64_t result;
    int64_t count;
    Wide r;

    if (take_nan(e, f, &n, 1, &result)) {
        return result;
    }
    if (n.kind == INFINITE) {
        return n.sign ? zero(f, false) : infinite(e, f, false);
    }
    if (n.kind == ZERO) {
        return pack(e, f, false, 0, 1);
    }
    if (n.exp < -127) { /* 1 and next to nothing */
        r = (Wide)1 << 120;
        return pack(e, f, false, -120, n.sign ? r - 1 : r + 1);
    }
    if (n.exp > 12 - 64) { /* far too large or too small */
        return pack(e, f, false, n.sign ? -(1 << 20) : 1 << 20, 1);
    }
    if (exp_by_libm(e, f, &n, &result)) {
        return result;
    }
    count = split(&n, &r);
    return pack(e, f, false, count - 127, exp_fraction(r) | 1);
}
