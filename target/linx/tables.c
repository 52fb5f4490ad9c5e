/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of LinxISA: encodings, formats, fields, register names. */
#include <glib.h>
#include "target/linx/inst.h"

const LinxRow linx_rows[LINX_OPS] = {
#define ROW(id, name, bits, match, mask, format, group, size, flags) \
    { name, match, mask, bits, LINX_FORMAT_##format, LINX_G_##group, size, \
      flags },
#include "target/linx/encodings.inc"
#undef ROW
};

const LinxFormat linx_formats[LINX_FORMATS] = {
#define SLICE(field, at, bits, to) { LINX_F_##field, at, bits, to },
#define NO_SLICES { 0 }
#define FORMAT(id, syntax, slices) { syntax, { slices } },
#include "target/linx/formats.inc"
#undef FORMAT
#undef NO_SLICES
#undef SLICE
};

const uint64_t linx_format_fields[LINX_FORMATS][2] = {
#define BIT(field, half) \
    (LINX_F_##field / 64 == half ? 1ull << LINX_F_##field % 64 : 0)
#define NO_SLICES
#define SLICE(field, at, bits, to) | BIT(field, 0)
#define FORMAT(id, syntax, slices) [LINX_FORMAT_##id][0] = 0 slices,
#include "target/linx/formats.inc"
#undef FORMAT
#undef SLICE
#define SLICE(field, at, bits, to) | BIT(field, 1)
#define FORMAT(id, syntax, slices) [LINX_FORMAT_##id][1] = 0 slices,
#include "target/linx/formats.inc"
#undef FORMAT
#undef SLICE
#undef NO_SLICES
#undef BIT
};

const char *const linx_field_names[LINX_FIELDS] = {
#define FIELD(name, kind) #name,
#include "target/linx/fields.inc"
#undef FIELD
};

const uint8_t linx_field_kinds[LINX_FIELDS] = {
#define FIELD(name, kind) LINX_##kind,
#include "target/linx/fields.inc"
#undef FIELD
};

unsigned linx_field_bits(const LinxFormat *format, LinxField field)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < LINX_SLICES && format->slices[i].bits; i++) {
        const LinxSlice *slice = &format->slices[i];

        if (slice->field == field) {
            bits = MAX(bits, slice->to + slice->bits);
        }
    }
    return bits;
}

#define FOUR(first, name, end) \
    [first] = name "1" end, name "2" end, name "3" end, name "4" end

static const char *const source_names[128] = {
    FOUR(LINX_VT, "vt#", ""),
    FOUR(LINX_VU, "vu#", ""),
    FOUR(LINX_VM, "vm#", ""),
    FOUR(LINX_VN, "vn#", ""),
    [LINX_RI] = "ri0", "ri1", "ri2", "ri3", "ri4", "ri5",
                "ri6", "ri7", "ri8", "ri9", "ri10", "ri11",
    FOUR(LINX_T, "t#", ""),
    FOUR(LINX_U, "u#", ""),
    [LINX_LC0] = "lc0", "lb0",
    [LINX_LC1] = "lc1", "lb1",
    [LINX_LC2] = "lc2", "lb2",
    [LINX_TA] = "ta", "tb", "tc", "td", "te", "tf", "tg", "th",
    [LINX_TO] = "to", "to1", "to2", "to3",
    [LINX_P] = "p",
    [LINX_ZERO] = "zero",
    FOUR(LINX_REUSE + LINX_VT, "vt#", ".reuse"),
    FOUR(LINX_REUSE + LINX_VU, "vu#", ".reuse"),
    FOUR(LINX_REUSE + LINX_VM, "vm#", ".reuse"),
    FOUR(LINX_REUSE + LINX_VN, "vn#", ".reuse"),
};

static const char *const dest_names[128] = {
    [0] = "vt", "vu", "vm", "vn",
    [LINX_RO] = "ro0", "ro1", "ro2", "ro3",
    [LINX_PUSH_U] = "u",
    [LINX_PUSH_T] = "t",
    [LINX_P] = "p",
};

const char *linx_source_name(unsigned number)
{
    return number < G_N_ELEMENTS(source_names) ? source_names[number] : NULL;
}

const char *linx_dest_name(unsigned number)
{
    return number < G_N_ELEMENTS(dest_names) ? dest_names[number] : NULL;
}

const char *linx_type_name(unsigned type, bool is_float)
{
    static const char *const names[2][8] = {
        { "ud", "uw", "uh", "ub", "sd", "sw", "sh", "sb" },
        { "fd", "fs", "fh", "fb", NULL, NULL, "bf", "flb" },
    };

    return type < 8 ? names[is_float][type] : NULL;
}

const char *const linx_width_names[4] = { "d", "w", "h", "b" };

/* ---- scalar or vector, linx-blocks section 8.1 ---- */

static bool reads_lanes(int64_t operand)
{
    unsigned number = linx_number(operand) % 96;

    return number < LINX_RI || number == LINX_LC0 || number == LINX_LC1 ||
           number == LINX_LC2 || number == LINX_P;
}

static bool always_vector(const LinxInst *inst)
{
    switch (linx_rows[inst->op].group) {
    case LINX_G_V_REDUCE:
    case LINX_G_V_SHUFFLE:
    case LINX_G_V_SHUFFLE_IMM:
    case LINX_G_V_LOAD_BRG:
    case LINX_G_V_LOAD_BRG_IMM:
    case LINX_G_V_STORE_BRG:
    case LINX_G_V_STORE_BRG_IMM:
        return true;
    default:
        return inst->op == LINX_V_PSEL || inst->op == LINX_V_MOV ||
               inst->field[LINX_F_C];
    }
}

static bool compares(const LinxInst *inst)
{
    unsigned group = linx_rows[inst->op].group;

    return group == LINX_G_V_CMP || group == LINX_G_V_CMP_IMM ||
           group == LINX_G_V_FCMP;
}

bool linx_is_vector(const LinxInst *inst)
{
    static const LinxField sources[] = {
        LINX_F_SrcL, LINX_F_SrcR, LINX_F_SrcD
    };
    const LinxRow *row = &linx_rows[inst->op];
    const LinxFormat *format = &linx_formats[row->format];

    if (row->group < LINX_G_V_ARITH || row->group > LINX_G_V_STORE_IMM) {
        return false;
    }
    if (always_vector(inst)) {
        return true;
    }
    if (linx_field_bits(format, LINX_F_RegDst)) {
        unsigned number = linx_number(inst->field[LINX_F_RegDst]);

        return number < 4 || (number == LINX_P && compares(inst));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(sources); i++) {
        if (linx_field_bits(format, sources[i]) &&
            reads_lanes(inst->field[sources[i]])) {
            return true;
        }
    }
    return false;
}
