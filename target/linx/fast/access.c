/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and stores of whole groups, of what is in tiles or can be had of memory
 * at once: lanes that follow each other are one piece of bytes, others are
 * checked together before the first one is moved.
 */
#include "target/engine/mem.h"
#include "target/linx/fast/handlers.h"
#include "target/linx/fast/lanes.h"
#include "target/linx/memory.h"

enum { LINEAR_MAX = 32 /* stretches that are looked at */ };

typedef struct FastAccess {
    uint64_t first; /* of lane i, if they follow each other: first + i bytes */
    unsigned run;   /* lanes that do, from 0 on; 0: they do not */
    FastValue base, offset, data;
    LINX_ROOM(address);
    LINX_ROOM(value);
} FastAccess;

/* ---- addresses ---- */

LINX_INL bool may_access(const LinxContext *x, const LinxAccessPlan *plan)
{
    return !x->state->overlap && !x->resume &&
           !(plan->consecutive && x->block->flat) &&
           (plan->is_local || x->block->kind < LINX_VPAR) && x->p;
}

/* The active lanes, if they are lanes 0 to n - 1; else 0. */
LINX_INL unsigned low_run(uint64_t active)
{
    return active == ~0ull ? LINX_LANES :
           active & (active + 1) ? 0 : __builtin_popcountll(active);
}

LINX_INL void add_base(FastAccess *a, uint64_t more, unsigned shift)
{
    const uint64_t *base = a->base.lane, *offset = a->offset.lane;
    uint64_t first = a->base.first, start = a->offset.first << shift;
    uint64_t step = a->base.step + (a->offset.step << shift);

    if (base && offset) {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            a->address[i] = base[i] + (offset[i] << shift) + more;
        }
    } else if (offset) {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            a->address[i] = first + i * a->base.step + (offset[i] << shift) +
                            more;
        }
    } else if (base) {
        step -= a->base.step;
        for (unsigned i = 0; i < LINX_LANES; i++) {
            a->address[i] = base[i] + start + i * step + more;
        }
    } else {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            a->address[i] = first + start + i * step + more;
        }
    }
}

/* Lanes whose addresses are computed may follow each other after all. */
LINX_INL void find_run(FastAccess *a, unsigned size, uint64_t active)
{
    uint64_t odd = 0;

    a->run = 0;
    if (a->address[1] - a->address[0] != 1ull << size) {
        return;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        odd |= a->address[i] ^ (a->address[0] + ((uint64_t)i << size));
    }
    if (!odd) {
        a->first = a->address[0];
        a->run = low_run(active);
    }
}

/* Where lanes are; room for operands is where data will be. */
LINX_INL bool find_addresses(LinxContext *x, const LinxUop *u, FastAccess *a)
{
    const LinxAccessPlan *plan = &u->plan;
    unsigned shift = plan->shift;
    uint64_t more = plan->imm, step;

    a->offset = (FastValue) { 0 };
    if (!fast_read(x, &u->fast.a, a->address, &a->base) ||
        (!plan->has_imm &&
         !fast_read(x, &u->fast.b, a->value, &a->offset))) {
        return false;
    }
    step = a->base.step + (a->offset.step << shift);
    if (plan->consecutive) {
        more += (uint64_t)x->place.lc0 << plan->size;
        a->base.step += 1ull << plan->size;
        step += 1ull << plan->size;
    }
    if (!a->base.lane && !a->offset.lane && step == 1ull << plan->size) {
        a->run = low_run(x->p);
        a->first = a->base.first + (a->offset.first << shift) + more;
        if (a->run) {
            return true;
        }
    }
    add_base(a, more, shift);
    if (a->base.lane || a->offset.lane) {
        find_run(a, plan->size, x->p);
    } else {
        a->run = 0;
    }
    return true;
}

/* Lanes that are off go where one goes that is on: they do no harm there. */
LINX_INL void place_others(FastAccess *a, uint64_t active)
{
    uint64_t there = a->address[__builtin_ctzll(active)];

    if (active == ~0ull) {
        return;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        a->address[i] = active >> i & 1 ? a->address[i] : there;
    }
}

