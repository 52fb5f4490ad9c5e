/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short programs as a whole: code that goes straight on from a wave's beginning
 * to its end, as that of many a kernel does which streams.
 *
 * It would spend most of its time on vector registers in the wave's struct.
 * Here they are values from beginning to end, whose cells are those of one
 * group (group.c), with a cell for each slice: not even what they begin with is
 * in the struct (Wave.fresh), and when the wave has ended nobody looks at them.
 *
 * All else goes another way: out of the program, to the code that there is for
 * each instruction anyway (region.c).  On the way out all registers are put in
 * the struct.  So before anything is called, and where anybody could look, the
 * wave's state is as if each instruction had been done by itself.  The way out
 * is taken
 *
 *  - where a row of vector instructions has a rare case, as groups do, or a
 *    load or store does not find its lanes side by side: nothing of the row has
 *    happened then, and the way leads to its first instruction;
 *  - where a scalar instruction calls a function, jumps, or leaves some lanes
 *    inactive.
 */
#include <string.h>
#include "group.h"

/* Instructions that such a program may have. */
#define PROGRAM_MAX 64

/* ---- what can be one ---- */

Function *program_form(Region *r, unsigned slot, bool *whole)
{
    const Uop *uop = &r->job->uops[slot];
    Function *f = library_whole(r->lib, uop->fn);

    *whole = f != NULL;
    return f ? f : library_strip(r->lib, uop, true);
}

bool program_ends(Region *r, unsigned slot)
{
    const JitIsa *isa = r->lib->isa;
    const char *name = isa->handler(r->job->uops[slot].fn);

    return name && isa->last(name);
}

static bool can_be_part(Region *r, unsigned slot)
{
    bool whole;

    return !slot_bit(r->apart, slot) &&
           r->lib->isa->jump(&r->job->uops[slot]) >= 0 &&
           (program_form(r, slot, &whole) || region_scalar(r, slot));
}

bool program_is(Region *r, unsigned slot)
{
    for (unsigned i = 0; i < PROGRAM_MAX && slot < PAGE_SLOTS; i++) {
        if (!can_be_part(r, slot)) {
            return false;
        }
        if (program_ends(r, slot)) {
            return true;
        }
        slot += MAX(r->job->uops[slot].len, 1);
    }
    return false;
}

/* ---- registers ---- */

LLVMValueRef program_register(Group *g, int64_t offset)
{
    Region *r = g->r;
    const JitIsa *isa = r->lib->isa;
    unsigned slices = (unsigned)(offset - isa->vectors) / isa->slice;
    unsigned number = slices / JIT_SLICES;

    if (number >= JIT_FIRST) {
        return g->nothing;
    }
    return number ? region_splat(r, g->first[number],
                                 LLVMVectorType(r->i32, 16))
                  : affine_numbers(g, g->first[0], slices % JIT_SLICES);
}

/* ---- lane masks ---- */

/* Sixteen bits of a mask, whose slices have all been written. */
static LLVMValueRef slice_bits(Group *g, const GArray *cells, int64_t offset)
{
    Region *r = g->r;

    for (unsigned i = 0; i < cells->len; i++) {
        const Cell *cell = &g_array_index(cells, Cell, i);

        if (cell->base == BASE_BITS && cell->offset == offset) {
            return region_as_type(r, affine_again(g, cell->v),
                                  LLVMInt16TypeInContext(r->context));
        }
    }
    return LLVMConstNull(LLVMInt16TypeInContext(r->context));
}

/* The mask at @offset, put together of its slices. */
static LLVMValueRef join_mask(Group *g, const GArray *cells, int64_t offset)
{
    Region *r = g->r;
    LLVMTypeRef type = LLVMIntTypeInContext(r->context, r->job->lanes);
    LLVMValueRef all = LLVMConstNull(type);

    for (unsigned q = 0; q < r->job->lanes / 16; q++) {
        LLVMValueRef bits = slice_bits(
            g, cells, offset + q * r->lib->isa->slice_bits);

        bits = LLVMBuildZExt(r->builder, bits, type, "");
        bits = LLVMBuildShl(r->builder, bits,
                            LLVMConstInt(type, 16 * q, false), "");
        all = LLVMBuildOr(r->builder, all, bits, "");
    }
    return all;
}

/*
 * Registers' constants are hidden from the optimiser; but one would have to be
 * read as a float for it to matter, and all ones are a NaN, a rare case.
 */
