/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory behind an IOMMU, and other devices: the packet processor waits for
 * answers, and everyone else goes on.
 */
#include <string.h>
#include "tests-unit/gpu-space.h"

#define KB4 4096ull
#define VA 0x7000000000ull

static unsigned cause_of(Fixture *f)
{
    return reg32(f, TESSERA_REG_FAULT_STATUS) >>
           TESSERA_FAULT_STATUS_CAUSE_SHIFT & 0xff;
}

/* A queue that works, and then an IOMMU that knows nothing. */
static Ring start(Fixture *f)
{
    Ring r = ring_map(f, 0, 16);

    fake_engine_auto(true);
    tessera_gpu_unmap_all(f->gpu);
    mock_host_iommu(f->mock, true);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    return r;
}

static void test_iommu(void)
{
    Fixture *f = fixture_new(0);
    Ring r = start(f);

    for (unsigned i = 0; i < 20; i++) {
        uint64_t signal = signal_new(f, 1);
        AqlDispatch packet = dispatch_packet(f, signal);

        ring_push(f, &r, &packet);
        WAIT_FOR(signal_value(f, signal) == 0);
    }
    g_assert_cmpuint(mock_host_asked(f->mock), >=, 20 + 4);
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    mock_host_iommu(f->mock, false);
    fixture_free(f);
}

/* Nothing is asked for writing that is only read, and the other way round. */
static void test_iommu_read_only(void)
{
    Fixture *f = fixture_new(0);
    Ring r = start(f);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);

    f->mock->allowed[(f->kernel_at - MOCK_RAM_BASE) / 4096] = 1;
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 0);
    f->mock->allowed[(signal_new(f, 1) - MOCK_RAM_BASE) / 4096] = 1;
    packet.completion_signal = signal + 4096;
    ring_push(f, &r, &packet);
    ring_wait_error(f, &r);
    g_assert_cmpuint(cause_of(f), ==, TESSERA_FAULT_IOMMU);
    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_ADDR), ==,
                    signal + 4096 + offsetof(AmdSignal, start_ts));
    fixture_free(f);
}

/* Page tables themselves may be behind it. */
static void test_iommu_tables(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_new(f, 3, 16);
    uint64_t signal = signal_new(f, 1);
    Space *s = space_new(f, 6, 0);
    AqlDispatch packet = dispatch_packet(f, signal);

    fake_engine_auto(true);
    /* as it lies in RAM, but for the doorbell */
    space_map(s, MOCK_RAM_BASE, MOCK_RAM_SIZE, MOCK_RAM_BASE | RAM_RWX);
    space_on(s);
    tessera_gpu_unmap_all(f->gpu);
    mock_host_iommu(f->mock, true);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    r.desc->vmid = 6;
    r.doorbell += 6 * TESSERA_SLICE_DOORBELLS;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 3, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    ring_push(f, &r, &packet);
    WAIT_FOR(signal_value(f, signal) == 0);
    space_free(s);
    fixture_free(f);
}

/* A translation that is found and lost again is no reason to wait for ever. */
static void test_iommu_forgetful(void)
{
    Fixture *f = fixture_new(0);
    Ring r = start(f);
    AqlDispatch packet = dispatch_packet(f, 0);

    pthread_mutex_lock(&f->mock->lock);
    f->mock->forgetful = true;
    pthread_mutex_unlock(&f->mock->lock);
    ring_push(f, &r, &packet);
    ring_wait_error(f, &r);
    g_assert_cmpuint(cause_of(f), ==, TESSERA_FAULT_IOMMU);
    fixture_free(f);
}

/* ---- holds while it waits ---- */

typedef void DuringFn(Fixture *f);

static void during_nothing(Fixture *f)
{
}

static void during_pause(Fixture *f)
{
    tessera_gpu_pause(f->gpu);
    g_assert_cmpuint(mock_host_waiting(f->mock), ==, 0);
    mock_host_answer(f->mock);
    let_it_settle();
    g_assert_cmpuint(mock_host_waiting(f->mock), ==, 0);
    tessera_gpu_resume(f->gpu);
}

