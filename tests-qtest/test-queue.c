/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues and the commands on them: life cycle, and what is refused. */
#include "tessera-qtest.h"

#define NOWHERE 0x8000000000ull /* a bus address with nothing behind it */
#define RAM_ODD 0x1000020 /* in RAM, but not 64-byte aligned */

static uint32_t queue_state(TqGpu *gpu, unsigned slot)
{
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, slot);
    return tq_read(gpu, TESSERA_REG_QUEUE_STATE);
}

static AqlBarrier barrier(TqGpu *gpu)
{
    return (AqlBarrier) {
        .header = TQ_HEADER(AQL_TYPE_BARRIER_AND),
        .completion_signal = tq_signal(gpu, 1),
    };
}

static bool completes(TqQueue *q)
{
    AqlBarrier b = barrier(q->gpu);

    tq_push(q, &b);
    return tq_wait64(q->gpu, b.completion_signal + TQ_SIGNAL_VALUE, 0);
}

static void test_map_unmap(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue_prepare(gpu, 5, 16);

    for (int i = 0; i < 3; i++) {
        g_assert_cmpuint(queue_state(gpu, 5), ==, 0);
        g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
        g_assert_cmpuint(queue_state(gpu, 5), ==, 1);
        g_assert_true(completes(&q));
        g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
        g_assert_cmpuint(queue_state(gpu, 5), ==, 0);
    }
    g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
    g_assert_cmpint(tq_queue_kill(&q), ==, TESSERA_RESULT_OK);
    g_assert_cmpuint(queue_state(gpu, 5), ==, 0);
    tq_end(gpu);
}

/* Fence, event with the fence's value, interrupt, count of commands. */
static void test_command_end(void)
{
    TqGpu *gpu = tq_start("");
    uint64_t ring = tq_ring_enable(gpu, 6);
    uint64_t msi = tq_msix_enable(gpu, 0, 0x77);
    uint32_t done = tq_read(gpu, TESSERA_REG_CMD_DONE);
    uint64_t at = tq_alloc(gpu, sizeof(TesseraCommand));
    TqQueue q = tq_queue_prepare(gpu, 1023, 16);
    TesseraCommand c = tq_command_init(TESSERA_CMD_MAP, 1023);
    TesseraIhEntry e;

    c.descriptor = q.descriptor;
    c.fence_addr = tq_alloc_vram(gpu, 8);
    c.fence_value = 0x1122334455667788;
    tq_put(gpu, at, &c, sizeof(c));
    /* In two halves: the high one submits. */
    tq_write(gpu, TESSERA_REG_CMD_ADDR, at);
    tq_write(gpu, TESSERA_REG_CMD_ADDR + 4, at >> 32);
    g_assert_true(tq_wait64(gpu, c.fence_addr, c.fence_value));
    g_assert_cmpuint(tq_get32(gpu, at + offsetof(TesseraCommand, result)),
                     ==, TESSERA_RESULT_OK);
    g_assert_true(tq_ring_wait(gpu, ring, 6, 0, &e));
    g_assert_cmpuint(e.source, ==, TESSERA_IH_COMMAND);
    g_assert_cmphex(e.data, ==, c.fence_value);
    g_assert_true(tq_wait32(gpu, msi, 0x77));
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_CMD_DONE, ~0u, done + 1));
    tq_end(gpu);
}

typedef struct BadWord {
    const char *name;
    unsigned offset; /* of a 32-bit word */
    uint32_t value;
    int result;
} BadWord;

static const BadWord bad_commands[] = {
    { "size", offsetof(TesseraCommand, size), 60, TESSERA_RESULT_BAD_COMMAND },
    { "size-0", offsetof(TesseraCommand, size), 0,
      TESSERA_RESULT_BAD_COMMAND },
    { "version", offsetof(TesseraCommand, version), 2,
      TESSERA_RESULT_BAD_COMMAND },
    { "op-0", offsetof(TesseraCommand, op), 0, TESSERA_RESULT_BAD_COMMAND },
    { "op", offsetof(TesseraCommand, op), 99, TESSERA_RESULT_BAD_COMMAND },
    { "reserved", offsetof(TesseraCommand, reserved[3]), 1,
      TESSERA_RESULT_BAD_COMMAND },
    { "slot", offsetof(TesseraCommand, slot), 1024, TESSERA_RESULT_BAD_SLOT },
    { "slot-max", offsetof(TesseraCommand, slot), ~0u,
      TESSERA_RESULT_BAD_SLOT },
    { "descriptor-unmapped", offsetof(TesseraCommand, descriptor) + 4,
      NOWHERE >> 32, TESSERA_RESULT_BAD_DESCRIPTOR },
    { "descriptor-misaligned", offsetof(TesseraCommand, descriptor),
      RAM_ODD, TESSERA_RESULT_BAD_DESCRIPTOR },
};

