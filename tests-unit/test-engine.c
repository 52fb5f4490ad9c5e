/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine alone, with a toy instruction set: scheduling, barriers, faults,
 * kill, park, scratch, code that changes, reports of what was written.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include "target/engine/wave.h"
#include "threads.h"
#include "toy-isa.h"

#define MEM_PAGES 16
#define CODE 0x0000u /* page 0 and 1 */
#define DATA 0x8000u /* page 8 and on */
#define READ_ONLY_PAGE 15
#define LIMIT_S 120 /* for an engine that hangs, not for a busy host */

typedef struct Rig {
    Engine *engine;
    TesseraHost host;
    uint8_t *mem;
    pthread_mutex_t lock;
    pthread_cond_t cond;
    unsigned done, suspended;
    bool unknown[MEM_PAGES]; /* to be asked for */
    bool device[MEM_PAGES];
    bool stubborn;           /* nothing can be taken back */
    EngineAsk *ask[64];      /* open */
    unsigned asks, asked;    /* of them; ever */
    unsigned reads, writes;  /* of devices */
    uint64_t written[MEM_PAGES]; /* reports a page */
    uint64_t found[MEM_PAGES];   /* translations for data */
    unsigned first, last;        /* pages told of together, if not 0 */
} Rig;

/* ---- host and owner ---- */

static TesseraFaultCause rig_translate(void *opaque, unsigned vmid,
                                       uint64_t va, EngineAccess access,
                                       EnginePage *page)
{
    Rig *rig = opaque;
    uint64_t n = va / ENGINE_PAGE;
    bool unknown, device;

    if (n >= MEM_PAGES) {
        return TESSERA_FAULT_UNMAPPED;
    }
    if (n == READ_ONLY_PAGE && access == ENGINE_WRITE) {
        return TESSERA_FAULT_READ_ONLY;
    }
    pthread_mutex_lock(&rig->lock);
    unknown = rig->unknown[n];
    device = rig->device[n];
    rig->found[n] += access != ENGINE_FETCH;
    pthread_mutex_unlock(&rig->lock);
    if (unknown || device) {
        page->backing = n * ENGINE_PAGE;
        return (TesseraFaultCause)(unknown ? ENGINE_WAIT : ENGINE_DEVICE);
    }
    *page = (EnginePage){
        .host = rig->mem + n * ENGINE_PAGE,
        .writable = n != READ_ONLY_PAGE,
        .backing = n * ENGINE_PAGE,
    };
    if (rig->last && n >= rig->first && n <= rig->last) {
        page->before = (n - rig->first) * ENGINE_PAGE;
        page->after = (rig->last - n) * ENGINE_PAGE;
    }
    return TESSERA_FAULT_NONE;
}

static void rig_written(void *opaque, bool vram, uint64_t backing,
                        uint64_t len)
{
    Rig *rig = opaque;

    g_assert_false(vram);
    g_assert_cmpuint(backing % ENGINE_PAGE, ==, 0);
    pthread_mutex_lock(&rig->lock);
    for (uint64_t i = 0; i < len; i += ENGINE_PAGE) {
        rig->written[(backing + i) / ENGINE_PAGE]++;
    }
    pthread_mutex_unlock(&rig->lock);
}

static void rig_done(void *opaque, EngineDispatch *dispatch)
{
    Rig *rig = opaque;

    pthread_mutex_lock(&rig->lock);
    rig->done++;
    dispatch->owner = dispatch; /* marks it */
    pthread_cond_broadcast(&rig->cond);
    pthread_mutex_unlock(&rig->lock);
}

static void rig_suspended(void *opaque, EngineDispatch *dispatch)
{
    Rig *rig = opaque;

    pthread_mutex_lock(&rig->lock);
    g_assert_null(dispatch->owner); /* not after done() */
    rig->suspended++;
    pthread_cond_broadcast(&rig->cond);
    pthread_mutex_unlock(&rig->lock);
}

static void rig_ask(void *opaque, EngineAsk *ask)
{
    Rig *rig = opaque;

    pthread_mutex_lock(&rig->lock);
    g_assert_cmpuint(rig->asks, <, G_N_ELEMENTS(rig->ask));
    rig->ask[rig->asks++] = ask;
    rig->asked++;
    pthread_cond_broadcast(&rig->cond);
    pthread_mutex_unlock(&rig->lock);
}

static bool rig_cancel(void *opaque, EngineAsk *ask)
{
    Rig *rig = opaque;
    bool found = false;

    pthread_mutex_lock(&rig->lock);
    for (unsigned i = 0; i < rig->asks && !rig->stubborn && !found; i++) {
        if (rig->ask[i] == ask) {
            rig->ask[i] = rig->ask[--rig->asks];
            found = true;
        }
    }
    pthread_mutex_unlock(&rig->lock);
    return found;
}

/* Wait for a question.  It stays open. */
static void await_ask(Rig *rig)
{
    struct timespec end = { .tv_sec = time(NULL) + LIMIT_S };

    pthread_mutex_lock(&rig->lock);
    while (!rig->asks) {
        g_assert_cmpint(pthread_cond_timedwait(&rig->cond, &rig->lock, &end),
                        ==, 0);
    }
    pthread_mutex_unlock(&rig->lock);
}

/* Answer the oldest question, if there is one. */
static bool answer(Rig *rig, TesseraFaultCause cause)
{
    EngineAsk *ask = NULL;
    uint8_t *at;

    pthread_mutex_lock(&rig->lock);
    if (rig->asks) {
        ask = rig->ask[0];
        memmove(&rig->ask[0], &rig->ask[1], --rig->asks * sizeof(ask));
        at = rig->mem + ask->address;
        if (ask->op == ENGINE_ASK_TRANSLATE) {
            rig->unknown[ask->address / ENGINE_PAGE] =
                cause != TESSERA_FAULT_NONE;
        } else if (ask->op == ENGINE_ASK_READ) {
            rig->reads++;
            memcpy(&ask->data, at, ask->size);
        } else {
            rig->writes++;
            memcpy(at, &ask->data, ask->size);
        }
        ask->cause = cause;
    }
    pthread_mutex_unlock(&rig->lock);
    if (ask) {
        ask->done(ask);
    }
    return ask;
}

