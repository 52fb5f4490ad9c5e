/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on lanes at any addresses.
 */
#include "../../engine/late.h"
#include "float-atomic.h"
#include "memory.h"

/* ---- atomics ---- */

/* Those that the host has no instruction for: the new value. */
#define NEW_VALUE(bits)                                                       \
    INL uint##bits##_t new_value##bits(MemAtomic op, uint##bits##_t old,      \
                                       uint##bits##_t x)                      \
    {                                                                         \
        switch (op) {                                                         \
        case ATOMIC_SMIN:                                                     \
            return (int##bits##_t)old < (int##bits##_t)x ? old : x;           \
        case ATOMIC_UMIN:                                                     \
            return old < x ? old : x;                                         \
        case ATOMIC_SMAX:                                                     \
            return (int##bits##_t)old > (int##bits##_t)x ? old : x;           \
        case ATOMIC_UMAX:                                                     \
            return old > x ? old : x;                                         \
        case ATOMIC_INC:                                                      \
            return old >= x ? 0 : old + 1;                                    \
        case ATOMIC_DEC:                                                      \
            return old == 0 || old > x ? x : old - 1;                         \
        case ATOMIC_COND_SUB:                                                 \
            return old >= x ? old - x : old;                                  \
        case ATOMIC_SUB_CLAMP:                                                \
            return old >= x ? old - x : 0;                                    \
        default:                                                              \
            return x;                                                         \
        }                                                                     \
    }

/* Of those on floats; the two halves of the packed ones keep denormals. */
INL uint32_t new_float(MemAtomic op, uint32_t old, uint32_t x,
                       uint32_t expected)
{
    switch (op) {
    case ATOMIC_FCMPSWAP:
        return as_f32(old) == as_f32(expected) ? x : old;
    case ATOMIC_FMIN:
        return as_f32(x) < as_f32(old) ? x : old;
    case ATOMIC_FMAX:
        return as_f32(x) > as_f32(old) ? x : old;
    case ATOMIC_FMIN_NUM:
        return atomic_min_num32(old, x);
    case ATOMIC_FMAX_NUM:
        return atomic_max_num32(old, x);
    case ATOMIC_PK_ADD_F16:
        return atomic_pk_add_f16(old, x, 3);
    case ATOMIC_PK_ADD_BF16:
        return atomic_pk_add_bf16(old, x);
    default:
        return atomic_add_f32(old, x);
    }
}

INL bool is_float_atomic(MemAtomic op)
{
    return op >= ATOMIC_FCMPSWAP && op != ATOMIC_ADD_LATE;
}

INL uint32_t atomic_float(uint32_t *p, MemAtomic op, uint32_t x,
                          uint32_t expected)
{
    uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(p, &old,
                                        new_float(op, old, x, expected), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    return old;
}

/* Returns the old value; @expected is for compare-and-swap alone. */
#define ATOMIC(bits)                                                          \
    NEW_VALUE(bits)                                                           \
    INL uint##bits##_t atomic##bits(uint##bits##_t *p, MemAtomic op,          \
                                    uint##bits##_t x,                         \
                                    uint##bits##_t expected)                  \
    {                                                                         \
        uint##bits##_t old;                                                   \
                                                                              \
        switch (op) {                                                         \
        case ATOMIC_SWAP:                                                     \
            return __atomic_exchange_n(p, x, __ATOMIC_SEQ_CST);               \
        case ATOMIC_CMPSWAP:                                                  \
            __atomic_compare_exchange_n(p, &expected, x, false,               \
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
            return expected;                                                  \
        case ATOMIC_ADD:                                                      \
            return __atomic_fetch_add(p, x, __ATOMIC_SEQ_CST);                \
        case ATOMIC_SUB:                                                      \
            return __atomic_fetch_sub(p, x, __ATOMIC_SEQ_CST);                \
        case ATOMIC_AND:                                                      \
            return __atomic_fetch_and(p, x, __ATOMIC_SEQ_CST);                \
        case ATOMIC_OR:                                                       \
            return __atomic_fetch_or(p, x, __ATOMIC_SEQ_CST);                 \
        case ATOMIC_XOR:                                                      \
            return __atomic_fetch_xor(p, x, __ATOMIC_SEQ_CST);                \
        default:                                                              \
            old = __atomic_load_n(p, __ATOMIC_RELAXED);                       \
            while (!__atomic_compare_exchange_n(                              \
                p, &old, new_value##bits(op, old, x), false,                  \
                __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {                        \
            }                                                                 \
            return old;                                                       \
        }                                                                     \
    }

ATOMIC(32)
ATOMIC(64)

/* ---- one lane ---- */

INL void lane_atomic(Vreg *dst, const Vreg *data, unsigned lane, uint8_t *p,
                     MemOp op)
{
    const uint32_t *a = (const uint32_t *)data + lane;

    if (op.bytes == 4) {
        uint32_t old = is_float_atomic(op.atomic)
                           ? atomic_float((uint32_t *)p, op.atomic, a[0],
                                          a[AMD_LANES])
                           : atomic32((uint32_t *)p, op.atomic, a[0],
                                      a[AMD_LANES]);

        if (dst) {
            ((uint32_t *)dst)[lane] = old;
        }
    } else {
        uint64_t old = atomic64((uint64_t *)p, op.atomic, pair_at(a),
                                pair_at(a + 2 * AMD_LANES));

        if (dst) {
            ((uint32_t *)dst)[lane] = old;
            ((uint32_t *)dst)[lane + AMD_LANES] = old >> 32;
        }
    }
}

/* ---- lanes with one address ---- */

/* The new value of any operation; @expected is as above. */
#define ATOMIC_NEXT(bits)                                                     \
    INL uint##bits##_t atomic_next##bits(MemAtomic op, uint##bits##_t m,      \
                                         uint##bits##_t x,                    \
                                         uint##bits##_t expected)             \
    {                                                                         \
        switch (op) {                                                         \
        case ATOMIC_CMPSWAP:                                                  \
            return m == expected ? x : m;                                     \
        case ATOMIC_ADD:                                                      \
            return m + x;                                                     \
        case ATOMIC_SUB:                                                      \
            return m - x;                                                     \
        case ATOMIC_AND:                                                      \
            return m & x;                                                     \
        case ATOMIC_OR:                                                       \
            return m | x;                                                     \
        case ATOMIC_XOR:                                                      \
            return m ^ x;                                                     \
        default:                                                              \
            return bits == 32 && is_float_atomic(op)                          \
                       ? new_float(op, m, x, expected)                        \
                       : new_value##bits(op, m, x);                           \
        }                                                                     \
    }

ATOMIC_NEXT(32)
ATOMIC_NEXT(64)

/*
 * Lanes @run, two or more, do @op at one place: one after the other, but
 * memory sees it as one operation.  Results are written when it is done, since
 * @dst may be @data.
 */
#define ATOMIC_RUN(bits, get)                                                 \
    INL void atomic_run##bits(Vreg *dst, const Vreg *data, uint64_t run,      \
                              uint8_t *p, MemAtomic op)                       \
    {                                                                         \
        uint##bits##_t old[AMD_LANES], new;                                   \
        uint##bits##_t first = __atomic_load_n((uint##bits##_t *)p,           \
                                               __ATOMIC_RELAXED);             \
                                                                              \
        do {                                                                  \
            new = first;                                                      \
            for (uint64_t left = run; left; left &= left - 1) {               \
                unsigned lane = __builtin_ctzll(left);                        \
                const uint32_t *a = (const uint32_t *)data + lane;            \
                                                                              \
                old[lane] = new;                                              \
                new = atomic_next##bits(op, new, get(a),                      \
                                        get(a + bits / 32 * AMD_LANES));      \
            }                                                                 \
        } while (!__atomic_compare_exchange_n(                                \
            (uint##bits##_t *)p, &first, new, false, __ATOMIC_SEQ_CST,        \
            __ATOMIC_RELAXED));                                               \
        for (uint64_t left = dst ? run : 0; left; left &= left - 1) {         \
            unsigned lane = __builtin_ctzll(left);                            \
                                                                              \
            for (int k = 0; k < bits / 32; k++) {                             \
                ((uint32_t *)&dst[k])[lane] = (uint64_t)old[lane] >> 32 * k;  \
            }                                                                 \
        }                                                                     \
    }

INL uint32_t word_at(const uint32_t *r)
{
    return *r;
}

ATOMIC_RUN(32, word_at)
ATOMIC_RUN(64, pair_at)

/* The lowest of @lanes, and those right behind it that have its address. */
INL uint64_t same_address(const MemLanes *m, uint64_t lanes)
{
    uint64_t va = m->addr[__builtin_ctzll(lanes)], left = lanes & (lanes - 1);

    while (left && m->addr[__builtin_ctzll(left)] == va) {
        left &= left - 1;
    }
    return lanes ^ left;
}

INL void lanes_atomic(Vreg *dst, const Vreg *data, uint64_t run, uint8_t *p,
                      MemOp op)
{
    if (likely(!(run & (run - 1)))) {
        lane_atomic(dst, data, __builtin_ctzll(run), p, op);
    } else if (op.bytes == 4) {
        atomic_run32(dst, data, run, p, op.atomic);
    } else {
        atomic_run64(dst, data, run, p, op.atomic);
    }
}

/* ---- lane after lane ---- */

/*
 * The bytes at hand, in variables: what is in *m has to be read again and
 * again, since the compiler cannot tell what a store through a pointer does.
 */
typedef struct Hand {
    uint64_t start, starts; /* accesses may start in [start, + starts) */
    uint8_t *host;          /* of @start */
} Hand;

INL Hand take_hand(const MemLanes *m, unsigned n)
{
    return (Hand){ m->start, m->len < n ? 0 : m->len - n + 1, m->host };
}

/* A lane's @n bytes, if at hand or in one page that the TLB has; or NULL. */
INL uint8_t *reach(const AmdWave *w, const MemLanes *m, Hand *hand,
                   uint64_t va, unsigned n, EngineAccess access)
{
    uint8_t *p;

    if (likely(va - hand->start < hand->starts)) {
        return hand->host + (va - hand->start);
    }
    if (m->lds || va % ENGINE_PAGE > ENGINE_PAGE - n) {
        return NULL;
    }
    p = mem_hit(&w->w, va, access);
    if (likely(p)) {
        hand->start = va & -(uint64_t)ENGINE_PAGE;
        hand->starts = ENGINE_PAGE - n + 1;
        hand->host = p - va % ENGINE_PAGE;
    }
    return p;
}

INL void load_lanes(AmdWave *w, MemLanes *m, Vreg *dst, MemOp op,
                    uint64_t lanes)
{
    Hand hand = take_hand(m, op.bytes);

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = __builtin_ctzll(lanes);
        const uint8_t *p = reach(w, m, &hand, m->addr[lane], op.bytes,
                                 ENGINE_READ);

        if (unlikely(!p)) {
            p = amd_mem_read(w, m, lane, op.bytes);
            hand = take_hand(m, op.bytes);
            if (!p) {
                continue;
            }
        }
        lane_load(dst, lane, p, op);
    }
}

INL void store_lanes(AmdWave *w, MemLanes *m, const Vreg *data, MemOp op,
                     uint64_t lanes)
{
    Hand hand = take_hand(m, op.bytes);

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = __builtin_ctzll(lanes);
        uint8_t *p = reach(w, m, &hand, m->addr[lane], op.bytes,
                           ENGINE_WRITE);

        if (unlikely(!p)) {
            p = amd_mem_write(w, m, lane, op.bytes);
            hand = take_hand(m, op.bytes);
            if (!p) {
                continue;
            }
            if (p == m->bounce) {
                lane_store(data, lane, p, op);
                amd_mem_flush(w, m, lane, op.bytes);
                hand = take_hand(m, op.bytes);
                continue;
            }
        }
        lane_store(data, lane, p, op);
    }
}

INL u64x16 slice_addresses(const MemLanes *m, int q)
{
    u64x16 a;

    memcpy(&a, &m->addr[16 * q], sizeof(a));
    return a;
}

/*
 * Additions for later.  False, and nothing is done, if not all are aligned and
 * in one page that the TLB has.
 */
INL bool late_lanes(AmdWave *w, const MemLanes *m, const Vreg *data,
                    uint64_t lanes)
{
    uint64_t first = m->addr[__builtin_ctzll(lanes)];
    uint64_t page = first & -(uint64_t)ENGINE_PAGE;
    uint8_t *host = mem_hit(&w->w, page, ENGINE_WRITE);
    u64x16 off = {};

    FOR_SLICES(w, q) {
        u32x16 mask = lanes_of_bits(lanes >> 16 * q & 0xffff);

        off |= (slice_addresses(m, q) ^ splat64(page)) & widen_mask(mask);
    }
    if (!host || any64(off & splat64(-(uint64_t)ENGINE_PAGE | 3))) {
        return false;
    }
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = __builtin_ctzll(lanes);

        late_add(w->w.worker,
                 (uint32_t *)(host + m->addr[lane] % ENGINE_PAGE),
                 ((const uint32_t *)data)[lane]);
    }
    return true;
}

/* Aligned lanes never lie in two pages. */
INL void atomic_lanes(AmdWave *w, MemLanes *m, Vreg *dst, const Vreg *data,
                      MemOp op, uint64_t lanes)
{
    Hand hand = take_hand(m, op.bytes);
    uint64_t failed = 0;
    unsigned csr = 0;

    if (op.atomic == ATOMIC_ADD_LATE && lanes &&
        late_lanes(w, m, data, lanes)) {
        return;
    }
    if (is_float_atomic(op.atomic)) {
        csr = mxcsr_enter(op.atomic == ATOMIC_FADD_FLUSH ? 0 : 3);
    }
    for (uint64_t run; lanes; lanes &= ~run) {
        unsigned lane = __builtin_ctzll(lanes);
        uint64_t va = m->addr[lane];
        uint8_t *p = reach(w, m, &hand, va, op.bytes, ENGINE_WRITE);

        run = 1ull << lane;

        if (unlikely(!p || va % op.bytes)) {
            p = amd_mem_misaligned(w, m, lane, op.bytes)
                    ? NULL
                    : amd_mem_atomic(w, m, lane, op.bytes);
            hand = take_hand(m, op.bytes);
            if (!p) {
                failed |= 1ull << lane;
                continue;
            }
        }
        if (op.atomic == ATOMIC_ADD_LATE) {
            late_add(w->w.worker, (uint32_t *)p,
                     ((const uint32_t *)data)[lane]);
            continue;
        }
        run = same_address(m, lanes);
        lanes_atomic(dst, data, run, p, op);
    }
    if (is_float_atomic(op.atomic)) {
        mxcsr_set(csr);
    }
    if (unlikely(failed) && dst) {
        amd_mem_zero(dst, failed & ~m->pending, op);
    }
}

/* ---- slices ---- */

/* Host address of a slice whose lanes lie side by side in a page, or NULL. */
INL uint8_t *adjacent_slice(AmdWave *w, MemLanes *m, int q, unsigned first,
                            u64x16 mask, unsigned bytes)
{
    uint64_t va = m->addr[16 * q + first] - first * bytes;
    u64x16 iota = __builtin_convertvector(iota16(), u64x16);
    u64x16 off = slice_addresses(m, q) - (splat64(va) + iota * bytes);

    if (any64(off & mask) || (!mem_at_hand(m, va, 16 * bytes) &&
                              !amd_mem_turn(w, m, va, 16 * bytes))) {
        return NULL;
    }
    return m->host + (va - m->start);
}

/* One address for all of a slice: load once.  False if it is not so. */
INL bool load_same(AmdWave *w, MemLanes *m, Vreg *dst, int q, unsigned first,
                   u64x16 mask64, u32x16 mask, MemOp op)
{
    uint64_t va = m->addr[16 * q + first];

    if (any64((slice_addresses(m, q) ^ splat64(va)) & mask64) ||
        (!mem_at_hand(m, va, op.bytes) &&
         !amd_mem_turn(w, m, va, op.bytes))) {
        return false;
    }
    load_broadcast(dst, q, m->host + (va - m->start), op, mask);
    return true;
}

INL void load_any(AmdWave *w, MemLanes *m, Vreg *dst, MemOp op)
{
    for (int q = 0; q < SLICES; q++) {
        uint32_t bits = m->lanes >> 16 * q & 0xffff;
        u32x16 mask = lanes_of_bits(bits);
        u64x16 mask64 = widen_mask(mask);
        unsigned first;
        uint8_t *p;

        if (!bits) {
            continue;
        }
        first = __builtin_ctz(bits);
        p = adjacent_slice(w, m, q, first, mask64, op.bytes);
        if (p) {
            load_slice(dst, q, p, op, mask, false);
        } else if (!load_same(w, m, dst, q, first, mask64, mask, op)) {
            load_lanes(w, m, dst, op, (uint64_t)bits << 16 * q);
        }
    }
}

INL void store_any(AmdWave *w, MemLanes *m, const Vreg *data, MemOp op)
{
    for (int q = 0; q < SLICES; q++) {
        uint32_t bits = m->lanes >> 16 * q & 0xffff;
        bool all = bits == 0xffff;
        u32x16 mask = lanes_of_bits(bits);
        uint8_t *p = NULL;

        if (!bits) {
            continue;
        }
        if (op.bytes >= 4 || all) {
            p = adjacent_slice(w, m, q, __builtin_ctz(bits), widen_mask(mask),
                               op.bytes);
        }
        if (p) {
            store_slice(data, q, p, op, mask, all);
        } else {
            store_lanes(w, m, data, op, (uint64_t)bits << 16 * q);
        }
    }
}

/* ---- slices, found by 32 bits of an address ---- */

/* Where a slice's bytes are; NULL: it has no active lane. */
typedef struct SlicePlace {
    uint8_t *host;
    bool same; /* they are those of every lane */
} SlicePlace;

/* Find slice @q, some of whose lanes are active, as MemSlicesFn says. */
INL bool find_slice(AmdWave *w, const Vreg *r, bool wide, uint64_t base, int q,
                    unsigned first, MemOp op, SlicePlace *place)
{
    uint32_t x = ((const uint32_t *)&r->q[q])[first];
    uint32_t start = x - first * op.bytes;
    u32x16 mask = w->exec.q[q], low = r->q[q];
    unsigned n = 16 * op.bytes;

    if (wide) {
        uint32_t high = ((const uint32_t *)&r[1].q[q])[first];

        if (any32((r[1].q[q] ^ splat32(high)) & mask)) {
            return false;
        }
        base += (uint64_t)high << 32;
    }
    place->same = false;
    if (start >= -n ||
        any32((low ^ (splat32(start) + iota16() * op.bytes)) & mask)) {
        if (op.kind != MEM_LOAD || any32((low ^ splat32(x)) & mask)) {
            return false;
        }
        place->same = true;
        start = x;
        n = op.bytes;
    }
    place->host = mem_span(w, base + start, n, op);
    return place->host != NULL;
}

/* Find all of them.  No page may be reported while others are looked for. */
INL bool find_slices(AmdWave *w, const Vreg *r, bool wide, uint64_t base,
                     MemOp op, SlicePlace *place)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC), reports = w->w.worker->reports;

    for (int q = 0; q < SLICES; q++) {
        uint32_t bits = exec >> 16 * q & 0xffff;

        place[q].host = NULL;
        if (!bits) {
            continue;
        }
        if ((op.kind == MEM_STORE && op.bytes < 4 && bits != 0xffff) ||
            !find_slice(w, r, wide, base, q, __builtin_ctz(bits), op,
                        &place[q])) {
            return false;
        }
    }
    return reports == w->w.worker->reports;
}

