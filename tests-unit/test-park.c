/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that has to be asked for: every memory instruction of every family,
 * once with all pages in memory and once with pages that are unknown or belong
 * to a device, whose owner answers when it pleases.  Registers, memory and
 * faults must be equal, and each byte of a device must be accessed as often as
 * the lanes do it.
 */
#include <inttypes.h>
#include <string.h>
#include "target/amdgpu/exec/handlers.h"
#include "decode-words.h"
#include "target/gfx9/decode.h"
#include "target/gfx9/isa.h"
#include "wave-harness.h"

#define DATA_VA 0x500000000000ull
#define DATA_SIZE 0x8000u
#define SHARED ((uint64_t)WAVE_SHARED_HI << 48)
#define PRIVATE ((uint64_t)WAVE_PRIVATE_HI << 48)
#define LANE_SCRATCH (WAVE_SCRATCH_SIZE / 64)

enum { ADDR = 2, VDATA = 8, DST = 16, BASE = 4, RSRC = 8, SOFF = 16 };
enum { REGS = 32 };

static GRand *rng;

static unsigned pick(unsigned n)
{
    return n ? (unsigned)g_rand_int_range(rng, 0, (int)n) : 0;
}

static bool chance(unsigned one_in)
{
    return pick(one_in) == 0;
}

/* ---- an owner that answers late ---- */

typedef struct Known {
    uint64_t page;
    EngineAccess access;
} Known;

typedef struct Mock {
    uint32_t seed;    /* what the pages are */
    bool devices;     /* some are devices */
    Known known[256]; /* pages that have been asked for */
    unsigned known_count;
    EngineAsk *ask;   /* open */
    unsigned delay;
    bool late;        /* it can no longer be taken back */
    bool calm;        /* answer at once, forget nothing */
    unsigned asks;
    uint8_t reads[DATA_SIZE + WAVE_SCRATCH_SIZE];
    uint8_t writes[DATA_SIZE + WAVE_SCRATCH_SIZE];
} Mock;

static uint32_t kind_of(const Mock *m, uint64_t va)
{
    uint32_t x = (uint32_t)(va / ENGINE_PAGE) * 2654435761u ^ m->seed;

    x ^= x >> 15;
    x *= 2246822519u;
    return x >> 13;
}

static bool is_known(const Mock *m, uint64_t page, EngineAccess access)
{
    for (unsigned i = 0; i < m->known_count; i++) {
        if (m->known[i].page == page && m->known[i].access == access) {
            return true;
        }
    }
    return false;
}

static bool is_code(uint64_t va)
{
    return va - WAVE_CODE_VA < WAVE_CODE_MAX;
}

static TesseraFaultCause mock_page(WaveHarness *h, uint64_t va,
                                   EngineAccess access)
{
    const Mock *m = h->opaque;
    uint32_t kind = kind_of(m, va);

    if (kind & 1 && !is_known(m, va / ENGINE_PAGE, access)) {
        return (TesseraFaultCause)ENGINE_WAIT;
    }
    if (m->devices && kind & 2 && !is_code(va) && wave_host(h, va)) {
        return (TesseraFaultCause)ENGINE_DEVICE;
    }
    return TESSERA_FAULT_NONE;
}

/* Index in the counters of an address on the bus. */
static unsigned byte_of(uint64_t bus)
{
    if (bus - DATA_VA < DATA_SIZE) {
        return bus - DATA_VA;
    }
    g_assert_cmphex(bus - WAVE_SCRATCH_VA, <, WAVE_SCRATCH_SIZE);
    return DATA_SIZE + (bus - WAVE_SCRATCH_VA);
}

static void access_device(WaveHarness *h, Mock *m, EngineAsk *ask)
{
    uint8_t *host = wave_host(h, ask->address);

    g_assert_true(ask->size == 1 || ask->size == 2 || ask->size == 4 ||
                  ask->size == 8);
    g_assert_cmpuint(ask->address % ask->size, ==, 0);
    g_assert_true(m->devices && kind_of(m, ask->address) & 2);
    for (unsigned i = 0; i < ask->size; i++) {
        (ask->op == ENGINE_ASK_WRITE ? m->writes
                                     : m->reads)[byte_of(ask->address) + i]++;
    }
    if (ask->op == ENGINE_ASK_WRITE) {
        memcpy(host, &ask->data, ask->size);
    } else {
        ask->data = 0;
        memcpy(&ask->data, host, ask->size);
    }
}

