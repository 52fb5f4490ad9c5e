/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups: vector instructions in a row, done for one slice of lanes after the
 * other in a loop.
 *
 * What a slice needs of registers is loaded once and stored once, at the end,
 * and is a value in between: a group has cells for what it reads and writes.
 * So nothing has happened yet where a rare case (a NaN, mostly) shows, and all
 * instructions of the group can be executed by their handlers for that slice.
 *
 * A slice sees scalars as they were before the group, so an instruction that
 * reads one that is a lane mask written in the group is the next group's.
 */
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "group.h"

/* ---- beginning ---- */

static LLVMValueRef add_bytes(Region *r, LLVMValueRef pointer,
                              LLVMValueRef bytes)
{
    return LLVMBuildGEP2(r->builder, r->i8, pointer, &bytes, 1, "");
}

static LLVMValueRef constant64(Region *r, int64_t x)
{
    return LLVMConstInt(r->i64, (uint64_t)x, true);
}

/* The wave, moved on @size bytes for each slice before this one. */
static LLVMValueRef moved(Region *r, LLVMValueRef q, int64_t size)
{
    return add_bytes(r, r->wave,
                     LLVMBuildMul(r->builder, q, constant64(r, size), ""));
}

Group *group_begin(Region *r)
{
    Group *g = g_new0(Group, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(r->builder);
    LLVMValueRef zero = LLVMConstNull(r->i64);

    g->r = r;
    g->hidden = g_hash_table_new(NULL, NULL);
    g->cells = g_array_new(false, false, sizeof(Cell));
    g->rare = g_array_new(false, false, sizeof(LLVMValueRef));
    g->loop = region_new_block(r);
    g->before = LLVMCreateBuilderInContext(r->context);
    LLVMPositionBuilder(g->before, before, LLVMBuildBr(r->builder, g->loop));
    LLVMPositionBuilderAtEnd(r->builder, g->loop);
    g->q = LLVMBuildPhi(r->builder, r->i64, "");
    LLVMAddIncoming(g->q, &zero, &before, 1);
    g->lanes = moved(r, g->q, r->lib->isa->slice);
    g->bits = moved(r, g->q, r->lib->isa->slice_bits);
    return g;
}

Val group_number(Group *g, LLVMTypeRef type)
{
    return (Val){ LLVMBuildTrunc(g->r->builder, g->q, type, ""), BASE_NONE,
                  0 };
}

LLVMValueRef group_opaque(Group *g, LLVMValueRef value)
{
    LLVMBuilderRef here = g->r->builder;
    LLVMValueRef hidden = g_hash_table_lookup(g->hidden, value);

    if (!hidden) {
        g->r->builder = g->before;
        hidden = region_opaque(g->r, value);
        g->r->builder = here;
        g_hash_table_insert(g->hidden, value, hidden);
    }
    return hidden;
}

/* ---- cells ---- */

/* Bytes of the wave that belong to a lane mask. */
static unsigned mask_size(Group *g)
{
    return g->r->job->lanes / 8;
}

/* A slice's bits stand for the mask's, unless each slice has its own cell. */
static unsigned extent(Group *g, Base base, unsigned size)
{
    return base == BASE_BITS && !g->whole ? mask_size(g) : size;
}

/* Where @offset of @base is, if there is a cell for each slice. */
static void locate(const Group *g, Base *base, int64_t *offset)
{
    const JitIsa *isa = g->r->lib->isa;

    if (!g->whole) {
        return;
    }
    if (*base == BASE_LANES) {
        *offset += g->slice * isa->slice;
    } else if (*base == BASE_BITS) {
        *offset += g->slice * isa->slice_bits;
    } else if (*base == BASE_WAVE && *offset >= isa->vectors) {
        *base = BASE_LANES;
    }
}

static bool overlap(int64_t a, unsigned a_size, int64_t b, unsigned b_size)
{
    return a < b + b_size && b < a + a_size;
}

/* Vectors have a space of their own, scalars and lane masks share one. */
static bool same_space(Base a, Base b)
{
    return (a == BASE_LANES) == (b == BASE_LANES);
}

/*
 * The cell that is there.  *@clash if the access would see or hide what another
 * one has written in part, or in all slices instead of one.
 */
static Cell *find_cell(Group *g, Base base, int64_t offset, unsigned size,
                       bool write, bool *clash)
{
    Cell *found = NULL;

    for (unsigned i = 0; i < g->cells->len; i++) {
        Cell *cell = group_cell(g, i);

        if (cell->base == base && cell->offset == offset &&
            cell->size == size) {
            found = cell;
        } else if (same_space(cell->base, base) && (write || cell->dirty) &&
                   overlap(cell->offset,
                           extent(g, cell->base, cell->size), offset,
                           extent(g, base, size))) {
            *clash = true;
        }
    }
    return found;
}

static LLVMValueRef cell_pointer(Group *g, Base base, int64_t offset)
{
    return add_bytes(g->r, base == BASE_LANES ? g->lanes : g->bits,
                     constant64(g->r, offset));
}

static unsigned cell_align(Base base, unsigned size)
{
    return base == BASE_LANES && size >= 64 ? 64 : 1;
}

static LLVMValueRef load_scalar(Group *g, int64_t offset, LLVMTypeRef type)
{
    LLVMBuilderRef b = g->whole ? together_scalars(g) : g->before;
    LLVMValueRef index = constant64(g->r, offset);
    LLVMValueRef at = LLVMBuildGEP2(b, g->r->i8, g->r->wave, &index, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(b, type, at, "");

    LLVMSetAlignment(v, 1);
    return v;
}

static LLVMValueRef load_cell(Group *g, Base base, int64_t offset,
                              unsigned size, LLVMTypeRef type)
{
    LLVMValueRef v;

    if (base == BASE_WAVE || (g->whole && base == BASE_BITS)) {
        return load_scalar(g, offset, type);
    }
    if (g->whole) {
        return region_as_type(g->r, program_register(g, offset), type);
    }
    v = LLVMBuildLoad2(g->r->builder, type, cell_pointer(g, base, offset), "");
    LLVMSetAlignment(v, cell_align(base, size));
    return v;
}

static unsigned bytes_of(Group *g, LLVMTypeRef type)
{
    return (unsigned)LLVMABISizeOfType(g->r->lib->layout, type);
}

/* See region_as_type(); scalars stay where scalars are. */
static LLVMValueRef as_type(Group *g, LLVMValueRef v, LLVMTypeRef type)
{
    LLVMBuilderRef here = g->r->builder;

    if (!together_inside(g, v) && !is_vector(v)) {
        g->r->builder = together_scalars(g);
    }
    v = region_as_type(g->r, v, type);
    g->r->builder = here;
    return v;
}

/* One lane of the slice at @offset; whole programs only. */
static LLVMValueRef load_lane(Group *g, int64_t offset, LLVMTypeRef type)
{
    Region *r = g->r;
    int64_t slice = r->lib->isa->slice;
    int64_t behind = (offset - r->lib->isa->vectors) % slice;
    LLVMValueRef v = group_load(g, BASE_WAVE, offset - behind,
                                LLVMVectorType(r->i32, 16)), lane;

    if (!v || behind % 4) {
        return NULL;
    }
    lane = affine_lane(g, v, (unsigned)behind / 4);
    if (!lane && g->scalars) { /* in each wave another */
        return NULL;
    }
    if (!lane) {
        lane = LLVMBuildExtractElement(r->builder, v,
                                       constant64(r, behind / 4), "");
    }
    return as_type(g, lane, type);
}

/* Is what is there made of a mask that the group has written? */
static bool is_stale(Group *g, Base base, int64_t offset, unsigned size)
{
    if (base != BASE_WAVE ||
        !overlap(offset, size, g->r->lib->isa->of_masks, 8)) {
        return false;
    }
    for (unsigned i = 0; i < g->cells->len; i++) {
        if (group_cell(g, i)->base == BASE_BITS && group_cell(g, i)->dirty) {
            return true;
        }
    }
    return false;
}

LLVMValueRef group_load(Group *g, Base base, int64_t offset, LLVMTypeRef type)
{
    unsigned size = bytes_of(g, type);
    bool clash = false;
    Cell *cell, new;

    locate(g, &base, &offset);
    if (g->whole && base == BASE_LANES) {
        if (size == 4) {
            return load_lane(g, offset, type);
        }
        if (offset < g->r->lib->isa->vectors ||
            size != g->r->lib->isa->slice) {
            return NULL;
        }
    }
    cell = find_cell(g, base, offset, size, false, &clash);
    if (clash || is_stale(g, base, offset, size) ||
        (base != BASE_WAVE &&
         LLVMGetTypeKind(type) == LLVMPointerTypeKind)) {
        return NULL;
    }
    if (cell) {
        LLVMValueRef v = g->whole ? affine_cast(g, cell->v, type) : NULL;

        return v ? v : as_type(g, cell->v, type);
    }
    new = (Cell){ base, offset, size,
                  load_cell(g, base, offset, size, type), false, 0 };
    g_array_append_val(g->cells, new);
    return new.v;
}

/* Masks must lie where masks can, so that handlers can be run for a slice. */
static bool is_place(Group *g, Base base, int64_t offset, unsigned size)
{
    const JitIsa *isa = g->r->lib->isa;

    if (base == BASE_BITS) {
        return size == 2 && offset < isa->masks_end &&
               (offset - isa->registers) % mask_size(g) == 0;
    }
    return size == isa->slice &&
           (g->whole ? offset >= isa->vectors : base == BASE_LANES);
}

bool group_store(Group *g, Base base, int64_t offset, LLVMValueRef v)
{
    unsigned size = bytes_of(g, LLVMTypeOf(v));
    bool clash = false;
    Cell *cell, new;

    if (!is_place(g, base, offset, size)) {
        return false;
    }
    locate(g, &base, &offset);
    cell = find_cell(g, base, offset, size, true, &clash);
    if (clash) {
        return false;
    }
    if (LLVMIsConstant(v) && base != BASE_BITS) {
        v = group_opaque(g, v);
    }
    if (cell) {
        cell->v = v;
        cell->dirty = true;
        cell->slot = g->slot;
    } else {
        new = (Cell){ base, offset, size, v, true, g->slot };
        g_array_append_val(g->cells, new);
    }
    return true;
}

/* ---- rare cases ---- */

void group_rare(Group *g, LLVMValueRef condition)
{
    for (unsigned i = 0; i < g->rare->len; i++) {
        if (g_array_index(g->rare, LLVMValueRef, i) == condition) {
            return;
        }
    }
    g_array_append_val(g->rare, condition);
}

/* Has @v a bit a lane? */
static bool is_mask(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 1;
}

/* If @condition asks whether any lane of a mask is set: the mask. */
static LLVMValueRef mask_of(LLVMValueRef condition)
{
    LLVMValueRef cast;

    if (!LLVMIsAICmpInst(condition) ||
        LLVMGetICmpPredicate(condition) != LLVMIntNE ||
        !LLVMIsNull(LLVMGetOperand(condition, 1))) {
        return NULL;
    }
    cast = LLVMGetOperand(condition, 0);
    return LLVMIsABitCastInst(cast) && is_mask(LLVMGetOperand(cast, 0))
               ? LLVMGetOperand(cast, 0) : NULL;
}

/* What @mask asks of for NaNs, or NULL. */
static LLVMValueRef asked(LLVMValueRef mask)
{
    return mask && LLVMIsAFCmpInst(mask) &&
                   LLVMGetFCmpPredicate(mask) == LLVMRealUNO &&
                   LLVMIsNull(LLVMGetOperand(mask, 1))
               ? LLVMGetOperand(mask, 0) : NULL;
}

/* Is the result of @v a NaN in each lane in which an operand is one? */
static bool hands_on_nans(LLVMValueRef v)
{
    size_t len;

    if (LLVMIsACallInst(v)) {
        LLVMValueRef fn = called_function(v);

        return fn && g_str_has_prefix(LLVMGetValueName2(fn, &len),
                                      "llvm.fma.");
    }
    if (!LLVMIsAInstruction(v)) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFAdd: case LLVMFSub: case LLVMFMul:
        return true;
    default:
        return false;
    }
}

/* Is @v handed on to something that is asked about as well? */
static bool asked_later(Group *g, LLVMValueRef v, unsigned from)
{
    for (unsigned i = from; i < g->rare->len; i++) {
        LLVMValueRef mask = mask_of(g_array_index(g->rare, LLVMValueRef, i));
        LLVMValueRef x = asked(mask);

        x = x ? region_uncast(x) : NULL;
        if (!x || !hands_on_nans(x)) {
            continue;
        }
        for (int k = 0; k < LLVMGetNumOperands(x); k++) {
            if (region_uncast(LLVMGetOperand(x, (unsigned)k)) == v) {
                return true;
            }
        }
    }
    return false;
}

static LLVMValueRef or(Group *g, LLVMValueRef a, LLVMValueRef b)
{
    return a ? LLVMBuildOr(g->r->builder, a, b, "") : b;
}

static LLVMValueRef any_bit(Group *g, LLVMValueRef mask)
{
    Region *r = g->r;
    LLVMTypeRef bits = LLVMIntTypeInContext(
        r->context, LLVMGetVectorSize(LLVMTypeOf(mask)));
    LLVMValueRef x = LLVMBuildBitCast(r->builder, mask, bits, "");

    return LLVMBuildICmp(r->builder, LLVMIntNE, x, LLVMConstNull(bits), "");
}

/* Is there a rare case?  Masks are joined before anything is asked of them. */
LLVMValueRef group_any_rare(Group *g)
{
    LLVMValueRef masks = NULL, others = NULL;

    for (unsigned i = 0; i < g->rare->len; i++) {
        LLVMValueRef c = g_array_index(g->rare, LLVMValueRef, i);
        LLVMValueRef mask = mask_of(c), x = asked(mask);

        if (x && asked_later(g, region_uncast(x), i + 1)) {
            continue;
        }
        if (mask && (!masks || LLVMTypeOf(masks) == LLVMTypeOf(mask))) {
            masks = or(g, masks, mask);
        } else {
            others = or(g, others, c);
        }
    }
    return masks ? or(g, others, any_bit(g, masks)) : others;
}

/* ---- the end ---- */

/*
 * A lane mask is put together out of its slices and stored once, behind the
 * loop: who reads it at once would have to wait until all parts of it are in
 * the cache.
 */
typedef struct Mask {
    int64_t offset;
    LLVMValueRef so_far;       /* a phi of the loop */
    LLVMValueRef here, redone; /* bits of this slice: computed, by handlers */
} Mask;

typedef struct Ending {
    GArray *masks; /* of Mask */
    LLVMBasicBlockRef stored, redone; /* ways to the end; the latter or NULL */
    LLVMBasicBlockRef next;
} Ending;

static Mask *mask_at(const Ending *end, unsigned i)
{
    return &g_array_index(end->masks, Mask, i);
}

static LLVMTypeRef bits16(Group *g)
{
    return LLVMIntTypeInContext(g->r->context, 16);
}

static LLVMTypeRef mask_type(Group *g)
{
    return LLVMIntTypeInContext(g->r->context, g->r->job->lanes);
}

static void begin_masks(Group *g, Ending *end)
{
    Region *r = g->r;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->before);
    LLVMValueRef zero = LLVMConstNull(mask_type(g));

    LLVMPositionBuilder(r->builder, g->loop, LLVMGetNextInstruction(g->q));
    for (unsigned i = 0; i < g->cells->len; i++) {
        const Cell *cell = group_cell(g, i);
        Mask mask = { .offset = cell->offset, .here = cell->v };

        if (cell->dirty && cell->base == BASE_BITS) {
            mask.so_far = LLVMBuildPhi(r->builder, mask_type(g), "");
            LLVMAddIncoming(mask.so_far, &zero, &before, 1);
            g_array_append_val(end->masks, mask);
        }
    }
    LLVMPositionBuilderAtEnd(r->builder, here);
}

