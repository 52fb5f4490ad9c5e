#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each cause of a fault that a kernel alone can have: cause, address, access,
PC, instruction and lanes of the report of `tessera run`.

The causes of page tables, of an IOMMU and of other devices need a driver; they
are tested in tests-unit/test-gpu-*.c and by the qtests."""
import os
import re

import tap

KERNEL = """
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshlrev_b32_e32 v4, 3, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v2, s8
    v_mov_b32_e32 v3, s9
    v_add_co_u32_e32 v2, vcc, v2, v4
    v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
{before}
fault:
    {instruction}
    s_waitcnt 0
    s_endpgm
.Lend:
    .size k, .Lend-k
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 32
        .amdhsa_reserve_flat_scratch 1
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_kernarg_size 16
        .amdhsa_group_segment_fixed_size 256
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
    .args:
      - {{ .name: buffer, .size: 8, .offset: 0,
          .value_kind: global_buffer, .address_space: global }}
      - {{ .name: where, .size: 8, .offset: 8, .value_kind: by_value }}
...
    .end_amdgpu_metadata
"""

SHARED = 0x0001000000000000
PRIVATE = 0x0002000000000000

# Lanes 3, 40 and 41 go to `where`, all others to their own 8 bytes of buffer.
ASTRAY = """
    s_mov_b32 s12, 8
    s_mov_b32 s13, 0x300
    s_mov_b64 exec, s[12:13]
    v_mov_b32_e32 v2, s10
    v_mov_b32_e32 v3, s11
    s_mov_b64 exec, -1"""
LANES = "0x30000000008 (3, 40-41)"

# name: (cause, before, instruction, where, address, access, lanes)
CASES = {
    "unmapped load": (
        "address is not mapped", ASTRAY, "global_load_dword v5, v[2:3], off",
        0x7ff000001230, 0x7ff000001230, "read", LANES),
    "unmapped store": (
        "address is not mapped", ASTRAY,
        "flat_store_dwordx2 v[2:3], v[4:5] offset:16",
        0x7ff000001230, 0x7ff000001240, "write", LANES),
    "unmapped scalar": (
        "address is not mapped", "", "s_load_dword s12, s[10:11], 0x8",
        0x7ff000001230, 0x7ff000001238, "read", None),
    "misaligned atomic": (
        "address is not aligned as the access needs it", ASTRAY,
        "global_atomic_add v[2:3], v4, off", 0x7ff000001232, 0x7ff000001232,
        "write", LANES),
    "misaligned scalar atomic": (
        "address is not aligned as the access needs it", "",
        "s_atomic_add_x2 s[12:13], s[10:11], 0x4", 0x7ff000001230,
        0x7ff000001234, "write", None),
    "global in LDS": (
        "address is in no aperture, or in one it may not use", ASTRAY,
        "global_load_dwordx4 v[5:8], v[2:3], off", SHARED + 16, SHARED + 16,
        "read", LANES),
    "global in scratch": (
        "address is in no aperture, or in one it may not use", ASTRAY,
        "global_store_byte v[2:3], v4, off", PRIVATE, PRIVATE, "write",
        LANES),
    "beyond the LDS": (
        "LDS address beyond the work-group's allocation", ASTRAY,
        "flat_load_dword v5, v[2:3] offset:4", SHARED + 252, SHARED + 256,
        "read", LANES),
    "beyond the scratch": (
        "scratch address beyond the lane's allocation", ASTRAY,
        "flat_store_short v[2:3], v4", PRIVATE + 0x100000,
        PRIVATE + 0x100000, "write", LANES),
    "illegal instruction": (
        "no such instruction", "", ".long 0xffffffff", 0, None, None, None),
    "graphics": (
        "no such instruction", "", "exp mrt0 v0, v0, v0, v0 done", 0, None,
        None, None),
    "trap": ("s_trap", "", "s_trap 2", 0, None, None, None),
    "negative scalar offset": (
        "negative scalar memory offset", "s_mov_b32 s12, 4",
        "s_load_dword s13, s[8:9], s12 offset:-0x8", 0, "buffer-4", "read",
        None),
    "global data share": (
        "there is no global data share and no global wave sync", "",
        "ds_add_u32 v4, v4 gds", 0, None, None, None),
    "global wave sync": (
        "there is no global data share and no global wave sync", "",
        "ds_gws_barrier v4 gds", 0, None, None, None),
    "fetch": (
        "address is not mapped", "", "s_setpc_b64 s[10:11]", 0x7ff000001000,
        0x7ff000001000, "instruction fetch", None),
}


def field(err, name):
    match = re.search(rf"^  {name} +(.*)$", err, re.M)
    return match[1] if match else None


def build(folder, before, instruction):
    """k.co in the folder; returns the address of the label `fault`, less k."""
    source = os.path.join(folder, "k.s")
    with open(source, "w", encoding="utf-8") as file:
        file.write(KERNEL.format(before=before, instruction=instruction))
    tap.run("clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900",
            source, "-o", os.path.join(folder, "k.co"))
    names = tap.run("llvm-nm-19", os.path.join(folder, "k.co"))
    at = {name: int(value, 16)
          for value, name in re.findall(r"^(\w+) \w (\w+)$", names, re.M)}
    return at["fault"] - at["k"]


def disassembled(folder, offset):
    listing = tap.run("llvm-objdump-19", "-d", os.path.join(folder, "k.co"))
    start = int(re.search(r"([0-9a-f]+) <k>:", listing)[1], 16)
    return re.search(rf"\t(.*?) *// {start + offset:012X}:", listing)[1]


def check(folder, case):
    cause, before, instruction, where, address, access, lanes = case
    offset = build(folder, before, instruction)
    status, out, err = tap.tessera(
        "run", "k.co", "k", "--grid", "64", "--group", "64",
        "zero:512", f"u64:{where}", cwd=folder)
    tap.equal((status, out), (1, ""))
    tap.contains(err, f"tessera run: kernel k faulted: {cause}\n")
    if access == "instruction fetch":
        tap.equal(field(err, "pc"), f"0x{address:x}")
    else:
        tap.equal(field(err, "pc").split()[1], f"(k+0x{offset:x})")
        tap.equal(field(err, "instruction"), disassembled(folder, offset))
    if address == "buffer-4":
        tap.equal(int(field(err, "address").split(",")[0], 16) % 4096, 4092)
    elif address is not None:
        tap.equal(field(err, "address"), f"0x{address:x}, {access}")
    else:
        tap.equal(field(err, "address"), None)
    tap.equal(field(err, "lanes"), lanes)


if __name__ == "__main__":
    tap.main([(name, lambda folder, case=case: check(folder, case))
              for name, case in CASES.items()])
