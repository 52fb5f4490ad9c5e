/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks on the engine: the same results as one group after the other, on any
 * number of workers; faults, devices, stopping and killing.
 */
#include <inttypes.h>
#include <string.h>
#include "linx-data.h"
#include "linx-stage.h"
#include "target/linx/exec.h"

enum {
    CODE = LINX_STAGE_BASE,
    DATA = 0x20000,
    MANY = 0x100000, /* room for much data */
};

static const unsigned worker_counts[] = { 1, 2, 4 };

/* Blocks between the usual beginning (a0 = DATA, a1 = 5) and end. */
static void load(LinxStage *stage, const char *blocks, const char *bodies)
{
    g_autofree char *source = g_strconcat(
        "bstart.std.fall .\nlui 32, ->a0\naddi zero, 5, ->a1\n", blocks,
        "\nbstart.sys.fall .\nacrc 1\nbstop\n", bodies, "\n", NULL);

    linx_stage_load(stage, CODE, source);
}

static LinxStage *stage_with(unsigned workers, const char *blocks,
                         const char *bodies)
{
    LinxStage *stage = linx_stage_new(workers);

    load(stage, blocks, bodies);
    return stage;
}

static void check_trap(LinxStage *stage, unsigned number, unsigned cause)
{
    LinxTrap trap = { .number = number, .cause = cause };

    g_assert_cmpint(stage->dispatch.status, ==, ENGINE_FAULTED);
    g_assert_true(stage->blocks.trapped);
    g_assert_cmphex(stage->blocks.trapno, ==, linx_trapno(&trap));
}

/* ---- the programs that ran on the public model ---- */

static bool is_there(uint64_t address, size_t size)
{
    return address >= LINX_STAGE_BASE &&
           address + size <= LINX_STAGE_BASE +
                             LINX_STAGE_PAGES * (uint64_t)ENGINE_PAGE;
}

static bool plain_read(void *opaque, uint64_t address, void *data,
                       size_t size)
{
    LinxStage *stage = opaque;

    if (!is_there(address, size)) {
        return false;
    }
    memcpy(data, linx_stage_at(stage, address), size);
    return true;
}

static bool plain_write(void *opaque, uint64_t address, const void *data,
                        size_t size)
{
    LinxStage *stage = opaque;

    if (!is_there(address, size)) {
        return false;
    }
    memcpy(linx_stage_at(stage, address), data, size);
    return true;
}

static void load_hex(LinxStage *stage, const char *hex)
{
    uint8_t *at = linx_stage_at(stage, CODE);

    for (unsigned i = 0; hex[2 * i]; i++) {
        at[i] = g_ascii_xdigit_value(hex[2 * i]) << 4 |
                g_ascii_xdigit_value(hex[2 * i + 1]);
    }
}

/* The executor over plain memory is the model. */
static void check_program(const char *hex, unsigned workers)
{
    g_autoptr(LinxStage) stage = linx_stage_new(workers);
    size_t size = LINX_STAGE_PAGES * ENGINE_PAGE;
    g_autofree uint8_t *before = g_malloc(size), *after = g_malloc(size);
    LinxState state = {
        .budget = 1000000, .memory = { plain_read, plain_write, stage, NULL },
    };
    LinxRecord record;

    load_hex(stage, hex);
    memcpy(before, stage->memory, size);
    g_assert_true(linx_run(&state, CODE, &record));
    memcpy(after, stage->memory, size);
    memcpy(stage->memory, before, size);
    g_assert_cmpint(linx_stage_run(stage, CODE), ==, ENGINE_DONE);
    g_assert_cmpmem(stage->memory, size, after, size);
    g_assert_cmpmem(stage->blocks.gpr, sizeof(stage->blocks.gpr), state.gpr,
                    sizeof(state.gpr));
    g_assert_cmpuint(stage->blocks.gpr[21], ==, 94);
    g_assert_true(stage->written[(DATA - LINX_STAGE_BASE) / ENGINE_PAGE]);
    linx_tiles_free(&state.tiles);
}

static void test_programs(void)
{
    g_autoptr(GPtrArray) programs = linx_data("linx-programs.tsv");

    for (unsigned i = 0; i < programs->len; i++) {
        char **row = g_ptr_array_index(programs, i);

        for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
            check_program(row[1], worker_counts[n]);
        }
    }
}

