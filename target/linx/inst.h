/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A decoded instruction of LinxISA, and the tables of its encodings.
 */
#ifndef LINX_INST_H
#define LINX_INST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One for each row of encodings.inc. */
typedef enum LinxOp {
#define ROW(id, ...) LINX_##id,
#include "target/linx/encodings.inc"
#undef ROW
    LINX_OPS
} LinxOp;

/* One for each row of formats.inc. */
typedef enum LinxFormatId {
#define FORMAT(id, ...) LINX_FORMAT_##id,
#include "target/linx/formats.inc"
#undef FORMAT
    LINX_FORMATS
} LinxFormatId;

/* One for each row of fields.inc. */
typedef enum LinxField {
#define FIELD(name, kind) LINX_F_##name,
#include "target/linx/fields.inc"
#undef FIELD
    LINX_FIELDS
} LinxField;

typedef enum LinxFieldKind {
    LINX_UINT, LINX_SINT, LINX_SOURCE, LINX_DEST, LINX_GPR, LINX_TILE,
    LINX_QUEUE, LINX_MODIFIER, LINX_VLEN, LINX_ROUNDING, LINX_VSIZE, LINX_LOOP
} LinxFieldKind;

typedef enum LinxGroup {
    LINX_G_HDR_START,   /* begins a block */
    LINX_G_HDR,         /* header word of a memory block */
    LINX_G_HDR_OTHER,   /* header word of other blocks */
    LINX_G_TERM,        /* ends a body */
    LINX_G_V_ARITH, LINX_G_V_ARITH_IMM, LINX_G_V_ATOMIC_LOAD,
    LINX_G_V_ATOMIC_STORE, LINX_G_V_BIT, LINX_G_V_CMP, LINX_G_V_CMP_IMM,
    LINX_G_V_CONVERT, LINX_G_V_FCMP, LINX_G_V_FP, LINX_G_V_LOAD,
    LINX_G_V_LOAD_BRG, LINX_G_V_LOAD_BRG_IMM, LINX_G_V_LOAD_IMM,
    LINX_G_V_MINMAX, LINX_G_V_MULDIV, LINX_G_V_QUEUE, LINX_G_V_REDUCE,
    LINX_G_V_SELECT, LINX_G_V_SHUFFLE, LINX_G_V_SHUFFLE_IMM, LINX_G_V_STORE,
    LINX_G_V_STORE_BRG, LINX_G_V_STORE_BRG_IMM, LINX_G_V_STORE_IMM,
    LINX_G_LONG_5BIT,   /* 64 bits, but with 5-bit registers: in no body */
    LINX_G_S32_OTHER,   /* 32 bits, in no body of a memory block */
    LINX_G_S32_ARITH, LINX_G_S32_ADDR, LINX_G_S32_BRANCH, LINX_G_S32_BIT,
    LINX_G_S32_CMP, LINX_G_S32_SELECT, LINX_G_S32_MULDIV, LINX_G_S32_LOAD,
    LINX_G_S32_SYS, LINX_G_S32_STORE, LINX_G_S32_SETC
} LinxGroup;

/* Flags of a row. */
enum {
    LINX_FLOAT = 1, /* source types are those of floats */
    LINX_NOT = 2,   /* SrcRType 3 is a bitwise not, no negation */
};

/* Bits of an instruction that are bits of a field; 0 bits: no slice. */
typedef struct LinxSlice {
    uint8_t field;           /* LinxField */
    uint8_t at, bits, to;    /* lowest bit there, number, lowest bit here */
} LinxSlice;

enum { LINX_SLICES = 16 };

typedef struct LinxFormat {
    const char *syntax; /* see formats.inc */
    LinxSlice slices[LINX_SLICES];
} LinxFormat;

typedef struct LinxRow {
    const char *name;      /* mnemonic, lower case; not always unique */
    uint64_t match, mask;  /* 64 bits: the prefix word is the low half */
    uint8_t bits;          /* 16, 32 or 64 */
    uint8_t format;        /* LinxFormatId */
    uint8_t group;         /* LinxGroup */
    uint8_t size;          /* log2 of the bytes that it accesses */
    uint8_t flags;
} LinxRow;

extern const LinxRow linx_rows[LINX_OPS];
extern const LinxFormat linx_formats[LINX_FORMATS];
extern const uint64_t linx_format_fields[LINX_FORMATS][2]; /* bits: fields */
extern const char *const linx_field_names[LINX_FIELDS];
extern const uint8_t linx_field_kinds[LINX_FIELDS]; /* LinxFieldKind */

typedef struct LinxInst {
    uint16_t op;                /* LinxOp */
    uint8_t size;               /* bytes */
    int64_t field[LINX_FIELDS]; /* 0: not a field of this instruction */
} LinxInst;

/* Bits of @field in @format, 0 if it has none. */
unsigned linx_field_bits(const LinxFormat *format, LinxField field);

/* Does @inst have @field? */
static inline bool linx_inst_has(const LinxInst *inst, LinxField field)
{
    return linx_format_fields[linx_rows[inst->op].format][field / 64] >>
           field % 64 & 1;
}

/* Register numbers of 10-bit operands, linx-blocks section 6.1. */
enum {
    LINX_VT = 0, LINX_VU = 8, LINX_VM = 16, LINX_VN = 24,
    LINX_RI = 32, LINX_RI_LAST = 43,
    LINX_RO = 32, LINX_RO_LAST = 35, /* as a destination */
    LINX_T = 56, LINX_U = 60,
    LINX_PUSH_U = 62, LINX_PUSH_T = 63,
    LINX_LC0 = 64, LINX_LB0 = 65, LINX_LC1 = 68, LINX_LB1 = 69,
    LINX_LC2 = 72, LINX_LB2 = 73,
    LINX_TA = 80, LINX_TO = 88, LINX_TO_LAST = 91,
    LINX_P = 92, LINX_ZERO = 95, LINX_REUSE = 96,
};

static inline unsigned linx_number(int64_t operand)
{
    return operand & 0x7f;
}

static inline unsigned linx_type(int64_t operand)
{
    return operand >> 7 & 7;
}

/* The names of a 10-bit register number as a source or as a destination. */
const char *linx_source_name(unsigned number);
const char *linx_dest_name(unsigned number);

/* The names of types; NULL if reserved. */
const char *linx_type_name(unsigned type, bool is_float);
extern const char *const linx_width_names[4];

/* Does it run once a lane?  Else once a group. */
bool linx_is_vector(const LinxInst *inst);

#endif
