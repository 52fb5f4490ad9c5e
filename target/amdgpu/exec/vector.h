/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row macros that turn the meanings of vector instructions into handlers.
 *
 * Each row gives an inline function on slices, NAME_of(), and two handlers
 * around it: the plain one and, for all modifiers and forms, the modified
 * one.  In a meaning, a, b and c are the sources, d is the old destination, q
 * the number of the slice, clamp tells whether an integer result has to
 * saturate, w is the wave (for MODE), and u the micro-operation (for op_sel).
 */
#ifndef AMDGPU_EXEC_VECTOR_H
#define AMDGPU_EXEC_VECTOR_H

#include "handlers.h"
#include "modify.h"
#include "convert.h"
#include "float.h"
#include "half.h"
#include "integer.h"
#include "lane.h"
#include "special.h"
#include "strip.h"

/*
 * Results of 16 bits: does the other half of the register stay?  From gfx10 on
 * it always does.
 */
#define KEEPS_HIGH(u, flags) \
    (((flags) & (INSN_OPSEL | INSN_D16)) != 0 || gen_of(u) > GEN_9)

/* The rarely taken forms are to be small. */
#define SLICE_LOOP(w, q) \
    _Pragma("clang loop unroll(disable)") FOR_SLICES(w, q)

#define VECTOR_PLAIN(name, D, A, B, C, flags)                                 \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[3];                                                \
        A##_src a = A##_source(w, u, 0, &scalar[0]);                          \
        B##_src b = B##_source(w, u, 1, &scalar[1]);                          \
        C##_src c = C##_source(w, u, 2, &scalar[2]);                          \
        Target t = target(w, u);                                              \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        FOR_SLICES(w, q) {                                                    \
            D##_put(w, &t, q,                                                 \
                    name##_of(w, u, q, A##_slice(&a, q), B##_slice(&b, q),    \
                              C##_slice(&c, q), D##_old(&t, q), false),       \
                    KEEPS_HIGH(u, flags));                                    \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }

