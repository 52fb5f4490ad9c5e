/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of the buffer instructions (gfx-facts sections 6, 7 and 9).
 *
 * Misaligned accesses do as they are told, as in the unaligned mode in which
 * HSA runs; in the other one the low two bits of dword addresses are ignored.
 */
#include "../buffer.h"
#include "../format.h"
#include "memory.h"

/* ---- the descriptor ---- */

/* Its bits that the fast paths look at. */
enum {
    V3_DATA_FORMAT = 15, /* gfx9: 4 bits */
    V3_INDEX_STRIDE = 21,
    V3_ADD_TID = 1 << 23,
    /* What gfx9's scratch descriptor has: rows of 64 lanes. */
    V3_SCRATCH = 3 << V3_INDEX_STRIDE | V3_ADD_TID,
    /* gfx11 on */
    V3_FORMAT = 0x3f << 12,
    V3_RAW = 3 << 28, /* OOB_SELECT */
};

#define V1_SWIZZLE (1u << 31)  /* gfx9 */
#define V1_SWIZZLE2 (3u << 30) /* gfx11 on */

INL BufferLayout layout_of(const Uop *u)
{
    return u->kind[0] >> MEM_LAYOUT & 3;
}

INL const uint32_t *descriptor_of(const AmdWave *w, const Uop *u)
{
    return at(w, u->src[2]);
}

INL uint64_t buffer_base(const AmdWave *w, const Uop *u)
{
    const uint32_t *r = descriptor_of(w, u);

    return (r[0] | (uint64_t)(r[1] & 0xffff) << 32) + scalar32(w, u, 1);
}

INL unsigned data_format(const uint32_t *r)
{
    return r[3] >> V3_DATA_FORMAT & 0xf;
}

static Buffer describe(const AmdWave *w, const Uop *u)
{
    BufferUse use = {
        .idxen = u->kind[0] & MEM_IDXEN,
        .format = mem_ops[u->kind[2]].comps,
    };
    Buffer b = amd_buffer_describe(layout_of(u), descriptor_of(w, u), use);

    b.base += scalar32(w, u, 1);
    return b;
}

/* Signed from gfx12 on; there a sum with a register wraps around. */
INL int32_t inst_offset(const Uop *u)
{
    return (int32_t)(u->mods << 8) >> 8;
}

/* ---- adjacent lanes ---- */

/* Private memory at one offset for all lanes. */
INL bool fast_rows(AmdWave *w, const Uop *u, MemOp op, unsigned first)
{
    Vreg *data = at(w, u->dst);
    uint64_t offset = (uint64_t)inst_offset(u);

    if (u->kind[0] & MEM_OFFEN) {
        const Vreg *r = at(w, u->src[0]);
        uint32_t x = ((const uint32_t *)r)[first];

        if (!lanes_equal(w, r, x)) {
            return false;
        }
        offset += x;
    }
    if (op.bytes < 4 || offset % 4) {
        return false;
    }
    return mem_rows(w, data, data, buffer_base(w, u) + offset * AMD_LANES,
                    op);
}

/* Raw buffers: all lanes' offsets adjacent and within the buffer. */
INL bool fast_raw(AmdWave *w, const Uop *u, MemOp op, unsigned first)
{
    Vreg *data = at(w, u->dst);
    uint32_t n = wave_width(w) * op.bytes, x;
    int64_t offset = inst_offset(u);
    uint8_t *host;

    if (!(u->kind[0] & MEM_OFFEN) ||
        !lanes_adjacent(w, at(w, u->src[0]), op.bytes, first, &x)) {
        return false;
    }
    offset += x;
    if (offset < 0 || offset + n > descriptor_of(w, u)[2]) {
        return false;
    }
    host = mem_span(w, buffer_base(w, u) + (uint64_t)offset, n, op);
    return host && mem_adjacent(w, data, data, host, op);
}

