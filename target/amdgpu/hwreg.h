/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware registers, as s_getreg and s_setreg reach them.
 */
#ifndef AMDGPU_HWREG_H
#define AMDGPU_HWREG_H

#include "wave.h"

/*
 * @field is simm16 of the instruction: register, lowest bit, width.  Registers
 * that a shader cannot see read as 0.
 */
uint32_t amd_getreg(const AmdWave *w, uint32_t field);

/*
 * Bits that a shader may not change keep their value.  What MODE then says may
 * ask for single steps, see MODE_STEP.
 */
void amd_setreg(AmdWave *w, uint32_t field, uint32_t value);

/*
 * The answer to s_sendmsg_rtn's @message (gfx11 on): the time, the addresses of
 * trap handler and trap memory; 0 to all else.
 */
uint64_t amd_sendmsg_rtn(const AmdWave *w, uint32_t message);

#endif
