/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads of a host (TesseraHostOps) that is a test's.
 */
#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include <glib.h>
#include <pthread.h>
#include "tessera/host.h"

struct TesseraThread {
    pthread_t id;
};

static inline TesseraThread *test_thread_start(void *opaque, const char *name,
                                               void *(*fn)(void *), void *arg)
{
    TesseraThread *thread = g_new(TesseraThread, 1);

    g_assert_cmpint(pthread_create(&thread->id, NULL, fn, arg), ==, 0);
    return thread;
}

static inline void test_thread_join(void *opaque, TesseraThread *thread)
{
    pthread_join(thread->id, NULL);
    g_free(thread);
}

#endif
