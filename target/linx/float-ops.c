/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FLOAT rows of ops.inc over lanes, and those that the host can do. */
#include <string.h>
#include <emmintrin.h>
#include "target/linx/alu.h"

/* Lanes that are switched off raise no flags: they are left out. */
#define FLOAT(op, flags, told, ...) \
    void linx_do_##op(LinxOperands *x) \
    { \
        LinxFp *e = &x->fp; \
        for (uint64_t left = x->active; left; left &= left - 1) { \
            unsigned i = __builtin_ctzll(left); \
            uint64_t a = x->a[i], b = x->b[i], c = x->c[i]; \
            (void)b; (void)c; \
            x->result[i] = __VA_ARGS__; \
        } \
    }
#include "target/linx/ops-rows.h"

/* ---- on the host ---- */

/*
 * IEEE 754 leaves a host no choice in these but which NaN it makes, and x86
 * finds tiny results after rounding as well.  Compilers may not move what is
 * between the barriers over them: it begins with loads and ends with stores.
 */
#define BARRIER(pointer) __asm__ volatile("" :: "r"(pointer) : "memory")

uint8_t linx_host_flags(unsigned mxcsr)
{
    /* IE DE ZE OE UE PE */
    return (mxcsr & 1 ? LINX_NV : 0) | (mxcsr & 4 ? LINX_DZ : 0) |
           (mxcsr & 8 ? LINX_OF : 0) | (mxcsr & 16 ? LINX_UF : 0) |
           (mxcsr & 32 ? LINX_NX : 0);
}

/* Operands of all lanes; 1 where nothing may be raised. */
#define TO_HOST(type, bits) \
    static void to_##type(const uint64_t *from, uint64_t active, type one, \
                          type *to) \
    { \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            bits v = from[i]; \
            memcpy(&to[i], &v, sizeof(v)); \
        } \
        for (uint64_t left = ~active; left; left &= left - 1) { \
            to[__builtin_ctzll(left)] = one; \
        } \
    } \
    /* Returns the lanes that are NaNs. */ \
    static uint64_t from_##type(const type *from, uint64_t *to) \
    { \
        uint64_t nans = 0; \
        bool any = false; \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            bits v; \
            memcpy(&v, &from[i], sizeof(v)); \
            to[i] = v; \
            any |= from[i] != from[i]; \
        } \
        for (unsigned i = 0; any && i < LINX_LANES; i++) { \
            nans |= (uint64_t)(from[i] != from[i]) << i; \
        } \
        return nans; \
    }
TO_HOST(float, uint32_t)
TO_HOST(double, uint64_t)

/* @expression of a[i], b[i], c[i], or of what it needs of them. */
#define HOST(name, type, attributes, sources, expression) \
    attributes static uint64_t host_##name##_##type(LinxOperands *x) \
    { \
        type a[LINX_LANES], b[LINX_LANES], c[LINX_LANES], r[LINX_LANES]; \
        uint64_t nans; \
        unsigned flags; \
        to_##type(x->a, x->active, 1, a); \
        if (sources > 1) { \
            to_##type(x->b, x->active, 1, b); \
        } \
        if (sources > 2) { \
            to_##type(x->c, x->active, 1, c); \
        } \
        _mm_setcsr(LINX_HOST_MXCSR); \
        BARRIER(a); \
        BARRIER(b); \
        BARRIER(c); \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            r[i] = expression; \
        } \
        BARRIER(r); \
        flags = _mm_getcsr(); \
        nans = from_##type(r, x->result); \
        x->fp.flags |= linx_host_flags(flags); \
        return nans; \
    }

#define BOTH(name, attributes, sources, expression) \
    HOST(name, float, attributes, sources, expression) \
    HOST(name, double, attributes, sources, expression)

#define ROOT_float(v) _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(v)))
#define ROOT_double(v) \
    _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(v)))

