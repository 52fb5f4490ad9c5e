/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The register file and the doorbells, and what a configuration must be. */
#include <string.h>
#include "tests-unit/gpu-fixture.h"

enum { RO, RW, WO, W1C };

typedef struct Row {
    const char *name;
    uint32_t offset, size, count, stride, access;
    uint64_t reset;
} Row;

#define NOTHING(...)
#define ROW(n, off, size, count, stride, acc, reset, doc)                      \
    { #n, off, size, count, stride, acc, reset },
static const Row rows[] = { TESSERA_REGISTERS(ROW, NOTHING) };

typedef struct Mask {
    const char *reg;
    uint64_t mask;
} Mask;

#define MASK(r, n, shift, len, doc) { #r, ((1ull << (len)) - 1) << (shift) },
static const Mask masks[] = { TESSERA_REGISTERS(NOTHING, MASK) };

static uint64_t field_mask(const Row *row)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(masks); i++) {
        if (!strcmp(masks[i].reg, row->name)) {
            mask |= masks[i].mask;
        }
    }
    return mask ?: row->size == 8 ? UINT64_MAX : UINT32_MAX;
}

static uint64_t expected_reset(const Row *row)
{
    static const struct {
        const char *name;
        uint64_t value;
    } configured[] = {
        { "FEATURES", TESSERA_FEATURES_PAGE_TABLES_MASK |
                      TESSERA_FEATURES_BLOCKS_MASK |
                      TESSERA_FEATURES_INJECT_MASK },
        { "ISA", 90000 },
        { "CU_COUNT", TESSERA_CUS },
        { "WAVE_SIZE", 64 },
        { "VRAM_SIZE", VRAM_BYTES },
        { "CLOCK", 1000000 / 10 }, /* the mock's 1 ms at 100 MHz */
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(configured); i++) {
        if (!strcmp(configured[i].name, row->name)) {
            return configured[i].value;
        }
    }
    return row->reset;
}

static void check_reset_values(Fixture *f)
{
    for (unsigned r = 0; r < G_N_ELEMENTS(rows); r++) {
        const Row *row = &rows[r];

        for (unsigned i = 0; i < row->count; i++) {
            uint32_t offset = row->offset + i * row->stride;
            uint64_t value = tessera_gpu_reg_read(f->gpu, offset, row->size);

            if (value != expected_reset(row)) {
                g_error("%s[%u] reads %#" G_GINT64_MODIFIER "x", row->name, i,
                        value);
            }
        }
    }
}

static void test_reset_values(void)
{
    Fixture *f = fixture_new(0);

    tessera_gpu_reset(f->gpu);
    check_reset_values(f);
    fixture_free(f);
}

