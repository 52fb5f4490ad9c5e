/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "requests.h"
#include "trace-tessera.h"

#define BATCH 64 /* then the main loop has a turn */

struct TesseraRequests {
    TesseraMemMap *map;
    QEMUBH *bh;
    bool running;   /* under the big lock */
    GMutex lock;    /* of the list, and of host[0] of the requests in it */
    GQueue waiting; /* TesseraRequests, the oldest first */
};

/* A request's place in the list; NULL once it has been taken out. */
static GList **link_of(TesseraRequest *req)
{
    return (GList **)&req->host[0];
}

static TesseraRequest *take(TesseraRequests *requests)
{
    TesseraRequest *req;

    g_mutex_lock(&requests->lock);
    req = g_queue_pop_head(&requests->waiting);
    if (req) {
        *link_of(req) = NULL;
    }
    g_mutex_unlock(&requests->lock);
    return req;
}

static void answer(TesseraRequests *requests, TesseraRequest *req)
{
    bool done;

    req->read_only = false;
    trace_tessera_request(req->op, req->bus, req->size);
    if (req->op == TESSERA_REQ_TRANSLATE) {
        done = tessera_memmap_translate(requests->map, req->bus, req->write,
                                        &req->read_only);
    } else {
        done = tessera_memmap_access(requests->map, req->bus, req->size,
                                     req->op == TESSERA_REQ_WRITE, &req->data);
    }
    req->failed = !done;
    req->done(req);
}

/* An access may stop the VM or, by way of a reset, cancel what waits. */
static void answer_some(void *opaque)
{
    TesseraRequests *requests = opaque;

    for (int i = 0; i < BATCH; i++) {
        TesseraRequest *req = requests->running ? take(requests) : NULL;

        if (!req) {
            return;
        }
        answer(requests, req);
    }
    qemu_bh_schedule(requests->bh);
}

TesseraRequests *tessera_requests_new(TesseraMemMap *map, DeviceState *dev)
{
    TesseraRequests *requests = g_new0(TesseraRequests, 1);

    requests->map = map;
    g_mutex_init(&requests->lock);
    g_queue_init(&requests->waiting);
    requests->bh = qemu_bh_new_guarded(answer_some, requests,
                                       &dev->mem_reentrancy_guard);
    return requests;
}

void tessera_requests_free(TesseraRequests *requests)
{
    g_assert(g_queue_is_empty(&requests->waiting));
    qemu_bh_delete(requests->bh);
    g_mutex_clear(&requests->lock);
    g_free(requests);
}

void tessera_requests_submit(TesseraRequests *requests, TesseraRequest *req)
{
    g_mutex_lock(&requests->lock);
    g_queue_push_tail(&requests->waiting, req);
    *link_of(req) = requests->waiting.tail;
    g_mutex_unlock(&requests->lock);
    qemu_bh_schedule(requests->bh);
}

bool tessera_requests_cancel(TesseraRequests *requests, TesseraRequest *req)
{
    bool waiting;

    g_mutex_lock(&requests->lock);
    waiting = *link_of(req);
    if (waiting) {
        g_queue_delete_link(&requests->waiting, *link_of(req));
        *link_of(req) = NULL;
    }
    g_mutex_unlock(&requests->lock);
    return waiting;
}

void tessera_requests_run(TesseraRequests *requests, bool running)
{
    requests->running = running;
    if (running) {
        qemu_bh_schedule(requests->bh);
    }
}
