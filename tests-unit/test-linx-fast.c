/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and stores of whole groups by the fast handlers of each host level,
 * beside the reference executor, which moves lane by lane: the same memory, the
 * same trap.  Addresses are those for which there are several ways: lanes in a
 * row, in steps, anywhere, across pages that are neighbours on the host and
 * that are not, at the ends of memory and of a tile and beyond.
 */
#include <string.h>
#include "linx-lanes.h"
#include "linx-data.h"
#include "linx-rig.h"
#include "tools/linx-asm.h"

enum { CASES = 1500, TILE = 4096 };

typedef struct Gen {
    uint64_t seed;
    LinxLanes *l;
    bool is_local;
    unsigned size;   /* log2 of bytes */
    unsigned traps, ends;
} Gen;

static uint64_t pick(Gen *g, uint64_t below)
{
    return linx_random(&g->seed) % below;
}

/* Offsets from ri1, or from the tile, so that most cases do not trap. */
static void make_offsets(Gen *g)
{
    uint64_t room = g->is_local ? TILE : LANES_END - LANES_FREE;
    uint64_t bytes = 1u << g->size, start = pick(g, room - 64 * bytes);
    unsigned kind = pick(g, 6), odd = pick(g, 64);

    for (unsigned i = 0; i < 64; i++) {
        uint64_t at = kind == 0 ? start + i * bytes :
                      kind == 1 ? start - start % bytes + i * bytes :
                      kind == 2 ? start % (room / 2) +
                                  i * (room / 2 / 64 / bytes * bytes) :
                      kind == 3 ? pick(g, room / bytes) * bytes :
                      kind == 4 ? pick(g, room - bytes + 1) :
                                  start + (63 - i) * bytes;

        g->l->a[i] = at;
        g->l->b[i] = linx_lanes_random(&g->seed);
    }
    if (pick(g, 8) == 0) { /* the last bytes, or where nothing is */
        g->l->a[odd] = room - (pick(g, 2) ? bytes : 0);
        g->l->a[odd] += g->is_local ? pick(g, 2) : 0;
    }
}

static void make_mask(Gen *g)
{
    unsigned n = pick(g, 65);
    uint64_t low = n < 64 ? (1ull << n) - 1 : ~0ull;
    const uint64_t masks[] = { ~0ull, ~0ull, low, linx_random(&g->seed),
                               1ull << pick(g, 64), 0 };

    g->l->p = masks[pick(g, G_N_ELEMENTS(masks))];
}

/* A load to vn or a store of vu#1, whose lanes go where vt#1 says. */
static char *instruction(Gen *g, bool is_store)
{
    static const char *const loads[2][4] = {
        { "lb", "lh", "lw", "ld" }, { "lbu", "lhu", "lwu", "ld" },
    };
    static const char *const stores[] = { "sb", "sh.u", "sw.u", "sd.u" };
    const char *local = g->is_local ? ".local" : "";
    const char *base = g->is_local ? "to.ud" : "ri1.ud";

    if (is_store) {
        return g_strdup_printf("v.%s%s vu#1.ud, [%s, vt#1.ud]",
                               stores[g->size], local, base);
    }
    return g_strdup_printf("v.%s%s [%s, vt#1.ud], ->vn.%c",
                           loads[pick(g, 2)][g->size], local, base,
                           g->l->result_width);
}

static void run(Gen *g)
{
    static const char widths[] = "bhwd";
    LinxLanes *l = g->l;
    bool is_store;
    g_autofree char *text = NULL;

    g->size = pick(g, 4);
    g->is_local = pick(g, 2);
    is_store = pick(g, 2);
    l->result_width = widths[g->size + pick(g, 4 - g->size)];
    /* What a tile holds shows when it is loaded back. */
    l->has_tile = true;
    l->more = is_store && g->is_local ?
              "v.ld.local [to.ud, lc0.uh<<3], ->vn.d" : NULL;
    if (l->more) {
        l->result_width = 'd';
    } else if (is_store) {
        l->more = "v.addi zero.ud, 0, ->vn.d";
        l->result_width = 'd';
    }
    make_offsets(g);
    make_mask(g);
    text = instruction(g, is_store);
    if (linx_lanes_run(l, text, "n")) {
        g->ends++;
    } else {
        g->traps++;
    }
}

