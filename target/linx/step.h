/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all ways of running blocks share. */
#ifndef LINX_STEP_H
#define LINX_STEP_H

#include "target/linx/group.h"

/* Does @op begin a memory block, or a block of scalar code that can be run? */
bool linx_is_memory_block(LinxOp op);
bool linx_is_scalar_block(LinxOp op);
bool linx_is_system_block(LinxOp op);

/* May @inst stand in a body, or in scalar code? */
bool linx_is_body_code(const LinxInst *inst);
bool linx_is_scalar_code(const LinxInst *inst);

/*
 * Do @inst, which lies at x->pc, @vector or not, and go on to the next.  False
 * if it has trapped, or if x->waiting: it is to come again.
 */
bool linx_step(LinxContext *x, const LinxInst *inst, bool vector);

/*
 * Where control goes after the scalar block that @start at @pc begins and whose
 * code has ended before @next.
 */
uint64_t linx_scalar_next(const LinxContext *x, const LinxInst *start,
                          uint64_t pc, uint64_t next);

/*
 * The block has committed: what its groups have left in @ro goes to the GPRs,
 * its outputs appear, its inputs go.
 */
void linx_commit(LinxState *state, const LinxBlock *block,
                 const LinxBound *bound, const uint64_t *ro);

#endif
