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

void linx_lane_counts(const LinxContext *x, unsigned loop, uint64_t *out)
{
    const LinxPlace *place = &x->place;
    unsigned first = loop == 0 ? place->lc0 : loop == 1 ? place->lc1 :
                     place->lc2;

    for (unsigned i = 0; i < x->lanes; i++) {
        out[i] = x->block->flat ? x->lc[loop][i] :
                 first + (loop == 0 ? i : 0);
    }
}

static void flat_counts(LinxContext *x)
{
    const LinxBlock *block = x->block;
    uint64_t t0 = block->lb[0], t1 = block->lb[1];
    uint64_t n = x->group * LINX_LANES;
    uint16_t c0 = n % t0, c1 = n / t0 % t1, c2 = n / (t0 * t1);

    for (unsigned i = 0; i < LINX_LANES; i++) {
        x->lc[0][i] = c0;
        x->lc[1][i] = c1;
        x->lc[2][i] = c2;
        if (++c0 == t0) {
            c0 = 0;
            if (++c1 == t1) {
                c1 = 0;
                c2++;
            }
        }
    }
}

/* Lanes of the group, which the loops' last one may have fewer of. */
static uint64_t live_lanes(const LinxContext *x)
{
    const LinxBlock *block = x->block;
    uint64_t left = block->flat ?
        (uint64_t)block->lb[0] * block->lb[1] * block->lb[2] -
        x->group * LINX_LANES : block->lb[0] - (uint64_t)x->place.lc0;

    return left < LINX_LANES ? (1ull << left) - 1 : ~0ull;
}

static void begin(LinxContext *x)
{
    x->pc = x->block->text;
    x->ended = x->taken = false;
    x->raised |= x->fflags;
    x->fflags = 0;
    for (unsigned i = 0; i < LINX_QUEUES; i++) {
        x->queue[i].pushes = 0;
    }
    x->live = x->p = live_lanes(x);
}

void linx_group_start(LinxContext *x, uint64_t group)
{
    x->group = group;
    if (x->block->flat) {
        flat_counts(x);
    } else {
        x->place = linx_group_place(x->block, group);
    }
    begin(x);
}

/* Within the inner loop there is nothing to divide. */
void linx_group_next(LinxContext *x)
{
    unsigned next = x->place.lc0 + LINX_LANES;

    if (x->block->flat || next >= x->block->lb[0]) {
        linx_group_start(x, x->group + 1);
        return;
    }
    x->group++;
    x->place.lc0 = next;
    begin(x);
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

/* The same for all lanes. */
static bool uniform(LinxValue *value, uint64_t first)
{
    value->lane = NULL;
    value->first = first;
    value->step = 0;
    return true;
}

/* One value a lane. */
static void spread(const LinxValue *value, unsigned lanes, uint64_t *out)
{
    if (value->lane) {
        memmove(out, value->lane, lanes * sizeof(*out));
        return;
    }
    for (unsigned i = 0; i < lanes; i++) {
        out[i] = value->first + i * value->step;
    }
}

static bool read_vector(LinxContext *x, unsigned number, unsigned size,
                        LinxValue *value)
{
    bool reuse = number >= LINX_REUSE;
    unsigned at = number % LINX_REUSE;
    LinxEntry *entry = readable(x, LINX_Q_VT + at / 8, at % 8 + 1, size);

    if (!entry) {
        return false;
    }
    value->lane = entry->lane;
    if (!reuse) {
        x->release[x->releases++] = entry;
    }
    return true;
}

static bool read_scalar(LinxContext *x, unsigned queue, unsigned distance,
                        unsigned size, LinxValue *value)
{
    LinxEntry *entry = readable(x, queue, distance, size);

    if (!entry) {
        return false;
    }
    if (entry->bridge) {
        return linx_illegal(x); /* a handle: only for its bridge store */
    }
    return uniform(value, entry->lane[0]);
}

static bool read_formal(LinxContext *x, unsigned number, LinxValue *value)
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
    return uniform(value, base);
}

