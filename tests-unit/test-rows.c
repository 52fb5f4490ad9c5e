/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of the opcode table that no other test executes: those that fault by
 * design, those that do nothing, and the formatted buffer accesses by width.
 */
#include <inttypes.h>
#include "coverage.h"
#include "wave-harness.h"
#include "target/amdgpu/rows.h"

/* Those of which a generation has all rows. */
static const struct {
    const char *name;
    unsigned lanes;
} targets[] = {
    { "gfx900", 64 }, { "gfx1150", 32 }, { "gfx1150", 64 }, { "gfx1200", 32 },
    { "gfx1200", 64 },
};

/* ---- faults ---- */

static void check_fault(WaveHarness *h, const OpcodeRow *row,
                        const AmdInsn *insn)
{
    WaveCode code = { row->words, row->count };
    const EngineFault *fault = &h->worker->fault;

    TesseraFaultCause cause,
        want = insn->class == CLASS_GFX ? TESSERA_FAULT_ILLEGAL_INSTRUCTION :
               insn->flags & INSN_GDS ? TESSERA_FAULT_NO_GDS :
                                         TESSERA_FAULT_UNIMPLEMENTED;

    wave_reset(h);
    cause = wave_run(h, &code);
    if (cause != want) {
        g_error("%s: fault %d, want %d", row->text, cause, want);
    }
    g_assert_cmphex(fault->pc, ==, WAVE_CODE_VA);
    g_assert_cmpint(fault->access, ==, ENGINE_FETCH);
    /* As much of the text as there is room for. */
    g_assert_cmpint(strncmp(fault->text, row->text, sizeof(fault->text) - 1),
                    ==, 0);
}

static void test_faults(WaveHarness *h, const void *data)
{
    const Coverage *generation = &coverage_generations[h->w->isa->gen];
    GPtrArray *rows = decode_rows(generation->tables);
    unsigned count = 0;

    for (guint i = 0; i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);
        const AmdInsn *insn;
        AmdInst inst;

        g_assert_true(generation->decode(row->words, row->count, &inst));
        insn = &amd_insns[inst.op];
        if (insn->class == CLASS_GFX || strcmp(insn->text, "NOSEM") == 0) {
            check_fault(h, row, insn);
            count++;
        }
    }
    g_test_message("%u rows fault", count);
    g_ptr_array_unref(rows);
}

/* ---- nothing ---- */

static const char *const nothing[] = {
    "v_nop", "v_nop_e64", "v_clrexcp", "v_clrexcp_e64", "v_pipeflush",
    "v_pipeflush_e64", "ds_nop", "buffer_wbinvl1", "buffer_wbinvl1_vol",
    "buffer_gl0_inv", "buffer_gl1_inv", "global_inv", "global_wb",
    "global_wbinv scope:SCOPE_SYS", "s_nop 3", "s_icache_inv", "s_ttracedata",
    "s_ttracedata_imm 3", "s_incperflevel 1", "s_decperflevel 2",
    "s_setkill 0", "s_sethalt 0", "s_waitcnt 0", "s_setprio 2", "s_wakeup",
    "s_clause 3", "s_delay_alu 0x9", "s_waitcnt_depctr 0", "s_wait_alu 0",
    "s_wait_event 1", "s_wait_idle", "s_singleuse_vdst 0x11",
    "s_set_inst_prefetch_distance 2", "s_version 0x2004",
    "s_waitcnt_vscnt s4, 0", "s_waitcnt_vscnt null, 3",
    "s_waitcnt_vmcnt null, 0", "s_waitcnt_expcnt null, 0",
    "s_waitcnt_lgkmcnt null, 0", "s_wait_loadcnt 0", "s_wait_storecnt 0",
    "s_wait_samplecnt 0", "s_wait_bvhcnt 0", "s_wait_expcnt 0",
    "s_wait_dscnt 0", "s_wait_kmcnt 0", "s_wait_loadcnt_dscnt 0",
    "s_wait_storecnt_dscnt 0", "s_gl1_inv", "s_dcache_inv",
    /* To addresses where nothing is. */
    "s_atc_probe 1, s[8:9], 0x10", "s_atc_probe_buffer 1, s[8:11], 0x10",
    "s_prefetch_inst s[8:9], 0x10, s4, 3", "s_prefetch_inst_pc_rel 0x10, s4, 3",
    "s_prefetch_data s[8:9], 0x10, s4, 3",
    "s_buffer_prefetch_data s[8:11], 0x10, s4, 3",
    "s_prefetch_data_pc_rel 0x10, s4, 3",
};

/* All that a program can see, before and after. */
typedef struct Seen {
    uint32_t v[AMD_VGPRS][64], s[SGPR_COUNT], scc, mode;
} Seen;

