/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tessera-qtest.h"

#define PCI_ADDRESS_PORT 0xcf8
#define PCI_DATA_PORT 0xcfc
#define DEFAULT_WINDOW 0xe0000000u
#define RAM_START (16u << 20) /* above what firmware would use */

/* ---- start and stop ---- */

static const char *need_env(const char *name)
{
    const char *value = g_getenv(name);

    if (!value) {
        g_error("%s is not set: run the tests through meson test", name);
    }
    return value;
}

unsigned long tq_process_fact(const char *pid_file, const char *name)
{
    g_autofree char *pid = NULL, *file = NULL, *text = NULL;
    g_autofree char *key = g_strconcat("\n", name, ":", NULL);
    char *at;

    g_assert_true(g_file_get_contents(pid_file, &pid, NULL, NULL));
    file = g_strdup_printf("/proc/%s/status", g_strstrip(pid));
    g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
    at = strstr(text, key);
    g_assert_nonnull(at);
    return strtoul(at + strlen(key), NULL, 10);
}

QTestState *tq_start_qemu(const char *args)
{
    return qtest_initf("-machine q35 -m %uM -nodefaults -plugin %s %s",
                       TQ_RAM_SIZE >> 20, need_env("TESSERA_PLUGIN"), args);
}

TqGpu *tq_start(const char *properties)
{
    g_autofree char *args = g_strdup_printf(
        "-device tessera,id=gpu0,addr=4,vram-size=%uM%s", TQ_VRAM_SIZE >> 20,
        properties);
    TqGpu *gpu = tq_attach(tq_start_qemu(args), 0, 4 << 3, DEFAULT_WINDOW);

    gpu->owns_qemu = true;
    return gpu;
}

static TqGpu *new_gpu(QTestState *qts, unsigned bus, unsigned devfn,
                      uint64_t ram, uint64_t ram_end)
{
    TqGpu *gpu = g_new0(TqGpu, 1);

    gpu->qts = qts;
    gpu->bus = bus;
    gpu->devfn = devfn;
    gpu->ram_next = ram;
    gpu->ram_end = ram_end;
    gpu->pm_cap = tq_find_capability(qts, bus, devfn, 0x01);
    gpu->pcie_cap = tq_find_capability(qts, bus, devfn, 0x10);
    gpu->msix_cap = tq_find_capability(qts, bus, devfn, 0x11);
    return gpu;
}

TqGpu *tq_attach(QTestState *qts, unsigned bus, unsigned devfn,
                 uint32_t window)
{
    /* Several devices must not use the same memory. */
    uint64_t ram = RAM_START + (bus * 32 + (devfn >> 3)) * (2u << 20);
    TqGpu *gpu = new_gpu(qts, bus, devfn, ram, TQ_RAM_SIZE);

    tq_place_bars(gpu, window);
    return gpu;
}

static uint64_t placed(TqGpu *gpu, unsigned at, bool wide)
{
    uint64_t high = wide ? tq_config_read(gpu, at + 4, 4) : 0;

    return (tq_config_read(gpu, at, 4) & ~0xfu) | high << 32;
}

TqGpu *tq_attach_placed(QTestState *qts, unsigned bus, unsigned devfn,
                        uint64_t ram, uint64_t ram_end)
{
    TqGpu *gpu = new_gpu(qts, bus, devfn, ram, ram_end);

    gpu->regs = placed(gpu, 0x10, false);
    gpu->msix = placed(gpu, 0x14, false);
    gpu->vram = placed(gpu, 0x18, true);
    gpu->doorbells = placed(gpu, 0x20, true);
    return gpu;
}

void tq_end(TqGpu *gpu)
{
    if (gpu->owns_qemu) {
        qtest_quit(gpu->qts);
    }
    g_free(gpu);
}

