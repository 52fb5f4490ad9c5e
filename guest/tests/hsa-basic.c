/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HSA runtime on the GPU: dispatch, scratch, atomics with the CPU, copies,
 * fills, barriers, time stamps, memory that is locked and unlocked.
 *
 * usage: hsa-basic CODE-OBJECT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "hsa-test.h"

#define COUNT 4096u

static Gpu gpu;
static hsa_queue_t *queue;

static void fill_pattern(uint32_t *at, uint32_t factor)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        at[i] = i * factor + 7;
    }
}

static bool is_sum(const uint32_t *sum)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        if (sum[i] != i * 3 + 7 + i * 5 + 7) {
            return false;
        }
    }
    return true;
}

typedef struct AddArgs {
    const uint32_t *a, *b;
    uint32_t *sum;
} AddArgs;

static void run(const char *kernel, const void *args, size_t size,
                uint32_t items)
{
    hsa_signal_t signal = gpu_signal(1);

    gpu_dispatch(&gpu, queue, gpu_kernel(&gpu, kernel), args, size, items,
                 signal);
    gpu_wait(signal);
    HSA(hsa_signal_destroy(signal));
}

static bool test_dispatch(hsa_amd_memory_pool_t pool)
{
    uint32_t *a = gpu_alloc(&gpu, pool, COUNT * 4);
    uint32_t *b = gpu_alloc(&gpu, pool, COUNT * 4);
    uint32_t *sum = gpu_alloc(&gpu, pool, COUNT * 4);
    bool good;

    fill_pattern(a, 3);
    fill_pattern(b, 5);
    memset(sum, 0, COUNT * 4);
    run("add", &(AddArgs){ a, b, sum }, sizeof(AddArgs), COUNT);
    good = is_sum(sum);
    HSA(hsa_amd_memory_pool_free(a));
    HSA(hsa_amd_memory_pool_free(b));
    HSA(hsa_amd_memory_pool_free(sum));
    return good;
}

/* Dispatches on memory of malloc(), which the runtime pins. */
static bool test_locked(void)
{
    uint32_t *host = malloc(3 * COUNT * 4), *seen;
    bool good;

    fill_pattern(host, 3);
    fill_pattern(host + COUNT, 5);
    HSA(hsa_amd_memory_lock(host, 3 * COUNT * 4, &gpu.agent, 1,
                            (void **)&seen));
    run("add", &(AddArgs){ seen, seen + COUNT, seen + 2 * COUNT },
        sizeof(AddArgs), COUNT);
    HSA(hsa_amd_memory_unlock(host));
    good = is_sum(host + 2 * COUNT);
    free(host);
    return good;
}

/*
 * Locked memory whose pages the kernel replaces: what the GPU stores afterwards
 * must be in the new ones, also if its queue has stood still meanwhile.
 */
static bool test_replaced(void)
{
    const size_t size = 3 * COUNT * 4;
    uint32_t *host = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t *seen;
    bool good = true;

    memset(host, 0, size);
    HSA(hsa_amd_memory_lock(host, size, &gpu.agent, 1, (void **)&seen));
    for (unsigned round = 0; round < 20; round++) {
        good &= madvise(host, size, MADV_DONTNEED) == 0 && host[COUNT] == 0;
        fill_pattern(host, 3);
        fill_pattern(host + COUNT, 5);
        run("add", &(AddArgs){ seen, seen + COUNT, seen + 2 * COUNT },
            sizeof(AddArgs), COUNT);
        good &= is_sum(host + 2 * COUNT);
    }
    HSA(hsa_amd_memory_unlock(host));
    munmap(host, size);
    return good;
}

static bool test_scratch(void)
{
    uint32_t *order = gpu_alloc(&gpu, gpu.shared, 256 * 4);
    uint32_t *out = gpu_alloc(&gpu, gpu.shared, COUNT * 4);
    struct { uint32_t *order, *out; } args = { order, out };
    uint32_t wrong = 0;

    for (uint32_t k = 0; k < 256; k++) {
        order[k] = k * 101;
    }
    run("scratch", &args, sizeof(args), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        wrong += out[i] != (i & 255) * 3 + i;
    }
    return wrong == 0;
}

static bool test_atomics(void)
{
    const uint32_t items = 512, rounds = 200, mine = 50000;
    uint32_t *counter = gpu_alloc(&gpu, gpu.shared, 4096);
    struct { uint32_t *counter, rounds; } args = { counter, rounds };
    hsa_signal_t signal = gpu_signal(1);

    *counter = 0;
    gpu_dispatch(&gpu, queue, gpu_kernel(&gpu, "count"), &args, sizeof(args),
                 items, signal);
    for (uint32_t i = 0; i < mine; i++) {
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    }
    gpu_wait(signal);
    HSA(hsa_signal_destroy(signal));
    return *counter == items * rounds + mine;
}

