// SPDX-License-Identifier: GPL-2.0-or-later
// Count how often each byte occurs in a3 * a4 bytes.
//
//      a0 in      a1 out: 256 words, counts are added
//      a3, a4 how many
//      a5 at least the largest, a6 at most the smallest, a7 all bytes or-ed

        bstart.mpar vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1], [a5]
        b.ior [], [a6]
        b.ior [], [a7]
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.lbu [ri0.ud, vt#1.ud], ->vt.d
        v.rdmax vt#1.reuse.ud, ->ro0.d
        v.rdmin vt#1.reuse.ud, ->ro1.d
        v.rdor vt#1.reuse.ud, ->ro2.d
        v.add ri1.ud, vt#1.ud<<2, ->vt.d
        l.addi zero.ud, 1, ->t.d
        v.sw.add [vt#1.ud], t#1.ud
        bstop
