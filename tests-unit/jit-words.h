/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random vector and scalar instructions for the tests of compiled code, found
 * by decoding random words that look like some.  Those that jump, wait, write
 * to memory or tell the time are left out.
 */
#ifndef TESTS_JIT_WORDS_H
#define TESTS_JIT_WORDS_H

#include <glib.h>
#include "target/amdgpu/isa.h"

/* Operands are v0 to v23, s0 to s15, VCC and constants. */
#define JIT_VGPRS 24

/* A number below @n. */
uint32_t jit_number(GRand *rand, uint32_t n);

/* A register's bits: numbers, and what is none. */
uint32_t jit_bits(GRand *rand);

/* Append @count instructions of the target to @words, an array of uint32_t. */
void jit_words(GRand *rand, const AmdIsa *isa, unsigned lanes, unsigned count,
               GArray *words);

#endif
