/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The load gate.  A plugin shares QEMU's internal structures, whose layout
 * changes even inside a stable series, and nothing in the loader notices.  So
 * the version must be exactly that of the headers, and the layout of what the
 * device embeds is checked against facts that the running binary offers.
 */
#include "compat.h"
#include "gate.h"
#include <dlfcn.h>

/* The test of the gate builds plugins that are wrong in one way each. */
#ifdef TESSERA_TEST_VERSION
#undef TESSERA_QEMU_VERSION
#define TESSERA_QEMU_VERSION TESSERA_TEST_VERSION
#endif
#ifndef TESSERA_GATE_SKEW
#define TESSERA_GATE_SKEW 0
#endif

#define US "Tessera was built for QEMU " TESSERA_QEMU_VERSION \
           " (" TESSERA_QEMU_PACKAGE ")"

static bool same_version(void)
{
    VersionInfo *info = qmp_query_version(NULL);
    g_autofree char *version = g_strdup_printf(
        "%" PRId64 ".%" PRId64 ".%" PRId64, info->qemu->major,
        info->qemu->minor, info->qemu->micro);
    bool same = g_str_equal(version, TESSERA_QEMU_VERSION) &&
                strstr(info->package, TESSERA_QEMU_PACKAGE);

    if (!same) {
        error_report(US ", but this is QEMU %s%s; run scripts/setup and "
                     "build again", version, info->package);
    }
    qapi_free_VersionInfo(info);
    return same;
}

/* A property's opaque is its Property, with the offset in the binary. */
static bool property_at(const char *type, const char *name, ptrdiff_t offset)
{
    ObjectClass *oc = object_class_by_name(type);
    ObjectProperty *p = oc ? object_class_property_find(oc, name) : NULL;

    return p && p->opaque && ((Property *)p->opaque)->offset == offset;
}

static bool vmstate_field_at(const VMStateDescription *vmsd,
                             const char *name, size_t offset)
{
    for (const VMStateField *f = vmsd->fields; f->name; f++) {
        if (g_str_equal(f->name, name)) {
            return f->offset == offset;
        }
    }
    return false;
}

/* Classes: a device whose identity is known, where the target has it. */
static bool class_layout(void)
{
    ObjectClass *oc = object_class_by_name("edu");
    PCIDeviceClass *pc = oc ? PCI_DEVICE_CLASS(oc) : NULL;

    return !pc || (pc->vendor_id == 0x1234 && pc->device_id == 0x11e8 &&
                   pc->class_id == PCI_CLASS_OTHERS);
}

/* Instance sizes, where the binary exports the function that tells them. */
static bool instance_sizes(void)
{
    size_t (*size_of)(const char *) = (size_t (*)(const char *))
        dlsym(RTLD_DEFAULT, "object_type_get_instance_size");

    return !size_of || (size_of("pci-device") == sizeof(PCIDevice) &&
                        size_of("device") == sizeof(DeviceState) &&
                        size_of("memory-region") == sizeof(MemoryRegion));
}

static bool same_layout(void)
{
    const char *differs =
        !instance_sizes() ? "object sizes" :
        !property_at("pci-device", "romfile",
                     offsetof(PCIDevice, romfile) + TESSERA_GATE_SKEW) ||
        !property_at("pci-device", "acpi-index",
                     offsetof(PCIDevice, acpi_index)) ? "PCIDevice" :
        !vmstate_field_at(&vmstate_pci_device, "config",
                          offsetof(PCIDevice, config)) ||
        !vmstate_field_at(&vmstate_pci_device, "irq_state",
                          offsetof(PCIDevice, irq_state)) ? "PCIDevice" :
        !class_layout() ? "PCIDeviceClass" : NULL;

    if (differs) {
        error_report(US ", whose layout of %s this QEMU %s does not share",
                     differs, TESSERA_QEMU_VERSION);
    }
    return !differs;
}

bool tessera_gate_open(void)
{
    return same_version() && same_layout();
}
