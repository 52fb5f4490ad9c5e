#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`tessera dis` of a whole library's code object equals llvm-objdump's text,
and every instruction in it is one to us."""
import os
import re
import shutil
import subprocess

OBJDUMP = "llvm-objdump-19"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          timeout=600).stdout.decode().splitlines()


def compare(path):
    got = output(os.environ["TESSERA"], "dis", path)
    want = output(OBJDUMP, "-d", "--mcpu=gfx900", path)
    differ = [(a, b) for a, b in zip(got, want) if a != b]
    for ours, llvms in differ[:10]:
        print(f"# got  {ours}\n# want {llvms}")
    print(f"# {sum('//' in line for line in got)} instructions")
    return not differ and len(got) == len(want)


def decoded(path):
    bad = [line for line in output(os.environ["TESSERA"], "dis", path)
           if re.match(r"\t\.long|\t\.byte", line)]
    for line in bad[:10]:
        print("#", line)
    return not bad


def main():
    path = os.environ["OBJECT"]
    if not os.path.exists(path) or not shutil.which(OBJDUMP):
        print(f"1..0 # SKIP {path} or {OBJDUMP} is not there")
        return 0
    tests = [compare, decoded]
    print(f"1..{len(tests)}")
    good = [test(path) for test in tests]
    for number, (test, ok) in enumerate(zip(tests, good), 1):
        print("" if ok else "not ", f"ok {number} {test.__name__}", sep="")
    return 0 if all(good) else 1


raise SystemExit(main())
