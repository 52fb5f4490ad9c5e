/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands and their refusals; the interrupt ring. */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

static void test_map_unmap(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 1023, 16);
    TesseraIhEntry entry = next_entry(f);

    g_assert_cmpuint(entry.source, ==, TESSERA_IH_COMMAND);
    g_assert_cmpuint(entry.queue, ==, 1023);
    g_assert_cmpuint(entry.data, ==, f->fence);
    g_assert_cmpuint(entry.timestamp, ==, 1000000 / 10);
    WAIT_FOR(load32(&f->mock->irqs) == 1);
    g_assert_cmpuint(reg32(f, TESSERA_REG_CMD_DONE), ==, 1);
    g_assert_cmpuint(ring_state(f, &r), ==, 1);

    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 1023, 0), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(ring_state(f, &r), ==, 0);
    g_assert_cmpuint(next_entry(f).source, ==, TESSERA_IH_COMMAND);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 1023, 0), ==,
                     TESSERA_RESULT_BAD_SLOT);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 1023, 0), ==,
                     TESSERA_RESULT_BAD_SLOT);
    WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == 4);
    fixture_free(f);
}

static void test_bad_slot(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    const uint32_t slots[] = { 1024, 0xffff, 0x10000, UINT32_MAX };

    for (unsigned i = 0; i < G_N_ELEMENTS(slots); i++) {
        for (unsigned op = TESSERA_CMD_MAP; op <= TESSERA_CMD_KILL; op++) {
            g_assert_cmpuint(
                run_command(f, op, slots[i],
                            op == TESSERA_CMD_MAP ? r.desc_at : 0), ==,
                TESSERA_RESULT_BAD_SLOT);
        }
    }
    ring_map(f, 5, 16);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 5, r.desc_at), ==,
                     TESSERA_RESULT_BAD_SLOT);
    fixture_free(f);
}

/* A change to a good command, and what comes of it. */
typedef struct CommandCase {
    size_t offset;
    uint32_t value;
    uint32_t result;
} CommandCase;

static void test_bad_command(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    static const CommandCase cases[] = {
        { offsetof(TesseraCommand, size), 60, TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, size), 128, TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, version), 0, TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, version), 2, TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, op), 0, TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, op), 4, TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, op), UINT32_MAX,
          TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, op), TESSERA_CMD_KILL,
          TESSERA_RESULT_BAD_COMMAND }, /* with a descriptor */
        { offsetof(TesseraCommand, fence_addr), 4,
          TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, reserved[0]), 1,
          TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, reserved[3]), 1u << 31,
          TESSERA_RESULT_BAD_COMMAND },
        { offsetof(TesseraCommand, descriptor), 0x40,
          TESSERA_RESULT_BAD_DESCRIPTOR }, /* unmapped */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t at = fixture_alloc(f, sizeof(TesseraCommand));
        uint8_t *bytes = fixture_at(f, at);
        TesseraCommand *command = (TesseraCommand *)bytes;

        *command = (TesseraCommand){
            .size = sizeof(*command),
            .version = TESSERA_ABI_VERSION,
            .op = TESSERA_CMD_MAP,
            .descriptor = r.desc_at,
        };
        memcpy(bytes + cases[i].offset, &cases[i].value, 4);
        set64(f, TESSERA_REG_CMD_ADDR, at);
        WAIT_FOR(load32(&command->result));
        g_assert_cmpuint(load32(&command->result), ==, cases[i].result);
    }
    g_assert_cmpuint(ring_state(f, &r), ==, 0);
    fixture_free(f);
}

static void test_unreadable(void)
{
    Fixture *f = fixture_new(0);
    const uint64_t addrs[] = {
        0, 0x40, MOCK_RAM_BASE + 32, MOCK_RAM_BASE + 1, UINT64_MAX & ~63ull,
        MOCK_RAM_BASE + MOCK_RAM_SIZE,
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(addrs); i++) {
        set64(f, TESSERA_REG_CMD_ADDR, addrs[i]);
        WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == i + 1);
        g_assert_cmphex(reg32(f, TESSERA_REG_CMD_STATUS), ==,
                        TESSERA_CMD_STATUS_REFUSED_MASK);
        set32(f, TESSERA_REG_CMD_STATUS, TESSERA_CMD_STATUS_REFUSED_MASK);
        g_assert_cmphex(reg32(f, TESSERA_REG_CMD_STATUS), ==, 0);
    }
    fixture_free(f);
}

