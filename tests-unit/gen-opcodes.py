#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the opcode tables of tests-unit/data that gfx11 and gfx12 are tested with.

    gen-opcodes.py MCPU [--without MCPU] > tests-unit/data/NAME-opcodes.tsv

Every opcode value of every family is given to llvm-mc 19 with a few sets of
operands; the first that is an instruction, of all the bytes, is the example.
With --without, what that target has as well is left out.
"""

import subprocess
import sys

SETHALT = 0xBF827E5E, 's_sethalt 0x7e5e'
LITERAL = 0x11213141


def vop3_words(base):
    """One to three sources; scalar ones where vectors do not fit."""
    three = 0x102 | 0x103 << 9 | 0x104 << 18
    two = 0x102 | 0x103 << 9
    return [(base | 1, words) for words in (
        three, two, 0x102, 0x102 | 0x103 << 9 | 4 << 18, 0x102 | 4 << 9,
        0x102 | 4 << 9 | 6 << 18, 2, 2 | 4 << 9, 0)] + [(base, 0)]


def mimg(base):
    return [(base | 0xF04, 0x00020104), (base | 0xF00, 0x00020104),
            (base | 0x304, 0x00020104), (base | 0x104, 0x00020104)]


FAMILIES_BOTH = {
    'SOP2': (96, lambda n: [(0x80000000 | n << 23 | 0x00040C08,),
                            (0x80000000 | n << 23 | 0x00040C08, LITERAL)]),
    'SOPK': (29, lambda n: [(0xB0000000 | n << 23 | 0x00041234,),
                            (0xB0000000 | n << 23 | 0x00041234, LITERAL)]),
    'SOP1': (256, lambda n: [(0xBE800000 | n << 8 | 0x00040008,)]),
    'SOPC': (128, lambda n: [(0xBF000000 | n << 16 | 0x0C08,)]),
    'SOPP': (128, lambda n: [(0xBF800000 | n << 16,)]),
    'VOP2': (62, lambda n: [(n << 25 | 0x00020702,),
                            (n << 25 | 0x00020702, LITERAL)]),
    'VOP1': (256, lambda n: [(0x7E000000 | n << 9 | 0x00020102,),
                             (0x7E000000 | n << 9,)]),
    'VOPC': (256, lambda n: [(0x7C000000 | n << 17 | 0x0702,)]),
    'VOP3': (1024, lambda n: vop3_words(0xD4000000 | n << 16)),
    'VOP3P': (128, lambda n: [
        (0xCC004000 | n << 16 | 1, words) for words in (
            0x1C0A0702 | 2 << 18, 0x18020702)] + [
        (0xCC004000 | n << 16 | 8, 0x18000000 | 0x102 | 0x112 << 9 |
         0x104 << 18)]),
    'VOPD_X': (16, lambda n: [
        (0xC8000000 | n << 22 | 4 << 17 | 0x0302, 0x02020705),
        (0xC8000000 | n << 22 | 4 << 17 | 0x0302, 0x02020705, LITERAL),
        (0xC8000000 | n << 22 | 4 << 17 | 0x0102, 0x02020705)]),
    'VOPD_Y': (32, lambda n: [
        (0xC9000000 | n << 17 | 0x0302, 0x02020705),
        (0xC9000000 | n << 17 | 0x0302, 0x02020705, LITERAL),
        (0xC9000000 | n << 17 | 0x0302, 0x02020105)]),
    'VINTERP': (16, lambda n: [(0xCD000001 | n << 16,
                                 0x102 | 0x103 << 9 | 0x104 << 18)]),
    'LDSDIR': (4, lambda n: [(0xCE000001 | n << 20,)]),
    'EXP': (1, lambda n: [(0xF800000F, 0x04030201)]),
    'DS': (256, lambda n: [
        (0xD8000000 | n << 18 | 16, 0x04030201),
        (0xD8000000 | n << 18 | 16, 0x04000001),
        (0xD8020000 | n << 18 | 16, 0x04000001),
        (0xD8000000 | n << 18 | 16, 0x00000000),
        (0xD8020000 | n << 18 | 16, 0x00000000),
        (0xD8000000 | n << 18, 0x00000000)]),
}
# The first source of VOPD is a VGPR in these.
for name in ('VOPD_X', 'VOPD_Y'):
    count, words = FAMILIES_BOTH[name]
    FAMILIES_BOTH[name] = count, (lambda n, words=words: [
        (w[0] | 0x100, w[1] | 0x100) + w[2:] for w in words(n)])


def flat_11(segment):
    def words(n):
        base = 0xDC000000 | n << 18 | segment << 16 | 16
        return [(base, 0x047C0302), (base | 0x4000, 0x047C0302),
                (base, 0x04060302), (base, 0x007C0000)]
    return words


def flat_12(segment):
    def words(n):
        base = 0xEC000000 | n << 14 | segment << 24
        return [(base | 0x7C, 0x01800004, 0x1002),
                (base | 0x7C, 0x01900004, 0x1002),
                (base | 0x06, 0x01800004, 0x1002),
                (base | 0x7C, 0x00000000, 0x0000)]
    return words


FAMILIES_11 = {
    'SMEM': (256, lambda n: [(0xF4000104 | n << 18, 0xF8000010),
                             (0xF4000000 | n << 18, 0x00000000)]),
    'FLAT': (128, flat_11(0)),
    'SCRATCH': (128, flat_11(1)),
    'GLOBAL': (128, flat_11(2)),
    'MUBUF': (256, lambda n: [(0xE0000010 | n << 18, 0x04820301),
                              (0xE0004010 | n << 18, 0x04820301),
                              (0xE0000000 | n << 18, 0x00000000)]),
    'MTBUF': (16, lambda n: [(0xE8B00010 | n << 15, 0x04820301)]),
    'MIMG': (256, lambda n: mimg(0xF0000000 | n << 18)),
}

FAMILIES_12 = {
    'SMEM': (64, lambda n: [(0xF4000104 | n << 13, 0xF8000010),
                            (0xF4000000 | n << 13, 0xF8000010),
                            (0xF4000000 | n << 13, 0x00000000)]),
    'VFLAT': (256, flat_12(0)),
    'VSCRATCH': (256, flat_12(1)),
    'VGLOBAL': (256, flat_12(2)),
    'VBUFFER': (256, lambda n: [(0xC4000000 | n << 14 | 4,
                                 0x40800000 | 8 << 9 | 3, 0x1001),
                                (0xC4000000 | n << 14 | 4,
                                 0x41000000 | 8 << 9 | 3, 0x1001)]),
    'VIMAGE': (256, lambda n: [
        (0xD0000001 | n << 14 | dmask << 22, 0x1001, 0x0504)
        for dmask in (15, 3, 1)] + [
        (0xD0000010 | n << 14 | 15 << 22, 0x18001001, 0x14100C08)]),
    'VSAMPLE': (256, lambda n: [
        (0xE4000001 | n << 14 | 15 << 22, 0x06001001, 0x070605),
        (0xE4000001 | n << 14 | 15 << 22, 0x06001001, 0x08070605),
        (0xE4000006 | n << 14 | 15 << 22, 0x00001001, 0x070605)]),
}


def disassemble(mcpu, candidates):
    """The lines that llvm-mc makes of each list of words."""
    blocks = []
    for words in candidates:
        for block in (words, (SETHALT[0],)):
            data = b''.join(word.to_bytes(4, 'little') for word in block)
            blocks.append('[' + ','.join('0x%02x' % b for b in data) + ']')
    output = subprocess.run(
        ['llvm-mc-19', '--disassemble', '-triple=amdgcn', '-mcpu=' + mcpu],
        input='\n'.join(blocks), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, check=False).stdout
    result, lines = [], []
    for line in output.splitlines():
        line = line.strip().replace('\t', ' ')
        if line == SETHALT[1]:
            result.append(lines)
            lines = []
        elif line and not line.startswith('.'):
            lines.append(line)
    assert len(result) == len(candidates)
    return result


def rows(mcpu):
    families = dict(FAMILIES_BOTH)
    families.update(FAMILIES_12 if mcpu.startswith('gfx12') else FAMILIES_11)
    for family, (count, make) in families.items():
        tries = [(n, words) for n in range(count) for words in make(n)]
        # A trap behind it shows whether all the bytes belong to it.
        found = disassemble(mcpu, [words + (0xBF8004D2,)
                                   for _, words in tries])
        seen = set()
        for (n, words), lines in zip(tries, found):
            if n in seen or len(lines) != 2 or lines[1] != 's_nop 0x4d2' or \
                    '/*' in lines[0]:
                continue
            seen.add(n)
            name = lines[0].split()[0]
            if family == 'VOPD_Y':
                name = lines[0].split(':: ')[1].split()[0]
            for suffix in ('_e32', '_e64'):
                name = name.removesuffix(suffix)
            data = b''.join(word.to_bytes(4, 'little') for word in words)
            yield name, family, n, data.hex(' '), lines[0]


def main():
    mcpu = sys.argv[1]
    without = set()
    if len(sys.argv) == 4 and sys.argv[2] == '--without':
        without = {row[1:3] for row in rows(sys.argv[3])}
    print('# Instructions of %s, one example each: LLVM 19.1.7, llvm-mc '
          '--disassemble -mcpu=%s (Debian llvm-19), by gen-opcodes.py. '
          'Columns: mnemonic, family, opcode, bytes in memory order, text.'
          % (mcpu, mcpu))
    for row in rows(mcpu):
        if row[1:3] not in without:
            print('\t'.join(str(column) for column in row))


main()
