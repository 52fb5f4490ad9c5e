/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads, stores, atomics and bridge moves (linx-blocks sections 9.3 and 10),
 * against an array of bytes.  What is in tiles is copied there from memory
 * first, and back at the end.
 */
#include <string.h>
#include "linx-ops.h"

enum {
    SIZE = 4096,        /* bytes, at LANES_FREE */
    BACK = LANES_FREE + SIZE, /* of the tile, at the end */
};

typedef struct Bytes {
    uint8_t memory[SIZE], tile[SIZE];
} Bytes;

/* 512 bytes at a time. */
static char *copies(const char *pattern)
{
    GString *text = g_string_new(NULL);

    for (unsigned at = 0; at < SIZE; at += 512) {
        g_string_append_printf(text, pattern, at, at);
    }
    return g_string_free(text, FALSE);
}

static char *copy_in(void)
{
    return copies("l.addi ri1.ud, %u, ->t.d\nv.ld [t#1.ud, lc0.uh<<3], "
                  "->vn.d\nl.addi to.ud, %u, ->t.d\n"
                  "v.sd.local vn#1.ud, [t#1.ud, lc0.uh<<3]\n");
}

static char *copy_out(void)
{
    return copies("l.addi to.ud, %u, ->t.d\nv.ld.local [t#1.ud, lc0.uh<<3], "
                  "->vn.d\nl.addi ri1.ud, 4095, ->t.d\n"
                  "l.addi t#1.ud, 1, ->t.d\nl.addi t#1.ud, %u, ->t.d\n"
                  "v.sd vn#1.ud, [t#1.ud, lc0.uh<<3]\n");
}

static void fill(LinxLanes *l, Bytes *bytes, uint64_t *state)
{
    for (unsigned i = 0; i < SIZE; i += 8) {
        uint64_t value = linx_random(state);

        memcpy(bytes->memory + i, &value, 8);
        linx_lanes_put(l, LANES_FREE + i, value, 8);
    }
    memcpy(bytes->tile, bytes->memory, SIZE);
}

static void check_bytes(const char *what, const LinxLanes *l,
                        const Bytes *bytes)
{
    const uint8_t *memory = l->memory + (LANES_FREE - LANES_CODE);

    for (unsigned i = 0; i < SIZE; i++) {
        if (memory[i] != bytes->memory[i] ||
            (l->has_tile && memory[SIZE + i] != bytes->tile[i])) {
            g_test_message("%s: byte %u", what, i);
            g_test_fail();
            return;
        }
    }
}

static uint64_t bytes_at(const uint8_t *bytes, unsigned at, unsigned size,
                         bool is_signed)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < 1u << size; i++) {
        value |= (uint64_t)bytes[at + i] << (8 * i);
    }
    return is_signed ? typed(value, 4 + 3 - size) : value;
}

static void put_bytes(uint8_t *bytes, unsigned at, unsigned size,
                      uint64_t value)
{
    for (unsigned i = 0; i < 1u << size; i++) {
        bytes[at + i] = value >> (8 * i);
    }
}

/* ---- the 64-bit forms ---- */

typedef struct Row {
    const char *name;
    unsigned size; /* log2 of bytes */
    bool is_signed, has_imm, scales;
} Row;

static const Row loads[] = {
    { "lb", 0, 1, 0, 0 }, { "lh", 1, 1, 0, 0 }, { "lw", 2, 1, 0, 0 },
    { "ld", 3, 1, 0, 0 }, { "lbu", 0, 0, 0, 0 }, { "lhu", 1, 0, 0, 0 },
    { "lwu", 2, 0, 0, 0 },
    { "lbi", 0, 1, 1, 1 }, { "lhi", 1, 1, 1, 1 }, { "lwi", 2, 1, 1, 1 },
    { "ldi", 3, 1, 1, 1 }, { "lbui", 0, 0, 1, 1 }, { "lhui", 1, 0, 1, 1 },
    { "lwui", 2, 0, 1, 1 },
    { "lhi.u", 1, 1, 1, 0 }, { "lwi.u", 2, 1, 1, 0 },
    { "ldi.u", 3, 1, 1, 0 }, { "lhui.u", 1, 0, 1, 0 },
    { "lwui.u", 2, 0, 1, 0 },
};

