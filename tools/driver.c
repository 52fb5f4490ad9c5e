/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user-space driver of the device over the plain-memory host. */
#include <inttypes.h>
#include <string.h>
#include "tessera/abi.h"
#include "tools/driver.h"
#include "tools/files.h"
#include "tools/host.h"
#include "tools/kernarg.h"
#include "tools/pages.h"

#define DRIVER_PAGE 4096ull
#define DRIVER_SLOT 0
#define DRIVER_DOORBELL 0
#define DRIVER_VMID 1 /* behind page tables; without, 0 */
#define DRIVER_RIGHTS (TESSERA_PT_VALID | TESSERA_PT_READ | TESSERA_PT_WRITE)
#define DRIVER_RING_PACKETS 16u
#define DRIVER_IH_LOG2 8
#define DRIVER_IH_ENTRIES (1u << DRIVER_IH_LOG2)
#define DRIVER_INACTIVE_EVENT 1 /* others are the dispatches' */
#define DRIVER_COMMAND_TIMEOUT_US 5000000

/* Apertures as the device has them after reset: VM_SH_MEM_BASES. */
#define DRIVER_SHARED_BASE_HI 0x00010000u
#define DRIVER_PRIVATE_BASE_HI 0x00020000u

/* What a kernel with a stack of unknown depth gets on top (bytes a lane). */
#define DRIVER_DYNAMIC_STACK (16u << 10)
#define DRIVER_LANES 64u
#define DRIVER_WAVES_PER_CU 40u
#define DRIVER_SCRATCH_MAX (4ull << 30)
#define DRIVER_SCRATCH_WAVES_MIN 32u
#define DRIVER_SCRATCH_GRANULE 1024u /* bytes a wave, TMPRING_SIZE.WAVESIZE */
/* Word 3 of the scratch V# of GFX9, as ROCm's runtime builds it. */
#define DRIVER_SCRATCH_WORD3 0x00ea4facu

/* What the device and the driver share in "guest RAM". */
typedef struct DriverShared {
    union {
        uint16_t header;
        AqlDispatch dispatch;
        AqlBlocks blocks;
    } ring[DRIVER_RING_PACKETS];
    AmdQueue queue;
    TesseraQueue descriptor;
    TesseraCommand command;
    AmdSignal completion;
    AmdSignal inactive;
    TesseraBlockGprs gprs;
    TesseraBlockResult result;
    uint64_t mailbox[2]; /* completion, inactive */
    uint64_t fence;
    uint32_t ih_wptr;
    TesseraIhEntry ih[DRIVER_IH_ENTRIES] __attribute__((aligned(64)));
    uint8_t kernarg[CODEOBJ_KERNARG_MAX] __attribute__((aligned(4096)));
} DriverShared;

struct Driver {
    ToolHost *host;
    TesseraGpu *gpu;
    uint8_t *vram;
    uint64_t vram_size, vram_used;
    ToolPages *pages; /* NULL: none */
    unsigned vmid;
    DriverShared *shared;
    uint64_t shared_bus;
    uint64_t scratch_bytes, scratch_bus;

    /* What the interrupt ring has told so far. */
    uint32_t ih_rptr;
    uint64_t irqs_seen;
    bool signalled, queue_error, command_done;
    uint64_t commands;
    uint32_t event_id; /* of the latest dispatch's signal */
};

/* Bus address of a member of DriverShared. */
#define DRIVER_BUS(driver, member)                                             \
    ((driver)->shared_bus + offsetof(DriverShared, member))

/* ---- words ---- */

typedef struct DriverWord {
    uint32_t value;
    const char *name, *text;
} DriverWord;

static const DriverWord driver_causes[] = {
#define DRIVER_CAUSE(n, v, doc) { v, #n, doc },
    TESSERA_FAULTS(DRIVER_CAUSE)
};

static const DriverWord driver_queue_errors[] = {
#define DRIVER_QUEUE_ERROR(n, v, doc) { v, #n, doc },
    TESSERA_QUEUE_ERRORS(DRIVER_QUEUE_ERROR)
};

static const DriverWord driver_results[] = {
#define DRIVER_RESULT(n, v, doc) { v, #n, doc },
    TESSERA_RESULTS(DRIVER_RESULT)
};

static const char *driver_word_text(const DriverWord *words, unsigned n,
                                    uint32_t value)
{
    for (unsigned i = 0; i < n; i++) {
        if (words[i].value == value) {
            return words[i].text;
        }
    }
    return "unknown";
}

