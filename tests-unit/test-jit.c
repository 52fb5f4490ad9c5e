/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs of random vector and scalar instructions leave the same registers
 * when they are compiled as when they are interpreted: with lanes that are not
 * active, NaNs, infinities and denormals, all rounding modes, and operands of
 * all kinds.
 *
 * TESSERA_JIT=now must be in the environment.  JIT_PROGRAMS=N: so many of each
 * target; JIT_SEED=N: another series of them.
 */
#include <string.h>
#include "jit-pair.h"
#include "jit-words.h"
#include "wave-jit.h"

enum { LENGTH = 16, VGPRS = JIT_VGPRS, LANES = 64, PROGRAMS = 24 };

typedef struct Target {
    const char *name;
    unsigned lanes;
} Target;

static const Target targets[] = {
    { "gfx900", 64 }, { "gfx1100", 32 }, { "gfx1150", 64 }, { "gfx1200", 32 },
    { "gfx1200", 64 },
};

/* ---- state ---- */

static uint64_t random_exec(GRand *rand)
{
    uint64_t x = (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);

    return jit_number(rand, 2) ? UINT64_MAX : x;
}

/* The same for both. */
static void random_state(const JitPair *pair)
{
    WaveHarness *a = pair->compiled, *b = pair->plain;
    GRand *rand = pair->rand;
    uint64_t exec = random_exec(rand);
    uint32_t mode = jit_number(rand, 2) ? 0x2f0 : g_rand_int(rand) & 0x3ff;
    WaveHarness *both[2] = { a, b };

    wave_reset(a);
    for (unsigned v = 0; v < VGPRS + 4; v++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            wave_vgpr(a, v)[lane] = jit_bits(rand);
        }
    }
    wave_reset(b);
    memcpy(b->w->v, a->w->v, sizeof(a->w->v));
    for (unsigned i = 0; i < 2; i++) {
        wave_set_mode(both[i], mode);
    }
    for (unsigned i = 0; i < 20; i++) {
        a->w->s[i] = b->w->s[i] = jit_bits(rand);
    }
    for (unsigned i = 0; i < 2; i++) {
        wave_set_sgpr64(both[i], SGPR_VCC, exec * 0x9e3779b97f4a7c15);
        wave_set_exec(both[i], exec & both[i]->w->full);
        vcc_changed(both[i]->w);
    }
}

static void same_state(const JitPair *pair)
{
    jit_pair_same_vectors(pair, AMD_VGPRS);
    jit_pair_same_scalars(pair);
}

/* ---- the test ---- */

static void print_program(const WaveCode *code, const AmdIsa *isa,
                          unsigned lanes)
{
    for (unsigned i = 0; i < code->count;) {
        AmdInst inst;
        unsigned length = amd_isa_decode(isa, lanes)(
            code->words + i, code->count - i, &inst);

        g_test_message("%s (0x%08x)", amd_insns[inst.op].name,
                       code->words[i]);
        i += MAX(length, 1);
    }
}

static void run_program(const JitPair *pair, const WaveCode *code)
{
    TesseraFaultCause cause;

    random_state(pair);
    cause = wave_run(pair->plain, code);
    if (g_getenv("JIT_SEED")) {
        print_program(code, pair->plain->w->isa, pair->plain->w->w.lanes);
    }
    g_assert_cmpuint(wave_run(pair->compiled, code), ==, cause);
    same_state(pair);
}

static void test_programs(WaveHarness *h, const void *data)
{
    const Target *target = data;
    JitPair pair = jit_pair_begin(h, PROGRAMS);
    GArray *words = g_array_new(false, false, sizeof(uint32_t));

    for (unsigned n = 0; n < pair.programs; n++) {
        WaveCode code;

        g_array_set_size(words, 0);
        jit_words(pair.rand, h->w->isa, target->lanes, LENGTH, words);
        code = (WaveCode){ (uint32_t *)(void *)words->data, words->len };
        for (unsigned round = 0; round < 3; round++) {
            run_program(&pair, &code);
        }
    }
    wave_jit_check(&h->engine, pair.programs / 2,
                   pair.programs * LENGTH / 3);
    g_array_free(words, true);
    jit_pair_end(&pair);
}

/* What clang's back end has been seen to make wrong code of. */
static void test_seen(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "v_frexp_mant_f64 v[3:4], 51", /* bits that a constant chooses */
        "v_frexp_exp_i32_f64 v3, 51",
        "v_rcp_f64 v[3:4], -|v[5:6]|", /* the sign of a NaN */
        "v_rcp_f64 v[3:4], -v[5:6]",
        "v_rcp_f32 v3, -|v5|",
        "v_rcp_f32 v3, -v5",
        "v_mul_f64 v[3:4], -v[5:6], 2.0",
        "v_add_f64 v[3:4], v[7:8], -v[5:6]",
    };
    JitPair pair = jit_pair_begin(h, 0);
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    WaveHarness *plain = pair.plain;

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        random_state(&pair);
        for (unsigned lane = 0; lane < LANES; lane += 3) { /* NaNs */
            wave_vgpr(h, 5)[lane] = wave_vgpr(plain, 5)[lane] = 0x7fc00001;
            wave_vgpr(h, 6)[lane] = wave_vgpr(plain, 6)[lane] = 0x7ff80000;
        }
        wave_set_exec(h, UINT64_MAX);
        wave_set_exec(plain, UINT64_MAX);
        g_assert_cmpuint(wave_run(plain, &code[i]), ==, TESSERA_FAULT_NONE);
        g_assert_cmpuint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        same_state(&pair);
    }
    wave_jit_check(&h->engine, G_N_ELEMENTS(texts), 2 * G_N_ELEMENTS(texts));
    wave_code_free(code);
    jit_pair_end(&pair);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (wave_have_assembler()) {
        wave_test_target("/jit/seen", "gfx900", 64, test_seen, NULL);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        wave_test_target("/jit/programs", targets[i].name, targets[i].lanes,
                         test_programs, &targets[i]);
    }
    return g_test_run();
}
