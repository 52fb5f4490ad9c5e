/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest that means harm: whatever it stores wherever, QEMU lives on, and
 * after a reset the device works.  What single bad packets and descriptors do
 * is in test-queue.c and test-packet.c.
 */
#include "tessera-qtest.h"

#define RANDOM_SEEDS 8
#define RANDOM_STEPS 4000
#define NOWHERE 0x8000000000ull

/* ---- is it still there? ---- */

/* QEMU answers, and after a reset of its own the device runs a packet. */
static void check_alive(TqGpu *gpu)
{
    QDict *status = qtest_qmp(gpu->qts, "{'execute': 'query-status'}");
    TqQueue q;
    AqlBarrier barrier;

    g_assert_true(qdict_haskey(status, "return"));
    qobject_unref(status);
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, TESSERA_MAGIC);
    q = tq_queue(gpu, 7);
    barrier = (AqlBarrier) {
        .header = TQ_HEADER(AQL_TYPE_BARRIER_AND),
        .completion_signal = tq_signal(gpu, 1),
    };
    tq_push(&q, &barrier);
    g_assert_true(tq_wait64(gpu, barrier.completion_signal +
                            TQ_SIGNAL_VALUE, 0));
}

/* ---- registers of every size and alignment ---- */

static uint64_t read_sized(TqGpu *gpu, uint64_t at, unsigned size)
{
    switch (size) {
    case 1:
        return qtest_readb(gpu->qts, at);
    case 2:
        return qtest_readw(gpu->qts, at);
    case 4:
        return qtest_readl(gpu->qts, at);
    default:
        return qtest_readq(gpu->qts, at);
    }
}

static void write_sized(TqGpu *gpu, uint64_t at, uint64_t value,
                        unsigned size)
{
    switch (size) {
    case 1:
        qtest_writeb(gpu->qts, at, value);
        break;
    case 2:
        qtest_writew(gpu->qts, at, value);
        break;
    case 4:
        qtest_writel(gpu->qts, at, value);
        break;
    default:
        qtest_writeq(gpu->qts, at, value);
        break;
    }
}

/* Every offset of [@first, @first + @len), every size, straddling ones too. */
static void sweep(TqGpu *gpu, uint64_t first, unsigned len, uint64_t value)
{
    for (uint64_t at = first; at < first + len; at++) {
        for (unsigned size = 1; size <= 8; size *= 2) {
            read_sized(gpu, at, size);
            write_sized(gpu, at, value, size);
        }
    }
}

static void test_every_access(void)
{
    static const uint64_t values[] = { 0, UINT64_MAX, 0x8000000180000001 };
    TqGpu *gpu = tq_start("");

    for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
        sweep(gpu, gpu->regs, 0x700, values[i]);
        sweep(gpu, gpu->regs + 0x4000, 0x80, values[i]);
        sweep(gpu, gpu->regs + 0x4fc0, 0x80, values[i]);
        sweep(gpu, gpu->regs + TESSERA_FLUSH_PAGE - 8, 16, values[i]);
        sweep(gpu, gpu->regs + TESSERA_REGS_SIZE - 16, 9, values[i]);
        sweep(gpu, gpu->msix, 0x50, values[i]);
        sweep(gpu, gpu->doorbells, 0x20, values[i]);
        sweep(gpu, gpu->doorbells + TESSERA_VMIDS * TESSERA_SLICE_SIZE - 16,
              9, values[i]);
    }
    check_alive(gpu);
    tq_end(gpu);
}

/* Doorbells that no queue has claimed, those of other VMIDs among them. */
static void test_stray_doorbells(void)
{
    TqGpu *gpu = tq_start("");

    for (unsigned i = 0; i < TESSERA_VMIDS * TESSERA_SLICE_DOORBELLS;
         i += 61) {
        qtest_writeq(gpu->qts, gpu->doorbells + i * 8ull, UINT64_MAX - i);
    }
    check_alive(gpu);
    tq_end(gpu);
}

/* ---- random accesses, the same ones every time ---- */

typedef struct Random {
    uint64_t state;
} Random;

static uint32_t random32(Random *r) /* xorshift64*, Vigna 2014 */
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (r->state * 0x2545f4914f6cdd1dull) >> 32;
}

/* Values that guests are fond of: small, all ones, addresses, anything. */
static uint64_t random_value(Random *r, TqGpu *gpu)
{
    uint64_t any = (uint64_t)random32(r) << 32 | random32(r);

    switch (random32(r) % 6) {
    case 0:
        return any & 0xff;
    case 1:
        return UINT64_MAX - (any & 0xff);
    case 2:
        return any % TQ_RAM_SIZE & ~63ull;
    case 3:
        return gpu->regs + (any & 0xffff);
    case 4:
        return TESSERA_VRAM_WINDOW + any % (2ull * TQ_VRAM_SIZE);
    default:
        return any;
    }
}

