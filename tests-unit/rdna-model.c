/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>
#include "format-model.h"
#include "rdna-model.h"

/* ---- atomics: the new value of what is in memory ---- */

#define ATOMIC_FN(name, expr)                                                \
    static uint64_t name##_fn(uint64_t old, uint64_t x, uint64_t compare,    \
                              unsigned bits)                                 \
    {                                                                        \
        int64_t sold = bits == 32 ? (int32_t)old : (int64_t)old;             \
        int64_t sx = bits == 32 ? (int32_t)x : (int64_t)x;                   \
                                                                             \
        (void)sold;                                                          \
        (void)sx;                                                            \
        (void)compare;                                                       \
        return expr;                                                         \
    }

ATOMIC_FN(swap, x)
ATOMIC_FN(cmpswap, old == compare ? x : old)
ATOMIC_FN(add, old + x)
ATOMIC_FN(sub, old - x)
ATOMIC_FN(smin, sold < sx ? old : x)
ATOMIC_FN(umin, old < x ? old : x)
ATOMIC_FN(smax, sold > sx ? old : x)
ATOMIC_FN(umax, old > x ? old : x)
ATOMIC_FN(and, old & x)
ATOMIC_FN(or, old | x)
ATOMIC_FN(xor, old ^ x)
ATOMIC_FN(inc, old >= x ? 0 : old + 1)
ATOMIC_FN(dec, old == 0 || old > x ? x : old - 1)
ATOMIC_FN(sub_clamp, old < x ? 0 : old - x)
ATOMIC_FN(cond_sub, old >= x ? old - x : old)

static double f32(uint64_t bits)
{
    return format_float_of((uint32_t)bits);
}

static uint32_t flushed(uint64_t bits)
{
    return bits & 0x7f800000 ? (uint32_t)bits : bits & 0x80000000;
}

/* -0 is less than +0 to the num forms; data are no NaNs here. */
static bool less(uint64_t a, uint64_t b)
{
    return f32(a) < f32(b) ||
           (f32(a) == 0 && f32(b) == 0 && a >> 31 && !(b >> 31));
}

ATOMIC_FN(fcmpswap, f32(old) == f32(compare) ? x : old)
ATOMIC_FN(fmin, f32(x) < f32(old) ? x : old)
ATOMIC_FN(fmax, f32(x) > f32(old) ? x : old)
ATOMIC_FN(fmin_num, less(x, old) ? x : old)
ATOMIC_FN(fmax_num, less(old, x) ? x : old)
ATOMIC_FN(fadd, format_bits_of(f32(old) + f32(x)))
ATOMIC_FN(fadd_flush,
          flushed(format_bits_of(f32(flushed(old)) + f32(flushed(x)))))

/* Sums of halves are exact in a double. */
static uint32_t half_sum(uint32_t a, uint32_t b)
{
    double sum = f32(format_of_half(a)) + f32(format_of_half(b));

    return format_small_of(fabs(sum), 10) | (signbit(sum) ? 0x8000 : 0);
}

/* The bfloat nearest to the sum is one of three. */
static uint32_t bfloat_sum(uint32_t a, uint32_t b)
{
    double sum = f32(a << 16) + f32(b << 16), best = INFINITY;
    uint32_t near = format_bits_of(sum) >> 16, found = near;

    for (uint32_t x = near ? near - 1 : near; x <= near + 1; x++) {
        double away = fabs(f32(x << 16) - sum);

        if (away < best || (away == best && x % 2 == 0)) {
            best = away;
            found = x;
        }
    }
    return found;
}

ATOMIC_FN(pk_add_f16, half_sum(old & 0xffff, x & 0xffff) |
                      half_sum(old >> 16, x >> 16) << 16)
ATOMIC_FN(pk_add_bf16, bfloat_sum(old & 0xffff, x & 0xffff) |
                       bfloat_sum(old >> 16, x >> 16) << 16)

/* ---- operations ---- */

#define EVERYWHERE (IN_BUFFER | IN_FLAT | IN_GLOBAL | IN_SCRATCH)
#define MEMORY (IN_BUFFER | IN_FLAT | IN_GLOBAL)

#define LOAD(name, bytes, sext, half) \
    { { "load_" name, 'l', bytes, sext, half, NULL, 0 }, \
      EVERYWHERE, EVERYWHERE, DATA_BITS },
#define STORE(name, bytes, half, data) \
    { { "store_" name, 's', bytes, false, half, NULL, data }, \
      EVERYWHERE, EVERYWHERE, DATA_BITS },
