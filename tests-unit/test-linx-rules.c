/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules of the memory block chapter about order and commit, by their numbers.
 * What hazards=strict has to do with them is in test-linx-strict.c.
 */
#include <string.h>
#include "linx-machine.h"

static unsigned workers; /* of LinxMachine */

#define END "bstart.sys.fall .\nacrc 1\nbstop\n"

/* A machine with a buffer of 4 KB in a0; 5 in a1, 1000 in a2. */
static LinxMachine *machine_with(const char *blocks, const char *bodies,
                                 uint32_t **memory)
{
    g_autofree char *source = g_strconcat(blocks, END, bodies, NULL);
    LinxMachine *m = linx_machine_new();

    *memory = linx_machine_buffer(m, LINX_A0, 4096);
    m->state.gpr[LINX_A1] = 5;
    m->state.gpr[LINX_A2] = 1000;
    linx_machine_source(m, "blocks", source);
    m->workers = workers;
    return m;
}

static void check_trap(const LinxMachine *m, unsigned number, unsigned cause)
{
    g_assert_true(m->record.trapped);
    g_assert_cmpuint(m->record.trap.number, ==, number);
    g_assert_cmpuint(m->record.trap.cause, ==, cause);
}

/* ---- TB6, TB13: what a group reads and does ---- */

/* A loop of the scalar lane, another number of turns in each group. */
static void test_scalar_lane(void)
{
    uint32_t *memory;
    g_autoptr(LinxMachine) m = machine_with(
        "bstart.mpar vs16\nb.dim zero, 20, ->lb1\nb.ior [a0], []\n"
        "b.text body\n",
        "body: l.addi zero.ud, 0, ->t.d\n"       /* turns */
        "l.addi zero.ud, 0, ->t.d\n"             /* sum */
        "next: l.add t#1.ud, t#2.ud, ->u.d\n"
        "l.addi t#2.ud, 1, ->t.d\n"
        "l.addi u#1.ud, 0, ->t.d\n"
        "l.addi lc1.uh, 0, ->u.d\n"
        "b.geu u#1, t#2, next\n"
        "l.addi lc1.uh, 1, ->u.d\n"              /* mask: lane LC1 % 2 */
        "l.andi u#1.ud, 1, ->p.d\n"
        "b.z odd\n"
        "l.slli lc1.uh, 2, ->u.d\n"
        "l.add u#1.ud, ri0.ud, ->u.d\n"
        "l.swi t#1.ud, [u#1.ud, 0]\n"
        "odd: bstop\n", &memory);

    g_assert_true(linx_machine_run(m));
    for (unsigned i = 0; i < 20; i++) {
        g_assert_cmpuint(memory[i], ==, i % 2 ? 0 : i * (i + 1) / 2);
    }
}

/* Global registers, system registers, memory and tiles in one sum. */
static void test_sources(void)
{
    uint32_t *memory;
    g_autoptr(LinxMachine) m = machine_with(
        "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n"
        "b.iot [], last, ->t<256B>\nb.text fill\n"
        "bstart.mpar vs16\nb.dim zero, 64, ->lb0\nb.ior [a0, a1], []\n"
        "b.iot [t#1], last\nb.text body\n",
        "fill: v.addi lc0.uh, 100, ->vt.w\n"
        "v.swi.local.c vt#1.uw, [to.ud, 0]\nbstop\n"
        "body: ssrget 0x24, ->t\n"
        "l.andi t#1.ud, 63, ->t.d\n"
        "v.lwi.local.c [ta.ud, 0], ->vt.w\n"
        "v.lwi.c [ri0.ud, 0], ->vu.w\n"
        "v.add vt#1.uw, vu#1.uw, ->vt.w\n"
        "v.add vt#1.uw, ri1.ud, ->vt.w\n"
        "v.add vt#1.uw, t#1.ud, ->vt.w\n"
        "v.swi.c vt#1.uw, [ri0.ud, 256]\nbstop\n", &memory);

    for (unsigned i = 0; i < 64; i++) {
        memory[i] = 1000 * i;
    }
    g_assert_true(linx_machine_run(m));
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmpuint(memory[64 + i], ==, 100 + i + 1000 * i + 5 + 6);
    }
}

/* ---- TB21, TB25: the order of addresses within a group ---- */

/*
 * Words, then a byte of each, then halfwords that cross two of them; loaded
 * back with another size.  In @space: ".local" or nothing, at @base.
 */