/* Are all lanes' @bytes bytes within the @size from @first on? */
LINX_INL bool all_within(const FastAccess *a, uint64_t first, uint64_t size,
                         unsigned bytes)
{
    uint64_t most = size - bytes, out = 0;

    if (size < bytes) {
        return false;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        uint64_t at = a->address[i] - first;

        out |= at | (most - at);
    }
    return !(out >> 63); /* sizes are far below 2^63 */
}

/* ---- bytes and lanes ---- */

#define ELEMENTS(bits) \
    LINX_INL void load_##bits(uint64_t *to, const uint8_t *from, \
                              unsigned n) \
    { \
        uint##bits##_t element; \
        for (unsigned i = 0; i < n; i++) { \
            mem_get(&element, from + i * sizeof(element), sizeof(element)); \
            to[i] = element; \
        } \
    } \
    LINX_INL void store_##bits(uint8_t *to, const uint64_t *from, \
                               unsigned n) \
    { \
        for (unsigned i = 0; i < n; i++) { \
            uint##bits##_t element = from[i]; \
            mem_put(to + i * sizeof(element), &element, sizeof(element)); \
        } \
    } \
    LINX_INL void gather_##bits(const FastAccess *a, uint64_t *to, \
                                uint64_t delta) \
    { \
        uint##bits##_t element; \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            mem_get(&element, \
                    (uint8_t *)(uintptr_t)(a->address[i] + delta), \
                    sizeof(element)); \
            to[i] = element; \
        } \
    } \
    LINX_INL void scatter_##bits(const FastAccess *a, const uint64_t *from, \
                                 uint64_t delta, uint64_t active) \
    { \
        for (; active; active &= active - 1) { \
            unsigned i = __builtin_ctzll(active); \
            uint##bits##_t element = from[i]; \
            mem_put((uint8_t *)(uintptr_t)(a->address[i] + delta), \
                    &element, sizeof(element)); \
        } \
    }
ELEMENTS(8)
ELEMENTS(16)
ELEMENTS(32)
ELEMENTS(64)

/* Loops of a known length are those that compilers make most of. */
#define BY_LANES(function, to, from, n) \
    ((n) == LINX_LANES ? function(to, from, LINX_LANES) : \
     function(to, from, n))

LINX_INL void load_run(unsigned size, uint64_t *to, const uint8_t *from,
                       unsigned n)
{
    switch (size) {
    case 0:
        BY_LANES(load_8, to, from, n);
        break;
    case 1:
        BY_LANES(load_16, to, from, n);
        break;
    case 2:
        BY_LANES(load_32, to, from, n);
        break;
    default:
        BY_LANES(load_64, to, from, n);
        break;
    }
}

LINX_INL void store_run(unsigned size, uint8_t *to, const uint64_t *from,
                        unsigned n)
{
    switch (size) {
    case 0:
        BY_LANES(store_8, to, from, n);
        break;
    case 1:
        BY_LANES(store_16, to, from, n);
        break;
    case 2:
        BY_LANES(store_32, to, from, n);
        break;
    default:
        BY_LANES(store_64, to, from, n);
        break;
    }
}

LINX_INL void gather(unsigned size, const FastAccess *a, uint64_t *to,
                     uint64_t delta)
{
    switch (size) {
    case 0:
        gather_8(a, to, delta);
        break;
    case 1:
        gather_16(a, to, delta);
        break;
    case 2:
        gather_32(a, to, delta);
        break;
    default:
        gather_64(a, to, delta);
        break;
    }
}

LINX_INL void scatter(unsigned size, const FastAccess *a,
                      const uint64_t *from, uint64_t delta, uint64_t active)
{
    switch (size) {
    case 0:
        scatter_8(a, from, delta, active);
        break;
    case 1:
        scatter_16(a, from, delta, active);
        break;
    case 2:
        scatter_32(a, from, delta, active);
        break;
    default:
        scatter_64(a, from, delta, active);
        break;
    }
}

/* ---- where bytes are ---- */

/*
 * Memory of a run: one piece, or two if it crosses into another page.  No
 * pointer is lost when the other is looked for.
 */
typedef struct Pieces {
    uint8_t *first, *second;
    unsigned bytes; /* of the first */
} Pieces;

LINX_INL uint8_t *look(LinxContext *x, uint64_t address, bool is_store)
{
    uint8_t *host = linx_memory_hit(x, address, is_store);

    return likely(host) ? host : linx_memory_at(x, address, is_store);
}

