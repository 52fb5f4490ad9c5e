/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which instructions have a fast handler, and where their operands are. */
#include "target/linx/fetch.h"

/* ---- sources ---- */

/* The reverse of what operand.c does with a number; none of it can fail. */
static LinxOperand wide_source(int64_t operand)
{
    unsigned number = linx_number(operand), type = linx_type(operand);
    LinxOperand o = {
        .size = linx_type_size(type, false), .is_signed = type >= 4,
    };

    if (number < LINX_RI || number >= LINX_REUSE) {
        o.from = LINX_FROM_VECTOR;
        o.queue = LINX_Q_VT + number % LINX_REUSE / 8;
        o.at = number % 8 + 1;
        o.reuse = number >= LINX_REUSE;
    } else if (number <= LINX_RI_LAST) {
        o.from = LINX_FROM_INPUT;
        o.at = number - LINX_RI;
    } else if (number < LINX_LC0) {
        o.from = LINX_FROM_SCALAR;
        o.queue = number < LINX_U ? LINX_Q_T : LINX_Q_U;
        o.at = number % 4 + 1;
    } else if (number < LINX_TA) {
        o.from = number & 1 ? LINX_FROM_BOUND : LINX_FROM_COUNTER;
        o.at = (number - LINX_LC0) / 4;
    } else if (number <= LINX_TO_LAST) {
        o.from = number < LINX_TO ? LINX_FROM_TILE : LINX_FROM_OUTPUT;
        o.at = number - (number < LINX_TO ? LINX_TA : LINX_TO);
    } else if (number == LINX_P) {
        o.from = LINX_FROM_P;
    }
    return o;
}

/* A 5-bit one; false if it is in no body. */
static bool short_source(int64_t number, LinxOperand *o)
{
    *o = (LinxOperand) { .size = 3 };
    if (number >= 24) {
        o->from = LINX_FROM_SCALAR;
        o->queue = number < 28 ? LINX_Q_T : LINX_Q_U;
        o->at = number % 4 + 1;
    }
    return number == 0 || number >= 24;
}

static bool source(const LinxInst *inst, LinxField field, LinxOperand *o)
{
    if (linx_rows[inst->op].bits == 32) {
        return short_source(inst->field[field], o);
    }
    *o = wide_source(inst->field[field]);
    return true;
}

/* ---- results ---- */

static bool result(const LinxInst *inst, LinxFastPlan *f)
{
    int64_t operand = inst->field[LINX_F_RegDst];
    unsigned number = linx_number(operand);

    f->width = 3;
    if (linx_rows[inst->op].bits == 32) {
        f->to = operand == 31 ? LINX_Q_T : operand == 30 ? LINX_Q_U :
                LINX_TO_NOWHERE;
        return operand == 0 || operand >= 24;
    }
    f->width = 3 - linx_type(operand);
    f->to = number == LINX_P ? LINX_TO_P : number < 4 ? LINX_Q_VT + number :
            number == LINX_PUSH_T ? LINX_Q_T : LINX_Q_U;
    return true;
}

/* ---- by kind ---- */

static LinxFastFn *plan_compute(const LinxFast *fast, LinxUop *uop)
{
    const LinxComputePlan *plan = &uop->compute;
    const LinxInst *inst = &uop->inst;
    LinxFastPlan *f = &uop->fast;

    if (!plan->allowed || plan->is_float || plan->packed ||
        plan->saturates || plan->flags & LINX_OUTSIDE ||
        !result(inst, f) || !source(inst, LINX_F_SrcL, &f->a) ||
        (plan->has_right && !source(inst, LINX_F_SrcR, &f->b)) ||
        (plan->third != LINX_FIELDS &&
         !source(inst, plan->third, &f->c))) {
        return NULL;
    }
    f->fn = fast->alu[inst->op][plan->fn !=
                                linx_meanings[inst->op].fn];
    return uop->vector ? fast->compute : fast->compute_scalar;
}

static LinxFastFn *plan_access(const LinxFast *fast, LinxUop *uop)
{
    const LinxAccessPlan *plan = &uop->plan;
    const LinxInst *inst = &uop->inst;
    LinxFastPlan *f = &uop->fast;

    if (!uop->vector || inst->size != 8 || plan->illegal ||
        plan->is_bridge || plan->pc_relative ||
        plan->kind > LINX_STORE || !source(inst, plan->base, &f->a) ||
        (!plan->has_imm && !source(inst, LINX_F_SrcR, &f->b))) {
        return NULL;
    }
    if (plan->kind == LINX_LOAD) {
        return result(inst, f) && f->to <= LINX_Q_VN ? fast->load : NULL;
    }
    return source(inst, plan->data, &f->c) ? fast->store : NULL;
}

void linx_fast_plan(const LinxFast *fast, LinxUop *uop)
{
    if (uop->computes) {
        uop->fast.run = plan_compute(fast, uop);
    } else if (uop->access) {
        uop->fast.run = plan_access(fast, uop);
    } else if (uop->perform == linx_end_body) {
        uop->fast.run = fast->end;
    }
}