const char *driver_fault_text(TesseraFaultCause cause)
{
    return driver_word_text(driver_causes, G_N_ELEMENTS(driver_causes),
                            cause);
}

char *driver_queue_error_text(uint32_t bits)
{
    GString *text = g_string_new("");

    for (unsigned i = 0; i < G_N_ELEMENTS(driver_queue_errors); i++) {
        if (bits & driver_queue_errors[i].value) {
            g_string_append_printf(text, "%s%s", text->len ? ", " : "",
                                   driver_queue_errors[i].text);
        }
    }
    if (text->len == 0) {
        g_string_append_printf(text, "error bits 0x%x", bits);
    }
    return g_string_free(text, FALSE);
}

/* ---- registers ---- */

static void driver_write(Driver *driver, uint32_t reg, uint64_t value,
                         unsigned size)
{
    tessera_gpu_reg_write(driver->gpu, reg, value, size);
}

/* ---- memory ---- */

/* The smallest VRAM that holds @bytes. */
static bool driver_pick_vram(uint64_t bytes, uint64_t *size, GError **error)
{
    *size = TESSERA_VRAM_MIN;
    while (*size < bytes && *size < TESSERA_VRAM_MAX) {
        *size *= 2;
    }
    if (*size < bytes) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%" PRIu64 " bytes of VRAM are "
                    "needed, a device has at most %" PRIu64, bytes,
                    (uint64_t)TESSERA_VRAM_MAX);
        return false;
    }
    return true;
}

/* A block of "guest RAM" that the queue's address space has, too. */
static void *driver_add_ram(Driver *driver, uint64_t size, uint64_t *bus,
                            GError **error)
{
    void *p = tool_host_add_ram(driver->host, size, bus, error);

    if (p && driver->pages &&
        !tool_pages_map(driver->pages, *bus, size,
                        *bus | DRIVER_RIGHTS | TESSERA_PT_SYSTEM, error)) {
        return NULL;
    }
    return p;
}

/* All of VRAM, where VMID 0 sees it. */
static bool driver_map_vram(Driver *driver, GError **error)
{
    return !driver->pages ||
           tool_pages_map(driver->pages, TESSERA_VRAM_WINDOW,
                          driver->vram_size,
                          DRIVER_RIGHTS | TESSERA_PT_EXECUTE, error);
}

static void *driver_alloc_vram(Driver *driver, uint64_t size,
                               uint64_t *address, GError **error)
{
    uint64_t at = driver->vram_used;

    if (size > driver->vram_size - at) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%" PRIu64 " more bytes of "
                    "VRAM are needed, %" PRIu64 " of %" PRIu64 " are free",
                    size, driver->vram_size - at, driver->vram_size);
        return NULL;
    }
    driver->vram_used = MIN((at + size + DRIVER_PAGE - 1) &
                            ~(DRIVER_PAGE - 1), driver->vram_size);
    *address = TESSERA_VRAM_WINDOW + at;
    return driver->vram + at;
}

void *driver_alloc(Driver *driver, DriverPlace place, uint64_t size,
                   uint64_t *address, GError **error)
{
    return place == DRIVER_VRAM ?
           driver_alloc_vram(driver, size, address, error) :
           driver_add_ram(driver, size, address, error);
}

bool driver_load(Driver *driver, const CodeObject *co, uint64_t *base,
                 GError **error)
{
    uint8_t *image = driver_alloc_vram(driver, codeobj_image_size(co), base,
                                       error);

    return image && codeobj_place(co, *base, image, error);
}

/* ---- the interrupt ring ---- */

static void driver_setup_ih(Driver *driver)
{
    driver_write(driver, TESSERA_REG_IH_BASE, DRIVER_BUS(driver, ih), 8);
    driver_write(driver, TESSERA_REG_IH_WPTR_ADDR,
                 DRIVER_BUS(driver, ih_wptr), 8);
    driver_write(driver, TESSERA_REG_IH_CONTROL,
                 DRIVER_IH_LOG2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT |
                 1u << TESSERA_IH_CONTROL_ENABLE_SHIFT, 4);
}

static void driver_take_entry(Driver *driver, const TesseraIhEntry *entry)
{
    switch (entry->source) {
    case TESSERA_IH_SIGNAL:
        driver->signalled |= entry->data == driver->event_id;
        break;
    case TESSERA_IH_COMMAND:
        driver->command_done |= entry->data == driver->commands;
        break;
    case TESSERA_IH_QUEUE_ERROR:
        driver->queue_error = true;
        break;
    default: /* FAULT: its record is in the registers as well */
        break;
    }
}

