/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast half of the vector memory path: moving lanes between registers and
 * host memory.
 *
 * A handler first looks whether its lanes lie next to each other in one page
 * that the TLB has; then a few wide copies do.  Everything else goes to a slow
 * handler, which computes an address for each lane and calls the operation's
 * function of mem_lanes[]; that one still takes 16 lanes at once where they
 * are adjacent or equal.
 *
 * No aligned datum of up to 8 bytes is torn: the copies are vector moves at
 * addresses aligned as the data is, and a host's vector move is never split
 * inside 8 aligned bytes.
 */
#ifndef AMDGPU_EXEC_MEMORY_H
#define AMDGPU_EXEC_MEMORY_H

#include "../mem-lanes.h"
#include "handlers.h"
#include "operand.h"

typedef VEC(int8_t, 16) i8x16;

/* Operation on the lanes of @m; @dst is NULL if no result is wanted. */
typedef void MemLanesFn(AmdWave *w, MemLanes *m, Vreg *dst, const Vreg *data);

extern MemLanesFn *const LEVEL(mem_lanes)[MEM_OP_COUNT];

/*
 * Load or store, if in each slice of 16 lanes the active ones lie next to each
 * other or, for a load, at one place.  Lanes are at @base plus the register @r,
 * or the pair @r if @wide.  False, and nothing is done, if it is not so or if
 * not all is memory.
 */
typedef bool MemSlicesFn(AmdWave *w, Vreg *dst, const Vreg *data,
                         const Vreg *r, bool wide, uint64_t base);

extern MemSlicesFn *const LEVEL(mem_slices)[MEM_OP_COUNT];

/* ---- arrays of structures, and back ---- */

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

INL void deinterleave3(const u32x16 *m, u32x16 *r)
{
    u32x16 x = SHUFFLE(m[0], m[1], 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30,
                       0, 0, 0, 0, 0);
    u32x16 y = SHUFFLE(m[0], m[1], 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31,
                       0, 0, 0, 0, 0);
    u32x16 z = SHUFFLE(m[0], m[1], 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0,
                       0, 0, 0, 0, 0);

    r[0] = SHUFFLE(x, m[2], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23,
                   26, 29);
    r[1] = SHUFFLE(y, m[2], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24,
                   27, 30);
    r[2] = SHUFFLE(z, m[2], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25,
                   28, 31);
}

