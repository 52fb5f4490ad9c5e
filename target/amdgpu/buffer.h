/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffer descriptors (V#): what their bits mean in each generation, and which
 * accesses they let through (gfx-facts sections 7 to 9).
 */
#ifndef AMDGPU_BUFFER_H
#define AMDGPU_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

/* Layouts; a micro-operation names its own in two bits. */
typedef enum BufferLayout {
    BUFFER_GFX9, BUFFER_GFX11, BUFFER_GFX12,
    BUFFER_GFX10, /* of no device here */
    BUFFER_LAYOUTS
} BufferLayout;

/* What makes an access go out of range: any of these that is asked for. */
enum BufferChecks {
    CHECK_NONE = 0,
    CHECK_INDEX = 1 << 0,  /* the index is no record's */
    CHECK_STRIDE = 1 << 1, /* the offset is beyond a record */
    CHECK_BYTES = 1 << 2,  /* it is beyond num_records, a number of bytes */
    CHECK_EMPTY = 1 << 3,  /* there are no records */
    CHECK_PLACE = 1 << 4,  /* the swizzled offset is beyond num_records */
    /* Not the first byte of a datum has to be inside, but the last. */
    CHECK_WHOLE = 1 << 5,
};

typedef struct Buffer {
    uint64_t base;         /* without soffset */
    uint32_t stride, records, index_stride;
    uint8_t element_shift; /* log2 of the size of a swizzled element */
    bool swizzle, add_tid, unbound;
    uint8_t checks;        /* BufferChecks */
    uint8_t dfmt, nfmt;    /* as gfx9 encodes formats */
    uint8_t sel[4];        /* DST_SEL */
} Buffer;

/* How an instruction uses its descriptor. */
typedef struct BufferUse {
    bool idxen;  /* it has an index */
    bool format; /* it converts by a format */
} BufferUse;

/* What the four dwords @r say in @layout to an instruction. */
Buffer amd_buffer_describe(BufferLayout layout, const uint32_t *r,
                           BufferUse use);

/*
 * Are the @bytes at @offset of record @index inside?  @place is where they are
 * from the base on, which matters to CHECK_PLACE alone.
 */
static inline bool buffer_contains(const Buffer *b, uint32_t index,
                                   uint64_t offset, uint64_t place,
                                   unsigned bytes)
{
    uint64_t last = b->checks & CHECK_WHOLE ? bytes - 1 : 0;

    return !(b->unbound ||
             (b->checks & CHECK_INDEX && index >= b->records) ||
             (b->checks & CHECK_STRIDE && offset + last >= b->stride) ||
             (b->checks & CHECK_BYTES && offset + last >= b->records) ||
             (b->checks & CHECK_EMPTY && b->records == 0) ||
             (b->checks & CHECK_PLACE && place + last >= b->records));
}

/*
 * Where byte @offset of record @index is, from the base on.  Swizzled, elements
 * of as many records as the index stride says lie side by side.
 */
static inline uint64_t buffer_place(const Buffer *b, uint32_t index,
                                    uint64_t offset)
{
    uint64_t element = offset >> b->element_shift << b->element_shift;
    uint64_t rest = offset - element;
    uint32_t is = b->index_stride;

    if (!b->swizzle) {
        return (uint64_t)b->stride * index + offset;
    }
    return ((uint64_t)(index / is) * b->stride + element) * is +
           ((uint64_t)(index % is) << b->element_shift) + rest;
}

/* What STRIDE_SCALE of gfx12's dword 3 multiplies the stride by. */
unsigned amd_stride_scale(uint32_t word3);

/* A format number of gfx11 and gfx12 as gfx9's pair; 0, 0 if it is none. */
void amd_unified_format(unsigned format, uint8_t *dfmt, uint8_t *nfmt);

/* Its name in assembly, without BUF_FMT_; NULL if it has none. */
const char *amd_unified_format_name(unsigned format);

#endif
