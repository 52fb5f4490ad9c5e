/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups, for the files that make them: group.c, by a loop over slices, and
 * program.c, where all slices of an instruction follow each other.
 */
#ifndef JIT_GROUP_H
#define JIT_GROUP_H

#include "internal.h"

/*
 * Cells are slices of vectors, 16 bits of lane masks, and scalars.  In a whole
 * program the offsets of the first two are those of the slice that is meant.
 */
typedef struct Cell {
    Base base;
    int64_t offset;
    unsigned size;
    LLVMValueRef v;
    bool dirty;
    unsigned slot; /* whole program: that of the instruction that wrote it */
} Cell;

struct Group {
    Region *r;
    GArray *cells; /* of Cell */
    GArray *rare;  /* of LLVMValueRef, true in a rare case */
    LLVMBuilderRef before; /* where what is the same in all slices belongs */
    LLVMValueRef q;        /* the slice's number */
    GHashTable *hidden;    /* constants to what they are hidden as */

    /* In a loop. */
    LLVMBasicBlockRef loop;
    LLVMValueRef lanes, bits;

    /* In a whole program, see program.c. */
    bool whole;
    unsigned slice;  /* the same as q */
    LLVMValueRef nothing; /* what most registers begin with */
    unsigned slot;   /* of the instruction that is being added */
    unsigned from;   /* where the row of instructions begins, and */
    GArray *then;    /* the cells there */
    bool stored;     /* the row has written to memory */
};

INL Cell *group_cell(const Group *g, unsigned i)
{
    return &g_array_index(g->cells, Cell, i);
}

/* Is there a rare case?  An i1, or NULL: never. */
LLVMValueRef group_any_rare(Group *g);

/* What is done once behind all slices of the instruction at @slot. */
void region_end_strip(Region *r, unsigned slot, bool full);

/* ---- program.c, for group.c ---- */

/* What the slice of a vector register at @offset holds when a wave begins. */
LLVMValueRef program_register(Group *g, int64_t offset);

#endif
