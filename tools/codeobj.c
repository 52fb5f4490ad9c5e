/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code object loader: file checks, segments, kernels.
 *
 * The file is hostile.  Every offset, size and count taken from it is checked
 * against the file's or the image's size before it is used.
 */
#include <inttypes.h>
#include <string.h>
#include "tessera/abi.h"
#include "tools/codeobj-bundle.h"
#include "tools/codeobj-int.h"
#include "tools/files.h"

/* LLVM's "User Guide for AMDGPU Backend", ELF code object. */
#define CODEOBJ_MACHINE 224 /* EM_AMDGPU */
#define CODEOBJ_OSABI 64    /* ELFOSABI_AMDGPU_HSA */
#define CODEOBJ_EF_MACH 0xffu
#define CODEOBJ_NOTE_METADATA 32
#define CODEOBJ_PHDRS_MAX 256

/* EI_ABIVERSION counts from 0 for version 2. */
#define CODEOBJ_ABIVERSION_BIAS 2
#define CODEOBJ_VERSION_MIN 4
#define CODEOBJ_VERSION_MAX 6

G_DEFINE_QUARK(codeobj-error-quark, codeobj_error)

/* EF_AMDGPU_MACH_AMDGCN_*: value in e_flags and name of the processor. */
static const struct {
    uint8_t mach;
    const char *isa;
} codeobj_machs[] = {
    { 0x20, "gfx600" },  { 0x21, "gfx601" },  { 0x22, "gfx700" },
    { 0x23, "gfx701" },  { 0x24, "gfx702" },  { 0x25, "gfx703" },
    { 0x26, "gfx704" },  { 0x28, "gfx801" },  { 0x29, "gfx802" },
    { 0x2a, "gfx803" },  { 0x2b, "gfx810" },  { 0x2c, "gfx900" },
    { 0x2d, "gfx902" },  { 0x2e, "gfx904" },  { 0x2f, "gfx906" },
    { 0x30, "gfx908" },  { 0x31, "gfx909" },  { 0x32, "gfx90c" },
    { 0x33, "gfx1010" }, { 0x34, "gfx1011" }, { 0x35, "gfx1012" },
    { 0x36, "gfx1030" }, { 0x37, "gfx1031" }, { 0x38, "gfx1032" },
    { 0x39, "gfx1033" }, { 0x3a, "gfx602" },  { 0x3b, "gfx705" },
    { 0x3c, "gfx805" },  { 0x3d, "gfx1035" }, { 0x3e, "gfx1034" },
    { 0x3f, "gfx90a" },  { 0x40, "gfx940" },  { 0x41, "gfx1100" },
    { 0x42, "gfx1013" }, { 0x43, "gfx1150" }, { 0x44, "gfx1103" },
    { 0x45, "gfx1036" }, { 0x46, "gfx1101" }, { 0x47, "gfx1102" },
    { 0x48, "gfx1200" }, { 0x4a, "gfx1151" }, { 0x4b, "gfx941" },
    { 0x4c, "gfx942" },  { 0x4e, "gfx1201" }, { 0x51, "gfx9-generic" },
    { 0x52, "gfx10-1-generic" }, { 0x53, "gfx10-3-generic" },
    { 0x54, "gfx11-generic" },   { 0x55, "gfx1152" },
    { 0x59, "gfx12-generic" },
};

bool codeobj_fail(const CodeObject *co, GError **error, const char *format,
                  ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_set_error(error, CODEOBJ_ERROR, 0, "%s: %s", co->path, text);
    return false;
}

static const char *codeobj_mach_name(unsigned flags)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(codeobj_machs); i++) {
        if (codeobj_machs[i].mach == (flags & CODEOBJ_EF_MACH)) {
            return codeobj_machs[i].isa;
        }
    }
    return NULL;
}

bool codeobj_is_elf_or_bundle(const uint8_t *bytes, size_t size)
{
    return (size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0) ||
           codeobj_is_bundle(bytes, size);
}

