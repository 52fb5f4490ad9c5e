/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same bits at every host level and at -O0: scripts/same-bits.
 *
 * With WAVE_BITS=FOLDER in the environment each test on the wave harness adds
 * a line to FOLDER/PROGRAM.LEVEL: its path, how many snippets it ran, and a
 * number made of all registers and the LDS after each of them.
 */
#ifndef TESTS_BITS_H
#define TESTS_BITS_H

#include "target/amdgpu/wave.h"

/* After the host levels: the handlers as they are without optimisation. */
#define LEVEL_O0 TESSERA_LEVELS
#define ALL_LEVELS (TESSERA_LEVELS + 1)

/* NULL if they were not built or this host lacks the level. */
const TesseraIsaExec *level_exec(int level);
const char *level_name(int level);

/* Around a test, and after each snippet. */
void bits_begin(void);
void bits_note(const AmdWave *w, const uint8_t *lds, size_t lds_size);
void bits_end(int level);

#endif
