; SPDX-License-Identifier: GPL-2.0-or-later
; Reads a word for ever and counts how often.
; kernarg: 0 word, 8 buffer: word 0 started, word 1 counter
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 1
    v_mov_b32 v3, 0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
loop:
    global_load_dword v4, v1, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_add_u32 v3, 1, v3
    global_store_dword v1, v3, s[6:7] offset:4
    s_branch loop
    s_endpgm
