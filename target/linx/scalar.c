/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scalar code: branches, system registers (linx-blocks sections 10, 11). */
#include <glib.h>
#include "target/engine/wave.h"
#include "target/linx/perform.h"

bool linx_address_of(LinxContext *x)
{
    uint64_t upper = (uint64_t)x->inst->field[LINX_F_simm20] << 12;
    uint64_t value = x->inst->op == LINX_LUI ? upper : x->pc + upper;

    return x->inst->op == LINX_SETRET ? linx_illegal(x) :
           linx_result(x, &value);
}

#define S(value) ((int64_t)(value))

/* BRANCH and SETC rows of ops.inc. */
static bool is_true(const LinxContext *x, uint64_t a, uint64_t b)
{
    switch (x->inst->op) {
#define BRANCH(op, condition, from) case LINX_##op: return condition;
#define SETC(op, condition) case LINX_##op: return condition;
#include "target/linx/ops-rows.h"
    default:
        return false;
    }
}

/* From where a branch that is taken counts its distance. */
static uint64_t origin(const LinxContext *x, uint64_t a)
{
    switch (x->inst->op) {
#define BRANCH(op, condition, from) case LINX_##op: return from;
#include "target/linx/ops-rows.h"
    default:
        return 0;
    }
}

/* What branches and conditions compare; an immediate may be shifted. */
static bool read_pair(LinxContext *x, uint64_t *a, uint64_t *b)
{
    const LinxInst *inst = x->inst;

    *a = 0;
    *b = (uint64_t)(inst->field[LINX_F_simm12] +
                    inst->field[LINX_F_uimm12]) << inst->field[LINX_F_shamt];
    if ((linx_has_field(x, LINX_F_SrcL) && !linx_source(x, LINX_F_SrcL, a)) ||
        (linx_has_field(x, LINX_F_SrcR) && !linx_source(x, LINX_F_SrcR, b))) {
        return false;
    }
    if (linx_has_field(x, LINX_F_SrcR)) {
        *b = linx_modified(inst, *b);
    }
    return true;
}

/* linx-blocks section 11. */
bool linx_branch(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    int64_t distance = 2 * (inst->field[LINX_F_simm12] +
                            inst->field[LINX_F_simm22]);
    uint64_t a, b;

    if (!x->block) {
        return linx_illegal(x);
    }
    if (!read_pair(x, &a, &b)) {
        return false;
    }
    if (is_true(x, a, b)) {
        x->next_pc = origin(x, a) + distance;
    }
    return true;
}

/* TAKEN of BARG: LSRGET shows it, a block that falls through ignores it. */
bool linx_set_condition(LinxContext *x)
{
    uint64_t a, b;

    if (!read_pair(x, &a, &b)) {
        return false;
    }
    x->taken = is_true(x, a, b);
    return true;
}

bool linx_set_target(LinxContext *x)
{
    uint64_t a;

    return linx_source(x, LINX_F_SrcL, &a);
}

/* ---- system registers, linx-blocks section 14 ---- */

enum { CSTATE = 0x20, FFLAGS_AT = 32, FRM_AT = 37, PERM = 4 };

static uint64_t read_time(const LinxContext *x)
{
    const LinxMemory *memory = &x->state->memory;

    if (x->wave) {
        return wave_clock(x->wave);
    }
    return memory->time ? memory->time(memory->opaque) : 0;
}

static uint64_t read_cstate(const LinxContext *x)
{
    return (uint64_t)(x->state->fflags | x->fflags) << FFLAGS_AT |
           (uint64_t)x->state->frm << FRM_AT;
}

/* LaneNum 5:0, GroupNum 15:8, TMinSize 31:16, TMaxSize 47:32 (OURS-35). */
static uint64_t read_lcfr(const LinxContext *x)
{
    (void)x;
    return 6 | 1 << 8 | (uint64_t)(LINX_TILE_MAX / 512 - 1) << 32;
}