static const EngineOwnerOps owner_ops = {
    .ask = rig_ask,
    .cancel = rig_cancel,
    .translate = rig_translate,
    .written = rig_written,
    .done = rig_done,
    .suspended = rig_suspended,
};

static Rig *rig_new(unsigned workers)
{
    static const TesseraHostOps host_ops = {
        .thread_start = test_thread_start,
        .thread_join = test_thread_join,
    };
    Rig *rig = g_new0(Rig, 1);

    rig->mem = g_aligned_alloc0(MEM_PAGES, ENGINE_PAGE, ENGINE_PAGE);
    rig->host = (TesseraHost){ &host_ops, rig };
    pthread_mutex_init(&rig->lock, NULL);
    pthread_cond_init(&rig->cond, NULL);
    rig->engine = engine_new(&(EngineConfig){
        .isa = &toy_isa, .level = TESSERA_LEVEL_V2, .workers = workers,
        .host = &rig->host, .ops = &owner_ops, .opaque = rig }, NULL);
    g_assert_nonnull(rig->engine);
    return rig;
}

static void rig_free(Rig *rig)
{
    engine_free(rig->engine);
    g_aligned_free(rig->mem);
    pthread_mutex_destroy(&rig->lock);
    pthread_cond_destroy(&rig->cond);
    g_free(rig);
}

static uint64_t *data(Rig *rig, unsigned word)
{
    return (uint64_t *)(rig->mem + DATA) + word;
}

static void load(Rig *rig, unsigned at, const uint32_t *code, unsigned count)
{
    memcpy(rig->mem + CODE + at, code, count * 4);
}
#define LOAD(rig, at, ...)                                                  \
    load(rig, at, (const uint32_t[]){ __VA_ARGS__ },                        \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static EngineDispatch dispatch_of(uint64_t entry, uint32_t groups,
                                  uint32_t items)
{
    return (EngineDispatch){
        .launch.entry = entry,
        .grid = { groups * items, 1, 1 },
        .group_size = { items, 1, 1 },
    };
}

/* Wait until the dispatch is over. */
static void finish(Rig *rig, EngineDispatch *d)
{
    struct timespec end = { .tv_sec = time(NULL) + LIMIT_S };

    pthread_mutex_lock(&rig->lock);
    while (d->owner != d) {
        g_assert_cmpint(pthread_cond_timedwait(&rig->cond, &rig->lock, &end),
                        ==, 0);
    }
    pthread_mutex_unlock(&rig->lock);
}

static void run(Rig *rig, EngineDispatch *d)
{
    engine_submit(rig->engine, d);
    finish(rig, d);
}

/* ---- tests ---- */

static void test_every_wave_runs_once(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    EngineDispatch d = dispatch_of(CODE, 100, 256); /* 4 waves a group */

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    d.stats = true;
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(*data(rig, 0), ==, 400);
    g_assert_cmpuint(d.counts.waves, ==, 400);
    g_assert_cmpuint(d.counts.instructions, ==, 800);
    rig_free(rig);
}

/* Whatever the batches that workers take groups in. */
static void test_every_group_runs_once(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    static const uint32_t groups[] = { 1, 2, 15, 16, 17, 255, 1000, 4099 };

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    for (unsigned i = 0; i < G_N_ELEMENTS(groups); i++) {
        EngineDispatch d = dispatch_of(CODE, groups[i], 64);

        *data(rig, 0) = 0;
        run(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_DONE);
        g_assert_cmpuint(*data(rig, 0), ==, groups[i]);
    }
    rig_free(rig);
}

static void test_written_is_reported(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 1, 64), e = d;

    LOAD(rig, 0, TOY(STORE, DATA), TOY(STORE, DATA + 8), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpuint(rig->written[DATA / ENGINE_PAGE], ==, 1);
    /* A page that was reported is reported again when stored to again. */
    run(rig, &e);
    g_assert_cmpuint(rig->written[DATA / ENGINE_PAGE], ==, 2);
    for (int i = 0; i < MEM_PAGES; i++) {
        if (i != DATA / ENGINE_PAGE) {
            g_assert_cmpuint(rig->written[i], ==, 0);
        }
    }
    rig_free(rig);
}

/*
 * Pages that compiled code has found to be writable, and is going to write to,
 * are not reported before it does: it is told that a page cannot be entered.
 */
static void test_written_not_too_early(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 1, 64);
    unsigned first = DATA / ENGINE_PAGE;

    rig->first = first;
    rig->last = first + 3;
    LOAD(rig, 0, TOY(STORE, DATA), TOY(REFILL, DATA + ENGINE_PAGE),
         TOY(SAVE, DATA + 8), TOY(FILL, 0),
         TOY(REFILL, DATA + 2 * ENGINE_PAGE), TOY(SAVE, DATA + 16),
         TOY(END, 0));
    *data(rig, 1) = *data(rig, 2) = 77;
    run(rig, &d);
    g_assert_cmpuint(*data(rig, 1), ==, 1);
    g_assert_cmpuint(*data(rig, 2), ==, 0);
    g_assert_cmpuint(rig->written[first + 1], ==, WRITTEN_MAX - 1);
    g_assert_cmpuint(rig->written[first + 2], ==, 0);
    rig_free(rig);
}

/*
 * What the owner says of more than a page is believed until it is forgotten:
 * for that part, that address space and data only, and each page that is
 * stored to is reported.
 */
