/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LinxISA blocks beside plain C, on one core: what part of memcpy()'s bandwidth
 * copies through tiles have, and how much longer a gather takes than a loop.
 * Ratios of one run, the shortest of several times on either side: processor
 * time of the whole process, which other work on the machine does not lengthen.
 *
 *   build/bench/blocks [RUNS [CASE]]   CASE: a part of its name
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tools/driver.h"
#include "tools/linx-asm.h"

enum {
    TILE = 256 << 10,       /* bytes */
    LANES = TILE / 8,
    SMALL = TILE,           /* hot in the caches */
    LARGE = 64 << 20,
    A0 = 2, A1, A2, A3, A4,
};

typedef struct Case {
    const char *name;
    const char *source;
    size_t bytes;   /* of out */
    size_t table;   /* bytes that a gather takes from; 0: a copy */
    unsigned times; /* that the program does it all */
} Case;

/*
 * a0 from, a1 to, a2 how many, a4 times still to go: blocks that move a tile's
 * worth each, and scalar code that goes on to the next.
 */
#define LOOP(blocks, bodies) \
    "again: bstart.std.fall .\n" \
    "addi a0, 0, ->a5\naddi a1, 0, ->a6\naddi a2, 0, ->a7\n" \
    "next:\n" blocks \
    "bstart.std.cond next\n" \
    "lui 64, ->s1\nadd a5, s1, ->a5\nadd a6, s1, ->a6\n" \
    "subi a7, 1, ->a7\nsetc.ne a7, zero\n" \
    "bstart.std.cond again\nsubi a4, 1, ->a4\nsetc.ne a4, zero\n" \
    "bstart.sys.fall .\nacrc 1\nbstop\n" bodies

#define MPAR "bstart.mpar vs16\nb.dim zero, 32768, ->lb0\n"

static const char through_tile[] = LOOP(
    MPAR "b.ior [a5], []\nb.iot [], last, ->t<256KB>\nb.text load\n"
    MPAR "b.ior [a6], []\nb.iot [t#1], last\nb.text store\n",
    "load: v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd.local vt#1.ud, [to.ud, lc0.uh<<3]\nbstop\n"
    "store: v.ld.local [ta.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd vt#1.ud, [ri0.ud, lc0.uh<<3]\nbstop\n");

static const char to_tile[] = LOOP(
    MPAR "b.ior [a5], []\nb.iot [], last, ->t<256KB>\nb.text load\n"
    "bstart.mpar vs16\nb.iot [t#1], last\nb.text drop\n",
    "load: v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd.local vt#1.ud, [to.ud, lc0.uh<<3]\n"
    "drop: bstop\n");

static const char in_memory[] = LOOP(
    MPAR "b.ior [a5, a6], []\nb.text copy\n",
    "copy: v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
    "v.sd vt#1.ud, [ri1.ud, lc0.uh<<3]\nbstop\n");

/* a3: the table; what is copied are numbers of its elements. */
static const char gather[] = LOOP(
    MPAR "b.ior [a5, a6, a3], []\nb.text gather\n",
    "gather: v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
    "v.ld [ri2.ud, vt#1.ud<<3], ->vu.d\n"
    "v.sd vu#1.ud, [ri1.ud, lc0.uh<<3]\nbstop\n");

static const Case cases[] = {
    { "memory to tile, hot", to_tile, SMALL, 0, 400 },
    { "memory to tile, 64 MiB", to_tile, LARGE, 0, 1 },
    { "memory, tile, memory, hot", through_tile, SMALL, 0, 400 },
    { "memory, tile, memory, 64 MiB", through_tile, LARGE, 0, 1 },
    { "memory to memory, hot", in_memory, SMALL, 0, 400 },
    { "memory to memory, 64 MiB", in_memory, LARGE, 0, 1 },
    { "gather from 256 KiB", gather, 4 << 20, 256 << 10, 4 },
    { "gather from 2 MiB", gather, 4 << 20, 2 << 20, 4 },
    { "gather from 32 MiB", gather, 4 << 20, 32 << 20, 4 },
};

typedef struct Bench {
    Driver *driver;
    uint8_t *from, *to, *table, *code, *scratch;
    uint64_t from_at, to_at, table_at, code_at;
} Bench;

static uint8_t *alloc(Bench *b, size_t size, uint64_t *address)
{
    g_autoptr(GError) error = NULL;
    uint8_t *at = driver_alloc(b->driver, DRIVER_RAM, size, address, &error);

    if (!at) {
        fprintf(stderr, "blocks: %s\n", error->message);
        exit(2);
    }
    return at;
}

