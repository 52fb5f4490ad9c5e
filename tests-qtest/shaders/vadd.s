; SPDX-License-Identifier: GPL-2.0-or-later
; c[i] = a[i] + b[i], 64 work-items a group
; kernarg: 0 a, 8 b, 16 c
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dwordx2 s[8:9], s[0:1], 0x10
    s_lshl_b32 s2, s2, 6
    v_add_u32 v0, s2, v0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[4:5]
    global_load_dword v3, v1, s[6:7]
    s_waitcnt vmcnt(0)
    v_add_u32 v2, v2, v3
    global_store_dword v1, v2, s[8:9]
    s_waitcnt vmcnt(0)
    s_endpgm
