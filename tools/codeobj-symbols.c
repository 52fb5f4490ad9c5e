/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols, code sections and relocations of a code object. */
#include <inttypes.h>
#include <string.h>
#include "tools/codeobj-int.h"

#define CODEOBJ_SYMBOLS_MAX (1u << 22)

/* ---- symbols and sections ---- */

static bool codeobj_truncated(const CodeObject *co, GError **error)
{
    return codeobj_fail(co, error, "truncated or damaged section: %s",
                        elf_errmsg(-1));
}

static bool codeobj_add_section(CodeObject *co, Elf_Scn *scn,
                                const GElf_Shdr *sh, size_t names,
                                GError **error)
{
    CodeSection section = {
        .name = elf_strptr(co->elf, names, sh->sh_name),
        .address = sh->sh_addr,
        .size = sh->sh_size,
        .index = elf_ndxscn(scn),
    };

    if (!section.name ||
        !codeobj_inside(sh->sh_offset, sh->sh_size, co->file_size)) {
        return codeobj_truncated(co, error);
    }
    section.bytes = co->file + sh->sh_offset;
    g_array_append_val(co->sections, section);
    return true;
}

static bool codeobj_add_symbols(CodeObject *co, Elf_Scn *scn,
                                const GElf_Shdr *sh, GError **error)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t count = data ? data->d_size / sizeof(Elf64_Sym) : 0;

    if (!data || count > CODEOBJ_SYMBOLS_MAX) {
        return codeobj_truncated(co, error);
    }
    for (size_t i = 1; i < count; i++) {
        CodeSymbol symbol;
        GElf_Sym sym;

        if (!gelf_getsym(data, i, &sym)) {
            return codeobj_truncated(co, error);
        }
        symbol = (CodeSymbol) {
            .name = elf_strptr(co->elf, sh->sh_link, sym.st_name),
            .value = sym.st_value,
            .size = sym.st_size,
            .section = sym.st_shndx,
            .type = GELF_ST_TYPE(sym.st_info),
            .binding = GELF_ST_BIND(sym.st_info),
        };
        if (symbol.name && *symbol.name && sym.st_shndx != SHN_UNDEF &&
            symbol.type != STT_SECTION && symbol.type != STT_FILE) {
            g_array_append_val(co->symbols, symbol);
        }
    }
    return true;
}

static int codeobj_compare_symbols(const void *a, const void *b)
{
    const CodeSymbol *x = a, *y = b;

    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* The symbol table that is there: .symtab, in a stripped file .dynsym. */
static Elf_Scn *codeobj_symbol_table(const CodeObject *co, GElf_Shdr *sh)
{
    Elf_Scn *scn = NULL, *dynamic = NULL;
    GElf_Shdr dynamic_sh;

    while ((scn = elf_nextscn(co->elf, scn)) && gelf_getshdr(scn, sh)) {
        if (sh->sh_type == SHT_SYMTAB) {
            return scn;
        }
        if (sh->sh_type == SHT_DYNSYM) {
            dynamic = scn;
            dynamic_sh = *sh;
        }
    }
    if (dynamic) {
        *sh = dynamic_sh;
    }
    return dynamic;
}

bool codeobj_read_symbols(CodeObject *co, GError **error)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr sh;
    size_t names;

    if (elf_getshdrstrndx(co->elf, &names) != 0) {
        return codeobj_truncated(co, error);
    }
    while ((scn = elf_nextscn(co->elf, scn))) {
        if (!gelf_getshdr(scn, &sh)) {
            return codeobj_truncated(co, error);
        }
        if (sh.sh_type == SHT_PROGBITS && (sh.sh_flags & SHF_EXECINSTR) &&
            sh.sh_size > 0 &&
            !codeobj_add_section(co, scn, &sh, names, error)) {
            return false;
        }
    }
    scn = codeobj_symbol_table(co, &sh);
    if (scn && !codeobj_add_symbols(co, scn, &sh, error)) {
        return false;
    }
    g_array_sort(co->symbols, codeobj_compare_symbols);
    return true;
}

const CodeSymbol *codeobj_symbols(const CodeObject *co, unsigned *n)
{
    *n = co->symbols->len;
    return (const CodeSymbol *)co->symbols->data;
}

const CodeSection *codeobj_code_sections(const CodeObject *co, unsigned *n)
{
    *n = co->sections->len;
    return (const CodeSection *)co->sections->data;
}

const CodeSymbol *codeobj_symbol_at(const CodeObject *co, uint64_t offset,
                                    uint64_t *delta)
{
    const CodeSymbol *best = NULL;
    uint64_t address = co->base + offset;

    for (unsigned i = 0; i < co->symbols->len; i++) {
        CodeSymbol *sym = &g_array_index(co->symbols, CodeSymbol, i);

        if (sym->value > address) {
            break;
        }
        if (sym->type == STT_FUNC && address - sym->value < sym->size) {
            best = sym;
        }
    }
    if (best) {
        *delta = address - best->value;
    }
    return best;
}

/* ---- relocations ---- */

