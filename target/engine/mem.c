/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory path's slow half: translation, and the list of written pages.
 *
 * A page gets its write tag only when it enters the list, and loses it when
 * the list is reported.  So a store costs nothing extra, and no store after a
 * report goes unreported.
 */
#include <string.h>
#include "lanes.h"
#include "late.h"
#include "sched.h"
#include "mem.h"

static TlbEntry *tlb_entry(Worker *w, uint64_t va)
{
    return &w->tlb[tlb_index(va)];
}

/* Before more is written, the list of written pages has to be reported. */
static bool must_report(const Worker *w)
{
    return w->written_count == WRITTEN_MAX;
}

static void note_written(Worker *w, uint64_t va, const EnginePage *page)
{
    unsigned csr;

    if (unlikely(must_report(w))) {
        csr = _mm_getcsr();
        _mm_setcsr(MXCSR_DEFAULT);
        worker_report(w);
        _mm_setcsr(csr);
    }
    w->written[w->written_count++] = (WrittenPage){
        .backing = page->backing, .va = va, .vram = page->vram,
    };
}

/* ---- more than a page ---- */

static StretchEntry *stretch_entry(Worker *w, uint64_t va)
{
    return &w->stretch[stretch_index(va)];
}

/* What an earlier answer says of the page at @va; false if nothing. */
static bool stretch_find(Wave *wave, uint64_t va, EngineAccess access,
                         EnginePage *page)
{
    const StretchEntry *e = stretch_entry(wave->worker, va);
    uint32_t at = va & (ENGINE_STRETCH - 1) & -(uint32_t)ENGINE_PAGE;

    if (e->tag != stretch_tag(wave, va) || at - e->first >= e->size ||
        access == ENGINE_FETCH || (access == ENGINE_WRITE && !e->writable)) {
        return false;
    }
    *page = (EnginePage){
        .host = e->host + at,
        .writable = e->writable,
        .vram = e->vram,
        .backing = e->backing + at,
    };
    return true;
}

static void stretch_keep(Wave *wave, uint64_t va, EngineAccess access,
                         const EnginePage *page)
{
    uint32_t at = va & (ENGINE_STRETCH - 1) & -(uint32_t)ENGINE_PAGE;

    if (access == ENGINE_FETCH || page->before + page->after == 0) {
        return;
    }
    *stretch_entry(wave->worker, va) = (StretchEntry){
        .tag = stretch_tag(wave, va),
        .first = at - page->before,
        .size = page->before + ENGINE_PAGE + page->after,
        .host = page->host - at,
        .backing = page->backing - at,
        .writable = page->writable,
        .vram = page->vram,
    };
}

uint8_t *mem_far(const Wave *wave, uint64_t va)
{
    return mem_hit_far(wave, va);
}

/* ---- translation ---- */

/*
 * While a wave runs, the host's float environment is the wave's; the owner gets
 * the usual one.
 */
static TesseraFaultCause ask_owner(Wave *wave, uint64_t va,
                                   EngineAccess access, EnginePage *page)
{
    const EngineConfig *c = &wave->worker->engine->config;
    unsigned csr = _mm_getcsr();
    TesseraFaultCause cause;

    page->before = page->after = 0;
    _mm_setcsr(MXCSR_DEFAULT);
    cause = c->ops->translate(c->opaque, wave->asid & ~TLB_VALID, va, access,
                              page);
    _mm_setcsr(csr);
    if (cause == TESSERA_FAULT_NONE) {
        stretch_keep(wave, va, access, page);
    }
    return cause == (TesseraFaultCause)ENGINE_WAIT
               ? park_refusal(wave, va, access) : cause;
}

TesseraFaultCause mem_translate(Wave *wave, uint64_t va, EngineAccess access,
                                EnginePage *page)
{
    TesseraFaultCause cause = TESSERA_FAULT_NONE;

    if (!stretch_find(wave, va, access, page)) {
        cause = ask_owner(wave, va, access, page);
    }
    if (cause == TESSERA_FAULT_NONE && access == ENGINE_WRITE) {
        note_written(wave->worker, va & -(uint64_t)ENGINE_PAGE, page);
    }
    return cause;
}

/* Enter the page of @va in the TLB. */
static TlbEntry *enter(Wave *wave, uint64_t va, EngineAccess access,
                       const EnginePage *page)
{
    TlbEntry *e = tlb_entry(wave->worker, va);
    uint64_t tag = tlb_tag(wave, va);

    if (e->rtag != tag) {
        e->wtag = 0;
    }
    e->rtag = tag;
    e->delta = (uint64_t)(uintptr_t)page->host -
               (va & -(uint64_t)ENGINE_PAGE);
    if (access == ENGINE_WRITE) {
        e->wtag = tag;
    }
    return e;
}

/*
 * To report would be too early where a page was found to be in the list that is
 * going to be written to.
 */
