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
#include "jit.h"
#include "profile.h"
#include "sched.h"
#include "mem.h"

/* ---- counting and checking ---- */

static const Uop *count_uop(Wave *wave, const Uop *uop)
{
    UopFn *real = wave->page->real[uop - wave->page->uops];

    wave->instructions++;
    wave->lane_instructions += wave->active_lanes(wave);
    return real(wave, uop);
}

static const Uop *check_uop(Wave *wave, const Uop *uop)
{
    CodePage *page = wave->page;
    unsigned slot = (unsigned)(uop - page->uops);

    wave->worker->exec->check(wave, uop, &page->bytes[slot],
                              MIN(page->words - slot, 4));
    return page->profile ? profile_uop(wave, uop) :
           page->counted ? count_uop(wave, uop) : page->real[slot](wave, uop);
}

/* Put @fn before every micro-operation of the page. */
static void install(CodePage *page, UopFn *fn)
{
    if (!page->real) {
        page->real = g_new(UopFn *, PAGE_SLOTS);
    }
    for (unsigned i = 0; i < PAGE_SLOTS; i++) {
        page->real[i] = page->uops[i].fn;
        page->uops[i].fn = fn;
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

const uint8_t *wave_code_page(Wave *wave, uint64_t va,
                              TesseraFaultCause *cause)
{
    EnginePage page;

    *cause = mem_translate(wave, va, ENGINE_FETCH, &page);
    if (*cause == (TesseraFaultCause)ENGINE_DEVICE) {
        *cause = TESSERA_FAULT_NO_EXECUTE;
    }
    return *cause == TESSERA_FAULT_NONE ? page.host : NULL;
}

/* An instruction at the page's end whose rest lies in a page not yet known. */
static const Uop *page_cut(Wave *wave, const Uop *uop)
{
    CodePage *page = wave->page;

    if (page->counted) { /* it comes again */
        wave->instructions--;
        wave->lane_instructions -= wave->active_lanes(wave);
    }
    if (page->profile) {
        profile_take_back(wave, uop);
    }
    page->epoch = wave->worker->epoch - 1;
    wave_want_page(wave, page->va + ENGINE_PAGE, ENGINE_FETCH);
    wave->park.fetching = true;
    wave->state = WAVE_ASK;
    LEAVE(wave, uop);
}

/* The same, but that page cannot be had. */
static const Uop *page_hole(Wave *wave, const Uop *uop)
{
    return wave_fault(wave, uop, (TesseraFaultCause)uop->mods, ENGINE_FETCH,
                      wave->page->va + ENGINE_PAGE, 0);
}

/*
 * The instruction in slot @i; what it needs of the next page may be missing,
 * for the reason @hole.
 */
static void decode_slot(Worker *w, CodePage *page, unsigned i,
                        TesseraFaultCause hole)
{
    uint32_t words[4] = { 0 };
    unsigned count = MIN(page->words - i, 4);
    Uop *uop = &page->uops[i];

    if (count < 4) { /* how long is it? */
        memcpy(words, &page->bytes[i], count * 4);
        w->exec->decode(words, 4, page->lanes, uop);
        if (uop->len > count) {
            *uop = (Uop){ .fn = page->cut ? page_cut : page_hole, .len = 1,
                          .mods = hole };
            return;
        }
    }
    w->exec->decode(&page->bytes[i], page->words - i, page->lanes, uop);
}

/*
 * Waits and hints are not executed: the instruction before them goes on behind
 * them.  They stay where they are, as branches may lead to them.
 */
static void pass_hints(CodePage *page, UopFn *hint)
{
    for (unsigned i = PAGE_SLOTS; i-- > 0;) {
        Uop *uop = &page->uops[i];
        const Uop *next = uop + uop->len;

        if (i + uop->len < PAGE_SLOTS && next->fn == hint &&
            uop->len + next->len <= UINT8_MAX) {
            uop->len += next->len;
        }
    }
}

static void decode_page(Worker *w, CodePage *page, TesseraFaultCause hole)
{
    jit_forget(page);
    for (unsigned i = 0; i < PAGE_SLOTS; i++) {
        decode_slot(w, page, i, hole);
    }
    for (unsigned i = 0; i < PAGE_OVERHANG; i++) {
        page->uops[PAGE_SLOTS + i] = (Uop){ .fn = wave_page_end };
    }
    if (page->checked) {
        install(page, check_uop);
    } else if (page->profile) {
        install(page, profile_uop);
    } else if (page->counted) {
        install(page, count_uop);
    } else if (w->exec->hint) {
        pass_hints(page, w->exec->hint);
    }
}

/* Bring a page up to date with memory. */
static bool refresh_page(Wave *wave, CodePage *page, TesseraFaultCause *cause)
{
    static const unsigned overhang = PAGE_OVERHANG * 4;
    TesseraFaultCause next = TESSERA_FAULT_NONE;
    const uint8_t *host = wave_code_page(wave, page->va, cause), *more;
    unsigned words;
    bool cut;

    if (!host) {
        return false;
    }
    more = wave_code_page(wave, page->va + ENGINE_PAGE, &next);
    words = PAGE_SLOTS + (more ? PAGE_OVERHANG : 0);
    cut = next == (TesseraFaultCause)ENGINE_WAIT;
    page->epoch = wave->worker->epoch;
    if (words == page->words && cut == page->cut &&
        mem_same(host, page->bytes, ENGINE_PAGE) &&
        (!more || mem_same(more, &page->bytes[PAGE_SLOTS], overhang))) {
        return true;
    }
    profile_fold(page);
    mem_get(page->bytes, host, ENGINE_PAGE);
    if (more) {
        mem_get(&page->bytes[PAGE_SLOTS], more, overhang);
    }
    page->words = words;
    page->cut = cut;
    decode_page(wave->worker, page, next);
    return true;
}

/* ---- the cache ---- */

static void page_free(CodePage *page)
{
    profile_fold(page);
    jit_forget(page);
    g_free(page->profile);
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

/* The page's address, and how dispatches of @d's kind want it. */
static CodePage *page_new(Worker *w, const EngineDispatch *d, unsigned lanes,
                          uint64_t va)
{
    CodePage *page = g_aligned_alloc0(1, sizeof(*page), 64);
    CodePage **way = free_way(code_set(w, d->vmid, va));

    page->worker = w;
    page->va = va;
    page->vmid = d->vmid;
    page->lanes = lanes;
    page->counted = d->stats || d->profile;
    if (d->profile) {
        profile_page(w, page);
    }
    page->checked = d->strict && w->exec->check;
    if (way) {
        if (*way) {
            page_free(*way);
        }
        *way = page;
        page->cached = true;
    }
    return page;
}

static bool page_suits(const CodePage *page, const EngineDispatch *d,
                       unsigned lanes, uint64_t va, bool checked)
{
    return page->va == va && page->vmid == d->vmid &&
           page->lanes == lanes &&
           page->counted == (d->stats || d->profile) &&
           !page->profile == !d->profile && page->checked == checked;
}

static CodePage *find_page(Worker *w, const EngineDispatch *d, unsigned lanes,
                           uint64_t va)
{
    CodePage **set = code_set(w, d->vmid, va);
    bool checked = d->strict && w->exec->check;

    for (int i = 0; i < CODE_WAYS; i++) {
        if (set[i] && page_suits(set[i], d, lanes, va, checked)) {
            return set[i];
        }
    }
    return page_new(w, d, lanes, va);
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

/* The code at @pc cannot be read, or not yet. */
static const Uop *fetch_failed(Wave *wave, uint64_t pc,
                               TesseraFaultCause cause)
{
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        wave_want_page(wave, pc, ENGINE_FETCH);
        wave->park.fetching = true;
        wave->state = WAVE_ASK;
        wave->uop = &wave->page->uops[pc % ENGINE_PAGE / 4];
        return NULL;
    }
    wave->state = WAVE_FAULT;
    wave->worker->fault = (EngineFault){
        .cause = cause, .access = ENGINE_FETCH, .address = pc, .pc = pc,
    };
    wave->uop = NULL;
    return NULL;
}

const Uop *wave_fetch_again(Wave *wave)
{
    wave->park.fetching = false;
    return wave_goto(wave, wave_pc(wave, wave->uop));
}

const Uop *wave_goto(Wave *wave, uint64_t pc)
{
    Worker *w = wave->worker;
    EngineDispatch *d = wave->group->dispatch;
    uint64_t va = pc & -(uint64_t)ENGINE_PAGE;
    TesseraFaultCause cause;
    CodePage *page = find_page(w, d, wave->lanes, va);

    page->used = ++w->touched;
    page->waves++;
    wave_leave_page(wave);
    wave->page = page;
    if (page->epoch != w->epoch || !page->words) {
        if (!refresh_page(wave, page, &cause)) {
            return fetch_failed(wave, pc, cause);
        }
        wave->park.refusal = TESSERA_FAULT_NONE;
    }
    if (w->engine->jit) {
        jit_visit(w, page, pc % ENGINE_PAGE / 4, 1);
    }
    return wave->uop = &page->uops[pc % ENGINE_PAGE / 4];
}

/* The text of the instruction at @uop, if its bytes are there. */
static void print_uop(const Wave *wave, const Uop *uop, char *text,
                      size_t size)
{
    const CodePage *page = wave->page;
    unsigned slot = (unsigned)(uop - page->uops);

    if (slot < page->words) {
        wave->worker->engine->config.isa->disassemble(
            &page->bytes[slot], MIN(page->words - slot, 4), page->lanes,
            wave_pc(wave, uop), text, size);
    }
}

void wave_hazard(Wave *wave, const Uop *uop, EngineHazard *hazard)
{
    memcpy(hazard->group, wave->group->id, sizeof(hazard->group));
    hazard->wave = wave->index;
    print_uop(wave, uop, hazard->text, sizeof(hazard->text));
    wave_tell_hazard(wave, hazard);
}

const Uop *wave_fault(Wave *wave, const Uop *uop, TesseraFaultCause cause,
                      EngineAccess access, uint64_t address, uint64_t lanes)
{
    Worker *w = wave->worker;

    wave->state = WAVE_FAULT;
    w->fault = (EngineFault){
        .cause = cause, .access = access, .address = address,
        .pc = wave_pc(wave, uop), .lanes = lanes,
    };
    print_uop(wave, uop, w->fault.text, sizeof(w->fault.text));
    LEAVE(wave, uop);
}
