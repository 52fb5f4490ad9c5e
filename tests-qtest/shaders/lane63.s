; SPDX-License-Identifier: GPL-2.0-or-later
; Every lane stores its number through its own pointer from a table.
; kernarg: 0 table of 64 pointers
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 3, v0
    s_waitcnt lgkmcnt(0)
    global_load_dwordx2 v[2:3], v1, s[4:5]
    s_waitcnt vmcnt(0)
    global_store_dword v[2:3], v0, off
    s_waitcnt vmcnt(0)
    s_endpgm
