/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The test registers: the copy, and the fault injector. */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

/* ---- test copy ---- */

static uint32_t test_dma(Fixture *f, uint64_t target, uint64_t source,
                         uint32_t size)
{
    set64(f, TESSERA_REG_TEST_DMA_SOURCE, source);
    set64(f, TESSERA_REG_TEST_DMA_TARGET, target);
    set32(f, TESSERA_REG_TEST_DMA_SIZE, size);
    WAIT_FOR(reg32(f, TESSERA_REG_TEST_DMA_STATUS) &
             TESSERA_TEST_DMA_STATUS_DONE_MASK);
    return reg32(f, TESSERA_REG_TEST_DMA_STATUS);
}

static void test_dma_copies(void)
{
    static const uint32_t sizes[] = { 1, 3, 4096, 5000, 65536 };
    Fixture *f = fixture_new(0);
    uint64_t from = fixture_alloc(f, 65536 + 1), to = 0x2001;
    uint8_t *source = (uint8_t *)fixture_at(f, from) + 1;

    for (unsigned i = 0; i < 65536; i++) {
        source[i] = i * 7 + (i >> 8);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        memset(f->vram, 0, 0x20000);
        g_assert_cmphex(test_dma(f, TESSERA_VRAM_WINDOW + to, from + 1,
                                 sizes[i]), ==, 1);
        g_assert_cmpmem(f->vram + to, sizes[i], source, sizes[i]);
        g_assert_cmphex(f->vram[to - 1], ==, 0);
        g_assert_cmphex(f->vram[to + sizes[i]], ==, 0);
        g_assert_cmphex(next_entry_from(f, TESSERA_IH_TEST).data, ==,
                        0x100000000 + sizes[i]);
        set32(f, TESSERA_REG_TEST_DMA_STATUS, 1);
        g_assert_cmphex(reg32(f, TESSERA_REG_TEST_DMA_STATUS), ==, 0);
    }
    fixture_free(f);
}

static void test_dma_errors(void)
{
    Fixture *f = fixture_new(0);
    const uint64_t good = TESSERA_VRAM_WINDOW;
    static const uint32_t error = TESSERA_TEST_DMA_STATUS_DONE_MASK |
                                  TESSERA_TEST_DMA_STATUS_ERROR_MASK;

    g_assert_cmphex(test_dma(f, good, good, 0), ==,
                    error | TESSERA_FAULT_PACKET << 8);
    g_assert_cmphex(test_dma(f, good, good, 65537), ==,
                    error | TESSERA_FAULT_PACKET << 8);
    g_assert_cmphex(test_dma(f, good, good, UINT32_MAX), ==,
                    error | TESSERA_FAULT_PACKET << 8);
    set32(f, TESSERA_REG_TEST_DMA_STATUS, error);
    g_assert_cmphex(reg32(f, TESSERA_REG_TEST_DMA_STATUS), ==, 0);
    g_assert_cmphex(test_dma(f, good, 0x40, 16), ==,
                    error | TESSERA_FAULT_UNMAPPED << 8);
    set32(f, TESSERA_REG_TEST_DMA_STATUS, error);
    g_assert_cmphex(test_dma(f, MOCK_ROM_BASE, good, 16), ==,
                    error | TESSERA_FAULT_READ_ONLY << 8);
    set32(f, TESSERA_REG_TEST_DMA_STATUS, error);
    g_assert_cmphex(test_dma(f, UINT64_MAX - 3, good, 16), !=, 1);
    set32(f, TESSERA_REG_TEST_DMA_STATUS, error);
    g_assert_cmphex(test_dma(f, good, good, 16), ==, 1);
    fixture_free(f);
}

/* ---- injector ---- */

static void arm(Fixture *f, unsigned kind, unsigned queue, unsigned skip,
                unsigned count)
{
    set32(f, TESSERA_REG_INJECT_QUEUE, queue);
    set32(f, TESSERA_REG_INJECT_SKIP, skip);
    set32(f, TESSERA_REG_INJECT_COUNT, count);
    set32(f, TESSERA_REG_INJECT_ARM, kind);
    g_assert_cmphex(reg32(f, TESSERA_REG_INJECT_ARMED), ==,
                    count ? 1u << kind : 0);
}

static void check_hits(Fixture *f, unsigned hits)
{
    g_assert_cmpuint(reg32(f, TESSERA_REG_INJECT_HITS), ==, hits);
    g_assert_cmphex(reg32(f, TESSERA_REG_INJECT_ARMED), ==, 0);
}

