#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write assembly that holds a file: embed.py FILE OUTPUT SYMBOL

SYMBOL is its first byte, SYMBOL_end the one behind it.  A digest of the file is
in the assembly as well, so that it is assembled anew when the file changes.
"""
import hashlib
import os
import sys

TEXT = """/* {digest} */
    .section .rodata
    .global {symbol}, {symbol}_end
    .hidden {symbol}, {symbol}_end
    .balign 16
{symbol}:
    .incbin "{path}"
{symbol}_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
"""


def main():
    path, output, symbol = sys.argv[1:]
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    with open(output, "w", encoding="ascii") as file:
        file.write(TEXT.format(digest=digest, symbol=symbol,
                               path=os.path.abspath(path)))


main()
