/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a page of micro-operations to host code, with LLVM.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include "internal.h"

/*
 * What pays: operands' slices become values, and what one instruction stores
 * the next one takes from there.  Where groups are to be written out, what
 * nobody reads is not stored, and values stay in registers around a loop.
 */
static const char passes[] =
    "function(sroa,simplifycfg,early-cse<memssa>)";
static const char loop_passes[] =
    "function(sroa,simplifycfg,loop(loop-unroll-full),early-cse,gvn,dse)";

struct JitCompiler {
    Library lib;
    LLVMContextRef context;
    LLVMTargetMachineRef machine;
    LLVMOrcLLJITRef linker;
    unsigned count; /* of functions made */
};

/* ---- the bitcode, in the object itself (embed.py) ---- */

#define BITCODE(level) extern const char handlers_##level[], \
                                         handlers_##level##_end[];
#define BITCODE_ROW(level) { #level, handlers_##level, handlers_##level##_end },

#ifdef TESSERA_HAVE_V2
BITCODE(v2)
#define ROW_V2 BITCODE_ROW(v2)
#else
#define ROW_V2
#endif
#ifdef TESSERA_HAVE_V3
BITCODE(v3)
#define ROW_V3 BITCODE_ROW(v3)
#else
#define ROW_V3
#endif
#ifdef TESSERA_HAVE_V4
BITCODE(v4)
#define ROW_V4 BITCODE_ROW(v4)
#else
#define ROW_V4
#endif

static const struct {
    const char *level, *bytes, *end;
} bitcode[] = { ROW_V2 ROW_V3 ROW_V4 };

static bool open_library(JitCompiler *c, const JitIsa *isa, GError **error)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(bitcode); i++) {
        if (strcmp(bitcode[i].level, isa->level) == 0) {
            return library_open(&c->lib, isa, c->context, bitcode[i].bytes,
                                bitcode[i].end - bitcode[i].bytes, error);
        }
    }
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                "it was built without host level %s", isa->level);
    return false;
}

/* ---- LLVM's machinery ---- */

/* Free @llvm; false and @error if it is an error. */
static bool llvm_ok(LLVMErrorRef llvm, GError **error)
{
    char *message;

    if (!llvm) {
        return true;
    }
    message = LLVMGetErrorMessage(llvm);
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/*
 * Parts of the code generator that take time and gain nothing here, by names
 * that LLVM 19 knows.  The first bounds what the register allocator tries for a
 * value: more of it costs time and spills more.
 */
static const char *const generator_options[] = {
    "tessera-jit", /* who asks */
    "-grow-region-complexity-budget=100",
    "-disable-lsr",
    "-disable-constant-hoisting",
    "-enable-misched=false",
    "-disable-x86-domain-reassignment",
};

/*
 * What is the process's: LLVM takes each option only once, and its list of
 * targets has no lock, while each device has a thread.
 */
static void set_up_llvm(void)
{
    LLVMParseCommandLineOptions(G_N_ELEMENTS(generator_options),
                                generator_options, NULL);
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
}

static bool open_machine(JitCompiler *c, GError **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target;

    pthread_once(&once, set_up_llvm);
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "LLVM: %s",
                    message);
        LLVMDisposeMessage(message);
        LLVMDisposeMessage(triple);
        return false;
    }
    c->machine = LLVMCreateTargetMachine(
        target, triple, "x86-64", "", LLVMCodeGenLevelLess, LLVMRelocPIC,
        LLVMCodeModelJITDefault);
    /*
     * From the end of a block on LLVM takes the quick way, up to the first
     * instruction that it does not have one for: mostly a vector's.  So nearly
     * all scalar code is selected that way, and hardly any of a group.
     */
    LLVMSetTargetMachineFastISel(c->machine, true);
    LLVMDisposeMessage(triple);
    return llvm_ok(LLVMOrcCreateLLJIT(&c->linker, NULL), error);
}

