/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With TESSERA_JIT=now in the environment, which the engine looks at, all
 * snippets on the wave harness run as compiled code, as far as there is such.
 */
#ifndef TESTS_WAVE_JIT_H
#define TESTS_WAVE_JIT_H

#include "target/engine/sched.h"

/* Whether that is so for waves made from now on; it is at first. */
void wave_jit_allow(bool allow);

/* A number from the environment, or @otherwise. */
unsigned wave_jit_setting(const char *name, unsigned otherwise);

void wave_jit_start(Engine *engine);

/* So much was compiled at least: else a test has compared nothing. */
void wave_jit_check(Engine *engine, unsigned pages, unsigned instructions);

/*
 * A snippet is over: let go of its code.  Else there is soon no room for more,
 * and what follows is interpreted.
 */
void wave_jit_leave(Worker *worker);

/* Says how many pages were compiled; fails if any could not be. */
void wave_jit_stop(Engine *engine, Worker *worker);

#endif
