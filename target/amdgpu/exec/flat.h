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

#endif
