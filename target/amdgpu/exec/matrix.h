/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Products of matrices (WMMA): D = A * B + C, of 16 x K and K x 16.  Sparse
 * ones (SWMMAC) add A * B to D, and A has two of each four elements only.
 */
#ifndef AMDGPU_EXEC_MATRIX_H
#define AMDGPU_EXEC_MATRIX_H

#include "lane.h"

/* What A and B are made of; INT8 and INT4 are signed or not as neg says. */
typedef enum MatrixFactor {
    MATRIX_F16, MATRIX_BF16, MATRIX_FP8, MATRIX_BF8, MATRIX_INT8, MATRIX_INT4,
} MatrixFactor;

/* What C and D are made of. */
typedef enum MatrixSum {
    MATRIX_SUM_F32, MATRIX_SUM_I32, MATRIX_SUM_F16, MATRIX_SUM_BF16,
} MatrixSum;

typedef struct MatrixShape {
    MatrixFactor a, b;
    MatrixSum sum;
    int k;
} MatrixShape;

#define MATRIX(a, b, sum, k) \
    ((MatrixShape){ MATRIX_##a, MATRIX_##b, MATRIX_SUM_##sum, k })

/* All lanes take part, whatever EXEC is. */
void LEVEL(amd_matrix)(AmdWave *w, const Uop *u, MatrixShape shape);

/* The same; @shape.k is B's. */
void LEVEL(amd_sparse)(AmdWave *w, const Uop *u, MatrixShape shape);

#endif
