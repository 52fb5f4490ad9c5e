/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a driver can see of a device, to be compared with what it sees
 * later: registers by the register map's table, queue slots, doorbells, the
 * MSI-X table, the configuration space.
 */
#ifndef TESSERA_QTEST_VIEW_H
#define TESSERA_QTEST_VIEW_H

#include "tessera-qtest.h"

typedef enum TqViewPart {
    TQ_VIEW_CONFIG = 1,     /* configuration space but for the next */
    TQ_VIEW_PLACES = 2,     /* its first 64 bytes: command, BARs, ... */
    TQ_VIEW_REGISTERS = 4,  /* without the clock */
    TQ_VIEW_QUEUES = 8,     /* all slots; moves QUEUE_SELECT */
    TQ_VIEW_DOORBELLS = 16,
    TQ_VIEW_MSIX = 32,
} TqViewPart;

#define TQ_VIEW_BARS (TQ_VIEW_REGISTERS | TQ_VIEW_QUEUES | \
                      TQ_VIEW_DOORBELLS | TQ_VIEW_MSIX)
#define TQ_VIEW_ALL (TQ_VIEW_BARS | TQ_VIEW_CONFIG | TQ_VIEW_PLACES)

typedef struct TqView TqView;

/* Look at @parts, which are TQ_VIEW_ bits. */
TqView *tq_look(TqGpu *gpu, unsigned parts);
void tq_view_free(TqView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TqView, tq_view_free)

/* Fail, and name the first thing that differs, unless @now is as @then. */
void tq_check_same(const TqView *now, const TqView *then);

/* Whether something differs at all. */
bool tq_differs(const TqView *now, const TqView *then);

#endif
