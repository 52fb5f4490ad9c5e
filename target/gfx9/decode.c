/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodings of gfx900: families, their fields and their operations.
 * Bit positions are those of gfx-facts section 3.
 */
#include "decode-int.h"
#include "target/amdgpu/fields-scalar.h"
#include "target/amdgpu/fields-vector.h"

/* Operations by family and opcode. */
#define OP(family, opcode, name) OP_##family(opcode, name)
#define OPX(family, opcode, name) [FAM_##family][opcode] = AMD_##name,

/* The VOP3 encoding repeats those of the shorter ones. */
#define OP_VOPC(opcode, name) \
    OPX(VOPC, opcode, name) OPX(VOP3, opcode, name)
#define OP_VOP2(opcode, name) \
    OPX(VOP2, opcode, name) OPX(VOP3, (opcode) + 256, name)
#define OP_VOP1(opcode, name) \
    OPX(VOP1, opcode, name) OPX(VOP3, (opcode) + 320, name)

#define OP_SOP1(opcode, name) OPX(SOP1, opcode, name)
#define OP_SOP2(opcode, name) OPX(SOP2, opcode, name)
#define OP_SOPC(opcode, name) OPX(SOPC, opcode, name)
#define OP_SOPK(opcode, name) OPX(SOPK, opcode, name)
#define OP_SOPP(opcode, name) OPX(SOPP, opcode, name)
#define OP_SMEM(opcode, name) OPX(SMEM, opcode, name)
#define OP_VOP3(opcode, name) OPX(VOP3, opcode, name)
#define OP_VOP3P(opcode, name) OPX(VOP3P, opcode, name)
#define OP_VINTRP(opcode, name) OPX(VINTRP, opcode, name)
#define OP_DS(opcode, name) OPX(DS, opcode, name)
#define OP_MUBUF(opcode, name) OPX(MUBUF, opcode, name)
#define OP_MTBUF(opcode, name) OPX(MTBUF, opcode, name)
#define OP_MIMG(opcode, name) OPX(MIMG, opcode, name)
#define OP_EXP(opcode, name) OPX(EXP, opcode, name)
#define FL_ATOMIC(opcode, name) \
    OPX(FLAT, opcode, flat_##name) OPX(GLOBAL, opcode, global_##name)
#define FL_MEM(opcode, name) \
    FL_ATOMIC(opcode, name) OPX(SCRATCH, opcode, scratch_##name)

enum { OPCODES = 1 << 10 };

static const AmdOp ops[FAM_VINTRP + 1][OPCODES] = {
#include "opcodes.inc"
};

static const Field smem_fields[] = {
    { FIELD_PAIR, 0, 6, MEMBER(saddr) },
    { FIELD_U16, 6, 7, MEMBER(data) },
    { FIELD_U8, 14, 1, MEMBER(soe) },
    { FIELD_U8, 15, 1, MEMBER(nv) },
    { FIELD_U8, 16, 1, MEMBER(glc) },
    { FIELD_U8, 17, 1, MEMBER(imm) },
    { FIELD_S32, 32, 21, MEMBER(offset) },
    { FIELD_U16, 57, 7, MEMBER(soffset) },
};

EXTRACTOR(smem)

static const Field vintrp_fields[] = {
    { FIELD_VGPR, 18, 8, MEMBER(dst) },
    { FIELD_VGPR, 0, 8, MEMBER(src[0]) },
};

EXTRACTOR(vintrp)

static const Field ds_fields[] = {
    { FIELD_U32, 0, 16, MEMBER(offset) },
    { FIELD_U8, 8, 8, MEMBER(offset1) },
    { FIELD_U8, 16, 1, MEMBER(gds) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_VGPR, 48, 8, MEMBER(data1) },
    { FIELD_VGPR, 56, 8, MEMBER(dst) },
};

EXTRACTOR(ds)

static const Field flat_fields[] = {
    { FIELD_S32, 0, 13, MEMBER(offset) },
    { FIELD_U8, 13, 1, MEMBER(lds) },
    { FIELD_U8, 16, 1, MEMBER(glc) },
    { FIELD_U8, 17, 1, MEMBER(slc) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_U16, 48, 7, MEMBER(saddr) },
    { FIELD_U8, 55, 1, MEMBER(nv) },
    { FIELD_VGPR, 56, 8, MEMBER(dst) },
};

EXTRACTOR(flat)

static const Field mubuf_fields[] = {
    { FIELD_U32, 0, 12, MEMBER(offset) },
    { FIELD_U8, 12, 1, MEMBER(offen) },
    { FIELD_U8, 13, 1, MEMBER(idxen) },
    { FIELD_U8, 14, 1, MEMBER(glc) },
    { FIELD_U8, 16, 1, MEMBER(lds) },
    { FIELD_U8, 17, 1, MEMBER(slc) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_QUAD, 48, 5, MEMBER(saddr) },
    { FIELD_U8, 55, 1, MEMBER(tfe) },
    { FIELD_U16, 56, 8, MEMBER(soffset) },
};

EXTRACTOR(mubuf)

static const Field mtbuf_fields[] = {
    { FIELD_U32, 0, 12, MEMBER(offset) },
    { FIELD_U8, 12, 1, MEMBER(offen) },
    { FIELD_U8, 13, 1, MEMBER(idxen) },
    { FIELD_U8, 14, 1, MEMBER(glc) },
    { FIELD_U8, 19, 4, MEMBER(dfmt) },
    { FIELD_U8, 23, 3, MEMBER(nfmt) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_QUAD, 48, 5, MEMBER(saddr) },
    { FIELD_U8, 54, 1, MEMBER(slc) },
    { FIELD_U8, 55, 1, MEMBER(tfe) },
    { FIELD_U16, 56, 8, MEMBER(soffset) },
};

EXTRACTOR(mtbuf)

static const Field mimg_fields[] = {
    { FIELD_U8, 8, 4, MEMBER(en) }, /* dmask */
    { FIELD_U8, 13, 1, MEMBER(glc) },
    { FIELD_U8, 16, 1, MEMBER(tfe) },
    { FIELD_U8, 25, 1, MEMBER(slc) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_QUAD, 48, 5, MEMBER(saddr) },
    { FIELD_QUAD, 53, 5, MEMBER(soffset) }, /* the sampler */
};

EXTRACTOR(mimg)

static const Field exp_fields[] = {
    { FIELD_U8, 0, 4, MEMBER(en) },
    { FIELD_U8, 4, 6, MEMBER(tgt) },
    { FIELD_VGPR, 32, 8, MEMBER(src[0]) },
    { FIELD_VGPR, 40, 8, MEMBER(src[1]) },
    { FIELD_VGPR, 48, 8, MEMBER(src[2]) },
    { FIELD_VGPR, 56, 8, MEMBER(src[3]) },
};

EXTRACTOR(exp)

typedef struct Family {
    uint8_t dwords; /* without a literal or the SDWA or DPP dword */
    uint8_t op_low, op_width;
    void (*extract)(uint64_t bits, AmdInst *inst);
    AmdFinishFn *finish;
} Family;

static const Family families[FAM_VINTRP + 1] = {
    [FAM_SOP1] = { 1, 8, 8, sop1_extract, gfx9_finish_sop },
    [FAM_SOP2] = { 1, 23, 7, sop2_extract, gfx9_finish_sop },
    [FAM_SOPC] = { 1, 16, 7, sopc_extract, gfx9_finish_sopc },
    [FAM_SOPK] = { 1, 23, 5, sopk_extract, gfx9_finish_sopk },
    [FAM_SOPP] = { 1, 16, 7, sopp_extract, gfx9_finish_sopp },
    [FAM_SMEM] = { 2, 18, 8, smem_extract, gfx9_finish_smem },
    [FAM_VOP1] = { 1, 9, 8, vop1_extract, gfx9_finish_vop1 },
    [FAM_VOP2] = { 1, 25, 6, vop2_extract, gfx9_finish_vop2 },
    [FAM_VOPC] = { 1, 17, 8, vopc_extract, gfx9_finish_vopc },
    [FAM_VOP3] = { 2, 16, 10, vop3_extract, gfx9_finish_vop3 },
    [FAM_VOP3P] = { 2, 16, 7, vop3p_extract, gfx9_finish_vop3p },
    [FAM_VINTRP] = { 1, 16, 2, vintrp_extract, gfx9_finish_vintrp },
    [FAM_DS] = { 2, 17, 8, ds_extract, amd_finish_ds },
    [FAM_FLAT] = { 2, 18, 7, flat_extract, gfx9_finish_flat },
    [FAM_GLOBAL] = { 2, 18, 7, flat_extract, gfx9_finish_flat },
    [FAM_SCRATCH] = { 2, 18, 7, flat_extract, gfx9_finish_flat },
    [FAM_MUBUF] = { 2, 18, 7, mubuf_extract, gfx9_finish_mubuf },
    [FAM_MTBUF] = { 2, 15, 4, mtbuf_extract, gfx9_finish_mtbuf },
    [FAM_MIMG] = { 2, 18, 7, mimg_extract, gfx9_finish_mimg },
    [FAM_EXP] = { 2, 0, 0, exp_extract, gfx9_finish_exp },
};

/* The family by bits [31:23]; FAM_COUNT where there is none. */
static const uint8_t family_of[512] = {
    AMD_SHORT_FAMILIES
    [0x180 ... 0x187] = FAM_SMEM,
    [0x188 ... 0x18f] = FAM_EXP,
    [0x190 ... 0x19f] = FAM_COUNT,
    [0x1a0 ... 0x1a6] = FAM_VOP3,
    [0x1a7] = FAM_VOP3P,
    [0x1a8 ... 0x1af] = FAM_VINTRP,
    [0x1b0 ... 0x1b7] = FAM_DS,
    [0x1b8 ... 0x1bf] = FAM_FLAT,
    [0x1c0 ... 0x1c7] = FAM_MUBUF,
    [0x1c8 ... 0x1cf] = FAM_COUNT,
    [0x1d0 ... 0x1d7] = FAM_MTBUF,
    [0x1d8 ... 0x1df] = FAM_COUNT,
    [0x1e0 ... 0x1e7] = FAM_MIMG,
    [0x1e8 ... 0x1ff] = FAM_COUNT,
};

/* FLAT's families by its segment field, bits [15:14]. */
static const uint8_t segment_families[4] = {
    FAM_FLAT, FAM_SCRATCH, FAM_GLOBAL, FAM_COUNT,
};

static const AmdInst blank = {
    .dst = OPERAND_NONE,
    .sdst = OPERAND_NONE,
    .src = { OPERAND_NONE, OPERAND_NONE, OPERAND_NONE, OPERAND_NONE },
    .addr = OPERAND_NONE,
    .data = OPERAND_NONE,
    .data1 = OPERAND_NONE,
    .saddr = OPERAND_NONE,
    .soffset = OPERAND_NONE,
};

bool gfx9_decode(const uint32_t *words, unsigned count, AmdInst *out)
{
    unsigned fam = count ? family_of[words[0] >> 23] : FAM_COUNT;
    const Family *family;
    Decode d;

    if (fam == FAM_FLAT) {
        fam = segment_families[bits_at(words[0], 14, 2)];
    }
    if (fam >= FAM_COUNT || count < families[fam].dwords) {
        return false;
    }
    family = &families[fam];
    *out = blank;
    d.words = words;
    d.count = count;
    d.bits = words[0] | (uint64_t)(count > 1 ? words[1] : 0) << 32;
    d.inst = out;
    out->op = ops[fam][bits_at(words[0], family->op_low, family->op_width)];
    if (out->op == AMD_none) {
        return false;
    }
    out->family = fam;
    out->size = family->dwords * 4;
    d.insn = &amd_insns[out->op];
    family->extract(d.bits, out);
    return family->finish(&d);
}
