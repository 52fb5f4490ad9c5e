/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copying a handler's code for one micro-operation.
 *
 * The copy knows the micro-operation's fields and, until something may change
 * them, some of the wave's: loads of them become constants, and only what can
 * then still be reached is copied.  Where a handler returns is where the code
 * of the next instruction follows, so a function that ends in several ways
 * ends in several places: what leads to a return is copied for each.
 */
#include <string.h>
#include "group.h"

/* Instructions before a return that are copied for each way there. */
#define RETURN_MAX 12

/* A way into a block. */
typedef struct Edge {
    LLVMBasicBlockRef from; /* of the library */
    LLVMBasicBlockRef at;   /* where it comes from in the copy */
} Edge;

typedef struct Place {
    LLVMBasicBlockRef block; /* in the copy */
    bool begun;              /* to be filled: a way there is a way back */
    Edge *edge;
    unsigned edges;
} Place;

/* Of a phi some of whose ways are not copied yet. */
typedef struct Pending {
    LLVMValueRef phi, copy;
    LLVMBasicBlockRef block; /* of the library */
} Pending;

/* One function that is being copied. */
typedef struct Frame {
    Step *step;
    const Function *f;
    GHashTable *vals;   /* library value to Val */
    GHashTable *places; /* library block to Place */
    GArray *pending;
    /* In a function that another one has called. */
    struct Frame *caller;
    LLVMValueRef call;  /* the instruction */
    bool tail;          /* after which the caller just returns */
    LLVMBasicBlockRef join; /* else: where it goes on */
    GArray *results;    /* of Val, and */
    GPtrArray *from;    /* the blocks that they come from */
} Frame;

static Region *region_of(const Frame *frame)
{
    return frame->step->region;
}

static LLVMBuilderRef builder_of(const Frame *frame)
{
    return region_of(frame)->builder;
}

/* ---- values ---- */

static void set_val(Frame *frame, LLVMValueRef value, Val val)
{
    Val *copy = g_memdup2(&val, sizeof(val));

    g_hash_table_insert(frame->vals, value, copy);
}

static Val plain(LLVMValueRef v)
{
    return (Val){ v, BASE_NONE, 0 };
}

/* The pointer @offset bytes into @base, which is there in all blocks. */
static Val pointer(Region *r, Base base, int64_t offset)
{
    LLVMValueRef from = base == BASE_UOP ? r->uops : r->wave;
    LLVMValueRef index = LLVMConstInt(r->i64, (uint64_t)offset, true);
    gpointer key = GSIZE_TO_POINTER((gsize)offset * 2 + (base == BASE_UOP));
    LLVMValueRef v = g_hash_table_lookup(r->pointers, key);

    if (base == BASE_LANES || base == BASE_BITS) {
        return (Val){ LLVMGetUndef(r->ptr), base, offset };
    }
    if (!v) {
        v = LLVMBuildGEP2(r->entry, r->i8, from, &index, 1, "");
        g_hash_table_insert(r->pointers, key, v);
    }
    return (Val){ v, base, offset };
}

/*
 * A global of the library: constants are copied, what is outside is replaced
 * by its address.
 */
static LLVMValueRef map_global(Frame *frame, LLVMValueRef global)
{
    Region *r = region_of(frame);
    LLVMValueRef copy = g_hash_table_lookup(r->globals, global);
    LLVMValueRef value;

    if (copy) {
        return copy;
    }
    if (!LLVMIsAGlobalVariable(global) || !LLVMIsGlobalConstant(global) ||
        !(value = LLVMGetInitializer(global))) {
        frame->step->failed = true;
        return LLVMGetUndef(r->ptr);
    }
    copy = LLVMAddGlobal(r->module, LLVMGlobalGetValueType(global), "");
    LLVMSetInitializer(copy, value);
    LLVMSetGlobalConstant(copy, true);
    LLVMSetLinkage(copy, LLVMPrivateLinkage);
    LLVMSetAlignment(copy, LLVMGetAlignment(global));
    g_hash_table_insert(r->globals, global, copy);
    return copy;
}

/* A constant expression, which can only be an address in a global. */
static LLVMValueRef map_expression(Frame *frame, LLVMValueRef value)
{
    Region *r = region_of(frame);
    LLVMValueRef base = LLVMGetOperand(value, 0), index;
    int64_t offset;

    if (LLVMGetConstOpcode(value) != LLVMGetElementPtr ||
        !LLVMIsAGlobalVariable(base) ||
        !constant_offset(r->lib, value, NULL, NULL, &offset)) {
        frame->step->failed = true;
        return LLVMGetUndef(LLVMTypeOf(value));
    }
    index = LLVMConstInt(r->i64, (uint64_t)offset, true);
    return LLVMConstGEP2(r->i8, map_global(frame, base), &index, 1);
}

static Val map_val(Frame *frame, LLVMValueRef value)
{
    const Val *val = g_hash_table_lookup(frame->vals, value);

    if (val) {
        return *val;
    }
    if (LLVMIsAGlobalValue(value)) {
        return plain(map_global(frame, value));
    }
    if (LLVMIsAConstantExpr(value)) {
        return plain(map_expression(frame, value));
    }
    if (!LLVMIsAConstant(value) && !LLVMIsAInlineAsm(value) &&
        LLVMGetValueKind(value) != LLVMMetadataAsValueValueKind) {
        frame->step->failed = true; /* not copied: cannot be */
        return plain(LLVMGetUndef(LLVMTypeOf(value)));
    }
    return plain(value);
}

/* Slices have cells, and no addresses that anything else could use. */
static LLVMValueRef map(Frame *frame, LLVMValueRef value)
{
    Val val = map_val(frame, value);

    frame->step->failed |= val.base == BASE_LANES || val.base == BASE_BITS;
    return val.v;
}

static LLVMValueRef map_index(void *opaque, LLVMValueRef value)
{
    return map(opaque, value);
}

/* Copy an instruction as it is, with its operands replaced. */
static LLVMValueRef copy(Frame *frame, LLVMValueRef inst)
{
    LLVMValueRef c = LLVMInstructionClone(inst);
    int count = LLVMGetNumOperands(inst);

    for (int i = 0; i < count; i++) {
        LLVMSetOperand(c, (unsigned)i, map(frame, LLVMGetOperand(inst, i)));
    }
    LLVMInsertIntoBuilder(builder_of(frame), c);
    return c;
}

/* ---- loads ---- */

