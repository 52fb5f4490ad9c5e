/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes docs/registers.md from the tables of regs.h and abi.h.
 *
 *   gen-regs               print it
 *   gen-regs --write FILE  write it
 *   gen-regs --check FILE  exit with 1 unless FILE is what would be printed
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/abi.h"
#include "tessera/pagetable.h"
#include "tessera/regs.h"

enum { RO, RW, WO, W1C };

typedef struct Reg {
    const char *name;
    uint32_t offset;
    unsigned size, count, stride, access;
    uint64_t reset;
    const char *doc;
} Reg;

typedef struct Field {
    const char *reg, *name;
    unsigned shift, bits;
    const char *doc;
} Field;

/* A row of one of the smaller tables. */
typedef struct Value {
    const char *name;
    uint64_t value;
    const char *doc;
} Value;

#define NOTHING(...)
#define REG_ROW(...) { REG_ROW_(__VA_ARGS__) },
#define REG_ROW_(n, off, size, count, stride, acc, reset, doc)                 \
    #n, off, size, count, stride, acc, reset, doc
static const Reg regs[] = { TESSERA_REGISTERS(REG_ROW, NOTHING) };

#define FIELD_ROW(r, n, shift, bits, doc) { #r, #n, shift, bits, doc },
static const Field fields[] = { TESSERA_REGISTERS(NOTHING, FIELD_ROW) };

#define VALUE_ROW(n, v, doc) { #n, v, doc },
static const Value sources[] = { TESSERA_IH_SOURCES(VALUE_ROW) };
static const Value injections[] = { TESSERA_INJECTIONS(VALUE_ROW) };
static const Value faults[] = { TESSERA_FAULTS(VALUE_ROW) };
static const Value results[] = { TESSERA_RESULTS(VALUE_ROW) };
static const Value errors[] = { TESSERA_QUEUE_ERRORS(VALUE_ROW) };

static const Value formats[] = { TESSERA_SCANOUT_FORMATS(VALUE_ROW) };
static const Value refusals[] = { TESSERA_SCANOUT_ERRORS(VALUE_ROW) };

typedef struct PtField {
    const char *name;
    unsigned bit, count;
    int in_tables, in_leaves;
    const char *doc;
} PtField;

#define PT_ROW(n, bit, count, table, leaf, doc)                                \
    { #n, bit, count, table, leaf, doc },
static const PtField pt_fields[] = { TESSERA_PT_FIELDS(PT_ROW) };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *access_name(unsigned access)
{
    static const char *const names[] = { "RO", "RW", "WO", "W1C" };

    return names[access];
}

/* Those whose value at power-on the configuration, or the time, decides. */
static int depends(const Reg *reg)
{
    static const char *const names[] = {
        "FEATURES", "ISA", "CU_COUNT", "WAVE_SIZE", "VRAM_SIZE", "CLOCK",
    };

    for (size_t i = 0; i < COUNT(names); i++) {
        if (!strcmp(reg->name, names[i])) {
            return 1;
        }
    }
    return 0;
}

static void print_reset(FILE *out, const Reg *reg)
{
    if (depends(reg)) {
        fprintf(out, "varies");
    } else if (reg->reset) {
        fprintf(out, "0x%" PRIx64, reg->reset);
    } else {
        fprintf(out, "0");
    }
}

static void print_reg(FILE *out, const Reg *reg)
{
    if (reg->count > 1) {
        fprintf(out, "| `%s[n]` | 0x%04x + n * 0x%x, n < %u ", reg->name,
                reg->offset, reg->stride, reg->count);
    } else {
        fprintf(out, "| `%s` | 0x%04x ", reg->name, reg->offset);
    }
    fprintf(out, "| %u | %s | ", reg->size, access_name(reg->access));
    print_reset(out, reg);
    fprintf(out, " | %s |\n", reg->doc);
}

static void print_regs(FILE *out)
{
    fprintf(out, "## Registers\n\n"
            "| register | offset in BAR 0 | bytes | access | reset "
            "| meaning |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(regs); i++) {
        print_reg(out, &regs[i]);
    }
}

static void print_bits(FILE *out, unsigned shift, unsigned bits)
{
    if (bits > 1) {
        fprintf(out, "%u:%u", shift + bits - 1, shift);
    } else {
        fprintf(out, "%u", shift);
    }
}

static void print_fields(FILE *out)
{
    fprintf(out, "\n## Fields\n\n"
            "| register | field | bits | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(fields); i++) {
        const Field *field = &fields[i];

        fprintf(out, "| `%s` | `%s` | ", field->reg, field->name);
        print_bits(out, field->shift, field->bits);
        fprintf(out, " | %s |\n", field->doc);
    }
}

static void print_pt_fields(FILE *out)
{
    static const char *const where[] = { "no", "yes", "of 2 MiB" };

    fprintf(out, "\n## Page table entries\n\n"
            "| name | bits | in tables | in leaves | meaning |\n"
            "|---|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(pt_fields); i++) {
        const PtField *f = &pt_fields[i];

        fprintf(out, "| `TESSERA_PT_%s` | ", f->name);
        print_bits(out, f->bit, f->count);
        fprintf(out, " | %s | %s | %s |\n", where[f->in_tables],
                where[f->in_leaves], f->doc);
    }
}

static void print_values(FILE *out, const char *title, const char *prefix,
                         const char *format, const Value *values,
                         size_t count)
{
    fprintf(out, "\n## %s\n\n| name | value | meaning |\n|---|---|---|\n",
            title);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "| `%s%s` | ", prefix, values[i].name);
        fprintf(out, format, values[i].value);
        fprintf(out, " | %s |\n", values[i].doc);
    }
}

