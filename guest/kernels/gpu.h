/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernels need from the machine when they are built without OpenCL's
 * library: who am I, and a barrier.  All kernels here fix their work-group
 * size, so that no hidden argument and no dispatch packet has to be read.
 */
#ifndef GUEST_GPU_H
#define GUEST_GPU_H

#pragma OPENCL FP_CONTRACT OFF

#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))
#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define LOCAL_Y __builtin_amdgcn_workitem_id_y()
#define GROUP_X __builtin_amdgcn_workgroup_id_x()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()

/* All work-items of the group arrive, and see each other's LDS stores. */
static inline void group_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#endif
