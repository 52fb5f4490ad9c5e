/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory operations of gfx11 and gfx12 for mem-model.c.
 */
#ifndef TESTS_RDNA_MODEL_H
#define TESTS_RDNA_MODEL_H

#include "mem-model.h"

/* Where an operation is found. */
enum {
    IN_BUFFER = 1 << 0, IN_FLAT = 1 << 1, IN_GLOBAL = 1 << 2,
    IN_SCRATCH = 1 << 3,
};

/* What its data are. */
typedef enum RdnaData {
    DATA_BITS, DATA_F32, DATA_PK_F16, DATA_PK_BF16,
} RdnaData;

typedef struct RdnaOp {
    ModelOp op;
    unsigned gfx11, gfx12; /* IN_*, by generation */
    RdnaData data;
} RdnaOp;

extern const RdnaOp rdna_ops[];
extern const unsigned rdna_op_count;

/* Where @op is found on the harness's target. */
unsigned rdna_op_places(const WaveHarness *h, const RdnaOp *op);

/* The text that makes an atomic operation of the target return something. */
const char *rdna_return(const WaveHarness *h);

/* A datum, such that atomics have something to do with it. */
uint32_t rdna_datum(GRand *rng, RdnaData data);

#endif
