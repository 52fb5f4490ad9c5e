/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copying and filling memory: packets of our own, and the test registers.
 *
 * A copy of any size is made in pieces of COPY_CHUNK bytes, one in each turn of
 * its queue, so that neither a hold nor another queue waits for it.  A piece is
 * copied page by page, as address spaces are.
 */
#include <string.h>
#include "hw/gpu/internal.h"

#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif

#define PAGE_MASK ((uint64_t)ENGINE_PAGE - 1)
/* What is no RAM is slow to access: such bytes count for more of a chunk. */
#define SLOW_FACTOR 64

static uint64_t page_rest(uint64_t va)
{
    return ENGINE_PAGE - (va & PAGE_MASK);
}

/* Bytes of the page before @va, whose last byte is the one before @va. */
static uint64_t page_before(uint64_t va)
{
    return ((va - 1) & PAGE_MASK) + 1;
}

/* ---- pages ---- */

/* What has been written and not reported, in one piece of memory. */
typedef struct Written {
    bool vram;
    uint64_t backing, len;
} Written;

static void report(TesseraGpu *gpu, Written *w)
{
    if (w->len) {
        gpu_vm_written(gpu, w->vram, w->backing, w->len);
        w->len = 0;
    }
}

static void note_written(TesseraGpu *gpu, Written *w, const EnginePage *page,
                         uint64_t va, uint64_t len)
{
    uint64_t backing = page->backing + (va & PAGE_MASK);

    if (w->len && w->vram == page->vram) {
        if (w->backing + w->len == backing) {
            w->len += len;
            return;
        }
        if (backing + len == w->backing) {
            w->backing = backing;
            w->len += len;
            return;
        }
    }
    report(gpu, w);
    *w = (Written){ page->vram, backing, len };
}

/* A part of a copy or fill: less than a page on either side. */
typedef struct Part {
    unsigned vmid;
    uint64_t target, source;
    const uint8_t *pattern; /* NULL: copy from source */
    uint64_t len;
} Part;

/*
 * Within a page; the ranges may overlap.  The guest's CPUs may be at the same
 * bytes: that is their affair, but the thread sanitizer must be told.
 */
static void move_bytes(uint8_t *to, const uint8_t *from, size_t len)
{
#ifdef THREAD_SANITIZER
    uint8_t bytes[ENGINE_PAGE];

    for (size_t i = 0; i < len; i++) {
        bytes[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
    }
    for (size_t i = 0; i < len; i++) {
        __atomic_store_n(to + i, bytes[i], __ATOMIC_RELAXED);
    }
#else
    memmove(to, from, len);
#endif
}

static bool page_fault(EngineFault *fault, unsigned cause, uint64_t va,
                       EngineAccess access)
{
    *fault = (EngineFault){
        .cause = cause,
        .access = access,
        .address = va,
    };
    return false;
}

/* Through a buffer: one side, or both, is no RAM. */
static bool move_slowly(TesseraGpu *gpu, const Part *part, EngineFault *fault)
{
    uint8_t bytes[ENGINE_PAGE];

    if (part->pattern) {
        memcpy(bytes, part->pattern, part->len);
    } else if (!gpu_vm_read(gpu, part->vmid, part->source, bytes, part->len,
                            fault)) {
        return false;
    }
    return gpu_vm_write(gpu, part->vmid, part->target, bytes, part->len,
                        fault);
}

/* The pages of a part; false with @fault, and ENGINE_DEVICE as its cause. */
static bool find_pages(TesseraGpu *gpu, const Part *part, EnginePage *from,
                       EnginePage *to, EngineFault *fault)
{
    unsigned waits, cause = TESSERA_FAULT_NONE;

    do { /* while the CP waits for the target, the source may go away */
        if (!part->pattern) {
            cause = gpu_vm_find(gpu, part->vmid, part->source, ENGINE_READ,
                                from);
        }
        if (cause != TESSERA_FAULT_NONE) {
            return page_fault(fault, cause, part->source, ENGINE_READ);
        }
        waits = vm_waits(gpu);
        cause = gpu_vm_find(gpu, part->vmid, part->target, ENGINE_WRITE, to);
        if (cause != TESSERA_FAULT_NONE) {
            return page_fault(fault, cause, part->target, ENGINE_WRITE);
        }
    } while (vm_waits(gpu) != waits);
    return true;
}

/* Move a part; *@cost is what it takes from the chunk. */
static bool move_part(TesseraGpu *gpu, const Part *part, Written *written,
                      uint64_t *cost, EngineFault *fault)
{
    EnginePage from = { 0 }, to;
    const uint8_t *source;
    uint8_t *target;

    *cost = part->len;
    if (!find_pages(gpu, part, &from, &to, fault)) {
        if (fault->cause != (unsigned)ENGINE_DEVICE) {
            return false;
        }
        *cost = part->len * SLOW_FACTOR;
        return move_slowly(gpu, part, fault);
    }
    target = to.host + (part->target & PAGE_MASK);
    source = part->pattern ?: from.host + (part->source & PAGE_MASK);
    move_bytes(target, source, part->len);
    note_written(gpu, written, &to, part->target, part->len);
    return true;
}

/* ---- packets ---- */

static bool all_zero(const uint64_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (words[i]) {
            return false;
        }
    }
    return true;
}