/* ---- many groups ---- */

/* 1,000 groups store what they are, through a tile of the block before. */
static void test_many_groups(void)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
        g_autoptr(LinxStage) stage = stage_with(worker_counts[n],
            "lui 256, ->a2\n"
            "bstart.mpar vs16\nb.dim zero, 32000, ->lb0\n"
            "b.iot [], last, ->t<256KB>\nb.text fill\n"
            "bstart.mpar vs16\nb.dim zero, 32000, ->lb0\nb.ior [a2], [a3]\n"
            "b.iot [t#1], last\nb.text copy\n",
            "fill: v.slli lc0.uh, 3, ->vt.d\n"
            "v.addi lc0.uh, 7, ->vu.d\n"
            "v.sd.local vu#1.ud, [to.ud, lc0.uh<<3]\nbstop\n"
            "copy: v.ld.local [ta.ud, lc0.uh<<3], ->vt.d\n"
            "v.sd vt#1.reuse.ud, [ri0.ud, lc0.uh<<3]\n"
            "v.rdadd vt#1.ud, ->ro0.d\nbstop");
        const uint64_t *at = linx_stage_at(stage, MANY);

        g_assert_cmpint(linx_stage_run(stage, CODE), ==, ENGINE_DONE);
        for (unsigned i = 0; i < 32000; i++) {
            g_assert_cmpuint(at[i], ==, i + 7);
        }
        g_assert_cmpuint(at[32000], ==, 0);
        g_assert_cmpuint(stage->blocks.gpr[5], ==,
                         32000ull * 31999 / 2 + 7 * 32000);
        g_assert_cmpuint(stage->blocks.committed, ==, 2);
        g_assert_cmpuint(stage->dispatch.counts.waves, ==, 1000);
    }
}

/* TB28: each group adds to what the one before it has stored. */
static void test_serial(void)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
        g_autoptr(LinxStage) stage = stage_with(worker_counts[n],
            "bstart.mseq vs16\nb.dim zero, 6400, ->lb0\nb.ior [a0], []\n"
            "b.text next\n",
            "next: l.ldi [ri0.ud, 0], ->t.d\n"
            "l.slli t#1.ud, 1, ->u.d\n" /* x = 2x + 1, mod a prime's worth */
            "l.addi u#1.ud, 1, ->t.d\n"
            "l.sdi t#1.ud, [ri0.ud, 0]\nbstop");
        uint64_t expected = 3;

        memcpy(linx_stage_at(stage, DATA), &expected, 8);
        for (unsigned i = 0; i < 100; i++) {
            expected = 2 * expected + 1;
        }
        g_assert_cmpint(linx_stage_run(stage, CODE), ==, ENGINE_DONE);
        g_assert_cmpuint(*(uint64_t *)linx_stage_at(stage, DATA), ==, expected);
    }
}

/* ---- bodies that only copy, which the engine shortens ---- */

/*
 * a2 and a3 are addresses of memory; a tile goes first, with bytes of memory,
 * and is written back at the end.
 */
static const char copy_blocks[] =
    "bstart.mpar vs16\nb.dim zero, 4096, ->lb0\nb.ior [a2], []\n"
    "b.iot [], last, ->u<32KB>\nb.text fill\n"
    "bstart.KIND vs16\nb.dim zero, 1111, ->lb0\nb.dim a5, 0, ->lb1\n"
    "b.ior [a2, a3], []\nb.iot [u#1.reuse], last, ->t<32KB>\nb.text body\n"
    "bstart.mpar vs16\nb.dim zero, 4096, ->lb0\nb.ior [a4], []\n"
    "b.iot [t#1], last\nb.text back\n";
static const char copy_bodies[] =
    "fill: v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd.local vt#1.ud, [to.ud, lc0.uh<<3]\nbstop\n"
    "back: v.ld.local [ta.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd vt#1.ud, [ri0.ud, lc0.uh<<3]\nbstop\n"
    "body: ";

