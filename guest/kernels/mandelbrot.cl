/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A picture of the Mandelbrot set, one work-item a pixel (0x00RRGGBB).  Lanes
 * of a wave leave the loop at different times.  No multiplication is fused
 * with an addition, so that any CPU computes the very same picture.
 */
#include "gpu.h"

/* Black inside; outside, three polynomials that are 0 at both ends. */
static uint colour(uint steps, uint limit)
{
    uint left = (limit - steps) * 255 / limit; /* falls from 255 to 0 */
    uint square = left * left / 255;
    uint s = square * square / 255, t = 255 - s;
    uint red = 9 * s * t / 255 * t / 255 * t / 255;
    uint green = 15 * s * s / 255 * t / 255 * t / 255;
    uint blue = 17 * s * s / 255 * s / 255 * t / 510;

    return red << 16 | green << 8 | blue;
}

GROUP(16, 16)
kernel void mandelbrot(global uint *pixels, uint width, float left, float top,
                       float step, uint limit)
{
    uint column = GROUP_X * 16 + LOCAL_X, row = GROUP_Y * 16 + LOCAL_Y;
    float cx = left + column * step, cy = top + row * step;
    float x = 0, y = 0;
    uint steps = 0;

    while (steps < limit && x * x + y * y <= 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        steps++;
    }
    pixels[row * width + column] = colour(steps, limit);
}
