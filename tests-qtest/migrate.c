/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "migrate.h"

#define HALF (TQ_VRAM_SIZE / 2)
#define MIB (1u << 20)

/* The reply of query-migrate; to be released. */
static QDict *query(QTestState *qts)
{
    return qtest_qmp(qts, "{'execute': 'query-migrate'}");
}

char *tq_migration_status(QTestState *qts)
{
    QDict *r = query(qts);
    char *status = g_strdup(qdict_get_try_str(qdict_get_qdict(r, "return"),
                                              "status"));

    qobject_unref(r);
    return status;
}

/* Bytes that have not been sent, or changed since; all of them at first. */
static uint64_t remaining(QTestState *qts)
{
    QDict *r = query(qts);
    QDict *ram = qdict_get_qdict(qdict_get_qdict(r, "return"), "ram");
    uint64_t bytes = ram ? qdict_get_int(ram, "remaining") : 0;

    qobject_unref(r);
    return bytes ?: UINT64_MAX;
}

static bool has_status(QTestState *qts, const char *wanted)
{
    g_autofree char *status = tq_migration_status(qts);

    return !g_strcmp0(status, wanted);
}

void tq_migration_start(QTestState *qts, const char *uri)
{
    qtest_qmp_assert_success(qts, "{'execute': 'migrate', 'arguments':"
                                  " {'uri': %s}}", uri);
}

char *tq_migration_end(QTestState *qts)
{
    g_assert_true(TQ_POLL(has_status(qts, "completed") ||
                          has_status(qts, "failed")));
    return tq_migration_status(qts);
}

static bool is_running(QTestState *qts)
{
    QDict *r = qtest_qmp(qts, "{'execute': 'query-status'}");
    bool running = qdict_get_bool(qdict_get_qdict(r, "return"), "running");

    qobject_unref(r);
    return running;
}

void tq_wait_running(QTestState *qts)
{
    g_assert_true(TQ_POLL(is_running(qts)));
}

void tq_migration_bandwidth(QTestState *qts, int64_t bytes)
{
    qtest_qmp_assert_success(qts,
        "{'execute': 'migrate-set-parameters', 'arguments':"
        " {'max-bandwidth': %" PRId64 "}}", bytes);
}

void tq_migration_slow(TqGpu *gpu)
{
    qtest_memset(gpu->qts, gpu->vram + HALF, 0x5a, HALF);
    tq_migration_bandwidth(gpu->qts, 10000);
}

/* Large blocks are sent first, and each from its beginning. */
void tq_migration_start_slow(TqGpu *gpu, const char *uri)
{
    tq_migration_slow(gpu);
    tq_migration_bandwidth(gpu->qts, MIB);
    tq_migration_start(gpu->qts, uri);
    g_assert_true(TQ_POLL(remaining(gpu->qts) <= HALF - MIB));
    tq_migration_bandwidth(gpu->qts, 10000);
}

void tq_migration_hurry(QTestState *qts)
{
    tq_migration_bandwidth(qts, 10000000000);
}

/* QEMU has "completed" before the other end of the pipe has stored it all. */
void tq_migration_save(QTestState *qts, const char *file)
{
    g_autofree char *uri = g_strdup_printf(
        "exec:cat >%s.part && mv %s.part %s", file, file, file);
    g_autofree char *status = NULL;

    unlink(file); /* if there is one */
    tq_migration_start(qts, uri);
    status = tq_migration_end(qts);
    g_assert_cmpstr(status, ==, "completed");
    g_assert_true(TQ_POLL(g_file_test(file, G_FILE_TEST_EXISTS)));
}
