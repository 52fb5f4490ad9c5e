/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums 2,048 floats a work-group: eight loads a work-item, then a tree in
 * LDS, whose every level needs a barrier.
 */
#include "gpu.h"

GROUP(256, 1)
kernel void reduce(global const float *in, global float *out)
{
    local float sums[256];
    uint l = LOCAL_X;
    float sum = 0;

    for (uint k = 0; k < 8; k++) {
        sum += in[GROUP_X * 2048 + k * 256 + l];
    }
    sums[l] = sum;
    group_barrier();
    for (uint half_size = 128; half_size > 0; half_size /= 2) {
        if (l < half_size) {
            sums[l] += sums[l + half_size];
        }
        group_barrier();
    }
    if (l == 0) {
        out[GROUP_X] = sums[0];
    }
}
