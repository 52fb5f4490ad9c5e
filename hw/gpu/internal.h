/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the device core share.
 *
 * Threads
 *   host      calls gpu.h, one call at a time
 *   CP        the packet processor, cp.c: owns the queues, runs commands, reads
 *             and writes guest memory for packets, signals and events
 *   workers   the engine's: call translate, written, done and message
 *
 * Locks, both leaves (neither is taken while the other is held, and nobody
 * calls the engine or touches guest memory with one of them; page tables are
 * read under vm.lock)
 *   gpu->lock     what host, CP and workers hand to each other: registers,
 *                 doorbell slots, `hold`, the FIFOs of GpuInbox
 *   gpu->vm.lock  pointers to guest memory and the places of the BARs
 *
 * Hold
 *   The CP thread touches guest memory, queues and the engine only while
 *   `active` is set.  Pause, reset and unmap set a bit of `hold`, wait until
 *   it is clear, and park the engine: from there to hold_end() the calling
 *   host thread owns everything that is the CP's.  A piece of work between two
 *   looks at `hold` is bounded whatever the guest does.
 */
#ifndef GPU_INTERNAL_H
#define GPU_INTERNAL_H

#include <inttypes.h>
#include <pthread.h>
#include "hw/gpu/gpu.h"
#include "target/engine/engine.h"
#include "tessera/abi.h"
#include "tessera/regs.h"

#define COMMANDS_MAX 64      /* waiting, see CMD_STATUS.DROPPED */
#define EVENTS_MAX 256       /* posted by registers and shaders, waiting */
#define QUEUE_DISPATCHES 8   /* in flight, a queue */
#define QUEUE_WINDOW 64u     /* packets taken and not yet released, a queue */
#define QUEUE_TURN 8         /* packets before another queue's turn */
#define BARRIER_DEPS 5       /* signals of a barrier packet */
#define POLL_US_MIN 2
#define POLL_US_MAX 100
#define HANG_POLL_US 5000    /* how often guest time is looked at */
#define NO_QUEUE 0xffff
#define ENGINE_DISPATCHES 32 /* that run at a time, see turns.c */
#define SLICE_US 10000       /* of host time, a dispatch, if others wait */
#define COPY_CHUNK (256u << 10) /* bytes, between two looks at other work */
#define TEST_DMA_MAX (64u << 10)
#define INJECTIONS 6
#define REPORTS_MAX 64 /* of the engine, that a round takes */
#define DOORBELLS (TESSERA_VMIDS * TESSERA_SLICE_DOORBELLS)
#define DOORBELL_BYTES (DOORBELLS * 8ull)

#define HAZARDS_MAX 64       /* different ones that are kept */

typedef struct GpuQueue GpuQueue;

/* Where a dispatch is; turns.c. */
typedef enum DispatchRun {
    RUN_IDLE,     /* kept: its queue is frozen, or it hangs by injection */
    RUN_WAITING,  /* for a place in the engine: in GpuCp.waiting */
    RUN_ACTIVE,   /* in the engine: in GpuCp.active */
    RUN_STOPPING, /* its waves are coming to an instruction boundary */
    RUN_SLOW,     /* ended, completes later by injection: in GpuCp.slow */
    RUN_OVER,
} DispatchRun;

/* What hazards=strict has found; under gpu->lock. */
typedef struct GpuHazards {
    uint64_t total;
    unsigned count;
    EngineHazard kept[HAZARDS_MAX];
} GpuHazards;