BOTH(add, , 2, a[i] + b[i])
BOTH(sub, , 2, a[i] - b[i])
BOTH(mul, , 2, a[i] * b[i])
BOTH(div, , 2, a[i] / b[i])
BOTH(recip, , 1, 1 / a[i])
HOST(sqrt, float, , 1, ROOT_float(a[i]))
HOST(sqrt, double, , 1, ROOT_double(a[i]))

/* Fused, where the host has it; the exact functions do the same. */
#define FUSED __attribute__((target("avx2,fma")))
#define MADD(name, ab, sign) \
    HOST(name, float, FUSED, 3, __builtin_fmaf(ab a[i], b[i], sign c[i])) \
    HOST(name, double, FUSED, 3, __builtin_fma(ab a[i], b[i], sign c[i]))
MADD(madd, , )
MADD(msub, , -)
MADD(nmadd, -, -)
MADD(nmsub, -, )

static const struct {
    uint16_t op;
    bool fused;
    LinxHostFn *fn[2]; /* binary64, binary32 */
} hosts[] = {
#define ROW(op, name, fused) \
    { LINX_##op, fused, { host_##name##_double, host_##name##_float } },
    ROW(V_FADD, add, false) ROW(V_FSUB, sub, false)
    ROW(V_FMUL, mul, false) ROW(V_FDIV, div, false)
    ROW(V_FRECIP, recip, false) ROW(V_FSQRT, sqrt, false)
    ROW(V_FMADD, madd, true) ROW(V_FMSUB, msub, true)
    ROW(V_FNMADD, nmadd, true) ROW(V_FNMSUB, nmsub, true)
#undef ROW
};

static bool host_has_fused(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

LinxHostFn *linx_host_float(LinxOp op, unsigned format)
{
    for (unsigned i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        if (hosts[i].op == op && format <= LINX_FP_FS &&
            (!hosts[i].fused || host_has_fused())) {
            return hosts[i].fn[format];
        }
    }
    return NULL;
}

void linx_host_do(LinxHostFn *host, LinxOpFn *exact, LinxOperands *x)
{
    unsigned mxcsr = _mm_getcsr();
    uint64_t active = x->active, nans = host(x);

    _mm_setcsr(mxcsr);
    if (nans & active) { /* which NaN it is, float.h says */
        x->active = nans & active;
        exact(x);
        x->active = active;
    }
}

/* ---- sums in the order of lanes ---- */

#define SUM(type, bits) \
    static uint64_t sum_##type(uint64_t start, const uint64_t *value, \
                               uint64_t lanes, uint8_t *flags) \
    { \
        type v[LINX_LANES], sum; \
        bits word = start; \
        to_##type(value, ~0ull, 1, v); \
        memcpy(&sum, &word, sizeof(sum)); \
        _mm_setcsr(LINX_HOST_MXCSR); \
        BARRIER(v); \
        BARRIER(&sum); \
        for (; lanes; lanes &= lanes - 1) { \
            sum += v[__builtin_ctzll(lanes)]; \
        } \
        BARRIER(&sum); \
        *flags |= linx_host_flags(_mm_getcsr()); \
        memcpy(&word, &sum, sizeof(word)); \
        return word; \
    }
SUM(float, uint32_t)
SUM(double, uint64_t)

bool linx_host_sum(LinxFp *e, uint64_t *sum, const uint64_t *value,
                   uint64_t lanes)
{
    unsigned mxcsr = _mm_getcsr();
    uint8_t flags = 0;
    uint64_t result;

    if (e->format > LINX_FP_FS || e->rounding != LINX_RNE || e->saturate) {
        return false;
    }
    result = (e->format == LINX_FP_FS ? sum_float : sum_double)(
        *sum, value, lanes, &flags);
    _mm_setcsr(mxcsr);
    if (linx_fp_is_nan(e, result)) {
        return false;
    }
    *sum = result;
    e->flags |= flags;
    return true;
}