/* A block in which handlers do all of the group for this slice. */
static void by_handlers(Group *g, Ending *end, unsigned slot, unsigned count)
{
    Region *r = g->r;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMTypeRef params[] = { r->ptr, r->ptr, r->i32, r->i32 };
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->context),
                                        params, 4, false);
    LLVMValueRef args[4];

    end->redone = region_new_block(r);
    LLVMPositionBuilderAtEnd(r->builder, end->redone);
    args[0] = r->wave;
    args[1] = region_address(r, &r->job->uops[slot]);
    args[2] = LLVMConstInt(r->i32, count, false);
    args[3] = LLVMBuildTrunc(r->builder, g->q, r->i32, "");
    LLVMBuildCall2(r->builder, type,
                   region_address(r, (void *)(uintptr_t)r->lib->isa->redo),
                   args, 4, "");
    for (unsigned i = 0; i < end->masks->len; i++) {
        mask_at(end, i)->redone = load_cell(
            g, BASE_BITS, mask_at(end, i)->offset, 2, bits16(g));
    }
    LLVMBuildBr(r->builder, end->next);
    LLVMPositionBuilderAtEnd(r->builder, here);
}

static void store_lanes(Group *g, Ending *end)
{
    Region *r = g->r;

    for (unsigned i = 0; i < g->cells->len; i++) {
        const Cell *cell = group_cell(g, i);
        LLVMValueRef store;

        if (cell->dirty && cell->base == BASE_LANES) {
            store = LLVMBuildStore(r->builder, cell->v,
                                   cell_pointer(g, cell->base, cell->offset));
            LLVMSetAlignment(store, cell_align(cell->base, cell->size));
        }
    }
    for (unsigned i = 0; i < end->masks->len; i++) {
        Mask *mask = mask_at(end, i);

        mask->here = region_as_type(r, mask->here, bits16(g));
    }
    end->stored = LLVMGetInsertBlock(r->builder);
    LLVMBuildBr(r->builder, end->next);
}

