/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wave's start state and the registers that are computed when read.
 */
#include "exec.h"
#include "exec/operand.h"
#include "isa.h"
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
    w->float_class = FLOAT_NONE;
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

/*
 * gfx12 has no system SGPRs: the work-group's ids are in ttmp9 and ttmp7, and
 * the wave's place in it in ttmp8[29:25].
 */
static void system_ttmps(AmdWave *w, const EngineGroup *group)
{
    w->s[SGPR_TTMP + 9] = group->id[0];
    w->s[SGPR_TTMP + 7] = (group->id[1] & 0xffff) | group->id[2] << 16;
    w->s[SGPR_TTMP + 8] = w->w.index << 25;
}

/* System SGPRs follow the user ones, each if enabled in rsrc2. */
static void system_sgprs(AmdWave *w, const TesseraLaunch *l,
                         const EngineGroup *group)
{
    unsigned n = l->rsrc2 >> 1 & 0x1f;

    for (int i = 0; i < 3; i++) {
        if (l->rsrc2 >> (7 + i) & 1) {
            w->s[n++] = group->id[i];
        }
    }
    if (l->rsrc2 >> 10 & 1) { /* work-group info */
        w->s[n++] = group->waves | (w->w.index == 0 ? 1u << 31 : 0);
    }
    if (l->rsrc2 & 1 && w->isa->gen == GEN_9) { /* scratch wave byte offset */
        w->s[n] = w->w.scratch_slot * l->scratch_wave_size;
    }
}

/* Work-item ids of one lane of the group, packed densely. */
static void item_ids(const EngineGroup *group, uint32_t item, uint32_t *id)
{
    id[0] = item % group->size[0];
    id[1] = item / group->size[0] % group->size[1];
    id[2] = item / group->size[0] / group->size[1];
}

/* Lanes @lane to @lane + @n - 1 of a register hold @x and what follows. */
INL void put_row(Vreg *v, unsigned lane, unsigned n, uint32_t x, bool grows)
{
    uint32_t *r = (uint32_t *)v + lane;
    unsigned i = 0;

    for (; i + 16 <= n; i += 16) {
        u32x16 y = splat32(x) + (grows ? iota16() + i : splat32(0));

        memcpy(&r[i], &y, sizeof(y));
    }
    for (; i < n; i++) {
        r[i] = grows ? x + i : x;
    }
}

/*
 * Ids of items that follow each other in X: a register each, or from gfx11 on,
 * 10 bits each in v0 (gfx90a began with that).
 */
static void put_ids(AmdWave *w, unsigned lane, unsigned n, const uint32_t *id)
{
    unsigned ids = w->start.ids;
    uint32_t packed = id[0];

    if (w->isa->gen != GEN_9) {
        for (unsigned i = 1; i < ids; i++) {
            packed |= id[i] << 10 * i;
        }
        put_row(&w->v[0], lane, n, packed, true);
        return;
    }
    put_row(&w->v[0], lane, n, id[0], true);
    for (unsigned i = 1; i < ids; i++) {
        put_row(&w->v[i], lane, n, id[i], false);
    }
}

/* Ids of the items from @first on in lanes 0 to @count - 1. */
static void start_ids(AmdWave *w, const EngineGroup *group, uint32_t first,
                      unsigned count)
{
    uint32_t id[3];
    unsigned n;

    item_ids(group, first, id);
    for (unsigned lane = 0; lane < count; lane += n) {
        n = MIN(count - lane, group->size[0] - id[0]);
        put_ids(w, lane, n, id);
        id[0] = 0;
        if (++id[1] == group->size[1]) {
            id[1] = 0;
            id[2]++;
        }
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

/*
 * What the instructions of a wave cannot change, and the start values of what
 * they can: they are the same in all waves of a dispatch.  Nothing of another
 * dispatch may be left to read.
 */
static void start_dispatch(AmdWave *w, const TesseraLaunch *l,
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
    memset(&w->start, 0, sizeof(w->start));
    user_sgprs(w->start.user, l);
    w->start.vgprs = MIN(isa->wave_vgprs(l), AMD_VGPRS);
    w->start.ids = MIN((l->rsrc2 >> 11 & 3) + 1, 3);
    w->mode = w->start.mode = start_mode(w, l);
    amd_mode_changed(w);
}

/*
 * VGPRs that the kernel has read as 0, but for ids; it cannot have come to know
 * the others from any other dispatch.  Those of @all lanes need no clearing.
 */
static void clear_vgprs(AmdWave *w, bool all)
{
    unsigned first = !all ? 0 : w->isa->gen == GEN_9 ? w->start.ids : 1;

    for (unsigned i = first; w->half && i < w->start.vgprs; i++) {
        memset(&w->v[i], 0, sizeof(Vreg) / 2);
    }
    if (!w->half && w->start.vgprs > first) {
        memset(&w->v[first], 0, (w->start.vgprs - first) * sizeof(Vreg));
    }
}

static void start_sgprs(AmdWave *w, const TesseraLaunch *l,
                        const EngineGroup *group)
{
    memcpy(w->s, w->start.user, sizeof(w->start.user));
    memset(&w->s[USER_SGPRS], 0, sizeof(w->s) - sizeof(w->start.user));
    if (w->isa->gen == GEN_12) {
        system_ttmps(w, group);
    } else {
        system_sgprs(w, l, group);
    }
    w->vccz = 1;
    w->scc = 0;
}

static void start_lanes(AmdWave *w, const EngineGroup *group, unsigned index)
{
    uint32_t items = group->size[0] * group->size[1] * group->size[2];
    uint32_t first = index * w->w.lanes;
    unsigned count = first < items ? MIN(items - first, w->w.lanes) : 0;

    clear_vgprs(w, count == w->w.lanes);
    start_ids(w, group, first, count);
    if (likely(count == 64)) {
        set_sgpr64(w, SGPR_EXEC, UINT64_MAX);
        w->inactive = w->execz = 0;
        memset(&w->exec, 0xff, sizeof(w->exec));
    } else {
        set_exec(w, (1ull << count) - 1);
    }
}

void amd_wave_start(Wave *wave, EngineGroup *group, unsigned index,
                    const AmdIsa *isa)
{
    AmdWave *w = amd(wave);
    const TesseraLaunch *l = &group->dispatch->launch;

    if (unlikely(wave->stale)) {
        start_dispatch(w, l, isa);
    } else if (w->mode != w->start.mode) {
        w->mode = w->start.mode;
        amd_mode_changed(w);
    }
    amd_strict_start(w);
    w->trapsts = 0;
    w->privileged = w->halted = false;
    w->priority = 0;
    w->rest.lanes = 0;
    w->scratch = l->scratch_base +
                 (uint64_t)w->w.scratch_slot * l->scratch_wave_size;
    w->flat_scratch = w->scratch;
    start_sgprs(w, l, group);
    start_lanes(w, group, index);
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