/* A kernel dispatch from launch to completion. */
typedef struct GpuDispatch {
    EngineDispatch engine; /* its owner is this */
    DispatchRun run;
    bool submitted;        /* the engine knows it */
    bool held;             /* it is to be kept off the engine */
    bool hung;             /* injected: it never gets there */
    bool dying;            /* it has been killed */
    GList link;
    GQueue *list;          /* that it is linked in, or NULL */
    int64_t slice_end;     /* host time, microseconds */
    int64_t left_ns;       /* guest time that it may still run */
    int64_t due_ns;        /* RUN_SLOW: guest time when it completes */
    GpuQueue *queue;
    uint64_t index;        /* of the packet */
    uint64_t signal;       /* completion signal or 0 */
    uint64_t start, end;   /* GPU clock */
    int64_t deadline_ns;   /* guest time, when hang-timeout is set */
    bool ended;            /* done() was called; under gpu->lock */
    bool uses_scratch;
    TesseraBlocks blocks;  /* of a block dispatch, and: */
    uint64_t result;       /* address of its TesseraBlockResult, or 0 */
    struct GpuDispatch *next; /* in GpuInbox.ended */
    struct GpuDispatch *next_suspended; /* in GpuInbox.suspended */
} GpuDispatch;

/* A command, copied from memory; @addr is where its result goes. */
typedef struct GpuCommand {
    uint64_t addr; /* 0: none */
    uint64_t fence_addr, fence_value;
    uint32_t slot;
} GpuCommand;

typedef enum QueueState { /* as QUEUE_STATE shows it */
    QUEUE_FREE,
    QUEUE_MAPPED,
    QUEUE_STOPPED,
    QUEUE_FROZEN,
    QUEUE_STATES, /* how many there are */
} QueueState;

/* Why a queue is frozen. */
enum { FROZEN_COMMAND = 1, FROZEN_INACTIVE = 2 };

typedef enum QueueWait {
    WAIT_TURN,     /* in the run list */
    WAIT_DOORBELL, /* the next packet is INVALID */
    WAIT_DISPATCH, /* until one of its dispatches ends */
    WAIT_POLL,     /* for a value in memory, looked at now and then */
} QueueWait;

typedef enum QueueStall {
    STALL_NONE,
    STALL_SCRATCH, /* until the inactive signal is 0 again */
    STALL_RECLAIM_DRAIN, /* until the big dispatch has ended */
    STALL_RECLAIM, /* until the SCRATCH_ONCE property is clear */
    STALLS,        /* how many there are */
} QueueStall;

typedef union AqlPacket {
    uint16_t header;
    AqlDispatch dispatch;
    AqlBarrier barrier;
    AqlPm4Ib pm4;
    AqlBarrierValue value;
    AqlCopy copy;
    AqlFill fill;
    AqlBlocks blocks;
    uint64_t words[AQL_PACKET_SIZE / 8];
} AqlPacket;

/* A completion signal to be counted down. */
typedef struct GpuCompletion {
    uint64_t signal;     /* or 0 */
    uint64_t start, end; /* GPU clock */
    bool counted;        /* all that is missing is the mailbox and event */
} GpuCompletion;

/* Completions that failed, until the queue is resumed. */
#define QUEUE_OWED (QUEUE_DISPATCHES + 1)

struct GpuQueue {
    /* Written by the CP, read by registers: atomics. */
    uint32_t state;
    uint32_t error;
    uint32_t inflight;
    uint32_t waits;      /* as QUEUE_WAITS shows it */
    uint32_t priority;
    uint64_t cu_mask;
    uint64_t read_index; /* the oldest packet not yet released */

    /* What has stopped it; under gpu->lock. */
    EngineFault fault;
    uint64_t fault_index; /* of the packet */
    bool fault_more;