/* All that a dispatch runs is one logical core, the first of one. */
static uint64_t read_zero(const LinxContext *x)
{
    (void)x;
    return 0;
}

static uint64_t read_one(const LinxContext *x)
{
    (void)x;
    return 1;
}

static const struct {
    uint16_t id;
    uint64_t (*read)(const LinxContext *x);
} registers[] = {
    { 0x10, read_time },   /* TIME */
    { 0x11, read_time },   /* CYCLE */
    { CSTATE, read_cstate },
    { 0x21, read_zero },   /* LXLCID */
    { 0x24, read_lcfr },   /* LCFR */
    { 0x50, read_one },    /* BLOCKNUM */
    { 0x51, read_zero },   /* BLOCKID */
};

static bool read_register(LinxContext *x, uint64_t *value)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(registers); i++) {
        if (registers[i].id == x->inst->field[LINX_F_SSRID]) {
            *value = registers[i].read(x);
            return true;
        }
    }
    return linx_illegal(x);
}

/* Only the rounding mode and the flags can be written, by scalar code. */
static bool write_register(LinxContext *x, uint64_t value)
{
    if (x->block || x->inst->field[LINX_F_SSRID] != CSTATE) {
        return linx_raise(x, LINX_E_INST, PERM, 0);
    }
    x->state->frm = value >> FRM_AT & 7;
    x->state->fflags = value >> FFLAGS_AT & 31;
    x->fflags = 0;
    return true;
}

bool linx_system_register(LinxContext *x)
{
    uint64_t old = 0, value = 0;
    bool reads = linx_has_field(x, LINX_F_RegDst);
    bool writes = linx_has_field(x, LINX_F_SrcL);

    if (writes && x->block) {
        return linx_raise(x, LINX_E_INST, PERM, 0);
    }
    return (!writes || linx_source(x, LINX_F_SrcL, &value)) &&
           (!reads || read_register(x, &old)) &&
           (!writes || write_register(x, value)) &&
           (!reads || linx_result(x, &old));
}

/* The rest of BARG, laid out by us: its places are not public. */
static uint64_t block_arguments(const LinxContext *x)
{
    const LinxBlock *block = x->block;
    uint64_t value = 3 /* BlockType 4:0 */ | (uint64_t)x->taken << 7;

    for (unsigned i = 0; i < block->gpr_outputs; i++) {
        value |= (uint64_t)block->ro[i] << (16 + 5 * i); /* RegDst0 to 3 */
    }
    return value;
}

/* LSRGET: parts of BARG. */
bool linx_local_register(LinxContext *x)
{
    uint64_t value;

    if (!x->block) {
        return linx_illegal(x);
    }
    switch (x->inst->field[LINX_F_LSRID]) {
    case 0:
        value = x->block->bpc;
        break;
    case 1:
        value = x->block->next;
        break;
    case 2:
        value = block_arguments(x);
        break;
    default:
        return linx_illegal(x);
    }
    return linx_result(x, &value);
}

/* No bridge load may be without its store (section 9.3). */
bool linx_end_body(LinxContext *x)
{
    for (unsigned i = 0; i < LINX_BRIDGES; i++) {
        if (x->bridge[i].pending) {
            return linx_illegal(x);
        }
    }
    x->ended = true;
    return true;
}

/* ---- only outside memory blocks ---- */

/* Blocks, and the loads and stores of scalar code, are in order anyway. */
bool linx_fence(LinxContext *x)
{
    return !x->block || linx_illegal(x);
}

bool linx_assert(LinxContext *x)
{
    uint64_t value;

    if (x->block) {
        return linx_illegal(x);
    }
    return linx_source(x, LINX_F_SrcL, &value) &&
           (value || linx_raise(x, LINX_E_ASSERT, 0, 0));
}

bool linx_breakpoint(LinxContext *x)
{
    return x->block ? linx_illegal(x) :
           linx_raise(x, LINX_E_BREAKPOINT, x->inst->field[LINX_F_imm4], 0);
}