/* Are addresses all that is made of the integer @value? */
static bool only_addresses(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);

    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAZExtInst(user) || LLVMIsASExtInst(user)) {
            if (!only_addresses(user)) {
                return false;
            }
        } else if (!LLVMIsAGetElementPtrInst(user)) {
            return false;
        }
    }
    return true;
}

static unsigned size_of(Region *r, LLVMTypeRef type)
{
    return (unsigned)LLVMABISizeOfType(r->lib->layout, type);
}

/*
 * A field of the micro-operation.  An operand of a float operation that is an
 * immediate must not be folded: the optimiser rounds as it likes.
 */
static LLVMValueRef load_uop(Frame *frame, LLVMValueRef inst, int64_t offset)
{
    Step *step = frame->step;
    Region *r = step->region;
    LLVMTypeRef type = LLVMTypeOf(inst);
    int64_t at = offset - (int64_t)step->slot * (int64_t)sizeof(Uop);
    unsigned size = size_of(r, type);
    LLVMValueRef value;
    uint64_t bits = 0;

    if (at < (int64_t)offsetof(Uop, src) || at + size > sizeof(Uop) ||
        LLVMGetTypeKind(type) != LLVMIntegerTypeKind || size > 8) {
        return NULL;
    }
    memcpy(&bits, (const char *)&r->job->uops[step->slot] + at, size);
    value = LLVMConstInt(type, bits, false);
    if (step->handler->class && !step->group &&
        at < (int64_t)offsetof(Uop, dst) && !only_addresses(inst)) {
        return region_opaque(r, value);
    }
    return value;
}

/* The constant that the float class is compared with. */
static void note_class(Region *r, LLVMValueRef load)
{
    LLVMUseRef use = LLVMGetFirstUse(load);
    LLVMValueRef compare = use ? LLVMGetUser(use) : NULL;

    if (compare && LLVMIsAICmpInst(compare) &&
        LLVMIsAConstantInt(LLVMGetOperand(compare, 1))) {
        region_wants_class(r, (int)LLVMConstIntGetZExtValue(
                                  LLVMGetOperand(compare, 1)));
    }
}

/* A field of the wave whose value is known. */
static Val load_wave(Frame *frame, LLVMValueRef inst, int64_t offset)
{
    Step *step = frame->step;
    Region *r = step->region;
    const JitIsa *isa = r->lib->isa;
    LLVMTypeRef type = LLVMTypeOf(inst);
    unsigned wide = r->job->lanes == 64, size = size_of(r, type);
    const JitFact *fact = fact_at(isa->lanes[wide], offset, size);

    if (fact) {
        return plain(fact_value(fact, offset, type));
    }
    if (step->dirty) {
        return plain(NULL);
    }
    if (offset == offsetof(Wave, page)) {
        return pointer(r, BASE_UOP, -(int64_t)offsetof(CodePage, uops));
    }
    if (offset == isa->float_class && size == 1) {
        int class;

        note_class(r, inst);
        class = step->group ? step->handler->class : r->class;
        return plain(class > 0 ? LLVMConstInt(type, (unsigned)class, false)
                               : NULL);
    }
    if (step->full) {
        fact = fact_at(isa->full[wide], offset, size);
    }
    return plain(fact ? fact_value(fact, offset, type) : NULL);
}

/* In a strip. */
static Val load_slice(Frame *frame, LLVMValueRef inst, Val at)
{
    Step *step = frame->step;
    Val val = plain(NULL);

    if (at.base == BASE_WAVE) {
        val = load_wave(frame, inst, at.offset);
    }
    if (!val.v && at.base != BASE_WAVE_SOMEWHERE) {
        val = plain(group_load(step->group, at.base, at.offset,
                               LLVMTypeOf(inst)));
    }
    if (!val.v) {
        step->failed = true;
        val = plain(LLVMGetUndef(LLVMTypeOf(inst)));
    }
    return val;
}

/* Does a scalar instruction of a whole program mean the registers there? */
static bool means_vectors(const Step *step, Val at)
{
    return step->program &&
           (at.base == BASE_WAVE_SOMEWHERE ||
            (at.base == BASE_WAVE &&
             at.offset >= step->region->lib->isa->vectors));
}

/* It reads one of them. */
static Val load_vector(Frame *frame, LLVMValueRef inst, Val at)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    Val val = plain(NULL);

    if (at.base == BASE_WAVE) {
        val = plain(group_load(frame->step->program, at.base, at.offset,
                               type));
    }
    frame->step->failed |= !val.v;
    return val.v ? val : plain(LLVMGetUndef(type));
}

static void clone_load(Frame *frame, LLVMValueRef inst)
{
    Val at = map_val(frame, LLVMGetOperand(inst, 0)), val = plain(NULL);

    frame->step->failed |= together_varies(
        frame->step, at, size_of(region_of(frame), LLVMTypeOf(inst)));
    if (frame->step->group && at.base >= BASE_WAVE) {
        val = load_slice(frame, inst, at);
    } else if (means_vectors(frame->step, at)) {
        val = load_vector(frame, inst, at);
    } else if (frame->step->group && at.base == BASE_NONE) {
        group_touches_memory(frame->step->group, false);
    } else if (LLVMGetVolatile(inst) ||
        LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic) {
        /* as it is */
    } else if (at.base == BASE_UOP) {
        val = plain(load_uop(frame, inst, at.offset));
    } else if (at.base == BASE_WAVE) {
        val = load_wave(frame, inst, at.offset);
    }
    set_val(frame, inst, val.v ? val : plain(copy(frame, inst)));
}

/* ---- stores ---- */

static void note_store(Step *step, Val at, unsigned size)
{
    const JitIsa *isa = step->region->lib->isa;
    unsigned wide = step->region->job->lanes == 64;

    step->stored |= at.base >= BASE_WAVE;
    if (step->program && at.base == BASE_WAVE) {
        program_wrote(step->program, at.offset, MAX(size, 1));
        step->failed |= together_varies(step, at, MAX(size, 1));
    }
    if (at.base == BASE_WAVE_SOMEWHERE) {
        step->dirty = step->exec = true;
    } else if (at.base == BASE_WAVE) {
        step->dirty |= fact_meets(isa->full[wide], at.offset, size);
        step->exec |= at.offset < (int64_t)isa->guard + 8 &&
                      at.offset + size > isa->guard;
    }
}

/* Is it a strip of a program for several waves? */
static bool is_for_each(const Step *step)
{
    return step->group && step->group->scalars;
}