/* Dirty everything that can be written; each kind of reset brings it back. */
static void test_reset_restores(void)
{
    Fixture *f = fixture_new(0);

    for (unsigned r = 0; r < G_N_ELEMENTS(rows); r++) {
        if (strcmp(rows[r].name, "CONTROL")) {
            tessera_gpu_reg_write(f->gpu, rows[r].offset, UINT64_MAX,
                                  rows[r].size);
        }
    }
    tessera_gpu_doorbell_write(f->gpu, 8, 77, 8);
    set32(f, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
    check_reset_values(f);
    g_assert_cmpuint(tessera_gpu_doorbell_read(f->gpu, 8, 8), ==, 0);
    fixture_free(f);
}

/* What each register keeps of all ones and of a pattern. */
static void test_write_masks(void)
{
    Fixture *f = fixture_new(0);
    const uint64_t patterns[] = { UINT64_MAX, 0x5a5aa5a5c3c33c3cull, 0 };

    tessera_gpu_reset(f->gpu);
    for (unsigned r = 0; r < G_N_ELEMENTS(rows); r++) {
        const Row *row = &rows[r];

        if (row->access != RW || !strcmp(row->name, "CONTROL")) {
            continue;
        }
        for (unsigned p = 0; p < G_N_ELEMENTS(patterns); p++) {
            for (unsigned i = 0; i < row->count; i++) {
                uint32_t offset = row->offset + i * row->stride;
                uint64_t expected = patterns[p] & field_mask(row);

                if (row->size == 4) {
                    expected = (uint32_t)expected;
                }
                tessera_gpu_reg_write(f->gpu, offset, patterns[p], row->size);
                g_assert_cmphex(
                    tessera_gpu_reg_read(f->gpu, offset, row->size), ==,
                    expected);
            }
        }
    }
    fixture_free(f);
}

static void test_read_only(void)
{
    Fixture *f = fixture_new(0);

    tessera_gpu_reset(f->gpu);
    for (unsigned r = 0; r < G_N_ELEMENTS(rows); r++) {
        /* what VM_INVALIDATE does shows in VM_INVALIDATE_ACK */
        if ((rows[r].access == RO || rows[r].access == WO) &&
            strcmp(rows[r].name, "VM_INVALIDATE")) {
            tessera_gpu_reg_write(f->gpu, rows[r].offset, UINT64_MAX,
                                  rows[r].size);
        }
    }
    set32(f, TESSERA_REG_FAULT_STATUS, UINT32_MAX);
    set32(f, TESSERA_REG_IH_STATUS, UINT32_MAX);
    check_reset_values(f);
    fixture_free(f);
}

static void test_halves(void)
{
    Fixture *f = fixture_new(0);

    set32(f, TESSERA_REG_IH_BASE, 0x11112220);
    set32(f, TESSERA_REG_IH_BASE + 4, 0x33334444);
    g_assert_cmphex(reg64(f, TESSERA_REG_IH_BASE), ==, 0x3333444411112220);
    set32(f, TESSERA_REG_IH_BASE, 0);
    g_assert_cmphex(reg64(f, TESSERA_REG_IH_BASE), ==, 0x3333444400000000);
    g_assert_cmphex(reg32(f, TESSERA_REG_IH_BASE + 4), ==, 0x33334444);
    fixture_free(f);
}

/* The clock's high half belongs to the low half that was read before it. */
static void test_clock_latch(void)
{
    Fixture *f = fixture_new(0);
    uint32_t low, high;

    mock_host_advance(f->mock, 0xffffffffll * 10 - 1000000);
    low = reg32(f, TESSERA_REG_CLOCK);
    mock_host_advance(f->mock, 1000);
    high = reg32(f, TESSERA_REG_CLOCK + 4);
    g_assert_cmphex(low, ==, 0xffffffff);
    g_assert_cmphex(high, ==, 0);
    g_assert_cmphex(reg64(f, TESSERA_REG_CLOCK), ==, 0xffffffffull + 100);
    fixture_free(f);
}

/* Everything that is no register reads 0, and says so in the log. */
static void test_holes(void)
{
    Fixture *f = fixture_new(0);
    static const struct {
        uint32_t offset;
        unsigned size;
    } bad[] = {
        { 0x001, 4 }, { 0x002, 4 }, { 0x000, 8 }, { 0x000, 1 }, { 0x000, 2 },
        { 0x01c, 8 }, { 0x028, 4 }, { 0x104, 8 }, { 0x700, 4 }, { 0x4038, 4 },
        { 0xfffc, 8 }, { 0x10000, 4 }, { 0xfffffffc, 4 }, { 0x018, 3 },
        { 0x018, 0 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        unsigned before = load32(&f->mock->guest_errors);

        g_assert_cmphex(tessera_gpu_reg_read(f->gpu, bad[i].offset,
                                             bad[i].size), ==, 0);
        tessera_gpu_reg_write(f->gpu, bad[i].offset, UINT64_MAX, bad[i].size);
        g_assert_cmpuint(load32(&f->mock->guest_errors), ==, before + 2);
    }
    fixture_free(f);
}

static void test_every_offset(void)
{
    Fixture *f = fixture_new(0);

    for (uint32_t offset = 0; offset < 0x10010; offset++) {
        for (unsigned size = 1; size <= 8; size *= 2) {
            tessera_gpu_reg_read(f->gpu, offset, size);
            tessera_gpu_reg_write(f->gpu, offset, offset * 0x01010101ull,
                                  size);
        }
    }
    tessera_gpu_reset(f->gpu);
    check_reset_values(f);
    fixture_free(f);
}

static void test_flush_page(void)
{
    Fixture *f = fixture_new(0);
    unsigned before = load32(&f->mock->guest_errors);

    set32(f, TESSERA_FLUSH_PAGE, 0x1234);
    set64(f, TESSERA_FLUSH_PAGE + 0xff8, 0x123456789abcdef0);
    g_assert_cmphex(reg32(f, TESSERA_FLUSH_PAGE), ==, 0x1234);
    g_assert_cmphex(reg32(f, TESSERA_FLUSH_PAGE + 0xffc), ==, 0x12345678);
    g_assert_cmpuint(load32(&f->mock->guest_errors), ==, before);
    fixture_free(f);
}

static void test_doorbells(void)
{
    Fixture *f = fixture_new(0);
    uint32_t last = TESSERA_VMIDS * TESSERA_SLICE_SIZE - 8;
    unsigned before;

    tessera_gpu_doorbell_write(f->gpu, 0, 0x1111222233334444, 8);
    tessera_gpu_doorbell_write(f->gpu, last, 5, 8);
    tessera_gpu_doorbell_write(f->gpu, 4, 0xabcd, 4);
    g_assert_cmphex(tessera_gpu_doorbell_read(f->gpu, 0, 8), ==,
                    0x0000abcd33334444);
    g_assert_cmphex(tessera_gpu_doorbell_read(f->gpu, 0, 4), ==, 0x33334444);
    g_assert_cmphex(tessera_gpu_doorbell_read(f->gpu, last, 8), ==, 5);

    before = load32(&f->mock->guest_errors);
    tessera_gpu_doorbell_write(f->gpu, last + 8, 5, 8);
    tessera_gpu_doorbell_write(f->gpu, 4, 5, 8);
    tessera_gpu_doorbell_write(f->gpu, 2, 5, 4);
    g_assert_cmphex(tessera_gpu_doorbell_read(f->gpu, 0, 2), ==, 0);
    g_assert_cmphex(tessera_gpu_doorbell_read(f->gpu, 0xfffffff8, 8), ==, 0);
    g_assert_cmpuint(load32(&f->mock->guest_errors), ==, before + 5);
    fixture_free(f);
}

/* Bad configurations are refused with one sentence. */
static void refuse(TesseraConfig config, unsigned threads, const char *words)
{
    MockHost *mock = mock_host_new();
    g_autoptr(GError) error = NULL;

    mock->threads_max = threads;
    g_assert_null(tessera_gpu_new(&config, &mock->host, &error));
    g_assert_nonnull(error);
    if (!strstr(error->message, words)) {
        g_error("'%s' lacks '%s'", error->message, words);
    }
    mock_host_free(mock);
}

static void test_config(void)
{
    uint8_t *vram = g_aligned_alloc(1, 8192, 4096);
    const TesseraConfig good = {
        .isa = "gfx900", .vram = vram, .vram_size = TESSERA_VRAM_MIN,
    };
    TesseraConfig bad = good;

    bad.isa = "gfx000";
    refuse(bad, 9, "isa gfx000");
    bad.isa = NULL;
    refuse(bad, 9, "isa");
    bad = good;
    bad.vram_size = TESSERA_VRAM_MIN / 2;
    refuse(bad, 9, "vram-size");
    bad.vram_size = TESSERA_VRAM_MAX * 2;
    refuse(bad, 9, "vram-size");
    bad.vram_size = TESSERA_VRAM_MIN + 4096;
    refuse(bad, 9, "vram-size");
    bad = good;
    bad.vram = NULL;
    refuse(bad, 9, "vram");
    bad.vram = vram + 8;
    refuse(bad, 9, "vram");
    bad = good;
    bad.workers = TESSERA_WORKERS_MAX + 1;
    refuse(bad, 9, "workers must be 0 to 64");
    bad = good;
    bad.host_level = "v4"; /* the fake host has v3 */
    refuse(bad, 9, "host-level v4");
    bad.host_level = "v5";
    refuse(bad, 9, "v2 to v3");
    refuse(good, 0, "thread");
    refuse(good, 1, "thread"); /* the engine's, but not ours */
    g_aligned_free(vram);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu/regs/reset-values", test_reset_values);
    g_test_add_func("/gpu/regs/reset-restores", test_reset_restores);
    g_test_add_func("/gpu/regs/write-masks", test_write_masks);
    g_test_add_func("/gpu/regs/read-only", test_read_only);
    g_test_add_func("/gpu/regs/halves", test_halves);
    g_test_add_func("/gpu/regs/clock-latch", test_clock_latch);
    g_test_add_func("/gpu/regs/holes", test_holes);
    g_test_add_func("/gpu/regs/every-offset", test_every_offset);
    g_test_add_func("/gpu/regs/flush-page", test_flush_page);
    g_test_add_func("/gpu/doorbells", test_doorbells);
    g_test_add_func("/gpu/config", test_config);
    return g_test_run();
}
