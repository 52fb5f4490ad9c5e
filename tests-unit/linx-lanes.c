/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "linx-data.h"
#include "linx-lanes.h"
#include "linx-rig.h"
#include "tools/linx-asm.h"

/* Where operands and results are, from LANES_DATA on. */
enum {
    AT_A = 0, AT_B = 0x200, AT_C = 0x400, AT_RESULT = 0x600, AT_P = 0x800,
    AT_T = 0x808, AT_P_AFTER = 0x810, AT_T_AFTER = 0x818, AT_CSTATE = 0x820,
};

bool linx_covered[LINX_OPS];

static uint8_t *place(LinxLanes *l, uint64_t address, size_t size)
{
    if (address < LANES_CODE || address > LANES_END - size) {
        return NULL;
    }
    return l->memory + (address - LANES_CODE);
}

static bool lanes_read(void *opaque, uint64_t address, void *data,
                       size_t size)
{
    uint8_t *at = place(opaque, address, size);

    if (at) {
        memcpy(data, at, size);
    }
    return at;
}

static bool lanes_write(void *opaque, uint64_t address, const void *data,
                        size_t size)
{
    uint8_t *at = place(opaque, address, size);

    if (at) {
        memcpy(at, data, size);
    }
    return at;
}

static uint64_t lanes_time(void *opaque)
{
    (void)opaque;
    return 0x123456789abc;
}

LinxLanes *linx_lanes_new(void)
{
    LinxLanes *l = g_new0(LinxLanes, 1);

    strcpy(l->widths, "ddd");
    l->result_width = l->t_width = 'd';
    l->p = ~0ull;
    return l;
}

uint64_t linx_lanes_word(const LinxLanes *l, uint64_t address, unsigned bytes)
{
    uint64_t value = 0;

    memcpy(&value, place((LinxLanes *)l, address, bytes), bytes);
    return value;
}

void linx_lanes_put(LinxLanes *l, uint64_t address, uint64_t value,
                    unsigned bytes)
{
    memcpy(place(l, address, bytes), &value, bytes);
}

uint64_t linx_lanes_random(uint64_t *state)
{
    static const uint64_t edges[] = {
        0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
        0x80000000, 0xffffffff, INT64_MAX, 1ull << 63, ~0ull, ~1ull,
        0xffffffff80000000, 0xffffffffffff8000, 0x8080808080808080,
        0x7fff8000ffff0001,
    };
    uint64_t r = linx_random(state);

    switch (r & 7) {
    case 0:
    case 1:
    case 2:
        return edges[(r >> 3) % G_N_ELEMENTS(edges)];
    case 3:
        return linx_random(state) >> (r >> 3 & 63);
    default:
        return linx_random(state);
    }
}

/* ---- the same on the engine ---- */

enum {
    PAGE = ENGINE_PAGE,
    PAGES = (LANES_END - LANES_CODE) / PAGE,
    IN_ORDER = PAGES - 4, /* the others lie the other way round on the host */
};

/* Its translations live on: all runs are in the same memory. */
static struct {
    LinxRig *rig[TESSERA_LEVELS]; /* those that the host has */
    uint8_t memory[PAGES][PAGE] __attribute__((aligned(PAGE)));
} engine;

static uint8_t *page_at(unsigned page)
{
    return engine.memory[page < IN_ORDER ? page :
                         PAGES - 1 - (page - IN_ORDER)];
}

static uint8_t *engine_page(void *opaque, uint64_t va, bool *writable)
{
    (void)opaque;
    *writable = true;
    return va >= LANES_CODE && va < LANES_END ?
           page_at((va - LANES_CODE) / PAGE) : NULL;
}

static bool same_memory(const uint8_t *memory)
{
    for (unsigned i = 0; i < PAGES; i++) {
        if (memcmp(page_at(i), memory + i * PAGE, PAGE)) {
            return false;
        }
    }
    return true;
}

void linx_lanes_end(void)
{
    for (unsigned i = 0; i < TESSERA_LEVELS; i++) {
        g_clear_pointer(&engine.rig[i], linx_rig_free);
    }
}

static void check_record(const LinxRecord *record, const TesseraBlocks *b)
{
    g_assert_cmphex(b->trapno, ==, linx_trapno(&record->trap));
    g_assert_cmphex(b->traparg0, ==, record->arg);
    g_assert_cmphex(b->ebpc, ==, record->bpc);
    g_assert_cmphex(b->etpc, ==, record->trap.pc);
    g_assert_cmphex(b->ebarg, ==, record->group);
    g_assert_cmpint(b->ecstate != 0, ==, record->in_body);
}

/*
 * Run what l->memory was, @before, with the fast handlers of @level, and
 * compare with what it has become.
 */
static void run_on_engine(const LinxLanes *l, TesseraHostLevel level,
                          const uint8_t *before, const char *source)
{
    const LinxRigConfig config = {
        .workers = 1, .find = engine_page, .level = level,
    };
    TesseraBlocks blocks = { .gpr[4] = l->ro };
    EngineFault fault;

    if (!engine.rig[level]) {
        engine.rig[level] = linx_rig_new(&config);
    }
    for (unsigned i = 0; i < PAGES; i++) {
        memcpy(page_at(i), before + i * PAGE, PAGE);
    }
    linx_rig_run(engine.rig[level], LANES_CODE, &blocks, 0, &fault);
    if (blocks.trapped != l->record.trapped || blocks.gpr[4] != l->ro_after ||
        !same_memory(l->memory)) {
        g_error("the engine's level %u makes something else of\n%s", level,
                source);
    }
    if (blocks.trapped) {
        check_record(&l->record, &blocks);
    }
}

/* ---- running ---- */