static const BadWord bad_descriptors[] = {
    { "size", offsetof(TesseraQueue, size), 64,
      TESSERA_RESULT_BAD_DESCRIPTOR },
    { "version", offsetof(TesseraQueue, version), 0,
      TESSERA_RESULT_BAD_DESCRIPTOR },
    { "vmid", offsetof(TesseraQueue, vmid), TESSERA_VMIDS,
      TESSERA_RESULT_BAD_DESCRIPTOR },
    { "doorbell", offsetof(TesseraQueue, doorbell), 1024,
      TESSERA_RESULT_BAD_DOORBELL },
    { "doorbell-max", offsetof(TesseraQueue, doorbell), ~0u,
      TESSERA_RESULT_BAD_DOORBELL },
    { "ring-misaligned", offsetof(TesseraQueue, ring), RAM_ODD,
      TESSERA_RESULT_BAD_RING },
    { "packets-0", offsetof(TesseraQueue, ring_packets), 0,
      TESSERA_RESULT_BAD_RING },
    { "packets-2", offsetof(TesseraQueue, ring_packets), 2,
      TESSERA_RESULT_BAD_RING },
    { "packets-48", offsetof(TesseraQueue, ring_packets), 48,
      TESSERA_RESULT_BAD_RING },
    { "packets-2^21", offsetof(TesseraQueue, ring_packets), 1 << 21,
      TESSERA_RESULT_BAD_RING },
    { "priority", offsetof(TesseraQueue, priority), 16,
      TESSERA_RESULT_BAD_DESCRIPTOR },
    { "reserved", offsetof(TesseraQueue, reserved[10]), 1,
      TESSERA_RESULT_BAD_DESCRIPTOR },
};

/* A refused command changes nothing; the next good one works. */
static void check_good_map(TqGpu *gpu, TqQueue *q)
{
    g_assert_cmpuint(queue_state(gpu, q->slot), ==, 0);
    g_assert_cmpint(tq_queue_map(q), ==, TESSERA_RESULT_OK);
    g_assert_true(completes(q));
}

static void test_bad_command(const void *data)
{
    const BadWord *bad = data;
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue_prepare(gpu, 3, 16);
    TesseraCommand c = tq_command_init(TESSERA_CMD_MAP, 3);

    c.descriptor = q.descriptor;
    memcpy((char *)&c + bad->offset, &bad->value, 4);
    g_assert_cmpint(tq_command(gpu, c), ==, bad->result);
    check_good_map(gpu, &q);
    tq_end(gpu);
}

static void test_bad_descriptor(const void *data)
{
    const BadWord *bad = data;
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue_prepare(gpu, 3, 16);
    uint32_t good = tq_get32(gpu, q.descriptor + bad->offset);

    tq_put32(gpu, q.descriptor + bad->offset, bad->value);
    g_assert_cmpint(tq_queue_map(&q), ==, bad->result);
    tq_put32(gpu, q.descriptor + bad->offset, good);
    check_good_map(gpu, &q);
    tq_end(gpu);
}

static void test_slot_in_use(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    TqQueue other = tq_queue_prepare(gpu, 9, 16);

    g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_BAD_SLOT);
    g_assert_cmpint(tq_queue_unmap(&other), ==, TESSERA_RESULT_BAD_SLOT);
    g_assert_cmpint(tq_queue_kill(&other), ==, TESSERA_RESULT_BAD_SLOT);
    tq_put32(gpu, other.descriptor + offsetof(TesseraQueue, doorbell), 0);
    g_assert_cmpint(tq_queue_map(&other), ==, TESSERA_RESULT_BAD_DOORBELL);
    g_assert_true(completes(&q));
    /* Once the first is gone, its doorbell may be had. */
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
    other.doorbell = 0;
    check_good_map(gpu, &other);
    tq_end(gpu);
}

/* A command that cannot even report its error shows in CMD_STATUS. */
static void test_unreadable_command(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue_prepare(gpu, 3, 16);

    tq_write64(gpu, TESSERA_REG_CMD_ADDR, NOWHERE);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_CMD_STATUS,
                              TESSERA_CMD_STATUS_REFUSED_MASK,
                              TESSERA_CMD_STATUS_REFUSED_MASK));
    tq_write(gpu, TESSERA_REG_CMD_STATUS, TESSERA_CMD_STATUS_REFUSED_MASK);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_CMD_STATUS), ==, 0);
    check_good_map(gpu, &q);
    tq_end(gpu);
}

