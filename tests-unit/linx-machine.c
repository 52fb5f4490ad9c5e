/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "linx-machine.h"
#include "target/linx/group.h"
#include "tools/linx-asm.h"

enum {
    BASE = 0x10000,     /* address of the code, which has */
    CODE_SIZE = 0x10000,
    SIZE = 16 << 20,    /* bytes of it all */
    GAP = 256,          /* between buffers, filled with */
    FILLING = 0xa5,
};

static bool is_inside(uint64_t address, size_t size)
{
    return address >= BASE && address - BASE <= SIZE - size;
}

static bool machine_read(void *opaque, uint64_t address, void *data,
                         size_t size)
{
    LinxMachine *m = opaque;

    if (!is_inside(address, size)) {
        return false;
    }
    memcpy(data, m->memory + (address - BASE), size);
    return true;
}

static bool machine_write(void *opaque, uint64_t address, const void *data,
                          size_t size)
{
    LinxMachine *m = opaque;

    if (!is_inside(address, size) || address < BASE + CODE_SIZE) {
        return false;
    }
    memcpy(m->memory + (address - BASE), data, size);
    return true;
}

LinxMachine *linx_machine_new(void)
{
    LinxMachine *m = g_new0(LinxMachine, 1);

    m->memory = g_malloc0(SIZE);
    m->used = CODE_SIZE;
    m->state.budget = 1 << 30;
    m->state.memory = (LinxMemory) { machine_read, machine_write, m };
    return m;
}

void linx_machine_free(LinxMachine *m)
{
    linx_tiles_free(&m->state.tiles);
    linx_overlap_free(m->state.overlap);
    if (m->clashes) {
        g_array_free(m->clashes, TRUE);
    }
    g_free(m->memory);
    g_free(m);
}

static void keep_clash(struct LinxContext *x, const LinxTouch *touch,
                       const LinxClash *clash)
{
    GArray *clashes = x->state->clash_opaque;

    g_array_append_val(clashes, *clash);
}

void linx_machine_strict(LinxMachine *m)
{
    m->clashes = g_array_new(FALSE, FALSE, sizeof(LinxClash));
    m->state.overlap = linx_overlap_new();
    m->state.clash = keep_clash;
    m->state.clash_opaque = m->clashes;
}

static void add_gap(LinxMachine *m)
{
    g_assert_cmpuint(m->used + GAP, <=, SIZE);
    memset(m->memory + m->used, FILLING, GAP);
    m->used += GAP;
}

/*
 * The gap in front of a buffer tells its size, for the check; buffers are
 * aligned to 64 bytes.
 */
void *linx_machine_buffer(LinxMachine *m, unsigned gpr, size_t size)
{
    uint64_t at;

    add_gap(m);
    at = m->used;
    memcpy(m->memory + at - sizeof(size), &size, sizeof(size));
    g_assert_cmpuint(size, <=, SIZE - at - 2 * GAP);
    m->state.gpr[gpr] = BASE + at;
    m->used = at + size;
    while (m->used % 64) {
        m->memory[m->used++] = FILLING;
    }
    return m->memory + at;
}

void linx_machine_source(LinxMachine *m, const char *name, const char *source)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source(name, source, &error);

    g_assert_no_error(error);
    g_assert_cmpuint(code->len, <=, CODE_SIZE);
    memcpy(m->memory, code->data, code->len);
}

void linx_machine_program(LinxMachine *m, const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/%s.s", LINX_BLOCKS_DIR, name);
    g_autofree char *source = NULL;
    g_autoptr(GError) error = NULL;

    g_file_get_contents(path, &source, NULL, &error);
    g_assert_no_error(error);
    linx_machine_source(m, path, source);
}

static void check_filling(const LinxMachine *m, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        g_assert_cmphex(m->memory[i], ==, FILLING);
    }
}

static void check_gaps(const LinxMachine *m)
{
    uint64_t at = CODE_SIZE, end = m->used;

    while (at < end) {
        size_t size;

        check_filling(m, at, at + GAP - sizeof(size));
        at += GAP;
        memcpy(&size, m->memory + at - sizeof(size), sizeof(size));
        g_assert_cmpuint(size, <=, end - at);
        check_filling(m, at + size, (at + size + 63) / 64 * 64);
        at = (at + size + 63) / 64 * 64;
    }
}

bool linx_machine_run(LinxMachine *m)
{
    bool ok = linx_run(&m->state, BASE, &m->record);

    g_assert_false(m->record.out_of_budget);
    check_gaps(m);
    /* Nothing behind the last buffer either. */
    for (uint64_t i = m->used; i < SIZE; i++) {
        g_assert_cmphex(m->memory[i], ==, 0);
    }
    return ok;
}
