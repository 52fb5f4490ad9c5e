#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run the tests that keep a record of the rows they execute, and write
data/gfx9-coverage.tsv and docs/isa-gfx9.md of what they say.

usage: update-isa.py GEN_ISA TSV PAGE TEST...
"""
import os
import subprocess
import sys
import tempfile


def main():
    gen_isa, tsv, page, *tests = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for test in tests:
            print(os.path.basename(test), flush=True)
            subprocess.run([test], check=True, stdout=subprocess.DEVNULL,
                           env=os.environ | {"COVERAGE_WRITE": folder})
        subprocess.run([gen_isa, "--merge", folder, tsv], check=True)
    subprocess.run([gen_isa, "--write", tsv, page], check=True)


main()
