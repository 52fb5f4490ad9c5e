/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow half of the vector memory path.
 */
#include "mem-lanes.h"

enum { TRAPSTS_MEM_VIOL = 1 << 8 };

static const uint8_t zeroes[16];

static bool in_aperture(const AmdWave *w, uint64_t va, uint16_t base)
{
    uint64_t size = w->mem_mode & MEM_PTR32 ? 1ull << 16 : 1ull << 32;

    return va - mem_aperture(w, base) < size;
}

void amd_mem_bad(const AmdWave *w, MemLanes *m, unsigned lane, uint64_t va,
                 TesseraFaultCause cause)
{
    const TesseraLaunch *l = w->launch;

    if (!m->bad || lane < (unsigned)__builtin_ctzll(m->bad)) {
        if (m->lds) {
            va |= mem_aperture(w, l->shared_base_hi);
        } else if (cause == TESSERA_FAULT_UNMAPPED &&
                   (in_aperture(w, va, l->shared_base_hi) ||
                    in_aperture(w, va, l->private_base_hi))) {
            cause = TESSERA_FAULT_APERTURE; /* FL11: it must not be there */
        }
        m->cause = cause;
        m->bad_addr = va;
    }
    m->bad |= 1ull << lane;
}

const Uop *amd_mem_violation(AmdWave *w, const Uop *u, TesseraFaultCause cause,
                             EngineAccess access, uint64_t va, uint64_t lanes)
{
    w->trapsts |= TRAPSTS_MEM_VIOL; /* FL15 */
    if (w->mem_continue && !(w->mode & MODE_EXCP_MEM_VIOL)) {
        return u + u->len;
    }
    return wave_fault(&w->w, u, cause, access, va, lanes);
}

static bool turn(AmdWave *w, MemLanes *m, uint64_t va,
                 TesseraFaultCause *cause)
{
    uint8_t *host = mem_ptr(&w->w, va, m->access, cause);

    if (!host) {
        return false;
    }
    m->start = va & -(uint64_t)ENGINE_PAGE;
    m->len = ENGINE_PAGE;
    m->host = host - va % ENGINE_PAGE;
    return true;
}

bool amd_mem_turn(AmdWave *w, MemLanes *m, uint64_t va, unsigned n)
{
    TesseraFaultCause cause;

    return !m->lds && mem_room(va) >= n && turn(w, m, va, &cause);
}

/*
 * Find both pages of @n bytes.  Looking for the second may report what was
 * written, and with it forget that the first is written to: hence twice.
 */
static bool find_parts(AmdWave *w, MemLanes *m, unsigned lane, unsigned n)
{
    uint64_t va[3] = { m->addr[lane] };
    TesseraFaultCause cause = TESSERA_FAULT_NONE;

    m->split = mem_room(va[0]);
    va[1] = va[0] + m->split;
    va[2] = va[0];
    for (int i = 0; i < 3; i++) {
        m->part[i & 1] = mem_ptr(&w->w, va[i], m->access, &cause);
        if (!m->part[i & 1]) {
            amd_mem_bad(w, m, lane, va[i], cause);
            return false;
        }
    }
    return true;
}

/* One lane's bytes in a page that is not at hand; NULL if in none or two. */
static uint8_t *find_page(AmdWave *w, MemLanes *m, unsigned lane, unsigned n)
{
    uint64_t va = m->addr[lane];
    TesseraFaultCause cause = TESSERA_FAULT_NONE;

    if (m->lds) {
        amd_mem_bad(w, m, lane, va, TESSERA_FAULT_LDS_BOUNDS);
        return NULL;
    }
    if (mem_room(va) < n) {
        m->len = 0; /* see find_parts() */
        return find_parts(w, m, lane, n) ? m->bounce : NULL;
    }
    if (!turn(w, m, va, &cause)) {
        amd_mem_bad(w, m, lane, va, cause);
        return NULL;
    }
    return m->host + va % ENGINE_PAGE;
}

const uint8_t *amd_mem_read(AmdWave *w, MemLanes *m, unsigned lane,
                            unsigned n)
{
    const uint8_t *p = find_page(w, m, lane, n);

    if (!p) {
        return zeroes;
    }
    if (p == m->bounce) {
        memcpy(m->bounce, m->part[0], m->split);
        memcpy(m->bounce + m->split, m->part[1], n - m->split);
    }
    return p;
}

uint8_t *amd_mem_write(AmdWave *w, MemLanes *m, unsigned lane, unsigned n)
{
    return find_page(w, m, lane, n);
}

void amd_mem_flush(const MemLanes *m, unsigned n)
{
    memcpy(m->part[0], m->bounce, m->split);
    memcpy(m->part[1], m->bounce + m->split, n - m->split);
}

bool amd_mem_misaligned(const AmdWave *w, MemLanes *m, unsigned lane,
                        unsigned n)
{
    if (m->addr[lane] % n) {
        amd_mem_bad(w, m, lane, m->addr[lane], TESSERA_FAULT_MISALIGNED);
        return true;
    }
    return false;
}

/* ---- one lane's registers as bytes ---- */

/* What a load writes of its register, and the shift to there. */
static uint32_t half_mask(MemOp op)
{
    return op.half == HALF_NONE ? 0xffffffff
                                : 0xffffu << (op.half == HALF_HIGH ? 16 : 0);
}

