/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "buffer-model.h"
#include "format-model.h"

/* ---- descriptors ---- */

/* Put the low bits of @value at @first to @last of the 128. */
static void put_bits(uint32_t *words, unsigned first, unsigned last,
                     uint64_t value)
{
    for (unsigned bit = first; bit <= last; bit++, value >>= 1) {
        words[bit / 32] |= (uint32_t)(value & 1) << bit % 32;
    }
    g_assert_true(value == 0);
}

static unsigned number_of(unsigned value, const unsigned *values, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (values[i] == value) {
            return i;
        }
    }
    g_assert_not_reached();
}

void buf_model_words(const BufModel *b, uint32_t *words)
{
    static const unsigned elements[] = { 0, 4, 8, 16 };
    static const unsigned strides[] = { 8, 16, 32, 64 };
    static const unsigned scales[] = { 1, 4, 8, 32 };

    memset(words, 0, 16);
    put_bits(words, 0, 47, b->base);
    put_bits(words, 48, 61, b->stride);
    put_bits(words, 62, 63, number_of(b->element, elements, 4));
    put_bits(words, 64, 95, b->records);
    for (unsigned c = 0; c < 4; c++) {
        put_bits(words, 96 + 3 * c, 98 + 3 * c, b->sel[c]);
    }
    put_bits(words, 108, 113, b->format);
    if (b->gfx12) {
        put_bits(words, 114, 115, number_of(b->scale, scales, 4));
    }
    put_bits(words, 117, 118, number_of(b->index_stride, strides, 4));
    put_bits(words, 119, 119, b->add_tid);
    put_bits(words, 124, 125, b->oob);
}

/* ---- formats ---- */

/* As the assembler names them, in the order of their numbers. */
static const char *const names[BUF_FORMATS] = {
    "INVALID", "8_UNORM", "8_SNORM", "8_USCALED", "8_SSCALED", "8_UINT",
    "8_SINT", "16_UNORM", "16_SNORM", "16_USCALED", "16_SSCALED", "16_UINT",
    "16_SINT", "16_FLOAT", "8_8_UNORM", "8_8_SNORM", "8_8_USCALED",
    "8_8_SSCALED", "8_8_UINT", "8_8_SINT", "32_UINT", "32_SINT", "32_FLOAT",
    "16_16_UNORM", "16_16_SNORM", "16_16_USCALED", "16_16_SSCALED",
    "16_16_UINT", "16_16_SINT", "16_16_FLOAT", "10_11_11_FLOAT",
    "11_11_10_FLOAT", "10_10_10_2_UNORM", "10_10_10_2_SNORM",
    "10_10_10_2_UINT", "10_10_10_2_SINT", "2_10_10_10_UNORM",
    "2_10_10_10_SNORM", "2_10_10_10_USCALED", "2_10_10_10_SSCALED",
    "2_10_10_10_UINT", "2_10_10_10_SINT", "8_8_8_8_UNORM", "8_8_8_8_SNORM",
    "8_8_8_8_USCALED", "8_8_8_8_SSCALED", "8_8_8_8_UINT", "8_8_8_8_SINT",
    "32_32_UINT", "32_32_SINT", "32_32_FLOAT", "16_16_16_16_UNORM",
    "16_16_16_16_SNORM", "16_16_16_16_USCALED", "16_16_16_16_SSCALED",
    "16_16_16_16_UINT", "16_16_16_16_SINT", "16_16_16_16_FLOAT",
    "32_32_32_UINT", "32_32_32_SINT", "32_32_32_FLOAT", "32_32_32_32_UINT",
    "32_32_32_32_SINT", "32_32_32_32_FLOAT",
};

/* A name has widths, from the highest field down, and the kind of number. */
static BufFormat parse_name(const char *name)
{
    static const char *const numbers[] = {
        "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT",
    };
    g_auto(GStrv) parts = g_strsplit(name, "_", -1);
    unsigned n = g_strv_length(parts) - 1, bits = 0;
    BufFormat f = { .count = n };

    g_strlcpy(f.name, name, sizeof(f.name));
    for (unsigned i = 0; i < n; i++) {
        f.fields[i] = atoi(parts[n - 1 - i]);
        bits += f.fields[i];
    }
    f.bytes = bits / 8;
    while (strcmp(numbers[f.number], parts[n]) != 0) {
        f.number++;
    }
    return f;
}

const BufFormat *buf_format(unsigned n)
{
    static BufFormat formats[BUF_FORMATS];

    if (n && !formats[n].bytes) {
        formats[n] = parse_name(names[n]);
    } else if (!n) {
        g_strlcpy(formats[0].name, names[0], sizeof(formats[0].name));
    }
    return &formats[n];
}

/* ---- accesses ---- */

static uint64_t index_of(const BufModel *b, const BufAccess *a)
{
    return (uint32_t)((a->idxen ? a->index : 0) + (b->add_tid ? a->lane : 0));
}

static uint64_t stride_of(const BufModel *b)
{
    return (uint64_t)b->stride * (b->gfx12 ? b->scale : 1);
}

bool buf_model_in_range(const BufModel *b, const BufAccess *a, unsigned at,
                        unsigned bytes)
{
    uint64_t index = index_of(b, a), end = (uint64_t)a->offset + at + bytes;
    bool in_records = index < b->records, in_stride = end <= stride_of(b);

    if (b->format == 0) {
        return false;
    }
    switch (b->oob) {
    case 0:
        return in_records && in_stride;
    case 1:
        return in_records;
    case 2:
        return b->records != 0;
    default:
        return b->element && stride_of(b) ? in_records && in_stride
                                          : end <= b->records;
    }
}

uint64_t buf_model_place(const BufModel *b, const BufAccess *a, unsigned i)
{
    uint64_t index = index_of(b, a), offset = (uint64_t)a->offset + i;
    uint64_t is = b->index_stride, es = b->element;

    if (!es) {
        return stride_of(b) * index + offset;
    }
    return ((index / is) * stride_of(b) + (offset / es) * es) * is +
           (index % is) * es + offset % es;
}
