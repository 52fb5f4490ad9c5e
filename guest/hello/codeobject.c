/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Just enough of an ELF reader to load what the compiler makes.
 *
 * A code object is a shared library for the GPU.  Its segments keep the
 * distances between each other that they have in the file's address space,
 * so that nothing has to be relocated as long as the kernels use no global
 * variables.  The symbol "NAME.kd" is the descriptor of kernel NAME.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "hello.h"

typedef struct File {
    const char *path;
    _Alignas(8) uint8_t data[65536];
    size_t size;
} File;

/* The one check that every use of the file's contents goes through. */
static const void *part(const File *file, uint64_t offset, uint64_t size)
{
    if (offset > file->size || size > file->size - offset) {
        die("%s: points behind its own end", file->path);
    }
    return file->data + offset;
}

/* The same for the ELF tables, which are read in words of 8 bytes. */
static const void *table_at(const File *file, uint64_t offset, uint64_t size)
{
    if (offset % 8) {
        die("%s: has a misaligned table", file->path);
    }
    return part(file, offset, size);
}

static void read_file(File *file, const char *path)
{
    FILE *stream = fopen(path, "rb");
    const Elf64_Ehdr *elf;

    file->path = path;
    file->size = stream ? fread(file->data, 1, sizeof(file->data), stream) : 0;
    if (!stream || !feof(stream)) {
        die("%s: cannot be read, or is larger than 64 KiB", path);
    }
    fclose(stream);
    elf = part(file, 0, sizeof(*elf));
    if (memcmp(elf->e_ident, ELFMAG, SELFMAG) ||
        elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_machine != EM_AMDGPU) {
        die("%s: is no AMD GPU code object", path);
    }
}

static void copy_segments(const File *file, const Memory *image)
{
    const Elf64_Ehdr *elf = part(file, 0, sizeof(*elf));
    const Elf64_Phdr *segment =
        table_at(file, elf->e_phoff,
                 (uint64_t)elf->e_phnum * sizeof(*segment));

    for (unsigned i = 0; i < elf->e_phnum; i++, segment++) {
        if (segment->p_type != PT_LOAD) {
            continue;
        }
        if (segment->p_vaddr > image->size ||
            segment->p_filesz > image->size - segment->p_vaddr) {
            die("%s: needs more than %u bytes", file->path, image->size);
        }
        memcpy(image->cpu + segment->p_vaddr,
               part(file, segment->p_offset, segment->p_filesz),
               segment->p_filesz);
    }
}

/* Is the string at @offset @name?  It need not lie inside the file. */
static bool is_string(const File *file, uint64_t offset, const char *name)
{
    size_t size = strlen(name) + 1;

    return offset <= file->size && size <= file->size - offset &&
           !memcmp(file->data + offset, name, size);
}

/* The value of @name in symbol table @table, or -1. */
static uint64_t look_up(const File *file, const Elf64_Shdr *sections,
                        const Elf64_Shdr *table, const char *name)
{
    const Elf64_Sym *symbol =
        table_at(file, table->sh_offset, table->sh_size);
    uint64_t strings = sections[table->sh_link].sh_offset;

    for (uint64_t n = table->sh_size / sizeof(*symbol); n > 0; n--, symbol++) {
        if (strings <= file->size &&
            is_string(file, strings + symbol->st_name, name)) {
            return symbol->st_value;
        }
    }
    return -1;
}

static uint64_t find_symbol(const File *file, const char *name)
{
    const Elf64_Ehdr *elf = part(file, 0, sizeof(*elf));
    const Elf64_Shdr *sections =
        table_at(file, elf->e_shoff,
                 (uint64_t)elf->e_shnum * sizeof(*sections));
    uint64_t value = -1;

    for (unsigned i = 0; i < elf->e_shnum && value == -1ull; i++) {
        if (sections[i].sh_type == SHT_DYNSYM &&
            sections[i].sh_link < elf->e_shnum) {
            value = look_up(file, sections, &sections[i], name);
        }
    }
    return value;
}

uint64_t load_code_object(const char *path, const char *name,
                          const Memory *image)
{
    static File file;
    char symbol[64];
    uint64_t at;

    snprintf(symbol, sizeof(symbol), "%s.kd", name);
    read_file(&file, path);
    copy_segments(&file, image);
    at = find_symbol(&file, symbol);
    if (at % 64 || at > image->size - sizeof(AmdKernelDescriptor)) {
        die("%s: has no symbol %s, or in a strange place", path, symbol);
    }
    return at;
}
