/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register file: one table made from TESSERA_REGISTERS, and hooks for the
 * registers that do something.
 */
#include <string.h>
#include "hw/gpu/internal.h"

typedef enum RegAccess { RO, RW, WO, W1C } RegAccess;

typedef struct RegInfo {
    uint32_t offset;
    uint8_t size; /* 4 or 8 */
    uint8_t access;
    uint16_t count, stride;
    uint64_t reset;
} RegInfo;

typedef struct FieldInfo {
    uint16_t reg; /* index in the table of registers */
    uint8_t shift, bits;
} FieldInfo;

#define NOTHING(...)
#define REG_INDEX(n, off, size, count, stride, acc, reset, doc) REG_##n,
enum { TESSERA_REGISTERS(REG_INDEX, NOTHING) REG_COUNT };

#define REG_ROW(n, off, size, count, stride, acc, reset, doc)                  \
    [REG_##n] = { off, size, acc, count, stride, reset },
static const RegInfo reg_info[] = { TESSERA_REGISTERS(REG_ROW, NOTHING) };

#define FIELD_ROW(r, n, shift, len, doc) { REG_##r, shift, len },
static const FieldInfo field_info[] = { TESSERA_REGISTERS(NOTHING, FIELD_ROW) };

/*
 * What a register does, called with the lock held.  A register with a read
 * hook has no stored value: its place in the store latches the high half
 * while the low one is read.
 */
typedef struct RegHooks {
    uint64_t (*read)(TesseraGpu *gpu);
    /* @value has its reserved bits cleared and is not stored yet. */
    void (*write)(TesseraGpu *gpu, uint64_t value);
} RegHooks;

uint32_t regs_get32(TesseraGpu *gpu, uint32_t offset)
{
    return gpu->regs[offset / 4];
}

uint64_t regs_get64(TesseraGpu *gpu, uint32_t offset)
{
    return gpu->regs[offset / 4] | (uint64_t)gpu->regs[offset / 4 + 1] << 32;
}

void regs_set32(TesseraGpu *gpu, uint32_t offset, uint32_t value)
{
    gpu->regs[offset / 4] = value;
}

void regs_set64(TesseraGpu *gpu, uint32_t offset, uint64_t value)
{
    gpu->regs[offset / 4] = value;
    gpu->regs[offset / 4 + 1] = value >> 32;
}

void regs_raise(TesseraGpu *gpu, uint32_t offset, uint32_t bits)
{
    gpu_lock(gpu);
    gpu->regs[offset / 4] |= bits;
    gpu_unlock(gpu);
}

/* ---- hooks ---- */

static GpuQueue *selected_queue(TesseraGpu *gpu)
{
    return &gpu->queues[REG_FIELD(regs_get32(gpu, TESSERA_REG_QUEUE_SELECT),
                                  QUEUE_SELECT, SLOT)];
}

static uint64_t read_queue_state(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->state, __ATOMIC_ACQUIRE);
}

static uint64_t read_queue_error(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->error, __ATOMIC_ACQUIRE);
}

static uint64_t read_queue_read_index(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->read_index, __ATOMIC_ACQUIRE);
}

static uint64_t read_queue_inflight(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->inflight, __ATOMIC_ACQUIRE);
}

static uint64_t read_queue_fault_status(TesseraGpu *gpu)
{
    const GpuQueue *queue = selected_queue(gpu);

    if (queue->fault.cause == TESSERA_FAULT_NONE) {
        return 0;
    }
    return fault_status(&queue->fault, queue->vmid) |
           (queue->fault_more ? TESSERA_QUEUE_FAULT_STATUS_MORE_MASK : 0);
}

static uint64_t read_queue_fault_addr(TesseraGpu *gpu)
{
    return selected_queue(gpu)->fault.address;
}

static uint64_t read_queue_fault_pc(TesseraGpu *gpu)
{
    return selected_queue(gpu)->fault.pc;
}

static uint64_t read_queue_fault_lanes(TesseraGpu *gpu)
{
    return selected_queue(gpu)->fault.lanes;
}

static uint64_t read_queue_fault_index(TesseraGpu *gpu)
{
    return selected_queue(gpu)->fault_index;
}

