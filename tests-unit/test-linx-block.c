/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Headers of memory blocks and their groups, named after the rules TB1 to TB34
 * of the memory block chapter where one is checked.
 */
#include <string.h>
#include "linx-data.h"
#include "target/linx/block.h"
#include "target/linx/decode.h"
#include "tools/linx-asm.h"

enum { PC = 0x10000 };

static const uint64_t gprs[LINX_GPRS] = {
    [0] = 0xdead, /* reads as 0 */
    [1] = 0x101, [2] = 0x202, [3] = 0x303, [4] = 0x404, [5] = 0x505,
    [6] = 0x12340006, [23] = 0x2323,
};

static bool read_header(const char *source, LinxBlock *block, LinxTrap *trap)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source("header", source, &error);
    g_autofree uint8_t *copy = NULL;

    g_assert_no_error(error);
    /* Of exactly that size, so that a sanitizer sees what is read. */
    copy = g_memdup2(code->data, code->len);
    return linx_read_header(copy, code->len, PC, gprs, block, trap);
}

static LinxBlock good(const char *source)
{
    LinxBlock block;
    LinxTrap trap;

    if (!read_header(source, &block, &trap)) {
        g_test_message("\"%s\" traps: %u, %u", source, trap.number,
                       trap.cause);
        g_test_fail();
    }
    return block;
}

static void bad(const char *source, unsigned number, unsigned cause,
                unsigned at)
{
    LinxBlock block;
    LinxTrap trap;

    if (read_header(source, &block, &trap)) {
        g_test_message("\"%s\" does not trap", source);
        g_test_fail();
        return;
    }
    if (trap.number != number || trap.cause != cause || trap.pc != PC + at) {
        g_test_message("\"%s\": trap %u, cause %u at +%d", source,
                       trap.number, trap.cause, (int)(trap.pc - PC));
        g_test_fail();
    }
}

#define ILLEGAL 0, 3  /* E_INST, ILLEGAL */
#define PARM 4, 2     /* E_BLOCK, INVAL_PARM */
#define DOUBLE 4, 3   /* E_BLOCK, INVAL_DOUBLESET */

/* ---- groups ---- */

static LinxBlock block_of(uint16_t t0, uint16_t t1, uint16_t t2, bool flat)
{
    return (LinxBlock) { .lb = { t0, t1, t2 }, .flat = flat };
}

/* A block is split into groups; LB says how often it runs. */
static void test_groups(void)
{
    const LinxBlock nested = block_of(70, 3, 2, false);
    const LinxBlock flat = block_of(70, 3, 2, true);

    /* Program P2: 12 groups with 64, 6, 64, 6... lanes; 6 * 64 + 36. */
    g_assert_cmpuint(linx_groups(&nested), ==, 12);
    g_assert_cmpuint(linx_groups(&flat), ==, 7);
    for (unsigned g = 0; g < 12; g++) {
        g_assert_cmphex(linx_group_lanes(&nested, g, NULL), ==,
                        g % 2 ? 0x3f : ~0ull);
    }
    g_assert_cmphex(linx_group_lanes(&flat, 5, NULL), ==, ~0ull);
    g_assert_cmphex(linx_group_lanes(&flat, 6, NULL), ==, (1ull << 36) - 1);
    g_assert_cmphex(linx_group_lanes(&flat, 7, NULL), ==, 0);
}

/* A loop of no rounds: no groups, in whichever loop it is. */
static void test_no_groups(void)
{
    for (unsigned i = 0; i < 6; i++) {
        LinxBlock block = block_of(5, 5, 5, i >= 3);

        block.lb[i % 3] = 0;
        g_assert_cmpuint(linx_groups(&block), ==, 0);
        g_assert_cmphex(linx_group_lanes(&block, 0, NULL), ==, 0);
    }
}

