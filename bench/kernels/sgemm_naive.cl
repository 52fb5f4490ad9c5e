/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One work-item per element of C = A * B; all operands from global memory. */
#include "gpu.h"

WG(16, 16, 1)
__kernel void sgemm_naive(__global const float *a, __global const float *b,
                          __global float *c, uint n)
{
    uint col = GRP(0) * 16 + LID(0);
    uint row = GRP(1) * 16 + LID(1);
    float acc = 0.0f;
#pragma unroll 4
    for (uint k = 0; k < n; k++)
        acc = FMA32(a[row * n + k], b[k * n + col], acc);
    c[row * n + col] = acc;
}
