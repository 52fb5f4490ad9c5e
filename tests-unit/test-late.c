/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Additions that memory gets late (target/engine/late.h): which may be late,
 * that the sums are right, and that nobody misses one: a wave that polls, a
 * trap handler, whoever looks at memory while the engine stands still.
 */
#include <string.h>
#include <time.h>
#include "target/amdgpu/mem-ops.h"
#include "target/engine/late.h"
#include "threads.h"
#include "wave-harness.h"

#define MEM_VA 0x100000ull
#define MEM_SIZE 0x10000u
#define NOWHERE 0x200000ull
#define LIMIT_S 120 /* for an engine that hangs, not for a busy host */

#define ADD "global_atomic_add v[0:1], v2, off\n"

/* ---- which may be late ---- */

typedef struct LateCase {
    const char *text;
    bool late; /* its first instruction */
} LateCase;

/* What order the memory model asks for behind the addition. */
static const LateCase cases[] = {
    { ADD "s_endpgm", true },
    { ADD "s_nop 0\n s_endpgm", true },
    { ADD "v_mov_b32 v3, 1\n" ADD "s_endpgm", true },
    { "global_atomic_add v0, v2, s[2:3] offset:8\n" ADD "s_endpgm", true },
    { ADD "s_or_b64 exec, exec, s[0:1]\n s_endpgm", true },
    /* the old value is wanted */
    { "global_atomic_add v3, v[0:1], v2, off glc\n s_endpgm", false },
    /* the wave waits for it */
    { ADD "s_waitcnt vmcnt(0)\n s_endpgm", false },
    { ADD "s_waitcnt vmcnt(0)\n" ADD "s_endpgm", false },
    /* it might see its own addition, or be seen to have gone on */
    { ADD "global_load_dword v3, v[0:1], off\n s_endpgm", false },
    { ADD "global_store_dword v[0:1], v2, off\n s_endpgm", false },
    { ADD "flat_load_dword v3, v[0:1]\n s_endpgm", false },
    { ADD "buffer_load_dword v3, off, s[4:7], 0\n s_endpgm", false },
    { ADD "s_load_dword s3, s[0:1], 0x0\n s_endpgm", false },
    { ADD "s_dcache_wb\n s_endpgm", false },
    { ADD "ds_write_b32 v0, v2\n s_endpgm", false },
    { ADD "global_atomic_or v[0:1], v2, off\n s_endpgm", false },
    { ADD "global_atomic_add_x2 v[0:1], v[2:3], off\n s_endpgm", false },
    { ADD "s_barrier\n s_endpgm", false },
    { ADD "s_sendmsg sendmsg(MSG_INTERRUPT)\n s_endpgm", false },
    { ADD "s_sleep 1\n s_endpgm", false },
    { ADD "s_trap 5\n s_endpgm", false },
    { ADD "s_icache_inv\n s_endpgm", false },
    /* who knows where it goes */
    { ADD "s_branch 1f\n 1: s_endpgm", false },
    { ADD "s_cbranch_execz 1f\n 1: s_endpgm", false },
    { ADD "s_setpc_b64 s[0:1]\n s_endpgm", false },
    { ADD ".long 0xbfff0000\n s_endpgm", false },
    { ADD "v_mov_b32 v3, 1", false },
    /* what a wave has of its own, another one has next; or it is LDS */
    { "flat_atomic_add v[0:1], v2\n s_endpgm", false },
};

static WaveCode *assemble_cases(void)
{
    const char *texts[G_N_ELEMENTS(cases)];

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        texts[i] = cases[i].text;
    }
    return wave_assemble(texts, G_N_ELEMENTS(cases));
}

static void test_which(WaveHarness *h)
{
    WaveCode *code = assemble_cases();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Uop uop;

        g_test_message("%s", cases[i].text);
        h->engine.exec->decode(code[i].words, code[i].count, 64, &uop);
        g_assert_cmpint(uop.kind[1] == MEM_add_late, ==, cases[i].late);
    }
    wave_code_free(code);
}

