/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How handlers reach their operands.
 *
 * For each operand type T of rows.h there is a vector type T_v for a slice of
 * 16 lanes, a scalar type T_s, and
 *   T_get(w, u, i, q)    source i, slice q
 *   T_put(w, u, q, x)    store a slice of the result, active lanes only
 *   T_sget(w, u, i), T_sput(w, u, x)    the same for scalar instructions
 * 16-bit types travel in 32-bit lanes: u16 and b16 zero-extended, i16
 * sign-extended; storing zeroes the upper half, as gfx9 does.  f16 travels as
 * f32.
 */
#ifndef AMDGPU_EXEC_OPERAND_H
#define AMDGPU_EXEC_OPERAND_H

#include "../wave.h"

/* Uop.kind: what a source is. */
typedef enum OperandKind {
    KIND_VGPR,   /* src: byte offset of the register */
    KIND_SGPR,   /* src: byte offset; also for VCCZ, SCC and the like */
    KIND_IMM,    /* src: the value; 64-bit operands sign-extend it */
    KIND_IMM_ZX, /* 64-bit operands zero-extend it */
    KIND_IMM_HI, /* 64-bit operands have it in the upper half */
} OperandKind;

INL void *at(const AmdWave *w, uint32_t offset)
{
    return (char *)(uintptr_t)w + offset;
}

INL uint32_t scalar32(const AmdWave *w, const Uop *u, int i)
{
    return u->kind[i] == KIND_SGPR ? *(const uint32_t *)at(w, u->src[i])
                                   : u->src[i];
}

INL uint64_t scalar64(const AmdWave *w, const Uop *u, int i)
{
    uint64_t x;

    switch (u->kind[i]) {
    case KIND_SGPR:
        memcpy(&x, at(w, u->src[i]), 8);
        return x;
    case KIND_IMM:
        return (uint64_t)(int64_t)(int32_t)u->src[i];
    case KIND_IMM_HI:
        return (uint64_t)u->src[i] << 32;
    default:
        return u->src[i];
    }
}

/* ---- vector sources ---- */

INL u32x16 get32(const AmdWave *w, const Uop *u, int i, int q)
{
    if (likely(u->kind[i] == KIND_VGPR)) {
        return ((const Vreg *)at(w, u->src[i]))->q[q];
    }
    return splat32(scalar32(w, u, i));
}

INL u64x16 get64(const AmdWave *w, const Uop *u, int i, int q)
{
    if (likely(u->kind[i] == KIND_VGPR)) {
        const Vreg *r = at(w, u->src[i]);

        return join64(r[0].q[q], r[1].q[q]);
    }
    return splat64(scalar64(w, u, i));
}

/* Store @x in the lanes of @mask, keep the others. */
INL void store32(Vreg *r, int q, u32x16 x, u32x16 mask)
{
    r->q[q] = select32(mask, x, r->q[q]);
}

INL void put32(AmdWave *w, const Uop *u, int q, u32x16 x)
{
    store32(at(w, u->dst), q, x, w->exec.q[q]);
}

INL void put64(AmdWave *w, const Uop *u, int q, u64x16 x)
{
    Vreg *r = at(w, u->dst);

    store32(&r[0], q, low32(x), w->exec.q[q]);
    store32(&r[1], q, high32(x), w->exec.q[q]);
}

/* ---- half floats: value of a half in a lane of 32 bits, and back ---- */

f32x16 f16_widen(u32x16 halves);
u32x16 f16_narrow(f32x16 x); /* rounds as MXCSR says */

/* ---- by type ---- */

#define OPERAND_TYPE_32(T, V, S)                                              \
    typedef V T##_v;                                                          \
    typedef S T##_s;                                                          \
    INL T##_v T##_get(const AmdWave *w, const Uop *u, int i, int q)           \
    {                                                                         \
        return (V)get32(w, u, i, q);                                          \
    }                                                                         \
    INL T##_v T##_of(u32x16 lo, u32x16 hi)                                    \
    {                                                                         \
        return (V)lo;                                                         \
    }                                                                         \
    INL void T##_put(AmdWave *w, const Uop *u, int q, T##_v x)                \
    {                                                                         \
        put32(w, u, q, (u32x16)x);                                            \
    }

#define OPERAND_TYPE_64(T, V, S)                                              \
    typedef V T##_v;                                                          \
    typedef S T##_s;                                                          \
    INL T##_v T##_get(const AmdWave *w, const Uop *u, int i, int q)           \
    {                                                                         \
        return (V)get64(w, u, i, q);                                          \
    }                                                                         \
    INL T##_v T##_of(u32x16 lo, u32x16 hi)                                    \
    {                                                                         \
        return (V)join64(lo, hi);                                             \
    }                                                                         \
    INL void T##_put(AmdWave *w, const Uop *u, int q, T##_v x)                \
    {                                                                         \
        put64(w, u, q, (u64x16)x);                                            \
    }

