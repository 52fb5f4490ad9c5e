/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in buffer formats, plain and slow (gfx-facts section 8): ratios of
 * integers are rounded as such, small floats are found by looking.  It knows
 * nothing of format.c.
 */
#ifndef TESTS_FORMAT_MODEL_H
#define TESTS_FORMAT_MODEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* NUM_FORMAT. */
enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7 };

/* Floats and halves as bits, and back; to a half by rounding to even. */
uint32_t format_bits_of(double x);
float format_float_of(uint32_t bits);
uint32_t format_half_of(uint32_t f32);
uint32_t format_of_half(uint32_t h);

/* The bits of the float of @mant mantissa bits nearest to @x >= 0. */
uint32_t format_small_of(double x, unsigned mant);

/* The signed number in the low @n bits. */
int64_t format_sign_extended(uint32_t x, unsigned n);

/* A field of @n bits as a component of 32 bits, and the other way round. */
uint32_t format_decode(unsigned nfmt, uint32_t x, unsigned n);
uint32_t format_encode(unsigned nfmt, uint32_t x, unsigned n);

#endif
