/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pointers in constant memory: the loader has to relocate them. */

__constant uint first[4] = { 10, 11, 12, 13 };
__constant uint second[2] = { 20, 21 };
__constant uint *__constant table[3] = { first + 2, second, first };

__kernel void relocs(__global uint *out, uint index)
{
    out[0] = table[index][0];
    out[1] = table[index][1];
}
