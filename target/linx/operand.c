/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading sources and writing results (linx-blocks sections 6 to 8, 10). */
#include <string.h>
#include "target/linx/perform.h"

bool linx_raise(LinxContext *x, LinxTrapNumber number, uint32_t cause,
                uint64_t arg)
{
    LinxRecord *record = x->record;

    if (!record->trapped) {
        record->trapped = true;
        record->trap = (LinxTrap) {
            .number = number, .cause = cause, .pc = x->pc
        };
        record->arg = arg;
        record->group = x->group;
        record->in_body = x->block;
    }
    return false;
}

bool linx_illegal(LinxContext *x)
{
    return linx_raise(x, LINX_E_INST, LINX_INST_ILLEGAL, 0);
}

static bool not_declared(LinxContext *x)
{
    return linx_raise(x, LINX_E_BLOCK, LINX_BLOCK_INVAL_GET, 0);
}

uint64_t linx_active(const LinxContext *x)
{
    return x->lanes == 1 ? 1 : x->p;
}

static LinxEntry *entry_at(LinxContext *x, unsigned queue, unsigned distance)
{
    LinxQueue *q = &x->queue[queue];

    return &q->entry[(q->pushes - distance) % LINX_DEPTH];
}

/* VM and VN are not there in a VS8 block. */
static bool has_queue(const LinxContext *x, unsigned queue)
{
    return (queue != LINX_Q_VM && queue != LINX_Q_VN) ||
           x->block->wide_queues;
}

/* An entry, or NULL and a trap if it may not be read as @size. */
static LinxEntry *readable(LinxContext *x, unsigned queue, unsigned distance,
                           unsigned size)
{
    LinxEntry *entry = entry_at(x, queue, distance);

    if (!has_queue(x, queue)) {
        linx_raise(x, LINX_E_INST, LINX_INST_PARAM, 0);
    } else if (distance > x->queue[queue].pushes || !entry->valid ||
               entry->released) {
        not_declared(x);
    } else if (entry->width != size) {
        linx_illegal(x); /* the width rule */
    } else {
        return entry;
    }
    return NULL;
}

static void fill(uint64_t *out, unsigned lanes, uint64_t value)
{
    for (unsigned i = 0; i < lanes; i++) {
        out[i] = value;
    }
}

static bool read_vector(LinxContext *x, unsigned number, unsigned size,
                        uint64_t *out)
{
    bool reuse = number >= LINX_REUSE;
    unsigned at = number % LINX_REUSE;
    LinxEntry *entry = readable(x, LINX_Q_VT + at / 8, at % 8 + 1, size);

    if (!entry) {
        return false;
    }
    memcpy(out, entry->lane, x->lanes * sizeof(*out));
    if (!reuse) {
        x->release[x->releases++] = entry;
    }
    return true;
}

static bool read_scalar(LinxContext *x, unsigned queue, unsigned distance,
                        unsigned size, uint64_t *out)
{
    LinxEntry *entry = readable(x, queue, distance, size);

    if (!entry) {
        return false;
    }
    if (entry->bridge) {
        return linx_illegal(x); /* a handle: only for its bridge store */
    }
    fill(out, x->lanes, entry->lane[0]);
    return true;
}

static bool read_formal(LinxContext *x, unsigned number, uint64_t *out)
{
    unsigned i = number - LINX_TA;
    uint64_t base;

    if (number < LINX_TO) {
        if (i >= x->bound->inputs) {
            return not_declared(x);
        }
        base = linx_tile_base(x->bound->input[i]);
    } else {
        i = number - LINX_TO;
        if (i >= x->bound->outputs) {
            return not_declared(x);
        }
        base = linx_tile_base(x->bound->output[i]);
        if (x->block->output[i].queue == LINX_QUEUE_S) {
            base += x->group * x->block->output[i].size;
        }
    }
    fill(out, x->lanes, base);
    return true;
}

/* LC0, LB0, LC1... have numbers 4 apart. */
static bool read_loop(LinxContext *x, unsigned number, uint64_t *out)
{
    unsigned loop = (number - LINX_LC0) / 4;

    if (number & 1) {
        fill(out, x->lanes, x->block->lb[loop]);
    } else {
        for (unsigned i = 0; i < x->lanes; i++) {
            out[i] = x->lc[i][loop];
        }
    }
    return true;
}

static bool read_number(LinxContext *x, unsigned number, unsigned size,
                        uint64_t *out)
{
    if (number < LINX_RI || number >= LINX_REUSE) {
        return read_vector(x, number, size, out);
    }
    if (number <= LINX_RI_LAST) {
        if (number - LINX_RI >= x->block->gpr_inputs) {
            return not_declared(x);
        }
        fill(out, x->lanes, x->block->ri_value[number - LINX_RI]);
        return true;
    }
    if (number < LINX_LC0) {
        unsigned queue = number < LINX_U ? LINX_Q_T : LINX_Q_U;

        return read_scalar(x, queue, number % 4 + 1, size, out);
    }
    if (number < LINX_TA) {
        return read_loop(x, number, out);
    }
    if (number <= LINX_TO_LAST) {
        return read_formal(x, number, out);
    }
    fill(out, x->lanes, number == LINX_P ? x->p : 0);
    return true;
}

/* A 5-bit source: in a body only T and U. */
static bool read_short(LinxContext *x, unsigned number, uint64_t *out)
{
    if (number >= 24) {
        return read_scalar(x, number < 28 ? LINX_Q_T : LINX_Q_U,
                           number % 4 + 1, 3, out);
    }
    if (number && x->block) {
        return linx_illegal(x);
    }
    *out = number ? x->state->gpr[number] : 0;
    return true;
}

