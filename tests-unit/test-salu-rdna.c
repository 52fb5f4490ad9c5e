/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is new about scalar instructions and waves of gfx11 and gfx12: scalar
 * floats and 64-bit integers against plain C, EXEC and VCC of waves of 32
 * lanes, NULL, hardware registers, split barriers, and waits that are missing.
 */
#include <math.h>
#include <string.h>
#include "wave-harness.h"

enum { GFX12 = 1 << 0, FLOATS = 1 << 1 };

/* ---- one result against plain C ---- */

typedef union Bits {
    uint32_t u;
    float f;
    int32_t i;
} Bits;

typedef uint64_t Model(uint64_t a, uint64_t b, uint64_t d);

#define F(x) ((Bits){ .u = (uint32_t)(x) }.f)
#define U(x) ((Bits){ .f = (x) }.u)
#define MODEL(name, ...)                                                      \
    static uint64_t name##_model(uint64_t a, uint64_t b, uint64_t d)          \
    {                                                                         \
        return __VA_ARGS__;                                                   \
    }

MODEL(add_nc_u64, a + b)
MODEL(sub_nc_u64, a - b)
MODEL(mul_u64, a * b)
MODEL(pack_hl, (a >> 16 & 0xffff) | (b & 0xffff) << 16)
MODEL(add_f32, U(F(a) + F(b)))
MODEL(sub_f32, U(F(a) - F(b)))
MODEL(mul_f32, U(F(a) * F(b)))
MODEL(fmac_f32, U(fmaf(F(a), F(b), F(d))))
MODEL(fmaak_f32, U(fmaf(F(a), F(b), 3.5f)))
MODEL(fmamk_f32, U(fmaf(F(a), 3.5f, F(b))))
MODEL(ceil_f32, U(ceilf(F(a))))
MODEL(floor_f32, U(floorf(F(a))))
MODEL(trunc_f32, U(truncf(F(a))))
MODEL(rndne_f32, U(rintf(F(a))))
MODEL(cvt_f32_i32, U((float)(int32_t)a))
MODEL(cvt_f32_u32, U((float)(uint32_t)a))

/* Saturating, as C leaves it open. */
MODEL(cvt_i32_f32, F(a) >= 0x1p31f ? INT32_MAX :
                   F(a) < -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)F(a))
MODEL(cvt_u32_f32, F(a) >= 0x1p32f ? UINT32_MAX :
                   F(a) <= -1 ? 0 : (uint32_t)F(a))

/* -0 is less than +0. */
static uint64_t least(uint64_t a, uint64_t b, uint64_t d)
{
    return F(a) < F(b) || (F(a) == F(b) && a >> 31 & 1) ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b, uint64_t d)
{
    return least(a, b, d) == a ? b : a;
}

typedef struct Row {
    const char *text; /* sources s[10:11] and s[12:13], result s[14:15] */
    unsigned flags, bytes;
    Model *model;
} Row;

static const Row rows[] = {
    { "s_pack_hl_b32_b16 s14, s10, s12", 0, 4, pack_hl_model },
    { "s_add_nc_u64 s[14:15], s[10:11], s[12:13]", GFX12, 8,
      add_nc_u64_model },
    { "s_sub_nc_u64 s[14:15], s[10:11], s[12:13]", GFX12, 8,
      sub_nc_u64_model },
    { "s_mul_u64 s[14:15], s[10:11], s[12:13]", GFX12, 8, mul_u64_model },
    { "s_add_f32 s14, s10, s12", FLOATS, 4, add_f32_model },
    { "s_sub_f32 s14, s10, s12", FLOATS, 4, sub_f32_model },
    { "s_mul_f32 s14, s10, s12", FLOATS, 4, mul_f32_model },
    { "s_fmac_f32 s14, s10, s12", FLOATS, 4, fmac_f32_model },
    { "s_fmaak_f32 s14, s10, s12, 0x40600000", FLOATS, 4, fmaak_f32_model },
    { "s_fmamk_f32 s14, s10, 0x40600000, s12", FLOATS, 4, fmamk_f32_model },
    { "s_ceil_f32 s14, s10", FLOATS, 4, ceil_f32_model },
    { "s_floor_f32 s14, s10", FLOATS, 4, floor_f32_model },
    { "s_trunc_f32 s14, s10", FLOATS, 4, trunc_f32_model },
    { "s_rndne_f32 s14, s10", FLOATS, 4, rndne_f32_model },
    { "s_cvt_f32_i32 s14, s10", FLOATS, 4, cvt_f32_i32_model },
    { "s_cvt_f32_u32 s14, s10", FLOATS, 4, cvt_f32_u32_model },
    { "s_cvt_i32_f32 s14, s10", FLOATS, 4, cvt_i32_f32_model },
    { "s_cvt_u32_f32 s14, s10", FLOATS, 4, cvt_u32_f32_model },
    { "s_min_num_f32 s14, s10, s12", FLOATS | GFX12, 4, least },
    { "s_max_num_f32 s14, s10, s12", FLOATS | GFX12, 4, most },
    { "s_minimum_f32 s14, s10, s12", FLOATS | GFX12, 4, least },
    { "s_maximum_f32 s14, s10, s12", FLOATS | GFX12, 4, most },
};

