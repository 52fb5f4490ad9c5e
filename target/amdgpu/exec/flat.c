/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the FLAT, GLOBAL and SCRATCH instructions. */
#include "flat.h"

/* ---- operands ---- */

/* The SGPR's part of a private address, and a lane's VGPR's. */
INL int64_t scratch_part(const Uop *u, uint32_t reg)
{
    return u->kind[2] & MEM_SIGNED ? (int32_t)reg : (int64_t)reg;
}

INL int64_t scratch_base(const AmdWave *w, const Uop *u)
{
    return scratch_part(u, *(const uint32_t *)at(w, u->src[2])) +
           offset_of(u);
}

INL Vreg *result_of(AmdWave *w, const Uop *u)
{
    return u->kind[2] & MEM_RESULT ? at(w, u->dst) : NULL;
}

/* ---- adjacent lanes ---- */

INL bool fast_global(AmdWave *w, const Uop *u, MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC), va;
    uint8_t *host;

    if (unlikely(!exec)) {
        return true;
    }
    if (u->kind[2] & MEM_TO_LDS || w->mem_mode) {
        return false;
    }
    if (!adjacent_address(w, u, op.bytes, __builtin_ctzll(exec), &va)) {
        return op.kind == MEM_LOAD && w->inactive == 0 &&
               load_near(w, u, op);
    }
    host = mem_span(w, va + offset_of(u), wave_width(w) * op.bytes, op);
    if (op.kind == MEM_LOAD && likely(host)) {
        load_ahead(host, op.bytes);
    }
    return likely(host) &&
           mem_adjacent(w, at(w, u->dst), at(w, u->src[1]), host, op);
}

/* In which aperture an address is, is decided before the offset is added. */
INL bool fast_flat(AmdWave *w, const Uop *u, MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC), va;
    uint32_t n = wave_width(w) * op.bytes, high;
    const TesseraLaunch *l = w->launch;
    uint8_t *host;

    if (unlikely(!exec)) {
        return true;
    }
    if (w->mem_mode ||
        !adjacent_address(w, u, op.bytes, __builtin_ctzll(exec), &va)) {
        return false;
    }
    high = va >> 32;
    if (high == (uint32_t)l->shared_base_hi << 16) {
        va = (uint32_t)va + offset_of(u);
        if (va + n > w->w.group->lds_size) {
            return false;
        }
        host = w->w.group->lds + va;
    } else if (high == (uint32_t)l->private_base_hi << 16) {
        return false;
    } else {
        host = mem_span(w, va + offset_of(u), n, op);
    }
    return likely(host) &&
           mem_adjacent(w, at(w, u->dst), at(w, u->src[1]), host, op);
}

/* Private memory is fast where all lanes use one offset. */
INL bool fast_scratch(AmdWave *w, const Uop *u, MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC), limit = scratch_limit(w), p;

    if (unlikely(!exec)) {
        return true;
    }
    if (op.bytes < 4 || u->kind[2] & MEM_TO_LDS || w->mem_mode) {
        return false;
    }
    p = (uint64_t)scratch_base(w, u);
    if (u->kind[0] == ADDR_VGPR) {
        const Vreg *r = at(w, u->src[0]);
        uint32_t reg = ((const uint32_t *)r)[__builtin_ctzll(exec)];

        if (!lanes_equal(w, r, reg)) {
            return false;
        }
        p += (uint64_t)scratch_part(u, reg);
    }
    if (p % 4 || p >= limit || limit - p < op.bytes) {
        return false;
    }
    return mem_rows(w, at(w, u->dst), at(w, u->src[1]),
                    flat_scratch(w) + p * wave_width(w), op);
}

/* ---- lanes anywhere ---- */

static void addresses32(const AmdWave *w, const Uop *u, uint32_t add,
                        uint64_t *addr)
{
    const uint32_t *r = at(w, u->src[0]);

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        addr[lane] = r[lane] + add;
    }
}

static void global_addresses(const AmdWave *w, const Uop *u, uint64_t add,
                             uint64_t *addr)
{
    const Vreg *r = at(w, u->src[0]);

    if (u->kind[0] == ADDR_LANE) {
        for (unsigned lane = 0; lane < AMD_LANES; lane++) {
            addr[lane] = add + lane * 4;
        }
        return;
    }
    if (unlikely(w->mem_mode & MEM_PTR32)) { /* FL9: all parts have 32 bits */
        addresses32(w, u, (uint32_t)add, addr);
        return;
    }

    FOR_SLICES(w, q) {
        u32x16 high = u->kind[0] == ADDR_VGPR ? r[1].q[q] : splat32(0);
        u64x16 a = join64(r[0].q[q], high) + splat64(add);

        memcpy(&addr[16 * q], &a, sizeof(a));
    }
}