/* Wait for an interrupt and take the ring's new entries; false: too late. */
static bool driver_wait(Driver *driver, int64_t deadline_us)
{
    DriverShared *shared = driver->shared;
    uint64_t irqs = tool_host_wait_irq(driver->host, driver->irqs_seen,
                                       deadline_us);
    uint32_t wptr;

    if (irqs == driver->irqs_seen) {
        return false;
    }
    driver->irqs_seen = irqs;
    wptr = __atomic_load_n(&shared->ih_wptr, __ATOMIC_ACQUIRE);
    while (driver->ih_rptr != wptr) {
        driver_take_entry(driver,
                          &shared->ih[driver->ih_rptr % DRIVER_IH_ENTRIES]);
        driver->ih_rptr++;
    }
    driver_write(driver, TESSERA_REG_IH_RPTR, driver->ih_rptr, 4);
    return true;
}

/* ---- commands ---- */

static bool driver_command(Driver *driver, uint32_t op, uint64_t descriptor,
                           GError **error)
{
    TesseraCommand *command = &driver->shared->command;
    int64_t deadline = g_get_monotonic_time() + DRIVER_COMMAND_TIMEOUT_US;

    *command = (TesseraCommand) {
        .size = sizeof(*command),
        .version = TESSERA_ABI_VERSION,
        .op = op,
        .slot = DRIVER_SLOT,
        .descriptor = descriptor,
        .fence_addr = DRIVER_BUS(driver, fence),
        .fence_value = ++driver->commands,
    };
    driver->command_done = false;
    driver_write(driver, TESSERA_REG_CMD_ADDR, DRIVER_BUS(driver, command), 8);
    while (!driver->command_done) {
        if (!driver_wait(driver, deadline)) {
            g_set_error(error, TOOL_FILE_ERROR, 0,
                        "the device does not answer command %u", op);
            return false;
        }
    }
    if (command->result != TESSERA_RESULT_OK) {
        g_set_error(error, TOOL_FILE_ERROR, 0,
                    "the device refuses command %u: %s", op,
                    driver_word_text(driver_results,
                                     G_N_ELEMENTS(driver_results),
                                     command->result));
        return false;
    }
    return true;
}

/* ---- the queue ---- */

static void driver_fill_queue(Driver *driver)
{
    DriverShared *shared = driver->shared;

    shared->queue = (AmdQueue) {
        .features = 1, /* kernel dispatch */
        .base_address = DRIVER_BUS(driver, ring),
        .size = DRIVER_RING_PACKETS,
        .group_segment_aperture_base_hi = DRIVER_SHARED_BASE_HI,
        .private_segment_aperture_base_hi = DRIVER_PRIVATE_BASE_HI,
        .max_cu_id = TESSERA_CUS - 1,
        .max_wave_id = DRIVER_WAVES_PER_CU - 1,
        .read_dispatch_id_field_base_byte_offset =
            offsetof(AmdQueue, read_dispatch_id),
        .queue_properties = AMD_QUEUE_PROP_PTR64 | AMD_QUEUE_PROP_PROFILING,
        .queue_inactive_signal = DRIVER_BUS(driver, inactive),
    };
    shared->descriptor = (TesseraQueue) {
        .size = sizeof(TesseraQueue),
        .version = TESSERA_ABI_VERSION,
        .vmid = driver->vmid,
        .doorbell = DRIVER_DOORBELL,
        .ring = DRIVER_BUS(driver, ring),
        .ring_packets = DRIVER_RING_PACKETS,
        .read_index_addr = DRIVER_BUS(driver, queue.read_dispatch_id),
        .write_index_addr = DRIVER_BUS(driver, queue.write_dispatch_id),
    };
    shared->inactive = (AmdSignal) {
        .kind = 1,
        .event_mailbox_ptr = DRIVER_BUS(driver, mailbox[1]),
        .event_id = DRIVER_INACTIVE_EVENT,
    };
    for (unsigned i = 0; i < DRIVER_RING_PACKETS; i++) {
        shared->ring[i].header = AQL_TYPE_INVALID;
    }
}

/*
 * Make the queue's scratch memory large enough for @private_size bytes a
 * lane.  The queue is idle, so its AmdQueue may be rewritten.
 */
