/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function of all code of a page that can be reached from where it is
 * entered.
 *
 * It has the shape of a handler and is put in the place of one, at each slot
 * where it may be entered: where the job says, where a loop begins, and behind
 * each instruction that has to be called.  It returns where the interpreter is
 * to go on, or NULL as handlers do.  Between two instructions all of the
 * wave's state is in its struct as far as anybody can tell; what the optimiser
 * keeps in registers it has written back before any call and any return.
 *
 * Code for waves with all lanes active knows that; behind an instruction that
 * writes EXEC the wave goes on in the code that fits, or leaves if there is
 * none.
 */
#include <string.h>
#include "group.h"

/*
 * LLVM instructions of the handlers that go into one function.  The guest
 * writes the page, and compiling has to end: what is beyond is interpreted.
 */
#define REGION_MAX 100000

#define CALL_SIZE 10 /* of an instruction that is called */

/* Times that it is begun again, see region_build(). */
#define TRIES_MAX 64
#define MISFITS_MAX 8 /* times that one strip may be the reason */

LLVMBasicBlockRef region_new_block(Region *r)
{
    return LLVMAppendBasicBlockInContext(r->context, r->fn, "");
}

void region_copy_attributes(LLVMValueRef to, LLVMValueRef from, unsigned index)
{
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    LLVMAttributeRef *attribute = g_new(LLVMAttributeRef, count);

    LLVMGetAttributesAtIndex(from, index, attribute);
    for (unsigned i = 0; i < count; i++) {
        LLVMAddAttributeAtIndex(to, index, attribute[i]);
    }
    g_free(attribute);
}

LLVMValueRef region_address(Region *r, const void *address)
{
    return LLVMConstIntToPtr(LLVMConstInt(r->i64, (uintptr_t)address, false),
                             r->ptr);
}

/* ---- constants that are none ---- */

/* Empty assembly, from which the 32 or 64 bits of @value come. */
static LLVMValueRef opaque_integer(Region *r, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef fn = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef empty = LLVMGetInlineAsm(fn, "", 0, "=r,0", 4, false, false,
                                          LLVMInlineAsmDialectATT, false);

    return LLVMBuildCall2(r->builder, fn, empty, &value, 1, "");
}

/* All elements of the vector @value are the same: one of them, else NULL. */
static LLVMValueRef splat_of(LLVMValueRef value, unsigned count)
{
    LLVMValueRef first = LLVMGetAggregateElement(value, 0);

    for (unsigned i = 1; i < count; i++) {
        if (LLVMGetAggregateElement(value, i) != first) {
            return NULL;
        }
    }
    return first;
}

LLVMValueRef region_splat(Region *r, LLVMValueRef x, LLVMTypeRef type)
{
    LLVMTypeRef mask = LLVMVectorType(r->i32, LLVMGetVectorSize(type));
    LLVMValueRef v = LLVMBuildInsertElement(r->builder, LLVMGetPoison(type), x,
                                            LLVMConstNull(r->i64), "");

    return LLVMBuildShuffleVector(r->builder, v, LLVMGetPoison(type),
                                  LLVMConstNull(mask), "");
}

static LLVMValueRef opaque_vector(Region *r, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef element = splat_of(value, LLVMGetVectorSize(type));

    if (!element || LLVMGetTypeKind(LLVMTypeOf(element)) !=
                        LLVMIntegerTypeKind) {
        return value;
    }
    return region_splat(r, opaque_integer(r, element), type);
}

LLVMValueRef region_opaque(Region *r, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 32 ||
                       LLVMGetIntTypeWidth(type) == 64
                   ? opaque_integer(r, value) : value;
    case LLVMVectorTypeKind:
        return opaque_vector(r, value);
    default:
        return value;
    }
}