    /* The CP's own. */
    uint16_t slot;
    uint16_t vmid;
    QueueWait wait;
    QueueStall stall;
    TesseraQueue desc;
    uint64_t amd_queue;   /* address of the AmdQueue or 0 */
    uint64_t fetch_index; /* the next packet to take */
    /* Bits index % QUEUE_WINDOW of packets that have been taken: */
    uint64_t done;        /* finished */
    uint64_t failed;      /* faulted after they were taken */
    uint64_t redo;        /* to be taken again */
    uint64_t index;       /* of the packet at hand or last tried */
    uint64_t published;   /* read index, as memory has it */
    bool have_packet;
    bool bad_packet;      /* the packet at `index` has stopped the queue */
    AqlPacket packet;     /* the packet at `index`, if have_packet */
    uint64_t packet_start; /* GPU clock when it was first looked at */
    uint32_t deps_seen;   /* barrier: signals seen 0, bit n is signal n */
    uint64_t doorbell_seen; /* value at the last scan, see doorbell_scan() */
    uint64_t copied;      /* copy, fill: bytes done of the packet at hand */
    bool copying;
    uint8_t frozen;       /* FROZEN_* */
    uint8_t events_owed;  /* bits TESSERA_IH_*: the ring was full */
    GpuCompletion owed[QUEUE_OWED];
    unsigned owed_count;
    GpuDispatch *dispatch[QUEUE_DISPATCHES];
    GpuCommand unmap, kill, freeze; /* being carried out */
    bool preempt;         /* unmap keeps its waves */
    bool saved;           /* no slot's, but one of gpu->saved */
    GList link;           /* in GpuCp.run or .poll */
    GList *linked;        /* NULL or &link */
    GQueue *list;         /* that it is linked in */
};

/* An event on its way to the interrupt ring. */
typedef struct GpuEvent {
    uint8_t source;
    uint8_t vmid;
    uint16_t queue;
    uint64_t data;
} GpuEvent;

/* Work for the CP; under gpu->lock. */
typedef struct GpuInbox {
    uint64_t commands[COMMANDS_MAX]; /* addresses, a ring */
    unsigned command_head, command_count;
    GpuEvent events[EVENTS_MAX];
    unsigned event_head, event_count;
    GpuDispatch *ended, **ended_tail; /* oldest first */
    GpuDispatch *suspended;          /* no longer run by the engine */
    bool ring_read;                  /* the interrupt ring may have room */
    bool test_dma;                   /* the test copy is to be made */
    uint64_t kicks[TESSERA_QUEUES / 64];
    bool any_kick;
    unsigned outstanding;            /* dispatches that the engine has */
} GpuInbox;

/* The CP's own. */
typedef struct GpuCp {
    GQueue run, poll; /* of GpuQueue */
    GQueue waiting, active, slow; /* of GpuDispatch */
    unsigned running, hung;       /* dispatches */
    uint8_t running_of[TESSERA_VMIDS];
    GpuQueue *current; /* that is worked for, or NULL */
    unsigned poll_us;
    int64_t poll_at;  /* host monotonic, microseconds */
    int64_t time_at;  /* when guest time is looked at */
} GpuCp;

/* Pointers to the pages of one stretch of the bus address space. */
typedef struct VmChunk VmChunk;

typedef struct VmRecent {
    uint64_t key; /* bus address / chunk size */
    VmChunk *chunk;
} VmRecent;

typedef struct GpuVm {
    pthread_mutex_t lock;
    TesseraBars bars;
    GHashTable *chunks;     /* bus address / chunk size -> VmChunk */
    VmRecent recent[16];    /* found there lately */
    bool doorbells_shared;  /* a shader may store to doorbells; atomic */
} GpuVm;

/* One kind of fault that the driver asked for; under gpu->lock. */
typedef struct GpuInjection {
    uint32_t queue, skip, count, delay;
} GpuInjection;

/* A question of the CP to the host, see ask.c; under gpu->lock. */
typedef struct GpuAsk {
    enum { ASK_NONE, ASK_OUT, ASK_DONE, ASK_CANCELLED } state;
    bool waiting; /* the CP is, in the middle of something */
    bool cut;     /* the CP's: it unwinds for a reset */
    unsigned waits; /* the CP's: times that it has waited */
    TesseraRequest request;
} GpuAsk;

/* A cause inside hw/gpu: a reset came while the CP waited; no fault at all. */
enum { VM_CANCELLED = 0x180 };

enum {
    HOLD_PAUSE = 1,
    HOLD_UNMAP = 2,
    HOLD_RESET = 4,
    HOLD_STATE = 8,
    HOLD_INVALIDATE = 16,
    HOLD_FORGET = 32,
};

