/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces: from a queue's addresses to host memory.
 */
#include <string.h>
#include "hw/gpu/internal.h"

#define CHUNK_SHIFT 21
#define CHUNK_SIZE (1ull << CHUNK_SHIFT)
#define CHUNK_PAGES (CHUNK_SIZE / ENGINE_PAGE)
#define PAGE_MASK ((uint64_t)ENGINE_PAGE - 1)

struct VmChunk {
    uint8_t *page[2][CHUNK_PAGES]; /* for reading, for writing */
};

bool vm_init(TesseraGpu *gpu)
{
    pthread_mutex_init(&gpu->vm.lock, NULL);
    gpu->vm.chunks = g_hash_table_new_full(g_direct_hash, g_direct_equal,
                                           NULL, g_free);
    return true;
}

void vm_destroy(TesseraGpu *gpu)
{
    g_hash_table_destroy(gpu->vm.chunks);
    pthread_mutex_destroy(&gpu->vm.lock);
}

void vm_forget(TesseraGpu *gpu)
{
    pthread_mutex_lock(&gpu->vm.lock);
    g_hash_table_remove_all(gpu->vm.chunks);
    __atomic_store_n(&gpu->vm.doorbells_shared, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&gpu->vm.lock);
}

void vm_set_bars(TesseraGpu *gpu, const TesseraBars *bars)
{
    pthread_mutex_lock(&gpu->vm.lock);
    gpu->vm.bars = *bars;
    pthread_mutex_unlock(&gpu->vm.lock);
}

/* Is @at in [@base, @base + @size)?  Right for sizes that reach 2^64. */
static bool within(uint64_t at, uint64_t base, uint64_t size)
{
    return at - base < size;
}

/*
 * Ask the host for the page at @bus and what follows it in the chunk.  Chunks
 * are made only for what is mapped, so that stray addresses cost no memory.
 */
static uint8_t *map_pages(TesseraGpu *gpu, uint64_t bus, bool write)
{
    unsigned first = (bus & (CHUNK_SIZE - 1)) / ENGINE_PAGE;
    uint64_t want = CHUNK_SIZE - (bus & (CHUNK_SIZE - 1));
    uint64_t len = want;
    gpointer key = GSIZE_TO_POINTER(bus >> CHUNK_SHIFT);
    uint8_t *host = NULL;
    VmChunk *chunk;

    if (gpu->host.ops->map(gpu->host.opaque, bus, &len, write, &host) !=
        TESSERA_MAP_RAM || len < ENGINE_PAGE) {
        return NULL;
    }
    chunk = g_hash_table_lookup(gpu->vm.chunks, key);
    if (!chunk) {
        chunk = g_new0(VmChunk, 1);
        g_hash_table_insert(gpu->vm.chunks, key, chunk);
    }
    for (unsigned i = 0; i < MIN(len, want) / ENGINE_PAGE; i++) {
        chunk->page[write][first + i] = host + (size_t)i * ENGINE_PAGE;
    }
    return host;
}

static uint8_t *known_page(TesseraGpu *gpu, uint64_t bus, bool write)
{
    VmChunk *chunk = g_hash_table_lookup(gpu->vm.chunks,
                                         GSIZE_TO_POINTER(bus >> CHUNK_SHIFT));

    return chunk ? chunk->page[write][(bus & (CHUNK_SIZE - 1)) / ENGINE_PAGE]
                 : NULL;
}

static uint8_t *bus_page(TesseraGpu *gpu, uint64_t bus, bool write)
{
    return known_page(gpu, bus, write) ?: map_pages(gpu, bus, write);
}

/*
 * A page mapped for writing serves reads as well.  The other way round, an
 * access that only reads never asks for write access, which a read-only
 * IOMMU mapping would report as a fault.
 */
static TesseraFaultCause translate_bus(TesseraGpu *gpu, uint64_t bus,
                                       bool write, EnginePage *page)
{
    uint8_t *writable = write ? bus_page(gpu, bus, true)
                              : known_page(gpu, bus, true);

    page->host = writable ?: bus_page(gpu, bus, false);
    page->writable = writable;
    page->vram = false;
    page->backing = bus;
    if (!page->host) {
        return TESSERA_FAULT_UNMAPPED;
    }
    return write && !writable ? TESSERA_FAULT_READ_ONLY : TESSERA_FAULT_NONE;
}

