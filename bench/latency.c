/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the device takes from a doorbell to the completion signal, over
 * plain memory and without QEMU: `build/bench/latency [RUNS [WORKERS]]`.
 *
 * Prints, for a kernel of one wave that only ends and for a barrier packet,
 * the median and the 10th and 90th percentile of the runs in microseconds, and
 * the speed of a copy packet; then the same for the first launch of kernels of
 * a thousand instructions, without the JIT and with it.  The first of the
 * launches that are large enough to be compiled has the compiler loaded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/gpu/gpu.h"
#include "tessera/abi.h"
#include "tools/host.h"

#define RING_PACKETS 64
#define WARM_UP 100
#define S_ENDPGM 0xbf810000u
#define COPY_BYTES (32u << 20)
#define COPIES 10
#define INSTRUCTIONS 1000 /* half of them take two dwords */
#define UNSEEN_MOST 200   /* kernels */
#define UNSEEN_WARM_UP 20 /* not so many that it would be compiled */

/* What the device and we share. */
typedef struct Shared {
    AqlDispatch ring[RING_PACKETS];
    AmdQueue queue;
    TesseraQueue descriptor;
    TesseraCommand command;
    AmdSignal signal;
    uint64_t fence;
    /* Code has a page of its own: one that changes is decoded anew. */
    AmdKernelDescriptor kernel __attribute__((aligned(4096)));
    uint32_t code[960] __attribute__((aligned(256)));
    AmdKernelDescriptor unseen __attribute__((aligned(4096)));
    uint32_t unseen_code[2 * INSTRUCTIONS] __attribute__((aligned(4096)));
    uint64_t end __attribute__((aligned(4096)));
} Shared;

typedef struct Bench {
    ToolHost *host;
    TesseraGpu *gpu;
    Shared *shared;
    uint64_t bus;
    uint64_t index;
} Bench;

#define BUS(bench, member) ((bench)->bus + offsetof(Shared, member))

