#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`tessera blocks`: results against plain models, reports of traps, usage."""
import os
import re
import struct

import tap

HEAD = "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n"
END = "bstart.sys.fall .\nacrc 1\nbstop\n"


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def blocks(folder, source, *args, status=0):
    path = write(folder, "p.s", source)
    got, out, err = tap.tessera("blocks", path, *args, cwd=folder)
    tap.equal((got, err if status == 0 else ""), (status, ""), "status " + err)
    return out if status == 0 else err


def transpose(workers):
    """A matrix through a tile, on one and on several workers."""
    def test(folder):
        rows, columns = 70, 300
        words = [i * 2654435761 & 0xffffffff for i in range(rows * columns)]
        write(folder, "a", struct.pack(f"<{len(words)}I", *words))
        source = (HEAD.replace("zero, 64", "a3, 0") +
                  "b.dim a2, 0, ->lb1\nb.ior [a0], []\n"
                  "b.iot [], last, ->t<256KB>\nb.text load\n"
                  "bstart.mpar vs16\nb.dim a2, 0, ->lb0\n"
                  "b.dim a3, 0, ->lb1\nb.ior [a1, a3], []\n"
                  "b.iot [t#1], last\nb.text store\n" + END +
                  "load: l.mul lc1.uh, lb0.uh, ->t.d\n"
                  "v.add t#1.ud, lc0.uh, ->vt.d\n"
                  "v.lwu [ri0.ud, vt#1.reuse.ud<<2], ->vu.w\n"
                  "v.sw.local vu#1.uw, [to.ud, vt#1.ud<<2]\nbstop\n"
                  "store: v.mul lc0.uh, ri1.ud, ->vt.d\n"
                  "v.add vt#1.ud, lc1.uh, ->vt.d\n"
                  "v.lwu.local [ta.ud, vt#1.ud<<2], ->vu.w\n"
                  "l.mul lc1.uh, lb0.uh, ->t.d\n"
                  "v.add t#1.ud, lc0.uh, ->vt.d\n"
                  "v.sw vu#1.uw, [ri0.ud, vt#1.ud<<2]\nbstop\n")
        blocks(folder, source, "--r2", "in:a", "--r3",
               f"out:b:{4 * len(words)}", "--r4", f"u64:{rows}", "--r5",
               f"u64:{columns}", "--workers", str(workers))
        turned = struct.unpack(f"<{len(words)}I",
                               read(os.path.join(folder, "b")))
        tap.equal(turned, tuple(words[r * columns + c]
                                for c in range(columns)
                                for r in range(rows)))
    return test


def test_registers(folder):
    """Numbers of every kind, and all of them at the end."""
    out = blocks(folder, "bstart.std.fall .\naddi a0, 1, ->x3\n" + END,
                 "--r2", "u64:0xffffffffffffffff", "--r3", "i8:-2", "--r4",
                 "u8:254", "--r5", "f32:1.0", "--r1", "i64:-1", "--dump-ggpr")
    got = dict(line.split() for line in out.splitlines())
    tap.equal(len(got), 23)
    tap.equal([int(got[f"r{i}"], 16) for i in (1, 2, 3, 4, 5, 6, 23)],
              [2**64 - 1, 2**64 - 1, 2**64 - 2, 254, 0x3f800000, 0, 0])


def test_raw_and_entry(folder):
    """Raw bytes, and an entry that is not their beginning."""
    source = write(folder, "p.s",
                   "bstart.std.fall .\naddi zero, 1, ->a0\n" + END +
                   "bstart.std.fall .\naddi zero, 2, ->a0\n" + END)
    raw = os.path.join(folder, "p.bin")
    tap.equal(tap.tessera("asm", source, raw)[0], 0)
    size = len(read(raw)) // 2
    for entry, want in ((0, 1), (size, 2)):
        status, out, err = tap.tessera("blocks", raw, "--entry", str(entry),
                                       "--dump-ggpr")
        tap.equal((status, err), (0, ""))
        tap.contains(out, f"r2 0x{want}\n")


def test_stats(folder):
    out = blocks(folder, HEAD.replace("64,", "130,") + "b.text body\n" + END +
                 "body: v.addi lc0.uh, 1, ->vt.d\nbstop\n", "--stats")
    got = dict(line.split() for line in out.splitlines())
    # three groups: an instruction of their lanes, and BSTOP each
    tap.equal([got[n] for n in ("blocks", "groups", "lane_instructions")],
              ["1", "3", "133"])
    tap.equal(got["instructions"], "6")


def test_inout_memory(folder):
    """A file that is changed in place, in VRAM."""
    write(folder, "d", struct.pack("<64Q", *range(64)))
    blocks(folder, HEAD + "b.ior [a0], []\nb.text body\n" + END +
           "body: v.sd.add [ri0.ud], lc0.uh\nbstop\n", "--r2", "inout:d:d",
           "--memory", "vram")
    tap.equal(struct.unpack("<64Q", read(os.path.join(folder, "d")))[:2],
              (sum(range(64)), 1))


