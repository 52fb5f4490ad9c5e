/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words to try a decoder with: the example table, and encodings made of it.
 */
#ifndef DECODE_WORDS_H
#define DECODE_WORDS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Dwords of a candidate: enough for any instruction. */
#define CANDIDATE_DWORDS 3

typedef struct Candidate {
    uint32_t words[CANDIDATE_DWORDS];
} Candidate;

/* A line of data/gfx9-opcodes.tsv and its like. */
typedef struct OpcodeRow {
    char *mnemonic, *family, *text;
    unsigned opcode;
    uint32_t words[CANDIDATE_DWORDS];
    unsigned count; /* of the dwords that the instruction takes */
} OpcodeRow;

/*
 * Read the tables data/NAME-opcodes.tsv, @names separated by blanks; aborts the
 * test if one cannot be read.  Free with unref.
 */
GPtrArray *decode_rows(const char *names);

/* A generator of pseudo-random numbers that is the same everywhere. */
typedef struct Random {
    uint64_t state;
} Random;

uint32_t random_u32(Random *r);

/* A number below @n. */
unsigned random_below(Random *r, unsigned n);

/* Any words whatever. */
void random_candidate(Random *r, Candidate *c);

/* An encoding of @row's operation with other fields, mostly valid ones. */
void random_encoding(Random *r, const OpcodeRow *row, Candidate *c);

/* The same for a row of gfx11 or gfx12. */
void random_rdna_encoding(Random *r, const OpcodeRow *row, Candidate *c);

/* True @percent times of a hundred. */
bool random_chance(Random *r, unsigned percent);

/* All bits, or few, or none. */
uint32_t random_bits(Random *r);

#endif