/* Would a scalar instruction for several waves store to memory, but once? */
static bool stores_once(const Step *step, Val at)
{
    return step->program && step->program->scalars && at.base == BASE_NONE;
}

static void clone_store(Frame *frame, LLVMValueRef inst)
{
    Step *step = frame->step;
    Region *r = step->region;
    const JitIsa *isa = r->lib->isa;
    Val stored = map_val(frame, LLVMGetOperand(inst, 0));
    LLVMValueRef value = map(frame, LLVMGetOperand(inst, 0));
    Val at = map_val(frame, LLVMGetOperand(inst, 1));
    LLVMValueRef c;

    if (step->group && at.base >= BASE_WAVE) {
        step->failed |= !group_store(step->group, at.base, at.offset, value);
        return;
    }
    step->failed |= means_vectors(step, at) ||
                    (step->group && !group_touches_memory(step->group, true));
    step->failed |= stores_once(step, at);
    note_store(step, at, size_of(r, LLVMTypeOf(value)));
    if (at.base == BASE_WAVE && at.offset == offsetof(Wave, uop) &&
        stored.base == BASE_UOP) {
        region_resumes(step, stored.offset);
    }
    if (at.base == BASE_WAVE && at.offset >= isa->registers &&
        at.offset < isa->end && LLVMIsConstant(value)) {
        value = region_opaque(r, value);
    }
    c = LLVMInstructionClone(inst);
    LLVMSetOperand(c, 0, value);
    LLVMSetOperand(c, 1, at.v);
    LLVMInsertIntoBuilder(r->builder, c);
}

/* ---- arithmetic on what may be constant ---- */

static void clone_gep(Frame *frame, LLVMValueRef inst)
{
    Region *r = region_of(frame);
    Val from = map_val(frame, LLVMGetOperand(inst, 0));
    int64_t offset;
    Val val;

    if (from.base != BASE_NONE && from.base != BASE_WAVE_SOMEWHERE &&
        constant_offset(r->lib, inst, map_index, frame, &offset)) {
        set_val(frame, inst, pointer(r, from.base, from.offset + offset));
        return;
    }
    val = plain(copy(frame, inst));
    if (from.base >= BASE_WAVE) {
        val.base = BASE_WAVE_SOMEWHERE;
    }
    set_val(frame, inst, val);
}

/* What does not change the other operand of @op, on either side. */
static bool is_neutral(LLVMOpcode op, LLVMValueRef v)
{
    switch (op) {
    case LLVMAnd:
        return LLVMIsConstant(v) &&
               v == LLVMConstAllOnes(LLVMTypeOf(v));
    case LLVMOr: case LLVMXor: case LLVMAdd:
        return LLVMIsNull(v);
    default:
        return false;
    }
}

/* Is it a half of choosing bits: joined with something by or, or by xor? */
static bool chooses_bits(LLVMValueRef inst)
{
    LLVMUseRef use = LLVMGetFirstUse(inst);

    for (; use; use = LLVMGetNextUse(use)) {
        if (LLVMIsAInstruction(LLVMGetUser(use))) {
            LLVMOpcode op = LLVMGetInstructionOpcode(LLVMGetUser(use));

            if (op == LLVMOr || op == LLVMXor) {
                return true;
            }
        }
    }
    return false;
}

/*
 * LLVM 19 makes a mistake where a lane is @x or else bits chosen, by a
 * constant, from @x and another: it has vpternlog with a mask and the constant
 * in memory choose in the wrong order (with one in a register it does not).  So
 * such a constant is hidden.
 */
static bool clone_choice(Frame *frame, LLVMValueRef inst)
{
    LLVMValueRef v[2];
    bool any = false;

    if (!frame->step->group || !chooses_bits(inst) ||
        LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVectorTypeKind) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        v[i] = map(frame, LLVMGetOperand(inst, i));
        if (LLVMIsConstant(v[i]) && !LLVMIsNull(v[i])) {
            v[i] = group_opaque(frame->step->group, v[i]);
            any = true;
        }
    }
    if (any) {
        set_val(frame, inst, plain(LLVMBuildAnd(builder_of(frame), v[0], v[1],
                                                "")));
    }
    return any;
}

static void clone_binary(Frame *frame, LLVMValueRef inst, LLVMOpcode op)
{
    Val a = map_val(frame, LLVMGetOperand(inst, 0));
    Val b = map_val(frame, LLVMGetOperand(inst, 1));
    LLVMTypeRef type = LLVMTypeOf(inst);

    if (op == LLVMSub && a.base == BASE_UOP && b.base == BASE_UOP) {
        uint64_t x = (uint64_t)(a.offset - b.offset);

        set_val(frame, inst, plain(LLVMConstInt(type, x, true)));
    } else if (LLVMIsConstant(a.v) && LLVMIsConstant(b.v) &&
               LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
        set_val(frame, inst, plain(LLVMBuildBinOp(builder_of(frame), op, a.v,
                                                  b.v, "")));
    } else if (is_neutral(op, a.v)) {
        set_val(frame, inst, plain(map(frame, LLVMGetOperand(inst, 1))));
    } else if (is_neutral(op, b.v)) {
        set_val(frame, inst, plain(map(frame, LLVMGetOperand(inst, 0))));
    } else if (op != LLVMAnd || !clone_choice(frame, inst)) {
        set_val(frame, inst, plain(copy(frame, inst)));
    }
}

/* Pointers to where one knows in the page or the wave are never NULL. */
static LLVMValueRef compare_null(Val a, Val b, LLVMIntPredicate predicate,
                                 LLVMTypeRef type)
{
    bool null = a.base != BASE_NONE && a.base != BASE_WAVE_SOMEWHERE &&
                LLVMIsNull(b.v);

    if (!null || (predicate != LLVMIntEQ && predicate != LLVMIntNE)) {
        return NULL;
    }
    return LLVMConstInt(type, predicate == LLVMIntNE, false);
}

static void clone_compare(Frame *frame, LLVMValueRef inst)
{
    Val a = map_val(frame, LLVMGetOperand(inst, 0));
    Val b = map_val(frame, LLVMGetOperand(inst, 1));
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(inst);
    LLVMValueRef v = NULL;

    if (LLVMGetTypeKind(LLVMTypeOf(a.v)) == LLVMPointerTypeKind) {
        v = compare_null(a, b, predicate, LLVMTypeOf(inst));
    } else if (LLVMIsConstant(a.v) && LLVMIsConstant(b.v)) {
        v = LLVMBuildICmp(builder_of(frame), predicate, a.v, b.v, "");
    }
    set_val(frame, inst, plain(v ? v : copy(frame, inst)));
}

