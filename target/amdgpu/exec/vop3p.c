/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of the packed instructions, and of those that mix 16 and 32 bits.
 *
 * Which half of a source goes into which half of the result, and whether it is
 * negated, is a modifier of its own for either half.
 */
#include "dot.h"
#include "matrix.h"
#include "vector.h"

/* The half of source @i for half @h of the result. */
INL u32x16 packed_half(const Uop *u, int i, int h, u32x16 x)
{
    unsigned hi = h ? MOD(u, OPSEL_HI, 3) : MOD(u, OPSEL, 3);

    return hi >> i & 1 ? x >> 16 : x & 0xffff;
}

INL u32x16 packed_neg(const Uop *u, int i, int h, u32x16 x)
{
    unsigned neg = h ? MOD(u, NEG_HI, 3) : MOD(u, NEG, 3);

    return neg >> i & 1 ? x ^ 0x8000 : x;
}

/* Types of halves: as operand and as result. */
typedef u32x16 pk16u_v;
typedef i32x16 pk16i_v;

INL pk16u_v pk16u_half(const Uop *u, int i, int h, u32x16 x)
{
    return packed_half(u, i, h, x);
}

INL pk16i_v pk16i_half(const Uop *u, int i, int h, u32x16 x)
{
    return (i32x16)(packed_half(u, i, h, x) << 16) >> 16;
}

INL pk16f_v pk16f_half(const Uop *u, int i, int h, u32x16 x)
{
    return packed_neg(u, i, h, packed_half(u, i, h, x));
}

INL none_v none_half(const Uop *u, int i, int h, u32x16 x)
{
    return x;
}

/* clamp of a float; the integers have done it. */
INL u32x16 pk16u_done(const AmdWave *w, const Uop *u, pk16u_v x, bool clamp)
{
    return x & 0xffff;
}

INL u32x16 pk16i_done(const AmdWave *w, const Uop *u, pk16i_v x, bool clamp)
{
    return (u32x16)x & 0xffff;
}

INL u32x16 pk16f_done(const AmdWave *w, const Uop *u, pk16f_v x, bool clamp)
{
    return unlikely(clamp) ? clamp16(clamps_nan(w, u), x) : x & 0xffff;
}

enum { FLOAT_OF_pk16u = FLOAT_NONE, FLOAT_OF_pk16i = FLOAT_NONE };

/*
 * NAME_bits() makes a slice of the result out of those of the sources and of
 * the old destination; the modified form is there for DPP.
 */
#ifdef ENGINE_BITCODE
#define PACKED_HANDLERS PACKED_STRIPS
#else
#define PACKED_HANDLERS(name, class)                                          \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[3];                                                \
        Source32 a = source32(w, u, 0, &scalar[0]);                           \
        Source32 b = source32(w, u, 1, &scalar[1]);                           \
        Source32 c = source32(w, u, 2, &scalar[2]);                           \
        Target t = target(w, u);                                              \
                                                                              \
        float_enter(w, class);                                                \
        FOR_SLICES(w, q) {                                                    \
            put32(w, &t, q, name##_bits(w, u, slice32(&a, q),                 \
                                        slice32(&b, q), slice32(&c, q),       \
                                        old32(&t, q)));                       \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ModMask mask = { w->exec };                                           \
        ModSource a, b, c;                                                    \
        ModResult r;                                                          \
        Target t = target(w, u);                                              \
                                                                              \
        if (likely(MOD(u, FORM, 3) < FORM_DPP)) {                             \
            TAIL(wave, u, LEVEL(h_##name));                                   \
        }                                                                     \
        amd_mod_source(w, u, 0, 32, &a, &mask);                               \
        amd_mod_source(w, u, 1, 32, &b, &mask);                               \
        amd_mod_source(w, u, 2, 32, &c, &mask);                               \
        float_enter(w, class);                                                \
        SLICE_LOOP(w, q) {                                                    \
            r.lo.q[q] = name##_bits(w, u, a.lo.q[q], b.lo.q[q], c.lo.q[q],    \
                                    old32(&t, q));                            \
        }                                                                     \
        LEVEL(amd_store_result)(w, u, 32, &r, &mask, false);                  \
        NEXT(wave, u);                                                        \
    }
#endif

