/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the random kernels of gen-kernels.py are written in: OpenCL C for
 * gfx900, and the same source as C for the host.
 *
 * Only what both define is used: integers wrap, shifts and divisors are
 * masked, conversions of floats are in range, floats are rounded once, and a
 * NaN is made the same before its bits are looked at.
 */
#ifndef TESTS_ISA_KERNEL_H
#define TESTS_ISA_KERNEL_H

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;

#define VECTORS(t)                                     \
    typedef t t##x2 __attribute__((ext_vector_type(2))); \
    typedef t t##x3 __attribute__((ext_vector_type(3))); \
    typedef t t##x4 __attribute__((ext_vector_type(4))); \
    typedef t t##x8 __attribute__((ext_vector_type(8)));
VECTORS(u8)
VECTORS(i8)
VECTORS(u16)
VECTORS(i16)
VECTORS(u32)
VECTORS(i32)
VECTORS(u64)
VECTORS(i64)
VECTORS(f16)
VECTORS(f32)
VECTORS(f64)

#ifdef __AMDGCN__

#define GLOBAL __global
#define LOCAL __local
#define KERNEL(name, x, y) \
    __attribute__((reqd_work_group_size(x, y, 1))) __kernel void name
#define LX ((u32)__builtin_amdgcn_workitem_id_x())
#define LY ((u32)__builtin_amdgcn_workitem_id_y())
#define GROUP_ID ((u32)__builtin_amdgcn_workgroup_id_x())
#define BARRIER()                                              \
    do {                                                       \
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
        __builtin_amdgcn_s_barrier();                          \
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
    } while (0)
#define ATOMIC(op, space, type, p, v)                                  \
    __opencl_atomic_##op((volatile space atomic_##type *)(p), (v),     \
                         __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