/* Of three barriers' first accesses to the ring, the third one fails. */
static void test_page_fault_packet(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 2, 16), other = ring_map(f, 3, 16);
    uint64_t signal = signal_new(f, 10);
    AqlBarrier packet = barrier_packet(AQL_TYPE_BARRIER_AND, signal, NULL, 0);

    arm(f, TESSERA_INJECT_PAGE_FAULT, 2, 0, 1);
    ring_push(f, &other, &packet); /* not meant */
    WAIT_FOR(signal_value(f, signal) == 9);
    ring_push(f, &r, &packet);
    g_assert_cmphex(ring_wait_error(f, &r), ==, TESSERA_QERR_MEMORY_FAULT);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), ==, r.ring_at);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) >> 8 & 0xff, ==,
                     TESSERA_FAULT_UNMAPPED);
    check_hits(f, 1);
    /* The driver mends its page table and has the packet tried again. */
    run_command(f, TESSERA_CMD_RESUME, 2, 0);
    WAIT_FOR(signal_value(f, signal) == 8);

    catch_up(f);
    ring_wait_idle(f, &r); /* it has looked for another packet */
    arm(f, TESSERA_INJECT_PAGE_FAULT, 2, 3, 1);
    ring_push(f, &r, &packet);
    ring_wait_error(f, &r);
    g_assert_cmphex(reg64(f, TESSERA_REG_QUEUE_FAULT_ADDR), !=,
                    r.ring_at + 64);
    fixture_free(f);
}

/* A wave's look-up in the queue's VMID. */
static void test_page_fault_shader(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);
    unsigned forgotten;

    ring_push(f, &r, &packet);
    fake_engine_dispatch(0);
    ring_wait_idle(f, &r); /* it has looked for another packet */
    forgotten = fake_engine_forgotten();
    arm(f, TESSERA_INJECT_PAGE_FAULT, 0, 1, 2);
    g_assert_cmpuint(fake_engine_forgotten(), ==, forgotten + 1);
    g_assert_cmpuint(fake_engine_store(0, TESSERA_VRAM_WINDOW, 1), ==,
                     TESSERA_FAULT_NONE);
    g_assert_cmpuint(fake_engine_store(0, TESSERA_VRAM_WINDOW, 2), ==,
                     TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(fake_engine_store(0, TESSERA_VRAM_WINDOW, 3), ==,
                     TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(fake_engine_store(0, TESSERA_VRAM_WINDOW, 4), ==,
                     TESSERA_FAULT_NONE);
    g_assert_cmpuint(load64(f->vram), ==, 4);
    check_hits(f, 2);
    fixture_free(f);
}

static void test_lost_irq(void)
{
    Fixture *f = fixture_new(0);

    ring_map(f, 0, 16);
    next_entry(f);
    WAIT_FOR(load32(&f->mock->irqs) == 1);
    arm(f, TESSERA_INJECT_LOST_IRQ, 0xffff, 0, 1);
    set32(f, TESSERA_REG_TEST_IRQ, 1);
    g_assert_cmpuint(next_entry(f).data, ==, 1);
    let_it_settle();
    g_assert_cmpuint(load32(&f->mock->irqs), ==, 1);
    set32(f, TESSERA_REG_TEST_IRQ, 2);
    next_entry(f);
    WAIT_FOR(load32(&f->mock->irqs) == 2);
    check_hits(f, 1);
    fixture_free(f);
}

/* Taken, in flight, never over: until it is killed or the time is up. */
static void test_hang(void)
{
    Fixture *f = fixture_new(1000000000);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 3);
    AqlDispatch packet = dispatch_packet(f, signal);

    fake_engine_auto(true);
    arm(f, TESSERA_INJECT_HANG, 0, 1, 1);
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 1);
    let_it_settle();
    ring_state(f, &r);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_INFLIGHT), ==, 1);
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 1);
    mock_host_advance(f->mock, 1000000001);
    g_assert_cmphex(ring_wait_error(f, &r), ==, 0x80000000);
    g_assert_cmpuint(reg32(f, TESSERA_REG_QUEUE_FAULT_STATUS) >> 8 & 0xff, ==,
                     TESSERA_FAULT_HANG);
    g_assert_cmpuint(reg64(f, TESSERA_REG_QUEUE_FAULT_INDEX), ==, 1);
    run_command(f, TESSERA_CMD_RESUME, 0, 0);
    WAIT_FOR(signal_value(f, signal) == 0);

    arm(f, TESSERA_INJECT_HANG, 0, 0, 1);
    ring_push(f, &r, &packet);
    ring_state(f, &r);
    WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_INFLIGHT) == 1);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

