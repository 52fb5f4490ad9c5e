; SPDX-License-Identifier: GPL-2.0-or-later
; Each work-item loads a word and stores it, and its address goes up by a step.
; kernarg: 0 source, 8 result, 16 step in bytes; s2 work-group id of 64 items
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dword s8, s[0:1], 0x10
    s_lshl_b32 s2, s2, 6
    v_add_u32 v0, s2, v0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mul_lo_u32 v2, v0, s8
    global_load_dword v3, v2, s[4:5]
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_waitcnt vmcnt(0)
    s_endpgm
