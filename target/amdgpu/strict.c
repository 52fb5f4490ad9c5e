/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instruction is looked at before it is executed, and again before the next
 * one is: then its results are taken out of the registers and kept until they
 * are due.
 *
 * What a wait guarantees follows from the order in which accesses complete
 * (gfx-facts section 12, rules SM18, FL7): if a counter has to fall by c, and o
 * of what it counts may complete in any order, then only c - o of those that
 * complete in order are sure to be complete, and nothing else unless the
 * counter falls to zero.
 */
#include <glib.h>
#include "isa.h"
#include "uses.h"
#include "disasm-int.h"
#include "ops.h"

#define PENDING_MAX 160 /* no generation's counters count as many */
#define SCALARS_MAX 16 /* dwords of a scalar load */
#define VECTORS_MAX 5  /* dwords of a vector load, TFE included */
#define CLAUSE_MAX 64  /* registers kept of a clause */

/*
 * What is waited for.  From gfx11 on stores count elsewhere, and nobody waits
 * for their results; up to gfx11 there is one counter, LGKM_CNT, for LDS and
 * scalar memory, here COUNTER_DS.
 */
typedef enum Counter {
    COUNTER_LOAD, /* VM_CNT, LOADcnt */
    COUNTER_DS,   /* LGKM_CNT, DScnt */
    COUNTER_KM,   /* KMcnt */
    COUNTERS
} Counter;

/* The highest that they count; 0: they do not count. */
static const uint8_t counter_max[][COUNTERS] = {
    [GEN_9] = { 63, 15, 0 },
    [GEN_11] = { 63, 63, 0 },
    [GEN_12] = { 63, 63, 31 },
};

typedef struct Pending {
    AmdOrder order;
    uint8_t in[COUNTERS]; /* still counted there, and how often */
    bool arrived;  /* `values` are there */
    AmdUse result; /* dwords is 0 if there is none */
    uint64_t lanes, pc;
    union {
        uint32_t scalar[SCALARS_MAX];
        Vreg vector[VECTORS_MAX];
    } values;
} Pending;

struct AmdStrict {
    const Uop *last;  /* instruction looked at most recently */
    bool issued;      /* it is the newest in `pending` */
    unsigned count;
    unsigned clause_length; /* scalar memory instructions in a run */
    unsigned clause_uses;
    AmdUse clause[CLAUSE_MAX]; /* what they read and write */
    Pending pending[PENDING_MAX]; /* oldest first */
};

/* ---- registers ---- */

static bool is_vector(unsigned code)
{
    return code >= OPERAND_VGPR;
}

static uint32_t *vgpr(AmdWave *w, unsigned code)
{
    return (uint32_t *)&w->v[(code - OPERAND_VGPR) % AMD_VGPRS];
}

static bool touches_vcc(const AmdUse *use)
{
    return use->code <= SGPR_VCC + 1 && use->code + use->dwords > SGPR_VCC;
}

static void merge(uint32_t *to, uint32_t from, uint32_t mask)
{
    *to = (*to & ~mask) | (from & mask);
}

/* Take the results of @p out of the registers and leave poison. */
static void hold_back(AmdWave *w, Pending *p)
{
    const AmdUse *r = &p->result;

    p->arrived = true;
    for (unsigned i = 0; i < r->dwords && is_vector(r->code); i++) {
        uint32_t *reg = vgpr(w, r->code + i);

        p->values.vector[i] = *(Vreg *)reg;
        for (uint64_t lanes = p->lanes; lanes; lanes &= lanes - 1) {
            merge(&reg[__builtin_ctzll(lanes)], AMD_POISON, r->mask);
        }
    }
    for (unsigned i = 0; i < r->dwords && !is_vector(r->code); i++) {
        p->values.scalar[i] = w->s[r->code + i];
        w->s[r->code + i] = AMD_POISON;
    }
    if (touches_vcc(r)) {
        vcc_changed(w);
    }
}

static void deliver(AmdWave *w, const Pending *p)
{
    const AmdUse *r = &p->result;

    for (unsigned i = 0; i < r->dwords && is_vector(r->code); i++) {
        uint32_t *reg = vgpr(w, r->code + i);
        const uint32_t *from = (const uint32_t *)&p->values.vector[i];

        for (uint64_t lanes = p->lanes; lanes; lanes &= lanes - 1) {
            unsigned lane = __builtin_ctzll(lanes);

            merge(&reg[lane], from[lane], r->mask);
        }
    }
    for (unsigned i = 0; i < r->dwords && !is_vector(r->code); i++) {
        w->s[r->code + i] = p->values.scalar[i];
    }
    if (touches_vcc(r)) {
        vcc_changed(w);
    }
}

