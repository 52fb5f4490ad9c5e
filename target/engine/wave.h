/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves, work-groups and workers, as handlers and scheduler share them.
 *
 * A wave is a plain struct and nothing of it lives on a host stack between
 * instructions.  An instruction set's own wave begins with a Wave.
 */
#ifndef ENGINE_WAVE_H
#define ENGINE_WAVE_H

#include "engine.h"
#include "uop.h"

#define PAGE_SLOTS (ENGINE_PAGE / 4)
/* Instructions may reach this many dwords into the next page. */
#define PAGE_OVERHANG 3
#define GROUP_MAX_ITEMS 1024
#define GROUP_MAX_WAVES 32

/* One decoded page of code, private to a worker. */
typedef struct CodePage {
    Worker *worker;
    uint64_t va;
    unsigned vmid;
    unsigned lanes;   /* of the waves that it is decoded for */
    bool counted;     /* every micro-operation goes through the counter */
    bool checked;     /* and is looked at before, see EngineDispatch.strict */
    bool cached;      /* in the worker's cache, not just held by waves */
    uint32_t epoch;   /* worker epoch in which the bytes were last compared */
    bool cut;         /* of the next page it is not known yet if it can be */
    uint32_t used;    /* for choosing which to drop */
    unsigned waves;   /* that are in it: it must not be dropped */
    unsigned words;   /* dwords of bytes[] that could be read */
    UopFn **real;     /* if counted, checked or compiled: the handlers */
    struct JitCode *jit;  /* what is compiled of it, or NULL */
    unsigned jit_version; /* of that, in place; 0: none is */
    unsigned heat, some_heat; /* see jit_visit() */
    uint8_t heat_shift;
    /* Slots whose compiled code sets up the registers of a wave that begins. */
    uint64_t begins[PAGE_SLOTS / 64];
    struct CodeProfile *profile; /* if profiled, then counted as well */
    uint32_t bytes[PAGE_SLOTS + PAGE_OVERHANG];
    Uop uops[PAGE_SLOTS + PAGE_OVERHANG] __attribute__((aligned(64)));
} CodePage;

/* Of sets of slots. */
INL bool slot_bit(const uint64_t *bits, unsigned slot)
{
    return bits[slot / 64] >> slot % 64 & 1;
}

INL void slot_bit_set(uint64_t *bits, unsigned slot)
{
    bits[slot / 64] |= 1ull << slot % 64;
}

INL void slot_bit_clear(uint64_t *bits, unsigned slot)
{
    bits[slot / 64] &= ~(1ull << slot % 64);
}

#define WAVE_BARRIERS 2 /* split ones that a group has */

typedef enum WaveState {
    WAVE_RUN,     /* can go on */
    WAVE_BARRIER, /* waits for the other waves of its group */
    WAVE_SIGNAL,  /* the same, at a split barrier: for their signals */
    WAVE_END,     /* has executed s_endpgm */
    WAVE_FAULT,   /* worker->fault says why */
    WAVE_ASK,     /* waits for what its `park` wants */
    WAVE_GRID,    /* a stream's own: waits for the units of its grid */
    WAVE_HOLD,    /* until TesseraIsaExec.may_run() says so */
} WaveState;

/* A part of an access to a device that has been answered. */
typedef struct ParkPiece {
    uint64_t va, data;
    unsigned size;
    bool write;
    TesseraFaultCause cause; /* NONE: done */
} ParkPiece;

/* More than any one lane or scalar access can have. */
#define PARK_PIECES 24

/*
 * A wave whose instruction waits for answers: those that it has got, and the
 * next question.  The instruction is executed again with each answer until it
 * is through; what it has done it finds here or does not repeat.
 */
typedef struct WavePark {
    bool active;   /* the instruction at `uop` is under way */
    bool fetching; /* its code could not be read yet */
    bool wanted;   /* the next question is: */
    EngineAskOp op;
    EngineAccess access;
    uint64_t va, bus; /* bus: READ and WRITE */
    unsigned size;
    uint64_t data;
    struct PostedAsk *posted; /* it has been asked */

    /* A page that cannot be had: what asking for it has led to. */
    TesseraFaultCause refusal; /* NONE: there is no such page */
    EngineAccess refused_access;
    uint64_t refused;

    unsigned count;
    ParkPiece piece[PARK_PIECES];
} WavePark;

