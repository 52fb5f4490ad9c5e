/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the HSA tests share: the GPU, its memory, kernels, and dispatching. */
#ifndef HSA_TEST_H
#define HSA_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

/* Ends the program with a line that names the call if it fails. */
#define HSA(call) hsa_check((call), #call)
void hsa_check(hsa_status_t status, const char *call);

typedef struct Gpu {
    hsa_agent_t agent, cpu;
    hsa_amd_memory_pool_t vram;     /* coarse-grained, of the GPU */
    hsa_amd_memory_pool_t shared;   /* fine-grained, of the CPU */
    hsa_amd_memory_pool_t kernargs;
    hsa_executable_t executable;
} Gpu;

typedef struct Kernel {
    uint64_t object;
    uint32_t kernarg_size, group_size, private_size;
} Kernel;

/* Initializes HSA and loads the code object in the file. */
void gpu_open(Gpu *gpu, const char *code_object);
void gpu_close(Gpu *gpu);
Kernel gpu_kernel(Gpu *gpu, const char *name);
hsa_queue_t *gpu_queue(Gpu *gpu);
/* Memory that both sides may access. */
void *gpu_alloc(Gpu *gpu, hsa_amd_memory_pool_t pool, size_t size);

/*
 * Puts a dispatch of @items in work-groups of 64 into the queue; @args are
 * copied.  The signal is counted down by one at its end.
 */
void gpu_dispatch(Gpu *gpu, hsa_queue_t *queue, Kernel kernel,
                  const void *args, size_t size, uint32_t items,
                  hsa_signal_t signal);
/* Waits until it is 0. */
void gpu_wait(hsa_signal_t signal);
hsa_signal_t gpu_signal(int64_t value);

/* One line a result; what main() returns. */
void report(const char *what, bool good);
int failures(void);

#endif