static uint64_t read_queue_cu_mask(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->cu_mask, __ATOMIC_RELAXED);
}

static uint64_t read_queue_priority(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->priority, __ATOMIC_RELAXED);
}

static uint64_t read_queue_waits(TesseraGpu *gpu)
{
    return __atomic_load_n(&selected_queue(gpu)->waits, __ATOMIC_RELAXED);
}

static uint64_t read_inject_armed(TesseraGpu *gpu)
{
    return __atomic_load_n(&gpu->injecting, __ATOMIC_RELAXED);
}

static uint64_t read_queue_next_stopped(TesseraGpu *gpu)
{
    for (unsigned slot = selected_queue(gpu)->slot; slot < TESSERA_QUEUES;
         slot++) {
        if (__atomic_load_n(&gpu->queues[slot].state, __ATOMIC_ACQUIRE) ==
            QUEUE_STOPPED) {
            return slot;
        }
    }
    return NO_QUEUE;
}

/* There may be room for entries that wait. */
static void write_ih_rptr(TesseraGpu *gpu, uint64_t value)
{
    regs_set32(gpu, TESSERA_REG_IH_RPTR, value);
    gpu->inbox.ring_read = true;
    cp_kick(gpu);
}

static void write_test_irq(TesseraGpu *gpu, uint64_t value)
{
    ih_defer(gpu, &(GpuEvent){
        .source = TESSERA_IH_TEST,
        .queue = NO_QUEUE,
        .data = value,
    });
}

/* DONE and ERROR are cleared; with ERROR its cause.  BUSY stays. */
static void write_test_dma_status(TesseraGpu *gpu, uint64_t value)
{
    uint32_t status = regs_get32(gpu, TESSERA_REG_TEST_DMA_STATUS);

    status &= ~(value & (TESSERA_TEST_DMA_STATUS_DONE_MASK |
                         TESSERA_TEST_DMA_STATUS_ERROR_MASK));
    if (value & TESSERA_TEST_DMA_STATUS_ERROR_MASK) {
        status &= ~TESSERA_TEST_DMA_STATUS_CAUSE_MASK;
    }
    regs_set32(gpu, TESSERA_REG_TEST_DMA_STATUS, status);
}

static void write_fault_status(TesseraGpu *gpu, uint64_t value)
{
    if (value & TESSERA_FAULT_STATUS_VALID_MASK) {
        regs_set32(gpu, TESSERA_REG_FAULT_STATUS, 0);
        regs_set32(gpu, TESSERA_REG_FAULT_QUEUE, 0);
        regs_set64(gpu, TESSERA_REG_FAULT_ADDR, 0);
        regs_set64(gpu, TESSERA_REG_FAULT_PC, 0);
        regs_set64(gpu, TESSERA_REG_FAULT_LANES, 0);
        memset(&gpu->first_fault, 0, sizeof(gpu->first_fault));
    }
}

/* Takes effect when the access is over, see tessera_gpu_reg_write(). */
static void write_control(TesseraGpu *gpu, uint64_t value)
{
    regs_set32(gpu, TESSERA_REG_CONTROL, value);
}

static const RegHooks reg_hooks[REG_COUNT] = {
    [REG_CLOCK] = { .read = gpu_clock },
    [REG_CONTROL] = { .write = write_control },
    [REG_TEST_IRQ] = { .write = write_test_irq },
    [REG_TEST_DMA_SIZE] = { .write = test_dma_start },
    [REG_TEST_DMA_STATUS] = { .write = write_test_dma_status },
    [REG_INJECT_ARM] = { .write = inject_arm },
    [REG_INJECT_ARMED] = { .read = read_inject_armed },
    [REG_IH_RPTR] = { .write = write_ih_rptr },
    [REG_FAULT_STATUS] = { .write = write_fault_status },
    [REG_SCANOUT_CONTROL] = { .write = scanout_commit },
    [REG_QUEUE_STATE] = { .read = read_queue_state },
    [REG_QUEUE_ERROR] = { .read = read_queue_error },
    [REG_QUEUE_READ_INDEX] = { .read = read_queue_read_index },
    [REG_QUEUE_INFLIGHT] = { .read = read_queue_inflight },
    [REG_QUEUE_FAULT_STATUS] = { .read = read_queue_fault_status },
    [REG_QUEUE_NEXT_STOPPED] = { .read = read_queue_next_stopped },
    [REG_QUEUE_FAULT_ADDR] = { .read = read_queue_fault_addr },
    [REG_QUEUE_FAULT_PC] = { .read = read_queue_fault_pc },
    [REG_QUEUE_FAULT_LANES] = { .read = read_queue_fault_lanes },
    [REG_QUEUE_FAULT_INDEX] = { .read = read_queue_fault_index },
    [REG_QUEUE_CU_MASK] = { .read = read_queue_cu_mask },
    [REG_QUEUE_PRIORITY] = { .read = read_queue_priority },
    [REG_QUEUE_WAITS] = { .read = read_queue_waits },
};

