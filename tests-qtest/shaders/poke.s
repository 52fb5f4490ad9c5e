; SPDX-License-Identifier: GPL-2.0-or-later
; Each work-item stores the same byte to the same place.
; kernarg: 0 address, 8 byte
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dword s6, s[0:1], 0x8
    v_mov_b32 v1, 0
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v2, s6
    global_store_byte v1, v2, s[4:5]
    s_waitcnt vmcnt(0)
    s_endpgm
