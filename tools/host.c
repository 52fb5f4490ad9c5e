/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host of the device core without a guest. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "tools/files.h"
#include "tools/host.h"

#define HOST_PAGE 4096ull
#define HOST_HUGE (2ull << 20)
#define HOST_LOG_MAX (16u << 10)

typedef struct HostBlock {
    uint8_t *host;
    uint64_t bus; /* 0: VRAM, not on the bus */
    uint64_t size;
} HostBlock;

struct ToolHost {
    TesseraHost ops;
    bool trace;
    int64_t start_us;

    /* Of everything below; the thread sanitizer does not know GLib's. */
    pthread_mutex_t lock;
    pthread_cond_t irq_cond;
    uint64_t irqs;
    GArray *blocks; /* HostBlock, by bus address */
    uint64_t next_bus;
    GString *log;
};

struct TesseraThread {
    GThread *thread;
};

/* ---- memory ---- */

/*
 * Memory for a guest, from an address on where huge pages begin: with them,
 * streaming takes fewer walks of the host's page tables.
 */
static void *host_mmap(uint64_t size)
{
    uint64_t room = size >= HOST_HUGE ? HOST_HUGE : 0, skip;
    uint8_t *p = mmap(NULL, size + room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED || !room) {
        return p;
    }
    skip = -(uintptr_t)p & (HOST_HUGE - 1);
    if (skip) {
        munmap(p, skip);
    }
    munmap(p + skip + size, room - skip);
    madvise(p + skip, size, MADV_HUGEPAGE); /* a wish: it may fail */
    return p + skip;
}

static void *host_map_memory(ToolHost *host, HostBlock *block, uint64_t size,
                             GError **error)
{
    void *p;

    block->size = (MAX(size, 1) + HOST_PAGE - 1) & ~(HOST_PAGE - 1);
    p = host_mmap(block->size);
    if (p == MAP_FAILED) {
        g_set_error(error, TOOL_FILE_ERROR, errno,
                    "no memory for %" PRIu64 " bytes: %s", size,
                    g_strerror(errno));
        return NULL;
    }
    block->host = p;
    g_array_append_val(host->blocks, *block);
    return p;
}

void *tool_host_add_ram(ToolHost *host, uint64_t size, uint64_t *bus,
                        GError **error)
{
    HostBlock block = { .bus = host->next_bus };
    void *p;

    pthread_mutex_lock(&host->lock);
    p = size <= 1ull << 44 ? host_map_memory(host, &block, size, error) : NULL;
    if (p) {
        *bus = block.bus;
        host->next_bus = (block.bus + block.size + 2 * TOOL_HOST_GUARD - 1) &
                         ~(TOOL_HOST_GUARD - 1);
    } else if (error && !*error) {
        g_set_error(error, TOOL_FILE_ERROR, ENOMEM,
                    "no memory for %" PRIu64 " bytes", size);
    }
    pthread_mutex_unlock(&host->lock);
    return p;
}

void *tool_host_add_vram(ToolHost *host, uint64_t size, GError **error)
{
    HostBlock block = { .bus = 0 };
    void *p;

    pthread_mutex_lock(&host->lock);
    p = host_map_memory(host, &block, size, error);
    pthread_mutex_unlock(&host->lock);
    return p;
}

static HostBlock *host_find(ToolHost *host, uint64_t bus)
{
    for (unsigned i = 0; i < host->blocks->len; i++) {
        HostBlock *block = &g_array_index(host->blocks, HostBlock, i);

        if (block->bus && bus >= block->bus &&
            bus - block->bus < block->size) {
            return block;
        }
    }
    return NULL;
}

static TesseraMapKind host_map(void *opaque, uint64_t bus, uint64_t *len,
                               bool write, uint8_t **at)
{
    ToolHost *host = opaque;
    TesseraMapKind kind = TESSERA_MAP_NONE;
    HostBlock *block;

    pthread_mutex_lock(&host->lock);
    block = host_find(host, bus);
    if (block) {
        *len = MIN(*len, block->size - (bus - block->bus));
        *at = block->host + (bus - block->bus);
        kind = TESSERA_MAP_RAM;
    }
    pthread_mutex_unlock(&host->lock);
    return kind;
}

/* Nobody watches this memory but the tool itself. */
static void host_written(void *opaque, uint64_t address, uint64_t len)
{
}

/* ---- interrupts and time ---- */

static void host_irq(void *opaque, unsigned vector)
{
    ToolHost *host = opaque;

    pthread_mutex_lock(&host->lock);
    host->irqs++;
    pthread_cond_broadcast(&host->irq_cond);
    pthread_mutex_unlock(&host->lock);
}

