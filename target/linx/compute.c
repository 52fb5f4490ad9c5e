/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is computed a lane (linx-blocks sections 6.3, 9.1, 9.2, 9.4, 10). */
#include <string.h>
#include "target/linx/perform.h"

/* linx-blocks section 6.3; 32-bit forms know SW and UW as well. */
uint64_t linx_modified(const LinxInst *inst, uint64_t value)
{
    switch (inst->field[LINX_F_SrcRType]) {
    case 1:
        return (uint64_t)(int64_t)(int32_t)value;
    case 2:
        return (uint32_t)value;
    case 3:
        return linx_rows[inst->op].flags & LINX_NOT ? ~value : -value;
    default:
        return value;
    }
}

/* The modifiers of 64-bit forms are x and 0 - x and ~x: (x ^ m) - n. */
void linx_modify_lanes(const LinxInst *inst, const uint64_t *from,
                       uint64_t *to, unsigned lanes)
{
    unsigned shift = inst->field[LINX_F_shamt];
    bool changes = inst->field[LINX_F_SrcRType] == 3;
    bool inverts = linx_rows[inst->op].flags & LINX_NOT;
    uint64_t mask = changes ? ~0ull : 0, less = inverts ? 0 : mask;

    if (lanes == 1) {
        to[0] = linx_modified(inst, from[0]) << shift;
        return;
    }
    for (unsigned i = 0; i < lanes; i++) {
        to[i] = ((from[i] ^ mask) - less) << shift;
    }
}

/* ---- what is known before it runs ---- */

static uint64_t immediate(const LinxInst *inst)
{
    return inst->field[LINX_F_uimm12] + inst->field[LINX_F_simm12] +
           inst->field[LINX_F_shamt];
}

/* M and N of the bit instructions; false if they are not allowed. */
static bool bit_range(const LinxInst *inst, LinxComputePlan *plan)
{
    unsigned width = 8u << plan->left;

    if (plan->flags & LINX_SIZES) {
        plan->at = inst->field[LINX_F_immr] + 1;
        plan->bits = inst->field[LINX_F_imml];
        return plan->bits && !(plan->at & (plan->at - 1)) &&
               !(plan->bits & (plan->bits - 1)) && plan->at > plan->bits;
    }
    plan->at = inst->field[LINX_F_imms];
    plan->bits = inst->field[LINX_F_imml] + 1;
    return !(plan->flags & LINX_RING) ||
           (plan->at <= width && plan->bits <= width);
}

static LinxField third_field(const LinxInst *inst)
{
    static const LinxField fields[] = {
        LINX_F_SrcD, LINX_F_SrcP, LINX_F_SrcA
    };

    for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (linx_inst_has(inst, fields[i])) {
            return fields[i];
        }
    }
    return LINX_FIELDS;
}

static unsigned size_of(const LinxInst *inst, LinxField field)
{
    return linx_rows[inst->op].bits == 32 ? 3 :
           linx_type_size(linx_type(inst->field[field]), false);
}

/* The elements of a register have 64 bits at most, and P has one a lane. */
static bool fits(const LinxInst *inst, const LinxComputePlan *plan)
{
    unsigned most = 3 - plan->packed;

    return plan->packed == 0 ||
           (plan->left <= most &&
            (!plan->has_right || plan->right <= most) &&
            (plan->third == LINX_FIELDS || plan->last <= most) &&
            plan->result <= most &&
            linx_number(inst->field[LINX_F_RegDst]) != LINX_P);
}

/* One format for all (section 9.4). */
static bool floats_agree(const LinxInst *inst, const LinxComputePlan *plan)
{
    unsigned type = linx_type(inst->field[LINX_F_SrcL]);

    return (!plan->has_right ||
            linx_type(inst->field[LINX_F_SrcR]) == type) &&
           (plan->third == LINX_FIELDS ||
            linx_type(inst->field[plan->third]) == type) &&
           (plan->flags & LINX_ANY_WIDTH || plan->result == plan->left);
}

static bool is_allowed(const LinxInst *inst, LinxComputePlan *plan)
{
    int64_t signs = inst->field[LINX_F_SrcL] ^ inst->field[LINX_F_SrcR];

    return bit_range(inst, plan) && fits(inst, plan) &&
           !(plan->flags & LINX_SAME_SIGN && linx_type(signs) & 4) &&
           (!plan->is_float || floats_agree(inst, plan));
}

