/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "linx-stage.h"
#include "target/linx/isa.h"
#include "threads.h"
#include "toy-isa.h"
#include "tools/linx-asm.h"

/* ---- host and owner ---- */

static uint64_t page_number(uint64_t address)
{
    return (address - LINX_STAGE_BASE) / ENGINE_PAGE;
}

static LinxStagePage page_at(LinxStage *stage, uint64_t address)
{
    uint64_t n = page_number(address);
    LinxStagePage page;

    if (address < LINX_STAGE_BASE || n >= LINX_STAGE_PAGES) {
        return LINX_STAGE_HOLE;
    }
    pthread_mutex_lock(&stage->lock);
    page = stage->page[n];
    pthread_mutex_unlock(&stage->lock);
    return page;
}

static TesseraFaultCause stage_translate(void *opaque, unsigned vmid,
                                         uint64_t va, EngineAccess access,
                                         EnginePage *page)
{
    LinxStage *stage = opaque;
    uint64_t at = va & -(uint64_t)ENGINE_PAGE;

    *page = (EnginePage){ .backing = at };
    switch (page_at(stage, va)) {
    case LINX_STAGE_HOLE:
        return TESSERA_FAULT_UNMAPPED;
    case LINX_STAGE_READ_ONLY:
        if (access == ENGINE_WRITE) {
            return TESSERA_FAULT_READ_ONLY;
        }
        break;
    case LINX_STAGE_NO_CODE:
        if (access == ENGINE_FETCH) {
            return TESSERA_FAULT_NO_EXECUTE;
        }
        break;
    case LINX_STAGE_DEVICE:
        return (TesseraFaultCause)ENGINE_DEVICE;
    case LINX_STAGE_UNKNOWN:
        return (TesseraFaultCause)ENGINE_WAIT;
    default:
        break;
    }
    page->host = linx_stage_at(stage, at);
    page->writable = true;
    return TESSERA_FAULT_NONE;
}

static void stage_written(void *opaque, bool vram, uint64_t backing,
                          uint64_t len)
{
    LinxStage *stage = opaque;

    pthread_mutex_lock(&stage->lock);
    for (uint64_t i = 0; i < len; i += ENGINE_PAGE) {
        stage->written[page_number(backing + i)] = 1;
    }
    pthread_mutex_unlock(&stage->lock);
}

static void count(LinxStage *stage, unsigned *what)
{
    pthread_mutex_lock(&stage->lock);
    ++*what;
    pthread_cond_broadcast(&stage->changed);
    pthread_mutex_unlock(&stage->lock);
}

static void stage_done(void *opaque, EngineDispatch *dispatch)
{
    LinxStage *stage = opaque;

    count(stage, &stage->done);
}

static void stage_suspended(void *opaque, EngineDispatch *dispatch)
{
    LinxStage *stage = opaque;

    count(stage, &stage->suspended);
}

static uint64_t stage_clock(void *opaque)
{
    return 1234;
}

/* With the lock held: do what is asked. */
static void answer(LinxStage *stage, EngineAsk *ask)
{
    if (ask->op == ENGINE_ASK_TRANSLATE) {
        stage->page[page_number(ask->address)] = LINX_STAGE_RAM;
    } else {
        void *at = linx_stage_at(stage, ask->address);
        bool write = ask->op == ENGINE_ASK_WRITE;
        LinxStageAccess access;

        if (!write) {
            ask->data = 0;
        }
        memcpy(write ? at : (void *)&ask->data,
               write ? (void *)&ask->data : at, ask->size);
        access = (LinxStageAccess){
            write, ask->address, ask->size, ask->data
        };
        g_array_append_val(stage->accesses, access);
    }
    ask->cause = TESSERA_FAULT_NONE;
}

static void stage_ask(void *opaque, EngineAsk *ask)
{
    LinxStage *stage = opaque;
    bool late;

    pthread_mutex_lock(&stage->lock);
    late = stage->late;
    if (late) {
        g_ptr_array_add(stage->asks, ask);
        pthread_cond_broadcast(&stage->changed);
    } else {
        answer(stage, ask);
    }
    pthread_mutex_unlock(&stage->lock);
    if (!late) {
        ask->done(ask);
    }
}

