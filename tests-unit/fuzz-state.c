/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer over saved states: whatever is loaded, and then let run, must do no
 * harm.  The header and the identity are put before the input, since no fuzzer
 * guesses them; if the first byte is odd, the input stands alone.
 */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

#define PREFIX (20 + 6 * 8) /* up to the registers, see hw/gpu/state.c */
#define AT_BYTES 12

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static GByteArray *make_stream(Fixture *f, const uint8_t *data, size_t size)
{
    GByteArray *stream = g_byte_array_new();

    if (!(data[0] & 1)) {
        uint32_t bytes = PREFIX + size - 1;

        tessera_gpu_save(f->gpu, stream, NULL);
        g_byte_array_set_size(stream, PREFIX);
        memcpy(stream->data + AT_BYTES, &bytes, sizeof(bytes));
    }
    return g_byte_array_append(stream, data + 1, size - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Fixture *f;
    g_autoptr(GByteArray) stream = NULL;

    if (!size) {
        return 0;
    }
    if (!f) {
        f = fixture_new(0);
        fake_engine_auto(true);
    }
    tessera_gpu_reset(f->gpu);
    stream = make_stream(f, data, size);
    if (tessera_gpu_load(f->gpu, stream->data, stream->len, NULL)) {
        g_byte_array_set_size(stream, 0);
        g_usleep(20);
        tessera_gpu_save(f->gpu, stream, NULL);
    }
    return 0;
}
