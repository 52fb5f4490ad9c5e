/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hazards=strict: which uses of a load's result are reported, and what the
 * registers hold until then.  What is right and wrong comes from the counters'
 * rules: vector memory and LDS complete in order, FLAT and scalar memory in no
 * order (rules SM17, SM18, FL7, FL8, gfx-facts section 12).
 */
#include <string.h>
#include "target/amdgpu/strict.h"
#include "wave-harness.h"

#define MEM_VA 0x10000ull

/* v[4:5] and s[4:5] hold MEM_VA, v6 an LDS address, memory and LDS this: */
#define WORD(i) (0x1000u + (i))

typedef struct Case {
    const char *name;
    const char *text;
    /* What is expected, in order: kind and registers; 0 ends the list. */
    struct {
        TesseraHazard kind;
        const char *name;
    } report[3];
    uint32_t v1; /* v1 of lane 0 in the end, 0: not looked at */
} Case;

#define READ TESSERA_HAZARD_READ
#define WRITE TESSERA_HAZARD_WRITE
#define TWO TESSERA_HAZARD_TWO_LOADS
#define CLAUSE TESSERA_HAZARD_CLAUSE
#define WAIT_ALL "s_waitcnt vmcnt(0) lgkmcnt(0)\n"

static const Case cases[] = {
    { "global/waited",
      "global_load_dword v1, v[4:5], off\n s_waitcnt vmcnt(0)\n"
      "v_add_u32 v1, 1, v1", .v1 = WORD(0) + 1 },
    { "global/read-early",
      "global_load_dword v1, v[4:5], off\n v_mov_b32 v2, v1\n" WAIT_ALL
      "v_mov_b32 v1, v2", { { READ, "v1" } }, AMD_POISON },
    { "global/wait-for-the-first",
      "global_load_dword v1, v[4:5], off\n"
      "global_load_dword v2, v[4:5], off offset:4\n s_waitcnt vmcnt(1)\n"
      "v_add_u32 v1, 2, v1", .v1 = WORD(0) + 2 },
    { "global/wait-for-the-first-only",
      "global_load_dword v1, v[4:5], off\n"
      "global_load_dword v2, v[4:5], off offset:4\n s_waitcnt vmcnt(1)\n"
      "v_add_u32 v1, v2, v1", { { READ, "v2" } }, AMD_POISON + WORD(0) },
    { "global/stores-count",
      "global_load_dword v1, v[4:5], off\n"
      "global_store_dword v[4:5], v2, off offset:64\n s_waitcnt vmcnt(1)\n"
      "v_add_u32 v1, 3, v1", .v1 = WORD(0) + 3 },
    { "global/part-of-a-tuple",
      "global_load_dwordx4 v[8:11], v[4:5], off\n v_mov_b32 v2, v10\n",
      { { READ, "v[8:11]" } } },
    { "global/overwritten",
      "global_load_dword v1, v[4:5], off\n v_mov_b32 v1, 7\n" WAIT_ALL,
      { { WRITE, "v1" } }, WORD(0) },
    { "global/two-loads-in-order", /* clang 19 at -O0 emits that */
      "global_load_dword v1, v[4:5], off\n"
      "buffer_load_dword v1, off, s[12:15], 0 offset:4\n" WAIT_ALL,
      .v1 = WORD(1) },
    { "global/two-loads-the-second-early",
      "global_load_dword v1, v[4:5], off\n"
      "global_load_dword v1, v[4:5], off offset:4\n s_waitcnt vmcnt(1)\n"
      "v_mov_b32 v2, v1\n" WAIT_ALL, { { READ, "v1" } }, WORD(1) },
    { "global/high-half-after-all", /* and that at -O2 */
      "global_load_ubyte v1, v[4:5], off\n"
      "global_load_ubyte_d16_hi v1, v[4:5], off offset:4\n" WAIT_ALL,
      .v1 = (WORD(1) & 0xff) << 16 | (WORD(0) & 0xff) },
    { "global/two-loads-other-kind",
      "global_load_dword v1, v[4:5], off\n ds_read_b32 v1, v6\n" WAIT_ALL,
      { { TWO, "v1" } } },
    { "global/halves-of-one-register",
      "global_load_short_d16 v1, v[4:5], off\n"
      "global_load_short_d16_hi v1, v[4:5], off offset:4\n" WAIT_ALL,
      .v1 = WORD(1) << 16 | WORD(0) },
    { "global/atomic",
      "global_atomic_add v1, v[4:5], v2, off offset:128 glc\n"
      "v_mov_b32 v3, v1\n", { { READ, "v1" } } },
    { "global/store-of-a-result",
      "global_load_dword v1, v[4:5], off\n"
      "global_store_dword v[4:5], v1, off offset:64\n", { { READ, "v1" } } },
    { "global/other-lanes",
      "s_mov_b64 exec, 0xff\n global_load_dword v1, v[4:5], off\n"
      "s_mov_b64 exec, 0xff00\n v_mov_b32 v2, v1\n"
      "s_mov_b64 exec, -1\n" WAIT_ALL, .v1 = WORD(0) },
    { "global/readlane",
      "s_mov_b64 exec, 0xff\n global_load_dword v1, v[4:5], off\n"
      "s_mov_b64 exec, 0xff00\n v_readlane_b32 s20, v1, 3\n",
      { { READ, "v1" } } },
    { "flat/both-counters",
      "flat_load_dword v1, v[4:5]\n" WAIT_ALL "v_add_u32 v1, 4, v1",
      .v1 = WORD(0) + 4 },
    { "flat/FL7-one-counter",
      "flat_load_dword v1, v[4:5]\n s_waitcnt vmcnt(0)\n"
      "v_mov_b32 v2, v1\n", { { READ, "v1" } } },
    { "flat/FL7-not-zero",
      "global_load_dword v1, v[4:5], off\n flat_load_dword v2, v[4:5]\n"
      "s_waitcnt vmcnt(1) lgkmcnt(0)\n v_mov_b32 v3, v1\n",
      { { READ, "v1" } } },
    { "flat/FL8-two-to-one-register",
      "flat_load_dword v1, v[4:5]\n flat_load_dword v1, v[4:5] offset:4\n",
      { { TWO, "v1" } } },
    { "lds/waited",
      "ds_read_b32 v1, v6\n ds_read_b32 v2, v6 offset:4\n"
      "s_waitcnt lgkmcnt(1)\n v_add_u32 v1, 5, v1", .v1 = WORD(0) + 5 },
    { "lds/read-early",
      "ds_read_b32 v1, v6\n v_mov_b32 v2, v1\n", { { READ, "v1" } } },
    { "lds/two-loads",
      "ds_read_b32 v1, v6\n ds_read_b32 v1, v6 offset:4\n" WAIT_ALL,
      { { TWO, "v1" } }, WORD(1) },
    { "lds/scalar-memory-between",
      "ds_read_b32 v1, v6\n s_load_dwordx2 s[8:9], s[4:5], 0x0\n"
      "s_waitcnt lgkmcnt(2)\n v_mov_b32 v2, v1\n", { { READ, "v1" } } },
    { "lds/one-of-two-beside-scalar-memory", /* 3 to 1: one may be the latter */
      "s_load_dword s8, s[4:5], 0x0\n ds_read_b32 v1, v6\n"
      "ds_read_b32 v2, v6 offset:4\n s_waitcnt lgkmcnt(1)\n"
      "s_mov_b32 s10, s8\n v_add_u32 v1, 8, v1\n" WAIT_ALL,
      { { READ, "s8" } }, WORD(0) + 8 },
    { "smem/waited",
      "s_load_dword s8, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n"
      "v_mov_b32 v1, s8", .v1 = WORD(0) },
    { "smem/SM18-out-of-order",
      "s_load_dword s8, s[4:5], 0x0\n s_load_dword s9, s[4:5], 0x4\n"
      "s_waitcnt lgkmcnt(1)\n s_mov_b32 s10, s8\n", { { READ, "s8" } } },
    { "smem/read-early",
      "s_load_dwordx4 s[8:11], s[4:5], 0x0\n s_mov_b32 s12, s11\n"
      "s_waitcnt lgkmcnt(0)\n v_mov_b32 v1, s12",
      { { READ, "s[8:11]" } }, AMD_POISON },
    { "smem/branch-on-vcc",
      "s_load_dwordx2 vcc, s[4:5], 0x0\n s_cbranch_vccz 1f\n 1:\n",
      { { READ, "vcc" } } },
    { "smem/div-fmas-reads-vcc",
      "s_load_dwordx2 vcc, s[4:5], 0x0\n v_div_fmas_f32 v2, v3, v3, v3\n",
      { { READ, "vcc" } } },
    { "smem/SM17-own-base-in-clause",
      "s_load_dwordx2 s[4:5], s[4:5], 0x0\n"
      "s_load_dword s8, s[6:7], 0x0\n" WAIT_ALL, { { CLAUSE, "s[4:5]" } } },
    { "smem/SM17-own-base-alone",
      "s_load_dwordx2 s[4:5], s[4:5], 0x0\n" WAIT_ALL },
    { "smem/SM17-base-in-clause",
      "s_load_dword s8, s[4:5], 0x0\n s_load_dword s4, s[6:7], 0x4\n"
      WAIT_ALL, { { CLAUSE, "s4" } } },
    { "smem/SM17-clause-ends",
      "s_load_dword s8, s[4:5], 0x0\n s_nop 0\n"
      "s_load_dword s4, s[6:7], 0x4\n" WAIT_ALL },
    { "indexed/read-early",
      "global_load_dword v9, v[4:5], off\n s_mov_b32 m0, 2\n"
      "s_set_gpr_idx_on m0, gpr_idx(SRC0)\n v_mov_b32 v2, v7\n"
      "s_set_gpr_idx_off\n", { { READ, "v9" } } },
    { "indexed/another-register",
      "global_load_dword v7, v[4:5], off\n s_mov_b32 m0, 2\n"
      "s_set_gpr_idx_on m0, gpr_idx(SRC0)\n v_mov_b32 v2, v7\n"
      "s_set_gpr_idx_off\n" },
    { "buffer/waited",
      "buffer_load_dword v1, off, s[12:15], 0\n s_waitcnt vmcnt(0)\n"
      "v_add_u32 v1, 6, v1", .v1 = WORD(0) + 6 },
    { "buffer/read-early",
      "buffer_load_dword v1, off, s[12:15], 0\n v_mov_b32 v2, v1\n",
      { { READ, "v1" } } },
    { "buffer/format-to-the-high-half", /* 32_UINT of 0x1000, in halves */
      "s_mov_b32 s15, 0x24fac\n ds_read_u16_d16 v1, v6 offset:4\n"
      "buffer_load_format_d16_hi_x v1, off, s[12:15], 0\n" WAIT_ALL,
      .v1 = WORD(0) << 16 | WORD(1) },
};

