/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LinxISA blocks in stock QEMU: dispatch, traps, stopping, other queues. */
#include "tessera-qtest.h"
#include "tools/linx-asm.h"

enum { R_A0 = 2, R_A1, R_A2, R_A3, R_A4 }; /* numbers of global registers */

/* A block dispatch and the memory that belongs to it. */
typedef struct Blocks {
    TqGpu *gpu;
    AqlBlocks packet;
    TesseraBlockGprs gprs;
} Blocks;

static Blocks blocks_new(TqGpu *gpu, const char *source)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source("blocks", source, &error);
    Blocks b = {
        .gpu = gpu,
        .packet = {
            .header = TQ_HEADER(AQL_TYPE_VENDOR),
            .format = AQL_VENDOR_BLOCKS,
            .version = AQL_BLOCKS_VERSION,
            .gprs = tq_alloc(gpu, sizeof(TesseraBlockGprs)),
            .result = tq_alloc(gpu, sizeof(TesseraBlockResult)),
            .completion_signal = tq_signal(gpu, 1),
        },
        .gprs = {
            .size = sizeof(TesseraBlockGprs),
            .version = TESSERA_BLOCKS_VERSION,
        },
    };

    g_assert_no_error(error);
    b.packet.entry = tq_alloc(gpu, code->len);
    tq_put(gpu, b.packet.entry, code->data, code->len);
    return b;
}

static void push(Blocks *b, TqQueue *q)
{
    tq_put(b->gpu, b->packet.gprs, &b->gprs, sizeof(b->gprs));
    tq_push(q, &b->packet);
}

static TesseraBlockResult result_of(const Blocks *b)
{
    TesseraBlockResult result;

    tq_get(b->gpu, b->packet.result, &result, sizeof(result));
    return result;
}

static bool is_over(const Blocks *b)
{
    return tq_wait64(b->gpu, b->packet.completion_signal + TQ_SIGNAL_VALUE, 0);
}

/* 200 rows of 70 words: copied through a tile, each plus 1, and added up. */
static const char copy_source[] =
    "bstart.mpar vs16\nb.dim zero, 70, ->lb0\nb.dim zero, 200, ->lb1\n"
    "b.ior [a0], []\nb.iot [], last, ->t<64KB>\nb.text load\n"
    "bstart.KIND vs16\nb.dim zero, 70, ->lb0\nb.dim zero, 200, ->lb1\n"
    "b.ior [a1], [a2]\nb.iot [t#1], last\nb.text store\n"
    "bstart.sys.fall .\nacrc 1\nbstop\n"
    "load: l.mul lc1.uh, lb0.uh, ->t.d\n"
    "v.add t#1.ud, lc0.uh, ->vt.w\n"
    "v.lwu [ri0.ud, vt#1.reuse.uw<<2], ->vu.w\n"
    "v.addi vu#1.uw, 1, ->vu.w\n"
    "v.sw.local vu#1.uw, [to.ud, vt#1.uw<<2]\nbstop\n"
    "store: l.mul lc1.uh, lb0.uh, ->t.d\n"
    "v.add t#1.ud, lc0.uh, ->vt.w\n"
    "v.lwu.local [ta.ud, vt#1.reuse.uw<<2], ->vu.w\n"
    "v.rdadd vu#1.reuse.uw, ->ro0.d\n"
    "v.sw vu#1.uw, [ri0.ud, vt#1.uw<<2]\nbstop\n";

enum { WORDS = 200 * 70 };

static void run_copy(TqGpu *gpu, TqQueue *q, const char *kind, bool vram)
{
    g_auto(GStrv) parts = g_strsplit(copy_source, "KIND", 2);
    g_autofree char *source = g_strconcat(parts[0], kind, parts[1], NULL);
    g_autofree uint32_t *words = g_new(uint32_t, WORDS + 1);
    Blocks b = blocks_new(gpu, source);
    uint64_t from = vram ? tq_alloc_vram(gpu, WORDS * 4) :
                    tq_alloc(gpu, WORDS * 4);
    uint64_t to = tq_alloc(gpu, WORDS * 4 + 4), sum = 1000;
    TesseraBlockResult result;

    for (unsigned i = 0; i < WORDS; i++) {
        words[i] = i * 2654435761u;
        sum += words[i] + 1u;
    }
    tq_put(gpu, from, words, WORDS * 4);
    b.gprs.gpr[R_A0] = from;
    b.gprs.gpr[R_A1] = to;
    b.gprs.gpr[R_A2] = 1000;
    push(&b, q);
    g_assert_true(is_over(&b));
    result = result_of(&b);
    g_assert_cmpuint(result.status, ==, TESSERA_BLOCKS_DONE);
    g_assert_cmpuint(result.committed, ==, 2);
    g_assert_cmpuint(result.gpr[R_A0], ==, from);
    g_assert_cmpuint(result.gpr[R_A2], ==, sum);
    tq_get(gpu, to, words, WORDS * 4 + 4);
    for (unsigned i = 0; i < WORDS; i++) {
        g_assert_cmpuint(words[i], ==, (uint32_t)(i * 2654435761u + 1));
    }
    g_assert_cmpuint(words[WORDS], ==, 0);
}

