/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine.h"
#include <libfdt.h>

#define SPACE_MASK 0x03000000u /* Open Firmware PCI binding, 2.2.1.1 */
#define SPACE_MEMORY_32 0x02000000u
#define SPACE_MEMORY_64 0x03000000u
#define RAM_RESERVED (16u << 20) /* firmware, device tree */

static uint64_t cells(const fdt32_t *at, unsigned count)
{
    uint64_t value = 0;

    while (count--) {
        value = value << 32 | fdt32_to_cpu(*at++);
    }
    return value;
}

static const fdt32_t *property(const TqMachine *m, int node, const char *name,
                               unsigned *count)
{
    int size = 0;
    const fdt32_t *at = fdt_getprop(m->fdt, node, name, &size);

    if (!at) {
        g_error("the device tree has no %s where there should be one", name);
    }
    *count = size / sizeof(*at);
    return at;
}

/* Entry @index of the node's "reg": its address. */
static uint64_t reg_address(const TqMachine *m, int node, unsigned index)
{
    int parent = fdt_parent_offset(m->fdt, node);
    unsigned address = fdt_address_cells(m->fdt, parent);
    unsigned entry = address + fdt_size_cells(m->fdt, parent);
    unsigned count;
    const fdt32_t *reg = property(m, node, "reg", &count);

    g_assert_cmpuint(count, >=, (index + 1) * entry);
    return cells(reg + index * entry, address);
}

uint64_t tq_machine_reg(const TqMachine *m, const char *compatible,
                        unsigned index, const char *name, unsigned word,
                        uint32_t value)
{
    int node = -1;

    while ((node = fdt_node_offset_by_compatible(m->fdt, node, compatible))
           >= 0) {
        unsigned count;

        if (!name ||
            fdt32_to_cpu(property(m, node, name, &count)[word]) == value) {
            return reg_address(m, node, index);
        }
    }
    g_error("the device tree has no %s", compatible);
}

/* A row of "ranges": three cells of PCI, two of the CPU's, two of size. */
static void take_range(TqMachine *m, const fdt32_t *range)
{
    uint32_t space = fdt32_to_cpu(range[0]) & SPACE_MASK;
    uint64_t bus = cells(range + 1, 2), cpu = cells(range + 3, 2);
    PciWindow window = { bus, bus + cells(range + 5, 2) };

    if (space == SPACE_MEMORY_32) {
        g_assert_cmphex(bus, ==, cpu);
        m->low = window;
    } else if (space == SPACE_MEMORY_64) {
        g_assert_cmphex(bus, ==, cpu);
        m->high = window;
    }
}

static void find_pci(TqMachine *m)
{
    int node = fdt_node_offset_by_compatible(m->fdt, -1,
                                             "pci-host-ecam-generic");
    const fdt32_t *ranges;
    unsigned count;

    g_assert_cmpint(node, >=, 0);
    g_assert_cmpint(fdt_address_cells(m->fdt,
                                      fdt_parent_offset(m->fdt, node)), ==, 2);
    ranges = property(m, node, "ranges", &count);
    for (unsigned i = 0; i + 7 <= count; i += 7) {
        take_range(m, ranges + i);
    }
    m->ecam = reg_address(m, node, 0);
    g_assert_cmphex(m->low.end, >, m->low.next);
    g_assert_cmphex(m->high.end, >, m->high.next);
}

static void find_ram(TqMachine *m)
{
    int node = fdt_node_offset_by_prop_value(m->fdt, -1, "device_type",
                                             "memory", sizeof("memory"));

    g_assert_cmpint(node, >=, 0);
    m->ram = reg_address(m, node, 0);
}

void tq_machine_init(TqMachine *m, const char *name, const char *options)
{
    g_autofree char *folder = g_dir_make_tmp("tessera-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "dtb", NULL);
    g_autofree char *args = NULL;
    g_autofree char *text = NULL;

    *m = (TqMachine) { 0 };
    m->options = g_strdup_printf("-machine %s %s -m %uM", name, options,
                                 TQ_RAM_SIZE >> 20);
    args = g_strdup_printf("%s -machine dumpdtb=%s", m->options, path);
    if (tq_run_qemu(args, &text) ||
        !g_file_get_contents(path, (char **)&m->fdt, NULL, NULL)) {
        g_error("no device tree: %s", text);
    }
    unlink(path);
    rmdir(folder);
    find_pci(m);
    find_ram(m);
}

void tq_machine_clear(TqMachine *m)
{
    g_free(m->options);
    g_free(m->fdt);
}

TqGpu *tq_machine_start(const TqMachine *m, const char *args)
{
    PciHost host = { .low = m->low, .high = m->high };
    unsigned bus, devfn;
    TqGpu *gpu;

    host.qts = qtest_initf("%s -nodefaults -plugin %s %s", m->options,
                           g_getenv("TESSERA_PLUGIN"), args);
    tq_use_ecam(m->ecam);
    pci_enumerate(&host);
    g_assert_true(pci_find(&host, TESSERA_PCI_VENDOR, TESSERA_PCI_DEVICE,
                           &bus, &devfn));
    gpu = tq_attach_placed(host.qts, bus, devfn, m->ram + RAM_RESERVED,
                           m->ram + TQ_RAM_SIZE);
    gpu->owns_qemu = true;
    return gpu;
}