typedef struct DescriptorCase {
    size_t offset;
    uint64_t value;
    uint32_t size; /* of the value */
    uint32_t result;
} DescriptorCase;

#define CASE(field, value, result)                                             \
    { offsetof(TesseraQueue, field), value,                                    \
      sizeof(((TesseraQueue *)0)->field), TESSERA_RESULT_##result }

static void test_bad_descriptor(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    const TesseraQueue good = *r.desc;
    static const DescriptorCase cases[] = {
        CASE(size, 64, BAD_DESCRIPTOR),
        CASE(version, 2, BAD_DESCRIPTOR),
        CASE(vmid, 1, BAD_DESCRIPTOR), /* no page tables */
        CASE(vmid, 64, BAD_DESCRIPTOR),
        CASE(vmid, UINT32_MAX, BAD_DESCRIPTOR),
        CASE(priority, 16, BAD_DESCRIPTOR),
        CASE(read_index_addr, 0, BAD_DESCRIPTOR),
        CASE(read_index_addr, MOCK_RAM_BASE + 4, BAD_DESCRIPTOR),
        CASE(read_index_addr, 0x80, BAD_DESCRIPTOR),
        CASE(read_index_addr, UINT64_MAX - 7, BAD_DESCRIPTOR),
        CASE(write_index_addr, MOCK_RAM_BASE + 4, BAD_DESCRIPTOR),
        CASE(cu_mask, 0x100, BAD_DESCRIPTOR), /* CUs that are not there */
        CASE(reserved[0], 1, BAD_DESCRIPTOR),
        CASE(reserved[10], 1, BAD_DESCRIPTOR),
        CASE(flags, 2, BAD_DESCRIPTOR),
        CASE(ring_packets, 0, BAD_RING),
        CASE(ring_packets, 2, BAD_RING),
        CASE(ring_packets, 12, BAD_RING),
        CASE(ring_packets, 1u << 21, BAD_RING),
        CASE(ring_packets, 1u << 31, BAD_RING),
        CASE(ring, MOCK_RAM_BASE + 32, BAD_RING),
        CASE(ring, UINT64_MAX - 63, BAD_RING), /* wraps */
        CASE(doorbell, 1024, BAD_DOORBELL),
        CASE(doorbell, UINT32_MAX, BAD_DOORBELL),
        CASE(doorbell, 9, BAD_DOORBELL), /* taken */
    };

    ring_map(f, 9, 16);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        *r.desc = good;
        memcpy((uint8_t *)r.desc + cases[i].offset, &cases[i].value,
               cases[i].size);
        g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r.desc_at), ==,
                         cases[i].result);
        g_assert_cmpuint(ring_state(f, &r), ==, 0);
    }
    *r.desc = good;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

/* The doorbell is free again when its queue is. */
static void test_doorbell_released(void)
{
    Fixture *f = fixture_new(0);
    Ring a = ring_map(f, 0, 16);
    Ring b = ring_new(f, 1, 16);

    b.desc->doorbell = a.doorbell;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 1, b.desc_at), ==,
                     TESSERA_RESULT_BAD_DOORBELL);
    run_command(f, TESSERA_CMD_KILL, 0, 0);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 1, b.desc_at), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

static void test_dropped(void)
{
    Fixture *f = fixture_new(0);

    tessera_gpu_pause(f->gpu); /* nothing is taken out of the FIFO */
    for (unsigned i = 0; i < 64; i++) {
        set64(f, TESSERA_REG_CMD_ADDR, 0x40);
    }
    g_assert_cmphex(reg32(f, TESSERA_REG_CMD_STATUS), ==, 0);
    set64(f, TESSERA_REG_CMD_ADDR, 0x40);
    g_assert_cmphex(reg32(f, TESSERA_REG_CMD_STATUS), ==,
                    TESSERA_CMD_STATUS_DROPPED_MASK);
    tessera_gpu_resume(f->gpu);
    WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == 64);
    fixture_free(f);
}

/* The low half alone does nothing. */
static void test_submit_by_halves(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    uint64_t at = submit_command(f, TESSERA_CMD_MAP, 0, r.desc_at);

    WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == 1);
    set32(f, TESSERA_REG_CMD_ADDR, at);
    let_it_settle();
    g_assert_cmpuint(reg32(f, TESSERA_REG_CMD_DONE), ==, 1);
    set32(f, TESSERA_REG_CMD_ADDR + 4, at >> 32);
    WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == 2);
    fixture_free(f);
}

