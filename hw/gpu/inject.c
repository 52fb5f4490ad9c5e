/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fault injector: what a driver's CI asks to go wrong.  The registers are
 * there with the property x-inject=on only; without it nothing is ever armed,
 * and each question below costs one load.
 */
#include <string.h>
#include "hw/gpu/internal.h"

#define INJECT_COUNT_ROW(...) + 1
G_STATIC_ASSERT(INJECTIONS == 0 TESSERA_INJECTIONS(INJECT_COUNT_ROW));

static bool armed(TesseraGpu *gpu, unsigned kind)
{
    return __atomic_load_n(&gpu->injecting, __ATOMIC_RELAXED) & (1u << kind);
}

/* With the lock held. */
static void set_armed(TesseraGpu *gpu, unsigned kind, bool on)
{
    uint32_t bits = gpu->injecting & ~(1u << kind);

    bits |= on ? 1u << kind : 0;
    __atomic_store_n(&gpu->injecting, bits, __ATOMIC_RELAXED);
}

void inject_arm(TesseraGpu *gpu, uint64_t kind)
{
    if (kind >= INJECTIONS) {
        return;
    }
    gpu->injections[kind] = (GpuInjection){
        .queue = regs_get32(gpu, TESSERA_REG_INJECT_QUEUE),
        .skip = regs_get32(gpu, TESSERA_REG_INJECT_SKIP),
        .count = regs_get32(gpu, TESSERA_REG_INJECT_COUNT),
        .delay = regs_get32(gpu, TESSERA_REG_INJECT_DELAY),
    };
    set_armed(gpu, kind, gpu->injections[kind].count);
}

void inject_reset(TesseraGpu *gpu)
{
    memset(gpu->injections, 0, sizeof(gpu->injections));
    __atomic_store_n(&gpu->injecting, 0, __ATOMIC_RELAXED);
}

/* An occasion has come; with the lock held. */
static bool take_occasion(TesseraGpu *gpu, unsigned kind)
{
    GpuInjection *injection = &gpu->injections[kind];

    if (!injection->count) {
        return false;
    }
    if (injection->skip) {
        injection->skip--;
        return false;
    }
    if (--injection->count == 0) {
        set_armed(gpu, kind, false);
    }
    gpu->regs[TESSERA_REG_INJECT_HITS / 4]++;
    return true;
}

bool inject_now(TesseraGpu *gpu, unsigned kind, unsigned slot)
{
    const GpuInjection *injection = &gpu->injections[kind];
    bool now;

    if (!armed(gpu, kind)) {
        return false;
    }
    gpu_lock(gpu);
    now = (injection->queue == NO_QUEUE || injection->queue == slot) &&
          take_occasion(gpu, kind);
    gpu_unlock(gpu);
    if (now) {
        gpu_trace(gpu, "inject", kind, slot, 0);
    }
    return now;
}

bool inject_access(TesseraGpu *gpu)
{
    const GpuQueue *queue = gpu->cp.current;

    return armed(gpu, TESSERA_INJECT_PAGE_FAULT) && queue &&
           inject_now(gpu, TESSERA_INJECT_PAGE_FAULT, queue->slot);
}

bool inject_lookup(TesseraGpu *gpu, unsigned vmid)
{
    const GpuInjection *injection =
        &gpu->injections[TESSERA_INJECT_PAGE_FAULT];
    bool now;

    if (!armed(gpu, TESSERA_INJECT_PAGE_FAULT)) {
        return false;
    }
    gpu_lock(gpu);
    now = (injection->queue == NO_QUEUE ||
           (injection->queue < TESSERA_QUEUES &&
            __atomic_load_n(&gpu->queues[injection->queue].vmid,
                            __ATOMIC_RELAXED) == vmid)) &&
          take_occasion(gpu, TESSERA_INJECT_PAGE_FAULT);
    gpu_unlock(gpu);
    return now;
}

int64_t inject_delay_ns(TesseraGpu *gpu)
{
    int64_t delay;

    gpu_lock(gpu);
    delay = gpu->injections[TESSERA_INJECT_SLOW].delay;
    gpu_unlock(gpu);
    return delay * (1000000000 / TESSERA_CLOCK_HZ);
}
