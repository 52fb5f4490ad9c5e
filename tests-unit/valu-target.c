/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>
#include "valu-target.h"
#include "target/amdgpu/ops.h"

#define ROW(family, op, only, name) { AMD_##op, FAM_##family, only, name },
#define OP(family, opcode, op) ROW(family, op, false, #op)
#define OPN(family, opcode, op, name) ROW(family, op, false, #name)
#define OPX(family, opcode, op) ROW(family, op, true, #op)
#define OPXN(family, opcode, op, name) ROW(family, op, true, #name)
#define FL_MEM(...)
#define FL_ATOMIC(...)

static const ValuOp gfx900[] = {
#include "target/gfx9/opcodes.inc"
};

#define OP_115(family, opcode, op)
#define OPN_115(family, opcode, op, name)

static const ValuOp gfx11[] = {
#include "target/gfx11/opcodes.inc"
#include "target/rdna/opcodes.inc"
};

#undef OP_115
#undef OPN_115
#define OP_115 OP
#define OPN_115 OPN

static const ValuOp gfx115[] = {
#include "target/gfx11/opcodes.inc"
#include "target/rdna/opcodes.inc"
};

static const ValuOp gfx12[] = {
#include "target/gfx12/opcodes.inc"
#include "target/rdna/opcodes.inc"
};

static const ValuTarget targets[] = {
    { "gfx900", GEN_9, gfx900, G_N_ELEMENTS(gfx900) },
    { "gfx1100", GEN_11, gfx11, G_N_ELEMENTS(gfx11) },
    { "gfx1150", GEN_11, gfx115, G_N_ELEMENTS(gfx115) },
    { "gfx1200", GEN_12, gfx12, G_N_ELEMENTS(gfx12) },
};

const ValuTarget *valu_target(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        if (!strcmp(name, targets[i].name)) {
            return &targets[i];
        }
    }
    return NULL;
}

const ValuOp *valu_target_op(const ValuTarget *target, AmdOp op)
{
    for (unsigned i = 0; i < target->count; i++) {
        if (target->ops[i].op == op) {
            return &target->ops[i];
        }
    }
    return NULL;
}

bool valu_op_is_vector(const ValuOp *op)
{
    return op->family >= FAM_VOP1 && op->family <= FAM_VOP3P;
}