int tq_run_qemu(const char *args, char **text)
{
    g_autofree char *command = g_strdup_printf(
        "timeout 600 %s -display none -nodefaults %s 2>&1",
        need_env("QTEST_QEMU_BINARY"), args);
    GString *out = g_string_new(NULL);
    char buf[512];
    size_t n;
    FILE *f = popen(command, "r");
    int status;

    g_assert_nonnull(f);
    while ((n = fread(buf, 1, sizeof(buf), f)) > 0) {
        g_string_append_len(out, buf, n);
    }
    status = pclose(f);
    *text = g_string_free(out, false);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- configuration space ---- */

static uint64_t ecam; /* 0: the ports */

void tq_use_ecam(uint64_t base)
{
    ecam = base;
}

static uint64_t ecam_address(unsigned bus, unsigned devfn, unsigned offset)
{
    return ecam + (bus << 20 | devfn << 12 | offset);
}

static void select_config(QTestState *qts, unsigned bus, unsigned devfn,
                          unsigned offset)
{
    g_assert_cmpuint(offset, <, 256);
    qtest_outl(qts, PCI_ADDRESS_PORT,
               0x80000000u | bus << 16 | devfn << 8 | (offset & ~3u));
}

static uint32_t ecam_read(QTestState *qts, uint64_t at, unsigned size)
{
    return size == 1 ? qtest_readb(qts, at) :
           size == 2 ? qtest_readw(qts, at) : qtest_readl(qts, at);
}

uint32_t tq_pci_read(QTestState *qts, unsigned bus, unsigned devfn,
                     unsigned offset, unsigned size)
{
    unsigned port = PCI_DATA_PORT + (offset & 3);

    if (ecam) {
        return ecam_read(qts, ecam_address(bus, devfn, offset), size);
    }
    select_config(qts, bus, devfn, offset);
    return size == 1 ? qtest_inb(qts, port) :
           size == 2 ? qtest_inw(qts, port) : qtest_inl(qts, port);
}

static void ecam_write(QTestState *qts, uint64_t at, uint32_t value,
                       unsigned size)
{
    if (size == 1) {
        qtest_writeb(qts, at, value);
    } else if (size == 2) {
        qtest_writew(qts, at, value);
    } else {
        qtest_writel(qts, at, value);
    }
}

static void port_write(QTestState *qts, unsigned port, uint32_t value,
                       unsigned size)
{
    if (size == 1) {
        qtest_outb(qts, port, value);
    } else if (size == 2) {
        qtest_outw(qts, port, value);
    } else {
        qtest_outl(qts, port, value);
    }
}

void tq_pci_write(QTestState *qts, unsigned bus, unsigned devfn,
                  unsigned offset, uint32_t value, unsigned size)
{
    if (ecam) {
        ecam_write(qts, ecam_address(bus, devfn, offset), value, size);
        return;
    }
    select_config(qts, bus, devfn, offset);
    port_write(qts, PCI_DATA_PORT + (offset & 3), value, size);
}

uint32_t tq_config_read(TqGpu *gpu, unsigned offset, unsigned size)
{
    return tq_pci_read(gpu->qts, gpu->bus, gpu->devfn, offset, size);
}

void tq_config_write(TqGpu *gpu, unsigned offset, uint32_t value,
                     unsigned size)
{
    tq_pci_write(gpu->qts, gpu->bus, gpu->devfn, offset, value, size);
}

unsigned tq_find_capability(QTestState *qts, unsigned bus, unsigned devfn,
                            uint8_t id)
{
    unsigned at = tq_pci_read(qts, bus, devfn, 0x34, 1);

    for (int i = 0; i < 48 && at; i++) {
        if (tq_pci_read(qts, bus, devfn, at, 1) == id) {
            return at;
        }
        at = tq_pci_read(qts, bus, devfn, at + 1, 1);
    }
    return 0;
}

void tq_open_root_port(QTestState *qts, unsigned devfn, uint32_t window)
{
    uint32_t last = window + (112u << 20);

    tq_pci_write(qts, 0, devfn, 0x18, 0x00010100, 4); /* buses 0, 1, 1 */
    tq_pci_write(qts, 0, devfn, 0x20, last | window >> 16, 4);
    tq_pci_write(qts, 0, devfn, 0x24, 0x0000fff0, 4); /* no prefetchable */
    tq_pci_write(qts, 0, devfn, 0x04, 0x07, 2);
}

/* A slot that is filled at run time has no power until the guest gives it. */
void tq_power_slot(QTestState *qts, unsigned devfn)
{
    unsigned sltctl = tq_find_capability(qts, 0, devfn, 0x10) + 0x18;
    uint16_t value = tq_pci_read(qts, 0, devfn, sltctl, 2);

    tq_pci_write(qts, 0, devfn, sltctl, (value & ~0x0700) | 0x0100, 2);
}

/*
 * The guest grants a removal by switching off the slot's power and its
 * indicator (PCI Express Base, 6.7.1).
 */
void tq_unplug(QTestState *qts, unsigned devfn, const char *id)
{
    unsigned sltctl = tq_find_capability(qts, 0, devfn, 0x10) + 0x18;
    uint16_t value;

    qtest_qmp_device_del_send(qts, id);
    value = tq_pci_read(qts, 0, devfn, sltctl, 2);
    tq_pci_write(qts, 0, devfn, sltctl, value | 0x0700, 2);
    qtest_qmp_eventwait(qts, "DEVICE_DELETED");
}

void tq_place_bars(TqGpu *gpu, uint32_t window)
{
    gpu->vram = window; /* first, since it is the largest and aligned so */
    gpu->doorbells = window + TQ_VRAM_SIZE;
    gpu->regs = gpu->doorbells + TESSERA_VMIDS * TESSERA_SLICE_SIZE;
    gpu->msix = gpu->regs + TESSERA_REGS_SIZE;
    tq_config_write(gpu, 0x10, gpu->regs, 4);
    tq_config_write(gpu, 0x14, gpu->msix, 4);
    tq_config_write(gpu, 0x18, gpu->vram, 4);
    tq_config_write(gpu, 0x1c, 0, 4);
    tq_config_write(gpu, 0x20, gpu->doorbells, 4);
    tq_config_write(gpu, 0x24, 0, 4);
    tq_config_write(gpu, 0x04, 0x06, 2); /* memory space, bus master */
}

uint64_t tq_msix_enable(TqGpu *gpu, unsigned vector, uint32_t data)
{
    uint64_t target = tq_alloc(gpu, 64);
    uint64_t entry = gpu->msix + vector * 16;

    tq_config_write(gpu, gpu->msix_cap + 2, 0x8000, 2);
    qtest_writel(gpu->qts, entry, target);
    qtest_writel(gpu->qts, entry + 4, target >> 32);
    qtest_writel(gpu->qts, entry + 8, data);
    qtest_writel(gpu->qts, entry + 12, 0);
    return target;
}

/* ---- registers and memory ---- */

uint32_t tq_read(TqGpu *gpu, uint32_t reg)
{
    return qtest_readl(gpu->qts, gpu->regs + reg);
}

void tq_write(TqGpu *gpu, uint32_t reg, uint32_t value)
{
    qtest_writel(gpu->qts, gpu->regs + reg, value);
}

uint64_t tq_read64(TqGpu *gpu, uint32_t reg)
{
    return qtest_readq(gpu->qts, gpu->regs + reg);
}

void tq_write64(TqGpu *gpu, uint32_t reg, uint64_t value)
{
    qtest_writeq(gpu->qts, gpu->regs + reg, value);
}

/* Where the guest's CPUs see a VMID 0 address. */
static uint64_t cpu_address(TqGpu *gpu, uint64_t address)
{
    if (address >= TESSERA_VRAM_WINDOW) {
        return gpu->vram + (address - TESSERA_VRAM_WINDOW);
    }
    return address >= gpu->dma_offset ? address - gpu->dma_offset : address;
}

uint64_t tq_alloc(TqGpu *gpu, size_t size)
{
    uint64_t at = gpu->ram_next;

    gpu->ram_next = (at + size + 63) & ~63ull;
    g_assert_cmpuint(gpu->ram_next, <, gpu->ram_end);
    qtest_memset(gpu->qts, at, 0, size);
    return gpu->dma_offset + at;
}

uint64_t tq_alloc_vram(TqGpu *gpu, size_t size)
{
    uint64_t at = gpu->vram_next;

    gpu->vram_next = (at + size + 63) & ~63ull;
    g_assert_cmpuint(gpu->vram_next, <, TQ_VRAM_SIZE);
    qtest_memset(gpu->qts, gpu->vram + at, 0, size);
    return TESSERA_VRAM_WINDOW + at;
}

void tq_put(TqGpu *gpu, uint64_t address, const void *data, size_t size)
{
    qtest_memwrite(gpu->qts, cpu_address(gpu, address), data, size);
}

void tq_get(TqGpu *gpu, uint64_t address, void *data, size_t size)
{
    qtest_memread(gpu->qts, cpu_address(gpu, address), data, size);
}

uint32_t tq_get32(TqGpu *gpu, uint64_t address)
{
    return qtest_readl(gpu->qts, cpu_address(gpu, address));
}

uint64_t tq_get64(TqGpu *gpu, uint64_t address)
{
    return qtest_readq(gpu->qts, cpu_address(gpu, address));
}

void tq_put32(TqGpu *gpu, uint64_t address, uint32_t value)
{
    qtest_writel(gpu->qts, cpu_address(gpu, address), value);
}

void tq_put64(TqGpu *gpu, uint64_t address, uint64_t value)
{
    qtest_writeq(gpu->qts, cpu_address(gpu, address), value);
}

bool tq_wait64(TqGpu *gpu, uint64_t address, uint64_t value)
{
    return TQ_POLL(tq_get64(gpu, address) == value);
}

bool tq_wait32(TqGpu *gpu, uint64_t address, uint32_t value)
{
    return TQ_POLL(tq_get32(gpu, address) == value);
}

bool tq_wait_reg(TqGpu *gpu, uint32_t reg, uint32_t mask, uint32_t value)
{
    return TQ_POLL((tq_read(gpu, reg) & mask) == value);
}

void tq_settle(TqGpu *gpu)
{
    g_usleep(50000);
    qtest_inb(gpu->qts, 0x61); /* a round trip: bottom halves have run */
}

/* ---- interrupt ring ---- */

uint64_t tq_ring_enable(TqGpu *gpu, unsigned log2)
{
    uint64_t ring = tq_alloc(gpu, sizeof(TesseraIhEntry) << log2);

    tq_write64(gpu, TESSERA_REG_IH_BASE, ring);
    tq_write(gpu, TESSERA_REG_IH_CONTROL,
             TESSERA_IH_CONTROL_ENABLE_MASK |
             log2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT);
    return ring;
}

bool tq_ring_wait(TqGpu *gpu, uint64_t ring, unsigned log2, unsigned n,
                  TesseraIhEntry *entry)
{
    if (!TQ_POLL(tq_read(gpu, TESSERA_REG_IH_WPTR) > n)) {
        return false;
    }
    tq_get(gpu, ring + (n & ((1u << log2) - 1)) * sizeof(*entry), entry,
           sizeof(*entry));
    return true;
}

/* ---- commands and queues ---- */

TesseraCommand tq_command_init(uint32_t op, uint32_t slot)
{
    return (TesseraCommand) {
        .size = sizeof(TesseraCommand),
        .version = TESSERA_ABI_VERSION,
        .op = op,
        .slot = slot,
    };
}

int tq_command(TqGpu *gpu, TesseraCommand command)
{
    const uint64_t magic = 0xfe17ce0000000001;
    uint64_t at = tq_alloc(gpu, sizeof(command));

    command.fence_addr = tq_alloc(gpu, 8);
    command.fence_value = magic;
    tq_put(gpu, at, &command, sizeof(command));
    tq_write64(gpu, TESSERA_REG_CMD_ADDR, at);
    if (!tq_wait64(gpu, command.fence_addr, magic)) {
        return -1;
    }
    return tq_get32(gpu, at + offsetof(TesseraCommand, result));
}

void tq_catch_up(TqGpu *gpu)
{
    g_assert_cmpint(tq_command(gpu, tq_command_init(TESSERA_CMD_INVALIDATE, 0)),
                    ==, TESSERA_RESULT_OK);
}

TqQueue tq_queue_prepare(TqGpu *gpu, unsigned slot, uint32_t packets)
{
    TqQueue q = {
        .gpu = gpu,
        .slot = slot,
        .doorbell = slot,
        .packets = packets,
        .ring = tq_alloc(gpu, packets * AQL_PACKET_SIZE),
        .amd_queue = tq_alloc(gpu, sizeof(AmdQueue)),
        .inactive = tq_signal(gpu, 0),
        .descriptor = tq_alloc(gpu, sizeof(TesseraQueue)),
    };
    AmdQueue amd = {
        .type = 0,
        .base_address = q.ring,
        .size = packets,
        .id = slot,
        .read_dispatch_id_field_base_byte_offset =
            offsetof(AmdQueue, read_dispatch_id),
        .queue_properties = AMD_QUEUE_PROP_PTR64 | AMD_QUEUE_PROP_PROFILING,
        .queue_inactive_signal = q.inactive,
    };
    TesseraQueue desc = {
        .size = sizeof(desc),
        .version = TESSERA_ABI_VERSION,
        .doorbell = q.doorbell,
        .ring = q.ring,
        .ring_packets = packets,
        .read_index_addr = q.amd_queue + offsetof(AmdQueue, read_dispatch_id),
        .write_index_addr =
            q.amd_queue + offsetof(AmdQueue, write_dispatch_id),
    };

    for (uint32_t i = 0; i < packets; i++) {
        tq_put32(gpu, q.ring + i * AQL_PACKET_SIZE, AQL_TYPE_INVALID);
    }
    tq_put(gpu, q.amd_queue, &amd, sizeof(amd));
    tq_put(gpu, q.descriptor, &desc, sizeof(desc));
    return q;
}

int tq_queue_map(TqQueue *q)
{
    TesseraCommand c = tq_command_init(TESSERA_CMD_MAP, q->slot);

    c.descriptor = q->descriptor;
    return tq_command(q->gpu, c);
}

int tq_queue_unmap(TqQueue *q)
{
    return tq_command(q->gpu, tq_command_init(TESSERA_CMD_UNMAP, q->slot));
}

int tq_queue_kill(TqQueue *q)
{
    return tq_command(q->gpu, tq_command_init(TESSERA_CMD_KILL, q->slot));
}

TqQueue tq_queue(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue_prepare(gpu, slot, 64);

    g_assert_cmpint(tq_queue_map(&q), ==, TESSERA_RESULT_OK);
    return q;
}

uint64_t tq_signal(TqGpu *gpu, int64_t value)
{
    AmdSignal signal = { .kind = 1, .value = value };
    uint64_t at = tq_alloc(gpu, sizeof(signal));

    tq_put(gpu, at, &signal, sizeof(signal));
    return at;
}

void tq_put_packet(TqQueue *q, const void *packet)
{
    uint64_t slot = q->ring +
                    (q->write_index % q->packets) * AQL_PACKET_SIZE;
    uint32_t first;

    memcpy(&first, packet, 4);
    q->write_index++;
    tq_put64(q->gpu, q->amd_queue + offsetof(AmdQueue, write_dispatch_id),
             q->write_index);
    tq_put(q->gpu, slot + 4, (const char *)packet + 4, AQL_PACKET_SIZE - 4);
    tq_put32(q->gpu, slot, first);
}

void tq_ring_doorbell(TqQueue *q)
{
    qtest_writeq(q->gpu->qts, q->gpu->doorbells + q->doorbell * 8,
                 q->write_index - 1);
}

void tq_push(TqQueue *q, const void *packet)
{
    tq_put_packet(q, packet);
    tq_ring_doorbell(q);
}

uint32_t tq_wait_error(TqQueue *q)
{
    uint64_t at = q->inactive + TQ_SIGNAL_VALUE;

    TQ_POLL(tq_get64(q->gpu, at) != 0);
    return tq_get64(q->gpu, at);
}

/* ---- shaders ---- */

uint64_t tq_shader(TqGpu *gpu, const char *name, bool vram)
{
    return tq_shader_with(gpu, name, vram, 0);
}

uint64_t tq_shader_with(TqGpu *gpu, const char *name, bool vram,
                        uint16_t properties)
{
    g_autofree char *path = g_strdup_printf("%s/%s.bin",
                                            need_env("TESSERA_SHADERS"), name);
    g_autofree char *code = NULL;
    g_autoptr(GError) err = NULL;
    const uint32_t entry = 256;
    uint64_t at;
    gsize size;
    AmdKernelDescriptor kd = {
        .kernel_code_entry_byte_offset = entry,
        /* (VGPRs / 4 - 1), (SGPRs / 8 - 1) << 6, denormals on, IEEE mode */
        .compute_pgm_rsrc1 = 7 | 3 << 6 | 0xc0 << 12 | 1 << 23,
        /* two user SGPRs, work-group id x */
        .compute_pgm_rsrc2 = 2 << 1 | 1 << 7,
        /* kernarg pointer */
        .kernel_code_properties = 1 << 3 | properties,
    };

    if (!g_file_get_contents(path, &code, &size, &err)) {
        g_error("%s", err->message);
    }
    at = vram ? tq_alloc_vram(gpu, entry + size + 256) :
                tq_alloc(gpu, entry + size + 256);
    at = (at + 255) & ~255ull;
    tq_put(gpu, at, &kd, sizeof(kd));
    tq_put(gpu, at + entry, code, size);
    return at;
}

AqlDispatch tq_dispatch(TqGpu *gpu, uint64_t kernel, uint64_t kernarg,
                        uint32_t grid, uint16_t group)
{
    return (AqlDispatch) {
        .header = TQ_HEADER(AQL_TYPE_DISPATCH),
        .setup = 1,
        .group_x = group,
        .group_y = 1,
        .group_z = 1,
        .grid_x = grid,
        .grid_y = 1,
        .grid_z = 1,
        .kernel_object = kernel,
        .kernarg_address = kernarg,
        .completion_signal = tq_signal(gpu, 1),
    };
}

void tq_run(TqQueue *q, const AqlDispatch *packet)
{
    tq_push(q, packet);
    if (!tq_wait64(q->gpu, packet->completion_signal + TQ_SIGNAL_VALUE, 0)) {
        g_error("dispatch did not complete; queue error 0x%" PRIx64,
                tq_get64(q->gpu, q->inactive + TQ_SIGNAL_VALUE));
    }
}

TqEndless tq_endless(TqGpu *gpu, unsigned slot, bool vram)
{
    TqEndless e = {
        .q = tq_queue(gpu, slot),
        .buf = vram ? tq_alloc_vram(gpu, 64) : tq_alloc(gpu, 64),
    };
    uint64_t kernarg = tq_alloc(gpu, 64);

    tq_put64(gpu, kernarg, e.buf);
    e.packet = tq_dispatch(gpu, tq_shader(gpu, "endless", vram), kernarg,
                           64, 64);
    tq_push(&e.q, &e.packet);
    g_assert_true(tq_wait32(gpu, e.buf, 1));
    return e;
}

static uint32_t endless_count(TqEndless *e)
{
    return tq_get32(e->q.gpu, e->buf + 4);
}

bool tq_counts(TqEndless *e)
{
    uint32_t before = endless_count(e);

    return TQ_POLL(endless_count(e) != before);
}

bool tq_stands_still(TqEndless *e)
{
    uint32_t before = endless_count(e);

    tq_settle(e->q.gpu);
    tq_settle(e->q.gpu);
    return endless_count(e) == before;
}
