/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces of the mock device: page tables in RAM or VRAM, as a driver
 * builds them.
 */
#ifndef GPU_SPACE_H
#define GPU_SPACE_H

#include "guest/vm/pages.h"
#include "tests-unit/gpu-fixture.h"

#define RW (TESSERA_PT_READ | TESSERA_PT_WRITE)
#define RAM_RW (TESSERA_PT_SYSTEM | RW)
#define RAM_RWX (RAM_RW | TESSERA_PT_EXECUTE)

typedef struct Space {
    Fixture *f;
    unsigned vmid;
    PageSpace pages;
    uint64_t vram_heap; /* tables go to VRAM from this offset on, if not 0 */
    bool mixed;         /* every other table goes to RAM */
    unsigned tables;
} Space;

/* No tables yet; @vram: where in VRAM they will go, 0: to RAM. */
Space *space_new(Fixture *f, unsigned vmid, uint64_t vram);
void space_free(Space *s);
void space_map(Space *s, uint64_t va, uint64_t size, uint64_t leaf);
/* Write VM_ROOT. */
void space_on(Space *s);
void space_off(Space *s);
/* Have the device forget what it knew. */
void space_invalidate(Space *s);

/* The entry that @va goes through at @level, in memory. */
uint64_t *space_entry(Space *s, uint64_t va, unsigned level);

/* What the engine is told of @va. */
TesseraFaultCause space_find(Space *s, uint64_t va, EngineAccess access,
                             EnginePage *page);

#endif