/* While its queue is frozen no time passes for a hung dispatch either. */
static void test_hang_frozen(void)
{
    Fixture *f = fixture_new(1000000000);
    Ring r = ring_map(f, 0, 16);
    AqlDispatch packet = dispatch_packet(f, 0);

    arm(f, TESSERA_INJECT_HANG, 0, 0, 1);
    ring_push(f, &r, &packet);
    ring_state(f, &r);
    WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_INFLIGHT) == 1);
    catch_up(f); /* its time has begun */
    mock_host_advance(f->mock, 400000000);
    run_command(f, TESSERA_CMD_FREEZE, 0, 0);
    mock_host_advance(f->mock, 5000000000);
    g_usleep(20000); /* several looks at the time */
    g_assert_cmpuint(ring_state(f, &r), ==, 3);
    run_command(f, TESSERA_CMD_RESUME, 0, 0);
    mock_host_advance(f->mock, 599999999);
    g_usleep(20000);
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    mock_host_advance(f->mock, 1);
    g_assert_cmphex(ring_wait_error(f, &r), ==, 0x80000000);
    fixture_free(f);
}

/* Hung and slow dispatches are no obstacle to a reset, nor to the end. */
static void test_reset(void)
{
    for (unsigned i = 0; i < 2; i++) {
        Fixture *f = fixture_new(0);
        Ring r = ring_map(f, 0, 16), s = ring_map(f, 1, 16);
        AqlDispatch packet = dispatch_packet(f, 0);

        arm(f, TESSERA_INJECT_HANG, 0, 0, 1);
        set32(f, TESSERA_REG_INJECT_DELAY, 1000);
        set32(f, TESSERA_REG_INJECT_QUEUE, 1);
        set32(f, TESSERA_REG_INJECT_ARM, TESSERA_INJECT_SLOW);
        fake_engine_auto(true);
        ring_push(f, &r, &packet);
        ring_push(f, &s, &packet);
        WAIT_FOR(reg32(f, TESSERA_REG_INJECT_HITS) == 2);
        let_it_settle();
        if (i) {
            set32(f, TESSERA_REG_INJECT_ARM, TESSERA_INJECT_BAD_FENCE);
            tessera_gpu_reset(f->gpu);
            g_assert_cmphex(reg32(f, TESSERA_REG_INJECT_ARMED), ==, 0);
            g_assert_cmpuint(ring_state(f, &r), ==, 0);
        }
        fixture_free(f);
    }
}

static void test_overflow(void)
{
    Fixture *f = fixture_new(0);

    arm(f, TESSERA_INJECT_OVERFLOW, 0xffff, 0, 2);
    for (unsigned i = 0; i < 3; i++) {
        set32(f, TESSERA_REG_TEST_IRQ, i);
    }
    g_assert_cmpuint(next_entry(f).data, ==, 2);
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_STATUS), ==,
                    TESSERA_IH_STATUS_OVERFLOW_MASK);
    g_assert_cmpuint(reg32(f, TESSERA_REG_IH_DROPPED), ==, 2);
    check_hits(f, 2);
    fixture_free(f);
}

static void test_bad_fence(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 0, 16);
    uint64_t at;

    arm(f, TESSERA_INJECT_BAD_FENCE, 0, 0, 1);
    at = submit_command(f, TESSERA_CMD_MAP, 0, r.desc_at);
    WAIT_FOR(load64(fixture_at(f, at + sizeof(TesseraCommand))) == ~f->fence);
    g_assert_cmpuint(load32(&((TesseraCommand *)fixture_at(f, at))->result),
                     ==, TESSERA_RESULT_OK);
    check_hits(f, 1);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_UNMAP, 0, 0), ==,
                     TESSERA_RESULT_OK);
    fixture_free(f);
}

