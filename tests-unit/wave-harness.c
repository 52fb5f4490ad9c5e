/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>
#include "bits.h"
#include "coverage.h"
#include "wave-harness.h"
#include "wave-jit.h"
#include "target/gfx9/isa.h"

/* ---- targets ---- */

static const char *target_name = "gfx900";
static unsigned target_lanes = 64;

void wave_set_target(const char *name, unsigned lanes)
{
    target_name = name;
    target_lanes = lanes;
}

static const TesseraIsa *target_isa(void)
{
    const TesseraIsa *isa = tessera_isa_find(target_name);

    g_assert_nonnull(isa);
    return isa;
}

static bool target_is_gfx900(void)
{
    return target_isa() == &gfx900_isa;
}

/* NULL if the handlers of @level were not built or this host lacks it. */
static const TesseraIsaExec *target_exec(int level)
{
    if (target_is_gfx900()) {
        return level_exec(level);
    }
    return level <= (int)tessera_host_level() ? target_isa()->exec[level]
                                              : NULL;
}

/* ---- assembling ---- */

#ifndef LLVM_MC
#define LLVM_MC "llvm-mc-19"
#endif

bool wave_have_assembler(void)
{
    char *path = g_find_program_in_path(LLVM_MC);

    if (!path) {
        g_test_skip("no " LLVM_MC);
        return false;
    }
    g_free(path);
    return true;
}

/* Each snippet gets a section of its own, ".text.N". */
static char *sections_text(const char *const *texts, unsigned count)
{
    GString *s = g_string_new(NULL);

    for (unsigned i = 0; i < count; i++) {
        g_string_append_printf(
            s, ".section .text.%u,\"ax\",@progbits\n%s\n", i, texts[i]);
    }
    return g_string_free(s, FALSE);
}

/*
 * Run the assembler on @text: the object file, or NULL and what it says.
 */
static char *run_assembler(const char *text, size_t *size, char **errors)
{
    g_autofree char *dir = g_dir_make_tmp("tessera-asm-XXXXXX", NULL);
    g_autofree char *in = g_build_filename(dir, "in.s", NULL);
    g_autofree char *out = g_build_filename(dir, "out.o", NULL);
    g_autofree char *mcpu = g_strdup_printf("-mcpu=%s", target_name);
    const char *lanes = target_is_gfx900() ? "-mattr=" :
                        target_lanes == 32 ? "-mattr=+wavefrontsize32" :
                                             "-mattr=+wavefrontsize64";
    char *argv[] = { (char *)LLVM_MC, (char *)"-triple=amdgcn-amd-amdhsa",
                     mcpu, (char *)lanes, (char *)"-filetype=obj",
                     (char *)"-o", out, in, NULL };
    char *object = NULL;
    int status = 0;

    g_assert_true(g_file_set_contents(in, text, -1, NULL));
    g_assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, NULL, errors, &status, NULL));
    if (!status) {
        g_assert_true(g_file_get_contents(out, &object, size, NULL));
    }
    g_unlink(in);
    g_unlink(out);
    g_rmdir(dir);
    return object;
}

/* The object file that the assembler makes of @text. */
static char *assemble_object(const char *text, size_t *size)
{
    g_autofree char *errors = NULL;
    char *object = run_assembler(text, size, &errors);

    if (!object) {
        g_error("%s", errors);
    }
    return object;
}

bool *wave_refused(const char *const *texts, unsigned count)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *errors = NULL;
    bool *refused = g_new0(bool, count);
    size_t size;

    for (unsigned i = 0; i < count; i++) {
        g_string_append_printf(text, "%s\n", texts[i]);
    }
    g_free(run_assembler(text->str, &size, &errors));
    for (const char *p = errors; (p = strstr(p, "in.s:")); p++) {
        unsigned line, column;

        if (sscanf(p, "in.s:%u:%u: error", &line, &column) == 2 &&
            line - 1 < count) {
            refused[line - 1] = true;
        }
    }
    return refused;
}

