/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of math-functions.inc over arrays, with AMD's device library. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define KERNEL(t, name, second, call)                                       \
    __kernel void t##_##name(__global const t *a, __global const second *b, \
                             __global const t *c, __global t *out)          \
    {                                                                       \
        size_t i = get_global_id(0);                                        \
                                                                            \
        out[i] = call;                                                      \
    }
#define BOTH(name, call)                 \
    KERNEL(float, name, float, call)     \
    KERNEL(double, name, double, call)

#define F1(name, ...) BOTH(name, name(a[i]))
#define F2(name, ...) BOTH(name, name(a[i], b[i]))
#define F3(name, ...) BOTH(name, name(a[i], b[i], c[i]))
#define FI(name, ...)                             \
    KERNEL(float, name, int, name(a[i], b[i]))    \
    KERNEL(double, name, int, name(a[i], b[i]))
#include "math-functions.inc"
