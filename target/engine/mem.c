/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory path's slow half: translation, and the list of written pages.
 *
 * A page gets its write tag only when it enters the list, and loses it when
 * the list is reported.  So a store costs nothing extra, and no store after a
 * report goes unreported.
 */
#include <string.h>
#include "sched.h"
#include "mem.h"

static TlbEntry *tlb_entry(Worker *w, uint64_t va)
{
    return &w->tlb[(va / ENGINE_PAGE) % TLB_ENTRIES];
}

static void note_written(Worker *w, uint64_t va, const EnginePage *page)
{
    if (w->written_count == WRITTEN_MAX) {
        worker_report(w);
    }
    w->written[w->written_count++] = (WrittenPage){
        .backing = page->backing, .va = va, .vram = page->vram,
    };
}

uint8_t *mem_miss(Wave *wave, uint64_t va, EngineAccess access,
                  TesseraFaultCause *cause)
{
    Worker *w = wave->worker;
    const EngineConfig *c = &w->engine->config;
    TlbEntry *e = tlb_entry(w, va);
    uint64_t page_va = va & -(uint64_t)ENGINE_PAGE;
    uint64_t tag = page_va | wave->asid;
    EnginePage page;

    *cause = c->ops->translate(c->opaque, wave->asid & ~TLB_VALID, va, access,
                               &page);
    if (*cause != TESSERA_FAULT_NONE) {
        return NULL;
    }
    if (e->rtag != tag) {
        e->wtag = 0;
    }
    e->rtag = tag;
    e->delta = (uint64_t)(uintptr_t)page.host - page_va;
    if (access == ENGINE_WRITE) {
        note_written(w, page_va, &page);
        e->wtag = tag;
    }
    return (uint8_t *)(uintptr_t)(e->delta + va);
}

TesseraFaultCause mem_copy(Wave *wave, uint64_t va, void *data, unsigned len,
                           EngineAccess access, uint64_t *bad)
{
    uint8_t *p = data;

    while (len) {
        unsigned n = MIN(len, mem_room(va));
        TesseraFaultCause cause = TESSERA_FAULT_NONE;
        uint8_t *host = mem_ptr(wave, va, access, &cause);

        if (!host) {
            *bad = va;
            return cause;
        }
        if (access == ENGINE_WRITE) {
            memcpy(host, p, n);
        } else {
            memcpy(p, host, n);
        }
        va += n;
        p += n;
        len -= n;
    }
    return TESSERA_FAULT_NONE;
}

void worker_report(Worker *w)
{
    const EngineConfig *c = &w->engine->config;
    unsigned count = w->written_count, i, n;

    w->written_count = 0;
    for (i = 0; i < count; i++) {
        tlb_entry(w, w->written[i].va)->wtag = 0;
    }
    for (i = 0; i < count; i += n) {
        const WrittenPage *first = &w->written[i];

        for (n = 1; i + n < count && first[n].vram == first->vram &&
                    first[n].backing == first->backing + n * ENGINE_PAGE;
             n++) {
        }
        c->ops->written(c->opaque, first->vram, first->backing,
                        (uint64_t)n * ENGINE_PAGE);
    }
}

void worker_flush_tlb(Worker *w)
{
    memset(w->tlb, 0, sizeof(w->tlb));
}
