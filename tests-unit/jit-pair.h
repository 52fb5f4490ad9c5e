/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two waves for the tests of compiled code: what one does compiled, the other
 * one does interpreted.
 */
#ifndef TESTS_JIT_PAIR_H
#define TESTS_JIT_PAIR_H

#include "wave-harness.h"

typedef struct JitPair {
    WaveHarness *compiled, *plain;
    GRand *rand;       /* of the series that JIT_SEED in the environment names */
    unsigned programs; /* as JIT_PROGRAMS says */
} JitPair;

/* @h, whose code is compiled, and another one; by default @programs are run. */
JitPair jit_pair_begin(WaveHarness *h, unsigned programs);
/* What @h is, stays. */
void jit_pair_end(JitPair *pair);

/* The first @count vector registers are the same, in all lanes there are. */
void jit_pair_same_vectors(const JitPair *pair, unsigned count);
/* All scalar registers are, and what follows from them. */
void jit_pair_same_scalars(const JitPair *pair);

#endif
