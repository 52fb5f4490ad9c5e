/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bodies and blocks, one instruction after the other. */
#include <string.h>
#include "target/linx/decode.h"
#include "target/linx/perform.h"
#include "target/linx/step.h"

/* ---- one instruction ---- */

/* A body has no 16- and 48-bit code but C.BSTOP and block starts. */
bool linx_is_body_code(const LinxInst *inst)
{
    unsigned group = linx_rows[inst->op].group;

    return inst->size != 2 || group == LINX_G_TERM ||
           group == LINX_G_HDR_START;
}

bool linx_is_scalar_code(const LinxInst *inst)
{
    return inst->size == 4;
}

bool linx_step(LinxContext *x, const LinxInst *inst, bool vector)
{
    x->inst = inst;
    x->lanes = vector ? LINX_LANES : 1;
    x->releases = 0;
    x->next_pc = x->pc + inst->size;
    if (!linx_perform(x)) {
        return false;
    }
    linx_release(x);
    x->pc = x->next_pc;
    return true;
}

static bool fetch(LinxContext *x, LinxInst *inst)
{
    const LinxMemory *memory = &x->state->memory;
    uint8_t bytes[LINX_MAX_BYTES];
    unsigned size;

    if (!memory->read(memory->opaque, x->pc, bytes, 2)) {
        return linx_raise(x, LINX_E_INST, LINX_INST_ACCESS, 0);
    }
    size = linx_length(bytes[0] | bytes[1] << 8);
    if (!memory->read(memory->opaque, x->pc, bytes, size)) {
        return linx_raise(x, LINX_E_INST, LINX_INST_ACCESS, 0);
    }
    return linx_decode(bytes, size, inst) || linx_illegal(x);
}

static bool step(LinxContext *x)
{
    LinxInst inst;

    if (x->state->budget == 0) {
        x->record->out_of_budget = true;
        return false;
    }
    x->state->budget--;
    if (!fetch(x, &inst)) {
        return false;
    }
    if (!(x->block ? linx_is_body_code(&inst) : linx_is_scalar_code(&inst))) {
        return linx_illegal(x);
    }
    return linx_step(x, &inst, x->block && linx_is_vector(&inst));
}

/* ---- groups and blocks ---- */

void linx_commit(LinxState *state, const LinxBlock *block,
                 const LinxBound *bound, const uint64_t *ro)
{
    for (unsigned i = 0; i < block->gpr_outputs; i++) {
        state->gpr[block->ro[i]] = ro[i];
    }
    linx_tiles_commit(&state->tiles, block, bound);
    if (state->overlap) {
        linx_overlap_commit(state->overlap);
    }
}

static bool run_groups(LinxContext *x)
{
    uint64_t groups = linx_groups(x->block);

    for (uint64_t group = 0; group < groups; group++) {
        linx_group_start(x, group);
        while (!x->ended) {
            if (!step(x)) {
                return false;
            }
        }
    }
    return true;
}

/* linx-blocks section 12: all or nothing but what memory has seen. */
static bool run_block(LinxState *state, const LinxBlock *block,
                      LinxRecord *record)
{
    uint64_t ro[LINX_GPR_OUTPUTS];
    LinxBound bound;
    LinxContext x = {
        .state = state, .block = block, .bound = &bound, .ro = ro,
        .record = record,
    };
    uint32_t cause;

    if (!linx_tiles_bind(&state->tiles, block, &bound, &cause)) {
        record->trapped = true;
        record->trap = (LinxTrap) { LINX_E_BLOCK, cause, block->next - 4 };
        return false;
    }
    memcpy(ro, block->ro_value, sizeof(ro));
    if (state->overlap) {
        linx_overlap_begin(state->overlap, block, &bound);
    }
    if (!run_groups(&x)) {
        linx_tiles_abandon(&state->tiles, &bound);
        return false;
    }
    state->fflags |= x.raised | x.fflags;
    linx_commit(state, block, &bound, ro);
    if (block->trap_after) {
        record->trapped = true;
        record->trap = (LinxTrap) { LINX_BREAKPOINT, 0, block->next };
    }
    return !block->trap_after;
}