static const Row stores[] = {
    { "sb", 0, 0, 0, 1 }, { "sh", 1, 0, 0, 1 }, { "sw", 2, 0, 0, 1 },
    { "sd", 3, 0, 0, 1 },
    { "sh.u", 1, 0, 0, 0 }, { "sw.u", 2, 0, 0, 0 }, { "sd.u", 3, 0, 0, 0 },
    { "sbi", 0, 0, 1, 1 }, { "shi", 1, 0, 1, 1 }, { "swi", 2, 0, 1, 1 },
    { "sdi", 3, 0, 1, 1 },
    { "shi.u", 1, 0, 1, 0 }, { "swi.u", 2, 0, 1, 0 },
    { "sdi.u", 3, 0, 1, 0 },
};

/* Where lanes go: from the base, of which the address is known. */
typedef struct Place {
    bool local, consecutive;
    unsigned shift; /* of the offset in vu#1, without that of the size */
    unsigned imm;   /* bytes */
} Place;

static Place draw_place(const Row *row, LinxLanes *l, bool is_store,
                        uint64_t *state)
{
    uint64_t r = linx_random(state);
    Place place = { .local = r & 1, .consecutive = r >> 1 & 1 };
    unsigned scale = is_store && row->scales && !row->has_imm ? row->size : 0;

    place.shift = scale + (r >> 2 & 3);
    place.imm = r >> 8 & 1023;
    if (row->scales) {
        place.imm &= ~0u << row->size;
    }
    for (unsigned i = 0; i < 64; i++) {
        l->b[i] = linx_random(state) % (SIZE >> 3 >> scale) >> 1;
    }
    return place;
}

static char *address_text(const Row *row, const Place *place)
{
    const char *base = place->local ? "to.ud" : "ri1.ud";

    if (row->has_imm) {
        return place->consecutive ?
               g_strdup_printf("[%s, %u]", base, place->imm) :
               g_strdup_printf("[vu#1.ud, %u]", place->imm);
    }
    if (place->consecutive) {
        return g_strdup_printf("[%s, t#1.ud<<%u]", base, place->shift);
    }
    return g_strdup_printf("[%s, vu#1.uh<<%u]", base, place->shift);
}

/* The byte of lane @i, from the beginning of the array. */
static unsigned lane_at(const Row *row, const Place *place,
                        const LinxLanes *l, unsigned i)
{
    unsigned at = row->has_imm ? place->imm : 0;

    if (place->consecutive) {
        at += i << row->size;
        return row->has_imm ? at : at + (l->t << place->shift);
    }
    return row->has_imm ? at + l->b[i] : at + (l->b[i] << place->shift);
}

/* Immediate forms without C have the whole address in vu#1. */
static char *setup_of(const Row *row, const Place *place, LinxLanes *l)
{
    g_autofree char *in = copy_in();
    bool whole = row->has_imm && !place->consecutive;

    l->widths[1] = whole ? 'd' : 'h';
    return g_strdup_printf("%s%s", in, !whole ? "" : place->local ?
                           "v.add vu#1.ud, to.ud, ->vu.d\n" :
                           "v.add vu#1.ud, ri1.ud, ->vu.d\n");
}

static void prepare(LinxLanes *l, const Row *row, const Place *place,
                    Bytes *bytes, uint64_t *state)
{
    fill(l, bytes, state);
    l->has_tile = true;
    l->t = linx_random(state) & 63;
    l->p = linx_random(state);
    g_free((char *)l->setup);
    l->setup = setup_of(row, place, l);
}

static void run_load(LinxLanes *l, const Row *row, uint64_t *state)
{
    Place place = draw_place(row, l, false, state);
    unsigned width = row->size + linx_random(state) % (4 - row->size);
    g_autofree char *address = address_text(row, &place);
    g_autofree char *text = g_strdup_printf(
        "v.%s%s%s %s, ->vn.%c", row->name, place.local ? ".local" : "",
        place.consecutive ? ".c" : "", address, widths[width]);
    Bytes bytes;

    prepare(l, row, &place, &bytes, state);
    l->result_width = widths[width];
    if (!linx_lanes_run(l, text, "n")) {
        g_test_message("%s: trap %u/%u", text, l->record.trap.number,
                       l->record.trap.cause);
        g_test_fail();
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        uint64_t value = bytes_at(place.local ? bytes.tile : bytes.memory,
                                  lane_at(row, &place, l, i), row->size,
                                  row->is_signed);

        check_value(text, i, l->result[i], l->p >> i & 1 ?
                    cut(value, width) : 0);
    }
}

static void lanes_free(LinxLanes *l)
{
    g_free((char *)l->setup);
    g_free((char *)l->end);
    g_free(l);
}

