/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work-group's local memory.
 *
 * It belongs to one worker thread, so that plain accesses do.  An access that
 * is not wholly inside the group's allocation reads 0 and writes nothing; M0
 * has no part in that (gfx-facts section 1).  Misaligned accesses are served
 * byte by byte, as with the unaligned mode that HSA sets.
 *
 * Micro-operations of DS: src[0] is the address VGPR, src[1] and src[2] are
 * the data VGPRs, dst is the result's; mods holds the offset, or two of 8 bits.
 */
#ifndef AMDGPU_EXEC_LDS_H
#define AMDGPU_EXEC_LDS_H

#include "float-atomic.h"
#include "memory.h"

/* What is read where there is nothing. */
static const uint8_t lds_nothing[16];

INL bool lds_has(const AmdWave *w, uint32_t addr, unsigned bytes)
{
    uint32_t size = w->w.group->lds_size;

    return size >= bytes && addr <= size - bytes;
}

/* ---- a slice of lanes ---- */

/* Where 16 lanes' bytes are. */
typedef enum LdsShape {
    LDS_SCATTERED,
    LDS_ADJACENT, /* lane after lane, all within the allocation */
    LDS_SAME,     /* in one place, which may be outside */
} LdsShape;

/*
 * The shape of slice @q of @r, active lanes @bits (not 0).  *@addr is lane 0's
 * address, with @offset.
 */
INL LdsShape lds_shape(const AmdWave *w, const Vreg *r, int q, uint32_t bits,
                       uint32_t offset, unsigned bytes, uint32_t *addr)
{
    unsigned first = __builtin_ctz(bits);
    uint32_t x = ((const uint32_t *)&r->q[q])[first];
    u32x16 mask = w->exec.q[q];
    uint32_t start = x - first * bytes;

    if (!any32((r->q[q] - (splat32(start) + iota16() * bytes)) & mask)) {
        *addr = start + offset;
        if (likely(lds_has(w, *addr, 16 * bytes))) {
            return LDS_ADJACENT;
        }
    }
    *addr = x + offset;
    return any32((r->q[q] ^ splat32(x)) & mask) ? LDS_SCATTERED : LDS_SAME;
}

/* ---- the whole wave ---- */

/*
 * Read at @r + @offset into @dst.  @dst may be @r: a lane's address is read
 * before its result is written.
 */
INL void lds_read(AmdWave *w, Vreg *dst, const Vreg *r, uint32_t offset,
                  MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    const uint8_t *lds = w->w.group->lds;

    for (int q = 0; q < SLICES; q++) {
        uint32_t bits = exec >> 16 * q & 0xffff, addr;
        const uint32_t *lane_addr = (const uint32_t *)&r->q[q];
        LdsShape shape;

        if (!bits) {
            continue;
        }
        shape = lds_shape(w, r, q, bits, offset, op.bytes, &addr);
        if (shape == LDS_ADJACENT) {
            load_slice(dst, q, lds + addr, op, w->exec.q[q],
                       bits == 0xffff);
        } else if (shape == LDS_SAME) {
            load_broadcast(dst, q,
                           lds_has(w, addr, op.bytes) ? lds + addr :
                                                        lds_nothing,
                           op, w->exec.q[q]);
        } else {
            for (; bits; bits &= bits - 1) {
                unsigned lane = __builtin_ctz(bits);

                addr = lane_addr[lane] + offset;
                lane_load(dst, 16 * q + lane,
                          lds_has(w, addr, op.bytes) ? lds + addr :
                                                       lds_nothing, op);
            }
        }
    }
}

