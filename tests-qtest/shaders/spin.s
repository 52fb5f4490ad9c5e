; SPDX-License-Identifier: GPL-2.0-or-later
; Spins until the flag in memory is not 0.
; kernarg: 0 flag
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_mov_b32 v1, 0
    s_waitcnt lgkmcnt(0)
loop:
    global_load_dword v2, v1, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_cmp_eq_u32 vcc, 0, v2
    s_cbranch_vccnz loop
    s_endpgm
