// SPDX-License-Identifier: GPL-2.0-or-later
// b = transpose of a, through a tile register.
//
//      a0 a: words, a3 a row      a1 b      a2 rows of a      a3 columns of a
//
// a has at most 256 KB, the largest tile.

        bstart.mpar vs16                // a to a tile
        b.dim a3, 0, ->lb0              // a lane is a column,
        b.dim a2, 0, ->lb1              // a group 64 of them of one row
        b.ior [a0], []
        b.iot [], last, ->t<256KB>
        b.text load

        bstart.mpar vs16                // the tile to b
        b.dim a2, 0, ->lb0              // a lane is a row of a,
        b.dim a3, 0, ->lb1              // a group 64 of them of one column
        b.ior [a1], []
        b.iot [t#1], last
        b.text store

        bstart.sys.fall .
        acrc 1
        bstop

load:   l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.lw [ri0.ud, vt#1.reuse.ud<<2], ->vu.w
        v.sw.local vu#1.uw, [to.ud, vt#1.ud<<2]
        bstop

store:  v.mul lc0.uh, lb1.uh, ->vt.d
        v.add vt#1.ud, lc1.uh, ->vt.d
        v.lw.local [ta.ud, vt#1.ud<<2], ->vu.w
        l.mul lc1.uh, lb0.uh, ->t.d
        v.add t#1.ud, lc0.uh, ->vt.d
        v.sw vu#1.uw, [ri0.ud, vt#1.ud<<2]
        bstop
