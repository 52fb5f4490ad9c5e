/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the lanes of a memory instruction go, and what became of them.
 *
 * The slow half of the vector memory path: page crossings, faults.  What is
 * here is compiled once for all host levels.
 */
#ifndef AMDGPU_MEM_LANES_H
#define AMDGPU_MEM_LANES_H

#include "../engine/mem.h"
#include "mem-ops.h"
#include "wave.h"

#define AMD_LANES 64

/*
 * Micro-operations of FLAT, GLOBAL and SCRATCH: src[0] is the address VGPR,
 * src[1] the data VGPR, src[2] the address SGPR or the place of a zero, mods
 * the signed offset, kind[0] a FlatForm, kind[1] a MemOpId, kind[2] some of
 * MemFlags.
 */
typedef enum FlatForm {
    ADDR_VGPR, /* FLAT, GLOBAL: a pair; SCRATCH: one, and the SGPR */
    ADDR_SGPR, /* GLOBAL: a pair, to which a VGPR is added; SCRATCH: one */
    ADDR_LANE, /* GLOBAL: a pair, to which four times the lane is added */
} FlatForm;

enum MemFlags {
    MEM_RESULT = 1 << 0, /* dst is a VGPR that is written */
    MEM_TO_LDS = 1 << 1, /* data goes to LDS or comes from it, not dst */
    MEM_OFFEN = 1 << 2,  /* BUF: a VGPR holds the offset */
    MEM_IDXEN = 1 << 3,  /* BUF: a VGPR holds the index */
    MEM_TFE = 1 << 4,    /* BUF: a status dword follows the data */
    MEM_TYPED = 1 << 5,  /* MTBUF: the instruction has the format */
    MEM_LAYOUT = 6,      /* BUF: 2 bits, the descriptor's BufferLayout */
    MEM_SIGNED = 1 << 6, /* SCRATCH: registers of an address are signed */
};

/*
 * Micro-operations of MUBUF and MTBUF: src[0] is the address VGPR, src[1] the
 * scalar offset as kind[1] says, src[2] the descriptor's SGPRs, dst the data,
 * kind[0] some of MemFlags, kind[2] a MemOpId, mods as follows.
 */
enum {
    BUF_OFFSET = 0, /* 24 bits, signed */
    BUF_DFMT = 24,  /* 4; MTBUF: its format, in gfx9's terms */
    BUF_NFMT = 28,  /* 3 */
};

/*
 * Micro-operations of DS: see exec/lds.h; kind[0] is the size of an element
 * that the alignment mode looks at or 0, kind[1] some of these.
 */
enum {
    DS_TWO = 1 << 0,   /* mods has two offsets */
    DS_LOADS = 1 << 1, /* and does nothing else */
};

typedef struct MemLanes {
    uint64_t addr[AMD_LANES] __attribute__((aligned(64)));
    uint64_t lanes; /* that access memory; addr[] of others is not used */

    /* The bytes at hand: one page of memory, or the whole LDS. */
    uint64_t start, len;
    uint8_t *host; /* of @start */
    bool lds;
    EngineAccess access;

    /* What went wrong: of the lowest lane, cause and address. */
    uint64_t bad;
    TesseraFaultCause cause;
    uint64_t bad_addr;

    /* Lanes that have to wait: nothing has been done in them. */
    uint64_t pending;

    /* A lane's bytes that lie in two pages, or not in memory. */
    uint8_t bounce[16];
} MemLanes;

/* Start an access of @lanes to memory. */
INL void mem_begin(MemLanes *m, uint64_t lanes, EngineAccess access)
{
    m->lanes = lanes;
    m->start = m->len = 0;
    m->host = NULL;
    m->lds = false;
    m->access = access;
    m->bad = m->pending = 0;
}

/* The lanes' addresses are offsets in the work-group's LDS. */
INL void mem_use_lds(MemLanes *m, const AmdWave *w)
{
    m->start = 0;
    m->len = w->w.group->lds_size;
    m->host = w->w.group->lds;
    m->lds = true;
}

/* They are addresses again. */
INL void mem_use_memory(MemLanes *m)
{
    m->len = 0;
    m->lds = false;
}

/* Are the @n bytes from @va at hand? */
INL bool mem_at_hand(const MemLanes *m, uint64_t va, unsigned n)
{
    uint64_t at = va - m->start;

    return at < m->len && m->len - at >= n;
}

/* Have the page at hand that the @n bytes from @va lie in; false if none. */
bool amd_mem_turn(AmdWave *w, MemLanes *m, uint64_t va, unsigned n);

/*
 * Host address of the @n bytes at @va, a page at most, which may lie in two
 * pages if the host has them in one piece; or NULL.  Nothing has been asked.
 */
uint8_t *amd_mem_span(AmdWave *w, uint64_t va, unsigned n,
                      EngineAccess access);

/* A lane cannot be served: its address @va is bad. */
void amd_mem_bad(const AmdWave *w, MemLanes *m, unsigned lane, uint64_t va,
                 TesseraFaultCause cause);

