// SPDX-License-Identifier: GPL-2.0-or-later
// Two sums of products a[i] * b[i] of signed words, for i < a3 * a4, the first
// by a reduction and the second by atomics.
//
//      a0 a      a1 b      a2 a doubleword that the sum is added to
//      a3, a4 how many     a5 the same sum is added to it

        bstart.mpar vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1, a2], [a5]
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vu.d
        v.lw [ri0.ud, vu#1.reuse.ud<<2], ->vt.d
        v.lw [ri1.ud, vu#1.ud<<2], ->vt.d
        v.mul vt#1.sd, vt#2.sd, ->vt.d
        v.rdadd vt#1.reuse.sd, ->ro0.d          // groups fold in their order
        v.rdadd vt#1.sd, ->t.d                  // of this group
        l.sd.add [ri2.ud], t#1.ud
        bstop