static void test_stretch(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 1, 64), e = d, f = d;
    unsigned first = DATA / ENGINE_PAGE;

    rig->first = first + 1;
    rig->last = first + 4;
    LOAD(rig, 0, TOY(LOAD, DATA + 2 * ENGINE_PAGE),
         TOY(SAVE, DATA + ENGINE_PAGE), TOY(SAVE, DATA + 3 * ENGINE_PAGE),
         TOY(LOAD, DATA + 4 * ENGINE_PAGE), TOY(SAVE, DATA + 5 * ENGINE_PAGE),
         TOY(SAVE, DATA), TOY(END, 0));
    *data(rig, 2 * ENGINE_PAGE / 8) = 0x1234;
    *data(rig, 4 * ENGINE_PAGE / 8) = 0x5678;
    run(rig, &d);
    g_assert_cmphex(*data(rig, 1 * ENGINE_PAGE / 8), ==, 0x1234);
    g_assert_cmphex(*data(rig, 3 * ENGINE_PAGE / 8), ==, 0x1234);
    g_assert_cmphex(*data(rig, 5 * ENGINE_PAGE / 8), ==, 0x5678);
    for (unsigned i = 0; i < 6; i++) {
        bool inside = i >= 1 && i <= 4, stored = i != 2 && i != 4;

        g_assert_cmpuint(rig->found[first + i], ==, !inside || i == 2);
        g_assert_cmpuint(rig->written[first + i], ==, stored);
    }
    e.vmid = 3;
    run(rig, &e);
    g_assert_cmpuint(rig->found[first + 2], ==, 2);
    engine_park(rig->engine);
    engine_forget(rig->engine);
    engine_unpark(rig->engine);
    run(rig, &f);
    g_assert_cmpuint(rig->found[first + 2], ==, 3);
    g_assert_cmpuint(rig->found[first + 1], ==, 0);
    rig_free(rig);
}

/* What may only be read is asked for again before a store. */
static void test_stretch_read_only(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 1, 64);

    rig->first = READ_ONLY_PAGE;
    rig->last = READ_ONLY_PAGE + 1; /* there is none, none is touched */
    LOAD(rig, 0, TOY(LOAD, READ_ONLY_PAGE * ENGINE_PAGE),
         TOY(STORE, READ_ONLY_PAGE * ENGINE_PAGE + 8), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(d.fault.cause, ==, TESSERA_FAULT_READ_ONLY);
    rig_free(rig);
}

/*
 * Pages of arrays that lie a power of two apart keep out of each other's way in
 * the TLB, and so do pages that follow each other.
 */
static void test_tlb_places(void)
{
    for (unsigned shift = 12; shift <= 40; shift++) {
        uint64_t at = 0x7f1234567000;
        bool tlb[TLB_ENTRIES] = { false };

        for (unsigned i = 0; i < 8; i++) {
            bool *place = &tlb[tlb_index(at + ((uint64_t)i << shift))];

            g_assert_false(*place);
            *place = true;
        }
    }
    for (unsigned shift = 21; shift <= 40; shift++) {
        uint64_t at = 0x7f1234567000;
        bool stretch[STRETCH_ENTRIES] = { false };

        for (unsigned i = 0; i < 8; i++) {
            bool *place = &stretch[stretch_index(at + ((uint64_t)i << shift))];

            g_assert_false(*place);
            *place = true;
        }
    }
}

static void test_barrier(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 3, 256);

    /* Wave 0 of each group cannot pass before wave 3 has counted. */
    LOAD(rig, 0, TOY(COUNT, DATA), TOY(BARRIER, 0), TOY(COUNT, DATA + 8),
         TOY(BARRIER, 0), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(*data(rig, 0), ==, 12);
    g_assert_cmpuint(*data(rig, 1), ==, 12);
    rig_free(rig);
}