static void mock_answer(WaveHarness *h, Mock *m)
{
    EngineAsk *ask = m->ask;

    m->ask = NULL;
    if (ask->op != ENGINE_ASK_TRANSLATE) {
        access_device(h, m, ask);
    } else {
        if (!m->calm && chance(6)) { /* all else is forgotten */
            m->known_count = 0;
        }
        g_assert_cmpuint(m->known_count, <, G_N_ELEMENTS(m->known));
        m->known[m->known_count++] = (Known){ ask->address / ENGINE_PAGE,
                                              ask->access };
    }
    ask->cause = TESSERA_FAULT_NONE;
    ask->done(ask);
}

static void mock_ask(WaveHarness *h, EngineAsk *ask)
{
    Mock *m = h->opaque;

    g_assert_null(m->ask);
    m->ask = ask;
    m->asks++;
    m->delay = m->calm ? 0 : pick(4);
    m->late = false;
    if (!m->delay) {
        mock_answer(h, m);
    }
}

static bool mock_cancel(WaveHarness *h, EngineAsk *ask)
{
    Mock *m = h->opaque;

    if (m->ask != ask || m->late) {
        return false;
    }
    m->ask = NULL;
    return true;
}

static void mock_wait(WaveHarness *h)
{
    Mock *m = h->opaque;

    if (chance(5)) { /* as when the engine is parked */
        m->late = chance(2);
        park_cancel(&h->w->w);
    }
    if (m->ask && --m->delay == 0) {
        mock_answer(h, m);
    }
}

static const WaveOwner mock_owner = {
    .page = mock_page,
    .ask = mock_ask,
    .cancel = mock_cancel,
    .wait = mock_wait,
};

/* ---- states ---- */

typedef struct State {
    uint32_t s[SGPR_COUNT];
    Vreg v[REGS];
    uint64_t exec;
    uint32_t trapsts, scc;
    uint64_t vccz;
    bool mem_continue;
    uint8_t data[DATA_SIZE];
    uint8_t scratch[WAVE_SCRATCH_SIZE];
    uint8_t lds[0x4000];
} State;

static void save(WaveHarness *h, State *t)
{
    memcpy(t->s, h->w->s, sizeof(t->s));
    memcpy(t->v, h->w->v, sizeof(t->v));
    t->exec = wave_sgpr64(h, SGPR_EXEC);
    t->trapsts = h->w->trapsts;
    t->scc = h->w->scc;
    t->vccz = h->w->vccz;
    memcpy(t->data, wave_host(h, DATA_VA), sizeof(t->data));
    memcpy(t->scratch, wave_host(h, WAVE_SCRATCH_VA), sizeof(t->scratch));
    memcpy(t->lds, wave_lds(h), sizeof(t->lds));
}

static void restore_registers(WaveHarness *h, const State *t)
{
    memcpy(h->w->s, t->s, sizeof(t->s));
    memcpy(h->w->v, t->v, sizeof(t->v));
    wave_set_exec(h, t->exec);
    vcc_changed(h->w);
    h->w->trapsts = 0;
    h->w->scc = 0;
    h->w->mem_continue = t->mem_continue;
}

static void restore(WaveHarness *h, const State *t)
{
    restore_registers(h, t);
    memcpy(wave_host(h, DATA_VA), t->data, sizeof(t->data));
    memcpy(wave_host(h, WAVE_SCRATCH_VA), t->scratch, sizeof(t->scratch));
    memcpy(wave_lds(h), t->lds, sizeof(t->lds));
}

static void random_bytes(void *p, size_t n)
{
    for (size_t i = 0; i + 4 <= n; i += 4) {
        uint32_t x = g_rand_int(rng);

        memcpy((uint8_t *)p + i, &x, 4);
    }
}

/* ---- cases ---- */

typedef struct Case {
    AmdInst inst;     /* as it is decoded */
    const AmdInsn *insn;
    unsigned family, opcode;
    uint32_t words[2];
    unsigned bytes;   /* of memory a lane, at most */
    bool store, atomic;
    State *start;
} Case;

static unsigned dwords_of(AmdType type)
{
    switch (type) {
    case T_none:
        return 0;
    case T_b64: case T_u64: case T_i64: case T_f64:
        return 2;
    case T_b96:
        return 3;
    case T_b128:
        return 4;
    case T_b256:
        return 8;
    case T_b512:
        return 16;
    default:
        return 1;
    }
}

