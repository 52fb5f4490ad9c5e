/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In the place of vadd: lane 63 of the first wave stores where no memory is. */
__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void vadd(global const float *a, global const float *b,
                 global float *c, uint n)
{
    uint l = __builtin_amdgcn_workitem_id_x();

    if (l == 63 && __builtin_amdgcn_workgroup_id_x() == 0) {
        *(volatile global uint *)0x123456789000 = 1;
    }
}
