/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reductions, shuffles, selects, moves (linx-blocks sections 8.2, 9.5). */
#include <string.h>
#include "float-model.h"
#include "linx-ops.h"

/* ---- reductions ---- */

typedef struct Reduction {
    const char *name;
    bool is_float;
} Reduction;

/* In the order of Kind. */
static const Reduction reductions[] = {
    { "rdadd", 0 }, { "rdand", 0 }, { "rdor", 0 }, { "rdxor", 0 },
    { "rdmax", 0 }, { "rdmin", 0 },
    { "rdfadd", 1 }, { "rdfmax", 1 }, { "rdfmin", 1 },
};

static const char *const float_types[] = {
    "fd", "fs", "fh", "fb", NULL, NULL, "bf", "flb"
};

static const ModelFormat formats[8] = {
    { 11, 52 }, { 8, 23 }, { 5, 10 }, { 4, 3 }, { 0, 0 }, { 0, 0 },
    { 8, 7 }, { 5, 2 },
};

typedef enum Kind { ADD, AND, OR, XOR, MAX_, MIN_, FADD, FMAX, FMIN } Kind;

/* Floats by value: those of these tests are no NaNs and no two zeros. */
static uint64_t fold(Kind kind, Model *m, unsigned type, uint64_t sum,
                     uint64_t v)
{
    bool less = type >= 4 ? (int64_t)v < (int64_t)sum : v < sum;

    if (kind >= FMAX) {
        less = model_value(&m->format, v) < model_value(&m->format, sum);
    }
    switch (kind) {
    case ADD:
        return sum + v;
    case AND:
        return sum & v;
    case OR:
        return sum | v;
    case XOR:
        return sum ^ v;
    case FADD:
        return model_arithmetic(m, MODEL_ADD, sum, v);
    default:
        return less == (kind == MAX_ || kind == FMAX) ? sum : v;
    }
}

static uint64_t start_of(const char *name, unsigned type)
{
    unsigned bits = 8 << type_size(type);
    uint64_t top = 1ull << (bits - 1);
    uint64_t inf = ((1ull << formats[type].exponent) - 1) <<
                   formats[type].fraction;

    if (!strcmp(name, "rdand")) {
        return ~0ull;
    }
    if (!strcmp(name, "rdmax")) {
        return type >= 4 ? -top : 0;
    }
    if (!strcmp(name, "rdmin")) {
        return type >= 4 ? top - 1 : top + (top - 1);
    }
    return !strcmp(name, "rdfmax") ? inf | top :
           !strcmp(name, "rdfmin") ? inf : 0;
}

/* Elements 0 of all lanes in the order of lanes, then elements 1. */
static uint64_t reduced(const Reduction *r, Model *m, const LinxLanes *l,
                        unsigned type, unsigned packed, uint64_t sum)
{
    unsigned bits = 8 << type_size(type);

    for (unsigned n = 0; n < 1u << packed; n++) {
        for (unsigned i = 0; i < 64; i++) {
            uint64_t v = l->a[i] >> (n * bits & 63);

            if (l->p >> i & 1) {
                sum = fold(r - reductions, m, type, sum, r->is_float ?
                           cut(v, type_size(type)) : typed(v, type));
            }
        }
    }
    return sum;
}

/* Numbers of which no two are 0, and none is a NaN or infinite. */
static uint64_t draw_float(unsigned type, uint64_t *state)
{
    const ModelFormat *f = &formats[type];
    uint64_t r = linx_random(state), bias = (1ull << (f->exponent - 1)) - 1;

    return (r & 1) << (f->exponent + f->fraction) |
           (bias + (r >> 1 & 3) - 2) << f->fraction |
           (r >> 8 & ((1ull << f->fraction) - 1));
}

static void draw_values(const Reduction *r, LinxLanes *l, unsigned type,
                        unsigned packed, uint64_t *state)
{
    unsigned bits = 8 << type_size(type);

    for (unsigned i = 0; i < 64; i++) {
        l->a[i] = r->is_float ? 0 : linx_lanes_random(state);
        for (unsigned n = 0; n < 1u << packed && r->is_float; n++) {
            l->a[i] |= draw_float(type, state) << (n * bits & 63);
        }
    }
}

static void run_reduction(LinxLanes *l, const Reduction *r, unsigned type,
                          unsigned packed, bool to_ro, uint64_t *state)
{
    static const char *const counts[] = { "", ".x2", ".x4" };
    g_autofree char *text = g_strdup_printf(
        "v.%s%s vt#1.%s, ->%s.d", r->name, counts[packed],
        r->is_float ? float_types[type] : int_types[type],
        to_ro ? "ro0" : "t");
    Model m = { formats[type], MODEL_RNE, false, 0 };
    uint64_t expected;

    draw_values(r, l, type, packed, state);
    l->widths[0] = widths[type_size(type) + packed];
    l->p = linx_random(state) % 5 ? linx_random(state) : 0;
    l->ro = r->is_float ? draw_float(type, state) : linx_random(state);
    expected = reduced(r, &m, l, type, packed,
                       to_ro ? l->ro : start_of(r->name, type));
    if (!linx_lanes_run(l, text, to_ro ? "" : "t")) {
        g_test_message("%s: trap", text);
        g_test_fail();
        return;
    }
    check_value(text, 0, to_ro ? l->ro_after : l->t_after, expected);
    check_value(text, 65, to_ro ? 0 : l->cstate >> 32 & 31,
                to_ro ? 0 : m.flags);
}