static const char *const copy_pairs[] = {
    "v.ld [ri0.ud, lc0.uh<<3], ->vu.d\nv.sd vu#1.ud, [ri1.ud, lc0.uh<<3]",
    "v.lwu [ri0.ud, lc0.uh<<2], ->vt.w\nv.sw vt#1.sw, [ri1.ud, lc0.uh<<2]",
    "v.lh [ri0.ud, lc0.uh<<1], ->vn.d\nv.sh vn#1.ud, [ri1.ud, lc0.uh<<1]",
    "v.lb [ri0.ud, lc0.uh], ->vt.b\nv.sb vt#1.ub, [ri1.ud, lc0.uh]",
    "v.ldi.c [ri0.ud, 16], ->vt.d\nv.sdi.c vt#1.ud, [ri1.ud, 8]",
    "v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd.local vt#1.ud, [to.ud, lc0.uh<<3]",
    "v.lwu.local [ta.ud, lc0.uh<<2], ->vt.w\n"
    "v.sw vt#1.uw, [ri1.ud, lc0.uh<<2]",
    "v.ldi.local.c [ta.ud, 24], ->vm.d\nv.sdi.local.c vm#1.ud, [to.ud, 0]",
    "v.ldi.local.c [to.ud, 0], ->vt.d\nv.sdi.local.c vt#1.ud, [to.ud, 8]",
    "v.ldi.local.c [ta.ud, 24000], ->vt.d\n"
    "v.sdi.local.c vt#1.ud, [to.ud, 0]",
    /* these are no copies of what was loaded, or not consecutive */
    "v.ld [ri0.ud, lc0.uh<<3], ->vt.d\nv.sw vt#1.ud, [ri1.ud, lc0.uh<<2]",
    "v.lwu [ri0.ud, lc0.uh<<3], ->vt.w\nv.sw vt#1.uw, [ri1.ud, lc0.uh<<2]",
    "v.ld [ri0.ud, lc1.uh<<3], ->vt.d\nv.sd vt#1.ud, [ri1.ud, lc0.uh<<3]",
    "v.ld [ri0.ud, lc0.ub<<3], ->vt.d\nv.sd vt#1.ud, [ri1.ud, lc0.uh<<3]",
};

static void random_memory(LinxStage *stage, uint64_t seed)
{
    uint64_t *data = linx_stage_at(stage, MANY);

    for (unsigned i = 0; i < 0x10000; i++) {
        data[i] = linx_random(&seed);
    }
}

/* Every way to copy, from @from to @to: the plain executor is the model. */
static void check_copy(const char *kind, const char *pair, uint64_t from,
                       uint64_t to, unsigned workers)
{
    g_auto(GStrv) parts = g_strsplit(copy_blocks, "KIND", 2);
    g_autofree char *blocks = g_strconcat(parts[0], kind, parts[1], NULL);
    g_autofree char *bodies = g_strconcat(copy_bodies, pair, "\nbstop", NULL);
    g_autoptr(LinxStage) stage = stage_with(workers, blocks, bodies);
    size_t size = LINX_STAGE_PAGES * ENGINE_PAGE;
    g_autofree uint8_t *after = g_malloc(size);
    LinxState state = {
        .budget = 1000000,
        .memory = { plain_read, plain_write, stage, NULL },
    };
    LinxRecord record;

    state.gpr[4] = stage->blocks.gpr[4] = from;
    state.gpr[5] = stage->blocks.gpr[5] = to;
    state.gpr[6] = stage->blocks.gpr[6] = MANY + 0x60000;
    /* rows are copied to the same place, so not at the same time */
    state.gpr[7] = stage->blocks.gpr[7] = workers > 1 ? 1 : 3;
    random_memory(stage, 5);
    linx_run(&state, CODE, &record);
    memcpy(after, stage->memory, size);
    memset(linx_stage_at(stage, MANY), 0, size - (MANY - CODE));
    random_memory(stage, 5);
    linx_stage_run(stage, CODE);
    g_test_message("%s: %s, %" PRIx64 " to %" PRIx64 ", %u workers", kind,
                   pair, from, to, workers);
    g_assert_cmpint(stage->blocks.trapped, ==, record.trapped);
    g_assert_cmpmem(stage->memory, size, after, size);
    if (record.trapped) {
        g_assert_cmpuint(stage->blocks.ebarg, ==, record.group);
        g_assert_cmphex(stage->blocks.traparg0, ==, record.arg);
        g_assert_cmphex(stage->blocks.etpc, ==, record.trap.pc);
    }
    linx_tiles_free(&state.tiles);
}

