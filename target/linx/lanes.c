/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reductions, shuffles, selects: between lanes (linx-blocks section 9.5). */
#include "target/linx/perform.h"

#define S(value) ((int64_t)(value))

/* ---- reductions ---- */

typedef void Folder(LinxFp *e, uint64_t *sum, const uint64_t *value,
                    uint64_t lanes);

#define FOLDER(name, expression) \
    static void name(LinxFp *e, uint64_t *total, const uint64_t *value, \
                     uint64_t lanes) \
    { \
        uint64_t sum = *total; \
        (void)e; \
        for (; lanes; lanes &= lanes - 1) { \
            uint64_t v = value[__builtin_ctzll(lanes)]; \
            sum = expression; \
        } \
        *total = sum; \
    }

#define REDUCE(op, start, unsigned_start, sum, unsigned_sum) \
    FOLDER(fold_##op, sum) FOLDER(fold_unsigned_##op, unsigned_sum)
#define REDUCE_FLOAT(op, told, start, sum) FOLDER(fold_##op, sum)
#include "target/linx/ops-rows.h"

static Folder *folder(LinxOp op, bool is_signed)
{
    switch (op) {
#define REDUCE(op, start, unsigned_start, sum, unsigned_sum) \
    case LINX_##op: return is_signed ? fold_##op : fold_unsigned_##op;
#define REDUCE_FLOAT(op, told, start, sum) case LINX_##op: return fold_##op;
#include "target/linx/ops-rows.h"
    default:
        return NULL;
    }
}

/* What no lane changes: T and U begin with it. */
static uint64_t identity(LinxOp op, unsigned type, const LinxFp *e)
{
    unsigned bits = 8u << linx_type_size(type, false);
    bool is_signed = type >= 4;
    uint64_t most = ~0ull >> (64 - bits + is_signed);
    uint64_t least = is_signed ? ~most : 0;

    (void)e;
    switch (op) {
#define REDUCE(op, start, unsigned_start, sum, unsigned_sum) \
    case LINX_##op: return is_signed ? start : unsigned_start;
#define REDUCE_FLOAT(op, told, start, sum) case LINX_##op: return start;
#include "target/linx/ops-rows.h"
    default:
        return 0;
    }
}

uint64_t linx_fold(LinxOp op, unsigned type, LinxFp *e, uint64_t sum,
                   const uint64_t *value, uint64_t lanes)
{
    if (op == LINX_V_RDFADD && linx_host_sum(e, &sum, value, lanes)) {
        return sum;
    }
    folder(op, type >= 4)(e, &sum, value, lanes);
    return sum;
}

/* Elements @n of all lanes, extended. */
static void take(const LinxContext *x, uint64_t *to, const uint64_t *from,
                 unsigned n)
{
    unsigned type = linx_type(x->inst->field[LINX_F_SrcL]);
    bool is_float = linx_rows[x->inst->op].flags & LINX_FLOAT;
    unsigned shift = n * (8u << linx_type_size(type, is_float));

    for (unsigned i = 0; i < LINX_LANES; i++) {
        to[i] = from[i] >> (shift & 63);
    }
    if (x->inst->field[LINX_F_vlen] ||
        linx_number(x->inst->field[LINX_F_SrcL]) != LINX_P) {
        linx_extend_lanes(to, LINX_LANES, type, is_float);
    }
}

static bool check_reduction(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    unsigned number = linx_number(inst->field[LINX_F_RegDst]);
    unsigned size = linx_type_size(linx_type(inst->field[LINX_F_SrcL]),
                                   false);

    if (linx_type(inst->field[LINX_F_RegDst]) != 0 ||
        size + inst->field[LINX_F_vlen] > 3) {
        return linx_illegal(x);
    }
    if (number <= LINX_RO_LAST &&
        number - LINX_RO >= x->block->gpr_outputs) {
        return linx_raise(x, LINX_E_BLOCK, LINX_BLOCK_INVAL_SET, 0);
    }
    return true;
}

/* Of packed elements the first ones of all lanes come first. */
bool linx_reduce(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    unsigned type = linx_type(inst->field[LINX_F_SrcL]);
    unsigned number = linx_number(inst->field[LINX_F_RegDst]);
    unsigned packed = inst->field[LINX_F_vlen];
    LinxFp e = linx_float_state(x);
    uint64_t value[LINX_LANES], element[LINX_LANES];
    uint64_t sum = identity(inst->op, type, &e);

    if (!check_reduction(x) || !linx_raw(x, LINX_F_SrcL, packed, value)) {
        return false;
    }
    for (unsigned n = 0; n < 1u << packed; n++) {
        take(x, element, value, n);
        if (number > LINX_RO_LAST) {
            sum = linx_fold(inst->op, type, &e, sum, element, x->p);
        } else if (!linx_reduce_output(x, number - LINX_RO, element)) {
            return false;
        }
    }
    linx_raised(x, &e);
    return number <= LINX_RO_LAST || linx_result(x, &sum);
}

/* ---- shuffles ---- */

/*
 * Which lane each lane's value comes from, by parameter p and range n.  Without
 * ranges all of them are the whole group.
 */
typedef void LaneMap(const uint64_t *parameter, const uint64_t *range,
                     uint64_t *from);

#define SHUFFLE(op, flags, lane) \
    static void map_##op(const uint64_t *parameter, const uint64_t *range, \
                         uint64_t *from) \
    { \
        if (!range) { \
            const uint64_t n = LINX_LANES; \
            for (uint64_t l = 0; l < LINX_LANES; l++) { \
                uint64_t p = parameter[l]; \
                (void)n; \
                from[l] = lane; \
            } \
            return; \
        } \
        for (uint64_t l = 0; l < LINX_LANES; l++) { \
            uint64_t p = parameter[l], n = range[l] ? range[l] : LINX_LANES; \
            (void)n; \
            from[l] = lane; \
        } \
    }
