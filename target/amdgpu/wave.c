/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wave's start state and the registers that are computed when read.
 */
#include "exec.h"
#include "exec/operand.h"
#include "isa.h"
#include "start.h"
#include "trap.h"

/* ---- MODE ---- */

/* @denorm: bit 0, operands are kept; bit 1, results are kept. */
static uint32_t mxcsr_of(unsigned round, unsigned denorm)
{
    /* MODE: nearest, +inf, -inf, zero; MXCSR: nearest, -inf, +inf, zero. */
    static const uint32_t rc[4] = { 0, 2, 1, 3 };
    uint32_t csr = 0x1f80 | rc[round] << 13; /* all exceptions masked */

    if (!(denorm & 2)) {
        csr |= 0x8000; /* results are flushed */
    }
    if (!(denorm & 1)) {
        csr |= 0x0040; /* operands are flushed */
    }
    return csr;
}

void amd_mode_changed(AmdWave *w)
{
    uint32_t m = w->mode;

    w->mxcsr[FLOAT_32] = mxcsr_of(m & 3, m >> 4 & 3);
    w->mxcsr[FLOAT_16_64] = mxcsr_of(m >> 2 & 3, m >> 6 & 3);
    /* f64's rounding (LLVM, SIModeRegister), f32's denormals */
    w->mxcsr[FLOAT_NARROW] = mxcsr_of(m >> 2 & 3, m >> 4 & 3);
    w->mxcsr[FLOAT_DOT] = mxcsr_of(0, 3);
    w->mxcsr[FLOAT_DOT_FLUSH] = mxcsr_of(0, 0);
    w->float_class = FLOAT_UNKNOWN;
}

/* ---- start (gfx-facts section 11) ---- */

static unsigned active_lanes(const Wave *wave)
{
    return __builtin_popcountll(sgpr64((const AmdWave *)wave, SGPR_EXEC));
}

enum {
    PROP_PRIVATE_BUFFER = 1 << 0,
    PROP_DISPATCH_PTR = 1 << 1,
    PROP_QUEUE_PTR = 1 << 2,
    PROP_KERNARG_PTR = 1 << 3,
    PROP_DISPATCH_ID = 1 << 4,
    PROP_FLAT_SCRATCH = 1 << 5,
    PROP_PRIVATE_SIZE = 1 << 6,
    PROP_WAVE32 = 1 << 10,
};

unsigned amd_lanes_64(const TesseraLaunch *launch)
{
    return 64;
}

unsigned amd_lanes_32_64(const TesseraLaunch *launch)
{
    return launch->properties & PROP_WAVE32 ? 32 : 64;
}

/* rsrc1.vgprs counts granules of four. */
unsigned amd_vgprs_64(const TesseraLaunch *launch)
{
    return ((launch->rsrc1 & 0x3f) + 1) * 4;
}

/* Twice that in waves of 32 lanes, which take half the room. */
unsigned amd_vgprs_32_64(const TesseraLaunch *launch)
{
    return amd_vgprs_64(launch) * (amd_lanes_32_64(launch) == 32 ? 2 : 1);
}

INL unsigned put_words(uint32_t *s, unsigned n, const void *words,
                       unsigned count)
{
    memcpy(&s[n], words, count * 4);
    return n + count;
}

/*
 * User SGPRs, in the order of the properties' bits.  At most 16 dwords by the
 * sum of their sizes.
 */
static void user_sgprs(uint32_t *s, const TesseraLaunch *l)
{
    uint32_t p = l->properties;
    unsigned n = 0;

    if (p & PROP_PRIVATE_BUFFER) {
        n = put_words(s, n, l->scratch_desc, 4);
    }
    if (p & PROP_DISPATCH_PTR) {
        n = put_words(s, n, &l->dispatch_ptr, 2);
    }
    if (p & PROP_QUEUE_PTR) {
        n = put_words(s, n, &l->queue_ptr, 2);
    }
    if (p & PROP_KERNARG_PTR) {
        n = put_words(s, n, &l->kernarg_ptr, 2);
    }
    if (p & PROP_DISPATCH_ID) {
        n = put_words(s, n, &l->dispatch_id, 2);
    }
    if (p & PROP_FLAT_SCRATCH) {
        /* Base of the queue's scratch; the prologue adds the wave's offset. */
        n = put_words(s, n, &l->scratch_base, 2);
    }
    if (p & PROP_PRIVATE_SIZE) {
        n = put_words(s, n, &l->private_size, 1);
    }
}

