/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs kernels on the device and natively and compares what they leave, bit
 * for bit.
 *
 *   differ NATIVE.so CODE_OBJECT...
 *
 * NATIVE.so has a table native_entries (kernel.h); each code object is made of
 * the same source.  One line a difference; the last is "N kernels, N runs,
 * N differ", and the exit status is 1 if any does.
 *
 * A native work-item is a context of its own that is left at each barrier.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include "tools/driver.h"

#define IN_WORDS 1024
#define ACC_WORDS 72
#define ITEM_WORDS 16
#define ITEMS_MAX 256
#define GROUPS_MAX 3
#define OUT_WORDS (ITEM_WORDS * ITEMS_MAX * GROUPS_MAX)
#define SHOWN 8 /* differences of a run */
#define STACK_SIZE (128u << 10)
#define RUN_TIMEOUT 300.0 /* seconds, under a sanitizer */

/* As in kernel.h. */
typedef struct NativeId {
    uint32_t x, y, group;
} NativeId;

typedef void NativeKernel(const uint32_t *in, uint32_t *out, uint32_t *acc,
                          uint32_t p0, uint64_t p1, float p2);

typedef struct NativeEntry {
    const char *name;
    NativeKernel *fn;
    uint32_t x, y, groups;
} NativeEntry;

typedef struct Memory {
    uint32_t in[IN_WORDS], acc[ACC_WORDS], out[OUT_WORDS];
} Memory;

typedef struct Arguments {
    uint64_t in, out, acc;
    uint32_t p0;
    uint64_t p1;
    float p2;
} Arguments;

/* ---- inputs ---- */

static uint64_t seed;

