/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What loads, stores, atomics and bridge moves have in common. */
#ifndef LINX_ACCESS_H
#define LINX_ACCESS_H

#include "target/linx/group.h"

typedef struct LinxAccess {
    uint64_t address[LINX_LANES];
    uint64_t data[LINX_LANES];
    unsigned size;  /* log2 of bytes */
    bool is_store, is_local, has_imm;
} LinxAccess;

/*
 * Check the operands of x->inst, of which @access says whether it stores and
 * where, and work out the address of each lane.  Sets access->has_imm.
 */
bool linx_addresses(LinxContext *x, LinxAccess *access);

/* Load to or store from @data, 1 << access->size bytes of @lane. */
bool linx_move(LinxContext *x, const LinxAccess *access, unsigned lane,
               void *data);

#endif