static void check_group_order(const char *space, const char *base)
{
    uint32_t *memory;
    g_autofree char *body = g_strdup_printf(
        "body: v.addi lc0.uh, 0x100, ->vt.w\n"
        "v.sw%s vt#1.uw, [%s.ud, lc0.uh<<2]\n"
        "v.slli lc0.uh, 2, ->vt.w\n"
        "v.sb%s lc0.uh, [%s.ud, vt#1.reuse.uw]\n"
        "v.addi vt#1.uw, 3, ->vt.w\n"
        "v.sh.u%s ri1.ud, [%s.ud, vt#1.uw]\n"
        "v.ld%s [%s.ud, lc0.uh<<2], ->vt.d\n"
        "v.sd vt#1.ud, [ri0.ud, lc0.uh<<3]\nbstop\n",
        space, base, space, base, space, base, space, base);
    g_autoptr(LinxMachine) m = machine_with(
        "bstart.mpar vs16\nb.dim zero, 64, ->lb0\nb.ior [a0, a1, a3], []\n"
        "b.iot [], last, ->t<512B>\nb.text body\n", body, &memory);
    const uint64_t *out = (const uint64_t *)memory;
    uint8_t model[512] = { 0 };

    linx_machine_buffer(m, LINX_A3, 512);
    for (unsigned i = 0; i < 64; i++) {
        model[4 * i] = i;
        model[4 * i + 1] = 1;
    }
    for (unsigned i = 0; i < 64; i++) { /* in the order of lanes */
        model[4 * i + 3] = 5;
        model[4 * i + 4] = 0;
    }
    g_assert_true(linx_machine_run(m));
    for (unsigned i = 0; i < 64; i++) {
        uint64_t expected;

        memcpy(&expected, model + 4 * i, 8);
        g_assert_cmphex(out[i], ==, expected);
    }
}

static void test_group_order(void)
{
    check_group_order(".local", "to");
    check_group_order("", "ri2");
}

/* ---- TB22, TB23: groups of a serial block in tiles ---- */

/* The blocks of @body, and one that copies its tile to memory. */
#define WITH_TILE(kind) \
    "bstart." kind " vs16\nb.dim zero, 64, ->lb0\nb.dim zero, 50, ->lb1\n" \
    "b.iot [], last, ->t<1KB>\nb.text body\n" \
    "bstart.mpar vs16\nb.dim zero, 256, ->lb0\nb.ior [a0], []\n" \
    "b.iot [t#1], last\nb.text copy\n"
#define COPY \
    "\nbstop\ncopy: v.lwi.local.c [ta.ud, 0], ->vt.w\n" \
    "v.swi.c vt#1.uw, [ri0.ud, 0]\nbstop\n"

/* Each group goes on with what the one before has left in the tile. */
static void test_tile_chain(void)
{
    uint32_t *memory, x = 0;
    g_autoptr(LinxMachine) m = machine_with(
        WITH_TILE("mseq"),
        "body: l.lwi.local [to.ud, 0], ->t.d\n"
        "l.slli t#1.ud, 1, ->u.d\nl.add u#1.ud, t#1.ud, ->t.d\n"
        "l.add t#1.ud, lc1.uh, ->t.d\n"
        "l.swi.local t#1.ud, [to.ud, 0]" COPY, &memory);

    for (unsigned group = 0; group < 50; group++) {
        x = 3 * x + group;
    }
    g_assert_true(linx_machine_run(m));
    g_assert_cmphex(memory[0], ==, x);
}

/* Words g to g + 63 by group g: of a word the last group's stays. */
static void test_tile_order(void)
{
    uint32_t *memory;
    g_autoptr(LinxMachine) m = machine_with(
        WITH_TILE("mseq"),
        "body: v.add lc0.uh, lc1.uh, ->vt.w\n"
        "v.addi lc1.uh, 1, ->vu.w\n"
        "v.sw.local vu#1.uw, [to.ud, vt#1.uw<<2]" COPY, &memory);

    g_assert_true(linx_machine_run(m));
    for (unsigned i = 0; i < 256; i++) {
        g_assert_cmpuint(memory[i], ==, i < 50 ? i + 1 : i < 113 ? 50 : 0);
    }
}

/* ---- TB26, TB29: addresses of a device ---- */

/* Lanes read a word of a device each, and write a byte 4 KB further on. */
static LinxMachine *run_device(const char *kind)
{
    g_autofree char *blocks = g_strdup_printf(
        "bstart.%s vs16\nb.dim zero, 100, ->lb0\nb.dim zero, 3, ->lb1\n"
        "b.ior [a0, a3], []\nb.text body\n", kind);
    uint32_t *memory;
    LinxMachine *m = machine_with(
        blocks, "body: l.mul lc1.uh, lb0.uh, ->t.d\n"
        "v.add t#1.ud, lc0.uh, ->vt.d\n"
        "v.lw [ri1.ud, vt#1.reuse.ud<<2], ->vu.w\n"
        "v.add ri1.ud, vt#1.reuse.ud, ->vm.d\n"
        "v.sbi vu#1.reuse.uw, [vm#1.ud, 4096]\n"
        "v.sw vu#1.uw, [ri0.ud, vt#1.ud<<2]\nbstop\n", &memory);

    m->state.gpr[LINX_A3] = LINX_DEVICE;
    g_assert_true(linx_machine_run(m));
    for (unsigned i = 0; i < 300; i++) {
        g_assert_cmphex(memory[i], ==, LINX_DEVICE + 4 * i);
    }
    g_assert_cmpuint(m->log->len, ==, 600);
    return m;
}