static bool driver_fit_scratch(Driver *driver, uint32_t private_size,
                               GError **error)
{
    AmdQueue *queue = &driver->shared->queue;
    uint64_t wave = (uint64_t)private_size * DRIVER_LANES;
    uint64_t waves = TESSERA_CUS * DRIVER_WAVES_PER_CU;
    uint64_t bus;

    if (private_size <= queue->scratch_wave64_lane_byte_size) {
        return true;
    }
    wave = (wave + DRIVER_SCRATCH_GRANULE - 1) & ~(DRIVER_SCRATCH_GRANULE - 1);
    waves = CLAMP(DRIVER_SCRATCH_MAX / wave, DRIVER_SCRATCH_WAVES_MIN, waves);
    if (!driver_add_ram(driver, wave * waves, &bus, error)) {
        return false;
    }
    queue->compute_tmpring_size = waves |
                                  wave / DRIVER_SCRATCH_GRANULE << 12;
    queue->scratch_backing_memory_location = bus;
    queue->scratch_backing_memory_byte_size = wave * waves;
    queue->scratch_wave64_lane_byte_size = wave / DRIVER_LANES;
    queue->scratch_resource_descriptor[0] = bus;
    queue->scratch_resource_descriptor[1] = bus >> 32 | 1u << 31;
    queue->scratch_resource_descriptor[2] = MIN(wave * waves, UINT32_MAX);
    queue->scratch_resource_descriptor[3] = DRIVER_SCRATCH_WORD3;
    return true;
}

/* ---- life cycle ---- */

bool driver_has_jit(void)
{
    return tessera_has_jit();
}

static bool driver_make_pages(Driver *driver, GError **error)
{
    driver->pages = tool_pages_new(driver->host, error);
    driver->vmid = driver->pages ? DRIVER_VMID : 0;
    return driver->pages != NULL;
}

static bool driver_power_on(Driver *driver, const DriverConfig *config,
                            GError **error)
{
    TesseraConfig gpu = {
        .isa = config->isa,
        .workers = config->workers,
        .host_level = config->host_level,
        .stats = config->stats,
        .profile = config->profile,
        .jit = config->jit,
        .strict = config->strict,
    };

    if (gpu.jit == TESSERA_JIT_NOW && !driver_has_jit()) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "code cannot be compiled: there "
                    "is no tessera-jit.so beside this program");
        return false;
    }
    if (!driver_pick_vram(config->vram_bytes, &driver->vram_size, error)) {
        return false;
    }
    if (config->paged && !driver_make_pages(driver, error)) {
        return false;
    }
    driver->vram = tool_host_add_vram(driver->host, driver->vram_size, error);
    driver->shared = driver_add_ram(driver, sizeof(DriverShared),
                                    &driver->shared_bus, error);
    if (!driver->vram || !driver->shared || !driver_map_vram(driver, error)) {
        return false;
    }
    gpu.vram = driver->vram;
    gpu.vram_size = driver->vram_size;
    driver->gpu = tessera_gpu_new(&gpu, tool_host_ops(driver->host), error);
    return driver->gpu != NULL;
}

Driver *driver_new(const DriverConfig *config, GError **error)
{
    g_autoptr(Driver) driver = g_new0(Driver, 1);

    driver->host = tool_host_new(config->trace);
    if (!driver_power_on(driver, config, error)) {
        return NULL;
    }
    if (driver->pages) {
        driver_write(driver, TESSERA_REG_VM_ROOT +
                     driver->vmid * TESSERA_VM_STRIDE,
                     tool_pages_root(driver->pages), 8);
    }
    driver_setup_ih(driver);
    driver_fill_queue(driver);
    if (!driver_command(driver, TESSERA_CMD_MAP,
                        DRIVER_BUS(driver, descriptor), error)) {
        return NULL;
    }
    return g_steal_pointer(&driver);
}

void driver_free(Driver *driver)
{
    if (!driver) {
        return;
    }
    if (driver->gpu) {
        tessera_gpu_free(driver->gpu);
    }
    tool_pages_free(driver->pages);
    tool_host_free(driver->host);
    g_free(driver);
}

char *driver_take_log(Driver *driver)
{
    return tool_host_take_log(driver->host);
}

/* ---- dispatch ---- */

static uint32_t driver_private_size(const CodeKernel *kernel)
{
    return kernel->private_size +
           (kernel->dynamic_stack ? DRIVER_DYNAMIC_STACK : 0);
}