/* As floats: no NaN, whose bits are the models' own business. */
static const uint32_t values[] = {
    0, 0x80000000, 0x3f800000, 0xbf800000, 0x3fc00000, 0xc0200000,
    0x4f000000, 0xcf000000, 0x4f7fffff, 0x00000123, 0x80000007, 0x7f7fffff,
    0x12345678, 0xc2f6e979, 0x3eaaaaab,
};

/* The target of a test, from its name. */
typedef struct Target {
    const char *name;
    unsigned lanes;
} Target;

static const Target targets[] = {
    { "gfx1100", 32 }, { "gfx1100", 64 }, { "gfx1150", 32 },
    { "gfx1150", 64 }, { "gfx1200", 32 }, { "gfx1200", 64 },
};

static const Target gfx900 = { "gfx900", 64 };

static bool is_gfx12(const Target *t)
{
    return g_str_has_prefix(t->name, "gfx12");
}

static bool has_row(const Target *t, const Row *row)
{
    return !(row->flags & GFX12 && !is_gfx12(t)) &&
           !(row->flags & FLOATS && g_str_equal(t->name, "gfx1100"));
}

static void run_row(WaveHarness *h, const WaveCode *code, const Row *row,
                    uint32_t a, uint32_t b)
{
    uint64_t d = 0x3f80000040000000ull, got, want;
    uint64_t a64 = a | (uint64_t)b << 32, b64 = b | (uint64_t)~a << 32;
    uint64_t mask = row->bytes == 4 ? UINT32_MAX : UINT64_MAX;

    wave_reset(h);
    wave_set_sgpr64(h, 10, a64);
    wave_set_sgpr64(h, 12, b64);
    wave_set_sgpr64(h, 14, d);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    got = wave_sgpr64(h, 14);
    want = (row->model(a64, b64, d) & mask) | (d & ~mask);
    if (row->flags & FLOATS && isnan(F(want))) { /* inf - inf */
        g_assert_true(isnan(F(got)));
    } else if (got != want) {
        g_error("%s: 0x%x, 0x%x: 0x%" G_GINT64_MODIFIER "x, want 0x%"
                G_GINT64_MODIFIER "x", row->text, a, b, got, want);
    }
}

static void test_rows(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        WaveCode *code;

        if (!has_row(data, &rows[i])) {
            continue;
        }
        code = wave_assemble(&rows[i].text, 1);
        for (unsigned a = 0; a < G_N_ELEMENTS(values); a++) {
            for (unsigned b = 0; b < G_N_ELEMENTS(values); b++) {
                run_row(h, code, &rows[i], values[a], values[b]);
            }
        }
        wave_code_free(code);
    }
}

/* ---- snippets and the registers that they leave ---- */

enum { ANY = 0, W32 = 32, W64 = 64, MAX_WANT = 4 };

typedef struct Snippet {
    const char *name, *text;
    const char *target; /* prefix; NULL: all */
    unsigned lanes;     /* ANY: both */
    struct {
        unsigned code;
        uint32_t value;
    } want[MAX_WANT];   /* code 0 ends it */
    TesseraFaultCause fault;
} Snippet;