/* The load, or the store, of turn @at is event @n. */
static void check_event(const LinxMachine *m, unsigned n, unsigned at,
                        bool is_write)
{
    const LinxEvent *event = &g_array_index(m->log, LinxEvent, n);

    g_assert_cmpint(event->is_write, ==, is_write);
    g_assert_cmphex(event->address, ==, LINX_DEVICE +
                    (is_write ? 4096 + at : 4 * at));
    g_assert_cmpuint(event->size, ==, is_write ? 1 : 4);
}

/* Group by group; in each, its 64 or 36 loads, then its stores. */
static void test_device_in_order(void)
{
    g_autoptr(LinxMachine) m = run_device("mseq");
    unsigned n = 0;

    for (unsigned group = 0; group < 6; group++) {
        unsigned first = group / 2 * 100 + group % 2 * 64;
        unsigned lanes = group % 2 ? 36 : 64;

        for (unsigned i = 0; i < 2 * lanes; i++) {
            check_event(m, n++, first + i % lanes, i >= lanes);
        }
    }
}

static int compare_events(const void *a, const void *b)
{
    const LinxEvent *x = a, *y = b;

    return x->is_write != y->is_write ? x->is_write - y->is_write :
           x->address < y->address ? -1 : x->address > y->address;
}

/* Each access once and with its own size, in any order. */
static void test_device(void)
{
    g_autoptr(LinxMachine) m = run_device("mpar");

    g_array_sort(m->log, compare_events);
    for (unsigned i = 0; i < 300; i++) {
        check_event(m, i, i, false);
        check_event(m, 300 + i, i, true);
    }
}

/* ---- TB27, TB30: atomics ---- */

#define COUNTER(kind) \
    "bstart." kind " vs16\nb.dim zero, 200, ->lb0\nb.ior [a0], []\n" \
    "b.text body\n"
/* Old values: what all groups, and lanes, before it have added. */
static void test_atomics_in_order(void)
{
    uint32_t *memory, sum = 17;
    g_autoptr(LinxMachine) m = machine_with(
        COUNTER("mseq"),
        "body: v.lw.add [ri0.ud], lc0.uh, ->vt.w\n"
        "v.addi lc0.uh, 1, ->vu.w\n"
        "v.sw vt#1.uw, [ri0.ud, vu#1.uw<<2]\nbstop\n", &memory);

    memory[0] = sum;
    g_assert_true(linx_machine_run(m));
    for (unsigned i = 0; i < 200; i++) {
        g_assert_cmpuint(memory[1 + i], ==, sum);
        sum += i;
    }
    g_assert_cmpuint(memory[0], ==, sum);
}

/* No addition is lost, and no two lanes see the same. */
static void test_atomics(void)
{
    uint32_t *memory;
    bool seen[200] = { false };
    g_autoptr(LinxMachine) m = machine_with(
        COUNTER("mpar"),
        "body: l.addi zero.ud, 1, ->t.d\n"
        "v.lw.add [ri0.ud], t#1.ud, ->vt.w\n"
        "v.addi lc0.uh, 1, ->vu.w\n"
        "v.sw vt#1.uw, [ri0.ud, vu#1.uw<<2]\nbstop\n", &memory);

    g_assert_true(linx_machine_run(m));
    g_assert_cmpuint(memory[0], ==, 200);
    for (unsigned i = 0; i < 200; i++) {
        g_assert_cmpuint(memory[1 + i], <, 200);
        g_assert_false(seen[memory[1 + i]]);
        seen[memory[1 + i]] = true;
    }
}

/* ---- TB32, TB33: commit ---- */

/* Group 2 of 3, the last one, stores to its tile at @at. */
#define COMMIT(kind) \
    "bstart.mpar vs16\nb.iot [], last, ->t<256B>\nb.text fill\n" \
    "bstart." kind " vs16\nb.dim zero, 3, ->lb1\nb.ior [a0, a1], [a2]\n" \
    "b.iot [t#1], last, ->t<512B>\nb.text body\n"
#define COMMIT_BODIES(at) \
    "fill: bstop\n" \
    "body: v.addi lc1.uh, 1, ->vt.w\nv.rdadd vt#1.uw, ->ro0.d\n" \
    "l.slli lc1.uh, 8, ->t.d\nl.add t#1.ud, to.ud, ->t.d\n" \
    "l.swi.local zero.ud, [t#1.ud, " at "]\nbstop\n"