void linx_extend_lanes(uint64_t *value, unsigned lanes, unsigned type,
                       bool is_float)
{
    unsigned above = 64 - (8u << linx_type_size(type, is_float));

    if (above == 0) {
        return;
    }
    if (!is_float && type >= 4) {
        for (unsigned i = 0; i < lanes; i++) {
            value[i] = (uint64_t)((int64_t)(value[i] << above) >> above);
        }
    } else {
        for (unsigned i = 0; i < lanes; i++) {
            value[i] &= ~0ull >> above;
        }
    }
}

void linx_mask_lanes(uint64_t *value, unsigned lanes, uint64_t active)
{
    if (lanes == 1 || active == ~0ull) {
        return;
    }
    for (unsigned i = 0; i < lanes; i++) {
        value[i] &= -(active >> i & 1);
    }
}

bool linx_raw(LinxContext *x, LinxField field, unsigned packed, uint64_t *out)
{
    int64_t operand = x->inst->field[field];
    unsigned size = linx_type_size(linx_type(operand), false) + packed;

    if (linx_rows[x->inst->op].bits == 32) {
        return read_short(x, operand, out);
    }
    return read_number(x, linx_number(operand), size, out);
}

bool linx_source(LinxContext *x, LinxField field, uint64_t *out)
{
    int64_t operand = x->inst->field[field];

    if (!linx_raw(x, field, 0, out)) {
        return false;
    }
    if (linx_rows[x->inst->op].bits == 64 &&
        linx_number(operand) != LINX_P) {
        linx_extend_lanes(out, x->lanes, linx_type(operand), false);
    }
    return true;
}

bool linx_mask_source(LinxContext *x, LinxField field, uint64_t *out)
{
    return read_number(x, linx_number(x->inst->field[field]), 3, out);
}

LinxEntry *linx_bridge_handle(LinxContext *x, LinxField field)
{
    int64_t operand = x->inst->field[field];
    unsigned number = linx_number(operand);
    LinxEntry *entry;

    if (number < LINX_T || number >= LINX_U + LINX_DEPTH) {
        linx_illegal(x); /* no handle is anywhere else */
        return NULL;
    }
    entry = readable(x, number < LINX_U ? LINX_Q_T : LINX_Q_U,
                     number % 4 + 1,
                     linx_type_size(linx_type(operand), false));
    if (entry && (!entry->bridge || entry->bridge == LINX_BRIDGE_USED)) {
        linx_illegal(x);
        return NULL;
    }
    return entry;
}

/* ---- results ---- */

static bool push(LinxContext *x, unsigned queue, unsigned size,
                 const uint64_t *value)
{
    LinxQueue *q = &x->queue[queue];
    LinxEntry *entry;
    unsigned lanes = queue < LINX_Q_T ? LINX_LANES : 1;

    if (!has_queue(x, queue)) {
        return linx_raise(x, LINX_E_INST, LINX_INST_PARAM, 0);
    }
    entry = &q->entry[q->pushes++ % LINX_DEPTH];
    if (size == 3) {
        memcpy(entry->lane, value, lanes * sizeof(*value));
    } else {
        for (unsigned i = 0; i < lanes; i++) {
            entry->lane[i] = value[i] & ~0ull >> (64 - (8u << size));
        }
    }
    entry->width = size;
    entry->bridge = 0;
    entry->valid = true;
    entry->released = false;
    return true;
}

/* Lanes' bits, or all of them at once; never those that are not live. */
static bool write_mask(LinxContext *x, const uint64_t *value)
{
    uint64_t mask = 0;

    if (x->lanes == 1) {
        mask = value[0];
    } else {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            mask |= (value[i] & 1) << i;
        }
    }
    x->p = mask & x->live;
    return true;
}

/* Other lanes of a vector's result are 0; P's stay as they are. */
static bool write_long(LinxContext *x, const uint64_t *value,
                       unsigned packed)
{
    int64_t operand = x->inst->field[LINX_F_RegDst];
    unsigned number = linx_number(operand), size = 3 - linx_type(operand) + packed;

    if (number == LINX_P) {
        return write_mask(x, value);
    }
    if (number < 4) {
        return push(x, LINX_Q_VT + number, size, value);
    }
    return push(x, number == LINX_PUSH_T ? LINX_Q_T : LINX_Q_U, size, value);
}

/* 5-bit destinations: 0 and 24 to 29 are nowhere. */
static bool write_short(LinxContext *x, const uint64_t *value)
{
    unsigned number = x->inst->field[LINX_F_RegDst];

    if (number >= 30) {
        return push(x, number == 31 ? LINX_Q_T : LINX_Q_U, 3, value);
    }
    if (number && number < 24) {
        if (x->block) {
            return linx_illegal(x);
        }
        x->state->gpr[number] = *value;
    }
    return true;
}

void linx_release(LinxContext *x)
{
    for (unsigned i = 0; i < x->releases; i++) {
        x->release[i]->released = true;
    }
    x->releases = 0;
}

/* A push may use the place of a source: that is released before. */
bool linx_result_packed(LinxContext *x, const uint64_t *value,
                        unsigned packed)
{
    linx_release(x);
    return linx_rows[x->inst->op].bits == 32 ? write_short(x, value) :
           write_long(x, value, packed);
}

bool linx_result(LinxContext *x, const uint64_t *value)
{
    return linx_result_packed(x, value, 0);
}

void linx_mark_bridge(LinxContext *x, unsigned bridge)
{
    unsigned number = linx_number(x->inst->field[LINX_F_RegDst]);

    entry_at(x, number == LINX_PUSH_T ? LINX_Q_T : LINX_Q_U, 1)->bridge =
        bridge + 1;
}