static void put_bytes(Vreg *dst, unsigned lane, MemOp op, const uint8_t *p)
{
    uint32_t *r = (uint32_t *)dst + lane, mask = half_mask(op), x = 0;

    if (op.bytes >= 4) {
        for (int k = 0; k < op.bytes / 4; k++) {
            memcpy(&r[k * AMD_LANES], p + k * 4, 4);
        }
        return;
    }
    memcpy(&x, p, op.bytes);
    if (op.sext) {
        unsigned shift = 32 - 8 * op.bytes;

        x = (uint32_t)((int32_t)(x << shift) >> shift);
    }
    x <<= op.half == HALF_HIGH ? 16 : 0;
    *r = (*r & ~mask) | (x & mask);
}

static void get_bytes(const Vreg *data, unsigned lane, MemOp op, uint8_t *p)
{
    const uint32_t *r = (const uint32_t *)data + lane;

    if (op.bytes >= 4) {
        for (int k = 0; k < op.bytes / 4; k++) {
            memcpy(p + k * 4, &r[k * AMD_LANES], 4);
        }
    } else {
        uint32_t x = *r >> (op.half == HALF_HIGH ? 16 : 0);

        memcpy(p, &x, op.bytes);
    }
}

void amd_mem_zero(Vreg *dst, uint64_t lanes, MemOp op)
{
    for (; lanes; lanes &= lanes - 1) {
        put_bytes(dst, __builtin_ctzll(lanes), op, zeroes);
    }
}

void amd_mem_lds(AmdWave *w, MemLanes *m, Vreg *r, uint32_t offset,
                 EngineAccess access)
{
    uint32_t at = (w->s[SGPR_M0] & 0xffff) + offset;
    const EngineGroup *group = w->w.group;

    for (uint64_t left = m->lanes & ~m->bad; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);
        uint32_t *reg = (uint32_t *)r + lane;
        uint64_t lds = at + lane * 4;

        if (lds + 4 > group->lds_size) {
            amd_mem_bad(w, m, lane,
                        lds | mem_aperture(w, w->launch->shared_base_hi),
                        TESSERA_FAULT_LDS_BOUNDS);
        } else if (access == ENGINE_WRITE) {
            memcpy(group->lds + lds, reg, 4);
        } else {
            memcpy(reg, group->lds + lds, 4);
        }
    }
}

/* ---- swizzled and misaligned ---- */

static uint64_t byte_address(const MemSwizzle *s, unsigned lane, unsigned i)
{
    uint64_t o = s->offset[lane] + i;

    return s->base[lane] + o / 4 * s->row + o % 4;
}

/* What an address must be a multiple of; three dwords are dwords. */
static unsigned alignment(const AmdWave *w, MemOp op, bool swizzled)
{
    unsigned n = op.bytes & -op.bytes;

    return w->mem_mode & MEM_ALIGN_STRICT && !swizzled ? n : MIN(n, 4);
}

void amd_mem_align(AmdWave *w, MemLanes *m, MemSwizzle *s, uint64_t aperture,
                   Vreg *dst, MemOp op)
{
    uint64_t *addr = s ? s->offset : m->addr, odd = 0;
    unsigned n = alignment(w, op, s);

    if (op.kind == MEM_ATOMIC) {
        return;
    }
    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);

        if (w->mem_mode & MEM_ALIGN_DWORD) {
            addr[lane] &= -(uint64_t)n;
        } else if (addr[lane] % n) {
            odd |= 1ull << lane;
            amd_mem_bad(w, m, lane,
                        !s ? addr[lane] :
                        aperture ? aperture | (uint32_t)addr[lane] :
                                   byte_address(s, lane, 0),
                        TESSERA_FAULT_MISALIGNED);
        }
    }
    m->lanes &= ~odd;
    if (dst) {
        amd_mem_zero(dst, odd, op);
    }
}

/* Find the host address of each byte; false if one is bad. */
static bool find_bytes(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                       unsigned lane, unsigned n, uint8_t **host)
{
    for (unsigned i = 0; i < n; i++) {
        m->addr[lane] = byte_address(s, lane, i);
        host[i] = find_page(w, m, lane, 1);
        if (!host[i]) {
            return false;
        }
    }
    return true;
}

uint64_t amd_mem_probe(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                       unsigned n)
{
    uint64_t good = m->lanes;

    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);

        for (unsigned k = 0; k < n; k++) {
            m->addr[lane] = byte_address(s, lane, 4 * k);
            if (!mem_at_hand(m, m->addr[lane], 4) &&
                !find_page(w, m, lane, 4)) {
                good &= ~(1ull << lane);
                break;
            }
        }
    }
    return good;
}

void amd_mem_split(AmdWave *w, MemLanes *m, const MemSwizzle *s, Vreg *dst,
                   const Vreg *data, MemOp op)
{
    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);
        uint8_t bytes[16] = { 0 }, *host[16];
        /* Twice, for the reason given at find_parts(). */
        bool ok = find_bytes(w, m, s, lane, op.bytes, host) &&
                  find_bytes(w, m, s, lane, op.bytes, host);

        if (op.kind == MEM_STORE && ok) {
            get_bytes(data, lane, op, bytes);
            for (int i = 0; i < op.bytes; i++) {
                *host[i] = bytes[i];
            }
        } else if (op.kind == MEM_LOAD) {
            for (int i = 0; ok && i < op.bytes; i++) {
                bytes[i] = *host[i];
            }
            put_bytes(dst, lane, op, bytes);
        }
    }
}
