/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow half of the vector memory path.
 */
#include "isa.h"
#include "mem-lanes.h"
#include "trap.h"

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

/* The size of the instruction itself: Uop.len may count hints, too. */
static unsigned own_dwords(const AmdWave *w, const Uop *u)
{
    const CodePage *page = w->w.page;
    unsigned slot = (unsigned)(u - page->uops);
    AmdInst inst;

    if (slot >= page->words || /* a copy of it elsewhere */
        !amd_isa_decode(w->isa, wave_width(w))(
            &page->bytes[slot], MIN(page->words - slot, 4), &inst)) {
        return u->len;
    }
    return inst.size / 4;
}

const Uop *amd_mem_violation(AmdWave *w, const Uop *u, TesseraFaultCause cause,
                             EngineAccess access, uint64_t va, uint64_t lanes)
{
    w->trapsts |= TRAPSTS_MEM_VIOL; /* FL15 */
    if (w->mode & MODE_EXCP_MEM_VIOL && amd_traps(w)) {
        return amd_trap_enter(w, u, 0, own_dwords(w, u));
    }
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

uint8_t *amd_mem_span(AmdWave *w, uint64_t va, unsigned n,
                      EngineAccess access)
{
    TesseraFaultCause cause;
    uint8_t *first = mem_ptr(&w->w, va, access, &cause), *last;

    if (!first || mem_room(va) >= n) {
        return first;
    }
    last = mem_ptr(&w->w, va + n - 1, access, &cause);
    /* Looking for the last page may have led to a report of the first one. */
    return last == first + n - 1 && mem_hit(&w->w, va, access) ? first : NULL;
}

/* Move one lane's bytes; false if it is bad or has to wait. */
static bool move_lane(AmdWave *w, MemLanes *m, unsigned lane,
                      const MemSpan *span, unsigned count, uint8_t *bytes)
{
    bool ask = w->w.park.active && w->rest.narrow;
    uint64_t bad = span->va;
    TesseraFaultCause cause = mem_move(&w->w, span, count, bytes, m->access,
                                       ask, &bad);

    m->len = 0; /* it may have been reported, and be no longer at hand */
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        m->pending |= 1ull << lane;
    } else if (cause != TESSERA_FAULT_NONE) {
        amd_mem_bad(w, m, lane, bad, cause);
    }
    return cause == TESSERA_FAULT_NONE;
}

static bool is_fault(TesseraFaultCause cause)
{
    return cause != (TesseraFaultCause)ENGINE_WAIT &&
           cause != (TesseraFaultCause)ENGINE_DEVICE;
}

/*
 * One lane's bytes in a page that is not at hand.  NULL if they are bad, or
 * elsewhere than in one page of memory, which *@elsewhere tells.
 */
static uint8_t *find_page(AmdWave *w, MemLanes *m, unsigned lane, unsigned n,
                          bool *elsewhere)
{
    uint64_t va = m->addr[lane];
    TesseraFaultCause cause = TESSERA_FAULT_LDS_BOUNDS;

    *elsewhere = !m->lds && mem_room(va) < n;
    if (*elsewhere) {
        return NULL;
    }
    if (!m->lds && turn(w, m, va, &cause)) {
        return m->host + va % ENGINE_PAGE;
    }
    *elsewhere = !is_fault(cause);
    if (!*elsewhere) {
        amd_mem_bad(w, m, lane, va, cause);
    }
    return NULL;
}

const uint8_t *amd_mem_read(AmdWave *w, MemLanes *m, unsigned lane,
                            unsigned n)
{
    MemSpan span = { m->addr[lane], n };
    bool elsewhere;
    const uint8_t *p = find_page(w, m, lane, n, &elsewhere);

    if (p) {
        return p;
    }
    if (elsewhere && move_lane(w, m, lane, &span, 1, m->bounce)) {
        return m->bounce;
    }
    return m->pending >> lane & 1 ? NULL : zeroes;
}

uint8_t *amd_mem_write(AmdWave *w, MemLanes *m, unsigned lane, unsigned n)
{
    bool elsewhere;
    uint8_t *p = find_page(w, m, lane, n, &elsewhere);

    return elsewhere ? m->bounce : p;
}

void amd_mem_flush(AmdWave *w, MemLanes *m, unsigned lane, unsigned n)
{
    MemSpan span = { m->addr[lane], n };

    move_lane(w, m, lane, &span, 1, m->bounce);
}

uint8_t *amd_mem_atomic(AmdWave *w, MemLanes *m, unsigned lane, unsigned n)
{
    uint64_t va = m->addr[lane];
    TesseraFaultCause cause = TESSERA_FAULT_LDS_BOUNDS;

    if (!m->lds && turn(w, m, va, &cause)) {
        return m->host + va % ENGINE_PAGE;
    }
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        if (w->w.park.active && w->rest.narrow) {
            wave_want_page(&w->w, va, m->access);
        }
        m->pending |= 1ull << lane;
        return NULL;
    }
    amd_mem_bad(w, m, lane, va, is_fault(cause) ? cause
                                                : TESSERA_FAULT_DEVICE_ATOMIC);
    return NULL;
}