static void clone_cast(Frame *frame, LLVMValueRef inst, LLVMOpcode op)
{
    Val from = map_val(frame, LLVMGetOperand(inst, 0));
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMValueRef v;

    if (LLVMIsConstant(from.v)) {
        v = LLVMBuildCast(builder_of(frame), op, from.v, type, "");
    } else {
        v = copy(frame, inst);
    }
    if (op == LLVMPtrToInt) {
        set_val(frame, inst, (Val){ v, from.base, from.offset });
    } else {
        set_val(frame, inst, plain(v));
    }
}

static void clone_bitcast(Frame *frame, LLVMValueRef inst)
{
    Region *r = region_of(frame);

    set_val(frame, inst,
            plain(region_as_type(r, map(frame, LLVMGetOperand(inst, 0)),
                                 LLVMTypeOf(inst))));
}

static void clone_select(Frame *frame, LLVMValueRef inst)
{
    LLVMValueRef condition = map(frame, LLVMGetOperand(inst, 0));

    if (LLVMIsAConstantInt(condition)) {
        bool yes = LLVMConstIntGetZExtValue(condition) != 0;

        set_val(frame, inst, map_val(frame, LLVMGetOperand(inst, yes ? 1 : 2)));
    } else {
        Val val = plain(copy(frame, inst));

        if (map_val(frame, LLVMGetOperand(inst, 1)).base >= BASE_WAVE ||
            map_val(frame, LLVMGetOperand(inst, 2)).base >= BASE_WAVE) {
            val.base = BASE_WAVE_SOMEWHERE;
        }
        set_val(frame, inst, val);
    }
}

/* ---- calls ---- */

/* The same function, declared in the module. */
static LLVMValueRef declare(Region *r, LLVMValueRef fn)
{
    LLVMValueRef copy = g_hash_table_lookup(r->globals, fn);
    size_t len;
    const char *name = LLVMGetValueName2(fn, &len);

    if (!copy) {
        copy = LLVMAddFunction(r->module, name, LLVMGlobalGetValueType(fn));
        region_copy_attributes(copy, fn, LLVMAttributeFunctionIndex);
        for (unsigned i = 0; i <= LLVMCountParams(fn); i++) {
            region_copy_attributes(copy, fn, i);
        }
        g_hash_table_insert(r->globals, fn, copy);
    }
    return copy;
}

/* What says nothing about what is to be computed. */
static bool is_remark(LLVMValueRef fn)
{
    size_t len;
    const char *name = LLVMGetValueName2(fn, &len);

    return g_str_has_prefix(name, "llvm.lifetime.") ||
           g_str_has_prefix(name, "llvm.assume") ||
           g_str_has_prefix(name, "llvm.dbg.") ||
           g_str_has_prefix(name, "llvm.experimental.noalias.");
}

/* Where all lanes are active, the first one is known: @fn of @x, or NULL. */
static LLVMValueRef constant_count(LLVMValueRef fn, LLVMValueRef x)
{
    size_t len;
    const char *name = LLVMGetValueName2(fn, &len);
    uint64_t bits;

    if (!g_str_has_prefix(name, "llvm.cttz.i") || !LLVMIsAConstantInt(x) ||
        LLVMIsNull(x)) {
        return NULL;
    }
    bits = LLVMConstIntGetZExtValue(x);
    return LLVMConstInt(LLVMTypeOf(x), (unsigned)__builtin_ctzll(bits), false);
}

/* In a whole program: the intrinsic called at @inst may write to @at. */
static void wrote_some(Frame *frame, LLVMValueRef inst, Val at)
{
    Group *program = frame->step->program;
    LLVMValueRef size;
    size_t len;

    if (!program) {
        return;
    }
    if (at.base != BASE_WAVE ||
        !g_str_has_prefix(LLVMGetValueName2(called_function(inst), &len),
                          "llvm.mem")) {
        frame->step->failed = true;
        return;
    }
    size = LLVMGetOperand(inst, 2);
    frame->step->failed |= !LLVMIsAConstantInt(size);
    if (LLVMIsAConstantInt(size)) {
        unsigned bytes = (unsigned)LLVMConstIntGetZExtValue(size);

        program_wrote(program, at.offset, bytes);
        frame->step->failed |= together_varies(frame->step, at, bytes);
    }
}

/* Those that get a pointer may store through it. */
static void call_intrinsic(Frame *frame, LLVMValueRef inst)
{
    Region *r = region_of(frame);
    LLVMValueRef fn = called_function(inst), c;

    c = constant_count(fn, map_val(frame, LLVMGetOperand(inst, 0)).v);
    if (c) {
        set_val(frame, inst, plain(c));
        return;
    }
    c = LLVMInstructionClone(inst);
    for (int i = 0; i < LLVMGetNumOperands(inst) - 1; i++) {
        Val val = map_val(frame, LLVMGetOperand(inst, i));

        LLVMSetOperand(c, (unsigned)i, val.v);
        if (i == 0 && LLVMGetTypeKind(LLVMTypeOf(val.v)) ==
                          LLVMPointerTypeKind) {
            frame->step->failed |= stores_once(frame->step, val);
        }
        if (val.base >= BASE_WAVE) {
            frame->step->failed |= means_vectors(frame->step, val);
            wrote_some(frame, inst, val);
            note_store(frame->step,
                       (Val){ val.v, BASE_WAVE_SOMEWHERE, 0 }, 0);
        }
    }
    LLVMSetOperand(c, (unsigned)LLVMGetNumOperands(inst) - 1, declare(r, fn));
    LLVMInsertIntoBuilder(r->builder, c);
    set_val(frame, inst, plain(c));
}

static void note_refill(Frame *frame, LLVMValueRef inst,
                        const JitSymbol *symbol)
{
    Step *step = frame->step;

    step->failed |= !step->group ||
                    !group_refill(step->group, symbol,
                                  map(frame, LLVMGetOperand(inst, 1)),
                                  map(frame, LLVMGetOperand(inst, 2)));
}

