/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FLAT, GLOBAL and SCRATCH instructions against the model of mem-model.c:
 * every operation, with lanes placed in every way that the fast paths tell
 * apart.  Each case runs twice, with an empty and with a full TLB, since only
 * the latter lets the fast paths do anything.
 */
#include <inttypes.h>
#include <string.h>
#include "mem-model.h"

/*
 * Memory: a page before and three behind a 4 GiB boundary, each map elsewhere
 * on the host, then a page that may only be read, then nothing.
 */
#define BOUNDARY 0x500100000000ull
#define LOW_PAGE (BOUNDARY - 0x1000)
#define READ_ONLY (BOUNDARY + 0x3000)
#define HOLE (BOUNDARY + 0x4000)

#define SHARED ((uint64_t)WAVE_SHARED_HI << 48)
#define PRIVATE ((uint64_t)WAVE_PRIVATE_HI << 48)

enum { ADDR = 2, DATA = 8, DST = 16, SADDR = 4 };

static GRand *rng;

static uint64_t random64(void)
{
    return (uint64_t)g_rand_int(rng) << 32 | g_rand_int(rng);
}

/* ---- where lanes are ---- */

typedef enum Pattern {
    ADJACENT, PAGE_END, CROSSING, CROSSING_ODD, OVER_4G, UNIFORM, STRIDED,
    SCATTERED, SCATTERED_ODD, REVERSED, SLICES_SAME, SLICES_APART,
    INTO_HOLE, LAST_LANE_BAD, FIRST_LANE_BAD, ONE_SLICE_ONE_OFF, WRAPPED,
    WILD, CROSSING_APART, INTO_READ_ONLY, ROWS, RUNS, STRIDED_BACK,
    PATTERNS,
} Pattern;

static const char *const pattern_names[PATTERNS] = {
    "adjacent", "page end", "crossing", "crossing odd", "over 4G", "uniform",
    "strided", "scattered", "scattered odd", "reversed", "slices same",
    "slices apart", "into hole", "last lane bad", "first lane bad",
    "one off", "wrapped", "wild", "crossing apart", "into read only", "rows",
    "runs", "strided back",
};

static uint64_t wild_address(unsigned n)
{
    static const uint64_t bad[] = {
        0, 1, UINT64_MAX, UINT64_MAX - 3, UINT64_MAX - 15, 0x800000000000,
        SHARED, SHARED + 0x100, PRIVATE + 16, HOLE, HOLE - 1, LOW_PAGE - 1,
        LOW_PAGE - 2, READ_ONLY - 1, READ_ONLY, 0xffff800000000000,
    };

    return g_rand_boolean(rng)
               ? bad[g_rand_int_range(rng, 0, G_N_ELEMENTS(bad))]
               : LOW_PAGE + n * g_rand_int_range(rng, 0, 0x3f0);
}