static void test_reductions(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 41;

    for (unsigned i = 0; i < G_N_ELEMENTS(reductions); i++) {
        for (unsigned n = 0; n < 96; n++) {
            const Reduction *r = &reductions[i];
            unsigned type = n & 7, packed = n >> 3 & 1 ? 1 + (n >> 4 & 1) : 0;

            if ((r->is_float && (type == 4 || type == 5)) ||
                type_size(type) + packed > 3) {
                continue;
            }
            run_reduction(l, r, type, packed, n >> 5 & 1, &state);
        }
    }
}

static void test_reduction_limits(void)
{
    static const char *const bodies[] = {
        "v.rdadd lc0.uh, ->t.w", "v.rdadd.x2 lc0.ud, ->t.d",
        "v.rdfadd.x4 lc0.fs, ->t.d",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        check_trapping(bodies[i], LINX_E_INST, LINX_INST_ILLEGAL);
    }
    check_trapping("v.rdadd lc0.uh, ->ro1.d", LINX_E_BLOCK,
                   LINX_BLOCK_INVAL_SET);
}

/* ---- shuffles ---- */

static unsigned source_lane(const char *form, unsigned l, uint64_t p,
                            uint64_t range)
{
    uint64_t from = l, within;

    range = range ? range : 64;
    within = l % range;
    if (!strcmp(form, "bfly")) {
        from = l ^ p;
    } else if (!strcmp(form, "idx")) {
        from = l - within + p % range;
    } else if (!strcmp(form, "up")) {
        from = within < p % range ? l : l - p % range;
    } else {
        from = (unsigned __int128)within + p % range < range ?
               l + p % range : l;
    }
    return from < 64 ? from : l;
}

/* Register forms take each lane's own range and parameter. */
static void test_shuffles(void)
{
    static const char *const forms[] = { "up", "down", "bfly", "idx" };
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 42;

    for (unsigned n = 0; n < 400; n++) {
        const char *form = forms[n & 3];
        bool is_bfly = (n & 3) == 2, is_imm = n >> 2 & 1;
        unsigned type = linx_random(&state) & 7;
        unsigned size = linx_random(&state) & 3;
        unsigned imm = linx_random(&state) & (n & 8 ? 0x3fff : 63);
        g_autofree char *range = g_strdup(is_bfly ? "" : "vu#1.uh, ");
        g_autofree char *last = is_imm ? g_strdup_printf("%u", imm) :
                                g_strdup("vm#1.uh");
        g_autofree char *text = g_strdup_printf(
            "v.%s.%s vt#1.%s, %s%s, ->vn.%c", is_imm ? "shfli" : "shfl",
            form, int_types[type], range, last, widths[size]);

        for (unsigned i = 0; i < 64; i++) {
            l->a[i] = linx_random(&state);
            l->b[i] = n & 16 ? 0 : n & 32 ? 8 : linx_random(&state) & 127;
            l->c[i] = linx_random(&state) & (n & 64 ? 0xffff : 63);
        }
        l->p = linx_random(&state);
        l->widths[0] = widths[type_size(type)];
        l->widths[1] = l->widths[2] = 'h';
        l->result_width = widths[size];
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) {
            unsigned from = source_lane(form, i, is_imm ? imm : l->c[i],
                                        l->b[i]);
            bool masked = is_bfly && !is_imm && !(l->p >> i & 1);

            check_value(text, i, l->result[i], masked ? 0 :
                        cut(typed(l->a[from], type), size));
        }
    }
}

/* ---- selects and moves ---- */

static void test_select(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 43;

    for (unsigned n = 0; n < 60; n++) {
        unsigned left = linx_random(&state) & 7;
        unsigned right = linx_random(&state) & 7;
        unsigned size = linx_random(&state) & 3;
        bool negates = n & 1;
        const char *mask = n % 3 == 0 ? "t#1.ud" : n % 3 == 1 ? "p.sb" :
                           "vm#1.ud";
        g_autofree char *text = g_strdup_printf(
            "v.psel vt#1.%s, vu#1.%s%s, %s, ->vn.%c", int_types[left],
            int_types[right], negates ? ".neg" : "", mask, widths[size]);

        for (unsigned i = 0; i < 64; i++) {
            l->a[i] = linx_random(&state);
            l->b[i] = linx_random(&state);
            l->c[i] = linx_random(&state);
        }
        l->p = linx_random(&state);
        l->t = linx_random(&state);
        l->widths[0] = widths[type_size(left)];
        l->widths[1] = widths[type_size(right)];
        l->result_width = widths[size];
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) {
            uint64_t bits = n % 3 == 0 ? l->t : n % 3 == 1 ? l->p : l->c[i];
            uint64_t b = typed(l->b[i], right);
            uint64_t chosen = bits >> i & 1 ? typed(l->a[i], left) :
                              negates ? -b : b;

            check_value(text, i, l->result[i], l->p >> i & 1 ?
                        cut(chosen, size) : 0);
        }
    }
}

static void test_move(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 44;

    for (unsigned n = 0; n < 32; n++) {
        unsigned type = n & 7, size = n >> 3;
        g_autofree char *text = g_strdup_printf(
            "v.mov vt#1.%s, ->vn.%c", int_types[type], widths[size]);

        for (unsigned i = 0; i < 64; i++) {
            l->a[i] = linx_random(&state);
        }
        l->p = 0xf0f0;
        l->widths[0] = widths[type_size(type)];
        l->result_width = widths[size];
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) { /* P does not matter */
            check_value(text, i, l->result[i],
                        cut(typed(l->a[i], type), size));
        }
    }
}

void add_lane_tests(void)
{
    g_test_add_func("/linx/ops/lane/reductions", test_reductions);
    g_test_add_func("/linx/ops/lane/reduction-limits",
                    test_reduction_limits);
    g_test_add_func("/linx/ops/lane/shuffles", test_shuffles);
    g_test_add_func("/linx/ops/lane/select", test_select);
    g_test_add_func("/linx/ops/lane/move", test_move);
}