static void call_outside(Frame *frame, LLVMValueRef inst,
                         const JitSymbol *symbol)
{
    Step *step = frame->step;
    Region *r = step->region;
    unsigned last = (unsigned)LLVMGetNumOperands(inst) - 1;
    LLVMValueRef c = LLVMInstructionClone(inst);
    LLVMValueRef address = LLVMConstInt(r->i64, (uintptr_t)symbol->address,
                                        false);

    for (unsigned i = 0; i < last; i++) {
        LLVMSetOperand(c, i, map(frame, LLVMGetOperand(inst, i)));
    }
    LLVMSetOperand(c, last, LLVMConstIntToPtr(address, r->ptr));
    if (step->program && symbol->kind != JIT_ASIDE &&
        symbol->kind != JIT_EXEC) {
        program_settle(step->program);
    }
    LLVMInsertIntoBuilder(r->builder, c);
    set_val(frame, inst, plain(c));
    step->failed |= step->straight ||
                    (step->program && symbol->kind == JIT_VECTORS);
    if (symbol->kind == JIT_ASIDE) {
        return;
    }
    step->dirty = true;
    step->exec |= symbol->kind != JIT_STEP;
    step->called |= symbol->kind != JIT_EXEC;
    step->away |= symbol->kind == JIT_AWAY;
}

static void clone_function(Frame *caller, LLVMValueRef call,
                           const Function *f);

typedef void CloneFn(Frame *frame, LLVMValueRef inst);
static void clone_in_place(Frame *frame, LLVMValueRef inst, CloneFn *clone);

/* What all waves at hand come to, see JIT_SPAN and JIT_PLACE. */
static LLVMValueRef of_waves(Frame *frame, LLVMValueRef inst, JitCallee kind)
{
    Region *r = region_of(frame);
    Group *group = frame->step->group;
    LLVMValueRef x = map(frame, LLVMGetOperand(inst, 0)), size = x;

    if (!is_for_each(frame->step)) {
        return x;
    }
    if (kind == JIT_SPAN) {
        return LLVMBuildMul(group->scalars, size, group->waves, "");
    }
    size = map(frame, LLVMGetOperand(inst, 1));
    size = LLVMBuildMul(group->body, size, group->place, "");
    size = LLVMBuildZExt(group->body, size, r->i64, "");
    together_mark(group);
    return LLVMBuildGEP2(group->body, r->i8, x, &size, 1, "");
}

static void call_symbol(Frame *frame, LLVMValueRef inst,
                        const JitSymbol *symbol)
{
    switch (symbol->kind) {
    case JIT_REFILL:
        note_refill(frame, inst, symbol);
        break;
    case JIT_SPAN: case JIT_PLACE:
        set_val(frame, inst, plain(of_waves(frame, inst, symbol->kind)));
        break;
    default:
        call_outside(frame, inst, symbol);
    }
}

/* Returns true if the rest of the block has been copied with the call. */
static bool clone_call(Frame *frame, LLVMValueRef inst)
{
    Library *lib = region_of(frame)->lib;
    LLVMValueRef fn = called_function(inst);

    if (!fn) { /* assembly */
        set_val(frame, inst, plain(copy(frame, inst)));
        frame->step->failed |= frame->step->group != NULL;
        return false;
    }
    if (library_inlines(fn)) {
        clone_function(frame, inst, library_function(lib, fn));
        return LLVMGetInsertBlock(builder_of(frame)) == NULL;
    }
    if (!is_intrinsic(fn)) {
        call_symbol(frame, inst, library_symbol(lib, fn));
    } else if (!is_remark(fn)) {
        clone_in_place(frame, inst, call_intrinsic);
    }
    return false;
}

/* ---- blocks ---- */

/* Does @block do little more than return? */
static bool returns_soon(LLVMBasicBlockRef block)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(block);

    for (int n = 0; inst && n < RETURN_MAX; n++) {
        if (LLVMIsAReturnInst(inst)) {
            return true;
        }
        if (LLVMIsACallInst(inst) && called_function(inst) &&
            !is_intrinsic(called_function(inst))) {
            return false;
        }
        inst = LLVMGetNextInstruction(inst);
    }
    return false;
}

static Place *place_of(Frame *frame, LLVMBasicBlockRef block)
{
    Place *place = g_hash_table_lookup(frame->places, block);

    if (!place) {
        place = g_new0(Place, 1);
        place->block = region_new_block(region_of(frame));
        g_hash_table_insert(frame->places, block, place);
    }
    return place;
}

static Val phi_from(Frame *frame, LLVMValueRef phi, LLVMBasicBlockRef from)
{
    unsigned count = LLVMCountIncoming(phi);

    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return map_val(frame, LLVMGetIncomingValue(phi, i));
        }
    }
    frame->step->failed = true;
    return plain(LLVMGetUndef(LLVMTypeOf(phi)));
}

static void clone_rest(Frame *frame, LLVMBasicBlockRef block,
                       LLVMValueRef inst);

/*
 * Phis are read at once, since they may refer to each other; here they do
 * not, as the block is no loop.
 */
static void clone_return(Frame *frame, LLVMBasicBlockRef block,
                         LLVMBasicBlockRef from)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(block);

    for (; LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst)) {
        set_val(frame, inst, phi_from(frame, inst, from));
    }
    clone_rest(frame, block, inst);
}

/* Where to jump to for the way from @from to @to. */
static LLVMBasicBlockRef way(Frame *frame, LLVMBasicBlockRef from,
                             LLVMBasicBlockRef to)
{
    LLVMBuilderRef b = builder_of(frame);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b), block;
    Place *place;

    if (returns_soon(to)) {
        block = region_new_block(region_of(frame));
        LLVMPositionBuilderAtEnd(b, block);
        clone_return(frame, to, from);
        LLVMPositionBuilderAtEnd(b, here);
        return block;
    }
    place = place_of(frame, to);
    frame->step->looped |= place->begun;
    place->edge = g_renew(Edge, place->edge, place->edges + 1);
    place->edge[place->edges++] = (Edge){ from, here };
    return place->block;
}

/* What is said of a branch: the way that is hardly ever taken, or -1. */
static int rare_way(Region *r, LLVMValueRef branch)
{
    unsigned kind = LLVMGetMDKindIDInContext(r->context, "prof", 4);
    LLVMValueRef prof = LLVMGetMetadata(branch, kind), operand[4];
    unsigned count = prof ? LLVMGetMDNodeNumOperands(prof) : 0;
    uint64_t first, second;

    if (count < 3 || count > 4) { /* its name, where it is from, weights */
        return -1;
    }
    LLVMGetMDNodeOperands(prof, operand);
    first = LLVMConstIntGetZExtValue(operand[count - 2]);
    second = LLVMConstIntGetZExtValue(operand[count - 1]);
    return first > 100 * second ? 1 : second > 100 * first ? 0 : -1;
}