/* Address of a lane for accesses of @n bytes. */
static uint64_t place(Pattern pattern, unsigned lane, unsigned n)
{
    uint64_t adjacent = BOUNDARY + 0x400 + lane * n;

    switch (pattern) {
    case PAGE_END:
        return BOUNDARY + 0x2000 - 64 * n + lane * n;
    case CROSSING:
        return BOUNDARY + 0x1000 - 20 * n + lane * n;
    case CROSSING_ODD:
        return BOUNDARY + 0x1000 - 20 * n - 1 + lane * n;
    case OVER_4G:
        return BOUNDARY - 10 * n + lane * n;
    case UNIFORM:
        return BOUNDARY + 0x1230;
    case STRIDED:
        return BOUNDARY + 0x810 + lane * 2 * n;
    case SCATTERED:
        return LOW_PAGE + n * g_rand_int_range(rng, 0, 0x3000 / n);
    case SCATTERED_ODD:
        return LOW_PAGE + g_rand_int_range(rng, 0, 0x3000);
    case REVERSED:
        return BOUNDARY + 0x1000 - lane * n;
    case SLICES_SAME:
        return BOUNDARY + 0x100 * n + lane / 16 * 0x210 * n;
    case SLICES_APART:
        return LOW_PAGE + lane / 16 * 0x600 + lane % 16 * n;
    case INTO_HOLE:
        return HOLE - 40 * n + lane * n;
    case LAST_LANE_BAD:
        return lane == 63 ? HOLE + 0x10 : adjacent;
    case FIRST_LANE_BAD:
        return lane == 0 ? LOW_PAGE - 16 : adjacent;
    case ONE_SLICE_ONE_OFF:
        return lane == 37 ? LOW_PAGE : adjacent;
    case WILD:
        return wild_address(n);
    case CROSSING_APART: /* where the host has the pages apart */
        return BOUNDARY + 0x2000 - 20 * n + lane * n;
    case INTO_READ_ONLY:
        return READ_ONLY - 30 * n + lane * n;
    case ROWS: /* slices in one place, adjacent, over a page's end */
        return lane < 16 ? BOUNDARY + 0x808 :
               lane < 32 ? BOUNDARY + 0x2000 - 8 * n + lane % 16 * n :
               lane < 48 ? LOW_PAGE + 0x40 : BOUNDARY + 0x100 + lane * n;
    case RUNS: /* lanes next to each other in one place */
        return BOUNDARY + 0x300 + lane / 5 % 4 * n;
    case STRIDED_BACK:
        return BOUNDARY + 0x1ff0 - lane * 3 * n;
    default:
        return adjacent;
    }
}

static uint64_t pick_exec(unsigned i)
{
    switch (i % 7) {
    case 0: case 1:
        return UINT64_MAX;
    case 2:
        return random64();
    case 3:
        return 1ull << g_rand_int_range(rng, 0, 64);
    case 4:
        return 0x0000ffff0000ffff;
    case 5:
        return random64() | random64() | random64();
    default:
        return i % 3 ? random64() & random64() & random64() : 0;
    }
}

/* ---- cases ---- */

typedef struct Case {
    const ModelOp *op;
    const char *segment;
    int64_t offset;
    bool saddr;
    int dst; /* -1: none */
    char *text;
} Case;

static GArray *cases;

static void add_case(const char *segment, const ModelOp *op, int64_t offset,
                     bool saddr, int dst)
{
    bool scratch = !strcmp(segment, "scratch");
    GString *s = g_string_new(NULL);
    unsigned last = op->kind == 's' ? DATA + op->data - 1 : 0;
    const char *comma = "";
    Case c = { op, segment, offset, saddr, dst, NULL };

    g_string_append_printf(s, "%s_%s ", segment, op->name);
    if (dst >= 0) {
        last = dst + (op->bytes + 3) / 4 - 1;
        g_string_append_printf(s, "v[%d:%u]", dst, last);
        comma = ", ";
    }
    if (scratch && saddr) {
        g_string_append_printf(s, "%soff", comma);
    } else if (scratch || saddr) {
        g_string_append_printf(s, "%sv%d", comma, ADDR);
    } else {
        g_string_append_printf(s, "%sv[%d:%d]", comma, ADDR, ADDR + 1);
    }
    if (op->kind != 'l') {
        g_string_append_printf(s, ", v[%d:%u]", DATA, DATA + op->data - 1);
    }
    if (saddr) {
        g_string_append_printf(s, scratch ? ", s%d" : ", s[%d:%d]", SADDR,
                               SADDR + 1);
    } else if (strcmp(segment, "flat")) {
        g_string_append(s, ", off");
    }
    if (offset) {
        g_string_append_printf(s, " offset:%d", (int)offset);
    }
    if (op->kind == 'a' && dst >= 0) {
        g_string_append(s, " glc");
    }
    c.text = g_string_free(s, FALSE);
    g_array_append_val(cases, c);
}

static WaveCode *assemble_cases(void)
{
    g_autofree const char **texts = g_new(const char *, cases->len);

    for (unsigned i = 0; i < cases->len; i++) {
        texts[i] = g_array_index(cases, Case, i).text;
    }
    return wave_assemble(texts, cases->len);
}

static void clear_case(void *c)
{
    g_free(((Case *)c)->text);
}