static void during_unmap(Fixture *f)
{
    tessera_gpu_unmap_all(f->gpu);
    mock_host_iommu(f->mock, true);
    mock_host_move_ram(f->mock);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
}

static void during_invalidate(Fixture *f)
{
    set64(f, TESSERA_REG_VM_INVALIDATE, 1);
    g_assert_cmphex(reg64(f, TESSERA_REG_VM_INVALIDATE_ACK), ==, 1);
}

static void during_save(Fixture *f)
{
    GByteArray *out = g_byte_array_new();
    GError *error = NULL;

    tessera_gpu_pause(f->gpu);
    g_assert_false(tessera_gpu_save(f->gpu, out, &error));
    g_assert_nonnull(error);
    g_error_free(error);
    g_byte_array_unref(out);
    tessera_gpu_resume(f->gpu);
}

/* Each answer is held up, and something happens meanwhile. */
static void test_during(gconstpointer opaque)
{
    DuringFn *const during = *(DuringFn *const *)opaque;
    Fixture *f = fixture_new(0);
    Ring r = start(f);
    uint64_t signal = signal_new(f, 1);
    AqlDispatch packet = dispatch_packet(f, signal);
    unsigned answers = 0;

    mock_host_slow(f->mock, true);
    ring_push(f, &r, &packet);
    while (signal_value(f, signal)) {
        if (mock_host_waiting(f->mock)) {
            if (answers < 3) {
                during(f);
                WAIT_FOR(mock_host_waiting(f->mock));
            }
            mock_host_answer(f->mock);
            answers++;
        }
        g_usleep(50);
    }
    g_assert_cmpuint(ring_state(f, &r), ==, 1);
    mock_host_slow(f->mock, false);
    mock_host_answer(f->mock);
    fixture_free(f);
}

/* Answer @depth questions; false if it is through before the next one. */
static bool advance(Fixture *f, uint64_t signal, unsigned depth)
{
    for (unsigned i = 0;; i++) {
        WAIT_FOR(mock_host_waiting(f->mock) || !signal_value(f, signal));
        if (!signal_value(f, signal)) {
            return false;
        }
        if (i == depth) {
            return true;
        }
        mock_host_answer(f->mock);
    }
}

static void check_works(Fixture *f, Ring *r, const AqlDispatch *packet)
{
    mock_host_slow(f->mock, false);
    memset(r->amd, 0, offsetof(AmdQueue,
                               read_dispatch_id_field_base_byte_offset));
    r->wptr = 0;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, 0, r->desc_at), ==,
                     TESSERA_RESULT_OK);
    ring_push(f, r, packet);
    WAIT_FOR(signal_value(f, packet->completion_signal) == 0);
}

/* A reset does not wait for an answer, whatever the CP was about. */
static void test_reset(void)
{
    unsigned depth = 0;
    bool waits = true;

    while (waits) {
        Fixture *f = fixture_new(0);
        Ring r = start(f);
        uint64_t signal = signal_new(f, 1);
        AqlDispatch packet = dispatch_packet(f, signal);

        mock_host_slow(f->mock, true);
        ring_push(f, &r, &packet);
        waits = advance(f, signal, depth);
        if (waits) {
            tessera_gpu_reset(f->gpu);
            g_assert_cmpuint(mock_host_waiting(f->mock), ==, 0);
            g_assert_cmpuint(reg32(f, TESSERA_REG_FAULT_STATUS), ==, 0);
            g_assert_cmpuint(ring_state(f, &r), ==, 0);
            g_assert_cmpint(signal_value(f, signal), ==, 1);
            check_works(f, &r, &packet);
            depth++;
        }
        fixture_free(f);
    }
    g_assert_cmpuint(depth, >=, 4);
}

