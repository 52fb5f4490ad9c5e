/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include "target/engine/jit.h"
#include "wave-jit.h"

struct TesseraThread {
    GThread *thread;
};

static TesseraThread *jit_thread(void *opaque, const char *name,
                                 void *(*fn)(void *), void *arg)
{
    TesseraThread *t = g_new0(TesseraThread, 1);

    t->thread = g_thread_new(name, fn, arg);
    return t;
}

static void jit_join(void *opaque, TesseraThread *thread)
{
    g_thread_join(thread->thread);
    g_free(thread);
}

static void jit_log(void *opaque, TesseraLogLevel level, const char *text)
{
    g_test_message("%s", text);
}

static const TesseraHostOps jit_ops = {
    .log = jit_log,
    .thread_start = jit_thread,
    .thread_join = jit_join,
};
static const TesseraHost jit_host = { .ops = &jit_ops };

static bool forbidden;

void wave_jit_allow(bool allow)
{
    forbidden = !allow;
}

void wave_jit_start(Engine *engine)
{
    if (!forbidden && g_strcmp0(g_getenv("TESSERA_JIT"), "now") == 0) {
        g_assert_true(engine_has_jit());
        engine->config.jit = TESSERA_JIT_NOW;
        engine->config.host = &jit_host;
        engine->jit = jit_new(&engine->config);
    }
}

void wave_jit_stop(Engine *engine, Worker *worker)
{
    EngineJitCounts counts;

    if (!engine->jit) {
        return;
    }
    if (worker->jit_left) {
        jit_leave(worker);
    }
    jit_counts(engine->jit, &counts);
    g_test_message("%u pages compiled", (unsigned)counts.pages);
    g_assert_cmpuint(counts.failures, ==, 0);
    jit_free(engine->jit);
    engine->jit = NULL;
}
