/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instructions of LinxISA do. */
#ifndef LINX_PERFORM_H
#define LINX_PERFORM_H

#include "target/linx/group.h"

/*
 * Do what x->inst does, but for what belongs to all: x->next_pc is set to what
 * follows it before, and linx_release() is called behind it.  False if it has
 * trapped.
 */
bool linx_perform(LinxContext *x);

bool linx_has_field(const LinxContext *x, LinxField field);

/* The right source, changed as it says, or the immediate. */
bool linx_right(LinxContext *x, uint64_t *b);

/* By kind of instruction. */
bool linx_compute(LinxContext *x);
bool linx_reduce(LinxContext *x);
bool linx_shuffle(LinxContext *x);
bool linx_select_lanes(LinxContext *x);
bool linx_copy_lanes(LinxContext *x);
bool linx_address_of(LinxContext *x);
bool linx_branch(LinxContext *x);
bool linx_system_register(LinxContext *x);
bool linx_end_body(LinxContext *x);
bool linx_do_nothing(LinxContext *x);

#endif