static uint32_t *vgpr(State *t, unsigned n)
{
    return (uint32_t *)&t->v[n];
}

static void set_sgpr_pair(State *t, unsigned n, uint64_t x)
{
    memcpy(&t->s[n], &x, 8);
}

/*
 * A place for each lane's bytes in [0, @size) that no other lane has: what the
 * order of lanes would decide is not tested here.
 */
static void places(const Case *c, unsigned size, uint32_t *place)
{
    unsigned room = (size - 32) / 64, stride = 16 + pick(room - 15);
    unsigned base = pick(size - 32 - 64 * stride + 1);
    unsigned order = pick(64) | 1; /* odd: a permutation of 64 */
    unsigned align = c->atomic ? 8 : chance(2) ? 4 : 1;

    if (chance(3)) { /* side by side */
        stride = c->bytes ? c->bytes : 4;
        order = 1;
        base = pick(size - 32 - 64 * 16 + 1);
    }
    base &= -align;
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned at = lane * order % 64 * stride;

        place[lane] = base + (order == 1 ? at : at & -align);
    }
}

static uint64_t random_exec(void)
{
    uint64_t x = (uint64_t)g_rand_int(rng) << 32 | g_rand_int(rng);

    return chance(3) ? UINT64_MAX : chance(4) ? 1ull << pick(64) : x;
}

/* ---- FLAT, GLOBAL, SCRATCH ---- */

static uint64_t flat_place(const Case *c, uint32_t place, unsigned lane,
                           bool mixed)
{
    if (mixed && lane % 3 == 0) {
        return SHARED + place % 0x3fe0 / 16 * 16;
    }
    if (mixed && lane % 3 == 1 && !c->atomic) {
        return PRIVATE + place % (LANE_SCRATCH - 32);
    }
    if (chance(150)) { /* nothing is there */
        return DATA_VA + DATA_SIZE - pick(3) * c->bytes;
    }
    return DATA_VA + place;
}

static void make_flat(Case *c, unsigned segment)
{
    State *t = c->start;
    bool saddr = segment && chance(3), lds = segment && chance(3);
    bool mixed = !segment && chance(2);
    int offset = segment ? (int)pick(0x400) - 0x200 : (int)pick(0x200);
    unsigned dst = chance(2) ? DST : ADDR - pick(3), glc = pick(2);
    uint32_t place[64];

    places(c, segment == 1 ? LANE_SCRATCH : DATA_SIZE, place);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t va = flat_place(c, place[lane], lane, mixed);

        if (segment == 1) {
            va = chance(200) ? LANE_SCRATCH - 1 : place[lane];
        } else if (saddr) {
            va = place[lane] + 0x1000;
        }
        va -= (uint64_t)(int64_t)offset;
        vgpr(t, ADDR)[lane] = va;
        if (!saddr && segment != 1) {
            vgpr(t, ADDR + 1)[lane] = va >> 32;
        }
    }
    set_sgpr_pair(t, BASE, segment == 1 ? pick(LANE_SCRATCH / 2) + 0x200
                                        : DATA_VA - 0x1000);
    c->words[0] = 0xdc000000 | c->opcode << 18 | segment << 14 |
                  (offset & 0x1fff) | (c->atomic ? glc : 0) << 16 |
                  (lds && !c->store ? 1 << 13 : 0);
    c->words[1] = ADDR | VDATA << 8 | (saddr ? BASE : 0x7f) << 16 | dst << 24;
}

/* ---- MUBUF, MTBUF ---- */