static void test_loads(void)
{
    LinxLanes *l = linx_lanes_new();
    uint64_t state = 51;

    for (unsigned i = 0; i < G_N_ELEMENTS(loads); i++) {
        for (unsigned n = 0; n < 16; n++) {
            run_load(l, &loads[i], &state);
        }
    }
    lanes_free(l);
}

static void run_store(LinxLanes *l, const Row *row, uint64_t *state)
{
    Place place = draw_place(row, l, true, state);
    unsigned type = linx_random(state) & 7;
    g_autofree char *address = address_text(row, &place);
    g_autofree char *text = g_strdup_printf(
        "v.%s%s%s vt#1.%s, %s", row->name, place.local ? ".local" : "",
        place.consecutive ? ".c" : "", int_types[type], address);
    Bytes bytes;

    prepare(l, row, &place, &bytes, state);
    for (unsigned i = 0; i < 64; i++) {
        l->a[i] = linx_random(state);
    }
    l->widths[0] = widths[type_size(type)];
    if (!linx_lanes_run(l, text, "")) {
        g_test_message("%s: trap %u/%u", text, l->record.trap.number,
                       l->record.trap.cause);
        g_test_fail();
        return;
    }
    for (unsigned i = 0; i < 64; i++) { /* in the order of lanes */
        if (l->p >> i & 1) {
            put_bytes(place.local ? bytes.tile : bytes.memory,
                      lane_at(row, &place, l, i), row->size,
                      typed(l->a[i], type));
        }
    }
    check_bytes(text, l, &bytes);
}

static void test_stores(void)
{
    LinxLanes *l = linx_lanes_new();
    uint64_t state = 52;

    l->end = copy_out();
    for (unsigned i = 0; i < G_N_ELEMENTS(stores); i++) {
        for (unsigned n = 0; n < 16; n++) {
            run_store(l, &stores[i], &state);
        }
    }
    lanes_free(l);
}

