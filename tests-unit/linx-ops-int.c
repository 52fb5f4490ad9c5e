/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer instructions (linx-blocks sections 9.1, 9.2 and 10). */
#include <string.h>
#include "linx-ops.h"

/* ---- models of 64-bit values ---- */

typedef uint64_t Fn(uint64_t a, uint64_t b, uint64_t c);

static uint64_t add(uint64_t a, uint64_t b, uint64_t c)
{
    return a + b + 0 * c;
}

static uint64_t sub(uint64_t a, uint64_t b, uint64_t c)
{
    return a + ~b + 1 + 0 * c;
}

static uint64_t and(uint64_t a, uint64_t b, uint64_t c)
{
    return ~(~a | ~b) + 0 * c;
}

static uint64_t or(uint64_t a, uint64_t b, uint64_t c)
{
    return ~(~a & ~b) + 0 * c;
}

static uint64_t xor(uint64_t a, uint64_t b, uint64_t c)
{
    return (a | b) - and(a, b, c);
}

static uint64_t sll(uint64_t a, uint64_t b, uint64_t c)
{
    for (b %= 64; b > 0; b--) {
        a += a;
    }
    return a + 0 * c;
}

static uint64_t srl(uint64_t a, uint64_t b, uint64_t c)
{
    for (b %= 64; b > 0; b--) {
        a /= 2;
    }
    return a + 0 * c;
}

static uint64_t sra(uint64_t a, uint64_t b, uint64_t c)
{
    for (b %= 64; b > 0; b--) {
        a = a / 2 | (a & 1ull << 63);
    }
    return a + 0 * c;
}

static uint64_t eq(uint64_t a, uint64_t b, uint64_t c)
{
    return !(a ^ b) + 0 * c;
}

static uint64_t ne(uint64_t a, uint64_t b, uint64_t c)
{
    return 1 - eq(a, b, c);
}

static uint64_t both(uint64_t a, uint64_t b, uint64_t c)
{
    return and(a, b, c) ? 1 : 0;
}

static uint64_t any(uint64_t a, uint64_t b, uint64_t c)
{
    return (a || b) + 0 * c;
}

static uint64_t ltu(uint64_t a, uint64_t b, uint64_t c)
{
    return (unsigned __int128)a - b > a + 0 * c;
}

static uint64_t geu(uint64_t a, uint64_t b, uint64_t c)
{
    return 1 - ltu(a, b, c);
}

static uint64_t lt(uint64_t a, uint64_t b, uint64_t c)
{
    return ltu(a + (1ull << 63), b + (1ull << 63), c);
}

static uint64_t ge(uint64_t a, uint64_t b, uint64_t c)
{
    return 1 - lt(a, b, c);
}

static uint64_t mul(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sum = 0 * c;

    for (unsigned i = 0; i < 64; i++) {
        sum += b >> i & 1 ? a << i : 0;
    }
    return sum;
}

static uint64_t madd(uint64_t a, uint64_t b, uint64_t c)
{
    return mul(a, b, c) + c;
}

static uint64_t csel(uint64_t a, uint64_t b, uint64_t c)
{
    return c == 0 ? b : a;
}

/* Schoolbook division. */
static uint64_t divide(uint64_t a, uint64_t b, bool wants_rest)
{
    unsigned __int128 rest = 0;
    uint64_t quotient = 0;

    for (unsigned i = 64; i-- > 0;) {
        rest = rest * 2 + (a >> i & 1);
        quotient *= 2;
        if (rest >= b) {
            rest -= b;
            quotient++;
        }
    }
    return wants_rest ? (uint64_t)rest : quotient;
}

static uint64_t divu(uint64_t a, uint64_t b, uint64_t c)
{
    return b == 0 ? ~0ull : divide(a, b, false) + 0 * c;
}

static uint64_t remu(uint64_t a, uint64_t b, uint64_t c)
{
    return b == 0 ? a : divide(a, b, true) + 0 * c;
}

static uint64_t size_of(uint64_t a)
{
    return a >> 63 ? -a : a;
}

static uint64_t div_signed(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t quotient = divu(size_of(a), size_of(b), c);

    return b == 0 ? ~0ull : (a ^ b) >> 63 ? -quotient : quotient;
}

static uint64_t rem_signed(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t rest = remu(size_of(a), size_of(b), c);

    return b == 0 ? a : a >> 63 ? -rest : rest;
}

