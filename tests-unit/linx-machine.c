/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include "linx-machine.h"
#include "linx-rig.h"
#include "target/linx/group.h"
#include "tools/linx-asm.h"

enum {
    BASE = 0x10000,     /* address of the code, which has */
    CODE_SIZE = 0x10000,
    SIZE = 2 << 20,     /* bytes of it all */
    GAP = 256,          /* between buffers, filled with */
    FILLING = 0xa5,
};

static bool is_inside(uint64_t address, size_t size)
{
    return address >= BASE && address - BASE <= SIZE - size;
}

static bool is_device(void *opaque, uint64_t address)
{
    return address - LINX_DEVICE < LINX_DEVICE_SIZE;
}

static void device_access(void *opaque, uint64_t address, unsigned size,
                          bool is_write, uint64_t *data)
{
    LinxMachine *m = opaque;
    LinxEvent event = { address, size, is_write };

    g_array_append_val(m->log, event);
    if (!is_write) {
        *data = address;
    }
}

static bool machine_read(void *opaque, uint64_t address, void *data,
                         size_t size)
{
    LinxMachine *m = opaque;

    if (is_device(m, address)) {
        uint64_t value;

        device_access(m, address, size, false, &value);
        memcpy(data, &value, size);
        return true;
    }
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

    if (is_device(m, address)) {
        device_access(m, address, size, true, NULL);
        return true;
    }
    if (!is_inside(address, size) || address < BASE + CODE_SIZE) {
        return false;
    }
    memcpy(m->memory + (address - BASE), data, size);
    return true;
}

LinxMachine *linx_machine_new(void)
{
    LinxMachine *m = g_new0(LinxMachine, 1);

    m->memory = aligned_alloc(ENGINE_PAGE, SIZE);
    memset(m->memory, 0, SIZE);
    m->log = g_array_new(FALSE, FALSE, sizeof(LinxEvent));
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
    g_array_free(m->log, TRUE);
    free(m->memory);
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

/* ---- on an engine ---- */

static uint8_t *find_page(void *opaque, uint64_t va, bool *writable)
{
    LinxMachine *m = opaque;

    *writable = va >= BASE + CODE_SIZE;
    return is_inside(va, ENGINE_PAGE) ? m->memory + (va - BASE) : NULL;
}

static void keep_hazard(void *opaque, const EngineHazard *hazard)
{
    LinxMachine *m = opaque;
    LinxClash clash = {
        .kind = hazard->kind, .block = hazard->block,
        .address = hazard->address, .lanes = hazard->lanes,
        .other_pc = hazard->since, .other_group = hazard->other_group,
        .other_lane = hazard->other_lane,
    };

    g_array_append_val(m->clashes, clash);
}

/* The trap record as a guest reads it. */
static void take_record(LinxMachine *m, const TesseraBlocks *blocks)
{
    m->record = (LinxRecord) {
        .trapped = blocks->trapped,
        .trap = {
            .number = blocks->trapno & 63,
            .cause = blocks->trapno >> 8 & 0xffffff,
            .pc = blocks->etpc,
        },
        .arg = blocks->traparg0,
        .bpc = blocks->ebpc,
        .next = blocks->ebpcn,
        .group = blocks->ebarg,
        .in_body = blocks->ecstate,
    };
}

static bool run_on_engine(LinxMachine *m)
{
    LinxRigConfig config = {
        .workers = m->workers,
        .level = tessera_host_best(),
        .find = find_page, .is_device = is_device, .access = device_access,
        .hazard = m->clashes ? keep_hazard : NULL,
        .opaque = m,
    };
    LinxRig *rig = linx_rig_new(&config);
    TesseraBlocks blocks = { 0 };
    EngineStatus status;
    EngineFault fault;

    memcpy(blocks.gpr, m->state.gpr, sizeof(blocks.gpr));
    status = linx_rig_run(rig, BASE, &blocks, 0, &fault);
    linx_rig_free(rig);
    memcpy(m->state.gpr, blocks.gpr, sizeof(blocks.gpr));
    take_record(m, &blocks);
    g_assert_cmpint(status, ==, blocks.trapped ? ENGINE_FAULTED :
                    ENGINE_DONE);
    return !blocks.trapped;
}

bool linx_machine_run(LinxMachine *m)
{
    bool ok = m->workers ? run_on_engine(m) :
              linx_run(&m->state, BASE, &m->record);

    g_assert_false(m->record.out_of_budget);
    check_gaps(m);
    /* Nothing behind the last buffer either. */
    g_assert_cmphex(m->memory[m->used], ==, 0);
    g_assert_true(!memcmp(m->memory + m->used, m->memory + m->used + 1,
                          SIZE - m->used - 1));
    return ok;
}
