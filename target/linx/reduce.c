/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reductions into RO0 to RO3 (linx-blocks sections 9.5 and 12). */
#include "target/linx/group.h"

bool linx_reduce_output(LinxContext *x, unsigned output,
                        const uint64_t *value)
{
    unsigned type = linx_type(x->inst->field[LINX_F_SrcL]);
    LinxFp e = linx_float_state(x);

    x->ro[output] = linx_fold(x->inst->op, type, &e, x->ro[output], value,
                              x->p);
    linx_raised(x, &e);
    return true;
}