/* gfx11 gives registers back first; gfx12 waits for stores by another name. */
static void test_which_rdna(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "global_atomic_add_u32 v[0:1], v2, off\n s_nop 0\n"
        "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n s_endpgm",
        "global_atomic_add_u32 v[0:1], v2, off\n"
        "s_sendmsg sendmsg(MSG_INTERRUPT)\n s_endpgm",
        "global_atomic_add_u32 v[0:1], v2, off\n s_barrier\n s_endpgm",
        "s_nop 0",
    };
    static const char *const waits[] = {
        "global_atomic_add_u32 v[0:1], v2, off\n"
        "s_waitcnt_vscnt null, 0x0\n s_endpgm",
        "global_atomic_add_u32 v[0:1], v2, off\n"
        "s_wait_storecnt 0x0\n s_endpgm",
    };
    bool gfx12 = data != NULL;
    const char *use[] = { texts[0], texts[1],
                          gfx12 ? texts[3] : texts[2], waits[gfx12] };
    WaveCode *code = wave_assemble(use, G_N_ELEMENTS(use));

    for (unsigned i = 0; i < G_N_ELEMENTS(use); i++) {
        Uop uop;

        g_test_message("%s", use[i]);
        h->engine.exec->decode(code[i].words, code[i].count, 32, &uop);
        g_assert_cmpint(uop.kind[1] == MEM_add_late, ==, i == 0);
    }
    wave_code_free(code);
}

/* ---- sums ---- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/*
 * Addresses far and near, a few of them again and again, some a page or a
 * table's size apart; in a number of waves, and with lanes switched off.
 */
static void set_addresses(WaveHarness *h, uint32_t *random, uint32_t *model)
{
    uint64_t exec = 0;

    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t word = next_random(random), x = next_random(random) * 257;

        word = word & 1 ? word / 2 % 8 * 1024 : word / 2 % (MEM_SIZE / 4);
        wave_vgpr(h, 0)[lane] = (uint32_t)MEM_VA + word * 4;
        wave_vgpr(h, 1)[lane] = MEM_VA >> 32;
        wave_vgpr(h, 2)[lane] = x;
        if (next_random(random) % 4) {
            exec |= 1ull << lane;
            model[word] += 2 * x; /* there are two additions */
        }
    }
    wave_set_exec(h, exec);
}

static void test_sums(WaveHarness *h)
{
    const char *text = ADD "v_add_u32 v3, v2, v2\n" ADD;
    g_autofree uint32_t *model = g_new0(uint32_t, MEM_SIZE / 4);
    WaveCode *code = wave_assemble(&text, 1);
    uint32_t random = 7;
    uint8_t *mem = wave_map(h, MEM_VA, MEM_SIZE, true);

    h->maps[h->map_count - 1].seen = g_malloc0(MEM_SIZE);
    for (unsigned i = 0; i < 200; i++) {
        wave_reset(h);
        set_addresses(h, &random, model);
        g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    }
    g_assert_cmpmem(mem, MEM_SIZE, model, MEM_SIZE);
    /* What was reported as written was there then. */
    g_assert_cmpmem(h->maps[h->map_count - 1].seen, MEM_SIZE, model, MEM_SIZE);
    g_free(h->maps[h->map_count - 1].seen);
    wave_code_free(code);
}

/*
 * Worker and rounds alone: kept for some of them, but not for ever, and not if
 * a wave has used its quantum up.
 */
static void test_rounds(void)
{
    Worker *w = g_aligned_alloc0(1, sizeof(Worker), 64);
    Wave wave = { .budget = 0 };
    EngineGroup group = { .waves = 1, .wave = { &wave } };
    Attachment attachment = { .groups = &group };
    WorkerQueue queue = { .attached = &attachment };
    uint32_t bins[3] = { 1, 2, 3 };
    unsigned rounds = 0;

    w->queue = &queue;
    for (unsigned i = 0; i < 10; i++) {
        late_add(w, &bins[0], 5);
        late_add(w, &bins[2], UINT32_MAX);
    }
    while (bins[0] == 1) {
        late_round(w);
        g_assert_cmpuint(++rounds, <, 1000);
    }
    g_assert_cmpuint(bins[0], ==, 51);
    g_assert_cmpuint(bins[1], ==, 2);
    g_assert_cmpuint(bins[2], ==, 3 - 10u);
    late_merge(w);
    g_assert_cmpuint(bins[0], ==, 51); /* once is enough */
    late_add(w, &bins[1], 7);
    wave.budget = -1;
    late_round(w);
    g_assert_cmpuint(bins[1], ==, 9);
    g_aligned_free(w);
}

