/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The vector and scalar instructions of each target, from the opcode lists:
 * which operation, in which encoding, by which name.
 */
#ifndef TESTS_VALU_TARGET_H
#define TESTS_VALU_TARGET_H

#include "target/amdgpu/inst.h"

typedef struct ValuOp {
    AmdOp op;
    uint8_t family;   /* AmdFamily */
    bool short_only;  /* no VOP3 encoding beside that of VOP1 or VOP2 */
    const char *name; /* as the assembler knows it */
} ValuOp;

typedef struct ValuTarget {
    const char *name; /* of -mcpu */
    AmdGeneration gen;
    const ValuOp *ops; /* vector operations and others */
    unsigned count;
} ValuTarget;

/* NULL if there is no such target. */
const ValuTarget *valu_target(const char *name);

/* The first row of an operation, NULL if the target does not have it. */
const ValuOp *valu_target_op(const ValuTarget *target, AmdOp op);

/* VOP1, VOP2, VOPC, VOP3 or VOP3P? */
bool valu_op_is_vector(const ValuOp *op);

#endif