void linx_plan_compute(const LinxInst *inst, LinxComputePlan *plan)
{
    const LinxMeaning *meaning = &linx_meanings[inst->op];
    const LinxRow *row = &linx_rows[inst->op];
    bool is_signed = row->bits == 32 ||
                     linx_type(inst->field[LINX_F_SrcL]) >= 4;

    *plan = (LinxComputePlan) {
        .fn = is_signed ? meaning->fn : meaning->unsigned_fn,
        .flags = meaning->flags,
        .is_float = row->flags & LINX_FLOAT,
        .packed = inst->field[LINX_F_vlen],
        .has_right = linx_inst_has(inst, LINX_F_SrcR),
        .third = third_field(inst),
        .left = size_of(inst, LINX_F_SrcL),
        .right = size_of(inst, LINX_F_SrcR),
        .result = row->bits == 32 ? 3 :
                  3 - linx_type(inst->field[LINX_F_RegDst]),
        .imm = immediate(inst),
    };
    plan->last = plan->third == LINX_FIELDS ? 0 :
                 size_of(inst, plan->third);
    plan->host = plan->is_float ? linx_host_float(inst->op,
        linx_type(inst->field[LINX_F_SrcL])) : NULL;
    plan->saturates = inst->field[LINX_F_sat] && !plan->is_float;
    plan->modifies = plan->has_right && (inst->field[LINX_F_SrcRType] ||
                                         inst->field[LINX_F_shamt]);
    plan->allowed = is_allowed(inst, plan);
}

/* ---- floats' state ---- */

LinxFp linx_float_state(const LinxContext *x)
{
    /* FRM: RNE, RTZ, RDN, RUP; others mean RNE. */
    static const uint8_t dynamic[4] = {
        LINX_RNE, LINX_RTZ, LINX_RDN, LINX_RUP
    };
    const LinxInst *inst = x->inst;
    unsigned rm = inst->field[LINX_F_rm], frm = x->state->frm;

    if (rm == 0) {
        rm = frm < 4 ? dynamic[frm] : LINX_RNE;
    }
    return (LinxFp) {
        .format = linx_type(inst->field[LINX_F_SrcL]),
        .rounding = rm <= LINX_RTO ? rm : LINX_RNE, /* 7: OURS-23 */
        .saturate = inst->field[LINX_F_sat],
    };
}

void linx_raised(LinxContext *x, const LinxFp *e)
{
    x->fflags |= e->flags;
}

/* ---- operands ---- */

/* What has no source is never looked at, but compilers may load it. */
static const uint64_t nothing[LINX_LANES];

typedef struct Sources {
    LinxValue a, b, c;
} Sources;

static const uint64_t *lanes_of(LinxValue *value, unsigned lanes)
{
    if (value->lane) {
        return value->lane;
    }
    for (unsigned i = 0; i < lanes; i++) {
        value->room[i] = value->first + i * value->step;
    }
    return value->room;
}

static bool read_right(LinxContext *x, const LinxComputePlan *plan,
                       LinxValue *b, const uint64_t **lanes)
{
    if (!plan->has_right) {
        b->lane = NULL;
        b->first = plan->imm;
        b->step = 0;
    } else if (!linx_read(x, LINX_F_SrcR, b)) {
        return false;
    }
    *lanes = lanes_of(b, x->lanes);
    if (plan->modifies) {
        linx_modify_lanes(x->inst, *lanes, b->room, x->lanes);
        *lanes = b->room;
    }
    return true;
}

/* Sources of one element each. */
static bool read_sources(LinxContext *x, const LinxComputePlan *plan,
                         Sources *s, LinxOperands *o)
{
    if (!linx_read(x, LINX_F_SrcL, &s->a) ||
        !read_right(x, plan, &s->b, &o->b)) {
        return false;
    }
    o->a = lanes_of(&s->a, x->lanes);
    o->c = nothing;
    if (plan->third != LINX_FIELDS) {
        if (!linx_read(x, plan->third, &s->c)) {
            return false;
        }
        o->c = lanes_of(&s->c, x->lanes);
    }
    return true;
}

static void operate(const LinxComputePlan *plan, LinxOperands *o)
{
    if (plan->host && linx_host_can(o)) {
        linx_host_do(plan->host, plan->fn, o);
    } else {
        plan->fn(o);
    }
}

/* ---- packed elements and saturation ---- */

/* Elements @n of raw registers, extended. */
static void take(const LinxContext *x, const uint64_t *from, uint64_t *to,
                 LinxField field, unsigned size, unsigned n)
{
    bool is_float = linx_rows[x->inst->op].flags & LINX_FLOAT;

    for (unsigned i = 0; i < x->lanes; i++) {
        to[i] = from[i] >> (n * (8u << size) & 63);
    }
    linx_extend_lanes(to, x->lanes, linx_type(x->inst->field[field]),
                      is_float);
}

/*
 * ADD and SUB with sat: the exact result, as near as its width comes, which is
 * unsigned if both sources are.
 */