static LLVMValueRef hidden_mask(Region *r, LLVMValueRef mask)
{
    return LLVMIsConstant(mask) && mask != LLVMConstAllOnes(LLVMTypeOf(mask))
               ? region_opaque(r, mask) : mask;
}

/* Put lane masks that have been written in the struct. */
static void store_masks(Group *g, const GArray *cells)
{
    Region *r = g->r;
    unsigned size = r->job->lanes / 8;

    for (unsigned i = 0; i < cells->len; i++) {
        const Cell *cell = &g_array_index(cells, Cell, i);
        LLVMValueRef store;

        if (cell->base == BASE_BITS && cell->dirty &&
            (cell->offset - r->lib->isa->registers) % size == 0 &&
            !together_holds(g, cell->offset, size)) {
            store = LLVMBuildStore(r->builder,
                                   hidden_mask(
                                       r, join_mask(g, cells, cell->offset)),
                                   region_wave_field(r, cell->offset));
            LLVMSetAlignment(store, 4);
            program_wrote(g, cell->offset, size);
            region_end_strip(r, cell->slot, true);
        }
    }
}

/* Where the mask begins that the slice at @offset is of. */
static int64_t mask_start(Group *g, int64_t offset)
{
    return offset - (offset - g->r->lib->isa->registers) %
                    (g->r->job->lanes / 8);
}

/* A scalar instruction may want them. */
static void settle_masks(Group *g)
{
    LLVMBuilderRef here = g->r->builder;

    g->r->builder = together_scalars(g);
    store_masks(g, g->cells);
    g->r->builder = here;
    for (unsigned i = 0; i < g->cells->len; i++) {
        Cell *cell = group_cell(g, i);

        if (cell->base == BASE_BITS) {
            cell->dirty = together_holds(g, mask_start(g, cell->offset),
                                         g->r->job->lanes / 8);
        }
    }
}

/* ---- ways out ---- */

/* The registers some of whose slices are in dirty @cells. */
static void dirty_registers(Region *r, const GArray *cells, uint64_t *set)
{
    const JitIsa *isa = r->lib->isa;

    memset(set, 0, JIT_REGISTERS / 8);
    for (unsigned i = 0; i < cells->len; i++) {
        const Cell *cell = &g_array_index(cells, Cell, i);
        unsigned number = (unsigned)(cell->offset - isa->vectors) /
                          (isa->slice * JIT_SLICES);

        if (cell->base == BASE_LANES && cell->dirty &&
            number < JIT_REGISTERS) {
            slot_bit_set(set, number);
        }
    }
}

static void store_registers(Group *g, const GArray *cells)
{
    Region *r = g->r;

    for (unsigned i = 0; i < cells->len; i++) {
        const Cell *cell = &g_array_index(cells, Cell, i);

        if (cell->base == BASE_LANES && cell->dirty) {
            LLVMValueRef store = LLVMBuildStore(
                r->builder, affine_again(g, cell->v),
                region_wave_field(r, cell->offset));

            LLVMSetAlignment(store, cell->size);
        }
    }
}

/*
 * Put all vector registers and lane masks in the wave's struct.  An instruction
 * writes all slices of a register, so the others are those that nothing was put
 * in.
 */
static void settle(Group *g, const GArray *cells)
{
    Region *r = g->r;
    LLVMTypeRef params[] = { r->ptr, r->i64, r->i64, r->i64, r->i64 };
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->context),
                                        params, 5, false);
    LLVMValueRef args[5] = { r->wave };
    uint64_t but[JIT_REGISTERS / 64];

    r->size += cells->len;
    store_masks(g, cells);
    store_registers(g, cells);
    dirty_registers(r, cells, but);
    for (unsigned i = 0; i < G_N_ELEMENTS(but); i++) {
        args[1 + i] = LLVMConstInt(r->i64, but[i], false);
    }
    LLVMBuildCall2(r->builder, type,
                   region_address(r, (void *)(uintptr_t)r->lib->isa->settle),
                   args, 5, "");
}

void program_settle(Group *g)
{
    Region *r = g->r;

    if (g->scalars) { /* what follows is not reached */
        LLVMBuildBr(r->builder, together_out(g));
        LLVMPositionBuilderAtEnd(r->builder, region_new_block(r));
    } else {
        settle(g, g->cells);
    }
}

