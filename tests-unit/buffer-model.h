/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plain, slow model of the buffer instructions of gfx11 and gfx12: one lane,
 * one byte at a time (gfx-facts sections 7 to 9).
 */
#ifndef TESTS_BUFFER_MODEL_H
#define TESTS_BUFFER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor, by what its fields mean. */
typedef struct BufModel {
    bool gfx12;
    uint64_t base;
    unsigned stride, scale; /* bytes; what it is multiplied by (gfx12) */
    uint32_t records;
    unsigned sel[4], format, index_stride;
    unsigned element; /* 0: not swizzled, else 4, 8 or 16 bytes */
    bool add_tid;
    unsigned oob; /* OOB_SELECT */
} BufModel;

/* The four dwords that say so. */
void buf_model_words(const BufModel *b, uint32_t *words);

/* A format of the instruction set's table, by its name in assembly. */
typedef struct BufFormat {
    char name[32]; /* without BUF_FMT_ */
    unsigned fields[4]; /* widths from the lowest bit up */
    unsigned count, bytes;
    unsigned number; /* NUM_FORMAT */
} BufFormat;

#define BUF_FORMATS 64

/* Format @n of 64; 0 is none: no bytes. */
const BufFormat *buf_format(unsigned n);

/* What an instruction says of one lane. */
typedef struct BufAccess {
    bool idxen;
    uint32_t index, offset; /* VGPRs and immediate together, without soffset */
    unsigned lane;
} BufAccess;

/* Is the datum of @bytes, @at bytes behind the offset, within the buffer? */
bool buf_model_in_range(const BufModel *b, const BufAccess *a, unsigned at,
                        unsigned bytes);

/* Where byte @i is, counted from the base, without soffset. */
uint64_t buf_model_place(const BufModel *b, const BufAccess *a, unsigned i);

#endif
