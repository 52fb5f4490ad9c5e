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
#include "half.h"
#include "operand.h"
#include "../mods.h"

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
void LEVEL(amd_fetch_source)(const AmdWave *w, const Uop *u, int i,
                             unsigned width, ModSource *src, ModMask *mask);

/* The same, for what may be no source; @width is a constant. */
INL void amd_mod_source(const AmdWave *w, const Uop *u, int i, unsigned width,
                        ModSource *src, ModMask *mask)
{
    if (width) {
        LEVEL(amd_fetch_source)(w, u, i, width, src, mask);
    }
}

/* The generation whose rules an instruction obeys, an AmdGeneration. */
INL unsigned gen_of(const Uop *u)
{
    return MOD(u, GEN, 2);
}

/* Does clamp make NaN 0?  gfx12 has no DX10_CLAMP to say so. */
INL bool clamps_nan(const AmdWave *w, const Uop *u)
{
    return w->mode & MODE_DX10_CLAMP || gen_of(u) >= GEN_12;
}

/* ---- abs and neg, by type; integers have none ---- */

INL bool mod_abs(const Uop *u, int i)
{
    return u->mods >> (MOD_ABS + i) & 1;
}

INL bool mod_neg(const Uop *u, int i)
{
    return u->mods >> (MOD_NEG + i) & 1;
}

/* Only neg and abs, and no other modifier? */
INL bool mod_signs_only(const Uop *u)
{
    return (u->mods & ~(0x3fu << MOD_NEG | 7u << MOD_FORM |
                        0xffu << MOD_SDST | 3u << MOD_GEN |
                        7u << MOD_DWORDS)) == 0 &&
           MOD(u, FORM, 3) <= FORM_VOP3;
}

/*
 * Compiled code knows the modifiers: no operation is left for those that are
 * not there.  For handlers masks are cheaper than asking for each slice.
 */
#ifdef ENGINE_BITCODE
#define MOD_SIGN(x, u, i, sign)                                         \
    (x) = mod_abs(u, i) ? (x) & ~(sign) : (x);                          \
    (x) = mod_neg(u, i) ? (x) ^ (sign) : (x)
#else
#define MOD_SIGN(x, u, i, sign)                                         \
    (x) &= ~(mod_abs(u, i) ? (sign) : 0);                               \
    (x) ^= mod_neg(u, i) ? (sign) : 0
#endif

INL u32x16 mod_sign32(u32x16 x, const Uop *u, int i, uint32_t sign)
{
    MOD_SIGN(x, u, i, sign);
    return x;
}

INL u64x16 mod_sign64(u64x16 x, const Uop *u, int i)
{
    uint64_t sign = 1ull << 63;

    MOD_SIGN(x, u, i, sign);
    return x;
}

/* T_signed(): a slice of a source with abs and neg applied; which types. */
#define MOD_SIGNED(T, x)                                                      \
    INL T##_v T##_signed(const Uop *u, int i, T##_v v)                        \
    {                                                                         \
        return (T##_v)(x);                                                    \
    }
MOD_SIGNED(b16, mod_sign32(v, u, i, 0x8000))
MOD_SIGNED(u16, v)
MOD_SIGNED(i16, v)
MOD_SIGNED(b32, v)
MOD_SIGNED(u32, v)
MOD_SIGNED(i32, v)
MOD_SIGNED(b64, v)
MOD_SIGNED(u64, v)
MOD_SIGNED(i64, v)
MOD_SIGNED(mask, v)
MOD_SIGNED(none, v)
MOD_SIGNED(f16, mod_sign32(v, u, i, 0x8000))
MOD_SIGNED(pk16f, mod_sign32(v, u, i, 0x80008000))
MOD_SIGNED(f32, mod_sign32((u32x16)v, u, i, 0x80000000))
MOD_SIGNED(f64, mod_sign64((u64x16)v, u, i))
enum {
    SIGN_b16 = 0, SIGN_u16 = 0, SIGN_i16 = 0, SIGN_b32 = 0, SIGN_u32 = 0,
    SIGN_i32 = 0, SIGN_b64 = 0, SIGN_u64 = 0, SIGN_i64 = 0, SIGN_mask = 0,
    SIGN_none = 0, SIGN_f16 = 1, SIGN_f32 = 1, SIGN_f64 = 1, SIGN_pk16f = 1,
};

/* T_mod_get(): a slice of a source with everything applied. */
#define MOD_GET(T, bits)                                                      \
    INL T##_v T##_mod_get(const AmdWave *w, const Uop *u, int i,              \
                          const ModSource *s, int q)                          \
    {                                                                         \
        return T##_of(bits);                                                  \
    }