/* R_AMDGPU_*: which value is stored, and how ("Relocation Records"). */
typedef struct CodeRelocKind {
    uint8_t type;
    uint8_t size;       /* bytes stored */
    uint8_t shift;      /* the value is shifted right first */
    bool symbol;        /* S + A, else B + A */
    bool relative;      /* minus P */
} CodeRelocKind;

static const CodeRelocKind codeobj_relocs[] = {
    { 1, 4, 0, true, false },   /* ABS32_LO */
    { 2, 4, 32, true, false },  /* ABS32_HI */
    { 3, 8, 0, true, false },   /* ABS64 */
    { 4, 4, 0, true, true },    /* REL32 */
    { 5, 8, 0, true, true },    /* REL64 */
    { 6, 4, 0, true, false },   /* ABS32 */
    { 10, 4, 0, true, true },   /* REL32_LO */
    { 11, 4, 32, true, true },  /* REL32_HI */
    { 13, 8, 0, false, false }, /* RELATIVE64 */
};

static const CodeRelocKind *codeobj_reloc_kind(unsigned type)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(codeobj_relocs); i++) {
        if (codeobj_relocs[i].type == type) {
            return &codeobj_relocs[i];
        }
    }
    return NULL;
}

typedef struct CodeRelocTable {
    Elf_Data *symbols;
    uint64_t strings; /* section index */
    uint64_t bias;    /* added to a virtual address of the file */
} CodeRelocTable;

static bool codeobj_reloc_symbol(const CodeObject *co,
                                 const CodeRelocTable *table, uint64_t index,
                                 uint64_t *value, GError **error)
{
    const char *name;
    GElf_Sym sym;

    if (!table->symbols || index > G_MAXINT ||
        !gelf_getsym(table->symbols, index, &sym)) {
        return codeobj_fail(co, error, "damaged: a relocation names symbol "
                            "%" PRIu64 ", which is not there", index);
    }
    if (sym.st_shndx != SHN_UNDEF) {
        *value = sym.st_value + (sym.st_shndx == SHN_ABS ? 0 : table->bias);
        return true;
    }
    *value = 0;
    if (GELF_ST_BIND(sym.st_info) == STB_WEAK) {
        return true;
    }
    name = elf_strptr(co->elf, table->strings, sym.st_name);
    return codeobj_fail(co, error, "needs symbol %s, which it does not define",
                        name ? name : "(unnamed)");
}

static bool codeobj_apply(const CodeObject *co, const CodeRelocTable *table,
                          const GElf_Rela *rela, uint8_t *image,
                          GError **error)
{
    unsigned type = GELF_R_TYPE(rela->r_info);
    const CodeRelocKind *kind = codeobj_reloc_kind(type);
    uint64_t at = rela->r_offset - co->base;
    uint64_t value = table->bias;

    if (!kind) {
        return type == 0 ? true :
               codeobj_fail(co, error, "relocation type %u is not supported",
                            type);
    }
    if (rela->r_offset < co->base ||
        !codeobj_inside(at, kind->size, co->image_size)) {
        return codeobj_fail(co, error, "damaged: a relocation at 0x%" PRIx64
                            " is outside the image", rela->r_offset);
    }
    if (kind->symbol &&
        !codeobj_reloc_symbol(co, table, GELF_R_SYM(rela->r_info), &value,
                              error)) {
        return false;
    }
    value += rela->r_addend;
    if (kind->relative) {
        value -= rela->r_offset + table->bias;
    }
    value >>= kind->shift;
    memcpy(image + at, &value, kind->size);
    return true;
}

static bool codeobj_apply_section(const CodeObject *co, Elf_Scn *scn,
                                  const GElf_Shdr *sh, uint64_t bias,
                                  uint8_t *image, GError **error)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    Elf_Scn *symbols = elf_getscn(co->elf, sh->sh_link);
    CodeRelocTable table = { .bias = bias };
    GElf_Shdr symbols_sh;

    if (!data) {
        return codeobj_truncated(co, error);
    }
    if (sh->sh_link && symbols && gelf_getshdr(symbols, &symbols_sh)) {
        table.symbols = elf_getdata(symbols, NULL);
        table.strings = symbols_sh.sh_link;
    }
    for (size_t i = 0; i < data->d_size / sizeof(Elf64_Rela); i++) {
        GElf_Rela rela;

        if (!gelf_getrela(data, i, &rela)) {
            return codeobj_truncated(co, error);
        }
        if (!codeobj_apply(co, &table, &rela, image, error)) {
            return false;
        }
    }
    return true;
}

bool codeobj_relocate(const CodeObject *co, uint64_t base, uint8_t *image,
                      GError **error)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr sh;

    while ((scn = elf_nextscn(co->elf, scn))) {
        if (!gelf_getshdr(scn, &sh)) {
            return codeobj_truncated(co, error);
        }
        if (sh.sh_type == SHT_RELA && (sh.sh_flags & SHF_ALLOC) &&
            !codeobj_apply_section(co, scn, &sh, base - co->base, image,
                                   error)) {
            return false;
        }
    }
    return true;
}