/* What LLVM makes calls of: memcpy, fmaf and the like. */
static bool find_host_functions(JitCompiler *c, GError **error)
{
    LLVMOrcDefinitionGeneratorRef generator;

    if (!llvm_ok(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                     &generator, LLVMOrcLLJITGetGlobalPrefix(c->linker), NULL,
                     NULL), error)) {
        return false;
    }
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(c->linker),
                                generator);
    return true;
}

static void jit_close(JitCompiler *c)
{
    if (c->linker) {
        LLVMConsumeError(LLVMOrcDisposeLLJIT(c->linker));
    }
    if (c->lib.module) {
        library_close(&c->lib);
    }
    if (c->machine) {
        LLVMDisposeTargetMachine(c->machine);
    }
    LLVMContextDispose(c->context);
    g_free(c);
}

static JitCompiler *jit_open(const JitIsa *isa, GError **error)
{
    JitCompiler *c = g_new0(JitCompiler, 1);

    c->context = LLVMContextCreate();
    if (!open_machine(c, error) || !find_host_functions(c, error) ||
        !open_library(c, isa, error)) {
        jit_close(c);
        return NULL;
    }
    return c;
}

/* ---- compiling ---- */

static bool optimise(JitCompiler *c, LLVMModuleRef module, bool written_out,
                     GError **error)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    bool ok = llvm_ok(LLVMRunPasses(module, written_out ? loop_passes : passes,
                                    c->machine, options),
                      error);

    LLVMDisposePassBuilderOptions(options);
    return ok;
}

/*
 * For whoever looks for a mistake here: the file that TESSERA_JIT_DUMP names
 * gets each function before it is optimised, and LLVM checks it.
 */
static bool check_module(LLVMModuleRef module, GError **error)
{
    const char *dump = getenv("TESSERA_JIT_DUMP");
    char *message = NULL;
    bool ok = true;

    if (!dump) {
        return true;
    }
    LLVMPrintModuleToFile(module, dump, NULL);
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "LLVM: %s",
                    message);
        ok = false;
    }
    LLVMDisposeMessage(message);
    return ok;
}

static UopFn *link_module(JitCompiler *c, JitJob *job, LLVMModuleRef module,
                          const char *name, GError **error)
{
    LLVMOrcExecutorAddress address = 0;
    LLVMMemoryBufferRef object;
    char *message = NULL;

    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, module, LLVMObjectFile,
                                            &message, &object)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "LLVM: %s",
                    message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    job->tracker = LLVMOrcJITDylibCreateResourceTracker(
        LLVMOrcLLJITGetMainJITDylib(c->linker));
    if (!llvm_ok(LLVMOrcLLJITAddObjectFileWithRT(c->linker, job->tracker,
                                                 object), error) ||
        !llvm_ok(LLVMOrcLLJITLookup(c->linker, &address, name), error)) {
        return NULL;
    }
    return (UopFn *)(uintptr_t)address;
}

static void jit_drop(JitCompiler *c, JitJob *job)
{
    if (job->tracker) {
        LLVMConsumeError(LLVMOrcResourceTrackerRemove(job->tracker));
        LLVMOrcReleaseResourceTracker(job->tracker);
        job->tracker = NULL;
    }
}

static void jit_compile(JitCompiler *c, JitJob *job)
{
    GError *error = NULL;
    LLVMModuleRef module;
    bool written_out;
    char name[32];

    g_snprintf(name, sizeof(name), "region_%u", c->count++);
    job->code = NULL;
    job->error = NULL;
    module = region_build(&c->lib, job, name, &written_out);
    if (module) {
        if (check_module(module, &error) &&
            optimise(c, module, written_out, &error)) {
            job->code = link_module(c, job, module, name, &error);
        }
        LLVMDisposeModule(module);
    }
    if (error) {
        job->error = g_strdup(error->message);
        g_error_free(error);
    }
}

__attribute__((visibility("default"))) const JitApi tessera_jit = {
    .size = sizeof(JitJob),
    .open = jit_open,
    .compile = jit_compile,
    .drop = jit_drop,
    .close = jit_close,
};
