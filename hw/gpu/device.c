/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device as a whole: making, pausing, resetting.  internal.h says which
 * thread owns what.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "hw/gpu/internal.h"

#define NS_PER_CLOCK (1000000000 / TESSERA_CLOCK_HZ)
#define SETTLE_POLL_US 200

void gpu_lock(TesseraGpu *gpu)
{
    pthread_mutex_lock(&gpu->lock);
}

void gpu_unlock(TesseraGpu *gpu)
{
    pthread_mutex_unlock(&gpu->lock);
}

uint64_t gpu_clock(TesseraGpu *gpu)
{
    return gpu->host.ops->guest_ns(gpu->host.opaque) / NS_PER_CLOCK;
}

void gpu_log(TesseraGpu *gpu, TesseraLogLevel level, const char *format, ...)
{
    char text[256];
    va_list args;

    if (!gpu->host.ops->log) {
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    gpu->host.ops->log(gpu->host.opaque, level, text);
}

void gpu_trace(TesseraGpu *gpu, const char *event, uint64_t a, uint64_t b,
               uint64_t c)
{
    if (gpu->host.ops->trace) {
        gpu->host.ops->trace(gpu->host.opaque, event, a, b, c);
    }
}

/* ---- what the engine asks ---- */

static TesseraFaultCause owner_translate(void *opaque, unsigned vmid,
                                         uint64_t va, EngineAccess access,
                                         EnginePage *page)
{
    if (inject_lookup(opaque, vmid)) {
        return TESSERA_FAULT_UNMAPPED;
    }
    return gpu_vm_translate(opaque, vmid, va, access, page);
}

static void owner_written(void *opaque, bool vram, uint64_t backing,
                          uint64_t len)
{
    gpu_vm_written(opaque, vram, backing, len);
}

static uint64_t owner_clock(void *opaque)
{
    return gpu_clock(opaque);
}

static const EngineOwnerOps owner_ops = {
    .translate = owner_translate,
    .written = owner_written,
    .done = dispatch_done,
    .suspended = dispatch_suspended,
    .message = dispatch_message,
    .clock = owner_clock,
    .hazard = hazard_report,
    .ask = gpu_vm_ask,
    .cancel = gpu_vm_cancel,
};

/* ---- configuration ---- */

static bool bad_config(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static bool bad_config(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_propagate_error(error, g_error_new_valist(
        g_quark_from_static_string("tessera-gpu"), 0, format, args));
    va_end(args);
    return false;
}

static bool check_vram(const TesseraConfig *config, GError **error)
{
    uint64_t size = config->vram_size;

    if (size < TESSERA_VRAM_MIN || size > TESSERA_VRAM_MAX ||
        (size & (size - 1))) {
        return bad_config(error, "vram-size must be a power of two from 64 MiB "
                          "to 16 GiB, not %" PRIu64 " bytes", size);
    }
    if (!config->vram || (uintptr_t)config->vram % ENGINE_PAGE) {
        return bad_config(error, "vram must be page-aligned host memory");
    }
    return true;
}

/* The level asked for, or the best; handlers of a lower one serve as well. */
static bool find_level(const TesseraIsa *isa, const char *name,
                       TesseraHostLevel *level, GError **error)
{
    TesseraHostLevel best = tessera_host_level();
    int l = best;

    if (name) {
        for (l = 0; l < TESSERA_LEVELS; l++) {
            if (!strcmp(name, tessera_level_names[l])) {
                break;
            }
        }
        if (l > (int)best || !isa->exec[l]) {
            return bad_config(error, "host-level %s is not to be had: this "
                              "build on this CPU has %s to %s", name,
                              tessera_level_names[TESSERA_LEVEL_V2],
                              tessera_level_names[best]);
        }
    }
    while (l > 0 && !isa->exec[l]) {
        l--;
    }
    if (!isa->exec[l]) {
        return bad_config(error, "isa %s has no handlers in this build",
                          isa->name);
    }
    *level = l;
    return true;
}

static bool find_workers(const TesseraConfig *config, unsigned *workers,
                         GError **error)
{
    *workers = config->workers;
    if (*workers > TESSERA_WORKERS_MAX) {
        return bad_config(error, "workers must be 0 to %d, not %u",
                          TESSERA_WORKERS_MAX, *workers);
    }
    if (!*workers) {
        *workers = MIN(g_get_num_processors(), TESSERA_CUS);
    }
    return true;
}

bool tessera_has_jit(void)
{
    return engine_has_jit();
}

static bool make_engine(TesseraGpu *gpu, const TesseraConfig *config,
                        GError **error)
{
    EngineConfig engine = {
        .isa = gpu->isa,
        .stream_isa = tessera_block_isa,
        .host = &gpu->host,
        .ops = &owner_ops,
        .opaque = gpu,
        .profile = gpu->profile,
        .jit = config->jit,
    };

    if (!find_level(gpu->isa, config->host_level, &engine.level, error) ||
        !find_workers(config, &engine.workers, error)) {
        return false;
    }
    engine.stream_level = engine.level; /* blocks have them all */
    gpu->engine = engine_new(&engine, error);
    return gpu->engine;
}

/* ---- making and freeing ---- */

static void init_locks(TesseraGpu *gpu)
{
    pthread_condattr_t attr;

    pthread_mutex_init(&gpu->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&gpu->wake, &attr);
    pthread_cond_init(&gpu->idle, &attr);
    pthread_condattr_destroy(&attr);
}

/* Everything but the engine and the threads, in its power-on state. */
static TesseraGpu *make_state(const TesseraConfig *config,
                              const TesseraHost *host, const TesseraIsa *isa)
{
    TesseraGpu *gpu = g_new0(TesseraGpu, 1);

    gpu->host = *host;
    gpu->isa = isa;
    gpu->vram = config->vram;
    gpu->vram_size = config->vram_size;
    gpu->hang_timeout_ns = MIN(config->hang_timeout_ns, INT64_MAX / 2);
    gpu->stats = config->stats;
    gpu->profile = config->profile;
    gpu->strict = config->strict;
    gpu->has_head = config->scanout;
    gpu->inject = config->inject;
    gpu->doorbells = g_aligned_alloc0(1, DOORBELL_BYTES, ENGINE_PAGE);
    gpu->doorbell_slots = g_new0(uint16_t, DOORBELLS);
    init_locks(gpu);
    vm_init(gpu);
    queue_init_all(gpu);
    cp_reset(gpu);
    doorbell_reset(gpu);
    regs_reset(gpu);
    return gpu;
}

static void free_state(TesseraGpu *gpu)
{
    vm_destroy(gpu);
    pthread_cond_destroy(&gpu->wake);
    pthread_cond_destroy(&gpu->idle);
    pthread_mutex_destroy(&gpu->lock);
    g_aligned_free(gpu->doorbells);
    g_free(gpu->doorbell_slots);
    g_free(gpu);
}

TesseraGpu *tessera_gpu_new(const TesseraConfig *config,
                            const TesseraHost *host, GError **error)
{
    const TesseraIsa *isa = config->isa ? tessera_isa_find(config->isa) : NULL;
    TesseraGpu *gpu;

    if (!isa) {
        bad_config(error, "isa %s is not known", config->isa ?: "(none)");
        return NULL;
    }
    if (!check_vram(config, error)) {
        return NULL;
    }
    gpu = make_state(config, host, isa);
    if (!make_engine(gpu, config, error)) {
        free_state(gpu);
        return NULL;
    }
    gpu->thread = host->ops->thread_start(host->opaque, "tessera-cp",
                                          cp_thread, gpu);
    if (!gpu->thread) {
        bad_config(error, "no thread for the packet processor");
        engine_free(gpu->engine);
        free_state(gpu);
        return NULL;
    }
    return gpu;
}

/* ---- hold ---- */

/*
 * From the first hold to the last release no thread of ours touches guest
 * memory.  Only the host's thread, one call at a time, gets here.
 */
void hold_begin(TesseraGpu *gpu, unsigned why)
{
    bool first;

    gpu_lock(gpu);
    first = !gpu->hold;
    gpu->hold |= why;
    if (gpu->ask.waiting) {
        cp_kick(gpu); /* a reset cuts it short */
    }
    while (gpu->active || (why == HOLD_RESET && gpu->ask.waiting)) {
        pthread_cond_wait(&gpu->idle, &gpu->lock);
    }
    gpu_unlock(gpu);
    if (first) {
        engine_park(gpu->engine);
    }
    vm_cancel_ask(gpu);
}

void hold_end(TesseraGpu *gpu, unsigned why)
{
    bool last;

    gpu_lock(gpu);
    last = gpu->hold == why;
    gpu->hold &= ~why;
    if (last) {
        cp_kick(gpu);
    }
    gpu_unlock(gpu);
    if (last) {
        engine_unpark(gpu->engine);
    }
}

void tessera_gpu_pause(TesseraGpu *gpu)
{
    gpu_trace(gpu, "gpu_pause", 0, 0, 0);
    hold_begin(gpu, HOLD_PAUSE);
}

void tessera_gpu_resume(TesseraGpu *gpu)
{
    gpu_trace(gpu, "gpu_resume", 0, 0, 0);
    hold_end(gpu, HOLD_PAUSE);
}

static bool any_in_flight(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        if (__atomic_load_n(&gpu->queues[i].inflight, __ATOMIC_ACQUIRE)) {
            return true;
        }
    }
    return false;
}

static void set_settling(TesseraGpu *gpu, bool settling)
{
    gpu_lock(gpu);
    __atomic_store_n(&gpu->settling, settling, __ATOMIC_RELAXED);
    gpu_unlock(gpu);
}

void tessera_gpu_settle(TesseraGpu *gpu, unsigned ms)
{
    int64_t until = g_get_monotonic_time() + ms * G_TIME_SPAN_MILLISECOND;

    set_settling(gpu, true);
    while (any_in_flight(gpu) && g_get_monotonic_time() < until) {
        g_usleep(SETTLE_POLL_US);
    }
    tessera_gpu_pause(gpu);
    set_settling(gpu, false);
    doorbell_kick_all(gpu); /* those that were turned away */
}

void tessera_gpu_unmap_all(TesseraGpu *gpu)
{
    hold_begin(gpu, HOLD_UNMAP);
    engine_forget(gpu->engine);
    vm_forget(gpu);
}

void tessera_gpu_unmap_end(TesseraGpu *gpu, const TesseraBars *bars)
{
    vm_set_bars(gpu, bars);
    hold_end(gpu, HOLD_UNMAP);
}

void gpu_forget_pages(TesseraGpu *gpu)
{
    hold_begin(gpu, HOLD_FORGET);
    engine_forget(gpu->engine);
    hold_end(gpu, HOLD_FORGET);
}

/* ---- reset ---- */

static void kill_queue(TesseraGpu *gpu, GpuQueue *queue)
{
    for (unsigned i = 0; i < QUEUE_DISPATCHES; i++) {
        GpuDispatch *dispatch = queue->dispatch[i];

        if (dispatch && dispatch->submitted && !dispatch->ended) {
            engine_kill(gpu->engine, &dispatch->engine, TESSERA_FAULT_NONE);
        }
    }
}

static void kill_all(TesseraGpu *gpu)
{
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        kill_queue(gpu, &gpu->queues[i]);
    }
    for (unsigned i = 0; i < TESSERA_SAVED_QUEUES; i++) {
        if (gpu->saved[i]) {
            kill_queue(gpu, gpu->saved[i]);
        }
    }
}