static uint64_t max(uint64_t a, uint64_t b, uint64_t c)
{
    return lt(a, b, c) ? b : a;
}

static uint64_t min(uint64_t a, uint64_t b, uint64_t c)
{
    return lt(a, b, c) ? a : b;
}

static uint64_t maxu(uint64_t a, uint64_t b, uint64_t c)
{
    return ltu(a, b, c) ? b : a;
}

static uint64_t minu(uint64_t a, uint64_t b, uint64_t c)
{
    return ltu(a, b, c) ? a : b;
}

/* ---- 64-bit forms ---- */

enum {
    CHANGES = 1,   /* the right source has a modifier */
    SHIFTS = 2,    /* and a shift */
    THIRD = 4,     /* it has a third source */
    PACKS = 8,     /* x2 and x4 */
    SAME_SIGN = 16,
    TO_MASK = 32,  /* its result may go to P */
    BITWISE = 64,  /* its modifier is a complement */
    UIMM = 128, SIMM = 256, SHAMT = 512, /* the right source is a number */
};

typedef struct Row {
    const char *name;
    Fn *fn, *unsigned_fn; /* of an unsigned left source, if another */
    unsigned flags;
} Row;

static const Row rows[] = {
    { "add", add, NULL, CHANGES | SHIFTS | PACKS },
    { "sub", sub, NULL, CHANGES | SHIFTS | PACKS },
    { "and", and, NULL, CHANGES | SHIFTS | PACKS | BITWISE },
    { "or", or, NULL, CHANGES | SHIFTS | PACKS | BITWISE },
    { "xor", xor, NULL, CHANGES | SHIFTS | PACKS | BITWISE },
    { "srl", srl, NULL, PACKS },
    { "sra", sra, NULL, PACKS },
    { "sll", sll, NULL, PACKS },
    { "addi", add, NULL, UIMM | PACKS },
    { "subi", sub, NULL, UIMM | PACKS },
    { "andi", and, NULL, SIMM | PACKS },
    { "ori", or, NULL, SIMM | PACKS },
    { "xori", xor, NULL, SIMM | PACKS },
    { "srli", srl, NULL, SHAMT | PACKS },
    { "srai", sra, NULL, SHAMT | PACKS },
    { "slli", sll, NULL, SHAMT | PACKS },
    { "cmp.eq", eq, NULL, TO_MASK | PACKS },
    { "cmp.ne", ne, NULL, TO_MASK | PACKS },
    { "cmp.and", both, NULL, TO_MASK | PACKS },
    { "cmp.or", any, NULL, TO_MASK | PACKS },
    { "cmp.lt", lt, NULL, TO_MASK | PACKS },
    { "cmp.ge", ge, NULL, TO_MASK | PACKS },
    { "cmp.ltu", ltu, NULL, TO_MASK | PACKS },
    { "cmp.geu", geu, NULL, TO_MASK | PACKS },
    { "cmp.eqi", eq, NULL, TO_MASK | SIMM | PACKS },
    { "cmp.nei", ne, NULL, TO_MASK | SIMM | PACKS },
    { "cmp.andi", both, NULL, TO_MASK | SIMM | PACKS },
    { "cmp.ori", any, NULL, TO_MASK | SIMM | PACKS },
    { "cmp.lti", lt, NULL, TO_MASK | SIMM | PACKS },
    { "cmp.gei", ge, NULL, TO_MASK | SIMM | PACKS },
    { "cmp.ltui", ltu, NULL, TO_MASK | UIMM | PACKS },
    { "cmp.geui", geu, NULL, TO_MASK | UIMM | PACKS },
    { "mul", mul, NULL, PACKS | SAME_SIGN },
    { "madd", madd, NULL, PACKS | THIRD },
    { "div", div_signed, divu, PACKS | SAME_SIGN },
    { "rem", rem_signed, remu, PACKS | SAME_SIGN },
    { "max", max, maxu, PACKS | SAME_SIGN },
    { "min", min, minu, PACKS | SAME_SIGN },
    { "csel", csel, NULL, CHANGES | THIRD },
};

/* What is drawn for one try. */
typedef struct Try {
    const Row *row;
    unsigned left, right, third; /* types */
    unsigned result;             /* log2 of bytes of an element */
    unsigned packed;             /* log2 of elements */
    bool changes, to_mask, saturates;
    unsigned shift;
    int64_t imm;
} Try;

static bool has_imm(const Row *row)
{
    return row->flags & (UIMM | SIMM | SHAMT);
}

