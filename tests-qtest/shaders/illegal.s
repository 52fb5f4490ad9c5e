; SPDX-License-Identifier: GPL-2.0-or-later
; A word that is no gfx900 instruction: SOP1 opcode 255 (Vega ISA, 12.3).
    .long 0xbe80ff00
    s_endpgm
