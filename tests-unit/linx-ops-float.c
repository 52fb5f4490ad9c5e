/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floats (linx-blocks section 9.4), against their definition. */
#include <math.h>
#include <string.h>
#include "float-model.h"
#include "linx-ops.h"
#include "target/linx/perform.h"

typedef struct Format {
    const char *type; /* of operands */
    char width;
    ModelFormat model;
} Format;

static const Format formats[] = {
    { "fd", 'd', { 11, 52 } }, { "fs", 'w', { 8, 23 } },
    { "fh", 'h', { 5, 10 } }, { "bf", 'h', { 8, 7 } },
    { "fb", 'b', { 4, 3 } }, { "flb", 'b', { 5, 2 } },
};

/* By rm; "" is what CSTATE says. */
static const char *const roundings[] = {
    "", ".rne", ".rtz", ".rdn", ".rup", ".rna", ".rto", ".hyb"
};

static unsigned bits_of(const Format *f)
{
    return 1 + f->model.exponent + f->model.fraction;
}

static ModelRounding rounding_of(unsigned rm, unsigned frm)
{
    static const ModelRounding dynamic[8] = {
        MODEL_RNE, MODEL_RTZ, MODEL_RDN, MODEL_RUP,
        MODEL_RNE, MODEL_RNE, MODEL_RNE, MODEL_RNE, /* none of them */
    };

    return rm == 0 ? dynamic[frm] : rm == 7 ? MODEL_RNE :
           (ModelRounding)rm;
}

static uint64_t low(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

/* A number of any kind; @near: often one whose exponent is near that one's. */
static uint64_t draw(const Format *f, uint64_t *state, uint64_t near)
{
    const ModelFormat *m = &f->model;
    uint64_t r = linx_random(state), fraction = linx_random(state);
    uint64_t inf = ((1ull << m->exponent) - 1) << m->fraction;
    uint64_t sign = (r & 1) << (bits_of(f) - 1);

    fraction = low(fraction, m->fraction);
    switch (r >> 1 & 15) {
    case 0:
        return sign | inf;
    case 1:
        return sign | inf | fraction;
    case 2:
        return sign;
    case 3:
        return sign | fraction;
    case 4:
        return sign | (inf - 1 - (fraction & 1));
    case 5:
        return sign | 1ull << m->fraction;
    case 6:
        return sign | 1;
    case 7: /* few bits: exact results and ties */
        return sign | low(r >> 8, m->exponent) << m->fraction |
               (fraction & 7ull << (m->fraction > 3 ? m->fraction - 3 : 0));
    case 8:
    case 9:
    case 10: { /* cancellation */
        uint64_t exponent = near >> m->fraction;
        uint64_t more = r >> 8 & 3;

        return sign | low((exponent + more - 1) << m->fraction,
                          bits_of(f) - 1) | fraction;
    }
    default:
        return low(linx_random(state), bits_of(f));
    }
}

static void draw_lanes(const Format *f, LinxLanes *l, uint64_t *state)
{
    for (unsigned i = 0; i < 64; i++) {
        l->a[i] = draw(f, state, linx_random(state));
        l->b[i] = draw(f, state, l->a[i]);
        l->c[i] = draw(f, state, linx_random(state) & 1 ? l->a[i] :
                       l->b[i]);
    }
    memset(l->widths, f->width, 3);
    l->p = linx_random(state) | linx_random(state);
    l->result_width = f->width;
}

static void check_flags(const char *what, const LinxLanes *l,
                        unsigned expected)
{
    check_value(what, 65, l->cstate >> 32 & 31, expected);
    check_value(what, 66, l->cstate >> 37 & 7, l->frm);
}

/* ---- arithmetic ---- */

typedef struct Op {
    const char *name;
    ModelOp op;
    int sources;
    int sign_ab, sign_c; /* of multiply and add */
} Op;

static const Op ops[] = {
    { "fadd", MODEL_ADD, 2, 0, 0 }, { "fsub", MODEL_SUB, 2, 0, 0 },
    { "fmul", MODEL_MUL, 2, 0, 0 }, { "fdiv", MODEL_DIV, 2, 0, 0 },
    { "fsqrt", MODEL_SQRT, 1, 0, 0 }, { "frecip", MODEL_RECIP, 1, 0, 0 },
    { "fmadd", 0, 3, 1, 1 }, { "fmsub", 0, 3, 1, -1 },
    { "fnmadd", 0, 3, -1, -1 }, { "fnmsub", 0, 3, -1, 1 },
};

static uint64_t expected(const Op *op, Model *m, uint64_t a, uint64_t b,
                         uint64_t c)
{
    return op->sources == 3 ?
           model_madd(m, a, b, c, op->sign_ab, op->sign_c) :
           model_arithmetic(m, op->op, a, b);
}

static char *arithmetic(const Op *op, const Format *f, unsigned rm, bool sat,
                        unsigned packed)
{
    static const char *const counts[] = { "", ".x2", ".x4" };
    g_autofree char *b = g_strdup_printf(", vu#1.%s", f->type);
    g_autofree char *c = g_strdup_printf(", vm#1.%s", f->type);

    return g_strdup_printf("v.%s%s%s%s vt#1.%s%s%s, ->vn.%c", op->name,
                           sat ? ".sat" : "", counts[packed], roundings[rm],
                           f->type, op->sources > 1 ? b : "",
                           op->sources > 2 ? c : "", f->width);
}

static void run_arithmetic(LinxLanes *l, const Op *op, const Format *f,
                           unsigned rm, bool sat)
{
    g_autofree char *text = arithmetic(op, f, rm, sat, 0);
    Model m = { f->model, rounding_of(rm, l->frm), sat, 0 };

    g_assert_true(linx_lanes_run(l, text, "n"));
    for (unsigned i = 0; i < 64; i++) {
        check_value(text, i, l->result[i], l->p >> i & 1 ?
                    expected(op, &m, l->a[i], l->b[i], l->c[i]) : 0);
    }
    check_flags(text, l, m.flags);
}

static void test_arithmetic(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 21;

    for (unsigned f = 0; f < G_N_ELEMENTS(formats); f++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(ops); i++) {
            for (unsigned rm = 0; rm < 8; rm++) {
                l->frm = linx_random(&state) & 7;
                draw_lanes(&formats[f], l, &state);
                run_arithmetic(l, &ops[i], &formats[f], rm, rm == l->frm);
            }
        }
    }
}

