/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floats by their definition: exact results as large integers, and of the two
 * numbers around one that which a rounding mode names.
 */
#ifndef FLOAT_MODEL_H
#define FLOAT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ModelFormat {
    unsigned exponent, fraction; /* bits */
} ModelFormat;

typedef enum ModelRounding {
    MODEL_RNE = 1, MODEL_RTZ, MODEL_RDN, MODEL_RUP, MODEL_RNA, MODEL_RTO
} ModelRounding;

enum { MODEL_NV = 1, MODEL_DZ = 2, MODEL_OF = 4, MODEL_UF = 8,
       MODEL_NX = 16 };

typedef struct Model {
    ModelFormat format;
    ModelRounding rounding;
    bool saturate;
    unsigned flags; /* added to */
} Model;

typedef enum ModelOp { MODEL_ADD, MODEL_SUB, MODEL_MUL, MODEL_DIV,
                       MODEL_SQRT, MODEL_RECIP } ModelOp;

uint64_t model_arithmetic(Model *m, ModelOp op, uint64_t a, uint64_t b);

/* sign_ab * a * b + sign_c * c, with signs of 1 or -1. */
uint64_t model_madd(Model *m, uint64_t a, uint64_t b, uint64_t c,
                    int sign_ab, int sign_c);

/* From m->format to @to. */
uint64_t model_convert(Model *m, uint64_t a, ModelFormat to);
uint64_t model_to_int(Model *m, uint64_t a, unsigned bits, bool is_signed);
uint64_t model_from_int(Model *m, uint64_t magnitude, bool negative);

bool model_is_nan(const ModelFormat *f, uint64_t a);

/* The value of a number that long double can hold; no NaN. */
long double model_value(const ModelFormat *f, uint64_t a);

#endif
