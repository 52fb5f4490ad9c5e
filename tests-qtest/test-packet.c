/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bad packets of every kind: error bits as ROCm's runtime reads them from the
 * queue's inactive signal, events, that queue stopped, the others running.
 */
#include "tessera-qtest.h"

#define NOWHERE 0x8000000000ull

typedef union Packet {
    AqlDispatch dispatch;
    AqlBarrier barrier;
    uint32_t words[16];
} Packet;

typedef struct BadPacket {
    const char *name;
    void (*make)(TqGpu *gpu, Packet *p);
    uint32_t bits;
} BadPacket;

/* ---- what makes a good packet bad ---- */

#define SPOIL(name, statement)                      \
    static void name(TqGpu *gpu, Packet *p)         \
    {                                               \
        statement;                                  \
    }

SPOIL(type_6, p->dispatch.header = TQ_HEADER(6))
SPOIL(type_255, p->dispatch.header = TQ_HEADER(255))
SPOIL(type_agent, p->dispatch.header = TQ_HEADER(AQL_TYPE_AGENT))
SPOIL(header_reserved, p->dispatch.header |= 1 << 15)
SPOIL(setup_reserved, p->dispatch.setup |= 1 << 5)
SPOIL(reserved0, p->dispatch.reserved0 = 1)
SPOIL(dimensions_0, p->dispatch.setup = 0)
SPOIL(group_x_0, p->dispatch.group_x = 0)
SPOIL(group_z_0, p->dispatch.setup = 3; p->dispatch.group_z = 0)
SPOIL(grid_x_0, p->dispatch.grid_x = 0)
SPOIL(grid_y_0, p->dispatch.setup = 2; p->dispatch.grid_y = 0)
SPOIL(group_1025, p->dispatch.group_x = 1025; p->dispatch.grid_x = 2000)
SPOIL(group_product, p->dispatch.setup = 3; p->dispatch.group_x = 64;
      p->dispatch.group_y = 16; p->dispatch.group_z = 2)
SPOIL(group_overflow, p->dispatch.setup = 3; p->dispatch.group_x = 0x8000;
      p->dispatch.group_y = 0x8000; p->dispatch.group_z = 4)
SPOIL(lds, p->dispatch.group_size = 65537)
SPOIL(lds_max, p->dispatch.group_size = ~0u)
SPOIL(no_kernel, p->dispatch.kernel_object = 0)
SPOIL(kernel_nowhere, p->dispatch.kernel_object = NOWHERE)
SPOIL(kernel_in_registers, p->dispatch.kernel_object = gpu->regs)
SPOIL(signal_nowhere, p->dispatch.completion_signal = NOWHERE)
SPOIL(signal_odd, p->dispatch.completion_signal += 4)
SPOIL(kernarg_nowhere, p->dispatch.kernarg_address = NOWHERE)

static AqlBarrier good_barrier(TqGpu *gpu)
{
    return (AqlBarrier) {
        .header = TQ_HEADER(AQL_TYPE_BARRIER_AND),
        .completion_signal = tq_signal(gpu, 1),
    };
}

SPOIL(barrier_reserved0, p->barrier = good_barrier(gpu);
      p->barrier.reserved0 = 1)
SPOIL(barrier_reserved1, p->barrier = good_barrier(gpu);
      p->barrier.reserved1 = 1)
SPOIL(barrier_signal, p->barrier = good_barrier(gpu);
      p->barrier.dep_signal[4] = NOWHERE)
SPOIL(barrier_odd_signal, p->barrier = good_barrier(gpu);
      p->barrier.dep_signal[0] = tq_signal(gpu, 0) + 1)
SPOIL(barrier_completion, p->barrier = good_barrier(gpu);
      p->barrier.completion_signal = NOWHERE)

static void vendor(TqGpu *gpu, Packet *p)
{
    memset(p, 0, sizeof(*p));
    p->words[0] = TQ_HEADER(AQL_TYPE_VENDOR) | 0x77 << 16;
}

static void ones(TqGpu *gpu, Packet *p)
{
    memset(p, 0xff, sizeof(*p));
}

static const BadPacket bad_packets[] = {
    { "type-6", type_6, TESSERA_QERR_BAD_PACKET },
    { "type-255", type_255, TESSERA_QERR_BAD_PACKET },
    { "type-agent", type_agent, TESSERA_QERR_BAD_PACKET },
    { "all-ones", ones, TESSERA_QERR_BAD_PACKET },
    { "header-reserved", header_reserved, TESSERA_QERR_BAD_PACKET },
    { "setup-reserved", setup_reserved, TESSERA_QERR_BAD_PACKET },
    { "dispatch-reserved0", reserved0, TESSERA_QERR_BAD_PACKET },
    { "dimensions-0", dimensions_0, TESSERA_QERR_BAD_DIMENSIONS },
    { "group-x-0", group_x_0, TESSERA_QERR_BAD_DIMENSIONS },
    { "group-z-0", group_z_0, TESSERA_QERR_BAD_DIMENSIONS },
    { "grid-x-0", grid_x_0, TESSERA_QERR_BAD_DIMENSIONS },
    { "grid-y-0", grid_y_0, TESSERA_QERR_BAD_DIMENSIONS },
    { "group-1025", group_1025, TESSERA_QERR_GROUP_TOO_LARGE },
    { "group-64x16x2", group_product, TESSERA_QERR_GROUP_TOO_LARGE },
    { "group-overflow", group_overflow, TESSERA_QERR_GROUP_TOO_LARGE },
    { "lds-65537", lds, TESSERA_QERR_BAD_LDS_SIZE },
    { "lds-max", lds_max, TESSERA_QERR_BAD_LDS_SIZE },
    { "no-kernel", no_kernel, TESSERA_QERR_BAD_CODE },
    { "kernel-nowhere", kernel_nowhere, TESSERA_QERR_BAD_CODE },
    { "kernel-in-registers", kernel_in_registers, TESSERA_QERR_BAD_CODE },
    { "signal-nowhere", signal_nowhere, TESSERA_QERR_MEMORY_FAULT },
    { "signal-misaligned", signal_odd, TESSERA_QERR_BAD_PACKET },
    { "kernarg-nowhere", kernarg_nowhere, TESSERA_QERR_MEMORY_FAULT },
    { "barrier-reserved0", barrier_reserved0, TESSERA_QERR_BAD_PACKET },
    { "barrier-reserved1", barrier_reserved1, TESSERA_QERR_BAD_PACKET },
    { "barrier-signal", barrier_signal, TESSERA_QERR_MEMORY_FAULT },
    { "barrier-odd-signal", barrier_odd_signal, TESSERA_QERR_MEMORY_FAULT },
    { "barrier-completion", barrier_completion, TESSERA_QERR_MEMORY_FAULT },
    { "vendor-format", vendor, TESSERA_QERR_BAD_VENDOR_PACKET },
};

