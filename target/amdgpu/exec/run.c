/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop around the handlers. */
#include "handlers.h"
#include "../exec.h"
#include "../start.h"
#include "../wave.h"
#include "step.h"

/* The host's MXCSR while no wave runs. */
#define HOST_MXCSR 0x1f80

/* Set up what is left to compiled code, unless that begins at @u. */
static void settle(Wave *wave, const Uop *u)
{
    const CodePage *page = wave->page;

    if (!u || !slot_bit(page->begins, (unsigned)(u - page->uops)) ||
        amd(wave)->mode & MODE_STEP) {
        wave->fresh = false;
        LEVEL(amd_settle)(wave, 0, 0, 0, 0);
    }
}

/*
 * Run a wave until a handler leaves.  MXCSR belongs to the wave meanwhile, if
 * it has float operations, and to the host outside.
 */
void LEVEL(amd_run)(Wave *wave)
{
    AmdWave *w = amd(wave);
    const Uop *u = wave->uop;

    w->float_class = FLOAT_NONE;
    if (wave->fresh) {
        settle(wave, u);
    }
    if (unlikely(wave->park.active)) {
        u = LEVEL(amd_resume)(wave);
    }
    while (u) {
        u = unlikely(w->mode & MODE_STEP) ? LEVEL(amd_step)(wave, u) :
                                            u->fn(wave, u);
    }
    if (w->float_class != FLOAT_NONE) {
        _mm_setcsr(HOST_MXCSR);
    }
}