static void test_copies(void)
{
    const uint64_t end = LINX_STAGE_BASE +
                         LINX_STAGE_PAGES * (uint64_t)ENGINE_PAGE;
    /* apart, misaligned, overlapping either way, over the end of memory */
    const uint64_t places[][2] = {
        { MANY, MANY + 0x40000 }, { MANY + 8, MANY + 0x40003 },
        { MANY + 0x100, MANY + 0x140 }, { MANY + 0x148, MANY + 0x100 },
        { MANY + 0x100, MANY + 0x100 }, { MANY + 0x1000, MANY + 0x1208 },
        { MANY, end - 5000 }, { MANY + 0x40000, end - 4096 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(copy_pairs); i++) {
        for (unsigned n = 0; n < G_N_ELEMENTS(places); n++) {
            bool apart = n < 2 || n > 5;
            bool same = strstr(copy_pairs[i], "[to.ud, 8]") ||
                        strstr(copy_pairs[i], "lc1"); /* groups meet */

            check_copy("mseq", copy_pairs[i], places[n][0], places[n][1], 1);
            if (apart && !same) { /* else they must be in order */
                check_copy("mpar", copy_pairs[i], places[n][0], places[n][1],
                           n < 2 ? 4 : 1);
            }
        }
    }
}

/* ---- reductions ---- */

/*
 * Sums of floats whose order shows, and of many kinds at once, more than a log
 * holds; the executor over plain memory is the model.
 */
static const char float_blocks[] =
    "lui 256, ->a2\n"
    "bstart.mpar vs16\nb.dim zero, 200, ->lb0\nb.dim zero, 100, ->lb1\n"
    "b.ior [a2], [a3]\nb.ior [], [a4]\nb.ior [], [a5]\nb.text sum\n";
static const char float_bodies[] =
    "sum: l.mul lb0.uh, lc1.uh, ->t.d\n"
    "v.add t#1.ud, lc0.uh, ->vt.d\n"
    "v.ld [ri0.ud, vt#1.reuse.ud<<3], ->vu.d\n"
    "v.rdfadd vu#1.reuse.fd, ->ro0.d\n"
    "v.rdadd vu#1.reuse.ud, ->ro1.d\n"
    "v.rdmax vu#1.reuse.sd, ->ro2.d\n"
    "v.rdxor vt#1.reuse.ud, ->ro1.d\n"
    "l.addi zero.ud, 40, ->u.d\n"
    "again: v.rdfadd vu#1.reuse.fd, ->ro0.d\n"
    "l.subi u#1.ud, 1, ->u.d\n"
    "b.ne u#1, zero, again\nbstop\n";

static void test_float_sums(void)
{
    size_t size = LINX_STAGE_PAGES * ENGINE_PAGE;
    LinxState state = { .budget = 10000000 };
    LinxRecord record;

    for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
        g_autoptr(LinxStage) stage = stage_with(worker_counts[n], float_blocks,
                                          float_bodies);
        uint64_t random = 11;
        double *data = linx_stage_at(stage, MANY);

        for (unsigned i = 0; i < 20000; i++) {
            data[i] = (double)(int64_t)linx_random(&random) *
                      (i % 3 ? 1e-9 : 1e9);
        }
        if (n == 0) {
            state.memory = (LinxMemory){ plain_read, plain_write, stage, NULL };
            g_assert_true(linx_run(&state, CODE, &record));
        }
        g_assert_cmpint(linx_stage_run(stage, CODE), ==, ENGINE_DONE);
        for (unsigned r = 5; r <= 7; r++) {
            g_assert_cmphex(stage->blocks.gpr[r], ==, state.gpr[r]);
        }
    }
    g_assert_cmpuint(size, >, MANY - CODE + 160000);
    linx_tiles_free(&state.tiles);
}

/* ---- traps ---- */

