/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware registers of gfx900 (gfx-facts section 10).
 *
 * Memory accesses are complete when they are issued, so that IB_STS counts
 * nothing unless hazards=strict.  Where in its CU a wave runs is made up from its place in the
 * work-group, so that it does not depend on the schedule.
 */
#include "hwreg.h"
#include "strict.h"

enum {
    HWREG_MODE = 1,
    HWREG_STATUS = 2,
    HWREG_TRAPSTS = 3,
    HWREG_HW_ID = 4,
    HWREG_GPR_ALLOC = 5,
    HWREG_LDS_ALLOC = 6,
    HWREG_IB_STS = 7,
    HWREG_SH_MEM_BASES = 15,
    HWREG_TBA_LO = 16, /* addresses of the trap handler and its memory: */
    HWREG_TBA_HI = 17, /* bits 63:8 in two halves */
    HWREG_TMA_LO = 18,
    HWREG_TMA_HI = 19,
};

#define LDS_GRANULE 512 /* bytes; rsrc2 counts the same */

static uint32_t status(const AmdWave *w)
{
    const EngineGroup *group = w->w.group;

    return w->scc | w->priority << 3 | w->privileged << 5 |
           (w->launch->tba || w->launch->rsrc2 >> 6 & 1) << 6 |
           (uint32_t)w->execz << 9 | (uint32_t)w->vccz << 10 |
           (group->waves > 1) << 11 | w->halted << 13 | 1u << 16;
}

static uint32_t hw_id(const AmdWave *w)
{
    unsigned i = w->w.index;

    return (i / 4 & 0xf) | (i & 3) << 4 | (w->w.group->cu & 0xf) << 8 |
           (w->w.asid & 0xf) << 20;
}

static uint32_t gpr_alloc(const AmdWave *w)
{
    uint32_t r = w->launch->rsrc1;

    return (r & 0x3f) << 8 | (r >> 7 & 0x7) << 24;
}

static uint32_t lds_alloc(const AmdWave *w)
{
    return (w->w.group->lds_size + LDS_GRANULE - 1) / LDS_GRANULE << 12;
}

static uint32_t read_register(const AmdWave *w, unsigned id)
{
    switch (id) {
    case HWREG_MODE:
        return w->mode;
    case HWREG_STATUS:
        return status(w);
    case HWREG_TRAPSTS:
        return w->trapsts;
    case HWREG_HW_ID:
        return hw_id(w);
    case HWREG_GPR_ALLOC:
        return gpr_alloc(w);
    case HWREG_LDS_ALLOC:
        return lds_alloc(w);
    case HWREG_SH_MEM_BASES:
        return w->launch->private_base_hi |
               (uint32_t)w->launch->shared_base_hi << 16;
    case HWREG_TBA_LO:
        return (uint32_t)(w->launch->tba >> 8);
    case HWREG_TBA_HI:
        return (uint32_t)(w->launch->tba >> 40);
    case HWREG_TMA_LO:
        return (uint32_t)(w->launch->tma >> 8);
    case HWREG_TMA_HI:
        return (uint32_t)(w->launch->tma >> 40);
    case HWREG_IB_STS:
        return amd_strict_counters(w);
    default:
        return 0;
    }
}

/* ---- fields ---- */

static unsigned field_id(uint32_t field)
{
    return field & 0x3f;
}

static unsigned field_low(uint32_t field)
{
    return field >> 6 & 0x1f;
}

/* The field's bits, moved down to bit 0. */
static uint32_t field_mask(uint32_t field)
{
    return 0xffffffffu >> (31 - (field >> 11 & 0x1f));
}

uint32_t amd_getreg(const AmdWave *w, uint32_t field)
{
    return read_register(w, field_id(field)) >> field_low(field) &
           field_mask(field);
}

/* A trap handler restores SCC, and may ask for a halt when it returns. */
static void set_status(AmdWave *w, uint32_t mask, uint32_t value)
{
    uint32_t next = (status(w) & ~mask) | value;

    w->scc = next & 1;
    w->halted = next >> 13 & 1;
}

void amd_setreg(AmdWave *w, uint32_t field, uint32_t value)
{
    uint32_t mask = field_mask(field) << field_low(field);

    value = value << field_low(field) & mask;
    switch (field_id(field)) {
    case HWREG_MODE:
        w->mode = (w->mode & ~mask) | value;
        amd_mode_changed(w);
        break;
    case HWREG_TRAPSTS:
        w->trapsts = (w->trapsts & ~mask) | value;
        break;
    case HWREG_STATUS:
        if (w->privileged) {
            set_status(w, mask, value);
        }
        break;
    default:
        break;
    }
}
