#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every sentence of the programming guide is accounted for.

usage: test-guide-sentences.py GUIDE LIST PROGRAM...   (TAP on stdout)
       test-guide-sentences.py --missing GUIDE LIST    (lines to add to LIST)

LIST has a line a sentence: the tests that prove it, a tab, the sentence.
Tests are `program:/path`, the path without host level or machine (a folder of
paths will do), separated by spaces; a sentence that states no behaviour has one of the words in NO_BEHAVIOUR
instead.  The check fails on a sentence that is not listed, on one that is no
longer in the guide, and on a test that does not exist.

A row of a table counts as a sentence; headings and code do not.
"""
import re
import subprocess
import sys
from pathlib import Path

NO_BEHAVIOUR = {
    "-advice": "tells a driver writer what to do",
    "-example": "tells of an example, which a test compiles and runs",
    "-layout": "names something that the headers define",
    "-reference": "points to another page or standard",
}


def prose(text):
    """The guide without comments, code and headings, in blocks."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for block in re.split(r"\n\s*\n", text):
        block = block.strip("\n")
        if block and not block.startswith("#"):
            yield block


def table_rows(block):
    """Data rows of a table: what follows its line of dashes."""
    lines = block.splitlines()
    rule = [i for i, line in enumerate(lines)
            if re.match(r"^\|[\s:|-]*-[\s:|-]*$", line)]
    for line in lines[rule[0] + 1:] if rule else lines:
        yield " ".join(line.strip("|").split())


def list_items(block):
    return re.split(r"^\s*(?:[*-]|\d+\.)\s+", block, flags=re.M)


def sentences(guide):
    for block in prose(guide):
        if block.startswith("|"):
            yield from table_rows(block)
            continue
        for item in list_items(block):
            flat = " ".join(item.split())
            for part in re.split(r"(?<=[.?!:])\)?\s+(?=[A-Z`(\[*0-9])", flat):
                if part.strip():
                    yield part.strip()


def read_list(path):
    listed = {}
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        tests, tab, sentence = line.partition("\t")
        if not tab or not tests.split():
            sys.exit(f"{path}:{number}: want tests, a tab, a sentence")
        listed[sentence] = tests.split()
    return listed


def known_tests(programs):
    """program -> paths, as GLib's test programs list them, slow ones too."""
    tests = {}
    for program in programs:
        run = subprocess.run([program, "-l", "-m", "slow"], capture_output=True, text=True,
                             timeout=600, check=True)
        name = Path(program).name.removeprefix("test-")
        tests[name] = [re.sub(r"^/(v\d|x86_64)(?=/)", "", line.strip())
                       for line in run.stdout.splitlines()
                       if line.startswith("/")]
    return tests


def exists(name, tests):
    program, _, path = name.partition(":")
    return any(known == path or known.startswith(path + "/")
               for known in tests.get(program, [])) if path else False


def check(guide, listed, tests):
    """Yield (what was looked at, what is wrong with it)."""
    now = list(dict.fromkeys(sentences(guide)))
    for sentence in now:
        wrong = [] if sentence in listed else ["not in the list"]
        for name in listed.get(sentence, []):
            if name not in NO_BEHAVIOUR and not exists(name, tests):
                wrong.append(f"no test {name}")
        yield sentence, wrong
    for sentence in listed:
        if sentence not in now:
            yield sentence, ["no longer in the guide"]


def main():
    args = sys.argv[1:]
    if args and args[0] == "--missing":
        listed = read_list(args[2])
        for sentence in dict.fromkeys(sentences(Path(args[1]).read_text())):
            if sentence not in listed:
                print(f"?\t{sentence}")
        return
    results = list(check(Path(args[0]).read_text(), read_list(args[1]),
                         known_tests(args[2:])))
    bad = [(sentence, wrong) for sentence, wrong in results if wrong]
    print("1..1")
    for sentence, wrong in bad:
        print(f"# {', '.join(wrong)}: {sentence}")
    print(f"{'not ok' if bad else 'ok'} 1 - guide-sentences"
          f" ({len(results)} sentences)")
    sys.exit(1 if bad else 0)


main()
