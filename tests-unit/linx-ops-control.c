/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches, conditions, system registers, ends (sections 10, 11, 14). */
#include <string.h>
#include "linx-ops.h"

enum { BPC = LANES_CODE + 12, LRA = LANES_CODE + 28 };

typedef struct Condition {
    const char *name;
    bool less, equal, above; /* if a < b, a == b, a > b */
    bool is_unsigned;
} Condition;

static const Condition conditions[] = {
    { "eq", 0, 1, 0, 0 }, { "ne", 1, 0, 1, 0 },
    { "lt", 1, 0, 0, 0 }, { "ge", 0, 1, 1, 0 },
    { "ltu", 1, 0, 0, 1 }, { "geu", 0, 1, 1, 1 },
};

static bool holds(const Condition *c, uint64_t a, uint64_t b)
{
    bool less = c->is_unsigned ? a < b : (int64_t)a < (int64_t)b;

    return a == b ? c->equal : less ? c->less : c->above;
}

/* t#1 and u#1 are a and b; what the body stores at LANES_DATA + 16. */
static uint64_t run_pair(const char *body, uint64_t a, uint64_t b)
{
    g_autofree LinxLanes *l = linx_lanes_new();
    g_autofree char *text = g_strdup_printf(
        "l.ldi [ri0.ud, 8], ->u.d\nl.ldi [ri0.ud, 0], ->t.d\n%s\n"
        "l.sdi t#1.ud, [ri0.ud, 16]", body);

    linx_lanes_put(l, LANES_DATA, a, 8);
    linx_lanes_put(l, LANES_DATA + 8, b, 8);
    if (!linx_lanes_body(l, text)) {
        g_test_message("%s: trap %u/%u", body, l->record.trap.number,
                       l->record.trap.cause);
        g_test_fail();
    }
    return linx_lanes_word(l, LANES_DATA + 16, 8);
}

/* Forwards and backwards. */
static void test_branches(void)
{
    uint64_t state = 61;

    for (unsigned n = 0; n < 30 * G_N_ELEMENTS(conditions); n++) {
        const Condition *c = &conditions[n % G_N_ELEMENTS(conditions)];
        uint64_t a = linx_lanes_random(&state);
        uint64_t b = n % 3 ? linx_lanes_random(&state) : a;
        g_autofree char *form = g_strdup_printf("b.%s t#1, u#1, .+8",
                                                c->name);
        g_autofree char *body = g_strdup_printf(
            "j start\nyes: l.addi zero.ud, 2, ->t.d\nj done\n"
            "start: b.%s t#1, u#1, %s\n"
            "l.addi zero.ud, 1, ->t.d\nj done\n"
            "later: l.addi zero.ud, 2, ->t.d\ndone:", c->name,
            n & 1 ? "yes" : "later");

        linx_lanes_covered(form);
        check_value(body, 0, run_pair(body, a, b), 1 + holds(c, a, b));
    }
    linx_lanes_covered("j .+8");
}

/* P is what a comparison has left. */
static void test_mask_branches(void)
{
    for (unsigned mask = 0; mask < 2; mask++) {
        g_autofree char *zero = g_strdup_printf(
            "l.addi zero.ud, %u, ->p.d\nb.z yes\nl.addi zero.ud, 1, ->t.d\n"
            "j done\nyes: l.addi zero.ud, 2, ->t.d\ndone:", mask);
        g_autofree char *other = g_strdup_printf(
            "l.addi zero.ud, %u, ->p.d\nb.nz yes\nl.addi zero.ud, 1, ->t.d\n"
            "j done\nyes: l.addi zero.ud, 2, ->t.d\ndone:", mask);

        check_value(zero, 0, run_pair(zero, 0, 0), 2 - mask);
        check_value(other, 0, run_pair(other, 0, 0), 1 + mask);
    }
    linx_lanes_covered("b.z .+8");
    linx_lanes_covered("b.nz .+8");
}

