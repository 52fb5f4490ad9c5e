/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bridge moves (linx-blocks section 9.3): a load records where each lane's
 * element is, and the store that takes its handle moves it (OURS-21).
 */
#include "target/linx/access.h"
#include "target/linx/memory.h"
#include "target/linx/perform.h"

static bool find_free(LinxContext *x, unsigned *number)
{
    for (*number = 0; *number < LINX_BRIDGES; ++*number) {
        if (!x->bridge[*number].pending) {
            return true;
        }
    }
    return linx_illegal(x); /* more than T and U can hold handles of */
}

/* Handles are 64 bits wide and in T or U. */
static bool check_handle(LinxContext *x)
{
    int64_t operand = x->inst->field[LINX_F_RegDst];
    unsigned number = linx_number(operand);

    return ((number == LINX_PUSH_T || number == LINX_PUSH_U) &&
            linx_type(operand) == 0) || linx_illegal(x);
}

bool linx_bridge_load(LinxContext *x)
{
    LinxAccess access = {
        .size = linx_rows[x->inst->op].size,
        .is_local = x->inst->field[LINX_F_L],
    };
    uint64_t handle;
    LinxBridge *bridge;
    unsigned number;

    if (!check_handle(x) || !find_free(x, &number) ||
        !linx_addresses(x, &access)) {
        return false;
    }
    bridge = &x->bridge[number];
    bridge->lanes = x->p;
    bridge->size = access.size;
    bridge->is_local = access.is_local;
    bridge->pending = true;
    x->bridges++;
    for (unsigned i = 0; i < LINX_LANES; i++) {
        bridge->address[i] = access.address[i];
    }
    handle = number;
    if (!linx_result(x, &handle)) {
        return false;
    }
    linx_mark_bridge(x, number);
    return true;
}

static void tell_overlap(LinxContext *x, const LinxBridge *bridge,
                         const LinxAccess *to, uint64_t lanes)
{
    LinxTouch load = {
        .kind = LINX_TOUCH_LOAD, .is_local = bridge->is_local,
        .bytes = 1u << bridge->size, .lanes = lanes,
        .address = bridge->address,
    };
    LinxTouch store = {
        .kind = LINX_TOUCH_STORE, .is_local = to->is_local,
        .bytes = 1u << to->size, .lanes = lanes, .address = to->address,
    };

    linx_touch(x, &load);
    linx_touch(x, &store);
}

/* Load and store of one lane before the next lane's: lane order. */
static bool move_lanes(LinxContext *x, const LinxBridge *bridge,
                       const LinxAccess *to)
{
    LinxAccess from = {
        .size = bridge->size, .is_local = bridge->is_local
    };
    uint64_t lanes = x->p & bridge->lanes;

    if (x->state->overlap && !x->resume) {
        tell_overlap(x, bridge, to, lanes);
    }
    for (uint64_t left = lanes & ~0ull << x->resume; left;
         left &= left - 1) {
        unsigned lane = __builtin_ctzll(left);
        uint64_t data;

        from.address[lane] = bridge->address[lane];
        if (!linx_move(x, &from, lane, &data) ||
            !linx_move(x, to, lane, &data)) {
            x->resume = lane;
            return false;
        }
        linx_lane_through(x);
    }
    x->resume = 0;
    return true;
}

bool linx_bridge_store(LinxContext *x)
{
    LinxAccess access = {
        .size = linx_rows[x->inst->op].size,
        .is_local = x->inst->field[LINX_F_L],
        .is_store = true,
    };
    LinxBridge *bridge;
    LinxEntry *handle;

    if (!linx_addresses(x, &access)) {
        return false;
    }
    handle = linx_bridge_handle(x, access.has_imm ? LINX_F_SrcL :
                                LINX_F_SrcD);
    if (!handle) {
        return false;
    }
    bridge = &x->bridge[handle->bridge - 1];
    if (bridge->size != access.size) {
        return linx_illegal(x);
    }
    if (!move_lanes(x, bridge, &access)) {
        return false;
    }
    bridge->pending = false;
    x->bridges--;
    handle->bridge = LINX_BRIDGE_USED;
    return true;
}