static void print_all(FILE *out)
{
    fprintf(out,
            "<!-- Made by tools/gen-regs.c from include/tessera: do not edit,"
            " run `meson compile -C build update-docs`. -->\n"
            "# Registers and numbers\n\n"
            "Access: RO reads only, RW reads and writes, WO writes only (reads"
            " 0), W1C: writing 1 to a bit clears it.\n"
            "In a register with fields, bits that no field names read 0 and "
            "ignore writes. 8-byte registers may also\n"
            "be accessed as two 4-byte halves, the low one first; where the "
            "value changes by itself, reading the low\n"
            "half keeps the high one for the next read. Everything that is no "
            "register reads 0 and ignores writes, but\n"
            "for the last page (0x%04x on), which is plain memory.\n\n",
            TESSERA_FLUSH_PAGE);
    print_regs(out);
    print_fields(out);
    print_pt_fields(out);
    print_values(out, "Sources of interrupt-ring entries", "TESSERA_IH_",
                 "%" PRIu64, sources, COUNT(sources));
    print_values(out, "Injections (with x-inject=on)", "TESSERA_INJECT_",
                 "%" PRIu64, injections, COUNT(injections));
    print_values(out, "Fault causes", "TESSERA_FAULT_", "%" PRIu64, faults,
                 COUNT(faults));
    print_values(out, "Results of commands", "TESSERA_RESULT_", "%" PRIu64,
                 results, COUNT(results));
    print_values(out, "Error bits of a queue", "TESSERA_QERR_",
                 "0x%08" PRIx64, errors, COUNT(errors));
    print_values(out, "Values of SCANOUT_FORMAT", "TESSERA_SCANOUT_",
                 "%" PRIu64, formats, COUNT(formats));
    print_values(out, "Values of SCANOUT_STATUS.REASON",
                 "TESSERA_SCANOUT_ERROR_", "%" PRIu64, refusals,
                 COUNT(refusals));
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t size = 0;
    char *text = calloc(1, 1 << 20);

    if (file) {
        size = fread(text, 1, (1 << 20) - 1, file);
        fclose(file);
    }
    text[size] = 0;
    return text;
}

static int check(const char *path)
{
    char *expected = NULL, *found = read_file(path);
    size_t size;
    FILE *out = open_memstream(&expected, &size);
    int same;

    print_all(out);
    fclose(out);
    same = !strcmp(expected, found);
    if (!same) {
        fprintf(stderr, "%s is not what include/tessera says: run "
                "'meson compile -C build update-docs'\n", path);
    }
    free(expected);
    free(found);
    return !same;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--check")) {
        return check(argv[2]);
    }
    if (argc == 3 && !strcmp(argv[1], "--write")) {
        FILE *out = fopen(argv[2], "w");

        if (!out) {
            perror(argv[2]);
            return 2;
        }
        print_all(out);
        return fclose(out) ? 2 : 0;
    }
    if (argc != 1) {
        fprintf(stderr, "usage: gen-regs [--check FILE | --write FILE]\n");
        return 2;
    }
    print_all(stdout);
    return 0;
}
