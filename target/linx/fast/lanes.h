/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands and results of fast handlers. */
#ifndef LINX_FAST_LANES_H
#define LINX_FAST_LANES_H

#include <string.h>
#include "target/linx/fetch.h"

#define LINX_INL static inline __attribute__((always_inline, unused))
#define LINX_ROOM(name) \
    uint64_t name[LINX_LANES] __attribute__((aligned(64)))

/* What an operand holds: lane[i], or if that is NULL, first + i * step. */
typedef struct FastValue {
    const uint64_t *lane;
    uint64_t first, step;
    LinxEntry *release; /* when the instruction is done; or NULL */
} FastValue;

LINX_INL void fast_extend(const uint64_t *from, uint64_t *to, unsigned size,
                          bool is_signed)
{
    unsigned above = 64 - (8u << size);

    if (is_signed) {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            to[i] = (uint64_t)((int64_t)(from[i] << above) >> above);
        }
    } else {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            to[i] = from[i] << above >> above;
        }
    }
}

/* The entry, if it may be read: the checks of readable() in operand.c. */
LINX_INL LinxEntry *fast_entry(LinxContext *x, const LinxOperand *o)
{
    LinxQueue *q = &x->queue[o->queue];
    LinxEntry *entry = &q->entry[(q->pushes - o->at) % LINX_DEPTH];
    bool is_wide = o->queue == LINX_Q_VM || o->queue == LINX_Q_VN;

    return o->at <= q->pushes && entry->valid && !entry->released &&
           entry->width == o->size &&
           (!is_wide || x->block->wide_queues) ? entry : NULL;
}

LINX_INL bool fast_vector(LinxContext *x, const LinxOperand *o,
                          uint64_t *room, FastValue *v)
{
    LinxEntry *entry = fast_entry(x, o);

    if (unlikely(!entry)) {
        return false;
    }
    v->lane = entry->lane;
    v->release = o->reuse ? NULL : entry;
    if (o->is_signed && o->size < 3) {
        fast_extend(entry->lane, room, o->size, true);
        v->lane = room;
    }
    return true;
}

/*
 * LC0 of consecutive lanes is a number and its step, unless its type cuts it;
 * in flat blocks each lane has its own counters.
 */
LINX_INL bool fast_counter(LinxContext *x, const LinxOperand *o,
                           uint64_t *room, FastValue *v)
{
    bool cuts = o->size == 0 || (o->is_signed && o->size < 3);

    v->first = o->at == 0 ? x->place.lc0 : o->at == 1 ? x->place.lc1 :
               x->place.lc2;
    if (likely(!x->block->flat)) {
        if (o->at) {
            v->first = linx_extend(v->first, o->size, o->is_signed);
            return true;
        }
        v->step = 1;
        if (likely(!cuts)) {
            return true;
        }
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        room[i] = x->block->flat ? x->lc[o->at][i] : v->first + i;
    }
    fast_extend(room, room, o->size, o->is_signed);
    v->lane = room;
    return true;
}

/* The base of a tile, as a formal name of it has it. */
LINX_INL bool fast_tile(const LinxContext *x, const LinxOperand *o,
                        FastValue *v)
{
    const LinxBound *bound = x->bound;
    bool is_input = o->from == LINX_FROM_TILE;

    if (o->at >= (is_input ? bound->inputs : bound->outputs)) {
        return false;
    }
    v->first = linx_tile_base(is_input ? bound->input[o->at] :
                              bound->output[o->at]);
    if (!is_input && x->block->output[o->at].queue == LINX_QUEUE_S) {
        v->first += x->group * x->block->output[o->at].size;
    }
    v->first = linx_extend(v->first, o->size, o->is_signed);
    return true;
}

/* False, and nothing has changed, if it cannot be read. */
LINX_INL bool fast_read(LinxContext *x, const LinxOperand *o, uint64_t *room,
                        FastValue *v)
{
    LinxEntry *entry;
    uint64_t value = 0;

    *v = (FastValue) { 0 };
    switch (o->from) {
    case LINX_FROM_VECTOR:
        return fast_vector(x, o, room, v);
    case LINX_FROM_COUNTER:
        return fast_counter(x, o, room, v);
    case LINX_FROM_TILE:
    case LINX_FROM_OUTPUT:
        return fast_tile(x, o, v);
    case LINX_FROM_P:
        v->first = x->p;
        return true;
    case LINX_FROM_SCALAR:
        entry = fast_entry(x, o);
        if (unlikely(!entry || entry->bridge)) {
            return false;
        }
        value = entry->lane[0];
        break;
    case LINX_FROM_INPUT:
        if (unlikely(o->at >= x->block->gpr_inputs)) {
            return false;
        }
        value = x->block->ri_value[o->at];
        break;
    case LINX_FROM_BOUND:
        value = x->block->lb[o->at];
        break;
    default:
        break;
    }
    v->first = linx_extend(value, o->size, o->is_signed);
    return true;
}

/* @v as lanes, in @room if it has none of its own. */
LINX_INL const uint64_t *fast_lanes(const FastValue *v, uint64_t *room)
{
    if (v->lane) {
        return v->lane;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        room[i] = v->first + i * v->step;
    }
    return room;
}

/* 0 in lanes that are off. */
LINX_INL void fast_mask(uint64_t *value, uint64_t active)
{
    if (active == ~0ull) {
        return;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        value[i] &= -(active >> i & 1);
    }
}

LINX_INL void fast_cut(uint64_t *value, unsigned size)
{
    uint64_t mask = ~0ull >> (64 - (8u << size));

    if (size == 3) {
        return;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        value[i] &= mask;
    }
}

/* Bit 0 of each lane. */
LINX_INL uint64_t fast_bits(const uint64_t *value)
{
    uint8_t byte[LINX_LANES] __attribute__((aligned(64)));
    uint64_t bits = 0;

    for (unsigned i = 0; i < LINX_LANES; i++) {
        byte[i] = value[i] & 1;
    }
    for (unsigned i = 0; i < LINX_LANES / 8; i++) {
        uint64_t eight;

        memcpy(&eight, byte + 8 * i, 8);
        bits |= (eight * 0x0102040810204080ull) >> 56 << (8 * i);
    }
    return bits;
}

/* Where the next result of queue @queue goes, or NULL if there is none. */
LINX_INL LinxEntry *fast_next(LinxContext *x, unsigned queue)
{
    LinxQueue *q = &x->queue[queue];
    bool is_wide = queue == LINX_Q_VM || queue == LINX_Q_VN;

    return !is_wide || x->block->wide_queues ?
           &q->entry[q->pushes % LINX_DEPTH] : NULL;
}

LINX_INL void fast_release(const FastValue *v)
{
    if (v->release) {
        v->release->released = true;
    }
}

/* The result is there: sources have been released before. */
LINX_INL void fast_push(LinxContext *x, unsigned queue, LinxEntry *entry,
                        unsigned width)
{
    x->queue[queue].pushes++;
    entry->width = width;
    entry->bridge = 0;
    entry->valid = true;
    entry->released = false;
}

#endif