/*
 * Lane 9 of the second addition faults.  A trap handler sees what the first
 * one has done.
 */
static void test_handler(WaveHarness *h)
{
    const char *text = "s_branch 1f\n" /* here the handler begins */
                       "global_load_dword v6, v[0:1], off\n"
                       "s_waitcnt vmcnt(0)\n"
                       "s_endpgm\n"
                       "1:" ADD "global_atomic_add v[4:5], v2, off\n";
    WaveCode *code = wave_assemble(&text, 1);
    uint32_t *mem = (uint32_t *)wave_map(h, MEM_VA, MEM_SIZE, true);

    wave_reset(h);
    h->dispatch.launch.tba = WAVE_CODE_VA + 4;
    h->w->mode |= MODE_EXCP_MEM_VIOL;
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t at = MEM_VA + 4 * lane;

        memcpy(&wave_vgpr(h, 0)[lane], &at, 4);
        wave_vgpr(h, 4)[lane] = lane == 9 ? NOWHERE : at + 1024;
        wave_vgpr(h, 2)[lane] = lane + 3;
        mem[lane] = 100;
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_true(h->w->privileged);
    for (unsigned lane = 0; lane < 64; lane++) {
        g_assert_cmpuint(wave_vgpr(h, 6)[lane], ==, 100 + lane + 3);
    }
    wave_code_free(code);
}

/* ---- the engine ---- */

#define CODE_VA 0x10000ull

/* Words of memory. */
enum { SUM, ORDINARY, FLAG, LATE_TOO = 1024 };

typedef struct Rig {
    Engine *engine;
    TesseraHost host;
    uint8_t *code;
    uint32_t *mem;
    uint32_t *seen; /* as it was when it was last said to be written */
    pthread_mutex_t lock;
    pthread_cond_t cond;
    unsigned done, suspended;
} Rig;

static TesseraFaultCause rig_translate(void *opaque, unsigned vmid,
                                       uint64_t va, EngineAccess access,
                                       EnginePage *page)
{
    Rig *rig = opaque;
    uint64_t base = va & -(uint64_t)ENGINE_PAGE;

    *page = (EnginePage){ .writable = true, .backing = base };
    if (base == CODE_VA) {
        page->host = rig->code;
    } else if (va - MEM_VA < MEM_SIZE) {
        page->host = (uint8_t *)rig->mem + (base - MEM_VA);
    }
    return page->host ? TESSERA_FAULT_NONE : TESSERA_FAULT_UNMAPPED;
}

