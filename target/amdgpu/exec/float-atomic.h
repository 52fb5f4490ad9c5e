/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * New values of atomic operations on floats, from m, what is in memory, and a,
 * the data: bits to bits.
 *
 * A sum or a product of comparisons that meets two NaNs takes the first of m
 * and a, made quiet.  Rounding is to nearest even whatever MODE says (LLVM,
 * SIISelLowering, on float atomics); MXCSR says what becomes of denormals.
 */
#ifndef AMDGPU_EXEC_FLOAT_ATOMIC_H
#define AMDGPU_EXEC_FLOAT_ATOMIC_H

#include <math.h>
#include "../format.h"

INL unsigned mxcsr_get(void)
{
    unsigned csr;

    __asm__ volatile("stmxcsr %0" : "=m"(csr) : : "memory");
    return csr;
}

INL void mxcsr_set(unsigned csr)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(csr) : "memory");
}

/*
 * Round to nearest; @denorm is a field of MODE: bit 0 keeps denormal operands,
 * bit 1 denormal results.  Returns what to restore.
 */
INL unsigned mxcsr_enter(unsigned denorm)
{
    unsigned old = mxcsr_get();

    mxcsr_set(0x1f80 | (denorm & 1 ? 0 : 0x0040) | (denorm & 2 ? 0 : 0x8000));
    return old;
}

INL float as_f32(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, 4);
    return x;
}

INL double as_f64(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, 8);
    return x;
}

INL uint32_t bits_f32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, 4);
    return bits;
}

INL uint32_t atomic_add_f32(uint32_t m, uint32_t a)
{
    float x = as_f32(m), y = as_f32(a), sum = x + y;

    if (x != x) {
        return m | 0x00400000;
    }
    return y != y ? a | 0x00400000 : bits_f32(sum);
}

/*
 * The lesser and the greater number: -0 is less than +0, a number wins over a
 * NaN, two NaNs make the data's, quiet.
 */
#define ATOMIC_MINMAX_NUM(bits, F, quiet)                                     \
    INL uint##bits##_t atomic_min_num##bits(uint##bits##_t m,                 \
                                            uint##bits##_t a)                 \
    {                                                                         \
        if (F(m) != F(m)) {                                                   \
            return F(a) != F(a) ? a | (quiet) : a;                            \
        }                                                                     \
        if (F(m) == 0 && F(a) == 0) {                                         \
            return a >> (bits - 1) ? a : m;                                   \
        }                                                                     \
        return F(a) < F(m) ? a : m;                                           \
    }                                                                         \
    INL uint##bits##_t atomic_max_num##bits(uint##bits##_t m,                 \
                                            uint##bits##_t a)                 \
    {                                                                         \
        if (F(m) != F(m)) {                                                   \
            return F(a) != F(a) ? a | (quiet) : a;                            \
        }                                                                     \
        if (F(m) == 0 && F(a) == 0) {                                         \
            return a >> (bits - 1) ? m : a;                                   \
        }                                                                     \
        return F(a) > F(m) ? a : m;                                           \
    }
ATOMIC_MINMAX_NUM(32, as_f32, 0x00400000u)
ATOMIC_MINMAX_NUM(64, as_f64, 0x0008000000000000ull)

/* ---- two 16-bit sums ---- */

/* Is the half @x a denormal number? */
INL bool is_denormal16(uint32_t x)
{
    return !(x & 0x7c00) && x & 0x3ff;
}

INL uint32_t flushed16(uint32_t x, bool keep)
{
    return keep || !is_denormal16(x) ? x : x & 0x8000;
}

/*
 * A float's sum of two halves, rounded again, is the half's: it has more than
 * twice the bits.  @denorm is as for mxcsr_enter().
 */
INL uint32_t add_f16(uint32_t m, uint32_t a, unsigned denorm)
{
    float x, y;

    m = flushed16(m, denorm & 1);
    a = flushed16(a, denorm & 1);
    x = as_f32(amd_half_to_float(m));
    y = as_f32(amd_half_to_float(a));
    if (x != x) {
        return m | 0x200;
    }
    return y != y ? a | 0x200
                  : flushed16(amd_float_to_half(bits_f32(x + y)), denorm & 2);
}

/* A bfloat is the upper half of a float; the same holds for its sums. */
INL uint32_t add_bf16(uint32_t m, uint32_t a)
{
    uint32_t sum = atomic_add_f32(m << 16, a << 16);

    if (as_f32(sum) == as_f32(sum)) {
        sum += 0x7fff + (sum >> 16 & 1);
    }
    return sum >> 16;
}

INL uint32_t atomic_pk_add_f16(uint32_t m, uint32_t a, unsigned denorm)
{
    return add_f16(m & 0xffff, a & 0xffff, denorm) |
           add_f16(m >> 16, a >> 16, denorm) << 16;
}

INL uint32_t atomic_pk_add_bf16(uint32_t m, uint32_t a)
{
    return add_bf16(m & 0xffff, a & 0xffff) | add_bf16(m >> 16, a >> 16) << 16;
}

#endif
