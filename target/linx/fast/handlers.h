/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast handlers of one host level. */
#ifndef LINX_FAST_HANDLERS_H
#define LINX_FAST_HANDLERS_H

#include "target/linx/fetch.h"

/* Of 64-bit forms that run for all lanes and write a vector queue or P. */
LinxFastFn LINX_AT_LEVEL(linx_fast_compute);

/* Of what runs once a group and writes T, U, P or nothing. */
LinxFastFn LINX_AT_LEVEL(linx_fast_compute_scalar);

/* Of 64-bit forms, for all lanes. */
LinxFastFn LINX_AT_LEVEL(linx_fast_load);
LinxFastFn LINX_AT_LEVEL(linx_fast_store);

/* C.BSTOP. */
LinxFastFn LINX_AT_LEVEL(linx_fast_end);

extern LinxOpFn *const LINX_AT_LEVEL(linx_alu)[LINX_OPS][2];

#endif
