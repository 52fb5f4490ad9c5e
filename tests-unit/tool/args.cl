/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels with every kind of argument, for the loader's and tool's tests. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct { uint a, b, c; } Triple;

/* One scalar of each size, written out as 64-bit words. */
__kernel void scalars(__global ulong *out, uchar u8, ushort u16, uint u32,
                      ulong u64, char i8, short i16, int i32, long i64,
                      half f16, float f32, double f64, Triple triple)
{
    out[0] = u8;
    out[1] = u16;
    out[2] = u32;
    out[3] = u64;
    out[4] = (ulong)(long)i8;
    out[5] = (ulong)(long)i16;
    out[6] = (ulong)(long)i32;
    out[7] = (ulong)i64;
    out[8] = as_ushort(f16);
    out[9] = as_uint(f32);
    out[10] = as_ulong(f64);
    out[11] = triple.a;
    out[12] = triple.b;
    out[13] = triple.c;
}

/* Two blocks of dynamic LDS: their addresses tell how they were placed. */
__kernel void locals(__global uint *out, __local uint *a, uint n,
                     __local double *b)
{
    __local uint own[4];

    own[__builtin_amdgcn_workitem_id_x() & 3] = n;
    a[0] = n;
    b[0] = 1.0;
    out[0] = (uint)(__local char *)own;
    out[1] = (uint)(__local char *)a;
    out[2] = (uint)(__local char *)b;
}

/* The hidden arguments, raw: 32 words of them, and the group's size. */
__attribute__((reqd_work_group_size(4, 2, 1)))
__kernel void hidden(__global uint *out)
{
    __constant uint *words = __builtin_amdgcn_implicitarg_ptr();

    for (uint i = 0; i < 32; i++) {
        out[i] = words[i];
    }
    out[32] = __builtin_amdgcn_workgroup_size_x();
    out[33] = __builtin_amdgcn_grid_size_x();
}
