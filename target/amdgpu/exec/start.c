/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wave's start, of which a small kernel has one for a few instructions: what
 * does not differ from wave to wave is kept in the wave.
 */
#include "../../jit/jit.h"
#include "../exec.h"
#include "../isa.h"
#include "../start.h"

/* ---- scalar registers ---- */

/*
 * gfx12 has no system SGPRs: the work-group's ids are in ttmp9 and ttmp7, and
 * the wave's place in it in ttmp8[29:25].
 */
INL void start_ttmps(const AmdWave *w, const EngineGroup *group, uint32_t *s)
{
    s[SGPR_TTMP + 9] = group->id[0];
    s[SGPR_TTMP + 7] = (group->id[1] & 0xffff) | group->id[2] << 16;
    s[SGPR_TTMP + 8] = w->w.index << 25;
}

/* Up to gfx11 they follow the user ones, each if enabled in rsrc2. */
INL void start_system(const AmdWave *w, const TesseraLaunch *l,
                      const EngineGroup *group, uint32_t *s)
{
    s += l->rsrc2 >> 1 & 0x1f;
    for (int i = 0; i < 3; i++) {
        if (l->rsrc2 >> (7 + i) & 1) {
            *s++ = group->id[i];
        }
    }
    if (l->rsrc2 >> 10 & 1) { /* work-group info */
        *s++ = group->waves | (w->w.index == 0 ? 1u << 31 : 0);
    }
    if (l->rsrc2 & 1 && w->isa->gen == GEN_9) { /* scratch wave byte offset */
        *s = w->w.scratch_slot * l->scratch_wave_size;
    }
}

/* Those of @s that differ from wave to wave. */
INL void start_sgprs(const AmdWave *w, const EngineGroup *group, uint32_t *s)
{
    if (w->isa->gen == GEN_12) {
        start_ttmps(w, group, s);
    } else {
        start_system(w, &group->dispatch->launch, group, s);
    }
}

/* ---- work-item ids ---- */

/* Of one item of the group, packed densely. */
INL void item_ids(const EngineGroup *group, uint32_t item, uint32_t *id)
{
    uint32_t row = 0;

    id[1] = id[2] = 0;
    if (item >= group->size[0]) { /* divisions are slow */
        row = item / group->size[0];
        item %= group->size[0];
        id[1] = row % group->size[1];
        id[2] = row / group->size[1];
    }
    id[0] = item;
}

/* The item at @id is the last one of its row: on to the next row. */
INL void next_row(const EngineGroup *group, uint32_t *id)
{
    id[0] = 0;
    if (++id[1] == group->size[1]) {
        id[1] = 0;
        id[2]++;
    }
}

/*
 * What a lane's v0 begins with: the id in X, or from gfx11 on, 10 bits of each
 * that is wanted (gfx90a began with that).
 */
INL uint32_t first_id(const AmdWave *w, const uint32_t *id)
{
    uint32_t x = id[0];

    if (w->isa->gen != GEN_9) {
        x |= w->start.ids > 1 ? id[1] << 10 : 0;
        x |= w->start.ids > 2 ? id[2] << 20 : 0;
    }
    return x;
}

/* Registers that ids are in: up to gfx9, one each. */
INL unsigned id_vgprs(const AmdWave *w)
{
    return w->isa->gen == GEN_9 ? w->start.ids : 1;
}

/* What register @i begins with, but for lanes' numbers in the first one. */
INL uint32_t first_of(const AmdWave *w, const uint32_t *id, unsigned i)
{
    return i == 0 ? first_id(w, id) : i < id_vgprs(w) ? id[i] : 0;
}

/* In 16 lanes: items that follow each other in X. */
INL void slice_ids(AmdWave *w, int q, const uint32_t *id)
{
    unsigned vgprs = id_vgprs(w);

    w->v[0].q[q] = splat32(first_id(w, id)) + iota16();
    for (unsigned i = 1; i < vgprs; i++) {
        w->v[i].q[q] = splat32(id[i]);
    }
}

INL void lane_ids(AmdWave *w, unsigned lane, const uint32_t *id)
{
    unsigned vgprs = id_vgprs(w);

    ((uint32_t *)&w->v[0])[lane] = first_id(w, id);
    for (unsigned i = 1; i < vgprs; i++) {
        ((uint32_t *)&w->v[i])[lane] = id[i];
    }
}