/* ---- the end of an instruction ---- */

static void add_bad(AmdWave *w, const MemLanes *m)
{
    if (!m->bad) {
        return;
    }
    if (!w->rest.bad ||
        __builtin_ctzll(m->bad) < __builtin_ctzll(w->rest.bad)) {
        w->rest.cause = m->cause;
        w->rest.access = m->access;
        w->rest.bad_addr = m->bad_addr;
    }
    w->rest.bad |= m->bad;
}

const Uop *amd_mem_end(AmdWave *w, const Uop *u, const MemLanes *m)
{
    if (w->w.park.active) {
        add_bad(w, m);
        w->rest.pending = m->pending;
        return m->pending ? wave_park(&w->w, u) : u + u->len;
    }
    if (!m->pending) {
        return amd_mem_violation(w, u, m->cause, m->access, m->bad_addr,
                                 m->bad);
    }
    w->rest.lanes = m->pending;
    w->rest.narrow = true;
    w->rest.bad = 0;
    add_bad(w, m);
    return wave_park(&w->w, u);
}

const Uop *amd_mem_through(AmdWave *w, const Uop *u, const Uop *next)
{
    wave_unpark(&w->w);
    if (w->rest.bad) {
        return amd_mem_violation(w, u, w->rest.cause, w->rest.access,
                                 w->rest.bad_addr, w->rest.bad);
    }
    return next;
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

    uint64_t left = m->lanes & ~m->bad & ~m->pending;

    for (; left; left &= left - 1) {
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
    return mem_swizzle(s, lane, s->offset[lane] + i);
}

void amd_mem_align(AmdWave *w, MemLanes *m, MemSwizzle *s, uint64_t aperture,
                   Vreg *dst, MemOp op)
{
    uint64_t *addr = s ? s->offset : m->addr, odd = 0;
    unsigned n = mem_alignment(w, s ? MIN(op.bytes, 4) : op.bytes);

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

/* The bytes [@from, @from + @n) of a lane's access; returns the spans. */
static unsigned spans_of(const MemSwizzle *s, unsigned lane, unsigned from,
                         unsigned n, MemSpan *span)
{
    unsigned count = 0;

    for (unsigned i = 0; i < n; i++) {
        uint64_t va = byte_address(s, lane, from + i);

        if (i && va == span[count - 1].va + span[count - 1].len) {
            span[count - 1].len++;
        } else {
            span[count++] = (MemSpan){ va, 1 };
        }
    }
    return count;
}

uint64_t amd_mem_probe(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                       unsigned n, uint64_t *odd)
{
    uint64_t good = m->lanes;
    bool elsewhere;

    *odd = 0;
    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);

        for (unsigned k = 0; k < n; k++) {
            m->addr[lane] = byte_address(s, lane, 4 * k);
            if (!mem_at_hand(m, m->addr[lane], 4) &&
                !find_page(w, m, lane, 4, &elsewhere)) {
                *odd |= (uint64_t)elsewhere << lane;
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
        unsigned lane = __builtin_ctzll(left), count;
        uint8_t bytes[16] = { 0 };
        MemSpan span[16];
        bool ok;

        if (op.kind == MEM_STORE) {
            get_bytes(data, lane, op, bytes);
        }
        count = spans_of(s, lane, 0, op.bytes, span);
        ok = move_lane(w, m, lane, span, count, bytes);
        if (op.kind == MEM_LOAD && !(m->pending >> lane & 1)) {
            put_bytes(dst, lane, op, ok ? bytes : zeroes);
        }
    }
}

void amd_mem_partly(AmdWave *w, MemLanes *m, const MemSwizzle *s,
                    const uint64_t *in, Vreg *dst, const Vreg *data, MemOp op)
{
    for (uint64_t left = m->lanes; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left), count = 0, n = 0;
        uint32_t words[4] = { 0 };
        MemSpan span[16];
        bool ok;

        for (unsigned k = 0; k < op.bytes / 4u; k++) {
            if (in[k] >> lane & 1) {
                count += spans_of(s, lane, 4 * k, 4, &span[count]);
                words[n++] = ((const uint32_t *)&data[k])[lane];
            }
        }
        ok = move_lane(w, m, lane, span, count, (uint8_t *)words);
        if (op.kind != MEM_LOAD || m->pending >> lane & 1) {
            continue;
        }
        n = 0;
        for (unsigned k = 0; k < op.bytes / 4u; k++) {
            ((uint32_t *)&dst[k])[lane] = ok && in[k] >> lane & 1 ? words[n++]
                                                                  : 0;
        }
    }
}
