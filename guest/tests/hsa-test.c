/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See hsa-test.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include "hsa-test.h"

static int failed;

void report(const char *what, bool good)
{
    printf("%s %s\n", good ? "PASS" : "FAIL", what);
    fflush(stdout);
    failed += !good;
}

int failures(void)
{
    return failed ? 1 : 0;
}

void hsa_check(hsa_status_t status, const char *call)
{
    const char *text = "?";

    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) {
        return;
    }
    hsa_status_string(status, &text);
    printf("FAIL %s: %s\n", call, text);
    exit(1);
}

static hsa_status_t look_at_agent(hsa_agent_t agent, void *data)
{
    hsa_device_type_t type;
    Gpu *gpu = data;

    HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_GPU) {
        gpu->agent = agent;
    } else if (type == HSA_DEVICE_TYPE_CPU) {
        gpu->cpu = agent;
    }
    return HSA_STATUS_SUCCESS;
}

static bool pool_flags(hsa_amd_memory_pool_t pool, uint32_t *flags)
{
    hsa_amd_segment_t segment;

    HSA(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
                                     &segment));
    if (segment != HSA_AMD_SEGMENT_GLOBAL) {
        return false;
    }
    HSA(hsa_amd_memory_pool_get_info(
        pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, flags));
    return true;
}

static hsa_status_t look_at_gpu_pool(hsa_amd_memory_pool_t pool, void *data)
{
    uint32_t flags;

    if (pool_flags(pool, &flags) &&
        flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) {
        ((Gpu *)data)->vram = pool;
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t look_at_cpu_pool(hsa_amd_memory_pool_t pool, void *data)
{
    uint32_t flags;
    Gpu *gpu = data;

    if (!pool_flags(pool, &flags) ||
        !(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)) {
        return HSA_STATUS_SUCCESS;
    }
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) {
        gpu->kernargs = pool;
    } else {
        gpu->shared = pool;
    }
    return HSA_STATUS_SUCCESS;
}

static void load(Gpu *gpu, const char *path)
{
    hsa_code_object_reader_t reader;
    int fd = open(path, O_RDONLY);

    if (fd < 0) {
        printf("FAIL cannot open %s\n", path);
        exit(1);
    }
    HSA(hsa_code_object_reader_create_from_file(fd, &reader));
    HSA(hsa_executable_create_alt(HSA_PROFILE_BASE,
                                  HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL,
                                  &gpu->executable));
    HSA(hsa_executable_load_agent_code_object(gpu->executable, gpu->agent,
                                              reader, NULL, NULL));
    HSA(hsa_executable_freeze(gpu->executable, NULL));
    HSA(hsa_code_object_reader_destroy(reader));
}

void gpu_open(Gpu *gpu, const char *code_object)
{
    memset(gpu, 0, sizeof(*gpu));
    HSA(hsa_init());
    HSA(hsa_iterate_agents(look_at_agent, gpu));
    if (!gpu->agent.handle) {
        printf("FAIL there is no GPU agent\n");
        exit(1);
    }
    HSA(hsa_amd_agent_iterate_memory_pools(gpu->agent, look_at_gpu_pool, gpu));
    HSA(hsa_amd_agent_iterate_memory_pools(gpu->cpu, look_at_cpu_pool, gpu));
    load(gpu, code_object);
}

void gpu_close(Gpu *gpu)
{
    HSA(hsa_executable_destroy(gpu->executable));
    HSA(hsa_shut_down());
}

Kernel gpu_kernel(Gpu *gpu, const char *name)
{
    hsa_executable_symbol_t symbol;
    char descriptor[80];
    Kernel k;

    snprintf(descriptor, sizeof(descriptor), "%s.kd", name);
    HSA(hsa_executable_get_symbol_by_name(gpu->executable, descriptor,
                                          &gpu->agent, &symbol));
    HSA(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &k.object));
    HSA(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE,
        &k.kernarg_size));
    HSA(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
        &k.group_size));
    HSA(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
        &k.private_size));
    return k;
}

hsa_queue_t *gpu_queue(Gpu *gpu)
{
    hsa_queue_t *queue;

    HSA(hsa_queue_create(gpu->agent, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL,
                         UINT32_MAX, UINT32_MAX, &queue));
    return queue;
}

void *gpu_alloc(Gpu *gpu, hsa_amd_memory_pool_t pool, size_t size)
{
    const hsa_agent_t agents[] = { gpu->agent, gpu->cpu };
    void *at;

    HSA(hsa_amd_memory_pool_allocate(pool, size, 0, &at));
    HSA(hsa_amd_agents_allow_access(2, agents, NULL, at));
    return at;
}

void gpu_dispatch(Gpu *gpu, hsa_queue_t *queue, Kernel kernel,
                  const void *args, size_t size, uint32_t items,
                  hsa_signal_t signal)
{
    uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
    hsa_kernel_dispatch_packet_t *packet =
        (hsa_kernel_dispatch_packet_t *)queue->base_address +
        index % queue->size;
    const uint16_t header =
        HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
        1 << HSA_PACKET_HEADER_BARRIER |
        HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
        HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    void *kernarg = gpu_alloc(gpu, gpu->kernargs, kernel.kernarg_size + 64);

    memset(kernarg, 0, kernel.kernarg_size);
    memcpy(kernarg, args, size);
    packet->setup = 1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
    packet->workgroup_size_x = 64;
    packet->workgroup_size_y = 1;
    packet->workgroup_size_z = 1;
    packet->reserved0 = 0; /* the slot may have held another kind */
    packet->reserved2 = 0;
    packet->grid_size_x = items;
    packet->grid_size_y = 1;
    packet->grid_size_z = 1;
    packet->private_segment_size = kernel.private_size;
    packet->group_segment_size = kernel.group_size;
    packet->kernel_object = kernel.object;
    packet->kernarg_address = kernarg;
    packet->completion_signal = signal;
    __atomic_store_n(&packet->header, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, index);
}

void gpu_wait(hsa_signal_t signal)
{
    while (hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1,
                                     UINT64_MAX, HSA_WAIT_STATE_BLOCKED)) {
    }
}

hsa_signal_t gpu_signal(int64_t value)
{
    hsa_signal_t signal;

    HSA(hsa_signal_create(value, 0, NULL, &signal));
    return signal;
}