static void test_fault(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = dispatch_of(CODE, 50, 64);

    LOAD(rig, 0, TOY(NOP, 0), TOY(FAULT, 0x1234), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(d.fault.cause, ==, TESSERA_FAULT_MISALIGNED);
    g_assert_cmphex(d.fault.address, ==, 0x1234);
    g_assert_cmphex(d.fault.pc, ==, CODE + 4);
    g_assert_cmpstr(d.fault.text, ==, "toy 4");
    rig_free(rig);
}

static void test_memory_faults(void)
{
    static const struct {
        uint32_t address;
        TesseraFaultCause cause;
    } row[] = {
        { MEM_PAGES * ENGINE_PAGE, TESSERA_FAULT_UNMAPPED },
        { READ_ONLY_PAGE * ENGINE_PAGE, TESSERA_FAULT_READ_ONLY },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(row); i++) {
        Rig *rig = rig_new(1);
        EngineDispatch d = dispatch_of(CODE, 1, 64);

        LOAD(rig, 0, TOY(STORE, row[i].address), TOY(END, 0));
        run(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_FAULTED);
        g_assert_cmpint(d.fault.cause, ==, row[i].cause);
        g_assert_cmphex(d.fault.address, ==, row[i].address);
        g_assert_cmpint(d.fault.access, ==, ENGINE_WRITE);
        rig_free(rig);
    }
}

static void test_fetch_fault(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(MEM_PAGES * ENGINE_PAGE, 4, 64);
    EngineDispatch e = dispatch_of(MEM_PAGES * ENGINE_PAGE - 4, 4, 64);

    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(d.fault.cause, ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmpint(d.fault.access, ==, ENGINE_FETCH);
    /* The same by running off the end of the last page. */
    run(rig, &e);
    g_assert_cmpint(e.fault.cause, ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(e.fault.pc, ==, MEM_PAGES * ENGINE_PAGE);
    rig_free(rig);
}

static void test_page_crossing(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 1, 64);

    /* From page 0 into page 1 by falling, back by a branch, three times. */
    LOAD(rig, 0, TOY(JUMP, ENGINE_PAGE / 4 - 2));
    LOAD(rig, ENGINE_PAGE - 8, TOY(COUNT, DATA), TOY(NOP, 0),
         TOY(WAIT, DATA), TOY(JUMP, 1), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(*data(rig, 0), ==, 1);
    rig_free(rig);
}

static void test_kill_endless(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    EngineDispatch d = dispatch_of(CODE, 1000, 64);
    EngineDispatch e = d;

    LOAD(rig, 0, TOY(STORE, DATA), TOY(JUMP, 0));
    engine_submit(rig->engine, &d);
    while (!__atomic_load_n(data(rig, 0), __ATOMIC_SEQ_CST)) {
        g_usleep(100);
    }
    engine_kill(rig->engine, &d, TESSERA_FAULT_NONE);
    finish(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_KILLED);

    engine_submit(rig->engine, &e);
    engine_kill(rig->engine, &e, TESSERA_FAULT_HANG);
    finish(rig, &e);
    g_assert_cmpint(e.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(e.fault.cause, ==, TESSERA_FAULT_HANG);
    rig_free(rig);
}

static void test_free_kills(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = dispatch_of(CODE, 10, 64);

    LOAD(rig, 0, TOY(JUMP, 0));
    engine_submit(rig->engine, &d);
    engine_free(rig->engine);
    g_assert_cmpint(d.status, ==, ENGINE_KILLED);
    rig->engine = NULL;
    g_assert_true(d.owner == &d);
    g_aligned_free(rig->mem);
    g_free(rig);
}

/* While parked nothing moves; afterwards it goes on where it was. */
static void test_park(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    EngineDispatch d = dispatch_of(CODE, 4, 256);

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(JUMP, -1));
    engine_submit(rig->engine, &d);
    for (int i = 0; i < 50; i++) {
        uint64_t before, after;

        while (!__atomic_load_n(data(rig, 0), __ATOMIC_SEQ_CST)) {
            g_usleep(50);
        }
        engine_park(rig->engine);
        before = *data(rig, 0);
        pthread_mutex_lock(&rig->lock);
        g_assert_cmpuint(rig->written[DATA / ENGINE_PAGE], >, 0);
        rig->written[DATA / ENGINE_PAGE] = 0;
        pthread_mutex_unlock(&rig->lock);
        g_usleep(200);
        after = *data(rig, 0);
        g_assert_cmpuint(before, ==, after);
        engine_forget(rig->engine);
        *data(rig, 0) = 0;
        engine_unpark(rig->engine);
    }
    engine_kill(rig->engine, &d, TESSERA_FAULT_NONE);
    finish(rig, &d);
    rig_free(rig);
}

/* Killed while parked: ends when unparked, and not before. */
static void test_kill_parked(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = dispatch_of(CODE, 4, 64);

    LOAD(rig, 0, TOY(JUMP, 0));
    engine_park(rig->engine);
    engine_submit(rig->engine, &d);
    engine_kill(rig->engine, &d, TESSERA_FAULT_NONE);
    g_usleep(1000);
    g_assert_true(d.owner == NULL);
    engine_unpark(rig->engine);
    finish(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_KILLED);
    rig_free(rig);
}

static void wait_for(uint64_t *word)
{
    while (!__atomic_load_n(word, __ATOMIC_SEQ_CST)) {
        g_usleep(50);
    }
}

/* Suspend and wait for it. */
static void suspend(Rig *rig, EngineDispatch *d)
{
    struct timespec end = { .tv_sec = time(NULL) + LIMIT_S };
    unsigned before;

    pthread_mutex_lock(&rig->lock);
    before = rig->suspended;
    pthread_mutex_unlock(&rig->lock);
    engine_suspend(rig->engine, d);
    pthread_mutex_lock(&rig->lock);
    while (rig->suspended == before) {
        g_assert_cmpint(pthread_cond_timedwait(&rig->cond, &rig->lock, &end),
                        ==, 0);
    }
    pthread_mutex_unlock(&rig->lock);
}

/*
 * A suspended dispatch stands still, all it wrote is reported, the one beside
 * it goes on, and it goes on itself when it is told to.
 */
static void test_suspend(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    EngineDispatch d = dispatch_of(CODE, 8, 256);
    EngineDispatch e = dispatch_of(CODE + 0x100, 8, 256);
    uint64_t *beside = (uint64_t *)(rig->mem + DATA + ENGINE_PAGE);

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(JUMP, -1));
    LOAD(rig, 0x100, TOY(COUNT, DATA + ENGINE_PAGE), TOY(JUMP, -1));
    engine_submit(rig->engine, &d);
    engine_submit(rig->engine, &e);
    for (int i = 0; i < 50; i++) {
        uint64_t before;

        wait_for(data(rig, 0));
        suspend(rig, &d);
        before = *data(rig, 0);
        pthread_mutex_lock(&rig->lock);
        g_assert_cmpuint(rig->written[DATA / ENGINE_PAGE], >, 0);
        rig->written[DATA / ENGINE_PAGE] = 0;
        pthread_mutex_unlock(&rig->lock);
        __atomic_store_n(beside, 0, __ATOMIC_SEQ_CST);
        wait_for(beside);
        g_assert_cmpuint(before, ==, *data(rig, 0));
        *data(rig, 0) = 0;
        engine_continue(rig->engine, &d);
    }
    suspend(rig, &d);
    engine_kill(rig->engine, &d, TESSERA_FAULT_NONE);
    finish(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_KILLED);
    engine_kill(rig->engine, &e, TESSERA_FAULT_NONE);
    finish(rig, &e);
    g_assert_cmpuint(rig->suspended, ==, 51);
    rig_free(rig);
}

/* Either it is over or it is suspended, whenever it is asked. */
static void test_suspend_any_time(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    struct timespec end = { .tv_sec = time(NULL) + LIMIT_S };

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    for (int i = 0; i < 300; i++) {
        EngineDispatch d = dispatch_of(CODE, 20, 64);
        unsigned suspended;
        uint64_t counted;

        *data(rig, 0) = 0;
        rig->suspended = 0;
        engine_submit(rig->engine, &d);
        g_usleep(i % 10 * 10);
        engine_suspend(rig->engine, &d);
        engine_suspend(rig->engine, &d);
        pthread_mutex_lock(&rig->lock);
        while (!rig->suspended && d.owner != &d) {
            g_assert_cmpint(pthread_cond_timedwait(&rig->cond, &rig->lock,
                                                   &end), ==, 0);
        }
        suspended = rig->suspended;
        pthread_mutex_unlock(&rig->lock);
        if (suspended) {
            counted = *data(rig, 0);
            g_usleep(10);
            g_assert_cmpuint(counted, ==, *data(rig, 0));
        }
        engine_continue(rig->engine, &d);
        finish(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_DONE);
        g_assert_cmpuint(*data(rig, 0), ==, 20);
        g_assert_cmpuint(rig->suspended, ==, suspended);
    }
    rig_free(rig);
}

/* The engine is freed while a dispatch is suspended. */
static void test_free_suspended(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = dispatch_of(CODE, 10, 64);

    LOAD(rig, 0, TOY(JUMP, 0));
    engine_submit(rig->engine, &d);
    suspend(rig, &d);
    engine_free(rig->engine);
    g_assert_cmpint(d.status, ==, ENGINE_KILLED);
    g_assert_true(d.owner == &d);
    g_aligned_free(rig->mem);
    g_free(rig);
}

/* The higher priority gets more, the lower one enough. */
static void test_priority(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch low = dispatch_of(CODE, 1, 64);
    EngineDispatch high = dispatch_of(CODE + 0x100, 1, 64);
    uint64_t *of_low = data(rig, 0), *of_high = data(rig, 1);

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(JUMP, -1));
    LOAD(rig, 0x100, TOY(COUNT, DATA + 8), TOY(JUMP, -1));
    high.priority = 7;
    engine_park(rig->engine); /* start at the same time */
    engine_submit(rig->engine, &low);
    engine_submit(rig->engine, &high);
    engine_unpark(rig->engine);
    while (__atomic_load_n(of_low, __ATOMIC_SEQ_CST) < 200000) {
        g_usleep(100);
    }
    engine_kill(rig->engine, &low, TESSERA_FAULT_NONE);
    engine_kill(rig->engine, &high, TESSERA_FAULT_NONE);
    finish(rig, &low);
    finish(rig, &high);
    /* Eight turns to one, give or take that the two kills are not one. */
    g_assert_cmpuint(*of_high, >, 7 * *of_low);
    rig_free(rig);
}

/* Groups are spread over the CUs of the mask and run on no others. */
static void test_cu_mask(gconstpointer workers)
{
    static const struct {
        uint64_t mask, used;
    } row[] = {
        { 0, 0xff }, { 0xff, 0xff }, { 0x01, 0x01 }, { 0x80, 0x80 },
        { 0x24, 0x24 }, { 0xfffffffffffffe0f, 0x0f },
        { 0x100, 0xff }, /* no CU that is there */
    };
    enum { GROUPS = 256 };
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));

    LOAD(rig, 0, TOY(CU, DATA), TOY(END, 0));
    for (unsigned i = 0; i < G_N_ELEMENTS(row); i++) {
        EngineDispatch d = dispatch_of(CODE, GROUPS, 64);
        uint64_t used = 0;

        d.cu_mask = row[i].mask;
        memset(data(rig, 0), 0, GROUPS * 8);
        run(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_DONE);
        for (unsigned k = 0; k < GROUPS; k++) {
            g_assert_cmpuint(*data(rig, k), !=, 0);
            used |= 1ull << (*data(rig, k) - 1);
        }
        g_assert_cmphex(used & ~row[i].used, ==, 0);
        if (GPOINTER_TO_UINT(workers) == 1) {
            g_assert_cmphex(used, ==, row[i].used);
        }
    }
    rig_free(rig);
}

