/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split barriers: a wave arrives at one point and waits at a later one.  The
 * waves of a group share a thread, so nothing here needs a lock.
 */
#include "sched.h"

static void complete(EngineGroup *group, unsigned barrier)
{
    group->signals[barrier] = 0;
    for (unsigned i = 0; i < group->waves; i++) {
        Wave *wave = group->wave[i];

        if (wave->state == WAVE_SIGNAL && wave->awaited == barrier) {
            wave->state = WAVE_RUN;
        } else {
            wave->complete |= 1u << barrier;
        }
    }
}

bool wave_barrier_signal(Wave *wave, unsigned barrier)
{
    EngineGroup *group = wave->group;
    bool first = group->signals[barrier] == 0;

    if (++group->signals[barrier] >= group_live(wave)) {
        complete(group, barrier);
    }
    return first;
}

bool wave_barrier_wait(Wave *wave, unsigned barrier)
{
    if (wave->complete >> barrier & 1) {
        wave->complete &= ~(1u << barrier);
        return true;
    }
    wave->awaited = barrier;
    return false;
}

void group_member_left(EngineGroup *group)
{
    for (unsigned i = 0; i < WAVE_BARRIERS; i++) {
        if (group->signals[i] && group->signals[i] >= group->live) {
            complete(group, i);
        }
    }
}
