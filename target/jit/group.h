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
    LLVMBasicBlockRef program; /* waves begin there, */
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

    /* For several waves at once, see together.c; in others all NULL. */
    LLVMBuilderRef scalars; /* where what is done once for all of them belongs */
    LLVMBuilderRef body;    /* and what is done for each */
    LLVMValueRef waves;     /* how many they are, an i32 */
    LLVMValueRef place;     /* of the one at hand among them: an i32 */
    GHashTable *inside;     /* blocks of what is done for each */
    LLVMBasicBlockRef again; /* out of it, to the program for one wave, when */
    LLVMValueRef ended;      /* so many of the waves have ended: a phi there */
    bool address;    /* the instruction at hand is a load or store */
    bool changed;    /* memory, so that no wave can begin again */
    bool failed;     /* cannot be done */
};

INL bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

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

/* ---- program.c ---- */

/*
 * What loads or stores with all lanes side by side is a @whole form, all other
 * vector instructions are done slice by slice.  NULL: not a vector instruction.
 */
Function *program_form(Region *r, unsigned slot, bool *whole);

/* Does the instruction at @slot end the wave? */
bool program_ends(Region *r, unsigned slot);

/* A group whose @g->program begins where the builder stands. */
void program_begin(Group *g, Region *r, unsigned slot);
void program_end(Group *g);

/* Instructions from *@slot on in a row; false if not even one fits. */
bool program_row(Group *g, unsigned *slot);

/* The scalar instruction at *@slot; false if nothing of the program follows. */
bool program_scalar(Group *g, unsigned *slot);

/* Make scalar registers again what waves begin with. */
void program_restore(Group *g);

/* Say of @branch that it is hardly ever taken. */
void program_hardly_ever(Region *r, LLVMValueRef branch);

/* Out, but if what the row missed is there now: to its beginning. */
LLVMBasicBlockRef program_refill(Group *g, LLVMBasicBlockRef out);

/* ---- together.c ---- */

/*
 * Build the program that begins at @slot for several waves at once, where the
 * builder stands; @one is the program for one of them.
 */
void together_build(Region *r, unsigned slot, LLVMBasicBlockRef one);

/* Where scalars are computed. */
INL LLVMBuilderRef together_scalars(const Group *g)
{
    return g->scalars ? g->scalars : g->r->builder;
}

/* Note that what was built last in g->body is inside of what is done for each. */
void together_mark(Group *g);

/* Is @v computed for each wave? */
bool together_inside(const Group *g, LLVMValueRef v);

/*
 * Is there a lane mask in the @size bytes at @offset of the wave that differs
 * from wave to wave?  It is not stored, and scalar instructions cannot use it.
 */
bool together_holds(const Group *g, int64_t offset, unsigned size);

/*
 * Is there, or might be, in the @size bytes at @at what differs from one wave at
 * hand to the next?
 */
bool together_varies(const Step *step, Val at, unsigned size);

/* Leave where there is a rare case. */
void together_leave_if_rare(Group *g);

/* A block from which all waves begin again, one by one. */
LLVMBasicBlockRef together_out(Group *g);

/* ---- program.c, for group.c ---- */

/* What the slice of a vector register at @offset holds when a wave begins. */
LLVMValueRef program_register(Group *g, int64_t offset);

#endif