/* b16, b32: v_cndmask takes the modifiers of floats. */
MOD_GET(b16, mod_sign32(s->lo.q[q], u, i, 0x8000))
MOD_GET(u16, s->lo.q[q])
MOD_GET(i16, s->lo.q[q])
MOD_GET(u32, s->lo.q[q])
MOD_GET(i32, s->lo.q[q])
MOD_GET(b64, zip64(s->lo.q[q], s->hi.q[q]))
MOD_GET(u64, zip64(s->lo.q[q], s->hi.q[q]))
MOD_GET(i64, zip64(s->lo.q[q], s->hi.q[q]))
MOD_GET(f16, mod_sign32(s->lo.q[q], u, i, 0x8000))
MOD_GET(pk16f, mod_sign32(s->lo.q[q], u, i, 0x80008000))
MOD_GET(b32, mod_sign32(s->lo.q[q], u, i, 0x80000000))
MOD_GET(f32, mod_sign32(s->lo.q[q], u, i, 0x80000000))
MOD_GET(f64, mod_sign64(zip64(s->lo.q[q], s->hi.q[q]), u, i))

INL mask_v mask_mod_get(const AmdWave *w, const Uop *u, int i,
                        const ModSource *s, int q)
{
    mask_src bits = mask_source(w, u, i, NULL);

    return mask_slice(&bits, q);
}

INL none_v none_mod_get(const AmdWave *w, const Uop *u, int i,
                        const ModSource *s, int q)
{
    return (none_v){};
}

/*
 * T_mod_old(): a slice of the old destination; the half that op_sel picks for
 * the result is added to as well.
 */
#define MOD_OLD(T, width)                                                     \
    INL T##_v T##_mod_old(const Uop *u, const Target *t, int q)               \
    {                                                                         \
        return T##_of(old##width(t, q));                                      \
    }
#define MOD_OLD_16(T)                                                         \
    INL T##_v T##_mod_old(const Uop *u, const Target *t, int q)               \
    {                                                                         \
        bool high = MOD(u, FORM, 3) != FORM_SDWA && MOD(u, OPSEL, 4) & 8;     \
                                                                              \
        return T##_of(high ? old32(t, q) >> 16 : old32(t, q));                \
    }
MOD_OLD_16(b16)
MOD_OLD_16(u16)
MOD_OLD_16(i16)
MOD_OLD_16(f16)
MOD_OLD(pk16f, 32)
MOD_OLD(b32, 32)
MOD_OLD(u32, 32)
MOD_OLD(i32, 32)
MOD_OLD(f32, 32)
MOD_OLD(b64, 64)
MOD_OLD(u64, 64)
MOD_OLD(i64, 64)
MOD_OLD(f64, 64)

/* ---- results, by type ---- */

typedef struct ModResult {
    Vreg lo, hi;
} ModResult;

/* omod and clamp of float results. */
void LEVEL(amd_output_f16)(const AmdWave *w, const Uop *u, ModResult *r);
void LEVEL(amd_output_f32)(const AmdWave *w, const Uop *u, ModResult *r);
void LEVEL(amd_output_f64)(const AmdWave *w, const Uop *u, ModResult *r);

/*
 * Store a result of @width bits in the lanes of @mask, where op_sel or SDWA
 * says; @keep: a 16-bit result keeps the other half of the register.
 */
void LEVEL(amd_store_result)(AmdWave *w, const Uop *u, unsigned width,
                             const ModResult *r, const ModMask *mask,
                             bool keep);

/* T_mod_set(): a slice of the result, before all that. */
#define MOD_SET_32(T)                                                         \
    INL void T##_mod_set(ModResult *r, int q, T##_v x)                        \
    {                                                                         \
        r->lo.q[q] = (u32x16)x;                                               \
    }
#define MOD_SET_64(T)                                                         \
    INL void T##_mod_set(ModResult *r, int q, T##_v x)                        \
    {                                                                         \
        r->lo.q[q] = zip_low32((u64x16)x);                                    \
        r->hi.q[q] = zip_high32((u64x16)x);                                   \
    }
MOD_SET_32(b16)
MOD_SET_32(u16)
MOD_SET_32(i16)
MOD_SET_32(f16)
MOD_SET_32(pk16f)
MOD_SET_32(b32)
MOD_SET_32(u32)
MOD_SET_32(i32)
MOD_SET_32(f32)
MOD_SET_64(b64)
MOD_SET_64(u64)
MOD_SET_64(i64)
MOD_SET_64(f64)

/* T_mod_put(): the whole result. */
#define MOD_PUT(T, output)                                                    \
    INL void T##_mod_put(AmdWave *w, const Uop *u, ModResult *r,              \
                         const ModMask *mask, bool keep)                      \
    {                                                                         \
        output;                                                               \
        LEVEL(amd_store_result)(w, u, WIDTH_##T, r, mask, keep);              \
    }
MOD_PUT(b16, (void)0)
MOD_PUT(u16, (void)0)
MOD_PUT(i16, (void)0)
MOD_PUT(pk16f, (void)0)
MOD_PUT(b32, (void)0)
MOD_PUT(u32, (void)0)
MOD_PUT(i32, (void)0)
MOD_PUT(b64, (void)0)
MOD_PUT(u64, (void)0)
MOD_PUT(i64, (void)0)
MOD_PUT(f16, LEVEL(amd_output_f16)(w, u, r))
MOD_PUT(f32, LEVEL(amd_output_f32)(w, u, r))
MOD_PUT(f64, LEVEL(amd_output_f64)(w, u, r))

#endif