/* LC0, LB0, LC1... have numbers 4 apart. */
static bool read_loop(LinxContext *x, unsigned number, LinxValue *value)
{
    unsigned loop = (number - LINX_LC0) / 4;

    if (number & 1) {
        return uniform(value, x->block->lb[loop]);
    }
    if (x->block->flat) {
        linx_lane_counts(x, loop, value->room);
        value->lane = value->room;
        return true;
    }
    uniform(value, loop == 0 ? x->place.lc0 : loop == 1 ? x->place.lc1 :
            x->place.lc2);
    value->step = loop == 0;
    return true;
}

static bool read_number(LinxContext *x, unsigned number, unsigned size,
                        LinxValue *value)
{
    if (number < LINX_RI || number >= LINX_REUSE) {
        return read_vector(x, number, size, value);
    }
    if (number <= LINX_RI_LAST) {
        if (number - LINX_RI >= x->block->gpr_inputs) {
            return not_declared(x);
        }
        return uniform(value, x->block->ri_value[number - LINX_RI]);
    }
    if (number < LINX_LC0) {
        unsigned queue = number < LINX_U ? LINX_Q_T : LINX_Q_U;

        return read_scalar(x, queue, number % 4 + 1, size, value);
    }
    if (number < LINX_TA) {
        return read_loop(x, number, value);
    }
    if (number <= LINX_TO_LAST) {
        return read_formal(x, number, value);
    }
    return uniform(value, number == LINX_P ? x->p : 0);
}

/* A 5-bit source: in a body only T and U. */
static bool read_short(LinxContext *x, unsigned number, LinxValue *value)
{
    if (number >= 24) {
        return read_scalar(x, number < 28 ? LINX_Q_T : LINX_Q_U,
                           number % 4 + 1, 3, value);
    }
    if (number && x->block) {
        return linx_illegal(x);
    }
    return uniform(value, number ? x->state->gpr[number] : 0);
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

static bool raw_value(LinxContext *x, LinxField field, unsigned packed,
                      LinxValue *value)
{
    int64_t operand = x->inst->field[field];
    unsigned size = linx_type_size(linx_type(operand), false) + packed;

    if (linx_rows[x->inst->op].bits == 32) {
        return read_short(x, operand, value);
    }
    return read_number(x, linx_number(operand), size, value);
}

bool linx_raw(LinxContext *x, LinxField field, unsigned packed, uint64_t *out)
{
    LinxValue value;

    if (!raw_value(x, field, packed, &value)) {
        return false;
    }
    spread(&value, x->lanes, out);
    return true;
}

/* Extend by the operand's type what is not extended already. */
static void extend(LinxContext *x, LinxValue *value, unsigned type)
{
    unsigned size = linx_type_size(type, false);
    bool narrow = size < 3 && type >= 4;

    if (value->lane ? !narrow && value->lane != value->room :
        value->step && size && !narrow) {
        return; /* entries hold zeros above their width */
    }
    if (!value->lane && !value->step) {
        value->first = linx_extend(value->first, size, type >= 4);
        return;
    }
    spread(value, x->lanes, value->room);
    value->lane = value->room;
    linx_extend_lanes(value->room, x->lanes, type, false);
}

bool linx_read(LinxContext *x, LinxField field, LinxValue *value)
{
    int64_t operand = x->inst->field[field];

    if (!raw_value(x, field, 0, value)) {
        return false;
    }
    if (linx_rows[x->inst->op].bits == 64 &&
        linx_number(operand) != LINX_P) {
        extend(x, value, linx_type(operand));
    }
    return true;
}

bool linx_source(LinxContext *x, LinxField field, uint64_t *out)
{
    LinxValue value;

    if (!linx_read(x, field, &value)) {
        return false;
    }
    spread(&value, x->lanes, out);
    return true;
}

bool linx_mask_source(LinxContext *x, LinxField field, uint64_t *out)
{
    LinxValue value;

    if (!read_number(x, linx_number(x->inst->field[field]), 3, &value)) {
        return false;
    }
    spread(&value, x->lanes, out);
    return true;
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
    unsigned number = linx_number(operand);
    unsigned size = 3 - linx_type(operand) + packed;

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
