#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random kernels on the device at -O0 and -O2 against the same C natively.

usage: test-random-kernels.py [FIRST_SEED [COUNT]]

Without arguments a hundred, or 25 for RDNA; RANDOM_KERNELS in the environment is
another count, MCPU another target than gfx900 ("gfx1200"; "gfx1200 -mwavefrontsize64"
for wave64).  A kernel that differs is told with its seed: give it alone, and
KEEP=FOLDER, to see its source and code objects.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = os.environ.get("CLANG", "clang-19")
DIFFER = os.environ.get("DIFFER", "differ")
MCPU, *WAVE = os.environ.get("MCPU", "gfx900").split()
BATCH = 25
DEFAULT_COUNT = 100 if MCPU == "gfx900" else BATCH
COMMON = ["-w", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing",
          "-I", HERE]
DEVICE = COMMON + ["-x", "cl", "-cl-std=CL2.0", "-nogpulib",
                   "-target", "amdgcn-amd-amdhsa", "-mcpu=" + MCPU, *WAVE,
                   "-cl-fp32-correctly-rounded-divide-sqrt"]
# Round each _Float16 operation, as OpenCL does; a NaN's bits are looked at
# only once it has become the one NaN.
NATIVE = COMMON + ["-x", "c", "-std=gnu11", "-shared", "-fPIC", "-O1",
                   "-Xclang", "-ffloat16-excess-precision=none", "-lm"]


def build(folder, first, count):
    def path(end):
        return os.path.join(folder, f"{first}.{end}")

    with open(path("c"), "w", encoding="ascii") as source:
        subprocess.run([sys.executable, os.path.join(HERE, "gen-kernels.py"),
                        str(first), str(count)], stdout=source, check=True)
    for options, output in ((NATIVE, path("so")),
                            (DEVICE + ["-O2"], path("O2.co")),
                            (DEVICE + ["-O0"], path("O0.co"))):
        subprocess.run([CLANG, path("c"), "-o", output, *options], check=True)
    return [path("so"), path("O2.co"), path("O0.co")]


def run_batch(folder, first, count):
    try:
        files = build(folder, first, count)
        done = subprocess.run([DIFFER, *files], capture_output=True,
                              text=True, timeout=1500)
    except subprocess.SubprocessError as error:
        return False, [str(error)]
    lines = done.stdout.splitlines() + done.stderr.splitlines()
    if not os.environ.get("KEEP"):
        for name in os.listdir(folder):
            if name.startswith(f"{first}."):
                os.remove(os.path.join(folder, name))
    return done.returncode == 0, lines


def main():
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else \
        1 if len(sys.argv) > 1 else int(os.environ.get("RANDOM_KERNELS",
                                                     DEFAULT_COUNT))
    if not shutil.which(CLANG):
        print(f"1..0 # SKIP {CLANG} is not installed")
        return
    batches = [(at, min(BATCH, first + count - at))
               for at in range(first, first + count, BATCH)]
    folder = os.environ.get("KEEP") or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    print(f"1..{len(batches)}", flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(
            int(os.environ.get("JOBS", 2))) as pool:
        futures = [pool.submit(run_batch, folder, *batch)
                   for batch in batches]
        for number, (batch, future) in enumerate(zip(batches, futures), 1):
            good, lines = future.result()
            failed += not good
            for line in lines:
                print("#", line)
            print("" if good else "not ", f"ok {number} seeds {batch[0]} to "
                  f"{batch[0] + batch[1] - 1}", sep="", flush=True)
    if not os.environ.get("KEEP"):
        shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


main()
