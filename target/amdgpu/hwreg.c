/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware registers (gfx-facts section 10).
 *
 * Memory accesses are complete when they are issued, so that IB_STS counts
 * nothing unless hazards=strict.  Where in its CU a wave runs is made up from
 * its place in the work-group, so that it does not depend on the schedule.
 */
#include "hwreg.h"
#include "isa.h"

typedef enum Hwreg {
    HWREG_NONE, /* reads as 0 */
    HWREG_MODE,
    HWREG_STATUS,
    HWREG_STATE_PRIV, /* gfx12: a part of what STATUS was */
    HWREG_TRAPSTS,
    HWREG_EXCP_FLAG_PRIV, /* gfx12: TRAPSTS in two halves */
    HWREG_EXCP_FLAG_USER,
    HWREG_TRAP_CTRL, /* gfx12: MODE.EXCP_EN */
    HWREG_HW_ID,
    HWREG_HW_ID1, /* gfx10 on */
    HWREG_HW_ID2,
    HWREG_GPR_ALLOC,
    HWREG_LDS_ALLOC,
    HWREG_IB_STS,
    HWREG_SH_MEM_BASES,
    HWREG_TBA_LO, /* addresses of the trap handler and its memory: */
    HWREG_TBA_HI, /* bits 63:8 in two halves */
    HWREG_TMA_LO,
    HWREG_TMA_HI,
    HWREG_FLAT_SCR_LO, /* gfx12: SCRATCH_BASE */
    HWREG_FLAT_SCR_HI,
    HWREG_CYCLES_LO,
    HWREG_CYCLES_HI,
} Hwreg;

/* By generation and number. */
static const uint8_t hwregs[][64] = {
    [GEN_9] = {
        [1] = HWREG_MODE, [2] = HWREG_STATUS, [3] = HWREG_TRAPSTS,
        [4] = HWREG_HW_ID, [5] = HWREG_GPR_ALLOC, [6] = HWREG_LDS_ALLOC,
        [7] = HWREG_IB_STS, [15] = HWREG_SH_MEM_BASES,
        [16] = HWREG_TBA_LO, [17] = HWREG_TBA_HI, [18] = HWREG_TMA_LO,
        [19] = HWREG_TMA_HI,
    },
    [GEN_11] = {
        [1] = HWREG_MODE, [2] = HWREG_STATUS, [3] = HWREG_TRAPSTS,
        [5] = HWREG_GPR_ALLOC, [6] = HWREG_LDS_ALLOC, [7] = HWREG_IB_STS,
        [15] = HWREG_SH_MEM_BASES, [20] = HWREG_FLAT_SCR_LO,
        [21] = HWREG_FLAT_SCR_HI, [23] = HWREG_HW_ID1, [24] = HWREG_HW_ID2,
        [29] = HWREG_CYCLES_LO,
    },
    [GEN_12] = {
        [1] = HWREG_MODE, [2] = HWREG_STATUS, [4] = HWREG_STATE_PRIV,
        [5] = HWREG_GPR_ALLOC, [6] = HWREG_LDS_ALLOC, [7] = HWREG_IB_STS,
        [17] = HWREG_EXCP_FLAG_PRIV, [18] = HWREG_EXCP_FLAG_USER,
        [19] = HWREG_TRAP_CTRL, [20] = HWREG_FLAT_SCR_LO,
        [21] = HWREG_FLAT_SCR_HI, [23] = HWREG_HW_ID1, [24] = HWREG_HW_ID2,
        [29] = HWREG_CYCLES_LO, [30] = HWREG_CYCLES_HI,
    },
};

/* Bits of MODE that a generation has. */
static const uint32_t mode_bits[] = {
    [GEN_9] = 0xffffffff,
    [GEN_11] = 0x00ffffff, /* no VGPR indexing, skipping or forks */
    [GEN_12] = 0x018000ff, /* no DX10_CLAMP, IEEE and EXCP_EN */
};

#define LDS_GRANULE 512 /* bytes; rsrc2 counts the same */
#define CYCLES_GFX11 0xfffff /* SHADER_CYCLES is 20 bits wide */
#define EXCP_MASK 0x7f

static uint32_t status(const AmdWave *w)
{
    const EngineGroup *group = w->w.group;
    uint32_t all = w->privileged << 5 |
                   (w->launch->tba || w->launch->rsrc2 >> 6 & 1) << 6 |
                   (uint32_t)w->execz << 9 | (uint32_t)w->vccz << 10 |
                   (group->waves > 1) << 11 | 1u << 16;

    if (w->isa->gen == GEN_12) {
        return all | (uint32_t)!w->half << 29;
    }
    return all | w->scc | w->priority << 3 | w->halted << 13;
}

static uint32_t state_priv(const AmdWave *w)
{
    return (w->w.complete & 1u) << 2 | w->scc << 9 | w->priority << 12 |
           w->halted << 14;
}

static uint32_t excp_flag_priv(const AmdWave *w)
{
    return (w->trapsts & TRAPSTS_MEM_VIOL ? 1 << 4 : 0) |
           (w->trapsts & TRAPSTS_ILLEGAL_INST ? 1 << 6 : 0);
}

static uint32_t hw_id(const AmdWave *w)
{
    unsigned i = w->w.index;

    return (i / 4 & 0xf) | (i & 3) << 4 | (w->w.group->cu & 0xf) << 8 |
           (w->w.asid & 0xf) << 20;
}

