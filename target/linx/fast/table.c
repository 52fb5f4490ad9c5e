/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What linx_fast_plan() chooses from. */
#include "target/linx/fast/handlers.h"

const LinxFast LINX_AT_LEVEL(linx_fast) = {
    .compute = LINX_AT_LEVEL(linx_fast_compute),
    .compute_scalar = LINX_AT_LEVEL(linx_fast_compute_scalar),
    .load = LINX_AT_LEVEL(linx_fast_load),
    .store = LINX_AT_LEVEL(linx_fast_store),
    .end = LINX_AT_LEVEL(linx_fast_end),
    .alu = LINX_AT_LEVEL(linx_alu),
};
