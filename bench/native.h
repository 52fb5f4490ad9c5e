/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bench workloads as plain C. */
#ifndef BENCH_NATIVE_H
#define BENCH_NATIVE_H

#include <stdbool.h>
#include "bench/common/workload.h"

/*
 * Do all of the work of @w on @buf by @threads (1 to 64) threads, of which the
 * caller is one; false if there is no such kernel.
 */
bool native_run(const Workload *w, void *const buf[], unsigned threads);

#endif
