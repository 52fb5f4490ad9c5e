# SPDX-License-Identifier: GPL-2.0-or-later
"""Short kernels of many waves leave the same in memory compiled as interpreted.

In compiled code a wave follows another one in its place, several run at once,
and vectors that go up in step from lane to lane are computed as scalars.  So here
are random integers made of the lanes' numbers and of what is the same in all
lanes, and floats, some of them NaNs, that lie side by side in memory, where other
waves store or where pages end; in grids of several work-groups that fill their
waves or do not, with lanes that become inactive, scalar registers that are left
changed and MODE that is.

What is compiled runs at any host level, interpreted is the best one.

FOLLOW_PROGRAMS=N in the environment: so many kernels of each target;
FOLLOW_SEED=N: another series of them.
"""
import os
import random
import struct
import sys

import tap

PROGRAMS = int(os.environ.get("FOLLOW_PROGRAMS", "40"))
SEED = os.environ.get("FOLLOW_SEED", "1")

UNIFORM = [0, 1, 3, 4, 7, 16, 63, 64, 100, 255, 256, 1000, 0x3ff, 4096,
           0x7fffffff, 0x7fffffe0, 0x80000000, 0xfffffff0, 0xffffffe0,
           0xffffff00, 0xffffffff]
GRIDS = [("64", 7 * 64), ("256", 9 * 256), ("256", 8 * 256), ("512", 5 * 512),
         ("128", 9 * 128), ("192", 5 * 192), ("96", 6 * 96),
         ("256", 5 * 256 + 100), ("100", 700), ("1024", 3 * 1024),
         ("32", 11 * 32), ("32,8", 32, 48), ("64,2", 192, 10),
         ("16,16", 64, 32), ("96,2", 192, 6), ("48,4", 96, 8)]


FRONT = 1024  # bytes of what is written that stay as they are

# Floats to be read, more than any grid has items; each 200th is a NaN.
FLOATS = 4096
NAN = bytes.fromhex("0100807f")


LEVELS = tap.host_levels()


class Target:
    def __init__(self, name, lanes):
        self.name, self.lanes = name, lanes
        self.gfx9 = name == "gfx900"
        self.vcc = "vcc" if lanes == 64 else "vcc_lo"
        self.exec = "exec" if lanes == 64 else "exec_lo"
        self.save = "s[30:31]" if lanes == 64 else "s30"
        self.size = "b64" if lanes == 64 else "b32"
        self.group = ["ttmp9", "s27"] if name == "gfx1200" else ["s2", "s3"]

    def v(self, name):
        """The name that a 32-bit operation has there."""
        late = {"v_add_u32": "v_add_nc_u32", "v_sub_u32": "v_sub_nc_u32",
                "v_subrev_u32": "v_subrev_nc_u32"}
        return name if self.gfx9 else late.get(name, name)


def has_info(target, rand):
    """Is s4 the work-group info, which differs from wave to wave?"""
    return target.name != "gfx1200" and rand.random() < .2


