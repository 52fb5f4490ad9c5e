/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the parts of the gfx900 decoder.
 *
 * decode.c finds the family and the operation and spreads the fields of the
 * encoding into the AmdInst.  A finisher of the family then does what no list
 * of fields can say: operands that depend on the operation, literals, SDWA and
 * DPP, and the refusal of what is no instruction.
 */
#ifndef GFX9_DECODE_INT_H
#define GFX9_DECODE_INT_H

#include <string.h>
#include "target/amdgpu/ops.h"
#include "target/amdgpu/rows.h"
#include "target/gfx9/decode.h"

typedef struct Decode {
    const uint32_t *words;
    unsigned count;
    uint64_t bits;       /* the first two dwords, or as many as there are */
    const AmdInsn *insn; /* the row of the operation */
    AmdInst *inst;
} Decode;

/* A finisher returns false if the bits are no instruction. */
typedef bool FinishFn(Decode *d);

FinishFn gfx9_finish_sop, gfx9_finish_sopc, gfx9_finish_sopk;
FinishFn gfx9_finish_sopp, gfx9_finish_smem;
FinishFn gfx9_finish_vop1, gfx9_finish_vop2, gfx9_finish_vopc;
FinishFn gfx9_finish_vop3, gfx9_finish_vop3p, gfx9_finish_vintrp;
FinishFn gfx9_finish_ds, gfx9_finish_flat, gfx9_finish_mubuf;
FinishFn gfx9_finish_mtbuf, gfx9_finish_mimg, gfx9_finish_exp;

/* Where a field of the encoding goes. */
typedef enum FieldKind {
    FIELD_U8,   /* a uint8_t or bool member */
    FIELD_U16,  /* a uint16_t member, operand codes of 9 bits and fewer too */
    FIELD_VGPR, /* an 8-bit VGPR number, to an operand code */
    FIELD_PAIR, /* an SGPR number divided by 2 */
    FIELD_QUAD, /* by 4 */
    FIELD_U32,  /* an unsigned number in an int32_t member */
    FIELD_S32,  /* a signed one */
} FieldKind;

typedef struct Field {
    uint8_t kind;
    uint8_t low;    /* bit of the instruction */
    uint8_t width;
    uint8_t member; /* offset in AmdInst */
} Field;

#define MEMBER(name) offsetof(AmdInst, name)

/* Bits [@low + @width - 1 : @low] of an instruction. */
static inline uint32_t bits_at(uint64_t bits, unsigned low, unsigned width)
{
    return bits >> low & ((1ull << width) - 1);
}

static inline __attribute__((always_inline))
void gfx9_put_field(const Field *f, uint64_t bits, AmdInst *inst)
{
    uint8_t *member = (uint8_t *)inst + f->member;
    uint32_t value = bits_at(bits, f->low, f->width);
    uint16_t half;
    int32_t word;

    switch ((FieldKind)f->kind) {
    case FIELD_U8:
        *member = value;
        break;
    case FIELD_U16: case FIELD_VGPR: case FIELD_PAIR: case FIELD_QUAD:
        half = f->kind == FIELD_VGPR ? value + OPERAND_VGPR :
               f->kind == FIELD_PAIR ? value * 2 :
               f->kind == FIELD_QUAD ? value * 4 : value;
        memcpy(member, &half, sizeof(half));
        break;
    case FIELD_U32:
        memcpy(member, &value, sizeof(value));
        break;
    case FIELD_S32:
        word = (int32_t)(value << (32 - f->width)) >> (32 - f->width);
        memcpy(member, &word, sizeof(word));
        break;
    }
}

#ifdef __clang__
#define UNROLL_FIELDS _Pragma("clang loop unroll(full)")
#else
#define UNROLL_FIELDS _Pragma("GCC unroll 16")
#endif

/*
 * Make the function NAME_extract(), which spreads the fields of the constant
 * list NAME_fields.  Unrolled, it is a handful of shifts and stores.
 */
#define EXTRACTOR(name)                                                     \
    static void name##_extract(uint64_t bits, AmdInst *inst)                \
    {                                                                       \
        UNROLL_FIELDS                                                       \
        for (size_t i = 0; i < sizeof(name##_fields) / sizeof(Field); i++) { \
            gfx9_put_field(&name##_fields[i], bits, inst);                  \
        }                                                                   \
    }

#define BITS(low, width) (((1ull << (width)) - 1) << (low))

/* What an operand code names (gfx-facts section 2). */
enum {
    OPND_SGPR = 1 << 0,    /* a scalar register that can be written */
    OPND_CONST = 1 << 1,   /* inline constant */
    OPND_SPECIAL = 1 << 2, /* apertures, vccz, execz, scc: read only */
    OPND_LDS = 1 << 3,     /* lds_direct */
    OPND_LITERAL = 1 << 4,
    OPND_VGPR = 1 << 5,
    OPND_SCALAR_SRC = OPND_SGPR | OPND_CONST | OPND_SPECIAL,
    OPND_ANY = OPND_SCALAR_SRC | OPND_LDS | OPND_VGPR,
};

/* Registers that a value of each AmdType takes. */
extern const uint8_t gfx9_type_dwords[];

/*
 * Check that @code may name an operand of @dwords registers, of the kinds
 * @allowed (OPND_*).  An SGPR range that is not aligned is rounded down, as
 * LLVM does.
 */
bool gfx9_operand(uint16_t *code, unsigned dwords, unsigned allowed);

/* The same for a VGPR range. */
static inline bool gfx9_vgprs(uint16_t code, unsigned dwords)
{
    return code - OPERAND_VGPR + dwords <= 256;
}

/*
 * Take the literal, if a source asks for one.  It lies behind @dwords dwords.
 * Returns false if it is missing.
 */
bool gfx9_take_literal(Decode *d, unsigned dwords);

#endif