static void saturate(const LinxContext *x, const LinxComputePlan *plan,
                     LinxOperands *o)
{
    const LinxInst *inst = x->inst;
    bool signed_a = linx_type(inst->field[LINX_F_SrcL]) >= 4;
    bool signed_b = linx_type(inst->field[LINX_F_SrcR]) >= 4;
    bool negative = (inst->field[LINX_F_SrcRType] == 3) !=
                    (inst->op == LINX_V_SUB);
    unsigned bits = 8u << plan->result;
    bool is_signed = signed_a || signed_b;
    __int128 most = ((__int128)1 << (bits - is_signed)) - 1;
    __int128 least = is_signed ? -most - 1 : 0;

    for (unsigned i = 0; i < x->lanes; i++) {
        __int128 a = signed_a ? (int64_t)o->a[i] : (__int128)o->a[i];
        __int128 b = signed_b ? (int64_t)o->b[i] : (__int128)o->b[i];

        b *= (__int128)1 << inst->field[LINX_F_shamt];
        a += negative ? -b : b;
        o->result[i] = a > most ? most : a < least ? least : a;
    }
}

/* Registers as they are, of all their elements. */
typedef struct Raw {
    uint64_t a[LINX_LANES], b[LINX_LANES], c[LINX_LANES];
} Raw;

static bool read_raw(LinxContext *x, const LinxComputePlan *plan, Raw *raw)
{
    return linx_raw(x, LINX_F_SrcL, plan->packed, raw->a) &&
           (!plan->has_right ||
            linx_raw(x, LINX_F_SrcR, plan->packed, raw->b)) &&
           (plan->third == LINX_FIELDS ||
            linx_raw(x, plan->third, plan->packed, raw->c));
}

static void do_element(const LinxContext *x, const LinxComputePlan *plan,
                       const Raw *raw, Raw *element, LinxOperands *o,
                       unsigned n)
{
    take(x, raw->a, element->a, LINX_F_SrcL, plan->left, n);
    o->a = element->a;
    o->c = nothing;
    if (plan->third != LINX_FIELDS) {
        take(x, raw->c, element->c, plan->third, plan->last, n);
        o->c = element->c;
    }
    o->b = element->b;
    if (!plan->has_right) {
        for (unsigned i = 0; i < x->lanes; i++) {
            element->b[i] = plan->imm;
        }
    } else {
        take(x, raw->b, element->b, LINX_F_SrcR, plan->right, n);
        if (plan->modifies && !plan->saturates) {
            linx_modify_lanes(x->inst, element->b, element->b, x->lanes);
        }
    }
    if (plan->saturates) {
        saturate(x, plan, o);
    } else {
        operate(plan, o);
    }
}

static bool do_packed(LinxContext *x, const LinxComputePlan *plan,
                      LinxOperands *o, uint64_t *result)
{
    uint64_t part[LINX_LANES] = { 0 };
    unsigned bits = 8u << plan->result;
    Raw raw, element;

    if (!read_raw(x, plan, &raw)) {
        return false;
    }
    o->result = part;
    memset(result, 0, LINX_LANES * sizeof(*result));
    for (unsigned n = 0; n < 1u << plan->packed; n++) {
        do_element(x, plan, &raw, &element, o, n);
        for (unsigned i = 0; i < x->lanes; i++) {
            result[i] |= (part[i] & ~0ull >> (64 - bits)) <<
                         (n * bits & 63);
        }
    }
    return true;
}

/* ---- one instruction ---- */

bool linx_compute(LinxContext *x)
{
    const LinxComputePlan *plan = x->compute;
    LinxComputePlan own;
    uint64_t result[LINX_LANES];
    LinxOperands o;
    Sources sources;

    if (!plan) {
        linx_plan_compute(x->inst, &own);
        plan = &own;
    }
    if (!plan->allowed || (plan->flags & LINX_OUTSIDE && x->block)) {
        return linx_illegal(x);
    }
    o.lanes = x->lanes;
    o.active = linx_active(x);
    o.width = 8u << plan->left;
    o.at = plan->at;
    o.bits = plan->bits;
    o.result = result;
    if (plan->is_float) {
        o.fp = linx_float_state(x);
        memset(result, 0, sizeof(result));
    }
    if (plan->packed || plan->saturates) {
        if (!do_packed(x, plan, &o, result)) {
            return false;
        }
    } else {
        if (!read_sources(x, plan, &sources, &o)) {
            return false;
        }
        operate(plan, &o);
    }
    if (plan->is_float) {
        linx_raised(x, &o.fp);
    }
    linx_mask_lanes(result, x->lanes, o.active);
    return linx_result_packed(x, result, plan->packed);
}
