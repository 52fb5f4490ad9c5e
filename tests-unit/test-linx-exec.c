/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that run over plain memory: the programs that ran on the public
 * functional model, and rules of the memory block chapter, TB1 to TB34.
 */
#include <string.h>
#include "linx-data.h"
#include "target/linx/decode.h"
#include "target/linx/exec.h"
#include "tools/linx-asm.h"

enum {
    CODE = 0x10000,
    DATA = 0x20000,
    END = 0x30000,
};

typedef struct Machine {
    uint8_t memory[END - CODE];
    LinxState state;
    LinxRecord record;
} Machine;

static bool machine_read(void *opaque, uint64_t address, void *data,
                         size_t size)
{
    Machine *m = opaque;

    if (address < CODE || address > END - size) {
        return false;
    }
    memcpy(data, m->memory + (address - CODE), size);
    return true;
}

static bool machine_write(void *opaque, uint64_t address, const void *data,
                          size_t size)
{
    Machine *m = opaque;

    if (address < CODE || address > END - size) {
        return false;
    }
    memcpy(m->memory + (address - CODE), data, size);
    return true;
}

static Machine *machine_new(void)
{
    Machine *m = g_new0(Machine, 1);

    m->state.budget = 1000000;
    m->state.memory = (LinxMemory) { machine_read, machine_write, m };
    return m;
}

static void machine_free(Machine *m)
{
    linx_tiles_free(&m->state.tiles);
    g_free(m);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Machine, machine_free)

static uint32_t word(const Machine *m, unsigned at)
{
    uint32_t value;

    memcpy(&value, m->memory + (DATA - CODE) + at, 4);
    return value;
}

/* Assemble and run; blocks end in ACRC 1, R2 is DATA. */
static bool run(Machine *m, const char *blocks, const char *bodies)
{
    g_autofree char *source = g_strconcat(
        "bstart.std.fall .\nlui 32, ->a0\naddi zero, 5, ->a1\n", blocks,
        "\nbstart.sys.fall .\nacrc 1\nbstop\n", bodies, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source("blocks", source, &error);

    g_assert_no_error(error);
    memcpy(m->memory, code->data, code->len);
    linx_run(&m->state, CODE, &m->record);
    g_assert_false(m->record.out_of_budget);
    return !m->record.trapped;
}

static void check_trap(const Machine *m, unsigned number, unsigned cause)
{
    g_assert_true(m->record.trapped);
    g_assert_cmpuint(m->record.trap.number, ==, number);
    g_assert_cmpuint(m->record.trap.cause, ==, cause);
}

/* One block with a body and 64 lanes, RI0 = DATA, RI1 = 5, RO0 in a2. */
#define HEAD "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n" \
             "b.ior [a0, a1], [a2]\n"

static bool run_body(Machine *m, const char *body)
{
    g_autofree char *text = g_strconcat("body: ", body, "\nbstop\n", NULL);

    return run(m, HEAD "b.text body", text);
}

/* ---- programs ---- */

static Machine *run_program(const char *name)
{
    g_autoptr(GPtrArray) programs = linx_data("linx-programs.tsv");
    Machine *m = machine_new();

    for (unsigned i = 0; i < programs->len; i++) {
        char **row = g_ptr_array_index(programs, i);

        for (unsigned n = 0; !strcmp(row[0], name) && row[1][2 * n]; n++) {
            m->memory[n] = g_ascii_xdigit_value(row[1][2 * n]) << 4 |
                           g_ascii_xdigit_value(row[1][2 * n + 1]);
        }
    }
    g_assert_true(linx_run(&m->state, CODE, &m->record));
    g_assert_cmpuint(m->state.gpr[21], ==, 94);
    return m;
}

static void test_p1(void)
{
    g_autoptr(Machine) m = run_program("P1");
    const LinxTiles *tiles = &m->state.tiles;
    const LinxTile *tile = &tiles->slots[tiles->queue[0][0]];

    g_assert_cmpuint(m->state.gpr[4], ==, 8768);
    g_assert_cmpuint(tiles->count[0], ==, 1);
    g_assert_cmpuint(tile->size, ==, 512);
    for (unsigned i = 0; i < 128; i++) {
        uint32_t copy;

        memcpy(&copy, tile->data + 4 * i, 4);
        g_assert_cmpuint(word(m, 4 * i), ==, 3 * i + 5);
        g_assert_cmpuint(copy, ==, 3 * i + 5);
    }
}

static void check_p2(const char *name)
{
    g_autoptr(Machine) m = run_program(name);

    for (unsigned c2 = 0; c2 < 2; c2++) {
        for (unsigned c1 = 0; c1 < 3; c1++) {
            for (unsigned c0 = 0; c0 < 70; c0++) {
                g_assert_cmpuint(word(m, 4 * ((c2 * 3 + c1) * 70 + c0)), ==,
                                 c0 + (c1 << 8) + (c2 << 16));
            }
        }
    }
    g_assert_cmpuint(word(m, 4 * 420), ==, 0);
}

static void test_p2(void)
{
    check_p2("P2-md");
    check_p2("P2-rd");
}

static void test_p3(void)
{
    g_autoptr(Machine) m = run_program("P3");

    for (unsigned i = 0; i < 40; i++) {
        g_assert_cmpuint(word(m, 4 * i), ==, (i < 10 ? 100 : 200) + i);
    }
    g_assert_cmpuint(word(m, 160), ==, 0);
    g_assert_cmpuint(m->state.gpr[5], ==, 0);
}

static void test_p4(void)
{
    g_autoptr(Machine) m = run_program("P4");

    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(word(m, 4 * i), ==, 2 * (i + 7));
    }
    g_assert_cmpuint(word(m, 0x400), ==, 9856);
    g_assert_cmpuint(m->state.gpr[3], ==, 140);
    g_assert_cmpuint(m->state.gpr[4], ==, 9856);
}

