/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code object loader: files that clang makes, and files that are damaged.
 *
 * Expected values come from the kernels' source, the ABI's layout rules (LLVM's
 * "User Guide for AMDGPU Backend") and the ELF file's own words, read here
 * without the loader.
 */
#include <elf.h>
#include <glib.h>
#include <string.h>
#include "tools/codeobj.h"

#define FUZZ_ROUNDS 4000
#define FUZZ_IMAGE_MAX (16u << 20)

static char *object_path(const char *name)
{
    return g_build_filename(g_getenv("TESSERA_TEST_OBJECTS"), name, NULL);
}

static CodeObject *load(const char *name)
{
    g_autofree char *path = object_path(name);
    g_autoptr(GError) error = NULL;
    CodeObject *co = codeobj_load(path, NULL, &error);

    g_assert_no_error(error);
    g_assert_nonnull(co);
    return co;
}

static GBytes *slurp(const char *name)
{
    g_autofree char *path = object_path(name);
    g_autoptr(GError) error = NULL;
    char *data;
    gsize size;

    g_file_get_contents(path, &data, &size, &error);
    g_assert_no_error(error);
    return g_bytes_new_take(data, size);
}

/* An error is one line and names the file. */
static void assert_clean_error(const GError *error, const char *name)
{
    g_assert_nonnull(error);
    g_assert_true(g_str_has_prefix(error->message, name));
    g_assert_null(strchr(error->message, '\n'));
    g_assert_true(g_utf8_validate(error->message, -1, NULL));
}

/* ---- what clang makes ---- */

static void test_header(void)
{
    static const char *const names[] = { "args.v4.co", "args.v5.co",
                                         "args.v6.co" };

    for (unsigned i = 0; i < 3; i++) {
        g_autoptr(CodeObject) co = load(names[i]);

        g_assert_cmpstr(codeobj_isa(co), ==, "gfx900");
        g_assert_cmpuint(codeobj_version(co), ==, 4 + i);
        g_assert_cmpuint(codeobj_n_kernels(co), ==, 3);
        g_assert_nonnull(codeobj_find_kernel(co, "scalars"));
        g_assert_nonnull(codeobj_find_kernel(co, "scalars.kd"));
        g_assert_null(codeobj_find_kernel(co, "scalar"));
        g_assert_false(codeobj_is_relocatable(co));
    }
}

/* Offsets by natural alignment, in the order of the source (args.cl). */
static void test_arguments(void)
{
    static const struct {
        unsigned offset, size;
        CodeValueKind kind;
        const char *type;
    } want[] = {
        { 0, 8, CODE_GLOBAL_BUFFER, "ulong*" },
        { 8, 1, CODE_BY_VALUE, "uchar" },
        { 10, 2, CODE_BY_VALUE, "ushort" },
        { 12, 4, CODE_BY_VALUE, "uint" },
        { 16, 8, CODE_BY_VALUE, "ulong" },
        { 24, 1, CODE_BY_VALUE, "char" },
        { 26, 2, CODE_BY_VALUE, "short" },
        { 28, 4, CODE_BY_VALUE, "int" },
        { 32, 8, CODE_BY_VALUE, "long" },
        { 40, 2, CODE_BY_VALUE, "half" },
        { 44, 4, CODE_BY_VALUE, "float" },
        { 48, 8, CODE_BY_VALUE, "double" },
        { 56, 12, CODE_BY_VALUE, "Triple" },
    };
    g_autoptr(CodeObject) co = load("args.v5.co");
    const CodeKernel *kernel = codeobj_find_kernel(co, "scalars");

    g_assert_cmpuint(kernel->n_args, >=, G_N_ELEMENTS(want));
    for (unsigned i = 0; i < G_N_ELEMENTS(want); i++) {
        g_assert_cmpuint(kernel->args[i].offset, ==, want[i].offset);
        g_assert_cmpuint(kernel->args[i].size, ==, want[i].size);
        g_assert_cmpint(kernel->args[i].kind, ==, want[i].kind);
        g_assert_cmpstr(kernel->args[i].type_name, ==, want[i].type);
    }
    for (unsigned i = G_N_ELEMENTS(want); i < kernel->n_args; i++) {
        g_assert_true(code_value_is_hidden(kernel->args[i].kind));
    }
}

static void test_local_arguments(void)
{
    g_autoptr(CodeObject) co = load("args.v5.co");
    const CodeKernel *kernel = codeobj_find_kernel(co, "locals");

    g_assert_cmpint(kernel->args[1].kind, ==, CODE_DYNAMIC_SHARED_POINTER);
    g_assert_cmpuint(kernel->args[1].size, ==, 4);
    g_assert_cmpuint(kernel->args[1].pointee_align, ==, 4);
    g_assert_cmpuint(kernel->args[3].pointee_align, ==, 8);
    g_assert_cmpuint(kernel->lds_size, ==, 16);
    g_assert_cmpuint(kernel->reqd_group[0], ==, 0);
}

