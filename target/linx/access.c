/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads, stores and atomics (linx-blocks sections 9.3 and 10).
 *
 * Lanes whose addresses follow each other are moved at once, and others one by
 * one, in increasing order.  What cannot be had at once waits: the instruction
 * comes again then and goes on with lane x->resume.
 */
#include <string.h>
#include "target/linx/access.h"
#include "target/linx/memory.h"

typedef struct Access {
    const LinxAccessPlan *plan;
    const uint64_t *address; /* by lane, or NULL: */
    uint64_t first, step;    /* of lane i: first + i * step */
    uint64_t active;
    uint64_t room[LINX_LANES];
    uint64_t data[LINX_LANES]; /* loaded, or to be stored */
} Access;

static uint64_t address_of(const Access *a, unsigned lane)
{
    return a->address ? a->address[lane] : a->first + lane * a->step;
}

/* ---- what is known of an instruction before it runs ---- */

static bool is_lane(unsigned number)
{
    return number < LINX_RI || number >= LINX_REUSE || number == LINX_LC0 ||
           number == LINX_LC1 || number == LINX_LC2;
}

static bool is_formal(unsigned number)
{
    return number >= LINX_TA && number <= LINX_TO_LAST;
}

/* OURS-20, and what consecutive lanes need. */
static bool base_allowed(const LinxInst *inst, const LinxAccessPlan *plan)
{
    unsigned base = linx_number(inst->field[plan->base]);
    unsigned offset = linx_number(inst->field[LINX_F_SrcR]);

    if (is_formal(base) && !plan->is_local) {
        return false;
    }
    return !plan->consecutive ||
           ((plan->has_imm || !is_lane(offset)) &&
            (is_formal(base) || (base >= LINX_RI && base < LINX_LC0)));
}

/* A loaded value must fit the destination (OURS-19). */
static bool width_allowed(const LinxInst *inst, const LinxAccessPlan *plan)
{
    return plan->kind == LINX_STORE || plan->is_bridge ||
           3 - linx_type(inst->field[LINX_F_RegDst]) >= plan->size;
}

static void plan_kind(LinxAccessPlan *plan, const LinxRow *row)
{
    switch (row->group) {
    case LINX_G_V_ATOMIC_LOAD:
        plan->kind = LINX_ATOMIC_LOAD;
        break;
    case LINX_G_V_ATOMIC_STORE:
        plan->kind = LINX_ATOMIC_STORE;
        break;
    case LINX_G_V_STORE_BRG:
    case LINX_G_V_STORE_BRG_IMM:
        plan->is_bridge = true;
        /* fall through */
    case LINX_G_V_STORE:
    case LINX_G_V_STORE_IMM:
    case LINX_G_S32_STORE:
        plan->kind = LINX_STORE;
        break;
    case LINX_G_V_LOAD_BRG:
    case LINX_G_V_LOAD_BRG_IMM:
        plan->is_bridge = true;
        break;
    default:
        break;
    }
}

/* A store with an immediate has its base on the right. */
static void plan_address(LinxAccessPlan *plan, const LinxInst *inst,
                         const LinxFormat *format, bool scaled)
{
    unsigned scale = scaled ? plan->size : 0;
    bool store_imm;

    plan->pc_relative = linx_field_bits(format, LINX_F_simm17);
    plan->has_imm = plan->pc_relative ||
                    linx_field_bits(format, LINX_F_simm24) ||
                    linx_field_bits(format, LINX_F_simm12);
    store_imm = plan->kind == LINX_STORE && plan->has_imm;
    plan->base = store_imm ? LINX_F_SrcR : LINX_F_SrcL;
    plan->data = store_imm ? LINX_F_SrcL : LINX_F_SrcD;
    plan->shift = inst->field[LINX_F_shamt] +
                  (plan->kind == LINX_STORE ? scale : 0);
    plan->imm = plan->pc_relative ? (uint64_t)inst->field[LINX_F_simm17] :
                (uint64_t)(inst->field[LINX_F_simm24] +
                           inst->field[LINX_F_simm12]) << scale;
}