LLVMValueRef region_uncast(LLVMValueRef v)
{
    while (LLVMIsABitCastInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

LLVMValueRef region_as_type(Region *r, LLVMValueRef v, LLVMTypeRef type)
{
    if (LLVMIsABitCastInst(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == type) {
        return LLVMGetOperand(v, 0);
    }
    return LLVMTypeOf(v) == type ? v
                                 : LLVMBuildBitCast(r->builder, v, type, "");
}

/* ---- float settings ---- */

void region_wants_class(Region *r, int class)
{
    if (r->class == 0) {
        r->class = class;
    } else if (r->class > 0 && r->class != class) {
        r->conflict = true;
    }
}

LLVMValueRef region_wave_field(Region *r, int64_t offset)
{
    LLVMValueRef index = LLVMConstInt(r->i64, (uint64_t)offset, true);

    return LLVMBuildGEP2(r->builder, r->i8, r->wave, &index, 1, "");
}

static LLVMValueRef class_holds(Region *r, int wanted)
{
    LLVMValueRef class = LLVMBuildLoad2(
        r->builder, r->i8, region_wave_field(r, r->lib->isa->float_class), "");

    return LLVMBuildICmp(r->builder, LLVMIntEQ, class,
                         LLVMConstInt(r->i8, (unsigned)wanted, false), "");
}

static void load_mxcsr(Region *r, int class)
{
    static const char text[] = "ldmxcsr $0";
    static const char operands[] =
        "*m,~{memory},~{dirflag},~{fpsr},~{flags}";
    LLVMTypeRef fn = LLVMFunctionType(LLVMVoidTypeInContext(r->context),
                                      &r->ptr, 1, false);
    LLVMValueRef code = LLVMGetInlineAsm(fn, (char *)text, strlen(text),
                                         (char *)operands, strlen(operands),
                                         true, false, LLVMInlineAsmDialectATT,
                                         false);
    LLVMValueRef at = region_wave_field(r, r->lib->isa->mxcsr +
                                        4 * (unsigned)class);
    LLVMValueRef call = LLVMBuildCall2(r->builder, fn, code, &at, 1, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);

    LLVMAddCallSiteAttribute(
        call, 1, LLVMCreateTypeAttribute(r->context, kind, r->i32));
}

/* Set the float environment, unless @class is none; then go @on. */
static void enter_class(Region *r, int class, LLVMBasicBlockRef on)
{
    LLVMBasicBlockRef enter;

    if (class <= 0) {
        LLVMBuildBr(r->builder, on);
        return;
    }
    enter = region_new_block(r);
    LLVMBuildCondBr(r->builder, class_holds(r, class), on, enter);
    LLVMPositionBuilderAtEnd(r->builder, enter);
    LLVMBuildStore(r->builder,
                   LLVMConstInt(r->i8, (unsigned)class, false),
                   region_wave_field(r, r->lib->isa->float_class));
    load_mxcsr(r, class);
    LLVMBuildBr(r->builder, on);
}

/* ---- from one instruction to the next ---- */

static LLVMValueRef uop_at(Region *r, unsigned slot)
{
    LLVMValueRef index = LLVMConstInt(r->i64, slot * sizeof(Uop), false);

    return LLVMBuildGEP2(r->builder, r->i8, r->uops, &index, 1, "");
}

static Function *strip_at(Region *r, unsigned slot, bool full)
{
    return slot < PAGE_SLOTS && !slot_bit(r->alone, slot)
               ? library_strip(r->lib, &r->job->uops[slot], full) : NULL;
}

/* What is copied for the instruction at @slot; NULL if it has to be called. */
static Function *handler_at(Region *r, unsigned slot, bool full)
{
    Function *strip = strip_at(r, slot, full), *near;
    UopFn *fn = slot < PAGE_SLOTS ? r->job->uops[slot].fn : NULL;

    if (strip || !fn) {
        return strip;
    }
    near = full ? library_near(r->lib, fn) : NULL;
    return near ? near : r->lib->isa->called(fn) ? NULL
                       : library_handler(r->lib, fn);
}

Function *region_scalar(Region *r, unsigned slot)
{
    UopFn *fn = r->job->uops[slot].fn;
    const JitCalled *called = r->lib->isa->called(fn);
    Function *near = called && called->scalar ? library_near(r->lib, fn) : NULL;

    return called ? near : fn ? library_handler(r->lib, fn) : NULL;
}

/* The function that executes the instruction at @slot, or NULL. */
static const JitCalled *function_at(Region *r, unsigned slot)
{
    return slot < PAGE_SLOTS
               ? r->lib->isa->called(r->job->uops[slot].fn) : NULL;
}

bool region_has_room(const Region *r, unsigned size)
{
    return r->size + size <= REGION_MAX;
}

/* Is there code for the instruction at @slot, and room for it? */
static bool has_room(Region *r, unsigned slot, bool full)
{
    const Function *handler = handler_at(r, slot, full);
    unsigned size = handler ? handler->size : CALL_SIZE;

    return (handler || function_at(r, slot)) && region_has_room(r, size);
}

static void add_entry(Region *r, unsigned slot)
{
    if (slot < PAGE_SLOTS && !slot_bit(r->entered, slot) &&
        has_room(r, slot, true)) {
        slot_bit_set(r->entered, slot);
        g_array_append_val(r->entries, slot);
    }
}

/* Does nothing follow the instruction at @slot? */
static bool ends_at(Region *r, unsigned slot)
{
    const JitIsa *isa = r->lib->isa;
    const char *name = isa->handler(r->job->uops[slot].fn);

    return !name || isa->ends(name);
}

void region_resumes(Step *step, int64_t offset)
{
    Region *r = step->region;

    if (!ends_at(r, step->slot) && offset >= 0 &&
        offset < (int64_t)(PAGE_SLOTS * sizeof(Uop))) {
        add_entry(r, (unsigned)(offset / (int64_t)sizeof(Uop)));
    }
}

/* Leave the function: the interpreter goes on at @slot. */
LLVMBasicBlockRef region_leave_at(Region *r, unsigned slot)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);

    if (!r->leave[slot]) {
        r->leave[slot] = region_new_block(r);
        LLVMPositionBuilderAtEnd(r->builder, r->leave[slot]);
        LLVMBuildRet(r->builder, uop_at(r, slot));
        LLVMPositionBuilderAtEnd(r->builder, here);
    }
    return r->leave[slot];
}

/*
 * The interpreter has to go on at @slot; behind what it has to execute there,
 * the code is entered.
 */
static LLVMBasicBlockRef called_at(Region *r, unsigned slot)
{
    unsigned next = slot;

    do {
        if (ends_at(r, next)) {
            return region_leave_at(r, slot);
        }
        next += MAX(r->job->uops[next].len, 1);
    } while (next < PAGE_SLOTS && !has_room(r, next, true));
    add_entry(r, next);
    return region_leave_at(r, slot);
}

static LLVMBasicBlockRef block_at(Region *r, unsigned slot, bool full)
{
    LLVMBasicBlockRef *block = &r->block[full][slot];
    unsigned todo = slot * 2 + full;

    if (!*block) {
        if (!has_room(r, slot, full)) {
            return called_at(r, slot);
        }
        *block = region_new_block(r);
        g_array_append_val(r->todo, todo);
    }
    return *block;
}

LLVMBasicBlockRef region_block_at(Region *r, unsigned slot)
{
    return block_at(r, slot, true);
}

/*
 * Leave at @slot since only some lanes are active, and count that: code for
 * them may be worth while.
 */
static LLVMBasicBlockRef leave_some(Region *r, unsigned slot)
{
    LLVMValueRef back = LLVMConstInt(
        r->i64, (uint64_t)((int64_t)offsetof(CodePage, some_heat) -
                           (int64_t)offsetof(CodePage, uops)), true);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef block = region_new_block(r);
    LLVMValueRef at, heat;

    LLVMPositionBuilderAtEnd(r->builder, block);
    at = LLVMBuildGEP2(r->builder, r->i8, r->uops, &back, 1, "");
    heat = LLVMBuildLoad2(r->builder, r->i32, at, "");
    heat = LLVMBuildAdd(r->builder, heat, LLVMConstInt(r->i32, 1, false), "");
    LLVMBuildStore(r->builder, heat, at);
    LLVMBuildBr(r->builder, region_leave_at(r, slot));
    LLVMPositionBuilderAtEnd(r->builder, here);
    return block;
}

static LLVMBasicBlockRef some_lanes_at(Region *r, unsigned slot)
{
    return r->job->some ? block_at(r, slot, false) : leave_some(r, slot);
}

/* Go on at @full if all lanes are active, else at @some. */
static void branch_by_lanes(Region *r, LLVMBasicBlockRef full,
                            LLVMBasicBlockRef some)
{
    LLVMValueRef inactive = LLVMBuildLoad2(
        r->builder, r->i64, region_wave_field(r, r->lib->isa->guard), "");
    LLVMValueRef all = LLVMBuildICmp(r->builder, LLVMIntEQ, inactive,
                                     LLVMConstNull(r->i64), "");

    LLVMBuildCondBr(r->builder, all, full, some);
}

/* To the code at @slot for the lanes that are active now. */
static void go_by_lanes(Region *r, unsigned slot)
{
    LLVMBasicBlockRef full = block_at(r, slot, true);

    branch_by_lanes(r, full, some_lanes_at(r, slot));
}

/* What was called may have changed the float environment. */
static void check_class(Region *r, unsigned slot)
{
    LLVMBasicBlockRef on;

    r->unchecked |= r->class == 0;
    if (r->class > 0) {
        on = region_new_block(r);
        LLVMBuildCondBr(r->builder, class_holds(r, r->class), on,
                        region_leave_at(r, slot));
        LLVMPositionBuilderAtEnd(r->builder, on);
    }
}

/* The step's whole program goes on: with the next instruction, uncalled. */
static bool goes_on(Step *step, unsigned slot)
{
    Region *r = step->region;

    if (!step->program || step->called ||
        slot != step->slot + r->job->uops[step->slot].len) {
        return false;
    }
    if (!step->on) {
        step->on = region_new_block(r);
    }
    if (step->exec) {
        branch_by_lanes(r, step->on,
                        program_out(step->program, some_lanes_at(r, slot)));
    } else {
        LLVMBuildBr(r->builder, step->on);
    }
    return true;
}

static void go(Step *step, unsigned slot)
{
    Region *r = step->region;

    if (goes_on(step, slot)) {
        return;
    }
    if (step->program) {
        program_settle(step->program);
    }
    if (slot <= step->slot) { /* there a quantum may end */
        add_entry(r, slot);
    }
    if (step->called) {
        check_class(r, slot);
    }
    if (step->exec) {
        go_by_lanes(r, slot);
    } else {
        LLVMBuildBr(r->builder, block_at(r, slot, step->full));
    }
}

/* The wave leaves the function. */
static void leave(Step *step, LLVMValueRef next)
{
    if (step->program && step->last && LLVMIsConstant(next)) {
        program_follow(step->program);
    } else if (step->program) {
        program_settle(step->program);
    }
    LLVMBuildRet(step->region->builder, next);
}

/* @next was found out at run time; mostly it is the next instruction. */
static void go_where(Step *step, LLVMValueRef next)
{
    Region *r = step->region;
    unsigned slot = step->slot + r->job->uops[step->slot].len;
    LLVMBasicBlockRef on, away;
    LLVMValueRef same;

    if (step->away || slot >= PAGE_SLOTS) {
        leave(step, next);
        return;
    }
    on = region_new_block(r);
    away = region_new_block(r);
    same = LLVMBuildICmp(r->builder, LLVMIntEQ, next, uop_at(r, slot), "");
    LLVMBuildCondBr(r->builder, same, on, away);
    LLVMPositionBuilderAtEnd(r->builder, away);
    leave(step, next);
    LLVMPositionBuilderAtEnd(r->builder, on);
    go(step, slot);
}

void region_return(Step *step, Val next)
{
    if (LLVMIsConstant(next.v)) { /* NULL */
        leave(step, next.v);
    } else if (next.base != BASE_UOP) {
        go_where(step, next.v);
    } else if (next.offset < 0 ||
               next.offset >= (int64_t)(PAGE_SLOTS * sizeof(Uop)) ||
               step->away) {
        leave(step, next.v);
    } else {
        go(step, (unsigned)(next.offset / (int64_t)sizeof(Uop)));
    }
}

/* ---- building ---- */

static void build_handler(Region *r, Step *step)
{
    r->size += step->handler->size;
    clone_step(step);
    if (step->failed) { /* the next try calls it */
        ((Function *)step->handler)->usable = false;
        r->failed = true;
    }
}

/* ---- groups ---- */

#define GROUP_MAX 256 /* instructions */
#define SMALL_MAX 16  /* of a group that is written out in a loop */
#define LOOP_MAX 64   /* dwords of such a loop */

/* Put the instruction at the step's slot into the group, if it fits. */
static bool add_strip(Region *r, Group *group, const Step *like)
{
    Step step = { .region = r, .group = group, .straight = true,
                  .handler = like->handler, .slot = like->slot,
                  .full = like->full };
    GroupMark mark = group_mark(group);

    clone_step(&step);
    if (step.failed) {
        group_undo(group, &mark);
        return false;
    }
    group_keep(&mark);
    r->size += step.handler->size;
    return true;
}

/* One float setting is in force in a group. */
static bool fits_class(const Function *strip, int *class)
{
    if (strip->class && *class && strip->class != *class) {
        return false;
    }
    *class = strip->class ? strip->class : *class;
    return true;
}

/* As many instructions as fit; returns how many, and where the next one is. */
static unsigned fill_group(Region *r, Group *group, bool full, int *class,
                           unsigned *slot)
{
    unsigned count = 0;

    while (count < GROUP_MAX) {
        Step step = { .region = r, .handler = strip_at(r, *slot, full),
                      .slot = *slot, .full = full };
        bool known = *slot < PAGE_SLOTS && r->block[full][*slot];

        if (!step.handler || (count && known) || !has_room(r, *slot, full) ||
            !fits_class(step.handler, class) ||
            !add_strip(r, group, &step)) {
            break;
        }
        *slot += r->job->uops[*slot].len;
        count++;
    }
    return count;
}

void region_end_strip(Region *r, unsigned slot, bool full)
{
    Step step = { .region = r, .straight = true, .slot = slot, .full = full,
                  .handler = library_end(r->lib, &r->job->uops[slot]) };

    if (step.handler) {
        build_handler(r, &step);
    }
}

static void end_strips(Region *r, unsigned slot, unsigned count, bool full)
{
    for (; count; count--, slot += r->job->uops[slot].len) {
        region_end_strip(r, slot, full);
    }
}

/* Mark what lies in small loops, as far as branches show them. */
static void find_loops(Region *r)
{
    for (unsigned slot = 0; slot < PAGE_SLOTS; slot++) {
        int32_t back = -r->lib->isa->jump(&r->job->uops[slot]);

        if (back > 0 && back <= LOOP_MAX && (unsigned)back <= slot) {
            for (unsigned i = slot - (unsigned)back; i <= slot; i++) {
                slot_bit_set(r->loops, i);
            }
        }
    }
}

/* Of code with several float settings each group sets its own. */
static LLVMBasicBlockRef before_group(Region *r)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(r->builder);

    if (r->class >= 0) {
        return NULL;
    }
    LLVMPositionBuilderAtEnd(r->builder, region_new_block(r));
    return block;
}