static void begin_cases(void)
{
    rng = g_rand_new_with_seed(900);
    cases = g_array_new(FALSE, FALSE, sizeof(Case));
    g_array_set_clear_func(cases, clear_case);
}

static void end_cases(WaveCode *code)
{
    wave_code_free(code);
    g_array_free(cases, TRUE);
    g_rand_free(rng);
}

static void map_memory(WaveHarness *h)
{
    wave_map(h, LOW_PAGE, 0x1000, true);
    wave_map(h, BOUNDARY, 0x2000, true);
    wave_map(h, BOUNDARY + 0x2000, 0x1000, true);
    wave_map(h, READ_ONLY, 0x1000, false);
}

static void randomise(WaveHarness *h)
{
    for (unsigned i = 1; i < h->map_count; i++) {
        for (uint64_t at = 0; at < h->maps[i].size; at += 4) {
            *(uint32_t *)(h->maps[i].host + at) = g_rand_int(rng);
        }
    }
    for (unsigned at = 0; at < h->group.lds_size; at += 4) {
        *(uint32_t *)(h->group.lds + at) = g_rand_int(rng);
    }
}

static void randomise_regs(WaveHarness *h)
{
    for (unsigned r = 0; r < MODEL_REGS; r++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, r)[lane] = g_rand_int(rng);
        }
    }
}

/* Make some atomics' comparisons succeed, some of their operands small. */
static void tame_data(WaveHarness *h, const Case *c, unsigned lane,
                      uint64_t va)
{
    Model peek = { .h = h };
    unsigned words = c->op->bytes / 4;

    for (unsigned i = 0; i < h->map_count; i++) {
        peek.maps[i] = h->maps[i].host;
    }
    if (c->op->kind != 'a' || lane % 3 == 0) {
        return;
    }
    for (unsigned k = 0; k < words; k++) {
        ModelByte b = model_memory(&peek, va + 4 * k, false);

        if (b.p && va % 4 == 0) {
            memcpy(&wave_vgpr(h, DATA + words + k)[lane], b.p, 4);
            memcpy(&wave_vgpr(h, DATA + k)[lane], b.p, 4);
        }
    }
    wave_vgpr(h, DATA)[lane] += lane % 4 - 1;
}

/* Run a case whose model is ready, and compare. */
static void run_case(WaveHarness *h, const Case *c, Model *m,
                     const WaveCode *code, uint64_t exec, const char *how)
{
    g_autofree char *what = g_strdup_printf(
        "%s, %s, exec %#" PRIx64 "%s", c->text, how, exec,
        h->warm ? ", warm" : "");

    model_compare(m, wave_run(h, code), what);
}

/* ---- GLOBAL ---- */

static uint64_t global_address(WaveHarness *h, const Case *c, unsigned lane)
{
    uint64_t low = wave_vgpr(h, ADDR)[lane];

    if (c->saddr) {
        return wave_sgpr64(h, SADDR) + low + c->offset;
    }
    return (low | (uint64_t)wave_vgpr(h, ADDR + 1)[lane] << 32) + c->offset;
}

static void place_global(WaveHarness *h, const Case *c, Pattern pattern)
{
    uint64_t base = BOUNDARY - 0x12344, va;

    if (pattern == WRAPPED) { /* the lower half does, in mid page */
        base = BOUNDARY + 0x800 - c->offset - 0x100000000;
    }
    wave_set_sgpr64(h, SADDR, base);
    for (unsigned lane = 0; lane < 64; lane++) {
        va = place(pattern, lane, c->op->bytes) - c->offset;
        if (pattern == WRAPPED) {
            va = (uint32_t)(lane - 10) * c->op->bytes;
            va = (c->saddr ? base : BOUNDARY - 0x100000000) + (uint32_t)va;
        }
        if (c->saddr) {
            wave_vgpr(h, ADDR)[lane] = va - base;
        } else {
            wave_vgpr(h, ADDR)[lane] = va;
            wave_vgpr(h, ADDR + 1)[lane] = va >> 32;
        }
        tame_data(h, c, lane, va + c->offset);
    }
}

