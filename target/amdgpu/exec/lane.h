/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector instructions that reach single lanes, or more registers than two.
 */
#ifndef AMDGPU_EXEC_LANE_H
#define AMDGPU_EXEC_LANE_H

#include "integer.h"
#include "modify.h"

/* VCC as a lane mask. */
INL u32x16 vcc_lanes(const AmdWave *w, int q)
{
    return lanes_of_bits(sgpr64(w, SGPR_VCC) >> 16 * q & 0xffff);
}

/* The lowest active lane, 0 if none is. */
INL unsigned first_lane(const AmdWave *w)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);

    return exec ? (unsigned)__builtin_ctzll(exec) : 0;
}

/* One lane of source @i. */
INL uint32_t lane32(const AmdWave *w, const Uop *u, int i, unsigned lane)
{
    if (u->kind[i] != KIND_VGPR) {
        return scalar32(w, u, i);
    }
    return ((const uint32_t *)at(w, u->src[i]))[lane];
}

INL void set_lane32(AmdWave *w, const Uop *u, unsigned lane, uint32_t x)
{
    ((uint32_t *)at(w, u->dst))[lane] = x;
}

/* A lane's number, of which a wave of 32 lanes has one bit less. */
INL unsigned lane_number(const AmdWave *w, uint32_t x)
{
    return x & (w->half ? 31 : 63);
}

INL void exchange(const AmdWave *w, Vreg *a, Vreg *b)
{
    FOR_SLICES(w, q) {
        u32x16 x = a->q[q], y = b->q[q];

        store32(a, q, y, w->exec.q[q]);
        store32(b, q, x, w->exec.q[q]);
    }
}

/* v_swap_b32: source 0 is a vector register, too. */
INL void swap_registers(AmdWave *w, const Uop *u)
{
    Vreg *a = at(w, u->dst), *b = at(w, u->src[0]);

    exchange(w, a, b);
}

/*
 * v_mqsad_u32_u8: as quad_sad() with sums of 32 bits, in four registers, to
 * which the third source's four are added.
 */
INL void mqsad_u32(AmdWave *w, const Uop *u)
{
    ScalarSlice scalar[3];
    Source64 a = source64(w, u, 0, &scalar[0]);
    Source32 b = source32(w, u, 1, &scalar[1]), c;
    bool clamp = MOD(u, CLAMP, 1);
    Vreg *d = at(w, u->dst);

    for (int q = 0; q < SLICES; q++) {
        u64x16 x = slice64(&a, q);
        u32x16 y = slice32(&b, q), sum[4];

        for (int i = 0; i < 4; i++) {
            Uop part = *u; /* the third source's register number i */

            part.src[2] += i * (u->kind[2] == KIND_VGPR ? sizeof(Vreg) :
                                u->kind[2] == KIND_SGPR ? 4 : 0);
            c = source32(w, &part, 2, &scalar[2]);
            sum[i] = sad_bytes(bytes_at(x, i), y, true);
            sum[i] = clamp ? add_sat_u32(sum[i], slice32(&c, q))
                           : sum[i] + slice32(&c, q);
        }
        for (int i = 0; i < 4; i++) {
            store32(&d[i], q, sum[i], w->exec.q[q]);
        }
    }
}

/* ---- permutations ---- */

/* A copy of source @i, which the destination may be, too. */
INL Vreg copy32(const AmdWave *w, const Uop *u, int i)
{
    ScalarSlice scalar;
    Source32 s = source32(w, u, i, &scalar);
    Vreg r;

    for (int q = 0; q < SLICES; q++) {
        r.q[q] = slice32(&s, q);
    }
    return r;
}

/*
 * v_permlane16 (@other 0) and v_permlanex16 (1): any lane of the row, or of
 * the row beside it.  The lane's number is in source 1 (@var), or for all rows
 * in the 64 bits of sources 1 and 2.  op_sel means something else here: bit 0
 * to read lanes that are not active, too, bit 1 to write 0 in place of them.
 */
INL void permute_rows(AmdWave *w, const Uop *u, int other, bool var)
{
    Vreg x = copy32(w, u, 0), number = copy32(w, u, 1);
    uint32_t fetch = MOD(u, OPSEL, 4) & 1 ? ~0u : 0;
    uint32_t bound = MOD(u, OPSEL, 4) & 2 ? ~0u : 0;
    uint64_t lanes = lane32(w, u, 1, 0) | (uint64_t)lane32(w, u, 2, 0) << 32;
    u32x16 from = {};

    for (int i = 0; i < 16 && !var; i++) {
        from[i] = lanes >> 4 * i & 15;
    }
    FOR_SLICES(w, q) {
        u32x16 valid;

        from = var ? number.q[q] & 15 : from;
        valid = permute16(w->exec.q[q ^ other] | fetch, from);
        store32(at(w, u->dst), q, permute16(x.q[q ^ other], from) & valid,
                w->exec.q[q] & (valid | bound));
    }
}

/* v_permlane64: the halves of a wave change places; there are none in 32. */
INL void swap_halves(AmdWave *w, const Uop *u)
{
    Vreg x = copy32(w, u, 0);

    for (int q = 0; q < SLICES && !w->half; q++) {
        store32(at(w, u->dst), q, x.q[q ^ 2], w->exec.q[q]);
    }
}

/* ---- registers whose number is relative to M0 ---- */

/* Two numbers in M0, of 10 bits each. */
INL uint32_t source_index(const AmdWave *w)
{
    return w->s[SGPR_M0] & 0x3ff;
}

INL uint32_t target_index(const AmdWave *w)
{
    return w->s[SGPR_M0] >> 16 & 0x3ff;
}

INL uint32_t vgpr_number(uint32_t offset)
{
    return (offset - offsetof(AmdWave, v)) / sizeof(Vreg);
}

/* Number @n moved on by @index; there is no such register beyond v255. */
INL bool indexed_vgpr(uint32_t n, uint32_t index, uint32_t *moved)
{
    *moved = n + index;
    return *moved < AMD_VGPRS;
}

/*
 * v_movrels and so on: v_mov with @source and @target added to the numbers of
 * the registers.  What does not exist reads as v0 and is not written.
 */
INL void move_relative(AmdWave *w, const Uop *u, uint32_t source,
                       uint32_t target)
{
    bool dpp = MOD(u, FORM, 3) >= FORM_DPP;
    ModMask mask = { w->exec };
    ModSource a;
    ModResult r;
    Uop moved = *u;
    uint32_t n;

    if (!indexed_vgpr(vgpr_number(u->dst), target, &n)) {
        return;
    }
    moved.dst = offsetof(AmdWave, v) + n * sizeof(Vreg);
    if (dpp || u->kind[0] == KIND_VGPR) {
        if (!indexed_vgpr(dpp ? DPP(u, VGPR, 8) : vgpr_number(u->src[0]),
                          source, &n)) {
            n = 0;
        }
        moved.src[0] = dpp ? (u->src[0] & ~0xffu) | n
                           : offsetof(AmdWave, v) + n * sizeof(Vreg);
    }
    LEVEL(amd_fetch_source)(w, &moved, 0, 32, &a, &mask);
    r.lo = a.lo;
    LEVEL(amd_store_result)(w, &moved, 32, &r, &mask, false);
}

/* v_swaprel_b32 */
INL void swap_relative(AmdWave *w, const Uop *u)
{
    uint32_t a, b;

    if (indexed_vgpr(vgpr_number(u->dst), target_index(w), &a) &&
        indexed_vgpr(vgpr_number(u->src[0]), source_index(w), &b)) {
        exchange(w, &w->v[a], &w->v[b]);
    }
}

#endif