static void test_narrow(void)
{
    check_trapping("v.lw [ri0.ud, zero.ud], ->vn.h", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.lhui [ri0.ud, 0], ->vn.b", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.ld.c [zero.ud, t#1.ud], ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.ld.c [ri0.ud, lc0.uh], ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
}

/* ---- atomics ---- */

static uint64_t atomic_model(unsigned what, unsigned size, bool is_signed,
                             uint64_t old, uint64_t operand)
{
    unsigned type = (is_signed ? 4 : 0) + 3 - size;
    uint64_t a = typed(old, type), b = typed(operand, type);
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

    switch (what) {
    case 0:
        return a + b;
    case 1:
        return a & b;
    case 2:
        return a | b;
    case 3:
        return a ^ b;
    case 4:
        return less ? b : a;
    default:
        return less ? a : b;
    }
}

static void run_atomic(LinxLanes *l, unsigned what, unsigned size,
                       bool returns, uint64_t *state)
{
    static const char *const names[] = {
        "add", "and", "or", "xor", "max", "min"
    };
    unsigned type = linx_random(state) & 7, flags = linx_random(state);
    g_autofree char *text = g_strdup_printf(
        "v.%c%c.%s%s%s%s [vu#1.ud], vt#1.%s%s", returns ? 'l' : 's',
        widths[size], names[what], returns && flags & 1 ? ".aq" : "",
        flags & 2 ? ".rl" : "", flags & 4 ? ".far" : "", int_types[type],
        returns ? ", ->vn.d" : "");
    Bytes bytes;

    fill(l, &bytes, state);
    l->p = linx_random(state);
    for (unsigned i = 0; i < 64; i++) { /* few places: many meet */
        l->a[i] = linx_lanes_random(state);
        l->b[i] = LANES_FREE + ((linx_random(state) & 15) << size);
    }
    l->widths[0] = widths[type_size(type)];
    g_assert_true(linx_lanes_run(l, text, returns ? "n" : ""));
    for (unsigned i = 0; i < 64; i++) {
        unsigned at = l->b[i] - LANES_FREE;
        uint64_t old = bytes_at(bytes.memory, at, size, true);

        if (l->p >> i & 1) {
            put_bytes(bytes.memory, at, size,
                      atomic_model(what, size, type >= 4, old,
                                   typed(l->a[i], type)));
        }
        if (returns) {
            check_value(text, i, l->result[i], l->p >> i & 1 ? old : 0);
        }
    }
    check_bytes(text, l, &bytes);
}

static void test_atomics(void)
{
    LinxLanes *l = linx_lanes_new();
    uint64_t state = 53;

    for (unsigned n = 0; n < 24 * 8; n++) {
        run_atomic(l, n % 6, n / 6 % 2 ? 3 : 2, n / 12 % 2, &state);
    }
    lanes_free(l);
    check_trapping("l.addi ri0.ud, 4, ->t.d\nv.ld.add [t#1.ud], lc0.uh, "
                   "->vn.d", LINX_E_DATA, LINX_DATA_LOAD_MISALIGNED);
    check_trapping("l.addi ri0.ud, 2, ->t.d\nv.sw.xor [t#1.ud], lc0.uh",
                   LINX_E_DATA, LINX_DATA_STORE_MISALIGNED);
}

/* ---- bridge moves ---- */

static void run_bridge(LinxLanes *l, const Row *load, const Row *store,
                       uint64_t *state)
{
    Place from = draw_place(load, l, false, state), to = from;
    g_autofree char *load_address = NULL, *store_address = NULL;
    g_autofree char *load_text = NULL, *store_text = NULL;
    Bytes bytes;

    /* From one space to another; the store's lanes follow each other. */
    to = (Place) { .local = !from.local, .consecutive = true,
                   .shift = store->scales ? store->size : 0,
                   .imm = 64u << store->size };
    load_address = address_text(load, &from);
    store_address = store->has_imm ?
        g_strdup_printf("[%s, %u]", to.local ? "to.ud" : "ri1.ud", to.imm) :
        g_strdup_printf("[%s, t#2.ud<<%u]", to.local ? "to.ud" : "ri1.ud",
                        to.shift);
    load_text = g_strdup_printf("v.%s.brg%s%s %s, ->t.d", load->name,
                                from.local ? ".local" : "",
                                from.consecutive ? ".c" : "", load_address);
    store_text = g_strdup_printf("v.%s.brg%s.c t#1.ud, %s", store->name,
                                 to.local ? ".local" : "", store_address);
    prepare(l, load, &from, &bytes, state);
    linx_lanes_covered(store_text);
    l->more = store_text;
    if (!linx_lanes_run(l, load_text, "")) {
        g_test_message("%s, %s: trap %u/%u", load_text, store_text,
                       l->record.trap.number, l->record.trap.cause);
        g_test_fail();
    }
    l->more = NULL;
    for (unsigned i = 0; i < 64; i++) {
        unsigned at = (i << store->size) +
                      (store->has_imm ? to.imm : l->t << to.shift);
        uint64_t value = bytes_at(from.local ? bytes.tile : bytes.memory,
                                  lane_at(load, &from, l, i), load->size,
                                  false);

        if (l->p >> i & 1) {
            put_bytes(to.local ? bytes.tile : bytes.memory, at, store->size,
                      value);
        }
    }
    check_bytes(store_text, l, &bytes);
}

static void test_bridges(void)
{
    LinxLanes *l = linx_lanes_new();
    uint64_t state = 54;

    l->end = copy_out();
    for (unsigned i = 0; i < G_N_ELEMENTS(loads); i++) {
        for (unsigned n = 0; n < G_N_ELEMENTS(stores); n++) {
            if (loads[i].size == stores[n].size) {
                run_bridge(l, &loads[i], &stores[n], &state);
            }
        }
    }
    lanes_free(l);
}

/* Only lanes that are active at both are moved. */
static void test_bridge_masks(void)
{
    LinxLanes *l = linx_lanes_new();
    uint64_t state = 56;
    Bytes bytes;

    fill(l, &bytes, &state);
    l->p = 0xfffff00ff00ff0ff;
    l->more = "l.addi zero.ud, 0xff0, ->p.d\n"
              "v.sbi.brg.c t#1.ud, [ri1.ud, 1024]";
    linx_lanes_run(l, "v.lbi.brg.c [ri1.ud, 0], ->t.d", "");
    g_assert_false(l->record.trapped);
    for (unsigned i = 4; i < 8; i++) { /* 0xff0 and the loads' lanes */
        bytes.memory[1024 + i] = bytes.memory[i];
    }
    check_bytes("masks", l, &bytes);
    lanes_free(l);
}

/* Loads and stores come in pairs, and their handles are for nothing else. */
static void test_bridge_rules(void)
{
    static const char load[] = "v.ldi.brg [ri0.ud, 0], ->t.d\n";
    static const char *const bodies[] = {
        "", /* the load alone */
        "v.addi t#1.ud, 0, ->vn.d\nv.sdi.brg t#1.ud, [ri1.ud, 0]",
        "l.addi t#1.ud, 0, ->u.d",
        "add t#1, zero, ->u",
        "v.swi.brg t#1.ud, [ri1.ud, 0]", /* of another size */
        "v.sdi.brg t#1.ud, [ri1.ud, 0]\nv.sdi.brg t#1.ud, [ri1.ud, 8]",
        "v.sdi.brg t#1.ud, [ri1.ud, 0]\nl.addi t#1.ud, 0, ->u.d",
        "v.sdi.brg ri0.ud, [ri1.ud, 0]",
        "l.addi zero.ud, 0, ->t.d\nv.sdi.brg t#1.ud, [ri1.ud, 0]",
        "v.sdi.brg t#1.uw, [ri1.ud, 0]", /* handles have 64 bits */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autofree char *body = g_strconcat(load, bodies[i], NULL);

        check_trapping(body, LINX_E_INST, LINX_INST_ILLEGAL);
    }
    check_trapping("v.ldi.brg [ri0.ud, 0], ->vn.d", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.ldi.brg [ri0.ud, 0], ->t.w", LINX_E_INST,
                   LINX_INST_ILLEGAL);
    check_trapping("v.sdi.brg t#1.ud, [ri1.ud, 0]", LINX_E_BLOCK,
                   LINX_BLOCK_INVAL_GET);
    /* The source is read when the store comes. */
    check_trapping("v.ldi.brg [zero.ud, 0], ->t.d\n"
                   "v.sdi.brg t#1.ud, [ri1.ud, 0]", LINX_E_DATA,
                   LINX_DATA_LOAD_ACCESS);
    check_trapping("v.ldi.brg [ri0.ud, 0], ->t.d\n"
                   "v.sdi.brg t#1.ud, [zero.ud, 0]", LINX_E_DATA,
                   LINX_DATA_STORE_ACCESS);
}

/* ---- the 32-bit forms ---- */

static void run_short(const Row *row, bool is_store, uint64_t *state)
{
    static const char *const changes[] = { "", ".sw", ".uw", ".neg" };
    g_autofree LinxLanes *l = linx_lanes_new();
    uint64_t r = linx_random(state), data = linx_random(state);
    unsigned change = r & 3, shift = is_store ? 0 : r >> 2 & 3;
    unsigned scale = is_store && row->scales ? row->size : shift;
    int64_t imm = (int64_t)(r >> 8 & 255) - 128;
    uint64_t offset = r >> 20 & 63, reg = offset, expected;
    g_autofree char *address = NULL, *text = NULL, *body = NULL;
    Bytes bytes;
    unsigned at;

    fill(l, &bytes, state);
    imm = row->scales ? imm * (1 << row->size) : imm;
    /* What .sw and .uw make of it has garbage above, or not. */
    if (change == 1 || change == 2) {
        reg |= linx_random(state) << 32;
    }
    address = row->has_imm ? g_strdup_printf("[t#1, %d]", (int)imm) :
              g_strdup_printf("[t#1, u#1%s%s]", changes[change],
                              shift == 1 ? "<<1" : shift == 2 ? "<<2" :
                              shift == 3 ? "<<3" : "");
    text = is_store ? g_strdup_printf("%s t#2, %s", row->name, address) :
           g_strdup_printf("%s %s, ->u", row->name, address);
    body = g_strdup_printf(
        "l.ldi [ri0.ud, 0], ->u.d\nl.ldi [ri0.ud, 8], ->t.d\n"
        "l.addi ri1.ud, 2048, ->t.d\n%s\n%s", text,
        is_store ? "" : "l.sdi u#1.ud, [ri0.ud, 16]");
    linx_lanes_put(l, LANES_DATA, reg, 8);
    linx_lanes_put(l, LANES_DATA + 8, data, 8);
    linx_lanes_covered(text);
    g_assert_true(linx_lanes_body(l, body));
    offset <<= scale;
    at = 2048 + (row->has_imm ? (unsigned)imm : change == 3 ? -offset :
                 offset);
    if (is_store) {
        put_bytes(bytes.memory, at, row->size, data);
    } else {
        expected = bytes_at(bytes.memory, at, row->size, row->is_signed);
        check_value(text, 0, linx_lanes_word(l, LANES_DATA + 16, 8),
                    expected);
    }
    check_bytes(text, l, &bytes);
}

static void test_short(void)
{
    uint64_t state = 55;

    for (unsigned n = 0; n < 30; n++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(loads); i++) {
            run_short(&loads[i], false, &state);
        }
        for (unsigned i = 0; i < G_N_ELEMENTS(stores); i++) {
            run_short(&stores[i], true, &state);
        }
    }
}