/* The strip at @slot cannot be copied: the next try does without. */
static void misfit(Region *r, unsigned slot, bool full)
{
    Function *strip = strip_at(r, slot, full);

    slot_bit_set(r->alone, slot);
    strip->usable = ++strip->misfits < MISFITS_MAX;
    r->failed = true;
}

static void build_group(Region *r, unsigned slot, bool full)
{
    LLVMBasicBlockRef outside, inside, behind;
    unsigned next = slot, count;
    int class = 0;
    bool write_out;
    Group *group;

    if (!has_room(r, slot, full)) { /* any more, since it was asked for */
        LLVMBuildBr(r->builder, region_interpret(r, slot));
        return;
    }
    outside = before_group(r);
    inside = LLVMGetInsertBlock(r->builder);
    group = group_begin(r);
    count = fill_group(r, group, full, &class, &next);
    if (count == 0) {
        misfit(r, slot, full);
    }
    write_out = slot_bit(r->loops, slot) && count <= SMALL_MAX;
    group_end(group, slot, count, write_out);
    r->written_out |= write_out;
    end_strips(r, slot, count, full);
    r->job->instructions += count;
    if (outside) {
        behind = LLVMGetInsertBlock(r->builder);
        LLVMPositionBuilderAtEnd(r->builder, outside);
        enter_class(r, class, inside);
        LLVMPositionBuilderAtEnd(r->builder, behind);
    }
    if (next < PAGE_SLOTS) {
        LLVMBuildBr(r->builder, block_at(r, next, full));
    } else {
        LLVMBuildRet(r->builder, uop_at(r, next));
    }
}