/* ---- computations ---- */

typedef struct Sum {
    const char *instruction; /* of ri1 = 5 and t#1; the result goes to t */
    uint64_t left, expected; /* t#1, t */
} Sum;

static void test_sums(void)
{
    static const Sum sums[] = {
        { "l.sub ri1.ud, t#1.ud, ->t.d", 7, -2ull },
        { "l.sub ri1.ud, t#1.ud.neg<<2, ->t.d", 7, 33 },
        { "l.and ri1.ud, t#1.ud.not, ->t.d", 4, 1 },
        { "l.srl t#1.ud, ri1.ud, ->t.d", -32ull, ~0ull >> 5 },
        { "l.sra t#1.sd, ri1.ud, ->t.d", -33ull, -2ull },
        { "l.slli t#1.ud, 63, ->t.d", 3, 1ull << 63 },
        { "l.andi t#1.ud, -16, ->t.d", 0x1234, 0x1230 },
        { "l.cmp.lt t#1.sd, ri1.sd, ->t.d", -1ull, 1 },
        { "l.cmp.ltu t#1.sd, ri1.sd, ->t.d", -1ull, 0 },
        { "l.cmp.geui t#1.ud, 4095, ->t.d", 4095, 1 },
        { "l.cmp.and t#1.ud, ri1.ud, ->t.d", 2, 0 },
        { "l.cmp.or t#1.ud, zero.ud, ->t.d", 2, 1 },
        { "l.mul t#1.sd, ri1.sd, ->t.d", -3ull, -15ull },
        { "l.madd t#1.ud, ri1.ud, ri1.ud, ->t.d", 3, 20 },
        { "l.div t#1.sd, ri1.sd, ->t.d", -12ull, -2ull },
        { "l.div t#1.ud, zero.ud, ->t.d", 12, ~0ull },
        { "l.rem t#1.sd, ri1.sd, ->t.d", -12ull, -2ull },
        { "l.rem t#1.ud, zero.ud, ->t.d", 12, 12 },
        { "l.div ri1.sd, t#1.sd, ->t.d", -1ull, -5ull },
        { "l.max t#1.sd, ri1.sd, ->t.d", -9ull, 5 },
        { "l.max t#1.ud, ri1.ud, ->t.d", -9ull, -9ull },
        { "l.bxs t#1.ud, 4, 8, ->t.d", 0xf80, -8ull },
        { "l.bxu t#1.ud, 60, 8, ->t.d", 0xa00000000000000bull, 0xba },
        { "l.bic t#1.ud, 62, 4, ->t.d", ~0ull, ~0ull >> 2 & ~3ull },
        { "l.bis t#1.ud, 8, 4, ->t.d", 1, 0xf01 },
        { "l.ctz t#1.ud, 4, 8, ->t.d", 0x400, 6 },
        { "l.ctz t#1.ud, 4, 8, ->t.d", 0x8, 8 },
        { "l.clz t#1.ud, 0, 8, ->t.d", 0x10, 3 },
        { "l.bcnt t#1.ud, 0, 64, ->t.d", ~0ull, 64 },
        { "l.rev t#1.ud, 64, 8, ->t.d", 0x0102030405060708,
          0x0807060504030201 },
        { "l.rev t#1.ud, 8, 4, ->t.d", 0x1234, 0x2143 },
        { "l.csel ri1.ud, zero.ud, t#1.ud, ->t.d", 1, 5 },
        { "l.csel ri1.ud, zero.ud, t#1.ud, ->t.d", 0, 0 },
        { "addw t#1, t#1, ->t", 0x7fffffff, -2ull },
        { "srliw t#1, 4, ->t", 0xf00000080, 8 },
        { "sub zero, t#1.sw<<1, ->t", 0xffffffff, 2 },
        { "divw t#1, zero, ->t", 3, ~0ull },
        { "remuw t#1, zero, ->t", 0x80000000, 0xffffffff80000000 },
        { "xori t#1, -1, ->t", 0, ~0ull },
        { "mulw t#1, t#1, ->t", 0x10001, 0x20001 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(sums); i++) {
        g_autoptr(Machine) m = machine_new();
        g_autofree char *body = g_strdup_printf(
            "l.ldi [ri0.ud, 0], ->t.d\n%s\nl.sdi t#1.ud, [ri0.ud, 8]",
            sums[i].instruction);
        uint64_t result;

        memcpy(m->memory + DATA - CODE, &sums[i].left, 8);
        g_assert_true(run_body(m, body));
        memcpy(&result, m->memory + DATA - CODE + 8, 8);
        if (result != sums[i].expected) {
            g_test_message("%s: %" G_GINT64_MODIFIER "x",
                           sums[i].instruction, result);
            g_test_fail();
        }
    }
}

/* ---- rules ---- */

/* Loads, stores, moves, and a tile in between. */
static void test_moves(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run(m, "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n"
                      "b.ior [a0], []\nb.iot [], last, ->t<256B>\n"
                      "b.text fill\n"
                      "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n"
                      "b.ior [a0], []\nb.iot [t#1], last\nb.text empty",
                      "fill: v.sw.local lc0.uh, [to.ud, lc0.uh<<2]\nbstop\n"
                      "empty: v.lw.local [ta.ud, lc0.uh<<2], ->vt.w\n"
                      "v.mov vt#1.uw, ->vu.w\n"
                      "v.sw vu#1.uw, [ri0.ud, lc0.uh<<2]\nbstop\n"));
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(word(m, 4 * i), ==, i);
    }
    /* The tile is released: no block can name it again. */
    g_assert_false(run(m, "bstart.mpar vs16\nb.iot [t#1], last\nb.text .",
                       ""));
    check_trap(m, LINX_E_BLOCK, LINX_BLOCK_INVAL_GET);
    g_assert_false(m->record.in_body);
}