/* One flag at a time, which no other lane hides. */
static void test_flags(void)
{
    static const struct {
        const char *text;
        uint64_t a, b;
        unsigned flags;
    } cases[] = {
        { "v.fadd vt#1.fs, vu#1.fs, ->vn.w", 0x3f800000, 0x3f800000, 0 },
        { "v.fadd vt#1.fs, vu#1.fs, ->vn.w", 0x7f800000, 0xff800000, 1 },
        { "v.fadd vt#1.fs, vu#1.fs, ->vn.w", 0x7f800001, 0x3f800000, 1 },
        { "v.fadd vt#1.fs, vu#1.fs, ->vn.w", 0x7fc00001, 0x3f800000, 0 },
        { "v.fdiv vt#1.fs, vu#1.fs, ->vn.w", 0x3f800000, 0, 2 },
        { "v.fdiv vt#1.fs, vu#1.fs, ->vn.w", 0, 0, 1 },
        { "v.fdiv vt#1.fs, vu#1.fs, ->vn.w", 0x7f800000, 0x7f800000, 1 },
        { "v.fdiv vt#1.fs, vu#1.fs, ->vn.w", 0x3f800000, 0x40400000, 16 },
        { "v.fmul vt#1.fs, vu#1.fs, ->vn.w", 0x7f000000, 0x7f000000, 20 },
        { "v.fmul vt#1.fs, vu#1.fs, ->vn.w", 0x00800000, 0x00800000, 24 },
        { "v.fmul vt#1.fs, vu#1.fs, ->vn.w", 0x00800000, 0x3f000000, 0 },
        { "v.fsqrt vt#1.fs, ->vn.w", 0xbf800000, 0, 1 },
        { "v.frecip vt#1.fs, ->vn.w", 0x80000000, 0, 2 },
        { "v.feq vt#1.fs, vu#1.fs, ->vn.w", 0x7fc00000, 0, 0 },
        { "v.feqs vt#1.fs, vu#1.fs, ->vn.w", 0x7fc00000, 0, 1 },
        { "v.flt vt#1.fs, vu#1.fs, ->vn.w", 0x7f800001, 0, 1 },
        { "v.fmax vt#1.fs, vu#1.fs, ->vn.w", 0x7fc00001, 0, 0 },
        { "v.fmax vt#1.fs, vu#1.fs, ->vn.w", 0x7f800001, 0, 1 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();

        for (unsigned lane = 0; lane < 64; lane++) {
            l->a[lane] = lane == 9 ? cases[i].a : 0x3f800000;
            l->b[lane] = lane == 9 ? cases[i].b : 0x3f800000;
        }
        strcpy(l->widths, "www");
        l->result_width = 'w';
        g_assert_true(linx_lanes_run(l, cases[i].text, "n"));
        check_flags(cases[i].text, l, cases[i].flags);
        l->p = ~(1ull << 9); /* and none of a lane that is switched off */
        g_assert_true(linx_lanes_run(l, cases[i].text, "n"));
        check_flags(cases[i].text, l, 0);
    }
}

static void test_packed(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 22;

    for (unsigned n = 0; n < 200; n++) {
        const Op *op = &ops[n % G_N_ELEMENTS(ops)];
        const Format *f = &formats[1 + n % 5];
        unsigned packed = f->width == 'w' ? 1 : 1 + (n / 5 & 1);
        unsigned bits = bits_of(f), rm = linx_random(&state) & 7;
        g_autofree char *text = arithmetic(op, f, rm, false, packed);
        char width = widths[strchr(widths, f->width) - widths + packed];
        Model m = { f->model, rounding_of(rm, 0), false, 0 };

        l->p = linx_random(&state);
        memset(l->widths, width, 3);
        l->result_width = width;
        for (unsigned i = 0; i < 64; i++) {
            l->a[i] = l->b[i] = l->c[i] = 0;
            for (unsigned e = 0; e < 1u << packed; e++) {
                l->a[i] |= draw(f, &state, 0) << (e * bits);
                l->b[i] |= draw(f, &state, l->a[i]) << (e * bits);
                l->c[i] |= draw(f, &state, l->b[i]) << (e * bits);
            }
        }
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) {
            uint64_t result = 0;

            for (unsigned e = 0; e < 1u << packed && l->p >> i & 1; e++) {
                result |= expected(op, &m, low(l->a[i] >> (e * bits), bits),
                                   low(l->b[i] >> (e * bits), bits),
                                   low(l->c[i] >> (e * bits), bits)) <<
                          (e * bits);
            }
            check_value(text, i, l->result[i], result);
        }
        check_flags(text, l, m.flags);
    }
}