bool mem_refill(Wave *wave, uint64_t va, EngineAccess access)
{
    EnginePage page;

    if (mem_hit(wave, va, access) || !stretch_find(wave, va, access, &page) ||
        (access == ENGINE_WRITE && must_report(wave->worker))) {
        return false;
    }
    if (access == ENGINE_WRITE) {
        note_written(wave->worker, va & -(uint64_t)ENGINE_PAGE, &page);
    }
    enter(wave, va, access, &page);
    return true;
}

/* Host address of @va, or bus address of what is there instead. */
static TesseraFaultCause find(Wave *wave, uint64_t va, EngineAccess access,
                              uint8_t **host, uint64_t *bus)
{
    EnginePage page;
    TesseraFaultCause cause = mem_translate(wave, va, access, &page);

    *host = NULL;
    if (cause != TESSERA_FAULT_NONE) {
        *bus = page.backing + va % ENGINE_PAGE;
        return cause;
    }
    *host = (uint8_t *)(uintptr_t)(enter(wave, va, access, &page)->delta + va);
    return cause;
}

uint8_t *mem_miss(Wave *wave, uint64_t va, EngineAccess access,
                  TesseraFaultCause *cause)
{
    uint8_t *host;
    uint64_t bus;

    *cause = find(wave, va, access, &host, &bus);
    return host;
}

/* ---- bytes anywhere ---- */

/* Bytes in one page. */
typedef struct Part {
    uint64_t va;
    unsigned len;
    uint8_t *host; /* or NULL: */
    uint64_t bus;
} Part;

#define PARTS (2 * MEM_SPANS)

/* Find all parts.  If one of them has to be asked for, it is wanted. */
static TesseraFaultCause find_parts(Wave *wave, Part *part, unsigned count,
                                    EngineAccess access, bool ask,
                                    uint64_t *bad)
{
    for (unsigned i = 0; i < count; i++) {
        TesseraFaultCause cause = TESSERA_FAULT_NONE;

        part[i].host = mem_hit(wave, part[i].va, access);
        if (!part[i].host) {
            cause = find(wave, part[i].va, access, &part[i].host,
                         &part[i].bus);
        }
        *bad = part[i].va;
        if (cause == (TesseraFaultCause)ENGINE_WAIT && ask) {
            wave_want_page(wave, part[i].va, access);
        }
        if (cause != TESSERA_FAULT_NONE &&
            cause != (TesseraFaultCause)ENGINE_DEVICE) {
            return cause;
        }
    }
    return TESSERA_FAULT_NONE;
}

static unsigned parts_of(const MemSpan *span, unsigned count, Part *part)
{
    unsigned n = 0;

    for (unsigned i = 0; i < count && i < MEM_SPANS; i++) {
        uint64_t va = span[i].va;
        unsigned first = MIN(span[i].len, mem_room(va));

        if (first) {
            part[n++] = (Part){ .va = va, .len = first };
        }
        if (first < span[i].len) {
            part[n++] = (Part){ .va = va + first, .len = span[i].len - first };
        }
    }
    return n;
}

TesseraFaultCause mem_move(Wave *wave, const MemSpan *span, unsigned count,
                           void *data, EngineAccess access, bool ask,
                           uint64_t *bad)
{
    const Worker *w = wave->worker;
    Part part[PARTS];
    unsigned n = parts_of(span, count, part);
    TesseraFaultCause cause;
    uint64_t reports;
    uint8_t *p = data;

    /*
     * Looking for one page may report what was written, and with it forget
     * that another one is written to: then once more.
     */
    do {
        reports = w->reports;
        cause = find_parts(wave, part, n, access, ask, bad);
    } while (cause == TESSERA_FAULT_NONE && reports != w->reports);
    for (unsigned i = 0; cause == TESSERA_FAULT_NONE && i < n; i++) {
        if (!part[i].host) {
            cause = park_device(wave, part[i].va, part[i].bus, p, part[i].len,
                                access, ask, bad);
        }
        p += part[i].len;
    }
    if (cause != TESSERA_FAULT_NONE) {
        return cause;
    }
    p = data;
    for (unsigned i = 0; i < n; p += part[i++].len) {
        if (part[i].host && access == ENGINE_WRITE) {
            mem_put(part[i].host, p, part[i].len);
        } else if (part[i].host) {
            mem_get(p, part[i].host, part[i].len);
        }
    }
    return TESSERA_FAULT_NONE;
}

/* ---- what was written ---- */

void worker_report(Worker *w)
{
    const EngineConfig *c = &w->engine->config;
    unsigned count = w->written_count, i, n;

    late_merge(w);
    w->written_count = 0;
    w->reports++;
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
    memset(w->stretch, 0, sizeof(w->stretch));
}

void worker_flush_vmid(Worker *w, unsigned vmid)
{
    uint64_t asid = vmid | TLB_VALID;

    for (unsigned i = 0; i < TLB_ENTRIES; i++) {
        if (w->tlb[i].rtag % ENGINE_PAGE == asid) {
            w->tlb[i] = (TlbEntry){ 0 };
        }
    }
    for (unsigned i = 0; i < STRETCH_ENTRIES; i++) {
        if (w->stretch[i].tag % ENGINE_PAGE == asid) {
            w->stretch[i] = (StretchEntry){ 0 };
        }
    }
}
