/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plain model of vector memory instructions, for comparing: memory, LDS and
 * registers are copied, each lane's bytes are found one by one, and after the
 * run of the real thing everything must be equal.
 */
#ifndef TESTS_MEM_MODEL_H
#define TESTS_MEM_MODEL_H

#include "wave-harness.h"

#define MODEL_REGS 32 /* VGPRs that the tests use */

typedef struct ModelOp ModelOp;

/* The new value of an atomic operation on @bits bits. */
typedef uint64_t ModelAtomic(uint64_t old, uint64_t data, uint64_t compare,
                             unsigned bits);

struct ModelOp {
    const char *name;
    char kind; /* 'l'oad, 's'tore, 'a'tomic */
    unsigned bytes;
    bool sext;
    char half; /* 0: whole register, 'l'ow, 'h'igh */
    ModelAtomic *atomic;
    unsigned data; /* dwords of data operand */
};

/* All of FLAT's; SCRATCH has those that are not atomic. */
extern const ModelOp model_ops[];
extern const unsigned model_op_count;

typedef struct Model {
    WaveHarness *h;
    uint8_t *maps[16];
    uint8_t lds[0x10000];
    uint32_t v[MODEL_REGS][64];
    uint64_t bad;
    TesseraFaultCause cause;
    uint64_t bad_addr;
} Model;

/* Take the state of the harness as the start. */
Model *model_new(WaveHarness *h);
void model_free(Model *m);

/* Where a lane's byte @i is; NULL: nowhere, for @cause, to report @addr. */
typedef struct ModelByte {
    uint8_t *p;
    TesseraFaultCause cause;
    uint64_t addr;
} ModelByte;

/* A byte of memory. */
ModelByte model_memory(Model *m, uint64_t va, bool write);

/*
 * Execute @op in one lane on bytes that have been found; all or none is done.
 * @dst and @data are VGPRs, @dst < 0: no result.
 */
void model_lane(Model *m, const ModelOp *op, unsigned lane,
                const ModelByte *bytes, int dst, int data);

/* Compare with what the harness has after its run gave @cause. */
void model_compare(const Model *m, TesseraFaultCause cause, const char *what);

#endif
