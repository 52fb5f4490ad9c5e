/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How handlers reach their operands.
 *
 * For each operand type T of rows.h there is a vector type T_v for a slice of
 * 16 lanes, a scalar type T_s, and
 *   T_source(w, u, i, &scalar)   source i, made ready to be read
 *   T_slice(&source, q)          its slice q
 *   T_strip(&strip, u, i)        source i of a strip (strip.h)
 *   T_old(&target, q)            slice of what the destination held before
 *   T_put(w, &target, q, x, keep)   store a slice, active lanes only
 *   T_sget(w, u, i), T_sput(w, u, x)    the same for scalar instructions;
 *                                       there T_s has the bits of floats
 * 16-bit types travel in 32-bit lanes: u16, b16 and f16 (as bits) are
 * zero-extended, i16 is sign-extended.  Storing them zeroes the upper half, or
 * keeps it if the instruction does.  64-bit lanes are zipped (lanes.h).
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

/*
 * A source of all slices: those of a register, or again and again the one that
 * holds a scalar's value.  Finding out which is done once, not by slice.
 */
typedef struct Source32 {
    const char *p;
    size_t step; /* to the next slice */
} Source32;

typedef struct Source64 {
    const char *lo, *hi;
    size_t step;
} Source64;

/* A scalar's slice.  Apart, so that the source itself can be in registers. */
typedef struct ScalarSlice {
    uint32_t lo[16], hi[16];
} ScalarSlice;

INL Source32 source32(const AmdWave *w, const Uop *u, int i,
                      ScalarSlice *scalar)
{
    if (unlikely(u->kind[i] != KIND_VGPR)) {
        u32x16 x = splat32(scalar32(w, u, i));

        memcpy(scalar->lo, &x, sizeof(x));
        return (Source32){ (const char *)scalar->lo, 0 };
    }
    return (Source32){ at(w, u->src[i]), sizeof(u32x16) };
}

INL u32x16 slice32(const Source32 *s, int q)
{
    u32x16 x;

    memcpy(&x, s->p + q * s->step, sizeof(x));
    return x;
}

INL Source64 source64(const AmdWave *w, const Uop *u, int i,
                      ScalarSlice *scalar)
{
    const char *reg = at(w, u->src[i]);

    if (unlikely(u->kind[i] != KIND_VGPR)) {
        uint64_t value = scalar64(w, u, i);
        u32x16 lo = splat32((uint32_t)value);
        u32x16 hi = splat32((uint32_t)(value >> 32));

        memcpy(scalar->lo, &lo, sizeof(lo));
        memcpy(scalar->hi, &hi, sizeof(hi));
        return (Source64){ (const char *)scalar->lo,
                           (const char *)scalar->hi, 0 };
    }
    return (Source64){ reg, reg + sizeof(Vreg), sizeof(u32x16) };
}

INL u64x16 slice64(const Source64 *s, int q)
{
    u32x16 lo, hi;

    memcpy(&lo, s->lo + q * s->step, sizeof(lo));
    memcpy(&hi, s->hi + q * s->step, sizeof(hi));
    return zip64(lo, hi);
}

/* Where a strip finds its operands, see strip.h. */
typedef struct Strip {
    const AmdWave *w, *lanes;
    const char *bits;
    int q;
} Strip;

INL u32x16 strip32(const Strip *s, const Uop *u, int i)
{
    const Vreg *reg = at(s->lanes, u->src[i]);

    return u->kind[i] == KIND_VGPR ? reg->q[0] : splat32(scalar32(s->w, u, i));
}

/* @halves: for who takes it apart; whole lanes are to stay whole. */
INL u64x16 strip64(const Strip *s, const Uop *u, int i, bool halves)
{
    const Vreg *reg = at(s->lanes, u->src[i]);
    bool scalar = u->kind[i] != KIND_VGPR;
    u32x16 lo, hi;
    uint64_t x = 0;

    if (scalar) {
        x = scalar64(s->w, u, i);
        lo = splat32((uint32_t)x);
        hi = splat32((uint32_t)(x >> 32));
    } else {
        lo = reg[0].q[0];
        hi = reg[1].q[0];
    }
    return scalar && !halves ? splat64(x) : zip64(lo, hi);
}

/* ---- vector destinations ---- */

typedef struct Target {
    Vreg *reg;
    bool all; /* every lane is active, as it mostly is */
} Target;

