/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the code object loader share. */
#ifndef TOOLS_CODEOBJ_INT_H
#define TOOLS_CODEOBJ_INT_H

#include <gelf.h>
#include <libelf.h>
#include "tools/codeobj.h"

typedef struct CodeSegment {
    uint64_t offset, file_size; /* in the file */
    uint64_t address, size;     /* in the image */
    bool exec;
} CodeSegment;

struct CodeObject {
    char *path;
    uint8_t *file; /* the ELF file, whole */
    size_t file_size;
    Elf *elf;
    const char *isa;
    unsigned version;
    bool relocatable;
    uint64_t base;   /* virtual address of the image's first byte */
    uint64_t image_size;
    GArray *segments; /* CodeSegment */
    GArray *kernels;  /* CodeKernel */
    GArray *symbols;  /* CodeSymbol, by address */
    GArray *sections; /* CodeSection, by address */
};

/* Set @error to "<path>: <text>"; returns false. */
bool codeobj_fail(const CodeObject *co, GError **error, const char *format,
                  ...) G_GNUC_PRINTF(3, 4);

/* Is [@offset, @offset + @size) inside something @limit bytes long? */
static inline bool codeobj_inside(uint64_t offset, uint64_t size,
                                  uint64_t limit)
{
    return offset <= limit && size <= limit - offset;
}

/*
 * Parse the metadata (@size bytes at @bytes) into co->kernels.  Descriptor
 * addresses are left to the caller.
 */
bool codeobj_parse_metadata(CodeObject *co, const uint8_t *bytes, size_t size,
                            GError **error);

void codeobj_kernel_clear(CodeKernel *kernel);

/* Collect symbols and code sections. */
bool codeobj_read_symbols(CodeObject *co, GError **error);

/* codeobj_place()'s second half: relocations over the laid-out image. */
bool codeobj_relocate(const CodeObject *co, uint64_t base, uint8_t *image,
                      GError **error);

#endif
