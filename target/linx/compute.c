/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is computed a lane (linx-blocks sections 6.3, 9.1, 9.2, 9.4, 10). */
#include <string.h>
#include "target/linx/perform.h"

/* Packed elements: how many there are, and where, as log2. */
typedef struct Shape {
    unsigned count;           /* elements of a register: 0, 1 or 2 */
    bool is_float;
    unsigned left, right, third, result; /* of bytes of an element */
} Shape;

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

static void modify_lanes(const LinxContext *x, uint64_t *b)
{
    const LinxInst *inst = x->inst;
    unsigned shift = inst->field[LINX_F_shamt];

    if (!shift && !inst->field[LINX_F_SrcRType]) {
        return;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        b[i] = linx_modified(inst, b[i]) << shift;
    }
}

static uint64_t immediate(const LinxInst *inst)
{
    return inst->field[LINX_F_uimm12] + inst->field[LINX_F_simm12] +
           inst->field[LINX_F_shamt];
}

/* M and N of the bit instructions; false if they are not allowed. */
static bool bit_range(LinxContext *x, uint8_t flags, LinxOperands *o)
{
    const LinxInst *inst = x->inst;

    if (flags & LINX_SIZES) {
        o->at = inst->field[LINX_F_immr] + 1;
        o->bits = inst->field[LINX_F_imml];
        return (o->bits && !(o->at & (o->at - 1)) &&
                !(o->bits & (o->bits - 1)) && o->at > o->bits) ||
               linx_illegal(x);
    }
    o->at = inst->field[LINX_F_imms];
    o->bits = inst->field[LINX_F_imml] + 1;
    return (o->at <= o->width && o->bits <= o->width) || linx_illegal(x);
}

static LinxField third_field(const LinxContext *x)
{
    static const LinxField fields[] = {
        LINX_F_SrcD, LINX_F_SrcP, LINX_F_SrcA
    };

    for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (linx_has_field(x, fields[i])) {
            return fields[i];
        }
    }
    return LINX_FIELDS;
}

/* Sources as they are, of the width of all their elements. */
static bool read_sources(LinxContext *x, const Shape *shape,
                         LinxOperands *o)
{
    LinxField third = third_field(x);

    return linx_raw(x, LINX_F_SrcL, shape->count, o->a) &&
           (!linx_has_field(x, LINX_F_SrcR) ||
            linx_raw(x, LINX_F_SrcR, shape->count, o->b)) &&
           (third == LINX_FIELDS ||
            linx_raw(x, third, shape->count, o->c));
}

/* P is read whole, unless it is cut into elements (section 6.2). */
static void extend_source(const LinxContext *x, const Shape *shape,
                          LinxField field, uint64_t *value)
{
    int64_t operand = x->inst->field[field];

    if (linx_rows[x->inst->op].bits == 64 &&
        (shape->count || linx_number(operand) != LINX_P)) {
        linx_extend_lanes(value, x->lanes, linx_type(operand),
                          shape->is_float);
    }
}

/* Make sources what the operation works on. */
static void prepare(LinxContext *x, const Shape *shape, LinxOperands *o,
                    bool modifies)
{
    LinxField third = third_field(x);

    extend_source(x, shape, LINX_F_SrcL, o->a);
    if (linx_has_field(x, LINX_F_SrcR)) {
        extend_source(x, shape, LINX_F_SrcR, o->b);
        if (modifies) {
            modify_lanes(x, o->b);
        }
    } else {
        uint64_t imm = immediate(x->inst);

        for (unsigned i = 0; i < x->lanes; i++) {
            o->b[i] = imm;
        }
    }
    if (third != LINX_FIELDS) {
        extend_source(x, shape, third, o->c);
    }
}

/*
 * ADD and SUB with sat: the exact result, as near as its width comes, which is
 * unsigned if both sources are.
 */
