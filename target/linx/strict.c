/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hazards=strict: what accesses tell the overlap checker. */
#include "target/linx/access.h"

void linx_touch(LinxContext *x, LinxTouch *touch)
{
    LinxClash clash;

    touch->is_scalar = !x->block;
    touch->group = x->group;
    touch->pc = x->pc;
    if (linx_overlap_touch(x->state->overlap, touch, &clash)) {
        x->state->clash(x, touch, &clash);
    }
}
