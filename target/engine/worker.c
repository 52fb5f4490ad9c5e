/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A worker: takes work-groups of every active dispatch and runs their waves
 * in turn.
 *
 * Every dispatch with work holds at least one group on each worker, so none
 * starves another; one on some worker, if a great many dispatches have begun
 * (RESIDENT_TOTAL).  A worker takes a further group of a dispatch only when
 * those that it has cannot go on or have used up their quantum, so that a
 * group may wait for another one that has not started.
 */
#include <string.h>
#include "profile.h"
#include "jit.h"
#include "sched.h"

/* A quantum's worth of branches, in waves that begin; see jit_visit(). */
#define LOOP_HEAT 16

/* ---- memory for waves and groups ---- */

static Wave *take_wave(Worker *w, const EngineDispatchState *s)
{
    WorkerQueue *q = w->queue;
    bool kind = s->dispatch->stream;
    Wave *wave = q->free_waves[kind];

    if (wave) {
        q->free_waves[kind] = (Wave *)wave->group;
        q->free_wave_count[kind]--;
    } else {
        wave = g_aligned_alloc0(1, s->exec->wave_bytes, 64);
        wave->exec = s->exec;
    }
    return wave;
}

static EngineGroup *take_group(Worker *w, uint32_t lds_size)
{
    EngineGroup *group = w->queue->free_groups;

    if (group) {
        w->queue->free_groups = group->next;
        w->queue->free_group_count--;
    } else {
        group = g_new0(EngineGroup, 1);
        group->lds = g_aligned_alloc(1, w->engine->config.isa->max_lds +
                                        ENGINE_LDS_PAD, 64);
    }
    group->lds_size = MIN(lds_size, w->engine->config.isa->max_lds);
    if (group->lds_size) {
        memset(group->lds, 0, group->lds_size);
    }
    return group;
}

void wave_free(Wave *wave)
{
    if (wave->exec->wave_free) {
        wave->exec->wave_free(wave);
    }
    g_aligned_free(wave);
}

void group_free(EngineGroup *group)
{
    g_aligned_free(group->lds);
    g_free(group);
}

/* Kept for the next one, but not more than are resident at ordinary times. */
static void give_wave(Worker *w, Wave *wave)
{
    WorkerQueue *q = w->queue;
    bool kind = wave->group->dispatch->stream;

    if (q->free_wave_count[kind] >= RESIDENT_TOTAL) {
        wave_free(wave);
        return;
    }
    wave->group = (EngineGroup *)q->free_waves[kind];
    q->free_waves[kind] = wave;
    q->free_wave_count[kind]++;
}

static void give_group(Worker *w, EngineGroup *group)
{
    WorkerQueue *q = w->queue;

    if (q->free_group_count >= RESIDENT_TOTAL) {
        group_free(group);
        return;
    }
    group->next = q->free_groups;
    q->free_groups = group;
    q->free_group_count++;
}

/* ---- room for groups ---- */

void workers_poke(Engine *e)
{
    for (unsigned i = 0; i < e->worker_count; i++) {
        worker_poke(e->workers[i]);
    }
}

/* Groups that are resident for good: a stream's own. */
static unsigned resident_always(EngineDispatchState *s)
{
    return __atomic_load_n(&s->home, __ATOMIC_SEQ_CST) != NULL;
}

/* A stream's groups are few, and its own is resident for good. */
static bool counts_each(const EngineDispatchState *s)
{
    return s->dispatch->stream;
}

/* Whoever waits for the dispatch to have no group hears of it. */
static void uncount(Worker *w, EngineDispatchState *s)
{
    if (__atomic_sub_fetch(&s->live, 1, __ATOMIC_SEQ_CST) <=
            resident_always(s) &&
        __atomic_exchange_n(&s->short_of_room, false, __ATOMIC_SEQ_CST)) {
        workers_poke(w->engine);
    }
}

void attachment_uncount(Worker *w, Attachment *a)
{
    if (a->counted) {
        a->counted = false;
        uncount(w, a->state);
    }
}

/* Room for a group is there: count it. */
static void count_group(Attachment *a)
{
    if (!a->counted) {
        a->counted = !counts_each(a->state);
        __atomic_add_fetch(&a->state->live, 1, __ATOMIC_SEQ_CST);
    }
}