/* ---- the map ---- */

/* Made once from the tables. */
static struct {
    uint8_t at[TESSERA_REGS_SIZE / 4]; /* register index + 1, 0: none */
    uint64_t valid[REG_COUNT];         /* bits that are not reserved */
} map;

static void *make_map(void *unused)
{
    G_STATIC_ASSERT(REG_COUNT < 255);

    for (unsigned r = 0; r < REG_COUNT; r++) {
        const RegInfo *reg = &reg_info[r];

        for (unsigned i = 0; i < reg->count; i++) {
            uint32_t word = (reg->offset + i * reg->stride) / 4;

            for (unsigned w = 0; w < reg->size / 4; w++) {
                map.at[word + w] = r + 1;
            }
        }
    }
    for (unsigned f = 0; f < G_N_ELEMENTS(field_info); f++) {
        const FieldInfo *field = &field_info[f];

        map.valid[field->reg] |= ((1ull << field->bits) - 1) << field->shift;
    }
    for (unsigned r = 0; r < REG_COUNT; r++) {
        if (!map.valid[r]) {
            map.valid[r] = reg_info[r].size == 8 ? UINT64_MAX : UINT32_MAX;
        }
    }
    return NULL;
}

/* The registers whose power-on value the configuration decides. */
static void reset_identity(TesseraGpu *gpu)
{
    const TesseraIsa *isa = gpu->isa;

    regs_set32(gpu, TESSERA_REG_FEATURES,
               regs_get32(gpu, TESSERA_REG_FEATURES) |
               TESSERA_FEATURES_PAGE_TABLES_MASK |
               TESSERA_FEATURES_BLOCKS_MASK |
               (gpu->has_head ? TESSERA_FEATURES_SCANOUT_MASK : 0) |
               (gpu->inject ? TESSERA_FEATURES_INJECT_MASK : 0));
    regs_set32(gpu, TESSERA_REG_ISA, isa->number);
    regs_set32(gpu, TESSERA_REG_CU_COUNT, TESSERA_CUS);
    regs_set32(gpu, TESSERA_REG_WAVE_SIZE, isa->lanes);
    regs_set64(gpu, TESSERA_REG_VRAM_SIZE, gpu->vram_size);
}

void regs_reset(TesseraGpu *gpu)
{
    static GOnce once = G_ONCE_INIT;

    g_once(&once, make_map, NULL);
    memset(gpu->regs, 0, sizeof(gpu->regs));
    for (unsigned r = 0; r < REG_COUNT; r++) {
        const RegInfo *reg = &reg_info[r];

        for (unsigned i = 0; i < reg->count; i++) {
            uint32_t offset = reg->offset + i * reg->stride;

            if (reg->size == 8) {
                regs_set64(gpu, offset, reg->reset);
            } else {
                regs_set32(gpu, offset, reg->reset);
            }
        }
    }
    reset_identity(gpu);
}

/* ---- access ---- */

/* An access that the map allows: of a whole register, or half of a long one. */
typedef struct RegRef {
    unsigned reg;
    uint32_t offset; /* of the register's copy */
    unsigned shift;  /* 32 for the high half */
    unsigned size;   /* of the access */
} RegRef;

/* The injector's registers are there if the property says so. */
static bool is_hidden(TesseraGpu *gpu, uint32_t offset)
{
    return !gpu->inject && offset >= TESSERA_REG_INJECT_QUEUE &&
           offset < TESSERA_REG_INJECT_HITS + 4;
}

