/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile: how often each instruction is executed, by how many lanes, and
 * how long that takes.
 *
 * The code pages of a profiled dispatch have profile_uop() before every
 * micro-operation, as those of a counting one have count_uop() (code.c), so
 * that nothing is spent where nothing is asked for.  Counts are exact.  An
 * instruction's time goes from there to the next one, or to the wave leaving
 * its handlers.  Interrupts of the host are in it, but not longer ones.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include "profile.h"
#include "sched.h"

/* Different instructions that are kept; what comes later is counted in one. */
#define PROFILE_SPOTS_MAX (1u << 18)
/*
 * Ticks, a millisecond or so, that no instruction takes by itself: then the
 * host has given the CPU to somebody else.
 */
#define PROFILE_LOST 3000000u

struct Profile {
    pthread_mutex_t lock;
    GHashTable *spots;  /* EngineSpot, by all that is not counted */
    EngineSpot rest;    /* of what has found no room there */
    uint64_t ticks, ns; /* at the start, to tell how long a tick is */
    uint64_t overhead;  /* ticks that reading them twice takes */
};

static uint64_t ticks_now(void)
{
    return __builtin_ia32_rdtsc();
}

static uint64_t ns_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- while waves run ---- */

void profile_stop(Worker *w)
{
    uint64_t spent, overhead;

    if (w->timed) {
        spent = ticks_now() - w->since;
        overhead = w->engine->profile->overhead;
        *(spent < PROFILE_LOST ? w->timed : &w->lost) +=
            spent > overhead ? spent - overhead : 0;
        w->timed = NULL;
    }
}

const Uop *profile_uop(Wave *wave, const Uop *uop)
{
    Worker *w = wave->worker;
    CodePage *page = wave->page;
    unsigned slot = (unsigned)(uop - page->uops);
    ProfileSlot *counts = &page->profile->slot[slot];
    unsigned lanes;

    profile_stop(w);
    lanes = wave->active_lanes(wave);
    wave->instructions++;
    wave->lane_instructions += lanes;
    counts->executed++;
    counts->lanes += lanes;
    w->timed = &counts->ticks;
    w->since = ticks_now();
    return page->real[slot](wave, uop);
}

void profile_take_back(Wave *wave, const Uop *uop)
{
    ProfileSlot *counts = &wave->page->profile->slot[uop - wave->page->uops];

    counts->executed--;
    counts->lanes -= wave->active_lanes(wave);
}

/* ---- collecting ---- */

static unsigned spot_hash(const void *key)
{
    const EngineSpot *spot = key;

    return (unsigned)(spot->pc / 4) * 2654435761u ^ spot->words[0];
}

static gboolean spot_equal(const void *a, const void *b)
{
    const EngineSpot *x = a, *y = b;

    return x->pc == y->pc && x->vmid == y->vmid && x->lanes == y->lanes &&
           x->count == y->count &&
           memcmp(x->words, y->words, sizeof(x->words)) == 0;
}

Profile *profile_new(void)
{
    Profile *p = g_new0(Profile, 1);
    uint64_t overhead = UINT64_MAX;

    pthread_mutex_init(&p->lock, NULL);
    p->spots = g_hash_table_new_full(spot_hash, spot_equal, g_free, NULL);
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t before = ticks_now(), after = ticks_now();

        overhead = MIN(overhead, after - before);
    }
    p->overhead = overhead;
    p->ticks = ticks_now();
    p->ns = ns_now();
    return p;
}

void profile_free(Profile *profile)
{
    if (profile) {
        pthread_mutex_destroy(&profile->lock);
        g_hash_table_unref(profile->spots);
        g_free(profile);
    }
}

void profile_page(Worker *w, CodePage *page)
{
    page->profile = g_new0(struct CodeProfile, 1);
    page->profile->worker = w;
}

/* Where to count @key; with the lock held. */
static EngineSpot *find_spot(Profile *p, const EngineSpot *key)
{
    EngineSpot *spot = g_hash_table_lookup(p->spots, key);

    if (!spot && g_hash_table_size(p->spots) == PROFILE_SPOTS_MAX) {
        return &p->rest;
    }
    if (!spot) {
        spot = g_memdup2(key, sizeof(*key));
        g_hash_table_add(p->spots, spot);
    }
    return spot;
}

static void fold_slot(Profile *p, const CodePage *page, unsigned slot)
{
    const ProfileSlot *counts = &page->profile->slot[slot];
    EngineSpot *spot, key = {
        .pc = page->va + slot * 4,
        .vmid = page->vmid,
        .lanes = page->lanes,
        .count = MIN(page->words - slot, G_N_ELEMENTS(key.words)),
    };

    memcpy(key.words, &page->bytes[slot], key.count * sizeof(key.words[0]));
    spot = find_spot(p, &key);
    spot->executed += counts->executed;
    spot->lane_instructions += counts->lanes;
    spot->ticks += counts->ticks;
}

void profile_fold(CodePage *page)
{
    Profile *p;

    if (!page->profile || !page->words) {
        return;
    }
    p = page->profile->worker->engine->profile;
    profile_stop(page->profile->worker);
    pthread_mutex_lock(&p->lock);
    for (unsigned i = 0; i < PAGE_SLOTS; i++) {
        if (page->profile->slot[i].executed) {
            fold_slot(p, page, i);
        }
    }
    pthread_mutex_unlock(&p->lock);
    memset(page->profile->slot, 0, sizeof(page->profile->slot));
}

static void fold_worker(Worker *w)
{
    for (unsigned set = 0; set < CODE_SETS; set++) {
        for (unsigned way = 0; way < CODE_WAYS; way++) {
            if (w->code[set][way]) {
                profile_fold(w->code[set][way]);
            }
        }
    }
}

GArray *engine_profile(Engine *e)
{
    GArray *spots = g_array_new(FALSE, FALSE, sizeof(EngineSpot));
    Profile *p = e->profile;
    double tick;
    EngineSpot lost = { 0 };
    GHashTableIter iter;
    void *key;

    if (!p) {
        return spots;
    }
    g_assert(e->parked);
    for (unsigned i = 0; i < e->worker_count; i++) {
        fold_worker(e->workers[i]);
        lost.ticks += e->workers[i]->lost;
    }
    g_hash_table_iter_init(&iter, p->spots);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        g_array_append_vals(spots, key, 1);
    }
    g_array_append_val(spots, p->rest);
    g_array_append_val(spots, lost);
    tick = (double)(ns_now() - p->ns) / MAX(ticks_now() - p->ticks, 1) * 1e-9;
    for (unsigned i = 0; i < spots->len; i++) {
        EngineSpot *spot = &g_array_index(spots, EngineSpot, i);

        spot->seconds = spot->ticks * tick;
    }
    return spots;
}