/* Nothing is moved before all is found: a load may overwrite addresses. */
INL bool move_slices(AmdWave *w, Vreg *dst, const Vreg *data, const Vreg *r,
                     bool wide, uint64_t base, MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    SlicePlace place[SLICES];

    if (!find_slices(w, r, wide, base, op, place)) {
        return false;
    }
    for (int q = 0; q < SLICES; q++) {
        bool all = (exec >> 16 * q & 0xffff) == 0xffff;
        uint8_t *p = place[q].host;

        if (!p) {
            continue;
        }
        if (op.kind == MEM_STORE) {
            store_slice(data, q, p, op, w->exec.q[q], all);
        } else if (place[q].same) {
            load_broadcast(dst, q, p, op, w->exec.q[q]);
        } else {
            load_slice(dst, q, p, op, w->exec.q[q], all);
        }
    }
    return true;
}

#define SLICES_FN(name, kind, bytes, sext, half, atomic)                      \
    static bool slices_##name(AmdWave *w, Vreg *dst, const Vreg *data,        \
                              const Vreg *r, bool wide, uint64_t base)        \
    {                                                                         \
        return move_slices(w, dst, data, r, wide, base,                       \
                           (MemOp){ kind, bytes, sext, half, atomic, 0 });    \
    }
MEM_LOADS(SLICES_FN)
MEM_STORES(SLICES_FN)

