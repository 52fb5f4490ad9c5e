/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See late.h. */
#include "late.h"
#include "sched.h"

/* Rounds for which sums are kept. */
#define LATE_ROUNDS 32

void late_merge(Worker *worker)
{
    if (!worker->late_any) {
        return;
    }
    for (unsigned i = 0; i < LATE_SUMS; i++) {
        LateSum *s = &worker->late[i];

        if (s->at) {
            __atomic_fetch_add(s->at, s->sum, __ATOMIC_SEQ_CST);
            s->at = NULL;
        }
    }
    worker->late_any = false;
    worker->late_rounds = 0;
}

static bool used_quantum(const EngineGroup *group)
{
    for (unsigned i = 0; i < group->waves; i++) {
        if (group->wave[i]->budget < 0) {
            return true;
        }
    }
    return false;
}

/* Has a round been a long one? */
static bool was_long(const WorkerQueue *q)
{
    for (const Attachment *a = q->attached; a; a = a->next) {
        for (const EngineGroup *group = a->groups; group; group = group->next) {
            if (used_quantum(group)) {
                return true;
            }
        }
    }
    return false;
}

void late_round(Worker *worker)
{
    if (worker->late_any &&
        (++worker->late_rounds >= LATE_ROUNDS || was_long(worker->queue))) {
        late_merge(worker);
    }
}