/* ---- compares, least and greatest, class ---- */

/* Infinities and -0 in a form that long double compares as it should. */
static long double value_of(const Format *f, uint64_t a)
{
    return model_value(&f->model, a);
}

static bool is_signalling(const Format *f, uint64_t a)
{
    return model_is_nan(&f->model, a) &&
           !(a >> (f->model.fraction - 1) & 1);
}

typedef struct Compare {
    const char *name;
    bool less, equal, greater, unordered, signals;
} Compare;

static const Compare compares[] = {
    { "feq", 0, 1, 0, 0, 0 }, { "fne", 1, 0, 1, 1, 0 },
    { "flt", 1, 0, 0, 0, 0 }, { "fge", 0, 1, 1, 0, 0 },
    { "feqs", 0, 1, 0, 0, 1 }, { "fnes", 1, 0, 1, 1, 1 },
    { "flts", 1, 0, 0, 0, 1 }, { "fges", 0, 1, 1, 0, 1 },
};

static bool compare_model(const Compare *c, const Format *f, uint64_t a,
                          uint64_t b, unsigned *flags)
{
    if (model_is_nan(&f->model, a) || model_is_nan(&f->model, b)) {
        if (c->signals || is_signalling(f, a) || is_signalling(f, b)) {
            *flags |= MODEL_NV;
        }
        return c->unordered;
    }
    return value_of(f, a) < value_of(f, b) ? c->less :
           value_of(f, a) > value_of(f, b) ? c->greater : c->equal;
}