/* ---- counters ---- */

/* Does @counter fall for @p in the order of issue? */
static bool in_order(const Pending *p, Counter counter)
{
    return counter == COUNTER_LOAD ? p->order == ORDER_VMEM
                                   : p->order == ORDER_LDS;
}

/* @ordered: of those that complete in order only. */
static unsigned count(const struct AmdStrict *s, Counter counter, bool ordered)
{
    unsigned n = 0;

    for (unsigned i = 0; i < s->count; i++) {
        const Pending *p = &s->pending[i];

        n += !ordered || in_order(p, counter) ? p->in[counter] : 0;
    }
    return n;
}

/* How many of those that complete in order are sure to be complete. */
static unsigned sure(const struct AmdStrict *s, Counter counter,
                     unsigned limit)
{
    unsigned all = count(s, counter, false);
    unsigned unordered = all - count(s, counter, true);
    unsigned fall = all > limit ? all - limit : 0;

    return fall > unordered ? fall - unordered : 0;
}

static void drop_complete(AmdWave *w)
{
    struct AmdStrict *s = w->strict;
    unsigned kept = 0;

    for (unsigned i = 0; i < s->count; i++) {
        Pending *p = &s->pending[i];

        if (!p->in[COUNTER_LOAD] && !p->in[COUNTER_DS] &&
            !p->in[COUNTER_KM]) {
            deliver(w, p);
        } else if (kept++ != i) {
            s->pending[kept - 1] = *p;
        }
    }
    s->count = kept;
}

/* The counter has fallen to @limit, or below. */
static void wait_for(AmdWave *w, Counter counter, unsigned limit)
{
    struct AmdStrict *s = w->strict;
    unsigned n = sure(s, counter, limit);

    for (unsigned i = 0; i < s->count; i++) {
        Pending *p = &s->pending[i];

        if (p->in[counter] && (limit == 0 || (in_order(p, counter) && n))) {
            n -= n && in_order(p, counter);
            p->in[counter] = 0;
        }
    }
    drop_complete(w);
}

enum { IN_9 = 1 << GEN_9, IN_11 = 1 << GEN_11, IN_12 = 1 << GEN_12 };

/*
 * The instructions that wait: for the field of simm16 that is @width bits from
 * @low, and on top of it those from @high; a field of no bits is 0.
 */
typedef struct Wait {
    AmdOp op;
    uint8_t in; /* generations */
    uint8_t counter, low, width, high, high_width;
} Wait;

static const Wait waits[] = {
    { AMD_s_waitcnt, IN_9, COUNTER_LOAD, 0, 4, 14, 2 },
    { AMD_s_waitcnt, IN_9, COUNTER_DS, 8, 4 },
    { AMD_s_waitcnt, IN_11, COUNTER_LOAD, 10, 6 },
    { AMD_s_waitcnt, IN_11, COUNTER_DS, 4, 6 },
    { AMD_s_waitcnt_vmcnt, IN_11, COUNTER_LOAD, 0, 6 },
    { AMD_s_waitcnt_lgkmcnt, IN_11, COUNTER_DS, 0, 6 },
    { AMD_s_wait_idle, IN_11 | IN_12, COUNTER_LOAD },
    { AMD_s_wait_idle, IN_11 | IN_12, COUNTER_DS },
    { AMD_s_wait_idle, IN_12, COUNTER_KM },
    { AMD_s_wait_loadcnt, IN_12, COUNTER_LOAD, 0, 6 },
    { AMD_s_wait_dscnt, IN_12, COUNTER_DS, 0, 6 },
    { AMD_s_wait_kmcnt, IN_12, COUNTER_KM, 0, 5 },
    { AMD_s_wait_loadcnt_dscnt, IN_12, COUNTER_LOAD, 8, 6 },
    { AMD_s_wait_loadcnt_dscnt, IN_12, COUNTER_DS, 0, 6 },
    { AMD_s_wait_storecnt_dscnt, IN_12, COUNTER_DS, 0, 6 },
};

static unsigned field(unsigned word, unsigned low, unsigned width)
{
    return word >> low & ((1u << width) - 1);
}

