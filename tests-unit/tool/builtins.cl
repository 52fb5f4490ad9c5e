/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OpenCL's own functions, from AMD's device library. */

/* 16 words a work-item of a 2-dimensional grid, row by row. */
__kernel void ids(__global uint *out)
{
    __global uint *o =
        out + 16 * (get_global_id(1) * get_global_size(0) + get_global_id(0));

    o[0] = get_global_id(0);
    o[1] = get_global_id(1);
    o[2] = get_local_id(0);
    o[3] = get_local_id(1);
    o[4] = get_group_id(0);
    o[5] = get_group_id(1);
    o[6] = get_global_size(0);
    o[7] = get_global_size(1);
    o[8] = get_local_size(0);
    o[9] = get_local_size(1);
    o[10] = get_num_groups(0);
    o[11] = get_num_groups(1);
    o[12] = get_work_dim();
    o[13] = get_global_offset(0);
    o[14] = get_enqueued_local_size(0);
    o[15] = get_global_linear_id();
}

/* Sums the halves of a work-group in local memory, as often as it takes. */
__kernel void sum(__global const uint *in, __global uint *out,
                  __local uint *scratch)
{
    uint l = get_local_id(0);

    scratch[l] = in[get_global_id(0)];
    for (uint w = get_local_size(0) / 2; w > 0; w /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < w) {
            scratch[l] += scratch[l + w];
        }
    }
    if (l == 0) {
        atomic_add(out, scratch[0]);
    }
}

/* Eight results for each input. */
__kernel void maths(__global const float *in, __global float *out)
{
    uint i = get_global_id(0);
    float x = in[i];

    out[8 * i] = sin(x);
    out[8 * i + 1] = exp(x);
    out[8 * i + 2] = log(fabs(x) + 1.0f);
    out[8 * i + 3] = sqrt(fabs(x));
    out[8 * i + 4] = x / 3.0f;
    out[8 * i + 5] = pow(fabs(x), 1.5f);
    out[8 * i + 6] = floor(x);
    out[8 * i + 7] = fma(x, x, 1.0f);
}

/* A stack: an array that is indexed by what is not known beforehand. */
__kernel void stack(__global const uint *in, __global uint *out, uint n)
{
    uint i = get_global_id(0);
    uint a[32];

    for (uint k = 0; k < 32; k++) {
        a[k] = in[(i + k) % n] & 31;
    }
    for (uint k = 0; k < 32; k++) {
        a[a[k] & 31] += k;
    }
    out[i] = a[i % 32];
}