static void test_free(void)
{
    Fixture *f = fixture_new(0);
    Ring r = start(f);
    AqlDispatch packet = dispatch_packet(f, 0);

    mock_host_slow(f->mock, true);
    ring_push(f, &r, &packet);
    WAIT_FOR(mock_host_waiting(f->mock));
    fixture_free(f);
}

/* ---- another device ---- */

static bool device_was_read(MockHost *mock)
{
    bool was_read;

    pthread_mutex_lock(&mock->lock);
    was_read = mock->device_reads;
    pthread_mutex_unlock(&mock->lock);
    return was_read;
}

static void test_device_signal(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    uint64_t deps[] = { MOCK_DEVICE_BASE + 64 };
    uint64_t done = signal_new(f, 1);
    AqlBarrier barrier = barrier_packet(AQL_TYPE_BARRIER_AND, done, deps, 1);

    f->mock->device[64 + 8] = 1; /* the value */
    ring_push(f, &r, &barrier);
    WAIT_FOR(device_was_read(f->mock));
    let_it_settle();
    g_assert_cmpint(signal_value(f, done), ==, 1);
    pthread_mutex_lock(&f->mock->lock);
    f->mock->device[64 + 8] = 0;
    pthread_mutex_unlock(&f->mock->lock);
    WAIT_FOR(signal_value(f, done) == 0);
    fixture_free(f);
}

/* A completion signal there cannot be counted down; one beyond fails. */
static void test_device_faults(void)
{
    static const struct {
        uint64_t signal;
        unsigned cause;
    } cases[] = {
        { MOCK_DEVICE_BASE + 128, TESSERA_FAULT_DEVICE_ATOMIC },
        { MOCK_DEVICE_BASE + 4096, TESSERA_FAULT_BUS },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Fixture *f = fixture_new(0);
        Ring r = ring_map(f, 0, 16);
        AqlDispatch packet = dispatch_packet(f, cases[i].signal);

        fake_engine_auto(true);
        ring_push(f, &r, &packet);
        ring_wait_error(f, &r);
        g_assert_cmpuint(cause_of(f), ==, cases[i].cause);
        if (i == 0) { /* the time stamps were stored, as words of 8 bytes */
            g_assert_cmpuint(f->mock->device_writes, ==, 2);
        }
        fixture_free(f);
    }
}

static void test_device_code(void)
{
    Fixture *f = fixture_new(0);
    Ring r = ring_map(f, 0, 16);
    AmdKernelDescriptor *kernel = fixture_at(f, f->kernel_at);
    AqlDispatch packet = dispatch_packet(f, 0);

    kernel->kernel_code_entry_byte_offset = MOCK_DEVICE_BASE - f->kernel_at;
    ring_push(f, &r, &packet);
    ring_wait_error(f, &r);
    g_assert_cmpuint(cause_of(f), ==, TESSERA_FAULT_NO_EXECUTE);
    fixture_free(f);
}

/* ---- the engine's questions ---- */

static void ask_done(EngineAsk *ask)
{
    (*(unsigned *)ask->opaque)++;
}

