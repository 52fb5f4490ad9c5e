/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register offsets are those of PCI Local Bus 3.0, 6.1, and Bridge 1.2, 3.2. */
#include "pci-enum.h"

#define COMMAND 0x04
#define COMMAND_MEMORY_AND_MASTER 0x06
#define HEADER_TYPE 0x0e
#define BAR0 0x10
#define BAR_IO 0x1
#define BAR_64 0x4
#define BAR_PREFETCH 0x8
#define BRIDGE_BUSES 0x18
#define BRIDGE_MEMORY 0x20
#define BRIDGE_PREFETCH 0x24
#define BRIDGE_PREFETCH_BASE_HIGH 0x28
#define BRIDGE_PREFETCH_LIMIT_HIGH 0x2c
#define BRIDGE_GRAIN (1u << 20)
#define BUSES_MAX 8

static uint64_t take(PciWindow *window, uint64_t size)
{
    uint64_t at = QEMU_ALIGN_UP(window->next, size);

    g_assert_cmphex(at + size, <=, window->end);
    window->next = at + size;
    return at;
}

/* Size the BAR at @at and place it; how many registers it has. */
static unsigned place_bar(PciHost *host, unsigned bus, unsigned devfn,
                          unsigned at)
{
    uint64_t mask, address;
    uint32_t kind;
    bool wide;

    tq_pci_write(host->qts, bus, devfn, at, 0xffffffff, 4);
    kind = tq_pci_read(host->qts, bus, devfn, at, 4);
    wide = !(kind & BAR_IO) && kind & BAR_64;
    mask = kind & ~0xfull;
    if (wide) {
        tq_pci_write(host->qts, bus, devfn, at + 4, 0xffffffff, 4);
        mask |= (uint64_t)tq_pci_read(host->qts, bus, devfn, at + 4, 4) << 32;
    } else {
        mask |= mask ? 0xffffffffull << 32 : 0;
    }
    if (!mask || kind & BAR_IO) {
        return 1;
    }
    address = take(wide && kind & BAR_PREFETCH ? &host->high : &host->low,
                   -mask);
    tq_pci_write(host->qts, bus, devfn, at, address, 4);
    if (wide) {
        tq_pci_write(host->qts, bus, devfn, at + 4, address >> 32, 4);
    }
    return wide ? 2 : 1;
}

static void enumerate_bus(PciHost *host, unsigned bus);

/* Base and limit of a bridge's window, in the upper bits of two halves. */
static uint32_t window_bits(uint64_t start, uint64_t end)
{
    return start == end ? 0x0000fff0 /* empty: the limit is below the base */
                        : ((end - 1) & 0xfff00000) | (start >> 16 & 0xfff0);
}

static void open_bridge(PciHost *host, unsigned bus, unsigned devfn)
{
    unsigned below = ++host->last_bus;
    uint64_t low, high;

    g_assert_cmpuint(below, <, BUSES_MAX);
    tq_pci_write(host->qts, bus, devfn, BRIDGE_BUSES,
                 0xff << 16 | below << 8 | bus, 4);
    low = take(&host->low, BRIDGE_GRAIN) + BRIDGE_GRAIN;
    high = take(&host->high, BRIDGE_GRAIN) + BRIDGE_GRAIN;
    enumerate_bus(host, below);
    host->low.next = QEMU_ALIGN_UP(host->low.next, BRIDGE_GRAIN);
    host->high.next = QEMU_ALIGN_UP(host->high.next, BRIDGE_GRAIN);

    tq_pci_write(host->qts, bus, devfn, BRIDGE_BUSES,
                 host->last_bus << 16 | below << 8 | bus, 4);
    tq_pci_write(host->qts, bus, devfn, BRIDGE_MEMORY,
                 window_bits(low, host->low.next), 4);
    tq_pci_write(host->qts, bus, devfn, BRIDGE_PREFETCH,
                 window_bits(high, host->high.next), 4);
    tq_pci_write(host->qts, bus, devfn, BRIDGE_PREFETCH_BASE_HIGH,
                 high >> 32, 4);
    tq_pci_write(host->qts, bus, devfn, BRIDGE_PREFETCH_LIMIT_HIGH,
                 (host->high.next - 1) >> 32, 4);
}

static void enumerate_function(PciHost *host, unsigned bus, unsigned devfn)
{
    bool bridge = (tq_pci_read(host->qts, bus, devfn, HEADER_TYPE, 1) & 0x7f)
                  == 1;
    unsigned bars = bridge ? 2 : 6;

    for (unsigned i = 0; i < bars;) {
        i += place_bar(host, bus, devfn, BAR0 + 4 * i);
    }
    if (bridge) {
        open_bridge(host, bus, devfn);
    }
    tq_pci_write(host->qts, bus, devfn, COMMAND, COMMAND_MEMORY_AND_MASTER, 2);
}

static bool is_there(PciHost *host, unsigned bus, unsigned devfn)
{
    return tq_pci_read(host->qts, bus, devfn, 0, 2) != 0xffff;
}

static void enumerate_bus(PciHost *host, unsigned bus)
{
    for (unsigned devfn = 0; devfn < 256; devfn++) {
        if (is_there(host, bus, devfn)) {
            enumerate_function(host, bus, devfn);
        }
    }
}

void pci_enumerate(PciHost *host)
{
    host->last_bus = 0;
    enumerate_bus(host, 0);
}

bool pci_find(PciHost *host, uint16_t vendor, uint16_t device, unsigned *bus,
              unsigned *devfn)
{
    uint32_t id = vendor | (uint32_t)device << 16;

    for (*bus = 0; *bus <= host->last_bus; ++*bus) {
        for (*devfn = 0; *devfn < 256; ++*devfn) {
            if (tq_pci_read(host->qts, *bus, *devfn, 0, 4) == id) {
                return true;
            }
        }
    }
    return false;
}
