/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer over the code object loader: parse, load, place, look up. */
#include <string.h>
#include "tools/codeobj.h"

#define IMAGE_MAX (16u << 20) /* larger ones are not laid out, for speed */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GBytes) bytes = g_bytes_new(data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(CodeObject) parsed = codeobj_parse("FILE", bytes, NULL, NULL);
    g_autoptr(CodeObject) co = codeobj_load_bytes("FILE", bytes, NULL, &error);
    uint64_t delta;

    if (!co) {
        g_assert_nonnull(error);
        g_assert_null(strchr(error->message, '\n'));
        return 0;
    }
    if (codeobj_image_size(co) <= IMAGE_MAX) {
        g_autofree uint8_t *image = g_malloc(codeobj_image_size(co));

        codeobj_place(co, 0x400000000000, image, NULL);
    }
    codeobj_symbol_at(co, codeobj_image_size(co) / 2, &delta);
    return 0;
}
