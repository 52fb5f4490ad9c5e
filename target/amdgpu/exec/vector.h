/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row macros that turn the meanings of vector instructions into handlers.
 *
 * Each row gives an inline function on slices, NAME_of(), and two handlers
 * around it.  In a meaning, a, b and c are the sources, d is the old
 * destination and w the wave (for MODE).
 */
#ifndef AMDGPU_EXEC_VECTOR_H
#define AMDGPU_EXEC_VECTOR_H

#include "handlers.h"
#include "modify.h"
#include "float.h"

/* The old destination, for instructions that accumulate. */
#define OLD(D, w, u, q)                                                       \
    D##_of(((const Vreg *)at(w, (u)->dst))[0].q[q],                           \
           ((const Vreg *)at(w, (u)->dst))[1].q[q])

/* A slice of a source of the modified form, with abs and neg applied. */
#define MOD_GET(T, u, i, src, q)                                              \
    T##_modified(T##_of((src).lo.q[q], (src).hi.q[q]), u, i)

#define VECTOR_1(name, D, A, ...)                                             \
    INL D##_v name##_of(AmdWave *w, A##_v a, D##_v d)                         \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_put(w, u, q, name##_of(w, A##_get(w, u, 0, q),                \
                                       OLD(D, w, u, q)));                     \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ModMask mask = { w->exec };                                           \
        ModSource a;                                                          \
                                                                              \
        amd_mod_source(w, u, 0, WIDTH_##A, &a, &mask);                        \
        float_enter(w, FLOAT_OF(D, A));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_mod_put(w, u, q, name##_of(w, MOD_GET(A, u, 0, a, q),         \
                                           OLD(D, w, u, q)), &mask);          \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }

#define VECTOR_2(name, D, A, B, ...)                                          \
    INL D##_v name##_of(AmdWave *w, A##_v a, B##_v b, D##_v d)                \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_put(w, u, q, name##_of(w, A##_get(w, u, 0, q),                \
                                       B##_get(w, u, 1, q),                   \
                                       OLD(D, w, u, q)));                     \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ModMask mask = { w->exec };                                           \
        ModSource a, b;                                                       \
                                                                              \
        amd_mod_source(w, u, 0, WIDTH_##A, &a, &mask);                        \
        amd_mod_source(w, u, 1, WIDTH_##B, &b, &mask);                        \
        float_enter(w, FLOAT_OF(D, A));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_mod_put(w, u, q, name##_of(w, MOD_GET(A, u, 0, a, q),         \
                                           MOD_GET(B, u, 1, b, q),            \
                                           OLD(D, w, u, q)), &mask);          \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }

#define VECTOR_3(name, D, A, B, C, ...)                                       \
    INL D##_v name##_of(AmdWave *w, A##_v a, B##_v b, C##_v c, D##_v d)       \
    {                                                                         \
        return (D##_v)(__VA_ARGS__);                                          \
    }                                                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_put(w, u, q, name##_of(w, A##_get(w, u, 0, q),                \
                                       B##_get(w, u, 1, q),                   \
                                       C##_get(w, u, 2, q),                   \
                                       OLD(D, w, u, q)));                     \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }                                                                         \
    MODIFIED(name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        ModMask mask = { w->exec };                                           \
        ModSource a, b, c;                                                    \
                                                                              \
        amd_mod_source(w, u, 0, WIDTH_##A, &a, &mask);                        \
        amd_mod_source(w, u, 1, WIDTH_##B, &b, &mask);                        \
        amd_mod_source(w, u, 2, WIDTH_##C, &c, &mask);                        \
        float_enter(w, FLOAT_OF(D, A));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            D##_mod_put(w, u, q, name##_of(w, MOD_GET(A, u, 0, a, q),         \
                                           MOD_GET(B, u, 1, b, q),            \
                                           MOD_GET(C, u, 2, c, q),            \
                                           OLD(D, w, u, q)), &mask);          \
        }                                                                     \
        NEXT(wave, u);                                                        \
    }

/* Bits of a comparison's result; inactive lanes give 0. */
#define COMPARE_BITS(m) \
    bits_of_lanes(_Generic((m), i64x16: narrow_mask((i64x16)(m)), \
                                default: (u32x16)(m)))

INL void compare_put(AmdWave *w, const Uop *u, uint64_t bits, bool cmpx)
{
    bits &= sgpr64(w, SGPR_EXEC);
    sput64(w, u, bits);
    if (cmpx) {
        set_exec(w, bits);
    }
}

#define VECTOR_C(name, A, B, flags, ...)                                      \
    INL uint32_t name##_of(AmdWave *w, A##_v a, B##_v b, A##_v d)             \
    {                                                                         \
        return mask_bits_##A(__VA_ARGS__);                                    \
    }                                                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        uint64_t bits = 0;                                                    \
                                                                              \
        float_enter(w, FLOAT_OF(A, B));                                       \
        for (int q = 0; q < SLICES; q++) {                                    \
            bits |= (uint64_t)name##_of(w, A##_get(w, u, 0, q),               \
                                        B##_get(w, u, 1, q), (A##_v){})        \
                    << 16 * q;                                                \
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
        for (int q = 0; q < SLICES; q++) {                                    \
            bits |= (uint64_t)name##_of(w, MOD_GET(A, u, 0, a, q),            \
                                        MOD_GET(B, u, 1, b, q), (A##_v){})     \
                    << 16 * q;                                                \
        }                                                                     \
        compare_put(w, u, bits, (flags) & INSN_CMPX);                         \
        NEXT(wave, u);                                                        \
    }

#endif