/* An instruction that a function executes. */
static void build_call(Region *r, Step *step, const JitCalled *called)
{
    LLVMTypeRef params[2] = { r->ptr, r->ptr };
    LLVMTypeRef type = LLVMFunctionType(r->ptr, params, 2, false);
    LLVMValueRef args[2] = { r->wave, uop_at(r, step->slot) };
    LLVMValueRef fn = region_address(r, (void *)(uintptr_t)called->fn);

    r->size += CALL_SIZE;
    step->called = true;
    step->exec = called->scalar;
    go_where(step, LLVMBuildCall2(r->builder, type, fn, args, 2, ""));
}

static void build_step(Region *r, unsigned todo)
{
    Step step = { .region = r, .slot = todo / 2, .full = todo % 2 };

    LLVMPositionBuilderAtEnd(r->builder, r->block[step.full][step.slot]);
    if (strip_at(r, step.slot, step.full)) {
        build_group(r, step.slot, step.full);
        return;
    }
    r->job->instructions++;
    step.handler = handler_at(r, step.slot, step.full);
    if (step.handler) {
        build_handler(r, &step);
    } else {
        build_call(r, &step, function_at(r, step.slot));
    }
}

/* It cannot be finished as it was begun. */
static bool abandoned(const Region *r)
{
    return r->failed || r->conflict;
}

