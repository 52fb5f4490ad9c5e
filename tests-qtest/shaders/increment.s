; SPDX-License-Identifier: GPL-2.0-or-later
; Each work-item adds 1 to the counter.
; kernarg: 0 counter
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 1
    s_waitcnt lgkmcnt(0)
    global_atomic_add v1, v2, s[4:5]
    s_waitcnt vmcnt(0)
    s_endpgm
