/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "iommu-watch.h"

#define TYPE_TESSERA_IOMMU_WATCH "tessera-iommu-watch"
OBJECT_DECLARE_SIMPLE_TYPE(TesseraIommuWatch, TESSERA_IOMMU_WATCH)

/* A child of the IOMMU, for as long as anybody watches. */
struct TesseraIommuWatch {
    Object parent_obj;

    MemoryRegion window;
    MemoryRegion *regs; /* what it lies over */
    NotifierList notifiers;
};

static MemTxResult window_read(void *opaque, hwaddr addr, uint64_t *value,
                               unsigned size, MemTxAttrs attrs)
{
    TesseraIommuWatch *watch = opaque;

    return memory_region_dispatch_read(watch->regs, addr, value,
                                       size_memop(size) | MO_LE, attrs);
}

static MemTxResult window_write(void *opaque, hwaddr addr, uint64_t value,
                                unsigned size, MemTxAttrs attrs)
{
    TesseraIommuWatch *watch = opaque;

    notifier_list_notify(&watch->notifiers, NULL);
    return memory_region_dispatch_write(watch->regs, addr, value,
                                        size_memop(size) | MO_LE, attrs);
}

/* Whatever comes is passed on as it is, for the IOMMU to take or refuse. */
#define ANY_ACCESS \
    { .min_access_size = 1, .max_access_size = 8, .unaligned = true }

static const MemoryRegionOps window_ops = {
    .read_with_attrs = window_read,
    .write_with_attrs = window_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = ANY_ACCESS,
    .impl = ANY_ACCESS,
};

/* The registers that the guest commands the IOMMU by, or NULL. */
static MemoryRegion *registers_of(Object *owner)
{
    SysBusDevice *bus_device;
    MemoryRegion *mr;

    bus_device = (SysBusDevice *)object_dynamic_cast(owner,
                                                     TYPE_SYS_BUS_DEVICE);
    if (!bus_device || sysbus_has_mmio(bus_device, 1)) {
        return NULL;
    }
    mr = sysbus_has_mmio(bus_device, 0) ?
         sysbus_mmio_get_region(bus_device, 0) :
         tessera_iommu_registers(owner);
    return mr && mr->container ? mr : NULL;
}

static TesseraIommuWatch *make_watch(Object *owner)
{
    MemoryRegion *regs = registers_of(owner);
    TesseraIommuWatch *watch;

    if (!regs) {
        return NULL;
    }
    watch = TESSERA_IOMMU_WATCH(object_new(TYPE_TESSERA_IOMMU_WATCH));
    watch->regs = regs;
    notifier_list_init(&watch->notifiers);
    object_property_add_child(owner, TYPE_TESSERA_IOMMU_WATCH, OBJECT(watch));
    object_unref(OBJECT(watch)); /* the IOMMU has it now */
    memory_region_init_io(&watch->window, OBJECT(watch), &window_ops, watch,
                          TYPE_TESSERA_IOMMU_WATCH, memory_region_size(regs));
    memory_region_add_subregion_overlap(regs->container, regs->addr,
                                        &watch->window, regs->priority + 1);
    return watch;
}

TesseraIommuWatch *tessera_iommu_watch_add(Object *owner, Notifier *notifier)
{
    Object *there = object_resolve_path_component(owner,
                                                  TYPE_TESSERA_IOMMU_WATCH);
    TesseraIommuWatch *watch = there ? TESSERA_IOMMU_WATCH(there)
                                     : make_watch(owner);

    if (watch) {
        notifier_list_add(&watch->notifiers, notifier);
    }
    return watch;
}

void tessera_iommu_watch_remove(TesseraIommuWatch *watch, Notifier *notifier)
{
    notifier_remove(notifier);
    if (notifier_list_empty(&watch->notifiers)) {
        memory_region_del_subregion(watch->regs->container, &watch->window);
        object_unparent(OBJECT(watch));
    }
}

void tessera_iommu_watch_register(void)
{
    static const TypeInfo info = {
        .name = TYPE_TESSERA_IOMMU_WATCH,
        .parent = TYPE_OBJECT,
        .instance_size = sizeof(TesseraIommuWatch),
    };

    type_register_static(&info);
}
