#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the test cases of a meson run.

usage: count-tests.py meson-logs/testlog.json

Prints "N passed, N failed".  A program that speaks TAP counts with each of its
lines, any other as one.  A program that ended badly without a line that says
so (crash, time-out, bad plan) is one failure more.  Skipped cases do not count.
The exit status is 0 if some passed and none failed.
"""

import json
import re
import sys

CASE = re.compile(r'^(not )?ok\b[^#]*(#\s*(SKIP|TODO)\b)?', re.I)


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


def main():
    passed = failed = 0
    try:
        with open(sys.argv[1], encoding='utf-8') as log:
            for line in log:
                p, f = count(json.loads(line))
                passed += p
                failed += f
    except FileNotFoundError:
        print('check: no test was run', file=sys.stderr)
    print(f'{passed} passed, {failed} failed')
    sys.exit(0 if passed and not failed else 1)


main()
