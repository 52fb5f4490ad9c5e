/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx900 as the engine, the device and the tools see it.
 */
#include "../amdgpu/isa.h"
#include "decode.h"
#include "isa.h"

static const AmdIsa gfx9 = {
    .gen = GEN_9,
    .decode_w64 = gfx9_decode_exec,
    .print_w64 = gfx9_decode,
    .wave_lanes = amd_lanes_64,
    .wave_vgprs = amd_vgprs_64,
};

AMD_ISA(gfx900, gfx9, 90000, 64)