#define VECTOR_PK(name, D, A, B, C, flags, ...)                               \
    INL D##_v name##_half(AmdWave *w, A##_v a, B##_v b, C##_v c, bool clamp)  \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    INL u32x16 name##_bits(AmdWave *w, const Uop *u, u32x16 a, u32x16 b,      \
                           u32x16 c, u32x16 old)                              \
    {                                                                         \
        bool clamp = MOD(u, CLAMP, 1);                                        \
        u32x16 half[2];                                                       \
                                                                              \
        for (int h = 0; h < 2; h++) {                                         \
            half[h] = D##_done(w, u, name##_half(w,                           \
                A##_half(u, 0, h, a), B##_half(u, 1, h, b),                   \
                C##_half(u, 2, h, c), clamp), clamp);                         \
        }                                                                     \
        return half[0] | half[1] << 16;                                       \
    }                                                                         \
    PACKED_HANDLERS(name, (FloatClass)FLOAT_OF_##D)

/* ---- MIX(meaning): sources of 32 bits, or halves if op_sel_hi says so ---- */

#define SHAPE_MIX(...) MIX, __VA_ARGS__

INL f32x16 mixed_source(const AmdWave *w, const Uop *u, int i, u32x16 x)
{
    f32x16 r = (f32x16)x;

    if (MOD(u, OPSEL_HI, 3) >> i & 1) {
        r = widen16(w, MOD(u, OPSEL, 3) >> i & 1 ? x >> 16 : x & 0xffff);
    }
    return (f32x16)mod_sign32((u32x16)r, u, i, SIGN_32);
}

INL u32x16 mixed_f32(const AmdWave *w, const Uop *u, f32x16 x, u32x16 old,
                     unsigned flags)
{
    return (u32x16)(MOD(u, CLAMP, 1) ? clamp32(clamps_nan(w, u), x) : x);
}

/* A half goes into its half of the register and leaves the other one. */
INL u32x16 mixed_f16(const AmdWave *w, const Uop *u, u32x16 x, u32x16 old,
                     unsigned flags)
{
    x = MOD(u, CLAMP, 1) ? clamp16(clamps_nan(w, u), x) : x;
    return flags & INSN_D16_HI ? x << 16 | (old & 0xffff) :
                                 merge16(x, old, true);
}

#define VECTOR_MIX(name, D, A, B, C, flags, ...)                              \
    INL D##_v name##_of(AmdWave *w, f32x16 a, f32x16 b, f32x16 c)             \
    {                                                                         \
        return __VA_ARGS__;                                                   \
    }                                                                         \
    INL u32x16 name##_bits(AmdWave *w, const Uop *u, u32x16 a, u32x16 b,      \
                           u32x16 c, u32x16 old)                              \
    {                                                                         \
        D##_v x = name##_of(w, mixed_source(w, u, 0, a),                      \
                            mixed_source(w, u, 1, b),                         \
                            mixed_source(w, u, 2, c));                        \
                                                                              \
        return mixed_##D(w, u, x, old, flags);                                \
    }                                                                         \
    PACKED_HANDLERS(name, FLOAT_32)

/*
 * ---- DOT2(meaning), DOT(meaning): a and b hold several elements; those of
 * DOT2 are halves, which op_sel picks and neg negates ----
 */

#define SHAPE_DOT2(...) DOT2, __VA_ARGS__
#define SHAPE_DOT(...) DOT, __VA_ARGS__

INL u32x16 both_halves(const Uop *u, int i, u32x16 x)
{
    return packed_neg(u, i, 0, packed_half(u, i, 0, x)) |
           packed_neg(u, i, 1, packed_half(u, i, 1, x)) << 16;
}

/* What the products are added to; neg_hi is abs where there are no halves. */
INL f32x16 f32_addend(const Uop *u, u32x16 x, bool halves)
{
    x &= !halves && MOD(u, NEG_HI, 3) >> 2 ? ~SIGN_32 : ~0u;
    return (f32x16)(x ^ (mod_neg(u, 2) ? SIGN_32 : 0));
}

INL i32x16 i32_addend(const Uop *u, u32x16 x, bool halves)
{
    return (i32x16)x;
}

INL u32x16 u32_addend(const Uop *u, u32x16 x, bool halves)
{
    return x;
}

INL u32x16 f32_total(const AmdWave *w, const Uop *u, f32x16 x)
{
    return mixed_f32(w, u, x, (u32x16){}, 0);
}

INL u32x16 i32_total(const AmdWave *w, const Uop *u, i32x16 x)
{
    return (u32x16)x;
}

INL u32x16 u32_total(const AmdWave *w, const Uop *u, u32x16 x)
{
    return x;
}

#define VECTOR_DOTS(name, D, flags, halves, in_a, in_b, ...)                  \
    INL D##_v name##_of(AmdWave *w, const Uop *u, u32x16 a, u32x16 b,         \
                        D##_v c, bool clamp)                                  \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    INL u32x16 name##_bits(AmdWave *w, const Uop *u, u32x16 a, u32x16 b,      \
                           u32x16 c, u32x16 old)                              \
    {                                                                         \
        return D##_total(w, u, name##_of(w, u, in_a, in_b,                    \
                                         D##_addend(u, c, halves),            \
                                         MOD(u, CLAMP, 1)));                  \
    }                                                                         \
    PACKED_HANDLERS(name, FLOAT_NONE)

#define VECTOR_DOT2(name, D, A, B, C, flags, ...)                             \
    VECTOR_DOTS(name, D, flags, true, both_halves(u, 0, a),                   \
                both_halves(u, 1, b), __VA_ARGS__)
#define VECTOR_DOT(name, D, A, B, C, flags, ...) \
    VECTOR_DOTS(name, D, flags, false, a, b, __VA_ARGS__)

#undef NOSEM
#define NOSEM a
#define VPK VECTOR_PK
#define VX VECTOR_X
#include "../rows/vop3p.inc"
