#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Derive a private list of Debian source archives from the machine's own.

usage: deb-src.py OUTPUT-FOLDER URI...

Reads every one-line (.list) and deb822 (.sources) entry that apt uses, keeps
those whose URI is among the given ones (all of them if none matches: a mirror
list may be spelt differently there), and writes them as deb-src entries into
OUTPUT-FOLDER.  The machine's own configuration is only read.
"""

import pathlib
import re
import sys

ETC = pathlib.Path('/etc/apt')


def one_line_entries(path):
    """(URI, deb-src line) for each entry of a .list file."""
    for line in path.read_text(errors='replace').splitlines():
        m = re.match(r'\s*deb(?:-src)?\s+(\[[^]]*\]\s+)?(\S+)\s+([^#]+)', line)
        if m:
            options = m.group(1) or ''
            yield [m.group(2)], \
                f'deb-src {options}{m.group(2)} {m.group(3).strip()}'


def deb822_entries(path):
    """(URIs, deb-src stanza) for each stanza of a .sources file."""
    text = '\n'.join(line for line in
                     path.read_text(errors='replace').splitlines()
                     if not line.startswith('#'))
    for stanza in re.split(r'\n\s*\n', text):
        fields = dict((k.lower(), v) for k, v in
                      re.findall(r'^([\w-]+):[ \t]*(.*)$', stanza, re.M))
        if 'uris' not in fields or fields.get('enabled', '').lower() == 'no':
            continue
        stanza = re.sub(r'^Types:.*$', 'Types: deb-src', stanza.strip(),
                        flags=re.M | re.I)
        yield fields['uris'].split(), stanza


def collect(entries, wanted):
    """The entries whose URI is wanted, or all if none is; no duplicates."""
    entries = list(entries)
    kept = [text for uris, text in entries
            if any(uri.rstrip('/') in wanted for uri in uris)]
    return list(dict.fromkeys(kept)), \
        list(dict.fromkeys(text for _, text in entries))


def main():
    out = pathlib.Path(sys.argv[1])
    wanted = {uri.rstrip('/') for uri in sys.argv[2:]}
    parts = ETC / 'sources.list.d'
    lists = [p for p in [ETC / 'sources.list', *sorted(parts.glob('*.list'))]
             if p.is_file()]
    sources = sorted(parts.glob('*.sources'))

    lines, all_lines = collect(
        (e for p in lists for e in one_line_entries(p)), wanted)
    stanzas, all_stanzas = collect(
        (e for p in sources for e in deb822_entries(p)), wanted)
    if not lines and not stanzas:
        lines, stanzas = all_lines, all_stanzas
    if not lines and not stanzas:
        sys.exit('deb-src.py: apt has no package archive configured')

    out.mkdir(parents=True, exist_ok=True)
    (out / 'src.list').write_text('\n'.join(lines) + '\n')
    (out / 'src.sources').write_text('\n\n'.join(stanzas) + '\n')


main()
