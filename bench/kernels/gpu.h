/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work-item identity, barriers and a few maths helpers, spelled so that the
 * same kernels build with an OpenCL runtime and with a bare
 * "clang -target amdgcn-amd-amdhsa" that has no device libraries. */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#pragma OPENCL FP_CONTRACT OFF

#define WG(x, y, z) __attribute__((reqd_work_group_size(x, y, z)))

#if defined(__AMDGCN__)

#define LID(d) LID_##d
#define LID_0 __builtin_amdgcn_workitem_id_x()
#define LID_1 __builtin_amdgcn_workitem_id_y()
#define GRP(d) GRP_##d
#define GRP_0 __builtin_amdgcn_workgroup_id_x()
#define GRP_1 __builtin_amdgcn_workgroup_id_y()

#define FMA32(a, b, c) __builtin_fmaf(a, b, c)
#define FMA64(a, b, c) __builtin_fma(a, b, c)
#define SQRT64(a) __builtin_sqrt(a)

#define WG_BARRIER()                                     \
    do {                                                 \
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
        __builtin_amdgcn_s_barrier();                    \
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
    } while (0)

#define GLOBAL_ATOMIC_ADD(p, v)                                        \
    ((void)__opencl_atomic_fetch_add((volatile __global atomic_uint *)(p), \
                                     (v), __ATOMIC_RELAXED,            \
                                     __OPENCL_MEMORY_SCOPE_DEVICE))

#else

#define LID(d) ((uint)get_local_id(d))
#define GRP(d) ((uint)get_group_id(d))
#define FMA32(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define FMA64(a, b, c) fma((double)(a), (double)(b), (double)(c))
#define SQRT64(a) sqrt((double)(a))
#define WG_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_ATOMIC_ADD(p, v) ((void)atomic_add((volatile __global uint *)(p), (v)))

#endif
#endif