INL void deinterleave4(const u32x16 *m, u32x16 *r)
{
    u32x16 x[4], y[4];

    /* First whole lanes, so that the rest stays within 128 bits. */
    for (int i = 0; i < 2; i++) {
        x[i] = SHUFFLE(m[2 * i], m[2 * i + 1], 0, 1, 2, 3, 4, 5, 6, 7, 16,
                       17, 18, 19, 20, 21, 22, 23);
        x[i + 2] = SHUFFLE(m[2 * i], m[2 * i + 1], 8, 9, 10, 11, 12, 13,
                           14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    for (int i = 0; i < 2; i++) {
        y[2 * i] = SHUFFLE(x[2 * i], x[2 * i + 1], 0, 1, 2, 3, 8, 9, 10,
                           11, 16, 17, 18, 19, 24, 25, 26, 27);
        y[2 * i + 1] = SHUFFLE(x[2 * i], x[2 * i + 1], 4, 5, 6, 7, 12, 13,
                               14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    }
    for (int i = 0; i < 2; i++) {
        x[2 * i] = SHUFFLE(y[2 * i], y[2 * i + 1], 0, 16, 1, 17, 4, 20, 5,
                           21, 8, 24, 9, 25, 12, 28, 13, 29);
        x[2 * i + 1] = SHUFFLE(y[2 * i], y[2 * i + 1], 2, 18, 3, 19, 6, 22,
                               7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    }
    for (int i = 0; i < 2; i++) {
        r[2 * i] = SHUFFLE(x[i], x[i + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8,
                           9, 24, 25, 12, 13, 28, 29);
        r[2 * i + 1] = SHUFFLE(x[i], x[i + 2], 2, 3, 18, 19, 6, 7, 22, 23,
                               10, 11, 26, 27, 14, 15, 30, 31);
    }
}

/* @n vectors of memory hold 16 lanes of @n dwords: a vector for each dword. */
INL void deinterleave(const u32x16 *m, u32x16 *r, int n)
{
    if (n == 1) {
        r[0] = m[0];
    } else if (n == 2) {
        r[0] = SHUFFLE(m[0], m[1], 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                       24, 26, 28, 30);
        r[1] = SHUFFLE(m[0], m[1], 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23,
                       25, 27, 29, 31);
    } else if (n == 3) {
        deinterleave3(m, r);
    } else {
        deinterleave4(m, r);
    }
}

INL void interleave3(const u32x16 *r, u32x16 *m)
{
    u32x16 x = SHUFFLE(r[0], r[1], 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0,
                       4, 20, 0, 5);
    u32x16 y = SHUFFLE(r[0], r[1], 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9,
                       25, 0, 10, 26);
    u32x16 z = SHUFFLE(r[0], r[1], 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14,
                       30, 0, 15, 31, 0);

    m[0] = SHUFFLE(x, r[2], 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12,
                   13, 20, 15);
    m[1] = SHUFFLE(y, r[2], 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12,
                   25, 14, 15);
    m[2] = SHUFFLE(z, r[2], 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30,
                   13, 14, 31);
}

INL void interleave4(const u32x16 *r, u32x16 *m)
{
    u32x16 x[4];

    for (int i = 0; i < 4; i += 2) {
        x[i] = SHUFFLE(r[i], r[i + 1], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                       5, 21, 6, 22, 7, 23);
        x[i + 1] = SHUFFLE(r[i], r[i + 1], 8, 24, 9, 25, 10, 26, 11, 27,
                           12, 28, 13, 29, 14, 30, 15, 31);
    }
    for (int i = 0; i < 2; i++) {
        m[2 * i] = SHUFFLE(x[i], x[i + 2], 0, 1, 16, 17, 2, 3, 18, 19, 4,
                           5, 20, 21, 6, 7, 22, 23);
        m[2 * i + 1] = SHUFFLE(x[i], x[i + 2], 8, 9, 24, 25, 10, 11, 26,
                               27, 12, 13, 28, 29, 14, 15, 30, 31);
    }
}

INL void interleave(const u32x16 *r, u32x16 *m, int n)
{
    if (n == 1) {
        m[0] = r[0];
    } else if (n == 2) {
        m[0] = SHUFFLE(r[0], r[1], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                       22, 7, 23);
        m[1] = SHUFFLE(r[0], r[1], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                       29, 14, 30, 15, 31);
    } else if (n == 3) {
        interleave3(r, m);
    } else {
        interleave4(r, m);
    }
}

/* ---- one lane ---- */

INL void lane_load(Vreg *dst, unsigned lane, const uint8_t *p, MemOp op)
{
    uint32_t *r = (uint32_t *)dst + lane, x = 0;

    if (op.bytes == 1) {
        x = op.sext ? (uint32_t)(int8_t)*p : *p;
    } else if (op.bytes == 2) {
        uint16_t y;

        memcpy(&y, p, 2);
        x = op.sext ? (uint32_t)(int16_t)y : y;
    } else if (op.bytes == 4) {
        memcpy(&x, p, 4);
    } else {
        uint64_t y;

        memcpy(&y, p, 8);
        if (op.bytes == 12) {
            memcpy(&r[2 * AMD_LANES], p + 8, 4);
        } else if (op.bytes == 16) {
            uint64_t z;

            memcpy(&z, p + 8, 8);
            r[2 * AMD_LANES] = z;
            r[3 * AMD_LANES] = z >> 32;
        }
        x = y;
        r[AMD_LANES] = y >> 32;
    }
    if (op.half == HALF_NONE) {
        *r = x;
    } else {
        ((uint16_t *)r)[op.half == HALF_HIGH] = x;
    }
}

INL uint64_t pair_at(const uint32_t *r)
{
    return r[0] | (uint64_t)r[AMD_LANES] << 32;
}

INL void lane_store(const Vreg *data, unsigned lane, uint8_t *p, MemOp op)
{
    const uint32_t *r = (const uint32_t *)data + lane;
    uint32_t x = *r >> (op.half == HALF_HIGH ? 16 : 0);

    if (op.bytes <= 4) {
        memcpy(p, &x, op.bytes);
        return;
    }
    memcpy(p, &(uint64_t){ pair_at(r) }, 8);
    if (op.bytes == 12) {
        memcpy(p + 8, &r[2 * AMD_LANES], 4);
    } else if (op.bytes == 16) {
        memcpy(p + 8, &(uint64_t){ pair_at(r + 2 * AMD_LANES) }, 8);
    }
}

/* ---- 16 adjacent lanes ---- */

/* Slice @q of @r, in the lanes of @mask, which may be known to be @all. */
INL void put_slice(Vreg *r, int q, u32x16 x, u32x16 mask, bool all)
{
    r->q[q] = all ? x : select32(mask, x, r->q[q]);
}

/* Store a byte or short, already extended to 32 bits, as @op says. */
INL void put_narrow(Vreg *dst, int q, u32x16 x, MemOp op, u32x16 mask,
                    bool all)
{
    mask = all ? splat32(UINT32_MAX) : mask;
    if (op.half == HALF_HIGH) {
        store32(dst, q, x << 16, mask & 0xffff0000);
    } else if (op.half == HALF_LOW) {
        store32(dst, q, x, mask & 0xffff);
    } else {
        put_slice(dst, q, x, mask, all);
    }
}

INL u32x16 load_narrow(const uint8_t *p, MemOp op)
{
    if (op.bytes == 1) {
        u8x16 x;

        memcpy(&x, p, sizeof(x));
        return op.sext
                   ? (u32x16)__builtin_convertvector((i8x16)x, i32x16)
                   : __builtin_convertvector(x, u32x16);
    } else {
        u16x16 x;

        memcpy(&x, p, sizeof(x));
        return op.sext
                   ? (u32x16)__builtin_convertvector((i16x16)x, i32x16)
                   : __builtin_convertvector(x, u32x16);
    }
}

/* Load slice @q, whose first lane is at @p. */
INL void load_slice(Vreg *dst, int q, const uint8_t *p, MemOp op, u32x16 mask,
                    bool all)
{
    u32x16 m[4], r[4];
    int n = op.bytes / 4;

    if (op.bytes < 4) {
        put_narrow(dst, q, load_narrow(p, op), op, mask, all);
        return;
    }
    memcpy(m, p, n * sizeof(*m));
    deinterleave(m, r, n);
    for (int k = 0; k < n; k++) {
        put_slice(&dst[k], q, r[k], mask, all);
    }
}

/* All lanes of a slice get what is at @p. */
INL void load_broadcast(Vreg *dst, int q, const uint8_t *p, MemOp op,
                        u32x16 mask)
{
    uint32_t x[4] = { 0 };

    if (op.bytes >= 8) {
        memcpy(x, p, 8);
        memcpy(x + 2, p + 8, op.bytes - 8);
    } else {
        memcpy(x, p, op.bytes);
    }
    if (op.bytes < 4) {
        int shift = 32 - 8 * op.bytes;

        x[0] = op.sext ? (uint32_t)((int32_t)(x[0] << shift) >> shift) : x[0];
        put_narrow(dst, q, splat32(x[0]), op, mask, false);
    }
    for (int k = 0; k < op.bytes / 4; k++) {
        store32(&dst[k], q, splat32(x[k]), mask);
    }
}

/* Store slice @q; bytes and shorts only if all lanes are active. */
INL void store_slice(const Vreg *data, int q, uint8_t *p, MemOp op,
                     u32x16 mask, bool all)
{
    u32x16 m[4], r[4];
    int n = op.bytes / 4;

    r[0] = data[0].q[q] >> (op.half == HALF_HIGH ? 16 : 0);
    if (op.bytes == 1) {
        u8x16 x = __builtin_convertvector(r[0], u8x16);

        memcpy(p, &x, sizeof(x));
        return;
    }
    if (op.bytes == 2) {
        u16x16 x = __builtin_convertvector(r[0], u16x16);

        memcpy(p, &x, sizeof(x));
        return;
    }
    for (int k = 0; k < n; k++) {
        r[k] = data[k].q[q];
    }
    interleave(r, m, n);
    if (likely(all)) {
        memcpy(p, m, n * sizeof(*m));
        return;
    }
    for (int k = 0; k < n; k++) {
        r[k] = mask;
    }
    u32x16 mm[4];
    interleave(r, mm, n);
    for (int k = 0; k < n; k++) {
        mask_store32(p + k * sizeof(*m), m[k], mm[k]);
    }
}

/*
 * Load or store all active lanes, lane l at @host + l * bytes.  False if that
 * needs lanes one by one.
 */
INL bool mem_adjacent(AmdWave *w, Vreg *dst, const Vreg *data, uint8_t *host,
                      MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);

    if (likely(w->inactive == 0)) {
        FOR_SLICES(w, q) {
            uint8_t *p = host + 16 * q * op.bytes;

            if (op.kind == MEM_LOAD) {
                load_slice(dst, q, p, op, splat32(0), true);
            } else {
                store_slice(data, q, p, op, splat32(0), true);
            }
        }
        return true;
    }
    if (op.kind == MEM_LOAD) {
        FOR_SLICES(w, q) {
            load_slice(dst, q, host + 16 * q * op.bytes, op, w->exec.q[q],
                       false);
        }
        return true;
    }
    if (op.bytes < 4) {
        return false;
    }
    FOR_SLICES(w, q) {
        uint32_t bits = exec >> 16 * q & 0xffff;

        if (likely(bits)) {
            store_slice(data, q, host + 16 * q * op.bytes, op, w->exec.q[q],
                        bits == 0xffff);
        }
    }
    return true;
}

/*
 * Do the active lanes of @r hold x + lane * @stride without wrapping around?
 * Sets *@x.  EXEC must not be 0.
 */
INL bool lanes_adjacent(const AmdWave *w, const Vreg *r, uint32_t stride,
                        unsigned first, uint32_t *x)
{
    u32x16 off = {};
    bool all = likely(w->inactive == 0);

    *x = ((const uint32_t *)r)[first] - first * stride;
    FOR_SLICES(w, q) {
        u32x16 lane = iota16() + (uint32_t)(16 * q);
        u32x16 odd = r->q[q] ^ (splat32(*x) + lane * stride);

        off |= all ? odd : odd & w->exec.q[q];
    }
    return *x < -(AMD_LANES * stride) && !any32(off);
}

/* Do the active lanes of @r all hold @x? */
INL bool lanes_equal(const AmdWave *w, const Vreg *r, uint32_t x)
{
    u32x16 off = {};
    bool all = likely(w->inactive == 0);

    FOR_SLICES(w, q) {
        u32x16 odd = r->q[q] ^ splat32(x);

        off |= all ? odd : odd & w->exec.q[q];
    }
    return !any32(off);
}

INL EngineAccess mem_access(MemOp op)
{
    return op.kind == MEM_LOAD ? ENGINE_READ : ENGINE_WRITE;
}

/*
 * Host address of @n bytes at @va, a page at most, or NULL if they are not
 * memory in one piece, or not all there.
 */
INL uint8_t *mem_span(AmdWave *w, uint64_t va, unsigned n, MemOp op)
{
    uint8_t *p;

    if (likely(va % ENGINE_PAGE <= ENGINE_PAGE - n)) {
        p = mem_hit(&w->w, va, mem_access(op));
        if (likely(p)) {
            return p;
        }
    }
    return amd_mem_span(w, va, n, mem_access(op));
}

/*
 * Dwords that all lanes have at one offset of swizzled memory with rows of as
 * many dwords as there are lanes, from @va for lane 0's first one: row after
 * row, no transposition.
 */
INL bool mem_rows(AmdWave *w, Vreg *dst, const Vreg *data, uint64_t va,
                  MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    unsigned row = wave_width(w) * 4;
    uint8_t *host = mem_span(w, va, row / 4 * op.bytes, op);

    if (unlikely(!host)) {
        return false;
    }
    for (int k = 0; k < op.bytes / 4; k++) {
        FOR_SLICES(w, q) {
            uint8_t *p = host + k * row + q * sizeof(u32x16);
            u32x16 x;

            if (op.kind == MEM_LOAD) {
                memcpy(&x, p, sizeof(x));
                store32(&dst[k], q, x, w->exec.q[q]);
            } else if (likely(exec == w->full)) {
                memcpy(p, &data[k].q[q], sizeof(x));
            } else {
                mask_store32(p, data[k].q[q], w->exec.q[q]);
            }
        }
    }
    return true;
}

/* ---- slow handlers ---- */

/* They execute the instruction and return where to go on, see SLOW(). */
UopFn LEVEL(slow_flat), LEVEL(slow_global), LEVEL(slow_scratch);
UopFn LEVEL(block_global), LEVEL(block_scratch), LEVEL(transpose);
UopFn LEVEL(slow_buffer), LEVEL(slow_format);

/* Swizzled addresses of all lanes of @m, whole elements at once if aligned. */
void LEVEL(mem_swizzled)(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                         Vreg *dst, const Vreg *data, unsigned op);

/*
 * Lanes' private memory (gfx-facts section 9): @s->offset are offsets in it as
 * signed numbers.  Lanes beyond their allocation are bad.
 */
void LEVEL(mem_scratch)(AmdWave *w, MemLanes *m, MemSwizzle *s, Vreg *dst,
                        const Vreg *data, unsigned op);

/* Bytes of private memory that each lane has. */
INL uint64_t scratch_limit(const AmdWave *w)
{
    return w->launch->scratch_wave_size / wave_width(w);
}

#endif
