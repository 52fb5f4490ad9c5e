/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer over saved states: whatever is loaded, and then let run, must do no
 * harm.  The first byte says what the others are: a stream; what follows the
 * header and the identity, which no fuzzer guesses; or changes to a stream of
 * a device that is in use.
 */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

#define PREFIX (20 + 6 * 8) /* up to the registers, see hw/gpu/state.c */
#define AT_BYTES 12

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Fixture *f;
static GByteArray *good; /* stream of a device that is in use */

/* Mapped, waiting, stopped queues; commands and events on their way. */
static void use_device(void)
{
    Ring barrier = ring_map(f, 9, 16), stopped = ring_map(f, 4, 16);
    uint64_t dep = signal_new(f, 1);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, 0, &dep, 1);
    const AqlDispatch bad = { .header = AQL_TYPE_AGENT };

    ring_map(f, 0, 64);
    ring_push(f, &barrier, &packet);
    ring_push(f, &stopped, &bad);
    ring_wait_error(f, &stopped);
    let_it_settle();
    tessera_gpu_pause(f->gpu);
    submit_command(f, TESSERA_CMD_UNMAP, 0, 0);
    set32(f, TESSERA_REG_TEST_IRQ, 77);
}

static void make_device(void)
{
    f = fixture_new(0);
    fake_engine_auto(true);
    use_device();
    good = g_byte_array_new();
    tessera_gpu_save(f->gpu, good, NULL);
}

static void set_length(GByteArray *stream)
{
    uint32_t bytes = stream->len;

    memcpy(stream->data + AT_BYTES, &bytes, sizeof(bytes));
}

static GByteArray *make_stream(const uint8_t *data, size_t size)
{
    unsigned kind = data[0] % 3;
    GByteArray *stream = g_byte_array_new();

    if (kind == 0) {
        return g_byte_array_append(stream, data + 1, size - 1);
    }
    g_byte_array_append(stream, good->data, kind == 1 ? PREFIX : good->len);
    if (kind == 1) {
        g_byte_array_append(stream, data + 1, size - 1);
        set_length(stream);
        return stream;
    }
    for (size_t i = 1; i + 3 <= size; i += 3) { /* offset, value */
        stream->data[(data[i] | data[i + 1] << 8) % stream->len] = data[i + 2];
    }
    return stream;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    GByteArray *stream;

    if (!size) {
        return 0;
    }
    if (!f) {
        make_device();
    }
    stream = make_stream(data, size);
    if (tessera_gpu_load(f->gpu, stream->data, stream->len, NULL)) {
        tessera_gpu_resume(f->gpu);
        g_usleep(20);
        tessera_gpu_pause(f->gpu);
        g_byte_array_set_size(stream, 0);
        tessera_gpu_save(f->gpu, stream, NULL);
    }
    g_byte_array_unref(stream);
    return 0;
}