INL Target target(const AmdWave *w, const Uop *u)
{
    return (Target){ at(w, u->dst), w->inactive == 0 };
}

/* Store @x in the lanes of @mask, keep the others. */
INL void store32(Vreg *r, int q, u32x16 x, u32x16 mask)
{
    r->q[q] = select32(mask, x, r->q[q]);
}

INL void put32(const AmdWave *w, const Target *t, int q, u32x16 x)
{
    if (likely(t->all)) {
        t->reg->q[q] = x;
    } else {
        store32(t->reg, q, x, w->exec.q[q]);
    }
}

/* @halves: it is made of halves; whole lanes are to stay whole. */
INL void put64(const AmdWave *w, const Target *t, int q, u64x16 x, bool halves)
{
    u32x16 lo = zip_low32(x), hi = zip_high32(x);

#ifdef ENGINE_BITCODE
    /* Whole lanes are chosen, so that nothing comes between zips. */
    if (!t->all && !halves) {
        x = select64(zip_mask(w->exec.q[q]), x,
                     zip64(t->reg[0].q[q], t->reg[1].q[q]));
        t->reg[0].q[q] = zip_low32(x);
        t->reg[1].q[q] = zip_high32(x);
        return;
    }
#endif
    if (likely(t->all)) {
        t->reg[0].q[q] = lo;
        t->reg[1].q[q] = hi;
    } else {
        store32(&t->reg[0], q, lo, w->exec.q[q]);
        store32(&t->reg[1], q, hi, w->exec.q[q]);
    }
}

INL u32x16 old32(const Target *t, int q)
{
    return t->reg->q[q];
}

INL u64x16 old64(const Target *t, int q)
{
    return zip64(t->reg[0].q[q], t->reg[1].q[q]);
}

/* ---- by type ---- */

#define OPERAND_TYPE(T, V, S, width, strip, put_bits)                         \
    typedef V T##_v;                                                          \
    typedef S T##_s;                                                          \
    typedef Source##width T##_src;                                            \
    INL T##_src T##_source(const AmdWave *w, const Uop *u, int i,             \
                           ScalarSlice *scalar)                               \
    {                                                                         \
        return source##width(w, u, i, scalar);                                \
    }                                                                         \
    INL T##_v T##_slice(const T##_src *s, int q)                              \
    {                                                                         \
        return T##_of(slice##width(s, q));                                    \
    }                                                                         \
    INL T##_v T##_strip(const Strip *s, const Uop *u, int i)                  \
    {                                                                         \
        return T##_of(strip);                                                 \
    }                                                                         \
    INL T##_v T##_old(const Target *t, int q)                                 \
    {                                                                         \
        return T##_of(old##width(t, q));                                      \
    }                                                                         \
    INL void T##_put(const AmdWave *w, const Target *t, int q, T##_v x,       \
                     bool keep)                                               \
    {                                                                         \
        put_bits;                                                             \
    }

#define OPERAND_TYPE_32(T, V, S)                                              \
    INL V T##_of(u32x16 x)                                                    \
    {                                                                         \
        return (V)x;                                                          \
    }                                                                         \
    OPERAND_TYPE(T, V, S, 32, strip32(s, u, i), put32(w, t, q, (u32x16)x))

#define OPERAND_TYPE_64(T, V, S, halves)                                      \
    INL V T##_of(u64x16 x)                                                    \
    {                                                                         \
        return (V)x;                                                          \
    }                                                                         \
    OPERAND_TYPE(T, V, S, 64, strip64(s, u, i, halves),                       \
                 put64(w, t, q, (u64x16)x, halves))

/* The upper half of a register is zeroed, or kept. */
INL u32x16 merge16(u32x16 x, u32x16 old, bool keep)
{
    x &= 0xffff;
    return keep ? x | (old & 0xffff0000u) : x;
}

#define OPERAND_TYPE_16(T, V, S, widen)                                       \
    INL V T##_of(u32x16 x)                                                    \
    {                                                                         \
        return (V)(widen);                                                    \
    }                                                                         \
    OPERAND_TYPE(T, V, S, 32, strip32(s, u, i),                               \
                 put32(w, t, q, merge16((u32x16)x, old32(t, q), keep)))

