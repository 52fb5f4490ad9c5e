/* SPDX-License-Identifier: GPL-2.0-or-later */
/* y[i] = fma(alpha, x[i], y[i]): streaming with an in-place update. */
#include "gpu.h"

WG(256, 1, 1)
__kernel void saxpy(__global float *y, __global const float *x, float alpha,
                    uint n)
{
    uint i = GRP(0) * 256 + LID(0);
    if (i < n)
        y[i] = FMA32(alpha, x[i], y[i]);
}
