#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run the tests that keep records of the rows they execute, and write
data/GENERATION-coverage.tsv and docs/isa-GENERATION.md of what they say.

usage: update-isa.py GEN_ISA DATA DOCS TEST...
"""
import os
import subprocess
import sys
import tempfile


def run(folder, *command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"COVERAGE_WRITE": folder})


def main():
    gen_isa, data, docs, *tests = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for test in tests:
            print(os.path.basename(test), flush=True)
            run(folder, test)
            if os.path.basename(test) == "test-valu":
                for target in "gfx1100", "gfx1200":
                    run(folder, test, target, "32", "brief")
        for name in "gfx9", "gfx11", "gfx12":
            tsv = os.path.join(data, name + "-coverage.tsv")
            subprocess.run([gen_isa, name, "--merge",
                            os.path.join(folder, name), tsv], check=True)
            subprocess.run([gen_isa, name, "--write", tsv,
                            os.path.join(docs, f"isa-{name}.md")], check=True)


main()
