/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An engine that runs LinxISA blocks over plain memory, without a device. */
#ifndef LINX_RIG_H
#define LINX_RIG_H

#include <glib.h>
#include "target/engine/engine.h"

enum { LINX_RIG_VMID = 0 };

/*
 * One access to a device: a page that find() says is none of its memory.
 * Called from any thread, one at a time.
 */
typedef void LinxRigAccess(void *opaque, uint64_t address, unsigned size,
                           bool is_write, uint64_t *data);

typedef struct LinxRigConfig {
    unsigned workers;
    TesseraHostLevel level; /* of fast handlers; the host has to have it */
    /* The page at @va: where it is, NULL if nowhere.  Any thread. */
    uint8_t *(*find)(void *opaque, uint64_t va, bool *writable);
    bool (*is_device)(void *opaque, uint64_t va); /* optional, and: */
    LinxRigAccess *access;
    /* hazards=strict, if it is there; one at a time. */
    void (*hazard)(void *opaque, const EngineHazard *hazard);
    void *opaque;
} LinxRigConfig;

typedef struct LinxRig LinxRig;

LinxRig *linx_rig_new(const LinxRigConfig *config);
void linx_rig_free(LinxRig *rig);

/*
 * Run blocks from @pc on, to their end or, if @quanta is not 0, until that many
 * milliseconds are over; @blocks has the registers and gets what there is.
 * How it ended is in *@fault and the status.
 */
EngineStatus linx_rig_run(LinxRig *rig, uint64_t pc, TesseraBlocks *blocks,
                          unsigned milliseconds, EngineFault *fault);

#endif
