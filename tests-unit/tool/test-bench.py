#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`tessera bench`: what it prints, and what it says of wrong usage and wrong
results."""
import json
import os
import shutil

import tap

KERNELS = ["vadd", "saxpy", "sgemm_naive", "sgemm_tiled", "mandelbrot",
           "intmix", "reduce", "histogram", "nbody64", "byteperm"]
FIELDS = {"name", "isa", "workers", "size", "jit", "min_s", "median_s",
          "lane_instructions_per_s", "check"}
TINY = ["--size", "tiny", "--runs", "2", "--objects", tap.BENCH]
VADD_ITEMS = 8192  # of the tiny vadd, bench/common/workload.c
HISTOGRAM_BYTES = 4 * 2048


def results(*args):
    status, out, err = tap.tessera("bench", *TINY, "--json", *args)
    tap.equal(err, "", "stderr")
    return status, json.loads(out)


def all_kernels(_folder):
    status, found = results("--isa", "gfx900")
    tap.equal(status, 0, "status")
    tap.equal([r["name"] for r in found], KERNELS, "kernels")
    for r in found:
        tap.equal(set(r), FIELDS, "fields")
        tap.equal((r["isa"], r["size"], r["jit"], r["check"]),
                  ("gfx900", "tiny", False, "ok"), r["name"])
        if not 0 < r["min_s"] <= r["median_s"]:
            raise AssertionError(f"{r['name']}: times {r}")


def counts(_folder):
    """vadd has no loop: each work-item executes each instruction once."""
    listing = tap.run("llvm-objdump-19", "-d", tap.bench("vadd.co"))
    body = listing.split("<vadd>:")[1].split("s_endpgm")[0]
    static = sum("//" in line for line in body.splitlines()) + 1
    _, [r] = results("--isa", "gfx900", "--workers", "1", "vadd")
    tap.equal(r["workers"], 1, "workers")
    tap.equal(round(r["lane_instructions_per_s"] * r["min_s"] / VADD_ITEMS, 2),
              static, "instructions a work-item")


def table(_folder):
    status, out, _ = tap.tessera("bench", *TINY, "--isa", "gfx900", "saxpy",
                                 "reduce")
    tap.equal(status, 0, "status")
    rows = [line.split() for line in out.splitlines()[2:]]
    if [] in rows:  # what follows is about compiled code (TESSERA_JIT)
        rows = rows[:rows.index([])]
    tap.equal([row[0] for row in rows], ["kernel", "saxpy", "reduce"], "rows")
    tap.equal([row[-1] for row in rows], ["check", "ok", "ok"], "checks")


def wrong_result(folder):
    """saxpy with an operation swapped is told from the right one."""
    with open(tap.bench("saxpy.co"), "rb") as file:
        code = file.read()
    listing = tap.run("llvm-objdump-19", "-d", tap.bench("saxpy.co"))
    line = next(x for x in listing.splitlines()
                if "v_fma" in x or "v_mac" in x or "v_mad" in x)
    words = b"".join(int(w, 16).to_bytes(4, "little")
                     for w in line.split(":")[1].split()
                     if len(w) == 8)
    tap.equal(code.count(words), 1, "places of the multiplication")
    nops = (0xbf800000).to_bytes(4, "little") * (len(words) // 4)
    with open(os.path.join(folder, "saxpy.co"), "wb") as file:
        file.write(code.replace(words, nops))
    status, out, _ = tap.tessera("bench", "--size", "tiny", "--objects",
                                 folder, "--isa", "gfx900", "saxpy")
    tap.equal(status, 1, "status")
    tap.contains(out, "y[")


def wrong_kernel(folder):
    shutil.copy(tap.bench("vadd.co"), os.path.join(folder, "saxpy.co"))
    status, _, err = tap.tessera("bench", "--objects", folder, "--isa",
                                 "gfx900", "saxpy")
    tap.equal(status, 2, "status")
    tap.contains(err, "saxpy.co: is built for gfx900 and has no kernel saxpy")
    shutil.copy(tap.bench("saxpy.co"),
                os.path.join(folder, "saxpy.gfx1200.co"))
    status, _, err = tap.tessera("bench", "--objects", folder, "--isa",
                                 "gfx1200", "saxpy")
    tap.equal(status, 2, "status")
    tap.contains(err, "saxpy.gfx1200.co: is built for gfx900, wanted is one "
                 "for gfx1200")


def jit(_folder):
    """Asked for, it is used, or one line says that there is none."""
    status, out, err = tap.tessera("bench", *TINY, "--json", "--isa", "gfx900",
                                   "--jit", "on", "intmix")
    tap.equal(status, 0, "status")
    [r] = json.loads(out)
    tap.equal(r["check"], "ok", "check")
    tap.equal(err, "" if r["jit"] else "tessera bench: there is no JIT here, "
              "code is interpreted\n", "stderr")


def profile(_folder):
    """histogram adds each byte to a bin."""
    status, out, _ = tap.tessera("bench", *TINY, "--isa", "gfx900",
                                 "--profile", "histogram")
    tap.equal(status, 0, "status")
    row = next(line for line in out.splitlines()
               if line.startswith("memory atomic"))
    executed, lanes = row[24:].split()[:2]
    tap.equal(int(executed) * float(lanes), HISTOGRAM_BYTES, "atomics")


def no_kernels(folder):
    status, _, err = tap.tessera("bench", "--objects", folder)
    tap.equal((status, err), (2, f"tessera bench: {folder}: holds no bench "
                              "kernel (see --objects)\n"))


def usage(_folder):
    for args, text in [
            (["--size", "huge"], "--size huge: the value must be full, medium "
             "or tiny"),
            (["--runs", "0"], "--runs 0: the value must be a whole number "
             "from 1 to 1000"),
            (["--isa", "gfx900,gfx7"], "--isa gfx900,gfx7: the value must be "
             "instruction sets of tessera info, comma-separated"),
            (["--jit", "maybe"], "--jit maybe: the value must be on, off or now"),
            (["--json", "--profile"], "--profile cannot be had with --json"),
            (["matmul"], "there is no bench kernel matmul (there are: " +
             " ".join(KERNELS) + ")")]:
        tap.equal(tap.tessera("bench", *args),
                  (2, "", f"tessera bench: {text}\n"), " ".join(args))


tap.main([
    ("all-kernels", all_kernels),
    ("counts", counts),
    ("table", table),
    ("wrong-result", wrong_result),
    ("wrong-kernel", wrong_kernel),
    ("jit", jit),
    ("profile", profile),
    ("no-kernels", no_kernels),
    ("usage", usage),
])
