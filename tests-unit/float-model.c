/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>
#include "float-model.h"

/* ---- integers of any size that is needed here ---- */

enum { LIMBS = 320 }; /* of 32 bits: 10240 bits */

typedef struct Big {
    unsigned used;
    uint32_t limb[LIMBS];
} Big;

static void big_set(Big *x, uint64_t value)
{
    x->limb[0] = value;
    x->limb[1] = value >> 32;
    x->used = x->limb[1] ? 2 : x->limb[0] ? 1 : 0;
}

static void big_shift(Big *x, unsigned bits)
{
    unsigned words = bits / 32, rest = bits % 32, used = x->used;

    if (!used) {
        return;
    }
    g_assert_cmpuint(used + words + 1, <=, LIMBS);
    x->limb[used] = 0;
    for (unsigned i = used + 1; i-- > 0;) {
        uint64_t pair = (uint64_t)x->limb[i] << 32 |
                        (i ? x->limb[i - 1] : 0);

        x->limb[i + words] = pair << rest >> 32;
    }
    memset(x->limb, 0, words * sizeof(x->limb[0]));
    x->used = used + words + 1;
    while (x->used && !x->limb[x->used - 1]) {
        x->used--;
    }
}

static int big_compare(const Big *a, const Big *b)
{
    if (a->used != b->used) {
        return a->used < b->used ? -1 : 1;
    }
    for (unsigned i = a->used; i-- > 0;) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

static uint32_t limb_of(const Big *x, unsigned i)
{
    return i < x->used ? x->limb[i] : 0;
}

/* a + b, or a - b if that is not negative. */
static void big_add(Big *a, const Big *b, bool minus)
{
    unsigned used = MAX(a->used, b->used) + 1;
    int64_t carry = 0;

    for (unsigned i = 0; i < used; i++) {
        carry += limb_of(a, i);
        carry += minus ? -(int64_t)limb_of(b, i) : limb_of(b, i);
        a->limb[i] = carry;
        carry >>= 32;
    }
    a->used = used;
    while (a->used && !a->limb[a->used - 1]) {
        a->used--;
    }
}

static void big_multiply(Big *a, uint64_t by)
{
    Big high = *a;

    for (unsigned half = 0; half < 2; half++) {
        Big *x = half ? &high : a;
        uint64_t carry = 0, factor = half ? by >> 32 : (uint32_t)by;

        for (unsigned i = 0; i < x->used; i++) {
            carry += x->limb[i] * factor;
            x->limb[i] = carry;
            carry >>= 32;
        }
        x->limb[x->used++] = carry;
        while (x->used && !x->limb[x->used - 1]) {
            x->used--;
        }
    }
    big_shift(&high, 32);
    big_add(a, &high, false);
}

/* ---- values ---- */

/* sig * 2^exp; the exact value of what is rounded is one over another. */
typedef struct Value {
    Big sig;
    int exp;
} Value;

/* What is to be rounded: over / under, or its square root. */
typedef struct Exact {
    Value over;
    uint64_t under; /* 1 but for quotients */
    bool root;
} Exact;

/* How s * 2^e is to @x: less, equal or greater. */
static int against(const Exact *x, uint64_t s, int e)
{
    Big left, right = x->over.sig;
    int exp = e;

    big_set(&left, s);
    if (x->root) {
        big_multiply(&left, s);
        exp = 2 * e;
    }
    big_multiply(&left, x->under);
    if (exp > x->over.exp) {
        big_shift(&left, exp - x->over.exp);
    } else {
        big_shift(&right, x->over.exp - exp);
    }
    return big_compare(&left, &right);
}

/* The largest s with s * 2^e <= x, which is below @end. */
static uint64_t floor_at(const Exact *x, int e, uint64_t end)
{
    uint64_t low = 0, high = end;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (against(x, middle, e) <= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static int bits_in(const Big *x)
{
    return 32 * (int)x->used - __builtin_clz(x->limb[x->used - 1]);
}

/* The largest e with 2^e <= x. */
static int magnitude(const Exact *x)
{
    int about = bits_in(&x->over.sig) + x->over.exp -
                (64 - __builtin_clzll(x->under));
    int low = (x->root ? about >> 1 : about) - 2, high = low + 5;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (against(x, 1, middle) <= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Of s * 2^e and the next, what @rounding names; *@inexact if neither is x. */
static uint64_t choose(const Exact *x, uint64_t s, int e, bool sign,
                       ModelRounding rounding, bool *inexact)
{
    int middle = against(x, 2 * s + 1, e - 1); /* of both, to x */

    *inexact = against(x, s, e) != 0;
    if (!*inexact) {
        return s;
    }
    switch (rounding) {
    case MODEL_RTZ:
        return s;
    case MODEL_RDN:
        return sign ? s + 1 : s;
    case MODEL_RUP:
        return sign ? s : s + 1;
    case MODEL_RTO:
        return s & 1 ? s : s + 1;
    case MODEL_RNA:
        return middle <= 0 ? s + 1 : s;
    default:
        return middle < 0 ? s + 1 : middle > 0 ? s : s + (s & 1);
    }
}

static int bias_of(const ModelFormat *f)
{
    return (1 << (f->exponent - 1)) - 1;
}

static uint64_t infinity_of(const ModelFormat *f)
{
    return ((1ull << f->exponent) - 1) << f->fraction;
}

static uint64_t sign_of(const ModelFormat *f, bool sign)
{
    return (uint64_t)sign << (f->exponent + f->fraction);
}

static uint64_t infinite(const Model *m, const ModelFormat *f, bool sign)
{
    return sign_of(f, sign) | (infinity_of(f) - (m->saturate ? 1 : 0));
}

static uint64_t overflow(Model *m, const ModelFormat *f, bool sign)
{
    bool away = m->rounding == MODEL_RNE || m->rounding == MODEL_RNA ||
                (m->rounding == MODEL_RUP && !sign) ||
                (m->rounding == MODEL_RDN && sign);

    m->flags |= MODEL_OF | MODEL_NX;
    return away ? infinite(m, f, sign) :
           sign_of(f, sign) | (infinity_of(f) - 1);
}

/* @x is not 0. */
static uint64_t round_exact(Model *m, const ModelFormat *f, const Exact *x,
                            bool sign)
{
    int least = 1 - bias_of(f), e = magnitude(x);
    int unit = MAX(e, least) - (int)f->fraction;
    uint64_t implied = 1ull << f->fraction, s, unbounded;
    bool inexact, ignored;

    /* As if exponents had no end: what overflows, and what is tiny. */
    s = floor_at(x, e - (int)f->fraction, 2 * implied);
    unbounded = choose(x, s, e - (int)f->fraction, sign, m->rounding,
                       &ignored);
    if (e > bias_of(f) || (e == bias_of(f) && unbounded == 2 * implied)) {
        return overflow(m, f, sign);
    }
    if (unit != e - (int)f->fraction) {
        s = floor_at(x, unit, 2 * implied);
    }
    s = choose(x, s, unit, sign, m->rounding, &inexact);
    if (inexact) {
        m->flags |= MODEL_NX;
        if (e < least && !(e == least - 1 && unbounded == 2 * implied)) {
            m->flags |= MODEL_UF;
        }
    }
    if (s < implied) {
        return sign_of(f, sign) | s;
    }
    if (s == 2 * implied) {
        s = implied;
        unit++;
    }
    return sign_of(f, sign) | (uint64_t)(unit + (int)f->fraction - least + 1)
           << f->fraction | (s - implied);
}

/* ---- operands ---- */

typedef enum Kind { NOTHING, FINITE, INFINITE, QUIET, SIGNALLING } Kind;

typedef struct Operand {
    Kind kind;
    bool sign;
    uint64_t sig;
    int exp;
} Operand;

static Operand operand_of(const ModelFormat *f, uint64_t a)
{
    uint64_t fraction = a & ((1ull << f->fraction) - 1);
    uint64_t exponent = a >> f->fraction & ((1ull << f->exponent) - 1);
    Operand o = { .sign = a >> (f->fraction + f->exponent) & 1 };

    if (exponent == (1ull << f->exponent) - 1) {
        o.kind = !fraction ? INFINITE :
                 fraction >> (f->fraction - 1) ? QUIET : SIGNALLING;
        return o;
    }
    o.sig = fraction + (exponent ? 1ull << f->fraction : 0);
    o.exp = (int)(exponent ? exponent : 1) - bias_of(f) - (int)f->fraction;
    o.kind = o.sig ? FINITE : NOTHING;
    return o;
}

bool model_is_nan(const ModelFormat *f, uint64_t a)
{
    return operand_of(f, a).kind >= QUIET;
}

long double model_value(const ModelFormat *f, uint64_t a)
{
    Operand o = operand_of(f, a);
    long double value = o.kind == INFINITE ? HUGE_VALL :
                        ldexpl(o.sig, o.exp);

    return o.sign ? -value : value;
}

static uint64_t invalid(Model *m, const ModelFormat *f)
{
    m->flags |= MODEL_NV;
    return infinity_of(f) | 1ull << (f->fraction - 1);
}

/* The first NaN among @values, made quiet, in format @to. */
static bool find_nan(Model *m, const uint64_t *values, unsigned count,
                     const ModelFormat *to, uint64_t *result)
{
    const ModelFormat *from = &m->format;
    bool found = false;

    for (unsigned i = 0; i < count; i++) {
        Operand o = operand_of(from, values[i]);
        uint64_t fraction = values[i] & ((1ull << from->fraction) - 1);

        if (o.kind == SIGNALLING) {
            m->flags |= MODEL_NV;
        }
        if (o.kind >= QUIET && !found) {
            int more = (int)to->fraction - (int)from->fraction;

            fraction = more >= 0 ? fraction << more : fraction >> -more;
            *result = sign_of(to, o.sign) | infinity_of(to) | fraction |
                      1ull << (to->fraction - 1);
            found = true;
        }
    }
    return found;
}

static Exact exact_of(uint64_t sig, int exp)
{
    Exact x = { .under = 1 };

    big_set(&x.over.sig, sig);
    x.over.exp = exp;
    return x;
}

/* a + b of which the exact values are given; b's sign is that of its addend. */
static uint64_t add_values(Model *m, Value *a, bool sign_a, Value *b,
                           bool sign_b)
{
    int least = MIN(a->exp, b->exp), order;
    Exact x = { .under = 1 };

    big_shift(&a->sig, a->exp - least);
    big_shift(&b->sig, b->exp - least);
    a->exp = b->exp = least;
    order = big_compare(&a->sig, &b->sig);
    if (sign_a != sign_b && order == 0) {
        return sign_of(&m->format, m->rounding == MODEL_RDN);
    }
    x.over = order >= 0 ? *a : *b;
    big_add(&x.over.sig, order >= 0 ? &b->sig : &a->sig, sign_a != sign_b);
    return round_exact(m, &m->format, &x, order >= 0 ? sign_a : sign_b);
}

uint64_t model_madd(Model *m, uint64_t a, uint64_t b, uint64_t c,
                    int sign_ab, int sign_c)
{
    const ModelFormat *f = &m->format;
    Operand oa = operand_of(f, a), ob = operand_of(f, b),
            oc = operand_of(f, c);
    bool sign = oa.sign ^ ob.sign ^ (sign_ab < 0);
    bool infinite_ab = oa.kind == INFINITE || ob.kind == INFINITE;
    bool nothing_ab = oa.kind == NOTHING || ob.kind == NOTHING;
    bool bad = infinite_ab && nothing_ab;
    Value product = { .exp = oa.exp + ob.exp }, addend = { .exp = oc.exp };
    uint64_t result;

    m->flags |= bad ? MODEL_NV : 0;
    if (find_nan(m, (uint64_t[]) { a, b, c }, 3, f, &result)) {
        return result;
    }
    oc.sign ^= sign_c < 0;
    if (bad || (infinite_ab && oc.kind == INFINITE && oc.sign != sign)) {
        return invalid(m, f);
    }
    if (infinite_ab || oc.kind == INFINITE) {
        return infinite(m, f, infinite_ab ? sign : oc.sign);
    }
    if (nothing_ab && oc.kind == NOTHING) {
        return sign_of(f, sign == oc.sign ? sign :
                       m->rounding == MODEL_RDN);
    }
    big_set(&product.sig, nothing_ab ? 0 : oa.sig);
    big_multiply(&product.sig, ob.sig);
    big_set(&addend.sig, oc.sig);
    if (nothing_ab) {
        product.exp = addend.exp;
        sign = oc.sign;
    } else if (oc.kind == NOTHING) {
        addend.exp = product.exp;
        oc.sign = sign;
    }
    return add_values(m, &product, sign, &addend, oc.sign);
}

static uint64_t add(Model *m, uint64_t a, uint64_t b, bool minus)
{
    const ModelFormat *f = &m->format;
    Operand oa = operand_of(f, a), ob = operand_of(f, b);
    Value va = { .exp = oa.exp }, vb = { .exp = ob.exp };

    ob.sign ^= minus;
    if (oa.kind == INFINITE || ob.kind == INFINITE) {
        if (oa.kind == ob.kind && oa.sign != ob.sign) {
            return invalid(m, f);
        }
        return infinite(m, f, oa.kind == INFINITE ? oa.sign : ob.sign);
    }
    if (oa.kind == NOTHING && ob.kind == NOTHING) {
        return sign_of(f, oa.sign == ob.sign ? oa.sign :
                       m->rounding == MODEL_RDN);
    }
    big_set(&va.sig, oa.sig);
    big_set(&vb.sig, ob.sig);
    return add_values(m, &va, oa.kind == NOTHING ? ob.sign : oa.sign, &vb,
                      ob.kind == NOTHING ? oa.sign : ob.sign);
}

static uint64_t multiply(Model *m, const Operand *a, const Operand *b)
{
    const ModelFormat *f = &m->format;
    bool sign = a->sign ^ b->sign;
    Exact x;

    if (a->kind == INFINITE || b->kind == INFINITE) {
        return a->kind == NOTHING || b->kind == NOTHING ? invalid(m, f) :
               infinite(m, f, sign);
    }
    if (a->kind == NOTHING || b->kind == NOTHING) {
        return sign_of(f, sign);
    }
    x = exact_of(a->sig, a->exp + b->exp);
    big_multiply(&x.over.sig, b->sig);
    return round_exact(m, f, &x, sign);
}

static uint64_t divide(Model *m, const Operand *a, const Operand *b)
{
    const ModelFormat *f = &m->format;
    bool sign = a->sign ^ b->sign;
    Exact x;

    if ((a->kind == INFINITE && b->kind == INFINITE) ||
        (a->kind == NOTHING && b->kind == NOTHING)) {
        return invalid(m, f);
    }
    if (a->kind == INFINITE || b->kind == NOTHING) {
        m->flags |= a->kind == FINITE ? MODEL_DZ : 0;
        return infinite(m, f, sign);
    }
    if (a->kind == NOTHING || b->kind == INFINITE) {
        return sign_of(f, sign);
    }
    x = exact_of(a->sig, a->exp - b->exp);
    x.under = b->sig;
    return round_exact(m, f, &x, sign);
}

static uint64_t square_root(Model *m, const Operand *a)
{
    const ModelFormat *f = &m->format;
    Exact x;

    if (a->kind == NOTHING) {
        return sign_of(f, a->sign);
    }
    if (a->sign) {
        return invalid(m, f);
    }
    if (a->kind == INFINITE) {
        return infinite(m, f, false);
    }
    x = exact_of(a->sig, a->exp);
    x.root = true;
    return round_exact(m, f, &x, false);
}

uint64_t model_arithmetic(Model *m, ModelOp op, uint64_t a, uint64_t b)
{
    const ModelFormat *f = &m->format;
    Operand oa = operand_of(f, a), ob = operand_of(f, b);
    static const Operand one = { FINITE, false, 1, 0 };
    unsigned count = op == MODEL_SQRT || op == MODEL_RECIP ? 1 : 2;
    uint64_t result;

    if (find_nan(m, (uint64_t[]) { a, b }, count, f, &result)) {
        return result;
    }
    switch (op) {
    case MODEL_ADD:
    case MODEL_SUB:
        return add(m, a, b, op == MODEL_SUB);
    case MODEL_MUL:
        return multiply(m, &oa, &ob);
    case MODEL_DIV:
        return divide(m, &oa, &ob);
    case MODEL_SQRT:
        return square_root(m, &oa);
    default:
        return divide(m, &one, &oa);
    }
}

/* ---- converts ---- */

uint64_t model_convert(Model *m, uint64_t a, ModelFormat to)
{
    Operand o = operand_of(&m->format, a);
    uint64_t result;
    Exact x;

    if (find_nan(m, &a, 1, &to, &result)) {
        return result;
    }
    if (o.kind == INFINITE) {
        return infinite(m, &to, o.sign);
    }
    if (o.kind == NOTHING) {
        return sign_of(&to, o.sign);
    }
    x = exact_of(o.sig, o.exp);
    return round_exact(m, &to, &x, o.sign);
}

uint64_t model_to_int(Model *m, uint64_t a, unsigned bits, bool is_signed)
{
    Operand o = operand_of(&m->format, a);
    uint64_t most = is_signed ? (1ull << (bits - 1)) - !o.sign :
                    o.sign ? 0 : ~0ull >> (64 - bits);
    uint64_t end = is_signed && o.sign ? -most : most, s = 0;
    bool inexact = false, fits = o.kind != INFINITE;

    if (o.kind >= QUIET) {
        m->flags |= MODEL_NV;
        return 0;
    }
    if (o.kind == FINITE) {
        Exact x = exact_of(o.sig, o.exp);

        fits = magnitude(&x) < 64;
        if (fits) {
            s = magnitude(&x) == 63 ? o.sig << o.exp :
                floor_at(&x, 0, 1ull << 63);
            s = choose(&x, s, 0, o.sign, m->rounding, &inexact);
        }
    }
    if (!fits || s > most) {
        m->flags |= MODEL_NV;
        return end;
    }
    m->flags |= inexact ? MODEL_NX : 0;
    return o.sign ? -s : s;
}

uint64_t model_from_int(Model *m, uint64_t size, bool negative)
{
    Exact x = exact_of(size, 0);

    return size ? round_exact(m, &m->format, &x, negative) : 0;
}