static WaveCode *code;

static void setup_case(WaveHarness *h, uint8_t *mem)
{
    uint32_t *lds = (uint32_t *)wave_lds(h), *words = (uint32_t *)mem;

    wave_reset(h);
    h->hazard_count = 0;
    for (unsigned i = 0; i < 64; i++) {
        words[i] = lds[i] = WORD(i);
    }
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 4)[lane] = MEM_VA;
    }
    wave_set_sgpr64(h, 4, MEM_VA);
    wave_set_sgpr64(h, 6, MEM_VA);
    wave_set_sgpr64(h, 12, MEM_VA); /* a V#: base, stride 0, 4,096 bytes */
    h->w->s[14] = 4096;
    h->w->s[15] = 0x00027000;
}

static void check_case(WaveHarness *h, const Case *c, const WaveCode *words)
{
    unsigned expected = 0;

    g_assert_cmpint(wave_run(h, words), ==, TESSERA_FAULT_NONE);
    while (expected < 3 && c->report[expected].kind) {
        const EngineHazard *got = &h->hazards[expected];

        g_assert_cmpuint(h->hazard_count, >, expected);
        g_assert_cmpint(got->kind, ==, c->report[expected].kind);
        g_assert_cmpstr(got->name, ==, c->report[expected].name);
        expected++;
    }
    g_assert_cmpuint(h->hazard_count, ==, expected);
    if (c->v1) {
        g_assert_cmphex(wave_vgpr(h, 1)[0], ==, c->v1);
    }
}