static bool in_aperture(uint64_t va)
{
    return va >> 32 == SHARED >> 32 || va >> 32 == PRIVATE >> 32;
}

static void find_global(Model *m, const ModelOp *op, uint64_t va,
                        ModelByte *bytes)
{
    for (unsigned i = 0; i < op->bytes; i++) {
        bytes[i] = model_memory(m, va + i, op->kind != 'l');
        if (!bytes[i].p && in_aperture(va + i)) {
            bytes[i].cause = TESSERA_FAULT_APERTURE;
        }
    }
    if (op->kind == 'a' && va % op->bytes) {
        bytes[0] = (ModelByte){ NULL, TESSERA_FAULT_MISALIGNED, va };
    }
}

static void run_global(WaveHarness *h, const Case *c, const WaveCode *code,
                       Pattern pattern, uint64_t exec)
{
    Model *m;

    randomise_regs(h);
    place_global(h, c, pattern);
    wave_set_exec(h, exec);
    m = model_new(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        ModelByte bytes[16];

        if (exec >> lane & 1) {
            find_global(m, c->op, global_address(h, c, lane), bytes);
            model_lane(m, c->op, lane, bytes, c->dst, DATA);
        }
    }
    run_case(h, c, m, code, exec, pattern_names[pattern]);
    model_free(m);
}

static void run_global_cases(WaveHarness *h, const char *kinds)
{
    WaveCode *code;
    unsigned n = 0;

    for (unsigned i = 0; i < model_op_count; i++) {
        const ModelOp *op = &model_ops[i];

        if (strchr(kinds, op->kind)) {
            int dst = op->kind == 's' ? -1 : DST;

            add_case("global", op, 0, false, dst);
            add_case("global", op, -4096, false, dst);
            add_case("global", op, 4095, true, dst);
            add_case("global", op, -3, true, op->kind == 'a' ? -1 : dst);
            if (dst >= 0) { /* over its own address */
                add_case("global", op, 12, false, ADDR);
                add_case("global", op, 16, true, ADDR - 1);
            }
        }
    }
    map_memory(h);
    randomise(h);
    code = assemble_cases();
    for (unsigned i = 0; i < cases->len; i++) {
        for (unsigned k = 0; k < PATTERNS * 4; k++) {
            h->warm = k % 2;
            run_global(h, &g_array_index(cases, Case, i), &code[i],
                       k / 4, pick_exec(n++));
        }
    }
    end_cases(code);
}

static void test_global_loads(WaveHarness *h)
{
    begin_cases();
    run_global_cases(h, "l");
}

static void test_global_stores(WaveHarness *h)
{
    begin_cases();
    run_global_cases(h, "s");
}

static void test_global_atomics(WaveHarness *h)
{
    begin_cases();
    run_global_cases(h, "a");
}

/* FL14, FL15: the others are served; MEM_VIOL is set. */
static void test_bad_lane(WaveHarness *h)
{
    static const char *const text[] = {
        "global_load_dword v16, v[2:3], off",
    };
    WaveCode *code = wave_assemble(text, 1);
    const EngineFault *f = &h->worker->fault;

    map_memory(h);
    memset(h->maps[2].host, 0x5a, 256);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 2)[lane] = (lane == 63 ? HOLE : BOUNDARY) + lane * 4;
        wave_vgpr(h, 3)[lane] = BOUNDARY >> 32;
        wave_vgpr(h, 16)[lane] = 7;
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(wave_vgpr(h, 16)[62], ==, 0x5a5a5a5a);
    g_assert_cmphex(wave_vgpr(h, 16)[63], ==, 0);
    g_assert_cmphex(f->lanes, ==, 1ull << 63);
    g_assert_cmphex(f->address, ==, HOLE + 63 * 4);
    g_assert_cmpint(f->access, ==, ENGINE_READ);
    g_assert_cmphex(f->pc, ==, WAVE_CODE_VA);
    g_assert_cmphex(h->w->trapsts & 1 << 8, !=, 0);
    wave_code_free(code);
}

