/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operand modifiers of vector instructions: abs, neg, op_sel, omod, clamp,
 * SDWA and DPP (gfx-facts section 3).
 *
 * The modified form of a handler first makes a copy of each source as a whole
 * register, so that DPP may move lanes, then computes slice by slice.
 */
#ifndef AMDGPU_EXEC_MODIFY_H
#define AMDGPU_EXEC_MODIFY_H

#include "handlers.h"
#include "operand.h"
#include "../mods.h"

/* Bits of an operand type. */
enum {
    WIDTH_b16 = 16, WIDTH_u16 = 16, WIDTH_i16 = 16, WIDTH_f16 = 16,
    WIDTH_b32 = 32, WIDTH_u32 = 32, WIDTH_i32 = 32, WIDTH_f32 = 32,
    WIDTH_b64 = 64, WIDTH_u64 = 64, WIDTH_i64 = 64, WIDTH_f64 = 64,
};

/* A source after op_sel, SDWA and DPP. */
typedef struct ModSource {
    Vreg lo, hi;
} ModSource;

/* The lanes that the result may go to. */
typedef struct ModMask {
    Vreg lanes;
} ModMask;

/*
 * Fetch source @i of @width bits with op_sel, SDWA or DPP applied.  For DPP,
 * which moves source 0 only, *mask is narrowed to the lanes that are written.
 */
void LEVEL(amd_mod_source)(const AmdWave *w, const Uop *u, int i,
                           unsigned width, ModSource *src, ModMask *mask);
#define amd_mod_source LEVEL(amd_mod_source)

/* ---- abs and neg, by type; integers have none ---- */

INL bool mod_abs(const Uop *u, int i)
{
    return u->mods >> (MOD_ABS + i) & 1;
}

INL bool mod_neg(const Uop *u, int i)
{
    return u->mods >> (MOD_NEG + i) & 1;
}

#define NO_SIGN_MODIFIER(T)                                                   \
    INL T##_v T##_modified(T##_v x, const Uop *u, int i)                      \
    {                                                                         \
        return x;                                                             \
    }
NO_SIGN_MODIFIER(b16)
NO_SIGN_MODIFIER(u16)
NO_SIGN_MODIFIER(i16)
NO_SIGN_MODIFIER(u32)
NO_SIGN_MODIFIER(i32)
NO_SIGN_MODIFIER(b64)
NO_SIGN_MODIFIER(u64)
NO_SIGN_MODIFIER(i64)