/* JR: a register and twice the number, which is written in bytes. */
static void test_register_jump(void)
{
    static const char body[] =
        "addtpc 0, ->t\njr t#1, 24\nl.addi zero.ud, 1, ->t.d\n"
        "l.addi zero.ud, 2, ->t.d\nl.addi zero.ud, 3, ->t.d\n";

    /* ADDTPC at 0, JR at 4, then 8 bytes each: 24 is the third. */
    check_value("jr", 0, run_pair(body, 0, 0), 3);
    linx_lanes_covered("jr t#1, 24");
    check_trapping("jr zero, 0", LINX_E_INST, LINX_INST_ACCESS);
}

static void test_addtpc(void)
{
    uint64_t start = run_pair("addtpc 0, ->t", 0, 0);

    linx_lanes_covered("addtpc 0, ->t");
    /* Behind B.TEXT, the end, and two loads of 8 bytes. */
    check_value("addtpc", 0, start, LRA + 12 + 16);
    check_value("addtpc", 0, run_pair("addtpc -3, ->t", 0, 0),
                start - 3 * 4096);
    check_value("addtpc", 0, run_pair("addtpc 0x7ffff, ->t", 0, 0),
                start + 0x7ffff000);
}

/* ---- SETC and BARG ---- */

static bool taken(const char *text, uint64_t a, uint64_t b)
{
    g_autofree char *body = g_strdup_printf("%s\nlsrget 2, ->t", text);

    linx_lanes_covered(text);
    return run_pair(body, a, b) >> 7 & 1;
}

static void test_conditions(void)
{
    uint64_t state = 62;

    for (unsigned n = 0; n < 20 * G_N_ELEMENTS(conditions); n++) {
        const Condition *c = &conditions[n % G_N_ELEMENTS(conditions)];
        uint64_t a = linx_lanes_random(&state);
        uint64_t b = n % 3 ? linx_lanes_random(&state) : a;
        int64_t imm = (int64_t)(b & 2047) - (c->is_unsigned ? 0 : 1024);
        unsigned shift = b >> 20 & 31;
        g_autofree char *text = g_strdup_printf("setc.%s t#1, u#1.uw",
                                                c->name);
        g_autofree char *other = g_strdup_printf(
            shift ? "setc.%si t#1, %d<<%u" : "setc.%si t#1, %d", c->name,
            (int)imm, shift);

        check_value(text, 0, taken(text, a, b), holds(c, a, (uint32_t)b));
        b = (uint64_t)imm << shift;
        a = n % 4 ? a : b;
        check_value(other, 0, taken(other, a, b), holds(c, a, b));
    }
    check_value("and", 0, taken("setc.and t#1, u#1", 6, 9), 0);
    check_value("and", 0, taken("setc.and t#1, u#1", 6, 3), 1);
    check_value("and", 0, taken("setc.and t#1, u#1.not", 6, 6), 0);
    check_value("or", 0, taken("setc.or t#1, u#1", 0, 0), 0);
    check_value("or", 0, taken("setc.or t#1, u#1", 0, 8), 1);
    check_value("andi", 0, taken("setc.andi t#1, 4", 6, 0), 1);
    check_value("andi", 0, taken("setc.andi t#1, 1", 6, 0), 0);
    check_value("ori", 0, taken("setc.ori t#1, 0", 0, 0), 0);
    check_value("ori", 0, taken("setc.ori t#1, 1", 0, 0), 1);
    check_value("tgt", 0, taken("setc.tgt t#1", 1, 1), 0);
    check_trapping("setc.eq a0, zero", LINX_E_INST, LINX_INST_ILLEGAL);
    check_trapping("setc.tgt a0", LINX_E_INST, LINX_INST_ILLEGAL);
}