/*
 * The list of written pages may fill up and be reported in the middle of an
 * instruction: what is stored after that must be reported once more.
 */
static void test_reports(WaveHarness *h)
{
    WaveCode *code;
    unsigned n = 0;

    begin_cases();
    for (unsigned i = 0; i < model_op_count; i++) {
        if (model_ops[i].kind != 'l') {
            add_case("global", &model_ops[i], 0, false, -1);
        }
    }
    map_memory(h);
    randomise(h);
    for (unsigned i = 1; i < h->map_count; i++) {
        h->maps[i].seen = g_memdup2(h->maps[i].host, h->maps[i].size);
    }
    code = assemble_cases();
    for (unsigned i = 0; i < cases->len; i++) {
        for (unsigned k = 0; k < PATTERNS * 4; k++) {
            h->worker->written_count = WRITTEN_MAX - k % 4;
            run_global(h, &g_array_index(cases, Case, i), &code[i], k / 4,
                       pick_exec(n++));
            for (unsigned j = 1; j < h->map_count; j++) {
                g_assert_cmpmem(h->maps[j].host, h->maps[j].size,
                                h->maps[j].seen, h->maps[j].size);
            }
        }
    }
    for (unsigned i = 1; i < h->map_count; i++) {
        g_free(h->maps[i].seen);
    }
    end_cases(code);
}

/* ---- SCRATCH ---- */

/* Its pages share no entry of the TLB with the others. */
#define SCRATCH_VA (WAVE_SCRATCH_VA + 0x40000)
#define SCRATCH_BASE (SCRATCH_VA + 0x200)

static const char *const private_names[] = {
    "same", "same odd", "each its own", "odd", "beyond", "last", "mixed",
};

/* A lane's private address for accesses of @n bytes. */
static int64_t place_private(unsigned pattern, unsigned lane, unsigned n,
                             unsigned limit)
{
    switch (pattern) {
    case 0:
        return 64;
    case 1:
        return 67;
    case 2:
        return 4 * g_rand_int_range(rng, 0, (limit - n) / 4);
    case 3:
        return g_rand_int_range(rng, 0, limit - n + 1);
    case 4:
        return lane % 8 ? lane * 4 : limit - n + lane / 8;
    case 5:
        return limit - n;
    default:
        return lane % 5 ? 32 : g_rand_int(rng) % 4 * 16 + lane % 4;
    }
}

/* gfx-facts section 9: dword d of lane l is at base + d * 256 + l * 4. */
static void find_private(Model *m, const ModelOp *op, unsigned lane,
                         int64_t p, ModelByte *bytes)
{
    int64_t limit = m->h->dispatch.launch.scratch_wave_size / 64;

    for (unsigned i = 0; i < op->bytes; i++) {
        uint64_t va = wave_sgpr64(m->h, SGPR_FLAT_SCRATCH) +
                      (uint64_t)(p + i) / 4 * 256 + lane * 4 + (p + i) % 4;

        bytes[i] = model_memory(m, va, op->kind != 'l');
    }
    if (p < 0 || p + op->bytes > limit) {
        bytes[0] = (ModelByte){ NULL, TESSERA_FAULT_SCRATCH_BOUNDS,
                                PRIVATE | (uint32_t)p };
    } else if (op->kind == 'a' && (p % 4 || op->bytes == 8)) {
        bytes[0] = (ModelByte){
            NULL, TESSERA_FAULT_MISALIGNED,
            wave_sgpr64(m->h, SGPR_FLAT_SCRATCH) + p / 4 * 256 + lane * 4 +
                p % 4
        };
    }
}

