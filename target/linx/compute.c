/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is computed a lane (linx-blocks sections 6.3, 9.1, 9.2 and 10). */
#include "target/linx/alu.h"
#include "target/linx/perform.h"

/* linx-blocks section 6.3; 32-bit forms know SW and UW as well. */
static uint64_t modified(const LinxContext *x, uint64_t b)
{
    const LinxInst *inst = x->inst;
    const LinxRow *row = &linx_rows[inst->op];
    bool shifts = linx_field_bits(&linx_formats[row->format],
                                  LINX_F_SrcRType);

    switch (inst->field[LINX_F_SrcRType]) {
    case 1:
        b = (uint64_t)(int64_t)(int32_t)b;
        break;
    case 2:
        b = (uint32_t)b;
        break;
    case 3:
        b = row->flags & LINX_NOT ? ~b : -b;
        break;
    }
    return shifts ? b << inst->field[LINX_F_shamt] : b;
}

static uint64_t immediate(const LinxInst *inst)
{
    return inst->field[LINX_F_uimm12] + inst->field[LINX_F_simm12] +
           inst->field[LINX_F_shamt];
}

/* M and N of the bit instructions; false if they are not allowed. */
static bool bit_range(LinxContext *x, LinxOperands *o)
{
    const LinxInst *inst = x->inst;

    if (inst->op == LINX_V_REV || inst->op == LINX_REV) {
        o->at = inst->field[LINX_F_immr] + 1;
        o->bits = inst->field[LINX_F_imml];
        return (o->bits && !(o->at & (o->at - 1)) &&
                !(o->bits & (o->bits - 1)) && o->at > o->bits) ||
               linx_illegal(x);
    }
    o->at = inst->field[LINX_F_imms];
    o->bits = inst->field[LINX_F_imml] + 1;
    return !linx_has_field(x, LINX_F_imms) ||
           (o->at <= o->width && o->bits <= o->width) || linx_illegal(x);
}

bool linx_right(LinxContext *x, uint64_t *b)
{
    if (!linx_has_field(x, LINX_F_SrcR)) {
        for (unsigned i = 0; i < x->lanes; i++) {
            b[i] = immediate(x->inst);
        }
        return true;
    }
    if (!linx_source(x, LINX_F_SrcR, b)) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        b[i] = modified(x, b[i]);
    }
    return true;
}

static bool read_third(LinxContext *x, uint64_t *c)
{
    return linx_has_field(x, LINX_F_SrcD) ? linx_source(x, LINX_F_SrcD, c) :
           !linx_has_field(x, LINX_F_SrcP) || linx_source(x, LINX_F_SrcP, c);
}

bool linx_compute(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    bool wide = linx_rows[inst->op].bits == 64;
    unsigned left = linx_type(inst->field[LINX_F_SrcL]);
    unsigned right = linx_type(inst->field[LINX_F_SrcR]);
    LinxAluFn *fn = linx_alu(inst->op, !wide || left >= 4);
    LinxOperands o = { .width = wide ? 8u << linx_type_size(left, 0) : 64 };
    uint64_t a[LINX_LANES], b[LINX_LANES], c[LINX_LANES] = { 0 };
    uint64_t result[LINX_LANES] = { 0 };

    if (!fn || inst->field[LINX_F_vlen] || inst->field[LINX_F_sat] ||
        (linx_alu_same_sign(inst->op) && (left ^ right) & 4)) {
        return linx_illegal(x);
    }
    if (!bit_range(x, &o) || !linx_source(x, LINX_F_SrcL, a) ||
        !linx_right(x, b) || !read_third(x, c)) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        o.a = a[i];
        o.b = b[i];
        o.c = c[i];
        result[i] = linx_active(x) >> i & 1 ? fn(&o) : 0;
        if (linx_alu_is_word(inst->op)) {
            result[i] = linx_extend(result[i], 2, true);
        }
    }
    return linx_result(x, result);
}
