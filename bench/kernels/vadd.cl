/* SPDX-License-Identifier: GPL-2.0-or-later */
/* c[i] = a[i] + b[i]: streaming, one VALU instruction per element. */
#include "gpu.h"

WG(256, 1, 1)
__kernel void vadd(__global const float *a, __global const float *b,
                   __global float *c, uint n)
{
    uint i = GRP(0) * 256 + LID(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