/* Where both ways meet. */
static void join_bits(Group *g, const Ending *end, Mask *mask)
{
    LLVMBasicBlockRef from[2] = { end->stored, end->redone };
    LLVMValueRef bits[2] = { mask->here, mask->redone };

    if (end->redone) {
        mask->here = LLVMBuildPhi(g->r->builder, bits16(g), "");
        LLVMAddIncoming(mask->here, bits, from, 2);
    }
}

/* The slices so far move down, and this one's bits come on top. */
static void add_bits(Group *g, const Ending *end, Mask *mask)
{
    Region *r = g->r;
    LLVMTypeRef type = mask_type(g);
    LLVMValueRef bits = LLVMBuildZExt(r->builder, mask->here, type, ""), sum;
    LLVMBasicBlockRef next = end->next;

    bits = LLVMBuildShl(r->builder, bits,
                        LLVMConstInt(type, r->job->lanes - 16, false), "");
    sum = LLVMBuildLShr(r->builder, mask->so_far,
                        LLVMConstInt(type, 16, false), "");
    sum = LLVMBuildOr(r->builder, sum, bits, "");
    LLVMAddIncoming(mask->so_far, &sum, &next, 1);
    mask->here = sum;
}

/* Have the loop that @branch goes back in written out for each slice. */
static void hint_full(Group *g, LLVMValueRef branch)
{
    static const char name[] = "llvm.loop.unroll.full";
    LLVMContextRef context = g->r->context;
    LLVMMetadataRef hint = LLVMMDStringInContext2(context, name,
                                                  strlen(name));
    LLVMMetadataRef operand[2] = { NULL,
        LLVMMDNodeInContext2(context, &hint, 1) };
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0), loop;

    operand[0] = self; /* it names itself, as no other loop does */
    loop = LLVMMDNodeInContext2(context, operand, 2);
    LLVMMetadataReplaceAllUsesWith(self, loop);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9),
                    LLVMMetadataAsValue(context, loop));
}

