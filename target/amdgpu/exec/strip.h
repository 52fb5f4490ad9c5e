/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strips: vector instructions for one slice of 16 lanes.
 *
 * Compiled code executes a row of instructions for one slice after the other,
 * so that what one of them puts in a register the next one has at hand.  The
 * compiler of hot code therefore copies strips, not handlers: functions in the
 * bitcode alone, made from the same meanings by the same rows.
 *
 * A strip finds everything at a constant distance from a few pointers: scalars
 * in the wave; vector registers in @lanes, which is the wave moved on to slice
 * @q, so that its slice 0 is meant; lane masks, of which a slice has 16 bits,
 * in @bits, which is the wave moved on as many bytes.  @all: all lanes are
 * active.  The compiler has strips that are straight on only, but for branches
 * that are unlikely(): there the handler executes the instruction.
 *
 * What has to be done once for all slices is in the instruction's end.
 */
#ifndef AMDGPU_EXEC_STRIP_H
#define AMDGPU_EXEC_STRIP_H

#include "operand.h"
#include "modify.h"

#ifdef ENGINE_BITCODE
#define STRIP(name)                                                           \
    void LEVEL(strip_##name)(AmdWave *w, const Uop *u, AmdWave *lanes,        \
                             char *bits, int q, bool all)
/* One for waves with all lanes active only. */
#define STRIP_ALL(name)                                                       \
    void LEVEL(all_##name)(AmdWave *w, const Uop *u, AmdWave *lanes,          \
                           char *bits, int q, bool all)
#define STRIP_END(name) void LEVEL(end_##name)(AmdWave *w, const Uop *u)

#define STRIP_HERE() { w, lanes, bits, q }
#define STRIP_TARGET() { at(lanes, u->dst), all }

/* Put the mask of this slice's lanes into the register at @offset. */
INL void strip_put_bits(const AmdWave *w, char *bits, uint32_t offset,
                        uint64_t x, bool all)
{
    uint16_t exec = UINT16_MAX, y = x;

    if (offset < offsetof(AmdWave, s)) {
        return; /* OPERAND_NULL */
    }
    if (!all) {
        memcpy(&exec, bits + offsetof(AmdWave, s[SGPR_EXEC]), 2);
    }
    y &= exec;
    memcpy(bits + offset, &y, 2);
}

/* Nobody defines it, so what calls it cannot be copied. */
void strip_refused(void);

/* What is done where a branch is unlikely(): nothing that is copied. */
INL void strip_by_handlers(void)
{
    __asm__ volatile("ud2");
    __builtin_unreachable();
}

/*
 * The two forms of a row: SIGN(T, i, x) gives source i its abs and neg, which
 * only floats have (else the modified handler knows what they mean).
 */
#define STRIP_PLAIN(T, i, x) x
#define STRIP_SIGNED(T, i, x) T##_signed(u, i, x)
#define HAS_STRIP_PLAIN(T) true
#define HAS_STRIP_SIGNED(T) SIGN_##T

#define STRIP_FORM(form, name, SIGN, D, A, B, C, flags)                       \
    STRIP(form##_##name)                                                      \
    {                                                                         \
        const Strip s = STRIP_HERE();                                         \
        const Target t = STRIP_TARGET();                                      \
                                                                              \
        if (!HAS_##SIGN(A)) {                                                 \
            strip_refused();                                                  \
        }                                                                     \
        float_enter(w, FLOAT_OF(D, A));                                       \
        D##_put(lanes, &t, 0,                                                 \
                name##_of(w, u, q, SIGN(A, 0, A##_strip(&s, u, 0)),           \
                          SIGN(B, 1, B##_strip(&s, u, 1)),                    \
                          SIGN(C, 2, C##_strip(&s, u, 2)), D##_old(&t, 0),    \
                          false), KEEPS_HIGH(u, flags));                      \
    }
#define VECTOR_STRIPS(name, D, A, B, C, flags)                                \
    STRIP_FORM(h, name, STRIP_PLAIN, D, A, B, C, flags)                       \
    STRIP_FORM(m, name, STRIP_SIGNED, D, A, B, C, flags)

#define COMPARE_STRIP(form, name, SIGN, A, B, flags)                          \
    STRIP(form##_##name)                                                      \
    {                                                                         \
        const Strip s = STRIP_HERE();                                         \
                                                                              \
        if (!HAS_##SIGN(A) || (flags) & INSN_CMPX) {                          \
            strip_refused(); /* not if it writes EXEC */                      \
        }                                                                     \
        float_enter(w, FLOAT_OF(A, B));                                       \
        strip_put_bits(w, bits, u->dst,                                       \
                       name##_of(w, u, 0, SIGN(A, 0, A##_strip(&s, u, 0)),    \
                                 SIGN(B, 1, B##_strip(&s, u, 1))), all);      \
    }                                                                         \
    STRIP_END(form##_##name)                                                  \
    {                                                                         \
        scalar_written(w, u->dst);                                            \
    }
#define COMPARE_STRIPS(name, A, B, flags)                                     \
    COMPARE_STRIP(h, name, STRIP_PLAIN, A, B, flags)                          \
    COMPARE_STRIP(m, name, STRIP_SIGNED, A, B, flags)

#define CARRY_STRIPS(name, D, A, B, C, flags)                                 \
    STRIP(h_##name)                                                           \
    {                                                                         \
        const Strip s = STRIP_HERE();                                         \
        const Target t = STRIP_TARGET();                                      \
        uint64_t carry = 0;                                                   \
                                                                              \
        float_enter(w, FLOAT_OF(D, A));                                       \
        D##_put(lanes, &t, 0,                                                 \
                name##_of(w, u, 0, A##_strip(&s, u, 0), B##_strip(&s, u, 1),  \
                          C##_strip(&s, u, 2), false, &carry), false);        \
        strip_put_bits(w, bits, carry_offset(u), carry, all);                 \
    }                                                                         \
    STRIP_END(h_##name)                                                       \
    {                                                                         \
        scalar_written(w, carry_offset(u));                                   \
    }

#define PACKED_STRIPS(name, class)                                            \
    STRIP(h_##name)                                                           \
    {                                                                         \
        const Strip s = STRIP_HERE();                                         \
        const Target t = STRIP_TARGET();                                      \
                                                                              \
        float_enter(w, class);                                                \
        put32(lanes, &t, 0, name##_bits(w, u, strip32(&s, u, 0),              \
                                        strip32(&s, u, 1),                    \
                                        strip32(&s, u, 2), old32(&t, 0)));    \
    }
#endif

#endif