/* The same results with one worker and with several, in any kind of block. */
static void test_workers(void)
{
    static const char *const properties[] = { ",workers=1", ",workers=4" };

    for (unsigned i = 0; i < G_N_ELEMENTS(properties); i++) {
        TqGpu *gpu = tq_start(properties[i]);
        TqQueue q = tq_queue(gpu, 0);

        run_copy(gpu, &q, "mpar", false);
        run_copy(gpu, &q, "mseq", true);
        tq_end(gpu);
    }
}

/* ---- traps ---- */

static void check_trap(Blocks *b, TqQueue *q, uint32_t bits, unsigned cause,
                       uint64_t trapno)
{
    TqGpu *gpu = b->gpu;
    TesseraBlockResult result;

    push(b, q);
    g_assert_cmphex(tq_wait_error(q), ==, bits);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, q->slot);
    g_assert_cmpuint(TQ_FIELD(tq_read(gpu, TESSERA_REG_QUEUE_FAULT_STATUS),
                              QUEUE_FAULT_STATUS, CAUSE), ==, cause);
    result = result_of(b);
    g_assert_cmpuint(result.status, ==, TESSERA_BLOCKS_TRAPPED);
    g_assert_cmphex(result.trapno, ==, trapno);
    g_assert_cmphex(result.etpc, ==,
                    tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_PC));
    g_assert_cmpint(tq_get64(gpu, b->packet.completion_signal +
                             TQ_SIGNAL_VALUE), ==, 1);
}

#define TRAPNO(number, cause) (1ull << 63 | (cause) << 8 | (number))

/* Groups 70 and 90 store where nothing is: the lower one is told. */
static void test_trap_data(void)
{
    TqGpu *gpu = tq_start(",workers=4");
    TqQueue q = tq_queue(gpu, 0);
    Blocks b = blocks_new(gpu,
        "bstart.mpar vs16\nb.dim zero, 64, ->lb0\nb.dim zero, 100, ->lb1\n"
        "b.ior [a0, a1, a2], [a4]\nb.ior [a3], []\nb.text body\n"
        "bstart.sys.fall .\nacrc 1\nbstop\n"
        "body: v.rdadd lc1.uh, ->ro0.d\nl.addi lc1.uh, 0, ->t.d\n"
        "l.sd t#1.ud, [ri3.ud, t#1.ud<<3]\n"
        "l.addi ri0.ud, 0, ->u.d\nb.eq t#1, u#1, bad\n"
        "l.addi ri1.ud, 0, ->u.d\nb.eq t#1, u#1, bad\nbstop\n"
        "bad: l.sdi zero.ud, [ri2.ud, 8]\nbstop\n");
    uint64_t at = tq_alloc(gpu, 800);
    TesseraBlockResult result;

    b.gprs.gpr[R_A0] = 70;
    b.gprs.gpr[R_A1] = 90;
    b.gprs.gpr[R_A2] = 0x7000000000;
    b.gprs.gpr[R_A3] = at;
    b.gprs.gpr[R_A4] = 5;
    check_trap(&b, &q, TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_UNMAPPED,
               TRAPNO(1, 3));
    result = result_of(&b);
    g_assert_cmphex(result.traparg0, ==, 0x7000000008);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_QUEUE_FAULT_ADDR), ==,
                    0x7000000008);
    g_assert_cmphex(result.ebpc, ==, b.packet.entry);
    g_assert_cmpuint(result.ebarg, ==, 70);
    g_assert_cmpuint(result.ecstate, ==, 1);
    g_assert_cmpuint(result.gpr[R_A4], ==, 5); /* nothing has committed */
    for (unsigned i = 0; i <= 70; i++) {
        g_assert_cmpuint(tq_get64(gpu, at + 8 * i), ==, i);
    }
    tq_end(gpu);
}

