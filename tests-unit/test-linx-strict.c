/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hazards=strict in LinxISA blocks: what the memory block chapter leaves open
 * is reported, what it allows is not.
 */
#include <string.h>
#include "linx-machine.h"

/* Two groups of 64 lanes; ri0 is a buffer, to and ts are tiles. */
#define START(kind) \
    "bstart." kind " vs16\nb.dim zero, 128, ->lb0\n" \
    "b.ior [a0, a1], []\nb.iot [], ->t<1KB>\nb.iot [], last, ->s<256B>\n"
#define MPAR START("mpar") "b.text body\n"
#define MSEQ START("mseq") "b.text body\n"
#define END "bstart.sys.fall .\nacrc 1\nbstop\n"
/* vt#1: numbers of lanes, the same in both groups. */
#define LANES "v.andi lc0.uh, 63, ->vt.d\n"

typedef struct Case {
    const char *blocks, *body;
    TesseraHazard kind; /* of the only report; 0: there is none */
    uint64_t lanes;     /* of group 1 that are reported */
    unsigned other_lane;
} Case;

static LinxMachine *run_case(const Case *c, unsigned workers)
{
    g_autofree char *source = g_strconcat(c->blocks, END, "body: ", c->body,
                                          "\nbstop\n", NULL);
    LinxMachine *m = linx_machine_new();

    linx_machine_strict(m);
    m->workers = workers;
    linx_machine_buffer(m, LINX_A0, 2048);
    m->state.gpr[LINX_A1] = 7;
    linx_machine_source(m, "blocks", source);
    g_assert_true(linx_machine_run(m));
    return m;
}

static void check_case(const Case *c, unsigned workers)
{
    g_autoptr(LinxMachine) m = run_case(c, workers);

    g_test_message("%u workers: %s%s", workers, c->blocks, c->body);
    g_assert_cmpuint(m->clashes->len, ==, c->kind != 0);
    if (c->kind) {
        const LinxClash *clash = &g_array_index(m->clashes, LinxClash, 0);

        g_assert_cmpuint(clash->kind, ==, c->kind);
        g_assert_cmphex(clash->lanes, ==, c->lanes);
        g_assert_cmpuint(clash->other_lane, ==, c->other_lane);
        g_assert_cmpuint(clash->other_group, ==, 0);
    }
}

static void check_cases(const Case *cases, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        check_case(&cases[i], 0);
        check_case(&cases[i], 1);
    }
}
#define CHECK_CASES(cases) check_cases(cases, G_N_ELEMENTS(cases))

#define ALL UINT64_MAX
#define OVERLAP TESSERA_HAZARD_OVERLAP
#define SCALAR TESSERA_HAZARD_SCALAR
#define TILE TESSERA_HAZARD_TILE

#define STORE_LOCAL LANES "v.sw.local vt#1.ud, [to.ud, vt#1.ud<<2]"
#define STORE LANES "v.sw vt#1.ud, [ri0.ud, vt#1.ud<<2]"

/* ---- tiles ---- */

static void test_parallel_local(void)
{
    static const Case cases[] = {
        { MPAR, STORE_LOCAL, OVERLAP, ALL, 0 },
        /* Bytes that are not the same do not meet. */
        { MPAR, "v.andi lc0.uh, 63, ->vt.w\nv.srli lc0.uh, 6, ->vu.w\n"
          "v.add vu#1.uw, vt#1.reuse.uw<<1, ->vu.w\n"
          "v.sb.local vt#1.uw, [to.ud, vu#1.uw]", 0, 0, 0 },
        /* Group 1 loads what group 0 has stored, from lane 63's half. */
        { MPAR, "v.swi.local.c lc0.uh, [to.ud, 0]\n"
          "v.subi lc0.uh, 1, ->vt.w\nv.cmp.ne lc0.uh, zero.ud, ->p.d\n"
          "v.lw.local [to.ud, vt#1.sw<<2], ->vt.w", OVERLAP, 1, 63 },
        /* What it has stored itself. */
        { MPAR, "v.addi lc0.uh, 0, ->vt.w\n"
          "v.sw.local vt#1.reuse.uw, [to.ud, vt#1.reuse.uw<<2]\n"
          "v.lw.local [to.ud, vt#1.uw<<2], ->vt.w", 0, 0, 0 },
        /* Scratch is each group's own. */
        { MPAR, LANES "v.sw.local vt#1.reuse.ud, [to1.ud, vt#1.reuse.ud<<2]"
          "\nv.lw.local [to1.ud, vt#1.ud<<2], ->vt.w", 0, 0, 0 },
    };

    CHECK_CASES(cases);
}

