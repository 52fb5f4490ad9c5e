/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decoded AMD instruction, and the table row that gives it meaning.
 *
 * A generation's decoder (target/gfx9/decode.c) turns words into an AmdInst;
 * the disassembler prints an AmdInst and lower.c makes a micro-operation of
 * it.  Neither of them knows where a bit was.
 */
#ifndef AMDGPU_INST_H
#define AMDGPU_INST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operand types: what the bits mean; the suffix is the width. */
typedef enum AmdType {
    T_none,
    T_b16, T_u16, T_i16, T_f16,
    T_b32, T_u32, T_i32, T_f32,
    T_b64, T_u64, T_i64, T_f64,
    T_b96, T_b128, T_b256, T_b512, T_b1024,
    T_pk16u, T_pk16i, T_pk16f, /* two 16-bit values in 32 bits (VOP3P) */
    T_mask,                    /* one bit a lane: VCC or an SGPR pair */
} AmdType;

/* Encoding families; order is that of the opcode table's families. */
typedef enum AmdFamily {
    FAM_SOP1, FAM_SOP2, FAM_SOPC, FAM_SOPK, FAM_SOPP, FAM_SMEM,
    FAM_VOP1, FAM_VOP2, FAM_VOPC, FAM_VOP3, FAM_VOP3P,
    FAM_DS, FAM_FLAT, FAM_GLOBAL, FAM_SCRATCH, FAM_MUBUF, FAM_MTBUF,
    FAM_MIMG, FAM_EXP, FAM_VINTRP,
    /* gfx11, gfx12: pairs of vector operations (X's opcodes; Y's follow) */
    FAM_VOPD, FAM_VOPDY,
    FAM_VBUFFER, FAM_VIMAGE, FAM_VSAMPLE, FAM_LDSDIR, FAM_VINTERP,
    FAM_COUNT
} AmdFamily;

/* Which semantic class a row belongs to: it decides the handler's shape. */
typedef enum AmdClass {
    CLASS_S1, CLASS_S2, CLASS_SC, CLASS_SK, CLASS_SP,
    CLASS_V1, CLASS_V2, CLASS_V3, CLASS_VC, CLASS_VX, CLASS_VPK,
    CLASS_SMEM, CLASS_DS, CLASS_FLAT, CLASS_BUF, CLASS_GFX,
} AmdClass;

/* Every mnemonic has a number: AMD_v_add_f32, ...; the rows make the list. */
typedef uint16_t AmdOp;

/* A row of the semantic tables. */
typedef struct AmdInsn {
    const char *name;
    uint8_t class;    /* AmdClass */
    uint8_t dst;      /* AmdType of the result, T_none if there is none */
    uint8_t src[3];   /* AmdType of the sources, T_none ends the list */
    uint32_t flags;   /* INSN_* and the class's own parameters */
    const char *text; /* semantics as written in the row; "NOSEM": none yet */
} AmdInsn;

extern const AmdInsn amd_insns[];

/* v_mad_mix, v_fma_mix: VOP3P operations whose sources have 32 bits or 16. */
static inline bool amd_is_mixed(const AmdInsn *insn)
{
    return insn->class == CLASS_VX && insn->src[0] == T_f32;
}

extern const unsigned amd_insn_count;

typedef enum AmdForm {
    FORM_PLAIN, /* the family's own encoding */
    FORM_VOP3,  /* a VOP1, VOP2 or VOPC operation in the VOP3 encoding */
    FORM_SDWA,
    FORM_DPP,
    FORM_DPP16, /* gfx10 on: another set of controls, and fi */
    FORM_DPP8,
} AmdForm;

/* Which generation's syntax an instruction is printed in. */
typedef enum AmdGeneration {
    GEN_9, GEN_11, GEN_12,
} AmdGeneration;

/*
 * Operand codes are the 9-bit source codes of gfx-facts section 2 in every
 * field: 0..255 scalar registers and constants, 256..511 VGPRs.
 */
#define OPERAND_VGPR 256
#define OPERAND_LITERAL 255
#define OPERAND_NONE 0xffff

/*
 * Where the generations' codes differ, decoders bring them to one: m0, which
 * is 125 from gfx10 on, is 124 in every AmdInst, and that 124, the NULL
 * register, is OPERAND_NULL, reserved in all of them.  It may stand wherever a
 * scalar register of any width may, a destination, too: it reads as 0, and
 * what is written to it is gone.  An saddr or soffset that is NULL to say "off"
 * is OPERAND_NONE.
 */
#define OPERAND_M0 124
#define OPERAND_NULL 209