WaveCode *wave_assemble(const char *const *texts, unsigned count)
{
    g_autofree char *text = sections_text(texts, count);
    WaveCode *code = g_new0(WaveCode, count);
    size_t size;
    char *object = assemble_object(text, &size);
    const Elf64_Ehdr *eh = (const Elf64_Ehdr *)object;
    const Elf64_Shdr *sh = (const Elf64_Shdr *)(object + eh->e_shoff);
    unsigned sections = eh->e_shnum ? eh->e_shnum : sh[0].sh_size;
    unsigned names = eh->e_shstrndx == SHN_XINDEX ? sh[0].sh_link :
                                                    eh->e_shstrndx;

    for (unsigned i = 1; i < sections; i++) {
        const char *name = object + sh[names].sh_offset + sh[i].sh_name;
        unsigned n;

        if (sscanf(name, ".text.%u", &n) == 1 && n < count) {
            code[n].words = g_memdup2(object + sh[i].sh_offset,
                                      sh[i].sh_size);
            code[n].count = sh[i].sh_size / 4;
        }
    }
    g_free(object);
    /* One more, so that wave_code_free() knows the end. */
    code = g_renew(WaveCode, code, count + 1);
    code[count] = (WaveCode){};
    for (unsigned i = 0; i < count; i++) {
        g_assert_cmpuint(code[i].count, !=, 0);
    }
    return code;
}

void wave_code_free(WaveCode *code)
{
    for (unsigned i = 0; code[i].words; i++) {
        g_free((void *)code[i].words);
    }
    g_free(code);
}

/* ---- what the engine would ask its owner ---- */

static const WaveMap *find_map(const WaveHarness *h, uint64_t va)
{
    for (unsigned i = 0; i < h->map_count; i++) {
        if (va - h->maps[i].va < h->maps[i].size) {
            return &h->maps[i];
        }
    }
    return NULL;
}

static TesseraFaultCause translate(void *opaque, unsigned vmid, uint64_t va,
                                   EngineAccess access, EnginePage *page)
{
    WaveHarness *h = opaque;
    const WaveMap *m = find_map(h, va);
    TesseraFaultCause cause = h->owner ? h->owner->page(h, va, access)
                                       : TESSERA_FAULT_NONE;

    if (cause != TESSERA_FAULT_NONE) {
        page->backing = va & -(uint64_t)ENGINE_PAGE;
        return cause;
    }
    if (!m) {
        return TESSERA_FAULT_UNMAPPED;
    }
    if (access == ENGINE_WRITE && !m->writable) {
        return TESSERA_FAULT_READ_ONLY;
    }
    va &= -(uint64_t)ENGINE_PAGE;
    page->host = m->host + (va - m->va);
    page->writable = m->writable;
    page->vram = false;
    page->backing = va;
    return TESSERA_FAULT_NONE;
}

static void written(void *opaque, bool vram, uint64_t backing, uint64_t len)
{
    WaveHarness *h = opaque;
    const WaveMap *m;

    h->written += len;
    for (uint64_t va = backing; va < backing + len; va += ENGINE_PAGE) {
        m = find_map(h, va);
        if (m && m->seen) {
            memcpy(m->seen + (va - m->va), m->host + (va - m->va),
                   ENGINE_PAGE);
        }
    }
}

static void message(void *opaque, EngineDispatch *dispatch, uint32_t data)
{
    WaveHarness *h = opaque;

    h->messages++;
    h->message = data;
}

static uint64_t read_clock(void *opaque)
{
    WaveHarness *h = opaque;

    return h->clock++;
}

static void hazard(void *opaque, EngineDispatch *dispatch,
                   const EngineHazard *report)
{
    WaveHarness *h = opaque;

    if (h->hazard_count < G_N_ELEMENTS(h->hazards)) {
        h->hazards[h->hazard_count] = *report;
    }
    h->hazard_count++;
}

static void ask(void *opaque, EngineAsk *question)
{
    WaveHarness *h = opaque;

    h->owner->ask(h, question);
}

static bool cancel(void *opaque, EngineAsk *question)
{
    WaveHarness *h = opaque;

    return h->owner->cancel(h, question);
}

static const EngineOwnerOps owner_ops = {
    .ask = ask,
    .cancel = cancel,
    .hazard = hazard,
    .translate = translate,
    .written = written,
    .message = message,
    .clock = read_clock,
};

/* ---- the wave ---- */

static void init_launch(TesseraLaunch *l)
{
    *l = (TesseraLaunch){
        .entry = WAVE_CODE_VA,
        .rsrc1 = 0x00af003f, /* 256 VGPRs, HSA's MODE (gfx-facts 11) */
        .rsrc2 = 0,
        .lds_size = 0x10000,
        .scratch_base = WAVE_SCRATCH_VA,
        .scratch_wave_size = WAVE_SCRATCH_SIZE,
        .scratch_waves = 1,
        .private_size = WAVE_SCRATCH_SIZE / 64,
        .private_base_hi = WAVE_PRIVATE_HI,
        .shared_base_hi = WAVE_SHARED_HI,
        .mem_config = 0x18, /* as after reset: 64-bit, unaligned */
        .properties = target_lanes == 32 ? 1 << 10 : 0,
    };
}