class Kernel:
    """One kernel: registers v0 to v7 are computed with, s12 to s15 uniform."""

    def __init__(self, target, rand, name):
        self.target, self.rand, self.name = target, rand, name
        self.grid = rand.choice(GRIDS)
        self.uniform = [rand.choice(UNIFORM) for _ in range(4)]
        self.labels = 0
        self.alone = False  # must run with one worker
        self.info = has_info(target, rand)
        self.wide_end = rand.random() < .3
        self.body = []

    def add(self, *lines):
        self.body += lines

    def vector(self):
        return "v" + self.rand.choice("0123456756")

    def scalar(self):
        return self.rand.choice(["s12", "s13", "s14", "s15",
                                 self.target.group[0]])

    def constant(self):
        return self.rand.choice(["0", "1", "4", "16", "63", "-1", "-16"])

    def any(self):
        return self.rand.choice([self.vector, self.vector, self.scalar,
                                 self.constant])()

    def binary(self):
        op = self.rand.choice(["v_add_u32", "v_sub_u32", "v_subrev_u32",
                               "v_and_b32", "v_or_b32", "v_xor_b32",
                               "v_add_u32", "v_min_u32", "v_max_i32"])
        self.add(f"{self.target.v(op)} {self.vector()}, {self.any()}, "
                 f"{self.vector()}")

    def literal(self):
        op = self.rand.choice(["v_and_b32", "v_or_b32", "v_add_u32"])
        mask = self.rand.choice([0x3f, 0x3ff, 0xff0, 0x1c, 0xffffffc0, 0x100])
        self.add(f"{self.target.v(op)} {self.vector()}, {mask:#x}, "
                 f"{self.vector()}")

    def shift(self):
        op = self.rand.choice(["v_lshlrev_b32", "v_lshrrev_b32",
                               "v_ashrrev_i32"])
        by = self.rand.choice("1 2 3 5 6 6 8 30 s12".split())
        self.add(f"{op} {self.vector()}, {by}, {self.vector()}")

    def three(self):
        op = self.rand.choice(["v_lshl_add_u32", "v_lshl_or_b32",
                               "v_add_lshl_u32", "v_and_or_b32"])
        d, a, b = self.vector(), self.vector(), self.vector()
        if op == "v_and_or_b32":
            self.add(f"{op} {d}, {a}, {self.constant()}, {b}")
        elif op == "v_add_lshl_u32":
            self.add(f"{op} {d}, {a}, {self.scalar()}, 2")
        else:
            first = self.rand.choice([a, self.scalar()])
            self.add(f"{op} {d}, {first}, {self.rand.choice('2468')}, {b}")

    def multiply(self):
        by = self.rand.choice(["3", "16", "s13", "-1"])
        self.add(f"v_mul_lo_u32 {self.vector()}, {self.vector()}, {by}")

    def field(self):
        self.add(f"v_bfe_u32 {self.vector()}, {self.vector()}, "
                 f"{self.rand.choice('0246')}, {self.rand.choice('468')}")

    def wide(self):
        """64 bits: a shifted index is added to a base, as in addresses."""
        t, a = self.target, self.rand.randrange(0, 8, 2)
        low, high = ("s12", "s13") if self.rand.random() < .7 else ("v6", "v7")
        if self.rand.random() < .5:
            self.add(f"v_mov_b32 v{a + 1}, 0",
                     f"v_lshlrev_b64 v[{a}:{a + 1}], 2, v[{a}:{a + 1}]")
        self.add(f"v_mov_b32 v8, {high}")
        if t.gfx9:
            self.add(f"v_add_co_u32 v{a}, vcc, {low}, v{a}",
                     f"v_addc_co_u32 v{a + 1}, vcc, v8, v{a + 1}, vcc")
        else:
            self.add(f"v_add_co_u32 v{a}, {t.vcc}, {low}, v{a}",
                     f"v_add_co_ci_u32 v{a + 1}, {t.vcc}, v8, v{a + 1}, "
                     f"{t.vcc}")
        if self.rand.random() < .5:
            self.choose()

    def choose(self):
        self.add(f"v_cndmask_b32 {self.vector()}, {self.vector()}, "
                 f"{self.vector()}, {self.target.vcc}")

    def compare(self):
        name = self.rand.choice(["lt", "gt", "le", "ge", "eq", "ne"])
        kind = self.rand.choice(["u32", "i32", "u32"])
        self.add(f"v_cmp_{name}_{kind} {self.target.vcc}, {self.any()}, "
                 f"{self.vector()}")

    def select(self):
        self.compare()
        self.choose()

    def inactive(self):
        """Some instructions for the lanes that meet a condition."""
        t = self.target
        if self.rand.random() < .5:
            self.compare()
        else:  # one lane does not, the first and the last one do
            kind, self.uniform[:2] = self.rand.choice(
                [("u32", [0, 0xffffffe0]), ("i32", [0x80000000, 0x7fffffe0])])
            self.add(f"{t.v('v_add_u32')} v6, s13, v0",
                     f"v_cmp_lt_{kind} {t.vcc}, s12, v6")
        self.add(f"s_and_saveexec_{t.size} {t.save}, {t.vcc}")
        if self.rand.random() < .5:
            self.labels += 1
            label = f".L{self.name}_{self.labels}"
            self.add(f"s_cbranch_execz {label}")
            self.binary()
            self.add(f"{label}:")
        else:
            self.binary()
        self.add(f"s_or_{t.size} {t.exec}, {t.exec}, {t.save}")

    def first_lane(self):
        self.add(f"v_readfirstlane_b32 s26, {self.vector()}",
                 f"v_xor_b32 {self.vector()}, s26, {self.vector()}")

    def loaded_over(self):
        """A mask of which loaded scalars take the place."""
        t = self.target
        mask = "s[22:23]" if t.lanes == 64 else "s22"
        load = "s_load_dwordx4" if t.gfx9 else "s_load_b128"
        self.stream()
        self.add(f"v_cmp_lt_u32 {mask}, s13, v9",
                 f"{load} s[20:23], s[0:1], 0x10",
                 "s_waitcnt lgkmcnt(0)" if t.gfx9 else "s_nop 0",
                 f"v_cndmask_b32 {self.vector()}, {self.vector()}, v9, {mask}")

    def wave_number(self):
        """gfx1200 has it in ttmp8, others may know the group's first one."""
        if self.target.name == "gfx1200":
            self.add("s_bfe_u32 s26, ttmp8, 0x50019",
                     f"v_xor_b32 {self.vector()}, s26, {self.vector()}")
        elif self.info:
            self.add(f"v_xor_b32 {self.vector()}, s4, {self.vector()}")

    def leave_changed(self):
        """What the next wave must not see."""
        self.add(self.rand.choice(["s_mov_b32 s0, -1", "s_mov_b32 s3, 5",
                                   "s_mov_b32 s70, -1", "s_mov_b32 m0, 7",
                                   "s_mov_b64 s[4:5], -1", "s_setprio 2",
                                   "s_cmp_eq_u32 s12, s12",
                                   "s_mov_b32 vcc_hi, 9"]))

    def mode(self):
        self.add("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3"
                 if self.target.gfx9 else "s_round_mode 3",
                 f"v_cvt_f32_u32 {self.vector()}, {self.vector()}")

    def load_dword(self, register, address):
        dword = "dword" if self.target.gfx9 else "b32"
        self.add(f"global_load_{dword} {register}, {address}",
                 "s_waitcnt vmcnt(0)" if self.target.gfx9 else "s_nop 0")

    def load(self):
        base = self.rand.choice(["v20", "v20", "v22", "v20"])
        self.add(f"v_lshlrev_b32 v9, 2, {base}", "v_and_b32 v9, 0xffc, v9")
        self.load_dword(self.vector(), "v9, s[10:11]")

    def stream(self):
        """Floats that lie side by side, in pages that end anywhere."""
        offset = self.rand.choice(["", " offset:4", " offset:2052"])
        d = self.vector()
        self.add("v_lshlrev_b32 v9, 2, v20")
        self.load_dword("v9", "v9, s[10:11]" + offset)
        self.add(self.rand.choice([f"v_add_f32 {d}, v9, v9",
                                   f"v_mul_f32 {d}, 0.5, v9",
                                   f"v_fma_f32 {d}, v9, v9, 1.0",
                                   f"v_max_f32 {d}, 0, v9"]))

    def behind(self):
        """What the last wave but some has stored."""
        self.alone = True
        offset = self.rand.choice([-1024, -512, -260, -256, -128])
        self.add("v_lshlrev_b32 v9, 2, v20")
        self.load_dword(self.vector(), f"v9, s[8:9] offset:{offset}")

    def count(self):
        """Add to a dword of each item, which must be done once."""
        self.alone = True
        add = self.target.v("v_add_u32")
        store = "global_store_" + ("dword" if self.target.gfx9 else "b32")
        self.add("v_lshlrev_b32 v10, 2, v20",
                 f"{add} v10, {32 * self.items()}, v10")
        self.load_dword("v9", "v10, s[8:9]")
        self.add(f"{add} v9, 3, v9", f"{store} v10, v9, s[8:9]")

    def registers(self):
        """Have registers that waves begin with show: all but ids are 0."""
        self.add("v_or_b32 v1, s3, v1" if self.rand.random() < .5 else
                 "v_or_b32 v2, s70, v2", "v_xor_b32 v3, vcc_hi, v3",
                 "v_xor_b32 v3, s21, v3", "v_xor_b32 v1, v23, v1",
                 "v_mov_b32 v8, -1", "v_cvt_f32_u32 v8, v8",
                 "v_xor_b32 v2, v8, v2")

    def random_body(self):
        kinds = [self.binary, self.binary, self.literal, self.shift, self.three,
                 self.three, self.multiply, self.field, self.wide, self.wide,
                 self.select, self.load, self.stream, self.stream, self.behind,
                 self.count]
        rare = [self.inactive, self.inactive, self.first_lane, self.first_lane,
                self.mode, self.wave_number, self.loaded_over]
        if self.rand.random() < .6:  # more that waves can do at once
            kinds.remove(self.load)
            rare = [self.inactive, self.wave_number, self.loaded_over]
        for _ in range(self.rand.randrange(2, 9)):
            self.rand.choice(kinds)()
            if self.rand.random() < .2:
                self.rand.choice(rare)()
        for _ in range(self.rand.randrange(3)):
            self.leave_changed()

    def begin(self):
        """
        s[8:9]: to be written, s[10:11]: to be read, v20: item, v22: lane; s21
        and v23: SCC and VCCZ.
        """
        t = self.target
        x, y = (self.size() + [1])[:2]
        load = ("s_load_dwordx4", "s_load_dwordx4") if t.gfx9 else \
               ("s_load_b128", "s_load_b128")
        across = self.across()
        lines = ["s_cselect_b32 s21, 5, 0"]
        lines += ["v_mov_b32 v23, src_vccz"] if t.gfx9 else \
                 ["v_bfe_u32 v1, v0, 10, 10", "v_and_b32 v0, 0x3ff, v0"]
        if t.name == "gfx1200":
            lines += ["s_and_b32 s27, ttmp7, 0xffff"]
        lines += [f"s_mul_i32 s20, {t.group[1]}, {across}",
                  f"s_add_u32 s20, s20, {t.group[0]}",
                  f"s_mul_i32 s20, s20, {x * y}",
                  f"v_mul_u32_u24 v20, {x}, v1" if y > 1
                  else "v_mov_b32 v20, 0",
                  f"{t.v('v_add_u32')} v20, v20, v0", "v_mov_b32 v22, v0",
                  f"{t.v('v_add_u32')} v20, s20, v20",
                  f"{load[0]} s[8:11], s[0:1], 0x0",
                  f"{load[1]} s[12:15], s[0:1], 0x10"]
        return lines + ["s_waitcnt lgkmcnt(0)" if t.gfx9 else "s_nop 0",
                        f"s_add_u32 s8, s8, {FRONT}", "s_addc_u32 s9, s9, 0",
                        "v_mov_b32 v4, v20", "v_lshlrev_b32 v5, 2, v0",
                        f"{t.v('v_add_u32')} v6, s13, v0",
                        "v_lshl_or_b32 v7, s14, 6, v0"]

    def bounds(self):
        """As most kernels have them; the number is in s15 then."""
        t = self.target
        self.uniform[3] = self.items() - self.rand.choice([0, 0, 0, 1, 40, 64])
        return [f"v_cmp_gt_u32 {t.vcc}, s15, v20",
                f"s_and_saveexec_{t.size} s[16:17]" if t.lanes == 64 else
                f"s_and_saveexec_{t.size} s16"]

    def end(self):
        """
        All registers are stored.  Of 256 lanes that store 16 bytes each, hardly
        any lie in one page.
        """
        return self.end_wide() if self.wide_end else self.end_narrow()

    def end_narrow(self):
        store = "global_store_" + ("dword" if self.target.gfx9 else "b32")
        lines = ["v_lshlrev_b32 v21, 2, v20"]
        for i in range(8):
            lines += [f"{store} v21, v{i}, s[8:9]",
                      f"s_add_u32 s8, s8, {4 * self.items()}",
                      "s_addc_u32 s9, s9, 0"]
        return lines + ["s_cmp_eq_u32 s12, s12", "s_endpgm"]

    def end_wide(self):
        t = self.target
        store = "global_store_dwordx4" if t.gfx9 else "global_store_b128"
        return ["v_lshlrev_b32 v21, 4, v20",
                f"{store} v21, v[0:3], s[8:9]",
                f"s_add_u32 s8, s8, {16 * self.items()}",
                "s_addc_u32 s9, s9, 0",
                f"{store} v21, v[4:7], s[8:9]",
                "s_cmp_eq_u32 s12, s12", "s_endpgm"]

    def text(self):
        begin = self.begin()
        if self.rand.random() < .6:
            bounds = self.bounds()
            begin += [bounds[0], bounds[1] + f", {self.target.vcc}",
                      f"s_cbranch_execz .L{self.name}_end"]
        self.registers()
        if self.info:
            self.wave_number()
        self.random_body()
        end = self.end()
        end.insert(-1, f".L{self.name}_end:")
        return "\n".join(begin + self.body + end)

    def size(self):
        return [int(x) for x in self.grid[0].split(",")]

    def across(self):
        return -(-self.grid[1] // self.size()[0])

    def items(self):
        """Of all groups, as if they were full."""
        down = -(-self.grid[2] // self.size()[1]) if len(self.grid) > 2 else 1
        x, y = (self.size() + [1])[:2]
        return self.across() * down * x * y

    def execute(self, folder, jit, out):
        """Exit status, output and errors."""
        level = [] if jit == "off" else \
            ["--host-level", self.rand.choice(LEVELS)]
        return tap.tessera(
            "run", os.path.join(folder, "kernels.co"), self.name,
            "--grid", ",".join(str(x) for x in self.grid[1:]),
            "--group", self.grid[0], "--timeout", "30", "--jit", jit,
            "--workers", "1" if self.alone else self.rand.choice("12"), *level,
            f"out:{out}:{FRONT + 36 * self.items()}",
            "in:" + os.path.join(folder, "in.bin"),
            *(f"u32:{x}" for x in self.uniform))

    def run(self, folder, jit):
        """What it leaves in memory."""
        out = os.path.join(folder, f"{self.name}.{jit}")
        status, _, err = self.execute(folder, jit, out)
        if status:
            raise AssertionError(f"{self.name}\n{err}\n{self.code}")
        with open(out, "rb") as file:
            return file.read()


class Beyond(Kernel):
    """Waves load across the end of what is mapped, in the middle of a row."""

    def text(self):
        self.alone = True
        self.grid = ("256", FLOATS)
        self.add("v_lshlrev_b32 v9, 2, v20")
        self.load_dword("v4", "v9, s[10:11] offset:2436")
        return "\n".join(self.begin() + self.body + self.end())


class FirstLane(Kernel):
    """Each wave's own first lane is read, right behind a load."""

    def text(self):
        self.grid, self.wide_end = ("256", 4 * 256), False
        self.add("v_lshlrev_b32 v9, 2, v20")
        self.load_dword("v4", "v9, s[10:11]")
        self.add("v_readfirstlane_b32 s26, v22", "v_mov_b32 v3, s26")
        return "\n".join(self.begin() + self.body + self.end())


class ScalarBehind(Kernel):
    """A wave's scalar load of what it has stored itself, or a wave before."""

    def text(self):
        self.alone = True
        self.grid, self.wide_end = ("256", 2 * 256), False
        self.add("v_lshlrev_b32 v9, 2, v20", "v_or_b32 v4, 0x100, v20",
                 "global_store_dword v9, v4, s[8:9]", "s_waitcnt vmcnt(0)",
                 f"s_load_dword s26, s[8:9], {4 * 256}",
                 "s_waitcnt lgkmcnt(0)", "v_mov_b32 v3, s26")
        return "\n".join(self.begin() + self.body + self.end())


class Barrier(Kernel):
    """The last wave of a group arrives at a barrier when all others ended."""

    def text(self):
        self.grid = ("128", 640)
        out = self.end()
        return "\n".join([
            *self.begin(), "s_bfe_u32 s26, ttmp8, 0x50019",
            "s_cmp_eq_u32 s26, 3", f"s_cbranch_scc1 .L{self.name}", *out,
            f".L{self.name}:", "s_barrier_signal -1", "s_barrier_wait -1",
            "s_get_barrier_state s21, -1", "s_wait_kmcnt 0x0",
            "v_mov_b32 v3, s21", *out])


KERNEL = """
    .text
    .globl {0}
    .p2align 12
    .type {0},@function
{0}:
{1}
    .rodata
    .p2align 6
    .amdhsa_kernel {0}
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 96
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_kernarg_size 32
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_system_sgpr_workgroup_id_y 1
        .amdhsa_system_vgpr_workitem_id 1
        {2}
        {3}
    .end_amdhsa_kernel
"""

METADATA = """
  - .name: {0}
    .symbol: {0}.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: {1}
    .sgpr_count: 96
    .vgpr_count: 32
    .max_flat_workgroup_size: 1024
    .args:
      - {{ .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }}
      - {{ .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }}
"""


def assemble(target, kernels, folder):
    wave = "" if target.gfx9 else \
        f".amdhsa_wavefront_size32 {int(target.lanes == 32)}"
    text = [f'.amdgcn_target "amdgcn-amd-amdhsa--{target.name}"',
            ".amdhsa_code_object_version 5"]
    info = ".amdhsa_system_sgpr_workgroup_info 1"
    text += [KERNEL.format(k.name, k.code, wave, info if k.info else "")
             for k in kernels]
    text += [".amdgpu_metadata", "---", "amdhsa.version: [ 1, 2 ]",
             "amdhsa.kernels:"]
    for k in kernels:
        text.append(METADATA.format(k.name, target.lanes) + "".join(
            f"      - {{ .size: 4, .offset: {16 + 4 * i}, "
            ".value_kind: by_value }\n" for i in range(4)))
    text += ["...", ".end_amdgpu_metadata"]
    with open(os.path.join(folder, "kernels.s"), "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    flags = ["-mwavefrontsize64"] if target.lanes == 64 and not target.gfx9 \
        else []
    tap.run("clang-19", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target.name}",
            *flags, "-x", "assembler", os.path.join(folder, "kernels.s"), "-o",
            os.path.join(folder, "kernels.co"))


def floats(rand):
    data = [NAN if rand.random() < .005 else
            struct.pack("<f", rand.uniform(-100, 100)) for _ in range(FLOATS)]
    return b"".join(data)


def compare(target, kind=Kernel, count=PROGRAMS):
    def test(folder):
        rand = random.Random(f"{SEED} {target.name} {target.lanes}")
        kernels = [kind(target, rand, f"k{i}") for i in range(count)]
        for k in kernels:
            k.code = k.text()
        assemble(target, kernels, folder)
        with open(os.path.join(folder, "in.bin"), "wb") as file:
            file.write(floats(rand))
        for k in kernels:
            want, got = k.run(folder, "off"), k.run(folder, "now")
            for i in range(0, len(want), 4):
                if want[i:i + 4] != got[i:i + 4]:
                    raise AssertionError(
                        f"{k.name}, grid {k.grid}, uniform {k.uniform}: dword "
                        f"{i // 4} is {got[i:i + 4][::-1].hex()}, want "
                        f"{want[i:i + 4][::-1].hex()}\n{k.code}")
    return test


def fault(target):
    def test(folder):
        rand = random.Random(SEED)
        kernel = Beyond(target, rand, "beyond")
        kernel.code = kernel.text()
        assemble(target, [kernel], folder)
        with open(os.path.join(folder, "in.bin"), "wb") as file:
            file.write(floats(rand))
        want, got = (kernel.execute(folder, jit, os.devnull)
                     for jit in ("off", "now"))
        tap.contains(want[2], "fault")
        tap.equal(got, want)
    return test


TARGETS = [Target("gfx900", 64), Target("gfx1100", 64), Target("gfx1100", 32),
           Target("gfx1200", 32)]

if __name__ == "__main__":
    os.environ.pop("TESSERA_JIT", None)  # half of the runs are interpreted
    sys.exit(tap.main([(f"{t.name} waves of {t.lanes}", compare(t))
                       for t in TARGETS] +
                      [("first lane", compare(TARGETS[0], FirstLane, 1)),
                       ("scalar behind", compare(TARGETS[0], ScalarBehind, 1)),
                       ("barrier", compare(TARGETS[-1], Barrier, 1)),
                       ("beyond what is mapped", fault(TARGETS[0]))]))