/* Mostly registers that exist; else doorbells, MSI-X, memory. */
static void random_step(Random *r, TqGpu *gpu)
{
    unsigned size = 1u << random32(r) % 4;
    uint64_t value = random_value(r, gpu);
    uint64_t at;

    switch (random32(r) % 8) {
    case 0:
        at = gpu->doorbells + random32(r) % (TESSERA_VMIDS *
                                             TESSERA_SLICE_SIZE - 8);
        break;
    case 1:
        at = gpu->msix + random32(r) % 0x60;
        break;
    case 2:
        qtest_writeq(gpu->qts, random32(r) % (TQ_RAM_SIZE / 2) & ~7ull,
                     value);
        return;
    case 3:
        at = gpu->regs + 0x4000 + random32(r) % 0x1000;
        break;
    default:
        size = MAX(size, 4);
        at = gpu->regs + (random32(r) % 0x700 & ~3u);
    }
    if (random32(r) % 4) {
        write_sized(gpu, at, value, size);
    } else {
        read_sized(gpu, at, size);
    }
}

static void test_random(const void *data)
{
    Random r = { 0x9e3779b97f4a7c15ull * (1 + GPOINTER_TO_UINT(data)) };
    TqGpu *gpu = tq_start(GPOINTER_TO_UINT(data) & 1 ? ",workers=1" : "");

    for (unsigned i = 0; i < RANDOM_STEPS; i++) {
        random_step(&r, gpu);
    }
    check_alive(gpu);
    tq_end(gpu);
}

/* ---- structures that lie in the device's own BARs, or nowhere ---- */

typedef enum Structure {
    AT_COMMAND,
    AT_FENCE,
    AT_DESCRIPTOR,
    AT_RING,
    AT_READ_INDEX,
    AT_WRITE_INDEX,
    AT_SIGNAL,
    AT_IH_RING,
    AT_IH_WPTR,
    STRUCTURES
} Structure;

static const char *const structure_names[STRUCTURES] = {
    "command", "fence", "descriptor", "ring", "read-index", "write-index",
    "signal", "ih-ring", "ih-wptr",
};

static const char *const place_names[] = {
    "registers", "command-register", "msix", "doorbells", "vram-end",
    "nowhere", "top",
};

static uint64_t place(TqGpu *gpu, unsigned index)
{
    const uint64_t places[] = {
        gpu->regs,
        gpu->regs + TESSERA_REG_CMD_ADDR,
        gpu->msix,
        gpu->doorbells,
        gpu->vram + TQ_VRAM_SIZE - 64,
        NOWHERE,
        -64ull,
    };

    QEMU_BUILD_BUG_ON(ARRAY_SIZE(places) != ARRAY_SIZE(place_names));
    return places[index];
}

/* Map and ring a queue whose parts lie where @what says, and let it fail. */
static void use_structure(TqGpu *gpu, Structure what, uint64_t at)
{
    TqQueue q = tq_queue_prepare(gpu, 3, 16);
    TesseraCommand command = tq_command_init(TESSERA_CMD_MAP, 3);
    AqlBarrier barrier = {
        .header = TQ_HEADER(AQL_TYPE_BARRIER_AND),
        .completion_signal = what == AT_SIGNAL ? at : tq_signal(gpu, 1),
    };
    uint64_t place_of_command = tq_alloc(gpu, sizeof(command));
    TesseraQueue desc;

    if (what == AT_IH_RING || what == AT_IH_WPTR) {
        tq_ring_enable(gpu, 4);
        tq_write64(gpu, what == AT_IH_RING ? TESSERA_REG_IH_BASE
                                           : TESSERA_REG_IH_WPTR_ADDR, at);
        tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    }
    tq_get(gpu, q.descriptor, &desc, sizeof(desc));
    desc.ring = what == AT_RING ? at : desc.ring;
    desc.read_index_addr = what == AT_READ_INDEX ? at : desc.read_index_addr;
    desc.write_index_addr = what == AT_WRITE_INDEX ? at
                                                   : desc.write_index_addr;
    tq_put(gpu, q.descriptor, &desc, sizeof(desc));
    command.descriptor = what == AT_DESCRIPTOR ? at : q.descriptor;
    command.fence_addr = what == AT_FENCE ? at : tq_alloc(gpu, 8);
    command.fence_value = 0x1234;
    tq_put(gpu, place_of_command, &command, sizeof(command));
    tq_write64(gpu, TESSERA_REG_CMD_ADDR,
               what == AT_COMMAND ? at : place_of_command);
    tq_settle(gpu);
    tq_push(&q, &barrier);
    tq_settle(gpu);
}