static void init_group(WaveHarness *h)
{
    h->group = (EngineGroup){
        .dispatch = &h->dispatch,
        .size = { target_lanes, 1, 1 },
        .waves = 1,
        .live = 1,
        .lds_size = 0x10000,
        .wave = { &h->w->w },
    };
    h->group.lds = g_aligned_alloc0(1, h->group.lds_size + ENGINE_LDS_PAD, 64);
}

WaveHarness *wave_harness_new(TesseraHostLevel level)
{
    const TesseraIsaExec *exec = target_exec(level);
    WaveHarness *h;

    if (!exec) {
        return NULL;
    }
    h = g_aligned_alloc0(1, sizeof(*h), 64);
    h->w = g_aligned_alloc0(1, exec->wave_bytes, 64);
    h->worker = g_aligned_alloc0(1, sizeof(Worker), 64);
    h->engine.config = (EngineConfig){
        .isa = target_isa(), .level = level % TESSERA_LEVELS, .workers = 1,
        .ops = &owner_ops, .opaque = h,
    };
    h->engine.exec = exec;
    h->worker->engine = &h->engine;
    h->worker->exec = exec;
    wave_jit_start(&h->engine);
    if (!h->engine.jit) { /* whose handlers are no others */
        coverage_attach(h->worker);
    }
    init_launch(&h->dispatch.launch);
    h->dispatch.grid[0] = h->dispatch.group_size[0] = target_lanes;
    h->dispatch.grid[1] = h->dispatch.group_size[1] = 1;
    h->dispatch.grid[2] = h->dispatch.group_size[2] = 1;
    init_group(h);
    h->w->w.worker = h->worker;
    h->w->w.group = &h->group;
    h->w->w.asid = TLB_VALID;
    h->w->w.stale = true; /* with each start: tests change the launch */
    wave_map(h, WAVE_CODE_VA, WAVE_CODE_MAX, true);
    wave_reset(h);
    return h;
}

WaveHarness *wave_harness_new_interpreted(TesseraHostLevel level)
{
    WaveHarness *h;

    wave_jit_allow(false);
    h = wave_harness_new(level);
    wave_jit_allow(true);
    return h;
}

void wave_harness_free(WaveHarness *h)
{
    wave_leave_page(&h->w->w);
    worker_free_code(h->worker);
    wave_jit_stop(&h->engine, h->worker);
    for (unsigned i = 0; i < h->map_count; i++) {
        g_aligned_free(h->maps[i].host);
    }
    g_aligned_free(h->group.lds);
    g_aligned_free(h->worker);
    h->engine.exec->wave_free(&h->w->w);
    g_aligned_free(h->w);
    g_aligned_free(h);
}

void wave_start(WaveHarness *h)
{
    h->engine.exec->wave_start(&h->w->w, &h->group, 0);
}

void wave_reset(WaveHarness *h)
{
    h->w->w.fresh = false;
    wave_start(h);
    memset(h->w->v, 0, sizeof(h->w->v));
}

uint32_t *wave_vgpr(WaveHarness *h, unsigned n)
{
    return (uint32_t *)&h->w->v[n];
}

void wave_set_exec(WaveHarness *h, uint64_t exec)
{
    set_exec(h->w, exec);
}

void wave_set_mode(WaveHarness *h, uint32_t mode)
{
    h->w->mode = mode;
    amd_mode_changed(h->w);
}

uint64_t wave_sgpr64(const WaveHarness *h, unsigned code)
{
    return sgpr64(h->w, code);
}

void wave_set_sgpr64(WaveHarness *h, unsigned code, uint64_t x)
{
    set_sgpr64(h->w, code, x);
    exec_changed(h->w);
}

static void load_code(WaveHarness *h, const WaveCode *code)
{
    /* Opcode 1 of SOPP, 48 from gfx11 on. */
    uint32_t s_endpgm = h->w->isa->gen == GEN_9 ? 0xbf810000 : 0xbfb00000;
    uint8_t *host = h->maps[0].host;

    g_assert_cmpuint(code->count * 4 + 4, <=, WAVE_CODE_MAX);
    memcpy(host, code->words, code->count * 4);
    memcpy(host + code->count * 4, &s_endpgm, 4);
    h->worker->epoch++; /* as an acquire does: the bytes may have changed */
}

/* Look up every page of memory, as far as the TLB has entries. */
static void fill_tlb(WaveHarness *h)
{
    TesseraFaultCause cause;

    for (unsigned i = 0; i < h->map_count; i++) {
        const WaveMap *m = &h->maps[i];

        for (uint64_t at = 0; at < m->size; at += ENGINE_PAGE) {
            mem_miss(&h->w->w, m->va + at,
                     m->writable ? ENGINE_WRITE : ENGINE_READ, &cause);
        }
    }
}