/*
 * Kill whatever runs and wait until the engine has let go of it, which it does
 * at once since every wave stands at an instruction boundary.  Held, and held
 * again afterwards.
 */
static void cancel_work(TesseraGpu *gpu)
{
    kill_all(gpu);
    engine_unpark(gpu->engine);
    gpu_lock(gpu);
    while (gpu->inbox.outstanding) {
        pthread_cond_wait(&gpu->idle, &gpu->lock);
    }
    gpu_unlock(gpu);
    engine_park(gpu->engine);
    engine_forget(gpu->engine);
}

void tessera_gpu_reset(TesseraGpu *gpu)
{
    gpu_trace(gpu, "gpu_reset", 0, 0, 0);
    hold_begin(gpu, HOLD_RESET);
    cancel_work(gpu);
    queue_reset_all(gpu);
    gpu_lock(gpu);
    gpu->ask.cut = false;
    memset(&gpu->inbox, 0, sizeof(gpu->inbox)); /* owns nothing */
    cp_reset(gpu);
    inject_reset(gpu);
    doorbell_reset(gpu);
    regs_reset(gpu);
    memset(&gpu->counts, 0, sizeof(gpu->counts));
    memset(&gpu->first_fault, 0, sizeof(gpu->first_fault));
    hazard_reset(gpu);
    gpu_unlock(gpu);
    hold_end(gpu, HOLD_RESET);
}

