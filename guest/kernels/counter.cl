/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every work-item counts one memory cell up, @times times, while the CPU does
 * the same: no step may get lost.
 */
#include "gpu.h"

GROUP(64, 1)
kernel void counter(volatile global atomic_uint *cell, uint times)
{
    for (uint i = 0; i < times; i++) {
        __opencl_atomic_fetch_add(cell, 1, __ATOMIC_RELAXED,
                                  __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
    }
}
