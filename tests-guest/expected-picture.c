/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture that must arrive from the guest, computed by the host's CPU. */
#include <stdio.h>

#include "picture.h"

int main(int argc, char **argv)
{
    static uint32_t pixels[PICTURE_PIXELS];

    for (uint32_t i = 0; i < PICTURE_PIXELS; i++) {
        pixels[i] = picture_pixel(i % PICTURE_WIDTH, i / PICTURE_WIDTH);
    }
    if (argc != 2 || !picture_write(argv[1], pixels)) {
        fprintf(stderr, "usage: expected-picture OUTPUT.ppm\n");
        return 2;
    }
    return 0;
}