/* Groups 300 and 500 fault; 300 is reported, and what was before has run. */
static void test_lowest_fault(void)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
        g_autoptr(LinxStage) stage = stage_with(worker_counts[n],
            "lui 256, ->a2\naddi zero, 300, ->a3\naddi zero, 500, ->a4\n"
            "addi zero, 1, ->a5\n"
            "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n"
            "b.dim zero, 1000, ->lb1\nb.ior [a2, a3, a4], [a5]\n"
            "b.iot [], last, ->t<256B>\nb.text body\n",
            "body: v.rdadd lc1.uh, ->ro0.d\n"
            "l.addi lc1.uh, 0, ->t.d\n"
            "l.sd t#1.ud, [ri0.ud, t#1.ud<<3]\n"
            "l.addi ri1.ud, 0, ->u.d\n"
            "b.eq t#1, u#1, bad\n"
            "l.addi ri2.ud, 0, ->u.d\n"
            "b.eq t#1, u#1, bad\nbstop\n"
            "bad: l.sdi zero.ud, [zero.ud, 64]\nbstop");
        const uint64_t *at = linx_stage_at(stage, MANY);

        linx_stage_run(stage, CODE);
        check_trap(stage, LINX_E_DATA, LINX_DATA_STORE_ACCESS);
        g_assert_cmpuint(stage->blocks.ebarg, ==, 300);
        g_assert_cmpuint(stage->blocks.traparg0, ==, 64);
        g_assert_cmpuint(stage->blocks.ecstate, ==, 1);
        g_assert_cmpuint(stage->blocks.gpr[7], ==, 1); /* RO is not written */
        g_assert_cmpuint(stage->blocks.committed, ==, 0);
        g_assert_cmpint(stage->dispatch.fault.cause, ==,
                        TESSERA_FAULT_UNMAPPED);
        g_assert_cmpint(stage->dispatch.fault.access, ==, ENGINE_WRITE);
        g_assert_cmphex(stage->dispatch.fault.pc, ==, stage->blocks.etpc);
        g_assert_nonnull(strstr(stage->dispatch.fault.text, "l.sdi"));
        for (unsigned i = 0; i <= 300; i++) {
            g_assert_cmpuint(at[i], ==, i);
        }
    }
}

/* What traps in a header, in scalar code, and after a block's end. */
static void test_block_traps(void)
{
    static const struct {
        const char *blocks, *bodies;
        unsigned number, cause, committed;
        bool in_body;
    } cases[] = {
        { "bstart.mpar vs16\nb.iot [t#1], last\nb.text body", "body: bstop",
          LINX_E_BLOCK, LINX_BLOCK_INVAL_GET, 0, false },
        { "bstart.mpar vs16\nb.catr.atom\nb.text body", "body: bstop",
          LINX_E_BLOCK, LINX_BLOCK_INVAL_PARM, 0, false },
        { "bstart.mpar vs16\nb.catr.t\nb.text body", "body: bstop",
          LINX_BREAKPOINT, 0, 1, false },
        { "acrc 1", "", LINX_E_INST, LINX_INST_ILLEGAL, 0, false },
        { ".half 0xe, 0, 0", "", LINX_E_INST, LINX_INST_ILLEGAL, 0, false },
        { "bstart.mpar vs16\nb.text body", "body: fence.i", LINX_E_INST,
          LINX_INST_ILLEGAL, 0, true },
        { "bstart.mpar vs16\nb.text .+0x1000000", "", LINX_E_INST,
          LINX_INST_ACCESS, 0, true },
        { "ldi [a1, 8], ->a2", "", LINX_E_DATA, LINX_DATA_LOAD_ACCESS, 0,
          false },
        { "bstart.mpar vs16\nb.text body",
          "body: l.ldi.local [zero.ud, 0], ->t.d", LINX_E_DATA,
          LINX_DATA_RANGE, 0, true },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(LinxStage) stage = stage_with(2, cases[i].blocks,
                                          cases[i].bodies);

        linx_stage_run(stage, CODE);
        g_test_message("%u: %s", i, stage->dispatch.fault.text);
        check_trap(stage, cases[i].number, cases[i].cause);
        g_assert_cmpuint(stage->blocks.ecstate, ==, cases[i].in_body);
        g_assert_cmpuint(stage->blocks.committed, ==, cases[i].committed);
    }
}

/* ---- devices, and pages that are not known yet ---- */

