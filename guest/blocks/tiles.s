// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of words in pieces of 64 by 64, those at the right and lower edge
// cut off.  The first block lays the pieces one behind the other in a tile
// register, the second mirrors each of them at its diagonal, with the words
// beyond the edge as 0, and stores what lies inside the picture.
//
//      a0 in      a1 out      a2 width      a3 height
//      a4 pieces in a row     a5 all pieces, at most 16

        bstart.mpar vs16
        b.dim zero, 64, ->lb0           // column in the piece
        b.dim zero, 64, ->lb1           // row in the piece
        b.dim a5, 0, ->lb2              // piece
        b.ior [a0, a2, a3], []
        b.ior [a4], []
        b.iot [], last, ->t<256KB>
        b.text load

        bstart.mpar vs16
        b.dim zero, 64, ->lb0
        b.dim zero, 64, ->lb1
        b.dim a5, 0, ->lb2
        b.ior [a1, a2, a3], []
        b.ior [a4], []
        b.iot [t#1], last
        b.text store

        bstart.sys.fall .
        acrc 1
        bstop

load:   l.rem lc2.uh, ri3.ud, ->t.d
        l.slli t#1.ud, 6, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d            // x
        l.div lc2.uh, ri3.ud, ->t.d
        l.slli t#1.ud, 6, ->t.d
        l.add t#1.ud, lc1.uh, ->u.d             // y
        v.cmp.ltu vt#1.reuse.ud, ri1.ud, ->p.d
        v.cmp.ltu u#1.ud, ri2.ud, ->p.d
        l.mul u#1.ud, ri1.ud, ->u.d
        v.add u#1.ud, vt#1.ud, ->vt.d
        v.lw [ri0.ud, vt#1.ud<<2], ->vu.w       // 0 beyond the edge
        l.xori zero.ud, -1, ->p.d
        l.slli lc2.uh, 6, ->t.d
        l.add t#1.ud, lc1.uh, ->t.d
        l.slli t#1.ud, 6, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.sw.local vu#1.uw, [to.ud, vt#1.ud<<2]
        bstop

store:  l.slli lc2.uh, 6, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.slli vt#1.ud, 6, ->vt.d
        v.add vt#1.ud, lc1.uh, ->vt.d           // (column, row) of the piece
        v.lw.local [ta.ud, vt#1.ud<<2], ->vu.w
        l.rem lc2.uh, ri3.ud, ->t.d
        l.slli t#1.ud, 6, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d            // x
        l.div lc2.uh, ri3.ud, ->t.d
        l.slli t#1.ud, 6, ->t.d
        l.add t#1.ud, lc1.uh, ->u.d             // y
        v.cmp.ltu vt#1.reuse.ud, ri1.ud, ->p.d
        v.cmp.ltu u#1.ud, ri2.ud, ->p.d
        b.z out
        l.mul u#1.ud, ri1.ud, ->u.d
        v.add u#1.ud, vt#1.ud, ->vt.d
        v.sw vu#1.uw, [ri0.ud, vt#1.ud<<2]
out:    bstop
