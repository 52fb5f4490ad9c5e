/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short programs for several waves at once.
 *
 * The waves of a work-group's row differ in little more than their lanes'
 * numbers, so most of a short program (program.c) comes to the same in each of
 * them: scalar instructions, what is loaded for them, and where the first lane
 * of a load or store is.  Here that is done once, and what is left is a loop
 * over the waves: loads, what is computed of the loaded, and stores.
 *
 *      T: how many waves are there?  one: to the program for one
 *         scalars: scalar instructions, addresses, the TLB
 *         body:    vectors of the wave at hand; the next wave
 *         the waves have ended, others may follow: to T
 *
 * Two builders build the program's instructions in order, each what belongs in
 * its place.  Scalars may be used in the body, and not the other way round.
 *
 * As soon as anything is not as it should be, the waves that have not ended yet
 * begin again, in the program for one.  Until then nothing of them has been
 * done that could not be done twice: nothing can be rare in the body behind its
 * first store, and scalar instructions store nothing.
 *
 * Waves follow each other in the loop as they would have without it, so vector
 * instructions find in memory what they would have found.  Scalar ones are done
 * early for all waves but the first, and may miss what an earlier wave stores.
 * So they may in hardware: the scalar cache is not coherent with the vector cache
 * (gfx-facts section 12).  What a wave has stored itself they must not miss, so
 * behind a store there are no scalar loads here.
 */
#include <string.h>
#include "group.h"

/* ---- inside and outside ---- */

void together_mark(Group *g)
{
    g_hash_table_add(g->inside, LLVMGetInsertBlock(g->body));
}

bool together_inside(const Group *g, LLVMValueRef v)
{
    return g->scalars && LLVMIsAInstruction(v) &&
           g_hash_table_contains(g->inside, LLVMGetInstructionParent(v));
}

bool together_holds(const Group *g, int64_t offset, unsigned size)
{
    for (unsigned i = 0; g->scalars && i < g->cells->len; i++) {
        const Cell *cell = group_cell(g, i);

        if (cell->base == BASE_BITS && cell->dirty &&
            together_inside(g, cell->v) && cell->offset < offset + size &&
            offset < cell->offset + cell->size) {
            return true;
        }
    }
    return false;
}

/* Does the scalar instruction mean a mask that differs from wave to wave? */
static bool means_held(const Step *step, int64_t offset, unsigned size)
{
    const JitIsa *isa = step->region->lib->isa;

    if (!step->program) {
        return false;
    }
    if (offset < isa->of_masks + 8 && isa->of_masks < offset + size) {
        return together_holds(step->program, isa->registers,
                              isa->masks_end - isa->registers);
    }
    return together_holds(step->program, offset, size);
}

bool together_varies(const Step *step, Val at, unsigned size)
{
    const Group *group = step->group ? step->group : step->program;

    return group && group->scalars &&
           (at.base == BASE_WAVE_SOMEWHERE ||
            (at.base == BASE_WAVE &&
             (fact_meets(step->region->lib->isa->varies, at.offset, size) ||
              means_held(step, at.offset, size))));
}

/* ---- ways out ---- */

/* On to the program for one wave, of which @ended are through. */
static void go_again(Group *g, LLVMBuilderRef b, LLVMValueRef ended)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);

    LLVMBuildBr(b, g->again);
    LLVMAddIncoming(g->ended, &ended, &here, 1);
}

static LLVMBasicBlockRef out_at(Group *g, LLVMValueRef ended)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->r->context);
    LLVMBasicBlockRef block = region_new_block(g->r);

    LLVMPositionBuilderAtEnd(b, block);
    go_again(g, b, ended);
    LLVMDisposeBuilder(b);
    return block;
}

LLVMBasicBlockRef together_out(Group *g)
{
    return out_at(g, LLVMConstNull(g->r->i32));
}

/* Those of @g->rare that are @inside, or that are not. */
static LLVMValueRef any_rare(Group *g, const GArray *all, bool inside)
{
    g_array_set_size(g->rare, 0);
    for (unsigned i = 0; i < all->len; i++) {
        LLVMValueRef c = g_array_index(all, LLVMValueRef, i);

        if (together_inside(g, c) == inside) {
            g_array_append_val(g->rare, c);
        }
    }
    return group_any_rare(g);
}

