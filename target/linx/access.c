/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads, stores and atomics (linx-blocks sections 9.3 and 10). */
#include <string.h>
#include "target/linx/access.h"

/* The bytes of a local access, NULL if a bound tile has not all of them. */
static uint8_t *tile_bytes(LinxContext *x, uint64_t address, unsigned bytes,
                           bool is_store)
{
    uint64_t slot = address / LINX_TILE_STEP - 1;
    uint64_t at = address % LINX_TILE_STEP;
    LinxTile *tiles = x->state->tiles.slots;

    for (unsigned i = 0; i < x->bound->outputs; i++) {
        const LinxTileOutput *output = &x->block->output[i];
        uint64_t from = output->queue == LINX_QUEUE_S ?
                        x->group * output->size : 0;

        if (slot == x->bound->output[i] && at >= from &&
            at - from + bytes <= output->size) {
            return tiles[slot].data + at;
        }
    }
    for (unsigned i = 0; !is_store && i < x->bound->inputs; i++) {
        if (slot == x->bound->input[i] && at + bytes <= tiles[slot].size) {
            return tiles[slot].data + at;
        }
    }
    return NULL;
}

bool linx_move(LinxContext *x, const LinxAccess *access, unsigned lane,
               void *data)
{
    const LinxMemory *memory = &x->state->memory;
    uint64_t address = access->address[lane];
    unsigned bytes = 1u << access->size;
    uint8_t *tile;

    if (!access->is_local) {
        if (access->is_store ?
            memory->write(memory->opaque, address, data, bytes) :
            memory->read(memory->opaque, address, data, bytes)) {
            return true;
        }
        return linx_raise(x, LINX_E_DATA, access->is_store ?
                          LINX_DATA_STORE_ACCESS : LINX_DATA_LOAD_ACCESS,
                          address);
    }
    tile = tile_bytes(x, address, bytes, access->is_store);
    if (!tile) {
        return linx_raise(x, LINX_E_DATA, LINX_DATA_RANGE, address);
    }
    memcpy(access->is_store ? tile : data, access->is_store ? data : tile,
           bytes);
    return true;
}

static bool scales_index(const LinxRow *row)
{
    return strstr(row->name, ".u") == NULL;
}

/* linx-blocks section 10: SrcRType of 32-bit forms. */
static uint64_t modified(const LinxInst *inst, uint64_t b)
{
    switch (inst->field[LINX_F_SrcRType]) {
    case 1:
        return (uint64_t)(int64_t)(int32_t)b;
    case 2:
        return (uint32_t)b;
    case 3:
        return -b;
    default:
        return b;
    }
}

/* Base and offset; a store with an immediate has its base on the right. */
static bool compute_addresses(LinxContext *x, LinxAccess *access, bool has_imm)
{
    const LinxInst *inst = x->inst;
    const LinxRow *row = &linx_rows[inst->op];
    const LinxFormat *format = &linx_formats[row->format];
    bool swapped = access->is_store && has_imm;
    unsigned scale = scales_index(row) ? access->size : 0;
    int64_t imm = inst->field[LINX_F_simm24] + inst->field[LINX_F_simm12];
    unsigned shift = inst->field[LINX_F_shamt] +
                     (access->is_store ? scale : 0);
    uint64_t offset[LINX_LANES] = { 0 };

    if (linx_field_bits(format, LINX_F_simm17)) {
        access->address[0] = x->pc + inst->field[LINX_F_simm17];
        return true;
    }
    if (!linx_source(x, swapped ? LINX_F_SrcR : LINX_F_SrcL,
                     access->address) ||
        (!has_imm && !linx_source(x, LINX_F_SrcR, offset))) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        access->address[i] += has_imm ? (uint64_t)imm << scale :
                              modified(inst, offset[i]) << shift;
        if (inst->field[LINX_F_C]) {
            access->address[i] += (uint64_t)x->lc[i][0] << access->size;
        }
    }
    return true;
}

/* OURS-20, and what consecutive lanes need. */
static bool check_base(LinxContext *x, const LinxAccess *access, bool has_imm)
{
    const LinxInst *inst = x->inst;
    unsigned base = linx_number(inst->field[access->is_store && has_imm ?
                                            LINX_F_SrcR : LINX_F_SrcL]);
    unsigned offset = linx_number(inst->field[LINX_F_SrcR]);
    bool is_formal = base >= LINX_TA && base <= LINX_TO_LAST;
    bool lane_offset = offset < LINX_RI || offset >= LINX_REUSE ||
                       offset == LINX_LC0 || offset == LINX_LC1 ||
                       offset == LINX_LC2;

    if (is_formal && !access->is_local) {
        return linx_illegal(x);
    }
    if (inst->field[LINX_F_C] &&
        (x->block->flat || (!has_imm && lane_offset) ||
         !(is_formal || (base >= LINX_RI && base < LINX_LC0)))) {
        return linx_illegal(x);
    }
    return true;
}

