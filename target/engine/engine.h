/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The execution engine: runs grids of work-groups on host threads.
 *
 * It knows nothing of queues and packets (hw/gpu does) nor of encodings
 * (target/<isa> does).  Its owner supplies translation of guest addresses and
 * hears when a dispatch is over.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <glib.h>
#include <sched.h>
#include "tessera/host.h"
#include "tessera/isa.h"
#include "tessera/regs.h"

typedef struct Engine Engine;

#define TESSERA_WORKERS_MAX 64
#define TESSERA_CUS 8
#define ENGINE_PRIORITY_MAX 15u

typedef enum EngineAccess {
    ENGINE_READ,
    ENGINE_WRITE,
    ENGINE_FETCH,
} EngineAccess;

#define ENGINE_PAGE 4096u

/* What lies behind one 4 KiB page of an address space. */
typedef struct EnginePage {
    uint8_t *host;    /* host address of the page's first byte */
    bool writable;
    bool vram;
    uint64_t backing; /* bus address, or offset in VRAM */
    /*
     * Bytes before and behind the page of which all this is true as well, with
     * host and backing going on: whole pages, of the aligned 2 MiB around it.
     * 0 when translate is called.
     */
    uint32_t before, after;
} EnginePage;

#define ENGINE_STRETCH (2u << 20)

/*
 * What translate may say besides a fault's cause.  Neither is ever shown to
 * the guest.
 */
enum {
    /* No RAM: access bus address EnginePage.backing by asking, see below. */
    ENGINE_DEVICE = 0x100,
    /* Not known yet: ask, and translate again once it is answered. */
    ENGINE_WAIT,
};

typedef enum EngineAskOp {
    ENGINE_ASK_TRANSLATE, /* make translate know the page of `address` */
    ENGINE_ASK_READ,
    ENGINE_ASK_WRITE,
} EngineAskOp;

/* A question whose answer takes time; its wave is parked meanwhile. */
typedef struct EngineAsk EngineAsk;

struct EngineAsk {
    EngineAskOp op;
    unsigned vmid;        /* TRANSLATE */
    EngineAccess access;  /* TRANSLATE */
    uint64_t address;     /* TRANSLATE: virtual; else on the bus, aligned */
    unsigned size;        /* READ, WRITE: 1, 2, 4 or 8 bytes */
    uint64_t data;        /* WRITE: the value; READ: the answer */
    TesseraFaultCause cause; /* answer; NONE: done, or worth a new try */
    /*
     * The answer is there.  Called from any thread, also from within ask():
     * must not block.  The owner does not touch the question any more.
     */
    void (*done)(EngineAsk *ask);
    void *opaque;         /* the asker's */
    TesseraRequest request; /* the owner's */
};

/* A fault as the shader saw it. */
typedef struct EngineFault {
    TesseraFaultCause cause; /* TESSERA_FAULT_NONE: no fault */
    EngineAccess access;
    uint64_t address; /* of the lowest faulting lane */
    uint64_t pc;
    uint64_t lanes;   /* that faulted */
    uint32_t group[3];
    uint32_t wave;    /* in the group */
    char text[96];    /* the instruction, disassembled */
} EngineFault;

/*
 * A breach of the rules of waiting, or of LinxISA's rules of overlap, that a
 * strict dispatch committed.
 */
typedef struct EngineHazard {
    TesseraHazard kind;
    uint64_t pc;
    uint64_t since;   /* address of the load that was not waited for, or of the
                         access that is met; 0: there is none */
    uint64_t lanes;   /* 0 for scalar registers */
    uint32_t group[3]; /* of blocks: low and high half of its number */
    uint32_t wave;    /* in the group */
    char name[24];    /* the registers; of blocks: what is accessed */
    char text[96];    /* the instruction, disassembled */

    /* Only in LinxISA blocks. */
    uint64_t block;       /* address of the header; 0: it is no block */
    uint64_t address;     /* of the first byte, in memory or in tile space */
    uint64_t other_group; /* of the access at `since` */
    uint32_t other_lane;
} EngineHazard;

typedef enum EngineStatus {
    ENGINE_PENDING,
    ENGINE_DONE,
    ENGINE_FAULTED,
    ENGINE_KILLED,
} EngineStatus;

/* Counters of one dispatch; kept only if its `stats` is set. */
typedef struct EngineStats {
    uint64_t instructions;      /* executed by waves */
    uint64_t lane_instructions; /* the same, times active lanes */
    uint64_t waves;
} EngineStats;

struct EngineDispatch {
    /* Filled in by the owner, constant while it runs. */
    TesseraLaunch launch;
    unsigned vmid;
    uint32_t grid[3];       /* work-items */
    uint32_t group_size[3]; /* work-items, product 1 to 1,024 */
    bool stats;
    bool profile; /* counts and times each instruction; not of streams */
    bool strict; /* hazards are looked for and reported */
    unsigned priority;      /* 0 to ENGINE_PRIORITY_MAX; p takes p + 1 turns */
    uint64_t cu_mask;       /* CUs that it may use; none that is there: all */
    bool stream; /* of the stream_isa; it has no grid of its own */
    void *owner; /* for the owner's own use */

    /* Results, valid once done() has been called. */
    EngineStatus status;
    EngineFault fault; /* the first one */
    unsigned faults;   /* waves that faulted before they all had ended */
    EngineStats counts;

    struct EngineDispatchState *state; /* the engine's */
    void *stream_state;                /* the instruction set's */
};