/* Addresses from TPC on: words behind the body. */
static void test_relative(void)
{
    static const Row rows[] = {
        { "lb", 0, 1, 0, 0 }, { "lh", 1, 1, 0, 0 }, { "lw", 2, 1, 0, 0 },
        { "ld", 3, 1, 0, 0 }, { "lbu", 0, 0, 0, 0 },
        { "lhu", 1, 0, 0, 0 }, { "lwu", 2, 0, 0, 0 },
    };
    static const char *const names[] = { "sb", "sh", "sw", "sd" };
    const uint64_t value = 0x8182838485868788;

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();
        g_autofree char *load = g_strdup_printf("%s.pcr [.-8], ->u",
                                                rows[i].name);
        g_autofree char *store = g_strdup_printf("%s.pcr t#1, [.+4]",
                                                 names[rows[i].size]);
        g_autofree char *body = g_strdup_printf(
            "j over\n.align 8\nplace: .dword 0x%" G_GINT64_MODIFIER "x\n"
            "there: .dword 0\nover:\n%s.pcr [place], ->u\n"
            "l.sdi u#1.ud, [ri0.ud, 0]\nadd u#1, zero, ->t\n"
            "%s.pcr t#1, [there]\nld.pcr [there], ->u\n"
            "l.sdi u#1.ud, [ri0.ud, 8]", value, rows[i].name,
            names[rows[i].size]);
        uint64_t expected = typed(value, (rows[i].is_signed ? 4 : 0) + 3 -
                                  rows[i].size);

        linx_lanes_covered(load);
        linx_lanes_covered(store);
        g_assert_true(linx_lanes_body(l, body));
        check_value(load, 0, linx_lanes_word(l, LANES_DATA, 8), expected);
        check_value(store, 0, linx_lanes_word(l, LANES_DATA + 8, 8),
                    cut(expected, rows[i].size));
    }
}

