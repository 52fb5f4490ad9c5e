/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every instruction that a body of a memory block may hold, against models of
 * its own, with random operands of all types.
 */
#include "linx-ops.h"
#include "target/linx/perform.h"

const char *const int_types[8] = {
    "ud", "uw", "uh", "ub", "sd", "sw", "sh", "sb"
};
const char widths[5] = "bhwd";

unsigned type_size(unsigned type)
{
    static const unsigned sizes[4] = { 3, 2, 1, 0 };

    return sizes[type % 4];
}

uint64_t typed(uint64_t reg, unsigned type)
{
    switch (type) {
    case 1:
        return (uint32_t)reg;
    case 2:
        return (uint16_t)reg;
    case 3:
        return (uint8_t)reg;
    case 5:
        return (uint64_t)(int32_t)reg;
    case 6:
        return (uint64_t)(int16_t)reg;
    case 7:
        return (uint64_t)(int8_t)reg;
    default:
        return reg;
    }
}

uint64_t cut(uint64_t value, unsigned size)
{
    return size == 3 ? value : value & ((1ull << (8 << size)) - 1);
}

void check_value(const char *what, unsigned lane, uint64_t got,
                 uint64_t expected)
{
    if (got != expected) {
        g_test_message("%s: lane %u: %" G_GINT64_MODIFIER "x, not %"
                       G_GINT64_MODIFIER "x", what, lane, got, expected);
        g_test_fail();
    }
}

void check_trapping(const char *body, unsigned number, unsigned cause)
{
    g_autofree LinxLanes *l = linx_lanes_new();

    if (linx_lanes_body(l, body) || l->record.trap.number != number ||
        l->record.trap.cause != cause) {
        g_test_message("%s: trapped %d: %u/%u, not %u/%u", body,
                       l->record.trapped, l->record.trap.number,
                       l->record.trap.cause, number, cause);
        g_test_fail();
    }
}

/* Rows of which no test has run an instruction; runs behind all others. */
static void test_coverage(void)
{
    unsigned meanings = 0;

    for (unsigned op = 0; op < LINX_OPS; op++) {
        if (linx_meanings[op].perform) {
            meanings++;
            if (!linx_covered[op]) {
                g_test_message("%s has no test", linx_rows[op].name);
                g_test_fail();
            }
        }
    }
    g_test_message("%u instructions", meanings);
    g_assert_cmpuint(meanings, >, 300);
}

/* What has no meaning is illegal in a body, whatever its operands are. */
static void test_illegal_rows(void)
{
    uint64_t state = 11;

    for (unsigned op = 0; op < LINX_OPS; op++) {
        const LinxRow *row = &linx_rows[op];
        unsigned tries = 0;

        while (!linx_meanings[op].perform && tries < 3) {
            uint64_t any = linx_random(&state) >> (64 - row->bits);
            uint64_t word = row->match | (any & ~row->mask);
            g_autofree char *body = g_strdup_printf(
                row->bits == 16 ? ".half 0x%04" G_GINT64_MODIFIER "x" :
                row->bits == 32 ? ".word 0x%08" G_GINT64_MODIFIER "x" :
                ".dword 0x%016" G_GINT64_MODIFIER "x", word);
            uint8_t bytes[8];
            LinxInst inst;

            linx_put_word(word, bytes);
            if (linx_decode(bytes, row->bits / 8, &inst) &&
                inst.op == op) {
                tries++;
                check_trapping(body, LINX_E_INST, LINX_INST_ILLEGAL);
            }
        }
    }
}

int main(int argc, char **argv)
{
    int result;

    g_test_init(&argc, &argv, NULL);
    add_integer_tests();
    add_float_tests();
    add_convert_tests();
    add_lane_tests();
    add_memory_tests();
    add_control_tests();
    g_test_add_func("/linx/ops/illegal-rows", test_illegal_rows);
    if (argc == 1) { /* not if only some tests run */
        g_test_add_func("/linx/ops/z/coverage", test_coverage);
    }
    result = g_test_run();
    linx_lanes_end();
    return result;
}