static void test_bad_fence(void)
{
    Fixture *f = fixture_new(0);
    uint64_t at = fixture_alloc(f, sizeof(TesseraCommand));
    TesseraCommand *command = fixture_at(f, at);

    *command = (TesseraCommand){
        .size = sizeof(*command),
        .version = TESSERA_ABI_VERSION,
        .op = TESSERA_CMD_UNMAP,
        .fence_addr = MOCK_ROM_BASE,
    };
    set64(f, TESSERA_REG_CMD_ADDR, at);
    WAIT_FOR(reg32(f, TESSERA_REG_CMD_DONE) == 1);
    g_assert_cmpuint(command->result, ==, TESSERA_RESULT_BAD_SLOT);
    g_assert_cmphex(reg32(f, TESSERA_REG_CMD_STATUS), ==,
                    TESSERA_CMD_STATUS_REFUSED_MASK);
    fixture_free(f);
}

/* Results, fences, entries and the write pointer are reported to the host. */
static void test_reports(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    uint64_t at = submit_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    const uint8_t *reported = f->mock->reported - MOCK_RAM_BASE;

    next_entry(f);
    for (unsigned i = 0; i < 4; i++) {
        g_assert_true(reported[at + offsetof(TesseraCommand, result) + i]);
        /* reported after the store that next_entry() has seen */
        WAIT_FOR(__atomic_load_n(&reported[f->ih_wptr_at + i],
                                 __ATOMIC_RELAXED));
    }
    for (unsigned i = 0; i < 8; i++) {
        g_assert_true(reported[at + sizeof(TesseraCommand) + i]);
    }
    for (unsigned i = 0; i < sizeof(TesseraIhEntry); i++) {
        g_assert_true(reported[f->ih_at + i]);
    }
    g_assert_false(reported[at]);
    fixture_free(f);
}

/* ---- the interrupt ring ---- */

static void test_ih_entry(void)
{
    Fixture *f = fixture_new(0);
    TesseraIhEntry entry;

    set32(f, TESSERA_REG_VM_PASID, 0x8001);
    set32(f, TESSERA_REG_TEST_IRQ, 0xdeadbeef);
    entry = next_entry(f);
    g_assert_cmpuint(entry.source, ==, TESSERA_IH_TEST);
    g_assert_cmpuint(entry.vmid, ==, 0);
    g_assert_cmphex(entry.queue, ==, 0xffff);
    g_assert_cmphex(entry.pasid, ==, 0x8001);
    g_assert_cmphex(entry.data, ==, 0xdeadbeef);
    g_assert_cmphex(entry.reserved, ==, 0);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_WPTR), ==, 1);
    WAIT_FOR(load32(&f->mock->irqs) == 1);
    fixture_free(f);
}

static void test_ih_mask(void)
{
    Fixture *f = fixture_new(0);

    set32(f, TESSERA_REG_IH_MASK, ~(1u << TESSERA_IH_TEST));
    set32(f, TESSERA_REG_TEST_IRQ, 1);
    next_entry(f);
    let_it_settle();
    g_assert_cmpuint(load32(&f->mock->irqs), ==, 0);
    set32(f, TESSERA_REG_IH_MASK, 1u << TESSERA_IH_TEST);
    set32(f, TESSERA_REG_TEST_IRQ, 2);
    next_entry(f);
    WAIT_FOR(load32(&f->mock->irqs) == 1);
    fixture_free(f);
}

/* 16 entries fit, the 17th is dropped and told; then it goes on. */
static void test_ih_overflow(void)
{
    Fixture *f = fixture_new(0);

    set32(f, TESSERA_REG_IH_CONTROL,
          4 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT |
          TESSERA_IH_CONTROL_ENABLE_MASK);
    for (unsigned i = 0; i < 17; i++) {
        set32(f, TESSERA_REG_TEST_IRQ, i);
    }
    WAIT_FOR(reg32(f, TESSERA_REG_IH_STATUS));
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_WPTR), ==, 16);
    set32(f, TESSERA_REG_IH_STATUS, TESSERA_IH_STATUS_FAULT_MASK);
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    set32(f, TESSERA_REG_IH_STATUS, TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==, 0);

    set32(f, TESSERA_REG_IH_RPTR, 16);
    set32(f, TESSERA_REG_TEST_IRQ, 99);
    WAIT_FOR(load32(fixture_at(f, f->ih_wptr_at)) == 17);
    /* Slot 16 modulo 16. */
    g_assert_cmpuint(((TesseraIhEntry *)fixture_at(f, f->ih_at))->data, ==,
                     99);
    fixture_free(f);
}