static void run_compare(LinxLanes *l, const Compare *c, const Format *f,
                        bool to_mask)
{
    g_autofree char *text = g_strdup_printf(
        "v.%s vt#1.%s, vu#1.%s, ->%s", c->name, f->type, f->type,
        to_mask ? "p.d" : "vn.h");
    unsigned flags = 0;
    uint64_t mask = 0;

    l->result_width = 'h';
    g_assert_true(linx_lanes_run(l, text, to_mask ? "p" : "n"));
    for (unsigned i = 0; i < 64; i++) {
        bool is = l->p >> i & 1 &&
                  compare_model(c, f, l->a[i], l->b[i], &flags);

        mask |= (uint64_t)is << i;
        if (!to_mask) {
            check_value(text, i, l->result[i], is);
        }
    }
    check_value(text, 64, l->p_after, to_mask ? mask : l->p);
    check_flags(text, l, flags);
}

static void test_compares(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 23;

    for (unsigned f = 0; f < G_N_ELEMENTS(formats); f++) {
        for (unsigned i = 0; i < 4 * G_N_ELEMENTS(compares); i++) {
            draw_lanes(&formats[f], l, &state);
            for (unsigned n = 0; n < 64; n += 5) {
                l->b[n] = l->a[n];
            }
            run_compare(l, &compares[i / 4], &formats[f], i & 1);
        }
    }
}

static uint64_t extreme_model(const Format *f, uint64_t a, uint64_t b,
                              bool wants_max, unsigned *flags)
{
    const ModelFormat *m = &f->model;
    bool nan_a = model_is_nan(m, a), nan_b = model_is_nan(m, b), swap;

    *flags |= is_signalling(f, a) || is_signalling(f, b) ? MODEL_NV : 0;
    if (nan_a && nan_b) { /* canonical: all of exponent and quiet */
        return ((1ull << (m->exponent + 1)) - 1) << (m->fraction - 1);
    }
    if (nan_a || nan_b) {
        return nan_a ? b : a;
    }
    if (value_of(f, a) == value_of(f, b)) { /* -0 is below +0 */
        bool negative_a = a >> (bits_of(f) - 1);

        return negative_a == wants_max ? b : a;
    }
    swap = (value_of(f, a) > value_of(f, b)) != wants_max;
    return swap ? b : a;
}

static void test_extremes(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 24;

    for (unsigned n = 0; n < 16 * G_N_ELEMENTS(formats); n++) {
        const Format *f = &formats[n / 16];
        g_autofree char *text = g_strdup_printf(
            "v.%s vt#1.%s, vu#1.%s, ->vn.%c", n & 1 ? "fmax" : "fmin",
            f->type, f->type, f->width);
        unsigned flags = 0;

        draw_lanes(f, l, &state);
        for (unsigned i = 0; i < 8; i++) { /* zeros of all signs */
            l->a[i] = (uint64_t)(i & 1) << (bits_of(f) - 1);
            l->b[i] = (uint64_t)(i >> 1 & 1) << (bits_of(f) - 1);
        }
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) {
            check_value(text, i, l->result[i], l->p >> i & 1 ?
                        extreme_model(f, l->a[i], l->b[i], n & 1, &flags) :
                        0);
        }
        check_flags(text, l, flags);
    }
}

