/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the parts of the disassembler.  The text is that of LLVM 19.
 */
#ifndef AMDGPU_DISASM_INT_H
#define AMDGPU_DISASM_INT_H

#include "inst.h"
#include "ops.h"
#include "rows.h"

/* A bounded buffer; @len counts what would have been written, too. */
typedef struct Text {
    char *start;
    size_t size, len;
    AmdGeneration gen; /* whose names registers have */
} Text;

/* Append to @text, as printf() does. */
void amd_text(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append " @name" if @set. */
void amd_text_flag(Text *text, bool set, const char *name);

/* Registers that a value of @type takes. */
unsigned amd_type_dwords(AmdType type);

/* Append the @dwords registers that begin with operand code @code. */
void amd_text_register(Text *text, unsigned code, unsigned dwords);

/* Append source operand @code of @inst, read as @type. */
void amd_text_operand(Text *text, const AmdInst *inst, unsigned code,
                      AmdType type);

/* Is @code a constant rather than a register? */
bool amd_is_constant(unsigned code);

/* Append @value, decimal if an inline constant could hold it, else hex. */
void amd_text_u16(Text *text, unsigned value);

/* Registers that an operand of @inst takes, of a type of its row. */

/* The operand field of instructions that have one of their own kind. */
void amd_text_waitcnt(Text *text, unsigned simm16);
void amd_text_sendmsg(Text *text, unsigned simm16);
void amd_text_hwreg(Text *text, unsigned simm16);
void amd_text_gpr_idx(Text *text, unsigned mode);
void amd_text_swizzle(Text *text, unsigned offset);

/* Those of gfx11 and gfx12, disasm-rdna.c. */
void amd_text_waitcnt_11(Text *text, unsigned simm16);
void amd_text_delay(Text *text, unsigned simm16);
void amd_text_depctr(Text *text, unsigned simm16);
void amd_text_version(Text *text, unsigned simm16);
void amd_text_message(Text *text, unsigned simm16);
void amd_text_rdna_graphics(Text *text, const AmdInst *inst);
const char *amd_hwreg_name(AmdGeneration gen, unsigned id);

/* What caches are to do: glc and such, or a temporal hint and a scope. */
void amd_text_cache(Text *text, const AmdInst *inst);

/* Everything behind the mnemonic, by class of instruction. */
void amd_text_scalar(Text *text, const AmdInst *inst);
void amd_text_smem(Text *text, const AmdInst *inst);
void amd_text_vector(Text *text, const AmdInst *inst);
void amd_text_pair(Text *text, const AmdInst *inst);
void amd_text_ds(Text *text, const AmdInst *inst);
void amd_text_flat(Text *text, const AmdInst *inst);
void amd_text_buffer(Text *text, const AmdInst *inst);
void amd_text_graphics(Text *text, const AmdInst *inst);

#endif
