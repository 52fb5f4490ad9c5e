/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short programs, which are compiled as a whole and never have vector registers
 * in the wave's struct, leave the same in memory as interpreted ones: random
 * instructions between loads of all registers and stores of them.  Where rare
 * operands, pages that have to be looked up or lanes that become inactive make
 * a program leave its code, registers must be there at once.
 *
 * TESSERA_JIT=now must be in the environment.  JIT_PROGRAMS=N: so many of each
 * target; JIT_SEED=N: another series of them.
 */
#include <string.h>
#include "jit-pair.h"
#include "jit-words.h"
#include "wave-jit.h"

enum { LENGTH = 2, PROGRAMS = 12, ROUNDS = 8, IN = 20, OUT = 22 };

#define DATA_VA 0x123456780000ull
#define AREA 0x2000u /* bytes of all registers, and more */

/* In a register that nothing of the programs writes to. */
#define SPARE 200
#define NOBODY 0x5a5a5a5au

typedef struct Target {
    const char *name;
    unsigned lanes;
    /* Where a lane's quads are: v30; then a load and a store of one. */
    const char *place, *load, *store, *next;
    const char *const *own; /* templates, OWN of them */
} Target;

#define LOAD "global_load_dword "

#define OWN 3 /* templates of a target's own */
#define ALL_TEMPLATES (G_N_ELEMENTS(templates) + OWN)

#define GFX9 \
    "v_lshlrev_b32 v30, 4, v0\n", \
    "global_load_dwordx4 v[%u:%u], v30, s[20:21]\n", \
    "global_store_dwordx4 v30, v[%u:%u], s[22:23]\n", \
    "v_add_u32 v30, 0x400, v30\n"
#define GFX12 \
    "v_and_b32 v30, 0x3ff, v0\n v_lshlrev_b32 v30, 4, v30\n", \
    "global_load_b128 v[%u:%u], v30, s[20:21]\n", \
    "global_store_b128 v30, v[%u:%u], s[22:23]\n", \
    "v_add_nc_u32 v30, 0x400, v30\n"

/* ---- programs ---- */

static void all_quads(const Target *target, const char *move, GString *text)
{
    g_string_append(text, target->place);
    for (unsigned v = 0; v < JIT_VGPRS; v += 4) {
        g_string_append_printf(text, move, v, v + 3);
        g_string_append(text, target->next);
    }
}

/*
 * What random instructions hardly ever are: masks that scalar instructions
 * change, jumps, lanes that become inactive or are read by scalar instructions,
 * lanes that do not lie side by side, and the end of a page.  For waves of 64
 * and of 32 lanes.
 */
