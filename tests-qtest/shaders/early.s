; SPDX-License-Identifier: GPL-2.0-or-later
; Reads what it loads without waiting for it.
; kernarg: 0 buffer; s[0:1] kernarg
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[4:5]
    v_mov_b32 v3, v2
    s_waitcnt vmcnt(0)
    s_endpgm
