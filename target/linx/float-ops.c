/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FLOAT rows of ops.inc over lanes, and those that the host can do. */
#include <string.h>
#include <xmmintrin.h>
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
#define BARRIER() __asm__ volatile("" ::: "memory")

enum { HOST_DEFAULT = 0x1f80 }; /* MXCSR: nearest, all masked, no flags */

static uint8_t host_flags(unsigned mxcsr)
{
    /* IE DE ZE OE UE PE */
    return (mxcsr & 1 ? LINX_NV : 0) | (mxcsr & 4 ? LINX_DZ : 0) |
           (mxcsr & 8 ? LINX_OF : 0) | (mxcsr & 16 ? LINX_UF : 0) |
           (mxcsr & 32 ? LINX_NX : 0);
}

#define TO_HOST(type, bits, from, one) \
    for (unsigned i = 0; i < LINX_LANES; i++) { \
        bits v = x->from[i]; \
        v = x->active >> i & 1 ? v : (bits)one; \
        memcpy(&from[i], &v, sizeof(v)); \
    }

#define HOST(op, type, bits, one, expression) \
    static void host_##op##_##type(LinxOperands *x) \
    { \
        type a[LINX_LANES], b[LINX_LANES], r[LINX_LANES]; \
        TO_HOST(type, bits, a, one) \
        TO_HOST(type, bits, b, one) \
        BARRIER(); \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            r[i] = expression; \
        } \
        __asm__ volatile("" :: "r"(a), "r"(b), "r"(r) : "memory"); \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            bits v; \
            memcpy(&v, &r[i], sizeof(v)); \
            x->result[i] = v; \
        } \
    }

#define BOTH(op, expression) \
    HOST(op, float, uint32_t, 0x3f800000, expression) \
    HOST(op, double, uint64_t, 0x3ff0000000000000, expression)

BOTH(add, a[i] + b[i])
BOTH(sub, a[i] - b[i])
BOTH(mul, a[i] * b[i])
BOTH(div, a[i] / b[i])

static const struct {
    uint16_t op;
    LinxOpFn *fn[2]; /* binary64, binary32 */
} hosts[] = {
#define ROW(op, name) \
    { LINX_##op, { host_##name##_double, host_##name##_float } },
    ROW(V_FADD, add) ROW(V_FSUB, sub) ROW(V_FMUL, mul) ROW(V_FDIV, div)
#undef ROW
};

LinxOpFn *linx_host_float(LinxOp op, unsigned format)
{
    for (unsigned i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        if (hosts[i].op == op && format <= LINX_FP_FS) {
            return hosts[i].fn[format];
        }
    }
    return NULL;
}

/* NaNs are made by the rules of float.h. */
static void redo_nans(LinxOperands *x, LinxOpFn *exact)
{
    uint64_t nans = 0, active = x->active;

    for (unsigned i = 0; i < LINX_LANES; i++) {
        nans |= (uint64_t)linx_fp_is_nan(&x->fp, x->result[i]) << i;
    }
    if (nans & active) {
        x->active = nans & active;
        exact(x);
        x->active = active;
    }
}

void linx_host_do(LinxOpFn *host, LinxOpFn *exact, LinxOperands *x)
{
    unsigned mxcsr = _mm_getcsr();

    _mm_setcsr(HOST_DEFAULT);
    host(x);
    x->fp.flags |= host_flags(_mm_getcsr());
    _mm_setcsr(mxcsr);
    redo_nans(x, exact);
}