/* VPAR and VSEQ blocks have tiles, but no memory. */
static bool check_space(LinxContext *x, const LinxAccess *access)
{
    return access->is_local || !x->block || x->block->kind < LINX_VPAR ||
           linx_illegal(x);
}

static bool load_lanes(LinxContext *x, LinxAccess *access, bool is_signed)
{
    uint64_t result[LINX_LANES] = { 0 };
    uint64_t active = linx_active(x);

    for (unsigned i = 0; i < x->lanes; i++) {
        if (active >> i & 1) {
            if (!linx_move(x, access, i, &result[i])) {
                return false;
            }
            result[i] = linx_extend(result[i], access->size, is_signed);
        }
    }
    return linx_result(x, result);
}

static bool store_lanes(LinxContext *x, LinxAccess *access)
{
    uint64_t active = linx_active(x);

    for (unsigned i = 0; i < x->lanes; i++) {
        if (active >> i & 1 && !linx_move(x, access, i, &access->data[i])) {
            return false;
        }
    }
    return true;
}

/* ---- atomics ---- */

static uint64_t combine(unsigned what, uint64_t old, uint64_t operand,
                        bool is_signed, unsigned size)
{
    uint64_t a = linx_extend(old, size, is_signed);
    uint64_t b = linx_extend(operand, size, is_signed);
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

static bool atomic_lane(LinxContext *x, LinxAccess *access, unsigned lane,
                        bool returns, uint64_t *old)
{
    /* Bits 46:44 of the encoding: ADD AND OR XOR MAX MIN. */
    unsigned what = linx_rows[x->inst->op].match >> 44 & 7;
    bool is_signed = linx_type(x->inst->field[LINX_F_SrcR]) >= 4;
    uint64_t address = access->address[lane], new;

    if (address & ((1u << access->size) - 1)) {
        return linx_raise(x, LINX_E_DATA, returns ?
                          LINX_DATA_LOAD_MISALIGNED :
                          LINX_DATA_STORE_MISALIGNED, address);
    }
    access->is_store = false;
    if (!linx_move(x, access, lane, old)) {
        return false;
    }
    new = combine(what, *old, access->data[lane], is_signed, access->size);
    access->is_store = true;
    return linx_move(x, access, lane, &new);
}

static bool run_atomic(LinxContext *x, LinxAccess *access, bool returns)
{
    uint64_t result[LINX_LANES] = { 0 };
    uint64_t active = linx_active(x);

    access->is_store = false;
    if (!check_space(x, access) || !check_base(x, access, false) ||
        !linx_source(x, LINX_F_SrcL, access->address) ||
        !linx_source(x, LINX_F_SrcR, access->data)) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        if (active >> i & 1) {
            if (!atomic_lane(x, access, i, returns, &result[i])) {
                return false;
            }
            result[i] = linx_extend(result[i], access->size, true);
        }
    }
    return !returns || linx_result(x, result);
}

/* A loaded value must fit the destination (OURS-19). */
static bool check_width(LinxContext *x, const LinxAccess *access)
{
    unsigned width = 3 - linx_type(x->inst->field[LINX_F_RegDst]);

    return linx_rows[x->inst->op].bits == 32 || width >= access->size ||
           linx_illegal(x);
}

bool linx_addresses(LinxContext *x, LinxAccess *access)
{
    const LinxRow *row = &linx_rows[x->inst->op];
    const LinxFormat *format = &linx_formats[row->format];

    access->has_imm = linx_field_bits(format, LINX_F_simm24) ||
                      linx_field_bits(format, LINX_F_simm12) ||
                      linx_field_bits(format, LINX_F_simm17);
    return check_space(x, access) &&
           (row->bits != 64 || check_base(x, access, access->has_imm)) &&
           compute_addresses(x, access, access->has_imm);
}

static bool run_plain(LinxContext *x, LinxAccess *access)
{
    const LinxRow *row = &linx_rows[x->inst->op];
    const char *name = row->name + (row->bits == 64 ? 2 : 0);

    if ((!access->is_store && !check_width(x, access)) ||
        !linx_addresses(x, access)) {
        return false;
    }
    if (access->is_store) {
        return linx_source(x, access->has_imm ? LINX_F_SrcL : LINX_F_SrcD,
                           access->data) && store_lanes(x, access);
    }
    return load_lanes(x, access, name[2] != 'u');
}

bool linx_access(LinxContext *x)
{
    const LinxRow *row = &linx_rows[x->inst->op];
    LinxAccess access = {
        .size = row->size,
        .is_local = x->inst->field[LINX_F_L],
    };

    switch (row->group) {
    case LINX_G_V_ATOMIC_LOAD:
        return run_atomic(x, &access, true);
    case LINX_G_V_ATOMIC_STORE:
        return run_atomic(x, &access, false);
    case LINX_G_V_STORE:
    case LINX_G_V_STORE_IMM:
    case LINX_G_S32_STORE:
        access.is_store = true;
        break;
    default:
        break;
    }
    return run_plain(x, &access);
}