static void test_most_groups(void)
{
    const LinxBlock nested = block_of(0xffff, 0xffff, 0xffff, false);
    const LinxBlock flat = block_of(0xffff, 0xffff, 0xffff, true);

    g_assert_cmpuint(linx_groups(&nested), ==, 1024ull * 0xffff * 0xffff);
    /* 65535^3 = 281462092005375 */
    g_assert_cmpuint(linx_groups(&flat), ==, (281462092005375 + 63) / 64);
}

/* Each point of the loops is one lane of one group, with its own LC. */
static void check_lanes(const LinxBlock *block)
{
    unsigned total = block->lb[0] * block->lb[1] * block->lb[2];
    g_autofree uint8_t *seen = g_malloc0(total);
    uint16_t lc[LINX_LANES][3];
    unsigned count = 0;

    for (uint64_t g = 0; g < linx_groups(block); g++) {
        uint64_t live = linx_group_lanes(block, g, lc);

        g_assert_cmphex(live & (live + 1), ==, 0); /* a low-order run */
        for (unsigned lane = 0; lane < LINX_LANES; lane++) {
            if (live >> lane & 1) {
                unsigned at = (lc[lane][2] * block->lb[1] + lc[lane][1]) *
                              block->lb[0] + lc[lane][0];

                g_assert_cmpuint(lc[lane][0], <, block->lb[0]);
                g_assert_cmpuint(lc[lane][1], <, block->lb[1]);
                g_assert_cmpuint(at, <, total);
                g_assert_false(seen[at]);
                seen[at] = 1;
                count++;
            }
        }
    }
    g_assert_cmpuint(count, ==, total);
}

static void test_lanes(void)
{
    static const uint16_t shapes[][3] = {
        { 1, 1, 1 }, { 64, 1, 1 }, { 65, 2, 1 }, { 70, 3, 2 }, { 3, 50, 4 },
        { 1, 1, 200 }, { 128, 2, 2 }, { 63, 3, 1 },
    };

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(shapes); i++) {
        const uint16_t *s = shapes[i / 2];
        const LinxBlock block = block_of(s[0], s[1], s[2], i % 2);

        check_lanes(&block);
    }
}

/* ---- what a header says ---- */

static void test_kinds(void)
{
    g_assert_cmpint(good("bstart.mpar vs16\nb.text .").kind, ==, LINX_MPAR);
    g_assert_cmpint(good("bstart.mseq vs16\nb.text .").kind, ==, LINX_MSEQ);
    g_assert_cmpint(good("bstart.vpar vs8\nb.text .").kind, ==, LINX_VPAR);
    g_assert_cmpint(good("c.bstart.vseq\nb.text .").kind, ==, LINX_VSEQ);
    g_assert_true(good("bstart.mpar vs16\nb.text .").wide_queues);
    g_assert_false(good("bstart.mpar vs8\nb.text .").wide_queues);
    g_assert_true(good("c.bstart.mpar\nb.text .").wide_queues);
    bad("bstart.mpar vs32\nb.text .", ILLEGAL, 0);
    bad("bstart.mpar vs64\nb.text .", ILLEGAL, 0);
    bad("bstart.std.fall .\nb.text .", ILLEGAL, 0);
    bad("addi zero, 1, ->t\nb.text .", ILLEGAL, 0);
}