/* While the VM is stopped commands wait; the 65th is dropped, and says so. */
static void test_too_many_commands(void)
{
    TqGpu *gpu = tq_start("");
    uint32_t done = tq_read(gpu, TESSERA_REG_CMD_DONE);
    uint64_t at = tq_alloc(gpu, sizeof(TesseraCommand));
    TesseraCommand c = tq_command_init(TESSERA_CMD_UNMAP, 0);

    tq_put(gpu, at, &c, sizeof(c));
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    for (int i = 0; i < 64; i++) {
        tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    }
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_CMD_STATUS), ==, 0);
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_CMD_STATUS), ==,
                    TESSERA_CMD_STATUS_DROPPED_MASK);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_CMD_DONE), ==, done);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_CMD_DONE, ~0u, done + 64));
    tq_end(gpu);
}

/* Packets are taken in order, round and round a small ring. */
static void test_ring_wraps(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue_prepare(gpu, 0, 4);
    uint64_t read_index = q.amd_queue + offsetof(AmdQueue, read_dispatch_id);

    g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
    for (unsigned i = 0; i < 21; i++) {
        uint64_t slot = q.ring + (i % 4) * AQL_PACKET_SIZE;

        g_assert_true(completes(&q));
        g_assert_true(tq_wait64(gpu, read_index, i + 1));
        g_assert_cmpuint(tq_get32(gpu, slot) & 0xff, ==, AQL_TYPE_INVALID);
    }
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 0);
    g_assert_cmpuint(tq_read64(gpu, TESSERA_REG_QUEUE_READ_INDEX), ==, 21);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_QUEUE_INFLIGHT), ==, 0);
    tq_end(gpu);
}

/* One kick, many packets; and packets without a kick are left alone. */
static void test_doorbell_is_a_kick(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    AqlBarrier b[10];

    for (int i = 0; i < 10; i++) {
        b[i] = barrier(gpu);
        tq_put_packet(&q, &b[i]);
    }
    tq_settle(gpu);
    g_assert_cmpint(tq_get64(gpu, b[0].completion_signal + TQ_SIGNAL_VALUE),
                    ==, 1);
    tq_ring_doorbell(&q);
    for (int i = 0; i < 10; i++) {
        g_assert_true(tq_wait64(gpu, b[i].completion_signal + TQ_SIGNAL_VALUE,
                                0));
    }
    tq_end(gpu);
}

/* All slots at once; reset frees them. */
static void test_every_slot(void)
{
    TqGpu *gpu = tq_start("");

    for (unsigned slot = 0; slot < TESSERA_QUEUES; slot++) {
        TqQueue q = tq_queue_prepare(gpu, slot, 4);

        g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
        if (slot % 64 == 0 || slot == TESSERA_QUEUES - 1) {
            g_assert_true(completes(&q));
        }
    }
    g_assert_cmpuint(queue_state(gpu, 0), ==, 1);
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    g_assert_cmpuint(queue_state(gpu, 0), ==, 0);
    g_assert_cmpuint(queue_state(gpu, TESSERA_QUEUES - 1), ==, 0);
    tq_end(gpu);
}

static void add_table(const char *prefix, const BadWord *table, size_t n,
                      void (*fn)(const void *data))
{
    for (size_t i = 0; i < n; i++) {
        g_autofree char *path = g_strdup_printf("%s/%s", prefix,
                                                table[i].name);
        g_test_add_data_func(path, &table[i], fn);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/queue/map-unmap", test_map_unmap);
    g_test_add_func("/queue/ring-wraps", test_ring_wraps);
    g_test_add_func("/queue/doorbell-is-a-kick", test_doorbell_is_a_kick);
    g_test_add_func("/queue/slot-in-use", test_slot_in_use);
    g_test_add_func("/queue/every-slot", test_every_slot);
    g_test_add_func("/command/end", test_command_end);
    g_test_add_func("/command/unreadable", test_unreadable_command);
    g_test_add_func("/command/too-many", test_too_many_commands);
    add_table("/command/bad", bad_commands, G_N_ELEMENTS(bad_commands),
              test_bad_command);
    add_table("/descriptor/bad", bad_descriptors,
              G_N_ELEMENTS(bad_descriptors), test_bad_descriptor);
    return g_test_run();
}
