/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "tests-unit/gpu-fuzz.h"
#include "tests-unit/gpu-space.h"

typedef struct Input {
    const uint8_t *data;
    size_t left;
} Input;

static uint64_t take(Input *in, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++) {
        value <<= 8;
        if (in->left) {
            value |= *in->data++;
            in->left--;
        }
    }
    return value;
}

/* Addresses worth trying: structures, their edges, holes, VRAM, own BARs. */
static uint64_t take_addr(Input *in)
{
    static const uint64_t bases[] = {
        MOCK_RAM_BASE, MOCK_RAM_BASE + MOCK_RAM_SIZE - 4096, MOCK_ROM_BASE,
        TESSERA_VRAM_WINDOW, TESSERA_VRAM_WINDOW + VRAM_BYTES - 4096,
        0xfe000000, 0x5000000000, 0x4000000000, UINT64_MAX - 4095, 0,
    };
    unsigned which = take(in, 1);
    uint64_t offset = take(in, 2);

    if (which < 0xc0) {
        return MOCK_RAM_BASE + (offset % 1024) * 64; /* most of the time */
    }
    return bases[which % G_N_ELEMENTS(bases)] + offset % 4096;
}

typedef void StepFn(Fixture *f, Input *in);

static const TesseraBars bars = {
    .vram = 0x4000000000, .vram_size = VRAM_BYTES,
    .doorbell = 0x5000000000, .doorbell_size = 0x80000,
    .regs = 0xfe000000, .regs_size = 0x10000,
};

static void step_reg_write(Fixture *f, Input *in)
{
    uint32_t offset = take(in, 2);
    unsigned size = 1u << take(in, 1) % 4;

    tessera_gpu_reg_write(f->gpu, offset, take(in, 8), size);
    tessera_gpu_reg_read(f->gpu, offset, size);
}

static void step_reg_poke(Fixture *f, Input *in)
{
    static const uint32_t regs[] = {
        TESSERA_REG_IH_BASE, TESSERA_REG_IH_WPTR_ADDR, TESSERA_REG_CMD_ADDR,
        TESSERA_REG_CMD_ADDR, TESSERA_REG_CMD_ADDR,
    };

    set64(f, regs[take(in, 1) % G_N_ELEMENTS(regs)], take_addr(in));
}

static void step_ih(Fixture *f, Input *in)
{
    set32(f, TESSERA_REG_IH_CONTROL, take(in, 1) % 32 << 8 | 1);
    set32(f, TESSERA_REG_IH_RPTR, take(in, 1));
    set32(f, TESSERA_REG_TEST_IRQ, take(in, 2));
}

static void step_doorbell(Fixture *f, Input *in)
{
    unsigned doorbell = take(in, 1) % 8;

    tessera_gpu_doorbell_write(f->gpu, doorbell * 8, take(in, 1), 8);
}

static void step_memory(Fixture *f, Input *in)
{
    uint64_t at = MOCK_RAM_BASE + take(in, 2) * 8;

    store64(fixture_at(f, at), take(in, 8));
}

static void step_command(Fixture *f, Input *in)
{
    uint64_t at = MOCK_RAM_BASE + take(in, 1) * 64;
    TesseraCommand command = {
        .size = 64,
        .version = 1,
        .op = take(in, 1) % 10,
        .slot = take(in, 1) % 8,
        .flags = take(in, 1) & 1,
        .fence_addr = take_addr(in) & ~7ull,
    };

    if (command.op == TESSERA_CMD_MAP || command.op >= TESSERA_CMD_UPDATE) {
        command.descriptor = MOCK_RAM_BASE + 0x8000 + take(in, 1) % 16 * 128;
        command.flags = 0;
    }
    if (command.op == TESSERA_CMD_DISCARD) {
        command.slot = 0;
    }
    store_words(fixture_at(f, at), &command, 8);
    set64(f, TESSERA_REG_CMD_ADDR, at);
}

