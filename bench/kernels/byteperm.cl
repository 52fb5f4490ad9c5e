/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy that reverses the bytes of every 16-byte block. */
#include "gpu.h"

WG(256, 1, 1)
__kernel void byteperm(__global const uint4 *in, __global uint4 *out, uint n)
{
    uint i = GRP(0) * 256 + LID(0);
    if (i < n) {
        uchar16 v = as_uchar16(in[i]);
        out[i] = as_uint4(v.sfedcba9876543210);
    }
}
