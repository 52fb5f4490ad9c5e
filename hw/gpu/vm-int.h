/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces from the inside: what walk.c, route.c, ask.c, copy.c and vm.c
 * share.
 *
 *   vm.c     an address of a VMID: with or without page tables
 *   walk.c   page tables
 *   route.c  what lies at a bus address, an offset in VRAM, in a doorbell slice
 *   ask.c    what the host has to find out first
 *   copy.c   the packet processor's own accesses
 *
 * Of vm.c, walk.c and route.c everything runs under gpu->vm.lock.
 */
#ifndef GPU_VM_INT_H
#define GPU_VM_INT_H

#include "hw/gpu/internal.h"
#include "tessera/pagetable.h"

#define PAGE_MASK ((uint64_t)ENGINE_PAGE - 1)

/*
 * EnginePage.backing of doorbell 0, with `vram` set: beyond any VRAM.  So it
 * does not matter where, or whether, BAR 4 lies on the bus.
 */
#define DOORBELL_BACKING (1ull << 62)

/* What page tables say of a page. */
typedef struct VmLeaf {
    uint64_t address; /* of the 4 KiB page, see `entry` */
    uint64_t entry;   /* SYSTEM, DOORBELL and the permissions count */
    bool huge;        /* in a page of 2 MiB */
} VmLeaf;

/*
 * Look up @va in the tables below @root (the entry in VM_ROOT, valid).  Four
 * reads at most, whatever the tables hold.  May say ENGINE_WAIT; @page is
 * then as gpu_vm_translate() leaves it.
 */
TesseraFaultCause vm_walk(TesseraGpu *gpu, uint64_t root, uint64_t va,
                          VmLeaf *leaf, EnginePage *page);

/*
 * What lies at a page-aligned bus address.  @slices: whether all doorbells may
 * be touched, or only those of @vmid.
 */
typedef enum VmSlices { VM_OWN_SLICE, VM_ALL_SLICES } VmSlices;
TesseraFaultCause vm_route_bus(TesseraGpu *gpu, unsigned vmid,
                               VmSlices slices, uint64_t bus,
                               EngineAccess access, EnginePage *page);
/* The same for an offset in VRAM, and in the doorbells of all VMIDs. */
TesseraFaultCause vm_route_vram(TesseraGpu *gpu, uint64_t offset,
                                EnginePage *page);
TesseraFaultCause vm_route_doorbell(TesseraGpu *gpu, uint64_t offset,
                                    EngineAccess access, EnginePage *page);
/*
 * Fill in before and after of a page of VRAM or RAM that was found in a 2 MiB
 * page, or without page tables.
 */
void vm_route_stretch(TesseraGpu *gpu, EnginePage *page);
/* A page that a page table may lie in, else PAGE_TABLE or ENGINE_WAIT. */
TesseraFaultCause vm_route_table(TesseraGpu *gpu, bool system,
                                 uint64_t address, EnginePage *page);

/* How a question to the host ended. */
typedef enum VmAnswer {
    VM_ANSWERED, /* see TesseraRequest.failed */
    VM_AGAIN,    /* cancelled by a hold: find out anew what to ask */
    VM_CUT,      /* cancelled by a reset: unwind */
} VmAnswer;

/*
 * CP: have the host answer op, bus, size, write and data of @request, and wait
 * for it.  Holds go on meanwhile, as the CP counts as idle.
 */
VmAnswer vm_ask(TesseraGpu *gpu, TesseraRequest *request);

#endif
