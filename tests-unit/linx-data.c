/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of data/ for the tests of LinxISA. */
#include "linx-data.h"

GPtrArray *linx_data(const char *file)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)
                                                     g_strfreev);
    g_autofree char *path = g_build_filename(TEST_DATA_DIR, file, NULL);
    g_autofree char *content = NULL;
    g_auto(GStrv) lines = NULL;
    g_autoptr(GError) error = NULL;

    g_file_get_contents(path, &content, NULL, &error);
    g_assert_no_error(error);
    lines = g_strsplit(content, "\n", -1);
    for (unsigned i = 0; lines[i]; i++) {
        if (lines[i][0] && lines[i][0] != '#') {
            g_ptr_array_add(rows, g_strsplit(lines[i], "\t", -1));
        }
    }
    return rows;
}

uint64_t linx_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15; /* splitmix64 */

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void linx_put_word(uint64_t word, uint8_t bytes[8])
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = word >> (8 * i);
    }
}
