/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waves that wait for an answer: of the platform's IOMMU, or of another device
 * on the bus.
 *
 * A question outlives its wave if it can neither be taken back nor waited for:
 * it is an orphan then, and whoever answers it frees it.
 */
#include <string.h>
#include "sched.h"
#include "mem.h"

typedef enum AskState {
    ASK_OPEN,
    ASK_ANSWERED,
    ASK_ORPHAN,
} AskState;

typedef struct PostedAsk {
    EngineAsk ask;
    Worker *worker;
    AskState state; /* atomic */
} PostedAsk;

/*
 * Held while an answer arrives, so that neither worker nor question goes away
 * meanwhile.  Of the process, since an orphan may outlive its engine.
 */
static pthread_mutex_t answer_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- for handlers ---- */

const Uop *wave_park(Wave *wave, const Uop *uop)
{
    wave->state = WAVE_ASK;
    wave->park.active = true;
    LEAVE(wave, uop);
}

void wave_unpark(Wave *wave)
{
    WavePark *p = &wave->park;

    p->active = p->wanted = false;
    p->count = 0;
    p->refusal = TESSERA_FAULT_NONE;
}

void wave_want_page(Wave *wave, uint64_t va, EngineAccess access)
{
    WavePark *p = &wave->park;

    p->wanted = true;
    p->op = ENGINE_ASK_TRANSLATE;
    p->va = va;
    p->access = access;
}

TesseraFaultCause park_refusal(const Wave *wave, uint64_t va,
                               EngineAccess access)
{
    const WavePark *p = &wave->park;

    if (p->refusal != TESSERA_FAULT_NONE && p->refused_access == access &&
        p->refused == (va & -(uint64_t)ENGINE_PAGE)) {
        return p->refusal;
    }
    return (TesseraFaultCause)ENGINE_WAIT;
}

/* ---- devices ---- */

/* The largest aligned piece at the beginning of @len bytes. */
static unsigned piece_size(uint64_t bus, unsigned len)
{
    unsigned size = 8;

    while (bus % size || size > len) {
        size /= 2;
    }
    return size;
}

static const ParkPiece *find_piece(const WavePark *p, uint64_t va,
                                   unsigned size, EngineAccess access)
{
    for (unsigned i = 0; i < p->count; i++) {
        const ParkPiece *piece = &p->piece[i];

        if (piece->va == va && piece->size == size &&
            piece->write == (access == ENGINE_WRITE)) {
            return piece;
        }
    }
    return NULL;
}

/* Want one piece; there is room for its answer. */
static TesseraFaultCause want_piece(WavePark *p, uint64_t va, uint64_t bus,
                                    const uint8_t *data, unsigned size,
                                    EngineAccess access)
{
    if (p->count == PARK_PIECES) {
        return TESSERA_FAULT_BUS;
    }
    p->wanted = true;
    p->op = access == ENGINE_WRITE ? ENGINE_ASK_WRITE : ENGINE_ASK_READ;
    p->access = access;
    p->va = va;
    p->bus = bus;
    p->size = size;
    p->data = 0;
    if (access == ENGINE_WRITE) {
        memcpy(&p->data, data, size);
    }
    return (TesseraFaultCause)ENGINE_WAIT;
}

TesseraFaultCause park_device(Wave *wave, uint64_t va, uint64_t bus,
                              uint8_t *data, unsigned len,
                              EngineAccess access, bool ask, uint64_t *bad)
{
    WavePark *p = &wave->park;
    unsigned size;

    if (!ask) {
        return (TesseraFaultCause)ENGINE_WAIT;
    }
    for (; len; va += size, bus += size, data += size, len -= size) {
        const ParkPiece *piece;

        size = piece_size(bus, len);
        piece = find_piece(p, va, size, access);
        *bad = va;
        if (!piece) {
            return want_piece(p, va, bus, data, size, access);
        }
        if (piece->cause != TESSERA_FAULT_NONE) {
            return piece->cause;
        }
        if (access != ENGINE_WRITE) {
            memcpy(data, &piece->data, size);
        }
    }
    return TESSERA_FAULT_NONE;
}

/* ---- questions and answers ---- */

static void keep_answer(WavePark *p, const EngineAsk *ask)
{
    if (ask->op != ENGINE_ASK_TRANSLATE) {
        p->piece[p->count++] = (ParkPiece){
            .va = p->va, .data = ask->data, .size = p->size,
            .write = ask->op == ENGINE_ASK_WRITE, .cause = ask->cause,
        };
    } else if (ask->cause != TESSERA_FAULT_NONE) {
        p->refusal = ask->cause;
        p->refused = p->va & -(uint64_t)ENGINE_PAGE;
        p->refused_access = p->access;
    }
    p->wanted = false;
}

/* From any thread, also from within ask(). */
static void answered(EngineAsk *ask)
{
    PostedAsk *posted = ask->opaque;

    pthread_mutex_lock(&answer_lock);
    if (posted->state == ASK_ORPHAN) {
        g_free(posted);
    } else {
        __atomic_store_n(&posted->state, ASK_ANSWERED, __ATOMIC_RELEASE);
        worker_poke(posted->worker);
    }
    pthread_mutex_unlock(&answer_lock);
}

void park_post(Wave *wave)
{
    WavePark *p = &wave->park;
    const EngineConfig *c = &wave->worker->engine->config;
    PostedAsk *posted;

    if (!p->wanted) {
        wave->state = WAVE_RUN;
        return;
    }
    posted = g_new0(PostedAsk, 1);
    posted->worker = wave->worker;
    posted->ask = (EngineAsk){
        .op = p->op,
        .vmid = wave->asid & ~TLB_VALID,
        .access = p->access,
        .address = p->op == ENGINE_ASK_TRANSLATE ? p->va : p->bus,
        .size = p->size,
        .data = p->data,
        .done = answered,
        .opaque = posted,
    };
    p->posted = posted;
    wave->worker->asks++;
    c->ops->ask(c->opaque, &posted->ask);
}

void park_poll(Wave *wave)
{
    WavePark *p = &wave->park;
    PostedAsk *posted = p->posted;

    if (posted &&
        __atomic_load_n(&posted->state, __ATOMIC_ACQUIRE) != ASK_ANSWERED) {
        return;
    }
    if (posted) {
        /* answered() may still be at it. */
        pthread_mutex_lock(&answer_lock);
        pthread_mutex_unlock(&answer_lock);
        keep_answer(p, &posted->ask);
        p->posted = NULL;
        wave->worker->asks--;
        g_free(posted);
    }
    wave->state = WAVE_RUN;
}

void park_cancel(Wave *wave)
{
    WavePark *p = &wave->park;
    const EngineConfig *c = &wave->worker->engine->config;

    if (p->posted && c->ops->cancel(c->opaque, &p->posted->ask)) {
        g_free(p->posted);
        p->posted = NULL;
        p->wanted = false;
        wave->worker->asks--;
        wave->state = WAVE_RUN;
    }
}

void park_end(Wave *wave)
{
    WavePark *p = &wave->park;

    park_cancel(wave);
    if (p->posted) {
        pthread_mutex_lock(&answer_lock);
        if (p->posted->state == ASK_ANSWERED) {
            g_free(p->posted);
        } else {
            p->posted->state = ASK_ORPHAN;
        }
        pthread_mutex_unlock(&answer_lock);
        p->posted = NULL;
        wave->worker->asks--;
    }
    p->fetching = false;
    wave_unpark(wave);
}
