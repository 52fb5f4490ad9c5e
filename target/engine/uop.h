/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Micro-operations: decoded instructions, and how one leads to the next.
 *
 * A code page is an array with one slot a dword, so that an instruction's
 * successor is `len` slots on and a branch is a pointer difference.
 *
 * A handler executes one instruction for the whole wave.  It depends on
 * nothing but the wave and its micro-operation.  It ends with NEXT() or
 * GOTO(), or with LEAVE() when the wave has to wait, end or fault.
 */
#ifndef ENGINE_UOP_H
#define ENGINE_UOP_H

#include <stdint.h>
#include "tessera/isa.h"

typedef const Uop *UopFn(Wave *wave, const Uop *uop);

struct Uop {
    UopFn *fn;
    uint32_t src[3]; /* byte offset in the wave, or an immediate */
    uint32_t dst;    /* byte offset in the wave */
    uint8_t kind[3]; /* what each src is; the instruction set's business */
    uint8_t len;     /* dwords to the next one to be executed */
    uint32_t mods;   /* modifiers; the instruction set's business */
};
_Static_assert(sizeof(Uop) == 32, "two micro-operations a cache line");

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define INL static inline __attribute__((always_inline))

/*
 * Threaded form: each handler jumps to the next.  It needs guaranteed tail
 * calls and optimisation; elsewhere handlers return to a loop.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
#define ENGINE_SANITIZED
#endif
#if __has_feature(thread_sanitizer)
#define ENGINE_THREAD_SANITIZED
#endif
#endif
#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(ENGINE_SANITIZED) && \
    !defined(ENGINE_BITCODE)
#define GOTO(wave, target)                                        \
    do {                                                          \
        const Uop *next_ = (target);                              \
        __attribute__((musttail)) return next_->fn(wave, next_);  \
    } while (0)
/* Let @handler execute @uop instead: the slow form of the same instruction. */
#define TAIL(wave, uop, handler) \
    __attribute__((musttail)) return (handler)(wave, uop)
#else
#define GOTO(wave, target) return (target)
#define TAIL(wave, uop, handler) return (handler)(wave, uop)
#endif
#define NEXT(wave, uop) GOTO(wave, (uop) + (uop)->len)

/* Go on at @next, unless it is NULL. */
#define FOLLOW(wave, next)                                        \
    do {                                                          \
        const Uop *follow_ = (next);                              \
                                                                  \
        if (!follow_) {                                           \
            return NULL;                                          \
        }                                                         \
        GOTO(wave, follow_);                                      \
    } while (0)

/*
 * Let @function execute @uop, out of line, and go on where it says: a handler's
 * shape, but it returns the next micro-operation or NULL and calls none.
 */
#define SLOW(wave, uop, function) FOLLOW(wave, (function)(wave, uop))

/* Leave the handlers; the wave goes on at @uop when it is run again. */
#define LEAVE(wave, at)          \
    do {                         \
        (wave)->uop = (at);      \
        return NULL;             \
    } while (0)

#endif