static void power_on(Bench *b)
{
    DriverConfig config = { .isa = "gfx900", .workers = 1 };
    g_autoptr(GError) error = NULL;

    b->driver = driver_new(&config, &error);
    if (!b->driver) {
        fprintf(stderr, "blocks: %s\n", error->message);
        exit(2);
    }
    b->from = alloc(b, LARGE, &b->from_at);
    b->to = alloc(b, LARGE, &b->to_at);
    b->table = alloc(b, 32 << 20, &b->table_at);
    b->code = alloc(b, 4096, &b->code_at);
    b->scratch = g_aligned_alloc0(1, LARGE, 4096);
}

static void prepare(Bench *b, const Case *c)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source(c->name, c->source, &error);
    uint64_t random = 1, elements = c->table / 8;

    g_assert_no_error(error);
    memcpy(b->code, code->data, code->len);
    for (size_t i = 0; i < c->bytes / 8; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        ((uint64_t *)b->from)[i] = elements ? (random >> 20) % elements :
                                   random;
    }
    for (size_t i = 0; i < c->table / 8; i++) {
        ((uint64_t *)b->table)[i] = i * 3;
    }
    memset(b->to, 0, c->bytes);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static double run_blocks(Bench *b, const Case *c)
{
    g_autoptr(GError) error = NULL;
    DriverBlocks launch = { .entry = b->code_at };
    DriverOutcome outcome;
    TesseraBlockResult result;
    double start = seconds();

    launch.gpr[A0] = b->from_at;
    launch.gpr[A1] = b->to_at;
    launch.gpr[A2] = c->bytes / TILE;
    launch.gpr[A3] = b->table_at;
    launch.gpr[A4] = c->times;
    if (!driver_run_blocks(b->driver, &launch, &outcome, &result, &error) ||
        outcome.status != DRIVER_DONE) {
        fprintf(stderr, "blocks: %s: %s\n", c->name,
                error ? error->message : "trapped");
        exit(1);
    }
    return seconds() - start;
}

/* The same in C; a compiler must not see that it is done several times. */
static double run_plain(Bench *b, const Case *c)
{
    double start = seconds();

    for (unsigned n = 0; n < c->times; n++) {
        uint64_t *out = (uint64_t *)b->scratch;

        for (size_t at = 0; !c->table && at < c->bytes; at += TILE) {
            uint8_t *tile = c->source == in_memory ? b->to + at : b->scratch;

            memcpy(tile, b->from + at, TILE);
            __asm__ volatile("" : : "r"(tile) : "memory");
            if (c->source == through_tile) {
                memcpy(b->to + at, tile, TILE);
            }
        }
        for (size_t i = 0; c->table && i < c->bytes / 8; i++) {
            out[i] = ((uint64_t *)b->table)[((uint64_t *)b->from)[i]];
        }
        __asm__ volatile("" : : "r"(out) : "memory");
    }
    return seconds() - start;
}

static void check(const Bench *b, const Case *c)
{
    for (size_t i = 0; c->source != to_tile && i < c->bytes / 8; i++) {
        uint64_t from = ((uint64_t *)b->from)[i];

        g_assert_cmpuint(((uint64_t *)b->to)[i], ==,
                         c->table ? from * 3 : from);
    }
}

static void measure(Bench *b, const Case *c, unsigned runs)
{
    double blocks = 1e9, plain = 1e9, bytes = (double)c->bytes * c->times;

    prepare(b, c);
    for (unsigned i = 0; i < runs; i++) {
        blocks = MIN(blocks, run_blocks(b, c));
        if (i == 0) {
            check(b, c);
        }
        plain = MIN(plain, run_plain(b, c));
    }
    if (c->table) {
        printf("%-30s %6.2f ns an element, C %6.2f ns: %.2f times as long\n",
               c->name, blocks * 8e9 / bytes, plain * 8e9 / bytes,
               blocks / plain);
    } else {
        printf("%-30s %6.2f GB/s, memcpy %6.2f GB/s: ratio %.2f\n", c->name,
               bytes / blocks / 1e9, bytes / plain / 1e9, plain / blocks);
    }
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 7;
    Bench b = { 0 };

    if (runs < 1 || runs > 1000) {
        fprintf(stderr, "usage: blocks [RUNS [CASE]]   1 to 1000, not %s\n",
                argv[1]);
        return 2;
    }
    power_on(&b);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        if (argc < 3 || strstr(cases[i].name, argv[2])) {
            measure(&b, &cases[i], runs);
        }
    }
    g_aligned_free(b.scratch);
    driver_free(b.driver);
    return 0;
}
