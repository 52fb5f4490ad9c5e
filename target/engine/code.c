/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoded code pages: a small cache in each worker, so that none of it is
 * shared and nothing needs a lock.
 *
 * Code is decoded a page at a time when a wave first gets there.  A page is
 * kept across dispatches; each attachment to a dispatch is an acquire, after
 * which its bytes are compared with memory before it is used again.
 */
#include <string.h>
#include "sched.h"
#include "mem.h"

/* ---- the counter ---- */

static const Uop *count_uop(Wave *wave, const Uop *uop)
{
    UopFn *real = wave->page->real[uop - wave->page->uops];

    wave->instructions++;
    wave->lane_instructions += wave->active_lanes(wave);
    return real(wave, uop);
}

static void install_counter(CodePage *page)
{
    if (!page->real) {
        page->real = g_new(UopFn *, PAGE_SLOTS);
    }
    for (unsigned i = 0; i < PAGE_SLOTS; i++) {
        page->real[i] = page->uops[i].fn;
        page->uops[i].fn = count_uop;
    }
}

/* ---- fetching and decoding ---- */

const Uop *wave_page_end(Wave *wave, const Uop *uop)
{
    const Uop *next = wave_goto(wave, wave_pc(wave, uop));

    if (!next) {
        return NULL;
    }
    if (wave_quantum_over(wave)) {
        LEAVE(wave, next);
    }
    GOTO(wave, next);
}

/* Host address of a page of code; NULL and @cause if there is none. */
static const uint8_t *fetch_page(Worker *w, unsigned vmid, uint64_t va,
                                 TesseraFaultCause *cause)
{
    const EngineConfig *c = &w->engine->config;
    EnginePage page;

    *cause = c->ops->translate(c->opaque, vmid, va, ENGINE_FETCH, &page);
    return *cause == TESSERA_FAULT_NONE ? page.host : NULL;
}

/* Read the page and what overhangs; returns the dwords that there are. */
static unsigned fetch_words(Worker *w, unsigned vmid, uint64_t va,
                            uint32_t *words, TesseraFaultCause *cause)
{
    TesseraFaultCause ignored;
    const uint8_t *host = fetch_page(w, vmid, va, cause);

    if (!host) {
        return 0;
    }
    memcpy(words, host, ENGINE_PAGE);
    host = fetch_page(w, vmid, va + ENGINE_PAGE, &ignored);
    if (!host) {
        return PAGE_SLOTS;
    }
    memcpy(words + PAGE_SLOTS, host, PAGE_OVERHANG * 4);
    return PAGE_SLOTS + PAGE_OVERHANG;
}

static void decode_page(Worker *w, CodePage *page)
{
    for (unsigned i = 0; i < PAGE_SLOTS; i++) {
        Uop *uop = &page->uops[i];

        w->exec->decode(&page->bytes[i], MIN(page->words - i, 4), uop);
    }
    for (unsigned i = 0; i < PAGE_OVERHANG; i++) {
        page->uops[PAGE_SLOTS + i] = (Uop){ .fn = wave_page_end };
    }
    if (page->counted) {
        install_counter(page);
    }
}

/* Bring a page up to date with memory. */
static bool refresh_page(Worker *w, CodePage *page, TesseraFaultCause *cause)
{
    uint32_t words[PAGE_SLOTS + PAGE_OVERHANG];
    unsigned count = fetch_words(w, page->vmid, page->va, words, cause);

    if (!count) {
        return false;
    }
    if (count != page->words || memcmp(words, page->bytes, count * 4)) {
        memcpy(page->bytes, words, count * 4);
        page->words = count;
        decode_page(w, page);
    }
    page->epoch = w->epoch;
    return true;
}

/* ---- the cache ---- */

static void page_free(CodePage *page)
{
    g_free(page->real);
    g_aligned_free(page);
}

static CodePage **code_set(Worker *w, unsigned vmid, uint64_t va)
{
    return w->code[(va / ENGINE_PAGE + vmid * 7) % CODE_SETS];
}

/* A way of the set that may be given to a new page, or NULL. */
static CodePage **free_way(CodePage **set)
{
    CodePage **best = NULL;

    for (int i = 0; i < CODE_WAYS; i++) {
        if (!set[i]) {
            return &set[i];
        }
        if (!set[i]->waves && (!best || set[i]->used < (*best)->used)) {
            best = &set[i];
        }
    }
    return best;
}

static CodePage *page_new(Worker *w, unsigned vmid, uint64_t va, bool counted)
{
    CodePage *page = g_aligned_alloc0(1, sizeof(*page), 64);
    CodePage **way = free_way(code_set(w, vmid, va));

    page->va = va;
    page->vmid = vmid;
    page->counted = counted;
    if (way) {
        if (*way) {
            page_free(*way);
        }
        *way = page;
        page->cached = true;
    }
    return page;
}

static CodePage *find_page(Worker *w, unsigned vmid, uint64_t va,
                           bool counted)
{
    CodePage **set = code_set(w, vmid, va);

    for (int i = 0; i < CODE_WAYS; i++) {
        CodePage *p = set[i];

        if (p && p->va == va && p->vmid == vmid && p->counted == counted) {
            return p;
        }
    }
    return page_new(w, vmid, va, counted);
}

void code_page_put(CodePage *page)
{
    if (--page->waves == 0 && !page->cached) {
        page_free(page);
    }
}

void wave_leave_page(Wave *wave)
{
    CodePage *page = wave->page;

    wave->page = NULL;
    if (page) {
        code_page_put(page);
    }
}

void worker_free_code(Worker *w)
{
    for (unsigned set = 0; set < CODE_SETS; set++) {
        for (unsigned way = 0; way < CODE_WAYS; way++) {
            if (w->code[set][way]) {
                page_free(w->code[set][way]);
            }
        }
    }
}

/* ---- for handlers ---- */

static const Uop *fetch_fault(Wave *wave, uint64_t pc,
                              TesseraFaultCause cause)
{
    wave->state = WAVE_FAULT;
    wave->worker->fault = (EngineFault){
        .cause = cause, .access = ENGINE_FETCH, .address = pc, .pc = pc,
    };
    wave->uop = NULL;
    return NULL;
}

const Uop *wave_goto(Wave *wave, uint64_t pc)
{
    Worker *w = wave->worker;
    EngineDispatch *d = wave->group->dispatch;
    uint64_t va = pc & -(uint64_t)ENGINE_PAGE;
    TesseraFaultCause cause;
    CodePage *page = find_page(w, d->vmid, va, d->stats);

    page->used = ++w->touched;
    page->waves++;
    wave_leave_page(wave);
    wave->page = page;
    if (page->epoch != w->epoch || !page->words) {
        if (!refresh_page(w, page, &cause)) {
            return fetch_fault(wave, pc, cause);
        }
    }
    return wave->uop = &page->uops[pc % ENGINE_PAGE / 4];
}

const Uop *wave_fault(Wave *wave, const Uop *uop, TesseraFaultCause cause,
                      EngineAccess access, uint64_t address, uint64_t lanes)
{
    Worker *w = wave->worker;
    CodePage *page = wave->page;
    unsigned slot = (unsigned)(uop - page->uops);

    wave->state = WAVE_FAULT;
    w->fault = (EngineFault){
        .cause = cause, .access = access, .address = address,
        .pc = wave_pc(wave, uop), .lanes = lanes,
    };
    if (slot < page->words) {
        w->engine->config.isa->disassemble(
            &page->bytes[slot], MIN(page->words - slot, 4), w->fault.pc,
            w->fault.text, sizeof(w->fault.text));
    }
    LEAVE(wave, uop);
}