/* To @out if @rare, where the region's builder stands. */
static void leave_to(Group *g, LLVMValueRef rare, LLVMBasicBlockRef out)
{
    Region *r = g->r;
    LLVMBasicBlockRef on = region_new_block(r);

    program_hardly_ever(r, LLVMBuildCondBr(r->builder, rare, out, on));
    LLVMPositionBuilderAtEnd(r->builder, on);
}

/* In loads and stores all that can be rare is of the waves together. */
static void leave_body(Group *g, LLVMValueRef rare)
{
    together_mark(g);
    leave_to(g, rare, out_at(g, g->place));
    g->failed |= g->address || g->changed;
}

static void leave_scalars(Group *g, LLVMValueRef rare)
{
    LLVMBasicBlockRef out = together_out(g);

    leave_to(g, rare, g->refill ? program_refill(g, out) : out);
}

void together_leave_if_rare(Group *g)
{
    Region *r = g->r;
    LLVMBuilderRef here = r->builder;
    GArray *all = g_array_copy(g->rare);
    LLVMValueRef rare;

    r->builder = g->body;
    rare = any_rare(g, all, true);
    if (rare) {
        leave_body(g, rare);
    }
    r->builder = g->scalars;
    rare = any_rare(g, all, false);
    if (rare) {
        leave_scalars(g, rare);
    }
    r->builder = here;
    g_array_set_size(g->rare, 0);
    g_array_free(all, true);
}

/* ---- the program ---- */

static LLVMValueRef constant32(Region *r, uint32_t x)
{
    return LLVMConstInt(r->i32, x, false);
}

/* How many waves are there? */
static LLVMValueRef count_waves(Region *r)
{
    LLVMTypeRef type = LLVMFunctionType(r->i32, &r->ptr, 1, false);
    void *address = (void *)(uintptr_t)r->lib->isa->together;

    return LLVMBuildCall2(r->builder, type, region_address(r, address),
                          &r->wave, 1, "");
}

/* Behind @waves' scalars, which the builder stands in, comes a loop. */
static void begin_body(Group *g, LLVMValueRef waves)
{
    Region *r = g->r;

    g->waves = waves;
    g->inside = g_hash_table_new(NULL, NULL);
    g->body = r->builder;
    g->scalars = LLVMCreateBuilderInContext(r->context);
    LLVMPositionBuilderAtEnd(g->scalars, LLVMGetInsertBlock(r->builder));
    g->loop = region_new_block(r);
    g->again = region_new_block(r);
    LLVMPositionBuilderAtEnd(r->builder, g->again);
    g->ended = LLVMBuildPhi(r->builder, r->i32, "");
    LLVMPositionBuilderAtEnd(r->builder, g->loop);
    g->place = LLVMBuildPhi(r->builder, r->i32, "");
    together_mark(g);
}

/* @count of the waves have ended. */
static void move_on(Group *g, LLVMValueRef count)
{
    Region *r = g->r;
    LLVMTypeRef params[] = { r->ptr, r->i32 };
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->context),
                                        params, 2, false);
    LLVMValueRef args[] = { r->wave, count };
    void *address = (void *)(uintptr_t)r->lib->isa->move_on;

    LLVMBuildCall2(r->builder, type, region_address(r, address), args, 2, "");
}

/* The end of the body, and of the loop; the builder then stands behind it. */
static void end_body(Group *g)
{
    Region *r = g->r;
    LLVMBasicBlockRef from[2] = { LLVMGetInsertBlock(g->scalars),
                                  LLVMGetInsertBlock(r->builder) };
    LLVMBasicBlockRef behind = region_new_block(r);
    LLVMValueRef place[2] = { constant32(r, 0) }, more;

    LLVMBuildBr(g->scalars, g->loop);
    place[1] = LLVMBuildAdd(r->builder, g->place, constant32(r, 1), "");
    LLVMAddIncoming(g->place, place, from, 2);
    more = LLVMBuildICmp(r->builder, LLVMIntULT, place[1], g->waves, "");
    LLVMBuildCondBr(r->builder, more, g->loop, behind);
    LLVMPositionBuilderAtEnd(r->builder, behind);
}