static void build_steps(Region *r)
{
    while (r->todo->len && !abandoned(r)) {
        unsigned todo = g_array_index(r->todo, unsigned, r->todo->len - 1);

        g_array_set_size(r->todo, r->todo->len - 1);
        build_step(r, todo);
    }
}

LLVMBasicBlockRef region_interpret(Region *r, unsigned slot)
{
    LLVMTypeRef params[2] = { r->ptr, r->ptr };
    LLVMTypeRef type = LLVMFunctionType(r->ptr, params, 2, false);
    LLVMValueRef args[2], call;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMBasicBlockRef block = r->interpret[slot];

    if (block) {
        return block;
    }
    block = r->interpret[slot] = region_new_block(r);
    LLVMPositionBuilderAtEnd(r->builder, block);
    args[0] = r->wave;
    args[1] = uop_at(r, slot);
    call = LLVMBuildCall2(
        r->builder, type,
        region_address(r, (void *)(uintptr_t)r->job->uops[slot].fn), args, 2,
        "");
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    LLVMBuildRet(r->builder, call);
    LLVMPositionBuilderAtEnd(r->builder, here);
    return block;
}

/* Waves may begin there: the way for those that are fresh, if it is short. */
static void build_program(Region *r, unsigned slot)
{
    if (r->class < 0 || !program_is(r, slot)) {
        return;
    }
    r->program[slot] = region_new_block(r);
    LLVMPositionBuilderAtEnd(r->builder, r->program[slot]);
    program_build(r, slot);
    slot_bit_set(r->job->begins, slot);
}