static AqlDispatch good_dispatch(TqGpu *gpu)
{
    uint64_t kernarg = tq_alloc(gpu, 64);

    tq_put64(gpu, kernarg, tq_alloc(gpu, 256));
    return tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg, 64, 64);
}

/* The error's event comes after that of the fault, if there is one. */
static void check_events(TqGpu *gpu, uint64_t ring, TqQueue *q, uint32_t bits)
{
    TesseraIhEntry e;

    for (unsigned n = 0; ; n++) {
        g_assert_true(tq_ring_wait(gpu, ring, 6, n, &e));
        if (e.source == TESSERA_IH_QUEUE_ERROR) {
            break;
        }
    }
    g_assert_cmpuint(e.queue, ==, q->slot);
    g_assert_cmpuint(e.vmid, ==, 0);
    g_assert_cmphex(e.data, ==, bits);
}

static void test_bad_packet(const void *data)
{
    const BadPacket *bad = data;
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 2), other = tq_queue(gpu, 3);
    uint64_t ring = tq_ring_enable(gpu, 6);
    Packet p = { .dispatch = good_dispatch(gpu) };
    AqlDispatch good = good_dispatch(gpu);

    /* A dispatch that fails late must not be overtaken. */
    good.header |= AQL_HEADER_BARRIER;
    bad->make(gpu, &p);
    tq_put_packet(&q, &p);
    tq_put_packet(&q, &good); /* must not be run */
    tq_ring_doorbell(&q);
    g_assert_cmphex(tq_wait_error(&q), ==, bad->bits);
    check_events(gpu, ring, &q, bad->bits);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, q.slot);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_QUEUE_STATE), ==, 2);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_QUEUE_ERROR), ==, bad->bits);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_FAULT_STATUS) & 1, ==, 1);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_FAULT_QUEUE), ==, q.slot);

    /* The other queue goes on; this one stays as it is until killed. */
    tq_ring_doorbell(&q);
    p.dispatch = good_dispatch(gpu);
    tq_run(&other, &p.dispatch);
    g_assert_cmpint(tq_get64(gpu, good.completion_signal + TQ_SIGNAL_VALUE),
                    ==, 1);
    g_assert_cmpint(tq_queue_kill(&q), ==, TESSERA_RESULT_OK);
    q = tq_queue(gpu, 2);
    tq_run(&q, &good);
    tq_end(gpu);
}

/* The first fault is kept and later ones counted, until it is cleared. */
static void test_fault_record(void)
{
    TqGpu *gpu = tq_start("");
    TqQueue a = tq_queue(gpu, 2), b = tq_queue(gpu, 3);
    Packet p = { .dispatch = good_dispatch(gpu) };
    uint32_t status;

    kernarg_nowhere(gpu, &p);
    tq_push(&a, &p);
    g_assert_cmphex(tq_wait_error(&a), ==, TESSERA_QERR_MEMORY_FAULT);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmphex(TQ_FIELD(status, FAULT_STATUS, VALID), ==, 1);
    g_assert_cmphex(TQ_FIELD(status, FAULT_STATUS, MORE), ==, 0);
    g_assert_cmphex(TQ_FIELD(status, FAULT_STATUS, WRITE), ==, 0);
    g_assert_cmphex(TQ_FIELD(status, FAULT_STATUS, CAUSE), ==,
                    TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_FAULT_ADDR), ==, NOWHERE);

    tq_push(&b, &p);
    g_assert_cmphex(tq_wait_error(&b), ==, TESSERA_QERR_MEMORY_FAULT);
    status = tq_read(gpu, TESSERA_REG_FAULT_STATUS);
    g_assert_cmphex(TQ_FIELD(status, FAULT_STATUS, MORE), ==, 1);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_FAULT_QUEUE), ==, a.slot);

    tq_write(gpu, TESSERA_REG_FAULT_STATUS, TESSERA_FAULT_STATUS_VALID_MASK);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_FAULT_STATUS), ==, 0);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(bad_packets); i++) {
        g_autofree char *path = g_strdup_printf("/bad-packet/%s",
                                                bad_packets[i].name);
        g_test_add_data_func(path, &bad_packets[i], test_bad_packet);
    }
    g_test_add_func("/fault-record", test_fault_record);
    return g_test_run();
}