static void run_scratch(WaveHarness *h, const Case *c, const WaveCode *code,
                        unsigned pattern, uint64_t exec)
{
    unsigned limit = h->dispatch.launch.scratch_wave_size / 64;
    Model *m;

    randomise_regs(h);
    wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, SCRATCH_BASE);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, ADDR)[lane] =
            place_private(pattern, lane, c->op->bytes, limit) - c->offset;
    }
    h->w->s[SADDR] = wave_vgpr(h, ADDR)[0];
    wave_set_exec(h, exec);
    m = model_new(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t p = c->saddr ? h->w->s[SADDR] : m->v[ADDR][lane];
        ModelByte bytes[16];

        if (exec >> lane & 1) {
            find_private(m, c->op, lane, p + c->offset, bytes);
            model_lane(m, c->op, lane, bytes, c->dst, DATA);
        }
    }
    run_case(h, c, m, code, exec, private_names[pattern]);
    model_free(m);
}

/* FL12 */
static void test_scratch(WaveHarness *h)
{
    WaveCode *code;
    unsigned n = 0;

    begin_cases();
    h->dispatch.launch.scratch_wave_size = 0x4000; /* 256 bytes a lane */
    for (unsigned i = 0; i < model_op_count; i++) {
        const ModelOp *op = &model_ops[i];
        int dst = op->kind == 's' ? -1 : DST;

        if (op->kind != 'a') {
            add_case("scratch", op, 0, false, dst);
            add_case("scratch", op, -8, false, dst);
            add_case("scratch", op, 16, true, dst);
            add_case("scratch", op, 20, false, dst >= 0 ? ADDR : -1);
        }
    }
    wave_map(h, SCRATCH_VA, 0x5000, true);
    randomise(h);
    code = assemble_cases();
    for (unsigned i = 0; i < cases->len; i++) {
        for (unsigned k = 0; k < G_N_ELEMENTS(private_names) * 6; k++) {
            h->warm = k % 2;
            run_scratch(h, &g_array_index(cases, Case, i), &code[i], k / 6,
                        pick_exec(n++));
        }
    }
    end_cases(code);
}

/* ---- FLAT ---- */

enum { LDS_SIZE = 0x900 };

typedef enum Mix {
    MIX_MEMORY, MIX_LDS, MIX_LDS_END, MIX_PRIVATE, MIX_ALL, MIX_BAD, MIXES,
} Mix;

static const char *const mix_names[MIXES] = {
    "memory", "LDS", "LDS end", "private", "all", "bad",
};

/* The address that a lane has before the offset is added. */
static uint64_t place_flat(Mix mix, unsigned lane, unsigned n, int64_t offset)
{
    switch (mix) {
    case MIX_MEMORY:
        return BOUNDARY + 0x800 - offset + lane * n;
    case MIX_LDS:
        return SHARED + 0x40 + lane * n;
    case MIX_LDS_END:
        return SHARED + LDS_SIZE - offset - 50 * n + lane * n;
    case MIX_PRIVATE:
        return PRIVATE + (lane % 7 ? 0 : 4);
    case MIX_ALL:
        return place_flat(g_rand_int(rng) % MIX_ALL, lane, n, offset);
    default:
        return g_rand_boolean(rng)
                   ? wild_address(n)
                   : place_flat(g_rand_int(rng) % MIX_ALL, lane, n, offset);
    }
}

static void find_lds(Model *m, const ModelOp *op, uint64_t at,
                     ModelByte *bytes)
{
    for (unsigned i = 0; i < op->bytes; i++) {
        bytes[i] = (ModelByte){ &m->lds[(at + i) % sizeof(m->lds)], 0, 0 };
    }
    if (at + op->bytes > LDS_SIZE) {
        bytes[0] = (ModelByte){ NULL, TESSERA_FAULT_LDS_BOUNDS, SHARED | at };
    }
    if (op->kind == 'a' && at % op->bytes) {
        bytes[0] = (ModelByte){ NULL, TESSERA_FAULT_MISALIGNED, SHARED | at };
    }
}

/* The aperture is that of the address without the offset. */
static void find_flat(Model *m, const Case *c, unsigned lane, uint64_t va,
                      ModelByte *bytes)
{
    uint64_t p = (va & 0xffffffff) + c->offset;

    if (va >> 32 == SHARED >> 32) {
        find_lds(m, c->op, p, bytes);
    } else if (va >> 32 == PRIVATE >> 32) {
        find_private(m, c->op, lane, p, bytes);
    } else {
        find_global(m, c->op, va + c->offset, bytes);
    }
}

