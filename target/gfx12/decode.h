/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoder of gfx1200 and gfx1201 machine code, which are the same.
 */
#ifndef GFX12_DECODE_H
#define GFX12_DECODE_H

#include "target/amdgpu/inst.h"

/*
 * Decode one instruction; AmdDecodeFns.  @words holds @count dwords.  They
 * return false, with @out undefined, if those are no instruction of gfx12 or
 * are too few for it.  They allocate nothing and read no more than @count
 * words.  _w64 is for waves of 64 lanes.
 */
bool gfx12_decode(const uint32_t *words, unsigned count, AmdInst *out);
bool gfx12_decode_w64(const uint32_t *words, unsigned count, AmdInst *out);

#endif