/* The same for gfx11 and gfx12, if the range check is that of raw buffers. */
INL bool fast_rdna(AmdWave *w, const Uop *u, MemOp op, unsigned first)
{
    const uint32_t *r = descriptor_of(w, u);

    return !(r[1] & V1_SWIZZLE2) && !(r[3] & V3_ADD_TID) &&
           r[3] & V3_FORMAT && (r[3] & V3_RAW) == V3_RAW &&
           fast_raw(w, u, op, first);
}

INL bool fast_buffer(AmdWave *w, const Uop *u, MemOp op)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    const uint32_t *r = descriptor_of(w, u);

    if (unlikely(!exec)) {
        return true;
    }
    if (u->kind[0] & (MEM_IDXEN | MEM_TO_LDS | MEM_TFE) || w->mem_mode) {
        return false;
    }
    if (layout_of(u) != BUFFER_GFX9) {
        return fast_rdna(w, u, op, __builtin_ctzll(exec));
    }
    if (r[1] & V1_SWIZZLE) {
        return (r[3] & V3_SCRATCH) == V3_SCRATCH &&
               fast_rows(w, u, op, __builtin_ctzll(exec));
    }
    return !(r[3] & V3_ADD_TID) && data_format(r) != 0 &&
           fast_raw(w, u, op, __builtin_ctzll(exec));
}

/* ---- lanes anywhere ---- */

typedef struct Places {
    uint32_t index[AMD_LANES];
    uint64_t offset[AMD_LANES];
    uint64_t in[4]; /* lanes whose dword k is in range */
} Places;

static void find_places(const AmdWave *w, const Uop *u, const Buffer *b,
                        Places *p)
{
    const uint32_t *r = at(w, u->src[0]);
    const uint32_t *off = u->kind[0] & MEM_IDXEN ? r + AMD_LANES : r;
    bool wraps = layout_of(u) == BUFFER_GFX12;

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        uint64_t offset = (uint64_t)(u->kind[0] & MEM_OFFEN ? off[lane] : 0) +
                          (uint64_t)inst_offset(u);

        p->index[lane] = (u->kind[0] & MEM_IDXEN ? r[lane] : 0) +
                         (b->add_tid ? lane : 0);
        p->offset[lane] = wraps ? (uint32_t)offset : offset;
    }
}

/* Each of the @n dwords, or a datum of fewer @bytes. */
static void check_range(const Buffer *b, Places *p, unsigned n, unsigned bytes)
{
    for (unsigned k = 0; k < n; k++) {
        p->in[k] = 0;
        for (unsigned lane = 0; lane < AMD_LANES; lane++) {
            uint64_t offset = p->offset[lane] + 4 * k;
            uint64_t place = buffer_place(b, p->index[lane], offset);

            p->in[k] |= (uint64_t)buffer_contains(b, p->index[lane], offset,
                                                  place, MIN(bytes, 4))
                        << lane;
        }
    }
}

static void linear_addresses(const Buffer *b, const Places *p, unsigned k,
                             uint64_t *addr)
{
    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        addr[lane] = b->base + (uint64_t)b->stride * p->index[lane] +
                     p->offset[lane] + 4 * k;
    }
}

static void swizzled_addresses(const Buffer *b, const Places *p, unsigned k,
                               MemSwizzle *s)
{
    uint32_t is = b->index_stride;

    s->shift = b->element_shift;
    s->row = (uint64_t)is << s->shift;
    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        s->base[lane] = b->base + buffer_place(b, p->index[lane], 0);
        s->offset[lane] = p->offset[lane] + 4 * k;
    }
}

/* Do @op from dword @k on in @lanes. */
static void access_lanes(AmdWave *w, const Buffer *b, const Places *p,
                         MemLanes *m, uint64_t lanes, Vreg *dst,
                         const Vreg *data, unsigned k, unsigned op)
{
    MemSwizzle s;

    if (!lanes) {
        return;
    }
    m->lanes = lanes;
    if (b->swizzle) {
        swizzled_addresses(b, p, k, &s);
        mem_align(w, m, &s, 0, NULL, mem_ops[op]);
        LEVEL(mem_swizzled)(w, m, &s, dst, data, op);
    } else {
        linear_addresses(b, p, k, m->addr);
        mem_align(w, m, NULL, 0, NULL, mem_ops[op]);
        LEVEL(mem_lanes)[op](w, m, dst, data);
    }
}