/* What is no instruction, a header that asks for too much, a tile's end. */
static void test_traps(void)
{
    static const struct {
        const char *source;
        uint32_t bits;
        unsigned cause;
        uint64_t trapno;
    } cases[] = {
        { "bstart.mpar vs16\nb.text body\nbody: fence.i\n",
          TESSERA_QERR_ILLEGAL_INSTRUCTION,
          TESSERA_FAULT_ILLEGAL_INSTRUCTION, TRAPNO(0, 3) },
        { "bstart.mpar vs16\nb.iot [t#1], last\nb.text body\nbody: bstop\n",
          TESSERA_QERR_ILLEGAL_INSTRUCTION, TESSERA_FAULT_BLOCK,
          TRAPNO(4, 1) },
        { "bstart.mpar vs16\nb.iot [], last, ->t<256B>\nb.text body\n"
          "body: l.sdi.local zero.ud, [to.ud, 256]\n",
          TESSERA_QERR_MEMORY_FAULT, TESSERA_FAULT_TILE_BOUNDS,
          TRAPNO(1, 6) },
    };
    TqGpu *gpu = tq_start("");

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TqQueue q = tq_queue(gpu, i);
        Blocks b = blocks_new(gpu, cases[i].source);

        check_trap(&b, &q, cases[i].bits, cases[i].cause, cases[i].trapno);
    }
    tq_end(gpu);
}

/* ---- blocks that never end ---- */

/* All groups count in memory, each for ever; or scalar code does. */
static const char *const endless[] = {
    "bstart.mpar vs16\nb.dim zero, 64, ->lb0\nb.dim zero, 100, ->lb1\n"
    "b.ior [a0], []\nb.text body\nbody: l.addi zero.ud, 1, ->t.d\n"
    "again: l.sd.add [ri0.ud], t#1.ud\nj again\n",
    "bstart.mseq vs16\nb.dim zero, 64, ->lb0\nb.dim zero, 100, ->lb1\n"
    "b.ior [a0], []\nb.text body\nbody: l.addi zero.ud, 1, ->t.d\n"
    "again: l.sd.add [ri0.ud], t#1.ud\nj again\n",
    "again: bstart.std.direct again\naddi a1, 1, ->a1\nsdi a1, [a0, 0]\n",
};

static bool counts(TqGpu *gpu, uint64_t at)
{
    uint64_t before = tq_get64(gpu, at);

    return TQ_POLL(tq_get64(gpu, at) != before);
}

static bool stands_still(TqGpu *gpu, uint64_t at)
{
    uint64_t before = tq_get64(gpu, at);

    tq_settle(gpu);
    tq_settle(gpu);
    return tq_get64(gpu, at) == before;
}

static void command(TqGpu *gpu, uint32_t op, uint32_t flags,
                    uint64_t descriptor)
{
    TesseraCommand c = tq_command_init(op, 0);

    c.flags = flags;
    c.descriptor = descriptor;
    g_assert_cmpint(tq_command(gpu, c), ==, TESSERA_RESULT_OK);
}

/* The queue is frozen and goes on, is preempted and mapped again. */
static void test_freeze(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(endless); i++) {
        TqGpu *gpu = tq_start(",workers=2");
        TqQueue q = tq_queue(gpu, 0);
        Blocks b = blocks_new(gpu, endless[i]);
        uint64_t at = tq_alloc(gpu, 8);

        b.gprs.gpr[R_A0] = at;
        push(&b, &q);
        g_assert_true(counts(gpu, at));
        command(gpu, TESSERA_CMD_FREEZE, 0, 0);
        g_assert_true(stands_still(gpu, at));
        command(gpu, TESSERA_CMD_RESUME, 0, 0);
        g_assert_true(counts(gpu, at));
        command(gpu, TESSERA_CMD_UNMAP, TESSERA_UNMAP_PREEMPT, 0);
        g_assert_true(stands_still(gpu, at));
        command(gpu, TESSERA_CMD_MAP, 0, q.descriptor);
        g_assert_true(counts(gpu, at));
        tq_end(gpu); /* with all of it under way */
    }
}

/* The VM stops and goes on; a queue beside it has its turn; it is killed. */
static void test_endless(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(endless); i++) {
        TqGpu *gpu = tq_start(i ? ",workers=1" : ",workers=2");
        TqQueue q = tq_queue(gpu, 0), other = tq_queue(gpu, 1);
        Blocks b = blocks_new(gpu, endless[i]);
        uint64_t at = tq_alloc(gpu, 8);

        b.gprs.gpr[R_A0] = at;
        push(&b, &q);
        g_assert_true(counts(gpu, at));
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
        g_assert_true(stands_still(gpu, at));
        qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
        g_assert_true(counts(gpu, at));
        run_copy(gpu, &other, "mpar", false);
        g_assert_cmpint(tq_queue_kill(&q), ==, TESSERA_RESULT_OK);
        g_assert_true(stands_still(gpu, at));
        g_assert_cmpuint(result_of(&b).size, ==, 0);
        tq_end(gpu);
    }
}

