/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI function, shared by the files of this folder. */
#ifndef TESSERA_QEMU_DEVICE_H
#define TESSERA_QEMU_DEVICE_H

#include "compat.h"
#include "hw/gpu/gpu.h"
#include "memmap.h"
#include "requests.h"
#include "tessera/regs.h"

#define TYPE_TESSERA "tessera"
OBJECT_DECLARE_SIMPLE_TYPE(TesseraState, TESSERA)

typedef struct TesseraHead TesseraHead;

struct TesseraState {
    PCIDevice parent_obj;

    MemoryRegion bar_regs; /* contains the next two */
    MemoryRegion regs;
    MemoryRegion flush_page;
    MemoryRegion vram;
    MemoryRegion doorbells;

    /* Properties, constant once realized. */
    uint64_t vram_size;
    uint32_t workers;
    uint64_t hang_timeout; /* ms */
    char *isa;
    char *host_level;
    char *hazards;
    bool jit;
    bool scanout;
    bool inject;

    /* Life cycle; what each stands for is made and undone in device.c. */
    uint8_t pm_cap;
    bool has_msix;
    bool vm_running;
    bool in_d3;
    uint8_t *power_on_config; /* what a reset restores */
    VMChangeStateEntry *vm_change;
    TesseraBars bars; /* as the device core was last told */

    /* Host side of the device core (host.c). */
    uint8_t *vram_host;
    TesseraGpu *gpu;
    TesseraMemMap *map;
    TesseraRequests *requests;
    QEMUBH *irq_bh;
    uint32_t irqs; /* vectors to raise, set by any thread */

    /* The device core's state while it is saved or loaded (vmstate.c). */
    uint8_t *state;
    uint32_t state_size;

    TesseraHead *head; /* what scanout.c shows VRAM on; NULL: scanout=off */
};

/* Set by the plugin's entry: how many vCPUs there can ever be. */
extern int tessera_max_vcpus;

/* What the user called the device, for messages. */
const char *tessera_id(TesseraState *s);

/* Follow the power state that was loaded; false if there is no such state. */
bool tessera_power_loaded(TesseraState *s);

/* Add the QOM type; called once, from the plugin's entry. */
void tessera_register_type(void);

/* bars.c: make the BARs and register them; false and @errp on failure. */
bool tessera_bars_init(TesseraState *s, Error **errp);
/* Undo as much of that as was done. */
void tessera_bars_exit(TesseraState *s);

/* Where the guest has put the BARs. */
TesseraBars tessera_bars_get(TesseraState *s);

/* host.c: start the device core and what it asks of QEMU, or undo that. */
bool tessera_host_init(TesseraState *s, Error **errp);
void tessera_host_exit(TesseraState *s);

/* Deliver interrupts that are still to be raised, or forget them. */
void tessera_host_flush_irqs(TesseraState *s);
void tessera_host_drop_irqs(TesseraState *s);

/* Tell the device core where the BARs are, if that has changed. */
void tessera_host_update_bars(TesseraState *s);

/* scanout.c: make the head, after the device core; close it, before that. */
void tessera_head_init(TesseraState *s);
void tessera_head_exit(TesseraState *s);

/* vmstate.c: how QEMU saves the device; undone by _exit(). */
extern const VMStateDescription tessera_vmstate;
void tessera_vmstate_init(TesseraState *s);
void tessera_vmstate_exit(TesseraState *s);

/* traces.c: make the trace events known to QEMU. */
void tessera_register_trace_events(void);

/* One of the device core's "block_event" trace calls. */
void tessera_trace(const char *event, uint64_t a, uint64_t b, uint64_t c);

#endif