#define SLICES_ENTRY(name, kind, bytes, sext, half, atomic) \
    [MEM_##name] = slices_##name,
MemSlicesFn *const LEVEL(mem_slices)[MEM_OP_COUNT] = {
    MEM_LOADS(SLICES_ENTRY)
    MEM_STORES(SLICES_ENTRY)
};

/* ---- all operations ---- */

#define LANES_FN(name, kind, bytes, sext, half, atomic)                       \
    static void lanes_##name(AmdWave *w, MemLanes *m, Vreg *dst,              \
                             const Vreg *data)                                \
    {                                                                         \
        LANES_##kind(((MemOp){ kind, bytes, sext, half, atomic, 0 }));        \
    }
#define LANES_MEM_LOAD(op) load_any(w, m, dst, op)
#define LANES_MEM_STORE(op) store_any(w, m, data, op)
#define LANES_MEM_ATOMIC(op) atomic_lanes(w, m, dst, data, op, m->lanes)
MEM_OPS(LANES_FN)

#define LANES_ENTRY(name, kind, bytes, sext, half, atomic) \
    [MEM_##name] = lanes_##name,
MemLanesFn *const LEVEL(mem_lanes)[MEM_OP_COUNT] = { MEM_OPS(LANES_ENTRY) };

/* ---- swizzled ---- */

static void element_addresses(MemLanes *m, const MemSwizzle *s, unsigned k)
{
    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        m->addr[lane] = mem_swizzle(s, lane, s->offset[lane] + 4 * k);
    }
}

