#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fetch Debian's librocrand1 and take its gfx900 code object out of it.

usage: fetch-rocrand.py OUTPUT

The package is downloaded and unpacked, not installed: only a test runs its
kernels.  Exit status 1 with one line if it cannot be had.
"""
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile

PACKAGE = "librocrand1"
MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def find_object(data, isa):
    """A bundle: magic, count, then offset, size and name of each entry."""
    at = data.find(MAGIC)
    while at >= 0:
        place = at + len(MAGIC)
        count, = struct.unpack_from("<Q", data, place)
        place += 8
        for _ in range(min(count, 64)):
            offset, size, length = struct.unpack_from("<QQQ", data, place)
            name = data[place + 24:place + 24 + length]
            place += 24 + length
            if isa in name and size:
                return data[at + offset:at + offset + size]
        at = data.find(MAGIC, at + 1)
    raise ValueError(f"there is no {isa.decode()} in the library")


def fetch(folder):
    subprocess.run(["apt-get", "-q", "download", PACKAGE], cwd=folder,
                   check=True, capture_output=True, stdin=subprocess.DEVNULL)
    package, = glob.glob(os.path.join(folder, "*.deb"))
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True,
                   capture_output=True)
    path, = (name for name in glob.glob(
        os.path.join(folder, "usr/lib/*/librocrand.so*"))
        if not os.path.islink(name))
    with open(path, "rb") as file:
        return file.read()


def main():
    folder = tempfile.mkdtemp()
    try:
        code = find_object(fetch(folder), b"gfx900")
        with open(sys.argv[1] + ".new", "wb") as file:
            file.write(code)
        os.replace(sys.argv[1] + ".new", sys.argv[1])
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"cannot fetch {PACKAGE}: {error}", file=sys.stderr)
        sys.exit(1)
    finally:
        shutil.rmtree(folder)


main()
