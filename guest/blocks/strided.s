// SPDX-License-Identifier: GPL-2.0-or-later
// Copy a5 rows of a4 words each between two pictures with other distances from
// row to row.  Lanes are consecutive (.c), so that a row goes as a whole.
//
//      a0 from      a1 to      a2, a3 bytes from row to row
//      a4 words of a row       a5 rows

        bstart.mpar vs16
        b.dim a4, 0, ->lb0
        b.dim a5, 0, ->lb1
        b.ior [a0, a1, a2], []
        b.ior [a3], []
        b.text body
        bstart.sys.fall .
        acrc 1
        bstop

body:   l.mul lc1.uh, ri2.ud, ->t.d
        l.mul lc1.uh, ri3.ud, ->u.d
        v.lw.c [ri0.ud, t#1.ud], ->vt.w
        l.add u#1.ud, ri1.ud, ->u.d
        v.swi.c vt#1.uw, [u#1.ud, 0]
        bstop
