// SPDX-License-Identifier: GPL-2.0-or-later
// out[index[i]] = in[i], words, for i < a3 * a4.  Of those with the same index
// the last one stays: groups run in series, and a group's lanes store in order.
//
//      a0 in      a1 index: words      a2 out      a3, a4 how many

        bstart.mseq vs16
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
        v.lwu [ri0.ud, vt#1.ud<<2], ->vt.w
        v.sw vt#1.uw, [ri2.ud, vu#1.uw<<2]
        bstop