/* P masks lanes: results 0, no access; bits of dead lanes stay 0. */
static void test_mask(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run(m, "bstart.mpar vs16\nb.dim zero, 40, ->lb0\n"
                      "b.ior [a0], []\nb.text body",
                      "body: v.sdi p.ud, [ri0.ud, 0x100]\n"
                      "l.addi zero.ud, 0x555, ->p.d\n"
                      "v.addi lc0.uh, 1, ->vt.w\n"
                      "v.sb vt#1.reuse.uw, [ri0.ud, lc0.uh]\n"
                      "l.xori zero.ud, -1, ->p.d\n"
                      "v.sdi p.ud, [ri0.ud, 0x108]\n"
                      "v.sb vt#1.uw, [ri0.ud, lc0.uh]\nbstop\n"));
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(m->memory[DATA - CODE + i], ==,
                         i < 12 && 0x555 >> i & 1 ? i + 1 : 0);
    }
    /* SD of P is a vector store: all lanes store the same. */
    g_assert_cmphex(word(m, 0x100), ==, 0xffffffff);
    g_assert_cmphex(word(m, 0x104), ==, 0xff);
    g_assert_cmphex(word(m, 0x108), ==, 0xffffffff);
    g_assert_cmphex(word(m, 0x10c), ==, 0xff);
}

