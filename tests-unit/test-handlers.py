#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Look at the machine code of hot handlers.

   test-handlers.py LEVEL ARCHIVE...

Each must work on whole vector registers of its level, call nothing, keep
nothing on the stack, and end in a jump to the next handler.  Speaks TAP.
"""
import re
import subprocess
import sys

HANDLERS = """
v_mov_b32 v_add_f32 v_mul_f32 v_fma_f32 v_add_u32 v_xor_b32 v_and_b32
v_lshlrev_b32 v_mul_lo_u32 v_add3_u32 v_cmp_lt_u32 v_cndmask_b32 v_fma_f64
v_add_co_u32 v_lshl_or_b32
""".split()
# Three operands of 16 doubles and the mask are more than 16 registers hold.
MAY_SPILL = {("v_fma_f64", level) for level in ("v2", "v3", "v4")}
REGISTER = {"v2": "xmm", "v3": "ymm", "v4": "zmm"}


def disassemble(archive):
    """Map each function's name to the text of its instructions."""
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", archive],
        capture_output=True, text=True, check=True).stdout
    functions, name = {}, None
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]+ <(.+)>:", line)
        if head:
            name = head.group(1)
            functions[name] = []
        elif name and "\t" in line:
            functions[name].append(line.split("\t", 1)[1].strip())
    return functions


def faults(code, register, may_spill):
    """What is wrong with a handler's code."""
    if not code:
        return ["it is not there"]
    text = "\n".join(code)
    found = []
    if not re.search(rf"v?mov\S*\s.*%{register}\d+,.*\(", text):
        found.append(f"no store of a whole {register}")
    if re.search(r"\bcall", text):
        found.append("it calls something")
    # What is stored there and never read back by name is a scalar operand.
    reload = r"\(%r[sb]p[^)]*\),.*%[xyz]mm"
    if not may_spill and re.search(reload, text):
        found.append("it spills vectors")
    if not re.search(r"jmp\s+\*", text):
        found.append("no jump to the next handler")
    return found


def main():
    level, archives = sys.argv[1], sys.argv[2:]
    functions = {}
    for archive in archives:
        functions.update(disassemble(archive))
    print(f"1..{len(HANDLERS)}")
    failed = 0
    for number, handler in enumerate(HANDLERS, 1):
        wrong = faults(functions.get(f"h_{handler}_{level}"),
                       REGISTER[level], (handler, level) in MAY_SPILL)
        print("not ok" if wrong else "ok", number, f"{handler} at {level}")
        for fault in wrong:
            print("#", fault)
        failed += bool(wrong)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
