/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes to instructions and back. */
#include <string.h>
#include "target/linx/decode.h"

/* linx-blocks section 3. */
unsigned linx_length(uint16_t parcel)
{
    bool lengthened = (parcel >> 1 & 7) == 7;

    if (parcel & 1) {
        return lengthened ? 8 : 4;
    }
    return lengthened ? 6 : 2;
}

/*
 * Rows by the lowest bits of instructions that they may be; those with more
 * bits fixed come first, for of two that fit it is they that are meant.
 */
enum { KEY_BITS = 7, KEYS = 1 << KEY_BITS };

static GArray *candidates[KEYS]; /* of uint16_t: LinxOp */

static int compare_rows(const void *a, const void *b)
{
    uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
    int more = __builtin_popcountll(linx_rows[y].mask) -
               __builtin_popcountll(linx_rows[x].mask);

    return more ? more : x - y;
}

static void *sort_rows(void *unused)
{
    for (unsigned key = 0; key < KEYS; key++) {
        candidates[key] = g_array_new(false, false, sizeof(uint16_t));
        for (uint16_t op = 0; op < LINX_OPS; op++) {
            const LinxRow *row = &linx_rows[op];

            if (((key ^ row->match) & row->mask & (KEYS - 1)) == 0) {
                g_array_append_val(candidates[key], op);
            }
        }
        g_array_sort(candidates[key], compare_rows);
    }
    return NULL;
}

static int find_row(uint64_t word, unsigned bits)
{
    static GOnce once = G_ONCE_INIT;
    const GArray *ops;

    g_once(&once, sort_rows, NULL);
    ops = candidates[word & (KEYS - 1)];
    for (unsigned i = 0; i < ops->len; i++) {
        int op = g_array_index(ops, uint16_t, i);
        const LinxRow *row = &linx_rows[op];

        if (row->bits == bits && (word & row->mask) == row->match) {
            return op;
        }
    }
    return -1;
}

static uint64_t low_bits(unsigned bits)
{
    return bits < 64 ? (1ull << bits) - 1 : ~0ull;
}

static void take_fields(const LinxFormat *format, uint64_t word, LinxInst *out)
{
    const LinxSlice *slice = format->slices;

    for (unsigned i = 0; i < LINX_SLICES && slice->bits; i++, slice++) {
        out->field[slice->field] |=
            (word >> slice->at & low_bits(slice->bits)) << slice->to;
    }
    for (slice = format->slices;
         slice < format->slices + LINX_SLICES && slice->bits; slice++) {
        if (linx_field_kinds[slice->field] == LINX_SINT) {
            unsigned above = 64 - linx_field_bits(format, slice->field);
            int64_t *value = &out->field[slice->field];

            *value = (int64_t)((uint64_t)*value << above) >> above;
        }
    }
}

/* ---- reserved values ---- */

static bool source_exists(const LinxRow *row, int64_t operand)
{
    return linx_source_name(linx_number(operand)) &&
           linx_type_name(linx_type(operand), row->flags & LINX_FLOAT);
}

/* Only reductions write RO, and they write nothing but RO, T and U. */
static bool dest_exists(const LinxRow *row, int64_t operand)
{
    unsigned number = linx_number(operand);
    bool is_ro = number >= LINX_RO && number <= LINX_RO_LAST;

    if (!linx_dest_name(number) || linx_type(operand) >= 4) {
        return false;
    }
    if (row->group == LINX_G_V_REDUCE) {
        return is_ro || number == LINX_PUSH_T || number == LINX_PUSH_U;
    }
    return !is_ro;
}

/* linx-blocks sections 6.3 and 10. */
static bool modifier_exists(const LinxInst *inst, const LinxRow *row,
                            int64_t value)
{
    if (row->bits == 64) {
        return value == 0 || value == 3;
    }
    if (row->group == LINX_G_S32_CMP || row->group == LINX_G_S32_SETC) {
        return value != 3 || row->flags & LINX_NOT ||
               inst->op == LINX_CMP_EQ || inst->op == LINX_CMP_NE ||
               inst->op == LINX_SETC_EQ || inst->op == LINX_SETC_NE;
    }
    return true;
}

static bool is_wide(const LinxRow *row, const LinxSlice *slice)
{
    return linx_field_bits(&linx_formats[row->format], slice->field) == 10;
}

static bool field_valid(const LinxInst *inst, const LinxSlice *slice)
{
    const LinxRow *row = &linx_rows[inst->op];
    int64_t value = inst->field[slice->field];

    switch (linx_field_kinds[slice->field]) {
    case LINX_SOURCE:
        return !is_wide(row, slice) || source_exists(row, value);
    case LINX_DEST:
        return !is_wide(row, slice) || dest_exists(row, value);
    case LINX_MODIFIER:
        return modifier_exists(inst, row, value);
    case LINX_VLEN:
        return value != 3;
    case LINX_ROUNDING:
        return value < 8;
    default:
        return true;
    }
}

static bool fields_valid(const LinxInst *inst)
{
    const LinxFormat *format = &linx_formats[linx_rows[inst->op].format];

    for (unsigned i = 0; i < LINX_SLICES && format->slices[i].bits; i++) {
        if (!field_valid(inst, &format->slices[i])) {
            return false;
        }
    }
    return true;
}

bool linx_decode(const uint8_t *bytes, size_t count, LinxInst *out)
{
    uint64_t word = 0;
    unsigned size;
    int op;

    memset(out, 0, sizeof(*out));
    if (count < 2) {
        return false;
    }
    size = linx_length(bytes[0] | bytes[1] << 8);
    if (count < size) {
        return false;
    }
    out->size = size;
    for (unsigned i = 0; i < size; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    op = find_row(word, size * 8);
    if (op < 0) {
        return false;
    }
    out->op = op;
    take_fields(&linx_formats[linx_rows[op].format], word, out);
    return fields_valid(out);
}

unsigned linx_encode(const LinxInst *inst, uint8_t bytes[LINX_MAX_BYTES])
{
    const LinxRow *row = &linx_rows[inst->op];
    const LinxFormat *format = &linx_formats[row->format];
    uint64_t word = row->match;

    for (unsigned i = 0; i < LINX_SLICES && format->slices[i].bits; i++) {
        const LinxSlice *slice = &format->slices[i];
        uint64_t value = (uint64_t)inst->field[slice->field] >> slice->to;

        word |= (value & low_bits(slice->bits)) << slice->at;
    }
    for (unsigned i = 0; i < row->bits / 8u; i++) {
        bytes[i] = word >> (8 * i);
    }
    return row->bits / 8;
}
