/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of what instructions do, made of ops.inc. */
#include "target/linx/perform.h"

enum {
    SATURATES = LINX_SATURATES, SAME_SIGN = LINX_SAME_SIGN,
    RING = LINX_RING, SIZES = LINX_SIZES, ANY_WIDTH = LINX_ANY_WIDTH,
    MASKED = LINX_MASKED, OUTSIDE = LINX_OUTSIDE,
};

const LinxMeaning linx_meanings[LINX_OPS] = {
#define INT(op, flags, ...) \
    [LINX_##op] = { linx_compute, linx_do_##op, linx_do_##op, flags, \
                    #__VA_ARGS__ },
#define SIGNED(op, flags, result, other) \
    [LINX_##op] = { linx_compute, linx_do_##op, linx_do_unsigned_##op, \
                    flags, #result },
#define FLOAT(op, flags, told, ...) \
    [LINX_##op] = { linx_compute, linx_do_##op, linx_do_##op, flags, told },
#define REDUCE(op, start, unsigned_start, sum, unsigned_sum) \
    [LINX_##op] = { linx_reduce, .text = #sum },
#define REDUCE_FLOAT(op, told, start, sum) \
    [LINX_##op] = { linx_reduce, .text = told },
#define SHUFFLE(op, flags, lane) \
    [LINX_##op] = { linx_shuffle, NULL, NULL, flags, #lane },
#define BRANCH(op, condition, from) \
    [LINX_##op] = { linx_branch, .text = #condition },
#define SETC(op, condition) \
    [LINX_##op] = { linx_set_condition, .text = #condition },
#define OTHER(op, function, told) \
    [LINX_##op] = { function, .text = told },
#define ILLEGAL(op, why) \
    [LINX_##op] = { NULL, .text = why },
#include "target/linx/ops-rows.h"
};

bool linx_has_field(const LinxContext *x, LinxField field)
{
    return linx_inst_has(x->inst, field);
}

bool linx_perform(LinxContext *x)
{
    const LinxMeaning *meaning = &linx_meanings[x->inst->op];

    return meaning->perform ? meaning->perform(x) : linx_illegal(x);
}