/* Where it is told: block, instructions, groups and addresses. */
static void test_report(void)
{
    const Case c = { "bstart.std.fall .\n" MPAR, STORE_LOCAL, 0, 0, 0 };
    g_autoptr(LinxMachine) m = run_case(&c, 1);
    const LinxClash *clash = &g_array_index(m->clashes, LinxClash, 0);

    g_assert_cmpuint(m->clashes->len, ==, 1);
    g_assert_cmphex(clash->block, ==, 0x10004);
    g_assert_cmphex(clash->address % LINX_TILE_STEP, ==, 0);
    g_assert_cmphex(clash->other_pc, ==, 0x10004 + 6 * 4 + 12 + 8);
    g_assert_cmpuint(clash->other_group, ==, 0);
}

/* Within a group, addresses keep their order. */
static void test_one_group(void)
{
    static const Case cases[] = {
        { "bstart.mpar vs16\nb.dim zero, 64, ->lb0\nb.ior [a0], []\n"
          "b.iot [], last, ->t<1KB>\nb.text body\n",
          "v.addi zero.ud, 0, ->vt.d\n"
          "v.sd.local lc0.uh, [to.ud, vt#1.reuse.ud<<3]\n"
          "v.ld.local [to.ud, vt#1.reuse.ud], ->vu.d\n"
          "v.sd vu#1.reuse.ud, [ri0.ud, vt#1.reuse.ud<<3]\n"
          "v.sd vu#1.ud, [ri0.ud, vt#1.ud<<3]\n"
          "v.ldi [ri0.ud, 0], ->vu.d", 0, 0, 0 },
    };

    CHECK_CASES(cases);
}

static void test_serial_local(void)
{
    static const Case cases[] = {
        { MSEQ, STORE_LOCAL, 0, 0, 0 },
        { MSEQ, "v.swi.local.c lc0.uh, [to.ud, 0]\n"
          "v.subi lc0.uh, 1, ->vt.w\nv.cmp.ne lc0.uh, zero.ud, ->p.d\n"
          "v.lw.local [to.ud, vt#1.sw<<2], ->vt.w", 0, 0, 0 },
    };

    CHECK_CASES(cases);
}

/* A tile is read before its block has committed. */
static void test_early(void)
{
    /* Lane l of group 0 stores word l; it loads word l + 1. */
    static const char early[] =
        "v.swi.local.c lc0.uh, [to.ud, 0]\n"
        "v.addi lc0.uh, 1, ->vt.w\nv.cmp.lti lc0.uh, 64, ->p.d\n"
        "v.lw.local [to.ud, vt#1.uw<<2], ->vt.w";
    static const Case cases[] = {
        { MSEQ, early, TILE, 1ull << 63, 0 },
        { MSEQ, "v.ldi.local [to1.ud, 8], ->vt.d", 0, 0, 0 },
    };
    g_autoptr(LinxMachine) m = NULL;
    const LinxClash *clash;

    check_case(&cases[0], 0);
    check_case(&cases[0], 1);
    /* Each group's scratch has not been stored to either. */
    m = run_case(&cases[1], 0);
    g_assert_cmpuint(m->clashes->len, ==, 2);
    clash = &g_array_index(m->clashes, LinxClash, 1);
    g_assert_cmpuint(clash->kind, ==, TILE);
    g_assert_cmphex(clash->address % LINX_TILE_STEP, ==, 256 + 8);
    g_assert_cmpuint(clash->other_pc, ==, 0);
}