static const char *const templates[][2] = {
    { "v_cmp_gt_u32 vcc, v1, v2\n s_not_b64 vcc, vcc\n"
      "v_cndmask_b32 v3, v4, v5, vcc",
      "v_cmp_gt_u32 vcc_lo, v1, v2\n s_not_b32 vcc_lo, vcc_lo\n"
      "v_cndmask_b32 v3, v4, v5, vcc_lo" },
    { "v_cndmask_b32 v3, v4, v5, vcc\n s_mov_b32 vcc_lo, s4\n"
      "v_cndmask_b32 v6, v7, v8, vcc",
      "v_cndmask_b32 v3, v4, v5, vcc_lo\n s_mov_b32 vcc_lo, s4\n"
      "v_cndmask_b32 v6, v7, v8, vcc_lo" },
    { "v_cmp_lt_i32 vcc, v1, v2\n s_mov_b32 s5, vcc_lo\n v_xor_b32 v4, s5, v4",
      "v_cmp_lt_i32 vcc_lo, v1, v2\n s_mov_b32 s5, vcc_lo\n"
      "v_xor_b32 v4, s5, v4" },
    { "v_xor_b32 v6, v7, v8\n s_cmp_lg_u32 s1, s2\n s_cbranch_scc1 1f\n"
      "v_xor_b32 v8, v7, v6\n 1: v_xor_b32 v9, v8, v6",
      "v_xor_b32 v6, v7, v8\n s_cmp_eq_u32 s1, s2\n s_cbranch_scc1 1f\n"
      "v_xor_b32 v8, v7, v6\n 1: v_xor_b32 v9, v8, v6" },
    { "v_xor_b32 v9, v7, v8\n v_readfirstlane_b32 s6, v9\n"
      "v_xor_b32 v10, s6, v10",
      "v_xor_b32 v9, v7, v8\n v_readfirstlane_b32 s6, v9\n"
      "v_xor_b32 v10, s6, v10" },
    { "v_xor_b32 v9, v7, v8\n v_cmp_lt_u32 vcc, 5, v30\n"
      "s_and_saveexec_b64 s[14:15], vcc\n v_xor_b32 v9, v9, v10\n"
      "s_or_b64 exec, exec, s[14:15]",
      "v_xor_b32 v9, v7, v8\n v_cmp_lt_u32 vcc_lo, 5, v30\n"
      "s_and_saveexec_b32 s14, vcc_lo\n v_xor_b32 v9, v9, v10\n"
      "s_or_b32 exec_lo, exec_lo, s14" },
    { "v_cmp_eq_u32 vcc, v30, v30\n s_and_saveexec_b64 s[14:15], vcc\n"
      "s_cbranch_execz 1f\n v_xor_b32 v9, v9, v10\n 1: v_xor_b32 v9, v8, v9",
      "v_cmp_eq_u32 vcc_lo, v30, v30\n s_and_saveexec_b32 s14, vcc_lo\n"
      "s_cbranch_execz 1f\n v_xor_b32 v9, v9, v10\n 1: v_xor_b32 v9, v8, v9" },
    { "v_and_b32 v28, 0x3c, v5\n" LOAD "v6, v28, s[20:21]",
      "v_and_b32 v28, 0x3c, v5\n" LOAD "v6, v28, s[20:21]" },
    { "v_lshlrev_b32 v28, 2, v31\n v_and_b32 v28, 0xff, v28\n"
      LOAD "v6, v28, s[20:21] offset:3980",
      "v_and_b32 v28, 31, v31\n v_lshlrev_b32 v28, 2, v28\n"
      LOAD "v6, v28, s[20:21] offset:4024" },
    { "v_mov_b32 v28, 0\n" LOAD "v7, v28, s[20:21] offset:8",
      "v_mov_b32 v28, 0\n" LOAD "v7, v28, s[20:21] offset:8" },
    { "v_and_b32 v28, 31, v31\n v_lshlrev_b32 v28, 2, v28\n"
      "ds_read_b32 v6, v28 offset:16\n s_waitcnt lgkmcnt(0)",
      "v_and_b32 v28, 31, v31\n v_lshlrev_b32 v28, 2, v28\n"
      "ds_read_b32 v6, v28 offset:16" },
    { "s_load_dword s7, s[20:21], 0x40\n s_waitcnt lgkmcnt(0)\n"
      "v_xor_b32 v11, s7, v11",
      "s_load_dword s7, s[20:21], 0x40\n v_xor_b32 v11, s7, v11" },
};

/*
 * Of each target something of its own: what is made of a mask, what changes
 * MODE before floats are computed, and functions that write vector registers.
 */
static const char *const gfx9_templates[] = {
    "v_cmp_lt_u32 vcc, v1, v1\n v_mov_b32 v6, src_vccz",
    ("v_cmp_lt_u32 vcc, v1, v1\n global_load_dword v7, v28, s[20:21]\n"
     "v_mov_b32 v6, src_vccz"),
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 2\n v_add_f32 v8, v9, v5",
};
static const char *const gfx11_templates[] = {
    "s_mov_b32 m0, 2\n v_movreld_b32 v3, v4",
    "s_round_mode 3\n v_add_f32 v8, v9, v5",
    "v_wmma_f32_16x16x16_f16 v[0:3], v[4:11], v[12:19], v[0:3]",
};
static const char *const gfx12_templates[] = {
    "s_round_mode 3\n v_add_f32 v8, v9, v5",
    "s_denorm_mode 0\n v_mul_f32 v8, v9, v5",
    "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]",
};

static const Target targets[] = {
    { "gfx900", 64, GFX9, gfx9_templates },
    { "gfx1100", 64, GFX12, gfx11_templates },
    { "gfx1200", 32, GFX12, gfx12_templates },
};

