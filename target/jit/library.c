/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers' bitcode.
 */
#include <string.h>
#include <llvm-c/BitReader.h>
#include "internal.h"

/* Handlers larger than this are called: in-line they would gain nothing. */
#define HANDLER_MAX 200

LLVMValueRef called_function(LLVMValueRef call)
{
    return LLVMIsAFunction(LLVMGetCalledValue(call));
}

bool is_intrinsic(LLVMValueRef fn)
{
    return LLVMGetIntrinsicID(fn) != 0;
}

/* Static functions, and other handlers, which an instruction shares. */
bool library_inlines(LLVMValueRef callee)
{
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);

    return !LLVMIsDeclaration(callee) &&
           (LLVMGetLinkage(callee) == LLVMInternalLinkage ||
            g_str_has_prefix(name, "h_"));
}

const JitSymbol *library_symbol(Library *lib, LLVMValueRef fn)
{
    size_t len;

    return g_hash_table_lookup(lib->symbols, LLVMGetValueName2(fn, &len));
}

/* ---- constant addresses ---- */

/* Step into @type by index @i; false if it is no aggregate. */
static bool step_into(Library *lib, LLVMTypeRef *type, uint64_t i,
                      int64_t *offset)
{
    switch (LLVMGetTypeKind(*type)) {
    case LLVMStructTypeKind:
        *offset += LLVMOffsetOfElement(lib->layout, *type, i);
        *type = LLVMStructGetTypeAtIndex(*type, i);
        return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        *type = LLVMGetElementType(*type);
        *offset += (int64_t)i * (int64_t)LLVMABISizeOfType(lib->layout, *type);
        return true;
    default:
        return false;
    }
}

bool constant_offset(Library *lib, LLVMValueRef gep, MapFn *map, void *opaque,
                     int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int count = LLVMGetNumOperands(gep);

    *offset = 0;
    for (int k = 1; k < count; k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        int64_t i;

        index = map ? map(opaque, index) : index;
        if (!LLVMIsAConstantInt(index)) {
            return false;
        }
        i = LLVMConstIntGetSExtValue(index);
        if (k == 1) {
            *offset += i * (int64_t)LLVMABISizeOfType(lib->layout, type);
        } else if (!step_into(lib, &type, (uint64_t)i, offset)) {
            return false;
        }
    }
    return true;
}

/* ---- what a function is like ---- */

/* Does @store set the wave's float class? */
static bool sets_class(Library *lib, LLVMValueRef store, LLVMValueRef wave)
{
    LLVMValueRef at = LLVMGetOperand(store, 1);
    int64_t offset;

    return LLVMIsAGetElementPtrInst(at) && LLVMGetOperand(at, 0) == wave &&
           constant_offset(lib, at, NULL, NULL, &offset) &&
           offset == lib->isa->float_class;
}

static void add_class(Function *f, int class)
{
    f->class = !f->class || f->class == class ? class : -1;
}

static void scan_store(Library *lib, Function *f, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0);

    if (sets_class(lib, store, LLVMGetParam(f->fn, 0))) {
        add_class(f, LLVMIsAConstantInt(value)
                         ? (int)LLVMConstIntGetZExtValue(value) : -1);
    }
}

static bool scan_call(Library *lib, Function *f, LLVMValueRef call)
{
    LLVMValueRef callee = called_function(call);

    if (!callee) {
        return LLVMIsAInlineAsm(LLVMGetCalledValue(call));
    }
    if (library_inlines(callee)) {
        const Function *g = library_function(lib, callee);

        f->size += g->size;
        f->loops |= g->loops;
        if (g->class) {
            add_class(f, g->class);
        }
        return g->usable;
    }
    return is_intrinsic(callee) || library_symbol(lib, callee);
}

static bool scan_instruction(Library *lib, Function *f, LLVMValueRef inst)
{
    f->size++;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMCall:
        return scan_call(lib, f, inst);
    case LLVMStore:
        scan_store(lib, f, inst);
        return true;
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg:
        return false;
    default:
        return true;
    }
}

/* Blocks behind @block in post-order; *state: 1 while under way, 2 done. */
static void visit(Function *f, GHashTable *state, GPtrArray *order,
                  LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned count = LLVMGetNumSuccessors(end);

    g_hash_table_insert(state, block, GINT_TO_POINTER(1));
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        int seen = GPOINTER_TO_INT(g_hash_table_lookup(state, next));

        f->loops |= seen == 1;
        if (!seen) {
            visit(f, state, order, next);
        }
    }
    g_hash_table_insert(state, block, GINT_TO_POINTER(2));
    g_ptr_array_add(order, block);
}