/* V5: 256 bytes of implicit arguments; block counts first, sizes at 12. */
static void test_hidden_arguments(void)
{
    g_autoptr(CodeObject) co = load("args.v5.co");
    const CodeKernel *kernel = codeobj_find_kernel(co, "hidden");
    unsigned found = 0;

    g_assert_cmpuint(kernel->kernarg_size, ==, 8 + 256);
    g_assert_cmpuint(kernel->reqd_group[0], ==, 4);
    g_assert_cmpuint(kernel->reqd_group[1], ==, 2);
    g_assert_cmpuint(kernel->reqd_group[2], ==, 1);
    for (unsigned i = 0; i < kernel->n_args; i++) {
        const CodeArg *arg = &kernel->args[i];

        found += arg->kind == CODE_HIDDEN_BLOCK_COUNT_X && arg->offset == 8;
        found += arg->kind == CODE_HIDDEN_GROUP_SIZE_Y &&
                 arg->offset == 8 + 14;
        found += arg->kind == CODE_HIDDEN_GLOBAL_OFFSET_Z &&
                 arg->offset == 8 + 56;
        found += arg->kind == CODE_HIDDEN_GRID_DIMS && arg->offset == 8 + 64;
    }
    g_assert_cmpuint(found, ==, 4);
}

/* ---- the image ---- */

static uint64_t word64(const uint8_t *image, uint64_t at)
{
    uint64_t value;

    memcpy(&value, image + at, 8);
    return value;
}

/* The value of a symbol in .symtab, read without the loader. */
static uint64_t elf_symbol(const uint8_t *file, const char *name)
{
    const Elf64_Ehdr *eh = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sh = (const Elf64_Shdr *)(file + eh->e_shoff);

    for (unsigned i = 0; i < eh->e_shnum; i++) {
        const Elf64_Sym *sym = (const Elf64_Sym *)(file + sh[i].sh_offset);

        for (unsigned k = 0; sh[i].sh_type == SHT_SYMTAB &&
             k < sh[i].sh_size / sizeof(*sym); k++) {
            const char *strings =
                (const char *)file + sh[sh[i].sh_link].sh_offset;

            if (g_str_equal(strings + sym[k].st_name, name)) {
                return sym[k].st_value;
            }
        }
    }
    g_assert_not_reached();
}

/* relocs.cl: table = { first + 2, second, first } */
static void test_relocations(void)
{
    const uint64_t base = 0x400000123000;
    g_autoptr(GBytes) bytes = slurp("relocs.v5.co");
    const uint8_t *file = g_bytes_get_data(bytes, NULL);
    g_autoptr(CodeObject) co = load("relocs.v5.co");
    g_autofree uint8_t *image = g_malloc(codeobj_image_size(co));
    uint64_t table = elf_symbol(file, "table");
    static const uint32_t want[] = { 12, 20, 10 };

    g_assert_true(codeobj_place(co, base, image, NULL));
    for (unsigned i = 0; i < 3; i++) {
        uint64_t pointer = word64(image, table + 8 * i);

        g_assert_cmphex(pointer, >=, base);
        g_assert_cmphex(pointer, <, base + codeobj_image_size(co));
        g_assert_cmpuint((uint32_t)word64(image, pointer - base), ==,
                         want[i]);
    }
}

static void test_image_is_file(void)
{
    g_autoptr(GBytes) bytes = slurp("args.v5.co");
    const uint8_t *file = g_bytes_get_data(bytes, NULL);
    const Elf64_Ehdr *eh = (const Elf64_Ehdr *)file;
    const Elf64_Phdr *ph = (const Elf64_Phdr *)(file + eh->e_phoff);
    g_autoptr(CodeObject) co = load("args.v5.co");
    g_autofree uint8_t *image = g_malloc(codeobj_image_size(co));

    memset(image, 0xee, codeobj_image_size(co));
    g_assert_true(codeobj_place(co, 0x1000, image, NULL));
    for (unsigned i = 0; i < eh->e_phnum; i++) {
        if (ph[i].p_type == PT_LOAD) {
            g_assert_cmpmem(image + ph[i].p_vaddr, ph[i].p_filesz,
                            file + ph[i].p_offset, ph[i].p_filesz);
            for (uint64_t k = ph[i].p_filesz; k < ph[i].p_memsz; k++) {
                g_assert_cmphex(image[ph[i].p_vaddr + k], ==, 0);
            }
        }
    }
}

