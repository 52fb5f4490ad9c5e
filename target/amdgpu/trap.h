/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trap handlers: code of the driver that a wave runs when it traps, in
 * privileged state, until s_rfe_b64.
 */
#ifndef AMDGPU_TRAP_H
#define AMDGPU_TRAP_H

#include "wave.h"

/*
 * Enter the handler of the wave's VMID because of @u: trap number @id, 0 for
 * an exception.  The handler finds in ttmp[0:1] where to go on, which is
 * @rewind dwords behind @u, with @id in bits 55:48 and @rewind in 60:57.
 *
 * Returns where the wave goes on; NULL if that cannot be reached yet or at
 * all, as wave_goto().  Call only if amd_traps() says so.
 */
const Uop *amd_trap_enter(AmdWave *w, const Uop *u, unsigned id,
                          unsigned rewind);

/* Is there a handler to go to?  None can be entered twice. */
INL bool amd_traps(const AmdWave *w)
{
    return w->launch->tba && !w->privileged;
}

/* s_trap @id (not 0): the handler, or the end of the dispatch. */
const Uop *amd_trap(AmdWave *w, const Uop *u, unsigned id);

#endif
