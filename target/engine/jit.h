/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hot code: noticing it, having it compiled in the background, and putting the
 * code in the place of handlers.
 *
 * Compiled code belongs to the bytes of a page, not to its address, so all
 * workers and all launches of a kernel share it.  It is put in place by the
 * worker whose page it is, between instructions.
 */
#ifndef ENGINE_JIT_H
#define ENGINE_JIT_H

#include "wave.h"

typedef struct EngineJit EngineJit;

/* Code of a page, compiled or not yet. */
typedef struct JitCode JitCode;

/*
 * *@made is NULL if nothing is to be compiled.  @config lives as long.  The
 * compiler is loaded when code gets hot; without it everything is interpreted.
 * False and @error only for a mistake in the environment: see find_mode().
 */
bool jit_new(const EngineConfig *config, EngineJit **made, GError **error);

/* All workers have ended. */
void jit_free(EngineJit *jit);

void jit_counts(EngineJit *jit, EngineJitCounts *counts);

/*
 * A wave is to go on at @slot of @page, which begins to be hot when that has
 * come to some @weight.  Puts code in place when there is some.
 */
void jit_visit(Worker *worker, CodePage *page, unsigned slot, unsigned weight);

/*
 * The page is about to be decoded anew, or freed.  A wave may still be in its
 * code, which is kept until jit_leave().
 */
void jit_forget(CodePage *page);

/* No wave of the worker is in code: let go of what pages have forgotten. */
void jit_leave(Worker *worker);

#endif