/* The same for all segments: where a result goes, what a fault does. */
#define FINISH(wave, u, m, dst)                                               \
    do {                                                                      \
        if (unlikely((u)->kind[2] & MEM_TO_LDS)) {                            \
            amd_mem_lds(amd(wave), &(m), (dst), (u)->mods, ENGINE_WRITE);     \
        }                                                                     \
        if (unlikely((m).bad | (m).pending)) {                                \
            return amd_mem_end(amd(wave), (u), &(m));                         \
        }                                                                     \
        return (u) + (u)->len;                                                \
    } while (0)

/* Is it done with 16 lanes at once? */
static bool slices_global(AmdWave *w, const Uop *u)
{
    MemSlicesFn *fn = LEVEL(mem_slices)[u->kind[1]];

    return fn && !(u->kind[2] & MEM_TO_LDS) && !w->mem_mode &&
           u->kind[0] != ADDR_LANE &&
           fn(w, at(w, u->dst), at(w, u->src[1]), at(w, u->src[0]),
              u->kind[0] == ADDR_VGPR, global_base(w, u) + offset_of(u));
}

const Uop *LEVEL(slow_global)(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    Vreg lds, *dst = u->kind[2] & MEM_TO_LDS ? &lds : result_of(w, u);
    MemLanes m;

    if (slices_global(w, u)) {
        return u + u->len;
    }
    mem_begin(&m, sgpr64(w, SGPR_EXEC), mem_access(mem_ops[u->kind[1]]));
    global_addresses(w, u, global_base(w, u) + offset_of(u), m.addr);
    mem_align(w, &m, NULL, 0, dst, mem_ops[u->kind[1]]);
    LEVEL(mem_lanes)[u->kind[1]](w, &m, dst, at(w, u->src[1]));
    FINISH(wave, u, m, dst);
}

static void scratch_offsets(const AmdWave *w, const Uop *u, uint64_t *offset)
{
    const uint32_t *r = at(w, u->src[0]);
    int64_t base = scratch_base(w, u);

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        offset[lane] = (uint64_t)(base + (u->kind[0] == ADDR_VGPR
                                              ? scratch_part(u, r[lane])
                                              : 0));
    }
}

const Uop *LEVEL(slow_scratch)(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    Vreg lds, *dst = u->kind[2] & MEM_TO_LDS ? &lds : result_of(w, u);
    MemLanes m;
    MemSwizzle s;

    mem_begin(&m, sgpr64(w, SGPR_EXEC), mem_access(mem_ops[u->kind[1]]));
    scratch_offsets(w, u, s.offset);
    LEVEL(mem_scratch)(w, &m, &s, dst, at(w, u->src[1]), u->kind[1]);
    FINISH(wave, u, m, dst);
}

/*
 * Active lanes whose address is in the aperture with this base: it is the
 * upper quarter of the address, and the next one is 0; with 32-bit addresses
 * it is the upper half.
 */
static uint64_t lanes_in(const AmdWave *w, const Uop *u, uint16_t aperture)
{
    const Vreg *r = at(w, u->src[0]);
    uint64_t lanes = 0;

    FOR_SLICES(w, q) {
        u32x16 high = w->mem_mode & MEM_PTR32 ? r[0].q[q] & 0xffff0000 :
                                                r[1].q[q];
        u32x16 in = (u32x16)(high == splat32((uint32_t)aperture << 16));

        lanes |= (uint64_t)bits_of_lanes(in & w->exec.q[q]) << 16 * q;
    }
    return lanes;
}

/* Aperture addresses are offsets there in their lower half. */
static void aperture_offsets(const AmdWave *w, const Uop *u, uint64_t *offset)
{
    const uint32_t *low = at(w, u->src[0]);
    uint32_t mask = w->mem_mode & MEM_PTR32 ? 0xffff : 0xffffffff;

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        offset[lane] = (low[lane] & mask) + offset_of(u);
    }
}

/*
 * Each lane has its segment (FL2).  A result may overwrite addresses, but only
 * those of lanes that have been served.
 */