/* Inputs are there, and may be read by all. */
static void test_inputs(void)
{
    static const Case cases[] = {
        { "bstart.mpar vs16\nb.dim zero, 128, ->lb0\n"
          "b.iot [], last, ->t<512B>\nb.text fill\n"
          "bstart.mpar vs16\nb.dim zero, 128, ->lb0\nb.iot [t#1], last\n"
          "b.text body\nbstart.sys.fall .\nacrc 1\n"
          "fill: v.swi.local.c lc0.uh, [to.ud, 0]\nbstop\n",
          LANES "v.lw.local [ta.ud, vt#1.ud<<2], ->vt.w", 0, 0, 0 },
    };

    CHECK_CASES(cases);
}

/* ---- memory ---- */

static void test_parallel_global(void)
{
    static const Case cases[] = {
        { MPAR, STORE, OVERLAP, ALL, 0 },
        { MPAR, LANES "v.lw [ri0.ud, vt#1.ud<<2], ->vt.w", 0, 0, 0 },
        { MPAR, "v.swi.c lc0.uh, [ri0.ud, 0]\n"
          "v.subi lc0.uh, 1, ->vt.w\nv.cmp.ne lc0.uh, zero.ud, ->p.d\n"
          "v.lw [ri0.ud, vt#1.sw<<2], ->vt.w", OVERLAP, 1, 63 },
        /* Not aligned: bytes of one doubleword, but not the same. */
        { MPAR, "v.slli lc0.uh, 3, ->vt.w\nv.addi vt#1.uw, 4, ->vt.w\n"
          "v.sd.u lc0.uh, [ri0.ud, vt#1.uw]", 0, 0, 0 },
        { MPAR, "v.slli lc0.uh, 2, ->vt.w\n"
          "v.sh.u lc0.uh, [ri0.ud, vt#1.reuse.uw]\n"
          "v.subi vt#1.uw, 1, ->vt.w\nv.cmp.nei lc0.uh, 0, ->p.d\n"
          "v.sh.u lc0.uh, [ri0.ud, vt#1.uw]", 0, 0, 0 },
        { MPAR, "v.slli lc0.uh, 2, ->vt.w\n"
          "v.sw lc0.uh, [ri0.ud, lc0.uh<<2]\n"
          "v.subi vt#1.uw, 1, ->vt.w\nv.cmp.nei lc0.uh, 0, ->p.d\n"
          "v.sh.u lc0.uh, [ri0.ud, vt#1.uw]", OVERLAP, 1, 63 },
        { MPAR, "l.sdi ri1.ud, [ri0.ud, 16]", OVERLAP, 1, 0 },
        /* A bridge move, from memory to each group's own scratch and back. */
        { MPAR, "v.lwi.brg [ri0.ud, 0], ->t.d\n" LANES
          "v.sw.brg.local t#1.ud, [to1.ud, vt#1.ud<<2]", 0, 0, 0 },
        { MPAR, LANES "v.sw.local vt#1.reuse.ud, [to1.ud, vt#1.reuse.ud<<2]\n"
          "v.lw.brg.local [to1.ud, vt#1.reuse.ud<<2], ->t.d\n"
          "v.sw.brg t#1.ud, [ri0.ud, vt#1.ud<<2]", OVERLAP, ALL, 0 },
    };

    CHECK_CASES(cases);
}

static void test_serial_global(void)
{
    static const Case cases[] = {
        { MSEQ, STORE, 0, 0, 0 },
        { MSEQ, "l.ldi [ri0.ud, 0], ->t.d\nl.addi t#1.ud, 1, ->t.d\n"
          "l.sdi t#1.ud, [ri0.ud, 0]", 0, 0, 0 },
    };

    CHECK_CASES(cases);
}

