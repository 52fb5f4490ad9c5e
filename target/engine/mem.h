/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory path's fast half: guest address to host pointer.
 */
#ifndef ENGINE_MEM_H
#define ENGINE_MEM_H

#include <string.h>
#include "wave.h"

/* The only entry that may be of @va's page, and the tag it then has. */
INL const TlbEntry *mem_entry(const Wave *wave, uint64_t va)
{
    return &wave->worker->tlb[tlb_index(va)];
}

INL uint64_t tlb_tag(const Wave *wave, uint64_t va)
{
    return (va & -(uint64_t)ENGINE_PAGE) | wave->asid;
}

/* Host address of @va if it is in the TLB, else NULL: without any calls. */
INL uint8_t *mem_hit(const Wave *wave, uint64_t va, EngineAccess access)
{
    const TlbEntry *e = mem_entry(wave, va);
    uint64_t tag = access == ENGINE_WRITE ? e->wtag : e->rtag;

    return likely(tag == tlb_tag(wave, va))
               ? (uint8_t *)(uintptr_t)(e->delta + va) : NULL;
}

/*
 * Host address of guest address @va, for an access that does not leave its
 * 4 KiB page.  NULL if there is no such memory; *@cause then says why.
 */
INL uint8_t *mem_ptr(Wave *wave, uint64_t va, EngineAccess access,
                     TesseraFaultCause *cause)
{
    uint8_t *p = mem_hit(wave, va, access);

    return likely(p) ? p : mem_miss(wave, va, access, cause);
}

/*
 * What the owner has said of more than a page: the only entry that may be of
 * @va's stretch, and the tag it then has.
 */
INL const StretchEntry *mem_stretch(const Wave *wave, uint64_t va)
{
    return &wave->worker->stretch[stretch_index(va)];
}

INL uint64_t stretch_tag(const Wave *wave, uint64_t va)
{
    return (va & -(uint64_t)ENGINE_STRETCH) | wave->asid;
}

/* mem_hit() for a read of what the TLB does not have. */
INL uint8_t *mem_hit_far(const Wave *wave, uint64_t va)
{
    const StretchEntry *e = mem_stretch(wave, va);
    uint32_t at = va & (ENGINE_STRETCH - 1);

    return e->tag == stretch_tag(wave, va) && at - e->first < e->size
               ? e->host + at : NULL;
}

/* The same, where to call it costs less than to have it in many places. */
uint8_t *mem_far(const Wave *wave, uint64_t va);

/*
 * Enter the page of @va in the TLB if it is not there and lies in a stretch:
 * true.  Nobody is asked, and nothing that is in the TLB ceases to be valid but
 * what had the same entry.
 */
bool mem_refill(Wave *wave, uint64_t va, EngineAccess access);

/* Bytes from @va to the end of its page. */
INL unsigned mem_room(uint64_t va)
{
    return ENGINE_PAGE - va % ENGINE_PAGE;
}

/*
 * Copy from guest memory and to it.  What others do there meanwhile is the
 * guest's business: the thread sanitizer sees atomic accesses.
 */
INL void mem_get(void *to, const uint8_t *from, size_t n)
{
#ifdef ENGINE_THREAD_SANITIZED
    for (size_t i = 0; i < n; i++) {
        ((uint8_t *)to)[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    }
#else
    memcpy(to, from, n);
#endif
}

INL void mem_put(uint8_t *to, const void *from, size_t n)
{
#ifdef ENGINE_THREAD_SANITIZED
    for (size_t i = 0; i < n; i++) {
        __atomic_store_n(&to[i], ((const uint8_t *)from)[i], __ATOMIC_RELAXED);
    }
#else
    memcpy(to, from, n);
#endif
}

/* Is guest memory at @at equal to @bytes? */
INL bool mem_same(const uint8_t *at, const void *bytes, size_t n)
{
#ifdef ENGINE_THREAD_SANITIZED
    for (size_t i = 0; i < n; i++) {
        if (__atomic_load_n(&at[i], __ATOMIC_RELAXED) !=
            ((const uint8_t *)bytes)[i]) {
            return false;
        }
    }
    return true;
#else
    return memcmp(at, bytes, n) == 0;
#endif
}

/* Bytes that belong together, 64 at most. */
typedef struct MemSpan {
    uint64_t va;
    unsigned len;
} MemSpan;

#define MEM_SPANS 16

/*
 * Move the bytes of @count spans between guest memory and @data, in whatever
 * way their pages need.  Returns TESSERA_FAULT_NONE if all is done.  Else
 * nothing has been stored to memory, and what is returned is the cause, with
 * its address in *@bad; or ENGINE_WAIT: the wave has to be parked and to try
 * again.  If @ask, it then wants something; if not, nothing was asked and no
 * answer has been used.
 */
TesseraFaultCause mem_move(Wave *wave, const MemSpan *span, unsigned count,
                           void *data, EngineAccess access, bool ask,
                           uint64_t *bad);

#endif
