#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Bad usage and bad input: one line that says what is wrong, exit status 2,
and no output file."""
import os
import struct
import subprocess

import tap

VADD = tap.bench("vadd.co")
ARGS = tap.objects("args.v5.co")
SHAPE = ["--grid", "1024", "--group", "256"]
SAXPY_ARGS = ["zero:4K", "zero:4K", "f32:1", "u32:1024"]
FORMS = ("not one of in:FILE out:FILE:SIZE inout:FILE:OUTFILE zero:SIZE "
         "local:SIZE or TYPE:VALUE with u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 "
         "f64")
ISAS = "gfx900 gfx1100 gfx1150 gfx1200 gfx1201"
SHAPES = "1 to 3 whole numbers of 1 or more, comma-separated"


def vadd(*args):
    return ["run", VADD, "vadd", *args]


def scalars(**given):
    """`run scalars` with one argument replaced."""
    values = {"out": "zero:1K", "u8": "u8:1", "u16": "u16:1", "u32": "u32:1",
              "u64": "u64:1", "i8": "i8:1", "i16": "i16:1", "i32": "i32:1",
              "i64": "i64:1", "f16": "f16:1", "f32": "f32:1", "f64": "f64:1"}
    values.update(given)
    return ["run", ARGS, "scalars", "--grid", "1", "--group", "1",
            *values.values()]


# (arguments, what stderr says)
CASES = {
    "no command": (
        [], "tessera: no command given (there are: run, blocks, dis, asm, bench, "
        "info); see tessera --help"),
    "unknown command": (
        ["fly"],
        "tessera: unknown command fly (there are: run, blocks, dis, asm, bench, "
        "info)"),
    "nothing to run": (
        ["run"], "tessera run: no code object and kernel named; see tessera "
        "run --help"),
    "no kernel named": (
        ["run", VADD], "tessera run: no kernel named; see tessera run "
        "--help"),
    "unknown option": (
        vadd("--gird", "1"),
        "tessera run: unknown option --gird (there are: --help --grid "
        "--group --workers --timeout --stats --profile --trace --memory --jit "
        "--hazards --host-level)"),
    "option without value": (
        vadd("--grid"), f"tessera run: --grid needs a value: {SHAPES}"),
    "flag with value": (
        vadd("--stats=1"), "tessera run: --stats takes no value"),
    "grid of 0": (
        vadd("--grid", "0"),
        f"tessera run: --grid 0: the value must be {SHAPES}"),
    "grid of four": (
        vadd("--grid=1,2,3,4"),
        f"tessera run: --grid 1,2,3,4: the value must be {SHAPES}"),
    "grid too large": (
        vadd("--grid", "4294967296"),
        f"tessera run: --grid 4294967296: the value must be {SHAPES}"),
    "negative grid": (
        vadd("--grid", "-5"),
        f"tessera run: --grid -5: the value must be {SHAPES}"),
    "grid missing": (
        vadd("zero:4K"),
        "tessera run: --grid is missing: give the number of work-items, e.g. "
        "--grid 1024"),
    "group missing": (
        ["run", ARGS, "locals", "--grid", "64"],
        "tessera run: --group is missing: give the work-items of a "
        "work-group, e.g. --group 64"),
    "group of more dimensions": (
        vadd("--grid", "1024", "--group", "16,16"),
        "tessera run: --group has 2 dimensions, --grid has 1"),
    "group not as compiled": (
        vadd("--grid", "1024", "--group", "64"),
        "tessera run: --group 64,1,1: kernel vadd was compiled for 256,1,1"),
    "group too large": (
        ["run", ARGS, "locals", "--grid", "2048", "--group", "1025"],
        "tessera run: --group 1025,1,1: kernel locals can have at most 256 "
        "work-items in a work-group"),
    "group overflows": (
        ["run", ARGS, "locals", "--grid", "9,9,9", "--group",
         "4294967295,4294967295,4294967295"],
        "tessera run: --group 4294967295,4294967295,4294967295: kernel locals "
        "can have at most 256 work-items in a work-group"),
    "workers of 0": (
        vadd("--workers", "0"), "tessera run: --workers 0: the value must be "
        "a whole number from 1 to 64"),
    "workers of 65": (
        vadd("--workers", "65"), "tessera run: --workers 65: the value must "
        "be a whole number from 1 to 64"),
    "timeout of words": (
        vadd("--timeout", "soon"), "tessera run: --timeout soon: the value "
        "must be a number of seconds from above 0 to 1000000"),
    "timeout of nan": (
        vadd("--timeout", "nan"), "tessera run: --timeout nan: the value "
        "must be a number of seconds from above 0 to 1000000"),
    "memory elsewhere": (
        vadd("--memory", "disk"),
        "tessera run: --memory disk: the value must be ram or vram"),
    "hazards unknown": (
        vadd("--hazards", "some"),
        "tessera run: --hazards some: the value must be strict or off"),
    "host level": (
        vadd("--host-level", "v5"),
        "tessera run: --host-level v5: the value must be v2, v3 or v4"),
    "no such kernel": (
        ["run", ARGS, "scalar", "--grid", "1"],
        f"tessera run: {ARGS}: has no kernel scalar (there are: scalars "
        "locals hidden)"),
    "no such kernel, one there": (
        ["run", VADD, "vsub", "--grid", "1"],
        f"tessera run: {VADD}: has no kernel vsub (there is: vadd)"),
    "too few arguments": (
        vadd(*SHAPE, "zero:4K", "zero:4K"),
        "tessera run: kernel vadd takes 4 arguments, 2 given (it takes: "
        "global_buffer 8 bytes; global_buffer 8 bytes; global_buffer 8 "
        "bytes; by_value 4 bytes)"),
    "too many arguments": (
        vadd(*SHAPE, "zero:4K", "zero:4K", "zero:4K", "u32:1", "u32:2"),
        "tessera run: kernel vadd takes 4 arguments, 5 given (it takes: "
        "global_buffer 8 bytes; global_buffer 8 bytes; global_buffer 8 "
        "bytes; by_value 4 bytes)"),
    "argument of no form": (
        vadd(*SHAPE, "a.bin"), f"tessera run: argument a.bin: {FORMS}"),
    "argument of unknown type": (
        vadd(*SHAPE, "u128:1"), f"tessera run: argument u128:1: {FORMS}"),
    "scalar for a buffer": (
        vadd(*SHAPE, "u32:7", "zero:4K", "zero:4K", "u32:1"),
        "tessera run: argument u32:7: argument 1 of kernel vadd is a buffer; "
        "give in: out: inout: zero: or u64:"),
    "local memory for a buffer": (
        vadd(*SHAPE, "local:64", "zero:4K", "zero:4K", "u32:1"),
        "tessera run: argument local:64: argument 1 of kernel vadd is a "
        "buffer; give in: out: inout: zero: or u64:"),
    "buffer for a scalar": (
        vadd(*SHAPE, "zero:4K", "zero:4K", "zero:4K", "zero:4"),
        "tessera run: argument zero:4: argument 4 of kernel vadd is a value "
        "of 4 bytes; give TYPE:VALUE, or in:FILE with its bytes"),
    "scalar of another size": (
        vadd(*SHAPE, "zero:4K", "zero:4K", "zero:4K", "u64:1"),
        "tessera run: argument u64:1: has 8 bytes, argument 4 of kernel vadd "
        "has 4"),
    "buffer for local memory": (
        ["run", ARGS, "locals", "--grid", "1", "--group", "1", "zero:64",
         "zero:64", "u32:1", "local:64"],
        "tessera run: argument zero:64: argument 2 of kernel locals is local "
        "memory; give local:SIZE"),
    "too much local memory": (
        ["run", ARGS, "locals", "--grid", "1", "--group", "1", "zero:64",
         "local:64K", "u32:1", "local:64"],
        "tessera run: argument local:64K: a work-group can have 65536 bytes "
        "of local memory, 16 are in use"),
    "u8 too large": (
        scalars(u8="u8:256"), "tessera run: argument u8:256: u8:VALUE is a "
        "whole number from 0 to 255"),
    "u64 too large": (
        scalars(u64="u64:18446744073709551616"),
        "tessera run: argument u64:18446744073709551616: u64:VALUE is a whole "
        "number from 0 to 18446744073709551615"),
    "negative u32": (
        scalars(u32="u32:-1"), "tessera run: argument u32:-1: u32:VALUE is a "
        "whole number from 0 to 4294967295"),
    "u32 with words behind": (
        scalars(u32="u32:1x"), "tessera run: argument u32:1x: u32:VALUE is a "
        "whole number from 0 to 4294967295"),
    "i8 too small": (
        scalars(i8="i8:-129"), "tessera run: argument i8:-129: i8:VALUE is a "
        "whole number from -128 to 127"),
    "f16 too large": (
        scalars(f16="f16:70000"), "tessera run: argument f16:70000: "
        "f16:VALUE is a number in the range of its type, inf or nan"),
    "f64 too large": (
        scalars(f64="f64:1e999"), "tessera run: argument f64:1e999: "
        "f64:VALUE is a number in the range of its type, inf or nan"),
    "f32 of nothing": (
        scalars(f32="f32:"), "tessera run: argument f32:: f32:VALUE is a "
        "number, inf or nan"),
    "input missing": (
        vadd(*SHAPE, "in:/nonexistent/a.bin"),
        "tessera run: /nonexistent/a.bin: cannot open: No such file or "
        "directory"),
    "input is a folder": (
        vadd(*SHAPE, "in:/"),
        "tessera run: /: cannot read: Is a directory"),
    "input without name": (
        vadd(*SHAPE, "in:"),
        "tessera run: argument in:: in:FILE is with the name of a file"),
    "output without size": (
        vadd(*SHAPE, "out:c.bin"), "tessera run: argument out:c.bin: "
        "out:FILE:SIZE is with the name of a file and a SIZE"),
    "output of size 0": (
        vadd(*SHAPE, "out:c.bin:0"), "tessera run: argument out:c.bin:0: "
        "out:FILE:SIZE is with a SIZE in bytes from 1 to 1024G, optionally "
        "with K, M or G behind it"),
    "output nowhere": (
        vadd(*SHAPE, "out:/nonexistent/c.bin:4K"),
        "tessera run: /nonexistent/c.bin: cannot write: No such file or "
        "directory"),
    "output twice": (
        vadd(*SHAPE, "out:c.bin:4K", "out:c.bin:8K"),
        "tessera run: argument out:c.bin:8K: c.bin is the output of argument "
        "out:c.bin:4K as well"),
    "inout of one": (
        vadd(*SHAPE, "inout:a.bin"), "tessera run: argument inout:a.bin: "
        "inout:FILE:OUTFILE is with the names of two files"),
    "size overflows": (
        vadd(*SHAPE, "zero:99999999999G"),
        "tessera run: argument zero:99999999999G: zero:SIZE is with a SIZE in "
        "bytes from 1 to 1024G, optionally with K, M or G behind it"),
    "code object missing": (
        ["run", "/nonexistent.co", "vadd"],
        "tessera run: /nonexistent.co: cannot open: No such file or "
        "directory"),
    "code object is a folder": (
        ["run", "/", "vadd"], "tessera run: /: cannot read: Is a directory"),
    "dis of nothing": (
        ["dis"], "tessera dis: give one file, not 0; see tessera dis --help"),
    "asm of nothing": (
        ["asm", "a.s"], "tessera asm: give a source and an output, not 1 "
        "files; see tessera asm --help"),
    "asm of a missing file": (
        ["asm", "/nonexistent.s", "a.bin"], "tessera asm: /nonexistent.s: "
        "cannot open: No such file or directory"),
    "dis of another ISA": (
        ["dis", "--mcpu", "gfx9999", VADD],
        f"tessera dis: {VADD}: instruction set gfx9999 is not known (there "
        f"are: {ISAS})"),
    "dis of raw bytes of another ISA": (
        ["dis", "--mcpu", "gfx9999", __file__],
        "tessera dis: instruction set gfx9999 is not known (there are: "
        f"{ISAS} linx)"),
    "dis of a missing file": (
        ["dis", "/nonexistent.co"], "tessera dis: /nonexistent.co: cannot "
        "open: No such file or directory"),
    "info of a missing file": (
        ["info", "/nonexistent.co"], "tessera info: /nonexistent.co: cannot "
        "open: No such file or directory"),
}


def usage_test(args, want):
    def test(folder):
        status, out, err = tap.tessera(*args, cwd=folder)
        tap.equal(err, want + "\n", "stderr")
        tap.equal(status, 2, "exit status")
        tap.equal(out, "", "stdout")
        tap.equal(os.listdir(folder), [], "files left behind")
    return test


def damaged(name, change, want):
    """A changed copy of vadd.co: what `run` and `info` say of it."""
    def test(folder):
        with open(VADD, "rb") as file:
            data = change(bytearray(file.read()))
        path = os.path.join(folder, "bad.co")
        with open(path, "wb") as file:
            file.write(data)
        for args in (["run", "bad.co", "vadd", *SHAPE], ["info", "bad.co"]):
            status, _, err = tap.tessera(*args, cwd=folder)
            tap.equal(err, f"tessera {args[0]}: bad.co: {want}\n", "stderr")
            tap.equal(status, 2, "exit status")
    return ("damaged: " + name, test)


def poke(offset, form, value):
    def change(data):
        struct.pack_into(form, data, offset, value)
        return data
    return change


DAMAGED = [
    damaged("empty", lambda data: b"", "the file is empty"),
    damaged("no ELF", lambda data: b"hello, world\n" * 10,
            "not a code object: no ELF header"),
    damaged("x86-64", poke(18, "<H", 62), "not a code object: ELF machine is "
            "62, not 224 (AMDGPU)"),
    damaged("version 2", poke(8, "<B", 0), "code object version 2, only 4 to "
            "6 are supported"),
    damaged("not linked", poke(16, "<H", 1), "not linked: ELF type is 1, a "
            "code object is a shared object (3)"),
    damaged("half", lambda data: data[:300],
            "truncated: program header 0 is missing"),
]


def other_isa(folder):
    """A code object for a GPU that this build does not execute."""
    source = os.path.join(folder, "k.cl")
    path = os.path.join(folder, "k.co")
    with open(source, "w", encoding="ascii") as file:
        file.write("__kernel void k(__global int *p) { *p = 1; }\n")
    tap.run("clang-19", "-x", "cl", "-target", "amdgcn-amd-amdhsa",
            "-mcpu=gfx803", "-nogpulib", source, "-o", path)
    status, _, err = tap.tessera("run", path, "k", "--grid", "1")
    tap.equal(err, f"tessera run: {path}: built for gfx803, which this "
              "tessera cannot execute (see tessera info)\n", "stderr")
    tap.equal(status, 2, "exit status")


def help_works(folder):
    for args in (["--help"], ["help"], ["run", "--help"], ["dis", "-h"],
                 ["info", "--help"], ["help", "run"]):
        status, out, err = tap.tessera(*args)
        tap.equal((status, err), (0, ""))
        tap.contains(out, "usage: tessera")
        tap.contains(out, "xample")


def version(folder):
    status, out, _ = tap.tessera("--version")
    tap.equal(status, 0)
    tap.contains(out, "tessera ")
    status, out, _ = tap.tessera("info")
    tap.equal(status, 0)
    tap.contains(out, "gfx900")
    tap.contains(out, "host level")


def full_output(folder):
    """What cannot be written to stdout is an error too."""
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([tap.TESSERA, "dis", VADD], stdout=full,
                              stderr=subprocess.PIPE, timeout=600)
    tap.equal(done.stderr, b"tessera: cannot write to standard output\n")
    tap.equal(done.returncode, 2)


if __name__ == "__main__":
    tap.main([("help", help_works), ("version", version)] +
             [(name, usage_test(*case)) for name, case in CASES.items()] +
             DAMAGED + [("other ISA", other_isa), ("full output", full_output)])