/* LB from registers and immediates; RI and RO are what GGPRs were. */
static void test_backups(void)
{
    const LinxBlock block = good("bstart.mpar vs16\n"
                                 "b.dim zero, 0x1ffff, ->lb0\n"
                                 "b.dim a4, 3, ->lb1\n"
                                 "c.b.dim a0, ->lb2\n"
                                 "b.ior [a1, zero, a0], [a3]\n"
                                 "b.ior [a0], [x3]\n"
                                 "b.text .");
    const LinxBlock defaults = good("bstart.mpar vs16\nb.text .");

    g_assert_cmphex(block.lb[0], ==, 0xffff);
    g_assert_cmphex(block.lb[1], ==, 9);
    g_assert_cmphex(block.lb[2], ==, 0x202);
    g_assert_cmpuint(block.gpr_inputs, ==, 3);
    g_assert_cmphex(block.ri_value[0], ==, 0x303);
    g_assert_cmphex(block.ri_value[1], ==, 0x202);
    g_assert_cmphex(block.ri_value[2], ==, 0x202);
    g_assert_cmpuint(block.gpr_outputs, ==, 2);
    g_assert_cmpuint(block.ro[1], ==, 23);
    g_assert_cmphex(block.ro_value[0], ==, 0x505);
    g_assert_cmphex(block.ro_value[1], ==, 0x2323);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(defaults.lb[i], ==, 1);
    }
    g_assert_cmpuint(good("c.bstart.mpar\nc.b.dimi 9, ->lb1\n"
                          "c.b.dimi 8, ->lb1\nb.text .").lb[1], ==, 8);
    bad("c.bstart.mpar\nb.dim zero, 1, ->lb3\nb.text .", PARM, 2);
    bad("c.bstart.mpar\nc.b.dim zero, ->lb7\nb.text .", PARM, 2);
    bad("c.bstart.mpar\nb.dim r24, 1, ->lb0\nb.text .", ILLEGAL, 2);
    bad("c.bstart.mpar\nb.ior [r24], []\nb.text .", ILLEGAL, 2);
    bad("c.bstart.mpar\nb.ior [], [r24]\nb.text .", ILLEGAL, 2);
}

/* Header and body lie apart; control goes on behind the header. */
static void test_separate(void)
{
    const LinxBlock block = good("c.bstart.mpar\nb.catr.rl.aq.far.t.dr\n"
                                 "b.text .-0x100");

    g_assert_cmphex(block.bpc, ==, PC);
    g_assert_cmphex(block.text, ==, PC + 6 - 0x100);
    g_assert_cmphex(block.next, ==, PC + 6 + 4);
    g_assert_true(block.flat && block.trap_after);
    /* MPAR with branch type 2, direct. */
    bad(".word 0x02002181\nb.text .", ILLEGAL, 0);
    /* No body before the next block. */
    bad("c.bstart.mpar\nc.bstart.mpar\nb.text .", PARM, 2);
    bad("c.bstart.mpar\nbstop", PARM, 2);
    bad("c.bstart.mpar\nc.bstop", PARM, 2);
    /* What belongs to other blocks, and what is no header word. */
    bad("c.bstart.mpar\nb.datr\nb.text .", PARM, 2);
    bad("c.bstart.mpar\nb.hint\nb.text .", PARM, 2);
    bad("c.bstart.mpar\nb.catr.atom\nb.text .", PARM, 2);
    bad("c.bstart.mpar\naddi zero, 1, ->t\nb.text .", ILLEGAL, 2);
    bad("c.bstart.mpar\n.half 0xe, 0, 0\nb.text .", ILLEGAL, 2);
    /* The code ends: E_INST, access. */
    bad("c.bstart.mpar\n.half 3", 0, 0, 2);
    bad("c.bstart.mpar", 0, 0, 2);
}

/* ---- limits ---- */

