/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "picture.h"

/* What mandelbrot.cl does, written once more for the CPU. */
uint32_t picture_pixel(uint32_t column, uint32_t row)
{
    float cx = PICTURE_LEFT + column * PICTURE_STEP;
    float cy = PICTURE_TOP + row * PICTURE_STEP;
    float x = 0, y = 0;
    uint32_t n = 0, u, t, s, red, green, blue;

    while (n < PICTURE_LIMIT && x * x + y * y <= 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    u = (PICTURE_LIMIT - n) * 255 / PICTURE_LIMIT;
    u = u * u / 255;
    s = u * u / 255;
    t = 255 - s;
    red = 9 * s * t / 255 * t / 255 * t / 255;
    green = 15 * s * s / 255 * t / 255 * t / 255;
    blue = 17 * s * s / 255 * s / 255 * t / 510;
    return red << 16 | green << 8 | blue;
}

/* A terminal line would otherwise change some of the bytes. */
static void make_raw(int fd)
{
    struct termios line;

    if (tcgetattr(fd, &line) == 0) {
        cfmakeraw(&line);
        cfsetspeed(&line, B115200);
        tcsetattr(fd, TCSANOW, &line);
    }
}

bool picture_write(const char *path, const uint32_t *pixels)
{
    static uint8_t data[64 + PICTURE_PIXELS * 3];
    size_t done = 0, size = sprintf((char *)data, "P6\n%d %d\n255\n",
                                    PICTURE_WIDTH, PICTURE_HEIGHT);
    int fd = open(path, O_WRONLY | O_CREAT | O_NOCTTY, 0666);
    ssize_t n;

    if (fd < 0) {
        return false;
    }
    for (uint32_t i = 0; i < PICTURE_PIXELS; i++) {
        data[size++] = pixels[i] >> 16;
        data[size++] = pixels[i] >> 8;
        data[size++] = pixels[i];
    }
    make_raw(fd);
    do {
        n = write(fd, data + done, size - done);
        done += n > 0 ? n : 0;
    } while (n > 0 && done < size);
    if (isatty(fd)) {
        tcdrain(fd);
    }
    return close(fd) == 0 && done == size;
}