const Uop *LEVEL(slow_flat)(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    uint64_t shared = lanes_in(w, u, w->launch->shared_base_hi);
    uint64_t private = lanes_in(w, u, w->launch->private_base_hi) & ~shared;
    uint64_t global = sgpr64(w, SGPR_EXEC) & ~shared & ~private;
    Vreg *dst = result_of(w, u), *data = at(w, u->src[1]);
    MemOp op = mem_ops[u->kind[1]];
    MemLanes m;

    mem_begin(&m, global, mem_access(op));
    if (global) {
        global_addresses(w, u, offset_of(u), m.addr);
        mem_align(w, &m, NULL, 0, dst, op);
        LEVEL(mem_lanes)[u->kind[1]](w, &m, dst, data);
    }
    if (private) {
        MemSwizzle s;

        m.lanes = private;
        aperture_offsets(w, u, s.offset);
        LEVEL(mem_scratch)(w, &m, &s, dst, data, u->kind[1]);
    }
    if (shared) {
        m.lanes = shared;
        aperture_offsets(w, u, m.addr);
        mem_use_lds(&m, w);
        mem_align(w, &m, NULL, 0, dst, op);
        LEVEL(mem_lanes)[u->kind[1]](w, &m, dst, data);
    }
    FINISH(wave, u, m, dst);
}

/* ---- blocks: 32 dwords, of which M0 picks some ---- */

#define BLOCK_DWORDS 32

/* Each dword is an access of its own. */
static void block_dword(AmdWave *w, const Uop *u, MemLanes *m, MemSwizzle *s,
                        unsigned k, Vreg *dst, const Vreg *data)
{
    unsigned op = u->kind[1];

    if (s) {
        MemSwizzle one = *s;

        for (unsigned lane = 0; lane < AMD_LANES; lane++) {
            one.offset[lane] += 4 * k;
        }
        LEVEL(mem_scratch)(w, m, &one, dst, data, op);
    } else {
        global_addresses(w, u, global_base(w, u) + offset_of(u) + 4 * k,
                         m->addr);
        mem_align(w, m, NULL, 0, dst, mem_ops[op]);
        LEVEL(mem_lanes)[op](w, m, dst, data);
    }
}

/* What has been loaded goes to registers last: they may hold the addresses. */
static void block(AmdWave *w, const Uop *u, MemLanes *m, MemSwizzle *s)
{
    uint32_t mask = w->s[SGPR_M0];
    bool load = mem_ops[u->kind[1]].kind == MEM_LOAD;
    uint64_t lanes = sgpr64(w, SGPR_EXEC);
    const Vreg *data = at(w, u->src[1]);
    Vreg *dst = at(w, u->dst), temp[BLOCK_DWORDS];

    mem_begin(m, lanes, load ? ENGINE_READ : ENGINE_WRITE);
    for (unsigned k = 0; k < BLOCK_DWORDS; k++) {
        m->lanes = lanes;
        if (mask >> k & 1) {
            block_dword(w, u, m, s, k, load ? &temp[k] : NULL, data + k);
        }
    }
    for (unsigned k = 0; load && k < BLOCK_DWORDS; k++) {
        FOR_SLICES(w, q) {
            uint32_t bits = (lanes & ~m->pending) >> 16 * q & 0xffff;

            if (mask >> k & 1) {
                store32(&dst[k], q, temp[k].q[q], lanes_of_bits(bits));
            }
        }
    }
}

const Uop *LEVEL(block_global)(Wave *wave, const Uop *u)
{
    MemLanes m;

    block(amd(wave), u, &m, NULL);
    FINISH(wave, u, m, NULL);
}

const Uop *LEVEL(block_scratch)(Wave *wave, const Uop *u)
{
    MemLanes m;
    MemSwizzle s;

    scratch_offsets(amd(wave), u, s.offset);
    block(amd(wave), u, &m, &s);
    FINISH(wave, u, m, NULL);
}

/* ---- transposing loads ---- */

/*
 * 32 lanes each load a row of eight elements of @bytes bytes; then a lane has a
 * column of eight such rows.  It is what gfx1201 was seen to do: elements of 16
 * bits stay among eight lanes, those of 8 bits among 16.  This is where element
 * @column of @row goes: lane and number.
 */
