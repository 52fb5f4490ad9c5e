/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gfx12 as tables: its opcodes, encodings and families.
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
    [FAM_SMEM] = &gfx12_smem,
    [FAM_FLAT] = &gfx12_flat,
    [FAM_GLOBAL] = &gfx12_global,
    [FAM_SCRATCH] = &gfx12_scratch,
    [FAM_VBUFFER] = &gfx12_vbuffer,
    [FAM_VINTERP] = &gfx12_vinterp,
    [FAM_VIMAGE] = &gfx12_vimage,
    [FAM_VSAMPLE] = &gfx12_vsample,
};

/* Bits [31:23]; gfx-facts sections 3 and 13. */
static const uint8_t families[512] = {
    AMD_SHORT_FAMILIES
    [0x180 ... 0x187] = FAM_COUNT,
    [0x188 ... 0x18f] = FAM_VBUFFER,
    [0x190 ... 0x197] = FAM_VOPD,
    [0x198] = FAM_VOP3P,
    [0x199] = FAM_COUNT,
    [0x19a ... 0x19b] = FAM_VINTERP,
    [0x19c ... 0x19d] = FAM_LDSDIR,
    [0x19e ... 0x19f] = FAM_COUNT,
    [0x1a0 ... 0x1a7] = FAM_VIMAGE,
    [0x1a8 ... 0x1af] = FAM_VOP3,
    [0x1b0 ... 0x1b7] = FAM_DS,
    [0x1b8 ... 0x1c7] = FAM_COUNT,
    [0x1c8 ... 0x1cf] = FAM_VSAMPLE,
    [0x1d0 ... 0x1d7] = FAM_COUNT,
    [0x1d8 ... 0x1d9] = FAM_FLAT,
    [0x1da ... 0x1db] = FAM_SCRATCH,
    [0x1dc ... 0x1dd] = FAM_GLOBAL,
    [0x1de ... 0x1e7] = FAM_COUNT,
    [0x1e8 ... 0x1ef] = FAM_SMEM,
    [0x1f0 ... 0x1f7] = FAM_EXP,
    [0x1f8 ... 0x1ff] = FAM_COUNT,
};

#define DECODER(name, is_wave32)                                            \
    bool name(const uint32_t *words, unsigned count, AmdInst *out)          \
    {                                                                       \
        static const RdnaTarget target = {                                  \
            .gen = GEN_12, .wave32 = is_wave32, .has_115 = true,            \
            .opcodes = &opcodes, .encodings = encodings,                    \
            .families = families,                                           \
        };                                                                  \
                                                                            \
        return rdna_decode(&target, words, count, out);                     \
    }

DECODER(gfx12_decode, true)
DECODER(gfx12_decode_w64, false)
