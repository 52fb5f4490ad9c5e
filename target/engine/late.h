/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums that memory gets later: what the last additions of waves come to, kept
 * by the worker until it adds them to memory.
 *
 * A locked addition costs some 20 cycles, and many times that where two CPUs
 * want one cache line: a histogram's bins.  Most of them need not be visible at
 * once.  An addition may be kept if it returns nothing and if, as far as its
 * program goes, the wave neither accesses memory after it, other additions of
 * this kind aside, nor waits for it, nor meets a barrier, sends a message or
 * branches before it ends.  Why nobody can tell:
 *
 * - Nothing orders it before anything else.  What its own wave did before it is
 *   done; what comes after it accesses no memory but for additions of the same
 *   kind, which sum up in any order, and is not waited for either: to the
 *   memory model each is relaxed, and no release follows.  So no other wave,
 *   work-group or CPU has learnt from this wave that it has been executed.
 *   Where a wave's end itself tells somebody something, at the barrier of the
 *   other waves, it does not wait for memory; scratch memory, which another
 *   wave gets then, and LDS are left out.
 * - What does order it is the end of the dispatch, an interrupt message, a trap
 *   handler or a stop of the engine: before all of them late_merge() is called,
 *   and memory is as if nothing had been kept.
 * - Each sum is added in one piece: to others it is some additions right after
 *   one another, as they might have been.
 * - They become visible soon: after LATE_ROUNDS rounds of the worker, at once
 *   if a wave has used up its quantum in the last one, or if the worker runs
 *   out of work.  A wave that polls for the sum, here or elsewhere, sees it.
 *
 * The address is translated when the instruction is executed, so faults are
 * where they would be.  The page is in the list of written pages then, and
 * worker_report() merges before it reports: a sum's host address is as valid as
 * a TLB entry that may be written through.
 */
#ifndef ENGINE_LATE_H
#define ENGINE_LATE_H

#include "wave.h"

/* Add all of the worker's sums to memory. */
void late_merge(Worker *worker);

/* Add @x at @at, aligned and found for writing, later. */
INL void late_add(Worker *worker, uint32_t *at, uint32_t x)
{
    LateSum *s = &worker->late[(uintptr_t)at / 4 % LATE_SUMS];

    if (likely(s->at == at)) {
        s->sum += x;
        return;
    }
    if (s->at) {
        __atomic_fetch_add(s->at, s->sum, __ATOMIC_SEQ_CST);
    }
    *s = (LateSum){ at, x };
    worker->late_any = true;
}

#endif
