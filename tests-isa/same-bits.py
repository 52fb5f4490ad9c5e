#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run tests with WAVE_BITS and compare what their levels wrote.

usage: same-bits.py TEST...
"""
import os
import subprocess
import sys
import tempfile


def read(path):
    with open(path, encoding="ascii") as file:
        return {line.split()[0]: line.split()[1:] for line in file}


def compare(name, levels):
    """levels: {level: {test: [runs, digest]}}; returns how many differ."""
    differ = 0
    first = next(iter(levels))
    for test in levels[first]:
        found = {level: tuple(lines.get(test, ("none",)))
                 for level, lines in levels.items()}
        if len(set(found.values())) != 1:
            differ += 1
            print(f"{name}{test} differs: {found}")
    runs = sum(int(runs) for runs, _ in levels[first].values())
    print(f"{name}: {len(levels[first])} tests, {runs} runs, levels "
          f"{' '.join(levels)}: " + (f"{differ} differ" if differ else
                                     "the same bits"), flush=True)
    return differ


def main():
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for test in sys.argv[1:]:
            name = os.path.basename(test)
            subprocess.run([test], check=True, stdout=subprocess.DEVNULL,
                           env=os.environ | {"WAVE_BITS": folder})
            files = sorted(file for file in os.listdir(folder)
                           if file.startswith(name + "."))
            differ += compare(name, {
                file[len(name) + 1:]: read(os.path.join(folder, file))
                for file in files})
    sys.exit(1 if differ else 0)


main()
