/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <time.h>
#include "linx-rig.h"
#include "target/linx/isa.h"
#include "threads.h"

struct LinxRig {
    LinxRigConfig config;
    Engine *engine;
    TesseraHost host;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool done;
};

/* Pages of the same stretch that follow each other, here and there. */
static void tell_more(const LinxRigConfig *c, uint64_t va, EnginePage *page)
{
    uint64_t first = va & -(uint64_t)ENGINE_STRETCH, at;
    bool writable;

    for (at = va; at > first &&
         c->find(c->opaque, at - ENGINE_PAGE, &writable) ==
         page->host - (va - at) - ENGINE_PAGE &&
         writable == page->writable; at -= ENGINE_PAGE) {
        page->before += ENGINE_PAGE;
    }
    for (at = va + ENGINE_PAGE; at < first + ENGINE_STRETCH &&
         c->find(c->opaque, at, &writable) == page->host + (at - va) &&
         writable == page->writable; at += ENGINE_PAGE) {
        page->after += ENGINE_PAGE;
    }
}

static TesseraFaultCause rig_translate(void *opaque, unsigned vmid,
                                       uint64_t va, EngineAccess access,
                                       EnginePage *page)
{
    const LinxRigConfig *c = &((LinxRig *)opaque)->config;
    bool writable = false;
    uint8_t *host;

    va -= va % ENGINE_PAGE;
    host = c->find(c->opaque, va, &writable);

    g_assert_cmpuint(vmid, ==, LINX_RIG_VMID);
    if (!host) {
        bool device = c->is_device && c->is_device(c->opaque, va);

        page->backing = va;
        return device ? (TesseraFaultCause)ENGINE_DEVICE :
               TESSERA_FAULT_UNMAPPED;
    }
    if (access == ENGINE_WRITE && !writable) {
        return TESSERA_FAULT_READ_ONLY;
    }
    *page = (EnginePage){ .host = host, .writable = writable, .backing = va };
    tell_more(c, va, page);
    return TESSERA_FAULT_NONE;
}

static void rig_written(void *opaque, bool vram, uint64_t backing,
                        uint64_t len)
{
}

static void rig_done(void *opaque, EngineDispatch *dispatch)
{
    LinxRig *rig = opaque;

    pthread_mutex_lock(&rig->lock);
    rig->done = true;
    pthread_cond_signal(&rig->over);
    pthread_mutex_unlock(&rig->lock);
}

static void rig_suspended(void *opaque, EngineDispatch *dispatch)
{
    g_assert_not_reached(); /* nobody asks for it */
}

static uint64_t rig_clock(void *opaque)
{
    return 0x123456789abc; /* linx-lanes.c has the same */
}

static void rig_hazard(void *opaque, EngineDispatch *dispatch,
                       const EngineHazard *hazard)
{
    LinxRig *rig = opaque;

    pthread_mutex_lock(&rig->lock);
    rig->config.hazard(rig->config.opaque, hazard);
    pthread_mutex_unlock(&rig->lock);
}

/* Devices answer at once. */
static void rig_ask(void *opaque, EngineAsk *ask)
{
    LinxRig *rig = opaque;

    ask->cause = TESSERA_FAULT_NONE;
    if (ask->op != ENGINE_ASK_TRANSLATE) {
        pthread_mutex_lock(&rig->lock);
        rig->config.access(rig->config.opaque, ask->address, ask->size,
                           ask->op == ENGINE_ASK_WRITE, &ask->data);
        pthread_mutex_unlock(&rig->lock);
    }
    ask->done(ask);
}

static bool rig_cancel(void *opaque, EngineAsk *ask)
{
    return false; /* it has been done */
}

LinxRig *linx_rig_new(const LinxRigConfig *config)
{
    static const EngineOwnerOps ops = {
        .translate = rig_translate, .written = rig_written,
        .done = rig_done, .suspended = rig_suspended, .clock = rig_clock,
        .hazard = rig_hazard, .ask = rig_ask, .cancel = rig_cancel,
    };
    static const TesseraHostOps host_ops = {
        .thread_start = test_thread_start, .thread_join = test_thread_join,
    };
    LinxRig *rig = g_new0(LinxRig, 1);
    EngineConfig engine = {
        .isa = &linx_isa, .stream_isa = &linx_isa,
        .stream_level = config->level,
        .workers = config->workers, .host = &rig->host, .ops = &ops,
        .opaque = rig,
    };

    rig->config = *config;
    rig->host.ops = &host_ops;
    pthread_mutex_init(&rig->lock, NULL);
    pthread_cond_init(&rig->over, NULL);
    rig->engine = engine_new(&engine, NULL);
    g_assert_nonnull(rig->engine);
    return rig;
}

void linx_rig_free(LinxRig *rig)
{
    engine_free(rig->engine);
    pthread_cond_destroy(&rig->over);
    pthread_mutex_destroy(&rig->lock);
    g_free(rig);
}

/* Is it over by then? */
static bool await(LinxRig *rig, unsigned milliseconds)
{
    struct timespec end;
    int error = 0;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&rig->lock);
    while (!rig->done && !error) {
        error = milliseconds ? pthread_cond_timedwait(&rig->over, &rig->lock,
                                                      &end) :
                pthread_cond_wait(&rig->over, &rig->lock);
    }
    pthread_mutex_unlock(&rig->lock);
    return !error;
}

EngineStatus linx_rig_run(LinxRig *rig, uint64_t pc, TesseraBlocks *blocks,
                          unsigned milliseconds, EngineFault *fault)
{
    EngineDispatch dispatch = {
        .launch = { .entry = pc, .blocks = blocks },
        .vmid = LINX_RIG_VMID,
        .stream = true,
        .strict = rig->config.hazard,
    };

    rig->done = false;
    engine_submit(rig->engine, &dispatch);
    if (!await(rig, milliseconds)) {
        engine_kill(rig->engine, &dispatch, TESSERA_FAULT_NONE);
        await(rig, 0);
    }
    *fault = dispatch.fault;
    return dispatch.status;
}
