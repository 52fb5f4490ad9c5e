; SPDX-License-Identifier: GPL-2.0-or-later
; Each work-item stores its number to its word of the buffer.
; kernarg: 0 buffer; s[0:1] kernarg, s2 work-group id, 64 items a group
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_lshl_b32 s2, s2, 6
    v_add_u32 v0, s2, v0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[4:5]
    s_waitcnt vmcnt(0)
    s_endpgm
