; SPDX-License-Identifier: GPL-2.0-or-later
; Each work-item stores what it knows of its place to its 16 bytes of the buffer:
; its number in the group, the group's number, lanes of its wave (EXEC), and the
; number of lanes below it.  For gfx11 and gfx12, assembled for waves of
; WAVE lanes.
; kernarg: 0 buffer; s[0:1] kernarg, 64 items a group
.if GENERATION == 11
    s_mov_b32 s6, s2
.else
    s_mov_b32 s6, ttmp9
.endif
    s_load_b64 s[4:5], s[0:1], 0x0
    v_and_b32 v0, 0x3ff, v0
    v_mov_b32 v1, s6
.if WAVE == 32
    s_bcnt1_i32_b32 s7, exec_lo
    v_mbcnt_lo_u32_b32 v3, -1, 0
.else
    s_bcnt1_i32_b64 s7, exec
    v_mbcnt_lo_u32_b32 v3, -1, 0
    v_mbcnt_hi_u32_b32 v3, -1, v3
.endif
    v_mov_b32 v2, s7
    s_lshl_b32 s6, s6, 6
    v_add_nc_u32 v4, s6, v0
    v_lshlrev_b32 v4, 4, v4
.if GENERATION == 11
    s_waitcnt lgkmcnt(0)
.else
    s_wait_kmcnt 0x0
.endif
    global_store_b128 v4, v[0:3], s[4:5]
    s_endpgm