/*
 * What a decoder fills in; OPERAND_NONE, 0 or false where there is nothing.
 *
 * A decoded instruction is sound: registers exist for the whole width of their
 * operand, and ranges of scalar registers are aligned (rounded down, as LLVM
 * does).  Operands that an encoding implies are spelled out: vcc of carries and
 * of v_cndmask is in sdst and src[2], the constants of v_madmk and v_madak are
 * literals in src[1] and src[2].  A literal may be named by several sources.
 *
 *   compares      dst and sdst are both the scalar pair that gets the mask
 *   INSN_SDST     dst is a scalar register
 *   INSN_ACC      dst is a source, too, that is not among src
 *   SOPK          dst is the register field, also where it is only read
 *   s_set_gpr_idx_on  simm16 is the mode
 *   VOP3P         neg and neg_hi are the low and the high half's, opsel and
 *                 opsel_hi pick halves; the mixed ones have abs, no neg_hi
 *   opsel         of VOP3: bit 3 is the destination's; 0 unless INSN_OPSEL
 *   neg, abs      of sources that take none are 0
 *   SMEM          data is sdata, and so is dst if it is written; saddr is
 *                 sbase; an offset register is in soffset, whatever the form;
 *                 offset is the immediate, 0 without imm; s_atc_probe's
 *                 permissions are in simm16
 *   FLAT          saddr is NONE for "off", addr is NONE if SCRATCH has saddr;
 *                 dst is NONE for stores, atomics without glc, and with lds
 *   MUBUF, MTBUF  data is vdata, and so is dst if it is written; addr is NONE
 *                 without idxen and offen; data is NONE with lds
 *   MIMG          en is dmask, saddr and soffset are resource and sampler
 *   VOPD          op, dst, src and so on are X's, y holds Y's; literal is one
 *                 for both
 *   DPP16, DPP8   of a VOP3 or VOP3P instruction: family says so, the form
 *                 is DPP16 or DPP8
 *   16-bit types  of gfx11 on: opsel says which half, in the short encodings
 *                 too, whose VGPR numbers have it in their bit 7
 *   VINTRP        tgt is the attribute, en its channel
 */
typedef struct AmdInst {
    AmdOp op;
    uint8_t gen;        /* AmdGeneration */
    uint8_t family;     /* AmdFamily of the encoding it came in */
    uint8_t form;       /* AmdForm */
    uint8_t size;       /* bytes, literal and SDWA/DPP dword included */
    uint8_t nsrc;
    bool wave32;        /* lane masks are one scalar register, not a pair */
    uint16_t dst;       /* OPERAND_NONE where there is none */
    uint16_t sdst;      /* second, scalar result (carry out, VOP3b) */
    uint16_t src[4];    /* VALU/SALU sources; [3] is unused so far */
    uint32_t literal;
    const char *name;   /* what the generation calls it; NULL: the row's name */

    /* modifiers of vector ALU forms; one bit a source where plural */
    uint8_t neg, abs, neg_hi, opsel, opsel_hi, omod, clamp;
    uint8_t dst_sel, dst_unused, src_sel[2], src_sext; /* SDWA */
    uint16_t dpp_ctrl;
    uint8_t row_mask, bank_mask, bound_ctrl;
    bool promoted;      /* gfx11 on: VOP1, VOP2 or VOPC in VOP3, DPP or not */
    bool fi;            /* DPP16, DPP8: fetch inactive lanes */
    uint32_t dpp8;      /* 8 lane numbers of 3 bits */

    /* memory forms */
    uint16_t addr, data, data1; /* VGPRs as operand codes */
    uint16_t saddr;   /* SGPR base (FLAT), descriptor (BUF), sbase (SMEM) */
    uint16_t soffset; /* scalar offset operand, OPERAND_NONE if absent */
    int32_t offset;   /* immediate, sign-extended as the family says */
    uint8_t offset1;  /* DS two-address forms; offset then holds offset0 */
    uint8_t dfmt, nfmt, tgt, en;
    uint16_t simm16;  /* SOPP, SOPK */
    bool imm, glc, slc, dlc, nv, lds, gds, offen, idxen, tfe, soe;
    bool typed;         /* VBUFFER: the format is in the instruction, dfmt */
    uint8_t th, scope;  /* gfx12: temporal hint, scope of coherence */
    struct {            /* VOPD: the second operation */
        AmdOp op;
        uint8_t nsrc;
        uint16_t dst;
        uint16_t src[3];
        const char *name;
    } y;
    /* MIMG, EXP, VINTRP: printed only */
    uint32_t gfx_word0, gfx_word1;
    /* images of gfx11 and gfx12; dmask is in en, the dimension in tgt */
    bool nsa, unorm, r128, a16, d16, lwe;
    uint8_t image_dwords, image_addr[5]; /* of data; VGPR numbers */
} AmdInst;

/*
 * Decode one instruction.  @words holds @count dwords (1 or more); returns
 * false if they are no instruction of the generation or are too few.
 * Generations with waves of 32 lanes have two of these, gfx11_decode() for
 * them and gfx11_decode_w64() for waves of 64 lanes: AmdInst.wave32, the text
 * and the alignment of lane masks differ.
 */
typedef bool AmdDecodeFn(const uint32_t *words, unsigned count, AmdInst *out);

/* v_wmma and v_swmmac, whose operands are tuples of VGPRs. */
bool amd_is_matrix(AmdOp op);

/*
 * Registers that an operand of @inst of @type takes.  Lane masks and matrices
 * take as many as the wave has lanes for.
 */
unsigned amd_operand_dwords(const AmdInst *inst, AmdType type);

/*
 * VGPRs that the data of an image instruction takes: one for each bit of
 * dmask, half as many with d16, one more with tfe.
 */
unsigned amd_image_dwords(const AmdInst *inst);

/*
 * Print @inst as llvm-objdump does, without leading tab.  @pc is its address;
 * branches are printed as they are encoded, so it matters to no instruction so
 * far.  Returns the length the text needs; @text is cut to @size - 1 bytes.
 */
size_t amd_disassemble(const AmdInst *inst, uint64_t pc, char *text,
                       size_t size);

#endif
