/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the engine and the compiler of hot code.
 *
 * The compiler is a shared object of its own, tessera-jit.so, since it is
 * linked with LLVM and most users of the device never need it.  It knows no
 * instruction: what they mean it takes from the bitcode of the very handlers
 * that the interpreter calls, copied with the micro-operations as constants.
 */
#ifndef JIT_JIT_H
#define JIT_JIT_H

#include <glib.h>
#include "../engine/wave.h"

#define JIT_FIRST 3 /* see JitIsa.first */
#define JIT_REGISTERS 256 /* vector registers, of */
#define JIT_SLICES 4      /* slices, whether a wave has all or not */
#define JIT_LINE 64       /* bytes of scalar registers copied at a time */
#define JIT_TOGETHER 256  /* lanes at most of waves that run at once */

/* What a function that handlers call does besides what its name says. */
typedef enum JitCallee {
    JIT_ASIDE, /* returns; changes nothing of the wave */
    JIT_REFILL, /* bool f(Wave *, uint64_t, EngineAccess), see group_refill() */
    JIT_SPAN,  /* uint32_t f(uint32_t size): size for each wave at hand */
    JIT_PLACE, /* void *f(void *, uint32_t size): moved on by size for each
                  wave at hand before this one */
    JIT_PLAIN, /* returns; may change any of the wave's scalar state */
    JIT_VECTORS, /* the same, and vector registers */
    JIT_EXEC,  /* returns; nothing but which lanes are active has changed */
    JIT_STEP,  /* executes an instruction; writes no scalar register */
    JIT_AWAY,  /* leads to another page, or this one decoded anew */
} JitCallee;

typedef struct JitSymbol {
    const char *name;
    void *address;
    JitCallee kind;
} JitSymbol;

/* A function that executes an instruction; returns what is next, or NULL. */
typedef struct JitCalled {
    UopFn *fn;
    bool scalar; /* it may write scalar registers, EXEC among them */
} JitCalled;

/* A field of the wave that has this value as long as something holds. */
typedef struct JitFact {
    uint32_t offset, size; /* bytes; size 1 to 8, or any with value 0 or -1 */
    uint64_t value;
} JitFact;

/* The compiler's view of an instruction set at one host level. */
typedef struct JitIsa {
    const char *level; /* suffix of the handlers' names: "v3" */

    /*
     * Name, without the level's suffix, of the handler @fn, in which the
     * bitcode has it; NULL: it has to be called.
     */
    const char *(*handler)(UopFn *fn);
    /* The name of the strip that executes @uop for a slice, likewise. */
    const char *(*strip)(const Uop *uop);
    /*
     * What can be called instead of the handler @fn, or NULL.  Its short way,
     * which goes there for all else, is in the bitcode, as near_NAME.
     */
    const JitCalled *(*called)(UopFn *fn);
    /* Dwords from a branch to its target; 0 for all else.  Only a hint. */
    int32_t (*jump)(const Uop *uop);
    /* Does nothing follow that handler's instruction? */
    bool (*ends)(const char *name);
    /* Does it make lanes inactive by a mask?  Only a hint. */
    bool (*narrows)(const char *name);
    /* Does it end the wave, so that nobody can look at vector registers? */
    bool (*last)(const char *name);

    const JitSymbol *symbols; /* that handlers refer to; name NULL at the end */

    /*
     * Code is made for waves all of whose lanes are active, which is so if the
     * uint64_t at @guard is 0 and then makes the @full facts true, and if
     * need be a second time for others.  @lanes of a wave make further facts
     * true.
     */
    uint32_t guard;
    const JitFact *full[2], *lanes[2]; /* of 32, of 64 lanes; size 0 ends */

    /* Of a uint64_t that is made of lane masks, behind what writes them. */
    uint32_t of_masks;

    /* A uint8_t there must be 0, or the wave is interpreted. */
    uint32_t plain;

    uint32_t float_class; /* of a uint8_t: which float setting is in force */
    uint32_t mxcsr;       /* of a uint32_t for each class */

    /*
     * Registers lie there, the scalar ones first; constants in them are not to
     * be folded, see region_opaque().  Lane masks that strips may write lie
     * before @masks_end.
     */
    uint32_t registers, masks_end, end;

    /*
     * Vector registers lie from @vectors on.  Those of a wave that begins, if
     * Wave.fresh, are not there yet: register i < JIT_FIRST has in all lanes
     * the uint32_t i behind @first, the first one, a multiple of the wave's
     * lanes, plus the lane's number; all others have 0.  @settle puts that
     * there, but for registers whose bits are set in @but.
     */
    uint32_t vectors, first;
    void (*settle)(Wave *wave, uint64_t but0, uint64_t but1, uint64_t but2,
                   uint64_t but3);

    /*
     * A wave has ended that was Wave.fresh in the beginning, and of the
     * @image_size bytes of scalar registers those that have been written are
     * again as they are at @image of the wave; its lanes are all active.  Has
     * another one taken its place, to begin with the same instruction?  It may
     * be Wave.fresh, or all is set up.
     */
    bool (*follow)(Wave *wave);
    uint32_t image, image_size;

    /*
     * Waves that may run at once: @wave, which begins and was Wave.fresh, and
     * those behind it.  They differ in nothing but the first of the registers
     * behind @first, which goes up by the wave's lanes and is a multiple of
     * JIT_TOGETHER in @wave, and in the fields @varies.  If they are more than
     * one, all of their lanes are JIT_TOGETHER at most.
     */
    unsigned (*together)(Wave *wave);
    const JitFact *varies; /* size 0 ends; values mean nothing */
    /*
     * @count of those have ended, and scalar registers are again as they were:
     * @wave is from now on the next one, which begins.
     */
    void (*move_on)(Wave *wave, uint32_t count);

    /* Bytes that a slice of 16 lanes has of a register and of a lane mask. */
    uint32_t slice, slice_bits;
    /* Have the handlers of @count instructions from @uop on do slice @q. */
    void (*redo)(Wave *wave, const Uop *uop, unsigned count, unsigned q);
} JitIsa;

/* A page to be compiled. */
typedef struct JitJob {
    const JitIsa *isa;
    unsigned lanes;
    const Uop *uops; /* PAGE_SLOTS + PAGE_OVERHANG, while it is compiled */
    uint64_t entries[PAGE_SLOTS / 64]; /* slots where to begin */
    bool some; /* also for waves some of whose lanes are active */

    /* Results: code, and at which slots it may be entered; NULL: failed. */
    UopFn *code;
    uint64_t enters[PAGE_SLOTS / 64];
    uint64_t begins[PAGE_SLOTS / 64]; /* by waves that are Wave.fresh, too */
    unsigned instructions; /* copied or called, for all and for some lanes */
    unsigned together; /* short programs that are made for several waves, too */
    void *tracker;      /* the compiler's */
    char *error;        /* why it failed, or NULL; to be freed */
} JitJob;

typedef struct JitCompiler JitCompiler;

/* What tessera-jit.so offers, under the name tessera_jit. */
typedef struct JitApi {
    size_t size; /* of JitJob, to see that both were built from the same */

    /* Load the handlers of @isa; NULL and @error if that fails. */
    JitCompiler *(*open)(const JitIsa *isa, GError **error);
    /* Compile @job; from one thread at a time. */
    void (*compile)(JitCompiler *compiler, JitJob *job);
    /* Free the code of @job. */
    void (*drop)(JitCompiler *compiler, JitJob *job);
    /* Free all, the code as well. */
    void (*close)(JitCompiler *compiler);
} JitApi;

extern const JitApi tessera_jit;

#endif
