/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of data/ for the tests of LinxISA. */
#ifndef LINX_DATA_H
#define LINX_DATA_H

#include <glib.h>
#include <stdint.h>

/* The lines of a file in data/, each a GStrv of its columns. */
GPtrArray *linx_data(const char *file);

/* The next of a series of random numbers. */
uint64_t linx_random(uint64_t *state);

/* @word as bytes in memory order. */
void linx_put_word(uint64_t word, uint8_t bytes[8]);

#endif
