#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write random kernels, one a seed, in the language of kernel.h.

usage: gen-kernels.py FIRST_SEED COUNT > kernels.c

The same text is OpenCL C for the device and C for the host.  What a kernel
computes does not depend on the order in which work-items run: they meet in
LDS and in atomics only as far as that is so.
"""
import random
import sys

INTS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
FLOATS = ["f32", "f32", "f64", "f16"]
BITS = {t: int(t[1:]) for t in INTS + FLOATS}
GROUPS = [(64, 1), (64, 1), (128, 1), (256, 1), (96, 1), (40, 1), (1, 1),
          (16, 8), (8, 5), (33, 3), (32, 2)]
ARRAYS = {"pa": ("u32", 8), "pb": ("u8", 16), "pc": ("u64", 4),
          "pd": ("f32", 8), "pe": ("u16", 8)}


def is_float(t):
    return t[0] == "f"


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"k{seed}"
        self.lines = []
        self.functions = []
        self.scalars = []      # (name, type)
        self.vectors = []      # (name, element type, count)
        self.depth = 0
        self.names = 0
        self.locals = []
        self.x, self.y = self.pick(GROUPS)
        self.items = self.x * self.y

    # ---- helpers ----

    def pick(self, items):
        return self.random.choice(items)

    def below(self, n):
        return self.random.randrange(n)

    def chance(self, percent):
        return self.below(100) < percent

    def new(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    # ---- expressions ----

    def constant(self, t):
        if is_float(t):
            value = self.pick(["0.0", "-0.0", "1.0", "-1.5", "0.1", "3.0",
                               "1e-3", "-7.25", "65504.0", "0x1p-14",
                               "0x1.8p-20", "1024.5"])
            return f"({t}){value}"
        bits = BITS[t]
        value = self.pick([0, 1, 2, 3, 7, 31, 2 ** (bits - 1),
                           2 ** (bits - 1) - 1, 2 ** bits - 1,
                           self.random.getrandbits(bits),
                           self.random.getrandbits(bits // 2),
                           1 << self.below(bits)])
        return f"({t})0x{value:x}{'ul' if bits == 64 else 'u'}"

    def leaf(self, t):
        if self.chance(55):
            named = [n for n, other in self.scalars if other == t]
            if named:
                return self.pick(named)
        if self.chance(25):
            return self.constant(t)
        if self.chance(30) and self.scalars:
            name, other = self.pick(self.scalars)
            return self.convert(name, other, t)
        if self.chance(30) and self.vectors:
            name, other, count = self.pick(self.vectors)
            return self.convert(f"{name}.{'xyzw'[self.below(min(4, count))]}",
                                other, t)
        if self.chance(30) and self.depth >= 0:
            array = self.pick(list(ARRAYS))
            other, count = ARRAYS[array]
            index = self.index(count)
            return self.convert(f"{array}[{index}]", other, t)
        return self.load(t)

    def index(self, count):
        """A number below @count, a power of two."""
        return f"({self.leaf_int('u32')} & {count - 1})"

    def leaf_int(self, t):
        named = [n for n, other in self.scalars if not is_float(other)]
        return f"({t}){self.pick(named)}" if named else "lid"

    def load(self, t):
        raw = {"f16": "u16", "f32": "u32", "f64": "u64"}.get(t, t)
        size = BITS[raw] // 8
        text = f"((GLOBAL const {raw} *)in)[{self.index(4096 // size)}]"
        return f"make_{t}({text})" if is_float(t) else text

    def convert(self, text, old, new):
        if old == new:
            return text
        if is_float(old) and not is_float(new):
            if self.chance(40):
                return f"({new})bits_{old}({text})"
            return f"{old}_to_{new}({text})"
        if is_float(new) and not is_float(old) and BITS[new] == BITS[old] \
                and self.chance(30):
            return f"make_{new}({text})"
        return f"({new})({text})"

    def unary_int(self, t, d):
        a = self.expr(t, d)
        kind = self.below(6)
        if kind == 0:
            return f"({t})~{a}"
        if kind == 1:
            return f"({t})-{a}"
        u = "u" + t[1:]
        if kind == 2:
            return f"({t})pop_{u}(({u}){a})"
        if kind == 3:
            return f"({t})clz_{u}(({u}){a})"
        if kind == 4:
            return f"({t})ctz_{u}(({u}){a})"
        return f"({t}){self.convert(self.expr('u32', d), 'u32', t)}"

    def binary_int(self, t, d):
        a, b = self.expr(t, d), self.expr(t, d)
        bits, u = BITS[t], "u" + t[1:]
        kind = self.below(20)
        if kind < 9:
            op = "+-*&|^+-*"[kind]
            return f"({t})({a} {op} {b})"
        if kind == 9:
            return f"({t})({a} << ({b} & {bits - 1}))"
        if kind == 10:
            return f"({t})({a} >> ({b} & {bits - 1}))"
        if kind == 11:
            return f"div_{t}({a}, {b})"
        if kind == 12:
            return f"rem_{t}({a}, {b})"
        if kind == 13:
            return f"({t})rot_{u}(({u}){a}, (u32){b})"
        if kind == 14:
            return f"({t})addsat_{u}(({u}){a}, ({u}){b})"
        if kind < 19:
            name = self.pick(["sat_add", "sat_sub", "least", "greatest"])
            return f"{name}_{t}({a}, {b})"
        op = self.pick("<>")
        return f"({a} {op} {b} ? {a} : {b})"

    def special_int(self, t, d):
        if t == "u32":
            a, b, c = (self.expr(t, d) for _ in range(3))
            return self.pick([
                f"mulhi_u32({a}, {b})", f"mad24_u32({a}, {b}, {c})",
                f"dot4_u32({a}, {b}, {c})", f"brev_u32({a})",
                f"(({a} & {b}) | (~{a} & {c}))",
                f"({a} << ({b} & 31)) + {c}", f"({a} + {b} + {c})",
                self.parts(a, b),
                f"(u32)(((u64){a} << 32 | {b}) >> ({c} & 31))"])
        if t == "i32":
            a, b, c = (self.expr(t, d) for _ in range(3))
            return self.pick([
                f"mulhi_i32({a}, {b})", f"mad24_i32({a}, {b}, {c})",
                f"({a} < 0 ? (i32)-{a} : {a})",
                f"({a} << ({b} & 31) >> ({c} & 31))",
                f"dot4_i32((u32){a}, (u32){b}, {c})",
                f"dot2_i32((u32){a}, (u32){b}, {c})"])
        if t == "u64":
            return f"mulhi_u64({self.expr(t, d)}, {self.expr(t, d)})"
        if t == "i64":
            return f"((i64){self.expr('i32', d)} * {self.expr('i32', d)})"
        a, b, c = (self.expr(t, d) for _ in range(3))
        return self.pick([
            f"({t})({a} * {b} + {c})", f"least_{t}(least_{t}({a}, {b}), {c})",
            f"({a} > {b} ? ({t})({a} - {b}) : ({t})({b} - {a}))",
            f"least_{t}(greatest_{t}({a}, {b}), greatest_{t}({b}, {c}))"])

    def parts(self, a, b):
        """A dword whose parts are bytes or shorts, worked on as such."""
        t = self.pick(["u8", "i8", "u16", "i16"])
        x, y = f"parts_{t}({a})", f"parts_{t}({b})"
        order = "".join(self.pick("xyzw" if t[1] == "8" else "xy")
                        for _ in range(4 if t[1] == "8" else 2))
        return f"whole_{t}(" + self.pick([
            f"{x}.{order}", f"{x} + {y}", f"{x} * {y}", f"vsat_add({x}, {y})",
            f"vsat_sub({x}, {y})", f"vleast({x}, {y})",
            f"vgreatest({x}, {y})"]) + ")"

    def float_expr(self, t, d):
        a, b = self.expr(t, d), self.expr(t, d)
        kind = self.below(12)
        if kind < 6:
            return f"({t})({a} {'+-*+-*'[kind]} {b})"
        if kind == 6:
            return f"({a} {self.pick('<>')} {b} ? {a} : {b})"
        if kind == 7:
            return f"(-{a})"
        if kind == 8:
            return f"{self.pick(['fmin', 'fmax'])}_{t}({a}, {b})"
        if kind == 9:
            return f"fma_{t}({a}, {b}, {self.expr(t, d)})"
        if t != "f16" and kind == 10: # those of halves are not exact
            return self.pick([f"({a} / {b})", f"sqrt_{t}(fabs_{t}({a}))"])
        name = self.pick(["floor", "ceil", "trunc", "rint", "fabs"])
        return f"{name}_{t}({a})"

    def condition(self, d=1):
        t = self.pick(INTS + FLOATS)
        op = self.pick(["<", ">", "<=", ">=", "==", "!="])
        text = f"{self.expr(t, d)} {op} {self.expr(t, d)}"
        if self.chance(20):
            return f"({text}) {self.pick(['&&', '||'])} ({self.condition(0)})"
        return text

    def expr(self, t, d=2):
        if d <= 0 or self.chance(15):
            return self.leaf(t)
        if self.chance(8):
            return f"({self.condition(0)} ? {self.expr(t, d - 1)} : " \
                   f"{self.expr(t, d - 1)})"
        if self.chance(12):
            other = self.pick(INTS + FLOATS)
            return self.convert(f"({self.expr(other, d - 1)})", other, t)
        if is_float(t):
            return self.float_expr(t, d - 1)
        kind = self.below(10)
        if kind < 2:
            return self.unary_int(t, d - 1)
        if kind < 8:
            return self.binary_int(t, d - 1)
        return self.special_int(t, d - 1)

    # ---- statements ----

    def fold(self, text, t):
        if is_float(t):
            text, t = f"bits_{t}({text})", "u" + t[1:]
        if BITS[t] == 64:
            self.put(f"h = mix64(h, (u64){text});")
        else:
            self.put(f"h = mix(h, (u32){text});")

    def declare(self):
        t = self.pick(INTS + ["u32", "i32"] + FLOATS)
        name = self.new("v")
        self.put(f"{t} {name} = {self.expr(t)};")
        self.scalars.append((name, t))

    def assign(self):
        own = [v for v in self.scalars if v[0].startswith("v")]
        if not own:
            return self.declare()
        name, t = self.pick(own)
        if not is_float(t) and self.chance(40):
            op = self.pick(["+", "-", "^", "|", "&", "*"])
            return self.put(f"{name} {op}= {self.expr(t)};")
        return self.put(f"{name} = {self.expr(t)};")

    def write_array(self):
        array = self.pick(list(ARRAYS))
        t, count = ARRAYS[array]
        self.put(f"{array}[{self.index(count)}] = {self.expr(t)};")

    def store(self):
        t = self.pick(INTS)
        size = BITS[t] // 8
        # The second half of the slot is for atomics.
        self.put(f"((GLOBAL {t} *)mine)[{self.index(32 // size)}] = "
                 f"{self.expr(t)};")

    def vector(self):
        t = self.pick(INTS + FLOATS)
        count = self.pick([2, 2, 3, 4, 4, 8])
        name = self.new("w")
        parts = ", ".join(self.expr(t, 1) for _ in range(count))
        self.put(f"{t}x{count} {name} = {{{parts}}};")
        self.vectors.append((name, t, count))

    def vector_op(self):
        if not self.vectors:
            return self.vector()
        name, t, count = self.pick(self.vectors)
        full = f"{t}x{count}"
        twins = [n for n, other, c in self.vectors if (other, c) == (t, count)]
        other = self.pick(twins + [f"({full})({self.expr(t, 1)})"])
        kind = self.below(8)
        if kind < 3:
            return self.put(f"{name} = {name} {'+-*'[kind]} {other};")
        if kind == 3:
            to = self.pick([x for x in INTS + FLOATS
                            if is_float(x) or not is_float(t)])
            new = self.new("w")
            self.put(f"{to}x{count} {new} = "
                     f"__builtin_convertvector({name}, {to}x{count});")
            return self.vectors.append((new, to, count))
        if not is_float(t) and self.chance(25):
            fn = self.pick(["vsat_add", "vsat_sub", "vleast", "vgreatest"])
            return self.put(f"{name} = {fn}({name}, {other});")
        if kind == 4 and count in (2, 4, 8):
            return self.put(f"{name}[{self.index(count)}] = "
                            f"{self.expr(t, 1)};")
        if kind == 5 and count >= 2:
            order = "".join(self.random.sample("xyzw"[:min(4, count)],
                                               min(4, count)))
            if count <= 4:
                return self.put(f"{name} = {name}.{order};")
        if is_float(t):
            return self.put(f"{name} = {other} - {name};")
        if kind == 6:
            amount = f"(({other}) & ({full})({t}){BITS[t] - 1})"
            return self.put(f"{name} = {name} {self.pick(['<<', '>>'])} "
                            f"{amount};")
        return self.put(f"{name} = {name} {self.pick('&|^')} {other};")

    def scoped(self, body):
        scalars, vectors = len(self.scalars), len(self.vectors)
        self.depth += 1
        body()
        self.depth -= 1
        del self.scalars[scalars:]
        del self.vectors[vectors:]

    def block(self, most=3):
        def body():
            for _ in range(1 + self.below(most)):
                self.statement()
            if self.scalars and self.chance(50):
                self.fold(*self.pick(self.scalars))
        self.scoped(body)

    def branch(self):
        self.put(f"if ({self.condition()}) {{")
        self.block()
        if self.chance(50):
            self.put("} else {")
            self.block()
        self.put("}")

    def loop(self):
        i = self.new("c")
        bound = self.pick([f"({self.expr('u32', 1)} & 7)", "3",
                           f"(lid & {self.pick([3, 7])})"])
        self.put(f"for (u32 {i} = 0, {i}n = {bound}; {i} < {i}n; {i}++) {{")
        self.scalars.append((i, "u32"))

        def body():
            if self.chance(30):
                self.put(f"if ({self.condition()}) {{ "
                         f"{self.pick(['break', 'continue'])}; }}")
            for _ in range(1 + self.below(3)):
                self.statement()
            if self.chance(30):
                self.put(f"if ({self.condition(0)}) {{ break; }}")
        self.scoped(body)
        self.scalars = [v for v in self.scalars if v[0] != i]
        self.put("}")

    def switch(self):
        self.put(f"switch ({self.expr('u32', 1)} & 3) {{")
        for case in self.random.sample(range(4), 3):
            self.put(f"case {case}: {{")
            self.block(2)
            self.put("}")
            if self.chance(70):
                self.put("break;")
        self.put("default: break;")
        self.put("}")

    def call(self):
        if not self.functions:
            return self.assign()
        name, result, arguments = self.pick(self.functions)
        values = ", ".join(self.expr(t, 1) for t in arguments)
        return self.fold(f"{name}({values})", result)

    def statement(self):
        choices = [self.declare, self.declare, self.assign, self.assign,
                   self.assign, self.write_array, self.vector, self.vector_op,
                   self.vector_op, self.store, self.call]
        if self.depth < 3:
            choices += [self.branch, self.branch, self.loop, self.switch]
        self.pick(choices)()

    # ---- what all work-items do together ----

    def local(self, t, count):
        name = self.new("l")
        self.locals.append(f"LOCAL {t} {name}[{count}];")
        return name

    def exchange(self):
        t = self.pick(INTS)
        name = self.local(t, self.items)
        new = self.new("v")
        self.put(f"{name}[lid] = {self.expr(t)};")
        self.put("BARRIER();")
        self.put(f"{t} {new} = {name}[(lid * {self.pick([1, 3, 5, 7])} + "
                 f"{self.below(300)}) % {self.items}];")
        self.put("BARRIER();")
        self.scalars.append((new, t))

    def reduction(self):
        t = self.pick(["u32", "u64", "i32", "u16"])
        name = self.local(t, self.items)
        new = self.new("v")
        n = 1 << self.items.bit_length() - 1
        op = self.pick("+^|&*")
        self.put(f"{name}[lid] = {self.expr(t)};")
        self.put("BARRIER();")
        self.put(f"for (u32 s = {n // 2}; s > 0; s >>= 1) {{")
        self.put(f"    if (lid < s) {{ {name}[lid] = ({t})({name}[lid] {op} "
                 f"{name}[lid + s]); }}")
        self.put("    BARRIER();")
        self.put("}")
        self.put(f"{t} {new} = {name}[0];")
        self.put("BARRIER();")
        self.scalars.append((new, t))

    def atomics(self):
        """In LDS: results do not depend on the order."""
        name = self.local("u32", 8)
        op = self.pick(["add", "sub", "and", "or", "xor", "min", "max"])
        new = self.new("v")
        self.put(f"if (lid < 8) {{ {name}[lid] = "
                 f"{self.constant('u32')} + lid; }}")
        if self.items < 8:
            self.put(f"for (u32 j = {self.items}; j < 8; j++) "
                     f"{{ {name}[j] = 5; }}")
        self.put("BARRIER();")
        self.put(f"if ({self.condition()}) {{")
        self.put(f"    ATOMIC(fetch_{op}, __local, uint, "
                 f"&{name}[{self.index(8)}], {self.expr('u32')});")
        self.put("}")
        self.put("BARRIER();")
        self.put(f"u32 {new} = {name}[(lid + {self.below(8)}) & 7];")
        self.put("BARRIER();")
        self.scalars.append((new, "u32"))

    def tickets(self):
        """The set of values returned is known, though not whose is which."""
        name = self.local("u32", 2)
        new, step = self.new("v"), self.pick([1, 3, 0x10001])
        self.put(f"if (lid == 0) {{ {name}[0] = {self.below(1000)}; "
                 f"{name}[1] = 0; }}")
        self.put("BARRIER();")
        self.put(f"ATOMIC(fetch_{self.pick(['add', 'xor'])}, __local, uint, "
                 f"&{name}[1], "
                 f"ATOMIC(fetch_add, __local, uint, &{name}[0], {step}));")
        self.put("BARRIER();")
        self.put(f"u32 {new} = {name}[1] ^ {name}[0];")
        self.put("BARRIER();")
        self.scalars.append((new, "u32"))

    def own_atomics(self):
        """With what is returned, on places that no other item uses."""
        t, kind = self.pick([("u32", "uint"), ("u32", "uint"),
                             ("i32", "int"), ("u64", "ulong"),
                             ("i64", "long")])
        space = self.pick(["__global", "__local"])
        if space == "__local":
            name = self.local(t, self.items)
            place = f"&{name}[lid]"
            self.put(f"{name}[lid] = {self.expr(t)};")
        else:
            place = f"(GLOBAL {t} *)mine + {4 if BITS[t] == 64 else 8}"
        new = self.new("v")
        if self.chance(25):
            self.put(f"{t} {new} = {self.expr(t)};")
            self.put(f"CAS({space}, {kind}, {place}, &{new}, "
                     f"{self.expr(t)});")
        else:
            op = self.pick(["fetch_add", "fetch_sub", "fetch_and", "fetch_or",
                            "fetch_xor", "fetch_min", "fetch_max",
                            "exchange"])
            self.put(f"{t} {new} = ATOMIC({op}, {space}, {kind}, {place}, "
                     f"{self.expr(t)});")
        self.scalars.append((new, t))

    def counters(self):
        """Counters that wrap and sums of whole floats, on places of one's own."""
        t, kind = self.pick([("u32", "inc32"), ("u32", "dec32"),
                             ("u64", "inc64"), ("u64", "dec64"),
                             ("f32", "fetch_fadd")])
        new = self.new("v")
        if self.chance(50):
            name = self.local(t, self.items)
            space, place = "__local", f"&{name}[lid]"
        else:
            place = f"(GLOBAL {t} *)mine + {4 if t == 'u64' else 8}"
            space = "__global"
        self.put(f"*({place}) = ({t})({self.expr('i16')});")
        if t == "f32":
            self.put(f"{t} {new} = ATOMIC({kind}, {space}, float, {place}, "
                     f"({t})({self.expr('i16')}));")
        else:
            self.put(f"{t} {new} = COUNTER({kind}, {t}, {place}, "
                     f"{self.expr(t)});")
        self.scalars.append((new, t))
        if space == "__local":
            self.fold(f"*({place})", t)

    def global_atomics(self):
        wide = self.chance(40)
        ops = ["add", "or", "and", "xor", "min", "max"]
        which = self.below(len(ops))
        t, kind = ("u64", "ulong") if wide else ("u32", "uint")
        first = (48 // 2 if wide else 0) + which * (2 if wide else 8)
        count = 2 if wide else 8
        self.put(f"if ({self.condition()}) {{")
        self.put(f"    ATOMIC(fetch_{ops[which]}, __global, {kind}, "
                 f"(GLOBAL {t} *)acc + {first} + {self.index(count)}, "
                 f"{self.expr(t)});")
        self.put("}")

    def phase(self):
        self.pick([self.exchange, self.exchange, self.reduction, self.atomics,
                   self.atomics, self.tickets, self.own_atomics,
                   self.own_atomics, self.counters, self.global_atomics,
                   self.global_atomics])()

    # ---- the whole ----

    def function(self):
        name = f"{self.name}_f{len(self.functions)}"
        arguments = [self.pick(INTS + FLOATS) for _ in
                     range(1 + self.below(4))]
        result = self.pick(INTS + FLOATS)
        saved = self.lines, self.scalars, self.vectors, self.functions
        self.lines, self.vectors = [], []
        self.scalars = [(f"a{i}", t) for i, t in enumerate(arguments)]
        self.functions = []
        self.depth = -1        # no arrays here, and no input
        self.no_memory = True
        body = self.pure(result)
        self.no_memory = False
        self.depth = 0
        self.lines, self.scalars, self.vectors, self.functions = saved
        parameters = ", ".join(f"{t} a{i}" for i, t in enumerate(arguments))
        self.functions.append((name, result, arguments))
        kind = "NOINLINE" if self.chance(60) else "INLINE"
        return f"{kind} {result} {name}({parameters})\n{{\n{body}}}\n"

    def pure(self, result):
        """A body that knows its arguments only."""
        load, self.load = self.load, self.constant
        text = f"    {result} r = {self.expr(result, 3)};\n"
        text += f"    if ({self.condition()}) {{\n" \
                f"        r = {self.expr(result, 2)};\n    }}\n" \
                "    return r;\n"
        self.load = load
        return text

    def text(self):
        functions = [self.function() for _ in range(self.below(3))]
        self.scalars = [("lid", "u32"), ("p0", "u32"), ("p1", "u64"),
                        ("p2", "f32"), ("gid", "u32"), ("h", "u32")]
        for _ in range(3 + self.below(4)):
            self.statement()
        for _ in range(1 + self.below(4)):
            self.phase()
            for _ in range(1 + self.below(3)):
                self.statement()
        for name, t in self.scalars:
            if name != "h":
                self.fold(name, t)
        for name, t, count in self.vectors:
            for i in range(min(count, 4)):
                self.fold(f"{name}.{'xyzw'[i]}", t)
        for array, (t, count) in ARRAYS.items():
            self.put(f"for (u32 j = 0; j < {count}; j++) {{")
            self.depth += 1
            self.fold(f"{array}[j]", t)
            self.depth -= 1
            self.put("}")
        return "\n".join(functions + [self.head()] + self.lines + [
            "    mine[15] = h;", "}", ""])

    def head(self):
        lines = [f"KERNEL({self.name}, {self.x}, {self.y})",
                 "(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *acc,",
                 " u32 p0, u64 p1, f32 p2)", "{"]
        lines += ["    " + text for text in self.locals]
        lines += [f"    u32 lid = LX + LY * {self.x};",
                  f"    u32 gid = GROUP_ID * {self.items} + lid;",
                  "    GLOBAL u32 *mine = out + gid * 16;",
                  "    u32 h = gid;"]
        for array, (t, count) in ARRAYS.items():
            lines.append(f"    {t} {array}[{count}];")
            value = f"(f32)(i32)in[j * 3 + gid & 1023]" if is_float(t) else \
                "in[j * 5 + gid & 1023]"
            lines.append(f"    for (u32 j = 0; j < {count}; j++) "
                         f"{{ {array}[j] = ({t}){value}; }}")
        return "\n".join(lines)


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    print('#include "kernel.h"\n')
    kernels = [Kernel(seed) for seed in range(first, first + count)]
    for kernel in kernels:
        print(kernel.text())
    print("#ifndef __AMDGCN__")
    print("const NativeEntry native_entries[] = {")
    for kernel in kernels:
        groups = 3 if kernel.items <= 128 else 2
        print(f'    {{ "{kernel.name}", {kernel.name}, {kernel.x}, '
              f'{kernel.y}, {groups} }},')
    print("    { 0 },")
    print("};\n#endif")


main()
