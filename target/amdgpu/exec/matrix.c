/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Products of matrices.  The columns of B, C and D lie side by side in the
 * lanes of a slice, so that a row of D is computed as a vector of 16 columns.
 *
 * As in dot products (dot.h), floats are multiplied and added in 32 bits, one
 * after the other; sums of 16 bits are rounded to them at the end.
 */
#include "matrix.h"
#include "dot.h"

enum { ROWS = 16, K_MOST = 32 };

static int factor_bits(MatrixFactor f)
{
    return f <= MATRIX_BF16 ? 16 : f == MATRIX_INT4 ? 4 : 8;
}

/* Where 16 elements lie: a slice of a register, and bits of its lanes. */
typedef struct MatrixPlace {
    unsigned reg, slice, shift;
} MatrixPlace;

/*
 * Elements k of all rows of A, or of all columns of B.  gfx11 has all of them
 * in each 16 lanes; gfx12 has runs of them in one 16 lanes after the other.
 */
static MatrixPlace factor_place(const AmdWave *w, const Uop *u, int bits,
                                unsigned k)
{
    unsigned run = w->half || bits == 4 ? 8 : 4, groups = w->half ? 2 : 4;
    unsigned slice = k / run % groups;
    unsigned number = k / (run * groups) * run + k % run;

    if (gen_of(u) == GEN_11) {
        slice = 0;
        number = k;
    }
    return (MatrixPlace){ number * bits / 32, slice, number * bits % 32 };
}

/* Row @i of C and D. */
static MatrixPlace sum_place(const AmdWave *w, const Uop *u, bool half,
                             unsigned i)
{
    unsigned slice, number;

    if (gen_of(u) == GEN_11) {
        unsigned high = half && MOD(u, OPSEL, 3) >> 2 ? 16 : 0;

        return w->half ? (MatrixPlace){ i / 2, i % 2, high }
                       : (MatrixPlace){ i / 4, i % 4, high };
    }
    number = w->half ? i % 8 : i % 4;
    slice = w->half ? i / 8 : i / 8 + (i / 4 % 2) * 2;
    return half ? (MatrixPlace){ number / 2, slice, number % 2 * 16 }
                : (MatrixPlace){ number, slice, 0 };
}

static unsigned first_vgpr(uint32_t offset)
{
    return vgpr_number(offset);
}

/* Registers that do not exist read as v0; decoders let none through. */
static const u32x16 *slice_at(const AmdWave *w, unsigned vgpr,
                              MatrixPlace at)
{
    unsigned n = vgpr + at.reg;

    return &w->v[n < AMD_VGPRS ? n : 0].q[at.slice];
}

static u32x16 factor_elements(const AmdWave *w, const Uop *u, int i, int bits,
                              unsigned k)
{
    MatrixPlace at = factor_place(w, u, bits, k);

    return *slice_at(w, first_vgpr(u->src[i]), at) >> at.shift &
           ((1u << bits) - 1);
}

/* neg and neg_hi negate the halves of registers. */
static f32x16 float_factor(const AmdWave *w, const Uop *u, int i,
                           MatrixFactor f, unsigned k)
{
    u32x16 x = factor_elements(w, u, i, factor_bits(f), k);
    unsigned neg = k % 2 ? MOD(u, NEG_HI, 3) : MOD(u, NEG, 3);

    switch (f) {
    case MATRIX_F16:
        return f32_of_f16(neg >> i & 1 ? x ^ 0x8000 : x);
    case MATRIX_BF16:
        return f32_of_bf16(neg >> i & 1 ? x ^ 0x8000 : x);
    case MATRIX_FP8:
        return f32_of_fp8(x);
    default:
        return f32_of_bf8(x);
    }
}

static i32x16 int_factor(const AmdWave *w, const Uop *u, int i,
                         MatrixFactor f, unsigned k)
{
    int bits = factor_bits(f), cut = 32 - bits;
    u32x16 x = factor_elements(w, u, i, bits, k);

    return mod_neg(u, i) ? (i32x16)(x << cut) >> cut : (i32x16)x;
}

/* ---- C and D ---- */

