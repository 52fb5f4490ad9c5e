/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reductions, shuffles, selects: between lanes (linx-blocks section 9.5). */
#include "target/linx/perform.h"

static uint64_t fold(LinxOp op, bool is_signed, uint64_t a, uint64_t b)
{
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

    switch (op) {
    case LINX_V_RDADD:
        return a + b;
    case LINX_V_RDAND:
        return a & b;
    case LINX_V_RDOR:
        return a | b;
    case LINX_V_RDXOR:
        return a ^ b;
    case LINX_V_RDMAX:
        return less ? b : a;
    default:
        return less ? a : b;
    }
}

static uint64_t identity(LinxOp op, unsigned type)
{
    unsigned bits = 8u << linx_type_size(type, false);
    uint64_t top = 1ull << (bits - 1);
    uint64_t most = type >= 4 ? top - 1 : top | (top - 1);

    switch (op) {
    case LINX_V_RDAND:
        return ~0ull;
    case LINX_V_RDMAX:
        return type >= 4 ? -top : 0;
    case LINX_V_RDMIN:
        return most;
    default:
        return 0;
    }
}

uint64_t linx_fold(LinxOp op, unsigned type, uint64_t sum,
                   const uint64_t *value, uint64_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        sum = fold(op, type >= 4, sum, value[__builtin_ctzll(lanes)]);
    }
    return sum;
}

/* linx-blocks section 9.5. */
bool linx_reduce(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    unsigned type = linx_type(inst->field[LINX_F_SrcL]);
    unsigned number = linx_number(inst->field[LINX_F_RegDst]);
    bool is_output = number <= LINX_RO_LAST;
    uint64_t value[LINX_LANES], sum;

    if (linx_rows[inst->op].flags & LINX_FLOAT ||
        inst->field[LINX_F_vlen] ||
        linx_type(inst->field[LINX_F_RegDst]) != 0) {
        return linx_illegal(x);
    }
    if (is_output && number - LINX_RO >= x->block->gpr_outputs) {
        return linx_raise(x, LINX_E_BLOCK, LINX_BLOCK_INVAL_SET, 0);
    }
    if (!linx_source(x, LINX_F_SrcL, value)) {
        return false;
    }
    if (is_output) {
        return linx_reduce_output(x, number - LINX_RO, value);
    }
    sum = linx_fold(inst->op, type, identity(inst->op, type), value, x->p);
    return linx_result(x, &sum);
}

static unsigned shuffle_lane(const LinxInst *inst, unsigned lane,
                             uint64_t parameter, uint64_t range)
{
    unsigned what = linx_rows[inst->op].match >> 44 & 3;
    uint64_t from;

    range = range ? range : LINX_LANES;
    if (what == 2) {
        from = lane ^ parameter;
    } else if (what == 3) {
        from = lane / range * range + parameter % range;
    } else if (what == 0) {
        from = lane - (lane % range >= parameter % range ?
                       parameter % range : 0);
    } else {
        from = lane + (lane % range + parameter % range < range ?
                       parameter % range : 0);
    }
    return from < LINX_LANES ? from : lane;
}

bool linx_shuffle(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    bool masked = inst->op == LINX_V_SHFL_BFLY; /* section 8.2 */
    uint64_t value[LINX_LANES], range[LINX_LANES] = { 0 };
    uint64_t parameter[LINX_LANES], result[LINX_LANES];

    for (unsigned i = 0; i < LINX_LANES; i++) {
        parameter[i] = inst->field[LINX_F_imm14];
    }
    if (!linx_source(x, LINX_F_SrcL, value) ||
        (linx_has_field(x, LINX_F_SrcR) && !linx_source(x, LINX_F_SrcR, range)) ||
        (linx_has_field(x, LINX_F_SrcP) &&
         !linx_source(x, LINX_F_SrcP, parameter))) {
        return false;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        result[i] = masked && !(x->p >> i & 1) ? 0 :
                    value[shuffle_lane(inst, i, parameter[i], range[i])];
    }
    return linx_result(x, result);
}

bool linx_select_lanes(LinxContext *x)
{
    uint64_t a[LINX_LANES], b[LINX_LANES], mask[LINX_LANES];
    uint64_t result[LINX_LANES];

    if (!linx_source(x, LINX_F_SrcL, a) || !linx_right(x, b) ||
        !linx_source(x, LINX_F_SrcP, mask)) {
        return false;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        result[i] = !(x->p >> i & 1) ? 0 : mask[i] >> i & 1 ? a[i] : b[i];
    }
    return linx_result(x, result);
}

bool linx_copy_lanes(LinxContext *x)
{
    uint64_t value[LINX_LANES];

    return linx_source(x, LINX_F_SrcL, value) && linx_result(x, value);
}