static Try draw(const Row *row, uint64_t *state)
{
    uint64_t r = linx_random(state);
    Try t = {
        .row = row, .left = r & 7, .right = r >> 3 & 7,
        .third = r >> 6 & 7, .result = r >> 9 & 3,
        .packed = row->flags & PACKS && r >> 11 & 1 ? 1 + (r >> 12 & 1) : 0,
        .changes = row->flags & CHANGES && r >> 13 & 1,
        .shift = row->flags & SHIFTS && r >> 14 & 1 ? r >> 15 & 31 : 0,
        .imm = row->flags & UIMM ? (int64_t)(r >> 20 & 4095) :
               row->flags & SIMM ? (int64_t)(r >> 20 & 4095) - 2048 :
               (int64_t)(r >> 20 & 63),
        .to_mask = row->flags & TO_MASK && r >> 32 & 1,
    };

    if (row->flags & SAME_SIGN) {
        t.right = (t.right & 3) | (t.left & 4);
    }
    t.saturates = (row->fn == add || row->fn == sub) && !has_imm(row) &&
                  r >> 33 & 1;
    if (t.to_mask) {
        t.packed = 0;
    }
    /* The elements of a register have 64 bits at most. */
    if (MAX(MAX(type_size(t.left), type_size(t.right)),
            MAX(type_size(t.third), t.result)) + t.packed > 3) {
        t.packed = 0;
    }
    return t;
}

static char *instruction_of(const Try *t)
{
    static const char *const counts[] = { "", ".x2", ".x4" };
    const Row *row = t->row;
    GString *text = g_string_new(NULL);

    g_string_printf(text, "v.%s%s%s vt#1.%s", row->name,
                    t->saturates ? ".sat" : "", counts[t->packed],
                    int_types[t->left]);
    if (has_imm(row)) {
        g_string_append_printf(text, ", %d", (int)t->imm);
    } else {
        g_string_append_printf(text, ", vu#1.%s", int_types[t->right]);
    }
    if (t->changes) {
        g_string_append(text, row->flags & BITWISE ? ".not" : ".neg");
    }
    if (t->shift) {
        g_string_append_printf(text, "<<%u", t->shift);
    }
    if (row->flags & THIRD) {
        g_string_append_printf(text, ", vm#1.%s", int_types[t->third]);
    }
    g_string_append_printf(text, ", ->%s.%c", t->to_mask ? "p" : "vn",
                           t->to_mask ? 'd' : widths[t->result]);
    return g_string_free(text, FALSE);
}

static uint64_t changed(const Try *t, uint64_t b)
{
    if (t->changes) {
        b = t->row->flags & BITWISE ? b ^ ~0ull : 0 - b;
    }
    return b << t->shift;
}

/* The exact sum, cut where the result's range ends. */
static uint64_t saturated(const Try *t, uint64_t a, uint64_t b)
{
    __int128 x = t->left >= 4 ? (int64_t)a : (__int128)a;
    __int128 y = t->right >= 4 ? (int64_t)b : (__int128)b;
    bool minus = t->changes ^ (t->row->fn == sub);
    unsigned bits = 8 << t->result;
    __int128 low = 0, high = ((__int128)1 << bits) - 1;

    if (t->left >= 4 || t->right >= 4) {
        low = -((__int128)1 << (bits - 1));
        high += low;
    }
    for (unsigned i = 0; i < t->shift; i++) {
        y += y;
    }
    x = minus ? x - y : x + y;
    return x < low ? low : x > high ? high : x;
}

static uint64_t expected_element(const Try *t, uint64_t a, uint64_t b,
                                 uint64_t c)
{
    const Row *row = t->row;
    Fn *fn = row->unsigned_fn && t->left < 4 ? row->unsigned_fn : row->fn;

    a = typed(a, t->left);
    b = typed(b, t->right);
    if (t->saturates) {
        return cut(saturated(t, a, b), t->result);
    }
    b = has_imm(row) ? (uint64_t)t->imm : changed(t, b);
    return cut(fn(a, b, typed(c, t->third)), t->result);
}

static uint64_t expected_lane(const Try *t, const LinxLanes *l, unsigned i)
{
    uint64_t result = 0;

    for (unsigned n = 0; n < 1u << t->packed; n++) {
        uint64_t element = expected_element(
            t, l->a[i] >> (n * (8 << type_size(t->left)) & 63),
            l->b[i] >> (n * (8 << type_size(t->right)) & 63),
            l->c[i] >> (n * (8 << type_size(t->third)) & 63));

        result |= element << (n * (8 << t->result));
    }
    return result;
}