/* No group sees what another has set. */
static void test_own_condition(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();

    l->live = 192;
    g_assert_true(linx_lanes_body(l, "lsrget 2, ->t\n"
                                  "v.sd t#1.ud, [ri0.ud, lc0.uh<<3]\n"
                                  "setc.eq zero, zero"));
    for (unsigned group = 0; group < 3; group++) {
        check_value("TAKEN", group, linx_lanes_word(
            l, LANES_DATA + 512 * group, 8), 3 | 4 << 16);
    }
}

static void test_local_registers(void)
{
    linx_lanes_covered("lsrget 0, ->t");
    check_value("BPC", 0, run_pair("lsrget 0, ->t", 0, 0), BPC);
    check_value("LRA", 0, run_pair("lsrget 1, ->t", 0, 0), LRA);
    /* BlockType 3; RegDst0 is R4, a2. */
    check_value("BARG", 0, run_pair("lsrget 2, ->t", 0, 0), 3 | 4 << 16);
    check_trapping("lsrget 3, ->t", LINX_E_INST, LINX_INST_ILLEGAL);
    check_trapping("lsrget 4095, ->t", LINX_E_INST, LINX_INST_ILLEGAL);
}

/* ---- system registers ---- */

enum { PERM = 4 };

static void test_system_registers(void)
{
    linx_lanes_covered("ssrget 0x10, ->t");
    check_value("TIME", 0, run_pair("ssrget 0x10, ->t", 0, 0),
                0x123456789abc);
    check_value("CYCLE", 0, run_pair("ssrget 0x11, ->t", 0, 0),
                0x123456789abc);
    check_value("LXLCID", 0, run_pair("ssrget 0x21, ->t", 0, 0), 0);
    /* 64 lanes, one group, tiles of 256 KB: 512 * (511 + 1). */
    check_value("LCFR", 0, run_pair("ssrget 0x24, ->t", 0, 0),
                6 | 1 << 8 | 511ull << 32);
    check_value("BLOCKNUM", 0, run_pair("ssrget 0x50, ->t", 0, 0), 1);
    check_value("BLOCKID", 0, run_pair("ssrget 0x51, ->t", 0, 0), 0);
    for (unsigned id = 0; id < 0x1000; id += id < 0x80 ? 1 : 0x7f) {
        g_autofree char *text = g_strdup_printf("ssrget %u, ->t", id);

        if ((id & ~1u) != 0x10 && (id & ~1u) != 0x20 && id != 0x24 &&
            (id & ~1u) != 0x50) {
            check_trapping(text, LINX_E_INST, LINX_INST_ILLEGAL);
        }
    }
}

/* Bodies write none; scalar code writes what CSTATE has for floats. */
static void test_writes(void)
{
    g_autofree LinxLanes *l = linx_lanes_new();

    linx_lanes_covered("ssrset zero, 0x20");
    linx_lanes_covered("ssrswap zero, 0x20, ->t");
    check_trapping("ssrset zero, 0x20", LINX_E_INST, PERM);
    check_trapping("ssrset zero, 0x24", LINX_E_INST, PERM);
    check_trapping("ssrswap zero, 0x20, ->t", LINX_E_INST, PERM);
    /* FRM 2, RDN: -1/3 goes to the larger magnitude; NX is kept. */
    l->before = "addi zero, 2, ->a3\nslli a3, 37, ->a3\nssrset a3, 0x20\n";
    memcpy(&l->a[0], &(double) { -1 }, 8);
    memcpy(&l->b[0], &(double) { 3 }, 8);
    l->p = 1;
    g_assert_true(linx_lanes_run(l, "v.fdiv vt#1.fd, vu#1.fd, ->vn.d", "n"));
    check_value("RDN", 0, l->result[0], 0xbfd5555555555556);
    check_value("CSTATE", 0, l->cstate, 2ull << 37 | 16ull << 32);
    l->before = "ssrset zero, 0x24\n";
    g_assert_false(linx_lanes_body(l, ""));
    check_value("PERM", 0, l->record.trap.cause, PERM);
    g_assert_false(l->record.in_body);
    /* SSRSWAP gives the old value; the block shows the new one. */
    l->before = "addi zero, 3, ->a3\nslli a3, 37, ->a3\nssrset a3, 0x20\n"
                "ssrswap zero, 0x20, ->a2\n";
    g_assert_true(linx_lanes_body(l, "ssrget 0x20, ->t\n"
                                  "l.sdi t#1.ud, [ri0.ud, 0]"));
    check_value("CSTATE", 0, linx_lanes_word(l, LANES_DATA, 8), 0);
    check_value("old", 0, l->ro_after, 3ull << 37);
}

