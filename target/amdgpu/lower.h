/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a decoded instruction to a micro-operation.
 */
#ifndef AMDGPU_LOWER_H
#define AMDGPU_LOWER_H

#include "exec/handlers.h"
#include "exec/operand.h"

/* Make @uop of @inst, executed by @handlers. */
void amd_lower(const AmdInst *inst, const AmdHandler *handlers, Uop *uop);

/* The same for memory instructions: everything but fn and len. */
void amd_lower_memory(const AmdInst *inst, Uop *uop);

/*
 * May what @inst adds to memory be added late, see engine/late.h?  @count
 * dwords of code are readable at @words, where it stands.
 */
bool amd_may_be_late(AmdDecodeFn *decode, const uint32_t *words,
                     unsigned count, const AmdInst *inst);

/* Its four kinds. */
void amd_lower_smem(const AmdInst *inst, Uop *uop);
void amd_lower_ds(const AmdInst *inst, Uop *uop);
void amd_lower_flat(const AmdInst *inst, Uop *uop);
void amd_lower_buffer(const AmdInst *inst, Uop *uop);

/*
 * Byte offset in the wave of the register with an operand code: as a source,
 * and as a destination.  They differ for OPERAND_NULL only.
 */
uint32_t amd_register_offset(unsigned code);
uint32_t amd_result_offset(unsigned code);

/* Make source @i of @uop the operand @code of type @type. */
void amd_lower_source(const AmdInst *inst, Uop *uop, int i, unsigned code,
                      AmdType type);

#endif
