/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact arithmetic for tests of floats: numbers are fixed-point with thousands
 * of bits, so that sums and products of all finite floats have a place, and
 * rounding is done once, as a definition and not as a trick.
 */
#ifndef TESTS_EXACT_H
#define TESTS_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#define EXACT_WORDS 144
#define EXACT_POINT 72 /* words below the point */

typedef struct Exact {
    bool neg;
    uint32_t w[EXACT_WORDS]; /* magnitude, lowest word first */
} Exact;

typedef struct Format {
    unsigned bits, mant; /* width; bits of the mantissa */
} Format;

extern const Format format16, format32, format64;

typedef enum Rounding { TO_NEAREST, TO_PLUS, TO_MINUS, TO_ZERO } Rounding;

/* What the bits of a float are. */
bool float_is_nan(const Format *f, uint64_t x);
bool float_is_snan(const Format *f, uint64_t x);
bool float_is_inf(const Format *f, uint64_t x);
bool float_is_zero(const Format *f, uint64_t x);
bool float_is_denormal(const Format *f, uint64_t x);
bool float_sign(const Format *f, uint64_t x);
uint64_t float_inf(const Format *f, bool neg);
uint64_t float_quiet(const Format *f, uint64_t x);
/* A denormal becomes zero. */
uint64_t float_flush(const Format *f, uint64_t x);

/* The value of a finite float. */
Exact exact_of(const Format *f, uint64_t x);
Exact exact_of_int(int64_t x);
Exact exact_of_uint(uint64_t x);

bool exact_is_zero(const Exact *x);
/* -1, 0, 1 */
int exact_compare(const Exact *a, const Exact *b);
Exact exact_add(const Exact *a, const Exact *b);
/* Only if the product fits: of two finite floats it does. */
Exact exact_mul(const Exact *a, const Exact *b);
Exact exact_scale(const Exact *a, int power_of_2);
/* To an integer. */
Exact exact_round_int(const Exact *a, Rounding how);
/* An integer, limited to [@least, @most]. */
int64_t exact_to_int(const Exact *a, int64_t least, int64_t most);

/* The float that @x rounds to; @zero is the sign of an exact zero. */
uint64_t exact_round(const Format *f, const Exact *x, Rounding how,
                     bool zero);

#endif
