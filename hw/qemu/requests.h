/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the device core cannot do from its own threads: translations by an
 * IOMMU, and accesses to other devices.  They wait in a list until a bottom
 * half of the main loop answers them, under the big lock.
 */
#ifndef TESSERA_QEMU_REQUESTS_H
#define TESSERA_QEMU_REQUESTS_H

#include "compat.h"
#include "memmap.h"

typedef struct TesseraRequests TesseraRequests;

/*
 * Answer requests by @map.  The bottom half holds @dev's re-entrancy guard, so
 * no access can come back to @dev's own registers.  Nothing is answered before
 * tessera_requests_run(.., true).
 */
TesseraRequests *tessera_requests_new(TesseraMemMap *map, DeviceState *dev);
/* No request may be waiting. */
void tessera_requests_free(TesseraRequests *requests);

/* As TesseraHostOps says.  Any thread. */
void tessera_requests_submit(TesseraRequests *requests, TesseraRequest *req);
bool tessera_requests_cancel(TesseraRequests *requests, TesseraRequest *req);

/* Whether requests are answered or wait: a stopped VM is not touched. */
void tessera_requests_run(TesseraRequests *requests, bool running);

#endif
