/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include "toy-isa.h"

typedef struct ToyWave {
    Wave w;
    uint64_t accumulator;
} ToyWave;

static const Uop *toy_nop(Wave *wave, const Uop *u)
{
    NEXT(wave, u);
}

static const Uop *toy_end(Wave *wave, const Uop *u)
{
    wave->state = WAVE_END;
    LEAVE(wave, u);
}

static const Uop *toy_barrier(Wave *wave, const Uop *u)
{
    wave->state = WAVE_BARRIER;
    LEAVE(wave, u + 1);
}

static const Uop *toy_jump(Wave *wave, const Uop *u)
{
    const Uop *target = wave_branch(wave, u, (int32_t)u->src[0] >> 8);

    if (!target) {
        return NULL;
    }
    GOTO(wave, target);
}

static const Uop *toy_fault(Wave *wave, const Uop *u)
{
    return wave_fault(wave, u, TESSERA_FAULT_MISALIGNED, ENGINE_READ,
                      u->src[0] >> 8, 1);
}

/* Memory cannot be reached, or not yet. */
static void stop(Wave *wave, const Uop *u, TesseraFaultCause cause,
                 EngineAccess access, uint64_t va)
{
    if (cause == (TesseraFaultCause)ENGINE_WAIT) {
        wave_park(wave, u);
    } else {
        wave_fault(wave, u, cause, access, va, 1);
    }
}

/* The word at the operand plus @index words; NULL after faulting. */
static uint64_t *word(Wave *wave, const Uop *u, uint64_t index,
                      EngineAccess access)
{
    uint64_t va = (u->src[0] >> 8) + 8 * index;
    TesseraFaultCause cause;
    uint8_t *p = mem_ptr(wave, va, access, &cause);

    if (p) {
        wave_unpark(wave);
    } else {
        if (cause == (TesseraFaultCause)ENGINE_WAIT) {
            wave_want_page(wave, va, access);
        }
        stop(wave, u, cause, access, va);
    }
    return (uint64_t *)p;
}

static uint64_t group_number(const Wave *wave)
{
    return wave->group->id[0];
}

static const Uop *toy_count(Wave *wave, const Uop *u)
{
    uint64_t *p = word(wave, u, 0, ENGINE_WRITE);

    if (!p) {
        return NULL;
    }
    __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST);
    NEXT(wave, u);
}

static const Uop *toy_wait(Wave *wave, const Uop *u)
{
    uint64_t *p = word(wave, u, 0, ENGINE_READ);
    const Uop *target;

    if (!p) {
        return NULL;
    }
    if (__atomic_load_n(p, __ATOMIC_SEQ_CST)) {
        NEXT(wave, u);
    }
    target = wave_branch(wave, u, 0);
    if (!target) {
        return NULL;
    }
    GOTO(wave, target);
}

static const Uop *toy_flag(Wave *wave, const Uop *u)
{
    uint64_t *p = word(wave, u, group_number(wave), ENGINE_WRITE);

    if (!p) {
        return NULL;
    }
    __atomic_store_n(p, group_number(wave) + 1, __ATOMIC_SEQ_CST);
    NEXT(wave, u);
}

static const Uop *toy_scratch(Wave *wave, const Uop *u)
{
    uint64_t *p = word(wave, u, group_number(wave), ENGINE_WRITE);

    if (!p) {
        return NULL;
    }
    __atomic_store_n(p, wave->scratch_slot, __ATOMIC_SEQ_CST);
    NEXT(wave, u);
}

static const Uop *toy_store(Wave *wave, const Uop *u)
{
    uint64_t *p = word(wave, u, 0, ENGINE_WRITE);

    if (!p) {
        return NULL;
    }
    __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
    NEXT(wave, u);
}

static const Uop *toy_cu(Wave *wave, const Uop *u)
{
    uint64_t *p = word(wave, u, group_number(wave), ENGINE_WRITE);

    if (!p) {
        return NULL;
    }
    __atomic_store_n(p, wave->group->cu + 1, __ATOMIC_SEQ_CST);
    NEXT(wave, u);
}

/* Move the accumulator by mem_move(); false if the wave has stopped. */
static bool move(Wave *wave, const Uop *u, uint64_t index, EngineAccess access)
{
    MemSpan span = { (u->src[0] >> 8) + 8 * index, 8 };
    uint64_t bad;
    TesseraFaultCause cause = mem_move(wave, &span, 1,
                                       &((ToyWave *)wave)->accumulator, access,
                                       true, &bad);

    if (cause != TESSERA_FAULT_NONE) {
        stop(wave, u, cause, access, bad);
        return false;
    }
    wave_unpark(wave);
    return true;
}

static const Uop *toy_load(Wave *wave, const Uop *u)
{
    if (!move(wave, u, 0, ENGINE_READ)) {
        return NULL;
    }
    NEXT(wave, u);
}

static const Uop *toy_save(Wave *wave, const Uop *u)
{
    if (!move(wave, u, group_number(wave), ENGINE_WRITE)) {
        return NULL;
    }
    NEXT(wave, u);
}

static const Uop *toy_fill(Wave *wave, const Uop *u)
{
    Worker *w = wave->worker;

    for (; w->written_count < WRITTEN_MAX; w->written_count++) {
        w->written[w->written_count] = w->written[w->written_count - 1];
    }
    NEXT(wave, u);
}

static const Uop *toy_refill(Wave *wave, const Uop *u)
{
    ((ToyWave *)wave)->accumulator = mem_refill(wave, u->src[0] >> 8,
                                                ENGINE_WRITE);
    NEXT(wave, u);
}

static void toy_decode(const uint32_t *words, unsigned count, unsigned lanes,
                 Uop *uop)
{
    static UopFn *const fn[] = {
        toy_nop, toy_end, toy_barrier, toy_jump, toy_fault, toy_count,
        toy_wait, toy_flag, toy_scratch, toy_store, toy_cu,
        toy_load, toy_save, toy_nop, toy_fill, toy_refill,
    };
    unsigned op = words[0] & 0xff;

    *uop = (Uop){
        .fn = op < G_N_ELEMENTS(fn) ? fn[op] : toy_fault,
        .src = { words[0] },
        .len = op == TOY_LONG ? 2 : 1,
    };
    if (uop->len > count) {
        uop->fn = toy_fault;
    }
}

static unsigned one_lane(const Wave *wave)
{
    return 1;
}

static void toy_start(Wave *wave, EngineGroup *group, unsigned index)
{
    if (wave->stale) {
        ((ToyWave *)wave)->accumulator = 0;
    }
    wave->active_lanes = one_lane;
}

static void toy_run(Wave *wave)
{
    const Uop *u = wave->uop;

    while (u) {
        u = u->fn(wave, u);
    }
}

static unsigned toy_lanes(const TesseraLaunch *launch)
{
    return 64;
}

static unsigned toy_disassemble(const uint32_t *words, unsigned count,
                                unsigned lanes, uint64_t pc, char *text,
                                size_t size)
{
    snprintf(text, size, "toy %u", words[0] & 0xff);
    return 4;
}

static const TesseraIsaExec toy_exec = {
    .wave_bytes = sizeof(ToyWave),
    .wave_start = toy_start,
    .decode = toy_decode,
    .run = toy_run,
};

const TesseraIsa toy_isa = {
    .name = "toy",
    .lanes = 64,
    .max_lds = 1024,
    .exec = { &toy_exec, NULL, NULL },
    .wave_lanes = toy_lanes,
    .disassemble = toy_disassemble,
};
