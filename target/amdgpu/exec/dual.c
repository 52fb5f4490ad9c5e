/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of vector operations (VOPD): both read before either writes.
 */
#include "dual.h"
#include "dot.h"
#include "lane.h"
#include "strip.h"

static const DualField dual_dst[2] = { DUAL_X_DST, DUAL_Y_DST };
static const DualField dual_src1[2] = { DUAL_X_SRC1, DUAL_Y_SRC1 };

INL unsigned dual_vgpr(const Uop *u, DualField field)
{
    return u->dst >> 8 * field & 0xff;
}

/*
 * What the operations mean for a slice: a, b and the old destination d are
 * floats, a's and b's bits are in bits and x, the constant is k.
 */
#define DUAL_OPS(X)                                                           \
    X(FMAC, fused32(a, b, d))                                                 \
    X(FMAAK, fused32(a, b, k))                                                \
    X(FMAMK, fused32(a, k, b))                                                \
    X(MUL, mul32(a, b))                                                       \
    X(ADD, add32(a, b))                                                       \
    X(SUB, sub32(a, b))                                                       \
    X(SUBREV, sub32(b, a))                                                    \
    X(MUL_LEGACY, mul_legacy32(w, a, b))                                      \
    X(MOV, bits)                                                              \
    X(CNDMASK, select32(VCC_LANES, x, bits))                                  \
    X(MAX, max32(w, a, b))                                                    \
    X(MIN, min32(w, a, b))                                                    \
    X(MAX_NUM, max_num32(w, a, b))                                            \
    X(MIN_NUM, min_num32(w, a, b))                                            \
    X(DOT2, DOT2_RESULT)                                                      \
    X(ADD_U32, bits + x)                                                      \
    X(LSHLREV, x << (bits & 31))                                              \
    X(AND, bits & x)

#ifdef ENGINE_BITCODE
#define VCC_LANES strip_lanes(s, offsetof(AmdWave, s[SGPR_VCC]))
/* It has float settings of its own, and a strip has one: it is not copied. */
#define DOT2_RESULT (strip_by_handlers(), bits)
#define DUAL_CASE(op, meaning)                                                \
    case DUAL_##op:                                                           \
        return (u32x16)(meaning);

INL u32x16 dual_half(AmdWave *w, const Uop *u, int i, unsigned op,
                     const Strip *s)
{
    const AmdWave *lanes = s->lanes;
    u32x16 bits = strip32(s, u, i);
    u32x16 x = lanes->v[dual_vgpr(u, dual_src1[i])].q[0];
    u32x16 y = lanes->v[dual_vgpr(u, dual_dst[i])].q[0];
    f32x16 a = (f32x16)bits, b = (f32x16)x, d = (f32x16)y;
    f32x16 k = (f32x16)splat32(u->src[2]);

    switch (op) {
    DUAL_OPS(DUAL_CASE)
    default:
        return bits;
    }
}

STRIP(h_dual)
{
    const Strip s = STRIP_HERE();
    u32x16 r[2];

    float_enter(w, FLOAT_32);
    /* No loop: strips are straight on. */
    r[0] = dual_half(w, u, 0, MOD(u, DUAL_X, 5), &s);
    r[1] = dual_half(w, u, 1, MOD(u, DUAL_Y, 5), &s);
    for (int i = 0; i < 2; i++) {
        Target t = { &lanes->v[dual_vgpr(u, dual_dst[i])], all };

        put32(lanes, &t, 0, r[i]);
    }
}
#else
#define VCC_LANES vcc_lanes(w, q)
#define DOT2_RESULT dot2_f16(w, u, bits, x, d)
#define DUAL_CASE(op, meaning)                                                \
    case DUAL_##op:                                                           \
        FOR_SLICES(w, q) {                                                    \
            u32x16 bits = slice32(&h->a, q), x = h->b->q[q], y = h->d->q[q];  \
            f32x16 a = (f32x16)bits, b = (f32x16)x, d = (f32x16)y;            \
            f32x16 k = (f32x16)h->k;                                          \
                                                                              \
            r->q[q] = (u32x16)(meaning);                                      \
        }                                                                     \
        break;

/* What an operation needs of each slice. */
typedef struct DualHalf {
    Source32 a;
    const Vreg *b, *d;
    u32x16 k; /* the literal */
} DualHalf;

/* One of the two. */
static void dual_half(AmdWave *w, const Uop *u, unsigned op,
                      const DualHalf *h, Vreg *r)
{
    switch (op) {
    DUAL_OPS(DUAL_CASE)
    }
}

HANDLER(dual)
{
    AmdWave *w = amd(wave);
    const unsigned op[2] = { MOD(u, DUAL_X, 5), MOD(u, DUAL_Y, 5) };
    Vreg r[2];

    for (int i = 0; i < 2; i++) {
        ScalarSlice scalar;
        DualHalf h = {
            .a = source32(w, u, i, &scalar),
            .b = &w->v[dual_vgpr(u, dual_src1[i])],
            .d = &w->v[dual_vgpr(u, dual_dst[i])],
            .k = splat32(u->src[2]),
        };

        float_enter(w, FLOAT_32);
        dual_half(w, u, op[i], &h, &r[i]);
    }
    FOR_SLICES(w, q) {
        for (int i = 0; i < 2; i++) {
            store32(&w->v[dual_vgpr(u, dual_dst[i])], q, r[i].q[q],
                    w->exec.q[q]);
        }
    }
    NEXT(wave, u);
}
#endif