static void test_engine_asks(void)
{
    Fixture *f = fixture_new(0);
    const EngineConfig *engine = fake_engine_config();
    uint64_t at = fixture_alloc(f, KB4);
    unsigned done = 0;
    EnginePage page;
    EngineAsk ask = {
        .op = ENGINE_ASK_TRANSLATE, .access = ENGINE_WRITE, .address = at,
        .done = ask_done, .opaque = &done, .cause = TESSERA_FAULT_HANG,
    };

    tessera_gpu_unmap_all(f->gpu);
    mock_host_iommu(f->mock, true);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    g_assert_cmpuint(engine->ops->translate(engine->opaque, 0, at,
                                            ENGINE_WRITE, &page), ==,
                     ENGINE_WAIT);
    mock_host_slow(f->mock, true);
    engine->ops->ask(engine->opaque, &ask);
    g_assert_cmpuint(done, ==, 0);
    g_assert_true(engine->ops->cancel(engine->opaque, &ask));
    g_assert_false(engine->ops->cancel(engine->opaque, &ask));
    engine->ops->ask(engine->opaque, &ask);
    mock_host_answer(f->mock);
    g_assert_cmpuint(done, ==, 1);
    g_assert_cmpuint(ask.cause, ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(engine->ops->translate(engine->opaque, 0, at,
                                            ENGINE_WRITE, &page), ==,
                     TESSERA_FAULT_NONE);
    engine->ops->ask(engine->opaque, &ask); /* known by now */
    g_assert_cmpuint(done, ==, 2);
    mock_host_slow(f->mock, false);
    ask.address = at + MOCK_RAM_SIZE; /* nothing there: translate says so */
    engine->ops->ask(engine->opaque, &ask);
    g_assert_cmpuint(done, ==, 3);
    f->mock->allowed[(at + KB4 - MOCK_RAM_BASE) / 4096] = 1;
    ask.address = at + KB4;
    engine->ops->ask(engine->opaque, &ask);
    g_assert_cmpuint(done, ==, 4);
    g_assert_cmpuint(ask.cause, ==, TESSERA_FAULT_IOMMU);
    fixture_free(f);
}

static void test_engine_accesses(void)
{
    Fixture *f = fixture_new(0);
    const EngineConfig *engine = fake_engine_config();
    unsigned done = 0;
    EnginePage page = { 0 };
    EngineAsk ask = { .done = ask_done, .opaque = &done };

    g_assert_cmpuint(engine->ops->translate(engine->opaque, 0,
                                            MOCK_DEVICE_BASE + 123,
                                            ENGINE_READ, &page), ==,
                     ENGINE_DEVICE);
    g_assert_cmphex(page.backing, ==, MOCK_DEVICE_BASE);
    for (unsigned size = 1; size <= 8; size *= 2) {
        uint64_t value = 0x8877665544332211ull + size;

        ask.op = ENGINE_ASK_WRITE;
        ask.address = MOCK_DEVICE_BASE + size * 8;
        ask.size = size;
        ask.data = value;
        engine->ops->ask(engine->opaque, &ask);
        g_assert_cmpuint(ask.cause, ==, TESSERA_FAULT_NONE);
        ask.op = ENGINE_ASK_READ;
        ask.data = 0;
        engine->ops->ask(engine->opaque, &ask);
        g_assert_cmphex(ask.data, ==, value & (UINT64_MAX >> (64 - size * 8)));
    }
    ask.address = MOCK_DEVICE_BASE + 4096;
    engine->ops->ask(engine->opaque, &ask);
    g_assert_cmpuint(ask.cause, ==, TESSERA_FAULT_BUS);
    g_assert_cmpuint(done, ==, 9);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        DuringFn *fn;
    } during[] = {
        { "nothing", during_nothing }, { "pause", during_pause },
        { "unmap", during_unmap }, { "invalidate", during_invalidate },
        { "save", during_save },
    };

    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/ask/iommu", test_iommu);
    g_test_add_func("/gpu/ask/iommu-read-only", test_iommu_read_only);
    g_test_add_func("/gpu/ask/iommu-tables", test_iommu_tables);
    g_test_add_func("/gpu/ask/iommu-forgetful", test_iommu_forgetful);
    for (unsigned i = 0; i < G_N_ELEMENTS(during); i++) {
        char name[40];

        g_snprintf(name, sizeof(name), "/gpu/ask/during-%s", during[i].name);
        g_test_add_data_func(name, &during[i].fn, test_during);
    }
    g_test_add_func("/gpu/ask/reset", test_reset);
    g_test_add_func("/gpu/ask/free", test_free);
    g_test_add_func("/gpu/ask/device-signal", test_device_signal);
    g_test_add_func("/gpu/ask/device-faults", test_device_faults);
    g_test_add_func("/gpu/ask/device-code", test_device_code);
    g_test_add_func("/gpu/ask/engine-asks", test_engine_asks);
    g_test_add_func("/gpu/ask/engine-accesses", test_engine_accesses);
    return g_test_run();
}