static void test_structure(const void *data)
{
    Structure what = GPOINTER_TO_UINT(data);
    TqGpu *gpu = tq_start("");

    for (unsigned i = 0; i < ARRAY_SIZE(place_names); i++) {
        g_test_message("%s in %s", structure_names[what], place_names[i]);
        use_structure(gpu, what, place(gpu, i));
        check_alive(gpu);
        tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    }
    tq_end(gpu);
}

/* ---- memory that changes while the device reads it ---- */

/* A shader that scribbles over [@at, @at + @mask] until it is killed. */
static TqQueue start_scribbler(TqGpu *gpu, unsigned slot, uint64_t at,
                               uint32_t mask)
{
    TqQueue q = tq_queue(gpu, slot);
    uint64_t kernarg = tq_alloc(gpu, 64);
    AqlDispatch packet;

    tq_put64(gpu, kernarg, at);
    tq_put32(gpu, kernarg + 8, mask);
    packet = tq_dispatch(gpu, tq_shader(gpu, "scribble", false), kernarg, 128,
                         64);
    tq_push(&q, &packet);
    return q;
}

/* A queue's ring, AmdQueue and signals are overwritten while it runs. */
static void test_changing_queue(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t area = (tq_alloc(gpu, 32768) + 16383) & ~16383ull;
    TqQueue victim = tq_queue_prepare(gpu, 2, 64);
    TqQueue scribbler = start_scribbler(gpu, 1, area, 0x3ffc);
    TesseraQueue desc;

    tq_get(gpu, victim.descriptor, &desc, sizeof(desc));
    desc.ring = area;
    desc.read_index_addr = area + 8192;
    desc.write_index_addr = area + 8192 + 64;
    for (int i = 0; i < 40; i++) {
        tq_put(gpu, victim.descriptor, &desc, sizeof(desc));
        tq_queue_map(&victim);
        for (int n = 0; n < 20; n++) {
            qtest_writeq(gpu->qts, gpu->doorbells + victim.doorbell * 8ull,
                         n);
        }
        tq_queue_kill(&victim);
    }
    g_assert_cmpint(tq_queue_kill(&scribbler), ==, TESSERA_RESULT_OK);
    check_alive(gpu);
    tq_end(gpu);
}

/* Commands and descriptors are overwritten while they are carried out. */
static void test_changing_command(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t area = (tq_alloc(gpu, 2048) + 1023) & ~1023ull;
    TesseraCommand command = tq_command_init(TESSERA_CMD_MAP, 9);

    command.descriptor = area + 512;
    tq_put(gpu, area, &command, sizeof(command));
    start_scribbler(gpu, 1, area, 0x3fc);
    for (int i = 0; i < 1000; i++) {
        tq_write64(gpu, TESSERA_REG_CMD_ADDR, area + i % 8 * 64);
    }
    check_alive(gpu); /* its reset ends the scribbler and what waits */
    tq_end(gpu);
}

static bool has_error(TqQueue *q)
{
    return tq_get64(q->gpu, q->inactive + TQ_SIGNAL_VALUE);
}

/* The interrupt ring's memory and a page of code change under the device. */
static void test_changing_code(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t code = tq_shader(gpu, "endless", false);
    uint64_t page = code & ~4095ull;
    uint64_t kernarg = tq_alloc(gpu, 64);
    TqQueue scribbler, victim = tq_queue(gpu, 2);
    AqlDispatch packet;

    tq_put64(gpu, kernarg, tq_alloc(gpu, 64));
    packet = tq_dispatch(gpu, code, kernarg, 64, 64);
    scribbler = start_scribbler(gpu, 1, page, 0xffc);
    for (int i = 0; i < 50; i++) {
        tq_push(&victim, &packet);
        /* What is scribbled may be endless as well. */
        for (int n = 0; n < 10 && !has_error(&victim); n++) {
            tq_settle(gpu);
        }
        tq_queue_kill(&victim);
        victim = tq_queue(gpu, 2);
    }
    tq_queue_kill(&scribbler);
    check_alive(gpu);
    tq_end(gpu);
}

/* ---- floods ---- */

