/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera dis`: disassembly as llvm-objdump -d prints it. */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tessera/isa.h"
#include "tools/codeobj.h"
#include "tools/dis-linx.h"
#include "tools/files.h"
#include "tools/options.h"
#include "tools/tool.h"

#define DIS "dis"
#define DIS_WORDS 4 /* an instruction has at most that many dwords */

static const char dis_help[] =
    "usage: tessera dis [--mcpu ISA] FILE\n"
    "\n"
    "Disassembles a code object (or an object file, or the code object for\n"
    "ISA in an offload bundle), or a file of raw instruction bytes. The text\n"
    "is that of llvm-objdump -d. Raw bytes may also be LinxISA blocks (linx).\n"
    "\n"
    "  --mcpu ISA    the instruction set, e.g. gfx900; needed for raw bytes, a\n"
    "                code object says its own\n"
    "\n"
    "Examples\n"
    "\n"
    "  tessera dis vadd.co\n"
    "  tessera dis --mcpu gfx900 shader.bin\n";

/* A stretch of instructions from one symbol to the next. */
typedef struct DisRange {
    const TesseraIsa *isa;
    const CodeObject *co;       /* NULL for raw bytes */
    const CodeSection *section; /* likewise */
    GPtrArray *symbols;         /* the section's, sorted */
    const uint8_t *bytes;
    uint64_t address, size;
    uint64_t left; /* bytes to the end of the section: the last instruction
                      may reach beyond `size` */
} DisRange;

/* ---- labels ---- */

/* Order of llvm-objdump: address, type, name; the last of equals is shown. */
static int dis_compare_symbols(const void *a, const void *b)
{
    const CodeSymbol *x = *(const CodeSymbol *const *)a;
    const CodeSymbol *y = *(const CodeSymbol *const *)b;

    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }
    return x->type != y->type ? (int)x->type - y->type :
           strcmp(x->name, y->name);
}

static GPtrArray *dis_section_symbols(const CodeObject *co,
                                      const CodeSection *section)
{
    GPtrArray *list = g_ptr_array_new();
    unsigned count;
    const CodeSymbol *symbols = codeobj_symbols(co, &count);

    for (unsigned i = 0; i < count; i++) {
        if (symbols[i].section == section->index &&
            symbols[i].value >= section->address &&
            symbols[i].value - section->address < section->size) {
            g_ptr_array_add(list, (gpointer)&symbols[i]);
        }
    }
    g_ptr_array_sort(list, dis_compare_symbols);
    return list;
}

/* How many of @symbols, sorted, lie below @address. */
static unsigned dis_symbols_below(GPtrArray *symbols, uint64_t address)
{
    unsigned low = 0, high = symbols->len;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        const CodeSymbol *symbol = g_ptr_array_index(symbols, middle);

        if (symbol->value < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The last of @symbols at or below @address, NULL if there is none. */
static const CodeSymbol *dis_last_symbol(GPtrArray *symbols, uint64_t address)
{
    unsigned below = dis_symbols_below(symbols, address + 1);

    return below ? g_ptr_array_index(symbols, below - 1) : NULL;
}

/* The code section that an address is looked up in. */
static const CodeSection *dis_target_section(const DisRange *range,
                                             uint64_t target)
{
    const CodeSection *best = NULL;
    unsigned count;
    const CodeSection *sections = codeobj_code_sections(range->co, &count);

    for (unsigned i = 0; i < count; i++) {
        if (sections[i].address <= target &&
            (!best || sections[i].address > best->address)) {
            best = &sections[i];
        }
    }
    return codeobj_is_relocatable(range->co) ? range->section : best;
}

/* " <label+0x8>" for a branch target; "" if nothing is known of it. */
static char *dis_label(const DisRange *range, uint64_t target)
{
    g_autoptr(GPtrArray) symbols = NULL;
    const CodeSection *section;
    const CodeSymbol *symbol;

    section = range->co ? dis_target_section(range, target) : NULL;
    if (!section) {
        return g_strdup("");
    }
    symbols = section == range->section ?
              g_ptr_array_ref(range->symbols) :
              dis_section_symbols(range->co, section);
    symbol = dis_last_symbol(symbols, target);
    if (!symbol) {
        return g_strdup("");
    }
    if (symbol->value == target) {
        return g_strdup_printf(" <%s>", symbol->name);
    }
    return g_strdup_printf(" <%s+0x%" PRIx64 ">", symbol->name,
                           target - symbol->value);
}

/*
 * The target of a branch, taken from its text, since encodings are the
 * instruction set's business: "s_branch 5", "s_cbranch_scc0 65523" have one
 * operand, a signed 16-bit distance in dwords from the next instruction.
 */
static bool dis_branch_target(const char *text, uint64_t next,
                              uint64_t *target)
{
    const char *operand = strchr(text, ' ');
    uint64_t value;

    if (!operand || (!g_str_has_prefix(text, "s_branch ") &&
                     !g_str_has_prefix(text, "s_cbranch_"))) {
        return false;
    }
    if (!tool_read_u64(operand + 1, &value) || value > UINT16_MAX) {
        return false;
    }
    *target = next + (int64_t)(int16_t)value * 4;
    return true;
}

/*
 * The untyped symbol at a branch target: a label in assembly.  It is printed
 * instead of the number.
 */
static const char *dis_local_label(const DisRange *range, uint64_t target)
{
    const CodeSymbol *symbol;
    unsigned at;

    if (!range->co) {
        return NULL;
    }
    at = dis_symbols_below(range->symbols, target);
    if (at == range->symbols->len) {
        return NULL;
    }
    symbol = g_ptr_array_index(range->symbols, at);
    /* untyped symbols sort first at an address */
    return symbol->value == target && symbol->type == STT_NOTYPE ?
           symbol->name : NULL;
}

/* ---- lines ---- */

/* Zeros that are not worth printing, as llvm-objdump counts them. */
static uint64_t dis_skippable_zeros(const uint8_t *bytes, uint64_t size)
{
    uint64_t n = 0;

    while (n < size && bytes[n] == 0) {
        n++;
    }
    return n < 8 ? 0 : n & ~3ull;
}

/* A tail of fewer than 4 bytes. */
static void dis_print_tail(const uint8_t *bytes, unsigned size,
                           uint64_t address)
{
    g_autoptr(GString) text = g_string_new("\t.byte ");

    for (unsigned i = 0; i < size; i++) {
        g_string_append_printf(text, "%s0x%02x", i ? ", " : "", bytes[i]);
    }
    printf("%-*s// %012" PRIX64 ":", (int)text->len + 55 - 6 * (int)size,
           text->str, address);
    for (unsigned i = 0; i < size; i++) {
        printf(" %02X", bytes[i]);
    }
    putchar('\n');
}

/*
 * Resolve the branch in @text: its operand becomes a label, or *@label is what
 * to print behind the line.
 */
static void dis_resolve_branch(const DisRange *range, uint64_t next,
                               char *text, size_t size, char **label)
{
    const char *name;
    uint64_t target;

    if (!dis_branch_target(text, next, &target)) {
        return;
    }
    name = dis_local_label(range, target);
    if (name) {
        char *operand = strchr(text, ' ') + 1;

        g_strlcpy(operand, name, size - (operand - text));
    } else {
        *label = dis_label(range, target);
    }
}

static unsigned dis_print_instruction(const DisRange *range, uint64_t at)
{
    uint64_t address = range->address + at;
    uint64_t left = range->left - at;
    unsigned count = MIN(left / 4, DIS_WORDS), size;
    g_autofree char *label = NULL;
    uint32_t words[DIS_WORDS];
    char text[256];

    if (count == 0) {
        dis_print_tail(range->bytes + at, left, address);
        return left;
    }
    memcpy(words, range->bytes + at, count * 4);
    size = range->isa->disassemble(words, count, range->isa->lanes, address,
                                   text, sizeof(text));
    if (size == 0) {
        g_snprintf(text, sizeof(text), ".long 0x%08x", words[0]);
        size = 4;
    } else {
        dis_resolve_branch(range, address + size, text, sizeof(text), &label);
    }
    printf("\t%-59s// %012" PRIX64 ":", text, address);
    for (unsigned i = 0; i < size / 4; i++) {
        printf(" %08X", words[i]);
    }
    puts(label ? label : "");
    return size;
}

static void dis_print_range(const DisRange *range)
{
    uint64_t at = 0;

    while (at < range->size) {
        uint64_t zeros = dis_skippable_zeros(range->bytes + at,
                                             range->size - at);

        if (zeros) {
            puts("\t\t...");
            at += zeros;
        } else {
            at += dis_print_instruction(range, at);
        }
    }
}

/* ---- files ---- */

static void dis_print_symbol(const DisRange *section, const char *name,
                             uint64_t start, uint64_t end)
{
    DisRange range = *section;

    range.bytes += start - section->address;
    range.address = start;
    range.size = end - start;
    range.left = section->size - (start - section->address);
    printf("\n%016" PRIx64 " <%s>:\n", start, name);
    dis_print_range(&range);
}

static void dis_print_section(const CodeObject *co, const TesseraIsa *isa,
                              const CodeSection *section)
{
    g_autoptr(GPtrArray) symbols = dis_section_symbols(co, section);
    uint64_t end = section->address + section->size;
    DisRange range = {
        .isa = isa,
        .co = co,
        .section = section,
        .symbols = symbols,
        .bytes = section->bytes,
        .address = section->address,
        .size = section->size,
    };
    const CodeSymbol *first = symbols->len ? g_ptr_array_index(symbols, 0) :
                              NULL;

    printf("\nDisassembly of section %s:\n", section->name);
    if (!first || first->value != section->address) {
        dis_print_symbol(&range, section->name, section->address,
                         first ? first->value : end);
    }
    for (unsigned i = 0; i < symbols->len; i++) {
        const CodeSymbol *symbol = g_ptr_array_index(symbols, i);
        const CodeSymbol *next = i + 1 < symbols->len ?
                                 g_ptr_array_index(symbols, i + 1) : NULL;

        if (!next || next->value != symbol->value) {
            dis_print_symbol(&range, symbol->name, symbol->value,
                             next ? next->value : end);
        }
    }
}

/* @more: what else may be named where @name was. */
static const TesseraIsa *dis_find_isa(const char *name, const char *more,
                                      GError **error)
{
    const TesseraIsa *isa = tessera_isa_find(name);
    g_autoptr(GString) list = g_string_new("");

    for (unsigned i = 0; !isa && tessera_isas[i]; i++) {
        g_string_append_printf(list, " %s", tessera_isas[i]->name);
    }
    if (!isa) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "instruction set %s is not "
                    "known (there are:%s%s)", name, list->str, more);
    }
    return isa;
}

static bool dis_code_object(const char *path, GBytes *bytes, const char *mcpu,
                            GError **error)
{
    g_autoptr(CodeObject) co = codeobj_parse(path, bytes, mcpu, error);
    g_autoptr(GError) why = NULL;
    const TesseraIsa *isa;
    const CodeSection *sections;
    unsigned count;

    if (!co) {
        return false;
    }
    isa = dis_find_isa(mcpu ? mcpu : codeobj_isa(co), "", &why);
    if (!isa) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: %s", path, why->message);
        return false;
    }
    printf("\n%s:\tfile format elf64-amdgpu\n", path);
    sections = codeobj_code_sections(co, &count);
    for (unsigned i = 0; i < count; i++) {
        dis_print_section(co, isa, &sections[i]);
    }
    return true;
}

static bool dis_raw(const char *path, GBytes *bytes, const char *mcpu,
                    GError **error)
{
    DisRange range = { 0 };
    size_t size;

    if (!mcpu) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: not a code object; if it "
                    "holds raw instructions, give --mcpu", path);
        return false;
    }
    if (!strcmp(mcpu, DIS_LINX)) {
        dis_linx(g_bytes_get_data(bytes, &size), g_bytes_get_size(bytes));
        return true;
    }
    range.isa = dis_find_isa(mcpu, " " DIS_LINX, error);
    if (!range.isa) {
        return false;
    }
    range.bytes = g_bytes_get_data(bytes, &size);
    range.size = range.left = size;
    dis_print_range(&range);
    return true;
}

static bool dis_file(const char *path, const char *mcpu, GError **error)
{
    g_autoptr(GBytes) bytes = tool_read_file(path, CODEOBJ_FILE_MAX, error);
    const uint8_t *data;
    size_t size;

    if (!bytes) {
        return false;
    }
    data = g_bytes_get_data(bytes, &size);
    return codeobj_is_elf_or_bundle(data, size) ?
           dis_code_object(path, bytes, mcpu, error) :
           dis_raw(path, bytes, mcpu, error);
}

static int dis_main(int argc, char **argv)
{
    const char *mcpu = NULL;
    const ToolOption options[] = {
        { "--mcpu", "an instruction set, e.g. gfx900", tool_option_text,
          &mcpu },
        { NULL },
    };
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autoptr(GError) error = NULL;

    if (!tool_parse_options(argc, argv, options, words, &error)) {
        return tool_fail(DIS, "%s", error->message);
    }
    if (words->len != 1) {
        return tool_fail(DIS, "give one file, not %u; see tessera dis --help",
                         words->len);
    }
    if (!dis_file(g_ptr_array_index(words, 0), mcpu, &error)) {
        return tool_fail(DIS, "%s", error->message);
    }
    return TOOL_OK;
}

const ToolCommand tool_command_dis = {
    .name = DIS,
    .summary = "disassemble a code object or raw bytes",
    .help = dis_help,
    .run = dis_main,
};
