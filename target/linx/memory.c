/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slow half of what memory.h says. */
#include "target/linx/memory.h"

/* Causes of E_DATA that stores have 3 above those of loads. */
enum { LOAD_ACCESS = 0, LOAD_PAGE = 2, OF_STORES = 3, DATA_BUS = 7 };

/*
 * An address space with page tables has page faults, that of VMID 0 access
 * faults (linx-blocks section 13).
 */
static uint32_t data_cause(const LinxContext *x, TesseraFaultCause cause,
                           bool is_store)
{
    bool paged = x->wave->asid & ~(uint64_t)TLB_VALID;

    if (cause == TESSERA_FAULT_BUS || cause == TESSERA_FAULT_IOMMU ||
        cause == TESSERA_FAULT_DEVICE_ATOMIC) {
        return DATA_BUS;
    }
    return (paged ? LOAD_PAGE : LOAD_ACCESS) + (is_store ? OF_STORES : 0);
}

bool linx_memory_stop(LinxContext *x, TesseraFaultCause cause,
                      uint64_t address, bool is_store)
{
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        x->waiting = true;
        return false;
    }
    x->cause = cause;
    return linx_raise(x, LINX_E_DATA, data_cause(x, cause, is_store),
                      address);
}

bool linx_memory_move(LinxContext *x, uint64_t address, void *data,
                      unsigned bytes, bool is_store)
{
    const LinxMemory *memory = &x->state->memory;
    MemSpan span = { address, bytes };
    TesseraFaultCause cause;
    uint64_t bad = address;

    if (!x->wave) {
        return (is_store ? memory->write(memory->opaque, address, data, bytes) :
                memory->read(memory->opaque, address, data, bytes)) ||
               linx_raise(x, LINX_E_DATA, is_store ? LINX_DATA_STORE_ACCESS :
                          LINX_DATA_LOAD_ACCESS, address);
    }
    cause = mem_move(x->wave, &span, 1, data,
                     is_store ? ENGINE_WRITE : ENGINE_READ, true, &bad);
    if (cause != TESSERA_FAULT_NONE) {
        return linx_memory_stop(x, cause, bad, is_store);
    }
    return true;
}

bool linx_memory_atomic(LinxContext *x, uint64_t address, bool is_store,
                        uint8_t **host)
{
    TesseraFaultCause cause;

    *host = mem_ptr(x->wave, address, ENGINE_WRITE, &cause);
    if (*host) {
        return true;
    }
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        wave_want_page(x->wave, address, ENGINE_WRITE);
    }
    return linx_memory_stop(x, cause == (TesseraFaultCause)ENGINE_DEVICE ?
                            TESSERA_FAULT_DEVICE_ATOMIC : cause, address,
                            is_store);
}