static TesseraFaultCause translate_vram(TesseraGpu *gpu, uint64_t offset,
                                        EnginePage *page)
{
    page->host = gpu->vram + offset;
    page->writable = true;
    page->vram = true;
    page->backing = offset;
    return TESSERA_FAULT_NONE;
}

/*
 * Stores to the doorbell page land in its backing store; the queues are kicked
 * when the store is reported, or found by doorbell_scan() before that.
 */
static TesseraFaultCause translate_doorbell(TesseraGpu *gpu, uint64_t bus,
                                            EngineAccess access,
                                            EnginePage *page)
{
    uint64_t offset = bus - gpu->vm.bars.doorbell;

    if (access == ENGINE_FETCH) {
        return TESSERA_FAULT_NO_EXECUTE;
    }
    if (offset >= DOORBELL_BYTES) {
        return TESSERA_FAULT_DEVICE_BAR;
    }
    page->host = (uint8_t *)gpu->doorbells + offset;
    page->writable = access == ENGINE_WRITE; /* we want to hear of stores */
    page->vram = false;
    page->backing = bus;
    return TESSERA_FAULT_NONE;
}

/* From now on the CP looks at doorbells by itself, see doorbell_scan(). */
static void share_doorbells(TesseraGpu *gpu)
{
    if (!__atomic_exchange_n(&gpu->vm.doorbells_shared, true,
                             __ATOMIC_RELAXED)) {
        gpu_lock(gpu);
        cp_kick(gpu);
        gpu_unlock(gpu);
    }
}

/* VMID 0 without page tables; @va is page aligned. */
static TesseraFaultCause translate_physical(TesseraGpu *gpu, uint64_t va,
                                            EngineAccess access,
                                            EnginePage *page)
{
    const TesseraBars *bars = &gpu->vm.bars;

    if (within(va, TESSERA_VRAM_WINDOW, gpu->vram_size)) {
        return translate_vram(gpu, va - TESSERA_VRAM_WINDOW, page);
    }
    if (within(va, bars->vram, MIN(bars->vram_size, gpu->vram_size))) {
        return translate_vram(gpu, va - bars->vram, page);
    }
    if (within(va, bars->doorbell, bars->doorbell_size)) {
        return translate_doorbell(gpu, va, access, page);
    }
    if (within(va, bars->regs, bars->regs_size) ||
        within(va, bars->msix & ~PAGE_MASK, bars->msix_size)) {
        return TESSERA_FAULT_DEVICE_BAR;
    }
    return translate_bus(gpu, va, access == ENGINE_WRITE, page);
}

TesseraFaultCause gpu_vm_translate(TesseraGpu *gpu, unsigned vmid,
                                   uint64_t va, EngineAccess access,
                                   EnginePage *page)
{
    TesseraFaultCause cause = TESSERA_FAULT_UNMAPPED;

    if (vmid == 0) {
        pthread_mutex_lock(&gpu->vm.lock);
        cause = translate_physical(gpu, va & ~PAGE_MASK, access, page);
        pthread_mutex_unlock(&gpu->vm.lock);
    }
    if (cause == TESSERA_FAULT_NONE && access == ENGINE_WRITE &&
        within((uintptr_t)page->host, (uintptr_t)gpu->doorbells,
               DOORBELL_BYTES)) {
        share_doorbells(gpu);
    }
    return cause;
}

void gpu_vm_written(TesseraGpu *gpu, bool vram, uint64_t backing,
                    uint64_t len)
{
    const TesseraHostOps *ops = gpu->host.ops;
    uint64_t doorbells;
    bool doorbell;

    if (vram) {
        ops->vram_written(gpu->host.opaque, backing, len);
        return;
    }
    pthread_mutex_lock(&gpu->vm.lock);
    doorbells = gpu->vm.bars.doorbell;
    doorbell = within(backing, doorbells, gpu->vm.bars.doorbell_size);
    pthread_mutex_unlock(&gpu->vm.lock);
    if (doorbell) {
        doorbell_written(gpu, backing - doorbells, len);
    } else {
        ops->written(gpu->host.opaque, backing, len);
    }
}

static bool vm_fault(EngineFault *fault, TesseraFaultCause cause, uint64_t va,
                     EngineAccess access)
{
    *fault = (EngineFault){
        .cause = cause,
        .access = access,
        .address = va,
    };
    return false;
}

/*
 * The guest's CPUs may store to the same bytes at the same time: every access
 * is an atomic one, of a whole word where words are aligned.
 */
