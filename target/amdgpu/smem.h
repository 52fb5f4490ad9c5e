/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar memory: addresses, and what is not the usual case.
 *
 * Micro-operations of SMEM: src[0] is the place of the base (a pair, or the
 * four of a V#), src[1] that of the offset register (of a zero if there is
 * none), src[2] the immediate; dst is the place of the data, kind[0] its
 * dwords, kind[1] what its address is rounded down to, mods some of SmemFlags.
 */
#ifndef AMDGPU_SMEM_H
#define AMDGPU_SMEM_H

#include "../engine/mem.h"
#include "buffer.h"
#include "rows.h"
#include "exec/operand.h"

enum SmemFlags {
    SMEM_SOFFSET = 1 << 0, /* there is an offset register */
    SMEM_SCRATCH = 1 << 1, /* which counts 64 bytes (rule SM5) */
    SMEM_BUFFER = 1 << 2,
    SMEM_STORE = 1 << 3,   /* or an atomic */
    SMEM_GLC = 1 << 4,     /* an atomic returns the old value */
    SMEM_SIGNED = 1 << 5,  /* a byte or a short is sign-extended */
    SMEM_SCALED = 1 << 6,  /* the V# scales its stride (gfx12) */
};

/*
 * The byte offset from the base: immediate and register (rules SM4 to SM6;
 * the immediate's low bits are gone already).  The register's are ignored
 * below @unit.
 */
INL int64_t smem_offset(const AmdWave *w, const Uop *u, bool scratch,
                        unsigned unit)
{
    uint64_t reg = *(const uint32_t *)at(w, u->src[1]);

    reg = scratch ? reg * 64 : reg & -unit;
    return (int32_t)u->src[2] + (int64_t)reg;
}

/* The base address: that of a V# has 48 bits (rule SM10). */
INL uint64_t smem_base(const AmdWave *w, const Uop *u, bool buffer,
                       unsigned unit)
{
    uint64_t base;

    memcpy(&base, at(w, u->src[0]), 8);
    return base & (buffer ? 0xffffffffffff : ~0ull) & -(uint64_t)unit;
}

/*
 * Bytes of a buffer (gfx-facts section 1): NUM_RECORDS counts bytes if the
 * stride is 0, else strides.
 */
INL uint64_t smem_limit(const AmdWave *w, const Uop *u)
{
    const uint32_t *v = at(w, u->src[0]);
    uint32_t stride = v[1] >> 16 & 0x3fff;

    if (u->mods & SMEM_SCALED) {
        stride *= amd_stride_scale(v[3]);
    }
    return stride ? (uint64_t)stride * v[2] : v[2];
}

/* Host address of @n bytes if that is all in range and at hand, or NULL. */
INL uint8_t *smem_hit(const AmdWave *w, const Uop *u, unsigned n,
                      unsigned flags)
{
    unsigned unit = MIN(n, 4);
    int64_t offset = smem_offset(w, u, flags & INSN_SCRATCH, unit);
    uint64_t va = smem_base(w, u, flags & INSN_BUFFER, unit) +
                  (uint64_t)offset;

    if (unlikely(offset < 0 || mem_room(va) < n)) {
        return NULL;
    }
    if (flags & INSN_BUFFER && (uint64_t)offset + n > smem_limit(w, u)) {
        return NULL;
    }
    return mem_hit(&w->w, va,
                   flags & INSN_STORE ? ENGINE_WRITE : ENGINE_READ);
}

/* Data were written to SGPRs: VCC may be among them, EXEC never (rule SM8). */
INL void smem_loaded(AmdWave *w, const Uop *u)
{
    if (u->dst >= offsetof(AmdWave, s[SGPR_VCC])) {
        vcc_changed(w);
    }
}

/* A load or store, whatever its address: a handler. */
UopFn amd_smem_any;

/*
 * Host address for an atomic of @bytes (4 or 8), or NULL if there is nothing
 * to operate on: out of the buffer's range, or a violation.  *@next is where
 * the wave goes on, NULL if it does not.
 */
void *amd_smem_atomic(AmdWave *w, const Uop *u, unsigned bytes,
                      const Uop **next);

#endif