/* The next slice, or out of the loop. */
static void loop_end(Group *g, const Ending *end, bool write_out)
{
    Region *r = g->r;
    LLVMBasicBlockRef out = region_new_block(r), next = end->next;
    LLVMValueRef q, more, branch;

    q = LLVMBuildAdd(r->builder, g->q, constant64(r, 1), "");
    LLVMAddIncoming(g->q, &q, &next, 1);
    more = LLVMBuildICmp(r->builder, LLVMIntNE, q,
                         constant64(r, r->job->lanes / 16), "");
    branch = LLVMBuildCondBr(r->builder, more, g->loop, out);
    if (write_out) {
        hint_full(g, branch);
    }
    LLVMPositionBuilderAtEnd(r->builder, out);
}

static void store_masks(Group *g, const Ending *end)
{
    Region *r = g->r;

    for (unsigned i = 0; i < end->masks->len; i++) {
        const Mask *mask = mask_at(end, i);
        LLVMValueRef bits = LLVMIsConstant(mask->here)
                                ? region_opaque(r, mask->here) : mask->here;
        LLVMValueRef store = LLVMBuildStore(
            r->builder, bits, region_wave_field(r, mask->offset));

        LLVMSetAlignment(store, 4);
    }
}

void group_end(Group *g, unsigned slot, unsigned count, bool write_out)
{
    Region *r = g->r;
    LLVMValueRef rare = group_any_rare(g);
    LLVMBasicBlockRef store;
    Ending end = { .masks = g_array_new(false, false, sizeof(Mask)),
                   .next = region_new_block(r) };

    begin_masks(g, &end);
    if (rare) {
        by_handlers(g, &end, slot, count);
        store = region_new_block(r);
        LLVMBuildCondBr(r->builder, rare, end.redone, store);
        LLVMPositionBuilderAtEnd(r->builder, store);
    }
    store_lanes(g, &end);
    LLVMPositionBuilderAtEnd(r->builder, end.next);
    for (unsigned i = 0; i < end.masks->len; i++) { /* phis come first */
        join_bits(g, &end, mask_at(&end, i));
    }
    for (unsigned i = 0; i < end.masks->len; i++) {
        add_bits(g, &end, mask_at(&end, i));
    }
    loop_end(g, &end, write_out && !rare);
    store_masks(g, &end);
    LLVMDisposeBuilder(g->before);
    g_hash_table_destroy(g->hidden);
    g_array_free(end.masks, true);
    g_array_free(g->cells, true);
    g_array_free(g->rare, true);
    g_free(g);
}

