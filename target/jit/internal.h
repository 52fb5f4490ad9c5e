/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the compiler share.
 *
 *   library.c  the handlers' bitcode, and what can be done with each function
 *   clone.c    copies a handler's code, with a micro-operation as constants
 *   group.c    joins vector instructions in a row, to be done by slices
 *   program.c  makes one piece of a short program
 *   region.c   makes a function of all that can be reached in a page
 *   compile.c  optimises it and makes host code
 */
#ifndef JIT_INTERNAL_H
#define JIT_INTERNAL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include "jit.h"

/* ---- library.c ---- */

/* What is known of a function of the bitcode. */
typedef struct Function {
    LLVMValueRef fn;
    bool usable;  /* it can be copied */
    bool loops;
    int class;     /* float setting that it wants; 0: none, -1: several */
    unsigned size; /* instructions, of what it calls as well */
    unsigned misfits; /* micro-operations that it could not be copied for */
    unsigned count;
    LLVMBasicBlockRef *blocks; /* in reverse post-order */
} Function;

typedef struct Library {
    const JitIsa *isa;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMPassManagerRef reader; /* without passes: it reads a function */
    LLVMTargetDataRef layout;
    GHashTable *functions; /* LLVMValueRef to Function */
    GHashTable *symbols;   /* name to JitSymbol */
} Library;

/* Read @bytes; false and @error if that fails. */
bool library_open(Library *lib, const JitIsa *isa, LLVMContextRef context,
                  const void *bytes, size_t size, GError **error);
void library_close(Library *lib);

/* Facts about the function @fn, found out once. */
Function *library_function(Library *lib, LLVMValueRef fn);

/* The handler @fn of the interpreter, if it is there and usable, else NULL. */
Function *library_handler(Library *lib, UopFn *fn);

/* The short way of what executes an instruction, see JitIsa.called; or NULL. */
Function *library_near(Library *lib, UopFn *fn);

/* The form of a load or store for whole programs; or NULL. */
Function *library_whole(Library *lib, UopFn *fn);

/*
 * What executes @uop for a slice, where all lanes are active if @full, and what
 * has to be done behind all slices (target/amdgpu/exec/strip.h); NULL if there
 * is none.
 */
Function *library_strip(Library *lib, const Uop *uop, bool full);
Function *library_end(Library *lib, const Uop *uop);

/* A function outside that handlers call, or NULL. */
const JitSymbol *library_symbol(Library *lib, LLVMValueRef fn);

/* Is the call's callee to be copied, rather than called? */
bool library_inlines(LLVMValueRef callee);

/* The function that a call instruction names, or NULL. */
LLVMValueRef called_function(LLVMValueRef call);

bool is_intrinsic(LLVMValueRef fn);

/*
 * Where the address @gep points to, @offset bytes behind the pointer that it
 * starts from, if all of its indices are constant.  @map gives indices of the
 * library a value in the copy; NULL: they are as they are.
 */
typedef LLVMValueRef MapFn(void *opaque, LLVMValueRef value);
bool constant_offset(Library *lib, LLVMValueRef gep, MapFn *map, void *opaque,
                     int64_t *offset);

/* ---- facts.c ---- */

/* The first of the facts from @fact on that says what is at @offset, or NULL. */
const JitFact *fact_at(const JitFact *fact, uint64_t offset, unsigned size);

/* What it says, as a @type; @offset is that of the field; NULL: it cannot. */
LLVMValueRef fact_value(const JitFact *fact, uint64_t offset, LLVMTypeRef type);

/* Is any of them about a part of what is there? */
bool fact_meets(const JitFact *fact, int64_t offset, unsigned size);

/* ---- clone.c ---- */

/* What a pointer is known to point into. */
typedef enum Base {
    BASE_NONE,
    BASE_UOP,  /* page->uops, at an offset in bytes */
    BASE_WAVE, /* the wave, at an offset in bytes */
    BASE_LANES, /* the same, moved on to a slice of the vector registers */
    BASE_BITS,  /* and to the slice's bits of lane masks */
    BASE_WAVE_SOMEWHERE,
} Base;

