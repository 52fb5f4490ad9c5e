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
    LLVMBasicBlockRef program; /* it begins there, */
    unsigned begins;           /* at this slot of the page */
    uint64_t wrote[4]; /* lines of JIT_LINE bytes of the scalar registers */
    unsigned slice;  /* the same as q */
    LLVMValueRef first[JIT_FIRST]; /* see JitIsa.first */
    LLVMValueRef nothing; /* what most registers begin with */
    GHashTable *affine;   /* values to what is known of them, and */
    GHashTable *computed; /* scalars that they are made of, see affine.c */
    unsigned slot;   /* of the instruction that is being added */
    unsigned from;   /* where the row of instructions begins, and */
    GArray *then;    /* the cells there */
    LLVMBasicBlockRef row; /* its code, from the beginning */
    const JitSymbol *refill; /* see group_refill(); or NULL */
    LLVMValueRef refill_va, refill_access;
    bool stored;     /* the row has written to memory */
    bool narrows;    /* lanes may become inactive behind it */
};

INL Cell *group_cell(const Group *g, unsigned i)
{
    return &g_array_index(g->cells, Cell, i);
}

/* Is there a rare case?  An i1, or NULL: never. */
LLVMValueRef group_any_rare(Group *g);

/* What is done once behind all slices of the instruction at @slot. */
void region_end_strip(Region *r, unsigned slot, bool full);

/* ---- affine.c, for whole programs ---- */

typedef struct Affine Affine;

void affine_open(Group *g);
void affine_close(Group *g);

/* What was built last is undone: it must not be used again. */
void affine_undo(Group *g);

/* Can @inst, of the library, be one that makes affine vectors or uses them? */
bool affine_wants(LLVMValueRef inst);

/*
 * What @inst, which is wanted, comes to with the operands in the copy, three at
 * most; NULL if it has to be copied.
 */
LLVMValueRef affine_copy(Group *g, LLVMValueRef inst, LLVMValueRef *operand);

/* The bits @v of a mask as @type; NULL if nothing is known of them. */
LLVMValueRef affine_cast(Group *g, LLVMValueRef v, LLVMTypeRef type);

/* Lane @lane of the vector @v, or NULL. */
LLVMValueRef affine_lane(Group *g, LLVMValueRef v, unsigned lane);

/* The slice's lane numbers plus @first, whose bits below are 0. */
LLVMValueRef affine_numbers(Group *g, LLVMValueRef first, unsigned slice);

/* @v, made anew where the builder stands if it can be. */
LLVMValueRef affine_again(Group *g, LLVMValueRef v);

/* ---- program.c, for group.c ---- */

/* What the slice of a vector register at @offset holds when a wave begins. */
LLVMValueRef program_register(Group *g, int64_t offset);

#endif
