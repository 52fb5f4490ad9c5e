/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stream's own wave: from block to block. */
#include <string.h>
#include "target/linx/stream.h"

enum {
    HEADER_MAX = 1024,   /* bytes */
    UNITS_MIN = 4,       /* groups that are worth the other workers' time */
    UNITS_A_WORKER = 8,
    UNIT_GROUPS_MAX = 256,
};

/* ---- traps ---- */

/* The dispatch ends here. */
static bool stop(LinxWave *w, const LinxStop *why)
{
    LinxStream *s = w->stream;

    s->stop = *why;
    w->w.worker->fault = why->fault;
    memcpy(w->w.group->id, why->fault.group, sizeof(w->w.group->id));
    w->w.state = WAVE_FAULT;
    return false;
}

static bool own_stop(LinxWave *w)
{
    LinxStop why;

    if (!linx_stopped(w, &why.fault)) {
        return false;
    }
    why.record = w->record;
    return stop(w, &why);
}

/* A trap of the block, not of an instruction of its body. */
static bool block_trap(LinxWave *w, LinxTrap trap)
{
    w->record.trapped = true;
    w->record.trap = trap;
    return own_stop(w);
}

/* ---- blocks of scalar code ---- */

static const LinxUop *fetch(LinxWave *w)
{
    TesseraFaultCause cause;
    const LinxUop *uop = linx_fetch(&w->w, &w->fetch, w->x.pc, &cause);

    if (!uop) {
        linx_fetch_failed(w, cause);
    } else if (!uop->inst.size) {
        linx_illegal(&w->x);
        uop = NULL;
    }
    return uop;
}

static bool start_scalar(LinxWave *w, const LinxInst *inst)
{
    w->start = *inst;
    w->start_pc = w->x.pc;
    w->x.pc += inst->size;
    w->x.taken = false;
    if (w->x.state->overlap && linx_is_system_block(inst->op)) {
        linx_overlap_order(w->x.state->overlap);
    }
    for (unsigned i = 0; i < LINX_QUEUES; i++) {
        w->x.queue[i].pushes = 0;
    }
    w->phase = LINX_PHASE_SCALAR;
    return true;
}

static bool end_scalar(LinxWave *w, const LinxInst *inst)
{
    bool terminates = linx_rows[inst->op].group == LINX_G_TERM;

    w->x.pc = linx_scalar_next(&w->x, &w->start, w->start_pc,
                               w->x.pc + (terminates ? inst->size : 0));
    w->phase = LINX_PHASE_START;
    return true;
}

static bool end_stream(LinxWave *w, const LinxInst *inst)
{
    if (!linx_is_system_block(w->start.op) ||
        inst->field[LINX_F_RST_Type] != 1) {
        linx_illegal(&w->x);
        return own_stop(w);
    }
    w->w.state = WAVE_END;
    return false;
}

static bool step_scalar(LinxWave *w)
{
    const LinxUop *uop = fetch(w);
    unsigned group;

    if (!uop) {
        return own_stop(w);
    }
    group = linx_rows[uop->inst.op].group;
    if (group == LINX_G_HDR_START || group == LINX_G_TERM) {
        return end_scalar(w, &uop->inst);
    }
    if (uop->inst.op == LINX_ACRC) {
        return end_stream(w, &uop->inst);
    }
    if (!uop->scalar) {
        linx_illegal(&w->x);
        return own_stop(w);
    }
    w->w.instructions++;
    w->w.lane_instructions++;
    w->x.plan = uop->access ? &uop->plan : NULL;
    w->x.compute = uop->computes ? &uop->compute : NULL;
    if (!linx_step(&w->x, &uop->inst, false)) {
        return own_stop(w);
    }
    if (unlikely(w->w.park.active)) {
        wave_unpark(&w->w);
    }
    return true;
}

/* ---- memory blocks ---- */

static bool commit(LinxWave *w)
{
    LinxStream *s = w->stream;
    LinxTrap after = { LINX_BREAKPOINT, 0, s->block.next };

    s->state.fflags |= w->x.raised | w->x.fflags | s->raised;
    w->x.raised = w->x.fflags = s->raised = 0;
    linx_commit(&s->state, &s->block, &s->bound, s->ro);
    s->committed++;
    w->x.block = NULL;
    w->x.bound = NULL;
    w->x.pc = s->block.next;
    w->phase = LINX_PHASE_START;
    return !s->block.trap_after || block_trap(w, after);
}