static void run_flat(WaveHarness *h, const Case *c, const WaveCode *code,
                     Mix mix, uint64_t exec)
{
    Model *m;

    randomise_regs(h);
    wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, SCRATCH_BASE);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t va = place_flat(mix, lane, c->op->bytes, c->offset);

        wave_vgpr(h, ADDR)[lane] = va;
        wave_vgpr(h, ADDR + 1)[lane] = va >> 32;
        tame_data(h, c, lane, va + c->offset);
    }
    wave_set_exec(h, exec);
    m = model_new(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t va = m->v[ADDR][lane] | (uint64_t)m->v[ADDR + 1][lane] << 32;
        ModelByte bytes[16];

        if (exec >> lane & 1) {
            find_flat(m, c, lane, va, bytes);
            model_lane(m, c->op, lane, bytes, c->dst, DATA);
        }
    }
    run_case(h, c, m, code, exec, mix_names[mix]);
    model_free(m);
}

/* FL1, FL2, FL10, FL13: each lane in its own segment. */
static void test_flat(WaveHarness *h)
{
    WaveCode *code;
    unsigned n = 0;

    begin_cases();
    h->group.lds_size = LDS_SIZE;
    h->dispatch.launch.scratch_wave_size = 0x2000; /* 128 bytes a lane */
    for (unsigned i = 0; i < model_op_count; i++) {
        const ModelOp *op = &model_ops[i];
        int dst = op->kind == 's' ? -1 : DST;

        add_case("flat", op, 0, false, dst);
        add_case("flat", op, 16, false, op->kind == 'a' ? -1 : dst);
        add_case("flat", op, 64, false, dst >= 0 ? ADDR : -1);
    }
    map_memory(h);
    wave_map(h, SCRATCH_VA, 0x3000, true);
    randomise(h);
    code = assemble_cases();
    for (unsigned i = 0; i < cases->len; i++) {
        for (unsigned k = 0; k < MIXES * 8; k++) {
            h->warm = k % 2;
            run_flat(h, &g_array_index(cases, Case, i), &code[i], k / 8,
                     pick_exec(n++));
        }
    }
    end_cases(code);
}

/* FL6: loads to LDS at M0 + offset + lane * 4. */
static void test_to_lds(WaveHarness *h)
{
    static const char *const text[] = {
        "global_load_dword v[2:3], off offset:16 lds",
        "global_load_sbyte v[2:3], off lds",
    };
    WaveCode *code = wave_assemble(text, 2);
    const uint8_t *host;

    map_memory(h);
    rng = g_rand_new_with_seed(6);
    randomise(h);
    g_rand_free(rng);
    host = h->maps[2].host;
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 2)[lane] = BOUNDARY + lane * 12;
        wave_vgpr(h, 3)[lane] = BOUNDARY >> 32;
    }
    h->w->s[SGPR_M0] = 0x40;
    wave_set_exec(h, 0xfffffffffffffffe);
    memset(h->group.lds, 1, 0x1000);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpint(h->group.lds[0x50], ==, 1);
    for (unsigned lane = 1; lane < 64; lane++) {
        g_assert_cmpmem(h->group.lds + 0x50 + lane * 4, 4,
                        host + lane * 12 + 16, 4);
    }
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpint(*(int32_t *)(h->group.lds + 0x40 + 63 * 4), ==,
                    (int8_t)host[63 * 12]);
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/flat/FL4-FL11-global-loads", test_global_loads);
    wave_test_levels("/flat/FL4-FL11-global-stores", test_global_stores);
    wave_test_levels("/flat/FL5-global-atomics", test_global_atomics);
    wave_test_levels("/flat/FL14-FL15-bad-lane", test_bad_lane);
    wave_test_levels("/flat/written-pages", test_reports);
    wave_test_levels("/flat/FL12-scratch", test_scratch);
    wave_test_levels("/flat/FL2-FL10-FL13-flat", test_flat);
    wave_test_levels("/flat/FL6-to-lds", test_to_lds);
    return g_test_run();
}
