/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random use of the device, fixed seeds, and what a fuzzer found worth keeping:
 * nothing crashes, hangs or leaks.
 */
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

/* Keep a seed where libFuzzer finds it, if that is asked for. */
static void unpack(const uint8_t *data, size_t size, unsigned n)
{
    const char *folder = g_getenv("GPU_FUZZ_CORPUS");
    char *path;

    if (folder) {
        path = g_strdup_printf("%s/seed-%03u", folder, n);
        g_assert_true(g_file_set_contents(path, (const char *)data, size,
                                          NULL));
        g_free(path);
    }
}

static void test_corpus(void)
{
    char *text, **lines;
    unsigned count = 0;

    g_assert_true(g_file_get_contents(TEST_DATA_DIR "/gpu-fuzz-seeds.txt",
                                      &text, NULL, NULL));
    lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; lines[i]; i++) {
        gsize size;
        uint8_t *data;

        if (lines[i][0] && lines[i][0] != '#') {
            data = g_base64_decode(lines[i], &size);
            unpack(data, size, count++);
            gpu_fuzz_run(data, size);
            g_free(data);
        }
    }
    g_assert_cmpuint(count, >=, 50);
    g_strfreev(lines);
    g_free(text);
}

int main(int argc, char **argv)
{
    unsigned seeds = g_getenv("GPU_FUZZ_SEEDS")
                         ? atoi(g_getenv("GPU_FUZZ_SEEDS")) : 100;

    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/fuzz/corpus", test_corpus);
    for (unsigned seed = 1; seed <= seeds; seed++) {
        char name[32];

        g_snprintf(name, sizeof(name), "/gpu/fuzz/%u", seed);
        g_test_add_data_func(name, GUINT_TO_POINTER(seed), test_seed);
    }
    return g_test_run();
}
