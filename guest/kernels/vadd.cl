/* SPDX-License-Identifier: GPL-2.0-or-later */
/* c[i] = a[i] + b[i] */
#include "gpu.h"

GROUP(256, 1)
kernel void vadd(global const float *a, global const float *b,
                 global float *c, uint n)
{
    uint i = GROUP_X * 256 + LOCAL_X;

    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