struct Wave {
    const Uop *uop; /* next instruction, when not running */
    CodePage *page; /* that it lies in */
    Worker *worker;
    EngineGroup *group;
    uint64_t asid;  /* address space, as TLB tags want it */
    int32_t budget; /* taken branches left in this quantum */
    uint8_t state;  /* WaveState */
    /* Split barriers that have been completed and not waited for, a bit each. */
    uint8_t complete;
    uint8_t awaited; /* WAVE_SIGNAL: the barrier */
    uint8_t lanes;  /* 32 or 64, where the instruction set cares */
    /*
     * It begins, and its vector registers are not set up, since the code at
     * `uop` does that (CodePage.begins); wave_start() may have done it.
     */
    bool fresh;
    uint32_t index; /* in the group */
    uint32_t count; /* that it stands for in EngineStats.waves */
    const TesseraIsaExec *exec; /* of the instruction set that it is made for */
    uint32_t scratch_slot;
    uint64_t instructions, lane_instructions; /* if the dispatch counts */
    /* Active lanes now; only the counter asks. */
    unsigned (*active_lanes)(const Wave *wave);
    uint64_t serial; /* of the dispatch whose data the registers may hold */
    bool stale;      /* at its start: it is another one's */
    WavePark park;
};

/* Whole slices are read of LDS: so many bytes behind it may be, for nothing. */
#define ENGINE_LDS_PAD 256

/* A work-group while its waves exist. */
struct EngineGroup {
    EngineGroup *next;
    EngineDispatch *dispatch;
    struct Attachment *attachment; /* the scheduler's */
    uint32_t id[3];
    uint32_t size[3]; /* work-items; smaller than asked at the grid's edge */
    unsigned cu;      /* that it is said to run on */
    bool own;         /* a stream's own, rather than */
    uint64_t unit;    /* this unit of its grid */
    unsigned waves, live, waiting; /* waiting: at the barrier */
    unsigned begun; /* waves that have: the others have no state yet */
    /*
     * While a wave runs, others may follow in its place (wave_follow()), as
     * long as their index is below `end`; 0: none.  In this group the wave had
     * the index `first` in the beginning, and is there in wave[]; `begun` and
     * `live` are of then, see group_live().
     */
    unsigned end, first;
    unsigned signals[WAVE_BARRIERS]; /* arrived at a split barrier */
    uint8_t *lds; /* lds_size bytes, and ENGINE_LDS_PAD */
    uint32_t lds_size;
    Wave *wave[GROUP_MAX_WAVES];
};

/*
 * Translation cache: direct mapped, one entry a page.  A tag is the page's
 * address with the address space in its low bits; 0 matches nothing.  wtag is
 * set only while the page is in the list of written pages.
 *
 * Where a page's entry is, is a product's upper bits: arrays that a kernel
 * walks in step often lie powers of two apart, and each has its own entries.
 */
#define TLB_ENTRIES 512
#define TLB_HASH 0x9e3779b1u /* 2^32 divided by the golden ratio */
#define TLB_VALID 0x800

typedef struct TlbEntry {
    uint64_t rtag, wtag;
    uint64_t delta; /* host address = delta + guest address */
    uint64_t pad;
} TlbEntry;

/*
 * Behind it, what the owner said of more than a page: direct mapped, one entry
 * for an aligned ENGINE_STRETCH.  It saves asking, for data only.
 */
#define STRETCH_ENTRIES 64

typedef struct StretchEntry {
    uint64_t tag;          /* as in TlbEntry, of the stretch; 0: none */
    uint32_t first, size;  /* the part of it that is known, in bytes */
    uint8_t *host;         /* of the stretch's start */
    uint64_t backing;      /* the same */
    bool writable, vram;
} __attribute__((aligned(64))) StretchEntry; /* cheap to index */

