/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture that mandelbrot.cl draws: what it is, and sending it off. */
#ifndef GUEST_PICTURE_H
#define GUEST_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PICTURE_WIDTH = 672,
    PICTURE_HEIGHT = 448,
    PICTURE_PIXELS = PICTURE_WIDTH * PICTURE_HEIGHT,
    PICTURE_LIMIT = 200, /* steps */
};

/* The part of the complex plane that is shown; a pixel is a STEP. */
#define PICTURE_LEFT (-2.25f)
#define PICTURE_TOP (-1.0f)
#define PICTURE_STEP (1.0f / 224)

/* The pixel 0x00RRGGBB that the GPU must find, computed on this CPU. */
uint32_t picture_pixel(uint32_t column, uint32_t row);

/*
 * Write @pixels as a PPM file to @path, a file or a serial line; false if
 * that failed.
 */
bool picture_write(const char *path, const uint32_t *pixels);

#endif
