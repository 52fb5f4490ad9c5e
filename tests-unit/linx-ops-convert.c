/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts (linx-blocks section 9.4), all pairs of types. */
#include <string.h>
#include "float-model.h"
#include "linx-ops.h"

/* What SrcType and DstType name; bits 0: none of the profile. */
typedef struct Numbers {
    unsigned bits, count; /* of one, in a register */
    bool is_signed;
    ModelFormat format;
} Numbers;

static const Numbers floats[32] = {
    [0] = { 64, 1, 0, { 11, 52 } }, [1] = { 32, 1, 0, { 8, 23 } },
    [4] = { 16, 1, 0, { 5, 10 } }, [5] = { 16, 1, 0, { 8, 7 } },
    [7] = { 8, 1, 0, { 4, 3 } }, [8] = { 8, 1, 0, { 5, 2 } },
    [16] = { 16, 2, 0, { 5, 10 } }, [17] = { 16, 2, 0, { 8, 7 } },
    [18] = { 8, 4, 0, { 4, 3 } }, [19] = { 8, 4, 0, { 5, 2 } },
    [20] = { 8, 2, 0, { 4, 3 } }, [21] = { 8, 2, 0, { 5, 2 } },
};

static const Numbers integers[32] = {
    [0] = { 64, 1, false }, [1] = { 32, 1, false }, [2] = { 16, 1, false },
    [3] = { 8, 1, false }, [4] = { 4, 2, false }, [5] = { 16, 2, false },
    [6] = { 8, 4, false }, [8] = { 64, 1, true }, [9] = { 32, 1, true },
    [10] = { 16, 1, true }, [11] = { 8, 1, true }, [12] = { 4, 2, true },
    [13] = { 16, 2, true }, [14] = { 8, 4, true },
};

typedef struct Op {
    const char *name;
    bool from_float, to_float;
} Op;

static const Op ops[] = {
    { "fcvt", true, true }, { "fcvti", true, false },
    { "icvt", false, false }, { "icvtf", false, true },
};

static const char *const roundings[] = {
    "", ".rne", ".rtz", ".rdn", ".rup", ".rna", ".rto", ".hyb"
};

