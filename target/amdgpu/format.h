/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffer formats: elements in memory and components in registers (gfx-facts
 * section 8).
 */
#ifndef AMDGPU_FORMAT_H
#define AMDGPU_FORMAT_H

#include "mem-lanes.h"

typedef struct BufferFormat {
    uint8_t dfmt, nfmt; /* DATA_FORMAT and NUM_FORMAT of gfx9 */
    uint8_t sel[4];     /* DST_SEL: 0, 1, 4 to 7 for x to w */
    uint8_t comps;      /* that the instruction loads or stores */
    uint8_t half;       /* MemHalf; HALF_LOW: two to a register */
} BufferFormat;

/* Halves and floats as bits; to a half by rounding to nearest even. */
uint32_t amd_half_to_float(uint32_t x);
uint32_t amd_float_to_half(uint32_t x);

/* Bytes of an element, 0 if there is no such format. */
unsigned amd_format_bytes(unsigned dfmt);

/*
 * Convert elements to components.  @raw has the elements' dwords as a load
 * left them; lanes not in @valid were out of range and get 0, or 1 where the
 * selector says so.
 */
void amd_format_load(const BufferFormat *f, Vreg *dst, const Vreg *raw,
                     uint64_t lanes, uint64_t valid);

/* Convert components to elements, for a store to put where they belong. */
void amd_format_store(const BufferFormat *f, const Vreg *data, Vreg *raw,
                      uint64_t lanes);

#endif