typedef struct WrittenPage {
    uint64_t backing;
    uint64_t va;
    bool vram;
} WrittenPage;

#define WRITTEN_MAX 4096

/* A sum that memory at `at` is to get, see late.h; NULL: none. */
typedef struct LateSum {
    uint32_t *at;
    uint32_t sum;
} LateSum;

#define LATE_SUMS 1024 /* direct mapped by address: those of a page fit */

#define CODE_SETS 64
#define CODE_WAYS 4

struct Worker {
    TlbEntry tlb[TLB_ENTRIES];
    bool attention; /* atomic: leave the handlers at the next branch */
    Engine *engine;
    const TesseraIsaExec *exec;
    EngineFault fault; /* of the wave in state WAVE_FAULT */
    uint64_t pokes; /* atomic: something that it may wait for has happened */
    unsigned asks;  /* posted and neither answered nor cancelled */

    WrittenPage written[WRITTEN_MAX];
    unsigned written_count;
    uint64_t reports; /* times that the list was reported */
    StretchEntry stretch[STRETCH_ENTRIES];
    LateSum late[LATE_SUMS];
    bool late_any;        /* is there one? */
    unsigned late_rounds; /* since the last merge, or since there were any */

    CodePage *code[CODE_SETS][CODE_WAYS];
    uint32_t epoch;   /* grows when code may have changed */
    uint32_t touched; /* counts page look-ups, the clock of CodePage.used */

    struct WorkerQueue *queue; /* the scheduler's */
    void *stream_code;         /* decoded code of streams; their ISA's */
    GSList *jit_left;          /* see jit_forget() */

    uint64_t *timed; /* what the running instruction's time is added to */
    uint64_t since;  /* and from when on; NULL: nothing is profiled */
    uint64_t lost;   /* ticks in which the thread did not run */
};

/* Entries for address @va. */
INL unsigned tlb_index(uint64_t va)
{
    return (uint32_t)(va / ENGINE_PAGE) * TLB_HASH /
           (UINT32_MAX / TLB_ENTRIES + 1);
}

INL unsigned stretch_index(uint64_t va)
{
    return (uint32_t)(va / ENGINE_STRETCH) * TLB_HASH /
           (UINT32_MAX / STRETCH_ENTRIES + 1);
}

/* ---- for handlers ---- */

/* Somebody wants the worker: leave the handlers soon. */
INL bool worker_wanted(const Worker *worker)
{
    return __atomic_load_n(&worker->attention, __ATOMIC_RELAXED);
}

/* A branch was taken: is it time to leave the handlers? */
INL bool wave_quantum_over(Wave *wave)
{
    return --wave->budget < 0 || worker_wanted(wave->worker);
}

INL uint64_t wave_pc(const Wave *wave, const Uop *uop)
{
    return wave->page->va + (uint64_t)(uop - wave->page->uops) * 4;
}

/*
 * Where the wave goes on after a taken branch to @uop + @dwords, counted from
 * the slot of @uop.  Returns NULL after LEAVE-ing: quantum used up, fault.
 */
INL const Uop *wave_branch(Wave *wave, const Uop *uop, int64_t dwords);

/*
 * The wave has ended, and was Wave.fresh when it began.  May the next one of
 * its dispatch follow in its place?  Then @wave is that from now on, and is to
 * begin with the same instruction.
 */
INL bool wave_follow(Wave *wave);

/* The slow half: the next one is of another group. */
bool group_follow(Wave *wave);

/*
 * Waves of the group that may begin in the place of @wave without anybody
 * looking, itself included; it has just begun, and was Wave.fresh.
 */
INL unsigned wave_followers(const Wave *wave)
{
    const EngineGroup *group = wave->group;

    return worker_wanted(wave->worker) || group->end == 0
               ? 1 : group->end - wave->index;
}

/* Waves of the group that have not ended, while @wave of it runs. */
INL unsigned group_live(const Wave *wave)
{
    const EngineGroup *group = wave->group;

    return group->live - (group->end ? wave->index - group->first : 0);
}