static void transposed(unsigned row, unsigned column, unsigned bytes,
                       unsigned *lane, unsigned *number)
{
    if (bytes == 2) {
        *lane = row / 8 * 8 + column;
        *number = row % 8;
    } else {
        *lane = row / 16 * 16 + row / 4 % 2 * 8 + column;
        *number = row / 8 % 2 * 4 + row % 4;
    }
}

/* Element @n of a lane's registers. */
static uint8_t *lane_element(Vreg *v, unsigned lane, unsigned n,
                             unsigned bytes)
{
    unsigned at = n * bytes;

    return (uint8_t *)&v[at / 4] + 4 * lane + at % 4;
}

/*
 * In a wave of 64 lanes the upper ones load nothing, and have the second half
 * of what the lower ones have in a wave of 32, as registers of matrices lie in
 * both (RDNA4 11.6.2 for the former; the latter is not measured).
 */
static void give_columns(AmdWave *w, const Uop *u, Vreg *rows, uint64_t loaded,
                         unsigned bytes)
{
    unsigned count = w->half ? 8 : 4, lane, n;
    Vreg *dst = at(w, u->dst);

    for (; loaded; loaded &= loaded - 1) {
        unsigned row = __builtin_ctzll(loaded);

        for (unsigned column = 0; column < 8; column++) {
            transposed(row, column, bytes, &lane, &n);
            memcpy(lane_element(dst, lane + n / count * 32, n % count, bytes),
                   lane_element(rows, row, column, bytes), bytes);
        }
    }
}

/*
 * Rows that have to wait come later, whatever the registers with their
 * addresses have become by then.  All lanes have to be active, so that it does
 * not matter which have a result.
 */
const Uop *LEVEL(transpose)(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    MemOp op = mem_ops[u->kind[1]];
    Vreg rows[4] = {};
    MemLanes m;

    mem_begin(&m, sgpr64(w, SGPR_EXEC) & UINT32_MAX, ENGINE_READ);
    if (w->w.park.active) {
        memcpy(m.addr, w->rest.rows, sizeof(w->rest.rows));
    } else {
        global_addresses(w, u, global_base(w, u) + offset_of(u), m.addr);
        memcpy(w->rest.rows, m.addr, sizeof(w->rest.rows));
    }
    mem_align(w, &m, NULL, 0, rows, op);
    LEVEL(mem_lanes)[u->kind[1]](w, &m, rows, NULL);
    give_columns(w, u, rows, sgpr64(w, SGPR_EXEC) & UINT32_MAX & ~m.pending,
                 op.bytes / 8);
    FINISH(wave, u, m, NULL);
}

/* ---- handlers ---- */

#undef NOSEM
#define NOSEM MEM_none
#define BLOCK_flat LEVEL(slow_flat) /* there is none */
#define BLOCK_global LEVEL(block_global)
#define BLOCK_scratch LEVEL(block_scratch)
#define FLAT_HANDLER(segment, name, flags, id)                                \
    CALLED(segment##_##name)                                                  \
    {                                                                         \
        if (mem_ops[id].kind == MEM_NOTHING) {                                \
            return u + u->len;                                                \
        }                                                                     \
        if ((flags) & INSN_BLOCK) {                                           \
            return BLOCK_##segment(wave, u);                                  \
        }                                                                     \
        if ((flags) & INSN_TRANSPOSE) {                                       \
            return LEVEL(transpose)(wave, u);                                 \
        }                                                                     \
        if (mem_ops[id].kind != MEM_ATOMIC &&                                 \
            likely(fast_##segment(amd(wave), u, mem_ops[id]))) {              \
            return u + u->len;                                                \
        }                                                                     \
        return LEVEL(slow_##segment)(wave, u);                                \
    }

#define FG(name, D, A, flags, ...)                                            \
    FLAT_HANDLER(global, name, flags, __VA_ARGS__)
#define FS(name, D, A, flags, ...)                                            \
    FLAT_HANDLER(scratch, name, flags, __VA_ARGS__)
#define FA(name, D, A, flags, ...)                                            \
    FLAT_HANDLER(flat, name, flags, __VA_ARGS__)                              \
    FLAT_HANDLER(global, name, flags, __VA_ARGS__)
#define FL(name, D, A, flags, ...)                                            \
    FLAT_HANDLER(flat, name, flags, __VA_ARGS__)                              \
    FLAT_HANDLER(global, name, flags, __VA_ARGS__)                            \
    FLAT_HANDLER(scratch, name, flags, __VA_ARGS__)
#include "../rows/flat.inc"