/* A read pointer from nowhere makes the ring full, no worse. */
static void test_ih_bad_rptr(void)
{
    Fixture *f = fixture_new(0);

    set32(f, TESSERA_REG_IH_RPTR, 12345);
    set32(f, TESSERA_REG_TEST_IRQ, 1);
    WAIT_FOR(reg32(f, TESSERA_REG_IH_STATUS) ==
             TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_WPTR), ==, 0);
    fixture_free(f);
}

static void test_ih_bad_setup(void)
{
    static const struct {
        uint64_t base, wptr;
        unsigned log2;
    } cases[] = {
        { 0, MOCK_RAM_BASE, 4 },
        { MOCK_RAM_BASE + 16, MOCK_RAM_BASE, 4 },
        { MOCK_ROM_BASE, MOCK_RAM_BASE, 4 },
        { MOCK_RAM_BASE, MOCK_RAM_BASE + 2, 4 },
        { MOCK_RAM_BASE, 0x40, 4 },
        { MOCK_RAM_BASE, MOCK_RAM_BASE, 3 },
        { MOCK_RAM_BASE, MOCK_RAM_BASE, 17 },
        { MOCK_RAM_BASE, MOCK_RAM_BASE, 31 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Fixture *f = fixture_new(0);

        set64(f, TESSERA_REG_IH_BASE, cases[i].base);
        set64(f, TESSERA_REG_IH_WPTR_ADDR, cases[i].wptr);
        set32(f, TESSERA_REG_IH_CONTROL,
              cases[i].log2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT |
              TESSERA_IH_CONTROL_ENABLE_MASK);
        set32(f, TESSERA_REG_TEST_IRQ, 1);
        WAIT_FOR(reg32(f, TESSERA_REG_IH_STATUS) ==
                 TESSERA_IH_STATUS_FAULT_MASK);
        fixture_free(f);
    }
}

static void test_ih_disabled(void)
{
    Fixture *f = fixture_new(0);

    set32(f, TESSERA_REG_IH_CONTROL, 0);
    set32(f, TESSERA_REG_TEST_IRQ, 1);
    let_it_settle();
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_WPTR), ==, 0);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_STATUS), ==, 0);
    g_assert_cmpuint(load32(&f->mock->irqs), ==, 0);
    fixture_free(f);
}

/* More events than can wait are an overflow too. */
static void test_ih_flood(void)
{
    Fixture *f = fixture_new(0);

    tessera_gpu_pause(f->gpu);
    for (unsigned i = 0; i < 10000; i++) {
        set32(f, TESSERA_REG_TEST_IRQ, i);
    }
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_false(has_entry(f));
    tessera_gpu_resume(f->gpu);
    for (unsigned i = 0; i < 256; i++) {
        g_assert_cmpuint(next_entry(f).data, ==, i);
    }
    fixture_free(f);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/command/map-unmap", test_map_unmap);
    g_test_add_func("/gpu/command/bad-slot", test_bad_slot);
    g_test_add_func("/gpu/command/bad-command", test_bad_command);
    g_test_add_func("/gpu/command/unreadable", test_unreadable);
    g_test_add_func("/gpu/command/bad-descriptor", test_bad_descriptor);
    g_test_add_func("/gpu/command/doorbell-released", test_doorbell_released);
    g_test_add_func("/gpu/command/dropped", test_dropped);
    g_test_add_func("/gpu/command/halves", test_submit_by_halves);
    g_test_add_func("/gpu/command/bad-fence", test_bad_fence);
    g_test_add_func("/gpu/command/reports", test_reports);
    g_test_add_func("/gpu/ih/entry", test_ih_entry);
    g_test_add_func("/gpu/ih/mask", test_ih_mask);
    g_test_add_func("/gpu/ih/overflow", test_ih_overflow);
    g_test_add_func("/gpu/ih/bad-rptr", test_ih_bad_rptr);
    g_test_add_func("/gpu/ih/bad-setup", test_ih_bad_setup);
    g_test_add_func("/gpu/ih/disabled", test_ih_disabled);
    g_test_add_func("/gpu/ih/flood", test_ih_flood);
    return g_test_run();
}