/* A WGP has two CUs of two SIMDs. */
static uint32_t hw_id1(const AmdWave *w)
{
    unsigned i = w->w.index;

    return (i / 4 & 0x1f) | (i & 3) << 8 | (w->w.group->cu / 2 & 0xf) << 10;
}

static uint32_t hw_id2(const AmdWave *w)
{
    return (uint32_t)(w->w.asid & 0xf) << 24;
}

static uint32_t gpr_alloc(const AmdWave *w)
{
    uint32_t r = w->launch->rsrc1;

    return w->isa->gen == GEN_9 ? (r & 0x3f) << 8 | (r >> 7 & 0x7) << 24
                                : (r & 0x3f) << 12;
}

static uint32_t lds_alloc(const AmdWave *w)
{
    return (w->w.group->lds_size + LDS_GRANULE - 1) / LDS_GRANULE << 12;
}

static uint32_t cycles(const AmdWave *w)
{
    uint32_t now = (uint32_t)wave_clock(&w->w);

    return w->isa->gen == GEN_11 ? now & CYCLES_GFX11 : now;
}

static uint32_t read_register(const AmdWave *w, unsigned id)
{
    switch ((Hwreg)hwregs[w->isa->gen][id]) {
    case HWREG_MODE:
        return w->mode & mode_bits[w->isa->gen];
    case HWREG_STATUS:
        return status(w);
    case HWREG_STATE_PRIV:
        return state_priv(w);
    case HWREG_TRAPSTS:
        return w->trapsts;
    case HWREG_EXCP_FLAG_PRIV:
        return excp_flag_priv(w);
    case HWREG_EXCP_FLAG_USER:
        return w->trapsts & EXCP_MASK;
    case HWREG_TRAP_CTRL:
        return w->mode >> MODE_EXCP_EN_SHIFT & EXCP_MASK;
    case HWREG_HW_ID:
        return hw_id(w);
    case HWREG_HW_ID1:
        return hw_id1(w);
    case HWREG_HW_ID2:
        return hw_id2(w);
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
    case HWREG_FLAT_SCR_LO:
        return (uint32_t)w->flat_scratch;
    case HWREG_FLAT_SCR_HI:
        return (uint32_t)(w->flat_scratch >> 32);
    case HWREG_CYCLES_LO:
        return cycles(w);
    case HWREG_CYCLES_HI:
        return (uint32_t)(wave_clock(&w->w) >> 32);
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

/*
 * A trap handler restores SCC, and may ask for a halt when it returns.  STATUS
 * has them at bits 0 and 13, STATE_PRIV at 9 and 14.
 */
static void set_status(AmdWave *w, uint32_t next, unsigned scc, unsigned halt)
{
    if (w->privileged) {
        w->scc = next >> scc & 1;
        w->halted = next >> halt & 1;
    }
}

/* @value under @mask, in the bits of *@word that are @width wide from @low. */
static void set_bits(uint32_t *word, uint32_t mask, uint32_t value,
                     unsigned low, uint32_t width)
{
    mask = (mask & width) << low;
    *word = (*word & ~mask) | (value << low & mask);
}

static void set_excp_flag_priv(AmdWave *w, uint32_t mask, uint32_t value)
{
    set_bits(&w->trapsts, mask >> 4, value >> 4, 8, 1);
    set_bits(&w->trapsts, mask >> 6, value >> 6, 11, 1);
}

void amd_setreg(AmdWave *w, uint32_t field, uint32_t value)
{
    uint32_t mask = field_mask(field) << field_low(field);

    value = value << field_low(field) & mask;
    switch ((Hwreg)hwregs[w->isa->gen][field_id(field)]) {
    case HWREG_MODE:
        set_bits(&w->mode, mask, value, 0, mode_bits[w->isa->gen]);
        amd_mode_changed(w);
        break;
    case HWREG_TRAP_CTRL:
        set_bits(&w->mode, mask, value, MODE_EXCP_EN_SHIFT, EXCP_MASK);
        break;
    case HWREG_TRAPSTS:
        set_bits(&w->trapsts, mask, value, 0, UINT32_MAX);
        break;
    case HWREG_EXCP_FLAG_USER:
        set_bits(&w->trapsts, mask, value, 0, EXCP_MASK);
        break;
    case HWREG_EXCP_FLAG_PRIV:
        if (w->privileged) {
            set_excp_flag_priv(w, mask, value);
        }
        break;
    case HWREG_STATUS:
        if (w->isa->gen != GEN_12) {
            set_status(w, (status(w) & ~mask) | value, 0, 13);
        }
        break;
    case HWREG_STATE_PRIV:
        set_status(w, (state_priv(w) & ~mask) | value, 9, 14);
        break;
    default:
        break;
    }
}

/* ---- messages ---- */

/*
 * The addresses are those of the registers that older generations have for
 * them, bits 63:8: the trap handlers of Linux and Mesa shift them.  LLVM's code
 * for s_trap takes bits 9:0 of the doorbell.  There are no draws, and one
 * shader engine.
 */
uint64_t amd_sendmsg_rtn(const AmdWave *w, uint32_t message)
{
    switch (message & 0xff) {
    case 0x80: /* GET_DOORBELL */
        return w->launch->doorbell;
    case 0x82: /* GET_TMA */
        return w->launch->tma >> 8;
    case 0x83: /* GET_REALTIME */
        return wave_clock(&w->w);
    case 0x85: /* GET_TBA */
        return w->launch->tba >> 8;
    default:
        return 0;
    }
}