static CpResult bad_copy(TesseraGpu *gpu, GpuQueue *queue, const char *text)
{
    EngineFault fault = {
        .cause = TESSERA_FAULT_VENDOR,
        .access = ENGINE_READ,
        .address = queue_packet_addr(queue, queue->index),
    };

    g_strlcpy(fault.text, text, sizeof(fault.text));
    return fault_stop_on(gpu, queue, &fault);
}

/* After a chunk of @size bytes in all: over, or more to come? */
static CpResult end_chunk(TesseraGpu *gpu, GpuQueue *queue, uint64_t size,
                          uint64_t signal)
{
    uint64_t index = queue->index;

    if (queue->copied < size) {
        return CP_MORE;
    }
    gpu_trace(gpu, "cp_copy", queue->slot, index, size);
    queue_advance(queue);
    return queue_complete(gpu, queue, index, signal, queue->packet_start,
                          gpu_clock(gpu));
}

/*
 * The next part of a copy.  If the target overlaps the source and lies above
 * it, the copy is made from its end.
 */
static Part copy_part(const GpuQueue *queue, const AqlCopy *packet)
{
    uint64_t left = packet->size - queue->copied;
    uint64_t source = packet->source, target = packet->target;
    Part part = { .vmid = queue->vmid };

    if (target - source < packet->size) {
        source += left;
        target += left;
        part.len = MIN(left, MIN(page_before(source), page_before(target)));
        part.source = source - part.len;
        part.target = target - part.len;
    } else {
        part.source = source + queue->copied;
        part.target = target + queue->copied;
        part.len = MIN(left,
                       MIN(page_rest(part.source), page_rest(part.target)));
    }
    return part;
}

CpResult copy_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlCopy *packet = &queue->packet.copy;
    Written written = { 0 };
    EngineFault fault;
    uint64_t spent = 0, cost;
    bool ok = true;

    if (packet->version != AQL_COPY_VERSION || packet->reserved0 ||
        !all_zero(packet->reserved1, G_N_ELEMENTS(packet->reserved1))) {
        return bad_copy(gpu, queue, "copy: version or a reserved field");
    }
    if (packet->source + packet->size < packet->source ||
        packet->target + packet->size < packet->target) {
        return bad_copy(gpu, queue, "copy: range beyond 2^64");
    }
    queue->copying = true;
    while (ok && queue->copied < packet->size && spent < COPY_CHUNK) {
        Part part = copy_part(queue, packet);

        ok = move_part(gpu, &part, &written, &cost, &fault);
        queue->copied += ok ? part.len : 0;
        spent += cost;
    }
    report(gpu, &written);
    return ok ? end_chunk(gpu, queue, packet->size, packet->completion_signal)
              : fault_stop_on(gpu, queue, &fault);
}

