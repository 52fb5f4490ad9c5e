# SPDX-License-Identifier: GPL-2.0-or-later
"""Test functions that speak TAP, for the tests of the command."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

TESSERA = os.environ.get("TESSERA", "tessera")
OBJECTS = os.environ.get("TESSERA_TEST_OBJECTS", ".")
BENCH = os.environ.get("TESSERA_BENCH_OBJECTS", ".")


def objects(name):
    return os.path.join(OBJECTS, name)


def bench(name):
    return os.path.join(BENCH, name)


def tessera(*args, cwd=None, timeout=600):
    """Run the command; returns (exit status, stdout, stderr)."""
    done = subprocess.run([TESSERA, *args], cwd=cwd, timeout=timeout,
                          stdin=subprocess.DEVNULL, capture_output=True)
    return (done.returncode, done.stdout.decode(),
            done.stderr.decode(errors="replace"))


def host_levels():
    """All the levels that this build has and this CPU can run."""
    info = tessera("info")[1]
    built = re.search(r"host levels (.*)", info)[1].split()
    best = re.search(r"host level +(v\d)", info)[1]
    return [name for name in built if name <= best]


def run(*args):
    """Run another program, which must succeed; returns its stdout."""
    return subprocess.run(args, check=True, capture_output=True,
                          timeout=600).stdout.decode()


class Skip(Exception):
    """Raised by a test that cannot be run here; says why."""


def equal(got, want, what="value"):
    if got != want:
        raise AssertionError(f"{what}: got {got!r}, want {want!r}")


def contains(text, part):
    if part not in text:
        raise AssertionError(f"{part!r} is not in {text!r}")


def main(tests):
    """Run [(name, function)...]; a function gets a folder of its own."""
    failed = 0
    if not shutil.which(TESSERA):
        print(f"Bail out! there is no {TESSERA}; set TESSERA")
        sys.exit(1)
    print(f"1..{len(tests)}")
    for number, (name, function) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(folder)
                print(f"ok {number} {name}", flush=True)
            except Skip as reason:
                print(f"ok {number} {name} # SKIP {reason}", flush=True)
            except Exception as error:  # pylint: disable=broad-except
                failed += 1
                text = str(error) if isinstance(error, AssertionError) else \
                    traceback.format_exc()
                for line in text.splitlines():
                    print("#", line)
                print(f"not ok {number} {name}", flush=True)
    sys.exit(1 if failed else 0)
