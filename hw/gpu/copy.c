/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packet processor's own accesses to guest memory, page by page; to other
 * devices word by word.
 */
#include <string.h>
#include "hw/gpu/vm-int.h"

/*
 * A translation that the host finds and drops again, over and over, must not
 * hold up the other queues for ever.  A walk needs five.
 */
#define TRIES_MAX 64

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

/* ---- what takes time ---- */

/* Ask; NONE if it is done or is to be tried again, as *@again says. */
static TesseraFaultCause ask_host(TesseraGpu *gpu, TesseraRequest *request,
                                  TesseraFaultCause if_failed, bool *again)
{
    VmAnswer answer = vm_ask(gpu, request);

    *again = answer == VM_AGAIN;
    if (answer == VM_CUT) {
        return (TesseraFaultCause)VM_CANCELLED;
    }
    return answer == VM_ANSWERED && request->failed ? if_failed
                                                    : TESSERA_FAULT_NONE;
}

TesseraFaultCause gpu_vm_find(TesseraGpu *gpu, unsigned vmid, uint64_t va,
                              EngineAccess access, EnginePage *page)
{
    for (unsigned i = 0; i < TRIES_MAX; i++) {
        TesseraFaultCause cause = TESSERA_FAULT_NONE;
        TesseraRequest request = { .op = TESSERA_REQ_TRANSLATE };
        bool again;

        if (vm_is_cut(gpu)) {
            return (TesseraFaultCause)VM_CANCELLED;
        }
        if (inject_access(gpu)) {
            return TESSERA_FAULT_UNMAPPED;
        }
        cause = gpu_vm_translate(gpu, vmid, va, access, page);
        if (cause == (unsigned)ENGINE_DEVICE && access == ENGINE_FETCH) {
            return TESSERA_FAULT_NO_EXECUTE;
        }
        if (cause != (unsigned)ENGINE_WAIT) {
            return cause;
        }
        request.bus = page->backing;
        request.write = page->writable;
        cause = ask_host(gpu, &request, TESSERA_FAULT_IOMMU, &again);
        if (cause == TESSERA_FAULT_IOMMU && request.read_only) {
            return TESSERA_FAULT_READ_ONLY;
        }
        if (cause != TESSERA_FAULT_NONE) {
            return cause;
        }
    }
    return TESSERA_FAULT_IOMMU;
}

/* One access to another device; *@again if it has not taken place. */
static TesseraFaultCause device_access(TesseraGpu *gpu, uint64_t bus,
                                       EngineAccess access, unsigned size,
                                       uint64_t *data, bool *again)
{
    TesseraRequest request = {
        .op = access == ENGINE_WRITE ? TESSERA_REQ_WRITE : TESSERA_REQ_READ,
        .bus = bus,
        .size = size,
        .data = *data,
    };
    TesseraFaultCause cause = ask_host(gpu, &request, TESSERA_FAULT_BUS,
                                       again);

    if (cause == TESSERA_FAULT_NONE && !*again && access == ENGINE_READ) {
        *data = request.data;
    }
    return cause;
}

/* The largest aligned word, up to 8 bytes, that begins at @va. */
static unsigned word_size(uint64_t va, size_t len)
{
    unsigned size = 8;

    while (va % size || size > len) {
        size /= 2;
    }
    return size;
}

/* ---- copies ---- */

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

/* A piece of a copy inside one page, @page says where. */
static void copy_ram(TesseraGpu *gpu, const EnginePage *page, uint64_t va,
                     EngineAccess access, uint8_t *data, size_t len)
{
    uint8_t *at = page->host + (va & PAGE_MASK);

    if (access == ENGINE_WRITE) {
        copy_to_guest(at, data, len);
        gpu_vm_written(gpu, page->vram, page->backing + (va & PAGE_MASK),
                       len);
    } else {
        copy_from_guest(data, at, len);
    }
}

