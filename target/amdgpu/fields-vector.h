/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the fields of vector instructions are: in all generations at the
 * same bits (gfx-facts sections 3 and 13).
 */
#ifndef AMDGPU_FIELDS_VECTOR_H
#define AMDGPU_FIELDS_VECTOR_H

#include "target/amdgpu/decode-int.h"

static const Field vop2_fields[] = {
    { FIELD_U16, 0, 9, MEMBER(src[0]) },
    { FIELD_VGPR, 9, 8, MEMBER(src[1]) },
    { FIELD_VGPR, 17, 8, MEMBER(dst) },
};

EXTRACTOR(vop2)

static const Field vop1_fields[] = {
    { FIELD_U16, 0, 9, MEMBER(src[0]) },
    { FIELD_VGPR, 17, 8, MEMBER(dst) },
};

EXTRACTOR(vop1)

static const Field vopc_fields[] = {
    { FIELD_U16, 0, 9, MEMBER(src[0]) },
    { FIELD_VGPR, 9, 8, MEMBER(src[1]) },
};

EXTRACTOR(vopc)

/* VOP3a and VOP3b; the latter's sdst lies over abs and opsel. */
static const Field vop3_fields[] = {
    { FIELD_VGPR, 0, 8, MEMBER(dst) },
    { FIELD_U8, 8, 3, MEMBER(abs) },
    { FIELD_U8, 11, 4, MEMBER(opsel) },
    { FIELD_U8, 15, 1, MEMBER(clamp) },
    { FIELD_U16, 32, 9, MEMBER(src[0]) },
    { FIELD_U16, 41, 9, MEMBER(src[1]) },
    { FIELD_U16, 50, 9, MEMBER(src[2]) },
    { FIELD_U8, 59, 2, MEMBER(omod) },
    { FIELD_U8, 61, 3, MEMBER(neg) },
};

EXTRACTOR(vop3)

static const Field vop3p_fields[] = {
    { FIELD_VGPR, 0, 8, MEMBER(dst) },
    { FIELD_U8, 8, 3, MEMBER(neg_hi) },
    { FIELD_U8, 11, 3, MEMBER(opsel) },
    { FIELD_U8, 15, 1, MEMBER(clamp) },
    { FIELD_U16, 32, 9, MEMBER(src[0]) },
    { FIELD_U16, 41, 9, MEMBER(src[1]) },
    { FIELD_U16, 50, 9, MEMBER(src[2]) },
    { FIELD_U8, 59, 2, MEMBER(opsel_hi) },
    { FIELD_U8, 61, 3, MEMBER(neg) },
};

EXTRACTOR(vop3p)

#endif