/* They are assembled with the ends, behind them. */
static void random_template(GRand *rand, const WaveCode *ends, GArray *words)
{
    const WaveCode *code = &ends[2 + jit_number(rand, ALL_TEMPLATES)];

    g_array_append_vals(words, code->words, code->count);
}

/* Few programs could be compiled as a whole if many wrote EXEC. */
static void random_code(GRand *rand, const AmdIsa *isa, unsigned lanes,
                        GArray *words)
{
    for (unsigned n = 0; n < LENGTH;) {
        unsigned before = words->len;
        uint32_t word[3] = { 0 };
        AmdInst inst;

        jit_words(rand, isa, lanes, 1, words);
        memcpy(word, &g_array_index(words, uint32_t, before),
               (words->len - before) * sizeof(*word));
        amd_isa_decode(isa, lanes)(word, 3, &inst);
        if (strstr(amd_insns[inst.op].name, "cmpx")) {
            g_array_set_size(words, before);
        } else {
            n++;
        }
    }
}

/* The text in front of random instructions, that behind, and templates. */
static WaveCode *assemble_all(const Target *target)
{
    g_autoptr(GString) begin = g_string_new(NULL), end = g_string_new(NULL);
    const char *texts[2 + ALL_TEMPLATES];

    /* v0 is loaded as well, so what it begins with is kept in v31. */
    g_string_append(begin, "v_mov_b32 v31, v0\n");
    all_quads(target, target->load, begin);
    g_string_append(end, "v_mov_b32 v29, v0\n v_mov_b32 v0, v31\n");
    g_string_append(end, target->place);
    g_string_append(end, "v_mov_b32 v0, v29\n");
    for (unsigned v = 0; v < JIT_VGPRS; v += 4) {
        g_string_append_printf(end, target->store, v, v + 3);
        g_string_append(end, target->next);
    }
    texts[0] = begin->str;
    texts[1] = end->str;
    for (unsigned i = 0; i < G_N_ELEMENTS(templates); i++) {
        texts[2 + i] = templates[i][target->lanes == 32];
    }
    for (unsigned i = 0; i < OWN; i++) {
        texts[2 + G_N_ELEMENTS(templates) + i] = target->own[i];
    }
    return wave_assemble(texts, G_N_ELEMENTS(texts));
}

/* ---- state ---- */

/* Numbers only, or anything. */
static void random_memory(const JitPair *pair)
{
    WaveHarness *a = pair->compiled, *b = pair->plain;
    GRand *rand = pair->rand;
    bool any = jit_number(rand, 2);

    for (unsigned i = 0; i < AREA / 4; i++) {
        uint32_t x = any ? jit_bits(rand)
                         : 0x3f000000 + (g_rand_int(rand) & 0x80ffffff);

        ((uint32_t *)(void *)wave_host(a, DATA_VA))[i] = x;
        ((uint32_t *)(void *)wave_host(b, DATA_VA))[i] = x;
    }
    for (unsigned i = 0; i < 256; i++) {
        wave_lds(a)[i] = wave_lds(b)[i] = (uint8_t)g_rand_int(rand);
    }
    memset(wave_host(a, DATA_VA + AREA), 0, AREA);
    memset(wave_host(b, DATA_VA + AREA), 0, AREA);
}

static void random_scalars(const JitPair *pair)
{
    WaveHarness *a = pair->compiled, *b = pair->plain;
    GRand *rand = pair->rand;
    uint32_t mode = jit_number(rand, 2) ? 0x2f0 : g_rand_int(rand) & 0x3ff;
    bool warm = jit_number(rand, 4);
    WaveHarness *both[2] = { a, b };

    for (unsigned i = 0; i < 16; i++) {
        a->w->s[i] = b->w->s[i] = jit_bits(rand);
    }
    for (unsigned i = 0; i < 2; i++) {
        both[i]->warm = warm;
        wave_set_mode(both[i], mode);
        wave_set_sgpr64(both[i], IN, DATA_VA);
        wave_set_sgpr64(both[i], OUT, DATA_VA + AREA);
        wave_set_sgpr64(both[i], SGPR_VCC, 0x5555aaaa3333cccc);
        vcc_changed(both[i]->w);
    }
}