/* May the worker take a group?  It is counted then. */
static bool take_room(Worker *w, Attachment *a)
{
    EngineDispatchState *s = a->state;
    unsigned none = resident_always(s);

    if (a->groups && a->resident + s->waves > RESIDENT_WAVES) {
        return false;
    }
    if (likely(w->queue->resident + s->waves <= RESIDENT_TOTAL)) {
        count_group(a);
        return true;
    }
    __atomic_store_n(&s->short_of_room, true, __ATOMIC_SEQ_CST);
    if (a->groups) {
        return false;
    }
    attachment_uncount(w, a);
    if (!__atomic_compare_exchange_n(&s->live, &none, none + 1, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        return false;
    }
    a->counted = !counts_each(s);
    return true;
}

/* A group was not to be had after all. */
static void return_room(Worker *w, Attachment *a)
{
    if (counts_each(a->state)) {
        uncount(w, a->state);
    } else if (!a->groups) {
        attachment_uncount(w, a);
    }
}

/*
 * A group has ended.  The worker stays counted without any, since it is about
 * to take the next one, unless somebody waits.
 */
static void group_left(Worker *w, Attachment *a)
{
    if (counts_each(a->state)) {
        uncount(w, a->state);
    } else if (a->resident == 0 &&
               unlikely(__atomic_load_n(&a->state->short_of_room,
                                        __ATOMIC_SEQ_CST))) {
        attachment_uncount(w, a);
    }
}

/* ---- scratch slots ---- */

/* Give each wave of a group its part of the backing memory, or none at all. */
static bool take_scratch(EngineDispatchState *s, unsigned count,
                         uint32_t *slot)
{
    unsigned found = 0;

    if (!s->scratch_used) {
        memset(slot, 0, count * sizeof(*slot));
        return true;
    }
    pthread_mutex_lock(&s->scratch_lock);
    for (uint32_t i = 0; i < s->scratch_slots && found < count; i++) {
        if (!(s->scratch_used[i / 32] >> i % 32 & 1)) {
            slot[found++] = i;
        }
    }
    if (found < count) {
        __atomic_store_n(&s->short_of_scratch, true, __ATOMIC_RELAXED);
    }
    for (unsigned i = 0; found == count && i < count; i++) {
        s->scratch_used[slot[i] / 32] |= 1u << slot[i] % 32;
    }
    pthread_mutex_unlock(&s->scratch_lock);
    return found == count;
}

/* Whoever waits for some hears of it. */
static void return_slots(Worker *w, EngineDispatchState *s,
                         const uint32_t *slot, unsigned count)
{
    bool wanted;

    if (!s->scratch_used || !count) {
        return;
    }
    pthread_mutex_lock(&s->scratch_lock);
    for (unsigned i = 0; i < count; i++) {
        s->scratch_used[slot[i] / 32] &= ~(1u << slot[i] % 32);
    }
    wanted = __atomic_exchange_n(&s->short_of_scratch, false,
                                 __ATOMIC_RELAXED);
    pthread_mutex_unlock(&s->scratch_lock);
    if (wanted) {
        workers_poke(w->engine);
    }
}

static void release_scratch(Worker *w, EngineDispatchState *s,
                            const EngineGroup *group)
{
    uint32_t slot[GROUP_MAX_WAVES];

    if (likely(!s->scratch_used)) {
        return;
    }
    for (unsigned i = 0; i < group->waves; i++) {
        slot[i] = group->wave[i]->scratch_slot;
    }
    return_slots(w, s, slot, group->waves);
}

/* ---- groups ---- */

/* The first fault of a dispatch is kept; it ends all its waves. */
static void dispatch_fault(Worker *w, EngineDispatchState *s, Wave *wave)
{
    Engine *e = w->engine;
    EngineDispatch *d = s->dispatch;

    pthread_mutex_lock(&e->lock);
    d->faults++;
    if (d->status == ENGINE_PENDING) {
        d->status = ENGINE_FAULTED;
        d->fault = w->fault;
        memcpy(d->fault.group, wave->group->id, sizeof(d->fault.group));
        d->fault.wave = wave->index;
        __atomic_store_n(&s->cancel, true, __ATOMIC_RELAXED);
        __atomic_add_fetch(&e->generation, 1, __ATOMIC_SEQ_CST);
        for (unsigned i = 0; i < e->worker_count; i++) {
            __atomic_store_n(&e->workers[i]->attention, true,
                             __ATOMIC_SEQ_CST);
        }
    }
    pthread_mutex_unlock(&e->lock);
}

/* The next in turn of this worker's CUs that the dispatch may use. */
static unsigned next_cu(const Worker *w, Attachment *a)
{
    do {
        a->cu = (a->cu + 1) % TESSERA_CUS;
    } while (!(w->queue->cus & a->state->cus & 1ull << a->cu));
    return a->cu;
}

/*
 * Have a batch of groups at hand: fewer of them when few are left, so that all
 * workers end at about the same time.  False if somebody else took the last.
 */
static bool take_batch(Worker *w, Attachment *a)
{
    EngineDispatchState *s = a->state;
    uint64_t taken = __atomic_load_n(&s->taken, __ATOMIC_RELAXED);
    uint64_t left = taken < s->total ? s->total - taken : 0;
    uint64_t count = MIN(left / (8 * w->engine->worker_count), BATCH_MAX);

    count = MAX(count, 1);
    a->first = __atomic_fetch_add(&s->taken, count, __ATOMIC_RELAXED);
    a->end = MIN(a->first + count, s->total);
    a->first_id[0] = a->first % s->groups[0];
    a->first_id[1] = a->first / s->groups[0] % s->groups[1];
    a->first_id[2] = a->first / s->groups[0] / s->groups[1];
    return a->first < a->end;
}

/*
 * The work-items of the batch's next group, fewer at the grid's edge.  Returns
 * how many waves they are.
 */
static unsigned next_size(const Attachment *a, uint32_t *size)
{
    const EngineDispatchState *s = a->state;
    const EngineDispatch *d = s->dispatch;
    bool full = true;

    for (int i = 0; i < 3; i++) {
        size[i] = MIN(d->group_size[i],
                      d->grid[i] - a->first_id[i] * d->group_size[i]);
        full &= size[i] == d->group_size[i];
    }
    return likely(full) ? s->waves
                        : (size[0] * size[1] * size[2] + s->lanes - 1) /
                              s->lanes;
}

/* Give the next group of the batch to @group, whose size is set. */
static void place_group(EngineGroup *group, Attachment *a)
{
    const EngineDispatchState *s = a->state;
    uint32_t *id = a->first_id;

    group->live = group->waves;
    group->begun = group->waiting = 0;
    memset(group->signals, 0, sizeof(group->signals));
    memcpy(group->id, id, sizeof(group->id));
    a->first++;
    if (++id[0] == s->groups[0]) {
        id[0] = 0;
        if (++id[1] == s->groups[1]) {
            id[1] = 0;
            id[2]++;
        }
    }
}

static void open_barrier(EngineGroup *group)
{
    if (group->waiting == 0 || group->waiting < group->live) {
        return;
    }
    group->waiting = 0;
    for (unsigned i = 0; i < group->waves; i++) {
        if (group->wave[i]->state == WAVE_BARRIER) {
            group->wave[i]->state = WAVE_RUN;
        }
    }
}

/* Is there a wave that has arrived at a barrier? */
static inline bool any_arrived(const EngineGroup *group)
{
    unsigned arrived = group->waiting;

    for (unsigned i = 0; i < WAVE_BARRIERS; i++) {
        arrived |= group->signals[i];
    }
    return arrived;
}

/* A wave has ended: the others may have waited for nobody else. */
static inline void wave_ended(EngineGroup *group)
{
    group->live--;
    if (unlikely(any_arrived(group))) {
        group_member_left(group);
        open_barrier(group);
    }
}

/* Do what the state demands in which a wave has left the handlers. */
static void wave_left(Worker *w, Attachment *a, EngineGroup *group,
                      Wave *wave)
{
    switch (wave->state) {
    case WAVE_BARRIER:
        group->waiting++;
        break;
    case WAVE_END:
        wave_ended(group);
        return;
    case WAVE_FAULT:
        dispatch_fault(w, a->state, wave);
        break;
    case WAVE_ASK:
        park_post(wave);
        return;
    case WAVE_GRID:
        stream_grid(w, a->state, wave);
        return;
    default:
        return;
    }
    open_barrier(group);
}

/* A wave that has ended and been counted, or not begun. */
static void blank_wave(Wave *wave)
{
    wave->state = WAVE_END;
    wave->budget = QUANTUM;
    wave->instructions = wave->lane_instructions = 0;
    wave->count = 0;
    wave->fresh = false;
}

static Wave *place_wave(Worker *w, EngineDispatchState *s, EngineGroup *group,
                        unsigned index)
{
    Wave *wave = take_wave(w, s);

    group->wave[index] = wave;
    wave->worker = w;
    wave->group = group;
    wave->asid = s->dispatch->vmid | TLB_VALID;
    wave->page = NULL;
    blank_wave(wave);
    return wave;
}

/* The instruction at @entry, if it lies in @page and that is up to date. */
static const Uop *entry_uop(const Worker *w, const CodePage *page,
                            uint64_t entry)
{
    return page && page->va == (entry & -(uint64_t)ENGINE_PAGE) &&
           page->epoch == w->epoch && page->words
               ? &page->uops[entry % ENGINE_PAGE / 4] : NULL;
}

/* What the scheduler has in the next wave of @group, which begins in @wave. */
static void open_wave(const EngineDispatchState *s, EngineGroup *group,
                      Wave *wave)
{
    wave->index = group->begun++;
    wave->count = 1;
    wave->state = WAVE_RUN;
    wave->complete = 0;
    wave->stale = wave->serial != s->serial;
    wave->serial = s->serial;
}

/*
 * The next wave of @group begins, in @wave.  The page of its first instruction
 * is the one that the wave before it in that place was in, or it is looked for.
 */
static void begin_wave(Worker *w, const EngineDispatchState *s,
                       EngineGroup *group, Wave *wave)
{
    uint64_t entry = s->dispatch->launch.entry;
    const Uop *uop = entry_uop(w, wave->page, entry);
    unsigned slot = entry % ENGINE_PAGE / 4;

    bool visit = w->engine->jit && group->begun == 0;

    if (visit && uop) {
        jit_visit(w, wave->page, slot, group->waves);
    }
    open_wave(s, group, wave);
    wave->fresh = uop && slot_bit(wave->page->begins, slot);
    s->exec->wave_start(wave, group, wave->index);
    if (likely(uop)) {
        wave->uop = uop;
    } else if (wave_goto(wave, entry) && visit) {
        jit_visit(w, wave->page, slot, group->waves);
    }
}

static void add_group(Worker *w, Attachment *a, EngineGroup *group)
{
    group->next = a->groups;
    a->groups = group;
    a->resident += group->waves;
    w->queue->resident += group->waves;
}

static void start_group(Worker *w, Attachment *a, const uint32_t *slot)
{
    EngineDispatchState *s = a->state;
    EngineDispatch *d = s->dispatch;
    EngineGroup *group = take_group(w, d->launch.lds_size);

    group->dispatch = d;
    group->attachment = a;
    group->cu = next_cu(w, a);
    group->waves = next_size(a, group->size);
    place_group(group, a);
    /* A group at the grid's edge may need fewer than were taken. */
    return_slots(w, s, slot + group->waves, s->waves - group->waves);
    for (unsigned i = 0; i < group->waves; i++) {
        place_wave(w, s, group, i)->scratch_slot = slot[i];
    }
    add_group(w, a, group);
}

/* The same for a stream, whose groups are a wave each and come to a lock. */
static bool start_unit(Worker *w, Attachment *a)
{
    EngineDispatchState *s = a->state;
    EngineGroup *group = take_group(w, 0);

    if (!stream_take(w, s, group)) {
        give_group(w, group);
        return_room(w, a);
        return false;
    }
    group->dispatch = s->dispatch;
    group->attachment = a;
    group->cu = next_cu(w, a);
    memset(group->id, 0, sizeof(group->id));
    group->waves = group->live = 1;
    group->waiting = 0;
    place_wave(w, s, group, 0);
    group->begun = 0;
    open_wave(s, group, group->wave[0]);
    s->exec->wave_start(group->wave[0], group, 0);
    add_group(w, a, group);
    return true;
}

/* Take one more group, if there is one and it finds room. */
static bool admit_group(Worker *w, Attachment *a)
{
    EngineDispatchState *s = a->state;
    uint32_t slot[GROUP_MAX_WAVES];

    if (!attachment_has_more(a) || !take_room(w, a)) {
        return false;
    }
    if (s->dispatch->stream) {
        return start_unit(w, a);
    }
    if (!take_scratch(s, s->waves, slot)) {
        return_room(w, a);
        return false;
    }
    if (a->first < a->end || take_batch(w, a)) {
        start_group(w, a, slot);
        return true;
    }
    return_slots(w, s, slot, s->waves); /* somebody else took the last group */
    return_room(w, a);
    return false;
}

/* The wave has ended. */
static void count_wave(Attachment *a, Wave *wave)
{
    a->counts.instructions += wave->instructions;
    a->counts.lane_instructions += wave->lane_instructions;
    a->counts.waves += wave->count;
    if (unlikely(park_any(wave))) {
        park_end(wave);
    }
}

void group_end(Worker *w, Attachment *a, EngineGroup *group)
{
    if (a->state->dispatch->stream) {
        stream_group_ended(w, a->state, group);
    }
    release_scratch(w, a->state, group);
    for (unsigned i = 0; i < group->waves; i++) {
        Wave *wave = group->wave[i];

        count_wave(a, wave);
        wave_leave_page(wave);
        give_wave(w, wave);
    }
    a->resident -= group->waves;
    w->queue->resident -= group->waves;
    give_group(w, group);
    group_left(w, a);
}

/*
 * May the place of @group, which has ended, be taken by the next one as it is:
 * waves, scratch memory and room?  Not if somebody waits for any of them.  The
 * group's own size is not kept.
 */
static bool can_succeed(Worker *w, Attachment *a, EngineGroup *group)
{
    EngineDispatchState *s = a->state;

    return a->groups == group && !group->next && !s->dispatch->stream &&
           !worker_wanted(w) &&
           !__atomic_load_n(&s->short_of_room, __ATOMIC_SEQ_CST) &&
           !__atomic_load_n(&s->short_of_scratch, __ATOMIC_RELAXED) &&
           attachment_has_more(a) && (a->first < a->end || take_batch(w, a)) &&
           next_size(a, group->size) == group->waves;
}

/* The next group begins in the place of @group, whose waves are blank. */
static void succeed(Worker *w, Attachment *a, EngineGroup *group)
{
    if (group->lds_size) {
        memset(group->lds, 0, group->lds_size);
    }
    group->cu = next_cu(w, a);
    place_group(group, a);
}

/*
 * A group that has ended, the only one of the dispatch here, is followed by the
 * next one in the same place, which costs less than to give all back and take
 * it again.  False if it has to be.
 */
static bool succeed_group(Worker *w, Attachment *a, EngineGroup *group)
{
    if (!can_succeed(w, a, group)) {
        return false;
    }
    for (unsigned i = 0; i < group->waves; i++) {
        count_wave(a, group->wave[i]);
        blank_wave(group->wave[i]);
    }
    succeed(w, a, group);
    return true;
}

void attachment_cancel_asks(Attachment *a)
{
    for (EngineGroup *group = a->groups; group; group = group->next) {
        for (unsigned i = 0; i < group->waves; i++) {
            if (group->wave[i]->state == WAVE_ASK) {
                park_cancel(group->wave[i]);
            }
        }
    }
}

/* ---- running ---- */

/*
 * A wave that loops in one page never looks the page up by itself: its code may
 * have been changed, or mapped away, since it stood here last.
 */
static bool code_is_current(Worker *w, Wave *wave)
{
    if (unlikely(wave->park.fetching)) {
        return wave_fetch_again(wave);
    }
    return likely(!wave->page || wave->page->epoch == w->epoch) ||
           wave->park.active || wave_goto(wave, wave_pc(wave, wave->uop));
}

/* A wave that has used up its quantum stands where a loop begins. */
static void look_for_heat(Worker *w, Wave *wave)
{
    if (wave->state == WAVE_RUN && wave->page && wave->uop &&
        wave->budget < 0) {
        jit_visit(w, wave->page, (unsigned)(wave->uop - wave->page->uops),
                  LOOP_HEAT);
    }
}

/* ---- one wave in the place of another ---- */

/* The group's wave @wave, which was at @place, is at its index from now on. */
static void trade_places(EngineGroup *group, Wave *wave, unsigned place)
{
    group->wave[place] = group->wave[wave->index];
    group->wave[wave->index] = wave;
}

/* Others may follow in the place of @wave, which has just begun. */
static void let_follow(EngineGroup *group, Wave *wave)
{
    if (wave->fresh && !any_arrived(group)) {
        group->first = wave->index;
        group->end = group->waves;
    }
}

/* The waves before @wave have ended, if it has followed others. */
static void end_following(EngineGroup *group, Wave *wave)
{
    if (group->end) {
        group->begun = wave->index + 1;
        group->live -= wave->index - group->first;
        group->end = 0;
        trade_places(group, wave, group->first);
    }
}

/*
 * Only while no other dispatch waits for its turn, and the worker has nothing
 * to see to behind each group.
 */
bool group_follow(Wave *wave)
{
    Worker *w = wave->worker;
    EngineGroup *group = wave->group;
    Attachment *a = group->attachment;

    if (group->first || group->live != group->waves || a->first == a->end ||
        w->late_any || w->queue->attached != a || a->next ||
        wave->page->epoch != w->epoch || !can_succeed(w, a, group)) {
        return false;
    }
    count_wave(a, wave);
    blank_wave(wave);
    wave->index = 0;
    wave->count = 1;
    succeed(w, a, group);
    return true;
}

/* Run one wave for a quantum, and others that follow in its place. */
static void run_wave(Worker *w, Attachment *a, EngineGroup *group, Wave *wave)
{
    wave->budget = QUANTUM;
    if (code_is_current(w, wave)) {
        let_follow(group, wave);
        wave->exec->run(wave);
        end_following(group, wave);
        if (unlikely(w->timed)) {
            profile_stop(w);
        }
    }
    if (likely(wave->state == WAVE_END)) {
        wave_ended(group);
        return;
    }
    if (w->engine->jit) {
        look_for_heat(w, wave);
    }
    wave_left(w, a, group, wave);
}

/*
 * Waves of the group begin: the next one if others may follow it, or else all,
 * which costs less than one by one.
 */
static void begin_waves(Worker *w, Attachment *a, EngineGroup *group)
{
    Wave *wave;

    do {
        wave = group->wave[group->begun];
        begin_wave(w, a->state, group, wave);
        if (unlikely(wave->state != WAVE_RUN)) {
            wave_left(w, a, group, wave);
        }
    } while (!wave->fresh && group->begun < group->waves);
}

/* Can the wave go on? */
static bool wave_ready(Worker *w, Attachment *a, EngineGroup *group,
                       Wave *wave, unsigned index)
{
    if (index == group->begun) {
        begin_waves(w, a, group);
    } else if (unlikely(wave->state == WAVE_ASK)) {
        park_poll(wave);
    } else if (unlikely(wave->state >= WAVE_GRID) &&
               stream_ready(a->state, wave)) {
        wave->state = WAVE_RUN;
    }
    return wave->state == WAVE_RUN;
}

/*
 * Run each wave of a group until all have ended or used up a quantum; false if
 * none could run.  Where one ends others may go on, of this group or the next.
 */
static bool run_group(Worker *w, Attachment *a, EngineGroup *group)
{
    bool progress = false;

    for (unsigned i = 0; i < group->waves; i++) {
        Wave *wave = group->wave[i];

        progress |= i == group->begun;
        if (wave_ready(w, a, group, wave, i)) {
            run_wave(w, a, group, wave);
            progress = true;
            i = wave->index;
        }
        if (unlikely(worker_wanted(w))) {
            break;
        }
    }
    if (unlikely(w->jit_left)) {
        jit_leave(w);
    }
    return progress;
}

/* One turn of a dispatch; false if there was nothing to do. */
static bool run_attachment(Worker *w, Attachment *a)
{
    EngineGroup **link;
    bool ended = false, progress = false;

    if (a->held || (!a->groups && !admit_group(w, a))) {
        return false;
    }
    for (link = &a->groups; *link;) {
        EngineGroup *group = *link;

        progress |= run_group(w, a, group);
        if (group->live == 0) {
            ended = true;
        }
        if (group->live == 0 && !succeed_group(w, a, group)) {
            *link = group->next;
            group_end(w, a, group);
        } else {
            link = &group->next;
        }
        if (unlikely(worker_wanted(w))) {
            return true;
        }
    }
    if (!ended) {
        progress |= admit_group(w, a);
    }
    return progress;
}

/* As many turns as the priority says. */
static bool run_turns(Worker *w, Attachment *a)
{
    unsigned turns = MIN(a->state->dispatch->priority, ENGINE_PRIORITY_MAX) + 1;
    bool progress = false;

    while (turns-- && !worker_wanted(w) && run_attachment(w, a)) {
        progress = true;
    }
    return progress;
}

/* The turns of all dispatches; false if none got any further. */
static bool run_round(Worker *w)
{
    WorkerQueue *q = w->queue;
    bool progress = false;

    q->poked = __atomic_load_n(&w->pokes, __ATOMIC_SEQ_CST);
    for (Attachment **link = &q->attached; *link && !worker_wanted(w);) {
        Attachment *a = *link;

        progress |= run_turns(w, a);
        if (attachment_over(a)) {
            *link = a->next;
            attachment_leave(w, a);
            progress = true;
        } else {
            link = &a->next;
        }
    }
    return progress || worker_wanted(w);
}

/* ---- the thread ---- */

void worker_poke(Worker *w)
{
    __atomic_add_fetch(&w->pokes, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&w->engine->lock);
    pthread_cond_broadcast(&w->engine->wake);
    pthread_mutex_unlock(&w->engine->lock);
}

/* With the lock held. */
static bool has_work(const Worker *w)
{
    const WorkerQueue *q = w->queue;

    if (q->generation != w->engine->generation) {
        return true;
    }
    return q->attached && !(q->stuck && q->poked ==
                            __atomic_load_n(&w->pokes, __ATOMIC_SEQ_CST));
}

static void leave_finished(Worker *w)
{
    for (Attachment **link = &w->queue->attached; *link;) {
        Attachment *a = *link;

        if (attachment_over(a)) {
            *link = a->next;
            attachment_leave(w, a);
        } else {
            link = &a->next;
        }
    }
}

/*
 * Sleep until there is something to do, without doing anything for the owner.
 * With the lock held.
 */
static void rest(Engine *e)
{
    if (--e->busy == 0) {
        pthread_cond_broadcast(&e->idle);
    }
    pthread_cond_wait(&e->wake, &e->lock);
    e->busy++;
}

/*
 * Sleep while the engine is parked or the worker got nowhere.  Nothing is asked
 * any more when the engine is parked, but what cannot be taken back is not
 * waited for.  With the lock held.
 */
static void wait_for_work(Worker *w)
{
    Engine *e = w->engine;
    bool cancelled = false;

    while (!e->quit && (e->parked || !has_work(w))) {
        if (!w->asks || cancelled) {
            rest(e);
        } else if (!e->parked) {
            pthread_cond_wait(&e->wake, &e->lock);
        } else {
            pthread_mutex_unlock(&e->lock);
            for (Attachment *a = w->queue->attached; a; a = a->next) {
                attachment_cancel_asks(a);
            }
            w->queue->stuck = false; /* to ask again */
            cancelled = true;
            pthread_mutex_lock(&e->lock);
        }
    }
}

/*
 * One dispatch often follows another, and to be woken takes longer than many
 * of them: look out for the next one a little before falling asleep.
 */
static void linger(const Worker *w)
{
    const WorkerQueue *q = w->queue;
    int64_t end = g_get_monotonic_time() + ENGINE_LINGER_US;

    if (q->attached && !q->stuck) {
        return;
    }
    while (!worker_wanted(w) &&
           q->poked == __atomic_load_n(&w->pokes, __ATOMIC_SEQ_CST) &&
           g_get_monotonic_time() < end) {
        engine_relax();
    }
}

/* Park, sleep, attach; returns false when the engine closes. */
static bool look_around(Worker *w)
{
    Engine *e = w->engine;
    bool go_on;

    __atomic_store_n(&w->attention, false, __ATOMIC_SEQ_CST);
    leave_finished(w);
    worker_report(w);
    attachments_hold(w);
    dispatches_settle(e);
    linger(w);
    pthread_mutex_lock(&e->lock);
    wait_for_work(w);
    attach_all(w);
    go_on = w->queue->attached || !e->quit || e->active;
    pthread_mutex_unlock(&e->lock);
    return go_on;
}

void *worker_main(void *opaque)
{
    Worker *w = opaque;
    WorkerQueue *q = w->queue;

    while (look_around(w)) {
        q->stuck = false;
        while (q->attached && !q->stuck && !worker_wanted(w)) {
            q->stuck = !run_round(w);
            late_round(w);
        }
    }
    pthread_mutex_lock(&w->engine->lock);
    if (--w->engine->busy == 0) {
        pthread_cond_broadcast(&w->engine->idle);
    }
    pthread_mutex_unlock(&w->engine->lock);
    return NULL;
}
