/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions do. */
#include <glib.h>
#include "target/linx/perform.h"

bool linx_has_field(const LinxContext *x, LinxField field)
{
    return linx_field_bits(&linx_formats[linx_rows[x->inst->op].format],
                           field);
}

static bool select_any(LinxContext *x)
{
    return x->inst->op == LINX_V_PSEL ? linx_select_lanes(x) :
           x->inst->op == LINX_V_MOV ? linx_copy_lanes(x) : linx_compute(x);
}

/* By group of instructions; what is missing is illegal in a body. */
static bool (*const handlers[])(LinxContext *x) = {
    [LINX_G_TERM] = linx_end_body,
    [LINX_G_HDR_START] = linx_end_body,
    [LINX_G_V_ARITH] = linx_compute,
    [LINX_G_V_ARITH_IMM] = linx_compute,
    [LINX_G_V_ATOMIC_LOAD] = linx_access,
    [LINX_G_V_ATOMIC_STORE] = linx_access,
    [LINX_G_V_BIT] = linx_compute,
    [LINX_G_V_CMP] = linx_compute,
    [LINX_G_V_CMP_IMM] = linx_compute,
    [LINX_G_V_LOAD] = linx_access,
    [LINX_G_V_LOAD_IMM] = linx_access,
    [LINX_G_V_MINMAX] = linx_compute,
    [LINX_G_V_MULDIV] = linx_compute,
    [LINX_G_V_REDUCE] = linx_reduce,
    [LINX_G_V_SELECT] = select_any,
    [LINX_G_V_SHUFFLE] = linx_shuffle,
    [LINX_G_V_SHUFFLE_IMM] = linx_shuffle,
    [LINX_G_V_STORE] = linx_access,
    [LINX_G_V_STORE_IMM] = linx_access,
    [LINX_G_S32_ARITH] = linx_compute,
    [LINX_G_S32_ADDR] = linx_address_of,
    [LINX_G_S32_BRANCH] = linx_branch,
    [LINX_G_S32_BIT] = linx_compute,
    [LINX_G_S32_CMP] = linx_compute,
    [LINX_G_S32_SELECT] = linx_compute,
    [LINX_G_S32_MULDIV] = linx_compute,
    [LINX_G_S32_LOAD] = linx_access,
    [LINX_G_S32_SYS] = linx_system_register,
    [LINX_G_S32_STORE] = linx_access,
    [LINX_G_S32_SETC] = linx_do_nothing,
};

bool linx_perform(LinxContext *x)
{
    unsigned group = linx_rows[x->inst->op].group;

    return group < G_N_ELEMENTS(handlers) && handlers[group] ?
           handlers[group](x) : linx_illegal(x);
}
