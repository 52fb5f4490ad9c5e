/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sum: eight strided loads per work-item, then a tree in LDS with a barrier
 * per level; one partial sum per work-group. */
#include "gpu.h"

WG(256, 1, 1)
__kernel void reduce(__global const float *in, __global float *out, uint n)
{
    __local float s[256];
    uint l = LID(0);
    uint base = GRP(0) * 2048 + l;
    float v = 0.0f;

#pragma unroll
    for (uint k = 0; k < 8; k++)
        v += in[base + k * 256];
    s[l] = v;
    WG_BARRIER();
    for (uint w = 128; w > 0; w >>= 1) {
        if (l < w)
            s[l] += s[l + w];
        WG_BARRIER();
    }
    if (l == 0)
        out[GRP(0)] = s[0];
}
