/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>
#include "target/engine/mem.h"
#include "target/linx/decode.h"
#include "target/linx/fetch.h"
#include "target/linx/perform.h"

enum { SETS = 8, WAYS = 2, SLOTS = ENGINE_PAGE / 2 };

struct LinxPage {
    uint64_t va, asid; /* asid 0: free */
    uint64_t serial;   /* of the block that it was compared for */
    uint32_t epoch;    /* of the worker, then */
    uint32_t used;
    uint16_t index[SLOTS]; /* of an instruction in uops, from 1; 0: unknown */
    uint16_t count, size;  /* of uops */
    LinxUop *uops;
    uint8_t bytes[ENGINE_PAGE];
};

typedef struct LinxCode {
    LinxPage page[SETS][WAYS];
    uint32_t clock;
} LinxCode;

/* ---- decoding ---- */

static bool is_access(unsigned group)
{
    switch (group) {
    case LINX_G_V_ATOMIC_LOAD:
    case LINX_G_V_ATOMIC_STORE:
    case LINX_G_V_LOAD:
    case LINX_G_V_LOAD_BRG:
    case LINX_G_V_LOAD_BRG_IMM:
    case LINX_G_V_LOAD_IMM:
    case LINX_G_V_STORE:
    case LINX_G_V_STORE_BRG:
    case LINX_G_V_STORE_BRG_IMM:
    case LINX_G_V_STORE_IMM:
    case LINX_G_S32_LOAD:
    case LINX_G_S32_STORE:
        return true;
    default:
        return false;
    }
}

static void decode(const LinxFast *fast, const uint8_t *bytes, size_t count,
                   LinxUop *uop)
{
    LinxInst *inst = &uop->inst;
    unsigned group;

    memset(uop, 0, sizeof(*uop));
    if (!linx_decode(bytes, count, inst)) {
        inst->size = 0;
        return;
    }
    group = linx_rows[inst->op].group;
    uop->perform = linx_meanings[inst->op].perform;
    uop->body = inst->size != 2 || group == LINX_G_TERM ||
                group == LINX_G_HDR_START;
    uop->scalar = inst->size == 4;
    uop->vector = linx_is_vector(inst);
    uop->reduces = group == LINX_G_V_REDUCE &&
                   linx_number(inst->field[LINX_F_RegDst]) <= LINX_RO_LAST;
    uop->access = is_access(group);
    if (uop->access) {
        linx_plan_access(inst, &uop->plan);
    }
    uop->computes = uop->perform == linx_compute;
    if (uop->computes) {
        linx_plan_compute(inst, &uop->compute);
    }
    if (fast) {
        linx_fast_plan(fast, uop);
    }
}

/* ---- pages ---- */

static LinxPage *page_of(Worker *w, uint64_t va, uint64_t asid)
{
    LinxCode *code = w->stream_code;
    LinxPage *set, *best;

    if (!code) {
        w->stream_code = code = g_new0(LinxCode, 1);
    }
    set = best = code->page[va / ENGINE_PAGE % SETS];
    for (unsigned i = 0; i < WAYS; i++) {
        if (set[i].va == va && set[i].asid == asid) {
            best = &set[i];
            break;
        }
        if (set[i].used < best->used) {
            best = &set[i];
        }
    }
    if (best->va != va || best->asid != asid) {
        best->asid = 0;
        best->va = va;
    }
    best->used = ++code->clock;
    return best;
}

/* Bring the page up to date with memory. */
static bool refresh(Wave *wave, LinxPage *page, uint64_t serial,
                    TesseraFaultCause *cause)
{
    const uint8_t *host = wave_code_page(wave, page->va, cause);

    if (!host) {
        if (*cause == (TesseraFaultCause)ENGINE_WAIT) {
            wave_want_page(wave, page->va, ENGINE_FETCH);
        }
        return false;
    }
    page->serial = serial;
    page->epoch = wave->worker->epoch;
    if (page->asid != wave->asid ||
        !mem_same(host, page->bytes, ENGINE_PAGE)) {
        page->asid = wave->asid;
        mem_get(page->bytes, host, ENGINE_PAGE);
        memset(page->index, 0, sizeof(page->index));
        page->count = 0;
    }
    return true;
}

static bool find_page(Wave *wave, LinxFetch *fetch, uint64_t va,
                      TesseraFaultCause *cause)
{
    LinxPage *page = page_of(wave->worker, va, wave->asid);

    if ((page->asid != wave->asid || page->serial != fetch->serial ||
         page->epoch != wave->worker->epoch) &&
        !refresh(wave, page, fetch->serial, cause)) {
        fetch->page = NULL;
        return false;
    }
    fetch->page = page;
    return true;
}

static LinxUop *new_uop(LinxPage *page)
{
    if (page->count == page->size) {
        page->size = page->size ? page->size * 2 : 16;
        page->uops = g_renew(LinxUop, page->uops, page->size);
    }
    return &page->uops[page->count++];
}

/* The instruction reaches into the next page: it is not kept. */
static const LinxUop *fetch_cross(Wave *wave, LinxFetch *fetch, uint64_t pc,
                                  TesseraFaultCause *cause)
{
    uint8_t bytes[LINX_MAX_BYTES];
    unsigned size = linx_length(fetch->page->bytes[pc % ENGINE_PAGE] |
                                fetch->page->bytes[pc % ENGINE_PAGE + 1] << 8);

    if (linx_fetch_bytes(wave, fetch, pc, bytes, size, cause) < size) {
        return NULL;
    }
    decode(fetch->fast, bytes, size, &fetch->cross);
    return &fetch->cross;
}

const LinxUop *linx_fetch(Wave *wave, LinxFetch *fetch, uint64_t pc,
                          TesseraFaultCause *cause)
{
    uint64_t va = pc & -(uint64_t)ENGINE_PAGE;
    unsigned at = pc % ENGINE_PAGE;
    LinxPage *page = fetch->page;
    LinxUop *uop;

    if (!page || page->va != va) {
        if (!find_page(wave, fetch, va, cause)) {
            return NULL;
        }
        page = fetch->page;
    }
    if (likely(page->index[at / 2])) {
        return &page->uops[page->index[at / 2] - 1];
    }
    if (at + linx_length(page->bytes[at] | page->bytes[at + 1] << 8) >
        ENGINE_PAGE) {
        return fetch_cross(wave, fetch, pc, cause);
    }
    uop = new_uop(page);
    decode(fetch->fast, page->bytes + at, ENGINE_PAGE - at, uop);
    page->index[at / 2] = page->count;
    return uop;
}

size_t linx_fetch_bytes(Wave *wave, LinxFetch *fetch, uint64_t pc,
                        uint8_t *bytes, size_t size,
                        TesseraFaultCause *cause)
{
    size_t count = 0;

    while (count < size) {
        uint64_t at = pc + count;
        size_t n = MIN(size - count, mem_room(at));

        if (!find_page(wave, fetch, at & -(uint64_t)ENGINE_PAGE, cause)) {
            return count;
        }
        memcpy(bytes + count, fetch->page->bytes + at % ENGINE_PAGE, n);
        count += n;
    }
    *cause = TESSERA_FAULT_NONE;
    return count;
}

void linx_fetch_free(Worker *w)
{
    LinxCode *code = w->stream_code;

    for (unsigned i = 0; code && i < SETS * WAYS; i++) {
        g_free(code->page[i / WAYS][i % WAYS].uops);
    }
    g_free(code);
    w->stream_code = NULL;
}