void program_wrote(Group *g, int64_t offset, unsigned size)
{
    const JitIsa *isa = g->r->lib->isa;
    int64_t end = MIN(offset + size, isa->registers + isa->image_size);

    for (; offset < end; offset = (offset | (JIT_LINE - 1)) + 1) {
        if (offset >= isa->registers) {
            slot_bit_set(g->wrote,
                         (unsigned)(offset - isa->registers) / JIT_LINE);
        }
    }
}

void program_restore(Group *g)
{
    Region *r = g->r;
    const JitIsa *isa = r->lib->isa;
    LLVMTypeRef line = LLVMVectorType(r->i32, JIT_LINE / 4);

    for (unsigned i = 0; i < G_N_ELEMENTS(g->wrote) * 64; i++) {
        int64_t at = i * JIT_LINE;
        LLVMValueRef v;

        if (slot_bit(g->wrote, i)) {
            v = LLVMBuildLoad2(r->builder, line,
                               region_wave_field(r, isa->image + at), "");
            LLVMBuildStore(r->builder, v,
                           region_wave_field(r, isa->registers + at));
        }
    }
}

/* On to @yes if @byte is not 0. */
static void branch_on(Region *r, LLVMValueRef byte, LLVMBasicBlockRef yes,
                      LLVMBasicBlockRef no)
{
    LLVMValueRef is = LLVMBuildICmp(r->builder, LLVMIntNE, byte,
                                    LLVMConstNull(r->i8), "");

    LLVMBuildCondBr(r->builder, is, yes, no);
}

void program_follow(Group *g)
{
    Region *r = g->r;
    LLVMTypeRef type = LLVMFunctionType(r->i8, &r->ptr, 1, false);
    LLVMBasicBlockRef next = region_new_block(r), end = region_new_block(r);
    LLVMBasicBlockRef fresh = region_new_block(r);
    LLVMValueRef at;

    program_restore(g);
    branch_on(r, LLVMBuildCall2(r->builder, type,
                                region_address(r, (void *)(uintptr_t)
                                                      r->lib->isa->follow),
                                &r->wave, 1, ""), next, end);
    LLVMPositionBuilderAtEnd(r->builder, next);
    at = region_wave_field(r, offsetof(Wave, fresh));
    branch_on(r, LLVMBuildLoad2(r->builder, r->i8, at, ""), fresh,
              region_leave_at(r, g->begins));
    LLVMPositionBuilderAtEnd(r->builder, fresh);
    LLVMBuildStore(r->builder, LLVMConstNull(r->i8), at);
    LLVMBuildBr(r->builder, g->program);
    LLVMPositionBuilderAtEnd(r->builder, end);
}

/* A block in which registers are as in @cells and are settled; then @to. */
static LLVMBasicBlockRef way_out(Group *g, const GArray *cells,
                                 LLVMBasicBlockRef to)
{
    Region *r = g->r;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef block = region_new_block(r);

    LLVMPositionBuilderAtEnd(r->builder, block);
    settle(g, cells);
    LLVMBuildBr(r->builder, to);
    LLVMPositionBuilderAtEnd(r->builder, here);
    return block;
}

LLVMBasicBlockRef program_out(Group *g, LLVMBasicBlockRef to)
{
    return g->scalars ? together_out(g) : way_out(g, g->cells, to);
}

/* ---- rows of vector instructions ---- */

/* The next try does without: the instruction cannot be part of one. */
static void misfit(Group *g, unsigned slot)
{
    if (g->scalars) {
        g->failed = true;
    } else {
        slot_bit_set(g->r->apart, slot);
        g->r->failed = true;
    }
}

static void begin_row(Group *g, unsigned slot)
{
    LLVMBuilderRef b = together_scalars(g);

    g->row = region_new_block(g->r);
    LLVMBuildBr(b, g->row);
    LLVMPositionBuilderAtEnd(b, g->row);
    g->refill = NULL;
    g->from = slot;
    g->stored = false;
    g_array_set_size(g->then, 0);
    g_array_append_vals(g->then, g->cells->data, g->cells->len);
}