/* PSEL merges by a scalar mask. */
static void test_select(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run_body(m, "l.addi zero.ud, 0x55, ->t.d\n"
                           "v.psel lc0.uh, ri1.ud, t#1.ud, ->vt.w\n"
                           "v.sw vt#1.uw, [ri0.ud, lc0.uh<<2]"));
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(word(m, 4 * i), ==,
                         i < 8 && 0x55 >> i & 1 ? i : 5);
    }
}

static void test_shuffles(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run_body(m, "v.addi lc0.uh, 100, ->vt.w\n"
                           "v.shfli.up vt#1.reuse.uw, zero.ud, 3, ->vu.w\n"
                           "v.shfli.down vt#1.reuse.uw, zero.ud, 3, ->vm.w\n"
                           "v.shfli.bfly vt#1.uw, 5, ->vn.w\n"
                           "v.sw vu#1.uw, [ri0.ud, lc0.uh<<2]\n"
                           "v.addi lc0.uh, 64, ->vt.w\n"
                           "v.sw vm#1.uw, [ri0.ud, vt#1.uw<<2]\n"
                           "v.addi lc0.uh, 128, ->vt.w\n"
                           "v.sw vn#1.uw, [ri0.ud, vt#1.uw<<2]"));
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(word(m, 4 * i), ==, 100 + (i < 3 ? i : i - 3));
        g_assert_cmpuint(word(m, 256 + 4 * i), ==,
                         100 + (i > 60 ? i : i + 3));
        g_assert_cmpuint(word(m, 512 + 4 * i), ==, 100 + (i ^ 5));
    }
}

static void test_lanenum(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run_body(m, "ssrget 0x24, ->t\n"
                           "l.sdi t#1.ud, [ri0.ud, 0]"));
    g_assert_cmpuint(1u << (word(m, 0) & 63), ==, 64);
}

/* Groups branch on their own: 3 groups, of which the second jumps. */
static void test_branches(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run(m, "bstart.mpar vs16\nb.dim zero, 3, ->lb1\n"
                      "b.ior [a0], []\nb.text body",
                      "body: l.addi lc1.uh, 0, ->t.d\n"
                      "l.addi zero.ud, 1, ->u.d\n"
                      "b.eq t#1, u#1, out\n"
                      "v.addi lc1.uh, 7, ->vt.w\n"
                      "v.sw vt#1.uw, [ri0.ud, lc1.uh<<2]\n"
                      "out: bstop\n"));
    g_assert_cmpuint(word(m, 0), ==, 7);
    g_assert_cmpuint(word(m, 4), ==, 0);
    g_assert_cmpuint(word(m, 8), ==, 9);
}