void linx_plan_access(const LinxInst *inst, LinxAccessPlan *plan)
{
    const LinxRow *row = &linx_rows[inst->op];
    const char *name = row->name + (row->bits == 64 ? 2 : 0);

    *plan = (LinxAccessPlan) {
        .kind = LINX_LOAD,
        .size = row->size,
        .is_local = inst->field[LINX_F_L],
        .consecutive = inst->field[LINX_F_C],
        .is_signed = name[2] != 'u',
        .modifier = row->bits == 32 ? inst->field[LINX_F_SrcRType] : 0,
    };
    plan_kind(plan, row);
    plan_address(plan, inst, &linx_formats[row->format],
                 strstr(row->name, ".u") == NULL);
    if (plan->kind >= LINX_ATOMIC_LOAD) {
        plan->data = LINX_F_SrcR;
        /* Bits 46:44 of the encoding: ADD AND OR XOR MAX MIN. */
        plan->what = row->match >> 44 & 7;
        plan->is_signed = linx_type(inst->field[LINX_F_SrcR]) >= 4;
        plan->illegal = !base_allowed(inst, plan);
    } else if (row->bits == 64) {
        plan->illegal = !base_allowed(inst, plan) ||
                        !width_allowed(inst, plan);
    }
}

/* ---- addresses ---- */

/* linx-blocks section 10: SrcRType of 32-bit forms. */
static uint64_t modified(unsigned modifier, uint64_t b)
{
    switch (modifier) {
    case 1:
        return (uint64_t)(int64_t)(int32_t)b;
    case 2:
        return (uint32_t)b;
    case 3:
        return -b;
    default:
        return b;
    }
}

static void spread(const LinxValue *value, unsigned lanes, uint64_t *out)
{
    if (value->lane) {
        memcpy(out, value->lane, lanes * sizeof(*out));
        return;
    }
    for (unsigned i = 0; i < lanes; i++) {
        out[i] = value->first + i * value->step;
    }
}

/* Lanes' addresses that are not each the one before plus something. */
static void vector_addresses(LinxContext *x, Access *a, const LinxValue *base,
                             const LinxValue *offset)
{
    const LinxAccessPlan *plan = a->plan;
    unsigned shift = plan->shift;

    if (offset->lane && !base->lane && !base->step &&
        x->lanes == LINX_LANES) {
        const uint64_t *restrict from = offset->lane;
        uint64_t *restrict to = a->room;

        for (unsigned i = 0; i < LINX_LANES; i++) {
            to[i] = base->first + (from[i] << shift);
        }
    } else {
        spread(base, x->lanes, a->room);
        for (unsigned i = 0; i < x->lanes; i++) {
            a->room[i] += plan->imm + ((offset->lane ? offset->lane[i] :
                                        offset->first + i * offset->step)
                                       << shift);
        }
    }
    a->address = a->room;
}

/* Do the addresses follow each other after all? */
static void find_step(LinxContext *x, Access *a)
{
    uint64_t first = a->room[0], step = 1ull << a->plan->size, odd = 0;

    if (x->lanes > 1 && a->room[1] - first != step) {
        return;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        odd |= a->room[i] ^ (first + i * step);
    }
    if (!odd) {
        a->address = NULL;
        a->first = first;
        a->step = step;
    }
}

static bool find_addresses(LinxContext *x, Access *a)
{
    const LinxAccessPlan *plan = a->plan;
    LinxValue base, offset;

    offset.lane = NULL;
    offset.first = offset.step = 0;
    if (plan->pc_relative) {
        a->first = x->pc + plan->imm;
        return true;
    }
    if (!linx_read(x, plan->base, &base) ||
        (!plan->has_imm && plan->kind < LINX_ATOMIC_LOAD &&
         !linx_read(x, LINX_F_SrcR, &offset))) {
        return false;
    }
    if (base.lane || offset.lane) {
        vector_addresses(x, a, &base, &offset);
        find_step(x, a);
        return true;
    }
    a->first = base.first + plan->imm +
               (modified(plan->modifier, offset.first) << plan->shift);
    a->step = base.step + (offset.step << plan->shift);
    if (plan->consecutive) {
        a->first += (uint64_t)x->place.lc0 << plan->size;
        a->step += 1ull << plan->size;
    }
    return true;
}