enum { VCC_LO = SGPR_VCC, VCC_HI, EXEC_LO = SGPR_EXEC, EXEC_HI };

static const Snippet snippets[] = {
    { "exec-hi-reads-0", "s_mov_b64 exec, -1\ns_mov_b32 s4, exec_hi\n"
      "s_mov_b32 exec_hi, 5\ns_mov_b32 s5, exec_hi", NULL, W32,
      { { EXEC_LO, UINT32_MAX }, { EXEC_HI, 0 }, { 4, 0 }, { 5, 0 } } },
    { "exec-hi-kept", "s_mov_b32 exec_hi, 5\ns_mov_b32 s5, exec_hi", NULL, W64,
      { { EXEC_LO, UINT32_MAX }, { EXEC_HI, 5 }, { 5, 5 } } },
    { "vcc-hi-is-a-register", "s_mov_b32 vcc_hi, 77\n"
      "v_cmp_eq_u32 vcc_lo, v0, v0\ns_mov_b32 s4, vcc_hi", NULL, W32,
      { { VCC_LO, UINT32_MAX }, { VCC_HI, 77 }, { 4, 77 } } },
    { "vccz-looks-at-vcc-lo", "s_mov_b64 vcc, 0\ns_mov_b32 vcc_hi, 1\n"
      "s_mov_b32 s4, 1\ns_cbranch_vccz 1f\ns_mov_b32 s4, 2\n1:", NULL, W32,
      { { 4, 1 } } },
    { "vccz-looks-at-both", "s_mov_b64 vcc, 0\ns_mov_b32 vcc_hi, 1\n"
      "s_mov_b32 s4, 1\ns_cbranch_vccz 1f\ns_mov_b32 s4, 2\n1:", NULL, W64,
      { { 4, 2 } } },
    { "mask-in-one-register", "s_mov_b32 s6, 9\ns_mov_b32 s4, 8\n"
      "v_cmp_eq_u32 s5, v0, v0", NULL, W32,
      { { 4, 8 }, { 5, UINT32_MAX }, { 6, 9 } } },
    { "execz-skips", "s_mov_b32 s4, 1\ns_mov_b64 exec, 0\n"
      "v_cmp_eq_u32 vcc_lo, v0, v0\ns_cbranch_execz 1f\ns_mov_b32 s4, 2\n1:",
      NULL, W32, { { 4, 1 }, { VCC_LO, 0 } } },
    { "readfirstlane-without-exec", "v_mov_b32 v1, 7\ns_mov_b64 exec, 0\n"
      "v_mov_b32 v1, 8\nv_readfirstlane_b32 s4, v1", NULL, ANY,
      { { 4, 7 } } },
    { "saveexec-b32", "s_mov_b32 s5, 0xf0f0\ns_and_saveexec_b32 s4, s5\n"
      "s_cselect_b32 s6, 1, 2", NULL, ANY,
      { { 4, UINT32_MAX }, { EXEC_LO, 0xf0f0 }, { 6, 1 } } },
    { "saveexec-b32-keeps-exec-hi", "s_mov_b32 s5, 0xff\n"
      "s_and_not1_saveexec_b32 s4, s5\ns_mov_b32 s6, exec_hi", NULL, W64,
      { { EXEC_LO, 0 }, { EXEC_HI, UINT32_MAX }, { 6, UINT32_MAX } } },
    { "wrexec-b32", "s_mov_b32 s5, 0xff\ns_and_not0_wrexec_b32 s4, s5", NULL,
      ANY, { { 4, 0xffffff00 }, { EXEC_LO, 0xffffff00 } } },
    { "null-reads-0", "s_mov_b32 s4, 1\ns_add_u32 s4, null, 3\n"
      "s_mov_b64 s[6:7], null", NULL, ANY,
      { { 4, 3 }, { 6, 0 }, { 7, 0 } } },
    { "null-is-not-written", "s_mov_b32 m0, 6\ns_mov_b32 null, 5\n"
      "s_mov_b64 null, -1\nv_cmp_eq_u32 null, v0, v0\n"
      "v_add_co_u32 v0, null, v0, v0\ns_mov_b32 s4, null\ns_mov_b32 s5, m0",
      NULL, ANY, { { 4, 0 }, { 5, 6 }, { SGPR_M0, 6 },
                   { EXEC_LO, UINT32_MAX } } },
    { "sgpr-105-is-the-last", "s_mov_b32 m0, 5\ns_mov_b32 s105, 3\n"
      "s_movrels_b32 s4, s100\ns_mov_b32 m0, 6\ns_mov_b32 s0, 9\n"
      "s_movrels_b32 s5, s100", NULL, ANY, { { 4, 3 }, { 5, 9 } } },
    { "movrelsd-2", "s_mov_b32 m0, 0x0002000a\ns_mov_b32 s17, 44\n"
      "s_movrelsd_2_b32 s5, s7", NULL, ANY, { { 7, 44 } } },
    { "round-mode", "s_round_mode 0x6\ns_denorm_mode 0x9\n"
      "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)", NULL, ANY,
      { { 4, 0x96 } } },
    { "no-vskip", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 2), 3\n"
      "v_mov_b32 v0, 5\nv_readfirstlane_b32 s4, v0", NULL, ANY,
      { { 4, 5 } } },
    { "scc-in-state-priv", "s_cmp_eq_u32 0, 0\n"
      "s_getreg_b32 s4, hwreg(HW_REG_STATE_PRIV, 9, 1)\n"
      "s_getreg_b32 s5, hwreg(HW_REG_STATUS, 0, 1)", "gfx12", ANY,
      { { 4, 1 }, { 5, 0 } } },
    { "scc-in-status", "s_cmp_eq_u32 0, 0\n"
      "s_getreg_b32 s4, hwreg(HW_REG_STATUS, 0, 1)", "gfx11", ANY,
      { { 4, 1 } } },
    { "subvector-loop", "s_mov_b32 s5, 0\ns_subvector_loop_begin s4, 2f\n"
      "1:\ns_add_u32 s5, s5, 1\ns_subvector_loop_end s4, 1b\n2:", "gfx11", W64,
      { { EXEC_LO, UINT32_MAX }, { EXEC_HI, UINT32_MAX }, { 5, 2 } } },
    { "setpc-unaligned", "s_getpc_b64 s[4:5]\ns_add_u32 s4, s4, 23\n"
      "s_addc_u32 s5, s5, 0\ns_mov_b32 s6, 1\ns_setpc_b64 s[4:5]\n"
      "s_mov_b32 s6, 2", "gfx11", ANY, { { 6, 1 } } },
    { "setpc-zero", "s_mov_b64 s[4:5], 0\ns_setpc_b64 s[4:5]", NULL, ANY,
      { { 4, 0 } }, TESSERA_FAULT_UNMAPPED },
    { "code-end", "s_code_end", NULL, ANY, { { 4, 0 } },
      TESSERA_FAULT_ILLEGAL_INSTRUCTION },
    { "barrier-of-one", "s_barrier_signal -1\ns_barrier_wait -1\n"
      "s_cmp_eq_u32 0, 0\ns_barrier_signal_isfirst -1\ns_cselect_b32 s4, 1, 2",
      "gfx12", ANY, { { 4, 2 } } },
};

