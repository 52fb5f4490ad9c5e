/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of test-linx-ops, and what they share. */
#ifndef LINX_OPS_H
#define LINX_OPS_H

#include <glib.h>
#include "linx-data.h"
#include "linx-lanes.h"

void add_integer_tests(void);
void add_float_tests(void);
void add_convert_tests(void);
void add_lane_tests(void);
void add_memory_tests(void);
void add_control_tests(void);

/* Types in the order of their numbers, and widths by log2 of bytes. */
extern const char *const int_types[8];
extern const char widths[5]; /* "bhwd" */

/* log2 of the bytes of an integer type; its value in @register. */
unsigned type_size(unsigned type);
uint64_t typed(uint64_t reg, unsigned type);

/* The lowest 1 << @size bytes of @value. */
uint64_t cut(uint64_t value, unsigned size);

/* Fail, telling @what, unless @got is @expected. */
void check_value(const char *what, unsigned lane, uint64_t got,
                 uint64_t expected);

/* Run @body, which has to trap so. */
void check_trapping(const char *body, unsigned number, unsigned cause);

#endif