static uint64_t random64(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint32_t random_word(void)
{
    static const uint32_t edges[] = {
        0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
        0x80000000, 0xffffffff, 0x3f800000, 0xbfc00000, 0x00000001,
        0x007fffff, 0x7f7fffff, 0x7f800000, 0x3c003c00, 0x3ff00000,
    };

    switch (random64() % 4) {
    case 0:
        return edges[random64() % G_N_ELEMENTS(edges)];
    case 1:
        return random64() % 100;
    case 2: /* a float near 1 */
        return (random64() & 0x807fffff) | (120 + random64() % 16) << 23;
    default:
        return (uint32_t)random64();
    }
}

static void fill(Memory *m, Arguments *a, const char *name)
{
    seed = g_str_hash(name);
    memset(m, 0, sizeof(*m));
    for (unsigned i = 0; i < IN_WORDS; i++) {
        m->in[i] = random_word();
    }
    for (unsigned i = 0; i < ACC_WORDS; i++) {
        m->acc[i] = (uint32_t)random64();
    }
    a->p0 = random_word();
    a->p1 = random64();
    a->p2 = (int)(random64() % 2000) / 16.0f - 50;
}

/* ---- natively ---- */

static NativeId *current; /* the library's */
static ucontext_t scheduler, items[ITEMS_MAX];
static bool ended[ITEMS_MAX];
static unsigned running;
static const NativeEntry *entry;
static Memory *native;
static Arguments native_args;

static void barrier(void)
{
    swapcontext(&items[running], &scheduler);
}

static void item_main(void)
{
    entry->fn(native->in, native->out, native->acc, native_args.p0,
              native_args.p1, native_args.p2);
    ended[running] = true;
}

static void run_native_group(uint32_t group)
{
    static uint8_t *stacks;
    unsigned count = entry->x * entry->y, left = count;

    if (!stacks) {
        stacks = g_malloc(ITEMS_MAX * STACK_SIZE);
    }
    for (unsigned i = 0; i < count; i++) {
        ended[i] = false;
        getcontext(&items[i]);
        items[i].uc_stack.ss_sp = stacks + i * STACK_SIZE;
        items[i].uc_stack.ss_size = STACK_SIZE;
        items[i].uc_link = &scheduler;
        makecontext(&items[i], item_main, 0);
    }
    while (left) {
        for (running = 0; running < count; running++) {
            if (!ended[running]) {
                *current = (NativeId){ running % entry->x,
                                       running / entry->x, group };
                swapcontext(&scheduler, &items[running]);
                left -= ended[running];
            }
        }
    }
}

static void run_native(Memory *m, const Arguments *a)
{
    native = m;
    native_args = *a;
    for (uint32_t group = 0; group < entry->groups; group++) {
        run_native_group(group);
    }
}

/* ---- on the device ---- */

typedef struct Device {
    const char *path;
    CodeObject *co;
    Driver *driver;
    uint64_t base;
    uint8_t *host[3]; /* in, out, acc */
    uint64_t address[3];
} Device;

static void device_open(Device *d)
{
    static const uint64_t sizes[3] = { IN_WORDS * 4, OUT_WORDS * 4,
                                       ACC_WORDS * 4 };
    DriverConfig config = { .workers = 2,
                            .host_level = g_getenv("TESSERA_LEVEL"),
                            .vram_bytes = 64 << 20 };
    g_autoptr(GError) error = NULL;

    if (!d->co) {
        d->co = codeobj_load(d->path, NULL, &error);
        g_assert_no_error(error);
    }
    config.isa = codeobj_isa(d->co);
    d->driver = driver_new(&config, &error);
    g_assert_no_error(error);
    driver_load(d->driver, d->co, &d->base, &error);
    g_assert_no_error(error);
    for (int i = 0; i < 3; i++) {
        d->host[i] = driver_alloc(d->driver, i == 1 ? DRIVER_VRAM : DRIVER_RAM,
                                  sizes[i], &d->address[i], &error);
        g_assert_no_error(error);
    }
}

static bool run_device(Device *d, Memory *m, Arguments *a)
{
    const CodeKernel *kernel = codeobj_find_kernel(d->co, entry->name);
    uint8_t kernarg[4096] = { 0 };
    DriverLaunch launch = {
        .kernel = kernel, .base = d->base, .dims = 2,
        .grid = { entry->x * entry->groups, entry->y, 1 },
        .group = { entry->x, entry->y, 1 },
        .kernarg = kernarg, .timeout = RUN_TIMEOUT,
    };
    g_autoptr(GError) error = NULL;
    DriverOutcome outcome;

    g_assert_nonnull(kernel);
    g_assert_cmpuint(kernel->kernarg_size, <=, sizeof(kernarg));
    a->in = d->address[0];
    a->out = d->address[1];
    a->acc = d->address[2];
    memcpy(kernarg, a, sizeof(*a));
    memcpy(d->host[0], m->in, sizeof(m->in));
    memset(d->host[1], 0, sizeof(m->out));
    memcpy(d->host[2], m->acc, sizeof(m->acc));
    driver_run(d->driver, &launch, &outcome, &error);
    g_assert_no_error(error);
    if (outcome.status != DRIVER_DONE) {
        printf("%s in %s: %s at pc %#" PRIx64 "\n", entry->name, d->path,
               outcome.status == DRIVER_FAULTED ?
               driver_fault_text(outcome.fault.cause) : "never ends",
               outcome.fault.pc - d->base);
        driver_free(d->driver); /* its queue has stopped */
        device_open(d);
        return false;
    }
    memcpy(m->out, d->host[1], sizeof(m->out));
    memcpy(m->acc, d->host[2], sizeof(m->acc));
    return true;
}

/* ---- both ---- */

static bool same(const char *path, const char *what, const uint32_t *got,
                 const uint32_t *want, unsigned count)
{
    unsigned differ = 0;

    for (unsigned i = 0; i < count; i++) {
        if (got[i] != want[i] && differ++ < SHOWN) {
            printf("%s in %s: %s word %u: got %#x, natively %#x\n",
                   entry->name, path, what, i, got[i], want[i]);
        }
    }
    return !differ;
}

static unsigned compare(Device *devices, unsigned count)
{
    static Memory before, want, got;
    unsigned differ = 0;
    Arguments a = { 0 };

    g_assert_cmpuint(entry->x * entry->y, <=, ITEMS_MAX);
    g_assert_cmpuint(entry->groups, <=, GROUPS_MAX);
    fill(&before, &a, entry->name);
    want = before;
    run_native(&want, &a);
    for (unsigned i = 0; i < count; i++) {
        got = before;
        differ += !(run_device(&devices[i], &got, &a) &&
                    same(devices[i].path, "out", got.out, want.out,
                         OUT_WORDS) &&
                    same(devices[i].path, "acc", got.acc, want.acc,
                         ACC_WORDS));
    }
    return differ;
}

int main(int argc, char **argv)
{
    void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    unsigned kernels = 0, differ = 0, count = MAX(argc - 2, 0);
    g_autofree Device *devices = g_new0(Device, count);
    void (**hook)(void);

    if (!library) {
        fprintf(stderr, "differ: %s\n", argc > 2 ? dlerror() :
                "usage: differ NATIVE.so CODE_OBJECT...");
        return 2;
    }
    for (unsigned i = 0; i < count; i++) {
        devices[i].path = argv[i + 2];
        device_open(&devices[i]);
    }
    current = dlsym(library, "native_id");
    hook = dlsym(library, "native_barrier");
    *hook = barrier;
    for (entry = dlsym(library, "native_entries"); entry->name; entry++) {
        differ += compare(devices, count);
        kernels++;
    }
    for (unsigned i = 0; i < count; i++) {
        driver_free(devices[i].driver);
        codeobj_free(devices[i].co);
    }
    printf("%u kernels, %u runs, %u differ\n", kernels, kernels * count,
           differ);
    return differ != 0;
}
