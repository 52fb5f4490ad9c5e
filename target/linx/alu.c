/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer computations (linx-blocks sections 9.1, 9.2 and 10). */
#include "target/linx/alu.h"

#define S(value) ((int64_t)(value))
#define SX32(value) ((uint64_t)(int64_t)(int32_t)(value))

static uint64_t divide_unsigned(uint64_t a, uint64_t b)
{
    return b ? a / b : ~0ull;
}

static uint64_t rest_unsigned(uint64_t a, uint64_t b)
{
    return b ? a % b : a;
}

static uint64_t divide(uint64_t a, uint64_t b)
{
    return !b ? ~0ull : b == ~0ull ? -a : (uint64_t)(S(a) / S(b));
}

static uint64_t rest(uint64_t a, uint64_t b)
{
    return !b ? a : b == ~0ull ? 0 : (uint64_t)(S(a) % S(b));
}

/* ---- bits of a ring ---- */

static uint64_t ones(unsigned n)
{
    return n < 64 ? (1ull << n) - 1 : ~0ull;
}

/* @value, a ring of @width bits, turned so that bit @by becomes bit 0. */
static uint64_t turn(uint64_t value, unsigned width, unsigned by)
{
    value &= ones(width);
    by %= width;
    return by ? (value >> by | value << (width - by)) & ones(width) : value;
}

static uint64_t ring_field(const LinxOperands *x, uint64_t a)
{
    return turn(a, x->width, x->at) & ones(x->bits);
}

static uint64_t ring_mask(const LinxOperands *x)
{
    return turn(ones(x->bits), x->width, x->width - x->at % x->width);
}

static uint64_t sign_extend(uint64_t field, unsigned bits)
{
    return (uint64_t)(S(field << (64 - bits)) >> (64 - bits));
}

static uint64_t ones_in(uint64_t field)
{
    return __builtin_popcountll(field);
}

static uint64_t trailing_zeros(uint64_t field, unsigned bits)
{
    return field ? (unsigned)__builtin_ctzll(field) : bits;
}

static uint64_t leading_zeros(uint64_t field, unsigned bits)
{
    return field ? __builtin_clzll(field) - (64 - bits) : bits;
}

/* In each field of `at` bits, elements of `bits` bits change their order. */
static uint64_t reverse(const LinxOperands *x, uint64_t a)
{
    unsigned per_field = x->at / x->bits;
    uint64_t result = 0;

    for (unsigned i = 0; i < 64 / x->bits; i++) {
        unsigned to = i / per_field * per_field + per_field - 1 -
                      i % per_field;

        result |= (a >> (i * x->bits) & ones(x->bits)) << (to * x->bits);
    }
    return result;
}

/* ---- rows ---- */

/* One lane, or a loop of a known length that compilers make vectors of. */
#define LANES(name, expression) \
    void name(LinxOperands *x) \
    { \
        const uint64_t *va = x->a, *vb = x->b, *vc = x->c; \
        uint64_t *restrict result = x->result; \
        if (x->lanes == 1) { \
            LANE(0, expression) \
        } else { \
            for (unsigned i = 0; i < LINX_LANES; i++) { \
                LANE(i, expression) \
            } \
        } \
    }

#define LANE(i, expression) \
    uint64_t a = va[i], b = vb[i], c = vc[i]; \
    (void)a; (void)b; (void)c; \
    result[i] = expression;

#define INT(op, flags, ...) LANES(LINX_AT_LEVEL(linx_do_##op), __VA_ARGS__)
#define SIGNED(op, flags, result, other) \
    LANES(LINX_AT_LEVEL(linx_do_##op), result) \
    LANES(LINX_AT_LEVEL(linx_do_unsigned_##op), other)
#include "target/linx/ops-rows.h"

#ifdef LINX_LEVEL
extern LinxOpFn *const LINX_AT_LEVEL(linx_alu)[LINX_OPS][2];

LinxOpFn *const LINX_AT_LEVEL(linx_alu)[LINX_OPS][2] = {
#define INT(op, flags, ...) \
    [LINX_##op] = { LINX_AT_LEVEL(linx_do_##op), \
                    LINX_AT_LEVEL(linx_do_##op) },
#define SIGNED(op, flags, result, other) \
    [LINX_##op] = { LINX_AT_LEVEL(linx_do_##op), \
                    LINX_AT_LEVEL(linx_do_unsigned_##op) },
#include "target/linx/ops-rows.h"
};
#endif