static bool find_reg(TesseraGpu *gpu, uint32_t offset, unsigned size,
                     RegRef *ref)
{
    const RegInfo *reg;

    if (is_hidden(gpu, offset)) {
        return false;
    }
    if ((size != 4 && size != 8) || offset % size ||
        offset >= TESSERA_REGS_SIZE || !map.at[offset / 4]) {
        return false;
    }
    ref->reg = map.at[offset / 4] - 1;
    reg = &reg_info[ref->reg];
    ref->shift = reg->size == 8 && offset % 8 ? 32 : 0;
    ref->offset = offset - ref->shift / 8;
    ref->size = size;
    return size <= reg->size;
}

static uint64_t low_bits(uint64_t value, unsigned size)
{
    return size == 8 ? value : (uint32_t)value;
}

static uint64_t stored_value(TesseraGpu *gpu, const RegRef *ref)
{
    return reg_info[ref->reg].size == 8 ? regs_get64(gpu, ref->offset)
                                        : regs_get32(gpu, ref->offset);
}

static void store_value(TesseraGpu *gpu, const RegRef *ref, uint64_t value)
{
    value &= map.valid[ref->reg];
    if (reg_info[ref->reg].size == 8) {
        regs_set64(gpu, ref->offset, value);
    } else {
        regs_set32(gpu, ref->offset, value);
    }
}

static uint64_t read_reg(TesseraGpu *gpu, const RegRef *ref)
{
    const RegHooks *hooks = &reg_hooks[ref->reg];
    uint64_t value;

    if (reg_info[ref->reg].access == WO) {
        return 0;
    }
    if (hooks->read && !ref->shift) {
        value = hooks->read(gpu);
        store_value(gpu, ref, value); /* the latch of the high half */
    } else {
        value = stored_value(gpu, ref);
    }
    return low_bits(value >> ref->shift, ref->size);
}

/* The configuration decides these; RESET is never seen set. */
static bool is_constant(unsigned reg)
{
    static const uint8_t constants[] = {
        REG_ID, REG_SPEC_VERSION, REG_FEATURES, REG_ISA, REG_CU_COUNT,
        REG_WAVE_SIZE, REG_VRAM_SIZE, REG_CONTROL,
    };

    return memchr(constants, reg, sizeof(constants));
}

static void write_reg(TesseraGpu *gpu, const RegRef *ref, uint64_t value)
{
    const RegHooks *hooks = &reg_hooks[ref->reg];
    uint64_t part = (ref->size == 8 ? UINT64_MAX : UINT32_MAX) << ref->shift;
    uint64_t old = stored_value(gpu, ref);
    uint64_t written = (value << ref->shift) & part & map.valid[ref->reg];

    switch (reg_info[ref->reg].access) {
    case RO:
        break;
    case RW:
    case WO:
        if (hooks->write) {
            hooks->write(gpu, written);
        } else {
            store_value(gpu, ref, (old & ~part) | written);
        }
        break;
    case W1C:
        if (hooks->write) {
            hooks->write(gpu, written);
        } else {
            store_value(gpu, ref, old & ~written);
        }
        break;
    }
}

/* Plain memory, whose writes push earlier ones out of the host's data path. */
static bool in_flush_page(uint32_t offset, unsigned size)
{
    return offset >= TESSERA_FLUSH_PAGE && offset < TESSERA_REGS_SIZE &&
           (size == 4 || size == 8) && offset % size == 0;
}

bool regs_next_changed(TesseraGpu *gpu, uint32_t *offset, uint64_t *value)
{
    for (uint32_t at = *offset; at < TESSERA_REGS_SIZE; at += 4) {
        uint64_t power_on = 0;
        RegRef ref;

        if (in_flush_page(at, 4)) {
            *value = regs_get32(gpu, at);
        } else if (find_reg(gpu, at, 4, &ref) && !ref.shift &&
                   !is_constant(ref.reg)) {
            *value = stored_value(gpu, &ref);
            power_on = reg_info[ref.reg].reset;
        } else {
            continue;
        }
        if (*value != power_on) {
            *offset = at;
            return true;
        }
    }
    return false;
}

