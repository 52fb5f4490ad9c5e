/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of vector operations (VOPD): both read before either writes.
 */
#include "dual.h"
#include "dot.h"
#include "lane.h"

static unsigned dual_vgpr(const Uop *u, DualField field)
{
    return u->dst >> 8 * field & 0xff;
}

/* What an operation needs of each slice. */
typedef struct DualHalf {
    Source32 a;
    const Vreg *b, *d;
    u32x16 k; /* the literal */
} DualHalf;

#define DUAL_CASE(op, meaning)                                                \
    case op:                                                                  \
        FOR_SLICES(w, q) {                                                    \
            u32x16 bits = slice32(&h->a, q), x = h->b->q[q], y = h->d->q[q];  \
            f32x16 a = (f32x16)bits, b = (f32x16)x, d = (f32x16)y;            \
            f32x16 k = (f32x16)h->k;                                          \
                                                                              \
            r->q[q] = (u32x16)(meaning);                                      \
        }                                                                     \
        break

/* One of the two: a, b and the old destination d as floats, a's and b's bits
 * in bits and x, the constant k. */
static void dual_half(AmdWave *w, const Uop *u, unsigned op,
                      const DualHalf *h, Vreg *r)
{
    switch (op) {
    DUAL_CASE(DUAL_FMAC, fused32(a, b, d));
    DUAL_CASE(DUAL_FMAAK, fused32(a, b, k));
    DUAL_CASE(DUAL_FMAMK, fused32(a, k, b));
    DUAL_CASE(DUAL_MUL, mul32(a, b));
    DUAL_CASE(DUAL_ADD, add32(a, b));
    DUAL_CASE(DUAL_SUB, sub32(a, b));
    DUAL_CASE(DUAL_SUBREV, sub32(b, a));
    DUAL_CASE(DUAL_MUL_LEGACY, mul_legacy32(w, a, b));
    DUAL_CASE(DUAL_MOV, bits);
    DUAL_CASE(DUAL_CNDMASK, select32(vcc_lanes(w, q), x, bits));
    DUAL_CASE(DUAL_MAX, max32(w, a, b));
    DUAL_CASE(DUAL_MIN, min32(w, a, b));
    DUAL_CASE(DUAL_MAX_NUM, max_num32(w, a, b));
    DUAL_CASE(DUAL_MIN_NUM, min_num32(w, a, b));
    DUAL_CASE(DUAL_DOT2, dot2_f16(w, u, bits, x, d));
    DUAL_CASE(DUAL_ADD_U32, bits + x);
    DUAL_CASE(DUAL_LSHLREV, x << (bits & 31));
    DUAL_CASE(DUAL_AND, bits & x);
    }
}

HANDLER(dual)
{
    AmdWave *w = amd(wave);
    static const DualField dst[2] = { DUAL_X_DST, DUAL_Y_DST };
    static const DualField src1[2] = { DUAL_X_SRC1, DUAL_Y_SRC1 };
    const unsigned op[2] = { MOD(u, DUAL_X, 5), MOD(u, DUAL_Y, 5) };
    Vreg r[2];

    for (int i = 0; i < 2; i++) {
        ScalarSlice scalar;
        DualHalf h = {
            .a = source32(w, u, i, &scalar),
            .b = &w->v[dual_vgpr(u, src1[i])],
            .d = &w->v[dual_vgpr(u, dst[i])],
            .k = splat32(u->src[2]),
        };

        float_enter(w, FLOAT_32);
        dual_half(w, u, op[i], &h, &r[i]);
    }
    FOR_SLICES(w, q) {
        for (int i = 0; i < 2; i++) {
            store32(&w->v[dual_vgpr(u, dst[i])], q, r[i].q[q], w->exec.q[q]);
        }
    }
    NEXT(wave, u);
}