/* Lanes 0 to @count - 1 are the items from @id on, of one row or more. */
static __attribute__((noinline)) void rows_ids(AmdWave *w,
                                               const EngineGroup *group,
                                               uint32_t *id, unsigned count)
{
    bool slices = group->size[0] % 16 == 0 && count % 16 == 0;
    unsigned step = slices ? 16 : 1;

    for (unsigned lane = 0; lane < count; lane += step) {
        if (slices) {
            slice_ids(w, (int)(lane / 16), id);
        } else {
            lane_ids(w, lane, id);
        }
        id[0] += step;
        if (id[0] == group->size[0]) {
            next_row(group, id);
        }
    }
}

/* All lanes of the wave, which has @slices, are of one row. */
INL void row_ids(AmdWave *w, const uint32_t *id, int slices)
{
    u32x16 x = splat32(first_id(w, id)) + iota16();
    unsigned vgprs = id_vgprs(w);

    for (int q = 0; q < slices; q++) {
        w->v[0].q[q] = x + 16 * q;
    }
    for (unsigned i = 1; unlikely(i < vgprs); i++) {
        for (int q = 0; q < slices; q++) {
            w->v[i].q[q] = splat32(id[i]);
        }
    }
}

/* ---- lanes ---- */

/*
 * VGPRs that the kernel has read as 0, but for ids; it cannot have come to know
 * the others from any other dispatch.
 */
INL void clear_vgprs(AmdWave *w, unsigned first, int slices)
{
    Vreg *v = &w->v[first], *end = &w->v[w->start.vgprs];
    uint32_t zero = 0;

    /* To call memset() for these few would take longer. */
    __asm__("" : "+r"(zero));
    for (; v < end; v++) {
        for (int q = 0; q < slices; q++) {
            v->q[q] = splat32(zero);
        }
    }
}

/* All lanes are active, and mostly were when the last wave ended here. */
INL void full_exec(AmdWave *w, int slices)
{
    set_sgpr64(w, SGPR_EXEC, w->full);
    if (unlikely(w->inactive)) {
        w->inactive = w->execz = 0;
        for (int q = 0; q < slices; q++) {
            w->exec.q[q] = splat32(UINT32_MAX);
        }
    }
}

INL void start_all(AmdWave *w, const EngineGroup *group, uint32_t *id,
                   int slices)
{
    unsigned count = 16 * (unsigned)slices;
    bool row = likely(group->size[0] - id[0] >= count);

    /* As JitIsa.plain and JitIsa.first say. */
    w->w.fresh &= row && w->mem_mode == 0 && id[0] % count == 0;
    if (w->w.fresh) {
        for (unsigned i = 0; i < G_N_ELEMENTS(w->first); i++) {
            w->first[i] = first_of(w, id, i);
        }
    } else {
        clear_vgprs(w, id_vgprs(w), slices);
        if (row) {
            row_ids(w, id, slices);
        } else {
            rows_ids(w, group, id, count);
        }
    }
    full_exec(w, slices);
}

/* The last wave of a group whose items are no multiple of its lanes. */
static __attribute__((noinline)) void start_some(AmdWave *w,
                                                 const EngineGroup *group,
                                                 uint32_t *id, unsigned count)
{
    w->w.fresh = false;
    clear_vgprs(w, 0, SLICES);
    rows_ids(w, group, id, count);
    set_exec(w, (1ull << count) - 1);
}

INL void start_lanes(AmdWave *w, const EngineGroup *group, unsigned index)
{
    uint32_t items = group->size[0] * group->size[1] * group->size[2];
    uint32_t first = index * w->w.lanes, id[3];

    item_ids(group, first, id);
    if (unlikely(first + w->w.lanes > items)) {
        start_some(w, group, id, first < items ? items - first : 0);
    } else if (w->half) {
        start_all(w, group, id, SLICES / 2);
    } else {
        start_all(w, group, id, SLICES);
    }
}

/* ---- waves ---- */

/* What is the same in all waves, but may have been changed by the last one. */
INL void start_state(AmdWave *w)
{
    w->trapsts = 0;
    w->privileged = w->halted = false;
    w->priority = 0;
    w->rest.lanes = 0;
    w->flat_scratch = w->scratch;
    w->vccz = 1;
    w->scc = 0;
}

INL void start_mode(AmdWave *w)
{
    if (unlikely(w->mode != w->start.mode)) {
        w->mode = w->start.mode;
        amd_mode_changed(w);
    }
}

