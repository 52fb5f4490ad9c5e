/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rdna-harness.h"

typedef struct Target {
    const char *name;
    bool gfx12;
} Target;

static const Target targets[] = {
    { "gfx1100", false }, { "gfx1150", false }, { "gfx1200", true },
};

void rdna_add_tests(const RdnaTest *tests, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned t = 0; t < 2 * G_N_ELEMENTS(targets); t++) {
            const Target *target = &targets[t / 2];

            if (tests[i].targets == ALL_RDNA ||
                (tests[i].targets == ONLY_GFX12) == target->gfx12) {
                wave_test_target(tests[i].path, target->name,
                                 t % 2 ? 64 : 32, tests[i].test, NULL);
            }
        }
    }
}

void rdna_run(WaveHarness *h, const char *text)
{
    static GHashTable *known;
    char *key = g_strdup_printf("%s %u\n%s", h->engine.config.isa->name,
                                rdna_lanes(h), text);
    WaveCode *code;

    known = known ? known : g_hash_table_new(g_str_hash, g_str_equal);
    code = g_hash_table_lookup(known, key);
    if (code) {
        g_free(key);
    } else {
        code = wave_assemble(&text, 1);
        g_hash_table_insert(known, key, code);
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
}

unsigned rdna_lanes(const WaveHarness *h)
{
    return wave_width(h->w);
}

uint64_t rdna_full(const WaveHarness *h)
{
    return h->w->full;
}

uint32_t rdna_junk(unsigned r, unsigned lane)
{
    unsigned n = r * 64 + lane;

    return (n + 1) * 0x9e3779b9u ^ n << 7;
}

void rdna_fill(WaveHarness *h, unsigned first, unsigned count)
{
    for (unsigned r = first; r < first + count; r++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, r)[lane] = rdna_junk(r, lane);
        }
    }
}
