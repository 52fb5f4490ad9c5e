/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows of the opcode table a test program has executed, form by form.
 *
 * wave-harness.c hooks in here, so that every test on it keeps the record.
 * data/gfx9-coverage.tsv names a test for each row; when a test program ends
 * without having executed a row that it is named for, it fails.
 *
 *   COVERAGE_WRITE=FOLDER  write the record to FOLDER/NAME instead
 */
#ifndef TESTS_COVERAGE_H
#define TESTS_COVERAGE_H

#include "decode-words.h"
#include "target/amdgpu/inst.h"
#include "target/engine/sched.h"

/* Forms a row has encodings for, by its place in the file's columns. */
enum { COVERAGE_PLAIN, COVERAGE_SDWA, COVERAGE_DPP, COVERAGE_FORMS };

extern const char *const coverage_forms[COVERAGE_FORMS];

/* Does the row have that form? */
bool coverage_has_form(const OpcodeRow *row, unsigned form);

/* Record what @worker executes from now on. */
void coverage_attach(Worker *worker);

/* Note that an instruction was executed, for tests without a harness. */
void coverage_note(const AmdInst *inst);

#endif
