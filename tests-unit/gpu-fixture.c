/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <sys/mman.h>
#include "tests-unit/gpu-fixture.h"

#define ENTRY_OFFSET 256 /* of the kernel's code, from its descriptor */

void *fixture_at(Fixture *f, uint64_t bus)
{
    if (bus >= TESSERA_VRAM_WINDOW) {
        return f->vram + (bus - TESSERA_VRAM_WINDOW);
    }
    g_assert_cmphex(bus, >=, MOCK_RAM_BASE);
    g_assert_cmphex(bus, <, MOCK_RAM_BASE + MOCK_RAM_SIZE);
    return f->mock->ram + (bus - MOCK_RAM_BASE);
}

uint64_t fixture_alloc(Fixture *f, uint64_t size)
{
    uint64_t at = f->heap;

    f->heap += (size + 4095) & ~4095ull;
    g_assert_cmphex(f->heap, <=, MOCK_RAM_BASE + MOCK_RAM_SIZE);
    return at;
}

uint32_t reg32(Fixture *f, uint32_t offset)
{
    return tessera_gpu_reg_read(f->gpu, offset, 4);
}

uint64_t reg64(Fixture *f, uint32_t offset)
{
    return tessera_gpu_reg_read(f->gpu, offset, 8);
}

void set32(Fixture *f, uint32_t offset, uint32_t value)
{
    tessera_gpu_reg_write(f->gpu, offset, value, 4);
}

void set64(Fixture *f, uint32_t offset, uint64_t value)
{
    tessera_gpu_reg_write(f->gpu, offset, value, 8);
}

uint64_t load64(const void *at)
{
    return __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
}

uint32_t load32(const void *at)
{
    return __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
}

void store64(void *at, uint64_t value)
{
    __atomic_store_n((uint64_t *)at, value, __ATOMIC_RELEASE);
}

void store_words(void *at, const void *from, unsigned count)
{
    while (count--) { /* the first one last, as packets want it */
        uint64_t word;

        memcpy(&word, (const uint64_t *)from + count, 8);
        store64((uint64_t *)at + count, word);
    }
}

void let_it_settle(void)
{
    g_usleep(5000);
}

static void make_kernel(Fixture *f)
{
    AmdKernelDescriptor *kernel;

    f->kernel_at = fixture_alloc(f, 4096);
    kernel = fixture_at(f, f->kernel_at);
    kernel->kernel_code_entry_byte_offset = ENTRY_OFFSET;
    kernel->compute_pgm_rsrc1 = 0x00af0081;
    kernel->compute_pgm_rsrc2 = 0x00000991;
    kernel->compute_pgm_rsrc3 = 0x5;
    kernel->kernel_code_properties = 0x29;
}

static void start_ih(Fixture *f)
{
    f->ih_at = fixture_alloc(f, sizeof(TesseraIhEntry) << IH_LOG2);
    f->ih_wptr_at = fixture_alloc(f, 4);
    set64(f, TESSERA_REG_IH_BASE, f->ih_at);
    set64(f, TESSERA_REG_IH_WPTR_ADDR, f->ih_wptr_at);
    set32(f, TESSERA_REG_IH_CONTROL,
          IH_LOG2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT |
          TESSERA_IH_CONTROL_ENABLE_MASK);
}