/* One turn of the wave, as a worker gives it. */
static void run_turn(WaveHarness *h, Wave *wave)
{
    if (wave->state == WAVE_ASK) {
        park_poll(wave);
    }
    if (wave->state == WAVE_ASK) {
        h->owner->wait(h);
        return;
    }
    wave->budget = QUANTUM;
    if (!wave->park.fetching || wave_fetch_again(wave)) {
        h->engine.exec->run(wave);
    }
    if (wave->state == WAVE_ASK) {
        park_post(wave);
    }
}

TesseraFaultCause wave_run(WaveHarness *h, const WaveCode *code)
{
    Wave *wave = &h->w->w;
    int64_t deadline = g_get_monotonic_time() + 300 * G_USEC_PER_SEC;

    load_code(h, code);
    worker_flush_tlb(h->worker);
    if (h->warm) {
        fill_tlb(h);
    }
    wave->state = WAVE_RUN;
    wave_goto(wave, WAVE_CODE_VA);
    if (wave->state == WAVE_ASK) {
        park_post(wave);
    }
    while (wave->state == WAVE_RUN || wave->state == WAVE_ASK) {
        run_turn(h, wave);
        g_assert_cmpint(g_get_monotonic_time(), <, deadline);
    }
    worker_report(h->worker);
    wave_jit_leave(h->worker);
    bits_note(h->w, h->group.lds, h->group.lds_size);
    if (wave->state == WAVE_FAULT) {
        return h->worker->fault.cause;
    }
    return TESSERA_FAULT_NONE;
}

/* ---- memory ---- */

uint8_t *wave_map(WaveHarness *h, uint64_t va, uint64_t size, bool writable)
{
    WaveMap *m = &h->maps[h->map_count++];

    g_assert_cmpuint(h->map_count, <=, G_N_ELEMENTS(h->maps));
    g_assert_true(va % ENGINE_PAGE == 0 && size % ENGINE_PAGE == 0);
    *m = (WaveMap){ .va = va, .size = size, .writable = writable };
    m->host = g_aligned_alloc0(1, size, ENGINE_PAGE);
    return m->host;
}

uint8_t *wave_host(WaveHarness *h, uint64_t va)
{
    const WaveMap *m = find_map(h, va);

    return m ? m->host + (va - m->va) : NULL;
}

uint8_t *wave_lds(WaveHarness *h)
{
    return h->group.lds;
}

/* ---- levels ---- */

typedef struct LevelTest {
    TesseraHostLevel level;
    const char *target; /* NULL: gfx900 */
    unsigned lanes;
    void (*plain)(WaveHarness *h);
    void (*test)(WaveHarness *h, const void *data);
    const void *data;
} LevelTest;

static void run_level(gconstpointer data)
{
    const LevelTest *t = data;
    WaveHarness *h;

    if (!wave_have_assembler()) {
        return;
    }
    wave_set_target(t->target ? t->target : "gfx900", t->lanes);
    h = wave_harness_new(t->level);
    bits_begin();
    if (t->plain) {
        t->plain(h);
    } else {
        t->test(h, t->data);
    }
    bits_end(t->level);
    wave_harness_free(h);
}

static void add_levels(const char *path, LevelTest test)
{
    wave_set_target(test.target ? test.target : "gfx900", test.lanes);
    for (int level = 0; level < ALL_LEVELS; level++) {
        g_autofree char *name = NULL;
        LevelTest *t;

        if (!target_exec(level)) {
            continue;
        }
        t = g_new(LevelTest, 1);
        *t = test;
        t->level = level;
        name = g_strdup_printf("/%s%s", level_name(level), path);
        g_test_add_data_func_full(name, t, run_level, g_free);
    }
}

void wave_test_levels(const char *path, void (*test)(WaveHarness *h))
{
    add_levels(path, (LevelTest){ .lanes = 64, .plain = test });
}

void wave_test_levels_data(const char *path,
                           void (*test)(WaveHarness *h, const void *data),
                           const void *data)
{
    add_levels(path, (LevelTest){ .lanes = 64, .test = test, .data = data });
}

void wave_test_target(const char *path, const char *name, unsigned lanes,
                      void (*test)(WaveHarness *h, const void *data),
                      const void *data)
{
    g_autofree char *full = g_strdup_printf("%s/%s-w%u", path, name, lanes);

    add_levels(full, (LevelTest){ .target = name, .lanes = lanes,
                                  .test = test, .data = data });
}