/* Lanes some of whose dwords are in range: lane by lane. */
static void access_partly(AmdWave *w, const Buffer *b, const Places *p,
                          MemLanes *m, uint64_t lanes, Vreg *dst,
                          const Vreg *data, MemOp op)
{
    unsigned one = op.kind == MEM_LOAD ? MEM_load_b32 : MEM_store_b32;
    MemSwizzle s;

    m->lanes = lanes;
    if (b->swizzle) {
        swizzled_addresses(b, p, 0, &s);
    } else {
        linear_addresses(b, p, 0, s.base);
        for (unsigned lane = 0; lane < AMD_LANES; lane++) {
            s.offset[lane] = s.base[lane] % 4;
            s.base[lane] -= s.offset[lane];
        }
        s.row = 4;
        s.shift = 2;
    }
    mem_align(w, m, &s, 0, NULL, mem_ops[one]);
    amd_mem_partly(w, m, &s, p->in, dst, data, op);
}

/*
 * Everything but where the data really comes from or goes.  Returns the lanes
 * that were in range; with @whole, all of their dwords.
 */
static uint64_t access_buffer(AmdWave *w, const Uop *u, MemLanes *m,
                              Vreg *dst, const Vreg *data, unsigned id,
                              bool whole)
{
    MemOp op = mem_ops[id];
    unsigned n = op.bytes < 4 ? 1 : op.bytes / 4;
    uint64_t lanes = m->lanes, all = UINT64_MAX, any = 0;
    Buffer b = describe(w, u);
    Places p;

    find_places(w, u, &b, &p);
    check_range(&b, &p, n, op.bytes);
    for (unsigned k = 0; k < n; k++) {
        all &= p.in[k];
        any |= p.in[k];
    }
    if (whole) {
        any = all;
    }
    access_lanes(w, &b, &p, m, lanes & all, dst, data, 0, id);
    if (lanes & any & ~all) {
        access_partly(w, &b, &p, m, lanes & any & ~all, dst, data, op);
    }
    if (dst) {
        amd_mem_zero(dst, lanes & (~any | m->bad) & ~m->pending, op);
    }
    m->lanes = lanes;
    return any;
}

/* tfe: everything is resident. */
static void put_status(AmdWave *w, const MemLanes *m, Vreg *status)
{
    uint64_t lanes = sgpr64(w, SGPR_EXEC) & ~m->pending;

    for (int q = 0; q < SLICES; q++) {
        store32(status, q, splat32(0), lanes_of_bits(lanes >> 16 * q & 0xffff));
    }
}

const Uop *LEVEL(slow_buffer)(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    MemOp op = mem_ops[u->kind[2]];
    bool lds = u->kind[0] & MEM_TO_LDS;
    Vreg copy = {}, *data = lds ? &copy : at(w, u->dst);
    Vreg *dst = lds || u->kind[0] & MEM_RESULT ? data : NULL;
    MemLanes m;

    mem_begin(&m, sgpr64(w, SGPR_EXEC), mem_access(op));
    if (lds && op.kind == MEM_STORE) {
        amd_mem_lds(w, &m, data, inst_offset(u), ENGINE_READ);
        m.lanes &= ~m.bad;
        dst = NULL;
    }
    access_buffer(w, u, &m, dst, data, u->kind[2], op.kind == MEM_ATOMIC);
    if (lds && op.kind == MEM_LOAD) {
        amd_mem_lds(w, &m, data, inst_offset(u), ENGINE_WRITE);
    }
    if (u->kind[0] & MEM_TFE && op.kind == MEM_LOAD) {
        put_status(w, &m, data + MAX(op.bytes / 4, 1));
    }
    if (unlikely(m.bad | m.pending)) {
        return amd_mem_end(w, u, &m);
    }
    return u + u->len;
}

/* ---- formats ---- */