/* One worker, an endless dispatch: the one beside it completes. */
static void test_fairness(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch endless = dispatch_of(CODE + 0x100, 64, 1024);
    EngineDispatch d = dispatch_of(CODE, 20, 64);

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    LOAD(rig, 0x100, TOY(JUMP, 0));
    engine_submit(rig->engine, &endless);
    run(rig, &d);
    g_assert_cmpuint(*data(rig, 0), ==, 20);
    engine_kill(rig->engine, &endless, TESSERA_FAULT_NONE);
    finish(rig, &endless);
    rig_free(rig);
}

/*
 * Endless dispatches that have all begun: each goes on, and the waves that
 * there are at a time have a bound.
 */
#define CROWD 60
#define CROWD_GROUPS 100
#define CROWD_WAVES 1280 /* of a worker, as sched.h says */

static uint64_t count_crowd(Rig *rig, bool *all)
{
    uint64_t sum = 0;

    *all = true;
    for (unsigned i = 0; i < CROWD; i++) {
        uint64_t count = __atomic_load_n(data(rig, 1 + i), __ATOMIC_SEQ_CST);

        sum += count;
        *all &= count > 0;
    }
    return sum;
}

/* Wait until nothing begins any more. */
static uint64_t settle_crowd(Rig *rig)
{
    gint64 end = g_get_monotonic_time() + LIMIT_S * G_USEC_PER_SEC;
    uint64_t sum, before = 0;
    bool all;

    while (sum = count_crowd(rig, &all), !all || sum != before) {
        g_assert_cmpint(g_get_monotonic_time(), <, end);
        before = sum;
        g_usleep(100000);
    }
    return sum;
}

