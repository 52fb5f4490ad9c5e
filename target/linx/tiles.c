/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tile registers (linx-blocks section 5). */
#include <glib.h>
#include <string.h>
#include "target/linx/tiles.h"

/*
 * What is copied to a place that is a little further in its page than in the
 * other one makes processors wait: buffers mostly begin with a page.
 */
enum { ALIGN = 4096 };

/* ---- bytes for tiles ---- */

/*
 * Spares have a bound: each is as large as the largest tile at most.  Those of
 * dispatches that are over go to the next ones, whose first copies then need
 * not wait for the host to find pages.
 */
static GMutex shared_lock;
static LinxSpare shared[LINX_SPARES];

static bool put_spare(LinxSpare *spares, uint8_t *data, uint32_t size)
{
    for (unsigned i = 0; i < LINX_SPARES; i++) {
        if (!spares[i].data) {
            spares[i] = (LinxSpare) { data, size };
            return true;
        }
    }
    return false;
}

static uint8_t *get_spare(LinxSpare *spares, uint32_t size)
{
    for (unsigned i = 0; i < LINX_SPARES; i++) {
        if (spares[i].data && spares[i].size == size) {
            return g_steal_pointer(&spares[i].data);
        }
    }
    return NULL;
}

/* In place of the one that has been there longest. */
static void share(LinxSpare *spare)
{
    static unsigned next;
    LinxSpare *place;

    g_mutex_lock(&shared_lock);
    place = &shared[next++ % LINX_SPARES];
    g_aligned_free(place->data);
    *place = *spare;
    g_mutex_unlock(&shared_lock);
}

static void put_data(LinxTiles *tiles, LinxTile *tile)
{
    if (tile->data && !put_spare(tiles->spare, tile->data, tile->size)) {
        g_aligned_free(tile->data);
    }
    tile->data = NULL;
}

static uint8_t *get_data(LinxTiles *tiles, uint32_t size)
{
    uint8_t *data = get_spare(tiles->spare, size);

    if (data || !size) {
        return data;
    }
    g_mutex_lock(&shared_lock);
    data = get_spare(shared, size);
    g_mutex_unlock(&shared_lock);
    return data ? data : g_aligned_alloc(1, size, size < ALIGN ?
                                         LINX_TILE_MIN : ALIGN);
}

static void drop(LinxTiles *tiles, LinxTile *tile)
{
    put_data(tiles, tile);
    *tile = (LinxTile) { 0 };
}

void linx_tile_clear(LinxTile *tile, uint32_t from, uint32_t bytes,
                     bool fill)
{
    uint32_t end = fill ? from : from + bytes;

    if (end > tile->ready) {
        memset(tile->data + tile->ready, 0, end - tile->ready);
    }
    tile->ready = from + bytes;
}

void linx_tiles_clear(LinxTiles *tiles, const LinxBound *bound)
{
    for (unsigned i = 0; i < bound->outputs; i++) {
        LinxTile *tile = &tiles->slots[bound->output[i]];

        linx_tile_ready(tile, 0, tile->size, false);
    }
}

static bool find_input(const LinxTiles *tiles, const LinxTileInput *input,
                       uint8_t *slot)
{
    if (input->distance > tiles->count[input->queue]) {
        return false;
    }
    *slot = tiles->queue[input->queue][input->distance - 1];
    return !tiles->slots[*slot].released;
}

/* Bytes of what lives and of what @block would add. */
static uint64_t bytes_wanted(const LinxTiles *tiles, const LinxBlock *block)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < LINX_TILE_SLOTS; i++) {
        sum += tiles->slots[i].size;
    }
    for (unsigned i = 0; i < block->outputs; i++) {
        bool each = block->output[i].queue == LINX_QUEUE_S;

        sum += block->output[i].size * (each ? linx_groups(block) : 1);
    }
    return sum;
}

/* There are as many slots as queues and one block can need. */
static unsigned make_tile(LinxTiles *tiles, uint32_t size)
{
    unsigned slot = 0;

    while (tiles->slots[slot].used) {
        slot++;
    }
    tiles->slots[slot] = (LinxTile) {
        .used = true,
        .size = size,
        .data = get_data(tiles, size),
    };
    return slot;
}

bool linx_tiles_bind(LinxTiles *tiles, const LinxBlock *block,
                     LinxBound *bound, uint32_t *cause)
{
    bound->inputs = block->inputs;
    bound->outputs = block->outputs;
    for (unsigned i = 0; i < block->inputs; i++) {
        if (!find_input(tiles, &block->input[i], &bound->input[i])) {
            *cause = LINX_BLOCK_INVAL_GET;
            return false;
        }
    }
    if (bytes_wanted(tiles, block) > LINX_TILE_TOTAL) {
        *cause = LINX_BLOCK_INVAL_PARM;
        return false;
    }
    for (unsigned i = 0; i < block->outputs; i++) {
        bool each = block->output[i].queue == LINX_QUEUE_S;

        bound->output[i] = make_tile(tiles, block->output[i].size *
                                     (each ? linx_groups(block) : 1));
    }
    return true;
}

/* The 17th retires the oldest. */
static void push(LinxTiles *tiles, LinxTileQueue queue, uint8_t slot)
{
    uint8_t *slots = tiles->queue[queue];

    if (tiles->count[queue] == LINX_TILE_DEPTH) {
        drop(tiles, &tiles->slots[slots[LINX_TILE_DEPTH - 1]]);
    } else {
        tiles->count[queue]++;
    }
    memmove(slots + 1, slots, LINX_TILE_DEPTH - 1);
    slots[0] = slot;
}

/* A released tile keeps its place in its queue, without its bytes. */
static void release(LinxTiles *tiles, LinxTile *tile)
{
    put_data(tiles, tile);
    tile->size = tile->ready = 0;
    tile->released = true;
}

void linx_tiles_commit(LinxTiles *tiles, const LinxBlock *block,
                       const LinxBound *bound)
{
    linx_tiles_clear(tiles, bound);
    for (unsigned i = 0; i < bound->inputs; i++) {
        if (!block->input[i].reuse) {
            release(tiles, &tiles->slots[bound->input[i]]);
        }
    }
    for (unsigned i = 0; i < bound->outputs; i++) {
        if (block->output[i].queue == LINX_QUEUE_S) {
            drop(tiles, &tiles->slots[bound->output[i]]);
        } else {
            push(tiles, block->output[i].queue, bound->output[i]);
        }
    }
}

void linx_tiles_abandon(LinxTiles *tiles, const LinxBound *bound)
{
    for (unsigned i = 0; i < bound->outputs; i++) {
        drop(tiles, &tiles->slots[bound->output[i]]);
    }
}

void linx_tiles_free(LinxTiles *tiles)
{
    for (unsigned i = 0; i < LINX_TILE_SLOTS; i++) {
        drop(tiles, &tiles->slots[i]);
    }
    for (unsigned i = 0; i < LINX_SPARES; i++) {
        if (tiles->spare[i].data) {
            share(&tiles->spare[i]);
        }
    }
    memset(tiles, 0, sizeof(*tiles));
}