/* VPAR and VSEQ blocks have tiles, but no memory. */
static bool check_plan(LinxContext *x, const LinxAccessPlan *plan)
{
    bool no_memory = x->block && x->block->kind >= LINX_VPAR;

    return (!plan->illegal && !(plan->consecutive && x->block->flat) &&
            (plan->is_local || !no_memory)) || linx_illegal(x);
}

bool linx_consecutive(LinxContext *x, uint64_t *first)
{
    Access a;

    a.plan = x->plan;
    a.address = NULL;
    a.step = 0;
    if (!check_plan(x, a.plan) || !find_addresses(x, &a)) {
        return false;
    }
    *first = a.first;
    return !a.address && a.step == 1ull << a.plan->size;
}

/* The plan of the instruction at hand, kept for it or made in @own. */
static const LinxAccessPlan *plan_of(const LinxContext *x,
                                     LinxAccessPlan *own)
{
    if (!x->plan) {
        linx_plan_access(x->inst, own);
    }
    return x->plan ? x->plan : own;
}

bool linx_addresses(LinxContext *x, LinxAccess *access)
{
    LinxAccessPlan own;
    Access a;

    a.plan = plan_of(x, &own);
    a.address = NULL;
    a.step = 0;
    access->has_imm = a.plan->has_imm;
    if (!check_plan(x, a.plan) || !find_addresses(x, &a)) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        access->address[i] = address_of(&a, i);
    }
    return true;
}

/* ---- tiles ---- */

bool linx_tile_window(const LinxContext *x, uint64_t address, bool is_store,
                      LinxTileWindow *w)
{
    const LinxBound *bound = x->bound;
    uint64_t slot = address / LINX_TILE_STEP - 1;

    w->first = address - address % LINX_TILE_STEP;
    for (unsigned i = 0; i < bound->outputs; i++) {
        const LinxTileOutput *output = &x->block->output[i];

        if (slot == bound->output[i]) {
            w->tile = &x->state->tiles.slots[slot];
            w->first += output->queue == LINX_QUEUE_S ?
                        x->group * output->size : 0;
            w->size = output->size;
            w->is_output = true;
            return true;
        }
    }
    for (unsigned i = 0; !is_store && i < bound->inputs; i++) {
        if (slot == bound->input[i]) {
            w->tile = &x->state->tiles.slots[slot];
            w->size = w->tile->size;
            w->is_output = false;
            return true;
        }
    }
    return false;
}

uint8_t *linx_tile_bytes(LinxContext *x, uint64_t address, uint64_t bytes,
                         bool is_store, bool fill)
{
    uint64_t at = address % LINX_TILE_STEP;
    LinxTileWindow w;

    if (!linx_tile_window(x, address, is_store, &w) || address < w.first ||
        address - w.first + bytes > w.size) {
        return NULL;
    }
    if (w.is_output) {
        linx_tile_ready(w.tile, at, bytes, fill);
    }
    return w.tile->data + at;
}

/* ---- one lane ---- */

static bool move_bytes(LinxContext *x, uint64_t address, void *data,
                       unsigned bytes, bool is_local, bool is_store)
{
    uint8_t *tile;

    if (!is_local) {
        return linx_memory_move(x, address, data, bytes, is_store);
    }
    tile = linx_tile_bytes(x, address, bytes, is_store, is_store);
    if (!tile) {
        return linx_raise(x, LINX_E_DATA, LINX_DATA_RANGE, address);
    }
    memcpy(is_store ? tile : data, is_store ? data : tile, bytes);
    return true;
}

bool linx_move(LinxContext *x, const LinxAccess *access, unsigned lane,
               void *data)
{
    return move_bytes(x, access->address[lane], data, 1u << access->size,
                      access->is_local, access->is_store);
}