/* Reductions go on from the GGPR's value, group by group. */
static void test_reductions(void)
{
    g_autoptr(Machine) m = machine_new();

    m->state.gpr[4] = 1000;
    g_assert_true(run(m, "bstart.mpar vs16\nb.dim zero, 100, ->lb0\n"
                      "b.ior [], [a2]\nb.text body",
                      "body: v.addi lc0.uh, 0, ->vt.w\n"
                      "v.rdadd vt#1.uw, ->ro0.d\nbstop\n"));
    g_assert_cmpuint(m->state.gpr[4], ==, 1000 + 4950);
    g_assert_false(run_body(m, "v.addi lc0.uh, 0, ->vt.w\n"
                            "v.rdadd vt#1.uw, ->ro1.d"));
    check_trap(m, LINX_E_BLOCK, LINX_BLOCK_INVAL_SET);
}

/* ---- what traps ---- */

typedef struct Trapping {
    const char *body;
    unsigned number, cause;
} Trapping;

static void test_illegal(void)
{
    static const Trapping bodies[] = {
        { "fence.d 0, 0", LINX_E_INST, LINX_INST_ILLEGAL },
        { "fence.i", LINX_E_INST, LINX_INST_ILLEGAL },
        { "addi a0, 1, ->t", LINX_E_INST, LINX_INST_ILLEGAL },
        { "addi zero, 1, ->a0", LINX_E_INST, LINX_INST_ILLEGAL },
        { "c.b.dimi 1, ->lb0", LINX_E_INST, LINX_INST_ILLEGAL },
        { ".half 0xe, 0, 0", LINX_E_INST, LINX_INST_ILLEGAL },
        { "setret 0", LINX_E_INST, LINX_INST_ILLEGAL },
        { "ssrset zero, 0x24", LINX_E_INST, 4 },
        { "ssrget 0x25, ->t", LINX_E_INST, LINX_INST_ILLEGAL },
        { "v.add vt#1.ud, vt#1.ud, ->vt.d", LINX_E_BLOCK,
          LINX_BLOCK_INVAL_GET },
        { "l.addi ri2.ud, 0, ->t.d", LINX_E_BLOCK, LINX_BLOCK_INVAL_GET },
        { "l.addi ta.ud, 0, ->t.d", LINX_E_BLOCK, LINX_BLOCK_INVAL_GET },
        { "l.addi to.ud, 0, ->t.d", LINX_E_BLOCK, LINX_BLOCK_INVAL_GET },
        { "v.addi lc0.uh, 0, ->vt.w\nv.addi vt#1.uh, 0, ->vt.w",
          LINX_E_INST, LINX_INST_ILLEGAL },
        { "v.addi lc0.uh, 0, ->vt.w\nv.addi vt#1.uw, 0, ->vu.w\n"
          "v.addi vt#1.uw, 0, ->vu.w", LINX_E_BLOCK, LINX_BLOCK_INVAL_GET },
        { "v.mul lc0.uh, lc0.sh, ->vt.w", LINX_E_INST, LINX_INST_ILLEGAL },
        { "v.ld [ri0.ud, zero.ud], ->vt.w", LINX_E_INST, LINX_INST_ILLEGAL },
        { "l.ldi [zero.ud, 8], ->t.d", LINX_E_DATA, LINX_DATA_LOAD_ACCESS },
        { "l.sdi zero.ud, [zero.ud, 8]", LINX_E_DATA,
          LINX_DATA_STORE_ACCESS },
        { "l.lw.add [zero.ud], zero.ud, ->t.d", LINX_E_DATA,
          LINX_DATA_LOAD_ACCESS },
        { "l.sd.max [zero.ud], zero.ud", LINX_E_DATA,
          LINX_DATA_STORE_ACCESS },
        { "l.addi ri0.ud, 2, ->t.d\nl.lw.add [t#1.ud], zero.ud, ->t.d",
          LINX_E_DATA, LINX_DATA_LOAD_MISALIGNED },
        { "l.addi ri0.ud, 2, ->t.d\nl.sw.add [t#1.ud], zero.ud",
          LINX_E_DATA, LINX_DATA_STORE_MISALIGNED },
        { "jr zero, 0", LINX_E_INST, LINX_INST_ACCESS },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autoptr(Machine) m = machine_new();

        m->state.gpr[4] = 77;
        g_test_message("%s", bodies[i].body);
        g_assert_false(run_body(m, bodies[i].body));
        check_trap(m, bodies[i].number, bodies[i].cause);
        g_assert_true(m->record.in_body);
        g_assert_cmpuint(m->state.gpr[4], ==, 77);
    }
}