/* Interrupts masked for ever, and a ring that nobody reads. */
static void test_masked_for_ever(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t target = tq_msix_enable(gpu, 0, 0x55);

    tq_ring_enable(gpu, 4);
    tq_config_write(gpu, gpu->msix_cap + 2, 0xc000, 2); /* function mask */
    for (int i = 0; i < 20000; i++) {
        tq_write(gpu, TESSERA_REG_TEST_IRQ, i);
    }
    tq_settle(gpu);
    g_assert_cmphex(tq_get32(gpu, target), ==, 0);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_IH_STATUS) &
                    TESSERA_IH_STATUS_OVERFLOW_MASK, !=, 0);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_IH_WPTR), <=, 16);
    check_alive(gpu);
    tq_end(gpu);
}

/* A reset in the middle of a flood of commands leaves nothing behind. */
static void test_command_flood(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue_prepare(gpu, 4, 16);
    TesseraCommand command = tq_command_init(TESSERA_CMD_MAP, 4);
    uint64_t at = tq_alloc(gpu, sizeof(command));

    command.descriptor = q.descriptor;
    tq_put(gpu, at, &command, sizeof(command));
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 100; i++) {
            tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
        }
        tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
        tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 4);
        g_assert_cmpuint(tq_read(gpu, TESSERA_REG_QUEUE_STATE), ==, 0);
    }
    check_alive(gpu);
    tq_end(gpu);
}

/* ---- sizes that overflow ---- */

typedef struct Overflow {
    const char *name;
    uint64_t ring;        /* 0: a good one */
    uint32_t packets;     /* 0: 16 */
    uint32_t grid[3];     /* 0: 64, 1, 1 */
    uint32_t private_size;
    uint32_t group_size;
} Overflow;

static const Overflow overflows[] = {
    { .name = "ring-past-2^64", .ring = -1024ull },
    { .name = "ring-of-2^20-past-2^64", .ring = -64ull, .packets = 1 << 20 },
    { .name = "grid-2^96", .grid = { UINT32_MAX, UINT32_MAX, UINT32_MAX } },
    { .name = "private-2^32", .private_size = UINT32_MAX },
    { .name = "private-2^31", .private_size = 1u << 31 },
    { .name = "lds-2^32", .group_size = UINT32_MAX },
};

static void test_overflow(const void *data)
{
    const Overflow *o = data;
    TqGpu *gpu = tq_start(",hang-timeout=200");
    TqQueue q = tq_queue_prepare(gpu, 0, 16);
    uint64_t kernarg = tq_alloc(gpu, 64);
    AqlDispatch packet;
    TesseraQueue desc;

    tq_get(gpu, q.descriptor, &desc, sizeof(desc));
    desc.ring = o->ring ?: desc.ring;
    desc.ring_packets = o->packets ?: desc.ring_packets;
    tq_put(gpu, q.descriptor, &desc, sizeof(desc));
    tq_queue_map(&q);
    tq_put64(gpu, kernarg, tq_alloc(gpu, 65536));
    packet = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg, 64,
                         64);
    packet.setup = 3;
    packet.group_y = packet.group_z = 1;
    packet.grid_x = o->grid[0] ?: packet.grid_x;
    packet.grid_y = o->grid[1] ?: 1;
    packet.grid_z = o->grid[2] ?: 1;
    packet.private_size = o->private_size;
    packet.group_size = o->group_size;
    tq_push(&q, &packet);
    tq_settle(gpu);
    check_alive(gpu);
    tq_end(gpu);
}

static void add_structure_tests(void)
{
    for (unsigned i = 0; i < STRUCTURES; i++) {
        g_autofree char *path = g_strdup_printf("/hostile/own-bars/%s",
                                                structure_names[i]);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_structure);
    }
}

static void add_random_tests(void)
{
    for (unsigned i = 0; i < RANDOM_SEEDS; i++) {
        g_autofree char *path = g_strdup_printf("/hostile/random/%u", i);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_random);
    }
}

static void add_overflow_tests(void)
{
    for (unsigned i = 0; i < ARRAY_SIZE(overflows); i++) {
        g_autofree char *path = g_strdup_printf("/hostile/overflow/%s",
                                                overflows[i].name);

        g_test_add_data_func(path, &overflows[i], test_overflow);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/hostile/every-access", test_every_access);
    g_test_add_func("/hostile/stray-doorbells", test_stray_doorbells);
    g_test_add_func("/hostile/changing/queue", test_changing_queue);
    g_test_add_func("/hostile/changing/command", test_changing_command);
    g_test_add_func("/hostile/changing/code", test_changing_code);
    g_test_add_func("/hostile/masked-for-ever", test_masked_for_ever);
    g_test_add_func("/hostile/command-flood", test_command_flood);
    add_random_tests();
    add_structure_tests();
    add_overflow_tests();
    return g_test_run();
}