/* Lanes whose access, or each of its dwords, lies in one element. */
static uint64_t whole_lanes(const MemLanes *m, const MemSwizzle *s, MemOp op)
{
    uint64_t whole = 0;
    unsigned most = op.bytes < 4 ? 4 - op.bytes : 0;

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        whole |= (uint64_t)(s->offset[lane] % 4 <= most) << lane;
    }
    return whole & m->lanes;
}

/* Lanes whose 8 bytes lie in one element, as an atomic operation needs it. */
static uint64_t whole_pairs(const MemLanes *m, const MemSwizzle *s)
{
    uint64_t whole = 0, size = 1u << s->shift;

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        uint64_t at = s->offset[lane] % size;

        whole |= (uint64_t)(at % 4 == 0 && at + 8 <= size) << lane;
    }
    return whole & m->lanes;
}

/*
 * Several dwords, one after the other.  A lane that has to wait for one of them
 * keeps its registers, which may hold the address.
 */
static void load_elements(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                          Vreg *dst, MemOp op)
{
    unsigned n = op.bytes / 4;
    Vreg temp[4] = {};

    for (unsigned k = 0; k < n; k++) {
        element_addresses(m, s, k);
        LEVEL(mem_lanes)[MEM_load_b32](w, m, &temp[k], NULL);
    }
    FOR_SLICES(w, q) {
        u32x16 mask = lanes_of_bits((m->lanes & ~m->pending) >> 16 * q &
                                    0xffff);

        for (unsigned k = 0; k < n; k++) {
            store32(&dst[k], q, temp[k].q[q], mask);
        }
    }
    if (m->bad & m->lanes) {
        amd_mem_zero(dst, m->bad & m->lanes & ~m->pending, op);
    }
}

