/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <string.h>
#include "tests-unit/fake-engine.h"

typedef struct FakeDispatch {
    EngineDispatch *live; /* NULL when done() has been called */
    EngineDispatch copy;
    bool finish;
    bool suspend, suspended; /* asked for; reported */
    bool killed;
    EngineStatus status;
    EngineFault fault;
} FakeDispatch;

/* pthread rather than GLib locks: the thread sanitizer knows them. */
struct Engine {
    EngineConfig config;
    TesseraThread *thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    FakeDispatch *all;
    unsigned count, size, running, parked, forgotten, first;
    bool busy, quit, automatic;
};

static Engine *engine;
static unsigned vgprs = 8;

static void lock(void)
{
    pthread_mutex_lock(&engine->lock);
}

static void unlock(void)
{
    pthread_cond_broadcast(&engine->changed);
    pthread_mutex_unlock(&engine->lock);
}

static void wait_change(void)
{
    pthread_cond_wait(&engine->changed, &engine->lock);
}

/* One that is to stop, and one that has stopped runs on no further. */
static FakeDispatch *next_suspended(void)
{
    for (unsigned i = engine->first; i < engine->count; i++) {
        FakeDispatch *fake = &engine->all[i];

        if (fake->live && fake->suspend && !fake->suspended &&
            !fake->killed) {
            return fake;
        }
    }
    return NULL;
}

static FakeDispatch *next_finished(void)
{
    while (engine->first < engine->count && !engine->all[engine->first].live) {
        engine->first++;
    }
    for (unsigned i = engine->first; i < engine->count; i++) {
        FakeDispatch *fake = &engine->all[i];

        if (fake->live && (fake->killed ||
                           (fake->finish && !fake->suspended))) {
            return fake;
        }
    }
    return NULL;
}

static void report_suspended(FakeDispatch *fake)
{
    EngineDispatch *dispatch = fake->live;

    fake->suspended = true;
    engine->busy = true;
    unlock();
    engine->config.ops->suspended(engine->config.opaque, dispatch);
    lock();
    engine->busy = false;
    unlock();
    lock();
}

static void *worker(void *unused)
{
    lock();
    while (!engine->quit) {
        FakeDispatch *fake = engine->parked ? NULL : next_suspended();
        EngineDispatch *dispatch;

        if (fake) {
            report_suspended(fake);
            continue;
        }
        fake = engine->parked ? NULL : next_finished();
        if (!fake) {
            wait_change();
            continue;
        }
        dispatch = fake->live;
        dispatch->status = fake->status;
        dispatch->fault = fake->fault;
        dispatch->counts = (EngineStats){ 10, 640, 1 };
        fake->live = NULL;
        engine->running--;
        engine->busy = true;
        unlock();
        engine->config.ops->done(engine->config.opaque, dispatch);
        lock();
        engine->busy = false;
        unlock();
        lock();
    }
    unlock();
    return NULL;
}

Engine *engine_new(const EngineConfig *config, GError **error)
{
    g_assert_null(engine);
    engine = g_new0(Engine, 1);
    engine->config = *config;
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->changed, NULL);
    engine->thread = config->host->ops->thread_start(
        config->host->opaque, "fake", worker, NULL);
    if (!engine->thread) {
        g_clear_pointer(&engine, g_free);
        g_set_error(error, g_quark_from_static_string("fake"), 0,
                    "no thread for the engine");
    }
    return engine;
}

void engine_free(Engine *e)
{
    g_assert_cmpuint(engine->running, ==, 0);
    g_assert_cmpuint(engine->parked, ==, 0);
    lock();
    engine->quit = true;
    unlock();
    engine->config.host->ops->thread_join(engine->config.host->opaque,
                                          engine->thread);
    pthread_mutex_destroy(&engine->lock);
    pthread_cond_destroy(&engine->changed);
    g_free(engine->all);
    g_clear_pointer(&engine, g_free);
}

void engine_submit(Engine *e, EngineDispatch *dispatch)
{
    lock();
    if (engine->count == engine->size) {
        engine->size = engine->size * 2 + 16;
        engine->all = g_renew(FakeDispatch, engine->all, engine->size);
    }
    engine->all[engine->count++] = (FakeDispatch){
        .live = dispatch,
        .copy = *dispatch,
        .finish = engine->automatic,
        .status = ENGINE_DONE,
    };
    engine->running++;
    unlock();
}

static FakeDispatch *find(EngineDispatch *dispatch)
{
    for (unsigned i = engine->first; i < engine->count; i++) {
        if (engine->all[i].live == dispatch) {
            return &engine->all[i];
        }
    }
    g_assert_not_reached(); /* done() has been called: it is gone */
}

void engine_suspend(Engine *e, EngineDispatch *dispatch)
{
    FakeDispatch *fake;

    lock();
    for (unsigned i = engine->first; i < engine->count; i++) {
        fake = &engine->all[i];
        if (fake->live == dispatch) {
            fake->suspend = true;
        }
    }
    unlock();
}

void engine_continue(Engine *e, EngineDispatch *dispatch)
{
    FakeDispatch *fake;

    lock();
    fake = find(dispatch);
    g_assert_true(fake->suspended);
    fake->suspend = fake->suspended = false;
    unlock();
}

void engine_kill(Engine *e, EngineDispatch *dispatch, TesseraFaultCause cause)
{
    lock();
    for (unsigned i = engine->first; i < engine->count; i++) {
        FakeDispatch *fake = &engine->all[i];

        if (fake->live == dispatch &&
            (!fake->finish || fake->suspended) && !fake->killed) {
            fake->killed = true;
            fake->status = cause ? ENGINE_FAULTED : ENGINE_KILLED;
            fake->fault.cause = cause;
        }
    }
    unlock();
}

