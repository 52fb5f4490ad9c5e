/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tile registers: four queues, and a byte-addressed space of their own. */
#ifndef LINX_TILES_H
#define LINX_TILES_H

#include "target/linx/block.h"

enum {
    LINX_TILE_SLOTS = 4 * LINX_TILE_DEPTH + LINX_TILE_OUTPUTS,
    LINX_TILE_STEP = 1 << 20, /* from one base to the next; never 0 */
};

typedef struct LinxTile {
    uint8_t *data; /* NULL: the slot is free, or the tile is empty */
    uint32_t size; /* bytes */
    uint32_t ready; /* of them, from the first: those behind are yet to be 0 */
    bool used;
    bool released;
} LinxTile;

/* Bytes of tiles that are gone, for new ones. */
typedef struct LinxSpare {
    uint8_t *data; /* NULL: none */
    uint32_t size;
} LinxSpare;

enum { LINX_SPARES = 4 };

typedef struct LinxTiles {
    LinxTile slots[LINX_TILE_SLOTS];
    LinxSpare spare[LINX_SPARES];
    /* Slots by age, the youngest first. */
    uint8_t queue[4][LINX_TILE_DEPTH];
    unsigned count[4];
} LinxTiles;

/* The tiles of a block, as its body sees them. */
typedef struct LinxBound {
    unsigned inputs, outputs;
    uint8_t input[LINX_TILE_INPUTS], output[LINX_TILE_OUTPUTS]; /* slots */
} LinxBound;

/*
 * Look up the inputs of @block and make its outputs, cleared and not yet in a
 * queue.  False with *@cause of E_BLOCK, and nothing changed, if a tile does
 * not exist or there is no room.
 */
bool linx_tiles_bind(LinxTiles *tiles, const LinxBlock *block,
                     LinxBound *bound, uint32_t *cause);

/* End a block: outputs appear, inputs without the reuse mark go. */
void linx_tiles_commit(LinxTiles *tiles, const LinxBlock *block,
                       const LinxBound *bound);

/* End a block that has trapped: its outputs go. */
void linx_tiles_abandon(LinxTiles *tiles, const LinxBound *bound);

void linx_tiles_free(LinxTiles *tiles);

/*
 * Bytes [@from, @from + @bytes) of @tile, which are there, are about to be
 * accessed; @fill: all of them stored to.  New tiles are all 0 (OURS-11), but
 * what is filled need not be cleared before.  One thread at a time.
 */
void linx_tile_clear(LinxTile *tile, uint32_t from, uint32_t bytes,
                     bool fill);

static inline void linx_tile_ready(LinxTile *tile, uint32_t from,
                                   uint32_t bytes, bool fill)
{
    if (from + bytes > tile->ready) {
        linx_tile_clear(tile, from, bytes, fill);
    }
}

/* The same for all of the block's outputs, so that many threads can be. */
void linx_tiles_clear(LinxTiles *tiles, const LinxBound *bound);

/* Where the tile in @slot begins in tile space. */
static inline uint64_t linx_tile_base(unsigned slot)
{
    return (uint64_t)(slot + 1) * LINX_TILE_STEP;
}

#endif