OPERAND_TYPE_32(b32, u32x16, uint32_t)
OPERAND_TYPE_32(u32, u32x16, uint32_t)
OPERAND_TYPE_32(i32, i32x16, int32_t)
OPERAND_TYPE_32(f32, f32x16, float)
OPERAND_TYPE_64(b64, u64x16, uint64_t)
OPERAND_TYPE_64(u64, u64x16, uint64_t)
OPERAND_TYPE_64(i64, i64x16, int64_t)
OPERAND_TYPE_64(f64, f64x16, double)

/* The 16-bit types differ in how a lane is widened and narrowed. */
#define OPERAND_TYPE_16(T, V, S, widen, narrow)                               \
    typedef V T##_v;                                                          \
    typedef S T##_s;                                                          \
    INL T##_v T##_of(u32x16 x, u32x16 hi)                                     \
    {                                                                         \
        return (V)(widen);                                                    \
    }                                                                         \
    INL u32x16 T##_bits(V x)                                                  \
    {                                                                         \
        return (u32x16)(narrow);                                              \
    }                                                                         \
    INL T##_v T##_get(const AmdWave *w, const Uop *u, int i, int q)           \
    {                                                                         \
        u32x16 x = get32(w, u, i, q);                                         \
                                                                              \
        return T##_of(x, x);                                                  \
    }                                                                         \
    INL void T##_put(AmdWave *w, const Uop *u, int q, T##_v x)                \
    {                                                                         \
        put32(w, u, q, T##_bits(x));                                          \
    }

OPERAND_TYPE_16(b16, u32x16, uint16_t, x & 0xffff, x & 0xffff)
OPERAND_TYPE_16(u16, u32x16, uint16_t, x & 0xffff, x & 0xffff)
OPERAND_TYPE_16(i16, i32x16, int16_t, (i32x16)(x << 16) >> 16, x & 0xffff)
OPERAND_TYPE_16(f16, f32x16, float, f16_widen(x), f16_narrow(x))

/* Which float setting a type obeys. */
enum {
    FLOAT_OF_b16 = FLOAT_NONE, FLOAT_OF_u16 = FLOAT_NONE,
    FLOAT_OF_i16 = FLOAT_NONE, FLOAT_OF_b32 = FLOAT_NONE,
    FLOAT_OF_u32 = FLOAT_NONE, FLOAT_OF_i32 = FLOAT_NONE,
    FLOAT_OF_b64 = FLOAT_NONE, FLOAT_OF_u64 = FLOAT_NONE,
    FLOAT_OF_i64 = FLOAT_NONE, FLOAT_OF_f32 = FLOAT_32,
    FLOAT_OF_f16 = FLOAT_16_64, FLOAT_OF_f64 = FLOAT_16_64,
    FLOAT_OF_mask = FLOAT_NONE,
};
#define FLOAT_OF(D, A) \
    ((FloatClass)FLOAT_OF_##D ? (FloatClass)FLOAT_OF_##D \
                              : (FloatClass)FLOAT_OF_##A)

/* ---- scalar operands ---- */

/* A scalar register was written: VCC and EXEC have something beside them. */
INL void scalar_written(AmdWave *w, uint32_t offset)
{
    if (offset >= offsetof(AmdWave, s[SGPR_VCC])) {
        vcc_changed(w);
        if (unlikely(offset >= offsetof(AmdWave, s[SGPR_EXEC]))) {
            exec_changed(w);
        }
    }
}

INL void sput32(AmdWave *w, const Uop *u, uint32_t x)
{
    *(uint32_t *)at(w, u->dst) = x;
    scalar_written(w, u->dst);
}

INL void sput64(AmdWave *w, const Uop *u, uint64_t x)
{
    memcpy(at(w, u->dst), &x, 8);
    scalar_written(w, u->dst);
}

#define SCALAR_TYPE(T, width)                                                 \
    INL T##_s T##_sget(const AmdWave *w, const Uop *u, int i)                 \
    {                                                                         \
        return (T##_s)scalar##width(w, u, i);                                 \
    }                                                                         \
    INL T##_s T##_sold(const AmdWave *w, const Uop *u)                        \
    {                                                                         \
        T##_s x;                                                              \
                                                                              \
        memcpy(&x, at(w, u->dst), sizeof(x));                                 \
        return x;                                                             \
    }                                                                         \
    INL void T##_sput(AmdWave *w, const Uop *u, T##_s x)                      \
    {                                                                         \
        sput##width(w, u, (uint##width##_t)x);                                \
    }
/* No operand: reads as 0, writes nothing. */
typedef uint32_t none_s;
INL none_s none_sget(const AmdWave *w, const Uop *u, int i)
{
    return 0;
}
INL none_s none_sold(const AmdWave *w, const Uop *u)
{
    return 0;
}
INL void none_sput(AmdWave *w, const Uop *u, none_s x)
{
}

SCALAR_TYPE(b32, 32)
SCALAR_TYPE(u32, 32)
SCALAR_TYPE(i32, 32)
SCALAR_TYPE(b64, 64)
SCALAR_TYPE(u64, 64)
SCALAR_TYPE(i64, 64)

#endif