static bool suits(const Snippet *s, const Target *t)
{
    return (!s->target || g_str_has_prefix(t->name, s->target)) &&
           (s->lanes == ANY || s->lanes == t->lanes);
}

static void run_snippet(WaveHarness *h, const Snippet *s)
{
    WaveCode *code = wave_assemble(&s->text, 1);
    TesseraFaultCause cause;

    wave_reset(h);
    cause = wave_run(h, code);
    if (cause != s->fault) {
        g_error("%s: fault %d, want %d", s->name, cause, s->fault);
    }
    for (unsigned i = 0; i < MAX_WANT && s->want[i].code; i++) {
        uint32_t got = h->w->s[s->want[i].code];

        if (got != s->want[i].value) {
            g_error("%s: register %u is 0x%x, want 0x%x", s->name,
                    s->want[i].code, got, s->want[i].value);
        }
    }
    wave_code_free(code);
}

static void test_snippets(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(snippets); i++) {
        if (suits(&snippets[i], data)) {
            run_snippet(h, &snippets[i]);
        }
    }
}

/* ---- split barriers ---- */

/* The wave's group has another one, which has not arrived. */
static void test_barrier(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "s_barrier_signal_isfirst -1\ns_cselect_b32 s4, 1, 2\n"
        "s_get_barrier_state s5, -1\ns_barrier_wait -1\ns_mov_b32 s6, 3",
        "s_barrier_signal_isfirst -1\ns_cselect_b32 s4, 1, 2\n"
        "s_barrier_wait -1\ns_mov_b32 s6, 3",
    };
    WaveCode *code;
    Wave other = { .state = WAVE_RUN, .group = &h->group };

    if (!is_gfx12(data)) {
        return;
    }
    code = wave_assemble(texts, 2);
    wave_reset(h);
    h->group.waves = h->group.live = 2;
    h->group.wave[0] = &h->w->w;
    h->group.wave[1] = &other;
    wave_run(h, &code[0]);
    g_assert_cmpint(h->w->w.state, ==, WAVE_SIGNAL);
    g_assert_cmphex(h->w->s[4], ==, 1);
    g_assert_cmphex(h->w->s[5], ==, 1 << 16 | 2 << 4 | 1);
    g_assert_cmphex(h->w->s[6], ==, 0);
    g_assert_false(wave_barrier_signal(&other, 0)); /* not the first */
    wave_reset(h);
    g_assert_true(wave_barrier_signal(&other, 0));
    wave_run(h, &code[1]); /* the last one need not wait */
    g_assert_cmphex(h->w->s[4], ==, 2);
    g_assert_cmphex(h->w->s[6], ==, 3);
    wave_code_free(code);
}