LINX_INL bool find_pieces(LinxContext *x, uint64_t address, unsigned bytes,
                          bool is_store, Pieces *p)
{
    unsigned room = mem_room(address);

    p->bytes = bytes < room ? bytes : room;
    p->first = look(x, address, is_store);
    if (!p->first || p->bytes == bytes) {
        return p->first;
    }
    p->second = look(x, address + room, is_store);
    p->first = linx_memory_hit(x, address, is_store);
    return p->first && p->second;
}

/*
 * The host's address minus the guest's, if it is the same for all of @r, and
 * what is known of large stretches says so; else *@delta stays as it is.
 */
static bool is_linear(const LinxContext *x, const LinxReach *r,
                      uint64_t *delta)
{
    const uint64_t stretch = ENGINE_STRETCH;
    uint64_t last = r->first + r->size - 1, at = r->first & -stretch;
    uint64_t apart = (uint64_t)(uintptr_t)mem_stretch(x->wave, at)->host - at;

    for (unsigned i = 0; i < LINEAR_MAX; i++, at += stretch) {
        const StretchEntry *e = mem_stretch(x->wave, at);
        uint64_t from = r->first > at ? r->first - at : 0;
        uint64_t to = last - at < stretch ? last - at + 1 : stretch;

        if (e->tag != (at | x->wave->asid) || from < e->first ||
            to > (uint64_t)e->first + e->size ||
            (uint64_t)(uintptr_t)e->host - at != apart) {
            return false;
        }
        if (to < stretch || at + stretch - 1 == last) {
            *delta = apart;
            return true;
        }
    }
    return false;
}

/* As much as is known around all lanes. */
static bool find_reach(const LinxContext *x, const FastAccess *a,
                       unsigned bytes, LinxReach *r)
{
    uint64_t low = a->address[0], high = low, end;
    const StretchEntry *first, *last;

    for (unsigned i = 1; i < LINX_LANES; i++) {
        low = a->address[i] < low ? a->address[i] : low;
        high = a->address[i] > high ? a->address[i] : high;
    }
    high += bytes - 1;
    first = mem_stretch(x->wave, low);
    last = mem_stretch(x->wave, high);
    low = (low & -(uint64_t)ENGINE_STRETCH) + first->first;
    end = (high & -(uint64_t)ENGINE_STRETCH) + last->first + last->size;
    r->first = low;
    r->size = end - low;
    return r->size - 1 < (uint64_t)LINEAR_MAX * ENGINE_STRETCH;
}

static bool find_linear(LinxContext *x, const FastAccess *a, unsigned bytes,
                        uint64_t *delta)
{
    LinxReach *r = &x->reach[x->pc / 8 % LINX_REACHES];

    return (r->size && all_within(a, r->first, r->size, bytes) &&
            is_linear(x, r, delta)) ||
           (find_reach(x, a, bytes, r) &&
            all_within(a, r->first, r->size, bytes) &&
            is_linear(x, r, delta));
}

/* Lanes' host addresses instead of guest's, if all pages are known. */
LINX_INL bool find_pages(LinxContext *x, FastAccess *a, unsigned bytes,
                         bool is_store)
{
    for (unsigned i = 0; i < LINX_LANES; i++) {
        uint64_t address = a->address[i];
        uint8_t *host = linx_memory_hit(x, address, is_store);

        if (unlikely(!host || mem_room(address) < bytes)) {
            return false;
        }
        a->address[i] = (uint64_t)(uintptr_t)host;
    }
    return true;
}

/* The same of a tile, which has to hold all lanes. */
LINX_INL bool find_tile(LinxContext *x, const FastAccess *a, unsigned bytes,
                        bool is_store, uint64_t *delta)
{
    LinxTileWindow w;

    if (!linx_tile_window(x, a->address[0], is_store, &w) ||
        !all_within(a, w.first, w.size, bytes)) {
        return false;
    }
    *delta = (uint64_t)(uintptr_t)linx_tile_bytes(x, w.first, w.size,
                                                  is_store, false) - w.first;
    return true;
}

/* ---- loads ---- */