uint64_t tool_host_irqs(ToolHost *host)
{
    uint64_t irqs;

    pthread_mutex_lock(&host->lock);
    irqs = host->irqs;
    pthread_mutex_unlock(&host->lock);
    return irqs;
}

uint64_t tool_host_wait_irq(ToolHost *host, uint64_t seen,
                            int64_t deadline_us)
{
    struct timespec end = {
        .tv_sec = deadline_us / G_USEC_PER_SEC,
        .tv_nsec = deadline_us % G_USEC_PER_SEC * 1000,
    };
    uint64_t irqs;

    pthread_mutex_lock(&host->lock);
    while (host->irqs <= seen) {
        if (deadline_us < 0) {
            pthread_cond_wait(&host->irq_cond, &host->lock);
        } else if (pthread_cond_timedwait(&host->irq_cond, &host->lock,
                                          &end) == ETIMEDOUT) {
            break;
        }
    }
    irqs = host->irqs;
    pthread_mutex_unlock(&host->lock);
    return irqs;
}

static int64_t host_guest_ns(void *opaque)
{
    ToolHost *host = opaque;

    return (g_get_monotonic_time() - host->start_us) * 1000;
}

/* ---- messages ---- */

static const char *const host_log_levels[] = {
    [TESSERA_LOG_GUEST_ERROR] = "guest error",
    [TESSERA_LOG_UNIMP] = "not modelled",
    [TESSERA_LOG_INFO] = "note",
};

static void host_log(void *opaque, TesseraLogLevel level, const char *text)
{
    ToolHost *host = opaque;

    if (host->trace) {
        fprintf(stderr, "tessera: device: %s: %s\n", host_log_levels[level],
                text);
    }
    pthread_mutex_lock(&host->lock);
    if (host->log->len < HOST_LOG_MAX) {
        g_string_append_printf(host->log, "%s: %s\n", host_log_levels[level],
                               text);
    }
    pthread_mutex_unlock(&host->lock);
}

char *tool_host_take_log(ToolHost *host)
{
    char *text;

    pthread_mutex_lock(&host->lock);
    text = g_strdup(host->log->str);
    g_string_truncate(host->log, 0);
    pthread_mutex_unlock(&host->lock);
    return text;
}

static void host_trace(void *opaque, const char *event, uint64_t a,
                       uint64_t b, uint64_t c)
{
    ToolHost *host = opaque;

    if (host->trace) {
        fprintf(stderr, "tessera: trace: %.6f %s 0x%" PRIx64 " 0x%" PRIx64
                " 0x%" PRIx64 "\n", host_guest_ns(host) * 1e-9, event, a, b,
                c);
    }
}

/* ---- threads ---- */

static TesseraThread *host_thread_start(void *opaque, const char *name,
                                        void *(*fn)(void *), void *arg)
{
    GThread *thread = g_thread_try_new(name, fn, arg, NULL);
    TesseraThread *t;

    if (!thread) {
        return NULL;
    }
    t = g_new0(TesseraThread, 1);
    t->thread = thread;
    return t;
}

static void host_thread_join(void *opaque, TesseraThread *thread)
{
    g_thread_join(thread->thread);
    g_free(thread);
}

/* ---- life cycle ---- */

static const TesseraHostOps host_ops = {
    .map = host_map,
    .written = host_written,
    .vram_written = host_written,
    .irq = host_irq,
    .guest_ns = host_guest_ns,
    .log = host_log,
    .trace = host_trace,
    .thread_start = host_thread_start,
    .thread_join = host_thread_join,
};

/* Deadlines are on the clock of g_get_monotonic_time(). */
static void init_cond(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

ToolHost *tool_host_new(bool trace)
{
    ToolHost *host = g_new0(ToolHost, 1);

    host->ops.ops = &host_ops;
    host->ops.opaque = host;
    host->trace = trace;
    host->start_us = g_get_monotonic_time();
    host->next_bus = TOOL_HOST_RAM_BASE;
    host->blocks = g_array_new(FALSE, TRUE, sizeof(HostBlock));
    host->log = g_string_new("");
    pthread_mutex_init(&host->lock, NULL);
    init_cond(&host->irq_cond);
    return host;
}

void tool_host_free(ToolHost *host)
{
    if (!host) {
        return;
    }
    for (unsigned i = 0; i < host->blocks->len; i++) {
        HostBlock *block = &g_array_index(host->blocks, HostBlock, i);

        munmap(block->host, block->size);
    }
    g_array_unref(host->blocks);
    g_string_free(host->log, TRUE);
    pthread_mutex_destroy(&host->lock);
    pthread_cond_destroy(&host->irq_cond);
    g_free(host);
}

const TesseraHost *tool_host_ops(ToolHost *host)
{
    return &host->ops;
}
