/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector instructions that reach single lanes, or more registers than two.
 */
#ifndef AMDGPU_EXEC_LANE_H
#define AMDGPU_EXEC_LANE_H

#include "integer.h"
#include "../mods.h"

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

/* v_swap_b32: source 0 is a vector register, too. */
INL void swap_registers(AmdWave *w, const Uop *u)
{
    Vreg *a = at(w, u->dst), *b = at(w, u->src[0]);

    for (int q = 0; q < SLICES; q++) {
        u32x16 x = a->q[q], y = b->q[q];

        store32(a, q, y, w->exec.q[q]);
        store32(b, q, x, w->exec.q[q]);
    }
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

#endif