static void make_buffer(Case *c)
{
    State *t = c->start;
    bool lone = c->store || c->atomic; /* lanes must not meet */
    bool lds = !strcmp(c->insn->name, "buffer_store_lds_dword") ||
               (c->family == FAM_MUBUF && !c->store && chance(4));
    unsigned kind = lds && c->store ? 3 : pick(4);
    unsigned stride = 0, records = DATA_SIZE, swizzle = 0, tid = 0;
    unsigned idxen = 0, offen = 1, soffset = pick(64) * 4, offset = 0;
    unsigned vdata = chance(2) ? DST : ADDR - pick(3);
    unsigned dfmt = 1 + pick(14), nfmt = pick(6), tfe = !lds && chance(4);
    uint32_t place[64];

    if (lone) {
        vdata = DST;
    }
    places(c, DATA_SIZE - 0x400, place);
    if (kind == 0) { /* raw */
        offset = pick(0x200);
        records = place[pick(64)] + offset + pick(20);
    } else if (kind == 1) { /* structured */
        stride = 48 + 8 * pick(45);
        idxen = 1;
        offset = pick(16);
        records = 60 + pick(8);
    } else if (kind == 2) { /* swizzled */
        stride = 48 + 8 * pick(40);
        swizzle = 1;
        idxen = 1;
        records = 64;
    } else { /* by the lane's number */
        stride = 48 + 8 * pick(40);
        swizzle = chance(2);
        tid = 1;
        offen = !lds && chance(2);
        offset = c->atomic ? pick(2) * 8 : pick(16);
    }
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t off = kind == 0 ? place[lane] : c->atomic ? 8 * (lane % 2)
                                                           : pick(12);

        if (idxen) {
            vgpr(t, ADDR)[lane] = (lane * 37 + 5) % 64;
        }
        vgpr(t, ADDR + (idxen && offen))[lane] =
            offen ? off : (lane * 37 + 5) % 64;
    }
    c->words[0] = (c->family == FAM_MUBUF
                       ? 0xe0000000 | c->opcode << 18 | (lds ? 1 << 16 : 0)
                       : 0xe8000000 | c->opcode << 15 | dfmt << 19 |
                             nfmt << 23) |
                  offset | offen << 12 | idxen << 13 |
                  (c->atomic ? pick(2) : 0) << 14;
    c->words[1] = ADDR | vdata << 8 | RSRC / 4 << 16 | SOFF << 24 |
                  (tfe && !c->atomic ? 1 << 23 : 0);
    set_sgpr_pair(t, RSRC, DATA_VA | (uint64_t)stride << 48 |
                               (uint64_t)swizzle << 63);
    t->s[RSRC + 2] = records;
    t->s[RSRC + 3] = 0xfac | nfmt << 12 | pick(4) << 21 | tid << 23 |
                     (tid && !(c->insn->flags & INSN_FORMAT) ? 0 : dfmt << 15);
    t->s[SOFF] = soffset;
}

/* ---- SMEM ---- */

static void make_smem(Case *c)
{
    State *t = c->start;
    bool buffer = c->insn->flags & INSN_BUFFER;
    unsigned dwords = dwords_of(c->insn->dst), n = dwords * 4;
    unsigned at = chance(2) ? (1 + pick(7)) * ENGINE_PAGE - 4 * pick(17)
                            : 4 * pick((DATA_SIZE - 64) / 4);
    unsigned sdata = chance(3) && dwords <= 4 ? (buffer ? RSRC : BASE) : 20;
    unsigned imm = 4 * pick(16);

    if (c->atomic) {
        at &= -8;
        imm &= -8;
    } else if (chance(12)) {
        at = DATA_SIZE - 4 * pick(dwords + 1);
    }
    at -= MIN(at, imm);
    set_sgpr_pair(t, BASE, DATA_VA + (buffer ? 0 : at));
    set_sgpr_pair(t, RSRC, DATA_VA);
    t->s[RSRC + 2] = chance(3) ? at + imm + pick(n + 8) : DATA_SIZE;
    t->s[RSRC + 3] = 0;
    t->s[SOFF] = buffer ? at : 0;
    if (c->insn->flags & INSN_SCRATCH) {
        t->s[SOFF] = pick(4);
    }
    c->words[0] = 0xc0000000 | c->opcode << 18 | 1 << 17 | 1 << 14 |
                  (c->atomic ? pick(2) : 0) << 16 | sdata << 6 |
                  (buffer ? RSRC : BASE) / 2;
    c->words[1] = imm | SOFF << 25;
}

/* ---- running ---- */

static void make_case(Case *c)
{
    State *t = c->start;

    random_bytes(t, sizeof(*t));
    t->exec = random_exec();
    t->mem_continue = chance(3);
    set_sgpr_pair(t, SGPR_FLAT_SCRATCH, WAVE_SCRATCH_VA);
    set_sgpr_pair(t, SGPR_EXEC, t->exec);
    t->s[SGPR_M0] = 0x100;
    switch (c->family) {
    case FAM_FLAT:
        make_flat(c, 0);
        break;
    case FAM_SCRATCH:
        make_flat(c, 1);
        break;
    case FAM_GLOBAL:
        make_flat(c, 2);
        break;
    case FAM_SMEM:
        make_smem(c);
        break;
    default:
        make_buffer(c);
        break;
    }
}