static void fail(const char *what)
{
    fprintf(stderr, "latency: %s\n", what);
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void map_queue(Bench *b)
{
    Shared *s = b->shared;

    for (unsigned i = 0; i < RING_PACKETS; i++) {
        s->ring[i].header = AQL_TYPE_INVALID;
    }
    s->queue.read_dispatch_id_field_base_byte_offset =
        offsetof(AmdQueue, read_dispatch_id);
    s->descriptor = (TesseraQueue) {
        .size = sizeof(s->descriptor),
        .version = TESSERA_ABI_VERSION,
        .ring = BUS(b, ring),
        .ring_packets = RING_PACKETS,
        .read_index_addr = BUS(b, queue.read_dispatch_id),
        .write_index_addr = BUS(b, queue.write_dispatch_id),
    };
    s->command = (TesseraCommand) {
        .size = sizeof(s->command),
        .version = TESSERA_ABI_VERSION,
        .op = TESSERA_CMD_MAP,
        .descriptor = BUS(b, descriptor),
        .fence_addr = BUS(b, fence),
        .fence_value = 1,
    };
    tessera_gpu_reg_write(b->gpu, TESSERA_REG_CMD_ADDR, BUS(b, command), 8);
    while (!__atomic_load_n(&s->fence, __ATOMIC_ACQUIRE)) {
    }
    if (s->command.result != TESSERA_RESULT_OK) {
        fail("the queue cannot be mapped");
    }
}

static void start(Bench *b, unsigned workers, TesseraJit jit)
{
    GError *error = NULL;
    TesseraConfig config = {
        .isa = "gfx900",
        .vram_size = TESSERA_VRAM_MIN,
        .workers = workers,
        .jit = jit,
    };

    b->index = 0;
    b->host = tool_host_new(false);
    config.vram = tool_host_add_vram(b->host, config.vram_size, &error);
    b->shared = tool_host_add_ram(b->host, sizeof(Shared), &b->bus, &error);
    if (!config.vram || !b->shared) {
        fail(error->message);
    }
    b->gpu = tessera_gpu_new(&config, tool_host_ops(b->host), &error);
    if (!b->gpu) {
        fail(error->message);
    }
    b->shared->kernel.kernel_code_entry_byte_offset =
        offsetof(Shared, code) - offsetof(Shared, kernel);
    b->shared->code[0] = S_ENDPGM;
    b->shared->unseen = b->shared->kernel;
    b->shared->unseen.kernel_code_entry_byte_offset =
        offsetof(Shared, unseen_code) - offsetof(Shared, unseen);
    b->shared->unseen.compute_pgm_rsrc1 = 63; /* 256 VGPRs */
    map_queue(b);
}

static void stop(Bench *b)
{
    tessera_gpu_free(b->gpu);
    tool_host_free(b->host);
}

static AqlDispatch empty_kernel(Bench *b)
{
    return (AqlDispatch) {
        .header = AQL_TYPE_DISPATCH,
        .setup = 1,
        .group_x = 64, .group_y = 1, .group_z = 1,
        .grid_x = 64, .grid_y = 1, .grid_z = 1,
        .kernel_object = BUS(b, kernel),
        .completion_signal = BUS(b, signal),
    };
}

/*
 * Hand a packet over and wait for its signal; nanoseconds.  What takes long is
 * waited for asleep, to leave the CPU alone.
 */
static int64_t run(Bench *b, const void *packet, unsigned sleep_us)
{
    Shared *s = b->shared;
    AqlDispatch *slot = &s->ring[b->index % RING_PACKETS];
    uint32_t head;
    int64_t begin;

    s->signal.value = 1;
    memcpy(&head, packet, 4);
    memcpy((char *)slot + 4, (const char *)packet + 4, AQL_PACKET_SIZE - 4);
    __atomic_store_n((uint32_t *)slot, head, __ATOMIC_RELEASE);
    __atomic_store_n(&s->queue.write_dispatch_id, b->index + 1,
                     __ATOMIC_RELEASE);
    begin = now_ns();
    tessera_gpu_doorbell_write(b->gpu, 0, b->index++, 8);
    while (__atomic_load_n(&s->signal.value, __ATOMIC_ACQUIRE)) {
        if (sleep_us) {
            g_usleep(sleep_us);
        }
    }
    return now_ns() - begin;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

static void print_times(const char *name, int64_t *times, unsigned runs)
{
    qsort(times, runs, sizeof(*times), compare);
    printf("%s: median %.1f us, 10%% %.1f us, 90%% %.1f us\n", name,
           times[runs / 2] / 1e3, times[runs / 10] / 1e3,
           times[runs - 1 - runs / 10] / 1e3);
}

static void measure(Bench *b, const char *name, const void *packet,
                    unsigned runs)
{
    int64_t *times = g_new(int64_t, runs);

    for (unsigned i = 0; i < WARM_UP; i++) {
        run(b, packet, 0);
    }
    for (unsigned i = 0; i < runs; i++) {
        times[i] = run(b, packet, 0);
    }
    print_times(name, times, runs);
    g_free(times);
}

/* v_add_u32 and v_fma_f32 of registers below v32, other ones each time. */
static void write_unseen(Bench *b, uint32_t *random)
{
    uint32_t *to = b->shared->unseen_code;

    for (unsigned i = 1; i < INSTRUCTIONS; i++) {
        uint32_t r = *random = *random * 1664525 + 1013904223;
        uint32_t dst = r >> 8 & 31, x = r >> 13 & 31, y = r >> 18 & 31;

        if (i % 2) {
            *to++ = 0x68000000u | dst << 17 | y << 9 | (256 + x);
        } else {
            *to++ = 0xd1cb0000u | dst;
            *to++ = (256 + x) | (256 + y) << 9 | (256 + dst) << 18;
        }
    }
    *to = S_ENDPGM;
}

/* Launches of @waves waves each, all of them of code that is new. */
static void measure_unseen(Bench *b, unsigned workers, TesseraJit jit,
                           unsigned waves, unsigned runs)
{
    g_autofree char *name = g_strdup_printf(
        "%u new instructions, %u wave%s, JIT %s", INSTRUCTIONS, waves,
        waves > 1 ? "s" : "", jit ? "on" : "off");
    g_autofree int64_t *times = g_new(int64_t, runs);
    uint32_t random = 1;
    AqlDispatch kernel;

    start(b, workers, jit);
    kernel = empty_kernel(b);
    for (unsigned i = 0; i < UNSEEN_WARM_UP; i++) {
        run(b, &kernel, 0);
    }
    kernel.kernel_object = BUS(b, unseen);
    kernel.grid_x = 64 * waves;
    for (unsigned i = 0; i < runs; i++) {
        write_unseen(b, &random);
        times[i] = run(b, &kernel, waves > 1 ? 50 : 0);
    }
    printf("the first of them: %.1f us\n", times[0] / 1e3);
    print_times(name, times, runs);
    stop(b);
}

static void measure_copy(Bench *b, const AqlCopy *copy)
{
    int64_t ns = 0;

    run(b, copy, 100); /* touches the pages */
    for (unsigned i = 0; i < COPIES; i++) {
        ns += run(b, copy, 100);
    }
    printf("copy of VRAM: %.2f GB/s\n", (double)COPY_BYTES * COPIES / ns);
}

/* Unless it is named, the compiler lies in the folder above this program's. */
static void name_compiler(const char *program)
{
    g_autofree char *folder = g_path_get_dirname(program);
    g_autofree char *path = g_build_filename(folder, "..", "tessera-jit.so",
                                             NULL);

    g_setenv("TESSERA_JIT_OBJECT", path, false);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 2000;
    int workers = argc > 2 ? atoi(argv[2]) : 0;
    Bench b = { 0 };
    AqlDispatch kernel;
    AqlBarrier barrier = { .header = AQL_TYPE_BARRIER_AND };
    AqlCopy copy = {
        .header = AQL_TYPE_VENDOR,
        .format = AQL_VENDOR_COPY,
        .version = AQL_COPY_VERSION,
        .source = TESSERA_VRAM_WINDOW,
        .target = TESSERA_VRAM_WINDOW + COPY_BYTES,
        .size = COPY_BYTES,
    };

    if (argc > 3 || runs < 10 || workers < 0) {
        fprintf(stderr, "usage: latency [RUNS (10 or more) [WORKERS]]\n");
        return 2;
    }
    g_unsetenv("TESSERA_JIT"); /* this measures both */
    name_compiler(argv[0]);
    start(&b, workers, TESSERA_JIT_OFF);
    kernel = empty_kernel(&b);
    barrier.completion_signal = copy.completion_signal =
        kernel.completion_signal;
    measure(&b, "empty kernel", &kernel, runs);
    measure(&b, "barrier packet", &barrier, runs);
    measure_copy(&b, &copy);
    stop(&b);
    for (unsigned waves = 1; waves <= 1000; waves *= 1000) {
        measure_unseen(&b, workers, TESSERA_JIT_OFF, waves,
                       MIN(runs, UNSEEN_MOST));
        measure_unseen(&b, workers, TESSERA_JIT_ON, waves,
                       MIN(runs, UNSEEN_MOST));
    }
    return 0;
}