static char *source_of(const LinxLanes *l, const char *body)
{
    g_autofree char *frm = l->frm ? g_strdup_printf(
        "addi zero, %u, ->a3\nslli a3, 37, ->a3\nssrset a3, 0x20\n",
        l->frm) : g_strdup("");

    return g_strdup_printf(
        "bstart.std.fall .\n"
        "lui 32, ->a0\nlui 40, ->a1\n%s%s"
        "bstart.%s vs16\nb.dim zero, %u, ->lb0\n"
        "b.ior [a0, a1], [a2]\n%sb.text body\n"
        "bstart.sys.fall .\n%sacrc 1\nbstop\n"
        "body:\n%s\nbstop\n", frm, l->before ? l->before : "",
        l->kind ? l->kind : "mpar", l->live ? l->live : 64,
        l->has_tile ? "b.iot [], last, ->t<4KB>\n" : "",
        l->after ? l->after : "", body);
}

bool linx_lanes_body(LinxLanes *l, const char *body)
{
    g_autofree char *source = source_of(l, body);
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source("lanes", source, &error);
    LinxState state = {
        .budget = 100000,
        .memory = { lanes_read, lanes_write, l, lanes_time },
    };
    static uint8_t before[sizeof(l->memory)];

    if (error) {
        g_error("%s\n%s", error->message, body);
    }
    memcpy(l->memory, code->data, code->len);
    memcpy(before, l->memory, sizeof(l->memory));
    state.gpr[4] = l->ro;
    linx_run(&state, LANES_CODE, &l->record);
    linx_tiles_free(&state.tiles);
    g_assert_false(l->record.out_of_budget);
    l->ro_after = state.gpr[4];
    for (TesseraHostLevel i = 0; i < TESSERA_LEVELS; i++) {
        if (tessera_host_has(i)) {
            run_on_engine(l, i, before, source);
        }
    }
    return !l->record.trapped;
}

void linx_lanes_covered(const char *instruction)
{
    g_autoptr(GError) error = NULL;
    LinxInst inst;

    linx_assemble(instruction, NULL, NULL, &inst, &error);
    g_assert_no_error(error);
    linx_covered[inst.op] = true;
}

static void put_lanes(LinxLanes *l, unsigned at, const uint64_t *value)
{
    for (unsigned i = 0; i < 64; i++) {
        linx_lanes_put(l, LANES_DATA + at + 8 * i, value[i], 8);
    }
}

static void add_load(GString *body, unsigned at, char width,
                     const char *queue)
{
    static const char names[] = "dwhb";
    static const char *const loads[] = { "v.ld", "v.lwu", "v.lhu", "v.lbu" };

    g_string_append_printf(body, "l.addi ri0.ud, %u, ->t.d\n"
                           "%s [t#1.ud, lc0.uh<<3], ->%s.%c\n", at,
                           loads[strchr(names, width) - names], queue,
                           width);
}

static char *body_of(const LinxLanes *l, const char *instruction,
                     const char *takes)
{
    GString *body = g_string_new(NULL);

    add_load(body, AT_C, l->widths[2], "vm");
    add_load(body, AT_B, l->widths[1], "vu");
    add_load(body, AT_A, l->widths[0], "vt");
    g_string_append_printf(body, "%s\nl.ldi [ri0.ud, %u], ->t.d\n"
                           "l.addi t#1.ud, 0, ->p.d\n"
                           "l.ldi [ri0.ud, %u], ->t.d\n%s\n",
                           l->setup ? l->setup : "", AT_P, AT_T,
                           instruction);
    if (l->more) {
        g_string_append_printf(body, "%s\n", l->more);
    }
    if (strchr(takes, 't')) {
        g_string_append_printf(body, "l.sdi t#1.u%c, [ri0.ud, %u]\n",
                               l->t_width, AT_T_AFTER);
    }
    g_string_append_printf(body, "l.addi p.ud, 0, ->t.d\n"
                           "l.sdi t#1.ud, [ri0.ud, %u]\n"
                           "ssrget 0x20, ->t\n"
                           "l.sdi t#1.ud, [ri0.ud, %u]\n",
                           AT_P_AFTER, AT_CSTATE);
    if (l->end) {
        g_string_append_printf(body, "l.xori zero.ud, -1, ->p.d\n%s\n",
                               l->end);
    }
    if (strchr(takes, 'n')) {
        g_string_append_printf(body, "l.xori zero.ud, -1, ->p.d\n"
                               "l.addi ri0.ud, %u, ->t.d\n"
                               "v.sd vn#1.u%c, [t#1.ud, lc0.uh<<3]\n",
                               AT_RESULT, l->result_width);
    }
    return g_string_free(body, FALSE);
}

bool linx_lanes_run(LinxLanes *l, const char *instruction, const char *takes)
{
    g_autofree char *body = body_of(l, instruction, takes);

    linx_lanes_covered(instruction);
    put_lanes(l, AT_A, l->a);
    put_lanes(l, AT_B, l->b);
    put_lanes(l, AT_C, l->c);
    linx_lanes_put(l, LANES_DATA + AT_P, l->p, 8);
    linx_lanes_put(l, LANES_DATA + AT_T, l->t, 8);
    if (!linx_lanes_body(l, body)) {
        return false;
    }
    for (unsigned i = 0; i < 64; i++) {
        l->result[i] = linx_lanes_word(l, LANES_DATA + AT_RESULT + 8 * i, 8);
    }
    l->p_after = linx_lanes_word(l, LANES_DATA + AT_P_AFTER, 8);
    l->t_after = linx_lanes_word(l, LANES_DATA + AT_T_AFTER, 8);
    l->cstate = linx_lanes_word(l, LANES_DATA + AT_CSTATE, 8);
    return true;
}
