/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bodies and blocks, one instruction after the other. */
#include <string.h>
#include "target/linx/decode.h"
#include "target/linx/perform.h"

/* ---- one instruction ---- */

/* A body has no 16- and 48-bit code but C.BSTOP and block starts. */
static bool is_body_code(const LinxInst *inst)
{
    unsigned group = linx_rows[inst->op].group;

    return inst->size != 2 || group == LINX_G_TERM ||
           group == LINX_G_HDR_START;
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
    if (x->block ? !is_body_code(&inst) : inst.size != 4) {
        return linx_illegal(x);
    }
    x->inst = &inst;
    x->lanes = x->block && linx_is_vector(&inst) ? LINX_LANES : 1;
    x->releases = 0;
    x->next_pc = x->pc + inst.size;
    if (!linx_perform(x)) {
        return false;
    }
    linx_release(x);
    x->pc = x->next_pc;
    return true;
}

/* ---- groups and blocks ---- */

static bool run_group(LinxState *state, const LinxBlock *block,
                      const LinxBound *bound, uint64_t group, uint64_t *ro,
                      LinxRecord *record)
{
    LinxContext x = {
        .state = state, .block = block, .bound = bound, .ro = ro,
        .record = record, .group = group, .pc = block->text,
    };

    x.live = x.p = linx_group_lanes(block, group, x.lc);
    while (!x.ended && step(&x)) {
        /* the next one */
    }
    state->fflags |= x.fflags;
    return x.ended;
}

/* linx-blocks section 12: all or nothing but what memory has seen. */
static bool run_block(LinxState *state, const LinxBlock *block,
                      LinxRecord *record)
{
    uint64_t ro[LINX_GPR_OUTPUTS];
    LinxBound bound;
    uint32_t cause;

    if (!linx_tiles_bind(&state->tiles, block, &bound, &cause)) {
        record->trapped = true;
        record->trap = (LinxTrap) { LINX_E_BLOCK, cause, block->next - 4 };
        return false;
    }
    memcpy(ro, block->ro_value, sizeof(ro));
    for (uint64_t group = 0; group < linx_groups(block); group++) {
        if (!run_group(state, block, &bound, group, ro, record)) {
            linx_tiles_abandon(&state->tiles, &bound);
            return false;
        }
    }
    for (unsigned i = 0; i < block->gpr_outputs; i++) {
        state->gpr[block->ro[i]] = ro[i];
    }
    linx_tiles_commit(&state->tiles, block, &bound);
    return true;
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

static bool is_memory_block(LinxOp op)
{
    return (op >= LINX_BSTART_MPAR && op <= LINX_C_BSTART_VSEQ);
}

static bool is_scalar_block(LinxOp op)
{
    return op == LINX_BSTART_STD_FALL || op == LINX_C_BSTART_STD_FALL ||
           op == LINX_BSTART_SYS_FALL || op == LINX_C_BSTART_SYS;
}

/* Scalar code up to the next block; *@end is set by ACRC 1. */
static bool run_scalar_block(LinxContext *x, bool is_system, bool *end)
{
    LinxInst inst;

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
        if (is_memory_block(inst.op)) {
            if (!run_memory_block(state, &pc, record)) {
                return false;
            }
            continue;
        }
        if (!is_scalar_block(inst.op)) {
            return linx_illegal(&x);
        }
        x.pc += inst.size;
        if (!run_scalar_block(&x, inst.op == LINX_BSTART_SYS_FALL ||
                              inst.op == LINX_C_BSTART_SYS, &end)) {
            return false;
        }
        pc = x.pc;
    }
    record->out_of_budget = !end;
    return end;
}