def report(folder, source, *args):
    err = blocks(folder, source, *args, status=1)
    lines = err.splitlines()
    fields = dict(re.match(r"  (.{13}) (.*)", line).groups()
                  for line in lines[1:])
    return lines[0], {name.strip(): text for name, text in fields.items()}


def test_trap_memory(folder):
    """Block, group, TPC, instruction, address and what that is."""
    first, fields = report(
        folder, HEAD + "b.dim zero, 9, ->lb1\nb.ior [a0], []\nb.text body\n" +
        END + "body: l.mul lc1.uh, lb0.uh, ->t.d\n"
        "v.add t#1.ud, lc0.uh, ->vt.d\n"
        "v.sd vt#1.reuse.ud, [ri0.ud, vt#1.ud<<3]\nbstop\n",
        "--r2", "out:o:4096", "--workers", "2")
    tap.contains(first, "p.s trapped: E_DATA, store access")
    tap.equal(fields["that is"], "0 bytes behind the end of --r2 (out:o:4096)")
    tap.equal(fields["group"], "8")
    tap.equal(fields["instruction"],
              "v.sd vt#1.reuse.ud, [ri0.ud, vt#1.ud<<3]")
    tap.contains(fields["block"], "(program+0x0)")
    # behind the header of five words and the end of three
    tap.contains(fields["tpc"], "(program+0x30)")
    tap.equal(fields["committed"], "0 memory blocks")
    if os.path.exists(os.path.join(folder, "o")):
        raise AssertionError("an output was written")


TRAPS = {
    "tile": (HEAD + "b.iot [], last, ->t<256B>\nb.text body\n"
             "body: l.sdi.local zero.ud, [to.ud, 256]\n",
             "E_DATA, RANGE", "l.sdi.local zero.ud, [to.ud, 256]"),
    "illegal": (HEAD + "b.text body\nbody: fence.i\n", "E_INST, ILLEGAL",
                "fence.i"),
    "header": (HEAD + "b.iot [t#1], last\nb.text .\n", "E_BLOCK, INVAL_GET",
               "b.text .+0"),
    "after": (HEAD + "b.catr.t\nb.text body\n" + END + "body: bstop\n",
              "breakpoint", "bstart.sys.fall .+0"),
}


def trap(source, text, instruction):
    def test(folder):
        first, fields = report(folder, source)
        tap.contains(first, text)
        tap.equal(fields["instruction"], instruction)
    return test


def test_no_code(folder):
    first, fields = report(folder, "bstart.std.fall .\n")
    tap.contains(first, "E_INST")
    tap.contains(fields["block"], "0x")


def test_timeout(folder):
    err = blocks(folder, "again: bstart.std.direct again\n"
                 "addi a0, 1, ->a0\n", "--timeout", "0.2", status=1)
    tap.contains(err, "did not end within 0.2 seconds")


def test_hazards(folder):
    err = blocks(folder, HEAD + "b.dim zero, 2, ->lb1\nb.ior [a0], []\n"
                 "b.text body\n" + END +
                 "body: v.sd lc0.uh, [ri0.ud, lc0.uh<<3]\nbstop\n",
                 "--hazards", "strict", "--r2", "zero:512", "--workers", "1",
                 status=1)
    tap.contains(err, "v.sd lc0.uh, [ri0.ud, lc0.uh<<3]")
    tap.contains(err, "byte 0 of --r2")


USAGE = {
    "nothing": ([], "no program named; see tessera blocks --help"),
    "two": (["a", "b"], "more than one program named"),
    "none": (["none.bin"], "none.bin"),
    "r24": (["--r24", "u8:1", "x"], "unknown option --r24"),
    "local": (["--r3", "local:1", "x"], "--r3: argument local:1: blocks have"),
    "argument": (["--r3", "u8:256", "x"],
                 "--r3: argument u8:256: u8:VALUE is a whole number from 0"),
    "twice": (["--r3", "out:o:8", "--r4", "out:o:8", "x"],
              "--r4 out:o:8: o is the output of --r3 as well"),
    "entry": (["--entry", "3", "x"], "--entry 3: the value must be"),
    "behind": (["--entry", "1000", "ok.s"], "--entry 1000: ok.s has 12 bytes"),
    "source": (["bad.s"], "bad.s:1:"),
}


def usage(args, want):
    def test(folder):
        write(folder, "ok.s", END)
        write(folder, "bad.s", "nothing here\n")
        status, out, err = tap.tessera("blocks", *args, cwd=folder)
        tap.equal((status, out, err.count("\n")), (2, "", 1), err)
        tap.contains(err, "tessera blocks: ")
        tap.contains(err, want)
    return test


if __name__ == "__main__":
    tap.main([(f"transpose-{n}", transpose(n)) for n in (1, 4)] +
             [(name[5:], function) for name, function in
              sorted(globals().items()) if name.startswith("test_")] +
             [("trap-" + name, trap(*case)) for name, case in TRAPS.items()] +
             [("usage-" + name, usage(*case)) for name, case in USAGE.items()])