static void driver_fill_kernarg(Driver *driver, const DriverLaunch *launch)
{
    KernargContext ctx = {
        .dims = launch->dims,
        .dynamic_lds = launch->dynamic_lds,
        .queue = DRIVER_BUS(driver, queue),
        .private_base_hi = DRIVER_PRIVATE_BASE_HI,
        .shared_base_hi = DRIVER_SHARED_BASE_HI,
    };

    memcpy(ctx.grid, launch->grid, sizeof(ctx.grid));
    memcpy(ctx.group, launch->group, sizeof(ctx.group));
    memcpy(driver->shared->kernarg, launch->kernarg,
           launch->kernel->kernarg_size);
    kernarg_fill_hidden(launch->kernel, &ctx, driver->shared->kernarg);
}

/* Submit @packet, 64 bytes, whose header is yet to come: of type @type. */
static void driver_push(Driver *driver, const void *packet, unsigned type)
{
    DriverShared *shared = driver->shared;
    uint64_t index = shared->queue.write_dispatch_id;
    void *slot = &shared->ring[index % DRIVER_RING_PACKETS];
    uint16_t header = type | AQL_HEADER_BARRIER |
                      AQL_SCOPE_SYSTEM << AQL_HEADER_ACQUIRE_SHIFT |
                      AQL_SCOPE_SYSTEM << AQL_HEADER_RELEASE_SHIFT;

    /* An id of its own: memory may have told the end of the last one first. */
    if (++driver->event_id == DRIVER_INACTIVE_EVENT) {
        driver->event_id++;
    }
    shared->completion = (AmdSignal) {
        .kind = 1,
        .value = 1,
        .event_mailbox_ptr = DRIVER_BUS(driver, mailbox[0]),
        .event_id = driver->event_id,
    };
    memcpy(slot, packet, AQL_PACKET_SIZE);
    driver->signalled = driver->queue_error = false;
    __atomic_store_n(&shared->queue.write_dispatch_id, index + 1,
                     __ATOMIC_RELEASE);
    __atomic_store_n((uint16_t *)slot, header, __ATOMIC_RELEASE);
    tessera_gpu_doorbell_write(driver->gpu,
                               driver->vmid * TESSERA_SLICE_SIZE +
                                   DRIVER_DOORBELL * 8, index, 8);
}

static void driver_submit(Driver *driver, const DriverLaunch *launch)
{
    AqlDispatch packet = {
        .header = AQL_TYPE_INVALID,
        .setup = launch->dims,
        .group_x = launch->group[0],
        .group_y = launch->group[1],
        .group_z = launch->group[2],
        .grid_x = launch->grid[0],
        .grid_y = launch->grid[1],
        .grid_z = launch->grid[2],
        .private_size = driver_private_size(launch->kernel),
        .group_size = launch->kernel->lds_size + launch->dynamic_lds,
        .kernel_object = launch->base + launch->kernel->descriptor,
        .kernarg_address = DRIVER_BUS(driver, kernarg),
        .completion_signal = DRIVER_BUS(driver, completion),
    };

    driver_push(driver, &packet, AQL_TYPE_DISPATCH);
}

static void driver_submit_blocks(Driver *driver, const DriverBlocks *launch)
{
    DriverShared *shared = driver->shared;
    AqlBlocks packet = {
        .header = AQL_TYPE_INVALID,
        .format = AQL_VENDOR_BLOCKS,
        .version = AQL_BLOCKS_VERSION,
        .entry = launch->entry,
        .gprs = DRIVER_BUS(driver, gprs),
        .result = DRIVER_BUS(driver, result),
        .completion_signal = DRIVER_BUS(driver, completion),
    };

    shared->gprs = (TesseraBlockGprs) {
        .size = sizeof(shared->gprs),
        .version = TESSERA_BLOCKS_VERSION,
    };
    memcpy(shared->gprs.gpr, launch->gpr, sizeof(launch->gpr));
    shared->result = (TesseraBlockResult) { 0 };
    driver_push(driver, &packet, AQL_TYPE_VENDOR);
}

static void driver_read_fault(Driver *driver, DriverOutcome *outcome)
{
    outcome->status = DRIVER_FAULTED;
    outcome->queue_error =
        __atomic_load_n(&driver->shared->inactive.value, __ATOMIC_ACQUIRE);
    tessera_gpu_fault(driver->gpu, &outcome->fault);
}