static void check_commit(const char *blocks)
{
    uint32_t *memory;
    g_autoptr(LinxMachine) good = machine_with(blocks, COMMIT_BODIES("-512"),
                                               &memory);
    g_autoptr(LinxMachine) bad = machine_with(blocks, COMMIT_BODIES("0"),
                                              &memory);

    /* Groups 0 and 1 are below the tile: the lowest is reported. */
    g_assert_false(linx_machine_run(good));
    check_trap(good, LINX_E_DATA, LINX_DATA_RANGE);
    g_assert_cmpuint(good->record.group, ==, 0);
    /* Only the last group fails: nothing is committed. */
    g_assert_false(linx_machine_run(bad));
    check_trap(bad, LINX_E_DATA, LINX_DATA_RANGE);
    g_assert_cmpuint(bad->record.group, ==, 2);
    g_assert_cmpuint(bad->state.gpr[LINX_A2], ==, 1000);
    if (!workers) {
        const LinxTiles *tiles = &bad->state.tiles;

        g_assert_cmpuint(tiles->count[LINX_QUEUE_T], ==, 1);
        g_assert_false(tiles->slots[tiles->queue[LINX_QUEUE_T][0]].released);
    }
}

static void test_commit(void)
{
    check_commit(COMMIT("mpar"));
}

static void test_commit_serial(void)
{
    check_commit(COMMIT("mseq"));
}

/*
 * With the block's end: sums in GPRs, outputs for the next block, inputs
 * without reuse gone.
 */
static void test_committed(void)
{
    static const char bodies[] =
        "fill: v.addi lc0.uh, 1, ->vt.w\nv.swi.local.c vt#1.uw, [to.ud, 0]\n"
        "bstop\n"
        "body: v.lwi.local.c [ta.ud, 0], ->vt.w\n"
        "v.rdadd vt#1.reuse.uw, ->ro0.d\nv.slli vt#1.uw, 1, ->vt.w\n"
        "v.swi.local.c vt#1.uw, [to.ud, 0]\nbstop\n"
        "copy: v.lwi.local.c [ta.ud, 0], ->vt.w\n"
        "v.swi.c vt#1.uw, [ri0.ud, 0]\nbstop\n";
#define FILL "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n" \
             "b.iot [], last, ->t<256B>\nb.text fill\n"
#define BODY(in) "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n" \
             "b.ior [], [a2]\nb.iot [" in "], last, ->t<256B>\nb.text body\n"
#define COPY_OF(in) "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n" \
             "b.ior [a0], []\nb.iot [" in "], last\nb.text copy\n"
    uint32_t *memory;
    g_autoptr(LinxMachine) m = machine_with(
        FILL BODY("t#1.reuse") COPY_OF("t#1"), bodies, &memory);
    g_autoptr(LinxMachine) kept = machine_with(
        FILL BODY("t#1.reuse") COPY_OF("t#2"), bodies, &memory);
    g_autoptr(LinxMachine) gone = NULL;

    g_assert_true(linx_machine_run(kept));
    g_assert_cmpuint(memory[63], ==, 64);
    gone = machine_with(FILL BODY("t#1") COPY_OF("t#2"), bodies, &memory);
    g_assert_false(linx_machine_run(gone));
    check_trap(gone, LINX_E_BLOCK, LINX_BLOCK_INVAL_GET);
    g_assert_cmpuint(gone->state.gpr[LINX_A2], ==, 1000 + 64 * 65 / 2);
    g_assert_true(linx_machine_run(m));
    g_assert_cmpuint(m->state.gpr[LINX_A2], ==, 1000 + 64 * 65 / 2);
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    { "TB6/scalar-lane", test_scalar_lane },
    { "TB13/sources", test_sources },
    { "TB21-TB25/group-order", test_group_order },
    { "TB22/tile-chain", test_tile_chain },
    { "TB23/tile-order", test_tile_order },
    { "TB26/device", test_device },
    { "TB27/atomics", test_atomics },
    { "TB29/device-in-order", test_device_in_order },
    { "TB30/atomics-in-order", test_atomics_in_order },
    { "TB32/commit", test_commit },
    { "TB33/commit-serial", test_commit_serial },
    { "TB32/committed", test_committed },
};

/* By the reference executor, and by engines. */
static void run_test(gconstpointer number)
{
    static const unsigned counts[] = { 0, 1, 4 };

    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        workers = counts[i];
        g_test_message("%u workers", workers);
        tests[GPOINTER_TO_UINT(number)].run();
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_autofree char *path = g_strconcat("/linx/", tests[i].name, NULL);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), run_test);
    }
    return g_test_run();
}
