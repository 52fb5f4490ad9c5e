/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's end of the picture: a PPM file, as it came out of the guest, is
 * checked and made a PNG file.
 *
 * usage: ppm2png INPUT.ppm OUTPUT.png
 */
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MAX 8192 /* pixels */

static int fail(const char *path, const char *what)
{
    fprintf(stderr, "ppm2png: %s: %s\n", path, what);
    return 2;
}

/* The pixels, 3 bytes each, of which the file must hold exactly all; or NULL. */
static unsigned char *read_ppm(FILE *in, unsigned *width, unsigned *height)
{
    unsigned char *pixels;
    size_t size;

    if (fscanf(in, "P6 %u %u 255", width, height) != 2 || fgetc(in) != '\n' ||
        *width < 1 || *width > SIDE_MAX || *height < 1 || *height > SIDE_MAX) {
        return NULL;
    }
    size = (size_t)*width * *height * 3;
    pixels = malloc(size);
    if (pixels && (fread(pixels, 1, size, in) != size || fgetc(in) != EOF)) {
        free(pixels);
        return NULL;
    }
    return pixels;
}

int main(int argc, char **argv)
{
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .format = PNG_FORMAT_RGB };
    unsigned char *pixels;
    FILE *in;

    if (argc != 3) {
        fprintf(stderr, "usage: ppm2png INPUT.ppm OUTPUT.png\n");
        return 2;
    }
    in = fopen(argv[1], "rb");
    if (!in) {
        return fail(argv[1], strerror(errno));
    }
    pixels = read_ppm(in, &image.width, &image.height);
    fclose(in);
    if (!pixels) {
        return fail(argv[1], "not a whole P6 picture of at most 8192 x 8192");
    }
    if (!png_image_write_to_file(&image, argv[2], 0, pixels, 0, NULL)) {
        return fail(argv[2], image.message);
    }
    free(pixels);
    return 0;
}