/*
 * Make the code that is entered at @slot.  False if there is no room for it:
 * then it must not be entered, since it would only lead to itself.
 */
static bool build_entry(Region *r, unsigned slot)
{
    if (!r->block[1][slot] && !has_room(r, slot, true)) {
        return false;
    }
    block_at(r, slot, true);
    if (r->job->some) {
        block_at(r, slot, false);
    }
    if (slot_bit(r->job->entries, slot)) {
        build_program(r, slot);
    }
    build_steps(r);
    return true;
}

static LLVMValueRef is_plain(Region *r)
{
    LLVMValueRef at = region_wave_field(r, r->lib->isa->plain);
    LLVMValueRef byte = LLVMBuildLoad2(r->builder, r->i8, at, "");

    return LLVMBuildICmp(r->builder, LLVMIntEQ, byte, LLVMConstNull(r->i8),
                         "");
}

/* On to a whole program if the wave is fresh, which it is no longer then. */
static void enter_fresh(Region *r, unsigned slot)
{
    LLVMBasicBlockRef fresh = region_new_block(r), old = region_new_block(r);
    LLVMValueRef at = region_wave_field(r, offsetof(Wave, fresh)), is;

    is = LLVMBuildLoad2(r->builder, r->i8, at, "");
    is = LLVMBuildICmp(r->builder, LLVMIntNE, is, LLVMConstNull(r->i8), "");
    LLVMBuildCondBr(r->builder, is, fresh, old);
    LLVMPositionBuilderAtEnd(r->builder, fresh);
    LLVMBuildStore(r->builder, LLVMConstNull(r->i8), at);
    LLVMBuildBr(r->builder, r->program[slot]);
    LLVMPositionBuilderAtEnd(r->builder, old);
}