/* hang-timeout ends it, in guest time. */
static void test_hang_timeout(void)
{
    TqGpu *gpu = tq_start(",hang-timeout=1000");
    TqQueue q = tq_queue(gpu, 0);
    Blocks b = blocks_new(gpu, endless[2]);
    uint64_t at = tq_alloc(gpu, 8);

    b.gprs.gpr[R_A0] = at;
    push(&b, &q);
    g_assert_true(counts(gpu, at));
    qtest_clock_step(gpu->qts, 2000000000);
    g_assert_cmphex(tq_wait_error(&q), ==, (uint32_t)TESSERA_QERR_TRAP);
    g_assert_cmpuint(result_of(&b).status, ==, TESSERA_BLOCKS_STOPPED);
    tq_end(gpu);
}

/* ---- beside kernels ---- */

/* A shader that never ends in one queue, blocks in another. */
static void test_beside_kernel(void)
{
    TqGpu *gpu = tq_start(",workers=1");
    TqEndless e = tq_endless(gpu, 0, false);
    TqQueue q = tq_queue(gpu, 1);

    run_copy(gpu, &q, "mpar", true);
    g_assert_true(tq_counts(&e));
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    run_copy(gpu, &q, "mseq", false);
    tq_end(gpu);
}

/* ---- hazards=strict ---- */

/* Two groups store to the same word: what is left there, if @kind orders them,
   is the second one's. */
static void run_meeting(TqGpu *gpu, TqQueue *q, const char *kind)
{
    g_autofree char *source = g_strdup_printf(
        "bstart.%s vs16\nb.dim zero, 64, ->lb0\nb.dim zero, 2, ->lb1\n"
        "b.ior [a0], []\nb.text body\nbstart.sys.fall .\nacrc 1\nbstop\n"
        "body: l.addi lc1.uh, 7, ->t.d\n"
        "l.sdi t#1.ud, [ri0.ud, 8]\nbstop\n", kind);
    Blocks b = blocks_new(gpu, source);
    uint64_t at = tq_alloc(gpu, 16), word;

    b.gprs.gpr[R_A0] = at;
    push(&b, q);
    g_assert_true(is_over(&b));
    g_assert_cmpuint(result_of(&b).status, ==, TESSERA_BLOCKS_DONE);
    word = tq_get64(gpu, at + 8);
    g_assert_true(word == 8 || (word == 7 && strcmp(kind, "mpar") == 0));
}

/*
 * Whichever group of a parallel block comes second meets the other one, and
 * nobody meets anybody in a serial block, or where each group has its own
 * words.  Without the property nothing is counted.
 */
static void test_hazards(const void *properties)
{
    TqGpu *gpu = tq_start(properties);
    TqQueue q = tq_queue(gpu, 0);
    bool strict = strstr(properties, "strict");

    run_copy(gpu, &q, "mpar", false);
    run_meeting(gpu, &q, "mseq");
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_HAZARD_COUNT), ==, 0);
    run_meeting(gpu, &q, "mpar");
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_HAZARD_COUNT), ==, strict);
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_HAZARD_COUNT), ==, 0);
    tq_end(gpu);
}

static void test_registers(void)
{
    TqGpu *gpu = tq_start("");
    uint32_t limits = tq_read(gpu, TESSERA_REG_BLOCK_LIMITS);

    g_assert_true(tq_read(gpu, TESSERA_REG_FEATURES) &
                  TESSERA_FEATURES_BLOCKS_MASK);
    g_assert_cmpuint(TQ_FIELD(limits, BLOCK_LIMITS, LANES_LOG2), ==, 6);
    g_assert_cmpuint(TQ_FIELD(limits, BLOCK_LIMITS, TILE_INPUTS), ==, 8);
    g_assert_cmpuint(TQ_FIELD(limits, BLOCK_LIMITS, TILE_OUTPUTS), ==, 4);
    g_assert_cmpuint(TQ_FIELD(limits, BLOCK_LIMITS, GPR_INPUTS), ==, 12);
    g_assert_cmpuint(TQ_FIELD(limits, BLOCK_LIMITS, GPR_OUTPUTS), ==, 4);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_BLOCK_TILE_MIN), ==, 256);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_BLOCK_TILE_MAX), ==, 262144);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_BLOCK_TILE_TOTAL), ==, 524288);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_BLOCK_TILE_DEPTH), ==, 16);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("/blocks/registers", test_registers);
    qtest_add_func("/blocks/workers", test_workers);
    qtest_add_func("/blocks/trap-data", test_trap_data);
    qtest_add_func("/blocks/traps", test_traps);
    qtest_add_func("/blocks/endless", test_endless);
    qtest_add_func("/blocks/freeze", test_freeze);
    qtest_add_func("/blocks/hang-timeout", test_hang_timeout);
    qtest_add_func("/blocks/beside-kernel", test_beside_kernel);
    qtest_add_data_func("/blocks/hazards/strict",
                        ",workers=4,hazards=strict", test_hazards);
    qtest_add_data_func("/blocks/hazards/off", ",hazards=off", test_hazards);
    return g_test_run();
}
