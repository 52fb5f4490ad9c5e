/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every difference between the QEMU versions that Tessera is compiled against
 * is here, and nothing else in the project tests for a version.
 */
#ifndef TESSERA_QEMU_COMPAT_H
#define TESSERA_QEMU_COMPAT_H

/* The series that scripts/setup takes, and help tells: those tested. */
#define TESSERA_QEMU_SUPPORTED "7.2 10.0"

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/qapi-commands-control.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/notify.h"
#include "qemu/rcu.h"
#include "qemu/thread.h"
#include "qemu/timer.h"
#include "qemu/units.h"
#include "qom/object.h"
#include "hw/pci/msix.h"
#include "hw/pci/pci.h"
#include "hw/pci/pci_bridge.h"
#include "hw/pci/pci_bus.h"
#include "hw/pci/pcie.h"
#include "migration/register.h"
#include "migration/vmstate.h"
#include "trace/control.h"

/* Moved: the PCI device in 8.0, sysemu/ to system/ in 10.0, hw/ in 11.0. */
#if __has_include("hw/pci/pci_device.h")
#include "hw/pci/pci_device.h"
#endif
#if __has_include("hw/core/qdev-properties.h")
#include "hw/core/qdev-properties.h"
#include "hw/core/resettable.h"
#include "hw/core/sysbus.h"
#else
#include "hw/qdev-properties.h"
#include "hw/resettable.h"
#include "hw/sysbus.h"
#endif
#if __has_include("system/runstate.h")
#include "system/runstate.h"
#include "system/tcg.h"
#else
#include "sysemu/runstate.h"
#include "sysemu/tcg.h"
#endif
#if __has_include("system/memory.h")
#include "system/memory.h"
#else
#include "exec/memory.h"
#endif
#if __has_include("plugins/qemu-plugin.h")
#include "plugins/qemu-plugin.h"
#else
#include "qemu/qemu-plugin.h"
#endif

/*
 * Whether vCPUs run in threads of their own, so that guest atomics are host
 * atomics.  A variable up to 10.0, a function later.
 */
#ifndef qemu_tcg_mttcg_enabled
extern bool mttcg_enabled;
#define qemu_tcg_mttcg_enabled() (mttcg_enabled)
#endif

/* Property arrays lost their terminator, and became const, in 10.0. */
#ifdef DEFINE_PROP_END_OF_LIST
#define TESSERA_PROPERTIES static Property
#define TESSERA_PROPERTIES_END DEFINE_PROP_END_OF_LIST(),
#else
#define TESSERA_PROPERTIES static const Property
#define TESSERA_PROPERTIES_END
#endif

/* The number says what no macro tells; made by scripts/setup. */
#include "tessera-qemu-build.h"

#if TESSERA_QEMU_NUMBER >= 100100
typedef const void *TesseraClassData;
#define TESSERA_INTERFACES const InterfaceInfo
#else
typedef void *TesseraClassData;
#define TESSERA_INTERFACES InterfaceInfo
#endif

/* Hold-phase reset got its type in 9.1. */
#if TESSERA_QEMU_NUMBER >= 90100
#define TESSERA_RESET_HOLD(name) \
    static void name(Object *obj, ResetType type)
#else
#define TESSERA_RESET_HOLD(name) static void name(Object *obj)
#endif

/* The last call for live state was renamed in 10.1. */
#if TESSERA_QEMU_NUMBER >= 100100
#define TESSERA_SAVE_COMPLETE save_complete
#else
#define TESSERA_SAVE_COMPLETE save_live_complete_precopy
#endif

/* By 10.0 intel-iommu has no sysbus region any more, but a child. */
static inline MemoryRegion *tessera_iommu_registers(Object *iommu)
{
    Object *child = object_resolve_path_component(iommu, "intel_iommu[0]");

    return (MemoryRegion *)object_dynamic_cast(child, TYPE_MEMORY_REGION);
}

#endif
