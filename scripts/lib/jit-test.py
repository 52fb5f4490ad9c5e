#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run a test, and say how much shader code was compiled for it.

usage: jit-test.py PROGRAM [ARGUMENT...]   (by meson test --setup jit or hot)

Adds the line "# jit: N pages, N instructions compiled, N failed" to what the
test prints.  With TESSERA_JIT=now a test for which nothing was compiled fails:
it would prove nothing.  Those that execute no shader code are named in
jit-nothing.txt.
"""

import fnmatch
import os
import subprocess
import sys
import tempfile


def read_log(path):
    pages = instructions = 0
    failures = []
    with open(path, encoding='utf-8') as log:
        for line in log:
            _, _, count, _, _, why = line.rstrip('\n').split('\t')
            if why:
                failures.append(why)
            else:
                pages += 1
                instructions += int(count)
    return pages, instructions, failures


def test_name(command):
    """What it is called in jit-nothing.txt: script or program, arguments."""
    words = [os.path.basename(word) for word in command]
    if words[0].startswith('python'):
        words.pop(0)
    return ' '.join(words)


def compiles_nothing(name):
    path = os.path.join(os.path.dirname(__file__), 'jit-nothing.txt')
    with open(path, encoding='utf-8') as names:
        patterns = [line.strip() for line in names if line[0] != '#']
    return any(fnmatch.fnmatch(name, p) for p in patterns if p)


def main():
    name = test_name(sys.argv[1:])
    with tempfile.NamedTemporaryFile(prefix='tessera-jit-') as log:
        env = dict(os.environ, TESSERA_JIT_LOG=log.name)
        status = subprocess.call(sys.argv[1:], env=env)
        pages, instructions, failures = read_log(log.name)
    print(f'# jit: {pages} pages, {instructions} instructions compiled, '
          f'{len(failures)} failed', flush=True)
    for why in sorted(set(failures)):
        print(f'# jit: not compiled: {why}')
    if (not pages and status == 0 and env['TESSERA_JIT'] == 'now' and
            not compiles_nothing(name)):
        print(f'# jit: "{name}" is not in jit-nothing.txt')
        status = 1
    if failures and status == 0:
        status = 1
    sys.exit(status if status >= 0 else 128 - status)


main()