static void test_crowd(gconstpointer data_of_test)
{
    unsigned workers = GPOINTER_TO_UINT(data_of_test);
    Rig *rig = rig_new(workers);
    EngineDispatch d[CROWD];
    bool all;

    for (unsigned i = 0; i < CROWD; i++) {
        LOAD(rig, i * 0x20, TOY(COUNT, DATA + 8 * (1 + i)), TOY(WAIT, DATA),
             TOY(END, 0));
        d[i] = dispatch_of(CODE + i * 0x20, CROWD_GROUPS, 64);
    }
    for (unsigned i = 0; i < CROWD; i++) {
        engine_submit(rig->engine, &d[i]);
    }
    g_assert_cmpuint(settle_crowd(rig), <=, workers * CROWD_WAVES + CROWD);
    __atomic_store_n(data(rig, 0), 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < CROWD; i++) {
        finish(rig, &d[i]);
        g_assert_cmpint(d[i].status, ==, ENGINE_DONE);
    }
    g_assert_cmpuint(count_crowd(rig, &all), ==, CROWD * CROWD_GROUPS);
    rig_free(rig);
}

/* Group 0 waits for a group that starts after it, on a single worker. */
static void test_group_waits_for_later_one(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 8, 64);

    LOAD(rig, 0, TOY(FLAG, DATA), TOY(WAIT, DATA + 8 * 7), TOY(END, 0));
    run(rig, &d);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmpuint(*data(rig, i), ==, i + 1);
    }
    rig_free(rig);
}

/* Code that is rewritten between dispatches is what runs. */
static void test_code_changes(void)
{
    Rig *rig = rig_new(2);

    for (unsigned i = 0; i < 20; i++) {
        EngineDispatch d = dispatch_of(CODE, 4, 64);

        LOAD(rig, 0, TOY(COUNT, DATA + 8 * i), TOY(END, 0));
        run(rig, &d);
        g_assert_cmpuint(*data(rig, i), ==, 4);
    }
    rig_free(rig);
}

/* Resident waves never share a scratch slot, and no slot is out of range. */
static void test_scratch(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = dispatch_of(CODE, 64, 64);
    EngineDispatch e = dispatch_of(CODE, 4, 256);

    LOAD(rig, 0, TOY(SCRATCH, DATA), TOY(COUNT, DATA + 0x800), TOY(END, 0));
    d.launch.private_size = 16;
    d.launch.scratch_waves = 3;
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(*data(rig, 0x100), ==, 64);
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(*data(rig, i), <, 3);
    }
    /* A group of four waves can never have three slots. */
    e.launch = d.launch;
    run(rig, &e);
    g_assert_cmpint(e.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(e.fault.cause, ==, TESSERA_FAULT_SCRATCH_BOUNDS);
    rig_free(rig);
}

/*
 * Workers that find no scratch free hear when some is given back, and when
 * nothing is left to do.
 */
static void test_scratch_waits(gconstpointer workers)
{
    for (int i = 0; i < 50; i++) {
        Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
        EngineDispatch d = dispatch_of(CODE, 40, 64);

        LOAD(rig, 0, TOY(FLAG, DATA), TOY(WAIT, DATA + 8), TOY(END, 0));
        d.launch.private_size = 16;
        d.launch.scratch_waves = 2;
        run(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_DONE);
        for (unsigned k = 0; k < 40; k++) {
            g_assert_cmpuint(*data(rig, k), ==, k + 1);
        }
        rig_free(rig);
    }
}

/* Groups at the grid's edge give back the slots that they do not need. */
static void test_scratch_at_edges(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = {
        .launch = { .entry = CODE, .private_size = 16, .scratch_waves = 5 },
        .grid = { 129, 300, 1 },
        .group_size = { 128, 1, 1 },
    };

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(*data(rig, 0), ==, 300 * 3);
    rig_free(rig);
}

static void test_partial_groups(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = {
        .launch.entry = CODE,
        .grid = { 65, 3, 1 },
        .group_size = { 64, 2, 1 },
    };

    /* Groups of 64x2, 1x2, 64x1 and 1x1 items: 2 + 1 + 1 + 1 waves. */
    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    run(rig, &d);
    g_assert_cmpuint(*data(rig, 0), ==, 5);
    rig_free(rig);
}

/* More code pages in use at once than the cache has ways for them. */
static void test_many_code_pages(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d[8];

    for (unsigned i = 0; i < 7; i++) {
        LOAD(rig, i * ENGINE_PAGE, TOY(STORE, DATA + 8 * i), TOY(JUMP, 0));
        d[i] = dispatch_of(i * ENGINE_PAGE, 4, 64);
        engine_submit(rig->engine, &d[i]);
    }
    for (unsigned i = 0; i < 7; i++) {
        while (!__atomic_load_n(data(rig, i), __ATOMIC_SEQ_CST)) {
            g_usleep(50);
        }
    }
    for (unsigned i = 0; i < 7; i++) {
        engine_kill(rig->engine, &d[i], TESSERA_FAULT_NONE);
        finish(rig, &d[i]);
    }
    rig_free(rig);
}

/*
 * A wave's registers may be those of an earlier wave of its dispatch, but not
 * of another one.
 */
static void test_stale_registers(void)
{
    Rig *rig = rig_new(1);

    LOAD(rig, 0, TOY(LOAD, DATA), TOY(END, 0));
    LOAD(rig, 0x100, TOY(SAVE, DATA + 8), TOY(LOAD, DATA), TOY(END, 0));
    for (unsigned i = 0; i < 3; i++) {
        EngineDispatch d = dispatch_of(CODE, 4, 64);
        EngineDispatch e = dispatch_of(CODE + 0x100, 1, 64);

        *data(rig, 0) = 0x1234;
        *data(rig, 1) = 1;
        run(rig, &d);
        run(rig, &e);
        g_assert_cmphex(*data(rig, 1), ==, 0);
    }
    rig_free(rig);
}

/* ---- memory that has to be asked for ---- */

#define SLOW_AT (DATA + ENGINE_PAGE) /* such a page */
#define SLOW_PAGE (SLOW_AT / ENGINE_PAGE)

static uint64_t *slow(Rig *rig, unsigned word)
{
    return (uint64_t *)(rig->mem + SLOW_AT) + word;
}