struct TesseraGpu {
    TesseraHost host;
    const TesseraIsa *isa;
    uint8_t *vram;
    uint64_t vram_size;
    int64_t hang_timeout_ns;
    bool stats, profile;
    bool strict;
    bool has_head; /* scanout is there */
    Engine *engine;
    TesseraThread *thread;

    pthread_mutex_t lock;
    uint64_t kicks; /* atomic: times that somebody wanted the thread */
    pthread_cond_t wake; /* the CP has something to do, or may go on */
    pthread_cond_t idle; /* `active` went false, or a dispatch ended */
    unsigned hold;       /* HOLD_* */
    bool active;
    bool quit;
    bool settling;       /* no packet is taken, see tessera_gpu_settle() */
    uint32_t regs[TESSERA_REGS_SIZE / 4]; /* backing store, flush page too */
    uint64_t *doorbells; /* DOORBELLS values, page aligned, atomics */
    uint16_t *doorbell_slots; /* queue slot of each, or NO_QUEUE */
    GpuInbox inbox;
    TesseraStats counts;
    GpuHazards hazards;
    EngineFault first_fault; /* the one in FAULT_*, with its text */
    bool test_dma_busy;      /* the CP makes the test copy */
    bool inject;             /* x-inject=on */
    uint32_t injecting;      /* bits of what is armed; atomic */
    GpuInjection injections[INJECTIONS];

    GpuCp cp;
    GpuQueue queues[TESSERA_QUEUES];
    GpuQueue *saved[TESSERA_SAVED_QUEUES]; /* preempted; the CP's */
    GpuVm vm;
    GpuAsk ask;
};

/* What came of a packet, or of a part of one. */
typedef enum CpResult {
    CP_NEXT,     /* packet consumed */
    CP_EMPTY,    /* nothing to do until a doorbell rings */
    CP_BUSY,     /* not before a dispatch of this queue ends */
    CP_POLL,     /* waits for a value in memory */
    CP_MORE,     /* the packet goes on in the queue's next turn */
    CP_STOP,     /* the queue has stopped */
} CpResult;

/* ---- device.c ---- */

