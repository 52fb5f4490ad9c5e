/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code and data lie between pages that cannot be accessed, tiles are memory of
 * their own: a sanitizer, or the fault, tells what goes beyond them.
 *
 * Each input runs by the reference executor, then on an engine of one worker,
 * which has to come to the same end, then on one of several, whose groups may
 * meet anywhere.
 */
#include <string.h>
#include <sys/mman.h>
#include "linx-data.h"
#include "linx-fuzz.h"
#include "linx-rig.h"
#include "target/linx/decode.h"
#include "target/linx/exec.h"
#include "tools/linx-asm.h"

enum {
    PAGE = 4096,
    CODE = 0x10000, CODE_SIZE = PAGE,
    DATA = 0x20000, DATA_SIZE = 4 * PAGE,
    BUDGET = 600,   /* instructions */
    PATIENCE = 20,  /* milliseconds, of an engine */
    STARTS = 4,
};

LinxFuzzCounts linx_fuzz_counts;

static uint8_t *code, *data_bytes;
static GByteArray *start[STARTS];
static LinxRig *rigs[2][2]; /* one worker or several; hazards=strict */

/* @size bytes, whole pages, with some around them that cannot be accessed. */
static uint8_t *guarded(size_t size)
{
    uint8_t *p = mmap(NULL, size + 2 * PAGE, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    g_assert_true(p != MAP_FAILED);
    g_assert_true(mprotect(p + PAGE, size, PROT_READ | PROT_WRITE) == 0);
    return p + PAGE;
}

static uint8_t *host_of(uint64_t address, size_t size, bool is_write)
{
    if (address >= DATA && address <= DATA + DATA_SIZE - size) {
        return data_bytes + (address - DATA);
    }
    if (!is_write && address >= CODE && address <= CODE + CODE_SIZE - size) {
        return code + (address - CODE);
    }
    return NULL;
}

static bool fuzz_read(void *opaque, uint64_t address, void *data, size_t size)
{
    const uint8_t *host = host_of(address, size, false);

    if (host) {
        memcpy(data, host, size);
    }
    return host;
}

static bool fuzz_write(void *opaque, uint64_t address, const void *data,
                       size_t size)
{
    uint8_t *host = host_of(address, size, true);

    if (host) {
        memcpy(host, data, size);
    }
    return host;
}

/* Two tiles with something in them, and a block that has four. */
static GByteArray *assemble_start(const char *kind)
{
    g_autofree char *source = g_strdup_printf(
        "bstart.mpar vs16\nb.dim zero, 64, ->lb0\n"
        "b.iot [], ->t<256B>\nb.iot [], last, ->u<512B>\nb.text fill\n"
        "bstart.%s vs16\nb.dim a2, 0, ->lb0\nb.dim a3, 0, ->lb1\n"
        "b.ior [a0, a1, a2], [a4]\nb.ior [a3, a0], [a5]\n"
        "b.iot [t#1.reuse, u#1], ->m<512B>\nb.iot [], last, ->s<256B>\n"
        "b.text body\nbstart.sys.fall .\nacrc 1\n"
        "fill: v.swi.local.c lc0.uh, [to.ud, 0]\n"
        "v.swi.local.c lc0.uh, [to1.ud, 256]\nbstop\n"
        "body: v.addi lc0.uh, 0, ->vt.d\nv.addi lc0.uh, 9, ->vu.d\n"
        "l.addi ri0.ud, 0, ->t.d\nl.addi to.ud, 0, ->u.d\n", kind);
    GByteArray *bytes = linx_asm_source("start", source, NULL);

    g_assert_true(bytes);
    return bytes;
}

static uint8_t *find_page(void *opaque, uint64_t va, bool *writable)
{
    *writable = va >= DATA;
    return host_of(va, PAGE, false);
}

static void count_hazard(void *opaque, const EngineHazard *hazard)
{
    g_assert_true(hazard->lanes);
    linx_fuzz_counts.hazards++;
}

static void make_rigs(void)
{
    for (unsigned i = 0; i < 4; i++) {
        rigs[i / 2][i % 2] = linx_rig_new(&(LinxRigConfig) {
            .workers = i / 2 ? 3 : 1, .find = find_page,
            .level = tessera_host_best(),
            .hazard = i % 2 ? count_hazard : NULL,
        });
    }
}

static void set_up(void)
{
    static const char *const kinds[STARTS] = { "mpar", "mseq", "vpar",
                                               "vseq" };

    code = guarded(CODE_SIZE);
    data_bytes = guarded(DATA_SIZE);
    for (unsigned i = 0; i < STARTS; i++) {
        start[i] = assemble_start(kinds[i]);
    }
    make_rigs();
}

/* Addresses that are good, nearly good, and any; small numbers. */
static void set_registers(uint64_t gpr[LINX_GPRS], const uint8_t *head)
{
    uint64_t x;

    memcpy(&x, head, sizeof(x));
    gpr[2] = DATA;
    gpr[3] = DATA + (x & 0x7fff);
    gpr[4] = head[9];
    gpr[5] = head[10] % 4;
    gpr[6] = x;
    gpr[7] = CODE + (x >> 20 & 0x1fff);
    for (unsigned i = 8; i < LINX_GPRS; i++) {
        gpr[i] = x >> i | (uint64_t)head[11 + i % 5] << 40;
    }
}

static void place_code(const uint8_t *head, const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    memset(code, 0, CODE_SIZE); /* C.BSTOP */
    if (head[8] & 1) {
        const GByteArray *before = start[head[8] >> 1 & (STARTS - 1)];

        memcpy(code, before->data, before->len);
        at = before->len;
    }
    memcpy(code + at, bytes, MIN(size, LINX_FUZZ_MAX));
}

static void check_state(const LinxState *state, const LinxRecord *record)
{
    uint64_t bytes = 0;

    for (unsigned i = 0; i < LINX_TILE_SLOTS; i++) {
        bytes += state->tiles.slots[i].size;
    }
    g_assert_true(bytes <= LINX_TILE_TOTAL);
    g_assert_true(state->gpr[0] == 0);
    g_assert_true(!record->trapped || !record->out_of_budget);
}

/* ---- on engines ---- */

/* The reference's end is the engine's, unless it was too early. */
static void check_same(const LinxState *state, const LinxRecord *record,
                       const TesseraBlocks *blocks, const uint8_t *expected)
{
    g_assert_cmpint(blocks->trapped, ==, record->trapped);
    if (record->trapped) {
        g_assert_cmphex(blocks->trapno, ==, linx_trapno(&record->trap));
        g_assert_cmphex(blocks->etpc, ==, record->trap.pc);
        g_assert_cmpuint(blocks->ebarg, ==, record->group);
        g_assert_cmphex(blocks->ebpc, ==, record->bpc);
    }
    g_assert_cmpmem(blocks->gpr, sizeof(state->gpr), state->gpr,
                    sizeof(state->gpr));
    g_assert_cmpmem(data_bytes, DATA_SIZE, expected, DATA_SIZE);
}

static bool run_rig(LinxRig *rig, const uint8_t *head, TesseraBlocks *blocks)
{
    EngineFault fault;

    memset(data_bytes, 0x5a, DATA_SIZE);
    memset(blocks, 0, sizeof(*blocks));
    set_registers(blocks->gpr, head);
    return linx_rig_run(rig, CODE, blocks, PATIENCE, &fault) !=
           ENGINE_KILLED;
}

static void run_rigs(const uint8_t *head, const LinxState *state,
                     const LinxRecord *record)
{
    unsigned strict = head[8] >> 3 & 1;
    uint8_t expected[DATA_SIZE];
    TesseraBlocks blocks;

    memcpy(expected, data_bytes, DATA_SIZE);
    if (run_rig(rigs[0][strict], head, &blocks) && !record->out_of_budget) {
        check_same(state, record, &blocks, expected);
    }
    run_rig(rigs[1][strict], head, &blocks);
}

static void ignore_clash(struct LinxContext *x, const LinxTouch *touch,
                         const LinxClash *clash)
{
    g_assert_true(clash->lanes && clash->kind);
}

void linx_fuzz_run(const uint8_t *data, size_t size)
{
    LinxState state = {
        .memory = { fuzz_read, fuzz_write, NULL },
        .budget = BUDGET,
        .clash = ignore_clash,
    };
    LinxRecord record;
    bool ok;

    if (!code) {
        set_up();
    }
    if (size < LINX_FUZZ_HEAD) {
        return;
    }
    state.overlap = data[8] & 8 ? linx_overlap_new() : NULL;
    memset(data_bytes, 0x5a, DATA_SIZE);
    set_registers(state.gpr, data);
    place_code(data, data + LINX_FUZZ_HEAD, size - LINX_FUZZ_HEAD);
    ok = linx_run(&state, CODE, &record);
    check_state(&state, &record);
    linx_fuzz_counts.runs++;
    linx_fuzz_counts.ends += ok;
    linx_fuzz_counts.traps += record.trapped;
    linx_fuzz_counts.stopped += record.out_of_budget;
    run_rigs(data, &state, &record);
    linx_overlap_free(state.overlap);
    linx_tiles_free(&state.tiles);
}

/* ---- random instructions ---- */

/* Operands that name what is there, more often than chance would. */
static uint64_t likely_operand(uint64_t *seed)
{
    static const uint8_t numbers[] = {
        LINX_VT, LINX_VT + 1, LINX_VU, LINX_REUSE, LINX_REUSE + 8, LINX_RI,
        LINX_RI + 1, LINX_RI + 2, LINX_T, LINX_T + 1, LINX_U, LINX_LC0,
        LINX_LC1, LINX_LB0, LINX_TA, LINX_TA + 1, LINX_TO, LINX_TO + 1,
        LINX_P, LINX_ZERO, LINX_PUSH_T, LINX_PUSH_U,
    };
    uint64_t r = linx_random(seed);

    return numbers[r % sizeof(numbers)] | (r >> 32 & 3 ? 0 : r >> 40 & 7) << 7;
}

static bool is_operand(unsigned field)
{
    return linx_field_kinds[field] == LINX_SOURCE ||
           linx_field_kinds[field] == LINX_DEST;
}

/* An instruction of @row: some fields at random, operands likely ones. */
static uint64_t random_word(const LinxRow *row, uint64_t *seed)
{
    const LinxFormat *format = &linx_formats[row->format];
    uint64_t word = 0, operand[LINX_FIELDS];

    for (unsigned i = 0; i < LINX_FIELDS; i++) {
        operand[i] = likely_operand(seed);
    }
    for (unsigned i = 0; i < LINX_SLICES && format->slices[i].bits; i++) {
        const LinxSlice *slice = &format->slices[i];
        uint64_t value = is_operand(slice->field) ?
                         operand[slice->field] >> slice->to :
                         linx_random(seed) & linx_random(seed) &
                         linx_random(seed);

        word |= (value & ((1ull << slice->bits) - 1)) << slice->at;
    }
    return row->match | (word & ~row->mask);
}

size_t linx_fuzz_mutate(uint8_t *data, size_t size, size_t max,
                        uint64_t *seed)
{
    unsigned n = 1 + linx_random(seed) % 8;
    size_t at = LINX_FUZZ_HEAD;

    if (max < LINX_FUZZ_HEAD) {
        return size;
    }
    if (size < LINX_FUZZ_HEAD) {
        memset(data + size, 0, LINX_FUZZ_HEAD - size);
        data[8] = 1;
        size = LINX_FUZZ_HEAD;
    }
    at += linx_random(seed) % ((size - at) / 2 + 1) * 2;
    while (n--) {
        const LinxRow *row = &linx_rows[linx_random(seed) % LINX_OPS];
        uint8_t bytes[8];

        if (at + row->bits / 8 > max) {
            break;
        }
        linx_put_word(random_word(row, seed), bytes);
        memcpy(data + at, bytes, row->bits / 8);
        at += row->bits / 8;
        size = MAX(size, at);
    }
    return size;
}