void program_hardly_ever(Region *r, LLVMValueRef branch)
{
    static const char name[] = "branch_weights";
    LLVMMetadataRef node[] = {
        LLVMMDStringInContext2(r->context, name, strlen(name)),
        LLVMValueAsMetadata(LLVMConstInt(r->i32, 1, false)),
        LLVMValueAsMetadata(LLVMConstInt(r->i32, 2000, false)),
    };

    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(r->context, "prof", 4),
                    LLVMMetadataAsValue(
                        r->context,
                        LLVMMDNodeInContext2(r->context, node, 3)));
}

bool group_refill(Group *g, const JitSymbol *fn, LLVMValueRef va,
                  LLVMValueRef access)
{
    g->refill = fn;
    g->refill_va = va;
    g->refill_access = access;
    return g->whole;
}

LLVMBasicBlockRef program_refill(Group *g, LLVMBasicBlockRef out)
{
    Region *r = g->r;
    LLVMTypeRef params[] = { r->ptr, r->i64, r->i32 };
    LLVMTypeRef type = LLVMFunctionType(r->i8, params, 3, false);
    LLVMValueRef args[] = { r->wave, g->refill_va, g->refill_access };
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef block = region_new_block(r);

    LLVMPositionBuilderAtEnd(r->builder, block);
    branch_on(r, LLVMBuildCall2(r->builder, type,
                                region_address(r, g->refill->address), args, 3,
                                ""), g->row, out);
    LLVMPositionBuilderAtEnd(r->builder, here);
    return block;
}

/* Leave the program where the row, as far as it goes, has a rare case. */
static void leave_if_rare(Group *g)
{
    Region *r = g->r;
    LLVMValueRef rare = group_any_rare(g), branch;
    LLVMBasicBlockRef on, out;

    g_array_set_size(g->rare, 0);
    if (!rare) {
        return;
    }
    on = region_new_block(r);
    out = way_out(g, g->then, region_block_at(r, g->from));
    if (g->refill) {
        out = program_refill(g, out);
    }
    branch = LLVMBuildCondBr(r->builder, rare, out, on);
    program_hardly_ever(r, branch);
    LLVMPositionBuilderAtEnd(r->builder, on);
}

bool group_touches_memory(Group *g, bool write)
{
    if (g->scalars) {
        together_leave_if_rare(g);
        g->changed |= write;
        g->stored |= write;
    } else if (g->whole) {
        leave_if_rare(g);
        g->stored |= write;
    }
    return g->whole || !write;
}

/* Scalars may have changed: look for them anew. */
static void forget_scalars(Group *g, bool masks)
{
    for (unsigned i = g->cells->len; i-- > 0;) {
        const Cell *cell = group_cell(g, i);

        if (cell->base == BASE_WAVE ||
            (masks && cell->base == BASE_BITS && !cell->dirty)) {
            g_array_remove_index_fast(g->cells, i);
        }
    }
}

/* Do the instruction at @slot for all slices; false if it does not fit. */
static bool add_instruction(Group *g, unsigned slot, Function *f, bool whole)
{
    Region *r = g->r;
    unsigned slices = whole ? 1 : r->job->lanes / 16;
    GroupMark mark;

    if (!region_has_room(r, slices * f->size)) {
        return false;
    }
    mark = group_mark(g);
    g->slot = slot;
    g->address = whole;
    for (g->slice = 0; g->slice < slices; g->slice++) {
        Step step = { .region = r, .group = g, .straight = true,
                      .handler = f, .slot = slot, .full = true };

        g->q = LLVMConstInt(r->i64, g->slice, false);
        clone_step(&step);
        if (step.failed || g->failed) {
            group_undo(g, &mark);
            g->failed = false;
            return false;
        }
        r->size += f->size;
    }
    group_keep(&mark);
    return true;
}

/*
 * Instructions from @slot on that can be done in a row.  What loads or stores
 * is a row of its own, so that hardly anything is done twice.
 */
static unsigned fill_row(Group *g, unsigned *slot)
{
    unsigned count = 0;
    bool whole = false;

    while (!whole && *slot < PAGE_SLOTS) {
        Function *f = program_form(g->r, *slot, &whole);

        if (!f || (whole && count) || !add_instruction(g, *slot, f, whole)) {
            break;
        }
        *slot += g->r->job->uops[*slot].len;
        count++;
    }
    return count;
}

