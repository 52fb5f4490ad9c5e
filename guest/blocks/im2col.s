// SPDX-License-Identifier: GPL-2.0-or-later
// The matrix whose product with a filter is a convolution.  Halfwords.
//
//      a0 in:  channels of a3 rows of a2 columns
//      a1 out: a7 rows of a5 * a4; row (c * a6 + ky) * a6 + kx has at
//              (y, x) what channel c has at (y * s1 + ky - s2,
//              x * s1 + kx - s2), or 0 outside
//      a2 width           a3 height
//      a4 out's width     a5 out's height
//      a6 filter's size   a7 channels * a6 * a6
//      s1 stride          s2 padding

        bstart.mpar vs16
        b.dim a4, 0, ->lb0
        b.dim a5, 0, ->lb1
        b.dim a7, 0, ->lb2
        b.ior [a0, a1, a2], []
        b.ior [a3, a6, s1], []
        b.ior [s2], []
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.rem lc2.uh, ri4.ud, ->u.d             // kx
        v.mul lc0.uh, ri5.ud, ->vt.d
        v.add vt#1.ud, u#1.ud, ->vt.d
        v.sub vt#1.ud, ri6.ud, ->vt.d           // x, vt#1
        l.div lc2.uh, ri4.ud, ->t.d
        l.rem t#1.ud, ri4.ud, ->u.d             // ky
        l.div t#1.ud, ri4.ud, ->t.d             // c
        l.mul lc1.uh, ri5.ud, ->u.d
        l.add u#1.ud, u#2.ud, ->u.d
        l.sub u#1.ud, ri6.ud, ->u.d             // y
        l.mul t#1.ud, ri3.ud, ->t.d
        l.add t#1.ud, u#1.ud, ->t.d
        l.mul t#1.ud, ri2.ud, ->t.d             // (c * height + y) * width
        l.addi p.ud, 0, ->t.d                   // P as it was
        v.cmp.ltu vt#1.reuse.ud, ri2.ud, ->p.d  // lanes inside the picture,
        v.cmp.ltu u#1.ud, ri3.ud, ->p.d         // in rows inside it
        v.add t#2.ud, vt#1.ud, ->vt.d
        v.lhu [ri0.ud, vt#1.ud<<1], ->vu.h      // others are 0
        l.addi t#1.ud, 0, ->p.d
        l.mul lc2.uh, lb1.uh, ->t.d
        l.add t#1.ud, lc1.uh, ->t.d
        l.mul t#1.ud, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.sh vu#1.uh, [ri1.ud, vt#1.ud<<1]
        bstop
