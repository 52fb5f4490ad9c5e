/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target as data, and the macro that makes its TesseraIsa: what gfx900,
 * gfx1100 and the others differ in beside their decoders.
 */
#ifndef AMDGPU_ISA_H
#define AMDGPU_ISA_H

#include "exec.h"
#include "kind.h"
#include "strict.h"
#include "wave.h"

struct AmdIsa {
    AmdGeneration gen;
    /* As waves of 32 and of 64 lanes execute it, and as LLVM prints it. */
    AmdDecodeFn *decode, *decode_w64;
    AmdDecodeFn *print, *print_w64;
    unsigned (*wave_lanes)(const TesseraLaunch *launch);
    unsigned (*wave_vgprs)(const TesseraLaunch *launch);
};

static inline AmdDecodeFn *amd_isa_decode(const AmdIsa *isa, unsigned lanes)
{
    return lanes == 32 ? isa->decode : isa->decode_w64;
}

/* TesseraIsa.wave_lanes() and wave_vgprs() (gfx-facts section 11). */
unsigned amd_lanes_64(const TesseraLaunch *launch);
unsigned amd_lanes_32_64(const TesseraLaunch *launch); /* gfx10 on */
unsigned amd_vgprs_64(const TesseraLaunch *launch);
unsigned amd_vgprs_32_64(const TesseraLaunch *launch);

/* The executable side of an AmdIsa at one host level; nothing if not built. */
#define AMD_ISA_LEVEL(target, level)                                          \
    static void target##_##level(const uint32_t *words, unsigned count,       \
                                 unsigned lanes, Uop *uop)                    \
    {                                                                         \
        amd_decode_uop(amd_isa_decode(&target, lanes), amd_handlers_##level,  \
                       words, count, uop);                                    \
    }                                                                         \
    static void target##_start_##level(Wave *wave, EngineGroup *group,        \
                                       unsigned index)                        \
    {                                                                         \
        amd_wave_start_##level(wave, group, index, &target);                  \
    }                                                                         \
    static const TesseraIsaExec target##_exec_##level = {                     \
        .wave_bytes = sizeof(AmdWave),                                        \
        .wave_start = target##_start_##level,                                 \
        .decode = target##_##level,                                           \
        .hint = h_s_nop_##level,                                              \
        .run = amd_run_##level,                                               \
        .check = amd_strict_check,                                            \
        .wave_free = amd_strict_free,                                         \
        .jit = &amd_jit_##level,                                              \
    };

#ifdef TESSERA_HAVE_V2
#define AMD_ISA_V2(target) AMD_ISA_LEVEL(target, v2)
#define AMD_ISA_EXEC_V2(target) &target##_exec_v2
#else
#define AMD_ISA_V2(target)
#define AMD_ISA_EXEC_V2(target) NULL
#endif
#ifdef TESSERA_HAVE_V3
#define AMD_ISA_V3(target) AMD_ISA_LEVEL(target, v3)
#define AMD_ISA_EXEC_V3(target) &target##_exec_v3
#else
#define AMD_ISA_V3(target)
#define AMD_ISA_EXEC_V3(target) NULL
#endif
#ifdef TESSERA_HAVE_V4
#define AMD_ISA_V4(target) AMD_ISA_LEVEL(target, v4)
#define AMD_ISA_EXEC_V4(target) &target##_exec_v4
#else
#define AMD_ISA_V4(target)
#define AMD_ISA_EXEC_V4(target) NULL
#endif

/*
 * Make the global NAME_isa of the static AmdIsa @target; @version is that of
 * ROCm's topology, @lanes those of a wave if a kernel does not ask for others.
 */
#define AMD_ISA(name_, target, version, lanes_)                               \
    static unsigned target##_print(const uint32_t *words, unsigned count,     \
                                   unsigned lanes, uint64_t pc, char *text,   \
                                   size_t size)                               \
    {                                                                         \
        return amd_disassemble_words(lanes == 32 ? target.print               \
                                                 : target.print_w64,          \
                                     words, count, pc, text, size);           \
    }                                                                         \
    static const char *target##_kind(const uint32_t *words, unsigned count,   \
                                     unsigned lanes)                          \
    {                                                                         \
        return amd_kind(amd_isa_decode(&target, lanes), words, count);        \
    }                                                                         \
    AMD_ISA_V2(target)                                                        \
    AMD_ISA_V3(target)                                                        \
    AMD_ISA_V4(target)                                                        \
    const TesseraIsa name_##_isa = {                                          \
        .name = #name_,                                                       \
        .number = version,                                                    \
        .lanes = lanes_,                                                      \
        .max_vgprs = AMD_VGPRS,                                               \
        .max_lds = 65536,                                                     \
        .exec = { AMD_ISA_EXEC_V2(target), AMD_ISA_EXEC_V3(target),           \
                  AMD_ISA_EXEC_V4(target) },                                  \
        .wave_lanes = target.wave_lanes,                                      \
        .wave_vgprs = target.wave_vgprs,                                      \
        .disassemble = target##_print,                                        \
        .kind = target##_kind,                                                \
    };

#endif