static void order_blocks(Function *f)
{
    GHashTable *state = g_hash_table_new(NULL, NULL);
    GPtrArray *order = g_ptr_array_new();

    visit(f, state, order, LLVMGetEntryBasicBlock(f->fn));
    f->count = order->len;
    f->blocks = g_new(LLVMBasicBlockRef, f->count);
    for (unsigned i = 0; i < f->count; i++) {
        f->blocks[i] = order->pdata[f->count - 1 - i];
    }
    g_ptr_array_free(order, true);
    g_hash_table_destroy(state);
}

static void scan(Library *lib, Function *f)
{
    f->usable = !LLVMIsDeclaration(f->fn);
    if (!f->usable) {
        return;
    }
    LLVMRunFunctionPassManager(lib->reader, f->fn);
    order_blocks(f);
    for (unsigned i = 0; i < f->count && f->usable; i++) {
        LLVMValueRef inst = LLVMGetFirstInstruction(f->blocks[i]);

        for (; inst && f->usable; inst = LLVMGetNextInstruction(inst)) {
            f->usable = scan_instruction(lib, f, inst);
        }
    }
}

Function *library_function(Library *lib, LLVMValueRef fn)
{
    Function *f = g_hash_table_lookup(lib->functions, fn);

    if (!f) {
        f = g_new0(Function, 1);
        f->fn = fn;
        f->usable = false; /* of one that calls itself */
        g_hash_table_insert(lib->functions, fn, f);
        scan(lib, f);
    }
    return f;
}

/* The function @kind@name of the host level; NULL if it is not usable. */
static Function *find(Library *lib, const char *kind, const char *name)
{
    char full[96];
    LLVMValueRef fn;
    Function *f;

    if (!name) {
        return NULL;
    }
    g_snprintf(full, sizeof(full), "%s%s_%s", kind, name, lib->isa->level);
    fn = LLVMGetNamedFunction(lib->module, full);
    f = fn ? library_function(lib, fn) : NULL;
    return f && f->usable ? f : NULL;
}

Function *library_handler(Library *lib, UopFn *fn)
{
    Function *f = find(lib, "", lib->isa->handler(fn));

    return f && f->size <= HANDLER_MAX ? f : NULL;
}

Function *library_near(Library *lib, UopFn *fn)
{
    return find(lib, "near_", lib->isa->handler(fn));
}

Function *library_whole(Library *lib, UopFn *fn)
{
    return find(lib, "whole_", lib->isa->handler(fn));
}

Function *library_strip(Library *lib, const Uop *uop, bool full)
{
    const char *name = lib->isa->strip(uop);
    Function *f = find(lib, "strip_", name);

    if (!f && full) {
        f = find(lib, "all_", name);
    }
    return f && !f->loops && f->class >= 0 ? f : NULL;
}

Function *library_end(Library *lib, const Uop *uop)
{
    return find(lib, "end_", lib->isa->strip(uop));
}

/* ---- opening and closing ---- */

static void free_function(gpointer p)
{
    g_free(((Function *)p)->blocks);
    g_free(p);
}

bool library_open(Library *lib, const JitIsa *isa, LLVMContextRef context,
                  const void *bytes, size_t size, GError **error)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        bytes, size, "handlers", false);

    memset(lib, 0, sizeof(*lib));
    lib->isa = isa;
    lib->context = context;
    if (LLVMGetBitcodeModuleInContext2(context, buffer, &lib->module)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "the handlers' bitcode cannot be read");
        LLVMDisposeMemoryBuffer(buffer);
        return false;
    }
    /* The buffer is the module's: a function is read when it is needed. */
    lib->reader = LLVMCreateFunctionPassManagerForModule(lib->module);
    lib->layout = LLVMGetModuleDataLayout(lib->module);
    lib->functions = g_hash_table_new_full(NULL, NULL, NULL, free_function);
    lib->symbols = g_hash_table_new(g_str_hash, g_str_equal);
    for (const JitSymbol *s = isa->symbols; s->name; s++) {
        g_hash_table_insert(lib->symbols, (gpointer)s->name, (gpointer)s);
    }
    return true;
}

void library_close(Library *lib)
{
    g_hash_table_destroy(lib->functions);
    g_hash_table_destroy(lib->symbols);
    LLVMDisposePassManager(lib->reader);
    LLVMDisposeModule(lib->module);
}