static void test_symbol_at(void)
{
    g_autoptr(GBytes) bytes = slurp("args.v5.co");
    uint64_t locals = elf_symbol(g_bytes_get_data(bytes, NULL), "locals");
    g_autoptr(CodeObject) co = load("args.v5.co");
    uint64_t delta;

    g_assert_cmpstr(codeobj_symbol_at(co, locals + 4, &delta)->name, ==,
                    "locals");
    g_assert_cmpuint(delta, ==, 4);
    g_assert_cmpuint(codeobj_find_kernel(co, "locals")->entry, ==, locals);
    g_assert_null(codeobj_symbol_at(co, 0, &delta));
}

/* ---- what is refused ---- */

static void expect_refusal(const void *data, size_t size, const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(CodeObject) co = codeobj_load_bytes("FILE", bytes, NULL,
                                                  &error);

    g_assert_null(co);
    assert_clean_error(error, "FILE: ");
    if (!strstr(error->message, text)) {
        g_test_message("got \"%s\", want \"%s\"", error->message, text);
        g_test_fail();
    }
}

typedef struct HeaderCase {
    size_t offset, size;
    uint64_t value;
    const char *text;
} HeaderCase;

static void test_bad_headers(void)
{
    static const HeaderCase cases[] = {
        { EI_MAG0, 1, 0, "no ELF header" },
        { EI_CLASS, 1, ELFCLASS32, "not a 64-bit little-endian" },
        { EI_DATA, 1, ELFDATA2MSB, "not a 64-bit little-endian" },
        { EI_OSABI, 1, 0, "OS ABI 0" },
        { EI_ABIVERSION, 1, 1, "code object version 3" },
        { EI_ABIVERSION, 1, 9, "code object version 11" },
        { offsetof(Elf64_Ehdr, e_type), 2, ET_REL, "not linked" },
        { offsetof(Elf64_Ehdr, e_machine), 2, EM_X86_64,
          "ELF machine is 62" },
        { offsetof(Elf64_Ehdr, e_flags), 4, 0, "unknown processor 0x0" },
        { offsetof(Elf64_Ehdr, e_phnum), 2, 0, "no segments" },
        { offsetof(Elf64_Ehdr, e_shnum), 2, 0, "is missing" },
    };
    g_autoptr(GBytes) bytes = slurp("args.v5.co");
    gsize size;
    const uint8_t *file = g_bytes_get_data(bytes, &size);

    expect_refusal("", 0, "empty");
    expect_refusal("#!/bin/sh\n", 10, "no ELF header");
    expect_refusal(file, 20, "truncated");
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree uint8_t *bad = g_memdup2(file, size);

        memcpy(bad + cases[i].offset, &cases[i].value, cases[i].size);
        expect_refusal(bad, size, cases[i].text);
    }
}

/* Every length of a truncated file is refused, none crashes. */
static void test_truncated(void)
{
    g_autoptr(GBytes) bytes = slurp("args.v5.co");
    gsize size;
    const uint8_t *file = g_bytes_get_data(bytes, &size);

    for (size_t length = 0; length < size; length++) {
        g_autofree uint8_t *part = g_memdup2(file, length ? length : 1);
        g_autoptr(GBytes) cut = g_bytes_new(part, length);
        g_autoptr(GError) error = NULL;
        g_autoptr(CodeObject) co = codeobj_load_bytes("FILE", cut, NULL,
                                                      &error);

        /* the tail holds nothing that is needed */
        if (!co) {
            assert_clean_error(error, "FILE: ");
        }
    }
}

/* ---- bundles ---- */

static void append_u64(GByteArray *array, uint64_t value)
{
    g_byte_array_append(array, (const uint8_t *)&value, 8);
}

static GBytes *make_bundle(const char *first, const char *second,
                           GBytes *object)
{
    const char *const ids[] = { first, second };
    GByteArray *array = g_byte_array_new();
    gsize size;
    const uint8_t *file = g_bytes_get_data(object, &size);

    g_byte_array_append(array, (const uint8_t *)"__CLANG_OFFLOAD_BUNDLE__",
                        24);
    append_u64(array, 2);
    for (unsigned i = 0; i < 2; i++) {
        append_u64(array, 4096);
        append_u64(array, i ? size : 0);
        append_u64(array, strlen(ids[i]));
        g_byte_array_append(array, (const uint8_t *)ids[i], strlen(ids[i]));
    }
    while (array->len < 4096) {
        g_byte_array_append(array, (const uint8_t *)"", 1);
    }
    g_byte_array_append(array, file, size);
    return g_byte_array_free_to_bytes(array);
}

