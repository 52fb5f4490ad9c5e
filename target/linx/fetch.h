/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoded code of blocks: a small cache in each worker.  A page is compared
 * with memory before a block uses it again, so code may change between blocks.
 */
#ifndef LINX_FETCH_H
#define LINX_FETCH_H

#include "target/engine/wave.h"
#include "target/linx/access.h"
#include "target/linx/fast/fast.h"
#include "target/linx/perform.h"

/* An instruction with all that is known of it before it runs. */
struct LinxUop {
    LinxFastPlan fast; /* the quick way to do it in a body, if there is one */
    bool (*perform)(LinxContext *x); /* NULL: illegal */
    bool body, scalar; /* where it may stand */
    bool vector;       /* in a body */
    bool reduces;      /* into RO */
    bool access;       /* has a plan */
    bool computes;     /* has compute */
    union {
        LinxAccessPlan plan;
        LinxComputePlan compute;
    };
    LinxInst inst;     /* size 0: it is none */
};

typedef struct LinxPage LinxPage;

/* Where a wave fetches from. */
typedef struct LinxFetch {
    LinxPage *page;  /* the last one; forget it when the wave has left */
    uint64_t serial; /* of the block: pages are compared once for it */
    const LinxFast *fast; /* handlers of the host level, or NULL */
    LinxUop cross;   /* an instruction in two pages */
} LinxFetch;

/*
 * The instruction at @pc.  NULL and *@cause, which may be ENGINE_WAIT (the page
 * is wanted then), if it cannot be read.
 */
const LinxUop *linx_fetch(Wave *wave, LinxFetch *fetch, uint64_t pc,
                          TesseraFaultCause *cause);

/*
 * Copy code from @pc on, @size bytes at most.  Returns how many there are; 0 and
 * *@cause if there are none.  *@cause is ENGINE_WAIT if more may come.
 */
size_t linx_fetch_bytes(Wave *wave, LinxFetch *fetch, uint64_t pc,
                        uint8_t *bytes, size_t size,
                        TesseraFaultCause *cause);

/* TesseraIsaExec.worker_free(). */
void linx_fetch_free(Worker *worker);

#endif