static void test_vsize(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_false(run(m, "bstart.mpar vs8\nb.text body",
                       "body: v.addi lc0.uh, 0, ->vm.w\nbstop\n"));
    check_trap(m, LINX_E_INST, LINX_INST_PARAM);
}

/* VPAR and VSEQ have tiles only. */
static void test_vector_blocks(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_false(run(m, "bstart.vpar vs16\nb.ior [a0], []\nb.text body",
                       "body: v.lwi [ri0.ud, 0], ->vt.w\nbstop\n"));
    check_trap(m, LINX_E_INST, LINX_INST_ILLEGAL);
    g_assert_false(run(m, "bstart.vseq vs16\nb.ior [a0], []\nb.text body",
                       "body: v.sw.add [ri0.ud], zero.ud\nbstop\n"));
    check_trap(m, LINX_E_INST, LINX_INST_ILLEGAL);
}

static bool run_tiles(Machine *m, const char *body)
{
    g_autofree char *text = g_strconcat("fill: bstop\nbody: ", body,
                                        "\nbstop\n", NULL);

    return run(m, "bstart.mpar vs16\nb.iot [], last, ->t<256B>\n"
               "b.text fill\n"
               "bstart.mpar vs16\nb.ior [a0], []\n"
               "b.iot [t#1.reuse], last, ->u<512B>\nb.text body", text);
}

static void test_local_loads(void)
{
    static const char *const outside[] = {
        "l.ldi.local [ta.ud, 256], ->t.d", "l.ldi.local [ta.ud, -8], ->t.d",
        "l.ldi.u.local [ta.ud, 249], ->t.d",
        "l.ldi.local [to.ud, 512], ->t.d", "l.ldi.local [ri0.ud, 0], ->t.d",
        "l.ldi.local [zero.ud, 0], ->t.d",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(outside); i++) {
        g_autoptr(Machine) m = machine_new();

        g_assert_false(run_tiles(m, outside[i]));
        check_trap(m, LINX_E_DATA, LINX_DATA_RANGE);
    }
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Machine) m = machine_new();

        g_assert_true(run_tiles(m, i ? "l.ldi.local [to.ud, 504], ->t.d" :
                                "l.ldi.local [ta.ud, 248], ->t.d"));
    }
}

static void test_local_stores(void)
{
    g_autoptr(Machine) input = machine_new();
    g_autoptr(Machine) outside = machine_new();
    g_autoptr(Machine) last = machine_new();
    const LinxTiles *tiles = &last->state.tiles;

    g_assert_false(run_tiles(input, "l.sdi.local zero.ud, [ta.ud, 0]"));
    check_trap(input, LINX_E_DATA, LINX_DATA_RANGE);
    /* The block's output is gone, its input still there. */
    g_assert_cmpuint(input->state.tiles.count[LINX_QUEUE_T], ==, 1);
    g_assert_cmpuint(input->state.tiles.count[LINX_QUEUE_U], ==, 0);
    g_assert_false(run_tiles(outside, "l.sdi.local zero.ud, [to.ud, 512]"));
    check_trap(outside, LINX_E_DATA, LINX_DATA_RANGE);
    g_assert_true(run_tiles(last, "l.sbi.local lb0.uh, [to.ud, 511]"));
    g_assert_cmpuint(tiles->slots[tiles->queue[LINX_QUEUE_U][0]].data[511],
                     ==, 1);
}