/* Each word is read as one: other workers go on. */
static void rig_written(void *opaque, bool vram, uint64_t backing,
                        uint64_t len)
{
    Rig *rig = opaque;
    uint64_t first = (backing - MEM_VA) / 4;

    pthread_mutex_lock(&rig->lock);
    for (uint64_t i = first; i < first + len / 4; i++) {
        rig->seen[i] = __atomic_load_n(&rig->mem[i], __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&rig->lock);
}

static void rig_count(Rig *rig, unsigned *what)
{
    pthread_mutex_lock(&rig->lock);
    ++*what;
    pthread_cond_broadcast(&rig->cond);
    pthread_mutex_unlock(&rig->lock);
}

static void rig_done(void *opaque, EngineDispatch *dispatch)
{
    rig_count(opaque, &((Rig *)opaque)->done);
}

static void rig_suspended(void *opaque, EngineDispatch *dispatch)
{
    rig_count(opaque, &((Rig *)opaque)->suspended);
}

static void rig_wait(Rig *rig, const unsigned *what, unsigned n)
{
    struct timespec end = { .tv_sec = time(NULL) + LIMIT_S };

    pthread_mutex_lock(&rig->lock);
    while (*what < n) {
        g_assert_cmpint(pthread_cond_timedwait(&rig->cond, &rig->lock, &end),
                        ==, 0);
    }
    pthread_mutex_unlock(&rig->lock);
}

static Rig *rig_new(unsigned workers, const char *text)
{
    static const EngineOwnerOps ops = {
        .translate = rig_translate,
        .written = rig_written,
        .done = rig_done,
        .suspended = rig_suspended,
    };
    static const TesseraHostOps host_ops = {
        .thread_start = test_thread_start,
        .thread_join = test_thread_join,
    };
    Rig *rig = g_new0(Rig, 1);
    WaveCode *code;

    wave_set_target("gfx900", 64);
    code = wave_assemble(&text, 1);
    g_assert_cmpuint(code->count * 4, <=, ENGINE_PAGE);
    rig->code = g_aligned_alloc0(1, ENGINE_PAGE, ENGINE_PAGE);
    memcpy(rig->code, code->words, code->count * 4);
    wave_code_free(code);
    rig->mem = g_aligned_alloc0(1, MEM_SIZE, ENGINE_PAGE);
    rig->seen = g_malloc0(MEM_SIZE);
    rig->host = (TesseraHost){ &host_ops, rig };
    pthread_mutex_init(&rig->lock, NULL);
    pthread_cond_init(&rig->cond, NULL);
    rig->engine = engine_new(&(EngineConfig){
        .isa = tessera_isa_find("gfx900"), .level = tessera_host_level(),
        .workers = workers, .host = &rig->host, .ops = &ops, .opaque = rig,
    }, NULL);
    g_assert_nonnull(rig->engine);
    return rig;
}

static void rig_free(Rig *rig)
{
    engine_free(rig->engine);
    g_aligned_free(rig->mem);
    g_aligned_free(rig->code);
    g_free(rig->seen);
    pthread_mutex_destroy(&rig->lock);
    pthread_cond_destroy(&rig->cond);
    g_free(rig);
}

/* Groups of @waves waves; s0 is a group's number. */
static EngineDispatch dispatch_of(uint32_t groups, unsigned waves)
{
    return (EngineDispatch){
        .launch = {
            .entry = CODE_VA,
            .rsrc1 = 0x00af003f,
            .rsrc2 = 1 << 7,
            .mem_config = 0x18,
            .private_base_hi = WAVE_PRIVATE_HI,
            .shared_base_hi = WAVE_SHARED_HI,
        },
        .grid = { groups * waves * 64, 1, 1 },
        .group_size = { waves * 64, 1, 1 },
    };
}

static uint32_t word(const Rig *rig, unsigned n)
{
    return __atomic_load_n(&rig->mem[n], __ATOMIC_SEQ_CST);
}

/* v[0:1] is SUM's address. */
#define PROLOGUE                                                            \
    "v_mov_b32 v0, 0x100000\n v_mov_b32 v1, 0\n v_mov_b32 v2, 1\n"
_Static_assert(MEM_VA == 0x100000, "PROLOGUE");

/*
 * Group 0 polls until all of groups 1 to 20 have added; it then sets a flag.
 * The rest poll for that one, so that whoever keeps sums is never out of work.
 */
static void test_poll(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers), PROLOGUE
        "s_cmp_eq_u32 s0, 0\n s_cbranch_scc1 1f\n"
        "s_cmp_gt_u32 s0, 20\n s_cbranch_scc1 2f\n"
        ADD "s_endpgm\n"
        "1: global_load_dword v3, v[0:1], off glc\n s_waitcnt vmcnt(0)\n"
        "v_readfirstlane_b32 s1, v3\n"
        "s_cmp_lg_u32 s1, 1280\n s_cbranch_scc1 1b\n"
        "global_store_dword v[0:1], v2, off offset:8\n s_endpgm\n"
        "2: global_load_dword v3, v[0:1], off offset:8 glc\n"
        "s_waitcnt vmcnt(0)\n v_readfirstlane_b32 s1, v3\n"
        "s_cmp_eq_u32 s1, 0\n s_cbranch_scc1 2b\n"
        ADD "s_endpgm\n");
    EngineDispatch d = dispatch_of(30, 1);

    engine_submit(rig->engine, &d);
    rig_wait(rig, &rig->done, 1);
    g_assert_cmpint(d.status, ==, ENGINE_DONE);
    g_assert_cmpuint(word(rig, SUM), ==, 29 * 64);
    g_assert_cmpuint(word(rig, FLAG), ==, 1);
    rig_free(rig);
}

