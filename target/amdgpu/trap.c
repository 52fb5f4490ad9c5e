/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../engine/late.h"
#include "isa.h"
#include "trap.h"

enum {
    TRAP_DEBUGGER = 3, /* goes on if there is no debugger (gfx-facts 12) */
    TTMP1_ID_SHIFT = 16,
    TTMP1_REWIND_SHIFT = 25,
    TTMP1_ID_SHIFT_12 = 28, /* gfx12: 4 bits of id, no rewind */
};

const Uop *amd_trap_enter(AmdWave *w, const Uop *u, unsigned id,
                          unsigned rewind)
{
    uint64_t pc = wave_pc(&w->w, u) + rewind * 4;

    late_merge(w->w.worker); /* the handler may access memory */
    w->privileged = true;
    w->s[SGPR_TTMP] = (uint32_t)pc;
    w->s[SGPR_TTMP + 1] = (pc >> 32 & 0xffff) |
                          (w->isa->gen == GEN_12
                               ? id << TTMP1_ID_SHIFT_12
                               : id << TTMP1_ID_SHIFT |
                                     rewind << TTMP1_REWIND_SHIFT);
    return wave_goto(&w->w, w->launch->tba);
}

const Uop *amd_trap(AmdWave *w, const Uop *u, unsigned id)
{
    if (amd_traps(w)) {
        return amd_trap_enter(w, u, id, 0);
    }
    if (id == TRAP_DEBUGGER) {
        return u + u->len;
    }
    return wave_fault(&w->w, u, TESSERA_FAULT_TRAP, ENGINE_FETCH,
                      wave_pc(&w->w, u), 0);
}
