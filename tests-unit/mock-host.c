/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include "tests-unit/mock-host.h"

struct TesseraThread {
    pthread_t id;
};

static unsigned bump(unsigned *counter)
{
    return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static TesseraMapKind mock_map(void *opaque, uint64_t bus, uint64_t *len,
                               bool write, uint8_t **host)
{
    MockHost *mock = opaque;

    bump(&mock->maps);
    if (__atomic_load_n(&mock->offline, __ATOMIC_RELAXED)) {
        return TESSERA_MAP_NONE;
    }
    if (bus - MOCK_RAM_BASE < MOCK_RAM_SIZE) {
        *len = MIN(*len, MOCK_RAM_BASE + MOCK_RAM_SIZE - bus);
        *host = mock->ram + (bus - MOCK_RAM_BASE);
        return TESSERA_MAP_RAM;
    }
    if (!write && bus - MOCK_ROM_BASE < MOCK_ROM_SIZE) {
        *len = MIN(*len, MOCK_ROM_BASE + MOCK_ROM_SIZE - bus);
        *host = mock->rom + (bus - MOCK_ROM_BASE);
        return TESSERA_MAP_RAM;
    }
    return TESSERA_MAP_NONE;
}

static void mock_written(void *opaque, uint64_t bus, uint64_t len)
{
    MockHost *mock = opaque;

    if (bus - MOCK_RAM_BASE >= MOCK_RAM_SIZE ||
        len > MOCK_RAM_BASE + MOCK_RAM_SIZE - bus) {
        bump(&mock->bad_reports);
        return;
    }
    for (uint64_t i = 0; i < len; i++) {
        __atomic_store_n(&mock->reported[bus - MOCK_RAM_BASE + i], 1,
                         __ATOMIC_RELAXED);
    }
}

static void mock_vram_written(void *opaque, uint64_t offset, uint64_t len)
{
    bump(&((MockHost *)opaque)->vram_reports);
}

static void mock_irq(void *opaque, unsigned vector)
{
    bump(&((MockHost *)opaque)->irqs);
}

static int64_t mock_guest_ns(void *opaque)
{
    return __atomic_load_n(&((MockHost *)opaque)->guest_ns, __ATOMIC_RELAXED);
}

static void mock_log(void *opaque, TesseraLogLevel level, const char *text)
{
    MockHost *mock = opaque;

    bump(&mock->logs);
    if (level == TESSERA_LOG_GUEST_ERROR) {
        bump(&mock->guest_errors);
    }
    if (g_getenv("MOCK_LOG")) {
        g_printerr("# %s\n", text);
    }
}

static void mock_trace(void *opaque, const char *event, uint64_t a,
                       uint64_t b, uint64_t c)
{
    bump(&((MockHost *)opaque)->traces);
    if (g_getenv("MOCK_TRACE")) {
        g_printerr("# %s %#" G_GINT64_MODIFIER "x %#" G_GINT64_MODIFIER "x %#"
                   G_GINT64_MODIFIER "x\n", event, a, b, c);
    }
}

static TesseraThread *mock_thread_start(void *opaque, const char *name,
                                        void *(*fn)(void *), void *arg)
{
    MockHost *mock = opaque;
    TesseraThread *thread;

    if (mock->threads == mock->threads_max) {
        return NULL;
    }
    mock->threads++;
    thread = g_new0(TesseraThread, 1);
    pthread_create(&thread->id, NULL, fn, arg);
    return thread;
}

static void mock_thread_join(void *opaque, TesseraThread *thread)
{
    pthread_join(thread->id, NULL);
    ((MockHost *)opaque)->threads--;
    g_free(thread);
}

static const TesseraHostOps mock_ops = {
    .map = mock_map,
    .written = mock_written,
    .vram_written = mock_vram_written,
    .irq = mock_irq,
    .guest_ns = mock_guest_ns,
    .log = mock_log,
    .trace = mock_trace,
    .thread_start = mock_thread_start,
    .thread_join = mock_thread_join,
};

/* Costs nothing until it is touched. */
static uint8_t *zero_pages(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    g_assert_true(pages != MAP_FAILED);
    return pages;
}

void mock_host_move_ram(MockHost *mock)
{
    uint8_t *moved = zero_pages(MOCK_RAM_SIZE);

    memcpy(moved, mock->ram, MOCK_RAM_SIZE);
    munmap(mock->ram, MOCK_RAM_SIZE);
    mock->ram = moved;
}

MockHost *mock_host_new(void)
{
    MockHost *mock = g_new0(MockHost, 1);

    mock->host.ops = &mock_ops;
    mock->host.opaque = mock;
    mock->ram = zero_pages(MOCK_RAM_SIZE);
    mock->rom = zero_pages(MOCK_ROM_SIZE);
    mock->reported = zero_pages(MOCK_RAM_SIZE);
    mock->guest_ns = 1000000;
    mock->threads_max = 100;
    return mock;
}

void mock_host_free(MockHost *mock)
{
    g_assert_cmpuint(mock->threads, ==, 0);
    g_assert_cmpuint(mock->bad_reports, ==, 0);
    munmap(mock->ram, MOCK_RAM_SIZE);
    munmap(mock->rom, MOCK_ROM_SIZE);
    munmap(mock->reported, MOCK_RAM_SIZE);
    g_free(mock);
}

void mock_host_advance(MockHost *mock, int64_t ns)
{
    __atomic_add_fetch(&mock->guest_ns, ns, __ATOMIC_RELAXED);
}