/* The way in at @slot. */
static void enter_at(Region *r, LLVMValueRef by_slot, unsigned slot)
{
    LLVMBasicBlockRef block = region_new_block(r), some = r->block[0][slot];
    LLVMBasicBlockRef plain = region_new_block(r);

    LLVMAddCase(by_slot, LLVMConstInt(r->i64, slot * sizeof(Uop), false),
                block);
    LLVMPositionBuilderAtEnd(r->builder, block);
    LLVMBuildCondBr(r->builder, is_plain(r), plain, region_interpret(r, slot));
    LLVMPositionBuilderAtEnd(r->builder, plain);
    if (r->program[slot]) {
        enter_fresh(r, slot);
    }
    some = some ? some : region_interpret(r, slot);
    branch_by_lanes(r, r->block[1][slot], some);
}

/* New entries may come up while others are built. */
static void build_entries(Region *r, LLVMValueRef by_slot)
{
    for (unsigned i = 0; i < r->entries->len && !abandoned(r); i++) {
        unsigned slot = g_array_index(r->entries, unsigned, i);

        if (!build_entry(r, slot)) {
            slot_bit_clear(r->entered, slot);
        }
    }
    for (unsigned slot = 0; slot < PAGE_SLOTS && !abandoned(r); slot++) {
        if (slot_bit(r->entered, slot)) {
            enter_at(r, by_slot, slot);
        }
    }
}

/* Where in the page the wave is: the page's base, and the offset from there. */
static LLVMValueRef find_place(Region *r)
{
    LLVMValueRef index = LLVMConstInt(r->i64, offsetof(CodePage, uops), false);
    LLVMValueRef page = LLVMBuildLoad2(
        r->builder, r->ptr, region_wave_field(r, offsetof(Wave, page)), "");
    LLVMValueRef from, to;

    r->uops = LLVMBuildGEP2(r->builder, r->i8, page, &index, 1, "");
    from = LLVMBuildPtrToInt(r->builder, r->uops, r->i64, "");
    to = LLVMBuildPtrToInt(r->builder, LLVMGetParam(r->fn, 1), r->i64, "");
    return LLVMBuildSub(r->builder, to, from, "");
}

static void attribute(Region *r, unsigned index, const char *name,
                      uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddAttributeAtIndex(r->fn, index,
                            LLVMCreateEnumAttribute(r->context, kind, value));
}

/* As for the host, so for the handlers: what @like says. */
static void make_function(Region *r, const char *name, LLVMValueRef like)
{
    LLVMTypeRef params[2] = { r->ptr, r->ptr };

    r->fn = LLVMAddFunction(r->module, name,
                            LLVMFunctionType(r->ptr, params, 2, false));
    region_copy_attributes(r->fn, like, LLVMAttributeFunctionIndex);
    attribute(r, 1, "noalias", 0);
    attribute(r, 1, "nonnull", 0);
    attribute(r, 1, "align", 64);
    attribute(r, 1, "dereferenceable", r->lib->isa->end);
    r->wave = LLVMGetParam(r->fn, 0);
}

/* The attributes of handlers are alike but for what memory they touch. */
static void drop_memory_attribute(Region *r)
{
    static const char *const names[] = { "memory", "willreturn", "nofree",
                                         "norecurse", "nosync" };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        LLVMRemoveEnumAttributeAtIndex(
            r->fn, LLVMAttributeFunctionIndex,
            LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
    }
}

static LLVMValueRef any_handler(Library *lib)
{
    LLVMValueRef fn = LLVMGetFirstFunction(lib->module);

    while (LLVMIsDeclaration(fn)) {
        fn = LLVMGetNextFunction(fn);
    }
    return fn;
}

