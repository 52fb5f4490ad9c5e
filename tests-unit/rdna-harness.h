/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of snippets on gfx11 and gfx12 in both sizes of waves.
 */
#ifndef TESTS_RDNA_HARNESS_H
#define TESTS_RDNA_HARNESS_H

#include "wave-harness.h"

typedef struct RdnaTest {
    const char *path;
    void (*test)(WaveHarness *h, const void *data);
    enum { ALL_RDNA, ONLY_GFX11, ONLY_GFX12 } targets;
} RdnaTest;

/* Add each for gfx1100, gfx1150 and gfx1200, with 32 and with 64 lanes. */
void rdna_add_tests(const RdnaTest *tests, unsigned count);

/* Assemble, unless it was before, and run; EXEC and registers stay. */
void rdna_run(WaveHarness *h, const char *text);

unsigned rdna_lanes(const WaveHarness *h);
uint64_t rdna_full(const WaveHarness *h); /* EXEC with all lanes */

/* What rdna_fill() puts in lane @lane of VGPR @r. */
uint32_t rdna_junk(unsigned r, unsigned lane);
void rdna_fill(WaveHarness *h, unsigned first, unsigned count);

#endif
