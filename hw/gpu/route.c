/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From bus addresses, offsets in VRAM and in the doorbells to host memory.
 *
 * Host pointers are kept by bus address until the host takes them back, so that
 * it is asked once for a stretch and not for each page of each VMID.
 */
#include "hw/gpu/vm-int.h"

#define CHUNK_SHIFT 21
#define CHUNK_SIZE (1ull << CHUNK_SHIFT)
#define CHUNK_PAGES (CHUNK_SIZE / ENGINE_PAGE)

struct VmChunk {
    uint8_t *page[2][CHUNK_PAGES]; /* for reading, for writing */
};


/* Is @at in [@base, @base + @size)?  Right for sizes that reach 2^64. */
static bool within(uint64_t at, uint64_t base, uint64_t size)
{
    return at - base < size;
}

/* ---- the bus ---- */

/* A walk looks for the chunks of four tables, over and over the same. */
static VmChunk *find_chunk(TesseraGpu *gpu, uint64_t bus)
{
    uint64_t key = bus >> CHUNK_SHIFT;
    VmRecent *recent = &gpu->vm.recent[key % G_N_ELEMENTS(gpu->vm.recent)];

    if (!recent->chunk || recent->key != key) {
        recent->key = key;
        recent->chunk = g_hash_table_lookup(gpu->vm.chunks,
                                            GSIZE_TO_POINTER(key));
    }
    return recent->chunk;
}

/*
 * Ask the host for the page at @bus and what follows it in the chunk.  Chunks
 * are made only for what is mapped, so that stray addresses cost no memory.
 */
static TesseraMapKind map_pages(TesseraGpu *gpu, uint64_t bus, bool write,
                                uint8_t **host)
{
    unsigned first = (bus & (CHUNK_SIZE - 1)) / ENGINE_PAGE;
    uint64_t want = CHUNK_SIZE - (bus & (CHUNK_SIZE - 1));
    uint64_t len = want;
    TesseraMapKind kind = gpu->host.ops->map(gpu->host.opaque, bus, &len,
                                             write, host);
    VmChunk *chunk;

    if (kind != TESSERA_MAP_RAM) {
        return kind;
    }
    if (len < ENGINE_PAGE) {
        return TESSERA_MAP_NONE;
    }
    chunk = find_chunk(gpu, bus);
    if (!chunk) {
        chunk = g_new0(VmChunk, 1);
        g_hash_table_insert(gpu->vm.chunks,
                            GSIZE_TO_POINTER(bus >> CHUNK_SHIFT), chunk);
    }
    for (unsigned i = 0; i < MIN(len, want) / ENGINE_PAGE; i++) {
        chunk->page[write][first + i] = *host + (size_t)i * ENGINE_PAGE;
    }
    return TESSERA_MAP_RAM;
}

static uint8_t *known_page(TesseraGpu *gpu, uint64_t bus, bool write)
{
    VmChunk *chunk = find_chunk(gpu, bus);

    return chunk ? chunk->page[write][(bus & (CHUNK_SIZE - 1)) / ENGINE_PAGE]
                 : NULL;
}

static TesseraMapKind bus_page(TesseraGpu *gpu, uint64_t bus, bool write,
                               uint8_t **host)
{
    *host = known_page(gpu, bus, write);
    return *host ? TESSERA_MAP_RAM : map_pages(gpu, bus, write, host);
}

/* What is there, but may not be written? */
static TesseraFaultCause why_not(TesseraGpu *gpu, uint64_t bus, bool write)
{
    uint8_t *host;

    return write && bus_page(gpu, bus, false, &host) == TESSERA_MAP_RAM
               ? TESSERA_FAULT_READ_ONLY : TESSERA_FAULT_UNMAPPED;
}

/*
 * A page mapped for writing serves reads as well.  The other way round, an
 * access that only reads never asks for write access, which a read-only
 * IOMMU mapping would report as a fault.
 */
static TesseraFaultCause route_ram(TesseraGpu *gpu, uint64_t bus, bool write,
                                   EnginePage *page)
{
    uint8_t *writable = known_page(gpu, bus, true);
    TesseraMapKind kind = TESSERA_MAP_RAM;

    *page = (EnginePage){ .host = writable, .backing = bus };
    if (!writable) {
        kind = bus_page(gpu, bus, write, &page->host);
    }
    switch (kind) {
    case TESSERA_MAP_RAM:
        page->writable = writable || write;
        return TESSERA_FAULT_NONE;
    case TESSERA_MAP_DEVICE:
        page->host = NULL;
        page->writable = write;
        return (TesseraFaultCause)ENGINE_DEVICE;
    case TESSERA_MAP_ASK:
        page->host = NULL;
        page->writable = write;
        return (TesseraFaultCause)ENGINE_WAIT;
    default:
        return why_not(gpu, bus, write);
    }
}

/* What of the device itself lies at a bus address. */
typedef enum OwnPart { OWN_NONE, OWN_VRAM, OWN_DOORBELL, OWN_REGS } OwnPart;

static OwnPart own_part(TesseraGpu *gpu, uint64_t bus, uint64_t *offset)
{
    const TesseraBars *bars = &gpu->vm.bars;

    if (within(bus, bars->vram, MIN(bars->vram_size, gpu->vram_size))) {
        *offset = bus - bars->vram;
        return OWN_VRAM;
    }
    if (within(bus, bars->doorbell, bars->doorbell_size)) {
        *offset = bus - bars->doorbell;
        return OWN_DOORBELL;
    }
    if (within(bus, bars->regs, bars->regs_size) ||
        within(bus, bars->msix & ~PAGE_MASK, bars->msix_size)) {
        return OWN_REGS;
    }
    return OWN_NONE;
}

