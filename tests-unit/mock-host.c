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

/* ---- what takes time ---- */

static bool in_device(uint64_t bus, unsigned size)
{
    return bus >= MOCK_DEVICE_BASE && size <= MOCK_DEVICE_SIZE &&
           bus - MOCK_DEVICE_BASE <= MOCK_DEVICE_SIZE - size;
}

/* The last 4 KiB do not answer. */
static void access_device(MockHost *mock, TesseraRequest *r)
{
    uint64_t offset = r->bus - MOCK_DEVICE_BASE;

    g_assert_true(r->size == 1 || r->size == 2 || r->size == 4 ||
                  r->size == 8);
    g_assert_cmpuint(r->bus % r->size, ==, 0);
    r->failed = !in_device(r->bus, r->size) || offset >= 4096;
    if (r->failed) {
        return;
    }
    if (r->op == TESSERA_REQ_WRITE) {
        memcpy(mock->device + offset, &r->data, r->size);
        mock->device_writes++;
    } else {
        r->data = 0;
        memcpy(&r->data, mock->device + offset, r->size);
        mock->device_reads++;
    }
}

static void translate(MockHost *mock, TesseraRequest *r)
{
    uint64_t page = (r->bus - MOCK_RAM_BASE) / 4096;
    unsigned need = r->write ? 2 : 1;

    r->failed = r->bus < MOCK_RAM_BASE || page >= MOCK_PAGES ||
                !(mock->allowed[page] & need);
    if (!r->failed && !mock->forgetful) {
        mock->known[page] |= need;
    }
}

static void answer(MockHost *mock, TesseraRequest *r)
{
    pthread_mutex_lock(&mock->lock);
    if (r->op == TESSERA_REQ_TRANSLATE) {
        translate(mock, r);
    } else {
        access_device(mock, r);
    }
    pthread_mutex_unlock(&mock->lock);
    r->done(r);
}

static void mock_submit(void *opaque, TesseraRequest *r)
{
    MockHost *mock = opaque;
    bool slow;

    pthread_mutex_lock(&mock->lock);
    slow = mock->slow;
    mock->asked++;
    if (slow) {
        g_queue_push_tail(&mock->requests, r);
    }
    pthread_mutex_unlock(&mock->lock);
    if (!slow) {
        answer(mock, r);
    }
}

static bool mock_cancel(void *opaque, TesseraRequest *r)
{
    MockHost *mock = opaque;
    bool found;

    pthread_mutex_lock(&mock->lock);
    found = g_queue_remove(&mock->requests, r);
    mock->cancelled += found;
    pthread_mutex_unlock(&mock->lock);
    return found;
}

unsigned mock_host_waiting(MockHost *mock)
{
    unsigned waiting;

    pthread_mutex_lock(&mock->lock);
    waiting = mock->requests.length;
    pthread_mutex_unlock(&mock->lock);
    return waiting;
}

void mock_host_answer(MockHost *mock)
{
    for (unsigned left = mock_host_waiting(mock); left; left--) {
        TesseraRequest *r;

        pthread_mutex_lock(&mock->lock);
        r = g_queue_pop_head(&mock->requests);
        pthread_mutex_unlock(&mock->lock);
        if (r) { /* not cancelled meanwhile */
            answer(mock, r);
        }
    }
}

unsigned mock_host_asked(MockHost *mock)
{
    unsigned asked;

    pthread_mutex_lock(&mock->lock);
    asked = mock->asked;
    pthread_mutex_unlock(&mock->lock);
    return asked;
}

void mock_host_slow(MockHost *mock, bool slow)
{
    pthread_mutex_lock(&mock->lock);
    mock->slow = slow;
    pthread_mutex_unlock(&mock->lock);
}

void mock_host_again(MockHost *mock)
{
    pthread_mutex_lock(&mock->lock);
    mock->slow = mock->iommu = mock->forgetful = false;
    memset(mock->allowed, 3, sizeof(mock->allowed));
    pthread_mutex_unlock(&mock->lock);
    __atomic_store_n(&mock->offline, false, __ATOMIC_RELAXED);
}

void mock_host_zero(MockHost *mock)
{
    madvise(mock->ram, MOCK_RAM_SIZE, MADV_DONTNEED);
    madvise(mock->reported, MOCK_RAM_SIZE, MADV_DONTNEED);
}

void mock_host_iommu(MockHost *mock, bool on)
{
    pthread_mutex_lock(&mock->lock);
    mock->iommu = on;
    memset(mock->known, 0, sizeof(mock->known));
    pthread_mutex_unlock(&mock->lock);
}

/* Is the page known?  A host that has an IOMMU grants page by page. */
static bool behind_iommu(MockHost *mock, uint64_t bus, uint64_t *len,
                         bool write)
{
    uint64_t page = (bus - MOCK_RAM_BASE) / 4096;
    bool hidden;

    pthread_mutex_lock(&mock->lock);
    if (mock->iommu) {
        *len = MIN(*len, 4096 - bus % 4096);
    }
    hidden = mock->iommu && !(mock->known[page] & (write ? 2 : 1));
    pthread_mutex_unlock(&mock->lock);
    return hidden;
}

static TesseraMapKind mock_map(void *opaque, uint64_t bus, uint64_t *len,
                               bool write, uint8_t **host)
{
    MockHost *mock = opaque;

    bump(&mock->maps);
    if (__atomic_load_n(&mock->offline, __ATOMIC_RELAXED)) {
        return TESSERA_MAP_NONE;
    }
    if (in_device(bus, 1)) {
        *len = MIN(*len, MOCK_DEVICE_BASE + MOCK_DEVICE_SIZE - bus);
        return TESSERA_MAP_DEVICE;
    }
    if (bus - MOCK_RAM_BASE < MOCK_RAM_SIZE) {
        *len = MIN(*len, MOCK_RAM_BASE + MOCK_RAM_SIZE - bus);
        if (behind_iommu(mock, bus, len, write)) {
            return TESSERA_MAP_ASK;
        }
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
    .submit = mock_submit,
    .cancel = mock_cancel,
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
    pthread_mutex_init(&mock->lock, NULL);
    g_queue_init(&mock->requests);
    memset(mock->allowed, 3, sizeof(mock->allowed));
    return mock;
}

void mock_host_free(MockHost *mock)
{
    g_assert_cmpuint(mock->threads, ==, 0);
    g_assert_cmpuint(mock->bad_reports, ==, 0);
    g_assert_cmpuint(mock->requests.length, ==, 0);
    pthread_mutex_destroy(&mock->lock);
    munmap(mock->ram, MOCK_RAM_SIZE);
    munmap(mock->rom, MOCK_ROM_SIZE);
    munmap(mock->reported, MOCK_RAM_SIZE);
    g_free(mock);
}

void mock_host_advance(MockHost *mock, int64_t ns)
{
    __atomic_add_fetch(&mock->guest_ns, ns, __ATOMIC_RELAXED);
}
