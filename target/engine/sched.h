/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's own structures: engine.c hands out dispatches, worker.c
 * runs their work-groups.
 *
 * Workers take groups by the batch, and count a dispatch's groups as one while
 * nobody asks: a group costs no lock and no store that another worker sees.
 *
 * Locking: engine->lock guards the list of dispatches, every field marked
 * (L), and both condition variables.  Workers take it when the list's
 * generation changes, when they attach to or detach from a dispatch, and when
 * they have nothing to do; never for a work-group.  No call-back of the owner
 * is made with the lock held.
 */
#ifndef ENGINE_SCHED_H
#define ENGINE_SCHED_H

#include <pthread.h>
#include "wave.h"

/* Waves of one dispatch that one worker keeps resident, as a CU does. */
#define RESIDENT_WAVES 40
/*
 * Waves of all dispatches together that a worker keeps, those of suspended
 * dispatches among them.  With as many, it takes no group of a dispatch that
 * has one anywhere: so each goes on, and host memory has a bound.
 */
#define RESIDENT_TOTAL (32 * RESIDENT_WAVES)
/* Groups that a worker takes at a time, while there are many. */
#define BATCH_MAX 512
/* Taken branches in a wave's quantum. */
#define QUANTUM 1024

typedef struct EngineDispatchState EngineDispatchState;

struct EngineDispatchState {
    EngineDispatchState *next; /* (L) list of active dispatches */
    EngineDispatch *dispatch;
    uint32_t groups[3];   /* of the grid */
    uint64_t total;       /* groups */
    uint64_t serial;      /* from 1 */
    uint64_t cus;         /* that may serve it */
    /*
     * Atomic: workers that may have groups of it (Attachment.counted); a
     * stream's groups one by one.
     */
    unsigned live;
    bool short_of_room;   /* atomic: a worker waits until there are none */
    bool cancel;          /* atomic: waves are to end now */
    unsigned attached;    /* (L) workers that have or take its groups */
    unsigned held;        /* (L) those of them that have suspended it */
    bool suspend;         /* (L) it is to be suspended */
    bool told;            /* (L) suspended() was called for that */
    bool telling;         /* (L) it is being called */
    unsigned waves;       /* of a full group */
    unsigned lanes;       /* of a wave */
    pthread_mutex_t scratch_lock;
    uint32_t *scratch_used; /* bitmap of slots, under scratch_lock */
    uint32_t scratch_slots;
    bool short_of_scratch; /* atomic: a worker waits for some */

    /*
     * Atomic: groups handed out.  Workers write it all the time and read what
     * is above, so it has a cache line of its own.
     */
    uint8_t pad[64];
    uint64_t taken;
    uint8_t pad_too[64];

    /* Of a stream.  `taken` and `total` count units, and grow under the lock. */
    const TesseraIsaExec *exec;
    pthread_mutex_t grid_lock;
    Worker *home;         /* atomic: that runs the stream's own wave */
    uint64_t ended;       /* atomic: units of the grid */
};

/* A worker's part in one dispatch. */
typedef struct Attachment {
    struct Attachment *next;
    EngineDispatchState *state;
    EngineGroup *groups;    /* resident */
    uint64_t first, end;    /* groups taken and not started */
    uint32_t first_id[3];   /* of `first` */
    bool counted;           /* in EngineDispatchState.live */
    unsigned resident;      /* waves */
    unsigned cu;            /* that got the last group */
    bool held;              /* suspended */
    EngineStats counts;
} Attachment;

/* What a worker has to do. */
typedef struct WorkerQueue {
    TesseraThread *thread;
    Attachment *attached; /* by priority, the highest first */
    uint64_t cus;         /* that this worker is */
    uint64_t generation;  /* of the list that it has seen */
    uint64_t poked;       /* Worker.pokes when its last round began */
    bool stuck;           /* that round got nowhere */
    unsigned resident;    /* waves, of all that is attached */
    EngineGroup *free_groups;
    Wave *free_waves[2];  /* linked through `group`; [1]: of streams */
    unsigned free_group_count, free_wave_count[2];
} WorkerQueue;

struct Engine {
    EngineConfig config;
    const TesseraIsaExec *exec;
    const TesseraIsaExec *stream_exec; /* or NULL */
    pthread_mutex_t lock;
    pthread_cond_t wake;  /* work, unpark, quit */
    pthread_cond_t idle;  /* a worker has parked */
    EngineDispatchState *active; /* (L) oldest first */
    uint64_t generation;         /* atomic: the list has changed */
    uint64_t submitted; /* (L) dispatches so far */
    unsigned parked;  /* (L) nesting depth of engine_park() */
    unsigned busy;    /* (L) workers that are not parked or asleep */
    bool quit;        /* (L) */
    Worker **workers;
    unsigned worker_count; /* started */
    struct Profile *profile; /* or NULL */
    struct EngineJit *jit;   /* or NULL */
};

