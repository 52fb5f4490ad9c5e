/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks run one after the other, and their groups in order: the reference
 * that LinxISA's rules are tested with.  Hardware queues are not there: their
 * instructions are illegal.
 */
#ifndef LINX_EXEC_H
#define LINX_EXEC_H

#include "target/linx/overlap.h"
#include "target/linx/tiles.h"

/* Memory: false if not all of the bytes can be accessed; then none is. */
typedef struct LinxMemory {
    bool (*read)(void *opaque, uint64_t address, void *data, size_t size);
    bool (*write)(void *opaque, uint64_t address, const void *data,
                  size_t size);
    void *opaque;
    uint64_t (*time)(void *opaque); /* TIME and CYCLE; NULL: they are 0 */
} LinxMemory;

struct LinxContext;

/* Told what hazards=strict finds; from any thread. */
typedef void LinxClashFn(struct LinxContext *x, const LinxTouch *touch,
                         const LinxClash *clash);

/* What a dispatch owns. */
typedef struct LinxState {
    uint64_t gpr[LINX_GPRS];
    LinxTiles tiles;
    LinxMemory memory;
    uint8_t frm, fflags; /* of CSTATE; bodies add flags when they end */
    uint64_t budget; /* instructions that are left; at 0 it is stopped */
    LinxOverlap *overlap; /* NULL: hazards are not looked for */
    LinxClashFn *clash;   /* if they are */
    void *clash_opaque;   /* its own */
} LinxState;

/* Causes of E_DATA; those of the others are in block.h. */
enum {
    LINX_DATA_LOAD_ACCESS = 0,
    LINX_DATA_LOAD_MISALIGNED = 1,
    LINX_DATA_STORE_ACCESS = 3,
    LINX_DATA_STORE_MISALIGNED = 4,
    LINX_DATA_RANGE = 6,
    LINX_DATA_BUS = 7,
};

/* Why and where it stopped. */
typedef struct LinxRecord {
    bool trapped;
    bool out_of_budget;
    LinxTrap trap;      /* its pc is ETPC if in_body, else a header's word */
    uint64_t arg;       /* TRAPARG0 */
    uint64_t bpc, next; /* EBPC, EBPCN */
    uint64_t group;     /* EBARG */
    bool in_body;       /* ECSTATE.BI */
} LinxRecord;

/*
 * Run block after block from @pc until ACRC 1 ends a system block.  False, and
 * @record, if there was a trap or the budget ran out.
 */
bool linx_run(LinxState *state, uint64_t pc, LinxRecord *record);

#endif