/* A value in the copy; @base and @offset hold for integers made of pointers. */
typedef struct Val {
    LLVMValueRef v;
    Base base;
    int64_t offset;
} Val;

typedef struct Group Group;

/* The copying of one micro-operation. */
typedef struct Step {
    struct Region *region;
    Group *group;   /* that it is a strip of, or NULL */
    Group *program; /* that it is a scalar instruction of, or NULL: */
    bool last;      /* it ends the wave */
    LLVMBasicBlockRef on; /* where the program goes on, if it does */
    bool straight;  /* it goes on behind the copy: a strip, or its end */
    LLVMBasicBlockRef behind; /* there */
    const Function *handler;
    unsigned slot;
    bool full;      /* in the code for waves with all lanes */
    bool dirty;     /* facts may have ceased to hold */
    bool exec;      /* which lanes are active may have changed */
    bool stored;    /* some of the wave's state has been changed */
    bool called;    /* a function outside was called */
    bool looped;    /* there is a way back in the copy */
    bool away;      /* one that may lead to other code */
    bool failed;
} Step;

/* Copy the step's handler to where the region's builder stands. */
void clone_step(Step *step);

/* ---- group.c ---- */

/* Begin a loop over slices where the region's builder stands. */
Group *group_begin(struct Region *region);

/* The number of the slice, as a @type. */
Val group_number(Group *group, LLVMTypeRef type);

/* See region_opaque(); found out before the loop. */
LLVMValueRef group_opaque(Group *group, LLVMValueRef value);

/* What is at @offset of @base; NULL if that is not known in a group. */
LLVMValueRef group_load(Group *group, Base base, int64_t offset,
                        LLVMTypeRef type);

/* False if that cannot be put there in a group. */
bool group_store(Group *group, Base base, int64_t offset, LLVMValueRef v);

/* Handlers are to do the whole group for a slice where @condition holds. */
void group_rare(Group *group, LLVMValueRef condition);

/*
 * In a whole program: where the row has a rare case, @call is made, and if it
 * returns true the row begins again.  False in any other group.
 */
bool group_refill(Group *group, const JitSymbol *fn, LLVMValueRef va,
                  LLVMValueRef access);

/*
 * That was all: @count instructions from @slot on.  The builder then stands
 * behind the loop, and the group is freed.  @write_out: the loop is rather to
 * be written out, slice by slice, so that LLVM can keep registers in the host's
 * from one turn of the program's loop to the next.
 */
void group_end(Group *group, unsigned slot, unsigned count, bool write_out);

/*
 * What is not the wave's is about to be read, or to be written, which cannot be
 * taken back.  False if that cannot be in the group.
 */
bool group_touches_memory(Group *group, bool write);

/* What the group was like before an instruction, to keep it or take it back. */
typedef struct GroupMark {
    LLVMBasicBlockRef block, last;
    LLVMBasicBlockRef scalars; /* that of Group.scalars */
    GArray *cells, *rare;
    bool stored;
} GroupMark;

GroupMark group_mark(Group *group);
void group_keep(GroupMark *mark);
void group_undo(Group *group, GroupMark *mark);

/* ---- program.c ---- */

/* Is what begins at @slot a short program? */
bool program_is(struct Region *region, unsigned slot);

/* Build it where the region's builder stands. */
void program_build(struct Region *region, unsigned slot);

/* The program is left for good or for a call: have all that is exact. */
void program_settle(Group *program);

/* A scalar instruction of it has written @size bytes at @offset of the wave. */
void program_wrote(Group *program, int64_t offset, unsigned size);

/* The wave has ended: if another one takes its place, it begins. */
void program_follow(Group *program);

/* A block that does so, and then goes to @block. */
LLVMBasicBlockRef program_out(Group *program, LLVMBasicBlockRef block);

/* ---- region.c ---- */

