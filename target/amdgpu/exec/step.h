/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef AMDGPU_EXEC_STEP_H
#define AMDGPU_EXEC_STEP_H

#include "handlers.h"

/*
 * Execute one instruction as MODE's bits GPR_IDX_EN and VSKIP say.  Returns the
 * next one, or NULL if the wave has to leave the handlers.
 */
UopFn LEVEL(amd_step);

/* Go on with the instruction that is under way (WavePark.active). */
const Uop *LEVEL(amd_resume)(Wave *wave);

#endif