/* An inline constant is a float of 32 bits for lower.c, if it is a float. */
static uint32_t constant_half(uint32_t x)
{
    bool is_float = (x & 0x7fffffff) >= 0x3e000000 && x < 0xfffffff0;

    return is_float ? float_to_half((f32x16)splat32(x), ROUND_NEAREST)[0] : x;
}

static u32x16 sum_bits(const AmdWave *w, const Uop *u, MatrixSum sum,
                       unsigned i)
{
    bool half = sum >= MATRIX_SUM_F16;
    MatrixPlace at = sum_place(w, u, half, i);
    u32x16 x;

    if (u->kind[2] == KIND_VGPR) {
        x = *slice_at(w, first_vgpr(u->src[2]), at) >> at.shift;
    } else {
        uint32_t c = scalar32(w, u, 2);

        x = splat32(sum == MATRIX_SUM_F16 ? constant_half(c) :
                    sum == MATRIX_SUM_BF16 && c >> 16 ? c >> 16 : c);
    }
    return half ? x & 0xffff : x;
}

static f32x16 float_sum(const AmdWave *w, const Uop *u, MatrixSum sum,
                        unsigned i)
{
    u32x16 x = sum_bits(w, u, sum, i);
    f32x16 r = sum == MATRIX_SUM_F16 ? f32_of_f16(x) :
               sum == MATRIX_SUM_BF16 ? f32_of_bf16(x) : (f32x16)x;

    r = MOD(u, NEG_HI, 3) >> 2 ? abs32(r) : r;
    return mod_neg(u, 2) ? negate32(r) : r;
}

static u32x16 rounded_sum(const AmdWave *w, MatrixSum sum, f32x16 x)
{
    return sum == MATRIX_SUM_F16 ? narrow_with(w, x, ROUND_NEAREST) :
           sum == MATRIX_SUM_BF16 ? narrow_bf16(x) : (u32x16)x;
}

static void put_sum(AmdWave *w, const Uop *u, MatrixSum sum, unsigned i,
                    u32x16 x)
{
    bool half = sum >= MATRIX_SUM_F16;
    MatrixPlace at = sum_place(w, u, half, i);
    u32x16 *d = (u32x16 *)slice_at(w, first_vgpr(u->dst), at);

    *d = half ? (*d & ~(0xffffu << at.shift)) | (x & 0xffff) << at.shift : x;
}

/* ---- products ---- */

static void multiply_floats(AmdWave *w, const Uop *u, MatrixShape s,
                            u32x16 *d)
{
    f32x16 a[K_MOST], b[K_MOST];

    dot_enter(w, u);
    for (int k = 0; k < s.k; k++) {
        a[k] = float_factor(w, u, 0, s.a, k);
        b[k] = float_factor(w, u, 1, s.b, k);
    }
    for (unsigned i = 0; i < ROWS; i++) {
        f32x16 sum = float_sum(w, u, s.sum, i);

        for (int k = 0; k < s.k; k++) {
            sum = add32(sum, mul32((f32x16){} + a[k][i], b[k]));
        }
        d[i] = rounded_sum(w, s.sum, sum);
    }
}

/* No sum of products is too large for 32 bits, but with C it may be. */
static void multiply_ints(AmdWave *w, const Uop *u, MatrixShape s, u32x16 *d)
{
    i32x16 a[K_MOST], b[K_MOST];

    for (int k = 0; k < s.k; k++) {
        a[k] = int_factor(w, u, 0, s.a, k);
        b[k] = int_factor(w, u, 1, s.b, k);
    }
    for (unsigned i = 0; i < ROWS; i++) {
        i32x16 c = (i32x16)sum_bits(w, u, s.sum, i), sum = {};

        for (int k = 0; k < s.k; k++) {
            sum += ((i32x16){} + a[k][i]) * b[k];
        }
        d[i] = (u32x16)(MOD(u, CLAMP, 1) ? add_sat_i32(c, sum) : c + sum);
    }
}

void LEVEL(amd_matrix)(AmdWave *w, const Uop *u, MatrixShape shape)
{
    u32x16 d[ROWS];

    if (shape.sum == MATRIX_SUM_I32) {
        multiply_ints(w, u, shape, d);
    } else {
        multiply_floats(w, u, shape, d);
    }
    for (unsigned i = 0; i < ROWS; i++) {
        put_sum(w, u, shape.sum, i, d[i]);
    }
}