/* VPAR and VSEQ have tiles, and no memory: neither half of a move is there. */
static void test_vector_blocks(void)
{
    static const char *const bodies[] = {
        "v.lbi [ri0.ud, 0], ->vn.d", "v.sbi lc0.uh, [ri0.ud, 0]",
        "v.ld.add [ri0.ud], lc0.uh, ->vn.d", "v.sw.or [ri0.ud], lc0.uh",
        "v.lbi.brg [ri0.ud, 0], ->t.d",
        ("v.lbi.brg.local [to.ud, 0], ->t.d\n"
         "v.sbi.brg t#1.ud, [ri0.ud, 0]"),
        "l.addi ri0.ud, 0, ->t.d\nlbi [t#1, 0], ->u",
        "l.addi ri0.ud, 0, ->t.d\nsbi zero, [t#1, 0]",
        "lb.pcr [.+0], ->u",
    };
    static const char *const kinds[] = { "vpar", "vseq" };

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(bodies); i++) {
        g_autofree LinxLanes *l = linx_lanes_new();

        l->kind = kinds[i & 1];
        l->has_tile = true;
        if (linx_lanes_body(l, bodies[i / 2])) {
            g_test_message("%s runs", bodies[i / 2]);
            g_test_fail();
        }
        check_value(bodies[i / 2], 0, l->record.trap.number, LINX_E_INST);
        check_value(bodies[i / 2], 0, l->record.trap.cause,
                    LINX_INST_ILLEGAL);
        g_assert_true(linx_lanes_body(l, "v.lbi.brg.local [to.ud, 0], "
                                      "->t.d\nv.sbi.brg.local t#1.ud, "
                                      "[to.ud, 1]"));
    }
}

void add_memory_tests(void)
{
    g_test_add_func("/linx/ops/memory/loads", test_loads);
    g_test_add_func("/linx/ops/memory/stores", test_stores);
    g_test_add_func("/linx/ops/memory/narrow", test_narrow);
    g_test_add_func("/linx/ops/memory/atomics", test_atomics);
    g_test_add_func("/linx/ops/memory/bridges", test_bridges);
    g_test_add_func("/linx/ops/memory/bridge-masks", test_bridge_masks);
    g_test_add_func("/linx/ops/memory/bridge-rules", test_bridge_rules);
    g_test_add_func("/linx/ops/memory/vector-blocks", test_vector_blocks);
    g_test_add_func("/linx/ops/memory/short", test_short);
    g_test_add_func("/linx/ops/memory/relative", test_relative);
}
