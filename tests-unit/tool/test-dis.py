#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`tessera dis` and `tessera info` against LLVM's tools."""
import glob
import os
import re

import tap

SOURCE = """
    .text
    .globl foo
    .hidden foo
    .p2align 8
    .type foo,@function
foo:
    s_branch L1
    v_add_f32 v0, v1, v2
    .long 0xffffffff
    .long 0
    .long 0
    .long 0
L1: s_cbranch_scc0 foo
    s_cbranch_execz bar
    s_endpgm
    .fill 40, 1, 0
bar:
    s_mov_b32 s0, 0x12345678
    s_getpc_b64 s[0:1]
    .byte 1, 2
baz:
foo2:
    .byte 1, 2, 3
    .section .text.more, "ax", @progbits
    s_nop 0
    s_branch other
other:
    s_cbranch_vccnz foo
    s_endpgm
"""


def compare(path, mcpu=None):
    """An object says itself what it is for, raw code does not."""
    options = ["--mcpu=" + mcpu] if mcpu else []
    want = tap.run("llvm-objdump-19", "-d", *options, path).splitlines()
    status, out, err = tap.tessera(
        "dis", *(["--mcpu", mcpu] if mcpu else []), path)
    tap.equal((status, err), (0, ""))
    got = out.splitlines()
    for number, (got_line, want_line) in enumerate(zip(got, want), 1):
        tap.equal(got_line, want_line, f"line {number}")
    tap.equal(len(got), len(want), "number of lines")


def object_test(path):
    return (os.path.basename(path), lambda folder: compare(path))


def assemble(folder):
    source = os.path.join(folder, "a.s")
    path = os.path.join(folder, "a.o")
    with open(source, "w", encoding="ascii") as file:
        file.write(SOURCE)
    tap.run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900",
            "-filetype=obj", source, "-o", path)
    return path


def assembly(folder):
    """Labels, data in code, tails, several sections, a relocatable file."""
    compare(assemble(folder), "gfx900")


def linked_assembly(folder):
    path = assemble(folder)
    linked = os.path.join(folder, "a.co")
    tap.run("ld.lld-19", "-shared", path, "-o", linked)
    compare(linked)


def stripped(folder):
    """Without .symtab the names come from .dynsym."""
    path = os.path.join(folder, "s.co")
    tap.run("llvm-strip-19", "-o", path, tap.bench("vadd.co"))
    compare(path)


def raw(folder):
    """Raw bytes: the lines of the section that they are taken from."""
    path = tap.bench("sgemm_tiled.co")
    binary = os.path.join(folder, "text.bin")
    tap.run("llvm-objcopy-19", "-O", "binary", "-j", ".text", path, binary)
    status, out, err = tap.tessera("dis", "--mcpu", "gfx900", binary)
    tap.equal((status, err), (0, ""))
    want = []
    for line in tap.run("llvm-objdump-19", "-d", path).splitlines():
        match = re.match(r"(\t.*// )([0-9A-F]{12})(:[0-9A-F ]*)", line)
        if match:
            want.append((match[1].split("//")[0].rstrip(), match[3].rstrip()))
    got = []
    for line in out.splitlines():
        text, _, rest = line.partition("//")
        got.append((text.rstrip(), rest[13:].rstrip()))
    tap.equal(got, want)


def without_mcpu(folder):
    binary = os.path.join(folder, "text.bin")
    with open(binary, "wb") as file:
        file.write(bytes(4))
    status, out, err = tap.tessera("dis", binary)
    tap.equal((status, out), (2, ""))
    tap.equal(err, f"tessera dis: {binary}: not a code object; if it holds "
              "raw instructions, give --mcpu\n")


# ---- metadata ----

def readelf_kernels(path):
    """Kernels in llvm-readelf's YAML: ({key: value}, [argument...])."""
    kernels, args, item = [], None, None
    for line in tap.run("llvm-readelf-19", "--notes", path).splitlines():
        match = re.match(r"( *)(- )?\.(\w+): *(.*)$", line)
        if not match:
            continue
        indent = len(match[1]) + (2 if match[2] else 0)
        if indent == 4 and match[2]:
            args = []
            kernels.append(({}, args))
        if indent == 8:
            if match[2]:
                item = {}
                args.append(item)
            item[match[3]] = match[4].strip("'")
        elif kernels:
            kernels[-1][0][match[3]] = match[4].strip("'")
    return kernels


def describe(kernel, args):
    """What `tessera info --all` should say of a kernel."""
    lines, number = [], 0
    lines.append("kernel {name}: {kernarg_segment_size} bytes of arguments, "
                 "{vgpr_count} VGPRs, {sgpr_count} SGPRs, "
                 "{group_segment_fixed_size} bytes LDS, "
                 "{private_segment_fixed_size} bytes scratch".format(**kernel))
    for arg in args:
        if arg["value_kind"].startswith("hidden_"):
            label = "hidden"
        else:
            number += 1
            label = f"argument {number}"
        lines.append(" ".join(f"{label} {arg['value_kind']} {arg['size']} "
                              f"bytes at {arg['offset']} "
                              f"{arg.get('type_name', '')} "
                              f"{arg.get('name', '')}".split()))
    return lines


def metadata_test(path):
    def test(folder):
        want = []
        for kernel, args in readelf_kernels(path):
            want += describe(kernel, args)
        status, out, err = tap.tessera("info", "--all", path)
        tap.equal((status, err), (0, ""))
        got = [" ".join(line.split()) for line in out.splitlines()[1:]]
        got = [re.sub(" scratch.*", " scratch", line)
               if line.startswith("kernel") else line for line in got]
        tap.equal(got, want)
    return ("metadata of " + os.path.basename(path), test)


def shown(path):
    """Of RDNA's many bench objects: wave32 at -O2, and all of one kernel."""
    name = os.path.basename(path)
    return (".gfx1" not in name or name.startswith("reduce.") or
            not (".w64" in name or ".O0" in name))


if __name__ == "__main__":
    paths = sorted(filter(shown, glob.glob(tap.bench("*.co")) +
                          glob.glob(tap.objects("*.co"))))
    assert len(paths) >= 20, paths
    tap.main([object_test(path) for path in paths] +
             [("assembly", assembly), ("linked assembly", linked_assembly),
              ("stripped", stripped), ("raw bytes", raw),
              ("raw bytes without --mcpu", without_mcpu)] +
             [metadata_test(path) for path in paths])
