/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx900 as the engine, the device and the tools see it.
 */
#include "../amdgpu/exec.h"
#include "../amdgpu/strict.h"
#include "../amdgpu/wave.h"
#include "decode.h"
#include "isa.h"

enum { LANES = 64 };

static void wave_start(Wave *wave, EngineGroup *group, unsigned index)
{
    amd(wave)->decode = gfx9_decode_exec;
    amd_wave_start(wave, group, index, LANES);
}

static unsigned wave_lanes(const TesseraLaunch *launch)
{
    return LANES;
}

/* rsrc1.vgprs counts granules of four (gfx-facts section 11). */
static unsigned wave_vgprs(const TesseraLaunch *launch)
{
    return ((launch->rsrc1 & 0x3f) + 1) * 4;
}

static unsigned disassemble(const uint32_t *words, unsigned count,
                            uint64_t pc, char *text, size_t size)
{
    return amd_disassemble_words(gfx9_decode, words, count, pc, text, size);
}

#define EXEC(level)                                                          \
    static void decode_##level(const uint32_t *words, unsigned count,        \
                               Uop *uop)                                     \
    {                                                                        \
        amd_decode_uop(gfx9_decode_exec, amd_handlers_##level, words,        \
                       count, uop);                                          \
    }                                                                        \
    static const TesseraIsaExec exec_##level = {                                 \
        .wave_bytes = sizeof(AmdWave),                                       \
        .wave_start = wave_start,                                            \
        .decode = decode_##level,                                            \
        .run = amd_run_##level,                                              \
        .check = amd_strict_check,                                           \
        .wave_free = amd_strict_free,                                        \
    };
#ifdef TESSERA_HAVE_V2
EXEC(v2)
#endif
#ifdef TESSERA_HAVE_V3
EXEC(v3)
#endif
#ifdef TESSERA_HAVE_V4
EXEC(v4)
#endif

const TesseraIsa gfx900_isa = {
    .name = "gfx900",
    .number = 90000,
    .lanes = LANES,
    .max_vgprs = 256,
    .max_lds = 65536,
    .exec = {
#ifdef TESSERA_HAVE_V2
        [TESSERA_LEVEL_V2] = &exec_v2,
#endif
#ifdef TESSERA_HAVE_V3
        [TESSERA_LEVEL_V3] = &exec_v3,
#endif
#ifdef TESSERA_HAVE_V4
        [TESSERA_LEVEL_V4] = &exec_v4,
#endif
    },
    .wave_lanes = wave_lanes,
    .wave_vgprs = wave_vgprs,
    .disassemble = disassemble,
};
