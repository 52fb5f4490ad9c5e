/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which registers an instruction reads and writes, and how it counts.
 */
#ifndef AMDGPU_USES_H
#define AMDGPU_USES_H

#include "inst.h"

typedef struct AmdUse {
    uint16_t code;  /* operand code of the first register */
    uint8_t dwords;
    bool written;   /* else read */
    uint32_t mask;  /* bits of each dword that are meant */
} AmdUse;

#define AMD_USES_MAX 12

/* What a memory instruction counts in until it is complete (rules SM18, FL7). */
typedef enum AmdOrder {
    ORDER_NONE,  /* complete at issue */
    ORDER_VMEM,  /* VM_CNT, in order */
    ORDER_FLAT,  /* VM_CNT and LGKM_CNT, in no order */
    ORDER_LDS,   /* LGKM_CNT, in order */
    ORDER_SMEM,  /* LGKM_CNT, in no order */
    ORDER_GDS,   /* LGKM_CNT and EXP_CNT, in no order with LDS */
} AmdOrder;

typedef struct AmdUses {
    AmdUse use[AMD_USES_MAX];
    unsigned count;
    AmdOrder order;
    uint8_t lgkm;   /* by how much LGKM_CNT rises */
} AmdUses;

/*
 * Fill in @uses for @inst.  Constants, SCC and EXEC are left out: no memory
 * instruction writes them.  A result that arrives later is the one use with
 * `written` of an instruction whose order is not ORDER_NONE.
 */
void amd_uses(const AmdInst *inst, AmdUses *uses);

#endif