static void step_map(Fixture *f, Input *in)
{
    uint64_t at = MOCK_RAM_BASE + 0x8000 + take(in, 1) % 16 * 128;
    unsigned slot = take(in, 1) % 8;
    TesseraQueue desc = {
        .size = 128,
        .version = 1,
        .doorbell = slot,
        .ring = take_addr(in) & ~63ull,
        .ring_packets = 4u << take(in, 1) % 8,
        .read_index_addr = (take_addr(in) & ~63ull) + 0x80,
        .write_index_addr = take_addr(in) & ~7ull,
        .priority = slot,
        .flags = take(in, 1) < 16 ? TESSERA_QUEUE_INACTIVE : 0,
    };

    store_words(fixture_at(f, at), &desc, 16);
    submit_command(f, TESSERA_CMD_MAP, slot, at);
    f->heap -= 4096;
}

static void step_packet(Fixture *f, Input *in)
{
    static const uint16_t headers[] = { 1, 2, 2, 2, 3, 5, 0x102, 0x103, 0, 4 };
    uint64_t at = MOCK_RAM_BASE + (take(in, 2) % 1024) * 64;
    AqlDispatch packet = {
        .setup = 1, .group_x = 64, .group_y = 1, .group_z = 1,
        .grid_x = 64, .grid_y = 1, .grid_z = 1,
        .private_size = take(in, 1) & 0x80 ? 64 : 0,
        .kernel_object = f->kernel_at,
        .completion_signal = take_addr(in) & ~7ull,
    };
    AqlBarrier barrier = {
        .completion_signal = packet.completion_signal,
        .dep_signal = { take_addr(in) & ~7ull },
    };
    uint16_t header = headers[take(in, 1) % G_N_ELEMENTS(headers)];

    packet.header = barrier.header = header;
    store_words(fixture_at(f, at),
                AQL_HEADER_TYPE(header) == AQL_TYPE_DISPATCH
                    ? (void *)&packet : (void *)&barrier, 8);
    step_doorbell(f, in);
}

/* Copies may cover each other, the ring, and the structures above. */
static void step_vendor(Fixture *f, Input *in)
{
    static const uint8_t formats[] = { 1, 2, 0x80, 0x80, 0x81, 0x90 };
    uint64_t at = MOCK_RAM_BASE + (take(in, 2) % 1024) * 64;
    union {
        AqlPm4Ib pm4;
        AqlBarrierValue value;
        AqlCopy copy;
        AqlFill fill;
        uint64_t words[8];
    } packet = { .copy = {
        .header = take(in, 1) & 1 ? AQL_HEADER_BARRIER : 0,
        .format = formats[take(in, 1) % G_N_ELEMENTS(formats)],
    } };

    switch (packet.copy.format) {
    case AQL_VENDOR_PM4_IB:
        packet.pm4.command = PM4_INDIRECT_BUFFER;
        packet.pm4.ib_low = take_addr(in) & ~3u;
        packet.pm4.ib_size = (take(in, 2) & 0x7ff) | PM4_IB_VALID;
        packet.pm4.remain = PM4_IB_REMAIN;
        break;
    case AQL_VENDOR_BARRIER_VALUE:
        packet.value.signal = take_addr(in) & ~7ull;
        packet.value.mask = take(in, 1);
        packet.value.condition = take(in, 1) % 5;
        break;
    default: /* a fill's target and size lie where a copy's do */
        packet.copy.version = AQL_COPY_VERSION;
        packet.copy.source = packet.copy.format == AQL_VENDOR_COPY
                                 ? take_addr(in) : 0;
        packet.copy.target = take_addr(in);
        packet.copy.size = take(in, 3);
        break;
    }
    packet.copy.completion_signal = take_addr(in) & ~7ull;
    store_words(fixture_at(f, at), packet.words, 8);
    step_doorbell(f, in);
}