/* ---- hazards=strict ---- */

typedef struct Hazard {
    const char *text, *target;
    unsigned count;
} Hazard;

static const Hazard hazards[] = {
    { "s_load_b32 s4, s[8:9], 0x0\ns_mov_b32 s5, s4", NULL, 1 },
    { "s_load_b32 s4, s[8:9], 0x0\ns_wait_kmcnt 0x0\ns_mov_b32 s5, s4",
      "gfx12", 0 },
    { "s_load_b32 s4, s[8:9], 0x0\ns_wait_dscnt 0x0\ns_wait_loadcnt 0x0\n"
      "s_mov_b32 s5, s4", "gfx12", 1 },
    { "s_load_b32 s4, s[8:9], 0x0\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s5, s4",
      "gfx11", 0 },
    { "s_load_b32 s4, s[8:9], 0x0\ns_waitcnt vmcnt(0)\ns_mov_b32 s5, s4",
      "gfx11", 1 },
    { "global_load_b32 v1, v0, s[8:9]\nglobal_load_b32 v2, v0, s[8:9]\n"
      "s_wait_loadcnt 0x1\nv_mov_b32 v3, v1", "gfx12", 0 },
    { "global_load_b32 v1, v0, s[8:9]\nglobal_load_b32 v2, v0, s[8:9]\n"
      "s_wait_loadcnt 0x1\nv_mov_b32 v3, v2", "gfx12", 1 },
    /* A store counts elsewhere. */
    { "global_load_b32 v1, v0, s[8:9]\nglobal_store_b32 v0, v2, s[8:9]\n"
      "s_wait_loadcnt 0x1\nv_mov_b32 v3, v1", "gfx12", 1 },
    { "global_load_b32 v1, v0, s[8:9]\nglobal_store_b32 v0, v2, s[8:9]\n"
      "s_waitcnt vmcnt(1)\nv_mov_b32 v3, v1", "gfx11", 1 },
    { "ds_load_b32 v1, v0\nglobal_load_b32 v2, v0, s[8:9]\n"
      "s_wait_loadcnt_dscnt 0x100\nv_mov_b32 v3, v1", "gfx12", 0 },
    { "ds_load_b32 v1, v0\nglobal_load_b32 v2, v0, s[8:9]\n"
      "s_wait_loadcnt_dscnt 0x100\nv_mov_b32 v3, v2", "gfx12", 1 },
    { "global_load_b32 v1, v0, s[8:9]\ns_wait_idle\nv_mov_b32 v3, v1", NULL,
      0 },
};