/* A worker's thread. */
void *worker_main(void *worker);

/* Have a worker that got nowhere look again.  Any thread. */
void worker_poke(Worker *worker);

/* ---- attach.c ---- */

/* Join every dispatch that still has groups.  With the lock held. */
void attach_all(Worker *worker);

/* The worker is done with a dispatch. */
bool attachment_over(const Attachment *attachment);

/*
 * Leave a dispatch, which is out of the worker's list already.  What the worker
 * has written is reported first.
 */
void attachment_leave(Worker *worker, Attachment *attachment);

/* Stop those that are to be suspended and go on with those that are not. */
void attachments_hold(Worker *worker);

/* Make the call-backs that are due: suspended() and done(). */
void dispatches_settle(Engine *engine);

/* ---- worker.c ---- */

/* Give memory back to the host. */
void wave_free(Wave *wave);
void group_free(EngineGroup *group);

/* Have all workers look again. */
void workers_poke(Engine *engine);

/* A wave has ended, `live` no longer counts it: who waits for signals? */
void group_member_left(EngineGroup *group);

/* Take back what the waves of a dispatch have asked. */
void attachment_cancel_asks(Attachment *attachment);

/* The worker has no group of the dispatch any more. */
void attachment_uncount(Worker *worker, Attachment *attachment);

/* End a resident group, whatever its waves are doing. */
void group_end(Worker *worker, Attachment *attachment, EngineGroup *group);

/* Are there groups, or units, that no worker has taken? */
static inline bool dispatch_has_more(const EngineDispatchState *s)
{
    return __atomic_load_n(&s->taken, __ATOMIC_RELAXED) <
           __atomic_load_n(&s->total, __ATOMIC_RELAXED);
}

/* The same for this worker, which may have a batch of them. */
static inline bool attachment_has_more(const Attachment *a)
{
    return a->first < a->end || dispatch_has_more(a->state);
}

/* ---- stream.c ---- */

/*
 * Take a unit of the stream's grid, or the stream's own group if there is none
 * yet; false if there is nothing to take.
 */
bool stream_take(Worker *worker, EngineDispatchState *state,
                 EngineGroup *group);

/* Have the units of the grid that the stream's own @wave wants run. */
void stream_grid(Worker *worker, EngineDispatchState *state, Wave *wave);

/* A group of a stream has ended. */
void stream_group_ended(Worker *worker, EngineDispatchState *state,
                        const EngineGroup *group);

/* Can a wave in state WAVE_GRID or WAVE_HOLD go on? */
bool stream_ready(const EngineDispatchState *state, const Wave *wave);

/* ---- park.c ---- */

/* The owner's float environment. */
#define MXCSR_DEFAULT 0x1f80

/*
 * Ask what the wave in state WAVE_ASK wants; if it wants nothing, it can go on
 * at once.
 */
void park_post(Wave *wave);

/* Take the answer, if there is one; else the state stays WAVE_ASK. */
void park_poll(Wave *wave);

/* Take the question back, if that is possible: it is asked anew later. */
void park_cancel(Wave *wave);

/* Is there anything to forget when the wave ends? */
static inline bool park_any(const Wave *wave)
{
    const WavePark *p = &wave->park;

    return p->active || p->fetching || p->wanted || p->posted || p->count ||
           p->refusal != TESSERA_FAULT_NONE;
}

/* The wave ends, or begins: forget everything. */
void park_end(Wave *wave);

/* What asking for the page of @va came to; ENGINE_WAIT: was not refused. */
TesseraFaultCause park_refusal(const Wave *wave, uint64_t va,
                               EngineAccess access);

/*
 * Access a device piece by piece.  Returns TESSERA_FAULT_NONE if all pieces
 * have been answered; data that was read is at @data then.
 */
TesseraFaultCause park_device(Wave *wave, uint64_t va, uint64_t bus,
                              uint8_t *data, unsigned len,
                              EngineAccess access, bool ask, uint64_t *bad);

/* ---- mem.c ---- */

/*
 * Ask the owner for a page.  One to be written to is entered in the list of
 * those that were.
 */
TesseraFaultCause mem_translate(Wave *wave, uint64_t va, EngineAccess access,
                                EnginePage *page);

/* Tell the owner what has been written since the last time. */
void worker_report(Worker *worker);

/* Forget translations: all of them, or those of an address space. */
void worker_flush_tlb(Worker *worker);
void worker_flush_vmid(Worker *worker, unsigned vmid);

/* ---- late.c ---- */

/* A round has ended: is it time for sums to be visible? */
void late_round(Worker *worker);

/* ---- code.c ---- */

/* Read the code at `uop` that could not be read before; NULL if not yet. */
const Uop *wave_fetch_again(Wave *wave);

/* The wave has ended: it no longer holds its code page. */
void wave_leave_page(Wave *wave);

/* Free every code page. */
void worker_free_code(Worker *worker);

#endif
