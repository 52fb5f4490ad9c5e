/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reductions into RO0 to RO3 (linx-blocks sections 9.5 and 12). */
#include <glib.h>
#include <string.h>
#include "target/linx/log.h"

/*
 * An entry: what it is, then one value if integers are folded, or a mask and
 * the values of its lanes if floats are.
 */
typedef union Head {
    uint64_t word;
    struct {
        uint16_t op;
        uint8_t output, type;
        LinxFp fp;
    };
} Head;
_Static_assert(sizeof(Head) == 8, "one word");

static bool is_float(LinxOp op)
{
    return linx_rows[op].flags & LINX_FLOAT;
}

void linx_log_clear(LinxLog *log)
{
    log->count = 0;
    memset(log->last, 0, sizeof(log->last));
}

void linx_log_free(LinxLog *log)
{
    g_clear_pointer(&log->words, g_free);
    linx_log_clear(log);
}

static void add_lanes(LinxLog *log, Head head, const uint64_t *value,
                      uint64_t lanes)
{
    log->words[log->count++] = head.word;
    log->words[log->count++] = lanes;
    for (; lanes; lanes &= lanes - 1) {
        log->words[log->count++] = value[__builtin_ctzll(lanes)];
    }
}

/*
 * The order of integers does not matter, so lanes are folded at once, and with
 * those of the entry before if that is of the same kind.
 */
static void add_integers(LinxLog *log, Head head, const uint64_t *value,
                         uint64_t lanes)
{
    unsigned last = log->last[head.output];
    uint64_t *sum;

    if (last && log->words[last - 1] == head.word) {
        sum = &log->words[last];
    } else {
        log->words[log->count++] = head.word;
        log->last[head.output] = log->count;
        sum = &log->words[log->count++];
        *sum = value[__builtin_ctzll(lanes)];
        lanes &= lanes - 1;
    }
    *sum = linx_fold(head.op, head.type, &head.fp, *sum, value, lanes);
}

void linx_log_add(LinxContext *x, LinxLog *log, unsigned output,
                  const uint64_t *value)
{
    Head head = {
        .op = x->inst->op,
        .output = output,
        .type = linx_type(x->inst->field[LINX_F_SrcL]),
    };

    if (!x->p) {
        return; /* RO stays as it is */
    }
    if (!log->words) {
        log->words = g_new(uint64_t, LINX_LOG_WORDS);
    }
    if (is_float(head.op)) {
        head.fp = linx_float_state(x);
        log->last[output] = 0;
        add_lanes(log, head, value, x->p);
    } else {
        add_integers(log, head, value, x->p);
    }
}

/* Fold the entry at @at; returns where the next one is. */
static unsigned fold_entry(const LinxLog *log, unsigned at, uint64_t *ro,
                           uint8_t *raised)
{
    Head head = { .word = log->words[at] };
    uint64_t *sum = &ro[head.output];
    uint64_t lanes = log->words[at + 1];
    unsigned count;

    if (!is_float(head.op)) {
        *sum = linx_fold(head.op, head.type, &head.fp, *sum,
                         &log->words[at + 1], 1);
        return at + 2;
    }
    count = __builtin_popcountll(lanes);
    *sum = linx_fold(head.op, head.type, &head.fp, *sum, &log->words[at + 2],
                     count < LINX_LANES ? (1ull << count) - 1 : ~0ull);
    *raised |= head.fp.flags;
    return at + 2 + count;
}

void linx_log_fold(const LinxLog *log, uint64_t *ro, uint8_t *raised)
{
    for (unsigned at = 0; at < log->count;) {
        at = fold_entry(log, at, ro, raised);
    }
}

bool linx_reduce_output(LinxContext *x, unsigned output,
                        const uint64_t *value)
{
    unsigned type = linx_type(x->inst->field[LINX_F_SrcL]);
    LinxFp e = linx_float_state(x);

    if (x->log) {
        linx_log_add(x, x->log, output, value);
        return true;
    }
    x->ro[output] = linx_fold(x->inst->op, type, &e, x->ro[output], value,
                              x->p);
    linx_raised(x, &e);
    return true;
}
