/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What gfx11's and gfx12's decoders of memory instructions have in common.
 */
#ifndef RDNA_DECODE_MEMORY_H
#define RDNA_DECODE_MEMORY_H

#include "decode-int.h"

enum { OPERAND_EXEC = 126, RDNA_SGPR_LAST = 105 };

/*
 * The rest of an instruction whose fields have been spread.  saddr and soffset
 * are codes as encoded; of atomics glc says that they return the old value.
 */
AmdFinishFn rdna_finish_smem;

/* The same; @sve is the field that gives SCRATCH an address VGPR. */
bool rdna_finish_flat(Decode *d, bool sve);

/* The same; @soffset_kinds are OPND_*. */
bool rdna_finish_buffer(Decode *d, unsigned soffset_kinds);

#endif