/* Copy what can be copied at once from @va on; *@len is how much. */
static TesseraFaultCause copy_piece(TesseraGpu *gpu, unsigned vmid,
                                    uint64_t va, EngineAccess access,
                                    uint8_t *data, size_t *len)
{
    EnginePage page;
    TesseraFaultCause cause = gpu_vm_find(gpu, vmid, va, access, &page);
    uint64_t word = 0;
    bool again;

    if (cause == TESSERA_FAULT_NONE) {
        *len = MIN(*len, ENGINE_PAGE - (va & PAGE_MASK));
        copy_ram(gpu, &page, va, access, data, *len);
        return cause;
    }
    if (cause != (unsigned)ENGINE_DEVICE) {
        return cause;
    }
    *len = word_size(va, *len);
    if (access == ENGINE_WRITE) {
        memcpy(&word, data, *len);
    }
    cause = device_access(gpu, page.backing + (va & PAGE_MASK), access, *len,
                          &word, &again);
    if (again) {
        *len = 0;
    } else if (access == ENGINE_READ) {
        memcpy(data, &word, *len);
    }
    return cause;
}

static bool copy(TesseraGpu *gpu, unsigned vmid, uint64_t va,
                 EngineAccess access, uint8_t *data, size_t len,
                 EngineFault *fault)
{
    while (len) {
        size_t part = len;
        TesseraFaultCause cause = copy_piece(gpu, vmid, va, access, data,
                                             &part);

        if (cause != TESSERA_FAULT_NONE) {
            return vm_fault(fault, cause, va, access);
        }
        va += part;
        data += part;
        len -= part;
    }
    return true;
}

bool gpu_vm_read(TesseraGpu *gpu, unsigned vmid, uint64_t va, void *data,
                 size_t len, EngineFault *fault)
{
    return copy(gpu, vmid, va, ENGINE_READ, data, len, fault);
}

bool gpu_vm_write(TesseraGpu *gpu, unsigned vmid, uint64_t va,
                  const void *data, size_t len, EngineFault *fault)
{
    return copy(gpu, vmid, va, ENGINE_WRITE, (uint8_t *)data, len, fault);
}

/* ---- atomics ---- */

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

static void atomic_ram(uint8_t *at, unsigned size, VmAtomic op,
                       uint64_t *value)
{
    if (size == 8) {
        atomic64((uint64_t *)at, op, value);
    } else if (size == 4) {
        atomic32((uint32_t *)at, op, value);
    } else {
        atomic16((uint16_t *)at, op, value);
    }
}

/* Other devices do loads and stores only. */
static TesseraFaultCause atomic_device(TesseraGpu *gpu, uint64_t bus,
                                       unsigned size, VmAtomic op,
                                       uint64_t *value, bool *again)
{
    if (op != VM_LOAD && op != VM_STORE) {
        return TESSERA_FAULT_DEVICE_ATOMIC;
    }
    return device_access(gpu, bus, op == VM_LOAD ? ENGINE_READ : ENGINE_WRITE,
                         size, value, again);
}

bool gpu_vm_atomic(TesseraGpu *gpu, unsigned vmid, uint64_t va, unsigned size,
                   VmAtomic op, uint64_t *value, EngineFault *fault)
{
    EngineAccess access = op == VM_LOAD ? ENGINE_READ : ENGINE_WRITE;
    bool again = false;

    if (va % size) {
        return vm_fault(fault, TESSERA_FAULT_MISALIGNED, va, access);
    }
    do {
        EnginePage page;
        TesseraFaultCause cause = gpu_vm_find(gpu, vmid, va, access, &page);

        again = false;
        if (cause == TESSERA_FAULT_NONE) {
            atomic_ram(page.host + (va & PAGE_MASK), size, op, value);
            if (op != VM_LOAD) {
                gpu_vm_written(gpu, page.vram,
                               page.backing + (va & PAGE_MASK), size);
            }
        } else if (cause == (unsigned)ENGINE_DEVICE) {
            cause = atomic_device(gpu, page.backing + (va & PAGE_MASK), size,
                                  op, value, &again);
        }
        if (cause != TESSERA_FAULT_NONE) {
            return vm_fault(fault, cause, va, access);
        }
    } while (again);
    return true;
}