static void fill(Gen *g)
{
    for (uint64_t at = LANES_FREE; at < LANES_END; at += 8) {
        linx_lanes_put(g->l, at, linx_random(&g->seed), 8);
    }
}

static void test_accesses(void)
{
    Gen g = { .seed = 5, .l = linx_lanes_new() };

    fill(&g);
    for (unsigned i = 0; i < CASES; i++) {
        run(&g);
    }
    g_test_message("%u ends, %u traps", g.ends, g.traps);
    g_assert_cmpuint(g.ends, >, CASES / 2);
    g_assert_cmpuint(g.traps, >, CASES / 100);
    g_free(g.l);
}

/* ---- what is known of more than a page ---- */

enum {
    CODE = 0x10000, INDEX = 0x20000, OUT = 0x30000, ITEMS = 0x10000 / 8,
    HALF = 0x10000, EDGE = ENGINE_STRETCH, TABLE = EDGE - HALF,
};

/* A table on both sides of where one stretch ends and another begins. */
typedef struct Table {
    uint8_t code[ENGINE_PAGE];
    uint64_t index[ITEMS], out[ITEMS];
    uint8_t half[3][HALF];
    bool apart;  /* of its halves something lies in between on the host */
} __attribute__((aligned(ENGINE_PAGE))) Table;

static uint8_t *table_half(Table *t, unsigned half)
{
    return t->half[half << t->apart];
}

static uint8_t *table_page(void *opaque, uint64_t va, bool *writable)
{
    Table *t = opaque;

    *writable = true;
    if (va >= TABLE && va < EDGE + HALF) {
        return table_half(t, va >= EDGE) + va % HALF;
    }
    return va == CODE ? t->code :
           va >= INDEX && va < INDEX + sizeof(t->index) ?
           (uint8_t *)t->index + (va - INDEX) :
           va >= OUT && va < OUT + sizeof(t->out) ?
           (uint8_t *)t->out + (va - OUT) : NULL;
}

static void gather_table(Table *t, TesseraHostLevel level)
{
    static const char source[] =
        "bstart.mpar vs16\nb.dim zero, 8192, ->lb0\n"
        "b.ior [a0, a1, a2], []\nb.text gather\n"
        "bstart.sys.fall .\nacrc 1\nbstop\n"
        "gather: v.ld [ri0.ud, lc0.uh<<3], ->vt.d\n"
        "v.ld [ri2.ud, vt#1.ud], ->vu.d\n"
        "v.sd vu#1.ud, [ri1.ud, lc0.uh<<3]\nbstop\n";
    g_autoptr(GByteArray) code = linx_asm_source("gather", source, NULL);
    TesseraBlocks blocks = { .gpr = { [2] = INDEX, OUT, TABLE } };
    LinxRig *rig = linx_rig_new(&(LinxRigConfig) {
        .workers = 1, .find = table_page, .level = level, .opaque = t,
    });
    EngineFault fault;

    memcpy(t->code, code->data, code->len);
    memset(t->out, 0, sizeof(t->out));
    g_assert_cmpint(linx_rig_run(rig, CODE, &blocks, 0, &fault), ==,
                    ENGINE_DONE);
    linx_rig_free(rig);
}

static void check_table(Table *t)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        uint64_t at = t->index[i], expected = 0;

        for (unsigned n = 0; n < 8; n++, at++) {
            expected |= (uint64_t)table_half(t, at / HALF)[at % HALF] <<
                        8 * n;
        }
        g_assert_cmphex(t->out[i], ==, expected);
    }
}

static void test_stretches(void)
{
    Table *t = g_aligned_alloc0(1, sizeof(*t), ENGINE_PAGE);
    uint64_t seed = 9;

    for (unsigned i = 0; i < sizeof(t->half); i++) {
        ((uint8_t *)t->half)[i] = linx_random(&seed);
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        t->index[i] = linx_random(&seed) % (2 * HALF - 7);
    }
    for (TesseraHostLevel i = 0; i < TESSERA_LEVELS; i++) {
        for (unsigned apart = 0; tessera_host_has(i) && apart < 2; apart++) {
            t->apart = apart;
            gather_table(t, i);
            check_table(t);
        }
    }
    g_aligned_free(t);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/fast/accesses", test_accesses);
    g_test_add_func("/linx/fast/stretches", test_stretches);
    argc = g_test_run();
    linx_lanes_end();
    return argc;
}