static void saturate(LinxContext *x, const Shape *shape, LinxOperands *o)
{
    const LinxInst *inst = x->inst;
    bool signed_a = linx_type(inst->field[LINX_F_SrcL]) >= 4;
    bool signed_b = linx_type(inst->field[LINX_F_SrcR]) >= 4;
    bool negative = (inst->field[LINX_F_SrcRType] == 3) !=
                    (inst->op == LINX_V_SUB);
    unsigned bits = 8u << shape->result;
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

static void operate(LinxContext *x, const Shape *shape, LinxOperands *o)
{
    const LinxMeaning *meaning = &linx_meanings[x->inst->op];
    bool is_signed = linx_rows[x->inst->op].bits == 32 ||
                     linx_type(x->inst->field[LINX_F_SrcL]) >= 4;

    if (shape->is_float && linx_host_float(x->inst->op, o)) {
        return;
    }
    (is_signed ? meaning->fn : meaning->unsigned_fn)(o);
}

/* One element of each lane. */
static void do_elements(LinxContext *x, const Shape *shape, LinxOperands *o)
{
    bool saturates = x->inst->field[LINX_F_sat] && !shape->is_float;

    prepare(x, shape, o, !saturates);
    (saturates ? saturate : operate)(x, shape, o);
}

static void take(const LinxOperands *from, LinxOperands *to,
                 const Shape *shape, unsigned n)
{
    for (unsigned i = 0; i < from->lanes; i++) {
        to->a[i] = from->a[i] >> (n * (8u << shape->left) & 63);
        to->b[i] = from->b[i] >> (n * (8u << shape->right) & 63);
        to->c[i] = from->c[i] >> (n * (8u << shape->third) & 63);
    }
}

static void do_packed(LinxContext *x, const Shape *shape, LinxOperands *o)
{
    LinxOperands element = *o;
    unsigned bits = 8u << shape->result;

    for (unsigned n = 0; n < 1u << shape->count; n++) {
        take(o, &element, shape, n);
        do_elements(x, shape, &element);
        for (unsigned i = 0; i < o->lanes; i++) {
            o->result[i] |= (element.result[i] & ((1ull << bits) - 1)) <<
                            (n * bits);
        }
    }
    o->fp.flags = element.fp.flags;
}

/* ---- what is allowed ---- */

static Shape shape_of(const LinxContext *x)
{
    const LinxInst *inst = x->inst;
    LinxField third = third_field(x);
    bool is_float = linx_rows[inst->op].flags & LINX_FLOAT;
    Shape shape = { .count = inst->field[LINX_F_vlen], .is_float = is_float };

    if (linx_rows[inst->op].bits == 32) {
        shape.left = shape.right = shape.third = shape.result = 3;
        return shape;
    }
    shape.left = linx_type_size(linx_type(inst->field[LINX_F_SrcL]),
                                is_float);
    shape.right = linx_has_field(x, LINX_F_SrcR) ?
        linx_type_size(linx_type(inst->field[LINX_F_SrcR]), is_float) : 0;
    shape.third = third == LINX_FIELDS ? 0 :
        linx_type_size(linx_type(inst->field[third]), is_float);
    shape.result = 3 - linx_type(inst->field[LINX_F_RegDst]);
    return shape;
}

/* The elements of a register have 64 bits at most, and P has one a lane. */
static bool fits(const LinxContext *x, const Shape *shape)
{
    unsigned most = 3 - shape->count;

    return shape->count == 0 ||
           (shape->left <= most && shape->right <= most &&
            shape->third <= most && shape->result <= most &&
            linx_number(x->inst->field[LINX_F_RegDst]) != LINX_P);
}

/* One format for all (section 9.4). */
static bool floats_agree(const LinxContext *x, const Shape *shape,
                         uint8_t flags)
{
    const LinxInst *inst = x->inst;
    unsigned type = linx_type(inst->field[LINX_F_SrcL]);
    LinxField third = third_field(x);

    return (!linx_has_field(x, LINX_F_SrcR) ||
            linx_type(inst->field[LINX_F_SrcR]) == type) &&
           (third == LINX_FIELDS || linx_type(inst->field[third]) == type) &&
           (flags & LINX_ANY_WIDTH || shape->result == shape->left);
}

static bool is_allowed(const LinxContext *x, const Shape *shape)
{
    const LinxInst *inst = x->inst;
    uint8_t flags = linx_meanings[inst->op].flags;
    int64_t signs = inst->field[LINX_F_SrcL] ^ inst->field[LINX_F_SrcR];

    return fits(x, shape) &&
           !(flags & LINX_SAME_SIGN && linx_type(signs) & 4) &&
           (!shape->is_float || floats_agree(x, shape, flags));
}

bool linx_compute(LinxContext *x)
{
    Shape shape = shape_of(x);
    uint8_t flags = linx_meanings[x->inst->op].flags;
    LinxOperands o;

    if (!is_allowed(x, &shape)) {
        return linx_illegal(x);
    }
    o.lanes = x->lanes;
    o.active = linx_active(x);
    o.width = 8u << shape.left;
    o.fp = linx_float_state(x);
    if ((flags & (LINX_RING | LINX_SIZES) && !bit_range(x, flags, &o)) ||
        !read_sources(x, &shape, &o)) {
        return false;
    }
    if (shape.count || shape.is_float) {
        memset(o.result, 0, sizeof(o.result));
    }
    (shape.count ? do_packed : do_elements)(x, &shape, &o);
    linx_raised(x, &o.fp);
    linx_mask_lanes(o.result, x->lanes, o.active);
    return linx_result_packed(x, o.result, shape.count);
}
