/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of the scalar memory instructions.
 *
 * A load or store within one page that the TLB has is done here; all others go
 * to amd_smem_any().
 */
#include "../smem.h"
#include "handlers.h"

/*
 * Meanings.  N is the number of dwords, FLAGS are those of the row.
 */
#define LOAD                                                                  \
    const uint8_t *p = smem_hit(w, u, N * 4, FLAGS);                          \
                                                                              \
    if (unlikely(!p)) {                                                       \
        return amd_smem_any(wave, u);                                         \
    }                                                                         \
    memcpy(at(w, u->dst), p, N * 4);                                          \
    smem_loaded(w, u)

/* A byte or a short, extended as its type says. */
#define LOAD_NARROW(type)                                                     \
    const uint8_t *p = smem_hit(w, u, sizeof(type), FLAGS);                   \
    type x;                                                                   \
                                                                              \
    if (unlikely(!p)) {                                                       \
        return amd_smem_any(wave, u);                                         \
    }                                                                         \
    memcpy(&x, p, sizeof(x));                                                 \
    *(uint32_t *)at(w, u->dst) = (uint32_t)(int32_t)x;                        \
    smem_loaded(w, u)

#define STORE                                                                 \
    uint8_t *p = smem_hit(w, u, N * 4, FLAGS);                                \
                                                                              \
    if (unlikely(!p)) {                                                       \
        return amd_smem_any(wave, u);                                         \
    }                                                                         \
    memcpy(p, at(w, u->dst), N * 4)

/*
 * An atomic: the new value, made of m, the old one, and of a and b, those in
 * sdata.  U and S are the unsigned and the signed type.
 */
#define ATOMIC(bits, ...)                                                     \
    typedef uint##bits##_t U;                                                 \
    typedef int##bits##_t S;                                                  \
    const Uop *next;                                                          \
    U *p = amd_smem_atomic(w, u, sizeof(U), &next), m = 0, data[2];           \
    const U a = (memcpy(data, at(w, u->dst), sizeof(data)), data[0]);         \
    const U b = data[1];                                                      \
                                                                              \
    (void)b;                                                                  \
    (void)(S)0;                                                               \
    if (p) {                                                                  \
        m = __atomic_load_n(p, __ATOMIC_RELAXED);                             \
        while (!__atomic_compare_exchange_n(p, &m, (U)(__VA_ARGS__), false,   \
                                            __ATOMIC_SEQ_CST,                 \
                                            __ATOMIC_RELAXED)) {              \
        }                                                                     \
    } else if (!next) {                                                       \
        return NULL;                                                          \
    }                                                                         \
    if (u->mods & SMEM_GLC) {                                                 \
        memcpy(at(w, u->dst), &m, sizeof(m));                                 \
        smem_loaded(w, u);                                                    \
    }                                                                         \
    if (unlikely(next != u + u->len)) {                                       \
        return next;                                                          \
    }

#define CLOCK                                                                 \
    uint64_t now = wave_clock(wave);                                          \
                                                                              \
    memcpy(at(w, u->dst), &now, sizeof(now));                                 \
    smem_loaded(w, u)

/* Caches hide nothing here, and there is nothing to probe. */
#define NOTHING (void)w

#undef NOSEM
#define NOSEM (void)w
#define SM(name, dwords, flags, ...)                                          \
    CALLED(name)                                                              \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        enum { N = dwords, FLAGS = flags };                                   \
                                                                              \
        __VA_ARGS__;                                                          \
        return u + u->len;                                                    \
    }
#include "../rows/smem.inc"
