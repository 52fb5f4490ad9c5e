/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI function: configuration space, properties, life cycle. */
#include "device.h"
#include "tessera/isa.h"
#include "iommu-watch.h"
#include "trace-tessera.h"

#define PM_STATE_D3HOT 3
#define HANG_TIMEOUT_MAX (24 * 60 * 60 * 1000ull) /* a day, in ms */
#define SETTLE_MS 100 /* what a dispatch gets to end before a save */

int tessera_max_vcpus;

const char *tessera_id(TesseraState *s)
{
    return DEVICE(s)->id ?: TYPE_TESSERA;
}

/* ---- pausing ---- */

static bool can_run(TesseraState *s)
{
    return s->vm_running && !s->in_d3;
}

/* Bring the device core in line with the VM and the power state. */
static void update_running(TesseraState *s)
{
    trace_tessera_run(tessera_id(s), can_run(s));
    tessera_requests_run(s->requests, can_run(s));
    if (can_run(s)) {
        tessera_gpu_resume(s->gpu);
        tessera_host_flush_irqs(s);
    } else {
        tessera_gpu_pause(s->gpu);
    }
}

/* The VM stops to be saved; its memory is sent, for the last time, after this. */
static bool stops_for_save(RunState state)
{
    return state == RUN_STATE_FINISH_MIGRATE || state == RUN_STATE_SAVE_VM;
}

/* An interrupt raised before the stop is the guest's already: it goes out. */
static void vm_change(void *opaque, bool running, RunState state)
{
    TesseraState *s = opaque;

    if (!running && can_run(s)) {
        if (stops_for_save(state)) {
            tessera_gpu_settle(s->gpu, SETTLE_MS);
        } else {
            tessera_gpu_pause(s->gpu);
        }
        tessera_host_flush_irqs(s);
    }
    s->vm_running = running;
    update_running(s);
}

/* ---- configuration space ---- */

static unsigned pm_state(TesseraState *s)
{
    return pci_get_word(PCI_DEVICE(s)->config + s->pm_cap + PCI_PM_CTRL) &
           PCI_PM_CTRL_STATE_MASK;
}

static void set_pm_state(TesseraState *s, unsigned state)
{
    pci_set_word(PCI_DEVICE(s)->config + s->pm_cap + PCI_PM_CTRL,
                 PCI_PM_CTRL_NO_SOFT_RESET | state);
}

static void config_write(PCIDevice *pdev, uint32_t addr, uint32_t value,
                         int len)
{
    TesseraState *s = TESSERA(pdev);
    unsigned old_state = pm_state(s);
    bool was_in_d3 = s->in_d3;

    pci_default_write_config(pdev, addr, value, len);
    if (pm_state(s) != 0 && pm_state(s) != PM_STATE_D3HOT) {
        set_pm_state(s, old_state); /* D1, D2: not supported, not taken */
    }
    s->in_d3 = pm_state(s) == PM_STATE_D3HOT;
    if (s->in_d3 != was_in_d3) {
        trace_tessera_power(tessera_id(s), pm_state(s));
        update_running(s);
    }
    pcie_cap_flr_write_config(pdev, addr, value, len);
    tessera_host_update_bars(s);
    tessera_host_flush_irqs(s); /* if the device has become bus master */
}

bool tessera_power_loaded(TesseraState *s)
{
    s->in_d3 = pm_state(s) == PM_STATE_D3HOT;
    return s->in_d3 || pm_state(s) == 0;
}

/*
 * What the guest may write behind the header, and QEMU does not reset by
 * itself: power and error reporting control, for example.
 */
static void reset_capabilities(TesseraState *s)
{
    PCIDevice *pdev = PCI_DEVICE(s);

    for (size_t i = PCI_CONFIG_HEADER_SIZE; i < pci_config_size(pdev); i++) {
        uint8_t mask = pdev->wmask[i] | pdev->w1cmask[i];

        pdev->config[i] = (pdev->config[i] & ~mask) |
                          (s->power_on_config[i] & mask);
    }
    s->in_d3 = false;
}