static void draw_operands(LinxLanes *l, uint64_t *state)
{
    for (unsigned i = 0; i < 64; i++) {
        l->a[i] = linx_lanes_random(state);
        l->b[i] = linx_lanes_random(state);
        l->c[i] = linx_lanes_random(state);
    }
    l->p = linx_random(state) & 3 ? linx_random(state) : ~0ull;
}

static void run_try(const Try *t, LinxLanes *l)
{
    g_autofree char *text = instruction_of(t);
    uint64_t mask = 0;

    l->widths[0] = widths[type_size(t->left) + t->packed];
    l->widths[1] = widths[type_size(t->right) + t->packed];
    l->widths[2] = widths[type_size(t->third) + t->packed];
    l->result_width = widths[t->result + t->packed];
    if (!linx_lanes_run(l, text, t->to_mask ? "p" : "np")) {
        g_test_message("%s: trap %u/%u", text, l->record.trap.number,
                       l->record.trap.cause);
        g_test_fail();
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        uint64_t expected = l->p >> i & 1 ? expected_lane(t, l, i) : 0;

        if (t->to_mask) {
            mask |= (expected & 1) << i;
        } else {
            check_value(text, i, l->result[i], expected);
        }
    }
    check_value(text, 64, l->p_after, t->to_mask ? mask : l->p);
}

static void test_long(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 1;

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned n = 0; n < 60; n++) {
            Try t = draw(&rows[i], &state);

            draw_operands(l, &state);
            run_try(&t, l);
        }
    }
}

/* The same operations once a group, of what lane 0 has. */
static void test_scalar(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 2;

    l->p = 0xff00;
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned n = 0; n < 10; n++) {
            Try t = draw(&rows[i], &state);
            g_autofree char *vector = NULL;
            g_autofree char *text = NULL;

            t.packed = 0;
            t.to_mask = false;
            vector = instruction_of(&t);
            *strstr(vector, "->vn") = '\0';
            text = g_strdup_printf("%s->t.%c", vector, widths[t.result]);
            draw_operands(l, &state);
            l->widths[0] = widths[type_size(t.left)];
            l->widths[1] = widths[type_size(t.right)];
            l->widths[2] = widths[type_size(t.third)];
            l->t_width = widths[t.result];
            g_assert_true(linx_lanes_run(l, text, "t"));
            check_value(text, 0, l->t_after, expected_lane(&t, l, 0));
        }
    }
}

static void test_signs(void)
{
    static const char *const names[] = { "mul", "div", "rem", "max", "min" };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text = g_strdup_printf(
            "v.%s lc0.uh, lc0.sh, ->vn.d", names[i]);

        check_trapping(text, LINX_E_INST, LINX_INST_ILLEGAL);
    }
}

/* Packed registers of more than 64 bits, and of P, do not exist. */
static void test_packed_limits(void)
{
    static const char *const bodies[] = {
        "v.add.x2 lc0.ud, lc0.uh, ->vn.h", "v.add.x4 lc0.uh, lc0.uw, ->vn.h",
        "v.add.x2 lc0.uh, lc0.uh, ->vn.d", "v.add.x4 lc0.uh, lc0.uh, ->vn.w",
        "v.cmp.eq.x2 lc0.uh, lc0.uh, ->p.h",
        "v.madd.x2 lc0.uh, lc0.uh, lc0.ud, ->vn.h",
        /* A packed pair is one register of twice the width. */
        "v.add.x2 lc0.uh, lc0.uh, ->vt.h\nv.addi vt#1.uh, 0, ->vn.h",
        "v.addi lc0.uh, 0, ->vt.h\nv.add.x2 vt#1.uh, lc0.uh, ->vn.h",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        check_trapping(bodies[i], LINX_E_INST, LINX_INST_ILLEGAL);
    }
}

/* ---- bit fields ---- */

/* Bit @n of the ring that the type's bits are. */
static unsigned ring_bit(uint64_t a, unsigned type, unsigned n)
{
    return a >> n % (8 << type_size(type)) & 1;
}