/* Is the next scalar instruction from @slot on one that narrows EXEC? */
static bool narrows_behind(Region *r, unsigned slot)
{
    const JitIsa *isa = r->lib->isa;
    bool whole;

    while (slot < PAGE_SLOTS && program_form(r, slot, &whole)) {
        slot += MAX(r->job->uops[slot].len, 1);
    }
    return slot < PAGE_SLOTS && isa->handler(r->job->uops[slot].fn) &&
           isa->narrows(isa->handler(r->job->uops[slot].fn));
}

bool program_row(Group *g, unsigned *slot)
{
    unsigned count;

    g->narrows = narrows_behind(g->r, *slot);
    forget_scalars(g, false);
    begin_row(g, *slot);
    count = fill_row(g, slot);
    if (count == 0) { /* a mask may have to be read as a scalar */
        settle_masks(g);
        forget_scalars(g, true);
        begin_row(g, *slot);
        count = fill_row(g, slot);
    }
    if (count == 0) {
        misfit(g, *slot);
    }
    if (g->stored && g->rare->len) { /* too late to leave */
        misfit(g, g->from);
    } else if (g->scalars) {
        together_leave_if_rare(g);
    } else {
        leave_if_rare(g);
    }
    g->r->job->instructions += count;
    return count > 0;
}

/* ---- the program ---- */

bool program_scalar(Group *g, unsigned *slot)
{
    Region *r = g->r;
    Step step = { .region = r, .program = g, .slot = *slot, .full = true,
                  .handler = region_scalar(r, *slot),
                  .last = program_ends(r, *slot) };
    unsigned cells;

    g->address = false;
    if (!region_has_room(r, step.handler->size)) {
        misfit(g, *slot);
        return false;
    }
    if (!step.last) {
        settle_masks(g);
        forget_scalars(g, true);
    }
    cells = g->cells->len;
    clone_step(&step);
    g_array_set_size(g->cells, cells); /* read under a condition, maybe */
    affine_undo(g);
    r->size += step.handler->size;
    r->job->instructions++;
    if (step.failed) {
        misfit(g, *slot);
        return false;
    }
    *slot += r->job->uops[*slot].len;
    if (step.on) {
        LLVMPositionBuilderAtEnd(r->builder, step.on);
    }
    return step.on;
}

/*
 * In front of the program there is a block for constants that are hidden from
 * the optimiser, each of them once.
 */
void program_begin(Group *g, Region *r, unsigned slot)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef program = region_new_block(r);

    memset(g, 0, sizeof(*g));
    g->r = r;
    g->program = program;
    g->begins = slot;
    g->whole = true;
    g->before = LLVMCreateBuilderInContext(r->context);
    LLVMPositionBuilder(g->before, here, LLVMBuildBr(r->builder, program));
    g->cells = g_array_new(false, false, sizeof(Cell));
    g->then = g_array_new(false, false, sizeof(Cell));
    g->rare = g_array_new(false, false, sizeof(LLVMValueRef));
    g->hidden = g_hash_table_new(NULL, NULL);
    g->nothing = group_opaque(
        g, LLVMConstNull(LLVMVectorType(r->i32, 16))); /* see JitIsa.first */
    affine_open(g);
    LLVMPositionBuilderAtEnd(r->builder, program);
    for (unsigned i = 0; i < JIT_FIRST; i++) {
        g->first[i] = LLVMBuildLoad2(
            r->builder, r->i32,
            region_wave_field(r, r->lib->isa->first + 4 * i), "");
    }
}

void program_end(Group *g)
{
    LLVMDisposeBuilder(g->before);
    g_hash_table_destroy(g->hidden);
    affine_close(g);
    g_array_free(g->cells, true);
    g_array_free(g->then, true);
    g_array_free(g->rare, true);
}

/* The program for one wave, where the builder stands. */
static void build_one(Region *r, unsigned slot, LLVMBasicBlockRef program)
{
    bool whole, more = true;
    Group g;

    program_begin(&g, r, slot);
    g.program = program;
    while (more && !r->failed) {
        if (program_form(r, slot, &whole)) {
            more = program_row(&g, &slot);
        } else {
            more = program_scalar(&g, &slot);
        }
    }
    program_end(&g);
}

void program_build(Region *r, unsigned slot)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef one = region_new_block(r);

    LLVMPositionBuilderAtEnd(r->builder, one);
    build_one(r, slot, here);
    if (!r->failed) {
        LLVMPositionBuilderAtEnd(r->builder, here);
        together_build(r, slot, one);
    }
}
