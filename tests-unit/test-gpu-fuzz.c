/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random use of the device, fixed seeds: nothing crashes, hangs or leaks. */
#include "tests-unit/gpu-fuzz.h"

#define BYTES 4000

static void test_seed(gconstpointer seed)
{
    GRand *rand = g_rand_new_with_seed(GPOINTER_TO_UINT(seed));
    uint8_t *data = g_malloc(BYTES);

    for (unsigned i = 0; i < BYTES; i++) {
        data[i] = g_rand_int(rand);
    }
    gpu_fuzz_run(data, BYTES);
    g_free(data);
    g_rand_free(rand);
}

int main(int argc, char **argv)
{
    unsigned seeds = g_getenv("GPU_FUZZ_SEEDS")
                         ? atoi(g_getenv("GPU_FUZZ_SEEDS")) : 100;

    g_test_init(&argc, &argv, NULL);
    for (unsigned seed = 1; seed <= seeds; seed++) {
        char name[32];

        g_snprintf(name, sizeof(name), "/gpu/fuzz/%u", seed);
        g_test_add_data_func(name, GUINT_TO_POINTER(seed), test_seed);
    }
    return g_test_run();
}