static void copy_from_guest(uint8_t *to, const uint8_t *from, size_t len)
{
    if (((uintptr_t)from | len) % 8 == 0) {
        for (size_t i = 0; i < len; i += 8) {
            uint64_t word = __atomic_load_n((const uint64_t *)(from + i),
                                            __ATOMIC_RELAXED);
            memcpy(to + i, &word, 8);
        }
        return;
    }
    for (size_t i = 0; i < len; i++) {
        to[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
    }
}

static void copy_to_guest(uint8_t *to, const uint8_t *from, size_t len)
{
    if (((uintptr_t)to | len) % 8 == 0) {
        for (size_t i = 0; i < len; i += 8) {
            uint64_t word;

            memcpy(&word, from + i, 8);
            __atomic_store_n((uint64_t *)(to + i), word, __ATOMIC_RELAXED);
        }
        return;
    }
    for (size_t i = 0; i < len; i++) {
        __atomic_store_n(to + i, from[i], __ATOMIC_RELAXED);
    }
}

bool gpu_vm_read(TesseraGpu *gpu, unsigned vmid, uint64_t va, void *data,
                 size_t len, EngineFault *fault)
{
    uint8_t *to = data;

    while (len) {
        size_t part = MIN(len, ENGINE_PAGE - (va & PAGE_MASK));
        EnginePage page;
        TesseraFaultCause cause = gpu_vm_translate(gpu, vmid, va, ENGINE_READ,
                                                   &page);

        if (cause != TESSERA_FAULT_NONE) {
            return vm_fault(fault, cause, va, ENGINE_READ);
        }
        copy_from_guest(to, page.host + (va & PAGE_MASK), part);
        va += part;
        to += part;
        len -= part;
    }
    return true;
}

bool gpu_vm_write(TesseraGpu *gpu, unsigned vmid, uint64_t va,
                  const void *data, size_t len, EngineFault *fault)
{
    const uint8_t *from = data;

    while (len) {
        size_t part = MIN(len, ENGINE_PAGE - (va & PAGE_MASK));
        EnginePage page;
        TesseraFaultCause cause = gpu_vm_translate(gpu, vmid, va,
                                                   ENGINE_WRITE, &page);

        if (cause != TESSERA_FAULT_NONE) {
            return vm_fault(fault, cause, va, ENGINE_WRITE);
        }
        copy_to_guest(page.host + (va & PAGE_MASK), from, part);
        gpu_vm_written(gpu, page.vram, page.backing + (va & PAGE_MASK), part);
        va += part;
        from += part;
        len -= part;
    }
    return true;
}

#define ATOMIC_OF(bits)                                                        \
    static void atomic##bits(uint##bits##_t *at, VmAtomic op, uint64_t *value) \
    {                                                                          \
        switch (op) {                                                          \
        case VM_LOAD:                                                          \
            *value = __atomic_load_n(at, __ATOMIC_ACQUIRE);                    \
            break;                                                             \
        case VM_STORE:                                                         \
            __atomic_store_n(at, *value, __ATOMIC_RELEASE);                    \
            break;                                                             \
        case VM_ADD:                                                           \
            __atomic_fetch_add(at, *value, __ATOMIC_SEQ_CST);                  \
            break;                                                             \
        case VM_OR:                                                            \
            __atomic_fetch_or(at, *value, __ATOMIC_SEQ_CST);                   \
            break;                                                             \
        }                                                                      \
    }

ATOMIC_OF(16)
ATOMIC_OF(32)
ATOMIC_OF(64)

bool gpu_vm_atomic(TesseraGpu *gpu, unsigned vmid, uint64_t va, unsigned size,
                   VmAtomic op, uint64_t *value, EngineFault *fault)
{
    EngineAccess access = op == VM_LOAD ? ENGINE_READ : ENGINE_WRITE;
    EnginePage page;
    TesseraFaultCause cause;
    uint8_t *at;

    if (va % size) {
        return vm_fault(fault, TESSERA_FAULT_MISALIGNED, va, access);
    }
    cause = gpu_vm_translate(gpu, vmid, va, access, &page);
    if (cause != TESSERA_FAULT_NONE) {
        return vm_fault(fault, cause, va, access);
    }
    at = page.host + (va & PAGE_MASK);
    if (size == 8) {
        atomic64((uint64_t *)at, op, value);
    } else if (size == 4) {
        atomic32((uint32_t *)at, op, value);
    } else {
        atomic16((uint16_t *)at, op, value);
    }
    if (access == ENGINE_WRITE) {
        gpu_vm_written(gpu, page.vram, page.backing + (va & PAGE_MASK), size);
    }
    return true;
}