#define CAS(space, type, p, old, v)                                     \
    __opencl_atomic_compare_exchange_strong(                            \
        (volatile space atomic_##type *)(p), (old), (v),                \
        __ATOMIC_RELAXED, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
#define __opencl_atomic_fetch_fadd __opencl_atomic_fetch_add
#define COUNTER(op, t, p, v) \
    (t)__builtin_amdgcn_atomic_##op(p, v, __ATOMIC_RELAXED, "agent")
#define ANY_REGISTER(x) "+v"(x)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#else

#define GLOBAL
#define LOCAL static
#define KERNEL(name, x, y) void name
#define LX (native_id.x)
#define LY (native_id.y)
#define GROUP_ID (native_id.group)
#define BARRIER() native_barrier()
#define ANY_REGISTER(x) "+r"(x)
#define ATOMIC(op, space, type, p, v) ATOMIC_##op(p, v)
#define ATOMIC_fetch_add(p, v) __atomic_fetch_add(p, v, 0)
#define ATOMIC_fetch_sub(p, v) __atomic_fetch_sub(p, v, 0)
#define ATOMIC_fetch_and(p, v) __atomic_fetch_and(p, v, 0)
#define ATOMIC_fetch_or(p, v) __atomic_fetch_or(p, v, 0)
#define ATOMIC_fetch_xor(p, v) __atomic_fetch_xor(p, v, 0)
#define ATOMIC_fetch_min(p, v) __atomic_fetch_min(p, v, 0)
#define ATOMIC_fetch_max(p, v) __atomic_fetch_max(p, v, 0)
#define ATOMIC_exchange(p, v) __atomic_exchange_n(p, v, 0)
#define CAS(space, type, p, old, v) \
    __atomic_compare_exchange_n(p, old, v, 0, 0, 0)
/* Of floats, and counters that wrap: items run one after the other here. */
#define OLD(p, new)                     \
    ({                                  \
        __typeof__(*(p)) m_ = *(p), *p_ = (p); \
                                        \
        *p_ = (new);                    \
        m_;                             \
    })
#define ATOMIC_fetch_fadd(p, v) OLD(p, m_ + (v))
#define COUNTER(op, t, p, v) NATIVE_##op(p, (t)(v))
#define NATIVE_inc32(p, v) OLD(p, m_ >= (v) ? 0 : m_ + 1)
#define NATIVE_dec32(p, v) OLD(p, m_ == 0 || m_ > (v) ? (v) : m_ - 1)
#define NATIVE_inc64(p, v) NATIVE_inc32(p, v)
#define NATIVE_dec64(p, v) NATIVE_dec32(p, v)

typedef struct NativeId {
    u32 x, y, group;
} NativeId;

typedef void NativeKernel(const u32 *in, u32 *out, u32 *acc, u32 p0, u64 p1,
                          f32 p2);

typedef struct NativeEntry {
    const char *name;
    NativeKernel *fn;
    u32 x, y, groups;
} NativeEntry;

/* Set by the runner: which work-item runs, how it lets the others go on. */
NativeId native_id;
void (*native_barrier)(void);

#endif

#define NOINLINE __attribute__((noinline)) static
#define INLINE __attribute__((always_inline)) static inline

/*
 * Division of all that may be divided; the rest gives the dividend.  LLVM 19
 * takes an unsigned dividend that it knows to be sign-extended for a small
 * number and divides in 32 or 24 bits: so it is not to know.
 */
#define KNOWN(x)
#define HIDDEN(x) __asm__ volatile("" : ANY_REGISTER(x))
#define DIVISION(t, hide)                                            \
    INLINE t div_##t(t a, t b)                                       \
    {                                                                \
        hide(a);                                                     \
        return b == 0 || ((t)-1 < 0 && b == (t)-1) ? a : (t)(a / b); \
    }                                                                \
    INLINE t rem_##t(t a, t b)                                       \
    {                                                                \
        hide(a);                                                     \
        return b == 0 || ((t)-1 < 0 && b == (t)-1) ? a : (t)(a % b); \
    }
DIVISION(u8, KNOWN)
DIVISION(i8, KNOWN)
DIVISION(u16, KNOWN)
DIVISION(i16, KNOWN)
DIVISION(u32, HIDDEN)
DIVISION(i32, KNOWN)
DIVISION(u64, HIDDEN)
DIVISION(i64, KNOWN)

#define COUNTS(t, bits)                                                \
    INLINE t clz_##t(t x)                                              \
    {                                                                  \
        return x ? (t)(__builtin_clzl((u64)x) - (64 - bits)) : bits;   \
    }                                                                  \
    INLINE t ctz_##t(t x) { return x ? (t)__builtin_ctzl((u64)x) : bits; } \
    INLINE t pop_##t(t x) { return (t)__builtin_popcountl((u64)x); }   \
    INLINE t rot_##t(t x, u32 n)                                       \
    {                                                                  \
        return (t)(x << (n & (bits - 1)) | x >> (-n & (bits - 1)));    \
    }                                                                  \
    INLINE t addsat_##t(t a, t b)                                      \
    {                                                                  \
        return (t)(a + b) < a ? (t)-1 : (t)(a + b);                    \
    }
COUNTS(u8, 8)
COUNTS(u16, 16)
COUNTS(u32, 32)
COUNTS(u64, 64)

INLINE u32 mulhi_u32(u32 a, u32 b) { return (u64)a * b >> 32; }
INLINE i32 mulhi_i32(i32 a, i32 b) { return (i64)a * b >> 32; }
INLINE u64 mulhi_u64(u64 a, u64 b)
{
    u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
    u64 mid = ah * bl + (al * bl >> 32), low = (u32)mid + al * bh;

    return ah * bh + (mid >> 32) + (low >> 32);
}
INLINE u32 mad24_u32(u32 a, u32 b, u32 c)
{
    return (a & 0xffffff) * (b & 0xffffff) + c;
}
INLINE i32 mad24_i32(i32 a, i32 b, i32 c)
{
    return (a << 8 >> 8) * (b << 8 >> 8) + c;
}
/*
 * Not a sum of absolute differences: LLVM 19 takes the selection out of
 * "x > y ? x - y : y - x" of two bytes for gfx900, and leaves x - y.
 */
INLINE u32 dot4_u32(u32 a, u32 b, u32 c)
{
    for (int i = 0; i < 32; i += 8) {
        c += (a >> i & 255) * (b >> i & 255);
    }
    return c;
}
INLINE u32 brev_u32(u32 x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

/* Floats to integers, where they are in range. */
#define CONVERSION(f, t, least, limit)                         \
    INLINE t f##_to_##t(f x)                                   \
    {                                                          \
        return x >= (f)(least) && x < (f)(limit) ? (t)x : (t)0; \
    }
CONVERSION(f32, u8, 0, 256)
CONVERSION(f32, i8, -128, 128)
CONVERSION(f32, u16, 0, 65536)
CONVERSION(f32, i16, -32768, 32768)
CONVERSION(f32, u32, 0, 4294967296.0)
CONVERSION(f32, i32, -2147483648.0, 2147483648.0)
CONVERSION(f32, u64, 0, 18446744073709551616.0)
CONVERSION(f32, i64, -9223372036854775808.0, 9223372036854775808.0)
CONVERSION(f64, u8, 0, 256)
CONVERSION(f64, i8, -128, 128)
CONVERSION(f64, u16, 0, 65536)
CONVERSION(f64, i16, -32768, 32768)
CONVERSION(f64, u32, 0, 4294967296.0)
CONVERSION(f64, i32, -2147483648.0, 2147483648.0)
CONVERSION(f64, u64, 0, 18446744073709551616.0)
CONVERSION(f64, i64, -9223372036854775808.0, 9223372036854775808.0)
CONVERSION(f16, u8, 0, 256)
CONVERSION(f16, i8, -128, 128)
CONVERSION(f16, u16, 0, 32768)
CONVERSION(f16, i16, -32768, 32752)
CONVERSION(f16, u32, 0, 65504)
CONVERSION(f16, i32, -65504, 65504)
CONVERSION(f16, u64, 0, 65504)
CONVERSION(f16, i64, -65504, 65504)

/* Bits of floats, with one NaN; floats of bits, with none. */
#define BITS(f, t, nan)                  \
    INLINE t bits_##f(f x)               \
    {                                    \
        union { f from; t to; } u = { x }; \
        return x == x ? u.to : (t)nan;   \
    }                                    \
    INLINE f make_##f(t x)               \
    {                                    \
        union { t from; f to; } u = { x }; \
        return u.to == u.to ? u.to : (f)1.5; \
    }
BITS(f16, u16, 0x7e00)
BITS(f32, u32, 0x7fc00000)
BITS(f64, u64, 0x7ff8000000000000)

#define fabs_f16(x) __builtin_fabsf16(x)
#define fabs_f32(x) __builtin_fabsf(x)
#define fabs_f64(x) __builtin_fabs(x)
#define fma_f32(a, b, c) __builtin_fmaf(a, b, c)
#define fma_f64(a, b, c) __builtin_fma(a, b, c)
#define sqrt_f32(x) __builtin_sqrtf(x)
#define sqrt_f64(x) __builtin_sqrt(x)
#define floor_f32(x) __builtin_floorf(x)
#define floor_f64(x) __builtin_floor(x)
#define ceil_f32(x) __builtin_ceilf(x)
#define ceil_f64(x) __builtin_ceil(x)
#define trunc_f32(x) __builtin_truncf(x)
#define trunc_f64(x) __builtin_trunc(x)
#define rint_f32(x) __builtin_rintf(x)
#define rint_f64(x) __builtin_rint(x)

#define floor_f16(x) __builtin_floorf16(x)
#define ceil_f16(x) __builtin_ceilf16(x)
#define trunc_f16(x) __builtin_truncf16(x)
#define rint_f16(x) __builtin_rintf16(x)

/* The host has no fused operation of halves: the sum is exact in 113 bits. */
#ifdef __AMDGCN__
#define fma_f16(a, b, c) __builtin_fmaf16(a, b, c)
#else
#define fma_f16(a, b, c) ((f16)((__float128)(a) * (b) + (c)))
#endif

/* Of two zeroes either may be the least; adding 0 gives the positive one. */
#define EXTREMES(t, end)                                             \
    INLINE t fmin_##t(t a, t b) { return __builtin_fmin##end(a, b) + (t)0; } \
    INLINE t fmax_##t(t a, t b) { return __builtin_fmax##end(a, b) + (t)0; }
EXTREMES(f16, f16)
EXTREMES(f32, f)
EXTREMES(f64, )

/*
 * Saturating sums, least and greatest: of vectors, and of numbers, which would
 * become int by themselves.
 */
#define vsat_add(a, b) __builtin_elementwise_add_sat(a, b)
#define vsat_sub(a, b) __builtin_elementwise_sub_sat(a, b)
#define vleast(a, b) __builtin_elementwise_min(a, b)
#define vgreatest(a, b) __builtin_elementwise_max(a, b)
#define LIMITED(t)                                                          \
    INLINE t sat_add_##t(t a, t b) { return vsat_add((t##x2)a, (t##x2)b).x; } \
    INLINE t sat_sub_##t(t a, t b) { return vsat_sub((t##x2)a, (t##x2)b).x; } \
    INLINE t least_##t(t a, t b) { return a < b ? a : b; }                  \
    INLINE t greatest_##t(t a, t b) { return a > b ? a : b; }
LIMITED(u8)
LIMITED(i8)
LIMITED(u16)
LIMITED(i16)
LIMITED(u32)
LIMITED(i32)
LIMITED(u64)
LIMITED(i64)

/* Four bytes, and two halves, of a dword. */
#define PARTS(t, n)                                   \
    INLINE t##x##n parts_##t(u32 x)                   \
    {                                                 \
        union { u32 from; t##x##n to; } u = { x };    \
        return u.to;                                  \
    }                                                 \
    INLINE u32 whole_##t(t##x##n x)                   \
    {                                                 \
        union { t##x##n from; u32 to; } u = { x };    \
        return u.to;                                  \
    }
PARTS(u8, 4)
PARTS(i8, 4)
PARTS(u16, 2)
PARTS(i16, 2)

INLINE i32 dot4_i32(u32 a, u32 b, i32 c)
{
    for (int i = 0; i < 32; i += 8) {
        c += (i8)(a >> i) * (i8)(b >> i);
    }
    return c;
}
INLINE i32 dot2_i32(u32 a, u32 b, i32 c)
{
    return c + (i16)a * (i16)b + (i16)(a >> 16) * (i16)(b >> 16);
}

INLINE u32 mix(u32 h, u32 x)
{
    h = (h ^ x) * 0x9e3779b1;
    return h ^ h >> 15;
}

INLINE u32 mix64(u32 h, u64 x)
{
    return mix(mix(h, (u32)x), (u32)(x >> 32));
}

#endif