static void build_function(Region *r, const char *name)
{
    LLVMBasicBlockRef begin, sort, nowhere;
    LLVMValueRef place, by_slot;

    make_function(r, name, any_handler(r->lib));
    drop_memory_attribute(r);
    begin = region_new_block(r);
    sort = region_new_block(r);
    nowhere = region_new_block(r);
    LLVMPositionBuilderAtEnd(r->entry, begin);
    LLVMPositionBuilderAtEnd(r->builder, nowhere);
    LLVMBuildUnreachable(r->builder);
    LLVMPositionBuilderAtEnd(r->builder, begin);
    place = find_place(r);
    LLVMPositionBuilderAtEnd(r->builder, sort);
    by_slot = LLVMBuildSwitch(r->builder, place, nowhere, 8);
    /* Allocas are to come before the end of the first block. */
    LLVMPositionBuilderAtEnd(r->builder, begin);
    LLVMPositionBuilderBefore(r->entry, place);
    build_entries(r, by_slot);
    LLVMPositionBuilderAtEnd(r->builder, begin);
    enter_class(r, r->class, sort);
}

static void begin(Region *r, Library *lib, JitJob *job, int class,
                  uint64_t *alone, uint64_t *apart)
{
    memset(r, 0, sizeof(*r));
    memset(job->begins, 0, sizeof(job->begins));
    r->alone = alone;
    r->apart = apart;
    r->lib = lib;
    r->job = job;
    r->context = lib->context;
    r->class = class;
    job->instructions = 0;
    job->together = 0;
    r->module = LLVMModuleCreateWithNameInContext("region", r->context);
    LLVMSetDataLayout(r->module, LLVMGetDataLayoutStr(lib->module));
    LLVMSetTarget(r->module, LLVMGetTarget(lib->module));
    r->builder = LLVMCreateBuilderInContext(r->context);
    r->entry = LLVMCreateBuilderInContext(r->context);
    r->ptr = LLVMPointerTypeInContext(r->context, 0);
    r->i8 = LLVMInt8TypeInContext(r->context);
    r->i32 = LLVMInt32TypeInContext(r->context);
    r->i64 = LLVMInt64TypeInContext(r->context);
    find_loops(r);
    r->globals = g_hash_table_new(NULL, NULL);
    r->pointers = g_hash_table_new(NULL, NULL);
    r->todo = g_array_new(false, false, sizeof(unsigned));
    r->entries = g_array_new(false, false, sizeof(unsigned));
    for (unsigned slot = 0; slot < PAGE_SLOTS; slot++) {
        if (slot_bit(job->entries, slot)) {
            add_entry(r, slot);
        }
    }
}

static void end(Region *r, bool keep)
{
    LLVMDisposeBuilder(r->builder);
    LLVMDisposeBuilder(r->entry);
    g_hash_table_destroy(r->globals);
    g_hash_table_destroy(r->pointers);
    g_array_free(r->todo, true);
    g_array_free(r->entries, true);
    if (!keep) {
        LLVMDisposeModule(r->module);
    }
}

/*
 * Each try that fails has found out something: that a handler or strip cannot
 * be copied for some of its micro-operations, or that there are several float
 * settings.
 */
LLVMModuleRef region_build(Library *lib, JitJob *job, const char *name,
                           bool *written_out)
{
    uint64_t alone[PAGE_SLOTS / 64] = { 0 }, apart[PAGE_SLOTS / 64] = { 0 };
    int class = 0;

    for (int tries = 0; tries < TRIES_MAX; tries++) {
        Region *r = g_new(Region, 1);
        LLVMModuleRef module;
        bool done, empty;

        if (tries == TRIES_MAX / 2) { /* without any whole programs */
            memset(apart, 0xff, sizeof(apart));
        }
        begin(r, lib, job, class, alone, apart);
        empty = r->entries->len == 0;
        if (!empty) {
            build_function(r, name);
        }
        /* What was called before it was known which class all of it wants? */
        r->failed |= r->unchecked && r->class > 0;
        done = !empty && !abandoned(r);
        class = r->conflict ? -1 : r->unchecked ? r->class : class;
        module = r->module;
        *written_out = r->written_out;
        memcpy(job->enters, r->entered, sizeof(job->enters));
        end(r, done);
        g_free(r);
        if (done || empty) {
            return done ? module : NULL;
        }
    }
    return NULL;
}