/*
 * Float operations have rare cases, NaNs, that take much code.  The interpreter
 * executes the instruction then, as long as nothing of it is done.
 */
static LLVMBasicBlockRef rare_block(Frame *frame, LLVMValueRef branch, int way)
{
    Step *step = frame->step;
    LLVMBasicBlockRef block;

    if (!step->handler->class || step->stored || step->called ||
        rare_way(step->region, branch) != way) {
        return NULL;
    }
    block = region_interpret(step->region, step->slot);
    return step->program ? program_out(step->program, block) : block;
}

/* Not @condition, as a comparison where it is one: of masks groups know it. */
static LLVMValueRef negate(Group *group, LLVMValueRef condition)
{
    LLVMBuilderRef b = together_scalars(group);

    if (together_inside(group, condition)) {
        b = group->body;
        together_mark(group);
    }
    if (LLVMIsAICmpInst(condition) &&
        LLVMGetICmpPredicate(condition) == LLVMIntEQ) {
        return LLVMBuildICmp(b, LLVMIntNE, LLVMGetOperand(condition, 0),
                             LLVMGetOperand(condition, 1), "");
    }
    return LLVMBuildNot(b, condition, "");
}

/* There is one way on in a strip, and the rare one is for handlers. */
static void branch_in_strip(Frame *frame, LLVMBasicBlockRef block,
                            LLVMValueRef inst, LLVMValueRef condition)
{
    Step *step = frame->step;
    LLVMBuilderRef b = builder_of(frame);
    int rare = rare_way(step->region, inst);

    if (!step->group || rare < 0) {
        step->failed = true;
        return;
    }
    group_rare(step->group,
               rare ? negate(step->group, condition) : condition);
    LLVMBuildBr(b, way(frame, block, LLVMGetSuccessor(inst, !rare)));
}

static void clone_branch(Frame *frame, LLVMBasicBlockRef block,
                         LLVMValueRef inst)
{
    LLVMBuilderRef b = builder_of(frame);
    LLVMValueRef condition, c;
    LLVMBasicBlockRef yes, no;

    if (!LLVMIsConditional(inst)) {
        LLVMBuildBr(b, way(frame, block, LLVMGetSuccessor(inst, 0)));
        return;
    }
    condition = map(frame, LLVMGetCondition(inst));
    if (LLVMIsAConstantInt(condition)) {
        bool taken = LLVMConstIntGetZExtValue(condition) != 0;

        LLVMBuildBr(b, way(frame, block, LLVMGetSuccessor(inst, !taken)));
        return;
    }
    if (frame->step->straight) {
        branch_in_strip(frame, block, inst, condition);
        return;
    }
    yes = rare_block(frame, inst, 0);
    no = rare_block(frame, inst, 1);
    yes = yes ? yes : way(frame, block, LLVMGetSuccessor(inst, 0));
    no = no ? no : way(frame, block, LLVMGetSuccessor(inst, 1));
    c = LLVMInstructionClone(inst); /* keeps what it says of likelihood */
    LLVMSetCondition(c, condition);
    LLVMSetSuccessor(c, 0, yes);
    LLVMSetSuccessor(c, 1, no);
    LLVMInsertIntoBuilder(b, c);
}

static void clone_switch(Frame *frame, LLVMBasicBlockRef block,
                         LLVMValueRef inst)
{
    LLVMBuilderRef b = builder_of(frame);
    LLVMValueRef value = map(frame, LLVMGetOperand(inst, 0)), c;
    unsigned count = LLVMGetNumSuccessors(inst);

    if (LLVMIsAConstantInt(value)) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(inst, 0);

        for (unsigned i = 1; i < count; i++) { /* operands: value, block */
            if (LLVMGetOperand(inst, 2 * i) == value) {
                to = LLVMGetSuccessor(inst, i);
            }
        }
        LLVMBuildBr(b, way(frame, block, to));
        return;
    }
    if (frame->step->straight) {
        frame->step->failed = true;
        return;
    }
    c = LLVMInstructionClone(inst);
    LLVMSetOperand(c, 0, value);
    for (unsigned i = 0; i < count; i++) {
        LLVMSetSuccessor(c, i, way(frame, block, LLVMGetSuccessor(inst, i)));
    }
    LLVMInsertIntoBuilder(b, c);
}

/* The function copied in @frame returns @val. */
static void clone_ret(Frame *frame, Val val)
{
    LLVMBuilderRef b = builder_of(frame);
    Frame *caller = frame->caller;

    if (!caller && frame->step->straight) {
        frame->step->behind = LLVMGetInsertBlock(b);
    } else if (!caller) {
        region_return(frame->step, val);
    } else if (frame->tail) {
        if (val.v) {
            set_val(caller, frame->call, val);
        }
        clone_rest(caller, LLVMGetInstructionParent(frame->call),
                   LLVMGetNextInstruction(frame->call));
    } else {
        if (val.v) {
            g_array_append_val(frame->results, val);
        }
        g_ptr_array_add(frame->from, LLVMGetInsertBlock(b));
        LLVMBuildBr(b, frame->join);
    }
}

/* ---- phis of blocks that are copied once ---- */

/*
 * What is built in a strip for several waves is built for each, if it is not
 * moved (clone_in_place()).
 */
static void mark_inside(Frame *frame)
{
    if (is_for_each(frame->step)) {
        together_mark(frame->step->group);
    }
}

static bool same_val(Val a, Val b)
{
    return a.v == b.v ||
           (a.base != BASE_NONE && a.base != BASE_WAVE_SOMEWHERE &&
            a.base == b.base && a.offset == b.offset);
}

/* All ways into the block are known if there are as many as it has. */
static bool all_known(Frame *frame, const Place *place, LLVMValueRef phi)
{
    unsigned count = LLVMCountIncoming(phi);

    if (!frame->f->loops) {
        return true;
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);

        if (LLVMIsAInstruction(value) &&
            !g_hash_table_lookup(frame->vals, value)) {
            return false;
        }
    }
    return place->edges == count;
}