#define ATOMIC_OP(name, bytes, fn, data, gfx11, gfx12, type) \
    { { "atomic_" name, 'a', bytes, false, 0, fn##_fn, data }, \
      gfx11, gfx12, type },
#define ATOMIC(name32, name64, fn, data) \
    ATOMIC_OP(name32, 4, fn, data, MEMORY, MEMORY, DATA_BITS) \
    ATOMIC_OP(name64, 8, fn, 2 * (data), MEMORY, MEMORY, DATA_BITS)

const RdnaOp rdna_ops[] = {
    LOAD("u8", 1, false, 0)
    LOAD("i8", 1, true, 0)
    LOAD("u16", 2, false, 0)
    LOAD("i16", 2, true, 0)
    LOAD("b32", 4, false, 0)
    LOAD("b64", 8, false, 0)
    LOAD("b96", 12, false, 0)
    LOAD("b128", 16, false, 0)
    LOAD("d16_u8", 1, false, 'l')
    LOAD("d16_i8", 1, true, 'l')
    LOAD("d16_b16", 2, false, 'l')
    LOAD("d16_hi_u8", 1, false, 'h')
    LOAD("d16_hi_i8", 1, true, 'h')
    LOAD("d16_hi_b16", 2, false, 'h')
    STORE("b8", 1, 0, 1)
    STORE("b16", 2, 0, 1)
    STORE("b32", 4, 0, 1)
    STORE("b64", 8, 0, 2)
    STORE("b96", 12, 0, 3)
    STORE("b128", 16, 0, 4)
    STORE("d16_hi_b8", 1, 'h', 1)
    STORE("d16_hi_b16", 2, 'h', 1)
    ATOMIC("swap_b32", "swap_b64", swap, 1)
    ATOMIC("cmpswap_b32", "cmpswap_b64", cmpswap, 2)
    ATOMIC("add_u32", "add_u64", add, 1)
    ATOMIC("sub_u32", "sub_u64", sub, 1)
    ATOMIC("min_i32", "min_i64", smin, 1)
    ATOMIC("min_u32", "min_u64", umin, 1)
    ATOMIC("max_i32", "max_i64", smax, 1)
    ATOMIC("max_u32", "max_u64", umax, 1)
    ATOMIC("and_b32", "and_b64", and, 1)
    ATOMIC("or_b32", "or_b64", or, 1)
    ATOMIC("xor_b32", "xor_b64", xor, 1)
    ATOMIC("inc_u32", "inc_u64", inc, 1)
    ATOMIC("dec_u32", "dec_u64", dec, 1)
    ATOMIC_OP("csub_u32", 4, sub_clamp, 1, IN_BUFFER | IN_GLOBAL, 0,
              DATA_BITS)
    ATOMIC_OP("sub_clamp_u32", 4, sub_clamp, 1, 0, MEMORY, DATA_BITS)
    ATOMIC_OP("cond_sub_u32", 4, cond_sub, 1, 0, MEMORY, DATA_BITS)
    ATOMIC_OP("cmpswap_f32", 4, fcmpswap, 2, MEMORY, 0, DATA_F32)
    ATOMIC_OP("min_f32", 4, fmin, 1, MEMORY, 0, DATA_F32)
    ATOMIC_OP("max_f32", 4, fmax, 1, MEMORY, 0, DATA_F32)
    ATOMIC_OP("min_num_f32", 4, fmin_num, 1, 0, MEMORY, DATA_F32)
    ATOMIC_OP("max_num_f32", 4, fmax_num, 1, 0, MEMORY, DATA_F32)
    ATOMIC_OP("add_f32", 4, fadd_flush, 1, MEMORY, 0, DATA_F32)
    ATOMIC_OP("add_f32", 4, fadd, 1, 0, MEMORY, DATA_F32)
    ATOMIC_OP("pk_add_f16", 4, pk_add_f16, 1, 0, MEMORY, DATA_PK_F16)
    ATOMIC_OP("pk_add_bf16", 4, pk_add_bf16, 1, 0, MEMORY, DATA_PK_BF16)
};

const unsigned rdna_op_count = G_N_ELEMENTS(rdna_ops);

unsigned rdna_op_places(const WaveHarness *h, const RdnaOp *op)
{
    return h->w->isa->gen == GEN_12 ? op->gfx12 : op->gfx11;
}

const char *rdna_return(const WaveHarness *h)
{
    return h->w->isa->gen == GEN_12 ? " th:TH_ATOMIC_RETURN" : " glc";
}

/* ---- data ---- */

uint32_t rdna_datum(GRand *rng, RdnaData data)
{
    static const float floats[] = {
        0, -0.f, 1, -1, 1.5f, -2.25f, 3e10f, -3e10f, 1e-40f, -1e-40f,
        0x1p-126f, -0x1p-126f, 0x1.000002p+0f, 0x1p-24f, 100, -77,
    };
    static const uint16_t halves[] = {
        0, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x8003, 0x0400, 0x83ff, 0x7bff,
        0x5640, 0xd123, 0x1001, 0x3c01,
    };
    unsigned n = g_rand_int_range(rng, 0, G_N_ELEMENTS(floats));
    unsigned a = g_rand_int_range(rng, 0, G_N_ELEMENTS(halves));
    unsigned b = g_rand_int_range(rng, 0, G_N_ELEMENTS(halves));
    uint32_t bits;

    switch (data) {
    case DATA_F32:
        memcpy(&bits, &floats[n], 4);
        return bits;
    case DATA_PK_F16:
        return halves[a] | (uint32_t)halves[b] << 16;
    case DATA_PK_BF16:
        return format_bits_of(floats[n]) >> 16 |
               (format_bits_of(floats[a]) & 0xffff0000);
    default:
        bits = g_rand_int(rng);
        return n % 3 ? bits : bits & 0xf;
    }
}