bool regs_restore(TesseraGpu *gpu, uint32_t offset, uint64_t value)
{
    RegRef ref;

    if (in_flush_page(offset, 4) && value <= UINT32_MAX) {
        regs_set32(gpu, offset, value);
        return true;
    }
    if (!find_reg(gpu, offset, 4, &ref) || ref.shift || is_constant(ref.reg) ||
        value & ~map.valid[ref.reg]) {
        return false;
    }
    store_value(gpu, &ref, value);
    return true;
}

static void log_bad_access(TesseraGpu *gpu, const char *what, uint32_t offset,
                           unsigned size)
{
    gpu_log(gpu, TESSERA_LOG_GUEST_ERROR,
            "no register for a %u-byte %s at offset 0x%x", size, what, offset);
}

uint64_t tessera_gpu_reg_read(TesseraGpu *gpu, uint32_t offset, unsigned size)
{
    uint64_t value = 0;
    bool known = true;
    RegRef ref;

    gpu_lock(gpu);
    if (in_flush_page(offset, size)) {
        value = size == 8 ? regs_get64(gpu, offset) : regs_get32(gpu, offset);
    } else if (find_reg(gpu, offset, size, &ref)) {
        value = read_reg(gpu, &ref);
    } else {
        known = false;
    }
    gpu_unlock(gpu);
    if (!known) {
        log_bad_access(gpu, "read", offset, size);
    }
    return value;
}

/* Some registers act when their high half, or all of them, is written. */
static bool acts(const RegRef *ref, unsigned reg)
{
    return ref->reg == reg && (ref->shift || ref->size == 8);
}

/* The request is carried out when the lock is free again. */
static bool begin_invalidate(TesseraGpu *gpu)
{
    uint64_t ack = regs_get64(gpu, TESSERA_REG_VM_INVALIDATE_ACK);
    uint64_t asked = regs_get64(gpu, TESSERA_REG_VM_INVALIDATE);

    regs_set64(gpu, TESSERA_REG_VM_INVALIDATE_ACK, ack & ~asked);
    return asked;
}

static void end_invalidate(TesseraGpu *gpu)
{
    uint64_t ack, asked;

    vm_invalidate(gpu);
    gpu_lock(gpu);
    ack = regs_get64(gpu, TESSERA_REG_VM_INVALIDATE_ACK);
    asked = regs_get64(gpu, TESSERA_REG_VM_INVALIDATE);
    regs_set64(gpu, TESSERA_REG_VM_INVALIDATE_ACK, ack | asked);
    regs_set64(gpu, TESSERA_REG_VM_INVALIDATE, 0);
    gpu_unlock(gpu);
}

void tessera_gpu_reg_write(TesseraGpu *gpu, uint32_t offset, uint64_t value,
                           unsigned size)
{
    bool known = true, reset = false, invalidate = false;
    bool forget = false;
    RegRef ref;

    gpu_lock(gpu);
    if (in_flush_page(offset, size)) {
        if (size == 8) {
            regs_set64(gpu, offset, value);
        } else {
            regs_set32(gpu, offset, value);
        }
    } else if (find_reg(gpu, offset, size, &ref)) {
        write_reg(gpu, &ref, value);
        if (acts(&ref, REG_CMD_ADDR)) {
            command_submit(gpu, stored_value(gpu, &ref));
        }
        forget = ref.reg == REG_INJECT_ARM &&
                 value == TESSERA_INJECT_PAGE_FAULT;
        invalidate = acts(&ref, REG_VM_INVALIDATE) && begin_invalidate(gpu);
        reset = regs_get32(gpu, TESSERA_REG_CONTROL) &
                TESSERA_CONTROL_RESET_MASK;
    } else {
        known = false;
    }
    gpu_unlock(gpu);
    if (!known) {
        log_bad_access(gpu, "write", offset, size);
    }
    if (forget) {
        gpu_forget_pages(gpu); /* so that the next access looks one up */
    }
    if (invalidate) {
        end_invalidate(gpu);
    }
    if (reset) {
        tessera_gpu_reset(gpu);
    }
}