/* While a wave waits for an answer, other dispatches run on its worker. */
static void test_wait(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 3, 128);
    EngineDispatch e = dispatch_of(CODE + 0x100, 100, 64);

    LOAD(rig, 0, TOY(COUNT, SLOW_AT), TOY(BARRIER, 0), TOY(END, 0));
    LOAD(rig, 0x100, TOY(COUNT, DATA), TOY(END, 0));
    rig->unknown[SLOW_PAGE] = true;
    engine_submit(rig->engine, &d);
    await_ask(rig);
    run(rig, &e);
    g_assert_cmpuint(*data(rig, 0), ==, 100);
    g_assert_cmpuint(*slow(rig, 0), ==, 0);
    while (answer(rig, TESSERA_FAULT_NONE)) {
    }
    finish(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(*slow(rig, 0), ==, 6);
    rig_free(rig);
}

/* What cannot be translated is a fault of the wave that asked. */
static void test_refused(void)
{
    Rig *rig = rig_new(2);
    EngineDispatch d = dispatch_of(CODE, 1, 64);

    LOAD(rig, 0, TOY(NOP, 0), TOY(LOAD, SLOW_AT + 8), TOY(END, 0));
    rig->unknown[SLOW_PAGE] = true;
    engine_submit(rig->engine, &d);
    await_ask(rig);
    answer(rig, TESSERA_FAULT_IOMMU);
    finish(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(d.fault.cause, ==, TESSERA_FAULT_IOMMU);
    g_assert_cmphex(d.fault.address, ==, SLOW_AT + 8);
    g_assert_cmphex(d.fault.pc, ==, CODE + 4);
    g_assert_cmpuint(rig->asked, ==, 1);
    rig_free(rig);
}

/*
 * Code may have to be asked for as well: where a wave starts, where it runs
 * on to, and where an instruction has its second half.
 */
static void test_wait_for_code(void)
{
    static const struct {
        uint32_t end[2];   /* of page 0 */
        uint32_t start[2]; /* of page 1 */
        unsigned asked;
    } row[] = {
        { { TOY(COUNT, DATA), TOY(NOP, 0) },
          { TOY(COUNT, DATA), TOY(END, 0) }, 2 },
        { { TOY(COUNT, DATA), TOY(LONG, 0) },
          { TOY(FAULT, 0), TOY(END, 0) }, 2 },
        { { TOY(COUNT, DATA), TOY(END, 0) },
          { TOY(FAULT, 0), TOY(FAULT, 0) }, 1 }, /* not looked ahead */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(row); i++) {
        Rig *rig = rig_new(1);
        EngineDispatch d = dispatch_of(ENGINE_PAGE - 8, 1, 64);
        unsigned counts = i == 0 ? 2 : 1;

        LOAD(rig, ENGINE_PAGE - 8, row[i].end[0], row[i].end[1],
             row[i].start[0], row[i].start[1]);
        d.stats = true;
        rig->unknown[0] = rig->unknown[1] = true;
        engine_submit(rig->engine, &d);
        for (unsigned k = 0; k < row[i].asked; k++) {
            await_ask(rig);
            g_assert_cmpint(rig->ask[0]->access, ==, ENGINE_FETCH);
            answer(rig, TESSERA_FAULT_NONE);
        }
        finish(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_DONE);
        g_assert_cmpuint(*data(rig, 0), ==, counts);
        g_assert_cmpuint(d.counts.instructions, ==, i == 2 ? 2 : i ? 3 : 4);
        g_assert_cmpuint(rig->asked, ==, row[i].asked);
        rig_free(rig);
    }
}

/* No code can be executed from a device. */
static void test_code_in_device(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(SLOW_AT, 1, 64);

    rig->device[SLOW_PAGE] = true;
    run(rig, &d);
    g_assert_cmpint(d.fault.cause, ==, TESSERA_FAULT_NO_EXECUTE);
    rig_free(rig);
}

/* Loads from a device and stores to it are done once. */
static void test_device(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    EngineDispatch d = dispatch_of(CODE, 20, 64);

    LOAD(rig, 0, TOY(LOAD, SLOW_AT + 0x800), TOY(SAVE, SLOW_AT), TOY(END, 0));
    *slow(rig, 0x100) = 0x0123456789abcdef;
    rig->unknown[SLOW_PAGE] = rig->device[SLOW_PAGE] = true;
    engine_submit(rig->engine, &d);
    for (unsigned i = 0; d.owner != &d; i++) {
        if (i % 7 == 3) { /* questions are taken back and asked again */
            engine_park(rig->engine);
            engine_unpark(rig->engine);
        }
        answer(rig, TESSERA_FAULT_NONE);
        g_usleep(20);
    }
    finish(rig, &d);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    for (unsigned i = 0; i < 20; i++) {
        g_assert_cmphex(*slow(rig, i), ==, 0x0123456789abcdef);
    }
    g_assert_cmpuint(rig->reads, ==, 20);
    g_assert_cmpuint(rig->writes, ==, 20);
    rig_free(rig);
}

/*
 * Parking waits for no answer: what can be taken back is, and is asked anew;
 * what cannot may be answered meanwhile.
 */
static void test_park_unanswered(void)
{
    for (int stubborn = 0; stubborn < 2; stubborn++) {
        Rig *rig = rig_new(2);
        EngineDispatch d = dispatch_of(CODE, 1, 64);

        LOAD(rig, 0, TOY(LOAD, SLOW_AT), TOY(SAVE, DATA), TOY(END, 0));
        *slow(rig, 0) = 42;
        rig->device[SLOW_PAGE] = true;
        rig->stubborn = stubborn;
        engine_submit(rig->engine, &d);
        for (int i = 0; i < 20; i++) {
            await_ask(rig);
            engine_park(rig->engine);
            g_assert_cmpuint(rig->asks, ==, stubborn);
            if (i == 19 && stubborn) {
                answer(rig, TESSERA_FAULT_NONE);
            }
            engine_unpark(rig->engine);
        }
        if (!stubborn) {
            await_ask(rig);
            answer(rig, TESSERA_FAULT_NONE);
        }
        finish(rig, &d);
        g_assert_cmpuint(*data(rig, 0), ==, 42);
        g_assert_cmpuint(rig->reads, ==, 1);
        g_assert_cmpuint(rig->asked, ==, stubborn ? 1 : 21);
        rig_free(rig);
    }
}

/* A kill does not wait either; the answer comes when all is gone. */
static void test_kill_unanswered(void)
{
    for (int stubborn = 0; stubborn < 2; stubborn++) {
        Rig *rig = rig_new(2);
        EngineDispatch d = dispatch_of(CODE, 1, 64);

        LOAD(rig, 0, TOY(LOAD, SLOW_AT), TOY(END, 0));
        rig->device[SLOW_PAGE] = true;
        rig->stubborn = stubborn;
        engine_submit(rig->engine, &d);
        await_ask(rig);
        engine_kill(rig->engine, &d, TESSERA_FAULT_NONE);
        finish(rig, &d);
        g_assert_cmpint(d.status, ==, ENGINE_KILLED);
        g_assert_cmpuint(rig->asks, ==, stubborn);
        engine_free(rig->engine);
        answer(rig, TESSERA_FAULT_NONE);
        g_aligned_free(rig->mem);
        g_free(rig);
    }
}

/* A suspended dispatch has no open question; continued, it asks again. */
static void test_suspend_unanswered(void)
{
    Rig *rig = rig_new(1);
    EngineDispatch d = dispatch_of(CODE, 4, 64);

    LOAD(rig, 0, TOY(LOAD, SLOW_AT), TOY(COUNT, DATA), TOY(END, 0));
    rig->device[SLOW_PAGE] = true;
    engine_submit(rig->engine, &d);
    for (int i = 0; i < 20; i++) {
        await_ask(rig);
        suspend(rig, &d);
        g_assert_cmpuint(rig->asks, ==, 0);
        engine_continue(rig->engine, &d);
    }
    while (d.owner != &d) {
        answer(rig, TESSERA_FAULT_NONE);
        g_usleep(10);
    }
    finish(rig, &d);
    g_assert_cmpuint(*data(rig, 0), ==, 4);
    g_assert_cmpuint(rig->reads, ==, 4);
    rig_free(rig);
}

static void test_overlapping(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers));
    EngineDispatch d[200];

    LOAD(rig, 0, TOY(COUNT, DATA), TOY(END, 0));
    for (unsigned i = 0; i < G_N_ELEMENTS(d); i++) {
        d[i] = dispatch_of(CODE, 3, 64);
        engine_submit(rig->engine, &d[i]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(d); i++) {
        finish(rig, &d[i]);
        g_assert_cmpint(d[i].status, ==, ENGINE_DONE);
    }
    g_assert_cmpuint(*data(rig, 0), ==, 3 * G_N_ELEMENTS(d));
    g_assert_cmpuint(rig->done, ==, G_N_ELEMENTS(d));
    rig_free(rig);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define WORKERS(name, fn)                                                   \
    g_test_add_data_func("/engine/" name "/1", GUINT_TO_POINTER(1), fn);    \
    g_test_add_data_func("/engine/" name "/4", GUINT_TO_POINTER(4), fn);
    WORKERS("every-wave-runs-once", test_every_wave_runs_once)
    WORKERS("every-group-runs-once", test_every_group_runs_once)
    WORKERS("kill-endless", test_kill_endless)
    WORKERS("park", test_park)
    WORKERS("overlapping", test_overlapping)
    WORKERS("suspend", test_suspend)
    WORKERS("suspend-any-time", test_suspend_any_time)
    WORKERS("cu-mask", test_cu_mask)
    WORKERS("scratch-waits", test_scratch_waits)
    WORKERS("crowd", test_crowd)
    g_test_add_data_func("/engine/cu-mask/12", GUINT_TO_POINTER(12),
                         test_cu_mask);
    WORKERS("device", test_device)
    g_test_add_func("/engine/stale-registers", test_stale_registers);
    g_test_add_func("/engine/wait", test_wait);
    g_test_add_func("/engine/refused", test_refused);
    g_test_add_func("/engine/wait-for-code", test_wait_for_code);
    g_test_add_func("/engine/code-in-device", test_code_in_device);
    g_test_add_func("/engine/park-unanswered", test_park_unanswered);
    g_test_add_func("/engine/kill-unanswered", test_kill_unanswered);
    g_test_add_func("/engine/suspend-unanswered", test_suspend_unanswered);
    g_test_add_func("/engine/free-suspended", test_free_suspended);
    g_test_add_func("/engine/priority", test_priority);
    g_test_add_func("/engine/written", test_written_is_reported);
    g_test_add_func("/engine/written-not-too-early",
                    test_written_not_too_early);
    g_test_add_func("/engine/stretch", test_stretch);
    g_test_add_func("/engine/tlb-places", test_tlb_places);
    g_test_add_func("/engine/stretch-read-only", test_stretch_read_only);
    g_test_add_func("/engine/barrier", test_barrier);
    g_test_add_func("/engine/fault", test_fault);
    g_test_add_func("/engine/memory-faults", test_memory_faults);
    g_test_add_func("/engine/fetch-fault", test_fetch_fault);
    g_test_add_func("/engine/page-crossing", test_page_crossing);
    g_test_add_func("/engine/free-kills", test_free_kills);
    g_test_add_func("/engine/kill-parked", test_kill_parked);
    g_test_add_func("/engine/fairness", test_fairness);
    g_test_add_func("/engine/waits-for-later-group",
                    test_group_waits_for_later_one);
    g_test_add_func("/engine/code-changes", test_code_changes);
    g_test_add_func("/engine/scratch", test_scratch);
    g_test_add_func("/engine/scratch-at-edges", test_scratch_at_edges);
    g_test_add_func("/engine/partial-groups", test_partial_groups);
    g_test_add_func("/engine/many-code-pages", test_many_code_pages);
    return g_test_run();
}