void gpu_lock(TesseraGpu *gpu);
void gpu_unlock(TesseraGpu *gpu);
/* Host side: have the engine look up every page anew. */
void gpu_forget_pages(TesseraGpu *gpu);
/* GPU clock: TESSERA_CLOCK_HZ of guest time. */
uint64_t gpu_clock(TesseraGpu *gpu);
void gpu_log(TesseraGpu *gpu, TesseraLogLevel level, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void gpu_trace(TesseraGpu *gpu, const char *event, uint64_t a, uint64_t b,
               uint64_t c);

/*
 * Host side: no thread of ours touches guest memory from begin to end.  @why is
 * one HOLD_ bit; different ones nest.
 */
void hold_begin(TesseraGpu *gpu, unsigned why);
void hold_end(TesseraGpu *gpu, unsigned why);

/* ---- regs.c; the store is under gpu->lock ---- */

void regs_reset(TesseraGpu *gpu);
uint32_t regs_get32(TesseraGpu *gpu, uint32_t offset);
uint64_t regs_get64(TesseraGpu *gpu, uint32_t offset);
void regs_set32(TesseraGpu *gpu, uint32_t offset, uint32_t value);
void regs_set64(TesseraGpu *gpu, uint32_t offset, uint64_t value);
/* Or @bits into a register; takes the lock. */
void regs_raise(TesseraGpu *gpu, uint32_t offset, uint32_t bits);
/*
 * For saving: the first register from *@offset on that holds another value
 * than after power-on; false if there is none.
 */
bool regs_next_changed(TesseraGpu *gpu, uint32_t *offset, uint64_t *value);
/* The way back; false if there is no such register, or it never holds that. */
bool regs_restore(TesseraGpu *gpu, uint32_t offset, uint64_t value);

#define REG_FIELD(value, reg, field)                                           \
    (((uint32_t)(value) & (uint32_t)TESSERA_##reg##_##field##_MASK) >>         \
     TESSERA_##reg##_##field##_SHIFT)

/* ---- scanout.c ---- */

/* SCANOUT_CONTROL is written: with the lock held. */
void scanout_commit(TesseraGpu *gpu, uint64_t control);

/* ---- doorbell.c ---- */

void doorbell_reset(TesseraGpu *gpu);
/* Tie a doorbell to a queue slot; false if it is taken. */
bool doorbell_claim(TesseraGpu *gpu, unsigned doorbell, uint16_t slot);
void doorbell_release(TesseraGpu *gpu, unsigned doorbell);
/* A shader or the CP stored to doorbells [@first, @first + @count). */
void doorbell_written(TesseraGpu *gpu, uint64_t offset, uint64_t len);
/* CP: kick the queues whose doorbells have changed behind our back. */
void doorbell_scan(TesseraGpu *gpu);
/* Host side: kick every mapped queue; held. */
void doorbell_kick_all(TesseraGpu *gpu);

/* ---- command.c ---- */

/* Host side: queue the command at @addr. */
void command_submit(TesseraGpu *gpu, uint64_t addr);
/* CP: carry out one command. */
void command_run(TesseraGpu *gpu, uint64_t addr);
/* CP: the command is over: result, fence, event. */
void command_finish(TesseraGpu *gpu, GpuCommand *command, uint32_t result);

/* ---- queue.c; CP ---- */

void queue_init_all(TesseraGpu *gpu);
void queue_reset_all(TesseraGpu *gpu);
/* Whether a queue can be as @desc says; a TESSERA_RESULT_*. */
uint32_t queue_check_descriptor(const TesseraQueue *desc);
/* Load slot @slot from the descriptor at @addr; a TESSERA_RESULT_*. */
uint32_t queue_map(TesseraGpu *gpu, uint32_t slot, uint64_t addr);
/* Read and check a descriptor; a TESSERA_RESULT_*. */
uint32_t queue_read_desc(TesseraGpu *gpu, uint64_t addr, TesseraQueue *desc);
/* Take over the descriptor at @addr; a TESSERA_RESULT_*. */
uint32_t queue_update(TesseraGpu *gpu, GpuQueue *queue, uint64_t addr);
/* Index of its doorbell among those of all VMIDs. */
unsigned queue_doorbell(const GpuQueue *queue);
/* Let its state be what `error` and `frozen` say. */
void queue_set_state(GpuQueue *queue);
/* Give the slot back, without a word to anybody. */
void queue_free_slot(TesseraGpu *gpu, GpuQueue *queue);

/* May a turn of the queue come to anything? */
bool queue_may_step(const GpuQueue *queue);
/* Give the queue a turn, whatever it waits for. */
void queue_wake(TesseraGpu *gpu, GpuQueue *queue);
void queue_wait(TesseraGpu *gpu, GpuQueue *queue, QueueWait wait);

/* ---- ring.c; CP ---- */

uint64_t queue_packet_addr(const GpuQueue *queue, uint64_t index);
/* Take the next packet into queue->packet; how it went. */
typedef enum FetchResult { FETCH_OK, FETCH_EMPTY, FETCH_FULL, FETCH_BAD }
    FetchResult;
FetchResult queue_fetch(TesseraGpu *gpu, GpuQueue *queue);
/* The packet at hand is on its way: go to the next. */
void queue_advance(GpuQueue *queue);
/*
 * Packet @index is complete: release what can be released, in order, and
 * count @signal down.  CP_NEXT, or CP_STOP if memory did not let it.
 */
CpResult queue_complete(TesseraGpu *gpu, GpuQueue *queue, uint64_t index,
                        uint64_t signal, uint64_t start, uint64_t end);
/* Packet @index, which had been taken, has failed. */
void queue_failed(TesseraGpu *gpu, GpuQueue *queue, uint64_t index,
                  const EngineFault *fault);
/*
 * Go on behind the error that has stopped the queue: what failed is tried
 * again, or with @skip left out.
 */
void queue_recover(TesseraGpu *gpu, GpuQueue *queue, bool skip);

/* ---- life.c; CP ---- */

/* Begin what ends later, with its command. */
void queue_unmap(TesseraGpu *gpu, GpuQueue *queue, const GpuCommand *command,
                 bool preempt);
void queue_kill(TesseraGpu *gpu, GpuQueue *queue, const GpuCommand *command);
void queue_freeze(TesseraGpu *gpu, GpuQueue *queue, unsigned why,
                  const GpuCommand *command);
void queue_thaw(TesseraGpu *gpu, GpuQueue *queue, unsigned why);
bool queue_closing(const GpuQueue *queue);
/* A dispatch of the queue has stopped or ended: finish what waited for it. */
void queue_settled(TesseraGpu *gpu, GpuQueue *queue);
/* What is kept of the queue that @desc describes, or NULL. */
GpuQueue *queue_find_saved(TesseraGpu *gpu, const TesseraQueue *desc);
/* Give what @saved kept to @queue, which has the descriptor already. */
void queue_restore(TesseraGpu *gpu, GpuQueue *queue, GpuQueue *saved);

/* ---- cp.c ---- */

void *cp_thread(void *opaque);
/* Host side: have the CP look for work; with the lock held. */
void cp_kick(TesseraGpu *gpu);
void cp_reset(TesseraGpu *gpu);

/* ---- dispatch.c; CP except what the engine calls ---- */

CpResult dispatch_exec(TesseraGpu *gpu, GpuQueue *queue);
/*
 * A dispatch for the packet at hand; the caller fills in what is to be run and
 * lets it start.
 */
GpuDispatch *dispatch_new(TesseraGpu *gpu, GpuQueue *queue);
void dispatch_launch(TesseraGpu *gpu, GpuQueue *queue, GpuDispatch *dispatch);
void dispatch_done(void *opaque, EngineDispatch *engine);
void dispatch_suspended(void *opaque, EngineDispatch *engine);
void dispatch_message(void *opaque, EngineDispatch *engine, uint32_t data);
/* Complete an ended dispatch and free it. */
void dispatch_complete(TesseraGpu *gpu, GpuDispatch *dispatch);
/* Hand an ended dispatch to dispatch_complete(). */
void dispatch_report(TesseraGpu *gpu, GpuDispatch *dispatch);
/* End those that ran too long; complete those that were held up. */
void dispatch_check_times(TesseraGpu *gpu);

/* ---- turns.c; CP ---- */

/* May the queue have one more dispatch in flight? */
bool turns_have_room(TesseraGpu *gpu, const GpuQueue *queue);
/* Run a new dispatch, or the one that was held, when there is a place. */
void turns_start(TesseraGpu *gpu, GpuDispatch *dispatch);
/* Take it off the engine; true if that takes time. */
bool turns_hold(TesseraGpu *gpu, GpuDispatch *dispatch);
void turns_release(TesseraGpu *gpu, GpuDispatch *dispatch);
/* End it as engine_kill() does; it need not have got to the engine. */
void turns_kill(TesseraGpu *gpu, GpuDispatch *dispatch,
                TesseraFaultCause cause);
/* The engine says that its waves stand still, or that it is over. */
void turns_suspended(TesseraGpu *gpu, GpuDispatch *dispatch);
void turns_ended(TesseraGpu *gpu, GpuDispatch *dispatch);
/* Those whose time is up make room for those that wait. */
void turns_rotate(TesseraGpu *gpu);
/* When turns_rotate() is to be called, host time; INT64_MAX: never. */
int64_t turns_next(TesseraGpu *gpu);
/* Have it complete at guest time @due_ns. */
void turns_delay(TesseraGpu *gpu, GpuDispatch *dispatch, int64_t due_ns);

/* ---- vendor.c, transfer.c; CP ---- */

CpResult vendor_exec(TesseraGpu *gpu, GpuQueue *queue);
/* The packet at hand is wrong, in the way that @text says. */
CpResult vendor_refuse(TesseraGpu *gpu, GpuQueue *queue, const char *text);
CpResult copy_exec(TesseraGpu *gpu, GpuQueue *queue);
CpResult fill_exec(TesseraGpu *gpu, GpuQueue *queue);
/* The test registers' copy. */
void test_dma_run(TesseraGpu *gpu);
/* TEST_DMA_SIZE is written; with the lock held. */
void test_dma_start(TesseraGpu *gpu, uint64_t size);

/* ---- blocks.c; CP ---- */

CpResult blocks_exec(TesseraGpu *gpu, GpuQueue *queue);
/*
 * A block dispatch has ended, unless it was killed: write its result.  False
 * and @fault if memory does not let that be done.
 */
bool blocks_store_result(TesseraGpu *gpu, GpuQueue *queue,
                         const GpuDispatch *dispatch, EngineFault *fault);

/* ---- inject.c; any thread ---- */

/* INJECT_ARM is written; with the lock held. */
void inject_arm(TesseraGpu *gpu, uint64_t kind);
void inject_reset(TesseraGpu *gpu);
/* Is it the turn of injection @kind for queue @slot?  Counts. */
bool inject_now(TesseraGpu *gpu, unsigned kind, unsigned slot);
/* Does an access of the CP for the queue at hand fail by injection? */
bool inject_access(TesseraGpu *gpu);
/* Does the look-up of a page by a wave in @vmid? */
bool inject_lookup(TesseraGpu *gpu, unsigned vmid);
/* What SLOW was armed with. */
int64_t inject_delay_ns(TesseraGpu *gpu);

/* ---- scratch.c; CP ---- */

/*
 * Find the scratch of the dispatch packet at hand: CP_NEXT with @launch
 * filled in, or if it needs none.  @once: it is lent for this dispatch only.
 */
CpResult scratch_get(TesseraGpu *gpu, GpuQueue *queue, TesseraLaunch *launch,
                     bool *once);
/* May a stalled queue go on (CP_NEXT)? */
CpResult scratch_stalled(TesseraGpu *gpu, GpuQueue *queue);

/* ---- barrier.c; CP ---- */

CpResult barrier_exec(TesseraGpu *gpu, GpuQueue *queue);

/* ---- signal.c; CP ---- */

/* Timestamps, decrement, mailbox, event; what is done is noted in @c. */
bool signal_complete(TesseraGpu *gpu, GpuQueue *queue, GpuCompletion *c,
                     EngineFault *fault);
/* Or @bits into (or store to) the value, mailbox, event. */
bool signal_or(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
               uint64_t bits, EngineFault *fault);
bool signal_store(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
                  uint64_t value, EngineFault *fault);
bool signal_load(TesseraGpu *gpu, GpuQueue *queue, uint64_t signal,
                 int64_t *value, EngineFault *fault);

/* ---- ih.c ---- */

/* CP: write an entry to the ring and interrupt. */
void ih_post(TesseraGpu *gpu, const GpuEvent *event);
void ih_post_queue(TesseraGpu *gpu, unsigned source, const GpuQueue *queue,
                   uint64_t data);
/* CP: the same for FAULT and QUEUE_ERROR, which wait if the ring is full. */
void ih_post_error(TesseraGpu *gpu, unsigned source, GpuQueue *queue,
                   uint64_t data);
/* CP: the driver has read from the ring: post what waited. */
void ih_post_owed(TesseraGpu *gpu);
/* Any thread, with the lock held: have the CP post it. */
void ih_defer(TesseraGpu *gpu, const GpuEvent *event);

/* ---- hazard.c ---- */

/* EngineOwnerOps.hazard(). */
void hazard_report(void *opaque, EngineDispatch *dispatch,
                   const EngineHazard *hazard);
void hazard_reset(TesseraGpu *gpu);

/* ---- fault.c; CP ---- */

/*
 * The queue made an error: stop it, latch @fault (NULL: a bad packet, at
 * hand), set @bits in its inactive signal, post the events.
 */
void fault_stop(TesseraGpu *gpu, GpuQueue *queue, uint32_t bits,
                const EngineFault *fault);
/* The same for a failed access, with the bits that stand for its cause. */
CpResult fault_stop_on(TesseraGpu *gpu, GpuQueue *queue,
                       const EngineFault *fault);
/* The same for packet @index rather than the one at hand. */
void fault_stop_at(TesseraGpu *gpu, GpuQueue *queue, const EngineFault *fault,
                   uint64_t index);
/* A fault as FAULT_STATUS shows it; any thread. */
uint32_t fault_status(const EngineFault *fault, unsigned vmid);
/* The queue goes on, or its slot is free: no error, no record. */
void fault_forget(TesseraGpu *gpu, GpuQueue *queue);

/* ---- vm.c ---- */

bool vm_init(TesseraGpu *gpu);
void vm_destroy(TesseraGpu *gpu);
/* Forget all pointers; engine parked and CP held. */
void vm_forget(TesseraGpu *gpu);
void vm_set_bars(TesseraGpu *gpu, const TesseraBars *bars);

/*
 * Page tables have changed: when this returns, nobody uses a translation from
 * before.  Host side, and CP.
 */
void vm_invalidate(TesseraGpu *gpu);
void vm_invalidate_cp(TesseraGpu *gpu);

/*
 * What lies at @va in address space @vmid: fills @page with its 4 KiB page.
 * The one place where addresses are translated.  May say ENGINE_WAIT; @page's
 * backing is then the bus address to ask for, its writable says how.
 */
TesseraFaultCause gpu_vm_translate(TesseraGpu *gpu, unsigned vmid,
                                   uint64_t va, EngineAccess access,
                                   EnginePage *page);
/* [@backing, @backing + @len) of VRAM or of the bus has been stored to. */
void gpu_vm_written(TesseraGpu *gpu, bool vram, uint64_t backing,
                    uint64_t len);

/* ---- ask.c ---- */

/* EngineOwnerOps. */
void gpu_vm_ask(void *opaque, EngineAsk *ask);
bool gpu_vm_cancel(void *opaque, EngineAsk *ask);
/* Host side, held: is the CP in the middle of something? */
bool vm_is_asking(TesseraGpu *gpu);
/* Host side, held: the CP is to ask anew when it goes on. */
void vm_cancel_ask(TesseraGpu *gpu);
/* Wait until the host does not refer to any question of the CP. */
void vm_end_asks(TesseraGpu *gpu);
/* CP: was it cut short by a reset?  Then it touches no guest memory. */
bool vm_is_cut(TesseraGpu *gpu);
/* CP: grows when it waits; pages that were found before may be gone then. */
unsigned vm_waits(TesseraGpu *gpu);

/* ---- copy.c; CP ---- */

/*
 * gpu_vm_translate() for the CP, which waits: never ENGINE_WAIT.  All of these
 * may fail with VM_CANCELLED, after which the caller unwinds.
 */
TesseraFaultCause gpu_vm_find(TesseraGpu *gpu, unsigned vmid, uint64_t va,
                              EngineAccess access, EnginePage *page);

/*
 * Copy between guest memory and @data, page by page.  On failure false, and
 * @fault says why and where; bytes of earlier pages have then been copied.
 * 8-byte aligned words are copied whole.  Other devices are accessed in
 * aligned words of 8 bytes or less.
 */
bool gpu_vm_read(TesseraGpu *gpu, unsigned vmid, uint64_t va, void *data,
                 size_t len, EngineFault *fault);
bool gpu_vm_write(TesseraGpu *gpu, unsigned vmid, uint64_t va,
                  const void *data, size_t len, EngineFault *fault);

/* Atomic accesses of @size bytes (2, 4 or 8), which @va must be aligned to. */
typedef enum VmAtomic { VM_LOAD, VM_STORE, VM_ADD, VM_OR } VmAtomic;

/* Acquire and release; @value is the operand, and for VM_LOAD the result. */
bool gpu_vm_atomic(TesseraGpu *gpu, unsigned vmid, uint64_t va, unsigned size,
                   VmAtomic op, uint64_t *value, EngineFault *fault);

#endif