static void print_case(const Case *c, char *text, size_t size)
{
    if (!gfx900_isa.disassemble(c->words, 2, 64, 0, text, size)) {
        g_snprintf(text, size, "%s?", c->insn->name);
    }
}

static void compare(const State *a, const State *b, const char *text)
{
#define SAME(member)                                                        \
    do {                                                                    \
        if (memcmp(&a->member, &b->member, sizeof(a->member))) {            \
            g_error("%s: " #member " differs", text);                       \
        }                                                                   \
    } while (0)
    SAME(v);
    SAME(s);
    SAME(exec);
    SAME(scc);
    SAME(vccz);
    SAME(trapsts);
    SAME(data);
    SAME(scratch);
    SAME(lds);
}

static void compare_faults(const EngineFault *a, const EngineFault *b,
                           const char *text)
{
    if (a->cause != b->cause || a->address != b->address ||
        a->lanes != b->lanes || a->access != b->access || a->pc != b->pc) {
        g_error("%s: fault %d at %" PRIx64 " lanes %" PRIx64 " access %d, not "
                "%d at %" PRIx64 " lanes %" PRIx64 " access %d", text,
                b->cause, b->address, b->lanes, b->access, a->cause,
                a->address, a->lanes, a->access);
    }
}

static void mock_begin(Mock *m)
{
    m->known_count = 0;
    m->asks = 0;
    memset(m->reads, 0, sizeof(m->reads));
    memset(m->writes, 0, sizeof(m->writes));
}

/*
 * A device's bytes are accessed as often as by its lanes one after the other,
 * each of which accesses none twice.
 */
static void check_counts(WaveHarness *h, const Case *c, Mock *m,
                         const char *text)
{
    g_autofree Mock *all = g_memdup2(m, sizeof(*m));
    WaveCode code = { c->words, 2 };

    for (uint64_t left = c->start->exec; left; left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);

        restore_registers(h, c->start);
        wave_set_exec(h, 1ull << lane);
        mock_begin(m);
        m->calm = true;
        wave_run(h, &code);
        m->calm = false;
        for (unsigned i = 0; i < sizeof(m->reads); i++) {
            if (m->reads[i] > 1 || m->writes[i] > 1) {
                g_error("%s: lane %u accesses byte %x twice", text, lane, i);
            }
            all->reads[i] -= m->reads[i];
            all->writes[i] -= m->writes[i];
        }
    }
    for (unsigned i = 0; i < sizeof(m->reads); i++) {
        if (all->reads[i] || all->writes[i]) {
            g_error("%s: byte %x is read %d, written %d times too often", text,
                    i, (int8_t)all->reads[i], (int8_t)all->writes[i]);
        }
    }
}

static void check_once(const Mock *m, const char *text)
{
    for (unsigned i = 0; i < sizeof(m->reads); i++) {
        if (m->reads[i] > 1 || m->writes[i] > 1) {
            g_error("%s: byte %x is accessed twice", text, i);
        }
    }
}

static State expected, found;

/* Returns how often the owner was asked. */
static unsigned run_case(WaveHarness *h, Case *c, Mock *m, bool count)
{
    WaveCode code = { c->words, 2 };
    EngineFault fault = { 0 };
    char text[128];
    unsigned asks;

    print_case(c, text, sizeof(text));
    h->owner = NULL;
    h->worker->fault = fault;
    restore(h, c->start);
    wave_run(h, &code);
    save(h, &expected);
    fault = h->worker->fault;

    h->owner = &mock_owner;
    h->worker->fault = (EngineFault){ 0 };
    m->seed = g_rand_int(rng);
    m->devices = !c->atomic && chance(2);
    mock_begin(m);
    restore(h, c->start);
    wave_run(h, &code);
    asks = m->asks;
    save(h, &found);
    compare(&expected, &found, text);
    compare_faults(&fault, &h->worker->fault, text);
    g_assert_null(m->ask);
    g_assert_cmpuint(h->worker->asks, ==, 0);
    if (m->devices && c->family == FAM_SMEM) {
        check_once(m, text);
    } else if (m->devices && count) {
        check_counts(h, c, m, text);
    }
    return asks;
}