static uint64_t bit_model(const char *name, uint64_t a, unsigned type,
                          unsigned m, unsigned n)
{
    unsigned width = 8 << type_size(type), zeros = 0, ones = 0, i;
    uint64_t result = 0, set = typed(a, type), cleared = set;

    for (i = 0; i < n; i++) {
        result |= (uint64_t)ring_bit(a, type, m + i) << i;
        ones += ring_bit(a, type, m + i);
        set |= 1ull << (m + i) % width;
        cleared &= ~(1ull << (m + i) % width);
    }
    if (!strcmp(name, "bxu")) {
        return result;
    }
    if (!strcmp(name, "bxs")) {
        for (; i < 64; i++) {
            result |= (uint64_t)ring_bit(a, type, m + n - 1) << i;
        }
        return result;
    }
    if (!strcmp(name, "bis") || !strcmp(name, "bic")) {
        return name[2] == 's' ? set : cleared;
    }
    if (!strcmp(name, "bcnt")) {
        return ones;
    }
    while (zeros < n && !ring_bit(a, type, name[1] == 't' ? m + zeros :
                                  m + n - 1 - zeros)) {
        zeros++;
    }
    return zeros;
}

static const char *const bit_names[] = {
    "bxs", "bxu", "bic", "bis", "ctz", "clz", "bcnt"
};

