/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoders of gfx1100 and gfx1150 machine code.
 */
#ifndef GFX11_DECODE_H
#define GFX11_DECODE_H

#include "target/amdgpu/inst.h"

/*
 * Decode one instruction; AmdDecodeFns.  @words holds @count dwords.  They
 * return false, with @out undefined, if those are no instruction of the target
 * or are too few for it.  They allocate nothing and read no more than @count
 * words.  _w64 is for waves of 64 lanes.
 */
bool gfx11_decode(const uint32_t *words, unsigned count, AmdInst *out);
bool gfx11_decode_w64(const uint32_t *words, unsigned count, AmdInst *out);

/* The same for gfx1150: gfx11 with scalar floats. */
bool gfx1150_decode(const uint32_t *words, unsigned count, AmdInst *out);
bool gfx1150_decode_w64(const uint32_t *words, unsigned count, AmdInst *out);

#endif
