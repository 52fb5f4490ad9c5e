/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a generation takes from here to make its TesseraIsaExec.
 */
#ifndef AMDGPU_EXEC_H
#define AMDGPU_EXEC_H

#include "exec/handlers.h"
#include "wave.h"

void amd_run_v2(Wave *wave);
void amd_run_v3(Wave *wave);
void amd_run_v4(Wave *wave);

extern const struct JitIsa amd_jit_v2, amd_jit_v3, amd_jit_v4;

/* Their handlers of s_nop and of all that does as little (INSN_HINT). */
UopFn h_s_nop_v2, h_s_nop_v3, h_s_nop_v4;

/* Start a wave of target @isa as the amdhsa ABI says (gfx-facts 11). */
typedef void AmdStartFn(Wave *wave, EngineGroup *group, unsigned index,
                        const AmdIsa *isa);
AmdStartFn amd_wave_start_v2, amd_wave_start_v3, amd_wave_start_v4;

/*
 * Set up the VGPRs of a wave that has been started without them (Wave.fresh),
 * but for those whose bits are set.
 */
typedef void AmdSettleFn(Wave *wave, uint64_t but0, uint64_t but1,
                         uint64_t but2, uint64_t but3);
AmdSettleFn amd_settle_v2, amd_settle_v3, amd_settle_v4;

/* JitIsa.follow */
typedef bool AmdFollowFn(Wave *wave);
AmdFollowFn amd_follow_v2, amd_follow_v3, amd_follow_v4;

/* JitIsa.together, JitIsa.move_on */
typedef unsigned AmdTogetherFn(Wave *wave);
AmdTogetherFn amd_together_v2, amd_together_v3, amd_together_v4;
typedef void AmdMoveOnFn(Wave *wave, uint32_t count);
AmdMoveOnFn amd_move_on_v2, amd_move_on_v3, amd_move_on_v4;

/* Decode with @decode, lower onto @handlers; what fails becomes a fault. */
void amd_decode_uop(AmdDecodeFn *decode, const AmdHandler *handlers,
                    const uint32_t *words, unsigned count, Uop *uop);

/* TesseraIsa.disassemble() with @decode. */
unsigned amd_disassemble_words(AmdDecodeFn *decode, const uint32_t *words,
                               unsigned count, uint64_t pc, char *text,
                               size_t size);

#endif
