/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a wave's start that need not be fast (wave.c), for those that
 * have to be (exec/start.c).
 */
#ifndef AMDGPU_START_H
#define AMDGPU_START_H

#include "strict.h"
#include "wave.h"

/* AmdWave.float_class: MXCSR is that of some earlier MODE. */
enum { FLOAT_UNKNOWN = FLOAT_CLASSES };

/*
 * The wave is one of a dispatch that it was not one of before: what is the same
 * in all of that dispatch's waves.  Nothing of another one is left to read.
 */
void amd_start_dispatch(AmdWave *w, const TesseraLaunch *l,
                        const AmdIsa *isa);

#endif