static void test_device(void)
{
    for (unsigned late = 0; late < 2; late++) {
        g_autoptr(LinxStage) stage = stage_with(2,
            "lui 64, ->a2\nlui 65, ->a3\n"
            "bstart.mseq vs16\nb.dim zero, 70, ->lb0\nb.ior [a2, a3], [a4]\n"
            "b.text body\n",
            "body: v.lwu [ri0.ud, lc0.uh<<2], ->vt.d\n"
            "v.rdadd vt#1.reuse.ud, ->ro0.d\n"
            "v.sw vt#1.ud, [ri1.ud, lc0.uh<<2]\nbstop");
        uint32_t *from = linx_stage_at(stage, 0x40000);
        const LinxStageAccess *log;

        for (unsigned i = 0; i < 70; i++) {
            from[i] = 3 * i;
        }
        linx_stage_set_page(stage, 0x40000, LINX_STAGE_DEVICE);
        linx_stage_set_page(stage, 0x41000, LINX_STAGE_DEVICE);
        stage->late = late;
        linx_stage_start(stage, CODE);
        for (unsigned i = 0; late && i < 140; i++) {
            linx_stage_wait_asks(stage, 1);
            g_assert_cmpuint(stage->asks->len, ==, 1);
            linx_stage_answer(stage);
        }
        linx_stage_wait(stage);
        g_assert_cmpint(stage->dispatch.status, ==, ENGINE_DONE);
        g_assert_cmpuint(stage->blocks.gpr[6], ==, 3 * 70 * 69 / 2);
        g_assert_cmpuint(stage->accesses->len, ==, 140);
        log = (const LinxStageAccess *)stage->accesses->data;
        for (unsigned i = 0; i < 140; i++) { /* TB30: groups in order */
            unsigned group = i / 128, in = i % 128, lanes = group ? 6 : 64;
            bool write = in >= lanes;
            unsigned lane = group * 64 + in % lanes;

            g_assert_cmpint(log[i].write, ==, write);
            g_assert_cmphex(log[i].address, ==,
                            (write ? 0x41000 : 0x40000) + 4 * lane);
            g_assert_cmpuint(log[i].size, ==, 4);
            g_assert_cmpuint(log[i].data, ==, 3 * lane);
        }
    }
}

/* Code and data that the platform has to be asked for. */
static void test_unknown_pages(void)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
        g_autoptr(LinxStage) stage = stage_with(worker_counts[n],
            "lui 256, ->a2\nbstart.mpar vs16\nb.dim zero, 6400, ->lb0\n"
            "b.ior [a2], []\nb.text body\n",
            "body: v.lw.add [ri0.ud], lc0.uw, ->vt.w\n"
            "v.sd lc0.uh, [ri0.ud, lc0.uh<<3]\nbstop");
        const uint64_t *at = linx_stage_at(stage, MANY);

        linx_stage_set_page(stage, CODE, LINX_STAGE_UNKNOWN);
        for (unsigned i = 0; i < 13; i++) {
            linx_stage_set_page(stage, MANY + i * ENGINE_PAGE,
                                LINX_STAGE_UNKNOWN);
        }
        g_assert_cmpint(linx_stage_run(stage, CODE), ==, ENGINE_DONE);
        for (unsigned i = 1; i < 6400; i++) {
            g_assert_cmpuint(at[i], ==, i);
        }
    }
}

/* An atomic operation on a device is refused. */
static void test_device_atomic(void)
{
    g_autoptr(LinxStage) stage = stage_with(1,
        "bstart.mpar vs16\nb.ior [a0], []\nb.text body\n",
        "body: v.sw.add [ri0.ud], lc0.uw\nbstop");

    linx_stage_set_page(stage, DATA, LINX_STAGE_DEVICE);
    linx_stage_run(stage, CODE);
    check_trap(stage, LINX_E_DATA, LINX_DATA_BUS);
    g_assert_cmpint(stage->dispatch.fault.cause, ==,
                    TESSERA_FAULT_DEVICE_ATOMIC);
}

/* ---- stopping ---- */

