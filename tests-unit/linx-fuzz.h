/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LinxISA headers and bodies out of random bytes. */
#ifndef LINX_FUZZ_H
#define LINX_FUZZ_H

#include <stddef.h>
#include <stdint.h>

enum {
    LINX_FUZZ_HEAD = 16,  /* bytes of an input that are no code */
    LINX_FUZZ_MAX = 1024, /* bytes of code that are used */
};

typedef struct LinxFuzzCounts {
    unsigned runs, ends, traps, stopped, hazards;
} LinxFuzzCounts;

extern LinxFuzzCounts linx_fuzz_counts;

/*
 * Run an input: 8 bytes that registers are made of, one that chooses what
 * stands before the code (bits 2:0) and hazards=strict (bit 3), 7 for the loops
 * of a header, then code.
 * Aborts if anything is wrong but what a sanitizer finds by itself.
 */
void linx_fuzz_run(const uint8_t *data, size_t size);

/*
 * Put random instructions into an input of @size bytes, in place of others or
 * behind them; returns the new size, at most @max.
 */
size_t linx_fuzz_mutate(uint8_t *data, size_t size, size_t max,
                        uint64_t *seed);

#endif