static uint64_t low(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

static uint64_t extended(const Numbers *n, uint64_t value)
{
    value = low(value, n->bits);
    return n->is_signed && value >> (n->bits - 1) & 1 ?
           value | ~low(~0ull, n->bits) : value;
}

static uint64_t clamped(const Numbers *from, const Numbers *to,
                        uint64_t value)
{
    __int128 v = from->is_signed ? (int64_t)value : (__int128)value;
    __int128 high = ((__int128)1 << (to->bits - to->is_signed)) - 1;
    __int128 least = to->is_signed ? -high - 1 : 0;

    return v > high ? high : v < least ? least : v;
}

static uint64_t model_one(const Op *op, Model *m, const Numbers *from,
                          const Numbers *to, uint64_t value)
{
    if (op->from_float) {
        m->format = from->format;
        value = low(value, from->bits);
        return op->to_float ? model_convert(m, value, to->format) :
               model_to_int(m, value, to->bits, to->is_signed);
    }
    value = extended(from, value);
    if (op->to_float) {
        bool negative = from->is_signed && value >> 63;

        m->format = to->format;
        return model_from_int(m, negative ? -value : value, negative);
    }
    return m->saturate ? clamped(from, to, value) : value;
}

/* All elements of SrcL, then those of SrcR, from the low end on. */
static uint64_t model_lane(const Op *op, Model *m, const Numbers *from,
                           const Numbers *to, uint64_t a, uint64_t b)
{
    uint64_t result = 0;

    for (unsigned n = 0; n < to->count; n++) {
        uint64_t from_reg = n < from->count ? a : b;
        uint64_t value = model_one(op, m, from, to, from_reg >>
                                   (n % from->count * from->bits));

        result |= low(value, to->bits) << (n * to->bits);
    }
    return result;
}

static uint64_t draw_element(const Numbers *n, bool is_float,
                             uint64_t *state)
{
    uint64_t r = linx_random(state), value = linx_random(state);

    if (!is_float) {
        return linx_lanes_random(state);
    }
    if (r & 3) { /* near the ends of integers */
        unsigned bias = (1 << (n->format.exponent - 1)) - 1;
        unsigned exponent = bias - 4 + (r >> 8) % 72;

        value = low(value, n->format.fraction) |
                low(exponent, n->format.exponent) << n->format.fraction |
                (r >> 2 & 1) << (n->bits - 1);
    }
    return r >> 16 & 3 ? value :
           value & ~low(~0ull, n->format.fraction / 2);
}

static void draw(const Numbers *n, bool is_float, uint64_t *lanes,
                 uint64_t *state)
{
    for (unsigned i = 0; i < 64; i++) {
        lanes[i] = 0;
        for (unsigned e = 0; e < n->count; e++) {
            lanes[i] |= low(draw_element(n, is_float, state), n->bits) <<
                        (e * n->bits);
        }
    }
}

/* No NaNs, and what fits all integers but unsigned ones of 4 bits. */
static void make_tame(const Numbers *n, uint64_t *lanes)
{
    uint64_t middle = (1ull << (n->format.exponent - 1)) - 1;

    for (unsigned i = 0; i < 64; i++) {
        uint64_t exponent = middle + i % 3;

        lanes[i] = low(lanes[i], n->format.fraction) |
                   exponent << n->format.fraction;
    }
}

static unsigned size_of(const Numbers *n)
{
    unsigned bits = n->bits * n->count;

    return bits == 64 ? 3 : bits == 32 ? 2 : bits == 16 ? 1 : 0;
}

static void run_pair(LinxLanes *l, const Op *op, unsigned src, unsigned dst,
                     bool tame, uint64_t *state)
{
    static const char *const float_types[] = { "fb", "fh", "fs", "fd" };
    static const char *const types[] = { "ub", "uh", "uw", "ud" };
    const Numbers *from = &(op->from_float ? floats : integers)[src];
    const Numbers *to = &(op->to_float ? floats : integers)[dst];
    unsigned rm = tame ? 1 + (linx_random(state) & 1) :
                  linx_random(state) & 7;
    bool sat = !tame && linx_random(state) & 1;
    const char *type = (op->from_float ? float_types :
                        types)[from->bits ? size_of(from) : 0];
    g_autofree char *text = g_strdup_printf(
        "v.%s%s%s vt#1.%s, vu#1.%s, ->vn.%c {SrcType=%u, DstType=%u}",
        op->name, sat ? ".sat" : "", roundings[rm], type, type,
        widths[to->bits ? size_of(to) : 0], src, dst);
    Model m = { .rounding = rm == 0 || rm == 7 ? MODEL_RNE : rm,
                .saturate = sat };
    bool allowed = from->bits && to->bits &&
                   (from->count == to->count || 2 * from->count == to->count);

    if (!allowed) {
        g_assert_false(linx_lanes_run(l, text, "n"));
        check_value(text, 0, l->record.trap.number, LINX_E_INST);
        check_value(text, 0, l->record.trap.cause, LINX_INST_ILLEGAL);
        return;
    }
    draw(from, op->from_float, l->a, state);
    draw(from, op->from_float, l->b, state);
    if (tame && op->from_float) {
        make_tame(from, l->a);
    }
    l->p = linx_random(state);
    l->widths[0] = l->widths[1] = widths[size_of(from)];
    l->result_width = widths[size_of(to)];
    if (!linx_lanes_run(l, text, "n")) {
        g_test_message("%s: trap", text);
        g_test_fail();
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        check_value(text, i, l->result[i], l->p >> i & 1 ?
                    model_lane(op, &m, from, to, l->a[i], l->b[i]) : 0);
    }
    check_value(text, 65, l->cstate >> 32 & 31, m.flags);
}

static void test_pairs(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 31;

    for (unsigned i = 0; i < G_N_ELEMENTS(ops); i++) {
        for (unsigned src = 0; src < 32; src++) {
            for (unsigned dst = 0; dst < 32; dst++) {
                unsigned tries = src < 16 && dst < 16 ? 4 : 1;

                for (unsigned n = 0; n < tries; n++) {
                    run_pair(l, &ops[i], src, dst, n & 1, &state);
                }
            }
        }
    }
}

/* Values that stand in no model: by hand, from the formats' definitions. */
static void test_known(void)
{
    static const struct {
        const char *text;
        char from, to;
        uint64_t a, expected;
    } cases[] = {
        /* 1.5 as binary32 to the others */
        { "v.fcvt vt#1.fs, zero.fs, ->vn.d {SrcType=1}", 'w', 'd',
          0x3fc00000, 0x3ff8000000000000 },
        { "v.fcvt vt#1.fs, zero.fs, ->vn.h {SrcType=1, DstType=4}", 'w', 'h',
          0x3fc00000, 0x3e00 },
        { "v.fcvt vt#1.fs, zero.fs, ->vn.h {SrcType=1, DstType=5}", 'w', 'h',
          0x3fc00000, 0x3fc0 },
        { "v.fcvt vt#1.fs, zero.fs, ->vn.b {SrcType=1, DstType=7}", 'w', 'b',
          0x3fc00000, 0x3c },
        { "v.fcvt vt#1.fs, zero.fs, ->vn.b {SrcType=1, DstType=8}", 'w', 'b',
          0x3fc00000, 0x3e },
        /* A signalling NaN becomes quiet and keeps its upper bits. */
        { "v.fcvt vt#1.fd, zero.fd, ->vn.h {SrcType=0, DstType=4}", 'd', 'h',
          0xfff4400000000000, 0xff10 },
        { "v.fcvti vt#1.fs, zero.fs, ->vn.w {SrcType=1, DstType=9}", 'w',
          'w', 0xc0200000, 0xfffffffe }, /* -2.5, to nearest even */
        { "v.fcvti vt#1.fs, zero.fs, ->vn.b {SrcType=1, DstType=3}", 'w',
          'b', 0x43960000, 0xff }, /* 300 */
        { "v.fcvti vt#1.fs, zero.fs, ->vn.d {SrcType=1, DstType=8}", 'w',
          'd', 0x7fc00000, 0 },
        { "v.icvt vt#1.uh, zero.uh, ->vn.d {SrcType=10, DstType=0}", 'h',
          'd', 0x8001, 0xffffffffffff8001 },
        { "v.icvt.sat vt#1.uh, zero.uh, ->vn.b {SrcType=10, DstType=3}", 'h',
          'b', 0x8001, 0 },
        { "v.icvtf vt#1.ud, zero.ud, ->vn.w {SrcType=0, DstType=1}", 'd',
          'w', ~0ull, 0x5f800000 }, /* 2^64 */
        { "v.icvtf vt#1.ud, zero.ud, ->vn.h {SrcType=8, DstType=4}", 'd',
          'h', -70000ull, 0xfc00 },
        { "v.icvtf.sat vt#1.ud, zero.ud, ->vn.h {SrcType=8, DstType=4}",
          'd', 'h', -70000ull, 0xfbff },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();

        l->a[5] = cases[i].a;
        l->widths[0] = cases[i].from;
        l->result_width = cases[i].to;
        g_assert_true(linx_lanes_run(l, cases[i].text, "n"));
        check_value(cases[i].text, 5, l->result[5], cases[i].expected);
    }
}

static void test_illegal(void)
{
    static const char *const bodies[] = {
        /* Types whose widths are not those of the operands, a mode. */
        "v.fcvt lc0.fh, zero.fh, ->vn.d {SrcType=1, DstType=0}",
        "v.fcvt lc0.fs, zero.fs, ->vn.d {SrcType=1, DstType=1}",
        "v.fcvt lc0.fh, zero.fs, ->vn.w {SrcType=4, DstType=16}",
        "v.icvt lc0.ub, zero.ub, ->vn.h {SrcType=3, DstType=3}",
        "v.fcvt lc0.fs, zero.fs, ->vn.w {mode=1, SrcType=1, DstType=1}",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        check_trapping(bodies[i], LINX_E_INST, LINX_INST_ILLEGAL);
    }
}

void add_convert_tests(void)
{
    g_test_add_func("/linx/ops/convert/pairs", test_pairs);
    g_test_add_func("/linx/ops/convert/known", test_known);
    g_test_add_func("/linx/ops/convert/illegal", test_illegal);
}
