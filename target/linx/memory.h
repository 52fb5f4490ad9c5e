/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guest memory, as loads and stores of blocks reach it. */
#ifndef LINX_MEMORY_H
#define LINX_MEMORY_H

#include "target/engine/mem.h"
#include "target/linx/group.h"

/* Bytes from @address to the end of its page. */
static inline unsigned linx_memory_room(uint64_t address)
{
    return mem_room(address);
}

/* Host address of @address if it is at hand, else NULL. */
static inline uint8_t *linx_memory_hit(LinxContext *x, uint64_t address,
                                       bool is_store)
{
    const EngineAccess access = is_store ? ENGINE_WRITE : ENGINE_READ;
    uint8_t *host;

    if (!x->wave) {
        return NULL;
    }
    host = mem_hit(x->wave, address, access);
    return likely(host) || is_store ? host : mem_hit_far(x->wave, address);
}

/* The same, but it is looked for; NULL tells nothing. */
static inline uint8_t *linx_memory_at(LinxContext *x, uint64_t address,
                                      bool is_store)
{
    TesseraFaultCause cause;

    return x->wave ? mem_ptr(x->wave, address,
                             is_store ? ENGINE_WRITE : ENGINE_READ, &cause) :
           NULL;
}

/* A lane is through: the next one asks anew. */
static inline void linx_lane_through(LinxContext *x)
{
    if (x->wave && x->wave->park.active) {
        wave_unpark(x->wave);
    }
}

/*
 * Move @bytes bytes, 8 at most, wherever they are.  False if it has trapped, or
 * x->waiting: then the instruction is to come again, and to go on with this.
 */
bool linx_memory_move(LinxContext *x, uint64_t address, void *data,
                      unsigned bytes, bool is_store);

/*
 * Host address for an aligned atomic operation; false as above.  It traps as a
 * store if @is_store, which are those that return nothing, else as a load.
 */
bool linx_memory_atomic(LinxContext *x, uint64_t address, bool is_store,
                        uint8_t **host);

/* Stop for @cause, the engine's, of an access to @address: wait or trap. */
bool linx_memory_stop(LinxContext *x, TesseraFaultCause cause,
                      uint64_t address, bool is_store);

#endif
