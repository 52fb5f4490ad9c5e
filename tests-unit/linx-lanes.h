/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instruction of a memory block, over 64 lanes of given operands. */
#ifndef LINX_LANES_H
#define LINX_LANES_H

#include "target/linx/decode.h"
#include "target/linx/exec.h"

enum {
    LANES_CODE = 0x10000,
    LANES_DATA = 0x20000, /* in a0; free from LANES_FREE on */
    LANES_FREE = 0x28000, /* in a1 */
    LANES_END = 0x30000,
};

typedef struct LinxLanes {
    /* vt#1, vu#1, vm#1, of widths[]: d, w, h or b */
    uint64_t a[64], b[64], c[64];
    char widths[4];
    char result_width;        /* of vn#1 behind the instruction */
    char t_width;             /* of t#1 behind it */
    uint64_t p;               /* lanes that are active */
    uint64_t t;               /* t#1 */
    uint64_t ro;              /* RO0 before the block */
    unsigned frm;             /* rounding mode of CSTATE */
    const char *kind;         /* of the block; NULL: mpar */
    unsigned live;            /* lanes of the group; 0: all */
    bool has_tile;            /* TO, 4 KB */
    const char *before;       /* scalar code before the block, or NULL */
    const char *after;        /* and behind it */
    const char *setup;        /* instructions before P is set, or NULL */
    const char *more;         /* behind the instruction, or NULL */
    const char *end;          /* and at the end, with all lanes active */

    uint64_t result[64];      /* vn#1 */
    uint64_t p_after, t_after, cstate, ro_after;
    LinxRecord record;
    uint8_t memory[LANES_END - LANES_CODE];
} LinxLanes;

LinxLanes *linx_lanes_new(void); /* all widths d, all lanes active */
void linx_lanes_end(void);       /* behind all tests */

/*
 * Run @instruction, which writes vn, p, t, or ro0, or nothing, and count its
 * row as covered.  @takes says what comes of it: any of "nptr".  False if it
 * has trapped.
 */
bool linx_lanes_run(LinxLanes *l, const char *instruction,
                    const char *takes);

/*
 * The same, of any body; nothing is read or counted.  It runs on the engine as
 * well, with the same result.
 */
bool linx_lanes_body(LinxLanes *l, const char *body);

/* Rows that linx_lanes_run() has run, or linx_lanes_covered() was told of. */
extern bool linx_covered[LINX_OPS];
void linx_lanes_covered(const char *instruction);

uint64_t linx_lanes_word(const LinxLanes *l, uint64_t address,
                         unsigned bytes);
void linx_lanes_put(LinxLanes *l, uint64_t address, uint64_t value,
                    unsigned bytes);

/* A random number with many edge values among them. */
uint64_t linx_lanes_random(uint64_t *state);

#endif
