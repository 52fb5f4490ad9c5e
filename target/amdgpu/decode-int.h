/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the decoders of the generations.
 *
 * A decoder finds the family and the operation and spreads the fields of the
 * encoding into the AmdInst.  A finisher of the family then does what no list
 * of fields can say: operands that depend on the operation, literals, SDWA and
 * DPP, and the refusal of what is no instruction.
 */
#ifndef AMDGPU_DECODE_INT_H
#define AMDGPU_DECODE_INT_H

#include <string.h>
#include "target/amdgpu/inst.h"
#include "target/amdgpu/ops.h"
#include "target/amdgpu/rows.h"

typedef struct Decode {
    const uint32_t *words;
    unsigned count;
    uint64_t bits;       /* the first two dwords, or as many as there are */
    const AmdInsn *insn; /* the row of the operation */
    AmdInst *inst;
    const struct RdnaTarget *target; /* of target/rdna, else unused */
} Decode;

/* A finisher returns false if the bits are no instruction. */
typedef bool AmdFinishFn(Decode *d);

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
void amd_put_field(const Field *f, uint64_t bits, AmdInst *inst)
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
            amd_put_field(&name##_fields[i], bits, inst);                  \
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
extern const uint8_t amd_type_sizes[];

/* Do @dwords VGPRs that begin with operand code @code exist? */
static inline bool amd_vgprs(uint16_t code, unsigned dwords)
{
    return code - OPERAND_VGPR + dwords <= 256;
}

/*
 * A range of scalar registers: pairs are aligned to 2, longer ones to 4.  Those
 * that begin up to s@last may run on to below s@end, but none of several begins
 * in a special register, unless it is a pair there.
 */
static inline bool amd_sgpr_range(uint16_t *code, unsigned dwords,
                                  unsigned last, unsigned end)
{
    enum { TTMP_FIRST = 108, TTMP_LAST = 123, TTMP_COUNT = 16, M0 = 124 };
    unsigned mask = dwords == 2 ? ~1u : ~3u;

    if (*code <= last) {
        *code &= mask;
        return *code + dwords <= end;
    }
    if (*code >= TTMP_FIRST && *code <= TTMP_LAST) {
        unsigned n = (*code - TTMP_FIRST) & mask;

        *code = TTMP_FIRST + n;
        return n + dwords <= TTMP_COUNT;
    }
    /* vcc, exec and such are pairs; m0 is alone. */
    return dwords == 2 && *code % 2 == 0 && *code != M0;
}

/*
 * Take the literal, if a source asks for one.  It lies behind @dwords dwords.
 * Returns false if it is missing.
 */
bool amd_take_literal(Decode *d, unsigned dwords);

/* ---- memory, decode-memory.c: false if the bits are no instruction ---- */

/* All of a DS instruction whose fields have been spread. */
AmdFinishFn amd_finish_ds;

/*
 * The data and the result of a FLAT instruction: a load has vdst, an atomic has
 * it if glc asks for the old value.
 */
bool amd_flat_data(Decode *d);

/*
 * The address VGPRs of a buffer instruction, and its data; tfe adds a VGPR, for
 * the status, behind the data.
 */
bool amd_buffer_address(AmdInst *inst);
bool amd_buffer_data(Decode *d);

/*
 * Families of one dword by bits [31:23] of it, for a table of 512: the same in
 * all generations.
 */
#define AMD_SHORT_FAMILIES        \
    [0x000 ... 0x0f7] = FAM_VOP2, \
    [0x0f8 ... 0x0fb] = FAM_VOPC, \
    [0x0fc ... 0x0ff] = FAM_VOP1, \
    [0x100 ... 0x15f] = FAM_SOP2, \
    [0x160 ... 0x17c] = FAM_SOPK, \
    [0x17d] = FAM_SOP1,           \
    [0x17e] = FAM_SOPC,           \
    [0x17f] = FAM_SOPP,

#endif
