/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What target/amdgpu declares for each host level, for the handlers without
 * optimisation, a level that only tests have: their compiler reads this first.
 */
#ifndef TESTS_LEVEL_O0_H
#define TESTS_LEVEL_O0_H

#include "target/amdgpu/exec/handlers.h"

extern const AmdHandler amd_handlers_o0[AMD_OP_COUNT];
void amd_run_o0(Wave *wave);

#endif