static void test_bits(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 3;

    for (unsigned n = 0; n < 40 * G_N_ELEMENTS(bit_names); n++) {
        const char *name = bit_names[n % G_N_ELEMENTS(bit_names)];
        uint64_t r = linx_random(&state);
        unsigned type = r & 7, width = 8 << type_size(type);
        unsigned m = (r >> 8) % MIN(width + 1, 64), size = r >> 20 & 3;
        unsigned count = 1 + (r >> 32) % width;
        g_autofree char *text = g_strdup_printf(
            "v.%s vt#1.%s, %u, %u, ->vn.%c", name, int_types[type], m, count,
            widths[size]);

        draw_operands(l, &state);
        l->widths[0] = widths[type_size(type)];
        l->result_width = widths[size];
        g_assert_true(linx_lanes_run(l, text, "n"));
        for (unsigned i = 0; i < 64; i++) {
            check_value(text, i, l->result[i], l->p >> i & 1 ?
                        cut(bit_model(name, l->a[i], type, m, count), size) :
                        0);
        }
    }
    check_trapping("v.bxu lc0.ub, 9, 4, ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.bic lc0.uh, 4, 17, ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
}

/* Bits of an element stay together, elements of a field turn round. */
static uint64_t rev_model(uint64_t a, unsigned field, unsigned element)
{
    uint64_t result = 0;

    for (unsigned i = 0; i < 64; i++) {
        unsigned start = i / field * field, at = i - start;
        unsigned to = field - element - at / element * element +
                      at % element;

        result |= (a >> i & 1) << (start + to);
    }
    return result;
}

static void test_rev(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 4;

    for (unsigned field = 2; field <= 64; field *= 2) {
        for (unsigned element = 1; element < field; element *= 2) {
            g_autofree char *text = g_strdup_printf(
                "v.rev vt#1.sw, %u, %u, ->vn.d", field, element);

            draw_operands(l, &state);
            l->widths[0] = 'w';
            g_assert_true(linx_lanes_run(l, text, "n"));
            for (unsigned i = 0; i < 64; i++) {
                check_value(text, i, l->result[i], l->p >> i & 1 ?
                            rev_model(typed(l->a[i], 5), field, element) :
                            0);
            }
        }
    }
    check_trapping("v.rev lc0.ud, 3, 1, ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.rev lc0.ud, 8, 8, ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.rev lc0.ud, 8, 0, ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
}

/* ---- 32-bit forms ---- */

enum { WORD = 1024, UNSIGNED_WORD = 2048, IMM5 = 4096 };

static const Row short_rows[] = {
    { "add", add, NULL, CHANGES | SHIFTS },
    { "sub", sub, NULL, CHANGES | SHIFTS },
    { "and", and, NULL, CHANGES | SHIFTS | BITWISE },
    { "or", or, NULL, CHANGES | SHIFTS | BITWISE },
    { "xor", xor, NULL, CHANGES | SHIFTS | BITWISE },
    { "srl", srl, NULL, 0 }, { "sra", sra, NULL, 0 },
    { "sll", sll, NULL, 0 },
    { "addi", add, NULL, UIMM }, { "subi", sub, NULL, UIMM },
    { "andi", and, NULL, SIMM }, { "ori", or, NULL, SIMM },
    { "xori", xor, NULL, SIMM }, { "srli", srl, NULL, SHAMT },
    { "srai", sra, NULL, SHAMT }, { "slli", sll, NULL, SHAMT },
    { "addw", add, NULL, WORD | CHANGES | SHIFTS },
    { "subw", sub, NULL, WORD | CHANGES | SHIFTS },
    { "andw", and, NULL, WORD | CHANGES | SHIFTS | BITWISE },
    { "orw", or, NULL, WORD | CHANGES | SHIFTS | BITWISE },
    { "xorw", xor, NULL, WORD | CHANGES | SHIFTS | BITWISE },
    { "srlw", srl, NULL, UNSIGNED_WORD | IMM5 },
    { "sraw", sra, NULL, WORD | IMM5 }, { "sllw", sll, NULL, WORD | IMM5 },
    { "addiw", add, NULL, WORD | UIMM }, { "subiw", sub, NULL, WORD | UIMM },
    { "andiw", and, NULL, WORD | SIMM }, { "oriw", or, NULL, WORD | SIMM },
    { "xoriw", xor, NULL, WORD | SIMM },
    { "srliw", srl, NULL, UNSIGNED_WORD | SHAMT | IMM5 },
    { "sraiw", sra, NULL, WORD | SHAMT | IMM5 },
    { "slliw", sll, NULL, WORD | SHAMT | IMM5 },
    { "cmp.eq", eq, NULL, CHANGES }, { "cmp.ne", ne, NULL, CHANGES },
    { "cmp.and", both, NULL, CHANGES | BITWISE },
    { "cmp.or", any, NULL, CHANGES | BITWISE },
    { "cmp.lt", lt, NULL, 0 }, { "cmp.ge", ge, NULL, 0 },
    { "cmp.ltu", ltu, NULL, 0 }, { "cmp.geu", geu, NULL, 0 },
    { "cmp.eqi", eq, NULL, SIMM }, { "cmp.nei", ne, NULL, SIMM },
    { "cmp.andi", both, NULL, SIMM }, { "cmp.ori", any, NULL, SIMM },
    { "cmp.lti", lt, NULL, SIMM }, { "cmp.gei", ge, NULL, SIMM },
    { "cmp.ltui", ltu, NULL, UIMM }, { "cmp.geui", geu, NULL, UIMM },
    { "mul", mul, NULL, 0 }, { "mulu", mul, NULL, 0 },
    { "mulw", mul, NULL, WORD }, { "muluw", mul, NULL, WORD },
    { "madd", madd, NULL, THIRD }, { "maddw", madd, NULL, WORD | THIRD },
    { "div", div_signed, NULL, 0 }, { "divu", divu, NULL, 0 },
    { "divw", div_signed, NULL, WORD },
    { "divuw", divu, NULL, UNSIGNED_WORD },
    { "rem", rem_signed, NULL, 0 }, { "remu", remu, NULL, 0 },
    { "remw", rem_signed, NULL, WORD },
    { "remuw", remu, NULL, UNSIGNED_WORD },
    { "csel", csel, NULL, CHANGES | THIRD },
};

/* "", .sw, .uw, .neg or .not, of t#2, the right source. */
static const char *const changes[] = { "", ".sw", ".uw", ".neg", ".not" };

static uint64_t short_model(const Row *row, unsigned change, unsigned shift,
                            uint64_t a, uint64_t b, uint64_t c)
{
    static const uint8_t types[] = { 0, 5, 1, 0, 0 };
    uint64_t result;

    if (!has_imm(row)) {
        b = typed(b, types[change]);
        b = change == 3 ? -b : change == 4 ? ~b : b;
        b <<= shift;
    }
    if (row->flags & IMM5) {
        b &= 31;
    }
    if (row->flags & (WORD | UNSIGNED_WORD)) {
        bool is_unsigned = row->flags & UNSIGNED_WORD;

        a = typed(a, is_unsigned ? 1 : 5);
        b = typed(b, is_unsigned ? 1 : 5);
        result = row->fn(a, b, c);
        return typed(result, 5);
    }
    return row->fn(a, b, c);
}

/* One instruction of t#1, t#2 and u#1; the body stores what it makes. */
static void run_short(LinxLanes *l, const Row *row, uint64_t *state)
{
    uint64_t r = linx_random(state), a = linx_lanes_random(state);
    uint64_t b = linx_lanes_random(state), c = linx_lanes_random(state);
    unsigned change = row->flags & CHANGES ? r % 4 : 0;
    unsigned shift = row->flags & SHIFTS && r >> 8 & 1 ? r >> 9 & 31 : 0;
    int64_t imm = row->flags & UIMM ? (int64_t)(r >> 20 & 4095) :
                  row->flags & SIMM ? (int64_t)(r >> 20 & 4095) - 2048 :
                  (int64_t)(r >> 20 & (row->flags & IMM5 ? 31 : 63));
    g_autoptr(GString) text = g_string_new(row->name);
    g_autofree char *body = NULL;

    if (r & 1ull << 40 && row->flags & THIRD) {
        c = 0;
    }
    if (change == 3 && row->flags & BITWISE) {
        change = 4;
    }
    g_string_append(text, " t#1, ");
    if (has_imm(row)) {
        g_string_append_printf(text, "%d", (int)imm);
        b = imm;
    } else {
        g_string_append_printf(text, "t#2%s", changes[change]);
    }
    if (shift) {
        g_string_append_printf(text, "<<%u", shift);
    }
    g_string_append_printf(text, "%s, ->u", row->flags & THIRD ?
                           ", u#1" : "");
    body = g_strdup_printf("l.ldi [ri0.ud, 16], ->u.d\n"
                           "l.ldi [ri0.ud, 8], ->t.d\n"
                           "l.ldi [ri0.ud, 0], ->t.d\n%s\n"
                           "l.sdi u#1.ud, [ri0.ud, 24]", text->str);
    linx_lanes_put(l, LANES_DATA, a, 8);
    linx_lanes_put(l, LANES_DATA + 8, b, 8);
    linx_lanes_put(l, LANES_DATA + 16, c, 8);
    linx_lanes_covered(text->str);
    g_assert_true(linx_lanes_body(l, body));
    check_value(text->str, 0, linx_lanes_word(l, LANES_DATA + 24, 8),
                short_model(row, change, shift, a, b, c));
}

static void test_short(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 5;

    for (unsigned i = 0; i < G_N_ELEMENTS(short_rows); i++) {
        for (unsigned n = 0; n < 60; n++) {
            run_short(l, &short_rows[i], &state);
        }
    }
}

static void run_short_bits(LinxLanes *l, const char *text, uint64_t a,
                           uint64_t expected)
{
    g_autofree char *body = g_strdup_printf(
        "l.ldi [ri0.ud, 0], ->t.d\n%s\nl.sdi u#1.ud, [ri0.ud, 24]", text);

    linx_lanes_put(l, LANES_DATA, a, 8);
    linx_lanes_covered(text);
    g_assert_true(linx_lanes_body(l, body));
    check_value(text, 0, linx_lanes_word(l, LANES_DATA + 24, 8), expected);
}

static void test_short_bits(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t state = 6;

    for (unsigned n = 0; n < 40 * G_N_ELEMENTS(bit_names); n++) {
        const char *name = bit_names[n % G_N_ELEMENTS(bit_names)];
        uint64_t r = linx_random(&state), a = linx_lanes_random(&state);
        unsigned m = r & 63, count = 1 + (r >> 8 & 63);
        g_autofree char *text = g_strdup_printf("%s t#1, %u, %u, ->u", name,
                                                m, count);

        run_short_bits(l, text, a, bit_model(name, a, 0, m, count));
    }
    for (unsigned field = 2; field <= 64; field *= 2) {
        uint64_t a = linx_random(&state);
        g_autofree char *text = g_strdup_printf("rev t#1, %u, %u, ->u",
                                                field, field / 2);

        run_short_bits(l, text, a, rev_model(a, field, field / 2));
    }
    run_short_bits(l, "lui -5, ->u", 0, -5ull << 12);
    run_short_bits(l, "lui 0x7ffff, ->u", 0, 0x7ffffull << 12);
}

void add_integer_tests(void)
{
    g_test_add_func("/linx/ops/int/long", test_long);
    g_test_add_func("/linx/ops/int/scalar", test_scalar);
    g_test_add_func("/linx/ops/int/signs", test_signs);
    g_test_add_func("/linx/ops/int/packed-limits", test_packed_limits);
    g_test_add_func("/linx/ops/int/bits", test_bits);
    g_test_add_func("/linx/ops/int/rev", test_rev);
    g_test_add_func("/linx/ops/int/short", test_short);
    g_test_add_func("/linx/ops/int/short-bits", test_short_bits);
}
