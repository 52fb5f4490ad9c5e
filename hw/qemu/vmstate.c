/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saving and migration.  QEMU itself sends VRAM and the flush page, which are
 * RAM, and the configuration space with MSI-X; the device core's state is one
 * buffer, whose content the core checks (hw/gpu/state.c).
 *
 * By the time it is taken, the VM has stopped and guest memory has been sent.
 * So nothing can be finished any more: what was in flight got its time when
 * the VM stopped (device.c).  A dispatch that still runs makes the save fail,
 * which leaves QEMU with the VM as it was and running on.
 *
 * When a migration turns to postcopy, QEMU looks at the errors of devices with
 * live state alone, and not at those of pre_save.  So the device is one as
 * well, which has nothing to send and only ever fails.
 */
#include "device.h"
#include "trace-tessera.h"

#define BUSY_NAME "tessera-busy"
#define STATE_MAX (4 * MiB) /* every register, doorbell and queue in use */

static void free_buffer(TesseraState *s)
{
    g_free(s->state);
    s->state = NULL;
    s->state_size = 0;
}

static bool save(TesseraState *s, GByteArray *state)
{
    g_autoptr(GError) err = NULL;

    if (!tessera_gpu_save(s->gpu, state, &err)) {
        trace_tessera_save_err(tessera_id(s), err->message);
        error_report("tessera: %s cannot be saved: %s", tessera_id(s),
                     err->message);
    }
    return !err;
}

static int pre_save(void *opaque)
{
    TesseraState *s = opaque;
    g_autoptr(GByteArray) state = g_byte_array_new();

    free_buffer(s);
    if (!save(s, state)) {
        return -EBUSY;
    }
    s->state_size = state->len;
    s->state = g_byte_array_free(g_steal_pointer(&state), false);
    trace_tessera_save(tessera_id(s), s->state_size);
    return 0;
}

static int post_save(void *opaque)
{
    free_buffer(opaque);
    return 0;
}

static int pre_load(void *opaque)
{
    free_buffer(opaque);
    return 0;
}

/* Looked at before as much memory is allocated. */
static bool size_fits(void *opaque, int version)
{
    TesseraState *s = opaque;

    return s->state_size > 0 && s->state_size <= STATE_MAX;
}

static bool load(TesseraState *s, GError **err)
{
    if (s->irqs >> TESSERA_MSIX_VECTORS) {
        g_set_error(err, g_quark_from_static_string("tessera"), 0,
                    "no such interrupt vectors: 0x%x", s->irqs);
        return false;
    }
    if (!tessera_power_loaded(s)) {
        g_set_error(err, g_quark_from_static_string("tessera"), 0,
                    "power state is neither D0 nor D3");
        return false;
    }
    return tessera_gpu_load(s->gpu, s->state, s->state_size, err);
}

static int post_load(void *opaque, int version)
{
    TesseraState *s = opaque;
    g_autoptr(GError) err = NULL;
    bool ok = load(s, &err);

    if (ok) {
        trace_tessera_load(tessera_id(s), s->state_size);
    } else {
        trace_tessera_load_err(tessera_id(s), err->message);
        error_report("tessera: the saved state is refused for %s: %s",
                     tessera_id(s), err->message);
        pci_device_reset(PCI_DEVICE(s));
    }
    free_buffer(s);
    tessera_host_update_bars(s);
    return ok ? 0 : -EINVAL;
}

/* Only a device that cannot be saved has live state: QEMU then asks for it. */
static bool is_busy(void *opaque)
{
    TesseraState *s = opaque;
    g_autoptr(GByteArray) state = g_byte_array_new();

    return !tessera_gpu_save(s->gpu, state, NULL);
}

static int refuse(QEMUFile *f, void *opaque)
{
    g_autoptr(GByteArray) state = g_byte_array_new();

    return save(opaque, state) ? 0 : -EBUSY;
}

static const SaveVMHandlers busy_handlers = {
    .is_active = is_busy,
    .TESSERA_SAVE_COMPLETE = refuse,
};

void tessera_vmstate_init(TesseraState *s)
{
    register_savevm_live(BUSY_NAME, VMSTATE_INSTANCE_ID_ANY, 1, &busy_handlers,
                         s);
}

void tessera_vmstate_exit(TesseraState *s)
{
    unregister_savevm(NULL, BUSY_NAME, s);
    free_buffer(s); /* of a load that broke off */
}

const VMStateDescription tessera_vmstate = {
    .name = "tessera",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = pre_save,
    .post_save = post_save,
    .pre_load = pre_load,
    .post_load = post_load,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, TesseraState),
        VMSTATE_MSIX(parent_obj, TesseraState),
        VMSTATE_UINT32(irqs, TesseraState),
        VMSTATE_UINT32(state_size, TesseraState),
        VMSTATE_VALIDATE("size of the state", size_fits),
        VMSTATE_VBUFFER_ALLOC_UINT32(state, TesseraState, 1, NULL, state_size),
        VMSTATE_END_OF_LIST()
    },
};