void tessera_gpu_free(TesseraGpu *gpu)
{
    hold_begin(gpu, HOLD_RESET);
    cancel_work(gpu);
    queue_reset_all(gpu);
    gpu_lock(gpu);
    gpu->quit = true;
    cp_kick(gpu);
    gpu_unlock(gpu);
    gpu->host.ops->thread_join(gpu->host.opaque, gpu->thread);
    vm_end_asks(gpu);
    engine_unpark(gpu->engine);
    engine_free(gpu->engine);
    free_state(gpu);
}

/* ---- for tools ---- */

void tessera_gpu_stats(TesseraGpu *gpu, TesseraStats *stats)
{
    EngineJitCounts jit;

    engine_jit_counts(gpu->engine, &jit);
    gpu_lock(gpu);
    *stats = gpu->counts;
    gpu_unlock(gpu);
    stats->compiled = jit.pages;
    stats->not_compiled = jit.failures;
    stats->compiled_instructions = jit.instructions;
    stats->compile_ns = jit.cpu_ns;
}

void tessera_gpu_fault(TesseraGpu *gpu, TesseraFaultInfo *info)
{
    const EngineFault *fault = &gpu->first_fault;

    gpu_lock(gpu);
    *info = (TesseraFaultInfo){
        .queue = regs_get32(gpu, TESSERA_REG_FAULT_QUEUE),
        .cause = fault->cause,
        .write = fault->access == ENGINE_WRITE,
        .fetch = fault->access == ENGINE_FETCH,
        .address = fault->address,
        .pc = fault->pc,
        .lanes = fault->lanes,
        .wave = fault->wave,
    };
    memcpy(info->group, fault->group, sizeof(info->group));
    g_strlcpy(info->text, fault->text, sizeof(info->text));
    gpu_unlock(gpu);
}