Fixture *fixture_new(uint64_t hang_timeout_ns)
{
    Fixture *f = g_new0(Fixture, 1);
    GError *error = NULL;
    TesseraConfig config = {
        .isa = "gfx900",
        .vram_size = VRAM_BYTES,
        .workers = 1,
        .hang_timeout_ns = hang_timeout_ns,
        .stats = true,
        .inject = true,
    };

    f->vram = mmap(NULL, VRAM_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    g_assert_true(f->vram != MAP_FAILED);
    config.vram = f->vram;
    f->mock = mock_host_new();
    f->heap = MOCK_RAM_BASE;
    f->gpu = tessera_gpu_new(&config, &f->mock->host, &error);
    g_assert_no_error(error);
    make_kernel(f);
    start_ih(f);
    return f;
}

void fixture_again(Fixture *f)
{
    tessera_gpu_unmap_all(f->gpu);
    mock_host_again(f->mock);
    tessera_gpu_unmap_end(f->gpu, &(TesseraBars){ 0 });
    tessera_gpu_reset(f->gpu);
    fake_engine_again();
    mock_host_zero(f->mock);
    madvise(f->vram, VRAM_BYTES, MADV_DONTNEED);
    f->heap = MOCK_RAM_BASE;
    f->ih_read = 0;
    make_kernel(f);
    start_ih(f);
}

void fixture_free(Fixture *f)
{
    tessera_gpu_free(f->gpu);
    mock_host_free(f->mock);
    munmap(f->vram, VRAM_BYTES);
    g_free(f);
}

bool has_entry(Fixture *f)
{
    return load32(fixture_at(f, f->ih_wptr_at)) != f->ih_read;
}

TesseraIhEntry next_entry(Fixture *f)
{
    TesseraIhEntry *ring = fixture_at(f, f->ih_at);
    TesseraIhEntry entry;

    WAIT_FOR(has_entry(f));
    entry = ring[f->ih_read % (1 << IH_LOG2)];
    set32(f, TESSERA_REG_IH_RPTR, ++f->ih_read);
    return entry;
}

TesseraIhEntry next_entry_from(Fixture *f, unsigned source)
{
    TesseraIhEntry entry;

    do {
        entry = next_entry(f);
    } while (entry.source != source);
    return entry;
}

uint64_t submit_command(Fixture *f, unsigned op, unsigned slot, uint64_t desc)
{
    uint64_t at = fixture_alloc(f, sizeof(TesseraCommand) + 8);
    const TesseraCommand command = {
        .size = sizeof(command),
        .version = TESSERA_ABI_VERSION,
        .op = op,
        .slot = slot,
        .descriptor = desc,
        .fence_addr = at + sizeof(command),
        .fence_value = ++f->fence,
        .flags = f->flags,
    };

    f->flags = 0;
    store_words(fixture_at(f, at), &command, sizeof(command) / 8);
    set64(f, TESSERA_REG_CMD_ADDR, at);
    return at;
}

uint32_t run_command(Fixture *f, unsigned op, unsigned slot, uint64_t desc)
{
    uint64_t heap = f->heap;
    uint64_t at = submit_command(f, op, slot, desc);
    TesseraCommand *command = fixture_at(f, at);
    uint32_t result;

    WAIT_FOR(load64(command + 1) == f->fence);
    result = load32(&command->result);
    memset(command, 0, sizeof(*command) + 8);
    f->heap = heap;
    return result;
}

void catch_up(Fixture *f)
{
    g_assert_cmpuint(run_command(f, TESSERA_CMD_INVALIDATE, 0, 0), ==,
                     TESSERA_RESULT_OK);
}

Ring ring_new(Fixture *f, unsigned slot, unsigned packets)
{
    Ring r = { .slot = slot, .doorbell = slot, .packets = packets };

    r.desc_at = fixture_alloc(f, sizeof(TesseraQueue));
    r.amd_at = fixture_alloc(f, sizeof(AmdQueue));
    r.ring_at = fixture_alloc(f, packets * AQL_PACKET_SIZE);
    r.inactive_at = signal_new(f, 0);
    r.desc = fixture_at(f, r.desc_at);
    r.amd = fixture_at(f, r.amd_at);
    r.ring = fixture_at(f, r.ring_at);
    r.inactive = fixture_at(f, r.inactive_at);
    for (unsigned i = 0; i < packets; i++) {
        r.ring[i].header = AQL_TYPE_INVALID;
    }
    r.amd->read_dispatch_id_field_base_byte_offset = 0x80;
    r.amd->queue_inactive_signal = r.inactive_at;
    *r.desc = (TesseraQueue){
        .size = sizeof(TesseraQueue),
        .version = TESSERA_ABI_VERSION,
        .doorbell = r.doorbell,
        .ring = r.ring_at,
        .ring_packets = packets,
        .read_index_addr = r.amd_at + 0x80,
        .write_index_addr = r.amd_at + 0x38,
    };
    return r;
}

Ring ring_map(Fixture *f, unsigned slot, unsigned packets)
{
    Ring r = ring_new(f, slot, packets);

    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, slot, r.desc_at), ==,
                     TESSERA_RESULT_OK);
    return r;
}

void ring_put(Fixture *f, Ring *r, const void *packet)
{
    WAIT_FOR(r->wptr - load64(&r->amd->read_dispatch_id) < r->packets);
    store_words(&r->ring[r->wptr % r->packets], packet, 8);
    r->wptr++;
    store64(&r->amd->write_dispatch_id, r->wptr);
}

void ring_bell(Fixture *f, Ring *r)
{
    tessera_gpu_doorbell_write(f->gpu, r->doorbell * 8, r->wptr - 1, 8);
}

void ring_push(Fixture *f, Ring *r, const void *packet)
{
    ring_put(f, r, packet);
    ring_bell(f, r);
}

uint32_t ring_state(Fixture *f, Ring *r)
{
    set32(f, TESSERA_REG_QUEUE_SELECT, r->slot);
    return reg32(f, TESSERA_REG_QUEUE_STATE);
}

uint32_t ring_error(Fixture *f, Ring *r)
{
    set32(f, TESSERA_REG_QUEUE_SELECT, r->slot);
    return reg32(f, TESSERA_REG_QUEUE_ERROR);
}

void ring_wait_idle(Fixture *f, Ring *r)
{
    set32(f, TESSERA_REG_QUEUE_SELECT, r->slot);
    WAIT_FOR(reg32(f, TESSERA_REG_QUEUE_WAITS) == 0);
}

uint32_t ring_wait_error(Fixture *f, Ring *r)
{
    WAIT_FOR(ring_state(f, r) == 2);
    return ring_error(f, r);
}

uint64_t signal_new(Fixture *f, int64_t value)
{
    uint64_t at = fixture_alloc(f, sizeof(AmdSignal));
    AmdSignal *signal = fixture_at(f, at);

    signal->kind = 1;
    signal->value = value;
    return at;
}

AmdSignal *signal_at(Fixture *f, uint64_t signal)
{
    return fixture_at(f, signal);
}

int64_t signal_value(Fixture *f, uint64_t signal)
{
    return load64(&signal_at(f, signal)->value);
}

AqlDispatch dispatch_packet(Fixture *f, uint64_t signal)
{
    return (AqlDispatch){
        .header = AQL_TYPE_DISPATCH,
        .setup = 1,
        .group_x = 64, .group_y = 1, .group_z = 1,
        .grid_x = 256, .grid_y = 1, .grid_z = 1,
        .kernel_object = f->kernel_at,
        .kernarg_address = 0x123450,
        .completion_signal = signal,
    };
}

AqlBarrier barrier_packet(unsigned type, uint64_t completion,
                          const uint64_t *deps, unsigned count)
{
    AqlBarrier packet = { .header = type, .completion_signal = completion };

    for (unsigned i = 0; i < count; i++) {
        packet.dep_signal[i] = deps[i];
    }
    return packet;
}
