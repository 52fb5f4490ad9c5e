#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the test cases of a meson run.

usage: count-tests.py meson-logs/testlog.json

Prints "N passed, N failed".  A program that speaks TAP counts with each of its
lines, any other as one.  A program that ended badly without a line that says
so (crash, time-out, bad plan) is one failure more.  Skipped cases do not count.
What tests that were run by meson test --setup jit say of compiled code
(jit-test.py) is summed up in a line before that.  The exit status is 0 if some
passed and none failed.
"""

import json
import re
import sys

CASE = re.compile(r'^(not )?ok\b[^#]*(#\s*(SKIP|TODO)\b)?', re.I)
COMPILED = re.compile(r'^# jit: (\d+) pages, (\d+) instructions', re.M)


def count_tap(text):
    passed = failed = 0
    for line in text.splitlines():
        m = CASE.match(line)
        if m and not m.group(2):
            passed += not m.group(1)
            failed += bool(m.group(1))
    return passed, failed


def count(test):
    good = test['result'] in ('OK', 'EXPECTEDFAIL')
    if test['result'] == 'SKIP':
        return 0, 0
    passed, failed = count_tap(test.get('stdout', ''))
    if passed + failed == 0:
        return int(good), int(not good)
    if not good and not failed:
        failed = 1
    return passed, failed


def count_compiled(tests):
    found = [COMPILED.search(test.get('stdout', '')) for test in tests]
    sums = [(int(m[1]), int(m[2])) for m in found if m and int(m[1])]
    if any(found):
        print(f'check: {sum(s[0] for s in sums)} pages with '
              f'{sum(s[1] for s in sums)} instructions were compiled in '
              f'{len(sums)} of {len(found)} programs')


def main():
    passed = failed = 0
    tests = []
    try:
        with open(sys.argv[1], encoding='utf-8') as log:
            for line in log:
                tests.append(json.loads(line))
                p, f = count(tests[-1])
                passed += p
                failed += f
    except FileNotFoundError:
        print('check: no test was run', file=sys.stderr)
    count_compiled(tests)
    print(f'{passed} passed, {failed} failed')
    sys.exit(0 if passed and not failed else 1)


main()