/* What the engine asks of its owner.  Called from worker threads. */
typedef struct EngineOwnerOps {
    /*
     * Find the 4 KiB page that holds @va in address space @vmid.  Returns
     * TESSERA_FAULT_NONE and fills @page, or the cause why not, or
     * ENGINE_DEVICE (@page has `backing` only) or ENGINE_WAIT.
     */
    TesseraFaultCause (*translate)(void *opaque, unsigned vmid, uint64_t va,
                                   EngineAccess access, EnginePage *page);
    /* [@backing, @backing + @len) has been stored to. */
    void (*written)(void *opaque, bool vram, uint64_t backing, uint64_t len);
    /*
     * The dispatch is over, its stores have been reported, the engine no
     * longer refers to it.
     */
    void (*done)(void *opaque, EngineDispatch *dispatch);
    /*
     * What engine_suspend() asked for: no wave of the dispatch runs, and its
     * stores have been reported.  It may cross an engine_continue().
     */
    void (*suspended)(void *opaque, EngineDispatch *dispatch);
    /* A wave executed s_sendmsg with the interrupt message. */
    void (*message)(void *opaque, EngineDispatch *dispatch, uint32_t data);
    /* GPU clock, TESSERA_CLOCK_HZ. */
    uint64_t (*clock)(void *opaque);
    /* A strict dispatch did what it may not; it goes on.  Optional. */
    void (*hazard)(void *opaque, EngineDispatch *dispatch,
                   const EngineHazard *hazard);
    /*
     * Start to find the answer to @ask, which lives until it is done or
     * cancelled.  Never blocks.  Needed if translate says ENGINE_DEVICE or
     * ENGINE_WAIT.
     */
    void (*ask)(void *opaque, EngineAsk *ask);
    /*
     * True: done() will not be called.  False: it was, or is about to be.
     */
    bool (*cancel)(void *opaque, EngineAsk *ask);
} EngineOwnerOps;

typedef struct EngineConfig {
    const TesseraIsa *isa;
    TesseraHostLevel level;
    const TesseraIsa *stream_isa; /* of EngineDispatch.stream, or NULL */
    TesseraHostLevel stream_level;
    unsigned workers;  /* 1 to TESSERA_WORKERS_MAX */
    const TesseraHost *host; /* threads only */
    const EngineOwnerOps *ops;
    void *opaque;
    bool profile; /* dispatches may ask for it */
    TesseraJit jit; /* nothing is compiled if the compiler is not there */
} EngineConfig;

/* What an instruction of profiled dispatches has come to. */
typedef struct EngineSpot {
    uint64_t pc;
    unsigned vmid;
    unsigned lanes;     /* of the waves */
    uint32_t words[4];  /* the instruction, and what follows it */
    unsigned count;     /* of words[]; 0: it is no single instruction */
    uint64_t executed;  /* by waves */
    uint64_t lane_instructions; /* the same, times active lanes */
    uint64_t ticks;     /* the engine's */
    double seconds;     /* of all workers together */
} EngineSpot;

/* Can hot code be compiled: is the object tessera-jit.so there, and ours? */
bool engine_has_jit(void);

/*
 * What has come of compiling: times that a page was compiled, and was not; how
 * many shader instructions there is code for, each time that it was made; and
 * the processor time that all this took.
 */
typedef struct EngineJitCounts {
    unsigned pages, failures;
    uint64_t instructions, cpu_ns;
} EngineJitCounts;

/* All 0 if nothing is to be compiled. */
void engine_jit_counts(Engine *engine, EngineJitCounts *counts);

/*
 * Start the workers.  NULL and @error if a thread cannot be had, or the
 * environment asks for compiled code, which cannot be had.
 */
Engine *engine_new(const EngineConfig *config, GError **error);

/* Kill what runs, join the workers, free.  done() is called for the killed. */
void engine_free(Engine *engine);

/*
 * Start a dispatch.  @dispatch must live until done() has been called for it.
 * Dispatches that overlap share the workers evenly.  Never blocks.
 */
void engine_submit(Engine *engine, EngineDispatch *dispatch);

/*
 * End a dispatch at the next instruction boundary of each of its waves, with
 * status KILLED, or FAULTED with @cause if that is not TESSERA_FAULT_NONE.
 * done() follows soon; does nothing if the dispatch has already ended.
 */
void engine_kill(Engine *engine, EngineDispatch *dispatch,
                 TesseraFaultCause cause);

/*
 * Stop a dispatch at the next instruction boundary of each of its waves, which
 * keep all that they have.  suspended() follows soon, or done() if it ends
 * first.  Never blocks; does nothing if the dispatch is suspended or has ended.
 * engine_kill() works on a suspended dispatch.
 */
void engine_suspend(Engine *engine, EngineDispatch *dispatch);

/* Let it go on from where it stopped. */
void engine_continue(Engine *engine, EngineDispatch *dispatch);

/*
 * Bring all waves to an instruction boundary and report everything they have
 * written.  Returns when no worker touches guest memory or calls its owner;
 * must not be called from a worker.  Nests; unpark undoes it.
 */
void engine_park(Engine *engine);
void engine_unpark(Engine *engine);

/*
 * The profile since the engine's start, an EngineSpot for each instruction, in
 * no order, then two with count 0: of those for which there was no room, and of
 * time in which the host did not let a worker run.  The caller frees it.  Only
 * while parked.
 */
GArray *engine_profile(Engine *engine);

/* Host time for which a thread out of work looks for more before it sleeps. */
#define ENGINE_LINGER_US 50

/* A step of such waiting: whoever needs the CPU may have it. */
static inline void engine_relax(void)
{
    for (unsigned i = 0; i < 32; i++) {
        __builtin_ia32_pause();
    }
    sched_yield();
}

/* Forget all translations.  Only while parked. */
void engine_forget(Engine *engine);

/* Forget those of one address space.  Only while parked. */
void engine_forget_vmid(Engine *engine, unsigned vmid);

#endif
