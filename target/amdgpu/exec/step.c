/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single steps, for the two modes in which vector instructions are not what
 * they look like: VGPR indexing, where the index in M0 is added to the VGPR
 * numbers of vector ALU instructions, and VSKIP, where vector instructions are
 * skipped.
 *
 * Handlers go on to the next instruction by themselves.  So that only one is
 * executed, the one behind it is made to leave for as long.
 */
#include "../mem-lanes.h"
#include "../lower.h"
#include "../isa.h"
#include "step.h"

/* Operands that are indexed, bits 15:12 of M0. */
enum { INDEX_SRC0 = 1 << 12, INDEX_DST = 1 << 15 };

/* In the place of the next instruction. */
static const Uop *step_end(Wave *wave, const Uop *u)
{
    LEAVE(wave, u);
}

static bool is_vector_alu(const AmdInst *inst)
{
    unsigned class = amd_insns[inst->op].class;

    return class >= CLASS_V1 && class <= CLASS_VPK;
}

static bool is_vector(const AmdInst *inst)
{
    switch (amd_insns[inst->op].class) {
    case CLASS_DS: case CLASS_FLAT: case CLASS_BUF: case CLASS_GFX:
        return true;
    default:
        return is_vector_alu(inst);
    }
}

/* ---- VGPR indexing ---- */

/* A register beyond the last reads as v0. */
static uint16_t indexed(uint16_t code, unsigned index)
{
    if (code < OPERAND_VGPR || code >= OPERAND_VGPR + AMD_VGPRS) {
        return code;
    }
    code += index;
    return code < OPERAND_VGPR + AMD_VGPRS ? code : OPERAND_VGPR;
}

/* Returns false if the result has no place: then nothing is done. */
static bool index_operands(AmdInst *inst, uint32_t m0)
{
    unsigned index = m0 & 0xff;

    for (int i = 0; i < 3; i++) {
        if (m0 & (uint32_t)INDEX_SRC0 << i) {
            inst->src[i] = indexed(inst->src[i], index);
        }
    }
    if (m0 & INDEX_DST && inst->dst >= OPERAND_VGPR &&
        inst->dst < OPERAND_VGPR + AMD_VGPRS) {
        inst->dst += index;
        return inst->dst < OPERAND_VGPR + AMD_VGPRS;
    }
    return true;
}

/* In place of the counter of CodePage.counted. */
static void count(Wave *wave)
{
    if (wave->page->counted) {
        wave->instructions++;
        wave->lane_instructions += wave->active_lanes(wave);
    }
}

/* Returns false if the instruction has no handler. */
static bool run_indexed(AmdWave *w, const Uop *u, AmdInst *inst)
{
    Uop uops[8] = { 0 };

    if (!index_operands(inst, w->s[SGPR_M0])) {
        return true;
    }
    amd_lower(inst, LEVEL(amd_handlers), &uops[0]);
    if (uops[0].fn == amd_unimplemented || uops[0].fn == amd_illegal) {
        return false;
    }
    count(&w->w);
    if (w->w.page->checked) {
        amd_strict_check_inst(&w->w, u, inst);
    }
    uops[uops[0].len].fn = step_end;
    uops[0].fn(&w->w, &uops[0]);
    return true;
}

/* ---- everything else ---- */

/* The handler of @u alone, not of compiled code that begins there. */
static UopFn *single_handler(const CodePage *page, const Uop *u)
{
    return page->jit_version ? page->real[u - page->uops] : u->fn;
}

/*
 * Execute @u in its place.  Taken branches look at the budget, so that they
 * leave too.
 */
static const Uop *run_in_place(Wave *wave, const Uop *u, UopFn *fn)
{
    CodePage *page = wave->page;
    Uop *next = &page->uops[u - page->uops + u->len];
    UopFn *saved = next->fn;
    int32_t budget = wave->budget;
    const Uop *target;

    page->waves++; /* it may be left, but must not go away */
    next->fn = step_end;
    wave->budget = 0;
    target = fn(wave, u);
    if (next->fn == step_end) { /* else it was decoded anew */
        next->fn = saved;
    }
    code_page_put(page);
    wave->budget = budget;
    if (wave->state != WAVE_RUN) {
        return NULL;
    }
    return target ? target : wave->uop;
}

static const Uop *step(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    CodePage *page = wave->page;
    size_t slot = (size_t)(u - page->uops);
    AmdInst inst;

    if (slot >= PAGE_SLOTS) {
        return wave_goto(wave, wave_pc(wave, u));
    }
    if (!amd_isa_decode(w->isa, wave_width(w))(
            &page->bytes[slot], MIN(page->words - slot, 4), &inst)) {
        return run_in_place(wave, u, single_handler(page, u));
    }
    if (w->mode & MODE_VSKIP && is_vector(&inst)) {
        return u + u->len;
    }
    if (is_vector_alu(&inst) && run_indexed(w, u, &inst)) {
        return u + u->len;
    }
    return run_in_place(wave, u, single_handler(page, u));
}

const Uop *LEVEL(amd_step)(Wave *wave, const Uop *u)
{
    const Uop *next = step(wave, u);

    if (next && wave_quantum_over(wave)) {
        LEAVE(wave, next);
    }
    return next;
}

/* ---- instructions that are under way ---- */

/* Execute @u, which has been counted, for @lanes alone. */
static const Uop *run_lanes(AmdWave *w, const Uop *u, uint64_t lanes)
{
    const CodePage *page = w->w.page;
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    const Uop *next;

    set_exec(w, lanes);
    next = run_in_place(&w->w, u, page->real ? page->real[u - page->uops]
                                             : u->fn);
    set_exec(w, exec);
    return next;
}

/*
 * The lanes that are left, all at once where no question is to be asked.  Only
 * a lane of its own uses answers, since they are told apart by address.
 */
static const Uop *resume_lanes(AmdWave *w, const Uop *u)
{
    WavePark *park = &w->w.park;
    const Uop *next;

    if (!park->count) {
        w->rest.narrow = false;
    }
    for (;;) {
        uint64_t left = w->rest.lanes;
        uint64_t lanes = w->rest.narrow ? left & -left : left;

        w->rest.pending = 0;
        next = run_lanes(w, u, lanes);
        w->rest.lanes = (left & ~lanes) | w->rest.pending;
        if (w->w.state == WAVE_FAULT ||
            (w->rest.narrow && w->rest.pending)) {
            return NULL;
        }
        w->w.state = WAVE_RUN;
        park->count = 0;
        if (!w->rest.lanes) {
            return amd_mem_through(w, u, next);
        }
        w->rest.narrow = true;
    }
}

const Uop *LEVEL(amd_resume)(Wave *wave)
{
    AmdWave *w = amd(wave);
    const Uop *u = wave->uop, *next;

    if (w->rest.lanes) {
        return resume_lanes(w, u);
    }
    next = run_lanes(w, u, sgpr64(w, SGPR_EXEC));
    if (wave->state == WAVE_RUN) {
        wave_unpark(wave);
    }
    return next;
}
