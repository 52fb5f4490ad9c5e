/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar memory, the slow half: page crossings, partly out of range, faults.
 */
#include "mem-lanes.h"
#include "smem.h"

#define SMEM_DWORDS_MAX 16

typedef struct Place {
    uint64_t va;
    unsigned bytes; /* that are in range; the first ones */
} Place;

/*
 * Where an access of @bytes lies.  A negative immediate must not make the sum
 * with the register negative (rule SM7); alone it may be negative.
 */
static TesseraFaultCause find_place(AmdWave *w, const Uop *u, unsigned bytes,
                                    Place *p)
{
    bool buffer = u->mods & SMEM_BUFFER;
    unsigned unit = u->kind[1];
    int64_t offset = smem_offset(w, u, u->mods & SMEM_SCRATCH, unit);

    p->va = smem_base(w, u, buffer, unit) + (uint64_t)offset;
    p->bytes = bytes;
    if (offset < 0 && u->mods & SMEM_SOFFSET) {
        return TESSERA_FAULT_SMEM_OFFSET;
    }
    if (buffer) {
        uint64_t limit = smem_limit(w, u), at = (uint64_t)offset;
        uint64_t room = at < limit ? (limit - at + unit - 1) & -(uint64_t)unit
                                    : 0;

        p->bytes = MIN(bytes, room);
    }
    return TESSERA_FAULT_NONE;
}

/* A byte or a short has a unit of its own. */
static unsigned bytes_of(const Uop *u)
{
    return u->kind[1] < 4 ? u->kind[1] : u->kind[0] * 4;
}

/* Move what is in range; the cause and address *@bad of what cannot be. */
static TesseraFaultCause move(AmdWave *w, const Uop *u, uint32_t *data,
                              EngineAccess access, uint64_t *bad)
{
    Place p;
    TesseraFaultCause cause = find_place(w, u, bytes_of(u), &p);

    *bad = p.va;
    if (cause != TESSERA_FAULT_NONE) {
        return cause;
    }
    return mem_move(&w->w, &(MemSpan){ p.va, p.bytes }, 1, data, access,
                    true, bad);
}

const Uop *amd_smem_any(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    EngineAccess access = u->mods & SMEM_STORE ? ENGINE_WRITE : ENGINE_READ;
    uint32_t data[SMEM_DWORDS_MAX] = { 0 };
    const Uop *next = u + u->len;
    TesseraFaultCause cause;
    uint64_t bad;

    if (access == ENGINE_WRITE) {
        memcpy(data, at(w, u->dst), u->kind[0] * 4);
    }
    cause = move(w, u, data, access, &bad);
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        return wave_park(wave, u);
    }
    if (cause != TESSERA_FAULT_NONE) {
        wave_unpark(wave); /* a trap handler may have to be asked for */
        next = amd_mem_violation(w, u, cause, access, bad, 0);
        if (!next) {
            return NULL;
        }
        memset(data, 0, sizeof(data));
    }
    if (access == ENGINE_READ) { /* 0 for what is out of range (SM11) */
        if (u->mods & SMEM_SIGNED) {
            unsigned shift = 32 - 8 * u->kind[1];

            data[0] = (uint32_t)((int32_t)(data[0] << shift) >> shift);
        }
        memcpy(at(w, u->dst), data, u->kind[0] * 4);
        smem_loaded(w, u);
    }
    return next;
}

void *amd_smem_atomic(AmdWave *w, const Uop *u, unsigned bytes,
                      const Uop **next)
{
    void *host = NULL;
    Place p;
    TesseraFaultCause cause = find_place(w, u, bytes, &p);

    *next = u + u->len;
    if (cause == TESSERA_FAULT_NONE) {
        if (p.bytes < bytes) {
            return NULL;
        }
        cause = TESSERA_FAULT_MISALIGNED;
        if (p.va % bytes == 0) {
            host = mem_ptr(&w->w, p.va, ENGINE_WRITE, &cause);
        }
    }
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        wave_want_page(&w->w, p.va, ENGINE_WRITE);
        *next = wave_park(&w->w, u);
        return NULL;
    }
    if (cause == (TesseraFaultCause)ENGINE_DEVICE) {
        cause = TESSERA_FAULT_DEVICE_ATOMIC;
    }
    if (!host) {
        wave_unpark(&w->w);
        *next = amd_mem_violation(w, u, cause, ENGINE_WRITE, p.va, 0);
    }
    return host;
}
