/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AMD code objects: what a file holds, and its image ready for a device.
 *
 * A code object is an ELF64 shared object for EM_AMDGPU whose note
 * NT_AMDGPU_METADATA describes its kernels in MessagePack.  Layouts are those
 * of LLVM's "User Guide for AMDGPU Backend", versions 4, 5 and 6.  A clang
 * offload bundle around one is looked through.
 */
#ifndef TOOLS_CODEOBJ_H
#define TOOLS_CODEOBJ_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Bounds on what a file may ask for; a file beyond them is refused. */
#define CODEOBJ_FILE_MAX (1ull << 30)
#define CODEOBJ_IMAGE_MAX (1ull << 30)
#define CODEOBJ_KERNARG_MAX (64u << 10)

/* CODE_VALUE(name in the metadata, enumerator) */
#define CODE_VALUE_KINDS(V)                                                    \
    V("by_value", BY_VALUE)                                                    \
    V("global_buffer", GLOBAL_BUFFER)                                          \
    V("dynamic_shared_pointer", DYNAMIC_SHARED_POINTER)                        \
    V("sampler", SAMPLER)                                                      \
    V("image", IMAGE)                                                          \
    V("pipe", PIPE)                                                            \
    V("queue", QUEUE)                                                          \
    V("hidden_none", HIDDEN_NONE)                                              \
    V("hidden_global_offset_x", HIDDEN_GLOBAL_OFFSET_X)                        \
    V("hidden_global_offset_y", HIDDEN_GLOBAL_OFFSET_Y)                        \
    V("hidden_global_offset_z", HIDDEN_GLOBAL_OFFSET_Z)                        \
    V("hidden_block_count_x", HIDDEN_BLOCK_COUNT_X)                            \
    V("hidden_block_count_y", HIDDEN_BLOCK_COUNT_Y)                            \
    V("hidden_block_count_z", HIDDEN_BLOCK_COUNT_Z)                            \
    V("hidden_group_size_x", HIDDEN_GROUP_SIZE_X)                              \
    V("hidden_group_size_y", HIDDEN_GROUP_SIZE_Y)                              \
    V("hidden_group_size_z", HIDDEN_GROUP_SIZE_Z)                              \
    V("hidden_remainder_x", HIDDEN_REMAINDER_X)                                \
    V("hidden_remainder_y", HIDDEN_REMAINDER_Y)                                \
    V("hidden_remainder_z", HIDDEN_REMAINDER_Z)                                \
    V("hidden_grid_dims", HIDDEN_GRID_DIMS)                                    \
    V("hidden_printf_buffer", HIDDEN_PRINTF_BUFFER)                            \
    V("hidden_hostcall_buffer", HIDDEN_HOSTCALL_BUFFER)                        \
    V("hidden_multigrid_sync_arg", HIDDEN_MULTIGRID_SYNC_ARG)                  \
    V("hidden_heap_v1", HIDDEN_HEAP_V1)                                        \
    V("hidden_default_queue", HIDDEN_DEFAULT_QUEUE)                            \
    V("hidden_completion_action", HIDDEN_COMPLETION_ACTION)                    \
    V("hidden_dynamic_lds_size", HIDDEN_DYNAMIC_LDS_SIZE)                      \
    V("hidden_private_base", HIDDEN_PRIVATE_BASE)                              \
    V("hidden_shared_base", HIDDEN_SHARED_BASE)                                \
    V("hidden_queue_ptr", HIDDEN_QUEUE_PTR)

#define CODE_VALUE_ENUM(text, name) CODE_##name,
typedef enum CodeValueKind {
    CODE_VALUE_KINDS(CODE_VALUE_ENUM)
    CODE_VALUE_KIND_COUNT
} CodeValueKind;

/* The metadata's name of a kind, "?" if it is out of range. */
const char *code_value_kind_name(CodeValueKind kind);

static inline bool code_value_is_hidden(CodeValueKind kind)
{
    return kind >= CODE_HIDDEN_NONE;
}