CpResult fill_exec(TesseraGpu *gpu, GpuQueue *queue)
{
    const AqlFill *packet = &queue->packet.fill;
    uint32_t pattern[ENGINE_PAGE / 4 + 1];
    Written written = { 0 };
    EngineFault fault;
    uint64_t spent = 0, cost;
    bool ok = true;

    if (packet->version != AQL_COPY_VERSION || packet->reserved0 ||
        !all_zero(packet->reserved1, G_N_ELEMENTS(packet->reserved1))) {
        return bad_copy(gpu, queue, "fill: version or a reserved field");
    }
    if (packet->target + packet->size < packet->target) {
        return bad_copy(gpu, queue, "fill: range beyond 2^64");
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(pattern); i++) {
        pattern[i] = packet->value;
    }
    queue->copying = true;
    while (ok && queue->copied < packet->size && spent < COPY_CHUNK) {
        Part part = {
            .vmid = queue->vmid,
            .target = packet->target + queue->copied,
            .pattern = (const uint8_t *)pattern + queue->copied % 4,
        };

        part.len = MIN(packet->size - queue->copied, page_rest(part.target));
        ok = move_part(gpu, &part, &written, &cost, &fault);
        queue->copied += ok ? part.len : 0;
        spent += cost;
    }
    report(gpu, &written);
    return ok ? end_chunk(gpu, queue, packet->size, packet->completion_signal)
              : fault_stop_on(gpu, queue, &fault);
}

/* ---- test registers ---- */

/* With the lock held. */
static void set_status(TesseraGpu *gpu, uint32_t status)
{
    regs_set32(gpu, TESSERA_REG_TEST_DMA_STATUS, status);
}

void test_dma_start(TesseraGpu *gpu, uint64_t size)
{
    if (gpu->inbox.test_dma || gpu->test_dma_busy) {
        return;
    }
    regs_set32(gpu, TESSERA_REG_TEST_DMA_SIZE, size);
    if (size == 0 || size > TEST_DMA_MAX) {
        set_status(gpu, TESSERA_TEST_DMA_STATUS_DONE_MASK |
                        TESSERA_TEST_DMA_STATUS_ERROR_MASK |
                        TESSERA_FAULT_PACKET <<
                            TESSERA_TEST_DMA_STATUS_CAUSE_SHIFT);
        return;
    }
    set_status(gpu, TESSERA_TEST_DMA_STATUS_BUSY_MASK);
    gpu->inbox.test_dma = true;
    cp_kick(gpu);
}

static bool test_copy(TesseraGpu *gpu, uint64_t target, uint64_t source,
                      uint32_t size, EngineFault *fault)
{
    uint8_t bytes[ENGINE_PAGE];

    for (uint32_t at = 0; at < size; at += sizeof(bytes)) {
        uint32_t part = MIN(size - at, sizeof(bytes));

        if (!gpu_vm_read(gpu, 0, source + at, bytes, part, fault) ||
            !gpu_vm_write(gpu, 0, target + at, bytes, part, fault)) {
            return false;
        }
    }
    return true;
}

void test_dma_run(TesseraGpu *gpu)
{
    uint32_t status = TESSERA_TEST_DMA_STATUS_DONE_MASK;
    uint64_t source, target;
    EngineFault fault;
    uint32_t size;

    gpu_lock(gpu);
    gpu->test_dma_busy = true;
    source = regs_get64(gpu, TESSERA_REG_TEST_DMA_SOURCE);
    target = regs_get64(gpu, TESSERA_REG_TEST_DMA_TARGET);
    size = regs_get32(gpu, TESSERA_REG_TEST_DMA_SIZE);
    gpu_unlock(gpu);
    if (!test_copy(gpu, target, source, size, &fault)) {
        status |= TESSERA_TEST_DMA_STATUS_ERROR_MASK |
                  fault.cause << TESSERA_TEST_DMA_STATUS_CAUSE_SHIFT;
    }
    gpu_lock(gpu);
    set_status(gpu, status);
    gpu->test_dma_busy = false;
    gpu_unlock(gpu);
    ih_post(gpu, &(GpuEvent){
        .source = TESSERA_IH_TEST,
        .queue = NO_QUEUE,
        .data = (1ull << 32) + size,
    });
}
