/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the device core asks of its host, answered by QEMU.  The operations
 * may be called from any thread and never take the big lock.
 */
#include "device.h"
#include "trace-tessera.h"

struct TesseraThread {
    QemuThread thread;
    void *(*fn)(void *arg);
    void *arg;
};

static TesseraMapKind host_map(void *opaque, uint64_t bus, uint64_t *len,
                               bool write, uint8_t **host)
{
    TesseraState *s = opaque;

    return s->map ? tessera_memmap_lookup(s->map, bus, len, write, host)
                  : TESSERA_MAP_NONE;
}

static void host_submit(void *opaque, TesseraRequest *request)
{
    tessera_requests_submit(((TesseraState *)opaque)->requests, request);
}

static bool host_cancel(void *opaque, TesseraRequest *request)
{
    return tessera_requests_cancel(((TesseraState *)opaque)->requests,
                                   request);
}

static void host_written(void *opaque, uint64_t bus, uint64_t len)
{
    TesseraState *s = opaque;

    if (s->map) {
        tessera_memmap_written(s->map, bus, len);
    }
}

static void host_vram_written(void *opaque, uint64_t offset, uint64_t len)
{
    TesseraState *s = opaque;

    if (len && offset < s->vram_size && len <= s->vram_size - offset) {
        tessera_report_written(&s->vram, s->vram_host + offset, len);
    }
}

/* MSI-X messages are memory writes that may take the big lock: not here. */
static void host_irq(void *opaque, unsigned vector)
{
    TesseraState *s = opaque;

    qatomic_or(&s->irqs, 1u << vector);
    qemu_bh_schedule(s->irq_bh);
}

/* An MSI-X message is a memory write: none without bus mastering. */
static bool can_interrupt(TesseraState *s)
{
    uint16_t command = pci_get_word(PCI_DEVICE(s)->config + PCI_COMMAND);

    return s->vm_running && !s->in_d3 && command & PCI_COMMAND_MASTER;
}

static void raise_irqs(void *opaque)
{
    TesseraState *s = opaque;
    uint32_t vectors;

    if (!can_interrupt(s)) {
        return; /* kept until the guest can take them */
    }
    vectors = qatomic_xchg(&s->irqs, 0);
    if (vectors) {
        trace_tessera_irq(vectors);
    }
    for (unsigned i = 0; i < TESSERA_MSIX_VECTORS && s->has_msix; i++) {
        if (vectors & (1u << i)) {
            msix_notify(PCI_DEVICE(s), i);
        }
    }
}

void tessera_host_flush_irqs(TesseraState *s)
{
    raise_irqs(s);
}

void tessera_host_drop_irqs(TesseraState *s)
{
    qatomic_set(&s->irqs, 0);
}

static int64_t host_guest_ns(void *opaque)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void host_log(void *opaque, TesseraLogLevel level, const char *text)
{
    static const int masks[] = {
        [TESSERA_LOG_GUEST_ERROR] = LOG_GUEST_ERROR,
        [TESSERA_LOG_UNIMP] = LOG_UNIMP,
    };

    if (level == TESSERA_LOG_INFO) {
        info_report("tessera: %s", text);
    } else {
        qemu_log_mask(masks[level], "tessera: %s\n", text);
    }
}

static void host_trace(void *opaque, const char *event, uint64_t a,
                       uint64_t b, uint64_t c)
{
    tessera_trace(event, a, b, c);
}

/* Reporting written memory walks RCU-protected lists. */
static void *run_thread(void *arg)
{
    TesseraThread *t = arg;
    void *result;

    rcu_register_thread();
    result = t->fn(t->arg);
    rcu_unregister_thread();
    return result;
}

/* qemu_thread_create() starts threads with all signals blocked. */
static TesseraThread *host_thread_start(void *opaque, const char *name,
                                        void *(*fn)(void *), void *arg)
{
    TesseraThread *t = g_new0(TesseraThread, 1);

    t->fn = fn;
    t->arg = arg;
    qemu_thread_create(&t->thread, name, run_thread, t, QEMU_THREAD_JOINABLE);
    return t;
}

static void host_thread_join(void *opaque, TesseraThread *thread)
{
    qemu_thread_join(&thread->thread);
    g_free(thread);
}

static const TesseraHostOps host_ops = {
    .map = host_map,
    .submit = host_submit,
    .cancel = host_cancel,
    .written = host_written,
    .vram_written = host_vram_written,
    .irq = host_irq,
    .guest_ns = host_guest_ns,
    .log = host_log,
    .trace = host_trace,
    .thread_start = host_thread_start,
    .thread_join = host_thread_join,
};

static void memory_changing(void *opaque)
{
    TesseraState *s = opaque;

    if (s->gpu) {
        tessera_gpu_unmap_all(s->gpu);
    }
}

static void memory_changed(void *opaque)
{
    TesseraState *s = opaque;

    if (s->gpu) {
        s->bars = tessera_bars_get(s);
        trace_tessera_remap(s->bars.vram, s->bars.doorbell, s->bars.regs);
        tessera_gpu_unmap_end(s->gpu, &s->bars);
    }
}

static const TesseraMemMapOps map_ops = {
    .changing = memory_changing,
    .changed = memory_changed,
};

void tessera_host_update_bars(TesseraState *s)
{
    TesseraBars now = tessera_bars_get(s);

    if (memcmp(&now, &s->bars, sizeof(now))) {
        memory_changing(s);
        memory_changed(s);
    }
}

bool tessera_host_init(TesseraState *s, Error **errp)
{
    const TesseraHost host = { .ops = &host_ops, .opaque = s };
    const TesseraConfig config = {
        .isa = s->isa ?: "gfx900",
        .vram = s->vram_host,
        .vram_size = s->vram_size,
        .workers = s->workers,
        .hang_timeout_ns = s->hang_timeout * SCALE_MS,
        .host_level = s->host_level,
        .jit = s->jit ? TESSERA_JIT_ON : TESSERA_JIT_OFF,
        .strict = g_strcmp0(s->hazards, "strict") == 0,
        .scanout = s->scanout,
        .inject = s->inject,
    };
    g_autoptr(GError) err = NULL;

    s->irq_bh = qemu_bh_new_guarded(raise_irqs, s,
                                    &DEVICE(s)->mem_reentrancy_guard);
    s->gpu = tessera_gpu_new(&config, &host, &err);
    if (!s->gpu) {
        error_setg(errp, "%s", err->message);
        return false;
    }
    s->map = tessera_memmap_new(PCI_DEVICE(s), &map_ops, s);
    s->requests = tessera_requests_new(s->map, DEVICE(s));
    return true;
}

/* The core goes first: it may still be reporting what it has written. */
void tessera_host_exit(TesseraState *s)
{
    if (s->gpu) {
        tessera_gpu_free(s->gpu);
        s->gpu = NULL;
    }
    if (s->requests) {
        tessera_requests_free(s->requests);
        s->requests = NULL;
    }
    if (s->map) {
        tessera_memmap_free(s->map);
        s->map = NULL;
    }
    if (s->irq_bh) {
        qemu_bh_delete(s->irq_bh);
        s->irq_bh = NULL;
    }
}
