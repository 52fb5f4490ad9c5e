/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer rows of ops.inc, and the end of a body. */
#include "target/linx/fast/handlers.h"
#include "target/linx/fast/lanes.h"

/* What has no source is never looked at, but compilers may load it. */
static const uint64_t nothing[LINX_LANES] __attribute__((aligned(64)));

typedef struct Sources {
    FastValue a, b, c;
} Sources;

static inline void operands(const LinxContext *x, const LinxUop *u,
                            LinxOperands *o)
{
    o->active = linx_active(x);
    o->width = 8u << u->compute.left;
    o->at = u->compute.at;
    o->bits = u->compute.bits;
}

static inline void release(const Sources *s)
{
    fast_release(&s->a);
    fast_release(&s->b);
    fast_release(&s->c);
}

/* ---- all lanes ---- */

/* The modifiers of 64-bit forms are x and 0 - x and ~x: (x ^ m) - n. */
static void modify(const LinxInst *inst, const uint64_t *from, uint64_t *to)
{
    unsigned shift = inst->field[LINX_F_shamt];
    uint64_t mask = inst->field[LINX_F_SrcRType] == 3 ? ~0ull : 0;
    uint64_t less = linx_rows[inst->op].flags & LINX_NOT ? 0 : mask;

    for (unsigned i = 0; i < LINX_LANES; i++) {
        to[i] = ((from[i] ^ mask) - less) << shift;
    }
}

/* The right source, an immediate if there is no other. */
LINX_INL bool right(LinxContext *x, const LinxUop *u, uint64_t *room,
                    FastValue *v)
{
    if (u->compute.has_right) {
        return fast_read(x, &u->fast.b, room, v);
    }
    *v = (FastValue) { .first = u->compute.imm };
    return true;
}

/* A result in place of a source is made elsewhere first. */
LINX_INL bool is_source(const LinxOperands *o, const uint64_t *lane)
{
    return o->a == lane || o->b == lane || o->c == lane;
}

bool LINX_AT_LEVEL(linx_fast_compute)(LinxContext *x, const LinxUop *u)
{
    const LinxFastPlan *f = &u->fast;
    LINX_ROOM(a);
    LINX_ROOM(b);
    LINX_ROOM(c);
    LINX_ROOM(result);
    LinxOperands o = { .c = nothing, .lanes = LINX_LANES, .result = result };
    LinxEntry *to = NULL;
    Sources s;

    if (!fast_read(x, &f->a, a, &s.a) || !right(x, u, b, &s.b)) {
        return false;
    }
    o.a = fast_lanes(&s.a, a);
    o.b = fast_lanes(&s.b, b);
    if (u->compute.modifies) {
        modify(&u->inst, o.b, b);
        o.b = b;
    }
    s.c.release = NULL;
    if (u->compute.third != LINX_FIELDS) {
        if (!fast_read(x, &f->c, c, &s.c)) {
            return false;
        }
        o.c = fast_lanes(&s.c, c);
    }
    if (f->to != LINX_TO_P) {
        to = fast_next(x, f->to);
        if (!to) {
            return false;
        }
        o.result = is_source(&o, to->lane) ? result : to->lane;
    }
    operands(x, u, &o);
    f->fn(&o);
    fast_mask(o.result, x->p);
    release(&s);
    if (f->to == LINX_TO_P) {
        x->p = fast_bits(result) & x->live;
        return true;
    }
    fast_cut(o.result, f->width);
    if (o.result != to->lane) {
        memcpy(to->lane, result, sizeof(result));
    }
    fast_push(x, f->to, to, f->width);
    return true;
}

/* ---- the scalar lane ---- */

/* Lane 0 of what may be lanes. */
LINX_INL uint64_t first_lane(const FastValue *v)
{
    return v->lane ? v->lane[0] : v->first;
}

/* 32-bit forms know SW and UW as well (section 10). */
static uint64_t modified(const LinxUop *u, uint64_t value)
{
    return linx_modified(&u->inst, value) << u->inst.field[LINX_F_shamt];
}

static void scalar_result(LinxContext *x, const LinxFastPlan *f,
                          uint64_t value)
{
    LinxEntry *to;

    if (f->to == LINX_TO_P) {
        x->p = value & x->live;
    } else if (f->to != LINX_TO_NOWHERE) {
        to = fast_next(x, f->to);
        to->lane[0] = value & ~0ull >> (64 - (8u << f->width));
        fast_push(x, f->to, to, f->width);
    }
}

bool LINX_AT_LEVEL(linx_fast_compute_scalar)(LinxContext *x,
                                             const LinxUop *u)
{
    const LinxFastPlan *f = &u->fast;
    LINX_ROOM(room);
    uint64_t a, b, c = 0, result;
    LinxOperands o = { .a = &a, .b = &b, .c = &c, .result = &result,
                       .lanes = 1 };
    Sources s;

    if (!fast_read(x, &f->a, room, &s.a)) {
        return false;
    }
    a = first_lane(&s.a);
    if (!right(x, u, room, &s.b)) {
        return false;
    }
    b = first_lane(&s.b);
    if (u->compute.modifies) {
        b = modified(u, b);
    }
    s.c.release = NULL;
    if (u->compute.third != LINX_FIELDS) {
        if (!fast_read(x, &f->c, room, &s.c)) {
            return false;
        }
        c = first_lane(&s.c);
    }
    operands(x, u, &o);
    f->fn(&o);
    release(&s);
    scalar_result(x, f, result);
    return true;
}

/* ---- the end ---- */

bool LINX_AT_LEVEL(linx_fast_end)(LinxContext *x, const LinxUop *u)
{
    if (unlikely(x->bridges)) {
        return false;
    }
    x->ended = true;
    return true;
}
