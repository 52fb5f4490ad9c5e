/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 256-bin byte histogram: four global atomic adds per work-item. */
#include "gpu.h"

WG(256, 1, 1)
__kernel void histogram(__global const uint *in, __global uint *bins, uint n)
{
    uint i = GRP(0) * 256 + LID(0);
    if (i < n) {
        uint v = in[i];
        GLOBAL_ATOMIC_ADD(bins + (v & 255u), 1u);
        GLOBAL_ATOMIC_ADD(bins + ((v >> 8) & 255u), 1u);
        GLOBAL_ATOMIC_ADD(bins + ((v >> 16) & 255u), 1u);
        GLOBAL_ATOMIC_ADD(bins + (v >> 24), 1u);
    }
}
