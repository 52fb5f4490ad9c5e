/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx1100 and gfx1150 as the engine, the device and the tools see them.
 */
#include "../amdgpu/isa.h"
#include "decode.h"
#include "isa.h"

static const AmdIsa gfx11 = {
    .gen = GEN_11,
    .decode = gfx11_decode,
    .decode_w64 = gfx11_decode_w64,
    .print = gfx11_decode,
    .print_w64 = gfx11_decode_w64,
    .wave_lanes = amd_lanes_32_64,
    .wave_vgprs = amd_vgprs_32_64,
};

static const AmdIsa gfx115 = {
    .gen = GEN_11,
    .decode = gfx1150_decode,
    .decode_w64 = gfx1150_decode_w64,
    .print = gfx1150_decode,
    .print_w64 = gfx1150_decode_w64,
    .wave_lanes = amd_lanes_32_64,
    .wave_vgprs = amd_vgprs_32_64,
};

AMD_ISA(gfx1100, gfx11, 110000, 32)
AMD_ISA(gfx1150, gfx115, 110500, 32)
