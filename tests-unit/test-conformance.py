#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare docs/conformance.md with the tests that carry a rule's number.

   test-conformance.py PAGE TEST_PROGRAM...

Speaks TAP.
"""
import re
import subprocess
import sys

RULES = [f"SM{n}" for n in range(1, 20)] + \
        [f"FL{n}" for n in range(1, 18)] + [f"VB{n}" for n in range(1, 6)] + \
        [f"TB{n}" for n in range(1, 34)]
NONE = "not tested yet"


def tests_of(programs):
    """Names of all tests, without the host level and the target."""
    names = set()
    for program in programs:
        listed = subprocess.run([program, "-l"], capture_output=True,
                                text=True, check=True).stdout
        for line in listed.splitlines():
            if line.startswith("#"):
                continue
            names.add(re.sub(r"^/v\d(?=/)|/gfx\d+-w\d+$", "", line.strip()))
    return {name for name in names if re.search(r"\b(SM|FL|VB|TB)\d", name)}


def rows_of(page):
    """[(rule, tests column)] in the page's order."""
    with open(page, encoding="utf-8") as file:
        return re.findall(r"^\| ((?:SM|FL|VB|TB)\d+) \|.*\| ([^|]*) \|$",
                          file.read(), re.M)


def check(rows, tests):
    """What is wrong, one line each."""
    if [rule for rule, _ in rows] != RULES:
        yield "the rules are not " + " ".join(RULES)
    for rule, text in rows:
        listed = set(re.findall(r"`([^`]+)`", text))
        named = {name for name in tests
                 if re.search(rf"\b{rule}(?!\d)", name)}
        for name in sorted(listed - tests):
            yield f"{rule}: there is no test {name}"
        for name in sorted(named - listed):
            yield f"{rule}: {name} is not in its row"
        if not listed and NONE not in text:
            yield f"{rule}: no test, and not '{NONE}'"
        if listed and NONE in text:
            yield f"{rule}: has a test and '{NONE}'"


def main():
    page, programs = sys.argv[1], sys.argv[2:]
    wrong = list(check(rows_of(page), tests_of(programs)))
    print("1..1")
    for line in wrong:
        print("#", line)
    print("not ok" if wrong else "ok", "1 conformance")
    sys.exit(1 if wrong else 0)


main()
