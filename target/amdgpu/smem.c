/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar memory, the slow half: page crossings, partly out of range, faults.
 */
#include "smem.h"

#define SMEM_DWORDS_MAX 16

typedef struct Place {
    uint64_t va;
    unsigned dwords; /* that are in range; the first ones */
} Place;

static const Uop *fault(AmdWave *w, const Uop *u, TesseraFaultCause cause,
                        EngineAccess access, uint64_t va)
{
    return wave_fault(&w->w, u, cause, access, va, 0);
}

/*
 * Where an access of @dwords lies.  A negative immediate must not make the sum
 * with the register negative (rule SM7); alone it may be negative.
 */
static bool find_place(AmdWave *w, const Uop *u, unsigned dwords, Place *p)
{
    bool buffer = u->mods & SMEM_BUFFER;
    int64_t offset = smem_offset(w, u, u->mods & SMEM_SCRATCH);

    p->va = smem_base(w, u, buffer) + (uint64_t)offset;
    p->dwords = dwords;
    if (offset < 0 && u->mods & SMEM_SOFFSET) {
        fault(w, u, TESSERA_FAULT_SMEM_OFFSET,
              u->mods & SMEM_STORE ? ENGINE_WRITE : ENGINE_READ, p->va);
        return false;
    }
    if (buffer) {
        uint64_t limit = smem_limit(w, u), at = (uint64_t)offset;
        uint64_t room = at < limit ? (limit - at + 3) / 4 : 0;

        p->dwords = MIN(dwords, room);
    }
    return true;
}

const Uop *amd_smem_any(Wave *wave, const Uop *u)
{
    AmdWave *w = amd(wave);
    EngineAccess access = u->mods & SMEM_STORE ? ENGINE_WRITE : ENGINE_READ;
    unsigned dwords = u->kind[0];
    uint32_t data[SMEM_DWORDS_MAX] = { 0 };
    TesseraFaultCause cause;
    uint64_t bad;
    Place p;

    if (!find_place(w, u, dwords, &p)) {
        return NULL;
    }
    if (access == ENGINE_WRITE) {
        memcpy(data, at(w, u->dst), dwords * 4);
    }
    cause = mem_copy(wave, p.va, data, p.dwords * 4, access, &bad);
    if (cause != TESSERA_FAULT_NONE) {
        return fault(w, u, cause, access, bad);
    }
    if (access == ENGINE_READ) { /* 0 for what is out of range (SM11) */
        memcpy(at(w, u->dst), data, dwords * 4);
        smem_loaded(w, u);
    }
    NEXT(wave, u);
}

void *amd_smem_atomic(AmdWave *w, const Uop *u, unsigned bytes)
{
    TesseraFaultCause cause = TESSERA_FAULT_MISALIGNED;
    void *host = NULL;
    Place p;

    if (!find_place(w, u, bytes / 4, &p) || p.dwords < bytes / 4) {
        return NULL;
    }
    if (p.va % bytes == 0) {
        host = mem_ptr(&w->w, p.va, ENGINE_WRITE, &cause);
    }
    if (!host) {
        fault(w, u, cause, ENGINE_WRITE, p.va);
    }
    return host;
}