static void test_slow(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t signal = signal_new(f, 2);
    AqlDispatch packet = dispatch_packet(f, signal);

    fake_engine_auto(true);
    set32(f, TESSERA_REG_INJECT_DELAY, 5000); /* 50 us */
    arm(f, TESSERA_INJECT_SLOW, 0, 0, 1);
    ring_push(f, &r, &packet);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 1); /* the second one */
    g_assert_cmpuint(load64(&r.amd->read_dispatch_id), ==, 0);
    mock_host_advance(f->mock, 49999);
    g_usleep(20000);
    g_assert_cmpint(signal_value(f, signal), ==, 1);
    mock_host_advance(f->mock, 1);
    WAIT_FOR(signal_value(f, signal) == 0);
    WAIT_FOR(load64(&r.amd->read_dispatch_id) == 2);
    check_hits(f, 1);

    /* Killed while it is held up. */
    arm(f, TESSERA_INJECT_SLOW, 0, 0, 1);
    ring_push(f, &r, &packet);
    WAIT_FOR(reg32(f, TESSERA_REG_INJECT_HITS) == 2);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_KILL, 0, 0), ==,
                     TESSERA_RESULT_OK);
    mock_host_advance(f->mock, 100000000);
    let_it_settle();
    g_assert_cmpint(signal_value(f, signal), ==, 0);
    fixture_free(f);
}

/* A count of 0 disarms; numbers that there are not arm nothing. */
static void test_disarm(void)
{
    Fixture *f = fixture_new(0);

    arm(f, TESSERA_INJECT_OVERFLOW, 0xffff, 0, 5);
    arm(f, TESSERA_INJECT_OVERFLOW, 0xffff, 0, 0);
    set32(f, TESSERA_REG_INJECT_COUNT, 1);
    set32(f, TESSERA_REG_INJECT_ARM, 6);
    set32(f, TESSERA_REG_INJECT_ARM, UINT32_MAX);
    g_assert_cmphex(reg32(f, TESSERA_REG_INJECT_ARMED), ==, 0);
    set32(f, TESSERA_REG_TEST_IRQ, 9);
    g_assert_cmpuint(next_entry(f).data, ==, 9);
    fixture_free(f);
}

/* Without the property the registers are not there. */
static void test_hidden(void)
{
    MockHost *mock = mock_host_new();
    Fixture *f = fixture_new(0);
    TesseraConfig config = {
        .isa = "gfx900",
        .vram = f->vram,
        .vram_size = VRAM_BYTES,
        .workers = 1,
    };
    TesseraGpu *gpu;

    g_assert_true(reg32(f, TESSERA_REG_FEATURES) &
                  TESSERA_FEATURES_INJECT_MASK);
    tessera_gpu_free(f->gpu);
    gpu = tessera_gpu_new(&config, &mock->host, NULL);
    g_assert_false(tessera_gpu_reg_read(gpu, TESSERA_REG_FEATURES, 4) &
                   TESSERA_FEATURES_INJECT_MASK);
    for (uint32_t at = TESSERA_REG_INJECT_QUEUE;
         at <= TESSERA_REG_INJECT_HITS; at += 4) {
        unsigned errors = load32(&mock->guest_errors);

        tessera_gpu_reg_write(gpu, at, 3, 4);
        g_assert_cmphex(tessera_gpu_reg_read(gpu, at, 4), ==, 0);
        g_assert_cmpuint(load32(&mock->guest_errors), ==, errors + 2);
    }
    tessera_gpu_reg_write(gpu, TESSERA_REG_INJECT_ARM,
                          TESSERA_INJECT_OVERFLOW, 4);
    f->gpu = gpu;
    fixture_free(f);
    mock_host_free(mock);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/test-dma/copies", test_dma_copies);
    g_test_add_func("/gpu/test-dma/errors", test_dma_errors);
    g_test_add_func("/gpu/inject/page-fault-packet", test_page_fault_packet);
    g_test_add_func("/gpu/inject/page-fault-shader", test_page_fault_shader);
    g_test_add_func("/gpu/inject/lost-irq", test_lost_irq);
    g_test_add_func("/gpu/inject/hang", test_hang);
    g_test_add_func("/gpu/inject/hang-frozen", test_hang_frozen);
    g_test_add_func("/gpu/inject/reset", test_reset);
    g_test_add_func("/gpu/inject/overflow", test_overflow);
    g_test_add_func("/gpu/inject/bad-fence", test_bad_fence);
    g_test_add_func("/gpu/inject/slow", test_slow);
    g_test_add_func("/gpu/inject/disarm", test_disarm);
    g_test_add_func("/gpu/inject/hidden", test_hidden);
    return g_test_run();
}