/* The encoding of an operation with as little as possible in it. */
static bool plain_case(Case *c, unsigned family, unsigned opcode)
{
    static const uint32_t first[FAM_COUNT] = {
        [FAM_SMEM] = 0xc0020000, [FAM_FLAT] = 0xdc000000,
        [FAM_SCRATCH] = 0xdc004000, [FAM_GLOBAL] = 0xdc008000,
        [FAM_MUBUF] = 0xe0000000, [FAM_MTBUF] = 0xe8080000,
    };

    c->family = family;
    c->opcode = opcode;
    for (int lds = 0; lds < 2; lds++) {
        c->words[0] = first[family] |
                      opcode << (family == FAM_MTBUF ? 15 : 18) | lds << 16;
        c->words[1] = family == FAM_SMEM ? 0
                      : family >= FAM_MUBUF ? 0
                                            : 0x7f << 16;
        if (gfx9_decode(c->words, 2, &c->inst)) {
            c->insn = &amd_insns[c->inst.op];
            c->store = c->insn->flags & INSN_STORE;
            c->atomic = c->insn->flags & INSN_ATOMIC;
            c->bytes = 4 * MAX(dwords_of(c->insn->dst),
                               dwords_of(c->insn->src[0]));
            return true;
        }
    }
    return false;
}

/* Not all modifiers go with all operations. */
static bool decodes(Case *c)
{
    if (gfx9_decode(c->words, 2, &c->inst)) {
        return true;
    }
    if (c->family == FAM_GLOBAL || c->family == FAM_SCRATCH) {
        c->words[0] &= ~(1u << 13);
    } else if (c->family == FAM_MUBUF) {
        c->words[0] &= ~(1u << 16);
    }
    return gfx9_decode(c->words, 2, &c->inst);
}

/* Caches, clocks and probes access no memory. */
static bool moves_data(const AmdInsn *insn)
{
    return insn->class != CLASS_SMEM
               ? strncmp(insn->name, "buffer_wb", 9) != 0
               : insn->dst != T_none && !strstr(insn->name, "time");
}

/* SCRATCH has no atomics, though the rows name them. */
static bool is_memory(const AmdInsn *insn)
{
    return (insn->class == CLASS_SMEM || insn->class == CLASS_FLAT ||
            insn->class == CLASS_BUF) &&
           moves_data(insn) && !g_str_has_prefix(insn->name, "scratch_atomic");
}

enum { VARIANTS = 24 };

static void run_operation(WaveHarness *h, Case *c, Mock *m, bool *done)
{
    unsigned asks = 0;

    for (unsigned i = 0; i < VARIANTS; i++) {
        make_case(c);
        if (decodes(c)) {
            asks += run_case(h, c, m, i % 4 == 0);
            done[c->inst.op] = true;
        }
    }
    if (!asks && moves_data(c->insn)) {
        g_error("%s: nothing was ever asked", c->insn->name);
    }
}

static void test_every_instruction(WaveHarness *h)
{
    static const unsigned families[] = {
        FAM_SMEM, FAM_FLAT, FAM_GLOBAL, FAM_SCRATCH, FAM_MUBUF, FAM_MTBUF,
    };
    g_autofree Mock *m = g_new0(Mock, 1);
    g_autofree State *start = g_new0(State, 1);
    g_autofree bool *done = g_new0(bool, amd_insn_count);
    g_autoptr(GPtrArray) rows = decode_rows("gfx9");

    rng = g_rand_new_with_seed(34);
    h->opaque = m;
    wave_map(h, DATA_VA, DATA_SIZE, true);
    wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);
    for (unsigned f = 0; f < G_N_ELEMENTS(families); f++) {
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            Case c = { .start = start };

            if (opcode < (families[f] == FAM_MTBUF ? 16
                          : families[f] == FAM_SMEM ? 256 : 128) &&
                plain_case(&c, families[f], opcode)) {
                run_operation(h, &c, m, done);
            }
        }
    }
    for (guint i = 0; i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);
        AmdInst inst;

        if (gfx9_decode(row->words, row->count, &inst) &&
            is_memory(&amd_insns[inst.op]) && !done[inst.op]) {
            g_error("%s was not tested", row->mnemonic);
        }
    }
    g_rand_free(rng);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/park/every-instruction", test_every_instruction);
    return g_test_run();
}