/*
 * Each wave adds at once, waits for it, and adds late, twice.  There is no
 * place between where it could be stopped.
 */
#define BOTH                                                                \
    PROLOGUE "v_add_u32 v4, 0x1000, v0\n v_mov_b32 v5, 0\n"                 \
    "global_atomic_add v3, v[0:1], v2, off offset:4 glc\n"                  \
    "s_waitcnt vmcnt(0)\n" ADD                                              \
    "global_atomic_add v[4:5], v2, off\n s_endpgm\n"
_Static_assert(LATE_TOO * 4 == 0x1000, "BOTH");

/* Nothing runs: memory, and what was reported of it, is up to date. */
static void check_still(const Rig *rig)
{
    uint32_t sum = word(rig, ORDINARY);

    g_assert_cmpuint(word(rig, SUM), ==, sum);
    g_assert_cmpuint(word(rig, LATE_TOO), ==, sum);
    g_assert_cmpuint(rig->seen[SUM], ==, sum);
    g_assert_cmpuint(rig->seen[LATE_TOO], ==, sum);
}

static void test_park(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers), BOTH);
    EngineDispatch d = dispatch_of(5000, 4);
    bool over = false;

    engine_submit(rig->engine, &d);
    while (!over) {
        pthread_mutex_lock(&rig->lock);
        over = rig->done;
        pthread_mutex_unlock(&rig->lock);
        engine_park(rig->engine);
        check_still(rig);
        engine_forget(rig->engine);
        engine_unpark(rig->engine);
    }
    g_assert_cmpuint(word(rig, SUM), ==, 5000 * 4 * 64);
    rig_free(rig);
}

static void test_suspend(gconstpointer workers)
{
    Rig *rig = rig_new(GPOINTER_TO_UINT(workers), BOTH);
    EngineDispatch d = dispatch_of(5000, 4);

    engine_submit(rig->engine, &d);
    engine_suspend(rig->engine, &d);
    pthread_mutex_lock(&rig->lock);
    while (!rig->suspended && !rig->done) {
        pthread_cond_wait(&rig->cond, &rig->lock);
    }
    pthread_mutex_unlock(&rig->lock);
    check_still(rig);
    engine_continue(rig->engine, &d);
    rig_wait(rig, &rig->done, 1);
    check_still(rig);
    g_assert_cmpuint(word(rig, SUM), ==, 5000 * 4 * 64);
    rig_free(rig);
}

/* Where the second addition goes, nothing is; the first one has been done. */
static void test_fault(void)
{
    Rig *rig = rig_new(1, PROLOGUE "v_mov_b32 v4, 0x200000\n"
        "v_mov_b32 v5, 0\n" ADD "global_atomic_add v[4:5], v2, off\n"
        "s_endpgm\n");
    EngineDispatch d = dispatch_of(1, 1);

    engine_submit(rig->engine, &d);
    rig_wait(rig, &rig->done, 1);
    g_assert_cmpint(d.status, ==, ENGINE_FAULTED);
    g_assert_cmpint(d.fault.cause, ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(d.fault.address, ==, NOWHERE);
    g_assert_cmphex(d.fault.lanes, ==, UINT64_MAX);
    g_assert_cmpuint(word(rig, SUM), ==, 64);
    g_assert_cmpuint(rig->seen[SUM], ==, 64);
    rig_free(rig);
}

static void add_for_workers(const char *name, GTestDataFunc test)
{
    for (unsigned workers = 1; workers <= 2; workers++) {
        g_autofree char *path = g_strdup_printf("/late/%s/%u", name, workers);

        g_test_add_data_func(path, GUINT_TO_POINTER(workers), test);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/late/rounds", test_rounds);
    if (wave_have_assembler()) {
        wave_test_levels("/late/which", test_which);
        wave_test_target("/late/which", "gfx1100", 32,
                         test_which_rdna, NULL);
        wave_test_target("/late/which", "gfx1200", 32,
                         test_which_rdna, "");
        wave_test_levels("/late/sums", test_sums);
        wave_test_levels("/late/handler", test_handler);
        add_for_workers("poll", test_poll);
        add_for_workers("park", test_park);
        add_for_workers("suspend", test_suspend);
        g_test_add_func("/late/fault", test_fault);
    }
    return g_test_run();
}