static void wait_instruction(AmdWave *w, const AmdInst *inst)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(waits); i++) {
        const Wait *wait = &waits[i];

        if (inst->op == wait->op && wait->in >> w->isa->gen & 1) {
            wait_for(w, wait->counter,
                     field(inst->simm16, wait->low, wait->width) |
                     field(inst->simm16, wait->high, wait->high_width)
                         << wait->width);
        }
    }
}

/* IB_STS shows them: gfx900's layout, gfx11's, and none on gfx12. */
uint32_t amd_strict_counters(const AmdWave *w)
{
    unsigned vm, lgkm;

    if (!w->strict) {
        return 0;
    }
    vm = count(w->strict, COUNTER_LOAD, false);
    lgkm = count(w->strict, COUNTER_DS, false);
    switch (w->isa->gen) {
    case GEN_9:
        return (vm & 0xf) | lgkm << 8 | (vm >> 4 & 3) << 22;
    case GEN_11:
        return vm << 10 | lgkm << 4;
    default:
        return 0;
    }
}

/* ---- reports ---- */

static void name_register(const AmdUse *use, char *name, size_t size)
{
    Text text = { .start = name, .size = size };

    amd_text_register(&text, use->code, use->dwords);
}

static void report(Wave *wave, const Uop *uop, TesseraHazard kind,
                   const AmdUse *use, uint64_t lanes, uint64_t since)
{
    EngineHazard hazard = {
        .kind = kind,
        .pc = wave_pc(wave, uop),
        .since = since,
        .lanes = is_vector(use->code) ? lanes : 0,
    };

    name_register(use, hazard.name, sizeof(hazard.name));
    wave_hazard(wave, uop, &hazard);
}

static bool overlap(const AmdUse *a, const AmdUse *b)
{
    return a->code < b->code + b->dwords && b->code < a->code + a->dwords &&
           a->mask & b->mask;
}

/* Lanes in which @use and the result of @p meet. */
static uint64_t common_lanes(const AmdWave *w, const Pending *p,
                             const AmdInst *inst)
{
    bool any_lane = amd_insns[inst->op].flags & INSN_SDST; /* v_readlane */

    if (!is_vector(p->result.code)) {
        return UINT64_MAX;
    }
    return any_lane ? p->lanes : p->lanes & sgpr64(w, SGPR_EXEC);
}

static TesseraHazard kind_of(const AmdUse *use, AmdOrder order)
{
    if (!use->written) {
        return TESSERA_HAZARD_READ;
    }
    return order == ORDER_NONE ? TESSERA_HAZARD_WRITE
                               : TESSERA_HAZARD_TWO_LOADS;
}

/*
 * Vector memory returns in order, so that the later of two such loads stays;
 * LLVM relies on it (SIInsertWaitcnts, hasVmemWriteVgprInOrder).
 */
static bool stays(const Pending *p, const AmdUse *use, AmdOrder order)
{
    return use->written && p->order == ORDER_VMEM && order == ORDER_VMEM;
}

static void check_pending(AmdWave *w, const Uop *uop, const AmdInst *inst,
                          const AmdUses *uses)
{
    const struct AmdStrict *s = w->strict;

    for (unsigned i = 0; i < s->count; i++) {
        const Pending *p = &s->pending[i];
        uint64_t lanes = p->result.dwords ? common_lanes(w, p, inst) : 0;

        for (unsigned j = 0; lanes && j < uses->count; j++) {
            if (overlap(&p->result, &uses->use[j]) &&
                !stays(p, &uses->use[j], uses->order)) {
                report(&w->w, uop, kind_of(&uses->use[j], uses->order),
                       &p->result, lanes, p->pc);
                break;
            }
        }
    }
}

/* A result of the clause that is one of its sources, or NULL. */
static const AmdUse *overwritten_source(const struct AmdStrict *s)
{
    for (unsigned i = 0; i < s->clause_uses; i++) {
        for (unsigned j = 0; s->clause[i].written && j < s->clause_uses; j++) {
            if (!s->clause[j].written && overlap(&s->clause[i],
                                                 &s->clause[j])) {
                return &s->clause[i];
            }
        }
    }
    return NULL;
}

/*
 * Rule SM17: in a clause, a run of scalar memory instructions, no result may
 * overwrite a source, since on gfx900 the clause may be executed again from its
 * start.  Compilers let a single instruction overwrite its own base: alone it
 * is no clause.
 */
