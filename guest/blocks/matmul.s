// SPDX-License-Identifier: GPL-2.0-or-later
// c = a * b, signed words, products summed up in 64 bits.  Lanes are columns
// of c; each group goes through a row of a and a strip of b in a loop.
//
//      a0 a      a1 b      a2 c: doublewords
//      a3 columns of b     a4 rows of a      a5 columns of a

        bstart.mpar vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1, a2], []
        b.ior [a5], []
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   v.addi zero.ud, 0, ->vt.d               // vt#1: the sum
        l.addi zero.ud, 0, ->t.d                // t#1: k
next:   l.mul lc1.uh, ri3.ud, ->u.d
        l.add u#1.ud, t#1.ud, ->u.d
        l.lw [ri0.ud, u#1.ud<<2], ->u.d         // a[row][k]
        l.mul t#1.ud, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vu.d
        v.lw [ri1.ud, vu#1.ud<<2], ->vu.d       // b[k][column]
        v.madd vu#1.sd, u#1.sd, vt#1.sd, ->vt.d
        l.addi ri3.ud, 0, ->u.d
        l.addi t#2.ud, 1, ->t.d
        b.ltu t#1, u#1, next
        l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vu.d
        v.sd vt#1.ud, [ri2.ud, vu#1.ud<<3]
        bstop
