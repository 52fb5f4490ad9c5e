/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the decoders of gfx11 and gfx12 have in common, beside what all
 * generations have.
 *
 * A target is tables: its opcodes, the encodings of its families and the family
 * of each word.  Where gfx11 and gfx12 differ in a finisher, that asks the
 * target or is another one in the table.
 */
#ifndef RDNA_DECODE_INT_H
#define RDNA_DECODE_INT_H

#include "target/amdgpu/decode-int.h"

/* An opcode: what it does, and its name if that is another one. */
typedef struct RdnaOpcode {
    const char *name;
    AmdOp op;
    uint8_t since_115; /* gfx1100 does not have it */
} RdnaOpcode;

/* All opcodes of a generation; opcodes.h has the macros that fill it in. */
typedef struct RdnaOpcodes {
    RdnaOpcode SOP1[256], SOP2[128], SOPC[128], SOPK[32], SOPP[128];
    RdnaOpcode SMEM[256], VOP1[256], VOP2[64], VOPC[256], VOP3[1024];
    RdnaOpcode VOP3P[128], VOPD[16], VOPDY[32], LDSDIR[4], VINTERP[128];
    RdnaOpcode DS[256], FLAT[256], GLOBAL[256], SCRATCH[256];
    RdnaOpcode MUBUF[256], MTBUF[16], VBUFFER[256];
    RdnaOpcode MIMG[256], VIMAGE[256], VSAMPLE[256], EXP[1];
} RdnaOpcodes;

/* How a family is encoded. */
typedef struct RdnaEncoding {
    uint32_t opcodes; /* its place in RdnaOpcodes: OPCODES(SOP1) */
    uint8_t dwords;   /* without a literal or the DPP dword */
    uint8_t op_low, op_width; /* of the first dword */
    void (*extract)(uint64_t bits, AmdInst *inst);
    AmdFinishFn *finish;
} RdnaEncoding;

#define OPCODES(family) offsetof(RdnaOpcodes, family)

typedef struct RdnaTarget {
    AmdGeneration gen;
    bool wave32;
    bool has_115; /* what came with gfx11.5 */
    const RdnaOpcodes *opcodes;
    const RdnaEncoding *const *encodings; /* FAM_COUNT of them, or NULL */
    /* The family by bits [31:23] of the first dword; FAM_COUNT: none. */
    const uint8_t *families;
    /* FLAT's families by its segment field, if it is not in those bits. */
    const uint8_t *segments;
} RdnaTarget;

/* Decode for @target; see AmdDecodeFn. */
bool rdna_decode(const RdnaTarget *target, const uint32_t *words,
                 unsigned count, AmdInst *out);

/* The operation of @opcode in @family; NULL if @target has none. */
const RdnaOpcode *rdna_opcode(const RdnaTarget *target, unsigned family,
                              unsigned opcode);

/*
 * Check that @code may name an operand of @dwords registers, of the kinds
 * @allowed (OPND_*), and make it that of an AmdInst: m0 and NULL get the codes
 * that they have there.  An SGPR range that is not aligned is rounded down.
 */
bool rdna_operand(uint16_t *code, unsigned dwords, unsigned allowed);

/* Registers that an operand of @type takes; lane masks are the wave's. */
static inline unsigned rdna_dwords(const Decode *d, unsigned type)
{
    return type == T_mask && d->target->wave32 ? 1 : amd_type_sizes[type];
}

/* Encodings that both have. */
extern const RdnaEncoding rdna_sop1, rdna_sop2, rdna_sopc, rdna_sopk, rdna_sopp;
extern const RdnaEncoding rdna_vop1, rdna_vop2, rdna_vopc, rdna_vop3, rdna_vop3p;
extern const RdnaEncoding rdna_vopd, rdna_vopdy;
extern const RdnaEncoding rdna_ldsdir, rdna_exp;
/* Memory; DS is one for both. */
extern const RdnaEncoding rdna_ds, gfx11_smem, gfx12_smem;
extern const RdnaEncoding gfx11_flat, gfx11_global, gfx11_scratch;
extern const RdnaEncoding gfx12_flat, gfx12_global, gfx12_scratch;
extern const RdnaEncoding gfx11_mubuf, gfx11_mtbuf, gfx12_vbuffer;
/* Those of images and interpolation are the generation's. */
extern const RdnaEncoding gfx11_mimg, gfx12_vimage, gfx12_vsample;
extern const RdnaEncoding gfx11_vinterp, gfx12_vinterp;

/* The encodings that gfx11 and gfx12 have alike, for a table by family. */
#define RDNA_ENCODINGS                                                   \
    [FAM_SOP1] = &rdna_sop1,                                             \
    [FAM_SOP2] = &rdna_sop2,                                             \
    [FAM_SOPC] = &rdna_sopc,                                             \
    [FAM_SOPK] = &rdna_sopk,                                             \
    [FAM_SOPP] = &rdna_sopp,                                             \
    [FAM_DS] = &rdna_ds,                                                 \
    [FAM_VOP1] = &rdna_vop1,                                             \
    [FAM_VOP2] = &rdna_vop2,                                             \
    [FAM_VOPC] = &rdna_vopc,                                             \
    [FAM_VOP3] = &rdna_vop3,                                             \
    [FAM_VOP3P] = &rdna_vop3p,                                           \
    [FAM_VOPD] = &rdna_vopd,                                             \
    [FAM_VOPDY] = &rdna_vopdy, /* for rdna_opcode(); no word is of it */ \
    [FAM_LDSDIR] = &rdna_ldsdir,                                         \
    [FAM_EXP] = &rdna_exp,

#endif
