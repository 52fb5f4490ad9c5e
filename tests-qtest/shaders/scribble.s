; SPDX-License-Identifier: GPL-2.0-or-later
; Stores words that mean nothing at places chosen at random, for ever.
; kernarg: 0 buffer, 8 mask of byte offsets; s[0:1] kernarg
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dword s6, s[0:1], 0x8
    s_mov_b32 s7, 1664525
    s_mov_b32 s8, 1013904223
    v_mul_lo_u32 v1, v0, s8
    s_waitcnt lgkmcnt(0)
again:
    v_mul_lo_u32 v1, v1, s7
    v_add_u32 v1, s8, v1
    v_lshrrev_b32 v2, 8, v1
    v_and_b32 v2, s6, v2
    v_lshrrev_b32 v4, 27, v1
    v_lshrrev_b32 v3, v4, v1
    global_store_dword v2, v3, s[4:5]
    s_branch again