/* The instruction stops at @lane, and if it waits it comes again. */
static bool stop_at(LinxContext *x, const Access *a, unsigned lane)
{
    x->resume = lane;
    if (a->plan->kind != LINX_STORE) {
        memcpy(x->partial, a->data, sizeof(x->partial));
    }
    return false;
}

static bool one_by_one(LinxContext *x, Access *a, unsigned from, unsigned to)
{
    const LinxAccessPlan *plan = a->plan;
    bool is_store = plan->kind == LINX_STORE;

    for (unsigned i = from; i < to; i++) {
        uint64_t *data = &a->data[i];

        if (!(a->active >> i & 1)) {
            *data = 0;
            continue;
        }
        if (!is_store) {
            *data = 0;
        }
        if (!move_bytes(x, address_of(a, i), data, 1u << plan->size,
                        plan->is_local, is_store)) {
            return stop_at(x, a, i);
        }
        linx_lane_through(x);
        if (!is_store) {
            *data = linx_extend(*data, plan->size, plan->is_signed);
        }
    }
    return true;
}

/* ---- many lanes ---- */

/* Consecutive elements of one size, to or from lanes. */
#define ELEMENTS(bits) \
    static void load_##bits(uint64_t *to, const uint8_t *from, unsigned n, \
                            bool is_signed) \
    { \
        uint##bits##_t element; \
        for (unsigned i = 0; i < n; i++) { \
            mem_get(&element, from + i * sizeof(element), sizeof(element)); \
            to[i] = is_signed ? (uint64_t)(int64_t)(int##bits##_t)element : \
                    element; \
        } \
    } \
    static void store_##bits(uint8_t *to, const uint64_t *from, unsigned n) \
    { \
        for (unsigned i = 0; i < n; i++) { \
            uint##bits##_t element = from[i]; \
            mem_put(to + i * sizeof(element), &element, sizeof(element)); \
        } \
    }
ELEMENTS(8)
ELEMENTS(16)
ELEMENTS(32)

static void load_run(uint64_t *to, const uint8_t *from, unsigned n,
                     const LinxAccessPlan *plan)
{
    switch (plan->size) {
    case 0:
        load_8(to, from, n, plan->is_signed);
        break;
    case 1:
        load_16(to, from, n, plan->is_signed);
        break;
    case 2:
        load_32(to, from, n, plan->is_signed);
        break;
    default:
        mem_get(to, from, n * sizeof(*to));
        break;
    }
}

static void store_run(uint8_t *to, const uint64_t *from, unsigned n,
                      const LinxAccessPlan *plan)
{
    switch (plan->size) {
    case 0:
        store_8(to, from, n);
        break;
    case 1:
        store_16(to, from, n);
        break;
    case 2:
        store_32(to, from, n);
        break;
    default:
        mem_put(to, from, n * sizeof(*from));
        break;
    }
}

static void move_run(Access *a, uint8_t *host, unsigned lane, unsigned n)
{
    if (a->plan->kind == LINX_STORE) {
        store_run(host, &a->data[lane], n, a->plan);
    } else {
        load_run(&a->data[lane], host, n, a->plan);
    }
}

/* Lanes 0 to @n - 1 follow each other in memory: a page at a time. */
static bool run_in_memory(LinxContext *x, Access *a, unsigned lane, unsigned n)
{
    bool is_store = a->plan->kind == LINX_STORE;

    while (lane < n) {
        uint64_t address = a->first + lane * a->step;
        uint8_t *host = linx_memory_at(x, address, is_store);
        unsigned room = linx_memory_room(address) >> a->plan->size;

        room = room < n - lane ? room : n - lane;
        if (!host || !room) {
            if (!one_by_one(x, a, lane, lane + 1)) {
                return false;
            }
            room = 1;
        } else {
            move_run(a, host, lane, room);
        }
        lane += room;
    }
    return true;
}

static bool run_in_tile(LinxContext *x, Access *a, unsigned lane, unsigned n)
{
    bool is_store = a->plan->kind == LINX_STORE;
    uint8_t *tile = linx_tile_bytes(x, a->first,
                                    (uint64_t)n << a->plan->size, is_store,
                                    is_store);

    if (!tile) {
        return one_by_one(x, a, lane, n);
    }
    move_run(a, tile, 0, n);
    return true;
}

/* Lanes anywhere in one tile, which holds the bytes from @host on. */
#define SCATTERED(bits) \
    static void scatter_##bits(Access *a, uint8_t *host, uint64_t from) \
    { \
        for (uint64_t left = a->active; left; left &= left - 1) { \
            unsigned i = __builtin_ctzll(left); \
            uint##bits##_t element = a->data[i]; \
            memcpy(host + (address_of(a, i) - from), &element, \
                   sizeof(element)); \
        } \
    } \
    static void gather_##bits(Access *a, const uint8_t *host, uint64_t from) \
    { \
        bool is_signed = a->plan->is_signed; \
        for (uint64_t left = a->active; left; left &= left - 1) { \
            unsigned i = __builtin_ctzll(left); \
            uint##bits##_t element; \
            memcpy(&element, host + (address_of(a, i) - from), \
                   sizeof(element)); \
            a->data[i] = is_signed ? \
                (uint64_t)(int64_t)(int##bits##_t)element : element; \
        } \
    }
SCATTERED(8)
SCATTERED(16)
SCATTERED(32)
SCATTERED(64)

static void move_scattered(Access *a, uint8_t *host, uint64_t from)
{
    static void (*const loads[])(Access *, const uint8_t *, uint64_t) = {
        gather_8, gather_16, gather_32, gather_64
    };
    static void (*const stores[])(Access *, uint8_t *, uint64_t) = {
        scatter_8, scatter_16, scatter_32, scatter_64
    };

    if (a->plan->kind == LINX_STORE) {
        stores[a->plan->size](a, host, from);
    } else {
        memset(a->data, 0, a->active == ~0ull ? 0 : sizeof(a->data));
        loads[a->plan->size](a, host, from);
    }
}

static bool scattered_in_tile(LinxContext *x, Access *a)
{
    uint64_t low = ~0ull, high = 0;
    uint8_t *tile = NULL;

    for (uint64_t left = a->active; left; left &= left - 1) {
        uint64_t address = address_of(a, __builtin_ctzll(left));

        low = address < low ? address : low;
        high = address > high ? address : high;
    }
    if (high - low < LINX_TILE_STEP) {
        tile = linx_tile_bytes(x, low, high - low + (1u << a->plan->size),
                               a->plan->kind == LINX_STORE, false);
    }
    if (!tile) {
        return one_by_one(x, a, x->resume, x->lanes);
    }
    move_scattered(a, tile, low);
    return true;
}

/* The host's address of one lane's bytes, if they are at hand. */
static inline __attribute__((always_inline))
uint8_t *lane_hit(LinxContext *x, const Access *a, unsigned lane,
                  unsigned bytes, bool is_store)
{
    uint64_t address = address_of(a, lane);

    return a->active >> lane & 1 && linx_memory_room(address) >= bytes ?
           linx_memory_hit(x, address, is_store) : NULL;
}

/*
 * Where lanes' bytes are, as far as that is known of large stretches of memory;
 * NULL where it is not.  All are looked for before the first is loaded, so that
 * the loads, which may miss every cache, are under way at the same time.
 */
static void find_hosts(LinxContext *x, const Access *a, unsigned bytes,
                       const uint8_t **host)
{
    uint64_t asid = x->wave ? x->wave->asid : 0;

    for (unsigned i = 0; i < x->lanes; i++) {
        uint64_t address = address_of(a, i);
        uint32_t at = address & (ENGINE_STRETCH - 1);
        const StretchEntry *e;

        host[i] = NULL;
        if (!x->wave) {
            continue;
        }
        e = mem_stretch(x->wave, address);
        if (likely(e->tag == ((address & -(uint64_t)ENGINE_STRETCH) | asid) &&
                   at >= e->first && at - e->first + bytes <= e->size)) {
            host[i] = e->host + at;
            __builtin_prefetch(host[i]);
        }
    }
}

#define IN_MEMORY(bits) \
    static bool gather_memory_##bits(LinxContext *x, Access *a) \
    { \
        bool is_signed = a->plan->is_signed; \
        const uint8_t *host[LINX_LANES]; \
        find_hosts(x, a, bits / 8, host); \
        for (unsigned i = x->resume; i < x->lanes; i++) { \
            uint##bits##_t element; \
            if (!(a->active >> i & 1)) { \
                a->data[i] = 0; \
                continue; \
            } \
            if (unlikely(!host[i])) { \
                host[i] = lane_hit(x, a, i, bits / 8, false); \
            } \
            if (likely(host[i])) { \
                mem_get(&element, host[i], bits / 8); \
                a->data[i] = is_signed ? \
                    (uint64_t)(int64_t)(int##bits##_t)element : element; \
            } else if (!one_by_one(x, a, i, i + 1)) { \
                return false; \
            } \
        } \
        return true; \
    } \
    static bool scatter_memory_##bits(LinxContext *x, Access *a) \
    { \
        for (unsigned i = x->resume; i < x->lanes; i++) { \
            uint##bits##_t element = a->data[i]; \
            uint8_t *host = lane_hit(x, a, i, bits / 8, true); \
            if (host) { \
                mem_put(host, &element, bits / 8); \
            } else if (!one_by_one(x, a, i, i + 1)) { \
                return false; \
            } \
        } \
        return true; \
    }
IN_MEMORY(8)
IN_MEMORY(16)
IN_MEMORY(32)
IN_MEMORY(64)

static bool scattered_in_memory(LinxContext *x, Access *a)
{
    static bool (*const loads[])(LinxContext *, Access *) = {
        gather_memory_8, gather_memory_16, gather_memory_32, gather_memory_64
    };
    static bool (*const stores[])(LinxContext *, Access *) = {
        scatter_memory_8, scatter_memory_16, scatter_memory_32,
        scatter_memory_64
    };

    return (a->plan->kind == LINX_STORE ? stores : loads)[a->plan->size](x, a);
}

/* The active lanes, if they are lanes 0 to n - 1; else 0. */
static unsigned low_run(uint64_t active)
{
    return active & (active + 1) ? 0 : __builtin_popcountll(active);
}

static bool move_lanes(LinxContext *x, Access *a)
{
    const LinxAccessPlan *plan = a->plan;
    unsigned n = low_run(a->active);
    bool in_order = !a->address && a->step == 1ull << plan->size && n;

    if (!a->active) {
        memset(a->data, 0, sizeof(a->data));
        return true;
    }
    if (!in_order) {
        return plan->is_local ? scattered_in_tile(x, a) :
               scattered_in_memory(x, a);
    }
    if (plan->kind != LINX_STORE && n < x->lanes) {
        memset(&a->data[n], 0, (x->lanes - n) * sizeof(*a->data));
    }
    return plan->is_local ? run_in_tile(x, a, x->resume, n) :
           run_in_memory(x, a, x->resume, n);
}

/* ---- atomics ---- */

static uint64_t combine(const LinxAccessPlan *plan, uint64_t old,
                        uint64_t operand)
{
    uint64_t a = linx_extend(old, plan->size, plan->is_signed);
    uint64_t b = linx_extend(operand, plan->size, plan->is_signed);
    bool less = plan->is_signed ? (int64_t)a < (int64_t)b : a < b;

    switch (plan->what) {
    case 0:
        return a + b;
    case 1:
        return a & b;
    case 2:
        return a | b;
    case 3:
        return a ^ b;
    case 4:
        return less ? b : a;
    default:
        return less ? a : b;
    }
}

/* Against guest CPUs and other groups as well. */
static uint64_t exchange(const LinxAccessPlan *plan, uint8_t *host,
                         uint64_t operand)
{
    uint64_t old, new;

    if (plan->size == 2) {
        uint32_t seen = __atomic_load_n((uint32_t *)host, __ATOMIC_RELAXED);

        do {
            new = combine(plan, seen, operand);
        } while (!__atomic_compare_exchange_n((uint32_t *)host, &seen,
                                              (uint32_t)new, false,
                                              __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED));
        return seen;
    }
    old = __atomic_load_n((uint64_t *)host, __ATOMIC_RELAXED);
    do {
        new = combine(plan, old, operand);
    } while (!__atomic_compare_exchange_n((uint64_t *)host, &old, new, false,
                                          __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return old;
}

static bool atomic_lane(LinxContext *x, const LinxAccessPlan *plan,
                        uint64_t address, uint64_t operand, uint64_t *old)
{
    const LinxMemory *memory = &x->state->memory;
    bool is_store = plan->kind == LINX_ATOMIC_STORE;
    unsigned bytes = 1u << plan->size;
    uint64_t new;
    uint8_t *host;

    if (address & ((1u << plan->size) - 1)) {
        return linx_raise(x, LINX_E_DATA, is_store ?
                          LINX_DATA_STORE_MISALIGNED :
                          LINX_DATA_LOAD_MISALIGNED, address);
    }
    if (x->wave) {
        if (!linx_memory_atomic(x, address, is_store, &host)) {
            return false;
        }
        *old = exchange(plan, host, operand);
        return true;
    }
    *old = 0;
    if (memory->read(memory->opaque, address, old, bytes)) {
        new = combine(plan, *old, operand);
        if (memory->write(memory->opaque, address, &new, bytes)) {
            return true;
        }
    }
    return linx_raise(x, LINX_E_DATA, is_store ? LINX_DATA_STORE_ACCESS :
                      LINX_DATA_LOAD_ACCESS, address);
}

static bool run_atomic(LinxContext *x, Access *a)
{
    uint64_t operand[LINX_LANES];

    if (!linx_source(x, LINX_F_SrcR, operand)) {
        return false;
    }
    for (unsigned i = x->resume; i < x->lanes; i++) {
        a->data[i] = 0;
        if (!(a->active >> i & 1)) {
            continue;
        }
        if (!atomic_lane(x, a->plan, address_of(a, i), operand[i],
                         &a->data[i])) {
            return stop_at(x, a, i);
        }
        linx_lane_through(x);
        a->data[i] = linx_extend(a->data[i], a->plan->size, true);
    }
    return true;
}

/* ---- ---- */

static void tell_overlap(LinxContext *x, const Access *a)
{
    static const LinxTouchKind kinds[] = {
        [LINX_LOAD] = LINX_TOUCH_LOAD,
        [LINX_STORE] = LINX_TOUCH_STORE,
        [LINX_ATOMIC_LOAD] = LINX_TOUCH_ATOMIC,
        [LINX_ATOMIC_STORE] = LINX_TOUCH_ATOMIC,
    };
    uint64_t address[LINX_LANES];
    LinxTouch touch = {
        .kind = kinds[a->plan->kind],
        .is_local = a->plan->is_local,
        .bytes = 1u << a->plan->size,
        .lanes = a->active,
        .address = address,
    };

    for (unsigned i = 0; i < x->lanes; i++) {
        address[i] = address_of(a, i);
    }
    linx_touch(x, &touch);
}

static bool perform(LinxContext *x, Access *a)
{
    LinxValue value;

    if (a->plan->kind >= LINX_ATOMIC_LOAD) {
        return run_atomic(x, a);
    }
    if (a->plan->kind == LINX_STORE) {
        if (!linx_read(x, a->plan->data, &value)) {
            return false;
        }
        spread(&value, x->lanes, a->data);
    }
    return move_lanes(x, a);
}

bool linx_access(LinxContext *x)
{
    LinxAccessPlan own;
    Access a;

    a.plan = plan_of(x, &own);
    a.address = NULL;
    a.step = 0;
    a.active = linx_active(x);
    if (!check_plan(x, a.plan) || !find_addresses(x, &a)) {
        return false;
    }
    if (x->resume) {
        memcpy(a.data, x->partial, sizeof(a.data));
    } else if (x->state->overlap) {
        tell_overlap(x, &a);
    }
    if (!perform(x, &a)) {
        return false;
    }
    x->resume = 0;
    return a.plan->kind == LINX_STORE || a.plan->kind == LINX_ATOMIC_STORE ||
           linx_result(x, a.data);
}
