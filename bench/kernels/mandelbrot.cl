/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escape-time Mandelbrot set: ALU bound, divergent loop exits. Explicit fma
 * calls keep the result bit-exact on every target. */
#include "gpu.h"

WG(64, 1, 1)
__kernel void mandelbrot(__global uint *out, uint width, uint height,
                         uint maxiter)
{
    uint px = GRP(0) * 64 + LID(0);
    uint py = GRP(1);
    float cx = FMA32((float)px, 3.0f / 1024.0f, -2.0f);
    float cy = FMA32((float)py, 3.0f / 1024.0f, -1.5f);
    float x = 0.0f, y = 0.0f;
    uint i;

    for (i = 0; i < maxiter; i++) {
        float xx = x * x;
        float yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = FMA32(x + x, y, cy);
        x = (xx - yy) + cx;
    }
    out[py * width + px] = i;
}
