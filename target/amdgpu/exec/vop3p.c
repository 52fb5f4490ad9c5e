/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of the packed instructions, and of those that mix 16 and 32 bits.
 *
 * Which half of a source goes into which half of the result, and whether it is
 * negated, is a modifier of its own for either half.
 */
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
typedef u32x16 pk16u_v, pk16f_v;
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

enum {
    FLOAT_OF_pk16u = FLOAT_NONE, FLOAT_OF_pk16i = FLOAT_NONE,
    FLOAT_OF_pk16f = FLOAT_16_64,
};

#define VECTOR_PK(name, D, A, B, C, flags, ...)                               \
    INL D##_v name##_half(AmdWave *w, A##_v a, B##_v b, C##_v c, bool clamp)  \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    INL u32x16 name##_of(AmdWave *w, const Uop *u, u32x16 a, u32x16 b,        \
                         u32x16 c)                                            \
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
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[3];                                                \
        Source32 a = source32(w, u, 0, &scalar[0]);                           \
        Source32 b = source32(w, u, 1, &scalar[1]);                           \
        Source32 c = source32(w, u, 2, &scalar[2]);                           \
        Target t = target(w, u);                                              \
                                                                              \
        float_enter(w, (FloatClass)FLOAT_OF_##D);                             \
        for (int q = 0; q < SLICES; q++) {                                    \
            put32(w, &t, q, name##_of(w, u, slice32(&a, q),         \
                                     slice32(&b, q),               \
                                     slice32(&c, q)));             \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }

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
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[3];                                                \
        Source32 a = source32(w, u, 0, &scalar[0]);                           \
        Source32 b = source32(w, u, 1, &scalar[1]);                           \
        Source32 c = source32(w, u, 2, &scalar[2]);                           \
        Target t = target(w, u);                                              \
                                                                              \
        float_enter(w, FLOAT_32);                                             \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_v x = name##_of(w,                                            \
                mixed_source(w, u, 0, slice32(&a, q)),             \
                mixed_source(w, u, 1, slice32(&b, q)),             \
                mixed_source(w, u, 2, slice32(&c, q)));            \
                                                                              \
            put32(w, &t, q, mixed_##D(w, u, x, old32(&t, q), flags));         \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        TAIL(wave, u, LEVEL(h_##name));                                       \
    }

#undef NOSEM
#define NOSEM a
#define VPK VECTOR_PK
#define VX VECTOR_X
#include "../rows/vop3p.inc"
