/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts between formats of numbers (linx-blocks section 9.4). */
#include <string.h>
#include "target/linx/perform.h"

typedef struct Numbers {
    uint8_t size;    /* log2 of bytes of a register of them, 0 for 4 bits * 2 */
    uint8_t bits;    /* of one; 0: none of our profile (OURS-18) */
    uint8_t count;   /* log2 of how many are in a register */
    bool is_signed;  /* integers */
    uint8_t format;  /* floats: LinxFpFormat */
} Numbers;

static const Numbers floats[32] = {
    [0] = { 3, 64, 0, 0, LINX_FP_FD },
    [1] = { 2, 32, 0, 0, LINX_FP_FS },
    [4] = { 1, 16, 0, 0, LINX_FP_FH },
    [5] = { 1, 16, 0, 0, LINX_FP_BF },
    [7] = { 0, 8, 0, 0, LINX_FP_FB },
    [8] = { 0, 8, 0, 0, LINX_FP_FLB },
    [16] = { 2, 16, 1, 0, LINX_FP_FH },
    [17] = { 2, 16, 1, 0, LINX_FP_BF },
    [18] = { 2, 8, 2, 0, LINX_FP_FB },
    [19] = { 2, 8, 2, 0, LINX_FP_FLB },
    [20] = { 1, 8, 1, 0, LINX_FP_FB },
    [21] = { 1, 8, 1, 0, LINX_FP_FLB },
};

static const Numbers integers[32] = {
    [0] = { 3, 64, 0, false },
    [1] = { 2, 32, 0, false },
    [2] = { 1, 16, 0, false },
    [3] = { 0, 8, 0, false },
    [4] = { 0, 4, 1, false },
    [5] = { 2, 16, 1, false },
    [6] = { 2, 8, 2, false },
    [8] = { 3, 64, 0, true },
    [9] = { 2, 32, 0, true },
    [10] = { 1, 16, 0, true },
    [11] = { 0, 8, 0, true },
    [12] = { 0, 4, 1, true },
    [13] = { 2, 16, 1, true },
    [14] = { 2, 8, 2, true },
};

typedef struct Convert {
    const Numbers *from, *to;
    bool from_float, to_float, saturates;
    LinxFp fp;
} Convert;

static uint64_t extended(uint64_t value, const Numbers *numbers)
{
    unsigned above = 64 - numbers->bits;

    value <<= above;
    return numbers->is_signed ? (uint64_t)((int64_t)value >> above) :
           value >> above;
}

/* As near to @value, signed if @is_signed, as an integer of @to comes. */
static uint64_t clamped(uint64_t value, bool is_signed, const Numbers *to)
{
    uint64_t most = ~0ull >> (64 - to->bits + to->is_signed);
    bool negative = is_signed && value >> 63;

    if (!negative) {
        return value > most ? most : value;
    }
    return !to->is_signed ? 0 :
           (int64_t)value < ~(int64_t)most ? ~most : value;
}

static uint64_t convert_one(Convert *c, uint64_t value)
{
    LinxFp *e = &c->fp;

    if (!c->from_float) {
        value = extended(value, c->from);
        if (c->to_float) {
            return linx_fp_from_int(e, value, c->from->is_signed);
        }
        return c->saturates ?
               clamped(value, c->from->is_signed, c->to) : value;
    }
    return c->to_float ? linx_fp_convert(e, value, c->to->format) :
           linx_fp_to_int(e, value, c->to->bits, c->to->is_signed);
}

/* Elements of @from of @value, put behind each other from @at bits on. */
static uint64_t convert_register(Convert *c, uint64_t value, unsigned at)
{
    uint64_t result = 0, mask = ~0ull >> (64 - c->to->bits);

    for (unsigned n = 0; n < 1u << c->from->count; n++) {
        uint64_t element = convert_one(c, value >> (n * c->from->bits));

        result |= (element & mask) << (at + n * c->to->bits);
    }
    return result;
}

