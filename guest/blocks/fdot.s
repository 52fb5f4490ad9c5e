// SPDX-License-Identifier: GPL-2.0-or-later
// The sum of products a[i] * b[i] of single floats, for i < a3 * a4, each
// rounded on its own and added in the order of i.
//
//      a0 a      a1 b      a3, a4 how many      a5 the sum so far, a float

        bstart.mpar vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1], [a5]
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vu.d
        v.lw [ri0.ud, vu#1.reuse.ud<<2], ->vt.w
        v.lw [ri1.ud, vu#1.ud<<2], ->vt.w
        v.fmul.rne vt#1.fs, vt#2.fs, ->vt.w
        v.rdfadd vt#1.fs, ->ro0.d
        bstop