static void clone_phi(Frame *frame, LLVMBasicBlockRef block, Place *place,
                      LLVMValueRef phi)
{
    Val first = plain(NULL), val;
    bool known = all_known(frame, place, phi), same = known;
    LLVMValueRef copy;

    for (unsigned i = 0; known && i < place->edges; i++) {
        val = phi_from(frame, phi, place->edge[i].from);
        first = i ? first : val;
        same &= same_val(first, val);
    }
    if (same) {
        set_val(frame, phi, first);
        return;
    }
    copy = LLVMBuildPhi(builder_of(frame), LLVMTypeOf(phi), "");
    mark_inside(frame);
    val = plain(copy);
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind) {
        val.base = BASE_WAVE_SOMEWHERE;
    }
    set_val(frame, phi, val);
    g_array_append_val(frame->pending, ((Pending){ phi, copy, block }));
}

static void finish_phis(Frame *frame)
{
    for (unsigned i = 0; i < frame->pending->len; i++) {
        Pending *p = &g_array_index(frame->pending, Pending, i);
        Place *place = g_hash_table_lookup(frame->places, p->block);

        for (unsigned k = 0; k < place->edges; k++) {
            LLVMValueRef v = phi_from(frame, p->phi, place->edge[k].from).v;

            LLVMAddIncoming(p->copy, &v, &place->edge[k].at, 1);
        }
    }
}

/* ---- instructions ---- */

static void clone_alloca(Frame *frame, LLVMValueRef inst)
{
    LLVMValueRef c = LLVMInstructionClone(inst);

    LLVMInsertIntoBuilder(region_of(frame)->entry, c);
    set_val(frame, inst, plain(c));
    /* What is loaded from there could come before what is stored. */
    frame->step->failed |= is_for_each(frame->step);
}

/*
 * Halves of 64-bit lanes are joined and split for each instruction.  What was
 * split and is joined again has never been apart.
 */
static void clone_shuffle(Frame *frame, LLVMValueRef inst)
{
    LLVMValueRef a = map(frame, LLVMGetOperand(inst, 0));
    LLVMValueRef b = map(frame, LLVMGetOperand(inst, 1));
    LLVMValueRef v = shuffle_constants(region_of(frame), inst, a, b);

    v = v ? v : shuffle_back(region_of(frame), inst, a, b);
    set_val(frame, inst, plain(v ? v : copy(frame, inst)));
}

/* In strips the lanes of an immediate are made of it here. */
static void clone_insert(Frame *frame, LLVMValueRef inst)
{
    Step *step = frame->step;
    LLVMValueRef v = map(frame, LLVMGetOperand(inst, 1));

    if (step->group && step->handler->class && LLVMIsAConstantInt(v)) {
        v = group_opaque(step->group, v);
    }
    set_val(frame, inst,
            plain(LLVMBuildInsertElement(
                builder_of(frame), map(frame, LLVMGetOperand(inst, 0)), v,
                map(frame, LLVMGetOperand(inst, 2)), "")));
}

static void clone_other(Frame *frame, LLVMValueRef inst)
{
    LLVMValueRef c = copy(frame, inst);

    if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst)) {
        Val at = map_val(frame, LLVMGetOperand(inst, 0));

        frame->step->failed |= stores_once(frame->step, at);
        note_store(frame->step, at, 0);
    }
    set_val(frame, inst, plain(c));
}

/* In a whole program: vectors of which something is known, see affine.c. */
static bool clone_affine(Frame *frame, LLVMValueRef inst)
{
    Step *step = frame->step;
    LLVMValueRef operand[3] = { NULL }, v;

    if (!step->group || !step->group->whole || !affine_wants(inst)) {
        return false;
    }
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        operand[i] = map(frame, LLVMGetOperand(inst, (unsigned)i));
    }
    v = affine_copy(step->group, inst, operand);
    if (v) {
        set_val(frame, inst, plain(v));
    }
    return v;
}

/* What neither calls nor branches. */
static void clone_simple(Frame *frame, LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    switch (op) {
    case LLVMLoad:
        clone_load(frame, inst);
        break;
    case LLVMStore:
        clone_store(frame, inst);
        break;
    case LLVMGetElementPtr:
        clone_gep(frame, inst);
        break;
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv:
    case LLVMURem: case LLVMSRem: case LLVMShl: case LLVMLShr: case LLVMAShr:
    case LLVMAnd: case LLVMOr: case LLVMXor:
        clone_binary(frame, inst, op);
        break;
    case LLVMICmp:
        clone_compare(frame, inst);
        break;
    case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt:
    case LLVMIntToPtr:
        clone_cast(frame, inst, op);
        break;
    case LLVMBitCast:
        clone_bitcast(frame, inst);
        break;
    case LLVMSelect:
        clone_select(frame, inst);
        break;
    case LLVMShuffleVector:
        clone_shuffle(frame, inst);
        break;
    case LLVMInsertElement:
        clone_insert(frame, inst);
        break;
    case LLVMAlloca:
        clone_alloca(frame, inst);
        break;
    default:
        clone_other(frame, inst);
    }
}

/*
 * In a program for several waves: is @inst of a strip done once for all of
 * them?  Not what is a vector's or divides, which might not be reached.
 */
static bool is_done_once(Frame *frame, LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    if (is_vector(inst) || op == LLVMUDiv || op == LLVMSDiv ||
        op == LLVMURem || op == LLVMSRem || op == LLVMStore) {
        return false;
    }
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        Val val = map_val(frame, LLVMGetOperand(inst, (unsigned)i));

        if (is_vector(val.v) || together_inside(frame->step->group, val.v) ||
            (op == LLVMLoad && val.base >= BASE_WAVE)) {
            return false;
        }
    }
    return true;
}

/* Copy @inst, in such a program to where it belongs. */
static void clone_in_place(Frame *frame, LLVMValueRef inst, CloneFn *clone)
{
    Region *r = region_of(frame);
    LLVMBuilderRef here = r->builder;

    if (is_for_each(frame->step) && is_done_once(frame, inst)) {
        r->builder = frame->step->group->scalars;
    } else {
        mark_inside(frame);
    }
    clone(frame, inst);
    r->builder = here;
}

/* Anything but a phi; returns true if it ends the block. */
static bool clone_instruction(Frame *frame, LLVMBasicBlockRef block,
                              LLVMValueRef inst)
{
    if (clone_affine(frame, inst)) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMCall:
        return clone_call(frame, inst);
    case LLVMBr:
        clone_branch(frame, block, inst);
        return true;
    case LLVMSwitch:
        clone_switch(frame, block, inst);
        return true;
    case LLVMRet:
        clone_ret(frame, LLVMGetNumOperands(inst)
                             ? map_val(frame, LLVMGetOperand(inst, 0))
                             : plain(NULL));
        return true;
    default:
        clone_in_place(frame, inst, clone_simple);
        return LLVMGetInstructionOpcode(inst) == LLVMUnreachable;
    }
}

