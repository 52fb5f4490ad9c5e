/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiply/xor/shift rounds on 32-bit integers: uniform control flow, no
 * memory traffic, so it measures raw integer VALU throughput. */
#include "gpu.h"

WG(256, 1, 1)
__kernel void intmix(__global uint *out, uint rounds)
{
    uint i = GRP(0) * 256 + LID(0);
    uint v = i + 0x9e3779b9u;
#pragma unroll 1
    for (uint r = 0; r < rounds; r++) {
        v ^= v >> 15;
        v *= 0x85ebca6bu;
        v ^= v >> 13;
        v += r;
    }
    out[i] = v;
}