static void check_clause(AmdWave *w, const Uop *uop, const AmdUses *uses)
{
    struct AmdStrict *s = w->strict;
    const AmdUse *use;

    if (uses->order != ORDER_SMEM || w->isa->gen != GEN_9) {
        s->clause_length = s->clause_uses = 0;
        return;
    }
    for (unsigned j = 0; j < uses->count; j++) {
        if (s->clause_uses < CLAUSE_MAX) {
            s->clause[s->clause_uses++] = uses->use[j];
        }
    }
    use = ++s->clause_length > 1 ? overwritten_source(s) : NULL;
    if (use) {
        report(&w->w, uop, TESSERA_HAZARD_CLAUSE, use, UINT64_MAX, 0);
        s->clause_length = s->clause_uses = 0; /* one report is enough */
    }
}

/* ---- before each instruction ---- */

/* In which counters @inst counts, and by how much. */
static void counts_in(const AmdInst *inst, const AmdUses *uses, uint8_t *in)
{
    bool load = uses->order == ORDER_VMEM || uses->order == ORDER_FLAT;
    bool km = inst->gen == GEN_12 && uses->order == ORDER_SMEM;

    if (inst->gen != GEN_9 && inst->dst == OPERAND_NONE) {
        load = false;
    }
    in[COUNTER_LOAD] = load;
    in[COUNTER_DS] = km ? 0 : uses->lgkm;
    in[COUNTER_KM] = km ? uses->lgkm : 0;
}

static void issue(AmdWave *w, const Uop *uop, const AmdInst *inst,
                  const AmdUses *uses)
{
    struct AmdStrict *s = w->strict;
    uint8_t in[COUNTERS];
    Pending *p;

    counts_in(inst, uses, in);
    if (!in[COUNTER_LOAD] && !in[COUNTER_DS] && !in[COUNTER_KM]) {
        return; /* a store, from gfx11 on */
    }
    /* A full counter stalls the wave until there is room. */
    for (Counter c = 0; c < COUNTERS; c++) {
        if (in[c]) {
            wait_for(w, c, counter_max[w->isa->gen][c] - in[c]);
        }
        if (s->count == PENDING_MAX) {
            wait_for(w, c, 0);
        }
    }
    p = &s->pending[s->count++];
    p->order = uses->order;
    memcpy(p->in, in, sizeof(p->in));
    p->arrived = false;
    p->result.dwords = 0;
    p->lanes = sgpr64(w, SGPR_EXEC);
    p->pc = wave_pc(&w->w, uop);
    for (unsigned i = 0; i < uses->count; i++) {
        if (uses->use[i].written) {
            p->result = uses->use[i];
        }
    }
    s->issued = true;
}

/* The instruction before this one has been executed. */
static void finish_last(AmdWave *w)
{
    struct AmdStrict *s = w->strict;

    if (s->issued) {
        hold_back(w, &s->pending[s->count - 1]);
        s->issued = false;
    }
}

void amd_strict_check_inst(Wave *wave, const Uop *uop, const AmdInst *inst)
{
    AmdWave *w = amd(wave);
    struct AmdStrict *s = w->strict;
    AmdUses uses;

    if (!s) {
        s = w->strict = g_new0(struct AmdStrict, 1);
    }
    if (s->issued && s->last == uop) {
        return; /* it had to wait, and is executed again */
    }
    finish_last(w);
    s->last = uop;
    wait_instruction(w, inst);
    amd_uses(inst, &uses);
    check_pending(w, uop, inst, &uses);
    check_clause(w, uop, &uses);
    if (uses.order != ORDER_NONE) {
        issue(w, uop, inst, &uses);
    }
}

void amd_strict_check(Wave *wave, const Uop *uop, const uint32_t *words,
                      unsigned count)
{
    AmdInst inst;

    const AmdWave *w = amd(wave);

    if (amd_isa_decode(w->isa, wave_width(w))(words, count, &inst)) {
        amd_strict_check_inst(wave, uop, &inst);
    }
}

void amd_strict_start(AmdWave *w)
{
    if (w->strict) {
        w->strict->count = 0;
        w->strict->clause_length = w->strict->clause_uses = 0;
        w->strict->issued = false;
        w->strict->last = NULL;
    }
}

void amd_strict_free(Wave *wave)
{
    g_free(amd(wave)->strict);
    amd(wave)->strict = NULL;
}
