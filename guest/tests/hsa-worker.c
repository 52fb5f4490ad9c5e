/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One process of several: works and checks its results, spins for ever, or
 * stores where it must not.
 *
 * usage: hsa-worker CODE-OBJECT work ROUNDS | spin | fault ADDRESS | fork |
 *                               unmap | trap
 *
 * With 0 ROUNDS it works until SIGTERM.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "hsa-test.h"

#define COUNT 4096u

typedef struct AddArgs {
    uint32_t *a, *b, *sum;
} AddArgs;

static volatile sig_atomic_t enough;

static void on_term(int number)
{
    (void)number;
    enough = 1;
}

/* False if one of the rounds had a wrong sum. */
static bool work(Gpu *gpu, unsigned rounds)
{
    hsa_queue_t *queue = gpu_queue(gpu);
    hsa_signal_t signal = gpu_signal(1);
    Kernel add = gpu_kernel(gpu, "add");
    AddArgs args = {
        gpu_alloc(gpu, gpu->shared, COUNT * 4),
        gpu_alloc(gpu, gpu->vram, COUNT * 4),
        gpu_alloc(gpu, gpu->shared, COUNT * 4),
    };
    uint32_t wrong = 0;

    for (unsigned round = 0; rounds ? round < rounds : !enough; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            args.a[i] = i * round;
            args.b[i] = i ^ round;
        }
        hsa_signal_store_relaxed(signal, 1);
        gpu_dispatch(gpu, queue, add, &args, sizeof(args), COUNT, signal);
        gpu_wait(signal);
        for (uint32_t i = 0; i < COUNT; i++) {
            wrong += args.sum[i] != i * round + (i ^ round);
        }
        if (round == 0) {
            printf("working\n");
            fflush(stdout);
        }
    }
    HSA(hsa_queue_destroy(queue));
    return wrong == 0;
}

/* Tells on standard output when the kernel runs, and never ends. */
static void spin(Gpu *gpu)
{
    uint32_t *words = gpu_alloc(gpu, gpu->shared, 4096);
    struct { uint32_t *stop, *started; } args = { words, words + 1 };

    memset(words, 0, 4096);
    gpu_dispatch(gpu, gpu_queue(gpu), gpu_kernel(gpu, "spin"), &args,
                 sizeof(args), 640, gpu_signal(1));
    while (!__atomic_load_n(args.started, __ATOMIC_RELAXED)) {
        usleep(1000);
    }
    printf("spinning\n");
    fflush(stdout);
    pause();
}

static void fault(Gpu *gpu, uint64_t address)
{
    struct { uint64_t at; uint32_t value; } args = { address, 1 };
    hsa_signal_t signal = gpu_signal(1);

    gpu_dispatch(gpu, gpu_queue(gpu), gpu_kernel(gpu, "store_to"), &args,
                 sizeof(args), 64, signal);
    gpu_wait(signal);
    printf("FAIL the store to %#llx went through\n",
           (unsigned long long)address);
}

/*
 * Gives memory back to the system without a word to HSA, while a kernel stores
 * to it: the kernel must be found out, and hit nobody else's memory.
 */
static void unmap(Gpu *gpu)
{
    const size_t size = 1 << 20;
    uint32_t *words = gpu_alloc(gpu, gpu->shared, 4096);
    uint32_t *host = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct { uint32_t *at, *started; } args = { NULL, words };

    *words = 0;
    memset(host, 0, size);
    HSA(hsa_amd_memory_lock(host, size, &gpu->agent, 1, (void **)&args.at));
    gpu_dispatch(gpu, gpu_queue(gpu), gpu_kernel(gpu, "store_on"), &args,
                 sizeof(args), 64, gpu_signal(1));
    while (!__atomic_load_n(words, __ATOMIC_RELAXED)) {
        usleep(1000);
    }
    printf("unmapping %p\n", (void *)args.at);
    fflush(stdout);
    munmap(host, size);
    pause();
}

static void on_queue_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
    const char *text = "?";

    (void)queue;
    (void)data;
    hsa_status_string(status, &text);
    printf("the queue has stopped: %#x %s\n", status, text);
    fflush(stdout);
    _exit(0);
}

/* A kernel of assert(): HSA calls back with an error of the queue. */
static void trap(Gpu *gpu)
{
    struct { uint64_t unused; } args = { 0 };
    hsa_queue_t *queue;

    HSA(hsa_queue_create(gpu->agent, 64, HSA_QUEUE_TYPE_MULTI, on_queue_error,
                         NULL, UINT32_MAX, UINT32_MAX, &queue));
    gpu_dispatch(gpu, queue, gpu_kernel(gpu, "trap"), &args, sizeof(args), 64,
                 gpu_signal(1));
    pause();
}

/* A child that does not use the GPU leaves the parent's work alone. */
static bool forks(Gpu *gpu)
{
    int status = -1;
    bool good = work(gpu, 2);
    pid_t child = fork();

    if (child == 0) {
        char *memory = malloc(1 << 20);

        memset(memory, 1, 1 << 20);
        _exit(0);
    }
    good = work(gpu, 5) && good;
    return waitpid(child, &status, 0) == child && status == 0 &&
           work(gpu, 2) && good;
}

/* A child that starts HSA by itself, while the parent has not. */
static int child_of_its_own(const char *code_object)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        Gpu gpu;

        gpu_open(&gpu, code_object);
        exit(work(&gpu, 3) ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    const char *what = argc >= 3 ? argv[2] : "";
    bool forking = strcmp(what, "fork") == 0;
    bool counted = strcmp(what, "work") == 0 || strcmp(what, "fault") == 0;
    Gpu gpu;

    if (argc < (counted ? 4 : 3)) {
        fprintf(stderr, "usage: hsa-worker CODE-OBJECT work ROUNDS | spin | "
                "fault ADDRESS | fork | unmap | trap\n");
        return 2;
    }
    if (forking) {
        report("HSA in a child of fork()", child_of_its_own(argv[1]));
    }
    signal(SIGTERM, on_term);
    gpu_open(&gpu, argv[1]);
    if (forking) {
        report("HSA in a parent of fork()", forks(&gpu));
    } else if (strcmp(what, "work") == 0) {
        report("HSA work", work(&gpu, atoi(argv[3])));
    } else if (strcmp(what, "spin") == 0) {
        spin(&gpu);
    } else if (strcmp(what, "unmap") == 0) {
        unmap(&gpu);
    } else if (strcmp(what, "trap") == 0) {
        trap(&gpu);
    } else {
        fault(&gpu, strtoull(argv[3], NULL, 0));
        return 1;
    }
    return failures();
}
