/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random blocks, and those that a fuzzer found worth keeping: they end, trap or
 * are stopped, and a sanitizer sees what they touch.
 */
#include <glib.h>
#include <string.h>
#include "linx-data.h"
#include "linx-fuzz.h"

static void test_random(void)
{
    uint64_t seed = 1;

    linx_fuzz_counts = (LinxFuzzCounts) { 0 };
    for (unsigned i = 0; i < 5000; i++) {
        uint8_t data[256] = { 0 };
        uint64_t head[2] = { linx_random(&seed), linx_random(&seed) };
        size_t size = LINX_FUZZ_HEAD;

        memcpy(data, head, sizeof(head));
        for (unsigned n = 0; n < 3; n++) {
            size = linx_fuzz_mutate(data, size, sizeof(data), &seed);
        }
        linx_fuzz_run(data, size);
    }
    g_test_message("%u ends, %u traps, %u stopped", linx_fuzz_counts.ends,
                   linx_fuzz_counts.traps, linx_fuzz_counts.stopped);
    /* Neither all of them nor none. */
    g_assert_cmpuint(linx_fuzz_counts.runs, ==, 5000);
    g_assert_cmpuint(linx_fuzz_counts.ends, >, 20);
    g_assert_cmpuint(linx_fuzz_counts.traps, >, 1000);
}

/* Keep a seed where libFuzzer finds it, if that is asked for. */
static void unpack(const uint8_t *data, size_t size, unsigned n)
{
    const char *folder = g_getenv("LINX_FUZZ_CORPUS");

    if (folder) {
        g_autofree char *path = g_strdup_printf("%s/seed-%03u", folder, n);

        g_assert_true(g_file_set_contents(path, (const char *)data, size,
                                          NULL));
    }
}

static void test_corpus(void)
{
    g_autoptr(GPtrArray) rows = linx_data("linx-fuzz-seeds.txt");

    for (unsigned i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        gsize size;
        g_autofree uint8_t *data = g_base64_decode(row[0], &size);

        unpack(data, size, i);
        linx_fuzz_run(data, size);
    }
    g_assert_cmpuint(rows->len, >=, 50);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/fuzz/corpus", test_corpus);
    g_test_add_func("/linx/fuzz/random", test_random);
    return g_test_run();
}