/* Let go of a page whose `waves` was raised to keep it. */
void code_page_put(CodePage *page);

/* Move the wave to address @pc; NULL (and WAVE_FAULT) if it cannot be read. */
const Uop *wave_goto(Wave *wave, uint64_t pc);

/* End the wave's run with a fault at @uop. */
const Uop *wave_fault(Wave *wave, const Uop *uop, TesseraFaultCause cause,
                      EngineAccess access, uint64_t address, uint64_t lanes);

/*
 * Slow half of mem_ptr(): translate, fill the TLB.  NULL if there is nothing
 * that could be touched now; *@cause then says why, and may be ENGINE_DEVICE
 * or ENGINE_WAIT.
 */
uint8_t *mem_miss(Wave *wave, uint64_t va, EngineAccess access,
                  TesseraFaultCause *cause);

/*
 * Stop the wave at @uop, which is to be executed again: at once, or when what
 * it wants has been answered.
 */
const Uop *wave_park(Wave *wave, const Uop *uop);

/* The instruction that was parked is through. */
void wave_unpark(Wave *wave);

/* What the parked wave wants next: to know the page of @va. */
void wave_want_page(Wave *wave, uint64_t va, EngineAccess access);

/*
 * Send the interrupt message with @data (s_sendmsg).  What the worker has
 * written is reported before.
 */
void wave_message(Wave *wave, uint32_t data);

/*
 * The instruction at @uop, or one before it, breaks a rule of waiting: the
 * owner is told @hazard, to which place and text of the instruction are added.
 */
void wave_hazard(Wave *wave, const Uop *uop, EngineHazard *hazard);

/* Pass a finished report on to the owner. */
void wave_tell_hazard(Wave *wave, const EngineHazard *hazard);

/*
 * Split barriers, of which a group has WAVE_BARRIERS: arrive at one; returns
 * whether this wave is the first.  When all that have not ended have arrived,
 * it is complete for each of them.
 */
bool wave_barrier_signal(Wave *wave, unsigned barrier);

/*
 * Is it complete?  Then that is used up.  Otherwise the caller has to leave in
 * state WAVE_SIGNAL, and goes on when it is.
 */
bool wave_barrier_wait(Wave *wave, unsigned barrier);

/* The GPU clock, TESSERA_CLOCK_HZ. */
uint64_t wave_clock(const Wave *wave);

/*
 * Host address of the page of code at @va, which is page aligned; NULL and
 * *@cause, which may be ENGINE_WAIT, if it cannot be executed.
 */
const uint8_t *wave_code_page(Wave *wave, uint64_t va,
                              TesseraFaultCause *cause);

/* Waves in state WAVE_HOLD, on any worker, may be able to go on. */
void wave_let_go(Wave *wave);

/* Units of the grid at hand that nobody has begun are not to be run. */
void wave_cut_grid(Wave *wave);

/* Workers that units can run on. */
unsigned wave_workers(const Wave *wave);

INL bool wave_follow(Wave *wave)
{
    const EngineGroup *group = wave->group;

    if (unlikely(worker_wanted(wave->worker) || group->end == 0)) {
        return false;
    }
    if (wave->index + 1 < group->end) {
        wave->index++;
        wave->count++;
        return true;
    }
    return group_follow(wave);
}

INL const Uop *wave_branch(Wave *wave, const Uop *uop, int64_t dwords)
{
    size_t slot = (size_t)(uop - wave->page->uops) + (size_t)dwords;
    const Uop *target;

    if (likely(slot < PAGE_SLOTS)) {
        target = &wave->page->uops[slot];
    } else {
        target = wave_goto(wave, wave_pc(wave, uop) + (uint64_t)dwords * 4);
        if (!target) {
            return NULL;
        }
    }
    if (unlikely(wave_quantum_over(wave))) {
        LEAVE(wave, target);
    }
    return target;
}

/* What runs in the slots behind a page's end: on to the next page. */
UopFn wave_page_end;

#endif