static const struct {
    const char *blocks, *bodies;
} endless[] = {
    { "bstart.mpar vs16\nb.ior [a0], []\nb.text body",
      "body: l.sdi ri0.ud, [ri0.ud, 0]\nagain: j again" },
    { "bstart.mpar vs16\nb.dim zero, 6400, ->lb0\nb.ior [a0], []\nb.text body",
      "body: l.sdi ri0.ud, [ri0.ud, 0]\nagain: v.addi lc0.uh, 1, ->vt.d\n"
      "j again" },
    { "bstart.mseq vs16\nb.dim zero, 6400, ->lb0\nb.ior [a0], []\nb.text body",
      "body: l.sdi ri0.ud, [ri0.ud, 0]\nagain: j again" },
    { "loop: bstart.std.direct loop\nsdi a0, [a0, 0]", "" },
};

static void wait_stored(LinxStage *stage)
{
    while (__atomic_load_n((uint64_t *)linx_stage_at(stage, DATA),
                           __ATOMIC_RELAXED) != DATA) {
        g_usleep(100);
    }
}

/* Parked and let go, suspended and continued, killed: it always stops. */
static void test_endless(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(endless); i++) {
        for (unsigned n = 0; n < G_N_ELEMENTS(worker_counts); n++) {
            g_autoptr(LinxStage) stage = stage_with(worker_counts[n],
                                              endless[i].blocks,
                                              endless[i].bodies);

            linx_stage_start(stage, CODE);
            wait_stored(stage);
            engine_park(stage->engine);
            g_assert_cmpuint(stage->done, ==, 0);
            g_assert_true(stage->written[(DATA - CODE) / ENGINE_PAGE]);
            engine_forget(stage->engine);
            engine_unpark(stage->engine);
            engine_suspend(stage->engine, &stage->dispatch);
            pthread_mutex_lock(&stage->lock);
            while (!stage->suspended) {
                pthread_cond_wait(&stage->changed, &stage->lock);
            }
            pthread_mutex_unlock(&stage->lock);
            engine_continue(stage->engine, &stage->dispatch);
            engine_kill(stage->engine, &stage->dispatch, TESSERA_FAULT_NONE);
            linx_stage_wait(stage);
            g_assert_cmpint(stage->dispatch.status, ==, ENGINE_KILLED);
            g_assert_false(stage->blocks.trapped);
        }
    }
}

/* A block's code may be changed by the one before. */
static void test_changed_code(void)
{
    g_autoptr(LinxStage) stage = stage_with(1,
        "lui 16, ->a2\n" /* CODE */
        "loop: bstart.mpar vs16\nb.ior [a0, a2], []\nb.text body\n"
        "bstart.mpar vs16\nb.ior [a0, a2], []\nb.text change\n"
        "bstart.mpar vs16\nb.ior [a0, a2], []\nb.text body\n",
        ".align 256\n"
        "body: l.ldi [ri0.ud, 0], ->t.d\n"
        "one: l.addi t#1.ud, 1, ->t.d\n"
        "l.sdi t#1.ud, [ri0.ud, 0]\nbstop\n"
        ".align 256\n"
        "other: l.addi t#1.ud, 64, ->t.d\n"
        ".align 256\n"
        "change: l.ldi [ri1.ud, 512], ->t.d\n"
        "l.sdi t#1.ud, [ri1.ud, 264]\nbstop");

    g_assert_cmpint(linx_stage_run(stage, CODE), ==, ENGINE_DONE);
    g_assert_cmpuint(*(uint64_t *)linx_stage_at(stage, DATA), ==, 65);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/stream/programs", test_programs);
    g_test_add_func("/linx/stream/many-groups", test_many_groups);
    g_test_add_func("/linx/stream/serial", test_serial);
    g_test_add_func("/linx/stream/copies", test_copies);
    g_test_add_func("/linx/stream/float-sums", test_float_sums);
    g_test_add_func("/linx/stream/lowest-fault", test_lowest_fault);
    g_test_add_func("/linx/stream/block-traps", test_block_traps);
    g_test_add_func("/linx/TB30/device", test_device);
    g_test_add_func("/linx/stream/unknown-pages", test_unknown_pages);
    g_test_add_func("/linx/stream/device-atomic", test_device_atomic);
    g_test_add_func("/linx/stream/endless", test_endless);
    g_test_add_func("/linx/stream/changed-code", test_changed_code);
    return g_test_run();
}
