/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is new about scalar instructions and waves of gfx11 and gfx12: EXEC and
 * VCC of waves of 32 lanes, NULL, hardware registers, messages that are
 * answered, split barriers, and waits that are missing.
 */
#include <string.h>
#include "wave-harness.h"

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
    { "setreg", "s_mov_b32 s5, 0xfffffff6\n"
      "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s5\n"
      "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)", NULL, ANY, { { 4, 0x60 } } },
    { "rfe-outside-a-trap-handler", "s_rfe_b64 s[4:5]", NULL, ANY, { { 4, 0 } },
      TESSERA_FAULT_ILLEGAL_INSTRUCTION },
    /* Named barriers came later; these are for trap handlers. */
    { "barrier-init", "s_barrier_init m0", "gfx12", ANY, { { 4, 0 } },
      TESSERA_FAULT_ILLEGAL_INSTRUCTION },
    { "barrier-join", "s_barrier_join m0", "gfx12", ANY, { { 4, 0 } },
      TESSERA_FAULT_ILLEGAL_INSTRUCTION },
    { "wakeup-barrier", "s_wakeup_barrier m0", "gfx12", ANY, { { 4, 0 } },
      TESSERA_FAULT_ILLEGAL_INSTRUCTION },
    { "barrier-leave", "s_cmp_eq_u32 0, 0\ns_barrier_leave\n"
      "s_cselect_b32 s4, 1, 2", "gfx12", ANY, { { 4, 2 } } },
    { "message-to-nobody", "s_mov_b32 s4, 5\n"
      "s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_DDID)", NULL, ANY,
      { { 4, 0 } } },
    { "barrier-of-one", "s_barrier_signal -1\ns_barrier_wait -1\n"
      "s_cmp_eq_u32 0, 0\ns_barrier_signal_isfirst -1\ns_cselect_b32 s4, 1, 2",
      "gfx12", ANY, { { 4, 2 } } },
};

static bool suits(const Snippet *s, const Target *t)
{
    return (!s->target || g_str_has_prefix(t->name, s->target)) &&
           (s->lanes == ANY || s->lanes == t->lanes);
}

static void run_snippet(WaveHarness *h, const Snippet *s, const WaveCode *code)
{
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
}

static void test_snippets(WaveHarness *h, const void *data)
{
    const char *texts[G_N_ELEMENTS(snippets)];
    WaveCode *code;
    unsigned count = 0;

    for (unsigned i = 0; i < G_N_ELEMENTS(snippets); i++) {
        if (suits(&snippets[i], data)) {
            texts[count++] = snippets[i].text;
        }
    }
    code = wave_assemble(texts, count);
    count = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(snippets); i++) {
        if (suits(&snippets[i], data)) {
            run_snippet(h, &snippets[i], &code[count++]);
        }
    }
    wave_code_free(code);
}

/* ---- messages that are answered ---- */

/*
 * Bits 63:8 of the addresses of the trap handler and its memory, as the trap
 * handlers of Linux and Mesa expect them, and the time.
 */
static void test_answers(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_TMA)\n"
        "s_sendmsg_rtn_b64 s[6:7], sendmsg(MSG_RTN_GET_TBA)\n"
        "s_sendmsg_rtn_b32 s8, sendmsg(MSG_RTN_GET_TMA)",
        "s_sendmsg_rtn_b64 s[4:5], sendmsg(MSG_RTN_GET_REALTIME)",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    h->dispatch.launch.tma = 0x123456789a00;
    h->dispatch.launch.tba = 0x0fedcba98700;
    wave_reset(h);
    h->w->s[9] = 9;
    wave_run(h, &code[0]);
    g_assert_cmphex(wave_sgpr64(h, 4), ==, 0x123456789a);
    g_assert_cmphex(wave_sgpr64(h, 6), ==, 0x0fedcba987);
    g_assert_cmphex(wave_sgpr64(h, 8), ==, 0x93456789a);
    h->clock = 0x123400005678;
    wave_run(h, &code[1]);
    g_assert_cmphex(wave_sgpr64(h, 4), ==, 0x123400005678);
    wave_code_free(code);
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

static bool hazard_suits(const Hazard *hazard, const Target *t)
{
    return !hazard->target || g_str_has_prefix(t->name, hazard->target);
}

static void run_hazard(WaveHarness *h, const Hazard *hazard,
                       const WaveCode *code)
{
    wave_reset(h);
    h->hazard_count = 0;
    wave_set_sgpr64(h, 8, DATA_VA);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    if (h->hazard_count != hazard->count) {
        g_error("%s: %u hazards, want %u", hazard->text, h->hazard_count,
                hazard->count);
    }
}

static void test_strict(WaveHarness *h, const void *data)
{
    const char *texts[G_N_ELEMENTS(hazards)];
    WaveCode *code;
    unsigned count = 0;

    wave_map(h, DATA_VA, 0x1000, true);
    h->dispatch.strict = true;
    for (unsigned i = 0; i < G_N_ELEMENTS(hazards); i++) {
        if (hazard_suits(&hazards[i], data)) {
            texts[count++] = hazards[i].text;
        }
    }
    code = wave_assemble(texts, count);
    count = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(hazards); i++) {
        if (hazard_suits(&hazards[i], data)) {
            run_hazard(h, &hazards[i], &code[count++]);
        }
    }
    wave_code_free(code);
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
    wave_start(h);
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
        wave_start(h);
        h->w->w.stale = false;
        mode = h->w->mode;
        memcpy(csr, h->w->mxcsr, sizeof(csr));
        for (unsigned wave = 0; wave * t->lanes < items; wave++) {
            memset(h->w->v, 0x5a, sizeof(h->w->v));
            memset(h->w->s, 0x5a, sizeof(h->w->s));
            wave_set_exec(h, wave % 3 ? 0x123456789abcdef0 : UINT64_MAX);
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

        wave_test_target("/salu/snippets", t->name, t->lanes, test_snippets,
                         t);
        wave_test_target("/salu/answers", t->name, t->lanes, test_answers, t);
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
