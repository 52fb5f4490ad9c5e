/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces: from a VMID's addresses to host memory.  vm-int.h says what
 * lies where.
 */
#include <string.h>
#include "hw/gpu/vm-int.h"

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
    memset(gpu->vm.recent, 0, sizeof(gpu->vm.recent));
    __atomic_store_n(&gpu->vm.doorbells_shared, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&gpu->vm.lock);
}

void vm_set_bars(TesseraGpu *gpu, const TesseraBars *bars)
{
    pthread_mutex_lock(&gpu->vm.lock);
    gpu->vm.bars = *bars;
    pthread_mutex_unlock(&gpu->vm.lock);
}

/* ---- invalidation ---- */

/* Nobody but the workers keeps translations of virtual addresses. */
void vm_invalidate(TesseraGpu *gpu)
{
    hold_begin(gpu, HOLD_INVALIDATE);
    engine_forget(gpu->engine);
    hold_end(gpu, HOLD_INVALIDATE);
}

void vm_invalidate_cp(TesseraGpu *gpu)
{
    engine_park(gpu->engine);
    engine_forget(gpu->engine);
    engine_unpark(gpu->engine);
}

/* ---- translation ---- */

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
    TesseraFaultCause cause;

    if (va - TESSERA_VRAM_WINDOW < gpu->vram_size) {
        cause = vm_route_vram(gpu, va - TESSERA_VRAM_WINDOW, page);
    } else {
        cause = vm_route_bus(gpu, 0, VM_ALL_SLICES, va, access, page);
    }
    if (cause == TESSERA_FAULT_NONE) {
        vm_route_stretch(gpu, page);
    }
    return cause;
}

static TesseraFaultCause check_access(uint64_t entry, EngineAccess access)
{
    static const struct {
        uint64_t needs;
        TesseraFaultCause cause;
    } rules[] = {
        [ENGINE_READ] = { TESSERA_PT_READ, TESSERA_FAULT_NO_READ },
        [ENGINE_WRITE] = { TESSERA_PT_WRITE, TESSERA_FAULT_READ_ONLY },
        [ENGINE_FETCH] = { TESSERA_PT_EXECUTE, TESSERA_FAULT_NO_EXECUTE },
    };

    return entry & rules[access].needs ? TESSERA_FAULT_NONE
                                       : rules[access].cause;
}

static TesseraFaultCause route_leaf(TesseraGpu *gpu, unsigned vmid,
                                    const VmLeaf *leaf, EngineAccess access,
                                    EnginePage *page)
{
    if (leaf->entry & TESSERA_PT_SYSTEM) {
        return vm_route_bus(gpu, vmid, VM_OWN_SLICE, leaf->address, access,
                            page);
    }
    if (leaf->entry & TESSERA_PT_DOORBELL) {
        return vm_route_doorbell(
            gpu, vmid * TESSERA_SLICE_SIZE + leaf->address, access, page);
    }
    return vm_route_vram(gpu, leaf->address, page);
}

static TesseraFaultCause translate_tables(TesseraGpu *gpu, unsigned vmid,
                                          uint64_t root, uint64_t va,
                                          EngineAccess access,
                                          EnginePage *page)
{
    VmLeaf leaf;
    TesseraFaultCause cause = vm_walk(gpu, root, va, &leaf, page);

    if (cause == TESSERA_FAULT_NONE) {
        cause = check_access(leaf.entry, access);
    }
    if (cause != TESSERA_FAULT_NONE) {
        return cause;
    }
    cause = route_leaf(gpu, vmid, &leaf, access, page);
    if (cause == TESSERA_FAULT_NONE && leaf.huge) {
        vm_route_stretch(gpu, page);
    }
    if (!(leaf.entry & TESSERA_PT_WRITE)) {
        page->writable = false;
    }
    return cause;
}

static TesseraFaultCause translate(TesseraGpu *gpu, unsigned vmid,
                                   uint64_t root, uint64_t va,
                                   EngineAccess access, EnginePage *page)
{
    if (root & TESSERA_PT_VALID) {
        return translate_tables(gpu, vmid, root, va, access, page);
    }
    return vmid ? TESSERA_FAULT_UNMAPPED
                : translate_physical(gpu, va, access, page);
}

static uint64_t vm_root(TesseraGpu *gpu, unsigned vmid)
{
    uint64_t root;

    gpu_lock(gpu);
    root = regs_get64(gpu, TESSERA_REG_VM_ROOT + vmid * TESSERA_VM_STRIDE);
    gpu_unlock(gpu);
    return root;
}

static bool is_doorbell(const EnginePage *page)
{
    return page->vram && page->backing >= DOORBELL_BACKING;
}

TesseraFaultCause gpu_vm_translate(TesseraGpu *gpu, unsigned vmid,
                                   uint64_t va, EngineAccess access,
                                   EnginePage *page)
{
    uint64_t root = vm_root(gpu, vmid);
    TesseraFaultCause cause;

    pthread_mutex_lock(&gpu->vm.lock);
    cause = translate(gpu, vmid, root, va & ~PAGE_MASK, access, page);
    pthread_mutex_unlock(&gpu->vm.lock);
    if (cause == TESSERA_FAULT_NONE && access == ENGINE_WRITE &&
        is_doorbell(page)) {
        share_doorbells(gpu);
    }
    return cause;
}

void gpu_vm_written(TesseraGpu *gpu, bool vram, uint64_t backing,
                    uint64_t len)
{
    const TesseraHostOps *ops = gpu->host.ops;

    if (!vram) {
        ops->written(gpu->host.opaque, backing, len);
    } else if (backing < DOORBELL_BACKING) {
        ops->vram_written(gpu->host.opaque, backing, len);
    } else {
        doorbell_written(gpu, backing - DOORBELL_BACKING, len);
    }
}