/* Flags of all groups, and of sums that are folded at the end. */
static void test_flags_after(void)
{
    static const struct {
        const char *body;
        unsigned flags;
    } cases[] = {
        { "v.fadd lc0.fs, lc0.fs, ->vn.w", 0 },
        { "v.frecip zero.fs, ->vn.w", 2 },
        /* Lane 100 is in the second group; the others are no flag. */
        { "v.cmp.eqi lc0.uh, 100, ->p.d\nv.frecip zero.fs, ->vn.w", 2 },
        { "v.cmp.eqi lc0.uh, 200, ->p.d\nv.frecip zero.fs, ->vn.w", 0 },
        /* 1 + 2^-24, in the sum alone. */
        { "v.cmp.eqi lc0.uh, 100, ->p.d\n"
          "l.ldi [ri0.ud, 0], ->t.d\nl.addi t#1.ud, 0, ->t.w\n"
          "v.rdfadd t#1.fs, ->ro0.d", 16 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();

        l->live = 128;
        l->ro = 0x3f800000;
        l->after = "ssrget 0x20, ->a2\n";
        linx_lanes_put(l, LANES_DATA, 0x33800000, 8);
        g_assert_true(linx_lanes_body(l, cases[i].body));
        check_value(cases[i].body, 0, l->ro_after >> 32, cases[i].flags);
    }
}

/* ---- scalar code only ---- */

/* Greater and less of -1 and 5; what comes into a2. */
static void test_outside(void)
{
    static const struct {
        const char *text;
        uint64_t expected;
    } cases[] = {
        { "max a3, a4, ->a2", 5 }, { "maxu a3, a4, ->a2", ~0ull },
        { "min a3, a4, ->a2", ~0ull }, { "minu a3, a4, ->a2", 5 },
        { "max a4, a3, ->a2", 5 }, { "maxu a4, a3, ->a2", ~0ull },
        { "min a4, a3, ->a2", ~0ull }, { "minu a4, a3, ->a2", 5 },
        { "fence.d 15, 15", 0 }, { "fence.i", 0 }, { "assert a4", 0 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();
        g_autofree char *before = g_strdup_printf(
            "subi zero, 1, ->a3\naddi zero, 5, ->a4\n%s\n", cases[i].text);
        g_autofree char *body = g_strdup_printf(
            "l.addi ri0.ud, 0, ->t.d\n%s", cases[i].text);

        linx_lanes_covered(cases[i].text);
        l->before = before;
        g_assert_true(linx_lanes_body(l, ""));
        check_value(cases[i].text, 0, l->ro_after, cases[i].expected);
        check_trapping(body, LINX_E_INST, LINX_INST_ILLEGAL);
    }
}

static void test_outside_traps(void)
{
    static const struct {
        const char *text;
        unsigned number, cause;
    } cases[] = {
        { "assert zero", 15, 0 }, { "ebreak 9", 17, 9 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();
        g_autofree char *before = g_strdup_printf("%s\n", cases[i].text);

        linx_lanes_covered(cases[i].text);
        l->before = before;
        g_assert_false(linx_lanes_body(l, ""));
        check_value(cases[i].text, 0, l->record.trap.number,
                    cases[i].number);
        check_value(cases[i].text, 0, l->record.trap.cause, cases[i].cause);
        g_assert_false(l->record.in_body);
    }
}

/* ---- ends ---- */

/* Any BSTOP and any block's start; what follows is not run. */
static void test_ends(void)
{
    for (unsigned op = 0; op < LINX_OPS; op++) {
        const LinxRow *row = &linx_rows[op];
        g_autofree LinxLanes *l = linx_lanes_new();
        LinxInst inst = { .op = op, .size = row->bits / 8 };
        g_autoptr(GString) body = g_string_new("");
        uint8_t bytes[LINX_MAX_BYTES];

        if (row->group != LINX_G_TERM && row->group != LINX_G_HDR_START) {
            continue;
        }
        linx_encode(&inst, bytes);
        for (unsigned i = 0; i < inst.size; i++) {
            g_string_append_printf(body, ".byte 0x%02x\n", bytes[i]);
        }
        g_string_append(body, "addi a0, 1, ->t");
        if (!linx_lanes_body(l, body->str)) {
            g_test_message("%s is no end", row->name);
            g_test_fail();
        }
        linx_covered[op] = true;
    }
}

/* 16- and 48-bit code, words that are none, and header words. */
static void test_no_instructions(void)
{
    static const char *const bodies[] = {
        ".half 0xe, 0, 0", ".half 0x2e, 1, 2", ".half 0x7c",
        "c.b.dimi 1, ->lb0", "b.dim zero, 1, ->lb0", "b.text .",
        "b.ior [], []", "b.iot [], last", "b.catr", ".word 0xfffffff1",
        ".dword 0xffffffff0000007f", "fence.d 0, 0", "fence.i", "acrc 1",
        "ebreak 0", "assert zero", "setret 0",
        /* R1 to R23 are outside. */
        "add a0, zero, ->t", "add zero, x3, ->t", "add zero, zero, ->sp",
        "csel zero, zero, a0, ->t", "lwi [a0, 0], ->t", "sdi a0, [t#1, 0]",
        "b.eq a0, zero, .+8", "jr ra, 0",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autofree char *body = g_strdup_printf(
            "l.addi ri0.ud, 0, ->t.d\n%s", bodies[i]);

        check_trapping(body, LINX_E_INST, LINX_INST_ILLEGAL);
    }
}

/* 5-bit destinations 0 and 24 to 29 are nowhere: no push. */
static void test_nowhere(void)
{
    for (unsigned to = 24; to < 30; to++) {
        g_autofree char *body = g_strdup_printf("addi t#1, 1, ->r%u", to);

        check_value(body, 0, run_pair(body, 41, 0), 41);
    }
    check_value("zero", 0, run_pair("addi t#1, 1, ->zero", 41, 0), 41);
}

void add_control_tests(void)
{
    g_test_add_func("/linx/ops/control/branches", test_branches);
    g_test_add_func("/linx/ops/control/mask-branches", test_mask_branches);
    g_test_add_func("/linx/ops/control/register-jump", test_register_jump);
    g_test_add_func("/linx/ops/control/addtpc", test_addtpc);
    g_test_add_func("/linx/ops/control/conditions", test_conditions);
    g_test_add_func("/linx/ops/control/own-condition", test_own_condition);
    g_test_add_func("/linx/ops/control/local-registers",
                    test_local_registers);
    g_test_add_func("/linx/ops/control/system-registers",
                    test_system_registers);
    g_test_add_func("/linx/ops/control/writes", test_writes);
    g_test_add_func("/linx/ops/control/flags-after", test_flags_after);
    g_test_add_func("/linx/ops/control/outside", test_outside);
    g_test_add_func("/linx/ops/control/outside-traps", test_outside_traps);
    g_test_add_func("/linx/ops/control/ends", test_ends);
    g_test_add_func("/linx/ops/control/no-instructions",
                    test_no_instructions);
    g_test_add_func("/linx/ops/control/nowhere", test_nowhere);
}
