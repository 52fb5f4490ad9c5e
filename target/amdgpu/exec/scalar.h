/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row macros that turn the meanings of scalar instructions into handlers.
 *
 * A meaning is one or more statements.  a and b are the sources, d is the
 * result (with INSN_DST_SRC it starts as the old destination), scc the flag, k
 * the sign-extended simm16, w the wave.  Control flow ends a meaning with one
 * of the macros below.
 */
#ifndef AMDGPU_EXEC_SCALAR_H
#define AMDGPU_EXEC_SCALAR_H

#include "handlers.h"
#include "operand.h"

/* Go on at @dwords from this instruction if @condition holds. */
#define BRANCH(condition, dwords)                                             \
    if (condition) {                                                          \
        const Uop *target_ = wave_branch(wave, u, (dwords));                  \
                                                                              \
        if (!target_) {                                                       \
            return NULL;                                                      \
        }                                                                     \
        GOTO(wave, target_);                                                  \
    }

/* Go on at address @pc. */
#define JUMP(pc)                                                              \
    do {                                                                      \
        const Uop *target_ = wave_goto(wave, (pc) & ~3ull);                   \
                                                                              \
        if (!target_) {                                                       \
            return NULL;                                                      \
        }                                                                     \
        if (wave_quantum_over(wave)) {                                        \
            LEAVE(wave, target_);                                             \
        }                                                                     \
        GOTO(wave, target_);                                                  \
    } while (0)

/* Stop running in @new_state; go on behind this instruction, if ever. */
#define STOP(new_state)                                                       \
    do {                                                                      \
        wave->state = (new_state);                                            \
        LEAVE(wave, u + u->len);                                              \
    } while (0)

/* Address of the instruction after this one. */
#define NEXT_PC() (wave_pc(wave, u) + 4u * u->len)

#define SCALAR_1(name, D, A, flags, ...)                                      \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        A##_s a = A##_sget(w, u, 0);                                          \
        D##_s d = (flags) & INSN_DST_SRC ? D##_sold(w, u) : 0;                \
        uint32_t scc = w->scc;                                                \
                                                                              \
        (void)a;                                                              \
        __VA_ARGS__;                                                          \
        w->scc = scc;                                                         \
        D##_sput(w, u, d);                                                    \
        NEXT(wave, u);                                                        \
    }

#define SCALAR_2(name, D, A, B, flags, ...)                                   \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        A##_s a = A##_sget(w, u, 0);                                          \
        B##_s b = B##_sget(w, u, 1);                                          \
        D##_s d = 0;                                                          \
        uint32_t scc = w->scc;                                                \
                                                                              \
        (void)a;                                                              \
        (void)b;                                                              \
        __VA_ARGS__;                                                          \
        w->scc = scc;                                                         \
        D##_sput(w, u, d);                                                    \
        NEXT(wave, u);                                                        \
    }

#define SCALAR_C(name, A, B, flags, ...)                                      \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        A##_s a = A##_sget(w, u, 0);                                          \
        B##_s b = B##_sget(w, u, 1);                                          \
        uint32_t d = w->scc;                                                  \
                                                                              \
        (void)a;                                                              \
        (void)b;                                                              \
        (void)d;                                                              \
        w->scc = (__VA_ARGS__);                                               \
        NEXT(wave, u);                                                        \
    }

/* SOPK: k is the constant, d the destination, old and new. */
#define SCALAR_K(name, D, flags, ...)                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        int32_t k = (int32_t)u->src[2];                                       \
        D##_s d = D##_sold(w, u);                                             \
        uint32_t scc = w->scc;                                                \
                                                                              \
        (void)k;                                                              \
        __VA_ARGS__;                                                          \
        w->scc = scc;                                                         \
        D##_sput(w, u, d);                                                    \
        NEXT(wave, u);                                                        \
    }

#define SCALAR_P(name, flags, ...)                                            \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        int32_t k = (int32_t)u->src[2];                                       \
        uint32_t d = 0;                                                       \
                                                                              \
        (void)w;                                                              \
        (void)k;                                                              \
        (void)d;                                                              \
        __VA_ARGS__;                                                          \
        NEXT(wave, u);                                                        \
    }

#endif