static void step_inject(Fixture *f, Input *in)
{
    set32(f, TESSERA_REG_INJECT_QUEUE, take(in, 1) % 9 - 1);
    set32(f, TESSERA_REG_INJECT_SKIP, take(in, 1) % 16);
    set32(f, TESSERA_REG_INJECT_COUNT, take(in, 1) % 4);
    set32(f, TESSERA_REG_INJECT_DELAY, take(in, 2));
    set32(f, TESSERA_REG_INJECT_ARM, take(in, 1) % 7);
}

static void step_test_dma(Fixture *f, Input *in)
{
    set64(f, TESSERA_REG_TEST_DMA_SOURCE, take_addr(in));
    set64(f, TESSERA_REG_TEST_DMA_TARGET, take_addr(in));
    set32(f, TESSERA_REG_TEST_DMA_SIZE, take(in, 3));
}

static void step_finish(Fixture *f, Input *in)
{
    EngineFault fault = {
        .cause = take(in, 1) % 16, .address = take(in, 4),
    };
    unsigned n = fake_engine_submitted();

    if (n) {
        n = take(in, 2) % n;
        if (fault.cause) {
            fake_engine_fault(n, &fault);
        } else {
            fake_engine_finish(n);
        }
    }
}

static void step_auto(Fixture *f, Input *in)
{
    fake_engine_auto(take(in, 1) & 1);
}

static void step_time(Fixture *f, Input *in)
{
    mock_host_advance(f->mock, take(in, 3));
    if (take(in, 1) < 8) {
        g_usleep(200);
    }
}

static void step_pause(Fixture *f, Input *in)
{
    tessera_gpu_pause(f->gpu);
    if (take(in, 1) & 1) {
        step_memory(f, in);
    }
    tessera_gpu_resume(f->gpu);
}

static void step_remap(Fixture *f, Input *in)
{
    tessera_gpu_unmap_all(f->gpu);
    __atomic_store_n(&f->mock->offline, take(in, 1) < 16, __ATOMIC_RELAXED);
    tessera_gpu_unmap_end(f->gpu, &bars);
}

static void step_reset(Fixture *f, Input *in)
{
    if (take(in, 1) < 32) {
        tessera_gpu_reset(f->gpu);
    }
}

/* ---- address spaces ---- */

/* An entry, or a root: often good, sometimes with a bit too many. */
static uint64_t take_entry(Input *in)
{
    static const uint64_t places[] = {
        MOCK_RAM_BASE, MOCK_ROM_BASE, MOCK_DEVICE_BASE, 0x4000000000,
        0x5000000000, 0xfe000000, 0, VRAM_BYTES - 0x10000, VRAM_BYTES,
        0xfffffffff000 - 0x10000,
    };
    unsigned which = take(in, 1), flags = take(in, 1), odd = take(in, 1);
    uint64_t entry = places[which < 0xa0 ? 0 : which % G_N_ELEMENTS(places)];

    entry += (uint64_t)(take(in, 1) % 32) * 4096;
    entry |= which < 0xa0 ? 3 : flags & 0x7f;
    if (flags & 0x80) {
        entry |= 0x70; /* all rights */
    }
    return odd < 16 ? entry ^ 1ull << odd * 4 : entry;
}

static void step_root(Fixture *f, Input *in)
{
    unsigned vmid = take(in, 1) % 4;

    set64(f, TESSERA_REG_VM_ROOT + vmid * TESSERA_VM_STRIDE, take_entry(in));
}

/* Tables lie anywhere in the first 32 pages of RAM and VRAM. */
static void step_entry(Fixture *f, Input *in)
{
    unsigned page = take(in, 1), index = take(in, 1) % 8;
    uint8_t *base = page & 0x80 ? f->vram : fixture_at(f, MOCK_RAM_BASE);

    store64(base + page % 32 * 4096 + (index ? index : 511) * 8,
            take_entry(in));
}

#define TABLES_SIZE 0x20000u /* a space's */

/* The device may be reading them. */
static void zero_tables(uint8_t *at)
{
    for (unsigned i = 0; i < TABLES_SIZE; i += 8) {
        store64(at + i, 0);
    }
}

