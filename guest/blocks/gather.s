// SPDX-License-Identifier: GPL-2.0-or-later
// out[i] = table[index[i]], 8 bytes each, for i < a3 * a4.
//
//      a0 table      a1 index: words      a2 out      a3, a4 how many

        bstart.mpar vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1, a2], []
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.lwu [ri1.ud, vt#1.reuse.ud<<2], ->vu.w
        v.ld [ri0.ud, vu#1.uw<<3], ->vu.d
        v.sd vu#1.ud, [ri2.ud, vt#1.ud<<3]
        bstop
