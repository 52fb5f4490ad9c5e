/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C = A * B through 16x16 tiles staged in local memory (LDS), with two
 * work-group barriers per tile. */
#include "gpu.h"

#define T 16

WG(T, T, 1)
__kernel void sgemm_tiled(__global const float *a, __global const float *b,
                          __global float *c, uint n)
{
    __local float ta[T][T];
    __local float tb[T][T];
    uint lx = LID(0), ly = LID(1);
    uint col = GRP(0) * T + lx;
    uint row = GRP(1) * T + ly;
    float acc = 0.0f;

    for (uint t = 0; t < n; t += T) {
        ta[ly][lx] = a[row * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + col];
        WG_BARRIER();
#pragma unroll
        for (uint k = 0; k < T; k++)
            acc = FMA32(ta[ly][k], tb[k][lx], acc);
        WG_BARRIER();
    }
    c[row * n + col] = acc;
}