/* MSEQ: each group sees what the ones before it have stored. */
static void test_group_order(void)
{
    g_autoptr(Machine) m = machine_new();

    g_assert_true(run(m, "bstart.mseq vs16\nb.dim zero, 50, ->lb1\n"
                      "b.ior [a0], []\nb.text body",
                      "body: l.lwi [ri0.ud, 0], ->t.w\n"
                      "l.slli t#1.uw, 1, ->t.d\n"
                      "l.add t#1.ud, lc1.uh, ->t.d\n"
                      "l.rem t#1.ud, lb1.uh, ->t.d\n"
                      "l.swi t#1.ud, [ri0.ud, 0]\nbstop\n"));
    {
        unsigned expected = 0;

        for (unsigned g = 0; g < 50; g++) {
            expected = (2 * expected + g) % 50;
        }
        g_assert_cmpuint(word(m, 0), ==, expected);
    }
}

/* What was stored before a fault stays; nothing else is seen. */
static void test_fault(void)
{
    g_autoptr(Machine) m = machine_new();

    m->state.gpr[4] = 1;
    g_assert_false(run(m, "bstart.mseq vs16\nb.dim zero, 3, ->lb1\n"
                       "b.ior [a0], [a2]\nb.iot [], last, ->t<256B>\n"
                       "here: b.text body",
                       "body: v.addi lc1.uh, 1, ->vt.w\n"
                       "v.rdadd vt#1.reuse.uw, ->ro0.d\n"
                       "v.sw vt#1.uw, [ri0.ud, lc1.uh<<2]\n"
                       "l.addi lc1.uh, 0, ->t.d\n"
                       "l.sd.local zero.ud, [to.ud, t#1.ud<<8]\nbstop\n"));
    check_trap(m, LINX_E_DATA, LINX_DATA_RANGE);
    g_assert_cmpuint(m->record.group, ==, 1);
    g_assert_cmphex(m->record.arg & 0xfffff, ==, 256);
    g_assert_cmphex(m->record.bpc, ==, CODE + 12);
    g_assert_cmphex(m->record.next, ==, CODE + 32);
    g_assert_cmphex(m->record.trap.pc, ==, CODE + 32 + 12 + 32);
    g_assert_cmpuint(word(m, 0), ==, 1);
    g_assert_cmpuint(word(m, 4), ==, 2);
    g_assert_cmpuint(word(m, 8), ==, 0);
    g_assert_cmpuint(m->state.gpr[4], ==, 1);
    g_assert_cmpuint(m->state.tiles.count[LINX_QUEUE_T], ==, 0);
}

/* BSTOP in any length and the start of a block end a body. */
static void test_ends(void)
{
    static const char *const ends[] = {
        "bstop", "c.bstop", "l.bstop", "c.bstart.mpar", "bstart.std.fall .",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(Machine) m = machine_new();
        g_autofree char *body = g_strconcat(ends[i], "\naddi a0, 1, ->t",
                                            NULL);

        g_assert_true(run_body(m, body));
    }
}

static void test_budget(void)
{
    g_autoptr(Machine) m = machine_new();
    g_autoptr(GByteArray) code = linx_asm_source(
        "x", "c.bstart.mpar\nb.text body\nbody: j body\n", NULL);

    memcpy(m->memory, code->data, code->len);
    m->state.budget = 1000;
    g_assert_false(linx_run(&m->state, CODE, &m->record));
    g_assert_true(m->record.out_of_budget);
    g_assert_false(m->record.trapped);
}