static void look(WaveHarness *h, Seen *seen)
{
    memset(seen, 0, sizeof(*seen));
    memcpy(seen->s, h->w->s, sizeof(seen->s));
    for (unsigned i = 0; i < AMD_VGPRS; i++) {
        memcpy(seen->v[i], wave_vgpr(h, i), sizeof(seen->v[i]));
    }
    seen->scc = h->w->scc;
    seen->mode = h->w->mode;
}

static void scramble(WaveHarness *h)
{
    for (unsigned i = 0; i < AMD_VGPRS; i++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, i)[lane] = i * 0x01010101 + lane * 0x00f1;
        }
    }
    for (unsigned i = 0; i < 102; i++) {
        h->w->s[i] = 0x5a000000 + i;
    }
    wave_set_exec(h, 0xf0f0123456789abc & h->w->full);
    h->w->scc = 1;
}

/* Those that the assembler has for a target. */
static GPtrArray *nothing_here(void)
{
    g_autofree bool *refused = wave_refused(nothing, G_N_ELEMENTS(nothing));
    GPtrArray *texts = g_ptr_array_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(nothing); i++) {
        if (!refused[i]) {
            g_ptr_array_add(texts, (char *)nothing[i]);
        }
    }
    return texts;
}

static void test_nothing(WaveHarness *h, const void *data)
{
    g_autoptr(GPtrArray) texts = nothing_here();
    WaveCode *code = wave_assemble((const char *const *)texts->pdata,
                                   texts->len);
    g_autofree Seen *before = g_new(Seen, 1), *after = g_new(Seen, 1);

    for (unsigned i = 0; i < texts->len; i++) {
        wave_reset(h);
        scramble(h);
        look(h, before);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        look(h, after);
        if (memcmp(before, after, sizeof(*before))) {
            g_test_message("%s changes something",
                           (char *)g_ptr_array_index(texts, i));
            g_test_fail();
        }
    }
    wave_code_free(code);
}

/* What ends a wave leaves what stands behind it alone. */
static void test_ends(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_mov_b32 s1, 7\n s_endpgm\n s_mov_b32 s1, 8",
        "s_mov_b32 s1, 7\n s_endpgm_ordered_ps_done\n s_mov_b32 s1, 8",
        "s_mov_b32 s1, 7\n s_endpgm_saved\n s_mov_b32 s1, 8",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        wave_reset(h);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        g_assert_cmpuint(h->w->s[1], ==, 7);
    }
    wave_code_free(code);
}

static void test_sendmsghalt(WaveHarness *h, const void *data)
{
    static const char *const texts[] = { "s_mov_b32 m0, 0x1234\n"
                                         "s_sendmsghalt sendmsg(1)" };
    WaveCode *code = wave_assemble(texts, 1);
    unsigned before = h->messages;

    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->messages, ==, before + 1);
    g_assert_cmphex(h->message & 0xffff, ==, 0x1234);
    wave_code_free(code);
}

/* ---- formatted buffers ---- */

#define BUFFER_VA 0x100000000ull
#define OFFSET 64u /* of what is loaded or stored */

/* gfx-facts section 7 */
enum { D_16 = 2, D_32 = 4, D_16_16 = 5, D_8_8_8_8 = 10, D_32_32 = 11,
       D_16_16_16_16 = 12, D_32_32_32 = 13 };
enum { N_UINT = 4 };

typedef struct Access {
    const char *name;  /* behind load_format or store_format */
    unsigned dfmt, components, bytes; /* a component */
    bool d16;
    const char *format;
} Access;

/* One format for each width, so that x, xy, xyz and xyzw cannot be mixed up. */
static const Access accesses[] = {
    { "_x", D_32, 1, 4, false, "32" },
    { "_xy", D_32_32, 2, 4, false, "32_32" },
    { "_xyz", D_32_32_32, 3, 4, false, "32_32_32" },
    { "_xyzw", D_8_8_8_8, 4, 1, false, "8_8_8_8" },
    { "_d16_x", D_16, 1, 2, true, "16" },
    { "_d16_xy", D_16_16, 2, 2, true, "16_16" },
    { "_d16_xyz", D_32_32_32, 3, 4, true, "32_32_32" },
    { "_d16_xyzw", D_16_16_16_16, 4, 2, true, "16_16_16_16" },
};

static uint8_t pattern(unsigned i)
{
    return 0x11 + 37 * i;
}

static unsigned registers(const Access *a)
{
    return a->d16 ? (a->components + 1) / 2 : a->components;
}

static char *access_text(const Access *a, bool typed, bool store)
{
    unsigned last = 3 + registers(a);
    g_autofree char *data = registers(a) == 1 ? g_strdup("v4") :
                            g_strdup_printf("v[4:%u]", last);
    g_autofree char *format = !typed ? g_strdup("") : g_strdup_printf(
        " format:[BUF_DATA_FORMAT_%s,BUF_NUM_FORMAT_UINT]", a->format);

    return g_strdup_printf("%sbuffer_%s_format%s %s, off, s[8:11], 0%s "
                           "offset:%u", typed ? "t" : "",
                           store ? "store" : "load", a->name, data, format,
                           OFFSET);
}

