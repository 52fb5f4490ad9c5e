/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What llvm-mc says of words, beside what we say.
 */
#ifndef DECODE_LLVM_H
#define DECODE_LLVM_H

#include "decode-words.h"

typedef struct Verdict {
    bool accepted;
    char *text; /* "" if rejected */
} Verdict;

/* A target that llvm-mc is asked about. */
typedef struct LlvmTarget {
    const char *mcpu;
    uint32_t marker; /* s_sethalt 0x7e5e, which no candidate may hold */
} LlvmTarget;

typedef struct Comparison {
    Candidate candidate;
    unsigned size; /* in bytes, as we say */
    Verdict ours, llvms;
    bool same_size; /* both say so */
} Comparison;

/*
 * May LLVM 19 not be asked about the words?  Those of gfx900 make it crash if an
 * SDWA selector has the reserved value 7: it reads beyond a table.
 */
bool llvm_crashes(const LlvmTarget *target, const Candidate *c);

/* The path of llvm-mc, or NULL if there is none. */
char *find_llvm_mc(void);

/*
 * Fill in llvms and same_size of the @n comparisons; the other members are
 * set.  Aborts the test if llvm-mc does not run.
 */
void ask_llvm(const char *llvm_mc, const LlvmTarget *target,
              Comparison *comparisons, unsigned n);

/*
 * Why the two verdicts may differ, or NULL if they must not: see the table in
 * decode-exceptions.c.
 */
const char *decode_exception(const Comparison *c);

/* The same for gfx11 and gfx12; decode-exceptions-rdna.c. */
const char *rdna_exception(const Comparison *c);

#endif
