# SPDX-License-Identifier: GPL-2.0-or-later
# Runs on the guest's CPU in machine mode: lets the hart's machine-level
# interrupt file deliver interrupt 5, says 1 at word 0 of the mailbox, and
# stores each interrupt identity that it claims at word 1 (RISC-V Advanced
# Interrupt Architecture, 3.8 to 3.10).
    .equ miselect, 0x350
    .equ mireg, 0x351
    .equ mtopei, 0x35c
    .equ eidelivery, 0x70
    .equ eithreshold, 0x72
    .equ eie0, 0xc0

    auipc   s0, 0
    lui     s1, 1
    add     s0, s0, s1          # the mailbox lies one page behind the program
    li      t0, eithreshold
    csrw    miselect, t0
    csrw    mireg, zero
    li      t0, eie0
    csrw    miselect, t0
    li      t1, 1 << 5
    csrw    mireg, t1
    li      t0, eidelivery
    csrw    miselect, t0
    li      t1, 1
    csrw    mireg, t1
    sw      t1, 0(s0)
1:  csrrw   t2, mtopei, zero    # claims the topmost pending one
    beqz    t2, 1b
    srli    t2, t2, 16
    sw      t2, 4(s0)
    j       1b
