/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffer descriptors of the generations (gfx-facts section 7).
 */
#include <stddef.h>
#include "buffer.h"

/* ---- formats ---- */

/* gfx9's DATA_FORMAT and NUM_FORMAT. */
enum {
    DATA_INVALID, DATA_8, DATA_16, DATA_8_8, DATA_32, DATA_16_16,
    DATA_10_11_11, DATA_11_11_10, DATA_10_10_10_2, DATA_2_10_10_10,
    DATA_8_8_8_8, DATA_32_32, DATA_16_16_16_16, DATA_32_32_32,
    DATA_32_32_32_32,
};

enum {
    NUM_UNORM, NUM_SNORM, NUM_USCALED, NUM_SSCALED, NUM_UINT, NUM_SINT,
    NUM_FLOAT = 7,
};

static const struct {
    const char *name;
    uint8_t dfmt, nfmt;
} unified[] = {
#define FORMAT(name, data, number) { #name, DATA_##data, NUM_##number },
#include "unified-formats.inc"
#undef FORMAT
};

enum { UNIFIED_COUNT = sizeof(unified) / sizeof(unified[0]) };

void amd_unified_format(unsigned format, uint8_t *dfmt, uint8_t *nfmt)
{
    *dfmt = format < UNIFIED_COUNT ? unified[format].dfmt : DATA_INVALID;
    *nfmt = format < UNIFIED_COUNT ? unified[format].nfmt : NUM_UNORM;
}

const char *amd_unified_format_name(unsigned format)
{
    return format < UNIFIED_COUNT ? unified[format].name : NULL;
}

/* gfx10 has more numbers above 29, for packed formats that are not floats. */
static void gfx10_format(unsigned format, Buffer *b)
{
    static const struct {
        uint8_t first, dfmt, count, nfmt[7];
    } runs[] = {
        { 30, DATA_10_11_11, 7, { 0, 1, 2, 3, 4, 5, 7 } },
        { 37, DATA_11_11_10, 7, { 0, 1, 2, 3, 4, 5, 7 } },
        { 44, DATA_10_10_10_2, 6, { 0, 1, 2, 3, 4, 5 } },
        { 50, DATA_2_10_10_10, 6, { 0, 1, 2, 3, 4, 5 } },
    };

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        unsigned n = format - runs[i].first;

        if (format >= runs[i].first && n < runs[i].count) {
            b->dfmt = runs[i].dfmt;
            b->nfmt = runs[i].nfmt[n];
            return;
        }
    }
    /* From 8_8_8_8_UNORM on gfx11 has them 14 numbers earlier. */
    amd_unified_format(format < 30 ? format : format - 14, &b->dfmt, &b->nfmt);
}

/* ---- what all have in common ---- */

static uint32_t field(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & ((1u << width) - 1);
}

static Buffer common(const uint32_t *r)
{
    Buffer b = {
        .base = r[0] | (uint64_t)field(r[1], 0, 16) << 32,
        .stride = field(r[1], 16, 14),
        .records = r[2],
        .index_stride = 8 << field(r[3], 21, 2),
        .element_shift = 2,
        .add_tid = field(r[3], 23, 1),
    };

    for (int c = 0; c < 4; c++) {
        b.sel[c] = field(r[3], 3 * c, 3);
    }
    return b;
}

/* ---- gfx9: no OOB_SELECT, but what the instruction is like ---- */

static Buffer describe_gfx9(const uint32_t *r, BufferUse use)
{
    Buffer b = common(r);

    b.swizzle = field(r[1], 31, 1);
    b.dfmt = field(r[3], 15, 4);
    b.nfmt = field(r[3], 12, 3);
    if (b.add_tid && !use.format) {
        b.stride |= (uint32_t)b.dfmt << 14;
    } else {
        b.unbound = b.dfmt == DATA_INVALID;
    }
    b.checks = b.add_tid && !use.idxen ? CHECK_NONE : /* scratch */
               use.idxen && b.stride ? CHECK_INDEX : CHECK_BYTES;
    return b;
}

/* ---- gfx10 on: OOB_SELECT ---- */

enum { OOB_STRUCTURED_OFFSET, OOB_STRUCTURED, OOB_DISABLED, OOB_RAW };

static Buffer describe_gfx10(const uint32_t *r, BufferUse use)
{
    static const uint8_t checks[] = {
        [OOB_STRUCTURED_OFFSET] = CHECK_INDEX | CHECK_STRIDE,
        [OOB_STRUCTURED] = CHECK_INDEX,
        [OOB_DISABLED] = CHECK_EMPTY,
        [OOB_RAW] = CHECK_BYTES,
    };
    Buffer b = common(r);
    unsigned oob = field(r[3], 28, 2);

    b.swizzle = field(r[1], 31, 1);
    gfx10_format(field(r[3], 12, 7), &b);
    b.unbound = b.dfmt == DATA_INVALID;
    b.checks = oob == OOB_RAW && b.swizzle ? CHECK_PLACE : checks[oob];
    return b;
}

static Buffer describe_gfx11(const uint32_t *r, BufferUse use)
{
    static const uint8_t checks[] = {
        [OOB_STRUCTURED_OFFSET] = CHECK_INDEX | CHECK_STRIDE | CHECK_WHOLE,
        [OOB_STRUCTURED] = CHECK_INDEX,
        [OOB_DISABLED] = CHECK_EMPTY,
        [OOB_RAW] = CHECK_BYTES | CHECK_WHOLE,
    };
    Buffer b = common(r);
    unsigned oob = field(r[3], 28, 2), swizzle = field(r[1], 30, 2);

    b.swizzle = swizzle != 0;
    b.element_shift = swizzle + 1; /* of 4, 8 and 16 bytes */
    amd_unified_format(field(r[3], 12, 6), &b.dfmt, &b.nfmt);
    b.unbound = b.dfmt == DATA_INVALID;
    b.checks = oob == OOB_RAW && b.swizzle && b.stride
                   ? checks[OOB_STRUCTURED_OFFSET]
                   : checks[oob];
    return b;
}

unsigned amd_stride_scale(uint32_t word3)
{
    static const uint8_t scales[4] = { 1, 4, 8, 32 };

    return scales[field(word3, 18, 2)];
}

static Buffer describe_gfx12(const uint32_t *r, BufferUse use)
{
    Buffer b = describe_gfx11(r, use);

    b.stride *= amd_stride_scale(r[3]);
    return b;
}

Buffer amd_buffer_describe(BufferLayout layout, const uint32_t *r,
                           BufferUse use)
{
    static Buffer (*const describe[BUFFER_LAYOUTS])(const uint32_t *r,
                                                    BufferUse use) = {
        [BUFFER_GFX9] = describe_gfx9,
        [BUFFER_GFX10] = describe_gfx10,
        [BUFFER_GFX11] = describe_gfx11,
        [BUFFER_GFX12] = describe_gfx12,
    };

    return describe[layout](r, use);
}