static void test_tiles(void)
{
    const LinxBlock block = good("c.bstart.mpar\n"
                                 "b.iot [t#1, u#16.reuse], ->m<256KB>\n"
                                 "b.iot [n#3.reuse], ->s<256B>\n"
                                 "b.iot [], ->n<0B>\n"
                                 "b.iot [m#2], last\n"
                                 "b.text .");

    g_assert_cmpuint(block.inputs, ==, 4);
    g_assert_cmpint(block.input[1].queue, ==, LINX_QUEUE_U);
    g_assert_cmpuint(block.input[1].distance, ==, 16);
    g_assert_true(block.input[1].reuse);
    g_assert_false(block.input[0].reuse);
    g_assert_cmpint(block.input[2].queue, ==, LINX_QUEUE_N);
    g_assert_cmpint(block.input[3].queue, ==, LINX_QUEUE_M);
    g_assert_cmpuint(block.outputs, ==, 3);
    g_assert_cmpuint(block.output[0].size, ==, 256 << 10);
    g_assert_cmpint(block.output[1].queue, ==, LINX_QUEUE_S);
    g_assert_cmpuint(block.output[2].size, ==, 0);

    good("c.bstart.mpar\n"
         "b.iot [t#1, t#2], ->t<256B>\nb.iot [t#1, t#2], ->t<256B>\n"
         "b.iot [t#1, t#2], ->t<256B>\n"
         "b.iot [t#1, t#2], last, ->t<256B>\nb.text .");
    bad("c.bstart.mpar\nb.iot [t#1, t#2]\nb.iot [t#1, t#2]\n"
        "b.iot [t#1, t#2]\nb.iot [t#1, t#2]\nb.iot [t#1], last\nb.text .",
        PARM, 22);
    bad("c.bstart.mpar\nb.iot [], ->t<256B>\nb.iot [], ->t<256B>\n"
        "b.iot [], ->t<256B>\nb.iot [], ->t<256B>\n"
        "b.iot [], last, ->t<256B>\nb.text .", PARM, 22);
}

static void test_tile_words(void)
{
    bad("c.bstart.mpar\nb.iot [t#1]\nb.text .", PARM, 6);
    bad("c.bstart.mpar\nb.iot [t#1], last\nb.iot [t#1], last\nb.text .",
        PARM, 6);
    bad("c.bstart.mpar\nb.iot [], last, ->q4<256B>\nb.text .", ILLEGAL, 2);
    bad("c.bstart.mpar\nb.iot [], last, ->q6<256B>\nb.text .", ILLEGAL, 2);
    bad("c.bstart.mpar\nb.iot [], last, ->t<128B>\nb.text .", PARM, 6);
    bad("c.bstart.mpar\nb.iot [], last, ->t<512KB>\nb.text .", PARM, 6);
    /* Scratch is the only output or the second. */
    good("c.bstart.mpar\nb.iot [], last, ->s<256B>\nb.text .");
    bad("c.bstart.mpar\nb.iot [], ->s<256B>\nb.iot [], last, ->t<256B>\n"
        "b.text .", ILLEGAL, 10);
    /* 512 KB of it: 2048 groups of 256 bytes. */
    good("c.bstart.mpar\nb.dim zero, 2048, ->lb1\n"
         "b.iot [], last, ->s<256B>\nb.text .");
    bad("c.bstart.mpar\nb.dim zero, 2049, ->lb1\n"
        "b.iot [], last, ->s<256B>\nb.text .", PARM, 10);
}

static void test_gprs(void)
{
    good("c.bstart.mpar\nb.ior [a0, a0, a0], [a1]\nb.ior [a0, a0, a0], [a2]\n"
         "b.ior [a0, a0, a0], [a3]\nb.ior [a0, a0, a0], [a4]\nb.text .");
    bad("c.bstart.mpar\nb.ior [a0, a0, a0], []\nb.ior [a0, a0, a0], []\n"
        "b.ior [a0, a0, a0], []\nb.ior [a0, a0, a0], []\nb.ior [a0], []\n"
        "b.text .", PARM, 22);
    bad("c.bstart.mpar\nb.ior [], [a0]\nb.ior [], [a1]\nb.ior [], [a2]\n"
        "b.ior [], [a3]\nb.ior [], [a4]\nb.text .", PARM, 22);
    bad("c.bstart.mpar\nb.ior [], [a0]\nb.ior [], [a0]\nb.text .",
        DOUBLE, 10);
}

