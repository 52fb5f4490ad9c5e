/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <glib.h>
#include "target/engine/jit.h"
#include "threads.h"
#include "wave-jit.h"

static void jit_log(void *opaque, TesseraLogLevel level, const char *text)
{
    g_test_message("%s", text);
}

static const TesseraHostOps jit_ops = {
    .log = jit_log,
    .thread_start = test_thread_start,
    .thread_join = test_thread_join,
};
static const TesseraHost jit_host = { .ops = &jit_ops };

static bool forbidden;

void wave_jit_allow(bool allow)
{
    forbidden = !allow;
}

unsigned wave_jit_setting(const char *name, unsigned otherwise)
{
    const char *value = g_getenv(name);

    return value ? (unsigned)strtoul(value, NULL, 0) : otherwise;
}

void wave_jit_start(Engine *engine)
{
    GError *error = NULL;

    if (!forbidden) {
        engine->config.host = &jit_host;
        jit_new(&engine->config, &engine->jit, &error);
        g_assert_no_error(error);
    }
}

void wave_jit_check(Engine *engine, unsigned pages, unsigned instructions)
{
    EngineJitCounts counts;

    g_assert_nonnull(engine->jit);
    jit_counts(engine->jit, &counts);
    g_test_message("%u instructions compiled", (unsigned)counts.instructions);
    g_assert_cmpuint(counts.pages, >=, pages);
    g_assert_cmpuint(counts.instructions, >=, instructions);
}

void wave_jit_leave(Worker *worker)
{
    if (worker->jit_left) {
        jit_leave(worker);
    }
}

void wave_jit_stop(Engine *engine, Worker *worker)
{
    EngineJitCounts counts;

    if (!engine->jit) {
        return;
    }
    wave_jit_leave(worker);
    jit_counts(engine->jit, &counts);
    g_test_message("%u pages compiled", (unsigned)counts.pages);
    g_assert_cmpuint(counts.failures, ==, 0);
    jit_free(engine->jit);
    engine->jit = NULL;
}
