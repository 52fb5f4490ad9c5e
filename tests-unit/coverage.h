/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows of the opcode tables a test program has executed, form by form.
 *
 * wave-harness.c hooks in here, so that every test on it keeps the record.
 * data/GENERATION-coverage.tsv names a test for each row; when a test program
 * ends without having executed a row that it is named for, it fails.
 *
 *   COVERAGE_WRITE=FOLDER  write the records to FOLDER/GENERATION/NAME instead
 */
#ifndef TESTS_COVERAGE_H
#define TESTS_COVERAGE_H

#include "decode-words.h"
#include "target/amdgpu/inst.h"
#include "target/engine/sched.h"

/*
 * Forms a row has encodings for, by its place in the file's columns: SDWA and
 * DPP of gfx9, DPP16 and DPP8 of the others.
 */
enum { COVERAGE_PLAIN, COVERAGE_SDWA, COVERAGE_DPP, COVERAGE_FORMS,
       COVERAGE_DPP16 = COVERAGE_SDWA, COVERAGE_DPP8 = COVERAGE_DPP };

/* A generation, at the place that its AmdGeneration names. */
typedef struct Coverage {
    const char *name;        /* gfx9: of its coverage file */
    const char *tables;      /* for decode_rows() */
    AmdDecodeFn *decode;     /* all that is in them */
    const char *forms[COVERAGE_FORMS];
} Coverage;

enum { COVERAGE_GENERATIONS = GEN_12 + 1 };

extern const Coverage coverage_generations[COVERAGE_GENERATIONS];

/* Does the row have that form? */
bool coverage_has_form(const Coverage *generation, const OpcodeRow *row,
                       unsigned form);

/* Record what @worker executes from now on. */
void coverage_attach(Worker *worker);

/* Note that an instruction was executed, for tests without a harness. */
void coverage_note(const AmdInst *inst);

#endif