/* Every other instruction with RO0 as its destination is none. */
static void test_only_reductions(void)
{
    unsigned reductions = 0;

    for (unsigned op = 0; op < LINX_OPS; op++) {
        const LinxFormat *format = &linx_formats[linx_rows[op].format];
        uint8_t bytes[LINX_MAX_BYTES];
        LinxInst inst = { .op = op }, back;
        unsigned size;

        if (linx_field_bits(format, LINX_F_RegDst) != 10) {
            continue;
        }
        inst.field[LINX_F_RegDst] = LINX_RO;
        size = linx_encode(&inst, bytes);
        if (linx_decode(bytes, size, &back)) {
            g_assert_true(g_str_has_prefix(linx_rows[op].name, "v.rd"));
            reductions++;
        }
    }
    g_assert_cmpuint(reductions, ==, 9);
}

static void test_in_and_out(void)
{
    bad("c.bstart.mpar\nb.ior [a1, a0], [a0]\nb.text .", ILLEGAL, 6);
    bad("c.bstart.mpar\nb.ior [], [a0]\nb.ior [a1, a2, a0], []\nb.text .",
        ILLEGAL, 10);
    good("c.bstart.mpar\nb.ior [a1, a2], [a0]\nb.text .");
}

static void test_tokens(void)
{
    const LinxBlock block = good("c.bstart.mpar\nb.iod [1, 8], [1]\n"
                                 "b.iod [3], []\nb.text .");

    g_assert_true(block.push_token);
    g_assert_cmphex(block.wait_tokens, ==, 1 << 1 | 1 << 8 | 1 << 3);
    bad("c.bstart.mpar\nb.iod [9], []\nb.text .", ILLEGAL, 2);
    bad("c.bstart.mpar\nb.iod [], [2]\nb.text .", ILLEGAL, 2);
}

static void test_trapno(void)
{
    const LinxTrap trap = { .number = LINX_E_BLOCK,
                            .cause = LINX_BLOCK_INVAL_PARM };

    g_assert_cmphex(linx_trapno(&trap), ==, 0x8000000000000204);
}

/* Any words: no more is read than there is, counts stay in their arrays. */
static void test_robust(void)
{
    uint64_t state = 3;

    for (unsigned i = 0; i < 20000; i++) {
        unsigned count = 2 + linx_random(&state) % 160;
        g_autofree uint8_t *bytes = g_malloc(count);
        LinxBlock block;
        LinxTrap trap;

        for (unsigned b = 0; b < count; b++) {
            bytes[b] = linx_random(&state);
        }
        for (unsigned b = 2; b + 4 <= count; b += 4) {
            static const uint8_t first[] = { 0x13, 0x13, 0x43, 0x13, 0x03 };

            bytes[b] = first[linx_random(&state) % (b < 40 ? 3 : 5)];
        }
        bytes[0] = 0xc0; /* C.BSTART.MPAR */
        bytes[1] = 0x08;
        if (linx_read_header(bytes, count, PC, gprs, &block, &trap)) {
            g_assert_cmpuint(block.inputs, <=, LINX_TILE_INPUTS);
            g_assert_cmpuint(block.gpr_inputs, <=, LINX_GPR_INPUTS);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/TB2/groups", test_groups);
    g_test_add_func("/linx/TB3/no-groups", test_no_groups);
    g_test_add_func("/linx/TB3/most-groups", test_most_groups);
    g_test_add_func("/linx/TB9/lanes", test_lanes);
    g_test_add_func("/linx/TB4/kinds", test_kinds);
    g_test_add_func("/linx/TB5/backups", test_backups);
    g_test_add_func("/linx/TB12/separate", test_separate);
    g_test_add_func("/linx/TB14/tiles", test_tiles);
    g_test_add_func("/linx/TB14/words", test_tile_words);
    g_test_add_func("/linx/TB15/gprs", test_gprs);
    g_test_add_func("/linx/TB16/only-reductions", test_only_reductions);
    g_test_add_func("/linx/TB17/in-and-out", test_in_and_out);
    g_test_add_func("/linx/header/tokens", test_tokens);
    g_test_add_func("/linx/header/trapno", test_trapno);
    g_test_add_func("/linx/header/robust", test_robust);
    return g_test_run();
}