static BufferFormat format_of(const AmdWave *w, const Uop *u)
{
    MemOp op = mem_ops[u->kind[2]];
    Buffer b = describe(w, u);
    BufferFormat f = {
        .dfmt = b.dfmt, .nfmt = b.nfmt, .comps = op.comps, .half = op.half,
    };

    memcpy(f.sel, b.sel, sizeof(f.sel));
    if (u->kind[0] & MEM_TYPED) {
        f.dfmt = u->mods >> BUF_DFMT & 0xf;
        f.nfmt = u->mods >> BUF_NFMT & 7;
        memcpy(f.sel, (uint8_t[4]){ 4, 5, 6, 7 }, sizeof(f.sel));
    }
    return f;
}

/* The operation that moves elements of @bytes. */
static unsigned element_op(unsigned bytes, unsigned kind)
{
    static const uint8_t load[17] = {
        [1] = MEM_load_u8, [2] = MEM_load_u16, [4] = MEM_load_b32,
        [8] = MEM_load_b64, [12] = MEM_load_b96, [16] = MEM_load_b128,
    };
    static const uint8_t store[17] = {
        [1] = MEM_store_b8, [2] = MEM_store_b16, [4] = MEM_store_b32,
        [8] = MEM_store_b64, [12] = MEM_store_b96, [16] = MEM_store_b128,
    };

    return kind == MEM_LOAD ? load[bytes] : store[bytes];
}

/* Dwords that the components of an instruction take. */
static unsigned data_words(const BufferFormat *f)
{
    return f->half == HALF_NONE ? f->comps : (f->comps + 1) / 2;
}

static void load_format(AmdWave *w, const Uop *u, MemLanes *m, Vreg *dst,
                        const BufferFormat *f)
{
    unsigned bytes = amd_format_bytes(f->dfmt);
    Vreg raw[4] = {};
    uint64_t valid = 0;

    if (bytes) {
        valid = access_buffer(w, u, m, raw, raw, element_op(bytes, MEM_LOAD),
                              true);
    }
    amd_format_load(f, dst, raw, m->lanes & ~m->pending, valid & ~m->bad);
}

static void store_format(AmdWave *w, const Uop *u, MemLanes *m,
                         const Vreg *data, const BufferFormat *f)
{
    unsigned bytes = amd_format_bytes(f->dfmt);
    Vreg raw[4] = {};

    if (bytes) {
        amd_format_store(f, data, raw, m->lanes);
        access_buffer(w, u, m, NULL, raw, element_op(bytes, MEM_STORE), true);
    }
}

const Uop *LEVEL(slow_format)(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    MemOp op = mem_ops[u->kind[2]];
    BufferFormat f = format_of(w, u);
    Vreg copy = {}, *data = u->kind[0] & MEM_TO_LDS ? &copy : at(w, u->dst);
    MemLanes m;

    mem_begin(&m, sgpr64(w, SGPR_EXEC), mem_access(op));
    if (op.kind == MEM_LOAD) {
        load_format(w, u, &m, data, &f);
    } else {
        store_format(w, u, &m, data, &f);
    }
    if (u->kind[0] & MEM_TO_LDS) {
        amd_mem_lds(w, &m, data, inst_offset(u), ENGINE_WRITE);
    }
    if (u->kind[0] & MEM_TFE && op.kind == MEM_LOAD) {
        put_status(w, &m, data + data_words(&f));
    }
    if (unlikely(m.bad | m.pending)) {
        return amd_mem_end(w, u, &m);
    }
    return u + u->len;
}

/* ---- handlers ---- */

#undef NOSEM
#define NOSEM MEM_none
#define MB(name, D, flags, ...)                                               \
    CALLED(name)                                                              \
    {                                                                         \
        MemOp op = mem_ops[__VA_ARGS__];                                      \
                                                                              \
        if (op.comps) {                                                       \
            return LEVEL(slow_format)(wave, u);                               \
        }                                                                     \
        if (op.kind == MEM_NOTHING ||                                         \
            (op.kind != MEM_ATOMIC &&                                         \
             likely(fast_buffer(amd(wave), u, op)))) {                        \
            return u + u->len;                                                \
        }                                                                     \
        return LEVEL(slow_buffer)(wave, u);                                   \
    }
#include "../rows/buffer.inc"
