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

enum { ROWS = 16, K_MOST = 64 };

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

static u32x16 elements_at(const AmdWave *w, const Uop *u, int i, int bits,
                          MatrixPlace at)
{
    return *slice_at(w, first_vgpr(u->src[i]), at) >> at.shift &
           ((1u << bits) - 1);
}

/*
 * Elements @x of number @k as floats; neg and neg_hi negate the halves of
 * registers.
 */
static f32x16 as_floats(const Uop *u, int i, MatrixFactor f, unsigned k,
                        u32x16 x)
{
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

static i32x16 as_ints(const Uop *u, int i, MatrixFactor f, u32x16 x)
{
    int cut = 32 - factor_bits(f);

    return mod_neg(u, i) ? (i32x16)(x << cut) >> cut : (i32x16)x;
}

static u32x16 factor_elements(const AmdWave *w, const Uop *u, int i,
                              MatrixFactor f, unsigned k)
{
    int bits = factor_bits(f);

    return elements_at(w, u, i, bits, factor_place(w, u, bits, k));
}

/* ---- C and D ---- */

/* An inline constant is a float of 32 bits for lower.c, if it is a float. */
static uint32_t constant_half(uint32_t x)
{
    bool is_float = (x & 0x7fffffff) >= 0x3e000000 && x < 0xfffffff0;

    return is_float ? float_to_half((f32x16)splat32(x), ROUND_NEAREST)[0] : x;
}

/* Row @i of the matrix in the registers at @offset. */
static u32x16 sum_at(const AmdWave *w, const Uop *u, MatrixSum sum,
                     uint32_t offset, unsigned i)
{
    bool half = sum >= MATRIX_SUM_F16;
    MatrixPlace at = sum_place(w, u, half, i);
    u32x16 x = *slice_at(w, first_vgpr(offset), at) >> at.shift;

    return half ? x & 0xffff : x;
}

static u32x16 sum_bits(const AmdWave *w, const Uop *u, MatrixSum sum,
                       unsigned i)
{
    uint32_t c;

    if (u->kind[2] == KIND_VGPR) {
        return sum_at(w, u, sum, u->src[2], i);
    }
    c = scalar32(w, u, 2);
    return splat32(sum == MATRIX_SUM_F16 ? constant_half(c) & 0xffff :
                   sum == MATRIX_SUM_BF16 ? (c >> 16 ? c >> 16 : c) & 0xffff :
                   c);
}

static f32x16 sum_as_float(MatrixSum sum, u32x16 x)
{
    return sum == MATRIX_SUM_F16 ? f32_of_f16(x) :
           sum == MATRIX_SUM_BF16 ? f32_of_bf16(x) : (f32x16)x;
}

static f32x16 float_sum(const AmdWave *w, const Uop *u, MatrixSum sum,
                        unsigned i)
{
    f32x16 r = sum_as_float(sum, sum_bits(w, u, sum, i));

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
        a[k] = as_floats(u, 0, s.a, k, factor_elements(w, u, 0, s.a, k));
        b[k] = as_floats(u, 1, s.b, k, factor_elements(w, u, 1, s.b, k));
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
        a[k] = as_ints(u, 0, s.a, factor_elements(w, u, 0, s.a, k));
        b[k] = as_ints(u, 1, s.b, factor_elements(w, u, 1, s.b, k));
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

/*
 * ---- sparse products ----
 *
 * A lane has runs of A's elements that are there, two for each four of B's
 * rows, and in its index four bits for each two: which of the four they are.
 * Both factors lie in the lanes in the same order, so that no more of the
 * layout is seen than which lanes go together; it is what gfx1201 was seen to
 * do with each of these instructions.
 */

/* Slices that hold a factor, and the elements of a lane in each. */
typedef struct SparseFactor {
    unsigned slices, run;
} SparseFactor;

/* No less than a register a lane: A of 16 numbers of 4 bits is in 32 lanes. */
static SparseFactor sparse_factor(const AmdWave *w, MatrixFactor f, unsigned k)
{
    unsigned slices = w->half ? 2 : 4;

    if (k / slices * factor_bits(f) < 32) {
        slices = 2;
    }
    return (SparseFactor){ slices, k / slices };
}

static u32x16 sparse_elements(const AmdWave *w, const Uop *u, int i,
                              MatrixFactor f, SparseFactor in, unsigned number)
{
    unsigned bits = factor_bits(f), at = number % in.run * bits;

    return elements_at(w, u, i, bits,
                       (MatrixPlace){ at / 32, number / in.run, at % 32 });
}

/*
 * For each row of A, the number of B's element that its element @number goes
 * with.
 */
static u32x16 sparse_partners(const AmdWave *w, const Uop *u, SparseFactor a,
                              SparseFactor b, unsigned number)
{
    unsigned slice = number / a.run, n = number % a.run;
    unsigned bits = a.run * 2, key = MOD(u, OPSEL, 3) * bits % 32;
    u32x16 index = *slice_at(w, first_vgpr(u->src[2]),
                             (MatrixPlace){ 0, slice, 0 });
    unsigned first = n / 2 * 4; /* among the run's */

    if (b.slices > a.slices) {
        slice += first / b.run * 2;
        first %= b.run;
    }
    return (index >> (key + 2 * n) & 3) + slice * b.run + first;
}

static void sparse_floats(AmdWave *w, const Uop *u, MatrixShape s, u32x16 *d)
{
    SparseFactor in_a = sparse_factor(w, s.a, s.k / 2);
    SparseFactor in_b = sparse_factor(w, s.b, s.k);
    f32x16 sum[ROWS], b[K_MOST];

    dot_enter(w, u);
    for (int k = 0; k < s.k; k++) {
        b[k] = as_floats(u, 1, s.b, k,
                         sparse_elements(w, u, 1, s.b, in_b, k));
    }
    for (unsigned i = 0; i < ROWS; i++) {
        sum[i] = sum_as_float(s.sum, sum_at(w, u, s.sum, u->dst, i));
    }
    for (int k = 0; k < s.k / 2; k++) {
        f32x16 a = as_floats(u, 0, s.a, k,
                             sparse_elements(w, u, 0, s.a, in_a, k));
        u32x16 partner = sparse_partners(w, u, in_a, in_b, k);

        for (unsigned i = 0; i < ROWS; i++) {
            sum[i] = add32(sum[i], mul32((f32x16){} + a[i], b[partner[i]]));
        }
    }
    for (unsigned i = 0; i < ROWS; i++) {
        d[i] = rounded_sum(w, s.sum, sum[i]);
    }
}

static void sparse_ints(AmdWave *w, const Uop *u, MatrixShape s, u32x16 *d)
{
    SparseFactor in_a = sparse_factor(w, s.a, s.k / 2);
    SparseFactor in_b = sparse_factor(w, s.b, s.k);
    i32x16 sum[ROWS] = {}, b[K_MOST];

    for (int k = 0; k < s.k; k++) {
        b[k] = as_ints(u, 1, s.b, sparse_elements(w, u, 1, s.b, in_b, k));
    }
    for (int k = 0; k < s.k / 2; k++) {
        i32x16 a = as_ints(u, 0, s.a,
                           sparse_elements(w, u, 0, s.a, in_a, k));
        u32x16 partner = sparse_partners(w, u, in_a, in_b, k);

        for (unsigned i = 0; i < ROWS; i++) {
            sum[i] += ((i32x16){} + a[i]) * b[partner[i]];
        }
    }
    for (unsigned i = 0; i < ROWS; i++) {
        i32x16 c = (i32x16)sum_at(w, u, s.sum, u->dst, i);

        d[i] = (u32x16)(MOD(u, CLAMP, 1) ? add_sat_i32(c, sum[i])
                                         : c + sum[i]);
    }
}

void LEVEL(amd_sparse)(AmdWave *w, const Uop *u, MatrixShape shape)
{
    u32x16 d[ROWS];

    if (shape.sum == MATRIX_SUM_I32) {
        sparse_ints(w, u, shape, d);
    } else {
        sparse_floats(w, u, shape, d);
    }
    for (unsigned i = 0; i < ROWS; i++) {
        put_sum(w, u, shape.sum, i, d[i]);
    }
}
