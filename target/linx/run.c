/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stream's own wave and units have in common: running bodies. */
#include <string.h>
#include "target/linx/decode.h"
#include "target/linx/stream.h"

enum { INST_MISALIGNED = 2, INST_PAGE = 5, INST_BUS = 6 };

/* Where reductions go: RO, or the unit's log; there must be room in that. */
static bool may_reduce(LinxWave *w)
{
    if (!w->x.log || linx_log_has_room(w->x.log) || linx_unit_drain(w)) {
        return true;
    }
    w->x.waiting = true;
    return false;
}

static bool odd_pc(LinxWave *w)
{
    w->x.cause = TESSERA_FAULT_MISALIGNED;
    return linx_raise(&w->x, LINX_E_INST, INST_MISALIGNED, w->x.pc);
}

/* As all instructions can be. */
static bool perform(LinxContext *x, const LinxUop *uop)
{
    x->inst = &uop->inst;
    x->plan = uop->access ? &uop->plan : NULL;
    x->compute = uop->computes ? &uop->compute : NULL;
    x->lanes = uop->vector ? LINX_LANES : 1;
    x->releases = 0;
    x->next_pc = x->pc + uop->inst.size;
    if (!uop->perform(x)) {
        return false;
    }
    linx_release(x);
    x->pc = x->next_pc;
    return true;
}

bool linx_body_step(LinxWave *w)
{
    LinxContext *x = &w->x;
    TesseraFaultCause cause;
    const LinxUop *uop = linx_fetch(&w->w, &w->fetch, x->pc, &cause);

    if (unlikely(!uop)) {
        return linx_fetch_failed(w, cause);
    }
    if (unlikely(x->pc & 1)) {
        return odd_pc(w);
    }
    if (unlikely(!uop->perform || !uop->body)) {
        return linx_illegal(x);
    }
    if (unlikely(uop->reduces) && !may_reduce(w)) {
        return false;
    }
    w->w.instructions++;
    w->w.lane_instructions += !uop->vector ? 1 :
                              likely(x->p == ~0ull) ? LINX_LANES :
                              __builtin_popcountll(x->p);
    if (uop->fast.run && uop->fast.run(x, uop)) {
        x->pc += uop->inst.size;
    } else if (!perform(x, uop)) {
        return false;
    }
    if (unlikely(w->w.park.active)) {
        wave_unpark(&w->w);
    }
    return true;
}

bool linx_fetch_failed(LinxWave *w, TesseraFaultCause cause)
{
    bool paged = w->w.asid & ~(uint64_t)TLB_VALID;

    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        w->x.waiting = true;
        return false;
    }
    w->x.cause = cause;
    return linx_raise(&w->x, LINX_E_INST, cause == TESSERA_FAULT_IOMMU ||
                      cause == TESSERA_FAULT_BUS ? INST_BUS :
                      paged ? INST_PAGE : LINX_INST_ACCESS, w->x.pc);
}

/* ---- traps ---- */

static bool is_store(const LinxTrap *trap)
{
    return trap->number == LINX_E_DATA &&
           trap->cause >= LINX_DATA_STORE_ACCESS &&
           trap->cause < LINX_DATA_RANGE;
}

/* As the device reports it, if memory has not said. */
static TesseraFaultCause trap_cause(const LinxTrap *trap)
{
    switch (trap->number) {
    case LINX_E_INST:
        return TESSERA_FAULT_ILLEGAL_INSTRUCTION;
    case LINX_E_DATA:
        return trap->cause == LINX_DATA_RANGE ? TESSERA_FAULT_TILE_BOUNDS :
               TESSERA_FAULT_MISALIGNED;
    default:
        return TESSERA_FAULT_BLOCK;
    }
}

/* The text of the instruction or header word at @pc, if it can be read. */
static void print(LinxWave *w, uint64_t pc, char *text, size_t size)
{
    TesseraFaultCause cause;
    const LinxUop *uop = linx_fetch(&w->w, &w->fetch, pc, &cause);

    text[0] = '\0';
    if (uop && uop->inst.size) {
        linx_disassemble(&uop->inst, text, size);
    }
}

static void describe(LinxWave *w, EngineFault *fault)
{
    const LinxTrap *trap = &w->record.trap;
    bool is_data = trap->number == LINX_E_DATA;
    bool is_fetch = trap->number == LINX_E_INST && w->x.cause;

    *fault = (EngineFault){
        .cause = w->x.cause ? (TesseraFaultCause)w->x.cause :
                 trap_cause(trap),
        .access = is_fetch ? ENGINE_FETCH :
                  is_store(trap) ? ENGINE_WRITE : ENGINE_READ,
        .address = is_data || is_fetch ? w->record.arg : w->record.bpc,
        .pc = trap->pc,
        .lanes = !is_data ? 0 : 1ull << (w->x.lanes == 1 ? 0 : w->x.resume),
        .group = { (uint32_t)w->record.group,
                   (uint32_t)(w->record.group >> 32) },
    };
    print(w, trap->pc, fault->text, sizeof(fault->text));
}

bool linx_stopped(LinxWave *w, EngineFault *fault)
{
    if (w->x.waiting) {
        w->x.waiting = false;
        if (w->w.state == WAVE_RUN) {
            wave_park(&w->w, NULL);
        }
        return false;
    }
    describe(w, fault);
    return true;
}