/* Worth more than one worker? */
static bool is_parallel(const LinxWave *w)
{
    const LinxStream *s = w->stream;

    return (s->block.kind == LINX_MPAR || s->block.kind == LINX_VPAR) &&
           s->groups >= UNITS_MIN && wave_workers(&w->w) > 1;
}

static bool start_units(LinxWave *w)
{
    LinxStream *s = w->stream;
    uint64_t groups = s->groups / (wave_workers(&w->w) * UNITS_A_WORKER);

    linx_tiles_clear(&s->state.tiles, &s->bound);
    s->per_unit = CLAMP(groups, 1, UNIT_GROUPS_MAX);
    s->folding.folded = 0;
    w->phase = LINX_PHASE_UNITS;
    w->w.state = WAVE_GRID;
    return false;
}

static bool start_groups(LinxWave *w)
{
    LinxStream *s = w->stream;
    LinxContext *x = &w->x;

    s->groups = linx_groups(&s->block);
    s->stop_group = LINX_NO_GROUP;
    memcpy(s->ro, s->block.ro_value, sizeof(s->ro));
    x->block = &s->block;
    x->bound = &s->bound;
    x->ro = s->ro;
    if (s->state.overlap) {
        linx_overlap_begin(s->state.overlap, &s->block, &s->bound);
    }
    if (!s->groups) {
        return commit(w);
    }
    if (is_parallel(w)) {
        return start_units(w);
    }
    w->group_end = s->groups;
    w->w.count += MIN(s->groups, UINT32_MAX / 2 - w->w.count);
    linx_group_start(x, 0);
    linx_copy_look(w);
    w->phase = LINX_PHASE_BODY;
    return true;
}

static bool read_header(LinxWave *w)
{
    LinxStream *s = w->stream;
    uint8_t bytes[HEADER_MAX];
    TesseraFaultCause cause;
    size_t count = linx_fetch_bytes(&w->w, &w->fetch, w->x.pc, bytes,
                                    sizeof(bytes), &cause);
    LinxTrap trap;
    uint32_t why;

    if (!linx_read_header(bytes, count, w->x.pc, s->state.gpr, &s->block,
                          &trap)) {
        if (trap.number == LINX_E_INST && trap.cause == LINX_INST_ACCESS &&
            count < sizeof(bytes)) {
            w->x.pc += count; /* what cannot be fetched */
            linx_fetch_failed(w, cause);
            w->x.pc -= count;
            return own_stop(w);
        }
        return block_trap(w, trap);
    }
    wave_unpark(&w->w); /* what it might have wanted it does not need */
    w->record.next = s->block.next;
    if (!linx_tiles_bind(&s->state.tiles, &s->block, &s->bound, &why)) {
        return block_trap(w, (LinxTrap){ LINX_E_BLOCK, why,
                                         s->block.next - 4 });
    }
    return start_groups(w);
}

static bool start_block(LinxWave *w)
{
    static uint64_t serial;
    const LinxUop *uop;

    w->fetch.serial = w->stream->serial =
        __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
    w->fetch.page = NULL;
    w->record = (LinxRecord){ .bpc = w->x.pc };
    uop = fetch(w);
    if (!uop) {
        return own_stop(w);
    }
    if (linx_is_memory_block(uop->inst.op)) {
        return read_header(w);
    }
    if (linx_is_scalar_block(uop->inst.op)) {
        return start_scalar(w, &uop->inst);
    }
    linx_illegal(&w->x);
    return own_stop(w);
}

static bool step_body(LinxWave *w)
{
    if (unlikely(w->x.ended)) {
        if (w->x.group + 1 == w->group_end) {
            return commit(w);
        }
        linx_group_next(&w->x);
    }
    if (w->copies && w->x.pc == w->x.block->text && linx_copy_groups(w)) {
        return true;
    }
    return likely(linx_body_step(w)) || own_stop(w);
}

/* All units have ended. */
static bool units_over(LinxWave *w)
{
    LinxStop why;

    if (w->stream->stop_group == LINX_NO_GROUP) {
        return commit(w);
    }
    why = w->stream->stop;
    return stop(w, &why);
}

bool linx_own_step(LinxWave *w)
{
    switch (w->phase) {
    case LINX_PHASE_START:
        return start_block(w);
    case LINX_PHASE_SCALAR:
        return step_scalar(w);
    case LINX_PHASE_BODY:
        return step_body(w);
    default:
        return units_over(w);
    }
}