/* Write @data at @r + @offset; of lanes in one place the highest wins. */
INL void lds_write(AmdWave *w, const Vreg *data, const Vreg *r,
                   uint32_t offset, MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    uint8_t *lds = w->w.group->lds;

    for (int q = 0; q < SLICES; q++) {
        uint32_t bits = exec >> 16 * q & 0xffff, addr;
        const uint32_t *lane_addr = (const uint32_t *)&r->q[q];
        bool all = bits == 0xffff;

        if (!bits) {
            continue;
        }
        if ((all || op.bytes >= 4) &&
            lds_shape(w, r, q, bits, offset, op.bytes, &addr) ==
                LDS_ADJACENT) {
            store_slice(data, q, lds + addr, op, w->exec.q[q], all);
            continue;
        }
        for (; bits; bits &= bits - 1) {
            unsigned lane = __builtin_ctz(bits);

            addr = lane_addr[lane] + offset;
            if (lds_has(w, addr, op.bytes)) {
                lane_store(data, 16 * q + lane, lds + addr, op);
            }
        }
    }
}

/* ---- two addresses ---- */

/* Offset @i of two, each counted in elements, or in 64 of them. */
INL uint32_t lds_offset2(const Uop *u, int i, unsigned bytes, bool st64)
{
    return (u->mods >> 8 * i & 0xff) * bytes * (st64 ? 64 : 1);
}

/* The half of the result that the address is in, if any, comes last. */
INL void lds_read2(AmdWave *w, const Uop *u, MemOp op, bool st64)
{
    Vreg *dst = at(w, u->dst);
    const Vreg *r = at(w, u->src[0]);
    int n = op.bytes / 4;
    int first = r >= dst && r < dst + n;

    lds_read(w, dst + first * n, r, lds_offset2(u, first, op.bytes, st64), op);
    first = !first;
    lds_read(w, dst + first * n, r, lds_offset2(u, first, op.bytes, st64), op);
}

INL void lds_write2(AmdWave *w, const Uop *u, MemOp op, bool st64)
{
    const Vreg *r = at(w, u->src[0]);

    lds_write(w, at(w, u->src[1]), r, lds_offset2(u, 0, op.bytes, st64), op);
    lds_write(w, at(w, u->src[2]), r, lds_offset2(u, 1, op.bytes, st64), op);
}

/* ---- lanes of registers ---- */

INL uint64_t lane_get(const AmdWave *w, uint32_t reg, unsigned lane,
                      unsigned bytes)
{
    const uint32_t *r = (const uint32_t *)at(w, reg) + lane;

    return bytes == 8 ? pair_at(r) : *r;
}

INL void lane_put(AmdWave *w, uint32_t reg, unsigned lane, unsigned bytes,
                  uint64_t x)
{
    uint32_t *r = (uint32_t *)at(w, reg) + lane;

    r[0] = x;
    if (bytes == 8) {
        r[AMD_LANES] = x >> 32;
    }
}

/* ---- atomics ---- */

/*
 * Where the two values of a src2 form are: the VGPR's address and one relative
 * to it, in dwords.
 */
INL uint32_t lds_src2(uint32_t *addr, uint32_t mods)
{
    uint32_t first = *addr;

    if (mods & 0x8000) {
        /* the distance is in the address's upper bits */
        *addr = first & 0x1ffff;
        return *addr + (uint32_t)((int32_t)first >> 17) * 4;
    }
    return first + (uint32_t)((int32_t)(mods << 17) >> 17) * 4;
}

/* A value in memory, 0 where there is none. */
INL uint64_t lds_get(const AmdWave *w, uint32_t addr, unsigned bytes)
{
    uint64_t x = 0;

    if (lds_has(w, addr, bytes)) {
        memcpy(&x, w->w.group->lds + addr, bytes);
    }
    return x;
}

INL void lds_put(AmdWave *w, uint32_t addr, unsigned bytes, uint64_t x)
{
    if (lds_has(w, addr, bytes)) {
        memcpy(w->w.group->lds + addr, &x, bytes);
    }
}

/* ---- float atomics ---- */

/* They obey MODE's denormal setting.  Returns what to restore. */
INL unsigned lds_float_enter(const AmdWave *w, unsigned bytes)
{
    return mxcsr_enter(w->mode >> (bytes == 8 ? 6 : 4) & 3);
}

/* MODE's denormal setting for halves. */
INL unsigned lds_denorm16(const AmdWave *w)
{
    return w->mode >> 6 & 3;
}

#endif