/* ---- the ELF header ---- */

static bool codeobj_check_ident(CodeObject *co, GError **error)
{
    const uint8_t *ident = co->file;

    if (co->file_size < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG) != 0) {
        return codeobj_fail(co, error, "not a code object: no ELF header");
    }
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB) {
        return codeobj_fail(co, error,
                            "not a code object: not a 64-bit little-endian "
                            "ELF file");
    }
    if (co->file_size < sizeof(Elf64_Ehdr)) {
        return codeobj_fail(co, error, "truncated: the ELF header alone takes "
                            "%zu bytes, the file has %zu",
                            sizeof(Elf64_Ehdr), co->file_size);
    }
    return true;
}

/* What even a file that is only disassembled must be. */
static bool codeobj_check_machine(CodeObject *co, GError **error)
{
    Elf64_Ehdr ehdr;

    memcpy(&ehdr, co->file, sizeof(ehdr));
    if (ehdr.e_machine != CODEOBJ_MACHINE) {
        return codeobj_fail(co, error, "not a code object: ELF machine is %u, "
                            "not %u (AMDGPU)", ehdr.e_machine,
                            CODEOBJ_MACHINE);
    }
    co->relocatable = ehdr.e_type == ET_REL;
    co->version = ehdr.e_ident[EI_ABIVERSION] + CODEOBJ_ABIVERSION_BIAS;
    co->isa = codeobj_mach_name(ehdr.e_flags);
    if (!co->isa) {
        return codeobj_fail(co, error, "unknown processor 0x%x in e_flags",
                            ehdr.e_flags & CODEOBJ_EF_MACH);
    }
    return true;
}

static bool codeobj_check_loadable(const CodeObject *co, GError **error)
{
    Elf64_Ehdr ehdr;

    memcpy(&ehdr, co->file, sizeof(ehdr));
    if (ehdr.e_ident[EI_OSABI] != CODEOBJ_OSABI) {
        return codeobj_fail(co, error, "built for OS ABI %u, only amdhsa (%u) "
                            "can run", ehdr.e_ident[EI_OSABI], CODEOBJ_OSABI);
    }
    if (ehdr.e_type != ET_DYN) {
        return codeobj_fail(co, error, "not linked: ELF type is %u, a code "
                            "object is a shared object (%u)", ehdr.e_type,
                            ET_DYN);
    }
    if (co->version < CODEOBJ_VERSION_MIN ||
        co->version > CODEOBJ_VERSION_MAX) {
        return codeobj_fail(co, error, "code object version %u, only %u to %u "
                            "are supported", co->version, CODEOBJ_VERSION_MIN,
                            CODEOBJ_VERSION_MAX);
    }
    return true;
}

/* ---- segments ---- */

static bool codeobj_add_segment(CodeObject *co, const GElf_Phdr *ph,
                                GError **error)
{
    CodeSegment seg = {
        .offset = ph->p_offset,
        .file_size = ph->p_filesz,
        .address = ph->p_vaddr,
        .size = ph->p_memsz,
        .exec = ph->p_flags & PF_X,
    };

    if (!codeobj_inside(seg.offset, seg.file_size, co->file_size)) {
        return codeobj_fail(co, error, "truncated: a segment ends at byte "
                            "%" PRIu64 " of a file of %zu",
                            seg.offset + seg.file_size, co->file_size);
    }
    if (seg.file_size > seg.size ||
        !codeobj_inside(seg.address, seg.size, UINT64_MAX / 2)) {
        return codeobj_fail(co, error, "damaged: segment at 0x%" PRIx64
                            " has impossible sizes", seg.address);
    }
    g_array_append_val(co->segments, seg);
    return true;
}

