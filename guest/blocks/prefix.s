// SPDX-License-Identifier: GPL-2.0-or-later
// Prefix sum of a3 * a4 doublewords: out[i] = carry + in[0] + ... + in[i].
// Groups run in series and hand the sum on in memory.
//
//      a0 in      a1 out      a2 the carry, at the end carry + all of in
//      a3, a4 how many

        bstart.mseq vs16
        b.dim a3, 0, ->lb0
        b.dim a4, 0, ->lb1
        b.ior [a0, a1, a2], []
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vm.d            // i, vm#1
        v.ld [ri0.ud, vm#1.reuse.ud<<3], ->vt.d
        v.rdadd vt#1.reuse.ud, ->u.d            // of all lanes
        v.andi lc0.uh, 63, ->vn.w               // number of the lane
        v.shfli.up vt#1.reuse.ud, zero.ud, 1, ->vu.d
        v.cmp.gei vn#1.reuse.uw, 1, ->vu.d
        v.csel vu#2.ud, zero.ud, vu#1.ud, ->vu.d
        v.add vt#1.ud, vu#1.ud, ->vt.d
        v.shfli.up vt#1.reuse.ud, zero.ud, 2, ->vu.d
        v.cmp.gei vn#1.reuse.uw, 2, ->vu.d
        v.csel vu#2.ud, zero.ud, vu#1.ud, ->vu.d
        v.add vt#1.ud, vu#1.ud, ->vt.d
        v.shfli.up vt#1.reuse.ud, zero.ud, 4, ->vu.d
        v.cmp.gei vn#1.reuse.uw, 4, ->vu.d
        v.csel vu#2.ud, zero.ud, vu#1.ud, ->vu.d
        v.add vt#1.ud, vu#1.ud, ->vt.d
        v.shfli.up vt#1.reuse.ud, zero.ud, 8, ->vu.d
        v.cmp.gei vn#1.reuse.uw, 8, ->vu.d
        v.csel vu#2.ud, zero.ud, vu#1.ud, ->vu.d
        v.add vt#1.ud, vu#1.ud, ->vt.d
        v.shfli.up vt#1.reuse.ud, zero.ud, 16, ->vu.d
        v.cmp.gei vn#1.reuse.uw, 16, ->vu.d
        v.csel vu#2.ud, zero.ud, vu#1.ud, ->vu.d
        v.add vt#1.ud, vu#1.ud, ->vt.d
        v.shfli.up vt#1.reuse.ud, zero.ud, 32, ->vu.d
        v.cmp.gei vn#1.reuse.uw, 32, ->vu.d
        v.csel vu#2.ud, zero.ud, vu#1.ud, ->vu.d
        v.add vt#1.ud, vu#1.ud, ->vt.d
        l.ldi [ri2.ud, 0], ->t.d
        v.add vt#1.ud, t#1.ud, ->vt.d
        v.sd vt#1.ud, [ri1.ud, vm#1.ud<<3]
        l.add t#1.ud, u#1.ud, ->t.d
        l.sdi t#1.ud, [ri2.ud, 0]
        bstop