static void test_case(WaveHarness *h, const void *data)
{
    const Case *c = data;

    h->dispatch.strict = true;
    setup_case(h, wave_map(h, MEM_VA, 0x1000, true));
    check_case(h, c, &code[c - cases]);
}

/* A report tells where, what, since when and in which lanes. */
static void test_report(WaveHarness *h)
{
    static const char *const text[] = {
        "s_mov_b64 exec, 0xf0\n global_load_dword v1, v[4:5], off\n"
        "s_mov_b64 exec, 0x3c\n v_mov_b32 v2, v1",
    };
    WaveCode *one = wave_assemble(text, 1);
    const EngineHazard *got = &h->hazards[0];

    h->dispatch.strict = true;
    setup_case(h, wave_map(h, MEM_VA, 0x1000, true));
    wave_run(h, one);
    g_assert_cmpuint(h->hazard_count, ==, 1);
    g_assert_cmphex(got->since, ==, WAVE_CODE_VA + 8);
    g_assert_cmphex(got->pc, ==, WAVE_CODE_VA + 20);
    g_assert_cmphex(got->lanes, ==, 0x30);
    g_assert_cmpstr(got->text, ==, "v_mov_b32_e32 v2, v1");
    wave_code_free(one);
}

/* The counters can be read: two global loads, one LDS, one scalar of two. */
static void test_counters(WaveHarness *h)
{
    static const char *const text[] = {
        "global_load_dword v1, v[4:5], off\n"
        "global_load_dword v2, v[4:5], off\n ds_read_b32 v3, v6\n"
        "s_load_dwordx2 s[8:9], s[4:5], 0x0\n"
        "s_getreg_b32 s20, hwreg(HW_REG_IB_STS)",
    };
    WaveCode *one = wave_assemble(text, 1);

    h->dispatch.strict = true;
    setup_case(h, wave_map(h, MEM_VA, 0x1000, true));
    wave_run(h, one);
    g_assert_cmphex(h->w->s[20], ==, 2 | 3 << 8);
    wave_code_free(one);
}

/* Off: results are there at once, nothing is reported. */
static void test_off(WaveHarness *h)
{
    uint8_t *mem = wave_map(h, MEM_VA, 0x1000, true);

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        setup_case(h, mem);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        g_assert_cmpuint(h->hazard_count, ==, 0);
    }
}

int main(int argc, char **argv)
{
    const char *texts[G_N_ELEMENTS(cases)];
    int status;

    g_test_init(&argc, &argv, NULL);
    if (wave_have_assembler()) {
        for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
            g_autofree char *path = g_strconcat("/strict/", cases[i].name,
                                                NULL);

            texts[i] = cases[i].text;
            wave_test_levels_data(path, test_case, &cases[i]);
        }
        code = wave_assemble(texts, G_N_ELEMENTS(cases));
        wave_test_levels("/strict/report", test_report);
        wave_test_levels("/strict/smem/SM18-counts", test_counters);
        wave_test_levels("/strict/off", test_off);
    }
    status = g_test_run();
    wave_code_free(code);
    return status;
}