/* As much of a header as can be read, 2 bytes at a time. */
static size_t read_header_bytes(LinxState *state, uint64_t pc,
                                uint8_t *bytes, size_t size)
{
    const LinxMemory *memory = &state->memory;
    size_t count = 0;

    while (count < size && memory->read(memory->opaque, pc + count,
                                        bytes + count, 2)) {
        count += 2;
    }
    return count;
}

static bool run_memory_block(LinxState *state, uint64_t *pc,
                             LinxRecord *record)
{
    uint8_t bytes[1024];
    size_t count = read_header_bytes(state, *pc, bytes, sizeof(bytes));
    LinxBlock block;

    record->bpc = *pc;
    if (!linx_read_header(bytes, count, *pc, state->gpr, &block,
                          &record->trap)) {
        record->trapped = true;
        return false;
    }
    record->next = *pc = block.next;
    return run_block(state, &block, record);
}

bool linx_is_memory_block(LinxOp op)
{
    return op >= LINX_BSTART_MPAR && op <= LINX_C_BSTART_VSEQ;
}

bool linx_is_system_block(LinxOp op)
{
    return op == LINX_BSTART_SYS_FALL || op == LINX_C_BSTART_SYS;
}

bool linx_is_scalar_block(LinxOp op)
{
    return op == LINX_BSTART_STD_FALL || op == LINX_C_BSTART_STD_FALL ||
           op == LINX_BSTART_STD_DIRECT || op == LINX_BSTART_STD_COND ||
           linx_is_system_block(op);
}

uint64_t linx_scalar_next(const LinxContext *x, const LinxInst *start,
                          uint64_t pc, uint64_t next)
{
    bool jumps = start->op == LINX_BSTART_STD_DIRECT ||
                 (start->op == LINX_BSTART_STD_COND && x->taken);

    return jumps ? pc + 2 * start->field[LINX_F_simm17] : next;
}

/* Scalar code up to the next block; *@end is set by ACRC 1. */
static bool run_scalar_block(LinxContext *x, bool is_system, bool *end)
{
    LinxInst inst;

    if (is_system && x->state->overlap) {
        linx_overlap_order(x->state->overlap);
    }
    while (fetch(x, &inst)) {
        unsigned group = linx_rows[inst.op].group;

        if (group == LINX_G_HDR_START || group == LINX_G_TERM) {
            x->pc += group == LINX_G_TERM ? inst.size : 0;
            return true;
        }
        if (inst.op == LINX_ACRC) {
            *end = is_system && inst.field[LINX_F_RST_Type] == 1;
            return *end || linx_illegal(x);
        }
        if (!step(x)) {
            return false;
        }
    }
    return false;
}

/* A block of scalar code from @pc on; *@pc is where it goes on. */
static bool run_scalar(LinxState *state, const LinxInst *start, uint64_t *pc,
                       LinxRecord *record, bool *end)
{
    LinxContext x = {
        .state = state, .record = record, .pc = *pc + start->size,
    };

    if (!run_scalar_block(&x, linx_is_system_block(start->op), end)) {
        return false;
    }
    *pc = linx_scalar_next(&x, start, *pc, x.pc);
    return true;
}

bool linx_run(LinxState *state, uint64_t pc, LinxRecord *record)
{
    bool end = false;

    *record = (LinxRecord) { 0 };
    while (!end && state->budget) {
        LinxContext x = { .state = state, .record = record, .pc = pc };
        LinxInst inst;

        state->budget--;
        record->bpc = pc;
        if (!fetch(&x, &inst)) {
            return false;
        }
        if (!linx_is_memory_block(inst.op) &&
            !linx_is_scalar_block(inst.op)) {
            return linx_illegal(&x);
        }
        if (!(linx_is_memory_block(inst.op) ?
              run_memory_block(state, &pc, record) :
              run_scalar(state, &inst, &pc, record, &end))) {
            return false;
        }
    }
    record->out_of_budget = !end;
    return end;
}
