/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx11 as tables: its opcodes, encodings and families.
 */
#include "decode.h"
#include "target/rdna/decode-int.h"
#include "target/rdna/opcodes.h"

static const RdnaOpcodes opcodes = {
#include "opcodes.inc"
#include "memory.inc"
#include "target/rdna/opcodes.inc"
#include "target/rdna/memory.inc"
};

static const RdnaEncoding *const encodings[FAM_COUNT] = {
    RDNA_ENCODINGS
    [FAM_SMEM] = &gfx11_smem,
    [FAM_FLAT] = &gfx11_flat,
    [FAM_GLOBAL] = &gfx11_global,
    [FAM_SCRATCH] = &gfx11_scratch,
    [FAM_MUBUF] = &gfx11_mubuf,
    [FAM_MTBUF] = &gfx11_mtbuf,
    [FAM_VINTERP] = &gfx11_vinterp,
    [FAM_MIMG] = &gfx11_mimg,
};

/* Bits [31:23]; gfx-facts sections 3 and 13. */
static const uint8_t families[512] = {
    AMD_SHORT_FAMILIES
    [0x180 ... 0x18f] = FAM_COUNT,
    [0x190 ... 0x197] = FAM_VOPD,
    [0x198] = FAM_VOP3P,
    [0x199] = FAM_COUNT,
    [0x19a ... 0x19b] = FAM_VINTERP,
    [0x19c ... 0x19d] = FAM_LDSDIR,
    [0x19e ... 0x1a7] = FAM_COUNT,
    [0x1a8 ... 0x1af] = FAM_VOP3,
    [0x1b0 ... 0x1b7] = FAM_DS,
    [0x1b8 ... 0x1bf] = FAM_FLAT,
    [0x1c0 ... 0x1c7] = FAM_MUBUF,
    [0x1c8 ... 0x1cf] = FAM_COUNT,
    [0x1d0 ... 0x1d7] = FAM_MTBUF,
    [0x1d8 ... 0x1df] = FAM_COUNT,
    [0x1e0 ... 0x1e7] = FAM_MIMG,
    [0x1e8 ... 0x1ef] = FAM_SMEM,
    [0x1f0 ... 0x1f7] = FAM_EXP,
    [0x1f8 ... 0x1ff] = FAM_COUNT,
};

static const uint8_t segments[4] = {
    FAM_FLAT, FAM_SCRATCH, FAM_GLOBAL, FAM_COUNT,
};

#define DECODER(name, is_wave32, is_115)                                    \
    bool name(const uint32_t *words, unsigned count, AmdInst *out)          \
    {                                                                       \
        static const RdnaTarget target = {                                  \
            .gen = GEN_11, .wave32 = is_wave32, .has_115 = is_115,          \
            .opcodes = &opcodes, .encodings = encodings,                    \
            .families = families, .segments = segments,                     \
        };                                                                  \
                                                                            \
        return rdna_decode(&target, words, count, out);                     \
    }

DECODER(gfx11_decode, true, false)
DECODER(gfx11_decode_w64, false, false)
DECODER(gfx1150_decode, true, true)
DECODER(gfx1150_decode_w64, false, true)
