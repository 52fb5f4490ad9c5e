#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`tessera run` from end to end: results, statistics, faults, time-outs."""
import array
import math
import os
import re
import stat
import struct
import subprocess

import tap

VADD = tap.bench("vadd.co")
ARGS = tap.objects("args.v5.co")
FAULTS = tap.objects("faults.v5.co")


def write(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def run_ok(folder, *args):
    status, out, err = tap.tessera("run", *args, cwd=folder)
    tap.equal((status, err), (0, ""))
    return out


def floats(values):
    return array.array("f", values).tobytes()


# ---- results ----

def vadd(folder, n=1000, options=()):
    """A last work-group that is partly beyond n, and wave 15 partly."""
    a = [0.5 * i for i in range(n)]
    b = [1000.0 - i for i in range(n)]
    write(folder, "a.bin", floats(a))
    write(folder, "b.bin", floats(b))
    grid = (n + 255) // 256 * 256
    run_ok(folder, VADD, "vadd", "--grid", str(grid), "--group", "256",
           *options, "in:a.bin", "in:b.bin", f"out:c.bin:{4 * n}", f"u32:{n}")
    tap.equal(read(folder, "c.bin"),
              floats(x + y for x, y in zip(a, b)), "c.bin")
    tap.equal(sorted(os.listdir(folder)), ["a.bin", "b.bin", "c.bin"])


def vadd_vram(folder):
    vadd(folder, options=["--memory", "vram"])


def vadd_default_group(folder):
    """The work-group size that the kernel was compiled for is the default."""
    out = run_ok(folder, VADD, "vadd", "--grid=512", "zero:2K", "zero:2K",
                 "zero:2K", "u32:512", "--stats")
    tap.contains(out, "waves 8\n")


def levels(folder):
    for level in tap.host_levels():
        vadd(folder, options=["--host-level", level])
        os.remove(os.path.join(folder, "c.bin"))


def saxpy(folder):
    """In place: the output replaces the input file, keeping its mode."""
    n = 256
    write(folder, "y.bin", floats(range(n)))
    write(folder, "x.bin", floats(2 * i for i in range(n)))
    os.chmod(os.path.join(folder, "y.bin"), 0o640)
    run_ok(folder, tap.bench("saxpy.co"), "saxpy", "--grid", str(n),
           "inout:y.bin:y.bin", "in:x.bin", "f32:0.75", f"u32:{n}")
    tap.equal(read(folder, "y.bin"), floats(2.5 * i for i in range(n)))
    mode = os.stat(os.path.join(folder, "y.bin")).st_mode
    tap.equal(stat.S_IMODE(mode), 0o640, "mode")


def mandelbrot(folder):
    """Two dimensions; the corner escapes at once, the middle never does."""
    run_ok(folder, tap.bench("mandelbrot.co"), "mandelbrot", "--grid",
           "1024,8", "--group", "64,1", "out:m.bin:32K", "u32:1024", "u32:8",
           "u32:50")
    pixels = array.array("I", read(folder, "m.bin"))
    # c = -2 - 1.5i and c = -2 + 3x/1024 - (1.5 - 3y/1024)i: |z|^2 > 4 after
    # the first step, where z = c
    tap.equal(pixels[0], 1)
    tap.equal(len(pixels), 8192)


def scalars(folder):
    """Each type arrives with its own bits."""
    write(folder, "triple.bin", struct.pack("<III", 7, 8, 9))
    run_ok(folder, ARGS, "scalars", "--grid", "1", "--group", "1",
           "out:o.bin:112", "u8:255", "u16:0xffff", "u32:4294967295",
           "u64:0x8000000000000001", "i8:-128", "i16:-32768",
           "i32:-2147483648", "i64:-9223372036854775808", "f16:-1.5",
           "f32:0.1", "f64:1e300", "in:triple.bin")
    mask = (1 << 64) - 1
    want = [255, 0xffff, 0xffffffff, 0x8000000000000001, -128 & mask,
            -32768 & mask, -2147483648 & mask, 1 << 63, 0xbe00, 0x3dcccccd,
            struct.unpack("<Q", struct.pack("<d", 1e300))[0], 7, 8, 9]
    tap.equal(list(struct.unpack("<14Q", read(folder, "o.bin"))), want)


# ---- hazards ----

def hazards_none(folder):
    """What a compiler makes waits for everything."""
    vadd(folder, options=["--hazards", "strict"])


def hazards_reported(folder):
    """The load, the early reader, its lanes; and nothing is written."""
    assemble(folder, "unwaited")
    write(folder, "a.bin", struct.pack("<64I", *range(64)))
    args = ["unwaited.co", "unwaited", "--grid", "40",
            "--group", "40", "inout:a.bin:b.bin", "u32:1"]
    status, _, err = tap.tessera("run", *args, "--hazards", "strict",
                                 cwd=folder)
    tap.equal(status, 1)
    tap.equal(re.sub(r"0x[0-9a-f]{12} ", "", err), """\
tessera run: kernel unwaited: v2 read before its load was waited for
  pc            (unwaited+0x20)
  instruction   v_add_u32_e32 v3, s4, v2
  load          (unwaited+0x18)
  work-group    0,0,0, wave 0
  lanes         0xffffffffff (0-39)
""")
    tap.equal(sorted(os.listdir(folder)), ["a.bin", "unwaited.co"])
    run_ok(folder, *args)  # by default a load is complete at once
    tap.equal(read(folder, "b.bin")[:160],
              struct.pack("<40I", *range(1, 41)))


def odd_floats(folder):
    write(folder, "triple.bin", bytes(12))
    run_ok(folder, ARGS, "scalars", "--grid", "1", "--group", "1",
           "out:o.bin:112", "u8:0", "u16:0", "u32:0", "u64:0", "i8:0",
           "i16:0", "i32:0", "i64:0", "f16:65504", "f32:inf", "f64:-0.0",
           "in:triple.bin")
    words = struct.unpack("<14Q", read(folder, "o.bin"))
    tap.equal(words[8:11], (0x7bff, 0x7f800000, 1 << 63))


def locals_placed(folder):
    """16 bytes of the kernel's own, then 5 bytes, then 8-byte aligned."""
    run_ok(folder, ARGS, "locals", "--grid", "4", "--group", "4",
           "out:o.bin:12", "local:5", "u32:1", "local:64")
    tap.equal(struct.unpack("<III", read(folder, "o.bin")), (0, 16, 24))


def hidden_v5(folder):
    """
    Code object V5: block counts (whole groups) at 0, group sizes at 12,
    remainders at 18, global offsets at 40, dimensions at 64.
    """
    run_ok(folder, ARGS, "hidden", "--grid", "11,5", "--group", "4,2",
           "out:o.bin:136")
    data = read(folder, "o.bin")
    tap.equal(struct.unpack_from("<III", data, 0), (2, 2, 1), "block counts")
    tap.equal(struct.unpack_from("<HHH", data, 12), (4, 2, 1), "group sizes")
    tap.equal(struct.unpack_from("<HHH", data, 18), (3, 1, 0), "remainders")
    tap.equal(struct.unpack_from("<QQQ", data, 40), (0, 0, 0), "offsets")
    tap.equal(struct.unpack_from("<H", data, 64), (2,), "dimensions")
    tap.equal(struct.unpack_from("<I", data, 132), (11,), "grid size")


def hidden_v4(folder):
    """Code object V4: global offsets at 0, and sizes from the packet."""
    run_ok(folder, tap.objects("args.v4.co"), "hidden", "--grid", "8,2",
           "--group", "4,2", "out:o.bin:136")
    data = read(folder, "o.bin")
    tap.equal(struct.unpack_from("<QQQ", data, 0), (0, 0, 0), "offsets")
    tap.equal(struct.unpack_from("<II", data, 128), (4, 8))


def relocations(folder):
    for version in ("v4", "v5", "v6"):
        for index, want in enumerate(((12, 13), (20, 21), (10, 11))):
            run_ok(folder, tap.objects(f"relocs.{version}.co"), "relocs",
                   "--grid", "1", "--group", "1", "out:o.bin:8",
                   f"u32:{index}")
            tap.equal(struct.unpack("<II", read(folder, "o.bin")), want)


def assemble(folder, name, *options):
    """NAME.s, which lies beside this file, as NAME.co in the folder."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          name + ".s")
    tap.run("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900",
            *options, source, "-o", os.path.join(folder, name + ".co"))


def assembly(folder):
    """A code object written by hand, metadata and all."""
    assemble(folder, "scalar")
    write(folder, "n.bin", struct.pack("<I", 40))
    run_ok(folder, "scalar.co", "increment", "--grid", "1", "--group", "1",
           "inout:n.bin:n.bin", "u32:2")
    tap.equal(read(folder, "n.bin"), struct.pack("<I", 42))
    status, _, err = tap.tessera("run", "scalar.co", "increment", "--grid=1",
                                 "--group=1", "u64:0xdead0000", "u32:2",
                                 cwd=folder)
    tap.equal(status, 1)
    tap.contains(err, "kernel increment faulted: address is not mapped\n")
    tap.contains(err, "  address       0xdead0000, read\n")
    tap.contains(err, "(increment+0x14)\n")
    tap.contains(err, "  instruction   s_load_dword s5, s[2:3], 0x0\n")


def special_output(folder):
    """A target that is no regular file is written, not replaced."""
    run_ok(folder, VADD, "vadd", "--grid", "256", "zero:1K", "zero:1K",
           "out:/dev/null:1K", "u32:256")
    tap.equal(stat.S_ISCHR(os.stat("/dev/null").st_mode), True)


def fresh(folder):
    """Waves follow each other in the same place, and nothing stays: not in
    registers or local memory, nor in MODE (denormals of f16 and f64 are kept,
    gfx-facts section 11), nor lanes that were switched off."""
    assemble(folder, "fresh")
    groups, size = 40, 128
    for workers in ("1", "2"):
        run_ok(folder, "fresh.co", "fresh", "--grid", str(groups * size - 70),
               "--group", str(size), "--workers", workers,
               f"out:out.bin:{16 * groups * size}")
        words = array.array("I", read(folder, "out.bin"))
        for item in range(groups * size - 70):
            set_bits, mode, local, own = words[4 * item:4 * item + 4]
            tap.equal((set_bits, mode & 0xff, local, own),
                      (0, 0xc0, 0, item % size), f"work-item {item}")
        assert not any(words[4 * (groups * size - 70):])


# ---- OpenCL's own functions ----

def builtins(version, opt):
    path = tap.objects(f"builtins.{version}.{opt}.co")
    if not os.path.exists(path):
        raise tap.Skip("rocm-device-libs is not installed")
    return path


def ids(folder, path):
    """11 x 5 work-items in groups of 4 x 2: the last groups are partial."""
    grid, group = (11, 5), (4, 2)
    run_ok(folder, path, "ids", "--grid", "11,5", "--group", "4,2",
           f"out:o.bin:{64 * 11 * 5}")
    words = array.array("I", read(folder, "o.bin"))
    for y in range(grid[1]):
        for x in range(grid[0]):
            at = y * grid[0] + x
            gx, gy = x // group[0], y // group[1]
            want = [x, y, x % group[0], y % group[1], gx, gy, *grid,
                    min(group[0], grid[0] - gx * group[0]),
                    min(group[1], grid[1] - gy * group[1]),
                    3, 3, 2, 0, 4, at]
            tap.equal(list(words[16 * at:16 * at + 16]), want,
                      f"work-item {x},{y}")


def group_sum(folder, path):
    values = [i * 2654435761 % 1000 for i in range(2048)]
    write(folder, "in.bin", array.array("I", values).tobytes())
    write(folder, "sum.bin", struct.pack("<I", 5))
    run_ok(folder, path, "sum", "--grid", "2048", "--group", "256",
           "in:in.bin", "inout:sum.bin:sum.bin", "local:1K")
    tap.equal(struct.unpack("<I", read(folder, "sum.bin"))[0],
              5 + sum(values))


def maths(folder, path):
    """Against doubles of the host; bounds are OpenCL's, in ulp, or wider."""
    inputs = array.array("f", [-10 + 0.0793 * i for i in range(256)])
    write(folder, "in.bin", inputs.tobytes())
    run_ok(folder, path, "maths", "--grid", "256", "--group", "64",
           "in:in.bin", "out:out.bin:8K")
    out = array.array("f", read(folder, "out.bin"))
    for i, x in enumerate(inputs):
        want = [(math.sin(x), 4), (math.exp(x), 4),
                (math.log(to_float(abs(x) + 1.0)), 4),
                (math.sqrt(abs(x)), 3), (x / 3, 2.5),
                (math.pow(abs(x), 1.5), 16), (math.floor(x), 0),
                (x * x + 1, 0.5)]
        for k, (value, ulps) in enumerate(want):
            got = out[8 * i + k]
            ulp = 2.0 ** (max(math.frexp(value)[1], -125) - 24)
            assert abs(got - value) <= (ulps + 0.01) * ulp, \
                f"function {k} of {x}: got {got}, want {value}"


def to_float(value):
    """Round to float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def stack(folder, path):
    """Private memory, against the same loops in Python."""
    count = 300
    values = [i * 40503 % 977 for i in range(count)]
    write(folder, "in.bin", array.array("I", values).tobytes())
    run_ok(folder, path, "stack", "--grid", str(count), "--group", "64",
           "in:in.bin", f"out:out.bin:{4 * count}", f"u32:{count}")
    want = []
    for i in range(count):
        a = [values[(i + k) % count] & 31 for k in range(32)]
        for k in range(32):
            a[a[k] & 31] += k
        want.append(a[i % 32])
    tap.equal(list(array.array("I", read(folder, "out.bin"))), want)


def builtin_tests():
    tests = []
    for version in ("v4", "v5"):
        for opt in ("O2", "O0"):
            for function in (ids, group_sum, maths, stack):
                def test(folder, function=function, version=version, opt=opt):
                    function(folder, builtins(version, opt))
                tests.append((f"{function.__name__} {version} {opt}", test))
    return tests


# ---- options ----

def stats(folder):
    """vadd is straight-line code: each wave executes every instruction."""
    listing = tap.run("llvm-objdump-19", "-d", VADD)
    count = len(re.findall(r"// [0-9A-F]{12}:", listing))
    waves = 4096 // 64
    for workers in ("1", "2"):
        out = run_ok(folder, VADD, "vadd", "--grid", "4096", "--stats",
                     "--workers", workers, "zero:16K", "zero:16K",
                     "zero:16K", "u32:4096")
        lines = dict(line.split() for line in out.splitlines())
        tap.equal(list(lines), ["instructions", "lane_instructions", "waves",
                                "seconds"])
        tap.equal(int(lines["waves"]), waves)
        tap.equal(int(lines["instructions"]), count * waves)
        tap.equal(int(lines["lane_instructions"]), count * waves * 64)
        assert 0 <= float(lines["seconds"]) < 600, lines


def profile(folder):
    """vadd has no loop: each wave executes each instruction once, and memory
    is accessed by the lanes below n.  The three that do so are slow enough to
    be among the twenty that are listed."""
    listing = tap.run("llvm-objdump-19", "-d", VADD)
    body = listing.split("<vadd>:")[1].split("s_endpgm")[0]
    static = sum("//" in line for line in body.splitlines()) + 1
    n, waves = 1000, 16
    out = run_ok(folder, VADD, "vadd", "--grid", "1024", "--group", "256",
                 "--workers", "2", "--profile", "zero:4000", "zero:4000",
                 "zero:4000", f"u32:{n}")
    kinds, places = [{row[:24].strip(): row[24:].split()
                      for row in part.splitlines()[1:]}
                     for part in out.split("\n\n")]
    tap.equal(kinds["all"][0], str(static * waves), "instructions")
    tap.equal((kinds["memory load"][:2], kinds["memory store"][:2]),
              (["32", f"{n / waves:.1f}"], ["16", f"{n / waves:.1f}"]),
              "memory instructions and their lanes")
    tap.equal(kinds["vector f32"][0], "16", "additions")
    tap.equal(sum(int(row[0]) for name, row in kinds.items()
                  if name != "all" and not name.startswith("The host")),
              static * waves, "sum over kinds")
    start = int(re.search(r"([0-9a-f]+) <vadd>:", listing)[1], 16)
    for text, at in re.findall(r"\t(global_\S+ .*?) *// ([0-9A-F]+):", body):
        row = places[f"vadd+{int(at, 16) - start:#x}"]
        tap.equal((row[0], row[4:]), ("16", text.split()), text)


def resident_bytes(folder, *args):
    """Of `tessera run` at its height."""
    with subprocess.Popen([tap.TESSERA, "run", *args], cwd=folder,
                          stdout=subprocess.PIPE, text=True) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    tap.equal(process.returncode, 0, "status")
    return out, usage.ru_maxrss * 1024


def code_pages(folder):
    """What is kept of decoded code has a bound: 256 pages of some 36 KiB each
    a worker.  4,000 pages would take 140 MiB.  The code itself, 16 MiB, is in
    memory up to three times: as a file, as an image, in VRAM."""
    used = {}
    for pages in (4, 4000):
        assemble(folder, "pages", f"-Wa,-defsym,PAGES={pages}")
        out, used[pages] = resident_bytes(
            folder, "pages.co", "pages", "--grid", "64", "--group", "64",
            "--workers", "1", "--stats")
        tap.contains(out, f"instructions {pages + 1}\n")
    grown = used[4000] - used[4] - 3 * 4000 * 4096
    if grown > 24 << 20:
        raise AssertionError(f"{grown >> 20} MiB are more than 24")


def trace(folder):
    status, out, err = tap.tessera(
        "run", VADD, "vadd", "--trace", "--grid", "256", "zero:1K",
        "zero:1K", "out:c.bin:1K", "u32:256", cwd=folder)
    tap.equal((status, out), (0, ""))
    for event in ("queue_map", "dispatch_start", "dispatch_end", "ih_post"):
        tap.contains(err, event)
    tap.equal(len(read(folder, "c.bin")), 1024)


# ---- what does not end well ----

def expect_fault(folder, *args):
    """Status 1, nothing on stdout, the output as it was before."""
    write(folder, "o.bin", b"before")
    status, out, err = tap.tessera("run", FAULTS, *args, cwd=folder)
    tap.equal((status, out), (1, ""))
    tap.equal(read(folder, "o.bin"), b"before")
    tap.equal(os.listdir(folder), ["o.bin"])
    return err


def instruction_at(symbol, offset):
    """What LLVM says is there: (text, address)."""
    listing = tap.run("llvm-objdump-19", "-d", FAULTS)
    start = int(re.search(rf"([0-9a-f]+) <{symbol}>:", listing)[1], 16)
    match = re.search(rf"\t(.*?) *// {start + offset:012X}:", listing)
    return match[1]


def check_report(err, kernel, cause, mnemonic):
    """The fields that every report of a faulting instruction has."""
    tap.contains(err, f"tessera run: kernel {kernel} faulted: {cause}\n")
    match = re.search(rf"  pc +0x[0-9a-f]+ \({kernel}\+0x([0-9a-f]+)\)\n",
                      err)
    assert match, err
    text = instruction_at(kernel, int(match[1], 16))
    tap.contains(err, f"  instruction   {text}\n")
    tap.equal(text.split()[0].startswith(mnemonic), True, text)


def stray(folder):
    """Lane 63 alone stores to nowhere."""
    err = expect_fault(folder, "stray", "--grid", "64", "--group", "64",
                       "out:o.bin:256", "u64:0x7f0000000000", "u32:63")
    check_report(err, "stray", "address is not mapped", "global_store")
    tap.contains(err, "  address       0x7f0000000000, write\n")
    tap.contains(err, "  lanes         0x8000000000000000 (63)\n")
    tap.contains(err, "  work-group    0,0,0, wave 0\n")


def second_wave(folder):
    err = expect_fault(folder, "stray", "--grid", "128", "--group", "128",
                       "out:o.bin:512", "u64:0", "u32:66")
    check_report(err, "stray", "address is not mapped", "global_store")
    tap.contains(err, "  lanes         0x4 (2)\n")
    tap.contains(err, "  work-group    0,0,0, wave 1\n")


def overrun(folder):
    """4,096 bytes behind the end of a buffer of one page."""
    err = expect_fault(folder, "overrun", "--grid", "1", "--group", "1",
                       "zero:4096", "out:o.bin:4", "u64:2048")
    tap.contains(err, "kernel overrun faulted: address is not mapped\n")
    tap.contains(err, "  that is       4096 bytes behind the end of argument "
                 "1 (zero:4096)\n")


def trap(folder):
    err = expect_fault(folder, "trap", "--grid", "64", "--group", "64",
                       "out:o.bin:4")
    check_report(err, "trap", "s_trap", "s_trap")


def endless(folder):
    err = expect_fault(folder, "endless", "--grid", "64", "--group", "64",
                       "--timeout", "0.3", "out:o.bin:4")
    tap.contains(err, "tessera run: kernel endless did not end within 0.3 "
                 "seconds; it was killed\n")


if __name__ == "__main__":
    tap.main([
        ("vadd", vadd), ("vadd in VRAM", vadd_vram),
        ("default group", vadd_default_group), ("host levels", levels),
        ("saxpy in place", saxpy), ("mandelbrot", mandelbrot),
        ("scalars", scalars), ("fresh waves", fresh),
        ("odd floats", odd_floats),
        ("no hazards", hazards_none), ("hazards", hazards_reported),
        ("local memory", locals_placed), ("hidden arguments V5", hidden_v5),
        ("hidden arguments V4", hidden_v4), ("relocations", relocations),
        ("assembly", assembly), ("special output", special_output), ("stats", stats),
        ("profile", profile), ("code pages", code_pages),
        ("trace", trace), ("stray store", stray),
        ("fault in the second wave", second_wave), ("overrun", overrun),
        ("trap", trap), ("endless", endless),
    ] + builtin_tests())