typedef struct Region {
    Library *lib;
    JitJob *job;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMBuilderRef entry; /* where allocas and the like belong */
    LLVMValueRef fn, wave, uops;
    LLVMTypeRef ptr, i8, i32, i64;
    GHashTable *globals;  /* of the library, in the module */
    GHashTable *pointers; /* into the page and the wave, see clone.c */

    int class;     /* float setting that all of it wants; -1: several */
    bool conflict; /* it turned out that it wants several */
    bool unchecked; /* something was called before it was known */

    LLVMBasicBlockRef block[2][PAGE_SLOTS]; /* by Step.full */
    LLVMBasicBlockRef leave[PAGE_SLOTS]; /* to the interpreter */
    LLVMBasicBlockRef interpret[PAGE_SLOTS]; /* it executes one instruction */
    GArray *todo;      /* of unsigned: slot * 2 + full */
    GArray *entries;   /* of unsigned: slots */
    LLVMBasicBlockRef program[PAGE_SLOTS]; /* that begins there, or NULL */
    uint64_t entered[PAGE_SLOTS / 64];
    uint64_t loops[PAGE_SLOTS / 64]; /* slots in small loops of the program */
    bool written_out;  /* a group was, see group_end() */
    uint64_t *alone;   /* slots whose strip does not fit in any group */
    uint64_t *apart;   /* slots that cannot be part of a whole program */
    unsigned size;     /* of the handlers copied, see REGION_MAX */
    bool failed;
} Region;

/*
 * Make a function @name in a new module of the library's context; NULL if
 * nothing can be made of the job's entries.  *@written_out: groups are, which
 * wants more of the optimiser.
 */
LLVMModuleRef region_build(Library *lib, JitJob *job, const char *name,
                           bool *written_out);

/* The step returns @next: go on there. */
void region_return(Step *step, Val next);

/* A wave that leaves there may be run again at @offset bytes into the page. */
void region_resumes(Step *step, int64_t offset);

/* The step's float class @class is about to be compared with the wave's. */
void region_wants_class(Region *region, int class);

LLVMBasicBlockRef region_new_block(Region *region);

/* The code for all lanes of the instruction at @slot, and what follows. */
LLVMBasicBlockRef region_block_at(Region *region, unsigned slot);

/* Is there room for @size more LLVM instructions in the function? */
bool region_has_room(const Region *region, unsigned size);

/* What is copied for a scalar instruction, or NULL. */
Function *region_scalar(Region *region, unsigned slot);

/*
 * A block in which the interpreter executes the instruction at @slot, of which
 * nothing has been done yet.
 */
LLVMBasicBlockRef region_interpret(Region *region, unsigned slot);

/* Give @to the attributes of @from at @index: itself, result or parameter. */
void region_copy_attributes(LLVMValueRef to, LLVMValueRef from,
                            unsigned index);

/* The address of what is @offset bytes into the wave. */
LLVMValueRef region_wave_field(Region *region, int64_t offset);

/* A vector of @type with @x in all elements. */
LLVMValueRef region_splat(Region *region, LLVMValueRef x, LLVMTypeRef type);

/* Return from the function: the interpreter goes on at @slot. */
LLVMBasicBlockRef region_leave_at(Region *region, unsigned slot);

/* The address of something of the host. */
LLVMValueRef region_address(Region *region, const void *address);

/* The value that @value has the bits of. */
LLVMValueRef region_uncast(LLVMValueRef value);

/* The bits of @value; of a cast, what it was cast from if that fits. */
LLVMValueRef region_as_type(Region *region, LLVMValueRef value,
                            LLVMTypeRef type);

/* @value, of which the optimiser is not to know that it is constant. */
LLVMValueRef region_opaque(Region *region, LLVMValueRef value);

/* ---- shuffle.c ---- */

/*
 * What the shuffle @inst makes of @a and @b, its operands in the copy: the
 * vector that all elements are put back into their places of, or NULL.
 */
LLVMValueRef shuffle_back(Region *region, LLVMValueRef inst, LLVMValueRef a,
                          LLVMValueRef b);

/* The same, if both are constants: a constant, or NULL. */
LLVMValueRef shuffle_constants(Region *region, LLVMValueRef inst,
                               LLVMValueRef a, LLVMValueRef b);

#endif