static unsigned class_model(const Format *f, uint64_t a)
{
    const ModelFormat *m = &f->model;
    bool negative = a >> (bits_of(f) - 1);
    long double value = fabsl(value_of(f, a));

    if (model_is_nan(m, a)) {
        return is_signalling(f, a) ? 1 << 0 : 1 << 1;
    }
    if (isinf(value)) {
        return negative ? 1 << 2 : 1 << 6;
    }
    if (value == 0) {
        return negative ? 1 << 5 : 1 << 9;
    }
    if (value < ldexpl(1, 2 - (1 << (m->exponent - 1)))) {
        return negative ? 1 << 4 : 1 << 8;
    }
    return negative ? 1 << 3 : 1 << 7;
}

static void test_class(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 25;

    for (unsigned n = 0; n < 8 * G_N_ELEMENTS(formats); n++) {
        const Format *f = &formats[n / 8];
        g_autofree char *class = g_strdup_printf("v.fclass vt#1.%s, ->vn.h",
                                                 f->type);
        g_autofree char *abs = g_strdup_printf(
            "v.fabs%s vt#1.%s, ->vn.%c", n & 1 ? ".sat" : "", f->type,
            f->width);
        uint64_t inf = ((1ull << f->model.exponent) - 1) <<
                       f->model.fraction;

        draw_lanes(f, l, &state);
        l->result_width = 'h';
        g_assert_true(linx_lanes_run(l, class, "n"));
        for (unsigned i = 0; i < 64; i++) {
            check_value(class, i, l->result[i], l->p >> i & 1 ?
                        class_model(f, l->a[i]) : 0);
        }
        l->result_width = f->width;
        g_assert_true(linx_lanes_run(l, abs, "n"));
        for (unsigned i = 0; i < 64; i++) {
            uint64_t size = low(l->a[i], bits_of(f) - 1);

            check_value(abs, i, l->result[i], !(l->p >> i & 1) ? 0 :
                        size == inf && n & 1 ? inf - 1 : size);
        }
        check_flags(abs, l, 0);
    }
}

/* ---- e^x ---- */

/* Numbers of @f below and above @exact, which are next to each other. */
static void around(const Format *f, long double exact, uint64_t *below,
                   uint64_t *above)
{
    uint64_t low_end = 0;
    uint64_t high = ((1ull << f->model.exponent) - 1) << f->model.fraction;

    while (high - low_end > 1) {
        uint64_t middle = low_end + (high - low_end) / 2;

        if (value_of(f, middle) <= exact) {
            low_end = middle;
        } else {
            high = middle;
        }
    }
    *below = low_end;
    *above = high;
}

/* What @rounding makes of @exact, which is no number of @f but by chance. */
static uint64_t rounded(const Format *f, ModelRounding rounding,
                        long double exact)
{
    uint64_t below, above;
    long double middle;

    around(f, exact, &below, &above);
    middle = (value_of(f, below) + value_of(f, above)) / 2;
    if (above >> f->model.fraction == (1ull << f->model.exponent) - 1) {
        int ulps = (1 << (f->model.exponent - 1)) - 2 - f->model.fraction;

        middle = value_of(f, below) + ldexpl(1, ulps);
    }
    switch (rounding) {
    case MODEL_RTZ:
    case MODEL_RDN:
        return below;
    case MODEL_RUP:
        return above;
    case MODEL_RTO:
        return below & 1 ? below : above;
    default:
        return exact < middle ? below : above;
    }
}

/* expl() may be wrong by a little, and a number or a middle be that near. */
static bool exp_fits(const Format *f, ModelRounding rounding, uint64_t got,
                     long double exact)
{
    long double error = ldexpl(exact, -62);

    return got == rounded(f, rounding, exact - error) ||
           got == rounded(f, rounding, exact + error);
}