/* A lane stores all or nothing (FL14). */
static void store_elements(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                           const Vreg *data, MemOp op)
{
    unsigned n = op.bytes / 4;
    uint64_t odd;

    m->lanes = amd_mem_probe(w, m, s, n, &odd);
    for (unsigned k = 0; k < n; k++) {
        element_addresses(m, s, k);
        LEVEL(mem_lanes)[MEM_store_b32](w, m, NULL, data + k);
    }
    if (odd) {
        m->lanes = odd;
        amd_mem_split(w, m, s, NULL, data, op);
    }
}

static void whole_elements(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                           Vreg *dst, const Vreg *data, unsigned op)
{
    MemKind kind = mem_ops[op].kind;

    if (kind == MEM_LOAD && mem_ops[op].bytes > 4) {
        load_elements(w, m, s, dst, mem_ops[op]);
    } else if (kind == MEM_STORE && mem_ops[op].bytes > 4) {
        store_elements(w, m, s, data, mem_ops[op]);
    } else {
        element_addresses(m, s, 0);
        LEVEL(mem_lanes)[op](w, m, dst, data);
    }
}

/* An atomic operation needs its memory in one piece. */
static void split_atomics(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                          Vreg *dst, MemOp op)
{
    element_addresses(m, s, 0);
    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);

        amd_mem_bad(w, m, lane, m->addr[lane], TESSERA_FAULT_MISALIGNED);
    }
    if (dst) {
        amd_mem_zero(dst, m->lanes, op);
    }
}