static void clone_rest(Frame *frame, LLVMBasicBlockRef block,
                       LLVMValueRef inst)
{
    for (; inst && !frame->step->failed; inst = LLVMGetNextInstruction(inst)) {
        if (clone_instruction(frame, block, inst)) {
            return;
        }
    }
}

static void clone_block(Frame *frame, LLVMBasicBlockRef block, Place *place)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(block);

    place->begun = true;
    LLVMPositionBuilderAtEnd(builder_of(frame), place->block);
    for (; LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst)) {
        clone_phi(frame, block, place, inst);
    }
    clone_rest(frame, block, inst);
}

/* ---- functions ---- */

static void free_place(gpointer p)
{
    g_free(((Place *)p)->edge);
    g_free(p);
}

static void frame_begin(Frame *frame)
{
    frame->vals = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    frame->places = g_hash_table_new_full(NULL, NULL, NULL, free_place);
    frame->pending = g_array_new(false, false, sizeof(Pending));
    frame->results = g_array_new(false, false, sizeof(Val));
    frame->from = g_ptr_array_new();
}

static void frame_end(Frame *frame)
{
    g_hash_table_destroy(frame->vals);
    g_hash_table_destroy(frame->places);
    g_array_free(frame->pending, true);
    g_array_free(frame->results, true);
    g_ptr_array_free(frame->from, true);
}

/* Copy the blocks that can be reached, from where the builder stands. */
static void clone_blocks(Frame *frame)
{
    const Function *f = frame->f;
    Place *first = place_of(frame, f->blocks[0]);

    LLVMBuildBr(builder_of(frame), first->block);
    for (unsigned i = 0; i < f->count && !frame->step->failed; i++) {
        Place *place = g_hash_table_lookup(frame->places, f->blocks[i]);

        if (place && (i == 0 || place->edges)) {
            clone_block(frame, f->blocks[i], place);
        }
    }
    if (!frame->step->failed) {
        finish_phis(frame);
    }
}

/* Is all that is left behind @call the way to a return? */
static bool is_tail(LLVMValueRef call)
{
    LLVMValueRef inst = LLVMGetNextInstruction(call);

    for (int n = 0; inst && n < RETURN_MAX; n++) {
        if (LLVMIsAReturnInst(inst)) {
            return true;
        }
        if (LLVMIsABranchInst(inst)) {
            return !LLVMIsConditional(inst) &&
                   returns_soon(LLVMGetSuccessor(inst, 0));
        }
        if (LLVMIsACallInst(inst) && called_function(inst) &&
            !is_intrinsic(called_function(inst))) {
            return false;
        }
        inst = LLVMGetNextInstruction(inst);
    }
    return false;
}

/* Go on behind the call with what it returned in one way or another. */
static void join_results(Frame *frame)
{
    LLVMBuilderRef b = builder_of(frame);
    LLVMTypeRef type = LLVMTypeOf(frame->call);
    LLVMValueRef phi;

    LLVMPositionBuilderAtEnd(b, frame->join);
    if (frame->results->len == 0) {
        return;
    }
    phi = LLVMBuildPhi(b, type, "");
    mark_inside(frame->caller);
    for (unsigned i = 0; i < frame->results->len; i++) {
        Val *val = &g_array_index(frame->results, Val, i);

        LLVMAddIncoming(phi, &val->v,
                        (LLVMBasicBlockRef *)&frame->from->pdata[i], 1);
    }
    set_val(frame->caller, frame->call,
            (Val){ phi, LLVMGetTypeKind(type) == LLVMPointerTypeKind
                            ? BASE_WAVE_SOMEWHERE : BASE_NONE, 0 });
}

static void clone_function(Frame *caller, LLVMValueRef call, const Function *f)
{
    LLVMBuilderRef b = builder_of(caller);
    Frame frame = { .step = caller->step, .f = f, .caller = caller,
                    .call = call, .tail = is_tail(call) };

    frame_begin(&frame);
    for (unsigned i = 0; i < LLVMCountParams(f->fn); i++) {
        set_val(&frame, LLVMGetParam(f->fn, i),
                map_val(caller, LLVMGetOperand(call, i)));
    }
    if (!frame.tail) {
        frame.join = region_new_block(region_of(caller));
    }
    clone_blocks(&frame);
    if (frame.tail) {
        LLVMClearInsertionPosition(b);
    } else if (!caller->step->failed) {
        join_results(&frame);
    }
    frame_end(&frame);
}

/* Facts are used before code that changes them only if there is no way back. */
static bool misled(const Step *step)
{
    return step->looped && step->dirty;
}

/* The parameters of strips behind those of handlers. */
static void set_slice(Frame *frame, LLVMValueRef fn)
{
    Step *step = frame->step;
    Region *r = step->region;
    LLVMTypeRef type[2];

    for (unsigned i = 0; i < 2; i++) {
        type[i] = LLVMTypeOf(LLVMGetParam(fn, 4 + i));
    }
    set_val(frame, LLVMGetParam(fn, 2), pointer(r, BASE_LANES, 0));
    set_val(frame, LLVMGetParam(fn, 3), pointer(r, BASE_BITS, 0));
    set_val(frame, LLVMGetParam(fn, 4), group_number(step->group, type[0]));
    set_val(frame, LLVMGetParam(fn, 5),
            plain(LLVMConstInt(type[1], step->full, false)));
}

void clone_step(Step *step)
{
    Region *r = step->region;
    LLVMValueRef fn = step->handler->fn;
    Frame frame = { .step = step, .f = step->handler };

    frame_begin(&frame);
    set_val(&frame, LLVMGetParam(fn, 0), (Val){ r->wave, BASE_WAVE, 0 });
    set_val(&frame, LLVMGetParam(fn, 1),
            pointer(r, BASE_UOP, (int64_t)(step->slot * sizeof(Uop))));
    if (step->group && LLVMCountParams(fn) > 2) {
        set_slice(&frame, fn);
    }
    clone_blocks(&frame);
    frame_end(&frame);
    step->failed |= misled(step) || (step->straight && !step->behind);
    if (step->straight && !step->failed) {
        LLVMPositionBuilderAtEnd(r->builder, step->behind);
    }
}
