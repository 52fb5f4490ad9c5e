/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BARs: registers with the flush page at their end, MSI-X, VRAM,
 * doorbells.
 */
#include "device.h"

#define DOORBELLS_SIZE (TESSERA_VMIDS * TESSERA_SLICE_SIZE)
#define NO_DEVICE UINT64_MAX /* what a read that nobody answers gives */

static uint64_t regs_read(void *opaque, hwaddr addr, unsigned size)
{
    TesseraState *s = opaque;

    return s->in_d3 ? NO_DEVICE : tessera_gpu_reg_read(s->gpu, addr, size);
}

static void regs_write(void *opaque, hwaddr addr, uint64_t value,
                       unsigned size)
{
    TesseraState *s = opaque;

    if (s->in_d3) {
        return;
    }
    tessera_gpu_reg_write(s->gpu, addr, value, size);
    if (addr == TESSERA_REG_CONTROL && value & TESSERA_CONTROL_RESET_MASK) {
        tessera_host_drop_irqs(s); /* raised before the reset */
    }
}

static uint64_t doorbell_read(void *opaque, hwaddr addr, unsigned size)
{
    TesseraState *s = opaque;

    return s->in_d3 ? NO_DEVICE : tessera_gpu_doorbell_read(s->gpu, addr, size);
}

static void doorbell_write(void *opaque, hwaddr addr, uint64_t value,
                           unsigned size)
{
    TesseraState *s = opaque;

    if (!s->in_d3) {
        tessera_gpu_doorbell_write(s->gpu, addr, value, size);
    }
}

#define DWORD_OR_QWORD { .min_access_size = 4, .max_access_size = 8 }

static const MemoryRegionOps regs_ops = {
    .read = regs_read,
    .write = regs_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = DWORD_OR_QWORD,
    .impl = DWORD_OR_QWORD,
};

static const MemoryRegionOps doorbell_ops = {
    .read = doorbell_read,
    .write = doorbell_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = DWORD_OR_QWORD,
    .impl = DWORD_OR_QWORD,
};

/* RAM regions return nothing in old versions: look at the error instead. */
static bool init_ram(TesseraState *s, MemoryRegion *mr, const char *name,
                     uint64_t size, Error **errp)
{
    Error *err = NULL;

    memory_region_init_ram(mr, OBJECT(s), name, size, &err);
    if (err) {
        error_propagate(errp, err);
        return false;
    }
    return true;
}

/* Failure is no error where the machine has no MSI: interrupts are absent. */
static bool init_msix(TesseraState *s, Error **errp)
{
    PCIDevice *pdev = PCI_DEVICE(s);
    Error *err = NULL;
    int ret = msix_init_exclusive_bar(pdev, TESSERA_MSIX_VECTORS,
                                      TESSERA_BAR_MSIX, &err);

    if (ret == -ENOTSUP) {
        error_free(err);
        warn_report("tessera: this machine has no MSI, so the GPU has no "
                    "interrupts");
        return true;
    }
    if (ret < 0) {
        error_propagate(errp, err);
        return false;
    }
    s->has_msix = true;
    for (unsigned i = 0; i < TESSERA_MSIX_VECTORS; i++) {
        msix_vector_use(pdev, i);
    }
    return true;
}

bool tessera_bars_init(TesseraState *s, Error **errp)
{
    PCIDevice *pdev = PCI_DEVICE(s);
    const uint8_t memory64 = PCI_BASE_ADDRESS_SPACE_MEMORY |
                             PCI_BASE_ADDRESS_MEM_TYPE_64;

    if (!init_ram(s, &s->flush_page, "tessera-flush",
                  TESSERA_REGS_SIZE - TESSERA_FLUSH_PAGE, errp) ||
        !init_ram(s, &s->vram, "tessera-vram", s->vram_size, errp) ||
        !init_msix(s, errp)) {
        return false;
    }
    s->vram_host = memory_region_get_ram_ptr(&s->vram);

    memory_region_init(&s->bar_regs, OBJECT(s), "tessera-bar0",
                       TESSERA_REGS_SIZE);
    memory_region_init_io(&s->regs, OBJECT(s), &regs_ops, s, "tessera-regs",
                          TESSERA_FLUSH_PAGE);
    memory_region_add_subregion(&s->bar_regs, 0, &s->regs);
    memory_region_add_subregion(&s->bar_regs, TESSERA_FLUSH_PAGE,
                                &s->flush_page);
    memory_region_init_io(&s->doorbells, OBJECT(s), &doorbell_ops, s,
                          "tessera-doorbells", DOORBELLS_SIZE);

    pci_register_bar(pdev, TESSERA_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY,
                     &s->bar_regs);
    pci_register_bar(pdev, TESSERA_BAR_VRAM,
                     memory64 | PCI_BASE_ADDRESS_MEM_PREFETCH, &s->vram);
    pci_register_bar(pdev, TESSERA_BAR_DOORBELL, memory64, &s->doorbells);
    return true;
}

/* A subregion holds a reference on its owner: the device would stay. */
void tessera_bars_exit(TesseraState *s)
{
    PCIDevice *pdev = PCI_DEVICE(s);

    if (s->has_msix) {
        msix_unuse_all_vectors(pdev);
        msix_uninit_exclusive_bar(pdev);
        s->has_msix = false;
    }
    if (s->regs.container) {
        memory_region_del_subregion(&s->bar_regs, &s->regs);
        memory_region_del_subregion(&s->bar_regs, &s->flush_page);
    }
}

static void get_bar(TesseraState *s, int bar, uint64_t *base, uint64_t *size)
{
    PCIIORegion *r = &PCI_DEVICE(s)->io_regions[bar];
    bool mapped = r->size && r->addr != PCI_BAR_UNMAPPED;

    *base = mapped ? r->addr : 0;
    *size = mapped ? r->size : 0;
}

TesseraBars tessera_bars_get(TesseraState *s)
{
    TesseraBars bars;

    get_bar(s, TESSERA_BAR_VRAM, &bars.vram, &bars.vram_size);
    get_bar(s, TESSERA_BAR_DOORBELL, &bars.doorbell, &bars.doorbell_size);
    get_bar(s, TESSERA_BAR_REGS, &bars.regs, &bars.regs_size);
    get_bar(s, TESSERA_BAR_MSIX, &bars.msix, &bars.msix_size);
    return bars;
}