/* An argument; [offset, offset + size) lies inside the kernarg segment. */
typedef struct CodeArg {
    char *name;      /* as in the source, "" if it was not recorded */
    char *type_name; /* likewise */
    CodeValueKind kind;
    uint32_t offset, size;   /* bytes */
    uint32_t pointee_align;  /* of a dynamic_shared_pointer; 1 or more */
} CodeArg;

typedef struct CodeKernel {
    char *name;
    char *symbol;          /* of its descriptor, "<name>.kd" */
    uint64_t descriptor;   /* offset in the image, 64-byte aligned */
    uint64_t entry;        /* offset in the image of the first instruction */
    uint32_t kernarg_size, kernarg_align;
    uint32_t lds_size;     /* static, bytes a work-group */
    uint32_t private_size; /* static, bytes a work-item */
    uint32_t wave_size;
    uint32_t max_group;    /* work-items a work-group may have, 0: unknown */
    uint32_t reqd_group[3]; /* required work-group size; 0: none required */
    uint32_t vgprs, sgprs;
    bool dynamic_stack;    /* private_size is only a lower bound */
    bool uniform_groups;   /* the grid must be a multiple of the group */
    CodeArg *args;
    unsigned n_args;
} CodeKernel;

/* A symbol of the file, for disassembly and for naming an address. */
typedef struct CodeSymbol {
    const char *name; /* owned by the code object */
    uint64_t value;   /* virtual address in the file */
    uint64_t size;
    unsigned section; /* ELF section index */
    uint8_t type, binding;
} CodeSymbol;

/* A section that holds instructions. */
typedef struct CodeSection {
    const char *name;
    const uint8_t *bytes;
    uint64_t address, size;
    unsigned index;
} CodeSection;

typedef struct CodeObject CodeObject;

/*
 * Load the code object in @path.  @isa ("gfx900") chooses from an offload
 * bundle; NULL takes the first whose instruction set Tessera knows.  NULL and
 * @error, one sentence that begins with the path, if the file is not a code
 * object that can be used.
 */
CodeObject *codeobj_load(const char *path, const char *isa, GError **error);

/* The same from memory; @name stands for the path in messages. */
CodeObject *codeobj_load_bytes(const char *name, GBytes *bytes,
                               const char *isa, GError **error);

/*
 * Read symbols and sections only: enough to disassemble, and all there is in
 * a relocatable file.  No image, no kernels.
 */
CodeObject *codeobj_parse(const char *name, GBytes *bytes, const char *isa,
                          GError **error);

/* Is this the beginning of a code object or of an offload bundle? */
bool codeobj_is_elf_or_bundle(const uint8_t *bytes, size_t size);

void codeobj_free(CodeObject *co);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CodeObject, codeobj_free)

const char *codeobj_path(const CodeObject *co);
const char *codeobj_isa(const CodeObject *co); /* "gfx900" */
unsigned codeobj_version(const CodeObject *co); /* 4, 5 or 6 */
bool codeobj_is_relocatable(const CodeObject *co); /* a linker's input */

/* Bytes that the image needs in memory, and its alignment (4 KiB). */
uint64_t codeobj_image_size(const CodeObject *co);
#define CODEOBJ_IMAGE_ALIGN 4096u

/*
 * Write the image to @dst (codeobj_image_size() bytes) for use at address
 * @base: segments laid out, relocations applied.
 */
bool codeobj_place(const CodeObject *co, uint64_t base, uint8_t *dst,
                   GError **error);

unsigned codeobj_n_kernels(const CodeObject *co);
const CodeKernel *codeobj_kernel(const CodeObject *co, unsigned index);
/* By name, with or without ".kd"; NULL if there is none. */
const CodeKernel *codeobj_find_kernel(const CodeObject *co, const char *name);

/* Sorted by address. */
const CodeSymbol *codeobj_symbols(const CodeObject *co, unsigned *n);
const CodeSection *codeobj_code_sections(const CodeObject *co, unsigned *n);

/*
 * The function symbol that holds image offset @offset, or NULL; *@delta is
 * the distance from its start.
 */
const CodeSymbol *codeobj_symbol_at(const CodeObject *co, uint64_t offset,
                                    uint64_t *delta);

#define CODEOBJ_ERROR codeobj_error_quark()
GQuark codeobj_error_quark(void);

#endif