static bool init_capabilities(TesseraState *s, Error **errp)
{
    PCIDevice *pdev = PCI_DEVICE(s);
    int pos;

    if (pcie_endpoint_cap_init(pdev, 0) < 0) {
        error_setg(errp, "tessera: no room for the PCI Express capability");
        return false;
    }
    pcie_cap_flr_init(pdev);

    pos = pci_add_capability(pdev, PCI_CAP_ID_PM, 0, PCI_PM_SIZEOF, errp);
    if (pos < 0) {
        return false;
    }
    s->pm_cap = pos;
    pci_set_word(pdev->config + pos + PCI_PM_PMC, PCI_PM_CAP_VER_1_2);
    pci_set_word(pdev->wmask + pos + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
    set_pm_state(s, 0);
    return true;
}

/* ---- life cycle ---- */

static bool check_properties(TesseraState *s, Error **errp)
{
    if (s->vram_size < TESSERA_VRAM_MIN || s->vram_size > TESSERA_VRAM_MAX ||
        !is_power_of_2(s->vram_size)) {
        error_setg(errp, "vram-size must be a power of two from 64M to 16G, "
                   "not %" PRIu64 " bytes", s->vram_size);
        return false;
    }
    if (s->workers > TESSERA_WORKERS_MAX) {
        error_setg(errp, "workers must be from 1 to %d, or 0 for one per host "
                   "CPU, not %" PRIu32, TESSERA_WORKERS_MAX, s->workers);
        return false;
    }
    if (s->hang_timeout > HANG_TIMEOUT_MAX) {
        error_setg(errp, "hang-timeout must be from 1 to %llu milliseconds, "
                   "or 0 for never, not %" PRIu64, HANG_TIMEOUT_MAX,
                   s->hang_timeout);
        return false;
    }
    if (s->isa && !tessera_isa_find(s->isa)) {
        error_setg(errp, "isa must be " TESSERA_ISA_NAMES ", not '%s'",
                   s->isa);
        return false;
    }
    if (s->hazards && strcmp(s->hazards, "strict") &&
        strcmp(s->hazards, "off")) {
        error_setg(errp, "hazards must be strict or off, not '%s'",
                   s->hazards);
        return false;
    }
    if (!pci_bus_is_express(pci_get_bus(PCI_DEVICE(s)))) {
        error_setg(errp, "tessera needs a PCI Express bus, as -machine q35 "
                   "has");
        return false;
    }
    return true;
}

/*
 * With a single vCPU, or all of them in one thread, TCG's atomics are plain
 * loads and stores, and a GPU atomic in between is lost.
 */
static void warn_of_plain_atomics(void)
{
    if (tcg_enabled() &&
        (tessera_max_vcpus < 2 || !qemu_tcg_mttcg_enabled())) {
        warn_report("tessera: with one vCPU or thread=single, QEMU does not "
                    "make the guest's atomics atomic against the GPU; use "
                    "-smp 1,maxcpus=2");
    }
}

/* Undo what realize has done so far, the last first. */
static void tessera_exit(PCIDevice *pdev)
{
    TesseraState *s = TESSERA(pdev);

    trace_tessera_exit(tessera_id(s));
    if (s->vm_change) {
        qemu_del_vm_change_state_handler(s->vm_change);
        s->vm_change = NULL;
    }
    tessera_head_exit(s);
    tessera_host_exit(s);
    tessera_bars_exit(s);
    tessera_vmstate_exit(s);
    g_free(s->power_on_config);
    s->power_on_config = NULL;
}

static void tessera_realize(PCIDevice *pdev, Error **errp)
{
    TesseraState *s = TESSERA(pdev);

    if (!check_properties(s, errp)) {
        return;
    }
    if (!init_capabilities(s, errp) || !tessera_bars_init(s, errp) ||
        !tessera_host_init(s, errp)) {
        tessera_exit(pdev);
        return;
    }
    tessera_vmstate_init(s);
    s->power_on_config = g_memdup2(pdev->config, pci_config_size(pdev));
    if (s->scanout) {
        tessera_head_init(s);
    }
    s->vm_change = qdev_add_vm_change_state_handler(DEVICE(s), vm_change, s);
    s->vm_running = runstate_is_running();
    trace_tessera_realize(tessera_id(s), s->vram_size, s->workers);
    update_running(s);
    warn_of_plain_atomics();
}

/* Power-on state: also that of a function level reset. */
TESSERA_RESET_HOLD(tessera_reset_hold)
{
    TesseraState *s = TESSERA(obj);

    trace_tessera_reset(tessera_id(s));
    reset_capabilities(s);
    tessera_gpu_reset(s->gpu);
    tessera_host_drop_irqs(s);
    update_running(s);
}

/* ---- type ---- */

TESSERA_PROPERTIES tessera_properties[] = {
    DEFINE_PROP_SIZE("vram-size", TesseraState, vram_size, 1 * GiB),
    DEFINE_PROP_UINT32("workers", TesseraState, workers, 0),
    DEFINE_PROP_STRING("isa", TesseraState, isa),
    DEFINE_PROP_UINT64("hang-timeout", TesseraState, hang_timeout, 0),
    DEFINE_PROP_STRING("host-level", TesseraState, host_level),
    DEFINE_PROP_STRING("hazards", TesseraState, hazards),
    DEFINE_PROP_BOOL("jit", TesseraState, jit, false),
    DEFINE_PROP_BOOL("scanout", TesseraState, scanout, true),
    DEFINE_PROP_BOOL("x-inject", TesseraState, inject, false),
    TESSERA_PROPERTIES_END
};

static void describe_properties(ObjectClass *oc)
{
    static const char *const help[][2] = {
        { "vram-size", "VRAM in bytes: a power of two, 64M to 16G" },
        { "workers", "Host threads, 1 to 64; 0: one per host CPU" },
        { "isa", "Instruction set: " TESSERA_ISA_NAMES },
        { "hang-timeout",
          "Guest milliseconds until a dispatch is ended; 0: never" },
        { "host-level", "Host SIMD level: v2, v3 or v4; default: the best" },
        { "hazards", "off, or strict: report loads that are not waited for, "
          "and accesses of blocks that meet unordered" },
        { "jit", "Compile hot shader code, with tessera-jit.so (off)" },
        { "scanout", "Have a head that shows a picture in VRAM (on)" },
        { "x-inject", "Have the fault injector's registers (off)" },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(help); i++) {
        object_class_property_set_description(oc, help[i][0], help[i][1]);
    }
}

static void tessera_class_init(ObjectClass *oc, TesseraClassData data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    pc->realize = tessera_realize;
    pc->exit = tessera_exit;
    pc->config_write = config_write;
    pc->vendor_id = TESSERA_PCI_VENDOR;
    pc->device_id = TESSERA_PCI_DEVICE;
    pc->subsystem_vendor_id = TESSERA_PCI_VENDOR;
    pc->subsystem_id = TESSERA_PCI_DEVICE;
    pc->class_id = TESSERA_PCI_CLASS;
    rc->phases.hold = tessera_reset_hold;
    dc->vmsd = &tessera_vmstate;
    dc->desc = "Tessera virtual GPU";
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    device_class_set_props(dc, tessera_properties);
    describe_properties(oc);
}

void tessera_register_type(void)
{
    static TESSERA_INTERFACES interfaces[] = {
        { INTERFACE_PCIE_DEVICE },
        { },
    };
    static const TypeInfo info = {
        .name = TYPE_TESSERA,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(TesseraState),
        .class_init = tessera_class_init,
        .interfaces = interfaces,
    };

    type_register_static(&info);
    tessera_iommu_watch_register();
}
