/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jit-pair.h"
#include "wave-jit.h"

JitPair jit_pair_begin(WaveHarness *h, unsigned programs)
{
    g_assert_nonnull(h->engine.jit);
    return (JitPair){
        .compiled = h,
        .plain = wave_harness_new_interpreted(h->engine.config.level),
        .rand = g_rand_new_with_seed(wave_jit_setting("JIT_SEED", 1)),
        .programs = wave_jit_setting("JIT_PROGRAMS", programs),
    };
}

void jit_pair_end(JitPair *pair)
{
    wave_harness_free(pair->plain);
    g_rand_free(pair->rand);
}

void jit_pair_same_vectors(const JitPair *pair, unsigned count)
{
    for (unsigned v = 0; v < count; v++) {
        const uint32_t *x = wave_vgpr(pair->compiled, v);
        const uint32_t *y = wave_vgpr(pair->plain, v);

        for (unsigned lane = 0; lane < pair->plain->w->w.lanes; lane++) {
            if (x[lane] != y[lane]) {
                g_test_message("v%u, lane %u", v, lane);
            }
            g_assert_cmphex(x[lane], ==, y[lane]);
        }
    }
}

void jit_pair_same_scalars(const JitPair *pair)
{
    const AmdWave *x = pair->compiled->w, *y = pair->plain->w;

    for (unsigned i = 0; i < SGPR_EXEC + 2; i++) {
        if (x->s[i] != y->s[i]) {
            g_test_message("scalar register %u", i);
        }
        g_assert_cmphex(x->s[i], ==, y->s[i]);
    }
    g_assert_cmpuint(x->scc, ==, y->scc);
    g_assert_cmphex(x->vccz, ==, y->vccz);
    g_assert_cmphex(x->execz, ==, y->execz);
    g_assert_cmphex(x->inactive, ==, y->inactive);
}