/* To call memcpy() for them would take longer. */
INL void start_scalars(AmdWave *w)
{
    const u32x16 *from = (const u32x16 *)w->start.s;
    u32x16 *to = (u32x16 *)w->s;

    _Pragma("GCC unroll 16")
    for (unsigned i = 0; i < sizeof(w->s) / (sizeof(*to)); i++) {
        to[i] = from[i];
    }
}

/* What compiled code makes registers of again, see JitIsa.follow. */
INL void start_image(AmdWave *w, const EngineGroup *group)
{
    if (w->w.fresh) {
        start_sgprs(w, group, w->start.s);
    }
}

void LEVEL(amd_wave_start)(Wave *wave, EngineGroup *group, unsigned index,
                           const AmdIsa *isa)
{
    AmdWave *w = amd(wave);
    const TesseraLaunch *l = &group->dispatch->launch;

    if (unlikely(wave->stale)) {
        amd_start_dispatch(w, l, isa);
    } else {
        start_mode(w);
    }
    if (unlikely(w->strict)) {
        amd_strict_start(w);
    }
    w->scratch = l->scratch_base +
                 (uint64_t)wave->scratch_slot * l->scratch_wave_size;
    start_scalars(w);
    start_sgprs(w, group, w->s);
    start_state(w);
    start_lanes(w, group, index);
    start_image(w, group);
}

/* One of the system SGPRs has work-group info, which tells the first wave. */
INL bool tells_first(const EngineGroup *group)
{
    return group->dispatch->launch.rsrc2 >> 10 & 1;
}

/*
 * The wave is not the first one of its group, and as the one before all of the
 * group's first row.  All of its SGPRs are the same.
 */
INL bool goes_on_in_row(const AmdWave *w, const EngineGroup *group)
{
    return w->w.index &&
           (w->w.index + 1) * w->w.lanes <= group->size[0] &&
           !tells_first(group);
}

INL void move_in_row(AmdWave *w, uint32_t waves)
{
    w->first[0] += waves * w->w.lanes;
    if (w->isa->gen == GEN_12) {
        w->s[SGPR_TTMP + 8] = w->w.index << 25;
    }
    set_sgpr64(w, SGPR_EXEC, w->full);
}

bool LEVEL(amd_follow)(Wave *wave)
{
    AmdWave *w = amd(wave);

    if (unlikely(w->mode != w->start.mode) || !wave_follow(wave)) {
        return false;
    }
    wave->state = WAVE_RUN;
    wave->fresh = true;
    start_state(w);
    if (goes_on_in_row(w, wave->group)) {
        move_in_row(w, 1);
    } else {
        start_sgprs(w, wave->group, w->s);
        start_lanes(w, wave->group, wave->index);
        start_image(w, wave->group);
    }
    return true;
}

unsigned LEVEL(amd_together)(Wave *wave)
{
    const AmdWave *w = amd(wave);
    const EngineGroup *group = wave->group;
    unsigned x = w->first[0] % GROUP_MAX_ITEMS, width = w->half ? 32 : 64;

    if (x % JIT_TOGETHER || tells_first(group) ||
        unlikely(w->mode != w->start.mode)) {
        return 1;
    }
    return MIN(MIN(wave_followers(wave), (group->size[0] - x) / width),
               JIT_TOGETHER / width);
}

void LEVEL(amd_move_on)(Wave *wave, uint32_t count)
{
    AmdWave *w = amd(wave);

    wave->index += count;
    wave->count += count;
    wave->state = WAVE_RUN;
    start_mode(w);
    start_state(w);
    move_in_row(w, count);
    full_exec(w, w->half ? SLICES / 2 : SLICES);
}

/* ---- later ---- */

void LEVEL(amd_settle)(Wave *wave, uint64_t but0, uint64_t but1,
                       uint64_t but2, uint64_t but3)
{
    AmdWave *w = amd(wave);
    const uint64_t but[] = { but0, but1, but2, but3 };

    for (unsigned i = 0; i < w->start.vgprs; i++) {
        uint32_t x = i < G_N_ELEMENTS(w->first) ? w->first[i] : 0;

        if (but[i / 64] >> i % 64 & 1) {
            continue;
        }
        FOR_SLICES(w, q) {
            w->v[i].q[q] = i ? splat32(x) : splat32(x + 16 * q) + iota16();
        }
    }
}
