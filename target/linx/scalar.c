/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scalar code: branches, system registers (linx-blocks sections 10, 11). */
#include "target/linx/perform.h"

bool linx_address_of(LinxContext *x)
{
    uint64_t upper = (uint64_t)x->inst->field[LINX_F_simm20] << 12;
    uint64_t value = x->inst->op == LINX_LUI ? upper : x->pc + upper;

    return x->inst->op == LINX_SETRET ? linx_illegal(x) :
           linx_result(x, &value);
}

static bool is_taken(LinxContext *x, uint64_t a, uint64_t b)
{
    switch (x->inst->op) {
    case LINX_B_EQ:
        return a == b;
    case LINX_B_NE:
        return a != b;
    case LINX_B_LT:
        return (int64_t)a < (int64_t)b;
    case LINX_B_GE:
        return (int64_t)a >= (int64_t)b;
    case LINX_B_LTU:
        return a < b;
    case LINX_B_GEU:
        return a >= b;
    case LINX_B_Z:
        return x->p == 0;
    case LINX_B_NZ:
        return x->p != 0;
    default:
        return true;
    }
}

bool linx_branch(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    int64_t distance = 2 * (inst->field[LINX_F_simm12] +
                            inst->field[LINX_F_simm22]);
    uint64_t a = 0, b = 0;

    if (!x->block) {
        return linx_illegal(x);
    }
    if ((linx_has_field(x, LINX_F_SrcL) && !linx_source(x, LINX_F_SrcL, &a)) ||
        (linx_has_field(x, LINX_F_SrcR) && !linx_source(x, LINX_F_SrcR, &b))) {
        return false;
    }
    if (is_taken(x, a, b)) {
        x->next_pc = (inst->op == LINX_JR ? a : x->pc) + distance;
    }
    return true;
}

/* Only LCFR so far (section 14): 64 lanes, one group at a time. */
bool linx_system_register(LinxContext *x)
{
    const uint64_t lcfr = 6 | 1 << 8 |
                          (uint64_t)(LINX_TILE_MAX / 512 - 1) << 32;

    if (x->inst->op == LINX_SSRSET || x->inst->op == LINX_SSRSWAP) {
        return linx_raise(x, LINX_E_INST, 4, 0); /* PERM */
    }
    if (x->inst->op != LINX_SSRGET || x->inst->field[LINX_F_SSRID] != 0x24) {
        return linx_illegal(x);
    }
    return linx_result(x, &lcfr);
}

bool linx_end_body(LinxContext *x)
{
    x->ended = true;
    return true;
}

bool linx_do_nothing(LinxContext *x)
{
    return true;
}