/* A random instruction that is one, of those that bodies have. */
static unsigned random_instruction(uint64_t *state, uint8_t bytes[8])
{
    for (;;) {
        const LinxRow *row = &linx_rows[linx_random(state) % LINX_OPS];
        uint64_t fields = linx_random(state) & linx_random(state);
        LinxInst inst;

        linx_put_word(row->match | (fields & ~row->mask), bytes);
        if (row->group >= LINX_G_V_ARITH && row->bits >= 32 &&
            linx_decode(bytes, row->bits / 8, &inst)) {
            return row->bits / 8;
        }
    }
}

/*
 * Random bodies behind a good beginning: they end or trap or are stopped, and
 * a sanitizer sees what they touch.
 */
static void test_robust(void)
{
    g_autoptr(GByteArray) start = linx_asm_source(
        "x", "bstart.mseq vs16\nb.dim zero, 70, ->lb0\nb.iot [], ->t<256B>\n"
        "b.ior [a0, a1], [a2]\nb.iot [], last, ->s<256B>\nb.text body\n"
        "bstart.sys.fall .\nacrc 1\nbody: v.addi lc0.uh, 0, ->vt.d\n"
        "v.addi lc0.uh, 9, ->vu.d\nl.addi ri0.ud, 0, ->t.d\n"
        "l.addi to.ud, 0, ->u.d\n", NULL);
    unsigned traps = 0, ends = 0;
    uint64_t state = 4;

    for (unsigned i = 0; i < 20000; i++) {
        g_autoptr(Machine) m = machine_new();
        unsigned at = start->len;

        memcpy(m->memory, start->data, start->len);
        for (unsigned n = linx_random(&state) % 6; n < 6; n++) {
            uint8_t bytes[8];
            unsigned size = random_instruction(&state, bytes);

            memcpy(m->memory + at, bytes, size);
            at += size;
        }
        m->memory[at] = 1; /* BSTOP */
        m->state.gpr[2] = DATA;
        m->state.budget = 300;
        ends += linx_run(&m->state, CODE, &m->record);
        traps += m->record.trapped;
    }
    /* Neither all of them nor none. */
    g_test_message("%u ends, %u traps", ends, traps);
    g_assert_cmpuint(ends, >, 100);
    g_assert_cmpuint(traps, >, 1000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/program/P1", test_p1);
    g_test_add_func("/linx/program/P2", test_p2);
    g_test_add_func("/linx/program/P3", test_p3);
    g_test_add_func("/linx/program/P4", test_p4);
    g_test_add_func("/linx/exec/sums", test_sums);
    g_test_add_func("/linx/TB1/moves", test_moves);
    g_test_add_func("/linx/TB7/mask", test_mask);
    g_test_add_func("/linx/TB7/select", test_select);
    g_test_add_func("/linx/TB8/shuffles", test_shuffles);
    g_test_add_func("/linx/TB10/lanenum", test_lanenum);
    g_test_add_func("/linx/TB11/branches", test_branches);
    g_test_add_func("/linx/TB16/reductions", test_reductions);
    g_test_add_func("/linx/TB31/illegal", test_illegal);
    g_test_add_func("/linx/exec/vsize", test_vsize);
    g_test_add_func("/linx/exec/vector-blocks", test_vector_blocks);
    g_test_add_func("/linx/TB18/local-loads", test_local_loads);
    g_test_add_func("/linx/TB19/local-stores", test_local_stores);
    g_test_add_func("/linx/TB28/group-order", test_group_order);
    g_test_add_func("/linx/TB33/fault", test_fault);
    g_test_add_func("/linx/exec/ends", test_ends);
    g_test_add_func("/linx/exec/robust", test_robust);
    g_test_add_func("/linx/exec/budget", test_budget);
    return g_test_run();
}
