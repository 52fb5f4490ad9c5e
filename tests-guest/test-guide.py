#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every piece of code in a guide is in one of the sources as it stands.

usage: test-guide.py GUIDE SOURCE...
"""

import pathlib
import re
import sys

guide, *sources = [pathlib.Path(name).read_text() for name in sys.argv[1:]]
pieces = re.findall(r'^```(?:c|python)\n(.*?)^```$', guide, re.M | re.S)
print(f'1..{len(pieces) + 1}')
print('ok 1 - the guide has code' if pieces else 'not ok 1 - no code found')
for number, piece in enumerate(pieces, 2):
    found = any(piece in source for source in sources)
    first = piece.strip().splitlines()[0].strip()
    print(f'{"ok" if found else "not ok"} {number} - {first}')
