/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of the FLAT and GLOBAL instructions. */
#ifndef AMDGPU_EXEC_FLAT_H
#define AMDGPU_EXEC_FLAT_H

#include "memory.h"

INL int64_t offset_of(const Uop *u)
{
    return (int32_t)u->mods;
}

/* What the lanes' VGPR addresses are counted from, without the offset. */
INL uint64_t global_base(const AmdWave *w, const Uop *u)
{
    uint64_t base = 0;

    if (u->kind[0] != ADDR_VGPR) {
        memcpy(&base, at(w, u->src[2]), 8);
    }
    return base;
}

/*
 * Address of lane 0 without offset, if the active lanes lie @bytes apart and
 * their addresses have the same upper half.
 */
INL bool adjacent_address(const AmdWave *w, const Uop *u, unsigned bytes,
                          unsigned first, uint64_t *va)
{
    const Vreg *r = at(w, u->src[0]);
    uint64_t base = global_base(w, u);
    uint32_t low, high;

    if (u->kind[0] == ADDR_LANE) {
        *va = base;
        return true;
    }
    if (unlikely(!lanes_adjacent(w, &r[0], bytes, first, &low))) {
        return false;
    }
    if (u->kind[0] == ADDR_VGPR) {
        high = ((const uint32_t *)&r[1])[first];
        if (unlikely(!lanes_equal(w, &r[1], high))) {
            return false;
        }
        base = (uint64_t)high << 32;
    }
    *va = base + low;
    return true;
}

/*
 * Waves mostly stream: for one to come, of which lanes move @bytes each, when
 * one loads at @p.  So far ahead that the next ones are not through before it
 * could help.  A wave of 32 lanes asks for what the next one asks for again:
 * strips must have no loops, and only those of constant length are unrolled.
 */
INL void load_ahead(const uint8_t *p, int bytes)
{
    for (int i = 0; i < 64 * bytes; i += 64) {
        __builtin_prefetch(p + ENGINE_PAGE + i);
    }
}

/* The same for stores. */
INL void store_ahead(const uint8_t *p, int bytes)
{
    for (int i = 0; i < 64 * bytes; i += 64) {
        __builtin_prefetch(p + ENGINE_PAGE / 2 + i, 1);
    }
}

/* Where lanes are that lie next to each other, as bytes behind the first. */
INL u32x16 apart(unsigned bytes)
{
    return iota16() * bytes;
}

/*
 * What lanes read that are @at bytes behind the first, 0 or apart(): @r holds
 * adjacent lanes' dwords.
 */
INL u32x16 pick(u32x16 at, u32x16 r)
{
    return select32((u32x16)(at == splat32(0)), splat32(r[0]), r);
}

/* ---- all lanes active ---- */

/* The slices of an instruction, each in one page. */
typedef struct Near {
    uint32_t start[SLICES]; /* lower half of the first lane's address */
    u32x16 at[SLICES];      /* lanes' distance from there */
    uint8_t *host[SLICES];
} Near;

/*
 * Do the slices' lanes lie next to each other or at one place, and have
 * addresses of one upper half?
 */
INL bool near_shapes(const AmdWave *w, const Vreg *r, bool wide,
                     unsigned bytes, Near *n)
{
    u32x16 odd = {};

    FOR_SLICES(w, q) {
        n->start[q] = r->q[q][0];
        n->at[q] = r->q[q] - splat32(n->start[q]);
        odd |= (u32x16)(n->at[q] != splat32(0)) &
               (u32x16)(n->at[q] != apart(bytes));
        if (wide) {
            odd |= (u32x16)(r[1].q[q] != splat32(r[1].q[0][0]));
        }
    }
    return !any32(odd);
}

/* Find each slice's memory, so much that the lanes may be adjacent. */
INL bool near_places(const AmdWave *w, uint64_t base, MemOp op, Near *n)
{
    const unsigned size = 16 * op.bytes;
    uint64_t page = 0, delta = 0;

    FOR_SLICES(w, q) {
        uint64_t va = base + n->start[q];

        if (q == 0 || unlikely(va - page > ENGINE_PAGE - size)) {
            uint8_t *p = mem_hit(&w->w, va, ENGINE_READ);

            p = likely(p) ? p : mem_far(&w->w, va);
            if (!p || va % ENGINE_PAGE > ENGINE_PAGE - size) {
                return false;
            }
            page = va & -(uint64_t)ENGINE_PAGE;
            delta = (uint64_t)(uintptr_t)p - va;
        }
        if (unlikely(n->start[q] > -size)) {
            return false;
        }
        n->host[q] = (uint8_t *)(uintptr_t)(va + delta);
    }
    return true;
}

/*
 * The next wave probably wants what comes next.  The host notices that, but
 * late where a wave takes little of each page.
 */
INL void near_prefetch(const uint8_t *p)
{
    for (unsigned i = 0; i < 256; i += 64) {
        __builtin_prefetch(p + i);
    }
}

INL void near_load(AmdWave *w, Vreg *dst, MemOp op, const Near *n)
{
    FOR_SLICES(w, q) {
        u32x16 m[4], r[4];

        memcpy(m, n->host[q], op.bytes / 4 * sizeof(*m));
        deinterleave(m, r, op.bytes / 4);
        for (int k = 0; k < op.bytes / 4; k++) {
            dst[k].q[q] = pick(n->at[q], r[k]);
        }
    }
    near_prefetch(n->host[wave_width(w) / 16 - 1] + 16 * op.bytes);
}

/* A load by all lanes; false if it is not done. */
INL bool load_near(AmdWave *w, const Uop *u, MemOp op)
{
    const Vreg *r = at(w, u->src[0]);
    bool wide = u->kind[0] == ADDR_VGPR;
    uint64_t base = global_base(w, u) + offset_of(u);
    Near n;

    if (op.bytes < 4 || u->kind[0] == ADDR_LANE || w->mem_mode ||
        !near_shapes(w, r, wide, op.bytes, &n)) {
        return false;
    }
    base += wide ? (uint64_t)r[1].q[0][0] << 32 : 0;
    if (!near_places(w, base, op, &n)) {
        return false;
    }
    near_load(w, at(w, u->dst), op, &n);
    return true;
}

#endif