/* The last wave ends as one by itself does. */
static void end_waves(Group *g, unsigned slot, LLVMBasicBlockRef one)
{
    Region *r = g->r;

    end_body(g);
    move_on(g, LLVMBuildSub(r->builder, g->waves, constant32(r, 1), ""));
    g->failed |= program_scalar(g, &slot);
    LLVMPositionBuilderAtEnd(r->builder, g->again);
    program_restore(g);
    move_on(g, g->ended);
    LLVMBuildBr(r->builder, one);
}

/* What the waves store they would do later than a scalar load behind it. */
static bool is_too_early(Group *g, unsigned slot)
{
    Region *r = g->r;

    return g->changed && r->lib->isa->called(r->job->uops[slot].fn);
}

static bool add_scalar(Group *g, unsigned *slot)
{
    bool more;

    if (is_too_early(g, *slot)) {
        return false;
    }
    g->r->builder = g->scalars;
    more = program_scalar(g, slot);
    g->r->builder = g->body;
    return more;
}

/* All but the last instruction; returns the slot of that. */
static unsigned add_instructions(Group *g, unsigned slot)
{
    bool whole;

    while (!g->failed && !program_ends(g->r, slot)) {
        g->failed |= !(program_form(g->r, slot, &whole)
                           ? program_row(g, &slot) : add_scalar(g, &slot));
    }
    return slot;
}

/* Are there loads or stores, which the rest is there for? */
static bool is_worth_it(Region *r, unsigned slot)
{
    bool whole = false;

    for (; !whole && !program_ends(r, slot);
         slot += MAX(r->job->uops[slot].len, 1)) {
        program_form(r, slot, &whole);
    }
    return whole;
}

/* It is not used any more. */
static void erase(LLVMValueRef v)
{
    LLVMReplaceAllUsesWith(v, LLVMGetUndef(LLVMTypeOf(v)));
    LLVMInstructionEraseFromParent(v);
}

/* It did not work out: nothing of it can be reached. */
static void abandon(Group *g, GroupMark *mark)
{
    group_undo(g, mark);
    LLVMBuildUnreachable(g->r->builder);
    erase(g->place);
    erase(g->ended);
    erase(g->waves);
}

static void keep(Group *g, GroupMark *mark)
{
    group_keep(mark);
    if (LLVMCountIncoming(g->ended) == 0) { /* nothing can be rare */
        erase(g->ended);
    }
}

/* What is behind @entry, which begins where the builder stands. */
static bool build_waves(Group *g, unsigned slot, LLVMBasicBlockRef entry,
                        LLVMBasicBlockRef one, LLVMValueRef waves)
{
    Region *r = g->r;
    unsigned size = r->size, instructions = r->job->instructions;
    GroupMark mark = group_mark(g);

    begin_body(g, waves);
    g->program = entry;
    slot = add_instructions(g, slot);
    if (!g->failed) {
        end_waves(g, slot, one);
    }
    if (!g->failed) {
        keep(g, &mark);
    } else {
        abandon(g, &mark);
        r->size = size;
        r->job->instructions = instructions;
    }
    LLVMDisposeBuilder(g->scalars);
    g_hash_table_destroy(g->inside);
    program_end(g);
    return !g->failed;
}

void together_build(Region *r, unsigned slot, LLVMBasicBlockRef one)
{
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(r->builder), more;
    LLVMValueRef waves, is;
    bool done = is_worth_it(r, slot);
    Group g;

    if (done) {
        waves = count_waves(r);
        more = region_new_block(r);
        LLVMPositionBuilderAtEnd(r->builder, more);
        program_begin(&g, r, slot);
        done = build_waves(&g, slot, entry, one, waves);
        LLVMPositionBuilderAtEnd(r->builder, entry);
    }
    if (done) {
        is = LLVMBuildICmp(r->builder, LLVMIntUGT, waves, constant32(r, 1), "");
        LLVMBuildCondBr(r->builder, is, more, one);
        r->job->together++;
    } else {
        LLVMBuildBr(r->builder, one);
    }
}
