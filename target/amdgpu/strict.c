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

#define VM_MAX 63
#define LGKM_MAX 15
#define PENDING_MAX (VM_MAX + LGKM_MAX + 2)
#define SCALARS_MAX 16 /* dwords of a scalar load */
#define VECTORS_MAX 5  /* dwords of a vector load, TFE included */
#define CLAUSE_MAX 64  /* registers kept of a clause */

typedef struct Pending {
    AmdOrder order;
    bool vm;       /* still counted in VM_CNT */
    uint8_t lgkm;  /* and in LGKM_CNT */
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

typedef struct Counters {
    unsigned vm, lgkm;                  /* all */
    unsigned vm_unordered, lgkm_unordered;
} Counters;

static Counters count(const struct AmdStrict *s)
{
    Counters c = { 0 };

    for (unsigned i = 0; i < s->count; i++) {
        const Pending *p = &s->pending[i];

        c.vm += p->vm;
        c.lgkm += p->lgkm;
        c.vm_unordered += p->vm && p->order != ORDER_VMEM;
        c.lgkm_unordered += p->order != ORDER_LDS ? p->lgkm : 0;
    }
    return c;
}

/* How many of those that complete in order are sure to be complete. */
static unsigned sure(unsigned all, unsigned unordered, unsigned limit)
{
    unsigned fall = all > limit ? all - limit : 0;

    return fall > unordered ? fall - unordered : 0;
}

static void drop_complete(AmdWave *w)
{
    struct AmdStrict *s = w->strict;
    unsigned kept = 0;

    for (unsigned i = 0; i < s->count; i++) {
        Pending *p = &s->pending[i];

        if (!p->vm && !p->lgkm) {
            deliver(w, p);
        } else if (kept++ != i) {
            s->pending[kept - 1] = *p;
        }
    }
    s->count = kept;
}

/* The counters have fallen to what is given, or below. */
static void wait_for(AmdWave *w, unsigned vm, unsigned lgkm)
{
    struct AmdStrict *s = w->strict;
    Counters c = count(s);
    unsigned vm_sure = sure(c.vm, c.vm_unordered, vm);
    unsigned lgkm_sure = sure(c.lgkm, c.lgkm_unordered, lgkm);

    for (unsigned i = 0; i < s->count; i++) {
        Pending *p = &s->pending[i];

        if (p->vm && (vm == 0 || (p->order == ORDER_VMEM && vm_sure))) {
            p->vm = false;
            vm_sure -= vm_sure && p->order == ORDER_VMEM;
        }
        if (p->lgkm && (lgkm == 0 || (p->order == ORDER_LDS && lgkm_sure))) {
            p->lgkm = 0;
            lgkm_sure -= lgkm_sure && p->order == ORDER_LDS;
        }
    }
    drop_complete(w);
}

/* s_waitcnt: vmcnt [15:14]:[3:0], expcnt [6:4], lgkmcnt [11:8]. */
static void wait_instruction(AmdWave *w, unsigned simm16)
{
    wait_for(w, (simm16 & 0xf) | (simm16 >> 14 & 3) << 4, simm16 >> 8 & 0xf);
}

uint32_t amd_strict_counters(const AmdWave *w)
{
    Counters c;

    if (!w->strict) {
        return 0;
    }
    c = count(w->strict);
    return (c.vm & 0xf) | c.lgkm << 8 | (c.vm >> 4 & 3) << 22;
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
 * overwrite a source, since the clause may be executed again from its start.
 * Compilers let a single instruction overwrite its own base: alone it is no
 * clause.
 */
static void check_clause(AmdWave *w, const Uop *uop, const AmdUses *uses)
{
    struct AmdStrict *s = w->strict;
    const AmdUse *use;

    if (uses->order != ORDER_SMEM) {
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

static void issue(AmdWave *w, const Uop *uop, const AmdUses *uses)
{
    struct AmdStrict *s = w->strict;
    bool vm = uses->order == ORDER_VMEM || uses->order == ORDER_FLAT;
    Pending *p;

    /* A full counter stalls the wave until there is room. */
    wait_for(w, VM_MAX - vm, LGKM_MAX - uses->lgkm);
    if (s->count == PENDING_MAX) {
        wait_for(w, 0, 0);
    }
    p = &s->pending[s->count++];
    p->order = uses->order;
    p->vm = vm;
    p->lgkm = uses->lgkm;
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
    if (inst->op == AMD_s_waitcnt) {
        wait_instruction(w, inst->simm16);
    }
    amd_uses(inst, &uses);
    check_pending(w, uop, inst, &uses);
    check_clause(w, uop, &uses);
    if (uses.order != ORDER_NONE) {
        issue(w, uop, &uses);
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
