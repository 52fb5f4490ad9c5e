/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of vector operations (VOPD) as micro-operations: lower.c packs them,
 * exec/dual.c executes them.
 *
 * src[0] and src[1] are the first sources of X and Y, src[2] is the literal of
 * both; dst has four numbers of vector registers, see DualField.
 */
#ifndef AMDGPU_EXEC_DUAL_H
#define AMDGPU_EXEC_DUAL_H

#include "../../engine/uop.h"

typedef enum DualOp {
    DUAL_FMAC, DUAL_FMAAK, DUAL_FMAMK, DUAL_MUL, DUAL_ADD, DUAL_SUB,
    DUAL_SUBREV, DUAL_MUL_LEGACY, DUAL_MOV, DUAL_CNDMASK, DUAL_MAX, DUAL_MIN,
    DUAL_MAX_NUM, DUAL_MIN_NUM, DUAL_DOT2, DUAL_ADD_U32, DUAL_LSHLREV, DUAL_AND,
    DUAL_COUNT
} DualOp;

/* Bytes of Uop.dst. */
typedef enum DualField {
    DUAL_X_DST, DUAL_Y_DST, DUAL_X_SRC1, DUAL_Y_SRC1,
} DualField;

/* Uop.mods, besides MOD_GEN. */
enum {
    MOD_DUAL_X = 0, /* 5 bits: DualOp */
    MOD_DUAL_Y = 5, /* 5 bits */
};

#endif