/* The aperture registers and the other things that read like registers. */
static void start_specials(AmdWave *w, const TesseraLaunch *l)
{
    w->shared_base = (uint64_t)l->shared_base_hi << 48;
    w->shared_limit = w->shared_base | UINT32_MAX;
    w->private_base = (uint64_t)l->private_base_hi << 48;
    w->private_limit = w->private_base | UINT32_MAX;
    w->one_by_two_pi = 0x3fc45f306dc9c882;
    w->zero = 0;
    w->scc_high = 0;
    memset(w->null_source, 0, sizeof(w->null_source));
}

/* VM_SH_MEM_CONFIG (FL9). */
static void start_memory(AmdWave *w, const TesseraLaunch *l)
{
    static const uint8_t align[4] = {
        MEM_ALIGN_DWORD, MEM_ALIGN_CHECKED, MEM_ALIGN_STRICT, 0,
    };
    uint32_t config = l->mem_config;

    w->mem_mode = align[config >> 3 & 3] | (config & 1 ? MEM_PTR32 : 0);
    w->mem_continue = config >> 31;
    /* gfx900's prologue sets it; from gfx11 on it is not among the SGPRs. */
    w->flat_scratch_at = w->isa->gen == GEN_9
                             ? offsetof(AmdWave, s[SGPR_FLAT_SCRATCH])
                             : offsetof(AmdWave, flat_scratch);
}

/* What rsrc1 and rsrc2 say (gfx-facts section 11). */
static uint32_t start_mode(const AmdWave *w, const TesseraLaunch *l)
{
    uint32_t excp = (l->rsrc2 >> 24 & 0x7f) | (l->rsrc2 >> 13 & 3) << 7;
    bool has_ieee = w->isa->gen != GEN_12; /* else those bits mean others */

    return (l->rsrc1 >> 12 & 0xff) |
           (has_ieee && l->rsrc1 >> 21 & 1 ? MODE_DX10_CLAMP : 0) |
           (has_ieee && l->rsrc1 >> 23 & 1 ? MODE_IEEE : 0) |
           (l->rsrc1 >> 26 & 1 ? MODE_FP16_OVFL : 0) |
           excp << MODE_EXCP_EN_SHIFT;
}

/* The start values of registers, too: they are kept in the wave. */
void amd_start_dispatch(AmdWave *w, const TesseraLaunch *l,
                        const AmdIsa *isa)
{
    unsigned lanes = isa->wave_lanes(l);

    w->w.active_lanes = active_lanes;
    w->isa = isa;
    w->launch = l;
    w->w.lanes = lanes;
    w->half = lanes == 32;
    w->full = w->half ? UINT32_MAX : UINT64_MAX;
    start_specials(w, l);
    start_memory(w, l);
    memset(w->v, 0, sizeof(w->v));
    memset(&w->exec, 0, sizeof(w->exec));
    w->inactive = UINT64_MAX; /* not known yet, so that EXEC is set */
    memset(&w->start, 0, sizeof(w->start));
    user_sgprs(w->start.s, l);
    w->start.vgprs = MIN(isa->wave_vgprs(l), AMD_VGPRS);
    w->start.ids = MIN((l->rsrc2 >> 11 & 3) + 1, 3);
    w->mode = w->start.mode = start_mode(w, l);
    amd_mode_changed(w);
}

/* ---- decoding ---- */

const Uop *amd_illegal(Wave *wave, const Uop *uop)
{
    AmdWave *w = amd(wave);

    w->trapsts |= TRAPSTS_ILLEGAL_INST;
    if (amd_traps(w)) {
        return amd_trap_enter(w, uop, 0, 0);
    }
    return wave_fault(wave, uop, TESSERA_FAULT_ILLEGAL_INSTRUCTION,
                      ENGINE_FETCH, wave_pc(wave, uop), 0);
}

const Uop *amd_no_gds(Wave *wave, const Uop *uop)
{
    return wave_fault(wave, uop, TESSERA_FAULT_NO_GDS, ENGINE_FETCH,
                      wave_pc(wave, uop), 0);
}

const Uop *amd_unimplemented(Wave *wave, const Uop *uop)
{
    return wave_fault(wave, uop, TESSERA_FAULT_UNIMPLEMENTED, ENGINE_FETCH,
                      wave_pc(wave, uop), 0);
}
