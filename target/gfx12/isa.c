/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx1200 and gfx1201, which differ in their names only, as the engine, the
 * device and the tools see them.
 */
#include "../amdgpu/isa.h"
#include "decode.h"
#include "isa.h"

#define GFX12                                                                 \
    {                                                                         \
        .gen = GEN_12,                                                        \
        .decode = gfx12_decode,                                               \
        .decode_w64 = gfx12_decode_w64,                                       \
        .print = gfx12_decode,                                                \
        .print_w64 = gfx12_decode_w64,                                        \
        .wave_lanes = amd_lanes_32_64,                                        \
        .wave_vgprs = amd_vgprs_32_64,                                        \
    }

static const AmdIsa gfx12_0 = GFX12, gfx12_1 = GFX12;

AMD_ISA(gfx1200, gfx12_0, 120000, 32)
AMD_ISA(gfx1201, gfx12_1, 120001, 32)
