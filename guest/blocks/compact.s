// SPDX-License-Identifier: GPL-2.0-or-later
// Put together those of a3 * a4 words that are not below a5 (unsigned).  Lanes
// take places with an atomic: which gets which is left open.
//
//      a0 in      a1 out      a2 a word, places taken so far
//      a3, a4 how many        a5 the least word

        bstart.mpar vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1, a2], []
        b.ior [a5], []
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.lwu [ri0.ud, vt#1.ud<<2], ->vt.d
        v.cmp.geu vt#1.reuse.ud, ri3.ud, ->p.d
        b.z none
        l.addi zero.ud, 1, ->t.d
        v.lw.add [ri2.ud], t#1.ud, ->vu.w
        v.sw vt#1.ud, [ri1.ud, vu#1.uw<<2]
none:   bstop
