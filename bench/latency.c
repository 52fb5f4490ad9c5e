/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the device takes from a doorbell to the completion signal, over
 * plain memory and without QEMU: `build/bench/latency [RUNS [WORKERS]]`.
 *
 * Prints, for a kernel of one wave that only ends and for a barrier packet,
 * the median and the 10th and 90th percentile of the runs in microseconds, and
 * the speed of a copy packet.
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

static void start(Bench *b, unsigned workers)
{
    GError *error = NULL;
    TesseraConfig config = {
        .isa = "gfx900",
        .vram_size = TESSERA_VRAM_MIN,
        .workers = workers,
    };

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
    map_queue(b);
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
    qsort(times, runs, sizeof(*times), compare);
    printf("%s: median %.1f us, 10%% %.1f us, 90%% %.1f us\n", name,
           times[runs / 2] / 1e3, times[runs / 10] / 1e3,
           times[runs - 1 - runs / 10] / 1e3);
    g_free(times);
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
    start(&b, workers);
    kernel = empty_kernel(&b);
    barrier.completion_signal = copy.completion_signal =
        kernel.completion_signal;
    measure(&b, "empty kernel", &kernel, runs);
    measure(&b, "barrier packet", &barrier, runs);
    measure_copy(&b, &copy);
    tessera_gpu_free(b.gpu);
    tool_host_free(b.host);
    return 0;
}