static void test_bundle(void)
{
    g_autoptr(GBytes) object = slurp("args.v5.co");
    g_autoptr(GBytes) bundle = make_bundle(
        "host-x86_64-unknown-linux--", "hipv4-amdgcn-amd-amdhsa--gfx900:xnack-",
        object);
    g_autoptr(GError) error = NULL;
    g_autoptr(CodeObject) co = codeobj_load_bytes("FILE", bundle, "gfx900",
                                                  &error);
    g_autoptr(CodeObject) other = NULL;

    g_assert_no_error(error);
    g_assert_nonnull(codeobj_find_kernel(co, "scalars"));
    other = codeobj_load_bytes("FILE", bundle, "gfx1100", &error);
    g_assert_null(other);
    assert_clean_error(error, "FILE: ");
    g_assert_nonnull(strstr(error->message, "it has: gfx900"));
}

/* ---- fuzz ---- */

/* Numbers that make trouble in offsets, sizes and counts. */
static uint64_t nasty_number(GRand *rand)
{
    static const uint64_t numbers[] = {
        0, 1, 7, 0x40, 0xfff, 0x1000, 0x7fff, 0xffff, 0x10000, 0x7fffffff,
        0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
        0x8000000000000000, 0xfffffffffffffff8, 0xffffffffffffffff,
    };

    return numbers[g_rand_int_range(rand, 0, G_N_ELEMENTS(numbers))];
}

static void mutate(GRand *rand, uint8_t *bytes, gsize size)
{
    unsigned count = g_rand_int_range(rand, 1, 6);

    for (unsigned i = 0; i < count; i++) {
        /* half of the hits go to headers, notes and symbols */
        gsize range = g_rand_boolean(rand) ? MIN(size, 2048) : size;
        gsize at = g_rand_int_range(rand, 0, range);
        uint64_t number = nasty_number(rand);
        static const unsigned widths[] = { 1, 2, 4, 8 };
        unsigned width = widths[g_rand_int_range(rand, 0, 4)];

        if (g_rand_boolean(rand)) {
            at = at / width * width;
            memcpy(bytes + at, &number, MIN(width, size - at));
        } else {
            bytes[at] ^= 1u << g_rand_int_range(rand, 0, 8);
        }
    }
}

static void try_load(const uint8_t *bytes, gsize size)
{
    g_autoptr(GBytes) copy = g_bytes_new(bytes, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) place_error = NULL;
    g_autoptr(CodeObject) co = codeobj_load_bytes("FILE", copy, NULL, &error);
    g_autoptr(CodeObject) parsed = codeobj_parse("FILE", copy, NULL, NULL);
    g_autofree uint8_t *image = NULL;
    uint64_t delta;

    if (!co) {
        assert_clean_error(error, "FILE: ");
        return;
    }
    codeobj_symbol_at(co, g_test_rand_int(), &delta);
    if (codeobj_image_size(co) <= FUZZ_IMAGE_MAX) {
        image = g_malloc(codeobj_image_size(co));
        if (!codeobj_place(co, 0x400000000000, image, &place_error)) {
            assert_clean_error(place_error, "FILE: ");
        }
    }
}

static void test_fuzz(gconstpointer name)
{
    g_autoptr(GBytes) bytes = slurp(name);
    GRand *rand = g_rand_new_with_seed(g_test_rand_int());
    gsize size;
    const uint8_t *file = g_bytes_get_data(bytes, &size);

    for (unsigned i = 0; i < FUZZ_ROUNDS; i++) {
        g_autofree uint8_t *bad = g_memdup2(file, size);

        mutate(rand, bad, size);
        try_load(bad, size);
    }
    g_rand_free(rand);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/codeobj/header", test_header);
    g_test_add_func("/codeobj/arguments", test_arguments);
    g_test_add_func("/codeobj/local-arguments", test_local_arguments);
    g_test_add_func("/codeobj/hidden-arguments", test_hidden_arguments);
    g_test_add_func("/codeobj/relocations", test_relocations);
    g_test_add_func("/codeobj/image", test_image_is_file);
    g_test_add_func("/codeobj/symbol-at", test_symbol_at);
    g_test_add_func("/codeobj/bad-headers", test_bad_headers);
    g_test_add_func("/codeobj/truncated", test_truncated);
    g_test_add_func("/codeobj/bundle", test_bundle);
    g_test_add_data_func("/codeobj/fuzz/args", "args.v5.co", test_fuzz);
    g_test_add_data_func("/codeobj/fuzz/relocs", "relocs.v4.co", test_fuzz);
    return g_test_run();
}
