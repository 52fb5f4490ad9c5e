/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the parts of the gfx900 decoder, beside what all generations have
 * in common.
 */
#ifndef GFX9_DECODE_INT_H
#define GFX9_DECODE_INT_H

#include "target/amdgpu/decode-int.h"
#include "target/gfx9/decode.h"

AmdFinishFn gfx9_finish_sop, gfx9_finish_sopc, gfx9_finish_sopk;
AmdFinishFn gfx9_finish_sopp, gfx9_finish_smem;
AmdFinishFn gfx9_finish_vop1, gfx9_finish_vop2, gfx9_finish_vopc;
AmdFinishFn gfx9_finish_vop3, gfx9_finish_vop3p, gfx9_finish_vintrp;
AmdFinishFn gfx9_finish_flat, gfx9_finish_mubuf;
AmdFinishFn gfx9_finish_mtbuf, gfx9_finish_mimg, gfx9_finish_exp;

/*
 * Check that @code may name an operand of @dwords registers, of the kinds
 * @allowed (OPND_*).  An SGPR range that is not aligned is rounded down, as
 * LLVM does.
 */
bool gfx9_operand(uint16_t *code, unsigned dwords, unsigned allowed);

#endif