static void test_atomics(void)
{
    static const Case cases[] = {
        { MPAR, "v.addi ri0.ud, 0, ->vt.d\nv.sw.add [vt#1.ud], ri1.ud", 0, 0,
          0 },
        { MPAR, "l.lw.add [ri0.ud], ri1.ud, ->t.d", 0, 0, 0 },
        /* A load of what other groups add to is none of them. */
        { MPAR, "l.sw.add [ri0.ud], ri1.ud\nv.addi lc0.uh, 0, ->vt.w\n"
          "v.cmp.eqi lc0.uh, 64, ->p.d\nv.lwi [ri0.ud, 0], ->vt.w", OVERLAP,
          1, 0 },
    };

    CHECK_CASES(cases);
}

/* ---- scalar code ---- */

#define SCALAR_STORE "bstart.std.fall .\nsdi a1, [a0, 0]\n"
#define SCALAR_LOAD "bstart.std.fall .\nldi [a0, 0], ->a2\n"
#define SYNC "bstart.sys.fall .\nbstop\n"
#define STORE_FIRST "v.cmp.eqi lc0.uh, 0, ->p.d\nv.swi lc0.uh, [ri0.ud, 4]"
#define LOAD_FIRST "v.cmp.eqi lc0.uh, 0, ->p.d\nv.lbui [ri0.ud, 7], ->vt.w"

static void test_scalar(void)
{
    static const Case cases[] = {
        { SCALAR_STORE MPAR, LOAD_FIRST, SCALAR, 1, 0 },
        { SCALAR_STORE MSEQ, LOAD_FIRST, SCALAR, 1, 0 },
        { SCALAR_STORE MPAR, STORE_FIRST, SCALAR, 1, 0 },
        { SCALAR_LOAD MPAR, STORE_FIRST, SCALAR, 1, 0 },
        { SCALAR_LOAD MPAR, LOAD_FIRST, 0, 0, 0 },
        { MPAR SCALAR_LOAD, STORE_FIRST, SCALAR, 1, 0 },
        { MSEQ SCALAR_STORE, LOAD_FIRST, SCALAR, 1, 0 },
        { MPAR SCALAR_LOAD, LOAD_FIRST, 0, 0, 0 },
        /* A system block in between, release and acquire order them. */
        { SCALAR_STORE SYNC MPAR, LOAD_FIRST, 0, 0, 0 },
        { MPAR SYNC SCALAR_LOAD, STORE_FIRST, 0, 0, 0 },
        { SCALAR_STORE START("mpar") "b.catr.rl\nb.text body\n", LOAD_FIRST,
          0, 0, 0 },
        { SCALAR_STORE START("mpar") "b.catr.aq\nb.text body\n", LOAD_FIRST,
          SCALAR, 1, 0 },
        { START("mpar") "b.catr.aq\nb.text body\n" SCALAR_LOAD, STORE_FIRST,
          0, 0, 0 },
        { START("mpar") "b.catr.rl\nb.text body\n" SCALAR_LOAD, STORE_FIRST,
          SCALAR, 1, 0 },
        /* Blocks among themselves are ordered. */
        { MPAR MPAR, STORE_FIRST, 0, 0, 0 },
        { SCALAR_STORE SCALAR_LOAD MPAR, "v.addi zero.ud, 0, ->vt.w", 0, 0,
          0 },
    };

    CHECK_CASES(cases);
}

/* ---- many workers ---- */

#define MANY "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n" \
             "b.dim zero, 100, ->lb1\nb.ior [a0, a1], []\n" \
             "b.iot [], last, ->t<1KB>\nb.text body\n"

/* Whoever comes first: all that meet are told, and nobody else is. */
static void test_workers(void)
{
    static const Case meeting[] = {
        { MANY, STORE, OVERLAP, 0, 0 },
        { MANY, STORE_LOCAL, OVERLAP, 0, 0 },
    };
    static const Case apart = {
        MANY, "l.slli lc1.uh, 3, ->t.d\nl.add t#1.ud, ri0.ud, ->t.d\n"
        "l.sdi t#1.ud, [t#1.ud, 0]\nl.ldi [t#1.ud, 0], ->t.d", 0, 0, 0
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(meeting); i++) {
        g_autoptr(LinxMachine) m = run_case(&meeting[i], 4);

        g_assert_cmpuint(m->clashes->len, ==, 99);
        for (unsigned n = 0; n < m->clashes->len; n++) {
            const LinxClash *clash = &g_array_index(m->clashes, LinxClash, n);

            g_assert_cmpuint(clash->kind, ==, OVERLAP);
            g_assert_cmphex(clash->lanes, ==, ALL);
            g_assert_cmpuint(clash->other_group, <, 100);
        }
    }
    check_case(&apart, 4);
}