static bool stage_cancel(void *opaque, EngineAsk *ask)
{
    LinxStage *stage = opaque;
    bool found;

    pthread_mutex_lock(&stage->lock);
    found = g_ptr_array_remove(stage->asks, ask);
    pthread_mutex_unlock(&stage->lock);
    return found;
}

static const TesseraHostOps host_ops = {
    .thread_start = test_thread_start,
    .thread_join = test_thread_join,
};

static const EngineOwnerOps owner_ops = {
    .translate = stage_translate,
    .written = stage_written,
    .done = stage_done,
    .suspended = stage_suspended,
    .clock = stage_clock,
    .ask = stage_ask,
    .cancel = stage_cancel,
};

/* ---- ---- */

LinxStage *linx_stage_new(unsigned workers)
{
    LinxStage *stage = g_new0(LinxStage, 1);
    EngineConfig config = {
        .isa = &toy_isa,
        .stream_isa = &linx_isa,
        .stream_level = tessera_host_best(),
        .workers = workers,
        .host = &stage->host,
        .ops = &owner_ops,
        .opaque = stage,
    };

    stage->host.ops = &host_ops;
    stage->memory = g_aligned_alloc0(LINX_STAGE_PAGES, ENGINE_PAGE,
                                     ENGINE_PAGE);
    stage->accesses = g_array_new(false, false, sizeof(LinxStageAccess));
    stage->asks = g_ptr_array_new();
    pthread_mutex_init(&stage->lock, NULL);
    pthread_cond_init(&stage->changed, NULL);
    stage->engine = engine_new(&config, NULL);
    g_assert_nonnull(stage->engine);
    return stage;
}

void linx_stage_free(LinxStage *stage)
{
    engine_free(stage->engine);
    pthread_mutex_destroy(&stage->lock);
    pthread_cond_destroy(&stage->changed);
    g_ptr_array_free(stage->asks, true);
    g_array_free(stage->accesses, true);
    g_aligned_free(stage->memory);
    g_free(stage);
}

void linx_stage_set_page(LinxStage *stage, uint64_t address,
                         LinxStagePage page)
{
    stage->page[page_number(address)] = page;
}

void linx_stage_load(LinxStage *stage, uint64_t address, const char *source)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source("stage", source, &error);

    g_assert_no_error(error);
    memcpy(linx_stage_at(stage, address), code->data, code->len);
}

void linx_stage_start(LinxStage *stage, uint64_t pc)
{
    memset(stage->written, 0, sizeof(stage->written));
    stage->done = stage->suspended = 0;
    stage->dispatch = (EngineDispatch){
        .launch = { .entry = pc, .blocks = &stage->blocks },
        .stream = true,
        .stats = true,
    };
    engine_submit(stage->engine, &stage->dispatch);
}

void linx_stage_wait(LinxStage *stage)
{
    pthread_mutex_lock(&stage->lock);
    while (!stage->done) {
        pthread_cond_wait(&stage->changed, &stage->lock);
    }
    pthread_mutex_unlock(&stage->lock);
}

EngineStatus linx_stage_run(LinxStage *stage, uint64_t pc)
{
    linx_stage_start(stage, pc);
    linx_stage_wait(stage);
    return stage->dispatch.status;
}

void linx_stage_wait_asks(LinxStage *stage, unsigned count)
{
    pthread_mutex_lock(&stage->lock);
    while (stage->asks->len < count) {
        pthread_cond_wait(&stage->changed, &stage->lock);
    }
    pthread_mutex_unlock(&stage->lock);
}

void linx_stage_answer(LinxStage *stage)
{
    g_autoptr(GPtrArray) asks = NULL;

    pthread_mutex_lock(&stage->lock);
    asks = stage->asks;
    stage->asks = g_ptr_array_new();
    for (unsigned i = 0; i < asks->len; i++) {
        answer(stage, g_ptr_array_index(asks, i));
    }
    pthread_mutex_unlock(&stage->lock);
    for (unsigned i = 0; i < asks->len; i++) {
        EngineAsk *ask = g_ptr_array_index(asks, i);

        ask->done(ask);
    }
}