static bool codeobj_read_segments(CodeObject *co, GError **error)
{
    size_t count;

    if (elf_getphdrnum(co->elf, &count) != 0 || count > CODEOBJ_PHDRS_MAX) {
        return codeobj_fail(co, error, "damaged: bad program header table");
    }
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr ph;

        if (!gelf_getphdr(co->elf, i, &ph)) {
            return codeobj_fail(co, error,
                                "truncated: program header %zu is missing",
                                i);
        }
        if (ph.p_type == PT_LOAD && ph.p_memsz > 0 &&
            !codeobj_add_segment(co, &ph, error)) {
            return false;
        }
    }
    if (co->segments->len == 0) {
        return codeobj_fail(co, error, "nothing to load: no segments");
    }
    return true;
}

/* Turn segment addresses into offsets in one image. */
static bool codeobj_plan_image(CodeObject *co, GError **error)
{
    uint64_t low = UINT64_MAX, high = 0, sum = 0;

    for (unsigned i = 0; i < co->segments->len; i++) {
        CodeSegment *seg = &g_array_index(co->segments, CodeSegment, i);

        low = MIN(low, seg->address);
        high = MAX(high, seg->address + seg->size);
        sum += MIN(seg->size, CODEOBJ_IMAGE_MAX + 1); /* at most 256 of them */
    }
    co->base = low & ~(uint64_t)(CODEOBJ_IMAGE_ALIGN - 1);
    co->image_size = high - co->base;
    if (MAX(co->image_size, sum) > CODEOBJ_IMAGE_MAX) {
        return codeobj_fail(co, error, "its image takes %" PRIu64 " bytes, at "
                            "most %" PRIu64 " are supported",
                            MAX(co->image_size, sum),
                            (uint64_t)CODEOBJ_IMAGE_MAX);
    }
    for (unsigned i = 0; i < co->segments->len; i++) {
        g_array_index(co->segments, CodeSegment, i).address -= co->base;
    }
    return true;
}

bool codeobj_place(const CodeObject *co, uint64_t base, uint8_t *dst,
                   GError **error)
{
    memset(dst, 0, co->image_size);
    for (unsigned i = 0; i < co->segments->len; i++) {
        const CodeSegment *seg = &g_array_index(co->segments, CodeSegment, i);

        memcpy(dst + seg->address, co->file + seg->offset, seg->file_size);
    }
    return codeobj_relocate(co, base, dst, error);
}

/* Copy @size bytes at image offset @at from the file; zero beyond its data. */
static bool codeobj_peek(const CodeObject *co, uint64_t at, void *dst,
                         uint64_t size)
{
    for (unsigned i = 0; i < co->segments->len; i++) {
        const CodeSegment *seg = &g_array_index(co->segments, CodeSegment, i);

        if (at >= seg->address &&
            codeobj_inside(at - seg->address, size, seg->file_size)) {
            memcpy(dst, co->file + seg->offset + (at - seg->address), size);
            return true;
        }
    }
    return false;
}

static bool codeobj_is_code(const CodeObject *co, uint64_t at)
{
    for (unsigned i = 0; i < co->segments->len; i++) {
        const CodeSegment *seg = &g_array_index(co->segments, CodeSegment, i);

        if (seg->exec && at >= seg->address &&
            at - seg->address < seg->size) {
            return true;
        }
    }
    return false;
}

/* ---- the metadata note ---- */

static bool codeobj_scan_notes(CodeObject *co, const GElf_Phdr *ph,
                               bool *found, GError **error)
{
    Elf_Data *data = elf_getdata_rawchunk(co->elf, ph->p_offset,
                                          ph->p_filesz, ELF_T_NHDR);
    size_t at = 0, next, name_at, desc_at;
    GElf_Nhdr nh;

    if (!data) {
        return codeobj_fail(co, error, "truncated: notes are missing");
    }
    while ((next = gelf_getnote(data, at, &nh, &name_at, &desc_at)) > 0) {
        const char *name = (const char *)data->d_buf + name_at;

        if (nh.n_type == CODEOBJ_NOTE_METADATA &&
            nh.n_namesz == sizeof("AMDGPU") &&
            memcmp(name, "AMDGPU", sizeof("AMDGPU")) == 0) {
            *found = true;
            return codeobj_parse_metadata(co,
                                          (uint8_t *)data->d_buf + desc_at,
                                          nh.n_descsz, error);
        }
        at = next;
    }
    return true;
}