#define SIGN_MODIFIER(T, U, sign)                                             \
    INL T##_v T##_modified(T##_v v, const Uop *u, int i)                      \
    {                                                                         \
        U x = (U)v;                                                           \
                                                                              \
        if (mod_abs(u, i)) {                                                  \
            x &= ~(sign);                                                     \
        }                                                                     \
        if (mod_neg(u, i)) {                                                  \
            x ^= (sign);                                                      \
        }                                                                     \
        return (T##_v)x;                                                      \
    }
/* b32: v_cndmask_b32 and the like take the modifiers of f32. */
SIGN_MODIFIER(b32, u32x16, 0x80000000u)
SIGN_MODIFIER(f32, u32x16, 0x80000000u)
SIGN_MODIFIER(f16, u32x16, 0x80000000u) /* already widened to f32 */
SIGN_MODIFIER(f64, u64x16, 1ull << 63)

/* ---- omod and clamp, by type ---- */

#define NO_OUTPUT_MODIFIER(T)                                                 \
    INL T##_v T##_output(const AmdWave *w, const Uop *u, T##_v x)             \
    {                                                                         \
        return x;                                                             \
    }
NO_OUTPUT_MODIFIER(b16)
NO_OUTPUT_MODIFIER(u16)
NO_OUTPUT_MODIFIER(i16)
NO_OUTPUT_MODIFIER(b32)
NO_OUTPUT_MODIFIER(u32)
NO_OUTPUT_MODIFIER(i32)
NO_OUTPUT_MODIFIER(b64)
NO_OUTPUT_MODIFIER(u64)
NO_OUTPUT_MODIFIER(i64)

/*
 * omod multiplies by 2, 4 or 1/2; clamp limits to [0, 1], and makes NaN 0 if
 * DX10_CLAMP is set.
 */
#define OUTPUT_MODIFIER(T, V, I, one)                                         \
    INL T##_v T##_output(const AmdWave *w, const Uop *u, T##_v x)             \
    {                                                                         \
        static const float factor[4] = { 1, 2, 4, 0.5f };                     \
        unsigned omod = MOD(u, OMOD, 2);                                      \
                                                                              \
        if (omod) {                                                           \
            x = x * (factor[omod] + (V){});                                   \
        }                                                                     \
        if (MOD(u, CLAMP, 1)) {                                               \
            I nan = (I)(x != x), low = (I)(x <= 0), high = (I)(x >= one);     \
                                                                              \
            low |= w->mode & MODE_DX10_CLAMP ? nan : (I){};                   \
            x = (V)(((I)x & ~low & ~high) | ((I)((V){} + one) & high));       \
        }                                                                     \
        return x;                                                             \
    }
OUTPUT_MODIFIER(f32, f32x16, i32x16, 1.0f)
OUTPUT_MODIFIER(f16, f32x16, i32x16, 1.0f)
OUTPUT_MODIFIER(f64, f64x16, i64x16, 1.0)

/* ---- storing ---- */

/* Place the low @width bits of @x as SDWA's dst_sel and dst_unused say. */
INL u32x16 mod_sdwa_merge(const Uop *u, u32x16 x, u32x16 old)
{
    unsigned sel = MOD(u, DST_SEL, 3), unused = MOD(u, DST_UNUSED, 2);
    unsigned bits = sel < 4 ? 8 : sel < 6 ? 16 : 32;
    unsigned shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0;
    uint32_t field = (bits == 32 ? ~0u : (1u << bits) - 1) << shift;
    u32x16 placed = x << shift & field;

    switch (unused) {
    case 1: /* sign-extend above, zero below */
        return (u32x16)((i32x16)(placed << (32 - bits - shift)) >>
                        (32 - bits - shift));
    case 2: /* preserve */
        return placed | (old & ~field);
    default:
        return placed;
    }
}

INL void mod_store32(AmdWave *w, const Uop *u, int q, u32x16 x,
                     const ModMask *mask)
{
    Vreg *r = at(w, u->dst);

    if (MOD(u, FORM, 2) == FORM_SDWA) {
        x = mod_sdwa_merge(u, x, r->q[q]);
    }
    store32(r, q, x, mask->lanes.q[q]);
}

/* 16-bit results: op_sel[3] picks the half, the other one is kept. */
INL void mod_store16(AmdWave *w, const Uop *u, int q, u32x16 x,
                     const ModMask *mask)
{
    Vreg *r = at(w, u->dst);

    if (MOD(u, FORM, 2) == FORM_VOP3 && MOD(u, OPSEL, 4) & 8) {
        x = x << 16 | (r->q[q] & 0xffff);
    }
    mod_store32(w, u, q, x, mask);
}

INL void mod_store64(AmdWave *w, const Uop *u, int q, u64x16 x,
                     const ModMask *mask)
{
    Vreg *r = at(w, u->dst);

    store32(&r[0], q, low32(x), mask->lanes.q[q]);
    store32(&r[1], q, high32(x), mask->lanes.q[q]);
}

#define MOD_PUT(T, store, bits)                                               \
    INL void T##_mod_put(AmdWave *w, const Uop *u, int q, T##_v x,            \
                         const ModMask *mask)                                 \
    {                                                                         \
        x = T##_output(w, u, x);                                              \
        store(w, u, q, bits, mask);                                           \
    }
MOD_PUT(b16, mod_store16, b16_bits(x))
MOD_PUT(u16, mod_store16, u16_bits(x))
MOD_PUT(i16, mod_store16, i16_bits(x))
MOD_PUT(f16, mod_store16, f16_bits(x))
MOD_PUT(b32, mod_store32, (u32x16)x)
MOD_PUT(u32, mod_store32, (u32x16)x)
MOD_PUT(i32, mod_store32, (u32x16)x)
MOD_PUT(f32, mod_store32, (u32x16)x)
MOD_PUT(b64, mod_store64, (u64x16)x)
MOD_PUT(u64, mod_store64, (u64x16)x)
MOD_PUT(i64, mod_store64, (u64x16)x)
MOD_PUT(f64, mod_store64, (u64x16)x)

#endif
