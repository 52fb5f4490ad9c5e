; SPDX-License-Identifier: GPL-2.0-or-later
; Jumps to the address in the kernarg.
; kernarg: 0 address
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    s_setpc_b64 s[4:5]
    s_endpgm