/* A source's width is that of its numbers, the destination's as well. */
static bool is_allowed(const LinxContext *x, const Convert *c)
{
    const LinxInst *inst = x->inst;
    unsigned more = c->to->count - c->from->count; /* or very large */

    return inst->field[LINX_F_mode] == 0 && c->from->bits && c->to->bits &&
           more <= 1 &&
           c->from->size == linx_type_size(
               linx_type(inst->field[LINX_F_SrcL]), c->from_float) &&
           (!more || c->from->size == linx_type_size(
               linx_type(inst->field[LINX_F_SrcR]), c->from_float)) &&
           c->to->size == 3 - linx_type(inst->field[LINX_F_RegDst]);
}

static Convert convert_of(const LinxContext *x)
{
    const LinxInst *inst = x->inst;
    bool from_float = inst->op == LINX_V_FCVT || inst->op == LINX_V_FCVTI;
    bool to_float = inst->op == LINX_V_FCVT || inst->op == LINX_V_ICVTF;
    Convert c = {
        .from = &(from_float ? floats :
                  integers)[inst->field[LINX_F_SrcType] & 31],
        .to = &(to_float ? floats :
                integers)[inst->field[LINX_F_DstType] & 31],
        .from_float = from_float,
        .to_float = to_float,
        .saturates = inst->field[LINX_F_sat],
        .fp = linx_float_state(x),
    };

    c.fp.format = from_float ? c.from->format : c.to->format;
    return c;
}

/* One element each in 64 lanes; false if that has to be done one by one. */
static bool convert_lanes(LinxContext *x, Convert *c, const uint64_t *a,
                          uint64_t *result)
{
    uint64_t most = ~0ull >> (64 - c->to->bits + c->to->is_signed);
    uint64_t value[LINX_LANES];

    if (c->from->count || c->saturates || x->lanes == 1) {
        return false;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        value[i] = c->from_float ? a[i] : extended(a[i], c->from);
    }
    linx_mask_lanes(value, LINX_LANES, x->p); /* 0 raises nothing */
    if (!c->from_float && !c->to_float) {
        memcpy(result, value, sizeof(value)); /* cut when it is written */
        return true;
    }
    if (c->to_float) {
        most = INT64_MAX; /* of the source, if it is an integer */
    }
    return linx_host_convert(
        c->from_float ? c->from->format : -1,
        c->to_float ? c->to->format : -1, c->fp.rounding, value,
        c->to_float ? (c->from->is_signed ? INT64_MIN : 0) :
        c->to->is_signed ? ~most : 0, most > INT64_MAX ? INT64_MAX : most,
        result, &c->fp.flags);
}

static void convert_one_by_one(LinxContext *x, Convert *c, const uint64_t *a,
                               const uint64_t *b, uint64_t *result)
{
    memset(result, 0, LINX_LANES * sizeof(*result));
    for (uint64_t left = linx_active(x); left; left &= left - 1) {
        unsigned i = __builtin_ctzll(left);

        result[i] = convert_register(c, a[i], 0);
        if (c->to->count > c->from->count) {
            result[i] |= convert_register(c, b[i],
                                          c->to->bits << c->from->count);
        }
    }
}

bool linx_convert(LinxContext *x)
{
    Convert c = convert_of(x);
    uint64_t a[LINX_LANES], b[LINX_LANES], result[LINX_LANES];
    bool two = c.to->count > c.from->count;

    if (!is_allowed(x, &c)) {
        return linx_illegal(x);
    }
    if (!linx_raw(x, LINX_F_SrcL, 0, a) ||
        (two && !linx_raw(x, LINX_F_SrcR, 0, b))) {
        return false;
    }
    if (two || !convert_lanes(x, &c, a, result)) {
        convert_one_by_one(x, &c, a, b, result);
    }
    linx_raised(x, &c.fp);
    return linx_result(x, result);
}
