/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bench workloads: data, launch shape, arguments and result checks.
 * Whoever runs them, on whatever, runs this same table.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

enum { WL_MAX_BUF = 3, WL_MAX_ARG = 5 };

typedef enum WlArgKind { WL_ARG_BUF, WL_ARG_U32, WL_ARG_F32, WL_ARG_F64 }
    WlArgKind;

/* A kernel argument. */
typedef struct WlArg {
    WlArgKind kind;
    union {
        int buf; /* index into Workload.bytes */
        uint32_t u32;
        float f32;
        double f64;
    };
} WlArg;

typedef enum WlSize { WL_FULL, WL_MEDIUM, WL_TINY } WlSize;

typedef struct Workload {
    const char *name; /* kernel, and base name of its .cl file */
    uint32_t groups[2];
    uint32_t local[2]; /* work-items a work-group */
    uint32_t n, m;     /* problem size, kernel specific */
    int nbuf, nargs;
    size_t bytes[WL_MAX_BUF];
    WlArg arg[WL_MAX_ARG];
    uint64_t moved; /* bytes of buffers read and written once */
} Workload;

extern const char *const wl_names[]; /* NULL at the end */

/* Fill *@w for a kernel; -1 for an unknown name. */
int wl_get(Workload *w, const char *name, WlSize size);

/* Give every buffer its initial contents. */
void wl_init(const Workload *w, void *const buf[]);

/*
 * Compare the outputs of exactly one launch with a computation on the host.
 * @in holds buffers filled by wl_init() and not launched.  NULL when right,
 * else a message that lives until the next call.
 */
const char *wl_check(const Workload *w, void *const in[], void *const out[]);

#endif
