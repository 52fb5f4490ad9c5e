/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wave's start, of which a small kernel has one for a few instructions: what
 * does not differ from wave to wave is kept in the wave.
 */
#include "../isa.h"
#include "../start.h"

/* All that the kernel has not been given reads as 0. */
INL void start_sgprs(AmdWave *w, const TesseraLaunch *l,
                     const EngineGroup *group)
{
    memcpy(w->s, w->start.user, sizeof(w->start.user));
    for (unsigned i = USER_SGPRS; i < SGPR_COUNT + 16; i++) {
        w->s[i] = 0;
    }
    if (w->isa->gen == GEN_12) {
        amd_start_ttmps(w, group);
    } else {
        amd_start_sgprs(w, l, group);
    }
    w->vccz = 1;
    w->scc = 0;
}

/* ---- work-item ids ---- */

/* Of one item of the group, packed densely. */
INL void item_ids(const EngineGroup *group, uint32_t item, uint32_t *id)
{
    uint32_t row = 0;

    if (unlikely(item >= group->size[0])) { /* divisions are slow */
        row = item / group->size[0];
        item %= group->size[0];
    }
    id[0] = item;
    id[1] = row % group->size[1];
    id[2] = row / group->size[1];
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
INL void put_ids(AmdWave *w, unsigned lane, unsigned n, const uint32_t *id)
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
INL void start_ids(AmdWave *w, const EngineGroup *group, uint32_t first,
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

/* ---- lanes ---- */

/*
 * VGPRs that the kernel has read as 0, but for ids; it cannot have come to know
 * the others from any other dispatch.  Those of @all lanes need no clearing.
 */
INL void clear_vgprs(AmdWave *w, bool all)
{
    unsigned first = !all ? 0 : w->isa->gen == GEN_9 ? w->start.ids : 1;

    for (unsigned i = first; i < w->start.vgprs; i++) {
        FOR_SLICES(w, q) {
            w->v[i].q[q] = splat32(0);
        }
    }
}

INL void start_lanes(AmdWave *w, const EngineGroup *group, unsigned index)
{
    uint32_t items = group->size[0] * group->size[1] * group->size[2];
    uint32_t first = index * w->w.lanes;
    unsigned count = first < items ? MIN(items - first, w->w.lanes) : 0;

    clear_vgprs(w, count == w->w.lanes);
    start_ids(w, group, first, count);
    if (likely(count == 64)) {
        set_sgpr64(w, SGPR_EXEC, UINT64_MAX);
        w->inactive = w->execz = 0;
        for (int q = 0; q < SLICES; q++) {
            w->exec.q[q] = splat32(UINT32_MAX);
        }
    } else {
        set_exec(w, (1ull << count) - 1);
    }
}

void LEVEL(amd_wave_start)(Wave *wave, EngineGroup *group, unsigned index,
                           const AmdIsa *isa)
{
    AmdWave *w = amd(wave);
    const TesseraLaunch *l = &group->dispatch->launch;

    if (unlikely(wave->stale)) {
        amd_start_dispatch(w, l, isa);
    } else if (unlikely(w->mode != w->start.mode)) {
        w->mode = w->start.mode;
        amd_mode_changed(w);
    }
    if (unlikely(w->strict)) {
        amd_strict_start(w);
    }
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