#define DATA_VA 0x600000000000ull

static void test_strict(WaveHarness *h, const void *data)
{
    const Target *target = data;

    wave_map(h, DATA_VA, 0x1000, true);
    h->dispatch.strict = true;
    for (unsigned i = 0; i < G_N_ELEMENTS(hazards); i++) {
        const Hazard *hazard = &hazards[i];
        WaveCode *code;

        if (hazard->target && !g_str_has_prefix(target->name,
                                                hazard->target)) {
            continue;
        }
        code = wave_assemble(&hazard->text, 1);
        wave_reset(h);
        h->hazard_count = 0;
        wave_set_sgpr64(h, 8, DATA_VA);
        g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
        if (h->hazard_count != hazard->count) {
            g_error("%s: %u hazards, want %u", hazard->text, h->hazard_count,
                    hazard->count);
        }
        wave_code_free(code);
    }
}

/* ---- start state ---- */

/* Work-item 23 of 4 x 2 x 3: a register for each of its ids, or 10 bits. */
static void check_item_ids(WaveHarness *h, const Target *t)
{
    if (g_str_has_prefix(t->name, "gfx9")) {
        g_assert_cmphex(wave_vgpr(h, 0)[23], ==, 3);
        g_assert_cmphex(wave_vgpr(h, 1)[23], ==, 1);
        g_assert_cmphex(wave_vgpr(h, 2)[23], ==, 2);
        return;
    }
    g_assert_cmphex(wave_vgpr(h, 0)[23], ==, 3 | 1 << 10 | 2 << 20);
    g_assert_cmphex(wave_vgpr(h, 0)[5], ==, 1 | 1 << 10);
    g_assert_cmphex(wave_vgpr(h, 1)[5], ==, 0);
}

/* The group's ids are in SGPRs or ttmp registers. */
static void test_start(WaveHarness *h, const void *data)
{
    const Target *t = data;

    h->dispatch.launch.rsrc2 = 2 << 11 | 7 << 7 | 2 << 1;
    h->group.size[0] = 4;
    h->group.size[1] = 2;
    h->group.size[2] = 3;
    h->group.id[0] = 5;
    h->group.id[1] = 6;
    h->group.id[2] = 7;
    h->worker->exec->wave_start(&h->w->w, &h->group, 0);
    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, 0xffffff);
    check_item_ids(h, t);
    g_assert_cmphex(h->w->s[2], ==, is_gfx12(t) ? 0 : 5);
    g_assert_cmphex(h->w->s[3], ==, is_gfx12(t) ? 0 : 6);
    g_assert_cmphex(h->w->s[4], ==, is_gfx12(t) ? 0 : 7);
    if (is_gfx12(t)) {
        g_assert_cmphex(h->w->s[SGPR_TTMP + 9], ==, 5);
        g_assert_cmphex(h->w->s[SGPR_TTMP + 7], ==, 6 | 7 << 16);
    }
}

/* Item ids, lane by lane. */
static uint32_t wanted_id(const WaveHarness *h, const Target *t, unsigned reg,
                          uint32_t item, unsigned ids)
{
    const uint32_t *size = h->group.size;
    uint32_t id[3] = { item % size[0], item / size[0] % size[1],
                       item / size[0] / size[1] };
    uint32_t packed = 0;

    if (item >= size[0] * size[1] * size[2]) {
        return 0;
    }
    if (g_str_has_prefix(t->name, "gfx9")) {
        return reg < ids ? id[reg] : 0;
    }
    for (unsigned i = 0; i < ids; i++) {
        packed |= id[i] << 10 * i;
    }
    return reg == 0 ? packed : 0;
}

