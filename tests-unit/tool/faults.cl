/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that do not end well. */

/* Work-item `lane` stores to address `where`, all others to out. */
__kernel void stray(__global uint *out, ulong where, uint lane)
{
    uint i = __builtin_amdgcn_workitem_id_x();
    __global uint *p = i == lane ? (__global uint *)where : out + i;

    *p = i;
}

/* Reads one word behind where `in` says. */
__kernel void overrun(__global const uint *in, __global uint *out, ulong at)
{
    out[0] = in[at];
}

__kernel void trap(__global uint *out)
{
    out[0] = 1;
    __builtin_trap();
}

/* Never ends. */
__kernel void endless(__global volatile uint *out)
{
    while (1) {
        out[0] += 1;
    }
}