/* ---- taking an instruction back ---- */

GroupMark group_mark(Group *g)
{
    return (GroupMark){
        .block = LLVMGetInsertBlock(g->r->builder),
        .last = LLVMGetLastBasicBlock(g->r->fn),
        .scalars = g->scalars ? LLVMGetInsertBlock(g->scalars) : NULL,
        .cells = g_array_copy(g->cells),
        .rare = g_array_copy(g->rare),
        .stored = g->stored,
    };
}

void group_keep(GroupMark *mark)
{
    g_array_free(mark->cells, true);
    g_array_free(mark->rare, true);
}

static void take_back(GArray *array, const GArray *old)
{
    g_array_set_size(array, 0);
    g_array_append_vals(array, old->data, old->len);
}

/* Is @block still to be built? */
static bool is_pending(Region *r, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < r->todo->len; i++) {
        unsigned todo = g_array_index(r->todo, unsigned, i);

        if (r->block[todo % 2][todo / 2] == block) {
            return true;
        }
    }
    return false;
}

/* Go on building in @block. */
static void reopen(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    if (end) {
        LLVMInstructionEraseFromParent(end);
    }
    LLVMPositionBuilderAtEnd(builder, block);
}

/* What was built since stays behind, unreachable; it is cleaned up later. */
void group_undo(Group *g, GroupMark *mark)
{
    Region *r = g->r;
    LLVMBasicBlockRef block = LLVMGetNextBasicBlock(mark->last);

    for (; block; block = LLVMGetNextBasicBlock(block)) {
        if (!LLVMGetBasicBlockTerminator(block) && !is_pending(r, block)) {
            LLVMPositionBuilderAtEnd(r->builder, block);
            LLVMBuildUnreachable(r->builder);
        }
    }
    take_back(g->cells, mark->cells);
    take_back(g->rare, mark->rare);
    g->stored = mark->stored;
    affine_undo(g);
    reopen(r->builder, mark->block);
    if (mark->scalars) {
        reopen(g->scalars, mark->scalars);
    }
    group_keep(mark);
}
