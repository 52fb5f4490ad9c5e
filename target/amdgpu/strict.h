/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hazards=strict: results of memory instructions arrive when a wait or the
 * order of the counter says that they must, not before.  Until then their
 * registers hold poison, and whoever uses them is reported.
 */
#ifndef AMDGPU_STRICT_H
#define AMDGPU_STRICT_H

#include "wave.h"

/* What a register holds while its load is under way. */
#define AMD_POISON 0xbad0bad0u

/* TesseraIsaExec.check(): before each instruction of a strict dispatch. */
void amd_strict_check(Wave *wave, const Uop *uop, const uint32_t *words,
                      unsigned count);

/* The same for an instruction that is executed in another form than it has. */
void amd_strict_check_inst(Wave *wave, const Uop *uop, const AmdInst *inst);

/* A wave starts: nothing is under way. */
void amd_strict_start(AmdWave *w);

/* TesseraIsaExec.wave_free(). */
void amd_strict_free(Wave *wave);

/* VM_CNT, EXP_CNT and LGKM_CNT as IB_STS shows them (gfx-facts section 10). */
uint32_t amd_strict_counters(const AmdWave *w);

#endif
