/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoder of gfx900 machine code.
 */
#ifndef GFX9_DECODE_H
#define GFX9_DECODE_H

#include "target/amdgpu/inst.h"

/*
 * Decode one instruction; an AmdDecodeFn.  @words holds @count dwords.
 * Returns false, with @out undefined, if they are no instruction of gfx900 or
 * are too few for it.  Allocates nothing and reads no more than @count words.
 */
bool gfx9_decode(const uint32_t *words, unsigned count, AmdInst *out);

/*
 * The same for execution: also what the hardware executes though it names
 * registers that do not exist.  @out then is what happens instead.
 */
bool gfx9_decode_exec(const uint32_t *words, unsigned count, AmdInst *out);

#endif