TesseraFaultCause vm_route_bus(TesseraGpu *gpu, unsigned vmid,
                               VmSlices slices, uint64_t bus,
                               EngineAccess access, EnginePage *page)
{
    uint64_t offset = 0;

    switch (own_part(gpu, bus, &offset)) {
    case OWN_VRAM:
        return vm_route_vram(gpu, offset, page);
    case OWN_DOORBELL:
        if (slices == VM_OWN_SLICE && offset / TESSERA_SLICE_SIZE != vmid) {
            return TESSERA_FAULT_DEVICE_BAR;
        }
        return vm_route_doorbell(gpu, offset, access, page);
    case OWN_REGS:
        return TESSERA_FAULT_DEVICE_BAR;
    default:
        return route_ram(gpu, bus, access == ENGINE_WRITE, page);
    }
}

/* ---- the device's own memory ---- */

TesseraFaultCause vm_route_vram(TesseraGpu *gpu, uint64_t offset,
                                EnginePage *page)
{
    if (offset >= gpu->vram_size) {
        return TESSERA_FAULT_PAGE_TABLE; /* no other way to get here */
    }
    *page = (EnginePage){
        .host = gpu->vram + offset,
        .writable = true,
        .vram = true,
        .backing = offset,
    };
    return TESSERA_FAULT_NONE;
}

/*
 * Stores to the doorbell page land in its backing store; the queues are kicked
 * when the store is reported, or found by doorbell_scan() before that.
 */
TesseraFaultCause vm_route_doorbell(TesseraGpu *gpu, uint64_t offset,
                                    EngineAccess access, EnginePage *page)
{
    if (access == ENGINE_FETCH) {
        return TESSERA_FAULT_NO_EXECUTE;
    }
    if (offset >= DOORBELL_BYTES) {
        return TESSERA_FAULT_DEVICE_BAR;
    }
    *page = (EnginePage){
        .host = (uint8_t *)gpu->doorbells + offset,
        .writable = access == ENGINE_WRITE, /* we want to hear of stores */
        .vram = true,
        .backing = DOORBELL_BACKING + offset,
    };
    return TESSERA_FAULT_NONE;
}

/* ---- more than a page ---- */

_Static_assert(CHUNK_SIZE == ENGINE_STRETCH, "a chunk is a stretch");

static void stretch_vram(TesseraGpu *gpu, EnginePage *page)
{
    uint64_t first = page->backing & -(uint64_t)ENGINE_STRETCH;
    uint64_t end = MIN(first + ENGINE_STRETCH, gpu->vram_size);

    page->before = page->backing - first;
    page->after = end - page->backing - ENGINE_PAGE;
}

/* Is a part of the device itself among the @size bytes at @bus? */
static bool own_parts_in(TesseraGpu *gpu, uint64_t bus, uint64_t size)
{
    const TesseraBars *bars = &gpu->vm.bars;
    const struct {
        uint64_t base, size;
    } part[] = {
        { bars->vram, bars->vram_size },
        { bars->doorbell, bars->doorbell_size },
        { bars->regs, bars->regs_size },
        { bars->msix & ~PAGE_MASK, bars->msix_size },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(part); i++) {
        if (within(part[i].base, bus, size) ||
            within(bus, part[i].base, part[i].size)) {
            return true;
        }
    }
    return false;
}

/* As far as the chunk's host pointers follow each other. */
static void stretch_ram(TesseraGpu *gpu, EnginePage *page)
{
    const VmChunk *chunk = find_chunk(gpu, page->backing);
    unsigned at = (page->backing & (CHUNK_SIZE - 1)) / ENGINE_PAGE;
    unsigned first = at, last = at;
    uint8_t *const *host;

    if (!chunk || own_parts_in(gpu, page->backing & -CHUNK_SIZE, CHUNK_SIZE)) {
        return;
    }
    host = chunk->page[page->host == chunk->page[1][at]];
    while (first > 0 && host[first - 1] == host[first] - ENGINE_PAGE) {
        first--;
    }
    while (last + 1 < CHUNK_PAGES &&
           host[last + 1] == host[last] + ENGINE_PAGE) {
        last++;
    }
    page->before = (at - first) * ENGINE_PAGE;
    page->after = (last - at) * ENGINE_PAGE;
}

void vm_route_stretch(TesseraGpu *gpu, EnginePage *page)
{
    if (!page->vram) {
        stretch_ram(gpu, page);
    } else if (page->backing < DOORBELL_BACKING) {
        stretch_vram(gpu, page);
    }
}

/* ---- page tables ---- */

TesseraFaultCause vm_route_table(TesseraGpu *gpu, bool system,
                                 uint64_t address, EnginePage *page)
{
    uint64_t offset = address;
    OwnPart part = system ? own_part(gpu, address, &offset) : OWN_VRAM;
    TesseraFaultCause cause = TESSERA_FAULT_PAGE_TABLE;

    if (part == OWN_VRAM) {
        cause = vm_route_vram(gpu, offset, page);
    } else if (part == OWN_NONE) {
        cause = route_ram(gpu, address, false, page);
    }
    return cause == TESSERA_FAULT_NONE || cause == (unsigned)ENGINE_WAIT
               ? cause : TESSERA_FAULT_PAGE_TABLE;
}