static void check_start(WaveHarness *h, const Target *t, unsigned index,
                        unsigned ids, unsigned vgprs)
{
    const uint32_t *size = h->group.size;
    uint64_t exec = 0;

    for (unsigned lane = 0; lane < t->lanes; lane++) {
        uint32_t item = index * t->lanes + lane;

        exec |= (uint64_t)(item < size[0] * size[1] * size[2]) << lane;
        for (unsigned reg = 0; reg < vgprs; reg++) {
            g_assert_cmphex(wave_vgpr(h, reg)[lane], ==,
                            wanted_id(h, t, reg, item, ids));
        }
        g_assert_cmphex(((uint32_t *)&h->w->exec)[lane], ==,
                        exec >> lane & 1 ? UINT32_MAX : 0);
    }
    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, exec);
    g_assert_cmphex(h->w->inactive, ==, h->w->full & ~exec);
    g_assert_cmpuint(h->w->execz, ==, exec == 0);
    g_assert_cmpuint(h->w->vccz, ==, 1);
    g_assert_cmpuint(h->w->scc, ==, 0);
    for (unsigned i = 40; i < SGPR_TTMP; i++) {
        g_assert_cmphex(h->w->s[i], ==, 0);
    }
}

/*
 * Groups of all shapes, in a wave that another wave of the dispatch has used
 * and left anything in.
 */
static void test_start_shapes(WaveHarness *h, const void *data)
{
    static const uint32_t shapes[][3] = {
        { 64, 1, 1 }, { 256, 1, 1 }, { 1024, 1, 1 }, { 100, 1, 1 },
        { 1, 1, 1 }, { 16, 16, 1 }, { 8, 8, 4 }, { 1, 1, 64 }, { 7, 3, 5 },
        { 33, 2, 1 }, { 1, 200, 1 }, { 48, 2, 2 }, { 3, 3, 3 }, { 17, 1, 9 },
    };
    const Target *t = data;
    uint32_t csr[FLOAT_CLASSES], mode;

    for (unsigned i = 0; i < G_N_ELEMENTS(shapes) * 3; i++) {
        const uint32_t *size = shapes[i / 3];
        unsigned items = size[0] * size[1] * size[2], ids = i % 3 + 1;

        h->dispatch.launch.rsrc2 = (ids - 1) << 11 | 7 << 7 | 2 << 1;
        h->dispatch.launch.rsrc1 = 0x00ac0003; /* 16 VGPRs, 32 in half waves */
        memcpy(h->group.size, size, sizeof(h->group.size));
        h->worker->exec->wave_start(&h->w->w, &h->group, 0);
        h->w->w.stale = false;
        mode = h->w->mode;
        memcpy(csr, h->w->mxcsr, sizeof(csr));
        for (unsigned wave = 0; wave * t->lanes < items; wave++) {
            memset(h->w->v, 0x5a, sizeof(h->w->v));
            memset(h->w->s, 0x5a, sizeof(h->w->s));
            wave_set_exec(h, 0x123456789abcdef0);
            wave_set_mode(h, wave % 2 ? mode : mode ^ 0xff);
            h->w->scc = h->w->vccz = 1;
            h->w->w.index = wave;
            h->worker->exec->wave_start(&h->w->w, &h->group, wave);
            check_start(h, t, wave, ids, t->lanes == 32 ? 32 : 16);
            g_assert_cmphex(h->w->mode, ==, mode);
            g_assert_cmpmem(csr, sizeof(csr), h->w->mxcsr, sizeof(csr));
        }
        h->w->w.index = 0;
        h->w->w.stale = true;
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (!wave_have_assembler()) {
        return g_test_run();
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        const Target *t = &targets[i];

        wave_test_target("/salu/rows", t->name, t->lanes, test_rows, t);
        wave_test_target("/salu/snippets", t->name, t->lanes, test_snippets,
                         t);
        wave_test_target("/salu/barrier", t->name, t->lanes, test_barrier, t);
        wave_test_target("/salu/strict", t->name, t->lanes, test_strict, t);
        wave_test_target("/salu/start", t->name, t->lanes, test_start, t);
        wave_test_target("/salu/start-shapes", t->name, t->lanes,
                         test_start_shapes, t);
    }
    wave_test_target("/salu/start", gfx900.name, gfx900.lanes, test_start,
                     &gfx900);
    wave_test_target("/salu/start-shapes", gfx900.name, gfx900.lanes,
                     test_start_shapes, &gfx900);
    return g_test_run();
}
