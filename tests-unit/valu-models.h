/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the vector instructions ought to compute, written as plain C for one
 * lane, with exact arithmetic for floats: an independent model.
 */
#ifndef TESTS_VALU_MODELS_H
#define TESTS_VALU_MODELS_H

#include "exact.h"

/* One lane: operands as bits of their width, zero-extended. */
typedef struct Lane {
    uint64_t a, b, c;
    uint64_t d;    /* the old destination */
    unsigned lane;
    uint32_t mode;
    bool clamp;    /* of an integer result */
    bool in;       /* carry-in, or the bit of VCC */
    bool out;      /* set by the model: carry, or a compare's result */
} Lane;

typedef uint64_t ModelFn(Lane *l);

typedef struct Model {
    const char *name;
    ModelFn *fn;
    /* Results of floats may be this many units in the last place off. */
    unsigned ulp;
} Model;

extern const Model valu_models[];
extern const unsigned valu_model_count;

/* The model of an instruction, NULL if there is none. */
const Model *valu_model(const char *name);

/* MODE's rounding and denormals for a format. */
Rounding mode_rounding(const Format *f, uint32_t mode);
bool mode_keeps_in(const Format *f, uint32_t mode);
bool mode_keeps_out(const Format *f, uint32_t mode);

/* A result rounded and flushed as MODE says. */
uint64_t model_rounded(const Format *f, uint32_t mode, const Exact *x);

#endif