#include "target/linx/ops-rows.h"

static LaneMap *lane_map(LinxOp op)
{
    switch (op) {
#define SHUFFLE(op, flags, lane) case LINX_##op: return map_##op;
#include "target/linx/ops-rows.h"
    default:
        return NULL;
    }
}

static bool any_range(const uint64_t *range)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < LINX_LANES; i++) {
        any |= range[i];
    }
    return any;
}

/* linx-blocks section 9.5; of lanes that there are not, it is its own. */
bool linx_shuffle(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    uint64_t value[LINX_LANES], range[LINX_LANES] = { 0 };
    uint64_t parameter[LINX_LANES], result[LINX_LANES];
    uint64_t from[LINX_LANES];

    for (unsigned i = 0; i < LINX_LANES; i++) {
        parameter[i] = inst->field[LINX_F_imm14];
    }
    if (!linx_source(x, LINX_F_SrcL, value) ||
        (linx_has_field(x, LINX_F_SrcR) &&
         !linx_source(x, LINX_F_SrcR, range)) ||
        (linx_has_field(x, LINX_F_SrcP) &&
         !linx_source(x, LINX_F_SrcP, parameter))) {
        return false;
    }
    lane_map(inst->op)(parameter, any_range(range) ? range : NULL, from);
    for (unsigned i = 0; i < LINX_LANES; i++) {
        result[i] = value[from[i] < LINX_LANES ? from[i] : i];
    }
    if (linx_meanings[inst->op].flags & LINX_MASKED) {
        linx_mask_lanes(result, LINX_LANES, x->p); /* section 8.2 */
    }
    return linx_result(x, result);
}

/* ---- selects and moves ---- */

bool linx_select_lanes(LinxContext *x)
{
    uint64_t a[LINX_LANES], b[LINX_LANES], mask[LINX_LANES];
    uint64_t result[LINX_LANES];

    if (!linx_source(x, LINX_F_SrcL, a) || !linx_source(x, LINX_F_SrcR, b) ||
        !linx_mask_source(x, LINX_F_SrcP, mask)) {
        return false;
    }
    linx_modify_lanes(x->inst, b, b, LINX_LANES);
    for (unsigned i = 0; i < LINX_LANES; i++) {
        result[i] = mask[i] >> i & 1 ? a[i] : b[i];
    }
    linx_mask_lanes(result, LINX_LANES, x->p);
    return linx_result(x, result);
}

bool linx_copy_lanes(LinxContext *x)
{
    uint64_t value[LINX_LANES];

    return linx_source(x, LINX_F_SrcL, value) && linx_result(x, value);
}