static bool codeobj_read_metadata(CodeObject *co, GError **error)
{
    size_t count = 0;
    bool found = false;

    elf_getphdrnum(co->elf, &count);
    for (size_t i = 0; i < count && !found; i++) {
        GElf_Phdr ph;

        if (gelf_getphdr(co->elf, i, &ph) && ph.p_type == PT_NOTE &&
            !codeobj_scan_notes(co, &ph, &found, error)) {
            return false;
        }
    }
    if (!found) {
        return codeobj_fail(co, error, "no kernel metadata: note "
                            "NT_AMDGPU_METADATA is missing");
    }
    return true;
}

/* ---- kernels ---- */

static const CodeSymbol *codeobj_find_symbol(const CodeObject *co,
                                             const char *name)
{
    for (unsigned i = 0; i < co->symbols->len; i++) {
        CodeSymbol *sym = &g_array_index(co->symbols, CodeSymbol, i);

        if (g_str_equal(sym->name, name)) {
            return sym;
        }
    }
    return NULL;
}

static bool codeobj_resolve_kernel(CodeObject *co, CodeKernel *kernel,
                                   GError **error)
{
    const CodeSymbol *sym = codeobj_find_symbol(co, kernel->symbol);
    AmdKernelDescriptor kd;

    if (!sym) {
        return codeobj_fail(co, error, "kernel %s: symbol %s is missing",
                            kernel->name, kernel->symbol);
    }
    kernel->descriptor = sym->value - co->base;
    if (sym->value < co->base || kernel->descriptor % sizeof(kd) != 0 ||
        !codeobj_peek(co, kernel->descriptor, &kd, sizeof(kd))) {
        return codeobj_fail(co, error, "kernel %s: its descriptor at 0x%"
                            PRIx64 " is outside the image or misaligned",
                            kernel->name, sym->value);
    }
    kernel->entry = kernel->descriptor + kd.kernel_code_entry_byte_offset;
    if (!codeobj_is_code(co, kernel->entry) || kernel->entry % 256 != 0) {
        return codeobj_fail(co, error, "kernel %s: its entry is outside the "
                            "code or misaligned", kernel->name);
    }
    return true;
}

static bool codeobj_resolve_kernels(CodeObject *co, GError **error)
{
    for (unsigned i = 0; i < co->kernels->len; i++) {
        if (!codeobj_resolve_kernel(
                co, &g_array_index(co->kernels, CodeKernel, i), error)) {
            return false;
        }
    }
    return true;
}

unsigned codeobj_n_kernels(const CodeObject *co)
{
    return co->kernels->len;
}

const CodeKernel *codeobj_kernel(const CodeObject *co, unsigned index)
{
    return index < co->kernels->len ?
           &g_array_index(co->kernels, CodeKernel, index) : NULL;
}

const CodeKernel *codeobj_find_kernel(const CodeObject *co, const char *name)
{
    for (unsigned i = 0; i < co->kernels->len; i++) {
        const CodeKernel *kernel = codeobj_kernel(co, i);

        if (g_str_equal(kernel->name, name) ||
            g_str_equal(kernel->symbol, name)) {
            return kernel;
        }
    }
    return NULL;
}

void codeobj_kernel_clear(CodeKernel *kernel)
{
    for (unsigned i = 0; i < kernel->n_args; i++) {
        g_free(kernel->args[i].name);
        g_free(kernel->args[i].type_name);
    }
    g_free(kernel->args);
    g_free(kernel->name);
    g_free(kernel->symbol);
}

