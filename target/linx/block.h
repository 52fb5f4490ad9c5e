/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Headers of LinxISA memory blocks: what a block reads and writes, how often
 * its body runs, and what of a header traps.
 */
#ifndef LINX_BLOCK_H
#define LINX_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LINX_LANES = 64,           /* of a group */
    LINX_GPRS = 24,            /* R0 to R23 */
    LINX_TILE_INPUTS = 8,
    LINX_TILE_OUTPUTS = 4,
    LINX_GPR_INPUTS = 12,
    LINX_GPR_OUTPUTS = 4,
    LINX_TILE_DEPTH = 16,      /* tiles in a queue */
    LINX_TILE_MIN = 256,       /* bytes of a tile that is not empty */
    LINX_TILE_MAX = 256 << 10,
    LINX_TILE_TOTAL = 512 << 10, /* bytes of all that are live */
};

/* TRAPNUM and its causes, linx-blocks section 13. */
typedef enum LinxTrapNumber {
    LINX_E_INST = 0,
    LINX_E_DATA = 1,
    LINX_E_BLOCK = 4,
    LINX_E_ASSERT = 15,
    LINX_E_BREAKPOINT = 17,
    LINX_BREAKPOINT = 17,
} LinxTrapNumber;

enum {
    /* of E_INST */
    LINX_INST_ACCESS = 0,
    LINX_INST_ILLEGAL = 3,
    LINX_INST_PARAM = 7,
    /* of E_BLOCK */
    LINX_BLOCK_INVAL_SET = 0,
    LINX_BLOCK_INVAL_GET = 1,
    LINX_BLOCK_INVAL_PARM = 2,
    LINX_BLOCK_DOUBLESET = 3,
};

typedef struct LinxTrap {
    LinxTrapNumber number;
    uint32_t cause;
    uint64_t pc; /* of the word that is at fault */
} LinxTrap;

/* TRAPNO as a guest reads it: TRAPNUM 5:0, CAUSE 31:8, E 63. */
uint64_t linx_trapno(const LinxTrap *trap);

typedef enum LinxBlockKind {
    LINX_MPAR, LINX_MSEQ, LINX_VPAR, LINX_VSEQ
} LinxBlockKind;

typedef enum LinxTileQueue {
    LINX_QUEUE_T, LINX_QUEUE_U, LINX_QUEUE_M, LINX_QUEUE_N,
    LINX_QUEUE_S = 5, /* no queue: scratch of the groups */
    LINX_QUEUE_NONE = 7,
} LinxTileQueue;

typedef struct LinxTileInput {
    LinxTileQueue queue;
    unsigned distance; /* 1: the youngest before the block */
    bool reuse;        /* kept when the block commits */
} LinxTileInput;

typedef struct LinxTileOutput {
    LinxTileQueue queue;
    uint32_t size; /* bytes; of each group for LINX_QUEUE_S */
} LinxTileOutput;

typedef struct LinxBlock {
    LinxBlockKind kind;
    bool wide_queues; /* VS16: VM and VN may be used */
    bool flat;        /* reduced dimension */
    bool trap_after;  /* T: trap once the block has committed */
    bool acquire, release; /* aq, rl */
    uint64_t bpc;     /* of BSTART */
    uint64_t text;    /* of the body */
    uint64_t next;    /* where control goes on: LRA */
    uint16_t lb[3];

    unsigned inputs, outputs; /* TA..., TO... */
    LinxTileInput input[LINX_TILE_INPUTS];
    LinxTileOutput output[LINX_TILE_OUTPUTS];
    unsigned gpr_inputs, gpr_outputs; /* RI..., RO... */
    uint8_t ri[LINX_GPR_INPUTS], ro[LINX_GPR_OUTPUTS];
    uint64_t ri_value[LINX_GPR_INPUTS], ro_value[LINX_GPR_OUTPUTS];

    uint16_t wait_tokens; /* bit n: waits for the block that pushed D#n */
    bool push_token;
} LinxBlock;

/*
 * Read the header at @bytes, of which @count may be read and which lies at
 * address @pc.  @gpr is R0 to R23.  False and @trap if it is not to be run: no
 * group has, and nothing is to change.  Whether the tiles that it names exist
 * and there is room for its outputs is the tile queues' to say.
 */
bool linx_read_header(const uint8_t *bytes, size_t count, uint64_t pc,
                      const uint64_t gpr[LINX_GPRS], LinxBlock *block,
                      LinxTrap *trap);

/* Groups of @block, 0 if a loop runs zero times: then it just commits. */
uint64_t linx_groups(const LinxBlock *block);

/* Where a group is in the loops: LC1 and LC2, and LC0 of its lane 0. */
typedef struct LinxPlace {
    uint16_t lc0, lc1, lc2;
} LinxPlace;

/* The place of group @group, which exists, of a block that is not flat. */
LinxPlace linx_group_place(const LinxBlock *block, uint64_t group);

/*
 * The lanes of group @group, which exists: their loop counters in @lc, if that
 * is not NULL.  Returns the mask of those that are live.
 */
uint64_t linx_group_lanes(const LinxBlock *block, uint64_t group,
                          uint16_t lc[LINX_LANES][3]);

#endif