static uint64_t component(const uint8_t *bytes, const Access *a, unsigned i)
{
    uint64_t x = 0;

    memcpy(&x, bytes + i * a->bytes, a->bytes);
    return x;
}

static void set_buffer(WaveHarness *h, const Access *a)
{
    h->w->s[8] = (uint32_t)BUFFER_VA;
    h->w->s[9] = BUFFER_VA >> 32;
    h->w->s[10] = 4096;
    h->w->s[11] = 4 | 5 << 3 | 6 << 6 | 7 << 9 | N_UINT << 12 | a->dfmt << 15;
}

/* The registers that the components make. */
static void pack(const Access *a, const uint8_t *bytes, uint32_t *v)
{
    for (unsigned i = 0; i < a->components; i++) {
        uint64_t x = component(bytes, a, i);

        if (!a->d16) {
            v[i] = (uint32_t)x;
        } else {
            v[i / 2] = (i % 2 ? v[i / 2] : 0) |
                       (uint32_t)MIN(x, 0xffff) << 16 * (i % 2);
        }
    }
}

static void check_load(WaveHarness *h, const Access *a, const char *text,
                       const WaveCode *code, uint8_t *host)
{
    uint32_t want[4] = { 0 };

    for (unsigned i = 0; i < 16; i++) {
        host[OFFSET + i] = pattern(i);
    }
    if (a->d16 && a->bytes == 4) { /* fits 16 bits */
        for (unsigned i = 0; i < 3; i++) {
            memset(host + OFFSET + 4 * i + 2, 0, 2);
        }
    }
    pack(a, host + OFFSET, want);
    for (unsigned r = 0; r < 8; r++) {
        wave_vgpr(h, 2 + r)[5] = 0xabcd0000 + r;
    }
    wave_set_exec(h, 1ull << 5);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 3)[5], ==, 0xabcd0001);
    for (unsigned r = 0; r < 5; r++) {
        uint32_t got = wave_vgpr(h, 4 + r)[5];
        uint32_t old = 0xabcd0002 + r;
        uint32_t w = r < registers(a) ? want[r] : old;

        if (a->d16 && r == a->components / 2) { /* half a register */
            w = (w & 0xffff) | (old & 0xffff0000);
        }
        if (got != w) {
            g_test_message("%s: v%u is %x, not %x", text, 4 + r, got, w);
            g_test_fail();
        }
    }
}

static void check_store(WaveHarness *h, const Access *a, const char *text,
                        const WaveCode *code, uint8_t *host)
{
    uint8_t want[64];
    uint32_t v[4] = { 0 };

    memset(host, 0xee, 256);
    memset(want, 0xee, sizeof(want));
    for (unsigned i = 0; i < a->components * a->bytes; i++) {
        bool high = a->d16 && a->bytes == 4 && i % 4 > 1;

        want[i] = high ? 0 : pattern(i);
    }
    pack(a, want, v);
    memset(wave_vgpr(h, 4), 0, 4 * 64 * 4);
    for (unsigned r = 0; r < 4; r++) {
        wave_vgpr(h, 4 + r)[5] = v[r];
    }
    wave_set_exec(h, 1ull << 5);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned i = 0; i < sizeof(want); i++) {
        if (host[OFFSET + i] != want[i] || host[i] != 0xee) {
            g_test_message("%s: byte %u is %02x, not %02x", text, i,
                           host[OFFSET + i], want[i]);
            g_test_fail();
            return;
        }
    }
}

static void test_formats(WaveHarness *h)
{
    uint8_t *host = wave_map(h, BUFFER_VA, 4096, true);
    const char *texts[4 * G_N_ELEMENTS(accesses)];
    WaveCode *code;
    unsigned n = G_N_ELEMENTS(texts);

    for (unsigned i = 0; i < n; i++) {
        texts[i] = access_text(&accesses[i / 4], i & 1, i & 2);
    }
    code = wave_assemble(texts, n);
    for (unsigned i = 0; i < n; i++) {
        wave_reset(h);
        set_buffer(h, &accesses[i / 4]);
        (i & 2 ? check_store : check_load)(h, &accesses[i / 4], texts[i],
                                           &code[i], host);
        g_free((char *)texts[i]);
    }
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        wave_test_target("/rows/faults", targets[i].name, targets[i].lanes,
                         test_faults, NULL);
        wave_test_target("/rows/nothing", targets[i].name, targets[i].lanes,
                         test_nothing, NULL);
        wave_test_target("/rows/sendmsghalt", targets[i].name,
                         targets[i].lanes, test_sendmsghalt, NULL);
    }
    wave_test_levels("/rows/ends", test_ends);
    wave_test_levels("/rows/formats", test_formats);
    return g_test_run();
}
