/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bodies that only copy: a load of consecutive lanes, a store of what it has
 * loaded to consecutive lanes, the end.  Groups that follow each other then are
 * one stretch of bytes, which need not go through registers: nobody can read
 * those any more.
 */
#include "target/engine/mem.h"
#include "target/linx/memory.h"
#include "target/linx/stream.h"

enum { GROUPS_AT_ONCE = 512 };

/*
 * An operand that is the same for all groups of an inner loop, or LC0 with a
 * type that holds all of it.
 */
static bool is_plain(int64_t operand)
{
    unsigned number = linx_number(operand), type = linx_type(operand);

    if (number == LINX_LC0 && (type >= 4 || !linx_type_size(type, false))) {
        return false;
    }
    return (number >= LINX_RI && number <= LINX_RI_LAST) ||
           (number >= LINX_LC0 && number <= LINX_TO_LAST) ||
           number == LINX_ZERO;
}

static bool plain_address(const LinxUop *uop)
{
    return is_plain(uop->inst.field[uop->plan.base]) &&
           (uop->plan.has_imm || is_plain(uop->inst.field[LINX_F_SrcR]));
}

/* Does @store take what @load has pushed, and leave nobody able to read it? */
static bool fits(const LinxBlock *block, const LinxUop *load,
                 const LinxUop *store)
{
    int64_t to = load->inst.field[LINX_F_RegDst];
    int64_t from = store->inst.field[store->plan.data];
    unsigned queue = linx_number(to);

    return queue < (block->wide_queues ? 4 : 2) &&
           linx_number(from) == queue * 8 &&
           linx_type_size(linx_type(from), false) == 3 - linx_type(to) &&
           load->plan.size == store->plan.size;
}

static bool is_access(const LinxUop *uop, LinxAccessKind kind)
{
    return uop->access && uop->vector && uop->inst.size == 8 &&
           uop->plan.kind == kind && !uop->plan.is_bridge &&
           !uop->plan.illegal && plain_address(uop);
}

/* Scratch is another one for each group. */
static bool has_scratch(const LinxBlock *block)
{
    for (unsigned i = 0; i < block->outputs; i++) {
        if (block->output[i].queue == LINX_QUEUE_S) {
            return true;
        }
    }
    return false;
}

void linx_copy_look(LinxWave *w)
{
    const LinxBlock *block = w->x.block;
    uint64_t pc = block->text;
    TesseraFaultCause cause;
    const LinxUop *uop = NULL;

    w->copies = false;
    if (block->flat || (pc & 1) || has_scratch(block) ||
        w->x.state->overlap) {
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        uop = linx_fetch(&w->w, &w->fetch, pc, &cause);
        if (!uop || !uop->inst.size) {
            wave_unpark(&w->w); /* if it counts, it is fetched again */
            return;
        }
        if (i < 2) {
            w->copy[i] = *uop;
            pc += uop->inst.size;
        }
    }
    w->copies = is_access(&w->copy[0], LINX_LOAD) &&
                is_access(&w->copy[1], LINX_STORE) &&
                fits(block, &w->copy[0], &w->copy[1]) &&
                linx_rows[uop->inst.op].group == LINX_G_TERM;
}

/* Address of lane 0; false, and no trap, if that is not the way to do it. */
static bool first_address(LinxWave *w, const LinxUop *uop, uint64_t *first)
{
    LinxContext *x = &w->x;
    LinxRecord record = w->record;
    bool consecutive;

    x->inst = &uop->inst;
    x->plan = &uop->plan;
    x->lanes = LINX_LANES;
    x->releases = 0;
    consecutive = linx_consecutive(x, first);
    w->record = record;
    return consecutive;
}

/*
 * Bytes from @address on, *@bytes at most, which are told: pages that follow
 * each other on the host as well.  Looking for a page to store to may report
 * those found before, which then may not be stored to: once more.
 */
static uint8_t *memory_piece(LinxContext *x, uint64_t address,
                             uint64_t *bytes, bool is_store)
{
    const Worker *worker = x->wave->worker;
    uint64_t reports, n;
    uint8_t *host;

    do {
        reports = worker->reports;
        host = linx_memory_at(x, address, is_store);
        for (n = linx_memory_room(address); host && n < *bytes;
             n += ENGINE_PAGE) {
            if (linx_memory_at(x, address + n, is_store) != host + n) {
                break;
            }
        }
    } while (host && reports != worker->reports);
    *bytes = MIN(*bytes, n);
    return host;
}

/* The same of memory or of a tile. */
static uint8_t *piece(LinxContext *x, bool is_local, uint64_t address,
                      uint64_t *bytes, bool is_store)
{
    return is_local ?
           linx_tile_bytes(x, address, *bytes, is_store, is_store) :
           memory_piece(x, address, bytes, is_store);
}

/*
 * Copy as much as can be, in pieces, so that groups stay in order.  Where both
 * ends are memory, which page tables may have mapped twice, a piece is whole
 * groups that do not overlap: a group loads all before it stores.
 */
static uint64_t copy(LinxWave *w, uint64_t from, uint64_t to, uint64_t bytes)
{
    bool local_from = w->copy[0].plan.is_local;
    bool local_to = w->copy[1].plan.is_local;
    uint64_t group = LINX_LANES << w->copy[0].plan.size, done = 0;

    while (done < bytes) {
        uint64_t n = bytes - done;
        uint8_t *source = piece(&w->x, local_from, from + done, &n, false);
        uint8_t *target = piece(&w->x, local_to, to + done, &n, true);

        if (!local_from && !local_to && source && target) {
            n = n < bytes - done ? n - n % group : n;
            target = source < target + n && target < source + n ? NULL :
                     target;
        }
        if (!source || !target || !n) {
            break;
        }
        mem_put(target, source, n);
        done += n;
    }
    return done;
}

/* Within tiles no group may overlap, of all that are to be copied. */
static bool overlaps(const LinxWave *w, uint64_t from, uint64_t to,
                     uint64_t bytes)
{
    return w->copy[0].plan.is_local && w->copy[1].plan.is_local &&
           from < to + bytes && to < from + bytes;
}

static void count(LinxWave *w, uint64_t groups, uint64_t lanes)
{
    w->w.instructions += 3 * groups;
    w->w.lane_instructions += 2 * lanes + groups;
    w->w.budget -= groups;
}

bool linx_copy_groups(LinxWave *w)
{
    LinxContext *x = &w->x;
    unsigned size = w->copy[0].plan.size;
    uint64_t lanes = x->block->lb[0] - (uint64_t)x->place.lc0;
    uint64_t groups = MIN(w->group_end - x->group, GROUPS_AT_ONCE);
    uint64_t from, to, done;

    if (!first_address(w, &w->copy[0], &from) ||
        !first_address(w, &w->copy[1], &to)) {
        return false;
    }
    lanes = MIN(lanes, groups * LINX_LANES);
    if (overlaps(w, from, to, lanes << size)) {
        return false;
    }
    done = copy(w, from, to, lanes << size) >> size;
    if (done < lanes) {
        lanes = done & -(uint64_t)LINX_LANES; /* whole groups */
    }
    if (!lanes) {
        return false;
    }
    groups = (lanes + LINX_LANES - 1) / LINX_LANES;
    count(w, groups, lanes);
    x->group += groups - 1;
    x->place.lc0 += (groups - 1) * LINX_LANES;
    x->ended = true;
    return true;
}