/* Floats with neg and abs, but no other modifier. */
#define VECTOR_SIGNED(name, D, A, B, C, flags)                                \
    static const Uop *name##_signed(Wave *wave, const Uop *u)                 \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[3];                                                \
        A##_src a = A##_source(w, u, 0, &scalar[0]);                          \
        B##_src b = B##_source(w, u, 1, &scalar[1]);                          \
        C##_src c = C##_source(w, u, 2, &scalar[2]);                          \
        Target t = target(w, u);                                              \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        SLICE_LOOP(w, q) {                                                    \
            D##_put(w, &t, q,                                                 \
                    name##_of(w, u, q, A##_signed(u, 0, A##_slice(&a, q)),    \
                              B##_signed(u, 1, B##_slice(&b, q)),             \
                              C##_signed(u, 2, C##_slice(&c, q)),             \
                              D##_old(&t, q), false), KEEPS_HIGH(u, flags));  \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }

#define VECTOR_MODIFIED(name, D, A, B, C, flags)                              \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        bool clamp = (flags) & INSN_CLAMP && MOD(u, CLAMP, 1);                \
        ModMask mask = { w->exec };                                           \
        ModSource a, b, c;                                                    \
        ModResult r;                                                          \
        Target t = target(w, u);                                              \
                                                                              \
        if (SIGN_##A && likely(mod_signs_only(u))) {                          \
            TAIL(wave, u, name##_signed);                                     \
        }                                                                     \
        amd_mod_source(w, u, 0, WIDTH_##A, &a, &mask);                        \
        amd_mod_source(w, u, 1, WIDTH_##B, &b, &mask);                        \
        amd_mod_source(w, u, 2, WIDTH_##C, &c, &mask);                        \
        float_enter(w, FLOAT_OF(D, A));                                       \
        SLICE_LOOP(w, q) {                                                    \
            D##_mod_set(&r, q,                                                \
                        name##_of(w, u, q, A##_mod_get(w, u, 0, &a, q),       \
                                  B##_mod_get(w, u, 1, &b, q),                \
                                  C##_mod_get(w, u, 2, &c, q),                \
                                  D##_mod_old(u, &t, q), clamp));             \
        }                                                                     \
        D##_mod_put(w, u, &r, &mask, KEEPS_HIGH(u, flags));                   \
        NEXT(wave, u);                                                        \
    }

/* Of these the bitcode has strips instead. */
#ifdef ENGINE_BITCODE
#define VECTOR_HANDLERS VECTOR_STRIPS
#else
#define VECTOR_HANDLERS(name, D, A, B, C, flags)                              \
    VECTOR_PLAIN(name, D, A, B, C, flags)                                     \
    VECTOR_SIGNED(name, D, A, B, C, flags)                                    \
    VECTOR_MODIFIED(name, D, A, B, C, flags)
#endif

#define VECTOR(name, D, A, B, C, flags, ...)                                  \
    INL D##_v name##_of(AmdWave *w, const Uop *u, int q, A##_v a, B##_v b,    \
                        C##_v c, D##_v d, bool clamp)                         \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    VECTOR_HANDLERS(name, D, A, B, C, flags)

#define VECTOR_1(name, D, A, flags, ...) \
    VECTOR(name, D, A, none, none, flags, __VA_ARGS__)
#define VECTOR_2(name, D, A, B, flags, ...) \
    VECTOR(name, D, A, B, none, flags, __VA_ARGS__)
#define VECTOR_3(name, D, A, B, C, flags, ...) \
    VECTOR(name, D, A, B, C, flags, __VA_ARGS__)

/* ---- results that are one bit a lane ---- */

/* Write a lane mask; lanes that are not active give 0. */
INL void put_lane_bits(AmdWave *w, uint32_t offset, uint64_t bits)
{
    bits &= sgpr64(w, SGPR_EXEC);
    if (unlikely(w->half)) {
        memcpy(at(w, offset), &bits, 4);
    } else {
        memcpy(at(w, offset), &bits, 8);
    }
    scalar_written(w, offset);
}

INL void compare_put(AmdWave *w, const Uop *u, uint64_t bits, bool cmpx)
{
    bits &= sgpr64(w, SGPR_EXEC);
    put_lane_bits(w, u->dst, bits);
    if (cmpx) {
        set_exec(w, bits);
    }
}

#define COMPARE_PLAIN(name, A, B, flags)                                      \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[2];                                                \
        A##_src a = A##_source(w, u, 0, &scalar[0]);                          \
        B##_src b = B##_source(w, u, 1, &scalar[1]);                          \
        uint64_t bits = 0;                                                    \
                                                                              \
        float_enter(w, FLOAT_OF(A, B));                                       \
        FOR_SLICES(w, q) {                                                    \
            bits |= name##_of(w, u, q, A##_slice(&a, q), B##_slice(&b, q));   \
        }                                                                     \
        compare_put(w, u, bits, (flags) & INSN_CMPX);                         \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ModMask mask = { w->exec };                                           \
        ModSource a, b;                                                       \
        uint64_t bits = 0;                                                    \
                                                                              \
        amd_mod_source(w, u, 0, WIDTH_##A, &a, &mask);                        \
        amd_mod_source(w, u, 1, WIDTH_##B, &b, &mask);                        \
        float_enter(w, FLOAT_OF(A, B));                                       \
        SLICE_LOOP(w, q) {                                                    \
            bits |= name##_of(w, u, q, A##_mod_get(w, u, 0, &a, q),           \
                              B##_mod_get(w, u, 1, &b, q)) &                  \
                    (uint64_t)bits_of_lanes(mask.lanes.q[q]) << 16 * q;       \
        }                                                                     \
        compare_put(w, u, bits, (flags) & INSN_CMPX);                         \
        NEXT(wave, u);                                                        \
    }

#ifdef ENGINE_BITCODE
#define COMPARE_HANDLERS COMPARE_STRIPS
#else
#define COMPARE_HANDLERS COMPARE_PLAIN
#endif

#define VECTOR_C(name, A, B, flags, ...)                                      \
    INL uint64_t name##_of(AmdWave *w, const Uop *u, int q, A##_v a,          \
                           B##_v b)                                           \
    {                                                                         \
        return (uint64_t)lane_bits_##A(__VA_ARGS__) << 16 * q;                \
    }                                                                         \
    COMPARE_HANDLERS(name, A, B, flags)

/* ---- the shapes of irregular rows (VX) ---- */

/* Where the carry goes: SDWA has no room to say so. */
INL uint32_t carry_offset(const Uop *u)
{
    unsigned place = MOD(u, FORM, 3) != FORM_SDWA ? MOD(u, SDST, 8)
                                                  : SGPR_SINK + SGPR_VCC;

    return offsetof(AmdWave, null_sink) + place * 4;
}

/* Which shape a row's meaning is: SHAPE(args) becomes SHAPE, args. */
#define SHAPE_NOSEM NONE, 0
#define SHAPE_LANES(...) LANES, __VA_ARGS__
#define SHAPE_CARRY(...) CARRY, __VA_ARGS__
#define SHAPE_ONCE(...) ONCE, __VA_ARGS__
#define SHAPE_MOVE(...) MOVE, __VA_ARGS__
#define SHAPE_UNIFORM(...) UNIFORM, __VA_ARGS__

#define VECTOR_X(name, D, A, B, C, flags, ...) \
    VECTOR_X2(name, D, A, B, C, flags, SHAPE_##__VA_ARGS__)
#define VECTOR_X2(...) VECTOR_X3(__VA_ARGS__)
#define VECTOR_X3(name, D, A, B, C, flags, shape, ...) \
    VECTOR_##shape(name, D, A, B, C, flags, __VA_ARGS__)

#define VECTOR_NONE(name, D, A, B, C, flags, ...)

/* LANES(meaning): an ordinary expression after all. */
#define VECTOR_LANES VECTOR

#define CARRY_PLAIN(name, D, A, B, C, flags)                                  \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ScalarSlice scalar[3];                                                \
        A##_src a = A##_source(w, u, 0, &scalar[0]);                          \
        B##_src b = B##_source(w, u, 1, &scalar[1]);                          \
        C##_src c = C##_source(w, u, 2, &scalar[2]);                          \
        Target t = target(w, u);                                              \
        uint64_t bits = 0;                                                    \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        FOR_SLICES(w, q) {                                                    \
            D##_put(w, &t, q,                                                 \
                    name##_of(w, u, q, A##_slice(&a, q), B##_slice(&b, q),    \
                              C##_slice(&c, q), false, &bits), false);        \
        }                                                                     \
        put_lane_bits(w, carry_offset(u), bits);                              \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        bool clamp = (flags) & INSN_CLAMP && MOD(u, CLAMP, 1);                \
        ModMask mask = { w->exec };                                           \
        ModSource a, b, c;                                                    \
        ModResult r;                                                          \
        uint64_t bits = 0;                                                    \
                                                                              \
        amd_mod_source(w, u, 0, WIDTH_##A, &a, &mask);                        \
        amd_mod_source(w, u, 1, WIDTH_##B, &b, &mask);                        \
        amd_mod_source(w, u, 2, WIDTH_##C, &c, &mask);                        \
        float_enter(w, FLOAT_OF(D, A));                                       \
        SLICE_LOOP(w, q) {                                                    \
            D##_mod_set(&r, q,                                                \
                        name##_of(w, u, q, A##_mod_get(w, u, 0, &a, q),       \
                                  B##_mod_get(w, u, 1, &b, q),                \
                                  C##_mod_get(w, u, 2, &c, q), clamp,         \
                                  &bits));                                    \
        }                                                                     \
        D##_mod_put(w, u, &r, &mask, false);                                  \
        put_lane_bits(w, carry_offset(u), bits);                              \
        NEXT(wave, u);                                                        \
    }

#ifdef ENGINE_BITCODE
#define CARRY_HANDLERS CARRY_STRIPS
#else
#define CARRY_HANDLERS CARRY_PLAIN
#endif

/*
 * CARRY(result, carry, clamped): the sign of @carry, which may use the result
 * as r, is the carry; @clamped, the result with clamp, may use that as a lane
 * mask, k, as well.  Carry-in is the lane mask c.
 */
#define VECTOR_CARRY(name, D, A, B, C, flags, result, carry, clamped)         \
    INL D##_v name##_of(AmdWave *w, const Uop *u, int q, A##_v a, B##_v b,    \
                        C##_v c, bool clamp, uint64_t *bits)                  \
    {                                                                         \
        D##_v r = (result);                                                   \
        D##_mask_v k = (D##_mask_v)(carry);                                   \
                                                                              \
        *bits |= (uint64_t)lane_bits_##D(k) << 16 * q;                        \
        k = D##_sign_lanes(k);                                                \
        return clamp ? (D##_v)(clamped) : r;                                  \
    }                                                                         \
    CARRY_HANDLERS(name, D, A, B, C, flags)

/*
 * ONCE(statement): done once for the wave, with u the micro-operation.
 * MOVE(statement): the same, where the statement sees to DPP.
 */
#define VECTOR_STATEMENT(name, dpp, ...)                                      \
    INL void name##_of(AmdWave *w, const Uop *u)                              \
    {                                                                         \
        __VA_ARGS__;                                                          \
    }                                                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        name##_of(amd(wave), u);                                              \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        if (!(dpp) && unlikely(MOD(u, FORM, 3) >= FORM_DPP)) {                \
            TAIL(wave, u, amd_unimplemented);                                 \
        }                                                                     \
        name##_of(amd(wave), u);                                              \
        NEXT(wave, u);                                                        \
    }
#define VECTOR_ONCE(name, D, A, B, C, flags, ...) \
    VECTOR_STATEMENT(name, false, __VA_ARGS__)
#define VECTOR_MOVE(name, D, A, B, C, flags, ...) \
    VECTOR_STATEMENT(name, true, __VA_ARGS__)

/*
 * UNIFORM(meaning): of a scalar register, into another one, whatever EXEC is.
 */
#define VECTOR_UNIFORM(name, D, A, B, C, flags, ...)                          \
    INL D##_v name##_of(AmdWave *w, A##_v a)                                  \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        A##_v a = A##_of(splat32(lane32(w, u, 0, 0)));                        \
        ModResult r = {};                                                     \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        D##_mod_set(&r, 0, name##_of(w, A##_signed(u, 0, a)));                \
        LEVEL(amd_output_##D)(w, u, &r);                                      \
        sput32(w, u, r.lo.q[0][0]);                                           \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        TAIL(wave, u, LEVEL(h_##name));                                       \
    }

#endif