/* ---- how much is remembered ---- */

static void test_bounded(void)
{
    LinxOverlap *o = linx_overlap_new();
    LinxBlock block = { .kind = LINX_MPAR };
    LinxBound bound = { 0 };
    uint64_t address[LINX_LANES];
    LinxTouch touch = {
        .kind = LINX_TOUCH_STORE, .bytes = 8, .lanes = ALL,
        .address = address,
    };
    LinxClash clash;
    unsigned told = 0;

    linx_overlap_begin(o, &block, &bound);
    for (unsigned n = 0; n < LINX_OVERLAP_MAX / LINX_LANES + 10; n++) {
        for (unsigned i = 0; i < LINX_LANES; i++) {
            address[i] = (n * LINX_LANES + i) * 8ull;
        }
        if (linx_overlap_touch(o, &touch, &clash)) {
            g_assert_cmpuint(clash.kind, ==, TESSERA_HAZARD_UNCHECKED);
            g_assert_cmpuint(clash.address, ==, LINX_OVERLAP_MAX * 8ull);
            told++;
        }
    }
    g_assert_cmpuint(told, ==, 1); /* once a block */
    /* What was remembered still is. */
    address[0] = 0;
    touch.group = 1;
    touch.lanes = 1;
    g_assert_true(linx_overlap_touch(o, &touch, &clash));
    g_assert_cmpuint(clash.kind, ==, OVERLAP);
    linx_overlap_free(o);
}

/* Many blocks that touch the same leave no more behind than one. */
static void test_many_blocks(void)
{
    LinxOverlap *o = linx_overlap_new();
    LinxBlock block = { .kind = LINX_MPAR };
    LinxBound bound = { 0 };
    uint64_t address[LINX_LANES] = { 0x1000 };
    LinxTouch touch = {
        .kind = LINX_TOUCH_STORE, .bytes = 4, .lanes = 1, .address = address,
    };
    LinxClash clash;

    for (unsigned n = 0; n < 2 * LINX_OVERLAP_MAX; n++) {
        linx_overlap_begin(o, &block, &bound);
        touch.group = n % 7;
        g_assert_false(linx_overlap_touch(o, &touch, &clash));
        linx_overlap_commit(o);
    }
    touch.is_scalar = true;
    g_assert_true(linx_overlap_touch(o, &touch, &clash));
    g_assert_cmpuint(clash.kind, ==, SCALAR);
    linx_overlap_free(o);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/strict/TB20-parallel-local", test_parallel_local);
    g_test_add_func("/linx/strict/TB20-report", test_report);
    g_test_add_func("/linx/strict/TB21-TB25-one-group", test_one_group);
    g_test_add_func("/linx/strict/TB22-TB23-serial-local",
                    test_serial_local);
    g_test_add_func("/linx/strict/TB20-early-read", test_early);
    g_test_add_func("/linx/strict/TB13-inputs", test_inputs);
    g_test_add_func("/linx/strict/TB25-parallel-global",
                    test_parallel_global);
    g_test_add_func("/linx/strict/TB28-serial-global", test_serial_global);
    g_test_add_func("/linx/strict/TB27-atomics", test_atomics);
    g_test_add_func("/linx/strict/TB24-scalar", test_scalar);
    g_test_add_func("/linx/strict/TB20-TB25-workers", test_workers);
    g_test_add_func("/linx/strict/bounded", test_bounded);
    g_test_add_func("/linx/strict/many-blocks", test_many_blocks);
    return g_test_run();
}
