/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scalar instructions ought to compute: models that work bit by bit
 * or in a wider type, and for floats those of the vector instructions.
 */
#ifndef TESTS_SALU_MODELS_H
#define TESTS_SALU_MODELS_H

#include <stdbool.h>
#include <stdint.h>
#include "target/amdgpu/inst.h"

/* What an instruction reads and writes. */
typedef struct SaluIo {
    uint64_t a, b; /* s[10:11], s[12:13] */
    uint64_t d;    /* s[14:15], old and new */
    bool scc;
    uint32_t mode;
} SaluIo;

typedef void SaluModel(SaluIo *io);

typedef struct SaluRow {
    AmdOp op;
    const char *operands; /* what stands behind the name */
    SaluModel *model;
} SaluRow;

/* SOP1, SOP2 and SOPC. */
extern const SaluRow salu_rows[];
extern const unsigned salu_row_count;

/* SOPK: the constant is in b, sign-extended, or zero-extended. */
typedef struct SaluConstantRow {
    AmdOp op;
    SaluModel *model;
    bool zero_extends;
} SaluConstantRow;

extern const SaluConstantRow salu_constant_rows[];
extern const unsigned salu_constant_row_count;

#endif