static void check_exp(const char *text, const Format *f,
                      ModelRounding rounding, uint64_t a, uint64_t got)
{
    const ModelFormat *m = &f->model;
    uint64_t inf = ((1ull << m->exponent) - 1) << m->fraction;
    uint64_t one = ((1ull << (m->exponent - 1)) - 1) << m->fraction;
    long double x = value_of(f, a);

    if (model_is_nan(m, a)) {
        check_value(text, 0, got, a | 1ull << (m->fraction - 1));
    } else if (x == 0) {
        check_value(text, 0, got, one);
    } else if (isinf(x)) {
        check_value(text, 0, got, x > 0 ? inf : 0);
    } else if (fabsl(x) < 0x1p-62L) { /* expl() is not near enough */
        bool up = rounding == MODEL_RUP;
        bool down = rounding == MODEL_RTZ || rounding == MODEL_RDN;

        check_value(text, 0, got, rounding == MODEL_RTO ?
                    (x > 0 ? one + 1 : one - 1) :
                    x > 0 ? one + up : one - down);
    } else if (!exp_fits(f, rounding, got, expl(x))) {
        g_test_message("%s: e^%.20Lg is not %" G_GINT64_MODIFIER "x", text,
                       x, got);
        g_test_fail();
    }
}

static void test_exp(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 26;

    for (unsigned n = 0; n < 48 * G_N_ELEMENTS(formats); n++) {
        const Format *f = &formats[n / 48];
        unsigned rm = n % 8;
        g_autofree char *text = g_strdup_printf(
            "v.fexp%s vt#1.%s, ->vn.%c", roundings[rm], f->type, f->width);
        uint64_t middle = (1ull << (f->model.exponent - 1)) - 1;

        draw_lanes(f, l, &state);
        for (unsigned i = 0; i < 48; i++) { /* where e^x is a number */
            uint64_t r = linx_random(&state), exponent = r >> 32 & 15;

            exponent = MIN(exponent, middle + 2);
            l->a[i] = (r & 1) << (bits_of(f) - 1) |
                      (middle + 2 - exponent) << f->model.fraction |
                      low(r >> 1, f->model.fraction);
        }
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) {
            if (l->p >> i & 1) {
                check_exp(text, f, rounding_of(rm, 0), l->a[i],
                          l->result[i]);
            } else {
                check_value(text, i, l->result[i], 0);
            }
        }
    }
}

/* e^x of binary64 whose 17 digits are published, rounded to nearest. */
static void test_exp_known(void)
{
    static const struct {
        double x, result;
    } known[] = {
        { 1, 2.7182818284590452354 }, { -1, 0.36787944117144232160 },
        { 2, 7.3890560989306502272 }, { 10, 22026.465794806716517 },
        { 0.5, 1.6487212707001281468 }, { 100, 2.6881171418161354484e43 },
        { -100, 3.7200759760208359630e-44 },
        { 709, 8.2184074615549721892e307 },
        { -745, 4.9406564584124654418e-324 }, { -746, 0 },
    };
    g_autofree LinxLanes *l = linx_lanes_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
        memcpy(&l->a[i], &known[i].x, 8);
    }
    g_assert_true(linx_lanes_run(l, "v.fexp vt#1.fd, ->vn.d", "n"));
    for (unsigned i = 0; i < G_N_ELEMENTS(known); i++) {
        uint64_t bits;

        memcpy(&bits, &known[i].result, 8);
        check_value("e^x", i, l->result[i], bits);
    }
    memset(l->a, 0, sizeof(l->a));
    memcpy(&l->a[0], &(double) { 710 }, 8);
    g_assert_true(linx_lanes_run(l, "v.fexp vt#1.fd, ->vn.d", "n"));
    check_value("e^710", 0, l->result[0], 0x7ff0000000000000);
    check_flags("e^710", l, MODEL_OF | MODEL_NX);
}

/* ---- what is not allowed ---- */