/* A space as a driver makes it, so that queues in it do something. */
static void step_space(Fixture *f, Input *in)
{
    uint64_t heap = f->heap;
    Space *s = space_new(f, take(in, 1) % 4, 0);
    unsigned kind = take(in, 1);

    f->heap = MOCK_RAM_BASE + 0x200000 + s->vmid * TABLES_SIZE;
    zero_tables(fixture_at(f, f->heap));
    s->vram_heap = kind & 1 ? 0x100000 + s->vmid * TABLES_SIZE : 0;
    if (s->vram_heap) {
        zero_tables(f->vram + s->vram_heap);
    }
    space_map(s, MOCK_RAM_BASE, MOCK_RAM_SIZE,
              MOCK_RAM_BASE | (kind & 2 ? RAM_RWX : RAM_RW));
    if (kind & 4) {
        space_map(s, MOCK_RAM_BASE + take(in, 1) * 4096, 4096,
                  take_entry(in));
    }
    space_on(s);
    space_free(s);
    f->heap = heap;
}

static void step_invalidate(Fixture *f, Input *in)
{
    set64(f, TESSERA_REG_VM_INVALIDATE, take(in, 1));
}

/* As a worker that misses: the page must be one that there is. */
static void step_translate(Fixture *f, Input *in)
{
    const EngineConfig *engine = fake_engine_config();
    unsigned vmid = take(in, 1) % 4;
    uint64_t va = take_addr(in) ^ (uint64_t)take(in, 1) << 41;
    EngineAccess access = take(in, 1) % 3;
    EnginePage page;

    if (engine->ops->translate(engine->opaque, vmid, va, access, &page) ==
        TESSERA_FAULT_NONE) {
        for (unsigned i = 0; i < 4096; i += 512) {
            load64(page.host + i);
        }
    }
}

static void step_queue_vmid(Fixture *f, Input *in)
{
    uint64_t at = MOCK_RAM_BASE + 0x8000 + take(in, 1) % 16 * 128;

    store64(fixture_at(f, at + 8), take(in, 1) % 5 |
                                   (uint64_t)(take(in, 1) % 8) << 32);
    submit_command(f, TESSERA_CMD_MAP, take(in, 1) % 8, at);
    f->heap -= 4096;
}

static void step_slow_host(Fixture *f, Input *in)
{
    unsigned what = take(in, 1);

    mock_host_slow(f->mock, what & 1);
    if (what & 2) {
        tessera_gpu_unmap_all(f->gpu);
        mock_host_iommu(f->mock, what & 4);
        tessera_gpu_unmap_end(f->gpu, &bars);
    }
}

static void step_answer(Fixture *f, Input *in)
{
    mock_host_answer(f->mock);
}

static StepFn *const steps[] = {
    step_reg_write, step_reg_poke, step_ih, step_doorbell, step_memory,
    step_command, step_command, step_map, step_map, step_packet, step_packet,
    step_packet, step_vendor, step_vendor, step_inject, step_test_dma,
    step_finish, step_finish, step_auto, step_time, step_pause, step_remap,
    step_reset, step_root, step_entry, step_entry, step_space,
    step_invalidate, step_translate, step_translate, step_queue_vmid,
    step_slow_host, step_answer, step_answer,
};

static void run_steps(Fixture *f, const uint8_t *data, size_t size)
{
    Input in = { data, size };

    f->heap = MOCK_RAM_BASE + 0x100000;
    while (in.left) {
        steps[take(&in, 1) % G_N_ELEMENTS(steps)](f, &in);
    }
}

void gpu_fuzz_run(const uint8_t *data, size_t size)
{
    Fixture *f = fixture_new(1000000);

    run_steps(f, data, size);
    fixture_free(f);
}

void gpu_fuzz_again(const uint8_t *data, size_t size)
{
    static Fixture *f;

    if (f) {
        fixture_again(f);
    } else {
        f = fixture_new(1000000);
    }
    run_steps(f, data, size);
}