OPERAND_TYPE_16(b16, u32x16, uint16_t, x & 0xffff)
OPERAND_TYPE_16(u16, u32x16, uint16_t, x & 0xffff)
OPERAND_TYPE_16(f16, u32x16, uint32_t, x & 0xffff)
OPERAND_TYPE_16(i16, i32x16, int16_t, (i32x16)(x << 16) >> 16)
OPERAND_TYPE_32(pk16f, u32x16, uint32_t) /* two halves */
OPERAND_TYPE_32(b32, u32x16, uint32_t)
OPERAND_TYPE_32(u32, u32x16, uint32_t)
OPERAND_TYPE_32(i32, i32x16, int32_t)
OPERAND_TYPE_32(f32, f32x16, uint32_t)
OPERAND_TYPE_64(b64, u64x16, uint64_t, true)
OPERAND_TYPE_64(u64, u64x16, uint64_t, true)
OPERAND_TYPE_64(i64, i64x16, int64_t, true)
OPERAND_TYPE_64(f64, f64x16, double, false)

/* A lane mask in a pair of SGPRs: all ones where the bit is set. */
typedef u32x16 mask_v;
typedef uint64_t mask_src;
INL mask_src mask_source(const AmdWave *w, const Uop *u, int i,
                         ScalarSlice *scalar)
{
    return scalar64(w, u, i);
}
INL mask_v mask_slice(const mask_src *s, int q)
{
    return lanes_of_bits(*s >> 16 * q & 0xffff);
}
/* The lane mask in the scalar register at @offset. */
INL mask_v strip_lanes(const Strip *s, uint32_t offset)
{
    uint16_t x;

    memcpy(&x, s->bits + offset, 2);
    return lanes_of_bits(x);
}
INL mask_v mask_strip(const Strip *s, const Uop *u, int i)
{
    return u->kind[i] == KIND_SGPR
               ? strip_lanes(s, u->src[i])
               : lanes_of_bits(scalar64(s->w, u, i) >> 16 * s->q & 0xffff);
}

/* No operand. */
typedef u32x16 none_v;
typedef uint32_t none_src;
INL none_src none_source(const AmdWave *w, const Uop *u, int i,
                         ScalarSlice *scalar)
{
    return 0;
}
INL none_v none_slice(const none_src *s, int q)
{
    return (none_v){};
}
INL none_v none_strip(const Strip *s, const Uop *u, int i)
{
    return (none_v){};
}

/* Bits of a source that come from a vector register; 0: never there. */
enum {
    WIDTH_b16 = 16, WIDTH_u16 = 16, WIDTH_i16 = 16, WIDTH_f16 = 16,
    WIDTH_b32 = 32, WIDTH_u32 = 32, WIDTH_i32 = 32, WIDTH_f32 = 32,
    WIDTH_pk16f = 32,
    WIDTH_b64 = 64, WIDTH_u64 = 64, WIDTH_i64 = 64, WIDTH_f64 = 64,
    WIDTH_mask = 0, WIDTH_none = 0,
};

/* Which float setting a type obeys. */
enum {
    FLOAT_OF_b16 = FLOAT_NONE, FLOAT_OF_u16 = FLOAT_NONE,
    FLOAT_OF_i16 = FLOAT_NONE, FLOAT_OF_b32 = FLOAT_NONE,
    FLOAT_OF_u32 = FLOAT_NONE, FLOAT_OF_i32 = FLOAT_NONE,
    FLOAT_OF_b64 = FLOAT_NONE, FLOAT_OF_u64 = FLOAT_NONE,
    FLOAT_OF_i64 = FLOAT_NONE, FLOAT_OF_f32 = FLOAT_32,
    FLOAT_OF_f16 = FLOAT_16_64, FLOAT_OF_f64 = FLOAT_16_64,
    FLOAT_OF_pk16f = FLOAT_16_64,
    FLOAT_OF_mask = FLOAT_NONE, FLOAT_OF_none = FLOAT_NONE,
};
#define FLOAT_NARROWS(D, A) \
    ((FloatClass)FLOAT_OF_##D == FLOAT_32 && WIDTH_##A == 64 && \
     (FloatClass)FLOAT_OF_##A == FLOAT_16_64)
#define FLOAT_OF(D, A) \
    (FLOAT_NARROWS(D, A) ? FLOAT_NARROW \
                         : (FloatClass)FLOAT_OF_##D \
                         ? (FloatClass)FLOAT_OF_##D \
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
