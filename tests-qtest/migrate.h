/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Migration by QMP, with waits that end when something has happened: how fast
 * a host is decides nothing.
 */
#ifndef TESSERA_QTEST_MIGRATE_H
#define TESSERA_QTEST_MIGRATE_H

#include "tessera-qtest.h"

/* What query-migrate calls the status, or NULL before the first migration. */
char *tq_migration_status(QTestState *qts);

void tq_migration_start(QTestState *qts, const char *uri);

/* Wait until it is "completed" or "failed", which is returned. */
char *tq_migration_end(QTestState *qts);

/* Wait until the VM runs: again, after a migration that failed. */
void tq_wait_running(QTestState *qts);

/* In bytes per second of what is sent before the switch. */
void tq_migration_bandwidth(QTestState *qts, int64_t bytes);

/*
 * Fill the upper half of VRAM, which takes minutes to send at this bandwidth:
 * nothing is over before the test says so.
 */
void tq_migration_slow(TqGpu *gpu);

/*
 * The same, started: on return all memory but the upper half of VRAM has been
 * sent once.
 */
void tq_migration_start_slow(TqGpu *gpu, const char *uri);

/* All that is left at once. */
void tq_migration_hurry(QTestState *qts);

/* Save the VM to @file, which is complete on return; must succeed. */
void tq_migration_save(QTestState *qts, const char *file);

#endif