bool engine_has_jit(void)
{
    return false;
}

void engine_jit_counts(Engine *e, EngineJitCounts *counts)
{
    *counts = (EngineJitCounts){ 0 };
}

void engine_park(Engine *e)
{
    lock();
    engine->parked++;
    while (engine->busy) {
        wait_change();
    }
    unlock();
}

void engine_unpark(Engine *e)
{
    lock();
    g_assert_cmpuint(engine->parked, >, 0);
    engine->parked--;
    unlock();
}

void engine_forget(Engine *e)
{
    lock();
    g_assert_cmpuint(engine->parked, >, 0);
    engine->forgotten++;
    unlock();
}

void fake_engine_auto(bool automatic)
{
    lock();
    engine->automatic = automatic;
    for (unsigned i = engine->first; automatic && i < engine->count; i++) {
        engine->all[i].finish = true;
    }
    unlock();
}

void fake_engine_again(void)
{
    lock();
    g_assert_cmpuint(engine->running, ==, 0);
    engine->count = engine->first = 0;
    engine->automatic = false;
    unlock();
}

unsigned fake_engine_submitted(void)
{
    unsigned count;

    lock();
    count = engine->count;
    unlock();
    return count;
}

unsigned fake_engine_running(void)
{
    unsigned running;

    lock();
    running = engine->running;
    unlock();
    return running;
}

bool fake_engine_suspended(unsigned n)
{
    bool suspended;

    lock();
    suspended = engine->count > n && engine->all[n].suspended;
    unlock();
    return suspended;
}

unsigned fake_engine_active(void)
{
    unsigned active = 0;

    lock();
    for (unsigned i = engine->first; i < engine->count; i++) {
        active += engine->all[i].live && !engine->all[i].suspended;
    }
    unlock();
    return active;
}

const EngineConfig *fake_engine_config(void)
{
    return &engine->config;
}

unsigned fake_engine_forgotten(void)
{
    unsigned forgotten;

    lock();
    forgotten = engine->forgotten;
    unlock();
    return forgotten;
}

/* With the lock held. */
static FakeDispatch *wait_dispatch(unsigned n)
{
    while (engine->count <= n) {
        wait_change();
    }
    return &engine->all[n];
}

EngineDispatch fake_engine_dispatch(unsigned n)
{
    EngineDispatch copy;

    lock();
    copy = wait_dispatch(n)->copy;
    unlock();
    return copy;
}

void fake_engine_finish(unsigned n)
{
    lock();
    wait_dispatch(n)->finish = true;
    unlock();
}

void fake_engine_fault(unsigned n, const EngineFault *fault)
{
    FakeDispatch *fake;

    lock();
    fake = wait_dispatch(n);
    fake->status = ENGINE_FAULTED;
    fake->fault = *fault;
    fake->finish = true;
    unlock();
}

/* As a worker: busy, so that park waits, and not while parked. */
static EngineDispatch *begin_work(unsigned n)
{
    EngineDispatch *live;

    lock();
    wait_dispatch(n);
    while (engine->parked || engine->busy) {
        wait_change();
    }
    live = engine->all[n].live;
    engine->busy = true;
    unlock();
    g_assert_nonnull(live);
    return live;
}

static void end_work(void)
{
    lock();
    engine->busy = false;
    unlock();
}

void fake_engine_message(unsigned n, uint32_t data)
{
    EngineDispatch *live = begin_work(n);

    engine->config.ops->message(engine->config.opaque, live, data);
    end_work();
}

static TesseraFaultCause store(unsigned n, uint64_t va, uint64_t value,
                               bool report)
{
    EngineDispatch *live = begin_work(n);
    const EngineOwnerOps *ops = engine->config.ops;
    EnginePage page;
    TesseraFaultCause cause = ops->translate(engine->config.opaque, live->vmid,
                                             va, ENGINE_WRITE, &page);

    if (cause == TESSERA_FAULT_NONE) {
        g_assert_true(page.writable);
        __atomic_store_n((uint64_t *)(page.host + va % ENGINE_PAGE), value,
                         __ATOMIC_RELEASE);
        if (report) {
            ops->written(engine->config.opaque, page.vram,
                         page.backing + va % ENGINE_PAGE, 8);
        }
    }
    end_work();
    return cause;
}

TesseraFaultCause fake_engine_store(unsigned n, uint64_t va, uint64_t value)
{
    return store(n, va, value, true);
}

TesseraFaultCause fake_engine_store_quietly(unsigned n, uint64_t va,
                                            uint64_t value)
{
    return store(n, va, value, false);
}

/* ---- an instruction set without instructions ---- */

static unsigned wave_lanes(const TesseraLaunch *launch)
{
    return 64;
}

static unsigned wave_vgprs(const TesseraLaunch *launch)
{
    return vgprs;
}

void fake_isa_vgprs(unsigned n)
{
    vgprs = n;
}

static const TesseraIsaExec exec = { 0 };

static const TesseraIsa isa = {
    .name = "gfx900",
    .number = 90000,
    .lanes = 64,
    .max_vgprs = 256,
    .max_lds = 65536,
    .exec = { [TESSERA_LEVEL_V2] = &exec, [TESSERA_LEVEL_V3] = &exec },
    .wave_lanes = wave_lanes,
    .wave_vgprs = wave_vgprs,
};

const TesseraIsa *tessera_isa_find(const char *name)
{
    return strcmp(name, isa.name) ? NULL : &isa;
}

const TesseraIsa *const tessera_block_isa = &isa;

TesseraHostLevel tessera_host_level(void)
{
    return TESSERA_LEVEL_V3;
}

const char *const tessera_level_names[TESSERA_LEVELS] = { "v2", "v3", "v4" };