void LEVEL(mem_swizzled)(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                         Vreg *dst, const Vreg *data, unsigned op)
{
    bool atomic = mem_ops[op].kind == MEM_ATOMIC;
    uint64_t lanes = m->lanes, whole = whole_lanes(m, s, mem_ops[op]);

    if (atomic && mem_ops[op].bytes == 8) {
        whole = whole_pairs(m, s);
    }
    if (whole) {
        m->lanes = whole;
        whole_elements(w, m, s, dst, data, op);
    }
    m->lanes = lanes & ~whole;
    if (m->lanes && atomic) {
        split_atomics(w, m, s, dst, mem_ops[op]);
    } else if (m->lanes) {
        amd_mem_split(w, m, s, dst, data, mem_ops[op]);
    }
    m->lanes = lanes;
}

void LEVEL(mem_scratch)(AmdWave *w, MemLanes *m, MemSwizzle *s, Vreg *dst,
                        const Vreg *data, unsigned op)
{
    uint64_t base = flat_scratch(w), limit = scratch_limit(w);
    uint64_t aperture = mem_aperture(w, w->launch->private_base_hi);
    uint64_t lanes = m->lanes, out = 0;

    mem_align(w, m, s, aperture, dst, mem_ops[op]);
    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);
        uint64_t p = s->offset[lane];

        s->base[lane] = base + lane * 4;
        if (p >= limit || limit - p < mem_ops[op].bytes) {
            amd_mem_bad(w, m, lane, aperture | (uint32_t)p,
                        TESSERA_FAULT_SCRATCH_BOUNDS);
            out |= 1ull << lane;
        }
    }
    if (out && dst) {
        amd_mem_zero(dst, out, mem_ops[op]);
    }
    m->lanes &= ~out;
    s->row = wave_width(w) * 4;
    s->shift = 2;
    LEVEL(mem_swizzled)(w, m, s, dst, data, op);
    m->lanes = lanes;
}