GArray *driver_profile(Driver *driver)
{
    return tessera_gpu_profile(driver->gpu);
}

bool driver_hazard(Driver *driver, unsigned index, TesseraHazardInfo *info)
{
    return tessera_gpu_hazard(driver->gpu, index, info);
}

/* What has been counted since @before; of compiling, what it has come to. */
static void driver_count(Driver *driver, const TesseraStats *before,
                         TesseraStats *stats)
{
    tessera_gpu_stats(driver->gpu, stats);
    stats->dispatches -= before->dispatches;
    stats->instructions -= before->instructions;
    stats->lane_instructions -= before->lane_instructions;
    stats->waves -= before->waves;
}

/*
 * Has the dispatch ended, well or not?  Memory says so too: a shader that sends
 * many interrupts can make the ring overflow, and the entry that tells of the
 * end be dropped.
 */
static bool driver_has_ended(Driver *driver)
{
    DriverShared *shared = driver->shared;

    driver->signalled |=
        __atomic_load_n(&shared->completion.value, __ATOMIC_ACQUIRE) == 0;
    driver->queue_error |=
        __atomic_load_n(&shared->inactive.value, __ATOMIC_ACQUIRE) != 0;
    return driver->signalled || driver->queue_error;
}

/* Wait for the dispatch's end; false: the deadline has passed. */
static bool driver_wait_end(Driver *driver, double timeout)
{
    int64_t deadline = timeout > 0 ?
                       g_get_monotonic_time() + (int64_t)(timeout * 1e6) : -1;

    while (!driver_has_ended(driver)) {
        if (!driver_wait(driver, deadline)) {
            return false;
        }
    }
    return true;
}

static bool driver_check_launch(const DriverLaunch *launch, GError **error)
{
    uint64_t lds = (uint64_t)launch->kernel->lds_size + launch->dynamic_lds;

    if (driver_private_size(launch->kernel) > DRIVER_PRIVATE_MAX) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "kernel %s needs %u bytes of "
                    "scratch a work-item, at most %u are supported",
                    launch->kernel->name,
                    driver_private_size(launch->kernel), DRIVER_PRIVATE_MAX);
        return false;
    }
    if (lds > UINT32_MAX) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%" PRIu64 " bytes of LDS are "
                    "more than a work-group can have", lds);
        return false;
    }
    return true;
}

/* Wait for what was submitted at @start_us, and tell how it has ended. */
static bool driver_end(Driver *driver, int64_t start_us, double timeout,
                       const TesseraStats *before, DriverOutcome *outcome,
                       GError **error)
{
    const AmdSignal *signal = &driver->shared->completion;

    *outcome = (DriverOutcome) { .status = DRIVER_DONE };
    if (!driver_wait_end(driver, timeout)) {
        outcome->status = DRIVER_TIMED_OUT;
        outcome->seconds = (g_get_monotonic_time() - start_us) * 1e-6;
        return driver_command(driver, TESSERA_CMD_KILL, 0, error);
    }
    if (driver->queue_error) {
        outcome->seconds = (g_get_monotonic_time() - start_us) * 1e-6;
        driver_read_fault(driver, outcome);
        return true;
    }
    outcome->seconds = (signal->end_ts - signal->start_ts) /
                       (double)TESSERA_CLOCK_HZ;
    driver_count(driver, before, &outcome->stats);
    return true;
}

bool driver_run(Driver *driver, const DriverLaunch *launch,
                DriverOutcome *outcome, GError **error)
{
    TesseraStats before;
    int64_t start_us;

    if (!driver_check_launch(launch, error) ||
        !driver_fit_scratch(driver, driver_private_size(launch->kernel),
                            error)) {
        return false;
    }
    driver_fill_kernarg(driver, launch);
    tessera_gpu_stats(driver->gpu, &before);
    start_us = g_get_monotonic_time();
    driver_submit(driver, launch);
    return driver_end(driver, start_us, launch->timeout, &before, outcome,
                      error);
}

bool driver_run_blocks(Driver *driver, const DriverBlocks *launch,
                       DriverOutcome *outcome, TesseraBlockResult *result,
                       GError **error)
{
    TesseraStats before;
    int64_t start_us = g_get_monotonic_time();

    tessera_gpu_stats(driver->gpu, &before);
    driver_submit_blocks(driver, launch);
    if (!driver_end(driver, start_us, launch->timeout, &before, outcome,
                    error)) {
        return false;
    }
    *result = driver->shared->result;
    return true;
}
