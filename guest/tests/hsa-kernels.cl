/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels of the HSA tests. */
#include "../kernels/gpu.h"

#define INDEX (GROUP_X * 64 + LOCAL_X)
#define ALL_DEVICES __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES

GROUP(64, 1)
kernel void add(global const uint *a, global const uint *b, global uint *sum)
{
    sum[INDEX] = a[INDEX] + b[INDEX];
}

/* The array is indexed by data, so it has to be in scratch memory. */
GROUP(64, 1)
kernel void scratch(global const uint *order, global uint *out)
{
    volatile uint copy[256];

    for (uint k = 0; k < 256; k++) {
        copy[order[k] & 255] = k * 3 + INDEX;
    }
    out[INDEX] = copy[order[INDEX & 255] & 255];
}

/* The CPU counts at the same time. */
GROUP(64, 1)
kernel void count(volatile global atomic_uint *counter, uint rounds)
{
    for (uint k = 0; k < rounds; k++) {
        __opencl_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, ALL_DEVICES);
    }
}

/* Ends when the CPU says so, which it does not in some tests. */
GROUP(64, 1)
kernel void spin(volatile global atomic_uint *stop,
                 volatile global atomic_uint *started)
{
    __opencl_atomic_fetch_add(started, 1, __ATOMIC_RELAXED, ALL_DEVICES);
    while (!__opencl_atomic_load(stop, __ATOMIC_RELAXED, ALL_DEVICES)) {
    }
}

GROUP(64, 1)
kernel void store_to(ulong at, uint value)
{
    *(global uint *)at = value;
}

/* Stores again and again; ends when the memory is not its own any more. */
GROUP(64, 1)
kernel void store_on(volatile global uint *at,
                     volatile global atomic_uint *started)
{
    for (;;) {
        at[INDEX] = 1;
        __opencl_atomic_fetch_add(started, 1, __ATOMIC_RELAXED, ALL_DEVICES);
    }
}

GROUP(64, 1)
kernel void trap(ulong unused)
{
    __builtin_trap();
}