static void test_illegal(void)
{
    static const char *const bodies[] = {
        "v.fadd lc0.fs, lc0.fd, ->vn.w", "v.fadd lc0.fs, lc0.fs, ->vn.d",
        "v.fadd lc0.fh, lc0.bf, ->vn.h", "v.fadd lc0.fb, lc0.flb, ->vn.b",
        "v.fmadd lc0.fs, lc0.fs, lc0.fd, ->vn.w",
        "v.feq lc0.fs, lc0.fd, ->vn.w", "v.fmax lc0.fs, lc0.fs, ->vn.h",
        "v.fadd.x2 lc0.fd, lc0.fd, ->vn.d",
        "v.fadd.x4 lc0.fs, lc0.fs, ->vn.w",
        "v.feq.x2 lc0.fh, lc0.fh, ->p.h",
        /* Types 4 and 5 and rounding modes from 8 on are reserved. */
        ".dword 0x0055004b0020027f", ".dword 0x0000004b0600007f",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        check_trapping(bodies[i], LINX_E_INST, LINX_INST_ILLEGAL);
    }
}

/* The host's own rounding and its flags are left alone, and not used. */
static void test_host(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    unsigned before = __builtin_ia32_stmxcsr();
    static const unsigned controls[] = { 0x1f80, 0x3f80, 0x5f80, 0xffc0 };

    memcpy(&l->a[3], &(double) { 1 }, 8);
    memcpy(&l->b[3], &(double) { 3 }, 8);
    for (unsigned i = 0; i < G_N_ELEMENTS(controls); i++) {
        unsigned after;

        __builtin_ia32_ldmxcsr(controls[i]);
        linx_lanes_run(l, "v.fdiv vt#1.fd, vu#1.fd, ->vn.d", "n");
        after = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(before);
        check_value("MXCSR", 0, after, controls[i]);
        check_value("1/3", 3, l->result[3], 0x3fd5555555555555);
    }
}

/* What the host computes is what the functions in integers do. */
static void check_host(LinxOp op, const Format *f, unsigned format,
                       LinxHostFn *host, uint64_t *state)
{
    static LinxLanes lanes; /* large */
    uint64_t here[64], there[64] = { 0 };
    LinxOperands x = {
        .a = lanes.a, .b = lanes.b, .c = lanes.c, .lanes = 64,
        .fp = { .format = format, .rounding = LINX_RNE },
    }, y;

    draw_lanes(f, &lanes, state);
    x.active = lanes.p;
    y = x;
    x.result = here;
    linx_host_do(host, linx_meanings[op].fn, &x);
    y.result = there;
    linx_meanings[op].fn(&y);
    for (unsigned i = 0; i < 64; i++) {
        if (lanes.p >> i & 1) {
            check_value(linx_rows[op].name, i, here[i], there[i]);
        }
    }
    check_value(linx_rows[op].name, 65, x.fp.flags, y.fp.flags);
}

static void test_host_agrees(void)
{
    uint64_t state = 27;
    unsigned count = 0;

    for (unsigned op = 0; op < LINX_OPS; op++) {
        for (unsigned format = LINX_FP_FD; format <= LINX_FP_FS; format++) {
            LinxHostFn *host = linx_host_float(op, format);

            count += host != NULL;
            for (unsigned n = 0; host && n < 500; n++) {
                check_host(op, &formats[format], format, host, &state);
            }
        }
    }
    g_assert_cmpuint(count, >=, 12); /* 20 where multiply-add is fused */
}

void add_float_tests(void)
{
    g_test_add_func("/linx/ops/float/arithmetic", test_arithmetic);
    g_test_add_func("/linx/ops/float/flags", test_flags);
    g_test_add_func("/linx/ops/float/packed", test_packed);
    g_test_add_func("/linx/ops/float/compares", test_compares);
    g_test_add_func("/linx/ops/float/extremes", test_extremes);
    g_test_add_func("/linx/ops/float/class", test_class);
    g_test_add_func("/linx/ops/float/exp", test_exp);
    g_test_add_func("/linx/ops/float/exp-known", test_exp_known);
    g_test_add_func("/linx/ops/float/illegal", test_illegal);
    g_test_add_func("/linx/ops/float/host", test_host);
    g_test_add_func("/linx/ops/float/host-agrees", test_host_agrees);
}
