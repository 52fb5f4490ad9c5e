; SPDX-License-Identifier: GPL-2.0-or-later
; Says that it has started, then counts for ever in memory.
; kernarg: 0 buffer: word 0 started, word 1 counter
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 1
    v_mov_b32 v3, 0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[4:5]
loop:
    v_add_u32 v3, 1, v3
    global_store_dword v1, v3, s[4:5] offset:4
    s_branch loop
    s_endpgm