LINX_INL bool load_lanes(LinxContext *x, const LinxAccessPlan *plan,
                         FastAccess *a, uint64_t *to)
{
    unsigned bytes = 1u << plan->size;
    uint64_t delta = 0;

    place_others(a, x->p);
    if (plan->is_local) {
        if (!find_tile(x, a, bytes, false, &delta)) {
            return false;
        }
    } else if (!find_linear(x, a, bytes, &delta) &&
               !find_pages(x, a, bytes, false)) {
        return false;
    }
    gather(plan->size, a, to, delta);
    fast_mask(to, x->p);
    return true;
}

LINX_INL bool load_consecutive(LinxContext *x, const LinxAccessPlan *plan,
                               FastAccess *a, uint64_t *to)
{
    unsigned bytes = a->run << plan->size;
    Pieces p = { 0 };

    if (plan->is_local) {
        p.first = linx_tile_bytes(x, a->first, bytes, false, false);
        p.bytes = bytes;
        if (!p.first) {
            return false;
        }
    } else if (!find_pieces(x, a->first, bytes, false, &p)) {
        return false;
    }
    if (p.bytes < bytes) {
        mem_get(a->address, p.first, p.bytes);
        mem_get((uint8_t *)a->address + p.bytes, p.second, bytes - p.bytes);
        p.first = (uint8_t *)a->address;
    }
    for (unsigned i = 0; i < bytes; i += 64) {
        __builtin_prefetch(p.first + bytes + i); /* the next group's */
    }
    load_run(plan->size, to, p.first, a->run);
    for (unsigned i = a->run; i < LINX_LANES; i++) {
        to[i] = 0;
    }
    return true;
}

bool LINX_AT_LEVEL(linx_fast_load)(LinxContext *x, const LinxUop *u)
{
    const LinxAccessPlan *plan = &u->plan;
    const LinxFastPlan *f = &u->fast;
    LinxEntry *to = fast_next(x, f->to);
    FastAccess a;

    if (!to || !may_access(x, plan) || !find_addresses(x, u, &a) ||
        !(a.run ? load_consecutive(x, plan, &a, to->lane) :
          load_lanes(x, plan, &a, to->lane))) {
        return false;
    }
    if (plan->is_signed && plan->size < f->width) {
        fast_extend(to->lane, to->lane, plan->size, true);
        fast_cut(to->lane, f->width);
    }
    fast_release(&a.base);
    fast_release(&a.offset);
    fast_push(x, f->to, to, f->width);
    return true;
}

/* ---- stores ---- */

LINX_INL bool store_lanes(LinxContext *x, const LinxAccessPlan *plan,
                          FastAccess *a, const uint64_t *from)
{
    unsigned bytes = 1u << plan->size;
    uint64_t delta = 0;

    place_others(a, x->p);
    if (plan->is_local ? !find_tile(x, a, bytes, true, &delta) :
        !find_pages(x, a, bytes, true)) {
        return false;
    }
    scatter(plan->size, a, from, delta, x->p);
    return true;
}

LINX_INL bool store_consecutive(LinxContext *x, const LinxAccessPlan *plan,
                                FastAccess *a, const uint64_t *from)
{
    unsigned bytes = a->run << plan->size;
    Pieces p = { 0 };

    if (plan->is_local) {
        p.first = linx_tile_bytes(x, a->first, bytes, true, true);
        p.bytes = bytes;
        if (!p.first) {
            return false;
        }
    } else if (!find_pieces(x, a->first, bytes, true, &p)) {
        return false;
    }
    if (p.bytes == bytes) {
        store_run(plan->size, p.first, from, a->run);
        return true;
    }
    store_run(plan->size, (uint8_t *)a->address, from, a->run);
    mem_put(p.first, a->address, p.bytes);
    mem_put(p.second, (uint8_t *)a->address + p.bytes, bytes - p.bytes);
    return true;
}

bool LINX_AT_LEVEL(linx_fast_store)(LinxContext *x, const LinxUop *u)
{
    const LinxAccessPlan *plan = &u->plan;
    LINX_ROOM(room);
    const uint64_t *from;
    FastAccess a;

    if (!may_access(x, plan) || !find_addresses(x, u, &a) ||
        !fast_read(x, &u->fast.c, room, &a.data)) {
        return false;
    }
    from = fast_lanes(&a.data, room);
    if (!(a.run ? store_consecutive(x, plan, &a, from) :
          store_lanes(x, plan, &a, from))) {
        return false;
    }
    fast_release(&a.base);
    fast_release(&a.offset);
    fast_release(&a.data);
    return true;
}
