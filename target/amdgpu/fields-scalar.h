/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the fields of scalar instructions are: in all generations at the
 * same bits (gfx-facts sections 3 and 13).
 */
#ifndef AMDGPU_FIELDS_SCALAR_H
#define AMDGPU_FIELDS_SCALAR_H

#include "target/amdgpu/decode-int.h"

static const Field sop2_fields[] = {
    { FIELD_U16, 0, 8, MEMBER(src[0]) },
    { FIELD_U16, 8, 8, MEMBER(src[1]) },
    { FIELD_U16, 16, 7, MEMBER(dst) },
};

EXTRACTOR(sop2)

static const Field sopk_fields[] = {
    { FIELD_U16, 0, 16, MEMBER(simm16) },
    { FIELD_U16, 16, 7, MEMBER(dst) },
};

EXTRACTOR(sopk)

static const Field sop1_fields[] = {
    { FIELD_U16, 0, 8, MEMBER(src[0]) },
    { FIELD_U16, 16, 7, MEMBER(dst) },
};

EXTRACTOR(sop1)

static const Field sopc_fields[] = {
    { FIELD_U16, 0, 8, MEMBER(src[0]) },
    { FIELD_U16, 8, 8, MEMBER(src[1]) },
};

EXTRACTOR(sopc)

static const Field sopp_fields[] = {
    { FIELD_U16, 0, 16, MEMBER(simm16) },
};

EXTRACTOR(sopp)

#endif