/*
 * One lane's @n bytes, 16 at most, that are not at hand: their host address, or
 * @m->bounce for those that are not in one page of memory.  For a bad address,
 * which is recorded, there are zeroes to read and NULL to write.  If the lane
 * has to wait, which is recorded too, there is NULL to read.
 */
const uint8_t *amd_mem_read(AmdWave *w, MemLanes *m, unsigned lane,
                            unsigned n);
uint8_t *amd_mem_write(AmdWave *w, MemLanes *m, unsigned lane, unsigned n);

/* What was written to @m->bounce goes where it belongs. */
void amd_mem_flush(AmdWave *w, MemLanes *m, unsigned lane, unsigned n);

/* The same for an aligned atomic: NULL if bad or if the lane has to wait. */
uint8_t *amd_mem_atomic(AmdWave *w, MemLanes *m, unsigned lane, unsigned n);

/* An operation whose address is not aligned to its @n bytes: a bad lane. */
bool amd_mem_misaligned(const AmdWave *w, MemLanes *m, unsigned lane,
                        unsigned n);

/*
 * Where an aperture begins, from its base in VM_SH_MEM_BASES.  With 32-bit
 * addresses the base has their upper half.
 */
INL uint64_t mem_aperture(const AmdWave *w, uint16_t base)
{
    return (uint64_t)base << (w->mem_mode & MEM_PTR32 ? 16 : 48);
}

/* Lanes that read nothing get 0 in what the operation writes. */
void amd_mem_zero(Vreg *dst, uint64_t lanes, MemOp op);

/*
 * Accesses that run over the elements of a swizzled buffer, byte by byte: with
 * elements of e = 1 << shift bytes, 4 and more, lane l's byte o is at
 * base[l] + o / e * row + o % e.  Loads and stores only.
 */
typedef struct MemSwizzle {
    uint64_t base[AMD_LANES];
    uint64_t offset[AMD_LANES]; /* first byte */
    uint64_t row;
    unsigned shift;
} MemSwizzle;

/* Where byte @o of @lane is. */
INL uint64_t mem_swizzle(const MemSwizzle *s, unsigned lane, uint64_t o)
{
    return s->base[lane] + (o >> s->shift) * s->row +
           (o & ((1u << s->shift) - 1));
}

/*
 * Obey the alignment mode (FL13), unless it is that of HSA: drop low bits of
 * the addresses of @m, or of the offsets of @s if that is not NULL; or take
 * misaligned lanes from @m and report them, at @aperture and their offset if
 * that is not 0.  Atomics are checked elsewhere, in any mode.
 */
void amd_mem_align(AmdWave *w, MemLanes *m, MemSwizzle *s, uint64_t aperture,
                   Vreg *dst, MemOp op);

/* What the mode wants @n bytes to be aligned to; three dwords are dwords. */
INL unsigned mem_alignment(const AmdWave *w, unsigned n)
{
    n &= -n;
    return w->mem_mode & MEM_ALIGN_STRICT ? n : MIN(n, 4);
}

INL void mem_align(AmdWave *w, MemLanes *m, MemSwizzle *s, uint64_t aperture,
                   Vreg *dst, MemOp op)
{
    if (unlikely(w->mem_mode & MEM_ALIGN)) {
        amd_mem_align(w, m, s, aperture, dst, op);
    }
}

/*
 * Those lanes of @m all of whose @n dwords are in memory.  Others are bad, or
 * in *@odd: for amd_mem_split(), which does a lane's access as a whole.
 */
uint64_t amd_mem_probe(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                       unsigned n, uint64_t *odd);

/*
 * Lanes of @m some of whose dwords are out of a buffer's range: @in[k] are
 * those lanes whose dword k is not.  0 is read there and nothing written.
 */
void amd_mem_partly(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                    const uint64_t *in, Vreg *dst, const Vreg *data, MemOp op);

void amd_mem_split(AmdWave *w, MemLanes *m, const MemSwizzle *s, Vreg *dst,
                   const Vreg *data, MemOp op);

/*
 * Dwords of @r go to LDS at M0 + @offset + lane * 4, or come from there.  Lanes
 * that are bad already or have to wait are passed over.
 */
void amd_mem_lds(AmdWave *w, MemLanes *m, Vreg *r, uint32_t offset,
                 EngineAccess access);

/*
 * A memory violation at @u, which has otherwise been executed (FL15).  Returns
 * where the wave goes on, or NULL if it has been ended.
 */
const Uop *amd_mem_violation(AmdWave *w, const Uop *u, TesseraFaultCause cause,
                             EngineAccess access, uint64_t va,
                             uint64_t lanes);

/*
 * The end of an instruction some of whose lanes were bad or have to wait; for
 * the latter it is executed again.
 */
const Uop *amd_mem_end(AmdWave *w, const Uop *u, const MemLanes *m);

/* The last of them is through. */
const Uop *amd_mem_through(AmdWave *w, const Uop *u, const Uop *next);

#endif