static bool test_copy_and_fill(void)
{
    uint32_t *vram = gpu_alloc(&gpu, gpu.vram, COUNT * 4);
    uint32_t *host = gpu_alloc(&gpu, gpu.shared, COUNT * 4);
    uint32_t *back = gpu_alloc(&gpu, gpu.shared, COUNT * 4);
    hsa_signal_t signal = gpu_signal(1);
    uint32_t wrong = 0;

    fill_pattern(host, 9);
    HSA(hsa_amd_memory_async_copy(vram, gpu.agent, host, gpu.cpu, COUNT * 4,
                                  0, NULL, signal));
    gpu_wait(signal);
    hsa_signal_store_relaxed(signal, 1);
    HSA(hsa_amd_memory_async_copy(back, gpu.cpu, vram, gpu.agent, COUNT * 4,
                                  0, NULL, signal));
    gpu_wait(signal);
    HSA(hsa_signal_destroy(signal));
    wrong += memcmp(host, back, COUNT * 4) != 0;
    HSA(hsa_amd_memory_fill(vram, 0xdeadbeef, COUNT));
    for (uint32_t i = 0; i < COUNT; i++) {
        wrong += vram[i] != 0xdeadbeef;
    }
    return wrong == 0;
}

/* A barrier holds the dispatch back until the CPU lets it go. */
static bool test_barrier(void)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_barrier_and_packet_t *packet =
        (hsa_barrier_and_packet_t *)queue->base_address + index % queue->size;
    hsa_signal_t gate = gpu_signal(1), done = gpu_signal(1);
    uint32_t *counter = gpu_alloc(&gpu, gpu.shared, 4096);
    struct { uint32_t *counter, rounds; } args = { counter, 1 };
    bool held;

    *counter = 0;
    packet->dep_signal[0] = gate;
    __atomic_store_n(&packet->header,
                     HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE |
                     1 << HSA_PACKET_HEADER_BARRIER, __ATOMIC_RELEASE);
    gpu_dispatch(&gpu, queue, gpu_kernel(&gpu, "count"), &args, sizeof(args),
                 64, done);
    held = __atomic_load_n(counter, __ATOMIC_RELAXED) == 0 &&
           hsa_signal_load_scacquire(done) == 1;
    hsa_signal_store_screlease(gate, 0);
    gpu_wait(done);
    HSA(hsa_signal_destroy(gate));
    HSA(hsa_signal_destroy(done));
    return held && *counter == 64;
}

static bool test_times(void)
{
    hsa_signal_t signal = gpu_signal(1);
    uint32_t *counter = gpu_alloc(&gpu, gpu.shared, 4096);
    struct { uint32_t *counter, rounds; } args = { counter, 100 };
    hsa_amd_profiling_dispatch_time_t time;
    uint64_t before, after;

    HSA(hsa_amd_profiling_set_profiler_enabled(queue, 1));
    HSA(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before));
    gpu_dispatch(&gpu, queue, gpu_kernel(&gpu, "count"), &args, sizeof(args),
                 64, signal);
    gpu_wait(signal);
    HSA(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after));
    HSA(hsa_amd_profiling_get_dispatch_time(gpu.agent, signal, &time));
    HSA(hsa_signal_destroy(signal));
    return time.start < time.end && time.end - time.start <= after - before;
}

/* More packets than the ring holds. */
static bool test_ring(void)
{
    hsa_signal_t signal = gpu_signal(200);
    uint32_t *counter = gpu_alloc(&gpu, gpu.shared, 4096);
    struct { uint32_t *counter, rounds; } args = { counter, 1 };
    Kernel kernel = gpu_kernel(&gpu, "count");

    *counter = 0;
    for (unsigned i = 0; i < 200; i++) {
        while (hsa_queue_load_write_index_relaxed(queue) -
               hsa_queue_load_read_index_scacquire(queue) >= queue->size) {
        }
        gpu_dispatch(&gpu, queue, kernel, &args, sizeof(args), 64, signal);
    }
    gpu_wait(signal);
    HSA(hsa_signal_destroy(signal));
    return *counter == 200 * 64;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: hsa-basic CODE-OBJECT\n");
        return 2;
    }
    gpu_open(&gpu, argv[1]);
    queue = gpu_queue(&gpu);
    report("HSA dispatch on VRAM", test_dispatch(gpu.vram));
    report("HSA dispatch on host memory", test_dispatch(gpu.shared));
    report("HSA dispatch on locked memory", test_locked());
    report("HSA on locked memory whose pages are replaced", test_replaced());
    report("HSA scratch memory", test_scratch());
    report("HSA atomics of CPU and GPU", test_atomics());
    report("HSA copies and fill", test_copy_and_fill());
    report("HSA barrier packet", test_barrier());
    report("HSA time stamps", test_times());
    report("HSA more packets than the ring holds", test_ring());
    HSA(hsa_queue_destroy(queue));
    gpu_close(&gpu);
    return failures();
}