static void same_memory(const JitPair *pair)
{
    WaveHarness *a = pair->compiled, *b = pair->plain;
    const uint32_t *x = (uint32_t *)(void *)wave_host(a, DATA_VA + AREA);
    const uint32_t *y = (uint32_t *)(void *)wave_host(b, DATA_VA + AREA);

    for (unsigned i = 0; i < AREA / 4; i++) {
        if (x[i] != y[i]) {
            g_test_message("v%u, lane %u", i / 256 * 4 + i % 4, i % 256 / 4);
        }
        g_assert_cmphex(x[i], ==, y[i]);
    }
}

/* ---- the test ---- */

/*
 * Start both; the first one as a worker would if it is @fresh, but with rubbish
 * in its registers.
 */
static void start_both(const JitPair *pair, bool fresh)
{
    WaveHarness *h = pair->compiled;

    h->w->w.fresh = fresh;
    wave_start(h);
    wave_start(pair->plain);
    g_assert_true(h->w->w.fresh == fresh);
    if (fresh) {
        memset(h->w->v, NOBODY & 0xff, sizeof(h->w->v));
    }
    random_memory(pair);
    random_scalars(pair);
}

/* Returns whether the wave went through as a whole, without registers. */
static bool run_both(const JitPair *pair, const WaveCode *code)
{
    TesseraFaultCause cause = wave_run(pair->plain, code);
    bool through;

    g_assert_cmpuint(wave_run(pair->compiled, code), ==, cause);
    g_assert_false(pair->compiled->w->w.fresh);
    through = *wave_vgpr(pair->compiled, SPARE) == NOBODY;
    same_memory(pair);
    if (!through) {
        jit_pair_same_scalars(pair);
    }
    if (cause != TESSERA_FAULT_NONE) { /* then all is in the struct */
        jit_pair_same_vectors(pair, SPARE);
    }
    return through;
}

/* Returns in how many rounds a wave went through as a whole. */
static unsigned run_program(const JitPair *pair, const WaveCode *code)
{
    const Wave *wave = &pair->compiled->w->w;
    unsigned whole = 0;
    bool begins = false;

    for (unsigned round = 0; round < ROUNDS; round++) {
        start_both(pair, begins);
        whole += run_both(pair, code);
        begins = wave->page && slot_bit(wave->page->begins, 0);
    }
    return whole;
}

static void add_code(GArray *words, const WaveCode *code)
{
    g_array_append_vals(words, code->words, code->count);
}

static void test_programs(WaveHarness *h, const void *data)
{
    const Target *target = data;
    JitPair pair = jit_pair_begin(h, PROGRAMS);
    unsigned rounds = pair.programs * ROUNDS, whole = 0;
    GArray *words = g_array_new(false, false, sizeof(uint32_t));
    WaveCode *ends = assemble_all(target);

    wave_map(h, DATA_VA, 2 * AREA, true);
    wave_map(pair.plain, DATA_VA, 2 * AREA, true);
    for (unsigned n = 0; n < pair.programs; n++) {
        WaveCode code;

        g_array_set_size(words, 0);
        add_code(words, &ends[0]);
        random_code(pair.rand, h->w->isa, target->lanes, words);
        random_template(pair.rand, ends, words);
        random_template(pair.rand, ends, words);
        add_code(words, &ends[1]);
        code = (WaveCode){ (uint32_t *)(void *)words->data, words->len };
        whole += run_program(&pair, &code);
    }
    g_test_message("%u of %u waves were in no struct", whole, rounds);
    if (h->engine.config.level != TESSERA_LEVEL_V2) { /* no form of quads */
        g_assert_cmpuint(whole, >=, rounds / 40);
    }
    wave_code_free(ends);
    g_array_free(words, true);
    jit_pair_end(&pair);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (!wave_have_assembler()) {
        return g_test_run();
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        wave_test_target("/jit/whole", targets[i].name, targets[i].lanes,
                         test_programs, &targets[i]);
    }
    return g_test_run();
}