/* ---- life cycle ---- */

static CodeObject *codeobj_new(const char *path)
{
    CodeObject *co = g_new0(CodeObject, 1);

    co->path = g_strdup(path);
    co->segments = g_array_new(FALSE, TRUE, sizeof(CodeSegment));
    co->kernels = g_array_new(FALSE, TRUE, sizeof(CodeKernel));
    co->symbols = g_array_new(FALSE, TRUE, sizeof(CodeSymbol));
    co->sections = g_array_new(FALSE, TRUE, sizeof(CodeSection));
    g_array_set_clear_func(co->kernels, (GDestroyNotify)codeobj_kernel_clear);
    return co;
}

void codeobj_free(CodeObject *co)
{
    if (!co) {
        return;
    }
    if (co->elf) {
        elf_end(co->elf);
    }
    g_array_unref(co->segments);
    g_array_unref(co->kernels);
    g_array_unref(co->symbols);
    g_array_unref(co->sections);
    g_free(co->file);
    g_free(co->path);
    g_free(co);
}

/* Copy the ELF file out of @bytes, looking through an offload bundle. */
static bool codeobj_take_file(CodeObject *co, GBytes *bytes, const char *isa,
                              GError **error)
{
    size_t size, offset = 0;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    size_t length = size;

    if (size == 0) {
        return codeobj_fail(co, error, "the file is empty");
    }
    if (codeobj_is_bundle(data, size)) {
        g_autofree char *text = NULL;

        if (!codeobj_bundle_find(data, size, isa, &offset, &length, &text)) {
            return codeobj_fail(co, error, "%s", text);
        }
    }
    co->file = g_memdup2(data + offset, length);
    co->file_size = length;
    return true;
}

static bool codeobj_open_elf(CodeObject *co, GError **error)
{
    elf_version(EV_CURRENT);
    co->elf = elf_memory((char *)co->file, co->file_size);
    if (!co->elf || elf_kind(co->elf) != ELF_K_ELF) {
        return codeobj_fail(co, error, "damaged ELF file: %s",
                            elf_errmsg(-1));
    }
    return true;
}

CodeObject *codeobj_parse(const char *name, GBytes *bytes, const char *isa,
                          GError **error)
{
    g_autoptr(CodeObject) co = codeobj_new(name);

    if (!codeobj_take_file(co, bytes, isa, error) ||
        !codeobj_check_ident(co, error) ||
        !codeobj_check_machine(co, error) ||
        !codeobj_open_elf(co, error) ||
        !codeobj_read_symbols(co, error)) {
        return NULL;
    }
    return g_steal_pointer(&co);
}

CodeObject *codeobj_load_bytes(const char *name, GBytes *bytes,
                               const char *isa, GError **error)
{
    g_autoptr(CodeObject) co = codeobj_parse(name, bytes, isa, error);

    if (!co ||
        !codeobj_check_loadable(co, error) ||
        !codeobj_read_segments(co, error) ||
        !codeobj_plan_image(co, error) ||
        !codeobj_read_metadata(co, error) ||
        !codeobj_resolve_kernels(co, error)) {
        return NULL;
    }
    return g_steal_pointer(&co);
}

CodeObject *codeobj_load(const char *path, const char *isa, GError **error)
{
    g_autoptr(GBytes) bytes = tool_read_file(path, CODEOBJ_FILE_MAX, error);

    return bytes ? codeobj_load_bytes(path, bytes, isa, error) : NULL;
}

const char *codeobj_path(const CodeObject *co)
{
    return co->path;
}

const char *codeobj_isa(const CodeObject *co)
{
    return co->isa;
}

unsigned codeobj_version(const CodeObject *co)
{
    return co->version;
}

bool codeobj_is_relocatable(const CodeObject *co)
{
    return co->relocatable;
}

uint64_t codeobj_image_size(const CodeObject *co)
{
    return co->image_size;
}
